"""Sign-in to HTTP servers, with the SDK's own authorization server (case C32, C33)."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace

from tests.file_keyring import TestKeychain
from tests.proxy.oauth.authorization import OAuthServer, Person, browse, oauth_server
from tests.proxy.upstream.harness import QUICK, Running, run, running
from tests.servers.launch import raw_server_entry
from toolnote_desktop.error_messages import english
from toolnote_desktop.log import covered
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.events import SignInProgress, SignInStage
from toolnote_desktop.proxy.oauth import flow
from toolnote_desktop.proxy.oauth.client_document import client_document
from toolnote_desktop.proxy.oauth.token_source import SIGN_IN_RECORD
from toolnote_desktop.proxy.upstream.server import UpstreamNotReady
from toolnote_desktop.store.secrets.store import SecretLocation, SecretStore

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def one_server() -> Iterator[OAuthServer]:
    with oauth_server() as started:
        yield started


@pytest.fixture
def server(one_server: OAuthServer) -> OAuthServer:
    """As new: starting one takes two seconds."""
    one_server.set(reset=True)
    return one_server


@asynccontextmanager
async def supervised(home: Home, server: OAuthServer, **more: Any) -> AsyncIterator[tuple[Running, Person]]:
    """The server under supervision, which finds that nobody is signed in."""
    entry = {**server.entry, **more.pop("entry", {})}
    async with running(home, {"a": entry, **more}, secrets=SecretStore(home)) as servers:
        yield servers, Person(servers)


async def signed_in(servers: Running, person: Person) -> None:
    await servers.until_state("a", ServerState.NEEDS_SIGN_IN)
    told = await person.signs_in("a")
    assert told.stage is SignInStage.DONE, told
    await servers.ready("a")


def tokens_of(home: Home, server: str = "a") -> dict[str, Any]:
    kept = SecretStore(home).read(server, SIGN_IN_RECORD)
    assert kept is not None
    record: dict[str, Any] = json.loads(kept)
    return record


def test_a_person_signs_in(home: Home, keychain: TestKeychain, server: OAuthServer) -> None:
    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            status = await servers.until_state("a", ServerState.NEEDS_SIGN_IN)
            assert status.problem is not None
            assert status.problem.code is Code.SERVER_SIGN_IN
            await signed_in(servers, person)
            assert "Go back to Toolnote" in person.pages[0].text
            assert await servers.text("a", "echo", text="hello") == "hello"
        async with supervised(home, server) as (servers, _):  # the next run
            await servers.ready("a")

    run(work())
    seen = server.seen
    assert (seen["registered"], seen["authorized"]) == (1, 1)
    assert seen["resources"] == [server.url]
    assert seen["scopes"] == [["read"]]
    record = tokens_of(home)
    for secret in (record["access_token"], record["refresh_token"], record["client"]["client_secret"]):
        assert secret not in covered(f"a log with {secret}")
        assert not [path for path in home.root.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]


def test_the_older_http_with_sse_is_signed_in_to_as_well(
    home: Home, keychain: TestKeychain, server: OAuthServer
) -> None:
    older = {"type": "sse", "url": server.url.replace("/mcp", "/sse")}

    async def work() -> None:
        async with supervised(home, server, entry=older) as (servers, person):
            await signed_in(servers, person)
            assert await servers.text("a", "echo", text="hello") == "hello"
            server.set(forget="access")  # the stream has begun; what is posted is refused
            assert await servers.text("a", "echo", text="again") == "again"
            assert server.seen["refreshed"] == 1

    run(work())


def test_the_address_in_the_browser_is_as_the_rules_have_it(
    home: Home, keychain: TestKeychain, server: OAuthServer
) -> None:
    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await signed_in(servers, person)
            query = parse_qs(urlsplit((await person.until(SignInStage.IN_BROWSER)).url).query)
            assert query["code_challenge_method"] == ["S256"]
            assert query["resource"] == [server.url]
            assert query["redirect_uri"][0].startswith("http://127.0.0.1:")
            assert len(query["state"][0]) >= 32

    run(work())


@pytest.mark.parametrize("lifetime", [2])
def test_c33_a_token_is_renewed_before_it_ends_once_for_all_who_wait(
    home: Home, keychain: TestKeychain, server: OAuthServer, lifetime: int
) -> None:
    server.set(lifetime=lifetime)

    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await signed_in(servers, person)
            first = tokens_of(home)
            server.set(lifetime=3600)
            await asyncio.sleep(max(0.0, first["expires_at"] - time.time()))  # nothing tells of a token's end
            texts = await asyncio.gather(*(servers.text("a", "echo", text=str(number)) for number in range(20)))
            assert texts == [str(number) for number in range(20)]
            assert server.seen["refreshed"] == 1
            renewed = tokens_of(home)
            assert renewed["access_token"] != first["access_token"]
            assert renewed["refresh_token"] != first["refresh_token"]
            assert servers.events.states("a").count(ServerState.NEEDS_SIGN_IN) == 1  # the first, and never again

    run(work())


def test_c33_a_refused_token_is_renewed_once_and_the_call_succeeds(
    home: Home, keychain: TestKeychain, server: OAuthServer
) -> None:
    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await signed_in(servers, person)
            server.set(forget="access")  # nobody told us that it ended
            texts = await asyncio.gather(*(servers.text("a", "echo", text=str(number)) for number in range(20)))
            assert texts == [str(number) for number in range(20)]
            assert server.seen["refreshed"] == 1

    run(work())


def test_c32_an_ended_sign_in_is_told_and_not_tried_over_and_over(
    home: Home, keychain: TestKeychain, server: OAuthServer
) -> None:
    async def work() -> None:
        async with supervised(home, server, other=raw_server_entry()) as (servers, person):
            await signed_in(servers, person)
            await servers.ready("other")
            server.set(forget="access")
            server.set(forget="refresh")
            with pytest.raises(Exception):  # noqa: B017, PT011 - which of two it is depends on who notices first
                await servers.call("a", "echo", text="x")
            await servers.until_state("a", ServerState.NEEDS_SIGN_IN)
            with pytest.raises(UpstreamNotReady):
                await servers.call("a", "echo", text="x")
            assert await servers["a"].wait_ready(0.5) is False
            assert server.seen["refreshed"] == 0
            assert servers["other"].ready
            assert tokens_of(home)["access_token"] == ""
            told = await person.signs_in("a")  # and once more
            assert told.stage is SignInStage.DONE
            await servers.ready("a")
            assert server.seen["registered"] == 1  # the registration is used again

    run(work())


def test_c32_a_server_that_refuses_every_token_is_asked_a_bounded_number_of_times(
    home: Home, keychain: TestKeychain, server: OAuthServer
) -> None:
    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await signed_in(servers, person)
            server.set(refuse=True)
            with pytest.raises(Exception):  # noqa: B017, PT011
                await servers.call("a", "echo", text="x")
            await servers.until_state("a", ServerState.NEEDS_SIGN_IN)
            for _ in range(5):
                await servers["a"].wait_ready(0.05)
            assert server.seen["refreshed"] <= 2

    run(work())


def test_a_renewal_that_cannot_be_had_now_is_no_sign_out(
    home: Home, keychain: TestKeychain, server: OAuthServer
) -> None:
    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await signed_in(servers, person)
            server.set(forget="access", tokens=503)
            with pytest.raises(Exception):  # noqa: B017, PT011
                await servers.call("a", "echo", text="x")
            await servers.until_state("a", ServerState.RECONNECTING, ServerState.FAILED)
            assert tokens_of(home)["refresh_token"]
            server.set(tokens=None)
            await servers.ready("a")
            assert server.seen["authorized"] == 1

    run(work())


def test_a_person_who_says_no(home: Home, keychain: TestKeychain, server: OAuthServer) -> None:
    server.set(deny=True)

    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await servers.until_state("a", ServerState.NEEDS_SIGN_IN)
            told = await person.signs_in("a")
            assert told.problem is not None
            assert told.problem.code is Code.SIGN_IN_REFUSED
            assert told.problem.parameters["reason"] == "The user said no"
            assert "not signed in" in person.pages[0].text
            assert servers["a"].status.state is ServerState.NEEDS_SIGN_IN
            server.set(deny=False)
            assert (await person.signs_in("a")).stage is SignInStage.DONE
            await servers.ready("a")

    run(work())


def test_a_browser_that_is_closed(home: Home, keychain: TestKeychain, server: OAuthServer) -> None:
    async def nothing(_url: str) -> None:
        return

    async def work() -> None:
        async with supervised(home, server) as (servers, _):
            await servers.until_state("a", ServerState.NEEDS_SIGN_IN)
            person = Person(servers, nothing)
            person.begin("a")
            first = await person.until(SignInStage.IN_BROWSER)
            person.begin("a")  # pressed again: the same page, and no second sign-in
            assert [told.url for told in person.told if told.url] == [first.url, first.url]
            assert servers.upstreams.sign_ins is not None
            servers.upstreams.sign_ins.cancel("a")
            assert (await person.end()).stage is SignInStage.CANCELLED
            servers.upstreams.sign_ins.browser_timeout = 0.2
            told = await person.signs_in("a")
            assert told.problem is not None
            assert told.problem.code is Code.SIGN_IN_TIMED_OUT
            assert servers["a"].status.state is ServerState.NEEDS_SIGN_IN
            person.begin("a")  # and the app may end in the middle of one

    run(work())


def test_an_answer_with_another_state_changes_nothing(home: Home, keychain: TestKeychain, server: OAuthServer) -> None:
    async def nothing(_url: str) -> None:
        return

    async def work() -> None:
        async with supervised(home, server) as (servers, _):
            await servers.until_state("a", ServerState.NEEDS_SIGN_IN)
            person = Person(servers, nothing)
            person.begin("a")
            url = (await person.until(SignInStage.IN_BROWSER)).url
            page = parse_qs(urlsplit(url).query)["redirect_uri"][0]
            for query in ("code=forged&state=wrong", "code=forged", "error=access_denied&state=", "state=%00&code=x"):
                answer = await browse(f"{page}?{query}")
                assert answer.status_code == 400
                assert "not what Toolnote waits for" in answer.text
            assert (await browse(page.replace("/callback", "/else"))).status_code == 404
            assert person.told[-1].stage is SignInStage.IN_BROWSER
            await browse(url)  # the right one still counts
            assert (await person.end()).stage is SignInStage.DONE

    run(work())


@pytest.mark.parametrize(
    "settings", [{"iss": "https://evil.example"}, {"issuer": "https://evil.example"}], ids=["redirect", "metadata"]
)
def test_another_issuer_is_refused(
    home: Home, keychain: TestKeychain, server: OAuthServer, settings: dict[str, str]
) -> None:
    server.set(**settings)

    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await servers.until_state("a", ServerState.NEEDS_SIGN_IN)
            told = await person.signs_in("a")
            assert told.problem is not None
            assert told.problem.code is Code.SIGN_IN_FAILED
            assert "evil.example" in told.problem.parameters["reason"]
            assert servers["a"].status.state is ServerState.NEEDS_SIGN_IN

    run(work())
    assert SecretStore(home).names("a") == {}


def test_a_call_that_needs_more_is_granted_more(home: Home, keychain: TestKeychain, server: OAuthServer) -> None:
    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await signed_in(servers, person)
            with pytest.raises(Exception, match="more rights than were granted"):
                await servers.call("a", "write", text="x")
            assert servers["a"].ready  # its other tools go on
            problems = servers["a"].status.problems
            assert [problem.code for problem in problems] == [Code.MORE_RIGHTS_WANTED]
            assert problems[0].parameters["scope"] == "write"
            told = await person.signs_in("a")
            assert told.stage is SignInStage.DONE, told
            await servers.events.until(lambda: servers["a"].ready and not servers["a"].status.problems)
            assert await servers.text("a", "write", text="x") == "written: x"
            assert server.seen["scopes"][-1] == ["read", "write"]

    run(work())


def test_a_client_id_metadata_document_needs_no_registration(
    home: Home, keychain: TestKeychain, server: OAuthServer
) -> None:
    server.set(document=True)
    document = {"toolnote": {"signIn": {"clientId": "https://toolnote.example/client.json"}}}

    async def work() -> None:
        async with supervised(home, server, entry=document) as (servers, person):
            await signed_in(servers, person)

    run(work())
    assert server.seen["registered"] == 0
    assert tokens_of(home)["client"]["client_id"] == "https://toolnote.example/client.json"


ADDRESS = "https://toolnote.example/oauth/client.json"


def test_the_builds_own_document_where_no_program_can_register(
    home: Home, keychain: TestKeychain, server: OAuthServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Red without ``document_address`` in the flow: the server knows nothing but documents."""
    monkeypatch.setattr(flow, "document_address", lambda: ADDRESS)
    server.set(
        document=True,
        register=False,
        iss=server.url.removesuffix("/mcp"),
        documents={ADDRESS: client_document(ADDRESS)},
    )

    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await signed_in(servers, person)
            assert await servers.text("a", "echo", text="hello") == "hello"
            server.set(forget="access")
            assert await servers.text("a", "echo", text="again") == "again"

    run(work())
    assert server.seen["registered"] == 0
    assert server.seen["refreshed"] == 1
    record = tokens_of(home)
    assert record["client"]["client_id"] == ADDRESS
    assert "client_secret" not in record["client"]


