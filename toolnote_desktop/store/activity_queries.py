"""Queries on the activity log, each on a connection of its own: none is for the window's or the proxy's thread.

All return nothing where there is no database or it cannot be read; the log says so.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from time import mktime
from typing import Any, Final, NamedTuple

from msgspec import Struct

from toolnote_desktop.model.calls.effect import Rate
from toolnote_desktop.model.calls.outcome import FAILURES, OWN_CLASS, Outcome, ReadNote
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_database import CLEARED_AT, CLEARED_TO, VERSION, Call, connect_to_read

PAGE: Final = 200
"""Calls that are read at once."""

_NEWEST: Final = 5_000  # ids that are searched before an index is
_CALL: Final = (
    "SELECT calls.time, client.text, tools.server, tools.tool, calls.seconds, error.text, calls.outcome, toolset.text,"
    " calls.sent, calls.received, calls.revision, calls.behind, note_sets.notes, failures.message, refused.text,"
    " contents.arguments, contents.result, calls.id"
    " FROM calls JOIN names AS client ON client.id = calls.client JOIN tools ON tools.id = calls.tool"
    " LEFT JOIN names AS error ON error.id = calls.error LEFT JOIN names AS toolset ON toolset.id = calls.toolset"
    " LEFT JOIN names AS refused ON refused.id = calls.refused LEFT JOIN note_sets ON note_sets.id = calls.notes"
    " LEFT JOIN failures ON failures.call = calls.id LEFT JOIN contents ON contents.call = calls.id"
)
_MESSAGE: Final = "calls.id IN (SELECT call FROM failures WHERE message"
_MESSAGE_OF_CALL: Final = "EXISTS (SELECT 1 FROM failures WHERE call = calls.id AND message"
"""The same for few calls."""
_FAILED: Final = ", ".join(str(int(outcome)) for outcome in FAILURES)
_VISIBLE: Final = f"(SELECT coalesce(max(value), 0) FROM marks WHERE name = '{CLEARED_TO}')"

logger = logging.getLogger(__name__)


class Order(StrEnum):
    """Orders of calls."""

    TIME = "time"
    ASSISTANT = "assistant"
    TOOL = "tool"
    OUTCOME = "outcome"
    DURATION = "duration"


_SORTED: Final[Mapping[Order, str]] = {
    Order.TIME: "calls.id {0}",
    Order.DURATION: "calls.seconds {0}, calls.id DESC",
}
_GROUPED: Final[Mapping[Order, tuple[str, str]]] = {
    Order.ASSISTANT: ("client", "SELECT id, text FROM names"),
    Order.TOOL: ("tool", "SELECT id, tool || ' ' || server FROM tools"),
    Order.OUTCOME: ("outcome", ""),
}
"""Column of an order by groups, each of them by time, and the query of their names."""


class CallFilter(Struct, frozen=True):
    """Filter of calls; an empty one lets all pass.

    Attributes:
        since, until: seconds since the epoch; ``until`` is excluded.
        text: part of an error, or of the name of a client, server or tool.
        text_clients, text_tools: clients and tools whose shown names contain the text.
    """

    client: str | None = None
    tool: ToolKey | None = None
    server: str | None = None
    outcomes: tuple[Outcome, ...] = ()
    since: float | None = None
    until: float | None = None
    text: str = ""
    text_clients: tuple[str, ...] = ()
    text_tools: tuple[ToolKey, ...] = ()


class Day(NamedTuple):
    """Calls of one day: ``date`` in local time."""

    date: date
    calls: int
    failed: int
    refused: int = 0


class ToolUse(Struct, frozen=True):
    """Calls of one tool; ``seconds`` is the mean duration of those that worked."""

    server: str
    tool: str
    calls: int
    failed: int
    seconds: float


class ServerCalls(NamedTuple):
    """Calls of one server. ``usual_seconds``: the median of those that worked; None without one."""

    worked: int
    failed: int
    usual_seconds: float | None


class FailureGroup(Struct, frozen=True):
    """Failures of a tool with the same class and refused arguments; ``last`` is the time of the newest."""

    server: str
    tool: str
    error: str
    refused: tuple[str, ...]
    count: int
    last: float
    call: int


class NoteCalls(Struct, frozen=True):
    """Calls of a tool before notes were first read and since. Notes that came with one revision share the figure.

    Attributes:
        classes: class of errors -> failures before and since.
        first_read: time of the first call of a session that had read them.
    """

    server: str
    tool: str
    notes: tuple[ReadNote, ...]
    before: Rate
    since: Rate
    classes: Mapping[str, tuple[int, int]]
    first_read: float


# -- lists of calls ---------------------------------------------------------------------------------------------------


def recent_calls(home: Home, limit: int = 100, chosen: CallFilter | None = None) -> tuple[Call, ...]:
    """Return the newest calls, newest first."""
    with _Reading(home) as reading:
        database = reading.open()
        if database is None:
            return ()
        condition, parameters = _condition(database, chosen or CallFilter())
        text = f"{_CALL} WHERE {condition} ORDER BY calls.id DESC LIMIT ?"
        return tuple(map(_call, database.execute(text, (*parameters, limit))))
    return ()


def last_calls(home: Home, client: str, limit: int) -> tuple[Call, ...]:
    """Return the newest calls of a client."""
    return recent_calls(home, limit, CallFilter(client=client))


def recent_tools(home: Home, since: float, limit: int = 200) -> tuple[ToolKey, ...]:
    """Return the tools called since a time in seconds since the epoch, the last called first."""
    chosen = f"SELECT tool, max(id) AS last FROM calls WHERE time >= ? AND id > {_VISIBLE} GROUP BY tool"
    text = f"SELECT server, tools.tool FROM ({chosen}) AS found JOIN tools ON tools.id = found.tool"
    return tuple((server, tool) for server, tool in _rows(home, f"{text} ORDER BY last DESC LIMIT ?", (since, limit)))


def one_call(home: Home, number: int) -> Call | None:
    """Return a call by its id; None if it is gone."""
    rows = _rows(home, f"{_CALL} WHERE calls.id = ? AND calls.id > {_VISIBLE}", (number,))
    return _call(rows[0]) if rows else None


def each_call(home: Home, chosen: CallFilter, limit: int | None = None) -> Iterator[Call]:
    """Yield the calls of a filter, newest first, without holding them all."""
    with _Reading(home) as reading:
        database = reading.open()
        if database is not None:
            condition, parameters = _condition(database, chosen)
            text = f"{_CALL} WHERE {condition} ORDER BY calls.id DESC LIMIT ?"
            yield from map(_call, database.execute(text, (*parameters, -1 if limit is None else limit)))


class CallList:
    """Calls of one filter in one order, by row number. For one worker thread at a time; close it.

    The first page is read by itself. ``count`` numbers all rows in a table in memory, so that each page is found at
    once wherever it is; calls that end later are not among them.
    """

    def __init__(self, home: Home, chosen: CallFilter, order: Order = Order.TIME, *, descending: bool = True) -> None:
        self._home = home
        self._chosen = chosen
        self._order, self._descending = order, descending
        self._sorted = _SORTED.get(order, "calls.id DESC").format("DESC" if descending else "ASC")
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None
        self._numbered = False
        self._stopped = False

    def first_page(self) -> tuple[Call, ...]:
        """Return the first rows."""
        with self._lock, _Reporting():
            database = self._opened()
            if database is None:
                return ()
            condition, parameters = _condition(database, self._chosen)
            found: list[int] = []
            for group in self._groups(database):
                found += self._first_ids(database, f"{condition} AND {group}", parameters, PAGE - len(found))
                if len(found) >= PAGE:
                    break
            rows = database.execute(f"{_CALL} WHERE calls.id IN ({', '.join(map(str, found))})")
            by_id = {call.id: call for call in map(_call, rows)}
            return tuple(by_id[one] for one in found if one in by_id)
        return ()

    def count(self) -> int:
        """Number the rows; return how many there are."""
        with self._lock, _Reporting():
            database = self._opened()
            if database is None:
                return 0
            condition, parameters = _condition(database, self._chosen)
            database.execute("DROP TABLE IF EXISTS temp.found")
            database.execute("CREATE TEMP TABLE found (place INTEGER PRIMARY KEY, call INTEGER NOT NULL)")
            count = 0
            for group in self._groups(database):
                chosen = f"SELECT calls.id FROM calls WHERE {condition} AND {group} ORDER BY {self._sorted}"
                count += database.execute(f"INSERT INTO found (call) {chosen}", parameters).rowcount
            self._numbered = True
            return max(count, 0)
        return 0

    def page(self, first: int) -> tuple[Call, ...]:
        """Return the rows from ``first`` on, at most ``PAGE``. Needs ``count``."""
        with self._lock, _Reporting():
            database = self._opened()
            if database is None or not self._numbered:
                return ()
            text = f"{_CALL} JOIN temp.found ON found.call = calls.id WHERE place > ? AND place <= ? ORDER BY place"
            return tuple(map(_call, database.execute(text, (first, first + PAGE))))
        return ()

    def stop(self) -> None:
        """Interrupt a query that runs. From any thread."""
        self._stopped = True
        database = self._database
        if database is not None:
            with contextlib.suppress(sqlite3.ProgrammingError):
                database.interrupt()

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._stopped = True
            if self._database is not None:
                self._database.close()
                self._database = None

    def _groups(self, database: sqlite3.Connection) -> list[str]:
        """Return the conditions of the groups that follow one another; one that all rows meet without groups."""
        if self._order not in _GROUPED:
            return ["1"]
        column, names = _GROUPED[self._order]
        values = _distinct(database, column)
        if names:
            texts = {int(number): str(text).casefold() for number, text in database.execute(names)}
            ordered = sorted(values, key=lambda value: (texts.get(value, ""), value), reverse=self._descending)
        else:
            ordered = sorted(values, reverse=self._descending)
        return [f"calls.{column} = {value}" for value in ordered]

    def _first_ids(
        self, database: sqlite3.Connection, condition: str, parameters: Sequence[object], most: int
    ) -> list[int]:
        order = f"ORDER BY {self._sorted} LIMIT {most}"
        if self._order is not Order.DURATION and (self._order is not Order.TIME or self._descending):
            # Most filters are met by many of the newest calls; else an index is faster than the row number.
            newest = f"calls.id > max({_VISIBLE}, (SELECT max(id) FROM calls) - {_NEWEST})"
            near = condition.replace("calls.id >=", "+calls.id >=").replace(f"calls.id > {_VISIBLE}", newest, 1)
            near = near.replace(_MESSAGE, _MESSAGE_OF_CALL)
            found = [
                row[0] for row in database.execute(f"SELECT id FROM calls NOT INDEXED WHERE {near} {order}", parameters)
            ]
            if len(found) >= most:
                return found
            condition = condition.replace("calls.id >", "+calls.id >")
        return [row[0] for row in database.execute(f"SELECT id FROM calls WHERE {condition} {order}", parameters)]

    def _opened(self) -> sqlite3.Connection | None:
        if self._stopped:
            return None
        if self._database is None:
            self._database = _connect(self._home)
            if self._database is not None:
                self._database.execute("PRAGMA temp_store=MEMORY")
        return self._database


# -- figures ----------------------------------------------------------------------------------------------------------


def calls_by_day(home: Home, today: date, days: int = 7, chosen: CallFilter | None = None) -> tuple[Day, ...]:
    """Return the calls of each of the last ``days`` days, the oldest first."""
    dates = [today - timedelta(days=days - 1 - number) for number in range(days)]
    found = []
    with _Reading(home) as reading:
        database = reading.open()
        if database is None:
            return tuple(Day(one, 0, 0) for one in dates)
        condition, parameters = _condition(database, chosen or CallFilter())
        for one in dates:
            bounds = (mktime(one.timetuple()), mktime((one + timedelta(days=1)).timetuple()))
            text = f"SELECT outcome, count(*) FROM calls WHERE time >= ? AND time < ? AND {condition} GROUP BY outcome"
            counts = {int(outcome): int(count) for outcome, count in database.execute(text, (*bounds, *parameters))}
            failed = sum(counts.get(int(outcome), 0) for outcome in FAILURES)
            found.append(Day(one, sum(counts.values()), failed, counts.get(int(Outcome.REFUSED), 0)))
    return tuple(found)


def counts_by_outcome(home: Home, chosen: CallFilter) -> dict[Outcome, int]:
    """Return the number of calls of each outcome."""
    with _Reading(home) as reading:
        database = reading.open()
        if database is not None:
            condition, parameters = _condition(database, chosen)
            rows = database.execute(f"SELECT outcome, count(*) FROM calls WHERE {condition} GROUP BY 1", parameters)
            return {Outcome(outcome): count for outcome, count in rows}
    return {}


def uses_of_tools(home: Home, since: float) -> tuple[ToolUse, ...]:
    """Return the calls of each tool since a time, the most used first."""
    with _Reading(home) as reading:
        database = reading.open()
        if database is None:
            return ()
        condition, parameters = _condition(database, CallFilter(since=since))
        text = (
            f"SELECT calls.tool, count(*), total(outcome IN ({_FAILED})), total((outcome = 0) * seconds), "
            f"total(outcome = 0) FROM calls INDEXED BY calls_by_tool WHERE {condition} GROUP BY calls.tool"
        )
        names = {number: (server, tool) for number, server, tool in database.execute("SELECT * FROM tools")}
        found = [
            ToolUse(*names[number], calls, int(failed), seconds / worked if worked else 0.0)
            for number, calls, failed, seconds, worked in database.execute(text, parameters)
        ]
        return tuple(sorted(found, key=lambda use: -use.calls))
    return ()


def called_tools(home: Home, since: float) -> frozenset[ToolKey] | None:
    """Return the tools that were called since a time; None if the log does not reach back so far."""
    first = _rows(home, f"SELECT time FROM calls WHERE id > {_VISIBLE} ORDER BY id LIMIT 1", ())
    if not first or first[0][0] > since:
        return None
    return frozenset((use.server, use.tool) for use in uses_of_tools(home, since))


def server_calls(home: Home, server: str, since: float) -> ServerCalls:
    """Return the calls of a server since a time."""
    text = (
        "SELECT seconds, outcome FROM calls JOIN tools ON tools.id = calls.tool "
        f"WHERE tools.server = ? AND calls.time >= ? AND calls.id > {_VISIBLE}"
    )
    from statistics import median  # for the window and commands, not for each app

    rows = _rows(home, text, (server, since))
    seconds = [float(one) for one, outcome in rows if outcome == Outcome.WORKED]
    failed = sum(outcome in FAILURES for _, outcome in rows)
    return ServerCalls(len(seconds), failed, median(seconds) if seconds else None)


def clients_and_tools(home: Home) -> tuple[tuple[str, ...], tuple[ToolKey, ...]]:
    """Return the clients and the tools that have calls."""
    with _Reading(home) as reading:
        database = reading.open()
        if database is not None and database.execute(f"SELECT 1 FROM calls WHERE id > {_VISIBLE} LIMIT 1").fetchone():
            clients = _distinct(database, "client")
            tools = _distinct(database, "tool")
            return (
                tuple(
                    sorted(text for number, text in database.execute("SELECT id, text FROM names") if number in clients)
                ),
                tuple(
                    sorted(
                        (server, tool)
                        for number, server, tool in database.execute("SELECT * FROM tools")
                        if number in tools
                    )
                ),
            )
    return (), ()


def _distinct(database: sqlite3.Connection, column: str) -> set[int]:
    """Return the values of an indexed column, each found by one step in the index."""
    text = (
        f"WITH RECURSIVE steps(value) AS (SELECT min({column}) FROM calls WHERE {column} IS NOT NULL UNION ALL "
        f"SELECT (SELECT min({column}) FROM calls WHERE {column} > value) FROM steps WHERE value IS NOT NULL) "
        "SELECT value FROM steps WHERE value IS NOT NULL"
    )
    return {int(row[0]) for row in database.execute(text)}


def times_of_last_calls(home: Home) -> dict[str, float]:
    """Return client -> time of its last call, in seconds since the epoch."""
    with _Reading(home) as reading:
        database = reading.open()
        if database is None:
            return {}
        newest = f"calls.id > {_VISIBLE}"
        recent = f"calls.id > max({_VISIBLE}, (SELECT max(id) FROM calls) - {_NEWEST})"
        last = dict(database.execute(f"SELECT client, max(id) FROM calls NOT INDEXED WHERE {recent} GROUP BY client"))
        for client in _distinct(database, "client") - last.keys():
            (number,) = database.execute(
                f"SELECT max(id) FROM calls WHERE client = ? AND {newest}", (client,)
            ).fetchone()
            last[client] = number
        numbers = ", ".join(str(number) for number in last.values() if number is not None)
        text = "SELECT names.text, calls.time FROM calls JOIN names ON names.id = calls.client"
        rows = database.execute(f"{text} WHERE calls.id IN ({numbers})")
        return {str(client): float(moment) for client, moment in rows}
    return {}


def last_seen(home: Home) -> dict[str, float]:
    """Return client -> time of its last list request or finished call, in seconds since the epoch."""
    seen = times_of_last_calls(home)
    for client, moment in _rows(home, "SELECT client, max(time) FROM revisions WHERE fetched > 0 GROUP BY client", ()):
        seen[str(client)] = max(float(moment), seen.get(str(client), 0.0))
    return seen


def fetched_revisions(home: Home) -> dict[tuple[str, str], tuple[int, int]]:
    """Return (client, toolset) -> the revision that it fetched last, and the newest one."""
    rows = _rows(home, "SELECT client, toolset, fetched, revision FROM revisions", ())
    return {(client, toolset): (fetched, revision) for client, toolset, fetched, revision in rows}


# -- failures and notes -----------------------------------------------------------------------------------------------


def failure_groups(
    home: Home, tool: ToolKey | None = None, *, since: float = 0.0, least: int = 1
) -> tuple[FailureGroup, ...]:
    """Return the failures by tool, class and refused arguments, the most frequent first."""
    of_tool = "AND tools.server = ? AND tools.tool = ?" if tool is not None else ""
    text = (
        "SELECT tools.server, tools.tool, error.text, refused.text, count(*) AS failures, max(calls.time), "
        "max(calls.id) FROM calls JOIN tools ON tools.id = calls.tool JOIN names AS error ON error.id = calls.error "
        "LEFT JOIN names AS refused ON refused.id = calls.refused "
        f"WHERE calls.outcome IN ({_FAILED}) AND calls.time >= ? AND calls.id > {_VISIBLE} {of_tool} "
        "GROUP BY calls.tool, calls.error, calls.refused HAVING failures >= ? ORDER BY failures DESC, 6 DESC, 7 DESC"
    )
    rows = _rows(home, text, (since, *(tool or ()), least))
    return tuple(
        FailureGroup(server, name, error, tuple(json.loads(refused or "[]")), count, last, call)
        for server, name, error, refused, count, last, call in rows
    )


def calls_of_notes(home: Home, tool: ToolKey | None = None) -> tuple[NoteCalls, ...]:
    """Return for each note that was ever read the calls of its tool before it was first read, and since with it.

    A changed note begins anew: it is another text. Calls of sessions that had not read it yet count on neither side
    once it was read, and neither do refused and cancelled calls and failures of Toolnote's own, such as a server that
    is not ready.
    """
    condition = "WHERE tools.server = ? AND tools.tool = ?" if tool is not None else ""
    found = []
    with _Reading(home) as reading:
        database = reading.open()
        if database is not None:
            text = f"SELECT tools.id, tools.server, tools.tool FROM tools {condition}"
            for number, server, name in database.execute(text, tool or ()).fetchall():
                found += _calls_of_notes(database, number, server, name)
    return tuple(found)


def _calls_of_notes(database: sqlite3.Connection, number: int, server: str, tool: str) -> list[NoteCalls]:
    counted = f"calls.tool = ? AND calls.id > {_VISIBLE} AND outcome IN (0, {_FAILED})"
    own = f"AND (error IS NULL OR error NOT IN (SELECT id FROM names WHERE text LIKE '{OWN_CLASS}%') OR outcome = 4)"
    text = f"SELECT notes, min(id) FROM calls WHERE {counted} AND notes IS NOT NULL GROUP BY notes ORDER BY 2"
    firsts: dict[tuple[str, str, str], int] = {}
    notes_of: dict[int, tuple[ReadNote, ...]] = {}
    for set_number, first in database.execute(text, (number,)).fetchall():
        (raw,) = database.execute("SELECT notes FROM note_sets WHERE id = ?", (set_number,)).fetchone()
        notes_of[set_number] = _notes(raw) or ()
        for note in notes_of[set_number]:
            firsts.setdefault((note.scope, note.name, note.digest), first)
    by_first: dict[int, dict[tuple[str, str, str], ReadNote]] = {}
    for notes in notes_of.values():
        for note in notes:
            key = (note.scope, note.name, note.digest)
            by_first.setdefault(firsts[key], {})[key] = note
    found = []
    for first, shared in sorted(by_first.items()):
        (moment,) = database.execute("SELECT time FROM calls WHERE id = ?", (first,)).fetchone()
        for notes in _shared(shared, notes_of):
            keys = {(note.scope, note.name, note.digest) for note in notes}
            having = [
                one for one, all_notes in notes_of.items() if keys & {(n.scope, n.name, n.digest) for n in all_notes}
            ]
            inside = f"calls.id >= {first} AND notes IN ({', '.join(map(str, having))})"
            groups = []
            for where in (f"calls.id < {first}", inside):
                rows = database.execute(
                    "SELECT outcome, (SELECT text FROM names WHERE names.id = error), count(*) FROM calls "
                    f"WHERE {counted} {own} AND {where} GROUP BY outcome, error",
                    (number,),
                ).fetchall()
                groups.append(rows)
            before, since = (
                Rate(sum(row[2] for row in rows if row[0]), sum(row[2] for row in rows)) for rows in groups
            )
            classes: dict[str, tuple[int, int]] = {}
            for side, rows in enumerate(groups):
                for outcome, error, count in rows:
                    if outcome:
                        one, other = classes.get(error or "", (0, 0))
                        classes[error or ""] = (one + count, other) if side == 0 else (one, other + count)
            found.append(NoteCalls(server, tool, notes, before, since, classes, moment))
    return found


def _shared(
    notes: Mapping[tuple[str, str, str], ReadNote], sets: Mapping[int, tuple[ReadNote, ...]]
) -> Iterable[tuple[ReadNote, ...]]:
    """Return the notes that came together, by the lists that have them: apart once one of them is changed or gone."""
    groups: dict[frozenset[int], list[ReadNote]] = {}
    for key, note in notes.items():
        having = frozenset(
            number for number, all_notes in sets.items() if any((n.scope, n.name, n.digest) == key for n in all_notes)
        )
        groups.setdefault(having, []).append(note)
    return map(tuple, groups.values())


# -- clearing ---------------------------------------------------------------------------------------------------------


def clear(home: Home) -> bool:
    """Hide all calls so far; they are deleted an hour later. Return False if there is nothing or it cannot be done."""
    return _mark(
        home,
        (
            ("INSERT OR REPLACE INTO marks VALUES (?, (SELECT coalesce(max(id), 0) FROM calls))", (CLEARED_TO,)),
            ("INSERT OR REPLACE INTO marks VALUES (?, ?)", (CLEARED_AT, time.time())),
        ),
    )


def undo_clear(home: Home) -> bool:
    """Show cleared calls again that are not deleted yet."""
    return _mark(home, (("DELETE FROM marks WHERE name IN (?, ?)", (CLEARED_TO, CLEARED_AT)),))


def delete_contents(home: Home, server: str) -> bool:
    """Delete the recorded arguments and results of a server's calls."""
    tools = "SELECT calls.id FROM calls JOIN tools ON tools.id = calls.tool WHERE server = ?"
    text = f"DELETE FROM contents WHERE call IN ({tools})"
    return _mark(home, ((text, (server,)),))


