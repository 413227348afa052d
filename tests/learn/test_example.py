"""The worked example learns: after seconds it beats who knows nothing, and what it learned can be kept."""

import json
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from arena.errors import BadInput
from arena.game.rules import DECISIONS
from arena.learn.example import _house, duel, main
from arena.learn.features import COUNT, features
from arena.learn.net import Net, loaded, looks, saved, untrained
from arena.learn.selfplay import learned
from arena.learn.vector import VectorEnv


@pytest.fixture(scope="module")
def net() -> Net:
    """What two rounds teach."""
    return after(2, seed=1)


def after(rounds: int, seed: int) -> Net:
    """What so many rounds teach."""
    return list(islice(learned(seed, lambda *_: None), rounds))[-1]


def test_two_rounds_are_enough_to_beat_random(net: Net) -> None:
    share, width = duel(net.choose, _house("random"), 20)
    assert share - width > 0.6


def test_what_was_learned_is_kept(net: Net, tmp_path: Path) -> None:
    saved(net, tmp_path / "net.npz")
    again = loaded(tmp_path / "net.npz")
    assert (again.first == net.first).all()
    assert (again.second == net.second).all()


def test_the_same_seed_learns_the_same(net: Net) -> None:
    again = after(2, seed=1)
    assert (again.first == net.first).all()
    assert (again.second == net.second).all()


def test_another_seed_learns_something_else(net: Net) -> None:
    assert (after(1, seed=2).first != net.first).any()


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


def test_a_file_that_is_not_there_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nothing\.npz.*train one: python -m arena\.learn\.example"):
        loaded(tmp_path / "nothing.npz")


def test_weights_that_cannot_be_written_leave_what_was_there(net: Net, tmp_path: Path) -> None:
    saved(net, tmp_path / "net.npz")
    (tmp_path / "net.npz.part").mkdir()
    with pytest.raises(BadInput, match=r"net\.npz.*name another file with --out"):
        saved(untrained(1), tmp_path / "net.npz")
    assert (loaded(tmp_path / "net.npz").second == net.second).all()


def test_the_command_says_how_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--rounds", "1", "--deals", "2", "--out", str(tmp_path / "net.npz"), "--json"]) == 0
    out, told = capsys.readouterr()
    assert {name: row["games"] for name, row in json.loads(out).items()} == {"random": 4, "greedy": 4}
    assert told.count("round 1: off by") == 1
    assert loaded(tmp_path / "net.npz")


def test_the_command_learns_what_its_seed_says(net: Net, tmp_path: Path) -> None:
    assert main(["--rounds", "2", "--seed", "1", "--deals", "2", "--out", str(tmp_path / "net.npz")]) == 0
    assert (loaded(tmp_path / "net.npz").first == net.first).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--mintes 1", "unrecognized arguments"),
        ("--minutes soon", "invalid float value"),
        ("--minutes nan", "a number from 0 on"),
        ("--minutes=-1", "a number from 0 on"),
        ("--minutes 1 --rounds 1", "not allowed with"),
        ("--rounds 0", "1 or more"),
        ("--deals 1", "2 or more"),
        ("--seed=-1", "a number from 0 to 4294967295"),
        ("--seed 4294967296", "a number from 0 to 4294967295"),
        ("--out no/such/net.npz", "no folder no/such"),
        ("--out .", ". is a folder"),
    ],
)
def test_a_wrong_option_is_a_wrong_use(options: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(options.split())
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def under_way(file: Path) -> "subprocess.Popen[str]":
    """The command, with more to do than a test waits for."""
    command = [sys.executable, "-m", "arena.learn.example", "--minutes", "9", "--deals", "9999", "--out", str(file)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def interrupt(process: "subprocess.Popen[str]", word: str) -> None:
    """Press Ctrl-C once it has said a word."""
    assert process.stderr
    assert any(word in line for line in process.stderr)
    process.send_signal(signal.SIGINT)


def test_control_c_ends_the_learning_and_then_the_games(tmp_path: Path) -> None:
    with under_way(tmp_path / "net.npz") as process:
        interrupt(process, "round 2")
        interrupt(process, "playing")
        _, rest = process.communicate(timeout=60)
    assert (process.returncode, rest) == (130, "stopped\n")
    assert loaded(tmp_path / "net.npz")


def test_control_c_in_the_first_round_keeps_nothing(tmp_path: Path) -> None:
    with under_way(tmp_path / "net.npz") as process:
        interrupt(process, "learning")
        _, rest = process.communicate(timeout=60)
    assert (process.returncode, rest) == (130, "stopped\n")
    assert list(tmp_path.iterdir()) == []


def test_without_numpy_it_says_what_to_install() -> None:
    code = "import sys, importlib.util as u; u.find_spec = lambda name: None; import arena.learn"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert 'pip install "glassworks-arena[learn]"' in done.stderr
