"""`arena leaderboard`: ratings with error bars."""

import time
from typing import Annotated

import typer
from rich.console import Group
from rich.live import Live
from rich.table import Table

from arena.cli.output import data, print_json
from arena.cli.remote import SERVER, CaOption, JsonOption, Line, ServerOption, TokenOption, calling
from arena.v1 import leaderboard_pb2 as pb
from arena.v1.leaderboard_pb2_grpc import LeaderboardServiceStub

LOOK = 2.0  # seconds between two looks with --watch
TITLES = {"overall": "overall: the mean over table sizes"}


def command(
    tournament: Annotated[str, typer.Option(help="Only the games of this tournament.")] = "",
    watch: Annotated[bool, typer.Option("--watch", help="Keep it up to date until Ctrl-C.")] = False,
    server: ServerOption = SERVER,
    token: TokenOption = "",
    ca: CaOption = None,
    json: JsonOption = False,
) -> None:
    """Print the Elo boards, one per table size and their mean, with 95 % intervals.

    arena leaderboard

    arena leaderboard --tournament spring --watch
    """
    with calling(server, token, ca) as line:
        if watch:
            return _watch(line, tournament)
        found = _looked(line, tournament)
    if json:
        print_json(as_json(found))
    else:
        data().print(boards(found))
    return None


def _looked(line: Line, tournament: str) -> pb.GetLeaderboardResponse:
    question = pb.GetLeaderboardRequest(tournament=tournament)
    return line.ask(LeaderboardServiceStub(line.channel).GetLeaderboard, question)


def _watch(line: Line, tournament: str) -> None:
    with Live(boards(_looked(line, tournament)), console=data(), auto_refresh=False) as live:
        try:
            while True:
                time.sleep(LOOK)
                live.update(boards(_looked(line, tournament)), refresh=True)
        except KeyboardInterrupt:
            return


def boards(found: pb.GetLeaderboardResponse) -> Group | str:
    """All boards as tables, overall first."""
    if not any(board.rows for board in found.boards.values()):
        return "no rated games yet; start some with: arena tournament run NAME BOT BOT"
    names = sorted(found.boards, key=lambda name: (name != "overall", name))
    return Group(*(_board(name, found.boards[name]) for name in names if found.boards[name].rows))


def _board(name: str, board: pb.Board) -> Table:
    table = Table(title=TITLES.get(name, f"tables of {name}"), title_justify="left")
    for column in ("", "bot", "Elo", "95 %", "above next", "games", "forfeits"):
        table.add_column(column, justify="left" if column == "bot" else "right")
    for place, row in enumerate(board.rows, 1):
        span = "anchor" if row.low == row.high else f"{row.low:.0f} to {row.high:.0f}"
        ahead = f"{min(row.ahead, 0.9999):.2%}" if row.HasField("ahead") else ""
        name = f"{row.bot}@{row.version}"
        table.add_row(str(place), name, f"{row.elo:.0f}", span, ahead, str(row.games), str(row.forfeits))
    return table


def as_json(found: pb.GetLeaderboardResponse) -> dict[str, object]:
    """The boards as plain rows."""
    rows = {
        name: [
            {
                "bot": row.bot,
                "version": row.version,
                "elo": row.elo,
                "low": row.low,
                "high": row.high,
                "games": row.games,
                "forfeits": row.forfeits,
                "ahead": row.ahead if row.HasField("ahead") else None,
            }
            for row in found.boards[name].rows
        ]
        for name in sorted(found.boards, key=lambda name: (name != "overall", name))
    }
    return {"boards": rows, "ledger": found.ledger}
