"""One supervised connection to one server (DESIGN 2): started, watched, started again, listed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.servers import ServerStatus
from toolnote_desktop.proxy.peer import Reply
from toolnote_desktop.proxy.server_log import ServerLog


@dataclass(frozen=True, slots=True)
class Listed:
    """What a ready server says of itself and offers, raw, in its own order.

    Attributes:
        tools: the entries of ``tools/list`` as parsed JSON; an entry may be anything, also no object.
        problems: lists that could not be read to their end (``SERVER_PAGES``); what was read is here.
    """

    tools: tuple[Any, ...] = ()
    prompts: tuple[Any, ...] = ()
    resources: tuple[Any, ...] = ()
    resource_templates: tuple[Any, ...] = ()
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    instructions: str | None = None
    server_info: Mapping[str, Any] = field(default_factory=dict)
    protocol_version: str = ""
    problems: tuple[Problem, ...] = ()


class UpstreamListener(Protocol):
    """Who hears of the servers. Called on the loop; must be quick."""

    def status_changed(self, server: str, status: ServerStatus) -> None:
        """The connection's state, or the reason for it, is another now."""

    def listed(self, server: str, listed: Listed) -> None:
        """All lists, read to their end: before the server counts as ready, and after each change it announces."""

    def notification(self, server: str, method: str, params: bytes | None) -> None:
        """Whatever a server says by itself but for ``list_changed``: progress, message, resources/updated, cancelled."""

    async def server_request(self, server: str, method: str, params: bytes | None) -> Reply:
        """Sampling, elicitation, roots: the answer to give. ``ping`` is answered by the upstream itself.

        Cancelled when the server cancels its request or goes.
        """


class UpstreamNotReady(Exception):
    """A request was made while the server is not ready; ``status`` says how it is. Waiting is the caller's choice."""

    def __init__(self, server: str, status: ServerStatus) -> None:
        super().__init__(f"{server}: {status.state}")
        self.server = server
        self.status = status


class Upstream:
    """One server's connection."""

    server: str
    status: ServerStatus
    log: ServerLog
    modern: bool

    async def request(
        self,
        method: str,
        params: JsonObject | bytes | None,
        *,
        timeout: float | None = None,
        progress_token: str | None = None,
        client_capabilities: JsonObject | None = None,
    ) -> Reply:
        """Ask the server.

        Args:
            params: raw JSON text (travels as it is) or an object.
            timeout: seconds; None takes the entry's own ``timeout`` (default: no limit). Progress with
                ``progress_token`` starts them anew.
            progress_token: the value that stands in ``params._meta.progressToken``; choose one that no other call has.
            client_capabilities: what the asking client can do, told to a server of the modern era. Members of ``_meta``
                that the client sent itself stay as they are.

        Raises:
            UpstreamNotReady: nothing was sent.
            PeerClosed: the connection ended during the request.
            ReplyUnreadable: the answer is no JSON.
            TimeoutError: no answer in time.
        """
        raise NotImplementedError

    async def notify(self, method: str, params: JsonObject | bytes | None) -> None:
        """Tell the server something.

        Raises:
            UpstreamNotReady: nothing was sent.
            PeerClosed: the connection ended.
        """
        raise NotImplementedError

    async def wait_ready(self, timeout: float) -> bool:
        """Wait until the server is ready; False after ``timeout`` seconds, or at once where waiting is in vain
        (disabled, needs something from the user)."""
        raise NotImplementedError
