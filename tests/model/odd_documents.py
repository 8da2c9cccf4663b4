"""Results of the documents' readers for odd values: each field with what people and other programs write there.

``odd_documents.json`` is the record: field -> what came of it, in words -> the values, as JSON texts. ``python -m
tests.model.odd_documents`` writes it anew: look at what has changed then, for people have documents with such values.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.model.builders import Reports
from toolnote_desktop.model.clients import parse_clients
from toolnote_desktop.model.json_text import JsonObject, loads
from toolnote_desktop.model.servers import parse_servers
from toolnote_desktop.model.settings import parse_settings
from toolnote_desktop.model.toolsets.notes import parse_everywhere
from toolnote_desktop.model.toolsets.toolset import parse_toolset

RECORD: Final = Path(__file__).with_name("odd_documents.json")

GOOD_SERVER: Final = {"command": "good"}
GOOD_NOTE: Final = {"name": "good", "note": "good"}
GOOD_TOOL: Final = {"namespacedName": "good.tool"}


@dataclass(frozen=True)
class Read:
    """Result of a document with an odd entry: the entry (None: left out), and whether its neighbour is there."""

    entry: Any
    neighbour: bool


def _server(raw: Any, reports: Reports) -> Read:
    found = parse_servers({"mcpServers": {"odd": raw, "good": GOOD_SERVER}}, reports)
    return Read(found.get("odd"), "good" in found)


def _client(raw: Any, reports: Reports) -> Read:
    found = parse_clients({"clients": {"odd": raw, "good": {}}}, reports)
    return Read(found.get("odd"), "good" in found)


def _settings(raw: Any, reports: Reports) -> Read:
    found = parse_settings({**raw, "theme": "dark"} if "theme" not in raw else raw, reports)
    return Read(found, "theme" in raw or found.theme == "dark")


def _note(raw: Any, reports: Reports) -> Read:
    found = {note.name == "good": note for note in parse_everywhere({"global": [raw, GOOD_NOTE]}, reports).everything}
    return Read(found.get(False), True in found)


def _tool(raw: Any, reports: Reports) -> Read:
    found = {entry.namespaced_name == "good.tool": entry for entry in _toolset(reports, tools=[raw, GOOD_TOOL]).tools}
    return Read(found.get(False), True in found)


def _group(raw: Any, reports: Reports) -> Read:
    good = {"toolRef": GOOD_TOOL, "notes": [GOOD_NOTE]}
    groups = _toolset(reports, toolNotes=[raw, good]).notes
    found = {group.reference.namespaced_name == "good.tool": group for group in groups}
    return Read(found.get(False), True in found)


def _reference(raw: Any, reports: Reports) -> Read:
    read = _group({"toolRef": raw, "notes": []}, reports)
    return Read(read.entry and read.entry.reference, read.neighbour)


def _whole_toolset(raw: Any, reports: Reports) -> Read:
    return Read(parse_toolset("work", raw, reports), True)


def _toolset(reports: Reports, **keys: Any) -> Any:
    return parse_toolset("work", keys, reports)


_ANY: Final = (
    *("null", "true", "false", "0", "1", "2", "-1", "5.0", "5.5", "1.0", "1e999", "-1e999", "123456789012345678901"),
    *(
        '""',
        '" "',
        '"text"',
        '"5"',
        '"5.0"',
        '" 5 "',
        '"1_000"',
        '"true"',
        '"False"',
        '"yes"',
        '"off"',
        '"0"',
        '"null"',
    ),
    *(r'"\ud800"', r'"a\u0000b"', "[]", '["a"]', '["a", null]', '["a", 5]', '[["a"]]', '["a", ""]', "{}"),
    *('{"A": "b"}', '{"A": 5}', '{"A": null}', '{"A": {}}', '{"A": true}', '{"": ""}'),
)
_PORTS: Final = ("8377", "8377.0", "8377.5", '"8377"', "65535", "65536", "99999", "-0", "-0.0")
_SECONDS: Final = ("0.5", "1e3", '"0.5"', '"1e3"', '"inf"', '"nan"', '"30s"', "0.0", "1e-9")
_CHOICE: Final = {
    "type": ('"stdio"', '"STDIO"', '"local"', '"http"', '"streamableHttp"', '"streamable_http"', '"sse"', '["stdio"]'),
    "toolnote.era": ('"handshake"', '"modern"', '"Modern"', '["modern"]'),
    "toolnote.signIn.clientSecretMethod": ('"client_secret_basic"', '"client_secret_post"', '"none"'),
    "secretsWithoutKeychain": ('"run"', '"file"', '"File"'),
    "optionality": ('"required"', '"optional"', '"Optional"', '["optional"]'),
}
_MORE: Final[Mapping[str, tuple[str, ...]]] = {
    **_CHOICE,
    "port": _PORTS,
    "toolnote.signIn.port": _PORTS,
    "timeout": _SECONDS,
    "toolnote.startTimeout": _SECONDS,
    "sessionIdle": (*_SECONDS, "3600", "0.99"),
    "noteTokens": ("500", "500.0", '"500"'),
    "toolTokens": ("500.0",),
    "toolsetTokens": ("16000",),
    "name": (
        *('"a-1"', r'"a\n"', r'"\na"', '"A"', '"a_b"', '"a b"', '"é"', '"-"', '"²"', '"٣"'),
        f'"{"x" * 50}"',
        f'"{"x" * 51}"',
    ),
    "note": (r'"a\n\nb"', '"😀"', r'"\ud83d"', r'"\n"'),
    "consent": (
        *('{"literal": "GO"}', '{"literal": ""}', '{"literal": null, "reason": null}', '{"literal": 5}'),
        *('{"reason": "because"}', '{"reason": 5}', '{"reason": ["a"]}', '{"literal": "GO", "unknown": 5}', '"GO"'),
    ),
    "hints": (
        *('{"readOnlyHint": true}', '{"readOnlyHint": "true"}', '{"readOnlyHint": 1}', '{"readOnlyHint": null}'),
        *('{"priority": 1}', '{"priority": 7}', '{"priority": true}', '{"priority": "0.5"}', '{"unknown": 5}'),
        *('{"title": " "}', '{"title": "A", "destructiveHint": "no"}', '{"audience": ["user", "x"]}'),
        *('{"audience": []}', '{"examples": [{"input": {}}]}', '{"examples": [{}]}'),
    ),
    "argumentDefaults": ('{"a": null, "b": [1, {"c": 1e999}]}', r'{"\ud800": "\ud800"}'),
    "hiddenArguments": ('["a", "a"]', '["a.b", "c[]"]', '"a"'),
    "toolRef": (
        *('{"namespacedName": "odd.tool"}', '{"refId": "ff"}', '{"namespacedName": 5, "refId": "ff"}'),
        *('{"namespacedName": null, "refId": "ff"}', '{"namespaced_name": "odd.tool"}', '{"server": "odd"}'),
        '{"namespacedName": "", "refId": null}',
    ),
    "tools": ('["a.b"]', '[{"namespacedName": "a.b"}, 5, {"refId": "ff"}]', '{"namespacedName": "a.b"}'),
    "toolNotes": ('[{"toolRef": {"refId": "ff"}}]', '{"refId": []}'),
    "notes": (
        *('[{"name": "n", "note": "t"}, {"name": "N", "note": "t"}]', '{"name": "n", "note": "t"}'),
        '[{"name": "n"}]',
    ),
    "toolnote": (
        *('{"prefix": null, "toolset": null, "startTimeout": null, "era": null}', '{"perClient": null}'),
        '{"signIn": null}',
        *('{"perClient": true, "per_client": false}', '{"per_client": true}', '{"signIn": {"client_id": "x"}}'),
        *('{"signIn": []}', '{"signIn": {"port": "x"}, "prefix": 5}', '{"unknown": {"a": []}}'),
    ),
}  # fmt: skip

_SERVER: Final = {"command": "x"}
_REMOTE: Final = {"url": "http://x"}
_A_NOTE: Final = {"name": "odd", "note": "text"}
_A_TOOL: Final = {"namespacedName": "odd.tool"}
_A_GROUP: Final = {"toolRef": {"namespacedName": "odd.tool"}, "notes": [_A_NOTE]}

Reader = Callable[[Any, Reports], Read]

DOCUMENTS: Final[Mapping[str, tuple[Reader, JsonObject, tuple[str, ...]]]] = {
    "server": (
        *(_server, _SERVER),
        (
            *("type", "command", "args", "env", "cwd", "url", "headers", "disabled", "timeout", "toolnote"),
            *("toolnote.prefix", "toolnote.perClient", "toolnote.toolset", "toolnote.startTimeout", "toolnote.era"),
            *("toolnote.signIn.clientId", "toolnote.signIn.clientSecret", "toolnote.signIn.port"),
            "toolnote.signIn.clientSecretMethod",
        ),
    ),
    "server by url": (_server, _REMOTE, ("type", "command", "url", "headers")),
    "client": (
        *(_client, {}),
        ("name", "tokenHash", "toolset", "dialect", "schemaSubset", "toolsetChosenBy"),
    ),
    "settings": (
        *(_settings, {}),
        (
            *("equippedToolset", "port", "toolPrefix", "hiddenBuiltInTools", "hiddenBuiltInGroups"),
            *("builtInInstructions", "notesPaused", "lazyMode", "noteTokens", "toolTokens", "toolsetTokens"),
            *("sessionIdle", "lookForUpdates", "theme", "contrast", "motion", "language", "secretsWithoutKeychain"),
        ),
    ),
    "note": (_note, _A_NOTE, ("name", "note", "enabled", "author", "createdAt")),
    "tool": (
        *(_tool, _A_TOOL),
        (
            *("namespacedName", "refId", "server", "enabled", "category", "alias", "optionality", "hints", "consent"),
            *("whenToUse", "instructions", "argumentDefaults", "hiddenArguments"),
        ),
    ),
    "group": (_group, _A_GROUP, ("toolRef", "notes")),
    "reference": (_reference, {"refId": "ff"}, ("namespacedName", "refId", "server")),
    "toolset": (_whole_toolset, {}, ("title", "description", "guidelines", "tools", "toolNotes")),
}  # fmt: skip

ATTRIBUTES: Final = {"toolRef": "reference", "toolNotes": "notes"}
"""Where the model calls a key something else."""


def values_of(field: str) -> tuple[str, ...]:
    """The JSON texts to try for a field, each once."""
    return tuple(dict.fromkeys((*_ANY, *_MORE.get(field, ()))))


def cases() -> Iterator[tuple[str, str]]:
    """Yield the documents and fields."""
    for document, (_, _, fields) in DOCUMENTS.items():
        for field in fields:
            yield document, field


@dataclass(frozen=True)
class Outcome:
    """Result of reading a document."""

    record: JsonObject
    neighbour: bool
    reports: Reports


def outcome(document: str, field: str, text: str) -> Outcome:
    """Return the result for a document whose ``field`` is the JSON ``text``."""
    reader, base, _ = DOCUMENTS[document]
    reports = Reports()
    read = reader(_with(base, field.split("."), loads(text)), reports)
    record: JsonObject = {}
    if read.entry is not None:
        record["read"] = _plain(_get(read.entry, field))
    if reports:
        record["told"] = [place for place, _ in reports]
    return Outcome(record, read.neighbour, reports)


def _with(base: JsonObject, path: list[str], value: Any) -> JsonObject:
    key, *rest = path
    return {**base, key: _with(base.get(key, {}), rest, value) if rest else value}


def _snake(key: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)


def _get(entry: Any, field: str) -> Any:
    for key in field.split("."):
        entry = getattr(entry, ATTRIBUTES.get(key, _snake(key)))
    return entry


_PARTS: Final = {
    "Consent": ("literal", "reason"),
    "ToolReference": ("namespaced_name", "ref_id", "server"),
    "ToolEntry": ("namespaced_name", "ref_id"),
    "NoteGroup": ("reference", "notes"),
    "Note": ("name", "note"),
    "ServerOptions": ("prefix", "per_client", "toolset", "start_timeout", "era", "sign_in"),
    "SignInOptions": ("client_id", "port"),
}


def _plain(value: Any) -> Any:
    parts = _PARTS.get(type(value).__name__)
    if parts is not None:
        return {part: _plain(getattr(value, part)) for part in parts}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if not (value is None or isinstance(value, (str, bool, int, float))):
        raise TypeError(f"no words for a {type(value).__name__}")
    return value


AS_IT_STANDS: Final = "as it stands"
"""The outcome of a value that the model has just as the document has it."""


def record_of(document: str, field: str) -> list[tuple[str, list[str]]]:
    """The outcomes of a field, in words, each with the values that have it."""
    found: dict[str, list[str]] = {}
    for text in values_of(field):
        found.setdefault(_in_words(outcome(document, field, text).record, text), []).append(text)
    return sorted(found.items())


def _in_words(record: JsonObject, text: str) -> str:
    told = f"told of {', '.join(record['told'])}" if "told" in record else ""
    if "read" not in record:
        return f"left out, {told}"
    if not told and _spelt(record["read"]) == _spelt(loads(text)):
        return AS_IT_STANDS
    return f"read {_spelt(record['read'])}" + (f", {told}" if told else "")


def _spelt(value: Any) -> str:
    """A value so that ``1`` and ``1.0`` are one and ``true`` is another."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True)


def write() -> None:
    """Write the record anew."""
    lines = []
    for document, field in cases():
        rows = (f"    {json.dumps(words)}: {json.dumps(texts)}" for words, texts in record_of(document, field))
        lines.append(f"  {json.dumps(f'{document}: {field}')}: {{\n" + ",\n".join(rows) + "\n  }")
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
