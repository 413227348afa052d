"""`arena bench engine`: compares, and refuses to compare different games."""

import json

import pytest

from arena.bench import engine, install
from arena.bench.instant import first
from arena.bench.moves import Moves, medians
from arena.bench.rows import Compared, measured, rows
from arena.errors import BadInput
from arena.game import position, ruleset
from arena.game.view import view
from tests.cli.conftest import Arena


def test_the_engine_is_measured_beside_the_interpreter_and_plain_c(arena: Arena) -> None:
    said = arena("bench", "engine", "--rounds", 1, "--json")
    assert said.code == 0
    found = {row["peer_name"]: row for row in json.loads(said.out)}
    assert {"plain C", "plain C on two threads", "interpreted", "interpreted playout"} <= found.keys()
    assert found["interpreted"]["ratio"] == pytest.approx(found["interpreted"]["peer"] / found["interpreted"]["ours"])
    assert {"name", "unit", "ours", "peer", "ratio"} <= found["plain C"].keys()


def test_a_base_install_stays_under_40_megabytes(arena: Arena) -> None:
    said = arena("bench", "install", "--rounds", 1, "--json")
    assert said.code == 0
    size, start = json.loads(said.out)
    assert 5 < size["ours"] < 40
    assert start["ours"] > 0
    assert {"grpcio", "pygments", "rich"} <= install.needed("glassworks-arena")
    assert not {"numpy", "redis", "sqlalchemy"} & install.needed("glassworks-arena")


def test_other_games_than_the_yardstick_are_refused(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "SEED", 8)
    with pytest.raises(BadInput, match="different games"):
        engine.probes(tmp_path)  # type: ignore[arg-type]


def test_rows_are_medians_and_ratios_of_what_was_measured_in_turn() -> None:
    order: list[str] = []
    values = {"a": iter([1.0, 9.0, 2.0]), "b": iter([4.0, 4.0, 40.0])}

    def probe(name: str) -> float:
        order.append(name)
        return next(values[name])

    found = measured({"a": lambda: probe("a"), "b": lambda: probe("b")}, 3, lambda *_: None)
    (row,) = rows([Compared("x", "ns", "a", "b", 3.0), Compared("y", "ns", "a", "missing")], found)
    assert order == ["a", "b"] * 3
    assert (row.ours, row.peer, row.ratio) == (2.0, 4.0, 2.0)


def test_moves_are_measured_through_a_real_arena_beside_a_raw_relay(arena: Arena) -> None:
    said = arena("bench", "moves", "--rounds", 1, "--seconds", 0.5, "--json")
    assert said.code == 0
    one, ten, hundred = json.loads(said.out)["moves"]
    assert (one["games"], ten["games"], hundred["games"]) == (1, 10, 100)
    assert all(0 < row["p50"] <= row["p99"] and row["rate"] > 0 and row["raw"] > 0 for row in (one, ten, hundred))


def test_a_bot_that_answers_at_once_answers_legally_to_the_end() -> None:
    for seed in range(20):
        state = position.opened(ruleset.named(), 2 + seed % 4, bytes([seed]) * 32)
        while not state.over:
            state = position.advance(state, first(view(state, ruleset.named())))


def test_medians_of_rounds_are_taken_column_by_column() -> None:
    rounds = [Moves(1, rate, 1 / rate, 2.0, 3.0, 7.0) for rate in (1.0, 9.0, 2.0)]
    assert medians(rounds) == Moves(1, 2.0, 0.5, 2.0, 3.0, 7.0)
