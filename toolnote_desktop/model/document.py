"""Base class of parsed documents: frozen models, read leniently, each unusable entry reported.

msgspec creates these classes thirty times faster than pydantic its models and is imported in a tenth of the time: the
first paint and the first list of ``serve`` wait for them (docs/speed.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar

from msgspec import UNSET, ValidationError, convert

from toolnote_desktop.model.names import NOTE_NAME, VALID_UNICODE, is_valid_unicode
from toolnote_desktop.model.secrets.secret_repr import SecretStruct

Report = Callable[[str, str], None]
"""``report(entry, reason)`` for each entry that is left out of the model. It stays in the file."""


class InvalidEntryError(ValueError):
    """Problem of an entry in a few words that name the field but never its value, which may be a secret."""


class Document(SecretStruct, frozen=True, kw_only=True, rename="camel"):
    """Frozen model with camelCase keys in the file. Unknown keys stay in the file; a class that passes them on has a
    field ``extra`` for them.
    """

    @classmethod
    def read(cls, raw: Any) -> Self:
        """Parse an entry of a document. Numbers and booleans may be written as strings.

        Raises:
            InvalidEntryError: the entry cannot be used.
        """
        try:
            return convert(cls.normalize(raw), cls, strict=False)
        except ValidationError as error:
            raise InvalidEntryError(_error_text(str(error), raw)) from error
        except UnicodeEncodeError as error:  # a lone surrogate in a key, or in a string that should be a number
            usable = {key: value for key, value in raw.items() if is_valid_unicode(key)}
            if len(usable) < len(raw):  # such a key is none of ours
                return cls.read(usable)
            raise InvalidEntryError(f"{_surrogate_field(raw)}: has half of a character in it") from error

    @classmethod
    def normalize(cls, raw: Any) -> Any:
        """Return the entry as the fields expect it: spellings normalized, unknown keys collected in ``extra``."""
        if "extra" not in cls.__struct_fields__ or not isinstance(raw, dict):
            return raw
        known = {key: raw[key] for key in cls.__struct_encode_fields__ if key in raw and key != "extra"}
        return {**known, "extra": {key: value for key, value in raw.items() if key not in known}}

    def to_json(self) -> dict[str, Any]:
        """Return the entry as JSON for a document, without fields that are None or not set."""
        values = zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True)
        known = {key: _plain(getattr(self, name)) for key, name in values if name != "extra"}
        kept = {key: value for key, value in known.items() if value is not None and value is not UNSET}
        return kept | getattr(self, "extra", {})


def _plain(value: Any) -> Any:
    """Return a field's value as JSON: an entry in it, or in its object, as its own."""
    if isinstance(value, Document):
        return value.to_json()
    if isinstance(value, dict):
        return {key: one.to_json() if isinstance(one, Document) else one for key, one in value.items()}
    return value


Entry = TypeVar("Entry", bound=Document)
Read = TypeVar("Read")


class CachedListParser(Generic[Read]):
    """Parser for successive versions of a list in a document that parses only the entries that were replaced.

    An edit replaces the raw object of the entry that it changes and keeps the others, so entries are recognised by
    identity. Entries with a report are parsed again, so that the report is repeated.
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[Any, Read | None]] = {}  # each with its raw entry, so that the id is not reused
        self._list: Any = None
        self._read: tuple[Read, ...] | None = None

    def read(
        self, raw: Any, place: str, report: Report, reader: Callable[[str, Any, Report], Read | None]
    ) -> tuple[Read, ...]:
        """Parse the usable entries of a list, in order; an absent list is empty. ``reader(place, entry, report)``
        parses one.
        """
        if not isinstance(raw, list):
            self._entries, self._list, self._read = {}, None, None  # those of a document that is gone
            if raw is not None:
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
    """Return ``raw`` without keys that are ``null``: equivalent to absent keys where a default applies."""
    return {key: value for key, value in raw.items() if value is not None} if isinstance(raw, dict) else raw


def is_empty(value: Any) -> bool:
    """Return True for ``null``, ``""``, ``{}`` and ``[]``, which set nothing (docs/contract.md 2)."""
    return value is None or (isinstance(value, str | dict | list) and not value)


def parse_entry(kind: type[Entry], raw: Any, place: str, report: Report) -> Entry | None:
    """Parse ``raw`` as a model; None after a report in a few words that name the field."""
    if not isinstance(raw, dict):
        report(place, "not an object")
        return None
    try:
        return kind.read(raw)
    except InvalidEntryError as error:
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


def _error_text(text: str, raw: Any) -> str:
    """Translate msgspec's description of the first invalid value into a message for the user."""
    text, _, path = text.partition(" - at `$")
    field = ".".join(_steps(path.removesuffix("`"), raw))
    if text.startswith("Object missing required field"):
        return f"{'.'.join(filter(None, (field, text.split('`')[1])))}: missing"
    if text.startswith("Invalid enum value"):
        text = "not one of the values that it can have"
    elif VALID_UNICODE in text.replace("\\\\", "\\"):
        text = "has half of a character in it"
    elif NOTE_NAME in text.replace("\\\\", "\\"):
        text = "not 1 to 50 of the characters a to z, 0 to 9 and -"
    else:
        text = re.sub(r"`([^`]+)`", lambda named: _kind_names(named[1]), text).replace("Expected", "expected")
        for sign, word in _BOUNDS.items():
            text = re.sub(sign, word, text)
    return f"{field}: {text}" if field else text


def _surrogate_field(raw: Any) -> str:
    """Return the path of the first string with a lone surrogate."""
    for key, value in raw.items() if isinstance(raw, dict) else enumerate(raw):
        if isinstance(value, str) and not is_valid_unicode(value):
            return str(key)
        if isinstance(value, (dict, list)) and (inner := _surrogate_field(value)):
            return f"{key}.{inner}"
        if not is_valid_unicode(str(key)):
            return ascii(key)
    return ""


def _kind_names(kinds: str) -> str:
    return " or ".join(_KINDS.get(kind, kind) for kind in kinds.split(" | "))


def _steps(path: str, raw: Any) -> list[str]:
    """Split a path such as ``.env[...]`` into keys. msgspec leaves open which key of a map of strings is meant."""
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
    """Parse the usable entries of a list, in order; an absent list is empty."""
    if raw is None:
        return ()
    if not isinstance(raw, list):
        report(place, "not a list")
        return ()
    entries = (parse_entry(kind, item, f"{place} {number}", report) for number, item in enumerate(raw, start=1))
    return tuple(entry for entry in entries if entry is not None)
