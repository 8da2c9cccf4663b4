"""What belongs to a tool in every toolset, and a toolset's exceptions (docs/contract.md 2)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from tests.model.builders import Reports, catalogue, known
from toolnote_desktop.guidance.served_tools import resolve_toolset, served_tools
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import override_arguments
from toolnote_desktop.model.tools.consent import Consent
from toolnote_desktop.model.toolsets.carry import add_tools, toolset_in_view
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_settings import parse_tool_settings
from toolnote_desktop.model.toolsets.toolset import ToolEntry, parse_toolset

SCHEMA = {
    "type": "object",
    "properties": {"team": {"type": "string", "description": "Team name or ID"}, "priority": {"type": "number"}},
    "required": ["team"],
}
TOOL = known("linear", "create", inputSchema=SCHEMA, description="Own.\n\nUse me always.")


def snapshot(every: JsonObject, own: JsonObject, reports: Reports | None = None, **more: Any) -> Snapshot:
    """Return a snapshot with one tool, its settings for every toolset and those of the toolset ``work``."""
    report = reports if reports is not None else Reports()
    entry = {"namespacedName": "linear.create", **own}
    return Snapshot(
        toolsets={"work": parse_toolset("work", {"tools": [entry]}, report)},
        tool_settings=parse_tool_settings({"tools": {"linear.create": every}}, report),
        catalogue=catalogue([TOOL]),
        **more,
    )


def effective(every: JsonObject, own: JsonObject) -> ToolEntry:
    state = snapshot(every, own)
    return state.effective_entry(TOOL, state.toolsets["work"].tools[0])


def served(state: Snapshot) -> JsonObject:
    """Return the tool's definition as a client of the toolset gets it."""
    (tool,) = served_tools(state, state.toolsets["work"])
    return tool.definition


@pytest.mark.parametrize("empty", [None, "", {}, [], "absent"])
def test_an_empty_value_of_the_toolset_sets_nothing(empty: Any) -> None:
    every = {
        "approval": "ask",
        "hints": {"title": "T"},
        "whenToUse": "When.",
        "instructions": "How.",
        "category": "Planning",
        "parameters": {"team": {"note": "One."}},
        "muted": ["Use me always."],
    }
    keys = (*every, "enabled", "consent", "optionality", "alias", "allowedCalls", "argumentDefaults", "hiddenArguments")
    own = {} if empty == "absent" else {**dict.fromkeys(keys, empty), "later": empty}
    reports = Reports()
    state = snapshot(every, own, reports)
    entry = state.effective_entry(TOOL, state.toolsets["work"].tools[0])
    assert reports == []
    assert (entry.alias, entry.optionality, entry.enabled) == (None, None, True)
    assert (entry.approval, entry.hints, entry.when_to_use) == ("ask", {"title": "T"}, "When.")
    assert (entry.instructions, entry.category, entry.muted) == ("How.", "Planning", ("Use me always.",))
    assert entry.parameters["team"].note == "One."
    # Nor does one of the tool's own; seen red: the tool was not served, of "approval": "" for one.
    state = snapshot({**own, "pinned": own.get("later"), "review": own.get("later")}, {}, reports)
    assert reports == []
    assert state.effective_entry(TOOL, ToolEntry()) == ToolEntry()
    inner: JsonObject = {"parameters": {"team": dict.fromkeys(("note", "allowed", "hidden"), own.get("later"))}}
    inner["hints"] = dict.fromkeys(("title", "audience", "examples", "readOnlyHint"), own.get("later"))
    state = snapshot(every, inner, reports)
    assert reports == []
    merged = state.effective_entry(TOOL, state.toolsets["work"].tools[0])
    assert (merged.parameters, merged.hints) == (entry.parameters, entry.hints)


def test_the_toolset_overrides_key_by_key() -> None:
    entry = effective(
        {"approval": "ask", "whenToUse": "A.", "category": "P", "hints": {"title": "A", "readOnlyHint": True}},
        {"approval": "off", "whenToUse": "B.", "hints": {"title": "B"}},
    )
    assert (entry.approval, entry.when_to_use, entry.category) == ("off", "B.", "P")
    assert entry.hints == {"title": "B", "readOnlyHint": True}
    assert entry.consent is None


