"""The difference that is shown: true in every line, secrets covered, and as quick in a large file as in a small one."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.assistants.formats.generated import OBJECTS, Text, jsonc_texts
from toolnote_desktop.assistants.diff import difference
from toolnote_desktop.assistants.formats import jsonc_reader
from toolnote_desktop.assistants.formats.base import Node
from toolnote_desktop.assistants.formats.jsonc_editor import JSON
from toolnote_desktop.assistants.masking import masked

SECRETS = {"env": {"TOKEN": "s3cret", "LEVEL": "s3cret"}, "url": "https://a.example/?key=s3cret", "api_key": "s3cret"}
ENTRY = {"command": "toolnote", "args": ["bridge", "--token", "s3cret"], "env": {"KEY": "s3cret"}}


def covered(text: str) -> list[str]:
    """All lines of a text as they may be shown."""
    return re.split(r"\r\n|\n|\r", masked(text, jsonc_reader.parse(text).root)) if text else []


def patched(lines: list[str], patch: str) -> list[str]:
    """What `patch` would make of these lines; what is to be taken away must be there."""
    made: list[str] = []
    at = 0
    for line in patch.split("\n")[2:]:
        place = re.match(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line)
        if place:
            start = int(place[1]) - (0 if place[2] == "0" else 1)
            made, at = [*made, *lines[at:start]], start
            assert len(made) == int(place[3]) - (0 if place[4] == "0" else 1)
        elif line[:1] in " -":
            assert lines[at] == line[1:]
            made += [line[1:]] if line[:1] == " " else []
            at += 1
        else:
            assert line[:1] == "+"
            made.append(line[1:])
    return [*made, *lines[at:]]


@settings(deadline=None, max_examples=200)
@given(jsonc_texts(st.fixed_dictionaries({"a": OBJECTS, "b": st.just(SECRETS), "z": OBJECTS})), st.data())
def test_diff_shows_changes_and_no_secret(made: Text, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from([["new"], ["a", "new"], ["b", "new"], ["b"], ["z"], ["b", "env", "TOKEN"]]))
    texts = [made.text, JSON.with_member(made.text, path, ENTRY)]
    for old, new in (texts, texts[::-1], ["", made.text], [made.text, ""]):
        shown = difference(old, new, JSON, "was", "becomes")
        assert "s3cret" not in shown
        if not any(len(line) > 400 for line in shown.split("\n")):
            assert (patched(covered(old), shown) if shown else covered(old)) == covered(new)


def test_diff_reads_only_values_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    projects = {f"/work/{number}": {"history": [{"display": "x"}] * 20} for number in range(300)}
    text = json.dumps({"before": projects, "mcpServers": {"git": SECRETS}, "after": projects}, indent=2)
    read: list[int] = []
    whole = jsonc_reader._Reader.value

    def counted(reader: jsonc_reader._Reader, depth: int) -> Node | None:
        read.append(depth)
        return whole(reader, depth)

    monkeypatch.setattr(jsonc_reader._Reader, "value", counted)
    shown = difference(text, JSON.with_member(text, ["mcpServers", "toolnote"], ENTRY), JSON, "was", "becomes")
    assert '+    "toolnote": {' in shown
    assert len(read) < 1000  # of 24,000: the keys of one of the two, into whose first line the difference reaches
