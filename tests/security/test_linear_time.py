"""Text of other programs never reaches work that grows faster than it (issue 15, item 1; red team H1).

Each pattern of the product and each function below is timed with 20,000 and 40,000 characters of the units that keep it
busy longest. Seen red: with the patterns of log.py before this test, ``a.`` took 1.0 s and 4.8 s.
"""

from __future__ import annotations

import ast
import logging
import re
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

import pytest

from tests.security.foreign_text_patterns import DYNAMIC, OTHERS, PATTERNS
from tests.security.patterns_of_product import Used, hidden_patterns, patterns, trees
from tests.timing import compare, seconds_of
from toolnote_desktop import log
from toolnote_desktop.assistants.formats.jsonc_editor import JSON
from toolnote_desktop.assistants.formats.toml_editor import TOML
from toolnote_desktop.assistants.formats.yaml_editor import YAML
from toolnote_desktop.assistants.masking import masked_url, masked_words
from toolnote_desktop.assistants.same_server import _is_open_for, _matches_placeholders
from toolnote_desktop.assistants.server_locations import suggested_name
from toolnote_desktop.commands.output import one_line
from toolnote_desktop.desktop.add_servers.recognise_paste import name_of_address, name_of_command
from toolnote_desktop.guidance.languages import clauses
from toolnote_desktop.guidance.scanner import scan_text
from toolnote_desktop.guidance.scanning.names import name_skeleton
from toolnote_desktop.guidance.texts import first_sentence
from toolnote_desktop.guidance.tokens import estimate_tokens
from toolnote_desktop.model import json_text
from toolnote_desktop.model.hidden_characters import escape_controls, normalized
from toolnote_desktop.model.names import VALID_UNICODE, exposed_text, slug
from toolnote_desktop.model.secrets import secret_detection, secret_masks, url_checks, variable_expansion
from toolnote_desktop.model.secrets.secret_masks import SecretCover
from toolnote_desktop.model.tools.hints import writing_word
from toolnote_desktop.model.tools.imitation import without_imitation
from toolnote_desktop.model.toolsets.task_types import word_stems
from toolnote_desktop.model.url_parts import split_url
from toolnote_desktop.proxy.endpoint.fast_path.parser import parse_usual_call
from toolnote_desktop.proxy.oauth.token_source import Challenge
from toolnote_desktop.proxy.transports import jsonrpc, strict_json
from toolnote_desktop.proxy.transports.server_log import ServerLog
from toolnote_desktop.proxy.transports.sse_decoder import EventReader
from toolnote_desktop.system.windows import batch_line

SIZE = 20_000
NOTHING = 0.004
"""Seconds of processor time below which nothing is compared."""

UNITS = (
    *("a", "a.", "a://", "a://u:p@", "a://?a=b&", " ", "\n", "${", "${a:-", "${secret:a", "\\", '\\"', '"', "[", "{"),
    *("[7,", "#", "# ", "?", "bearer ", "\u200b", "\x1b", "é", "\ud800", "0", "A", "-", "=", "data:x\n", ":\n", "<a"),
    *("your-", '{"a":', "[a]\n", '"a".', "a: ", "- ", "\u0345\u0334", "&#0", "&a"),
)
_SECRETS = ("aaaaaaab", "secret-value", "a.a.a.a!")


def _log_record(text: str) -> None:
    record = logging.LogRecord("n", logging.INFO, "f", 1, "server %r answered %s", ("s", text), None)
    log.CoveringFormatter("%(message)s").format(record)


def _server_log(text: str) -> None:
    server_log = ServerLog("s")
    server_log.redact_with(SecretCover(_SECRETS))
    data = text.encode("utf-8", "surrogatepass")
    for at in range(0, len(data), 4096):
        server_log.feed(data[at : at + 4096])
    server_log.note(text)
    server_log.quote("unreadable", data, 200)


