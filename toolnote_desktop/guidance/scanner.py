"""Scanner of texts that assistants read: instructions that a server, a pack or an assistant may have planted.

Offline and linear. It looks for what an honest description has no use for; a polite sentence without any mark of it is
not found (docs/scanner.md has the figures).
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from msgspec import Struct

from toolnote_desktop.guidance.scanning.encodings import encoded_text
from toolnote_desktop.guidance.scanning.features import NO_PURPOSE, Purpose
from toolnote_desktop.guidance.scanning.hidden_text import hidden_text
from toolnote_desktop.guidance.scanning.imitated_section import imitates_section
from toolnote_desktop.guidance.scanning.labels import claimed_authority
from toolnote_desktop.guidance.scanning.markup import unseen_markup
from toolnote_desktop.guidance.scanning.names import alike_names
from toolnote_desktop.guidance.scanning.read_text import ReadText
from toolnote_desktop.guidance.scanning.roles import role_marks
from toolnote_desktop.guidance.scanning.sentences import (
    Sentence,
    Suspect,
    excess_of,
    level,
    needed_excess,
    purpose_of,
    read_sentences,
    suspect_of,
)
from toolnote_desktop.guidance.texts import cached_texts
from toolnote_desktop.model.hidden_characters import escaped_hidden, normalized
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool, ServerListing
from toolnote_desktop.model.tools.imitation import imitates_bullets, without_imitation
from toolnote_desktop.model.toolsets.notes import ToolReference

_ANSWER_SCANNED: Final = 20_000
"""Characters of an answer that are scanned."""

_TEXT_LIMIT: Final = 100_000
"""Characters of one text that are scanned; a longer one is a finding of its own."""

_MOST_RESOURCES: Final = 1_000
"""Resources of a server, and as many templates, that are scanned."""

_MOST_TEXTS: Final = 5_000
"""Texts of one definition that are scanned."""

_BESIDE: Final = 200
"""Characters of a tool's description that its notes are read beside."""


class _Margins(NamedTuple):
    """Excess that a sentence needs beyond that of a definition's, by whether it says plainly what it wants."""

    plain: float
    other: float


_OF_DEFINITIONS: Final = _Margins(0.0, 0.0)
_OF_NOTES: Final = _Margins(0.0, 3.0)
"""With them 11 % of 474 usual notes are findings, with those of definitions 24 % (docs/scanner.md)."""

_OF_PROMPTS: Final = _Margins(1e9, 1e9)
"""What only a sentence of a usual form has (``sentences.suspect_of``)."""

_EXCERPT: Final = 120
_SHORTEST_ENCODED: Final = 12


class FindingKind(StrEnum):
    """Kinds of findings."""

    HIDDEN = "hidden-characters"
    COMMENT = "hidden-markup"
    BLOB = "encoded-text"
    ROLE = "role-marks"
    SECRECY = "hide-from-user"
    SECRETS = "read-secrets"
    OTHER_TOOLS = "other-tools"
    SENDING = "send-elsewhere"
    CONVERSATION = "asks-for-conversation"
    CONSENT = "skip-consent"
    LOOK_ALIKE = "look-alike-name"
    HEADING = "imitates-notes"
    LONG = "long-text"


SENTENCES: Final[Mapping[FindingKind, str]] = {
    FindingKind.HIDDEN: "It has characters that people do not see and assistants read.",
    FindingKind.COMMENT: "It has markup that a person does not see, such as an HTML comment.",
    FindingKind.BLOB: "It has a long encoded text, which may hide instructions.",
    FindingKind.ROLE: "It has marks that make a text look like instructions of the system.",
    FindingKind.SECRECY: "It tells the assistant to hide something from the user.",
    FindingKind.SECRETS: "It tells the assistant to read keys, passwords or files with them.",
    FindingKind.OTHER_TOOLS: "It tells the assistant how to use other tools, or to call this one first.",
    FindingKind.SENDING: "It tells the assistant to send data elsewhere.",
    FindingKind.CONVERSATION: "It asks for the conversation or for the assistant's instructions.",
    FindingKind.CONSENT: "It tells the assistant to act without the user's consent.",
    FindingKind.LOOK_ALIKE: "Its name looks like that of a tool of another source.",
    FindingKind.HEADING: "It imitates the section with the user's notes.",
    FindingKind.LONG: "It is too long to be scanned whole.",
}


