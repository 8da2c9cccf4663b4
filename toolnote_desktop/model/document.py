"""The base of what is read out of a document: frozen models, read leniently, each unusable entry reported.

msgspec makes these classes thirty times as fast as pydantic makes its models, and is imported in a tenth of the time:
the window's first picture and the first list of ``serve`` wait for them (docs/speed.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar

from msgspec import ValidationError, convert

from toolnote_desktop.model.names import WHOLE, is_unicode
from toolnote_desktop.model.secrets.secret_repr import SecretStruct

Report = Callable[[str, str], None]
"""``report(entry, reason)`` for each entry that is left out of the model. It stays in the file."""


class MisfitError(ValueError):
    """What is wrong with an entry, in a few words that name the field: never its value, which may be a secret."""


class Document(SecretStruct, frozen=True, kw_only=True, rename="camel"):
    """Frozen, camelCase in the file. Keys that are not known stay in the file; a class that hands them on has
    a field ``extra`` for them.
    """

    @classmethod
    def read(cls, raw: Any) -> Self:
        """An entry as it stands in a document. Numbers and truth values may be written as texts.

        Raises:
            MisfitError: for what cannot be used.
        """
        try:
            return convert(cls.prepared(raw), cls, strict=False)
        except ValidationError as error:
            raise MisfitError(_misfit(str(error), raw)) from error
        except UnicodeEncodeError as error:  # half of a character, where a number was looked for in a text
            raise MisfitError(f"{_half_written(raw)}: not a number") from error

    @classmethod
    def prepared(cls, raw: Any) -> Any:
        """The entry as the fields take it: other spellings are brought to one, and what is unknown is put aside."""
        if "extra" not in cls.__struct_fields__ or not isinstance(raw, dict):
            return raw
        known = {key: raw[key] for key in cls.__struct_encode_fields__ if key in raw and key != "extra"}
        return {**known, "extra": {key: value for key, value in raw.items() if key not in known}}

    def written(self) -> dict[str, Any]:
        """As it stands in a document, without what is not set."""
        values = zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True)
        known = {key: getattr(self, name) for key, name in values if name != "extra"}
        return {key: value for key, value in known.items() if value is not None} | getattr(self, "extra", {})


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
        return kind.read(raw)
    except MisfitError as error:
        report(place, str(error))
        return None


_KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


_BOUNDS = {
    r"of length >= (\d+)": r"of \1 characters at least",
    r"of length <= (\d+)": r"of \1 characters at most",
    r">= ([\d.]+)": r"of \1 at least",
    r"<= ([\d.]+)": r"of \1 at most",
    r"> ([\d.]+)": r"above \1",
    r"matching regex '(.*)'": r"that matches \1",
}


def _misfit(told: str, raw: Any) -> str:
    """What msgspec says of the first thing that does not fit, in our words."""
    told, _, path = told.partition(" - at `$")
    field = ".".join(_steps(path.removesuffix("`"), raw))
    if told.startswith("Object missing required field"):
        return f"{'.'.join(filter(None, (field, told.split('`')[1])))}: missing"
    if told.startswith("Invalid enum value"):
        told = "not one of the values that it can have"
    elif WHOLE in told.replace("\\\\", "\\"):
        told = "has half of a character in it"
    else:
        told = re.sub(r"`([^`]+)`", lambda named: _in_words(named[1]), told).replace("Expected", "expected")
        for sign, word in _BOUNDS.items():
            told = re.sub(sign, word, told)
    return f"{field}: {told}" if field else told


def _half_written(raw: Any) -> str | None:
    """Where the first text with half of a surrogate pair stands."""
    for key, value in raw.items() if isinstance(raw, dict) else ():
        if isinstance(value, str) and not is_unicode(value):
            return str(key)
        inner = _half_written(value)
        if inner is not None:
            return f"{key}.{inner}"
    return None


def _in_words(kinds: str) -> str:
    return " or ".join(_KINDS.get(kind, kind) for kind in kinds.split(" | "))


def _steps(path: str, raw: Any) -> list[str]:
    """``.env[...]`` as its parts: which key of a map of texts is meant, msgspec leaves to be seen."""
    steps: list[str] = []
    for step in re.findall(r"[^.\[\]]+|\.\.\.", path):
        if step == "...":
            odd = (key for key, value in raw.items() if not isinstance(value, str)) if isinstance(raw, dict) else ()
            step_taken = next((str(key) for key in odd), None)
        else:
            step_taken = step
        if step_taken is not None:
            steps.append(step_taken)
        raw = raw.get(step_taken) if isinstance(raw, dict) else None
    return steps


def parse_list(kind: type[Entry], raw: Any, place: str, report: Report) -> tuple[Entry, ...]:
    """The usable entries of a list, in order; nothing for an absent one."""
    if raw is None:
        return ()
    if not isinstance(raw, list):
        report(place, "not a list")
        return ()
    entries = (parse_entry(kind, item, f"{place} {number}", report) for number, item in enumerate(raw, start=1))
    return tuple(entry for entry in entries if entry is not None)
