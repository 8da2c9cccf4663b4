"""The app's side of the model's process: starts it when a search needs it, and ends it after a minute at rest."""

from __future__ import annotations

import array
import io
import itertools
import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, Final

from msgspec import Struct, field

from toolnote_desktop.meaning.messages import (
    MOST_INDEXES,
    MOST_TEXTS,
    MOST_TOOLS,
    Add,
    Added,
    Ask,
    Response,
    Similar,
    read_response,
    write_message,
)
from toolnote_desktop.meaning.wordpiece import MOST_CHARACTERS
from toolnote_desktop.paths import Home
from toolnote_desktop.system.program import toolnote_command

log = logging.getLogger(__name__)

COMMAND: Final = "search-model"
REST_SECONDS: Final = 60.0
"""Time without a question after which the process is ended."""
ANSWER_SECONDS: Final = 0.15
"""Longest time that a search waits for the model."""
START_SECONDS: Final = 0.5
"""The same where its process is to be started, which takes about 0.3 s where the vectors are in the file."""
_HANDOVER_SECONDS: Final = 0.002
"""Longest time that a search waits for its question to be sent."""
_MESSAGE_SECONDS: Final = 10.0
"""Longest time for one message; a process that takes longer is killed."""
_MOST_FAILURES: Final = 3
"""Processes that may fail in a row, before no other is started."""

_APART: Final[dict[str, Any]] = (
    {"creationflags": 0x08000000}  # CREATE_NO_WINDOW
    if sys.platform == "win32"
    else {"start_new_session": True}  # a terminal's Ctrl-C does not reach it
)

Cosines = Sequence[float]


def is_available() -> bool:
    """Return True if the model can be used: NumPy is installed."""
    return find_spec("numpy") is not None


class _Job(Struct):
    """List of texts to prepare, and a question about it if there is one.

    Attributes:
        is_patient: the question is answered when the list is ready; else by None if it is not.
        is_taken: set once the question is sent, or is not to be sent now.
    """

    texts: Sequence[str]
    question: str = ""
    is_patient: bool = False
    answer: Future[Cosines | None] = field(default_factory=Future)
    is_taken: threading.Event = field(default_factory=threading.Event)


class _List(Struct):
    """List of texts that the process has, or is being sent, with the number that it has there."""

    number: int
    texts: Sequence[str]
    sent: int = 0
    waiting: list[_Job] = []

    @property
    def is_ready(self) -> bool:
        return self.sent == len(self.texts)


