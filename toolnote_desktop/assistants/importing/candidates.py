"""Servers in other programs' files as candidates for the library. Sources are read only.

Files are read one by one (:func:`read_client`, :func:`read_file`, :func:`read_snippet`), then merged
(:func:`merge_results`); the user chooses, and :func:`import_edits` returns the edits to submit.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.assistants.config_file import UnreadableConfigError, decode, read_bytes
from toolnote_desktop.assistants.discovery import FoundClient
from toolnote_desktop.assistants.entry_parser import NO_CONVENTIONS, ClientConventions, read_entry
from toolnote_desktop.assistants.formats.base import Format, Node
from toolnote_desktop.assistants.formats.jsonc_editor import JSON
from toolnote_desktop.assistants.formats.toml_editor import TOML
from toolnote_desktop.assistants.formats.yaml_editor import YamlFormat
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.assistants.same_server import identity_of, is_covered, is_filled_in
from toolnote_desktop.assistants.server_locations import Servers, find_servers
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity, is_own
from toolnote_desktop.model.document import parse_entry
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry, Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.secrets.secret_repr import SecretStruct
from toolnote_desktop.model.servers import Server

NO_SERVERS: Final = "no servers were found in it"
"""Reason in the warning for a readable file without servers."""

_LISTS_TOO: Final = YamlFormat(by_name=frozenset({"mcpServers"}))
_FORMATS: Final[Mapping[str, Format]] = {".toml": TOML, ".yaml": _LISTS_TOO, ".yml": _LISTS_TOO}
_TOML_HEADER: Final = re.compile(r"^\[mcp_servers\.[^\]\n]+\][ \t]*(?:#.*)?$", re.MULTILINE)
_YAML_KEY: Final = re.compile(r"(?:\s++|#.*+)*+(?:mcpServers|extensions):[ \t]*(?:#.*)?$", re.MULTILINE)


class Source(Struct, frozen=True):
    """Place where a server was found, and its name there.

    ``client`` is None for a file or text of no known client.
    """

    client: str | None
    file: str
    line: int
    name: str = ""


class CandidateState(StrEnum):
    """Relation of a candidate to the servers in the library."""

    NEW = "new"
    PRESENT = "present"
    """The same server is in the library under the candidate's id; nothing to import."""
    RENAMED = "renamed"
    """Another server has its id and is left alone: this one gets another id (case C53)."""


class Candidate(SecretStruct, frozen=True):
    """Server that can be imported.

    Attributes:
        id: id in the library.
        found_as: name where it was found first.
        entry: entry for ``servers.json``; unknown keys kept, ``${…}`` not expanded.
        sources: all places where it was found.
    """

    secret_fields: ClassVar = frozenset({"entry"})

    id: str
    found_as: str
    entry: JsonObject
    sources: tuple[Source, ...]
    state: CandidateState = CandidateState.NEW


class ReadResult(Struct, frozen=True):
    """Usable servers of a file, and warnings about the rest."""

    candidates: tuple[Candidate, ...] = ()
    warnings: tuple[Problem, ...] = ()


def read_client(found: FoundClient, identity: ToolnoteIdentity) -> ReadResult:
    """Read the servers in all files of a client."""
    client = found.client
    paths = [client.servers_at, *client.more_servers_at]
    readings = [
        _read(
            file.location.file,
            _ReadingRules(client.id, client.format_of(file.location.file), client.conventions, paths),
            identity,
        )
        for file in found.files
        if file.exists
    ]
    return _joined(readings)


def read_file(
    file: Path,
    identity: ToolnoteIdentity,
    client: KnownClient | None = None,
    *,
    follow: Sequence[str] | None = None,
) -> ReadResult:
    """Read the servers in any file: a client's, a project's, or a received one. Its shape is detected.

    Args:
        client: whose conventions it follows, if known.
        follow: where its servers are, if that is known; values beside it are not read in detail.
    """
    if client is None:
        rules = _ReadingRules(format=_FORMATS.get(file.suffix.lower(), JSON), follow=follow)
        return _read(file, rules, identity)
    return _read(file, _ReadingRules(client.id, client.format_of(file), client.conventions), identity)


