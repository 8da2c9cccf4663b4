"""Streams of the modern era through a real proxy: tasks and resources with all that their server says of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.proxy.live import ModernClient
from tests.proxy.running import TOOLSET, Running, running
from tests.servers.extended import ODD
from tests.servers.launch import http_server, raw_server_entry
from tests.servers.task_tools import TASKS
from toolnote_desktop.paths import Home

DECLARING: dict[str, Any] = {"extensions": {TASKS: {}}}
ID = "io.modelcontextprotocol/subscriptionId"


@pytest.fixture(scope="module", params=["pipes", "HTTP"])
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with ExitStack() as stack:
        entry = raw_server_entry(extended=True, era="modern")
        if request.param == "HTTP":
            entry = {"type": "http", "url": stack.enter_context(http_server(extended=True, era="modern")).url}
        served = {"one": {**entry, "toolnote": {"prefix": "", "toolset": TOOLSET}}}
        found = stack.enter_context(running(Home(tmp_path_factory.mktemp("home")), served))
        found.wait(lambda s: 0 < len(s.catalogue.servers["one"].tools) == len(s.toolsets[TOOLSET].tools))
        yield found


def client(proxy: Running, capabilities: Any = None) -> ModernClient:
    return ModernClient(proxy.endpoint.url, proxy.endpoint.token, capabilities)


def test_a_task_is_announced_to_its_client_alone(proxy: Running) -> None:
    """Seen red with the SDK's streams, which know no tasks, and with the ids of others in the acknowledgement."""
    own = client(proxy, DECLARING)
    assert own.call("begin_task", {"id": "t-1"}).result["taskId"] == "t-1"
    stream = own.listen(taskIds=["t-1", "t-none"], toolsListChanged=True)
    other = own.live(
        "subscriptions/listen",
        {"notifications": {"taskIds": ["t-1"]}},
        {"io.modelcontextprotocol/clientInfo": {"name": "other", "version": "1"}},
    )
    other.wait("notifications/subscriptions/acknowledged")
    try:
        (acknowledged,) = stream.of("notifications/subscriptions/acknowledged")
        assert acknowledged["params"]["notifications"] == {"taskIds": ["t-1"], "toolsListChanged": True}
        assert other.messages[0]["params"]["notifications"] == {}
        assert stream.messages[0] == acknowledged
        own.call("finish_task", {"id": "t-1"})
        (said,) = stream.wait("notifications/tasks")
        assert said["params"]["status"] == "completed"
        assert said["params"]["result"] == {"content": [], "_meta": ODD}
        assert said["params"]["_meta"] == {**ODD, ID: acknowledged["params"]["_meta"][ID]}
        assert other.of("notifications/tasks") == []
    finally:
        stream.close()
        other.close()


def test_a_client_that_declares_no_tasks_is_told_so(proxy: Running) -> None:
    answer = client(proxy).request("subscriptions/listen", {"notifications": {"taskIds": ["t-1"]}})
    assert answer.last["error"]["code"] == -32021
    assert answer.last["error"]["data"] == {"requiredCapabilities": DECLARING}


def test_updates_keep_their_meta(proxy: Running) -> None:
    """Seen red with the SDK's streams, which keep the address alone."""
    own = client(proxy)
    stream = own.listen(resourceSubscriptions=["test://one"])
    try:
        listen_id = stream.messages[0]["params"]["_meta"][ID]
        own.call("touch", {"uri": "test://one"})
        (said,) = stream.wait("notifications/resources/updated")
        assert said["params"] == {"uri": "test://one", "_meta": {**ODD, ID: listen_id}}
    finally:
        stream.close()


@pytest.mark.parametrize(
    "wanted", [None, [], {"toolsListChanged": 1}, {"taskIds": [1]}, {"resourceSubscriptions": "x"}]
)
def test_an_invalid_request_is_refused(proxy: Running, wanted: Any) -> None:
    params = {} if wanted is None else {"notifications": wanted}
    assert client(proxy, DECLARING).request("subscriptions/listen", params).last["error"]["code"] == -32602


def test_unknown_kinds_are_not_acknowledged(proxy: Running) -> None:
    stream = client(proxy).listen(other=True, promptsListChanged=None, toolsListChanged=True)
    try:
        assert stream.messages[0]["params"]["notifications"] == {"toolsListChanged": True}
    finally:
        stream.close()
