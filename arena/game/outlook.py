"""What a position promises: the points that each seat may hope for, a judgement for bots that search.

Not a rule: weights and shape were fitted to the final points of strong play (docs/engine.md). Compiled with the types
in outlook.pxd; interpreted it says the same, slower.
"""

import hashlib
from itertools import chain

from arena.game import rules
from arena.game.rules import State
from arena.game.ruleset import PER_COLOUR

FUTURES = 36  # ways on that are averaged over
AHEAD = 10  # pieces of each

SOON = 4  # fewest pieces that are expected before the last stage
LATE = 3  # pieces that are expected in it, by who has more than one turn left
RACE = 1.13  # what a promised point is worth before the last stage
MOVING = 0.8  # what the best haul in reach is worth to the seat to act
WAITING = 0.3  # and to another
LAST = 0.9  # likewise, of the last haul of a game
LAST_WAITING = 0.7
HELD = 0.7  # what a piece in the satchel is worth before the last stage
PAIR = 0.9  # what a pair is worth: it opens the whole river


class Outlook:
    """Room to work out judgements in; each thread needs its own."""

    __slots__ = ("future", "high", "open_high", "open_place", "open_used", "place", "used")

    def __init__(self) -> None:
        self.future = bytearray(futures())
        self.high = bytearray(rules.COLUMNS)  # height of each column
        self.place = bytearray(rules.COLOURS)  # column of each colour
        self.used = 0  # columns that have a colour; they are the leftmost
        self.open_high = bytearray(rules.COLUMNS)  # the same before a future is played
        self.open_place = bytearray(rules.COLOURS)
        self.open_used = 0

    def hopes(self, state: State) -> tuple[float, ...]:
        """Points that each seat may hope for at the end; what it has once it has no turn left."""
        return tuple([hope(self, state, seat) for seat in range(state.players)])


def futures() -> bytes:
    """Colours that may come: three bags in an order of their own, cut up."""
    bag = list(chain.from_iterable([colour] * many for colour, many in enumerate(PER_COLOUR[:-1])))
    keys = [[hashlib.sha256(b"outlook" + bytes((turn, at))).digest() for at in range(len(bag))] for turn in range(3)]
    return bytes(bag[at] for key in keys for at in sorted(range(len(bag)), key=key.__getitem__))


def hope(o: Outlook, s: State, seat: int) -> float:
    """Points that a seat may hope for."""
    left = turns_left(s, seat)
    own = float(-rules.PENALTY * s.overflow_count[seat])
    enter(o, s, seat)
    if left == 0:
        return own + points(o, s)
    waits = seat != s.ply % s.players
    if s.trigger != rules.NOBODY and left == 1:
        return own + points(o, s) + (LAST_WAITING if waits else LAST) * lift(o, s, seat, 0)
    coming = LATE if s.trigger != rules.NOBODY else until_the_end(s)
    own += (1 if s.trigger != rules.NOBODY else RACE) * promise(o, s, coming)
    own += (WAITING if waits else MOVING) * lift(o, s, seat, coming)
    if s.trigger == rules.NOBODY:
        own += HELD * s.satchel_count[seat]
    return own + PAIR * has_pair(s, seat)


def turns_left(s: State, seat: int) -> int:
    """How many turns a seat has left; one, for all we know, before the last stage."""
    if s.trigger == rules.NOBODY:
        return 0 if s.over else 1
    wait = (seat + s.players - s.ply % s.players) % s.players
    return (s.end - s.ply - wait + s.players - 1) // s.players if s.ply + wait < s.end else 0


def until_the_end(s: State) -> int:
    """How many pieces a seat may still collect before the last stage is over, about two a turn."""
    most = 0
    for seat in range(s.players):
        most = max(most, s.placed[seat])
    return max(SOON, min(AHEAD, rules.TRIGGER + 1 - most))


def has_pair(s: State, seat: int) -> bool:
    """Whether two pieces in a satchel have the same shape."""
    seen = 0
    for index in range(seat * rules.GRASP, seat * rules.GRASP + s.satchel_count[seat]):
        shape = 1 << s.satchel[index] % rules.SHAPES
        if seen & shape:
            return True
        seen |= shape
    return False


