"""Release feed: a signed JSON file with the newest version and the locations of its builds.

The signature covers the feed's bytes, and the feed has the size and SHA-256 of each file: only the owner of the key can
make this app install anything.
"""

from __future__ import annotations

import base64
import binascii
import re

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, ValidationError

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
    date: str
    """Day in ISO 8601."""
    notes: str
    """Release notes in Markdown."""
    files: tuple[File, ...]


class Update(Struct, frozen=True):
    """Version newer than this one, with the file to download."""

    version: str
    date: str
    notes: str
    file: File


def read_feed(content: bytes, signature: bytes, key: str) -> Feed:
    """Parse the feed after verifying its signature.

    ``signature`` is the text of ``feed.json.sig``: base64 of an ed25519 signature over ``content``.

    Raises:
        FeedError: the signature is wrong, or the content is not a feed.
    """
    check_signature(content, signature, key)
    try:
        return Feed.model_validate_json(content)
    except ValidationError as error:
        raise FeedError(f"the feed is not as it should be: {error.error_count()} faults") from error


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
            return Update(feed.version, feed.date, feed.notes, file)
    return None


def order(version: str) -> tuple[int, int, int, bool, str]:
    """Return the sort key of a version by Semantic Versioning: a version with a suffix precedes the one without."""
    match = _VERSION.fullmatch(version)
    if match is None:
        raise FeedError(f"{version!r} is no version")
    major, minor, patch = (int(match[number]) for number in (1, 2, 3))
    return major, minor, patch, match[4] is None, match[4] or ""
