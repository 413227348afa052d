"""The rules of River Valley Glassworks, stated once: docs/rules.md as code, § numbers cite it.

CPython runs this file as it is; compiled with the types in rules.pxd it is the native engine (docs/adr/0005). Hence
flat fixed arrays of bytes, whole numbers, plain loops. A State is changed in place only by the functions here;
callers treat it as a value and change a `clone`.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Protocol

from arena.errors import BadInput, IllegalAction
from arena.game.snapshot import Snapshot

try:
    import cython
except ImportError:  # interpreted where Cython is not installed: there is no lock that could be let go
    cython = SimpleNamespace(nogil=nullcontext())


SEATS = 5
COLOURS = 9
SHAPES = 6
KINDS = 54
COLUMNS = 7
ROWS = 9  # most cells in a column that a rule set may ask for
LAKE = 5
TAKE = 4  # §4.1
SATCHEL = 5  # §1: most pieces in a satchel after an action
GRASP = 9  # most pieces in a satchel inside a lake action
START = 3  # §2.5, §6.2
TRIGGER = 17  # §6.1
PENALTY = 3  # §7.4
PIECES = 132
NOBODY = 255  # no colour, no column, no seat
SPILT = 64  # marks a kind that went to overflow
CHOICES = 115  # most decisions at a time: ten single pieces, ten pairs ten ways, five lakes
WORD = 0xFFFFFFFF
LONGEST = 0x7FFF  # plies of a position that may be brought in, so that a game from there can end within a short
BUILT_FROM = ""  # digest of the source this was compiled from

# Decisions: the small steps that a turn is made of, for search and learning, as ids of one fixed space.
SINGLE = 0  # + 2 x place in the satchel, + 1 to collect on the right
DOUBLE = 10  # + 10 x pair of places in the satchel (01 02 03 04 12 13 14 23 24 34), + way
WAYS = 10  # tile and side: 0 right, 1 left, 1 right, ... 5 left
LEAVE = 110  # + place in the lake of the piece that stays there; 0 if the lake is taken whole
PASS = 115
COLOUR = 116  # + the new colour that opens the next column
GIVE = 125  # + place in the satchel of the piece to give up
DECISIONS = 134
TURN, ORDERING, GIVING = 0, 1, 2  # phases: what is to be decided

# Observations: what a seat sees as numbers of one byte each, for learning; docs/learning.md has the table.
OF_RIVER = 10
OF_TILE = 11
OF_LAKE = 76
OF_SEATS = 86
OF_SEAT = 35
OF_BAG = 261
OBSERVATION = 270
NIL = 64  # what no points look like: points may be negative
GAMES = 1 << 20  # most games at the same time


class Seen(Protocol):
    """A view, which knows how to make a position of itself."""

    def guessed(self, number: int) -> "State":
        """A position that the view allows."""


class Tables:
    """The numbers of a rule set as flat arrays."""

    __slots__ = ("column_score", "refills", "row_score", "rows", "stones")

    def __init__(self, rows: int, refills: bool, stones: bytes, row_score: bytes, column_score: bytes) -> None:
        if not 1 <= rows <= ROWS or (len(stones), len(row_score)) != (SHAPES, COLUMNS + 1):
            raise BadInput(f"tables of {rows} rows, {len(stones)} stones and {len(row_score)} row scores fit no game")
        if len(column_score) != rows * COLUMNS or max(stones) > PIECES:
            raise BadInput(f"tables with {len(column_score)} column scores for {rows} rows fit no game")
        self.rows = rows
        self.refills = refills
        self.stones = bytes(stones)
        self.row_score = bytes(row_score)
        self.column_score = bytes(column_score)  # height - 1 by column


class State:
    """The whole truth of one game, hidden bag included; it never leaves the referee."""

    __slots__ = (
        "back", "bag", "column", "column_score", "dice_a", "dice_b", "dice_c", "dice_n", "edge", "end", "front",
        "guessed", "height", "lake", "lake_count", "least", "listed", "option", "over", "overflow_count", "owed",
        "owner", "passes", "phase", "placed", "players", "ply", "refills", "river", "row_score", "rows", "satchel",
        "satchel_count", "spot", "stock", "stones", "taken", "taken_count", "taker", "target", "trigger",
    )  # fmt: skip

    def __init__(self, tables: Tables, players: int) -> None:
        if not 2 <= players <= SEATS:
            raise BadInput(f"a table has 2 to {SEATS} seats, not {players}")
        self.rows = tables.rows
        self.refills = tables.refills
        self.stones = bytearray(tables.stones)
        self.row_score = bytearray(tables.row_score)
        self.column_score = bytearray(tables.column_score.ljust(ROWS * COLUMNS, b"\0"))
        self.players = players
        self.ply = 0
        self.trigger = NOBODY  # seat that reached 17 pieces first
        self.end = 0  # ply at which the game is over, once triggered
        self.passes = 0  # forced passes in this round
        self.over = False
        self.front = 0  # next piece drawn from the front of the bag
        self.back = 0  # one past the next piece drawn from the back
        self.bag = bytearray(PIECES)
        self.river = bytearray(range(SHAPES))  # shape of the tile at each index
        self.spot = bytearray(range(SHAPES))  # index of the tile of each shape
        self.stock = bytearray(PIECES)  # pieces on tiles, tile by tile from the lake to the start, sorted on each
        self.edge = bytearray(SHAPES + 1)  # where in it the tile at index 5, 4, ... 0 begins, and where all end
        self.lake = bytearray(LAKE)  # sorted
        self.lake_count = 0
        self.satchel = bytearray(SEATS * GRASP)  # sorted
        self.satchel_count = bytearray(SEATS)
        self.owner = bytearray(b"\xff" * (SEATS * COLUMNS))  # colour of each column
        self.column = bytearray(b"\xff" * (SEATS * COLOURS))  # column of each colour
        self.height = bytearray(SEATS * COLUMNS)
        self.placed = bytearray(SEATS)  # pieces in the glassworks
        self.overflow_count = bytearray(SEATS)
        self.taken = bytearray(PIECES)  # what went into glassworks and, with SPILT added, overflow, in order
        self.taker = bytearray(PIECES)  # whose it is
        self.taken_count = 0
        self.phase = TURN
        self.target = 0  # river index to collect, while colours are ordered
        self.owed = 0  # pieces still to give up
        self.least = 0  # first place in the satchel that may be given up next
        self.guessed = False  # whether the bag has no order: then each piece is drawn by the dice
        self.dice_a = self.dice_b = self.dice_c = self.dice_n = 0  # the words of the generator
        self.option = bytearray(CHOICES)  # room for what `options` finds
        self.listed = 0  # how many it has found in this position; 0 before it has looked

    @staticmethod
    def from_view(view: "Seen", number: int) -> "State":
        """A position that a view allows, for search: what is hidden is drawn by dice that start from 64 bits."""
        return view.guessed(number)

    def clone(self) -> "State":
        """An independent copy; it meets the same luck until it is given another number."""
        return clone(self)

    def emptied(self) -> "State":
        """A copy with nothing left in the bag: what follows from a turn without any luck."""
        return emptied(self)

    def reseed(self, number: int) -> None:
        """Another guess of what is hidden: forgets the order of the bag and starts the dice from 64 bits."""
        reseed(self, number)

    @property
    def tables(self) -> Tables:
        """The numbers it is played by."""
        return numbers(self)

    @property
    def seat(self) -> int:
        """The seat to act."""
        return mover(self)

    def legal(self) -> bytes:
        """The decisions that may be taken now, ascending; empty when the game is over."""
        return decisions(self)

    def pick(self) -> int:
        """One of these decisions at random, by the dice of the state; raises IllegalAction when the game is over."""
        return pick(self)

    def step(self, decision: int) -> None:
        """Take a decision; raises IllegalAction before anything has changed."""
        step(self, decision)

    def playout(self) -> None:
        """Play on to the end with uniformly random decisions; other threads run meanwhile."""
        playout(self)

    def score(self, seat: int) -> int:
        """Points of a seat as if the game ended now (§7); raises BadInput for a seat that is not there."""
        return score(self, seat)

    def array(self, name: str) -> bytes:
        """A copy of an array by its name, or of what is worked out of a state: cell, overflow."""
        return array(self, name)


def clone(s: State) -> State:
    """An independent copy, with the same dice."""
    t = State.__new__(State)
    become(t, s)
    return t


def emptied(s: State) -> State:
    """A copy with nothing left in the bag."""
    t = clone(s)
    t.front = t.back
    return t


def become(t: State, s: State) -> None:
    """Make one state equal to another; the one place where arrays are copied."""
    t.rows, t.refills, t.players, t.ply, t.trigger = s.rows, s.refills, s.players, s.ply, s.trigger
    t.end, t.passes, t.over, t.front, t.back = s.end, s.passes, s.over, s.front, s.back
    t.phase, t.target, t.owed, t.least, t.lake_count = s.phase, s.target, s.owed, s.least, s.lake_count
    t.guessed, t.dice_a, t.dice_b, t.dice_c, t.dice_n = s.guessed, s.dice_a, s.dice_b, s.dice_c, s.dice_n
    t.bag, t.river, t.spot, t.stock, t.edge = s.bag[:], s.river[:], s.spot[:], s.stock[:], s.edge[:]
    t.lake, t.satchel, t.satchel_count = s.lake[:], s.satchel[:], s.satchel_count[:]
    t.owner, t.column, t.height, t.placed = s.owner[:], s.column[:], s.height[:], s.placed[:]
    t.overflow_count, t.taken, t.taker, t.taken_count = s.overflow_count[:], s.taken[:], s.taker[:], s.taken_count
    t.stones, t.row_score, t.column_score = s.stones[:], s.row_score[:], s.column_score[:]
    t.option, t.listed = s.option[:], s.listed


# What can be read from outside; arena/game/restore.py checks what is brought in.


def snapshot(s: State) -> Snapshot:
    """All fields but the dice."""
    return Snapshot(
        s.players, s.ply, s.trigger, s.end, s.passes, s.over, s.front, s.back, s.lake_count, s.phase, s.target,
        s.owed, s.least, s.guessed, array(s, "bag"), array(s, "river"), array(s, "stock"), array(s, "edge"),
        array(s, "lake"), array(s, "satchel"), array(s, "satchel_count"), array(s, "owner"), array(s, "column"),
        array(s, "height"), array(s, "cell"), array(s, "placed"), array(s, "overflow"), array(s, "overflow_count"),
    )  # fmt: skip


def array(s: State, name: str) -> bytes:
    """A copy of an array by name."""
    if name == "height":
        return bytes(s.height[0 : SEATS * COLUMNS])
    if name == "owner":
        return bytes(s.owner[0 : SEATS * COLUMNS])
    if name == "river":
        return bytes(s.river[0:SHAPES])
    if name == "stock":
        return bytes(s.stock[0 : s.edge[SHAPES]]).ljust(PIECES, b"\0")
    if name == "edge":
        return bytes(s.edge[0 : SHAPES + 1])
    if name == "satchel":
        return bytes(s.satchel[0 : SEATS * GRASP])
    if name == "satchel_count":
        return bytes(s.satchel_count[0:SEATS])
    if name == "placed":
        return bytes(s.placed[0:SEATS])
    if name == "overflow_count":
        return bytes(s.overflow_count[0:SEATS])
    if name == "lake":
        return bytes(s.lake[0:LAKE])
    if name == "column":
        return bytes(s.column[0 : SEATS * COLOURS])
    if name == "cell":
        return cells(s)
    if name == "overflow":
        return overflow(s)
    if name == "bag":
        return bytes(s.bag[0:PIECES])
    raise AttributeError(f"a state has no field {name!r}")


def cells(s: State) -> bytes:
    """Kinds in the cells of all columns, bottom first, `rows` to a column, seat by seat (§5.7)."""
    found, tops = bytearray(SEATS * COLUMNS * ROWS), bytearray(SEATS * COLUMNS)
    for index in range(s.taken_count):
        seat, kind = s.taker[index], s.taken[index]
        if kind < SPILT:
            place = seat * COLUMNS + s.column[seat * COLOURS + kind // SHAPES]
            found[place * s.rows + tops[place]] = kind
            tops[place] += 1
    return bytes(found)


def overflow(s: State) -> bytes:
    """How many pieces of each kind the seats have in overflow (§5.7)."""
    found = bytearray(SEATS * KINDS)
    for index in range(s.taken_count):
        if s.taken[index] >= SPILT:
            found[s.taker[index] * KINDS + s.taken[index] - SPILT] += 1
    return bytes(found)


def on_tile(s: State, tile: int) -> bytes:
    """Sorted kinds on the tile at a river index; raises BadInput for an index that is not there."""
    if not 0 <= tile < SHAPES:
        raise BadInput(f"there is no tile {tile}")
    return bytes(s.stock[s.edge[SHAPES - 1 - tile] : s.edge[SHAPES - tile]])


def numbers(s: State) -> Tables:
    """The numbers a state is played by."""
    scores = bytes(s.column_score[0 : s.rows * COLUMNS])
    return Tables(s.rows, s.refills, bytes(s.stones[0:SHAPES]), bytes(s.row_score[0 : COLUMNS + 1]), scores)


def assign(s: State, given: Snapshot) -> None:
    """Take over all fields but the dice, unchecked: `restore` is the way in."""
    s.players, s.ply, s.trigger, s.end = given.players, given.ply, given.trigger, given.end
    s.passes, s.over, s.front, s.back = given.passes, given.over, given.front, given.back
    s.lake_count, s.phase, s.target = given.lake_count, given.phase, given.target
    s.owed, s.least, s.guessed, s.listed = given.owed, given.least, given.guessed, 0
    s.bag, s.stock, s.edge = bytearray(given.bag), bytearray(given.stock), bytearray(given.edge)
    for index in range(SHAPES):
        lay_tile(s, given.river[index], index)
    s.lake = bytearray(given.lake)
    s.satchel, s.satchel_count = bytearray(given.satchel), bytearray(given.satchel_count)
    s.owner, s.column = bytearray(given.owner), bytearray(given.column)
    s.height, s.placed, s.overflow_count = bytearray(given.height), bytearray(given.placed), bytearray(SEATS)
    s.taken_count = 0
    for place in range(SEATS * COLUMNS):
        for cell in range(place * s.rows, place * s.rows + given.height[place]):
            note(s, place // COLUMNS, given.cell[cell])
    for index in range(SEATS * KINDS):
        for _ in range(given.overflow[index]):
            put_in_overflow(s, index // KINDS, index % KINDS)


# Set-up (§2)


def dealt(tables: Tables, players: int, bag: Sequence[int], tiles: Sequence[int]) -> State:
    """The position before the first turn; `bag` is the kinds in bag order, `tiles` the shapes in river order."""
    s = filled(tables, players, bag)
    if sorted(tiles) != list(range(SHAPES)):
        raise BadInput(f"tiles are the shapes 0 to {SHAPES - 1} in some order, not {list(tiles)}")
    for index in range(SHAPES):
        lay_tile(s, tiles[index], index)
    set_up(s)
    return s


def filled(tables: Tables, players: int, bag: Sequence[int]) -> State:
    """An empty table beside a full bag (§2.1)."""
    least = SHAPES * 2 + LAKE + players * START
    if not least <= len(bag) <= PIECES or min(bag) < 0 or max(bag) >= KINDS:
        raise BadInput(f"a bag holds {least} to {PIECES} kinds below {KINDS}")
    s = State(tables, players)
    for index in range(len(bag)):
        s.bag[index] = bag[index]
    s.back = len(bag)
    return s


def set_up(s: State) -> None:
    """Lay out what a game starts with."""
    for index in range(SHAPES):  # §2.3
        fill_tile(s, index, s.stones[s.river[index]])
    for _ in range(LAKE):  # §2.4
        put_in_lake(s, draw_front(s))
    for seat in range(s.players):  # §2.5
        fill_satchel(s, seat)


def mover(s: State) -> int:
    """The seat to act: clockwise from seat 0 (§2.6)."""
    return s.ply % s.players


# The three actions (§3, §4, §8.5). Each checks first and changes nothing if it refuses.


def river(s: State, pieces: Sequence[int], tile: int, side: int, order: Sequence[int]) -> None:
    """Place one or two pieces on a tile, collect its neighbour and sort the haul; raises IllegalAction."""
    check_river(s, pieces, tile, side)
    colours = colour_order(s, tile + side, order)
    for kind in pieces:
        place(s, kind, tile)
    for colour in colours:  # §5.5
        open_column(s, mover(s), colour)
    finish_river(s, tile + side)


def draw_lake(s: State, take: Sequence[int], discards: Sequence[int]) -> None:
    """Take lake pieces into the satchel and give up what is too much; raises IllegalAction."""
    check_lake(s, take, discards)
    for kind in take:
        grasp(s, kind)
    for kind in discards:
        give_up(s, kind)
    finish_lake(s)


def forced_pass(s: State) -> None:
    """The pass of a player who cannot act; raises IllegalAction for one who can (§3, §8.5)."""
    check_turn(s)
    if not must_pass(s):
        raise IllegalAction("there is no voluntary pass (§3)")
    finish_pass(s)


# Their parts


def place(s: State, kind: int, tile: int) -> None:
    """Put a piece of the mover onto the tile at a river index (§3.1)."""
    drop_from_satchel(s, mover(s), kind)
    put_on_tile(s, tile, kind)


def finish_river(s: State, target: int) -> None:
    """Collect the tile at a river index, and all that follows from it (§3.2-3.6)."""
    seat = mover(s)
    collect(s, seat, target)
    flow(s, target)
    if s.trigger == NOBODY or s.refills:  # §6.5
        fill_tile(s, 0, s.stones[s.river[1]])  # §3.5
    if s.trigger == NOBODY and s.placed[seat] >= TRIGGER:  # §3.6, §6.1
        start_last_stage(s, seat)
    end_turn(s)


def grasp(s: State, kind: int) -> None:
    """Take a lake piece into the satchel of the mover (§4.1)."""
    drop_from_lake(s, kind)
    put_in_satchel(s, mover(s), kind)


def give_up(s: State, kind: int) -> None:
    """Move a satchel piece, old or new, to the overflow of the mover (§4.2)."""
    drop_from_satchel(s, mover(s), kind)
    put_in_overflow(s, mover(s), kind)


def finish_lake(s: State) -> None:
    """Refill the lake and end the turn (§4.4, §8.2)."""
    while s.lake_count < LAKE and s.front < s.back:
        put_in_lake(s, draw_back(s))
    end_turn(s)


def finish_pass(s: State) -> None:
    """Count a forced pass and end the turn (§8.5)."""
    s.passes += 1
    end_turn(s)


def must_pass(s: State) -> bool:
    """Whether the mover cannot act: nothing in the satchel, and the lake closed or empty (§8.5)."""
    return s.satchel_count[mover(s)] == 0 and not lake_is_open(s)


def lake_is_open(s: State) -> bool:
    """Whether the lake offers an action (§6.3, §8.2)."""
    return s.trigger == NOBODY and s.lake_count > 0


def lake_take(s: State) -> int:
    """How many pieces a lake action takes (§4.1, §8.2)."""
    return min(TAKE, s.lake_count)


def discard_count(s: State) -> int:
    """How many pieces a lake action has to give up (§4.2)."""
    return max(0, s.satchel_count[mover(s)] + lake_take(s) - SATCHEL)


def end_turn(s: State) -> None:
    """Pass the turn on and end the game where §6.4 or §8.6 says so."""
    s.ply += 1
    s.listed = 0
    if s.trigger != NOBODY:
        s.over = s.ply == s.end
    elif s.ply % s.players == 0:
        s.over = s.passes == s.players
    if s.ply % s.players == 0:
        s.passes = 0


def start_last_stage(s: State, seat: int) -> None:
    """Close the lake, set the last turn and fill the satchels, triggering seat first (§6.2-6.4)."""
    s.trigger = seat
    s.end = (s.ply // s.players + 2) * s.players
    for step in range(s.players):
        fill_satchel(s, (seat + step) % s.players)


# Legality


def check_turn(s: State) -> None:
    """Raise IllegalAction unless a turn can begin."""
    if s.over or s.phase != TURN:
        raise IllegalAction("the game is over" if s.over else "a turn is under way: decide it to its end")


def check_river(s: State, pieces: Sequence[int], tile: int, side: int) -> None:
    """Raise IllegalAction unless the placement is legal (§3.1, §3.2)."""
    check_turn(s)
    if not 1 <= len(pieces) <= 2:
        raise IllegalAction(f"place one or two pieces, not {len(pieces)} (§3.1)")
    if not 0 <= tile < SHAPES or side not in (-1, 1) or not 0 <= tile + side < SHAPES:
        raise IllegalAction(f"tile {tile} has no neighbour at {side:+d} (§3.2)")
    if not holds(in_satchel(s, mover(s)), pieces):
        raise IllegalAction("the satchel does not hold these pieces (§3.1)")
    if len(pieces) == 2 and pieces[0] % SHAPES != pieces[1] % SHAPES:
        raise IllegalAction("two pieces must have the same shape (§3.1)")
    if len(pieces) == 1 and pieces[0] % SHAPES != s.river[tile]:
        raise IllegalAction("one piece goes onto the tile that shows its shape (§3.1)")


def check_lake(s: State, take: Sequence[int], discards: Sequence[int]) -> None:
    """Raise IllegalAction unless the lake action is legal (§4.1-4.3, §6.3)."""
    check_turn(s)
    if not lake_is_open(s):
        raise IllegalAction("the lake is closed or empty (§6.3, §8.2)")
    if len(take) != lake_take(s):
        raise IllegalAction(f"take exactly {lake_take(s)} lake pieces, not {len(take)} (§4.1)")
    if not holds(bytes(s.lake[0 : s.lake_count]), take):
        raise IllegalAction("the lake does not hold these pieces (§4.1)")
    if len(discards) != discard_count(s):
        raise IllegalAction(f"give up exactly {discard_count(s)} pieces, not {len(discards)} (§4.2)")
    if not holds([*in_satchel(s, mover(s)), *take], discards):
        raise IllegalAction("the satchel does not hold the pieces to give up (§4.2)")


def holds(held: Sequence[int], kinds: Sequence[int]) -> bool:
    """Whether all `kinds`, repeats counted, are among the pieces held."""
    have, want = list(held), list(kinds)
    return all(have.count(kind) >= want.count(kind) for kind in want)


def in_satchel(s: State, seat: int) -> bytes:
    """Sorted kinds in the satchel of a seat."""
    check_seat(s, seat)
    return bytes(s.satchel[seat * GRASP : seat * GRASP + s.satchel_count[seat]])


def check_seat(s: State, seat: int) -> None:
    """Raise BadInput for a seat that is not at the table."""
    if not 0 <= seat < s.players:
        raise BadInput(f"there is no seat {seat} at a table of {s.players}")


def colour_order(s: State, tile: int, order: Sequence[int]) -> list[int]:
    """The canonical colour order of a haul (§5.6); raises IllegalAction where `order` leaves the outcome open.

    Colours that are not new in this haul change nothing, so a bot may give its order of preference for all of them.
    """
    new = new_colours(s, tile)
    room = min(len(new), free_columns(s))
    if len(new) < 2 or room == 0:
        return []
    named: list[int] = []
    for colour in order:
        if colour in new and colour not in named:
            named.append(colour)
    if len(named) == len(new) - 1:
        named += [colour for colour in new if colour not in named]
    if len(named) < room:
        raise IllegalAction(f"{len(new)} new colours compete for {free_columns(s)} columns: give their order (§5.5)")
    return named[:room]


def new_colours(s: State, tile: int) -> list[int]:
    """Colours at river index `tile` that the mover has no column for, ascending (§5.5)."""
    if not 0 <= tile < SHAPES:
        raise BadInput(f"there is no tile {tile}")
    columns = mover(s) * COLOURS
    found = {kind // SHAPES for kind in on_tile(s, tile)}
    return [colour for colour in range(COLOURS) if colour in found and s.column[columns + colour] == NOBODY]


def free_columns(s: State) -> int:
    """Columns of the mover that no colour owns yet."""
    base = mover(s) * COLUMNS
    free = 0
    for index in range(COLUMNS):
        free += s.owner[base + index] == NOBODY
    return free


# Sorting (§5)


def collect(s: State, seat: int, tile: int) -> None:
    """Sort all pieces of the tile at a river index into the seat's glassworks (§3.2, §3.3)."""
    slot = SHAPES - 1 - tile
    first, after, last = s.edge[slot], s.edge[slot + 1], s.edge[SHAPES]
    for index in range(first, after):
        sort_piece(s, seat, s.stock[index])
    for index in range(after, last):
        s.stock[index - after + first] = s.stock[index]
    for later in range(SHAPES):
        s.edge[later + 1] -= (after - first) * (later >= slot)