def reach(s: State, seat: int) -> int:
    """The river indices that a seat can collect, as bits (§3.1, §3.2)."""
    if has_pair(s, seat):
        return (1 << rules.SHAPES) - 1
    found = 0
    for index in range(seat * rules.GRASP, seat * rules.GRASP + s.satchel_count[seat]):
        tile = 1 << s.spot[s.satchel[index] % rules.SHAPES]
        found |= tile << 1 | tile >> 1
    return found & ((1 << rules.SHAPES) - 1)


def lift(o: Outlook, s: State, seat: int, coming: int) -> float:
    """How much the best haul in reach adds to what so many more pieces promise; nothing is refused, so 0 at least."""
    tiles, best = reach(s, seat), 0.0
    if tiles == 0:
        return 0.0
    enter(o, s, seat)
    base = promise(o, s, coming)
    for tile in range(rules.SHAPES):
        if tiles >> tile & 1:
            enter(o, s, seat)
            spilt = haul(o, s, tile)
            best = max(best, promise(o, s, coming) - rules.PENALTY * spilt - base)
    return best


def enter(o: Outlook, s: State, seat: int) -> None:
    """Start from the glassworks of a seat."""
    o.open_used = 0
    for column in range(rules.COLUMNS):
        o.open_high[column] = s.height[seat * rules.COLUMNS + column]
        o.open_used += s.owner[seat * rules.COLUMNS + column] != rules.NOBODY
    for colour in range(rules.COLOURS):
        o.open_place[colour] = s.column[seat * rules.COLOURS + colour]
    restart(o)


def restart(o: Outlook) -> None:
    """Forget a future."""
    o.used = o.open_used
    for column in range(rules.COLUMNS):
        o.high[column] = o.open_high[column]
    for colour in range(rules.COLOURS):
        o.place[colour] = o.open_place[colour]


def haul(o: Outlook, s: State, tile: int) -> int:
    """Sort the pieces of a tile, rare colours first, and start from there; returns how many went to overflow."""
    spilt = 0
    for index in range(s.edge[rules.SHAPES - tile] - 1, s.edge[rules.SHAPES - 1 - tile] - 1, -1):
        spilt += lay(o, s.stock[index] // rules.SHAPES, s.rows)
    o.open_used = o.used
    for column in range(rules.COLUMNS):
        o.open_high[column] = o.high[column]
    for colour in range(rules.COLOURS):
        o.open_place[colour] = o.place[colour]
    return spilt


def lay(o: Outlook, colour: int, rows: int) -> int:
    """Sort one piece (§5.1-5.4); returns 1 if it went to overflow."""
    column = o.place[colour]
    if column == rules.NOBODY and o.used < rules.COLUMNS:
        column = o.used
        o.place[colour] = column
        o.used += 1
    if column == rules.NOBODY or o.high[column] == rows:
        return 1
    o.high[column] += 1
    return 0


def promise(o: Outlook, s: State, coming: int) -> float:
    """Points after so many more pieces, averaged over the futures."""
    if coming == 0:
        return float(points(o, s))
    total = 0
    for future in range(FUTURES):
        restart(o)
        for index in range(future * AHEAD, future * AHEAD + coming):
            total -= rules.PENALTY * lay(o, o.future[index], s.rows)
        total += points(o, s)
    restart(o)
    return float(total) / FUTURES  # compiled, whole numbers would be divided as such


def points(o: Outlook, s: State) -> int:
    """Points of rows and columns (§7.1, §7.2): a row reaches as far as the lowest column so far is higher than it."""
    total, low, first, second = 0, rules.ROWS, 0, 1
    for column in range(rules.COLUMNS):
        low = min(low, o.high[column])
        total += low * (s.row_score[column + 1] - s.row_score[column])
    if o.high[1] > o.high[0]:
        first, second = 1, 0
    for column in range(2, rules.COLUMNS):
        if o.high[column] > o.high[first]:
            first, second = column, first
        elif o.high[column] > o.high[second]:
            second = column
    return total + value(o, s, first) + value(o, s, second)


def value(o: Outlook, s: State, column: int) -> int:
    """The number on the topmost filled cell of a column (§7.2, §7.3)."""
    return s.column_score[(o.high[column] - 1) * rules.COLUMNS + column] if o.high[column] > 0 else 0
