"""Search of tools: words of the same meaning, notes, two languages, and nothing where nothing fits."""

from __future__ import annotations

import gc
import json
import sys
import weakref
from collections.abc import Iterable
from functools import partial

import pytest
from msgspec.structs import replace

from tests.measurements.search import served
from tests.model.builders import Reports, catalogue, known
from tests.timing import compare
from toolnote_desktop.cli import parser
from toolnote_desktop.guidance import search as search_module
from toolnote_desktop.guidance.guide import Guides
from toolnote_desktop.guidance.relevance import TaskContext
from toolnote_desktop.guidance.search import SearchIndex, SearchIndexes
from toolnote_desktop.guidance.search_fit import model, read_request
from toolnote_desktop.guidance.served_tools import ServedTool, served_tools
from toolnote_desktop.guidance.words import DocumentReader, stem, stems_of
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.dialect import PLAIN
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.notes import parse_everywhere
from toolnote_desktop.model.toolsets.toolset import parse_toolset
from toolnote_desktop.paths import Home

TOOLS = {
    "linear.create_issue": "Creates a new issue in Linear",
    "linear.list_teams": "Lists all teams of the workspace",
    "github.merge_pull_request": "Merges a pull request",
    "github.delete_branch": "Deletes a branch of a repository",
    "slack.post_message": "Posts a message to a channel",
    "mail.send_email": "Sends an email to a recipient",
    "files.read_file": "Reads a text file",
    "postgres.run_query": "Runs a read-only SQL query",
    "calendar.create_event": "Creates an event in the calendar",
    "weather.get_forecast": "Gets the weather forecast for a city",
}


def tool(name: str, description: str) -> KnownTool:
    server, own = name.split(".", 1)
    made = Tool(server, {"name": own, "description": description, "inputSchema": {"type": "object"}})
    return KnownTool(made, made)


def index(notes: dict[str, str] | None = None, tools: dict[str, str] | None = None) -> SearchIndex:
    tools = TOOLS if tools is None else tools
    raw: JsonObject = {
        "tools": [{"namespacedName": name} for name in tools],
        "toolNotes": [
            {"toolRef": {"namespacedName": name}, "notes": [{"name": "n", "note": text}]}
            for name, text in (notes or {}).items()
        ],
    }
    toolset = parse_toolset("work", raw, Reports())
    snapshot = Snapshot(catalogue=catalogue([tool(*one) for one in tools.items()]), toolsets={"work": toolset})
    return SearchIndex(served_tools(snapshot, toolset))


def first(found: SearchIndex, query: str) -> str | None:
    hits = found.search(query, 5)
    return found.tools[hits[0].place].known.tool.namespaced_name if hits else None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("file a bug in Linear", "linear.create_issue"),
        ("open a new ticket", "linear.create_issue"),
        ("which teams are there?", "linear.list_teams"),
        ("merge the PR", "github.merge_pull_request"),
        ("remove a branch", "github.delete_branch"),
        ("notify the #general channel", "slack.post_message"),
        ("query the database", "postgres.run_query"),
        ("is it going to rain: the temperature in Oslo", "weather.get_forecast"),
        ("book a meeting", "calendar.create_event"),
        ("lösche den Zweig", "github.delete_branch"),
        ("eine E-Mail an den Empfänger senden", "mail.send_email"),
        ("Wetter in Berlin", "weather.get_forecast"),
        ("neue Aufgabe anlegen", "linear.create_issue"),
        ("github_merge_pull_request", "github.merge_pull_request"),
        ("files.read_file", "files.read_file"),
    ],
)
def test_tool_is_found_by_what_people_say(query: str, expected: str) -> None:
    assert first(index(), query) == expected


@pytest.mark.parametrize("query", ["play some music", "order a pizza", "", "the of and", "xyzzy"])
def test_nothing_is_found_where_nothing_fits(query: str) -> None:
    assert index().search(query, 5) == []


def test_words_of_a_note_find_its_tool() -> None:
    assert first(index(), "quarterly OKR sheet") is None
    assert first(index({"files.read_file": "The OKR sheet of the quarter is in /plans."}), "quarterly OKR sheet") == (
        "files.read_file"
    )


@pytest.mark.parametrize(
    ("note", "query", "other"),
    [
        ("用于发票和账单", "帮我处理这张发票", "天气怎么样"),
        ("請求書のために使う", "請求書を送ってください", "天気を教えて"),
        ("송장을 처리할 때 쓰세요", "송장 보내줘", "날씨 어때"),
        ("ใช้สำหรับใบแจ้งหนี้", "ใบแจ้งหนี้", "อากาศ"),
        ("Используй это для отмены подписки", "отменить подписку", "расскажи анекдот"),
    ],
)
def test_words_of_other_scripts_find_their_tool(note: str, query: str, other: str) -> None:
    """Seen red: with each run of characters as one word, and Russian words in one form alone."""
    found = index({"files.read_file": note})
    assert first(found, query) == "files.read_file"
    assert found.search(other, 5) == []
    assert found.question_for_model(query).strip() == ""


