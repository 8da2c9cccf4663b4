"""Approval of calls by the user: *Ask me first* (docs/contract.md 5).

A call of such a tool waits until the user decides: in the window, or through the client itself where there is no
window. Without an answer it is refused. Used on the proxy's loop only.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.audit import PRODUCT, AuditEntry, AuditKind
from toolnote_desktop.model.hidden_characters import escape_controls, escaped_in_json
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey, namespaced_name
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.secrets.secret_detection import masked_json
from toolnote_desktop.model.tools.catalogue import IN_REVIEW, KnownTool
from toolnote_desktop.model.tools.hints import (
    IDEMPOTENT,
    OPEN_WORLD,
    CallEffect,
    call_effect,
    is_allowed_for_sessions,
    stated_hints,
)
from toolnote_desktop.model.tools.review import is_another_meaning
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.notes import ASSISTANT, USER
from toolnote_desktop.model.toolsets.toolset import ToolEntry
from toolnote_desktop.proxy.events import (
    AllowedForSession,
    ApprovalClosed,
    ApprovalQuestion,
    Decision,
    SessionsAllowed,
)
from toolnote_desktop.proxy.in_flight import Caller, missing_capability
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing import era_bridge
from toolnote_desktop.proxy.transports.base import Reply

WAIT_SECONDS: Final = 45.0
"""Seconds that the user has for a decision; clients give up after 60 (TypeScript SDK, DEFAULT_REQUEST_TIMEOUT_MSEC)."""

_MARGIN_SECONDS: Final = 5.0
"""Seconds by which a decision comes before the client gives up, where that is known to be earlier."""

_SHORTEST_SECONDS: Final = 5.0
_SAME_LIMIT_SECONDS: Final = 1.0
"""Difference of two waits after which a client gave up, at most, for them to show its limit."""

PROGRESS_SECONDS: Final = 5.0
"""Interval of the progress notifications meanwhile, for a client that asked for them."""

MAX_WAITING: Final = 128
MAX_WAITING_PER_CLIENT: Final = 16
"""Limits of the calls that wait for a decision; the next is refused at once."""

_RESUMED_SECONDS: Final = 600.0
"""Seconds for which a client may resume a call that was allowed (2026-07-28, ``requestState``)."""

_REMEMBERED: Final = 1024
_LONGEST_SHOWN: Final = 2_000
"""Characters of the arguments in a question that a client shows."""

_LONGEST_TITLE: Final = 200
"""Characters of the tool's title in it: the rest of the question must stay in sight."""
_QUOTES: Final = dict.fromkeys(map(ord, "“”„‟«»＂"), '"')
"""Quotation marks in the title, which is put between a pair of others: what it says is not the question's."""

_STATE: Final = "toolnote-approval:"
_METHOD: Final = "elicitation/create"


class Refusal(StrEnum):
    """Reasons for which a call is not allowed; also the ``error_type`` that the assistant gets."""

    DENIED = "approval_denied"
    TIMED_OUT = "approval_timed_out"
    UNAVAILABLE = "approval_unavailable"  # neither a window nor a client that can ask
    TOO_MANY = "approval_too_many"


_APPROVAL_ERRORS: Final = {
    Refusal.DENIED: "The user didn't allow this call.",
    Refusal.TIMED_OUT: "The user did not answer in time, so the call was not run.",
    Refusal.UNAVAILABLE: "This tool runs only after the user allows the call, and the user cannot be asked: Toolnote "
    "has no window here, and this client cannot show a question.",
    Refusal.TOO_MANY: "Too many calls wait for the user already, so this one was not run.",
}
_APPROVAL_INSTRUCTIONS: Final = {
    Refusal.DENIED: "Do not call it again with these arguments, and do not look for another way to do the same. Ask "
    "the user how to go on.",
    Refusal.UNAVAILABLE: "Tell the user to open the Toolnote app, or to turn off Ask me first for this tool there.",
}


def approval_refused(refusal: Refusal) -> Result[Any]:
    """Return the failed result for a call that the user has not allowed."""
    instruction = _APPROVAL_INSTRUCTIONS.get(refusal, "Tell the user that this call waits for approval in Toolnote.")
    return Result.failure(_APPROVAL_ERRORS[refusal], str(refusal), instruction=instruction)


class _Allowed(Struct):
    """What the user allowed a session.

    Attributes:
        client: its id.
        entry: what was set for the tool.
        last_use: time of the last call, by the clock of ``Approvals``.
    """

    client: str
    entry: ToolEntry
    last_use: float


