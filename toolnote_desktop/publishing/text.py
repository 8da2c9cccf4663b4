"""Text that carriers hold: the user's own words on the tools of one toolset, as Markdown.

Texts of servers are never in it, nor notes that an assistant wrote and the user has not kept, nor a secret or an
address from ``servers.json``: such a file is read in every session, and may be shared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from toolnote_desktop.guidance.description import APPROVAL_TEXT
from toolnote_desktop.guidance.notes_section import indented
from toolnote_desktop.guidance.served_tools import ChosenTool, Serving, chosen_tools
from toolnote_desktop.log import HARMLESS
from toolnote_desktop.model.json_text import without_surrogates
from toolnote_desktop.model.secrets.secret_masks import SecretCover
from toolnote_desktop.model.servers import secret_values
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import consent_of, override_problems
from toolnote_desktop.model.tools.consent import consent_text
from toolnote_desktop.model.tools.dialect import OWN_ENTRY, PLAIN, Dialect
from toolnote_desktop.model.toolsets.notes import Note
from toolnote_desktop.model.toolsets.toolset import Toolset

DESCRIPTION_LIMIT: Final = 1024
"""Characters of a skill's description (Agent Skills specification)."""

_NAMED_TOOLS: Final = 600
"""Characters of the tools' names in a description."""

MASK: Final = "[address left out]"

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r"( {0,3})(#{1,6}(?:[ \t]|$))")
_IMPORT: Final = re.compile(r"(?<!\S)@(?=\S)")


class CarriedText(Struct, frozen=True):
    """Guidance for one toolset.

    Attributes:
        description: one line on when it is needed, at most ``DESCRIPTION_LIMIT`` characters.
        body: Markdown without a line break at its end.
        tools: names, as the assistant sees them, of the tools that the user has written about.
        unconfirmed: number of notes that were left out because the user has not kept them.
        masked: number of secrets and addresses that were left out.
    """

    description: str
    body: str
    tools: tuple[str, ...] = ()
    unconfirmed: int = 0
    masked: int = 0


def carried_text(snapshot: Snapshot, toolset: Toolset, dialect: Dialect = PLAIN) -> CarriedText:
    """Return the text of a toolset for an assistant; its tools have the names that this assistant shows its model."""
    serving = Serving(snapshot, toolset, dialect)
    paused = snapshot.settings.notes_paused
    cover = _Cover(snapshot)
    sections, names = [], []
    unconfirmed = 0
    for tool in chosen_tools(snapshot, toolset, dialect):
        notes = [one.note for one in serving.notes_on(tool.known.tool.key) if one.note.enabled]
        unconfirmed += sum(not note.confirmed for note in notes)
        lines = list(_lines(tool, [note for note in notes if note.confirmed], cover, paused=paused))
        if lines:
            name = dialect.final_name(tool.name)
            names.append(name)
            sections.append("\n".join([f"### `{name}`", "", *(f"- {line}" for line in lines)]))
    title = cover(_one_line(toolset.title))
    intro = (
        f"The user's own words on the tools of “{_inline(title)}”, which the MCP server `{OWN_ENTRY}` provides. "
        "Follow them when you use these tools. They are kept up to date by Toolnote; the user edits them there."
    )
    parts = [f"## How to use the tools of “{_inline(title)}”", intro]
    if names and not dialect.name_prefix:
        parts.append("Your program may show these names with a prefix of its own.")
    if guidelines := toolset.guidelines:
        parts.append(_carried(cover(guidelines)))
    parts += sections or ([] if guidelines else ["The user has written nothing on these tools yet."])
    purpose = "" if toolset.created_by else toolset.description  # an assistant's words are not the user's
    description = _description(_inline(title), _inline(cover(_one_line(purpose))), names)
    return CarriedText(
        without_surrogates(description),
        without_surrogates("\n\n".join(parts)),
        tuple(names),
        unconfirmed,
        len(cover.found),
    )


def _description(title: str, purpose: str, names: Iterable[str]) -> str:
    shown: list[str] = []
    for name in names:
        if sum(map(len, shown)) + len(name) > _NAMED_TOOLS:
            shown.append("…")
            break
        shown.append(name)
    about = f" ({purpose.rstrip('.')})" if purpose else ""
    when = f" Read it before you call {', '.join(shown)}." if shown else ""
    head = f"How the user wants the tools of “{title}”{about} to be used."
    room = DESCRIPTION_LIMIT - len(when)
    head = head if len(head) <= room else f"{head[: room - 1].rstrip()}…"
    return "".join(sign if sign.isprintable() else " " for sign in f"{head}{when}")


def _lines(tool: ChosenTool, notes: Iterable[Note], cover: _Cover, *, paused: bool) -> Iterable[str]:
    """Yield the user's words on a tool, one item of a list each."""
    entry = tool.entry
    if entry.approval == "ask":
        yield APPROVAL_TEXT
    consent = consent_of(tool.known.tool.definition, entry)
    if entry.consent is not None and consent is not None:
        argument, literal = consent
        yield _item(cover(consent_text(entry.consent, literal, argument)))
    if when := _one_line(entry.when_to_use):
        yield f"**When to use:** {_item(cover(when))}"
    if instructions := entry.instructions.strip():
        yield _item(cover(instructions))
    if not paused:
        unknown = {problem.parameters["argument"] for problem in override_problems(tool.known.tool.definition, entry)}
        for name, setting in entry.parameters.items():
            if setting.note.strip() and name not in entry.hidden_arguments and name not in unknown:
                yield f"Parameter `{_inline(cover(_one_line(name)))}`: {_item(cover(setting.note.strip()))}"
    for note in notes:
        yield f"**{note.name}**: {_item(cover(note.note.strip()))}"


def _item(text: str) -> str:
    return indented(_carried(text))


def _carried(text: str) -> str:
    """Return a text that cannot end its block, open a comment, be a heading, or import a file.

    Claude Code and Gemini CLI read the file that an ``@`` names into their context; an open code fence is closed.
    """
    lines = []
    fence = ""
    for line in text.splitlines():
        found = _FENCE.match(line)
        if fence:
            lines.append(_inline(line))
            closes = found is not None and found[1].startswith(fence) and not line[found.end() :].strip()
            fence = "" if closes else fence
            continue
        fence = found[1] if found else ""
        heading = _HEADING.match(line)
        plain = f"{heading[1]}\\{line[heading.end(1) :]}" if heading else line
        lines.append(_inline(_IMPORT.sub(r"\\@", plain)))
    return "\n".join([*lines, fence] if fence else lines)


def _inline(text: str) -> str:
    return text.replace("<!--", "&lt;!--").replace("-->", "--&gt;")


def _one_line(text: str) -> str:
    return " ".join(text.split())


class _Cover:
    """Mask for the secrets and addresses of all servers."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.found: list[str] = []
        values = (value for server in snapshot.servers.values() for value in secret_values(server))
        self._secrets = SecretCover(values, harmless=HARMLESS)
        addresses = {server.url for server in snapshot.servers.values() if server.url and "${" not in server.url}
        self._addresses = sorted(addresses, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        covered = text
        for address in self._addresses:
            covered = covered.replace(address, MASK)
        covered = self._secrets(covered)
        if covered != text:
            self.found.append(text)
        return covered
