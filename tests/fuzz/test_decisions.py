"""Rows of the audit that another program replaced, values that an assistant sends where the user allows some, and
responses to the question whether a call may run.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.profiles import examples
from toolnote_desktop.commands import audit as command
from toolnote_desktop.model.audit import AuditEntry, AuditKind
from toolnote_desktop.model.tools.parameter_settings import ParameterSetting
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.events import Decision
from toolnote_desktop.proxy.routing import approvals
from toolnote_desktop.store.activity_export import write_audit_csv, write_audit_json
from toolnote_desktop.store.audit import AuditFilter, AuditLog, _append, check_chain, read_entries

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
# SQLite stores any of these in any column but `id`.
CELLS = (
    st.sampled_from([-1, 2**62, -(2**63), 1.5, 1e300, "", "x", b"\xff", "[" * 5000, '{"a": NaN}', '{"a": "\\ud800"}'])
    | st.integers(-(2**63), 2**63 - 1)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    | st.binary(max_size=8)
)
COLUMNS = ("time", "actor", "kind", "action", "subject", "detail", "count", "hash")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Home with an audit of three entries."""
    home = Home(tmp_path_factory.mktemp("audit"))
    with contextlib.closing(AuditLog(home, lambda: 365)) as log:
        log.record(*(AuditEntry("user", AuditKind.NOTE, "added", f"git.{one}") for one in "abc"))
        log.flush()
    return home


@contextlib.contextmanager
def _editing(home: Home) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(home.audit, isolation_level=None)) as database:
        database.execute("PRAGMA synchronous=OFF")
        yield database


@given(st.sampled_from([("head", "id"), ("head", "hash")]), CELLS)
@examples(40)
def test_replaced_end_of_the_audit_costs_no_entry(recorded: Home, place: tuple[str, str], cell: Any) -> None:
    table, column = place
    with _editing(recorded) as database:
        (before,) = database.execute(f"SELECT {column} FROM {table}").fetchone()
        database.execute(f"UPDATE {table} SET {column} = ?", (cell,))
        try:
            assert check_chain(recorded) is not None
            _append(database, [])
        finally:
            database.execute(f"UPDATE {table} SET {column} = ?", (before,))


@given(st.integers(1, 3), st.sampled_from(COLUMNS), CELLS)
@examples(100)
def test_replaced_audit_cell_is_named_and_printed(recorded: Home, row: int, column: str, cell: Any) -> None:
    with _editing(recorded) as database:
        (before,) = database.execute(f"SELECT {column} FROM entries WHERE id = ?", (row,)).fetchone()
        database.execute(f"UPDATE entries SET {column} = ? WHERE id = ?", (cell, row))
        (stored,) = database.execute(f"SELECT {column} FROM entries WHERE id = ?", (row,)).fetchone()
        try:
            checked = check_chain(recorded)
            entries = read_entries(recorded, 9, AuditFilter())
            for write in (write_audit_csv, write_audit_json):
                write(io.StringIO(), entries)
            printed = [command._row(entry) for entry in entries]
        finally:
            database.execute(f"UPDATE entries SET {column} = ? WHERE id = ?", (before, row))
    assert len(entries) == len(printed) == 3
    assert checked is not None
    if stored != before and not _same_detail(column, before, stored):
        assert checked[1] is not None
        assert checked[1].id in (row, row + 1)
    assert check_chain(recorded) == (3, None)


def _same_detail(column: str, before: Any, stored: Any) -> bool:
    """Return True for other JSON with the same meaning."""
    if column != "detail":
        return False
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        return bool(json.loads(before) == json.loads(stored))
    return False


@given(
    JSON, st.sampled_from([{"values": [1, "a", None, {"b": [True]}]}, {"like": "re[l-"}, {"like": "*a*"}, {"of": 1}])
)
@examples(150)
def test_value_that_is_allowed_is_one_of_those_or_a_list_of_them(value: Any, allowed: dict[str, Any]) -> None:
    setting = ParameterSetting(allowed=allowed)
    found = setting.allows(value)
    assert setting.allows([value]) is found or value == [] or isinstance(value, list)
    if not found:
        return
    assert "of" not in allowed
    if isinstance(value, list):
        assert value
        assert all(setting.allows(one) for one in value)
    elif "values" in allowed:
        same = [one for one in allowed["values"] if one == value]
        assert same
        assert type(same[0]) is type(value) or float(value) == 1.0
    else:
        assert isinstance(value, str)


@pytest.mark.parametrize("allowed", [{"values": [1]}, {"under": "/"}, {"like": "*"}])
def test_value_of_any_depth_is_decided(allowed: dict[str, Any]) -> None:
    value: Any = "/x"
    for _ in range(1000):
        value = [value]
    assert ParameterSetting(allowed=allowed).allows(value) is ("values" not in allowed)


STEPS = st.lists(
    st.sampled_from(["in", "out", "link", "file", "..", ".", "", "a\x00b", "é", "in\ud800", "x" * 300]), max_size=6
)


@given(STEPS, st.sampled_from(["in", "in/", "in/link", "in/../in", "", "in/gone"]))
@examples(150)
def test_path_that_is_allowed_is_in_the_folder(recorded: Home, steps: list[str], under: str) -> None:
    root = Path(os.path.realpath(recorded.root)) / "files"
    for made in (root / "in" / "in", root / "out"):
        made.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        (root / "in" / "link").symlink_to(root / "out")
    folder, path = f"{root}/{under}", "/".join([str(root), *steps])
    if ParameterSetting(allowed={"under": folder}).allows(path, os.path.realpath):
        real = Path(os.path.realpath(path))
        assert real.is_relative_to(os.path.realpath(folder))
        with contextlib.suppress(OSError, ValueError):  # one that cannot be there
            assert not real.exists() or real.samefile(path)


@pytest.mark.parametrize("folder", ["", ".", "..", "a\x00b", "~"])
def test_folder_that_is_not_absolute_allows_nothing(folder: str) -> None:
    """Seen red with "": all that was below the folder in which Toolnote was started."""
    assert not ParameterSetting(allowed={"under": folder}).allows(f"{os.getcwd()}/x", os.path.realpath)


@given(JSON | st.fixed_dictionaries({"action": JSON, "content": JSON}), JSON)
@examples(150)
def test_response_is_a_yes_only_if_it_says_so(response: Any, allow: Any) -> None:
    assert approvals._decision(response) is Decision.DENY
    content = {"action": "accept", "content": {"allow": allow}}
    assert approvals._decision(content) is Decision.DENY or allow in ("once", "session")
