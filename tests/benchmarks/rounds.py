"""Echoes, many at once, a megabyte and the list: each endpoint in turn, round after round.

Absolute times depend on the machine and on who else is at work on it. A ratio is taken within one round, where
everybody had the same; its median over the rounds is what is reported.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tests.benchmarks.client import HttpClient
from tests.benchmarks.endpoints import Endpoint

Round = dict[str, float]
"""Figure -> value."""


@dataclass(frozen=True)
class Plan:
    """How much of each in one round.

    Attributes:
        echoes: one after the other.
        seconds: with ``in_flight`` calls at once.
        kilobytes: the size of a large result, which is asked for ``large`` times.
        lists: one after the other, after one that is not timed: the large results before them have emptied caches.
    """

    rounds: int = 15
    echoes: int = 100
    seconds: float = 0.3
    in_flight: int = 32
    kilobytes: int = 1024
    large: int = 5
    lists: int = 30


async def measure(endpoints: Iterable[Endpoint], plan: Plan) -> dict[str, list[Round]]:
    """Name of the endpoint -> its rounds."""
    clients = [(endpoint, HttpClient(endpoint.port, token=endpoint.token)) for endpoint in endpoints]
    found: dict[str, list[Round]] = {endpoint.name: [] for endpoint, _ in clients}
    try:
        for endpoint, client in clients:
            await client.open()
            await _round(endpoint, client, plan)  # warm
        for number in range(plan.rounds):
            for endpoint, client in clients if number % 2 else clients[::-1]:
                found[endpoint.name].append(await _round(endpoint, client, plan))
    finally:
        for _, client in clients:
            client.close()
    return found


async def _round(endpoint: Endpoint, client: HttpClient, plan: Plan) -> Round:
    echoes = [await timed(lambda: client.echo(endpoint.echo, "one")) for _ in range(plan.echoes)]
    calls, p95, cpu = await many_at_once(endpoint, client, plan)
    blob = {"name": endpoint.blob, "arguments": {"kb": plan.kilobytes}}
    large = [await timed(lambda: client.ask("tools/call", blob)) for _ in range(plan.large)]
    await client.ask("tools/list")
    lists = [await timed(lambda: client.ask("tools/list")) for _ in range(plan.lists)]
    return {
        "echo p50, ms": statistics.median(echoes),
        f"calls/s at {plan.in_flight}": calls,
        f"p95 at {plan.in_flight}, ms": p95,
        "CPU per 1,000 calls, s": cpu,
        "1 MB result, ms": statistics.median(large),
        "tools/list, ms": statistics.median(lists),
    }


async def timed(work: Callable[[], object]) -> float:
    """Milliseconds that an awaitable takes."""
    before = time.perf_counter()
    await work()  # type: ignore[misc]
    return (time.perf_counter() - before) * 1000


async def many_at_once(endpoint: Endpoint, client: HttpClient, plan: Plan) -> tuple[float, float, float]:
    """Calls a second, the 95th percentile in milliseconds, and seconds of processor time for 1,000 calls."""
    took: list[float] = []
    cpu, began = endpoint.cpu(), time.perf_counter()

    async def caller(number: int) -> None:
        count = 0
        while time.perf_counter() - began < plan.seconds:
            count += 1
            mark = f"{number}-{count}"
            took.append(await timed(lambda mark=mark: client.echo(endpoint.echo, mark)))  # type: ignore[misc]

    await asyncio.gather(*(caller(number) for number in range(plan.in_flight)))
    seconds = time.perf_counter() - began
    return len(took) / seconds, percentile(took, 95), (endpoint.cpu() - cpu) / len(took) * 1000


def percentile(values: list[float], percent: float) -> float:
    """The value below which so many percent are."""
    return sorted(values)[min(len(values) - 1, int(len(values) * percent / 100))]


def ratios(rounds: list[Round], base: list[Round]) -> Round:
    """The median over the rounds of each figure's ratio to that of ``base`` in the same round."""
    return {
        figure: statistics.median(
            one[figure] / other[figure] for one, other in zip(rounds, base, strict=True) if other[figure]
        )
        for figure in rounds[0]
    }


def medians(rounds: list[Round]) -> Round:
    """The median of each figure."""
    return {figure: statistics.median(one[figure] for one in rounds) for figure in rounds[0]}
