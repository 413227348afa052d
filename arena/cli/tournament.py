"""`arena tournament`: plan, run, watch and steer."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from arena.cli.folders import made
from arena.cli.output import data, messages, print_json
from arena.cli.progress import bar
from arena.cli.remote import SERVER, CaOption, JsonOption, Line, ServerOption, TokenOption, calling
from arena.cli.standings import STATES, print_standings
from arena.contest import pairing
from arena.contest.clock import DEFAULT as CLOCK
from arena.errors import BadInput
from arena.game.ruleset import DEFAULT as RULES
from arena.v1 import leaderboard_pb2 as lb
from arena.v1 import tournaments_pb2 as pb
from arena.v1.leaderboard_pb2_grpc import GameServiceStub
from arena.v1.tournaments_pb2_grpc import TournamentServiceStub

LOOK = 0.5  # seconds between two looks at a running tournament
NameArgument = Annotated[str, typer.Argument(help="Name of the tournament.")]


def app() -> typer.Typer:
    """The tournament commands."""
    tree = typer.Typer(help="Run tournaments and look at them.", no_args_is_help=True)
    for name, command in (("run", run), ("show", show), ("list", list_all), ("export", export)):
        tree.command(name)(command)
    tree.command("pause")(pause)
    tree.command("cancel")(cancel)
    return tree


def run(
    name: NameArgument,
    bots: Annotated[list[str], typer.Argument(help="Bots by name, two or more.")],
    seats: Annotated[str, typer.Option(help="Seats per table, 2 to 5; several as 2,4.")] = "2",
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of the round robin.")] = 1,
    clock: Annotated[str, typer.Option(help="bank+increment/cap in seconds.")] = CLOCK,
    no_show: Annotated[float, typer.Option(help="Seconds to wait for a bot that is not connected.")] = 60.0,
    rules: Annotated[str, typer.Option(help="Rule set.")] = RULES,
    plan: Annotated[bool, typer.Option("--plan", help="Print the schedule and stop.")] = False,
    detach: Annotated[bool, typer.Option("--detach", help="Start it and come back at once.")] = False,
    server: ServerOption = SERVER,
    token: TokenOption = "",
    ca: CaOption = None,
    json: JsonOption = False,
) -> None:
    """Play a round robin: every pair meets equally often, every bot sits at every seat equally often.

    arena tournament run spring greedy planner search --rounds 10

    arena tournament run cup greedy planner search random mybot --seats 2,4 --clock 10+0.1/2

    Ctrl-C pauses it; the same command goes on where it stopped and plays no game twice.
    """
    sizes = table_sizes(seats)
    _print_plan(bots, sizes, rounds)
    if plan:
        return
    spec = pb.TournamentSpec(
        name=name, bots=bots, sizes=sizes, rounds=rounds, clock=clock, no_show=no_show, rules=rules
    )
    with calling(server, token, ca) as line:
        stub = TournamentServiceStub(line.channel)
        started = line.ask(stub.StartTournament, pb.StartTournamentRequest(spec=spec))
        messages().print(f"tournament {name} {'starts' if started.created else 'goes on'}")
        if not detach:
            _follow(line, name)
        print_standings(_looked(line, name), as_json=json)


def table_sizes(text: str) -> tuple[int, ...]:
    """Table sizes from `2,4`; raises BadInput."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise BadInput(f"no seats {text!r}; write 2, or several sizes as 2,4") from None


def _print_plan(bots: list[str], sizes: tuple[int, ...], rounds: int) -> None:
    schedule = pairing.round_robin(len(bots), sizes, rounds)
    out = messages()
    for row in pairing.balance(schedule, len(bots)):
        out.print(
            f"tables of {row.size}: {row.tables} matches, {row.games} games; "
            f"{_spread(row.played)} games per bot, {_spread(row.meetings)} matches per pair, "
            f"{_spread(row.seated)} games per bot and seat"
            + (f"; not quite even: {row.uneven.partition(': ')[2]}" if row.uneven else "")
        )


def _spread(spread: pairing.Spread) -> str:
    return str(spread.least) if spread.least == spread.most else f"{spread.least}-{spread.most}"


