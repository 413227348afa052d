"""Fixtures that every test may ask for; in CI a skipped test is a failure."""

import os

import hypothesis
import pytest

from arena.game.engine import is_stale

pytest_plugins = ["tests.services", "tests.redis_service"]
CI = os.environ.get("CI") == "true"
skipped: list[str] = []

# no deadlines, as the machine may be busy; no example database, as a run leaves no file behind
hypothesis.settings.register_profile("arena", deadline=None, database=None, derandomize=CI)
hypothesis.settings.load_profile("arena")


def pytest_sessionstart() -> None:
    """Test what stands in the source."""
    if is_stale():
        pytest.exit("arena/game/rules.py has changed since it was compiled; run: make native", returncode=3)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember what was skipped."""
    if report.skipped and not hasattr(report, "wasxfail"):
        skipped.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI everything must have run."""
    if CI and skipped and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what CI will not accept."""
    if CI and skipped:
        terminalreporter.write_line(f"CI allows no skip, but {len(skipped)} tests were skipped: {skipped[0]} ...")
