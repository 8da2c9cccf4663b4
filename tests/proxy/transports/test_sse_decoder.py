"""Decoder for event streams in bytes."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.proxy.turns import turns_while
from toolnote_desktop.proxy.transports import sse_decoder
from toolnote_desktop.proxy.transports.sse_decoder import Event, EventReader, EventTooLong

STREAM = (
    b'\xef\xbb\xbf: comment\n\nevent: message\ndata: {"a":1}\nid: 7\n\n'
    b"data:no space\ndata:  two spaces\r\n\r\n"
    b"event: endpoint\rdata: /messages\r\r"
    b"data\n\nid\n\nretry: 1500\nid: 8\ndata: \xff\xfe\n\nunknown: x\n\nid: 9\n\ndata: cut off"
)
EXPECTED = [
    Event("message", b'{"a":1}', b"7", None),
    Event("message", b"no space\n two spaces", None, None),
    Event("endpoint", b"/messages", None, None),
    Event("message", b"", b"", None),
    Event("message", b"\xff\xfe", b"8", 1.5),
    Event("message", b"", b"9", None),
]


@given(st.lists(st.integers(1, 40), max_size=80))
def test_the_same_events_however_the_bytes_are_cut(sizes: list[int]) -> None:
    reader, events, at = EventReader(1000), [], 0
    for size in sizes:
        events += list(reader.feed(STREAM[at : at + size]))
        at += size
    events += list(reader.feed(STREAM[at:]))
    assert events == EXPECTED
    assert (reader.last_id, reader.retry) == (b"9", 1.5)


@pytest.mark.parametrize("chunk", [b"data: " + b"x" * 100, b"data: " + b"x" * 100 + b"\n", b"data: y\n" * 60])
def test_an_event_without_an_end_is_refused(chunk: bytes) -> None:
    reader = EventReader(50)
    with pytest.raises(EventTooLong):
        feed_thrice(reader, chunk)


def feed_thrice(reader: EventReader, chunk: bytes) -> None:
    for _ in range(3):
        list(reader.feed(chunk))


def test_events_in_a_row_have_the_whole_limit_each() -> None:
    reader = EventReader(50)
    for _ in range(100):
        assert len(list(reader.feed(b"data: " + b"x" * 40 + b"\n\n"))) == 1


@given(st.binary(max_size=200))
def test_any_bytes_are_read_to_their_end(data: bytes) -> None:
    reader = EventReader(10_000)
    for event in reader.feed(data):
        assert isinstance(event, Event)


def test_a_server_that_wants_to_be_left_alone_for_years_is_come_to_again() -> None:
    reader = EventReader(1000)
    list(reader.feed(b"retry: " + b"9" * 30 + b"\nid: 1\n\n"))
    assert reader.retry == 300.0


def test_others_are_served_between_the_events_of_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red without ``take_turn`` (attack: events that are no messages, without an end)."""
    monkeypatch.setattr(sse_decoder, "TURN", -1.0)
    monkeypatch.setattr(sse_decoder, "TURN_PAUSE", 0.0)

    async def read() -> None:
        reader = EventReader(1000)
        for _ in reader.feed(b"data: {}\n\n" * 20):
            await reader.take_turn()

    async def go() -> int:
        return await turns_while(asyncio.ensure_future(read()))

    assert asyncio.run(go()) >= 20
