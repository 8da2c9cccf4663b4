"""Features of a sentence: words, pairs and classes of words, and what else is in it.

Words, pairs of words, classes of words (:mod:`word_classes`), groups of words of like meaning in several languages
(``resources/scanner_words.txt``), what else is in the sentence (an address, a path with secrets, a tool of another
source …) and its place are its features. Each word is looked up once, so the time grows with the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from toolnote_desktop import assets
from toolnote_desktop.guidance.scanning.word_classes import IS_CJK, classes_of, signs_in
from toolnote_desktop.guidance.texts import cached_words

NAME_PART: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])")
_TOKEN: Final = re.compile(
    r"(?P<url>\b[a-z][a-z0-9+]{1,12}+://\S{0,300}|\bwww\.\S{1,300})|"
    r"(?P<email>[\w.+-]{1,64}+@[\w-]{1,64}\.[\w-]{1,64})|"
    r"(?P<path>(?:~|\.{1,2})?/[\w.~*-]{1,64}(?:/[\w.~*-]{1,64}){0,12})|"
    r"(?P<variable>\b[A-Z][A-Z0-9]{0,40}+(?:_[A-Z0-9]{1,40}){1,8}\b)|"
    r"(?P<name>\b[a-z0-9]{1,40}+(?:_[a-z0-9]{1,40}){1,12}\b|\b[a-z]{1,40}+(?:[A-Z][a-z0-9]{1,40}){1,8}\b)|"
    r"(?P<dotted>\.\w[\w.-]{0,64})|(?P<word>[^\W\d_]+(?:'[a-z]{1,2}\b)?)|(?P<number>\d[\d.,]*)"
)
"""Runs are possessive where what follows them cannot be a part of them: a word is not read again letter by letter."""

STEM: Final = 5

_NEAR: Final = 0.34

_APART: Final = 3
"""Words between two classes that are weighed as a pair, at most."""

_LONGEST: Final = 400
"""Words of one sentence that are weighed."""

_ENDINGS: Final = ("ations", "ation", "ingly", "edly", "ings", "ing", "ies", "ied", "ers", "ed", "es", "ly", "s", "er")
_SECRET_PART: Final = re.compile(
    r"ssh|aws|env\b|^id_|pem|key|kube|netrc|npmrc|pypirc|pgpass|cred|secret|passw|shadow|history|mcp\.json|wallet|gnupg|"
    r"docker|cookie|token|vault|git-|claude_desktop|login|tfstate|gh/hosts|wireguard|environ",
    re.IGNORECASE,
)
_PRIVATE_FOLDER: Final = re.compile(r"~/\.|~/|/etc/|/root/|/proc/|/home/|/var/run/secrets")
_SECRET_NAME: Final = re.compile(r"KEY|TOKEN|SECRET|PASS|CRED|AUTH|DATABASE_URL")
_ACCOUNT_NUMBER: Final = re.compile(r"\bbc1[a-z0-9]{20}|\b0x[0-9a-fA-F]{40}\b|\b[A-Z]{2}\d{2} ?(?:\d{4} ?){3}|\+\d")
OUTWARD_VALUE: Final = "parameter value outward"
_COMMANDS: Final = frozenset((
    "curl", "wget", "scp", "rsync", "nc", "git", "cat", "env", "printenv", "chmod", "ssh", "base64", "tar", "whoami",
    "uname", "bash", "sh", "npm", "pip", "security", "gh",
))  # fmt: skip
_OUTWARD: Final = frozenset((
    "relay", "proxy", "forward", "cc", "bcc", "callback", "webhook", "recipient", "recipients", "endpoint", "mirror",
    "collector", "report", "url", "uri", "to", "host", "server", "target", "destination", "address", "sink",
    "backup", "remote", "upload", "payee", "share", "hook",
))  # fmt: skip
_COLLECTORS: Final = frozenset((
    "relay", "proxy", "forward", "cc", "bcc", "mirror", "collector", "collect", "sink", "backup", "report", "copy",
    "tracker", "beacon",
))  # fmt: skip
_TOOL_VERBS: Final = frozenset((
    "get", "set", "list", "read", "write", "create", "update", "delete", "send", "fetch", "search", "run", "execute",
    "add", "remove", "call", "save", "load", "post", "push", "pull", "commit", "open", "close", "book", "pay",
    "transfer", "place", "use", "query",
))  # fmt: skip

_ROLES: Final[dict[str, str]] = {
    "secret": "secret secret-path secret-variable private-path",
    "private": "private personal sensitive",
    "talk": "conversation said inside",
    "outward": "us our we third outside url email account",
    "tool": "tool foreign-tool foreign-name",
    "other": "other",
    "consent": "consent approve grant",
    "authority": "authority institution rule restriction",
    "soft": "soft welcome recommend",
    "send": "send move",
    "take": "give take acquire given",
    "change": "change disable void money risk",
    "must": "must always",
    "user": "user",
    "extra": "extra",
    "when": "when then",
    "total": "total",
    "not": "not",
    "model": "model you",
    "tell": "tell learn",
    "hush": "conceal secretly unaware deceit deceive guard",
    "minimal": "minimal leave",
    "docs": "docs docs2 output",
    "warn": "warn",
    "worse": "worse",
    "pretext": "pretext",
}
"""Classes and marks that are weighed in pairs, however far apart in the sentence."""

ROLE_OF: Final = {name: role for role, names in _ROLES.items() for name in names.split()}


class Purpose(NamedTuple):
    """Purpose of a tool, as its name and its first sentence say.

    Attributes:
        own: names of the tool, its parameters and the other tools of its source.
        stems: beginnings of the words of its name, title, first sentence and parameters.
        roles: roles of the words of its name and first sentence.
        features: what each of its sentences has as features: the words of its name, and its roles.
    """

    own: frozenset[str] = frozenset()
    stems: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    features: frozenset[str] = frozenset()


NO_PURPOSE: Final = Purpose()


class _Reading(NamedTuple):
    """What was read in a sentence.

    Attributes:
        words: stems of its words, and the kinds of other tokens in brackets.
        classes: classes of each of them.
        groups: wide group of like meaning of each word, "" of one that is in none.
        names: classes of any of its words.
        beginnings: first letters of its words.
        marks: what else is in it.
        features: those found so far.
    """

    words: list[str]
    classes: list[tuple[str, ...]]
    groups: list[str]
    names: set[str]
    beginnings: set[str]
    marks: set[str]
    features: set[str]


def features_of(
    sentence: str, parameter: str, place: str, is_value: bool, purpose: Purpose
) -> tuple[set[str], list[str]]:
    """Return the features of a sentence, and the roles that are in it.

    Args:
        parameter: name of the parameter that it is of; "" for a description.
        place: where it is, in a word.
        is_value: it is a default or a fixed value.
    """
    if sentence and " " not in sentence and ("_" in sentence or "-" in sentence) and "/" not in sentence:
        sentence = " ".join(name_parts(sentence))  # a name that says something
    elif not sentence:
        sentence = " ".join(name_parts(parameter))
    reading = _Reading([], [], [], set(), set(), set(), {place, *purpose.features})
    found, names, marks = reading.features, reading.names, reading.marks
    if is_value:
        found.add("value")
        if "://" in sentence and not _COLLECTORS.isdisjoint(name_parts(parameter)):
            found.add(OUTWARD_VALUE)
    parameter_classes = _read_parameter(reading, parameter) if parameter else set()
    _read_sentence(reading, sentence, purpose.own)
    found.update([f"C {name}" for name in names])
    found.update([f"{place} {name}" for name in names])
    _add_neighbours(reading)
    for mark in marks:
        found.add(f"M {mark}")
        found.add(f"{place} {'value ' if is_value else ''}M {mark}")
        found.update([f"{mark}+{name}" for name in names])
        found.update([f"{mark}&{other}" for other in marks if mark < other])
    roles = sorted({ROLE_OF[name] for name in (*names, *parameter_classes, *marks) if name in ROLE_OF})
    for number, role in enumerate(roles):
        found.add(f"R {role}")
        found.add(f"{place} R {role}")
        if role in purpose.roles:
            found.add(f"R own {role}")
        found.update([f"{role}|{other}" for other in roles[number + 1 :]])
    stems = reading.beginnings
    near = len(stems & purpose.stems) / len(stems) if stems else 0.0
    found.add("near" if near >= _NEAR else "far" if not near and len(stems) >= 3 else "middle")
    found.add(f"length {min(5, len(reading.words) // 5)}")
    return found, roles


def _read_parameter(reading: _Reading, parameter: str) -> set[str]:
    """Read the words of a parameter's name, and return their classes."""
    classes: set[str] = set()
    for part in name_parts(parameter):
        word = read_word(part)
        reading.features.add(f"p {word.stem}")
        classes.update(word.classes)
        if word.groups:
            reading.features.add(f"q{word.groups[0]}")
        if part in _OUTWARD:
            reading.marks.add("outward-name")
    reading.features.update([f"P {name}" for name in classes])
    return classes


