"""Entries of servers that run in a container of docker or podman (docs/security.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from toolnote_desktop.model.json_text import JsonObject

RUNTIMES: Final = ("docker", "podman")

IMAGES: Final = {
    "npx": "node:22-slim",
    "node": "node:22-slim",
    "bunx": "oven/bun:1-slim",
    "uvx": "ghcr.io/astral-sh/uv:python3.13-bookworm-slim",
    "uv": "ghcr.io/astral-sh/uv:python3.13-bookworm-slim",
    "python": "python:3.13-slim",
    "python3": "python:3.13-slim",
}
"""Image for a server that is started by a program, where the user names none."""

_LIMITS: Final = (
    *("run", "-i", "--rm", "--init", "--read-only", "--tmpfs", "/tmp:exec", "-e", "HOME=/tmp"),
    *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--pids-limit", "512", "--memory", "2g"),
)
"""Options of each container: nothing of it is written to disk, and it has no rights of its own."""


def usual_image(program: str) -> str | None:
    """Return the image for a program such as ``npx``; None for one that is not known."""
    name = program.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    return IMAGES.get(name.removesuffix(".exe").removesuffix(".cmd"))


def contained(
    entry: JsonObject, runtime: str, image: str, *, folders: Sequence[str] = (), network: bool = True
) -> JsonObject:
    """Return a stdio server's entry that runs its command in a container.

    Values of ``env`` are passed by the environment of the runtime, so that no secret is in its arguments.

    Args:
        folders: absolute paths that the server may read and write, under the same names.
    """
    env: dict[str, Any] = entry.get("env") or {}
    names = [word for name in env for word in ("-e", name)]
    mounts = [word for folder in folders for word in ("-v", f"{folder}:{folder}")]
    place = ["-w", folders[0]] if folders else []
    apart = [] if network else ["--network", "none"]
    arguments = [*_LIMITS, *apart, *names, *mounts, *place, image, entry["command"], *entry.get("args", [])]
    return {**{key: value for key, value in entry.items() if key != "cwd"}, "command": runtime, "args": arguments}
