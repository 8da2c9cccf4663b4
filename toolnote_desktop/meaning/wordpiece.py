"""WordPiece: the tokens that an uncased BERT model reads (Devlin et al., *BERT*, 2019; Wu et al., 2016)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from toolnote_desktop.model.hidden_characters import normalized

MOST_CHARACTERS: Final = 2_000
"""Characters of a text that are read."""
LONGEST_WORD: Final = 100
"""Characters of a word that is taken apart; a longer one is unknown."""


class WordPiece:
    """Vocabulary of a model. Takes time in proportion to the text, and no more than ``MOST_CHARACTERS`` of it."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {piece: place for place, piece in enumerate(vocabulary)}
        self._longest = max(map(len, vocabulary))
        self._begin, self._end, self._unknown = (self._ids[name] for name in ("[CLS]", "[SEP]", "[UNK]"))

    def tokens(self, text: str, most: int) -> list[int]:
        """Return the ids of a text's pieces between the marks of its beginning and end, ``most`` altogether."""
        found = [self._begin]
        for word in _words(text[:MOST_CHARACTERS]):
            found += self._pieces(word)
            if len(found) >= most - 1:
                break
        return [*found[: most - 1], self._end]

    def _pieces(self, word: str) -> list[int]:
        """Return the longest known pieces of a word, from left to right."""
        if len(word) > LONGEST_WORD:
            return [self._unknown]
        found: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = self._ids.get(mark + word[start:end])
                if piece is not None:
                    found.append(piece)
                    start = end
                    break
            else:
                return [self._unknown]
        return found


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text in lower case without accents; each punctuation mark and ideograph is a word."""
    word: list[str] = []
    for character in normalized("NFD", text.lower()):
        kind = unicodedata.category(character)
        if kind == "Mn" or (kind[0] == "C" and character not in "\t\n\r"):
            continue
        is_space = kind[0] == "Z" or character in "\t\n\r"
        is_alone = kind[0] == "P" or character in "$+<=>^`|~" or _is_ideograph(character)
        if (is_space or is_alone) and word:
            yield "".join(word)
            word = []
        if is_alone:
            yield character
        elif not is_space:
            word.append(character)
    if word:
        yield "".join(word)


def _is_ideograph(character: str) -> bool:
    code = ord(character)
    return any(first <= code <= last for first, last in _IDEOGRAPHS) if code >= 0x3400 else False


_IDEOGRAPHS: Final = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2CEAF), (0x2F800, 0x2FA1F),
)  # fmt: skip
