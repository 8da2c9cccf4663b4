"""Extensions of servers (SEP-2133): which ones clients are offered, and which server a message of one belongs to.

A message is routed by the task that it names, by the extension that its method is named after (``other/do`` belongs to
``com.example/other``), or to the only server of the toolset that declares an extension. Skills: ``skills.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.proxy.in_flight import Caller, CallsInFlight, error_reply, missing_extension
from toolnote_desktop.proxy.protocol import INVALID_PARAMS, TASKS_EXTENSION, Era
from toolnote_desktop.proxy.transports.base import Reply

EXTENSIONS: Final = "extensions"
SKILLS: Final = "skills"
_TASKS: Final = "tasks"
_TASK_METHODS: Final = frozenset({"tasks/get", "tasks/update", "tasks/cancel"})
"""Methods of the extension (SEP-2663)."""
_OLD_TASK_METHODS: Final = frozenset({"tasks/get", "tasks/result", "tasks/cancel"})
"""Methods of the handshake era's capability."""

_OWN: Final = frozenset({"initialize", "ping", "server/discover", "tasks/list"})
"""Never routed to a server. A list of tasks would contain those of other sessions on a shared connection."""
_OWN_PREFIXES: Final = (
    "notifications/",
    "tools/",
    "prompts/",
    "resources/",
    "completion/",
    "logging/",
    "subscriptions/",
    "roots/",
    "sampling/",
    "elicitation/",
)
_OWN_NOTIFICATIONS: Final = frozenset({"initialized", "cancelled", "message"})


class ExtensionRoutes:
    """Extensions of the servers in clients' toolsets."""

    def __init__(self, snapshot: Callable[[], Snapshot], calls: CallsInFlight) -> None:
        self._snapshot = snapshot
        self._calls = calls

    def capabilities(self, servers: Iterable[str], era: Era) -> JsonObject:
        """Return the capabilities that clients of an era are offered because these servers have them."""
        extensions: JsonObject = {}
        tasks: JsonObject = {}
        for server in servers:
            declared = self._declared(server, era)
            settings = _object(declared.get(EXTENSIONS))
            extensions = merged(extensions, {key: value for key, value in settings.items() if isinstance(value, dict)})
            tasks = merged(tasks, _objects_alone(declared.get(_TASKS)))
        tasks.pop("list", None)
        return {key: value for key, value in ((EXTENSIONS, extensions), (_TASKS, tasks)) if value}

    def find(
        self, method: str, params: JsonObject, servers: Iterable[str], caller: Caller | None
    ) -> str | Reply | None:
        """Return the server of a request, an error, or None if no server's extension has the method."""
        if method in _OWN or method.startswith(_OWN_PREFIXES):
            return None
        able = [server for server in servers if self.has_any(server)]
        if method.startswith("tasks/"):
            return self._find_task(method, params, able, caller)
        return self._only(method.partition("/")[0], able)

    def _find_task(self, method: str, params: JsonObject, able: list[str], caller: Caller | None) -> str | Reply | None:
        era = None if caller is None else Era.MODERN if caller.modern else Era.HANDSHAKE
        able = [
            server
            for server in able
            if (_TASKS in self._declared(server, era) and method in _OLD_TASK_METHODS)
            or (method in _TASK_METHODS and self.has(server, _TASKS))
        ]
        if not able or caller is None:
            return able[0] if able else None
        owners = [server for server in able if self._calls.has_task(server, params.get("taskId"), caller.conversation)]
        if len(owners) == 1:
            return owners[0]
        declared = _object(caller.capabilities.get(EXTENSIONS))
        if caller.modern and TASKS_EXTENSION not in declared:
            return missing_extension(method, TASKS_EXTENSION)
        return error_reply(INVALID_PARAMS, "Unknown task")

    def find_notification(
        self, method: str, params: JsonObject, servers: Iterable[str], conversation: object
    ) -> str | None:
        """Return the server of a client's notification of an extension, or of progress; None if it is not certain."""
        name = method.removeprefix("notifications/")
        if name == "progress":  # of a server's request to the client
            return self._calls.server_of_progress(conversation, params.get("progressToken"))
        if name in _OWN_NOTIFICATIONS or f"{name}/".startswith(_OWN_PREFIXES):
            return None
        able = [server for server in servers if self.has_any(server)]
        task = params.get("taskId")
        if task is not None:
            owners = [server for server in able if self._calls.has_task(server, task, conversation)]
            return owners[0] if len(owners) == 1 else None
        return self._only(name.partition("/")[0], able)

    def _only(self, prefix: str, able: list[str]) -> str | None:
        named = [server for server in able if self.has(server, prefix)] or able
        return named[0] if len(named) == 1 else None

    def in_order(self, servers: Collection[str]) -> list[str]:
        """Return servers in the order of ``servers.json``, which no toolset changes."""
        return [server for server in self._snapshot().catalogue.servers if server in servers]

    def has_any(self, server: str) -> bool:
        """Return True if a server declares an extension, or tasks."""
        declared = self._declared(server)
        return bool(_object(declared.get(EXTENSIONS))) or isinstance(declared.get(_TASKS), dict)

    def has(self, server: str, name: str) -> bool:
        """Return True if a server declares an extension with this name after its vendor's."""
        return self.settings(server, name) is not None or (name == _TASKS and _TASKS in self._declared(server))

    def settings(self, server: str, name: str) -> JsonObject | None:
        """Return a server's settings of an extension; None if it does not declare it."""
        for extension, value in _object(self._declared(server).get(EXTENSIONS)).items():
            if extension.rpartition("/")[2] == name:
                return _object(value)
        return None

    def _declared(self, server: str, era: Era | None = None) -> Mapping[str, Any]:
        """Return a server's capabilities in an era; with None in all eras."""
        listing = self._snapshot().catalogue.servers.get(server)
        if listing is None:
            return {}
        if era is not None:
            return listing.capabilities_in(era)
        declared = dict(listing.capabilities)
        for capabilities in listing.by_era.values():
            declared = merged(declared, dict(capabilities))
        return declared


def _object(value: object) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _objects_alone(value: object) -> JsonObject:
    """Return an object without members that are no objects, at any depth: clients refuse a handshake with others."""
    return {key: _objects_alone(one) for key, one in _object(value).items() if isinstance(one, dict)}


def merged(one: JsonObject, other: JsonObject) -> JsonObject:
    """Return the union of two objects, member by member; of two other values, the first that is not false."""
    union = dict(one)
    for key, value in other.items():
        if isinstance(value, dict):
            union[key] = merged(_object(union.get(key)), value)
        else:
            union[key] = union.get(key) or value
    return union