def _events(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    reader = EventReader(10**9)
    for at in range(0, len(data), 100):
        list(reader.feed(data[at : at + 100]))


def _in_bytes(function: Callable[[bytes], Any]) -> Callable[[str], Any]:
    return lambda text: function(text.encode("utf-8", "surrogatepass"))


FUNCTIONS: dict[str, Callable[[str], Any]] = {
    "log.covered": log.covered,
    "log record": _log_record,
    "ServerLog": _server_log,
    "SecretCover": SecretCover(_SECRETS),
    "SecretCover of many": SecretCover([*_SECRETS, *(f"aaaa{number}" for number in range(500))]),
    "secrets_in_words": lambda text: list(secret_masks.secrets_in_words([text, "--x", text])),
    "secrets_in_url": lambda text: list(secret_masks.secrets_in_url("http://h/?" + text)),
    "spellings": lambda text: list(secret_masks.spellings(text)),
    "looks_like_secret": lambda text: secret_detection.looks_like_secret(text, text),
    "has_secret": secret_detection.has_secret,
    "masked": lambda text: secret_detection.masked(text, text),
    "masked_json": lambda text: secret_detection.masked_json(text, f'["{text}","{text}'),
    "move_secrets": lambda text: secret_detection.move_secrets({"env": {text: text}}),
    "variables": variable_expansion._PLACE.findall,
    "header_problem": lambda text: url_checks.header_problem(text, text),
    "url_problem": lambda text: _without(ValueError, url_checks.url_problem, "http://h/" + text),
    "read_messages": lambda text: _without(ValueError, jsonrpc.read_messages, text.encode("utf-8", "surrogatepass")),
    "read_messages of a response": lambda text: _without(
        ValueError, jsonrpc.read_messages, b'{"id":1,"result":%s}' % text.encode("utf-8", "surrogatepass")
    ),
    "elements": lambda text: list(jsonrpc.element_steps(b"[%s]" % text.encode("utf-8", "surrogatepass"), 10**9)),
    "repaired JSON": _in_bytes(strict_json.repaired),
    "JSON without constants": lambda text: _without(
        ValueError, strict_json.loads_repaired, text.encode("utf-8", "replace")
    ),
    "not_a_number": _in_bytes(strict_json.not_a_number),
    "items": _in_bytes(jsonrpc.items),
    "quick_result": _in_bytes(jsonrpc.quick_result),
    "EventReader": _events,
    "parse_usual_call": _in_bytes(parse_usual_call),
    "json_text.loads": lambda text: _without(ValueError, json_text.loads, text),
    "json_text.dumps": lambda text: json_text.dumps({"a": text}),
    "javascript_stringify": lambda text: json_text.javascript_stringify({text: text}),
    "fnmatchcase": lambda text: [fnmatchcase(text, glob) for glob in ("*a*[a.]?*b", "*" * 20 + "b", "*a" * 20)],
    "VALID_UNICODE": lambda text: re.search(VALID_UNICODE, text),
    "escape_controls": escape_controls,
    "one_line": one_line,
    "exposed_text": exposed_text,
    "slug": lambda text: slug(text, fallback="x"),
    "writing_word": writing_word,
    "word_stems": word_stems,
    "estimate_tokens": estimate_tokens,
    "first_sentence": first_sentence,
    "without_imitation": without_imitation,
    "normalized": lambda text: [normalized(form, text) for form in ("NFC", "NFKD")],
    "split_url": lambda text: _without(ValueError, split_url, "http:/\t/" + text),
    "name_skeleton": name_skeleton,
    "languages": clauses,
    "Challenge.scope": lambda text: Challenge(401, text).scope,
    "masked_url": lambda text: _without(ValueError, masked_url, text),
    "masked_words": lambda text: masked_words([text, text]),
    "suggested_name": lambda text: suggested_name({"command": text, "args": [text]}),
    "name_of_address": lambda text: _without(ValueError, name_of_address, text),
    "name_of_command": lambda text: name_of_command([text]),
    "placeholders": lambda text: (_is_open_for(text, text[1:]), _matches_placeholders(text, text[1:])),
    "scan_text": lambda text: list(scan_text(text, "s", "t", "f")),
    "batch_line": lambda text: batch_line("a.cmd", [text]),
    "JSON": JSON.parse,
    "TOML": TOML.parse,
    "YAML": YAML.parse,
}


def _without(errors: type[Exception], function: Callable[..., Any], *arguments: Any) -> None:
    try:
        function(*arguments)
    except errors:
        return


def _repeated(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size] + "\x01"


def _superlinear(run: Callable[[Any], Any], units: Iterable[str], *, data: bool = False) -> list[str]:
    """Return the units with which twice the text takes more than three times as long, each in its best time.

    Quadratic work takes four times as long in its best time too.
    """
    found = []
    for unit in units:
        one, two = _repeated(unit, SIZE), _repeated(unit, 2 * SIZE)
        texts = (one.encode(), two.encode()) if data else (one, two)
        if seconds_of(partial(run, texts[1])) < NOTHING:
            continue
        longer, shorter = compare(partial(run, texts[1]), partial(run, texts[0]), 3)
        if longer > max(NOTHING, 3 * shorter):
            found.append(f"{unit!r}: {shorter * 1000:.0f} ms, then {longer * 1000:.0f} ms")
    return found


def _runs(used: Used) -> Iterable[Callable[[Any], Any]]:
    pattern = re.compile(used.pattern, used.flags)
    anchored = used.methods & {"match", "fullmatch"}
    yield from (getattr(pattern, method) for method in anchored)
    if not anchored or used.methods - anchored:
        yield lambda text: sum(1 for _ in pattern.finditer(text))


def test_patterns_take_linear_time() -> None:
    for used in patterns()[0]:
        for run in _runs(used):
            slow = _superlinear(
                run, PATTERNS.get((used.module, used.pattern), UNITS), data=isinstance(used.pattern, bytes)
            )
            assert not slow, f"{used.module}: {used.pattern!r}: {slow}"


def test_patterns_are_listed() -> None:
    used, dynamic = patterns()
    new = [one for one in used if (one.module, one.pattern) not in PATTERNS]
    assert not new, "add each to foreign_text_patterns.py with the units that keep it busy longest"
    assert {(one.module, one.pattern) for one in used} == PATTERNS.keys()
    assert set(dynamic) == DYNAMIC.keys()


def test_no_pattern_is_used_past_the_list() -> None:
    assert {use for module, tree in trees().items() for use in hidden_patterns(module, tree)} == OTHERS.keys()


@pytest.mark.parametrize(
    "source",
    [
        "from re import sub",
        "import re as r",
        "import regex",
        "import fnmatch",
        "from fnmatch import translate",
        "from PySide6.QtCore import QRegularExpression",
        "re.Scanner([])",
        "Meta(pattern='(a+)+')",
        "unicodedata.normalize('NFC', text)",
        "from html import unescape",
        "from urllib.parse import urlsplit",
    ],
)
def test_pattern_past_the_list_is_seen(source: str) -> None:
    assert hidden_patterns("m", ast.parse(source))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_linear_time(name: str) -> None:
    assert not _superlinear(FUNCTIONS[name], UNITS)


def test_hiding_secrets_takes_linear_time() -> None:
    """Each secret costs the same, however many there are, and so does a text (seen red: one pattern of all of them)."""

    def hide(number: int) -> None:
        cover = SecretCover()
        for one in range(number):
            cover.add([f"secret-{one}"])
        for one in range(100):
            assert cover(f"a secret-{one}, and no secret") == "a •••, and no secret"

    longer, shorter = compare(partial(hide, 1000), partial(hide, 500), 3)
    assert longer <= 3 * shorter


def test_tokens_that_are_issued_all_the_time_do_not_fill_the_memory() -> None:
    for number in range(log.MAX_TOKENS + 10):
        log.hide_tokens([f"tok-{number}"])
    assert log.covered(f"tok-{number}") == "•••"
    assert log.covered("tok-1,") == "tok-1,"


def test_long_record_is_cut_before_it_is_redacted() -> None:
    secret = "s3cret-" + "x" * 40
    log.hide([secret])
    long = log.covered(f"{'a' * 32_760}{secret}{'b' * 10_000_000}", log.RECORD_LIMIT)
    assert len(long) < log.RECORD_LIMIT + 100
    assert "s3cret" not in long
    assert long.endswith("characters]")


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("GET https://u:pw@h/a?token=1#f", "GET https://•••@h/a?•••#f"),
        ("a://x/b,https://u:pw@h/ http://h?x", "a://x/b,https://•••@h/ http://h?•••"),
        ("a" * 50 + "://u:pw@h", "a" * 50 + "://•••@h"),
        ("https://h:80/a:b?c", "https://h:80/a:b?•••"),
    ],
)
def test_secrets_of_urls(text: str, redacted: str) -> None:
    assert log.covered(text) == redacted


@pytest.mark.parametrize(
    ("placeholder", "value", "fits"),
    [
        ("a${secret:X}b", "a1b", True),
        ("a${secret:X}b", "ab", False),
        ("${secret:X}${secret:Y}", "12", True),
        ("${secret:X}${secret:Y}", "1", False),
        ("a${secret:X}b${secret:Y}c", "a1b2b3c", True),
        ("a${secret:X}ab", "aab", False),
        ("x${secret:X}", "y1", False),
    ],
)
def test_placeholders_fit_as_before(placeholder: str, value: str, fits: bool) -> None:
    assert _matches_placeholders(placeholder, value) is fits
