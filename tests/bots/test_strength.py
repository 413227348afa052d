"""Who is stronger, in a few games whose outcome the seed decides; `arena strength` is the long proof."""

from statistics import fmean

import pytest

from tests.play.sessions import session


def share(better: str, worse: str, games: int) -> float:
    """Part of the games that the first wins, ties one half."""
    places = [
        [score.place for _, score in sorted(zip(one.planned.seats, one.record.scores, strict=True), key=by_name)]
        for one in session(better, worse, games=games, seed="strength", clock="1+0.1/0.5")
    ]
    first = 0 if better < worse else 1
    return fmean(0.5 if both[0] == both[1] else float(both[first] == 1) for both in places)


def by_name(seat: tuple[str, object]) -> str:
    """The bot in a seat."""
    return seat[0]


@pytest.mark.parametrize(
    ("better", "worse", "games", "least"),
    [
        ("greedy", "random", 60, 0.9),
        ("student", "random", 60, 0.8),
        ("planner", "greedy", 60, 0.6),
        ("search", "planner", 40, 0.55),
        ("mcts", "planner", 20, 0.6),
    ],
)
def test_each_bot_is_clearly_above_the_next(better: str, worse: str, games: int, least: float) -> None:
    assert share(better, worse, games) >= least
