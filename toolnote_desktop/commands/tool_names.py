"""How a command names a tool, the same wherever one is named (docs/contract.md 1 and 4).

By its namespacedName, ``SERVER.TOOL``; by ``SERVER:TOOL`` where two tools share that; by the name that clients see; by
its refId. Each is looked up, never taken apart at a mark: ids and names may hold any of them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Sequence

from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import reference_fields, same_tool
from toolnote_desktop.model.toolsets.toolset import Toolset

_REF_ID = re.compile(r"[0-9a-f]{64}")


def find_tool(snapshot: Snapshot, tool: str, server: str | None) -> KnownTool | None:
    """The tool that a command names; None where nobody has seen it.

    Raises:
        ToolnoteError: ``tool-ambiguous``, with what can be written instead.
    """
    found = _found(snapshot.catalogue, tool, server)
    if len(found) > 1:
        raise _ambiguous(tool, (_typed(snapshot.catalogue, known) for known in found))
    return found[0] if found else None


def reference_to(snapshot: Snapshot, tool: str, server: str | None) -> ToolReference:
    """How documents name the tool that a command names; one not seen yet is named as it was given.

    Raises:
        ToolnoteError: ``tool-ambiguous``.
    """
    known = find_tool(snapshot, tool, server)
    if known is not None:
        return snapshot.catalogue.reference_to(known.tool)
    if server is None and _REF_ID.fullmatch(tool):
        return ToolReference(ref_id=tool)
    said = _said_server(tool, snapshot.servers)
    if said is not None and server in (None, said):
        return ToolReference(namespaced_name=f"{said}.{tool[len(said) + 1 :]}", server=said)
    return ToolReference(namespaced_name=tool, server=server)


def find_reference(snapshot: Snapshot, toolset: Toolset, tool: str, server: str | None) -> ToolReference:
    """The reference by which a toolset has a tool, which may be absent now.

    Raises:
        ToolnoteError: ``tool-not-in-toolset``, ``tool-ambiguous``.
    """
    written = [entry for entry in toolset.tools if tool in _written(entry) and server in (None, entry.server)]
    if len({(entry.namespaced_name, entry.server) for entry in written}) > 1:
        raise _ambiguous(tool, (_written(entry)[-1] for entry in written))
    if written:
        entry = written[0]
        return ToolReference(namespaced_name=entry.namespaced_name, ref_id=entry.ref_id, server=entry.server)
    reference = reference_to(snapshot, tool, server)
    if not any(same_tool(reference_fields(entry), reference) for entry in toolset.tools):
        raise ToolnoteError(Code.TOOL_NOT_IN_TOOLSET, tool=tool, toolset=toolset.name)
    return reference


def label(reference: ToolReference) -> str:
    """What a reference is called in lists; where it carries its server, with the form that can be typed."""
    name, *qualified = _written(reference) or ("?",)
    return f"{name} ({qualified[0]})" if qualified else name


def _found(catalogue: Catalogue, tool: str, server: str | None) -> Sequence[KnownTool]:
    ways = (
        catalogue.by_namespaced_name.get(tool, ()),
        [catalogue.by_exposed_name[tool]] if tool in catalogue.by_exposed_name else (),
        [
            catalogue.tools[key]
            for place, mark in enumerate(tool)
            if mark == ":" and (key := (tool[:place], tool[place + 1 :])) in catalogue.tools
        ],
        catalogue.by_ref_id.get(tool, ()),
    )
    for way in ways:
        found = [known for known in way if server in (None, known.tool.server)]
        if found:
            return found
    return ()


def _typed(catalogue: Catalogue, known: KnownTool) -> str:
    """What names this tool alone."""
    qualified = f"{known.tool.server}:{known.tool.name}"
    return qualified if _found(catalogue, qualified, None) == [known] else catalogue.exposed[known.tool.key]


def _said_server(tool: str, servers: Collection[str]) -> str | None:
    """The server of a ``SERVER:TOOL`` that nobody has listed yet; None where it may be a name with a dot as well."""
    if any(tool.startswith(f"{server}.") for server in servers):
        return None
    return max((server for server in servers if tool.startswith(f"{server}:")), key=len, default=None)


def _written(reference: ToolReference) -> tuple[str, ...]:
    """The ways to write what stands in a document; the last one says the most."""
    name, server = reference.namespaced_name, reference.server
    if name is None:
        return (reference.ref_id,) if reference.ref_id else ()
    if server is None or not name.startswith(f"{server}."):
        return (name,)
    return (name, f"{server}:{name[len(server) + 1 :]}")


def _ambiguous(tool: str, candidates: Iterable[str]) -> ToolnoteError:
    said = " or ".join(shlex.quote(one) for one in dict.fromkeys(candidates))
    return ToolnoteError(Code.TOOL_AMBIGUOUS, tool=tool, candidates=said)
