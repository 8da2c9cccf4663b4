"""What Toolnote knows about one MCP client: where it keeps its servers, in which shape, and how it must be treated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.assistants.entry_parser import NO_CONVENTIONS, ClientConventions
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.formats.base import Format
from toolnote_desktop.assistants.formats.jsonc_editor import JSON
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem


class FileRole(StrEnum):
    """What a client does with one of its configuration files."""

    LIVE = "live"
    """It is the one that the client reads; two of them on one system mean that a person must say which."""
    ALSO = "also"
    """It is read too, but only in some location of the client: a profile, a second edition."""
    PROJECT = "project"
    """It is read in one folder of a person's work only."""
    DEAD = "dead"
    """It lies there, and the client as it is installed does not read it."""
    OLD = "old"
    """The client reads it, in an older shape that is not written to."""


class ConfigLocation(Struct, frozen=True):
    """One configuration file that a client may have. It need not exist.

    Attributes:
        label: what tells it from the client's other files: a profile's name, an edition; "" for the usual one.
    """

    file: Path
    role: FileRole = FileRole.LIVE
    label: str = ""


def stdio_entry(command: Sequence[str]) -> JsonObject:
    """How most clients write down a server that they start."""
    return {"command": command[0], "args": list(command[1:])}


def folder_locations(folder: Path, name: str) -> Sequence[ConfigLocation]:
    """For a client that has one file in a folder of its own, and is installed where that folder is."""
    return [ConfigLocation(folder / name)] if folder.is_dir() else []


def first_is_live(locations: Iterable[ConfigLocation]) -> Sequence[ConfigLocation]:
    """For a client that reads several files: the first one is where servers are added."""
    return [replace(location, role=FileRole.ALSO if n else FileRole.LIVE) for n, location in enumerate(locations)]


def typed_stdio_entry(command: Sequence[str]) -> JsonObject:
    """The same for clients that want the type said."""
    return {"type": "stdio", **stdio_entry(command)}


def url_entry(url: str, headers: Mapping[str, str]) -> JsonObject:
    """How many clients write down a server that they reach at an address."""
    return {"url": url, "headers": dict(headers)}


def http_entry(url: str, headers: Mapping[str, str]) -> JsonObject:
    """The same for clients that want the type said."""
    return {"type": "http", **url_entry(url, headers)}


class DisableSwitch(Struct, frozen=True):
    """The key of an entry with which a client's server is switched off, and the value that does it."""

    key: str = "disabled"
    off: bool = True


class KnownClient(Struct, frozen=True):
    """One client, as data.

    Attributes:
        id: its name in commands (docs/contract.md 4), and what its bridge calls itself.
        name: what people call it.
        locations: its configuration files on a system where it is installed; nothing where it is not. Looks at folders
            and small files only, and starts nothing.
        servers_at: where in the file the servers stand, as keys.
        more_servers_at: other such locations, for importing only; ``*`` stands for every key.
        entry: how a server that is started by a command is written down there.
        by_url: how a server at an address is written down there, with headers; None where a bridge is needed.
        named_inside: whether an entry says its own name again, as ``name``.
        switch: how one of its servers is switched off in the file; None where it has to be taken out.
        new_file: what a file must have in it that the client would else not take.
        after_install: what to do for it to see a changed configuration file. Parameter: client.
        after_change: what to do for it to see changed tools or notes; ``CLIENT_FOLLOWS`` for one that asks for them
            again when it is told that they changed. Parameter: client.
        conventions: what it means by what others mean otherwise.
    """

    id: str
    name: str
    locations: Callable[[Environment], Sequence[ConfigLocation]]
    servers_at: tuple[str, ...] = ("mcpServers",)
    more_servers_at: tuple[tuple[str, ...], ...] = ()
    entry: Callable[[Sequence[str]], JsonObject] = stdio_entry
    format: Format = JSON
    by_url: Callable[[str, Mapping[str, str]], JsonObject] | None = None
    named_inside: bool = False
    switch: DisableSwitch | None = None
    new_file: str = ""
    after_install: Code = Code.CLIENT_QUIT_AND_OPEN
    after_change: Code = Code.CLIENT_QUIT_AND_OPEN
    conventions: ClientConventions = NO_CONVENTIONS

    def format_of(self, file: Path) -> Format:
        """How one of its files is read; among files of another kind one in JSON is read as such."""
        return JSON if file.suffix in (".json", ".jsonc") else self.format

    def named(self, entry: JsonObject, name: str) -> JsonObject:
        """The entry as it stands under ``name``."""
        return {**entry, "name": name} if self.named_inside else entry

    def advice_after_install(self) -> Problem:
        """What a person must do in this client after its file was changed."""
        return Problem(self.after_install, {"client": self.name})

    def advice_after_change(self) -> Problem:
        """What a person must do in this client after tools or notes changed."""
        return Problem(self.after_change, {"client": self.name})


class LocationChoice(Struct, frozen=True):
    """Which of a client's files to write to; never chosen silently where there are several (case C52).

    Attributes:
        location: None when the client is not installed, or when a person must choose_location.
        problem: why there is none.
        notes: what to tell beside it: files that were not chosen.
    """

    location: ConfigLocation | None
    problem: Problem | None = None
    notes: tuple[Problem, ...] = field(default=())


def choose_location(client: KnownClient, locations: Sequence[ConfigLocation]) -> LocationChoice:
    """The one live file among a client's locations, or why there is no such."""
    live = [location for location in locations if location.role is FileRole.LIVE]
    old = next((location for location in locations if location.role is FileRole.OLD), None)
    if not live and old is not None:
        return LocationChoice(None, Problem(Code.CLIENT_FILE_OLD, {"client": client.name, "file": str(old.file)}))
    if not live:
        return LocationChoice(None, Problem(Code.CLIENT_NOT_INSTALLED, {"client": client.name}))
    if len(live) > 1:
        files = " | ".join(str(location.file) for location in live)
        return LocationChoice(None, Problem(Code.CLIENT_FILE_AMBIGUOUS, {"client": client.name, "files": files}))
    others = [location for location in locations if location is not live[0] and _worth_telling(location)]
    if not others:
        return LocationChoice(live[0])
    told = " | ".join(
        f"{location.file} ({location.label})" if location.label else str(location.file) for location in others
    )
    parameters: Mapping[str, Any] = {"client": client.name, "file": str(live[0].file), "others": told}
    return LocationChoice(live[0], notes=(Problem(Code.CLIENT_FILE_CHOSEN, parameters),))


def _worth_telling(location: ConfigLocation) -> bool:
    if location.role is FileRole.PROJECT:
        return False
    return location.role is FileRole.ALSO or location.file.exists()
