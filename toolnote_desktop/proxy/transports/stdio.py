"""Stdio transport: JSON-RPC over pipes, one message per line, results as bytes (docs/architecture.md, decision 1)."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, cast

from toolnote_desktop.http_body import TURN, TURN_PAUSE
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.proxy.aio.tasks import outlast
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import (
    Reply,
    TransportClosed,
    TransportListener,
    cancelled_line,
)
from toolnote_desktop.proxy.transports.child_process import ChildProgram, Children, ProcessTimeouts
from toolnote_desktop.proxy.transports.pending_requests import OpenTransport
from toolnote_desktop.proxy.transports.posix_process import PosixProcess, start_process
from toolnote_desktop.proxy.transports.server_log import ServerLog
from toolnote_desktop.store.documents import reason_of
from toolnote_desktop.system import process_marks
from toolnote_desktop.system.process_marks import ProcessMark
from toolnote_desktop.system.process_tree import ProcessTree

LINE_LIMIT = 64 * 1024 * 1024
"""Bytes of the longest line that is accepted."""

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_WRITE_LIMIT = 256 * 1024
"""Bytes that may wait for the child to read them before further messages wait in their tasks."""

_EXIT_GRACE = 0.25
"""Seconds between the first sign of a child's exit and the end of the connection: for its status and last lines."""

_UNTIMED_LINES = 64
"""Lines that are processed without checking the clock; more of them are processed in turns."""

_NEVER_CANCELLED = frozenset({"initialize", "server/discover"})


