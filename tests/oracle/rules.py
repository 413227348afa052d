"""A game in progress, changed in place by whole turns exactly as docs/rules.md words them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .chance import numbered_pieces
from .facts import DEFAULT, Numbers, Piece

RiverAction = tuple[Literal["river"], tuple[Piece, ...], int, int, tuple[int, ...]]
LakeAction = tuple[Literal["lake"], tuple[Piece, ...], tuple[Piece, ...]]
PassAction = tuple[Literal["pass"]]
Action = RiverAction | LakeAction | PassAction


@dataclass(slots=True)
class Tile:
    """A river tile: the shape it shows and the pieces lying on it."""

    shape: int
    pieces: list[Piece]


@dataclass(slots=True)
class Column:
    """A column of a glassworks with its cells from bottom to top."""

    owner: int | None
    cells: list[Piece]


@dataclass(slots=True)
class Player:
    """What lies before one seat."""

    satchel: list[Piece]
    glassworks: list[Column]
    overflow: list[Piece]


@dataclass(slots=True)
class Game:
    """Everything on the table and in the bag."""

    numbers: Numbers
    bag: list[Piece]
    river: list[Tile]
    lake: list[Piece]
    players: list[Player]
    ply: int = 0
    trigger_seat: int | None = None
    last_ply: int | None = None  # the ply after which a triggered game is over
    passes_this_round: int = 0
    over: bool = False


def new_game(players: int, bag: Sequence[int], tiles: Sequence[int], numbers: Numbers = DEFAULT) -> Game:
    """The table after the set-up of §2 with the bag and the tiles in the given order."""
    pieces = numbered_pieces(players, numbers)
    game = Game(numbers, bag=[pieces[number] for number in bag], river=[], lake=[], players=[])
    for shape in tiles:  # §2.3
        game.river.append(Tile(shape, from_front(game, numbers.stones[shape])))
    game.lake = from_front(game, numbers.lake)  # §2.4
    for _ in range(players):  # §2.5
        columns = [Column(owner=None, cells=[]) for _ in range(numbers.columns)]
        game.players.append(Player(from_front(game, numbers.satchel_start), columns, overflow=[]))
    return game


def seat_to_move(game: Game) -> int:
    """Seat 0 starts and turns go clockwise (§2.6)."""
    return game.ply % len(game.players)


def player_to_move(game: Game) -> Player:
    return game.players[seat_to_move(game)]


def from_front(game: Game, count: int) -> list[Piece]:
    """Draws for tiles, satchels and the first lake (§2.7); fewer if the bag ends (§8.1, §8.3)."""
    return [game.bag.pop(0) for _ in range(count) if game.bag]


def from_back(game: Game, count: int) -> list[Piece]:
    """Draws for the refills of the lake (§2.7); fewer if the bag ends (§8.2)."""
    return [game.bag.pop() for _ in range(count) if game.bag]


def apply(game: Game, action: Action) -> None:
    """Carries out a legal whole turn; the caller vouches for its legality."""
    match action:
        case ("river", pieces, tile, side, order):
            river_action(game, pieces, tile, side, order)
        case ("lake", taken, discarded):
            lake_action(game, taken, discarded)
        case ("pass",):
            game.passes_this_round += 1  # §8.5
    end_turn(game)


def river_action(game: Game, pieces: Sequence[Piece], tile: int, side: int, order: Sequence[int]) -> None:
    """§3 in its own order: place, collect, sort, flow, refill, check the end."""
    player = player_to_move(game)
    for piece in pieces:  # §3.1
        player.satchel.remove(piece)
        game.river[tile].pieces.append(piece)
    emptied = game.river[tile + side]
    haul = emptied.pieces  # §3.2
    emptied.pieces = []
    sort_haul(game, player, haul, order)  # §3.3
    game.river.insert(0, game.river.pop(tile + side))  # §3.4
    refill_river(game)  # §3.5
    check_trigger(game)  # §3.6


def refill_river(game: Game) -> None:
    """§3.5; §6.5: a switch ends it with the last stage, which the triggering action only begins."""
    if game.trigger_seat is None or game.numbers.refill_in_last_stage:
        stones = game.numbers.stones[game.river[1].shape]
        game.river[0].pieces = from_front(game, stones)  # §8.1


def sort_haul(game: Game, player: Player, haul: Sequence[Piece], order: Sequence[int]) -> None:
    """§5.5: first the new colours the player puts in order, then the rest; by kind inside a colour."""
    for colour in order:
        for piece in sorted(haul):
            if piece[0] == colour:
                sort_piece(game, player, piece)
    for piece in sorted(haul):
        if piece[0] not in order:
            sort_piece(game, player, piece)


def sort_piece(game: Game, player: Player, piece: Piece) -> None:
    """Puts one piece into the glassworks or the overflow (§5.1-5.4)."""
    for column in player.glassworks:
        if column.owner == piece[0]:
            if len(column.cells) < game.numbers.rows:
                column.cells.append(piece)  # §5.1
            else:
                player.overflow.append(piece)  # §5.2
            return
    for column in player.glassworks:
        if column.owner is None:
            column.owner = piece[0]  # §5.3
            column.cells.append(piece)
            return
    player.overflow.append(piece)  # §5.4


def check_trigger(game: Game) -> None:
    """§6.1, then what follows at once: §6.2 and the number of turns left (§6.4)."""
    placed = sum(len(column.cells) for column in player_to_move(game).glassworks)
    if game.trigger_seat is not None or placed < game.numbers.trigger:
        return
    seats = len(game.players)
    game.trigger_seat = seat_to_move(game)
    for step in range(seats):  # §6.2
        player = game.players[(game.trigger_seat + step) % seats]
        missing = game.numbers.last_satchel - len(player.satchel)
        player.satchel += from_front(game, missing)  # §8.3
    this_round = game.ply // seats
    next_round = this_round + 1
    game.last_ply = next_round * seats + seats - 1  # §6.4


def lake_action(game: Game, taken: Sequence[Piece], discarded: Sequence[Piece]) -> None:
    """§4 in its own order: take, give up what is too much, refill."""
    player = player_to_move(game)
    for piece in taken:  # §4.1
        game.lake.remove(piece)
        player.satchel.append(piece)
    for piece in discarded:  # §4.2
        player.satchel.remove(piece)
        player.overflow.append(piece)
    game.lake += from_back(game, game.numbers.lake - len(game.lake))  # §4.4


def end_turn(game: Game) -> None:
    """Ends the game after the last full round (§6.4) or a full round of forced passes (§8.6)."""
    seats = len(game.players)
    if game.ply == game.last_ply:
        game.over = True
    if seat_to_move(game) == seats - 1:
        if game.passes_this_round == seats and game.trigger_seat is None:
            game.over = True
        game.passes_this_round = 0
    game.ply += 1
