"""Common words, and how they look in a secret alphabet, backwards or spelled letter by letter."""

from __future__ import annotations

import codecs
from typing import Final

COMMON: Final = frozenset((
    "all", "and", "any", "approve", "are", "as", "be", "before", "call", "conversation", "copy", "data", "delete",
    "do", "email", "every", "file", "first", "for", "from", "get", "if", "ignore", "in", "instructions", "into",
    "is", "it", "key", "not", "of", "on", "open", "password", "previous", "put", "read", "say", "secret", "send",
    "show", "tell", "that", "the", "then", "this", "to", "tool", "use", "user", "with", "without", "write", "you",
    "your",
))  # fmt: skip
LONGER: Final = frozenset(word for word in COMMON if len(word) >= 3) | {
    "alle", "archivo", "avec", "clave", "con", "das", "datei", "del", "den", "der", "des", "die", "envoie",
    "fichier", "files", "keys", "las", "lee", "les", "lies", "lire", "los", "mit", "nicht", "nutzer", "ohne",
    "passwords", "passwort", "puis", "run", "sans", "sende", "sin", "system", "todo", "token", "tokens", "tout",
    "und", "user's", "usuario", "utilisateur", "vor",
}  # fmt: skip
ROTATED: Final = frozenset(codecs.encode(word, "rot13") for word in LONGER) - COMMON
BACKWARDS: Final = (
    frozenset(word[::-1] for word in LONGER)
    - COMMON
    - {"not", "saw", "was", "won", "now", "era", "tub", "tac", "tup", "teg"}
)

MIRRORED: Final = str.maketrans("abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba")
ATBASH: Final = frozenset(word.translate(MIRRORED) for word in LONGER) - COMMON
SPELLING: Final = frozenset((
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima",
    "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor", "whiskey",
    "xray", "yankee", "zulu",
))  # fmt: skip


def _shifted() -> dict[str, frozenset[int]]:
    """Return the common words with each letter moved on in the alphabet -> by how many letters."""
    found: dict[str, set[int]] = {}
    for word in LONGER:
        for shift in range(1, 26):
            moved = "".join(chr((ord(sign) - 97 + shift) % 26 + 97) for sign in word)
            found.setdefault(moved, set()).add(shift)
    return {word: frozenset(by) for word, by in found.items() if word not in COMMON}


SHIFTED: Final = _shifted()

WRITTEN_ODDLY: Final = ROTATED | BACKWARDS | ATBASH | SPELLING | SHIFTED.keys()
"""Words of which a text that is written in a secret alphabet, backwards or spelled has at least two."""
