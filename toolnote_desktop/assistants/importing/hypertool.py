"""hypertool-mcp as a source: its servers, its toolsets with their notes, its groups and its personas (docs/contract.md 3).

Its folder is read and never written. What it has is shown like any other; :func:`folder_edits` gives what to submit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from toolnote_desktop.assistants.config_file import UnreadableConfigError, decode, read_bytes
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.formats.base import Format, Node
from toolnote_desktop.assistants.formats.jsonc_editor import JSON
from toolnote_desktop.assistants.formats.yaml_editor import YAML
from toolnote_desktop.assistants.importing.candidates import Candidate, Reading, import_edits, read_file
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.model.edits import CreateDocument, Edit, toolset_document
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.toolsets.toolset_import import ImportedToolset, parse_toolsets, rename_servers

_PERSONA_FILES = ("persona.yaml", "persona.yml")
_MEMBERS = ("servers", "serverIds", "serverNames", "members")


class ImportOffer(Struct, frozen=True):
    """What one folder of hypertool-mcp gave.

    Attributes:
        servers: of each of its files one reading, for ``importing.preview``.
        toolsets: under names that are free; a group of servers is one that its servers' tools join.
        groups: server, as it is called there -> the name of its group's toolset.
    """

    servers: tuple[Reading, ...] = ()
    toolsets: tuple[ImportedToolset, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()


def find_hypertool(environment: Environment) -> Path | None:
    """The folder in which hypertool-mcp keeps what it knows, where there is one."""
    folder = environment.home / ".toolprint" / "hypertool-mcp"
    return folder if folder.is_dir() else None


def is_persona_file(path: Path) -> bool:
    """Whether a file is what makes its folder a persona."""
    return path.name in _PERSONA_FILES and path.is_file()


def is_persona(folder: Path) -> bool:
    """Whether a folder is a persona: a bundle of servers and toolsets."""
    return any((folder / name).is_file() for name in _PERSONA_FILES)


def read_folder(folder: Path, identity: ToolnoteIdentity, *, taken: Iterable[str], now: str) -> ImportOffer:
    """hypertool-mcp's own folder, or that of a persona.

    Args:
        taken: the names of the toolsets that are here.
        now: the time in ISO 8601, for toolsets that lack one.
    """
    reader = _Reader(identity, set(taken), now)
    if is_persona(folder):
        reader.read_persona(folder)
    else:
        reader.read_home(folder)
    return ImportOffer(tuple(reader.servers), tuple(reader.toolsets), reader.groups, tuple(reader.warnings))


def read_servers(path: Path, identity: ToolnoteIdentity, client: KnownClient | None = None) -> tuple[Reading, ...]:
    """The servers of a file, which may be ``client``'s, or of a folder of hypertool-mcp or a persona."""
    if is_persona_file(path):
        path = path.parent  # its servers are in the file beside it
    if not path.is_dir():
        return (read_file(path, identity, client),)
    found = read_folder(path, identity, taken=(), now="")
    return found.servers or (Reading(warnings=(_unreadable(path, "no servers were found in it"),)),)


def folder_edits(
    found: ImportOffer,
    candidates: Iterable[Candidate],
    servers: Collection[str],
    toolsets: Collection[str],
    *,
    disabled: bool = False,
    collect: str | None = None,
) -> tuple[Edit, ...]:
    """What to submit for what was chosen; a toolset's tools are those of the servers under the ids that they have here.

    Args:
        candidates: of ``importing.preview`` with these readings.
        servers: ids of the candidates that were chosen.
        toolsets: names of the toolsets that were chosen.
        disabled: for a folder from elsewhere, whose servers must not start by themselves (docs/contract.md 3).
        collect: the toolset that the tools of servers in no group join when they are first seen.
    """
    listed = list(candidates)
    there = imported_server_ids(listed)
    names = {name: id for name, id in there.items() if name != id}
    edits: list[Edit] = []
    for toolset in found.toolsets:
        if toolset.name in toolsets:
            content = rename_servers(toolset.content, names, there.keys())
            edits.append(CreateDocument(toolset_document(toolset.name), content))
    for candidate in listed:
        called = (name for name, id in there.items() if id == candidate.id)
        group = next((found.groups[name] for name in called if name in found.groups), None)
        joined = group if group in toolsets else collect
        edits += import_edits([candidate], servers, disabled=disabled, toolset=joined)
    return tuple(edits)


