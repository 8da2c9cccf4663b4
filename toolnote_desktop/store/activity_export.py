"""Recorded calls as JSON and CSV, for ``toolnote activity`` and the window's export (docs/contract.md 4)."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import Final, TextIO

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.timestamps import iso_utc_of
from toolnote_desktop.store.activity_database import Call

COLUMNS: Final = (
    "id",
    "time",
    "client",
    "server",
    "tool",
    "toolset",
    "outcome",
    "seconds",
    "sent",
    "received",
    "revision",
    "behind",
    "notes",
    "error",
    "message",
    "refused",
    "arguments",
    "result",
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def call_to_json(call: Call) -> JsonObject:
    """Return a call with the keys of ``COLUMNS``."""
    notes = call.notes
    return {
        "id": call.id,
        "time": iso_utc_of(call.time),
        "client": call.client,
        "server": call.server,
        "tool": call.tool,
        "toolset": call.toolset or None,
        "outcome": call.outcome.word,
        "seconds": round(call.seconds, 6),
        "sent": call.sent,
        "received": call.received,
        "revision": call.revision,
        "behind": call.behind,
        "notes": None if notes is None else [{"name": one.name, "scope": one.scope} for one in notes],
        "error": call.error,
        "message": call.message,
        "refused": list(call.refused),
        "arguments": call.arguments,
        "result": call.result,
    }


def write_json(stream: TextIO, calls: Iterable[Call]) -> None:
    """Write calls as one JSON document, call by call."""
    stream.write('{"calls": [')
    for number, call in enumerate(calls):
        stream.write(",\n" if number else "\n")
        stream.write(json_text.dumps(call_to_json(call)).decode("utf-8", "replace"))
    stream.write("\n]}\n")


def write_csv(stream: TextIO, calls: Iterable[Call]) -> None:
    """Write calls as CSV with a heading. A text that a spreadsheet would run as a formula gets an apostrophe."""
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for call in calls:
        values = call_to_json(call)
        notes, refused = values["notes"], values["refused"]
        values["notes"] = None if notes is None else " ".join(one["name"] for one in notes)
        values["refused"] = " ".join(refused)
        writer.writerow([_cell(values[column]) for column in COLUMNS])


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text
