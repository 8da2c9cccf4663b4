"""``toolnote guide``: the tool guide as Markdown, from the same code that serves it (docs/contract.md 4)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import find_toolset, open_library
from toolnote_desktop.commands.output import print_json, print_text
from toolnote_desktop.guidance.guide import Detail, write_guide
from toolnote_desktop.guidance.relevance import TaskContext
from toolnote_desktop.model.tools.dialect import DEFAULT_DIALECT, find_dialect
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.store import bundled_files


def guide(arguments: argparse.Namespace, home: Home) -> int:
    """Print the guide to the named toolset, else the shared one.

    Raises:
        ToolnoteError: ``no-toolset``, ``toolset-not-found``, ``dialect-unknown``, ``task-type-unknown``.
    """
    dialect = find_dialect(bundled_files.dialects(home), arguments.dialect or DEFAULT_DIALECT)
    with open_library(home) as library:
        Registry(library).apply(library.snapshot.servers)  # served names must avoid the built-in ones
        toolset = find_toolset(library.snapshot, arguments.toolset)
        written = write_guide(
            library.snapshot,
            toolset,
            TaskContext(arguments.task or None, arguments.input),  # "" is no task, as for get-tool-guide
            detail=Detail(arguments.detail),
            dialect=dialect,
            task_types=bundled_files.task_types(home),
        )
    if arguments.json:
        print_json(
            {
                "toolset": toolset.name,
                "dialect": dialect.name,
                "detail": arguments.detail,
                "guide": written.text,
                "estimatedTokens": written.tokens,
                "tools": list(written.tools),
                "leftOut": list(written.left_out),
            }
        )
    else:
        print_text(written.text.removesuffix("\n"))
    return 0


RUN: Final[Mapping[str, Command]] = {
    "guide": guide,
}
