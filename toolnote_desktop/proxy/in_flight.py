"""The table of calls in flight: whom progress is told to, and whom a server's own question belongs to (docs/contract.md 5)."""

from __future__ import annotations

import itertools
import json
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, Protocol

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import INVALID_PARAMS, METHOD_NOT_FOUND, Era
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.transports.jsonrpc import NotAMessage

CAPABILITY_OF = {
    "sampling/createMessage": "sampling",
    "elicitation/create": "elicitation",
    "roots/list": "roots",
}
"""What a server may ask of a client, and the capability that the client must have for it."""

Ask = Callable[[str, bytes | None], Awaitable[Reply]]
"""``ask(method, params)``: the client's answer."""


class Caller(Protocol):
    """The client that a request came from, as far as its server may talk to it during the call.

    Attributes:
        conversation: calls with the same one come from the same client: of the handshake era, from one session.
        modern: the request is of the modern era: its client is not asked, but given results that ask.
        log_level: what of the server's log it wants to hear; None where it did not say.
    """

    principal: Principal
    client: str | None
    conversation: object
    capabilities: JsonObject
    modern: bool
    log_level: str | None

    def tell(self, method: str, params: bytes | None) -> None:
        """Tell the client something within this call, before its result; does nothing after it."""

    async def ask(self, method: str, params: bytes | None) -> Reply:
        """Ask the client something within this call; only of the handshake era. Cancelled: the question is withdrawn.

        An error, where the client cannot be reached any more.
        """


class Connection(Struct, frozen=True):
    """Which connection to a server: the one that all share, or another.

    Attributes:
        principal: that of this client (``perClient``).
        era: that of the process for clients of this era, beside one for those of the other (``era_choice.py``).
    """

    server: str
    principal: Principal | None = None
    era: Era | None = None


class CallInFlight(Struct, eq=False):
    """One request on its way to a server.

    Attributes:
        token: our own progress token; clients' collide (1, 2, 3).
        client_token: the client's; None where it wants no progress.
        caller: None while its client is away, thinking about what it was asked (``era_bridge.py``).
        ask: how its client is asked; None where a question can only come as a result.
    """

    connection: Connection
    token: str
    client_token: Any
    caller: Caller | None
    ask: Ask | None
    conversation: object = None

    def __post_init__(self) -> None:
        assert self.caller is not None
        self.conversation = self.caller.conversation


current_call: ContextVar[CallInFlight | None] = ContextVar("current_call", default=None)
"""The call in whose HTTP exchange something is read. What a server says there belongs to that call for certain: the
exchange has a task of its own, which inherits this from the task that made the request."""


class CallsInFlight:
    """See the module."""

    def __init__(self) -> None:
        self._calls: dict[str, CallInFlight] = {}
        self._numbers = itertools.count(1)

    def new_token(self) -> str:
        """A progress token that no other call has."""
        return f"toolnote-{next(self._numbers)}"

    def enter(self, call: CallInFlight) -> None:
        """The call is on its way."""
        self._calls[call.token] = call

    def leave(self, call: CallInFlight) -> None:
        """It is over."""
        del self._calls[call.token]

    def behind(self, connection: Connection) -> CallInFlight | None:
        """The call that something a server says belongs to; None where that is not certain.

        Certain is what comes within a call's own HTTP exchange, and what comes while all calls on the connection are of
        one client: it is asked as such, whichever of its calls it was, in one that it waits for if there is any.

        A call whose client is away is not meant while others are under way: its server stands still until the answer
        to what it asked comes, which for a client that gave up is never. What it asks at the same time comes before
        the client is told (``eras.TOGETHER``).
        """
        current = current_call.get()
        if current is not None and current.connection == connection and current.token in self._calls:
            return current
        calls = [call for call in self._calls.values() if call.connection == connection]
        calls = [call for call in calls if call.caller is not None] or calls
        if not calls or any(call.conversation != calls[0].conversation for call in calls):
            return None
        return calls[-1]

    def progress(self, params: bytes | None) -> None:
        """A progress notice goes to its call's client, with the client's own token and everything else as it came."""
        try:
            token = json.loads(jsonrpc.members(params or b"{}").get("progressToken", b"null"))
        except ValueError:
            return
        call = self._calls.get(token) if isinstance(token, str) else None
        if call is not None and call.client_token is not None and call.caller is not None:
            own = json_text.dumps(call.client_token)
            call.caller.tell("notifications/progress", jsonrpc.with_member(params or b"{}", "progressToken", own))

    async def question(self, connection: Connection, method: str, params: bytes | None) -> Reply:
        """A server asks for sampling, input or roots: the very client whose call caused it answers, or nobody."""
        call = self.behind(connection)
        if call is None or call.ask is None or method not in CAPABILITY_OF:
            return refusal(METHOD_NOT_FOUND, f"{method}: no client's call can be asked")
        caller = call.caller
        problem = why_not(method, params, caller.capabilities) if caller is not None else None
        return problem or await call.ask(method, params)


def missing_capability(method: str, params: bytes | None, capabilities: JsonObject) -> JsonObject | None:
    """What a client would have to state to be asked this, of ``CAPABILITY_OF``; None: it has stated that.

    An ``elicitation`` with nothing in it means forms (2025-11-25, Elicitation, Capabilities). We offer servers all
    that some client may be able to do, so what this one cannot do is refused here.
    """
    name = CAPABILITY_OF[method]
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


def why_not(method: str, params: bytes | None, capabilities: JsonObject) -> Reply | None:
    """The error for a server that asks a client of the handshake era what it cannot answer; None: it can."""
    missing = missing_capability(method, params, capabilities)
    if missing is None:
        return None
    code = INVALID_PARAMS if CAPABILITY_OF[method] in capabilities else METHOD_NOT_FOUND
    return refusal(code, f"{method}: this client cannot answer it")


def refusal(code: int, message: str, data: Any = None) -> Reply:
    """An error of ours."""
    error: JsonObject = {"code": code, "message": message}
    return Reply(None, json_text.dumps(error if data is None else {**error, "data": data}))
