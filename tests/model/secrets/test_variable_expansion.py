"""``${…}`` in entries (C45)."""

from __future__ import annotations

import pytest

from tests.proxy.upstream.harness import entry
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.secrets.variable_expansion import expand

ENVIRONMENT = {"HOME": "/home/u", "EMPTY": "", "A.B-c": "odd"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${HOME}/x", "/home/u/x"),
        ("${env:HOME}${HOME}", "/home/u/home/u"),
        ("${NO:-default}", "default"),
        ("${env:NO:-default}", "default"),
        ("${EMPTY:-default}", "default"),
        ("${EMPTY}", ""),
        ("${NO:-}", ""),
        ("${NO:-a:b ${HOME}", "a:b ${HOME"),
        ("${HOME} ${NO:-a ${HOME", "/home/u ${NO:-a ${HOME"),
        ("${NO", "${NO"),
        ("${secret:NO:-", "${secret:NO:-"),
        ("${A.B-c}", "odd"),
        ("$HOME $ {HOME} ${1} ${x%.*} $(ls) ${}", "$HOME $ {HOME} ${1} ${x%.*} $(ls) ${}"),
        ("${secret:KEY}", "<KEY>"),
        ("${secret:NO:-none}", "none"),
    ],
)
def test_c45_the_documented_forms(text: str, expected: str) -> None:
    server = entry({"command": "x", "args": [text]})
    secrets = {"KEY": "<KEY>"}.get
    assert expand("s", server, ENVIRONMENT, secrets).args == (expected,)
    assert server.args == (text,)


@pytest.mark.parametrize(
    ("raw", "field", "variable"),
    [
        ({"command": "${NO}"}, "command", "NO"),
        ({"command": "x", "args": ["a", "${NO}"]}, "args[1]", "NO"),
        ({"command": "x", "env": {"K": "${env:NO}"}}, "env.K", "NO"),
        ({"command": "x", "cwd": "${NO}"}, "cwd", "NO"),
        ({"url": "http://${NO}/"}, "url", "NO"),
        ({"url": "http://x/", "headers": {"H": "Bearer ${secret:NO}"}}, "headers.H", "secret:NO"),
        ({"command": "x", "args": ["${input:token}"]}, "args[0]", "input:token"),
    ],
)
def test_c45_a_missing_value_names_field_and_variable(raw: dict[str, object], field: str, variable: str) -> None:
    for secrets in (None, lambda name: None):
        with pytest.raises(ToolnoteError) as error:
            expand("s", entry(raw), ENVIRONMENT, secrets)
        expected = Problem(Code.VALUE_MISSING, {"server": "s", "field": field, "variable": variable})
        assert error.value.problem == expected


def test_a_value_is_not_filled_in_again() -> None:
    server = entry({"command": "x", "args": ["${OUTER}"]})
    assert expand("s", server, {"OUTER": "${INNER}", "INNER": "no"}).args == ("${INNER}",)


def test_everything_else_of_the_entry_stays() -> None:
    raw = {"command": "x", "disabled": True, "timeout": 5, "unknown": {"k": 1}, "toolnote": {"prefix": "p"}}
    server = entry(raw)
    assert expand("s", server, ENVIRONMENT) == server
