"""Tool of a server: its definition as sent, and the two hashes that identify it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey, namespaced_name
from toolnote_desktop.model.tools.valid_entries import ValidEntry, schema_fault, valid_tool

_IDENTITY = ("inputSchema", "outputSchema", "annotations")


def ref_id(server: str, definition: Mapping[str, Any]) -> str:
    """Return the refId (docs/contract.md 1), equal to the one that hypertool-mcp computes for its toolsets."""
    identity: JsonObject = {"name": definition["name"], "serverName": server}
    identity.update((key, definition[key]) for key in _IDENTITY if key in definition)
    text = json_text.javascript_stringify(identity)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def fingerprint(definition: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the whole definition, including description and title, for change detection."""
    return hashlib.sha256(json_text.javascript_stringify(definition).encode("utf-8")).hexdigest()


class Unreadable(Struct, frozen=True):
    """Placeholder in a list for an entry that cannot be parsed, with the reason, and its name if that can be."""

    reason: str
    name: str | None = None


def malformed_reason(definition: object) -> str | None:
    """Return the reason why a list entry cannot be served as a tool, in a few words, or None.

    What can be mended is not malformed (``valid_entries``).
    """
    if isinstance(definition, Unreadable):
        return definition.reason
    if not isinstance(definition, Mapping):
        return "it is not an object"
    if not isinstance(definition.get("name"), str):
        return "its name is missing or not text"
    if not isinstance(definition.get("inputSchema"), Mapping):
        return "its inputSchema is missing or not an object"
    if json_text.exceeds_max_nesting(definition):
        return f"it is nested more than {json_text.MAX_NESTING} levels deep"
    return schema_fault(definition["inputSchema"])


LONGEST_TITLE: Final = 200
"""Characters of a title that are shown."""


class Tool(Struct, frozen=True, eq=False, dict=True, weakref=True):
    """Tool as defined by its server. ``definition`` is deep-equal to what the server sent and never modified.

    ``keeps_heading``: the user lets the heading of notes stay in its texts (docs/contract.md 6).
    """

    server: str
    definition: JsonObject
    keeps_heading: bool = False

    @property
    def name(self) -> str:
        """Tool's own name."""
        name: str = self.definition["name"]
        return name

    @property
    def key(self) -> ToolKey:
        """(server id, own name)."""
        return (self.server, self.name)

    @property
    def namespaced_name(self) -> str:
        """Server id + ``.`` + own name."""
        return namespaced_name(self.server, self.name)

    @property
    def description(self) -> str:
        """Server's description, or ""."""
        description = self.definition.get("description")
        return description if isinstance(description, str) else ""

    @property
    def title(self) -> str:
        """Title for display on one line: the server's, else the name made readable; of a long one the start."""
        annotations = self.definition.get("annotations")
        for title in (
            self.definition.get("title"),
            annotations.get("title") if isinstance(annotations, Mapping) else None,
        ):
            if isinstance(title, str) and title.strip():
                return _bounded(title.strip())
        words = _bounded(self.name.replace("_", " ").replace("-", " ").strip())
        return words[:1].upper() + words[1:] if words else self.name

    @cached_property
    def valid(self) -> ValidEntry:
        """Definition as it may be served; see :mod:`.valid_entries`."""
        return valid_tool(self.definition, keeps_heading=self.keeps_heading)

    @property
    def served_base(self) -> JsonObject:
        """Definition that the user's additions are made to, for clients of the handshake era."""
        return self.valid.entry or self.definition

    @cached_property
    def ref_id(self) -> str:
        """See :func:`ref_id`."""
        return ref_id(self.server, self.definition)

    @cached_property
    def fingerprint(self) -> str:
        """See :func:`fingerprint`."""
        return fingerprint(self.definition)


def _bounded(text: str) -> str:
    """Return a text on one line, of a long one the start: laying out a megabyte holds the window for seconds."""
    line = " ".join(text[: 2 * LONGEST_TITLE].split())
    return f"{line[:LONGEST_TITLE]}…" if len(line) > LONGEST_TITLE else line
