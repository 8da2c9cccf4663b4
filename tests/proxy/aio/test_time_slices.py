"""Long lists are made in slices, between other clients' calls (``time_slices``, ``served_lists``)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from tests.proxy.turns import turns_while
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import (
    NOTES,
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.aio import time_slices
from toolnote_desktop.proxy.aio.time_slices import Sliced
from toolnote_desktop.proxy.client_guidance import ClientGuidance
from toolnote_desktop.proxy.endpoint.list_changed import ListChangedNotifier
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.proxy.routing.served_lists import ClientView, ServedLists
from toolnote_desktop.proxy.routing.toolset_choice import ToolsetSelector
from toolnote_desktop.proxy.upstream.server import Listed
from toolnote_desktop.store.library import Library

TOOLS = 300
CALLER = Principal("someone")


@pytest.fixture
def library(home: Home) -> Iterator[Library]:
    """With many tools in one toolset."""
    library = Library.open(home, watch=False)
    library.submit(
        AddEntry(SERVERS, SERVER_ENTRIES, "a", {"command": "a", "toolnote": {"toolset": "mine"}}),
        CreateDocument(toolset_document("mine"), {"name": "mine", "tools": []}),
        SetFields(SETTINGS, {"equippedToolset": "mine"}),
    )
    registry = Registry(library)
    registry.apply(library.snapshot.servers)
    tools = tuple({"name": f"tool_{n}", "inputSchema": {"type": "object"}} for n in range(TOOLS))
    registry.listed("a", Listed(tools=tools))
    yield library
    library.close()


@pytest.fixture
def exposed(library: Library) -> ServedLists:
    return ServedLists(ToolsetSelector(library), ClientGuidance.of(library.home))


def steps(count: int, made: list[int]) -> Generator[None, None, int]:
    for number in range(count):
        made.append(number)
        yield
    return count


@pytest.mark.usefixtures("yielding")
def test_shared_work_is_done_once_for_all_callers_while_the_loop_runs() -> None:
    async def go() -> None:
        made: list[int] = []
        sliced = Sliced(steps(50, made))
        everybody = asyncio.gather(*(sliced.in_slices() for _ in range(10)))
        assert await turns_while(everybody) >= 50
        assert everybody.result() == [50] * 10
        assert made == list(range(50))
        assert sliced.is_made
        assert sliced.at_once() == await sliced.in_slices() == 50

    asyncio.run(go())


@pytest.mark.usefixtures("yielding")
def test_threads_take_shorter_turns_while_long_work_is_sliced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window must not wait for 5 ms each time that it comes back from one of Qt's functions."""
    turns: list[str] = []

    @contextlib.contextmanager
    def short_turns() -> Iterator[None]:
        turns.append("short")
        yield
        turns.append("usual")

    def steps() -> Generator[None, None, list[list[str]]]:
        found = []
        for _ in range(3):
            found.append(list(turns))
            yield
        return found

    monkeypatch.setattr(time_slices, "short_turns", short_turns)
    assert asyncio.run(Sliced(steps()).in_slices()) == [[], ["short"], ["short"]]
    assert turns == ["short", "usual"]


@pytest.mark.usefixtures("yielding")
def test_synchronous_caller_finishes_the_rest() -> None:
    async def go() -> None:
        made: list[int] = []
        sliced = Sliced(steps(50, made))
        waiting = asyncio.ensure_future(sliced.in_slices())
        while len(made) < 10:
            await asyncio.sleep(0)
        assert len(made) < 50
        assert sliced.at_once() == 50
        assert await waiting == 50
        assert made == list(range(50))

    asyncio.run(go())


@pytest.mark.usefixtures("yielding")
def test_cancelled_waiter_leaves_the_work_to_the_others() -> None:
    async def go() -> None:
        sliced = Sliced(steps(50, []))
        one, other = asyncio.ensure_future(sliced.in_slices()), asyncio.ensure_future(sliced.in_slices())
        await asyncio.sleep(0)
        one.cancel()
        assert await other == 50
        assert one.cancelled()

    asyncio.run(go())


@pytest.mark.usefixtures("yielding")
@pytest.mark.parametrize("change", ["first list", "a note on every tool", "another toolset", "another dialect"])
def test_the_loop_turns_while_many_tools_are_made_anew(library: Library, exposed: ServedLists, change: str) -> None:
    async def go() -> None:
        if change != "first list":
            exposed.view(library.snapshot, CALLER).listed.at_once()
        if change == "a note on every tool":
            library.submit(SetFields(NOTES, {"global": [{"name": "n", "note": "Of all."}]}))
        elif change == "another toolset":
            tools = [{"namespacedName": f"a.tool_{n}", "category": "C"} for n in range(TOOLS)]
            library.submit(
                CreateDocument(toolset_document("other"), {"name": "other", "tools": tools}),
                SetFields(SETTINGS, {"equippedToolset": "other"}),
            )
        elif change == "another dialect":
            assert exposed.introduce(CALLER, {"name": "gemini-cli", "version": "1"})
        view = exposed.view(library.snapshot, CALLER)
        assert len(view.tools) == TOOLS, "what may be called is known at once"
        assert not view.listed.is_made
        making = asyncio.ensure_future(view.listed.in_slices())
        assert await turns_while(making) >= TOOLS
        fresh = ServedLists(ToolsetSelector(library), exposed.guidance)
        assert making.result() == fresh.view(library.snapshot, CALLER).listed.at_once()
        assert [tool["name"] for tool in json.loads(making.result())[-TOOLS:]] == list(view.tools)

    asyncio.run(go())


