"""Detection of secrets in a server's entry, and their replacement by ``${secret:NAME}``.

A guess, which the user sees and can correct: by name, by the prefixes of providers' keys, by a password in a URL, or by
looking random.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Final

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.secrets.secret_masks import is_secret_name

_SAYS_SO: Final = re.compile(
    r"(?:^|[_.-])(?:key|pat|pwd|auth|cookie|session|private|dsn|sid)(?:$|[_.-])", re.IGNORECASE
)
_SAYS_OTHERWISE: Final = re.compile(
    r"(?:^|[_.-])(?:max|min|limit|count|budget|file|path|dir|folder|url|uri|host|endpoint|name|user|id|type|mode|region|"
    r"store|provider|expiry|ttl|header|scope|scopes)$|^max[_-]|(?:^|[_.-])public(?:$|[_.-])",
    re.IGNORECASE,
)
_BEGINS: Final = re.compile(
    r"sk-|sk_|rk_|pk-lf-|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|xapp-|lin_api_|lin_oauth_|ntn_|secret_|figd_|hf_|r8_|"
    r"npm_|dop_v1_|shp(?:at|ca|pa|ss)_|sntrys_|sbp_|tvly-|pplx-|gsk_|xai-|SG\.|AKIA|ASIA|AIza|ya29\.|eyJ[\w-]+\.|"
    r"ATATT|dapi[0-9a-f]|glsa_|phx_|nvapi-|BSA[\w-]{20}|-----BEGIN "
)
_PASSWORD_IN_URL: Final = re.compile(r"[a-z][a-z0-9+.-]*://[^/@\s:]*:[^/@\s]+@", re.IGNORECASE)
_PATH: Final = re.compile(r"(?:~|\.{0,2}|[A-Za-z]:)[\\/]|%[A-Za-z]+%[\\/]")
_PLAIN: Final = re.compile(r"[a-z]+|[\d.,:]+|v?\d+(?:\.\d+)*|true|false|yes|no|on|off|none|null", re.IGNORECASE)
_URL: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_RANDOM: Final = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_~+=.-]{32,}")
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SCHEME: Final = re.compile(r"(?:Bearer|Basic|Token|Bot|ApiKey|Api-Key) +(?=\S)", re.IGNORECASE)
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9_.-]")

_PIECE: Final = re.compile(r"[A-Za-z0-9_~+.-]+")
_WORD: Final = re.compile(r"[A-Za-z0-9_~+-]+")
_JSON_TEXT: Final = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)("?)(:?)')

MASK: Final = "•••"
_KEPT: Final = 4
"""Characters of a key that are shown: its provider."""

_SHORTEST: Final = 6
_NAMED: Final = 8
_KEY: Final = 20
_KEY_WITHOUT_DIGIT: Final = 30
"""Characters of a secret in a text."""


def looks_like_secret(name: str, value: str) -> bool:
    """Return True if the value of a variable or header is likely to be a secret."""
    scheme = _SCHEME.match(value)
    text = value[scheme.end() :] if scheme else value.strip()
    if "${" in text or len(text) < _SHORTEST:
        return False
    if _BEGINS.match(text) or _PASSWORD_IN_URL.match(text):
        return True
    if _URL.match(text) or _PATH.match(text):
        return False
    named = (is_secret_name(name) or bool(_SAYS_SO.search(name))) and not _SAYS_OTHERWISE.search(name)
    if scheme and named:
        return True
    if named:
        return not _is_plain(text)
    return _is_random(text) and not _SAYS_OTHERWISE.search(name)


def has_secret(text: str) -> bool:
    """Return True if words for people have what looks like a secret somewhere in them.

    A word in a text says less than the value of a variable: of a key's beginning enough must follow (``sk-learn`` and
    ``secret_name`` are none), and a named value needs a digit (``password: required`` is none). An address may have
    random parts.
    """
    if "-----BEGIN " in text:
        return True
    for word in " ".join(text.split()).replace(": ", ":").replace(" = ", "=").split(" "):
        rest = word.partition("://")[2]
        user = rest.partition("/")[0].rpartition("@")[0]
        if user.partition(":")[2] and "${" not in user:
            return True
        sides = [_PIECE.findall(side) for side in word.replace(":", "=").split("=")]
        if any(name and value and _is_named_secret(name[-1], value[0]) for name, value in itertools.pairwise(sides)):
            return True
        pieces = itertools.chain.from_iterable(sides)
        if any(_is_key(one) or (not rest and _is_random(one.strip(".-"))) for one in pieces):
            return True
    return False


def masked(name: str, text: str) -> str:
    """Return an argument's text without what is surely a secret: by its name, or by the beginning of a provider's key.

    Whatever else a text has stays readable: it says what a call does. So in longer texts a key ends at a dot, which a
    host has, and nothing is masked for looking random, as ids of pages and commits do.
    """
    return _masked(text, *_said_by(name))


def _said_by(name: str) -> tuple[bool, bool]:
    """Return whether a name is a secret's, and whether it says that the value is something else."""
    return _names_secret(name), bool(_SAYS_OTHERWISE.search(name))


