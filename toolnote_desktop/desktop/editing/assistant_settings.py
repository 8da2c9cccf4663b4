"""Settings of an assistant, and of a tool source's own instructions, each change one undoable step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.model.clients import Discovery
from toolnote_desktop.model.edits import (
    ABSENT,
    CLIENT_ENTRIES,
    CLIENTS,
    OWN_KEY,
    SERVER_ENTRIES,
    SERVERS,
    PutEntry,
    SetEntryFields,
)
from toolnote_desktop.model.preferences import PREFERENCES, changed_preferences
from toolnote_desktop.model.tools.review import instructions_decision
from toolnote_desktop.store.library import Library


class AssistantSettings:
    """Submits settings as edits. A change that does not apply is reported by ``UndoStack.failed``."""

    def __init__(self, library: Library, changes: UndoStack) -> None:
        self._library = library
        self._changes = changes

    def simplify(self, client: str, *, simple: bool) -> None:
        """Set whether an assistant gets the parameters in the form that its family accepts."""
        words = (
            translate("actions", "Parameters simplified for {assistant}")
            if simple
            else translate("actions", "Parameters unchanged for {assistant}")
        )
        self._set(client, words, {"schemaSubset": True if simple else ABSENT})

    def set_dialect(self, client: str, dialect: str | None) -> None:
        """Set the dialect of an assistant; None detects it from the name that the assistant reports."""
        words = translate("actions", "Limits and names of {assistant} set")
        self._set(client, words, {"dialect": ABSENT if dialect is None else dialect})

    def set_discovery(self, client: str, discovery: Discovery) -> None:
        """Set whether an assistant is listed all tools, searches for them, or gets the one that suits its limits."""
        words = {
            "full": translate("actions", "{assistant} gets the whole list"),
            "search": translate("actions", "{assistant} searches for its tools"),
            "auto": translate("actions", "{assistant} searches where its list is too long"),
        }
        self._set(client, words[discovery], {"discovery": discovery})

    def allow_notes(self, client: str, *, on: bool) -> None:
        """Set whether an assistant gets the built-in tools that write notes."""
        words = (
            translate("actions", "{assistant} may write notes")
            if on
            else translate("actions", "{assistant} may not write notes")
        )
        self._set(client, words, {"mayWriteNotes": ABSENT if on else False})

    def allow_toolsets(self, client: str, *, on: bool) -> None:
        """Set whether an assistant gets the built-in tools that build, choose and delete toolsets."""
        words = (
            translate("actions", "{assistant} may change its toolset")
            if on
            else translate("actions", "{assistant} may not change its toolset")
        )
        self._set(client, words, {"mayChooseToolset": ABSENT if on else False})

    def prefer(self, client: str, key: str, value: object) -> None:
        """Set one of the user's preferences for an assistant; None removes it."""
        entry = ((self._library.raw(CLIENTS) or {}).get(CLIENT_ENTRIES) or {}).get(client) or {}
        changed = changed_preferences(entry.get(PREFERENCES), key, value)
        self._set(client, translate("actions", "Preferences for {assistant} set"), {PREFERENCES: changed or ABSENT})

    def keep_in_handshake_era(self, client: str, *, on: bool) -> None:
        """Set whether an assistant stays in the handshake era, in which it hears of changes."""
        words = (
            translate("actions", "{assistant} uses the older protocol")
            if on
            else translate("actions", "{assistant} chooses its protocol")
        )
        self._set(client, words, {"era": "handshake" if on else ABSENT})

    def send_instructions(self, source: str, *, on: bool, client: str | None = None) -> None:
        """Set whether a tool source's own instructions are sent: to one assistant, or with None to any."""
        if client is None:
            words = (
                translate("actions", "Instructions of {source} turned on")
                if on
                else translate("actions", "Instructions of {source} turned off")
            )
            self._set_source(
                source, words.format(source=messages.source_name(source)), {"instructions": ABSENT if on else False}
            )
            return
        entry = self._library.snapshot.clients.get(client)
        held = list(entry.without_instructions) if entry is not None else []
        left = [one for one in held if one != source] + ([] if on else [source])
        words = (
            translate("actions", "Instructions of {source} turned on for {assistant}")
            if on
            else translate("actions", "Instructions of {source} turned off for {assistant}")
        )
        self._set(
            client, words.replace("{source}", messages.source_name(source)), {"withoutInstructions": left or ABSENT}
        )

    def treat_changes(self, source: str, policy: str) -> None:
        """Set what happens to a tool that its source changes (docs/contract.md 3, ``changes``)."""
        words = (
            translate("actions", "{source} waits for you when it changes a tool")
            if policy in ("hold", "hold-meaning")
            else translate("actions", "Changes of {source} are used at once")
        )
        self._set_source(
            source,
            words.format(source=messages.source_name(source)),
            {"changes": ABSENT if policy == "show" else policy},
        )

    def keep_heading(self, source: str, *, kept: bool) -> None:
        """Serve a heading like that of the user's notes in a tool source's texts as it is, or replaced."""
        words = (
            translate("actions", "{source} keeps its heading like that of your notes")
            if kept
            else translate("actions", "The heading of {source} like that of your notes is replaced")
        )
        name = messages.source_name(source)
        self._set_source(source, words.format(source=name), {"keepsHeading": True if kept else ABSENT})

    def note_instructions(self, source: str, text: str) -> None:
        """Set the user's note after a tool source's instructions; an empty text removes it."""
        words = translate("actions", "Note on {source} written").format(source=messages.source_name(source))
        self._set_source(source, words, {"instructionsNote": text.strip() or ABSENT}, merge=("note", source))

    def review_instructions(self, source: str, decision: str, text: str) -> None:
        """Save the user's decision on a tool source's changed instructions as shown: ``accept`` or ``keep``."""
        words = (
            translate("actions", "New instructions of {source} accepted")
            if decision == "accept"
            else translate("actions", "Old instructions of {source} kept")
        )
        fields = instructions_decision(text, "accept" if decision == "accept" else "keep")
        self._set_source(source, words.format(source=messages.source_name(source)), fields)

    def _set_source(self, source: str, words: str, fields: Mapping[str, Any], merge: object = None) -> None:
        if source in self._library.snapshot.tool_settings.sources:  # counts where the entry says nothing
            usual = {"changes": "show", "instructions": True}
            fields = {key: usual.get(key, ABSENT) if value is ABSENT else value for key, value in fields.items()}
        edit = SetEntryFields(SERVERS, SERVER_ENTRIES, source, fields, (OWN_KEY,))
        self._changes.submit(words, edit, place=RowKey(Kind.SERVER, source), merge=merge)

    def _set(self, client: str, words: str, fields: Mapping[str, Any]) -> None:
        name = messages.author_name(self._library.snapshot, client)
        text, place = words.replace("{assistant}", name), RowKey(Kind.ASSISTANT, client)
        if client in self._library.snapshot.clients:
            self._changes.submit(text, SetEntryFields(CLIENTS, CLIENT_ENTRIES, client, fields), place=place)
        else:
            given = {key: value for key, value in fields.items() if value is not ABSENT}
            self._changes.submit(text, PutEntry(CLIENTS, CLIENT_ENTRIES, client, {"name": name, **given}), place=place)
