"""What in a command line or a url is taken for a secret."""

from __future__ import annotations

import pytest

from toolnote_desktop.model.secrets.secret_masks import secret_part, secrets_in_url, secrets_in_words, spellings


@pytest.mark.parametrize(
    ("word", "before", "part"),
    [
        ("--api-key=abc", "", "abc"),
        ("--API_KEY=a=b", "", "a=b"),
        ("abc", "--token", "abc"),
        ("abc", "--token=x", ""),
        ("abc", "token", ""),
        ("Authorization: Bearer abc", "--header", " Bearer abc"),
        ("C:\\tokens\\x", "", ""),
        ("https://u:p@h/?token=x", "", ""),  # a url, of which its own rules hold
        ("--token=https://h/x", "", "https://h/x"),
        ("--verbose", "", ""),
    ],
)
def test_a_word_is_secret_by_its_name(word: str, before: str, part: str) -> None:
    assert secret_part(word, before) == part


def test_a_command_line() -> None:
    words = ["-y", "server", "--password", "p1", "--header", "X-Token: Bearer p2", "--db=postgres://u:p3@h/d?k=p%204"]
    found = set(secrets_in_words(words))
    assert {"p1", "Bearer p2", "p2", "p3", "p%204", "p 4"} <= found
    assert found.isdisjoint({"-y", "server", "--password", "--header"})


@pytest.mark.parametrize("url", ["http://u:p1@h/?k=p2#p3", "http://u:p1@[::bad/?k=p2#p3"])
def test_a_url_also_one_that_is_none(url: str) -> None:
    assert {"p1", "k=p2", "p2", "p3"} <= set(secrets_in_url(url))


def test_secret_is_masked_line_by_line_and_as_json() -> None:
    assert {"a", 'b"é', 'b\\"é', 'b\\"\\u00e9', 'a\\nb\\"é'} <= set(spellings('a\nb"é'))
