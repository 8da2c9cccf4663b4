"""Start of child processes on POSIX, with three pipes and no other open files.

uvloop (0.23) gives a child each of its pipes twice: a server that closes its stdout still holds the second one, and its
end is never noticed. So processes are started with ``subprocess``, and only their pipes are given to the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import threading
from collections.abc import Mapping
from typing import IO, Any

_STDIN, _STDOUT, _STDERR = 0, 1, 2


class PosixProcess(asyncio.SubprocessTransport):
    """Child process whose events go to an ``asyncio.SubprocessProtocol``."""

    def __init__(self, child: subprocess.Popen[bytes], protocol: asyncio.SubprocessProtocol) -> None:
        super().__init__()
        self._child = child
        self._protocol = protocol
        self._pipes: dict[int, asyncio.BaseTransport] = {}
        self._loop = asyncio.get_running_loop()
        self._pidfd: int | None = None

    async def connect(self) -> None:
        """Connect the pipes, report the connection, and watch for the exit."""
        child = self._child
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        pipes = [self._hand_over(pipe) for pipe in (child.stdin, child.stdout, child.stderr)]
        await self._loop.connect_write_pipe(lambda: _Pipe(self, self._protocol, _STDIN), pipes[_STDIN])
        self._protocol.connection_made(self)
        await self._loop.connect_read_pipe(lambda: _Pipe(self, self._protocol, _STDOUT), pipes[_STDOUT])
        await self._loop.connect_read_pipe(lambda: _Pipe(self, self._protocol, _STDERR), pipes[_STDERR])
        self._watch_exit()

    def _hand_over(self, pipe: IO[bytes]) -> IO[bytes]:
        """Return a file for the loop, and close ``pipe``.

        uvloop closes the descriptor, and later the file: by then the number may be that of another thread's file, such
        as a document that is being written. So its file does not own the descriptor.
        """
        descriptor = os.dup(pipe.fileno())
        mode = "wb" if pipe.writable() else "rb"
        pipe.close()
        owns = not type(self._loop).__module__.startswith("uvloop")
        return open(descriptor, mode, buffering=0, closefd=owns)

    def add_pipe(self, fd: int, pipe: asyncio.BaseTransport) -> None:
        """Register the transport of a pipe."""
        self._pipes[fd] = pipe

    def get_pid(self) -> int:
        """Return the process id."""
        return self._child.pid

    def get_returncode(self) -> int | None:
        """Return the exit status (negative: the signal), None while it is not known."""
        return self._child.returncode

    def get_pipe_transport(self, fd: int) -> asyncio.BaseTransport | None:
        """Return the transport of a pipe."""
        return self._pipes.get(fd)

    def close(self) -> None:
        """Close the pipes. The process is ended by ``Children.end``."""
        for pipe in self._pipes.values():
            pipe.close()
        self._child.poll()
        self._close_pidfd()

    def _watch_exit(self) -> None:
        try:
            self._pidfd = os.pidfd_open(self._child.pid) if hasattr(os, "pidfd_open") else None
        except OSError:  # an old kernel, or no descriptor left
            self._pidfd = None
        if self._pidfd is not None:
            self._loop.add_reader(self._pidfd, self._exited)
        else:
            threading.Thread(target=self._wait_for_exit, name="toolnote-child", daemon=True).start()

    def _wait_for_exit(self) -> None:
        self._child.wait()
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._exited)

    def _exited(self) -> None:
        self._child.poll()
        self._close_pidfd()
        self._protocol.process_exited()

    def _close_pidfd(self) -> None:
        pidfd, self._pidfd = self._pidfd, None
        if pidfd is not None:
            self._loop.remove_reader(pidfd)
            os.close(pidfd)


class _Pipe(asyncio.Protocol):
    """Pipe of a child: passes its events on."""

    def __init__(self, process: PosixProcess, protocol: asyncio.SubprocessProtocol, fd: int) -> None:
        self._process = process
        self._protocol = protocol
        self._fd = fd

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._process.add_pipe(self._fd, transport)

    def data_received(self, data: bytes) -> None:
        self._protocol.pipe_data_received(self._fd, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._protocol.pipe_connection_lost(self._fd, exc)

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()


def start_process(
    command: tuple[str, ...], folder: str, environment: Mapping[str, str], options: Mapping[str, Any]
) -> subprocess.Popen[bytes]:
    """Start a program with three pipes.

    Raises:
        OSError: it could not be started.
    """
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=folder,
        env=dict(environment),
        **options,
    )