class Meaning:
    """Similarity of questions and texts by the model. For any thread.

    A list of texts is known by its identity: the same one is sent once.
    """

    def __init__(self, home: Home, *, rest: float = REST_SECONDS) -> None:
        self._home = home
        self._rest = rest
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_closed = not is_available()

    def prepare(self, texts: Sequence[str]) -> None:
        """Work out the vectors of these texts in the background."""
        if 0 < len(texts) <= MOST_TOOLS:
            self._submit(_Job(texts))

    def ask(
        self, texts: Sequence[str], question: str, seconds: float | None = None, *, is_patient: bool = False
    ) -> Callable[[], Cosines | None]:
        """Send a question to the process, and return what waits for the similarity of each text to it.

        That is None if there is no answer within ``seconds`` from now.

        Args:
            seconds: None for ``ANSWER_SECONDS``, or ``START_SECONDS`` and with patience if there is no process.
            is_patient: wait until the vectors of all texts are worked out; else there is no answer until they are.
        """
        if seconds is None:
            is_patient = self._thread is None
            seconds = START_SECONDS if is_patient else ANSWER_SECONDS
        if not question.strip() or not texts or len(texts) > MOST_TOOLS:
            return lambda: None
        job = _Job(texts, question[:MOST_CHARACTERS], is_patient)
        if not self._submit(job):
            return lambda: None
        deadline = time.monotonic() + seconds
        job.is_taken.wait(_HANDOVER_SECONDS)  # else this thread, at work, keeps the interpreter from the one that sends

        def wait() -> Cosines | None:
            try:
                return job.answer.result(max(0.0, deadline - time.monotonic()))
            except TimeoutError:
                return None

        return wait

    def cosines(
        self, texts: Sequence[str], question: str, seconds: float | None = None, *, is_patient: bool = False
    ) -> Cosines | None:
        """Return the similarity of each text to a question (``ask``)."""
        return self.ask(texts, question, seconds, is_patient=is_patient)()

    def close(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            self._is_closed = True
            thread = self._thread
        if thread is not None:
            self._jobs.put(None)
            thread.join(_MESSAGE_SECONDS)

    def _submit(self, job: _Job) -> bool:
        with self._lock:
            if self._is_closed:
                return False
            self._jobs.put(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="search-model", daemon=True)
                self._thread.start()
        return True

    def _run(self) -> None:
        failures = 0
        while True:
            session = _Session(self._home)
            try:
                self._serve(session)
            except (OSError, ValueError, EOFError) as error:
                log.info("the search model's process ended: %s", error)
                failures = 1 if session.has_answered else failures + 1
            else:
                session.close()
                return
            left = session.close()
            if failures >= _MOST_FAILURES:
                break
            for job in left:
                if job.is_patient:
                    self._jobs.put(job)
                else:
                    job.answer.set_result(None)
        log.warning("the search model failed %d times; tools are searched by words alone", failures)
        with self._lock:
            self._is_closed = True
            self._thread = None
        for job in left:
            job.answer.set_result(None)

    def _serve(self, session: _Session) -> None:
        """Serve jobs until none came for a while, or the end.

        Raises:
            OSError, ValueError, EOFError: the process cannot be started, or failed.
        """
        while True:
            try:
                job = self._jobs.get_nowait() if session.is_busy else self._jobs.get(timeout=self._rest)
            except queue.Empty:
                if session.is_busy:
                    session.send_more()
                elif self._stop_if_idle():
                    return
                continue
            if job is None:
                return
            session.take(job)

    def _stop_if_idle(self) -> bool:
        """Return True if there is no job; the next one starts another thread."""
        with self._lock:
            if not self._jobs.empty():
                return False
            self._thread = None
            return True


class _Session:
    """One process, and the lists that it was sent.

    Attributes:
        has_answered: it has answered a question.
    """

    def __init__(self, home: Home) -> None:
        self.has_answered = False
        self._home = home
        self._process: _Process | None = None
        self._lists: OrderedDict[int, _List] = OrderedDict()
        self._numbers = itertools.count()
        self._current: _Job | None = None

    @property
    def is_busy(self) -> bool:
        """Return True while a list is to be sent."""
        return self._unfinished() is not None

    def take(self, job: _Job) -> None:
        """Answer a job, or let it wait for its list.

        Raises:
            OSError, ValueError, EOFError: the process cannot be started, or failed.
        """
        self._current = job
        if self._process is None:
            self._process = _Process(self._home)
        key = id(job.texts)
        held = self._lists.get(key)
        if held is None:
            held = self._lists[key] = _List(next(self._numbers), job.texts)
        self._lists.move_to_end(key)
        while len(self._lists) > MOST_INDEXES:
            self._forget(next(iter(self._lists)))
        if job.question and held.is_ready:
            self._answer(self._process, held, job)
        elif job.question and job.is_patient:
            held.waiting.append(job)
            job.is_taken.set()
        else:
            job.answer.set_result(None)
            job.is_taken.set()
        self._current = None

    def send_more(self) -> None:
        """Send some texts of a list; answer the questions that waited for its last one.

        Raises:
            OSError, ValueError, EOFError: the process failed.
        """
        held = self._unfinished()
        if held is None or self._process is None:
            return
        try:
            texts = tuple(held.texts[held.sent : held.sent + MOST_TEXTS])
        except LookupError:  # its tools are gone
            self._forget(id(held.texts))
            return
        held.sent += self._process.add(held.number, texts)
        while held.is_ready and held.waiting:
            self._answer(self._process, held, held.waiting[-1])
            held.waiting.pop()

    def close(self) -> list[_Job]:
        """End the process; return the jobs that it did not answer."""
        if self._process is not None:
            self._process.close()
        left = [job for held in self._lists.values() for job in held.waiting]
        return left if self._current is None else [self._current, *left]

    def _forget(self, key: int) -> None:
        for waiting in self._lists.pop(key).waiting:
            waiting.answer.set_result(None)

    def _answer(self, process: _Process, held: _List, job: _Job) -> None:
        cosines = process.ask(held.number, job.question, job.is_taken.set)
        if len(cosines) != len(held.texts):
            raise ValueError("the process has forgotten a list")
        job.answer.set_result(cosines)
        self.has_answered = True

    def _unfinished(self) -> _List | None:
        return next((one for one in reversed(self._lists.values()) if not one.is_ready), None)


class _Process:
    """The model's process. It ends with its standard input, so with this process, however that ends."""

    def __init__(self, home: Home) -> None:
        """Start it.

        Raises:
            OSError: it could not be started.
        """
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        self._child = subprocess.Popen(
            [*toolnote_command(), COMMAND, str(home.vectors)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            **_APART,
        )
        assert isinstance(self._child.stdin, io.BufferedWriter)
        assert isinstance(self._child.stdout, io.BufferedReader)
        self._requests, self._responses = self._child.stdin, self._child.stdout
        self._deadline: float | None = None
        """When the message that was sent last must be answered; None if it is."""
        self._is_closed = threading.Event()
        self._watching = threading.Thread(target=self._watch, name="search-model", daemon=True)
        self._watching.start()

    def add(self, key: int, texts: tuple[str, ...]) -> int:
        """Add texts to a list; return how many of them were."""
        answer = self._exchange(Add(key, tuple(map(_encodable, texts))))
        if isinstance(answer, Added) and 0 < answer.count <= len(texts):
            return answer.count
        raise ValueError("no count")

    def ask(self, key: int, question: str, sent: Callable[[], None]) -> Cosines:
        """Return the cosines of a question and the texts of a list; call ``sent`` once the question is on its way."""
        answer = self._exchange(Ask(key, _encodable(question)), sent)
        if isinstance(answer, Similar):
            cosines = array.array("d", answer.cosines)
            if sys.byteorder == "big":
                cosines.byteswap()
            return cosines
        raise ValueError("no cosines")

    def _exchange(self, request: Add | Ask, sent: Callable[[], None] = lambda: None) -> Response:
        self._deadline = time.monotonic() + _MESSAGE_SECONDS
        try:
            write_message(self._requests, request)
            sent()
            return read_response(self._responses)
        finally:
            self._deadline = None

    def _watch(self) -> None:
        """Kill the process if a message takes too long."""
        wait = _MESSAGE_SECONDS
        while not self._is_closed.wait(wait):
            deadline = self._deadline
            wait = _MESSAGE_SECONDS if deadline is None else deadline - time.monotonic()
            if wait <= 0:
                self._child.kill()
                return

    def close(self) -> None:
        """End it: at once where it does not end with its input."""
        self._is_closed.set()
        with suppress(OSError):
            self._requests.close()
        try:
            self._child.wait(2)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._responses.close()
        self._watching.join()


def _encodable(text: str) -> str:
    """Return what is read of a text, without lone surrogates."""
    return text[:MOST_CHARACTERS].encode("utf-8", "replace").decode()
