"""Local games: true records, the same for the same seed, however many processes play them."""

import pytest

from arena.contest.referee import Reason
from arena.contest.verify import verified
from tests.play.sessions import HASTY, RUDE, BotFile, session


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_game_that_is_written_verifies(seats: int) -> None:
    games = session(*(("greedy", "random") * 3)[:seats], games=seats)
    assert [verified(one.text).record for one in games] == [one.record for one in games]


def actions(*bots: str, seed: str, jobs: int = 1) -> list[object]:
    """All that may depend on the seed: times do not."""
    games = session(*bots, games=9, seed=seed, jobs=jobs)
    return [(one.planned, [move.action for move in one.record.moves], one.record.scores) for one in games]


def test_the_same_seed_gives_the_same_games_in_one_process_and_in_two() -> None:
    assert actions("greedy", "random", seed="x") == actions("greedy", "random", seed="x", jobs=2)


def test_another_seed_gives_other_games() -> None:
    assert actions("greedy", "random", seed="x") != actions("greedy", "random", seed="y")


def test_a_bot_of_ones_own_throws_the_same_dice_for_the_same_seed(bot: BotFile) -> None:
    thrower = bot("import random\ndef choose(view):\n    return random.choice(list(view.actions())[:50])\n")
    assert actions(thrower, "random", seed="x") == actions(thrower, "random", seed="x", jobs=2)


def test_every_game_has_a_deal_of_its_own() -> None:
    games = session("random", "random", games=6)
    assert len({(one.record.head.secret, one.record.head.commitment) for one in games}) == 6


def test_a_second_copy_of_a_bot_has_a_name_of_its_own() -> None:
    (game,) = session("random", "random", "greedy", "random")
    assert game.record.head.seats == ("random@local", "random.2@local", "greedy@local", "random.3@local")


def test_the_game_goes_on_at_the_table_of_a_bot_that_forfeits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUDE", "dies")
    (game,) = session(RUDE, "random", "greedy")
    assert [move.auto for move in game.record.moves if move.seat == 0].count(True) > 5
    assert game.record.scores[0].place == 3


def test_a_bot_that_forfeited_gets_a_new_start_in_the_next_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUDE", "dies")
    monkeypatch.setenv("RUDE_PLY", "2")
    games = session(RUDE, "random", games=3, clock=HASTY)
    faults = [fault for one in games for fault in one.record.forfeits]
    assert [(fault.reason, fault.early) for fault in faults] == [(Reason.CRASH, False)] * 3
