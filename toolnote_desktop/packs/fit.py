"""Fit of a pack to the tools that are here: tool by tool matches, changed since, missing, or likely this one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.guidance.scanner import (
    Finding,
    noted_definition,
    scan_marks,
    scan_note,
    scan_text,
    scan_words,
)
from toolnote_desktop.guidance.unresolved import LikelyHomes
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool
from toolnote_desktop.model.toolsets.notes import Note, ToolReference
from toolnote_desktop.model.toolsets.toolset import Toolset, parse_toolset
from toolnote_desktop.packs.pack_file import PACK, PROMPTS, PackedTool, label_of, packed_tools


class Fit(StrEnum):
    """Fit of one tool of a pack."""

    MATCHES = "matches"
    CHANGED = "changed"
    MISSING = "missing"
    LIKELY = "likely"


class ToolFit(Struct, frozen=True):
    """Fit of one tool.

    Attributes:
        known: the tool here; of a missing one None.
        added: parameters that it has now and had not.
        removed: parameters that it had and has no more.
        notes: names of the notes that mention a removed parameter: these no longer fit.
    """

    tool: PackedTool
    fit: Fit
    known: KnownTool | None = None
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def pack_toolset(content: JsonObject) -> Toolset:
    """Return a pack's content as a toolset; unusable entries, which the reader reports, are left out."""
    name = content.get("name")
    return parse_toolset(name if isinstance(name, str) else "pack", content, lambda _entry, _reason: None)


def tool_fits(
    content: JsonObject, snapshot: Snapshot, between: Callable[[], object] = lambda: None
) -> tuple[ToolFit, ...]:
    """Return the fit of each tool that a pack has or names, by name.

    Args:
        between: see ``pack_findings``; called after each tool.
    """
    toolset = pack_toolset(content)
    recorded = _recorded(content)
    by_ref_id = {tool.ref_id: tool.label for tool in recorded.values()}

    def label(reference: ToolReference) -> str:
        ref_id, name = reference.ref_id or "", reference.namespaced_name
        return label_of(name, reference.server) if name is not None else by_ref_id.get(ref_id, ref_id)

    references: dict[str, ToolReference] = {}
    for reference in (*toolset.tools, *(group.reference for group in toolset.notes)):
        references.setdefault(label(reference), reference)
    notes: dict[str, list[Note]] = {}
    for group in toolset.notes:
        notes.setdefault(label(group.reference), []).extend(group.notes)
    for tool in recorded.values():
        reference = ToolReference(namespaced_name=tool.name, ref_id=tool.ref_id or None, server=tool.server)
        references.setdefault(tool.label, reference)
    names = {reference.namespaced_name for reference in references.values()}
    for name in _named_in_prompts(content):
        if name not in names:
            references.setdefault(name, ToolReference(namespaced_name=name))
    here: dict[str, KnownTool] = {}
    for name, reference in references.items():
        resolved = [known for known in snapshot.catalogue.resolve(reference) if known.listed]
        if len(resolved) == 1:
            here[name] = resolved[0]
    likely = _LikelyTools(snapshot, here.values())
    found = []
    tools = {name: _record_of(recorded, reference, name) for name, reference in references.items()}
    for name, tool in sorted(tools.items(), key=lambda one: (not likely.has_same(one[1]), one[0])):
        if name in here:
            found.append(_fit_here(tool, here[name], notes.get(name, [])))
        else:
            known = likely.take(tool, references[name])
            found.append(ToolFit(tool, Fit.MISSING if known is None else Fit.LIKELY, known))
        between()
    return tuple(sorted(found, key=lambda one: one.tool.label))


def _recorded(content: Mapping[str, Any]) -> dict[str, PackedTool]:
    return {tool.label: tool for tool in packed_tools(content)}


def _record_of(recorded: Mapping[str, PackedTool], reference: ToolReference, label: str) -> PackedTool:
    """Return the record of a tool, without the server where it has none; an empty one if there is none."""
    name = reference.namespaced_name or label
    found = recorded.get(label) or recorded.get(name) or PackedTool(name)
    if reference.ref_id and found.server != reference.server and found.ref_id != reference.ref_id:
        found = PackedTool(name)
    return replace(found, server=reference.server)


class _LikelyTools:
    """Likely tools of the missing ones of a pack. None is that of two, or in the pack itself: their notes would mix."""

    def __init__(self, snapshot: Snapshot, named: Iterable[KnownTool]) -> None:
        self._homes = LikelyHomes(snapshot.catalogue)
        self._taken = {known.tool.key for known in named}
        listed = [known for known in snapshot.catalogue.tools.values() if known.listed]
        free = [known for known in reversed(listed) if known.tool.key not in self._taken]
        self._by_fingerprint = {known.newest.fingerprint: known for known in free}

    def has_same(self, tool: PackedTool) -> bool:
        """Return True if a tool is here under another name: it comes before those that are similar."""
        return tool.fingerprint in self._by_fingerprint

    def take(self, tool: PackedTool, reference: ToolReference) -> KnownTool | None:
        """Return the likely tool, which is then that of no other; None if there is none."""
        if tool.server is not None:
            return None  # two tools share its name
        found = self._by_fingerprint.pop(tool.fingerprint, None)
        if found is None or found.tool.key in self._taken:
            homes = (one.known for one in self._homes.of(reference, frozenset(tool.parameters)))
            found = next((known for known in homes if known.tool.key not in self._taken), None)
        if found is not None:
            self._taken.add(found.tool.key)
        return found


