"""Changes between two definitions of a tool, one by one, and which of them change its meaning (docs/contract.md 3).

A change of meaning gives the tool a new ability, a parameter that can carry data out, or instructions to the model. The
rules err on the side of holding: what cannot be judged, such as a new text in an unknown language, counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.hidden_characters import count_hidden
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.tools.hints import DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD, READ_ONLY

_TEXT_LIMIT: Final = 20_000
"""Characters of one text that are compared; the rest of a longer one counts as changed."""


class ChangeKind(StrEnum):
    """Kinds of changes."""

    WRITES = "writes"  # it was read-only
    DESTROYS = "destroys"  # it may delete or overwrite now
    REACHES_OUT = "reaches-out"  # it may reach the outside world now
    SAFER = "safer"  # it gave up one of these
    HINT = "hint"  # another hint
    ADDED = "parameter-added"
    REMOVED = "parameter-removed"
    REQUIRED = "parameter-required"
    OPTIONAL = "parameter-optional"
    VALUES_ADDED = "values-added"
    VALUES_REMOVED = "values-removed"
    TYPE = "parameter-type"
    DEFAULT = "parameter-default"
    PARAMETER_TEXT = "parameter-text"
    PARAMETER = "parameter"  # anything else of a parameter
    SCHEMA = "schema"  # anything else of the input
    DESCRIPTION = "description"
    TITLE = "title"
    NAME = "name"
    OUTPUT = "output"
    OTHER = "other"  # another key of the definition


class DefinitionChange(Struct, frozen=True):
    """Single change.

    Attributes:
        subject: name of the parameter, hint or key; "" for the tool.
        before: old text or value as JSON; "" if there was none. ``after``: the new one.
        meaning: changes the meaning of the tool.
        reason: words or rule that make it so.
    """

    kind: ChangeKind
    subject: str = ""
    before: str = ""
    after: str = ""
    meaning: bool = False
    reason: str = ""


def changes_meaning(before: JsonObject, after: JsonObject) -> bool:
    """Return True if a new definition gives a tool another meaning."""
    return any(change.meaning for change in definition_changes(before, after))


def definition_changes(before: JsonObject, after: JsonObject) -> tuple[DefinitionChange, ...]:
    """Return the changes of ``after`` to ``before``: abilities first, then parameters, texts and other keys.

    Arguments of a prompt are compared as the parameters of a tool.
    """
    before, after = as_tool(before), as_tool(after)
    found = tuple(_changes(before, after))
    if not found and before != after:  # such as properties that are no object
        return (DefinitionChange(ChangeKind.SCHEMA, "", _dump(before), _dump(after)),)
    return found


def as_tool(definition: JsonObject) -> JsonObject:
    """Return a prompt's definition with the schema of its arguments; a tool's as it is."""
    if not is_prompt(definition):
        return definition
    return {
        **{key: value for key, value in definition.items() if key != "arguments"},
        "inputSchema": _prompt_schema(definition),
    }


def is_prompt(definition: JsonObject) -> bool:
    """Return True for the definition of a prompt, which unlike a tool's has no schema."""
    return "inputSchema" not in definition


def _prompt_schema(definition: JsonObject) -> JsonObject:
    """Return the arguments of a prompt as the JSON Schema of a tool's input."""
    listed = definition.get("arguments")
    arguments = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    named = {one["name"]: one for one in arguments if isinstance(one.get("name"), str)}
    properties = {
        name: {"type": "string", **{key: value for key, value in one.items() if key not in ("name", "required")}}
        for name, one in named.items()
    }
    required = [name for name, one in named.items() if one.get("required") is True]
    return {"type": "object", "properties": properties, "required": required}


def _changes(before: JsonObject, after: JsonObject) -> Iterator[DefinitionChange]:
    context = " \n".join(_text(before.get(key)) for key in ("title", "description"))
    yield from _hint_changes(_mapping(before.get("annotations")), _mapping(after.get("annotations")), context)
    same_text = before.get("description") == after.get("description")
    yield from _parameter_changes(
        _mapping(before.get("inputSchema")), _mapping(after.get("inputSchema")), context, same_text=same_text
    )
    for key, kind in (("name", ChangeKind.NAME), ("title", ChangeKind.TITLE), ("description", ChangeKind.DESCRIPTION)):
        old, new = before.get(key), after.get(key)
        if old != new:
            reason = new_meaning(_text(old), _text(new), context)
            if key == "description":
                reason = reason or _lost_limit(_text(old), _text(new)) or _other_unit(_text(old), _text(new))
                reason = reason or _lost_decision(_text(old), _text(new), context)
            yield DefinitionChange(kind, "", _text(old), _text(new), bool(reason), reason)
    for key in {**before, **after}:
        if key in ("annotations", "inputSchema", "name", "title", "description") or before.get(key) == after.get(key):
            continue
        old_json, new_json = _json(before, key), _json(after, key)
        reason = new_meaning(_joined_texts(before.get(key)), _joined_texts(after.get(key)), context)
        kind = ChangeKind.OUTPUT if key == "outputSchema" else ChangeKind.OTHER
        yield DefinitionChange(kind, key, old_json, new_json, bool(reason), reason)