def sort_piece(s: State, seat: int, kind: int) -> None:
    """Put one piece onto its column, or into overflow (§5.1-5.4)."""
    colour = kind // SHAPES
    if s.column[seat * COLOURS + colour] == NOBODY:
        open_column(s, seat, colour)  # §5.3
    column = s.column[seat * COLOURS + colour]
    if column == NOBODY or s.height[seat * COLUMNS + column] == s.rows:  # §5.4, §5.2
        put_in_overflow(s, seat, kind)
        return
    note(s, seat, kind)
    s.height[seat * COLUMNS + column] += 1  # §5.1
    s.placed[seat] += 1


def note(s: State, seat: int, kind: int) -> None:
    """Remember what a seat has taken (§5.7)."""
    s.taken[s.taken_count] = kind
    s.taker[s.taken_count] = seat
    s.taken_count += 1


def open_column(s: State, seat: int, colour: int) -> None:
    """Give the leftmost free column to a colour, if there is one (§5.3)."""
    for column in range(COLUMNS):
        if s.owner[seat * COLUMNS + column] == NOBODY:
            s.owner[seat * COLUMNS + column] = colour
            s.column[seat * COLOURS + colour] = column
            return


# Flow and refill (§3.4, §3.5)


def flow(s: State, tile: int) -> None:
    """Move the emptied tile to index 0 and the tiles left of it one step towards the lake (§3.4)."""
    shape = s.river[tile]
    for index in range(tile, 0, -1):
        lay_tile(s, s.river[index - 1], index)
        s.edge[SHAPES - index] = s.edge[SHAPES + 1 - index]
    lay_tile(s, shape, 0)


