"""Faults put into the rules by hand, one at a time; the proofs must find each: python -m tests.game.mutants

A fault of the rules must make the engine differ from the oracle, one in what is refused or in the decisions must fail
their tests. A proof that does not come to an end has found its fault too.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from arena.game import rules
from tests.game.copies import ROOT, copied, environment

GAMES = 120  # of each size, at most; most faults show in the first
AGREEMENT = ("-m", "tests.game.agreement", "--games", str(GAMES))
PATIENCE = 60  # seconds
REFUSALS = ("-m", "pytest", "-qx", "-p", "no:cacheprovider", str(ROOT / "tests/game/test_legal.py"))
DECISIONS = ("-m", "pytest", "-qx", "-p", "no:cacheprovider", str(ROOT / "tests/game/test_decisions.py"))


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule broken: the text of rules.py that is right, and what stands there instead."""

    rule: str
    right: str
    wrong: str
    proof: tuple[str, ...] = AGREEMENT


FAULTS = (
    Fault("§2.3 a tile gets one piece whatever it shows", "fill_tile(s, index, s.stones[s.river[index]])", "fill_tile(s, index, 1)"),
    Fault("§2.4 four pieces in the lake at the start", "for _ in range(LAKE):  # §2.4", "for _ in range(LAKE - 1):"),
    Fault("§2.5 two pieces in a satchel at the start", "START = 3", "START = 2"),
    Fault("§2.6 turns go the other way", "return s.ply % s.players", "return (s.players - s.ply % s.players) % s.players"),
    Fault("§2.7 river refills come from the back", "put_on_tile(s, tile, draw_front(s))", "put_on_tile(s, tile, draw_back(s))"),
    Fault("§2.7 lake refills come from the front", "put_in_lake(s, draw_back(s))", "put_in_lake(s, draw_front(s))"),
    Fault("§3.1 a pair of two shapes may be placed", "pieces[0] % SHAPES != pieces[1] % SHAPES", "False", REFUSALS),
    Fault("§3.1 one piece may go anywhere", "pieces[0] % SHAPES != s.river[tile]", "False", REFUSALS),
    Fault("§3.1 the piece stays in the satchel", "    drop_from_satchel(s, mover(s), kind)\n    put_on_tile", "    put_on_tile"),
    Fault("§3.2 the tile placed on is collected", "finish_river(s, tile + side)", "finish_river(s, tile)"),
    Fault("§3.4 the emptied tile stays", "    flow(s, target)\n", ""),
    Fault("§3.4 the tiles flow one place too far", "for index in range(tile, 0, -1):", "for index in range(min(5, tile + 1), 0, -1):"),
    Fault("§3.5 as many pieces as the emptied tile shows", "s.stones[s.river[1]])  # §3.5", "s.stones[s.river[0]])"),
    Fault("§4.1 three lake pieces are taken", "TAKE = 4", "TAKE = 3"),
    Fault("§4.2 six pieces may be held", "SATCHEL = 5", "SATCHEL = 6"),
    Fault("§4.2 what is given up is forgotten", "    put_in_overflow(s, mover(s), kind)\n", ""),
    Fault("§4.4 the lake is refilled to four", "while s.lake_count < LAKE and", "while s.lake_count < LAKE - 1 and"),
    Fault("§5.1 a column holds one piece more", "s.height[seat * COLUMNS + column] == s.rows", "s.height[seat * COLUMNS + column] == s.rows + 1"),
    Fault("§5.2 a full column swallows pieces", "        put_in_overflow(s, seat, kind)\n        return\n", "        return\n"),
    Fault("§5.3 new columns open from the right", "    for column in range(COLUMNS):\n        if s.owner[seat", "    for column in range(COLUMNS - 1, -1, -1):\n        if s.owner[seat"),
    Fault("§5.5 the order of new colours is ignored", "    for colour in colours:  # §5.5", "    for colour in sorted(colours):"),
    Fault("§6.1 sixteen pieces trigger the end", "TRIGGER = 17", "TRIGGER = 16"),
    Fault("§6.1 overflow counts", "s.placed[seat] >= TRIGGER", "s.placed[seat] + s.overflow_count[seat] >= TRIGGER"),
    Fault("§6.2 satchels are filled from seat 0", "fill_satchel(s, (seat + step) % s.players)", "fill_satchel(s, step)"),
    Fault("§6.2 satchels are not filled", "        fill_satchel(s, (seat + step) % s.players)", "        pass"),
    Fault("§6.3 the lake stays open", "return s.trigger == NOBODY and s.lake_count > 0", "return s.lake_count > 0"),
    Fault("§6.4 the game ends with the round", "(s.ply // s.players + 2) * s.players", "(s.ply // s.players + 1) * s.players"),
    Fault("§6.4 everybody gets one turn more, counted from the trigger", "(s.ply // s.players + 2) * s.players", "s.ply + s.players + 1"),
    Fault("§6.5 no refill in the last stage", "if s.trigger == NOBODY or s.refills:", "if s.trigger == NOBODY:"),
    Fault("§7.1 gaps do not end a row", "while length < COLUMNS and s.height", "while length < COLUMNS - 1 and s.height"),
    Fault("§7.2 ties go to the rightmost column", "s.height[seat * COLUMNS + column] > s.height[seat * COLUMNS + best]", "s.height[seat * COLUMNS + column] >= s.height[seat * COLUMNS + best]"),
    Fault("§7.2 only the tallest column scores", " + column_value(s, seat, second)", ""),
    Fault("§7.4 overflow costs two", "PENALTY = 3", "PENALTY = 2"),
    Fault("§8.2 a short lake is closed", "s.trigger == NOBODY and s.lake_count > 0", "s.trigger == NOBODY and s.lake_count >= TAKE"),
    Fault("§8.5 passes are free", "    if not must_pass(s):\n", "    if False:\n", REFUSALS),
    Fault("§8.6 a round of passes does not end the game", "s.over = s.passes == s.players", "s.over = False"),
    Fault("§8.6 passes are not forgotten after a round", "        s.passes = 0\n", "        pass\n"),
    Fault("decisions: right and left are swapped", "aim(s, tile + 2 * (decision % 2) - 1)", "aim(s, tile + 1 - 2 * (decision % 2))", DECISIONS),
    Fault("decisions: the last tile is collected twice", "if tile < SHAPES - 1:", "if tile < SHAPES:", DECISIONS),
    Fault("decisions: equal pieces are listed twice", "first = one == 0 or s.satchel[base + one] != s.satchel[base + one - 1]", "first = True", DECISIONS),
    Fault("decisions: the wrong lake piece stays", "if whole or index != stays:", "if whole or index == stays:", DECISIONS),
    Fault("decisions: pieces are given up in any order", "    s.least = slot\n", "    s.least = 0\n", DECISIONS),
    Fault("decisions: one new colour is asked for too", "colour_options(s) < 2:", "colour_options(s) < 1:", DECISIONS),
    Fault("decisions: a turn goes on when no column is free", "s.owner[last] != NOBODY or", "", DECISIONS),
    Fault("decisions: one piece too few is given up", "s.owed = discard_count(s)\n", "s.owed = max(0, discard_count(s) - 1)\n", DECISIONS),
)  # fmt: skip


