"""Short sessions for tests."""

from collections.abc import Callable
from pathlib import Path

from arena.game import ruleset
from arena.play.local import Finished, Plan, played, schedule

BotFile = Callable[[str], str]
RUDE = str(Path(__file__).parents[2] / "bots" / "rude.py")
HASTY = "2+0.1/2"  # seconds: nothing here needs longer, and who is late is soon found out


def plan(seed: str = "a test", clock: str = "60+0.5/10") -> Plan:
    """What the games of a test share."""
    return Plan("a test", "2026-01-02T03:04:05+00:00", ruleset.DEFAULT, clock, seed.encode())


def session(
    *bots: str, games: int = 1, seats: int = 0, seed: str = "a test", clock: str = "60+0.5/10", jobs: int = 1
) -> list[Finished]:
    """So many games of these bots, played to the end."""
    return list(played(plan(seed, clock), schedule(bots, seats or len(bots), games), jobs))
