"""Updates from a release feed on this machine: a good one, a tampered one, an older one, a half-finished download."""

from __future__ import annotations

import base64
import json
import os
import platform
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from toolnote_desktop import __version__
from toolnote_desktop.updates import installing
from toolnote_desktop.updates.build import Build, this_build
from toolnote_desktop.updates.feed import FeedError, Update, order
from toolnote_desktop.updates.fetching import download, file_name, find_update

CLONE = Path(__file__).parents[2]
CONTENT = bytes(range(256)) * 8192
NAME = f"toolnote-9.9.9-linux-{platform.machine()}.tar.gz"


class Releases(BaseHTTPRequestHandler):
    """A release page: serves the files of a folder, and the rest of one where a client has a part of it already."""

    server: ReleaseServer

    def do_GET(self) -> None:
        path = self.server.folder / self.path.lstrip("/")
        if not path.is_file():
            self.send_error(404)
            return
        content = path.read_bytes()
        begin = int((re.findall(r"^bytes=(\d+)-$", self.headers.get("Range", "")) or [0])[0])
        self.server.asked.append((path.name, begin))
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        sent = content[begin:]
        if self.server.breaks_off_after is not None and path.name == NAME:
            sent = sent[: self.server.breaks_off_after]
            self.close_connection = True
        self.wfile.write(sent)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing on the test's output."""


class ReleaseServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Releases)
        self.folder = folder
        self.asked: list[tuple[str, int]] = []
        self.breaks_off_after: int | None = None
        self.private = Ed25519PrivateKey.generate()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def build(self) -> Build:
        """A build of the channel ``tar`` that looks here."""
        key = base64.b64encode(self.private.public_key().public_bytes_raw()).decode()
        return Build("tar", f"{self.address}/feed.json", key)

    def sign(self) -> None:
        """Signs the feed as it is."""
        signature = self.private.sign((self.folder / "feed.json").read_bytes())
        (self.folder / "feed.json.sig").write_bytes(base64.b64encode(signature) + b"\n")

    def offer(self, version: str = "9.9.9") -> None:
        """A release with one build in it."""
        (self.folder / NAME).write_bytes(CONTENT)
        self.publish(version)

    def change(self, **fields: str | None) -> None:
        """Signs the feed with other values."""
        feed = json.loads((self.folder / "feed.json").read_bytes())
        (self.folder / "feed.json").write_text(json.dumps({**feed, **fields}), encoding="utf-8")
        self.sign()

    def publish(self, version: str) -> None:
        """What is in the folder, as the workflow does it."""
        command = [sys.executable, str(CLONE / "packaging" / "release_feed.py"), str(self.folder), self.address]
        key = base64.b64encode(self.private.private_bytes_raw()).decode()
        subprocess.run(command, env={**os.environ, "RELEASE_KEY": key}, check=True, timeout=60)
        feed = json.loads((self.folder / "feed.json").read_bytes())
        assert feed["version"] == __version__
        (self.folder / "feed.json").write_text(json.dumps({**feed, "version": version}), encoding="utf-8")
        self.sign()


@pytest.fixture
def releases(tmp_path: Path) -> Iterator[ReleaseServer]:
    folder = tmp_path / "releases"
    folder.mkdir()
    with ReleaseServer(folder) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def found(releases: ReleaseServer) -> Update:
    update = find_update(releases.build)
    assert update is not None
    return update


def test_a_newer_version_is_found_and_its_file_is_what_was_published(releases: ReleaseServer, tmp_path: Path) -> None:
    releases.offer()
    update = found(releases)
    assert update.version == "9.9.9"
    assert update.notes
    told: list[int] = []
    path = download(update.file, tmp_path / "updates", told.append)
    assert path.read_bytes() == CONTENT
    assert told[-1] == len(CONTENT)
    releases.asked.clear()
    assert download(update.file, tmp_path / "updates") == path
    assert releases.asked == []  # it is there already


@pytest.mark.parametrize("version", [__version__, "0.0.9", f"{__version__}-rc1"])
def test_an_older_version_is_not_offered(releases: ReleaseServer, version: str) -> None:
    """Also where somebody signs: an old feed, sent again, must not take anybody back to an old fault."""
    releases.offer(version)
    assert find_update(releases.build) is None


