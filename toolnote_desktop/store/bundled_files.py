"""Bundled dialects, task types and note templates, and the user's own files of these kinds.

``resources/KIND/*.json`` is bundled, ``KIND/*.json`` in the home folder the user's, which replace bundled ones of the
same name. An unusable file is left out and reported.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

from toolnote_desktop import assets
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.tools.dialect import Dialect, DialectError, parse_dialect
from toolnote_desktop.model.toolsets.task_types import TaskType, read_task_type
from toolnote_desktop.model.toolsets.templates import NoteTemplate, parse_template
from toolnote_desktop.paths import Home, make_folder
from toolnote_desktop.system.atomic_file import write_file

DIALECTS: Final = "dialects"
TASK_TYPES: Final = "task-types"
NOTE_TEMPLATES: Final = "note-templates"

_LARGEST: Final = 256 * 1024
"""Maximum size of one file in bytes."""

Parsed = TypeVar("Parsed", Dialect, TaskType, NoteTemplate)
Report = Callable[[Problem], None]

logger = logging.getLogger(__name__)


def _log(problem: Problem) -> None:
    logger.warning("%s: %s", problem.parameters["file"], problem.parameters["reason"])


def dialects(home: Home, report: Report = _log) -> dict[str, Dialect]:
    """Return all dialects by name."""
    return {**_bundled_dialects(), **_read(home.root / DIALECTS, parse_dialect, report)}


def raw_dialect(home: Home, name: str) -> JsonObject:
    """Return the file of a dialect, the user's if there is one; empty if it has none."""
    found: JsonObject = {}
    for folder in (assets.path(DIALECTS), home.root / DIALECTS):
        for path in _files(folder):
            if name in _read_file(path, parse_dialect, lambda problem: None):
                found = json_text.loads(path.read_text(encoding="utf-8-sig"))
    return found


def own_dialects(home: Home) -> frozenset[str]:
    """Return the names of the user's own dialects, which replace bundled ones."""
    return frozenset(_read(home.root / DIALECTS, parse_dialect, lambda problem: None))


def save_dialect(home: Home, raw: JsonObject) -> Dialect:
    """Save a dialect of the user's, replacing one of the same name.

    Raises:
        ToolnoteError: ``setting-invalid``, ``file-not-written``.
    """
    try:
        made = parse_dialect(raw)
    except DialectError as error:
        raise ToolnoteError(Code.SETTING_INVALID, setting=str(raw.get("name")), reason=str(error)) from error
    _write(home.root / DIALECTS / f"{made.name}.json", raw)
    return made


def remove_dialect(home: Home, name: str) -> None:
    """Delete a dialect of the user's from the file that holds it; a missing one is ignored.

    Raises:
        ToolnoteError: ``file-not-written``.
    """
    _remove(home.root / DIALECTS, name, parse_dialect)


def task_types(home: Home, report: Report = _log) -> dict[str, TaskType]:
    """Return the task types from which toolsets start, by name."""
    return {**_bundled_task_types(), **_read(home.root / TASK_TYPES, _task_type, report)}


def note_templates(home: Home, report: Report = _log) -> dict[str, NoteTemplate]:
    """Return all note templates by name."""
    return {**_bundled_note_templates(), **_read(home.root / NOTE_TEMPLATES, parse_template, report)}


def own_note_templates(home: Home) -> frozenset[str]:
    """Return the names of the user's own templates."""
    return frozenset(_read(home.root / NOTE_TEMPLATES, parse_template, _log))


def save_note_template(home: Home, template: NoteTemplate) -> None:
    """Save a template of the user's, replacing one of the same name.

    Raises:
        ToolnoteError: ``file-not-written``.
    """
    raw = {
        "name": template.name,
        "title": template.title,
        "category": template.category.value,
        "text": template.text,
        "placeholders": dict(template.hints),
    }
    _write(home.root / NOTE_TEMPLATES / f"{template.name}.json", raw)


def remove_note_template(home: Home, name: str) -> None:
    """Delete a template of the user's from the file that holds it; a missing one is ignored.

    Raises:
        ToolnoteError: ``file-not-written``.
    """
    _remove(home.root / NOTE_TEMPLATES, name, parse_template)


def _write(path: Path, raw: JsonObject) -> None:
    try:
        make_folder(path.parent)
        write_file(path, json_text.dumps_pretty(raw))
    except OSError as error:
        raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(path), reason=error.strerror or str(error)) from error


def _remove(folder: Path, name: str, parse: Callable[[object], Parsed]) -> None:
    for path in _files(folder):
        if name in _read_file(path, parse, lambda problem: None):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                reason = error.strerror or str(error)
                raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(path), reason=reason) from error


@cache
def _bundled_dialects() -> dict[str, Dialect]:
    return _read(assets.path(DIALECTS), parse_dialect, _log)


@cache
def _bundled_task_types() -> dict[str, TaskType]:
    return _read(assets.path(TASK_TYPES), _task_type, _log)


@cache
def _bundled_note_templates() -> dict[str, NoteTemplate]:
    return _read(assets.path(NOTE_TEMPLATES), parse_template, _log)


def _task_type(raw: object) -> TaskType:
    name = raw.get("name") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(name, str) or not name.strip():
        raise ValueError("it has no name")
    wrong: list[str] = []
    made = read_task_type(name, raw, None, lambda entry, reason: wrong.append(reason))
    if wrong:
        raise ValueError(wrong[0])
    return made


def _read(folder: Path, parse: Callable[[object], Parsed], report: Report) -> dict[str, Parsed]:
    found: dict[str, Parsed] = {}
    for path in _files(folder):
        found.update(_read_file(path, parse, report))
    return found


def _read_file(path: Path, parse: Callable[[object], Parsed], report: Report) -> dict[str, Parsed]:
    """Return the entry of a file as name -> value; empty if it cannot be used."""
    try:
        if path.stat().st_size > _LARGEST:
            raise ValueError("it is too large")
        made = parse(json_text.loads(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        report(Problem(Code.STARTER_INVALID, {"file": str(path), "reason": error.strerror or str(error)}))
    except ValueError as error:  # not UTF-8, not JSON, or of the wrong kind
        report(Problem(Code.STARTER_INVALID, {"file": str(path), "reason": str(error)}))
    else:
        return {made.name: made}
    return {}


def _files(folder: Path) -> Iterator[Path]:
    try:
        yield from sorted(path for path in folder.iterdir() if path.suffix == ".json" and path.is_file())
    except OSError:  # missing in most homes
        return