def read_snippet(text: str, identity: ToolnoteIdentity, name: str = "pasted text") -> ReadResult:
    """Read the servers in a text as in a server's instructions.

    It may be JSON, with or without its outer braces, or lines of a TOML or YAML file.
    """
    if _TOML_HEADER.search(text):
        return _read_text(text, name, _ReadingRules(format=TOML), identity)
    if _YAML_KEY.match(text):
        return _read_text(text, name, _ReadingRules(format=_LISTS_TOO), identity)
    root = JSON.parse(text).root
    if text.lstrip().startswith('"') and (root is None or isinstance(root.value, str)):
        text = "{" + text.strip().removesuffix(",") + "}"
    return _read_text(text, name, _ReadingRules(), identity)


def merge_results(readings: Iterable[ReadResult], existing: Mapping[str, Any]) -> ReadResult:
    """Merge results: each server once, with a unique id, existing ones marked.

    Args:
        existing: raw ``mcpServers`` of ``servers.json``.
    """
    joined = _joined(readings)
    merged = _merge_same(joined.candidates)
    taken = set(existing)
    by_identity: dict[str, list[str]] = {}
    for key, entry in existing.items():
        by_identity.setdefault(identity_of(entry), []).append(key)
    placed: list[Candidate] = []
    for candidate in merged:
        present = _present(candidate, existing, by_identity)
        if present is not None:
            placed.append(replace(candidate, id=present, state=CandidateState.PRESENT))
            continue
        free = _free_id(candidate.found_as, taken)
        taken.add(free)
        state = CandidateState.NEW if free == candidate.found_as else CandidateState.RENAMED
        placed.append(replace(candidate, id=free, state=state))
    return ReadResult(tuple(placed), joined.warnings)


def import_edits(
    candidates: Iterable[Candidate], chosen: Collection[str], *, disabled: bool = False, toolset: str | None = None
) -> tuple[Edit, ...]:
    """Return the edits that add the candidates with a chosen id; none for those already present.

    Args:
        disabled: True for received files and links, whose servers must not start by themselves (docs/contract.md 3).
        toolset: toolset to which the servers' tools are added when first listed.
    """
    edits = []
    wanted = frozenset(chosen)
    for candidate in candidates:
        if candidate.id not in wanted or candidate.state is CandidateState.PRESENT:
            continue
        entry = {**candidate.entry, **({"disabled": True} if disabled else {})}
        if toolset is not None:
            entry["toolnote"] = {**entry.get("toolnote", {}), "toolset": toolset}
        edits.append(AddEntry(SERVERS, SERVER_ENTRIES, candidate.id, entry))
    return tuple(edits)


