"""Events that the proxy's thread sends to its listener: immutable values."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from msgspec import Struct

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.secrets.secret_repr import SecretStruct


class Endpoint(SecretStruct, frozen=True):
    """Address and secrets of the proxy. ``problem`` is set if the requested port was taken,
    or if bridges cannot find it."""

    secret_fields: ClassVar = frozenset({"token", "bridge_secret"})

    url: str
    port: int
    token: str
    bridge_secret: str
    problem: Problem | None = None


class ConnectedClient(Struct, frozen=True):
    """Connected client.

    Attributes:
        id: id in ``clients.json`` or name from its bridge; "" for the run's own token.
        name: name from ``clients.json`` or ``clientInfo``, else its id.
        up_to_date: True if the list of tools that it fetched last equals the one that it would get now, except for
            notes that it has written itself since.
        toolset: name of the toolset that it is served.
        changes_behind: changes of its list since it fetched it; 0 if it is up to date or never fetched one.
    """

    id: str
    name: str
    version: str
    sessions: int
    up_to_date: bool
    toolset: str | None
    changes_behind: int = 0


class EndpointReady(Struct, frozen=True):
    """The proxy accepts requests."""

    endpoint: Endpoint


class EndpointFailed(Struct, frozen=True):
    """The proxy could not start, or has stopped after an error."""

    problem: Problem


class ClientsChanged(Struct, frozen=True):
    """Connected clients, or what is known of them, have changed."""

    clients: tuple[ConnectedClient, ...]


class SignInStage(StrEnum):
    """Stage of a sign-in."""

    BEGUN = "begun"
    IN_BROWSER = "in-browser"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    SIGNED_OUT = "signed-out"


class SignInProgress(SecretStruct, frozen=True):
    """Progress of the user's sign-in to a server.

    Attributes:
        url: page for the browser in the stage ``in-browser``; without lasting secrets.
        problem: reason for the stage ``failed``.
    """

    secret_fields: ClassVar = frozenset({"url"})

    server: str
    stage: SignInStage
    url: str = ""
    problem: Problem | None = None


class Decision(StrEnum):
    """Decisions of the user on a call."""

    ONCE = "once"
    SESSION = "session"  # and on further calls of the tool by this client, while it is connected
    DENY = "deny"


class ApprovalQuestion(SecretStruct, frozen=True):
    """Question to the user.

    Attributes:
        client: id of the client; "" for the run's own token.
        toolset: name of the toolset that the client was given the tool by; None for none.
        arguments: as they will be sent to the server.
        seconds: time for the answer.
        for_session: the calls may be allowed for the client's session.
    """

    secret_fields: ClassVar = frozenset({"arguments"})

    id: int
    client: str
    key: ToolKey
    arguments: JsonObject
    seconds: float
    for_session: bool = True
    toolset: str | None = None


class ApprovalClosed(Struct, frozen=True):
    """A question needs no answer any more: answered, timed out, or its call was cancelled."""

    id: int


class AllowedForSession(Struct, frozen=True):
    """Tool that a client calls without a question until its session ends.

    Attributes:
        client: id of the client; "" for the run's own token.
    """

    client: str
    key: ToolKey


class SessionsAllowed(Struct, frozen=True):
    """What the user has allowed for sessions has changed: all of it now, the newest last."""

    allowed: tuple[AllowedForSession, ...]


class ToolAnswer(Struct, frozen=True):
    """Answer to a tool call of the window: the raw JSON of ``result`` or of ``error``, and how long it took."""

    result: bytes | None
    error: bytes | None
    seconds: float


PageAction = Literal["accept", "decline", "cancel"]
"""Answer of the user to a page that a server wants opened (2025-11-25, elicitation)."""


class PageOffered(SecretStruct, frozen=True):
    """A server asks the user to open a page, and the client cannot show it.

    Attributes:
        client: id of the client whose call it is for; "" for the run's own token.
        message: text of the server.
        url: address, http or https.
    """

    secret_fields: ClassVar = frozenset({"url"})

    number: int
    server: str
    client: str
    message: str
    url: str


class PageWithdrawn(Struct, frozen=True):
    """The call of an offered page is over."""

    number: int


ProxyEvent = (
    EndpointReady
    | EndpointFailed
    | ClientsChanged
    | SignInProgress
    | ApprovalQuestion
    | ApprovalClosed
    | SessionsAllowed
    | PageOffered
    | PageWithdrawn
)
