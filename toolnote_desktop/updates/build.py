"""Facts of this build: its channel, and the location of its release feed."""

from __future__ import annotations

import json

from msgspec import Struct

from toolnote_desktop import assets

CHANNELS = ("windows", "macos", "deb", "rpm", "tar")
"""Distribution channels of our builds (packaging/packages.py, packaging/release.yml).

Any other or no channel means that a distribution, pip or git provides updates.
"""


class Build(Struct, frozen=True):
    """Facts of this build."""

    channel: str
    """One of ``CHANNELS``, another word, or empty in a checkout or wheel."""
    feed: str
    """URL of the release feed."""
    key: str
    """Public key of releases, ed25519, in base64; empty: none yet."""
    next_key: str = ""
    """Key that takes its place when that has to be rotated; its private half is kept apart. Empty: none yet."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of releases, the current one first."""
        return tuple(key for key in (self.key, self.next_key) if key)

    @property
    def looks_for_updates(self) -> bool:
        """Return True if this build checks for updates itself."""
        return self.channel in CHANNELS and bool(self.feed and self.key)


def this_build() -> Build:
    """Return the facts from ``resources/release.json`` and the build itself."""
    release = json.loads(assets.path("release.json").read_text(encoding="utf-8"))
    return Build(fact("channel").strip(), release["feed"], release["key"], release.get("nextKey", ""))


def fact(name: str) -> str:
    """Return a text that packaging/freeze.py wrote into the build: ``channel``, ``licence.txt``,
    ``third-party-notices.txt``.

    Empty if this is not a build.
    """
    try:
        return assets.path(f"build/{name}").read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