def _read_sentence(reading: _Reading, sentence: str, own: frozenset[str]) -> None:
    """Read the words, names, paths and addresses of a sentence; ``own``: names that are the tool's."""
    words, classes, groups, names, beginnings, marks, found = reading
    capitals = 0
    has_command = False
    for token in _TOKEN.finditer(sentence):
        kind, text = token.lastgroup, token.group()
        if kind != "word":
            _read_other(reading, kind or "", text, own)
        else:
            if not text.isascii() and IS_CJK.search(text):
                _read_signs(reading, text)
            else:
                lower = text.lower()
                stem, of, kin, beginning = read_word(lower)
                words.append(stem)
                classes.append(of)
                if beginning:
                    beginnings.add(beginning)
                    if text.isupper():
                        capitals += 1
                if lower in _COMMANDS:
                    has_command = True
                names.update(of)
                groups.append(kin[0] if kin else "")
                found.update(kin)
            if text in own and sentence[token.start() - 1 : token.start()] in ("`", "'", '"'):
                marks.add("own")
        if len(words) >= _LONGEST:
            break
    marks.update(_other_marks(sentence, has_command, capitals))


def _read_signs(reading: _Reading, text: str) -> None:
    """Read a run of Chinese or Japanese: its words, and each two neighbouring signs."""
    for sign in signs_in(text):
        reading.words.append("字")
        reading.classes.append(sign)
    reading.names.update(read_word(text.lower()).classes)
    pairs = [text[start : start + 2] for start in range(len(text) - 1)]
    reading.features.update(pairs)
    for pair in pairs:
        groups = _groups().get(pair, ())
        reading.groups.append(groups[0] if groups else "")
        reading.features.update(groups)


