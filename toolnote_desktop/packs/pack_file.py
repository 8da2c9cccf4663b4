"""Pack files (docs/packs.md): export, and what is taken from a received one.

A pack is a toolset's file with the key ``pack``: the tools that the notes were written for, as their servers defined
them. The same library gives the same bytes at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.assistants.toolset_file import export_toolset
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import free_note_name, is_valid_unicode
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.secrets.secret_detection import has_secret, looks_like_secret
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.notes import Note, ToolReference
from toolnote_desktop.model.toolsets.notes_file import handed_on
from toolnote_desktop.model.toolsets.tool_edits import EntryIndex
from toolnote_desktop.model.toolsets.tool_settings import TOOL_ENTRIES
from toolnote_desktop.model.toolsets.toolset import Toolset, parse_tool_entry
from toolnote_desktop.model.toolsets.toolset_import import without_mark

PACK: Final = "pack"
"""Key that makes a toolset's file a pack."""

PROMPTS: Final = "prompts"
"""Key of the bench's prompts (docs/bench.md)."""

VERSION: Final = 1
MAX_TOOLS: Final = 2_000
"""Tools of a received pack, and tools that it has notes on."""
MAX_NOTES: Final = 5_000
"""Notes of a received pack."""
MAX_PROMPTS: Final = 1_000
"""Prompts of a received pack, as many as the bench runs (``bench.bench_file``)."""
_DESCRIPTION_LIMIT: Final = 200

_PLAIN: Final = ("category", "alias", "optionality", "whenToUse", "instructions", "muted", "hiddenArguments")
_BY_NAME: Final = ("hints", "parameters", "argumentDefaults")
_KEYS_OF_A_PROMPT: Final = ("id", "prompt", "tool", "arguments", "mustNotCall")


class PackedTool(Struct, frozen=True):
    """Tool as it was when the notes of a pack were written.

    Attributes:
        fingerprint: of its definition (``model.tools.tool.fingerprint``); "" if its author never saw the tool.
        parameters: names of its arguments.
        server: id of its server, where two tools share the name.
    """

    name: str
    ref_id: str = ""
    fingerprint: str = ""
    description: str = ""
    parameters: tuple[str, ...] = ()
    server: str | None = None

    @property
    def label(self) -> str:
        """Return its name (``label_of``)."""
        return label_of(self.name, self.server)


def label_of(name: str, server: str | None) -> str:
    """Return the name of a tool; where two tools share it, and a reference has the server, as ``server:tool``."""
    return f"{server}:{name[len(server) + 1 :]}" if server and name.startswith(f"{server}.") else name


class ExportedPack(Struct, frozen=True):
    """Content of a pack's file, and what was left out of it because it may be secret."""

    content: JsonObject
    problems: tuple[Problem, ...]


def is_pack(content: object) -> bool:
    """Return True if a file's JSON, or a toolset's document, is a pack."""
    return isinstance(content, dict) and isinstance(content.get(PACK), dict)


def packed_tools(content: Mapping[str, Any]) -> tuple[PackedTool, ...]:
    """Return the readable tools of a pack, in order."""
    pack = content.get(PACK)
    listed = pack.get("tools") if isinstance(pack, dict) else None
    found = []
    for raw in listed[:MAX_TOOLS] if isinstance(listed, list) else ():
        if isinstance(raw, dict) and isinstance(name := raw.get("namespacedName"), str) and name:
            texts = (raw.get(key) for key in ("refId", "fingerprint", "description", "server"))
            ref_id, fingerprint, description, server = (text if isinstance(text, str) else "" for text in texts)
            parameters = tuple(one for one in _list(raw, "parameters") if isinstance(one, str))
            found.append(PackedTool(name, ref_id, fingerprint, description, parameters, server or None))
    return tuple(found)


# --- export


