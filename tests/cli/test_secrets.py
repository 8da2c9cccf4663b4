"""``toolnote secret`` and signing in from a terminal."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.cli.conftest import Run
from tests.file_keyring import TestKeychain
from tests.proxy.oauth.authorization import OAuthServer, oauth_server
from tests.servers.launch import raw_server_command
from toolnote_desktop.paths import Home
from toolnote_desktop.store.secrets.store import OPEN_FILE, SecretStore

SECRET = "sk-live-0123456789"


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What stands on stdin."""

    def type_in(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))

    return type_in


def test_secrets_are_set_listed_and_forgotten(run: Run, home: Home, keychain: TestKeychain, typed: Any) -> None:
    run("servers", "add", "a", "--command", "never-started", "--env", "KEY=${secret:KEY}")
    assert run("secret", "list", "a", "--json").json == {
        "server": "a",
        "secrets": [{"name": "KEY", "wantedBy": "env.KEY", "place": None}],
    }
    typed(SECRET + "\n")
    assert SECRET not in str(run("secret", "set", "a", "KEY"))
    typed("other")
    assert "${secret:OTHER}" in run("secret", "set", "a", "OTHER").err
    assert SecretStore(home).read("a", "KEY") == SECRET
    listed = run("secret", "list", "a").out
    assert "in the keychain" in listed
    assert "not in use" in listed
    assert SECRET not in listed
    run("secret", "remove", "a", "OTHER")
    assert "has no secret OTHER" in run("secret", "remove", "a", "OTHER", status=1).err
    run("servers", "remove", "a")  # its secrets go with it
    assert not any(keychain.entries().values())


def test_secret_that_cannot_be_stored_is_reported(run: Run, home: Home, typed: Any) -> None:
    run("servers", "add", "a", "--command", "never-started")
    typed("")
    run("secret", "set", "a", "KEY", status=2)
    typed(SECRET)
    run("secret", "set", "b", "KEY", status=1)
    typed(SECRET)
    run("secret", "set", "a", "A NAME", status=1)
    typed(SECRET)
    refused = run("secret", "set", "a", "KEY", status=1).err
    assert "no keychain" in refused
    assert "--not-encrypted" in refused
    typed(SECRET)
    assert "NOT ENCRYPTED" in run("secret", "set", "a", "KEY", "--not-encrypted").out
    assert (home.root / OPEN_FILE).exists()
    assert "NOT ENCRYPTED" in run("secret", "list", "a").out


def test_a_server_is_tested_with_its_secrets(run: Run, keychain: TestKeychain, typed: Any) -> None:
    command, *words = raw_server_command()
    run("servers", "add", "a", "--env", "KEY=${secret:KEY}", "--command", command, *words)
    assert "needs a value for secret:KEY" in run("servers", "test", "a", status=1).err
    typed(SECRET)
    run("secret", "set", "a", "KEY")
    tested = run("servers", "test", "a")
    assert "a is ready" in tested.out
    assert SECRET not in str(tested)


@pytest.fixture(scope="module")
def server() -> Iterator[OAuthServer]:
    with oauth_server() as started:
        yield started


@pytest.mark.once
def test_signing_in_and_out_from_a_terminal(run: Run, home: Home, keychain: TestKeychain, server: OAuthServer) -> None:
    run("servers", "add", "a", "--url", server.url)
    assert "wants you to sign in" in run("servers", "test", "a", status=1).err
    command = [sys.executable, "-m", "toolnote_desktop", "servers", "sign-in", "a", "--home", str(home.root)]
    with subprocess.Popen(
        command, env={**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": ""}, stdout=-1, stderr=-1, text=True
    ) as process:
        stopping = threading.Timer(60, process.kill)
        stopping.start()
        assert process.stderr is not None
        assert process.stdout is not None
        url = next(word for line in process.stderr for word in line.split() if word.startswith("http"))
        with httpx2.Client(follow_redirects=True, trust_env=False) as browser:
            assert browser.get(url).status_code == 200
        assert "Signed in to a." in process.stdout.read()
        assert process.wait(20) == 0
        stopping.cancel()
    assert "a is ready" in run("servers", "test", "a").out
    run("servers", "sign-out", "a")
    assert server.seen["revoked"] == 1
    run("servers", "test", "a", status=1)


def test_only_what_wants_a_sign_in_can_be_signed_in_to(run: Run) -> None:
    run("servers", "add", "a", "--command", "x")
    assert "offers no sign-in" in run("servers", "sign-in", "a", status=1).err
    assert "there is no server" in run("servers", "sign-in", "b", status=1).err