def lay_tile(s: State, shape: int, index: int) -> None:
    """Let the tile of a shape lie at a river index."""
    s.river[index] = shape
    s.spot[shape] = index


def fill_tile(s: State, tile: int, pieces: int) -> None:
    """Put pieces from the front of the bag onto a tile, as many as there are (§3.5, §8.1)."""
    for _ in range(pieces):
        if s.front < s.back:
            put_on_tile(s, tile, draw_front(s))


def fill_satchel(s: State, seat: int) -> None:
    """Fill a satchel up to three from the front of the bag (§2.5, §6.2, §8.3)."""
    while s.satchel_count[seat] < START and s.front < s.back:
        put_in_satchel(s, seat, draw_front(s))


def draw_front(s: State) -> int:
    """The next kind from the front of the bag (§2.7)."""
    if s.guessed:
        swap(s, s.front)
    s.front += 1
    return s.bag[s.front - 1]


def draw_back(s: State) -> int:
    """The next kind from the back of the bag (§2.7)."""
    if s.guessed:
        swap(s, s.back - 1)
    s.back -= 1
    return s.bag[s.back]


def swap(s: State, index: int) -> None:
    """Let any piece that is left in the bag lie at this place in it."""
    other = s.front + below(s, s.back - s.front)
    kind = s.bag[index]
    s.bag[index] = s.bag[other]
    s.bag[other] = kind