@pytest.mark.parametrize(("every", "own", "on"), [(True, True, True), (False, True, False), (True, False, False)])
def test_a_tool_is_served_only_if_both_allow_it(every: bool, own: bool, on: bool) -> None:
    state = snapshot({"enabled": every}, {"enabled": own})
    assert bool(served_tools(state, state.toolsets["work"])) is on
    assert resolve_toolset(state, state.toolsets["work"])[0].enabled is on


def test_approval_is_said_and_asks_for_no_argument() -> None:
    state = snapshot({"approval": "ask"}, {})
    definition = served(state)
    assert "user_consent" not in definition["inputSchema"].get("properties", {})
    assert "The user approves each call in Toolnote before it runs." in definition["description"]
    (tool,) = served_tools(state, state.toolsets["work"])
    assert override_arguments(TOOL.tool.definition, tool.entry, {"team": "A"}) == {"team": "A"}


@pytest.mark.parametrize(
    ("every", "own", "wanted"),
    [
        ({"consent": {"literal": "YES"}}, {}, Consent("YES")),
        ({"consent": {"literal": "YES"}}, {"consent": {}}, Consent("YES")),
        ({"consent": {"literal": "YES"}}, {"consent": {"literal": "NO"}}, Consent("NO")),
        ({"consent": {"literal": "YES"}}, {"consent": False}, None),
        ({"consent": {"literal": "YES"}, "approval": "ask"}, {"consent": False}, None),
        ({"consent": {}}, {}, None),
        ({}, {"consent": {}}, Consent()),
        ({"consent": True}, {}, Consent()),
        ({"approval": "ask"}, {"approval": "off"}, None),
        ({}, {"approval": "ask"}, None),
    ],
)
def test_consent_of_tool_and_toolset(every: JsonObject, own: JsonObject, wanted: Consent | None) -> None:
    assert effective(every, own).consent == wanted


def test_old_keys_of_a_toolset_are_read_as_parameters() -> None:
    entry = effective(
        {}, {"argumentDefaults": {"team": "A", "priority": 3}, "hiddenArguments": ["team"], "approval": "off"}
    )
    assert entry.argument_defaults == {"team": "A", "priority": 3}
    assert entry.hidden_arguments == ("team",)
    assert entry.parameters["team"].hidden
    assert not entry.parameters["priority"].hidden


@pytest.mark.parametrize(
    ("every", "own", "defaults", "hidden"),
    [
        ({"team": {"default": "A"}}, {"team": {"default": "B"}}, {"team": "B"}, ()),
        ({"team": {"fixed": "A"}}, {}, {"team": "A"}, ("team",)),
        ({"team": {"fixed": "A"}}, {"team": {"default": "B"}}, {"team": "B"}, ()),
        ({"team": {"default": "A"}}, {"team": {"hidden": True}}, {"team": "A"}, ("team",)),
        ({"team": {"default": "A", "hidden": True}}, {"team": {"hidden": False}}, {"team": "A"}, ()),
        ({"team": {"default": "A"}}, {"priority": {"default": 1}}, {"team": "A", "priority": 1}, ()),
        ({"team": {"default": None}}, {}, {}, ()),
        ({"team": {"default": []}}, {}, {"team": []}, ()),
    ],
)
def test_parameters_merge_name_by_name(
    every: JsonObject, own: JsonObject, defaults: JsonObject, hidden: tuple[str, ...]
) -> None:
    entry = effective({"parameters": every}, {"parameters": own})
    assert (entry.argument_defaults, entry.hidden_arguments) == (defaults, hidden)


def test_the_note_on_a_parameter_stays_below_a_default_of_the_toolset() -> None:
    entry = effective({"parameters": {"team": {"note": "Words."}}}, {"argumentDefaults": {"team": "A"}})
    assert (entry.parameters["team"].note, entry.parameters["team"].default) == ("Words.", "A")
    assert entry.parameters["team"].fixed is UNSET


def test_words_on_a_parameter_follow_its_own_description() -> None:
    notes = {"team": {"note": "One of A, B."}, "priority": {"note": "1 is urgent."}}
    properties = served(snapshot({"parameters": notes}, {}))["inputSchema"]["properties"]
    assert properties["team"] == {"type": "string", "description": "Team name or ID\n\nOne of A, B."}
    assert properties["priority"] == {"type": "number", "description": "1 is urgent."}
    paused = snapshot({"parameters": notes}, {}, settings=Settings(notes_paused=True))
    assert served(paused)["inputSchema"] == SCHEMA


