"""Pages that servers want opened (elicitation, mode ``url``), for clients that cannot: our window offers them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.proxy.live import Live, ModernClient, live_call
from tests.proxy.running import TOOLSET, Running, raw_server, running
from tests.waiting import wait_until
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.events import PageAction, PageOffered, PageWithdrawn
from toolnote_desktop.proxy.page_offers import MOST_OF_SERVER, MOST_OFFERED, with_pages

ASKING = Path(__file__).parents[2] / "servers" / "asking_server.py"
URL = "https://example.org/sign-in?state=1"
TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("ask", "error", "raw_result")]
FORM: dict[str, Any] = {"elicitation": {"form": {}}}


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    entries = {era: raw_server(tools=TOOLS, era=era, name=era) for era in ("handshake", "modern")}
    with running(Home(tmp_path_factory.mktemp("home")), entries, has_window=True) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 6)
        yield proxy


@pytest.fixture(autouse=True)
def fresh(proxy: Running) -> None:
    proxy.events.clear()


def page(url: str = URL, elicitation: str = "e-1") -> dict[str, Any]:
    params = {"mode": "url", "message": "Sign in to go on", "elicitationId": elicitation, "url": url}
    return {"method": "elicitation/create", "params": params}


def begun(proxy: Running, client: str, tool: str, arguments: dict[str, Any], capabilities: dict[str, Any]) -> Live:
    """A call of a client of an era, whose answer is read as it comes."""
    if client == "modern":
        return ModernClient(proxy.endpoint.url, proxy.endpoint.token, capabilities).live_call(tool, arguments)
    raw = proxy.client()
    raw.initialize(capabilities, version="2025-11-25")
    return live_call(raw, tool, arguments)


def offered(proxy: Running) -> list[PageOffered]:
    return [event for event in proxy.events if isinstance(event, PageOffered)]


@pytest.mark.parametrize("capabilities", [{}, FORM], ids=["nothing", "forms"])
@pytest.mark.parametrize("server", ["handshake", "modern"])
@pytest.mark.parametrize("client", ["handshake", "modern"])
def test_the_window_answers_for_a_client_that_cannot(
    proxy: Running, client: str, server: str, capabilities: dict[str, Any]
) -> None:
    """Seen red: without ``offer_page`` the server gets an error, without ``_send_with_pages`` it asks for nothing."""
    for action in get_args(PageAction):
        proxy.events.clear()
        call = begun(proxy, client, f"{server}_ask", page(), capabilities)
        wait_until(lambda: bool(offered(proxy)))
        (offer,) = offered(proxy)
        assert (offer.server, offer.url, offer.message) == (server, URL, "Sign in to go on")
        proxy.thread.answer_page(offer.number, action)
        assert f'"action":"{action}"' in call.result()["content"][0]["text"].replace(" ", "")
        assert call.of("elicitation/create") == []


@pytest.mark.parametrize("server", ["handshake", "modern"])
@pytest.mark.parametrize("client", ["handshake", "modern"])
def test_other_addresses_are_refused_and_never_offered(proxy: Running, client: str, server: str) -> None:
    answer = begun(proxy, client, f"{server}_ask", page("javascript:alert(1)"), {}).answer()
    assert "not http or https" in str(answer)
    assert offered(proxy) == []


@pytest.mark.parametrize("server", ["handshake", "modern"])
def test_an_offer_is_withdrawn_with_its_call(proxy: Running, server: str) -> None:
    """Seen red: with the offer left open when its call is cancelled."""
    call = begun(proxy, "modern", f"{server}_ask", page(), {})
    wait_until(lambda: bool(offered(proxy)))
    call.close()
    (offer,) = offered(proxy)
    wait_until(lambda: PageWithdrawn(offer.number) in proxy.events)
    proxy.thread.answer_page(offer.number, "accept")  # too late, and harmless


def test_a_page_that_an_error_demands_is_offered_beside_the_error(proxy: Running) -> None:
    """Seen red: without ``show_demanded``."""
    error = {"code": -32042, "message": "Sign in first", "data": {"elicitations": [page()["params"]]}}
    answer = begun(proxy, "handshake", "handshake_error", error, {}).answer()
    assert answer["error"] == error
    wait_until(lambda: bool(offered(proxy)))
    (offer,) = offered(proxy)
    assert offer.url == URL
    proxy.thread.answer_page(offer.number, "accept")


def test_a_client_that_can_is_asked_itself(proxy: Running) -> None:
    call = begun(proxy, "handshake", "handshake_ask", page(), {"elicitation": {"url": {}}})
    call.wait("elicitation/create")
    assert offered(proxy) == []
    call.close()


@pytest.mark.parametrize("client", ["handshake", "modern"])
def test_pages_among_other_questions_are_offered_once(proxy: Running, client: str) -> None:
    """A server that asks again for all of them gets the client's own answer, or its error."""
    wire = {"resultType": "input_required", "inputRequests": {"page": page(), "who": {"method": "roots/list"}}}
    call = begun(proxy, client, "modern_raw_result", {"text": json.dumps(wire)}, {})
    wait_until(lambda: bool(offered(proxy)))
    (offer,) = offered(proxy)
    proxy.thread.answer_page(offer.number, "accept")
    answer = call.answer()
    assert (answer.get("error") is not None) == (client == "handshake")
    assert len(offered(proxy)) == 1