def imported_server_ids(candidates: Iterable[Candidate]) -> dict[str, str]:
    """The servers of files that may have toolsets, by what they are called there: the ids that they have here.

    A server that another program has too may have another name there, and another server may have its name there.
    """
    listed = list(candidates)
    there = {
        source.name: candidate.id
        for candidate in listed
        for source in candidate.sources
        if source.client is None and source.name
    }
    for candidate in listed:
        there.setdefault(candidate.found_as, candidate.id)
    return there


class _Reader:
    def __init__(self, identity: ToolnoteIdentity, taken: set[str], now: str) -> None:
        self.identity = identity
        self.taken = taken
        self.now = now
        self.servers: list[Reading] = []
        self.toolsets: list[ImportedToolset] = []
        self.groups: dict[str, str] = {}
        self.warnings: list[Problem] = []

    def read_home(self, folder: Path) -> None:
        config = self._parsed(folder / "config.json", JSON)
        files = [folder / "mcp.json", *sorted((folder / "mcp").glob("*.json"))]
        preferred = config.value.get("mcpConfigPath") if config and isinstance(config.value, dict) else None
        if isinstance(preferred, str) and Path(preferred).is_absolute() and Path(preferred) not in files:
            files.append(Path(preferred))
        self.servers += [read_file(file, self.identity) for file in files if file.is_file()]
        if config is not None:
            self._take_toolsets(config.value, folder / "config.json", folder.name)
        self._read_groups(folder / "groups.json")
        for persona in sorted(path for path in (folder / "personas").glob("*") if is_persona(path)):
            self.read_persona(persona)

    def read_persona(self, folder: Path) -> None:
        file = next(folder / name for name in _PERSONA_FILES if (folder / name).is_file())
        warned = len(self.warnings)
        parsed = self._parsed(file, YAML)
        broken = len(self.warnings) > warned  # then nothing says what the rest of a toolset would have been
        if not broken:
            for line, reason in _misfits(parsed):
                self._warn(file, line, reason)
        if parsed is not None and not broken:
            self._take_toolsets(parsed.value, file, folder.name)
        if (folder / "mcp.json").is_file():
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

    def _take_toolsets(self, raw: Any, file: Path, file_name: str) -> list[ImportedToolset]:
        found = parse_toolsets(raw, file=str(file), file_name=file_name, taken=self.taken, now=self.now)
        self.taken.update(toolset.name for toolset in found)
        self.toolsets += found
        return list(found)

    def _read_groups(self, file: Path) -> None:
        root = self._parsed(file, JSON)
        if root is None:
            return
        groups = list(_groups(root.get("groups") or root))
        raw = {name: {"title": name, "description": about, "tools": []} for name, about, _ in groups}
        names = {toolset.found_as: toolset.name for toolset in self._take_toolsets({"toolsets": raw}, file, file.stem)}
        for name, _, members in groups:
            for member in members:
                server = member.value
                if self.groups.setdefault(server, names[name]) != names[name]:
                    self._warn(
                        file, member.line, f'server "{server}" is in another group already, whose toolset it joins'
                    )


def _groups(root: Node) -> Iterator[tuple[str, str, Sequence[Node]]]:
    """Name, description and servers of each group, in whichever shape the file has them."""
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
    """What of a persona cannot be taken, by line: the rest is."""
    if persona is None or not isinstance(persona.value, dict):
        yield (1 if persona is None else persona.line), "it is no persona: a name and a list of toolsets are missing"
        return
    toolsets = persona.get("toolsets")
    if toolsets is None or toolsets.value is None:
        return  # one of servers alone
    if not isinstance(toolsets.value, list):
        yield toolsets.line, "toolsets is no list"
    for number, toolset in enumerate(toolsets.items, start=1):
        name, tools = toolset.get("name"), toolset.get("toolIds")
        if name is None or not isinstance(name.value, str) or not name.value.strip():
            yield toolset.line, f"toolset {number} was left out: it has no name"
        elif tools is None or not isinstance(tools.value, list):
            yield toolset.line, f'the toolset "{name.value}" has no list of toolIds'
        else:
            for tool in tools.items:
                if not isinstance(tool.value, str):
                    yield tool.line, f'a tool of the toolset "{name.value}" was left out: its id is no text'


def _unreadable(file: Path, reason: str) -> Problem:
    return Problem(Code.IMPORT_FILE_UNREADABLE, {"file": str(file), "reason": reason})
