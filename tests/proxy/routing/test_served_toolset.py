"""Choice of the toolset, the prompts and resources served with it, and notification of its changes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.proxy.raw_client import RawClient, Stream
from tests.proxy.running import TOOLSET, Running, handshake_client, raw_server, running
from tests.waiting import wait_until
from toolnote_desktop.model.audit import AuditKind
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.model.edits import (
    CLIENT_ENTRIES,
    CLIENTS,
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    SetEntryFields,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.tools.catalogue import IN_REVIEW, ReviewState
from toolnote_desktop.model.tools.review import decision_fields
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import AddTools, RemoveTools, SetToolFields
from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.endpoint import list_changed
from toolnote_desktop.store.audit import AuditFilter, read_entries

TOOLS_CHANGED = "notifications/tools/list_changed"
# Each toolset is known by the one tool that is in it.
TOOL_OF = {"own": "raw.echo", "bridges": "raw.fail", "runs": "raw.hang", TOOLSET: "raw.big"}


def initialized(client: RawClient) -> RawClient:
    client.initialize()
    return client


def served(client: RawClient) -> list[str]:
    return [tool["name"].replace("_", ".", 1) for tool in client.tools() if tool["name"].startswith("raw_")]


def with_toolsets(proxy: Running) -> None:
    for name, tool in TOOL_OF.items():
        if name != TOOLSET:
            content = {"name": name, "tools": [{"namespacedName": tool}]}
            proxy.library.submit(CreateDocument(toolset_document(name), content))


@pytest.mark.parametrize("of_the_run", ["runs", None])
def test_the_clients_own_toolset_then_the_bridges_then_the_runs_then_the_shared_one(
    home: Home, of_the_run: str | None
) -> None:
    shared = {"tools": [{"namespacedName": TOOL_OF[TOOLSET]}]}
    with running(home, {"raw": raw_server(toolnote={})}, toolset=shared, of_the_run=of_the_run) as proxy:
        with_toolsets(proxy)
        entry = {"name": "One", "tokenHash": hash_token("its own token"), "toolset": None}
        proxy.library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "one", entry))
        rest = TOOL_OF[of_the_run or TOOLSET]
        by_bridge, by_token = proxy.bridge("one", "bridges"), RawClient(proxy.endpoint.url, "its own token")
        stranger, run = proxy.bridge("stranger"), proxy.client()
        clients = [initialized(client) for client in (by_bridge, by_token, stranger, run)]
        assert [served(client) for client in clients] == [[TOOL_OF["bridges"]], [rest], [rest], [rest]]
        proxy.library.submit(SetEntryFields(CLIENTS, CLIENT_ENTRIES, "one", {"toolset": "own"}))
        assert [served(client) for client in clients] == [[TOOL_OF["own"]], [TOOL_OF["own"]], [rest], [rest]]
        proxy.library.submit(SetFields(SETTINGS, {"equippedToolset": None}))
        assert served(run) == ([rest] if of_the_run else [])


@pytest.mark.parametrize("method", ["resources", "prompts"])
def test_resources_and_prompts_are_those_of_servers_with_a_tool_in_the_toolset(home: Home, method: str) -> None:
    def server(name: str) -> dict[str, Any]:
        resource = {"uri": f"{name}://one", "name": name}
        template = {"uriTemplate": f"{name}://{{x}}", "name": name}
        prompts = [{"name": "greet"}]
        return raw_server(name=name, resources=[resource], templates=[template], prompts=prompts, toolnote={})

    def listed(client: RawClient) -> set[str]:
        if method == "prompts":
            return {prompt["name"].partition("_")[0] for prompt in client.request("prompts/list").result["prompts"]}
        resources = client.request("resources/list").result["resources"]
        templates = client.request("resources/templates/list").result["resourceTemplates"]
        return {one["uri"].partition(":")[0] for one in resources} | {
            one["uriTemplate"].partition(":")[0] for one in templates
        }

    def reach(client: RawClient) -> list[bool]:
        if method == "prompts":
            return ["result" in client.request("prompts/get", {"name": "b_greet"}).last]
        answers = [client.request("resources/read", {"uri": uri}).result for uri in ("b://one", "b://other")]
        return [answer["contents"][0]["text"].startswith("b ") for answer in answers]  # else the other was asked

    tools = {"tools": [{"namespacedName": "a.echo"}]}
    with running(home, {"a": server("a"), "b": server("b")}, toolset=tools) as proxy:
        client = initialized(proxy.client())
        assert listed(client) & {"a", "b"} == {"a"}
        assert not any(reach(client))
        stream = Stream(client)
        try:
            entry = {"namespacedName": "b.echo"}
            proxy.library.submit(AddTools(toolset_document(TOOLSET), (entry,)))
            stream.wait_for(f"notifications/{method}/list_changed")
            assert listed(client) & {"a", "b"} == {"a", "b"}
            assert all(reach(client))
            proxy.library.submit(RemoveTools(toolset_document(TOOLSET), (ToolReference(namespaced_name="b.echo"),)))
            stream.wait_for(f"notifications/{method}/list_changed", 2)
            assert not any(reach(client))
        finally:
            stream.close()


@pytest.mark.parametrize(
    ("quiet", "longest"), [(0.05, 3600.0), (3600.0, 0.3)], ids=["after a quiet moment", "or at the latest"]
)
def test_a_change_is_told_after_a_quiet_moment_or_at_the_latest(
    home: Home, monkeypatch: pytest.MonkeyPatch, quiet: float, longest: float
) -> None:
    assert (list_changed.QUIET_SECONDS, list_changed.MAX_DELAY_SECONDS) == (0.05, 0.5)
    monkeypatch.setattr(list_changed, "QUIET_SECONDS", quiet)
    monkeypatch.setattr(list_changed, "MAX_DELAY_SECONDS", longest)
    with running(home, {"raw": raw_server()}) as proxy:
        client = initialized(proxy.client())
        client.tools()
        stream = Stream(client)
        try:
            place = NoteTarget.in_toolset(TOOLSET, ToolReference(namespaced_name="raw.echo"))
            for count in (1, 2):
                proxy.library.submit(AddNote(place, {"name": f"note-{count}", "note": "Softly."}))
                stream.wait_for(TOOLS_CHANGED, count)
        finally:
            stream.close()


def test_tool_settings_reach_a_connected_client_and_its_calls(home: Home) -> None:
    """*Ask me first* is the tool's, so no toolset serves it without: seen red before ``tools.json`` was read."""
    with running(home, {"raw": raw_server()}) as proxy:
        client = initialized(proxy.client())
        before = {tool["name"]: tool for tool in client.tools()}
        stream = Stream(client)
        try:
            edit = SetToolSettings("raw.echo", {"approval": "ask", "whenToUse": "Rarely."})
            undo = proxy.library.submit(edit).inverse
            stream.wait_for(TOOLS_CHANGED)
            tool = next(tool for tool in client.tools() if tool["name"] == "raw_echo")
            assert "When to use: Rarely." in tool["description"]
            assert "The user approves each call in Toolnote before it runs." in tool["description"]
            refused = client.call("raw_echo", {}).result
            assert refused["isError"]
            assert "approval_unavailable" in str(refused)
            proxy.library.submit(*undo)
            stream.wait_for(TOOLS_CHANGED, 2)
            assert {tool["name"]: tool for tool in client.tools()} == before
        finally:
            stream.close()


