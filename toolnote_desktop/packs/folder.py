"""Folder of packs, such as a shared git checkout (``packsFolder``): packs that are new or differ from what is here."""

from __future__ import annotations

import hashlib
import heapq
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from toolnote_desktop.assistants.config_file import UnreadableConfigError, read_bytes
from toolnote_desktop.assistants.toolset_file import TOOLSET_SUFFIX
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import SETTINGS, DocumentId, SetFields
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.packs.pack_file import is_pack, received_pack
from toolnote_desktop.packs.plan import Here, differs, pack_name

MAX_PACKS: Final = 500
"""Files of the folder and its subfolders that are read."""
MAX_FOLDERS: Final = 200
"""The folder and its subfolders that are read; the first by name."""
MAX_PACK_BYTES: Final = 4 * 1024 * 1024
"""Bytes of a file of the folder; a larger one is not offered."""
MAX_FOLDER_BYTES: Final = 32 * 1024 * 1024
"""Bytes of all files of the folder that are read; the first by name."""


class OfferedPack(Struct, frozen=True):
    """Pack of the folder that the library does not have as it is.

    Attributes:
        is_new: no toolset of its name is here.
    """

    file: Path
    title: str
    is_new: bool


def offered_packs(settings: Settings, raw: Callable[[DocumentId], JsonObject | None]) -> tuple[OfferedPack, ...]:
    """Return the packs of the folder to offer, by file name. Those skipped or imported as they are now are left out.

    Args:
        raw: ``Library.raw``.
    """
    found = []
    left = MAX_FOLDER_BYTES
    for file in pack_files(settings):
        data = _read(file, min(MAX_PACK_BYTES, left))
        left -= len(data or b"")
        if data is None or settings.packs_seen.get(_key(settings, file)) == _digest(data):
            continue
        try:
            content = json_text.loads(data.decode("utf-8-sig"))
        except ValueError:
            continue  # half written, or no pack: it is read again when it changes
        if not is_pack(content):
            continue
        name = pack_name(content)
        here = Here.of(raw, name)
        if differs(received_pack(content), here):
            title = content.get("title")
            found.append(OfferedPack(file, title if isinstance(title, str) and title else name, here.toolset is None))
    return tuple(found)


def pack_folders(settings: Settings) -> list[Path]:
    """Return the folder and its subfolders that are read, by name: no hidden ones such as .git, and no links."""
    found: list[Path] = []
    if settings.packs_folder:
        for path, folders, _ in os.walk(Path(settings.packs_folder).expanduser()):
            found.append(Path(path))
            if len(found) == MAX_FOLDERS:
                break
            folders[:] = sorted(name for name in folders if not name.startswith("."))
    return found


def pack_files(settings: Settings) -> list[Path]:
    """Return the files of the folder that are read, by name, without links that lead out of it."""
    folders = pack_folders(settings)
    if not folders:
        return []
    top = os.path.realpath(folders[0])
    files = (file for folder in folders for file in _files_in(folder) if not file.is_symlink() or _is_in(file, top))
    return heapq.nsmallest(MAX_PACKS, files)


def _files_in(folder: Path) -> list[Path]:
    try:
        return [file for file in folder.glob(f"*{TOOLSET_SUFFIX}") if not file.name.startswith(".")]
    except OSError:
        return []


def _is_in(file: Path, top: str) -> bool:
    return Path(os.path.realpath(file)).is_relative_to(top)


def is_in_folder(settings: Settings, file: Path) -> bool:
    """Return True if a file is in the folder of packs."""
    return bool(settings.packs_folder) and file.is_relative_to(Path(settings.packs_folder or "").expanduser())


def version_of(settings: Settings, file: Path) -> str | None:
    """Return the version of a file of the folder, for ``seen_edit``; None for others."""
    data = _read(file, MAX_PACK_BYTES) if is_in_folder(settings, file) else None
    return None if data is None else _digest(data)


def seen_edit(settings: Settings, file: Path, version: str) -> SetFields | None:
    """Return the edit after which a file of the folder is offered again only in another version; None for others.

    Files that are not there any more are forgotten.
    """
    if not is_in_folder(settings, file):
        return None
    folder = os.path.expanduser(settings.packs_folder or "")
    seen = {key: of for key, of in settings.packs_seen.items() if os.path.lexists(os.path.join(folder, key))}
    return SetFields(SETTINGS, {"packsSeen": {**seen, _key(settings, file): version}})


def written_edit(settings: Settings, file: Path) -> SetFields | None:
    """Return the edit after which a pack that the user wrote into the folder is not offered to the user; None for
    other places.
    """
    file = file.absolute()
    version = version_of(settings, file)
    return None if version is None else seen_edit(settings, file, version)


def _key(settings: Settings, file: Path) -> str:
    """Return the name of a file within the folder."""
    return file.relative_to(Path(settings.packs_folder or "").expanduser()).as_posix()


def _read(file: Path, limit: int) -> bytes | None:
    try:
        return read_bytes(file, limit)
    except UnreadableConfigError:
        return None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
