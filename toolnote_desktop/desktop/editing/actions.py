"""Document changes behind the window's buttons, each one undoable step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Literal

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.library_rows import LOST_NOTES, Kind, LostNote, RowKey
from toolnote_desktop.desktop.models.note_places import place_on
from toolnote_desktop.guidance.failure_notes import Lesson
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.guidance.unresolved import following_edits, moved_notes, moving_edits
from toolnote_desktop.model.containers import contained
from toolnote_desktop.model.edits import (
    ABSENT,
    CLIENTS,
    OWN_KEY,
    RULES_LOST,
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    CreateDocument,
    DeleteDocument,
    DocumentId,
    Edit,
    SetEntryFields,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import free_note_name, suggest_note_name, suggest_toolset_name
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.review import decision_fields
from toolnote_desktop.model.toolsets.carry import AddedTools, add_tools, toolset_in_view
from toolnote_desktop.model.toolsets.note_edits import AddNote, EditNote, MoveNote, NoteTarget, RemoveNote
from toolnote_desktop.model.toolsets.notes import USER, Note, Scope, ToolReference
from toolnote_desktop.model.toolsets.tool_edits import RemoveTools, SetToolFields, reference_fields
from toolnote_desktop.model.toolsets.tool_settings import (
    SetToolSettings,
    prompt_decision_edit,
    removing_edits,
)
from toolnote_desktop.store.documents import new_toolset
from toolnote_desktop.store.library import Library, Submitted


class Actions:
    """Facade of the window's changes. A change that does not apply is reported by ``UndoStack.failed``."""

    def __init__(self, library: Library, changes: UndoStack) -> None:
        self._library = library
        self._changes = changes

    @property
    def _snapshot(self) -> Snapshot:
        return self._library.snapshot

    # --- toolsets

    def use_toolset(self, name: str) -> None:
        """Make a toolset the default of assistants without one of their own."""
        words = translate("actions", "{name} is the default toolset").format(name=self._title(name))
        self._changes.submit(words, SetFields(SETTINGS, {"equippedToolset": name}), place=RowKey(Kind.TOOLSET, name))

    def pause_notes(self, *, paused: bool) -> None:
        """Pause or resume the notes of all assistants."""
        words = translate("actions", "Notes paused") if paused else translate("actions", "Notes resumed")
        self._changes.submit(words, SetFields(SETTINGS, {"notesPaused": True if paused else ABSENT}))

    def drop_lost_rules(self, document: DocumentId) -> None:
        """Go on without the rules of a document that could not be read."""
        self._changes.submit(translate("actions", "Lost rules dropped"), SetFields(document, {RULES_LOST: ABSENT}))

    def give_toolset(self, client: str, toolset: str | None) -> None:
        """Assign a toolset to an assistant; None assigns the default one."""
        name = messages.author_name(self._snapshot, client)
        if toolset is None:
            words = translate("actions", "{assistant} uses the default toolset").format(assistant=name)
        else:
            words = translate("actions", "{name} given to {assistant}").format(
                assistant=name, name=self._title(toolset)
            )
        from toolnote_desktop.assistants.installing.client_entries import (
            toolset_edits,  # not needed for the first paint
        )

        edits = toolset_edits(self._library.raw(CLIENTS), client, name, toolset)
        place = RowKey(Kind.TOOLSET, toolset) if toolset is not None else None
        if edits:
            self._changes.submit(words, *edits, place=place)

    def make_toolset(self, title: str, tools: Iterable[KnownTool] = ()) -> str | None:
        """Create a toolset. Return its short name; None if that failed."""
        name = suggest_toolset_name(title, self._snapshot.toolsets)
        entries = [reference_fields(self._snapshot.catalogue.reference_to(known.tool)) for known in tools]
        content = new_toolset(name, title, entries, now=datetime.now(UTC))
        words = translate("actions", "Toolset “{name}” created").format(name=title)
        edit = CreateDocument(toolset_document(name), content)
        return name if self._changes.submit(words, edit, place=RowKey(Kind.TOOLSET, name)) else None

    def rename_toolset(self, name: str, title: str) -> None:
        """Change a toolset's title; its short name stays."""
        words = translate("actions", "Toolset renamed to “{name}”").format(name=title)
        edit = SetFields(toolset_document(name), {"title": title})
        self._changes.submit(words, edit, place=RowKey(Kind.TOOLSET, name))

    def add_prompt(self, toolset: str, known: KnownTool, worked: JsonObject | None) -> str | None:
        """Add a prompt about a failed call to a toolset's bench. Return its id; None if that failed."""
        from toolnote_desktop.bench.bench_file import PROMPTS, prompt_of_failure  # pydantic: not before the first paint

        listed = (self._library.raw(toolset_document(toolset)) or {}).get(PROMPTS)
        prompts = listed if isinstance(listed, list) else []
        taken = [str(one.get("id")) for one in prompts if isinstance(one, dict)]
        made = prompt_of_failure(known.tool, worked, taken)
        words = translate("actions", "Prompt about {tool} added to the bench").format(tool=known.tool.title)
        edit = SetFields(toolset_document(toolset), {PROMPTS: [*prompts, made]})
        submitted = self._changes.submit(words, edit, place=RowKey(Kind.BENCH, toolset))
        return str(made["id"]) if submitted else None

    def delete_toolset(self, name: str) -> bool:
        """Delete a toolset with its notes; if it was the default, none is afterwards."""
        words = translate("actions", "Toolset “{name}” deleted").format(name=self._title(name))
        edits: list[Edit] = [DeleteDocument(toolset_document(name))]
        if self._snapshot.settings.equipped_toolset == name:
            edits.append(SetFields(SETTINGS, {"equippedToolset": ABSENT}))
        return self._changes.submit(words, *edits, place=RowKey(Kind.TOOLSET, name)) is not None

    def add_tools(
        self,
        toolset: str,
        tools: Iterable[KnownTool],
        *,
        source: str | None = None,
        positions: tuple[int, ...] | None = None,
    ) -> AddedTools | None:
        """Add tools to a toolset with the notes and settings that the toolset in view alone holds for them.

        Args:
            source: the toolset in view; None: the shared one if it has the tool, else the only other one that does.
        """
        chosen = list(tools)
        if len(chosen) == 1:
            words = translate("actions", "{tool} added to {name}").format(
                tool=chosen[0].tool.title, name=self._title(toolset)
            )
        else:
            words = translate("actions", "%n tools added to {name}", None, len(chosen)).format(
                name=self._title(toolset)
            )
        added = self._adding(toolset, chosen, source, positions)
        if added.notes or added.settings:
            notes = translate("actions", "%n notes", None, added.notes)
            brought = translate("actions", "1 note") if added.notes == 1 else notes
            with_ = [brought] * bool(added.notes) + [translate("actions", "its settings")] * bool(added.settings)
            words = translate("actions", "{change} with {what}").format(change=words, what=messages.joined(with_))
        place = RowKey(Kind.TOOL, *chosen[0].tool.key) if len(chosen) == 1 else RowKey(Kind.TOOLSET, toolset)
        return added if self._changes.submit(words, *added.edits, place=place) is not None else None

    def _adding(
        self, toolset: str, tools: Sequence[KnownTool], source: str | None, positions: tuple[int, ...] | None
    ) -> AddedTools:
        """Return the edits of one step that adds tools, each with what its toolset in view holds for it."""
        snapshot, catalogue = self._snapshot, self._snapshot.catalogue
        raw = self._library.raw(toolset_document(toolset))
        by_source: dict[str | None, list[ToolReference]] = {}
        for known in tools:
            held = source if source not in (None, toolset) else toolset_in_view(snapshot, toolset, known)
            by_source.setdefault(held, []).append(catalogue.reference_to(known.tool))
        if positions is not None and len(by_source) > 1:  # one place for all: what is brought is that of the first
            references = [reference for held in by_source.values() for reference in held]
            by_source = {next(iter(by_source)): references}
        parts = [
            add_tools(toolset, held, raw, None if one is None else self._library.raw(toolset_document(one)), positions)
            for one, held in by_source.items()
        ]
        return AddedTools(
            tuple(edit for part in parts for edit in part.edits),
            *(sum(getattr(part, name) for part in parts) for name in ("added", "notes", "settings")),
        )

    def remove_tools(self, toolset: str, references: Iterable[ToolReference], place: RowKey | None = None) -> bool:
        """Remove tools from a toolset; their notes stay in it and return with them."""
        chosen = tuple(references)
        words = (
            translate("actions", "1 tool removed from {name}")
            if len(chosen) == 1
            else translate("actions", "%n tools removed from {name}", None, len(chosen))
        )
        edit = self._removing(toolset, chosen)
        where = place or RowKey(Kind.TOOLSET, toolset)
        return self._changes.submit(words.format(name=self._title(toolset)), edit, place=where) is not None

    def _removing(self, toolset: str, chosen: Sequence[ToolReference]) -> RemoveTools:
        """Return the edit that removes tools with all entries that mean them."""
        there = self._snapshot.toolsets[toolset].tools if toolset in self._snapshot.toolsets else ()
        return RemoveTools(toolset_document(toolset), self._snapshot.catalogue.meaning_the_same(chosen, there))

    def move_tools(
        self, toolset: str, references: Iterable[ToolReference], tools: Sequence[KnownTool], target: str | None
    ) -> bool:
        """Move tools to another toolset (None: a new one) with what this one alone holds for them, as one step."""
        chosen = tuple(references)
        edits: list[Edit] = []
        if target is None:
            title = translate("actions", "New toolset")
            target = suggest_toolset_name(title, self._snapshot.toolsets)
            edits.append(
                CreateDocument(toolset_document(target), new_toolset(target, title, [], now=datetime.now(UTC)))
            )
        else:
            title = self._title(target)
            inside = {entry.namespaced_name for entry in self._snapshot.toolsets[target].tools}
            tools = [known for known in tools if known.tool.namespaced_name not in inside]
        edits += self._adding(target, tools, toolset, None).edits
        edits.append(self._removing(toolset, chosen))
        words = (
            translate("actions", "1 tool moved to {name}")
            if len(chosen) == 1
            else translate("actions", "%n tools moved to {name}", None, len(chosen))
        )
        return self._changes.submit(words.format(name=title), *edits, place=RowKey(Kind.TOOLSET, toolset)) is not None

    def switch_tools(self, toolset: str, references: Iterable[ToolReference], *, on: bool) -> None:
        """Switch several tools on or off in a toolset as one step."""
        document = toolset_document(toolset)
        edits = [SetToolFields(document, reference, {"enabled": on}) for reference in references]
        words = self._counted_switch(len(edits), on=on).format(name=self._title(toolset))
        self._changes.submit(words, *edits, place=RowKey(Kind.TOOLSET, toolset))

    def _counted_switch(self, count: int, *, on: bool) -> str:
        if count == 1:
            text = translate("actions", "1 tool of {name} turned on")
            return text if on else translate("actions", "1 tool of {name} turned off")
        if on:
            return translate("actions", "%n tools of {name} turned on", None, count)
        return translate("actions", "%n tools of {name} turned off", None, count)

    def clear_decisions(self) -> None:
        """Remove the audit's entries so far. It cannot be undone."""
        self._library.audit.clear()

    def write_decisions(self) -> None:
        """Wait until the audit's entries so far are written. Not for the window's thread."""
        self._library.audit.flush()

    def keep_contents(self, server: str, days: int) -> None:
        """Record arguments and results of a source's calls for so many days; 0: not at all."""
        entry = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES, {}).get(server)
        ours = entry.get("toolnote") if isinstance(entry, dict) else None
        fields = {key: value for key, value in (ours or {}).items() if key != "recordContents"}
        if days:
            fields["recordContents"] = days
            words = translate("actions", "What {name} is sent and answers is kept for %n days", None, days)
        else:
            words = translate("actions", "What {name} is sent and answers is no longer kept")
        edit = SetEntryFields(SERVERS, SERVER_ENTRIES, server, {"toolnote": fields or ABSENT})
        self._changes.submit(words.format(name=server), edit, place=RowKey(Kind.SERVER, server))

    # --- notes

    def add_note(
        self, place: NoteTarget, name: str, text: str, row: RowKey | None, *, merge: object
    ) -> Submitted | None:
        """Append a note by the user."""
        note: JsonObject = {
            "name": name,
            "note": text,
            "enabled": True,
            "author": USER,
            "createdAt": iso_utc(datetime.now(UTC)),
        }
        words = translate("actions", "Note “{name}” written").format(name=name)
        return self._changes.submit(words, AddNote(place, note), place=row, merge=merge)

    def take_offer(self, known: KnownTool, lesson: Lesson, toolset: str | None = None) -> str | None:
        """Add a note that was offered, in every toolset; where two tools share a name, in one: the default if None."""
        catalogue = self._snapshot.catalogue
        if len(catalogue.by_namespaced_name.get(known.tool.namespaced_name, ())) < 2:
            return self.take_note(known, lesson)
        chosen = toolset or self._snapshot.settings.equipped_toolset
        return self.take_note(known, lesson, chosen) if chosen in self._snapshot.toolsets else None

    def take_note(self, known: KnownTool, lesson: Lesson, toolset: str | None = None) -> str | None:
        """Add a ready note to a tool, under a free name that is returned; None if it cannot be added.

        Args:
            toolset: toolset that gets it; None for every one.
        """
        snapshot = self._snapshot
        held = snapshot.toolsets.get(toolset or "")
        taken = {one.note.name for one in NoteIndex(held, snapshot.notes, snapshot.catalogue).applied(known.tool)}
        name = free_note_name(lesson.name or suggest_note_name(lesson.text, taken), taken)
        place = place_on(snapshot, known, held.name if held is not None else None)
        row = RowKey(Kind.TOOL, *known.tool.key)
        return name if self.add_note(place, name, lesson.text, row, merge=object()) is not None else None

    def write_note(
        self, place: NoteTarget, name: str, text: str, row: RowKey | None, *, merge: object, new_name: str | None = None
    ) -> Submitted | None:
        """Change a note's text; while it is new its name follows the text."""
        fields = {"note": text} if new_name is None else {"note": text, "name": new_name}
        words = translate("actions", "Note “{name}” written").format(name=new_name or name)
        return self._changes.submit(words, EditNote(place, name, fields), place=row, merge=merge)

    def rename_note(self, place: NoteTarget, name: str, new_name: str, row: RowKey | None) -> Submitted | None:
        """Rename a note."""
        words = translate("actions", "Note “{name}” renamed to “{new}”").format(name=name, new=new_name)
        return self._changes.submit(words, EditNote(place, name, {"name": new_name}), place=row)

    def switch_note(self, place: NoteTarget, name: str, row: RowKey | None, *, on: bool) -> None:
        """Switch a note on or off; assistants are not shown one that is off."""
        text = (
            translate("actions", "Note “{name}” turned on") if on else translate("actions", "Note “{name}” turned off")
        )
        self._changes.submit(text.format(name=name), EditNote(place, name, {"enabled": on}), place=row)

    def keep_note(self, place: NoteTarget, name: str, row: RowKey | None) -> None:
        """Record that the user keeps what an assistant wrote."""
        words = translate("actions", "Note “{name}” kept").format(name=name)
        self._changes.submit(words, EditNote(place, name, {"kept": True}), place=row)

    def undo_writing(self, place: NoteTarget, name: str, row: RowKey | None) -> bool:
        """Undo what an assistant wrote in a note: its last change, else delete the note.

        Return True if the note was deleted, as a step of its own.
        """
        step = self._changes.last_writing(place, name)
        if step is None:
            return self.remove_note(place, name, row)
        self._changes.undo_step(step)
        return False

    def remove_note(self, place: NoteTarget, name: str, row: RowKey | None) -> bool:
        """Remove a note. Return False if the change does not apply."""
        words = translate("actions", "Note “{name}” deleted").format(name=name)
        return self._changes.submit(words, RemoveNote(place, name), place=row) is not None

    def move_note(self, place: NoteTarget, name: str, before: str, row: RowKey | None) -> None:
        """Move a note to the position of another note in the same place."""
        position = self._position(place, before)
        if position is not None:
            words = translate("actions", "Note “{name}” moved").format(name=name)
            self._changes.submit(words, MoveNote(place, name, position), place=row)

    def move_note_to(self, place: NoteTarget, name: str, new_place: NoteTarget, row: RowKey | None) -> bool:
        """Move a note to another scope or tool; a name that is taken there gets a number."""
        raw = self._raw_note(place, name)
        if raw is None or new_place == place:
            return False
        words = translate("actions", "Note “{name}” moved to {where}")
        words = words.format(name=name, where=self._where(new_place))
        moved = AddNote(new_place, {**raw, "name": self.free_name(new_place, name)})
        return self._changes.submit(words, RemoveNote(place, name), moved, place=row) is not None

    def copy_note_to(self, place: NoteTarget, name: str, new_place: NoteTarget, row: RowKey | None) -> bool:
        """Copy a note to another place; a name that is taken there gets a number."""
        raw = self._raw_note(place, name)
        if raw is None:
            return False
        words = translate("actions", "Note “{name}” copied to {where}")
        words = words.format(name=name, where=self._where(new_place))
        copied = AddNote(new_place, {**raw, "name": self.free_name(new_place, name)})
        return self._changes.submit(words, copied, place=row) is not None

    def _where(self, place: NoteTarget) -> str:
        """Return the scope of a note in words."""
        tool = self._tool_at(place)
        match place.scope:
            case Scope.GLOBAL:
                return translate("actions", "every tool")
            case Scope.SERVER:
                return translate("actions", "all {source} tools").format(source=messages.source_name(str(place.key)))
            case Scope.TOOL:
                return translate("actions", "{tool} in every toolset").format(tool=tool)
        title = self._title(str(place.document.name))
        return translate("actions", "{tool} in {toolset}").format(tool=tool, toolset=title)

    def _tool_at(self, place: NoteTarget) -> str:
        catalogue = self._snapshot.catalogue
        if place.reference is not None:
            tools = catalogue.resolve(place.reference)
        else:
            tools = catalogue.by_namespaced_name.get(place.key or "", ())
        return tools[0].tool.title if tools else place.label

    def free_name(self, place: NoteTarget, name: str) -> str:
        """Return a free name for a note in a place, equal or similar to this one."""
        taken = self.names_in(place)
        return free_note_name(name, taken)

    def move_lost_notes(self, place: NoteTarget, notes: Iterable[Note], home: NoteTarget) -> bool:
        """Move notes without a tool to another place as one step."""
        edits = moving_edits(place, home, notes, self.names_in(home))
        words = (
            translate("actions", "1 note moved to another tool")
            if moved_notes(edits) == 1
            else translate("actions", "%n notes moved to another tool", None, moved_notes(edits))
        )
        return bool(edits) and self._changes.submit(words, *edits, place=LOST_NOTES) is not None

    def move_notes_to_new_name(self, known: KnownTool) -> bool:
        """Move what is on the earlier name of a renamed tool to its new one, as one step."""
        edits = following_edits(self._snapshot, known)
        words = translate("actions", "Moved to {tool}").format(tool=known.tool.title)
        place = RowKey(Kind.TOOL, *known.tool.key)
        return bool(edits) and self._changes.submit(words, *edits, place=place) is not None

    def names_in(self, place: NoteTarget) -> list[str]:
        """Return the names of a place's notes, unusable ones included."""
        return [note["name"] for note in self._raw_notes(place) if isinstance(note, dict) and "name" in note]

    def remove_lost_note(self, lost: LostNote) -> bool:
        """Remove a note without a tool."""
        return self.remove_note(place_of_lost(lost), lost.note.name, None)

    # --- tool sources

    def switch_server(self, server: str, *, on: bool) -> None:
        """Switch a built-in tool on or off for all assistants."""
        text = translate("actions", "{server} turned on") if on else translate("actions", "{server} turned off")
        edit = SetEntryFields(SERVERS, SERVER_ENTRIES, server, {"disabled": ABSENT if on else True})
        self._changes.submit(text.format(server=messages.source_name(server)), edit, place=RowKey(Kind.SERVER, server))

    def pass_on(self, server: str, variables: Iterable[str]) -> None:
        """Let a tool source inherit these variables of the user's environment (docs/contract.md 3)."""
        entries = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES, {})
        own = entries.get(server, {}).get(OWN_KEY) or {}
        inherit = list(dict.fromkeys([*(own.get("inherit") or ()), *variables]))
        edit = SetEntryFields(SERVERS, SERVER_ENTRIES, server, {OWN_KEY: {**own, "inherit": inherit}})
        words = translate("actions", "Variables passed on to {server}").format(server=messages.source_name(server))
        self._changes.submit(words, edit, place=RowKey(Kind.SERVER, server))

    def contain(self, server: str, runtime: str, image: str) -> None:
        """Run a tool source in a container, without the user's files."""
        entries = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES, {})
        changed = contained(entries[server], runtime, image)
        fields = {"command": changed["command"], "args": changed["args"], "cwd": ABSENT}
        words = translate("actions", "{server} runs in a container").format(server=messages.source_name(server))
        edit = SetEntryFields(SERVERS, SERVER_ENTRIES, server, fields)
        self._changes.submit(words, edit, place=RowKey(Kind.SERVER, server))

    def remove_server(self, server: str) -> bool:
        """Remove a tool source; notes on its tools and decisions on its changes apply again when it returns."""
        words = translate("actions", "{server} removed").format(server=messages.source_name(server))
        edits = removing_edits(self._library.raw(SERVERS), server)
        return self._changes.submit(words, *edits, place=RowKey(Kind.SERVER, server)) is not None

    # --- changed definitions

    def accept_definition(self, known: KnownTool) -> None:
        """Serve the newest definition of a tool that its server changed."""
        words = translate("actions", "Change of {tool} accepted").format(tool=known.tool.title)
        self._review(words, known, {"review": decision_fields(known, "accept")})

    def keep_definition(self, known: KnownTool) -> None:
        """Go on serving the accepted definition of a tool that its server changed."""
        words = translate("actions", "old version of {tool} kept").format(tool=known.tool.title)
        self._review(words, known, {"review": decision_fields(known, "keep")})

    def turn_off_changed(self, known: KnownTool) -> None:
        """Turn a tool that its server changed off in every toolset."""
        words = translate("actions", "{tool} turned off").format(tool=known.tool.title)
        self._review(words, known, {"review": decision_fields(known, "keep"), "enabled": False})

    def decide_on_prompt(self, known: KnownTool, decision: Literal["accept", "keep", "off"]) -> None:
        """Serve the newest definition of a prompt that its server changed, go on with the accepted one, or neither."""
        words = {
            "accept": translate("actions", "Change of {tool} accepted"),
            "keep": translate("actions", "old version of {tool} kept"),
            "off": translate("actions", "{tool} turned off"),
        }[decision]
        edit, place = prompt_decision_edit(known, decision), RowKey(Kind.SERVER, known.tool.server)
        self._changes.submit(words.format(tool=known.tool.title), edit, place=place)

    def _review(self, words: str, known: KnownTool, fields: JsonObject) -> None:
        edit = SetToolSettings(known.tool.namespaced_name, fields)
        self._changes.submit(words, edit, place=RowKey(Kind.TOOL, *known.tool.key))

    # --- what is there

    def _title(self, toolset: str) -> str:
        found = self._snapshot.toolsets.get(toolset)
        return found.title if found is not None else toolset

    def _raw_notes(self, place: NoteTarget) -> list[object]:
        return [note for notes in place.lists(self._library.raw(place.document)) for note in notes]

    def _raw_note(self, place: NoteTarget, name: str) -> JsonObject | None:
        found = (note for note in self._raw_notes(place) if isinstance(note, dict) and note.get("name") == name)
        return next(found, None)

    def _position(self, place: NoteTarget, name: str) -> int | None:
        for position, note in enumerate(self._raw_notes(place)):
            if isinstance(note, dict) and note.get("name") == name:
                return position
        return None


def place_of_lost(lost: LostNote) -> NoteTarget:
    """Return the place of a note without a tool."""
    if lost.toolset is None:
        return NoteTarget.everywhere(Scope.TOOL, lost.reference.namespaced_name)
    return NoteTarget.in_toolset(lost.toolset, lost.reference)
