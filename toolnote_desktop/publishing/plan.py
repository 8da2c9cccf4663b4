"""Plan of what publishing or removing would change, which can be shown; ``apply`` does exactly that or nothing.

All errors are ``ToolnoteError``.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.assistants import config_file
from toolnote_desktop.assistants.config_file import ConfigText, UnreadableConfigError, decode, read_bytes
from toolnote_desktop.assistants.diff import text_difference
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.publishing.plugin import marketplace_files, plugin_files
from toolnote_desktop.publishing.records import Carrier, Publication, Record, Records, WrittenFile, hash_text
from toolnote_desktop.publishing.rules_block import BrokenMarksError, find_blocks, with_block, without_block
from toolnote_desktop.publishing.skill import SKILL_FILE, skill_header, skill_name
from toolnote_desktop.publishing.text import CarriedText

_MODE: Final = 0o644
MAX_CARRIER_BYTES: Final = 1024 * 1024
"""Bytes of a file into which rules are put: assistants read it whole in every session."""


class FileChange(Struct, frozen=True):
    """Change of one file.

    Attributes:
        before: its bytes now; None if it is missing.
        after: its bytes afterwards; None if it is deleted.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    mode: int = _MODE

    def diff(self) -> str:
        """Return a unified diff."""
        old, new = (_decoded(self.path, data).text if data is not None else "" for data in (self.before, self.after))
        was, becomes = (str(self.path) if data is not None else "(no file)" for data in (self.before, self.after))
        return text_difference(old, new, was, becomes)


class PublishPlan(Struct, frozen=True):
    """Planned change of the files of one publication.

    Attributes:
        record: to save with it; None to remove the record.
        notes: remarks for the user.
        is_edited: the user has changed Toolnote's part of a file.
        is_gone: the user has removed a file, or Toolnote's part of it.
    """

    publication: Publication
    files: tuple[FileChange, ...]
    record: Record | None
    notes: tuple[Problem, ...] = ()
    is_edited: bool = False
    is_gone: bool = False

    @property
    def changes(self) -> tuple[FileChange, ...]:
        """Files that would be written or deleted."""
        return tuple(one for one in self.files if one.before != one.after)

    def diff(self) -> str:
        """Return a unified diff; empty if nothing changes."""
        return "\n".join(one.diff() for one in self.changes)


class Wanted(Struct, frozen=True):
    """Content to publish.

    Attributes:
        bridge: command line of the bridge, for a plugin.
        on_path: its program is found by its name alone.
        own_plugins: folder of the plugins that are made in Toolnote's own.
    """

    text: CarriedText
    bridge: tuple[str, ...] = ()
    on_path: bool = False
    own_plugins: Path | None = None


class _Target(Struct, frozen=True):
    """File of a publication: with a block after a header, or with ``data`` as a whole."""

    path: Path
    header: str = ""
    body: str = ""
    data: bytes | None = None
    mode: int = _MODE
    is_shared: bool = False
    """The file may be the user's own."""


def plan_publish(publication: Publication, wanted: Wanted, home: Home) -> PublishPlan:
    """Plan the writing of a publication, in the place of an earlier one.

    Raises:
        ToolnoteError: ``carrier-file-unreadable``, ``carrier-marks-broken``, ``carrier-file-foreign``.
    """
    record = Records(home).find(publication) or Record(publication)
    changes, written, notes = [], {}, []
    is_gone = False
    for target in _targets(publication, wanted):
        planned = _planned(publication, target, record.files.get(str(target.path)))
        changes.append(planned.change)
        written[str(target.path)] = planned.written
        is_gone |= planned.is_gone
        if planned.is_edited:
            notes.append(Problem(Code.CARRIER_EDITED, {"file": str(target.path)}))
    is_edited = bool(notes)
    for path, file in record.files.items():  # of an earlier version
        if path not in written and file.made:
            changes.append(_removed_file(Path(path), file))
    made = [*record.folders, *(folder for folder in _missing_folders(changes) if folder not in record.folders)]
    notes += _text_notes(wanted.text)
    record = Record(publication, written, tuple(made))
    return PublishPlan(publication, tuple(changes), record, tuple(notes), is_edited, is_gone)


