"""Search of tools by what they do: BM25F over names, titles, notes and descriptions (docs/contract.md 7).

Source: Robertson, Zaragoza, *The Probabilistic Relevance Framework* (2009), 3.6. Words are stemmed and joined to words
of the same meaning (``search_words``); German ones are looked up in English too. A source that the query names, a name
that is meant as a whole, and a word that only a note has count more. Where too little of a query is found, or it names
a product that no tool has to do with, nothing fits. docs/search.md has the figures.
"""

from __future__ import annotations

import heapq
import math
import operator
import re
import threading
import weakref
from array import array
from bisect import bisect_right
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from typing import Any, Final, overload

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.guidance.search_fit import (
    Product,
    Request,
    changes_something,
    is_english,
    is_german,
    joined_model,
    model,
    read_request,
)
from toolnote_desktop.guidance.served_tools import ServedTool, Serving, category_of, chosen_tools
from toolnote_desktop.guidance.texts import WORD
from toolnote_desktop.guidance.words import HUMP, DocumentReader, Documents, Postings, stem, stems_of, thesaurus
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.preferences import Preferences
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.toolsets.toolset import ToolEntry, Toolset

MOST_NEAREST: Final = 3
"""Tools that are named where none fits."""
NAMED: Final = 1_000.0
"""Score of a tool that a text names."""

_WEIGHTS: Final[Mapping[str, float]] = {
    "name": 5.0,
    "title": 3.0,
    "when": 3.0,
    "notes": 3.0,
    "category": 2.0,
    "source": 1.5,
    "description": 2.0,
    "parameters": 1.0,
}
_OF_THE_USER: Final = ("notes", "when")
"""Fields with the user's own words: a rare one of them is the user's name of something."""
_LENGTHS: Final = 0.6
"""Share of the normalization by length (BM25's b)."""
_SATURATION: Final = 1.3
"""Term frequency at which a field counts half (BM25's k1)."""
_MEANING: Final = 0.65
"""Weight of a word that only means the same as one of the query."""
_SAME_WEIGHT: Final = 0.55
"""The same for what is relevant to a task, where the words are fewer."""
_SAME_SHARE: Final = 0.9
"""Share of a word's weight that counts as matched by one of the same meaning."""
_SURE: Final = 1.4
"""The same of each part of such a word's own weight: what may mean a lot shows little."""
_UNKNOWN: Final = 0.6
"""Weight of a word that no tool has, such as the name of a city, beside that of the rarest known one."""
_LEAST: Final = 0.15
"""Share of the query's weight that a tool must match."""
_NEAR: Final = 0.15
"""Share of the best tool's score that one must have to be found beside it."""
_PREFERRED: Final = 1.5
"""Weight of a tool that the user prefers."""
_JUDGED: Final = 3
"""First tools of which one must have to do with a question."""
_FIRST: Final = 5
"""Tools of an answer: where something fits, few sources have them."""
_FEW_TOOLS: Final = 4
_MANY_TOOLS: Final = 1_400
"""Tools between which the decision that nothing fits changes with their number: it was trained on such libraries."""
_NAME: Final = 0.3
"""Weight of a name that no tool has, beside another unknown word: people and places do not change what is wanted."""
_RARE_IN_NOTES: Final = 3
"""Tools whose notes may have a word that is taken for the user's own name of something."""
_NOTED: Final = 8.0
"""Points of such a word."""
_GERMAN_WORD: Final = 0.9
"""Weight of the English word for a German one."""
_MEANING_OF_GERMAN: Final = 0.45
"""Weight of a word that means the same as the English word for a German one."""
_SAID: Final = 0.95
"""Weight of a word of tools for an everyday word or phrase (``thesaurus``)."""
_SAID_ELSEWHERE: Final = 0.2
"""Weight of an everyday word for a word of tools."""
_BEGINNING: Final = 0.8
"""Weight of a source's name that begins with a word, such as MongoDB for Mongo."""
_LEAST_PREFIX: Final = 4
_LEAST_COMPOUND: Final = 8
_NAMED_SOURCE: Final = 1.5
"""Points of the tools of a source that the query names."""
_SOURCE: Final = 0.15
"""Weight of the words that any tool of a source has: they say which field a query is about."""
_WHOLE_NAME: Final = 0.6
"""What is added to the score of a tool of whose whole name the query speaks."""
_RANKED_AGAIN: Final = 40
_SHORT_NAME: Final = 6
"""Characters of a name up to which it may be a word of a text by chance."""
_QUERY_LIMIT: Final = 1_000
_JOINED: Final = 45
"""First tools by words, and by meaning, that are ranked together."""
_NEAREST: Final = 20
"""First tools by meaning whose cosines decide whether a tool fits."""
_SPREAD: Final = 0.36
"""Three standard deviations of the cosines of a question and tools: what they are divided by."""
_LEAST_ODDS: Final = 0.003
"""Odds to the best tool that one must have to be found beside it by words and meaning."""
_LEAST_COSINE: Final = 0.25
"""Cosine from which a tool that shares no word with a query is named where none fits."""
_WORDS_READ: Final = 72
"""Words of a question that the model reads at most."""
_DESCRIPTION: Final = 300
"""Characters of a description that the model reads."""
_AND: Final = frozenset(("und", "oder"))
_PARTICLES: Final = frozenset(("ab", "an", "auf", "aus", "bei", "durch", "ein", "mit", "nach", "um", "vor", "zu"))
"""Words that belong to the verb where they end a clause."""


class Hit(Struct, frozen=True):
    """Found tool: its place in the indexed sequence, and how well it fits."""

    place: int
    score: float