def test_a_feed_for_other_computers_offers_nothing(releases: ReleaseServer) -> None:
    releases.offer()
    assert find_update(Build("windows", releases.build.feed, releases.build.key)) is None


def test_a_tampered_feed_is_refused(releases: ReleaseServer) -> None:
    releases.offer()
    feed = releases.folder / "feed.json"
    feed.write_bytes(feed.read_bytes().replace(b"9.9.9", b"9.9.8"))
    with pytest.raises(FeedError, match="signature"):
        find_update(releases.build)


def test_foreign_signature_is_refused(releases: ReleaseServer) -> None:
    releases.offer()
    build = releases.build
    releases.private = Ed25519PrivateKey.generate()
    releases.sign()
    with pytest.raises(FeedError, match="signature"):
        find_update(build)


@pytest.mark.parametrize("signature", [b"", b"no base64!", b"AAAA"])
def test_rubbish_for_a_signature_is_refused(releases: ReleaseServer, signature: bytes) -> None:
    releases.offer()
    (releases.folder / "feed.json.sig").write_bytes(signature)
    with pytest.raises(FeedError, match="signature"):
        find_update(releases.build)


@pytest.mark.parametrize("content", [CONTENT[:-1] + b"!", b"!" + CONTENT, b""])
def test_a_tampered_file_is_refused_and_deleted(releases: ReleaseServer, tmp_path: Path, content: bytes) -> None:
    releases.offer()
    update = found(releases)
    (releases.folder / NAME).write_bytes(content)
    with pytest.raises(FeedError):
        download(update.file, tmp_path / "updates")
    assert [path.name for path in (tmp_path / "updates").iterdir() if path.suffix != ".part"] == []


def test_a_half_finished_download_is_gone_on_with(releases: ReleaseServer, tmp_path: Path) -> None:
    releases.offer()
    update = found(releases)
    releases.breaks_off_after = len(CONTENT) // 2
    with pytest.raises(FeedError):
        download(update.file, tmp_path / "updates")
    releases.breaks_off_after = None
    there = (tmp_path / "updates" / f"{NAME}.part").stat().st_size
    assert 0 < there <= len(CONTENT) // 2
    releases.asked.clear()
    assert download(update.file, tmp_path / "updates").read_bytes() == CONTENT
    assert releases.asked == [(NAME, there)]


def test_a_half_finished_download_of_something_else_does_no_harm(releases: ReleaseServer, tmp_path: Path) -> None:
    releases.offer()
    update = found(releases)
    folder = tmp_path / "updates"
    folder.mkdir()
    (folder / f"{NAME}.part").write_bytes(b"?" * 100)
    with pytest.raises(FeedError):
        download(update.file, folder)
    assert download(update.file, folder).read_bytes() == CONTENT


def test_unreachable_feed_is_an_error_that_names_it(releases: ReleaseServer) -> None:
    with pytest.raises(FeedError, match="404"):
        find_update(releases.build)
    with pytest.raises(FeedError, match="cannot be reached"):
        find_update(Build("tar", "http://127.0.0.1:9/feed.json", releases.build.key))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://x/a/b.tar.gz", "b.tar.gz"),
        ("http://x/a/..%2F..%2Fb", "b"),
        ("http://x/a/..%5C..%5Cb", "b"),
        ("http://x/..", "update"),
        ("http://x/", "update"),
    ],
)
def test_a_file_stays_in_its_folder(url: str, name: str) -> None:
    assert file_name(url) == name


def test_versions_are_in_order() -> None:
    versions = ["0.1.0", "0.2.0-rc1", "0.2.0", "0.10.0", "1.0.0"]
    assert sorted(versions, key=order) == versions
    with pytest.raises(FeedError):
        order("newest")


def test_a_checkout_looks_for_nothing() -> None:
    build = this_build()
    assert build.channel == ""
    assert not build.looks_for_updates


