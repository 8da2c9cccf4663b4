"""Resources: subscriptions held as long as somebody wants them, and one URI that two servers offer (case C62)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.live import ModernClient, live_stream
from tests.proxy.raw_client import RawClient
from tests.proxy.running import TOOLSET, handshake_client, modern_client, raw_server, running
from tests.servers.launch import Record, control
from toolnote_desktop.model.edits import SETTINGS, SetFields, toolset_document
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import SetToolFields
from toolnote_desktop.paths import Home

UPDATED = "notifications/resources/updated"


@pytest.fixture
def record(user_folder: Path) -> Record:
    return Record(user_folder / "record.jsonl")


def update(path: Path, uri: str, **more: Any) -> None:
    """Have the server say that a resource has changed."""
    message = {"jsonrpc": "2.0", "method": UPDATED, "params": {"uri": uri, **more}}
    control(path, f"notify {json.dumps(message)}")


def wait_for_messages(record: Record, method: str, count: int) -> list[Any]:
    """Wait until a server has had so many requests with a method."""
    seen = 1
    while len(record.received(method)) < count:
        record.wait_for("in", count=seen)
        seen = len(record.events("in")) + 1
    return record.received(method)


def test_only_subscribers_hear_of_a_resource(home: Home, user_folder: Path, record: Record) -> None:
    commands = user_folder / "control"
    scenario = {"era": "handshake", "record": str(record.path), "control": str(commands)}
    with running(home, {"raw": raw_server(**scenario)}) as proxy:
        one, other = handshake_client(proxy), handshake_client(proxy)
        streams = [live_stream(one), live_stream(other)]
        for client, uri in ((one, "test://one"), (other, "test://other"), (one, "test://folder")):
            assert client.request("resources/subscribe", {"uri": uri}).result == {}
        assert [m["params"]["uri"] for m in record.received("resources/subscribe")] == [
            "test://one",
            "test://other",
            "test://folder",
        ]
        update(commands, "test://nobody")
        update(commands, "test://one", title="\ud800")
        update(commands, "test://folder/file")
        update(commands, "test://other")
        assert [m["params"] for m in streams[0].wait(UPDATED, 2)] == [
            {"uri": "test://one", "title": "\ufffd"},
            {"uri": "test://folder/file"},
        ]
        assert [m["params"] for m in streams[1].wait(UPDATED)] == [{"uri": "test://other"}]
        for stream in streams:
            stream.close()


def test_the_server_is_unsubscribed_when_nobody_wants_it(home: Home, record: Record) -> None:
    with running(home, {"raw": raw_server(era="handshake", record=str(record.path))}) as proxy:
        one, other = handshake_client(proxy), handshake_client(proxy)
        for client in (one, other):
            assert client.request("resources/subscribe", {"uri": "test://one"}).result == {}
        assert one.request("resources/unsubscribe", {"uri": "test://one"}).result == {}
        assert not record.received("resources/unsubscribe")
        assert other.send("DELETE").status == 200
        wait_for_messages(record, "resources/unsubscribe", 1)


def test_a_modern_stream_subscribes_while_it_is_open(home: Home, user_folder: Path, record: Record) -> None:
    commands = user_folder / "control"
    scenario = {"era": "handshake", "record": str(record.path), "control": str(commands)}
    with running(home, {"raw": raw_server(**scenario)}) as proxy:
        stream = modern_client(proxy).listen(resourceSubscriptions=["test://one"], toolsListChanged=True)
        acknowledged = stream.of("notifications/subscriptions/acknowledged")[0]["params"]["notifications"]
        assert acknowledged == {"toolsListChanged": True, "resourceSubscriptions": ["test://one"]}
        update(commands, "test://other")
        update(commands, "test://one")
        assert stream.wait(UPDATED)[0]["params"]["uri"] == "test://one"
        stream.close()
        wait_for_messages(record, "resources/unsubscribe", 1)


def test_unknown_resource_is_not_acknowledged(home: Home) -> None:
    servers = {name: raw_server(resources=[], templates=[]) for name in ("a", "b")}
    with running(home, servers) as proxy:
        stream = modern_client(proxy).listen(resourceSubscriptions=["nowhere://x"], promptsListChanged=True)
        acknowledged = stream.of("notifications/subscriptions/acknowledged")[0]["params"]["notifications"]
        assert acknowledged == {"promptsListChanged": True}
        stream.close()


def test_a_modern_server_hears_of_subscriptions_where_it_listens(home: Home, record: Record) -> None:
    with running(home, {"raw": raw_server(era="modern", record=str(record.path))}) as proxy:
        client = handshake_client(proxy)
        assert client.request("resources/subscribe", {"uri": "test://one"}).result == {}
        filters = [m["params"]["notifications"] for m in wait_for_messages(record, "subscriptions/listen", 2)]
        assert filters[-1]["resourceSubscriptions"] == ["test://one"]


# -- one URI, two servers ---------------------------------------------------------------------------------------------


def two_servers(**options: Any) -> dict[str, dict[str, Any]]:
    return {name: raw_server(name=name, **options) for name in ("one", "two words")}


def resources_of(client: RawClient | ModernClient) -> list[str]:
    """The URIs of the servers' resources, without our own."""
    uris = [resource["uri"] for resource in client.request("resources/list").result["resources"]]
    return [uri for uri in uris if not uri.startswith("toolnote:")]


