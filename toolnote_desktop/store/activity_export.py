"""Recorded calls and the audit as JSON and CSV, for commands and the window's export (docs/contract.md 4)."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import Final, TextIO

from toolnote_desktop.model import json_text
from toolnote_desktop.model.audit import AuditEntry
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
AUDIT_COLUMNS: Final = ("id", "time", "actor", "kind", "action", "subject", "count", "detail")
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


def audit_to_json(entry: AuditEntry) -> JsonObject:
    """Return an entry of the audit with the keys of ``AUDIT_COLUMNS``."""
    values = {column: getattr(entry, column) for column in AUDIT_COLUMNS}
    return {**values, "time": iso_utc_of(entry.time / 1000), "kind": str(entry.kind), "detail": dict(entry.detail)}


def write_json(stream: TextIO, calls: Iterable[Call]) -> None:
    """Write calls as one JSON document, call by call."""
    _write_list(stream, "calls", map(call_to_json, calls))


def write_audit_json(stream: TextIO, entries: Iterable[AuditEntry]) -> None:
    """Write entries of the audit as one JSON document."""
    _write_list(stream, "entries", map(audit_to_json, entries))


def _write_list(stream: TextIO, name: str, values: Iterable[JsonObject]) -> None:
    stream.write(f'{{"{name}": [')
    for number, value in enumerate(values):
        stream.write(",\n" if number else "\n")
        stream.write(json_text.dumps(value).decode("utf-8", "replace"))
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


def write_audit_csv(stream: TextIO, entries: Iterable[AuditEntry]) -> None:
    """Write entries of the audit as CSV with a heading, as ``write_csv`` does."""
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(AUDIT_COLUMNS)
    for entry in entries:
        values = {**audit_to_json(entry), "detail": ", ".join(f"{key} {value}" for key, value in entry.detail.items())}
        writer.writerow([_cell(values[column]) for column in AUDIT_COLUMNS])


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text
