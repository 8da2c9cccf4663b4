"""Import from hypertool-mcp: its servers, toolsets with notes, groups and personas (docs/contract.md 3).

Its folder is read, never written. Its content is offered like any other; :func:`folder_edits` returns the edits.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from toolnote_desktop.assistants.config_file import UnreadableConfigError, decode, read_bytes
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.formats.base import Format, Node
from toolnote_desktop.assistants.formats.jsonc_editor import JSON
from toolnote_desktop.assistants.formats.yaml_editor import YAML
from toolnote_desktop.assistants.importing.candidates import Candidate, ReadResult, import_edits, read_file
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.model.edits import CreateDocument, Edit, toolset_document
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.toolsets.toolset_import import ImportedToolset, parse_toolsets, rename_servers

_PERSONA_FILES = ("persona.yaml", "persona.yml")
_MEMBERS = ("servers", "serverIds", "serverNames", "members")


class ImportOffer(Struct, frozen=True):
    """Servers and toolsets of one source, offered for import.

    Attributes:
        servers: one result per file, for ``candidates.merge_results``.
        toolsets: toolsets under free names; a group of servers becomes one to which its servers' tools are added.
        groups: name of a group's toolset by server name in the source.
    """

    servers: tuple[ReadResult, ...] = ()
    toolsets: tuple[ImportedToolset, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()


def find_hypertool(environment: Environment) -> Path | None:
    """Return hypertool-mcp's folder; None if there is none."""
    folder = environment.home / ".toolprint" / "hypertool-mcp"
    return folder if os.path.isdir(folder) else None


def is_persona_file(path: Path) -> bool:
    """Return True if a file makes its folder a persona."""
    return path.name in _PERSONA_FILES and os.path.isfile(path)


def is_persona(folder: Path) -> bool:
    """Return True if a folder is a persona: a bundle of servers and toolsets."""
    return any(os.path.isfile(folder / name) for name in _PERSONA_FILES)


def read_folder(folder: Path, identity: ToolnoteIdentity, *, taken: Iterable[str], now: str) -> ImportOffer:
    """Read hypertool-mcp's own folder, or a persona's.

    Args:
        taken: names of the existing toolsets.
        now: time in ISO 8601 for toolsets without one.
    """
    reader = _Reader(identity, set(taken), now)
    if is_persona(folder):
        reader.read_persona(folder)
    else:
        reader.read_home(folder)
    return ImportOffer(tuple(reader.servers), tuple(reader.toolsets), reader.groups, tuple(reader.warnings))


def read_servers(path: Path, identity: ToolnoteIdentity, client: KnownClient | None = None) -> tuple[ReadResult, ...]:
    """Read the servers of a file, which may be ``client``'s, or of a folder of hypertool-mcp or a persona."""
    if is_persona_file(path):
        path = path.parent  # the servers are in another file of the folder
    if not os.path.isdir(path):
        return (read_file(path, identity, client),)
    found = read_folder(path, identity, taken=(), now="")
    return found.servers or (ReadResult(warnings=(_unreadable(path, "no servers were found in it"),)),)


def folder_edits(
    found: ImportOffer,
    candidates: Iterable[Candidate],
    servers: Collection[str],
    toolsets: Collection[str],
    *,
    disabled: bool = False,
    collect: str | None = None,
) -> tuple[Edit, ...]:
    """Return the edits for the choice, with the toolsets' tools under the servers' ids in the library.

    Args:
        candidates: result of ``candidates.merge_results`` with these servers.
        servers: ids of the chosen candidates.
        toolsets: names of the chosen toolsets.
        disabled: True for a received folder, whose servers must not start by themselves (docs/contract.md 3).
        collect: toolset to which tools of servers without a group are added when first listed.
    """
    listed = list(candidates)
    ids = imported_server_ids(listed)
    names = {name: id for name, id in ids.items() if name != id}
    edits: list[Edit] = []
    for toolset in found.toolsets:
        if toolset.name in toolsets:
            content = rename_servers(toolset.content, names, ids.keys())
            edits.append(CreateDocument(toolset_document(toolset.name), content))
    for candidate in listed:
        called = (name for name, id in ids.items() if id == candidate.id)
        group = next((found.groups[name] for name in called if name in found.groups), None)
        joined = group if group in toolsets else collect
        edits += import_edits([candidate], servers, disabled=disabled, toolset=joined)
    return tuple(edits)


def imported_server_ids(candidates: Iterable[Candidate]) -> dict[str, str]:
    """Map the names of servers in files with toolsets to their ids in the library.

    A server may have another name there, and its id may be another server's name there.
    """
    listed = list(candidates)
    ids = {
        source.name: candidate.id
        for candidate in listed
        for source in candidate.sources
        if source.client is None and source.name
    }
    for candidate in listed:
        ids.setdefault(candidate.found_as, candidate.id)
    return ids


