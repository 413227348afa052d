"""Writes the golden games of rvg-1 and their checksums; run once, kept so that it can be seen where they come from.

python -m tests.golden.make FOLDER
"""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from arena.contest.notation import SUFFIX, written
from arena.contest.record import Head, Record, nonces_in_order, recorded
from arena.contest.referee import Game, Reason
from arena.game import deal
from arena.game.actions import Action
from tests import oracle
from tests.contest.played import NOBODY, Chooser, Faults, finished, head, opened
from tests.game import bridge
from tests.oracle.corners import CORNERS, Step, copied, corners

SUMS = "SHA256SUMS"
UNREACHED = {"6.5 no refill in the last stage", "8.4 empty tile, bag not empty"}  # only without refills
FAULTS: dict[str, Faults] = {
    "late": {7: ((1, Reason.TIME),)},
    "early": {1: ((1, Reason.CRASH),)},
    "waiting": {4: ((0, Reason.DISCONNECT),)},
    "two": {6: ((0, Reason.ILLEGAL),), 9: ((1, Reason.MALFORMED),)},
    "three": {2: ((2, Reason.MEMORY), (0, Reason.LIMIT)), 12: ((1, Reason.RESIGN),)},
}


def games() -> Iterator[tuple[str, Record]]:
    """Name and record of every golden game."""
    for players in (2, 3, 4, 5):
        for nonces in (0, 1, players):
            yield f"{players}-nonces-{nonces}", played(players, 100 * players + nonces, nonces=nonces)
        for number, (name, faults) in enumerate(FAULTS.items()):
            if players == 2 and name == "three":
                continue
            yield f"{players}-forfeit-{name}", played(players, 100 * players + 10 + number, nonces=1, faults=faults)
    yield from cornered()


def cornered() -> Iterator[tuple[str, Record]]:
    """The first games that between them go through every corner of the rules."""
    missing, seed = set(CORNERS) - UNREACHED, 1000
    while missing:
        seed += 1
        players = 2 + seed % 4
        record = played(players, seed, nonces=seed % (players + 1))
        found = corners(steps(record)) & missing
        if found:
            missing -= found
            yield f"{players}-corner-{seed}", record


def played(players: int, seed: int, *, nonces: int = 0, faults: Faults = NOBODY) -> Record:
    """The record of a game of the oracle's policies."""
    rng, top = Random(f"golden {seed}"), head(players, seed, nonces=nonces)
    known = list(oracle.policies().values())
    choosers = [known[-1]] * players if seed % 3 == 0 else rng.choices(known, k=players)
    return recorded(top, finished(opened(top), by_policies(top, choosers, rng), rng, faults=faults))


def by_policies(top: Head, choosers: Sequence[oracle.Policy], rng: Random) -> Chooser:
    """What the policies do, each in its seat, with the oracle kept in step."""
    game = dealt(top)

    def choose(now: Game) -> Action:
        for move in now.moves[game.ply :]:
            oracle.apply(game, bridge.to_oracle(move.action))
        return bridge.to_engine(choosers[oracle.seat_to_move(game)](game, rng))

    return choose


def dealt(top: Head) -> oracle.Game:
    """The oracle's game before its first action."""
    chance = deal.deal(top.secret, top.match, top.game, nonces_in_order(top.seats, top.nonces))
    players = len(top.seats)
    return oracle.new_game(players, oracle.bag_order(chance, players), oracle.tile_order(chance))


def steps(record: Record) -> Iterator[Step]:
    """The oracle's game before and after every action of a record."""
    game = dealt(record.head)
    for move in record.moves:
        before, action = copied(game), bridge.to_oracle(move.action)
        oracle.apply(game, action)
        yield before, action, game


def main(folder: Path) -> None:
    """Write all files and their checksums."""
    folder.mkdir(parents=True, exist_ok=True)
    sums = []
    for name, record in games():
        text = written(record).encode()
        (folder / f"{name}{SUFFIX}").write_bytes(text)
        sums.append(f"{hashlib.sha256(text).hexdigest()}  {name}{SUFFIX}\n")
    (folder / SUMS).write_text("".join(sorted(sums, key=lambda line: line.split()[1])), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
