"""The table of what Toolnote can do with each client on each system, as just seen: ``test-artifacts/clients.md``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.assistants.importing.test_hypertool import applied, fill
from tests.assistants.machines import OURSELVES, USUAL, machines, put_sample, sample
from tests.conftest import ARTIFACTS
from toolnote_desktop.assistants.discovery import FoundClient, find_clients
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.importing.candidates import import_edits, merge_results, read_client
from toolnote_desktop.assistants.importing.hypertool import find_hypertool
from toolnote_desktop.assistants.importing.sources import scan_machine
from toolnote_desktop.assistants.installing.plan import apply, plan_install, plan_uninstall, undo
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.paths import Home

HEAD = """# Clients

What the tests saw Toolnote do with a real-looking configuration of each client: found with its servers, servers
imported, Toolnote put into the file with nothing else changed, and the file as it was before, byte for byte.
hypertool-mcp is no client: its servers, toolsets with notes, groups and personas are imported.

| client | system | find | import | install | undo |
| --- | --- | --- | --- | --- | --- |
"""


def look(environment: Environment, client: str) -> FoundClient:
    return next(one for one in find_clients(environment, OURSELVES) if one.client.id == client)


def found(environment: Environment, client: str, home: Home) -> bool:
    one = look(environment, client)
    return one.chosen is not None and bool(one.chosen.servers) and one.problem is None and not one.connected


def imported(environment: Environment, client: str, home: Home) -> bool:
    reading = merge_results([read_client(look(environment, client), OURSELVES)], {})
    return bool(import_edits(reading.candidates, {candidate.id for candidate in reading.candidates}))


def installed(environment: Environment, client: str, home: Home) -> bool:
    one = look(environment, client)
    if one.chosen is None:
        return False
    apply(plan_install(one.client, one.chosen.location.file, home, OURSELVES), home)
    now = look(environment, client)
    return now.chosen is not None and now.connected and now.chosen.servers == one.chosen.servers


def undone(environment: Environment, client: str, home: Home) -> bool:
    one = look(environment, client)
    if one.chosen is None:
        return False
    file, before = one.chosen.location.file, sample(client, environment.platform)
    plan = plan_uninstall(one.client, file, home, OURSELVES)
    apply(plan, home)
    restored = file.read_bytes() == before
    undo(plan, home)
    again = look(environment, client).connected
    apply(plan_uninstall(one.client, file, home, OURSELVES), home)
    return restored and again and file.read_bytes() == before


def hypertool(environment: Environment) -> dict[str, bool]:
    """Whether its folder is found, and everything in it imported."""
    folder = environment.home / ".toolprint" / "hypertool-mcp"
    fill(folder)
    offer = scan_machine(environment, OURSELVES, taken=(), now="2026-01-01T00:00:00Z")
    documents = applied(offer, {})
    servers = {"git", "git.lab", "time", "npm"}
    toolsets = {"coding", "daily-work", "web-dev-frontend", "web-dev-review"}
    whole = servers <= documents["servers.json"]["mcpServers"].keys()
    whole = whole and {f"toolsets/{name}.json" for name in toolsets} <= documents.keys()
    nameless = [one.parameters["line"] for one in offer.warnings] == ["11"]  # a toolset that cannot be named here
    return {
        "find": find_hypertool(environment) == folder,
        "import": whole and nameless and bool(documents["toolsets/coding.json"]["toolNotes"]),
    }


STEPS: Mapping[str, Callable[[Environment, str, Home], bool]] = {
    "find": found,
    "import": imported,
    "install": installed,
    "undo": undone,
}
SYSTEMS = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}


def test_client_table_covers_all_systems(tmp_path: Path) -> None:
    assert set(USUAL) == set(CLIENTS), "each known client has a sample"
    rows, missing = [], []
    for client in CLIENTS:
        (tmp_path / client).mkdir()
        for environment in machines(tmp_path / client):
            home = Home(environment.home / "toolnote")
            put_sample(environment, client)
            outcome = {name: step(environment, client, home) for name, step in STEPS.items()}
            missing += [(client, environment.platform, name) for name, good in outcome.items() if not good]
            cells = ["yes" if good else "no" for good in outcome.values()]
            rows.append(f"| {CLIENTS[client].name} | {SYSTEMS[environment.platform]} | {' | '.join(cells)} |\n")
    (tmp_path / "hypertool").mkdir()
    for environment in machines(tmp_path / "hypertool"):
        outcome = hypertool(environment)
        missing += [("hypertool-mcp", environment.platform, name) for name, good in outcome.items() if not good]
        cells = ["yes" if good else "no" for good in outcome.values()]
        rows.append(f"| hypertool-mcp | {SYSTEMS[environment.platform]} | {' | '.join(cells)} | – | – |\n")
    ARTIFACTS.mkdir(exist_ok=True)
    (ARTIFACTS / "clients.md").write_text(HEAD + "".join(rows), encoding="utf-8")
    assert missing == []
