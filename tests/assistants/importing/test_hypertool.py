"""hypertool-mcp's own folder and its personas: servers, toolsets with their notes, groups."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.assistants.machines import OURSELVES, machine, machines, put
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.importing.candidates import merge_results
from toolnote_desktop.assistants.importing.hypertool import (
    ImportOffer,
    find_hypertool,
    folder_edits,
    is_persona,
    read_folder,
    read_servers,
)
from toolnote_desktop.assistants.importing.sources import scan_machine
from toolnote_desktop.error_messages import english
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.toolsets.toolset import parse_toolset

NOW = "2026-01-01T00:00:00Z"
NOTE = {"name": "team-selection", "note": "Ask which team first."}
CONFIG = {
    "version": "1.0.0",
    "lastEquippedToolset": "coding",
    "toolsets": {
        "coding": {
            "name": "coding",
            "description": "For the shop",
            "version": "1.0.0",
            "createdAt": "2025-06-01T10:00:00.000Z",
            "tools": [
                {"namespacedName": "git.git_status", "refId": "aa"},
                {"namespacedName": "git.lab.issues", "refId": "bb"},
            ],
            "toolNotes": [
                {"toolRef": {"namespacedName": "git.git_status", "refId": "aa"}, "notes": [NOTE]},
            ],
        }
    },
}
PERSONA = """name: web-dev
description: What a web developer needs
version: "2.1"
toolsets:
  - name: frontend
    toolIds:
      - npm.install
      - browser.test
  - name: review
    toolIds: [git.git_diff]
  - toolIds: [x.y]
