"""Records of calls: what each session had fetched, and details that the activity log's thread works out later.

On the call path a record costs two look-ups and an object. A reply is held only where the call failed or the user has
switched on that contents are recorded, and at most its first part.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final
from weakref import WeakKeyDictionary

import orjson
from msgspec import Struct

from toolnote_desktop.log import covered
from toolnote_desktop.model.calls.error_class import MESSAGE_LIMIT, error_class
from toolnote_desktop.model.calls.outcome import OWN_CLASS, Outcome, ReadNote, read_note
from toolnote_desktop.model.calls.refused_arguments import refused_arguments
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.proxy.in_flight import Caller
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.transports.jsonrpc import RawJson, dumps_params
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import AuditedCall, Call
from toolnote_desktop.store.library import Library

_HELD: Final = 64 * 1024
"""Bytes of a reply or of arguments that are held for a record."""

_MODERN_CLIENTS: Final = 512
"""Clients without a session whose last list is remembered."""

_MOST_EXAMPLES: Final = 256
"""Tools with a call that worked after one that failed, the latest ones."""

Arguments = bytes | JsonObject | None
"""Params of a call, raw or parsed."""


class FetchedList:
    """List that a client was served, for records (``store.activity.ListDigest``)."""

    __slots__ = ("_digest", "_notes", "client", "own_change", "revision", "toolset", "view")

    def __init__(self, client: str, view: ClientView) -> None:
        self.client = client
        self.toolset = view.toolset or ""
        self.revision: int | None = None
        self.view = view
        self.own_change: FetchedList | None = None
        """List that differs from this one by notes of the client itself, which it therefore knows."""
        self._digest = ""
        self._notes: dict[ToolKey, tuple[ReadNote, ...]] = {}

    def digest(self) -> str:
        """Return a digest of the list's bytes. In the log's thread."""
        if not self._digest:
            self._digest = hashlib.sha256(self.view.listed.at_once()).hexdigest()[:16]
        return self._digest

    def known_revision(self) -> int | None:
        """Return the newest revision that the client knows: what it fetched, and its own notes since."""
        known = self
        while known.own_change is not None and known.own_change.revision is not None:
            known = known.own_change
        return known.revision

    def is_of(self, view: ClientView) -> bool:
        """Return True if it is the list of this view."""
        return self.view is view

    def notes(self, key: ToolKey) -> tuple[ReadNote, ...]:
        """Return the notes on a tool in the list. In the log's thread."""
        if key not in self._notes:
            self._notes[key] = tuple(read_note(one) for one in self.view.serving.notes_on(key) if one.note.enabled)
        return self._notes[key]


class FinishedCall(Struct, gc=False):
    """Call that has ended (``store.activity.UnfinishedRecord``)."""

    recorder: CallRecorder
    time: float
    client: str
    key: ToolKey
    seconds: float
    outcome: Outcome
    fetched: FetchedList | None
    sent: int | None
    received: int | None
    reason: str | None
    params: Arguments
    reply: Reply | None
    kept_days: int

    def kind(self) -> Hashable | None:
        """Return what calls have in common that worked, but for time, duration and sizes. In the log's thread."""
        return None if self.outcome is not Outcome.WORKED or self.kept_days else (self.client, self.key, self.fetched)

    def finished(self, newest: Callable[[str, str], int]) -> Call:
        """Return the record. In the log's thread."""
        server, tool = self.key
        fetched = self.fetched
        revision = fetched.revision if fetched is not None else None
        behind = None
        known = fetched.known_revision() if fetched is not None else None
        if fetched is not None and known is not None:
            behind = max(newest(fetched.client, fetched.toolset) - known, 0)
        error: str | None = None
        message: str | None = None
        refused: tuple[str, ...] = ()
        if self.outcome in (Outcome.FAILED, Outcome.REFUSED, Outcome.TIMED_OUT):
            error, message, refused = self._failure()
        kept = self.kept_days > 0
        return Call(
            time=self.time,
            client=self.client,
            server=server,
            tool=tool,
            seconds=self.seconds,
            error=error,
            outcome=self.outcome,
            toolset=fetched.toolset if fetched is not None else None,
            sent=self.sent,
            received=self.received,
            revision=revision,
            behind=behind,
            notes=fetched.notes(self.key) if fetched is not None else None,
            message=message,
            refused=refused,
            arguments=covered(_text(_arguments(self.params)), _HELD) if kept else None,
            result=covered(_decoded(self.reply), _HELD) if kept and self.reply is not None else None,
            kept_days=self.kept_days,
        )

    def audited(self) -> AuditedCall:
        """Return what the audit records of the call."""
        return self.client, self.key, self.outcome, (self.reason or "") if self.outcome is Outcome.REFUSED else ""

    def _failure(self) -> tuple[str, str | None, tuple[str, ...]]:
        code, message = _error_of(self.reply)
        message = covered(message, MESSAGE_LIMIT * 4)[:MESSAGE_LIMIT]
        if self.reason is not None:
            return OWN_CLASS + self.reason, message or None, ()
        schema = self.recorder.schema_of(self.key)
        names = top_level_arguments(schema) if isinstance(schema, dict) else {}
        text = error_class(message, names)
        if code is not None:
            text = f"{code} {text}".rstrip()
        refused = refused_arguments(schema, _arguments(self.params) or {})
        return text or "-", message or None, tuple(str(one) for one in refused)