# Shelves: every group of loose pieces is kept sorted, so that equal positions are equal bytes.


def put_on_tile(s: State, tile: int, kind: int) -> None:
    """Add a piece to the tile at a river index."""
    slot, index = SHAPES - 1 - tile, s.edge[SHAPES]
    while index > s.edge[slot + 1]:
        s.stock[index] = s.stock[index - 1]
        index -= 1
    while index > s.edge[slot] and s.stock[index - 1] > kind:
        s.stock[index] = s.stock[index - 1]
        index -= 1
    s.stock[index] = kind
    for later in range(SHAPES):
        s.edge[later + 1] += later >= slot


def put_in_lake(s: State, kind: int) -> None:
    """Add a piece to the lake."""
    insert(s.lake, 0, s.lake_count, kind)
    s.lake_count += 1


def drop_from_lake(s: State, kind: int) -> None:
    """Take a piece out of the lake."""
    remove(s.lake, 0, s.lake_count, kind)
    s.lake_count -= 1


def put_in_satchel(s: State, seat: int, kind: int) -> None:
    """Add a piece to a satchel."""
    insert(s.satchel, seat * GRASP, s.satchel_count[seat], kind)
    s.satchel_count[seat] += 1


def drop_from_satchel(s: State, seat: int, kind: int) -> None:
    """Take a piece out of a satchel."""
    remove(s.satchel, seat * GRASP, s.satchel_count[seat], kind)
    s.satchel_count[seat] -= 1


