"""Calls in flight: routes progress and a server's own requests to the client of the call (docs/contract.md 5)."""

from __future__ import annotations

import itertools
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy import elicitation_addresses
from toolnote_desktop.proxy.page_offers import PageOffers
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import INVALID_PARAMS, METHOD_NOT_FOUND, MISSING_CAPABILITY, Era
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.transports.jsonrpc import NotAMessage

CAPABILITY_OF = {
    "sampling/createMessage": "sampling",
    "elicitation/create": "elicitation",
    "roots/list": "roots",
}
"""Client capability that each request of a server needs."""

_MAX_ELICITATION_BYTES = 1024 * 1024
"""Bytes of the longest message that is searched for elicitations."""

_MAX_ELICITATIONS = 4096
"""Elicitations whose client is remembered, the latest ones."""

_MAX_TASK_BYTES = 64 * 1024
"""Bytes of the longest result that is searched for a task."""

_MAX_TASKS = 16384
"""Tasks whose client is remembered, the latest ones."""

SendRequest = Callable[[str, bytes | None], Awaitable[Reply]]
"""``send(method, params)`` returns the client's reply."""


class Caller(Protocol):
    """Client of a request, as far as servers may send it messages while the request is in flight.

    Attributes:
        conversation: equal for calls of the same client; in the handshake era, its session.
        modern: True for the modern era, whose clients get no requests but results that ask for input.
        log_level: log level of the client; None if it has set none.
        size: bytes of the request.
    """

    principal: Principal
    client: str | None
    conversation: object
    capabilities: JsonObject
    modern: bool
    log_level: str | None
    size: int

    def notify(self, method: str, params: bytes | None) -> None:
        """Send a notification within this call, before its result; ignored after it."""

    async def request(self, method: str, params: bytes | None) -> Reply:
        """Send a request within this call (handshake era only). Cancellation withdraws the request.

        Returns the client's reply, or an error if the client cannot be reached any more.
        """


class ConnectionKey(Struct, frozen=True):
    """Identity of a connection to a server: the shared one, or another one.

    Attributes:
        principal: owner of the connection (``perClient``); None for a shared one.
        era: era of a second process, for clients of the era that the first does not speak (``era_choice.py``).
    """

    server: str
    principal: Principal | None = None
    era: Era | None = None


class CallInFlight(Struct, eq=False):
    """Request of a client that was sent to a server.

    Attributes:
        token: progress token of our own, because those of several clients collide (1, 2, 3).
        client_token: progress token of the client; None if it wants no progress.
        caller: None while the client has an interim result and prepares its input (``era_bridge.py``).
        request: sends a request to the client; None if requests can only be part of a result.
    """

    connection: ConnectionKey
    token: str
    client_token: Any
    caller: Caller | None
    request: SendRequest | None
    conversation: object = None

    def __post_init__(self) -> None:
        assert self.caller is not None
        self.conversation = self.caller.conversation


current_call: ContextVar[CallInFlight | None] = ContextVar("current_call", default=None)
"""Call whose HTTP exchange is being read. Messages in it belong to this call for certain: the exchange runs in a task
of its own, which inherits the variable from the task that sent the request."""


