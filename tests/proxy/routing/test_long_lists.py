"""Lists of very many tools are processed in time slices, between the calls of others."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Iterator

import pytest

from tests.proxy.turns import turns_while
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import (
    CATALOG,
    SERVER_ENTRIES,
    SERVERS,
    AddEntry,
    CreateDocument,
    RemoveEntry,
    toolset_document,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.review import decision_fields
from toolnote_desktop.model.tools.tool import Unreadable
from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.protocol import Era
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.upstream import list_reader
from toolnote_desktop.proxy.upstream.handshake import HandshakeResult
from toolnote_desktop.proxy.upstream.list_reader import ALL_LISTS, ListReader
from toolnote_desktop.proxy.upstream.server import Listed
from toolnote_desktop.store.library import Library

TOOLS = 300

pytestmark = pytest.mark.usefixtures("yielding")


def tools(description: str = "") -> tuple[JsonObject, ...]:
    schema = {"type": "object"}
    return tuple({"name": f"tool_{n}", "inputSchema": schema, "description": description} for n in range(TOOLS))


@pytest.fixture
def library(home: Home) -> Iterator[Library]:
    library = Library.open(home, watch=False)
    library.submit(
        AddEntry(SERVERS, SERVER_ENTRIES, "a", {"command": "a", "toolnote": {"toolset": "mine"}}),
        CreateDocument(toolset_document("mine"), {"name": "mine", "tools": []}),
    )
    yield library
    library.close()


def descriptions(library: Library) -> set[str]:
    return {known.tool.description for known in library.snapshot.catalogue.servers["a"].tools}


def test_others_have_their_turn_while_tools_are_taken_in_and_nobody_sees_half_of_them(
    library: Library, registry: Registry
) -> None:
    seen: list[set[str]] = []

    async def go() -> None:
        for description in ("one", "two"):
            seen.clear()
            unsubscribe = library.subscribe(lambda _change: seen.append(descriptions(library)))
            listing = asyncio.ensure_future(registry.listed_in_slices("a", Listed(tools=tools(description))))
            assert await turns_while(listing) >= TOOLS
            unsubscribe()
            assert seen, "it was published"
            assert all(one == {description} for one in seen)
        assert all(known.changed for known in library.snapshot.catalogue.tools.values())
        assert len(library.snapshot.toolsets["mine"].tools) == TOOLS

    asyncio.run(go())


def test_tools_that_are_accepted_meanwhile_stay_accepted(library: Library, registry: Registry) -> None:
    async def go() -> None:
        registry.listed("a", Listed(tools=tools("one")))
        registry.listed("a", Listed(tools=tools("two")))
        listing = asyncio.ensure_future(registry.listed_in_slices("a", Listed(tools=tools("two"))))
        for _ in range(10):
            await asyncio.sleep(0)
        known = library.snapshot.catalogue.tools["a", "tool_3"]
        library.submit(SetToolSettings("a.tool_3", {"review": decision_fields(known, "accept")}))
        registry.review()
        assert not listing.done()
        await listing
        changed = {known.tool.name for known in library.snapshot.catalogue.tools.values() if known.changed}
        assert changed == {one["name"] for one in tools()} - {"tool_3"}

    asyncio.run(go())


def test_of_two_lists_at_once_the_whole_of_the_last_one_counts(library: Library, registry: Registry) -> None:
    async def go() -> None:
        one, other = Listed(tools=tools("one")), Listed(tools=tools("other"))
        await asyncio.gather(registry.listed_in_slices("a", one), registry.listed_in_slices("a", other))
        assert descriptions(library) == {"other"}
        await asyncio.gather(registry.listed_in_slices("a", other), registry.listed_in_slices("a", one))
        assert descriptions(library) == {"one"}

    asyncio.run(go())


def test_a_connection_that_ends_meanwhile_leaves_everything_as_it_was(library: Library, registry: Registry) -> None:
    async def go() -> None:
        registry.listed("a", Listed(tools=tools("one")))
        before = library.snapshot
        listing = asyncio.ensure_future(registry.listed_in_slices("a", Listed(tools=tools("two"))))
        for _ in range(10):
            await asyncio.sleep(0)
        listing.cancel()
        await asyncio.gather(listing, return_exceptions=True)
        assert library.snapshot is before
        registry.listed("a", Listed(tools=tools("three")))
        assert descriptions(library) == {"three"}

    asyncio.run(go())


def test_a_server_that_is_removed_meanwhile_is_not_waited_for(library: Library, registry: Registry) -> None:
    async def go() -> None:
        listing = asyncio.ensure_future(registry.listed_in_slices("a", Listed(tools=tools("one"))))
        for _ in range(10):
            await asyncio.sleep(0)
        library.submit(RemoveEntry(SERVERS, SERVER_ENTRIES, "a"))
        registry.apply(library.snapshot.servers)
        await listing
        assert library.snapshot.catalogue.servers == {}

    asyncio.run(go())


def test_the_same_list_again_changes_nothing_and_writes_nothing(library: Library, registry: Registry) -> None:
    registry.listed("a", Listed(tools=tools("one"), prompts=({"name": "p"},)))
    before, document = library.snapshot.catalogue, library.raw(CATALOG)
    registry.listed("a", Listed(tools=tools("one"), prompts=({"name": "p"},)))
    after = library.snapshot.catalogue
    assert after.servers["a"].tools is before.servers["a"].tools
    assert after.servers["a"].prompts is before.servers["a"].prompts
    assert after.exposed is before.exposed
    assert library.raw(CATALOG) is document
    registry.listed("a", Listed(tools=tools("one"), prompts=({"name": "p"},), instructions="New."))
    assert (library.raw(CATALOG) or {})["servers"]["a"]["instructions"] == "New."


def test_names_are_worked_out_again_only_where_tools_come_or_go(library: Library, registry: Registry) -> None:
    registry.listed("a", Listed(tools=tools("one")))
    exposed = library.snapshot.catalogue.exposed
    registry.listed("a", Listed(tools=tools("two")))
    assert library.snapshot.catalogue.exposed is exposed
    registry.listed("a", Listed(tools=(*tools("two"), {"name": "late", "inputSchema": {"type": "object"}})))
    assert library.snapshot.catalogue.exposed["a", "late"] == "a_late"


class Server:
    """Answers ``tools/list`` with a page after the other."""

    def __init__(self) -> None:
        self.pages: list[bytes] = []

    def lists(self, *pages: tuple[JsonObject, ...]) -> None:
        """These from now on."""
        self.pages = [json_text.dumps(page)[1:-1] for page in pages]

    async def ask(self, method: str, params: bytes | None) -> Reply:
        """See ``listing.Ask``."""
        assert method == "tools/list"
        number = 0 if params is None else int(json_text.loads(params)["cursor"])
        more = b',"nextCursor":"%d"' % (number + 1) if number + 1 < len(self.pages) else b""
        return Reply(b'{"tools":[%s]%s}' % (self.pages[number], more))


def lists_of(server: Server) -> ListReader:
    return ListReader("a", HandshakeResult(Era.HANDSHAKE, "2025-11-25", capabilities={"tools": {}}), server.ask)


def test_others_have_their_turn_while_a_list_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_reader, "_AT_ONCE", 100)

    async def go() -> None:
        server = Server()
        server.lists(tools("one"), tools("two"))
        reading = asyncio.ensure_future(lists_of(server).read(ALL_LISTS, None))
        assert await turns_while(reading) >= 2 * TOOLS
        assert reading.result().tools == (*tools("one"), *tools("two"))

    asyncio.run(go())


def test_of_a_list_that_is_read_again_only_what_changed_is_parsed() -> None:
    async def go() -> None:
        server = Server()
        lists = lists_of(server)
        server.lists(tools("one"))
        before = (await lists.read(ALL_LISTS, None)).tools
        changed = {**tools()[7], "description": "Changed."}
        server.lists((*tools("one")[:7], changed), (*tools("one")[8:], tools("one")[0]))
        after = (await lists.read(ALL_LISTS, None)).tools
        assert after == (*before[:7], changed, *before[8:], before[0])
        assert [n for n, tool in enumerate(after) if tool is not before[n % TOOLS]] == [7]
        server.lists((changed,))
        assert (await lists.read(ALL_LISTS, None)).tools[0] is after[7]

    asyncio.run(go())


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        (b'{"name":"\\ud800"}', {"name": "\ufffd"}),
        (b'{"name":"\xff"}', {"name": "\ufffd"}),
        (b'{"n":123456789012345678901234567890, "n" : 1.50}', {"n": 1.5}),
        (b" null ", None),
    ],
)
def test_an_odd_entry_is_read_as_what_it_is_and_takes_no_other_with_it(entry: bytes, value: object) -> None:
    async def go() -> None:
        server = Server()
        server.pages = [b'"before",%s,"after"' % entry]
        listed = await lists_of(server).read(ALL_LISTS, None)
        assert listed.tools == ("before", value, "after")
        assert listed.problems == ()

    asyncio.run(go())


@pytest.mark.parametrize("entry", [b"7", b'{"a":1}'])
def test_entries_over_the_limit_are_never_made(entry: bytes) -> None:
    """Red team M3: four million entries cost 1.1 GB. Seen red with ``jsonrpc.items`` for each list."""
    count = 8_000_000 // (len(entry) + 1)

    async def go() -> None:
        server = Server()
        server.pages = [entry + (b"," + entry) * (count - 1)]
        lists = lists_of(server)
        tracemalloc.start()
        try:
            listed = await lists.read(ALL_LISTS, None)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert len(listed.tools) == list_reader.MAX_TOOLS
        assert [problem.parameters["reason"] for problem in listed.problems] == ["there are more than 6000 entries"]
        assert peak < 100_000_000

    asyncio.run(go())


def test_list_over_the_limit_of_bytes_is_not_parsed() -> None:
    async def go() -> None:
        server = Server()
        page = b'"%s"' % b'","'.join([b"x" * 500_000] * 6)
        server.pages = [page, page.replace(b"x", b"y"), page.replace(b"x", b"z")]
        listed = await lists_of(server).read(ALL_LISTS, None)
        assert [tool[0] for tool in listed.tools] == ["x"] * 6 + ["y"] * 6
        assert [problem.parameters["reason"] for problem in listed.problems] == ["it has more than 8 MB"]

    asyncio.run(go())


def test_entry_of_megabytes_costs_no_other() -> None:
    """Seen red without the limit: the entry was parsed in one piece."""

    async def go() -> None:
        server = Server()
        server.pages = [b'"a",[%s7],"b"' % (b"7," * 600_000)]
        listed = await lists_of(server).read(ALL_LISTS, None)
        assert listed.tools == ("a", Unreadable("it has more than 1 MB"), "b")

    asyncio.run(go())


def test_long_list_with_nan_is_read_in_slices() -> None:
    """Seen red with an exact scan of the whole result."""

    async def go() -> None:
        server = Server()
        entries = b",".join(b'{"name":"t%d","x":"%s"}' % (number, b"y" * 200) for number in range(5_000))
        server.pages = [b'{"name":"odd","x":NaN},' + entries]
        reading = asyncio.ensure_future(lists_of(server).read(ALL_LISTS, None))
        turns = await turns_while(reading)
        listed = reading.result()
        assert len(listed.tools) == 5_001
        assert listed.tools[1]["name"] == "t0"
        assert turns > 5

    asyncio.run(go())


def test_tool_with_nan_costs_no_other() -> None:
    """Case U07."""

    async def go() -> None:
        server = Server()
        server.pages = [b'{"name":"a","x":{"default":NaN,"y":1}},{"name":"b","inputSchema":NaN},{"name":"c"}']
        listed = await lists_of(server).read(ALL_LISTS, None)
        assert listed.tools[0] == {"name": "a", "x": {"y": 1}}
        assert listed.tools[1] == Unreadable("its inputSchema contains NaN or Infinity", "b")
        assert listed.tools[2] == {"name": "c"}
        assert listed.problems == ()

    asyncio.run(go())