def export_pack(
    snapshot: Snapshot,
    toolset: Toolset,
    documents: Mapping[str, JsonObject | None],
    servers: Iterable[str] = (),
) -> ExportedPack:
    """Return the pack of a toolset: the user's own and confirmed notes, in this toolset and on its tools everywhere.

    Approvals and consent are packed where they restrict; calls allowed beforehand never are.

    Args:
        documents: raw documents by kind: ``toolset``, ``tools`` and ``servers``.
        servers: ids of the tool sources to pack, without secrets.
    """
    raw = documents.get("toolset") or {}
    writer = _Writer(snapshot, toolset, raw, (documents.get("tools") or {}).get(TOOL_ENTRIES))
    entries = (documents.get("servers") or {}).get("mcpServers")
    content: JsonObject = {
        PACK: {"version": VERSION, "tools": writer.tools()},
        "name": toolset.name,
        "title": toolset.title if writer.is_clean(toolset.title, "title") else toolset.name,
        "description": toolset.description if writer.is_clean(toolset.description, "description") else "",
    }
    if toolset.guidelines and writer.is_clean(toolset.guidelines, "guidelines"):
        content["guidelines"] = toolset.guidelines
    if isinstance(toolset.task_types, dict):
        types = sorted(toolset.task_types.items())
        kept = {name: _sorted(one) for name, one in types if writer.is_clean_value(name, one, "task type")}
        content |= {"taskTypes": kept} if kept else {}
    content["tools"] = writer.entries()
    content["toolNotes"] = writer.notes()
    if prompts := [one for one in _list(raw, PROMPTS) if isinstance(one, dict) and writer.is_clean_prompt(one)]:
        content[PROMPTS] = [{key: one[key] for key in _KEYS_OF_A_PROMPT if key in one} for one in prompts]
    whole = export_toolset(content, entries if isinstance(entries, dict) else {}, servers)
    return ExportedPack(whole, tuple(writer.problems))


