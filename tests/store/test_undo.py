"""Any run of edits that fit, taken back in order, gives the document back (what undo in the window rests on)."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from toolnote_desktop.model.edits import (
    ABSENT,
    CLIENTS,
    NOTES,
    SERVERS,
    SETTINGS,
    AddEntry,
    Edit,
    PutEntry,
    RemoveEntry,
    SetEntryFields,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.toolsets.note_edits import AddNote, EditNote, MoveNote, NoteTarget, RemoveNote
from toolnote_desktop.model.toolsets.notes import Scope, ToolReference
from toolnote_desktop.model.toolsets.tool_edits import AddTools, MoveTool, RemoveTools, SetToolFields

WORK = toolset_document("work")
TOOLS = ("a.one", "a.two", "b.one", "b.two")
NAMES = ("first", "second", "third")

tool_names = st.sampled_from(TOOLS)
note_names = st.sampled_from(NAMES)
positions = st.integers(0, 5)
values = st.sampled_from([ABSENT, None, True, "text", 5, {"deep": [1]}])
references = st.builds(lambda name: ToolReference(namespaced_name=name, ref_id=f"{name} id"), tool_names)
references_by_id = st.builds(lambda name: ToolReference(ref_id=f"{name} id"), tool_names)
notes = st.builds(lambda name: {"name": name, "note": "text", "mine": 1}, note_names)


def entries(name: str) -> list[JsonObject]:
    """The ways in which a tool may stand in a file."""
    return [
        {"namespacedName": name},
        {"refId": f"{name} id"},
        {"namespacedName": name, "refId": f"{name} id", "mine": {"kept": True}},
    ]


tool_entries = tool_names.flatmap(lambda name: st.sampled_from(entries(name)))
one_entry_each = st.lists(
    tool_entries, max_size=4, unique_by=lambda entry: str(entry.get("namespacedName", entry.get("refId")))[:5]
)
note_lists = st.lists(notes, max_size=3, unique_by=lambda note: str(note["name"]))


def without_repeated_notes(groups: list[JsonObject]) -> list[JsonObject]:
    """No name twice among the notes of one tool, in whatever entries they are."""
    seen: set[tuple[str, str]] = set()
    for group in groups:
        tool = str(group["toolRef"].get("namespacedName") or group["toolRef"]["refId"])[:5]
        group["notes"] = [note for note in group["notes"] if (tool, note["name"]) not in seen]
        seen.update((tool, note["name"]) for note in group["notes"])
    return groups


note_groups = st.lists(
    st.builds(lambda tool, notes: {"toolRef": tool, "notes": notes}, tool_entries, note_lists), max_size=3
).map(without_repeated_notes)
toolsets = st.builds(
    lambda tools, groups: {"name": "work", "tools": tools, "toolNotes": groups, "unknown": [1]},
    one_entry_each,
    note_groups,
)
places = st.builds(lambda reference: NoteTarget.in_toolset("work", reference), references)
everywhere = st.sampled_from(
    [
        NoteTarget.everywhere(Scope.GLOBAL),
        NoteTarget.everywhere(Scope.SERVER, "a"),
        NoteTarget.everywhere(Scope.TOOL, "a.one"),
    ]
)


def note_edits(places: st.SearchStrategy[NoteTarget]) -> st.SearchStrategy[Edit]:
    fields = st.dictionaries(st.sampled_from(["enabled", "mine", "new"]), values, max_size=2)
    renaming = st.builds(lambda name: {"name": name}, note_names)
    return st.one_of(
        st.builds(AddNote, places, notes, st.none() | positions),
        st.builds(RemoveNote, places, note_names),
        st.builds(EditNote, places, note_names, st.one_of(fields, renaming)),
        st.builds(MoveNote, places, note_names, positions),
    )


toolset_edits: st.SearchStrategy[Edit] = st.one_of(
    st.builds(SetFields, st.just(WORK), st.dictionaries(st.sampled_from(["title", "unknown", "new"]), values)),
    st.builds(AddTools, st.just(WORK), st.lists(tool_entries, max_size=3).map(tuple)),
    st.builds(RemoveTools, st.just(WORK), st.lists(references | references_by_id, max_size=3).map(tuple)),
    st.builds(
        SetToolFields,
        st.just(WORK),
        references,
        st.dictionaries(st.sampled_from(["enabled", "category", "mine"]), values, max_size=2),
    ),
    st.builds(MoveTool, st.just(WORK), references, positions),
    note_edits(places),
)

keys = st.sampled_from(["a", "b", "c"])
entry_values = st.sampled_from([{"command": "x"}, {"command": "y", "env": {"K": "V"}}, {}])
server_edits: st.SearchStrategy[Edit] = st.one_of(
    st.builds(AddEntry, st.just(SERVERS), st.just("mcpServers"), keys, entry_values, st.none() | positions),
    st.builds(RemoveEntry, st.just(SERVERS), st.just("mcpServers"), keys),
    st.builds(
        SetEntryFields,
        st.just(SERVERS),
        st.just("mcpServers"),
        keys,
        st.dictionaries(st.sampled_from(["command", "disabled"]), values),
    ),
)


def undone(raw: JsonObject | None, edits: list[Edit]) -> tuple[JsonObject | None, JsonObject | None]:
    """The document after the edits that fit, and after these were taken back."""
    inverse: list[Edit] = []
    for edit in edits:
        before = copy.deepcopy(raw)
        untouched = raw
        try:
            raw, back = edit.apply(raw)
            inverse.append(back)
        except ToolnoteError:
            pass
        assert untouched == before, "an edit must not change what it is applied to"
    changed = raw
    redo: list[Edit] = []
    for edit in reversed(inverse):
        raw, again = edit.apply(raw)
        redo.append(again)
    restored = raw
    for edit in reversed(redo):
        raw, _ = edit.apply(raw)
    assert comparable(raw) == comparable(changed), "undo can be undone"
    return changed, restored


def comparable(raw: JsonObject | None) -> Any:
    """A document in which only what means something counts.

    A container that is empty means the same as none; notes of one tool that stand in several entries add up, so only
    their order counts and not which entry they are in.
    """
    raw = copy.deepcopy(raw or {})
    for key in ("tools", "toolNotes", "global", "servers", "mcpServers"):
        if raw.get(key) in ([], {}):
            del raw[key]
    if isinstance(raw.get("toolNotes"), list):
        by_tool: dict[str, list[Any]] = {}
        for group in raw["toolNotes"]:
            reference = group["toolRef"]
            tool = reference.get("namespacedName") or str(reference["refId"]).removesuffix(" id")
            by_tool.setdefault(tool, []).extend(group["notes"])
        raw["toolNotes"] = ([group["toolRef"] for group in raw["toolNotes"]], by_tool)
    return raw


@settings(max_examples=400, deadline=None)
@given(toolsets, st.lists(toolset_edits, max_size=6))
def test_edits_of_a_toolset(raw: JsonObject, edits: list[Edit]) -> None:
    _, restored = undone(raw, edits)
    assert comparable(restored) == comparable(raw)


@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {}, optional={"global": note_lists, "tools": st.builds(lambda n: {"a.one": n}, note_lists), "mine": st.just(1)}
    ),
    st.lists(note_edits(everywhere), max_size=6),
)
def test_edits_of_notes_everywhere(raw: JsonObject, edits: list[Edit]) -> None:
    assert {edit.document for edit in edits} <= {NOTES}
    _, restored = undone(raw, edits)
    assert comparable(restored) == comparable(raw)


@settings(deadline=None)
@given(st.dictionaries(keys, entry_values), st.lists(server_edits, max_size=6))
def test_edits_of_servers_give_their_order_back_too(entries: JsonObject, edits: list[Edit]) -> None:
    raw = {"mcpServers": entries, "mine": 1}
    _, restored = undone(raw, edits)
    assert restored == raw
    assert list((restored or {})["mcpServers"]) == list(entries)


@given(
    st.dictionaries(keys, entry_values),
    st.lists(
        st.builds(PutEntry, st.just(CLIENTS), st.just("clients"), keys, entry_values | st.just(ABSENT)), max_size=5
    ),
)
def test_entries_that_are_put(entries: JsonObject, edits: list[Edit]) -> None:
    raw = {"clients": entries}
    _, restored = undone(raw, edits)
    assert restored == raw


@given(
    st.dictionaries(keys, values.filter(lambda value: value is not ABSENT)),
    st.lists(st.builds(SetFields, st.just(SETTINGS), st.dictionaries(keys, values)), max_size=5),
)
def test_fields_of_settings(raw: JsonObject, edits: list[Edit]) -> None:
    _, restored = undone(raw, edits)
    assert restored == raw


def test_undo_restores_what_was_written_against_the_rules() -> None:
    place = NoteTarget.in_toolset("work", ToolReference(namespaced_name="a.one"))
    odd = [{"name": "Capitals", "note": "x"}, {"name": "long", "note": "x" * 4001}, {"name": "twice", "note": "1"}]
    twice = [{"name": "twice", "note": "2"}, {"name": "twice", "note": "3"}]
    tools = [{"namespacedName": "a.one"}, {"namespacedName": "b.one"}, {"namespacedName": "a.one", "mine": 1}]
    raw: JsonObject = {
        "tools": tools,
        "toolNotes": [{"toolRef": {"namespacedName": "a.one"}, "notes": odd + twice}],
    }
    for edit in (
        RemoveNote(place, "Capitals"),
        EditNote(place, "Capitals", {"name": "capitals"}),
        EditNote(place, "long", {"note": "short"}),
        RemoveNote(place, "long"),
        RemoveNote(place, "twice"),
        RemoveTools(WORK, (ToolReference(namespaced_name="a.one"),)),
    ):
        changed, restored = undone(raw, [edit])
        assert changed != raw
        assert restored == raw
