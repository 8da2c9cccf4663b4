"""Edits: pure, refused where they do not fit, and taken back by their inverse."""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import compare
from toolnote_desktop.model import edits
from toolnote_desktop.model.edits import (
    ABSENT,
    AddEntry,
    CreateDocument,
    DeleteDocument,
    Edit,
    RemoveEntry,
    SetEntryFields,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.toolsets.note_edits import (
    AddNote,
    AddNotes,
    EditNote,
    MoveNote,
    NoteTarget,
    RemoveNote,
    RemoveNotes,
)
from toolnote_desktop.model.toolsets.notes import Scope, ToolReference
from toolnote_desktop.model.toolsets.tool_edits import AddTools, MoveTool, RemoveTools, SetToolFields, SetToolObject
from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings

WORK = toolset_document("work")
GIT_LOG = ToolReference(namespaced_name="git.log", ref_id="11")


def toolset() -> dict[str, Any]:
    return {
        "name": "work",
        "tools": [
            {"namespacedName": "git.log", "refId": "11", "alias": None},
            {"namespacedName": "git.diff", "mine": 1},
            {"refId": "33"},
            "not a tool",
            {"namespacedName": "a.b.c", "server": "a"},
        ],
        "toolNotes": [
            {"toolRef": {"namespacedName": "git.log"}, "notes": [note("one"), note("two")], "mine": 1},
            {"toolRef": {"namespacedName": "git.diff"}, "notes": [note("one")]},
            {"toolRef": {"refId": "11"}, "notes": [note("three")]},
        ],
        "unknown": {"kept": True},
    }


def _with_hints(hints: Any) -> dict[str, Any]:
    raw = toolset()
    raw["tools"][0]["hints"] = hints
    assert raw["tools"][0]["namespacedName"] == "git.log"
    return raw


def note(name: str, text: str = "text", **more: Any) -> dict[str, Any]:
    return {"name": name, "note": text, **more}


def names(raw: dict[str, Any] | None) -> list[str]:
    """The notes on git.log, in order."""
    assert raw is not None
    lists = NoteTarget.in_toolset("work", GIT_LOG).lists(raw)
    return [item["name"] for notes in lists for item in notes]


def done(edit: Edit, raw: dict[str, Any] | None) -> dict[str, Any]:
    """Apply an edit, and see that it changed nothing in place."""
    before = copy.deepcopy(raw)
    changed, _ = edit.apply(raw)
    assert raw == before
    assert changed is not None
    return changed


def code_of(edit: Edit, raw: dict[str, Any] | None) -> Code:
    before = copy.deepcopy(raw)
    with pytest.raises(ToolnoteError) as caught:
        edit.apply(raw)
    assert raw == before
    return caught.value.problem.code


PLACE = NoteTarget.in_toolset("work", GIT_LOG)
EVERYWHERE = NoteTarget.everywhere(Scope.TOOL, "git.log")

FITTING: list[tuple[Edit, dict[str, Any] | None]] = [
    (CreateDocument(WORK, {"name": "work"}), None),
    (DeleteDocument(WORK), toolset()),
    (SetFields(WORK, {"title": "Work", "unknown": ABSENT, "new": 1}), toolset()),
    (AddEntry(edits.SERVERS, "mcpServers", "s", {"command": "x"}), {"mcpServers": {"t": {}}, "more": 1}),
    (RemoveEntry(edits.SERVERS, "mcpServers", "s"), {"mcpServers": {"r": {}, "s": {"env": {}}, "t": {}}}),
    (SetEntryFields(edits.SERVERS, "mcpServers", "s", {"disabled": True}), {"mcpServers": {"s": {"disabled": False}}}),
    (AddTools(WORK, ({"namespacedName": "x.y"}, {"namespacedName": "git.log"})), toolset()),
    (RemoveTools(WORK, (GIT_LOG, ToolReference(ref_id="33"))), toolset()),
    (SetToolFields(WORK, GIT_LOG, {"enabled": False, "alias": ABSENT}), toolset()),
    (SetToolFields(WORK, GIT_LOG, {"namespacedName": "git.history", "refId": ABSENT}), toolset()),
    (SetToolObject(WORK, GIT_LOG, "hints", {"readOnlyHint": True}), toolset()),
    (SetToolObject(WORK, GIT_LOG, "hints", {"a": ABSENT, "b": 1}), _with_hints({"a": 1, "mine": 2})),
    (SetToolObject(WORK, GIT_LOG, "hints", {"a": 1}), _with_hints({})),
    (SetToolObject(WORK, GIT_LOG, "parameters", {"note": "Words."}, ("team",)), toolset()),
    (SetToolObject(WORK, GIT_LOG, "hints", {"note": ABSENT}, ("a",)), _with_hints({"a": {"note": 1}, "b": 2})),
    (SetToolSettings("git.log", {"approval": "ask"}), {"mine": 1}),
    (SetToolSettings("git.log", {"title": "T"}, ("hints",)), {"tools": {"git.log": {"hints": {}}, "a": {}}}),
    (SetToolSettings("git.log", {"default": 1, "fixed": ABSENT}, ("parameters", "n")), {"tools": {"git.log": {}}}),
    (MoveTool(WORK, GIT_LOG, 2), toolset()),
    (EditNote(PLACE, "two", {"note": "other", "name": "zwei"}), toolset()),
    (RemoveNote(PLACE, "three"), toolset()),
    (MoveNote(PLACE, "three", 0), toolset()),
    (AddNote(PLACE, note("four"), 1), toolset()),
    (AddNote(PLACE, note("four")), toolset()),
    (AddNotes(PLACE, (note("four"), note("one"), note("five"))), toolset()),
    (AddNotes(EVERYWHERE, (note("four"), note("five"))), {"tools": {"git.log": [note("six")]}, "mine": 1}),
    (AddNotes(PLACE, (note("zero"), note("half")), (0, 2), restore=True), toolset()),
    (RemoveNotes(PLACE, ("one", "three")), toolset()),
    (AddNote(EVERYWHERE, note("four")), {"tools": {"git.log": [note("five")]}, "mine": 1}),
    (RemoveNote(NoteTarget.everywhere(Scope.GLOBAL), "one"), {"global": [note("one"), note("two")]}),
]


@pytest.mark.parametrize(("edit", "raw"), FITTING, ids=lambda value: type(value).__name__)
def test_an_inverse_takes_an_edit_back(edit: Edit, raw: dict[str, Any] | None) -> None:
    before = copy.deepcopy(raw)
    changed, inverse = edit.apply(raw)
    assert raw == before, "an edit changes nothing in place"
    assert changed != before, "this edit is to change something"
    assert inverse.document == edit.document
    restored, again = inverse.apply(changed)
    if isinstance(edit, (MoveNote, RemoveNote, RemoveNotes)) and edit.place.scope is Scope.TOOLSET:
        assert names(restored) == names(before), "several entries for one tool add up: only the order counts"
    else:
        assert restored == before
    repeated, _ = again.apply(restored)
    if not isinstance(edit, (MoveNote, RemoveNote, RemoveNotes)):
        assert repeated == changed


def test_servers_keep_their_order_through_undo() -> None:
    raw: dict[str, Any] = {"mcpServers": {"a": {}, "b": {}, "c": {}}}
    changed, inverse = RemoveEntry(edits.SERVERS, "mcpServers", "a").apply(raw)
    restored, _ = inverse.apply(changed)
    assert restored is not None
    assert list(restored["mcpServers"]) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("edit", "raw", "code"),
    [
        (CreateDocument(WORK, {}), {"name": "work"}, Code.TOOLSET_EXISTS),
        (CreateDocument(edits.NOTES, {}), {}, Code.EDIT_NO_LONGER_FITS),
        (DeleteDocument(WORK), None, Code.TOOLSET_NOT_FOUND),
        (SetFields(WORK, {"title": "x"}), None, Code.TOOLSET_NOT_FOUND),
        (SetToolObject(WORK, GIT_LOG, "hints", {"a": 1}), _with_hints([1]), Code.EDIT_NO_LONGER_FITS),
        (AddEntry(edits.SERVERS, "mcpServers", "s", {}), {"mcpServers": {"s": {}}}, Code.SERVER_EXISTS),
        (AddEntry(edits.SERVERS, "mcpServers", "s", {}), {"mcpServers": []}, Code.EDIT_NO_LONGER_FITS),
        (RemoveEntry(edits.SERVERS, "mcpServers", "s"), {}, Code.SERVER_NOT_FOUND),
        (SetEntryFields(edits.SERVERS, "mcpServers", "s", {}), {"mcpServers": {"s": 5}}, Code.EDIT_NO_LONGER_FITS),
        (RemoveTools(WORK, (ToolReference(namespaced_name="x.y"),)), toolset(), Code.TOOL_NOT_IN_TOOLSET),
        (AddTools(WORK, ({"namespacedName": "x.y"},)), None, Code.TOOLSET_NOT_FOUND),
        (AddTools(WORK, ({"namespacedName": "x.y"},)), {"tools": {}}, Code.EDIT_NO_LONGER_FITS),
        (AddNote(PLACE, note("one")), toolset(), Code.NOTE_EXISTS),
        (AddNote(PLACE, note("three")), toolset(), Code.NOTE_EXISTS),
        (AddNote(PLACE, note("New")), toolset(), Code.NOTE_NAME_INVALID),
        (AddNote(PLACE, note("new", "")), toolset(), Code.NOTE_TEXT_INVALID),
        (AddNote(PLACE, note("new", " \n ")), toolset(), Code.NOTE_TEXT_BLANK),
        (AddNote(PLACE, note("new", "x" * 4001)), toolset(), Code.NOTE_TEXT_INVALID),
        (AddNote(PLACE, note("new", "half of a pair: \ud83d")), toolset(), Code.NOTE_TEXT_BROKEN),
        (AddNote(PLACE, note("new")), None, Code.TOOLSET_NOT_FOUND),
        (AddNotes(PLACE, (note("new"), note("New"))), toolset(), Code.NOTE_NAME_INVALID),
        (RemoveNotes(PLACE, ("one", "gone")), toolset(), Code.NOTE_NOT_FOUND),
        (EditNote(PLACE, "gone", {"note": "x"}), toolset(), Code.NOTE_NOT_FOUND),
        (EditNote(PLACE, "one", {"name": "three"}), toolset(), Code.NOTE_EXISTS),
        (EditNote(PLACE, "one", {"note": ABSENT}), toolset(), Code.NOTE_TEXT_INVALID),
        (RemoveNote(EVERYWHERE, "one"), None, Code.NOTE_NOT_FOUND),
        (AddNote(EVERYWHERE, note("one")), {"tools": []}, Code.EDIT_NO_LONGER_FITS),
        (AddNote(PLACE, note("new")), {"toolNotes": {}}, Code.EDIT_NO_LONGER_FITS),
    ],
)
def test_an_edit_that_does_not_fit_says_so(edit: Edit, raw: dict[str, Any] | None, code: Code) -> None:
    assert code_of(edit, raw) is code


