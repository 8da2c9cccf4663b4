"""Icons of the assistants' programs, where the system has them. None are bundled: they are their makers' marks."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QFileInfo
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFileIconProvider

_THEME_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "claude-desktop": ("claude-desktop", "com.anthropic.claude-desktop", "claude"),
    "cursor": ("cursor", "co.anysphere.cursor"),
    "vscode": ("vscode", "com.visualstudio.code", "code", "visual-studio-code"),
    "windsurf": ("windsurf",),
    "zed": ("dev.zed.Zed", "zed"),
    "antigravity": ("antigravity",),
    "lm-studio": ("lm-studio",),
    "goose": ("goose",),
    "kiro": ("kiro",),
    "warp": ("dev.warp.Warp", "warp-terminal"),
    "jan": ("ai.jan.Jan", "jan"),
    "anythingllm": ("anythingllm-desktop", "anythingllm"),
    "witsy": ("com.nabocorp.witsy", "witsy"),
}
"""Names in icon themes, by the id of the assistant."""

_BUNDLES: Final[Mapping[str, str]] = {
    "claude-desktop": "Claude",
    "cursor": "Cursor",
    "vscode": "Visual Studio Code",
    "windsurf": "Windsurf",
    "zed": "Zed",
    "antigravity": "Antigravity",
    "lm-studio": "LM Studio",
    "goose": "Goose",
    "kiro": "Kiro",
    "warp": "Warp",
    "jan": "Jan",
    "anythingllm": "AnythingLLM",
    "witsy": "Witsy",
}
"""Names of programs in macOS's folder of applications."""


@cache
def app_icon(client: str) -> QIcon | None:
    """Return the icon of an assistant's program; None where the system has none."""
    if sys.platform == "darwin":
        bundle = Path("/Applications") / f"{_BUNDLES.get(client, '')}.app"
        found = client in _BUNDLES and bundle.exists()
        return QFileIconProvider().icon(QFileInfo(str(bundle))) if found else None
    name = next((one for one in _THEME_NAMES.get(client, ()) if QIcon.hasThemeIcon(one)), None)
    return QIcon.fromTheme(name) if name is not None else None
