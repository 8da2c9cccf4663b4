"""Extensions of servers (SEP-2133): which ones clients are offered, and which server a request of one belongs to.

A request is routed by the task that it names, by the extension that its method is named after (``skills/list`` belongs
to ``io.modelcontextprotocol/skills``), or to the only server of the toolset that declares an extension.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.proxy.in_flight import CallsInFlight, error_reply
from toolnote_desktop.proxy.protocol import INVALID_PARAMS
from toolnote_desktop.proxy.transports.base import Reply

EXTENSIONS: Final = "extensions"
_TASKS: Final = "tasks"
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


class ExtensionRoutes:
    """Extensions of the servers in clients' toolsets."""

    def __init__(self, snapshot: Callable[[], Snapshot], calls: CallsInFlight) -> None:
        self._snapshot = snapshot
        self._calls = calls

    def capabilities(self, servers: Iterable[str]) -> JsonObject:
        """Return the capabilities that clients are offered because these servers have them."""
        extensions: JsonObject = {}
        tasks: JsonObject = {}
        for server in servers:
            declared = self._declared(server)
            for name, value in _object(declared.get(EXTENSIONS)).items():
                extensions.setdefault(name, value)
            tasks = _merged(tasks, _object(declared.get(_TASKS)))
        tasks.pop("list", None)
        return {key: value for key, value in ((EXTENSIONS, extensions), (_TASKS, tasks)) if value}

    def find(self, method: str, params: JsonObject, servers: Iterable[str], conversation: object) -> str | Reply | None:
        """Return the server of a request, an error, or None if no server's extension has the method."""
        if method in _OWN or method.startswith(_OWN_PREFIXES):
            return None
        able = [server for server in servers if self.has_any(server)]
        task = params.get("taskId")
        if method.startswith("tasks/"):
            able = [server for server in able if self._has(server, _TASKS)]
            owners = [server for server in able if self._calls.has_task(server, task, conversation)]
            if able and len(owners) != 1:
                return error_reply(INVALID_PARAMS, "Unknown task")
            return owners[0] if owners else None
        prefix = method.partition("/")[0]
        named = [server for server in able if self._has(server, prefix)] or able
        return named[0] if len(named) == 1 else None

    def has_any(self, server: str) -> bool:
        """Return True if a server declares an extension, or tasks."""
        declared = self._declared(server)
        return bool(_object(declared.get(EXTENSIONS))) or isinstance(declared.get(_TASKS), dict)

    def _has(self, server: str, name: str) -> bool:
        declared = self._declared(server)
        extensions = _object(declared.get(EXTENSIONS))
        own = name == _TASKS and isinstance(declared.get(_TASKS), dict)
        return own or any(extension.rpartition("/")[2] == name for extension in extensions)

    def _declared(self, server: str) -> Mapping[str, Any]:
        listing = self._snapshot().catalogue.servers.get(server)
        return listing.capabilities if listing is not None else {}


def _object(value: object) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _merged(one: JsonObject, other: JsonObject) -> JsonObject:
    merged = dict(one)
    for key, value in other.items():
        merged[key] = _merged(_object(merged.get(key)), value) if isinstance(value, dict) else value
    return merged