class Finding(Struct, frozen=True):
    """Finding in a text.

    Attributes:
        field: path of the text in the definition, such as ``inputSchema.properties.path.description``.
        excerpt: the words found, with invisible characters written out.
    """

    kind: FindingKind
    server: str
    tool: str
    field: str
    excerpt: str

    @property
    def sentence(self) -> str:
        """The reason in one sentence."""
        return SENTENCES[self.kind]


def scan_snapshot(snapshot: Snapshot) -> tuple[Finding, ...]:
    """Return the findings in everything that servers and assistants wrote: definitions, instructions, notes."""
    found: list[Finding] = []
    for server, listing in snapshot.catalogue.servers.items():
        found += scan_listing(server, listing)
    for server, entry in snapshot.servers.items():
        found += scan_text(entry.toolnote.registry_text, server, "", "registryText")
    for toolset in snapshot.toolsets.values():
        if toolset.created_by:
            found += scan_text(toolset.description, toolset.created_by, "", f"description of {toolset.name}")
        for group in toolset.notes:
            name = group.reference.namespaced_name or ""
            for note in group.notes:
                if not note.confirmed:
                    of = noted_definition(snapshot.catalogue, group.reference)
                    found += scan_note(note.note, note.author, name, f"notes.{note.name}", of)
    found += catalogue_look_alikes(snapshot.catalogue)
    return tuple(found)


def scan_listing(server: str, listing: ServerListing) -> Iterator[Finding]:
    """Yield the findings in what a server wrote: definitions of tools, prompts and resources, instructions, and what it
    says of itself.
    """
    siblings = [known.tool.name for known in listing.tools if known.listed]
    for known in listing.tools:
        if known.listed:
            yield from scan_definition(known.newest.definition, server, siblings)
    for known in listing.prompts:
        if known.listed:
            yield from scan_definition(known.newest.definition, server)
    for resource in (*listing.resources[:_MOST_RESOURCES], *listing.resource_templates[:_MOST_RESOURCES]):
        yield from scan_definition(resource, server)
    yield from scan_text(listing.instructions or "", server, "", "instructions")
    for key in ("title", "description"):  # the first line of the instructions has it
        text = listing.server_info.get(key)
        yield from scan_text(text if isinstance(text, str) else "", server, "", f"serverInfo.{key}")


def scan_tool(snapshot: Snapshot, known: KnownTool) -> tuple[Finding, ...]:
    """Return the findings in a tool: in its newest definition, and in its name beside those of other sources."""
    server, name = known.tool.key
    listing = snapshot.catalogue.servers.get(server)
    siblings = [one.tool.name for one in listing.tools if one.listed] if listing is not None else ()
    alike = (one for one in catalogue_look_alikes(snapshot.catalogue) if (one.server, one.tool) == (server, name))
    return (*scan_definition(known.newest.definition, server, siblings), *alike)


def catalogue_look_alikes(catalogue: Catalogue) -> Iterator[Finding]:
    """Yield the findings in the names of all tools."""
    listed = {known.tool.key: known.newest.definition for known in catalogue.tools.values() if known.listed}
    return look_alikes(listed, listed)


def scan_definition(definition: JsonObject, server: str = "", siblings: Iterable[str] = ()) -> tuple[Finding, ...]:
    """Return the findings in the texts of a tool, prompt or resource.

    Args:
        siblings: names of the tools of the same source, which a description may well refer to.
    """
    tool = str(definition.get("name", ""))
    return tuple(dict.fromkeys(_scan(_texts(definition), server, tool, purpose_of(definition, siblings))))


def scan_text(text: str, server: str, tool: str, field: str) -> Iterator[Finding]:
    """Yield the findings in one text, at most one of each kind."""
    yield from _scan([_Text(field, text)], server, tool, NO_PURPOSE)


def scan_note(text: str, server: str, tool: str, field: str, definition: JsonObject) -> Iterator[Finding]:
    """Yield the findings in a note on a tool: ``scan_words`` of one text."""
    yield from scan_words({field: text}, server, tool, definition)