@pytest.mark.parametrize("name", ["../x", "a/b", "CON", "con", "", "x" * 51])
def test_no_path_is_made_of_what_is_no_name(name: str) -> None:
    with pytest.raises(ToolnoteError) as caught:
        toolset_document(name)
    assert caught.value.problem.code is Code.TOOLSET_NAME_INVALID


def test_notes_of_several_entries_add_up() -> None:
    assert names(toolset()) == ["one", "two", "three"]
    assert names(done(MoveNote(PLACE, "three", 0), toolset())) == ["three", "one", "two"]
    assert names(done(MoveNote(PLACE, "one", 99), toolset())) == ["two", "three", "one"]
    assert names(done(MoveNote(PLACE, "one", -5), toolset())) == ["one", "two", "three"]
    assert names(done(AddNote(PLACE, note("four"), 1), toolset())) == ["one", "four", "two", "three"]


@given(st.sampled_from(["one", "two", "three"]), st.integers(min_value=0, max_value=2))
def test_a_note_moves_to_where_it_was_put(name: str, position: int) -> None:
    moved, inverse = MoveNote(PLACE, name, position).apply(toolset())
    assert names(moved).index(name) == position
    assert names(inverse.apply(moved)[0]) == ["one", "two", "three"]


def test_many_notes_are_one_linear_edit() -> None:
    """Notes whose names are taken are left out. Seen red with one ``AddNote`` for each note: 30 s for 20,000."""
    many = tuple(note(f"n-{number}") for number in range(20_000))

    def there_and_back(added: tuple[dict[str, Any], ...]) -> tuple[Any, Any]:
        changed, inverse = AddNotes(PLACE, (*added, note("one"))).apply(toolset())
        return changed, inverse.apply(changed)[0]

    longer, shorter = compare(partial(there_and_back, many), partial(there_and_back, many[:10_000]), 3)
    assert longer <= 3 * shorter
    changed, left = there_and_back(many)
    assert names(changed) == ["one", "two", "three", *(one["name"] for one in many)]
    assert left == toolset()


