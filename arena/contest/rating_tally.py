"""The games of one table size as arrays of whole numbers, which add up exactly in any order."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.contest.ledger import Table, every_pair

Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Every rated pair of seats that held different players, one entry each, in the ledger's order."""

    left: Ints
    right: Ints
    halves: Ints
    """What the left player got: 2 for the better place, 1 for a shared one, 0 for the worse."""
    deal: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """All that one board needs to know of its games (`docs/statistics.md §1.2`)."""

    size: int
    players: tuple[str, ...]
    pairs: Pairs
    halves: Ints
    """Twice the points that the row's player took from the column's."""
    games: Ints
    forfeits: Ints


def tally(games: Iterable[Table], size: int) -> Tally:
    """The games at tables of this size; `games` must come from `ledger`."""
    here = [table for table in games if len(table.players) == size]
    players = tuple(sorted({player for table in here for player in table.players}))
    seats = _seats(here, players, size)
    pairs = _pairs(here, seats)
    lost = np.fromiter(chain.from_iterable(table.forfeits for table in here), np.bool_).reshape(-1, size)
    return Tally(
        size=size,
        players=players,
        pairs=pairs,
        halves=_halves(pairs, len(players)),
        games=_appearances(seats, np.ones_like(lost), len(players)),
        forfeits=_appearances(seats, lost, len(players)),
    )


def fingerprint(tallies: Iterable[Tally]) -> str:
    """SHA-256 of the whole numbers behind the boards, one JSON list a line (`docs/statistics.md §1.2`)."""
    digest = sha256()
    for line in chain.from_iterable(_lines(each) for each in tallies):
        digest.update(json.dumps(line, separators=(",", ":")).encode() + b"\n")
    return digest.hexdigest()


def _seats(here: Sequence[Table], players: Sequence[str], size: int) -> Ints:
    number = {player: index for index, player in enumerate(players)}
    return np.fromiter((number[p] for table in here for p in table.players), np.int64).reshape(-1, size)


def _pairs(here: Sequence[Table], seats: Ints) -> Pairs:
    first, second = np.array(every_pair(seats.shape[1])).T
    places = np.fromiter(chain.from_iterable(table.places for table in here), np.int64).reshape(seats.shape)
    left, right = seats[:, first], seats[:, second]
    halves = 1 + np.sign(places[:, second] - places[:, first])
    deal = np.broadcast_to(_deals(here)[:, None], left.shape)
    kept = _rated(here, seats.shape[1]) & (left != right)
    return Pairs(left[kept], right[kept], halves[kept], deal[kept])


def _deals(here: Sequence[Table]) -> Ints:
    seen: dict[str, int] = {}
    return np.fromiter((seen.setdefault(table.deal, len(seen)) for table in here), np.int64)


def _rated(here: Sequence[Table], size: int) -> Bools:
    """By game and pair of seats; games share few patterns, so each is spelt out once."""
    seen: dict[tuple[tuple[int, int], ...], int] = {}
    pattern = np.fromiter((seen.setdefault(table.pairs, len(seen)) for table in here), np.int64)
    spelt = [pair in pairs for pairs in seen for pair in every_pair(size)]
    return np.array(spelt, np.bool_).reshape(-1, len(every_pair(size)))[pattern]


def _halves(pairs: Pairs, count: int) -> Ints:
    won = np.zeros(count * count, np.int64)
    np.add.at(won, pairs.left * count + pairs.right, pairs.halves)
    np.add.at(won, pairs.right * count + pairs.left, 2 - pairs.halves)
    return won.reshape(count, count)


def _appearances(seats: Ints, marked: Bools, count: int) -> Ints:
    """In how many games each player holds a marked seat; two seats in one game are one."""
    game = np.broadcast_to(np.arange(len(seats))[:, None], seats.shape)
    once = np.unique(game[marked] * max(count, 1) + seats[marked])
    return np.bincount(once % max(count, 1), minlength=count).astype(np.int64)


def _lines(board: Tally) -> Iterable[list[int | str]]:
    for player, name in enumerate(board.players):
        yield [board.size, name, int(board.games[player]), int(board.forfeits[player])]
    for left, right in np.argwhere(np.triu(board.halves + board.halves.T)).tolist():
        names = [board.players[left], board.players[right]]
        yield [board.size, *names, int(board.halves[left, right]), int(board.halves[right, left])]