def _mark(home: Home, statements: Sequence[tuple[str, tuple[object, ...]]]) -> bool:
    with _Reporting():
        database = _connect(home)
        if database is None:
            return False
        with contextlib.closing(database), database:
            for text, parameters in statements:
                database.execute(text, parameters)
        return True
    return False


# -- reading ----------------------------------------------------------------------------------------------------------


def _condition(database: sqlite3.Connection, chosen: CallFilter) -> tuple[str, list[object]]:
    parts = [f"calls.id > {_VISIBLE}"]
    parameters: list[object] = []
    if chosen.client is not None:
        parts.append("calls.client = (SELECT id FROM names WHERE text = ?)")
        parameters.append(chosen.client)
    if chosen.tool is not None:
        parts.append("calls.tool = (SELECT id FROM tools WHERE server = ? AND tool = ?)")
        parameters += chosen.tool
    if chosen.server is not None:
        parts.append("calls.tool IN (SELECT id FROM tools WHERE server = ?)")
        parameters.append(chosen.server)
    if chosen.outcomes:
        parts.append(f"calls.outcome IN ({', '.join(str(int(one)) for one in chosen.outcomes)})")
    if chosen.since is not None:
        # Ids grow with time: comparing them needs no row.
        row = database.execute("SELECT id FROM calls WHERE time >= ? ORDER BY time LIMIT 1", (chosen.since,)).fetchone()
        parts.append(f"calls.id >= {int(row[0])}" if row is not None else "0")
    if chosen.until is not None:
        text = "SELECT id FROM calls WHERE time < ? ORDER BY time DESC LIMIT 1"
        row = database.execute(text, (chosen.until,)).fetchone()
        parts.append(f"calls.id <= {int(row[0])}" if row is not None else "0")
    if chosen.text.strip():
        like = "%{}%".format(chosen.text.strip().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_"))
        # Names are few, and looked up first: a text that is in none of them needs the messages alone, no scan of calls.
        named = " LIKE ? ESCAPE '\\'"
        tools = _numbers(database, f"SELECT id FROM tools WHERE tool{named} OR server{named}", like, like)
        names = _numbers(database, f"SELECT id FROM names WHERE text{named}", like)
        clients = names & _distinct(database, "client")
        for client in chosen.text_clients:
            clients |= _numbers(database, "SELECT id FROM names WHERE text = ?", client)
        for tool in chosen.text_tools[:500]:
            tools |= _numbers(database, "SELECT id FROM tools WHERE server = ? AND tool = ?", *tool)
        found = {"tool": tools, "client": clients, "error": names & _distinct(database, "error")}
        texts = [f"calls.{column} IN ({', '.join(map(str, sorted(ids)))})" for column, ids in found.items() if ids]
        texts.append(f"{_MESSAGE}{named})")
        parameters.append(like)
        parts.append(f"({' OR '.join(texts)})")
    return " AND ".join(parts), parameters


def _numbers(database: sqlite3.Connection, text: str, *parameters: object) -> set[int]:
    return {int(row[0]) for row in database.execute(text, parameters)}


def _call(row: Sequence[Any]) -> Call:
    return Call(
        time=row[0],
        client=row[1],
        server=row[2],
        tool=row[3],
        seconds=row[4],
        error=row[5],
        outcome=Outcome(row[6]),
        toolset=row[7],
        sent=row[8],
        received=row[9],
        revision=row[10],
        behind=row[11],
        notes=_notes(row[12]),
        message=row[13],
        refused=tuple(json.loads(row[14])) if row[14] else (),
        arguments=row[15],
        result=row[16],
        id=row[17],
    )


def _notes(raw: str | None) -> tuple[ReadNote, ...] | None:
    return None if raw is None else tuple(ReadNote(*one) for one in json.loads(raw))


def _connect(home: Home) -> sqlite3.Connection | None:
    if not home.activity.is_file():
        return None
    database = connect_to_read(home.activity)
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
    except BaseException:
        database.close()
        raise
    if version < VERSION:  # of an earlier version of Toolnote: the log migrates it soon after the start
        database.close()
        return None
    return database


class _Reporting:
    """Context that ends at an error while reading, and logs it."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _trace: object) -> bool:
        if not isinstance(error, sqlite3.Error):
            return False
        if "interrupt" not in str(error):
            logger.warning("activity.db cannot be read: %s", error)
        return True


class _Reading:
    """Open database; None where there is none."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._database: sqlite3.Connection | None = None

    def __enter__(self) -> _Reading:
        return self

    def open(self) -> sqlite3.Connection | None:
        """Open the database."""
        self._database = _connect(self._home)
        return self._database

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if self._database is not None:
            self._database.close()
        return _Reporting().__exit__(kind, error, trace)


def _rows(home: Home, text: str, parameters: tuple[object, ...]) -> list[tuple[Any, ...]]:
    with _Reading(home) as reading:
        database = reading.open()
        if database is not None:
            return database.execute(text, parameters).fetchall()
    return []