class FoundTools(Struct, frozen=True):
    """Tools that fit a query; if none does, the nearest ones."""

    hits: list[Hit]
    nearest: list[Hit]


Cosines = Sequence[float]
"""Similarity of each tool's text to a question."""
Ask = Callable[[Sequence[str], str], Callable[[], Cosines | None]]
"""Sends texts and a question to the model, and returns what waits for its answer; None if there is none in time."""


class _Matches(Struct):
    """What tools have of the words of a query.

    Attributes:
        scores: place -> points.
        weights: word -> its weight.
        whole: weight of all words.
        parts: for each word, how much of its weight each word for it counts for, with the points of those that have it.
        own: weight of each word that any tool has, with the points of those that have it themselves.
        named: place of the tool whose name the query is.
    """

    scores: dict[int, float]
    weights: dict[str, float]
    whole: float
    parts: list[list[tuple[float, dict[int, float]]]]
    own: list[tuple[float, dict[int, float]]]
    named: int | None = None

    def matched(self, places: Set[int]) -> dict[int, float]:
        """Return place -> weight of the words that a tool has or has one like, for some tools."""
        found = dict.fromkeys(places, 0.0)
        for part in self.parts:
            best: dict[int, tuple[float, float]] = {}
            for share, points in part:
                for place in points.keys() & places:
                    if points[place] > best.get(place, (0.0, 0.0))[0]:
                        best[place] = (points[place], share)
            for place, (_, share) in best.items():
                found[place] += share
        if self.named is not None and self.named in places:
            found[self.named] = self.whole
        return found

    def itself(self, places: Set[int]) -> dict[int, float]:
        """Return place -> weight of the words that a tool has itself, for some tools."""
        found = dict.fromkeys(places, 0.0)
        for weight, points in self.own:
            for place in points.keys() & places:
                found[place] += weight
        return found


class Wish(Struct, frozen=True):
    """What a query says by itself, whatever the order of the tools: it is worked out while the model works.

    Attributes:
        concepts: share of the words of tools that it may mean which any tool has; 0.5 if it may mean none.
        product: it names a product that no tool has to do with.
        mentions: it names one that only texts mention.
    """

    request: Request
    is_german: bool
    concepts: float
    product: bool
    mentions: bool


class Ranking(Struct):
    """Tools with their scores, the best first, before the decision that some fit.

    Attributes:
        variants: word of the query, or one like it -> its greatest weight.
        tools: place and score of each.
        noted: place -> points for words that few notes have.
        shares: place -> share of a tool's name that the query speaks of, for those of ``tools``.
        first: place of the tool with the most points, before its name and the user's priority are looked at.
    """

    wanted: dict[str, dict[str, float]]
    variants: dict[str, float]
    matches: _Matches
    tools: list[tuple[int, float]]
    noted: dict[int, float]
    wish: Wish
    shares: dict[int, float]
    first: int | None
    joined: list[float] = []
    """Log odds of the tools to one another by words and meaning together; empty if ranked by words alone."""
    cosines: Cosines = ()
    nearest: list[int] = []
    """Places of the first tools by meaning."""

    def candidates(self) -> list[tuple[int, float]]:
        """Return those tools that match a least share of the query, or a word that few notes have."""
        matched, least = self.matches.matched({place for place, _ in self.tools}), _LEAST * self.matches.whole
        return [(place, score) for place, score in self.tools if place in self.noted or matched[place] >= least]


