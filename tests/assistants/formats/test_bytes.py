"""In and out of generated files in every encoding: the bytes come back."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.assistants.formats.generated import OBJECTS, Text, jsonc_texts, well_laid
from tests.assistants.machines import OURSELVES
from toolnote_desktop.assistants import config_file
from toolnote_desktop.assistants.config_file import UnreadableConfigError, decode
from toolnote_desktop.assistants.installing.plan import apply, install_log_of, plan_install, plan_uninstall
from toolnote_desktop.assistants.registry import known_client
from toolnote_desktop.paths import Home

CURSOR = known_client("cursor")
FILES = st.fixed_dictionaries({"a": st.integers()}, optional={"mcpServers": OBJECTS, "z": OBJECTS})
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])


@settings(deadline=None, max_examples=60)
@given(jsonc_texts(FILES), ENCODINGS, st.booleans())
def test_in_and_out(made: Text, encoding: str, with_backup: bool) -> None:
    if "\ud800" <= max(made.text) <= "\udfff":
        return
    with tempfile.TemporaryDirectory() as folder:
        file, home = Path(folder) / "mcp.json", Home(Path(folder) / "home")
        before = made.text.encode(encoding)
        file.write_bytes(before)
        apply(plan_install(CURSOR, file, home, OURSELVES), home)
        text = decode(file.read_bytes()).text
        value = CURSOR.format.value(text)
        entry = value["mcpServers"].pop("toolnote")
        assert entry["args"][0] == "bridge"
        assert value == {**made.value, "mcpServers": made.value.get("mcpServers", {})}
        if not with_backup:
            for backup in install_log_of(CURSOR, home).folder.glob("*-mcp.json"):
                backup.unlink()
        apply(plan_uninstall(CURSOR, file, home, OURSELVES), home)
        if with_backup or made.value.get("mcpServers") != {}:
            assert file.read_bytes() == before
        assert CURSOR.format.value(decode(file.read_bytes()).text) == made.value


@settings(deadline=None, max_examples=60)
@given(FILES, st.sampled_from(["  ", "    ", "\t", None]), st.sampled_from(["\n", "\r\n"]))
def test_written_layout_of_a_program_is_preserved(value: dict[str, object], indent: str | None, end: str) -> None:
    text = well_laid(value, indent, end)
    after = CURSOR.format.with_member(text, ["mcpServers", "toolnote"], {"command": "x", "args": ["bridge"]})
    wanted = {**value, "mcpServers": {**value.get("mcpServers", {}), "toolnote": {"command": "x", "args": ["bridge"]}}}  # type: ignore[dict-item]
    assert after == well_laid(wanted, indent, end)


@given(st.binary(max_size=40))
def test_any_bytes_are_text_that_goes_back_or_refused(data: bytes) -> None:
    try:
        content = decode(data)
    except UnreadableConfigError:
        return
    assert content.encode(content.text) == data


def test_a_refusal_says_where_and_shows_nothing() -> None:
    with pytest.raises(UnreadableConfigError, match=r"^line 2: not UTF-8 text$"):
        decode(b'{\n"token": "\xff"}')


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "large"
    with file.open("wb") as large:
        large.truncate(config_file.MAX_SIZE + 1)
    with pytest.raises(UnreadableConfigError, match="larger than 64 MiB"):
        config_file.read_bytes(file)


def test_a_write_that_fails_leaves_the_file_and_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    with pytest.raises(OSError, match="directory"):
        config_file.write_bytes(tmp_path / "full", b"1")
    assert [path.name for path in tmp_path.iterdir()] == ["full"]