def test_renamed_tool_is_restricted_as_before(home: Home) -> None:
    """Seen red: a server that renamed a tool set it free of *Off*, *Ask me first* and allowed values."""
    schema = {"type": "object", "properties": {"path": {"type": "string"}, "force": {"type": "boolean"}}}

    def files(*names: str) -> dict[str, Any]:
        tools = [
            {"name": name, "description": f"Removes for good: {name[0]}.", "inputSchema": schema} for name in names
        ]
        return raw_server(tools=tools, calls=dict.fromkeys(names, "echo"))

    before = ("ask_me", "block_me", "choose_paths", "deny_here")
    after = ("ask_us", "block_us", "choose_path", "deny_her")
    with running(home, {"files": files(*before)}) as proxy:
        proxy.wait(lambda snapshot: len(snapshot.toolsets["work"].tools) == len(before))
        denied = ToolReference(namespaced_name="files.deny_here")
        proxy.library.submit(
            SetToolSettings("files.ask_me", {"approval": "ask", "allowedCalls": [{"path": "/"}], "pinned": True}),
            SetToolSettings("files.block_me", {"enabled": False}),
            SetToolSettings("files.choose_paths", {"parameters": {"path": {"allowed": {"under": "/work"}}}}),
            SetToolFields(toolset_document("work"), denied, {"approval": "ask"}),
        )
        proxy.library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "files", {"args": files(*after)["args"]}))
        proxy.wait(lambda snapshot: len(snapshot.toolsets["work"].tools) == 2 * len(before))
        client = handshake_client(proxy)
        names = {tool["name"] for tool in client.tools()}
        assert "files_block_us" not in names
        outcomes = {
            name: client.call(f"files_{name}", {"path": "/"}).result["structuredContent"]["error_type"]
            for name in ("ask_us", "choose_path", "deny_her")
        }
        locked = {
            "ask_us": "approval_unavailable",
            "choose_path": "argument_locked",
            "deny_her": "approval_unavailable",
        }
        assert outcomes == locked
        assert proxy.library.snapshot.tool_settings.by_name["files.ask_us"].pinned is False


