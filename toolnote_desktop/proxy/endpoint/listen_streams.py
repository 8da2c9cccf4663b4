"""Streams of the modern era, ``subscriptions/listen``: changes of lists, updates of resources, and tasks (SEP-2663)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.aio.tasks import Spawn, cancel_all
from toolnote_desktop.proxy.endpoint.callers import ModernCaller
from toolnote_desktop.proxy.endpoint.modern_requests import meta_object
from toolnote_desktop.proxy.endpoint.response import notification
from toolnote_desktop.proxy.in_flight import Caller, CallsInFlight, error_reply, missing_extension
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, TASKS_EXTENSION
from toolnote_desktop.proxy.routing.guide_subscriptions import GuideSubscriptions
from toolnote_desktop.proxy.routing.resource_subscriptions import Subscriptions
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports import jsonrpc, modern_headers
from toolnote_desktop.proxy.transports.base import Reply

LISTEN = "subscriptions/listen"
MAX_STREAMS = 1024
"""Maximum number of streams of a caller."""

_FLAGS = ("toolsListChanged", "promptsListChanged", "resourcesListChanged")
_LISTS = ("resourceSubscriptions", "taskIds")
_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"

Subscribe = Callable[[object, ClientView, Caller], Awaitable[Reply]]
"""``subscribe(uri, view, caller)`` subscribes a caller to a resource in its view."""

Request = Callable[[str, str, JsonObject, Caller], Awaitable[Reply]]
"""``request(server, method, params, caller)`` returns the server's reply."""


def _wanted(params: JsonObject) -> JsonObject | None:
    """Return the kinds of notifications that a request names, of those that are known; None if it is invalid."""
    named = params.get("notifications")
    if not isinstance(named, dict):
        return None
    wanted = {key: named[key] for key in (*_FLAGS, *_LISTS) if named.get(key) is not None}
    flags = all(isinstance(wanted[key], bool) for key in _FLAGS if key in wanted)
    lists = (wanted[key] for key in _LISTS if key in wanted)
    texts = all(isinstance(one, list) and all(isinstance(text, str) for text in one) for one in lists)
    return wanted if flags and texts else None


