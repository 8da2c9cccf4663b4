"""Every code has its English sentence, in one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toolnote_desktop.error_messages import TEXTS, english
from toolnote_desktop.model import problem
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError

# The comment behind each code in problem.py names its parameters.
NAMED = {
    match["code"]: re.findall(r"\b[a-z_]+\b", match["comment"] or "")
    for match in re.finditer(
        r'^    \w+ = "(?P<code>[a-z-]+)"(?:  # (?P<comment>.*))?$',
        Path(problem.__file__).read_text(encoding="utf-8"),
        re.MULTILINE,
    )
}


@pytest.mark.parametrize("code", Code)
def test_codes_have_sentences_with_their_parameters(code: Code) -> None:
    used = re.findall(r"{(\w+)}", TEXTS[code])
    assert set(used) <= set(NAMED[code])


def test_a_sentence_is_one_line_whatever_is_in_it() -> None:
    told = Problem(Code.SERVER_EXITED, {"server": "a\n{b}", "status": "1", "stderr": "Traceback\n  File {x}\n"})
    assert english(told) == 'server "a {b}" stopped by itself (1) Traceback File {x}'


def test_a_missing_parameter_is_no_crash() -> None:
    assert english(ToolnoteError(Code.TOOL_NOT_FOUND).problem) == 'there is no tool "?"'
    assert english(Problem(Code.NO_TOOLSET)) == "no toolset is in use"
