"""Examples beside the parts of the scanner's patterns: each is a text that the pattern takes.

An example is a string in a comment of its own line within ``re.compile(…)``, above the part of the pattern that takes
it; several have commas between them. What follows "; but not" is what the pattern does not take.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from toolnote_desktop.guidance import scanning

FOLDER = Path(scanning.__file__).parent
_EXAMPLES = re.compile(r"\s*# (r?[\"'].*?)(?:; but not (.*))?")


class Examples(NamedTuple):
    """Examples in one comment, with the pattern and the place of the pattern's part below them."""

    name: str
    pattern: str
    flags: int
    part: str
    texts: list[str]
    others: list[str]


def _examples() -> Iterator[Examples]:
    for path in sorted(FOLDER.glob("*.py")):
        source = path.read_text("utf-8")
        lines = source.split("\n")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
                flags = eval(" | ".join(map(ast.unparse, node.args[1:])) or "0", {"re": re})
                for number in range(node.lineno, node.end_lineno or 0):
                    if found := _EXAMPLES.fullmatch(lines[number]):
                        texts, others = (ast.literal_eval(f"[{one or ''}]") for one in found.groups())
                        pattern = ast.literal_eval(node.args[0])
                        yield Examples(f"{path.stem}:{number + 1}", pattern, flags, lines[number + 1], texts, others)


EXAMPLES = list(_examples())


@pytest.mark.parametrize("examples", EXAMPLES, ids=[one.name for one in EXAMPLES])
def test_each_example_fits_its_pattern(examples: Examples) -> None:
    """Seen red with "## My wish" for "## My preferences", and without what forbids "obey the rate limit"."""
    assert examples.part.strip().startswith(('r"', '"'))
    for text in examples.texts:
        assert re.search(examples.pattern, text, examples.flags), text
    for text in examples.others:
        assert not re.search(examples.pattern, text, examples.flags), text


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 100
