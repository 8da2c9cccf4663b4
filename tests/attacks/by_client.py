"""Attacks by clients with a token of their own: a program, or an assistant that was talked into it."""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import time
from collections.abc import Callable, Iterator

from tests.attacks.arena import ATTACKER, HERE, SEARCHER, TOOLSET, Arena, Attack, Client
from toolnote_desktop.model.edits import toolset_document
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import SetToolFields

CONSENT = {"user_consent": "DELETE_TOOLSET"}
HANG = {"type": "stdio", "command": sys.executable, "args": ["-I", str(HERE / "hostile_stdio.py"), "hang"]}


@contextlib.contextmanager
def hung(arena: Arena) -> Iterator[Client]:
    """Return a client of a server that hangs in its first call."""
    with arena.server("hung", HANG):
        time.sleep(1.5)
        yield arena.client()


def abandon(number: int, size: int) -> Callable[[Arena], None]:
    """Return calls that are sent and whose connection is closed at once."""

    def run(arena: Arena) -> None:
        with hung(arena) as client:
            for index in range(number):
                with arena.connect() as one, contextlib.suppress(ConnectionError):
                    one.sendall(client.call("hung_t", {"x": "y" * size}, index))

    return run


def hold(number: int, size: int) -> Callable[[Arena], None]:
    """Return calls that wait for an answer, each on its connection."""

    def run(arena: Arena) -> None:
        with hung(arena) as client, contextlib.ExitStack() as stack:
            for index in range(number):
                one = stack.enter_context(arena.connect())
                with contextlib.suppress(ConnectionError):
                    one.sendall(client.call("hung_t", {"x": "y" * size}, index))
            time.sleep(2)

    return run


def note(text: str, count: int, calls: int = 1) -> Callable[[Arena], None]:
    """Return calls that add notes."""

    def run(arena: Arena) -> None:
        client = arena.client()
        for index in range(calls):
            notes = [{"name": f"n-{index}-{number}", "note": text} for number in range(count)]
            arguments = {"toolRef": {"namespacedName": "good.counter"}, "notes": notes}
            client.exchange(client.call("add-tool-annotation", arguments, index))
        for index in range(0 if count > 50 else calls):
            for number in range(count):
                name = f"n-{index}-{number}"
                arguments = {"toolRef": {"namespacedName": "good.counter"}, "name": name}
                client.exchange(client.call("remove-tool-annotation", arguments))

    return run


def repeat(make: Callable[[Client, int], bytes], number: int, token: str = ATTACKER) -> Callable[[Arena], None]:
    """Return many requests, one after the other on one connection, whose answers are read."""

    def run(arena: Arena) -> None:
        client = arena.client(token)
        with arena.connect() as one:
            one.settimeout(30)
            for index in range(number):
                client.answer(one, make(client, index))

    return run


def unread(make: Callable[[Client, int], bytes], number: int, connections: int = 1) -> Callable[[Arena], None]:
    """Return requests that are sent in a row and whose answers are not read."""

    def run(arena: Arena) -> None:
        client = arena.client()
        with contextlib.ExitStack() as stack:
            for _ in range(connections):
                one = stack.enter_context(arena.connect())
                one.settimeout(1)
                with contextlib.suppress(OSError):
                    for index in range(number):
                        one.sendall(make(client, index))
            time.sleep(2)

    return run


def sessions(number: int, size: int) -> Callable[[Arena], None]:
    """Return sessions that are opened and left."""

    def run(arena: Arena) -> None:
        for _ in range(number):
            Client(arena.port).initialize(experimental={"x": {"y": "z" * size}})

    return run


def body(data: Callable[[], bytes]) -> Callable[[Arena], None]:
    """Return one request with this body."""

    def run(arena: Arena) -> None:
        client = arena.client()
        content = data()
        client.exchange(client.head(len(content)) + content)

    return run


def partial_bodies(arena: Arena) -> None:
    """Send bodies of 900 KB each but for their last byte, on many connections."""
    client = arena.client()
    data = client.call("other_counter", {"x": "y" * 900_000})
    with contextlib.ExitStack() as stack:
        for _ in range(300):
            one = stack.enter_context(arena.connect())
            with contextlib.suppress(OSError):
                one.sendall(data[:-1])
        time.sleep(2)


