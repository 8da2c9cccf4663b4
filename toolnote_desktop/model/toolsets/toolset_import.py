"""Import of toolsets from files (docs/contract.md 3): ours, ``FILE.toolnote``, hypertool-mcp's files and personas."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.edits import CreateDocument, toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import is_toolset_name, suggest_toolset_name
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.toolsets.toolset import parse_toolset


class ImportedToolset(Struct, frozen=True):
    """Toolset to import.

    Attributes:
        found_as: its name in the file.
        content: its document; unknown keys are kept.
        tools: number of its usable tools.
        notes: information for the user: another name, unusable entries (they stay in the document).
    """

    name: str
    found_as: str
    content: JsonObject
    tools: int
    notes: tuple[Problem, ...] = ()

    @property
    def edit(self) -> CreateDocument:
        """Edit to submit: it never replaces an existing toolset."""
        return CreateDocument(toolset_document(self.name), self.content)


class ToolsetsInFile(Struct, frozen=True):
    """Toolsets of a file, with the problems of those that were left out."""

    toolsets: tuple[ImportedToolset, ...] = ()
    problems: tuple[Problem, ...] = ()


def parse_toolsets(raw: object, *, file: str, file_name: str, taken: Iterable[str], now: str) -> ToolsetsInFile:
    """Return the toolsets in a file's JSON, renamed where the name is invalid or in use; empty if there are none.

    An unusable part never takes the others with it: it is reported by file and field.

    Args:
        file: the file's path, for messages.
        file_name: its name without the suffix, for a toolset without a name.
        taken: names of the existing toolsets.
        now: time in ISO 8601, for missing times.
    """
    used = set(taken)
    imported = []
    found = _found(raw, file_name)
    valid = {name for name, _ in found if is_toolset_name(name)}
    for found_as, content in found:
        name = found_as
        if name not in valid or name in used:
            name = suggest_toolset_name(found_as, used | valid)
        used.add(name)
        imported.append(_imported(name, found_as, content, file, now))
    return ToolsetsInFile(tuple(imported), tuple(_container_problems(raw, file)))


def _container_problems(raw: object, file: str) -> Iterator[Problem]:
    """Yield the problems of toolsets in a hypertool-mcp file that are left out as a whole or in part."""
    many = raw.get("toolsets") if isinstance(raw, dict) and "tools" not in raw else None
    if not isinstance(many, dict | list):
        return
    from toolnote_desktop.model.toolsets.import_formats import HypertoolConfigFormat, PersonaFormat, field_errors

    if isinstance(many, dict):  # the toolsets themselves are checked one by one
        shapes = {"toolsets": {name: {} if isinstance(content, dict) else content for name, content in many.items()}}
        errors = field_errors(HypertoolConfigFormat, shapes)
    else:
        errors = field_errors(PersonaFormat, raw)
    for entry, reason in errors:
        yield Problem(Code.FILE_ENTRY_INVALID, {"file": file, "entry": entry, "reason": reason})


def _found(raw: object, file_name: str) -> list[tuple[str, JsonObject]]:
    if not isinstance(raw, dict):
        return []
    many = raw.get("toolsets")
    if isinstance(many, dict) and "tools" not in raw:  # hypertool-mcp's config.json
        return [(str(name), content) for name, content in many.items() if isinstance(content, dict)]
    if isinstance(many, list) and "tools" not in raw:
        return list(_of_persona(raw, many, file_name))
    if isinstance(raw.get("tools"), list) or isinstance(raw.get("toolNotes"), list):
        name = raw.get("name")
        return [(name if isinstance(name, str) and name.strip() else file_name, raw)]
    return []


def _of_persona(raw: JsonObject, toolsets: list[Any], file_name: str) -> Iterator[tuple[str, JsonObject]]:
    """Yield the toolsets of a hypertool-mcp persona: lists of tool names. Each is named after both."""
    persona = raw.get("name")
    persona = persona if isinstance(persona, str) and persona.strip() else file_name
    for toolset in toolsets:
        name = toolset.get("name") if isinstance(toolset, dict) else None
        if not isinstance(name, str) or not name.strip():
            continue
        tools = toolset.get("toolIds")
        about = toolset.get("description") or raw.get("description")
        yield (
            f"{persona}-{name}",
            {
                "title": f"{persona}: {name}",
                "description": about if isinstance(about, str) else "",
                "tools": [tool for tool in tools if isinstance(tool, str)] if isinstance(tools, list) else [],
            },
        )


def rename_servers(content: JsonObject, names: Mapping[str, str], servers: Collection[str]) -> JsonObject:
    """Return a toolset with its servers renamed, in a pack's records and prompts too. The refIds and other identifiers
    of its tools depended on the old ids.

    Args:
        names: old id -> new id, for those that differ.
        servers: all old ids: the longest that is a prefix of a tool's name is meant.
    """

    def new_name(name: str, given: object = None) -> str:
        """Return the new name of a tool. ``given``: its server, where a reference says it."""
        fitting = (one for one in servers if name.startswith((f"{one}.", f"{one}:")))
        server = given if isinstance(given, str) else max(fitting, key=len, default="")
        is_meant = server in names and name.startswith((f"{server}.", f"{server}:"))
        return names[server] + name[len(server) :] if is_meant else name

    def renamed(reference: Any) -> Any:
        name = reference.get("namespacedName") if isinstance(reference, dict) else None
        if not isinstance(name, str):
            return reference
        server = reference.get("server")
        changed_name = new_name(name, server)
        if changed_name == name:
            return reference
        others = {key: value for key, value in reference.items() if key != "refId"}
        if isinstance(server, str):
            others["server"] = names[server]
        return {**others, "namespacedName": changed_name}

    def of_prompt(prompt: Any) -> Any:
        if not isinstance(prompt, dict):
            return prompt
        tool, forbidden = prompt.get("tool"), prompt.get("mustNotCall")
        changed: JsonObject = {"tool": new_name(tool)} if isinstance(tool, str) else {}
        if isinstance(forbidden, list):
            changed["mustNotCall"] = [new_name(one) if isinstance(one, str) else one for one in forbidden]
        return {**prompt, **changed}

    changed = dict(content)
    for key, change in (
        ("tools", renamed),
        ("toolNotes", lambda group: _with_tool(group, renamed)),
        ("prompts", of_prompt),
    ):
        if isinstance(content.get(key), list):
            changed[key] = [change(one) for one in content[key]]
    pack = content.get("pack")
    if isinstance(pack, dict) and isinstance(pack.get("tools"), list):
        changed["pack"] = {**pack, "tools": [renamed(one) for one in pack["tools"]]}
    return changed


def _with_tool(group: Any, renamed: Callable[[Any], Any]) -> Any:
    return {**group, "toolRef": renamed(group["toolRef"])} if isinstance(group, dict) and "toolRef" in group else group


def _imported(name: str, found_as: str, content: JsonObject, file: str, now: str) -> ImportedToolset:
    notes = [Problem(Code.TOOLSET_RENAMED, {"name": found_as, "renamed": name})] if name != found_as else []
    renamed = len(notes)
    defaults: dict[str, Any] = {
        "title": found_as,
        "description": "",
        "version": "1.0.0",
        "createdAt": now,
        "lastModified": now,
    }
    document: JsonObject = {"name": name}
    for key, default in defaults.items():
        given = content.get(key)
        document[key] = given if isinstance(given, str) and given else default
    for key in ("tools", "toolNotes"):
        document[key] = content[key] if isinstance(content.get(key), list) else []
    document["tools"] = [_tool(tool) for tool in document["tools"]]
    document.update((key, value) for key, value in content.items() if key not in (*document, "createdBy"))

    def report(entry: str, reason: str) -> None:
        notes.append(Problem(Code.FILE_ENTRY_INVALID, {"file": file, "entry": entry, "reason": reason}))

    for key in ("tools", "toolNotes"):
        if not isinstance(content.get(key), list | None):
            report(key, "not a list")
    usable = parse_toolset(name, document, report)
    from toolnote_desktop.model.toolsets.import_formats import ToolsetFormat, field_errors

    reported = {note.parameters["entry"] for note in notes[renamed:]}
    for entry, reason in field_errors(ToolsetFormat, content):
        if not reported or (entry in defaults and entry not in reported):  # others are, in the words of the library
            report(entry, reason)
    for number, tool in enumerate(document["tools"], start=1):
        for key in _allowing_keys(tool):
            del tool[key]
            report(f"{key} of tools {number}", "it allows calls, on which only you decide")
    return ImportedToolset(name, found_as, document, len(usable.tools), tuple(notes))


def _allowing_keys(tool: Any) -> list[str]:
    """Return the keys of an imported tool that would set aside what the user demands of its calls."""
    if not isinstance(tool, dict):
        return []
    keys = {"approval": tool.get("approval") == "off", "consent": tool.get("consent") is False}
    keys["allowedCalls"] = bool(tool.get("allowedCalls"))
    return [key for key, is_allowing in keys.items() if is_allowing]


def _tool(tool: Any) -> Any:
    return {"namespacedName": tool} if isinstance(tool, str) else as_imported(tool)


def as_imported(tool: Any) -> Any:
    """Return a tool's entry whose parameters' values and rules are marked as imported, ``argumentDefaults`` among
    them.
    """
    if not isinstance(tool, dict):
        return tool
    changed = dict(tool)
    parameters, defaults = (changed.get(key) or {} for key in ("parameters", "argumentDefaults"))
    if not isinstance(parameters, dict) or not isinstance(defaults, dict):
        return changed  # not usable, and reported
    found = {
        name: {**one, _MARK: True} if isinstance(one, dict) and one.keys() - {"note"} else one
        for name, one in parameters.items()
    }
    for name, value in defaults.items():
        own = found.get(name) or {}
        if isinstance(own, dict) and own.get("default") is None and own.get("fixed") is None:
            found[name] = {**own, "default": value, _MARK: True}
    if found:
        changed["parameters"] = found
    changed.pop("argumentDefaults", None)
    return changed


def without_mark(parameter: Any) -> Any:
    """Return a parameter's settings without the mark of an import."""
    is_marked = isinstance(parameter, dict) and _MARK in parameter
    return {key: value for key, value in parameter.items() if key != _MARK} if is_marked else parameter


_MARK: Final = "imported"
"""Key of a parameter's settings that came with a file (``ParameterSetting.imported``)."""
