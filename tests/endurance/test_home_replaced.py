"""Replacement of the home folder while the app runs, as synchronisation programs do."""

from __future__ import annotations

import json
import shutil
import sys

import pytest

from tests.waiting import wait_until
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy import thread as proxy_thread
from toolnote_desktop.proxy.thread import ProxyThread
from toolnote_desktop.store.home_lock import HomeOwner
from toolnote_desktop.store.library import Library


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be moved away there")
def test_bridges_find_the_app_again(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy_thread, "RESTORE_SECONDS", 0.1)
    owner = HomeOwner.acquire(home, "serve")
    with Library.open(home) as library:
        thread = ProxyThread(library, home, owner=owner, port=0)
        thread.start()
        url = thread.ready.result(30).url
        away = home.root.with_name("away")
        home.root.rename(away)
        shutil.copytree(away, home.root, ignore=shutil.ignore_patterns("run"))
        wait_until(home.endpoint.exists)
        assert json.loads(home.endpoint.read_bytes())["url"] == url
        assert thread.stop(10)
    owner.release()
    assert not home.endpoint.exists()
