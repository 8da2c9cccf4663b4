"""Argument overrides: changes of a toolset to a tool's arguments, in the served schema and at call time
(docs/contract.md 3 and 5).

``argumentDefaults`` supplies values for arguments that the assistant omits; ``hiddenArguments`` removes arguments from
the served schema, so that only the user's value is sent; consent adds an argument that is never sent. An argument is
identified by its name, or by a JSON Pointer into the arguments (``/filter/teamId``; a name that begins with ``/`` is
``/~1name``). In a list the step ``*`` means each of its objects (``/items/*/teamId``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from toolnote_desktop.model import json_text
from toolnote_desktop.model.hidden_characters import normalized
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.schema import inline_reference, resolve_reference
from toolnote_desktop.model.tools.consent import consent_argument, consent_literal, consent_schema
from toolnote_desktop.model.tools.parameter_settings import Parameters, Resolve, is_equal_json
from toolnote_desktop.model.toolsets.toolset import ToolEntry

Path = tuple[str, ...]

_BRANCHES: Final = ("allOf", "anyOf", "oneOf")
_CONDITIONAL: Final = ("then", "else")
EACH: Final = "*"
"""Step of a path that means each object of a list."""
NOTE_BREAK: Final = "\n\n"
"""Text between a parameter's own description and the user's note on it (docs/contract.md 6)."""

_LONGEST_SHOWN: Final = 100
"""Characters of a refused value that are repeated."""

_DEEPEST: Final = 16
"""Maximum number of references followed to find one argument."""


def argument_path(name: str) -> Path:
    """Return the path from the arguments object to one argument."""
    if not name.startswith("/"):
        return (name,)
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in name[1:].split("/"))


def argument_name(path: Path) -> str:
    """Return the name of an argument for ``argumentDefaults`` and ``hiddenArguments``: the inverse of
    :func:`argument_path`.
    """
    if len(path) == 1 and not path[0].startswith("/"):
        return path[0]
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in path)


def within_limits(parameters: Parameters, limits: Parameters) -> Parameters:
    """Return a toolset's settings without values and rules that were imported for a parameter that the user limits in
    every toolset or in this one, for one in or around it, or for one that a server may read as it (``_check_names``).
    """
    if not any(one.imported for one in parameters.values()):
        return parameters
    users = (*limits.items(), *((name, one) for name, one in parameters.items() if not one.imported))
    limited = [_looks(name) for name, one in users if one.is_limit]
    return {
        name: replace(own, default=UNSET, fixed=UNSET, allowed={}, hidden=own.hidden or None)
        if own.imported and any(_is_in_or_around(_looks(name), one) for one in limited)
        else own
        for name, own in parameters.items()
    }


def _looks(name: str) -> Path:
    return tuple(map(_look, argument_path(name)))


def _is_in_or_around(one: Path, other: Path) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def has_overrides(entry: ToolEntry) -> bool:
    """Return True if calls of the tool must be checked or changed before they are sent."""
    return (
        entry.consent is not None
        or entry.approval == "ask"
        or bool(entry.argument_defaults)
        or bool(entry.hidden_arguments)
        or any(one.allowed for one in entry.parameters.values())
    )


def override_schema(definition: JsonObject, entry: ToolEntry, *, with_notes: bool = True) -> JsonObject:
    """Return a copy of a definition with the ``inputSchema`` for the assistant; the same object if there are no
    overrides.

    The tool's description is left to ``guidance.description``.

    Args:
        entry: effective entry (``Snapshot.effective_entry``).
        with_notes: include the user's notes on parameters.
    """
    notes = {name: one.note.strip() for name, one in entry.parameters.items() if with_notes and one.note.strip()}
    if not has_overrides(entry) and not notes:
        return definition
    schema: JsonObject = definition["inputSchema"]
    root = schema
    hidden = {argument_path(name) for name in entry.hidden_arguments}
    for name, value in entry.argument_defaults.items():
        path = argument_path(name)
        if path not in hidden:
            schema = _changed(schema, path, root, _giving_default(value, root)) or schema
    for name, note in notes.items():
        schema = _changed(schema, argument_path(name), root, _adding_note(note, root)) or schema
    for path in sorted(hidden, key=len, reverse=True):
        schema = _changed(schema, path, root, _hide) or schema
    if entry.consent is not None:
        schema = _with_consent(schema, root, definition, entry)
    return {**definition, "inputSchema": schema}


def _with_consent(schema: JsonObject, root: JsonObject, definition: JsonObject, entry: ToolEntry) -> JsonObject:
    assert entry.consent is not None
    if not isinstance(schema.get("properties"), dict):
        schema = inline_reference(schema, root)  # older drafts ignore the siblings of a reference
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    name = consent_argument(top_level_arguments(root))
    literal = consent_literal(entry.consent, definition["name"])
    # Not in "required": a client that checks arguments itself would refuse the call before the user is asked.
    return {**schema, "properties": {**properties, name: consent_schema(literal)}}


def consent_of(definition: JsonObject, entry: ToolEntry) -> tuple[str, str] | None:
    """Return (argument, literal) required by a tool with consent; None without consent."""
    if entry.consent is None:
        return None
    argument = consent_argument(top_level_arguments(definition["inputSchema"]))
    return argument, consent_literal(entry.consent, definition["name"])


def top_level_arguments(schema: JsonObject) -> JsonObject:
    """Return name -> schema of all arguments at the top level of a schema, including its branches and references."""
    found: JsonObject = {}
    _collect(schema, schema, found, frozenset())
    return found


def _collect(schema: Any, root: JsonObject, found: JsonObject, seen: frozenset[str]) -> None:
    if not isinstance(schema, dict):
        return
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in seen and len(seen) < _DEEPEST:
        _collect(resolve_reference(reference, root), root, found, seen | {reference})
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for name, value in properties.items():
            found.setdefault(name, value)
    for key in _BRANCHES:
        for branch in schema[key] if isinstance(schema.get(key), list) else ():
            _collect(branch, root, found, seen)
    for key in _CONDITIONAL:
        _collect(schema.get(key), root, found, seen)


def override_problems(definition: JsonObject, entry: ToolEntry) -> tuple[Problem, ...]:
    """Return a problem for each overridden argument that is missing from the schema."""
    schema = definition["inputSchema"]
    names = dict.fromkeys((*entry.argument_defaults, *entry.hidden_arguments, *entry.parameters))
    return tuple(
        Problem(Code.ARGUMENT_NOT_FOUND, {"tool": definition["name"], "argument": name})
        for name in names
        if _changed(schema, argument_path(name), schema, _mark) is None
    )


def lost_rule(before: JsonObject, after: JsonObject, entry: ToolEntry) -> str | None:
    """Return an argument that the user limits and that a changed definition no longer has; None if there is none.

    The value may go by another name now, which nothing limits.
    """
    limited = [name for name, one in entry.parameters.items() if one.allowed]
    old, new = before["inputSchema"], after["inputSchema"]
    for name in dict.fromkeys((*limited, *entry.hidden_arguments)):
        path = argument_path(name)
        if _changed(new, path, new, _mark) is None and _changed(old, path, old, _mark) is not None:
            return name
    return None


def reads_paths(entry: ToolEntry) -> bool:
    """Return True if a rule for values is a folder, so that links in the file system matter."""
    return any("under" in one.allowed for one in entry.parameters.values())


def read_arguments(definition: JsonObject, entry: ToolEntry) -> Callable[[str], bool]:
    """Return a test by an argument's name whether its value decides if, or with what, the tool is called."""
    if entry.approval == "ask":  # the user reads them all
        return lambda _: True
    limited = [name for name, one in entry.parameters.items() if one.allowed]
    paths = [argument_path(name) for name in (*limited, *entry.hidden_arguments, *entry.argument_defaults)]
    consent = consent_of(definition, entry)
    looks = {_look(name) for name in (*(path[0] for path in paths), *(consent[:1] if consent is not None else ()))}
    return lambda name: _look(name) in looks


