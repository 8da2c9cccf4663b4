"""Other people's files with anything in them: previewed, taken over or refused with a reason, never a crash."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.inputs import VALUES, json_texts, mutated, spoilt
from tests.fuzz.profiles import examples
from tests.fuzz.test_documents import SAMPLES, command
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.add_servers.deep_link import read_link
from toolnote_desktop.paths import Home

CLIENT_FILES = sorted((Path(__file__).parent.parent / "assistants" / "samples").glob("*/*.*"))
PERSONA = "name: p\ndescription: a persona\ntoolsets:\n  - name: work\n    toolIds: [a.t]\ndefaultToolset: work\n"
HYPERTOOL: dict[str, Any] = {
    "toolsets": {"dev": SAMPLES["toolsets/work.json"]},
    "mcpServers": {"a": {"type": "stdio", "command": "x", "args": []}},
    "lastEquippedToolset": "dev",
}
HANDED_ON = {**SAMPLES["toolsets/work.json"], **SAMPLES["servers.json"]}
NOTES = {"toolNotes": SAMPLES["toolsets/work.json"]["toolNotes"], "version": 1}


@pytest.mark.parametrize("ending", [".json", ".jsonc", ".toml", ".yaml"])
def test_configurations_of_clients(home: Home, tmp_path: Path, ending: str) -> None:
    samples = [file.read_bytes() for file in CLIENT_FILES if file.suffix == ending]
    file = tmp_path / f"mcp{ending}"

    @examples(50)
    @given(spoilt(spoilt(st.sampled_from(samples))))
    def check(data: bytes) -> None:
        file.write_bytes(data)
        command("servers", "import", str(file), "--dry-run")
        command("clients", "install", "codex" if ending == ".toml" else "cursor", "--config", str(file), "--dry-run")
        assert file.read_bytes() == data

    check()


@pytest.mark.parametrize(
    ("words", "name", "sample"),
    [
        (("servers", "import"), "servers.json", SAMPLES["servers.json"]),
        (("toolset", "import"), "work.toolnote", HANDED_ON),
        (("toolset", "import"), "config.json", HYPERTOOL),
        (("note", "import"), "notes.json", NOTES),
    ],
)
def test_exported_files_import_again(
    home: Home, tmp_path: Path, words: tuple[str, ...], name: str, sample: Any
) -> None:
    file = tmp_path / name

    @examples(40)
    @given(json_texts(mutated(sample) | VALUES))
    def check(data: bytes) -> None:
        file.write_bytes(data)
        command(*words, str(file))
        command("toolset", "list", "--json")

    check()


def test_folders_of_hypertool(home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "persona"
    (folder / "assets").mkdir(parents=True)

    @examples(40)
    @given(spoilt(spoilt(st.just(PERSONA.encode()))), json_texts(mutated(SAMPLES["servers.json"])))
    def check(persona: bytes, servers: bytes) -> None:
        (folder / "persona.yaml").write_bytes(persona)
        (folder / "mcp.json").write_bytes(servers)
        command("toolset", "import", str(folder))

    check()


SNIPPETS = json_texts(mutated(SAMPLES["servers.json"]) | mutated(SAMPLES["servers.json"]["mcpServers"]["a"]))


@examples(150)
@given(
    st.text(max_size=60) | SNIPPETS.map(lambda data: base64.b64encode(data).decode()), st.text(max_size=20), st.data()
)
def test_links(config: str, name: str, data: st.DataObject) -> None:
    form = data.draw(
        st.sampled_from(
            [
                "toolnote://add-server?name={name}&config={config}",
                "toolnote://add-server?config={config}",
                "toolnote://add-server?url={config}&name={name}",
                "toolnote:add-server?{config}",
                "TOOLNOTE://[{name}?{config}",
                "{config}",
                "toolnote://{name}/{config}#{name}",
            ]
        )
    )
    reading = read_link(form.format(name=name, config=config), ToolnoteIdentity())
    assert reading.candidates or reading.warnings


WORDS = [
    *(
        "servers",
        "toolset",
        "note",
        "clients",
        "guide",
        "list",
        "show",
        "add",
        "edit",
        "remove",
        "move",
        "create",
        "equip",
    ),
    *("export", "import", "install", "uninstall", "enable", "disable", "delete", "unequip", "add-tool", "remove-tool"),
    *(
        "--json",
        "--home",
        "--toolset",
        "--everywhere",
        "--dry-run",
        "--help",
        "--env",
        "--header",
        "--url",
        "--command",
    ),
    *(
        "--client",
        "--task",
        "--detail",
        "--config",
        "--all",
        "--server",
        "--",
        "-",
        "work",
        "a",
        "a.t",
        "cursor",
        "n",
        "1",
    ),
]
NEVER = {"gui", "serve", "bridge", "test", "tools", "doctor", "demo-server"}
"""They open a window or start servers: what is added here is not to be run."""


def test_arguments_of_commands(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where a word that is taken for a file is looked for, and written

    @examples(250)
    @given(st.lists(st.sampled_from(WORDS) | st.text(max_size=10), min_size=1, max_size=7))
    def check(words: list[str]) -> None:
        words = [word.replace("\x00", "").replace("/", "_") for word in words]  # no program can be given the first
        if not NEVER.intersection(words) and words[0] in WORDS[:5]:
            command(*words)

    check()
