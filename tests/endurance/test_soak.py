"""Short form of the soak (``packaging/dev.py soak``)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.endurance.kills import kills
from tests.endurance.soak import Report, soak

FEW_MEGABYTES = 12 * 1024 * 1024
"""In so short a run, caches of a fixed size are still being filled."""


@pytest.mark.once
@pytest.mark.skipif(sys.platform == "win32", reason="ended by a signal")
def test_after_sessions_calls_edits_crashes_and_bridges_everything_is_as_it_was(user_folder: Path) -> None:
    report = soak(0.01, user_folder, floor=FEW_MEGABYTES)
    assert report.faults == [], report.markdown()
    assert report.done["crashes"] > 0
    assert report.done["bridges"] > 0
    assert report.done["calls"] == 1000


@pytest.mark.once
@pytest.mark.skipif(sys.platform == "win32", reason="ended by a signal")
def test_nothing_acknowledged_is_lost_by_kills(user_folder: Path) -> None:
    found = kills(user_folder, 2)
    assert found.faults == []
    assert found.done["kills"] == 2
    assert found.done["writes of a client"] > 0


def test_soak_growth_that_remains_is_a_fault() -> None:
    before = dict.fromkeys(("rss", "fds", "threads", "children", "tasks", "sessions", "connections"), 100)
    report = Report(1.0, before=before, after={**before, "rss": 111, "fds": 103, "children": 101})
    report.judge()
    assert [fault.partition(":")[0] for fault in report.faults] == ["memory", "fds", "children"]
    fine = Report(1.0, before=before, after={**before, "rss": 110, "tasks": 90})
    fine.judge()
    assert fine.faults == []
    assert "Everything came back." in fine.markdown()
