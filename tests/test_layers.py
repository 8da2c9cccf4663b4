"""Walls that import-linter cannot hold (it knows outside packages as wholes only)."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "toolnote_desktop"


def imported(path: Path) -> set[str]:
    """Every module that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
    return names


@pytest.mark.parametrize("path", sorted((PACKAGE / "desktop" / "models").glob("*.py")), ids=lambda path: path.stem)
def test_models_of_the_window_know_no_widgets(path: Path) -> None:
    assert not {name for name in imported(path) if name.startswith("PySide6.QtWidgets")}


@pytest.mark.parametrize("path", sorted((PACKAGE / "bridge").glob("*.py")), ids=lambda path: path.stem)
def test_the_bridge_knows_the_standard_library_and_paths_only(path: Path) -> None:
    allowed = ("toolnote_desktop.paths", "toolnote_desktop.bridge.")
    for name in imported(path):
        root = name.partition(".")[0]
        known = root in sys.stdlib_module_names or name.startswith(allowed) or name == "toolnote_desktop.__version__"
        assert known or name == "toolnote_desktop", f"{path.name} imports {name}"


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("toolnote_desktop.app", ("mcp", "mcp_types", "uvicorn")),
        ("toolnote_desktop.cli.parser", ("mcp", "mcp_types", "PySide6", "uvicorn")),
        ("toolnote_desktop.serve", ("PySide6", "mcp")),
        ("toolnote_desktop.proxy.proxy", ("PySide6", "mcp")),
    ],
)
def test_heavy_modules_are_not_imported_early(module: str, forbidden: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print([m for m in {forbidden!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_import_hook_of_pyside_is_not_in_force_when_the_window_is_imported() -> None:
    code = (
        "import argparse, builtins, sys, types\n"
        "plain = builtins.__import__\n"
        "from toolnote_desktop.commands import programs\n"
        "sys.modules['toolnote_desktop.app'] = types.SimpleNamespace(run=lambda home, **options: 0)\n"
        "options = argparse.Namespace(background=False, demo=False, quit=False, safe=False, target=None)\n"
        "assert programs.gui(options, None) == 0\n"
        "print('PySide6.QtCore' in sys.modules, builtins.__import__ is plain)"
    )
    variables = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=variables)
    assert run.stdout.split() == ["True", "True"]


ARCHITECTURE = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")

# Rooms in the table of the page, with those that each may import ("model, system"); not of those that begin with "all".
ROOMS = dict(re.findall(r"^\| `(\w+)/` \| .* \| (?!all)([\w, ]+) \|$", ARCHITECTURE, re.MULTILINE))

# Modules of the package itself that all rooms may use.
SHARED = {"__version__", "assets", "error_messages", "http_body", "log", "paths"}


@pytest.mark.parametrize("room", ROOMS)
def test_room_imports_what_the_page_of_the_architecture_says(room: str) -> None:
    allowed = {f"toolnote_desktop.{name}" for name in (room, *ROOMS[room].split(", "), *SHARED)}
    for path in sorted((PACKAGE / room).rglob("*.py")):
        names = {".".join(name.split(".")[:2]) for name in imported(path) if name.startswith("toolnote_desktop.")}
        assert names <= allowed, path


def test_rooms_are_read_from_the_page_of_the_architecture() -> None:
    assert len(ROOMS) >= 12
    assert ROOMS["assistants"] == "model, system"


def test_modules_on_the_page_of_the_architecture_exist() -> None:
    modules = set(re.findall(r"`((?:\w+/)+\w+\.py)`", ARCHITECTURE))
    assert len(modules) > 80
    assert not [
        module for module in modules if not any((base / module).is_file() for base in (PACKAGE, PACKAGE.parent))
    ]


FOLDERS = sorted({path.parent for path in PACKAGE.rglob("*.py")} - {PACKAGE})


@pytest.mark.parametrize("folder", [PACKAGE, *FOLDERS], ids=lambda folder: folder.name)
def test_folder_has_at_most_26_modules(folder: Path) -> None:
    assert len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) <= 26


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_folder_is_on_the_page_of_the_architecture(folder: Path) -> None:
    assert re.search(rf"`(\w+/)*{folder.name}/`", ARCHITECTURE)


IN_WINDOW_AND_PROXY = {"Debouncer", "PageOffers"}
"""Classes for one thing, once with Qt and once with asyncio."""


def test_class_has_a_name_of_its_own() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")]
    names = Counter(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert {name for name, count in names.items() if count > 1 and name[0] != "_"} == IN_WINDOW_AND_PROXY