def _merge_same(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Merge the candidates that are one server, comparing only those that can be: files may list thousands."""
    merged: list[Candidate] = []
    positions: dict[str, list[int]] = {}  # identity -> indices in ``merged``
    named: dict[tuple[str, str, str], list[int]] = {}  # identity, file, name -> likewise
    files: dict[str, set[str]] = {}  # identity -> files
    for candidate in candidates:
        identity = identity_of(candidate.entry)
        sources = [(identity, source.file, source.name) for source in candidate.sources]
        is_single_file = files.setdefault(identity, set()) <= {candidate.sources[0].file} and len(sources) == 1
        possible = named.get(sources[0], []) if is_single_file else positions.get(identity, [])
        same = next((i for i in possible if _is_same(merged[i], candidate)), None)
        if same is None:
            same = len(merged)
            merged.append(candidate)
            positions.setdefault(identity, []).append(same)
        else:
            merged[same] = _merged(merged[same], candidate)
        for source in sources:
            named.setdefault(source, []).append(same)
            files[identity].add(source[1])
    return merged


def _present(candidate: Candidate, existing: Mapping[str, Any], by_identity: Mapping[str, list[str]]) -> str | None:
    """Return the id of the same server in the library.

    One of the same name is also recognised with its secrets in the keychain, or missing from the file.

    Args:
        by_identity: ids by ``identity_of`` their entries.
    """
    named_alike = [candidate.found_as] if candidate.found_as in existing else []
    for key in itertools.chain(named_alike, by_identity.get(identity_of(candidate.entry), [])):
        entry = existing[key]
        named = key == candidate.found_as
        if is_covered(candidate.entry, by=entry, secrets_moved=named):
            return key
        if named and is_filled_in(candidate.entry, by=entry):
            return key
    return None


def _joined(readings: Iterable[ReadResult]) -> ReadResult:
    listed = list(readings)
    return ReadResult(
        tuple(candidate for reading in listed for candidate in reading.candidates),
        tuple(warning for reading in listed for warning in reading.warnings),
    )


class _ReadingRules(Struct, frozen=True):
    """Rules for reading a file; without ``paths`` its shape is detected. ``follow``: see ``read_file``."""

    client: str | None = None
    format: Format = JSON
    conventions: ClientConventions = NO_CONVENTIONS
    paths: Sequence[tuple[str, ...]] | None = None
    follow: Sequence[str] | None = None


def _read(file: Path, rules: _ReadingRules, identity: ToolnoteIdentity) -> ReadResult:
    try:
        data = read_bytes(file)
        if data is None:
            raise UnreadableConfigError("no such file")
        text = decode(data).text
    except UnreadableConfigError as error:
        problem = Problem(Code.IMPORT_FILE_UNREADABLE, {"file": str(file), "reason": str(error)})
        return ReadResult(warnings=(problem,))
    return _read_text(text, str(file), rules, identity)


def _read_text(text: str, file: str, rules: _ReadingRules, identity: ToolnoteIdentity) -> ReadResult:
    parsed = rules.format.parse(text, rules.follow)
    warnings: list[Problem] = []

    def warn(line: int, reason: str) -> None:
        warnings.append(Problem(Code.IMPORT_WARNING, {"file": file, "line": str(line), "reason": reason}))

    if parsed.error:
        warn(parsed.error.line, parsed.error.reason)
    for duplicate in parsed.duplicates:
        warn(duplicate.line, f'"{duplicate.key}" is repeated here; this one is used')
    candidates: list[Candidate] = []
    found = find_servers(parsed.root, rules.paths, warn) if parsed.root else []
    if not found and rules.paths is None and not parsed.error:
        warn(1, NO_SERVERS)
    conventions = _conventions(rules, found)
    for servers in found:
        candidates += _candidates(servers, Source(rules.client, file, 1), identity, conventions, warnings)
    return ReadResult(tuple(candidates), tuple(warnings))


def _conventions(rules: _ReadingRules, found: Iterable[Servers]) -> ClientConventions:
    """Return Gemini CLI's conventions if ``httpUrl`` occurs: only it uses that key, and means SSE by ``url``."""
    nodes = (node for servers in found for node in servers.entries.values())
    if rules.client is None and any(isinstance(node.value, dict) and "httpUrl" in node.value for node in nodes):
        return CLIENTS["gemini-cli"].conventions
    return rules.conventions


def _candidates(
    servers: Servers,
    source: Source,
    identity: ToolnoteIdentity,
    conventions: ClientConventions,
    warnings: list[Problem],
) -> list[Candidate]:
    candidates = []
    for name, node in servers.entries.items():
        if is_own(name, node.value, identity):
            warnings.append(Problem(Code.SERVER_IS_TOOLNOTE, {"server": name}))
            continue
        entry, warned = read_entry(name, node, conventions)
        for one in warned:
            parameters = {"file": source.file, "line": str(one.line), "reason": one.reason}
            warnings.append(Problem(Code.IMPORT_WARNING, parameters))
        if entry is not None and _is_valid(name, entry, node, source, warnings):
            candidates.append(Candidate(name, name, entry, (replace(source, line=node.line, name=name),)))
    return candidates


def _is_valid(name: str, entry: JsonObject, node: Node, source: Source, warnings: list[Problem]) -> bool:
    """Validate an entry with the model that reads ``servers.json``."""

    def report(path: str, reason: str) -> None:
        parameters = {"file": source.file, "line": str(node.line), "reason": f"{path}: {reason}; it is skipped"}
        warnings.append(Problem(Code.IMPORT_WARNING, parameters))

    return parse_entry(Server, entry, f'server "{name}"', report) is not None


def _is_same(one: Candidate, other: Candidate) -> bool:
    """Return True if two candidates are one server. Other settings, such as another token, make another server.

    A file with two names for a server means two servers: its toolsets may refer to both.
    """
    if any(a.file == b.file and a.name != b.name for a in one.sources for b in other.sources):
        return False
    return is_covered(one.entry, by=other.entry) or is_covered(other.entry, by=one.entry)


def _merged(one: Candidate, other: Candidate) -> Candidate:
    """Merge two candidates for one server: the entry with more settings, switched on if either is."""
    entry = other.entry if not is_covered(other.entry, by=one.entry) else one.entry
    if not (one.entry.get("disabled") and other.entry.get("disabled")):
        entry = {key: value for key, value in entry.items() if key != "disabled"}
    return replace(one, entry=entry, sources=(*one.sources, *other.sources))


def _free_id(wanted: str, taken: set[str]) -> str:
    number, free = 1, wanted
    while free in taken:
        number += 1
        free = f"{wanted}-{number}"
    return free