def _masked(text: str, names_secret: bool, names_other: bool) -> str:
    if names_secret and len(text) >= _SHORTEST and not _is_plain(text) and len(text.split()) == 1:
        return MASK
    if not names_other and _PIECE.fullmatch(text) and _is_key(text):
        return f"{text[:_KEPT]}{MASK}"
    return _WORD.sub(lambda found: f"{found[0][:_KEPT]}{MASK}" if _is_key(found[0]) else found[0], text)


def _names_secret(name: str) -> bool:
    return is_secret_name(name) and not _SAYS_OTHERWISE.search(name)


def masked_json(name: str, text: str) -> str:
    """Return compact JSON, or the beginning of it, with its texts as ``masked`` returns them.

    Args:
        name: of the value as a whole.
    """

    said = _said_by(name)  # once for all texts of a list

    def mask(found: re.Match[str]) -> str:
        nonlocal said
        if found[3]:
            said = _said_by(found[1])
            return found[0]
        return f'"{_masked(found[1], *said)}{found[2]}'

    return _JSON_TEXT.sub(mask, text)


def _is_named_secret(name: str, value: str) -> bool:
    return _names_secret(name) and len(value) >= _NAMED and _has_digit(value) and any(map(str.isalpha, value))


def _is_key(piece: str) -> bool:
    return bool(_BEGINS.match(piece)) and len(piece) >= (_KEY if _has_digit(piece) else _KEY_WITHOUT_DIGIT)


def _is_random(text: str) -> bool:
    return bool(_RANDOM.fullmatch(text)) and not _UUID.fullmatch(text)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _is_plain(text: str) -> bool:
    """Return True for a number, a boolean or one word as in settings: keys do not look like that."""
    return bool(_PLAIN.fullmatch(text)) and not (text.isalpha() and len(text) >= 16)


def move_secrets(entry: JsonObject) -> tuple[JsonObject, dict[str, str]]:
    """Replace likely secrets in env and headers of a ``servers.json`` entry by references; return the new entry and the
    secrets.

    The given entry is not modified. A header keeps its scheme: ``Bearer ${secret:AUTHORIZATION}``.
    """
    moved: dict[str, str] = {}
    changed = dict(entry)
    for key in ("env", "headers"):
        values = entry.get(key)
        if isinstance(values, Mapping):
            changed[key] = {name: _moved(name, value, moved) for name, value in values.items()}
    return changed, moved


def _moved(name: str, value: object, moved: dict[str, str]) -> object:
    if not isinstance(value, str) or not looks_like_secret(name, value):
        return value
    scheme = _SCHEME.match(value)
    before = scheme.group() if scheme else ""
    secret = _secret_name(name, moved)
    moved[secret] = value[len(before) :]
    return f"{before}${{secret:{secret}}}"


def _secret_name(name: str, taken: Mapping[str, str]) -> str:
    """Derive the name of a secret from its variable or header: ``X-Api-Key`` becomes ``X_API_KEY``."""
    plain = _NOT_IN_A_NAME.sub("_", name).replace("-", "_").upper()
    plain = plain if plain[:1].isalpha() or plain[:1] == "_" else f"_{plain}"
    number, free = 2, plain
    while free in taken:
        free, number = f"{plain}_{number}", number + 1
    return free
