"""Limits of a dialect: problems for what it would cut, refuse or warn about, shown to the user before the client
acts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolnote_desktop.guidance.description import tool_dialect
from toolnote_desktop.guidance.schema_subset import refused_in
from toolnote_desktop.guidance.tokens import estimate_definition_tokens
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.tools.dialect import OWN_ENTRY, Dialect


def tool_problems(definition: JsonObject, dialect: Dialect, entry: str = OWN_ENTRY) -> tuple[Problem, ...]:
    """Return the problems of one served definition for clients of a dialect.

    Args:
        entry: Toolnote's name in the client's configuration.
    """
    dialect = tool_dialect(definition, dialect)
    name = str(definition["name"])
    final = dialect.final_name(name, entry)
    problems = []

    def add(code: Code, **parameters: str) -> None:
        problems.append(Problem(code, {"dialect": dialect.title, "tool": name, **parameters}))

    if dialect.name_limit is not None and len(final) > dialect.name_limit:
        add(Code.DIALECT_NAME_TOO_LONG, name=final, limit=str(dialect.name_limit))
    elif dialect.name_pattern is not None and not re.search(dialect.name_pattern, final):
        add(Code.DIALECT_NAME_CHARACTERS, name=final)
    description = definition.get("description")
    limit = dialect.description_limit
    if isinstance(description, str) and limit is not None and len(description) > limit:
        add(Code.DIALECT_DESCRIPTION_CUT, length=str(len(description)), limit=str(limit))
    for keyword in refused_in(definition.get("inputSchema"), dialect):
        add(Code.DIALECT_SCHEMA_REFUSED, keyword=keyword)
    return tuple(problems)


def list_problems(definitions: Sequence[JsonObject], dialect: Dialect) -> tuple[Problem, ...]:
    """Return the problems of a whole list (including built-in tools) for clients of a dialect."""
    problems = [*count_problems(len(definitions), dialect)]
    if dialect.token_limit is not None:
        tokens = sum(estimate_definition_tokens(definition, dialect.family) for definition in definitions)
        if tokens > dialect.token_limit:
            parameters = {"dialect": dialect.title, "count": str(tokens), "limit": str(dialect.token_limit)}
            problems.append(Problem(Code.DIALECT_TOO_MANY_TOKENS, parameters))
    return tuple(problems)


def count_problems(count: int, dialect: Dialect) -> tuple[Problem, ...]:
    """Return a problem if this number of tools, including built-in ones, exceeds what clients of a dialect accept or
    handle well. For clients that load tools on demand the number does not matter.
    """
    if dialect.loads_on_demand:
        return ()
    for limit, code in (
        (dialect.tool_limit, Code.DIALECT_TOO_MANY_TOOLS),
        (dialect.tool_warning, Code.DIALECT_MANY_TOOLS),
    ):
        if limit is not None and count > limit:
            return (Problem(code, {"dialect": dialect.title, "count": str(count), "limit": str(limit)}),)
    return ()