def caught(fault: Fault) -> bool:
    """Whether the proof fails on the rules with this fault."""
    with tempfile.TemporaryDirectory() as folder:
        package = copied(Path(folder))
        (package / "game" / "rules.py").write_text(broken(fault), "utf-8")
        command, env = [sys.executable, "-P", *fault.proof], environment(Path(folder))
        try:
            done = subprocess.run(command, cwd=folder, env=env, check=False, capture_output=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return True
    return done.returncode != 0


def broken(fault: Fault) -> str:
    """The source with the fault; raises ValueError if the text that is right stands nowhere any more."""
    source = Path(rules.__file__).with_name("rules.py").read_text("utf-8")
    if fault.right not in source:
        raise ValueError(f"{fault.rule}: nothing reads {fault.right!r} any more")
    return source.replace(fault.right, fault.wrong, 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all faults and list them."""
    parser = argparse.ArgumentParser(prog="python -m tests.game.mutants", description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    missed = 0
    with ThreadPoolExecutor(given.jobs) as pool:
        for fault, found in zip(FAULTS, pool.map(caught, FAULTS), strict=True):
            missed += not found
            print(f"{'caught' if found else 'MISSED'}  {fault.rule}", flush=True)
    print(f"{len(FAULTS) - missed} of {len(FAULTS)} faults caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
