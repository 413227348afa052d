"""Many games as arrays: the same games as one by one, and nothing illegal gets in."""

import numpy as np
import pytest

from arena.errors import ArenaError, BadInput, IllegalAction
from arena.game import position, rules, ruleset
from arena.game.deal import all_kinds
from arena.game.decisions import mask
from arena.learn.rewards import rewards
from arena.learn.vector import VectorEnv


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_batch_plays_the_games_that_its_states_play_one_by_one(players: int) -> None:
    env = VectorEnv(8, players, seed=3)
    games = [env.state(game) for game in range(8)]
    rng = np.random.default_rng(players)
    for _ in range(300):
        chosen = [int(rng.choice(np.flatnonzero(row))) for row in env.mask]
        done = env.step(chosen)
        for game, decision in enumerate(chosen):
            games[game].step(decision)
            assert done[game] == games[game].over
            if done[game]:
                points = position.scores(games[game])
                assert tuple(env.points[game]) == points
                assert tuple(env.reward[game]) == pytest.approx(rewards(points))
                games[game] = env.state(game)
            assert rules.snapshot(games[game]) == rules.snapshot(env.state(game))
            assert bytes(env.mask[game]) == mask(games[game])
            assert bytes(env.observation[game]) == rules.observed(games[game], games[game].seat)
            assert env.seat[game] == games[game].seat


def test_equal_seeds_are_equal_games_and_others_are_not() -> None:
    one, two, other = VectorEnv(4, 3, seed=5), VectorEnv(4, 3, seed=5), VectorEnv(4, 3, seed=6)
    for _ in range(100):
        chosen = one.sample()
        assert (chosen == two.sample()).all()
        one.step(chosen)
        two.step(chosen)
        assert (one.observation == two.observation).all()
    assert (VectorEnv(4, 3, seed=5).observation != other.observation).any()


def test_arrays_have_the_promised_shapes_and_types() -> None:
    env = VectorEnv(6, 4)
    done = env.step(env.sample())
    assert done is env.done
    shapes = {
        name: (getattr(env, name).shape, str(getattr(env, name).dtype))
        for name in ("observation", "mask", "seat", "done", "reward", "points")
    }
    assert shapes == {
        "observation": ((6, 270), "uint8"),
        "mask": ((6, 134), "bool"),
        "seat": ((6,), "uint8"),
        "done": ((6,), "bool"),
        "reward": ((6, 4), "float32"),
        "points": ((6, 4), "int16"),
    }


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([0, 0], "a step takes 3 whole numbers"),
        ([0.5, 0, 0], "a step takes 3 whole numbers"),
        ([-1, 0, 0], "numbers from 0 to 133"),
        ([0, 0, 134], "numbers from 0 to 133"),
        ([2**40, 0, 0], "numbers from 0 to 133"),
        ([None, 0, 0], "a step takes 3 whole numbers"),
        ([0, 0, 133], "game . is no decision here|133 is no decision here"),
    ],
)
def test_a_wrong_step_is_refused_and_changes_nothing(wrong: object, message: str) -> None:
    env = VectorEnv(3)
    before = env.observation.copy()
    chosen = env.sample()
    with pytest.raises(IllegalAction, match=message):
        env.step([*chosen[:2], 133] if wrong == [0, 0, 133] else wrong)  # type: ignore[arg-type]
    assert (env.observation == before).all()


@pytest.mark.parametrize(
    ("games", "players", "seed"),
    [(0, 2, 0), (-1, 2, 0), (2**30, 2, 0), (1, 1, 0), (1, 6, 0), (1, 2, -1), (1, 2, 2**32)],
)
def test_wrong_sizes_and_seeds_are_refused(games: int, players: int, seed: int) -> None:
    with pytest.raises(ArenaError):
        VectorEnv(games, players, seed=seed)


def test_the_arrays_are_for_reading() -> None:
    env = VectorEnv(2)
    with pytest.raises(ValueError, match="read-only"):
        env.observation[0, 0] = 1
    with pytest.raises(BadInput, match="no game 2"):
        env.state(2)


def test_a_batch_whose_arrays_were_cut_is_refused() -> None:
    rule_set = ruleset.named()
    batch = rules.Batch(position.tables(rule_set), 2, all_kinds(rule_set, 2), 1, 4)
    for name in ("seats", "mask", "observation"):
        array = getattr(batch, name)
        kept = bytes(array)
        del array[-1:]
        with pytest.raises(BadInput, match="have been cut"):
            batch.step(batch.pick())
        array[:] = kept
    assert batch.step(batch.pick()) == []


def test_rewards_compare_each_pair() -> None:
    assert rewards((9, 9)) == (0, 0)
    assert rewards((30, 10, 20)) == (1, -1, 0)
    assert rewards((5, 5, 5, 1)) == pytest.approx((1 / 3, 1 / 3, 1 / 3, -1))


def test_an_observation_never_depends_on_the_order_of_the_bag() -> None:
    env = VectorEnv(1, 3)
    state, other = env.state(0), env.state(0)
    other.reseed(99)
    assert all(rules.observed(state, seat) == rules.observed(other, seat) for seat in range(3))
