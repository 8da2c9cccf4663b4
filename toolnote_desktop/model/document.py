"""The base of what is read out of a document: frozen models, read leniently, each unusable entry reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

Report = Callable[[str, str], None]
"""``report(entry, reason)`` for each entry that is left out of the model. It stays in the file."""


class Document(BaseModel):
    """Frozen, camelCase in the file, unknown keys kept."""

    model_config = ConfigDict(frozen=True, extra="allow", alias_generator=to_camel, populate_by_name=True)


Entry = TypeVar("Entry", bound=Document)
Read = TypeVar("Read")


class RememberedList(Generic[Read]):
    """Reads a list of a document again and again, and each time only the entries that were replaced.

    An edit replaces the raw object of what it changes and leaves the others, so an entry is known by its identity. What
    there was to report on is read again, so that the report is given again.
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[Any, Read | None]] = {}  # with the raw entry, so that its id stays its own
        self._list: Any = None
        self._read: tuple[Read, ...] | None = None

    def read(
        self, raw: Any, place: str, report: Report, reader: Callable[[str, Any, Report], Read | None]
    ) -> tuple[Read, ...]:
        """The usable entries of a list, in order; nothing for an absent one. ``reader(place, entry, report)``."""
        if raw is None:
            return ()
        if not isinstance(raw, list):
            report(place, "not a list")
            return ()
        if raw is self._list and self._read is not None:
            return self._read
        before, self._entries = self._entries, {}
        found: list[Read] = []
        reported: list[str] = []

        def noting(entry: str, reason: str) -> None:
            reported.append(entry)
            report(entry, reason)

        for number, item in enumerate(raw, start=1):
            known = before.get(id(item))
            fine = len(reported)
            if known is None:
                known = (item, reader(f"{place} {number}", item, noting))
            if len(reported) == fine:
                self._entries[id(item)] = known
            if known[1] is not None:
                found.append(known[1])
        read = tuple(found)
        self._list, self._read = (None, None) if reported else (raw, read)
        return read


def without_nulls(raw: Any) -> Any:
    """``raw`` without the keys that are ``null``: as good as absent where a default holds for them."""
    return {key: value for key, value in raw.items() if value is not None} if isinstance(raw, dict) else raw


def parse_entry(kind: type[Entry], raw: Any, place: str, report: Report) -> Entry | None:
    """``raw`` as a model, or None after a report in a few words that name the field."""
    if not isinstance(raw, dict):
        report(place, "not an object")
        return None
    try:
        return kind.model_validate(raw)
    except ValidationError as error:
        report(place, first_misfit(error))
        return None


def first_misfit(error: ValidationError) -> str:
    """The first thing that does not fit, with its field: never the value, which may be a secret."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    text = first["msg"].removeprefix("Value error, ")  # what pydantic puts before the words of our own validators
    if first["type"] == "model_type":
        text = "Input should be an object"  # pydantic names our class, which means nothing to anybody else
    return f"{field}: {text}" if field else text


def parse_list(kind: type[Entry], raw: Any, place: str, report: Report) -> tuple[Entry, ...]:
    """The usable entries of a list, in order; nothing for an absent one."""
    if raw is None:
        return ()
    if not isinstance(raw, list):
        report(place, "not a list")
        return ()
    entries = (parse_entry(kind, item, f"{place} {number}", report) for number, item in enumerate(raw, start=1))
    return tuple(entry for entry in entries if entry is not None)
