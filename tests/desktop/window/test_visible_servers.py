"""What a person sees is told to the proxy, which keeps the state of what is seen true within seconds."""

from __future__ import annotations

import pytest

from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.window.visible_servers import VisibleServers
from toolnote_desktop.desktop.window.window import MainWindow


@pytest.fixture
def told(window: MainWindow, link: ProxyLink, monkeypatch: pytest.MonkeyPatch) -> list[tuple[bool, str | None]]:
    """What the proxy is told of the window that is being shown."""
    told: list[tuple[bool, str | None]] = []
    monkeypatch.setattr(link, "report_visible", lambda window, page: told.append((window, page)))
    VisibleServers(window, link)
    return told


def test_a_window_that_comes_and_goes_and_the_page_in_it(
    window: MainWindow, told: list[tuple[bool, str | None]]
) -> None:
    server = next(iter(window.snapshot.servers))
    window.show()
    window.go(RowKey(Kind.SERVER, server))
    assert told[-1:] == [(True, server)]
    tool = next(key for key in window.snapshot.catalogue.tools if key[0] != server)
    window.go(RowKey(Kind.TOOL, *tool))
    assert told[-1:] == [(True, tool[0])]
    window.go(RowKey(Kind.TOOLSET, next(iter(window.snapshot.toolsets))))
    assert told[-1:] == [(True, None)]
    window.go(RowKey(Kind.SERVER, server))
    window.hide()
    assert told[-1:] == [(False, None)]
    window.show()
    assert told[-1:] == [(True, server)]
    window.showMinimized()
    assert told[-1:] == [(False, None)]
