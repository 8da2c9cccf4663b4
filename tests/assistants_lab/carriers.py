"""Carriers of guidance in real assistants: what the scripted model is sent of a skill, of rules and of a plugin."""

from __future__ import annotations

import datetime
import json
import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.assistants_lab.__main__ import ROOT, TOOLS, Lab, end_with_home, version_of
from tests.assistants_lab.programs import Program
from tests.assistants_lab.scripted_model import Request, Script, ScriptedModel, Step
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.publishing.places import PLACES, install_command
from toolnote_desktop.publishing.records import Carrier, Publication

PAGE = ROOT / "docs" / "carriers.md"
HEADINGS = ("assistant", "version", "skill listed", "rules whole", "plugin installed", "tool called through it")
SKILL = "How the user wants the tools of"
RULES = "The user's own words on the tools of"


def run_carriers(programs: Sequence[Program], node: str, *, writes: bool) -> int:
    """Measure the assistants that read files of ours, print the table, and write it into docs/carriers.md."""
    rows = []
    for program in programs:
        if program.id in PLACES:
            rows.append(measure_carriers(program, node))
            print(" | ".join(rows[-1]), flush=True)
    if writes:
        lines = [HEADINGS, ["---"] * len(HEADINGS), *rows]
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        text = f"Run on {today}.\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)
        begin, end = "<!-- carriers -->", "<!-- /carriers -->"
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
        PAGE.write_text(f"{before}{begin}\n{text}{end}{rest.partition(end)[2]}", encoding="utf-8")
    return 0 if all(cell != "no" for row in rows for cell in row) else 1


def measure_carriers(program: Program, node: str) -> list[str]:
    """Publish for an assistant, run it, and return its row."""
    places = PLACES[program.id]
    with (
        tempfile.TemporaryDirectory(prefix="toolnote-lab-", ignore_cleanup_errors=True) as folder,
        ScriptedModel() as model,
    ):
        lab = Lab(Path(folder), node)
        try:
            (Path(folder) / "bin" / program.script).symlink_to(TOOLS / ".bin" / program.script)
            lab.prepare()
            lab.toolnote("clients", "install", program.id)
            program.settings(lab.person, model.url)
            for carrier in ("skill", "rules"):
                lab.toolnote("publish", "lab", f"--{carrier}", "--client", program.id)
            sent = [_text(one) for one in _run(lab, program, model, "files")]
            cells = [_yes(any(SKILL in text for text in sent)), _yes(any(_is_whole(text) for text in sent))]
            if places.plugins != ".":
                return [CLIENTS[program.id].name, version_of(program), *cells, "—", "—"]
            for carrier in ("skill", "rules"):
                lab.toolnote("publish", "lab", f"--{carrier}", "--client", program.id, "--remove")
            lab.toolnote("clients", "uninstall", program.id)
            lab.toolnote("publish", "lab", "--plugin", "--client", program.id)
            path = lab.home / "plugins" / program.id / "lab" / "toolnote-lab"
            for command in install_command(Publication(Carrier.PLUGIN, str(path), "lab", program.id)).split(" && "):
                lab.run(program, shlex.split(command)[1:], model.url)
            requests = _run(lab, program, model, "plugin")
            called = requests[-1].results if requests else []
            cells += [_yes(any(SKILL in _text(one) for one in requests)), _yes("first" in " ".join(called))]
            return [CLIENTS[program.id].name, version_of(program), *cells]
        finally:
            lab.stop()
            end_with_home(lab.person)


def _run(lab: Lab, program: Program, model: ScriptedModel, what: str) -> Sequence[Request]:
    mark = f"lab-{program.id}-{what}"
    model.script = Script(mark, [Step("lab_echo", {"text": "first"})])
    prompt = f"{mark}: call the tools that you are told to."
    lab.run(program, [one.format(prompt=prompt, folder=lab.person) for one in program.arguments], model.url)
    return model.script.requests


def _text(request: Request) -> str:
    return json.dumps(request.body, ensure_ascii=False)


def _is_whole(text: str) -> bool:
    """Return True if a text has the block of rules with the whole note."""
    start = text.find(RULES)
    return start >= 0 and "END-V1" in text[start : start + 2000]


def _yes(seen: bool) -> str:
    return "yes" if seen else "no"