def override_arguments(
    definition: JsonObject, entry: ToolEntry, arguments: Any, resolve: Resolve = lambda path: path
) -> Any:
    """Return the arguments to send: consent removed, defaults and hidden values inserted.

    Without overrides the arguments are returned unchanged, even if they are not an object. ``arguments`` is not
    modified.

    Args:
        resolve: returns a path without links (``ParameterSetting.allows``).

    Raises:
        ToolnoteError: ``consent-missing``, ``argument-locked`` (another value was sent for a hidden argument),
            ``argument-not-allowed``, ``arguments-unreadable`` (not an object).
    """
    if not has_overrides(entry):
        return arguments
    tool: str = definition["name"]
    sent = {} if arguments is None else arguments
    if not isinstance(sent, dict):
        raise ToolnoteError(Code.ARGUMENTS_UNREADABLE, tool=tool)
    consent = consent_of(definition, entry)
    if consent is not None:
        sent = _without_consent(sent, consent, entry, tool)
    _check_names(sent, entry, definition)
    _check_allowed(sent, entry, tool, resolve)
    hidden = {argument_path(name): name for name in entry.hidden_arguments}
    fixed = {argument_path(name): value for name, value in entry.argument_defaults.items()}
    for path, name in hidden.items():
        is_kept = all(path in fixed and is_equal_json(value, fixed[path]) for value in _sent(sent, path))
        if not is_kept or _strays(sent, path):
            raise ToolnoteError(Code.ARGUMENT_LOCKED, tool=tool, argument=name)
    shaped: JsonObject = sent
    for path in sorted(fixed, key=len):
        if not any(path[: len(above)] == above for above in hidden):
            shaped = _with_default(shaped, path, fixed[path])
    for path in sorted(hidden, key=len):
        if path in fixed:
            try:
                shaped = _put(shaped, path, fixed[path])
            except _NoObjectError:
                raise ToolnoteError(Code.ARGUMENT_LOCKED, tool=tool, argument=hidden[path]) from None
    return shaped


