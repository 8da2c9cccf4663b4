"""Files of dialects, task types and note templates, as the window reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from toolnote_desktop.model.clients import Client
from toolnote_desktop.model.tools.dialect import DEFAULT_DIALECT, PLAIN, Dialect, choose_dialect
from toolnote_desktop.model.toolsets.task_types import TaskType
from toolnote_desktop.model.toolsets.templates import NoteTemplate
from toolnote_desktop.paths import Home
from toolnote_desktop.store import bundled_files


class GuidanceFiles:
    """Guidance files of a home: task types read once, dialects anew once one is saved, templates on each access."""

    def __init__(self, home: Home, changed: Callable[[], None] = lambda: None) -> None:
        """``changed`` is called when a dialect was saved: the proxy reads it anew."""
        self._home = self.home = home
        self._changed = changed

    @cached_property
    def dialects(self) -> Mapping[str, Dialect]:
        """Dialects by name."""
        return bundled_files.dialects(self._home)

    @cached_property
    def task_types(self) -> Mapping[str, TaskType]:
        """Task types that toolsets start from."""
        return bundled_files.task_types(self._home)

    @property
    def plain(self) -> Dialect:
        """Dialect of an unknown client."""
        return self.dialects.get(DEFAULT_DIALECT, PLAIN)

    def dialect_of(self, client_id: str, client: Client) -> Dialect:
        """Return the dialect expected for a client before it has reported its own name."""
        return choose_dialect(self.dialects, client, (), client_id)

    def save_sentences(self, name: str, sentences: Sequence[str]) -> None:
        """Save the user's sentences for a family, in a dialect of the user's own.

        Raises:
            ToolnoteError: ``file-not-written``.
        """
        raw = {**bundled_files.raw_dialect(self._home, name), "sentences": list(sentences)}
        bundled_files.save_dialect(self._home, raw)
        self.__dict__.pop("dialects", None)  # of the cached property
        self._changed()

    def detected_dialect(self, client_id: str) -> Dialect:
        """Return the dialect of a client as its id says, whatever the user chose for it."""
        return choose_dialect(self.dialects, None, (), client_id)

    def templates(self) -> Mapping[str, NoteTemplate]:
        """Note templates by name."""
        return bundled_files.note_templates(self._home)

    def own_templates(self) -> frozenset[str]:
        """Names of the user's templates."""
        return bundled_files.own_note_templates(self._home)

    def save_template(self, template: NoteTemplate) -> None:
        """Save a template.

        Raises:
            ToolnoteError: ``file-not-written``.
        """
        bundled_files.save_note_template(self._home, template)

    def remove_template(self, name: str) -> None:
        """Remove one of the user's templates.

        Raises:
            ToolnoteError: ``file-not-written``.
        """
        bundled_files.remove_note_template(self._home, name)
