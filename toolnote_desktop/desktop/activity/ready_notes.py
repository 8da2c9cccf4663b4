"""Ready notes in the window's language, made of recorded failures (``guidance/failure_notes.py``)."""

from __future__ import annotations

from PySide6.QtCore import QLocale

from toolnote_desktop.guidance.failure_notes import Failure, Lesson, example_lesson, failure_of, lesson
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.catalogue import KnownTool


def language() -> str:
    """Return the code of the language in which ready sentences are written."""
    return QLocale().name()


def failure_on(known: KnownTool, error: str, refused: tuple[str, ...]) -> Failure:
    """Return what recorded failures of a tool are about."""
    return failure_of(error, refused, known.tool.definition.get("inputSchema"), known.tool.server)


def ready_note(failure: Failure) -> Lesson | None:
    """Return a ready note against a failure, in the window's language; None if no rule fits."""
    return lesson(failure, language())


def example_note(arguments: JsonObject) -> Lesson | None:
    """Return a ready note with arguments that worked, in the window's language."""
    return example_lesson(arguments, language())