class Approvals:
    """Questions that wait for the user, and what the user has allowed for a while.

    Args:
        show: sends a question, its end, and what is allowed for sessions to the window; None without a window.
        record: records a decision (``store/audit.py``).
        clock: seconds, monotonic.
    """

    def __init__(
        self,
        show: Callable[[ApprovalQuestion | ApprovalClosed | SessionsAllowed], None] | None,
        record: Callable[[AuditEntry], None] = lambda _: None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._show = show
        self._record = record
        self._clock = clock
        self._numbers = itertools.count(1)
        self._waiting: dict[int, tuple[Principal, asyncio.Future[Decision]]] = {}
        self._sessions: OrderedDict[tuple[object, ToolKey, str], _Allowed] = OrderedDict()
        """By conversation, tool and fingerprint of its newest definition: what a changed tool does was not allowed."""
        self._states: dict[Principal, OrderedDict[str, tuple[object, bytes, float]]] = {}
        """Of each client, so that one with many questions does not close another's."""
        self._allowed: OrderedDict[tuple[object, bytes, str], float] = OrderedDict()
        self._gave_up: OrderedDict[Principal, tuple[float, bool]] = OrderedDict()
        """Seconds after which a client gave up a wait, and whether it did so after as many before."""

    def answer(self, question: int, decision: Decision) -> None:
        """Answer a question; ignored if it is closed already."""
        waiting = self._waiting.get(question)
        if waiting is not None and not waiting[1].done():
            waiting[1].set_result(decision)

    def session_ended(self, conversation: object) -> None:
        """Forget what the user allowed for a session."""
        self._forget([one for one in self._sessions if one[0] == conversation])

    def end_idle(self, seconds: float) -> None:
        """Forget what was allowed for clients without sessions (2026-07-28) that have not called it for so long."""
        horizon = self._clock() - seconds
        idle = [one for one, of in self._sessions.items() if isinstance(one[0], tuple) and of.last_use < horizon]
        self._forget(idle)

    def take_back(self, client: str, key: ToolKey) -> None:
        """Ask again about the calls of a tool that the user has allowed for the sessions of a client."""
        known = [one for one, of in self._sessions.items() if (of.client, one[1]) == (client, key)]
        if known:
            name = namespaced_name(*key)
            self._record(AuditEntry(USER, AuditKind.APPROVAL, "taken-back", name, {"client": client or ASSISTANT}))
        self._forget(known)

    def _forget(self, sessions: list[tuple[object, ToolKey, str]]) -> None:
        for known in sessions:
            del self._sessions[known]
        if sessions:
            self._show_sessions()

    def _show_sessions(self) -> None:
        if self._show is not None:
            found = dict.fromkeys(AllowedForSession(of.client, one[1]) for one, of in self._sessions.items())
            self._show(SessionsAllowed(tuple(found)))

    async def check(
        self,
        known: KnownTool,
        entry: ToolEntry,
        params: JsonObject,
        caller: Caller,
        *,
        toolset: str | None,
        limit: float | None = None,
    ) -> Refusal | Reply | JsonObject:
        """Return the params to send once the call is allowed, the reason of its refusal, or a reply that asks.

        Args:
            params: of ``tools/call``, with the arguments that will be sent.
            toolset: name of the toolset that ``entry`` is of.
            limit: seconds after which the client is known to give up a call.
        """
        arguments = params.get("arguments") or {}
        tool, session = known.tool, (caller.conversation, known.tool.key, known.newest.fingerprint)
        call = (caller.conversation, _digest(known, arguments))
        for_session = is_allowed_for_sessions(known.annotations, entry.hints)
        if for_session and self._is_allowed(session, entry):
            return params
        is_allowed = any(json_text.is_identical_json(dict(one), arguments) for one in entry.allowed_calls)
        if is_allowed and not _does_more(known):
            return params
        state = params.get("requestState")
        if isinstance(state, str) and state.startswith(_STATE):
            return self._resumed(tool, entry, state, params, call, caller, session if for_session else None)
        if isinstance(state, str) and self._allowed.pop((*call, state), 0) > self._clock():  # once
            return params
        number, client = next(self._numbers), caller.client or ""
        seconds = self._seconds(caller.principal, limit)
        question = ApprovalQuestion(number, client, tool.key, arguments, seconds, for_session, toolset)
        began = self._clock()
        try:
            decision = await self._decide(known, _effect(known, entry), question, params, caller)
        except asyncio.CancelledError:
            self._client_gave_up(caller.principal, self._clock() - began)
            self._note(caller.principal.author, "cancelled", tool, caller)
            raise
        if isinstance(decision, Refusal):
            self._note_refusal(decision, tool, caller)
        if not isinstance(decision, Decision):
            return decision
        return self._apply(decision, tool, entry, caller, session if for_session else None) or params

    def _is_allowed(self, session: tuple[object, ToolKey, str], entry: ToolEntry) -> bool:
        """Return True if the user allowed this tool for the session, with what is set for it now."""
        allowed = self._sessions.get(session)
        if allowed is None:
            return False
        if allowed.entry != entry:
            self._forget([session])
            return False
        allowed.last_use = self._clock()
        return True

    def _note(self, actor: str, action: str, tool: Tool, caller: Caller, **detail: str) -> None:
        detail["client"] = caller.principal.author
        self._record(AuditEntry(actor, AuditKind.APPROVAL, action, tool.namespaced_name, detail))

    def _note_refusal(self, refusal: Refusal, tool: Tool, caller: Caller) -> None:
        self._note(PRODUCT, str(refusal).removeprefix("approval_").replace("_", "-"), tool, caller)

    def _apply(
        self,
        decision: Decision,
        tool: Tool,
        entry: ToolEntry,
        caller: Caller,
        session: tuple[object, ToolKey, str] | None,
    ) -> Refusal | None:
        if decision is Decision.SESSION and session is None:
            decision = Decision.ONCE
        actor = USER if self._show is not None else caller.principal.author  # which says what its user said
        if decision is Decision.DENY:
            self._note(actor, "denied", tool, caller)
        else:
            self._note(actor, "allowed", tool, caller, scope=str(decision))
        if decision is Decision.DENY:
            return Refusal.DENIED
        if decision is Decision.SESSION:
            _remember(self._sessions, session, _Allowed(caller.client or "", entry, self._clock()))
            self._show_sessions()
        return None

    def answered(self, known: KnownTool, params: JsonObject, caller: Caller, reply: Reply) -> None:
        """Let the client go on with an allowed call whose server asks for input (2026-07-28, ``requestState``)."""
        needed = era_bridge.input_required(reply)
        if needed is not None and "requestState" in needed:
            state = json_text.loads(needed["requestState"])
            allowed = (caller.conversation, _digest(known, params.get("arguments") or {}), state)
            _remember(self._allowed, allowed, self._clock() + _RESUMED_SECONDS)

    # -- the window ---------------------------------------------------------------------------------------------------

    async def _decide(
        self, known: KnownTool, effect: str, question: ApprovalQuestion, params: JsonObject, caller: Caller
    ) -> Decision | Refusal | Reply:
        of_client = sum(principal == caller.principal for principal, _ in self._waiting.values())
        if len(self._waiting) >= MAX_WAITING or of_client >= MAX_WAITING_PER_CLIENT:
            return Refusal.TOO_MANY
        if self._show is not None:
            return await self._ask_user(self._show, question, params, caller)
        return await self._ask_client(known, effect, question, caller)

    async def _ask_user(
        self,
        show: Callable[[ApprovalQuestion | ApprovalClosed | SessionsAllowed], None],
        question: ApprovalQuestion,
        params: JsonObject,
        caller: Caller,
    ) -> Decision | Refusal:
        decided: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._waiting[question.id] = (caller.principal, decided)
        show(question)
        progress = asyncio.ensure_future(_report_progress(params, caller))
        try:
            async with asyncio.timeout(question.seconds):
                return await decided
        except TimeoutError:
            return Refusal.TIMED_OUT
        finally:
            progress.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await progress
            del self._waiting[question.id]
            show(ApprovalClosed(question.id))

    def _seconds(self, principal: Principal, limit: float | None) -> float:
        """Return the seconds for a decision: less than the client waits, as its dialect says or as was seen twice."""
        waited, is_limit = self._gave_up.get(principal, (0.0, False))
        known = [one for one in (limit, waited if is_limit else None) if one is not None]
        return min(WAIT_SECONDS, max(_SHORTEST_SECONDS, min(known) - _MARGIN_SECONDS)) if known else WAIT_SECONDS

    def _client_gave_up(self, principal: Principal, seconds: float) -> None:
        before, _ = self._gave_up.get(principal, (0.0, False))
        is_limit = seconds > _SHORTEST_SECONDS and abs(seconds - before) <= _SAME_LIMIT_SECONDS
        _remember(self._gave_up, principal, (seconds, is_limit))

    # -- the client itself --------------------------------------------------------------------------------------------

    async def _ask_client(
        self, known: KnownTool, effect: str, question: ApprovalQuestion, caller: Caller
    ) -> Decision | Refusal | Reply:
        form = json_text.dumps(_elicitation(known.tool, effect, question))
        if missing_capability(_METHOD, form, caller.capabilities) is not None:
            return Refusal.UNAVAILABLE
        if caller.modern:
            state = _STATE + secrets.token_urlsafe(24)
            digest = _digest(known, question.arguments)
            _remember(
                self._states.setdefault(caller.principal, OrderedDict()),
                state,
                (caller.conversation, digest, self._clock() + _RESUMED_SECONDS),
            )
            asked = {"resultType": "input_required", "requestState": state}
            request = {"method": _METHOD, "params": json_text.loads(form)}
            return Reply(json_text.dumps({**asked, "inputRequests": {"approval": request}}))
        self._waiting[question.id] = (caller.principal, asyncio.get_running_loop().create_future())
        try:
            async with asyncio.timeout(question.seconds):
                reply = await caller.request(_METHOD, form)
        except TimeoutError:
            return Refusal.TIMED_OUT
        finally:
            del self._waiting[question.id]
        if reply.result is None:
            return Refusal.UNAVAILABLE
        return _decision(json_text.loads(reply.result))

    def _resumed(
        self,
        tool: Tool,
        entry: ToolEntry,
        state: str,
        params: JsonObject,
        call: tuple[object, bytes],
        caller: Caller,
        session: tuple[object, ToolKey, str] | None,
    ) -> Refusal | JsonObject:
        """Apply the response that a client of the modern era sends with its call again."""
        known = self._states.get(caller.principal, OrderedDict()).pop(state, None)
        if known is None or known[:2] != call or known[2] < self._clock():
            self._note_refusal(Refusal.TIMED_OUT, tool, caller)
            return Refusal.TIMED_OUT
        responses = params.get("inputResponses")
        decision = _decision(responses.get("approval") if isinstance(responses, dict) else None)
        sent = {key: value for key, value in params.items() if key not in ("requestState", "inputResponses")}
        return self._apply(decision, tool, entry, caller, session) or sent


_EFFECTS: Final = {
    CallEffect.READS: "It only reads from {}.",
    CallEffect.DELETES: "It can delete data on {}.",
    CallEffect.CHANGES: "It changes data on {}.",
    CallEffect.UNSTATED: "{} doesn't say what it changes.",
}


def _effect(known: KnownTool, entry: ToolEntry) -> str:
    """Return what a call does, by the user's hints over the server's, as the window says it too."""
    hints, source = stated_hints(known.annotations, entry.hints), known.tool.server
    effect = call_effect(hints)
    sentences = [_EFFECTS[effect].format(source)]
    if hints.get(OPEN_WORLD) is True:
        sentences.append(f"It reaches beyond {source}.")
    if hints.get(IDEMPOTENT) is True and effect is not CallEffect.READS:
        sentences.append("A second run changes nothing more.")
    return " ".join(sentences)


def _elicitation(tool: Tool, effect: str, question: ApprovalQuestion) -> JsonObject:
    """Return the params of the question to a client that asks the user itself (2025-11-25, Elicitation)."""
    choices = {Decision.DENY: "Don't allow", Decision.ONCE: "Allow once"}
    if question.for_session:
        choices[Decision.SESSION] = "Allow for this session"
    text = escaped_in_json(json_text.dumps(question.arguments).decode("utf-8"))
    shown = masked_json("", text[:_LONGEST_SHOWN])
    if len(text) > _LONGEST_SHOWN:
        shown += f"… ({len(text)} characters)"
    title = escape_controls(" ".join(tool.title[:_LONGEST_TITLE].split())).translate(_QUOTES)
    return {
        "message": f"Allow “{title}” ({tool.server}) to run? {effect} Arguments: {shown}",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "allow": {
                    "type": "string",
                    "title": "Allow",
                    "enum": list(map(str, choices)),
                    "enumNames": list(choices.values()),
                    "default": str(Decision.DENY),
                }
            },
            "required": ["allow"],
        },
    }


