"""Sentences of a definition that want something from the assistant, weighed by their words.

Words, pairs of words, classes of words (:mod:`word_classes`), groups of words of like meaning in several languages
(``resources/scanner_words.txt``), what else is in the sentence (an address, a path with secrets, a tool of another
source …) and its place are its features. Each has a weight, and a weight for each unit of a hidden layer; the sum of
both says how much the sentence looks like one that was planted. The weights were fitted by
``tests/measurements/scanner_training.py`` and are read from ``resources/scanner_weights.txt`` when they are first
needed. Each feature is looked up once, so the time grows with the length of the text only.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from operator import add
from typing import Final, NamedTuple

from toolnote_desktop import assets
from toolnote_desktop.guidance.scanning.word_classes import IS_CJK, classes_of, kind_in_full, signs_in
from toolnote_desktop.guidance.texts import cached_words
from toolnote_desktop.model.json_text import JsonObject

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|[。！？\n\r]+")
_WRAP: Final = re.compile(r"(?<=[^\W\d_A-Z,;)`'\"])[ \t]{0,80}\r?\n[ \t]{0,80}(?=[a-z(])")
"""End of a line within a sentence, as in a docstring."""

_NAME_PART: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])")
_TOKEN: Final = re.compile(
    r"(?P<url>\b[a-z][a-z0-9+]{1,12}+://\S{0,300}|\bwww\.\S{1,300})|"
    r"(?P<email>[\w.+-]{1,64}+@[\w-]{1,64}\.[\w-]{1,64})|"
    r"(?P<path>(?:~|\.{1,2})?/[\w.~*-]{1,64}(?:/[\w.~*-]{1,64}){0,12})|"
    r"(?P<variable>\b[A-Z][A-Z0-9]{0,40}+(?:_[A-Z0-9]{1,40}){1,8}\b)|"
    r"(?P<name>\b[a-z0-9]{1,40}+(?:_[a-z0-9]{1,40}){1,12}\b|\b[a-z]{1,40}+(?:[A-Z][a-z0-9]{1,40}){1,8}\b)|"
    r"(?P<dotted>\.\w[\w.-]{0,64})|(?P<word>[^\W\d_]+(?:'[a-z]{1,2}\b)?)|(?P<number>\d[\d.,]*)"
)
"""Runs are possessive where what follows them cannot be a part of them: a word is not read again letter by letter."""

_PURPOSE: Final = 1_000
"""Characters of a description in which its first sentence is looked for."""

_NAME_PARTS: Final = 12
"""Words of a tool's name that are features of its sentences."""

_INSTRUCTS: Final = re.compile(
    r"(?:first,|(?:always|also|you (?:must|should|have)|please|never|before|do not|don't|ignore|provide your|immer|"
    r"sage?\b|bitte|toujours|ne \w{1,20} (?:pas|rien)|siempre|nunca|no (?:digas|informes))\b|不要|请|必)",
    re.IGNORECASE,
)
"""Beginning of a first sentence that instructs instead of saying what the tool does."""

_STEM: Final = 5
_ZERO: Final = 80
_SUMMED: Final = 500
"""Features whose codes are summed at once, so that the sum of each unit stays below 65,536."""

_NEAR: Final = 0.34
_MARGIN: Final = 1.4
"""Excess that a sentence needs for each doubling of their number in a definition."""

_PLAIN: Final = -10.0
"""Score of a usual sentence of a real server."""

_PLAIN_ONES: Final = 2
"""Usual sentences that are counted beside those of a definition: its own say little where they are few."""