def plan_remove(publication: Publication, wanted: Wanted, home: Home) -> PublishPlan:
    """Plan the removal of a publication: files that Toolnote made are deleted, of others its part is taken out.

    A file of Toolnote's that the user has changed stays, without Toolnote's part where that is between marks.

    Raises:
        ToolnoteError: ``carrier-file-unreadable``, ``carrier-marks-broken``.
    """
    record = Records(home).find(publication)
    files = dict(record.files) if record is not None else {}
    changes, notes = [], []
    targets = {str(target.path): target for target in _targets(publication, wanted)}
    for path in dict.fromkeys((*targets, *files)):
        target, file = targets.get(path), files.get(path)
        if target is not None and target.data is None:
            change = _without_block(publication, target, file)
        else:
            known = file or WrittenFile(hash_text(target.data or b"") if target is not None else "", made=True)
            change = _removed_file(Path(path), known)
        is_whole = target is None or target.data is not None
        if is_whole and change.before is not None and change.before == change.after:
            notes.append(Problem(Code.CARRIER_EDITED, {"file": path}))
        changes.append(change)
    return PublishPlan(publication, tuple(changes), None, tuple(notes))


def apply(plan: PublishPlan, home: Home) -> PublishPlan:
    """Carry out a plan: backups first, then all files, or none. Return the plan that undoes it.

    Raises:
        ToolnoteError: ``carrier-file-changed`` if a file differs from the plan's, ``file-not-written``. The files are
            as before then.
    """
    records = Records(home)
    earlier = records.find(plan.publication)
    done: list[FileChange] = []
    file = ""
    try:
        for change in plan.changes:
            file = str(change.path)
            if _read(change.path) != change.before:
                raise ToolnoteError(Code.CARRIER_FILE_CHANGED, file=file)
            if change.before is not None:
                records.save_backup(plan.publication, change.path, change.before)
        if plan.record is not None:
            records.save(plan.record)
        for change in plan.changes:
            file = str(change.path)
            _write(change)
            done.append(change)
        if plan.record is None:
            records.remove(plan.publication)
            for folder in reversed(earlier.folders if earlier is not None else ()):
                with contextlib.suppress(OSError):  # the user has put something into it
                    Path(folder).rmdir()
    except OSError as error:
        for change in reversed(done):
            with contextlib.suppress(OSError):
                _write(replace(change, before=change.after, after=change.before))
        if earlier is None:
            records.remove(plan.publication)
        else:
            records.save(earlier)
        raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=file, reason=config_file.reason_of(error)) from error
    files = tuple(replace(one, before=one.after, after=one.before) for one in plan.changes)
    return PublishPlan(plan.publication, files, earlier)


def _write(change: FileChange) -> None:
    if change.after is None:
        config_file.remove(change.path)
    else:
        config_file.write_bytes(change.path, change.after, mode=change.mode)


def _targets(publication: Publication, wanted: Wanted) -> Iterable[_Target]:
    path, toolset, text = Path(publication.path), publication.toolset, wanted.text
    if publication.carrier is Carrier.RULES:
        yield _Target(path, _rules_header(path), text.body, is_shared=True)
        return
    folder = path / "skills" if publication.carrier is Carrier.PLUGIN else path
    skill = folder / skill_name(toolset) / SKILL_FILE
    yield _Target(skill, skill_header(toolset, text), text.body)
    if publication.carrier is Carrier.PLUGIN:
        for name, (data, mode) in plugin_files(toolset, text, wanted.bridge, on_path=wanted.on_path).items():
            yield _Target(path / name, data=data, mode=mode)
        if path.parent.parent.parent == wanted.own_plugins:
            for name, (data, mode) in marketplace_files(toolset).items():
                yield _Target(path.parent / name, data=data, mode=mode)


def _rules_header(path: Path) -> str:
    """Return the beginning that a new file of rules needs to be read in every session."""
    if path.suffix == ".mdc":  # cursor.com/docs/context/rules
        return "---\nalwaysApply: true\n---\n"
    if path.name.endswith(".instructions.md"):  # code.visualstudio.com/docs/copilot/customization/custom-instructions
        return '---\napplyTo: "**"\n---\n'
    return ""


