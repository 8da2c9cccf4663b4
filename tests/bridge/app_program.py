#!/usr/bin/env python3
"""A program that the bridge starts as "the app" in tests: ``app_program.py SETTINGS [ARGUMENT …]``.

SETTINGS is a JSON file: {"home", "seen": a file to which arguments and environment are appended, "delay": seconds until
it answers, "scenario": what it answers like (``tests/servers``)}. As the real app does, it takes a lock in ``run``; the
second one ends at once, with status 0.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import psutil

from tests.servers.http_server import HttpScenarioServer
from tests.servers.scenario import Scenario


def main() -> None:
    settings = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    run = Path(settings["home"]) / "run"
    run.mkdir(parents=True, exist_ok=True)
    seen = {"pid": os.getpid(), "arguments": sys.argv[2:], "environment": dict(os.environ), "session": os.getsid(0)}
    with Path(settings["seen"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(seen) + "\n")
    try:
        os.close(os.open(run / "app.lock", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    time.sleep(settings.get("delay", 0))
    server = HttpScenarioServer(0, Scenario({"http": {"token": "made-up"}, **settings.get("scenario", {})}))
    content = {
        "url": f"http://127.0.0.1:{server.server_address[1]}/mcp",
        "pid": os.getpid(),
        "startTime": psutil.Process().create_time(),
        "version": "1",
        "bridgeSecret": "made-up",
    }
    new = run / "endpoint.json.new"
    new.write_text(json.dumps(content), encoding="utf-8")
    new.replace(run / "endpoint.json")
    server.serve_forever()


if __name__ == "__main__":
    main()