def put_in_overflow(s: State, seat: int, kind: int) -> None:
    """Add a piece to a seat's overflow."""
    note(s, seat, SPILT + kind)
    s.overflow_count[seat] += 1


def insert(shelf: bytearray, base: int, count: int, kind: int) -> None:
    """Insert into the sorted `count` bytes from `base`."""
    index = base + count
    while index > base and shelf[index - 1] > kind:
        shelf[index] = shelf[index - 1]
        index -= 1
    shelf[index] = kind


def remove(shelf: bytearray, base: int, count: int, kind: int) -> None:
    """Remove one `kind` from the sorted `count` bytes from `base`; it must be there."""
    index = base
    while shelf[index] != kind:
        index += 1
    for later in range(index, base + count - 1):
        shelf[later] = shelf[later + 1]
    shelf[base + count - 1] = 0


# Scoring (§7)


def score(s: State, seat: int) -> int:
    """Points of a seat; may be negative (§7); raises BadInput for a seat that is not there."""
    check_seat(s, seat)
    return points(s, seat)


def parts(s: State, seat: int) -> tuple[int, int, int]:
    """Points of a seat for rows and columns, and what the overflow costs; raises BadInput likewise."""
    check_seat(s, seat)
    return row_points(s, seat), column_points(s, seat), PENALTY * s.overflow_count[seat]