class CallsInFlight:
    """Table of the calls in flight by progress token."""

    def __init__(self, pages: PageOffers | None = None) -> None:
        """``pages``: where there is a window, which offers the pages that clients cannot show."""
        self.pages = pages
        self._calls: dict[str, CallInFlight] = {}
        self._numbers = itertools.count(1)
        self._elicitations: dict[tuple[str, str], object] = {}
        self._tasks: dict[tuple[str, str], object] = {}
        self._progress_of: dict[tuple[object, str], list[str]] = {}

    def new_token(self) -> str:
        """Return a progress token that no other call has."""
        return f"toolnote-{next(self._numbers)}"

    def add(self, call: CallInFlight) -> None:
        """Add a call that is about to be sent."""
        self._calls[call.token] = call

    def remove(self, call: CallInFlight) -> None:
        """Remove a call that is finished."""
        del self._calls[call.token]
        if self.pages is not None:
            self.pages.withdraw(call)

    def for_server_message(self, connection: ConnectionKey) -> CallInFlight | None:
        """Return the call that a server's message belongs to; None if that is not certain.

        It is certain within the call's own HTTP exchange, and while all calls on the connection are of one client:
        that client gets the message, preferably in a call that it waits for.

        Calls whose client prepares its input count only if there are no others: their server waits for that input,
        for ever if the client gave up. Requests that it sends together with the first arrive before the client gets
        its interim result (``era_bridge.GATHER_SECONDS``).
        """
        current = current_call.get()
        if current is not None and current.connection == connection and current.token in self._calls:
            return current
        calls = [call for call in self._calls.values() if call.connection == connection]
        calls = [call for call in calls if call.caller is not None] or calls
        if not calls or any(call.conversation != calls[0].conversation for call in calls):
            return None
        return calls[-1]

    def record_elicitations(self, server: str, conversation: object, text: bytes | None) -> None:
        """Record the client that a server sent to a page: the notification of the page's completion is for it alone.

        Args:
            text: raw params of ``elicitation/create``, an error that demands elicitations, or an interim result.
        """
        if text is None or b'"elicitationId"' not in text or len(text) > _MAX_ELICITATION_BYTES:
            return
        for elicitation in _elicitation_ids(text):
            self._elicitations.pop((server, elicitation), None)
            self._elicitations[server, elicitation] = conversation
        while len(self._elicitations) > _MAX_ELICITATIONS:
            del self._elicitations[next(iter(self._elicitations))]

    def client_of_elicitation(self, server: str, params: bytes | None) -> object | None:
        """Return the conversation of the client that the elicitation of a notification was sent to; None if unknown."""
        ids = _elicitation_ids(params or b"{}")
        return self._elicitations.get((server, ids[0])) if ids else None

    def record_task(self, server: str, conversation: object, result: bytes | None) -> None:
        """Record the client that a server gave a task to, by the raw result of a call: the task is for it alone."""
        if result is None or result.find(b'"taskId"', 0, _MAX_TASK_BYTES) < 0:
            return
        try:
            read = json.loads(result) if len(result) <= _MAX_TASK_BYTES else None
        except (ValueError, RecursionError):
            return
        task = read.get("task", read if read.get("resultType") == "task" else None) if isinstance(read, dict) else None
        identity = task.get("taskId") if isinstance(task, dict) else None
        if isinstance(identity, str):
            self._tasks.pop((server, identity), None)
            self._tasks[server, identity] = conversation
        while len(self._tasks) > _MAX_TASKS:
            del self._tasks[next(iter(self._tasks))]

    def tasks_by_client(self) -> dict[object, list[tuple[str, str]]]:
        """Return the tasks of each client, each with its server."""
        tasks: dict[object, list[tuple[str, str]]] = {}
        for task, conversation in self._tasks.items():
            tasks.setdefault(conversation, []).append(task)
        return tasks

    def restore_tasks(self, conversation: object, tasks: Iterable[tuple[str, str]]) -> None:
        """Record the tasks of a client's session of an earlier run."""
        self._tasks.update(dict.fromkeys(tasks, conversation))

    def has_task(self, server: str, task: object, conversation: object) -> bool:
        """Return True if a server gave a task to this client."""
        return isinstance(task, str) and self._tasks.get((server, task)) == conversation

    def client_of_task(self, server: str, params: bytes | None) -> object | None:
        """Return the conversation of the client that the task of a notification belongs to; None if unknown."""
        task = task_of(params)
        return self._tasks.get((server, task)) if isinstance(task, str) else None

    def caller_of(self, connection: ConnectionKey, conversation: object) -> Caller | None:
        """Return a client's newest call on a connection; None if it has none in flight."""
        callers = [
            call.caller
            for call in self._calls.values()
            if call.connection == connection and call.conversation == conversation and call.caller is not None
        ]
        return callers[-1] if callers else None

    def progress(self, params: bytes | None) -> None:
        """Forward a progress notification to its call's client, unchanged but for the client's own token."""
        try:
            token = json.loads(jsonrpc.members(params or b"{}").get("progressToken", b"null"))
        except ValueError:
            return
        call = self._calls.get(token) if isinstance(token, str) else None
        if call is not None and call.client_token is not None and call.caller is not None:
            own = json_text.dumps(call.client_token)
            call.caller.notify("notifications/progress", jsonrpc.with_member(params or b"{}", "progressToken", own))

    async def server_request(self, connection: ConnectionKey, method: str, params: bytes | None) -> Reply:
        """Forward a server's request for sampling, input or roots to the client whose call caused it.

        Returns its reply, or an error if no client's call is certain to have caused it.
        """
        call = self.for_server_message(connection)
        caller = call.caller if call is not None else None
        known = method in CAPABILITY_OF or (caller is not None and bool(caller.capabilities.get("extensions")))
        if call is None or call.request is None or not known:
            return error_reply(METHOD_NOT_FOUND, f"{method}: no call of a client can receive this request")
        error = elicitation_addresses.refusal(method, params)
        if error is None and caller is not None:
            if self.pages is not None and self.pages.is_for_window(method, params, caller.capabilities):
                return await self.offer_page(connection.server, caller.client, params, call)
            error = capability_error(method, params, caller.capabilities)
        if error is None:
            self.record_elicitations(connection.server, call.conversation, params)
        if error is not None:
            return error
        with self._awaiting_progress(connection.server, call.conversation, params):
            return await call.request(method, params)

    @contextmanager
    def _awaiting_progress(self, server: str, conversation: object, params: bytes | None) -> Iterator[None]:
        """Record the progress token of a server's request while its client works on it; no token of two servers."""
        try:
            meta = jsonrpc.members(jsonrpc.members(params or b"{}").get("_meta", b"{}"))
            token = json.loads(meta.get("progressToken", b"null"))
        except ValueError:
            token = None
        key = (conversation, repr(token))
        servers = self._progress_of.setdefault(key, [])
        servers.append(server)
        try:
            yield
        finally:
            servers.remove(server)
            if not servers:
                self._progress_of.pop(key, None)

    def server_of_progress(self, conversation: object, token: object) -> str | None:
        """Return the server whose request a client's progress notification is about; None if it is not certain."""
        servers = self._progress_of.get((conversation, repr(token)), []) if token is not None else []
        return servers[0] if len(set(servers)) == 1 else None

    async def offer_page(
        self, server: str, client: str | None, params: bytes | None, call: CallInFlight | None = None
    ) -> Reply:
        """Offer a page in the window; its completion is notified to no client."""
        assert self.pages is not None
        self.record_elicitations(server, self.pages, params)
        return await self.pages.offer(server, client, params, call)


