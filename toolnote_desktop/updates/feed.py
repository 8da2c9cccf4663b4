"""Release feed: a signed JSON file with the newest version and the locations of its builds.

The signature covers the feed's bytes, and the feed has the size and SHA-256 of each file: only the owner of the key can
make this app install anything.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import datetime
import re
from collections.abc import Sequence

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, ValidationError

_MOST_SIGNATURES = 4
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?")


class FeedError(Exception):
    """Reason why the feed or a file of it cannot be used, in English, for the log."""


class File(BaseModel):
    """Build of the newest version."""

    model_config = ConfigDict(frozen=True)

    channel: str
    machine: str
    """Processor in the form of ``platform.machine()``, in lower case; ``any`` matches all."""
    url: str = Field(pattern=r"^https?://")
    size: int = Field(gt=0)
    """Size in bytes."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Feed(BaseModel):
    """Newest version."""

    model_config = ConfigDict(frozen=True)

    version: str
    date: datetime.date
    expires: datetime.date
    """Day after which this feed counts no longer: it is signed again before, also without a new version."""
    notes: str
    """Release notes in Markdown."""
    files: tuple[File, ...]


class Update(Struct, frozen=True):
    """Version newer than this one, with the file to download."""

    version: str
    date: str
    notes: str
    file: File


class Seen(BaseModel):
    """Newest feed that was ever accepted here: an older one, sent again, is refused."""

    model_config = ConfigDict(frozen=True)

    version: str
    date: datetime.date
    key: str = ""
    """Key with which it was signed."""


def read_feed(
    content: bytes, signature: bytes, keys: Sequence[str], seen: Seen | None = None, today: datetime.date | None = None
) -> tuple[Feed, Seen]:
    """Parse the feed after verifying its signature; return it, and what is to be remembered of it.

    Args:
        signature: text of ``feed.json.sig``: in each line, base64 of an ed25519 signature over ``content``.
        keys: keys of releases, the current one first. Once a feed was signed with a later one, the earlier ones are
            not accepted any more: so a key is rotated (docs/security.md).
        seen: what was remembered of the newest feed.
        today: date to compare with, in UTC; None for the clock's.

    Raises:
        FeedError: the signature is wrong, the content is not a feed, it has expired, or it is older than ``seen``.
    """
    usable = list(keys)
    if seen is not None and seen.key in usable:
        usable = usable[usable.index(seen.key) :]
    key = _signing_key(content, signature, usable)
    try:
        feed = Feed.model_validate_json(content)
    except ValidationError as error:
        raise FeedError(f"the feed is not as it should be: {error.error_count()} faults") from error
    if feed.expires < (today or datetime.datetime.now(datetime.UTC).date()):
        raise FeedError(f"the release feed has expired on {feed.expires}: it is an old one, or the clock is wrong")
    if seen is not None and (order(feed.version) < order(seen.version) or feed.date < seen.date):
        raise FeedError(f"the release feed is older than the one of {seen.date}, which was seen before")
    return feed, Seen(version=feed.version, date=feed.date, key=key)


def _signing_key(content: bytes, signature: bytes, keys: Sequence[str]) -> str:
    for line in signature.split()[:_MOST_SIGNATURES]:
        for key in keys:
            with contextlib.suppress(FeedError):
                check_signature(content, line, key)
                return key
    raise FeedError("the release feed's signature is not ours")


def check_signature(content: bytes, signature: bytes, key: str) -> None:
    """Verify that ``signature`` was made over ``content`` with the private half of ``key``.

    Raises:
        FeedError: it was not.
    """
    from cryptography.exceptions import InvalidSignature  # slow to import, and used once a day
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key, validate=True))
        public.verify(base64.b64decode(signature.strip(), validate=True), content)
    except (InvalidSignature, binascii.Error, ValueError) as error:
        raise FeedError("the release feed's signature is not ours") from error


def newer_than(feed: Feed, version: str, channel: str, machine: str) -> Update | None:
    """Return the update to offer; None if the feed is not newer than ``version`` or has no build for this computer.

    Raises:
        FeedError: a version that cannot be compared.
    """
    if order(feed.version) <= order(version):
        return None
    for file in feed.files:
        if file.channel == channel and file.machine in (machine.lower(), "any"):
            return Update(feed.version, feed.date.isoformat(), feed.notes, file)
    return None


def order(version: str) -> tuple[int, int, int, bool, tuple[tuple[bool, int, str], ...]]:
    """Return the sort key of a version by Semantic Versioning 11: a pre-release precedes its release, and the parts of
    two pre-releases are compared one by one, numbers as numbers and before words.
    """
    match = _VERSION.fullmatch(version)
    if match is None:
        raise FeedError(f"{version!r} is no version")
    major, minor, patch = (int(match[number]) for number in (1, 2, 3))
    parts = [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in (match[4] or "").split(".")]
    return major, minor, patch, match[4] is None, tuple(parts)
