"""The rules of River Valley Glassworks, stated once: docs/rules.md as code, § numbers cite it.

Written to be compiled unchanged (docs/adr/0005): flat fixed arrays of bytes, whole numbers, plain loops.
A State is changed in place only by the functions here; callers treat it as a value and change a `clone`.
"""

from collections.abc import Sequence

from arena.errors import IllegalAction

SEATS = 5
COLOURS = 9
SHAPES = 6
KINDS = 54
COLUMNS = 7
LAKE = 5
TAKE = 4  # §4.1
SATCHEL = 5  # §1: most pieces in a satchel after an action
GRASP = 9  # most pieces in a satchel inside a lake action
START = 3  # §2.5, §6.2
TRIGGER = 17  # §6.1
PENALTY = 3  # §7.4
PIECES = 132
NOBODY = 255  # no colour, no column, no seat


class Tables:
    """The numbers of a rule set as flat arrays."""

    __slots__ = ("column_score", "refills", "row_score", "rows", "stones")

    def __init__(self, rows: int, refills: bool, stones: bytes, row_score: bytes, column_score: bytes) -> None:
        self.rows = rows
        self.refills = refills
        self.stones = stones
        self.row_score = row_score
        self.column_score = column_score  # height - 1 by column


class State:
    """The whole truth of one game, hidden bag included; it never leaves the referee."""

    __slots__ = (
        "back", "bag", "cell", "column", "end", "front", "height", "lake", "lake_count", "over", "overflow",
        "overflow_count", "owner", "passes", "placed", "players", "ply", "river", "satchel", "satchel_count",
        "stock", "stock_count", "tables", "trigger",
    )  # fmt: skip

    def __init__(self, tables: Tables, players: int) -> None:
        self.tables = tables
        self.players = players
        self.ply = 0
        self.trigger = NOBODY  # seat that reached 17 pieces first
        self.end = 0  # ply at which the game is over, once triggered
        self.passes = 0  # forced passes in this round
        self.over = False
        self.front = 0  # next piece drawn from the front of the bag
        self.back = 0  # one past the next piece drawn from the back
        self.bag = bytearray(PIECES)
        self.river = bytearray(SHAPES)  # shape of the tile at each index
        self.stock = bytearray(SHAPES * PIECES)  # sorted pieces of the tile of each shape
        self.stock_count = bytearray(SHAPES)
        self.lake = bytearray(LAKE)  # sorted
        self.lake_count = 0
        self.satchel = bytearray(SEATS * GRASP)  # sorted
        self.satchel_count = bytearray(SEATS)
        self.owner = bytearray(b"\xff" * (SEATS * COLUMNS))  # colour of each column
        self.column = bytearray(b"\xff" * (SEATS * COLOURS))  # column of each colour
        self.height = bytearray(SEATS * COLUMNS)
        self.cell = bytearray(SEATS * COLUMNS * tables.rows)
        self.placed = bytearray(SEATS)  # pieces in the glassworks
        self.overflow = bytearray(SEATS * KINDS)  # pieces of each kind
        self.overflow_count = bytearray(SEATS)


def clone(s: State) -> State:
    """An independent copy; the one place where arrays are copied."""
    t = State.__new__(State)
    t.tables, t.players, t.ply, t.trigger = s.tables, s.players, s.ply, s.trigger
    t.end, t.passes, t.over, t.front, t.back = s.end, s.passes, s.over, s.front, s.back
    t.bag, t.river, t.stock, t.stock_count = s.bag[:], s.river[:], s.stock[:], s.stock_count[:]
    t.lake, t.lake_count, t.satchel, t.satchel_count = (
        s.lake[:],
        s.lake_count,
        s.satchel[:],
        s.satchel_count[:],
    )
    t.owner, t.column, t.height, t.cell = s.owner[:], s.column[:], s.height[:], s.cell[:]
    t.placed, t.overflow, t.overflow_count = s.placed[:], s.overflow[:], s.overflow_count[:]
    return t


# Set-up (§2)


