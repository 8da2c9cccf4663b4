"""Hints: metadata for assistants on the behaviour of a tool (docs/requirements.md 2, docs/contract.md 1).

A toolset stores them sparsely: only values set by the user, which override the server's. All hints are advisory: they
are not enforced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.document import Report, is_empty
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem

HINTS_META: Final = "toolnote/hints"
"""Key of ``_meta`` under which a served tool carries the user's hints."""

READ_ONLY, DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD = "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"
TITLE, AUDIENCE, PRIORITY, EXAMPLES = "title", "audience", "priority", "examples"

HINT_KEYS: Final = (READ_ONLY, DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD, TITLE, AUDIENCE, PRIORITY, EXAMPLES)
"""The eight keys, in the order of ``to_dict`` (docs/requirements.md 2)."""

ALWAYS_LOAD, USER_INTERACTION, RESULT_SIZE = "alwaysLoad", "requiresUserInteraction", "maxResultSizeChars"

CLIENT_SWITCHES: Final = (ALWAYS_LOAD, USER_INTERACTION, RESULT_SIZE)
"""Switches stored beside the hints, for clients whose dialect has ``meta_switches``; no other client is sent them."""

SEARCH_HINT: Final = "searchHint"
"""Text by which such a client finds a tool that it has not loaded; from "when to use"."""

ROLES: Final = ("assistant", "user")
"""Allowed values in ``audience``."""


class ToolHints(Struct):
    """Complete hints of one tool, with the defaults of docs/requirements.md 2.1. ``priority`` is clamped to 0 … 1."""

    read_only_hint: bool = False
    destructive_hint: bool = True
    idempotent_hint: bool = False
    open_world_hint: bool = True
    audience: list[str] | None = None
    priority: float = 0.5
    title: str | None = None
    examples: list[JsonObject] | None = None

    def __post_init__(self) -> None:
        self.audience = self.audience or ["assistant"]
        self.priority = max(0.0, min(1.0, self.priority))
        self.examples = self.examples or []

    def to_dict(self) -> JsonObject:
        """Return the eight keys as the protocol spells them."""
        return {
            READ_ONLY: self.read_only_hint,
            DESTRUCTIVE: self.destructive_hint,
            IDEMPOTENT: self.idempotent_hint,
            OPEN_WORLD: self.open_world_hint,
            TITLE: self.title,
            AUDIENCE: self.audience,
            PRIORITY: self.priority,
            EXAMPLES: self.examples,
        }


READONLY_TOOL: Final = ToolHints(
    read_only_hint=True,
    destructive_hint=False,
    idempotent_hint=True,
    open_world_hint=False,
    priority=0.8,
    title="Read-Only Tool",
)
QUERY_TOOL: Final = ToolHints(
    read_only_hint=True,
    destructive_hint=False,
    idempotent_hint=True,
    open_world_hint=True,
    priority=0.7,
    title="Query Tool",
)
DESTRUCTIVE_TOOL: Final = ToolHints(
    read_only_hint=False,
    destructive_hint=True,
    idempotent_hint=False,
    open_world_hint=True,
    priority=0.3,
    title="Destructive Tool",
)
IDEMPOTENT_UPDATE_TOOL: Final = ToolHints(
    read_only_hint=False,
    destructive_hint=False,
    idempotent_hint=True,
    open_world_hint=False,
    priority=0.5,
    title="Idempotent Update Tool",
)

TEMPLATES: Final[Mapping[str, ToolHints]] = {
    "read-only": READONLY_TOOL,
    "query": QUERY_TOOL,
    "destructive": DESTRUCTIVE_TOOL,
    "idempotent-update": IDEMPOTENT_UPDATE_TOOL,
}
"""Ready-made templates (docs/requirements.md 2.6) by menu name; a template's title is the template's own."""