def test_an_edit_of_one_tool_encodes_one_tool(
    library: Library, exposed: ServedLists, monkeypatch: pytest.MonkeyPatch
) -> None:
    exposed.view(library.snapshot, CALLER).listed.at_once()
    encoded: list[str] = []
    real = json_text.dumps_for_clients

    def dumps(value: JsonObject) -> bytes:
        encoded.append(value["name"])
        return real(value)

    monkeypatch.setattr(json_text, "dumps_for_clients", dumps)
    library.submit(SetFields(NOTES, {"tools": {"a.tool_7": [{"name": "n", "note": "Of one."}]}}))
    assert b"Of one." in exposed.view(library.snapshot, CALLER).listed.at_once()
    assert encoded == ["a_tool_7"]


class Told:
    """Stands where the sessions are; who is told takes its time."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.heard = asyncio.Event()

    async def notify_list_changed(self, principal: Principal, kind: str) -> None:
        self.kinds.append(kind)
        await self.heard.wait()


@pytest.mark.usefixtures("yielding")
def test_change_during_a_round_of_notices_is_announced_after_it(
    library: Library, exposed: ServedLists, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolnote_desktop.proxy.endpoint.list_changed.QUIET_SECONDS", 0.0)

    def view(principal: Principal) -> ClientView:
        return exposed.view(library.snapshot, principal)

    async def go() -> None:
        told, announced = Told(), []
        notices = ListChangedNotifier(told, view, lambda: [CALLER], lambda: announced.append(1), lambda *_: None)  # type: ignore[arg-type]
        running = asyncio.ensure_future(notices.run())
        notices.refresh_callers()
        await view(CALLER).listed.in_slices()
        notices.record_fetched(CALLER, view(CALLER))
        assert notices.is_up_to_date(CALLER)

        def change(text: str) -> None:
            library.submit(SetFields(NOTES, {"global": [{"name": "n", "note": text}]}))
            notices.changed()

        change("First.")
        assert notices.is_up_to_date(CALLER), "as it was, until it is known"
        while not told.kinds:
            await asyncio.sleep(0)
        assert view(CALLER).listed.is_made, "who asks after the notice finds all of it"
        assert not notices.is_up_to_date(CALLER)
        for text in ("Second.", "Third."):
            change(text)
            await asyncio.sleep(0)
        assert told.kinds == ["tools"]
        told.heard.set()
        while len(announced) < 2:
            await asyncio.sleep(0)
        assert told.kinds == ["tools", "tools"], "the first change, and the two after it together"
        running.cancel()

    asyncio.run(go())


@pytest.mark.parametrize(("long", "rest"), [(-1.0, time_slices.REST), (60.0, 0)])
def test_a_slice_that_took_long_is_followed_by_a_rest(
    monkeypatch: pytest.MonkeyPatch, long: float, rest: float
) -> None:
    """Seen red without: the window came back to the interpreter once between two checks of 40 MB."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    def steps() -> Generator[None, None, None]:
        for _ in range(4):
            yield

    monkeypatch.setattr(time_slices, "SLICE", -1.0)
    monkeypatch.setattr(time_slices, "LONG_STEP", long)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    asyncio.run(time_slices.in_slices(steps()))
    assert slept == [0, rest, rest, rest]


def test_threads_take_short_turns_while_a_list_is_registered_and_shown(
    library: Library, exposed: ServedLists, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window waited 5 ms at each of Qt's functions while 1,000 tools joined a toolset and a view was made."""
    usual = sys.getswitchinterval()
    seen: dict[str, float] = {}
    for name in ("publish_catalogue", "submit"):
        of_library: Any = getattr(library, name)

        def noted(*given: Any, name: str = name, call: Any = of_library, **named: Any) -> Any:
            seen[name] = sys.getswitchinterval()
            return call(*given, **named)

        monkeypatch.setattr(library, name, noted)
    registry = Registry(library)
    registry.apply(library.snapshot.servers)
    tools = tuple({"name": f"other_{n}", "inputSchema": {"type": "object"}} for n in range(3))
    asyncio.run(registry.listed_in_slices("a", Listed(tools=tools)))
    build = exposed._build_view

    def built(*given: Any) -> ClientView:
        seen["view"] = sys.getswitchinterval()
        return build(*given)

    monkeypatch.setattr(exposed, "_build_view", built)
    exposed.view(library.snapshot, CALLER)
    assert set(seen) == {"publish_catalogue", "submit", "view"}
    assert max(seen.values()) < usual
    assert sys.getswitchinterval() == usual
