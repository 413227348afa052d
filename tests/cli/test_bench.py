"""`arena bench engine`: compares, and refuses to compare different games."""

import json

import pytest

from arena.bench import engine, install
from arena.bench.rows import Compared, measured, rows
from arena.errors import BadInput
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