def _without_consent(sent: JsonObject, consent: tuple[str, str], entry: ToolEntry, tool: str) -> JsonObject:
    argument, literal = consent
    if sent.get(argument) != literal:
        reason = entry.consent.reason if entry.consent is not None else ""
        raise ToolnoteError(Code.CONSENT_MISSING, tool=tool, argument=argument, literal=literal, reason=reason)
    return {name: value for name, value in sent.items() if name != argument}


def _check_names(sent: JsonObject, entry: ToolEntry, definition: JsonObject) -> None:
    """Raise ToolnoteError for an argument that a server may read as one that the user limits or fixes: its name in
    other letters, or with other signs between and around them, unless the server has both.

    Decoders of Go and .NET ignore case, and some servers take ``team_id`` for ``teamId``, or ``team[]`` for ``team``.
    """
    tool, schema = definition["name"], definition["inputSchema"]
    limited = [name for name, one in entry.parameters.items() if one.allowed]
    seen: dict[int, dict[str, list[str]]] = {}
    joined = _joined_names(sent) if limited or entry.hidden_arguments else {}
    for name in dict.fromkeys((*limited, *entry.hidden_arguments)):
        path, found = argument_path(name), [sent]
        for key in _joining(joined, path):
            if _changed(schema, (key,), schema, _mark) is None:
                raise ToolnoteError(Code.ARGUMENT_LOCKED, tool=tool, argument=key)
        for depth, step in enumerate(path):
            for one in found:
                for key in _by_look(one, seen).get(_look(step), ()) if isinstance(one, dict) else ():
                    sent_path = (*path[:depth], key)
                    if key == step or _changed(schema, sent_path, schema, _mark) is not None:
                        continue
                    if name in entry.hidden_arguments:
                        raise ToolnoteError(Code.ARGUMENT_LOCKED, tool=tool, argument=argument_name(sent_path))
                    raise _not_allowed(tool, name, {key: one[key]}, entry)
            found = [below for one in found for below in _sent(one, (step,))]


def _joined_names(sent: JsonObject) -> dict[str, list[str]]:
    """Return the top-level names by what is left of them without the signs and numbers that join steps of a path:
    decoders of forms read ``filter[team]``, ``filter.team`` or ``rows[0].team`` as one.
    """
    found: dict[str, list[str]] = {}
    for key in sent:
        found.setdefault(_joined(key), []).append(key)
    return found


def _joining(joined: Mapping[str, list[str]], path: Path) -> list[str]:
    """Return the top-level names that join the steps of a path, with any step in the place of those of a list; of one
    step, those with a place in a list (``branch[0]``).
    """
    if EACH not in path[1:]:
        found = joined.get(_joined(*path), [])
        return found if len(path) > 1 else [key for key in found if _look(key) != _look(path[0]) and not key.isalnum()]
    place = path.index(EACH, 1)
    first, last = _joined(*path[:place]), _joined(*(step for step in path[place:] if step != EACH))
    return [
        key
        for name, keys in joined.items()
        if name.startswith(first) and name[len(first) :].endswith(last)
        for key in keys
        if name == first + last or not key.isalnum()
    ]