def test_the_model_is_not_asked_about_words_of_other_scripts() -> None:
    """Seen red: *расскажи анекдот* (tell a joke) found a tool for the weather, whole: to it all Cyrillic is alike."""
    found = index()
    for question in ("расскажи анекдот", "πες ένα ανέκδοτο", "احك نكتة", "ספר בדיחה", "चुटकुला सुनाओ"):
        assert found.question_for_model(question).strip() == ""
    assert found.question_for_model("создать issue в GitHub").split() == ["issue", "GitHub"]
    assert found.question_for_model("“résumé” – cafe\u0301") == "“résumé” – cafe\u0301"


def test_words_are_the_same_without_their_accents() -> None:
    """Seen red: a note in French or Spanish was not found by who typed none."""
    for written, typed in (("réclamations", "reclamations"), ("facturación", "facturacion"), ("Señal", "senal")):
        assert stems_of(written) == stems_of(typed)
    assert stems_of("größer") == stems_of("groesser") != stems_of("grosser")


def test_stems_join_forms_of_a_word() -> None:
    assert {stem(word) for word in ("merge", "merges", "merging", "merged")} == {stem("merge")}
    for forms in ("подписка подписки подписку", "отменить отмена отмены отменяет", "счёт счета счету счетов"):
        assert len(set(map(stem, forms.split()))) == 1
    assert stems_of("createIssue for_the teams") == [stem("create"), stem("issue"), stem("team")]
    assert stems_of("发票API Ü票") == ["发票", "api", "ü", "票"]


def test_time_grows_with_the_number_of_tools_and_no_faster() -> None:
    """Ratio of processor times of one run: 4,000 tools take at most eight times as long as 1,000; quadratic is 16."""

    def search(count: int) -> None:
        many = {f"s.tool_{one}_{one % 97}": f"Does thing {one} with item {one % 13}" for one in range(count)}
        index(tools=many).search("thing with item", 5)

    large, small = compare(partial(search, 4000), partial(search, 1000), 8)
    assert large <= 8 * small


def test_real_tools_are_indexed_and_searched_in_no_time() -> None:
    """Ratio of processor times of one run to a control: encoding and decoding the definitions as JSON.

    For 5,000 tools that takes 0.15 s where the goals are 1 s for the index and 20 ms for a query.
    """
    tools = served({})
    definitions = [one.definition for one in tools]

    def control() -> None:
        json.loads(json.dumps(definitions))

    made, encoded = compare(partial(SearchIndex, tools), control, 6)
    assert made <= 6 * encoded
    found = SearchIndex(tools)
    queries = ("remove a branch", "which files does the merge request change", "Wetter in Berlin", "send a letter") * 2

    def search() -> None:
        for query in queries:
            found.search(query, 5)

    searched, encoded = compare(search, control, 1)
    assert searched <= encoded