_SHORT_TEXT: Final = 4
_LONG_TEXT: Final = 32
_ALSO: Final = 1.2
"""Difference in weight up to which a sentence is of a second kind as well."""

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
_OUTWARD_VALUE: Final = "parameter value outward"
_EXAMPLE_HOST: Final = re.compile(r"example\.(?:com|org|net)\b|localhost|127\.0\.|0\.0\.0\.0|api\.")
_COMMANDS: Final = frozenset(
    [
        "curl",
        "wget",
        "scp",
        "rsync",
        "nc",
        "git",
        "cat",
        "env",
        "printenv",
        "chmod",
        "ssh",
        "base64",
        "tar",
        "whoami",
        "uname",
        "bash",
        "sh",
        "npm",
        "pip",
        "security",
        "gh",
    ]
)
_OUTWARD: Final = frozenset(
    [
        "relay",
        "proxy",
        "forward",
        "cc",
        "bcc",
        "callback",
        "webhook",
        "recipient",
        "recipients",
        "endpoint",
        "mirror",
        "collector",
        "report",
        "url",
        "uri",
        "to",
        "host",
        "server",
        "target",
        "destination",
        "address",
        "sink",
        "backup",
        "remote",
        "upload",
        "payee",
        "share",
        "hook",
    ]
)
_COLLECTORS: Final = frozenset(
    [
        "relay",
        "proxy",
        "forward",
        "cc",
        "bcc",
        "mirror",
        "collector",
        "collect",
        "sink",
        "backup",
        "report",
        "copy",
        "tracker",
        "beacon",
    ]
)
_TOOL_VERBS: Final = frozenset(
    [
        "get",
        "set",
        "list",
        "read",
        "write",
        "create",
        "update",
        "delete",
        "send",
        "fetch",
        "search",
        "run",
        "execute",
        "add",
        "remove",
        "call",
        "save",
        "load",
        "post",
        "push",
        "pull",
        "commit",
        "open",
        "close",
        "book",
        "pay",
        "transfer",
        "place",
        "use",
        "query",
    ]
)


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

_ROLE_OF: Final = {name: role for role, names in _ROLES.items() for name in names.split()}


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


def purpose_of(definition: JsonObject, siblings: Iterable[str] = ()) -> Purpose:
    """Return the purpose of a tool."""
    tool = str(definition.get("name", ""))
    schema = definition.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    parameters = tuple(map(str, properties)) if isinstance(properties, dict) else ()
    description = str(definition.get("description", ""))[:_PURPOSE]
    first = next((part for part in _SENTENCE.split(_WRAP.sub(" ", description)) if part.strip()), "")
    if _INSTRUCTS.match(first.strip()):
        first = ""
    words = " ".join((tool, str(definition.get("title", "")), first, *parameters))
    stems = frozenset(part[:_STEM].lower() for part in _NAME_PART.findall(words) if len(part) > 2)
    said = (word.lower() for word in _NAME_PART.findall(f"{tool} {first}"))
    roles = frozenset(_ROLE_OF[name] for word in said for name in _word(word).classes if name in _ROLE_OF)
    features = (*(f"t {_stem(part)}" for part in _parts(tool)[:_NAME_PARTS]), *(f"T {role}" for role in roles))
    return Purpose(frozenset((tool, *siblings, *parameters)), stems, roles, frozenset(features))


class Sentence(NamedTuple):
    """Sentence of a text with the features that are weighed."""

    text: str
    features: set[str]


def read_sentences(
    text: str, parameter: str = "", *, is_value: bool = False, is_opening: bool = True, purpose: Purpose = NO_PURPOSE
) -> Iterator[Sentence]:
    """Yield the sentences of a text, read: each with what the one before and the one after it are about.

    Args:
        parameter: name of the parameter that the text is of; "" for a description.
        is_value: the text is a default or a fixed value.
        is_opening: the first sentence of the text may say what the tool does.
    """
    if not parameter and text.isalpha() and text.isascii():
        return  # a type, or a name
    number = 0
    last: Sentence | None = None
    last_roles: list[str] = []
    if "\n" in text:
        text = _WRAP.sub(" ", text)
    for part in _SENTENCE.split(text):
        sentence = part.strip()
        if sentence.isalpha() and sentence.isascii() and not parameter:
            number += 1
        elif sentence or (parameter and not text):
            opens = is_opening and not number and not _INSTRUCTS.match(sentence)
            place = "parameter" if parameter else "first" if opens else "later"
            features, roles = _features(sentence, parameter, place, is_value, purpose)
            if last is not None:
                features.update([f"< {role}" for role in last_roles])
                last.features.update([f"> {role}" for role in roles])
                yield last
            last, last_roles = Sentence(sentence or parameter, features), roles
            number += 1
    if last is not None:
        yield last