def streams(arena: Arena) -> None:
    """Open 300 streams of notifications."""
    with contextlib.ExitStack() as stack:
        for _ in range(300):
            client = Client(arena.port)
            client.initialize()
            one = stack.enter_context(arena.connect())
            one.sendall(client.head(0, "GET"))
        time.sleep(1)


def builds(arena: Arena) -> None:
    """Build and delete toolsets."""
    client = arena.client()
    for number in range(60):
        tools = [{"namespacedName": "good.counter"}]
        client.exchange(client.call("build-toolset", {"name": f"attack-{number}", "tools": tools}))
    for number in range(60):
        client.exchange(client.call("delete-toolset", {"name": f"attack-{number}", "confirm": True, **CONSENT}))


def batch(arena: Arena) -> None:
    """Send batches of 256 calls."""
    client = Client(arena.port)
    info = {"name": "attacker", "version": "1"}
    params = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": info}
    answer = client.exchange(client.request("initialize", params)).decode("latin-1")
    client.session = answer.lower().partition("mcp-session-id: ")[2].partition("\r\n")[0]
    one = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "other_counter", "arguments": {}}}
    content = json.dumps([{**one, "id": number} for number in range(256)]).encode()
    for _ in range(10):
        client.exchange(client.head(len(content)) + content)


def big_call(arena: Arena) -> None:
    """Call with arguments of 60 MB."""
    client = arena.client()
    client.exchange(client.call("other_counter", {"x": "y" * 60_000_000}))


def drip(arena: Arena) -> None:
    """Send 200 requests byte by byte."""
    client = arena.client()
    data = client.call("other_counter")
    with contextlib.ExitStack() as stack:
        held: list[socket.socket] = [stack.enter_context(arena.connect()) for _ in range(60)]
        for byte in range(60):
            for one in held:
                with contextlib.suppress(OSError):
                    one.sendall(data[byte : byte + 1])


OBJECTS = b"[" + b'{"a":1},' * 5_000_000 + b"7]"


def long_id(client: Client, number: int) -> bytes:
    """Return a call whose id is long."""
    content = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": "i" * 900_000 + str(number),
            "method": "tools/call",
            "params": {"name": "other_counter"},
        }
    ).encode()
    return client.head(len(content)) + content


def held_bodies(number: int, size: int) -> Callable[[Arena], None]:
    """Return bodies that are sent but for their last bytes and stay on their way."""

    def run(arena: Arena) -> None:
        client = arena.client()
        part = client.head(size + 1_000) + b"x" * size
        with contextlib.ExitStack() as stack:
            for _ in range(number):
                one = stack.enter_context(arena.connect())
                one.settimeout(2)
                with contextlib.suppress(OSError):
                    one.sendall(part)
            time.sleep(2)

    return run


