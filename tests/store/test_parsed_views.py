"""What is read again after an edit: that entry, and no other (10,000 tools must not be read for one note)."""

from __future__ import annotations

import gc

from tests.store.stories import GIT_LOG, NOTES_ON_GIT_LOG, WORK, add_note, note, work
from toolnote_desktop.model.edits import Edit, SetFields
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.toolsets.note_edits import EditNote
from toolnote_desktop.model.toolsets.tool_edits import AddTools, MoveTool, RemoveTools, SetToolFields
from toolnote_desktop.model.toolsets.toolset import ToolEntry, Toolset
from toolnote_desktop.store.parsed_views import ParsedViews


def big() -> JsonObject:
    raw = work(note("team"))
    raw["tools"] += [{"namespacedName": f"git.tool-{number}"} for number in range(50)]
    raw["toolNotes"] += [
        {"toolRef": {"namespacedName": f"git.tool-{number}"}, "notes": [note("one")]} for number in range(50)
    ]
    return raw


def new_objects(before: Toolset, after: Toolset) -> tuple[int, int]:
    """How many tools and note groups were read again."""
    tools, groups = {id(tool) for tool in before.tools}, {id(group) for group in before.notes}
    return sum(id(tool) not in tools for tool in after.tools), sum(id(group) not in groups for group in after.notes)


def test_an_edit_reads_what_it_changed() -> None:
    views = ParsedViews()
    raw: JsonObject | None = big()
    expected: list[tuple[Edit, tuple[int, int]]] = [
        (add_note("second"), (0, 1)),
        (SetToolFields(WORK, GIT_LOG, {"enabled": False}), (1, 0)),
        (MoveTool(WORK, GIT_LOG, 20), (0, 0)),
        (EditNote(NOTES_ON_GIT_LOG, "team", {"note": "other"}), (0, 1)),
        (AddTools(WORK, ({"namespacedName": "x.y"},)), (1, 0)),
        (RemoveTools(WORK, (GIT_LOG,)), (0, 0)),
        (SetFields(WORK, {"title": "Other"}), (0, 0)),
    ]
    for edit, counts in expected:
        before = views.view(WORK, raw).model
        raw, _ = edit.apply(raw)
        after = views.view(WORK, raw).model
        assert new_objects(before, after) == counts, edit
        assert after == ParsedViews().view(WORK, raw).model, "and what is remembered is right"
    assert views.view(WORK, raw) is views.view(WORK, raw)


def test_parse_warnings_are_repeated() -> None:
    views = ParsedViews()
    raw: JsonObject | None = {**big(), "tools": [{"namespacedName": "git.log"}, 5, {"namespacedName": 5}]}
    for number in range(3):
        view = views.view(WORK, raw)
        entries = [(problem.code, problem.parameters["entry"]) for problem in view.problems]
        assert entries == [(Code.FILE_ENTRY_INVALID, "tools 2"), (Code.FILE_ENTRY_INVALID, "tools 3")]
        raw, _ = add_note(f"note-{number}").apply(raw)


def test_an_entry_that_was_replaced_by_an_equal_looking_one_is_read() -> None:
    views = ParsedViews()
    first = big()
    views.view(WORK, first)
    for number in range(100):  # objects that come and go, and whose identity is given to others
        raw = big()
        raw["tools"] = [{"namespacedName": f"other.tool-{number}"}]
        assert [tool.namespaced_name for tool in views.view(WORK, raw).model.tools] == [f"other.tool-{number}"]
        del raw


def test_nothing_of_a_removed_toolset_is_kept() -> None:
    """Seen red with what is known kept beside a file that is gone: 38 MB of a toolset of 50,000 tools."""

    def kept() -> int:
        gc.collect()
        return sum(type(one) is ToolEntry and one.namespaced_name == "kept.tool" for one in gc.get_objects())

    views = ParsedViews()
    views.view(WORK, {**big(), "tools": [{"namespacedName": "kept.tool"}]})
    assert kept() == 1
    views.view(WORK, None)
    assert kept() == 0