class SearchIndex:
    """Index of a sequence of tools, made once for a list.

    Attributes:
        texts: those of the tools for the model, in their order.
    """

    def __init__(
        self,
        tools: Sequence[ServedTool],
        before: SearchIndex | None = None,
        between: Callable[[], object] = lambda: None,
    ) -> None:
        """Index these tools; the words of those that ``before`` has, as the same objects, are not read again.

        Args:
            between: called after each tool; a thread beside others lets them run (``system.threads.Turns``).
        """
        self.tools = tools
        self.texts: ToolTexts = ToolTexts(self) if before is None else before.texts.of(self)
        self._names: dict[str, int] = {}
        self._places = {id(tool): place for place, tool in enumerate(tools)}
        self._documents = Documents(tuple(_WEIGHTS))
        read = DocumentReader(self._documents)
        take = None if before is None else self._documents.taking_over(before._documents)
        for place, tool in enumerate(tools):
            for name in (tool.name, tool.known.tool.name, tool.known.tool.namespaced_name):
                lower = name.casefold()
                self._names.setdefault(name if name == lower else lower, place)  # that of the tool takes no memory
            known = None if before is None else before._places.get(id(tool))
            if take is None or known is None:
                self._documents.append(_fields(tool, read))
            else:
                take(known)
            between()
        count, lengths = max(len(tools), 1), self._documents.mean_lengths()

        def weights_of(place: int) -> Mapping[int, float]:
            weights: defaultdict[int, float] = defaultdict(float)
            for field, numbers in self._documents.numbers_of(place):
                share = _WEIGHTS[field] / (1 - _LENGTHS + _LENGTHS * len(numbers) / lengths[field])
                for number in numbers:
                    weights[number] += share
            between()
            return {number: weight / (_SATURATION + weight) for number, weight in weights.items()}

        self._postings = Postings(self._documents.numbers, map(weights_of, range(len(tools))))
        self._rarity: dict[str, float] = {}
        self._sources: dict[str, frozenset[str]] = {}
        self._source_of = sources = [tool.known.tool.server for tool in tools]
        rarity_of = cache(lambda having: math.log(1 + (count - having + 0.5) / (having + 0.5)))
        alone = cache(lambda source: frozenset((source,)))
        shared: dict[frozenset[str], frozenset[str]] = {}
        for word, places in self._postings.items():
            self._rarity[word] = rarity_of(len(places))
            if len(places) == 1:
                self._sources[word] = alone(sources[places[0]])
            else:
                found = frozenset(map(sources.__getitem__, places))
                self._sources[word] = shared.setdefault(found, found)
        self._unknown = _UNKNOWN * math.log(1 + (count - 0.5) / 1.5)
        self._source_names: dict[str, list[int]] = {}
        self._own_names: list[tuple[str, ...]] = []
        self._name_weights = array("d")
        self._noted: dict[str, list[int]] = {}
        self._source_count = len(set(sources))
        for place, tool in enumerate(tools):
            for word in dict.fromkeys(
                word for field in _OF_THE_USER for word in self._documents.words_in(place, field)
            ):
                self._noted.setdefault(word, []).append(place)
            source = dict.fromkeys(stems_of(tool.known.tool.server))
            for word in source:
                self._source_names.setdefault(word, []).append(place)
            own = [word for word in stems_of(tool.known.tool.name) if word not in source]
            self._own_names.append(tuple(word for word in dict.fromkeys(own) if word in self._rarity))
            self._name_weights.append(sum(self._rarity[word] for word in self._own_names[place]))
            between()
        self._names_of_sources = sorted(self._source_names)

    def question_for_model(self, query: str) -> str:
        """Return a query as the model reads it: it knows English, so German words give way to English ones.

        Names and words of tools stay as they are. A word that ends a clause and belongs to its verb, as in *fügen …
        hinzu*, is left out, and so are words of other scripts than Latin: all of them are alike to the model.
        """
        query = _NOT_LATIN.sub(" ", query.strip()[:_QUERY_LIMIT])
        if not _is_german(query):
            return query
        found, tokens = [], list(WORD.finditer(query))[:_WORDS_READ]
        following = [*(one.group().casefold() for one in tokens[1:]), ""]
        for match, after in zip(tokens, following, strict=True):
            rest = query[match.end() :].lstrip()
            is_end = after in _AND or not rest or not rest[0].isalnum()
            if match.start() == 0 or not is_end or match.group().casefold() not in _PARTICLES:
                found.append(self._in_english(match.group()))
        return " ".join(filter(None, found))

    def _in_english(self, token: str) -> str:
        """Return a word of a German query in English; empty if English has no word there."""
        words, stems = _sentences()
        word, lower = stem(token.casefold()), token.casefold()
        is_known = word in self._postings
        if lower in words:
            return words[lower]
        if is_known and token[0].isupper():
            return token
        if word in stems:
            return stems[word]
        if is_known:
            return token
        if parts := _compound_in_english(lower):
            return parts
        variants = self._wanted(token).get(word, {})
        best = max((one for one in variants if one != word), key=lambda one: (variants[one], one), default=None)
        return token if best is None else thesaurus().heads.get(best, best)

    def answer(self, preferences: Preferences, query: str, limit: int, ask: Ask | None = None) -> FoundTools:
        """Search; tools that the user prefers weigh more, and those to leave alone are last unless named.

        Args:
            ask: asks the model, which works while the words are compared.
        """
        cosines = (lambda: None) if ask is None else ask(self.texts, self.question_for_model(query))
        never, always = frozenset(preferences.never), frozenset(preferences.always)
        exact = self._exact(query)
        most = limit + _RANKED_AGAIN if never or always else limit
        ranking = self._ranked(query, most, cosines)
        hits = self._hits(query, most, ranking)

        def order(hit: Hit) -> tuple[bool, float]:
            name = self.tools[hit.place].known.tool.namespaced_name
            return name in never and hit.place != exact, -hit.score * (_PREFERRED if name in always else 1.0)

        if never or always:
            hits = sorted(hits, key=order)[:limit]
        return FoundTools(hits, [] if hits else self._hits(query, MOST_NEAREST, ranking, nearest=True))

    def search(self, query: str, limit: int, *, nearest: bool = False, cosines: Cosines | None = None) -> list[Hit]:
        """Return the tools that fit a query, best first; none if nothing fits.

        Args:
            nearest: return the nearest where nothing fits.
            cosines: similarity of each tool's text to the query, if the model knows it.
        """
        return self._hits(query, limit, self._ranked(query, limit, lambda: cosines), nearest=nearest)

    def _ranked(self, query: str, limit: int, ask: Callable[[], Cosines | None]) -> Ranking | None:
        """Return the tools by words, and by meaning where the model has an answer; None if a query has no words."""
        ranking = self.rank(query, limit)
        cosines = ask()
        if ranking is None or cosines is None or len(cosines) != len(self.tools):
            return ranking
        return self.join(ranking, cosines)

    def _exact(self, query: str) -> int | None:
        """Return the place of the tool whose name a query is."""
        return self._names.get(query.strip()[:_QUERY_LIMIT].casefold())

    def _hits(self, query: str, limit: int, ranking: Ranking | None, *, nearest: bool = False) -> list[Hit]:
        """Return the first tools of a ranking; none if nothing fits and not the nearest are wanted."""
        exact = self._exact(query)
        if ranking is None:
            return [] if exact is None else [Hit(exact, 1.0)]
        if ranking.cosines:
            return self._joined_hits(query, limit, ranking, exact, nearest)
        if nearest:
            return [Hit(place, round(score, 4)) for place, score in ranking.tools[:limit]]
        fitting = replace(ranking, tools=ranking.candidates())
        if exact is None and (not fitting.tools or model().odds(self.figures(fitting)) < 0):
            return []
        least = _NEAR * fitting.tools[0][1]
        return [Hit(place, round(score, 4)) for place, score in fitting.tools[:limit] if score >= least]

    def _joined_hits(self, query: str, limit: int, ranking: Ranking, exact: int | None, nearest: bool) -> list[Hit]:
        """Return the first tools by words and meaning, each with its odds to the first; none if nothing fits."""
        if not ranking.tools or not (
            nearest or exact is not None or joined_model().odds(self.joined_figures(ranking)) >= 0
        ):
            return []
        odds = [math.exp(one - ranking.joined[0]) for one in ranking.joined]
        shared = ranking.matches.scores
        found = [
            Hit(place, round(one, 4))
            for (place, _), one in zip(ranking.tools[:limit], odds, strict=False)
            if (one >= _LEAST_ODDS if not nearest else place in shared or ranking.cosines[place] >= _LEAST_COSINE)
        ]
        if exact is not None and not nearest:
            found = [Hit(exact, NAMED), *(hit for hit in found if hit.place != exact)][:limit]
        return found

    def join(self, ranking: Ranking, cosines: Cosines) -> Ranking:
        """Return the first tools by words and by meaning, in the order of both together."""
        places, rows = self.join_figures(ranking, cosines)
        scores = joined_model().scores(rows, is_german=ranking.wish.is_german)
        weights = [priority_weight(self.tools[place].entry) for place in places]
        order = sorted(
            ((score + math.log(weight), place) for score, weight, place in zip(scores, weights, places, strict=True)),
            key=lambda one: (-one[0], one[1]),
        )
        by_words = dict(ranking.tools)
        ranking.tools = [(place, by_words.get(place, 0.0)) for _, place in order]
        ranking.joined = [score for score, _ in order]
        return ranking

    def join_figures(self, ranking: Ranking, cosines: Cosines) -> tuple[list[int], list[tuple[float, ...]]]:
        """Return the places of the first tools by words and by meaning, and what their order is made of for each.

        The ranking keeps the cosines, and which tools are nearest by them.
        """
        by_words, sources = ranking.tools[:_JOINED], self._source_of
        ranking.cosines, ranking.nearest = cosines, _nearest(cosines, _JOINED)
        nearest = ranking.nearest
        ranks = {place: rank for rank, (place, _) in enumerate(by_words)}
        near_ranks = {place: rank for rank, place in enumerate(nearest)}
        matches, scores, variants = ranking.matches, dict(by_words), ranking.variants
        places = sorted({*ranks, *nearest})
        known = ranking.shares
        shares = {place: known[place] if place in known else self._name_share(place, variants) for place in places}
        matched, itself = matches.matched(shares.keys()), matches.itself(shares.keys())
        for place in places:
            if place not in scores and place in matches.scores:
                scores[place] = matches.scores[place] * (1 + _WHOLE_NAME * shares[place])
        most, whole = max(scores.values(), default=0.0) or 1.0, matches.whole or 1.0
        best, least = cosines[nearest[0]], cosines[nearest[-1]]
        source_scores: dict[str, float] = {}
        source_cosines: dict[str, float] = {}
        for place, score in scores.items():
            source = sources[place]
            source_scores[source] = max(score, source_scores.get(source, 0.0))
        for place in nearest:
            source_cosines.setdefault(sources[place], cosines[place])
        rows: list[tuple[float, ...]] = []
        for place in places:
            score, source = scores.get(place, 0.0), sources[place]
            rank, near_rank = ranks.get(place, _JOINED), near_ranks.get(place, _JOINED)
            rows.append((
                score / most,
                score / whole,
                1 / (3 + rank),
                math.log1p(rank),
                float(score > 0),
                itself[place] / whole,
                matched[place] / whole,
                shares[place],
                source_scores.get(source, 0.0) / most,
                cosines[place] / _SPREAD,
                (cosines[place] - best) / _SPREAD,
                1 / (3 + near_rank),
                math.log1p(near_rank),
                source_cosines.get(source, least) / _SPREAD,
                ranking.noted.get(place, 0.0) / _NOTED,
            ))  # fmt: skip
        return places, rows

    def joined_figures(self, ranking: Ranking) -> dict[str, float]:
        """Return what decides whether the first tools by words and meaning fit; there is one at least."""
        figures = self.figures(ranking)
        cosines, sources, is_own = ranking.cosines, self._source_of, float(not ranking.wish.is_german)
        nearest = [cosines[place] for place in ranking.nearest[:_NEAREST]]
        first = ranking.tools[0][0]
        others = (place for place in ranking.nearest if sources[place] != sources[first])
        other = next(others, None)
        if other is None and len(ranking.nearest) < len(cosines):  # one source has all that are near
            rest = (place for place in range(len(cosines)) if sources[place] != sources[first])
            other = max(rest, key=cosines.__getitem__, default=None)
        odds = [math.exp(one - ranking.joined[0]) for one in ranking.joined]
        far = nearest[_FIRST:]
        return figures | {
            "cosine": cosines[first] * is_own,
            "cosine of German": cosines[first] * (1 - is_own),
            "nearest": nearest[0] * is_own,
            "nearest of German": nearest[0] * (1 - is_own),
            "next": sum(nearest[1:_FIRST]) / len(nearest[1:_FIRST]) * is_own if len(nearest) > 1 else 0.0,
            "far": sum(far) / len(far) * is_own if len(far) > 1 else 0.0,
            "other sources": 0.0 if other is None else cosines[other] * is_own,
            "certain": odds[0] / sum(odds),
            "certain of five": sum(odds[:_FIRST]) / sum(odds),
            "joined": ranking.joined[0],
            "first by words": float(ranking.first == first),
        }

    def rank(self, query: str, limit: int = _FIRST) -> Ranking | None:
        """Return the tools that have to do with a query, ``limit`` and some more; None if it has no words."""
        query = query.strip()[:_QUERY_LIMIT]
        wanted = self._wanted(query)
        if not wanted:
            return None
        matches = self._matches(wanted, _names_in(query))
        scores = matches.scores
        for place, points in self._of_named_sources(wanted).items():
            if place in scores:
                scores[place] += points
        noted = self._of_notes(wanted)
        for place, points in noted.items():
            scores[place] += points
        matches.named = exact = self._names.get(query.casefold())
        if exact is not None:
            scores[exact] += NAMED
        of_sources = map(self._of_fields(wanted).__getitem__, map(self._source_of.__getitem__, scores))
        matches.scores = scores = dict(zip(scores, map(operator.add, scores.values(), of_sources), strict=True))
        variants = _strongest(wanted.values())
        best = _first(scores, scores.values(), limit + _RANKED_AGAIN)
        shares = {place: self._name_share(place, variants) for place in best}
        ranked = [(place, scores[place] * self._weight(place, share)) for place, share in shares.items()]
        ranked.sort(key=lambda one: (-one[1], one[0]))
        return Ranking(wanted, variants, matches, ranked, noted, self._wish(query), shares, next(iter(best), None))

    def _wish(self, query: str) -> Wish:
        request = read_request(query)
        return Wish(request, _is_german(query), self._concepts_known(query), *self._products_gone(request.products))

    def figures(self, ranking: Ranking) -> dict[str, float]:
        """Return what decides whether the first tools fit (docs/search.md); there is one at least."""
        wish, weights, whole = ranking.wish, ranking.matches.weights, ranking.matches.whole
        request = wish.request
        first, score = ranking.tools[0]
        judged = [self._documents[place] for place, _ in ranking.tools[:_JUDGED]]
        parts = {
            word: {one: _share(factor) for one, factor in variants.items()} for word, variants in ranking.wanted.items()
        }
        every = [_share_of(parts, set().union(*words.values())) for words in judged]
        sources, names = (
            [_share_of(parts, {*words.get(one, ()), *words.get(other, ())}) for words in judged]
            for one, other in (("source", "category"), ("name", "title"))
        )
        verbs = {word: weight for word, weight in weights.items() if word in _alike()}
        is_verb = request.action > 0 and request.first in weights
        noted = [
            word
            for field in _OF_THE_USER
            for word in judged[0].get(field, ())
            if word in weights and len(self._noted[word]) <= _RARE_IN_NOTES
        ]
        own = stems_of(self.tools[first].known.tool.name)
        return {
            "score by words": score / (self._unknown / _UNKNOWN) / math.sqrt(len(weights)),
            "score by weight": score / whole,
            "own words": ranking.matches.itself({first})[first] / whole,
            "words": len(weights),
            "verbs": max(_sum_of(one, verbs) for one in every) / sum(verbs.values()) if verbs else 0.5,
            "source": max(_sum_of(one, weights) for one in sources) / whole,
            "name": self._name_share(first, ranking.variants),
            "name itself": self._name_share(first, dict.fromkeys(weights, 1.0)),
            "sources": len({self.tools[place].known.tool.server for place, _ in ranking.tools[:_FIRST]}),
            "few tools": max(0.0, 1 - math.log(max(len(self.tools), _FEW_TOOLS)) / math.log(_MANY_TOOLS)),
            "action": request.action,
            "changes instead": float(not request.action and changes_something(own)),
            "first word": max(one[request.first] for one in every) if is_verb else 0.5,
            "first word in name": max(one[request.first] for one in names) if is_verb else 0.5,
            "buys": float(request.buys),
            "english": float(request.is_english),
            "product": float(wish.product),
            "product mentioned": float(wish.mentions and not wish.product),
            "concepts": wish.concepts,
            "noted": sum(weights[word] for word in dict.fromkeys(noted)) / whole,
        }

    def _products_gone(self, products: Iterable[Product]) -> tuple[bool, bool]:
        """Return True if a product is named that no tool has to do with, and True for one that texts alone mention.

        Where another one that a source is made for is named, too, it is the one to act in.
        """
        gone = mentioned = False
        for product in products:
            if any(name.startswith(product.name) or name in product.makers for name in self._source_names):
                return False, False
            if any(
                product.name in words.get(field, ())
                for place in self._postings.places(product.name)
                for words in (self._documents[place],)
                for field in ("name", "title", "category", "notes", "when")
            ):
                continue
            gone = gone or product.name not in self._postings
            mentioned = mentioned or product.name in self._postings
        return gone, mentioned

    def _concepts_known(self, query: str) -> float:
        """Return the share of the words of tools that a query may mean which any tool has; 0.5 if it may mean none."""
        stems, everyday = stems_of(query), thesaurus()
        concepts: dict[str, float] = {}
        for word in dict.fromkeys(stems):
            for said in (word, *everyday.parts_of(word)) if word not in self._postings else (word,):
                for meant, sure in everyday.words_for(said):
                    concepts[meant] = max(sure, concepts.get(meant, 0.0))
        for _, meant, sure in everyday.phrases_in(stems):
            concepts[meant] = max(sure, concepts.get(meant, 0.0))
        whole = sum(concepts.values())
        return sum(sure for meant, sure in concepts.items() if meant in self._postings) / whole if whole else 0.5

    def scores(self, text: str) -> dict[int, float]:
        """Return the score of each tool that shares a word, or a word of the same meaning, with a text."""
        wanted: dict[str, dict[str, float]] = {}
        for word in stems_of(text):
            alike = (one for one in _same().get(word, ()) if one in self._postings)
            wanted[word] = {word: 1.0, **dict.fromkeys(alike, _SAME_WEIGHT)}
        scores = self._matches(wanted).scores
        lower = text.casefold()
        for name, place in self._names.items():
            if len(name) > _SHORT_NAME and name in lower:
                scores[place] += NAMED
        return dict(scores)

    def name_share(self, place: int, words: Container[str]) -> float:
        """Return the share of a tool's name, 0 to 1, that is among these stems."""
        own = self._own_names[place] or tuple(dict.fromkeys(stems_of(self.tools[place].known.tool.name)))
        whole = sum(self._rarity.get(word, 0.0) for word in own)
        return sum(self._rarity.get(word, 0.0) for word in own if word in words) / whole if whole else 0.0

    def _wanted(self, text: str) -> dict[str, dict[str, float]]:
        """Return the words of a text with those that mean the same and are in the index: word -> weight of each."""
        wanted: dict[str, dict[str, float]] = {}
        stems = stems_of(text)
        everyday = thesaurus()
        for word in dict.fromkeys(stems):
            variants = dict.fromkeys(_alike().get(word, ()), _MEANING)
            for german in (word, *_parts(word)) if word not in self._postings else (word,):
                for meant in _german().get(german, ()):
                    variants.update((one, _MEANING_OF_GERMAN) for one in _alike().get(meant, ()) if one not in variants)
                    variants[meant] = _GERMAN_WORD
            variants.update(dict.fromkeys(self._sources_beginning_with(word), _BEGINNING))
            for said in (word, *everyday.parts_of(word)) if word not in self._postings else (word,):
                for meant, sure in everyday.words_for(said):
                    variants[meant] = max(_SAID * sure, variants.get(meant, 0.0))
                for other, sure in everyday.words_from(said):
                    variants[other] = max(_SAID_ELSEWHERE * sure, variants.get(other, 0.0))
            variants[word] = 1.0
            wanted[word] = variants
        for phrase, meant, sure in everyday.phrases_in(stems):
            for word in phrase:
                wanted[word][meant] = max(_SAID * sure, wanted[word].get(meant, 0.0))
        return {
            word: {one: share for one, share in variants.items() if one == word or one in self._postings}
            for word, variants in wanted.items()
        }

    def _sources_beginning_with(self, word: str) -> Iterator[str]:
        """Yield the longer words of sources' names that begin with a word."""
        names = self._names_of_sources
        for place in range(bisect_right(names, word), len(names) if len(word) >= _LEAST_PREFIX else 0):
            if not names[place].startswith(word):
                return
            yield names[place]

    def _matches(self, wanted: Mapping[str, Mapping[str, float]], names: Container[str] = ()) -> _Matches:
        """Return what tools have of the words of a query.

        Args:
            names: words that are written like names.
        """
        scores: defaultdict[int, float] = defaultdict(float)
        weights: dict[str, float] = {}
        parts: list[list[tuple[float, dict[int, float]]]] = []
        own: list[tuple[float, dict[int, float]]] = []
        for word, variants in wanted.items():
            rarity = self._rarity.get(word)
            alike = {one: self._rarity[one] for one in variants if one in self._rarity}
            unknown = self._unknown * (_NAME if word in names or word.isdigit() else 1.0)
            weight = rarity if rarity is not None else max(alike.values(), default=unknown)
            weights[word] = weight
            part = []
            for variant, rarity_of_variant in alike.items():
                factor = variants[variant]
                points = self._postings.points(variant, factor * min(rarity_of_variant, rarity or 99.0))
                part.append((_share(factor) * weight, points))
                if variant == word:
                    own.append((weight, points))
            parts.append(part)
            most = _most_points([points for _, points in part])
            sums = {place: scores[place] + most[place] for place in scores.keys() & most.keys()}
            scores.update(most)
            scores.update(sums)
        return _Matches(scores, weights, sum(weights.values()), parts, own)

    def _of_named_sources(self, wanted: Mapping[str, Mapping[str, float]]) -> dict[int, float]:
        """Return the points of the tools of a source that a query names: place -> points."""
        points: defaultdict[int, float] = defaultdict(float)
        for variants in wanted.values():
            for name, factor in variants.items():
                if factor >= _BEGINNING:
                    for place in self._source_names.get(name, ()):
                        points[place] += _NAMED_SOURCE * factor
        return points

    def _of_fields(self, wanted: Mapping[str, Mapping[str, float]]) -> defaultdict[str, float]:
        """Return the points of each source of which any tool has words of a query: source -> points."""
        points: defaultdict[str, float] = defaultdict(float)
        for variants in wanted.values():
            found = []
            for word, factor in variants.items():
                if having := self._sources.get(word):
                    rarity = math.log(1 + (self._source_count - len(having) + 0.5) / (len(having) + 0.5))
                    found.append((factor * rarity, having))
            best: dict[str, float] = {}
            for most, having in sorted(found, key=operator.itemgetter(0)):
                best.update(dict.fromkeys(having, most))
            for source, most in best.items():
                points[source] += _SOURCE * most
        return points

    def _of_notes(self, wanted: Iterable[str]) -> dict[int, float]:
        """Return the points of the tools whose notes have a word that few others have: place -> points."""
        points: defaultdict[int, float] = defaultdict(float)
        for word in wanted:
            places = self._noted.get(word, ())
            if 0 < len(places) <= _RARE_IN_NOTES:
                for place in places:
                    points[place] += _NOTED * self._rarity[word] / self._unknown * _UNKNOWN
        return points

    def _weight(self, place: int, share: float) -> float:
        """Return the weight of a tool by the user's priority, and the share of its name that a query speaks of."""
        return (1 + _WHOLE_NAME * share) * priority_weight(self.tools[place].entry)

    def _name_share(self, place: int, variants: Mapping[str, float]) -> float:
        """Return the share of a tool's name that a query speaks of."""
        whole = self._name_weights[place]
        if not whole:
            return 0.0
        return sum(self._rarity[word] * variants[word] for word in self._own_names[place] if word in variants) / whole


