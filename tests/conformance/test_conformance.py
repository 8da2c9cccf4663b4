"""The conformance suite against real servers, directly and through the proxy: nothing may be worse through it.

The table of both columns is ``test-artifacts/conformance.md``.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.forwarder import with_header
from tests.conformance.suite import ABSENT, EXTENSIONS, SUITES, Outcome, Suite, total, worse
from tests.conformance.twin import twins
from tests.conftest import ARTIFACTS
from tests.node_tools import program
from tests.proxy.running import TOOLSET, running
from tests.servers.launch import http_server, raw_server_entry
from toolnote_desktop.paths import Home

pytestmark = [pytest.mark.node, pytest.mark.timeout(600)]

FIXTURE = Path(__file__).parent.parent / "servers" / "conformance_server.py"
EVERYTHING = "@modelcontextprotocol/server-everything"

EXTENDED: dict[str, Any] = {"extended": True, "http": {"checkHeaders": True}}

Outcomes = Mapping[str, Outcome]
AllOutcomes = Sequence[Outcomes]
"""Of each suite."""

_rows: dict[str, list[tuple[Suite, Outcomes, Outcomes]]] = {}


@pytest.fixture(scope="module", autouse=True)
def table() -> Iterator[None]:
    """Writes down what was found."""
    yield
    if _rows:
        ARTIFACTS.mkdir(exist_ok=True)
        (ARTIFACTS / "conformance.md").write_text(_table(), encoding="utf-8")


@pytest.fixture(scope="module")
def direct(node: str) -> AllOutcomes:
    """The fixture, which speaks both eras, without the proxy."""
    with fixture_over_http() as url:
        return [suite.run(node, url) for suite in SUITES]


def test_the_fixture_over_http(node: str, home: Home, direct: AllOutcomes) -> None:
    """Over HTTP it is spoken to in the era of whoever asks: nothing of either may be lost."""
    with fixture_over_http() as url:
        compare("Fixture, both eras, over HTTP", SUITES, node, direct, home, {"type": "http", "url": url})


def test_the_fixture_over_pipes(node: str, home: Home, direct: AllOutcomes) -> None:
    """A process on pipes settles for one era: clients of either have one that speaks theirs, and lose nothing."""
    compare("Fixture, both eras, over pipes", SUITES, node, direct, home, fixture_entry())


def test_the_fixture_in_the_modern_era_alone(node: str, home: Home, direct: AllOutcomes) -> None:
    compare("Fixture, modern era", SUITES, node, direct, home, fixture_entry("--modern"))


def test_server_everything(node: str, home: Home, everything_server: list[str]) -> None:
    command, *args = everything_server
    entry = {"command": command, "args": args}
    with everything_over_http(node) as url:
        # It has none of the suite's tools, and its SDK answers such calls with a result, which these two take for
        # theirs. Through the proxy they are refused as the specification shows it: -32602, Unknown tool.
        found = [suite.run(node, url) for suite in SUITES[:2]]
    compare("server-everything", SUITES[:2], node, found, home, entry, {"tools-call-simple-text", "tools-call-error"})


@pytest.fixture(scope="module")
def extended(node: str) -> AllOutcomes:
    """The server with extensions, without the proxy."""
    with http_server(**EXTENDED) as server:
        return [EXTENSIONS.run(node, server.url)]


@pytest.mark.parametrize("title", ["over HTTP", "over pipes"])
def test_extensions(node: str, home: Home, extended: AllOutcomes, title: str) -> None:
    """Skills and tasks. Seen red with requests about tasks whose ``Mcp-Name`` was not compared with the body."""
    assert not any(outcome.failed for outcome in extended[0].values())
    with http_server(**EXTENDED) as server:
        http = {"type": "http", "url": server.url}
        entry = http if title == "over HTTP" else raw_server_entry(**EXTENDED, era="modern")
        compare(f"Extensions, {title}", (EXTENSIONS,), node, extended, home, entry)


def test_all_that_a_server_can_have(tmp_path: Path) -> None:
    """Each feature of ``extended.py`` in both eras, over HTTP and pipes: as the server sends it, and as without us."""
    with twins(tmp_path) as both:
        for modern, http in ((False, True), (False, False), (True, True), (True, False)):
            title = f"All features, {'modern' if modern else 'handshake'} era, over {'HTTP' if http else 'pipes'}"
            found = both.features(modern=modern, http=http)
            direct = {name: outcomes[0] for name, outcomes in found.items()}
            through = {name: outcomes[1] for name, outcomes in found.items()}
            assert not any(outcome.failed for outcome in direct.values()), direct
            _rows[title] = [(Suite("messages as the server sends them", "", ()), direct, through)]
            assert not worse(direct, through, frozenset())


def compare(
    title: str,
    suites: tuple[Suite, ...],
    node: str,
    direct: Sequence[Outcomes],
    home: Home,
    entry: dict[str, Any],
    without_tool: Set[str] = frozenset(),
) -> None:
    """Run the suites through the proxy and complain of everything that goes worse than it did directly."""
    # Each suite has a proxy of its own: scenarios change the lists of the server.
    through = []
    for number, suite in enumerate(suites):
        place = Home(home.root / str(number))
        served = {**entry, "toolnote": {"prefix": "", "toolset": TOOLSET}}
        with running(place, {"one": served}) as proxy:
            authorization = f"Authorization: Bearer {proxy.endpoint.token}"
            with with_header(proxy.endpoint.url, authorization) as url:
                through.append(suite.run(node, url))
    _rows[title] = list(zip(suites, direct, through, strict=True))
    complaints = []
    for suite, before, after in _rows[title]:
        for scenario in without_tool:
            assert "Unknown tool: test_" in "".join(after[scenario].reasons)
        complaints += [f"{suite.title}: {line}" for line in worse(before, after, without_tool)]
    assert not complaints, "\n".join(complaints)


def fixture_entry(*options: str) -> dict[str, Any]:
    """The fixture over stdio."""
    return {"command": sys.executable, "args": [str(FIXTURE), *options]}


@contextmanager
def fixture_over_http() -> Iterator[str]:
    """The fixture over streamable HTTP."""
    command = [sys.executable, str(FIXTURE), "--http"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["url"]
        finally:
            process.kill()


@contextmanager
def everything_over_http(node: str) -> Iterator[str]:
    """server-everything over streamable HTTP; it cannot choose a free port itself."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [node, str(program(EVERYTHING, "mcp-server-everything")), "streamableHttp"]
    environment = {**os.environ, "PORT": str(port)}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment) as process:
        try:
            assert process.stderr is not None
            line = b""
            while b"listening" not in line:
                line = process.stderr.readline()
                assert line, "server-everything did not start"
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.kill()


def _table() -> str:
    lines = ["# Conformance", "", "Checks passed/failed, directly and through the proxy.", ""]
    for title, runs in _rows.items():
        for suite, direct, through in runs:
            lines += [f"## {title}: {suite.title}", "", "| scenario | direct | through |", "| --- | --- | --- |"]
            lines.append(f"| **all** | **{total(direct)}** | **{total(through)}** |")
            for scenario in sorted(direct.keys() | through.keys()):
                before, after = direct.get(scenario, ABSENT), through.get(scenario, ABSENT)
                mark = " ←" if after.is_worse_than(before) else ""
                lines.append(f"| {scenario} | {before} | {after}{mark} |")
            lines.append("")
    return "\n".join(lines)