class _Reader:
    def __init__(self, identity: ToolnoteIdentity, taken: set[str], now: str) -> None:
        self.identity = identity
        self.taken = taken
        self.now = now
        self.servers: list[ReadResult] = []
        self.toolsets: list[ImportedToolset] = []
        self.groups: dict[str, str] = {}
        self.warnings: list[Problem] = []

    def read_home(self, folder: Path) -> None:
        config = self._parsed(folder / "config.json", JSON)
        files = [folder / "mcp.json", *sorted((folder / "mcp").glob("*.json"))]
        preferred = config.value.get("mcpConfigPath") if config and isinstance(config.value, dict) else None
        if isinstance(preferred, str) and Path(preferred).is_absolute() and Path(preferred) not in files:
            files.append(Path(preferred))
        self.servers += [read_file(file, self.identity) for file in files if os.path.isfile(file)]
        if config is not None:
            self._add_toolsets(config.value, folder / "config.json", folder.name)
        self._read_groups(folder / "groups.json")
        for persona in sorted(path for path in (folder / "personas").glob("*") if is_persona(path)):
            self.read_persona(persona)

    def read_persona(self, folder: Path) -> None:
        file = next(folder / name for name in _PERSONA_FILES if os.path.isfile(folder / name))
        warned = len(self.warnings)
        parsed = self._parsed(file, YAML)
        broken = len(self.warnings) > warned  # then the rest of a toolset is unknown
        if not broken:
            for line, reason in _misfits(parsed):
                self._warn(file, line, reason)
        if parsed is not None and not broken:
            self._add_toolsets(parsed.value, file, folder.name, reported=True)
        if os.path.isfile(folder / "mcp.json"):
            self.servers.append(read_file(folder / "mcp.json", self.identity))

    def _parsed(self, file: Path, kind: Format) -> Node | None:
        try:
            data = read_bytes(file)
            if data is None:
                return None
            parsed = kind.parse(decode(data).text)
        except UnreadableConfigError as error:
            self.warnings.append(_unreadable(file, str(error)))
            return None
        if parsed.error is not None:
            self._warn(file, parsed.error.line, parsed.error.reason)
        return parsed.root

    def _warn(self, file: Path, line: int, reason: str) -> None:
        parameters = {"file": str(file), "line": str(line), "reason": reason}
        self.warnings.append(Problem(Code.IMPORT_WARNING, parameters))

    def _add_toolsets(self, raw: Any, file: Path, file_name: str, *, reported: bool = False) -> list[ImportedToolset]:
        found = parse_toolsets(raw, file=str(file), file_name=file_name, taken=self.taken, now=self.now)
        self.taken.update(toolset.name for toolset in found.toolsets)
        self.toolsets += found.toolsets
        if not reported:  # else with line numbers
            self.warnings += found.problems
        return list(found.toolsets)

    def _read_groups(self, file: Path) -> None:
        root = self._parsed(file, JSON)
        if root is None:
            return
        groups = list(_groups(root.get("groups") or root))
        raw = {name: {"title": name, "description": about, "tools": []} for name, about, _ in groups}
        names = {toolset.found_as: toolset.name for toolset in self._add_toolsets({"toolsets": raw}, file, file.stem)}
        for name, _, members in groups:
            for member in members:
                server = member.value
                if self.groups.setdefault(server, names[name]) != names[name]:
                    self._warn(
                        file, member.line, f'server "{server}" is already in another group, whose toolset it joins'
                    )


def _groups(root: Node) -> Iterator[tuple[str, str, Sequence[Node]]]:
    """Yield name, description and servers of each group, in any shape of the file."""
    named = [(member.key, member.node) for member in root.members] or [("", item) for item in root.items]
    for key, node in named:
        given = node.value if isinstance(node.value, dict) else {}
        name, about = given.get("name"), given.get("description")
        members = node if node.items else next((inner for one in _MEMBERS if (inner := node.get(one))), None)
        shown = name if isinstance(name, str) and name else key
        if members is not None and shown:
            servers = [item for item in members.items if isinstance(item.value, str)]
            yield shown, about if isinstance(about, str) else "", servers


def _misfits(persona: Node | None) -> Iterator[tuple[int, str]]:
    """Yield line and reason for each part of a persona that is skipped; the rest is imported."""
    if persona is None or not isinstance(persona.value, dict):
        yield (1 if persona is None else persona.line), "it is not a persona: a name and a list of toolsets are missing"
        return
    toolsets = persona.get("toolsets")
    if toolsets is None or toolsets.value is None:
        return  # a persona of servers only
    if not isinstance(toolsets.value, list):
        yield toolsets.line, "toolsets is not a list"
    for number, toolset in enumerate(toolsets.items, start=1):
        name, tools = toolset.get("name"), toolset.get("toolIds")
        if name is None or not isinstance(name.value, str) or not name.value.strip():
            yield toolset.line, f"toolset {number} was left out: it has no name"
        elif tools is None or not isinstance(tools.value, list):
            yield toolset.line, f'the toolset "{name.value}" has no list of toolIds'
        else:
            for tool in tools.items:
                if not isinstance(tool.value, str):
                    yield tool.line, f'a tool of the toolset "{name.value}" was left out: its id is not text'


def _unreadable(file: Path, reason: str) -> Problem:
    return Problem(Code.IMPORT_FILE_UNREADABLE, {"file": str(file), "reason": reason})