def dealt(tables: Tables, players: int, bag: Sequence[int], tiles: Sequence[int]) -> State:
    """The position before the first turn; `bag` is the kinds in bag order, `tiles` the shapes in river order."""
    s = State(tables, players)
    for index in range(len(bag)):
        s.bag[index] = bag[index]
    s.back = len(bag)
    for index in range(SHAPES):
        s.river[index] = tiles[index]
    for index in range(SHAPES):  # §2.3
        fill_tile(s, s.river[index], tables.stones[s.river[index]])
    for _ in range(LAKE):  # §2.4
        put_in_lake(s, draw_front(s))
    for seat in range(players):  # §2.5
        fill_satchel(s, seat)
    return s


def mover(s: State) -> int:
    """The seat to act: clockwise from seat 0 (§2.6)."""
    return s.ply % s.players


# The three actions (§3, §4, §8.5). Each checks first and changes nothing if it refuses.


def river(s: State, pieces: Sequence[int], tile: int, side: int, order: Sequence[int]) -> None:
    """Place one or two pieces on a tile, collect its neighbour and sort the haul; raises IllegalAction."""
    check_river(s, pieces, tile, side)
    colours = colour_order(s, tile + side, order)
    seat = mover(s)
    for kind in pieces:  # §3.1
        drop_from_satchel(s, seat, kind)
        put_on_tile(s, s.river[tile], kind)
    collect(s, seat, s.river[tile + side], colours)  # §3.2, §3.3
    flow(s, tile + side)
    if s.trigger == NOBODY or s.tables.refills:  # §6.5
        fill_tile(s, s.river[0], s.tables.stones[s.river[1]])  # §3.5
    if s.trigger == NOBODY and s.placed[seat] >= TRIGGER:  # §3.6, §6.1
        start_last_stage(s, seat)
    end_turn(s)


def draw_lake(s: State, take: Sequence[int], discards: Sequence[int]) -> None:
    """Take lake pieces into the satchel and give up what is too much; raises IllegalAction."""
    check_lake(s, take, discards)
    seat = mover(s)
    for kind in take:  # §4.1
        drop_from_lake(s, kind)
        put_in_satchel(s, seat, kind)
    for kind in discards:  # §4.2: old pieces may be given up too
        drop_from_satchel(s, seat, kind)
        put_in_overflow(s, seat, kind)
    while s.lake_count < LAKE and s.front < s.back:  # §4.4, §8.2
        s.back -= 1
        put_in_lake(s, s.bag[s.back])
    end_turn(s)


def forced_pass(s: State) -> None:
    """The pass of a player who cannot act; raises IllegalAction for one who can (§3, §8.5)."""
    if s.over or not must_pass(s):
        raise IllegalAction("there is no voluntary pass (§3)" if not s.over else "the game is over")
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


def check_river(s: State, pieces: Sequence[int], tile: int, side: int) -> None:
    """Raise IllegalAction unless the placement is legal (§3.1, §3.2)."""
    if s.over:
        raise IllegalAction("the game is over")
    if not 1 <= len(pieces) <= 2:
        raise IllegalAction(f"place one or two pieces, not {len(pieces)} (§3.1)")
    if not 0 <= tile < SHAPES or side not in (-1, 1) or not 0 <= tile + side < SHAPES:
        raise IllegalAction(f"tile {tile} has no neighbour at {side:+d} (§3.2)")
    if not holds(s.satchel, mover(s) * GRASP, s.satchel_count[mover(s)], pieces):
        raise IllegalAction("the satchel does not hold these pieces (§3.1)")
    if len(pieces) == 2 and pieces[0] % SHAPES != pieces[1] % SHAPES:
        raise IllegalAction("two pieces must have the same shape (§3.1)")
    if len(pieces) == 1 and pieces[0] % SHAPES != s.river[tile]:
        raise IllegalAction("one piece goes onto the tile that shows its shape (§3.1)")


def check_lake(s: State, take: Sequence[int], discards: Sequence[int]) -> None:
    """Raise IllegalAction unless the lake action is legal (§4.1-4.3, §6.3)."""
    if s.over or not lake_is_open(s):
        raise IllegalAction("the game is over" if s.over else "the lake is closed or empty (§6.3, §8.2)")
    if len(take) != lake_take(s):
        raise IllegalAction(f"take exactly {lake_take(s)} lake pieces, not {len(take)} (§4.1)")
    if not holds(s.lake, 0, s.lake_count, take):
        raise IllegalAction("the lake does not hold these pieces (§4.1)")
    if len(discards) != discard_count(s):
        raise IllegalAction(f"give up exactly {discard_count(s)} pieces, not {len(discards)} (§4.2)")
    held = list(take)
    for index in range(s.satchel_count[mover(s)]):
        held.append(s.satchel[mover(s) * GRASP + index])
    if not holds(held, 0, len(held), discards):
        raise IllegalAction("the satchel does not hold the pieces to give up (§4.2)")


