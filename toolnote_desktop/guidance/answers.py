"""Findings of the scanner in what a server answered to a call: a mark for the user, which blocks nothing."""

from __future__ import annotations

import contextlib
import json
from typing import Any, Final

from toolnote_desktop.guidance.scanner import Finding, scan_text

_SCANNED: Final = 20_000
"""Characters of an answer that are scanned."""


def answer_findings(text: str, server: str = "", tool: str = "", field: str = "") -> tuple[Finding, ...]:
    """Return the findings in an answer as it is recorded: in the texts of a JSON value, else in all of it."""
    if text[:1] in ("{", "["):
        with contextlib.suppress(ValueError, RecursionError):  # its end was cut off
            text = "\n".join(_texts(json.loads(text)))
    return tuple(scan_text(text[:_SCANNED], server, tool, field))


def _texts(value: Any) -> list[str]:
    found: list[str] = []
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            pending += reversed(one.values())
        elif isinstance(one, list):
            pending += reversed(one)
    return found