class Suspect(NamedTuple):
    """Sentence that looks planted.

    Attributes:
        excess: how far its sum is above the level; infinite where a form is always planted.
    """

    text: str
    kinds: tuple[str, ...]
    excess: float


def excess_of(sentence: Sentence) -> float:
    """Return how much a sentence looks planted by its features alone: above 0 it does, in a short text."""
    return _model().score(sentence.features)


def suspect_of(sentence: Sentence, excess: float) -> Suspect | None:
    """Return a sentence of an excess with its kinds if it may look planted in some text; else None."""
    if _OUTWARD_VALUE in sentence.features and _EXAMPLE_HOST.search(sentence.text) is None:
        return Suspect(sentence.text, ("send-elsewhere",), math.inf)
    if kind := kind_in_full(sentence.text):
        return Suspect(sentence.text, (kind,), math.inf)
    return Suspect(sentence.text, _model().kinds_of(sentence.features), excess) if excess > 0 else None


def level() -> float:
    """Return the score that excesses are counted from."""
    return _model().level


def needed_excess(number: int, total: float, counted_from: float) -> float:
    """Return the excess that a sentence of a definition needs: of many one is high by chance, and among plain ones it
    says less than among others that are nearly as high.

    Args:
        number: sentences of the definition.
        total: sum of their excesses.
        counted_from: score that excesses are counted from.
    """
    margin = _MARGIN * math.log2(min(max(number, _SHORT_TEXT), _LONG_TEXT) / _SHORT_TEXT)
    return margin - (total + _PLAIN_ONES * (_PLAIN - counted_from)) / (number + _PLAIN_ONES)


_EVIDENCE: Final = {
    "R hush": "hide-from-user",
    "secret|take": "read-secrets",
    "outward|send": "send-elsewhere",
    "other|tool": "other-tools",
    "talk|total": "asks-for-conversation",
}
"""Features that make a sentence that was found one of a kind, whatever else it is."""


class _Hidden(NamedTuple):
    """Unit of the hidden layer: the sum of its codes from which on it counts, and its weight for each one above.

    Attributes:
        least: first whole number above the start, with which sums are compared faster.
    """

    start: float
    weight: float
    least: int

    @classmethod
    def of(cls, scale: float, constant: float, weight: float) -> _Hidden:
        """Return a unit of the scale of its codes, its constant and its weight in the sum."""
        start = -constant / scale
        return cls(start, weight * scale, math.floor(start) + 1)


