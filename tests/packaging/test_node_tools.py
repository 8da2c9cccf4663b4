"""The Node tools are there and start: what other tests build on."""

from __future__ import annotations

import json
import subprocess

import pytest

pytestmark = pytest.mark.node


def test_inspector_lists_the_tools_of_the_everything_server(
    inspector_cli: list[str], everything_server: list[str]
) -> None:
    options = ["--transport", "stdio", "--method", "tools/list", "--format", "json", "--quiet"]
    command = [*inspector_cli, *options, "--", *everything_server]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    assert "echo" in [tool["name"] for tool in json.loads(done.stdout)["result"]["tools"]]
