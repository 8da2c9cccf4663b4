"""Check the words and references of the code, by the rules of ``CONTRIBUTING.md`` that other linters do not know.

    python3 packaging/style_lint.py [FILE …]    default: all files of the repository

Three rules, each reported as ``file:line: text``:

1. At most 2 % of the docstrings begin with a pronoun or question word: a docstring begins with an imperative verb or a
   noun of the field. The wrong ones are listed once there are more.
2. Some words are forbidden in docstrings, comments and strings.
3. A reference can be followed: a ``docs/….md`` file exists and has the section that is named, a ``case Cnn`` is in
   ``tests/cases/cases.toml``, a ``tests/….py::name`` in a document exists, and no document outside this repository is
   cited.

Rules 1 and 2 apply to the product (``toolnote_desktop``, ``packaging``), rule 3 to tests and documents as well.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

CLONE = Path(__file__).resolve().parent.parent

PRODUCT = ("toolnote_desktop", "packaging")
CODE = (*PRODUCT, "tests")
DOCUMENTS = ("*.md", "docs/*.md", "pyproject.toml", "tests/cases/cases.toml", ".ci/*")

FIRST_WORDS = re.compile(
    r"[^a-z]*(what|whether|how|where|who|whose|whom|one|every|everybody|it|they|somebody|nobody|everything|nothing|each"
    r"|all|those)\b",
    re.IGNORECASE,
)
SHARE = 0.02  # of the docstrings that may begin with one of them

WORDS = re.compile(r"\b(whoever|somebody|nobody|everybody|stands|tells of|told of)\b", re.IGNORECASE)
QUOTING_WORDS = ("packaging/style_lint.py", "toolnote_desktop/guidance/search_words.py")

DEAD_MARKS = re.compile(
    r"\b(CONTRACT \d|DESIGN\b|seeds? 00\d|CASES\b|SDK traps?\b|(CONTRACT|SDK|CLIENTS|PACKAGING)\.md)"
)
# Not part of a longer path, or after another repository's name: `charmbracelet/crush docs/config/README.md`.
DOCUMENT = re.compile(
    r"(?P<elsewhere>\b[\w-]+/[\w-]+ )?(?<![/\w])docs/[\w/-]+\.md(?:#(?P<anchor>[\w-]+)| (?P<section>\d+(?:\.\d+)*))?"
)
CASE = re.compile(r"\bcases? (C\d\d)\b")
TEST = re.compile(r"\btests/[\w/]+\.py((?:::\w+)*)")


class Problem(NamedTuple):
    """Place that breaks a rule."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(CLONE).as_posix()}:{self.line}: {self.text}"


class Docstring(NamedTuple):
    """A docstring of a module, class, function or attribute."""

    path: Path
    line: int
    text: str

    @property
    def begins_wrong(self) -> bool:
        """Return True if its first word is one of ``FIRST_WORDS``."""
        return FIRST_WORDS.match(self.text) is not None


class Text(NamedTuple):
    """A comment, a string or a line of a document."""

    line: int
    text: str


def main(arguments: list[str]) -> int:
    """Print the problems in these files, or in the whole repository; return 1 if there are any."""
    chosen = {Path(argument).resolve() for argument in arguments}
    code = [path for path in code_files() if not chosen or path in chosen]
    documents = [path for path in document_files() if not chosen or path in chosen]
    product = [path for path in code if path.relative_to(CLONE).parts[0] in PRODUCT]
    problems = [
        *wrong_beginnings(product),
        *(problem for path in product for problem in forbidden_words(path)),
        *(problem for path in code for problem in dead_references(path, texts(path))),
        *(problem for path in documents for problem in dead_references(path, lines(path))),
    ]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def code_files() -> list[Path]:
    """Return the Python files of the product and its tests."""
    return [path for folder in CODE for path in sorted((CLONE / folder).rglob("*.py"))]


def document_files() -> list[Path]:
    """Return the documents whose references are checked."""
    return [path for pattern in DOCUMENTS for path in sorted(CLONE.glob(pattern))]