class CallRecorder:
    """Recorder of calls and of fetched lists. Belongs to the proxy's loop, but for what says otherwise.

    Args:
        worked: called with each call that worked.
    """

    def __init__(
        self, library: Library, activity: ActivityLog, worked: Callable[[Principal, ToolKey], None] | None = None
    ) -> None:
        self._library = library
        self._activity = activity
        self._worked = worked
        self._of_sessions: WeakKeyDictionary[object, FetchedList] = WeakKeyDictionary()
        self._of_others: OrderedDict[object, FetchedList] = OrderedDict()
        self._found: OrderedDict[object, dict[ToolKey, FetchedList]] = OrderedDict()
        self._newest: dict[Principal, FetchedList] = {}
        self._failing: dict[object, set[ToolKey]] = {}
        self._examples: OrderedDict[ToolKey, bytes] = OrderedDict()

    def list_fetched(self, principal: Principal, view: ClientView, conversation: object) -> None:
        """Record that a client has fetched its list of tools."""
        fetched = self._list_of(principal, view)
        self._found.pop(conversation, None)
        if not isinstance(conversation, tuple):  # a tuple: of a client without a session
            self._of_sessions[conversation] = fetched
        else:
            self._of_others[conversation] = fetched
            self._of_others.move_to_end(conversation)
            if len(self._of_others) > _MODERN_CLIENTS:
                self._of_others.popitem(last=False)
        self._activity.record_list(fetched, fetched=True)

    def tools_found(self, caller: Caller, view: ClientView, keys: Iterable[ToolKey]) -> None:
        """Record that the answer to a search had these tools whole: with the notes on them, which no list has."""
        found = self._list_of(caller.principal, view)
        self._found.setdefault(caller.conversation, {}).update(dict.fromkeys(keys, found))
        self._found.move_to_end(caller.conversation)
        if len(self._found) > _MODERN_CLIENTS:
            self._found.popitem(last=False)
        self._activity.record_list(found, fetched=False)

    def fetched_view(self, session: object) -> ClientView | None:
        """Return the lists that a session has fetched; None if it has fetched none."""
        fetched = self._of_sessions.get(session)
        return fetched.view if fetched is not None else None

    def list_restored(self, principal: Principal, view: ClientView, session: object) -> None:
        """Record that a session of an earlier run has fetched this list, unless it has fetched one since."""
        if session not in self._of_sessions:
            self._of_sessions[session] = fetched = self._list_of(principal, view)
            self._activity.record_list(fetched, fetched=False)

    def list_changed(self, principal: Principal, view: ClientView, is_own: bool) -> None:
        """Record that another list is served to a connected client; ``is_own``: because of notes that it wrote."""
        before = self._newest.get(principal)
        changed = self._list_of(principal, view)
        if is_own and before is not None and before is not changed:
            before.own_change = changed
        self._activity.record_list(changed, fetched=False)

    def _list_of(self, principal: Principal, view: ClientView) -> FetchedList:
        known = self._newest.get(principal)
        if known is None or not known.is_of(view):
            known = self._newest[principal] = FetchedList(principal.client or "", view)
        return known

    def session_ended(self, session: object) -> None:
        """Forget what was held for a session."""
        self._of_sessions.pop(session, None)
        self._found.pop(session, None)
        self._failing.pop(session, None)

    def call_ended(
        self,
        caller: Caller,
        key: ToolKey,
        seconds: float,
        outcome: Outcome,
        *,
        params: Arguments = None,
        reply: Reply | None = None,
        reason: str | None = None,
    ) -> None:
        """Record the end of a call.

        Args:
            reason: code of a failure or refusal of Toolnote's own.
        """
        conversation = caller.conversation
        lists = self._of_others if isinstance(conversation, tuple) else self._of_sessions
        fetched = lists.get(conversation)
        if conversation in self._found:
            fetched = self._found[conversation].get(key, fetched)
        received = None if reply is None else len(reply.result or b"") + len(reply.error or b"")
        sent = len(params) if isinstance(params, bytes) else caller.size or None
        entry = self._library.snapshot.servers.get(key[0])
        kept_days = (entry.toolnote.record_contents or 0) if entry is not None else 0
        if sent is not None and sent > _HELD:
            params = None  # and its arguments may not be parsed (``jsonrpc.RawJson``)
        if self._failing or outcome is not Outcome.WORKED:
            self._note_example(conversation, key, outcome, params)
        if outcome is Outcome.WORKED and self._worked is not None:
            self._worked(caller.principal, key)
        if outcome is Outcome.WORKED and not kept_days:
            params = reply = None
        elif reply is not None:
            reply = Reply(_beginning(reply.result), _beginning(reply.error))
        record = FinishedCall(
            self,
            time.time(),
            caller.client or "",
            key,
            seconds,
            outcome,
            fetched,
            sent,
            received,
            reason,
            params,
            reply,
            kept_days,
        )
        self._activity.record_call(record)

    @property
    def lost_calls(self) -> int:
        """Number of calls that could not be recorded since the last that was. From any thread."""
        return self._activity.lost

    def schema_of(self, key: ToolKey) -> Any:
        """Return the input schema of a tool; None if it is unknown. From any thread."""
        known = self._library.snapshot.catalogue.tools.get(key)
        return known.tool.definition.get("inputSchema") if known is not None else None

    def worked_example(self, key: ToolKey) -> JsonObject | None:
        """Return arguments that worked right after a failure in the same session; None if there are none.

        They are held in memory only, until the session or the app ends. From any thread.
        """
        raw = self._examples.get(key)
        found = _arguments(raw) if raw is not None else None
        return found if isinstance(found, dict) else None

    def _note_example(self, conversation: object, key: ToolKey, outcome: Outcome, params: Arguments) -> None:
        failing = self._failing.get(conversation)
        if outcome in (Outcome.FAILED, Outcome.TIMED_OUT):
            if failing is None:
                if len(self._failing) >= _MODERN_CLIENTS:
                    self._failing.pop(next(iter(self._failing)))
                failing = self._failing[conversation] = set()
            failing.add(key)
        elif outcome is Outcome.WORKED and failing is not None and key in failing:
            failing.discard(key)
            if not failing:
                del self._failing[conversation]
            raw = params if isinstance(params, bytes) else dumps_params(params or {})
            if params is not None and len(raw) <= _HELD:
                self._examples[key] = raw
                self._examples.move_to_end(key)
                if len(self._examples) > _MOST_EXAMPLES:
                    self._examples.popitem(last=False)


