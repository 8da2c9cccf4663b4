"""Experience with tools, for guides: which of them a client masters, and which were used for tasks of a kind.

The first is read from the activity log. The second is what was called after a guide for a task was given, and is
stored in ``run/task-use.json``, bounded, without any words of the user.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from toolnote_desktop.guidance.reader import FAMILIAR_CALLS
from toolnote_desktop.model.calls.outcome import Outcome
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.paths import Home, make_folder, read_json
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.system.atomic_file import write_file

RECENT_CALLS: Final = 2_000
"""Calls of a client that are read: its newest."""
_FAULTS: Final = 3
"""Newest calls of a tool among which a fault counts."""
_TASK_SECONDS: Final = 3600.0
"""Seconds after a guide for which calls count as made for its task."""
_MOST_TOOLS: Final = 500
"""Tools of a task type that are remembered."""
_MOST_TYPES: Final = 50
_MOST_COUNT: Final = 10_000

logger = logging.getLogger(__name__)


class Experience:
    """Experience of a home. For any thread."""

    def __init__(self, home: Home | None) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._tasks: dict[Principal, tuple[float, tuple[str, ...]]] = {}
        self._used: dict[str, dict[ToolKey, int]] = {}
        self._is_read = False
        self._is_changed = False

    def of_client(self, client: str | None) -> tuple[frozenset[ToolKey], frozenset[ToolKey]]:
        """Return the tools that a client masters, and those that it gets wrong. In a thread: reads the activity log."""
        if self._home is None:
            return frozenset(), frozenset()
        from toolnote_desktop.store import activity_queries

        calls: defaultdict[ToolKey, list[bool]] = defaultdict(list)
        for call in activity_queries.last_calls(self._home, client or "", RECENT_CALLS):
            calls[call.server, call.tool].append(call.outcome is Outcome.FAILED or bool(call.refused))
        familiar = (key for key, faults in calls.items() if len(faults) >= FAMILIAR_CALLS and not any(faults[:10]))
        faulty = (key for key, faults in calls.items() if any(faults[:_FAULTS]))
        return frozenset(familiar), frozenset(faulty)

    def used(self) -> Mapping[str, Mapping[ToolKey, int]]:
        """Return task type -> tools that were used for such tasks, with the number of calls."""
        with self._lock:
            self._read()
            return {name: dict(tools) for name, tools in self._used.items()}

    def guided(self, principal: Principal, task_types: Iterable[str]) -> None:
        """Record that a guide for tasks of these types was given; saves what was used for earlier ones. In a thread."""
        with self._lock:
            self._read()
            types = tuple(task_types)
            self._tasks[principal] = (time.monotonic(), types)
            if len(self._tasks) > _MOST_TYPES:
                del self._tasks[next(iter(self._tasks))]
            if self._is_changed:
                self._is_changed = False
                self._save()

    def call_worked(self, principal: Principal, key: ToolKey) -> None:
        """Record a call that worked."""
        task = self._tasks.get(principal)
        if task is None or time.monotonic() - task[0] > _TASK_SECONDS:
            return
        with self._lock:
            for name in task[1]:
                tools = self._used.setdefault(name, {})
                if key in tools or len(tools) < _MOST_TOOLS:
                    tools[key] = min(tools.get(key, 0) + 1, _MOST_COUNT)
            self._is_changed = bool(task[1])

    def close(self) -> None:
        """Save what has changed."""
        with self._lock:
            if self._is_changed:
                self._is_changed = False
                self._save()

    def _read(self) -> None:
        if self._is_read or self._home is None:
            return
        self._is_read = True
        try:
            found = read_json(self._home.task_use)
        except (OSError, ValueError):
            return
        for name, server, tool, count in _rows(found):
            if len(self._used) < _MOST_TYPES or name in self._used:
                tools = self._used.setdefault(name, {})
                if len(tools) < _MOST_TOOLS:
                    tools[server, tool] = tools.get((server, tool), 0) + count

    def _save(self) -> None:
        if self._home is None:
            return
        rows = [
            [name, *key, count]
            for name, tools in list(self._used.items())[:_MOST_TYPES]
            for key, count in tools.items()
        ]
        try:
            make_folder(self._home.run)
            write_file(self._home.task_use, json.dumps(rows).encode("ascii"), durable=False, follow_links=False)
        except OSError as error:
            logger.warning("What was used for tasks could not be saved: %s", error)


def _rows(found: Any) -> Iterable[tuple[str, str, str, int]]:
    """Yield the usable rows of the file: task type, server, tool, calls."""
    for row in found if isinstance(found, list) else ():
        match row:
            case [str(name), str(server), str(tool), int(count)] if 0 < count <= _MOST_COUNT:
                yield name, server, tool, count
