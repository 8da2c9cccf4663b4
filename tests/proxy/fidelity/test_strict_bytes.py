"""Whatever a server writes, each message that clients get is valid UTF-8 and JSON (issue 15 item 8), by every route."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.live import live_call, reply
from tests.proxy.raw_client import Answer, RawClient, Stream
from tests.proxy.running import TOOLSET, Running, handshake_client, modern_client, raw_server, running, said
from toolnote_desktop.paths import Home

SERVER = r"""
import sys, re
ODD = bytes.fromhex(sys.argv[1])
META = b'"_meta":{"odd":"' + ODD + b'"}'
CAPABILITIES = b'{"tools":{},"prompts":{},"resources":{},"completions":{},"logging":{}}'
ANSWERS = {
    b"initialize": b'{"protocolVersion":"2025-06-18","capabilities":' + CAPABILITIES
        + b',"serverInfo":{"name":"' + ODD + b'","version":"1"},"instructions":"' + ODD + b'"}',
    b"tools/list": b'{"tools":[{"name":"t","description":"' + ODD + b'","inputSchema":{"type":"object","properties":'
        b'{"k":{"type":"string","description":"' + ODD + b'"}}},' + META + b'},'
        b'{"name":"fails","inputSchema":{"type":"object"}},{"name":"asks","inputSchema":{"type":"object"}},'
        b'{"name":"plain","inputSchema":{"type":"object"}}]}',
    b"prompts/list": b'{"prompts":[{"name":"p","description":"' + ODD + b'"}]}',
    b"prompts/get": b'{"messages":[{"role":"user","content":{"type":"text","text":"' + ODD + b'"}}]}',
    b"resources/list": b'{"resources":[{"uri":"test://one","name":"' + ODD + b'"}]}',
    b"resources/templates/list": b'{"resourceTemplates":[{"uriTemplate":"test://{a}","name":"' + ODD + b'"}]}',
    b"resources/read": b'{"contents":[{"uri":"test://one","text":"' + ODD + b'"}]}',
    b"completion/complete": b'{"completion":{"values":["' + ODD + b'"]}}',
}
def write(text):
    sys.stdout.buffer.write(b'{"jsonrpc":"2.0",' + text + b'}\n')
    sys.stdout.buffer.flush()
for line in sys.stdin.buffer:
    method = re.search(rb'"method": ?"([^"]*)"', line)
    number = re.search(rb'"id": ?(\d+|"[^"]*")', line)
    if not (method and number):
        continue
    name, head = method[1], b'"id":' + number[1]
    if b'"asks"' in line:
        write(b'"id":"q","method":"elicitation/create","params":{"message":"' + ODD
              + b'","requestedSchema":{"type":"object","properties":{"k":{"type":"string","title":"' + ODD + b'"}}}}')
        sys.stdin.buffer.readline()
        write(head + b',"result":{"content":[{"type":"text","text":"asked ' + ODD + b'"}]}')
        continue
    token = re.search(rb'"progressToken": ?(\d+|"[^"]*")', line)
    if name == b"tools/call" and b'"plain"' not in line:
        if token:
            write(b'"method":"notifications/progress","params":{"progressToken":' + token[1]
                  + b',"progress":1,"message":"' + ODD + b'"}')
        write(b'"method":"notifications/message","params":{"level":"error","data":{"text":"' + ODD + b'"}}')
        if b'"fails"' in line:
            write(head + b',"error":{"code":-32000,"message":"' + ODD + b'","data":{"odd":"' + ODD + b'"}}')
        else:
            write(head + b',"result":{"content":[{"type":"text","text":"' + ODD + b'"}],"structuredContent":{"a":["'
                  + ODD + b'"]},' + META + b'}')
    elif name == b"tools/call":
        write(head + b',"result":{"content":[{"type":"text","text":"fine"}]}')
    elif name in ANSWERS:
        write(head + b',"result":' + ANSWERS[name])
    elif name == b"ping":
        write(head + b',"result":{}')
    else:
        write(head + b',"error":{"code":-32601,"message":"no"}')