def _beginning(text: bytes | None) -> bytes | None:
    return text if text is None or len(text) <= _HELD else text[:_HELD]


def _arguments(params: Arguments) -> Any:
    """Return the arguments in params; None if they cannot be read."""
    try:
        read = orjson.loads(params) if isinstance(params, bytes) else params
    except orjson.JSONDecodeError:
        return None
    arguments = read.get("arguments") if isinstance(read, dict) else None
    return None if isinstance(arguments, RawJson) else arguments


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _decoded(reply: Reply | None) -> str:
    if reply is None:
        return ""
    return (reply.error or reply.result or b"").decode("utf-8", "replace")


def _error_of(reply: Reply | None) -> tuple[int | None, str]:
    """Return the code (of a JSON-RPC error) and the message of a failed call."""
    if reply is None:
        return None, ""
    try:
        read = orjson.loads(reply.error or reply.result or b"{}")
    except orjson.JSONDecodeError:  # only the beginning is held
        return None, _decoded(reply)[: MESSAGE_LIMIT * 4]
    if not isinstance(read, dict):
        return None, ""
    if reply.error is not None:
        code = read.get("code")
        return code if isinstance(code, int) else None, str(read.get("message") or "")
    texts = []
    content = read.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            texts.append(part["text"])
    return None, "\n".join(texts) or _text(read.get("structuredContent") or "")
