"""``toolnote toolset`` and ``toolnote note``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from toolnote_desktop.commands import checks
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library


def document(home: Home, name: str) -> Any:
    return json.loads(home.toolset(name).read_text(encoding="utf-8"))


def test_create_fills_in_what_is_known(run: Run, catalogued: Home) -> None:
    outcome = run("toolset", "create", "work", "git.log", "no.such", "git.log", "--title", "Work", "--description", "D")
    assert '"no.such"' in outcome.err
    content = document(catalogued, "work")
    assert (content["name"], content["title"], content["description"]) == ("work", "Work", "D")
    assert [tool["namespacedName"] for tool in content["tools"]] == ["git.log", "no.such"]
    assert len(content["tools"][0]["refId"]) == 64
    assert "refId" not in content["tools"][1]


@pytest.mark.parametrize("name", ["../x", "A", "a", "con", "x" * 51, "with space", ""])
def test_invalid_toolset_name_is_refused(run: Run, home: Home, name: str) -> None:
    assert "is not a toolset name" in run("toolset", "create", name, status=1).err
    assert list(home.root.rglob("*.json")) == []


def test_a_tool_by_the_name_that_clients_see(run: Run, catalogued: Home) -> None:
    run("toolset", "create", "work", "git_log")
    assert document(catalogued, "work")["tools"][0]["namespacedName"] == "git.log"


def ref_id(home: Home, name: str) -> str:
    """What the catalogue knows a tool by beside its name."""
    with Library.open(home, watch=False) as library:
        (known,) = library.snapshot.catalogue.by_namespaced_name[name]
    return known.tool.ref_id


EITHER = 'toolnote: "a.b.c" is the name of more than one tool: write a:b.c or a.b:c\n'


def test_a_shared_name_needs_its_server(run: Run, catalogued: Home) -> None:
    assert run("toolset", "create", "work", "a.b.c", status=1).err == EITHER
    run("toolset", "create", "work")
    run("toolset", "add-tool", "work", "a.b.c", "--server", "a.b")
    (entry,) = document(catalogued, "work")["tools"]
    assert (entry["namespacedName"], entry["server"]) == ("a.b.c", "a.b")
    run("toolset", "add-tool", "work", "a.b.c", "--server", "a")
    assert run("toolset", "remove-tool", "work", "a.b.c", status=1).err == EITHER.replace(
        "a:b.c or a.b:c", "a.b:c or a:b.c"
    )
    run("toolset", "remove-tool", "work", "a.b.c", "--server", "a.b")
    assert [tool["server"] for tool in document(catalogued, "work")["tools"]] == ["a"]
    run("note", "add", "a.b.c", "n", "Text.", "--server", "a", "--toolset", "work")
    for words in (
        ("add", "a.b.c", "m", "Text."),
        ("edit", "a.b.c", "n", "Text."),
        ("remove", "a.b.c", "n"),
        ("move", "a.b.c", "n", "1"),
        ("list", "a.b.c"),
    ):
        assert run("note", *words, "--toolset", "work", status=1).err == EITHER


def test_the_server_may_stand_before_the_tool(run: Run, catalogued: Home) -> None:
    run("toolset", "create", "work", "a:b.c", "git:log")
    run("toolset", "add-tool", "work", "a.b:c")
    named = [(tool["namespacedName"], tool.get("server")) for tool in document(catalogued, "work")["tools"]]
    assert named == [("a.b.c", "a"), ("git.log", None), ("a.b.c", "a.b")]
    on_work = ("--toolset", "work")
    run("note", "add", "a.b:c", "n", "First.", *on_work)
    run("note", "add", "a.b:c", "m", "Second.", *on_work)
    run("note", "edit", "a.b:c", "n", "Other.", *on_work)
    run("note", "move", "a.b:c", "m", "1", *on_work)
    assert run("note", "list", *on_work).out == "a.b.c (a.b:c)\n  1. m: Second.\n  2. n: Other.\n"
    assert run("note", "list", "a:b.c", *on_work).out == "There are no notes.\n"
    shown = run("toolset", "show", "work").out
    assert shown.index("a.b.c (a:b.c)") < shown.index("a.b.c (a.b:c)") < shown.index("• m: Second.")
    run("note", "remove", "a.b:c", "m", *on_work)
    run("toolset", "remove-tool", "work", "a:b.c", "git:log")
    assert [tool["server"] for tool in document(catalogued, "work")["tools"]] == ["a.b"]


def test_a_server_before_a_tool_that_nobody_has_listed(run: Run, catalogued: Home) -> None:
    assert '"git:new.one"' in run("toolset", "create", "work", "git:new.one", "nobody:x", "git.a:b").err
    tools = document(catalogued, "work")["tools"]
    assert tools == [
        {"namespacedName": "git.new.one", "server": "git"},
        {"namespacedName": "nobody:x"},
        {"namespacedName": "git.a:b"},
    ]
    assert "git.new.one (git:new.one)  unresolved" in run("toolset", "show", "work").out
    run("toolset", "remove-tool", "work", "git:new.one", "nobody:x")
    assert document(catalogued, "work")["tools"] == [{"namespacedName": "git.a:b"}]


def test_a_tool_by_its_ref_id(run: Run, catalogued: Home) -> None:
    known, gone = ref_id(catalogued, "git.log"), "0" * 64
    run("toolset", "create", "work", known, gone)
    tools = document(catalogued, "work")["tools"]
    assert tools == [{"namespacedName": "git.log", "refId": known}, {"refId": gone}]
    assert f"{gone}  unresolved" in run("toolset", "show", "work").out
    assert f'"{gone}"' in run("note", "add", gone, "n", "x", "--everywhere", status=1).err
    run("toolset", "remove-tool", "work", gone)
    assert document(catalogued, "work")["tools"] == tools[:1]


def test_names_that_only_the_seen_one_tells_apart(run: Run, home: Home) -> None:
    """Server ``x`` with tool ``y:z`` and server ``x:y`` with tool ``z``: nothing but the served names is left. Seen red
    with tool ``z`` of server ``x.y``: a decision on it, as ``x.y:z``, was one on the tool ``y:z`` of ``x``.
    """
    schema = {"inputSchema": {"type": "object"}}
    home.servers.write_text(json.dumps({"mcpServers": {one: {"command": "c"} for one in ("x", "x:y", "x.y")}}))
    listed = {"x": "y:z", "x:y": "z", "x.y": "z"}
    catalog = {server: {"tools": [{"definition": {"name": name, **schema}}]} for server, name in listed.items()}
    home.catalog.write_text(json.dumps({"servers": catalog}))
    told = run("toolset", "create", "work", "x:y:z", status=1).err
    first, second = told.strip().rpartition(": write ")[2].split(" or ")
    run("toolset", "create", "work", first, second, "x.y.z")
    assert [tool["namespacedName"] for tool in document(home, "work")["tools"]] == ["x.y:z", "x:y.z", "x.y.z"]
    assert '"x.y:z" is the name of more than one tool: write ' in run("tool", "set", "x.y:z", "--off", status=1).err
    run("tool", "set", "x.y:z", "--server", "x.y", "--off")
    assert json.loads((home.root / "tools.json").read_text("utf-8"))["tools"] == {"x.y.z": {"enabled": False}}


def test_a_tool_ref_that_means_two_tools_is_shown_at_both(run: Run, catalogued: Home) -> None:
    """docs/contract.md 3: a toolRef matches on its name or on its refId."""
    run("toolset", "create", "work", "git.log", "git.diff")
    content = document(catalogued, "work")
    reference = {"namespacedName": "git.log", "refId": ref_id(catalogued, "git.diff")}
    content["toolNotes"] = [{"toolRef": reference, "notes": [{"name": "n", "note": "Both."}]}]
    catalogued.toolset("work").write_text(json.dumps(content), encoding="utf-8")
    assert run("toolset", "show", "work").out.count("• n: Both.") == 2
    (group,) = run("toolset", "show", "work", "--json").json["toolNotes"]
    assert (group["name"], group["names"], group["state"]) == ("git_log", ["git_log", "git_diff"], "served")
    for tool in ("git.log", "git.diff"):
        assert "Both." in run("note", "list", tool, "--toolset", "work").out


def test_equip_and_unequip(run: Run, home: Home) -> None:
    run("toolset", "create", "work")
    run("toolset", "create", "play")
    run("toolset", "equip", "work")
    assert json.loads(home.settings.read_text(encoding="utf-8"))["equippedToolset"] == "work"
    listed = run("toolset", "list", "--json").json["toolsets"]
    assert {toolset["name"]: toolset["equipped"] for toolset in listed} == {"play": False, "work": True}
    assert "no toolset" in run("toolset", "equip", "gone", status=1).err
    run("toolset", "delete", "play")
    assert json.loads(home.settings.read_text(encoding="utf-8"))["equippedToolset"] == "work"
    run("toolset", "delete", "work")
    assert json.loads(home.settings.read_text(encoding="utf-8"))["equippedToolset"] is None
    assert run("toolset", "list", "--json").json == {"toolsets": []}
    run("toolset", "unequip")


def test_add_and_remove_tools(run: Run, catalogued: Home) -> None:
    run("toolset", "create", "work", "git.log", "no.such")
    assert "Added 1 tool" in run("toolset", "add-tool", "work", "git.log", "git.diff").out
    assert "not in the toolset" in run("toolset", "remove-tool", "work", "git.old", status=1).err
    run("toolset", "remove-tool", "work", "no.such", "git.log")
    assert [tool["namespacedName"] for tool in document(catalogued, "work")["tools"]] == ["git.diff"]
    assert "no toolset" in run("toolset", "add-tool", "gone", "git.log", status=1).err


def test_tool_is_removed_with_each_entry_that_means_it(run: Run, catalogued: Home) -> None:
    """Seen red: the entry with the refId alone stayed, and the tool was served on."""
    run("toolset", "create", "work", "git.log", "git.diff")
    content = document(catalogued, "work")
    named, other = content["tools"]
    content["tools"] = [{"namespacedName": "git.log"}, {"refId": named["refId"]}, other]
    catalogued.toolset("work").write_text(json.dumps(content), encoding="utf-8")
    assert "Removed 1 tool" in run("toolset", "remove-tool", "work", "git.log").out
    assert document(catalogued, "work")["tools"] == [other]


def test_show_marks_what_is_absent(run: Run, catalogued: Home) -> None:
    run("toolset", "create", "work", "git.log", "git.old", "no.such")
    run("toolset", "equip", "work")
    run("note", "add", "git.log", "first", "Look at it.")
    run("note", "add", "no.such", "second", "Kept.")
    run("toolset", "remove-tool", "work", "git.log")
    content = document(catalogued, "work")
    content["toolNotes"].append(
        {"toolRef": {"refId": "ff"}, "notes": [{"name": "lost", "note": "x", "enabled": False}]}
    )
    content["toolNotes"].append({"toolRef": {"namespacedName": "git.old"}, "notes": [{"name": "kept", "note": "x"}]})
    catalogued.toolset("work").write_text(json.dumps(content), encoding="utf-8")
    lines = run("toolset", "show", "work").out.splitlines()
    assert lines[0] == "work [work] (the shared one)"
    assert "git.old  unresolved (its server no longer lists it)" in lines
    assert "no.such  unresolved" in lines
    assert lines[lines.index("no.such  unresolved") + 1] == "  • second: Kept."
    assert "notes on git.log  not in this toolset" in lines
    assert "notes on ff  unresolved" in lines
    assert "  • lost (off): x" in lines
    described = run("toolset", "show", "work", "--json").json
    assert [tool["state"] for tool in described["tools"]] == ["unresolved", "unresolved"]
    assert [tool.get("gone") for tool in described["tools"]] == [True, None]
    assert [group["state"] for group in described["toolNotes"]] == ["served", *["unresolved"] * 3]


def test_the_doctor_names_each_note_whose_tool_is_gone(run: Run, catalogued: Home) -> None:
    run("toolset", "create", "work", "git.log", "git.old")
    for tool in ("git.log", "git.old"):
        run("note", "add", tool, "here", "Kept.", "--toolset", "work")
        run("note", "add", tool, "anywhere", "Kept.", "--everywhere")
    with Library.open(catalogued) as library:
        snapshot = library.snapshot
    wrong = [
        finding.text
        for finding in (*checks.check_toolsets(snapshot), *checks.check_global_notes(snapshot))
        if finding.wrong
    ]
    assert wrong == [
        "toolset work: server git no longer lists the tool old",
        'the note "here" in toolset work belongs to git.old, which is not there now',
        'there is no tool "git.old"',
    ]


def test_entries_that_name_one_tool_in_two_ways_are_shown_as_one(run: Run, catalogued: Home) -> None:
    run("toolset", "create", "work", "git.log")
    content = document(catalogued, "work")
    ref = content["tools"][0]["refId"]
    content["tools"] = [{"refId": ref}]
    content["toolNotes"] = [
        {"toolRef": {"refId": ref}, "notes": [{"name": "one", "note": "1"}]},
        {"toolRef": {"namespacedName": "git.log"}, "notes": [{"name": "two", "note": "2"}]},
    ]
    catalogued.toolset("work").write_text(json.dumps(content), encoding="utf-8")
    assert run("toolset", "show", "work").out.splitlines() == ["work [work]", "", "git.log", "  • one: 1", "  • two: 2"]
    (listed,) = run("note", "list", "git.log", "--toolset", "work", "--json").json["notes"]
    assert [note["name"] for note in listed["notes"]] == ["one", "two"]
    run("note", "move", "git.log", "two", "1", "--toolset", "work")
    run("note", "edit", "git.log", "one", "eins", "--toolset", "work")
    run("note", "remove", "git.log", "two", "--toolset", "work")
    run("toolset", "equip", "work")
    assert run("note", "list").out.splitlines()[1:] == ["  1. one: eins"]


def test_export_and_import(run: Run, catalogued: Home, tmp_path: Path) -> None:
    run("toolset", "create", "work", "git.log")
    run("note", "add", "git.log", "n", "Text • é", "--toolset", "work")
    file = tmp_path / "work.toolnote"
    run("toolset", "export", "work", str(file))
    assert run("toolset", "export", "work").out == file.read_text(encoding="utf-8")
    assert json.loads(file.read_text(encoding="utf-8")) == document(catalogued, "work")
    outcome = run("toolset", "import", str(file))
    assert '"work" is called "work-2" here' in outcome.err
    one, two = document(catalogued, "work"), document(catalogued, "work-2")
    assert two["toolNotes"] == one["toolNotes"]
    assert (two["name"], two["tools"]) == ("work-2", one["tools"])
    assert "could not be written" in run("toolset", "export", "work", str(tmp_path / "no" / "x"), status=1).err


def test_hypertools_file_with_all_its_toolsets(run: Run, home: Home, tmp_path: Path) -> None:
    config = {
        "version": "1.0.0",
        "lastEquippedToolset": "Coding Set",
        "toolsets": {
            "Coding Set": {
                "name": "Coding Set",
                "version": "1.0.0",
                "createdAt": "2025-01-21T00:00:00.000Z",
                "tools": [{"namespacedName": "git.status", "refId": "abc"}, "linear.create_issue"],
                "toolNotes": [
                    {
                        "toolRef": {"namespacedName": "git.status"},
                        "notes": [{"name": "good", "note": "x"}, {"name": "Bad Name", "note": "y"}],
                    }
                ],
                "theirs": True,
            },
            "ops": {"name": "ops", "tools": []},
            "broken": 5,
        },
    }
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config), encoding="utf-8")
    outcome = run("toolset", "import", str(file))
    assert '"Coding Set" is called "coding-set" here' in outcome.err
    assert "Bad Name" not in outcome.out
    assert "toolNotes git.status 2" in outcome.err
    content = document(home, "coding-set")
    assert (content["title"], content["createdAt"], content["theirs"]) == (
        "Coding Set",
        "2025-01-21T00:00:00.000Z",
        True,
    )
    assert content["tools"][1] == {"namespacedName": "linear.create_issue"}
    assert content["toolNotes"] == config["toolsets"]["Coding Set"]["toolNotes"]  # type: ignore[index]
    assert document(home, "ops")["title"] == "ops"
    assert not home.settings.exists()


@pytest.mark.parametrize("content", [None, "{", "[]", "{}", '{"mcpServers": {}}', "\x00"])
def test_a_file_with_no_toolset(run: Run, home: Home, tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "x.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    assert str(file) in run("toolset", "import", str(file), status=1).err
    assert list(home.toolsets.glob("*")) == []


def test_a_broken_file_is_told_by_its_line(run: Run, home: Home, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text('{"name": "x",\n "tools": [,]}', encoding="utf-8")
    assert run("toolset", "import", str(file), status=1).err == f"toolnote: {file}, line 2: a value is expected\n"
    file.write_text('{"mcpServers": {"a": {"command": "x"}}}', encoding="utf-8")
    assert "it contains no toolset" in run("toolset", "import", str(file), status=1).err


def test_notes(run: Run, catalogued: Home) -> None:
    assert "no toolset is in use" in run("note", "add", "git.log", "n", "x", status=1).err
    run("toolset", "create", "work", "git.log", "git.diff")
    run("toolset", "equip", "work")
    run("note", "add", "git.log", "one", "First • 日本")
    run("note", "add", "git.log", "two", "-x is wanted")
    run("note", "add", "git.log", "three", "--", "--toolset")
    run("note", "add", "git_diff", "other", "Seen name.")
    run("note", "move", "git.log", "three", "1")
    run("note", "edit", "git.log", "one", "Other words")
    run("note", "remove", "git.log", "two")
    (group,) = run("note", "list", "git.log", "--json").json["notes"]
    assert [(note["name"], note["note"], note["author"]) for note in group["notes"]] == [
        ("three", "--toolset", "user"),
        ("one", "Other words", "user"),
    ]
    assert group["toolRef"]["namespacedName"] == "git.log"
    assert run("note", "list").out.splitlines() == [
        "git.log",
        "  1. three: --toolset",
        "  2. one: Other words",
        "git.diff",
        "  1. other: Seen name.",
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("add", "git.log", "Bad", "x"), "is not a note name"),
        (("add", "git.log", "n", ""), "1 to 4,000"),
        (("add", "git.log", "n", "x" * 4001), "1 to 4,000"),
        (("add", "git.log", "there", "x"), "already exists"),
        (("add", "git.old", "n", "x"), "is not in the toolset"),
        (("add", "no.such", "n", "x"), "there is no tool"),
        (("edit", "git.log", "gone", "x"), 'no note "gone"'),
        (("edit", "git.log", "there", ""), "1 to 4,000"),
        (("remove", "git.log", "gone"), 'no note "gone"'),
        (("move", "git.log", "gone", "1"), 'no note "gone"'),
        (("add", "git.log", "n", "x", "--toolset", "gone"), "there is no toolset"),
        (("add", "a.b.c", "n", "x", "--everywhere"), "write a:b.c or a.b:c"),
        (("add", "a.b:c", "n", "x", "--everywhere"), "put the note into a toolset"),
    ],
)
def test_a_note_that_cannot_be(run: Run, catalogued: Home, words: tuple[str, ...], told: str) -> None:
    run("toolset", "create", "work", "git.log")
    run("toolset", "equip", "work")
    run("note", "add", "git.log", "there", "x")
    before = catalogued.toolset("work").read_bytes()
    outcome = run("note", *words, status=1)
    assert told in outcome.err
    assert outcome.err.count("\n") == 1
    assert catalogued.toolset("work").read_bytes() == before


def test_notes_that_hold_everywhere(run: Run, catalogued: Home) -> None:
    run("note", "add", "git.log", "n", "Everywhere.", "--everywhere")
    assert '"no.such"' in run("note", "add", "no.such", "n", "Later.", "--everywhere").err
    catalogued.notes.write_text(
        json.dumps(
            {
                **json.loads(catalogued.notes.read_text(encoding="utf-8")),
                "global": [{"name": "g", "note": "All."}],
                "servers": {"git": [{"name": "s", "note": "Git.", "enabled": False, "author": "cursor"}]},
            }
        ),
        encoding="utf-8",
    )
    assert run("note", "list", "--everywhere").out.splitlines() == [
        "all tools",
        "  1. g: All.",
        "all tools of git",
        "  1. s (off) (by cursor): Git.",
        "git.log",
        "  1. n: Everywhere.",
        "no.such",
        "  1. n: Later.",
    ]
    run("note", "remove", "no.such", "n", "--everywhere")
    listed = run("note", "list", "--everywhere", "--json").json["notes"]
    assert [(group["scope"], len(group["notes"])) for group in listed] == [
        ("global", 1),
        ("server", 1),
        ("tool", 1),
        ("tool", 0),
    ]


def test_a_note_of_several_lines_is_seen_as_one(run: Run, catalogued: Home) -> None:
    run("toolset", "create", "work", "git.log")
    run("note", "add", "git.log", "n", "First.\n  2. not: a note", "--toolset", "work")
    assert run("note", "list", "--toolset", "work").out == "git.log\n  1. n: First.\n       2. not: a note\n"
    assert "  • n: First.\n      2. not: a note\n" in run("toolset", "show", "work").out


def test_foreign_text_cannot_move_the_cursor(run: Run, catalogued: Home) -> None:
    run("toolset", "create", "work", "git.log", "--title", "T\x1b[2J\u202e")
    told = run("toolset", "list").out
    assert "\x1b" not in told
    assert "\\x1b[2J\\u202e" in told
