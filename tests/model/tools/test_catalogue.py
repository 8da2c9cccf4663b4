"""References of toolsets and notes, looked up (docs/contract.md 1: a shared name without its server is ambiguous)."""

from __future__ import annotations

from tests.model.builders import catalogue, known
from toolnote_desktop.model.tools.review import reviewed_tool
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.notes import ToolReference

TWINS = [known("a", "b.c"), known("a.b", "c"), known("git", "log")]


def reference(name: str | None = None, *, ref_id: str | None = None, server: str | None = None) -> ToolReference:
    return ToolReference(namespaced_name=name, ref_id=ref_id, server=server)


def test_by_name_and_by_ref_id() -> None:
    found = catalogue(TWINS)
    log = TWINS[2]
    assert found.resolve(reference("git.log")) == (log,)
    assert found.resolve(reference(ref_id=log.tool.ref_id)) == (log,)
    assert found.resolve(reference("git.gone", ref_id=log.tool.ref_id)) == (log,)
    assert found.resolve(reference("git.log", ref_id="stale")) == (log,)


def test_missing_reference_is_unresolved() -> None:
    found = catalogue(TWINS)
    assert found.resolve(reference("git")) == ()
    assert found.resolve(reference("git.log.")) == ()
    assert found.resolve(reference("git.log", server="other")) == ()
    assert found.resolve(reference()) == ()


def test_a_shared_name_is_ambiguous_without_its_server() -> None:
    found = catalogue(TWINS)
    assert set(found.resolve(reference("a.b.c"))) == set(TWINS[:2])
    assert found.resolve(reference("a.b.c", server="a")) == (TWINS[0],)
    assert found.resolve(reference("a.b.c", server="a.b")) == (TWINS[1],)


def test_a_shared_name_with_a_ref_id_means_the_tool_of_it() -> None:
    """What a toolset named before another server came with a tool of that name stays what it was."""
    alone = catalogue(TWINS[:1])
    written = alone.reference_to(TWINS[0].tool)
    assert written.server is None
    found = catalogue(TWINS)
    assert found.resolve(written) == (TWINS[0],)
    assert [one for one in TWINS if found.note_applies(written, one.tool)] == [TWINS[0]]
    assert len(found.resolve(reference("a.b.c", ref_id="stale"))) == 2


def test_note_reference_resolves_to_its_tool() -> None:
    found = catalogue(TWINS)
    first, second, log = (one.tool for one in TWINS)
    assert found.note_applies(reference("git.log"), log)
    assert found.note_applies(reference("git.old-name", ref_id=log.ref_id), log)
    assert not found.note_applies(reference("git.old-name"), log)
    assert not found.note_applies(reference("a.b.c"), first)
    assert not found.note_applies(reference("a.b.c"), second)
    assert found.note_applies(reference("a.b.c", server="a"), first)
    assert not found.note_applies(reference("a.b.c", server="a"), second)
    assert found.note_applies(reference(ref_id=second.ref_id), second)


def test_written_tool_name_resolves_to_that_tool_only() -> None:
    found = catalogue(TWINS)
    for one in TWINS:
        written = found.reference_to(one.tool)
        assert found.resolve(written) == (one,)
        assert [other for other in TWINS if found.note_applies(written, other.tool)] == [one]
    assert found.reference_to(TWINS[2].tool).server is None


def test_the_views() -> None:
    found = catalogue(TWINS)
    assert list(found.tools) == [("a", "b.c"), ("a.b", "c"), ("git", "log")]
    assert found.by_exposed_name["git_log"] is TWINS[2]
    assert len(found.by_namespaced_name["a.b.c"]) == 2
    assert len(found.exposed) == 3


def test_a_changed_definition_is_told() -> None:
    one = known("git", "log")
    other = Tool("git", {**one.tool.definition, "description": "other words"})
    assert not one.changed
    changed = type(one)(other, accepted=one.tool)
    assert reviewed_tool(changed, "show", None).changed
    assert not type(one)(Tool("git", dict(one.tool.definition)), accepted=one.tool).changed
