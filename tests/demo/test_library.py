"""The demo library fits the demo servers and the model: a change in one shows here."""

from __future__ import annotations

import pytest

from toolnote_desktop.demo import handbook, tracker
from toolnote_desktop.demo.library import demo_servers, demo_toolset
from toolnote_desktop.demo.server import DemoServer
from toolnote_desktop.model.tools.tool import Tool, malformed_reason, ref_id
from toolnote_desktop.model.toolsets.toolset import parse_toolset

SERVERS = {"tracker": tracker.tracker(), "handbook": handbook.handbook()}


def test_demo_toolset_refers_to_tools_by_name_and_ref_id() -> None:
    wanted = {
        f"{server_id}.{tool.name}": ref_id(server_id, tool.definition)
        for server_id, server in SERVERS.items()
        for tool in server.tools.values()
    }
    document = demo_toolset()
    assert {tool["namespacedName"]: tool["refId"] for tool in document["tools"]} == wanted
    for group in document["toolNotes"]:
        reference = group["toolRef"]
        assert wanted[reference["namespacedName"]] == reference["refId"]


@pytest.mark.parametrize("server", SERVERS.values(), ids=SERVERS)
def test_definitions_are_sound(server: DemoServer) -> None:
    for tool in server.tools.values():
        assert malformed_reason(tool.definition) is None
        assert Tool("demo", tool.definition).valid.changes == ()


def test_the_toolset_reads_without_a_complaint() -> None:
    complaints: list[tuple[str, str]] = []
    toolset = parse_toolset("demo", demo_toolset(), lambda entry, reason: complaints.append((entry, reason)))
    assert complaints == []
    assert toolset.title == "Demo tools"
    assert len(toolset.tools) == sum(len(server.tools) for server in SERVERS.values())
    assert [len(group.notes) for group in toolset.notes] == [3, 2]


def test_the_entries_run_the_hidden_command() -> None:
    entries = demo_servers(["/opt/python", "-m", "toolnote_desktop"])
    assert set(entries) == set(SERVERS)
    assert entries["tracker"] == {
        "type": "stdio",
        "command": "/opt/python",
        "args": ["-m", "toolnote_desktop", "demo-server", "tracker"],
    }
