"""Installation of Toolnote in a client's own configuration file, and its removal.

A :class:`Plan` writes nothing and can be shown; :func:`apply` writes exactly that or refuses, and :func:`undo`
restores the file to the byte. All errors are ``ToolnoteError``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import ClassVar, Final, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.assistants import config_file
from toolnote_desktop.assistants.config_file import ConfigText, UnreadableConfigError, decode, read_bytes
from toolnote_desktop.assistants.diff import difference
from toolnote_desktop.assistants.discovery import server_entries
from toolnote_desktop.assistants.formats.base import FormatError, Member, Node
from toolnote_desktop.assistants.installing.client_tokens import DirectAccess
from toolnote_desktop.assistants.installing.install_log import (
    ABSENT,
    InstallLog,
    InstallRecord,
    entry_hash,
    hash_of,
    original,
    real_path,
)
from toolnote_desktop.assistants.installing.switch_servers import SavedServers, restore_servers, switch_off_servers
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.assistants.toolnote_entry import ENTRY_NAME, ToolnoteIdentity, is_own
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.secrets.secret_repr import SecretStruct
from toolnote_desktop.paths import Home, platform_config_folder

_Changed = TypeVar("_Changed")


_TRANSLOCATED = "/AppTranslocation/"
"""Part of the path from which macOS runs a quarantined app; the folder differs at each start."""


class Plan(SecretStruct, frozen=True):
    """Planned change of a client's file.

    Attributes:
        before: the file's bytes now; None if it is missing.
        after: its bytes afterwards; None if the file is deleted, because Toolnote created it.
        name: key of the entry to write; None for a removal.
        entry: entry to write.
        shape: the part of it that Toolnote wrote, without keys that the user added.
        made: number of enclosing objects that are created with it.
        notes: remarks for the user.
        off_before: the client's own servers that are switched off now, with their former state.
        off_after: the same afterwards.
        is_inverse: True if this plan undoes another one.
    """

    secret_fields: ClassVar = frozenset({"before", "after", "entry", "shape", "off_before", "off_after"})

    client: KnownClient
    file: Path
    before: bytes | None
    after: bytes | None
    name: str | None = None
    entry: JsonObject | None = None
    shape: JsonObject | None = None
    made: int = 0
    notes: tuple[Problem, ...] = ()
    off_before: SavedServers = field(default_factory=dict)
    off_after: SavedServers = field(default_factory=dict)
    is_inverse: bool = False

    @property
    def changes(self) -> bool:
        """True if anything would be written."""
        return self.before != self.after

    def inverse(self) -> Plan:
        """Return the plan that undoes this one, to the byte."""
        back = replace(self, before=self.after, after=self.before, notes=(), is_inverse=not self.is_inverse)
        return replace(back, off_before=self.off_after, off_after=self.off_before)

    def diff(self) -> str:
        """Return a unified diff with secrets masked; empty if nothing changes."""
        old, new = (decode(data).text if data is not None else "" for data in (self.before, self.after))
        was, becomes = (str(self.file) if data is not None else "(no file)" for data in (self.before, self.after))
        return difference(old, new, self.client.format, was, becomes)


def bridge_command(client: str, command: Sequence[str], home: Home, toolset: str | None = None) -> list[str]:
    """Return the command line for a client (docs/contract.md 4), with ``--home`` for another than the default.

    A client starts it without this environment, so a home from ``TOOLNOTE_HOME`` is named too.
    """
    words = [*command, "bridge", "--client", client]
    if str(home.root) != platform_config_folder():
        words += ["--home", str(home.root)]
    return [*words, "--toolset", toolset] if toolset else words


class InstallOptions(Struct, frozen=True):
    """Choices for an installation.

    Attributes:
        toolset: toolset named in the entry; None for the client's own, set with ``client_entries.install_edits``.
        direct: address and token that replace the bridge. Submit ``client_entries.install_edits`` too.
        switch_off: names of the client's servers to switch off while Toolnote is installed; see
            ``switch_servers.duplicate_servers``.
        switch_on: names of servers to restore that an earlier installation switched off.
        replace_edited: True to replace an entry that was edited since Toolnote wrote it (case C49).
    """

    toolset: str | None = None
    direct: DirectAccess | None = None
    switch_off: Collection[str] = ()
    switch_on: Collection[str] = ()
    replace_edited: bool = False


DEFAULT_OPTIONS: Final = InstallOptions()


def plan_install(
    client: KnownClient, file: Path, home: Home, identity: ToolnoteIdentity, options: InstallOptions = DEFAULT_OPTIONS
) -> Plan:
    """Plan exactly one Toolnote entry in ``file``, in the place of earlier ones (case C50).

    An edited entry is left alone, with a note, unless ``options.replace_edited`` is set (case C49). Keys that the user
    added to it, as ``timeout`` or ``alwaysLoad``, are no edit and stay in it.

    Args:
        identity: its ``command`` is what the entry runs.

    Raises:
        ToolnoteError: ``client-file-unreadable`` if the file cannot be read or parsed, ``client-needs-bridge``.
    """
    before, content, root = _read(client, file)
    node = root.at(client.servers_at) if root else None
    members = node.members if node else ()
    entry = _entry(client, file, home, identity, options)
    log = install_log_of(client, home)
    keys = _shape_keys(client, file)
    target = _target(client, members, log.read(file), entry, identity, keys, replace_edited=options.replace_edited)
    if target is None:
        return Plan(client, file, before, before, notes=(_note(Code.CLIENT_ENTRY_EDITED, client, file=str(file)),))
    off_before = log.switched_off(file)
    restored = {server: was for server, was in off_before.items() if server in options.switch_on}

    def change() -> tuple[str, SavedServers]:
        text = restore_servers(client, _with_entry(client, content.text, target), restored)
        return switch_off_servers(client, text, [server for server in options.switch_off if server != target.name])

    text, off = _changed(client, file, change)
    return Plan(
        client,
        file,
        before,
        before if text == content.text else content.encode(text),
        target.name,
        target.entry,
        _shape(target.entry, keys),
        _missing_depth(client, root),
        (*_notes_on(client, target), *(_note(Code.CLIENT_SERVER_OFF, client, server=server) for server in off)),
        off_before=off_before,
        off_after={**{server: was for server, was in off_before.items() if server not in restored}, **off},
    )


class _Target(Struct, frozen=True):
    """Entry to write.

    Attributes:
        name: its key.
        own: Toolnote's entries in the file now.
        replaced: members that it takes the place of: ``own`` and edited entries.
    """

    name: str
    entry: JsonObject
    own: Sequence[Member]
    replaced: Sequence[Member]

    @property
    def exists(self) -> bool:
        """True if the file has exactly this entry already."""
        return [(member.key, member.node.value) for member in self.replaced] == [(self.name, self.entry)]


def _target(
    client: KnownClient,
    members: Sequence[Member],
    records: Sequence[InstallRecord],
    entry: JsonObject,
    identity: ToolnoteIdentity,
    keys: frozenset[str],
    *,
    replace_edited: bool,
) -> _Target | None:
    """Return the entry to write; None if an edited one is in its place and is to be left alone."""
    own = [member for member in members if is_own(member.key, member.node.value, identity)]
    wanted = client.named(entry, own[0].key if own else ENTRY_NAME)
    if len(own) == 1 and _shape(own[0].node.value, keys) == wanted:  # under any name
        return _Target(own[0].key, own[0].node.value, own, own)
    edited = _edited(members, own, records, wanted, keys)
    if edited and not replace_edited:
        return None
    replaced = [*own, *(member for member in edited if member not in own)]
    name = _free_name({member.key for member in members if member not in replaced})
    added = [(key, value) for member in own for key, value in member.node.value.items() if key not in keys]
    return _Target(name, {**client.named(entry, name), **dict(added)}, own, replaced)


_SHAPE_KEYS: Final = frozenset(
    {
        *("type", "transport", "transportType", "source", "name", "command", "cmd", "args"),
        *("url", "serverUrl", "httpUrl", "uri", "headers", "http_headers", "requestOptions"),
    }
)
"""Keys by which clients tell how a server is reached: no key of the user's own in Toolnote's entry."""


def _shape_keys(client: KnownClient, file: Path) -> frozenset[str]:
    """Return the keys that Toolnote writes into an entry of this file, by either way of connecting."""
    by_url = client.url_entry(file, "", {}) or {}
    return _SHAPE_KEYS.union(client.entry(["toolnote"]), by_url)


def _shape(entry: JsonObject, keys: frozenset[str]) -> JsonObject:
    """Return an entry without the keys that the user added."""
    return {key: value for key, value in entry.items() if key in keys}


def _with_entry(client: KnownClient, text: str, target: _Target) -> str:
    if [member.key for member in target.replaced] != [target.name]:
        removed = {entry_hash(member.key, member.node.value) for member in target.replaced}
        text = client.format.without_members(
            text, client.servers_at, lambda key, value: entry_hash(key, value) in removed
        )
    return text if target.exists else client.format.with_member(text, [*client.servers_at, target.name], target.entry)


def _notes_on(client: KnownClient, target: _Target) -> Iterator[Problem]:
    for member in target.own:
        if member.key != target.name:
            yield _note(Code.CLIENT_ENTRY_REPLACED, client, entry=member.key)
    if target.name != ENTRY_NAME and not target.exists:
        yield _note(Code.CLIENT_ENTRY_RENAMED, client, entry=target.name, taken=ENTRY_NAME)


def plan_uninstall(client: KnownClient, file: Path, home: Home, identity: ToolnoteIdentity) -> Plan:
    """Plan the removal of Toolnote from ``file``.

    The result is the exact former bytes if nothing else changed since; else only Toolnote's entries are removed and the
    client's own servers restored that were switched off.

    Raises:
        ToolnoteError: ``client-file-unreadable`` if the file cannot be read or parsed.
    """
    before, content, root = _read(client, file)
    if before is None or root is None:
        return Plan(client, file, before, before)
    records = install_log_of(client, home).read(file)
    off = install_log_of(client, home).switched_off(file)
    first = original(records, hash_of(before))
    if first is not None and first.before == ABSENT:
        return Plan(client, file, before, None, off_before=off)
    restored = install_log_of(client, home).backup(first) if first else None
    names = {record.name for record in records}
    if restored is not None and not _has_own(client, restored, identity, names):
        return Plan(client, file, before, restored, off_before=off)
    written = {record.entry for record in records}
    paths = [path for path, _ in server_entries(client, root.value)]

    def change() -> str:
        text = content.text
        for path in paths:
            text = client.format.without_members(
                text, path, lambda key, value: is_own(key, value, identity) or entry_hash(key, value) in written
            )
        text = restore_servers(client, text, off)
        return text if text == content.text else _without_empty(client, text, _most_made(records))

    text = _changed(client, file, change)
    after = before if text == content.text else content.encode(text)
    return Plan(client, file, before, after, off_before=off)


def apply(plan: Plan, home: Home) -> None:
    """Carry out a plan; a backup first, all or nothing.

    Raises:
        ToolnoteError: ``client-file-changed`` if the file differs from the plan's, ``client-file-unreadable``,
            ``file-not-written``. The client's file is unchanged then.
    """
    _require_unchanged(plan)
    log = install_log_of(plan.client, home)
    # Restoring skips a server that is not off. So servers to switch off are logged before the file is changed, and
    # restored ones after it.
    meanwhile = {**plan.off_before, **plan.off_after}
    try:
        if meanwhile != plan.off_before:
            log.save_switched_off(plan.file, meanwhile)
        if plan.changes:
            _write(plan, log)
        if plan.off_after != meanwhile:
            log.save_switched_off(plan.file, plan.off_after)
    except OSError as error:
        raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(plan.file), reason=config_file.reason_of(error)) from error


def _write(plan: Plan, log: InstallLog) -> None:
    backup = log.save_backup(plan.file, plan.before) if plan.before is not None else None
    if plan.name is not None and plan.entry is not None and not plan.is_inverse:
        hashes = hash_of(plan.before), hash_of(plan.after)
        written = entry_hash(plan.name, plan.entry if plan.shape is None else plan.shape)
        log.add(InstallRecord(real_path(plan.file), plan.name, written, *hashes, backup, plan.made))
    _require_unchanged(plan)  # again, as late as possible
    if plan.after is None:
        config_file.remove(plan.file)
    else:
        config_file.write_bytes(plan.file, plan.after)


def undo(plan: Plan, home: Home) -> None:
    """Restore the file of an applied plan to the byte; ``undo(plan.inverse(), home)`` redoes it.

    Raises:
        ToolnoteError: as :func:`apply`; ``client-file-changed`` if the file was changed since.
    """
    apply(plan.inverse(), home)


def install_log_of(client: KnownClient, home: Home) -> InstallLog:
    """Return the log of a client's files."""
    return InstallLog(home.backups / "clients" / client.id)


