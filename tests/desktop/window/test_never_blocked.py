"""Nothing blocks the window: a silent server, one that floods its log, a client that calls all the time, 10,000 tools.

The machine's own pauses are allowed for: those of the idle window before, and those of another process, which only
waits, at the same time. The figures are printed.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from tests.benchmarks.client import HttpClient
from tests.desktop import sample
from tests.desktop.shell.test_app import endpoint, quit_app
from tests.product.person import person_at
from tests.servers.launch import raw_server_entry
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool, ServerListing
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

ECHO = Path(__file__).parents[2] / "benchmarks" / "server.py"
FLOOD = """
import sys
for number in range(100_000):
    print("line", number, "of a server that talks a lot", file=sys.stderr)
print("flooded", file=sys.stderr, flush=True)
sys.stdin.read()
"""

WAITER = """
import sys, time
late, end = 0.0, time.monotonic() + float(sys.argv[1])
while (began := time.monotonic()) < end:
    time.sleep(0.05)
    late = max(late, time.monotonic() - began - 0.05)
print(late)
"""

NOTE = "Ask which team it is for before this is used, and never guess it from the text of the request."
A_SECOND = 500
"""Calls."""
SECONDS = 5.0


async def call(told: dict[str, object], seconds: float) -> int:
    """Call a tool so many times a second, several at once; how many calls were answered."""
    port = int(str(told["url"]).rsplit(":", 1)[1].split("/")[0])
    client = HttpClient(port, token=str(told["bridgeSecret"]))
    await client.open()
    answered = 0
    began = time.monotonic()
    waiting: set[asyncio.Task[None]] = set()
    try:
        while (passed := time.monotonic() - began) < seconds:
            due = int(passed * A_SECOND) - answered - len(waiting)
            for _ in range(min(due, 32 - len(waiting))):
                waiting.add(asyncio.create_task(client.echo("echo_echo", f"mark-{time.monotonic_ns()}")))
            done, waiting = await asyncio.wait(waiting, timeout=0.01) if waiting else (set(), waiting)
            for one in done:
                one.result()
            answered += len(done)
            if not waiting:
                await asyncio.sleep(0.001)
        await asyncio.gather(*waiting)
    finally:
        client.close()
    return answered + len(waiting)


@contextmanager
def calling(home: Home, answered: list[int]) -> Iterator[None]:
    """A client that calls meanwhile, from a thread of its own."""
    told = endpoint(home)

    def run() -> None:
        answered.append(asyncio.run(call(told, SECONDS)))

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        thread.join()


@contextmanager
def waiting(pauses: list[float]) -> Iterator[None]:
    """A process that only waits meanwhile: how late it woke up at most, in seconds."""
    command = [sys.executable, "-I", "-S", "-c", WAITER, str(SECONDS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield
        pauses.append(float(process.communicate()[0]))


@pytest.mark.timeout(180)
@pytest.mark.once
def test_a_timer_of_the_window_is_never_late(home: Home) -> None:
    """case C68, and a client that calls 500 times a second."""
    with person_at(pictures="never-blocked") as person:
        person.presses("Not now")
        person.sees("Toolnote is on")
        idle = person.waits_at_most(2.0)
        servers = {
            "echo": {"command": sys.executable, "args": [str(ECHO), "echo", "12"]},
            "flood": {"command": sys.executable, "args": ["-c", FLOOD]},
            "silent": raw_server_entry(on={"initialize": "hang", "server/discover": "hang"}),
        }
        tools = [{"namespacedName": "echo.echo"}]
        home.toolset("my-tools").write_text(json.dumps({"name": "my-tools", "tools": tools}), encoding="utf-8")
        home.servers.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
        person.sees("silent")
        person.chooses("flood")
        person.presses("Show log")
        person.sees("flooded", "Log")
        answered: list[int] = []
        pauses = [idle]
        with calling(home, answered), waiting(pauses):
            late = person.waits_at_most(SECONDS - 1)
        print(f"50 ms timer: {idle * 1000:.0f} ms late when idle, {late * 1000:.0f} ms late under {answered[0]} calls")
        assert answered[0] > A_SECOND  # it did call meanwhile
        assert late < 0.2 + 2 * max(pauses)
        assert quit_app().returncode == 0
        assert person.waits_for_the_end() == 0


@contextmanager
def window_with(home: Home, count: int, notes: int = 0) -> Iterator[MainWindow]:
    """A window on a library of so many tools and notes on them, all of them in the toolset in use."""
    found = sample.large_catalogue(count)
    sample.write_home(home, found)
    tools = [{"namespacedName": known.tool.namespaced_name} for known in found.tools.values()]
    names = [known.tool.namespaced_name for known in found.tools.values()]
    written = [
        {"toolRef": {"namespacedName": names[number % count]}, "notes": [{"name": f"note-{number}", "note": NOTE}]}
        for number in range(notes)
    ]
    raw = {**sample.toolset_documents()["my-tools"], "tools": tools, "toolNotes": written}
    home.toolset("my-tools").write_text(json.dumps(raw), encoding="utf-8")
    library = Library.open(home, watch=False)
    library.publish_catalogue(found)
    link = ProxyLink(library, home)
    window = MainWindow(library, link)
    window.resize(1360, 840)
    window.show()
    try:
        yield window
    finally:
        window.close()
        window.deleteLater()
        link.stop()
        library.close()
        QCoreApplication.sendPostedEvents(None, 52)  # deferred deletes


Action = Callable[[], object]


def slowest(actions: Sequence[Action], times: int = 4) -> float:
    """Seconds that the slowest of these takes, with what it leaves for the event loop; each at its best of several."""
    best = [float("inf")] * len(actions)
    for _ in range(times):
        for place, action in enumerate(actions):
            began = time.perf_counter()
            action()
            QCoreApplication.processEvents()
            best[place] = min(best[place], time.perf_counter() - began)
    return max(best)


def figures(window: MainWindow) -> dict[str, float]:
    """Searches and selections."""
    window.open_search()
    assert window.search.panel is not None
    field = window.search.panel.field
    texts = ("read", "record 7", "777", "none", "")
    search = slowest([partial(field.setText, text) for text in texts])
    window.search.panel.dismiss()
    keys = [RowKey(Kind.TOOL, "source-3", f"read_{number}") for number in range(4)]
    return {"search": search, "select": slowest([partial(window.go, key) for key in keys])}


def test_ten_thousand_tools_and_a_thousand_notes_are_searched_and_selected_at_once(
    qtbot: QtBot, light_theme: Theme, home: Home, tmp_path: Path
) -> None:
    small_home = Home(tmp_path / "small")
    with window_with(small_home, 500, 50) as window:
        small = figures(window)
    with window_with(home, 10_000, 1_000) as window:
        large = figures(window)
    for name, seconds in large.items():
        print(f"{name}: {seconds * 1000:.0f} ms at 10,000 tools, {small[name] * 1000:.0f} ms at 500")
    # 20 times the tools; a machine with others on it must not fail it, a step that grows faster must
    assert large["search"] < 20 * small["search"] + 0.3
    assert large["select"] < 10 * small["select"] + 0.15


def lines_run(action: Action) -> int:
    """Lines of Python that something runs, each time that it runs them."""
    count = 0

    def trace(_frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return count


def test_what_is_shown_anew_while_assistants_come_and_go_does_not_grow_with_the_tools(
    qtbot: QtBot, light_theme: Theme, home: Home, tmp_path: Path
) -> None:
    """Seen red: Home counted all tools and notes for each assistant and state, 20 ms with 5,000 tools (attacks *search*
    and *guide*).
    """
    lines = {}
    for count, place in ((200, Home(tmp_path / "small")), (4_000, home)):
        with window_with(place, count) as window:
            window.go(RowKey(Kind.HOME))
            window._refresh()
            lines[count] = lines_run(window._refresh)
    assert lines[4_000] < 1.5 * lines[200]


WORD = "x" * 1_000_000
HOSTILE: Mapping[str, JsonObject] = {
    "description": {"description": WORD},
    "title": {"title": WORD},
    "parameter": {"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "description": WORD}}}},
    "name of a parameter": {"inputSchema": {"type": "object", "properties": {WORD: {"type": "string"}}}},
    "values": {"inputSchema": {"type": "object", "properties": {"a": {"enum": list(map(str, range(20_000)))}}}},
}


def test_a_word_of_a_megabyte_holds_the_window_no_longer_than_ordinary_text(
    qtbot: QtBot, light_theme: Theme, home: Home
) -> None:
    """A title of a megabyte held it for 5 s, and the form of *Try it* for 7 s: seen red."""
    plain = {"description": "words " * 100, "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}
    definitions = {"plain": plain, **HOSTILE}
    with window_with(home, 300) as window:
        tools = [Tool("source-0", {"name": f"tool-{number}", **one}) for number, one in enumerate(definitions.values())]
        listing = ServerListing(ServerStatus(ServerState.READY), tuple(KnownTool(tool, tool) for tool in tools))
        catalogue = window.snapshot.catalogue
        listings = {**catalogue.servers, "source-0": listing}
        names = {known.tool.key: known.tool.name for one in listings.values() for known in one.tools}
        window._library.publish_catalogue(Catalogue(listings, names))

        def show(tool: Tool) -> None:
            window.go(RowKey(Kind.TOOL, *tool.key))
            QCoreApplication.processEvents()
            window.pages.tool_page.try_tool()

        home_page = RowKey(Kind.HOME)
        seconds = {}
        for name, tool in zip(definitions, tools, strict=True):
            seconds[name] = slowest([lambda: window.go(home_page), partial(show, tool)])
            print(f"{name}: {seconds[name] * 1000:.0f} ms")
    assert max(seconds.values()) < 8 * seconds["plain"] + 0.2