class _Writer:
    def __init__(self, snapshot: Snapshot, toolset: Toolset, raw: JsonObject, settings: object) -> None:
        self._snapshot, self._toolset, self._raw = snapshot, toolset, raw
        self._settings = settings if isinstance(settings, dict) else {}
        self.problems: list[Problem] = []

    def tools(self) -> list[JsonObject]:
        """Return the records of the tools, by name. Of a tool that is missing here the record is kept as it came."""
        before = {tool.label: tool for tool in packed_tools(self._raw)}
        found: dict[str, PackedTool] = {}
        for reference in (*self._toolset.tools, *(group.reference for group in self._toolset.notes)):
            known = self._snapshot.catalogue.resolve(reference)
            name = reference.namespaced_name
            if len(known) == 1:
                one = _record(known[0].tool, reference.server)  # a held text goes nowhere
            elif name is not None:
                one = PackedTool(name, server=reference.server)
                one = before.get(one.label, one)
            else:
                continue
            found[one.label] = one
        return [_packed(one) for one in sorted(found.values(), key=lambda one: (one.name, one.server or ""))]

    def entries(self) -> list[JsonObject]:
        """Return the toolset's entries with the tools' settings for every toolset in them."""
        raw = self._raw.get("tools")
        return [
            self._entry(entry) for entry in (raw if isinstance(raw, list) else ()) if isinstance(entry, (dict, str))
        ]

    def _entry(self, entry: JsonObject | str) -> JsonObject:
        if isinstance(entry, str):
            entry = {"namespacedName": entry}
        name = entry.get("namespacedName")
        below = self._settings.get(name) if isinstance(name, str) else None
        below = below if isinstance(below, dict) else {}
        packed = {key: entry[key] for key in ("namespacedName", "refId", "server") if entry.get(key)}
        if entry.get("enabled") is False or below.get("enabled") is False:
            packed["enabled"] = False
        for key in _PLAIN:
            value = entry.get(key) or below.get(key)
            if isinstance(value, list):
                value = [one for one in value if not isinstance(one, str) or self.is_clean(one, f"{name} {key}")]
            if value and (not isinstance(value, str) or self.is_clean(value, f"{name} {key}")):
                packed[key] = value
        for key in _BY_NAME:
            own, tool = entry.get(key), below.get(key)
            both = {**(tool if isinstance(tool, dict) else {}), **(own if isinstance(own, dict) else {})}
            if kept := {
                one: _sorted(both[one]) for one in sorted(both) if self.is_clean_value(one, both[one], str(name))
            }:
                packed[key] = kept
        consent = entry.get("consent", below.get("consent"))
        if isinstance(consent, dict) or consent is True:  # without what looks like a secret it is still asked for
            packed["consent"] = _sorted(consent) if self.is_clean_value("consent", consent, str(name)) else True
        if "ask" in (entry.get("approval"), below.get("approval")) and entry.get("approval") != "off":
            packed["approval"] = "ask"
        return packed

    def notes(self) -> list[JsonObject]:
        """Return the notes by tool, in the toolset's order: those on the tool everywhere, then the toolset's own."""
        groups: list[tuple[JsonObject, list[Note]]] = []
        index = EntryIndex([])
        for entry in self._toolset.tools:
            everywhere = self._snapshot.notes.tools.get(entry.namespaced_name or "", ())
            groups.append((_reference(entry), list(everywhere)))
            index.add(groups[-1][0])
        of = {id(fields): notes for fields, notes in groups}
        for group in self._toolset.notes:
            here = next(iter(index.matching(group.reference)), None)
            if here is None:
                groups.append((here := _reference(group.reference), []))
                index.add(here)
                of[id(here)] = groups[-1][1]
            of[id(here)].extend(group.notes)
        packed = []
        for fields, notes in groups:
            if kept := list(self._unlike(notes, str(fields.get("namespacedName", "?")))):
                packed.append({"toolRef": fields, "notes": kept})
        return packed

    def _unlike(self, notes: Iterable[Note], tool: str) -> Iterator[JsonObject]:
        taken: list[str] = []
        texts = set()
        for note in notes:
            if note.confirmed and note.note not in texts and self.is_clean(note.note, f"{tool} {note.name}"):
                texts.add(note.note)
                name = free_note_name(note.name, taken)
                taken.append(name)
                yield {**handed_on(note), "name": name}

    def is_clean(self, text: str, entry: str) -> bool:
        """Return True for a text without what looks like a secret; others are reported as left out."""
        if not has_secret(text):
            return True
        self.problems.append(Problem(Code.PACK_LEFT_OUT, {"entry": entry}))
        return False

    def is_clean_prompt(self, prompt: JsonObject) -> bool:
        """Return True for a prompt of the bench without what looks like a secret in its text or arguments."""
        name = str(prompt.get("id"))
        text = prompt.get("prompt")
        if isinstance(text, str) and not self.is_clean(text, f"prompt {name}"):
            return False
        arguments = prompt.get("arguments")
        named = arguments if isinstance(arguments, dict) else {}
        return all(self.is_clean_value(key, value, f"prompt {name}") for key, value in named.items())

    def is_clean_value(self, name: str, value: object, tool: str) -> bool:
        """Return True for a value without texts that look like a secret; others are reported as left out."""
        for key, text in _texts(value, name):
            named = name if key in ("fixed", "default", name) else key
            if looks_like_secret(named, text) or has_secret(text):
                self.problems.append(Problem(Code.PACK_LEFT_OUT, {"entry": f"{tool} {name}"}))
                return False
        return True


def _sorted(value: Any) -> Any:
    """Return an object with its keys in order: neither that order nor where it came from is content."""
    return dict(sorted(without_mark(value).items())) if isinstance(value, dict) else value


def _record(tool: Tool, server: str | None) -> PackedTool:
    words = " ".join(tool.description.split())
    words = "" if has_secret(words) else words
    shown = words if len(words) <= _DESCRIPTION_LIMIT else f"{words[: _DESCRIPTION_LIMIT - 1].rstrip()}…"
    parameters = tuple(sorted(top_level_arguments(tool.definition["inputSchema"])))
    return PackedTool(tool.namespaced_name, tool.ref_id, tool.fingerprint, shown, parameters, server)


def _packed(tool: PackedTool) -> JsonObject:
    fields: JsonObject = {
        "namespacedName": tool.name,
        "server": tool.server,
        "refId": tool.ref_id,
        "fingerprint": tool.fingerprint,
        "description": tool.description,
        "parameters": list(tool.parameters),
    }
    return {key: value for key, value in fields.items() if value}