@pytest.mark.parametrize("in_toolset", [False, True])
def test_new_tool_beside_one_that_is_nearly_the_same_is_restricted_as_that(home: Home, *, in_toolset: bool) -> None:
    """Seen red: a server that listed the new name first, and dropped the old one later, set a tool free of *Off*, *Ask
    me first* and allowed values. Other tools join as before, and what the user said of a tool's harmlessness stays.
    """
    schema = {"type": "object", "properties": {"path": {"type": "string"}, "force": {"type": "boolean"}}}
    other = {"type": "object", "properties": {"path": {"type": "string"}, "mode": {"type": "string"}}}

    def tool(name: str, text: str, schema: Any = schema) -> dict[str, Any]:
        return {"name": name, "description": text, "inputSchema": schema}

    before = [
        tool("clear", "Removes all that is below a path, with force also what is protected."),
        tool("push", "Sends the state of the path to its remote place, if need be with force.", {"type": "object"}),
        tool("copy", "Copies what is at a path", other),
    ]
    new = [
        tool("tidy_up", "Removes all that is below a path now, with force also what is protected."),
        tool("upload", "Sends the state of the path to its remote place, if needed with force.", {"type": "object"}),
        tool("copy_all", "Copies what is at a path.", other),
        tool("stat", "Tells how large the files below a path are, and whether they are protected."),
    ]
    echo = dict.fromkeys((one["name"] for one in (*before, *new)), "echo")
    change = {"name": "_change", "inputSchema": {"type": "object"}}
    later = [[*before, *new, change], [*new, change]]
    entry = raw_server(tools=[*before, change], later=later, calls=echo)
    with running(home, {"s": entry}) as proxy:
        proxy.wait(lambda snapshot: len(snapshot.toolsets["work"].tools) == 4)
        limit = {"path": {"allowed": {"under": "/work"}}}
        hints = {"readOnlyHint": True, "destructiveHint": True}
        rules: dict[str, Any] = {
            "clear": {"enabled": False},
            "push": {"approval": "ask", "hints": hints},
            "copy": {"parameters": limit},
        }
        for name, fields in rules.items():
            reference = ToolReference(namespaced_name=f"s.{name}")
            in_one = SetToolFields(toolset_document("work"), reference, fields)
            proxy.library.submit(in_one if in_toolset else SetToolSettings(f"s.{name}", fields))
        client = handshake_client(proxy)
        client.call("s__change", {})
        proxy.wait(lambda snapshot: ("s", "stat") in snapshot.catalogue.tools)
        wait_until(lambda: "s_stat" in {one["name"] for one in client.tools()})
        client.call("s__change", {})
        wait_until(lambda: "s_copy" not in {one["name"] for one in client.tools()})
        assert "s_tidy_up" not in {one["name"] for one in client.tools()}
        outcomes = {
            name: client.call(f"s_{name}", {"path": "/"}).result.get("structuredContent", {}).get("error_type")
            for name in ("upload", "copy_all", "stat")
        }
        assert outcomes == {"upload": "approval_unavailable", "copy_all": "argument_locked", "stat": None}
        annotations = next(one for one in client.tools() if one["name"] == "s_upload")["annotations"]
        assert annotations == {"destructiveHint": True}


SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}, "force": {"type": "boolean"}}}


def removing(*names: str) -> dict[str, Any]:
    tools = [{"name": name, "description": f"Removes for good: {name[0]}.", "inputSchema": SCHEMA} for name in names]
    return raw_server(tools=tools, calls=dict.fromkeys(names, "echo"))


def lists(proxy: Running, *names: str) -> None:
    """Let the server ``files`` list these tools from now on."""
    proxy.library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "files", {"args": removing(*names)["args"]}))
    proxy.wait(lambda s: {one.tool.name for one in s.catalogue.servers["files"].tools if one.listed} == {*names})
    proxy.wait_ready("files")


def test_tool_that_gets_an_earlier_name_again_is_restricted_as_under_the_later_one(home: Home) -> None:
    """Seen red: a server went back to the name before, which the user had not turned off."""
    before, after = ("ask_me", "block_me", "deny_here"), ("ask_us", "block_us", "deny_her")
    with running(home, {"files": removing(*before)}) as proxy:
        proxy.wait(lambda snapshot: len(snapshot.toolsets["work"].tools) == len(before))
        lists(proxy, *after)
        proxy.wait(lambda snapshot: len(snapshot.toolsets["work"].tools) == 2 * len(before))
        denied = ToolReference(namespaced_name="files.deny_her")
        proxy.library.submit(
            SetToolSettings("files.ask_us", {"approval": "ask"}),
            SetToolSettings("files.block_us", {"enabled": False}),
            SetToolFields(toolset_document("work"), denied, {"approval": "ask"}),
        )
        lists(proxy, *before)
        client = handshake_client(proxy)
        assert "files_block_me" not in {tool["name"] for tool in client.tools()}
        for name in ("ask_me", "deny_here"):
            refused = client.call(f"files_{name}", {"path": "/"}).result["structuredContent"]
            assert refused["error_type"] == "approval_unavailable", name


def test_renamed_tool_joins_no_toolset_from_which_the_user_took_it(home: Home) -> None:
    """Seen red: a server gave a tool that was taken out of the toolset another name, and it was served again."""
    with running(home, {"files": removing("block_me", "other")}) as proxy:
        proxy.wait(lambda snapshot: len(snapshot.toolsets["work"].tools) == 2)
        taken = ToolReference(namespaced_name="files.block_me")
        proxy.library.submit(RemoveTools(toolset_document("work"), (taken,)))
        lists(proxy, "block_us", "other", "something_else")
        proxy.wait(lambda snapshot: len(snapshot.toolsets["work"].tools) == 2)
        names = {tool["name"] for tool in handshake_client(proxy).tools() if tool["name"].startswith("files_")}
        assert names == {"files_other", "files_something_else"}


def test_renamed_tool_is_restricted_as_in_an_entry_that_has_its_hash_alone(home: Home) -> None:
    """Seen red: such an entry, as in imported toolsets, did not restrict the tool under its new name."""
    with running(home, {"files": removing("delete_it", "other")}) as proxy:
        proxy.wait(lambda snapshot: len(snapshot.toolsets["work"].tools) == 2)
        hashed = {"refId": proxy.library.snapshot.catalogue.tools["files", "delete_it"].tool.ref_id, "approval": "ask"}
        proxy.library.submit(SetFields(toolset_document("work"), {"tools": [hashed]}))
        lists(proxy, "delete_them", "other")
        proxy.wait(lambda snapshot: len(snapshot.toolsets["work"].tools) == 2)
        refused = handshake_client(proxy).call("files_delete_them", {"path": "/"}).result["structuredContent"]
        assert refused["error_type"] == "approval_unavailable"


