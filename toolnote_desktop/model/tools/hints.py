"""Hints: what an assistant is told about how a tool behaves (docs/requirements.md 2, docs/contract.md 1).

A toolset keeps them sparse: only what the user set stands there, and only that overrides what the server sent. All
hints are advice: nothing here enforces them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.document import Report
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem

HINTS_META: Final = "toolnote/hints"
"""The key of ``_meta`` under which a served tool carries what the user set."""

READ_ONLY, DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD = "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"
TITLE, AUDIENCE, PRIORITY, EXAMPLES = "title", "audience", "priority", "examples"

HINT_KEYS: Final = (READ_ONLY, DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD, TITLE, AUDIENCE, PRIORITY, EXAMPLES)
"""The eight keys, in the order of docs/requirements.md 2.1."""

ROLES: Final = ("assistant", "user")
"""Who can be in ``audience``."""


class ToolHints(Struct):
    """All hints of one tool, with the defaults of docs/requirements.md 2.1. ``priority`` is brought between 0 and 1."""

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
        """The eight keys as the protocol spells them."""
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
"""Four ready-made templates (docs/requirements.md 2.6), by a name for menus."""


def apply_template(hints: Mapping[str, Any], template: ToolHints) -> JsonObject:
    """A tool's sparse hints after a template was applied: behaviour and priority; its title and the rest stay."""
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


_USABLE: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    READ_ONLY: (_is_bool, "not true or false"),
    DESTRUCTIVE: (_is_bool, "not true or false"),
    IDEMPOTENT: (_is_bool, "not true or false"),
    OPEN_WORLD: (_is_bool, "not true or false"),
    TITLE: (_is_title, "not a text"),
    AUDIENCE: (_is_audience, 'not a list of "assistant" and "user"'),
    PRIORITY: (_is_priority, "not a number"),
    EXAMPLES: (_is_examples, "not a list of objects with an input"),
}


def read_hints(raw: Any, place: str, report: Report) -> JsonObject:
    """The usable keys of a ``hints`` object, sparse and in the usual order; ``priority`` is clamped.

    ``null`` means that a hint is not set. What cannot be used is reported and left out (it stays in the file).
    """
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        report(place, "hints: not an object")
        return {}
    hints: JsonObject = {}
    for key in HINT_KEYS:
        value = raw.get(key)
        if value is None:
            continue
        usable, reason = _USABLE[key]
        if usable(value):
            hints[key] = max(0.0, min(1.0, value)) if key == PRIORITY else value
        else:
            report(place, f"hints.{key}: {reason}")
    return hints


def sent_hints(annotations: Any) -> JsonObject:
    """The usable hints that a server sent in ``annotations``, sparse."""
    return read_hints(annotations if isinstance(annotations, dict) else {}, "", lambda place, reason: None)


def effective_hints(annotations: Any, hints: Mapping[str, Any]) -> ToolHints:
    """What holds for a tool: what the user set, else what its server sent, else the defaults."""
    known = {**sent_hints(annotations), **hints}
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
    """A copy of a definition with the user's hints in ``annotations``, in ``_meta`` and, for a title, in ``title``.

    Without hints it is the same object.
    """
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


# Three plain questions for people who are no developers.


class PlainAnswers(Struct, frozen=True):
    """Can it change something? Can that be undone? Does it reach outside this computer? None: not answered."""

    changes: bool | None = None
    undoable: bool | None = None
    outside: bool | None = None


def answers_as_hints(answers: PlainAnswers) -> JsonObject:
    """The hints that the answers say, sparse. What changes nothing destroys nothing."""
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
    """The answers that sparse hints stand for; for what changes nothing, whether it can be undone is no question."""
    changes = not hints[READ_ONLY] if READ_ONLY in hints else None
    undoable = not hints[DESTRUCTIVE] if DESTRUCTIVE in hints and changes is not False else None
    return PlainAnswers(changes, undoable, hints.get(OPEN_WORLD))


def with_answers(hints: Mapping[str, Any], answers: PlainAnswers) -> JsonObject:
    """Sparse hints with the three questions answered anew; a question left open takes its hint out."""
    kept = {key: value for key, value in hints.items() if key not in (READ_ONLY, DESTRUCTIVE, OPEN_WORLD)}
    return {**kept, **answers_as_hints(answers)}


def approval_effects(annotations: Any, hints: Mapping[str, Any]) -> tuple[Problem, ...]:
    """What the hints do to the approval dialogs of assistants, for people to read beside the questions.

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
    """The word in a tool's name that says that it changes something; None where the first verb says that it reads."""
    for word in _WORD.findall(name):
        if word.lower() in _READING:
            return None
        if word.lower() in _WRITING:
            return str(word.lower())
    return None


def hint_problems(tool: str, annotations: Any, hints: Mapping[str, Any]) -> tuple[Problem, ...]:
    """What a person should look at again: read-only and destructive at once, or read-only with a name that writes.

    Args:
        tool: the tool's own name.
        annotations: what its server sent.
        hints: what the user set.
    """
    sent = annotations if isinstance(annotations, dict) else {}
    read_only = hints.get(READ_ONLY, sent.get(READ_ONLY)) is True
    destructive = hints.get(DESTRUCTIVE, sent.get(DESTRUCTIVE)) is True  # only where it is said: it is the default
    problems = []
    if read_only and destructive:
        problems.append(Problem(Code.HINTS_CONTRADICT, {"tool": tool}))
    if read_only and (word := writing_word(tool)) is not None:
        problems.append(Problem(Code.HINTS_LOOK_WRONG, {"tool": tool, "word": word}))
    return tuple(problems)
