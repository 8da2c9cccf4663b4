"""``toolnote doctor``: a check of everything that a user may need help with."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Final

from toolnote_desktop import __version__, log
from toolnote_desktop.commands import Command, checks, guidance_checks
from toolnote_desktop.commands.checks import ReportLine
from toolnote_desktop.commands.library import open_library
from toolnote_desktop.commands.output import count, print_json, print_note, print_text
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.store.documents import reason_of
from toolnote_desktop.system.atomic_file import write_file

_LIBRARIES = ("mcp", "pydantic", "PySide6-Essentials", "uvicorn")


def run(arguments: argparse.Namespace, home: Home) -> int:
    """Check and print, and write the report with ``--export``; exit status 1 if there is a problem."""
    with open_library(home) as library:
        Registry(library).apply(library.snapshot.servers)
        findings = list(checks.check_files(library, home))
        findings += checks.check_endpoint(library.snapshot, home)
        found, _ = checks.check_servers(library)
        findings += found
        snapshot = library.snapshot
        findings += checks.check_toolsets(snapshot)
        findings += checks.check_global_notes(snapshot)
        findings += checks.check_texts(snapshot)
        findings += checks.check_clients(snapshot, home)
        findings += guidance_checks.check_guidance(snapshot, home)
        findings += checks.check_audit(home)
        findings += checks.check_search_model()
        findings += checks.check_programs()
    report = _report(findings)
    if arguments.json:
        print_json(report)
    else:
        _print_findings(findings)
    if arguments.export is not None:
        _export(report, Path(arguments.export))
    if report["problems"]:
        print_note(f"{count(report['problems'], 'problem')} found")
        return 1
    return 0


def _report(findings: list[ReportLine]) -> JsonObject:
    """Return the report, with secrets masked once more and the user's folder replaced by ``~``."""
    return {
        "toolnote": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "frozen": bool(getattr(sys, "frozen", False)),
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "problems": sum(finding.wrong for finding in findings),
        "findings": [
            {"part": finding.part, "wrong": finding.wrong, "code": finding.code, "text": _redacted(finding.text)}
            for finding in findings
        ],
    }


def _redacted(text: str) -> str:
    user_folder = os.path.expanduser("~")
    return log.covered(text).replace(user_folder, "~") if len(user_folder) > 1 else log.covered(text)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _print_findings(findings: list[ReportLine]) -> None:
    part = ""
    for finding in findings:
        if finding.part != part:
            part = finding.part
            print_text(part)
        print_text(f"  {'!!' if finding.wrong else 'ok'}  {log.covered(finding.text)}")
    if not any(finding.wrong for finding in findings):
        print_text("No problems found.")


def _export(report: JsonObject, file: Path) -> None:
    if file.suffix == ".json":
        data = json_text.dumps_pretty(report)
    else:
        data = _markdown(report).encode("utf-8", "backslashreplace")
    try:
        write_file(file, data)
    except OSError as error:
        raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(file), reason=reason_of(error)) from error
    print_text(f"Wrote the report to {file}.")


def _markdown(report: JsonObject) -> str:
    lines = [
        "# Toolnote report",
        "",
        f"Toolnote {report['toolnote']}, Python {report['python']}, {report['system']}",
        ", ".join(f"{name} {version or 'absent'}" for name, version in report["libraries"].items()),
    ]
    part = ""
    for finding in report["findings"]:
        if finding["part"] != part:
            part = finding["part"]
            lines += ["", f"## {part.capitalize()}", ""]
        lines.append(f"- {'**wrong:** ' if finding['wrong'] else ''}{finding['text']}")
    return "\n".join(lines) + "\n"


RUN: Final[Mapping[str, Command]] = {
    "doctor": run,
}