def test_tool_of_another_server_with_the_same_full_name_frees_no_parameter(home: Home) -> None:
    """Seen red: once ``git`` had a tool ``hub.delete``, the limits of ``delete`` of ``git.hub`` were gone."""
    with running(home, {"git.hub": removing("delete"), "git": removing("hub.other")}) as proxy:
        proxy.wait(lambda snapshot: len(snapshot.toolsets["work"].tools) == 2)
        rules = {"path": {"allowed": {"under": "/work"}}, "force": {"fixed": False}}
        proxy.library.submit(SetToolSettings("git.hub.delete", {"parameters": rules}))
        other = {"args": removing("hub.delete")["args"]}
        proxy.library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "git", other))
        proxy.wait(lambda snapshot: ("git", "hub.delete") in snapshot.catalogue.tools)
        proxy.wait_ready("git")
        client = handshake_client(proxy)
        names = [tool["name"] for tool in client.tools() if tool["name"].startswith("git_hub_delete")]
        assert len(names) == 2
        for name in names:
            for arguments in ({"path": "/etc"}, {"path": "/work/a", "force": True}):
                assert client.call(name, arguments).result["structuredContent"]["error_type"] == "argument_locked"
            assert '"force":false' in str(client.call(name, {"path": "/work/a"}).result["content"])


@pytest.mark.parametrize("policy", ["show", "hold"])
def test_renamed_parameter_is_not_free_of_its_rule(policy: str, home: Home) -> None:
    """Seen red: a server that gave a limited parameter another name could be called with any value."""

    def files(parameter: str) -> dict[str, Any]:
        schema = {"type": "object", "properties": {parameter: {"type": "string"}}}
        options = {"toolset": TOOLSET, "changes": policy}
        return raw_server(tools=[{"name": "echo", "inputSchema": schema}], toolnote=options)

    with running(home, {"files": files("path")}) as proxy:
        proxy.wait(lambda snapshot: len(snapshot.toolsets["work"].tools) == 1)
        rule = {"path": {"allowed": {"under": "/work"}}}
        proxy.library.submit(SetToolSettings("files.echo", {"parameters": rule}))
        assert not handshake_client(proxy).call("files_echo", {"path": "/work/a"}).result.get("isError")
        proxy.library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "files", {"args": files("file")["args"]}))
        proxy.wait(lambda snapshot: snapshot.catalogue.tools["files", "echo"].review in IN_REVIEW)
        client = handshake_client(proxy)
        for arguments in ({"file": "/etc/passwd"}, {"path": "/work/a"}, {}):
            refused = client.call("files_echo", arguments).result["structuredContent"]
            assert refused["error_type"] == "argument_locked"
            assert 'no argument "path"' in refused["error"]
        known = proxy.library.snapshot.catalogue.tools["files", "echo"]
        proxy.library.submit(SetToolSettings("files.echo", {"review": decision_fields(known, "accept")}))
        proxy.wait(lambda snapshot: snapshot.catalogue.tools["files", "echo"].review is ReviewState.ACCEPTED)
        assert not client.call("files_echo", {"file": "/etc/passwd"}).result.get("isError")


def test_call_of_a_tool_that_the_client_was_not_given_is_in_the_audit(home: Home) -> None:
    """Seen red: an assistant could try all that it was not given, and nothing said so."""
    entries = {
        name: raw_server(tools=[{"name": "echo", "inputSchema": {"type": "object"}}], toolnote=own)
        for name, own in (("a", {"toolset": TOOLSET}), ("b", {}))
    }
    with running(home, entries) as proxy:
        client = initialized(proxy.bridge("cursor"))
        assert "Unknown tool" in str(client.call("b_echo", {}).last["error"])
        assert "Unknown tool" in str(client.call("no_such", {}).last["error"])
        wait_until(lambda: bool(read_entries(home, 9, AuditFilter(kinds=(AuditKind.CALL,)))))
        (entry,) = read_entries(home, 9, AuditFilter(kinds=(AuditKind.CALL,)))
        assert (entry.actor, entry.action, entry.subject) == ("cursor", "refused", "b.echo")
        assert entry.detail == {"reason": "tool-not-in-toolset"}
