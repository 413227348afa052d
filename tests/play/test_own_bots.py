"""A bot in a file of its own: whatever it does costs it one game, with the reason, and nothing else."""

import os
import time

import pytest

from arena.contest.referee import Forfeit, Reason
from arena.contest.verify import verified
from arena.play.tail import KEPT, Tail
from tests.play.processes import is_alive
from tests.play.sessions import HASTY, RUDE, BotFile, session

DYING = """
import os, sys
def choose(view):
    sys.stderr.write("out of luck")
    sys.stderr.flush()
    os._exit(3)
"""
HASTENED = """
from bots.dice import choose as any_turn
def choose(view, clock):
    assert 0 < clock.limit <= clock.left < 60 and clock.increment == 0.1, clock
    return any_turn(view)
"""
HERMIT = """
import os, time
def choose(view):
    os.closerange(3, 64)
    time.sleep(1000)
"""
NOISE = """
import fcntl, os, time
def is_pipe_out(fd):
    try:
        return fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY
    except OSError:
        return False
def choose(view):
    for fd in filter(is_pipe_out, range(3, 64)):
        os.write(fd, bytes([255] * 9))
    time.sleep(1000)
"""


def fault(spec: str, clock: str = HASTY) -> Forfeit:
    """The one forfeit of a game against random, which must end and verify all the same."""
    (game,) = session(spec, "random", clock=clock)
    assert verified(game.text).record == game.record
    (found,) = game.record.forfeits
    return found


@pytest.mark.parametrize(
    ("how", "reason", "word"),
    [
        ("late", Reason.TIME, "no answer in time"),
        ("silent", Reason.TIME, "no answer in time"),
        ("slow:30", Reason.TIME, "no answer in time"),
        ("illegal", Reason.ILLEGAL, "§3.2"),
        ("garbage", Reason.CRASH, "not a River, Lake or Pass"),
        ("raises", Reason.CRASH, "RuntimeError: no more of this"),
        ("dies", Reason.CRASH, "ended with code 7"),
    ],
)
def test_rudeness_forfeits_with_its_reason(
    how: str, reason: Reason, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUDE", how)
    monkeypatch.setenv("RUDE_PLY", "1")
    found = fault(RUDE, clock="1.5+0.1/1.5")
    assert (found.reason, found.seat, found.early) == (reason, 0, False)
    assert word in found.detail


def test_a_bot_that_is_a_little_slow_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUDE", "slow:0.01")
    (game,) = session(RUDE, "random")
    assert game.record.forfeits == ()


def test_the_detail_names_the_line_of_the_author(bot: BotFile) -> None:
    found = fault(bot("def choose(view):\n    x = 1\n    return view.nothing\n"))
    assert found.detail == "line 3: AttributeError: 'View' object has no attribute 'nothing'"


def test_the_line_is_named_for_a_file_in_the_current_folder_too(
    bot: BotFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = bot("def choose(view):\n    raise ValueError\n")
    monkeypatch.chdir(os.path.dirname(file))
    assert fault("mybot.py").detail == "line 2: ValueError: "


def test_a_bot_that_names_the_clock_is_told_its_time(bot: BotFile) -> None:
    (game,) = session(bot(HASTENED), "random", clock=HASTY)
    assert game.record.forfeits == ()


def test_what_a_bot_prints_disturbs_nothing(bot: BotFile) -> None:
    chatty = "import sys\nprint('hello')\ndef choose(view):\n    print('x' * 100_000)\n    sys.stderr.write('y')\n"
    (game,) = session(bot(chatty + "    return next(view.actions())\n"), "random")
    assert game.record.forfeits == ()


def test_the_last_words_of_a_bot_that_dies_are_kept(bot: BotFile) -> None:
    assert fault(bot(DYING)).detail == "the process ended with code 3: out of luck"


def test_the_last_words_of_a_bot_that_prints_without_end_are_kept_and_no_more(bot: BotFile) -> None:
    shouting = "import os\ndef choose(view):\n    for _ in range(2_000):\n        print('x' * 10_000)\n"
    ending = "    print('enough', flush=True)\n    os._exit(3)\n"
    assert fault(bot(shouting + ending)).detail == "the process ended with code 3: enough"


def test_of_what_is_printed_the_end_is_kept() -> None:
    source, sink = os.pipe()
    tail = Tail(source)
    with open(sink, "wb") as pipe:
        pipe.write(b"a" * 3 * KEPT + b"b" * KEPT)
    assert tail.text(10.0) == "b" * KEPT


def test_a_bot_that_hangs_up_but_lives_on_cannot_stop_the_game(bot: BotFile) -> None:
    assert fault(bot(HERMIT)).detail == "the process closed its pipe"


def test_bytes_that_are_no_frame_are_malformed(bot: BotFile) -> None:
    assert fault(bot(NOISE)).reason is Reason.MALFORMED


def test_what_a_bot_has_started_ends_with_it(bot: BotFile, tmp_path_factory: pytest.TempPathFactory) -> None:
    note = tmp_path_factory.mktemp("note") / "pid"
    nest = (
        "import subprocess, time\n"
        "def choose(view):\n"
        f"    open({str(note)!r}, 'w').write(str(subprocess.Popen(['sleep', '1000']).pid))\n"
        "    time.sleep(1000)\n"
    )
    fault(bot(nest), clock="1+0/1")
    started = int(note.read_text())
    deadline = time.monotonic() + 10
    while is_alive(started) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_alive(started)


def test_a_bot_in_a_module_is_somebodys_own_too() -> None:
    (game,) = session("bots.rude:choose", "random")
    assert game.record.head.seats[0] == "rude@local"
    assert game.record.forfeits == ()
