"""Decision of the search that nothing fits: what a question asks for, and a logistic model over figures of its first
tools (docs/search.md). ``tests/measurements/search_training.py`` trains the weights.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

import msgspec
from msgspec import Struct

from toolnote_desktop import assets
from toolnote_desktop.guidance.texts import WORD
from toolnote_desktop.guidance.words import stem

_SHORT: Final = 4
"""Characters of a product's name up to which it must be written like a name."""


class Product(Struct, frozen=True):
    """Product that a question names, by the stem of its name, and stems of the names of servers that may have it."""

    name: str
    makers: frozenset[str]


class Request(Struct, frozen=True):
    """What a question asks for.

    Attributes:
        first: stem of its first word after words of politeness: a verb, in most requests to do something.
        action: 1 if it asks to do something, 0 if it asks to know something, 0.5 where its first word does not say.
        buys: it asks to buy, book, reserve, pay or cancel something.
        is_english: it has function words of English.
        products: those it names.
    """

    first: str
    action: float
    buys: bool
    is_english: bool
    products: tuple[Product, ...]


class Model(Struct, frozen=True):
    """Logistic model as stored: weights of figures, and the log odds that the first tool must have to fit."""

    weights: dict[str, float]
    least: float

    def odds(self, figures: Mapping[str, float]) -> float:
        """Return the log odds that one of the first tools does what is asked, less those it must have."""
        return sum(weight * figures[name] for name, weight in self.weights.items()) - self.least


class JoinedModel(Struct, frozen=True):
    """Model of words and meaning together, as stored: weights of the order, and those that decide that a tool fits.

    Attributes:
        order: weights of ``SearchIndex.join_figures``.
        order_of_german: the same for German, which the model of meaning does not know.
    """

    order: tuple[float, ...]
    order_of_german: tuple[float, ...]
    weights: dict[str, float]
    least: float

    def scores(self, rows: Iterable[Sequence[float]], *, is_german: bool) -> list[float]:
        """Return the log odds of tools to one another."""
        weights = self.order_of_german if is_german else self.order
        return [sum(map(operator.mul, weights, row)) for row in rows]

    def odds(self, figures: Mapping[str, float]) -> float:
        """Return the log odds that one of the first tools does what is asked, less those it must have."""
        return sum(weight * figures[name] for name, weight in self.weights.items()) - self.least


class _Products(Struct, frozen=True):
    """Names of products as stored: sure ones, those that are words too, and those that servers of a maker may have."""

    names: str
    words: str
    families: dict[str, str]


@cache
def model() -> Model:
    """Return the bundled model, read at the first search."""
    return msgspec.json.decode(assets.path("search/fit.json").read_bytes(), type=Model)


@cache
def joined_model() -> JoinedModel:
    """Return the bundled model of words and meaning, read at the first search with both."""
    return msgspec.json.decode(assets.path("search/joined.json").read_bytes(), type=JoinedModel)


def read_request(query: str) -> Request:
    """Return what a question asks for."""
    tokens = WORD.findall(query)
    words = [token.casefold() for token in tokens]
    start = 1 if words[:1] and words[0] in _POLITE else 2 if words[:1] and words[0] in _CAN and len(words) > 2 else 0
    first = words[start] if start < len(words) else ""
    action = 0.0 if first in _ASKING else 1.0 if stem(first) in _DOING else 0.5
    stems = [stem(word) for word in words]
    return Request(
        stem(first),
        action,
        action > 0 and not _BUYING.isdisjoint(words),
        is_english(words),
        tuple(_products_in(tokens, words, stems)),
    )


def is_english(words: list[str]) -> bool:
    """Return True if some of these words, in lower case, are function words of English."""
    return not _ENGLISH.isdisjoint(words)


def is_german(words: list[str]) -> bool:
    """Return True if some of these words, in lower case, are function words of German or have its letters, and none
    are function words of English.
    """
    is_likely = not _GERMAN.isdisjoint(words) or any(not _GERMAN_LETTERS.isdisjoint(word) for word in words)
    return is_likely and _ENGLISH.isdisjoint(words)


def changes_something(name: list[str]) -> bool:
    """Return True if the first verb of a tool's name, as stems, changes something."""
    return next((word in _CHANGING for word in name if word in _CHANGING or word in _READING), False)


def _products_in(tokens: list[str], words: list[str], stems: list[str]) -> list[Product]:
    """Return the products that a question names; a name that is a word, too, needs a preposition or ``my`` before."""
    sure, ambiguous, makers = _known_products()
    found = []
    for place, (token, word) in enumerate(zip(tokens, stems, strict=True)):
        if word in ambiguous:
            is_named = token[0].isupper() and place > 0 and words[place - 1] in _BEFORE_NAMES
        else:
            is_named = word in sure and (not token[0].islower() or len(token) > _SHORT)
        if is_named:
            found.append(Product(word, makers.get(word, frozenset())))
    return found


@cache
def _known_products() -> tuple[frozenset[str], frozenset[str], dict[str, frozenset[str]]]:
    raw = msgspec.json.decode(assets.path("search/products.json").read_bytes(), type=_Products)
    makers = {
        stem(name): frozenset(map(stem, maker.split()))
        for maker, names in raw.families.items()
        for name in names.split()
    }
    return frozenset(map(stem, raw.names.split())), frozenset(map(stem, raw.words.split())), makers


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