def test_muted_paragraphs_are_not_served() -> None:
    assert served(snapshot({"muted": ["Use me always."]}, {}))["description"] == "Own."
    assert served(snapshot({"muted": ["Use me"]}, {}))["description"] == TOOL.tool.definition["description"]


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        ({"values": ["a", 1]}, ["a", 1, 1.0, ["a", 1]], ["b", True, None, [], ["a", "b"]]),
        (
            {"under": "/home/me"},
            ["/home/me", "/home/me/x/y", "/home/me/x/../y", ["/home/me/x"]],
            ["/home/me2", "/home/me/../you", "x", "/", 5, "/home/me/\0", ["/home/me/x", "/etc"], [], "/../home/you"],
        ),
        ({"under": "C:\\me"}, ["C:\\me\\x", "c:/me/x"], ["D:\\me", "C:\\me\\..\\you", "me\\x"]),
        ({"like": "release-*"}, ["release-1"], ["main", "a release-1", 1]),
        ({"other": 1}, [], ["a"]),
    ],
)
def test_only_allowed_values_are_sent(rule: JsonObject, good: list[Any], bad: list[Any]) -> None:
    entry = effective({"parameters": {"team": {"allowed": rule}}}, {})
    for value in good:
        assert override_arguments(TOOL.tool.definition, entry, {"team": value}) == {"team": value}
    for value in bad:
        with pytest.raises(ToolnoteError) as refused:
            override_arguments(TOOL.tool.definition, entry, {"team": value})
        assert refused.value.problem.code is Code.ARGUMENT_NOT_ALLOWED
    assert override_arguments(TOOL.tool.definition, entry, {}) == {}


@pytest.mark.parametrize("broken", [{"approval": "perhaps"}, {"consent": 5}, {"parameters": "x"}, {"enabled": "x"}, 5])
def test_a_broken_restriction_is_reported_and_the_tool_is_not_served(broken: Any) -> None:
    reports = Reports()
    state = snapshot(broken, {}, reports)
    assert reports
    assert served_tools(state, state.toolsets["work"]) == ()


def test_a_broken_text_is_reported_and_left_out() -> None:
    reports = Reports()
    state = snapshot({"whenToUse": 5, "muted": "x", "hints": {"title": 1}, "category": "C"}, {}, reports)
    assert len(reports) == 3
    assert state.effective_entry(TOOL, ToolEntry()).category == "C"


def test_a_shared_name_only_restricts() -> None:
    """Texts and values for one tool must not reach another of the same name; *Ask me first* holds for both."""
    one, other = known("a", "b.c"), known("a.b", "c")
    settings = parse_tool_settings({"tools": {"a.b.c": {"approval": "ask", "whenToUse": "For one."}}}, Reports())
    state = Snapshot(tool_settings=settings, catalogue=catalogue([one, other]))
    for tool in (one, other):
        assert state.effective_entry(tool).approval == "ask"
        assert state.effective_entry(tool).when_to_use == ""


def test_merging_gives_the_same_object_until_something_changes() -> None:
    """``tools/list`` encodes a tool again only if its entry is another object."""
    raw: JsonObject = {"tools": {"linear.create": {"whenToUse": "A."}, "x.y": {}}}
    before = parse_tool_settings(raw, Reports())
    entry = ToolEntry(namespaced_name="linear.create")
    known_tools = catalogue([TOOL])
    merged = before.effective_entry(known_tools, TOOL, entry)
    assert before.effective_entry(known_tools, TOOL, entry) is merged
    after = parse_tool_settings({"tools": {**raw["tools"], "x.y": {"enabled": False}}}, Reports(), before)
    assert after.effective_entry(known_tools, TOOL, entry) is merged
    changed = parse_tool_settings({"tools": {"linear.create": {"whenToUse": "B."}}}, Reports(), after)
    assert changed.effective_entry(known_tools, TOOL, entry).when_to_use == "B."


REFERENCE = ToolReference(namespaced_name="linear.create", ref_id=TOOL.tool.ref_id)


def source() -> JsonObject:
    """Return a toolset of before: consent, parameters and notes that it alone holds."""
    entry = {"namespacedName": "linear.create", "enabled": False, "alias": "x", "consent": {"literal": "YES"}}
    notes = [{"name": "one", "note": "First."}, {"name": "two", "note": "Second."}]
    return {
        "tools": [{**entry, "argumentDefaults": {"team": "A"}}],
        "toolNotes": [{"toolRef": {"namespacedName": "linear.create"}, "notes": notes}],
    }


