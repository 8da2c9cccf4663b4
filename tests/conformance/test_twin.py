"""Sessions made at random, directly and through Toolnote (``twin.py``): the short form, and faults that it finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.twin import Session, Twins, bridged, features, session, twins
from toolnote_desktop.proxy.endpoint.callers import HandshakeCaller
from toolnote_desktop.proxy.routing.forward import Forwarder
from toolnote_desktop.proxy.transports import base
from toolnote_desktop.proxy.upstream.server import Upstream

SESSIONS = range(1000, 1032)
LENGTH = 30


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    with twins(tmp_path_factory.mktemp("twins")) as found:
        yield found


def test_nothing_differs(both: Twins) -> None:
    """Seen red with a server's capabilities of one era declared to clients of the other."""
    for number in SESSIONS:
        differences = both.compare(session(number, LENGTH))
        assert not differences, "\n".join(map(str, differences))


def test_nothing_differs_through_the_bridge(tmp_path: Path) -> None:
    with bridged(tmp_path / "home") as run:
        for number in SESSIONS[:8]:
            differences = run(session(number, LENGTH))
            assert not differences, "\n".join(map(str, differences))


def differing(both: Twins) -> set[str]:
    """The methods of the messages that differ, of four sessions: each era and transport."""
    found = [one for number in SESSIONS[:4] for one in both.compare(session(number, LENGTH))]
    return {one.step.split(", ")[1].split(" ")[0] for one in found if one.step != "handshake"}


def test_a_dropped_meta_key_is_found(both: Twins, monkeypatch: pytest.MonkeyPatch) -> None:
    send = Forwarder._send_call

    async def without_key(self: Any, call: Any, upstream: Any, era: Any, method: str, params: Any) -> Any:
        meta = params.get("_meta")
        if isinstance(meta, dict) and "plain" in meta:
            params = {**params, "_meta": {key: value for key, value in meta.items() if key != "plain"}}
        return await send(self, call, upstream, era, method, params)

    monkeypatch.setattr(Forwarder, "_send_call", without_key)
    assert "tools/call" in differing(both)


def test_a_reordered_notice_is_found(both: Twins, monkeypatch: pytest.MonkeyPatch) -> None:
    notify = HandshakeCaller.notify
    held: list[Any] = []

    def swapped(self: Any, method: str, params: bytes | None) -> None:
        held.append((self, method, params))
        if len(held) == 2:
            for one in reversed(held):
                notify(*one)
            held.clear()

    monkeypatch.setattr(HandshakeCaller, "notify", swapped)
    (difference,) = both.compare(
        Session(7002, modern=False, http=False, steps=features(modern=False)["progress"].steps)
    )
    assert [one["params"]["progress"] for one in difference.direct["said"]] == [1, 2, 3]
    assert [one["params"]["progress"] for one in difference.through["said"]] == [2, 1]


def test_a_dropped_reason_of_a_cancellation_is_found(both: Twins, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "cancelled_params", lambda request_id, cause: b'{"requestId":%s}' % request_id)
    one = Session(7001, modern=False, http=False, steps=features(modern=False)["cancelled call"].steps)
    (difference,) = both.compare(one)
    assert "no longer" in str(difference.direct)
    assert "no longer" not in str(difference.through)


def test_a_renamed_method_is_found(both: Twins, monkeypatch: pytest.MonkeyPatch) -> None:
    request = Upstream.request

    async def renamed(self: Any, method: str, *args: Any, **options: Any) -> Any:
        return await request(self, "own/none" if method == "own/echo" else method, *args, **options)

    monkeypatch.setattr(Upstream, "request", renamed)
    assert differing(both) == {"own/echo"}