def _read(client: KnownClient, file: Path) -> tuple[bytes | None, ConfigText, Node | None]:
    try:
        data = read_bytes(file)
        content = decode(data) if data is not None else ConfigText(client.new_file)
    except UnreadableConfigError as error:
        raise _unreadable(client, file, str(error)) from error
    parsed = client.format.parse(content.text, client.servers_at)
    if parsed.error:
        raise _unreadable(client, file, f"line {parsed.error.line}: {parsed.error.reason}") from parsed.error
    return data, content, parsed.root


def _unreadable(client: KnownClient, file: Path, reason: str) -> ToolnoteError:
    return ToolnoteError(Code.CLIENT_FILE_UNREADABLE, client=client.name, file=str(file), reason=reason)


def _entry(
    client: KnownClient, file: Path, home: Home, identity: ToolnoteIdentity, options: InstallOptions
) -> JsonObject:
    if options.direct is not None:
        headers = {"Authorization": f"Bearer {options.direct.token}"}
        entry = client.url_entry(file, options.direct.url, headers)
        if entry is None:
            raise ToolnoteError(Code.CLIENT_NEEDS_BRIDGE, client=client.name)
        return entry
    if not identity.command:
        raise ValueError("an entry needs a command")
    if _TRANSLOCATED in identity.command[0]:
        raise ToolnoteError(Code.APP_TRANSLOCATED)
    return client.entry(bridge_command(client.id, identity.command, home, options.toolset))