def apply_template(hints: Mapping[str, Any], template: ToolHints) -> JsonObject:
    """Apply a template to sparse hints: behaviour and priority change; the title and the rest stay."""
    taken = template.to_dict()
    return {**hints, **{key: taken[key] for key in (READ_ONLY, DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD, PRIORITY)}}


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_title(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_audience(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(role in ROLES for role in value)


def _is_priority(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value  # noqa: PLR0124 - NaN


def _is_examples(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) and "input" in item for item in value)


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


_USABLE: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    READ_ONLY: (_is_bool, "not true or false"),
    DESTRUCTIVE: (_is_bool, "not true or false"),
    IDEMPOTENT: (_is_bool, "not true or false"),
    OPEN_WORLD: (_is_bool, "not true or false"),
    TITLE: (_is_title, "not a text"),
    AUDIENCE: (_is_audience, 'not a list of "assistant" and "user"'),
    PRIORITY: (_is_priority, "not a number"),
    EXAMPLES: (_is_examples, "not a list of objects with an input"),
    ALWAYS_LOAD: (_is_bool, "not true or false"),
    USER_INTERACTION: (_is_bool, "not true or false"),
    RESULT_SIZE: (_is_size, "not a whole number above 0"),
}


def read_hints(raw: Any, place: str, report: Report) -> JsonObject:
    """Read the usable keys of a ``hints`` object, sparsely and in order; ``priority`` is clamped.

    An empty value means unset. Unusable values are reported and left out (they stay in the file).
    """
    if is_empty(raw):
        return {}
    if not isinstance(raw, dict):
        report(place, "hints: not an object")
        return {}
    hints: JsonObject = {}
    for key in (*HINT_KEYS, *CLIENT_SWITCHES):
        value = raw.get(key)
        if value is None or is_empty(value):
            continue
        usable, reason = _USABLE[key]
        if usable(value):
            hints[key] = max(0.0, min(1.0, value)) if key == PRIORITY else value
        else:
            report(place, f"hints.{key}: {reason}")
    return hints


def server_hints(annotations: Any) -> JsonObject:
    """Return the usable hints that a server sent in ``annotations``, sparsely."""
    return read_hints(annotations if isinstance(annotations, dict) else {}, "", lambda place, reason: None)


CALL_HINTS: Final = {READ_ONLY: False, DESTRUCTIVE: True, IDEMPOTENT: False, OPEN_WORLD: True}
"""Hints of what a call does, each with the value that says more."""


def lowering_hints(hints: Any) -> list[str]:
    """Return the keys of a ``hints`` object by which a tool is trusted with more than without them: that it does less,
    or that assistants, or clients without a question of their own, may use it. Only the user decides on these.
    """
    if not isinstance(hints, dict):
        return []
    lowering = [key for key, risky in CALL_HINTS.items() if hints.get(key) is (not risky)]
    lowering += [USER_INTERACTION] if hints.get(USER_INTERACTION) is False else []
    audience = hints.get(AUDIENCE)
    return [*lowering, AUDIENCE] if isinstance(audience, list) and "assistant" in audience else lowering


def careful_annotations(one: Any, other: Any) -> JsonObject:
    """Return the hints of two definitions of a tool, of which one is served and the other runs: of each the value that
    says more, or that both say.
    """
    first, second = server_hints(one), server_hints(other)
    found: JsonObject = {}
    for key, risky in CALL_HINTS.items():
        values = (first.get(key), second.get(key))
        if risky in values:
            found[key] = risky
        elif values == (not risky, not risky):
            found[key] = not risky
    return found


def stated_hints(annotations: Any, hints: Mapping[str, Any]) -> JsonObject:
    """Return what the user, or else the server, says of a tool, without defaults.

    The server's "only reads" does not count for a tool that the user marked destructive.
    """
    known = {**server_hints(annotations), **hints}
    if hints.get(DESTRUCTIVE) is True and READ_ONLY not in hints:
        known.pop(READ_ONLY, None)
    return known


class CallEffect(Enum):
    """Effect of a call by the hints that are stated: defaults say nothing."""

    READS = auto()
    DELETES = auto()
    CHANGES = auto()
    UNSTATED = auto()


def call_effect(stated: Mapping[str, Any]) -> CallEffect:
    """Return the effect of a call by what ``stated_hints`` returned."""
    if stated.get(READ_ONLY) is True:
        return CallEffect.READS
    if stated.get(DESTRUCTIVE) is True:
        return CallEffect.DELETES
    is_changing = stated.get(READ_ONLY) is False or stated.get(DESTRUCTIVE) is False
    return CallEffect.CHANGES if is_changing else CallEffect.UNSTATED


def is_marked_destructive(annotations: Any, hints: Mapping[str, Any]) -> bool:
    """Return True if the user, or else the server, says that a tool can delete data: the default says nothing."""
    return call_effect(stated_hints(annotations, hints)) is CallEffect.DELETES


def is_allowed_for_sessions(annotations: Any, hints: Mapping[str, Any]) -> bool:
    """Return True if the user may allow a tool's calls for a whole session (docs/contract.md 5).

    Each call of a tool that can delete data beyond its server is decided on its own.
    """
    reaches = stated_hints(annotations, hints).get(OPEN_WORLD) is True
    return not (reaches and is_marked_destructive(annotations, hints))


def effective_hints(annotations: Any, hints: Mapping[str, Any]) -> ToolHints:
    """Return the hints in effect: the user's, else the server's, else the defaults."""
    known = {**server_hints(annotations), **hints}
    defaults = ToolHints()
    return ToolHints(
        read_only_hint=known.get(READ_ONLY, defaults.read_only_hint),
        destructive_hint=known.get(DESTRUCTIVE, defaults.destructive_hint),
        idempotent_hint=known.get(IDEMPOTENT, defaults.idempotent_hint),
        open_world_hint=known.get(OPEN_WORLD, defaults.open_world_hint),
        audience=known.get(AUDIENCE),
        priority=known.get(PRIORITY, defaults.priority),
        title=known.get(TITLE),
        examples=known.get(EXAMPLES),
    )


def with_hints(definition: JsonObject, hints: Mapping[str, Any]) -> JsonObject:
    """Return a copy of a definition with the user's hints in ``annotations``, in ``_meta`` and, for a title, in
    ``title``.

    Without hints it is the same object. Switches for single clients are left to ``with_client_switches``.
    """
    hints = {key: value for key, value in hints.items() if key not in CLIENT_SWITCHES}
    if not hints:
        return definition
    annotations, meta = definition.get("annotations"), definition.get("_meta")
    served = {
        **definition,
        "annotations": {**(annotations if isinstance(annotations, dict) else {}), **hints},
        "_meta": {**(meta if isinstance(meta, dict) else {}), HINTS_META: dict(hints)},
    }
    if TITLE in hints:
        served["title"] = hints[TITLE]
    return served


def with_client_switches(definition: JsonObject, hints: Mapping[str, Any], when_to_use: str, prefix: str) -> JsonObject:
    """Return a copy of a definition with the user's switches in ``_meta``, for a client that reads them there.

    Args:
        prefix: of their keys; "" if the client reads none.
    """
    switches = {key: hints[key] for key in CLIENT_SWITCHES if key in hints} if prefix else {}
    if prefix and (hint := " ".join(when_to_use.split())):
        switches[SEARCH_HINT] = hint
    if not switches:
        return definition
    meta = definition.get("_meta")
    added = {f"{prefix}{key}": value for key, value in switches.items()}
    return {**definition, "_meta": {**(meta if isinstance(meta, dict) else {}), **added}}


def is_loaded_at_once(definition: JsonObject, prefix: str) -> bool:
    """Return True if a definition asks a client that loads tools on demand to load it at once."""
    meta = definition.get("_meta")
    return bool(prefix) and isinstance(meta, dict) and meta.get(f"{prefix}{ALWAYS_LOAD}") is True


# Questions for users who are not developers.


class PlainAnswers(Struct, frozen=True):
    """Answers to three plain questions: Can it change something? Can that be undone? Does it reach outside this
    computer? None: not answered.
    """

    changes: bool | None = None
    undoable: bool | None = None
    outside: bool | None = None


def answers_as_hints(answers: PlainAnswers) -> JsonObject:
    """Convert answers to sparse hints. A tool that changes nothing is not destructive."""
    hints: JsonObject = {}
    if answers.changes is not None:
        hints[READ_ONLY] = not answers.changes
    if answers.changes is False:
        hints[DESTRUCTIVE] = False
    elif answers.undoable is not None:
        hints[DESTRUCTIVE] = not answers.undoable
    if answers.outside is not None:
        hints[OPEN_WORLD] = answers.outside
    return hints


def hints_as_answers(hints: Mapping[str, Any]) -> PlainAnswers:
    """Convert sparse hints to answers; for a tool that changes nothing, undoing is not asked."""
    changes = not hints[READ_ONLY] if READ_ONLY in hints else None
    undoable = not hints[DESTRUCTIVE] if DESTRUCTIVE in hints and changes is not False else None
    return PlainAnswers(changes, undoable, hints.get(OPEN_WORLD))


def with_answers(hints: Mapping[str, Any], answers: PlainAnswers) -> JsonObject:
    """Return sparse hints with new answers; an unanswered question removes its hint."""
    others = {key: value for key, value in hints.items() if key not in (READ_ONLY, DESTRUCTIVE, OPEN_WORLD)}
    return {**others, **answers_as_hints(answers)}


def approval_effects(annotations: Any, hints: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return the effects of hints on the approval dialogs of assistants, to show beside the questions.

    Sources: anthropics/claude-code#79734 for Claude Desktop; "readOnlyHint" in the VS Code MCP developer guide.
    """
    sent = annotations if isinstance(annotations, dict) else {}
    if not any(isinstance(value, bool) for value in (*(sent.get(k) for k in _BEHAVIOUR), *map(hints.get, _BEHAVIOUR))):
        return (Problem(Code.HINTS_ABSENT),)
    known = effective_hints(annotations, hints)
    if known.read_only_hint:
        return (Problem(Code.HINTS_READ_ONLY),)
    return (Problem(Code.HINTS_DESTRUCTIVE if known.destructive_hint else Code.HINTS_CHANGING),)


_BEHAVIOUR = (READ_ONLY, DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD)

# Contradictions.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WRITING = _words(
    "add append archive assign cancel clear close commit create delete deploy destroy disable drop edit enable erase "
    "insert install invite kill mark merge modify move overwrite patch post publish purge push put remove rename "
    "replace reply reset restart restore revoke save send set share start stop submit transfer trash uninstall unshare "
    "update upload upsert write"
)
_READING = _words(
    "browse calculate check compare convert count describe detect diff download estimate explain export fetch find get "
    "inspect list load look lookup preview query read render resolve retrieve scan search see show status suggest "
    "summarize tail test validate verify view watch"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def writing_word(name: str) -> str | None:
    """Return the word of a tool's name that implies a change; None if the first verb implies reading."""
    for word in _WORD.findall(name):
        if word.lower() in _READING:
            return None
        if word.lower() in _WRITING:
            return str(word.lower())
    return None


def hint_problems(tool: str, annotations: Any, hints: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return contradictions to review: read-only and destructive at once, or read-only with a name that implies a
    change.

    Args:
        tool: the tool's own name.
        annotations: those sent by its server.
        hints: those set by the user.
    """
    sent = annotations if isinstance(annotations, dict) else {}
    read_only = hints.get(READ_ONLY, sent.get(READ_ONLY)) is True
    destructive = hints.get(DESTRUCTIVE, sent.get(DESTRUCTIVE)) is True  # only if explicit: it is the default
    problems = []
    if read_only and destructive:
        problems.append(Problem(Code.HINTS_CONTRADICT, {"tool": tool}))
    if read_only and (word := writing_word(tool)) is not None:
        problems.append(Problem(Code.HINTS_LOOK_WRONG, {"tool": tool, "word": word}))
    return tuple(problems)