# -- hints ------------------------------------------------------------------------------------------------------------


def _hint_changes(before: Mapping[str, Any], after: Mapping[str, Any], context: str) -> Iterator[DefinitionChange]:
    old, new = _risks(before), _risks(after)
    takes_back = before.get(DESTRUCTIVE) is True
    for kind in old:
        if old[kind] != new[kind]:
            worse = new[kind]
            shown_kind = ChangeKind.SAFER if not worse else kind
            reason = "hint" if worse else "warning withdrawn" if takes_back and kind == ChangeKind.DESTROYS else ""
            yield DefinitionChange(shown_kind, str(kind), "", "", bool(reason), reason)
    for key in {**before, **after}:
        if key in (READ_ONLY, DESTRUCTIVE, OPEN_WORLD) or before.get(key) == after.get(key):
            continue
        reason = new_meaning(_text(before.get(key)), _text(after.get(key)), context)
        if key == IDEMPOTENT and before.get(key) is True:
            reason = "hint"
        yield DefinitionChange(ChangeKind.HINT, key, _json(before, key), _json(after, key), bool(reason), reason)


def _risks(annotations: Mapping[str, Any]) -> dict[ChangeKind, bool]:
    """Return the risks of a tool by its hints, with the protocol's defaults (2025-11-25, ``ToolAnnotations``)."""
    writes = annotations.get(READ_ONLY) is not True
    return {
        ChangeKind.WRITES: writes,
        ChangeKind.DESTROYS: writes and annotations.get(DESTRUCTIVE) is not False,
        ChangeKind.REACHES_OUT: annotations.get(OPEN_WORLD) is not False,
    }


# -- parameters -------------------------------------------------------------------------------------------------------


def _parameter_changes(
    before: Mapping[str, Any], after: Mapping[str, Any], context: str, *, same_text: bool
) -> Iterator[DefinitionChange]:
    old, new = top_level_arguments(dict(before)), top_level_arguments(dict(after))
    needed, needs = _required(before), _required(after)
    known_words = _words(" ".join([*old, _joined_texts(before)]))
    for name, schema in new.items():
        if name not in old:
            reason = _carries_out(name, schema, known_words)
            yield DefinitionChange(ChangeKind.ADDED, name, "", _dump(schema), bool(reason), reason)
    for name, schema in old.items():
        if name not in new:
            yield DefinitionChange(ChangeKind.REMOVED, name, _dump(schema), "")
    for name in old:
        if name in new:
            if (name in needed) != (name in needs):
                kind = ChangeKind.REQUIRED if name in needs else ChangeKind.OPTIONAL
                abilities = _abilities(_asserted(context)) if name not in needs else frozenset()
                widens = "delete" in abilities or (bool(abilities) and not same_text)
                widens = widens or (name not in needs and _names_more(old[name], new[name]))
                yield DefinitionChange(kind, name, "", "", widens, "may be left out" if widens else "")
            yield from _changes_of_parameter(name, old[name], new[name], context)
    rest_before = {key: value for key, value in before.items() if key not in ("properties", "required")}
    rest_after = {key: value for key, value in after.items() if key not in ("properties", "required")}
    if rest_before != rest_after:
        reason = new_meaning(_joined_texts(rest_before), _joined_texts(rest_after), context)
        if before.get("additionalProperties") is False and after.get("additionalProperties") is not False:
            reason = reason or "any parameter"
        yield DefinitionChange(ChangeKind.SCHEMA, "", _dump(rest_before), _dump(rest_after), bool(reason), reason)


def _names_more(before: Any, after: Any) -> bool:
    """Return True if the text of a parameter says now that it means all of something."""
    return bool((_words(_joined_texts(after)) - _words(_joined_texts(before))) & _BROAD)