def test_a_document_that_says_another_address_is_no_client(
    home: Home, keychain: TestKeychain, server: OAuthServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow, "document_address", lambda: ADDRESS)
    other = client_document("https://elsewhere.example/client.json")
    server.set(document=True, register=False, documents={ADDRESS: other})

    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await servers.until_state("a", ServerState.NEEDS_SIGN_IN)
            person.begin("a")
            page = await browse((await person.until(SignInStage.IN_BROWSER)).url)
            assert page.status_code == 400
            assert server.seen["authorized"] == 0

    run(work())


def test_where_documents_are_unknown_it_registers_and_a_typed_id_wins(
    home: Home, keychain: TestKeychain, server: OAuthServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow, "document_address", lambda: ADDRESS)

    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await signed_in(servers, person)

    run(work())
    assert server.seen["registered"] == 1
    assert tokens_of(home)["client"]["client_id"] != ADDRESS


def test_a_server_where_programs_cannot_register(home: Home, keychain: TestKeychain, server: OAuthServer) -> None:
    server.set(register=False)

    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await servers.until_state("a", ServerState.NEEDS_SIGN_IN)
            told = await person.signs_in("a")
            assert told.problem is not None
            assert told.problem.code is Code.SIGN_IN_NEEDS_ID
            assert "Registration failed: 404" in told.problem.parameters["reason"]
            assert told.problem.parameters["redirect"] == "http://127.0.0.1/callback"
            said = english(told.problem)
            assert '"toolnote": {"signIn": {"clientId": …}}' in said

    run(work())


