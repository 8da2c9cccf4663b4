"""A home full of secrets that can be told apart, and the search for them in everything that the app says or writes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.servers.launch import RAW_SERVER
from toolnote_desktop.paths import Home

OUR_VARIABLES = ("SENTINEL_VARIABLE", "SENTINEL_TOKEN_PART", "SENTINEL_SECRET")
"""Variables of our own environment that entries name."""


class Sentinels:
    """Secrets by where they stand. Each is a word that is nowhere else, whatever is put around it."""

    def __init__(self) -> None:
        self._words: dict[str, str] = {}

    def __call__(self, place: str) -> str:
        """Return the secret of a place."""
        return self._words.setdefault(place, f"Zq{len(self._words):02}{''.join(c for c in place if c.isalnum())}Xv9")

    def found(self, data: bytes) -> list[str]:
        """The places whose secrets are in these bytes, however cut or cased the rest is."""
        return [place for place, word in self._words.items() if word.encode() in data]


def fill_home(home: Home, secret: Sentinels, http_url: str, silent_url: str) -> str:
    """Servers that work and servers that fail in every way, each with secrets wherever an entry can hold one.

    Returns:
        What those over pipes repeat: all that they were given.
    """
    own = {"toolnote": {"toolset": "work"}}
    many_lines = f"-----BEGIN KEY-----\n{secret('env, first line')}\n{secret('env, second line')}\n-----END KEY-----"
    environment = {
        "API_KEY": secret("env"),
        "QUOTED": f'"{secret("env, quoted")}"\\',
        "PEM": many_lines,
        "FROM_OURS": "${SENTINEL_VARIABLE}",
        "PART": "prefix-${SENTINEL_TOKEN_PART}-suffix",
    }
    words = [f"--api-key={secret('argument')}", "--token", secret("argument, next word"), "--mode=${SENTINEL_SECRET}"]
    words += [f"postgres://user:{secret('argument, in a url')}@host/db?sslkey={secret('argument, query')}"]
    given = [*environment.values(), *many_lines.splitlines(), *words, *(secret(name) for name in OUR_VARIABLES)]
    said = f"repeated by the server: {' '.join(given)}"
    headers = {
        "Authorization": f"Bearer {secret('header, bearer')}",
        "X-Key": secret("header"),
        "X-From": "${SENTINEL_VARIABLE}",
    }
    query = f"key={secret('url, query')}&other={secret('url, query 2')}#{secret('url, fragment')}"
    user = f"ada:{secret('url, password')}"

    def with_secrets(url: str) -> str:
        return url.replace("://", f"://{user}@") + f"?{query}"

    error = {"code": -32000, "message": said, "data": {"also": said}}

    def stdio(scenario: dict[str, Any]) -> dict[str, Any]:
        file = home.root.parent / f"scenario-{len(servers)}.json"
        file.write_text(json.dumps({"stderr": {"start": f"{said}\n"}, **scenario}), encoding="utf-8")
        args = ["-I", "-S", str(RAW_SERVER), str(file), *words]
        return {"command": sys.executable, "args": args, "env": environment, **own}

    servers: dict[str, Any] = {}
    servers["good"] = stdio({"noise": {"before": [said], "after": [json.dumps({"method": 5, "x": said})]}})
    servers["exits"] = stdio({"on": {"start": {"exit": 3}}})
    servers["refuses"] = stdio({"era": "handshake", "on": {"initialize": {"error": error}}})
    servers["no-list"] = stdio({"on": {"tools/list": {"error": error}}})
    servers["hangs"] = {**stdio({"on": {"initialize": "hang", "server/discover": "hang"}}), "timeout": 1}
    servers["nonsense"] = stdio({"on": {"initialize": {"raw": said}, "server/discover": {"raw": said}}})
    servers["odd"] = stdio({"tools": [{"name": 7, "x": said}, {"name": "odd", "inputSchema": said}]})
    servers["nowhere"] = {"command": "no-such-program", "args": words, "env": environment}
    servers["no-folder"] = {**stdio({}), "cwd": str(home.root / "nowhere")}
    servers["missing"] = {**stdio({}), "env": {**environment, "LACKS": "${NOT_SET_ANYWHERE}"}}
    servers["in-keychain"] = {**stdio({}), "env": {**environment, "LACKS": "${secret:none}"}}
    servers["far"] = {"type": "http", "url": with_secrets(http_url), "headers": headers, **own}
    servers["sse"] = {"type": "sse", "url": with_secrets(http_url), "headers": headers}
    servers["refused"] = {"type": "http", "url": with_secrets(silent_url), "headers": headers}
    servers["malformed"] = {"type": "http", "url": f"http://{user}@[::bad/mcp?{query}", "headers": headers}
    servers["no-port"] = {"type": "http", "url": f"http://{user}@127.0.0.1:99999/mcp?{query}", "headers": headers}
    broken = {"X-Key": f"{secret('header, broken')}\n\u20ac"}
    servers["bad-header"] = {"type": "http", "url": http_url, "headers": broken}
    servers["no-text"] = {"command": 5, "args": words, "env": environment}
    servers["env-a-text"] = {"command": "x", "args": "not a list", "env": secret("env, not an object")}
    home.servers.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    home.toolsets.mkdir(exist_ok=True)
    home.toolset("work").write_text(json.dumps({"name": "work", "tools": []}), encoding="utf-8")
    home.settings.write_text(json.dumps({"equippedToolset": "work"}), encoding="utf-8")
    return said


def files(folders: Iterable[Path], *, but: Iterable[Path]) -> Iterator[Path]:
    """Yield the files below the folders, except ``but`` and those below it."""
    excepted = tuple(but)
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and not any(file == one or one in file.parents for one in excepted):
                yield file
