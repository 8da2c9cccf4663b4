"""Audit entries: who decided and changed what, without contents (docs/contract.md 2, ``store/audit.py``)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.model.calls.outcome import Outcome, note_digest
from toolnote_desktop.model.document import Document
from toolnote_desktop.model.edits import CATALOG, CLIENTS, SERVERS, SETTINGS, TOOLS
from toolnote_desktop.model.hidden_characters import normalized
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.servers import ReviewDecision, Server
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool, ReviewState, ServerListing
from toolnote_desktop.model.toolsets.notes import ASSISTANT, USER, Note, ToolReference
from toolnote_desktop.model.toolsets.toolset import Toolset

FIRST_HASH: Final = "0" * 64
"""Hash before the first entry."""

PRODUCT: Final = "toolnote"
"""Actor of entries about the audit itself."""

FILE: Final = "file"
"""Actor of changes that another program made in a document."""

REGISTRY: Final = "registry"
"""Origin of changes of what servers list."""

_RESERVED: Final = frozenset({ASSISTANT, PRODUCT, USER, FILE, REGISTRY})

ALL_CLIENTS: Final = "*"
"""Subject of an assignment to all clients without a toolset of their own."""


class AuditKind(StrEnum):
    """Kinds of entries: the words of ``toolnote audit --kind``."""

    CALL = "call"
    APPROVAL = "approval"
    NOTE = "note"
    REVIEW = "review"
    TOOL = "tool"
    TOOLSET = "toolset"
    ASSIGNMENT = "assignment"
    SERVER = "server"
    CLIENT = "client"
    SETTING = "setting"
    PUBLICATION = "publication"
    AUDIT = "audit"


class AuditEntry(Struct, frozen=True):
    """Entry of the audit.

    Attributes:
        actor: ``user``, ``file`` (another program that changed a document), ``toolnote``, a server's id for a changed
            definition, or the client.
        action: what was done, a past participle: ``added``, ``allowed``.
        subject: what it was done to: a tool by its namespacedName, a toolset, a client, a server.
        detail: particulars by name. Of texts there is a digest only.
        count: equal entries of one moment that this one is for.
        time: milliseconds since the epoch. ``id`` and ``time`` are 0 until it is written.
    """

    actor: str
    kind: AuditKind
    action: str
    subject: str
    detail: Mapping[str, str] = field(default_factory=dict)
    count: int = 1
    time: int = 0
    id: int = 0

    def hash_after(self, previous: str) -> str:
        """Return the entry's hash in the chain: SHA-256 over the hash before it and its values as JSON."""
        values = [self.id, self.time, self.actor, self.kind, self.action, self.subject, self.detail_text, self.count]
        text = previous + json.dumps(values, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()

    @property
    def detail_text(self) -> str:
        """``detail`` as it is stored: JSON with sorted keys."""
        return json.dumps(dict(self.detail), sort_keys=True, separators=(",", ":"))


@lru_cache(1_024)
def signature(client: str) -> str:
    """Return what a client's deeds, notes and edits are signed with, "" being the run's own token: its id. One named
    like the user or like Toolnote gets a prefix.
    """
    seen = "".join(sign for sign in normalized("NFKC", client).casefold() if sign.isalnum())
    return f"client {client}" if seen in _RESERVED else client or ASSISTANT


def call_entry(client: str, key: ToolKey, outcome: Outcome, reason: str, count: int) -> AuditEntry:
    """Return the entry of equal calls: who called which tool, how they ended, and why they were refused."""
    detail = {"reason": reason} if reason else {}
    return AuditEntry(signature(client), AuditKind.CALL, outcome.word, f"{key[0]}.{key[1]}", detail, count)


def changes_between(before: Snapshot, after: Snapshot, actor: str) -> Iterator[AuditEntry]:
    """Yield an entry for each difference of two states that the audit records."""
    for kind, action, subject, detail in _changes(before, after):
        yield AuditEntry(actor, kind, action, subject, detail)


def definitions_changed(before: Catalogue, after: Catalogue) -> Iterator[AuditEntry]:
    """Yield an entry for each definition or text that a server changed, or whose change counts as accepted."""
    for server, listing in after.servers.items():
        earlier = before.servers.get(server)
        if earlier is None or listing is earlier:
            continue
        yield from _changed_instructions(server, earlier, listing)
        yield from _changed_definitions(server, earlier.tools, listing.tools)
        for entry in _changed_definitions(server, earlier.prompts, listing.prompts):
            yield replace(entry, detail={"what": "prompt", **entry.detail})


def _changed_definitions(
    server: str, before: tuple[KnownTool, ...], after: tuple[KnownTool, ...]
) -> Iterator[AuditEntry]:
    if before is after:
        return
    known = {one.tool.name: one for one in before}
    for one in after:
        was = known.get(one.tool.name)
        newest = one.newest.fingerprint
        if was is None or was.newest.fingerprint == newest:
            continue
        name, detail = one.tool.namespaced_name, {"fingerprint": newest[:12]}
        if newest != one.accepted.fingerprint:
            served = "old" if one.review in (ReviewState.HELD, ReviewState.KEPT) else "new"
            yield AuditEntry(server, AuditKind.REVIEW, "changed", name, {**detail, "served": served})
        elif was.newest.fingerprint != was.accepted.fingerprint:
            yield AuditEntry(server, AuditKind.REVIEW, "changed-back", name, detail)


def _changed_instructions(server: str, before: ServerListing, after: ServerListing) -> Iterator[AuditEntry]:
    now = after.instructions or ""
    if after.accepted_instructions is not None and now != (before.instructions or ""):
        yield AuditEntry(server, AuditKind.REVIEW, "changed", server, {"instructions": _digest(now)})


_Change = tuple[AuditKind, str, str, dict[str, str]]
_One = TypeVar("_One")


_OF_RULES: Final = {
    TOOLS: AuditKind.TOOL,
    CLIENTS: AuditKind.CLIENT,
    SERVERS: AuditKind.SERVER,
    SETTINGS: AuditKind.SETTING,
    CATALOG: AuditKind.REVIEW,
}


def _changes(before: Snapshot, after: Snapshot) -> Iterator[_Change]:
    for document in {*before.lost_rules} ^ {*after.lost_rules}:
        kind = _OF_RULES[document]
        yield kind, "rules-lost" if document in after.lost_rules else "lost-rules-dropped", str(document), {}
    if before.notes is not after.notes:
        yield from _changed_notes("global", ALL_CLIENTS, before.notes.everything, after.notes.everything)
        for scope, old, new in (
            ("server", before.notes.servers, after.notes.servers),
            ("tool", before.notes.tools, after.notes.tools),
        ):
            for name in dict.fromkeys((*old, *new)):
                yield from _changed_notes(scope, name, old.get(name, ()), new.get(name, ()))
    if before.tool_settings is not after.tool_settings:
        yield from _changed_tools(before, after)
    for name in sorted({*before.toolsets, *after.toolsets}):
        yield from _changed_toolset(name, before.toolsets.get(name), after.toolsets.get(name))
    if before.servers is not after.servers:
        yield from _changed_documents(AuditKind.SERVER, before.servers, after.servers, "disabled", _SERVER_STATES)
        for name, server in after.servers.items():
            if (was := before.servers.get(name)) is not None and was is not server:
                yield from _changed_options(name, was, server)
    if before.clients is not after.clients:
        yield from _changed_clients(before, after)
    if before.settings is not after.settings:
        if before.settings.equipped_toolset != after.settings.equipped_toolset:
            yield _assignment(ALL_CLIENTS, after.settings.equipped_toolset, "")
        for name in _changed_fields(before.settings, after.settings, {"equippedToolset", "extra"}):
            yield AuditKind.SETTING, "changed", name, {}


def _changed_notes(
    scope: str, target: str, before: Iterable[Note], after: Iterable[Note], toolset: str = ""
) -> Iterator[_Change]:
    if before is after:
        return
    old, new = (dict(_numbered((one.name, one) for one in notes)) for notes in (before, after))
    for key in dict.fromkeys((*old, *new)):
        was, now, name = old.get(key), new.get(key), key[0]
        if was == now:
            continue
        detail = {"note": name, "scope": scope} | ({"toolset": toolset} if toolset else {})
        if now is not None:
            detail["digest"] = note_digest(now)
        if was is None or now is None:
            action = "added" if was is None else "removed"
        elif was.note == now.note and was.enabled != now.enabled:
            action = "turned-on" if now.enabled else "turned-off"
        elif was.note == now.note and now.kept and not was.kept:
            action = "kept"
        else:
            action = "changed"
        yield AuditKind.NOTE, action, target, detail


def _numbered(named: Iterable[tuple[str, _One]]) -> Iterator[tuple[tuple[str, int], _One]]:
    """Yield values by name and number: of two with one name, which a document may have, each counts."""
    numbers: Counter[str] = Counter()
    for name, one in named:
        yield (name, numbers[name]), one
        numbers[name] += 1


def _changed_tools(before: Snapshot, after: Snapshot) -> Iterator[_Change]:
    old, new = before.tool_settings.by_name, after.tool_settings.by_name
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name), new.get(name)
        if was is now:
            continue
        yield from _decisions(name, was.review if was else None, now.review if now else None, "fingerprint")
        yield from _changed_settings(name, was, now, {"review"})
    old, new = before.tool_settings.prompts, after.tool_settings.prompts
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name), new.get(name)
        if was != now:
            of_prompt = [
                *_decisions(name, was.review if was else None, now.review if now else None, "fingerprint"),
                *_changed_settings(name, was, now, {"review"}),
            ]
            yield from (
                (kind, action, subject, {"what": "prompt", **more}) for kind, action, subject, more in of_prompt
            )


