"""Download of the feed and of a build. All functions block: not for the window's thread."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pydantic import ValidationError

from toolnote_desktop import __version__
from toolnote_desktop.http_body import BodyTooLong, failure_text, read_body_sync
from toolnote_desktop.paths import read_regular
from toolnote_desktop.system.atomic_file import write_file
from toolnote_desktop.updates.build import Build
from toolnote_desktop.updates.feed import FeedError, File, Seen, Update, newer_than, read_feed

if TYPE_CHECKING:
    import httpx2

SECONDS = 30.0
"""Seconds without data after which a download fails."""

LARGEST_FEED = 1024 * 1024
_PIECE = 256 * 1024


def find_update(build: Build, version: str = __version__, seen_file: Path | None = None) -> Update | None:
    """Return the newest version, if it is newer than ``version`` and has a build for this computer.

    Args:
        seen_file: file that remembers the newest feed; an older one is refused.

    Raises:
        FeedError: no network, or an invalid, expired or older feed.
        OSError: the file cannot be written.
    """
    with _client(build.feed) as client:
        content = _whole(client, build.feed)
        signature = _whole(client, build.feed + ".sig")
    feed, seen = read_feed(content, signature, build.keys, _read_seen(seen_file))
    update = newer_than(feed, version, build.channel, platform.machine())
    if seen_file is not None:
        write_file(seen_file, seen.model_dump_json().encode())
    return update


def _read_seen(path: Path | None) -> Seen | None:
    try:
        return Seen.model_validate_json(read_regular(path)) if path is not None else None
    except (OSError, ValidationError):
        return None


def download(file: File, folder: Path, progress: Callable[[int], None] = lambda _there: None) -> Path:
    """Download a build into ``folder``, resuming an interrupted download.

    Returns the path of the verified file. ``progress`` is called with the bytes so far, in this thread.

    Raises:
        FeedError: no network, or other bytes than in the feed; these are deleted.
        OSError: the disk.
    """
    folder.mkdir(parents=True, exist_ok=True)
    whole = folder / file_name(file.url)
    if whole.exists() and _is_as_promised(whole, file):
        return whole
    part = folder / (whole.name + ".part")
    there = part.stat().st_size if part.exists() else 0
    if there > file.size:
        part.unlink()
        there = 0
    if there < file.size:
        with _client(file.url) as client:
            _fetch(client, file, part, there, progress)
    if not _is_as_promised(part, file):
        part.unlink()
        raise FeedError(f"what came from {urlsplit(file.url).hostname} is not the file that the release feed names")
    os.replace(part, whole)
    return whole


def file_name(url: str) -> str:
    """Return the last part of the URL's path, without separators."""
    name = Path(unquote(urlsplit(url).path).replace("\\", "/")).name
    return name if name not in ("", ".", "..") else "update"


def _fetch(client: httpx2.Client, file: File, part: Path, there: int, progress: Callable[[int], None]) -> None:
    headers = {"Range": f"bytes={there}-"} if there else {}
    with client.stream("GET", file.url, headers=headers) as response:
        if response.status_code not in (200, 206):
            raise FeedError(f"{urlsplit(file.url).hostname} answered {response.status_code}")
        goes_on = response.status_code == 206
        there = there if goes_on else 0
        with part.open("ab" if goes_on else "wb") as target:
            for piece in response.iter_bytes(_PIECE):
                there += len(piece)
                if there > file.size:
                    break  # more than announced: detected by the check below
                target.write(piece)
                progress(there)
    if there < file.size:
        raise FeedError(f"the download broke off after {there} of {file.size} bytes")


def _is_as_promised(path: Path, file: File) -> bool:
    if path.stat().st_size != file.size:
        return False
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest() == file.sha256


def _whole(client: httpx2.Client, url: str) -> bytes:
    with client.stream("GET", url) as response:
        if response.status_code != 200:
            raise FeedError(f"{urlsplit(url).hostname} answered {response.status_code}")
        try:
            return read_body_sync(response, LARGEST_FEED)
        except BodyTooLong:
            raise FeedError("the release feed is far too large") from None


@contextmanager
def _client(url: str) -> Iterator[httpx2.Client]:
    import httpx2  # takes a tenth of a second

    from toolnote_desktop.system.network_proxy import environment_proxy, proxy_problem

    if (reason := proxy_problem(url)) is not None:
        raise FeedError(f"the release feed cannot be reached: {reason}")
    proxy = environment_proxy(url)
    try:
        with httpx2.Client(
            timeout=SECONDS,
            follow_redirects=True,
            headers={"User-Agent": f"Toolnote/{__version__}"},
            verify=httpx2.create_ssl_context(),
            proxy=proxy.url if proxy is not None else None,
            trust_env=False,  # it would fail for each other proxy that it does not know
        ) as client:
            yield client
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise FeedError(f"the release feed cannot be reached: {failure_text(error)}") from error
