"""What is imported before ``serve`` answers: no more than it takes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proxy.raw_client import RawClient
from toolnote_desktop.paths import Home

NOT_FOR_PLAIN_CLIENTS = {"mcp", "mcp_types", "httpx2", "starlette", "PySide6", "keyring", "jsonschema", "tomlkit"}


def imported_while(home: Home, log: Path, *methods: str) -> set[str]:
    """The packages that a ``serve`` imports which a client asks for these things in a session."""
    command = [sys.executable, "-m", "toolnote_desktop", "serve", "--home", str(home.root), "--port", "0"]
    with log.open("wb") as stderr:
        environment = {**os.environ, "PYTHONPROFILEIMPORTTIME": "1"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, env=environment)
    try:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        client = RawClient(ready["url"], ready["token"])
        client.initialize()
        for method in methods:
            assert client.request(method).status == 200
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
    names = re.findall(r"^import time:\s+\d+ \|\s+\d+ \|\s+(\w+)", log.read_text(errors="replace"), re.MULTILINE)
    return set(names)


@pytest.mark.skipif(sys.platform == "win32", reason="ended by a signal")
def test_a_plain_client_is_served_without_the_sdk_and_all_that_serve_does_not_need(home: Home, tmp_path: Path) -> None:
    plain = imported_while(home, tmp_path / "plain.log", "ping", "tools/list", "prompts/list", "resources/list")
    assert "toolnote_desktop" in plain
    assert not plain & NOT_FOR_PLAIN_CLIENTS
    odd = imported_while(home, tmp_path / "odd.log", "tools/list", "no/such/method")
    assert "mcp" in odd, "what nobody here answers is the SDK's"