def _decision(response: Any) -> Decision:
    """Return the decision of a client's response; everything but a clear yes is a no."""
    if not isinstance(response, dict) or response.get("action") != "accept":
        return Decision.DENY
    content = response.get("content")
    allow = content.get("allow") if isinstance(content, dict) else None
    return Decision(allow) if allow in (Decision.ONCE, Decision.SESSION) else Decision.DENY


async def _report_progress(params: JsonObject, caller: Caller) -> None:
    """Tell the client every few seconds that its call waits, so that it does not give up."""
    meta = params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    if token is None:
        return
    for count in itertools.count(1):
        await asyncio.sleep(PROGRESS_SECONDS)
        progress = {"progressToken": token, "progress": count, "message": "Waiting for the user to allow this call"}
        caller.notify("notifications/progress", json_text.dumps(progress))


def _does_more(known: KnownTool) -> bool:
    """Return True for a tool that its server gave another meaning, which the user has not accepted."""
    return known.review in IN_REVIEW and is_another_meaning(known.newest, known.accepted)


def _digest(known: KnownTool, arguments: JsonObject) -> bytes:
    """Return what an answer is for: a call of a tool as it is now."""
    return hashlib.sha256(json_text.dumps([*known.tool.key, known.newest.fingerprint, arguments])).digest()


def _remember(known: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    known.pop(key, None)
    known[key] = value
    while len(known) > _REMEMBERED:
        known.popitem(last=False)