def _stems(*lines: str) -> frozenset[str]:
    return frozenset(map(stem, _words(*lines)))


_POLITE: Final = frozenset(("please", "bitte"))
_CAN: Final = frozenset(("can", "could", "kannst", "könntest"))
_ENGLISH: Final = frozenset(
    ("the", "of", "to", "is", "are", "my", "our", "for", "from", "with", "and", "what", "which", "how", "who", "this")
)
_GERMAN: Final = frozenset(
    (
        *(
            "der",
            "die",
            "das",
            "den",
            "dem",
            "des",
            "ein",
            "eine",
            "einen",
            "einem",
            "einer",
            "und",
            "oder",
            "nicht",
            "kein",
        ),
        *(
            "keine",
            "mit",
            "von",
            "vom",
            "für",
            "auf",
            "aus",
            "bei",
            "beim",
            "nach",
            "über",
            "unter",
            "zum",
            "zur",
            "im",
        ),
        *(
            "ist",
            "sind",
            "wird",
            "wurde",
            "haben",
            "hat",
            "habe",
            "ich",
            "mir",
            "mich",
            "wir",
            "uns",
            "unser",
            "unsere",
        ),
        *("unserem", "unseren", "mein", "meine", "meinem", "meinen", "meiner", "wie", "wer", "wo", "wann", "welche"),
        *(
            "welcher",
            "welches",
            "welchen",
            "warum",
            "bitte",
            "gibt",
            "zeig",
            "alle",
            "auch",
            "noch",
            "sich",
            "zu",
            "es",
        ),
        *("suche", "mach", "schick", "schreib", "erstell", "stell", "finde", "zeige", "dir", "heute", "morgen"),
    )
)
_GERMAN_LETTERS: Final = frozenset("äöüß")
_BEFORE_NAMES: Final = _words(
    "on in at to over with via from into auf bei über mit von aus an our my your unser unserem mein meinem",
)
_ASKING: Final = _words(
    "what when where who whose whom which why how is are was were do does did has have can could will show list find",
    "search look get read check view display tell see fetch count compare explain describe summarize lookup any was",
    "wann wo wer wen wem wie welche welcher welches welchen welchem warum wieso wieviel wieviele ist sind hat haben",
    "gibt zeig zeige such suche finde lies lese liste nenn nenne sag prüf prüfe schau schaue vergleiche woher wohin",
    "kann",
)
"""First words of questions that ask to know something."""
_DOING: Final = _stems(
    "accept acknowledge activate add adjust allow announce answer append apply approve archive arrange assign attach",
    "bet block book boot bring buy calibrate call cancel capture change charge clear click clone close collect",
    "comment compose configure connect convert copy correct create crop cut deactivate decline delete deliver deploy",
    "dial disable disconnect dismiss donate download draft drag draw drop edit email empty enable encrypt enter erase",
    "exchange export extend fax feed fill fix flip follow format forward freeze generate give grant hand hang hide",
    "hire import increase insert install invite join kick launch let light link load lock log lower make mark merge",
    "message mix move mute notify open order pack paint park pause pay phone pick pin place play post prepare press",
    "print promote publish pull push put quiz raise reboot record reduce refill refund register reject release remind",
    "remove rename renew rent reorder repair replace reply report request reschedule reserve reset resize restart",
    "restore revoke ring rotate run save scan schedule sell send set share ship shorten shut sign skip slice snooze",
    "solve sort start stop stream submit subscribe swap switch sync take teach text throw tidy transfer translate",
    "trim turn type unfollow uninstall unlock unmute unsubscribe update upgrade upload upvote vote wake warn water",
    "withdraw wrap write zip ändere aktiviere aktualisiere antworte archiviere beantrage bestell bezahl blockiere",
    "buch bring druck erhöhe erinnere erstell exportiere fahr frag füg füll gib häng heiz hinterlege hol installiere",
    "kauf kopier kündige lad lass leg leih leite lösch mach mal markier melde miet nimm notier öffne pausiere poste",
    "reservier ruf richte räum schalt schick schließ schneid schreib sende setz sortier speicher spiel sperr stell",
    "starte stopp storniere streich trag teile überweis übersetz unterschreib veröffentliche verkauf verkleinere",
    "verlänger verschieb verschick wähl wandle wechsle wirf zeichne zieh",
)
"""Verbs that requests to do something begin with."""
_BUYING: Final = _words(
    "buy purchase order book reserve rent hire pay sell bet refund cancel subscribe lease bestell bestelle bestellen",
    "kauf kaufe kaufen buch buche buchen reservier reserviere reservieren miete mieten miet bezahl bezahle bezahlen",
    "überweis überweise überweisen verkauf verkaufe verkaufen kündig kündige kündigen stornier storniere stornieren",
)
_READING: Final = _stems(
    "get list search find read query fetch show view describe count check lookup browse retrieve status info details",
    "history analyze inspect explore preview compare stats summary forecast",
)
_CHANGING: Final = _stems(
    "create add update delete remove set send post put write edit insert move copy rename upload start stop run",
    "execute cancel close open merge assign archive reply forward play pause enable disable toggle restart deploy",
    "trigger save import invite schedule book approve reject mark clear convert generate make modify change append",
    "replace commit push checkout reset stash click type fill navigate drag press call control configure install share",
    "publish pin join leave follow subscribe complete resolve acknowledge snooze",
)
