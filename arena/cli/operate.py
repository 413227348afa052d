"""`arena operate`: what operators do, each deed put on record with who did it and why."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.markup import escape

from arena.cli.output import data, messages, print_json
from arena.cli.oversight import looked, show
from arena.cli.progress import bar
from arena.cli.remote import SERVER, CaOption, JsonOption, Line, ServerOption, TokenOption, calling
from arena.errors import BadInput
from arena.v1 import operator_pb2 as pb
from arena.v1.operator_pb2_grpc import OperatorServiceStub

LOOK = 0.5  # seconds between two looks while matches end
NoteOption = Annotated[str, typer.Option("--note", help="Why; goes into the audit.")]
DryOption = Annotated[bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")]


@dataclass(frozen=True, slots=True)
class Kind:
    """A deed as a command: what it is about, and its help with examples."""

    deed: pb.Deed.ValueType
    about: str
    help: str


DEEDS: Mapping[str, Kind] = {
    "void": Kind(
        pb.DEED_VOID,
        "MATCH[/GAME]",
        """Let a game, or all games of a match, count no more; they are not played again.

        arena operate void cup-0007/1 --note "the bag was announced"

        arena operate void cup-0007 --dry-run
        """,
    ),
    "rerun": Kind(
        pb.DEED_RERUN,
        "MATCH",
        """Void a match and play it again as a new one, cup-0007-r1; a finished tournament runs again for it.

        arena operate rerun cup-0007 --note "power cut in the lab"

        arena operate rerun cup-0007 --dry-run
        """,
    ),
    "release": Kind(
        pb.DEED_RELEASE,
        "MATCH",
        """Hand out a match again that was parked because it ended its workers.

        arena operate release cup-0007 --note "worker fixed"

        arena operate release cup-0007 --dry-run
        """,
    ),
    "resolve": Kind(
        pb.DEED_RESOLVE,
        "MATCH/GAME",
        """Settle the alarms about a game: it counts again as it is on record. Void it instead if that is wrong.

        arena operate resolve cup-0007/1 --note "checked by hand"

        arena operate resolve cup-0007/1 --dry-run
        """,
    ),
    "ban": Kind(
        pb.DEED_BAN,
        "BOT",
        """Send a bot away; it forfeits what it is playing, and its results stay.

        arena operate ban spammer --note "floods the gateway"

        arena operate ban spammer --dry-run
        """,
    ),
    "pardon": Kind(
        pb.DEED_PARDON,
        "BOT",
        """Let a banned bot in again.

        arena operate pardon spammer --note "its loop is fixed"

        arena operate pardon spammer --dry-run
        """,
    ),
}


ON_ALL: Mapping[str, Kind] = {
    "pause": Kind(
        pb.DEED_PAUSE,
        "",
        """Begin no match anywhere; those in play go on.

        arena operate pause --note "database upgrade at noon"

        arena operate pause --dry-run
        """,
    ),
    "resume": Kind(
        pb.DEED_RESUME,
        "",
        """End a pause.

        arena operate resume

        arena operate resume --note "upgrade done"
        """,
    ),
}


def app() -> typer.Typer:
    """The operator commands."""
    tree = typer.Typer(help="Void, play again, ban, pause, drain; each is put on record.", no_args_is_help=True)
    tree.command("show")(show)
    for name, kind in DEEDS.items():
        tree.command(name, help=kind.help)(_command(kind))
    for name, kind in ON_ALL.items():
        tree.command(name, help=kind.help)(_command_on_all(kind))
    tree.command("drain")(drain)
    return tree


def _command(kind: Kind) -> Callable[..., None]:
    """The command that does one kind of deed."""

    def command(
        subject: Annotated[str, typer.Argument(metavar=kind.about, help="As cup-0007, cup-0007/1, or a bot's name.")],
        note: NoteOption = "",
        dry_run: DryOption = False,
        server: ServerOption = SERVER,
        token: TokenOption = "",
        ca: CaOption = None,
        json: JsonOption = False,
    ) -> None:
        order = _about(subject)
        order.MergeFrom(pb.ActRequest(deed=kind.deed, note=note, rehearse=dry_run))
        with calling(server, token, ca) as line:
            _print_effects(_done(line, order), dry_run=dry_run, as_json=json)

    return command


def _command_on_all(kind: Kind) -> Callable[..., None]:
    """The command that does one kind of deed to the whole arena."""

    def command(
        note: NoteOption = "",
        dry_run: DryOption = False,
        server: ServerOption = SERVER,
        token: TokenOption = "",
        ca: CaOption = None,
        json: JsonOption = False,
    ) -> None:
        order = pb.ActRequest(deed=kind.deed, note=note, rehearse=dry_run)
        with calling(server, token, ca) as line:
            _print_effects(_done(line, order), dry_run=dry_run, as_json=json)

    return command


def drain(note: NoteOption = "", server: ServerOption = SERVER, token: TokenOption = "", ca: CaOption = None) -> None:
    """Pause, and wait until nothing is in play. Ctrl-C ends the waiting only: the arena stays paused.

    arena operate drain --note "machine goes down"

    arena operate drain && arena operate resume
    """
    with calling(server, token, ca) as line:
        _done(line, pb.ActRequest(deed=pb.DEED_DRAIN, note=note))
        _await_quiet(line)
    data().print("paused, and nothing is in play; go on with: arena operate resume")


def _about(subject: str) -> pb.ActRequest:
    """A match, a game as MATCH/GAME, or a bot; raises BadInput."""
    name, slash, game = subject.partition("/")
    if not slash:
        return pb.ActRequest(subject=name)
    if not game.isdecimal() or len(game) > 1:
        raise BadInput(f"no game {subject!r}; write it as cup-0007/1, counted from 0")
    return pb.ActRequest(subject=name, game=int(game))


def _done(line: Line, order: pb.ActRequest) -> Sequence[str]:
    return line.ask(OperatorServiceStub(line.channel).Act, order).effects


def _await_quiet(line: Line) -> None:
    """Wait until no match is in play."""
    most = left = looked(line).matches_running
    try:
        with bar("matches ended") as show_bar:
            while left:
                show_bar(most - left, most, "")
                time.sleep(LOOK)
                left = looked(line).matches_running
                most = max(most, left)
            show_bar(most, most, "")
    except KeyboardInterrupt:
        messages().print(f"not waiting any more, {left} matches are in play; the arena stays paused")
        raise SystemExit(130) from None


def _print_effects(effects: Sequence[str], *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        print_json({"dry_run": dry_run, "effects": list(effects)})
        return
    for effect in effects:
        data().print(escape(effect))
    if dry_run:
        messages().print("nothing was changed: --dry-run")