class StdioTransport(OpenTransport, asyncio.SubprocessProtocol):
    """Transport over a child's pipes, made by ``start``. See ``Transport``."""

    modern_probe_wait: float | None = 0.0
    stream_settled: asyncio.Event | None = None

    def __init__(
        self,
        server: str,
        listener: TransportListener,
        log: ServerLog,
        children: Children,
        mark: ProcessMark,
        line_limit: int,
        timeouts: ProcessTimeouts,
    ) -> None:
        super().__init__(listener)
        self._server = server
        self._log = log
        self._children = children
        self._mark = mark
        self.withheld: tuple[str, ...] = ()
        self._line_limit = line_limit
        self._timeouts = timeouts
        self._backlog: deque[bytes] = deque()
        self._turn: asyncio.TimerHandle | None = None
        self._is_reading = True
        self._partial: list[bytes] = []
        self._partial_size = 0
        self._full: asyncio.Future[None] | None = None
        self._cancelled: list[bytes] = []
        self._exited = asyncio.Event()
        self._lost: set[int] = set()
        self._ending: asyncio.TimerHandle | None = None
        self._transport: asyncio.SubprocessTransport
        self._stdin: asyncio.WriteTransport
        self._tree: ProcessTree

    @classmethod
    async def start(
        cls,
        server: str,
        program: ChildProgram,
        listener: TransportListener,
        log: ServerLog,
        children: Children,
        *,
        line_limit: int = LINE_LIMIT,
        timeouts: ProcessTimeouts | None = None,
    ) -> StdioTransport:
        """Start the program and return the connection, which does not wait for the server to be ready.

        Raises:
            ToolnoteError: ``program-not-started``.
        """
        log.start_process()
        mark = children.new_mark()
        starting = asyncio.ensure_future(
            _spawn(
                lambda: cls(server, listener, log, children, mark, line_limit, timeouts or ProcessTimeouts()),
                program,
                mark,
            )
        )
        try:
            transport = await asyncio.shield(starting)
        except asyncio.CancelledError:
            # The child may have been started already, and must be ended.
            try:
                await outlast((starting,))
            finally:
                if not starting.cancelled() and starting.exception() is None:
                    await starting.result().close()
            raise
        except OSError as error:
            reason = reason_of(error)
            raise ToolnoteError(
                Code.PROGRAM_NOT_STARTED, server=server, program=program.launch.command[0], reason=reason
            ) from error
        transport.withheld = program.withheld
        log.note(f"started as process {transport.pid}")
        return transport

    @property
    def pid(self) -> int:
        """Process id of the child."""
        return self._tree.pid

    # -- Transport ----------------------------------------------------------------------------------------------------

    async def request(
        self,
        method: str,
        params: bytes | None,
        *,
        timeout: float | None = None,
        progress_token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """See ``Transport``."""
        if self.closed.is_set():
            raise TransportClosed(self.problem, retry=True)
        waiting = self.pending.open(timeout, progress_token)
        sent = False
        try:
            while self._full is not None and not waiting.future.done():
                await asyncio.wait((self._full, waiting.future), return_when=asyncio.FIRST_COMPLETED)
            if self._stdin.is_closing():
                await self.closed.wait()  # the reason of its end is being determined
                raise TransportClosed(self.problem, retry=True)
            if not waiting.future.done():
                self._write_line(jsonrpc.request_line(waiting.id, method, params))
                sent = True
            return await waiting.future
        except TransportClosed as closed:
            closed.retry = closed.retry or not sent  # it was never written to the pipe
            raise
        except (asyncio.CancelledError, TimeoutError) as error:
            if sent and method not in _NEVER_CANCELLED:
                self._send_cancelled(waiting.id, error)
            raise
        finally:
            self.pending.close(waiting)

    def start_request(
        self, method: str, params: bytes, timeout: float | None, done: Callable[[Reply | Exception], None]
    ) -> Callable[[bytes | None], None] | None:
        """Send a request whose outcome is passed to ``done`` while the response is read, without a task in between.

        Returns:
            A function that cancels the request (its argument is that of ``cancelled_line``; ``done`` is not called
            then), or None if the request would have to wait and nothing was sent.
        """
        if self.closed.is_set() or self._full is not None or self._stdin.is_closing():
            return None

        def finished(outcome: Reply | Exception) -> None:
            self.pending.close(waiting)
            if isinstance(outcome, TimeoutError):
                self._send_cancelled(waiting.id)
            done(outcome)

        def cancel(cause: bytes | None) -> None:
            self.pending.close(waiting)
            self._send_cancelled(waiting.id, cause)

        waiting = self.pending.open_callback(timeout, finished)
        self._write_line(jsonrpc.request_line(waiting.id, method, params))
        return cancel

    async def notify(self, method: str, params: bytes | None) -> None:
        """See ``Transport``."""
        await self._send(jsonrpc.notification_line(method, params))

    async def respond(self, request_id: bytes, reply: Reply) -> None:
        """See ``Transport``."""
        await self._send(jsonrpc.response_line(request_id, reply.result, reply.error))

    def set_protocol_version(self, protocol_version: str, *, modern: bool) -> None:
        """See ``Transport``."""

    async def _close(self) -> None:
        """End the child: close its stdin, then terminate its group, then kill it."""
        self._finish(None)
        # Before its stdin is closed: after the child has exited, its descendants cannot be determined.
        await self._children.scan(self._tree)
        self._stdin.close()
        await self._children.end(self._tree, self._exited, self._timeouts)
        with contextlib.suppress(ProcessLookupError):  # uvloop kills a child that it has not reaped yet
            self._transport.close()

    async def _send(self, line: bytes) -> None:
        while self._full is not None and not self.closed.is_set():
            await asyncio.wait((self._full,))
        if self._stdin.is_closing():
            await self.closed.wait()
        if self.closed.is_set():
            raise TransportClosed(self.problem)
        self._write_line(line)

    def _write_line(self, line: bytes) -> None:
        if len(line) < _WRITE_LIMIT:
            self._stdin.write(line + b"\n")
        else:
            self._stdin.writelines((line, b"\n"))  # without a copy of it

    def _send_cancelled(self, request_id: int, cause: object = None) -> None:
        if self.closed.is_set() or self._stdin.is_closing():
            return
        line = cancelled_line(request_id, cause) + b"\n"
        if self._full is None:
            self._stdin.write(line)
        else:
            self._cancelled.append(line)  # bounded by the requests pending when the pipe filled

    # -- asyncio.SubprocessProtocol -----------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the child and its stdin."""
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._tree = self._children.add(self._transport.get_pid(), self._server, self._mark)
        self._stdin = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(_STDIN))
        if not self._stdin.is_closing():  # a child that exits at once has closed it already
            self._stdin.set_write_buffer_limits(high=_WRITE_LIMIT)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Process bytes from stdout or stderr."""
        assert isinstance(data, bytes)
        if fd == _STDERR:
            self._read_stderr(data)
        elif not self.closed.is_set():
            self._read(data)

    def _read_stderr(self, data: bytes) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        self._log.feed(data)
        used = loop.time() - began
        stderr = cast(asyncio.ReadTransport | None, self._transport.get_pipe_transport(_STDERR))
        if used > TURN and stderr is not None and not stderr.is_closing():
            stderr.pause_reading()
            loop.call_later(2 * used, _resume, stderr)

    def _read(self, data: bytes) -> None:
        *lines, rest = data.split(b"\n")
        if lines and self._partial:
            lines[0] = b"".join((*self._partial, lines[0]))
            self._partial.clear()
            self._partial_size = 0
        if self._backlog or len(lines) > _UNTIMED_LINES:
            self._backlog.extend(lines)
            self._drain_backlog()
        else:
            for line in lines:
                if line := line.strip():
                    self.pending.receive(line)
        if rest:
            self._partial.append(rest)
            self._partial_size += len(rest)
            if self._partial_size > self._line_limit:
                self._partial.clear()
                limit = str(max(1, self._line_limit // (1024 * 1024)))
                # It may go on for gigabytes: nothing more is read, and the child is killed at once.
                cast(asyncio.ReadTransport, self._transport.get_pipe_transport(_STDOUT)).pause_reading()
                self._timeouts = ProcessTimeouts(after_eof=0.0, after_terminate=0.0)
                self._finish(Problem(Code.SERVER_LINE_TOO_LONG, {"server": self._server, "limit": limit}))

    def _drain_backlog(self) -> None:
        """Process the backlog in turns and pause reading meanwhile, so that a flood does not block the event loop."""
        if self._turn is not None:
            return
        loop = asyncio.get_running_loop()
        until = loop.time() + TURN
        while self._backlog and not self.closed.is_set():
            for _ in range(min(_UNTIMED_LINES, len(self._backlog))):
                if line := self._backlog.popleft().strip():
                    self.pending.receive(line)
            if self._backlog and loop.time() > until:
                self._set_reading(False)
                self._turn = loop.call_later(TURN_PAUSE, self._next_turn)
                return
        self._set_reading(True)
        if self._exited.is_set() or self._lost:
            self._finish_soon()

    def _next_turn(self) -> None:
        self._turn = None
        self._drain_backlog()

    def _set_reading(self, more: bool) -> None:
        stdout = cast(asyncio.ReadTransport | None, self._transport.get_pipe_transport(_STDOUT))
        if stdout is not None and not self.closed.is_set() and not stdout.is_closing() and self._is_reading != more:
            self._is_reading = more
            (stdout.resume_reading if more else stdout.pause_reading)()

    def pause_writing(self) -> None:
        """Make writers wait: the child reads more slowly than we write."""
        self._full = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        """Wake waiting writers and send pending cancellations."""
        full, self._full = self._full, None
        if full is not None:
            full.set_result(None)
        cancelled, self._cancelled = self._cancelled, []
        if not self._stdin.is_closing():
            self._stdin.write(b"".join(cancelled))

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Handle the end of a pipe: the server has exited or cannot be reached any more."""
        self._lost.add(fd)
        if fd == _STDERR:
            self._log.flush()
        self._finish_soon()

    def process_exited(self) -> None:
        """Handle the exit of the child, which has been reaped."""
        self._exited.set()
        self._finish_soon()

    def _finish_soon(self) -> None:
        if self._exited.is_set() and {_STDOUT, _STDERR} <= self._lost and not self._backlog:
            self._report_exit()
        elif self._ending is None and (self._exited.is_set() or self._lost - {_STDERR}):
            self._ending = asyncio.get_running_loop().call_later(_EXIT_GRACE, self._report_exit)

    def _report_exit(self) -> None:
        self._finish(self._exit_problem())

    def _exit_problem(self) -> Problem:
        parameters = {"server": self._server, "status": self._status(), "stderr": self._log.last_line}
        if self.withheld and not self.pending.messages_received:
            parameters["withheld"] = ", ".join(self.withheld)
        return Problem(Code.SERVER_EXITED, parameters)

    def _status(self) -> str:
        code = self._transport.get_returncode()
        if code is None:
            return "it closed its output"
        if code >= 0:
            return f"exit status {code}"
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"

    def _finish(self, problem: Problem | None) -> None:
        """Close the connection and fail pending requests. The child itself is ended by ``close``."""
        if self._ending is not None:
            self._ending.cancel()
        if self.closed.is_set():
            return
        self.problem = problem
        self.closed.set()
        self._partial.clear()
        self._backlog.clear()
        if self._turn is not None:
            self._turn.cancel()
        if problem is not None and problem.code is Code.SERVER_EXITED:
            self._log.note(f"ended: {self._status()}")
        full, self._full = self._full, None
        if full is not None:
            full.set_result(None)
        self.pending.end(TransportClosed(problem))


def _resume(reading: asyncio.ReadTransport) -> None:
    if not reading.is_closing():
        reading.resume_reading()


async def _spawn(make: Callable[[], StdioTransport], program: ChildProgram, mark: ProcessMark) -> StdioTransport:
    loop = asyncio.get_running_loop()
    launch = program.launch
    environment = {**program.environment, process_marks.VARIABLE: f"{mark.value:x}"}
    if sys.platform == "win32":
        options: dict[str, Any] = {"cwd": program.folder, "env": environment, **launch.options}
        if launch.shell_line is not None:
            _, transport = await loop.subprocess_shell(make, launch.shell_line, **options)
        else:
            _, transport = await loop.subprocess_exec(make, *launch.command, **options)
        return transport
    with process_marks.inherited_limit(mark):
        child = start_process(launch.command, program.folder, environment, launch.options)
    transport = make()
    await PosixProcess(child, transport).connect()
    return transport