def test_a_first_note_makes_its_entry() -> None:
    reference = ToolReference(namespaced_name="a.b.c", ref_id="55", server="a")
    changed = done(AddNote(NoteTarget.in_toolset("work", reference), note("first")), {"name": "work"})
    assert changed["toolNotes"] == [
        {"toolRef": {"namespacedName": "a.b.c", "refId": "55", "server": "a"}, "notes": [note("first")]}
    ]


def test_a_toolset_has_texts_of_its_own() -> None:
    """Seen red: 5,000 entries kept the texts of removed tools, and the memory around them (attack *search*)."""
    name = ".".join(("x", "y"))
    changed = done(AddTools(WORK, ({"namespacedName": name, "hints": {}},)), toolset())
    added = changed["tools"][-1]
    assert added == {"namespacedName": name, "hints": {}}
    assert added["namespacedName"] is not name


def test_unknown_keys_and_unreadable_neighbours_are_kept() -> None:
    changed = done(AddNote(PLACE, note("four"), 0), toolset())
    assert changed["unknown"] == {"kept": True}
    assert changed["toolNotes"][0]["mine"] == 1
    changed = done(AddTools(WORK, ({"namespacedName": "x.y"},)), toolset())
    assert changed["tools"][:5] == toolset()["tools"]
    assert changed["tools"][5] == {"namespacedName": "x.y"}


