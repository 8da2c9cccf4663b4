"""``toolnote doctor``: everything that a person may ask for help about, checked and said in lines."""

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
from toolnote_desktop.commands.checks import Finding
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
    """Check, print_text, and with ``--export`` write it down; exit status 1 when something is wrong."""
    with open_library(home) as library:
        Registry(library).apply(library.snapshot.servers)
        findings = list(checks.documents(library, home))
        findings += checks.endpoint(library.snapshot, home)
        found, _ = checks.servers(library)
        findings += found
        snapshot = library.snapshot
        findings += checks.toolsets(snapshot)
        findings += checks.everywhere_notes(snapshot)
        findings += checks.clients(snapshot, home)
        findings += guidance_checks.guidance(snapshot, home)
        findings += checks.programs()
    report = _report(findings)
    if arguments.json:
        print_json(report)
    else:
        _say(findings)
    if arguments.export is not None:
        _export(report, Path(arguments.export))
    if report["problems"]:
        print_note(f"{count(report['problems'], 'thing')} wrong")
        return 1
    return 0


def _report(findings: list[Finding]) -> JsonObject:
    """Everything that is said, with secrets covered once more and the person's own folder called ``~``."""
    return {
        "toolnote": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "frozen": bool(getattr(sys, "frozen", False)),
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "problems": sum(finding.wrong for finding in findings),
        "findings": [
            {"part": finding.part, "wrong": finding.wrong, "code": finding.code, "text": _handed_on(finding.text)}
            for finding in findings
        ],
    }


def _handed_on(text: str) -> str:
    own = os.path.expanduser("~")
    return log.covered(text).replace(own, "~") if len(own) > 1 else log.covered(text)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _say(findings: list[Finding]) -> None:
    part = ""
    for finding in findings:
        if finding.part != part:
            part = finding.part
            print_text(part)
        print_text(f"  {'!!' if finding.wrong else 'ok'}  {log.covered(finding.text)}")
    if not any(finding.wrong for finding in findings):
        print_text("Nothing is wrong.")


def _export(report: JsonObject, file: Path) -> None:
    data = json_text.dumps_pretty(report) if file.suffix == ".json" else _markdown(report).encode()
    try:
        write_file(file, data)
    except OSError as error:
        raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(file), reason=reason_of(error)) from error
    print_text(f"The report is in {file}.")


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
