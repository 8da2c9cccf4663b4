"""Settings of a tool beside its notes, and of a toolset, each change one undoable step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.model.edits import (
    ABSENT,
    TOOLS,
    Edit,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.hints import (
    DESTRUCTIVE,
    OPEN_WORLD,
    READ_ONLY,
    hints_as_answers,
    is_marked_destructive,
    with_answers,
)
from toolnote_desktop.model.toolsets.tool_edits import SetToolFields, SetToolObject, matches_reference, reference_fields
from toolnote_desktop.model.toolsets.tool_settings import TOOL_ENTRIES, SetToolSettings
from toolnote_desktop.model.toolsets.toolset import NOTHING_SET, ToolEntry
from toolnote_desktop.store.library import Library

_TOOLSET_ONLY = ("alias", "optionality")
"""Keys that only a toolset has."""


class ToolSettingsEditor:
    """Submits settings as edits. A change that does not apply is reported by ``UndoStack.failed``.

    Settings belong to the tool in every toolset (``tools.json``). A value that the toolset in view has of its own is
    an exception and changed there.
    """

    def __init__(self, library: Library, changes: UndoStack) -> None:
        self._library = library
        self._changes = changes

    def entry(self, view: ToolView | None) -> ToolEntry | None:
        """Return what is in effect for a tool now; the view may be outdated."""
        if view is None:
            return None
        snapshot = self._library.snapshot
        toolset = snapshot.toolsets.get(view.toolset.name) if view.toolset is not None else None
        tools = toolset.tools if toolset is not None and view.entry is not None else ()
        fields = reference_fields(view.entry) if view.entry is not None else {}
        own = next((one for one in tools if matches_reference(fields, one)), NOTHING_SET)
        return snapshot.effective_entry(view.known, own)

    def set_hints(self, view: ToolView, fields: Mapping[str, Any]) -> None:
        """Set hints of a tool; None removes one, so that the server's own applies."""
        given = {name: ABSENT if value is None else value for name, value in fields.items()}
        words = translate("actions", "Behavior of {tool} changed").format(tool=view.known.tool.title)
        self._changes.submit(words, *self._object_edits(view, "hints", given), place=view.key)

    def set_answer(self, view: ToolView, question: str, answer: bool | None) -> None:
        """Set the answer to one of the three plain questions (a field of ``PlainAnswers``); None removes it."""
        entry = self.entry(view)
        if entry is None:
            return
        wanted = with_answers(entry.hints, replace(hints_as_answers(entry.hints), **{question: answer}))
        keys = (READ_ONLY, DESTRUCTIVE, OPEN_WORLD)
        changed = {key: wanted.get(key) for key in keys if entry.hints.get(key) != wanted.get(key)}
        if changed:
            self.set_hints(view, changed)

    def ask_first(self, view: ToolView, *, on: bool) -> None:
        """Set *Ask me first* for a tool in every toolset."""
        tool = view.known.tool.title
        if on:
            words = translate("actions", "Ask me first turned on for {tool}").format(tool=tool)
        else:
            words = translate("actions", "Ask me first turned off for {tool}").format(tool=tool)
        edits = self._asking(view, on=on)
        if edits:
            self._changes.submit(words, *edits, place=view.key)

    def ask_first_for(self, views: Sequence[ToolView], *, on: bool, place: RowKey) -> None:
        """Set *Ask me first* for several tools as one step."""
        if len(views) == 1:
            self.ask_first(views[0], on=on)
            return
        edits = [edit for view in views for edit in self._asking(view, on=on)]
        words = (
            translate("actions", "Ask me first turned on for %n tools", None, len(views))
            if on
            else translate("actions", "Ask me first turned off for %n tools", None, len(views))
        )
        if edits:
            self._changes.submit(words, *edits, place=place)

    def _asking(self, view: ToolView, *, on: bool) -> list[Edit]:
        """Return the edits that set *Ask me first* for a tool."""
        own, every = self._own(view), self._every(view)
        edits: list[Edit] = []
        if on:
            if own.get("approval") == "off":
                edits += self._toolset_fields(view, {"approval": ABSENT})
            return edits + self._fields(view, {"approval": "ask"}, anyhow=True)
        if "approval" in own:
            edits += self._toolset_fields(view, {"approval": ABSENT})
        if is_marked_destructive(view.known.annotations, view.effective.hints):  # a decision: it is not suggested again
            return edits + self._fields(view, {"approval": "off"}, anyhow=True)
        if "approval" in every:
            edits.append(SetToolSettings(view.known.tool.namespaced_name, {"approval": ABSENT}))
        return edits

    def allow_always(self, view: ToolView, arguments: JsonObject) -> None:
        """Run a tool without asking from now on where it is called with exactly these arguments: in every toolset, or
        where the one in view has allowed calls of its own, which count in place of those, there.
        """
        every = {} if view.shares_name else self._every(view)
        allowed = self._own(view).get("allowedCalls") or every.get("allowedCalls")
        fields = {"allowedCalls": [*(allowed if isinstance(allowed, list) else ()), arguments]}
        self._set_fields(view, fields, translate("actions", "{tool} always allowed with these arguments"))

    def switch(self, view: ToolView, *, on: bool) -> None:
        """Turn a tool on or off in the toolset in view; on also where it was off in every toolset."""
        edits = self._toolset_fields(view, {"enabled": on})
        if on and self._every(view).get("enabled") is False:
            edits.append(SetToolSettings(view.known.tool.namespaced_name, {"enabled": ABSENT}))
        text = translate("actions", "{tool} turned on") if on else translate("actions", "{tool} turned off")
        self._changes.submit(text.format(tool=view.known.tool.title), *edits, place=view.key)

    def set_consent(self, view: ToolView, consent: Mapping[str, Any]) -> None:
        """Set the word that the assistant must have been told, and the reason; empty removes both."""
        text = translate("actions", "Confirmation word changed for {tool}")
        self._set_fields(view, {"consent": dict(consent) or ABSENT}, text)

    def set_text(self, view: ToolView, key: str, text: str) -> None:
        """Set a text (``alias``, ``category``, ``whenToUse``, ``instructions``); empty removes it."""
        words = {
            "alias": translate("actions", "Name of {tool} changed"),
            "category": translate("actions", "Category of {tool} changed"),
            "whenToUse": translate("actions", "When to use {tool} written"),
            "instructions": translate("actions", "Instructions for {tool} written"),
        }[key]
        self._set_fields(view, {key: text.strip() or ABSENT}, words, merge=key)

    def mute(self, view: ToolView, paragraph: str, *, on: bool) -> None:
        """Mute a paragraph of the server's description for assistants, or let them read it again."""
        entry = self.entry(view)
        if entry is None:
            return
        others = [text for text in entry.muted if text.strip() != paragraph.strip()]
        muted = translate("actions", "A paragraph of {tool} muted")
        words = muted if on else translate("actions", "A paragraph of {tool} read again")
        self._set_fields(view, {"muted": [*others, paragraph.strip()] if on else others or ABSENT}, words)

    def set_optionality(self, view: ToolView, optionality: str | None) -> None:
        """Set how strongly guides include the tool; None: by the task."""
        self.set_optionality_for([view], optionality, place=view.key)

    def set_optionality_for(self, views: Sequence[ToolView], optionality: str | None, place: RowKey) -> None:
        """Set how strongly guides include several tools as one step."""
        self.set_places([(view, optionality) for view in views], place)

    def set_places(self, places: Sequence[tuple[ToolView, str | None]], place: RowKey) -> bool:
        """Set how strongly guides include each of several tools as one step; return False if nothing changes."""
        changed = [(view, need) for view, need in places if view.entry is not None and view.entry.optionality != need]
        edits = [edit for view, need in changed for edit in self._toolset_fields(view, {"optionality": need or ABSENT})]
        if not edits:
            return False
        words = (
            translate("actions", "{tool} in guides changed").format(tool=changed[0][0].known.tool.title)
            if len(changed) == 1
            else translate("actions", "%n tools in guides changed", None, len(changed))
        )
        self._changes.submit(words, *edits, place=place)
        return True

    def pin(self, view: ToolView, *, on: bool) -> None:
        """Serve a tool in every toolset, or only where it is listed."""
        text = (
            translate("actions", "{tool} in every toolset") if on else translate("actions", "{tool} where it is listed")
        )
        edit = SetToolSettings(view.known.tool.namespaced_name, {"pinned": True if on else ABSENT})
        self._changes.submit(text.format(tool=view.known.tool.title), edit, place=view.key)

    def note_parameter(self, view: ToolView, parameter: str, text: str) -> None:
        """Set the user's words on a parameter; empty removes them."""
        given = {"note": text.strip() or ABSENT}
        words = translate("actions", "Your words on {argument} of {tool} written")
        words = words.format(argument=parameter, tool=view.known.tool.title)
        edits = self._object_edits(view, "parameters", given, parameter)
        self._changes.submit(words, *edits, place=view.key, merge=("note", parameter, view.known.tool.key))

    def limit_argument(self, view: ToolView, argument: str, rule: Any) -> None:
        """Set the rule for an argument's values (``ParameterSetting.allowed``); ``ABSENT`` allows all."""
        if rule is ABSENT:
            text = translate("actions", "Any value of {argument} in {tool} allowed")
        else:
            text = translate("actions", "Values of {argument} in {tool} limited")
        edits = self._object_edits(view, "parameters", {"allowed": rule}, argument)
        words = text.format(argument=argument, tool=view.known.tool.title)
        self._changes.submit(words, *edits, place=view.key)

    def shape_argument(self, view: ToolView, argument: str, *, hidden: bool, value: Any) -> None:
        """Set an argument's visibility and value (``ABSENT`` for none) as one step."""
        own = self._own(view)
        edits: list[Edit] = []
        if argument in (own.get("argumentDefaults") or {}) or argument in (own.get("hiddenArguments") or ()):
            edits += self._old_shape(view, own, argument, hidden=hidden, value=value)
        else:
            fixed = hidden and value is not ABSENT
            given = {
                "default": ABSENT if fixed else value,
                "fixed": value if fixed else ABSENT,
                "hidden": True if hidden and not fixed else ABSENT,
            }
            edits += self._object_edits(view, "parameters", given, argument)
        text = (
            translate("actions", "Parameter {argument} of {tool} hidden")
            if hidden
            else translate("actions", "Default of {argument} in {tool} changed")
            if value is not ABSENT
            else translate("actions", "Parameter {argument} of {tool}: assistant decides")
        )
        words = text.format(argument=argument, tool=view.known.tool.title)
        self._changes.submit(words, *edits, place=view.key)

    def _old_shape(self, view: ToolView, own: JsonObject, argument: str, *, hidden: bool, value: Any) -> Iterator[Edit]:
        """Yield the edits of a toolset's ``argumentDefaults`` and ``hiddenArguments``."""
        assert view.entry is not None
        assert view.toolset is not None
        document = toolset_document(view.toolset.name)
        names = own.get("hiddenArguments") or []
        if hidden != (argument in names):
            others = [name for name in names if name != argument]
            fields = {"hiddenArguments": [*others, argument] if hidden else others}
            yield SetToolFields(document, view.entry, fields)
        if value is not ABSENT or argument in (own.get("argumentDefaults") or {}):
            yield SetToolObject(document, view.entry, "argumentDefaults", {argument: value})

    def take_notes(self, toolset: str, title: str, edits: Sequence[Edit]) -> bool:
        """Import a file's notes into a toolset as one step. Return False if that failed."""
        words = translate("actions", "Notes imported into {name}").format(name=title)
        return self._changes.submit(words, *edits, place=RowKey(Kind.TOOLSET, toolset)) is not None

    def set_purpose(self, toolset: str, title: str, text: str) -> None:
        """Set what a toolset is for: the first line of instructions."""
        words = translate("actions", "Purpose of {name} changed").format(name=title)
        edit = SetFields(toolset_document(toolset), {"description": text})
        self._changes.submit(words, edit, place=RowKey(Kind.TOOLSET, toolset), merge=("purpose", toolset))

    def set_guidelines(self, toolset: str, title: str, text: str) -> None:
        """Set a toolset's guidelines."""
        words = translate("actions", "Instructions of {name} written").format(name=title)
        edit = SetFields(toolset_document(toolset), {"guidelines": text})
        self._changes.submit(words, edit, place=RowKey(Kind.TOOLSET, toolset), merge=("guidelines", toolset))

    def set_task_types(self, toolset: str, title: str, task_types: Mapping[str, Any]) -> None:
        """Set the toolset's overrides of the task types."""
        words = translate("actions", "Task types of {name} changed").format(name=title)
        edit = SetFields(toolset_document(toolset), {"taskTypes": dict(task_types) if task_types else ABSENT})
        self._changes.submit(words, edit, place=RowKey(Kind.TOOLSET, toolset))

    def _set_fields(self, view: ToolView, fields: Mapping[str, Any], words: str, merge: str | None = None) -> None:
        key = None if merge is None else (merge, view.known.tool.key)
        edits = self._fields(view, fields)
        if edits:
            self._changes.submit(words.format(tool=view.known.tool.title), *edits, place=view.key, merge=key)

    def _fields(self, view: ToolView, fields: Mapping[str, Any], *, anyhow: bool = False) -> list[Edit]:
        """Return the edits of keys, each where it belongs: in the toolset if that has an own value, else everywhere.

        Args:
            anyhow: for every toolset even if this one has an own value.
        """
        own = {} if anyhow else self._own(view)
        here = {key: value for key, value in fields.items() if key in _TOOLSET_ONLY or own.get(key)}
        if view.shares_name:
            here = dict(fields)
        rest = {key: value for key, value in fields.items() if key not in here}
        edits = self._toolset_fields(view, here)
        return [*edits, SetToolSettings(view.known.tool.namespaced_name, rest)] if rest else edits

    def _toolset_fields(self, view: ToolView, fields: Mapping[str, Any]) -> list[Edit]:
        if not fields or view.entry is None or view.toolset is None:
            return []
        return [SetToolFields(toolset_document(view.toolset.name), view.entry, fields)]

    def _object_edits(self, view: ToolView, key: str, fields: Mapping[str, Any], *path: str) -> list[Edit]:
        """Return the edits of keys of an object (``hints``, one of ``parameters``), each where it belongs."""
        own = self._own(view).get(key)
        for step in path:
            own = own.get(step) if isinstance(own, dict) else None
        own = own if isinstance(own, dict) else {}
        here = {name: value for name, value in fields.items() if view.shares_name or own.get(name) is not None}
        rest = {name: value for name, value in fields.items() if name not in here}
        if here.keys() - {"note"} and own.get("imported"):
            here["imported"] = ABSENT  # the user's own from now on
        edits: list[Edit] = []
        if here and view.entry is not None and view.toolset is not None:
            edits.append(SetToolObject(toolset_document(view.toolset.name), view.entry, key, here, path))
        if rest:
            edits.append(SetToolSettings(view.known.tool.namespaced_name, rest, (key, *path)))
        return edits

    def _own(self, view: ToolView) -> JsonObject:
        """Return the toolset's entry for the tool as it is in its document."""
        if view.entry is None or view.toolset is None:
            return {}
        tools = (self._library.raw(toolset_document(view.toolset.name)) or {}).get("tools") or ()
        return next((one for one in tools if matches_reference(one, view.entry)), {})

    def _every(self, view: ToolView) -> JsonObject:
        """Return the tool's settings for every toolset as they are in ``tools.json``."""
        entries = (self._library.raw(TOOLS) or {}).get(TOOL_ENTRIES) or {}
        found = entries.get(view.known.tool.namespaced_name)
        return found if isinstance(found, dict) else {}