def _reference(reference: object) -> JsonObject:
    fields = {"namespacedName": "namespaced_name", "refId": "ref_id", "server": "server"}
    found = {key: getattr(reference, name) for key, name in fields.items()}
    return {key: value for key, value in found.items() if value is not None}


def with_tools_renamed(content: JsonObject, names: Mapping[str, str]) -> JsonObject:
    """Return a pack for tools of other names: namespacedName in the pack -> here. Their records go, for they were of
    the other tools.
    """

    def renamed(raw: Any) -> Any:
        if not isinstance(raw, dict) or raw.get("namespacedName") not in names:
            return raw
        others = {key: value for key, value in raw.items() if key not in ("refId", "server")}
        return {**others, "namespacedName": names[raw["namespacedName"]]}

    changed = dict(content)
    changed["tools"] = [renamed(entry) for entry in _list(content, "tools")]
    changed["toolNotes"] = [
        {**group, "toolRef": renamed(group.get("toolRef"))} if isinstance(group, dict) else group
        for group in _list(content, "toolNotes")
    ]
    if PROMPTS in content:
        changed[PROMPTS] = [_prompt_renamed(one, names) for one in _list(content, PROMPTS)]
    pack = content.get(PACK)
    if isinstance(pack, dict):
        records = [one for one in _list(pack, "tools") if isinstance(one, dict)]
        changed[PACK] = {**pack, "tools": [one for one in records if one.get("namespacedName") not in names]}
    return changed


def _prompt_renamed(prompt: Any, names: Mapping[str, str]) -> Any:
    if not isinstance(prompt, dict):
        return prompt
    changed = dict(prompt)
    if prompt.get("tool") in names:
        changed["tool"] = names[prompt["tool"]]
    if "mustNotCall" in prompt:
        changed["mustNotCall"] = [names.get(one, one) for one in _list(prompt, "mustNotCall") if isinstance(one, str)]
    return changed


def _texts(value: object, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, str(name))
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, key)


# --- received packs

_TAKEN_KEYS: Final = (PACK, "name", "title", "description", "guidelines", "taskTypes", "tools", "toolNotes", PROMPTS)


def received_pack(content: JsonObject) -> JsonObject:
    """Return what is taken of a received pack's toolset: all of it is usable, whatever the file holds.

    Left out are parts that cannot be used, which the reader reports, calls that run without a question, approvals and
    consent that are switched off, notes' authors, keys that packs do not have, tools that are there twice, and what is
    over the limits.
    """
    from toolnote_desktop.model.toolsets.import_formats import PromptFormat, ToolsetFormat, field_errors

    given = {key: content[key] for key in _TAKEN_KEYS if content.get(key) not in (None, [], {}, "")}
    wrong = {entry.partition(" ")[0] for entry, _ in field_errors(ToolsetFormat, given)} - set(_PARTS)
    taken = {key: value for key, value in given.items() if key not in wrong and key not in _PARTS}
    records = [_packed(one) for one in packed_tools(content)]
    prompts = [one for one in _list(content, PROMPTS)[:MAX_PROMPTS] if not list(field_errors(PromptFormat, one))]
    return {
        PACK: {"version": VERSION, "tools": records},
        **taken,
        "tools": _received_entries(_list(content, "tools")),
        "toolNotes": _received_groups(_list(content, "toolNotes")),
        **({PROMPTS: _with_own_names(prompts, "id")} if prompts else {}),
    }


def beyond_limits(content: JsonObject, file: str) -> Iterator[Problem]:
    """Say what of a pack ``received_pack`` leaves out because it is over the limits."""
    groups, pack = _list(content, "toolNotes"), content.get(PACK)
    notes = sum(len(_list(group, "notes")) for group in groups if isinstance(group, dict))
    for what, given, most in (
        ("tools", len(_list(content, "tools")), MAX_TOOLS),
        ("recorded tools", len(_list(pack, "tools")) if isinstance(pack, dict) else 0, MAX_TOOLS),
        ("tools with notes", len(groups), MAX_TOOLS),
        ("notes", notes, MAX_NOTES),
        ("prompts", len(_list(content, PROMPTS)), MAX_PROMPTS),
    ):
        if given > most:
            reason = f"a pack has at most {most:,}"
            parameters = {"file": file, "entry": f"what follows the first {most:,} {what}", "reason": reason}
            yield Problem(Code.FILE_ENTRY_INVALID, parameters)


