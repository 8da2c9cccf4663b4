"""Secrets of a server at its launch, and notification of their changes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from typing import Final, NoReturn

from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.secrets.variable_expansion import secret_references
from toolnote_desktop.model.servers import Server
from toolnote_desktop.proxy.aio.aligned_timer import delay_to_next_tick
from toolnote_desktop.store.secrets.store import KEYCHAIN_PROBLEMS, SecretStore
from toolnote_desktop.system.threads import in_thread

POLL_INTERVAL: Final = 2.0
"""Seconds between two checks of the file that other processes write when they set a secret."""

SecretChanged = Callable[[str, str], None]
"""Callback with a server and the name of one of its secrets."""


async def secrets_for(store: SecretStore | None, server: str, entry: Server) -> dict[str, str]:
    """Return the secrets that an entry refers to, by name; missing ones are left out.

    Raises:
        ToolnoteError: the keychain cannot be read; with the ``field`` that refers to the secret.
    """
    found: dict[str, str] = {}
    for name, field in secret_references(entry).items() if store is not None else ():
        try:
            value = await in_thread(store.read, server, name) if store is not None else None
        except ToolnoteError as error:
            raise ToolnoteError(error.problem.code, **{**error.problem.parameters, "field": field}) from None
        if value is not None:
            found[name] = value
    return found


def missing_secrets(problem: Problem | None) -> Iterable[str]:
    """Return the secret for lack of which a server is not connected."""
    if problem is None:
        return ()
    if problem.code in KEYCHAIN_PROBLEMS:
        return (problem.parameters["name"],)
    variable = problem.parameters.get("variable", "") if problem.code is Code.VALUE_MISSING else ""
    return (variable.removeprefix("secret:"),) if variable.startswith("secret:") else ()


async def watch_secrets(store: SecretStore, changed: SecretChanged, keychain_works: Callable[[], None]) -> NoReturn:
    """Report each secret that is set or removed, and that the keychain works (again), until cancelled.

    Changes of this process are reported at once, those of others within ``POLL_INTERVAL`` seconds.
    """
    loop = asyncio.get_running_loop()
    changed_here = asyncio.Event()

    def mark_changed() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has closed meanwhile
            loop.call_soon_threadsafe(changed_here.set)

    unsubscribe = store.subscribe(mark_changed)
    try:
        stamp, versions = store.stamp(), await asyncio.to_thread(store.versions)
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(delay_to_next_tick(POLL_INTERVAL)):
                    await changed_here.wait()
            if not changed_here.is_set() and store.stamp() == stamp:
                continue
            if changed_here.is_set():
                keychain_works()
            changed_here.clear()
            stamp, before, versions = store.stamp(), versions, await asyncio.to_thread(store.versions)
            for server, name in dict.fromkeys([*before, *versions]):
                if before.get((server, name)) != versions.get((server, name)):
                    changed(server, name)
    finally:
        unsubscribe()