def _changes_of_parameter(name: str, before: Any, after: Any, context: str) -> Iterator[DefinitionChange]:
    if before == after:
        return
    if not isinstance(before, dict) or not isinstance(after, dict):
        yield DefinitionChange(ChangeKind.PARAMETER, name, _dump(before), _dump(after), meaning=True, reason="schema")
        return
    is_described = False
    old_values, new_values = _values(before), _values(after)
    if old_values is not None and new_values is None:
        yield DefinitionChange(ChangeKind.VALUES_ADDED, name, _dump(old_values), "", meaning=True, reason="any value")
        is_described = True
    elif old_values is None and new_values is not None:
        reason = new_meaning("", " ".join(map(_plain, new_values)))
        yield DefinitionChange(ChangeKind.VALUES_REMOVED, name, "", _dump(new_values), bool(reason), reason)
        is_described = True
    elif old_values is not None and new_values is not None and old_values != new_values:
        is_described = True
        added = [value for value in new_values if value not in old_values]
        removed = [value for value in old_values if value not in new_values]
        if added:
            reason = new_meaning(" ".join(map(_plain, old_values)), " ".join(map(_plain, added)))
            reason = reason or ("" if _words(name) & _HARMLESS else "more values")
            yield DefinitionChange(ChangeKind.VALUES_ADDED, name, "", _dump(added), bool(reason), reason)
        if removed:
            yield DefinitionChange(ChangeKind.VALUES_REMOVED, name, _dump(removed), "")
    if before.get("type") != after.get("type"):
        is_described = True
        wider = "string" in _types(after) and "string" not in _types(before)
        wider = wider or bool({"object", "array"} & _types(after) - _types(before))
        yield DefinitionChange(
            ChangeKind.TYPE, name, _json(before, "type"), _json(after, "type"), wider, "wider type" if wider else ""
        )
    if before.get("default") != after.get("default"):
        is_described = True
        default = after.get("default")
        reason = ""
        if isinstance(default, str | list | dict):
            reason = _outward_words(name, _text(after.get("description"))) or new_meaning(
                _text(before.get("default")), _text(default)
            )
        reason = reason or ("" if _words(name) & _HARMLESS or _is_careful(name, default) else "another default")
        yield DefinitionChange(
            ChangeKind.DEFAULT, name, _json(before, "default"), _json(after, "default"), bool(reason), reason
        )
    for key in ("title", "description"):
        if before.get(key) != after.get(key):
            is_described = True
            reason = new_meaning(_text(before.get(key)), _text(after.get(key)), context)
            reason = reason or _lost_limit(_text(before.get(key)), _text(after.get(key)))
            reason = reason or _other_unit(_text(before.get(key)), _text(after.get(key)))
            yield DefinitionChange(
                ChangeKind.PARAMETER_TEXT, name, _text(before.get(key)), _text(after.get(key)), bool(reason), reason
            )
    known = ("title", "description", "type", "default", "enum", "const")
    rest_before = {key: value for key, value in before.items() if key not in known}
    rest_after = {key: value for key, value in after.items() if key not in known}
    if rest_before != rest_after or not is_described:
        reason = new_meaning(_joined_texts(rest_before), _joined_texts(rest_after), context) or _wider(
            before, after, name
        )
        nested = set(top_level_arguments(rest_after)) - set(top_level_arguments(rest_before))
        for inner in sorted(nested):
            reason = reason or _carries_out(inner, top_level_arguments(rest_after)[inner], frozenset())
        yield DefinitionChange(ChangeKind.PARAMETER, name, _dump(rest_before), _dump(rest_after), bool(reason), reason)


def _carries_out(name: str, schema: Any, known: frozenset[str]) -> str:
    """Return the words that make a new parameter one that can carry data out or gives a new ability; "" if none do."""
    if not isinstance(schema, dict):
        return "" if schema is False else "schema"
    description = _text(schema.get("description"))
    texts = " ".join([_joined_texts(schema), " ".join(map(_plain, _values(schema) or ()))])
    if instruction := new_meaning("", texts):
        return instruction
    types = _types(schema)
    free = (not types or types & {"string", "object", "array"}) and _values(schema) is None
    if schema.get("format") in ("uri", "url", "email", "hostname", "ipv4", "ipv6", "uri-reference", "iri"):
        return str(schema["format"])
    outward = _outward_words(name, description)
    if outward:
        return outward
    harmless = bool(_words(name) & _HARMLESS) and not (types & {"object"})
    if free and not harmless and (_words(name) - known):
        return "free text"
    return ""


def _outward_words(name: str, description: str) -> str:
    words = _words(name)
    found = words & (_OUTWARD | _ABILITIES.keys() | _REACH)
    in_text = _words(description)
    found = found or in_text & (_ABILITIES.keys() | _REACH) or in_text & _OUTWARD_IN_TEXT
    return ", ".join(sorted(found)[:3])