def test_an_added_tool_brings_along_what_the_toolset_in_view_alone_holds() -> None:
    """Notes and the ask-first were dropped silently and the call went through unasked: red without ``CARRIED``."""
    raw: JsonObject | None = {"tools": [{"namespacedName": "x.y"}]}
    before = raw
    added = add_tools("work", [REFERENCE], raw, source())
    assert (added.added, added.notes, added.settings) == (1, 2, 1)
    inverse = []
    for edit in added.edits:
        raw, back = edit.apply(raw)
        inverse.append(back)
    assert raw is not None
    toolset = parse_toolset("work", raw, Reports())
    entry = toolset.tools[1]
    assert (entry.consent, entry.argument_defaults) == (Consent("YES"), {"team": "A"})
    assert (entry.enabled, entry.alias) == (True, None)
    assert [note.name for note in toolset.notes[0].notes] == ["one", "two"]
    for edit in reversed(inverse):
        raw, _ = edit.apply(raw)
    assert raw == {**(before or {}), "toolNotes": []}


@pytest.mark.parametrize(
    ("settings", "brought"),
    [
        ({"consent": {}}, {"consent": {}}),
        ({"consent": True, "approval": "ask"}, {"approval": "ask", "consent": True}),
        ({"consent": False, "approval": "off", "hints": {}, "whenToUse": ""}, {}),
    ],
)
def test_safeguards_are_brought_along_and_exceptions_from_them_are_not(
    settings: JsonObject, brought: JsonObject
) -> None:
    """An empty object demands consent in files of before: seen red where it was dropped as empty."""
    held = {"tools": [{"namespacedName": "linear.create", **settings}]}
    changed: JsonObject | None = {"tools": []}
    for edit in add_tools("work", [REFERENCE], changed, held).edits:
        changed, _ = edit.apply(changed)
    (entry,) = (changed or {})["tools"]
    assert {key: value for key, value in entry.items() if key not in ("namespacedName", "refId")} == brought


def test_notes_that_the_toolset_kept_stay() -> None:
    kept = [{"name": "one", "note": "Mine."}, {"name": "zwei", "note": "Second."}]
    raw: JsonObject = {"tools": [], "toolNotes": [{"toolRef": {"namespacedName": "linear.create"}, "notes": kept}]}
    changed: JsonObject | None = raw
    for edit in add_tools("work", [REFERENCE], raw, source()).edits:
        changed, _ = edit.apply(changed)
    toolset = parse_toolset("work", changed or {}, Reports())
    assert [(note.name, note.note) for note in toolset.notes[0].notes] == [
        ("one", "Mine."),
        ("zwei", "Second."),
        ("one-2", "First."),
    ]


def test_a_tool_that_is_there_already_gets_nothing_more() -> None:
    raw: JsonObject = {"tools": [{"namespacedName": "linear.create"}]}
    added = add_tools("work", [REFERENCE], raw, source())
    assert (added.added, added.notes, added.settings) == (0, 0, 0)
    assert add_tools("work", [REFERENCE], {"tools": []}, None).notes == 0


def test_the_toolset_in_view_is_the_shared_one_or_the_only_one() -> None:
    def toolset(name: str, tool: str = "linear.create") -> Any:
        return parse_toolset(name, {"tools": [{"namespacedName": tool}]}, Reports())

    state = Snapshot(toolsets={"aa": toolset("aa"), "bb": toolset("bb", "x.y")}, catalogue=catalogue([TOOL]))
    assert toolset_in_view(state, "bb", TOOL) == "aa"
    assert toolset_in_view(state, "aa", TOOL) is None
    assert toolset_in_view(state, "bb", None) is None
    both = {"aa": toolset("aa"), "bb": toolset("bb"), "cc": toolset("cc", "x.y")}
    assert toolset_in_view(Snapshot(toolsets=both, catalogue=catalogue([TOOL])), "cc", TOOL) is None
    shared = Snapshot(toolsets=both, catalogue=catalogue([TOOL]), settings=Settings(equipped_toolset="bb"))
    assert toolset_in_view(shared, "cc", TOOL) == "bb"
