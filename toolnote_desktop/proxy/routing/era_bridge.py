"""Bridge between the eras: servers ask through requests (2025-11-25) or through results (2026-07-28).

A client of the handshake era never receives an ``input_required`` result: it is sent requests, and the call is repeated
with its responses. A client of the modern era cannot be sent requests: the call stays suspended at its server while the
client has an ``input_required`` result of ours, and returns with our ``requestState``.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.aio.tasks import cancel_all
from toolnote_desktop.proxy.aio.time_slices import in_slices
from toolnote_desktop.proxy.in_flight import CAPABILITY_OF, Caller, CallInFlight, error_reply, missing_capability
from toolnote_desktop.proxy.protocol import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, MISSING_CAPABILITY
from toolnote_desktop.proxy.transports import jsonrpc, modern_headers
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.transports.jsonrpc import NotAMessage
from toolnote_desktop.proxy.waiting_calls import Admission

MAX_ROUNDS = 32
"""Limit of ``input_required`` results of a call."""

MAX_QUESTIONS = 256
"""Limit of the questions in one of them."""

SUSPENDED_SECONDS = 10 * 60.0
"""Seconds that a suspended call waits for its client's next request."""

GATHER_SECONDS = 0.01
"""Seconds within which several requests of a server are gathered in one result."""

MAX_SUSPENDED = 256
MAX_SUSPENDED_PER_CALLER = 32

_STATE = "toolnote:"
_CACHEABLE = frozenset({"resources/read", "skills/list", "skills/get"})

logger = logging.getLogger(__name__)


# -- results of one era for the other ---------------------------------------------------------------------------------


def input_required(reply: Reply) -> Mapping[str, bytes] | None:
    """Return the members of an ``input_required`` result; None for any other reply."""
    if reply.result is None or reply.result.find(b"input_required") < 0:
        return None
    if (jsonrpc.pick(reply.result, "resultType") or {}).get("resultType") != b'"input_required"':
        return None
    return jsonrpc.pick(reply.result, "resultType", "inputRequests", "requestState")


async def for_handshake(reply: Reply) -> Reply:
    """Return a reply without the members that only the modern era has; one of too many values as it is."""
    result = reply.result
    if result is None or not jsonrpc.pick(result, "resultType", "ttlMs", "cacheScope", "_meta"):
        return reply
    if await in_slices(jsonrpc.bulky_steps(result)):
        return reply
    members = dict(members_of(result))
    for name in ("ttlMs", "cacheScope"):
        members.pop(name, None)
    if members.get("resultType") == b'"complete"':  # that of an extension means something in this era, too
        del members["resultType"]
    meta = dict(members_of(members.get("_meta", b"null")))
    if meta.pop(modern_headers.SERVER_INFO_KEY, None) is not None:
        members["_meta"] = jsonrpc.object_text(meta)
        if not meta:
            del members["_meta"]
    return Reply(jsonrpc.object_text(members))


def for_modern(method: str, reply: Reply) -> Reply:
    """Return a reply with the members that the modern era demands: its type and, for some methods, no caching."""
    result = reply.result
    if result is None:
        return reply
    members = (jsonrpc.pick(result, "resultType") or {}) if b'"resultType"' in result else {}
    added = {} if "resultType" in members else {"resultType": b'"complete"'}
    if method in _CACHEABLE and b'"ttlMs"' not in result:
        added |= {"ttlMs": b"0", "cacheScope": b'"private"'}
    try:
        return Reply(jsonrpc.with_members(result, added)) if added else reply
    except NotAMessage:
        return reply  # not an object: forwarded unchanged


def members_of(raw: bytes) -> dict[str, bytes]:
    """Return the members of a JSON object as bytes; none for any other text."""
    try:
        return jsonrpc.members(raw)
    except NotAMessage:
        return {}


# -- a client of the handshake era, a server of the modern one --------------------------------------------------------


