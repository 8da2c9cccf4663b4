"""Merge of a server's listing into its known tools, in steps, so that thousands of tools fit into time slices."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Generator, Iterable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.tools.catalogue import KnownTool, ReviewState
from toolnote_desktop.model.tools.catalogue_document import tool_faults
from toolnote_desktop.model.tools.renames import nearly_same_tools, renamed_tools
from toolnote_desktop.model.tools.review import nothing_of, settle
from toolnote_desktop.model.tools.tool import Tool, malformed_reason

MAX_GONE: Final = 6_000
"""Tools, or prompts, of a server that it no longer lists and that stay known."""

MAX_GONE_BYTES: Final = 8 * 1024 * 1024
"""Bytes of their definitions."""


class Merged(Struct, frozen=True, eq=False):
    """Known tools of a server after a listing, and problems of single tools; ``alike``: a new tool as one that was
    renamed, where it is nearly the same as one that the user restricts, by name.
    """

    tools: tuple[KnownTool, ...]
    problems: tuple[Problem, ...]
    alike: Mapping[str, KnownTool] = {}


IsLost: TypeAlias = Callable[[str], bool]
"""Function that returns True for a name of which the user accepted a definition that is not known any more."""


def merge_steps(
    server: str,
    before: tuple[KnownTool, ...],
    listed: tuple[object, ...],
    is_lost: IsLost = lambda _name: False,
    *,
    restricted: Container[str] = (),
    with_references: bool = False,
) -> Generator[None, None, Merged]:
    """Merge a listing into the known tools, tool by tool.

    An unchanged definition keeps its object, and so does the tuple of all tools, so that derived values stay valid.

    Args:
        restricted: namespacedNames of the tools that the user restricts.
        with_references: also compute the references of new tools, which will be written to a document.
    """
    known_before = {known.tool.name: known for known in before}
    tools: dict[str, KnownTool] = {}
    problems: list[Problem] = []
    for definition in listed:
        yield
        reason = malformed_reason(definition)
        if reason is not None or not isinstance(definition, dict):
            label = definition.get("name") if isinstance(definition, dict) else getattr(definition, "name", None)
            parameters = {"server": server, "tool": str(label or "?"), "reason": reason or ""}
            problems.append(Problem(Code.TOOL_MALFORMED, parameters))
            continue
        name: str = definition["name"]
        if name in tools:
            problems.append(Problem(Code.TOOL_DUPLICATE, {"server": server, "tool": name}))
            continue
        known = tools[name] = _known_tool(server, definition, known_before.get(name), is_lost)
        problems += known.problems
        if with_references and name not in known_before:
            _ = known.tool.ref_id  # kept with the tool from now on
    gone = [known for name, known in known_before.items() if name not in tools]
    new = [known.newest for name, known in tools.items() if name not in known_before]
    renamed = yield from renamed_tools(gone, new)
    for name, old in renamed.items():
        tools[name] = _renamed(tools[name], old)
    ruled = (known for known in before if known.tool.namespaced_name in restricted and known.tool.name in tools)
    alike = yield from nearly_same_tools(ruled, [tool for tool in new if tool.name not in renamed])
    removed = _longest_known([_as_removed(known) for name, known in known_before.items() if name not in tools])
    found = (*tools.values(), *removed)
    as_renamed = {name: _renamed(tools[name], old) for name, old in alike.items()}
    return Merged(before if found == before else found, tuple(problems), as_renamed)


class MergedPrompts(Struct, frozen=True, eq=False):
    """Known prompts of a server after a listing; ``renamed``: new name, or an earlier one again -> the one before."""

    prompts: tuple[KnownTool, ...]
    renamed: Mapping[str, str]


def prompt_steps(
    server: str,
    before: tuple[KnownTool, ...],
    listed: Iterable[JsonObject],
    is_lost: IsLost = lambda _name: False,
) -> Generator[None, None, MergedPrompts]:
    """Merge listed prompts into the known ones, as ``merge_steps`` does with tools."""
    known_before = {known.tool.name: known for known in before}
    prompts: dict[str, KnownTool] = {}
    for definition in listed:
        yield
        name = definition["name"]
        if name not in prompts:
            prompts[name] = _known_tool(server, definition, known_before.get(name), is_lost, lambda _prompt: ())
    gone = [known for name, known in known_before.items() if name not in prompts]
    new = [known.newest for name, known in prompts.items() if name not in known_before]
    renamed = yield from renamed_tools(gone, new)
    for name, old in renamed.items():
        accepted = Tool(server, {**settle(old).definition, "name": name})
        if accepted.fingerprint != prompts[name].tool.fingerprint:
            prompts[name] = replace(prompts[name], accepted=accepted, review=ReviewState.SHOWN)
    removed = _longest_known([_as_removed(known) for name, known in known_before.items() if name not in prompts])
    found = (*prompts.values(), *removed)
    again = [known.newest for name, known in prompts.items() if name in known_before and not known_before[name].listed]
    returned = yield from renamed_tools([known for known in gone if known.listed], again)
    names = {name: old.tool.name for name, old in (renamed | returned).items()}
    return MergedPrompts(before if found == before else found, names)


def _longest_known(removed: list[KnownTool]) -> list[KnownTool]:
    """Return those that stay known, in their order: of too many those that were seen first.

    A server whose names always change so cannot have forgotten what the user accepted of it.
    """
    sizes = [len(json_text.dumps(known.newest.definition)) for known in removed]
    if len(removed) <= MAX_GONE and sum(sizes) <= MAX_GONE_BYTES:
        return removed
    kept, left = set(), MAX_GONE_BYTES
    # Those that went last come first in the list.
    for place in sorted(range(len(removed)), key=lambda place: (removed[place].first_seen, -place))[:MAX_GONE]:
        left -= sizes[place]
        if left < 0:
            break
        kept.add(place)
    return [known for place, known in enumerate(removed) if place in kept]


def _as_removed(known: KnownTool) -> KnownTool:
    return replace(known, listed=False) if known.listed else known


def _renamed(known: KnownTool, old: KnownTool) -> KnownTool:
    """Return a new tool as the old one under another name, so that its changes are reviewed.

    ``first_seen`` stays that of the new name, as calls under the old name are not counted for it.
    """
    accepted = Tool(known.tool.server, {**settle(old).definition, "name": known.tool.name})
    return replace(known, accepted=accepted, review=ReviewState.SHOWN, renamed_from=old.tool.name)


def _known_tool(
    server: str,
    definition: JsonObject,
    before: KnownTool | None,
    is_lost: IsLost,
    faults_of: Callable[[Tool], tuple[Problem, ...]] = tool_faults,
) -> KnownTool:
    if before is not None and (
        before.newest.definition is definition or json_text.is_identical_json(before.newest.definition, definition)
    ):
        return before if before.listed else replace(before, listed=True)
    tool = Tool(server, definition)
    problems = faults_of(tool)
    if before is None:
        known = KnownTool(tool, tool, problems=problems, first_seen=int(time.time()))
        if is_lost(tool.namespaced_name):  # whatever comes is another definition than the one that was accepted
            return replace(known, accepted=Tool(server, nothing_of(definition)), review=ReviewState.SHOWN)
        return known
    accepted = settle(before)
    renamed_from = before.renamed_from if accepted is before.accepted else ""
    if tool.fingerprint == accepted.fingerprint and not renamed_from:
        return KnownTool(tool, tool, problems=problems, first_seen=before.first_seen)
    known = KnownTool(tool, accepted, problems=problems, review=ReviewState.SHOWN, renamed_from=renamed_from)
    return replace(known, first_seen=before.first_seen)
