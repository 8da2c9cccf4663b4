"""Settings of a tool beside its notes, and of a toolset, each change one undoable step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.model.edits import (
    ABSENT,
    CLIENT_ENTRIES,
    CLIENTS,
    Edit,
    SetEntryFields,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.tools.hints import DESTRUCTIVE, OPEN_WORLD, READ_ONLY, hints_as_answers, with_answers
from toolnote_desktop.model.toolsets.tool_edits import SetToolFields, SetToolObject, matches_reference, reference_fields
from toolnote_desktop.model.toolsets.toolset import ToolEntry
from toolnote_desktop.store.library import Library


class ToolSettings:
    """Submits settings as edits. A change that does not apply is reported by ``UndoStack.failed``."""

    def __init__(self, library: Library, changes: UndoStack) -> None:
        self._library = library
        self._changes = changes

    def entry(self, view: ToolView | None) -> ToolEntry | None:
        """Return the toolset's current entry for a tool; the view may be outdated."""
        if view is None or view.entry is None or view.toolset is None:
            return None
        toolset, fields = self._library.snapshot.toolsets.get(view.toolset.name), reference_fields(view.entry)
        tools = toolset.tools if toolset is not None else ()
        return next((one for one in tools if matches_reference(fields, one)), None)

    def set_hints(self, view: ToolView, fields: Mapping[str, Any]) -> None:
        """Set hints of a tool in its toolset; None removes one, so that the server's own applies."""
        if view.entry is None or view.toolset is None:
            return
        given = {name: ABSENT if value is None else value for name, value in fields.items()}
        edit = SetToolObject(toolset_document(view.toolset.name), view.entry, "hints", given)
        words = translate("actions", "what {tool} does was set").format(tool=view.known.tool.title)
        self._changes.submit(words, edit, place=view.key)

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

    def set_consent(self, view: ToolView, consent: Mapping[str, Any] | None) -> None:
        """Set whether the tool asks for consent, and the wording."""
        text = (
            translate("actions", "{tool} is used without asking first")
            if consent is None
            else translate("actions", "{tool} asks first")
        )
        value = ABSENT if consent is None else dict(consent)
        self._set_fields(view, {"consent": value}, text, merge="consent" if consent is not None else None)

    def set_text(self, view: ToolView, key: str, text: str) -> None:
        """Set a text of the entry (``alias``, ``category``, ``whenToUse``, ``instructions``); empty removes it."""
        words = {
            "alias": translate("actions", "the name of {tool} was changed"),
            "category": translate("actions", "the category of {tool} was changed"),
            "whenToUse": translate("actions", "when to use {tool} was written"),
            "instructions": translate("actions", "instructions for {tool} were written"),
        }[key]
        self._set_fields(view, {key: text.strip() or ABSENT}, words, merge=key)

    def set_optionality(self, view: ToolView, optionality: str) -> None:
        """Set how strongly guides include the tool."""
        words = translate("actions", "how much {tool} is needed was changed")
        self._set_fields(view, {"optionality": optionality}, words)

    def shape_argument(self, view: ToolView, argument: str, *, hidden: bool, value: Any) -> None:
        """Set an argument's visibility and value (``ABSENT`` for none) as one step."""
        entry = self.entry(view)
        if entry is None or view.toolset is None:
            return
        document = toolset_document(view.toolset.name)
        edits: list[Edit] = []
        if hidden != (argument in entry.hidden_arguments):
            others = [name for name in entry.hidden_arguments if name != argument]
            edits.append(SetToolFields(document, entry, {"hiddenArguments": [*others, argument] if hidden else others}))
        if value is not ABSENT or argument in entry.argument_defaults:
            edits.append(SetToolObject(document, entry, "argumentDefaults", {argument: value}))
        text = (
            translate("actions", "“{argument}” of {tool} hidden")
            if hidden
            else translate("actions", "“{argument}” of {tool} has a default")
            if value is not ABSENT
            else translate("actions", "“{argument}” of {tool} left to the assistant")
        )
        words = text.format(argument=argument, tool=view.known.tool.title)
        self._changes.submit(words, *edits, place=view.key)

    def simplify(self, client: str, *, simple: bool, name: str) -> None:
        """Set whether an assistant gets the simplified argument schema of its dialect."""
        text = (
            translate("actions", "{assistant} gets simpler arguments")
            if simple
            else translate("actions", "{assistant} gets arguments as they are")
        )
        edit = SetEntryFields(CLIENTS, CLIENT_ENTRIES, client, {"schemaSubset": True if simple else ABSENT})
        self._changes.submit(text.format(assistant=name), edit)

    def set_dialect(self, client: str, dialect: str | None, *, assistant: str) -> None:
        """Set the dialect of an assistant; None detects it from the name that the assistant reports."""
        words = translate("actions", "whose rules hold for {assistant} was set").format(assistant=assistant)
        fields = {"dialect": ABSENT if dialect is None else dialect}
        self._changes.submit(words, SetEntryFields(CLIENTS, CLIENT_ENTRIES, client, fields))

    def take_notes(self, toolset: str, title: str, edits: Sequence[Edit]) -> bool:
        """Import a file's notes into a toolset as one step. Return False if that failed."""
        words = translate("actions", "notes of a file taken into “{name}”").format(name=title)
        return self._changes.submit(words, *edits, place=RowKey(Kind.TOOLSET, toolset)) is not None

    def set_guidelines(self, toolset: str, title: str, text: str) -> None:
        """Set a toolset's guidelines."""
        words = translate("actions", "guidelines of “{name}” written").format(name=title)
        edit = SetFields(toolset_document(toolset), {"guidelines": text})
        self._changes.submit(words, edit, place=RowKey(Kind.TOOLSET, toolset), merge=("guidelines", toolset))

    def set_task_types(self, toolset: str, title: str, task_types: Mapping[str, Any]) -> None:
        """Set the toolset's overrides of the task types."""
        words = translate("actions", "kinds of work of “{name}” changed").format(name=title)
        edit = SetFields(toolset_document(toolset), {"taskTypes": dict(task_types) if task_types else ABSENT})
        self._changes.submit(words, edit, place=RowKey(Kind.TOOLSET, toolset))

    def _set_fields(self, view: ToolView, fields: Mapping[str, Any], words: str, merge: str | None = None) -> None:
        if view.entry is None or view.toolset is None:
            return
        edit = SetToolFields(toolset_document(view.toolset.name), view.entry, fields)
        key = None if merge is None else (merge, view.toolset.name, view.known.tool.key)
        self._changes.submit(words.format(tool=view.known.tool.title), edit, place=view.key, merge=key)
