"""``toolnote publish``: the user's notes where assistants read them (docs/contract.md 4)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import open_library
from toolnote_desktop.commands.output import print_json, print_problem, print_text
from toolnote_desktop.model.audit import AuditEntry, AuditKind
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.toolsets.notes import USER
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.publishing.places import install_command, reader_of, usual_place
from toolnote_desktop.publishing.plan import PublishPlan, apply
from toolnote_desktop.publishing.publisher import Publisher
from toolnote_desktop.publishing.records import Carrier, Publication
from toolnote_desktop.store import bundled_files
from toolnote_desktop.system.program import toolnote_command


def publish(arguments: argparse.Namespace, home: Home) -> int:
    """Print the change, then make it unless ``--dry-run`` is given.

    Raises:
        ToolnoteError: ``toolset-not-found``; a file that cannot be read or written, or is not Toolnote's.
    """
    carrier = next(one for one in Carrier if getattr(arguments, one) is not None)
    path = _path(arguments, home, carrier)
    publication = Publication(carrier, str(path), arguments.toolset, arguments.client or reader_of(path))
    publisher = Publisher(home, bundled_files.dialects(home), toolnote_command())
    with open_library(home) as library:
        Registry(library).apply(library.snapshot.servers)  # served names must avoid the built-in ones
        make_plan = publisher.plan_removal if arguments.remove else publisher.plan
        plan = make_plan(library.snapshot, publication)
        for note in plan.notes:
            print_problem(note)
        if not arguments.dry_run:
            apply(plan, home)
        if plan.changes and not arguments.dry_run:
            action = "removed" if arguments.remove else "published"
            entry = AuditEntry(USER, AuditKind.PUBLICATION, action, publication.toolset, publication.detail())
            library.audit.record(entry)
    if arguments.json:
        print_json(_describe(plan))
        return 0
    if plan.changes:
        print_text(plan.diff())
    if not arguments.dry_run or not plan.changes:
        print_text(_report(plan, removed=arguments.remove))
    is_own = carrier is Carrier.PLUGIN and path.is_relative_to(home.plugins)
    if plan.changes and is_own and not arguments.remove and (command := install_command(publication)):
        print_text(f"Install it with: {command}")
    return 0


def _path(arguments: argparse.Namespace, home: Home, carrier: Carrier) -> Path:
    given = getattr(arguments, carrier)
    if given is not True:
        return Path(given).expanduser().absolute()
    path = None
    if arguments.client is not None:
        path = usual_place(current_environment(), arguments.client, carrier, arguments.toolset, home)
    if path is None:
        reason = "name a file or folder, or with --client an assistant that has a usual place for it"
        raise ToolnoteError(Code.SETTING_INVALID, setting=f"--{carrier}", reason=reason)
    return path


def _describe(plan: PublishPlan) -> dict[str, object]:
    publication = plan.publication
    return {
        "toolset": publication.toolset,
        "carrier": publication.carrier,
        "path": publication.path,
        "client": publication.client,
        "files": [
            {
                "file": str(one.path),
                "change": "none" if one.before == one.after else "deleted" if one.after is None else "written",
            }
            for one in plan.files
        ],
    }


def _report(plan: PublishPlan, *, removed: bool) -> str:
    publication = plan.publication
    if removed:
        state = "Removed" if plan.changes else "There is nothing of Toolnote's to remove of"
        return f"{state} the {publication.carrier} of {publication.toolset}: {publication.path}"
    state = "Published" if plan.changes else "Published already, and up to date:"
    return f"{state} {publication.toolset} as {publication.carrier}: {publication.path}"


RUN: Final[Mapping[str, Command]] = {
    "publish": publish,
}
