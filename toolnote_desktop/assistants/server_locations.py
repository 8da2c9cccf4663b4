"""Search for the servers in a file of any shape (case C46)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.assistants.formats.base import Member, Node
from toolnote_desktop.model.url_parts import split_url

_PATHS: tuple[tuple[str, ...], ...] = (
    ("mcpServers",),
    ("servers",),
    ("context_servers",),
    ("mcp_servers",),
    ("extensions",),
    ("mcp", "servers"),
    ("mcp", "mcpServers"),
    ("mcp.servers",),
    ("amp.mcpServers",),
    ("projects", "*", "mcpServers"),
    ("experimental", "modelContextProtocolServers"),
    ("experimental", "modelContextProtocolServer"),
    ("mcp",),
)
_SHARED = (("mcp",), ("extensions",))
"""Keys that other programs use for other purposes too."""
_MARKS = ("command", "cmd", "url", "serverUrl", "httpUrl", "uri")

Warn = Callable[[int, str], None]


class Servers(Struct, frozen=True):
    """Servers of one object, by name."""

    entries: Mapping[str, Node]


def find_servers(root: Node, paths: Sequence[tuple[str, ...]] | None, warn: Warn) -> list[Servers]:
    """Find the objects that hold servers.

    Args:
        paths: paths to search; None for the paths of all known programs, then the whole as a mapping of servers or as
            one server.
        warn: receives the line and a reason if such a path holds anything else.
    """
    found: list[Servers] = []
    for path in _PATHS if paths is None else paths:
        if path in _SHARED and paths is None and not _is_mapping_of_servers(root.at(path)):
            continue
        for node in _at(root, path):
            if isinstance(node.value, list):
                found.append(_listed(node.items, warn))
            elif path[-1] == "modelContextProtocolServer":
                found.append(_listed([node], warn))
            elif isinstance(node.value, dict):
                found.append(Servers({member.key: member.node for member in _lifted(node, warn)}))
            elif node.value is not None:
                warn(node.line, f'"{".".join(path)}" is not an object')
    if found or paths is not None:
        return found
    if _is_server(root):
        return [Servers({suggested_name(root.value): root})]
    if _is_mapping_of_servers(root):
        return [Servers({member.key: member.node for member in root.members})]
    return []


def _lifted(node: Node, warn: Warn) -> Iterator[Member]:
    """Yield the members, with those of a ``mcpServers`` pasted into another one, where no program reads them."""
    for member in node.members:
        inner = member.node
        if member.key in ("mcpServers", "servers") and not _is_server(inner) and _is_mapping_of_servers(inner):
            warn(inner.line, f'the servers in this "{member.key}" are one level too deep; they are imported')
            yield from inner.members
        else:
            yield member


def _listed(items: Sequence[Node], warn: Warn) -> Servers:
    """Return the servers of a list, by their own names or a suggested one (Continue's older file)."""
    entries: dict[str, Node] = {}
    for item in items:
        if not isinstance(item.value, dict):
            warn(item.line, "an object is expected in the list of servers; it is skipped")
            continue
        inner = item.get("transport")
        entry = inner if inner is not None and isinstance(inner.value, dict) else _without_name(item)
        given = item.value.get("name")
        wanted = given if isinstance(given, str) and given.strip() else suggested_name(entry.value)
        number, name = 1, wanted
        while name in entries:
            number += 1
            name = f"{wanted}-{number}"
        entries[name] = entry
    return Servers(entries)


def _without_name(node: Node) -> Node:
    value = {key: value for key, value in node.value.items() if key != "name"}
    return replace(node, value=value, members=tuple(member for member in node.members if member.key != "name"))


def suggested_name(entry: Mapping[str, Any]) -> str:
    """Suggest a name for a server without one: by its package, program or host."""
    url = next((entry[key] for key in _MARKS[2:] if isinstance(entry.get(key), str)), None)
    if url:
        try:
            host = split_url(url).hostname or ""
        except ValueError:
            host = ""
        labels = [label for label in host.split(".") if label not in ("www", "mcp", "api")]
        return (labels[0] if labels else "") or "server"
    arguments = entry.get("args")
    words = [word for word in arguments if isinstance(word, str)] if isinstance(arguments, list) else []
    command = entry.get("command") if isinstance(entry.get("command"), str) else ""
    launchers = ("npx", "uvx", "node", "python", "python3", "uv", "docker", "bunx", "deno", "pipx", "npm", "pnpm")
    candidates = [word for word in words if not word.startswith("-") and word not in ("run", "exec", "dlx", "tool")]
    program = re.split(r"[\\/]", str(command))[-1].removesuffix(".exe").removesuffix(".cmd")
    named = candidates[0] if program in launchers and candidates else program
    last = re.split(r"[\\/]", named)[-1]
    bare = re.sub(r"(@[\w.\-]+|==.*|\.(py|js|mjs|ts|exe|cmd))$", "", last)
    trimmed = re.sub(r"^(mcp-server-|server-|mcp-)|(-mcp-server|-mcp|-server)$", "", bare)
    return trimmed or bare or "server"


def _at(node: Node, path: Sequence[str]) -> Iterator[Node]:
    if not path:
        yield node
        return
    if path[0] == "*":
        for member in node.members:
            yield from _at(member.node, path[1:])
    elif inner := node.get(path[0]):
        yield from _at(inner, path[1:])


def _is_server(node: Node) -> bool:
    if not isinstance(node.value, dict):
        return False
    return any(isinstance(node.value.get(key), (str, list)) for key in _MARKS)


def _is_mapping_of_servers(node: Node | None) -> bool:
    return node is not None and any(_is_server(member.node) for member in node.members)