# -- texts ------------------------------------------------------------------------------------------------------------


def new_meaning(before: str, after: str, context: str = "") -> str:
    """Return what in the new sentences of a text changes the meaning: an ability, an instruction; "" if nothing.

    Args:
        context: texts of the tool before, whose abilities are known.
    """
    if before == after:
        return ""
    if len(after) > _TEXT_LIMIT:
        return "long text"
    if count_hidden(after) > count_hidden(before):
        return "invisible characters"
    if (markup := _MARKUP.search(after)) and markup.group() not in before:
        return "markup"
    old = {_normal(sentence) for sentence in _sentences(before[:_TEXT_LIMIT])}
    fresh = [sentence for sentence in _sentences(after) if _normal(sentence) not in old]
    known = _abilities(_asserted(f"{before}\n{context}"))
    reached = _words(f"{before}\n{context}") & _REACH
    first = next(iter(_sentences(after)), "")
    before_words = _words(f"{before}\n{context}")
    asks_before = _DECISION.search(f"{before}\n{context}") is not None
    for said in fresh:
        sentence = said if asks_before else _without_decisions(said)
        if (order := _ORDER.match(sentence.strip())) and (sentence is not first or not context):
            return order.group()
        abilities = {word for word in _words(sentence) & _ABILITIES.keys() if _ABILITIES[word] not in known}
        if abilities and not _limits_only(sentence):
            return ", ".join(sorted(abilities)[:3])
        if reach := (_words(sentence) & _REACH) - reached:
            return ", ".join(sorted(reach)[:3])
        if context and (action := _new_action(sentence, before_words)):
            return action
        if (found := _INSTRUCTION.search(sentence)) and _normal(found.group()) not in _normal(before):
            return " ".join(found.group().split())
        if not sentence.isascii() and _foreign(sentence):
            return "unknown language"
    return ""


def _new_action(sentence: str, known: frozenset[str]) -> str:
    """Return the verb by which a sentence says that the tool does something else than to read; "" if there is none."""
    for found in _ACTION.finditer(sentence):
        place = next(number for number, verb in enumerate(found.groups(), 1) if verb)
        verb = found[place]
        stem = _stem(verb.lower())
        is_reading = stem in _READING and (not found.group().endswith(_PARTICLES) or stem in _WITH_PARTICLE)
        before = sentence[max(0, found.start(place) - _NEGATION) : found.start(place)]
        if stem not in known and not is_reading and not _NEGATED.search(before):
            return verb
    return ""


def _without_decisions(sentence: str) -> str:
    """Return a sentence without the clauses that say that a person decides first."""
    return _DECIDES.sub(" ", sentence) if not _NEGATED.search(sentence) else sentence


def _lost_limit(before: str, after: str) -> str:
    """Return the words that limited what a tool does and are gone; "" if none are."""
    after_words = _words(after)
    gone = (_words(before) & _LIMITING) - after_words
    if (_words(before) & _NARROW) - after_words and (broad := (after_words & _BROAD) - _words(before)):
        return ", ".join(sorted(broad)[:3])
    hosts = {host for host in _HOST.findall(before) if host not in after}
    return ", ".join(sorted(gone | hosts)[:3])


def _other_unit(before: str, after: str) -> str:
    """Return the word that has taken the place of another of its kind, such as another unit; "" if none has."""
    old, new = _words(before), _words(after)
    for kind in _UNITS:
        if kind is _ENDS and kind & old & new:
            continue  # "newest to oldest", and now "newest first"
        if (kind & old) - new and (other := (kind & new) - old):
            return ", ".join(sorted(other)[:3])
    return ""


def _lost_decision(before: str, after: str, context: str) -> str:
    """Return what a person decided before the tool acted and no longer does; "" if nothing.

    It is gone too if the text now says that the tool acts at once.
    """
    if (decision := _DECISION.search(before)) and not _DECISION.search(after):
        return " ".join(decision.group().split())
    if _abilities(_asserted(context)) and (at_once := _AT_ONCE.search(after)) and not _AT_ONCE.search(before):
        return at_once.group()
    return ""


def _is_careful(name: str, default: object) -> bool:
    """Return True if a switch is set to its careful side: a dry run on, force off."""
    words = _words(name)
    return (default is True and bool(words & _CAREFUL) and not words & _RISKY) or (
        default is False and bool(words & _RISKY)
    )


def _limits_only(sentence: str) -> bool:
    """Return True if a sentence says that something is not done: "Nothing is deleted.".

    What is missing does not limit what is done with the rest: "Cells without an output are run.".
    """
    said = _LACKING.sub(" ", sentence)
    return _NEGATED.search(said) is not None and _INSTRUCTION.search(sentence) is None


