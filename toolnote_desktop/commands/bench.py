"""``toolnote bench``: whether notes lead a model to the right calls (docs/bench.md)."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import math
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from toolnote_desktop.bench.bench_file import Bench, read_bench, unknown_keys
from toolnote_desktop.bench.keys import OWNER, endpoint_of, key_name, read_key
from toolnote_desktop.bench.model_endpoint import ModelEndpoint
from toolnote_desktop.bench.run import SHARES, Estimate, OfferedTools, Report, estimate, offers, run_bench
from toolnote_desktop.bench.statistics import Difference, RunVerdict
from toolnote_desktop.commands import Command
from toolnote_desktop.commands.files import read_json
from toolnote_desktop.commands.library import open_library
from toolnote_desktop.commands.output import count, one_line, print_json, print_note, print_table, print_text
from toolnote_desktop.commands.secrets import store_secret
from toolnote_desktop.commands.tools import list_new_servers
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.store.secrets.store import SecretStore

KEY_VARIABLE: Final = "TOOLNOTE_BENCH_KEY"


def run(arguments: argparse.Namespace, home: Home) -> int:
    """Ask a model all prompts on both sides and print the figures; exit status 1 where the notes harm."""
    file = Path(arguments.file)
    content = read_json(file)
    bench = read_bench(content, str(file))
    if unknown := unknown_keys(content):
        print_note(f"{file}: left out, since a bench has no such keys: {one_line(', '.join(unknown[:5]))}")
    if arguments.toolset is not None:
        bench = replace(bench, toolset=arguments.toolset)
    with open_library(home) as library:
        Registry(library).apply(library.snapshot.servers)
        list_new_servers(library, home)
        settings = library.snapshot.settings
        sides = offers(bench, library.snapshot)
        url, api = endpoint_of(settings, arguments.endpoint, arguments.api)
        key = None if arguments.dry_run else os.environ.get(KEY_VARIABLE) or read_key(SecretStore.of(library), url)
    model = arguments.model or settings.bench_model
    takes = estimate(bench, sides, arguments.repeat, arguments.steps)
    price = arguments.price or settings.bench_price
    print_note(_estimate_text(takes, price))
    if arguments.dry_run:
        if arguments.json:
            print_json(_estimate_document(takes, price))
        return 0
    if not model:
        print_note("bench run: no model is named: add --model")
        return 2
    if not arguments.yes and not _is_confirmed():
        return 2
    report = asyncio.run(_measure(bench, sides, ModelEndpoint(url, api, model, key), arguments))
    if arguments.json:
        print_json({"model": model, "seed": arguments.seed, "repeat": arguments.repeat, **report_document(report)})
    else:
        _print_report(report, is_version=bench.version is not None)
    return 1 if report.verdict is RunVerdict.HARMS else 0


async def _measure(
    bench: Bench, sides: tuple[OfferedTools, OfferedTools], endpoint: ModelEndpoint, arguments: argparse.Namespace
) -> Report:
    shows = sys.stderr is not None and sys.stderr.isatty()

    def said(done: int, of: int) -> None:
        if shows:
            print(f"\r{done} of {of}", end="" if done < of else "\n", file=sys.stderr, flush=True)

    async with endpoint:
        drawn = {"repeats": arguments.repeat, "steps": arguments.steps, "seed": arguments.seed}
        return await run_bench(bench, sides, endpoint, **drawn, on_answer=said)


def _is_confirmed() -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        print_note("bench run: nothing was asked of the model: add --yes")
        return False
    print("Run it? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def key(arguments: argparse.Namespace, home: Home) -> int:
    """Store or delete the key of an endpoint."""
    with open_library(home) as library:
        url, _ = endpoint_of(library.snapshot.settings, arguments.endpoint, arguments.api)
        store, name = SecretStore.of(library), key_name(url)
        if arguments.remove:
            if not store.remove(OWNER, name):
                raise ToolnoteError(Code.SECRET_NOT_FOUND, server=OWNER, name=name)
            print_text(f"Deleted the key of {name}.")
            return 0
        if sys.stdin is None:
            value = ""
        elif sys.stdin.isatty():
            value = getpass.getpass(f"Key of {name}: ")
        else:
            value = sys.stdin.read().strip()
        if not value:
            print_note("bench key: no value on stdin")
            return 2
        store_secret(store, OWNER, name, value, arguments)
    print_text(f"Stored the key of {name}.")
    return 0


def _estimate_text(takes: Estimate, price: Sequence[float] | None) -> str:
    cost = f", about {takes.cost(*price):.{takes.cost_places(*price)}f} at these prices" if price else ""
    tokens = f"about {takes.tokens_in:,} tokens in and {takes.tokens_out:,} out"
    return f"{count(takes.requests, 'request')}, {tokens}{cost}"


def _estimate_document(takes: Estimate, price: Sequence[float] | None) -> JsonObject:
    found: JsonObject = {"requests": takes.requests, "tokensIn": takes.tokens_in, "tokensOut": takes.tokens_out}
    return {**found, "cost": round(takes.cost(*price), 4)} if price else found


def _print_report(report: Report, *, is_version: bool) -> None:
    heads = ("as it is", "new version") if is_version else ("without notes", "with notes")
    rows: list[tuple[str, ...]] = [("", *heads, "difference", "95 % interval")]
    rows += [(name, *_cells(found, is_share=name in SHARES)) for name, found in report.figures.items()]
    print_table(rows)
    if report.regressions:
        print_text(f"Worse than before: {', '.join(report.regressions)}")
    if report.cut:
        print_text(f"Answers that the endpoint cut off or refused: {report.cut} of {report.requests}")
    subject = "The new version" if is_version else "The notes"
    words = {
        RunVerdict.HELPS: f"{subject} {'helps' if is_version else 'help'}.",
        RunVerdict.HARMS: f"{subject} {'harms' if is_version else 'harm'}.",
        RunVerdict.NO_DIFFERENCE: "No difference seen.",
    }
    print_text(words[report.verdict])


def _cells(found: Difference, *, is_share: bool) -> tuple[str, ...]:
    def shown(value: float, *, sign: str = "") -> str:
        if math.isinf(value):
            return "?"
        return f"{100 * value:{sign}.0f} %" if is_share else f"{value:{sign}.1f}"

    interval = f"{shown(found.low, sign='+')} to {shown(found.high, sign='+')}"
    return shown(found.before), shown(found.after), shown(found.value, sign="+"), interval


def report_document(report: Report) -> JsonObject:
    """Return a report as JSON."""
    figures = {}
    for name, found in report.figures.items():
        low, high = (None if math.isinf(one) else round(one, 4) for one in (found.low, found.high))
        figures[name] = {
            "before": round(found.before, 4),
            "after": round(found.after, 4),
            "difference": round(found.value, 4),
            "interval": [low, high],
        }
    prompts = [
        {
            "id": one.prompt.id,
            "before": [outcome.success for outcome in one.before],
            "after": [outcome.success for outcome in one.after],
        }
        for one in report.results
    ]
    return {
        "verdict": str(report.verdict),
        "chance": round(report.chance, 4),
        "requests": report.requests,
        "cutOff": report.cut,
        "figures": figures,
        "regressions": list(report.regressions),
        "prompts": prompts,
    }


RUN: Final[Mapping[str, Command]] = {"run": run, "key": key}