class _Model(NamedTuple):
    """Weights by feature.

    Attributes:
        constant: what is added to the sum of the weights.
        level: sum from which on a sentence looks planted.
        weights: weights of each feature as one number, so that one addition sums all of them: its hundredths in the sum
            above fields of 16 bits, one for each unit, which hold its code there, ``_ZERO`` for 0.
        hidden: units of the hidden layer.
        kinds: weights by kind and feature, which say of what kind a sentence is.
    """

    constant: float
    level: float
    weights: dict[str, int]
    hidden: tuple[_Hidden, ...]
    kinds: dict[str, dict[str, float]]

    def score(self, features: Iterable[str]) -> float:
        """Return how much a sentence with these features looks planted: above 0 it does."""
        known = list(filter(None, map(self.weights.get, features)))
        size = len(self.hidden)
        layout, bits = f"<{size}H", 16 * size
        hundredths, sums = 0, (0,) * size
        for start in range(0, len(known), _SUMMED):
            total = sum(known[start : start + _SUMMED])
            hundredths += total >> bits
            fields = struct.unpack(layout, (total & ((1 << bits) - 1)).to_bytes(2 * size, "little"))
            sums = tuple(map(add, sums, fields)) if start else fields
        score = self.constant + hundredths / 100 - self.level
        zero = _ZERO * len(known)
        for (first, weight, least), inner in zip(self.hidden, sums, strict=True):
            value = inner - zero
            if value >= least:
                score += weight * (value - first)
        return score

    def kinds_of(self, features: Iterable[str]) -> tuple[str, ...]:
        """Return the kind of a sentence that was found, or several if they are as likely."""
        known = list(features)
        scores = {name: sum(of.get(one, 0.0) for one in known) + of[""] for name, of in self.kinds.items()}
        best = max(scores.values())
        likely = [name for name, score in scores.items() if score == best or score > max(best - _ALSO, -_ALSO)]
        return tuple(dict.fromkeys([*likely, *(_EVIDENCE[one] for one in sorted(_EVIDENCE.keys() & set(known)))]))


@cache
def _model() -> _Model:
    """Return the model of the resources: lines of a section, a feature and its weights, the first in hundredths."""
    weights: dict[str, int] = {}
    hidden: list[_Hidden] = []
    kinds: dict[str, dict[str, float]] = {}
    constant = level = 0.0
    with assets.path("scanner_weights.txt").open(encoding="utf-8") as file:
        for line in file:
            section, feature, weight, *others = line.rstrip("\n").split("\t")
            if section == "model":
                constant, level = float(weight), float(others[0])
            elif section == "hidden":
                hidden.append(_Hidden.of(*(float(number) for number in (weight, *others))))
            elif section:
                kinds.setdefault(section, {})[feature] = int(weight) / 100
            else:
                fields = bytearray(2 * len(hidden))
                fields[::2] = others[0].encode("ascii")
                weights[feature] = (int(weight) << (8 * len(fields))) + int.from_bytes(fields, "little")
    return _Model(constant, level, weights, tuple(hidden), kinds)


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


def _stem(word: str) -> str:
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
def _word(word: str) -> _Word:
    return _Word(_stem(word), classes_of(word), _groups().get(word, ()), word[:_STEM] if len(word) > 2 else "")


def _parts(name: str) -> list[str]:
    return [part.lower() for part in _NAME_PART.findall(name.lower() if name.isupper() else name)]