def test_tools_are_told_apart_by_their_server() -> None:
    other = {"namespacedName": "a.b.c", "server": "a.b"}
    changed = done(AddTools(WORK, (other, other)), toolset())
    assert changed["tools"][5:] == [other]
    left = done(RemoveTools(WORK, (ToolReference.read(other),)), changed)
    assert left == toolset()


def test_a_note_whose_tool_goes_by_another_name_is_found_by_its_ref_id() -> None:
    raw = {"toolNotes": [{"toolRef": {"namespacedName": "old.log", "refId": "11"}, "notes": [note("one")]}]}
    assert names(raw) == ["one"]
    assert names(done(AddNote(PLACE, note("two")), raw)) == ["one", "two"]
    stale = {"toolNotes": [{"toolRef": {"namespacedName": "git.log", "refId": "stale"}, "notes": [note("one")]}]}
    assert names(stale) == ["one"]


def test_a_shared_name_without_its_server_means_neither_tool() -> None:
    raw = {"toolNotes": [{"toolRef": {"namespacedName": "a.b.c"}, "notes": [note("whose")]}]}
    place = NoteTarget.in_toolset("work", ToolReference(namespaced_name="a.b.c", ref_id="55", server="a"))
    assert code_of(RemoveNote(place, "whose"), raw) is Code.NOTE_NOT_FOUND
    assert len(done(AddNote(place, note("mine")), raw)["toolNotes"]) == 2


def test_an_undo_that_no_longer_fits_says_so() -> None:
    changed, inverse = AddNote(PLACE, note("four")).apply(toolset())
    assert changed is not None
    gone = done(RemoveNote(PLACE, "four"), changed)
    assert code_of(inverse, gone) is Code.NOTE_NOT_FOUND