def scan_words(words: JsonObject, server: str, tool: str, definition: JsonObject) -> Iterator[Finding]:
    """Yield the findings in texts on a tool, by their keys, read beside what the tool's definition says first.

    Such a text by itself is an order to the model, as most planted ones are: of honest notes most were findings. So
    its sentences have to be more suspicious than those of definitions, too.
    """
    said = {**definition, "description": str(definition.get("description", ""))[:_BESIDE]}
    beside = [_Text("name", str(said.get("name", ""))), _Text("description", said["description"])]
    yield from _scan(_texts(words), server, tool, purpose_of(said), beside, margins=_OF_NOTES)


def scan_marks(text: str, server: str, tool: str, field: str) -> Iterator[Finding]:
    """Yield the marks and usual forms in a text that no assistant reads of itself, such as a prompt of the bench."""
    yield from _scan([_Text(field, text)], server, tool, NO_PURPOSE, margins=_OF_PROMPTS)


def noted_definition(catalogue: Catalogue, reference: ToolReference) -> JsonObject:
    """Return the definition of the tool that a note is on; only its name where no tool is here, or several are."""
    found = [known for known in catalogue.resolve(reference) if known.listed]
    return found[0].newest.definition if len(found) == 1 else {"name": reference.namespaced_name or ""}


def _scan(
    texts: Iterable[_Text],
    server: str,
    tool: str,
    purpose: Purpose,
    beside: Iterable[_Text] = (),
    *,
    margins: _Margins = _OF_DEFINITIONS,
) -> Iterator[Finding]:
    """Yield the findings in the texts of one definition, at most one of each kind in each.

    Args:
        beside: texts that they are read with, which are counted and not reported.
        margins: by the kind of text.
    """
    number, total = 0, 0.0
    for one in beside:
        for sentence in _sentences(one, purpose):
            number, total = number + 1, total + excess_of(sentence)
    found: list[tuple[_Text, dict[FindingKind, str], list[Suspect]]] = []
    for place, one in enumerate(texts):
        if place >= _MOST_TEXTS:
            found.append((one, {FindingKind.LONG: ""}, []))
            break
        parts: dict[FindingKind, str] = {FindingKind.LONG: ""} if len(one.text) > _TEXT_LIMIT else {}
        parts.update(_marks(one))
        suspects = []
        for sentence in _sentences(one, purpose):
            excess = excess_of(sentence)
            number, total = number + 1, total + excess
            if (suspect := suspect_of(sentence, excess)) is not None:
                suspects.append(suspect)
        if parts or suspects:
            found.append((one, parts, suspects))
    needed = needed_excess(number, total, level())
    for one, parts, suspects in found:
        for suspect in suspects:
            if suspect.excess > needed + (margins.plain if suspect.is_plain else margins.other):
                for kind in suspect.kinds:
                    parts.setdefault(FindingKind(kind), suspect.text)
        for kind, excerpt in parts.items():
            yield Finding(kind, server, tool, one.field, excerpt[:_EXCERPT])


def _marks(one: _Text) -> dict[FindingKind, str]:
    """Return the marks in a text that people do not see or cannot read, each with what shows it."""
    text = one.text[:_TEXT_LIMIT]
    if len(text) < _SHORTEST_ENCODED and text.isascii() and text.isidentifier() and one.parameter.isascii():
        return {}  # such as the name of a type
    if not text and one.parameter.isascii() and one.parameter.isidentifier():
        return {}
    return _marks_in(one.parameter, text)


