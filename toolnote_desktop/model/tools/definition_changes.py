"""Changes between two definitions of a tool, one by one, and which of them change its meaning (docs/contract.md 3).

A change of meaning gives the tool a new ability, a parameter that can carry data out, or instructions to the model. The
rules err on the side of holding: what cannot be judged, such as a new text in an unknown language, counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.hidden_characters import count_hidden
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.tools.change_words import (
    ABILITIES,
    ACTION,
    AND_RETURNS,
    AT_ONCE,
    BOUNDS,
    BROAD,
    CAREFUL,
    CLAUSE,
    COMMAND,
    COMPARED,
    CONDITION,
    CONSENT,
    DECIDES,
    DECISION,
    DOCUMENTS,
    ENDS,
    ENGLISH,
    EXTENT,
    FORM,
    GOES,
    HANDLES,
    HARMLESS,
    HOST,
    IDENTIFIER,
    INQUIRES,
    INSTRUCTION,
    JOINED,
    LACKING,
    LIMITING,
    LOWER,
    MARKED,
    MARKUP,
    MORE_DATA,
    NARROW,
    NEGATED,
    NEGATION,
    NO_COMMAND,
    NOT_ENGLISH,
    NUMBER,
    ORDER,
    OTHERS,
    OUTGOING,
    OUTWARD,
    OUTWARD_IN_TEXT,
    PARTIAL,
    PARTICLES,
    PARTY,
    PLACE,
    REACH,
    READING,
    RECIPIENT,
    RISKY,
    SAID,
    SENTENCE_END,
    SINGLE,
    SORTED,
    SYNONYMS,
    TO_MODEL,
    UNITS,
    UPPER,
    WHOLE,
    WITH_PARTICLE,
    WORD,
    stem,
)
from toolnote_desktop.model.tools.hints import DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD, READ_ONLY
from toolnote_desktop.model.tools.nested_parameters import (
    LIMITS,
    NestedPair,
    followed,
    free_kinds,
    nested_pairs,
    without_parts,
)

_TEXT_LIMIT: Final = 20_000
"""Characters of one text that are compared; the rest of a longer one counts as changed."""

_ENDING: Final = 5
"""Characters by which two forms of a word differ in length."""

_LEAST_STEM: Final = 4
"""Characters of a word of which other forms are known."""

_MOST_FORMS: Final = 20_000
"""Pairs of words that are compared letter by letter; of longer texts, each other spelling counts as another word."""

_LEAST_SAME: Final = 0.35
"""Share of words around others by which two sentences are known as one."""

_LEAST_HEAD: Final = 3
"""Words at the beginning by which two sentences are known as one."""

_LIKE: Final = 0.75
"""Share of characters that a word has in common with its misspelled form."""


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
                reason = reason or _shortened(_text(old), _text(new)) or _larger_number(_text(old), _text(new))
                reason = reason or _lost_decision(_text(old), _text(new), context)
                reason = reason or _unexplained(_text(old), _text(new), context, acts=_acts(context))
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
    nested = _nested_reasons(dict(before), dict(after), context) if before != after else {}
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
                widens = widens or (name not in needs and _acts(context) and not _has_default(new[name]))
                reason = "may be left out" if widens else "must be given" if name in needs else ""
                if reason == "must be given" and not _carries_data(name, new[name]):
                    reason = ""
                yield DefinitionChange(kind, name, "", "", bool(reason), reason)
            yield from _changes_of_parameter(name, old[name], new[name], context, nested.get(name, ""))
    rest_before = {key: value for key, value in before.items() if key not in ("properties", "required")}
    rest_after = {key: value for key, value in after.items() if key not in ("properties", "required")}
    if rest_before != rest_after:
        reason = new_meaning(_joined_texts(rest_before), _joined_texts(rest_after), context)
        if before.get("additionalProperties") is False and after.get("additionalProperties") is not False:
            reason = reason or "any parameter"
        reason = reason or next(iter(nested.values()), "")
        yield DefinitionChange(ChangeKind.SCHEMA, "", _dump(rest_before), _dump(rest_after), bool(reason), reason)


def _has_default(schema: Any) -> bool:
    return isinstance(schema, dict) and "default" in schema


def _takes_text(name: str, schema: Mapping[str, Any]) -> bool:
    """Return True unless a parameter is a number or switch, or says only how a result looks."""
    return not _words(name) & HARMLESS and not _types(schema) & {"integer", "number", "boolean"}


def _carries_data(name: str, schema: Any) -> bool:
    """Return True if a parameter takes more than a choice."""
    if not isinstance(schema, dict) or _words(name) & HARMLESS or _values(schema) is not None:
        return False
    return _types(schema) != {"boolean"}


def _names_more(before: Any, after: Any) -> bool:
    """Return True if the text of a parameter says now that it means all of something."""
    return bool((_words(_joined_texts(after)) - _words(_joined_texts(before))) & BROAD)


def _changes_of_parameter(name: str, before: Any, after: Any, context: str, nested: str) -> Iterator[DefinitionChange]:
    if before == after:
        return
    if not isinstance(before, dict) or not isinstance(after, dict):
        yield DefinitionChange(ChangeKind.PARAMETER, name, _dump(before), _dump(after), meaning=True, reason="schema")
        return
    old_values, new_values = _values(before), _values(after)
    described = list(_changes_of_values(name, old_values, new_values))
    if before.get("type") != after.get("type"):
        reason = nested if nested == _WIDER_TYPE else ""
        old, new = _json(before, "type"), _json(after, "type")
        described.append(DefinitionChange(ChangeKind.TYPE, name, old, new, bool(reason), reason))
    if before.get("default") != after.get("default"):
        reason = _reason_of_default(name, before, after, context)
        old, new = _json(before, "default"), _json(after, "default")
        described.append(DefinitionChange(ChangeKind.DEFAULT, name, old, new, bool(reason), reason))
    for key in ("title", "description"):
        if before.get(key) != after.get(key):
            old, new = _text(before.get(key)), _text(after.get(key))
            reason = _reason_of_text(name, old, new, after, context)
            if _names_more(before.get(key), after.get(key)) and _words(old):
                reason = reason or "any"
            described.append(DefinitionChange(ChangeKind.PARAMETER_TEXT, name, old, new, bool(reason), reason))
    yield from described
    known = ("title", "description", "type", "default", "enum", "const")
    rest_before = {key: value for key, value in before.items() if key not in known}
    rest_after = {key: value for key, value in after.items() if key not in known}
    if rest_before != rest_after or (not described and old_values == new_values):  # which may be in another order
        reason = new_meaning(_joined_texts(rest_before), _joined_texts(rest_after), context)
        reason = reason or _wider(before, after, name) or nested
        yield DefinitionChange(ChangeKind.PARAMETER, name, _dump(rest_before), _dump(rest_after), bool(reason), reason)


def _nested_reasons(before: JsonObject, after: JsonObject, context: str) -> dict[str, str]:
    """Return top-level parameter -> why something in it means something else, at any depth and behind references."""
    found: dict[str, str] = {}
    for pair in nested_pairs(before, after):
        if pair.parameter not in found and (reason := _reason_of_nested(pair, (before, after), context)):
            found[pair.parameter] = reason
    return found


def _reason_of_nested(pair: NestedPair, roots: tuple[JsonObject, JsonObject], context: str) -> str:
    old, new = pair.before, pair.after
    if new is None or pair.is_open_now:
        return "schema" if new is None else "any parameter"
    if old is None:
        return _carries_out(pair.name, without_parts(new), frozenset())
    if not isinstance(old, dict) or not isinstance(new, dict):
        return "schema" if old != new and new is not False else ""
    old, new = followed(old, roots[0]), followed(new, roots[1])
    if pair.is_optional_now and _acts(context) and not _has_default(new):
        return "may be left out"
    if old.get("default") != new.get("default") and (reason := _reason_of_default(pair.name, old, new, context)):
        return reason
    more = free_kinds(pair.after, roots[1]) - free_kinds(pair.before, roots[0])
    if more & {"string", "object", "array", "more"}:
        return _WIDER_TYPE
    own = {key: value for key, value in old.items() if key in LIMITS and not isinstance(value, dict)}
    return _wider(own, new, pair.name)


_WIDER_TYPE: Final = "wider type"


def _changes_of_values(name: str, old: list[Any] | None, new: list[Any] | None) -> Iterator[DefinitionChange]:
    """Yield the changes of the values that a parameter takes; None: any."""
    if old is not None and new is None:
        yield DefinitionChange(ChangeKind.VALUES_ADDED, name, _dump(old), "", meaning=True, reason="any value")
    elif old is None and new is not None:
        reason = new_meaning("", " ".join(map(_plain, new)))
        yield DefinitionChange(ChangeKind.VALUES_REMOVED, name, "", _dump(new), bool(reason), reason)
    elif old is not None and new is not None and old != new:
        added = [value for value in new if value not in old]
        removed = [value for value in old if value not in new]
        if added:
            reason = new_meaning(" ".join(map(_plain, old)), " ".join(map(_plain, added)))
            reason = reason or ("" if _words(name) & HARMLESS else "more values")
            yield DefinitionChange(ChangeKind.VALUES_ADDED, name, "", _dump(added), bool(reason), reason)
        if removed:
            yield DefinitionChange(ChangeKind.VALUES_REMOVED, name, _dump(removed), "")


def _reason_of_default(name: str, before: JsonObject, after: JsonObject, context: str) -> str:
    """Return why another default of a parameter means something else; "" if it does not."""
    default, description = after.get("default"), _text(after.get("description"))
    reason = ""
    if isinstance(default, str | list | dict):
        reason = _outward_words(name, description) or new_meaning(_text(before.get("default")), _text(default))
    extends = bool(_words(name) & EXTENT) and _acts(context)
    is_careful = _is_careful(name, default) and not _words(f"{name} {description}") & OTHERS
    is_harmless = bool(_words(name) & HARMLESS) and not extends
    return reason or ("" if is_harmless or is_careful else "another default")


def _reason_of_text(name: str, old: str, new: str, after: JsonObject, context: str) -> str:
    """Return why another text of a parameter means something else; "" if it does not."""
    return (
        new_meaning(old, new, context)
        or _lost_limit(old, new)
        or _other_unit(old, new)
        or _shortened(old, new)
        or _further_data(old, new)
        or _unexplained(old, new, context, acts=_acts(context) and _takes_text(name, after), of_tool=False)
    )


def _carries_out(name: str, schema: Any, known: frozenset[str]) -> str:
    """Return the words that make a new parameter one that can carry data out or gives a new ability; "" if none do."""
    if not isinstance(schema, dict):
        return "" if schema is False else "schema"
    description = _text(schema.get("description"))
    texts = " ".join([_joined_texts({name: schema}), " ".join(map(_plain, _values(schema) or ()))])
    if _words(name) & HARMLESS and _values(schema) is not None:
        texts = SORTED.sub(" ", texts)
    if instruction := new_meaning("", texts):
        return instruction
    types = _types(schema)
    free = (not types or types & {"string", "object", "array"}) and _values(schema) is None
    if schema.get("format") in ("uri", "url", "email", "hostname", "ipv4", "ipv6", "uri-reference", "iri"):
        return str(schema["format"])
    outward = _outward_words(name, SORTED.sub(" ", description) if _words(name) & HARMLESS else description)
    if outward:
        return outward
    harmless = bool(_words(name) & HARMLESS) and not (types & {"object"})
    if free and not harmless and (_words(name) - known):
        return "free text"
    return ""


def _outward_words(name: str, description: str) -> str:
    words = _words(name)
    found = words & (OUTWARD | ABILITIES.keys() | REACH)
    in_text = _words(description)
    found = found or in_text & (ABILITIES.keys() | REACH) or in_text & OUTWARD_IN_TEXT
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
    if (markup := MARKUP.search(after)) and markup.group() not in before:
        return "markup"
    old = {_normal(sentence) for sentence in _sentences(before[:_TEXT_LIMIT])}
    fresh = [sentence for sentence in _sentences(after) if _normal(sentence) not in old]
    known = _abilities(_asserted(f"{before}\n{context}"))
    reached = _words(f"{before}\n{context}") & REACH
    first = next(iter(_sentences(after)), "")
    before_words, gone = _words(f"{before}\n{context}"), _words(before) - _words(after)
    asks_before = DECISION.search(f"{before}\n{context}") is not None
    for said in fresh:
        sentence = said if asks_before else _without_decisions(said)
        if sentence is not first and (order := COMMAND.match(sentence)) and _is_command(order[1]):
            return order.group().strip()
        place = PLACE.search(FORM.sub(" ", sentence))
        if place and place.group().startswith(("~", "$", "%")) and place.group() not in f"{before}{context}":
            return place.group()
        if (order := ORDER.match(sentence.strip())) and (sentence is not first or not context):
            return order.group()
        abilities = {
            word for word in _words(MARKED.sub(" ", sentence)) & ABILITIES.keys() if ABILITIES[word] not in known
        }
        if abilities:
            abilities -= _corrected(abilities, gone)
        if abilities and not _limits_only(sentence):
            return ", ".join(sorted(abilities)[:3])
        if reach := (_words(sentence) & REACH) - reached:
            return ", ".join(sorted(reach)[:3])
        if context and (action := _new_action(sentence, before_words, known)):
            return action
        if goes := GOES.search(sentence):
            return goes.group()
        sends = known & OUTGOING and not _is_translation(before, after)
        if sends and (recipient := _new_recipient(sentence, before_words)):
            return recipient
        if (found := INSTRUCTION.search(sentence)) and _normal(found.group()) not in _normal(before):
            return " ".join(found.group().split())
        if not sentence.isascii() and _foreign(sentence):
            return "unknown language"
    return ""


def _corrected(words: set[str], gone: frozenset[str]) -> set[str]:
    """Return those of some words that a misspelled word has given way to."""
    if len(words) * len(gone) > _MOST_FORMS:
        return set()
    return {word for word in words if any(_is_form(word, other) and other not in ABILITIES for other in gone)}


def _is_command(word: str) -> bool:
    return stem(word.lower()) not in NO_COMMAND and not word.endswith(("s", "ed", "ing", "ly"))


def _new_action(sentence: str, known: frozenset[str], abilities: frozenset[str]) -> str:
    """Return the verb by which a sentence says that the tool does something else than to read; "" if there is none."""
    for found in ACTION.finditer(sentence):
        place = next(number for number, verb in enumerate(found.groups(), 1) if verb)
        verb = found[place]
        base = stem(verb.lower())
        handles = base in HANDLES and found.group().endswith((" it", " them", " those"))
        is_reading = (
            not handles and base in READING and (not found.group().endswith(PARTICLES) or base in WITH_PARTICLE)
        )
        before = sentence[max(0, found.start(place) - NEGATION) : found.start(place)]
        if ABILITIES.get(base, "-") in abilities:
            continue
        if base not in known and not is_reading and not NEGATED.search(before):
            return verb
    return ""


def _new_recipient(sentence: str, known: frozenset[str]) -> str:
    """Return the words that name a further recipient of what a tool sends; "" if there are none."""
    for found in RECIPIENT.finditer(sentence):
        if _words(found[1]) - known - READING:
            return found.group()
    return ""


def _acts(text: str) -> bool:
    """Return True if a tool does more than to read and say something, by the verbs of its texts."""
    text = IDENTIFIER.sub(" ", text)
    if _abilities(_asserted(text)):
        return True
    verb = WORD.search(text)
    return verb is not None and stem(verb.group().lower()) not in INQUIRES


def _unexplained(before: str, after: str, context: str, *, acts: bool, of_tool: bool = True) -> str:
    """Return what is new or gone in the changed sentences of a text and is no other wording of the rest; "" if nothing.

    The turned-around question: each content word must be in the other text, as a form of the word, a synonym or a
    corrected spelling. Of a tool that only reads, it counts only where others get to see something.

    Args:
        acts: the tool does more than to read.
        of_tool: the text is the description of the tool, not of a parameter.
    """
    old, new = before[:_TEXT_LIMIT], after[:_TEXT_LIMIT]
    normal_old, normal_new = {_normal(one) for one in _sentences(old)}, {_normal(one) for one in _sentences(new)}
    fresh = [one for one in islice(_sentences(new), COMPARED) if _normal(one) not in normal_old]
    gone = [one for one in islice(_sentences(old), COMPARED) if _normal(one) not in normal_new]
    old_words, new_words = _words(f"{old}\n{context}"), _words(new)
    for sentence in fresh:
        if to_model := (_words(sentence) & TO_MODEL) - old_words:
            return ", ".join(sorted(to_model)[:3])
        if of_tool and (whole := WHOLE.search(sentence)) and whole.group() not in old:
            return whole.group()
        if (party := PARTY.search(sentence)) and _not_said(party[1], old_words):
            return party.group()
        for clause in CLAUSE.finditer(FORM.sub(" ", sentence)) if of_tool else ():
            verb = next(one for one in clause.groups() if one)
            if stem(verb) not in old_words and (stem(verb) in HANDLES or _not_said(verb, old_words)):
                return verb
    if _is_translation(old, new):
        return ""
    if (consent := CONSENT.search("\n".join(gone))) and not CONSENT.search(new):
        return consent.group()
    if replaced := _replaced(gone, fresh, old_words, new_words):
        return replaced
    if not acts:
        return "" if new_words & PARTIAL or not fresh else ", ".join(sorted(_words(old) & PARTIAL))
    if gone and fresh and (single := (_words("\n".join(gone)) & SINGLE) - new_words):
        return ", ".join(sorted(single))
    for sentence in gone:
        lost = _not_said(FORM.sub(" ", sentence), new_words)
        lost -= ABILITIES.keys() & _words(next(iter(sentence.split()), ""))  # another word for what it does
        if lost and not (DOCUMENTS.match(sentence) and not CONDITION.search(sentence)):
            return ", ".join(sorted(lost)[:3])
        if CONDITION.search(sentence) and not any(map(CONDITION.search, fresh)):
            return " ".join(sentence.split())
    gone_words = [_words(one) - SAID for one in gone]
    for sentence in fresh:
        shared = (_words(sentence) - SAID) & old_words
        if not any(len(shared & one) * 2 >= len(one) for one in gone_words):
            continue  # a further sentence, judged by its verbs
        added = _not_said(_without_decisions(AND_RETURNS.sub(" ", FORM.sub(" ", sentence))), old_words)
        added = frozenset(word for word in added if not any(word in line for line in UNITS))
        joins = len(JOINED.findall(FORM.sub(" ", sentence))) > len(JOINED.findall("\n".join(gone)))
        if added and joins and not NEGATED.search(sentence) and "only" not in sentence:
            return ", ".join(sorted(added)[:3])
    return ""


def _replaced(gone: list[str], fresh: list[str], old_words: frozenset[str], new_words: frozenset[str]) -> str:
    """Return the words that took the place of others in a sentence that is the same around them; "" if none did."""
    known_words = [_words(known) - SAID for known in gone]
    unsaid = [words for words, known in zip(known_words, gone, strict=True) if _not_said(known, new_words)]
    for sentence in fresh:
        now, words = _normal(sentence).split(), _words(sentence)
        broad = words & BROAD - old_words
        if broad and any(words & known for known in unsaid):
            return ", ".join(sorted(broad))
        best, lost, added = 0.0, "", ""
        for known in gone:
            was = _normal(known).split()
            head = _common(was, now)
            tail = _common(was[head:][::-1], now[head:][::-1])
            share = (head + tail) / (len(was) + 1)
            if head >= _LEAST_HEAD and share > max(best, _LEAST_SAME):
                best = share
                lost, added = " ".join(was[head : len(was) - tail]), " ".join(now[head : len(now) - tail])
        if best and (new := _not_said(added, old_words)) and _not_said(lost, new_words):
            return ", ".join(sorted(new)[:3])
    return ""


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many items at the beginning are the same."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other)))


def _is_translation(old: str, new: str) -> bool:
    """Return True if one of two texts is English and the other is not, or neither is, and few words are in both."""
    content = _words(old[:_TEXT_LIMIT]) - SAID
    if len(content & _words(new)) * 4 >= len(content) * 3 > 0:
        return False
    is_english, stays_english = _is_english(old), _is_english(new)
    return is_english != stays_english or (not is_english and bool(content) and not content & _words(new))


def _is_english(text: str) -> bool:
    return NOT_ENGLISH.search(text) is None or ENGLISH.search(text) is not None


def _not_said(text: str, known: frozenset[str]) -> frozenset[str]:
    """Return the content words of a text of which no form, synonym or other spelling is known."""
    groups = {ABILITIES[word] for word in known & ABILITIES.keys()}
    unknown = [
        word
        for word in _words(text) - known - SAID - READING
        if len(word) > 1
        and ABILITIES.get(word) not in groups
        and not any(word in line and line & known for line in SYNONYMS)
    ]
    if len(unknown) * len(known) > _MOST_FORMS:
        return frozenset(unknown)
    return frozenset(word for word in unknown if not any(_is_form(word, other) for other in known))


def _is_form(word: str, other: str) -> bool:
    """Return True if two stems are forms of one word, or differ by a slip of spelling."""
    if word[0] != other[0] or abs(len(word) - len(other)) > _ENDING:
        return False
    shorter = min(len(word), len(other))
    if word.rstrip("s") == other.rstrip("s") or (len(word) == len(other) and sorted(word) == sorted(other)):
        return True
    if shorter < _LEAST_STEM:
        return False
    same = _common(word, other)
    return (same >= _LEAST_STEM and same * 3 >= shorter * 2) or SequenceMatcher(None, word, other).ratio() >= _LIKE


def _further_data(before: str, after: str) -> str:
    """Return what a parameter is to contain besides what it was; "" if nothing."""
    known = _words(before)
    for found in MORE_DATA.finditer(FORM.sub(" ", after)):
        if found.group() not in before and _not_said(found[1] or found[2], known):
            return " ".join(found.group().split())
    for place in PLACE.findall(before):
        if place not in after:
            return str(place)
    return ""


def _shortened(before: str, after: str) -> str:
    """Return what is left out of a sentence that is the same otherwise, if it may have been a limit."""
    old = [set(_normal(sentence).split()) for sentence in islice(_sentences(before[:_TEXT_LIMIT]), COMPARED)]
    for sentence in islice(_sentences(after[:_TEXT_LIMIT]), COMPARED):
        words = set(_normal(sentence).split())
        for known in old:
            gone = known - words
            if words < known and len(gone) < len(words) + 3 and gone & BOUNDS:
                return " ".join(sorted(gone))
    return ""


def _larger_number(before: str, after: str) -> str:
    """Return a number that is larger now in a sentence that is the same otherwise; "" if there is none."""
    known = {NUMBER.sub("0", sentence): sentence for sentence in _sentences(before[:_TEXT_LIMIT])}
    for sentence in _sentences(after[:_TEXT_LIMIT]):
        old = NUMBER.findall(known.get(NUMBER.sub("0", sentence), ""))
        for was, now in zip(old, NUMBER.findall(sentence), strict=False):
            digits, others = now.replace(",", "").replace(".", ""), was.replace(",", "").replace(".", "")
            if (len(digits), digits) > (len(others), others):
                return str(now)
    return ""


def _without_decisions(sentence: str) -> str:
    """Return a sentence without the clauses that say that a person decides first."""
    return DECIDES.sub(" ", sentence) if not NEGATED.search(sentence) else sentence


def _lost_limit(before: str, after: str) -> str:
    """Return the words that limited what a tool does and are gone; "" if none are."""
    after_words = _words(after)
    gone = (_words(before) & LIMITING) - after_words
    if (_words(before) & NARROW) - after_words and (broad := (after_words & BROAD) - _words(before)):
        return ", ".join(sorted(broad)[:3])
    hosts = {host for host in HOST.findall(before) if host not in after}
    return ", ".join(sorted(gone | hosts)[:3])


def _other_unit(before: str, after: str) -> str:
    """Return the word that has taken the place of another of its kind, such as another unit; "" if none has."""
    old, new = _words(before), _words(after)
    for kind in UNITS:
        if kind is ENDS and kind & old & new:
            continue  # "newest to oldest", and now "newest first"
        if (kind & old) - new and (other := (kind & new) - old):
            return ", ".join(sorted(other)[:3])
    return ""


def _lost_decision(before: str, after: str, context: str) -> str:
    """Return what a person decided before the tool acted and no longer does; "" if nothing.

    It is gone too if the text now says that the tool acts at once.
    """
    if (decision := DECISION.search(before)) and not DECISION.search(after):
        return " ".join(decision.group().split())
    if _abilities(_asserted(context)) and (at_once := AT_ONCE.search(after)) and not AT_ONCE.search(before):
        return at_once.group()
    return ""


def _is_careful(name: str, default: object) -> bool:
    """Return True if a switch is set to its careful side: a dry run on, force off."""
    words = _words(name)
    return (default is True and bool(words & CAREFUL) and not words & RISKY) or (
        default is False and bool(words & RISKY)
    )


def _limits_only(sentence: str) -> bool:
    """Return True if a sentence says that something is not done: "Nothing is deleted.".

    What is missing does not limit what is done with the rest: "Cells without an output are run.".
    """
    said = LACKING.sub(" ", sentence)
    return NEGATED.search(said) is not None and INSTRUCTION.search(sentence) is None


def _asserted(text: str) -> str:
    """Return a text without its sentences that say what a tool does not do."""
    return "\n".join(sentence for sentence in _sentences(text[:_TEXT_LIMIT]) if not NEGATED.search(sentence))


def _abilities(text: str) -> frozenset[str]:
    """Return the groups of abilities that a text names."""
    return frozenset(ABILITIES[word] for word in _words(text) & ABILITIES.keys())


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
                    key in UPPER
                    and isinstance(value, int | float)
                    and (not isinstance(now, int | float) or now > value)
                ):
                    return key
                if (
                    key in LOWER
                    and isinstance(value, int | float)
                    and (not isinstance(now, int | float) or now < value)
                ):
                    return key
                if key in ("enum", "const") and not _is_narrower(_values(new), _values(old)):
                    return "" if _words(name) & HARMLESS else "more values"
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


def _sentences(text: str) -> Iterator[str]:
    return (part for part in SENTENCE_END.split(text) if part.strip())


def _normal(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .!?:;,*_`#-")


def _words(text: str) -> frozenset[str]:
    """Return the stems of a text's words; ``keepBranch`` and ``keep_branch`` are two words."""
    return frozenset(stem(word.lower()) for word in WORD.findall(text[:_TEXT_LIMIT]))


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
    """Return the texts in a JSON value, one a line, names of its keys left out but those of several words; bounded."""
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
            pending += [key for key in one if " " in key]
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
