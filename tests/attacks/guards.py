"""Guards that can be taken out of the app (``dev.py attack --without NAME``), to see that an attack needs them."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from typing import Any, Final

ENDLESS: Final = 10**12

Values = list[tuple[str, str, Any]]

GUARDS: Final[dict[str, Values]] = {
    "waiting-calls": [
        ("toolnote_desktop.proxy.waiting_calls", "MAX_WAITING", ENDLESS),
        ("toolnote_desktop.proxy.waiting_calls", "MAX_WAITING_BYTES", ENDLESS),
        ("toolnote_desktop.proxy.endpoint.fast_path.calls:FastPathCall", "set", lambda call: None),
        ("toolnote_desktop.proxy.endpoint.callers:HandshakeCaller", "on_disconnect", lambda caller, cancel: None),
    ],
    "unverified": [
        ("toolnote_desktop.proxy.endpoint.limits:BoundedProtocol", "_make_room", None),
        ("toolnote_desktop.proxy.endpoint.limits", "HEAD_SECONDS", 30.0),
    ],
    "notes": [
        ("toolnote_desktop.proxy.tools.tool_annotation", "MAX_NOTES_PER_TOOL", ENDLESS),
        ("toolnote_desktop.proxy.tools.tool_annotation:AddToolAnnotation", "max notes", None),
        ("toolnote_desktop.proxy.tools.tool_annotation", "submit_or_withdraw", None),
    ],
    "incoming": [("toolnote_desktop.proxy.waiting_calls:IncomingBodies", "add", lambda bodies, principal, size: True)],
    "bulky": [
        ("toolnote_desktop.proxy.endpoint.handler", "bulky_steps", lambda raw: iter(())),
    ],
    "pipelined": [
        ("toolnote_desktop.proxy.endpoint.limits", "MAX_PIPELINED", ENDLESS),
        ("toolnote_desktop.proxy.endpoint.limits", "MAX_PIPELINED_UNVERIFIED", ENDLESS),
    ],
    "list": [
        ("toolnote_desktop.proxy.upstream.list_reader", "MAX_ENTRIES", ENDLESS),
        ("toolnote_desktop.proxy.upstream.list_reader", "MAX_TOOLS", ENDLESS),
        ("toolnote_desktop.proxy.upstream.list_reader", "MAX_BYTES", ENDLESS),
        ("toolnote_desktop.proxy.upstream.list_reader", "MAX_ENTRY_BYTES", ENDLESS),
    ],
    "exact": [
        ("toolnote_desktop.proxy.transports.jsonrpc", "EXACT_LIMIT", ENDLESS),
        ("toolnote_desktop.proxy.transports.jsonrpc", "MAX_BATCH", ENDLESS),
        ("toolnote_desktop.proxy.transports.jsonrpc", "REPAIR_LIMIT", ENDLESS),
        ("toolnote_desktop.proxy.transports.strict_json", "REPAIR_LIMIT", ENDLESS),
    ],
    "members": [("toolnote_desktop.proxy.transports.jsonrpc", "_picked", None)],
    "body": [("toolnote_desktop.proxy.endpoint.handler", "BODY_LIMIT", ENDLESS)],
    "head": [("toolnote_desktop.proxy.endpoint.limits", "HEAD_LIMIT", ENDLESS)],
    "line": [("toolnote_desktop.proxy.transports.stdio", "LINE_LIMIT", ENDLESS)],
    "sessions": [("toolnote_desktop.proxy.endpoint.sdk_loader", "MAX_SESSIONS", ENDLESS)],
    "turns": [("toolnote_desktop.proxy.transports.stdio", "TURN", 1e9)],
    "trim": [("toolnote_desktop.system.memory", "release", lambda: None)],
    "link": [("toolnote_desktop.desktop.add_servers.deep_link", "MAX_LINK", ENDLESS)],
}
"""Values of each guard that let everything pass: module (and class), attribute, value."""


def take_out(names: str) -> None:
    """Take out guards, given by name and separated by commas."""
    for name in filter(None, names.split(",")):
        for place, attribute, value in GUARDS[name]:
            module, _, owner = place.partition(":")
            target: Any = importlib.import_module(module)
            for part in filter(None, owner.split(".")):
                target = getattr(target, part)
            special: Callable[[Any], None] | None = _SPECIAL.get((name, attribute))
            if special is not None:
                special(target)
            else:
                assert hasattr(target, attribute), f"{place} has no {attribute}: was it renamed?"
                setattr(target, attribute, value)


def _refuse_over_limit(protocol: Any) -> None:
    """Refuse new connections when all are taken, as before there was a share for unknown ones."""
    limits = importlib.import_module("toolnote_desktop.proxy.endpoint.limits")

    def make_room(connection: Any) -> None:
        if len(connection.connections) > limits.max_connections():
            connection._refuse(b"503 Service Unavailable")

    protocol._make_room = make_room


def _all_members(jsonrpc: Any) -> None:
    """Make a dictionary of all members of an object, to take some of them."""

    def picked(raw: bytes, names: tuple[str, ...]) -> dict[str, bytes]:
        found = {key: bytes(value) for key, value in jsonrpc._MEMBERS(raw).items()}
        return {name: found[name] for name in names if name in found}

    jsonrpc._picked = picked


def _any_number_of_notes(arguments: Any) -> None:
    field = arguments.model_fields["notes"]
    field.metadata = [one for one in field.metadata if not hasattr(one, "max_length")]
    arguments.model_rebuild(force=True)


def _an_edit_for_each_note(module: Any) -> None:
    """Submit an edit for each note, all before the first is on disk."""

    async def submit_each(edit: Any, context: Any) -> None:
        edits = [module.AddNotes(edit.place, (note,)) for note in edit.notes]
        saved = [context.library.submit(one, origin=context.origin).saved for one in edits]
        for future in saved:
            await asyncio.wrap_future(future)

    module.submit_or_withdraw = submit_each


_SPECIAL: Final[dict[tuple[str, str], Callable[[Any], None]]] = {
    ("unverified", "_make_room"): _refuse_over_limit,
    ("notes", "max notes"): _any_number_of_notes,
    ("members", "_picked"): _all_members,
    ("notes", "submit_or_withdraw"): _an_edit_for_each_note,
}
