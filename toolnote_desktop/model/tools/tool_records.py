"""Metadata of built-in and upstream tools (docs/requirements.md 1.1).

A record has a tool's name, purpose and category, can be marked as always enabled, and lists the conditions for offering
the tool. Settings pages and the list of served built-in tools are built from records alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct


class Requirement(StrEnum):
    """Conditions for offering a tool, enabled or not."""

    SEARCH = "search"  # the client finds its tools by searching
    OWN_CHOICE = "own-choice"  # the client may choose its toolset itself
    WRITES_NOTES = "writes-notes"  # the client may write notes


class ToolRecord(Struct, frozen=True):
    """Metadata of one tool.

    Attributes:
        id: unique among all records: the undecorated name of a built-in tool, else the namespacedName (followed by the
            server if the names of two servers collide).
        display_name: name for display.
        description: purpose in one sentence.
        category: heading under which it is listed.
        always_enabled: cannot be disabled by the user; its requirements still apply.
        requirements: conditions for offering it.
        instructions: the user's, shown to assistants after the tool's own description.
    """

    id: str
    display_name: str
    description: str
    category: str
    always_enabled: bool = False
    requirements: frozenset[Requirement] = frozenset()
    instructions: str = ""


class ToolRecords:
    """Frozen, ordered set of records. Another set of tools is another object; unchanged records are shared."""

    def __init__(self, records: Iterable[ToolRecord]) -> None:
        self._records: dict[str, ToolRecord] = {}
        for record in records:
            self._records.setdefault(record.id, record)

    def __iter__(self) -> Iterator[ToolRecord]:
        return iter(self._records.values())

    def __len__(self) -> int:
        return len(self._records)

    def get(self, id: str) -> ToolRecord | None:
        """Return the record with this id."""
        return self._records.get(id)

    def by_category(self) -> dict[str, tuple[ToolRecord, ...]]:
        """Return category -> records, both in order."""
        groups: dict[str, tuple[ToolRecord, ...]] = {}
        for record in self:
            groups[record.category] = (*groups.get(record.category, ()), record)
        return groups

    def configurable(self) -> tuple[ToolRecord, ...]:
        """Return the records that the user can enable and disable."""
        return tuple(record for record in self if not record.always_enabled)

    def enabled(self, chosen: Iterable[str], met: Iterable[Requirement] = ()) -> tuple[ToolRecord, ...]:
        """Return the offered tools: always enabled or chosen, with all requirements met.

        Args:
            chosen: ids that the user enabled; unknown ids are ignored.
            met: requirements that are met now.
        """
        on, there = frozenset(chosen), frozenset(met)
        return tuple(
            record for record in self if (record.always_enabled or record.id in on) and record.requirements <= there
        )
