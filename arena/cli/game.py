"""`arena game`: one game looked at closely."""

import re
from typing import Annotated

import typer
from rich.table import Table

from arena.cli.output import data, print_json
from arena.cli.remote import SERVER, CaOption, JsonOption, ServerOption, TokenOption, calling
from arena.errors import BadInput
from arena.v1 import leaderboard_pb2 as pb
from arena.v1.leaderboard_pb2_grpc import GameServiceStub

# as bots are told it (match/index/attempt), as people write it (match/index), or a file of `arena tournament export`
NAMES = re.compile(
    r"(?P<match>[^/]{1,100})/(?P<index>[0-4])(?:/[0-9]{1,9})?|(?P<of>.{1,100})-(?P<at>[0-4])(?:\.rvg)?"
)
MICROSECONDS = 1e6


def app() -> typer.Typer:
    """The game commands."""
    tree = typer.Typer(help="Look at one game.", no_args_is_help=True)
    tree.callback()(_group)
    tree.command("time")(time)
    return tree


def _group() -> None:
    """Look at one game."""


def time(
    game: Annotated[str, typer.Argument(help="MATCH/GAME, as bots see it, or the name of an exported file.")],
    seat: Annotated[int | None, typer.Option(min=0, max=4, help="Only the questions to this seat.")] = None,
    server: ServerOption = SERVER,
    token: TokenOption = "",
    ca: CaOption = None,
    json: JsonOption = False,
) -> None:
    """Why did I lose on time? Prints where the time of each question went, and what was charged for it.

    arena game time spring-0007/1

    arena game time spring-0007-1.rvg --seat 0

    All times are measured by the arena, in seconds; charged = wire - platform - network.
    """
    match, index = game_key(game)
    with calling(server, token, ca) as line:
        found = line.ask(GameServiceStub(line.channel).GetGameTime, pb.GetGameTimeRequest(match=match, index=index))
    questions = [one for one in found.questions if seat in (None, one.seat)]
    if json:
        print_json(_as_json(found, questions))
        return
    data().print(_table(f"{match}/{index}, clock {found.clock}", found, questions))
    for fault in found.forfeits:
        why = f": {fault.detail}" if fault.detail else ""
        data().print(
            f"{found.seats[fault.seat]} (seat {fault.seat}) forfeited at ply {fault.ply}, {fault.reason}{why}"
        )


def game_key(text: str) -> tuple[str, int]:
    """Match and index of a game from one of its names; raises BadInput."""
    form = NAMES.fullmatch(text)
    if form is None:
        raise BadInput(f"no game {text[:80]!r}; write MATCH/GAME, as spring-0007/1")
    return form["match"] or form["of"], int(form["index"] or form["at"])


def _table(title: str, found: pb.GetGameTimeResponse, questions: list[pb.Question]) -> Table:
    table = Table(title=title)
    for column in ("ply", "seat", "bot", "wire", "platform", "network", "charged", "left"):
        table.add_column(column, justify="left" if column == "bot" else "right")
    for one in questions:
        times = (one.wire_us, one.platform_us, one.network_us, one.charged_us, one.left_us)
        shown = (f"{time / MICROSECONDS:.3f}" for time in times)
        table.add_row(str(one.ply), str(one.seat), found.seats[one.seat], *shown)
    return table


def _as_json(found: pb.GetGameTimeResponse, questions: list[pb.Question]) -> dict[str, object]:
    return {
        "clock": found.clock,
        "seats": list(found.seats),
        "questions": [
            {
                "ply": one.ply,
                "seat": one.seat,
                "sent": one.sent_us / MICROSECONDS,
                "wire": one.wire_us / MICROSECONDS,
                "platform": one.platform_us / MICROSECONDS,
                "network": one.network_us / MICROSECONDS,
                "charged": one.charged_us / MICROSECONDS,
                "left": one.left_us / MICROSECONDS,
            }
            for one in questions
        ],
        "forfeits": [
            {"ply": one.ply, "seat": one.seat, "reason": one.reason, "detail": one.detail} for one in found.forfeits
        ],
    }
