"""An .rvg text read back into a record, with the line of everything that may have to be named."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from arena.contest.notation import FORMAT, SIDES
from arena.contest.record import Head, Record, Score
from arena.contest.referee import Forfeit, Move, Reason
from arena.errors import BadInput
from arena.game.actions import Action, Lake, Pass, River
from arena.game.deal import NONCE
from arena.game.pieces import colour_of, kind_of

TAG = re.compile(r'\[([A-Z][A-Za-z]*[0-4]?) "([^"]*)"\]')
SECONDS = r"([0-9]{1,7}\.[0-9]{3}) s"
MOVE = re.compile(rf"(\d{{1,4}}) s([0-4]) ([^{{}}]+?)(?: (auto)|(?: \{{(?:{SECONDS}, {SECONDS} left|[^{{}}]*)\}})?)")
FORFEIT = re.compile(r"forfeit (\d{1,4}) s([0-4]) ([A-Z]+) (early|late)(?: \{([^{}]*)\})?")
RESULT = re.compile(r"result s([0-4]) (-?\d{1,4}) ([1-5])")
RIVER = re.compile(r"river ((?:\S+ ){1,2})@([0-5]) (left|right)(?: order (.+))?")
LAKE = re.compile(r"lake (.+?)(?: give (.+))?")
SINGLE = ("Glassworks", "Event", "Date", "Rules", "Match", "Game", "Clock", "Deals", "Commitment", "Secret")
LONGEST = 1 << 18  # characters; a long game has 20,000


class Flaw(BadInput):
    """A record is damaged or untrue; `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason[:300]
        super().__init__(f"line {line}: {self.reason}")


@dataclass(slots=True)
class Reading:
    """A record as it is being read: tags, actions and results with the lines they stand on."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    forfeits: list[Forfeit] = field(default_factory=list)
    scores: list[Score] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    last: int = 0

    def line(self, thing: str) -> int:
        """The line of a tag (`Seat0`), an action (`ply 12`), a forfeit (`forfeit 1`) or a result (`result 0`)."""
        return self.lines.get(thing, self.last)


def read(text: str) -> tuple[Record, Reading]:
    """The record in a text without its seal, and where each part stands; raises Flaw."""
    reading = Reading()
    for number, line in enumerate(lines_of(text), 1):
        reading.last = number
        if line and not line.startswith("seal "):
            _read_line(reading, number, line)
    return _record(reading), reading


def lines_of(text: str) -> list[str]:
    """The lines of a text that is not too long to be a game; raises Flaw."""
    if len(text) > LONGEST:
        raise Flaw(1, f"this file is longer than {LONGEST} characters; no game is")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise Flaw(1, "this file is not UTF-8")
    return text.split("\n")


def _read_line(reading: Reading, number: int, line: str) -> None:
    readers: tuple[tuple[re.Pattern[str], Callable[[Reading, int, re.Match[str]], None]], ...] = (
        (TAG, _tag),
        (MOVE, _move),
        (FORFEIT, _forfeit),
        (RESULT, _result),
    )
    for form, reader in readers:
        if found := form.fullmatch(line):
            return reader(reading, number, found)
    raise Flaw(number, f"cannot be read: {line[:60]!r}")


def _tag(reading: Reading, number: int, found: re.Match[str]) -> None:
    if found[1] in reading.tags:
        raise Flaw(number, f"second tag {found[1]}")
    reading.tags[found[1]] = found[2]
    reading.lines[found[1]] = number


def _move(reading: Reading, number: int, found: re.Match[str]) -> None:
    ply, seat = int(found[1]), int(found[2])
    if ply != len(reading.moves):
        raise Flaw(number, f"ply {len(reading.moves)} must come here, not {ply}")
    try:
        action = action_of(found[3])
    except BadInput as error:
        raise Flaw(number, str(error)) from None
    took, left = float(found[5] or 0), float(found[6] or 0)
    reading.moves.append(Move(ply, seat, action, auto=found[4] is not None, took=took, left=left))
    reading.lines[f"ply {ply}"] = number


def _forfeit(reading: Reading, number: int, found: re.Match[str]) -> None:
    if found[3] not in Reason.__members__:
        raise Flaw(number, f"no reason {found[3]}; the reasons are {', '.join(Reason)}")
    fault = Forfeit(int(found[1]), int(found[2]), Reason(found[3]), found[4] == "early", found[5] or "")
    reading.forfeits.append(fault)
    reading.lines[f"forfeit {fault.seat}"] = number


def _result(reading: Reading, number: int, found: re.Match[str]) -> None:
    if int(found[1]) != len(reading.scores):
        raise Flaw(number, f"the result of s{len(reading.scores)} must come here")
    reading.lines[f"result {len(reading.scores)}"] = number
    reading.scores.append(Score(int(found[2]), int(found[3])))


def action_of(text: str) -> Action:
    """The action that `action_text` wrote; raises BadInput."""
    if text == "pass":
        return Pass()
    if found := RIVER.fullmatch(text):
        side = next(step for step, word in SIDES.items() if word == found[3])
        order = tuple(colour_of(code) for code in found[4].split(" ")) if found[4] else ()
        return River(_kinds(found[1].strip()), int(found[2]), side, order)
    if found := LAKE.fullmatch(text):
        return Lake(_kinds(found[1]), _kinds(found[2]) if found[2] else ())
    raise BadInput(f"no action {text!r}; write river PIECES @TILE left|right, lake PIECES give PIECES, or pass")


def _kinds(text: str) -> tuple[int, ...]:
    return tuple(kind_of(code) for code in text.split(" "))


def _record(reading: Reading) -> Record:
    missing = [name for name in (*SINGLE, "Seat0", "Seat1") if name not in reading.tags]
    if missing:
        raise Flaw(1, f"not a whole game: the tag {missing[0]} is missing")
    if reading.tags["Glassworks"] != FORMAT:
        raise Flaw(reading.line("Glassworks"), f"format {reading.tags['Glassworks']!r}; this version reads {FORMAT}")
    seats = tuple(_numbered(reading, "Seat"))
    if len(reading.scores) != len(seats):
        raise Flaw(reading.last, f"{len(seats)} seats but {len(reading.scores)} results")
    return Record(_head(reading, seats), tuple(reading.moves), tuple(reading.forfeits), tuple(reading.scores))


def _head(reading: Reading, seats: Sequence[str]) -> Head:
    tags = reading.tags
    if not tags["Game"].isdecimal() or len(tags["Game"]) > 4:
        raise Flaw(reading.line("Game"), f"no game index {tags['Game']!r}")
    return Head(
        event=tags["Event"],
        date=tags["Date"],
        rules=tags["Rules"],
        match=tags["Match"],
        game=int(tags["Game"]),
        clock=tags["Clock"],
        seats=tuple(seats),
        commitment=tags["Commitment"],
        nonces=tuple(_hex(reading, f"Nonce{seat}") if f"Nonce{seat}" in tags else None for seat in range(len(seats))),
        secret=_hex(reading, "Secret"),
        deals=tags["Deals"],
    )


def _numbered(reading: Reading, name: str) -> Iterator[str]:
    seat = 0
    while f"{name}{seat}" in reading.tags:
        yield reading.tags[f"{name}{seat}"]
        seat += 1


def _hex(reading: Reading, tag: str) -> bytes:
    try:
        value = bytes.fromhex(reading.tags[tag])
    except ValueError:
        raise Flaw(reading.line(tag), f"{tag} is not hexadecimal") from None
    if len(value) != NONCE:
        raise Flaw(reading.line(tag), f"{tag} must be {NONCE} bytes")
    return value
