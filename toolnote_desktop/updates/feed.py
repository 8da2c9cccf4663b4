"""The release feed: one signed JSON file that says what the newest version is, and where each build of it lies.

The signature is over the feed's bytes, the feed has the size and SHA-256 of every file: only who holds the key can make
this app install anything.
"""

from __future__ import annotations

import base64
import binascii
import re

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, ValidationError

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?")


class FeedError(Exception):
    """The feed or a file of it cannot be used; the text says why, in English, for the log."""


class File(BaseModel):
    """One build of the newest version."""

    model_config = ConfigDict(frozen=True)

    channel: str
    machine: str
    """The processor as ``platform.machine()`` calls it, in lower case; ``any`` fits all."""
    url: str = Field(pattern=r"^https?://")
    size: int = Field(gt=0)
    """Bytes."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Feed(BaseModel):
    """The newest version."""

    model_config = ConfigDict(frozen=True)

    version: str
    date: str
    """ISO 8601, a day."""
    notes: str
    """What is new, in Markdown."""
    files: tuple[File, ...]


class Update(Struct, frozen=True):
    """A version that is newer than this one, and the file to get it by."""

    version: str
    date: str
    notes: str
    file: File


def read_feed(content: bytes, signature: bytes, key: str) -> Feed:
    """The feed, if it was signed with our key.

    ``signature`` is the text of ``feed.json.sig``: base64 of an ed25519 signature over ``content``.

    Raises:
        FeedError: it was not, or it is no feed.
    """
    check_signature(content, signature, key)
    try:
        return Feed.model_validate_json(content)
    except ValidationError as error:
        raise FeedError(f"the feed is not as it should be: {error.error_count()} faults") from error


def check_signature(content: bytes, signature: bytes, key: str) -> None:
    """Raises ``FeedError`` unless ``signature`` is that of ``content`` by the private half of ``key``."""
    from cryptography.exceptions import InvalidSignature  # takes a moment, once a day
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key, validate=True))
        public.verify(base64.b64decode(signature.strip(), validate=True), content)
    except (InvalidSignature, binascii.Error, ValueError) as error:
        raise FeedError("the release feed's signature is not ours") from error


def newer_than(feed: Feed, version: str, channel: str, machine: str) -> Update | None:
    """What of the feed is worth offering: None where that is no newer than ``version`` or has no build for us.

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
    """By Semantic Versioning, as far as releases use it: a version with a suffix comes before the one without."""
    match = _VERSION.fullmatch(version)
    if match is None:
        raise FeedError(f"{version!r} is no version")
    major, minor, patch = (int(match[number]) for number in (1, 2, 3))
    return major, minor, patch, match[4] is None, match[4] or ""
