"""The model of meaning in its own process: what it finds, when it is there, and what it is spared (docs/search.md)."""

from __future__ import annotations

import gc
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from tests.guidance.test_search import index
from tests.meaning.processes import models
from tests.timing import compare
from tests.waiting import PATIENCE, is_gone, wait_until
from toolnote_desktop.commands.checks import check_search_model
from toolnote_desktop.guidance.search_fit import joined_model
from toolnote_desktop.meaning import client, messages
from toolnote_desktop.meaning.client import COMMAND, Meaning
from toolnote_desktop.meaning.messages import LARGEST_MESSAGE, Ask, read_request, write_message
from toolnote_desktop.meaning.network import MOST_TOKENS, Network
from toolnote_desktop.meaning.wordpiece import MOST_CHARACTERS, WordPiece
from toolnote_desktop.paths import Home

TEXTS = (
    "lamps: set brightness. Dims or brightens the lights of a room",
    "bank: list transactions. Lists the payments of an account",
    "plants: water. Opens the valve of the garden's irrigation",
    "mail: send. Sends an email to a recipient",
)
QUESTION = "the vegetables outside are drying out, give them a drink"
BEST = 2


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture
def meaning(home: Home) -> Iterator[Meaning]:
    made = Meaning(home)
    yield made
    made.close()
    assert not models()


def best(meaning: Meaning, texts: tuple[str, ...] = TEXTS, question: str = QUESTION) -> int:
    cosines = meaning.cosines(texts, question, PATIENCE, is_patient=True)
    assert cosines is not None
    assert len(cosines) == len(texts)
    return max(range(len(cosines)), key=cosines.__getitem__)


def test_model_finds_what_words_do_not(meaning: Meaning) -> None:
    tools = {
        "lamps.set_brightness": "Dims or brightens the lights of a room",
        "plants.irrigate": "Opens the valve of the garden's sprinklers",
        "notes.append_block": "Appends a paragraph to a page",
        "music.skip_track": "Skips to the next track",
    }
    found, question = index(tools=tools), "Add a sentence below the agenda"
    words = found.search(question, 5, nearest=True)
    assert found.tools[words[0].place].known.tool.name == "skip_track"
    cosines = meaning.cosines(found.texts, found.question_for_model(question), PATIENCE, is_patient=True)
    both = found.search(question, 5, nearest=True, cosines=cosines)
    assert found.tools[both[0].place].known.tool.name == "append_block"


def test_weights_are_those_of_the_figures(meaning: Meaning) -> None:
    found = index()
    ranking = found.rank("merge the pull request")
    cosines = meaning.cosines(found.texts, "merge the pull request", PATIENCE, is_patient=True)
    assert ranking is not None
    assert cosines is not None
    _, rows = found.join_figures(ranking, cosines)
    assert len(rows[0]) == len(joined_model().order) == len(joined_model().order_of_german)
    ranking = found.join(ranking, cosines)
    assert found.joined_figures(ranking).keys() == joined_model().weights.keys()


def test_german_reaches_the_model_in_english_words() -> None:
    found = index()
    assert found.question_for_model("such die Mails") == "search the emails"
    assert found.question_for_model("Wie heißt der Projektordner?") == "how is called the project folder"
    assert found.question_for_model("Leg es in Merge an, und lösch es") == "create it in Merge and delete it"
    assert found.question_for_model("merge the pull request") == "merge the pull request"


