"""What a preview shows of other people's entries: never a secret, and otherwise the text as it is."""

from __future__ import annotations

import re

from hypothesis import given

from tests.assistants.formats.generated import Text, jsonc_texts
from toolnote_desktop.assistants.formats import jsonc_reader
from toolnote_desktop.assistants.masking import MASK, masked, masked_words

SECRETS = """{
  "mcpServers": {
    "a": {
      "command": "npx", // free
      "args": ["-y", "server", "--api-key", "S1", "--token=S2", "--header", "Authorization: Bearer S3", "plain",
        "postgresql://ada:S4@host/db", "https://x.example/sse?key=S5"],
      "env": {"A": "S6", "B": 42424242, "C": ["S7"], "EMPTY": ""},
      "headers": {"X": "S8"},
      "url": "https://u:S9@x.example/mcp?t=S10#top",
      "bearerToken": "S11",
      "timeout": 30
    }
  },
  "apiKey": "S12",
  "tokens": 5
}
"""


def test_values_that_may_be_secret_are_covered() -> None:
    shown = masked(SECRETS, jsonc_reader.parse(SECRETS).root)
    assert not re.search(r"S\\d", shown)
    assert not re.search(r"\bS\d+\b|4242", shown), shown
    assert shown.count("\n") == SECRETS.count("\n")
    for kept in (
        '"npx", // free',
        '"plain"',
        '"-y", "server"',
        "x.example/mcp?",
        '"timeout": 30',
        '"tokens": 5',
        '"EMPTY": ""',
    ):
        assert kept in shown
    assert jsonc_reader.parse(shown).error is None


def test_words() -> None:
    assert masked_words(["--password", "x", "--user", "ada", "-e", "GITHUB_TOKEN=x", "--auth-token=x"]) == [
        "--password",
        MASK,
        "--user",
        "ada",
        "-e",
        f"GITHUB_TOKEN={MASK}",
        f"--auth-token={MASK}",
    ]


@given(jsonc_texts())
def test_lines_stay_where_they_are(made: Text) -> None:
    shown = masked(made.text, jsonc_reader.parse(made.text).root)
    assert re.findall(r"\r\n|\n|\r", shown) == re.findall(r"\r\n|\n|\r", made.text)
    assert jsonc_reader.parse(shown).error is None