class _Held(Struct, frozen=True):
    """Index, what it was made of, and its tools by key."""

    sources: tuple[object, ...]
    index: SearchIndex
    served: Mapping[ToolKey, ServedTool]


class ToolTexts(Sequence[str]):
    """Texts of an index's tools, made as they are read. They do not keep the index, nor its tools, in memory."""

    def __init__(self, index: SearchIndex) -> None:
        self._index = weakref.ref(index)
        self._count = len(index.tools)

    def of(self, newer: SearchIndex) -> ToolTexts:
        """Return the texts of a newer index: these, which the model has, where its tools differ in notes alone."""
        index = self._index()
        tools = () if index is None else index.tools
        if len(tools) != len(newer.tools) or any(
            new.known is not old.known for new, old in zip(newer.tools, tools, strict=True)
        ):
            return ToolTexts(newer)
        self._index = weakref.ref(newer)
        return self

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...

    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        """Return one text, or several.

        Raises:
            LookupError: there is no such one, or the index is gone.
        """
        index = self._index()
        if index is None:
            raise LookupError("the index is gone")
        return tuple(map(_text_of, index.tools[place])) if isinstance(place, slice) else _text_of(index.tools[place])


class SearchIndexes:
    """Indexes of the lists that were searched last, for searches and guides. For any thread.

    A change of a few tools reads only the words of those anew.
    """

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[object, ...], _Held] = OrderedDict()
        self._lock = threading.Lock()

    def index(
        self, snapshot: Snapshot, toolset: Toolset, dialect: Dialect, between: Callable[[], object] = lambda: None
    ) -> SearchIndex:
        """Return the index of a toolset's tools.

        Args:
            between: called after each tool (``SearchIndex``).
        """
        sources = (snapshot.catalogue, snapshot.notes, snapshot.tool_settings, snapshot.settings, toolset, dialect)
        key = (toolset.name, dialect.key)
        with self._lock:
            held = self._held.get(key)
            if held is not None:
                self._held.move_to_end(key)
                if all(map(operator.is_, held.sources, sources)):
                    return held.index
        serving = Serving(snapshot, toolset, dialect)
        before = {} if held is None else held.served
        served: dict[ToolKey, ServedTool] = {}
        for one in chosen_tools(snapshot, toolset, dialect):
            served[one.known.tool.key] = serving.outline(one, before.get(one.known.tool.key))
            between()
        made = SearchIndex(tuple(served.values()), None if held is None else held.index, between)
        with self._lock:
            self._held[key] = _Held(sources, made, served)
            while len(self._held) > _MOST_INDEXES:
                self._held.popitem(last=False)
        return made

    def forget_removed(self, snapshot: Snapshot) -> None:
        """Forget the indexes of tools that are known no more: they hold the whole catalogue of a removed server."""
        known = snapshot.catalogue.tools
        with self._lock:
            for key, held in list(self._held.items()):
                if held.sources[0] is not snapshot.catalogue and not held.served.keys() <= known.keys():
                    del self._held[key]


