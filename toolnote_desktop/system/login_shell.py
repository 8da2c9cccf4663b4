"""Environment of the user's login shell (POSIX), which sets the PATH of nvm, uv and Homebrew (case C42)."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Mapping

log = logging.getLogger(__name__)

# Set by the shell for itself, or specific to this run.
_NOT_THE_USERS = frozenset({"_", "SHLVL", "PWD", "OLDPWD", "TERM", "TOOLNOTE_READING_ENVIRONMENT"})


def login_environment(environment: Mapping[str, str], timeout: float) -> dict[str, str] | None:
    """Return the output of ``env`` in an interactive login shell; None on failure or after ``timeout`` seconds.

    Start-up files print greetings, ask questions and hang: the variables are read between two markers, the shell has no
    terminal and no input, and its group is killed at the deadline. It gets ``TOOLNOTE_READING_ENVIRONMENT=1``.
    """
    shell = environment.get("SHELL") or _shell_of_record()
    if shell is None or not os.access(shell, os.X_OK):
        log.warning("no login shell found: %s", shell)
        return None
    mark = secrets.token_hex(16)
    script = f"printf %s {mark}; command env -0 || command env; printf %s {mark}"
    variables = {**environment, "TERM": "dumb", "TOOLNOTE_READING_ENVIRONMENT": "1"}
    try:
        with subprocess.Popen(
            # A login shell by name as well as by option: some shells support only one of them.
            [f"-{os.path.basename(shell)}", "-i", "-l", "-c", script],
            executable=shell,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=variables,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                log.warning("%s did not print its environment within %g seconds", shell, timeout)
                output = b""
            finally:
                _end_group(process)
    except OSError as error:
        log.warning("%s could not be run for its environment: %s", shell, error)
        return None
    return parse_environment(output, mark)


def parse_environment(output: bytes, mark: str) -> dict[str, str] | None:
    """Return the variables between the first and the last marker; None if there are none."""
    edge = mark.encode("ascii")
    # The marker may occur again between the two: dash exports `_`, the last word of the previous command.
    listing = output[output.find(edge) + len(edge) : max(0, output.rfind(edge))]
    # An `env` without -0 (old macOS, busybox) separates by line ends: a value of several lines is cut then.
    separator = b"\0" if b"\0" in listing else b"\n"
    pairs = (entry.partition(b"=") for entry in listing.split(separator) if b"=" in entry)
    found = {
        os.fsdecode(key): os.fsdecode(value) for key, _, value in pairs if key and not key.startswith(b"BASH_FUNC_")
    }
    return {key: value for key, value in found.items() if key not in _NOT_THE_USERS} or None


def _shell_of_record() -> str | None:
    if sys.platform == "win32":
        return None
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_shell or None
    except KeyError:
        return None


def _end_group(process: subprocess.Popen[bytes]) -> None:
    # A start-up file may have left a process that holds our pipe: it was started for this run only.
    if sys.platform == "win32":
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # PermissionError: macOS, a group of zombies
        return
