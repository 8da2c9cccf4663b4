"""What this build knows of itself: who made it, and where it looks for the next one."""

from __future__ import annotations

import json

from msgspec import Struct

from toolnote_desktop import assets

CHANNELS = ("windows", "macos", "deb", "rpm", "tar")
"""How a build of ours may have come to this computer (packaging/packages.py, packaging/release.yml).

Any other word, and none, means that somebody else brings new versions: a distribution, pip, git.
"""


class Build(Struct, frozen=True):
    """This build."""

    channel: str
    """One of ``CHANNELS``, another word, or empty in a checkout or wheel."""
    feed: str
    """Address of the release feed."""
    key: str
    """The public half of the key that releases are signed with, ed25519, in base64; empty: there is none yet."""

    @property
    def looks_for_updates(self) -> bool:
        """Whether this is a build that finds its own next version."""
        return self.channel in CHANNELS and bool(self.feed and self.key)


def this_build() -> Build:
    """As ``resources/release.json`` and the build's own facts say."""
    release = json.loads(assets.path("release.json").read_text(encoding="utf-8"))
    return Build(fact("channel").strip(), release["feed"], release["key"])


def fact(name: str) -> str:
    """A text that packaging/freeze.py put into a build: ``channel``, ``licence.txt``, ``third-party-notices.txt``.

    Empty where this is no build.
    """
    try:
        return assets.path(f"build/{name}").read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
