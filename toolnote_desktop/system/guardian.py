"""Guard that kills our children if we die without cleaning up (POSIX): a small shell that reads a pipe of ours to its
end.

Linux's parent-death signal would do less and cost more: it reaches one child but not the processes started by npx or
uvx, it fires when the *thread* that started the child ends, and it must be set between fork and exec, in Python code
(``preexec_fn``), which is unsafe with threads and rules out vfork. The kernel closes our end of a pipe however we die,
on macOS too; a shell that waits for this takes one megabyte, no wake-ups, and kills the process groups.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys

log = logging.getLogger(__name__)

# It leads a session of its own, so that the terminal's Ctrl-C does not reach it before us.
_SCRIPT = """
trap '' HUP INT TERM QUIT PIPE
groups=''
while read -r word group; do
  case $word in
    +) groups="$groups $group" ;;
    -) left=''
       for one in $groups; do [ "$one" = "$group" ] || left="$left $one"; done
       groups=$left ;;
  esac
done
[ -n "$groups" ] || exit 0
for one in $groups; do kill -s TERM -- "-$one"; done 2>/dev/null
sleep 1
for one in $groups; do kill -s KILL -- "-$one"; done 2>/dev/null
exit 0
"""


class Guardian:
    """Shell that guards all children. Started with the first of them."""

    def __init__(self) -> None:
        self._shell: subprocess.Popen[bytes] | None = None
        self._failed = False

    @property
    def pid(self) -> int | None:
        """See ``ChildGuard``."""
        return self._shell.pid if self._shell is not None else None

    def add(self, pid: int) -> None:
        """Guard the process group that this child leads."""
        if self._shell is None and not self._failed:
            self._start()
        self._write(f"+ {pid}\n")

    def remove(self, pid: int) -> None:
        """Stop guarding that group."""
        self._write(f"- {pid}\n")

    def close(self) -> None:
        """Make the shell kill the groups that are left, and exit."""
        shell, self._shell = self._shell, None
        if shell is not None and shell.stdin is not None:
            shell.stdin.close()
            shell.wait()

    def _start(self) -> None:
        try:
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", _SCRIPT],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                env={"PATH": "/usr/bin:/bin"},
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            # The next start ends leftovers (children.py); nothing else depends on the guard.
            self._failed = True
            log.warning("server processes will not be ended if this process is killed: %s", error)
            return
        assert self._shell.stdin is not None
        if sys.platform != "win32":
            os.set_blocking(self._shell.stdin.fileno(), False)

    def _write(self, line: str) -> None:
        if self._shell is None or self._shell.stdin is None:
            return
        try:
            self._shell.stdin.write(line.encode("ascii"))
        except OSError as error:  # it was killed, or stopped for so long that the pipe is full
            log.warning("the guard of server processes has ended: %s", error)
            self._shell.stdin.close()
            self._shell.poll()
            self._shell, self._failed = None, True
