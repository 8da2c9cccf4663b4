"""What several modules here begin with."""

from __future__ import annotations

import pytest

from toolnote_desktop.proxy.aio import time_slices
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.store.library import Library


@pytest.fixture
def registry(library: Library) -> Registry:
    """The registry of a module's own ``library``, which has listed nothing yet."""
    registry = Registry(library)
    registry.apply(library.snapshot.servers)
    return registry


@pytest.fixture
def yielding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step is a slice of its own."""
    monkeypatch.setattr(time_slices, "SLICE", 0.0)
