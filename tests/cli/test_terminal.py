"""One writer for all terminals: foreign text never moves the cursor or hides (issue 15, item 12)."""

from __future__ import annotations

import io
import json
import sys

import pytest

from toolnote_desktop.commands.output import print_json
from toolnote_desktop.model.hidden_characters import escape_controls

HIDDEN = "\x1b[31m\x9b\u202e\u200b\U000e0041"


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_json_on_a_terminal_is_the_same_data_in_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", _Terminal(buffer, encoding="utf-8"))
    print_json({"note": HIDDEN})
    sys.stdout.flush()
    shown = buffer.getvalue().decode("utf-8")
    assert json.loads(shown) == {"note": HIDDEN}
    assert not set("\x1b\x9b\u202e\u200b\U000e0041") & set(shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (HIDDEN, r"\x1b[31m\x9b\u202e\u200b\U000e0041"),
        ("👩\u200d💻 é\n\tx", "👩\u200d💻 é\n\tx"),
    ],
)
def test_text_shows_what_is_invisible(text: str, shown: str) -> None:
    assert escape_controls(text) == shown
