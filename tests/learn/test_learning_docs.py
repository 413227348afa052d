"""What docs/learning.md shows does what it says."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_docs import Shell, blocks, commands

DOC = "docs/learning.md"


@pytest.mark.parametrize("number", [0, 1])
def test_the_loops_run(number: int) -> None:
    done = subprocess.run([sys.executable, "-c", blocks(DOC, "python")[number]], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_the_example_learns_and_plays(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    try:
        _, train, play = (commands(block)[0] for block in blocks(DOC, "sh"))
        assert "against greedy" in shell.run(train.replace("--minutes 2", "--rounds 1 --deals 2"))
        (tmp_path / "learned_bot.py").write_text(blocks(DOC, "python")[2])
        assert "learned_bot" in shell.run(play)
    finally:
        shell.close()