"""

ODD = {"stray byte": b"a\xe9b", "lone surrogate": b"a\\ud800b", "control": b"a\x01\x1bb", "cut": b"a\xe2\x82"}


def strict(text: bytes) -> Any:
    """Parse a message as the strictest reader does."""

    def no_constant(name: str) -> None:
        raise AssertionError(name)

    value = json.loads(text.decode("utf-8"), parse_constant=no_constant)
    json.dumps(value, ensure_ascii=False).encode("utf-8")  # no lone surrogate
    return value


def strict_answer(answer: Answer) -> Any:
    assert answer.messages, answer
    return [strict(message) for message in answer.messages][-1]


@pytest.fixture(scope="module", params=list(ODD.values()), ids=list(ODD))
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    entry = {"command": sys.executable, "args": ["-c", SERVER, request.param.hex()], "toolnote": {"toolset": TOOLSET}}
    home = Home(Path(tmp_path_factory.mktemp("strict")) / "toolnote")
    with running(home, {"odd": entry}) as proxy:
        yield proxy


@pytest.fixture
def client(proxy: Running) -> RawClient:
    return handshake_client(proxy)


def test_lists(client: RawClient) -> None:
    for method, key in (
        ("tools/list", "tools"),
        ("prompts/list", "prompts"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
    ):
        listed = strict_answer(client.request(method))["result"][key]
        assert any("a" in json.dumps(entry) for entry in listed), method


def test_results_and_errors(client: RawClient) -> None:
    for method, params in (
        ("tools/call", {"name": "odd_t", "arguments": {}}),
        ("tools/call", {"name": "odd_t", "arguments": {}, "_meta": {"progressToken": "p"}}),
        ("tools/call", {"name": "odd_fails", "arguments": {}}),
        ("prompts/get", {"name": "odd_p"}),
        ("resources/read", {"uri": "test://one"}),
        (
            "completion/complete",
            {"ref": {"type": "ref/prompt", "name": "odd_p"}, "argument": {"name": "x", "value": ""}},
        ),
    ):
        answer = strict_answer(client.request(method, params))
        assert ("error" in answer) is ("odd_fails" in str(params)), answer
        assert '"a' in json.dumps(answer)


def test_notifications_and_what_follows_them(proxy: Running) -> None:
    client = handshake_client(proxy)
    client.request("logging/setLevel", {"level": "debug"})
    stream = Stream(client)
    try:
        answer = client.call("odd_t", _meta={"progressToken": 7})
        found = [strict(message) for message in answer.messages]
        assert "notifications/progress" in [message.get("method") for message in found]
        assert strict_answer(client.call("odd_plain"))["result"]["content"][0]["text"] == "fine"
    finally:
        stream.close()


def test_introduction(proxy: Running) -> None:
    client = proxy.client()
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    answer = client.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
    assert "instructions" in strict_answer(answer)["result"]


def test_built_in_tools(client: RawClient) -> None:
    for tool in ("list-available-tools", "get-tool-guide", "get-active-toolset"):
        assert not strict_answer(client.call(tool))["result"].get("isError"), tool


def test_questions_to_the_client(proxy: Running) -> None:
    client = handshake_client(proxy, elicitation={})
    call = live_call(client, "odd_asks")
    (question,) = call.wait("elicitation/create")
    reply(client, question, {"action": "accept", "content": {"k": "v"}})
    assert "asked a" in said(call.result())
    for message in call.raw:
        strict(message)


def test_modern_clients(proxy: Running) -> None:
    client = modern_client(proxy, elicitation={})
    for method, params in (
        ("server/discover", None),
        ("tools/list", None),
        ("prompts/list", None),
        ("tools/call", {"name": "odd_t", "arguments": {}}),
        ("tools/call", {"name": "odd_fails", "arguments": {}}),
        ("resources/read", {"uri": "test://one"}),
        ("prompts/get", {"name": "odd_p"}),
        ("tools/call", {"name": "odd_asks", "arguments": {}}),
    ):
        assert "a" in json.dumps(strict_answer(client.request(method, params))), method


HALF = "a\ud800b"


def test_what_the_user_wrote_and_what_is_said_of_a_clients_words(home: Home) -> None:
    entry = {
        "namespacedName": "raw.echo",
        "instructions": HALF,
        "whenToUse": HALF,
        "hints": {"title": HALF, "examples": [{"input": {"a": HALF}}]},
        "parameters": {"a": {"note": HALF, "default": HALF}},
        "consent": {"reason": HALF},
    }
    toolset = {"title": HALF, "description": HALF, "guidelines": HALF, "tools": [entry], "taskTypes": {HALF: {}}}
    echo = {"name": "echo", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}
    with running(home, {"raw": raw_server(tools=[echo], toolnote={})}, toolset=toolset) as proxy:
        client = handshake_client(proxy)
        for method, params in (
            ("tools/list", {}),
            ("tools/call", {"name": HALF}),
            ("tools/call", {"name": "raw_echo", "arguments": {"a": HALF}}),
            ("tools/call", {"name": "list-saved-toolsets"}),
            ("tools/call", {"name": "equip-toolset", "arguments": {"name": HALF}}),
            ("tools/call", {"name": "get-tool-guide", "arguments": {"task": HALF + HALF}}),
            ("tools/call", {"name": "get-tool-guide", "arguments": {HALF: 1}}),
            ("prompts/get", {"name": HALF}),
            ("prompts/get", {"name": "tool-guide", "arguments": {"task": HALF}}),
            ("resources/read", {"uri": HALF}),
        ):
            answer = strict_answer(client.request(method, params))
            if method == "tools/call" and params["name"] != HALF:
                result = answer["result"]
                assert strict(result["content"][0]["text"].encode()) == result["structuredContent"]
        guide = strict_answer(client.request("resources/read", {"uri": "toolnote://guide"}))
        assert "a\ufffdb" in guide["result"]["contents"][0]["text"]
