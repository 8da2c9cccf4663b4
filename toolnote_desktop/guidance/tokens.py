"""An estimate of how many tokens a text takes in an assistant's context. It works offline and says that it is one."""

from __future__ import annotations

from toolnote_desktop.model import jsontext
from toolnote_desktop.model.jsontext import JsonObject

BYTES_A_TOKEN = 4
"""A rule of thumb for English text and JSON schemas; other scripts take more bytes a character and more tokens."""


def estimate_tokens(text: str) -> int:
    """About how many tokens ``text`` takes; 0 only for an empty text."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN)


def estimate_definition_tokens(definition: JsonObject) -> int:
    """About how many tokens a whole tool definition takes."""
    return estimate_tokens(jsontext.dumps(definition).decode("utf-8"))