def _changed_options(server: str, before: Server, after: Server) -> Iterator[_Change]:
    was, now = before.toolnote, after.toolnote
    yield from _decisions(server, was.instructions_review, now.instructions_review, "instructions")
    fields = _changed_fields(was, now, {"instructionsReview"})
    if fields:
        said = [f"{name}={now.changes}" if name == "changes" else name for name in fields]
        yield AuditKind.SERVER, "set", server, {"fields": ", ".join(said)}


def _decisions(
    subject: str, before: ReviewDecision | None, after: ReviewDecision | None, what: str
) -> Iterator[_Change]:
    if before == after:
        return
    if after is None:
        yield AuditKind.REVIEW, "reopened", subject, {}
    else:
        action = "accepted" if after.decision == "accept" else "kept"
        yield AuditKind.REVIEW, action, subject, {what: after.fingerprint[:12]}


_SHOWN: Final = {"approval", "alias", "optionality"}
"""Fields whose values are said; of the others there is the name only."""


def _changed_settings(
    tool: str, before: Document | None, after: Document | None, apart: set[str], toolset: str = ""
) -> Iterator[_Change]:
    place = {"toolset": toolset} if toolset else {}
    was, now = getattr(before, "enabled", True), getattr(after, "enabled", True)
    if was != now:
        yield AuditKind.TOOL, "turned-on" if now else "turned-off", tool, place
    fields = _changed_fields(before, after, {"enabled", *apart})
    if fields:
        said = [f"{name}={getattr(after, name, None) or 'unset'}" if name in _SHOWN else name for name in fields]
        yield AuditKind.TOOL, "set", tool, {**place, "fields": ", ".join(said)}


