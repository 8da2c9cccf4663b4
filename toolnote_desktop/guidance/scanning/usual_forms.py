# ruff: noqa: E501 - patterns on as few lines as they can be read on
"""Forms of honest texts that look like marks: examples of a usual comment, lines of a log, signs that are named."""

from __future__ import annotations

import re
from typing import Final

_SPEAKS: Final = re.compile(
    r"\b(?:you|your|user(?:s|'s)?|assistants?|models?|agents?|ais?|llms?|tools?|calls?|send|ignore|never|always|must|should|secret|password|tokens?|"
    r"credentials?|keys?|upload|forward|copy|conversation|chat|approv\w+|confirm\w*|consent|instruct\w*|orders?|obey|follow|paste|attach|include|"
    r"nutzer|assistent\w*|modell\w*|utilisateur|mod[èe]le|usuario|modelo|enviar?|envoyer|sende|lies)\b|https?:|@|~/|[\u0400-\u1fff\u3040-\ud7ff]",
    re.IGNORECASE,
)
"""Words to or about a model, its user, tools and secrets, and scripts whose words are not listed."""

_PARAGRAPH: Final = 200
_EXAMPLE: Final = 120
"""Characters of a hidden part that is an example."""


def speaks_to_model(text: str) -> bool:
    """Return True if the first paragraph of a text has words that an order to a model would need."""
    return _SPEAKS.search(text[:_PARAGRAPH].strip().partition("\n\n")[0]) is not None


_COMMENT: Final = re.compile(
    r"[\s*#]{0,5}(?:TODO|FIXME|XXX|Copyright|\(c\)|SPDX|Licen[sc]ed?\b|Describe\b|Insert\b|Add (?:a|your)\b|Write (?:a|your)\b|wp:|/wp:|more\b|region\b|endregion\b|#region\b|begin\b|end\b|init:|a comment\b|comment\b|placeholder\b|generated\b)"
)
_NAMES_HIDING: Final = re.compile(
    r"\b(?:preheaders?|hidden (?:preview|line|text|element|span|div)s?|preview (?:line|text)|comments?|header|directives?|as a hidden)\b[^\n]{0,60}$",
    re.IGNORECASE,
)


def is_usual_comment(text: str, inside: str, start: int) -> bool:
    """Return True if markup at ``start`` of a text is an example whose hidden part says nothing to a model."""
    if inside[:1] == "`" and text[start - 1 : start] == "`":
        return True  # only its opening is named
    return (
        len(inside) <= _EXAMPLE
        and not speaks_to_model(inside)
        and (
            _COMMENT.match(inside.strip()) is not None
            or _NAMES_HIDING.search(text[max(0, start - 100) : start]) is not None
        )
    )


_LISTED: Final = re.compile(r"(?:\|>|[A-Z]\])[`\"']?(?:, | and | or |, and |, or )[`\"']?$")
_LOG_FIELD: Final = re.compile(r"[ \t]?\w{1,20}=[\w.-]")
_TIME: Final = re.compile(r"\d\d:\d\d(?::\d\d)?[^\s`]{0,10} $")
_TEMPLATE: Final = re.compile(
    r"You are an? [^.<\n{]{0,60}\{{2} ?\w{1,20} ?\}\}\.?\n|[^<\n]{0,120}(?:</\w{1,20}>)\s{0,3}<user>\s{0,3}\{\{"
)
_MANY_THINGS: Final = re.compile(
    r"(?:[\w/-]{2,20}(?: [\w/-]{2,20})?, ){2,8}(?:and |or )?[\w/-]{2,20}(?: [\w/-]{2,20}){0,2}[.\n]"
)
_DEFINES: Final = re.compile(r"(?:marks|means|denotes|stand\w for|labels) ")
_OF_SYSTEM: Final = re.compile(r"[#*\s]{0,8}admin (?:only|rights?|api|panel|roles?)\b", re.IGNORECASE)
_INJECTED: Final = re.compile(
    r"(?:\s(?:that|which) (?:appears?|occurs?|stand\w?|are|is)(?: found| embedded)?)? ?(?:in|inside|within) (?:it|them|the|this|that|these|those|an?|such)(?= ?(?!\s?(?:system|prompt|conversation|chat|user|developer|operator|session|message|context|previous|earlier|prior|above|other|first|person|owner|admin|host|client|polic|rules?|notes?|assistant|model)\b))",
    re.IGNORECASE,
)
_TOLD: Final = re.compile(
    r"\b(?:if|when|where|whatever|texts?|that|which|pages?)\b[^.\n]{0,40} (?:tells?|asks?|orders?|urges?) (?:you|the (?:model|assistant)) to [^.\n]{0,60}$",
    re.IGNORECASE,
)


def is_usual_role(text: str, start: int, end: int) -> bool:
    """Return True if what looks like a role or order from ``start`` to ``end`` of a text is a usual form.

    Such a form is a token of a list of tokens, a line of a log, a template with places for values, a list
    of things that a system has, or a warning of orders in a text of others.
    """
    mark, before, after = text[start:end], text[max(0, start - 120) : start], text[end : end + _PARAGRAPH]
    opening = mark.strip()
    if opening.startswith("<|"):
        return _LISTED.search(before[-8:]) is not None and after[:1] in " `\"'.,)" and not speaks_to_model(after[:30])
    if opening.startswith("["):
        return (_TIME.search(before[-30:]) or _LOG_FIELD.match(after)) is not None and "`" in before
    lower = opening.lower()
    if lower.startswith(("ignor", "disregard")):
        return _INJECTED.match(after) is not None or _TOLD.search(before) is not None
    if lower.startswith("system"):
        return _is_usual_system(mark[-1:] + after)
    return _OF_SYSTEM.match(opening + after[:20]) is not None and not speaks_to_model(after)


def _is_usual_system(after: str) -> bool:
    """Return True if what follows ``System:`` is a list of things, a definition, or a template with places for values."""
    after = after.lstrip(" ")
    if _TEMPLATE.match(after):
        return True
    return not speaks_to_model(after) and (_MANY_THINGS.match(after) or _DEFINES.match(after)) is not None


_DOCUMENTED: Final = frozenset(
    ("apply", "applies", "codes", "columns", "field", "fields", "format", "formats", "levels", "tags", "types")
)
_USED: Final = frozenset(("agent instructions", "agent notes"))
"""Labels that well-known servers put before what they say to every assistant; that itself is weighed."""
_SAYS: Final = frozenset(("are", "is", "was", "were", "tell", "ask", "let", "give", "show"))
_TO_USER: Final = re.compile(
    r"(?:notes?|hints?|notices?|messages?|hinweise?) (?:to|for|an|für) (?:the |den )?(?:users?|nutzer|person)\b"
)


def is_usual_label(label: str, is_bare: bool, after: str) -> bool:
    """Return True if a label documents something, although it names the system, an administrator or the user.

    Args:
        label: its words in small letters.
        is_bare: whether it has no mark of a heading.
        after: text from its end on.
    """
    words = label.split()
    if words[-1] in _DOCUMENTED or (is_bare and (words[0] in _SAYS or _SAYS & set(words[1:-1]))):
        return True
    if label in _USED or f"`{'_'.join(words)}`" in after[:40]:
        return True  # the name of a field
    if label == "system" and _is_usual_system(after):
        return True
    return (label.endswith("requirements") or _TO_USER.match(label) is not None) and not speaks_to_model(after)
