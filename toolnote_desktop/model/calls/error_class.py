"""Classes of errors that need no content: a message without its numbers, ids, quoted values and paths."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

MESSAGE_LIMIT: Final = 500
"""Characters of an error's message that are recorded."""

_CLASS_LIMIT: Final = 160
_ROOM: Final = 2 * MESSAGE_LIMIT  # characters that are searched

_REPLACED: Final = (
    (re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://[^\s\"'<>]+", re.IGNORECASE), "<url>"),
    (re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}"), "<address>"),
    (re.compile(r"(?<![\w/\\])(?:[A-Za-z]:[\\/]|~?/|\\\\)[^\s\"'`,;:()<>]{2,}"), "<path>"),
    (re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE), "<id>"),
    (re.compile(r"\b(?=[\w-]{0,64}[0-9])(?=[\w-]{0,64}[A-Za-z])[\w-]{6,}\b"), "<id>"),
    (re.compile(r"\b(?![45][0-9]{2}\b)[0-9][0-9.,:]*"), "<n>"),
)
_TYPE_NAMES: Final = frozenset(("string", "number", "integer", "boolean", "array", "object", "null"))
_QUOTED: Final = re.compile(
    r"\"([^\"\n]{0,400})\"|'([^'\n]{0,400})'(?!\w)|`([^`\n]{0,400})`|“([^”\n]{0,400})”|«([^»\n]{0,400})»"
)


class ErrorKind(StrEnum):
    """Kinds of failures for which there is a ready sentence (``guidance/failure_notes.py``)."""

    ENUM = "enum"
    REQUIRED = "required"
    TYPE = "type"
    UNKNOWN = "unknown"
    RANGE = "range"
    FORMAT = "format"
    NOT_FOUND = "not-found"
    PERMISSION = "permission"
    TOO_LARGE = "too-large"
    RATE_LIMIT = "rate-limit"
    TIMEOUT = "timeout"
    OTHER = "other"


_PHRASES: Final[Mapping[ErrorKind, tuple[str, ...]]] = {
    ErrorKind.RATE_LIMIT: (r"\b429\b", "rate.?limit", "too many requests", "quota", "throttl"),
    ErrorKind.TIMEOUT: ("time[ds]?[ -]?out", "deadline exceeded", r"\b(?:408|504)\b"),
    ErrorKind.UNKNOWN: (
        "additional propert",
        "unrecogni[sz]ed key",
        "extra (?:inputs|fields|propert)",
        "un(?:known|expected|supported) (?:keyword )?(?:arg|param|propert|field|key|option)",
        "extra_forbidden",
    ),
    ErrorKind.ENUM: (
        "(?:must|should|has to) be (?:one|equal to one) of",
        "not one of",
        "one of the (?:following|allowed)",
        r"\benum\b",
        "invalid (?:option|choice)",
        "literal_error",
        "allowed values",
        "expected one of",
    ),
    ErrorKind.REQUIRED: (
        r"\brequired\b",
        r"\bmissing\b",
        "must (?:be (?:provided|set|given)|not be (?:empty|blank))",
        "can.?t be blank",
    ),
    ErrorKind.TYPE: (
        "(?:not|must be|should be|expected) (?:of type |an? |to be an? )?(?:valid )?"
        r"(?:string|number|integer|boolean|array|object|list|dict|int|float|bool)\b",
        "invalid[_ ]type",
        "type[_ ]error",
        "wrong type",
    ),
    ErrorKind.PERMISSION: (
        r"\b(?:401|403)\b",
        "permission",
        "forbidden",
        "unauthori[sz]ed",
        "access denied",
        "not (?:allowed|permitted)",
        "insufficient",
        "EACCES|EPERM",
    ),
    ErrorKind.TOO_LARGE: (
        r"\b413\b",
        "too (?:large|long|big|many)",
        "exceeds? |exceeded",
        "maximum (?:length|size)",
        "max(?:imum)? (?:is|of)",
    ),
    ErrorKind.RANGE: (
        "out of (?:range|bounds)",
        "(?:less|greater|larger|smaller|more) than",
        "between <n> and",
        r"(?:at least|at most|minimum|maximum)\b",
        "[<>]=? ?<n>",
    ),
    ErrorKind.NOT_FOUND: (
        r"\b(?:404|410)\b",
        "not found",
        "no such",
        "(?:does not|doesn.?t|do not) exist",
        "unknown ",
        "ENOENT",
        "could(?: not|n.?t) find",
        "can(?:not|.?t) find",
        "no .{1,40} (?:with|named|found)",
    ),
    ErrorKind.FORMAT: (
        "format",
        "does not match",
        "not (?:a )?valid",
        "malformed",
        "pars(?:e|ing)",
        r"invalid (?:date|time|e-?mail|url|uri|uuid|id)\b",
        "pattern",
    ),
}
"""Phrases of usual servers and libraries, in the order in which they decide."""

_KINDS: Final = tuple((kind, re.compile("|".join(phrases), re.IGNORECASE)) for kind, phrases in _PHRASES.items())
_OF_SCHEMA: Final = {
    "enum": ErrorKind.ENUM,
    "const": ErrorKind.ENUM,
    "required": ErrorKind.REQUIRED,
    "type": ErrorKind.TYPE,
    "additionalProperties": ErrorKind.UNKNOWN,
    "minimum": ErrorKind.RANGE,
    "maximum": ErrorKind.RANGE,
    "exclusiveMinimum": ErrorKind.RANGE,
    "exclusiveMaximum": ErrorKind.RANGE,
    "minItems": ErrorKind.RANGE,
    "minLength": ErrorKind.RANGE,
    "maxItems": ErrorKind.TOO_LARGE,
    "maxLength": ErrorKind.TOO_LARGE,
    "format": ErrorKind.FORMAT,
}


class Refused(Struct, frozen=True, array_like=True):
    """Argument that its schema refuses: a JSON Pointer into the arguments, and the keyword that refuses it."""

    path: str
    keyword: str

    def __str__(self) -> str:
        return f"{self.path} {self.keyword}"


def error_class(message: str, arguments: Collection[str] = ()) -> str:
    """Return a message without its content: the same for errors that differ in values alone.

    Args:
        arguments: names of the tool's arguments, which stay although they are quoted.
    """
    text = " ".join(message[:_ROOM].split())

    def quoted(match: re.Match[str]) -> str:
        inner = next(group for group in match.groups() if group is not None)
        return inner if inner in arguments or inner in _TYPE_NAMES else "<value>"

    text = _QUOTED.sub(quoted, text)
    for pattern, placeholder in _REPLACED:
        text = pattern.sub(lambda match, by=placeholder: match[0] if match[0] in arguments else by, text)  # type: ignore[misc]
    return text[:_CLASS_LIMIT].rstrip()


def kind_of(class_text: str, refused: Sequence[Refused] = ()) -> ErrorKind:
    """Return the kind of a failure: what the schema refuses, else what its class says."""
    for one in refused:
        if one.keyword in _OF_SCHEMA:
            return _OF_SCHEMA[one.keyword]
    return next((kind for kind, pattern in _KINDS if pattern.search(class_text)), ErrorKind.OTHER)


def argument_in(class_text: str, arguments: Collection[str]) -> str | None:
    """Return the argument that a class of errors names; None if it names none or several."""
    found = [name for name in arguments if len(name) > 1 and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", class_text)]
    return found[0] if len(found) == 1 else None