def _features(
    sentence: str, parameter: str, place: str, is_value: bool, purpose: Purpose
) -> tuple[set[str], list[str]]:
    """Return the features of a sentence, and the roles that are in it."""
    if sentence and " " not in sentence and ("_" in sentence or "-" in sentence) and "/" not in sentence:
        sentence = " ".join(_parts(sentence))  # a name that says something
    elif not sentence:
        sentence = " ".join(_parts(parameter))
    words: list[str] = []
    classes: list[tuple[str, ...]] = []
    marks: set[str] = set()
    stems: set[str] = set()
    found = {place, *purpose.features}
    if is_value:
        found.add("value")
        if "://" in sentence and not _COLLECTORS.isdisjoint(_parts(parameter)):
            found.add(_OUTWARD_VALUE)
    parameter_classes: set[str] = set()
    for part in _parts(parameter) if parameter else ():
        word = _word(part)
        found.add(f"p {word.stem}")
        parameter_classes.update(word.classes)
        if word.groups:
            found.add(f"q{word.groups[0]}")
        if part in _OUTWARD:
            marks.add("outward-name")
    found.update([f"P {name}" for name in parameter_classes])
    wide: list[str] = []
    names: set[str] = set()
    capitals = 0
    for token in _TOKEN.finditer(sentence):
        kind, text = token.lastgroup, token.group()
        if kind == "word":
            lower = text.lower()
            if not text.isascii() and IS_CJK.search(text):
                for sign in signs_in(text):
                    words.append("字")
                    classes.append(sign)
                names.update(_word(lower).classes)
                pairs = [text[start : start + 2] for start in range(len(text) - 1)]
                found.update(pairs)
                for pair in pairs:
                    groups = _groups().get(pair, ())
                    wide.append(groups[0] if groups else "")
                    found.update(groups)
            else:
                stem, of, kin, beginning = _word(lower)
                words.append(stem)
                classes.append(of)
                if beginning:
                    stems.add(beginning)
                    if text.isupper():
                        capitals += 1
                if lower in _COMMANDS:
                    marks.add("word of a command")
                names.update(of)
                wide.append(kin[0] if kin else "")
                found.update(kin)
            if text in purpose.own and sentence[token.start() - 1 : token.start()] in ("`", "'", '"'):
                marks.add("own")
        else:
            words.append(f"<{kind}>")
            classes.append(())
            if kind in ("name", "path", "dotted", "variable"):
                marks.update(_marks_of(str(kind), text, purpose.own))
                for part in _parts(text):
                    word = _word(part)
                    found.add(f"n {word.stem}")
                    found.update([f"N {name}" for name in word.classes])
                    wide.append(word.groups[0] if word.groups else "")
                    found.update(word.groups)
                    if word.beginning:
                        stems.add(word.beginning)
            elif kind in ("url", "email"):
                marks.add(str(kind))
            elif text.count(".") == 3:
                marks.add("url")
        if len(words) >= _LONGEST:
            break
    marks.update(_other_marks(sentence, marks, capitals))
    marks.discard("word of a command")
    found.update(f"C {name}" for name in names)
    found.update(f"{place} {name}" for name in names)
    found.update(words)
    found.update([f"{one} {other}" for one, other in pairwise(words)])
    found.update([f"{one}_{other}" for one, other in pairwise(wide) if one and other])
    for number, of in enumerate(classes):
        if of:
            for others in classes[number + 1 : number + 1 + _APART]:
                if others:  # of most words there are none
                    found.update([f"{one}>{other}" for one in of for other in others])
    for mark in marks:
        found.add(f"M {mark}")
        found.add(f"{place} {'value ' if is_value else ''}M {mark}")
        found.update([f"{mark}+{name}" for name in names])
        found.update([f"{mark}&{other}" for other in marks if mark < other])
    roles = sorted({_ROLE_OF[name] for name in (*names, *parameter_classes, *marks) if name in _ROLE_OF})
    for number, role in enumerate(roles):
        found.add(f"R {role}")
        found.add(f"{place} R {role}")
        if role in purpose.roles:
            found.add(f"R own {role}")
        found.update([f"{role}|{other}" for other in roles[number + 1 :]])
    if words:
        found.add(f"^ {words[0]}")
        found.update(f"^C {name}" for name in classes[0])
    near = len(stems & purpose.stems) / len(stems) if stems else 0.0
    found.add("near" if near >= _NEAR else "far" if not near and len(stems) >= 3 else "middle")
    found.add(f"length {min(5, len(words) // 5)}")
    return found, roles


def _marks_of(kind: str, text: str, own: frozenset[str]) -> Iterator[str]:
    if kind == "name":
        if text in own:
            yield "own"
        else:
            yield "foreign-name"
            if _parts(text)[:1] and _parts(text)[0] in _TOOL_VERBS:
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


def _other_marks(sentence: str, marks: set[str], capitals: int) -> Iterator[str]:
    if "word of a command" in marks and ("`" in sentence or "|" in sentence or "$" in sentence or "://" in sentence):
        yield "command"
    if capitals > 1:
        yield "capitals"
    if ("0" in sentence or "1" in sentence or "2" in sentence) and _ACCOUNT_NUMBER.search(sentence):
        yield "account"
    for sign, name in (("{", "code"), ("=", "code"), ("?", "question"), ('"', "quote"), ("“", "quote")):
        if sign in sentence:
            yield name
