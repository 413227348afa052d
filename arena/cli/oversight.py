"""`arena operate show`: the pause, what waits for an operator, and what operators did."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from rich.markup import escape
from rich.table import Table

from arena.cli.output import data, print_json
from arena.cli.remote import SERVER, CaOption, JsonOption, Line, ServerOption, TokenOption, calling
from arena.v1 import operator_pb2 as pb
from arena.v1.operator_pb2_grpc import OperatorServiceStub


def show(
    server: ServerOption = SERVER, token: TokenOption = "", ca: CaOption = None, json: JsonOption = False
) -> None:
    """Print what waits for an operator, and what operators did.

    arena operate show

    arena operate show --json
    """
    with calling(server, token, ca) as line:
        found = looked(line)
    if json:
        print_json(_sight_to_json(found))
        return
    brake = f"paused by {found.brake.actor} since {_when(found.brake.at)}"
    because = f": {escape(found.brake.note)}" if found.brake.note else ""
    state = brake + because if found.HasField("brake") else "not paused"
    data().print(f"{state}; matches in play: {found.matches_running}")
    parked = [(one.match, _when(one.at), one.cause) for one in found.parked]
    _print_rows("parked matches", ("match", "since", "cause"), parked)
    alarms = [(f"{one.match}/{one.game}", _when(one.at), one.detail) for one in found.alarms]
    _print_rows("open alarms", ("game", "since", "what is wrong"), alarms)
    audit = [(_when(one.at), one.actor, _named(one.deed), one.subject, one.note) for one in found.audit]
    _print_rows("audit", ("at", "who", "did", "to", "because"), audit)


def looked(line: Line) -> pb.GetOversightResponse:
    """What an operator looks at, as the arena has it now."""
    return line.ask(OperatorServiceStub(line.channel).GetOversight, pb.GetOversightRequest())


def _print_rows(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if not rows:
        data().print(f"{title}: none")
        return
    table = Table(*columns, title=title, title_justify="left")
    for row in rows:
        table.add_row(*map(escape, row))
    data().print(table)


def _sight_to_json(found: pb.GetOversightResponse) -> Mapping[str, object]:
    brake = {"by": found.brake.actor, "note": found.brake.note, "at": found.brake.at}
    return {
        "paused": brake if found.HasField("brake") else None,
        "matches_running": found.matches_running,
        "parked": [{"match": one.match, "at": one.at, "cause": one.cause} for one in found.parked],
        "alarms": [
            {"match": one.match, "game": one.game, "at": one.at, "detail": one.detail} for one in found.alarms
        ],
        "audit": [
            {"at": one.at, "by": one.actor, "deed": _named(one.deed), "subject": one.subject, "note": one.note}
            for one in found.audit
        ],
    }


def _named(deed: pb.Deed.ValueType) -> str:
    return pb.Deed.Name(deed).removeprefix("DEED_").lower()


def _when(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().isoformat(sep=" ", timespec="seconds")