def test_a_flood_of_pages_is_answered(proxy: Running) -> None:
    """Seen red: without the limit."""
    calls = [begun(proxy, "modern", "modern_ask", page(), {}) for _ in range(MOST_OF_SERVER + 1)]
    wait_until(lambda: sum(call.ended for call in calls) == 1)
    assert len(offered(proxy)) == MOST_OF_SERVER < MOST_OFFERED
    other = begun(proxy, "handshake", "handshake_ask", page(), {})
    wait_until(lambda: [offer.server for offer in offered(proxy)].count("handshake") == 1)
    for offer in offered(proxy):
        proxy.thread.answer_page(offer.number, "decline")
    actions = sorted(call.result()["content"][0]["text"].count("decline") for call in calls)
    assert actions == [0, *[1] * MOST_OF_SERVER]
    assert "decline" in other.result()["content"][0]["text"]


def test_pages_that_errors_demand_make_room_for_newer_ones(proxy: Running) -> None:
    """Seen red: without room made, 16 errors of a server took the pages of all others away."""
    for number in range(2 * MOST_OFFERED):
        data = {"elicitations": [page(f"{URL}&{number // 2}")["params"]]}
        begun(proxy, "handshake", "handshake_error", {"code": -32042, "message": "x", "data": data}, {}).answer()
    wait_until(lambda: len(offered(proxy)) == MOST_OFFERED)
    gone = [event.number for event in proxy.events if isinstance(event, PageWithdrawn)]
    left = [offer for offer in offered(proxy) if offer.number not in gone]
    assert [offer.url for offer in left] == [f"{URL}&{number}" for number in range(MOST_OFFERED)][-MOST_OF_SERVER:]
    for offer in left:
        proxy.thread.answer_page(offer.number, "decline")


def test_the_sdks_own_server(home: Home) -> None:
    """The question of ``ctx.elicit_url`` is answered by the user; in the modern era that server cannot ask it."""
    entry = {"command": sys.executable, "args": [str(ASKING)], "toolnote": {"toolset": TOOLSET, "prefix": ""}}
    with running(home, {"sdk": entry}, has_window=True) as proxy:
        call = begun(proxy, "handshake", "ask_url", {}, {})
        wait_until(lambda: bool(offered(proxy)))
        (offer,) = offered(proxy)
        assert (offer.url, offer.message) == ("https://sign.in/here", "Please sign in")
        proxy.thread.answer_page(offer.number, "accept")
        assert call.result()["content"][0]["text"] == "accept"


def test_capabilities_of_a_client_stay_what_they_are() -> None:
    assert with_pages({}) == {"elicitation": {"url": {}}}
    assert with_pages({"roots": {}, "elicitation": {}}) == {"roots": {}, "elicitation": {"form": {}, "url": {}}}
    assert with_pages(FORM) == {"elicitation": {"form": {}, "url": {}}}
