"""Pages for people: each takes its values from the sources and puts them into its template."""

from functools import cache
from hashlib import sha256

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.contest.ledger import SIZES
from arena.contest.rating import OVERALL
from arena.errors import NotFound
from arena.store.kinds import TournamentState
from arena.store.tournaments import OPEN
from arena.web import tables
from arena.web.sources import Sources

BOARDS = (OVERALL, *map(str, SIZES))


async def leaderboard(sources: Sources, request: Request) -> Response:
    """One board, overall unless `?board=` names a table size, and how the arena is doing."""
    board = request.query_params.get("board", OVERALL)
    if board not in BOARDS:
        raise NotFound(f"no board {board[:20]!r}; there are: {', '.join(BOARDS)}")
    found = await sources.leaderboard.value()
    return _page(
        request,
        "leaderboard.html",
        board=board,
        boards=BOARDS,
        groups=tables.groups(found.boards.get(board, ())),
        totals=await sources.totals.value(),
        presence=await sources.presence.value(),
    )


async def tournaments(sources: Sources, request: Request) -> Response:
    """All tournaments, newest first."""
    return _page(request, "tournaments.html", tournaments=await sources.tournaments.value())


async def tournament(sources: Sources, request: Request) -> Response:
    """One tournament: how far it is, how it stands, who is missing."""
    event = await sources.event(request.path_params["name"]).value()
    return _page(request, "tournament.html", event=event, is_open=event.progress.state in OPEN)


def problem(status: int, text: str) -> Response:
    """What went wrong, in words, as a page."""
    title = {404: "Not found", 503: "Not available now"}.get(status, "That did not work")
    return HTMLResponse(_rendered("problem.html", title=title, text=text), status)


def _page(request: Request, template: str, **shown: object) -> Response:
    """The filled template, or word that the browser has it already."""
    text = _rendered(template, **shown)
    tag = f'W/"{sha256(text.encode()).hexdigest()[:24]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("If-None-Match") == tag:
        return Response(status_code=304, headers=headers)
    return HTMLResponse(text, headers=headers)


def _rendered(template: str, **shown: object) -> str:
    return _templates().get_template(template).render(shown)


@cache
def _templates() -> Environment:
    """Templates in which everything is escaped and a misspelt name is an error."""
    found = Environment(
        loader=PackageLoader("arena.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(rank=tables.rank, elo=tables.elo, span=tables.span)
    found.globals.update(interval=tables.interval, WIDTH=tables.WIDTH, states=TournamentState)
    return found
