"""Messages for all kinds of errors that msgspec reports (pinned to ~=0.22): they name the field and no value."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta

from toolnote_desktop.model.document import Document, InvalidEntryError
from toolnote_desktop.model.names import NOTE_NAME, VALID_UNICODE

SECRET = "sk-1234567890"


class Inner(Document, frozen=True):
    word: str | None = None


class Everything(Document, frozen=True):
    needed: str
    text: str | None = None
    number: int | None = None
    share: float | None = None
    flag: bool | None = None
    words: tuple[str, ...] = ()
    table: dict[str, str] | None = None
    inner: Inner | None = None
    inners: tuple[Inner, ...] = ()
    choice: Literal["a", "b"] = "a"
    short: Annotated[str, Meta(min_length=2, max_length=4)] | None = None
    named: Annotated[str, Meta(pattern="^[a-z]+$")] | None = None
    whole: Annotated[str, Meta(pattern=VALID_UNICODE)] | None = None
    note: Annotated[str, Meta(pattern=NOTE_NAME)] | None = None
    port: Annotated[int, Meta(ge=1, le=9)] | None = None
    above: Annotated[float, Meta(gt=0)] | None = None


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"needed": None}, "needed: expected a text, got null"),
        ({"text": 3}, "text: expected a text or null, got a whole number"),
        ({"text": 1.5}, "text: expected a text or null, got a number"),
        ({"text": True}, "text: expected a text or null, got true or false"),
        ({"text": [SECRET]}, "text: expected a text or null, got a list"),
        ({"text": {SECRET: SECRET}}, "text: expected a text or null, got an object"),
        ({"number": SECRET}, "number: expected a whole number or null, got a text"),
        ({"number": 1.5}, "number: expected a whole number or null, got a number"),
        ({"share": SECRET}, "share: expected a number or null, got a text"),
        ({"flag": SECRET}, "flag: expected true or false or null, got a text"),
        ({"words": SECRET}, "words: expected a list, got a text"),
        ({"words": ["a", 3]}, "words.1: expected a text, got a whole number"),
        ({"table": [SECRET]}, "table: expected an object or null, got a list"),
        ({"table": {"A": "x", "KEY": 3}}, "table.KEY: expected a text, got a whole number"),
        ({"inner": SECRET}, "inner: expected an object or null, got a text"),
        ({"inner": {"word": 3}}, "inner.word: expected a text or null, got a whole number"),
        ({"inners": [{}, {"word": 3}]}, "inners.1.word: expected a text or null, got a whole number"),
        ({"choice": SECRET}, "choice: not one of the values that it can have"),
        ({"choice": 3}, "choice: expected a text, got a whole number"),
        ({"short": "a"}, "short: expected a text of 2 characters at least"),
        ({"short": SECRET}, "short: expected a text of 4 characters at most"),
        ({"named": SECRET}, "named: expected a text that matches ^[a-z]+$"),
        ({"whole": "\ud800"}, "whole: has half of a character in it"),
        ({"note": "A note"}, "note: not 1 to 50 of the characters a to z, 0 to 9 and -"),
        ({"port": 0}, "port: expected a whole number of 1 at least"),
        ({"port": 10}, "port: expected a whole number of 9 at most"),
        ({"above": 0}, "above: expected a number above 0.0"),
        ({"number": "\ud800"}, "number: has half of a character in it"),
    ],
)
def test_message_names_the_field_and_no_value(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidEntryError) as caught:
        Everything.read({"needed": "x", **fields})
    assert str(caught.value) == message
    assert SECRET not in str(caught.value)


def test_message_of_a_missing_field_and_of_no_object() -> None:
    with pytest.raises(InvalidEntryError, match=r"^needed: missing$"):
        Everything.read({})
    with pytest.raises(InvalidEntryError, match=r"^expected an object, got a text$"):
        Everything.read(SECRET)
