"""What is recorded of every tool, built-in or a server's: the registry's metadata (docs/requirements.md 1.1).

A record says what a tool is called, what it is for, in which category it stands, whether a person may switch it off,
and what it needs to be there. Settings pages and the list of served built-in tools are made from records alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct


class Requirement(StrEnum):
    """What has to be so for a tool to be offered at all, switched on or not."""

    LAZY_MODE = "lazy-mode"  # the setting is on
    OWN_CHOICE = "own-choice"  # the client may choose its toolset itself
    SERVER = "server"  # its server is switched on and lists it


class ToolRecord(Struct, frozen=True):
    """One tool's metadata.

    Attributes:
        id: unique among all records: a built-in's undecorated name, else the namespacedName (with the server behind
            it where two servers' names meet).
        display_name: what people see.
        description: one sentence on what it does.
        category: what it is listed under.
        always_enabled: no person can switch it off; what it requires still counts.
        requirements: what has to be so for it to be offered.
        instructions: the user's own, told to assistants after the tool's own words.
    """

    id: str
    display_name: str
    description: str
    category: str
    always_enabled: bool = False
    requirements: frozenset[Requirement] = frozenset()
    instructions: str = ""


class ToolRecords:
    """Records in their order, frozen. Another set of tools is another object; single records stay the same ones."""

    def __init__(self, records: Iterable[ToolRecord]) -> None:
        self._records: dict[str, ToolRecord] = {}
        for record in records:
            self._records.setdefault(record.id, record)

    def __iter__(self) -> Iterator[ToolRecord]:
        return iter(self._records.values())

    def __len__(self) -> int:
        return len(self._records)

    def get(self, id: str) -> ToolRecord | None:
        """The record of this id."""
        return self._records.get(id)

    def by_category(self) -> dict[str, tuple[ToolRecord, ...]]:
        """Category -> its records, both in order."""
        groups: dict[str, tuple[ToolRecord, ...]] = {}
        for record in self:
            groups[record.category] = (*groups.get(record.category, ()), record)
        return groups

    def configurable(self) -> tuple[ToolRecord, ...]:
        """Those that a person may switch on and off."""
        return tuple(record for record in self if not record.always_enabled)

    def enabled(self, chosen: Iterable[str], met: Iterable[Requirement] = ()) -> tuple[ToolRecord, ...]:
        """Those that are offered: always enabled or chosen, and with all that they require.

        Args:
            chosen: ids that the user has switched on; one that there is no record of does nothing.
            met: the requirements that are met now.
        """
        on, there = frozenset(chosen), frozenset(met)
        return tuple(
            record for record in self if (record.always_enabled or record.id in on) and record.requirements <= there
        )
