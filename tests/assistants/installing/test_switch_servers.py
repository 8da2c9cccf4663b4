"""A client's own servers that Toolnote provides too: off at the client, and back as they were; its own token."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.assistants.machines import OURSELVES, USUAL, machine, put, put_sample, sample
from toolnote_desktop.assistants.discovery import find_clients, server_entries
from toolnote_desktop.assistants.importing.candidates import (
    CandidateState,
    import_edits,
    merge_results,
    read_client,
    read_snippet,
)
from toolnote_desktop.assistants.installing.client_entries import install_edits, revoke_edits
from toolnote_desktop.assistants.installing.client_tokens import DirectAccess, new_token
from toolnote_desktop.assistants.installing.plan import (
    InstallOptions,
    Plan,
    apply,
    install_log_of,
    plan_install,
    plan_uninstall,
    undo,
)
from toolnote_desktop.assistants.installing.switch_servers import duplicate_servers
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.assistants.registry import CLIENTS, known_client
from toolnote_desktop.error_messages import english
from toolnote_desktop.model.clients import hash_token, parse_clients
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import Home


def entries(client: KnownClient, file: Path) -> dict[str, Any]:
    value = client.format.value(file.read_bytes().decode("utf-8-sig"))
    return dict(server_entries(client, value)).get(client.servers_at, {})


def install(client: KnownClient, file: Path, home: Home, **options: Any) -> Plan:
    plan = plan_install(client, file, home, OURSELVES, InstallOptions(**options))
    apply(plan, home)
    return plan


def uninstall(client: KnownClient, file: Path, home: Home) -> Plan:
    plan = plan_uninstall(client, file, home, OURSELVES)
    apply(plan, home)
    return plan


def library_of(client_id: str, environment: Any) -> dict[str, Any]:
    """All that the client has, imported."""
    found = next(one for one in find_clients(environment, OURSELVES) if one.client.id == client_id)
    raw: Any = {}
    candidates = merge_results([read_client(found, OURSELVES)], {}).candidates
    for edit in import_edits(candidates, {candidate.id for candidate in candidates}):
        raw, _ = edit.apply(raw)
    servers: dict[str, Any] = raw["mcpServers"]
    return servers


def other_comment(client: KnownClient, file: Path) -> None:
    """Somebody changes the file, so that its bytes from before are not the ones to restore."""
    mark = b"# by hand\n" if client.format is not known_client("cursor").format else b"// by hand\n"
    file.write_bytes(file.read_bytes() + mark)


@pytest.mark.parametrize("client_id", USUAL)
def test_off_while_toolnote_is_there_and_back_again(tmp_path: Path, home: Home, client_id: str) -> None:
    client, environment = known_client(client_id), machine(tmp_path, "linux")
    file = put_sample(environment, client_id)
    library = library_of(client_id, environment)
    before = entries(client, file)
    twice = duplicate_servers(client, file, library, OURSELVES)
    running = [name for name in before if name in library and not library[name].get("disabled")]
    assert list(twice) == running
    plan = install(client, file, home, switch_off=twice)
    told = [note.parameters["server"] for note in plan.notes if note.code is Code.CLIENT_SERVER_OFF]
    assert told == running
    after = entries(client, file)
    for name in running:
        if client.switch is None:
            assert name not in after
        else:
            assert after[name] == {**before[name], client.switch.key: client.switch.off}
    assert [name for name in after if name not in running] == [*(n for n in before if n not in running), "toolnote"]
    assert duplicate_servers(client, file, library, OURSELVES) == ()
    undo(plan, home)
    assert file.read_bytes() == sample(client_id, "linux")
    assert install_log_of(client, home).switched_off(file) == {}
    undo(plan.inverse(), home)
    uninstall(client, file, home)
    assert file.read_bytes() == sample(client_id, "linux"), "to the byte where nothing else changed"

    install(client, file, home, switch_off=twice)
    other_comment(client, file)
    gone = uninstall(client, file, home)
    assert entries(client, file) == before, "in what they mean where something else did"
    assert install_log_of(client, home).switched_off(file) == {}
    undo(gone, home)
    assert set(install_log_of(client, home).switched_off(file)) == set(running)
    uninstall(client, file, home)
    assert entries(client, file) == before


def test_later_changes_of_the_user_are_left_alone(tmp_path: Path, home: Home) -> None:
    cline = known_client("cline")
    text = '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y", "disabled": false}, "c": {"command": "z"}}}'
    file = put(tmp_path / "c.json", text)
    install(cline, file, home, switch_off=["a", "b", "c", "none-such"])
    changed = cline.format.with_member(file.read_text(), ["mcpServers", "a", "disabled"], False)
    put(file, cline.format.without_members(changed, ["mcpServers"], lambda key, _: key == "c"))
    uninstall(cline, file, home)
    assert entries(cline, file) == {
        "a": {"command": "x", "disabled": False},
        "b": {"command": "y", "disabled": False},
    }
    cursor = known_client("cursor")
    file = put(tmp_path / "d.json", '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}')
    install(cursor, file, home, switch_off=["a", "b"])
    put(file, cursor.format.with_member(file.read_text(), ["mcpServers", "a"], {"command": "mine"}))
    uninstall(cursor, file, home)
    assert entries(cursor, file) == {"a": {"command": "mine"}, "b": {"command": "y"}}


def test_servers_are_restored_only_once(tmp_path: Path, home: Home) -> None:
    cursor = known_client("cursor")
    file = put(tmp_path / "d.json", '{"mcpServers": {"a": {"command": "x"}}}')
    plan = install(cursor, file, home, switch_off=["a"])
    undo(plan, home)
    put(file, '{"mcpServers": {}}')  # the person takes it out
    assert not uninstall(cursor, file, home).changes
    install(cursor, file, home)
    put(file, file.read_text() + "\n")
    uninstall(cursor, file, home)
    assert entries(cursor, file) == {}


def test_more_are_switched_off_later_and_all_come_back(tmp_path: Path, home: Home) -> None:
    cursor = known_client("cursor")
    file = put(tmp_path / "d.json", '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}')
    install(cursor, file, home, switch_off=["a"])
    plan = install(cursor, file, home, switch_off=["b"])
    assert [note.parameters["server"] for note in plan.notes] == ["b"]
    assert list(entries(cursor, file)) == ["toolnote"]
    put(file, file.read_text() + "\n")
    uninstall(cursor, file, home)
    assert entries(cursor, file) == {"a": {"command": "x"}, "b": {"command": "y"}}


def test_servers_return_where_our_entry_is_already_gone(tmp_path: Path, home: Home) -> None:
    cursor = known_client("cursor")
    file = put(tmp_path / "d.json", '{"mcpServers": {"a": {"command": "x"}}}')
    install(cursor, file, home, switch_off=["a"])
    put(file, "{}")
    uninstall(cursor, file, home)
    assert entries(cursor, file) == {"a": {"command": "x"}}


def test_a_server_whose_secrets_are_in_the_keychain_is_known_by_its_name() -> None:
    theirs = {"command": "x", "env": {"TOKEN": "t", "MODE": "m"}}
    (candidate,) = merge_results(
        [read_snippet('{"a": {"command": "x", "env": {"TOKEN": "t"}}}', OURSELVES)], {}
    ).candidates
    here = {"a": {"command": "x", "env": {"TOKEN": "${secret:a-token}"}}}
    assert merge_results([], here).candidates == ()
    again = merge_results([read_snippet('{"a": {"command": "x", "env": {"TOKEN": "t"}}}', OURSELVES)], here).candidates
    assert [(one.id, one.state) for one in again] == [("a", CandidateState.PRESENT)]
    second = merge_results([read_snippet('{"b": {"command": "x", "env": {"TOKEN": "u"}}}', OURSELVES)], here).candidates
    assert [(one.id, one.state) for one in second] == [("b", CandidateState.NEW)]
    assert (candidate.state, theirs["command"]) == (CandidateState.NEW, "x")


def test_unreadable_file_offers_no_servers(tmp_path: Path) -> None:
    cursor = known_client("cursor")
    here = {"a": {"command": "x"}}
    assert duplicate_servers(cursor, put(tmp_path / "a.json", b"\xff"), here, OURSELVES) == ()
    assert duplicate_servers(cursor, tmp_path / "none.json", here, OURSELVES) == ()
    file = put(tmp_path / "b.json", '{"mcpServers": {"a": {"command": "x"}}}')
    assert duplicate_servers(cursor, file, here, OURSELVES) == ("a",)
    assert duplicate_servers(cursor, file, {"a": {"command": "x", "disabled": True}}, OURSELVES) == ()


URL = "http://127.0.0.1:8377/mcp"
BEARER = {"Authorization": "Bearer token-of-it"}
DIRECT: dict[str, dict[str, Any]] = {
    "claude-code": {"type": "http", "url": URL, "headers": BEARER},
    "cursor": {"url": URL, "headers": BEARER},
    "vscode": {"type": "http", "url": URL, "headers": BEARER},
    "windsurf": {"serverUrl": URL, "headers": BEARER},
    "cline": {"type": "streamableHttp", "url": URL, "headers": BEARER},
    "roo": {"type": "streamable-http", "url": URL, "headers": BEARER},
    "gemini-cli": {"httpUrl": URL, "headers": BEARER},
    "codex": {"url": URL, "http_headers": BEARER},
    "lm-studio": {"url": URL, "headers": BEARER},
    "continue": {"type": "streamable-http", "url": URL, "requestOptions": {"headers": BEARER}},
    "kiro": {"url": URL, "headers": BEARER},
    "copilot-cli": {"type": "http", "url": URL, "headers": BEARER, "tools": ["*"]},
    "opencode": {"type": "remote", "url": URL, "headers": BEARER, "enabled": True},
    "antigravity": {"serverUrl": URL, "headers": BEARER},
    "qwen-code": {"httpUrl": URL, "headers": BEARER},
    "zoo-code": {"type": "streamable-http", "url": URL, "headers": BEARER},
    "warp": {"url": URL, "headers": BEARER},
    "kilo-code": {"type": "remote", "url": URL, "headers": BEARER, "enabled": True},
    "amp": {"url": URL, "headers": BEARER},
    "crush": {"type": "http", "url": URL, "headers": BEARER},
    "droid": {"type": "http", "url": URL, "headers": BEARER},
    "kimi-cli": {"url": URL, "headers": BEARER},
    "jan": {"active": True, "type": "http", "url": URL, "headers": BEARER},
    "anythingllm": {"type": "streamable", "url": URL, "headers": BEARER},
    "grok-build": {"url": URL, "headers": BEARER},
    "hermes": {"url": URL, "headers": BEARER},
}
BRIDGE_ONLY = {"claude-desktop", "zed", "amazon-q", "junie", "witsy"}


@pytest.mark.parametrize("client_id", USUAL)
def test_an_address_and_a_token_of_its_own(tmp_path: Path, home: Home, client_id: str) -> None:
    client = known_client(client_id)
    file = put_sample(machine(tmp_path, "linux"), client_id)
    direct = DirectAccess(URL, "token-of-it")
    if client_id in BRIDGE_ONLY:
        with pytest.raises(ToolnoteError) as caught:
            plan_install(client, file, home, OURSELVES, InstallOptions(direct=direct))
        assert caught.value.problem.code is Code.CLIENT_NEEDS_BRIDGE
        return
    plan = install(client, file, home, direct=direct)
    written = entries(client, file)["toolnote"]
    if client_id == "goose":
        assert (written["type"], written["uri"], written["headers"]) == ("streamable_http", URL, BEARER)
    else:
        assert written == DIRECT[client_id]
    records = (install_log_of(client, home).folder / "installed.json").read_text()
    for shown in (plan.diff(), repr(plan), repr(direct), records):
        assert "token-of-it" not in shown
    renewed = install(client, file, home, direct=DirectAccess(URL, "renewed-token"))
    assert (renewed.changes, renewed.notes) == (True, ())
    assert "token-of-it" not in file.read_text()
    install(client, file, home)
    assert "renewed-token" not in file.read_text(), "the bridge takes its place"
    uninstall(client, file, home)
    assert file.read_bytes() == sample(client_id, "linux")


def test_devin_desktop_takes_another_key_than_windsurf(tmp_path: Path, home: Home) -> None:
    client, direct = known_client("windsurf"), DirectAccess(URL, "token-of-it")
    file = put(tmp_path / "devin" / "mcp_config.json", "{}")
    install(client, file, home, direct=direct)
    assert entries(client, file)["toolnote"] == {"url": URL, "headers": BEARER}


def test_of_a_token_only_the_hash_is_kept_and_it_is_renewed_and_revoked() -> None:
    cursor = known_client("cursor")
    first, second = new_token(), new_token()
    assert len({first, second}) == 2
    assert len(first) > 40
    (edit,) = install_edits(None, cursor.id, cursor.name, token=first)
    raw, _ = edit.apply(None)
    assert raw == {
        "clients": {"cursor": {"name": "Cursor", "toolset": None, "discovery": "auto", "tokenHash": hash_token(first)}}
    }
    (edit,) = install_edits(raw, cursor.id, cursor.name, token=second)
    raw, _ = edit.apply(raw)
    assert raw is not None
    assert parse_clients(raw, lambda place, reason: pytest.fail(reason))["cursor"].token_hash == hash_token(second)
    assert hash_token(b"x") == hash_token("x") == "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    (edit,) = revoke_edits(raw, cursor.id)
    raw, back = edit.apply(raw)
    assert raw == {"clients": {"cursor": {"name": "Cursor", "toolset": None, "discovery": "auto"}}}
    assert revoke_edits(raw, cursor.id) == revoke_edits(None, cursor.id) == ()
    assert back.apply(raw)[0] != raw


def test_switch_messages() -> None:
    problem = ToolnoteError(Code.CLIENT_SERVERS_TWICE, client="Cursor", servers="a, b").problem
    assert "a, b" in english(problem)
    assert {client for client in CLIENTS if CLIENTS[client].by_url is None} == BRIDGE_ONLY