async def answer_inputs(send: Callable[[JsonObject], Awaitable[Reply]], params: JsonObject, caller: Caller) -> Reply:
    """Send a call and answer its ``input_required`` results with requests to the client."""
    for _ in range(MAX_ROUNDS):
        reply = await send(params)
        needed = input_required(reply)
        if needed is None:
            return await for_handshake(reply)
        requests = members_of(needed.get("inputRequests", b"{}"))
        if len(requests) > MAX_QUESTIONS:
            return error_reply(INTERNAL_ERROR, f"The server asked more than {MAX_QUESTIONS} questions at once")
        answers = await _answers(requests, caller)
        if isinstance(answers, Reply):
            return answers
        params = with_answers(params, answers, needed)
    return error_reply(INTERNAL_ERROR, f"The server asked {MAX_ROUNDS} times and gave no result")


def with_answers(params: JsonObject, answers: JsonObject, needed: Mapping[str, bytes]) -> JsonObject:
    """Return the params of a call with the answers to an interim result, whose members are ``needed``."""
    params = {key: value for key, value in params.items() if key not in ("inputResponses", "requestState")}
    if answers:
        params["inputResponses"] = answers
    if "requestState" in needed:
        params["requestState"] = json_text.loads(needed["requestState"])
    return params


async def _answers(requests: Mapping[str, bytes], caller: Caller) -> JsonObject | Reply:
    """Return the client's responses to these requests, or the first error."""
    questions = {key: members_of(raw) for key, raw in requests.items()}
    for question in questions.values():
        problem = _unsupported(_method(question), question.get("params"), caller)
        if problem is not None:
            return problem
    responses = {
        key: asyncio.ensure_future(caller.request(_method(question), question.get("params")))
        for key, question in questions.items()
    }
    try:
        replies = await asyncio.gather(*responses.values())
    finally:
        await cancel_all(list(responses.values()))
    for reply in replies:
        if reply.error is not None:
            return reply
    return {key: json_text.loads(reply.result or b"{}") for key, reply in zip(responses, replies, strict=True)}


def _method(question: Mapping[str, bytes]) -> str:
    return str(json.loads(question.get("method", b'""')))


def _unsupported(method: str, params: bytes | None, caller: Caller) -> Reply | None:
    if method not in CAPABILITY_OF:
        return error_reply(METHOD_NOT_FOUND, f"{method}: a client cannot be asked this")
    missing = missing_capability(method, params, caller.capabilities)
    if missing is None:
        return None
    return error_reply(MISSING_CAPABILITY, f"{method}: this client cannot answer it", {"requiredCapabilities": missing})


# -- a client of the modern era, a server of the handshake era --------------------------------------------------------


class Identity(Struct, frozen=True):
    """Identity of a suspended call: only the same client may resume it, with the same request."""

    caller: object
    server: str
    method: str
    name: object


class _Question(Struct, eq=False):
    method: str
    params: bytes | None
    answer: asyncio.Future[Reply]


class SuspendedCall:
    """Call that continues at its server while its client answers an ``input_required`` result."""

    def __init__(self, call: CallInFlight, identity: Identity, work: Coroutine[Any, Any, Reply]) -> None:
        self.identity = identity
        self._call = call
        self._questions: dict[str, _Question] = {}
        self._numbers = itertools.count(1)
        self._requested = asyncio.Event()
        call.request = self._on_server_request
        self.work = asyncio.ensure_future(work)

    async def _on_server_request(self, method: str, params: bytes | None) -> Reply:
        """Hold a request of the server until the client's next request."""
        key = f"question-{next(self._numbers)}"
        question = _Question(method, params, asyncio.get_running_loop().create_future())
        self._questions[key] = question
        self._requested.set()
        try:
            return await question.answer
        finally:
            self._questions.pop(key, None)

    async def outcome(self) -> Reply | None:
        """Return the server's reply, or None if it needs input. Cancelling this cancels the call at the server too.

        Raises:
            Exception: as the exchange with the server does.
        """
        try:
            while not self.work.done() and not self._questions:
                self._requested.clear()
                needed = asyncio.ensure_future(self._requested.wait())
                try:
                    await asyncio.wait((self.work, needed), return_when=asyncio.FIRST_COMPLETED)
                finally:
                    needed.cancel()
                if not self.work.done():
                    await asyncio.wait((self.work,), timeout=GATHER_SECONDS)
        except asyncio.CancelledError:
            await self.cancel()
            raise
        return await self.work if self.work.done() else None

    def result(self, state: str) -> Reply:
        """Return the ``input_required`` result; until the client returns, nothing can be sent to it."""
        self._call.caller = None
        requests: JsonObject = {}
        for key, question in self._questions.items():
            request = {"method": json_text.dumps(question.method)}
            if question.params is not None:
                request["params"] = question.params
            requests[key] = jsonrpc.object_text(request)
        members = {
            "resultType": b'"input_required"',
            "inputRequests": jsonrpc.object_text(requests),
            "requestState": json_text.dumps(state),
        }
        return Reply(jsonrpc.object_text(members))

    def resume(self, caller: Caller, client_token: Any, answers: Any) -> None:
        """Continue with the client's responses; unanswered requests are sent again."""
        self._call.caller = caller
        self._call.client_token = client_token
        for key, answer in answers.items() if isinstance(answers, dict) else ():
            question = self._questions.pop(key, None)
            if question is not None and not question.answer.done():
                question.answer.set_result(Reply(json_text.dumps(answer)))

    def refuse(self, reason: str) -> None:
        """Respond to all requests of the server with an error."""
        for question in list(self._questions.values()):
            if not question.answer.done():
                question.answer.set_result(error_reply(INTERNAL_ERROR, f"{question.method}: {reason}"))
        self._questions.clear()

    async def cancel(self) -> None:
        """Cancel the call at the server."""
        await cancel_all((self.work,))


