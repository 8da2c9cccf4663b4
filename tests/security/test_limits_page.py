"""The page of limits says what the code has (docs/security.md)."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
LIMITS = PAGE.partition("\n## ")[0]
ROWS = re.findall(r"^\| ([^|]+) \| ([\d.]+)[^|]* \| [^|]*\| `([\w.]+)` \|$", LIMITS, re.MULTILINE)


@pytest.mark.parametrize(("limit", "value", "place"), ROWS, ids=[limit for limit, _, _ in ROWS])
def test_a_limit_is_the_one_of_the_page(limit: str, value: str, place: str) -> None:
    module, _, name = place.rpartition(".")
    assert getattr(importlib.import_module(f"toolnote_desktop.{module}"), name) == float(value), limit


SENTENCES = {
    "the other client's longest wait at most 250 ms longer": ("tests.attacks.arena.MAX_WAIT", 0.25),
    "the memory back within 32 MB after 10 s": ("tests.attacks.arena.MAX_GROWTH", 32 * 2**20),
    "the window's longest stall at most 100 ms longer": ("tests.attacks.arena.MAX_STALL", 0.1),
    "in a pass of the loop work for about 1 MB is begun": ("proxy.endpoint.turns.TURN_BYTES", 2**20),
    "a request that needs a task counts for a quarter": ("proxy.endpoint.turns.REQUEST_BYTES", 2**18),
    "eight connections are accepted": ("proxy.endpoint.web_server.ACCEPTS", 8),
    "parsed in pieces of 4 KB": ("proxy.endpoint.limits.HEAD_SLICE", 4 * 1024),
    "64 KB in a body": ("proxy.endpoint.limits.BODY_SLICE", 64 * 1024),
    "Arguments of a call of over 256 KB are checked": ("proxy.endpoint.fast_path.parser.LONG_CALL", 256 * 1024),
    "done in slices of 3 ms": ("proxy.aio.time_slices.SLICE", 0.003),
    "threads take turns of 1 ms in the place of 5": ("system.threads._SWITCH_SECONDS", 0.001),
    "three seconds after work": ("proxy.aio.memory_release.CHECK_SECONDS", 3.0),
    "let the memory grow by 16 MB": ("proxy.aio.memory_release.GROWTH", 16 * 2**20),
    "blocks of 512 KB are returned": ("system.memory.LARGE_BLOCK", 512 * 1024),
    "4 MB are kept at the end of a heap": ("system.memory.KEPT_BYTES", 4 * 2**20),
    "where that path has more than 100 bytes": ("desktop.shell.single_instance._LONGEST_SOCKET_PATH", 100),
}
"""Words of the page's text -> constant, and the value that the words say."""


@pytest.mark.parametrize("words", SENTENCES)
def test_a_sentence_of_the_page_says_what_the_code_has(words: str) -> None:
    place, value = SENTENCES[words]
    module, _, name = (place if place.startswith("tests.") else f"toolnote_desktop.{place}").rpartition(".")
    assert words in " ".join(PAGE.split())
    assert getattr(importlib.import_module(module), name) == value


LIMIT_NAME = re.compile(
    r"^(_?(?:MAX|MOST|LARGEST|LONGEST|DEEPEST|REMEMBERED)(?:_\w+)?|_?[A-Z]\w*_LIMIT)\b(?:: \S+)? = ", re.MULTILINE
)

ONLY_SHOWN = ("desktop.", "commands.")
"""Rooms in which such a constant says how much is shown at once; limits of what they read have rows all the same."""

NO_LIMIT_OF_OTHERS = {
    "a choice between two ways to the same answer": (
        "store.secrets.keychain_entries.LONGEST",
        "packs.plan._MOST_EDITS",
        "proxy.endpoint.fast_path.protocol.MAX_BODY",
        "proxy.endpoint.fast_path.protocol._MOST_DIGITS",
    ),
    "a cache of values that are made again": (
        "guidance.search._MOST_INDEXES",
        "meaning.messages.MOST_INDEXES",
        "model.toolsets.tool_settings._MERGED_LIMIT",
        "proxy.routing.served_lists._MOST_TEXTS",
        "proxy.transports.http_client._MAX_CACHED_HEADERS",
    ),
    "a length of texts of our own": (
        "guidance.failure_notes._LONGEST_EXAMPLE",
        "guidance.failure_notes._LONGEST_SENT",
        "guidance.failure_notes._LONGEST_VALUES",
        "guidance.failure_notes._MOST_VALUES",
        "guidance.instructions.FIRST_LINE_LIMIT",
        "guidance.instructions.USUAL_LIMIT",
        "guidance.texts.SENTENCE_LIMIT",
        "model.names.DEFAULT_NAME_LIMIT",
        "model.servers.SOURCE_TITLE_LIMIT",
        "model.tools.argument_overrides._LONGEST_SHOWN",
        "model.tools.tool.LONGEST_TITLE",
        "publishing.text.DESCRIPTION_LIMIT",
    ),
    "a part of an error's text that is looked at or repeated": (
        "model.calls.error_class._CLASS_LIMIT",
        "model.calls.refused_arguments._LONGEST_KEY",
        "proxy.oauth.tokens._MAX_HOST",
        "proxy.transports.jsonrpc._LONGEST_ENDING",
        "proxy.transports.jsonrpc._LONGEST_KEY",
        "proxy.transports.strict_json._LONGEST_PATH",
        "proxy.upstream.retry_policy._MAX_TEXT",
    ),
    "a number of results or of attempts of our own": (
        "bench.model_endpoint._MOST_OUTPUT",
        "guidance.relevance._MOST",
        "bridge.traffic._MAX_TRIES",
        "guidance.relevance._MOST_SHARE",
        "meaning.messages.MOST_TEXTS",
        "guidance.unresolved._MOST_CANDIDATES",
        "model.calls.effect._MOST_NEEDED",
        "proxy.experience._MOST_COUNT",
        "guidance.search.MOST_NEAREST",
        "proxy.tools.tool_search.MOST_WHOLE",
    ),
    "a bound of figures that are worked out": ("cli.argument_types._LARGEST",),
    "a delay of our own": (
        "bridge.app_connector._MAX_DELAY",
        "proxy.endpoint.list_changed.MAX_DELAY_SECONDS",
        "proxy.upstream.change_stream._MAX_DELAY",
    ),
}


def test_the_page_has_a_row_for_each_limit() -> None:
    """Constants with a name of a limit, private ones too, are on the page.

    Those that bound nothing that others send are named above, with the reason, and no name there is out of date.
    """
    assert len(ROWS) == len([line for line in LIMITS.splitlines() if line.startswith("| ")]) - 2
    found = set()
    for module in (ROOT / "toolnote_desktop").rglob("*.py"):
        dotted = ".".join(module.relative_to(ROOT / "toolnote_desktop").with_suffix("").parts)
        if not dotted.startswith(ONLY_SHOWN):
            found |= {f"{dotted}.{name}" for name in LIMIT_NAME.findall(module.read_text(encoding="utf-8"))}
    assert found - {place for _, _, place in ROWS} == {name for names in NO_LIMIT_OF_OTHERS.values() for name in names}


def test_security_md_repeats_rows_of_the_page_and_links_to_it() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .* `[\w.]+` \|$", text, re.MULTILINE)
    assert len(rows) > 20
    assert set(rows) <= set(LIMITS.splitlines())
    assert "(docs/security.md)" in text
