"""``toolnote search``: what ``search-tools`` finds in a toolset, best first (docs/contract.md 4)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import find_toolset, open_library
from toolnote_desktop.commands.output import one_line, print_json, print_table, print_text
from toolnote_desktop.guidance.search import SearchIndex
from toolnote_desktop.guidance.served_tools import served_tools
from toolnote_desktop.guidance.texts import first_sentence
from toolnote_desktop.paths import Home


def run(arguments: argparse.Namespace, home: Home) -> int:
    """Print the tools that fit a text; exit status 0 also if none does, which is said."""
    with open_library(home) as library:
        snapshot = library.snapshot
        tools = served_tools(snapshot, find_toolset(snapshot, arguments.toolset))
    hits = SearchIndex(tools).search(arguments.text, arguments.limit)
    found = [(tools[hit.place], hit.score) for hit in hits]
    if arguments.json:
        print_json(
            [
                {
                    "name": tool.name,
                    "namespacedName": tool.known.tool.namespaced_name,
                    "server": tool.known.tool.server,
                    "description": first_sentence(tool.known.tool.description),
                    "score": score,
                }
                for tool, score in found
            ]
        )
        return 0
    print_table((tool.name, one_line(first_sentence(tool.known.tool.description))) for tool, _ in found)
    if not found:
        print_text("No tool fits.")
    return 0


RUN: Final[Mapping[str, Command]] = {"search": run}