@cached_texts(1_024)  # half of the texts that describe a server's parameters occur in several of its tools
def _marks_in(parameter: str, text: str) -> dict[FindingKind, str]:
    read = ReadText.of(text)
    is_long = len(text) >= _SHORTEST_ENCODED
    parts: dict[FindingKind, str] = {}
    is_ordinary = read.is_ordinary and parameter.isascii() and parameter.isprintable()
    if hidden := hidden_text(f"{parameter} {text}", is_ordinary=is_ordinary):
        parts[FindingKind.HIDDEN] = hidden
    if markup := unseen_markup(text):
        parts[FindingKind.COMMENT] = markup
    if is_long and (says := encoded_text(read)):
        parts[FindingKind.BLOB] = says
    claim, is_users = claimed_authority(read) if is_long else ("", False)
    if role := role_marks(read):
        parts[FindingKind.ROLE] = role
    elif claim:
        parts[FindingKind.HEADING if is_users else FindingKind.ROLE] = claim
    if without_imitation(text) is not text or imitates_bullets(text) or imitates_section(read):
        parts[FindingKind.HEADING] = "Additional Tool Notes"
    return parts


def _sentences(one: _Text, purpose: Purpose) -> Iterator[Sentence]:
    return read_sentences(
        _plain_lines(one.text[:_TEXT_LIMIT]),
        one.parameter,
        is_value=one.is_value,
        is_opening=purpose is not NO_PURPOSE and one.field == "description",
        purpose=purpose,
    )


def look_alikes(
    names: Iterable[tuple[str, str]], definitions: Mapping[tuple[str, str], JsonObject] = MappingProxyType({})
) -> Iterator[Finding]:
    """Yield a finding for each tool whose name only looks like that of a tool of another source.

    Args:
        names: sources and names of tools.
        definitions: definitions of the tools, as far as they are known.
    """

    def said(key: tuple[str, str]) -> str:
        return " ".join(text.text or text.parameter for text in _texts({**definitions.get(key, {}), "name": ""}))

    for (server, name), (other_server, other) in alike_names(names, said):
        excerpt = hidden_text(name) or f"{other_server}: {other}"
        yield Finding(FindingKind.LOOK_ALIKE, server, name, "name", excerpt)


_SENTENCE: Final = 30
"""Characters of a key from which on it may be a sentence."""


class _Text(NamedTuple):
    """Text of a definition with its place; ``parameter``: name of the parameter that it describes or is a value of."""

    field: str
    text: str
    parameter: str = ""
    is_value: bool = False


def _texts(definition: JsonObject) -> Iterator[_Text]:
    pending: list[tuple[str, Any, str, bool, bool]] = [("", definition, "", False, False)]
    while pending:
        place, one, parameter, is_value, are_parameters = pending.pop()
        if isinstance(one, str):
            described = is_value or place.endswith((".description", ".title"))
            yield _Text(place, one, parameter if described else "", is_value)
        elif isinstance(one, dict):
            for key, inner in reversed(one.items()):
                below = (f"{place}.{key}" if place else str(key))[:200]
                if len(key) >= _SENTENCE and " " in key:  # no name, but words that an assistant reads
                    pending.append((below, key, "", False, False))
                if are_parameters:
                    if not (isinstance(inner, dict) and isinstance(inner.get("description"), str)):
                        pending.append((below, "", str(key), True, False))
                    pending.append((below, inner, str(key), False, False))
                    continue
                value = is_value or (bool(parameter) and key in ("default", "const", "enum", "examples"))
                pending.append((below, inner, parameter, value, key == "properties" and not value))
        elif isinstance(one, list):
            items = reversed(list(enumerate(one)))
            pending += [(f"{place}[{number}]"[:200], inner, parameter, is_value, False) for number, inner in items]


def _plain_lines(text: str) -> str:
    """Return a text as an assistant understands it, with its lines."""
    if text.isascii():
        return text
    return normalized("NFKC", escaped_hidden(text, lambda sign: "\n" if sign in "\u2028\u2029" else "")).replace(
        "’", "'"
    )


def answer_findings(text: str, server: str = "", tool: str = "", field: str = "") -> tuple[Finding, ...]:
    """Return the findings in an answer as it is recorded: in the texts of a JSON value, else in all of it."""
    if text[:1] in ("{", "["):
        with contextlib.suppress(ValueError, RecursionError):  # its end was cut off
            text = "\n".join(_json_texts(json.loads(text)))
    return tuple(scan_text(text[:_ANSWER_SCANNED], server, tool, field))


def _json_texts(value: Any) -> list[str]:
    found: list[str] = []
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            pending += reversed(one.values())
        elif isinstance(one, list):
            pending += reversed(one)
    return found
