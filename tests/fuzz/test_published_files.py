"""Files of skills and plugins: the user's words in them, and what others left at their places."""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path

import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.profiles import examples
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.paths import Home
from toolnote_desktop.publishing.plan import MAX_CARRIER_BYTES, Wanted, apply, plan_publish, plan_remove
from toolnote_desktop.publishing.plugin import plugin_files
from toolnote_desktop.publishing.records import Carrier, Publication
from toolnote_desktop.publishing.rules_block import find_blocks, with_block
from toolnote_desktop.publishing.skill import frontmatter, skill_header
from toolnote_desktop.publishing.text import DESCRIPTION_LIMIT, CarriedText, carried_text

PIECES = st.sampled_from(
    [
        *("<!-- toolnote:end work -->", "<!-- toolnote:begin b -->", "<!--", "-->", "---", "...", "```", "~~~~"),
        *("\n", "\r", "\r\n", "\t", "\x00", "\x1b[31m", "\x85", "\u2028", "\u202e", "\ufeff", "\ud800", "\U0001f600"),
        *(": ", "# ", "- ", '"', "'", "\\", "{", "@/etc/passwd", "!!python/object:os.system", "&a *a", "x" * 3000, "x"),
    ]
)
WORDS = st.lists(PIECES, max_size=8).map("".join)
BRIDGE = ("/opt/Tool note/toolnote", "bridge", "--client", "x")


@given(WORDS, WORDS, WORDS)
@examples(100)
def test_skill_is_what_other_programs_read(title: str, description: str, guidelines: str) -> None:
    toolset = Toolset(name="work", title=title, description=description, extra={"guidelines": guidelines})
    text = carried_text(Snapshot(), toolset)
    header = skill_header("work", text)
    written = with_block(header, "work", text.body)
    assert written.encode("utf-8").decode("utf-8") == written
    assert find_blocks(written)["work"].content == text.body.strip("\n")
    begin, head, _ = written.split("---\n", 2)
    assert begin == ""
    assert yaml.safe_load(head) == frontmatter("work", text)
    assert text.description.isprintable()
    assert len(text.description) <= DESCRIPTION_LIMIT
    for name, (data, _mode) in plugin_files("work", text, BRIDGE, on_path=False).items():
        if name.endswith(".json"):
            assert json.loads(data)["$schema"]


FILES = ("skills/work/SKILL.md", "plugin.json", "mcp.json", "bin/toolnote", "bin/toolnote.cmd", "README.md")
LEFT = st.dictionaries(
    st.sampled_from(FILES),
    st.binary(max_size=20)
    | WORDS.map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.sampled_from([b"{}", b"\xff\xfe<\x00", b"\xef\xbb\xbf{}", b"x" * (MAX_CARRIER_BYTES + 1), None])
    | WORDS.map(lambda text: with_block(text.replace("<!--", ""), "work", "old").encode("utf-8", "surrogatepass")),
    max_size=3,
)
REFUSALS = (Code.CARRIER_FILE_UNREADABLE, Code.CARRIER_MARKS_BROKEN, Code.CARRIER_FILE_FOREIGN, Code.FILE_NOT_WRITTEN)


def _content(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


@given(LEFT, st.booleans())
@examples(40)
def test_files_that_others_left_at_a_plugins_places_stay_theirs(left: dict[str, bytes | None], on_path: bool) -> None:
    with tempfile.TemporaryDirectory() as root:
        folder, home = Path(root) / "plugin", Home(Path(root) / "home")
        for name, data in left.items():  # None: a folder
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.mkdir() if data is None else file.write_bytes(data)
        before = _content(folder)
        publication = Publication(Carrier.PLUGIN, str(folder), "work")
        wanted = Wanted(CarriedText("When.", "## Words"), BRIDGE, on_path=on_path)
        refusal: Code | None = None
        try:
            undo = apply(plan_publish(publication, wanted, home), home)
        except ToolnoteError as error:
            refusal = error.problem.code
        if refusal is not None:
            assert refusal in REFUSALS
            assert _content(folder) == before
            return
        assert _content(folder).keys() >= {"plugin.json", "mcp.json", "skills/work/SKILL.md"}
        apply(undo, home)
        assert _content(folder) == before
        apply(plan_publish(publication, wanted, home), home)
        with contextlib.suppress(ToolnoteError):
            apply(plan_remove(publication, wanted, home), home)
        kept = _content(folder)
        assert {
            name: data for name, data in before.items() if b"toolnote:begin work" not in data
        }.items() <= kept.items()
