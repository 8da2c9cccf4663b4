"""Fixtures for the bridge's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.harness import App
from toolnote_desktop.paths import Home

StartApp = Callable[..., App]


@pytest.fixture
def start_app(home: Home, tmp_path: Path) -> Iterator[StartApp]:
    """Start a stand-in for the app with a scenario of ``tests/servers``."""
    apps: list[App] = []

    def start(**scenario: Any) -> App:
        app = App(home, tmp_path, **scenario)
        apps.append(app)
        app.start()
        return app

    yield start
    for app in apps:
        app.kill()