def points(s: State, seat: int) -> int:
    """Points of a seat (§7)."""
    return row_points(s, seat) + column_points(s, seat) - PENALTY * s.overflow_count[seat]


def row_points(s: State, seat: int) -> int:
    """Points of all rows: unbroken filled cells from the leftmost column (§7.1)."""
    points = 0
    for row in range(s.rows):
        length = 0
        while length < COLUMNS and s.height[seat * COLUMNS + length] > row:
            length += 1
        points += s.row_score[length]
    return points


def column_points(s: State, seat: int) -> int:
    """Points of the two tallest columns, leftmost first at equal height (§7.2)."""
    first = tallest(s, seat, COLUMNS)
    second = tallest(s, seat, first)
    return column_value(s, seat, first) + column_value(s, seat, second)


def tallest(s: State, seat: int, without: int) -> int:
    """The leftmost tallest column but `without`."""
    best = 0 if without != 0 else 1
    for column in range(COLUMNS):
        if column != without and s.height[seat * COLUMNS + column] > s.height[seat * COLUMNS + best]:
            best = column
    return best


def column_value(s: State, seat: int, column: int) -> int:
    """The number on the topmost filled cell of a column, 0 for an empty one (§7.2, §7.3)."""
    height = s.height[seat * COLUMNS + column]
    return s.column_score[(height - 1) * COLUMNS + column] if height > 0 else 0


# Decisions: `options` lists them, `decide` takes one; a turn ends with its last one.


def step(s: State, decision: int) -> None:
    """Take a decision; raises IllegalAction before anything has changed."""
    chosen = decision
    if is_listed(s, chosen) and (isinstance(decision, int) or chosen == decision):  # compiled, it has no fraction
        decide(s, chosen)
        return
    raise IllegalAction(f"{decision} is no decision here: {list(decisions(s)) if not s.over else 'the game is over'}")


def is_listed(s: State, decision: int) -> bool:
    """Whether a decision may be taken now."""
    found = False
    for index in range(options(s)):
        found |= s.option[index] == decision
    return found


def decisions(s: State) -> bytes:
    """All decisions that may be taken now, ascending; empty when the game is over."""
    count = options(s)
    return b"" + s.option[0:count]


def options(s: State) -> int:
    """Put the decisions that may be taken now into `option`, ascending, and count them."""
    if s.listed == 0 and not s.over:
        if s.phase == ORDERING:
            s.listed = colour_options(s)
        elif s.phase == GIVING:
            s.listed = give_options(s)
        else:
            s.listed = lake_options(s, double_options(s, single_options(s)))
            if s.listed == 0:  # which is where §8.5 has a pass
                s.option[0] = PASS
                s.listed = 1
    return s.listed


def single_options(s: State) -> int:
    """One piece onto the tile of its shape, the tile on the left or right collected (§3.1, §3.2)."""
    seat, count = mover(s), 0
    base = seat * GRASP
    for slot in range(s.satchel_count[seat]):
        if slot == 0 or s.satchel[base + slot] != s.satchel[base + slot - 1]:
            tile = s.spot[s.satchel[base + slot] % SHAPES]
            if tile > 0:
                s.option[count] = SINGLE + 2 * slot
                count += 1
            if tile < SHAPES - 1:
                s.option[count] = SINGLE + 2 * slot + 1
                count += 1
    return count


def double_options(s: State, count: int) -> int:
    """Two pieces of one shape onto any tile; equal pieces stand for each other (§3.1)."""
    seat = mover(s)
    base, held = seat * GRASP, s.satchel_count[seat]
    for one in range(held - 1):
        for two in range(one + 1, held):
            if s.satchel[base + one] % SHAPES == s.satchel[base + two] % SHAPES:
                first = one == 0 or s.satchel[base + one] != s.satchel[base + one - 1]
                second = two == one + 1 or s.satchel[base + two] != s.satchel[base + two - 1]
                if first and second:
                    pair = one * (2 * SATCHEL - 3 - one) // 2 + two - 1
                    for way in range(WAYS):
                        s.option[count] = DOUBLE + WAYS * pair + way
                        count += 1
    return count


def lake_options(s: State, count: int) -> int:
    """Which lake piece stays, if one does (§4.1, §8.2)."""
    if not lake_is_open(s):
        return count
    for index in range(s.lake_count if s.lake_count > TAKE else 1):
        if index == 0 or s.lake[index] != s.lake[index - 1]:
            s.option[count] = LEAVE + index
            count += 1
    return count