_MOST_INDEXES: Final = 4


def _most_points(several: list[dict[int, float]]) -> dict[int, float]:
    """Return place -> its most points in several sets of tools."""
    if len(several) == 1:
        return several[0]
    several.sort(key=len, reverse=True)
    most = dict(several[0]) if several else {}
    for points in several[1:]:
        for place, one in points.items():
            if one > most.get(place, 0.0):
                most[place] = one
    return most


def _strongest(several: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return word -> its greatest weight in several sets of words."""
    found: dict[str, float] = {}
    for words in several:
        for word, factor in words.items():
            found[word] = max(factor, found.get(word, 0.0))
    return found


def _first(places: Iterable[int], points: Collection[float], count: int) -> list[int]:
    """Return the places with the most points, the first ones of several that have as many."""
    least = min(heapq.nlargest(count, points), default=0.0)
    some = [(-one, place) for place, one in zip(places, points, strict=True) if one >= least]
    return [place for _, place in sorted(some)[:count]]


def _nearest(cosines: Cosines, count: int) -> list[int]:
    """Return the places of the greatest cosines, the first ones of several that are equal.

    The last of the greatest ones of a part is no more than that of all: it leaves few to be sorted.
    """
    part = sorted(cosines[:: max(1, min(8, len(cosines) // count))], reverse=True)
    least = part[min(count, len(part)) - 1]
    some = [place for place, one in enumerate(cosines) if one >= least]
    return sorted(some, key=cosines.__getitem__, reverse=True)[:count]


def _share(factor: float) -> float:
    """Return the share of a word's weight that one of this factor counts for."""
    return 1.0 if factor == 1.0 else min(_SAME_SHARE, _SURE * factor)


def _share_of(parts: Mapping[str, Mapping[str, float]], words: Set[str]) -> dict[str, float]:
    """Return word -> the share that these words have of it, 0 to 1.

    Args:
        parts: word -> share of each word for it.
    """
    return {word: max(map(shares.__getitem__, shares.keys() & words), default=0.0) for word, shares in parts.items()}


def _sum_of(shares: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(shares[word] * weight for word, weight in weights.items())


def _names_in(text: str) -> frozenset[str]:
    """Return the words of an English text that are written like names."""
    words = WORD.findall(text)
    if is_english([word.casefold() for word in words]):
        return frozenset(stem(word.casefold()) for word in words[1:] if word[0].isupper())
    return frozenset()


def _parts(word: str) -> tuple[str, ...]:
    """Return the known German words that a compound begins and ends with."""
    if len(word) < _LEAST_COMPOUND:
        return ()
    ends = range(_LEAST_PREFIX, len(word) + 1)
    some = {one for end in ends for one in (word[:end], word[-end:]) if one in _german()}
    return tuple(sorted(some, key=_places_of_german().__getitem__))


@cache
def _sentences() -> tuple[dict[str, str], dict[str, str]]:
    """Return the English words for German ones, and for their stems."""
    from toolnote_desktop.guidance.search_words import GERMAN, GERMAN_SENTENCES

    words: dict[str, str] = {}
    stems: dict[str, str] = {}
    for word, meant in (*GERMAN.items(), *GERMAN_SENTENCES.items()):
        words[word.casefold()] = meant
        stems.setdefault(stem(word.casefold()), meant)
    return words, stems


def _compound_in_english(word: str) -> str:
    """Return the English words for the longest known ones that a German compound begins and ends with, or nothing."""
    words, stems = _sentences()
    if len(word) < _LEAST_COMPOUND:
        return ""
    first = next((end for end in range(len(word) - 3, 3, -1) if word[:end] in words), 0)
    last = next((word[at:] for at in range(first, len(word) - 3) if word[at:] in words or stem(word[at:]) in stems), "")
    return f"{words[word[:first]]} {words.get(last) or stems[stem(last)]}" if first and last else ""


def with_same_meaning(words: Iterable[str]) -> set[str]:
    """Return stems with those of the same meaning."""
    found = set(words)
    return found.union(*(_same().get(word, ()) for word in found))


def priority_weight(entry: ToolEntry) -> float:
    """Return the weight of a tool by the user's priority: 1 for the usual one, 0.75 to 1.25."""
    return 0.75 + 0.5 * entry.priority


def _fields(tool: ServedTool, read: DocumentReader) -> dict[str, Iterable[int]]:
    """Return the words of a tool by field, as numbers."""
    known, entry = tool.known.tool, tool.entry
    arguments = top_level_arguments(known.definition["inputSchema"])
    parameters = [*arguments, *(_description(one) for one in arguments.values())]
    notes = [f"{one.note.name} {one.note.note}" for one in tool.notes if one.note.enabled and not tool.paused]
    notes += [one.note for one in entry.parameters.values() if one.note and not tool.paused]
    texts = {
        "name": f"{tool.name} {known.name} {entry.alias or ''}",
        "title": f"{known.title} {entry.hints.get('title') or ''}",
        "when": f"{entry.when_to_use} {entry.instructions} {entry.hints.get('title') or ''}",
        "notes": " ".join(notes),
        "description": known.description,
        "parameters": " ".join(parameters),
    }
    found: dict[str, Iterable[int]] = {field: read.numbers_of(text) for field, text in texts.items() if text}
    found["name"] = dict.fromkeys(found["name"])
    of_names = {"category": read.numbers_of_name(category_of(tool)), "source": read.numbers_of_name(known.server)}
    return found | of_names


def _is_german(query: str) -> bool:
    return is_german([word.casefold() for word in WORD.findall(query[:_QUERY_LIMIT])])


def _text_of(tool: ServedTool) -> str:
    """Return what the model reads of a tool: its source, its name and the beginning of its description."""
    known = tool.known.tool
    words = [HUMP.sub(" ", name[:_DESCRIPTION]).translate(_SEPARATORS) for name in (known.server, known.name)]
    return f"{words[0]}: {words[1]}. {' '.join(known.description[: 2 * _DESCRIPTION].split())[:_DESCRIPTION]}"


_SEPARATORS: Final = str.maketrans("-.", "  ")
_NOT_LATIN: Final = re.compile(r"[^\x00-\u036f\u1e00-\u1eff\u2000-\u2fff]+")


def _description(schema: Any) -> str:
    text = schema.get("description") if isinstance(schema, dict) else None
    return text[:300] if isinstance(text, str) else ""


def _same_words(groups: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return stem -> stems of the same meaning."""
    found: dict[str, dict[str, None]] = {}
    for group in groups:
        stems = [stem(word) for word in group.split()]
        for one in stems:
            found.setdefault(one, {}).update(dict.fromkeys(other for other in stems if other != one))
    return {one: tuple(others) for one, others in found.items()}


# The lists take half a megabyte, which clients that never search need not have.


@cache
def _same() -> dict[str, tuple[str, ...]]:
    from toolnote_desktop.guidance.search_words import GROUPS

    return _same_words(GROUPS)


@cache
def _alike() -> dict[str, tuple[str, ...]]:
    from toolnote_desktop.guidance.search_words import GROUPS, WISHES

    return _same_words((*GROUPS, *WISHES))


@cache
def _places_of_german() -> dict[str, int]:
    return {word: place for place, word in enumerate(_german())}


@cache
def _german() -> dict[str, tuple[str, ...]]:
    from toolnote_desktop.guidance.search_words import GERMAN

    return {stem(word): tuple(map(stem, meant.split())) for word, meant in GERMAN.items()}
