"""A small home to begin with, and short words for what tests do with it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from toolnote_desktop.model.edits import CreateDocument, toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.paths import Home
from toolnote_desktop.store.documents import encode, new_toolset
from toolnote_desktop.store.library import Change, Library

PATIENCE = 20.0
"""Seconds after which a test that waits for an event has failed."""

WORK = toolset_document("work")
GIT_LOG = ToolReference(namespaced_name="git.log")
NOTES_ON_GIT_LOG = NoteTarget.in_toolset("work", GIT_LOG)


def note(name: str, text: str = "text") -> JsonObject:
    return {"name": name, "note": text, "enabled": True, "author": "user"}


def work(*notes: JsonObject, **more: Any) -> JsonObject:
    """The toolset ``work`` with notes on ``git.log``."""
    toolset = new_toolset("work", "Work", [{"namespacedName": "git.log"}], now=datetime(2026, 1, 1, tzinfo=UTC))
    groups = [{"toolRef": {"namespacedName": "git.log"}, "notes": list(notes)}]
    return {**toolset, "toolNotes": groups, **more}


def put(path: Path, raw: object) -> bytes:
    """Write a file as another program would."""
    data = raw if isinstance(raw, bytes) else encode(raw) if isinstance(raw, dict) else json.dumps(raw).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return data


def on_disk(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def note_names(raw: JsonObject | None) -> list[str]:
    """The notes on ``git.log``, in order."""
    return [one["name"] for notes in NOTES_ON_GIT_LOG.lists(raw) for one in notes]


def create_work(library: Library) -> None:
    library.submit(CreateDocument(WORK, work()))
    library.flush()


def add_note(name: str, text: str = "text") -> AddNote:
    return AddNote(NOTES_ON_GIT_LOG, note(name, text))


def bad_files(home: Home) -> list[Path]:
    return sorted(path for path in home.root.rglob("*.bad-*") if home.backups not in path.parents)


class Changes(list[Change]):
    """Collects the changes of a library, and waits for one."""

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library
        self._news = threading.Condition()
        library.subscribe(self._note)

    def _note(self, change: Change) -> None:
        with self._news:
            self.append(change)
            self._news.notify_all()

    def wait(self, condition: Callable[[Snapshot], bool]) -> None:
        """Until the newest snapshot is as ``condition`` wants it."""
        with self._news:
            assert self._news.wait_for(lambda: condition(self._library.snapshot), PATIENCE), self._library.snapshot