def colour_options(s: State) -> int:
    """New colours of the haul that have no column yet (§5.5)."""
    columns, before, count = mover(s) * COLOURS, NOBODY, 0
    for index in range(s.edge[SHAPES - 1 - s.target], s.edge[SHAPES - s.target]):
        colour = s.stock[index] // SHAPES
        if colour != before and s.column[columns + colour] == NOBODY:
            s.option[count] = COLOUR + colour
            count += 1
        before = colour
    return count


def give_options(s: State) -> int:
    """Satchel pieces to give up, from the left to the right, so that each choice has one spelling (§4.2)."""
    base, count = mover(s) * GRASP, 0
    for slot in range(s.least, s.satchel_count[mover(s)] - s.owed + 1):
        if slot == s.least or s.satchel[base + slot] != s.satchel[base + slot - 1]:
            s.option[count] = GIVE + slot
            count += 1
    return count


def decide(s: State, decision: int) -> None:
    """Take a decision that is among the options."""
    s.listed = 0
    base = mover(s) * GRASP
    if decision < DOUBLE:
        kind = s.satchel[base + decision // 2]
        tile = s.spot[kind % SHAPES]
        place(s, kind, tile)
        aim(s, tile + 2 * (decision % 2) - 1)
    elif decision < LEAVE:
        pair, way = (decision - DOUBLE) // WAYS, (decision - DOUBLE) % WAYS
        one = 0
        while pair >= SATCHEL - 1 - one:
            pair -= SATCHEL - 1 - one
            one += 1
        tile = (way + 1) // 2
        other = s.satchel[base + one + 1 + pair]
        place(s, s.satchel[base + one], tile)
        place(s, other, tile)
        aim(s, tile + 1 - 2 * (way % 2))
    elif decision < PASS:
        take_all_but(s, decision - LEAVE)
    elif decision == PASS:
        finish_pass(s)
    elif decision < GIVE:
        open_column(s, mover(s), decision - COLOUR)
        aim(s, s.target)
    else:
        give(s, decision - GIVE)


def aim(s: State, target: int) -> None:
    """Collect a tile, or have the next of its new colours chosen first (§5.5)."""
    s.target = target
    s.phase = ORDERING
    last = mover(s) * COLUMNS + COLUMNS - 1  # the column that is free last (§5.3)
    if s.owner[last] != NOBODY or colour_options(s) < 2:
        s.phase, s.target = TURN, 0
        finish_river(s, target)


def take_all_but(s: State, stays: int) -> None:
    """Take the lake but for the piece at one place, or all of a short lake (§4.1, §8.2)."""
    s.owed = discard_count(s)
    whole = s.lake_count <= TAKE
    for index in range(s.lake_count - 1, -1, -1):
        if whole or index != stays:
            grasp(s, s.lake[index])
    s.phase, s.least = GIVING, 0
    if s.owed == 0:
        s.phase = TURN
        finish_lake(s)


def give(s: State, slot: int) -> None:
    """Give up the satchel piece at one place; the last one ends the turn (§4.2)."""
    give_up(s, s.satchel[mover(s) * GRASP + slot])
    s.owed -= 1
    s.least = slot
    if s.owed == 0:
        s.phase, s.least = TURN, 0
        finish_lake(s)


# Dice: sfc32 (Doty-Humphrey), for guessed bags and random play; the bag of a real game has its order from the deal.


def seed(s: State, high: int, low: int) -> None:
    """Start the dice from two words."""
    s.dice_a, s.dice_b, s.dice_c, s.dice_n = low & WORD, high & WORD, 0, 1
    for _ in range(12):
        roll(s)


def roll(s: State) -> int:
    """The next word."""
    word = (s.dice_a + s.dice_b + s.dice_n) & WORD
    s.dice_n = (s.dice_n + 1) & WORD
    s.dice_a = s.dice_b ^ (s.dice_b >> 9)
    s.dice_b = (s.dice_c + (s.dice_c << 3)) & WORD
    s.dice_c = (((s.dice_c << 21) | (s.dice_c >> 11)) + word) & WORD
    return word


def below(s: State, count: int) -> int:
    """A number from 0 to count - 1."""
    word = roll(s)  # of 64 bits, or the product is cut
    return (word * count) >> 32


def reseed(s: State, number: int) -> None:
    """Forget the order of the bag and start the dice from a number of 64 bits: another guess of what is hidden."""
    s.guessed = True
    seed(s, (number >> 32) & WORD, number & WORD)


def pick(s: State) -> int:
    """A decision that may be taken now, each as likely; raises IllegalAction when there is none."""
    if s.over:
        raise IllegalAction("the game is over")
    return s.option[below(s, options(s))]


def playout(s: State) -> None:
    """Play on to the end with uniformly random decisions."""
    with cython.nogil:
        run(s)


def run(s: State) -> None:
    """Uniformly random decisions until the game is over."""
    while not s.over:
        decide(s, s.option[below(s, options(s))])


def random_games(tables: Tables, players: int, bag: Sequence[int], number: int, games: int) -> int:
    """A checksum over so many whole random games; the dice of each are `number` and its index."""
    fresh = filled(tables, players, bag)
    fresh.guessed = True
    s = clone(fresh)
    with cython.nogil:
        total = play_games(s, fresh, number, games)
    return total  # noqa: RET504 - returning takes the lock


def start(s: State, fresh: State, number: int, game: int) -> None:
    """Begin a random game from a full bag; its dice are made of two words."""
    become(s, fresh)
    seed(s, number, game)
    for index in range(SHAPES - 1, 0, -1):  # §2.2
        other = below(s, index + 1)
        shape = s.river[index]
        lay_tile(s, s.river[other], index)
        lay_tile(s, shape, other)
    set_up(s)


def play_games(s: State, fresh: State, number: int, games: int) -> int:
    """Random games from a full bag one after the other."""
    total = 0
    for game in range(games):
        start(s, fresh, number, game)
        run(s)
        for seat in range(s.players):
            total = (total * 31 + points(s, seat) + 1000) & WORD
    return total


# Many games at the same time, for learning


class Batch:
    """So many games with random luck, each as likely as any other; one that ends starts again."""

    __slots__ = ("fresh", "games", "mask", "number", "observation", "seats", "started")

    def __init__(self, tables: Tables, players: int, bag: Sequence[int], number: int, games: int) -> None:
        if not 1 <= games <= GAMES:
            raise BadInput(f"a batch has 1 to {GAMES} games, not {games}")
        self.fresh = filled(tables, players, bag)
        self.fresh.guessed = True
        self.number = number
        self.started = 0
        self.games = [clone(self.fresh) for _ in range(games)]
        self.observation = bytearray(games * OBSERVATION)
        self.mask = bytearray(games * DECISIONS)
        self.seats = bytearray(games)
        for index in range(games):
            begin(self, self.games[index])
            show(self, index)

    def step(self, decisions: bytes) -> list[tuple[int, tuple[int, ...]]]:
        """Take one decision in each game; raises IllegalAction before anything has changed.

        Returns the index and the points by seat of each game that has ended; a new one stands in its place.
        """
        return take(self, decisions)

    def pick(self) -> bytes:
        """A random decision for each game, by the dice of the games."""
        return picks(self)

    def state(self, index: int) -> State:
        """A copy of one of the games; raises BadInput for one that is not there."""
        if not 0 <= index < len(self.games):
            raise BadInput(f"there is no game {index} in a batch of {len(self.games)}")
        return clone(self.games[index])


def take(b: Batch, decisions: bytes) -> list[tuple[int, tuple[int, ...]]]:
    """Take one decision in each game; raises IllegalAction before anything has changed."""
    count = len(b.games)
    if len(decisions) != count:
        raise IllegalAction(f"{len(decisions)} decisions for {count} games")
    if (len(b.seats), len(b.mask), len(b.observation)) != (count, count * DECISIONS, count * OBSERVATION):
        raise BadInput("the arrays of this batch have been cut; they are for reading")
    for index in range(count):
        s = b.games[index]
        if not is_listed(s, decisions[index]):
            raise IllegalAction(f"game {index}: {decisions[index]} is no decision here: {list(s.legal())}")
    ended = []
    for index in range(count):
        s = b.games[index]
        decide(s, decisions[index])
        if s.over:
            ended.append((index, tuple([points(s, seat) for seat in range(s.players)])))
            begin(b, s)
        show(b, index)
    return ended


def picks(b: Batch) -> bytes:
    """A random decision for each game."""
    found = bytearray(len(b.games))
    for index in range(len(b.games)):
        s = b.games[index]
        found[index] = s.option[below(s, options(s))]
    return bytes(found)


def begin(b: Batch, s: State) -> None:
    """Start the next game of a batch."""
    start(s, b.fresh, b.number, b.started)
    b.started += 1


def show(b: Batch, index: int) -> None:
    """Write down what is to be seen of a game."""
    s = b.games[index]
    b.seats[index] = mover(s)
    mark(s, b.mask, index * DECISIONS)
    observe(s, mover(s), b.observation, index * OBSERVATION)


def observed(s: State, seat: int) -> bytes:
    """The observation of a seat; raises BadInput for one that is not there."""
    check_seat(s, seat)
    found = bytearray(OBSERVATION)
    observe(s, seat, found, 0)
    return bytes(found)


def mark(s: State, into: bytearray, base: int) -> None:
    """Write the mask of the decisions that may be taken now."""
    for index in range(base, base + DECISIONS):
        into[index] = 0
    for index in range(options(s)):
        into[base + s.option[index]] = 1


def observe(s: State, seat: int, into: bytearray, base: int) -> None:
    """Write the observation of a seat; it comes first, the others in the order of their turns."""
    for index in range(base, base + OBSERVATION):
        into[index] = 0
    wait = (seat + s.players - mover(s)) % s.players
    into[base], into[base + 1], into[base + 2], into[base + 3], into[base + 4] = (
        wait,
        s.phase,
        s.owed,
        s.least,
        s.target,
    )
    if s.trigger != NOBODY:
        into[base + 5], into[base + 6] = 1, (s.end - s.ply - wait + s.players - 1) // s.players  # turns left
    into[base + 7], into[base + 8], into[base + 9] = s.back - s.front, s.lake_count, s.players
    observe_river(s, into, base + OF_RIVER)
    for index in range(s.lake_count):
        show_piece(into, base + OF_LAKE + 2 * index, s.lake[index])
    for step in range(s.players):
        observe_seat(s, (seat + step) % s.players, into, base + OF_SEATS + step * OF_SEAT)
    for index in range(s.front, s.back):
        into[base + OF_BAG + s.bag[index] // SHAPES] += 1


def observe_river(s: State, into: bytearray, base: int) -> None:
    """Write shape and stones of each tile, and how many pieces of each colour lie on it."""
    for tile in range(SHAPES):
        into[base] = s.river[tile]
        into[base + 1] = s.stones[s.river[tile]]
        for index in range(s.edge[SHAPES - 1 - tile], s.edge[SHAPES - tile]):
            into[base + 2 + s.stock[index] // SHAPES] += 1
        base += OF_TILE


def observe_seat(s: State, seat: int, into: bytearray, base: int) -> None:
    """Write satchel, heights and colours of the columns, pieces placed and spilt, and points of a seat."""
    for index in range(s.satchel_count[seat]):
        show_piece(into, base + 2 * index, s.satchel[seat * GRASP + index])
    for column in range(COLUMNS):
        into[base + 18 + column] = s.height[seat * COLUMNS + column]
        into[base + 25 + column] = (s.owner[seat * COLUMNS + column] + 1) % 256
    into[base + 32], into[base + 33] = s.placed[seat], s.overflow_count[seat]
    into[base + 34] = min(255, max(0, NIL + points(s, seat)))


def show_piece(into: bytearray, base: int, kind: int) -> None:
    """Write colour and shape of a piece, each counted from 1."""
    into[base], into[base + 1] = kind // SHAPES + 1, kind % SHAPES + 1
