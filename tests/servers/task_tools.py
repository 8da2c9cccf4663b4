"""Tools that become tasks, as the conformance suite wants them (SEP-2663): part of ``extended.py``."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.servers.behaviours import Arguments, Call

TASKS = "io.modelcontextprotocol/tasks"
NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def question(message: str) -> dict[str, Any]:
    """Return an input request."""
    params = {"mode": "form", "message": message, "requestedSchema": NAME}
    return {"method": "elicitation/create", "params": params}


def text_of(answer: Any) -> str:
    """Return what a client answered a ``question`` with."""
    content = answer.get("content") if isinstance(answer, dict) else None
    return str(content.get("name", content)) if isinstance(content, dict) else ""


def declares(call: Call) -> bool:
    """Return True if the client of a request has declared tasks."""
    meta = call.params.get("_meta") or {}
    declared = meta.get("io.modelcontextprotocol/clientCapabilities", {}).get("extensions", {})
    return TASKS in declared


class Task:
    """Task of the modern era; ``finishes`` is the time at which it is done by itself."""

    def __init__(
        self, task_id: str, done: dict[str, Any], seconds: float = 0, requests: dict[str, Any] | None = None
    ) -> None:
        self.id = task_id
        self.done = done
        self.finishes = time.monotonic() + seconds
        self.requests = dict(requests or {})
        self.answers: dict[str, Any] = {}
        self.cancelled = False

    def shown(self) -> dict[str, Any]:
        """Return the task as ``tasks/get`` shows it."""
        task: dict[str, Any] = {
            "taskId": self.id,
            "createdAt": "2026-11-28T00:00:00Z",
            "lastUpdatedAt": "2026-11-28T00:00:00Z",
            "ttlMs": 60000,
            "pollIntervalMs": 100,
        }
        if self.cancelled:
            return {**task, "status": "cancelled"}
        if self.requests:
            return {**task, "status": "input_required", "inputRequests": self.requests}
        if time.monotonic() < self.finishes:
            return {**task, "status": "working"}
        if "code" in self.done:
            return {**task, "status": "failed", "error": self.done}
        text = "".join(text_of(answer) for answer in self.answers.values())
        result = {**self.done, "content": [*self.done["content"], *([{"type": "text", "text": text}] if text else [])]}
        return {**task, "status": "completed", "result": result}

    def update(self, answers: Any) -> None:
        """Take answers to requests that are open."""
        for key, answer in answers.items() if isinstance(answers, dict) else ():
            if self.requests.pop(key, None) is not None:
                self.answers[key] = answer


class TaskTools:
    """The tools, and the tasks that they began."""

    def __init__(self) -> None:
        self.tasks: dict[str, Task] = {}
        self._lock = threading.Lock()
        self.behaviours = {
            "greet": self.greet,
            "slow_compute": self.slow_compute,
            "failing_job": self.failing_job,
            "protocol_error_job": self.protocol_error_job,
            "confirm_delete": self.confirm_delete,
            "multi_input": self.multi_input,
            "test_tool_with_task": self.ask_then_work,
        }

    def answer(self, method: str, params: Any, call: Call) -> bool:
        """Answer a request about a task of the modern era; return False if it is none of these."""
        if not call.modern or method not in ("tasks/get", "tasks/update", "tasks/cancel"):
            return False
        if not declares(call):
            self.refuse(call)
            return True
        task = self.tasks.get(params.get("taskId"))
        if task is None:
            return False
        if method == "tasks/get":
            call.result(task.shown())
            return True
        if method == "tasks/update":
            task.update(params.get("inputResponses"))
        elif task.shown()["status"] in ("working", "input_required"):
            task.cancelled = True
        call.result({})
        return True

    def refuse(self, call: Call) -> None:
        """Demand that the client declares tasks."""
        call.error(-32021, "Missing required client capability", {"requiredCapabilities": {"extensions": {TASKS: {}}}})

    def begin(
        self, call: Call, done: dict[str, Any], seconds: float = 0, requests: dict[str, Any] | None = None
    ) -> None:
        """Begin a task, or refuse a client that has not declared them."""
        if not declares(call):
            self.refuse(call)
            return
        with self._lock:
            task = Task(f"job-{len(self.tasks) + 1}", done, seconds, requests)
            self.tasks[task.id] = task
        shown = {key: value for key, value in task.shown().items() if key not in ("result", "error", "inputRequests")}
        call.result({"resultType": "task", **shown, "status": "working"})

    def greet(self, call: Call, arguments: Arguments) -> None:
        call.text_result(f"Hello, {arguments.get('name')}!")

    def slow_compute(self, call: Call, arguments: Arguments) -> None:
        done = {"content": [{"type": "text", "text": f"computed {arguments.get('label', '')}"}]}
        if declares(call):
            self.begin(call, done, float(arguments.get("seconds", 0)))
        else:
            call.cancelled.wait(float(arguments.get("seconds", 0)))
            call.result(done)

    def failing_job(self, call: Call, arguments: Arguments) -> None:
        self.begin(call, {"content": [{"type": "text", "text": "it failed"}], "isError": True}, 0.5)

    def protocol_error_job(self, call: Call, arguments: Arguments) -> None:
        self.begin(call, {"code": -32603, "message": "it crashed", "data": {"odd": [None]}}, 0.2)

    def confirm_delete(self, call: Call, arguments: Arguments) -> None:
        self.begin(call, {"content": [{"type": "text", "text": "deleted"}]}, 0, {"confirm": question("Delete?")})

    def multi_input(self, call: Call, arguments: Arguments) -> None:
        requests = {"first": question("First?"), "second": question("Second?")}
        self.begin(call, {"content": [{"type": "text", "text": "both"}]}, 0, requests)

    def ask_then_work(self, call: Call, arguments: Arguments) -> None:
        answers = call.params.get("inputResponses")
        if not declares(call):
            self.refuse(call)
        elif not isinstance(answers, dict) or "user_name" not in answers:
            asked = {"user_name": question("What is your name?")}
            call.result({"resultType": "input_required", "inputRequests": asked, "requestState": "named"})
        else:
            text = f"Hello, {text_of(answers['user_name'])}!"
            self.begin(call, {"content": [{"type": "text", "text": text}]})
