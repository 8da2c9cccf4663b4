"""The proxy on a full disk serves, and says what is wrong (issue 15 item 10, U15)."""

from __future__ import annotations

import pytest

from tests.proxy.raw_client import RawClient
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.thread import ProxyThread
from toolnote_desktop.store.home_lock import HomeOwner
from toolnote_desktop.store.library import Library


def test_proxy_whose_endpoint_file_cannot_be_written_serves_all_the_same(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: it neither became ready nor ended."""

    def refuse(*_: object) -> None:
        raise ToolnoteError(Code.FILE_NOT_WRITTEN, file="endpoint.json", reason="No space left on device")

    monkeypatch.setattr(HomeOwner, "write_endpoint", refuse)
    owner = HomeOwner.acquire(home, "serve")
    with Library.open(home) as library:
        thread = ProxyThread(library, home, port=0, owner=owner, listener=lambda _: None)
        thread.start()
        try:
            endpoint = thread.ready.result(timeout=20)
            client = RawClient(endpoint.url, endpoint.token)
            client.initialize()
            assert client.tools()
            assert endpoint.problem is not None
            assert endpoint.problem.code is Code.FILE_NOT_WRITTEN
        finally:
            assert thread.stop(10)
    owner.release()