def _joined(*steps: str) -> str:
    return "".join(sign for step in steps for sign in _look(step) if not sign.isdigit())


def _by_look(arguments: JsonObject, seen: dict[int, dict[str, list[str]]]) -> dict[str, list[str]]:
    """Return the names of an object by what ``_look`` makes of them, worked out once."""
    names = seen.get(id(arguments))
    if names is None:
        names = seen[id(arguments)] = {}
        for key in arguments:
            names.setdefault(_look(key), []).append(key)
    return names


def _look(name: str) -> str:
    """Return a name without case, compatibility forms, separators, brackets and what is not seen."""
    return "".join(sign for sign in normalized("NFKC", name).casefold() if sign.isalnum()) or name


def _check_allowed(sent: JsonObject, entry: ToolEntry, tool: str, resolve: Resolve) -> None:
    """Raise ToolnoteError (``argument-not-allowed``) for a value that the user does not allow.

    So is what is sent in the place of an object or list with such values: servers read JSON in a text, or one object as
    a list of one.
    """
    for name, setting in entry.parameters.items():
        path = argument_path(name)
        if not setting.allowed:
            continue
        refused = _strays(sent, path) or [one for one in _sent(sent, path) if not setting.allows(one, resolve)]
        if refused:
            raise _not_allowed(tool, name, refused[0], entry)


def _not_allowed(tool: str, name: str, value: Any, entry: ToolEntry) -> ToolnoteError:
    text = json_text.dumps(value).decode("utf-8", "replace")
    shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
    allowed = entry.parameters[name].allowed_text
    return ToolnoteError(Code.ARGUMENT_NOT_ALLOWED, tool=tool, argument=name, value=shown, allowed=allowed)


# Schemas.

Change = Callable[[JsonObject, str], JsonObject | None]
"""Function that changes one property of an object schema; None if the schema does not have it."""


def _changed(schema: Any, path: Path, root: JsonObject, change: Change, seen: frozenset[str] = frozenset()) -> Any:
    """Apply ``change`` wherever the schema describes the argument; None if it does not.

    References on the path are inlined: their definitions also serve other arguments and stay unchanged.
    """
    if not isinstance(schema, dict):
        return None
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference in seen or len(seen) >= _DEEPEST:
            return None
        seen |= {reference}
    whole = inline_reference(schema, root)
    replaced = {}
    for key in _BRANCHES:
        branches = whole.get(key)
        if isinstance(branches, list):
            changed = [_changed(branch, path, root, change, seen) for branch in branches]
            if any(branch is not None for branch in changed):
                replaced[key] = [new if new is not None else old for new, old in zip(changed, branches, strict=True)]
    for key in _CONDITIONAL:
        if (conditional := _changed(whole.get(key), path, root, change, seen)) is not None:
            replaced[key] = conditional
    here = {**whole, **replaced}
    outcome = change(here, path[0]) if len(path) == 1 else _changed_below(here, path, root, change)
    if outcome is not None:
        return outcome
    return here if replaced else None


def _changed_below(schema: JsonObject, path: Path, root: JsonObject, change: Change) -> JsonObject | None:
    properties = schema.get("properties")
    if not isinstance(properties, dict) or path[0] not in properties:
        return _changed_in_each(schema, path[1:], root, change) if path[0] == EACH else None
    changed = _changed(properties[path[0]], path[1:], root, change)
    if changed is None:
        return None
    return {**schema, "properties": {**properties, path[0]: changed}}


def _changed_in_each(schema: JsonObject, path: Path, root: JsonObject, change: Change) -> JsonObject | None:
    """Apply the change to the schema of a list's objects."""
    replaced: JsonObject = {}
    for key in ("items", "additionalItems"):
        if (changed := _changed(schema.get(key), path, root, change)) is not None:
            replaced[key] = changed
    for key in ("prefixItems", "items"):
        places = schema.get(key)
        if isinstance(places, list):
            found = [_changed(place, path, root, change) for place in places]
            if any(place is not None for place in found):
                replaced[key] = [new if new is not None else old for new, old in zip(found, places, strict=True)]
    return {**schema, **replaced} if replaced else None


