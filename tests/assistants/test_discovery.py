"""Finding clients on three systems: which file is the live one, and what is in it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.assistants.machines import (
    EVIDENCE,
    FILE_IS_EVIDENCE,
    HOSTS,
    OURSELVES,
    PLATFORMS,
    USUAL,
    machine,
    machines,
    put,
    put_sample,
    sample,
    usual_file,
)
from toolnote_desktop.assistants.discovery import FoundClient, choose_config_file, find_clients
from toolnote_desktop.assistants.environment import Environment, current_environment
from toolnote_desktop.assistants.known_client import FileRole
from toolnote_desktop.assistants.registry import CLIENTS, known_client
from toolnote_desktop.error_messages import english
from toolnote_desktop.model.problem import Code, ToolnoteError

SERVERS: dict[str | tuple[str, str], tuple[str, ...]] = {
    ("claude-desktop", "linux"): ("filesystem", "github"),
    ("claude-desktop", "darwin"): ("git",),
    ("claude-desktop", "win32"): ("filesystem", "sqlite"),
    ("cursor", "linux"): ("linear", "context7", "git"),
    ("cursor", "darwin"): ("Sentry", "postgres"),
    ("cursor", "win32"): ("time",),
    ("vscode", "linux"): ("github", "playwright"),
    ("vscode", "darwin"): ("microsoft/markitdown",),
    ("vscode", "win32"): ("my-server", "events"),
    "claude-code": ("sentry", "git", "shop-db"),
    "windsurf": ("figma", "memory"),
    "cline": ("fetch", "docs"),
    "roo": ("docs",),
    "zed": ("git", "mcp-server-context7", "older"),
    "gemini-cli": ("docs", "events", "local"),
    "codex": ("docs", "build-tools", "issues"),
    "goose": ("github", "figma", "reports"),
    "continue": ("SQLite", "continuedev/github-mcp", "Docs"),
    "lm-studio": ("hf-mcp-server",),
    "amazon-q": ("markdown-tools",),
    "kiro": ("aws-docs",),
    "junie": ("time",),
    "copilot-cli": ("playwright",),
    "opencode": ("everything", "sentry"),
    "antigravity": ("docs", "chrome-devtools"),
    "qwen-code": ("docs", "git"),
    "zoo-code": ("docs",),
    "warp": ("git", "linear"),
    "kilo-code": ("everything", "docs"),
    "amp": ("playwright", "linear"),
    "crush": ("filesystem", "github"),
    "droid": ("linear", "playwright"),
    "kimi-cli": ("context7", "git"),
    "jan": ("fetch", "exa"),
    "anythingllm": ("postgres-http", "face-generator"),
    "witsy": ("@modelcontextprotocol/server-memory",),
    "grok-build": ("docs", "git"),
    "hermes": ("time", "company"),
}


def find(environment: Environment, client: str) -> FoundClient:
    return next(found for found in find_clients(environment, OURSELVES) if found.client.id == client)


@pytest.mark.parametrize("client", USUAL)
def test_a_client_is_found_with_its_servers_on_three_systems(tmp_path: Path, client: str) -> None:
    for environment in machines(tmp_path):
        file = put_sample(environment, client)
        found = find_clients(environment, OURSELVES)
        one = next(one for one in found if one.client.id == client)
        assert one.chosen is not None
        assert one.chosen.location.file == file
        assert one.chosen.servers == (SERVERS.get(client) or SERVERS[client, environment.platform])
        assert (one.chosen.own, one.connected, one.problem, one.notes) == ((), False, None, ())
        others = [other for other in found if other.client.id not in {client, *HOSTS.get(client, ())}]
        assert {other.problem.code for other in others if other.problem} == {Code.CLIENT_NOT_INSTALLED}
        assert not any(other.installed for other in others)
        assert file.read_bytes() == sample(client, environment.platform)
        file.unlink()  # a client that has no file yet is found too
        if client in EVIDENCE:
            (environment.home / EVIDENCE[client]).mkdir()
        again = find(environment, client)
        if client in FILE_IS_EVIDENCE:
            assert not again.installed
            continue
        assert again.chosen is not None
        assert (again.chosen.location.file, again.chosen.exists) == (usual_file(environment, client), False)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_on_an_empty_machine_nothing_is_installed(tmp_path: Path, platform: str) -> None:
    environment = machine(tmp_path, platform)
    assert [found.client.id for found in find_clients(environment, OURSELVES)] == list(CLIENTS)
    assert not any(found.installed for found in find_clients(environment, OURSELVES))
    with pytest.raises(ToolnoteError) as caught:
        choose_config_file(known_client("cursor"), environment)
    assert caught.value.problem.code is Code.CLIENT_NOT_INSTALLED
    assert not list(environment.home.iterdir())


def test_an_unknown_client_is_refused() -> None:
    with pytest.raises(ToolnoteError) as caught:
        known_client("emacs")
    assert caught.value.problem.code is Code.CLIENT_UNKNOWN


PACKAGES = "AppData/Local/Packages"
LIVE = f"{PACKAGES}/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json"
OTHER = f"{PACKAGES}/Claude_0000000000000/LocalCache/Roaming/Claude/claude_desktop_config.json"
CLASSIC = "AppData/Roaming/Claude/claude_desktop_config.json"


def test_the_packaged_claude_reads_its_own_folder_and_the_old_one_is_named(tmp_path: Path) -> None:
    environment = machine(tmp_path, "win32")
    (environment.home / LIVE).parent.parent.parent.mkdir(parents=True)  # installed, never started
    old = put(environment.home / CLASSIC, '{"mcpServers": {"old": {"command": "x"}}}')
    file, notes = choose_config_file(known_client("claude-desktop"), environment)
    assert file == environment.home / LIVE
    assert [note.code for note in notes] == [Code.CLIENT_FILE_CHOSEN]
    assert str(old) in english(notes[0])
    found = find(environment, "claude-desktop")
    assert [(at.location.role, at.servers) for at in found.files] == [(FileRole.LIVE, ()), (FileRole.DEAD, ("old",))]


def test_only_the_classic_claude(tmp_path: Path) -> None:
    environment = machine(tmp_path, "win32")
    put(environment.home / CLASSIC, "{}")
    assert choose_config_file(known_client("claude-desktop"), environment) == (environment.home / CLASSIC, ())


def test_both_builds_of_claude_are_a_question(tmp_path: Path) -> None:
    environment = machine(tmp_path, "win32")
    put(environment.home / LIVE, "{}")
    put(environment.home / CLASSIC, "{}")
    put(environment.home / "AppData/Local/AnthropicClaude/claude.exe", "")
    with pytest.raises(ToolnoteError) as caught:
        choose_config_file(known_client("claude-desktop"), environment)
    assert caught.value.problem.code is Code.CLIENT_FILE_AMBIGUOUS
    assert str(environment.home / LIVE) in english(caught.value.problem)
    assert str(environment.home / CLASSIC) in english(caught.value.problem)
    assert len(find(environment, "claude-desktop").files) == 2


def test_of_two_packages_the_one_in_use_is_chosen_and_two_in_use_are_a_question(tmp_path: Path) -> None:
    environment = machine(tmp_path, "win32")
    put(environment.home / LIVE, "{}")
    other = environment.home / OTHER
    other.parent.mkdir(parents=True)
    assert choose_config_file(known_client("claude-desktop"), environment)[0] == environment.home / LIVE
    put(other, "{}")
    with pytest.raises(ToolnoteError) as caught:
        choose_config_file(known_client("claude-desktop"), environment)
    assert caught.value.problem.code is Code.CLIENT_FILE_AMBIGUOUS


def test_claudes_lower_case_folder_on_linux_counts_only_with_a_file_in_it(tmp_path: Path) -> None:
    environment = machine(tmp_path, "linux")
    client = known_client("claude-desktop")
    lower = environment.home / ".config/claude/claude_desktop_config.json"
    lower.parent.mkdir(parents=True)
    assert not find(environment, "claude-desktop").installed
    put(lower, "{}")
    assert choose_config_file(client, environment)[0] == lower
    usual = usual_file(environment, "claude-desktop")
    usual.parent.mkdir()
    assert choose_config_file(client, environment)[0] == lower
    put(usual, "{}")
    with pytest.raises(ToolnoteError) as caught:
        choose_config_file(client, environment)
    assert caught.value.problem.code is Code.CLIENT_FILE_AMBIGUOUS
    lower.unlink()
    lower.symlink_to(usual)
    assert choose_config_file(client, environment)[0] == usual


@pytest.mark.parametrize("platform", PLATFORMS)
def test_profiles_and_editions_of_vs_code_are_seen_and_the_usual_file_is_chosen(tmp_path: Path, platform: str) -> None:
    environment = machine(tmp_path, platform)
    usual = put_sample(environment, "vscode")
    profiles = [
        {"location": "-1f2e3d", "name": "Work"},
        {"location": "4a5b6c", "name": "Shared", "useDefaultFlags": {"mcp": True}},
        {"location": "../../../x", "name": "Elsewhere"},
        {"name": "Nowhere"},
        7,
    ]
    put(usual.parent / "globalStorage/storage.json", json.dumps({"userDataProfiles": profiles}))
    work = put(usual.parent / "profiles/-1f2e3d/mcp.json", '{"servers": {"w": {"command": "x"}}}')
    insiders = put(usual.parents[2] / "Code - Insiders/User/mcp.json", "{}")
    found = find(environment, "vscode")
    assert [(at.location.file, at.location.label) for at in found.files] == [
        (usual, ""),
        (work, "profile Work"),
        (insiders, "Code - Insiders"),
    ]
    assert found.chosen is found.files[0]
    assert found.files[1].servers == ("w",)
    assert "profile Work" in english(found.notes[0])


def test_a_portable_vs_code(tmp_path: Path) -> None:
    folder = tmp_path / "usb"
    user = folder / "user-data" / "User"
    user.mkdir(parents=True)
    environment = Environment(machine(tmp_path, "linux").home, "linux", {"VSCODE_PORTABLE": str(folder)})
    assert choose_config_file(known_client("vscode"), environment)[0] == user / "mcp.json"


def test_folders_that_variables_name(tmp_path: Path) -> None:
    xdg = tmp_path / "xdg"
    put(xdg / "Claude" / "claude_desktop_config.json", "{}")
    environment = Environment(tmp_path / "ada", "linux", {"XDG_CONFIG_HOME": str(xdg)})
    assert choose_config_file(known_client("claude-desktop"), environment)[0].parent == xdg / "Claude"
    relative = Environment(tmp_path / "ada", "linux", {"XDG_CONFIG_HOME": "xdg"})
    assert relative.xdg_config == tmp_path / "ada" / ".config"


SEVERAL = [
    ("windsurf", [".codeium/windsurf/mcp_config.json", ".codeium/mcp_config.json"]),
    ("windsurf", [".codeium/mcp_config.json"]),
    (
        "cline",
        [
            ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            ".config/VSCodium/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            ".cline/data/settings/cline_mcp_settings.json",
        ],
    ),
    ("cline", [".cline/data/settings/cline_mcp_settings.json"]),
    ("amazon-q", [".aws/amazonq/agents/default.json", ".aws/amazonq/mcp.json"]),
    ("opencode", [".config/opencode/opencode.jsonc", ".config/opencode/opencode.json"]),
    ("lm-studio", [".cache/lm-studio/mcp.json"]),
    ("windsurf", [".config/devin/mcp_config.json", ".codeium/windsurf/mcp_config.json"]),
    ("antigravity", [".gemini/config/mcp_config.json", ".gemini/antigravity/mcp_config.json"]),
    ("antigravity", [".gemini/antigravity/mcp_config.json"]),
    ("kilo-code", [".config/kilo/kilo.jsonc", ".config/kilo/kilo.json"]),
    ("amp", [".config/amp/settings.json", ".config/amp/settings.jsonc"]),
    ("kimi-cli", [".kimi-code/mcp.json", ".kimi/mcp.json"]),
    ("kimi-cli", [".kimi/mcp.json"]),
]


@pytest.mark.parametrize(("client", "files"), SEVERAL)
def test_of_several_files_the_first_is_chosen_and_the_others_are_told(
    tmp_path: Path, client: str, files: list[str]
) -> None:
    environment = machine(tmp_path, "linux")
    for file in reversed(files):
        put(environment.home / file, "{}")
    found = find(environment, client)
    assert [str(at.location.file.relative_to(environment.home)) for at in found.files] == files
    assert found.chosen is found.files[0]
    told = " ".join(map(english, found.notes))
    assert all(str(environment.home / file) in told for file in files[1:])


@pytest.mark.parametrize(
    ("client", "variable", "file"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
        ("copilot-cli", "COPILOT_HOME", "mcp-config.json"),
        ("codex", "CODEX_HOME", "config.toml"),
        ("continue", "CONTINUE_GLOBAL_DIR", "config.yaml"),
        ("cline", "CLINE_DIR", "settings/cline_mcp_settings.json"),
        ("kimi-cli", "KIMI_CODE_HOME", "mcp.json"),
        ("hermes", "HERMES_HOME", "config.yaml"),
        ("grok-build", "GROK_HOME", "config.toml"),
        ("jan", "JAN_DATA_FOLDER", "mcp_config.json"),
    ],
)
def test_a_folder_of_its_own_by_a_variable(tmp_path: Path, client: str, variable: str, file: str) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    environment = Environment(machine(tmp_path, "linux").home, "linux", {variable: str(folder)})
    assert choose_config_file(known_client(client), environment)[0] == folder / file


PROGRAMS = {
    "claude-code": "claude",
    "codex": "codex",
    "gemini-cli": "gemini",
    "qwen-code": "qwen",
    "copilot-cli": "copilot",
    "opencode": "opencode",
    "kilo-code": "kilo",
    "antigravity": "agy",
    "droid": "droid",
    "kimi-cli": "kimi",
    "grok-build": "grok",
    "hermes": "hermes",
    "continue": "cn",
    "warp": "warp-terminal",
}


@pytest.mark.parametrize("client", PROGRAMS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_program_on_the_path_that_was_never_started_is_found(tmp_path: Path, platform: str, client: str) -> None:
    """Red without ``has_program``: no folder of the client exists, as after ``npm install -g``."""
    plain = machine(tmp_path, platform)
    bin_folder = tmp_path / "bin"
    path = f"relative;{bin_folder}" if platform == "win32" else f"relative{os.pathsep}{bin_folder}"
    environment = Environment(plain.home, platform, {**plain.variables, "PATH": path})
    assert not find(environment, client).installed
    put(bin_folder / (f"{PROGRAMS[client]}.cmd" if platform == "win32" else PROGRAMS[client]), "")
    found = find(environment, client)
    assert found.chosen is not None
    assert (found.chosen.location.file, found.chosen.exists) == (usual_file(environment, client), False)
    assert [one.client.id for one in find_clients(environment, OURSELVES) if one.installed] == [client]


def test_a_program_in_the_users_own_folder_is_found(tmp_path: Path) -> None:
    environment = machine(tmp_path, "linux")
    put(environment.home / ".local/bin/claude", "")
    assert find(environment, "claude-code").installed


@pytest.mark.parametrize("platform", PLATFORMS)
def test_antigravity_in_geminis_folder_is_not_gemini(tmp_path: Path, platform: str) -> None:
    environment = machine(tmp_path, platform)
    put_sample(environment, "antigravity")
    put(environment.home / ".gemini/antigravity-cli/settings.json", "{}")
    assert [one.client.id for one in find_clients(environment, OURSELVES) if one.installed] == ["antigravity"]
    put(environment.home / ".gemini/oauth_creds.json", "{}")
    assert find(environment, "gemini-cli").installed


def test_crush_with_its_script_is_left_alone(tmp_path: Path) -> None:
    environment = machine(tmp_path, "linux")
    put_sample(environment, "crush")
    assert find(environment, "crush").installed
    put(environment.home / ".config/crush/crushrc", "mcp add docs --type http --url https://docs.example.com/mcp")
    assert not find(environment, "crush").installed


def test_kilo_codes_older_file_is_read_and_not_written(tmp_path: Path) -> None:
    environment = machine(tmp_path, "linux")
    older = ".config/Code/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json"
    put(environment.home / older, '{"mcpServers": {"git": {"command": "uvx"}}}')
    found = find(environment, "kilo-code")
    assert found.problem is not None
    assert (found.problem.code, found.files[0].servers) == (Code.CLIENT_FILE_OLD, ("git",))
    put_sample(environment, "kilo-code")
    assert find(environment, "kilo-code").chosen is not None


def test_jan_with_its_data_elsewhere(tmp_path: Path) -> None:
    environment = machine(tmp_path, "linux")
    moved = put(tmp_path / "disk/jan/mcp_config.json", "{}")
    put(environment.home / ".local/share/Jan/settings.json", json.dumps({"data_folder": str(moved.parent)}))
    assert choose_config_file(known_client("jan"), environment)[0] == moved


def test_goose_in_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "goose" / "config").mkdir(parents=True)
    variables = {"GOOSE_PATH_ROOT": str(tmp_path / "goose")}
    environment = Environment(machine(tmp_path, "win32").home, "win32", variables)
    assert choose_config_file(known_client("goose"), environment)[0] == tmp_path / "goose/config/config.yaml"


def test_continues_older_file_is_never_put_out_of_use(tmp_path: Path) -> None:
    environment = machine(tmp_path, "linux")
    older = put(environment.home / ".continue/config.json", '{"models": []}')
    with pytest.raises(ToolnoteError) as caught:
        choose_config_file(known_client("continue"), environment)
    assert caught.value.problem.code is Code.CLIENT_FILE_OLD
    assert str(older) in english(caught.value.problem)
    assert find(environment, "continue").installed
    put_sample(environment, "continue")
    put(environment.home / ".continue/mcpServers/extra.json", '{"mcpServers": {"j": {"command": "x"}}}')
    put(environment.home / ".continue/mcpServers/more.yaml", "mcpServers:\n- name: y\n  command: x\n")
    put(environment.home / ".continue/mcpServers/README.md", "no file of servers")
    found = find(environment, "continue")
    assert [(at.location.label, at.servers) for at in found.files[1:]] == [("extra", ("j",)), ("more", ("y",))]
    assert found.chosen is found.files[0]


UNREADABLE = [
    (b'{\n  "mcpServers": {\n    "a": {"command": "x"}\n', "line 4"),
    (b'{"mcpServers": {"a": "\xff\xff"}}', "line 1: not UTF-8"),
    (b"\xff\xfe{", "line 1: not UTF-16"),
]


OTHERS_UNREADABLE = [
    ("codex", b'[mcp_servers.a]\ncommand = "x"\n\n[mcp_servers.b]\ncommand = \n', "line 5: invalid value"),
    ("goose", b'extensions:\n  a:\n    cmd: "x\n', "line 3: found unexpected end of stream"),
    ("continue", b"mcpServers: [\n", "line 2"),
]


@pytest.mark.parametrize(("client", "data", "reason"), OTHERS_UNREADABLE)
def test_other_formats_that_cannot_be_read(tmp_path: Path, client: str, data: bytes, reason: str) -> None:
    environment = machine(tmp_path, "linux")
    put(usual_file(environment, client), data)
    found = find(environment, client).chosen
    assert found is not None
    assert found.problem is not None
    assert reason in english(found.problem)


@pytest.mark.parametrize(("data", "reason"), UNREADABLE)
def test_a_file_that_cannot_be_read_is_a_value_and_hides_nobody(tmp_path: Path, data: bytes, reason: str) -> None:
    environment = machine(tmp_path, "linux")
    file = put(usual_file(environment, "cursor"), data)
    put_sample(environment, "vscode")
    found = find(environment, "cursor")
    assert found.chosen is not None
    problem = found.chosen.problem
    assert problem is not None
    assert problem.code is Code.CLIENT_FILE_UNREADABLE
    assert str(file) in english(problem)
    assert reason in english(problem)
    assert find(environment, "vscode").chosen is not None
    assert file.read_bytes() == data


def test_a_folder_and_a_pipe_in_the_place_of_a_file(tmp_path: Path) -> None:
    environment = machine(tmp_path, "linux")
    file = usual_file(environment, "cursor")
    file.mkdir(parents=True)
    found = find(environment, "cursor").chosen
    assert found is not None
    assert found.problem is not None
    assert found.problem.parameters["reason"] == "not an ordinary file"
    if sys.platform != "win32":
        file.rmdir()
        os.mkfifo(file)
        again = find(environment, "cursor").chosen
        assert again is not None
        assert again.problem == found.problem


def test_odd_shapes_have_no_servers(tmp_path: Path) -> None:
    environment = machine(tmp_path, "linux")
    for text in ("", "[]", "null", '{"mcpServers": []}', '{"mcpServers": null}', "// nothing\n"):
        put(usual_file(environment, "cursor"), text)
        found = find(environment, "cursor").chosen
        assert found is not None
        assert (found.servers, found.own, found.problem) == ((), (), None), text


def test_looking_starts_nothing_and_writes_nothing(tmp_path: Path) -> None:
    environment = machine(tmp_path, "linux")
    for client in CLIENTS:
        put_sample(environment, client)
    seen: list[str] = []
    watching = True

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if not watching:
            return  # a hook cannot be taken away again
        if event.startswith(("subprocess.", "socket.", "os.")) and event not in ("os.listdir", "os.scandir"):
            seen.append(event)
        if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
            seen.append(f"{event} {arguments[0]}")

    sys.addaudithook(watch)
    try:
        found = find_clients(environment, OURSELVES)
    finally:
        watching = False
    assert all(client.installed for client in found)
    assert seen == []


def test_this_machine(user_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/sbin")
    environment = current_environment()
    assert environment.home == user_folder
    assert environment.platform == sys.platform
    assert not any(found.installed for found in find_clients(environment, OURSELVES))