class ListenStreams:
    """Open streams, and the subscriptions that last as long as they do.

    Args:
        changed: called when a stream was opened or has ended.
    """

    def __init__(
        self,
        subscribe: Subscribe,
        request: Request,
        subscriptions: Subscriptions,
        guide_subscriptions: GuideSubscriptions,
        calls: CallsInFlight,
        view: Callable[[Principal], ClientView],
        spawn: Spawn,
        changed: Callable[[], None],
    ) -> None:
        self._subscribe = subscribe
        self._request = request
        self._subscriptions = subscriptions
        self._guide_subscriptions = guide_subscriptions
        self._calls = calls
        self._view = view
        self._spawn = spawn
        self._changed = changed
        self._open: dict[Principal, list[ListenStream]] = {}
        self._ending = asyncio.Event()

    async def serve(self, params: JsonObject, caller: ModernCaller) -> Reply:
        """Serve a stream until it is cancelled, because its client has gone, or until all are ended."""
        wanted = _wanted(params)
        if wanted is None:
            return error_reply(INVALID_PARAMS, "Invalid params: notifications")
        if wanted.get("taskIds") and TASKS_EXTENSION not in meta_object(caller.capabilities, "extensions"):
            return missing_extension(LISTEN, TASKS_EXTENSION)
        streams = self._open.setdefault(caller.principal, [])
        if len(streams) >= MAX_STREAMS:
            return error_reply(INTERNAL_ERROR, "Subscription limit reached")
        stream = ListenStream(caller, wanted)
        streams.append(stream)
        self._changed()
        following: list[asyncio.Future[None]] = []
        try:
            accepted = await self._accepted(stream, wanted)
            stream.acknowledge(accepted)
            following = [asyncio.ensure_future(self._follow(stream, server)) for server in set(stream.tasks.values())]
            await self._ending.wait()
            return Reply(json_text.dumps({"resultType": "complete", "_meta": stream.meta}))
        finally:
            streams.remove(stream)
            if not streams:
                self._open.pop(caller.principal, None)
            await cancel_all(following)
            self._guide_subscriptions.remove(stream)
            self._spawn(self._subscriptions.drop(stream))
            self._changed()

    async def _accepted(self, stream: ListenStream, wanted: JsonObject) -> JsonObject:
        """Subscribe to what a stream wants; return what it will be notified of."""
        accepted: JsonObject = {key: True for key in _FLAGS if wanted.get(key) is True}
        uris = []
        for uri in wanted.get("resourceSubscriptions", ()):
            reply = await self._subscribe(uri, self._view(stream.principal), stream)
            if reply.error is None:
                uris.append(uri)
        stream.tasks = {
            task: server
            for task in wanted.get("taskIds", ())
            for server in self._view(stream.principal).servers
            if self._calls.has_task(server, task, stream.caller.conversation)
        }
        lists = zip(_LISTS, (uris, list(stream.tasks)), strict=True)
        return {**accepted, **{key: value for key, value in lists if value}}

    async def _follow(self, stream: ListenStream, server: str) -> None:
        """Keep a stream of a server open that notifies of a client's tasks (see ``task_changed``)."""
        tasks = [task for task, of in stream.tasks.items() if of == server]
        await self._request(server, LISTEN, {"notifications": {"taskIds": tasks}}, stream)

    def task_changed(self, server: str, task: object, params: bytes | None) -> bool:
        """Notify the streams that want a task of a server; return False if there is none."""
        streams = [one for of_caller in self._open.values() for one in of_caller]
        found = [one for one in streams if isinstance(task, str) and one.tasks.get(task) == server]
        for stream in found:
            stream.send("notifications/tasks", params)
        return bool(found)

    def notify_list_changed(self, principal: Principal, kind: str) -> None:
        """Notify the streams of a caller that its list of this kind has changed."""
        for stream in self._open.get(principal, ()):
            if stream.wanted.get(f"{kind}ListChanged") is True:
                stream.send(f"notifications/{kind}/list_changed", None)

    def listening(self) -> list[Principal]:
        """Return the callers with an open stream."""
        return list(self._open)

    def end_all(self) -> None:
        """End all open streams in order."""
        self._ending.set()


class ListenStream:
    """Stream of a client, as a caller of the requests that it makes necessary.

    Attributes:
        tasks: task that it is notified of -> its server.
        meta: members of ``_meta`` in all its notifications.
    """

    modern = True
    log_level: str | None = None
    size = 0

    def __init__(self, caller: ModernCaller, wanted: JsonObject) -> None:
        self.caller = caller
        self.principal = caller.principal
        self.client = caller.client
        self.capabilities = caller.capabilities
        self.conversation: object = self
        self.wanted = wanted
        self.tasks: dict[str, str] = {}
        self.meta: JsonObject = {modern_headers.SUBSCRIPTION_ID_KEY: caller.request_id}
        self._held: list[tuple[str, bytes | None]] | None = []

    def acknowledge(self, accepted: JsonObject) -> None:
        """Send the acknowledgement, which comes first, and what happened meanwhile."""
        params = json_text.dumps({"notifications": accepted, "_meta": self.meta})
        self.caller.response.send(notification(_ACKNOWLEDGED, params))
        held, self._held = self._held or [], None
        for method, one in held:
            self.send(method, one)

    def send(self, method: str, params: bytes | None) -> None:
        """Send a notification, with the id of the stream."""
        if self._held is not None:
            self._held.append((method, params))
            return
        meta = {key: json_text.dumps(value) for key, value in self.meta.items()}
        self.caller.response.send(notification(method, jsonrpc.with_meta(params, meta)))

    def notify(self, method: str, params: bytes | None) -> None:
        """Drop the notification: it belongs to a request of ours."""

    async def request(self, method: str, params: bytes | None) -> Reply:
        """Return an error (see ``Caller.request``)."""
        return error_reply(METHOD_NOT_FOUND, f"{method}: this client accepts no requests")
