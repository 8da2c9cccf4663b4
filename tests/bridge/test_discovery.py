"""The bridge gives its secret to the app of this user on this computer alone (issue 15 item 7, red team L3).

Seen red without ``_is_loopback`` (192.0.2.2 got the secret) and without ``belongs_to_user``.
"""

from __future__ import annotations

import json
import os
import sys

import pytest

from toolnote_desktop.bridge.app_discovery import is_running, read_endpoint
from toolnote_desktop.paths import Home


def put_endpoint(home: Home, url: str) -> None:
    home.run.mkdir(parents=True, exist_ok=True)
    home.endpoint.write_text(json.dumps({"url": url, "pid": os.getpid(), "bridgeSecret": "s"}))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "[::1]", "localhost"])
def test_address_of_this_computer_is_used(home: Home, host: str) -> None:
    put_endpoint(home, f"http://{host}:8377/mcp")
    endpoint = read_endpoint(home)
    assert endpoint is not None
    assert endpoint.port == 8377


@pytest.mark.parametrize(
    "host", ["192.0.2.2", "example.org", "127.example.org", "127.0.0.1.example.org", "127.0.0", "0.0.0.0", "[::]", ""]
)
def test_other_address_is_not_used(home: Home, host: str) -> None:
    put_endpoint(home, f"http://{host}:8377/mcp")
    assert read_endpoint(home) is None


def test_a_file_with_a_time_that_no_clock_has_is_not_used(home: Home) -> None:
    """Seen red: each command that asks the running app ended with an unexpected error."""
    put_endpoint(home, "http://127.0.0.1:8377/mcp")
    content = json.loads(home.endpoint.read_text())
    home.endpoint.write_text(json.dumps({**content, "startTime": 10**400}))
    assert read_endpoint(home) is None


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="another user's file, which root can make")
@pytest.mark.parametrize("name", ["run", "endpoint"])
def test_file_of_another_user_is_not_used(home: Home, name: str) -> None:
    put_endpoint(home, "http://127.0.0.1:8377/mcp")
    os.chown(getattr(home, name), 65534, 65534)
    assert read_endpoint(home) is None


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_process_of_another_user_with_the_apps_id_is_not_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: where it may not be signalled, it counted as the app whenever it had started."""

    def refuse(pid: int, number: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    assert not is_running(os.getpid(), 1_000_000_000.0)
