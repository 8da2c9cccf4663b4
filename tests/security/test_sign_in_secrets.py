"""Secrets of a sign-in are in no output and no file but the one for them (docs/contract.md 2)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from tests.proxy.oauth.authorization import oauth_server
from tests.proxy.raw_client import RawClient
from tests.security.sentinels import files
from tests.security.test_sentinels import CLONE, Serving, toolnote
from toolnote_desktop.paths import Home
from toolnote_desktop.store.secrets.store import OPEN_FILE

SECRET_KEYS = {"access_token", "refresh_token", "client_secret", "registration_access_token", "id_token"}


def secrets_in(value: Any) -> set[str]:
    """Every token in what is kept, however deep; a record may be JSON in a text."""
    if isinstance(value, dict):
        own = {str(text) for key, text in value.items() if key in SECRET_KEYS and text}
        return own.union(*map(secrets_in, value.values()))
    if isinstance(value, list):
        return set().union(*map(secrets_in, value))
    if isinstance(value, str) and value.startswith("{"):
        return secrets_in(json.loads(value))
    return set()


def kept(home: Home) -> set[str]:
    path = home.root / OPEN_FILE
    return secrets_in(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else set()


def sign_in(said: dict[str, bytes]) -> set[str]:
    """A person signs in from a terminal; gives what the browser was sent back with."""
    with subprocess.Popen(
        [sys.executable, "-m", "toolnote_desktop", "servers", "sign-in", "far", "--not-encrypted"],
        cwd=CLONE,
        env={**os.environ, "TOOLNOTE_LOG": "trace", "DISPLAY": "", "WAYLAND_DISPLAY": ""},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        stopping = threading.Timer(60, process.kill)
        stopping.start()
        assert process.stdout is not None
        assert process.stderr is not None
        lines = [process.stderr.readline()]
        while b"/authorize?" not in lines[-1]:
            assert lines[-1], lines
            lines.append(process.stderr.readline())
        url = next(word for word in lines[-1].decode().split() if word.startswith("http"))
        with httpx2.Client(follow_redirects=True, trust_env=False) as browser:
            page = browser.get(url)
        out, err = process.communicate()
        stopping.cancel()
    assert process.returncode == 0, err
    said["sign-in"] = b"".join(lines) + out + err
    said["page"] = page.content
    return set(parse_qs(urlsplit(str(page.url)).query)["code"])


@pytest.mark.once
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGTERM there")
def test_no_token_gets_out(home: Home, user_folder: Path) -> None:
    said: dict[str, bytes] = {}
    report = user_folder / "report.md"
    with oauth_server() as server:
        toolnote("servers", "add", "far", "--url", server.url, said=said)
        toolnote("toolset", "create", "work", "far.echo", said=said)
        toolnote("toolset", "equip", "work", said=said)
        secrets = sign_in(said)
        assert len(kept(home)) >= 2, "a token to ask with and one to renew it"
        secrets |= kept(home)
        serving = Serving()
        try:
            client = RawClient(serving.ready["url"], serving.ready["token"])
            client.initialize()
            for forgotten in (False, True):  # the token is renewed with the second call
                if forgotten:
                    server.set(forget="access")
                assert not client.call("far_echo", {"text": "x"}).result.get("isError")
                secrets |= kept(home)
            assert server.seen["refreshed"] == 1
        finally:
            said["serve"] = serving.end()
        for words in (
            ["servers", "list", "--json"],
            ["servers", "test", "far", "--json"],
            ["secret", "list", "far", "--json"],
            ["doctor", "--export", str(report)],
            ["toolset", "export", "work", "-", "--with-servers"],
            ["servers", "sign-out", "far"],
        ):
            toolnote(*words, said=said)
            secrets |= kept(home)
        assert server.seen["revoked"] == 1
        server.set(deny=True)
        toolnote("servers", "test", "far", said=said)
    assert kept(home) == set()
    assert len(secrets) >= 4
    told = [name for name, text in said.items() for secret in secrets if secret.encode() in text]
    everything = files([user_folder], but=[])
    written = [str(file) for file in everything for secret in secrets if secret.encode() in file.read_bytes()]
    assert (told, written) == ([], [])
