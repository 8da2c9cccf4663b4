"""One document on disk: where it is, how it is written, and its backups."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.stories import WORK, note, put, work
from toolnote_desktop.model.edits import CATALOG, CLIENTS, NOTES, SERVERS, SETTINGS, TOOLS, DocumentId, toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.model.toolsets.toolset import parse_toolset
from toolnote_desktop.paths import Home
from toolnote_desktop.store import backups
from toolnote_desktop.store.backups import Backups
from toolnote_desktop.store.documents import (
    UnreadableDocumentError,
    document_at,
    document_path,
    documents_in,
    encode,
    new_toolset,
    parse_content,
    read_bytes,
)

NOW = datetime(2026, 1, 1, 12, 0, 0, 5, tzinfo=UTC)


def test_documents_have_their_files(home: Home) -> None:
    documents = (SERVERS, SETTINGS, CLIENTS, NOTES, TOOLS, CATALOG, WORK)
    for document in documents:
        path = document_path(home, document)
        assert path == home.root / str(document)
        assert document_at(home, path) == document
    for other in (
        "endpoint.json",
        "run/endpoint.json",
        "toolsets/Work.json",
        "toolsets/con.json",
        "servers.json.bad-x",
    ):
        assert document_at(home, home.root / other) is None
    assert documents_in(home) == documents[:-1]
    put(home.toolset("work"), work())
    put(home.toolset("able"), work())
    put(home.toolsets / "No Toolset.json", work())
    put(home.toolsets / "readme.txt", work())
    assert documents_in(home) == (*documents[:-1], toolset_document("able"), WORK)


def test_a_new_toolset_is_as_the_contract_shows_it() -> None:
    tools = [{"namespacedName": "linear.create_issue", "refId": "ab"}]
    raw = new_toolset("linear-work", "Linear work", tools, now=datetime(2026, 1, 1, 2, tzinfo=UTC))
    assert raw == {
        "name": "linear-work",
        "title": "Linear work",
        "description": "",
        "version": "1.0.0",
        "createdAt": "2026-01-01T02:00:00Z",
        "lastModified": "2026-01-01T02:00:00Z",
        "tools": tools,
        "toolNotes": [],
    }
    reports: list[tuple[str, str]] = []
    assert parse_toolset("linear-work", raw, lambda *what: reports.append(what)).title == "Linear work"
    assert reports == []


def test_moments_are_in_utc() -> None:
    assert iso_utc(datetime.fromisoformat("2026-01-01T00:30:00+02:00")) == "2025-12-31T22:30:00Z"
    assert iso_utc(datetime(2026, 1, 1, 0, 0, 59, 999_999)) == "2026-01-01T00:00:59Z"  # noqa: DTZ001  a naive one


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(), inside, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), json_values, max_size=5))
def test_written_document_reads_the_same(raw: JsonObject) -> None:
    data = encode(raw)
    assert parse_content(SETTINGS, data).raw == raw
    for size in (1, 65_535, 65_536, 200_000):  # searched in parts of 64 KiB
        assert parse_content(SETTINGS, b" " * size + data + b"\n" * size).raw == raw
        with pytest.raises(UnreadableDocumentError, match="empty"):
            parse_content(SETTINGS, b" " * size + b"\0" * size)
        with pytest.raises(UnreadableDocumentError, match=r"xpecting|value"):
            parse_content(SETTINGS, b"\0" * size + data)
    assert parse_content(SETTINGS, b"\xef\xbb\xbf" + data).raw == raw, "a byte order mark is tolerated"
    assert encode(parse_content(SETTINGS, data).raw) == data


@given(st.binary(max_size=200))
def test_any_bytes_are_a_document_or_unreadable(data: bytes) -> None:
    try:
        raw = parse_content(WORK, data).raw
    except UnreadableDocumentError:
        return
    assert isinstance(raw, dict)


@given(st.integers(min_value=0))
def test_a_cut_document_is_never_taken_for_a_whole_one(cut: int) -> None:
    data = encode(work(note("team", "é" * 30)))
    with pytest.raises(UnreadableDocumentError):
        parse_content(WORK, data[: cut % (len(data) - 1)])


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")
def test_only_a_regular_file_is_read(home: Home) -> None:
    assert read_bytes(home.settings) is None
    os.mkfifo(home.settings)
    with pytest.raises(OSError, match="not a regular file"):
        read_bytes(home.settings)
    with pytest.raises(OSError, match="not a regular file"):
        read_bytes(home.root)


def states(home: Home, document: DocumentId) -> list[bytes]:
    folder = home.backups / str(document)
    return [path.read_bytes() for path in sorted(folder.iterdir())]


def test_the_last_twenty_states_are_kept(home: Home) -> None:
    kept = Backups(home)
    for number in range(30):
        kept.keep(WORK, encode({"number": number}), NOW + timedelta(seconds=number))
    assert states(home, WORK) == [encode({"number": number}) for number in range(10, 30)]
    newest = next(kept.valid(WORK))
    assert newest[2].raw == {"number": 29}
    assert states(home, WORK)[-1] == newest[1]


def test_an_unchanged_state_is_not_kept_again(home: Home) -> None:
    kept = Backups(home)
    for data in (b'{"a": 1}', b'{"a": 1}', b'{"a": 2}', b'{"a": 1}'):
        kept.keep(SETTINGS, data, NOW)
    assert states(home, SETTINGS) == [b'{"a": 1}', b'{"a": 2}', b'{"a": 1}'], "in order, although the clock stood still"
    Backups(home).keep(SETTINGS, b'{"a": 1}', NOW)
    assert len(states(home, SETTINGS)) == 3, "nor by another process"


def test_another_process_s_states_count_too(home: Home) -> None:
    ours, theirs = Backups(home), Backups(home)
    ours.keep(SETTINGS, b'{"a": 1}', NOW)
    theirs.keep(SETTINGS, b'{"a": 2}', NOW)
    ours.keep(SETTINGS, b'{"a": 1}', NOW)
    assert states(home, SETTINGS) == [b'{"a": 1}', b'{"a": 2}', b'{"a": 1}']


def test_a_clock_that_was_set_back_does_not_change_the_order(home: Home) -> None:
    kept = Backups(home)
    kept.keep(SETTINGS, b'{"a": 1}', NOW)
    kept.keep(SETTINGS, b'{"a": 2}', NOW - timedelta(days=400))
    kept.keep(SETTINGS, b'{"a": 3}', NOW - timedelta(days=300))
    assert states(home, SETTINGS) == [b'{"a": 1}', b'{"a": 2}', b'{"a": 3}']


def test_large_documents_keep_fewer_states(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "_BYTES_LIMIT", 1000)
    kept = Backups(home)
    large = [encode({"text": f"{number}" * 400}) for number in range(6)]
    for data in large:
        kept.keep(CATALOG, data, NOW)
    assert states(home, CATALOG) == large[-2:]
    huge = [encode({"text": f"{number}" * 4000}) for number in range(6)]
    for data in huge:
        kept.keep(CATALOG, data, NOW)
    assert states(home, CATALOG) == huge[-2:], "two are always kept"


def test_other_files_among_the_backups_are_left_alone(home: Home) -> None:
    kept = Backups(home)
    folder = home.backups / "settings.json"
    put(folder / "mine.txt", b"x")
    put(folder / "z.json", b"no name of ours")
    for number in range(30):
        kept.keep(SETTINGS, encode({"number": number}), NOW + timedelta(seconds=number))
    assert (folder / "mine.txt").exists()
    assert next(kept.valid(SETTINGS))[2].raw == {"number": 29}
    assert Path(folder / "z.json").exists()