TYPED = "typed-by-the-user"


@pytest.mark.parametrize(
    ("kind", "registered", "client"),
    [
        ({"document": True, "register": True, "documents": {ADDRESS: client_document(ADDRESS)}}, 0, ADDRESS),
        ({"document": True, "register": False, "documents": {ADDRESS: client_document(ADDRESS)}}, 0, ADDRESS),
        ({"document": False, "register": True}, 1, None),
        ({"document": False, "register": False, "typed": TYPED}, 0, TYPED),
        ({"document": True, "register": True, "typed": TYPED}, 0, TYPED),
    ],
    ids=["both", "documents alone", "registration alone", "neither, an id is typed", "a typed id wins"],
)
def test_each_kind_of_authorization_server(
    home: Home,
    keychain: TestKeychain,
    server: OAuthServer,
    monkeypatch: pytest.MonkeyPatch,
    kind: dict[str, Any],
    registered: int,
    client: str | None,
) -> None:
    """A document where the server takes one, else a registration, else what the user typed; a typed id wins."""
    monkeypatch.setattr(flow, "document_address", lambda: ADDRESS)
    server.set(**kind)
    typed = {"toolnote": {"signIn": {"clientId": TYPED}}} if "typed" in kind else {}

    async def work() -> None:
        async with supervised(home, server, entry=typed) as (servers, person):
            await signed_in(servers, person)
            assert await servers.text("a", "echo", text="hello") == "hello"

    run(work())
    assert server.seen["registered"] == registered
    found = tokens_of(home)["client"]["client_id"]
    assert found == client if client is not None else found not in (ADDRESS, TYPED)


