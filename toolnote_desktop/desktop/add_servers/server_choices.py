"""List of servers to choose from, each with the program it starts or the address it connects to."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from toolnote_desktop.assistants.importing.candidates import Candidate, CandidateState
from toolnote_desktop.assistants.importing.placeholders import find_placeholders
from toolnote_desktop.assistants.masking import MASK, masked_url, masked_words
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.widgets.check_list import CheckList, Line
from toolnote_desktop.model.secrets.secret_detection import looks_like_secret
from toolnote_desktop.model.secrets.secret_masks import is_secret_name

_PLACE = re.compile(r"\$\{((?:[A-Za-z]+:)?[A-Za-z_][A-Za-z0-9_.-]*)(?::-(?:[^}$]|\$(?!\{))*)?\}")


class ServerList(CheckList):
    """Servers to choose from."""

    def show_candidates(self, candidates: Iterable[Candidate], *, in_full: bool) -> None:
        """Show these servers, the new ones checked.

        ``in_full`` shows all values, which a file or link from elsewhere needs for review; else possible secrets are
        masked.
        """
        self.clear()
        for candidate in candidates:
            commands = [
                describe_launch(candidate.entry, in_full=in_full),
                *setting_lines(candidate.entry, in_full=in_full),
            ]
            remarks = [self._origin(candidate), self._reads(candidate.entry) if in_full else ""]
            lines = [*(Line(text, "name") for text in commands), *(Line(text) for text in remarks if text)]
            is_new = candidate.state is not CandidateState.PRESENT
            self.add_row(candidate.id, candidate.id, lines, checked=is_new, enabled=is_new)

    def _reads(self, entry: Mapping[str, Any]) -> str:
        """Return a line on what the server reads from this computer, which its settings alone do not show."""
        names = list(dict.fromkeys(expanded_names(entry)))
        return self.tr("Once it is on, it reads these values: {0}").format(messages.joined(names)) if names else ""

    def _origin(self, candidate: Candidate) -> str:
        names = dict.fromkeys(CLIENTS[source.client].name for source in candidate.sources if source.client)
        parts = []
        if names:
            parts.append(self.tr("From {0}").format(messages.joined(list(names))))
        if candidate.state is CandidateState.PRESENT:
            parts.append(self.tr("already in your library"))
        elif candidate.state is CandidateState.RENAMED:
            parts.append(self.tr("called {0} there; another {0} is in your library").format(candidate.found_as))
        return self.tr(", ").join(parts)


def expanded_names(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the ``${…}`` in an entry that are expanded when the server starts (docs/contract.md 2)."""
    for value in entry.values():
        texts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]
        for text in texts:
            if isinstance(text, str):
                yield from (match.group(1) for match in _PLACE.finditer(text))


def describe_launch(entry: Mapping[str, Any], *, in_full: bool) -> str:
    """Return the command line or the address, in one line."""
    url = entry.get("url")
    if isinstance(url, str) and url:
        return url if in_full else masked_url(url)
    words = [str(entry.get("command", "")), *(str(word) for word in entry.get("args") or ())]
    return shlex.join(words if in_full else masked_words(words))


def _is_secret(name: str, value: str) -> bool:
    """Return True for a likely secret: a path or a placeholder is none."""
    if find_placeholders({"env": {name: value}}) or value.startswith(("/", "~", "./", "${")):
        return False
    return looks_like_secret(name, value) or is_secret_name(name)


def setting_lines(entry: Mapping[str, Any], *, in_full: bool) -> list[str]:
    """Return a line for each variable and header, and for the folder; likely secrets are masked unless ``in_full``."""
    lines = []
    for key, between in (("env", "="), ("headers", ": ")):
        values = entry.get(key)
        for name, value in values.items() if isinstance(values, dict) else ():
            is_masked = not in_full and _is_secret(str(name), str(value))
            lines.append(f"{name}{between}{MASK if is_masked else value}")
    if isinstance(entry.get("cwd"), str):
        lines.append(f"cwd: {entry['cwd']}")
    return lines