def _asserted(text: str) -> str:
    """Return a text without its sentences that say what a tool does not do."""
    return "\n".join(sentence for sentence in _sentences(text[:_TEXT_LIMIT]) if not _NEGATED.search(sentence))


def _abilities(text: str) -> frozenset[str]:
    """Return the groups of abilities that a text names."""
    return frozenset(_ABILITIES[word] for word in _words(text) & _ABILITIES.keys())


def _is_narrower(now: list[Any] | None, before: list[Any] | None) -> bool:
    return now is not None and all(one in (before or ()) for one in now)


def _wider(before: Any, after: Any, name: str) -> str:
    """Return the limit of a schema that is wider or gone, at any depth; "" if none is."""
    pending: list[tuple[Any, Any]] = [(before, after)]
    key: str
    while pending:
        old, new = pending.pop()
        if isinstance(old, dict) and isinstance(new, dict):
            for key, value in old.items():
                now = new.get(key)
                if key == "pattern" and isinstance(value, str) and now != value:
                    return "pattern"
                if (
                    key in _UPPER
                    and isinstance(value, int | float)
                    and (not isinstance(now, int | float) or now > value)
                ):
                    return key
                if (
                    key in _LOWER
                    and isinstance(value, int | float)
                    and (not isinstance(now, int | float) or now < value)
                ):
                    return key
                if key in ("enum", "const") and not _is_narrower(_values(new), _values(old)):
                    return "" if _words(name) & _HARMLESS else "more values"
                if key == "additionalProperties" and value is False and now is not False:
                    return key
                if isinstance(value, dict | list):
                    pending.append((value, now))
        elif isinstance(old, list) and isinstance(new, list):
            pending += zip(old, new, strict=False)
    return ""


def _foreign(sentence: str) -> bool:
    """Return True if most letters of a sentence are outside Latin script, so that the rules cannot judge it."""
    letters = [sign for sign in sentence if sign.isalpha()]
    return sum(ord(sign) > 0x24F for sign in letters) * 2 > len(letters) > 0


def _sentences(text: str) -> Iterable[str]:
    return (part for part in _SENTENCE_END.split(text) if part.strip())


