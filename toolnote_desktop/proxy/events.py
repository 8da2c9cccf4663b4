"""What the proxy tells whoever runs it: values, handed over from the proxy's thread."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from msgspec import Struct

from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.secrets.secret_repr import SecretStruct


class Endpoint(SecretStruct, frozen=True):
    """Where the proxy answers. ``problem`` says that the wanted port was taken."""

    secret_fields: ClassVar = frozenset({"token", "bridge_secret"})

    url: str
    port: int
    token: str
    bridge_secret: str
    problem: Problem | None = None


class ConnectedClient(Struct, frozen=True):
    """A client that is connected now.

    Attributes:
        id: its id in ``clients.json`` or the name its bridge gave; "" for the run's own token.
        name: what it calls itself (clientInfo), else its id.
        up_to_date: whether the list of tools it fetched last is the one it would get now.
        toolset: the toolset that it is served.
    """

    id: str
    name: str
    version: str
    sessions: int
    up_to_date: bool
    toolset: str | None


class EndpointReady(Struct, frozen=True):
    """The proxy answers."""

    endpoint: Endpoint


class EndpointFailed(Struct, frozen=True):
    """The proxy could not start, or has stopped by itself."""

    problem: Problem


class ClientsChanged(Struct, frozen=True):
    """Who is connected, and how far each is, is another now."""

    clients: tuple[ConnectedClient, ...]


class SignInStage(StrEnum):
    """How far a sign-in is."""

    BEGUN = "begun"
    IN_BROWSER = "in-browser"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    SIGNED_OUT = "signed-out"


class SignInProgress(SecretStruct, frozen=True):
    """How a person's sign-in to a server goes on.

    Attributes:
        url: what the browser is to show, in the stage ``in-browser``; it holds no secret that lasts.
        problem: why it failed.
    """

    secret_fields: ClassVar = frozenset({"url"})

    server: str
    stage: SignInStage
    url: str = ""
    problem: Problem | None = None


class ToolAnswer(Struct, frozen=True):
    """Answer to a tool call of the window: the raw JSON of ``result`` or of ``error``, and how long it took."""

    result: bytes | None
    error: bytes | None
    seconds: float


ProxyEvent = EndpointReady | EndpointFailed | ClientsChanged | SignInProgress