def wrong_beginnings(paths: Iterable[Path]) -> list[Problem]:
    """Return the docstrings that begin with one of ``FIRST_WORDS``, if they are more than ``SHARE`` of all."""
    found = [docstring for path in paths for docstring in docstrings(path)]
    wrong = [docstring for docstring in found if docstring.begins_wrong]
    if len(wrong) <= SHARE * len(found):
        return []
    first, *_ = wrong
    total = f"{len(wrong)} of {len(found)} docstrings begin with a pronoun or question word; {SHARE:.0%} may"
    listed = [Problem(one.path, one.line, f"docstring begins {one.text.splitlines()[0][:80]!r}") for one in wrong]
    return [*listed, Problem(first.path, first.line, total)]


def docstrings(path: Path) -> Iterator[Docstring]:
    """Yield the docstrings of one file, those below attributes too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else []:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                text = statement.value.value
                if isinstance(text, str) and text.strip():
                    yield Docstring(path, statement.lineno, text.strip())


def forbidden_words(path: Path) -> Iterator[Problem]:
    """Yield the ``WORDS`` in one file of the product."""
    if path.relative_to(CLONE).as_posix() in QUOTING_WORDS:
        return
    for text in texts(path):
        for match in WORDS.finditer(text.text):
            yield Problem(path, text.line, f"the word {match[0]!r} in: {text.text.strip()[:80]}")


def dead_references(path: Path, within: Iterable[Text]) -> Iterator[Problem]:
    """Yield the references in one file that lead nowhere."""
    if path == Path(__file__).resolve():
        return
    for text in within:
        for match in DEAD_MARKS.finditer(text.text):
            yield Problem(path, text.line, f"{match[0]!r} is not in this repository")
        for match in DOCUMENT.finditer(text.text):
            if match["elsewhere"]:
                continue
            file = CLONE / match[0].partition("#")[0].partition(" ")[0]
            if not file.is_file():
                yield Problem(path, text.line, f"{match[0]} does not exist")
            elif (section := match["anchor"] or match["section"]) and section not in sections(file):
                yield Problem(path, text.line, f"{match[0]}: the file has no such section")
        for match in CASE.finditer(text.text):
            if match[1] not in case_ids():
                yield Problem(path, text.line, f"{match[0]} is not in tests/cases/cases.toml")
        for match in TEST.finditer(text.text):
            missing = missing_test(match[0])
            if missing:
                yield Problem(path, text.line, f"{match[0]}: {missing}")


def texts(path: Path) -> Iterator[Text]:
    """Yield the comments and strings of a Python file, line by line; names are not among them."""
    source = path.read_text(encoding="utf-8")
    strings = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in strings:
            for number, line in enumerate(token.string.splitlines()):
                yield Text(token.start[0] + number, line)


def lines(path: Path) -> Iterator[Text]:
    """Yield the lines of a document."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        yield Text(number, line)


@cache
def sections(path: Path) -> frozenset[str]:
    """Return the numbers of a document's headings, table rows and list items, and its headings' anchors."""
    text = path.read_text(encoding="utf-8")
    numbers = re.findall(r"^(?:#+|\||[-*])\s*\**(\d+(?:\.\d+)*)\b", text, re.MULTILINE)
    headings = re.findall(r"^#+\s+(.+?)\s*$", text, re.MULTILINE)
    anchors = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return frozenset([*numbers, *anchors])


@cache
def case_ids() -> frozenset[str]:
    """Return the ids of the reported faults that the tests show to be absent."""
    text = (CLONE / "tests/cases/cases.toml").read_text(encoding="utf-8")
    return frozenset(re.findall(r'^id = "(\w+)"', text, re.MULTILINE))


@cache
def missing_test(reference: str) -> str:
    """Return what is missing of a reference such as ``tests/a.py::TestB::test_c``; empty if all of it exists."""
    file, *names = reference.split("::")
    if not (CLONE / file).is_file():
        return "no such file"
    source = (CLONE / file).read_text(encoding="utf-8")
    absent = [name for name in names if not re.search(rf"\b(def|class) {name}\b", source)]
    return f"no {absent[0]} in this file" if absent else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