def _read_other(reading: _Reading, kind: str, text: str, own: frozenset[str]) -> None:
    """Read a token that is no word: a name or path with the words in it, an address, a number."""
    words, classes, groups, _, beginnings, marks, found = reading
    words.append(f"<{kind}>")
    classes.append(())
    if kind in ("name", "path", "dotted", "variable"):
        parts = name_parts(text)
        marks.update(_marks_of(kind, text, parts, own))
        for part in parts:
            stem, of, kin, beginning = read_word(part)
            found.add(f"n {stem}")
            found.update([f"N {name}" for name in of])
            groups.append(kin[0] if kin else "")
            found.update(kin)
            if beginning:
                beginnings.add(beginning)
    elif kind in ("url", "email"):
        marks.add(kind)
    elif text.count(".") == 3:
        marks.add("url")


def _add_neighbours(reading: _Reading) -> None:
    """Add the words, the pairs of words, groups and classes side by side, and what the sentence begins with."""
    words, classes, found = reading.words, reading.classes, reading.features
    found.update(words)
    found.update([f"{one} {other}" for one, other in pairwise(words)])
    found.update([f"{one}_{other}" for one, other in pairwise(reading.groups) if one and other])
    for number, of in enumerate(classes):
        if of:
            for others in classes[number + 1 : number + 1 + _APART]:
                if others:  # of most words there are none
                    found.update([f"{one}>{other}" for one in of for other in others])
    if words:
        found.add(f"^ {words[0]}")
        found.update([f"^C {name}" for name in classes[0]])


def _marks_of(kind: str, text: str, parts: list[str], own: frozenset[str]) -> Iterator[str]:
    if kind == "name":
        if text in own:
            yield "own"
        else:
            yield "foreign-name"
            if parts and parts[0] in _TOOL_VERBS:
                yield "foreign-tool"
            if text.startswith(("id_rsa", "id_ed25519", "id_ecdsa", "dot_ssh")):
                yield "secret-path"
    elif kind == "variable":
        if _SECRET_NAME.search(text):
            yield "secret-variable"
    else:
        if _SECRET_PART.search(text):
            yield "secret-path"
        if _PRIVATE_FOLDER.match(text):
            yield "private-path"


def _other_marks(sentence: str, has_command: bool, capitals: int) -> Iterator[str]:
    if has_command and ("`" in sentence or "|" in sentence or "$" in sentence or "://" in sentence):
        yield "command"
    if capitals > 1:
        yield "capitals"
    if ("0" in sentence or "1" in sentence or "2" in sentence) and _ACCOUNT_NUMBER.search(sentence):
        yield "account"
    for sign, name in (("{", "code"), ("=", "code"), ("?", "question"), ('"', "quote"), ("“", "quote")):
        if sign in sentence:
            yield name


@cache
def _groups() -> dict[str, tuple[str, str]]:
    """Return the features of words of one meaning, in several languages: those of a narrow and of a wide group."""
    found: dict[str, tuple[str, str]] = {}
    for number, line in enumerate(assets.path("scanner_words.txt").read_text(encoding="utf-8").splitlines()):
        wide, *words = line.split(" ")
        features = (f"k{wide}", f"K{number}")
        found.update((word, features) for word in words)
    return found


def is_usual_word(word: str) -> bool:
    """Return True if a word in small letters is one of the usual words of many languages."""
    return word in _groups()


def word_stem(word: str) -> str:
    """Return a word without the usual endings of English."""
    for end in _ENDINGS:
        if word.endswith(end) and len(word) - len(end) >= 4:
            return word[: -len(end)]
    return word


class _Word(NamedTuple):
    """What of a word in small letters is weighed, wherever it occurs.

    Attributes:
        groups: features of words of like meaning, a wide one first; none if it is in no group.
        beginning: its first letters, "" of a very short word.
    """

    stem: str
    classes: tuple[str, ...]
    groups: tuple[str, ...]
    beginning: str


@cached_words(16_384)
def read_word(word: str) -> _Word:
    """Return what of a word in small letters is weighed."""
    return _Word(word_stem(word), classes_of(word), _groups().get(word, ()), word[:STEM] if len(word) > 2 else "")


def name_parts(name: str) -> list[str]:
    """Return the words of a name, in small letters."""
    return [part.lower() for part in NAME_PART.findall(name.lower() if name.isupper() else name)]