class _PlannedFile(Struct, frozen=True):
    """Change of one file, with its record afterwards, and what the user did to Toolnote's part of it."""

    change: FileChange
    written: WrittenFile
    is_edited: bool = False
    is_gone: bool = False


def _planned(publication: Publication, target: _Target, known: WrittenFile | None) -> _PlannedFile:
    before = _read(target.path)
    if target.data is not None:
        if before not in (None, target.data) and (known is None or hash_text(before or b"") != known.content):
            raise ToolnoteError(Code.CARRIER_FILE_FOREIGN, file=str(target.path))
        made = known is not None or before is None
        change = FileChange(target.path, before, target.data, target.mode)
        is_gone = known is not None and before is None
        return _PlannedFile(change, WrittenFile(hash_text(target.data), made=made), is_gone=is_gone)
    made = known.made if known is not None and before is not None else before is None
    content = _decoded(target.path, before)
    text = target.header if before is None else content.text
    with _reporting_marks(target.path):
        block = find_blocks(text).get(publication.toolset)
        if before is not None and block is None and not target.is_shared:
            raise ToolnoteError(Code.CARRIER_FILE_FOREIGN, file=str(target.path))
        header = known.header if known is not None and before is not None else target.header if made else ""
        if header and header != target.header and text.startswith(header):
            text, header = target.header + text[len(header) :], target.header
        after = content.encode(with_block(text, publication.toolset, target.body))
        written = find_blocks(with_block("", publication.toolset, target.body))[publication.toolset].content
    return _PlannedFile(
        FileChange(target.path, before, after),
        WrittenFile(hash_text(written), header, made),
        is_edited=known is not None and block is not None and hash_text(block.content) != known.content,
        is_gone=known is not None and block is None,
    )


def _without_block(publication: Publication, target: _Target, known: WrittenFile | None) -> FileChange:
    before = _read(target.path)
    if before is None:
        return FileChange(target.path, None, None)
    content = _decoded(target.path, before)
    with _reporting_marks(target.path):
        text = without_block(content.text, publication.toolset)
    is_ours = known.made if known is not None else bool(target.header) and text != content.text
    if is_ours and text in (target.header, known.header if known is not None else target.header):
        return FileChange(target.path, before, None)
    return FileChange(target.path, before, before if text == content.text else content.encode(text))


def _removed_file(path: Path, known: WrittenFile) -> FileChange:
    before = _read(path)
    unchanged = before is not None and known.made and hash_text(before) == known.content
    return FileChange(path, before, None if unchanged else before)


def _read(path: Path) -> bytes | None:
    try:
        return read_bytes(path, MAX_CARRIER_BYTES)
    except UnreadableConfigError as error:
        raise ToolnoteError(Code.CARRIER_FILE_UNREADABLE, file=str(path), reason=str(error)) from error


def _decoded(path: Path, data: bytes | None) -> ConfigText:
    try:
        return decode(data) if data is not None else ConfigText("")
    except UnreadableConfigError as error:
        raise ToolnoteError(Code.CARRIER_FILE_UNREADABLE, file=str(path), reason=str(error)) from error


@contextlib.contextmanager
def _reporting_marks(path: Path) -> Iterator[None]:
    try:
        yield
    except BrokenMarksError as error:
        raise ToolnoteError(Code.CARRIER_MARKS_BROKEN, file=str(path), line=str(error.line)) from error


def _missing_folders(changes: Iterable[FileChange]) -> list[str]:
    """Return the folders that are missing, each before those in it."""
    found: dict[str, None] = {}
    for change in changes:
        parents = Path(os.path.realpath(change.path)).parents
        for folder in reversed(parents):
            if change.after is not None and not folder.exists():
                found[str(folder)] = None
    return sorted(found, key=len)


def _text_notes(text: CarriedText) -> Iterable[Problem]:
    if text.unconfirmed:
        yield Problem(Code.CARRIER_NOTES_LEFT_OUT, {"count": str(text.unconfirmed)})
    if text.masked:
        yield Problem(Code.CARRIER_SECRETS_LEFT_OUT)