def _normal(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .!?:;,*_`#-")


def _words(text: str) -> frozenset[str]:
    """Return the stems of a text's words; ``keepBranch`` and ``keep_branch`` are two words."""
    return frozenset(_stem(word.lower()) for word in _WORD.findall(text[:_TEXT_LIMIT]))


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            base = word[: -len(ending)]
            if ending in ("ing", "ed") and len(base) > 3 and base[-1] == base[-2]:
                base = base[:-1]
            return base.rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


_UPPER: Final = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_LOWER: Final = ("minimum", "exclusiveMinimum")
_HOST: Final = re.compile(r"\b(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,10}\b")
_MARKUP: Final = re.compile(r"<[!/a-zA-Z][^<>]{0,200}>?")
_NEGATED: Final = re.compile(
    r"\b(?:not|never|no|nothing|without|doesn't|don't|won't|cannot|nicht|nie|kein\w*|ohne|ne|pas|jamais|sans|nunca|sin)\b",
    re.IGNORECASE,
)
_LACKING: Final = re.compile(
    r"^\W*(?:\w+ ){1,4}(?:without|with no) (?:(?:an?|any|the|their|its|valid|existing|matching|previous|own) ){0,2}"
    r"(?!\w+ing\b)\w+(?= (?:is|are|gets?|will|can|may)\b)",
    re.IGNORECASE,
)
"""Subject of a sentence that lacks something."""
_DECISION: Final = re.compile(
    r"\b(?:users?|persons?|people|humans?|you|owners?|managers?|administrators?|admins?|operators?|reviewers?|approvers?|"
    r"customers?|accountants?|colleagues?|moderators?|supervisors?|maintainers?)\b"
    r"(?! (?:to|of|in|on|with|for)\b)(?:,? (?:must|can|has|have|needs?|to|will|still|then|first|always|may|should|also|"
    r"either|manually|himself|themselves)){0,3} "
    r"(?:releas|confirm|approv|review|check|decid|sign|accept|authori[sz]|press|click|choos|grant|verif|agree|consent|"
    r"send|publish|submit|appl|execut|pay)\w*|"
    r"\b(?:confirmed|approved|reviewed|checked|released|signed|accepted|authori[sz]ed|verified|sent|published|"
    r"submitted) (?:manually|by hand|by (?:a|an|the|your|another|two)\b)|"
    r"\b(?:waits?|waiting|held|pending|queued) (?:for|until) [^.\n]{0,40}(?:approv|confirm|review|releas|consent|sign)"
    r"\w*|\b(?:after|with|upon|requires?|needs?|on) (?:(?:an?|the|your|explicit|manual|written|prior|user|user's|human|"
    r"owner's|manager's|second|person's) ){0,4}(?:approval|confirmation|consent|release|review|signature)\b",
    re.IGNORECASE,
)
_DECIDES: Final = re.compile(
    r",? ?\b(?:(?:but )?only )?(?:after|once|when|if|as soon as|until) (?:the|an?) (?:user|person|human|owner|operator)"
    r"(?: at the computer)? (?:has |have )?(?:approv|confirm|agree|consent|accept|allow)(?:e?d|s|es)?\b"
    r"(?: (?:it|this|that|so|to it|to this|the number of \w+|the \w+))?|"
    r"\b(?:shown to|confirmed by|approved by|reviewed by) the (?:user|person|owner)"
    r"(?: (?:for|before) (?:review|confirmation|approval|it|this))?",
    re.IGNORECASE,
)
"""Clause by which a tool asks more than before."""
_ACTION: Final = re.compile(
    r"\b(?:is|are|be|been|being|gets?|become) (?:also |then |all |\w{2,12}ly ){0,2}"
    r"([a-z]{0,20}(?:ed|aken|iven|ithdrawn|rown|sent|kept|sold|paid|put|cut|shut|set|built|bought|torn|taught|hidden))\b|"
    r"(?:[,;:]|\band|\bthen|\bor|\bit|\balso|^)\W{1,3}(?:also |then |it |\w{2,12}ly ){0,2}([a-z]{3,20}) "
    r"(?:(?:the|an?|those|these|this|that|each|every|all|any|one|its|their|only|off|up|out|over|down|away|back) |"
    r"(?:it|them|everything)\b)|"
    r"\b(?:wird|werden|worden)\b[^.;,]{0,80} ([a-zäöüß]{4,24}(?:t|en))(?= ?(?:[.;,]|$))|"
    r"\b(?:und|dann) ([a-zäöüß]{3,20}t) "
    r"(?:die|den|das|dem|der|sie|ihn|es|ein\w{0,2}|alle\w?|jede\w?|diese\w?|(?-i:[A-ZÄÖÜ]\w{2,})) |"
    r"\b(?:est|sont|seront|sera|être) (?:\w{3,12}ment )?([a-zà-ÿ]{3,20}(?:é|ée|és|ées|is|it|its|ie|ies|u|us|ue|ues))\b|"
    r"\bet (?:les |la |le |l')?([a-zà-ÿ]{3,20}(?:e|it|ent)) "
    r"(?:les|la|le|un|une|des|ceux|celles|son|ses|leurs?|chaque) |"
    r"\bse ([a-zà-ÿ]{3,20}(?:an|en|a|e))\b|"
    r"\by (?:los |las |lo |la )?([a-zà-ÿ]{3,20}(?:a|e|an|en)) (?:el|la|los|las|un|una|su|sus|cada|todo\w{0,2}|a) ",
    re.IGNORECASE,
)
"""Verb of a clause: a participle, or what is followed by an object or a particle, in four languages."""
_PARTICLES: Final = (" off ", " out ", " over ", " down ", " away ", " back ")
_NEGATION: Final = 14
_AT_ONCE: Final = re.compile(
    r"\b(?:at once|immediately|instantly|right away|straight away|directly to|in one step|effective now|unattended|"
    r"sofort|unverzüglich|immédiatement|tout de suite|de inmediato|inmediatamente)\b|立即|直ちに|すぐに",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?。！？])\s+|[\n\r]+")
_WORD: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])")


def _stems(*words: str) -> frozenset[str]:
    return frozenset(_stem(word) for line in words for word in line.split())


_ABILITIES: Final[Mapping[str, str]] = {
    stem: group
    for group, words in {
        "delete": "expunge dispose scrub flush evict drain shred dump unpublish clean cleanup tidy delete "
        "remove destroy drop purge wipe erase overwrite replace truncate clear reset revert discard "
        "trash prune uninstall lösche löschen löscht entfernen entfernt überschreibt überschreiben "
        "supprime supprimer efface effacer elimina eliminar borra borrar",
        "write": "fill correct adjust repair rewrite patch assign mark change add write create modify update "
        "edit insert append save store schreibt schreiben speichert ändert écrit crée modifie escribe "
        "crea modifica guarda",
        "move": "move rename archive shift migrate relocate swap merge split reorder verschiebt verschieben "
        "déplace mueve",
        "cancel": "cancel canceled cancelled abort void withdraw reject decline dismiss unsubscribe postpone "
        "reschedule storniert stornieren kündigt kündigen widerruft annule annuler résilie anula "
        "anular cancela cancelar",
        "send": "send forward email mail message notify inform announce alert remind reply submit transmit "
        "sendet senden schickt schicken verschickt envoie envoyer envía enviar",
        "publish": "post publish share broadcast export upload webhook sync veröffentlicht teilt publie publier "
        "publica publicar comparte lädt",
        "import": "import download",
        "pay": "renew reorder bid topup überweisung nachbestellt bestellt bestellen paiement pago transfer "
        "pay buy purchase charge order refund withdraw book reserve subscribe donate bezahlt bezahlen "
        "kauft kaufen überweist paie achète paga compra",
        "sign": "sign agree accept",
        "run": "execute run install eval evaluate spawn launch script shell sudo ausführen ausführt führt "
        "exécute ejecuta",
        "deploy": "deploy merge push commit rebase force",
        "stop": "pause suspend cordon freeze mute reboot restart stop kill shutdown terminate disable close lock",
        "grant": "elevate promote authorize authorise whitelist allowlist unblock approve grant revoke invite "
        "enable assign unlock impersonate",
        "record": "log record track collect monitor recognize recognise identify",
    }.items()
    for stem in _stems(words)
}
_REACH: Final = _stems(
    "production prod live online cloud internet web public publicly external remote everyone anyone anonymous visible",
    "watchers followers subscribers attendees participants colleagues coworkers teammates",
    "third service hidden recursive recursively private personal salary everything unlimited bypass skip automatically",
    "conversation transcript credential credentials password passwords clipboard",
    "öffentlich extern publique público nube",
)
_NARROW: Final = _stems(
    "one single current selected given last day days hour hours week month today first open project"
)
_BROAD: Final = _stems("all every entire whole any everything years year month months company organization full")
_READING: Final = _stems(
    "return show list get give find look read count compute calculate estimate display include contain consist "
    "support accept understand use need require take sort filter group page limit round format describe explain "
    "summarize report compare measure rank note depend apply know follow begin start end stay remain come see "
    "mean may can will would retrieve fetch query search lookup view print output analyze analyse parse detect "
    "inspect preview check validate verify convert translate map render draw plot cover cite quote name call "
    "label number mark combine separate based express allow expect ignore skip omit leave left define default "
    "specify provide say state indicate refer ask asked distributed arranged scale place strip trim fit align "
    "highlight truncate decode encode escape work run store cache given written paginate download load made make "
    "do done has have been was were is are into for with from by per to of in at not both either like than if as "
    "when where while which who that this these only just even also over under about across after before between "
    "within without and or but then so such because pass passed separated supported returned shown listed sorted "
    "measured counted known seen reached expanded distinguished example returns set one two three id ids text "
    "type value values all any none other each more most less angezeigt ausgegeben zurückgegeben aufgelistet "
    "gelistet sortiert gefiltert gezählt berechnet verglichen gerundet berücksichtigt unterstützt übersetzt "
    "gesucht gefunden genannt erwartet benötigt gezeigt geliefert ermittelt geprüft gelesen verwendet angegeben "
    "gruppiert zusammengefasst zeigt liefert nennt gibt ist hat kann liest sucht findet zählt vergleicht prüft "
    "affiche renvoie liste donne calcule compte cherche trouve lit indique retourne affiché renvoyé listé donné "
    "calculé compté trié filtré indiqué retourné pris arrondi muestra devuelve lista calcula cuenta busca "
    "encuentra lee compara indica muestran devuelven listan calculan usan usa admiten ordenan filtran puede "
    "pueden trata encuentran redondea redondean incluye incluyen omite omiten ignora ignoran"
)
"""Verbs of tools that only read and say something, and words that are found in the place of a verb."""
_WITH_PARTICLE: Final = _stems("give read fall break find print count list return come go carry")
_ORDER: Final = re.compile(
    r"(?:mention|include|add|send|pass|tell|recommend|call|read|open|put|give|write|copy|forward|visit|say|reply|answer|"
    r"attach|run|hide|keep)\b(?! (?:to|is|are|of)\b)",
    re.IGNORECASE,
)
_UNITS: Final = (
    _stems("millisecond ms second sec minute min hour day week month quarter year"),
    _stems("millimeter millimetre mm centimeter cm meter metre kilometer kilometre km inch foot feet yard mile"),
    _stems("milligram mg gram kilogram kg pound ounce ton"),
    _stems("milliliter ml liter litre gallon"),
    _stems("byte kilobyte kb megabyte mb gigabyte gb"),
    _stems("cent dollar euro pound usd eur gbp satoshi bitcoin wei ether percent percentage fraction"),
    _stems("celsius fahrenheit kelvin degree radian"),
    _stems("utc local"),
    _stems("inclusive exclusive"),
    _stems("include exclude skip omit"),
    _stems("allow deny forbid block"),
    _stems("enable disable"),
    _stems("increase decrease"),
    _stems("absolute relative"),
    _stems("add subtract replace"),
    _stems("sender recipient"),
    _stems("buy sell"),
    _stems("source target destination"),
    _stems("newest oldest latest earliest first last"),
)
"""Words of which another one gives the same value another meaning: units, and opposites."""
_ENDS: Final = _UNITS[-1]
_CAREFUL: Final = _stems(
    "dry simulate simulation preview draft confirm confirmation ask interactive backup safe safely safety check",
    "validate verify test review readonly sandbox require required mask redact encrypt encrypted private trash undo",
    "keep preserve strict",
)
_RISKY: Final = _stems(
    "force recursive recursively overwrite delete purge permanent permanently all everything skip ignore auto",
    "automatic automatically allow bypass disable no without public publish share send notify execute unsafe insecure",
    "unlimited hidden cascade",
)
_LIMITING: Final = _stems(
    "ask asks asking asked confirm confirms confirmation approval approve only below within inside under local "
    "locally computer machine offline sandbox draft preview copy staging test read-only readonly own never not "
    "without limited dry simulate undo nur lokal fragt bestätigung seulement demande solo pregunta recycle trash "
    "bin backup"
)
_OUTWARD: Final = _stems(
    "url uri link webhook callback endpoint host hostname domain server proxy address email recipient recipients to cc",
    "bcc destination target path file filename folder directory attachment attach channel phone number account token",
    "key secret password credential credentials auth cookie header headers command cmd code query sql expression",
    "template body payload content context data metadata note notes comment feedback reason summary",
    "conversation history prompt instruction instructions remote upload output dest session user users",
)
_OUTWARD_IN_TEXT: Final = _stems(
    "url webhook callback endpoint email recipient upload attachment secret password token"
)
_HARMLESS: Final = _stems(
    "limit offset page size cursor sort order format language locale verbose timezone unit units count max min start",
    "end since until before after width height depth level color colour theme",
)
_INSTRUCTION: Final = re.compile(
    r"\b(?:you (?:must|should|have to|need to|are|will|may)|always|never|must(?: not)?|do not|don't|make sure|be sure|"
    r"ensure|ignore|instead|important|should|ought to|(?:is|are) (?:expected to|best)|better (?:when|if)|"
    r"before (?:using|calling|you|any|each|every|answering)|"
    r"after (?:using|calling|you|any|each|every)|first call|"
    r"(?:also|then|first) (?:call|use|read|send|include|pass|invoke)|"
    r"(?:call|use|invoke) (?:this|the|it|only)|without (?:asking|telling|confirm\w*)|secretly|silently|assistant|"
    r"the user|model|prefer|required to|no need to|immer|niemals|zuerst|ohne (?:zu )?frag\w*|verschweig\w*)\b",
    re.IGNORECASE,
)


# -- values -----------------------------------------------------------------------------------------------------------


def _values(schema: Mapping[str, Any]) -> list[Any] | None:
    if isinstance(schema.get("enum"), list):
        return list(schema["enum"])
    return [schema["const"]] if "const" in schema else None


def _types(schema: Mapping[str, Any]) -> set[str]:
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    return {one for one in kinds if isinstance(one, str) and one != "null"}


def _required(schema: Mapping[str, Any]) -> frozenset[str]:
    required = schema.get("required")
    return frozenset(name for name in required if isinstance(name, str)) if isinstance(required, list) else frozenset()


def _joined_texts(value: Any) -> str:
    """Return the texts in a JSON value, names of its keys left out, one a line; bounded."""
    found: list[str] = []
    left = _TEXT_LIMIT
    pending = [value]
    while pending and left > 0:
        one = pending.pop()
        if isinstance(one, str):
            found.append(one[:left])
            left -= len(one)
        elif isinstance(one, dict):
            pending += reversed(one.values())
        elif isinstance(one, list):
            pending += reversed(one)
    return "\n".join(found)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else _dump(value)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else _dump(value)


def _dump(value: Any) -> str:
    return json_text.dumps(value).decode("utf-8")


def _json(container: Mapping[str, Any], key: str) -> str:
    return _dump(container[key]) if key in container else ""
