"""The proxy ends while requests are not done: they are given up after a second, and that is nobody's error."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from tests.proxy.live import live_call, live_stream
from tests.proxy.running import raw_server, running
from tests.servers.launch import Record
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.tools import tool_annotation

NOTE = {"toolRef": {"namespacedName": "raw.echo"}, "notes": [{"name": "how", "note": "Softly."}]}


@pytest.mark.parametrize("begun", [False, True], ids=["before its answer", "in mid-answer"])
def test_a_request_that_does_not_end_is_given_up_without_an_error(
    home: Home,
    user_folder: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    begun: bool,
) -> None:
    reached: list[bool] = []

    async def save(*_: Any) -> Any:
        reached.append(True)
        await asyncio.Event().wait()  # a disk that does not answer

    monkeypatch.setattr(tool_annotation, "_add", save)
    if begun:
        monkeypatch.setattr("toolnote_desktop.proxy.endpoint.response.KEEP_ALIVE", 0.01)
    record = Record(user_folder / "record.jsonl")
    with running(home, {"raw": raw_server(record=str(record.path))}) as proxy:
        client = proxy.client()
        client.initialize()
        stream = live_stream(client)
        saving = live_call(client, "add-tool-annotation", NOTE)
        hanging = live_call(client, "raw_hang")
        record.wait_for("call")
        while not reached:
            client.request("ping")
        if begun:
            saving.until(lambda: saving.comments > 0)
    for one in (saving, hanging, stream):
        one.until(lambda one=one: one.ended)  # type: ignore[misc]
        one.close()
    worse = [one for one in caplog.records if one.levelno >= logging.ERROR or one.exc_info]
    assert not worse, [one.getMessage() for one in worse]