defaultToolset: frontend
"""


def server(command: str, *args: str) -> dict[str, Any]:
    return {"type": "stdio", "command": command, "args": list(args)}


def fill(folder: Path) -> None:
    put(folder / "config.json", json.dumps(CONFIG, indent=2))
    put(folder / "mcp.json", json.dumps({"mcpServers": {"git": server("uvx", "mcp-server-git")}}))
    put(folder / "mcp/cursor.json", json.dumps({"mcpServers": {"git.lab": server("lab"), "time": server("t")}}))
    put(folder / "groups.json", '{"groups": [\n{"name": "Daily Work", "serverIds": ["git", "time"]},\n["odd"]\n]}')
    put(folder / "personas/web-dev/persona.yaml", PERSONA)
    put(folder / "personas/web-dev/mcp.json", json.dumps({"mcpServers": {"npm": server("npm-mcp")}}))
    put(folder / "personas/README.md", "no persona")


def states(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def applied(found: ImportOffer, existing: dict[str, Any], **options: Any) -> dict[str, Any]:
    """The documents after everything was chosen."""
    reading = merge_results(found.servers, existing)
    ids = {candidate.id for candidate in reading.candidates}
    documents: dict[str, Any] = {"servers.json": {"mcpServers": existing}}
    for edit in folder_edits(found, reading.candidates, ids, {one.name for one in found.toolsets}, **options):
        documents[str(edit.document)], _ = edit.apply(documents.get(str(edit.document)))
    return documents


def test_hypertool_folder_is_read_on_three_systems(tmp_path: Path) -> None:
    for environment in machines(tmp_path):
        assert find_hypertool(environment) is None
        folder = environment.home / ".toolprint" / "hypertool-mcp"
        fill(folder)
        before = states(folder)
        assert find_hypertool(environment) == folder
        found = read_folder(folder, OURSELVES, taken=["coding"], now=NOW)
        (told,) = found.warnings  # nothing is lost without a word
        assert english(told).endswith("persona.yaml, line 11: toolset 3 was left out: it has no name")
        assert [toolset.name for toolset in found.toolsets] == [
            "coding-2",
            "daily-work",
            "web-dev-frontend",
            "web-dev-review",
        ]
        documents = applied(found, {})
        servers = documents["servers.json"]["mcpServers"]
        assert list(servers) == ["git", "git.lab", "time", "npm"]
        assert servers["git"]["toolnote"] == servers["time"]["toolnote"] == {"toolset": "daily-work"}
        assert "toolnote" not in servers["npm"]
        coding = documents["toolsets/coding-2.json"]
        assert coding["toolNotes"][0]["notes"] == [NOTE]
        assert (coding["description"], coding["createdAt"]) == ("For the shop", "2025-06-01T10:00:00.000Z")
        frontend = documents["toolsets/web-dev-frontend.json"]
        assert frontend["tools"] == [{"namespacedName": "npm.install"}, {"namespacedName": "browser.test"}]
        assert (frontend["title"], frontend["description"]) == ("web-dev: frontend", "What a web developer needs")
        for name in ("coding-2", "web-dev-frontend", "daily-work"):
            parse_toolset(name, documents[f"toolsets/{name}.json"], lambda place, reason: None)
        assert states(folder) == before


def test_a_toolset_follows_its_server_to_the_name_that_it_has_here(tmp_path: Path) -> None:
    fill(tmp_path)
    found = read_folder(tmp_path, OURSELVES, taken=(), now=NOW)
    existing = {"git": {"command": "another"}, "lab-here": server("lab")}
    documents = applied(found, existing, disabled=True)
    assert documents["servers.json"]["mcpServers"]["git-2"]["disabled"] is True
    coding = documents["toolsets/coding.json"]
    assert coding["tools"] == [{"namespacedName": "git-2.git_status"}, {"namespacedName": "lab-here.issues"}]
    assert coding["toolNotes"] == [{"toolRef": {"namespacedName": "git-2.git_status"}, "notes": [NOTE]}]


def test_a_toolset_follows_its_own_server_whatever_other_programs_call_it_or_theirs(tmp_path: Path) -> None:
    folder = tmp_path / ".toolprint" / "hypertool-mcp"
    fill(folder)
    cursor = {"shop-git": server("uvx", "mcp-server-git"), "time": server("another"), "git.lab": server("lab")}
    put(tmp_path / ".cursor/mcp.json", json.dumps({"mcpServers": cursor}))
    put(tmp_path / ".codeium/windsurf/mcp_config.json", json.dumps({"mcpServers": {"git.lab": server("third")}}))
    found = scan_machine(Environment(tmp_path, "linux", {}), OURSELVES, taken=(), now=NOW)
    documents = applied(found, {})
    servers = documents["servers.json"]["mcpServers"]
    assert servers["shop-git"] == {**server("uvx", "mcp-server-git"), "toolnote": {"toolset": "daily-work"}}
    assert servers["time-2"] == {**server("t"), "toolnote": {"toolset": "daily-work"}}
    assert (servers["time"], servers["git.lab"], servers["git.lab-2"]) == (
        server("another"),
        server("lab"),
        server("third"),
    )
    coding = documents["toolsets/coding.json"]
    assert coding["tools"] == [
        {"namespacedName": "shop-git.git_status"},
        {"namespacedName": "git.lab.issues", "refId": "bb"},
    ]
    assert coding["toolNotes"] == [{"toolRef": {"namespacedName": "shop-git.git_status"}, "notes": [NOTE]}]


def test_only_what_was_chosen(tmp_path: Path) -> None:
    fill(tmp_path)
    found = read_folder(tmp_path, OURSELVES, taken=(), now=NOW)
    candidates = merge_results(found.servers, {}).candidates
    (edit,) = folder_edits(found, candidates, ["git"], [])
    added = edit.apply(None)[0]
    assert added is not None
    assert added["mcpServers"] == {"git": server("uvx", "mcp-server-git")}
    assert folder_edits(found, candidates, [], []) == ()


def test_a_persona_by_itself(tmp_path: Path) -> None:
    put(tmp_path / "persona.yml", PERSONA)
    assert is_persona(tmp_path)
    found = read_folder(tmp_path, OURSELVES, taken=(), now=NOW)
    assert [toolset.name for toolset in found.toolsets] == ["web-dev-frontend", "web-dev-review"]
    assert found.servers == ()
    (reading,) = read_servers(tmp_path, OURSELVES)
    assert [warning.code for warning in reading.warnings] == [Code.IMPORT_FILE_UNREADABLE]
    put(tmp_path / "mcp.json", json.dumps({"mcpServers": {"npm": server("npm-mcp")}}))
    (reading,) = read_servers(tmp_path, OURSELVES)
    assert [candidate.id for candidate in reading.candidates] == ["npm"]
    (reading,) = read_servers(tmp_path / "mcp.json", OURSELVES)
    assert [candidate.id for candidate in reading.candidates] == ["npm"]


def test_the_file_that_a_person_prefers_is_read_too(tmp_path: Path) -> None:
    other = put(tmp_path / "elsewhere.json", json.dumps({"mcpServers": {"own": server("x")}}))
    folder = tmp_path / "hypertool"
    put(folder / "config.json", json.dumps({"toolsets": {}, "mcpConfigPath": str(other)}))
    found = read_folder(folder, OURSELVES, taken=(), now=NOW)
    assert [candidate.id for reading in found.servers for candidate in reading.candidates] == ["own"]
    put(folder / "config.json", json.dumps({"toolsets": {}, "mcpConfigPath": "relative.json"}))
    assert read_folder(folder, OURSELVES, taken=(), now=NOW).servers == ()


GROUPS = [
    '{"work": ["a", "b"]}',
    '{"groups": {"work": {"servers": ["a", "b"]}}}',
    '[{"name": "work", "description": "d", "members": ["a", "b"]}]',
    '[{"name": "work", "servers": ["a", "b", 7]}, {"name": "odd"}, 3]',
]


def test_groups_in_every_shape(tmp_path: Path) -> None:
    for text in GROUPS:
        put(tmp_path / "groups.json", text)
        found = read_folder(tmp_path, OURSELVES, taken=(), now=NOW)
        assert ([one.name for one in found.toolsets], found.groups) == (["work"], {"a": "work", "b": "work"}), text
    put(tmp_path / "groups.json", '{"work": ["a"],\n "play": [\n "a"]}')
    found = read_folder(tmp_path, OURSELVES, taken=(), now=NOW)
    assert found.groups == {"a": "work"}
    assert "line 3" in english(found.warnings[0])


def test_unreadable_parts_are_named(tmp_path: Path) -> None:
    environment = machine(tmp_path, "linux")
    folder = environment.home / ".toolprint" / "hypertool-mcp"
    put(folder / "config.json", b'{"toolsets": {"a-b": {"tools": ["git.x"]}},\n "x": \xff}')
    put(folder / "groups.json", '{"work": ["a"],\n')
    put(folder / "personas/p/persona.yaml", "name: p\ntoolsets:\n- name: [\n")
    found = read_folder(folder, OURSELVES, taken=(), now=NOW)
    told = [english(warning) for warning in found.warnings]
    assert [str(folder / "config.json") in told[0], "not UTF-8" in told[0]] == [True, True]
    assert "groups.json, line 2" in told[1]
    assert "persona.yaml, line" in told[2]
    assert [toolset.name for toolset in found.toolsets] == ["work"]