def test_a_header_of_the_entrys_own_wins(home: Home, keychain: TestKeychain, server: OAuthServer) -> None:
    own = {"headers": {"authorization": "Bearer mine"}}

    async def work() -> None:
        async with supervised(home, server, entry=own) as (servers, person):
            status = await servers.until_state("a", ServerState.FAILED)
            assert status.problem is not None
            assert status.problem.code is Code.AUTHORIZATION_REFUSED
            told = await person.signs_in("a")
            assert told.problem is not None
            assert told.problem.code is Code.AUTHORIZATION_REFUSED

    run(work())
    assert server.seen["registered"] == 0


def test_signing_out_forgets_and_revokes(home: Home, keychain: TestKeychain, server: OAuthServer) -> None:
    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await signed_in(servers, person)
            await servers.upstreams.sign_out("a")
            await servers.until_state("a", ServerState.NEEDS_SIGN_IN)

    run(work())
    assert server.seen["revoked"] == 1
    assert SecretStore(home).names("a") == {}
    assert not any(keychain.entries().values())


def test_tokens_are_sent_to_the_address_they_were_made_for_alone(
    home: Home, keychain: TestKeychain, server: OAuthServer
) -> None:
    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await signed_in(servers, person)
            with oauth_server() as other:
                servers.upstreams.apply({"a": replace(servers["a"]._entry, url=other.url)})
                await servers.until_state("a", ServerState.NEEDS_SIGN_IN)
                assert servers.upstreams.sign_ins is not None
                assert servers.upstreams.sign_ins._sources["a"].record is None

    run(work())