def test_change_of_a_note_reads_the_words_of_its_tool_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: with tools served anew for each index."""
    read: list[str] = []
    fields = search_module._fields

    def noted(one: ServedTool, reader: DocumentReader) -> dict[str, Iterable[int]]:
        read.append(one.name)
        return fields(one, reader)

    monkeypatch.setattr(search_module, "_fields", noted)
    toolset = parse_toolset("work", {"tools": [{"namespacedName": name} for name in TOOLS]}, Reports())
    before = Snapshot(catalogue=catalogue([tool(*one) for one in TOOLS.items()]), toolsets={"work": toolset})

    def snapshot(text: str) -> Snapshot:
        raw = {"tools": {"files.read_file": [{"name": "n", "note": text}]}}
        return replace(before, notes=parse_everywhere(raw, Reports()))

    indexes = SearchIndexes()
    assert first(indexes.index(snapshot("The OKR sheet."), toolset, PLAIN), "OKR sheet") == "files.read_file"
    assert len(read) == len(TOOLS)
    texts = indexes.index(snapshot("The OKR sheet."), toolset, PLAIN).texts
    changed = indexes.index(snapshot("The KPI board."), toolset, PLAIN)
    assert first(changed, "KPI board") == "files.read_file"
    assert read[len(TOOLS) :] == ["files_read_file"]
    assert changed.texts is texts  # so the model, which does not read notes, has them. Seen red: all were sent again
    assert tuple(texts) == tuple(SearchIndex(changed.tools).texts)
    assert SearchIndex(changed.tools[1:], changed).texts is not texts
    read[len(TOOLS) + 1 :] = ()
    # A guide, and what is left of a removed server. Seen red: each guide read 5,000 tools, and they were kept for good.
    guides = Guides({})
    guides.indexes = indexes
    kept = snapshot("The KPI board.")
    turns: list[None] = []
    for text in ("read a file", "send an email", "what is the weather"):
        assert guides.guide(kept, toolset, TaskContext(None, text), between=lambda: turns.append(None)).tools
    assert len(turns) >= 3 * len(TOOLS)
    assert len(read) == len(TOOLS) + 1
    held = weakref.ref(indexes.index(kept, toolset, PLAIN))
    guides.forget_removed(replace(kept, settings=replace(kept.settings, notes_paused=True)))
    gc.collect()
    assert held() is not None
    word = "".join(("repos", "itories"))
    usual = sys.getrefcount(word)
    stem(word)
    assert sys.getrefcount(word) > usual
    left = catalogue([tool(*one) for one in TOOLS.items() if "github" not in one[0]])
    guides.forget_removed(replace(kept, catalogue=left))
    gc.collect()
    assert held() is None
    assert sys.getrefcount(word) == usual


def test_an_index_lets_others_run_after_each_tool() -> None:
    """Seen red: the index of 5,000 tools kept the interpreter for as long as Python let it (attack *search*)."""
    tools = index().tools
    turns: list[None] = []
    SearchIndex(tools, None, lambda: turns.append(None))
    assert len(turns) >= 3 * len(tools)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("put this on TikTok", None),  # a product that no tool has to do with
        ("share it in Box", None),
        ("post it in Slack", "slack.post_message"),
        ("merge it in GitHub", "github.merge_pull_request"),
        ("Postgres: which rows are there?", "postgres.run_query"),  # the source is named
    ],
)
def test_named_product_decides(query: str, expected: str | None) -> None:
    assert first(index(), query) == expected


@pytest.mark.parametrize(
    ("query", "action", "buys", "products"),
    [
        ("Please order two of them on Etsy", 1.0, True, ["etsy"]),
        ("can you tell me what is in my Dropbox?", 0.0, False, ["dropbox"]),
        ("trains to Bern", 0.5, False, []),
        ("post it on Medium", 1.0, False, ["medium"]),
        ("make it a medium one", 1.0, False, []),
        ("Medium rare, please", 0.5, False, []),
        ("Buche einen Tisch bei Opentable", 1.0, True, ["opentable"]),
        ("what is in the order?", 0.0, False, []),
        ("move the file on my onedrive", 1.0, False, ["onedrive"]),
    ],
)
def test_request_says_what_it_asks_for(query: str, action: float, buys: bool, products: list[str]) -> None:
    """Seen red: with products in capital letters alone, and with buying by any form of a word."""
    request = read_request(query)
    assert (request.action, request.buys) == (action, buys)
    assert [one.name for one in request.products] == [stem(name) for name in products]


def test_product_of_a_maker_is_there_with_the_server_of_the_maker() -> None:
    """Seen red: without families of products."""
    tools = {"ms-365.upload_file": "Uploads a file", "ms-365.list_files": "Lists the files of a folder"}
    assert first(index(tools=tools), "upload the file to my OneDrive") == "ms-365.upload_file"
    others = {name.replace("ms-365", "backup"): text for name, text in tools.items()}
    assert first(index(tools=others), "upload the file to my OneDrive") is None


def test_weights_are_those_of_the_figures() -> None:
    found = index()
    ranking = found.rank("merge the pull request")
    assert ranking is not None
    assert found.figures(ranking).keys() == model().weights.keys()


def test_command_finds_what_the_tool_finds(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    definitions = [one.tool.definition for one in (known("git", "delete_branch"), known("git", "log"))]
    documents = {
        "servers.json": {"mcpServers": {"git": {"command": "git"}}},
        "catalog.json": {"servers": {"git": {"tools": [{"definition": one} for one in definitions]}}},
        "toolsets/work.json": {"tools": [{"namespacedName": f"git.{one['name']}"} for one in definitions]},
        "settings.json": {"equippedToolset": "work"},
    }
    for name, document in documents.items():
        (home.root / name).parent.mkdir(parents=True, exist_ok=True)
        (home.root / name).write_text(json.dumps(document), "utf-8")
    arguments = ["--home", str(home.root)]
    assert parser.run(["search", "remove a branch", "--json", *arguments]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["name"], found["namespacedName"]) == ("git_delete_branch", "git.delete_branch")
    assert parser.run(["search", "play music", *arguments]) == 0
    assert capsys.readouterr().out == "No tool fits.\n"
    assert parser.run(["search", "remove the pizza from my Etsy order", *arguments]) == 0
    assert capsys.readouterr().out.startswith("No tool seems to fit. The nearest ones:\ngit_delete_branch  ")
    assert parser.run(["search", "remove the pizza from my Etsy order", "--json", *arguments]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert parser.run(["search", " ", "--limit", "1", *arguments]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == ["git_delete_branch", "git_log"], "seen red: nothing fitted, where search-tools names all tools"


def test_an_index_takes_a_few_blocks_of_memory_for_each_tool() -> None:
    """Seen red: 46 for each tool of a long description, which did not come back when the tools were gone (attacks
    *search* and *guide*).
    """
    text = "Creates an issue in a repository of a project, with labels, assignees and a milestone. " * 5
    tools = {f"hub.create_issue_{number}": text for number in range(2_000)}
    served = index(tools=tools).tools  # and the words are known
    before = sys.getallocatedblocks()
    made = SearchIndex(served)
    assert sys.getallocatedblocks() - before < 15 * len(served)
    assert len(made.search("open an issue", 5)) == 5
