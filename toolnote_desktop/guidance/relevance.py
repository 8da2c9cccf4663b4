"""Relevance of optional tools to a task or to the user's words (docs/requirements.md 3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from toolnote_desktop.guidance.served_tools import ServedTool
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.toolsets.task_types import TaskType, contains_any, word_stems

_SHORTEST_WORD: Final = 4
"""Minimum letters of a word of a tool's name to be found in an input: "get" and "for" are not significant."""

_COMMON: Final = word_stems(
    "with from that this into about when what your have will make them then some more list read show find data item "
    "items create update delete remove change send file files search query name text tool tools user users value"
)
"""Words in the names of many tools, which do not identify one."""


class TaskContext(Struct, frozen=True):
    """Focus of a guide: a task type, the user's words, both, or neither."""

    task_type: str | None = None
    input_text: str | None = None

    @property
    def is_focused(self) -> bool:
        """Return True if the guide leaves out tools."""
        return self.task_type is not None or bool((self.input_text or "").strip())

    def check(self, types: Mapping[str, TaskType]) -> None:
        """Check that the task type exists.

        Raises:
            ToolnoteError: ``task-type-unknown``.
        """
        if self.task_type is not None and self.task_type not in types:
            known = ", ".join(types)
            raise ToolnoteError(Code.TASK_TYPE_UNKNOWN, name=self.task_type, known=known)


def is_relevant(tool: ServedTool, context: TaskContext, types: Mapping[str, TaskType]) -> bool:
    """Return True if the task type or the input suggests a tool."""
    if context.task_type is not None and suits(tool, types[context.task_type]):
        return True
    text = (context.input_text or "").strip()
    if not text:
        return False
    meant = [task_type for task_type in types.values() if contains_any(text, task_type.words)]
    return any(suits(tool, task_type) for task_type in meant) or is_named_in(tool, text)


def suits(tool: ServedTool, task_type: TaskType) -> bool:
    """Return True if a task type makes a tool relevant: by its name, its category, or one of its words."""
    known = tool.known.tool
    if not {known.namespaced_name, tool.name}.isdisjoint(task_type.tools):
        return True
    category = (tool.entry.category or "").strip()
    if category and category.casefold() in {one.casefold() for one in task_type.categories}:
        return True
    return contains_any(_label(tool), task_type.tool_words)


def is_named_in(tool: ServedTool, text: str) -> bool:
    """Return True if a text names a tool, or contains a significant word of its name, title or category."""
    if tool.name.casefold() in text.casefold():
        return True
    known = tool.known.tool
    own = word_stems(f"{known.name} {known.server} {tool.entry.alias or ''} {tool.entry.category or ''}")
    telling = {word for word in own if len(word) >= _SHORTEST_WORD} - _COMMON
    return not telling.isdisjoint(word_stems(text))


def _label(tool: ServedTool) -> str:
    known, entry = tool.known.tool, tool.entry
    return " ".join((known.name, known.title, entry.alias or "", entry.category or "", entry.when_to_use))