def task_of(params: bytes | None) -> object:
    """Return the ``taskId`` of a notification; None if it has none."""
    try:
        return json.loads(jsonrpc.members(params or b"{}").get("taskId", b"null"))
    except ValueError:
        return None


def _elicitation_ids(text: bytes) -> list[str]:
    """Return the strings under all keys ``elicitationId`` of a JSON text."""
    try:
        pending = [json.loads(text)]
    except (ValueError, RecursionError):
        return []
    found = []
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            if isinstance(elicitation := value.get("elicitationId"), str):
                found.append(elicitation)
            pending += value.values()
        elif isinstance(value, list):
            pending += value
    return found


def missing_capability(method: str, params: bytes | None, capabilities: JsonObject) -> JsonObject | None:
    """Return the capabilities that a client lacks for a request in ``CAPABILITY_OF``; None if it lacks none.

    An empty ``elicitation`` means forms (2025-11-25, Elicitation, Capabilities). Servers are offered all capabilities
    that any client may have, so requests that this client cannot answer are refused here.
    """
    name = CAPABILITY_OF.get(method)
    if name is None:
        return None  # of an extension
    if name not in capabilities:
        return {name: {}}
    stated = capabilities[name] if isinstance(capabilities[name], dict) else {}
    try:
        wanted = jsonrpc.members(params or b"{}")
    except NotAMessage:
        wanted = {}
    if name == "elicitation":
        mode = "url" if wanted.get("mode") == b'"url"' else "form"
        can = mode in stated or (mode == "form" and "url" not in stated)
        return None if can else {name: {mode: {}}}
    if name == "sampling" and "tools" in wanted and "tools" not in stated:
        return {name: {"tools": {}}}
    return None


def capability_error(method: str, params: bytes | None, capabilities: JsonObject) -> Reply | None:
    """Return the error for a request that a client of the handshake era cannot answer; None if it can."""
    missing = missing_capability(method, params, capabilities)
    if missing is None:
        return None
    code = INVALID_PARAMS if CAPABILITY_OF[method] in capabilities else METHOD_NOT_FOUND
    return error_reply(code, f"{method}: this client cannot answer it")


def too_many_values() -> Reply:
    """Return the error for a call whose arguments have to be read, and have too many values or bytes for that."""
    longest = jsonrpc.MAX_READ // 2**20
    message = (
        f"This tool is not called with more than {jsonrpc.MAX_VALUES} values in over 1 MB of arguments, or with more "
        f"than {longest} MB of arguments that have to be read"
    )
    return error_reply(INVALID_PARAMS, message)


def error_reply(code: int, message: str, data: Any = None) -> Reply:
    """Return a reply with a JSON-RPC error."""
    error: JsonObject = {"code": code, "message": message}
    return Reply(None, json_text.dumps_for_clients(error if data is None else {**error, "data": data}))


def missing_extension(method: str, extension: str) -> Reply:
    """Return the error for a request of an extension that its client has not declared (SEP-2663)."""
    data: JsonObject = {"requiredCapabilities": {"extensions": {extension: {}}}}
    return error_reply(MISSING_CAPABILITY, f"{method}: this client has not declared {extension}", data)
