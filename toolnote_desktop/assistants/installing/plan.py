"""Puts Toolnote into a client's own configuration file and takes it out again.

First a :class:`Plan`, which writes nothing and can be shown; then :func:`apply`, which writes exactly that or refuses.
``undo`` takes a plan back to the byte. All errors are ``ToolnoteError``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

from msgspec import field
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
from toolnote_desktop.assistants.installing.switch_servers import SavedServers, switched_off, switched_on
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.assistants.toolnote_entry import ENTRY_NAME, ToolnoteIdentity, is_own
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.secrets.secret_repr import SecretStruct
from toolnote_desktop.paths import Home, platform_config_folder

_Changed = TypeVar("_Changed")


_TRANSLOCATED = "/AppTranslocation/"
"""macOS runs a quarantined app from a folder with this in its path, another one at each start."""


class Plan(SecretStruct, frozen=True):
    """What would be written into a client's file.

    Attributes:
        before: the file's bytes now; None: there is no file.
        after: its bytes then; None: the file goes, because Toolnote made it.
        name: the key of the entry that this plan writes; None for one that only takes out.
        entry: what it writes there.
        made: how many of the objects around the entry it makes.
        notes: what to tell a person about it.
        off_before: the client's own servers that are switched off for us now, and what they were.
        off_after: those then.
        is_inverse: whether this is the way back of another plan.
    """

    secret_fields: ClassVar = frozenset({"before", "after", "entry", "off_before", "off_after"})

    client: KnownClient
    file: Path
    before: bytes | None
    after: bytes | None
    name: str | None = None
    entry: JsonObject | None = None
    made: int = 0
    notes: tuple[Problem, ...] = ()
    off_before: SavedServers = field(default_factory=dict)
    off_after: SavedServers = field(default_factory=dict)
    is_inverse: bool = False

    @property
    def changes(self) -> bool:
        """Whether anything would be written."""
        return self.before != self.after

    def inverse(self) -> Plan:
        """The way back, to the byte."""
        back = replace(self, before=self.after, after=self.before, notes=(), is_inverse=not self.is_inverse)
        return replace(back, off_before=self.off_after, off_after=self.off_before)

    def diff(self) -> str:
        """A unified difference to show; values that may be secret are covered. Empty when nothing changes.

        A file in one endless line is shown as if it were laid out, since nobody could read it else.
        """
        old, new = (decode(data).text if data is not None else "" for data in (self.before, self.after))
        was, becomes = (str(self.file) if data is not None else "(no file)" for data in (self.before, self.after))
        return difference(old, new, self.client.format, was, becomes)


def bridge_command(client: str, command: Sequence[str], home: Home, toolset: str | None = None) -> list[str]:
    """The command line that a client starts (docs/contract.md 4): ``--home`` only where it is not the usual folder.

    A client starts it without our environment, so a home that came from ``TOOLNOTE_HOME`` is named too.
    """
    words = [*command, "bridge", "--client", client]
    if str(home.root) != platform_config_folder():
        words += ["--home", str(home.root)]
    return [*words, "--toolset", toolset] if toolset else words


def plan_install(
    client: KnownClient,
    file: Path,
    home: Home,
    identity: ToolnoteIdentity,
    *,
    toolset: str | None = None,
    direct: DirectAccess | None = None,
    switch_off: Collection[str] = (),
    switch_on: Collection[str] = (),
    replace_edited: bool = False,
) -> Plan:
    """Toolnote as exactly one entry of ``file``; earlier entries of ours make room (case C50).

    An entry that somebody changed since we wrote it is left alone, with a note, unless ``replace_edited`` (case C49).

    Args:
        identity: ``command`` is what the entry runs.
        toolset: only for an entry that is to have another toolset than its client.
        direct: an address and a token instead of the bridge. Submit ``client_entries.install_edits`` too.
        switch_off: names of servers in the file that are to be off as long as Toolnote is in it; see
            ``switching.duplicate_servers``.
        switch_on: names of those that are off for us and are to be as they were.

    Raises:
        ToolnoteError: ``client-file-unreadable`` when the file cannot be read or understood, ``client-needs-bridge``.
    """
    before, content, root = _read(client, file)
    node = root.at(client.servers_at) if root else None
    members = node.members if node else ()
    records = install_log_of(client, home)
    entry = _entry(client, home, identity, toolset, direct)
    own = [member for member in members if is_own(member.key, member.node.value, identity)]
    wanted = client.named(entry, own[0].key if own else ENTRY_NAME)
    written = records.read(file)
    edited = _edited(members, own, written, wanted)
    is_there = len(own) == 1 and own[0].node.value == wanted  # whatever somebody called it
    if is_there:
        ours, name = own, own[0].key
    elif edited and not replace_edited:
        note = Problem(Code.CLIENT_ENTRY_EDITED, {"client": client.name, "file": str(file)})
        return Plan(client, file, before, before, notes=(note,))
    else:
        ours = [*own, *(member for member in edited if member not in own)]
        name = _free_name({member.key for member in members if member not in ours})
        wanted = client.named(entry, name)
    notes = [_note(Code.CLIENT_ENTRY_REPLACED, client, entry=member.key) for member in own if member.key != name]
    if name != ENTRY_NAME and not is_there:
        notes.append(_note(Code.CLIENT_ENTRY_RENAMED, client, entry=name, taken=ENTRY_NAME))

    was_off = records.switched_off(file)
    given_back = {server: was for server, was in was_off.items() if server in switch_on}

    def change() -> tuple[str, SavedServers]:
        text = content.text
        if [member.key for member in ours] != [name]:
            taken_out = {entry_hash(member.key, member.node.value) for member in ours}
            text = client.format.without_members(
                text, client.servers_at, lambda key, value: entry_hash(key, value) in taken_out
            )
        if [(member.key, member.node.value) for member in ours] != [(name, wanted)]:
            text = client.format.with_member(text, [*client.servers_at, name], wanted)
        text = switched_on(client, text, given_back)
        return switched_off(client, text, [one for one in switch_off if one != name])

    text, off = _changed(client, file, change)
    notes += [_note(Code.CLIENT_SERVER_OFF, client, server=server) for server in off]
    after = before if text == content.text else content.encoded(text)
    plan = Plan(client, file, before, after, name, wanted, _missing_depth(client, root), tuple(notes))
    still_off = {server: was for server, was in was_off.items() if server not in given_back}
    return replace(plan, off_before=was_off, off_after={**still_off, **off})


def plan_uninstall(client: KnownClient, file: Path, home: Home, identity: ToolnoteIdentity) -> Plan:
    """Toolnote out of ``file``: the very bytes from before where nothing else changed since, else only our entries out
    and the client's own servers on again that were switched off for us.

    Raises:
        ToolnoteError: ``client-file-unreadable`` when the file cannot be read or understood.
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
        text = switched_on(client, text, off)
        return text if text == content.text else _without_empty(client, text, _most_made(records))

    text = _changed(client, file, change)
    after = before if text == content.text else content.encoded(text)
    return Plan(client, file, before, after, off_before=off)