def test_without_a_keychain_a_sign_in_lasts_for_the_run(home: Home, server: OAuthServer) -> None:
    async def work() -> None:
        async with supervised(home, server) as (servers, person):
            await signed_in(servers, person)
            assert await servers.text("a", "echo", text="hello") == "hello"
            assert servers.upstreams._secrets is not None
            assert servers.upstreams._secrets.names("a") == {SIGN_IN_RECORD: SecretLocation.RUN}

    run(work())


def test_a_sign_in_by_another_process_is_noticed(home: Home, keychain: TestKeychain, server: OAuthServer) -> None:
    async def work() -> None:
        async with supervised(home, server) as (one, _):
            await one.until_state("a", ServerState.NEEDS_SIGN_IN)
            async with supervised(home, server) as (other, person):
                await signed_in(other, person)
            await one.ready("a")

    run(work())


def test_a_server_with_no_way_to_sign_in(home: Home, keychain: TestKeychain) -> None:
    from tests.servers.launch import http_server

    async def work(url: str) -> None:
        async with running(home, {"a": {"url": url}}, timeouts=QUICK, secrets=SecretStore(home)) as servers:
            await servers.until_state("a", ServerState.NEEDS_SIGN_IN)
            told: SignInProgress = await Person(servers).signs_in("a")
            assert told.problem is not None
            assert told.problem.code is Code.SIGN_IN_NOT_OFFERED

    with http_server(http={"token": "t"}) as plain:
        run(work(plain.url))
