"""Names of tools on the command line (docs/contract.md 1 and 4).

A tool is named by its namespacedName ``SERVER.TOOL``, by ``SERVER:TOOL`` if two tools share that, by the name that
clients see, or by its refId. Names are looked up, never split: ids and names may contain any separator.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Sequence

from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import matches_reference, reference_fields
from toolnote_desktop.model.toolsets.toolset import Toolset

_REF_ID = re.compile(r"[0-9a-f]{64}")


def find_tool(snapshot: Snapshot, tool: str, server: str | None) -> KnownTool | None:
    """Return the tool that a command names; None if it was never listed.

    Raises:
        ToolnoteError: ``tool-ambiguous``, with names to use instead.
    """
    found = _matches(snapshot.catalogue, tool, server)
    if len(found) > 1:
        raise _ambiguous(tool, (unambiguous_name(snapshot.catalogue, known) for known in found))
    return found[0] if found else None


def make_reference(snapshot: Snapshot, tool: str, server: str | None) -> ToolReference:
    """Return a document's reference to the tool that a command names, as given if it was never listed.

    Raises:
        ToolnoteError: ``tool-ambiguous``.
    """
    known = find_tool(snapshot, tool, server)
    if known is not None:
        return snapshot.catalogue.reference_to(known.tool)
    if server is None and _REF_ID.fullmatch(tool):
        return ToolReference(ref_id=tool)
    prefix = _server_prefix(tool, snapshot.servers)
    if prefix is not None and server in (None, prefix):
        return ToolReference(namespaced_name=f"{prefix}.{tool[len(prefix) + 1 :]}", server=prefix)
    return ToolReference(namespaced_name=tool, server=server)


def find_reference(snapshot: Snapshot, toolset: Toolset, tool: str, server: str | None) -> ToolReference:
    """Return the reference by which a toolset has a tool, which may be missing now.

    Raises:
        ToolnoteError: ``tool-not-in-toolset``, ``tool-ambiguous``.
    """
    written = [entry for entry in toolset.tools if tool in _spellings(entry) and server in (None, entry.server)]
    if len({(entry.namespaced_name, entry.server) for entry in written}) > 1:
        raise _ambiguous(tool, (_spellings(entry)[-1] for entry in written))
    if written:
        entry = written[0]
        return ToolReference(namespaced_name=entry.namespaced_name, ref_id=entry.ref_id, server=entry.server)
    reference = make_reference(snapshot, tool, server)
    if not any(matches_reference(reference_fields(entry), reference) for entry in toolset.tools):
        raise ToolnoteError(Code.TOOL_NOT_IN_TOOLSET, tool=tool, toolset=toolset.name)
    return reference


def label(reference: ToolReference) -> str:
    """Return a reference's name for lists, followed by ``SERVER:TOOL`` if it has a server."""
    name, *qualified = _spellings(reference) or ("?",)
    return f"{name} ({qualified[0]})" if qualified else name


def _matches(catalogue: Catalogue, tool: str, server: str | None) -> Sequence[KnownTool]:
    of_servers = [
        catalogue.tools[key]
        for at, mark in enumerate(tool)
        if mark == ":" and (key := (tool[:at], tool[at + 1 :])) in catalogue.tools
    ]
    lookups = (
        (*catalogue.by_namespaced_name.get(tool, ()), *of_servers),  # a server's name for a tool takes no other's
        [catalogue.by_exposed_name[tool]] if tool in catalogue.by_exposed_name else (),
        catalogue.by_ref_id.get(tool, ()),
    )
    for lookup in lookups:
        found = [known for known in lookup if server in (None, known.tool.server)]
        if found:
            return found
    return ()


def unambiguous_name(catalogue: Catalogue, known: KnownTool) -> str:
    """Return a name that fits this tool alone."""
    qualified = f"{known.tool.server}:{known.tool.name}"
    return qualified if _matches(catalogue, qualified, None) == [known] else catalogue.exposed[known.tool.key]


def _server_prefix(tool: str, servers: Collection[str]) -> str | None:
    """Return the server of a ``SERVER:TOOL`` that was never listed; None if it may be a name with a dot."""
    if any(tool.startswith(f"{server}.") for server in servers):
        return None
    return max((server for server in servers if tool.startswith(f"{server}:")), key=len, default=None)


def _spellings(reference: ToolReference) -> tuple[str, ...]:
    """Return the names that fit a reference in a document, the most specific last."""
    name, server = reference.namespaced_name, reference.server
    if name is None:
        return (reference.ref_id,) if reference.ref_id else ()
    if server is None or not name.startswith(f"{server}."):
        return (name,)
    return (name, f"{server}:{name[len(server) + 1 :]}")


def _ambiguous(tool: str, candidates: Iterable[str]) -> ToolnoteError:
    prefix = " or ".join(shlex.quote(one) for one in dict.fromkeys(candidates))
    return ToolnoteError(Code.TOOL_AMBIGUOUS, tool=tool, candidates=prefix)