def _most_made(records: Sequence[InstallRecord]) -> int:
    return max((record.made for record in records), default=0)


def _changed(client: KnownClient, file: Path, change: Callable[[], _Changed]) -> _Changed:
    try:
        return change()
    except FormatError as error:
        raise _unreadable(client, file, f"line {error.line}: {error.reason}") from error


def _note(code: Code, client: KnownClient, **parameters: str) -> Problem:
    return Problem(code, {"client": client.name, **parameters})


def _edited(
    members: Sequence[Member],
    own: Sequence[Member],
    records: Sequence[InstallRecord],
    wanted: JsonObject,
    keys: frozenset[str],
) -> list[Member]:
    """Return entries of Toolnote's that were edited, renamed or redirected, as far as the records tell."""
    if not records:
        return []
    names = {record.name for record in records}
    written = {record.entry for record in records}
    suspects = [member for member in members if member in own or member.key in names]
    return [member for member in suspects if not _is_as_written(member, written, wanted, keys)]


def _is_as_written(member: Member, written: set[str], wanted: JsonObject, keys: frozenset[str]) -> bool:
    value = member.node.value
    shape = _shape(value, keys) if isinstance(value, dict) else value
    return shape == wanted or not written.isdisjoint((entry_hash(member.key, value), entry_hash(member.key, shape)))


