"""Canaries for the private names of libraries that the endpoint uses or overrides (docs/fast-path.md, Safety).

A failure means: the library has changed such a name. Compare its new source with the module of ours that the message
names, adapt that, run ``tests/proxy/endpoint`` and ``tests/security/test_bounds.py``, and only then record the new
digest here.
"""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
from collections.abc import Callable
from typing import Any

import httpcore2
import httptools
import httpx2
import pytest
import uvicorn
from mcp.server.session import ServerSession
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from toolnote_desktop.proxy import pool_transport
from toolnote_desktop.proxy.endpoint.fast_path.response import FastPathResponse
from toolnote_desktop.proxy.thread import _new_loop
from toolnote_desktop.proxy.transports import loopback_transport

PROTOCOL = "fast_path/protocol.py and limits.py"
SERVER = "web_server.py"
RESPONSE = "fast_path/response.py, which takes the place of RequestResponseCycle"

OVERRIDDEN = [
    (HttpToolsProtocol.connection_made, PROTOCOL, "6efb565ff3d36b91"),
    (HttpToolsProtocol.connection_lost, PROTOCOL, "c91a4c9bf2e29c55"),
    (HttpToolsProtocol.data_received, PROTOCOL, "010a7ae59a5d3b1a"),
    (HttpToolsProtocol._unset_keepalive_if_required, PROTOCOL, "00a6a4e47214e68e"),
    (HttpToolsProtocol.on_message_begin, PROTOCOL, "96d377fdc7c2baef"),
    (HttpToolsProtocol.on_url, PROTOCOL, "37be44e962b04ca8"),
    (HttpToolsProtocol.on_header, PROTOCOL, "65d62c044f61fdbd"),
    (HttpToolsProtocol.on_headers_complete, PROTOCOL, "1ea8589acfad92d8"),
    (HttpToolsProtocol.on_body, PROTOCOL, "dba9c32aeba35b6a"),
    (HttpToolsProtocol.on_message_complete, PROTOCOL, "1fbad42dc31fc01f"),
    (HttpToolsProtocol.on_response_complete, PROTOCOL, "64e254f28e389e76"),
    (HttpToolsProtocol._start_asgi_task, PROTOCOL, "9c08c2571ae9b038"),
    (HttpToolsProtocol.shutdown, PROTOCOL, "d7351fa33f00d430"),
    (HttpToolsProtocol.timeout_keep_alive_handler, PROTOCOL, "8b53bf5f2e202970"),
    (uvicorn.Server.main_loop, SERVER, "afccb353a119333f"),
    (uvicorn.Server.shutdown, SERVER, "9b33c50562992b1e"),
    (uvicorn.Server._wait_tasks_to_complete, SERVER, "17209be1e991445d"),
]
"""Methods that are overridden or called, the module of ours that does it, and the digest of their source."""


@pytest.mark.parametrize(("method", "module", "known"), OVERRIDDEN, ids=[one[0].__qualname__ for one in OVERRIDDEN])
def test_uvicorn_methods_are_those_that_were_compared(method: Callable[..., Any], module: str, known: str) -> None:
    found = digest(method)
    name = f"{method.__module__}.{method.__qualname__}"
    assert found == known, f"{name} has changed ({found}): compare it with {module} (uvicorn {uvicorn.__version__})"


def digest(method: Callable[..., Any]) -> str:
    return hashlib.sha256(inspect.getsource(method).encode()).hexdigest()[:16]


PROTOCOL_ATTRIBUTES = (
    "config",
    "connections",
    "cycle",
    "flow",
    "headers",
    "loop",
    "parser",
    "pipeline",
    "server_state",
    "tasks",
    "timeout_keep_alive",
    "timeout_keep_alive_task",
    "transport",
)


@pytest.mark.parametrize("name", PROTOCOL_ATTRIBUTES)
def test_uvicorn_protocol_attribute(name: str) -> None:
    code = HttpToolsProtocol.__init__.__code__
    assert name in code.co_names, f"HttpToolsProtocol.{name} is gone: look at {PROTOCOL}"


