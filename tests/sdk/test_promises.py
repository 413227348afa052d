"""What the SDK promises before it connects to anything."""

import statistics
import subprocess
import sys

import pytest

from arena.sdk.client import LONGEST_WAIT, pause

CHANCES = [number / 500 for number in range(500)]


def test_five_hundred_bots_do_not_come_back_at_once() -> None:
    waits = [pause(20, chance) for chance in CHANCES]
    assert statistics.stdev(waits) / statistics.mean(waits) >= 0.25


@pytest.mark.parametrize("failures", [0, 1, 5, 1000])
def test_a_pause_is_bounded_and_never_nothing(failures: int) -> None:
    assert all(0 < pause(failures, chance) <= LONGEST_WAIT for chance in CHANCES)


def test_pauses_grow_with_failures() -> None:
    waits = [pause(failures, 0.5) for failures in range(5)]
    assert waits == sorted(set(waits))


@pytest.mark.parametrize("module", ["grpc", "google.protobuf", "numpy", "typer", "rich", "arena.v1"])
def test_importing_the_sdk_stays_light(module: str) -> None:
    code = f"import sys, arena.sdk; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