def text_of(client: RawClient | ModernClient, uri: str) -> str:
    """The text of a resource."""
    text: str = client.request("resources/read", {"uri": uri}).result["contents"][0]["text"]
    return text


def test_resources_with_one_uri_can_both_be_read(home: Home) -> None:
    with running(home, two_servers()) as proxy:
        for client in (handshake_client(proxy), modern_client(proxy)):
            uris = resources_of(client)
            assert uris == ["test://one", "test://one#toolnote-server=two%20words"]
            assert [text_of(client, uri) for uri in uris] == ["one test://one", "two words test://one"]


def test_so_can_what_their_templates_name(home: Home) -> None:
    with running(home, two_servers()) as proxy:
        client = handshake_client(proxy)
        templates = client.request("resources/templates/list").result["resourceTemplates"]
        uris = [template["uriTemplate"].replace("{name}", "any") for template in templates]
        assert [text_of(client, uri) for uri in uris] == ["one test://any", "two words test://any"]
        completion = {
            "ref": {"type": "ref/resource", "uri": templates[1]["uriTemplate"]},
            "argument": {"name": "name", "value": "x"},
        }
        assert client.request("completion/complete", completion).result["completion"]["values"]


def test_a_mark_holds_whatever_else_there_is(home: Home) -> None:
    with running(home, two_servers()) as proxy:
        client = handshake_client(proxy)
        marked = resources_of(client)[1]
        for name in ("echo", "structured"):
            proxy.library.submit(
                SetToolFields(
                    toolset_document(TOOLSET), ToolReference(namespaced_name=f"one.{name}"), {"enabled": False}
                )
            )
        proxy.library.submit(SetFields(toolset_document(TOOLSET), {"tools": [{"namespacedName": "two words.echo"}]}))
        assert resources_of(client) == ["test://one"]
        assert text_of(client, marked) == text_of(client, "test://one") == "two words test://one"
        proxy.library.submit(SetFields(SETTINGS, {"equippedToolset": None}))
        assert client.request("resources/read", {"uri": marked}).last["error"]["code"] == -32002


def test_an_update_says_the_uri_that_was_subscribed_to(home: Home, user_folder: Path) -> None:
    commands = {name: user_folder / f"control-{number}" for number, name in enumerate(("one", "two words"))}
    servers = {name: raw_server(name=name, era="handshake", control=str(path)) for name, path in commands.items()}
    with running(home, servers) as proxy:
        client, modern = handshake_client(proxy), modern_client(proxy)
        uri = resources_of(client)[1]
        assert client.request("resources/subscribe", {"uri": uri}).result == {}
        stream, listening = live_stream(client), modern.listen(resourceSubscriptions=[uri])
        update(commands["one"], "test://one")
        update(commands["two words"], "test://one")
        for heard in (stream, listening):
            assert [message["params"]["uri"] for message in heard.wait(UPDATED)] == [uri]
            heard.close()


def test_resource_that_several_servers_may_have_is_refused_with_advice(home: Home) -> None:
    servers = {
        name: raw_server(name=name, resources=[], templates=[{"uriTemplate": f"test://{{{name}}}", "name": name}])
        for name in ("a", "b")
    }
    with running(home, servers) as proxy:
        client = handshake_client(proxy)
        error = client.request("resources/read", {"uri": "test://x"}).last["error"]
        assert error["code"] == -32602
        assert "test://x#toolnote-server=a, test://x#toolnote-server=b" in error["message"]
        assert text_of(client, "test://x#toolnote-server=b") == "b test://x"


def test_resource_link_in_a_result_is_read_from_its_server(home: Home) -> None:
    servers = {name: raw_server(name=name, resources=[], templates=[]) for name in ("a", "b")}
    link = {"content": [{"type": "resource_link", "uri": "made://up", "name": "x"}]}
    extras: list[dict[str, Any]] = [{}, {"_meta": {}}]
    with running(home, servers) as proxy:
        for extra in extras:  # the second one keeps the call off the express path
            client = handshake_client(proxy)
            client.call("b_raw_result", {"text": json.dumps(link)}, **extra)
            assert text_of(client, "made://up") == "b made://up"
        assert modern_client(proxy).request("resources/read", {"uri": "made://up/too"}).last["error"]["code"] == -32602


def test_a_uri_that_only_one_server_can_have_goes_there(home: Home) -> None:
    servers = {
        "files": raw_server(name="files", resources=[{"uri": "file:///a", "name": "a"}], templates=[]),
        "other": raw_server(name="other", resources=[{"uri": "other://a", "name": "a"}], templates=[]),
    }
    with running(home, servers) as proxy:
        client = handshake_client(proxy)
        assert text_of(client, "file:///not/listed") == "files file:///not/listed"
        answer = client.request("resources/read", {"uri": "nowhere://x"})
        assert answer.last["error"] == {
            "code": -32002,
            "message": "Resource not found: nowhere://x",
            "data": {"uri": "nowhere://x"},
        }
