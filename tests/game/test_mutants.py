"""The proofs would find a wrong rule: faults put in by hand. `python -m tests.game.mutants` tries all of them."""

import pytest

from tests.game.mutants import FAULTS, broken, caught

SAMPLE = (
    "§3.5 as many pieces as the emptied tile shows",
    "§6.2 satchels are filled from seat 0",
    "§8.5 passes are free",
)


def test_every_fault_still_breaks_a_rule_of_today() -> None:
    assert len({broken(fault) for fault in FAULTS}) == len(FAULTS) >= 40


@pytest.mark.parametrize("rule", SAMPLE)
def test_a_fault_is_caught(rule: str) -> None:
    (fault,) = (fault for fault in FAULTS if fault.rule == rule)
    assert caught(fault)
