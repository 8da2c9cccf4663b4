"""Sign a release, so that running apps find it.

    python packaging/release_feed.py --new-key         prints a new key: the private half for the release workflow's
                                                       RELEASE_KEY, the public one for resources/release.json
    python packaging/release_feed.py FOLDER ADDRESS    writes FOLDER/feed.json and FOLDER/feed.json.sig of the builds in
                                                       FOLDER, which will lie below ADDRESS; the key is in RELEASE_KEY,
                                                       while keys are rotated both, separated by a blank

Needs `cryptography`, which packaging/locks/app.txt has.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from freeze import CLONE, commit_time, version

VALID = timedelta(days=180)
"""Time for which a feed counts: without a new release, sign it again within it."""

# How each build's file is called, its channel (toolnote_desktop/updates/build.py), and its processor's names.
KINDS = (
    (r"toolnote-.*-windows-x64\.exe", "windows", ("amd64",)),
    (r"toolnote-.*-macos-arm64\.dmg", "macos", ("arm64",)),
    (r"toolnote-.*-macos-x86_64\.dmg", "macos", ("x86_64",)),
    (r"toolnote_.*_amd64\.deb", "deb", ("x86_64",)),
    (r"toolnote_.*_arm64\.deb", "deb", ("aarch64",)),
    (r"toolnote-.*\.x86_64\.rpm", "rpm", ("x86_64",)),
    (r"toolnote-.*\.aarch64\.rpm", "rpm", ("aarch64",)),
    (r"toolnote-.*-linux-x86_64\.tar\.gz", "tar", ("x86_64",)),
    (r"toolnote-.*-linux-aarch64\.tar\.gz", "tar", ("aarch64",)),
)


def main(folder: Path, address: str, key: str) -> int:
    """Write both files and return the exit status."""
    feed = {
        "version": version(),
        "date": datetime.fromtimestamp(commit_time(), UTC).date().isoformat(),
        "expires": (datetime.now(UTC) + VALID).date().isoformat(),
        "notes": newest_chapter((CLONE / "CHANGELOG.md").read_text(encoding="utf-8")),
        "files": [entry for path in sorted(folder.iterdir()) for entry in entries(path, address)],
    }
    if not feed["files"]:
        print(f"there is no build in {folder}", file=sys.stderr)
        return 1
    content = (json.dumps(feed, indent=2, ensure_ascii=False) + "\n").encode()
    signatures = [Ed25519PrivateKey.from_private_bytes(base64.b64decode(one)).sign(content) for one in key.split()]
    (folder / "feed.json").write_bytes(content)
    lines = "".join(base64.b64encode(signature).decode() + "\n" for signature in signatures)
    (folder / "feed.json.sig").write_text(lines, encoding="ascii")
    return 0


def entries(path: Path, address: str) -> list[dict[str, object]]:
    """Return the feed's entries for a file; none if it is not a build."""
    for pattern, channel, machines in KINDS:
        if re.fullmatch(pattern, path.name):
            with path.open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
            url = f"{address.rstrip('/')}/{quote(path.name)}"
            about = {"channel": channel, "url": url, "size": path.stat().st_size, "sha256": digest}
            return [{**about, "machine": machine} for machine in machines]
    return []


def newest_chapter(changelog: str) -> str:
    """Return the changelog's first chapter, without its heading."""
    return re.split(r"^## .*$", changelog, flags=re.MULTILINE)[1].strip()


def new_key() -> int:
    """Print both halves of a new key."""
    private = Ed25519PrivateKey.generate()
    print("private (RELEASE_KEY):", base64.b64encode(private.private_bytes_raw()).decode())
    print(
        "public (resources/release.json, key or nextKey):",
        base64.b64encode(private.public_key().public_bytes_raw()).decode(),
    )
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--new-key"]:
        sys.exit(new_key())
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], os.environ["RELEASE_KEY"]))
