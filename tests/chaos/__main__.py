"""`python -m tests.chaos`: breaks an arena on purpose and prints what that cost."""

import argparse
import json
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from tests.chaos.catalogue import FAULTS, Fault
from tests.chaos.field import Field, Stuck, field_of
from tests.chaos.oracle import Finding, finding


@dataclass(frozen=True, slots=True)
class Row:
    """A fault, how long each recovery took in seconds, and what its tournaments looked like afterwards."""

    fault: Fault
    took: tuple[float, ...]
    after: tuple[Finding, ...]

    @property
    def clean(self) -> bool:
        """Whether it was survived without a loss."""
        return all(one.clean for one in self.after)


def storm(field: Field, fault: Fault, times: int, games: int) -> Row:
    """Inject a fault again and again while games are played, then let them end; raises Stuck."""
    field.games, before, took = games, len(field.cups), []
    field.play()
    field.goes_on("its start")
    for number in range(times):
        field.rest()
        field.play()
        took.append(fault.hurt(field))
        print(f"{fault.name} {number + 1}/{times}: {took[-1]:.1f} s", file=sys.stderr, flush=True)
    cups = field.cups[before:]
    for cup in cups:
        field.require(lambda cup=cup: field.is_over(cup), f"{cup} ended", 900.0)  # type: ignore[misc]
    return Row(fault, tuple(took), tuple(finding(field, cup) for cup in cups))


def report(rows: Sequence[Row]) -> Table:
    """The table of all storms."""
    table = Table(title="Faults injected into a running arena")
    for column in ("fault", "case", "times", "recovered in, median", "longest", "games", "lost", "begun again"):
        table.add_column(column, justify="left" if column in ("fault", "case") else "right")
    table.add_column("forfeits wrongly charged", justify="right")
    table.add_column("oracle")
    for row in rows:
        after = row.after
        totals = (
            sum(one.scheduled for one in after),
            sum(one.lost for one in after),
            sum(one.begun_again for one in after),
            sum(one.forfeits for one in after),
        )
        times = (str(len(row.took)), f"{median(row.took):.1f} s", f"{max(row.took):.1f} s")
        table.add_row(row.fault.name, row.fault.case, *times, *map(str, totals), "ok" if row.clean else "FAILED")
    return table


def stopped_clean(field: Field) -> bool:
    """Whether nothing is left after a polite end."""
    field.home.signal(signal.SIGINT)
    return field.home.wait(120.0) == 0 and field.home.left() == ()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the storms that were asked for; 0 if all were survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--short", action="store_true", help="few of each kind, at most ten minutes")
    parser.add_argument("--only", nargs="*", default=[], help="kinds by case, as A1 A4")
    parser.add_argument("--games", type=int, default=0, help="games per storm (300, short: 28)")
    parser.add_argument("--times", type=int, default=0, help="how often each fault is injected")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    games = chosen.games or (28 if chosen.short else 300)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder, field_of(Path(folder), chosen.seed) as field:
        try:
            for fault in FAULTS:
                if chosen.only and not set(fault.case.split()) & set(chosen.only):
                    continue
                if not fault.is_possible(field):
                    print(f"left out, this machine does not allow it: {fault.name}", file=sys.stderr)
                else:
                    times = chosen.times or (fault.short if chosen.short else fault.times)
                    rows.append(storm(field, fault, times, games))
            clean = stopped_clean(field)
        except Stuck as stuck:
            print(f"STUCK: {stuck}\n{field.home.log[-4000:]}", file=sys.stderr)
            clean = False
    if chosen.json:
        print(
            json.dumps(
                [{"fault": row.fault.name, "took": row.took, "after": list(map(asdict, row.after))} for row in rows]
            )
        )
    else:
        Console(width=160).print(report(rows))
        print(f"load {os.getloadavg()[0]:.1f}; {'no process left' if clean else 'NOT CLEAN: see above'}")
    return 0 if clean and all(row.clean for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
