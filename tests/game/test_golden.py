"""The golden games of rvg-1 never change and stay true under engine, oracle and notation."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.contest.notation import written
from arena.contest.reading import read
from arena.contest.record import Record
from arena.contest.referee import Reason
from arena.contest.verify import verified
from arena.game import position
from tests import oracle
from tests.contest.played import opened
from tests.game import bridge
from tests.golden.make import SUMS, UNREACHED, dealt, steps
from tests.oracle.corners import CORNERS, corners

FOLDER = Path(__file__).parents[1] / "golden" / "rvg-1"
FILES = sorted(FOLDER.glob("*.rvg"))
golden = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def records() -> Iterator[Record]:
    for path in FILES:
        yield read(path.read_bytes().decode())[0]


def test_the_checksums_never_change() -> None:
    digest = hashlib.sha256((FOLDER / SUMS).read_bytes()).hexdigest()
    assert digest == "9282e71d241ff8db69acfb1c9a1f244b55a8141e112e23acb659a655fc076b35"


def test_no_golden_game_is_missing_or_new() -> None:
    listed = [line.split("  ")[1] for line in (FOLDER / SUMS).read_text("utf-8").splitlines()]
    assert listed == [path.name for path in FILES]


@golden
def test_a_golden_file_has_its_checksum(path: Path) -> None:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert f"{digest}  {path.name}" in (FOLDER / SUMS).read_text("utf-8").splitlines()


@golden
def test_a_golden_game_is_true(path: Path) -> None:
    assert not verified(path.read_bytes().decode()).edited


@golden
def test_a_golden_game_written_again_is_the_same_file(path: Path) -> None:
    text = path.read_bytes().decode()
    assert written(verified(text).record) == text


@golden
def test_the_oracle_plays_a_golden_game_to_the_same_position(path: Path) -> None:
    record = verified(path.read_bytes().decode()).record
    state, game = opened(record.head).state, dealt(record.head)
    for move in record.moves:
        state = position.advance(state, move.action)
        oracle.apply(game, bridge.to_oracle(move.action))
        assert bridge.dumped(state) == oracle.dump(game)
    assert [score.points for score in record.scores] == [total for total, *_ in oracle.dump(game)["scores"]]


def test_the_golden_games_reach_every_corner() -> None:
    found = {corner for record in records() for corner in corners(steps(record))}
    assert set(CORNERS) - found == UNREACHED


def test_the_golden_games_have_every_table_and_every_reason() -> None:
    assert {len(record.head.seats) for record in records()} == {2, 3, 4, 5}
    assert {fault.reason for record in records() for fault in record.forfeits} == set(Reason)
