"""``toolnote audit``: who called, decided and changed what (docs/contract.md 4)."""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.output import one_line, print_json, print_note, print_table, print_text, write_output
from toolnote_desktop.model.audit import AuditEntry, AuditKind
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_database import reading_problem
from toolnote_desktop.store.activity_export import audit_to_json, write_audit_csv
from toolnote_desktop.store.audit import AuditFilter, read_entries

USUAL_LIMIT: Final = 100


def audit(arguments: argparse.Namespace, home: Home) -> int:
    """Print the audit, the newest entry first."""
    kinds = (AuditKind(arguments.kind),) if arguments.kind is not None else ()
    since = time.time() - arguments.since if arguments.since is not None else None
    entries = read_entries(home, arguments.limit or USUAL_LIMIT, AuditFilter(kinds=kinds, since=since))
    if not entries and (reason := reading_problem(home.audit)) is not None:
        print_note(f"{home.audit.name} cannot be read: {reason}")
        return 1
    if arguments.csv:
        stream = io.StringIO(newline="")
        write_audit_csv(stream, entries)
        write_output(stream.getvalue().encode("utf-8", "replace"))
    elif arguments.json:
        print_json({"entries": [audit_to_json(entry) for entry in entries]})
    elif not entries:
        print_text("There are no such entries.")
    else:
        print_table([("ENTRY", "TIME", "WHO", "KIND", "WHAT", "OF", "DETAIL"), *map(_row, entries)])
    return 0


def _row(entry: AuditEntry) -> tuple[str, ...]:
    moment = datetime.fromtimestamp(entry.time / 1000, UTC).astimezone()
    action = entry.action if entry.count == 1 else f"{entry.action} × {entry.count}"
    detail = ", ".join(f"{name} {value}" for name, value in entry.detail.items())
    shown = (entry.actor, str(entry.kind), action, entry.subject, one_line(detail))
    return (str(entry.id), f"{moment:%Y-%m-%d %H:%M:%S}", *shown)


RUN: Final[Mapping[str, Command]] = {
    "audit": audit,
}