def _free_name(taken: set[str]) -> str:
    number, name = 1, ENTRY_NAME
    while name in taken:
        number += 1
        name = f"{ENTRY_NAME}-{number}"
    return name


def _missing_depth(client: KnownClient, root: Node | None) -> int:
    """Return the number of enclosing objects that do not exist yet."""
    for depth in range(len(client.servers_at)):
        if root is None or root.at(client.servers_at[: depth + 1]) is None:
            return len(client.servers_at) - depth
    return 0


def _without_empty(client: KnownClient, text: str, made: int) -> str:
    """Remove the objects that were created for the entry and are empty."""
    for depth in range(len(client.servers_at), len(client.servers_at) - made, -1):
        text = _without_empty_one(client, text, client.servers_at[:depth])
    return text


def _without_empty_one(client: KnownClient, text: str, path: Sequence[str]) -> str:
    return client.format.without_members(text, path[:-1], lambda key, value: key == path[-1] and value == {})


def _has_own(client: KnownClient, data: bytes, identity: ToolnoteIdentity, names: set[str]) -> bool:
    """Return True if an earlier state contains Toolnote, or an edited entry of it: then it is not restored."""
    try:
        value = client.format.value(decode(data).text)
    except (UnreadableConfigError, FormatError):
        return True  # then the entry is removed from the current state
    entries = [entry for _, held in server_entries(client, value) for entry in held.items()]
    return any(name in names or is_own(name, entry, identity) for name, entry in entries)


def _require_unchanged(plan: Plan) -> None:
    try:
        now = read_bytes(plan.file)
    except UnreadableConfigError as error:
        raise _unreadable(plan.client, plan.file, str(error)) from error
    if hash_of(now) != hash_of(plan.before):
        raise ToolnoteError(Code.CLIENT_FILE_CHANGED, client=plan.client.name, file=str(plan.file))
