"""Recognition of pasted text: a command line, a web address, or a piece of JSON from a server's instructions."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence

from toolnote_desktop.assistants.importing.candidates import Candidate, ReadResult, Source, read_snippet
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import is_web_address, slug
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.url_parts import split_url

PASTED = "pasted text"

_FENCE = re.compile(r"^```[\w-]*\n(.*?)\n?```$", re.DOTALL)
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=.*", re.DOTALL)
_RUNNERS = {"npx", "uvx", "bunx", "pipx", "docker", "podman", "npm", "uv", "bun", "pnpm", "yarn", "deno", "env"}
_RUNNER_WORDS = {"run", "exec", "dlx", "tool", "x"}
_OPTIONS_WITH_VALUE = {"--from", "--with", "--python", "-p", "--package", "-e", "--env", "-v", "--mount", "--name"}
_FILLERS = {"mcp", "server", "www", "api", "app", "latest", "main", "index"}


def recognise(text: str, identity: ToolnoteIdentity) -> ReadResult:
    """Read the servers that a pasted text describes; problems are in ``warnings``."""
    text = text.strip()
    fenced = _FENCE.match(text)
    text = (fenced.group(1) if fenced else text).strip().removeprefix("$ ")
    if not text:
        return ReadResult()
    if text[0] in '{"[':
        return read_snippet(text, identity, PASTED)
    try:
        words = split_command(text)
    except ValueError as error:
        return ReadResult(warnings=(_warning(str(error).lower()),))
    if words[:3] == ["claude", "mcp", "add"]:
        return _claude_command(words[3:])
    if len(words) == 1 and is_web_address(words[0]):
        return _one(name_of_address(words[0]), _web_entry(words[0]))
    return _command(words)


def name_of_address(url: str) -> str:
    """Return a name for the server at an address: ``https://mcp.linear.app/mcp`` is ``linear``."""
    host = split_url(url).hostname or ""
    if host == "localhost" or host.replace(".", "").isdigit() or ":" in host:
        return _cleaned(split_url(url).path.strip("/").split("/")[0]) or "local"
    labels = host.split(".")
    named = [label for label in labels[:-1] if label not in _FILLERS]
    return slug(named[-1] if named else labels[0], fallback="server")


def name_of_command(words: Sequence[str]) -> str:
    """Return a name for the server that a command starts: ``npx -y @scope/server-github@latest`` is ``github``."""
    program = re.split(r"[\\/]", words[0])[-1].removesuffix(".exe").removesuffix(".cmd")
    if program not in _RUNNERS and not re.fullmatch(r"python[\d.]*|py|node", program):
        return _cleaned(program) or "server"
    skip = False
    for word in words[1:]:
        if skip:
            skip = False
        elif word in _OPTIONS_WITH_VALUE:
            skip = True
        elif not word.startswith("-") and word not in _RUNNER_WORDS and word not in _RUNNERS:
            return _cleaned(re.sub(r"(?<=.)@[^@/]*$|:[\w.-]+$", "", word)) or "server"
    return "server"


def _cleaned(word: str) -> str:
    last = re.split(r"[\\/]", word.rstrip("\\/"))[-1]
    last = re.sub(r"\.(py|js|ts|mjs|cjs|sh|exe|jar)$", "", last)
    parts = [part for part in slug(last, fallback="").split("-") if part and part not in _FILLERS]
    return "-".join(parts)


def split_command(text: str, *, windows: bool = sys.platform == "win32") -> list[str]:
    """Split a command line as a shell does; on Windows backslashes are part of paths."""
    if windows:
        return [word.strip('"') for word in shlex.split(text, posix=False)]
    return shlex.split(text)


def _command(words: list[str]) -> ReadResult:
    environment: dict[str, str] = {}
    while words and _ASSIGNMENT.fullmatch(words[0]):
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    if not words:
        return ReadResult(warnings=(_warning("there is no command"),))
    entry: JsonObject = {"command": words[0], "args": words[1:]}
    if environment:
        entry["env"] = environment
    return _one(name_of_command(words), entry)


def _web_entry(url: str) -> JsonObject:
    is_sse = split_url(url).path.rstrip("/").endswith("/sse")
    return {"type": "sse" if is_sse else "http", "url": url}


def _claude_command(words: list[str]) -> ReadResult:
    """Read ``claude mcp add [OPTION]… NAME (URL | -- COMMAND …)``, as in many READMEs."""
    entry: JsonObject = {}
    environment: dict[str, str] = {}
    headers: dict[str, str] = {}
    rest: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            rest += left
        elif word in ("--transport", "-t"):
            entry["type"] = next(left, "http")
        elif word in ("--env", "-e"):
            name, _, value = next(left, "").partition("=")
            environment[name] = value
        elif word in ("--header", "-H"):
            name, _, value = next(left, "").partition(":")
            headers[name.strip()] = value.strip()
        elif word in ("--scope", "-s"):
            next(left, "")
        else:
            rest.append(word)
    if len(rest) < 2:
        return ReadResult(warnings=(_warning("claude mcp add needs a name, and a command or an address"),))
    name, *target = rest
    if is_web_address(target[0]):
        entry = {**_web_entry(target[0]), **entry, **({"headers": headers} if headers else {})}
    else:
        entry = {"command": target[0], "args": target[1:], **({"env": environment} if environment else {})}
    return _one(name, entry)


def _one(name: str, entry: JsonObject) -> ReadResult:
    return ReadResult((Candidate(name, name, entry, (Source(None, PASTED, 1),)),))


def _warning(reason: str) -> Problem:
    return Problem(Code.IMPORT_WARNING, {"file": PASTED, "line": "1", "reason": reason})