def test_update_source_by_build() -> None:
    key = base64.b64encode(bytes(32)).decode()
    assert Build("tar", "http://x", key).looks_for_updates
    assert not Build("tar", "http://x", "").looks_for_updates
    assert not Build("distribution", "http://x", key).looks_for_updates


def test_builds_have_their_installers(tmp_path: Path) -> None:
    assert "/UPDATE=yes" in installing.command("windows", Path("setup.exe"))
    assert installing.command("deb", Path("x.deb")) == ["xdg-open", "x.deb"]
    source = tmp_path / "toolnote-9.9.9"
    source.mkdir()
    (source / "install.sh").write_text("#!/bin/sh\n")
    archive = tmp_path / NAME
    subprocess.run(["tar", "-czf", str(archive), "-C", str(tmp_path), source.name], check=True)
    (script,) = installing.command("tar", archive)
    assert Path(script).read_text() == "#!/bin/sh\n"


# -- replayed, expired and swapped (issue 15 item 5, red team M5) -----------------------------------------------------


def test_numbers_in_a_suffix_are_compared_as_numbers() -> None:
    """SemVer 11.4. Seen red: rc.10 came before rc.9."""
    versions = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11"]
    versions += ["1.0.0-rc.9", "1.0.0-rc.10", "1.0.0", "1.0.1-1", "1.0.1"]
    assert sorted(set(versions), key=order) == versions


def test_older_feed_that_is_sent_again_is_refused(releases: ReleaseServer, tmp_path: Path) -> None:
    """Seen red without ``Seen``."""
    memory = tmp_path / "seen.json"
    releases.offer("9.9.9")
    assert find_update(releases.build, seen_file=memory) is not None
    assert find_update(releases.build, seen_file=memory) is not None
    releases.publish("9.9.8")
    with pytest.raises(FeedError, match="older"):
        find_update(releases.build, seen_file=memory)
    releases.change(version="9.9.9", date="2020-01-01")
    with pytest.raises(FeedError, match="older"):
        find_update(releases.build, seen_file=memory)
    releases.publish("9.9.10")
    assert find_update(releases.build, seen_file=memory) is not None


@pytest.mark.parametrize("expires", ["2020-01-01", None])
def test_feed_without_a_valid_date_of_expiry_is_refused(releases: ReleaseServer, expires: str | None) -> None:
    releases.offer()
    releases.change(expires=expires)
    with pytest.raises(FeedError, match=r"expired|not as it should be"):
        find_update(releases.build)


def test_keys_are_rotated(releases: ReleaseServer, tmp_path: Path) -> None:
    """Either key counts, until a feed was signed with the second one: then the first may be in other hands."""
    memory = tmp_path / "seen.json"
    first, second = releases.private, Ed25519PrivateKey.generate()
    public = base64.b64encode(second.public_key().public_bytes_raw()).decode()
    build = Build("tar", releases.build.feed, releases.build.key, public)
    releases.offer()
    assert find_update(build, seen_file=memory) is not None
    releases.private = second
    releases.sign()
    assert find_update(build, seen_file=memory) is not None
    releases.private = first
    releases.sign()
    with pytest.raises(FeedError, match="signature"):
        find_update(build, seen_file=memory)


def test_download_that_was_replaced_is_not_installed(releases: ReleaseServer, tmp_path: Path) -> None:
    """Seen red: what lay there was run, hours after it was verified."""
    releases.offer()
    file = found(releases).file
    path = download(file, tmp_path / "updates")
    with installing.verified_copy(path, file) as (copy, opened):
        assert copy.read_bytes() == CONTENT
        assert copy != path
        if sys.platform != "win32":
            assert copy.parent.stat().st_mode & 0o077 == 0
            copy.unlink()
            copy.write_bytes(b"another")  # the open file is still the one that was verified
        assert opened.read() == CONTENT
    for content in (b"#!/bin/sh\n", CONTENT[:-1] + b"?", CONTENT + b"?"):
        path.write_bytes(content)
        with pytest.raises(FeedError, match="changed"):
            installing.start("deb", path, file)
    assert [one.name for one in path.parent.iterdir() if one.name.startswith("verified-")] == [copy.parent.name]