def _with_own_names(entries: Iterable[JsonObject], key: str) -> list[JsonObject]:
    """Return entries with a number in each name that an earlier one has: two of one name cannot be told apart."""
    listed = list(entries)
    given, taken = {entry[key] for entry in listed}, set()
    numbers: dict[str, Iterator[int]] = {}
    named = []
    for entry in listed:
        name = entry[key]
        if name in taken:
            base = name[:44].rstrip("-")
            free = (f"{base}-{number}" for number in numbers.setdefault(base, count(2)))
            name = next(one for one in free if one not in given)
        taken.add(name)
        named.append({**entry, key: name})
    return named


_PARTS: Final = (PACK, "tools", "toolNotes", PROMPTS)
"""Keys whose entries are taken one by one."""


def _received_entries(entries: list[Any]) -> list[JsonObject]:
    index = EntryIndex([])
    taken = []
    for entry in map(_received_entry, entries[:MAX_TOOLS]):
        if entry is not None and not index.has(ToolReference.read(entry)):
            index.add(entry)
            taken.append(entry)
    return taken


def _received_groups(groups: list[Any]) -> list[JsonObject]:
    """Return the notes by tool; those of several entries for one tool are together."""
    taken: dict[tuple[str, ...], JsonObject] = {}
    left = MAX_NOTES
    for raw in groups[:MAX_TOOLS]:
        group = _received_group(raw, left) if left > 0 else None
        if group is not None:
            left -= len(group["notes"])
            key = tuple(str(group["toolRef"].get(one, "")) for one in ("namespacedName", "refId", "server"))
            if key in taken:
                taken[key]["notes"] += group["notes"]
            else:
                taken[key] = group
    return [{**group, "notes": _with_own_names(group["notes"], "name")} for group in taken.values()]


def _received_entry(entry: Any) -> JsonObject | None:
    from toolnote_desktop.model.toolsets.import_formats import ToolFormat, field_errors

    if not isinstance(entry, dict) or not entry.get("namespacedName"):
        return None
    allowed = ("namespacedName", "refId", "server", "enabled", *_PLAIN, *_BY_NAME, "consent", "approval")
    wrong = {key for key, _ in field_errors(ToolFormat, entry)}
    if wrong & {"namespacedName", "refId", "server", "consent"}:
        return None
    taken = {key: entry[key] for key in allowed if entry.get(key) is not None and key not in wrong}
    if taken.get("consent") is False:
        del taken["consent"]
    if taken.get("approval") != "ask":
        taken.pop("approval", None)
    faults: list[str] = []
    usable = parse_tool_entry(str(taken["namespacedName"]), taken, lambda place, _reason: faults.append(place))
    return taken if usable is not None and not faults else None


def _received_group(group: Any, most: int) -> JsonObject | None:
    from toolnote_desktop.model.toolsets.import_formats import NoteFormat, ToolReferenceFormat, field_errors

    reference = group.get("toolRef") if isinstance(group, dict) else None
    if not isinstance(reference, dict) or list(field_errors(ToolReferenceFormat, reference)):
        return None
    keys = {key: reference[key] for key in ("namespacedName", "refId", "server") if reference.get(key)}
    if not keys.get("namespacedName") and not keys.get("refId"):
        return None
    notes = [
        {key: note[key] for key in ("name", "note", "enabled", "category") if note.get(key) is not None}
        for note in _list(group, "notes")[:most]
        if isinstance(note, dict) and not list(field_errors(NoteFormat, note)) and is_valid_unicode(note["note"])
    ]
    return {"toolRef": keys, "notes": notes} if notes else None


def _list(raw: Mapping[str, Any], key: str) -> list[Any]:
    found = raw.get(key)
    return found if isinstance(found, list) else []