def test_uvicorn_flow_control() -> None:
    from uvicorn.protocols.http.flow_control import FlowControl

    assert "read_paused" in FlowControl.__init__.__code__.co_names, f"FlowControl.read_paused: look at {PROTOCOL}"
    assert callable(FlowControl.resume_reading), f"FlowControl.resume_reading: look at {PROTOCOL}"


def test_uvicorn_server_state() -> None:
    state = ServerState()
    assert state.connections == set(), f"ServerState.connections: look at {SERVER}"
    assert state.tasks == set(), f"ServerState.tasks: look at {SERVER}"


@pytest.mark.parametrize(
    "name", ["response_complete", "disconnected", "message_event", "keep_alive", "body", "more_body"]
)
def test_uvicorn_cycle_attribute(name: str) -> None:
    code = RequestResponseCycle.__init__.__code__
    assert name in code.co_names, f"RequestResponseCycle.{name} is gone: look at {RESPONSE}"
    response = FastPathResponse(None, None, 1)  # type: ignore[arg-type]
    assert hasattr(response, name), f"HttpToolsProtocol may read {name} of its cycle: look at {RESPONSE}"


def test_uvicorn_reads_no_further_attribute_of_a_cycle() -> None:
    read = set(re.findall(r"\b(?:self\.|existing_)cycle\.(\w+)", inspect.getsource(HttpToolsProtocol)))
    known = {"response_complete", "disconnected", "message_event", "keep_alive", "body", "more_body"}
    assert read == known, f"HttpToolsProtocol reads {read - known or read} of its cycle: look at {RESPONSE}"


def test_httptools_parser() -> None:
    for name in ("get_method", "should_keep_alive"):
        assert hasattr(httptools.HttpRequestParser, name), f"HttpRequestParser.{name} is gone: look at {PROTOCOL}"


def test_sdk_private_names() -> None:
    look = "look at sdk_fallback.py (docs/dependencies.md)"
    assert "_connection" in ServerSession.__init__.__code__.co_names, f"ServerSession._connection: {look}"
    assert callable(StreamableHTTPSessionManager._discard_session), f"_discard_session: {look}"
    names = StreamableHTTPSessionManager.__init__.__code__.co_names
    assert "_server_instances" in names, f"StreamableHTTPSessionManager._server_instances: {look}"


@pytest.mark.parametrize(
    ("base", "ours", "known"),
    [
        (httpcore2.AsyncNetworkBackend, loopback_transport._Network, {"connect_tcp", "sleep"}),
        (
            httpcore2.AsyncNetworkStream,
            loopback_transport._Stream,
            {"aclose", "get_extra_info", "read", "start_tls", "write"},
        ),
        (httpx2.AsyncByteStream, pool_transport._Body, {"__aiter__", "aclose"}),
        (httpx2.AsyncBaseTransport, loopback_transport.LoopbackTransport, {"aclose", "handle_async_request"}),
    ],
)
def test_http_client_interfaces_of_the_loopback_transport(base: type, ours: type, known: set[str]) -> None:
    methods = {name for name in vars(base) if callable(vars(base)[name]) and name not in ("__aenter__", "__aexit__")}
    methods -= {"connect_unix_socket", "__module__"}
    look = f"look at transports/loopback_transport.py, {ours.__name__}"
    assert known <= methods, f"{base.__qualname__} has lost {known - methods}: {look}"
    new = {name for name in methods - known - set(vars(object)) if not hasattr(ours, name)}
    assert not new, f"{base.__qualname__} has new methods {new}: {look}"
    for name in known & vars(ours).keys():
        theirs, own = inspect.signature(getattr(base, name)), inspect.signature(getattr(ours, name))
        assert list(theirs.parameters) == list(own.parameters), f"{base.__qualname__}.{name} takes others: {look}"


def test_loop_of_the_proxy() -> None:
    """No private name of uvloop is used: only ``new_event_loop``, where there is a wheel."""
    loop = _new_loop()
    try:
        expected = "uvloop" if sys.platform != "win32" else "asyncio"
        assert type(loop).__module__.partition(".")[0] == expected, "look at proxy/thread.py, _new_loop"
    finally:
        loop.close()
