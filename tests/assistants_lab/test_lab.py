"""Measurements of the lab, on requests made up here: the assistants themselves are not run."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.assistants_lab import __main__ as lab
from tests.assistants_lab.programs import PROGRAMS
from tests.assistants_lab.scripted_model import Call, Request, Script, ScriptedModel, Step
from toolnote_desktop.assistants.registry import CLIENTS

PINNED = json.loads((Path(__file__).parents[2] / "packaging/assistants/package.json").read_text(encoding="utf-8"))
STEPS = [Step("lab_echo", {"text": "first"}), Step("lab_other", {"text": "second"})]


def request(tools: list[tuple[str, str]], results: list[str] | None = None, calls: list[str] | None = None) -> Request:
    body = {"tools": tools, "results": results or []}
    return Request(tools, results or [], calls or [], body)


def test_script_follows_the_results_and_searches_for_what_is_deferred() -> None:
    script = Script("mark", STEPS)
    both = [("mcp__toolnote__lab_echo", ""), ("mcp__toolnote__lab_other", "")]
    assert script.answer(request(both)) == Call("mcp__toolnote__lab_echo", {"text": "first"})
    assert script.answer(request(both, ["first"])) == Call("mcp__toolnote__lab_other", {"text": "second"})
    assert script.answer(request(both, ["first", "second"])) == "DONE"
    search = [("ToolSearch", "")]
    asked = script.answer(request(search))
    assert isinstance(asked, Call)
    assert asked.name == "ToolSearch"
    found = script.answer(request([*search, both[0]], ["found"], ["ToolSearch"]))
    assert found == Call("mcp__toolnote__lab_echo", {"text": "first"})


def test_step_is_prepared_once() -> None:
    prepared: list[str] = []
    script = Script("mark", [Step("lab_echo", {}, lambda: prepared.append("note"))])
    for _ in range(3):
        script.answer(request([("lab_echo", "")]))
    assert prepared == ["note"]


def test_row_says_what_the_model_was_sent() -> None:
    program = next(one for one in PROGRAMS if one.id == "claude-code")
    first = request([("lab_echo", "BEGIN-V1 END-V1"), ("lab_long", lab.LONG[:4096])])
    last = request(
        [("lab_echo", "BEGIN-V1 END-V1"), ("lab_other", "BEGIN-V2 END-V2")], ["first", "second", "third", "fourth"]
    )
    cells = lab.cells_of(program.id, "1.0", [first, last], ["lab_echo", "lab_other", "lab_long", "get-tool-guide"])
    assert cells == ["Claude Code", "1.0", "yes", "yes", "yes", "for tools not used yet", "yes", "4,096", "3 of 4"]
    nothing = lab.cells_of(program.id, "1.0", [], ["lab_echo"])
    assert nothing[2:] == ["no", "no", "no", "no", "no", "0", "0 of 1"]


def test_each_table_has_its_place_in_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "assistants.md"
    page.write_text("A\n<!-- lab -->\nx\n<!-- /lab -->\nB\n<!-- lab, url -->\ny\n<!-- /lab, url -->\nC\n", "utf-8")
    monkeypatch.setattr(lab, "PAGE", page)
    lab.write_page("one\n")
    lab.write_page("two\n", by_address=True)
    written = page.read_text("utf-8")
    assert written == "A\n<!-- lab -->\none\n<!-- /lab -->\nB\n<!-- lab, url -->\ntwo\n<!-- /lab, url -->\nC\n"
    real = (Path(__file__).parents[2] / "docs/assistants.md").read_text("utf-8")
    assert all(real.count(mark) == 1 for marks in lab.BLOCKS.values() for mark in marks)


def test_each_program_is_pinned_and_known() -> None:
    for program in PROGRAMS:
        assert program.id in CLIENTS
        assert program.package in PINNED["dependencies"]


def post(url: str, body: dict[str, Any]) -> bytes:
    made = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(made, timeout=10) as answer:
        return bytes(answer.read())


def test_model_answers_in_four_apis() -> None:
    prompt = "mark: go"
    function = {"name": "lab_echo", "description": "", "parameters": {}}
    bodies: dict[str, dict[str, Any]] = {
        "/v1/chat/completions": {
            "messages": [{"role": "user", "content": prompt}],
            "tools": [{"type": "function", "function": function}],
        },
        "/v1/responses": {
            "input": [{"role": "user", "content": prompt}],
            "tools": [{"type": "namespace", "name": "mcp__toolnote", "tools": [{"type": "function", **function}]}],
        },
        "/v1/messages": {"messages": [{"role": "user", "content": prompt}], "tools": [function]},
        "/v1beta/models/x:generateContent": {
            "contents": [{"role": "user", "parts": [{"text": prompt}]}],
            "tools": [{"functionDeclarations": [function]}],
        },
    }
    with ScriptedModel() as model:
        for path, body in bodies.items():
            model.script = Script("mark", STEPS)
            whole = post(model.url + path, body)
            assert b"lab_echo" in whole, path
            assert b"first" in whole, path
            streamed = post(model.url + path.replace(":generate", ":streamGenerate"), {**body, "stream": True})
            assert b"data: " in streamed, path
            assert b"lab_echo" in streamed, path


def test_what_an_assistant_leaves_running_is_ended(tmp_path: Path) -> None:
    """Seen: Cline's hub was there an hour after the lab."""
    sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
    left = subprocess.Popen(sleeper, env={"HOME": str(tmp_path / "person")}, start_new_session=True)
    other = subprocess.Popen(sleeper, env={"HOME": str(tmp_path)}, start_new_session=True)
    try:
        lab.end_with_home(tmp_path / "person")
        assert left.wait(10) != 0
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()
