"""The worked example learns: after seconds it beats who knows nothing, and what it learned can be kept."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from arena.errors import BadInput
from arena.game.rules import DECISIONS
from arena.learn.example import _house, duel, learned, main
from arena.learn.features import COUNT, features
from arena.learn.net import Net, loaded, looks, saved, untrained
from arena.learn.vector import VectorEnv


@pytest.fixture(scope="module")
def net() -> Net:
    """What two rounds teach."""
    found = learned(1, 3600, lambda *_: None)
    next(found)
    return next(found)


def test_two_rounds_are_enough_to_beat_random(net: Net) -> None:
    share, width = duel(net.choose, _house("random"), 20)
    assert share - width > 0.6


def test_what_was_learned_is_kept(net: Net, tmp_path: Path) -> None:
    saved(net, tmp_path / "net.npz")
    again = loaded(tmp_path / "net.npz")
    assert (again.first == net.first).all()
    assert (again.second == net.second).all()


def test_the_same_seed_learns_the_same() -> None:
    one, two = (next(learned(7, 3600, lambda *_: None)) for _ in range(2))
    assert np.allclose(one.first, two.first)


def test_features_are_numbers_of_a_common_size() -> None:
    env = VectorEnv(64, 2, seed=2)
    for _ in range(40):
        env.step(env.sample())
        found = features(env.observation)
        assert found.shape == (64, COUNT)
        assert np.isfinite(found).all()
        assert np.abs(found).max() < 40


def test_every_legal_decision_is_looked_at_once() -> None:
    env = VectorEnv(5, 3, seed=2)
    found = looks([env.state(game).emptied() for game in range(5)], env.seat)
    assert [len(one) for one in found] == env.mask.sum(axis=1).tolist()
    assert max(len(one) for one in found) < DECISIONS


@pytest.mark.parametrize("text", [b"", b"no weights", b"PK\3\4 cut off"], ids=["empty", "text", "half a file"])
def test_a_file_without_weights_is_refused_with_what_to_do(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "net.npz").write_bytes(text)
    with pytest.raises(BadInput, match=r"train one: python -m arena\.learn\.example"):
        loaded(tmp_path / "net.npz")


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    net = untrained(1)
    saved(Net(net.first[:-1], net.second), tmp_path / "net.npz")
    with pytest.raises(BadInput, match="other weights"):
        loaded(tmp_path / "net.npz")


def test_the_command_says_how_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--minutes", "0", "--deals", "2", "--out", str(tmp_path / "net.npz"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out).keys() == {"random", "greedy"}
    assert loaded(tmp_path / "net.npz")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--minutes", "0", "--deals", "2", "--out", str(tmp_path / "no" / "net.npz")]) == 2
    assert "name another file with --out" in capsys.readouterr().err


def test_a_wrong_option_is_a_wrong_use() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "arena.learn.example", "--mintes", "1"], check=False, capture_output=True
    )
    assert done.returncode == 2


def test_without_numpy_it_says_what_to_install() -> None:
    code = "import sys, importlib.util as u; u.find_spec = lambda name: None; import arena.learn"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert 'pip install "glassworks-arena[learn]"' in done.stderr
