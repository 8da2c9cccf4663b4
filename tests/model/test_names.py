"""Names: what may be called how, and what a client sees (docs/contract.md 1)."""

from __future__ import annotations

import hashlib
import random
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolnote_desktop.model import names
from toolnote_desktop.model.names import exposed_names, exposed_text

EXPOSED = re.compile(r"[A-Za-z0-9_-]{1,48}")

keys = st.tuples(st.text(max_size=20), st.text(max_size=60))
awkward = st.tuples(st.sampled_from(["a", "a.b", "a_b", ""]), st.sampled_from(["b.c", "c", "b_c", "", "x" * 60]))


def suffix(server: str, tool: str) -> str:
    """The six digits of docs/contract.md 1, computed the long way round."""
    text = '["' + server + '","' + tool + '"]'
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:6]


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("linear", "create_issue", "linear_create_issue"),
        ("my server", "a/b:c", "my_server_a_b_c"),
        ("git-hub", "Get-It", "git-hub_Get-It"),
        ("日本", "検索", "_____"),
        ("s", "😀", "s__"),
        ("a", "x" * 46, "a_" + "x" * 46),
    ],
)
def test_a_plain_name(server: str, tool: str, name: str) -> None:
    assert exposed_names([(server, tool)], {}) == {(server, tool): name}


def test_a_long_name_is_cut_and_marked() -> None:
    server, tool = "server", "t" * 60
    name = exposed_names([(server, tool)], {})[(server, tool)]
    assert name == f"server_{'t' * 34}_{suffix(server, tool)}"
    assert len(name) == 48


def test_of_a_long_name_no_more_is_read_than_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """4,000 names of up to 1,000 odd characters held all calls for 0.15 s, with each list."""
    read: list[int] = []

    def exposed(text: str) -> str:
        read.append(len(text))
        return exposed_text(text)

    monkeypatch.setattr(names, "exposed_text", exposed)
    key = ("server", "." * 1_000)
    assert exposed_names([key], {}) == {key: f"server_{'_' * 34}_{suffix(*key)}"}
    assert read == [48]


def test_two_equal_names_are_both_marked() -> None:
    assert exposed_names([("a", "b.c"), ("a.b", "c"), ("z", "q")], {}) == {
        ("a", "b.c"): f"a_b_c_{suffix('a', 'b.c')}",
        ("a.b", "c"): f"a_b_c_{suffix('a.b', 'c')}",
        ("z", "q"): "z_q",
    }


def test_cjk_names_that_fall_together_stay_apart() -> None:
    found = exposed_names([("日本", "検索"), ("中国", "搜索")], {})
    assert found[("日本", "検索")] == f"______{suffix('日本', '検索')}"
    assert len(set(found.values())) == 2


def test_empty_names_get_only_the_mark() -> None:
    assert exposed_names([("s", "")], {"s": ""}) == {("s", ""): f"_{suffix('s', '')}"}


def test_a_prefix_of_the_servers_own() -> None:
    known = [("long server id", "go"), ("other", "go"), ("third", "go"), ("", "go")]
    found = exposed_names(known, {"long server id": "ls", "other": "", "third": None})
    assert [found[key] for key in known] == ["ls_go", "go", "third_go", "_go"]  # an id may be empty: no prefix is


def test_a_name_that_a_built_in_tool_has_is_marked() -> None:
    found = exposed_names([("s", "equip-toolset")], {"s": ""}, reserved=["equip-toolset"])
    assert found == {("s", "equip-toolset"): f"equip-toolset_{suffix('s', 'equip-toolset')}"}


def test_a_marked_name_that_another_tool_happens_to_have() -> None:
    taken = f"a_b_c_{suffix('a', 'b.c')}"
    found = exposed_names([("a", "b.c"), ("a.b", "c"), ("x", taken)], {"x": ""})
    assert found[("a", "b.c")] == taken
    assert found[("x", taken)] == f"{taken}_{suffix('x', taken)}"


@given(st.lists(keys | awkward, max_size=12), st.randoms(use_true_random=False))
@example([("a", "b.c"), ("a.b", "c"), ("a_b", "c"), ("", "a.b.c")], random.Random(1))
def test_names_are_valid_unique_and_do_not_depend_on_order(known: list[names.ToolKey], shuffled: random.Random) -> None:
    found = exposed_names(known, {})
    assert set(found) == set(known)
    assert all(EXPOSED.fullmatch(name) for name in found.values())
    assert len(set(found.values())) == len(found)
    again = list(known) * 2
    shuffled.shuffle(again)
    assert exposed_names(again, {}) == found


