"""`arena strength`: says how far apart two bots are, and fails where that is too little."""

import json

import pytest

from tests.cli.conftest import Arena

pytest.importorskip("sqlalchemy")
FEW = ("--games", 16, "--jobs", 1, "--json")


def test_greedy_is_far_above_random_at_both_table_sizes(arena: Arena) -> None:
    said = arena("strength", "--bots", "greedy,random", "--seats", "2,4", *FEW)
    assert said.code == 0
    assert [(one["seats"], one["share"] > 0.9) for one in json.loads(said.out)] == [(2, True), (4, True)]


def test_bots_in_the_wrong_order_fail(arena: Arena) -> None:
    assert arena("strength", "--bots", "random,greedy", "--seats", "2", *FEW).code == 1


@pytest.mark.parametrize("bots", ["greedy", "greedy,greedy", "greedy,random,greedy", "greedy,nobody"])
def test_anything_but_different_known_bots_is_refused(arena: Arena, bots: str) -> None:
    said = arena("strength", "--bots", bots, "--seats", "2", *FEW)
    assert (said.code, said.out) == (2, "")
    assert bots.rpartition(",")[2] in said.err


def test_the_same_seed_measures_the_same(arena: Arena) -> None:
    command = ("strength", "--bots", "greedy,student", "--seats", "2", *FEW)
    assert arena(*command).out == arena(*command).out


def test_the_table_says_who_is_how_far_above_whom(arena: Arena) -> None:
    said = arena("strength", "--bots", "greedy,random", "--seats", "2", "--games", 16, "--jobs", 1)
    assert "greedy over random" in said.out
