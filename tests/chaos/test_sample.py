"""A sample of the chaos suite, so that it cannot rot; `make chaos` is the proof."""

from pathlib import Path

import pytest

from tests.chaos.__main__ import stopped_clean
from tests.chaos.catalogue import FAULTS
from tests.chaos.field import field_of
from tests.chaos.oracle import finding

SAMPLE = ("A1", "A4", "A6")


@pytest.mark.timeout(600)
def test_a_worker_the_gateway_and_redis_are_killed_and_nothing_is_lost(tmp_path: Path) -> None:
    with field_of(tmp_path, seed=1) as field:
        field.play()
        field.goes_on("its start")
        for fault in FAULTS:
            if fault.case in SAMPLE:
                fault.hurt(field)
        for cup in field.cups:
            field.require(lambda cup=cup: field.is_over(cup), f"{cup} ended")  # type: ignore[misc]
            found = finding(field, cup)
            assert found.clean, found
        assert stopped_clean(field)