def apply(plan: Plan, home: Home) -> None:
    """Writes what the plan says; a backup first, all or nothing.

    Raises:
        ToolnoteError: ``client-file-changed`` when the file is not as the plan saw it, ``client-file-unreadable``,
            ``file-not-written``. The client's file is then as it was.
    """
    _demand_unchanged(plan)
    records = install_log_of(plan.client, home)
    # What is not off after all is passed over when it is to go on: so what goes off is written down before the file is
    # changed, what goes on after it.
    meanwhile = {**plan.off_before, **plan.off_after}
    try:
        if meanwhile != plan.off_before:
            records.put_switched_off(plan.file, meanwhile)
        if plan.changes:
            _write(plan, records)
        if plan.off_after != meanwhile:
            records.put_switched_off(plan.file, plan.off_after)
    except OSError as error:
        raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(plan.file), reason=config_file.reason_of(error)) from error


def _write(plan: Plan, records: InstallLog) -> None:
    backup = records.keep(plan.file, plan.before) if plan.before is not None else None
    if plan.name is not None and plan.entry is not None and not plan.is_inverse:
        hashes = hash_of(plan.before), hash_of(plan.after)
        written = entry_hash(plan.name, plan.entry)
        records.add(InstallRecord(real_path(plan.file), plan.name, written, *hashes, backup, plan.made))
    _demand_unchanged(plan)  # once more, as late as possible
    if plan.after is None:
        config_file.remove(plan.file)
    else:
        config_file.write_bytes(plan.file, plan.after)


