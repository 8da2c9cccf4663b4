"""Pages of the web and other programs get nothing, whatever they ask with (case C57)."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

import pytest

from tests.cases.test_lists import initialized
from tests.proxy.running import Running, raw_server, running
from tests.security.raw_http import exchange, head, status_of, usual_headers
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.endpoint import auth

FOREIGN: list[dict[str, str]] = [
    {"Host": "evil.example"},
    {"Host": "127.0.0.1.evil.example"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
]


METHODS = ["OPTIONS", "HEAD", "PUT", "PATCH", "DELETE", "TRACE", "GET", "POST"]


@pytest.fixture
def proxy(home: Home) -> Iterator[Running]:
    with running(home, {"a": raw_server()}) as proxy:
        yield proxy


def test_a_foreign_page_gets_nothing_by_any_method(proxy: Running) -> None:
    client = initialized(proxy)
    for method in METHODS:
        for foreign in FOREIGN:
            for path in ("/mcp", "/health", "/"):
                headers = usual_headers(proxy, Mcp_Session_Id=client.session_id, **foreign)
                answer = exchange(proxy, head(method, path, *headers, "Content-Length: 0"))
                assert 400 <= status_of(answer) < 500, (method, path, foreign, answer[:200])
                assert b"access-control-allow" not in answer.lower()
    assert client.request("ping").status == 200  # the session that DELETE named is still there


def test_foreign_requests_are_refused_and_granted_nothing(proxy: Running) -> None:
    preflight = ["Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization"]
    for method in ("OPTIONS", "HEAD", "PUT", "PATCH", "TRACE"):
        headers = usual_headers(proxy, Origin="http://localhost:3000")
        answer = exchange(proxy, head(method, "/mcp", *headers, *preflight, "Content-Length: 0"))
        assert 400 <= status_of(answer) < 500, (method, answer[:200])
        assert b"access-control-allow" not in answer.lower()


def test_secrets_are_compared_in_constant_time() -> None:
    """No timing is measured, which says nothing on a busy machine: nothing but compare_digest may see a secret."""
    names = {"token", "bridge_secret", "token_hash", "given", "digest"}
    tree = ast.parse(inspect.getsource(auth))
    compared = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Compare) and _names(node) & names]
    assert compared == ["entry.token_hash is not None"]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert sum(ast.unparse(call.func) == "hmac.compare_digest" for call in calls) == 4


def _names(node: ast.AST) -> set[str]:
    """The variables and attributes in an expression."""
    inner = list(ast.walk(node))
    return {one.id for one in inner if isinstance(one, ast.Name)} | {
        one.attr for one in inner if isinstance(one, ast.Attribute)
    }
