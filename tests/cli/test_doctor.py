"""`arena doctor`: says which engine runs and what is missing."""

import json

from arena.game import engine
from tests.cli.conftest import Arena


def test_the_doctor_names_the_engine(arena: Arena) -> None:
    said = arena("doctor", "--json")
    assert said.code == 0
    found = json.loads(said.out)
    assert found["engine"]["found"].startswith(engine.ENGINE)
    assert not any(one["wrong"] for one in found.values())


def test_the_doctor_speaks_to_people_too(arena: Arena) -> None:
    said = arena("doctor")
    assert said.code == 0
    assert engine.ENGINE in said.out
