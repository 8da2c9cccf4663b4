"""What people paste to add tools is understood, and named as they would."""

from __future__ import annotations

import sys

import pytest

from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.add_servers.recognise_paste import recognise

OURSELVES = ToolnoteIdentity()


@pytest.mark.parametrize(
    ("pasted", "name", "entry"),
    [
        (
            "uvx mcp-server-git --repository /tmp/my\\ work",
            "git",
            {"command": "uvx", "args": ["mcp-server-git", "--repository", "/tmp/my work"]},
        ),
        (
            "$ GITHUB_TOKEN=abc npx -y @modelcontextprotocol/server-github@latest",
            "github",
            {
                "command": "npx",
                "args": ["-y", "@modelcontextprotocol/server-github@latest"],
                "env": {"GITHUB_TOKEN": "abc"},
            },
        ),
        ("uvx --from git+https://x/y.git serena-mcp", "serena", None),
        ("docker run -i --rm -e TOKEN mcp/grafana:latest", "grafana", None),
        ("python3 -m mcp_server_time", "time", None),
        ("/opt/tools/linear-mcp-server.exe --x", "linear", None),
        ("https://mcp.linear.app/mcp", "linear", {"type": "http", "url": "https://mcp.linear.app/mcp"}),
        ("https://mcp.asana.com/sse", "asana", {"type": "sse", "url": "https://mcp.asana.com/sse"}),
        ("http://127.0.0.1:8000/mcp", "local", {"type": "http", "url": "http://127.0.0.1:8000/mcp"}),
        (
            "claude mcp add --transport http --header 'Authorization: Bearer x' sentry https://mcp.sentry.dev/mcp",
            "sentry",
            {"type": "http", "url": "https://mcp.sentry.dev/mcp", "headers": {"Authorization": "Bearer x"}},
        ),
        (
            "claude mcp add airtable --env KEY=1 -- npx -y airtable-mcp-server",
            "airtable",
            {"command": "npx", "args": ["-y", "airtable-mcp-server"], "env": {"KEY": "1"}},
        ),
        (
            '```json\n{"mcpServers": {"notion": {"command": "npx", "args": ["notion"]}}}\n```',
            "notion",
            {"command": "npx", "args": ["notion"]},
        ),
        ('"notion": {"url": "https://x.example/mcp"},', "notion", {"type": "http", "url": "https://x.example/mcp"}),
    ],
)
def test_paste_of_one_server(pasted: str, name: str, entry: dict[str, object] | None) -> None:
    if sys.platform == "win32" and "\\" in pasted:
        pytest.skip("a backslash is part of a path there")
    reading = recognise(pasted, OURSELVES)
    assert [candidate.found_as for candidate in reading.candidates] == [name]
    assert reading.warnings == ()
    if entry is not None:
        assert reading.candidates[0].entry == entry


@pytest.mark.parametrize(
    "pasted", ["npx 'not closed", '{"mcpServers": {"x": {"args": []}}}', "claude mcp add", "A=1", '{"mcpServers": ']
)
def test_paste_that_cannot_be_used_says_why(pasted: str) -> None:
    reading = recognise(pasted, OURSELVES)
    assert reading.candidates == ()
    assert reading.warnings != ()


@pytest.mark.parametrize("pasted", ["", "  \n", "```\n```"])
def test_paste_of_nothing_is_nothing(pasted: str) -> None:
    assert recognise(pasted, OURSELVES).candidates == ()


def test_several_servers_come_in_their_order() -> None:
    reading = recognise('{"mcpServers": {"b": {"command": "x"}, "a": {"url": "https://a.example"}}}', OURSELVES)
    assert [candidate.found_as for candidate in reading.candidates] == ["b", "a"]


def test_toolnote_itself_is_no_source() -> None:
    reading = recognise('{"mcpServers": {"me": {"command": "toolnote", "args": ["bridge"]}}}', OURSELVES)
    assert reading.candidates == ()