@given(st.sets(keys, max_size=8), st.integers(min_value=10, max_value=64))
def test_names_keep_any_limit(known: set[names.ToolKey], limit: int) -> None:
    assert all(len(name) <= limit for name in exposed_names(known, {}, limit=limit).values())


@pytest.mark.parametrize("name", ["ab", "my-tools", "a" * 50, "0-", "--"])
def test_toolset_names(name: str) -> None:
    assert names.is_toolset_name(name)


@pytest.mark.parametrize(
    "name", ["", "a", "a" * 51, "Ab", "a b", "../x", "a/b", "con", "nul", "com1", "lpt9", "ab\n", "é-x", "a.b", None, 3]
)
def test_invalid_toolset_names(name: object) -> None:
    assert not names.is_toolset_name(name)


def test_note_names_and_texts() -> None:
    assert names.is_note_name("a")
    assert names.is_note_name("con")
    assert not any(names.is_note_name(name) for name in ["", "A", "a_b", "a" * 51, "a\n", None])
    assert names.is_note_text("x" * 4000)
    assert names.is_note_text("😀" * 4000)
    assert not any(names.is_note_text(text) for text in ["", "x" * 4001, None])
    invisible = [" \n\u00a0", "\u200b", "\u200d", "\u3164 \u2800", "\U000e0041\u2063"]
    assert not any(names.is_note_text(text) for text in invisible), "an assistant would read an empty bullet"
    assert all(names.is_note_text(f"{text}·") for text in invisible)


@pytest.mark.parametrize(
    ("title", "taken", "name"),
    [
        ("Linear work", [], "linear-work"),
        ("Linear work", ["linear-work", "linear-work-2"], "linear-work-3"),
        ("Größe & Café!", [], "groesse-cafe"),
        ("日本語", [], "toolset"),
        ("", [], "toolset"),
        ("x", [], "toolset-x"),
        ("CON", [], "toolset-con"),
        ("word " * 30, [], ("word-" * 30)[:46].rstrip("-")),
    ],
)
def test_a_title_suggests_a_toolset_name(title: str, taken: list[str], name: str) -> None:
    assert names.suggest_toolset_name(title, taken) == name


@given(st.text(max_size=200), st.integers(min_value=0, max_value=3))
def test_suggested_names_are_names_and_free(text: str, rounds: int) -> None:
    toolsets: list[str] = []
    notes: list[str] = []
    for _ in range(rounds + 1):
        toolsets.append(names.suggest_toolset_name(text, toolsets))
        notes.append(names.suggest_note_name(text, notes))
    assert all(names.is_toolset_name(name) for name in toolsets)
    assert all(names.is_note_name(name) for name in notes)
    assert len(set(toolsets)) == len(set(notes)) == rounds + 1


@pytest.mark.parametrize(
    ("text", "taken", "name"),
    [
        ("Ask which team first, always.", [], "team"),
        ("Use it when the team asks for a release.", [], "team-asks"),
        ("Write the message in the imperative", [], "write-message"),
        ("Für Änderungen an Verträgen immer zuerst fragen", [], "aenderungen-vertraegen"),
        ("Größe prüfen", ["groesse-pruefen"], "groesse-pruefen-2"),
        ("日本語で書いてください", [], "note-1"),
        ("日本語で書いてください", ["note-1", "note-2"], "note-3"),
        ("Не удалять", [], "note-1"),
        ("a b c 1234", [], "note-1"),
        ("Café olé à la carte", [], "cafe-carte"),
        ("x" * 200, [], "x" * 24),
    ],
)
def test_a_note_is_named_after_its_first_words_that_say_something(text: str, taken: list[str], name: str) -> None:
    assert names.suggest_note_name(text, taken) == name


def test_a_taken_note_name_gets_a_number() -> None:
    assert names.free_note_name("never", []) == "never"
    assert names.free_note_name("never", ["never", "never-2"]) == "never-3"
    assert names.is_note_name(names.free_note_name("n" * 50, ["n" * 50]))
