"""Pages that open in the user's browser: only http(s), and only through one function (issue 15, item 4)."""

from __future__ import annotations

import ast
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

import toolnote_desktop
from toolnote_desktop.commands import sign_in
from toolnote_desktop.desktop.widgets.basics import open_web_page

PRODUCT = Path(toolnote_desktop.__file__).parent

OPENERS = {
    "QDesktopServices": {"desktop/widgets/basics.py"},
    "webbrowser": {"commands/sign_in.py"},
    "startfile": set(),
    "startDetached": set(),
    "linkActivated": set(),
    "anchorClicked": set(),
}
"""Names by which a program opens something outside itself -> the modules that may use them."""

LINK_SWITCHES = {"setOpenExternalLinks", "setOpenLinks"}

NO_PAGES = [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "data:text/html,x",
    "vscode://x/y",
    "ms-msdt:/id",
    "toolnote://add-server?name=x",
    "smb://host/share",
    "/usr/bin/true",
    "http:",
    "https:///path",
    "//host/path",
    "http://[",
    "",
]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    urls: list[str] = []

    def open_url(url: QUrl) -> bool:
        urls.append(url.toString())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    monkeypatch.setattr(webbrowser, "open", urls.append)
    monkeypatch.setenv("DISPLAY", ":0")
    return urls


@pytest.mark.parametrize("url", NO_PAGES)
def test_other_addresses_never_reach_the_browser(opened: list[str], url: str) -> None:
    """Seen red without ``is_web_address`` in either function."""
    assert not open_web_page(url)
    sign_in._print_url(url)
    assert opened == []


@pytest.mark.parametrize("url", ["http://127.0.0.1:8377/x", "HTTPS://example.org/sign-in?x=1"])
def test_web_pages_are_opened(opened: list[str], url: str) -> None:
    assert open_web_page(url)
    sign_in._print_url(url)
    assert opened == [QUrl(url).toString(), url]


def test_nothing_is_opened_by_another_function() -> None:
    """Seen red with a direct ``QDesktopServices.openUrl`` in a page."""
    found = {(name, module) for name, module in _uses() if module not in OPENERS[name]}
    assert found == set()


def test_links_in_texts_open_nothing() -> None:
    """Labels and text views open links themselves only where they are told to."""
    for path, node in _nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LINK_SWITCHES:
            assert isinstance(node.args[0], ast.Constant), path
            assert node.args[0].value is False, path


def _uses() -> Iterator[tuple[str, str]]:
    for path, node in _nodes():
        names: list[str] = []
        if isinstance(node, ast.Name):
            names = [node.id]
        elif isinstance(node, ast.Attribute):
            names = [node.attr]
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names]
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            if name in OPENERS:
                yield name, path


def _nodes() -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(PRODUCT.rglob("*.py")):
        text = path.read_text("utf-8")
        if any(name in text for name in (*OPENERS, *LINK_SWITCHES)):
            for node in ast.walk(ast.parse(text)):
                yield path.relative_to(PRODUCT).as_posix(), node