def bulky(tool: str, text: bytes, number: int = 3) -> Callable[[Arena], None]:
    """Return calls with raw arguments."""

    def run(arena: Arena) -> None:
        client = arena.client()
        begin = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{"x":' % tool.encode()
        content = begin + text + b"}}}"
        for _ in range(number):
            client.exchange(client.head(len(content)) + content)

    return run


def ruled(arena: Arena) -> None:
    """Call a tool with a rule, whose arguments have to be read, with 40 MB of what looks like many values."""
    name = ToolReference("other.counter")
    arena.edit(SetToolFields(toolset_document(TOOLSET), name, {"argumentDefaults": {"y": 1}}))
    try:
        time.sleep(1)
        bulky("other_counter", b"[" + (b'"' + b",\\n" * 66 + b'",') * 199_000 + b"7]")(arena)
    finally:
        arena.edit(SetToolFields(toolset_document(TOOLSET), name, {"argumentDefaults": None}))
        time.sleep(1)


def read_of_templates(arena: Arena) -> None:
    """Read resources whose addresses nearly match templates."""
    entry = {**HANG, "args": [*HANG["args"][:-1], "templates"]}
    with arena.server("hostile", entry):
        time.sleep(2)
        client = arena.client()
        for number in range(20):
            client.exchange(client.request("resources/read", {"uri": f"x{number}://" + "a" * 2_000}))


def subscriptions(arena: Arena) -> None:
    """Subscribe to 5,000 resources with long addresses."""
    entry = {**HANG, "args": [*HANG["args"][:-1], "subscribe"]}
    with arena.server("hostile", entry):
        time.sleep(1.5)
        client = arena.client()
        for number in range(5_000):
            client.exchange(client.request("resources/subscribe", {"uri": f"a://{number}" + "x" * 2_000}, number))


def at_once(
    make: Callable[[Client, int], bytes], number: int, seconds: float = 3.0, token: str = ATTACKER
) -> Callable[[Arena], None]:
    """Return requests that are in flight together, each on its connection, and are given up after a while."""

    def run(arena: Arena) -> None:
        client = arena.client(token)
        with contextlib.ExitStack() as stack:
            for index in range(number):
                one = stack.enter_context(arena.connect())
                with contextlib.suppress(OSError):
                    one.sendall(make(client, index))
            time.sleep(seconds)

    return run


def asked(
    arena: Arena,
    call: Callable[[Client, int], bytes] = lambda c, n: c.call("other_counter", {"x": f"{n}" + "y" * 50_000}, n),
    times: int = 1_000,
) -> None:
    """Call a tool that the user must allow, many times at once."""
    arena.edit(SetToolFields(toolset_document(TOOLSET), ToolReference("other.counter"), {"approval": "ask"}))
    try:
        at_once(call, times)(arena)
    finally:
        arena.edit(SetToolFields(toolset_document(TOOLSET), ToolReference("other.counter"), {"approval": None}))
        time.sleep(1)


def among_many(
    make: Callable[[Client, int], bytes], token: str = ATTACKER, *, known: bool = True
) -> Callable[[Arena], None]:
    """Return 40 requests that are in flight together while there are 5,000 tools more; of a known tool one before."""
    run = at_once(make, 40, 8, token)

    def with_tools(arena: Arena) -> None:
        entry = {**HANG, "args": [*HANG["args"][:-1], "searched"]}
        with arena.server("hostile", entry):
            time.sleep(6)
            if known:
                client = arena.client(token)
                with arena.connect() as one:
                    client.answer(one, make(client, 0))
            run(arena)

    return with_tools


LONG_TEXT = "ünïcode wörds and-dashes CamelCase 12345 " * 20_000
OTHER_TOOLS = [{"namespacedName": "good.counter"}] * 10_000

ATTACKS = [
    Attack("20 bodies of 60 MB on their way", "client", "H5", held_bodies(20, 60_000_000), "incoming"),
    Attack("three calls of 40 MB of objects", "client", "M3", bulky("other_counter", OBJECTS), "bulky"),
    Attack("three calls of the guide with 40 MB of objects", "client", "M3", bulky("get-tool-guide", OBJECTS)),
    Attack("three calls of 40 MB of commas in texts to a tool with a rule", "client", "M3", ruled),
    Attack(
        "a task of 800 KB for the guide, 10 times",
        "client",
        "-",
        repeat(lambda c, n: c.call("get-tool-guide", {"task": LONG_TEXT}, n), 10),
    ),
    Attack(
        "searches for 800 KB of words, 10 times",
        "client",
        "-",
        repeat(lambda c, n: c.call("search-tools", {"query": LONG_TEXT}, n), 10, SEARCHER),
    ),
    Attack(
        "builds a toolset of 10,000 tools, 5 times",
        "client",
        "H3",
        repeat(lambda c, n: c.call("build-toolset", {"name": f"big-{n}", "tools": OTHER_TOOLS}, n), 5),
    ),
    Attack(
        "equips and annotates 200 times",
        "client",
        "H3",
        repeat(lambda c, n: c.call("equip-toolset", {"name": ("work", "none")[n % 2]}, n), 200),
    ),
    Attack("calls 1,000 times at once what the user must allow", "client", "approvals", asked),
    Attack(
        "calls with 20,000 arguments what the user must allow, 10 times",
        "client",
        "approvals",
        lambda arena: asked(arena, lambda c, n: c.call("other_counter", {f"a{k}": k for k in range(20_000)}, n), 10),
    ),
    Attack(
        "searches 5,000 tools for 1 MB, 40 times at once",
        "client",
        "search",
        among_many(lambda c, n: c.call("search-tools", {"query": f"{n} issue " * 120_000}, n), SEARCHER),
    ),
    Attack(
        "calls 500 times what is not there, beside 5,000 tools",
        "client",
        "search",
        among_many(lambda c, n: b"".join(c.call("nothing", {}, n * 100 + k) for k in range(13)), known=False),
    ),
    Attack(
        "guides to 5,000 tools for inputs of 1 MB, 40 at once",
        "client",
        "guide",
        among_many(lambda c, n: c.call("get-tool-guide", {"input": f"{n} issue " * 120_000}, n)),
    ),
    Attack("reads 20 resources that nearly match templates", "client", "-", read_of_templates),
    Attack("subscribes to 5,000 resources", "client", "-", subscriptions),
    Attack(
        "cancels 3,000 requests that are not there",
        "client",
        "-",
        repeat(lambda c, n: c.request("notifications/cancelled", {"requestId": n}, n), 3_000),
    ),
    Attack(
        "sets the level of log messages 2,000 times",
        "client",
        "-",
        repeat(lambda c, n: c.request("logging/setLevel", {"level": ("debug", "error")[n % 2]}, n), 2_000),
    ),
    Attack("calls with ids of 900 KB, 100 times", "client", "-", repeat(long_id, 100)),
    Attack(
        "abandons 100 calls of 900 KB to a server that hangs",
        "client",
        "H5",
        abandon(100, 900_000),
        "waiting-calls",
        quick=True,
    ),
    Attack(
        "abandons 600 calls of 1 MB to a server that hangs",
        "client",
        "H5",
        abandon(600, 1_000_000),
        "waiting-calls",
        quick=True,
    ),
    Attack(
        "abandons 100 calls of 5 MB to a server that hangs", "client", "H5", abandon(100, 5_000_000), "waiting-calls"
    ),
    Attack("holds 600 calls to a server that hangs", "client", "H5", hold(600, 100), "waiting-calls"),
    Attack("holds 300 calls of 900 KB to a server that hangs", "client", "H5", hold(300, 900_000), "waiting-calls"),
    Attack("holds 300 bodies of 900 KB without their last byte", "client", "H5", partial_bodies),
    Attack("adds 4,000 notes in a call", "client", "H6", note("x", 4_000), "notes", quick=True),
    Attack("adds 450 notes of 4,000 characters in a call", "client", "H6", note("y" * 4_000, 450), "notes"),
    Attack("adds 200 notes in four calls, and removes them", "client", "H6", note("z" * 400, 50, 4)),
    Attack("opens 1,500 sessions", "client", "-", sessions(1_500, 10), "sessions"),
    Attack("opens 60 sessions with an introduction of 2 MB", "client", "-", sessions(60, 2_000_000)),
    Attack("a body of 63 MB", "client", "-", body(lambda: b'{"a":"' + b"x" * 63_000_000 + b'"}'), "trim"),
    Attack("a call of 60 MB", "client", "H5", big_call),
    Attack("a body of 200 MB", "client", "-", body(lambda: b"x" * 200_000_000), "body"),
    Attack("a body of arrays 4 million deep", "client", "-", body(lambda: b"[" * 4_000_000 + b"]" * 4_000_000)),
    Attack("a body of 8 million numbers", "client", "M3", body(lambda: b'{"a":[' + b"7," * 8_000_000 + b"7]}")),
    Attack("ten batches of 256 calls", "client", "-", batch),
    Attack("lists 3,000 times", "client", "-", repeat(lambda c, n: c.request("tools/list", {}, n), 3_000)),
    Attack("calls 3,000 times", "client", "-", repeat(lambda c, n: c.call("other_counter", {}, n), 3_000), quick=True),
    Attack("calls the guide 200 times", "client", "-", repeat(lambda c, n: c.call("get-tool-guide", {}, n), 200)),
    Attack(
        "results of 4 MB that it does not read, 20 connections",
        "client",
        "-",
        unread(lambda c, n: c.call("other_big", {"kb": 4096}, n), 1, 20),
    ),
    Attack(
        "5,000 requests in a row, answers not read",
        "client",
        "-",
        unread(lambda c, n: c.call("other_counter", {}, n), 5_000),
    ),
    Attack("300 streams of notifications", "client", "-", streams),
    Attack("builds and deletes 60 toolsets", "client", "-", builds),
    Attack("60 requests byte by byte", "client", "-", drip),
]