def test_search_waits_for_the_process_to_start_and_not_for_vectors(
    meaning: Meaning, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: the first search after a rest went by words alone, though the vectors were in the file."""
    monkeypatch.setattr(client, "START_SECONDS", PATIENCE)
    assert meaning.cosines(TEXTS, QUESTION) is not None  # the process is started, and the few texts are worked out
    monkeypatch.setattr(client, "ANSWER_SECONDS", PATIENCE)
    assert meaning.cosines((*TEXTS, "another: tool."), QUESTION) is None
    assert meaning.cosines(TEXTS, QUESTION) is not None


def test_lists_are_told_apart_and_those_of_tools_that_are_gone_are_forgotten(meaning: Meaning) -> None:
    for turn in range(12):
        texts = (*TEXTS[: turn % 3 + 1], *TEXTS)
        assert best(meaning, texts) in (turn % 3, turn % 3 + 1 + BEST)
        assert best(meaning, TEXTS) == BEST
    gone = index().texts
    gc.collect()
    assert meaning.cosines(gone, QUESTION, PATIENCE, is_patient=True) is None
    assert best(meaning) == BEST


def test_process_that_dies_comes_back(meaning: Meaning) -> None:
    assert best(meaning) == BEST
    (first,) = models()
    first.kill()
    first.wait()
    wait_until(lambda: meaning.cosines(TEXTS, QUESTION, PATIENCE, is_patient=True) is not None)
    assert best(meaning) == BEST
    assert [one.pid for one in models()] != [first.pid]


def test_process_ends_after_a_rest_and_starts_again(home: Home) -> None:
    meaning = Meaning(home, rest=0.05)
    assert best(meaning) == BEST
    wait_until(lambda: not models())
    assert best(meaning) == BEST
    meaning.close()
    assert not models()
    assert meaning.cosines(TEXTS, QUESTION, PATIENCE, is_patient=True) is None


def test_process_does_not_outlive_a_killed_app(home: Home) -> None:
    code = (
        "import sys, pathlib, psutil\n"
        "from toolnote_desktop.meaning.client import Meaning\n"
        "from toolnote_desktop.paths import Home\n"
        f"made = Meaning(Home(pathlib.Path({str(home.root)!r})))\n"
        "assert made.cosines(('a: b. c',), 'd', 60, is_patient=True)\n"
        "print(psutil.Process().children()[0].pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as app:
        assert app.stdout is not None
        pid = int(app.stdout.readline())
        app.kill()
        app.wait()
    assert is_gone(pid)


def test_hostile_texts_are_read_in_part_and_harm_nothing(meaning: Meaning) -> None:
    odd = ("a" * 1_000_000, "\x00\x1b[2J\u202e\u200b" * 1000, "lone \ud800 surrogate", "", "\U0001f600" * 1000, *TEXTS)
    for question in ("\ud800", "\x00\x00", "x" * 1_000_000, "́" * 10_000, QUESTION):
        cosines = meaning.cosines(odd, question, PATIENCE, is_patient=True)
        assert cosines is not None
        assert all(-1.01 <= one <= 1.01 for one in cosines)
    assert best(meaning, odd) == BEST + len(odd) - len(TEXTS)
    assert meaning.cosines(TEXTS, "   ", PATIENCE) is None
    assert meaning.cosines((), QUESTION, PATIENCE) is None


@pytest.mark.parametrize("text", ["word " * 10, "x" * 50, "##" * 25, "é́" * 25, "語" * 50, "$%&" * 17])
def test_tokens_take_linear_time_and_are_bounded(text: str) -> None:
    words: WordPiece = NETWORK.words
    large = text * 4000
    assert len(words.tokens(large, MOST_TOKENS)) <= MOST_TOKENS
    assert words.tokens(large, MOST_TOKENS) == words.tokens(large[:MOST_CHARACTERS], MOST_TOKENS)
    small = large[: MOST_CHARACTERS // 4]
    longer, shorter = compare(
        lambda: [words.tokens(large, 100_000) for _ in range(20)],
        lambda: [words.tokens(small, 100_000) for _ in range(20)],
        8,
    )
    assert longer <= 8 * shorter


NETWORK = Network()


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "another model", "folder"])
def test_damaged_file_of_vectors_is_made_anew(home: Home, damage: str) -> None:
    def run() -> list[float]:
        meaning = Meaning(home)
        found = meaning.cosines(TEXTS, QUESTION, PATIENCE, is_patient=True)
        meaning.close()
        assert found is not None
        return list(found)

    before = run()
    whole = home.vectors.read_bytes()
    assert stat.S_IMODE(home.vectors.stat().st_mode) == 0o600 or sys.platform == "win32"
    if damage == "folder":
        home.vectors.unlink()
        home.vectors.mkdir()
        assert run() == before
        return
    damaged = {
        "empty": b"",
        "cut": whole[:-10],
        "changed": whole[:-1] + bytes([whole[-1] ^ 1]),
        "another model": whole.replace(whole[19:51], b"m" * 32),
    }[damage]
    home.vectors.write_bytes(damaged)
    assert run() == before
    assert home.vectors.read_bytes() == whole


def test_known_vectors_are_read_from_the_file(home: Home) -> None:
    """The file is believed: one with another vector for a text gives another answer."""
    for _ in range(2):
        meaning = Meaning(home)
        assert best(meaning) == BEST
        meaning.close()
        written = home.vectors.stat().st_mtime_ns
    assert home.vectors.stat().st_mtime_ns == written
    assert os.listdir(home.run) == [home.vectors.name]


def test_without_numpy_there_is_no_process_and_doctor_says_so(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(check_search_model())
    monkeypatch.setitem(sys.modules, "numpy", None)
    meaning = Meaning(home)
    meaning.prepare(TEXTS)
    assert meaning.cosines(TEXTS, QUESTION, PATIENCE, is_patient=True) is None
    assert not models()
    meaning.close()
    (finding,) = check_search_model()
    assert finding.text == "NumPy is not installed: tools are searched by their words alone"
    assert not finding.wrong


def test_messages_are_bounded(home: Home) -> None:
    stream = BytesIO((LARGEST_MESSAGE + 1).to_bytes(4, "little") + b"x")
    with pytest.raises(ValueError, match="a message of"):
        read_request(stream)
    with pytest.raises(ValueError, match="not a message"):
        read_request(BytesIO(b"\x01\x00\x00\x00x"))
    whole = BytesIO()
    write_message(whole, Ask(1, "q" * (LARGEST_MESSAGE // 2)))
    assert read_request(BytesIO(whole.getvalue()[:-1])) is None
    run = subprocess.run(
        [sys.executable, "-m", "toolnote_desktop", COMMAND, str(home.vectors)],
        input=b"\xff\xff\xff\xff" * 10,
        capture_output=True,
        check=False,
    )
    assert run.returncode == 1
    assert not run.stdout
    assert messages.MOST_TEXTS * 4 * MOST_CHARACTERS < LARGEST_MESSAGE


def test_app_does_not_import_numpy() -> None:
    code = "import sys, toolnote_desktop.serve, toolnote_desktop.app, toolnote_desktop.proxy.tools.tool_search\n"
    code += "import toolnote_desktop.meaning.client\nassert 'numpy' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