def holds(shelf: Sequence[int], base: int, count: int, kinds: Sequence[int]) -> bool:
    """Whether all `kinds`, repeats counted, are among the `count` pieces from `base`."""
    for kind in kinds:
        have = 0
        for index in range(count):
            have += shelf[base + index] == kind
        want = 0
        for other in kinds:
            want += other == kind
        if have < want:
            return False
    return True


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
    found: list[int] = []
    shape = s.river[tile]
    for index in range(s.stock_count[shape]):
        colour = s.stock[shape * PIECES + index] // SHAPES
        if s.column[mover(s) * COLOURS + colour] == NOBODY and colour not in found:
            found.append(colour)
    return found


def free_columns(s: State) -> int:
    """Columns of the mover that no colour owns yet."""
    base = mover(s) * COLUMNS
    free = 0
    for index in range(COLUMNS):
        free += s.owner[base + index] == NOBODY
    return free


# Sorting (§5)


def collect(s: State, seat: int, shape: int, order: Sequence[int]) -> None:
    """Sort all pieces of a tile into the seat's glassworks; new colours open columns in `order` first (§5.5)."""
    for colour in order:
        open_column(s, seat, colour)
    for index in range(shape * PIECES, shape * PIECES + s.stock_count[shape]):
        sort_piece(s, seat, s.stock[index])
        s.stock[index] = 0
    s.stock_count[shape] = 0


def sort_piece(s: State, seat: int, kind: int) -> None:
    """Put one piece onto its column, or into overflow (§5.1-5.4)."""
    colour = kind // SHAPES
    if s.column[seat * COLOURS + colour] == NOBODY:
        open_column(s, seat, colour)  # §5.3
    column = s.column[seat * COLOURS + colour]
    if column == NOBODY or s.height[seat * COLUMNS + column] == s.tables.rows:  # §5.4, §5.2
        put_in_overflow(s, seat, kind)
        return
    place = seat * COLUMNS + column
    s.cell[place * s.tables.rows + s.height[place]] = kind  # §5.1
    s.height[place] += 1
    s.placed[seat] += 1


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
        s.river[index] = s.river[index - 1]
    s.river[0] = shape


def fill_tile(s: State, shape: int, pieces: int) -> None:
    """Put pieces from the front of the bag onto a tile, as many as there are (§3.5, §8.1)."""
    for _ in range(pieces):
        if s.front < s.back:
            put_on_tile(s, shape, draw_front(s))


def fill_satchel(s: State, seat: int) -> None:
    """Fill a satchel up to three from the front of the bag (§2.5, §6.2, §8.3)."""
    while s.satchel_count[seat] < START and s.front < s.back:
        put_in_satchel(s, seat, draw_front(s))


def draw_front(s: State) -> int:
    """The next kind from the front of the bag (§2.7)."""
    s.front += 1
    return s.bag[s.front - 1]


# Shelves: every group of loose pieces is kept sorted, so that equal positions are equal bytes.


def put_on_tile(s: State, shape: int, kind: int) -> None:
    """Add a piece to the tile of a shape."""
    insert(s.stock, shape * PIECES, s.stock_count[shape], kind)
    s.stock_count[shape] += 1


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
    s.overflow[seat * KINDS + kind] += 1
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
    """Points of a seat; may be negative (§7)."""
    return row_points(s, seat) + column_points(s, seat) - PENALTY * s.overflow_count[seat]


def row_points(s: State, seat: int) -> int:
    """Points of all rows: unbroken filled cells from the leftmost column (§7.1)."""
    points = 0
    for row in range(s.tables.rows):
        length = 0
        while length < COLUMNS and s.height[seat * COLUMNS + length] > row:
            length += 1
        points += s.tables.row_score[length]
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
    return s.tables.column_score[(height - 1) * COLUMNS + column] if height > 0 else 0