def _mark(schema: JsonObject, name: str) -> JsonObject | None:
    properties = schema.get("properties")
    return schema if isinstance(properties, dict) and name in properties else None


def _hide(schema: JsonObject, name: str) -> JsonObject | None:
    properties = schema.get("properties")
    shown = isinstance(properties, dict) and name in properties
    wanted = _not_required(schema, name)
    if not shown:
        return wanted if wanted is not schema else None
    return {**wanted, "properties": {key: value for key, value in wanted["properties"].items() if key != name}}


def _giving_default(value: Any, root: JsonObject) -> Change:
    def give(schema: JsonObject, name: str) -> JsonObject | None:
        properties = schema.get("properties")
        wanted = _not_required(schema, name)
        if not isinstance(properties, dict) or name not in properties:
            return wanted if wanted is not schema else None
        described = _described(properties[name], root)
        return {**wanted, "properties": {**properties, name: {**described, "default": value}}}

    return give


def _adding_note(note: str, root: JsonObject) -> Change:
    def add(schema: JsonObject, name: str) -> JsonObject | None:
        properties = schema.get("properties")
        if not isinstance(properties, dict) or not isinstance(properties.get(name), dict | bool):
            return None
        described = _described(properties[name], root)
        own = described.get("description")
        text = f"{own}{NOTE_BREAK}{note}" if isinstance(own, str) and own else note
        return {**schema, "properties": {**properties, name: {**described, "description": text}}}

    return add


def _described(parameter: Any, root: JsonObject) -> JsonObject:
    """Return a parameter's schema with its reference inlined: a key beside it would hide the target's own description,
    or be ignored, as in older drafts.
    """
    return inline_reference(parameter, root) if isinstance(parameter, dict) else {}


def _not_required(schema: JsonObject, name: str) -> JsonObject:
    required = schema.get("required")
    if not isinstance(required, list) or name not in required:
        return schema
    left = [one for one in required if one != name]
    if left:
        return {**schema, "required": left}
    return {key: value for key, value in schema.items() if key != "required"}


# Arguments.


class _NoObjectError(Exception):
    """Path to an argument leads through a value that is not an object."""


def _sent(arguments: Any, path: Path) -> list[Any]:
    """Return the values sent for an argument: none, one, or one per object of a list."""
    found = [arguments]
    for step in path:
        below: list[Any] = []
        for one in found:
            if isinstance(one, dict) and step in one:
                below.append(one[step])
            elif isinstance(one, list) and step == EACH:
                below += one
        found = below
    return found


def _strays(arguments: Any, path: Path) -> list[Any]:
    """Return what was sent in the place of an object or list on the path to an argument; nulls count as absent.

    An object is no list, whatever its names: servers may read each of them, ``*`` or not.
    """
    strays: list[Any] = []
    found = [arguments]
    for depth, step in enumerate(path):
        fitting = list if step == EACH and depth > 0 else dict
        strays += [one for one in found if one is not None and not isinstance(one, fitting)]
        found = [below for one in found for below in _sent(one, (step,))]
    return strays


def _with_default(arguments: Any, path: Path, value: Any) -> Any:
    """Return the arguments with a default inserted where its parent was sent without it."""
    step = path[0]
    if isinstance(arguments, list) and step == EACH and len(path) > 1:
        return [_with_default(one, path[1:], value) for one in arguments]
    if not isinstance(arguments, Mapping):
        return arguments
    if len(path) == 1:
        return arguments if step in arguments else {**arguments, step: value}
    return {**arguments, step: _with_default(arguments[step], path[1:], value)} if step in arguments else arguments


def _put(arguments: Any, path: Path, value: Any) -> Any:
    """Return the arguments with a fixed value inserted. An absent list is not created: it would have no object."""
    if not path:
        return value
    if isinstance(arguments, list) and path[0] == EACH and len(path) > 1:
        return [_put(one, path[1:], value) for one in arguments]
    if not isinstance(arguments, Mapping):
        raise _NoObjectError
    if len(path) > 1 and path[1] == EACH and path[0] not in arguments:
        return arguments
    return {**arguments, path[0]: _put(arguments.get(path[0], {} if len(path) > 1 else None), path[1:], value)}
