"""Ready sentences for notes, made of recorded failures by rules: no model, offline, in English and German.

``failure_text`` says what went wrong for the user, ``lesson`` what an assistant should do, as a note.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.calls.error_class import ErrorKind, Refused, argument_in, kind_of
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.schema import inline_reference
from toolnote_desktop.model.tools.argument_overrides import EACH, argument_path, top_level_arguments

_MOST_VALUES: Final = 12
_LONGEST_VALUES: Final = 300
_LONGEST_EXAMPLE: Final = 1500
_LONGEST_SENT: Final = 60

_TYPES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "string": "text",
        "number": "a number",
        "integer": "a whole number",
        "boolean": "true or false",
        "array": "a list",
        "object": "an object",
        "null": "null",
    },
    "de": {
        "string": "Text",
        "number": "Zahl",
        "integer": "ganze Zahl",
        "boolean": "true oder false",
        "array": "Liste",
        "object": "Objekt",
        "null": "null",
    },
}
_FORMATS: Final = {
    "date": "2026-03-01",
    "date-time": "2026-03-01T09:00:00Z",
    "email": "name@example.com",
    "uri": "https://example.com/page",
    "uuid": "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
}

_NOTES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "enum": "For {argument} use exactly one of: {values}.",
        "enum-argument": "For {argument} use only the values that its description allows.",
        "enum-unknown": "Use only the values that the parameters allow, spelled exactly as they are listed there.",
        "required": "Always give {argument}.",
        "required-unknown": "Give every required parameter before you call this tool.",
        "type": "Give {argument} as {type}.",
        "type-argument": "Give {argument} in the type that it asks for.",
        "type-unknown": "Give each parameter in the type that it asks for: numbers without quotes, lists as lists.",
        "unknown": "Don’t send {argument}: this tool has no such parameter. It takes {names}.",
        "unknown-unknown": "Send only the parameters that this tool lists: {names}.",
        "range": "{argument} must be {range}.",
        "range-argument": "Keep {argument} within the range that its description gives.",
        "range-unknown": "Stay within the smallest and largest values that the parameters allow.",
        "format": "Write {argument} like this: {example}.",
        "format-argument": "Write {argument} exactly in the form that its description gives.",
        "format-unknown": "Write dates, addresses and IDs exactly in the form that the parameters describe.",
        "not-found": "Look up the exact value of {argument} first. Don’t guess it.",
        "not-found-unknown": "Search for the exact name or ID first. Don’t guess it.",
        "permission": "{source} doesn’t permit everything here. If it refuses, tell the user instead of trying again.",
        "too-large": "Keep {argument} short: {limit}.",
        "too-large-argument": "Keep {argument} short.",
        "too-large-unknown": "Send or request less at once: {source} refuses what is too large.",
        "rate-limit": "Don’t call this tool many times in a row. After a refusal, wait a minute before the next call.",
        "timeout": "Request less at once: a narrow search, or page by page. Large requests take too long.",
        "example": "This worked: {example}",
        "from-to": "from {low} to {high}",
        "at-least": "at least {low}",
        "at-most": "at most {high}",
        "characters": "at most {high} characters",
        "items": "at most {high} items",
        "nothing": "no parameters",
        "or": "or",
    },
    "de": {
        "enum": "Für {argument} genau einen dieser Werte nehmen: {values}.",
        "enum-argument": "Für {argument} nur Werte nehmen, die die Beschreibung erlaubt.",
        "enum-unknown": "Nur Werte nehmen, die bei den Parametern stehen, genau so geschrieben.",
        "required": "{argument} immer angeben.",
        "required-unknown": "Vor dem Aufruf alle Pflichtparameter angeben.",
        "type": "{argument} so angeben: {type}.",
        "type-argument": "{argument} im verlangten Typ angeben.",
        "type-unknown": "Jeden Parameter im verlangten Typ angeben: Zahlen ohne Anführungszeichen, Listen als Listen.",
        "unknown": "{argument} nicht senden: Diesen Parameter gibt es hier nicht. Es gibt {names}.",
        "unknown-unknown": "Nur die Parameter senden, die es bei diesem Werkzeug gibt: {names}.",
        "range": "{argument} muss {range} sein.",
        "range-argument": "{argument} im Bereich halten, den die Beschreibung angibt.",
        "range-unknown": "Kleinste und größte erlaubte Werte der Parameter einhalten.",
        "format": "{argument} so schreiben: {example}.",
        "format-argument": "{argument} genau in der beschriebenen Form schreiben.",
        "format-unknown": "Daten, Adressen und IDs genau in der beschriebenen Form schreiben.",
        "not-found": "Den genauen Wert von {argument} zuerst suchen, nicht raten.",
        "not-found-unknown": "Zuerst nach dem genauen Namen oder der ID suchen, nicht raten.",
        "permission": "{source} erlaubt nicht alles. Nach einer Ablehnung den Benutzer fragen, nicht wiederholen.",
        "too-large": "{argument} kurz halten: {limit}.",
        "too-large-argument": "{argument} kurz halten.",
        "too-large-unknown": "Weniger auf einmal senden oder anfordern: {source} lehnt zu Großes ab.",
        "rate-limit": "Dieses Werkzeug nicht oft hintereinander aufrufen. Nach einer Ablehnung eine Minute warten.",
        "timeout": "Weniger auf einmal anfordern: eng suchen oder seitenweise. Große Anfragen dauern zu lange.",
        "example": "Das hat funktioniert: {example}",
        "from-to": "von {low} bis {high}",
        "at-least": "mindestens {low}",
        "at-most": "höchstens {high}",
        "characters": "höchstens {high} Zeichen",
        "items": "höchstens {high} Einträge",
        "nothing": "keine Parameter",
        "or": "oder",
    },
}
_FAILURES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "enum": "{argument} did not fit {times}; allowed: {values}",
        "enum-argument": "{argument} did not fit {times}",
        "enum-unknown": "A value that isn’t allowed was sent {times}",
        "required": "{argument} was missing {times}",
        "required-unknown": "A required parameter was missing {times}",
        "type": "{argument} had the wrong type {times}; wanted: {type}",
        "type-argument": "{argument} had the wrong type {times}",
        "type-unknown": "A parameter had the wrong type {times}",
        "unknown": "{argument} was sent {times}, but there is no such parameter",
        "unknown-unknown": "A parameter that doesn’t exist was sent {times}",
        "range": "{argument} did not fit {times}; the schema wants {range}",
        "range-argument": "{argument} was out of range {times}",
        "range-unknown": "A value was out of range {times}",
        "format": "{argument} had the wrong form {times}",
        "format-unknown": "A value had the wrong form {times}",
        "not-found": "{argument} was not found {times}",
        "not-found-unknown": "Something that doesn’t exist was asked for {times}",
        "permission": "{source} did not permit it {times}",
        "too-large": "{argument} was too large {times}",
        "too-large-unknown": "It was too large for {source} {times}",
        "rate-limit": "{source} was called too often {times}",
        "timeout": "It took too long {times}",
        "other": "It failed {times} for the same reason",
        "sent": "sent:",
        "last-sent": "last sent:",
        "once": "once",
        "times": "{count} times",
    },
    "de": {
        "enum": "{argument} hat {times} nicht gepasst; erlaubt: {values}",
        "enum-argument": "{argument} hat {times} nicht gepasst",
        "enum-unknown": "Ein nicht erlaubter Wert wurde {times} gesendet",
        "required": "{argument} hat {times} gefehlt",
        "required-unknown": "Ein Pflichtparameter hat {times} gefehlt",
        "type": "{argument} hatte {times} den falschen Typ; verlangt: {type}",
        "type-argument": "{argument} hatte {times} den falschen Typ",
        "type-unknown": "Ein Parameter hatte {times} den falschen Typ",
        "unknown": "{argument} wurde {times} gesendet, den Parameter gibt es aber nicht",
        "unknown-unknown": "Ein Parameter, den es nicht gibt, wurde {times} gesendet",
        "range": "{argument} hat {times} nicht gepasst; verlangt: {range}",
        "range-argument": "{argument} lag {times} außerhalb des Erlaubten",
        "range-unknown": "Ein Wert lag {times} außerhalb des Erlaubten",
        "format": "{argument} hatte {times} die falsche Form",
        "format-unknown": "Ein Wert hatte {times} die falsche Form",
        "not-found": "{argument} wurde {times} nicht gefunden",
        "not-found-unknown": "{times} wurde nach etwas gefragt, das es nicht gibt",
        "permission": "{source} hat es {times} nicht erlaubt",
        "too-large": "{argument} war {times} zu groß",
        "too-large-unknown": "Es war {times} zu groß für {source}",
        "rate-limit": "{source} wurde {times} zu oft aufgerufen",
        "timeout": "Es hat {times} zu lange gedauert",
        "other": "Es ist {times} aus demselben Grund fehlgeschlagen",
        "sent": "gesendet:",
        "last-sent": "zuletzt gesendet:",
        "once": "einmal",
        "times": "{count}-mal",
    },
}
_NAMES: Final = {
    ErrorKind.ENUM: "values",
    ErrorKind.REQUIRED: "required",
    ErrorKind.TYPE: "type",
    ErrorKind.UNKNOWN: "no-such-parameter",
    ErrorKind.RANGE: "range",
    ErrorKind.FORMAT: "form",
    ErrorKind.NOT_FOUND: "look-up-first",
    ErrorKind.PERMISSION: "permission",
    ErrorKind.TOO_LARGE: "size",
    ErrorKind.RATE_LIMIT: "not-too-often",
    ErrorKind.TIMEOUT: "ask-for-less",
}


class Failure(Struct, frozen=True):
    """Kind of failure of a tool.

    Attributes:
        argument: name of the argument that caused it; None if it is not known.
        schema: schema of the argument; {} if it has none.
        path: keys to the argument; empty if it is not known, or in a list.
    """

    kind: ErrorKind
    argument: str | None
    schema: JsonObject
    names: tuple[str, ...]
    source: str
    path: tuple[str, ...] = ()


class Lesson(Struct, frozen=True):
    """Note that would prevent a failure: its name and its text."""

    name: str
    text: str


def failure_of(error: str, refused: Sequence[str], schema: Any, source: str) -> Failure:
    """Return what a class of failures is about.

    Args:
        error: class of the errors, as recorded. ``refused``: arguments that the schema refuses, likewise.
        schema: input schema of the tool, as it is now.
        source: name of the tool source.
    """
    found = [Refused(*one.rsplit(" ", 1)) for one in refused if " " in one]
    kind = kind_of(error.partition(":")[2] or error if error.startswith("toolnote:") else error, found)
    names = tuple(top_level_arguments(schema)) if isinstance(schema, dict) else ()
    path = found[0].path if found else None
    if path is None and kind not in (ErrorKind.PERMISSION, ErrorKind.RATE_LIMIT, ErrorKind.TIMEOUT):
        name = argument_in(error, names)
        path = f"/{name.replace('~', '~0').replace('/', '~1')}" if name is not None else None
    if not path:
        return Failure(kind, None, {}, names, source)
    steps = argument_path(path)
    shown = ".".join(step for step in steps if step != EACH)
    found_at = () if EACH in steps else tuple(steps)
    return Failure(kind, shown, _schema_at(schema, steps, schema, 0), names, source, found_at)


def sent_value(failure: Failure, arguments: str | None) -> str | None:
    """Return the value that was sent for the argument of a failure, where arguments are kept; None if not known."""
    if arguments is None or not failure.path or failure.kind is ErrorKind.REQUIRED:
        return None
    try:
        value = json_text.loads(arguments.encode(errors="replace"))
    except ValueError:
        return None  # cut off
    for step in failure.path:
        if not isinstance(value, dict) or step not in value:
            return None
        value = value[step]
    shown = json_text.dumps(value).decode("utf-8", "replace")
    return shown if len(shown) <= _LONGEST_SENT else f"{shown[:_LONGEST_SENT]}…"


def failure_text(failure: Failure, count: int, language: str = "en", sent: str | None = None) -> str:
    """Return what went wrong so many times, in one sentence without a full stop.

    Args:
        sent: value that was sent last, if it is known.
    """
    texts = _FAILURES[_language(language)]
    values = _values(failure, language)
    times = texts["once"] if count == 1 else texts["times"].format(count=count)
    if sent is not None:
        times = f"{times} ({texts['sent' if count == 1 else 'last-sent']} {sent})"
    return _filled(texts, failure.kind, {**values, "times": times})


def lesson(failure: Failure, language: str = "en") -> Lesson | None:
    """Return a note that would prevent a failure; None if no rule fits."""
    if failure.kind is ErrorKind.OTHER:
        return None
    text = _filled(_NOTES[_language(language)], failure.kind, _values(failure, language))
    return Lesson(_note_name(failure.argument, _NAMES[failure.kind]), text)


def example_lesson(arguments: JsonObject, language: str = "en") -> Lesson | None:
    """Return a note with arguments that worked; None if they are too long for one."""
    example = json_text.dumps(arguments).decode("utf-8", "replace")
    if not arguments or len(example) > _LONGEST_EXAMPLE:
        return None
    return Lesson("what-worked", _NOTES[_language(language)]["example"].format(example=example))


def _language(language: str) -> str:
    return "de" if language.lower().startswith("de") else "en"


def _filled(texts: Mapping[str, str], kind: ErrorKind, values: Mapping[str, str]) -> str:
    for key in (kind.value, f"{kind.value}-argument", f"{kind.value}-unknown"):
        template = texts.get(key)
        if template is not None and all(name in values for name in re.findall(r"\{([a-z]+)\}", template)):
            return template.format(**values)
    return texts["other"].format(**values)


def _values(failure: Failure, language: str) -> dict[str, str]:
    texts = _NOTES[_language(language)]
    schema = failure.schema
    values = {"source": failure.source, "names": ", ".join(failure.names[:20]) or texts["nothing"]}
    if failure.argument is not None:
        values["argument"] = f"“{failure.argument}”" if _language(language) == "en" else f"„{failure.argument}“"
    allowed = schema["enum"] if isinstance(schema.get("enum"), list) else [schema["const"]] if "const" in schema else []
    shown = ", ".join(_shown(value) for value in allowed)
    if allowed and len(allowed) <= _MOST_VALUES and len(shown) <= _LONGEST_VALUES:
        values["values"] = shown
    types = schema["type"] if isinstance(schema.get("type"), list) else [schema.get("type")]
    words = [_TYPES[_language(language)][one] for one in types if isinstance(one, str) and one in _TYPES["en"]]
    if words:
        values["type"] = f" {texts['or']} ".join(words)
    low = _first_number(schema, "minimum", "minItems", "minLength")
    high = _first_number(schema, "maximum", "maxItems", "maxLength")
    if low is not None or high is not None:
        key = "at-most" if low is None else "at-least" if high is None else "from-to"
        values["range"] = texts[key].format(low=low, high=high)
    for key, form in (("maxItems", "items"), ("maxLength", "characters")):
        if _first_number(schema, key) is not None:
            values["limit"] = texts[form].format(high=schema[key])
    if isinstance(schema.get("format"), str) and schema["format"] in _FORMATS:
        values["example"] = _FORMATS[schema["format"]]
    return values


def _first_number(schema: JsonObject, *keys: str) -> int | float | None:
    for key in keys:
        value = schema.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value
    return None


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json_text.dumps(value).decode("utf-8", "replace")


def _schema_at(schema: Any, steps: Sequence[str], root: Any, depth: int) -> JsonObject:
    """Return the schema of an argument; {} if there is none."""
    if not isinstance(schema, dict) or depth > 16:
        return {}
    here: JsonObject = inline_reference(schema, root)
    if not steps:
        return here
    properties = here.get("properties")
    below = (
        here.get("items") if steps[0] == EACH else properties.get(steps[0]) if isinstance(properties, dict) else None
    )
    if isinstance(below, dict):
        return _schema_at(below, steps[1:], root, depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        for branch in here[key] if isinstance(here.get(key), list) else ():
            if found := _schema_at(branch, steps, root, depth + 1):
                return found
    return {}


def _note_name(argument: str | None, ending: str) -> str:
    begin = re.sub(r"[^a-z0-9]+", "-", (argument or "").lower()).strip("-")[: 49 - len(ending)].strip("-")
    return f"{begin}-{ending}" if begin else ending
