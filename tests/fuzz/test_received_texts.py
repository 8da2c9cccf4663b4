"""Files of rules with odd marks, and files of the bench with any part replaced."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.fuzz.profiles import examples
from tests.fuzz.test_packs import JUNK, PROMPT
from toolnote_desktop.bench.bench_file import Bench, read_bench
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.publishing.rules_block import BrokenMarksError, find_blocks, with_block, without_block

MARKS = [f"<!-- toolnote:{kind} {name} -->" for kind in ("begin", "end") for name in "ab"]
OTHERS = [
    "<!--toolnote:begin a-->",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "x",
    "é",
    "\ud800",
    "\x00",
    "\u2028",
    "@file",
    "```",
]
PIECES = st.sampled_from([*MARKS, *OTHERS])
BENCH: dict[str, Any] = {
    "kind": "toolnote-bench",
    "version": 1,
    "toolset": "work",
    "compare": {"tool": "tickets.create", "note": "team", "text": "Set it."},
    "prompts": [PROMPT, {**PROMPT, "id": "b"}],
}


@given(st.lists(PIECES, max_size=14).map("".join), st.sampled_from(["", "one line", "two\nlines", "\n"]))
@examples(200)
def test_block_comes_and_goes_to_the_byte_or_its_marks_are_refused(text: str, content: str) -> None:
    broken: BrokenMarksError | None = None
    before, put = {}, ""
    try:
        before = find_blocks(text)
        assume("a" not in before)
        put = with_block(text, "a", content)
    except BrokenMarksError as found:
        broken = found
    if broken is not None:
        assert 1 <= broken.line <= text.count("\n") + 1
        return
    assert find_blocks(put)["a"].content == content.strip("\n")
    assert {name: block.content for name, block in before.items()} == {
        name: block.content for name, block in find_blocks(put).items() if name != "a"
    }
    assert without_block(put, "a") == text
    assert re.sub(r"\r\n|\n", "", with_block(put, "a", content)) == re.sub(r"\r\n|\n", "", put)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the paths of all values in a document."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, member in members for place in places(member, (*path, key)))]


@given(st.lists(st.tuples(st.sampled_from(places(BENCH)), st.sampled_from(JUNK)), min_size=1, max_size=3))
@examples(200)
def test_bench_is_read_or_refused_in_words(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    raw: Any = copy.deepcopy(BENCH)
    for path, junk in changes:
        if not path:
            raw = junk
            continue
        target = raw
        for key in path[:-1]:
            target = target[key] if isinstance(target, dict | list) and _has(target, key) else None
        if isinstance(target, dict | list) and _has(target, path[-1]):
            target[path[-1]] = copy.deepcopy(junk)
    found: Bench | Code
    try:
        found = read_bench(raw, "bench.json")
    except ToolnoteError as error:
        found = error.problem.code
    assert isinstance(found, Bench) or found is Code.IMPORT_FILE_UNREADABLE


def _has(target: Any, key: Any) -> bool:
    return key in target if isinstance(target, dict) else isinstance(key, int) and key < len(target)


def test_the_document_itself_is_read() -> None:
    """Else the fuzz above proves little."""
    assert len(read_bench(BENCH, "bench.json").prompts) == 2
    with pytest.raises(ToolnoteError):
        read_bench({**BENCH, "prompts": []}, "bench.json")
