"""Search of tools by what they do: BM25F over names, titles, notes and descriptions (docs/contract.md 7).

Source: Robertson, Zaragoza, *The Probabilistic Relevance Framework* (2009), 3.6. Words are stemmed and joined to words
of the same meaning, in English and German. Where the words of a query are not found, nothing fits.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.guidance.served_tools import ServedTool, category_of
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.toolsets.toolset import ToolEntry

_WEIGHTS: Final[Mapping[str, float]] = {
    "name": 5.0,
    "title": 3.0,
    "when": 3.0,
    "notes": 3.0,
    "category": 2.0,
    "source": 1.5,
    "description": 1.5,
    "parameters": 1.0,
}
_LENGTHS: Final = 0.6
"""Share of the normalization by length (BM25's b)."""
_SATURATION: Final = 1.4
"""Term frequency at which a field counts half (BM25's k1)."""
_MEANING: Final = 0.55
"""Weight of a word that only means the same as one of the query."""
_SAME_SHARE: Final = 0.8
"""Share of a word's weight that counts as matched by one of the same meaning."""
_UNKNOWN: Final = 0.4
"""Weight of a word that no tool has, such as the name of a city, beside that of the rarest known one."""
_FITS: Final = 0.34
"""Share of the query's weight that a tool must match to be an answer."""
_SHORT_NAME: Final = 6
"""Characters of a name up to which it may be a word of a text by chance."""
_TEXT_LIMIT: Final = 4_000
_QUERY_LIMIT: Final = 1_000


class Hit(Struct, frozen=True):
    """Found tool: its place in the indexed sequence, and how well it fits."""

    place: int
    score: float


class SearchIndex:
    """Index of a sequence of tools, made once for a list."""

    def __init__(self, tools: Sequence[ServedTool]) -> None:
        self.tools = tools
        self._names: dict[str, int] = {}
        documents = [_fields(tool) for tool in tools]
        lengths: defaultdict[str, float] = defaultdict(float)
        for document in documents:
            for field, words in document.items():
                lengths[field] += len(words)
        count = max(len(documents), 1)
        self._postings: dict[str, list[tuple[int, float]]] = {}
        for place, document in enumerate(documents):
            known = tools[place].known.tool
            for name in (tools[place].name, known.name, known.namespaced_name):
                self._names.setdefault(name.casefold(), place)
            weights: defaultdict[str, float] = defaultdict(float)
            for field, words in document.items():
                average = lengths[field] / count or 1.0
                share = _WEIGHTS[field] / (1 - _LENGTHS + _LENGTHS * len(words) / average)
                for word in words:
                    weights[word] += share
            for word, weight in weights.items():
                self._postings.setdefault(word, []).append((place, weight))
        self._rarity = {
            word: math.log(1 + (count - len(places) + 0.5) / (len(places) + 0.5))
            for word, places in self._postings.items()
        }
        self._unknown = _UNKNOWN * math.log(1 + (count - 0.5) / 1.5)

    def search(self, query: str, limit: int) -> list[Hit]:
        """Return the tools that fit a query, best first; none if nothing fits."""
        query = query.strip()[:_QUERY_LIMIT]
        exact = self._names.get(query.casefold())
        wanted = dict.fromkeys(words_of(query))
        if not wanted:
            return [] if exact is None else [Hit(exact, 1.0)]
        scores, matched, whole = self._matches(wanted)
        if exact is not None:
            scores[exact] += 1_000.0
            matched[exact] = whole
        fitting = (
            (place, score * priority_weight(self.tools[place].entry))
            for place, score in scores.items()
            if matched[place] >= _FITS * whole
        )
        ranked = sorted(fitting, key=lambda one: (-one[1], one[0]))[:limit]
        return [Hit(place, round(score, 4)) for place, score in ranked]

    def scores(self, text: str) -> dict[int, float]:
        """Return the score of each tool that shares a word, or a word of the same meaning, with a text."""
        scores = self._matches(dict.fromkeys(words_of(text)))[0]
        lower = text.casefold()
        for name, place in self._names.items():
            if len(name) > _SHORT_NAME and name in lower:
                scores[place] += 1_000.0
        return dict(scores)

    def _matches(self, wanted: Iterable[str]) -> tuple[defaultdict[int, float], defaultdict[int, float], float]:
        """Return the scores by place, the weight of the words that matched, and the weight of all."""
        scores: defaultdict[int, float] = defaultdict(float)
        matched: defaultdict[int, float] = defaultdict(float)
        whole = 0.0
        for word in wanted:
            rarity = self._rarity.get(word)
            alike = [one for one in _SAME.get(word, ()) if one in self._postings]
            weight = rarity if rarity is not None else max((self._rarity[one] for one in alike), default=self._unknown)
            whole += weight
            best: dict[int, tuple[float, float]] = {}
            for variant, factor in ((word, 1.0), *((one, _MEANING) for one in alike)):
                for place, tf in self._postings.get(variant, ()):
                    points = factor * self._rarity[variant] * tf / (_SATURATION + tf)
                    if points > best.get(place, (0.0, 0.0))[0]:
                        best[place] = (points, weight if factor == 1.0 else _SAME_SHARE * weight)
            for place, (points, share) in best.items():
                scores[place] += points
                matched[place] += share
        return scores, matched, whole


def priority_weight(entry: ToolEntry) -> float:
    """Return the weight of a tool by the user's priority: 1 for the usual one, 0.75 to 1.25."""
    return 0.75 + 0.5 * entry.priority


def words_of(text: str) -> list[str]:
    """Return the stems of a text's words without those that say nothing; ``createIssue`` is two words."""
    found = []
    for word in _WORD.findall(_HUMP.sub(" ", text[:_TEXT_LIMIT])):
        lower = word.casefold()
        if lower not in _EMPTY:
            found.append(stem(lower))
    return found


def stem(word: str) -> str:
    """Return the stem of an English or German word: endings of number, person and tense go."""
    if len(word) <= 3 or not word.isalpha():
        return word
    word = word.translate(_UMLAUTS)
    for ending, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
                word = word[:-1]
            break
    return word.rstrip("e") if len(word) > 3 else word


def _fields(tool: ServedTool) -> dict[str, list[str]]:
    known, entry = tool.known.tool, tool.entry
    arguments = top_level_arguments(known.definition["inputSchema"])
    parameters = [*arguments, *(_description(one) for one in arguments.values())]
    parameters += [one.note for one in entry.parameters.values() if one.note]
    notes = [f"{one.note.name} {one.note.note}" for one in tool.notes if one.note.enabled and not tool.paused]
    texts = {
        "name": f"{tool.name} {known.name} {entry.alias or ''}",
        "title": known.title,
        "when": f"{entry.when_to_use} {entry.instructions}",
        "notes": " ".join(notes),
        "category": category_of(tool),
        "source": known.server,
        "description": known.description,
        "parameters": " ".join(parameters),
    }
    return {field: list(dict.fromkeys(words)) if field == "name" else words
            for field, text in texts.items() if (words := words_of(text))}  # fmt: skip


def _description(schema: Any) -> str:
    text = schema.get("description") if isinstance(schema, dict) else None
    return text[:300] if isinstance(text, str) else ""


_WORD: Final = re.compile(r"[^\W_]+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_ENDINGS: Final = (
    ("ization", 3), ("isation", 3), ("ations", 3), ("ation", 3), ("ungen", 3), ("ments", 3), ("ment", 3), ("ings", 3),
    ("ing", 3), ("ung", 4), ("ies", 3), ("tion", 3), ("ers", 4), ("est", 4), ("ern", 4), ("ed", 3), ("en", 4),
    ("er", 4), ("es", 3), ("st", 5), ("s", 3), ("y", 3), ("t", 5),
)  # fmt: skip


def _split(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


_EMPTY: Final = _split(
    "a an and any are as at be by can do for from has have how i in into is it its me my of on or our please so some",
    "than that the their them then there these this those to up us want was we what when where which who will with",
    "would you your need tool tools using use",
    "der die das den dem des ein eine einen einem einer und oder ist sind mit von zu zum zur im am auf für ich mir",
    "mich wir uns bitte wie was welche welcher alle nicht bei als auch dass kann soll möchte mein meine meinen",
)
_GROUPS: Final = (
    "create add new make open file insert neu anlegen erstellen hinzufügen eröffnen erzeugen",
    "delete remove erase drop clear trash löschen entfernen",
    "update edit change modify set rename alter patch ändern bearbeiten aktualisieren umbenennen",
    "search find query lookup seek look suchen finden nachschlagen",
    "list show browse enumerate overview auflisten zeigen anzeigen",
    "get read fetch retrieve view load download lesen holen abrufen laden",
    "send post message notify email mail dm senden schicken nachricht verschicken mailen",
    "issue ticket bug task todo defect aufgabe vorgang fehler",
    "file document doc page datei dokument seite",
    "folder directory ordner verzeichnis",
    "pull request pr merge review",
    "commit save store persist speichern sichern",
    "branch zweig",
    "repository repo project projekt",
    "user person member account contact people benutzer nutzer mitglied kontakt",
    "calendar event appointment meeting schedule termin kalender besprechung",
    "database sql table query datenbank tabelle abfrage",
    "image picture photo screenshot bild foto bildschirmfoto",
    "web website url internet page site webseite",
    "weather forecast temperature wetter vorhersage",
    "run execute start launch invoke ausführen starten",
    "stop cancel kill abort end close stoppen abbrechen beenden schließen",
    "comment reply answer note kommentar antwort antworten notiz",
    "channel room chat conversation kanal",
    "translate translation übersetzen übersetzung",
    "time date clock zeit datum uhrzeit",
    "convert transform format umwandeln konvertieren",
    "compare diff difference vergleichen unterschied",
    "price cost invoice payment bill charge preis kosten rechnung zahlung",
    "customer client kunde",
    "deploy release publish ship veröffentlichen ausliefern",
    "map location place address directions karte ort adresse route",
    "memory remember recall merken erinnern",
    "move copy verschieben kopieren",
    "assign owner zuweisen",
    "log history activity protokoll verlauf",
)


def _same_words(groups: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return stem -> stems of the same meaning."""
    found: dict[str, dict[str, None]] = {}
    for group in groups:
        stems = [stem(word) for word in group.split()]
        for one in stems:
            found.setdefault(one, {}).update(dict.fromkeys(other for other in stems if other != one))
    return {one: tuple(others) for one, others in found.items()}


_SAME: Final = _same_words(_GROUPS)