def undo(plan: Plan, home: Home) -> None:
    """Takes an applied plan back to the byte; ``undo(plan.inverse(), home)`` does it again.

    Raises:
        ToolnoteError: as :func:`apply`; ``client-file-changed`` when somebody else changed the file since.
    """
    apply(plan.inverse(), home)


def install_log_of(client: KnownClient, home: Home) -> InstallLog:
    """Where the backups of a client's files and the records of our changes are."""
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
    client: KnownClient, home: Home, identity: ToolnoteIdentity, toolset: str | None, direct: DirectAccess | None
) -> JsonObject:
    if direct is not None:
        if client.by_url is None:
            raise ToolnoteError(Code.CLIENT_NEEDS_BRIDGE, client=client.name)
        return client.by_url(direct.url, {"Authorization": f"Bearer {direct.token}"})
    if not identity.command:
        raise ValueError("an entry needs a command")
    if _TRANSLOCATED in identity.command[0]:
        raise ToolnoteError(Code.APP_TRANSLOCATED)
    return client.entry(bridge_command(client.id, identity.command, home, toolset))


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
    members: Sequence[Member], own: Sequence[Member], records: Sequence[InstallRecord], wanted: JsonObject
) -> list[Member]:
    """Entries that were ours and that somebody changed, renamed or pointed elsewhere, as far as the records tell."""
    if not records:
        return []
    names = {record.name for record in records}
    written = {record.entry for record in records}
    suspects = [member for member in members if member in own or member.key in names]
    return [
        member
        for member in suspects
        if entry_hash(member.key, member.node.value) not in written and member.node.value != wanted
    ]


def _free_name(taken: set[str]) -> str:
    number, name = 1, ENTRY_NAME
    while name in taken:
        number += 1
        name = f"{ENTRY_NAME}-{number}"
    return name


def _missing_depth(client: KnownClient, root: Node | None) -> int:
    """How many of the objects around the entry are not there yet."""
    for depth in range(len(client.servers_at)):
        if root is None or root.at(client.servers_at[: depth + 1]) is None:
            return len(client.servers_at) - depth
    return 0


def _without_empty(client: KnownClient, text: str, made: int) -> str:
    """Without the objects that we made for our entry, where nothing came to stand in them."""
    for depth in range(len(client.servers_at), len(client.servers_at) - made, -1):
        text = _without_empty_one(client, text, client.servers_at[:depth])
    return text


def _without_empty_one(client: KnownClient, text: str, path: Sequence[str]) -> str:
    return client.format.without_members(text, path[:-1], lambda key, value: key == path[-1] and value == {})


def _has_own(client: KnownClient, data: bytes, identity: ToolnoteIdentity, names: set[str]) -> bool:
    """Whether an earlier state has us in it too, or an edited entry of ours: then it is not the one to restore."""
    try:
        value = client.format.value(decode(data).text)
    except (UnreadableConfigError, FormatError):
        return True  # then the entry is taken out of what is there now
    entries = [entry for _, held in server_entries(client, value) for entry in held.items()]
    return any(name in names or is_own(name, entry, identity) for name, entry in entries)


def _demand_unchanged(plan: Plan) -> None:
    try:
        now = read_bytes(plan.file)
    except UnreadableConfigError as error:
        raise _unreadable(plan.client, plan.file, str(error)) from error
    if hash_of(now) != hash_of(plan.before):
        raise ToolnoteError(Code.CLIENT_FILE_CHANGED, client=plan.client.name, file=str(plan.file))
