"""The web app: which address shows what, and how errors read."""

from collections.abc import Mapping
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from arena.contest.rating import OVERALL
from arena.desk.boards import Leaderboard
from arena.errors import ArenaError, BadInput, Conflict, Forbidden, NotFound
from arena.web import metrics, pages
from arena.web.safety import guarded
from arena.web.sources import Seen, Sources

CRASHED = "The page could not be made; the log of the web process says why. Reload, or report it to the operator."


def app(sources: Sources) -> ASGIApp:
    """The pages, the API and the metrics over these sources."""
    routes = [
        Route("/", partial(pages.leaderboard, sources)),
        Route("/tournaments", partial(pages.tournaments, sources)),
        Route("/tournaments/{name}", partial(pages.tournament, sources)),
        Route("/api/leaderboard", partial(_leaderboard, sources)),
        Route("/metrics", partial(_metrics, sources)),
        Route("/healthz", partial(_healthz, sources)),
        Mount("/static", StaticFiles(packages=[("arena.web", "static")])),
    ]
    errors = {ArenaError: _named, HTTPException: _unnamed, Exception: _crashed}
    return guarded(Starlette(routes=routes, exception_handlers=errors))


def leaderboard_to_json(found: Leaderboard) -> Mapping[str, object]:
    """The boards as plain rows, overall first."""
    boards = {OVERALL: found.boards.get(OVERALL, ()), **found.boards}
    return {
        "boards": {
            board: [
                {
                    "bot": one.bot,
                    "version": one.version,
                    "elo": one.row.elo,
                    "low": one.row.low,
                    "high": one.row.high,
                    "games": one.row.games,
                    "forfeits": one.row.forfeits,
                }
                for one in rows
            ]
            for board, rows in boards.items()
        }
    }


async def _leaderboard(sources: Sources, _: Request) -> Response:
    return JSONResponse(leaderboard_to_json(await sources.leaderboard.value()))


async def _metrics(sources: Sources, request: Request) -> Response:
    text, kind = metrics.exposition(await metrics.scraped(sources), request.headers.get("Accept", ""))
    return Response(text, headers={"Content-Type": kind})


async def _healthz(sources: Sources, _: Request) -> Response:
    """Well while the database answers, which is all that pages need; raises Unavailable otherwise."""
    await sources.totals.value()
    redis = "up" if isinstance(await sources.presence.value(), Seen) else "down"
    return JSONResponse({"status": "ok", "database": "up", "redis": redis})


async def _named(request: Request, error: Exception) -> Response:
    match error:
        case NotFound():
            status = 404
        case BadInput():
            status = 400
        case Forbidden():
            status = 403
        case Conflict():
            status = 409
        case _:
            status = 503
    return _answer(request, status, str(error))


async def _unnamed(request: Request, error: Exception) -> Response:
    """What the router refuses: an address or a method that is not there."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    where = request.url.path[:60]
    text = f"There is no page {where}." if status == 404 else f"{where} cannot be asked for like this."
    return _answer(request, status, text)


async def _crashed(request: Request, _: Exception) -> Response:
    return _answer(request, 500, CRASHED)


def _answer(request: Request, status: int, text: str) -> Response:
    """An error for whoever asked: JSON for programs, a page for people."""
    if request.url.path.startswith(("/api/", "/healthz")):
        return JSONResponse({"error": text}, status)
    return pages.problem(status, text)
