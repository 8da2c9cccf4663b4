"""Clean Debian in a folder, like that of a new computer, to install packages in."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

USER = "ada"

# Mounts in the folder that a command alone sees: they go with its own namespace.
ENTER = """
set -e
mount --bind /proc "$1/proc"
mount -t tmpfs tmpfs "$1/dev/shm"
mkdir -p "$1/tmp/.X11-unix"
if [ -d /tmp/.X11-unix ]; then mount --bind /tmp/.X11-unix "$1/tmp/.X11-unix"; fi
root=$1; shift
exec chroot "$@"
"""


class CleanDebian:
    """Made by debootstrap, of the release that this machine has; ``USER`` works there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.display = ""
        """Display of ``USER``; empty if there is none."""
        release = dict(
            line.split("=", 1) for line in Path("/etc/os-release").read_text("utf-8").splitlines() if "=" in line
        )
        command = ["debootstrap", "--variant=minbase", release["VERSION_CODENAME"], str(root)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        (root / "dev/shm").mkdir(exist_ok=True)
        self.run("apt-get", "-qq", "update")
        self.run("useradd", "--create-home", USER)

    @property
    def user_home(self) -> Path:
        """Return the user's folder, as seen from outside."""
        return self.root / "home" / USER

    def command(self, *words: str, user: str | None = None) -> list[str]:
        """Return the command that runs ``words`` in it: as root, or as ``user`` with a desktop session's variables."""
        inside = ["unshare", "--mount", "--propagation", "private", "sh", "-c", ENTER, "sh", str(self.root)]
        home = f"/home/{user}" if user else "/root"
        variables = [f"HOME={home}", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "TERM=xterm"]
        variables += [f"DISPLAY={self.display}"] if user else ["DEBIAN_FRONTEND=noninteractive"]
        variables += [f"{name}={value}" for name, value in os.environ.items() if name.startswith("TOOLNOTE_TEST_")]
        return [
            *inside,
            *([f"--userspec={user}:{user}"] if user else []),
            str(self.root),
            "env",
            "-i",
            *variables,
            *words,
        ]

    def run(self, *words: str, user: str | None = None) -> str:
        """Run a command and return what it printed; fail the test if it fails."""
        done = subprocess.run(
            self.command(*words, user=user), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            stdin=subprocess.DEVNULL, timeout=600,
        )  # fmt: skip
        assert done.returncode == 0, f"{shlex.join(words)}:\n{done.stdout[-4000:]}"
        return done.stdout

    def install(self, package: Path) -> str:
        """Install a .deb with its dependencies, or over an older one."""
        shutil.copy(package, self.root / "tmp" / package.name)
        return self.run("apt-get", "-qq", "install", "-y", "--no-install-recommends", f"/tmp/{package.name}")
