"""Notes alone as a file, and what the doctor says of guidance."""

from __future__ import annotations

import json
import shlex
import time
from pathlib import Path

from tests.cli.conftest import Run
from toolnote_desktop.commands.guidance_checks import check_guidance
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.library import Library


def test_notes_go_out_and_come_in(catalogued: Home, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "notes.json"
    run("toolset", "create", "work", "git.log", "git.diff")
    run("toolset", "create", "other", "git.log")
    run("note", "add", "git.log", "ask", "Ask first.", "--toolset", "work")
    assert "notes.json" in run("note", "export", str(file), "--toolset", "work").out
    assert json.loads(file.read_text(encoding="utf-8"))["toolNotes"][0]["notes"] == [
        {"name": "ask", "note": "Ask first."}
    ]
    assert json.loads(run("note", "export", "--toolset", "work").out)["kind"] == "toolnote-notes"
    assert run("note", "import", str(file), "--toolset", "other").out == "Added 1 note to other.\n"
    assert run("note", "import", str(file), "--toolset", "other").out == (
        "Added 0 notes to other; 1 note already there.\n"
    )
    run("note", "edit", "git.log", "ask", "Never mind.", "--toolset", "other")
    assert "already exists" in run("note", "import", str(file), "--toolset", "other").err
    assert "Never mind." in run("note", "list", "--toolset", "other").out


def test_files_without_notes(catalogued: Home, run: Run, tmp_path: Path) -> None:
    run("toolset", "create", "work", "git.log")
    run("toolset", "equip", "work")
    file = tmp_path / "x.json"
    assert "cannot be read" in run("note", "import", str(file), status=1).err
    for text in ("{", "[]", "{}", '{"toolNotes": 5}'):
        file.write_text(text, encoding="utf-8")
        assert "cannot be read" in run("note", "import", str(file), status=1).err


def findings(home: Home) -> list[tuple[bool, str | None, str]]:
    with Library.open(home, watch=False) as library:
        return [(one.wrong, one.code, one.text) for one in check_guidance(library.snapshot, home)]


def test_guide_of_an_empty_toolset(home: Home) -> None:
    assert list(check_guidance(Snapshot(), home)) == []


def test_the_doctor_tells_of_limits_budgets_and_lost_notes(catalogued: Home, run: Run) -> None:
    run("toolset", "create", "work", "git.log", "git.diff")
    for number in range(5):
        run("note", "add", "git.log", f"long-{number}", "word " * 790, "--toolset", "work")
    document = json.loads(catalogued.toolset("work").read_text(encoding="utf-8"))
    document["tools"][1]["hiddenArguments"] = ["gone"]
    document["tools"][1]["muted"] = ["What it said before."]
    document["toolNotes"].append({"toolRef": {"namespacedName": "gitlab.diff"}, "notes": [{"name": "n", "note": "x"}]})
    catalogued.toolset("work").write_text(json.dumps(document), encoding="utf-8")
    clients = {"claude-code": {"name": "Claude Code", "toolset": "work"}}
    catalogued.clients.write_text(json.dumps({"clients": clients}), encoding="utf-8")
    (catalogued.root / "dialects").mkdir()
    (catalogued.root / "dialects" / "bad.json").write_text("{", encoding="utf-8")
    found = findings(catalogued)
    codes = {code: wrong for wrong, code, _ in found}
    assert codes["starter-invalid"] is True
    assert codes["argument-not-found"] is True
    assert codes["muted-not-found"] is False
    assert codes["budget-passed"] is False
    assert codes["dialect-description-cut"] is False
    assert codes["dialect-notes-first"] is False
    texts = [text for _, _, text in found]
    assert any("gitlab.diff" in text and text.endswith("may belong to: git.diff") for text in texts)
    assert any(text.startswith("client claude-code: Claude Code cuts the description of git_log") for text in texts)
    told = run("doctor", status=1)
    assert "guidance" in told.out
    assert len(told.err.splitlines()) == 1
    assert "problems found" in told.err


def test_command_of_the_budget_turns_off_each_tool_that_was_never_called(catalogued: Home, run: Run) -> None:
    """Seen red: it failed at a name that two tools share, so that nothing was turned off; a tool that is always on was
    among them; and the tools of the list were printed without Toolnote's own.
    """
    document = json.loads((catalogued.root / "catalog.json").read_text(encoding="utf-8"))
    for listing in document["servers"].values():
        listing["tools"] = [{**one, "firstSeen": 1} for one in listing["tools"]]
    (catalogued.root / "catalog.json").write_text(json.dumps(document), encoding="utf-8")
    run("toolset", "create", "work", "git.log", "git.diff", "a:b.c", "a.b:c")
    run("tool", "set", "git.diff", "--always-on")
    clients = {"zed": {"name": "Zed", "toolset": "work"}}
    catalogued.clients.write_text(json.dumps({"clients": clients}), encoding="utf-8")
    log = ActivityLog(catalogued)
    for days in (40, 0):
        log.record_call(Call(time.time() - days * 86_400, "zed", "git", "log", 0.1))
    log.close()
    found = run("budget")
    served = run("tools", "--client", "zed", "--json").json["tools"]
    assert f"{len(served)} tools" in found.out
    (line,) = (one.strip() for one in found.out.splitlines() if "toolnote tool set" in one)
    assert line == "toolnote tool set a:b.c a.b:c --toolset work --off"
    assert run("budget", "--json").json["unused"]["work"]["tools"] == ["a:b.c", "a.b:c"]
    run(*shlex.split(line)[1:])
    entries = json.loads(catalogued.toolset("work").read_text(encoding="utf-8"))["tools"]
    assert [one.get("enabled") for one in entries] == [None, None, False, False]
    assert "not called" not in run("budget").out