class SuspendedCalls:
    """Suspended calls that wait for their clients, bounded in number and time."""

    def __init__(self, *, lasts: float = SUSPENDED_SECONDS, most: int = MAX_SUSPENDED) -> None:
        self._lasts = lasts
        self._most = most
        self._waiting: dict[str, SuspendedCall] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._ending: set[asyncio.Task[None]] = set()

    async def begin(
        self,
        call: CallInFlight,
        identity: Identity,
        work: Coroutine[Any, Any, Reply],
        admission: Admission | None = None,
    ) -> Reply:
        """Send a call whose requests for input become results. It counts as waiting until its work is done.

        Raises:
            Exception: as ``work`` does.
        """
        suspended = SuspendedCall(call, identity, work)
        if admission is not None:
            admission.hold()
            suspended.work.add_done_callback(admission.release)
        return await self._continue(suspended)

    async def resume(self, params: JsonObject, caller: Caller, identity: Identity) -> Reply:
        """Continue the call with the given ``requestState``.

        Raises:
            Exception: as the call's ``work`` does.
        """
        state = params["requestState"]
        suspended = self._waiting.get(state)
        if suspended is None or suspended.identity != identity:
            return error_reply(INVALID_PARAMS, "This requestState is unknown, used up, or too old")
        self._remove(state)
        meta = params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        suspended.resume(caller, token, params.get("inputResponses"))
        return await self._continue(suspended)

    async def _continue(self, suspended: SuspendedCall) -> Reply:
        while (reply := await suspended.outcome()) is None:
            if self._is_full(suspended.identity.caller):
                suspended.refuse("too many calls wait for an answer")
                continue
            state = _STATE + secrets.token_urlsafe(24)
            self._waiting[state] = suspended
            self._timers[state] = asyncio.get_running_loop().call_later(self._lasts, self._expire, state)
            return suspended.result(state)
        return reply

    def _is_full(self, caller: object) -> bool:
        of_caller = sum(one.identity.caller == caller for one in self._waiting.values())
        return len(self._waiting) >= self._most or of_caller >= MAX_SUSPENDED_PER_CALLER

    def _remove(self, state: str) -> SuspendedCall:
        self._timers.pop(state).cancel()
        return self._waiting.pop(state)

    def _expire(self, state: str) -> None:
        task = asyncio.ensure_future(self._remove(state).cancel())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """Cancel all suspended calls."""
        suspended = [self._remove(state) for state in list(self._waiting)]
        await asyncio.gather(*(one.cancel() for one in suspended), *self._ending)


def is_our_state(params: JsonObject) -> bool:
    """Return True if a request continues a call that was suspended here."""
    state = params.get("requestState")
    return isinstance(state, str) and state.startswith(_STATE)