def _changed_toolset(name: str, before: Toolset | None, after: Toolset | None) -> Iterator[_Change]:
    if before is after:
        return
    if before is None or after is None:
        held = after or before
        assert held is not None
        counts = {"tools": str(len(held.tools)), "notes": str(sum(len(one.notes) for one in held.notes))}
        yield AuditKind.TOOLSET, "deleted" if after is None else "made", name, counts
        return
    if before.tools is not after.tools:
        old, new = (dict(_numbered((_label(one), one) for one in toolset.tools)) for toolset in (before, after))
        for key in dict.fromkeys((*old, *new)):
            tool = key[0]
            if key not in old or key not in new:
                yield AuditKind.TOOLSET, "tool-added" if key in new else "tool-removed", name, {"tool": tool}
            elif old[key] is not new[key]:
                apart = {"namespacedName", "refId", "server"}
                yield from _changed_settings(tool, old[key], new[key], apart, name)
    if before.notes is not after.notes:
        groups: dict[str, tuple[list[Note], list[Note]]] = {}
        for place, toolset in enumerate((before, after)):
            for group in toolset.notes:
                groups.setdefault(_label(group.reference), ([], []))[place].extend(group.notes)
        for tool, (were, are) in groups.items():
            yield from _changed_notes("toolset", tool, were, are, name)
    if _own_words(before) != _own_words(after):
        yield AuditKind.TOOLSET, "changed", name, {}


def _own_words(toolset: Toolset) -> tuple[Any, ...]:
    return toolset.title, toolset.description, toolset.guidelines, toolset.task_types


def _label(reference: ToolReference) -> str:
    return reference.namespaced_name or reference.ref_id or "?"


_SERVER_STATES: Final = {True: "turned-off", False: "turned-on"}


def _changed_documents(
    kind: AuditKind, before: Mapping[str, Any], after: Mapping[str, Any], state: str, words: Mapping[bool, str]
) -> Iterator[_Change]:
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if was is now:
            continue
        if was is None or now is None:
            yield kind, "added" if was is None else "removed", name, {}
            continue
        if state and getattr(was, state) != getattr(now, state):
            yield kind, words[getattr(now, state)], name, {}
        fields = _changed_fields(was, now, {state, "toolset", "toolsetChosenBy", "toolnote"})
        if fields:
            yield kind, "changed", name, {"fields": ", ".join(fields)}


def _changed_clients(before: Snapshot, after: Snapshot) -> Iterator[_Change]:
    yield from _changed_documents(AuditKind.CLIENT, before.clients, after.clients, "", {})
    for name, client in after.clients.items():
        was = before.clients.get(name)
        old = (was.toolset, was.toolset_chosen_by) if was is not None else (None, None)
        if (client.toolset, client.toolset_chosen_by) != old:
            yield _assignment(name, client.toolset, client.toolset_chosen_by or USER)


def _assignment(client: str, toolset: str | None, by: str) -> _Change:
    detail = {"toolset": toolset or ""} | ({"by": by} if by else {})
    return AuditKind.ASSIGNMENT, "assigned" if toolset else "unassigned", client, detail


def _changed_fields(before: Document | None, after: Document | None, apart: set[str]) -> list[str]:
    """Return the keys, as in the file, whose values differ; None counts as an entry of defaults."""
    one = after or before
    if one is None:
        return []
    first, second = before or type(one)(), after or type(one)()
    names = zip(one.__struct_encode_fields__, one.__struct_fields__, strict=True)
    return [key for key, name in names if key not in apart and getattr(first, name) != getattr(second, name)]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