def _named_in_prompts(content: JsonObject) -> Iterator[str]:
    prompts = content.get(PROMPTS)
    for prompt in prompts if isinstance(prompts, list) else ():
        if isinstance(prompt, dict):
            forbidden = prompt.get("mustNotCall")
            named = [prompt.get("tool"), *(forbidden if isinstance(forbidden, list) else ())]
            yield from (name for name in named if isinstance(name, str) and name)


def _fit_here(tool: PackedTool, known: KnownTool, notes: list[Note]) -> ToolFit:
    if tool.fingerprint in ("", known.newest.fingerprint):
        return ToolFit(tool, Fit.MATCHES, known)
    removed, added = _changed_parameters(tool, known)
    return ToolFit(tool, Fit.CHANGED, known, added, removed, tuple(_mentioning(notes, removed)))


def notes_to_mend(toolset: Toolset, snapshot: Snapshot) -> tuple[tuple[KnownTool, tuple[str, ...]], ...]:
    """Return the notes of an imported pack that mention a parameter which their tool no longer has, by tool."""
    recorded = _recorded(toolset.extra)
    found = []
    for group in toolset.notes if recorded else ():
        reference = group.reference
        tool = _record_of(recorded, reference, label_of(reference.namespaced_name or "", reference.server))
        here = [known for known in snapshot.catalogue.resolve(reference) if known.listed]
        if len(here) != 1 or tool.fingerprint in ("", here[0].newest.fingerprint):
            continue
        if names := tuple(_mentioning(group.notes, _changed_parameters(tool, here[0])[0])):
            found.append((here[0], names))
    return tuple(found)


def _changed_parameters(tool: PackedTool, known: KnownTool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the parameters that a tool has no more, and those that it has now."""
    before, now = set(tool.parameters), set(top_level_arguments(known.newest.definition["inputSchema"]))
    return tuple(sorted(before - now)), tuple(sorted(now - before))


def likely_tools(fits: Iterable[ToolFit]) -> dict[str, str]:
    """Return namespacedName in the pack -> here, of missing tools with a likely one."""
    found = ((one.tool.name, one.known) for one in fits if one.fit is Fit.LIKELY)
    return {name: known.tool.namespaced_name for name, known in found if known is not None}


def _mentioning(notes: Iterable[Note], names: tuple[str, ...]) -> Iterator[str]:
    for note in notes:
        text = note.note
        words = "".join(sign if sign.isalnum() or sign == "_" else " " for sign in text).split()
        whole = (one.strip(".:") for one in text.translate(_BETWEEN_NAMES).split())  # team-id, $filter, filter.name
        if not set(names).isdisjoint((*words, *whole)):
            yield note.name


_BETWEEN_NAMES: Final = str.maketrans(dict.fromkeys("\"'`“”„‘’,;()[]{}<>*!?=|", " "))


def pack_findings(
    content: JsonObject, catalogue: Catalogue, between: Callable[[], object] = lambda: None
) -> tuple[Finding, ...]:
    """Return what the scanner finds in the texts of a pack.

    Args:
        between: called after each note; a thread beside others lets them run (``system.threads.Turns``).
    """
    found: list[Finding] = []
    for group in pack_toolset(content).notes:
        tool = group.reference.namespaced_name or ""
        definition = noted_definition(catalogue, group.reference)
        for note in group.notes:
            found += scan_note(note.note, "", tool, f"notes.{note.name}", definition)
            between()
    references: list[JsonObject] = []
    for number, entry in enumerate(content["tools"] if isinstance(content.get("tools"), list) else ()):
        if isinstance(entry, dict):
            names = {key: value for key, value in entry.items() if key in _REFERENCE}
            for key, name in names.items():
                if isinstance(name, str) and not any(map(str.isspace, name)):
                    found += scan_marks(name, "", "", f"tools[{number}].{key}")  # no sentence, such as "git.push"
            references.append({key: value for key, value in names.items() if any(map(str.isspace, str(value)))})
            if words := {key: value for key, value in entry.items() if key not in _REFERENCE}:
                named, ref_id, server = (
                    value if isinstance(value := entry.get(key), str) else None for key in _REFERENCE
                )
                reference = ToolReference(namespaced_name=named, ref_id=ref_id, server=server)
                found += scan_words(words, "", named or "", noted_definition(catalogue, reference))
                between()
    prompts = content.get(PROMPTS)
    for prompt in prompts if isinstance(prompts, list) else ():
        if isinstance(prompt, dict) and isinstance(text := prompt.get("prompt"), str):
            found += scan_marks(text, "", "", f"prompts.{prompt.get('id')}")
            between()
    left_out = {"toolNotes", "name", PACK, PROMPTS}
    if isinstance(title := content.get("title"), str):
        is_name = len(title.split()) <= _SHORT_TITLE and title.replace(" ", "").isalpha()
        found += (scan_marks if is_name else scan_text)(title, "", "", "title")  # "My tools": an order to use others
        left_out.add("title")
    others = {key: value for key, value in content.items() if key not in left_out}
    return (*found, *scan_words({**others, "tools": references}, "", "", {}))


_REFERENCE: Final = ("namespacedName", "refId", "server")
_SHORT_TITLE: Final = 3
"""Words of a title that is none but a name."""
