"""Regular expressions of the product, found in its source, each with the methods it is used with."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2] / "toolnote_desktop"
_NAMES = ("compile", "escape", "error", "Pattern", "Match", "IGNORECASE", "MULTILINE", "DOTALL", "RegexFlag")
_OTHER_ENGINES = ("regex", "fnmatch", "QRegularExpression", "QRegularExpressionValidator")
_SLOW = ("unicodedata.normalize", "html.unescape", "urllib.parse.urlsplit", "urllib.parse.urlparse")
"""Functions that take quadratic time or fail; ``hidden_characters.py`` and ``url_parts.py`` have others for them."""

_AT_ONCE = ("sub", "subn", "search", "match", "fullmatch", "findall", "finditer", "split")


class Used(NamedTuple):
    """Pattern with its place and the methods that the product calls on it; none if it goes elsewhere."""

    module: str
    pattern: str | bytes
    flags: int
    methods: frozenset[str]


class Dynamic(NamedTuple):
    """Pattern that is made when the program runs."""

    module: str
    code: str


@functools.cache
def patterns() -> tuple[list[Used], list[Dynamic]]:
    """Return all patterns of the product's source."""
    used, dynamic = [], []
    for module, tree in trees().items():
        names = _assigned_names(tree)
        for call in _calls(tree):
            assert isinstance(call.func, ast.Attribute)
            try:
                pattern = ast.literal_eval(call.args[0])
            except ValueError:
                dynamic.append(Dynamic(module, ast.unparse(call)))
                continue
            methods = frozenset({call.func.attr})
            if call.func.attr == "compile":
                methods = frozenset(_methods_of(names.get(id(call)), tree))
            used.append(Used(module, pattern, _flags(call), methods))
    return used, dynamic


def hidden_patterns(module: str, tree: ast.AST) -> list[str]:
    """Return uses of patterns that ``patterns`` does not see: other names of ``re``, other engines, schemas."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [one.name for one in node.names if one.name in _OTHER_ENGINES or (one.name == "re" and one.asname)]
        elif isinstance(node, ast.ImportFrom):
            names = [one.name for one in node.names]
            found += [f"{node.module}.{name}" for name in names if f"{node.module}.{name}" in _SLOW]
            found += [node.module or ""] if node.module in ("re", *_OTHER_ENGINES) else []
            found += [name for name in names if name in ("re", *_OTHER_ENGINES)]
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in _SLOW:
            found.append(ast.unparse(node))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re":
            found += [f"re.{node.attr}"] if node.attr not in (*_NAMES, *_AT_ONCE) else []
        elif isinstance(node, ast.Name) and node.id in _OTHER_ENGINES:
            found.append(node.id)
        elif isinstance(node, ast.keyword) and node.arg == "pattern":
            found.append("pattern=")
    return [f"{module}: {one}" for one in found]


def trees() -> dict[str, ast.AST]:
    """Return the product's source, parsed, by module."""
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text("utf-8")) for path in sorted(ROOT.rglob("*.py"))}


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in ("compile", *_AT_ONCE)
        ):
            yield node


def _assigned_names(tree: ast.AST) -> dict[int, str]:
    names = {}
    for node in ast.walk(tree):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(target, ast.Name) and value is not None:
            names[id(value)] = target.id
    return names


def _methods_of(name: str | None, tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
            yield node.attr


def _flags(call: ast.Call) -> int:
    flags = re.RegexFlag(0)
    for node in (*call.args[1:], *(keyword.value for keyword in call.keywords)):
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "re":
                flags |= getattr(re, part.attr)
    return int(flags)