def _follow(line: Line, name: str) -> None:
    """Show progress until the tournament is over; Ctrl-C pauses it."""
    told: list[int] = []
    with _ctrl_c(told), bar("games") as show_bar:
        while True:
            began = time.monotonic()
            found = _looked(line, name)
            waits = f"waiting for {', '.join(found.tournament.absent)}" if found.tournament.absent else ""
            show_bar(found.tournament.games_finished, found.tournament.games, _leaders(found, waits))
            if found.tournament.state != pb.TOURNAMENT_STATE_RUNNING:
                return
            if told:
                _set_state(line, name, pb.TOURNAMENT_STATE_PAUSED)
                messages().print("paused; the same command goes on")
                return
            time.sleep(max(LOOK, 4 * (time.monotonic() - began)))


def _leaders(found: pb.GetTournamentResponse, waits: str) -> str:
    return waits or "  ".join(f"{row.bot} {row.share:.0%}" for row in found.standings[:3])


@contextmanager
def _ctrl_c(told: list[int]) -> Iterator[None]:
    before = signal.signal(signal.SIGINT, lambda number, _: told.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _looked(line: Line, name: str) -> pb.GetTournamentResponse:
    return line.ask(TournamentServiceStub(line.channel).GetTournament, pb.GetTournamentRequest(name=name))


def _set_state(line: Line, name: str, state: pb.TournamentState.ValueType) -> None:
    question = pb.SetTournamentStateRequest(name=name, state=state)
    line.ask(TournamentServiceStub(line.channel).SetTournamentState, question)


def show(
    name: NameArgument,
    server: ServerOption = SERVER,
    token: TokenOption = "",
    ca: CaOption = None,
    json: JsonOption = False,
) -> None:
    """Print the standings of a tournament.

    arena tournament show spring

    arena tournament show spring --json
    """
    with calling(server, token, ca) as line:
        print_standings(_looked(line, name), as_json=json)


def list_all(
    server: ServerOption = SERVER, token: TokenOption = "", ca: CaOption = None, json: JsonOption = False
) -> None:
    """List all tournaments, newest first.

    arena tournament list

    arena tournament list --json
    """
    with calling(server, token, ca) as line:
        found = line.ask(TournamentServiceStub(line.channel).ListTournaments, pb.ListTournamentsRequest())
    rows = [(one.spec.name, STATES[one.state], one.games_finished, one.games) for one in found.tournaments]
    if json:
        print_json([dict(zip(("name", "state", "games_finished", "games"), row, strict=True)) for row in rows])
        return
    table = Table("tournament", "state", "games")
    for name, state, done, games in rows:
        table.add_row(name, state, f"{done} of {games}")
    data().print(table if rows else "no tournaments yet; start one with: arena tournament run NAME BOT BOT")


def export(
    name: NameArgument,
    out: Annotated[Path, typer.Option(help="Folder for the files.")] = Path("games"),
    server: ServerOption = SERVER,
    token: TokenOption = "",
    ca: CaOption = None,
) -> None:
    """Write every finished game of a tournament as an .rvg file.

    arena tournament export spring

    arena tournament export spring --out spring-games && arena verify spring-games
    """
    made(out)
    count = 0
    with calling(server, token, ca) as line:
        request = lb.ExportGamesRequest(tournament=name)
        for game in GameServiceStub(line.channel).ExportGames(request, metadata=line.metadata):
            (out / Path(game.name).name).write_text(game.notation, encoding="utf-8")
            count += 1
    data().print(f"{count} games in {out}; check them with: arena verify {out}")


def pause(name: NameArgument, server: ServerOption = SERVER, token: TokenOption = "", ca: CaOption = None) -> None:
    """Hand out no more matches; `arena tournament run` with the same words goes on.

    arena tournament pause spring

    arena tournament pause spring --server arena.example.org:7460
    """
    with calling(server, token, ca) as line:
        _set_state(line, name, pb.TOURNAMENT_STATE_PAUSED)
    data().print(f"tournament {name} is paused")


def cancel(name: NameArgument, server: ServerOption = SERVER, token: TokenOption = "", ca: CaOption = None) -> None:
    """End a tournament for good; games that were played stay.

    arena tournament cancel spring

    arena tournament cancel spring --server arena.example.org:7460
    """
    with calling(server, token, ca) as line:
        _set_state(line, name, pb.TOURNAMENT_STATE_CANCELLED)
    data().print(f"tournament {name} is cancelled")
