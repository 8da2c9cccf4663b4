"""Invisible characters, gaps and letters in disguise."""

from __future__ import annotations

import re
from typing import Final

from toolnote_desktop.model.hidden_characters import escaped_hidden

_HARMLESS: Final = frozenset("\u00ad\u200e\u200f\u061c\ufeff")
_BLANK: Final = re.compile(
    # letters that are blank: Braille, Hangul, Khmer; the grapheme joiner; the escape of a terminal
    r"[\u2800\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5]+|\x1b|"
    # "se\u200cnd", "\u200d\u200d\u200d"
    r"(?<=[A-Za-z])[\u200c\u200d](?=[A-Za-z])|[\u200c\u200d]{3,}"
)
"""Signs that are blank where no script needs them."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_DISGUISED: Final = re.compile(
    # "\ufe00\ufe01", "\U0001d41a\U0001d41b\U0001d41c", "ｓｅｎｄ ｉｔ ａｌｌ"
    r"[\ufe00-\ufe0f]{2,}|[\U0001d400-\U0001d7ff]{3,}|(?:[\uff41-\uff5a]+ ?){8,}|"
    # "se\u00adnd\u00adit\u00ad", "ig\u00adnore"
    r"(?:[A-Za-z]{1,3}\u00ad){3}|(?<![\w\u00ad])[A-Za-z]{1,2}\u00ad[A-Za-z]{1,4}(?![\w\u00ad])|"
    # "s\u0336e\u0336n\u0336", "\ue000\ue001"
    r"(?:\w[\u0335-\u0338]){3,}|[\ue000-\uf8ff]{2,}"
)
"""Letters written so that they look like none, or like others."""
_HYPHENATED: Final = 3
"""Words with soft hyphens from which on they are no example."""

_BLANKS: Final = re.compile(r"\s{12,}")
_LEAST_LINES: Final = 12
"""Ends of lines in a row from which on they hide what follows."""
_LEAST_SPACES: Final = 40
"""Blanks within a line from which on they do."""
_LINES_APART: Final = "\n" * _LEAST_LINES
_SPACES_APART: Final = " " * _LEAST_SPACES
_FLAG: Final = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{2,6}\U000e007f")
_VARIANT: Final = re.compile("(?<=[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]")
_BREAK: Final = re.compile(
    "(?<=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b(?=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])"
)
_ISOLATED: Final = re.compile("[\u2066-\u2068](?=[\u0590-\u08ff ]{1,60}\u2069)|(?<=[\u0590-\u08ff])\u2069")
"""Marks around words of a script that is written from the right, which they change no order of."""

_EMBEDDED: Final = re.compile("(?<=[\u0590-\u08ff][ :(])[\u2066-\u2068]([ -~]{1,60})\u2069")
"""Marks around Latin words within such a script."""

_PAIRED: Final = re.compile("[\u2066\u2068]([^\u2066-\u2069\u202a-\u202e\\n]{1,60})\u2069")
"""Marks that keep the order of a few words, and change it nowhere else."""

_NAMES_BLANKS: Final = re.compile(r"\bzero[- ]width|\bword joiner", re.IGNORECASE)
_ZERO_WIDTH: Final = re.compile("[\u200b-\u200f\u2060\ufeff]")
_ISOLATES: Final = re.compile("[\u2066-\u2069]")
_NAMES_ISOLATES: Final = re.compile(r"\b(?:isolates?|bidi|bidirectional)\b", re.IGNORECASE)
_LONE_VALUE: Final = re.compile("[\\w-]{0,60} [\u200b-\u200d\u2060]")
"""Value of a parameter that is one invisible character, such as what separates words."""

_NAMED_SIGN: Final = re.compile(r"U\+([0-9A-F]{4,5})\b")
_FEW: Final = 4
"""Invisible characters of a text that names them which are taken for examples."""

_GERMAN: Final = re.compile(r"\b(?:der|die|das|den|und|wird|ein|eine|einen|ist|muss|mit)\b")
_LONG_WORD: Final = re.compile(r"(?=\w*\u00ad)(?=[\w\u00ad]{10})[\w]{3,}(?:\u00ad\w{3,})+")
_MIXED: Final = re.compile(
    # Latin letters with one of Greek, Cyrillic, Armenian, Cherokee or a wide one: "s\u0435nd"
    r"[A-Za-z]{1,40}[\u0370-\u03ff\u0400-\u04ff\u0530-\u058f\u13a0-\u13ff\uff21-\uff5a][\w-]{0,3}|"
    # "\u0430ll"
    r"[\u0400-\u04ff\u0370-\u03ff][A-Za-z]{2}"
)

_NAMES_SCRIPT: Final = re.compile(r"\b(?:Cyrillic|Greek|Armenian|Cherokee|[Hh]omoglyphs?|[Cc]onfusables?)\b")
"""Words of a tool that looks for such letters, and shows one. What its text says is weighed with usual letters."""


ORDINARY: Final = re.compile(
    # ASCII but controls, Latin letters, punctuation, currencies, arrows and drawing signs, Chinese, Japanese, Korean
    "[\t\n\r -~\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u23ff\u2500-\u27bf"
    "\u3001-\u312f\u3400-\u9fff\uac00-\ud7a3\uff01-\uff0f]*"
)
"""Text of signs of which none hides or disguises anything, as most are."""


def _without_usual(text: str) -> str:
    """Return a text without the signs that its script needs, that it names, or that are all of a value."""
    if _LONE_VALUE.fullmatch(text):
        return ""
    text = _PAIRED.sub(r"\1", _EMBEDDED.sub(r"\1", text))
    if _NAMES_BLANKS.search(text) and len(_ZERO_WIDTH.findall(text)) <= _FEW:
        text = _ZERO_WIDTH.sub("", text)
    if _NAMES_ISOLATES.search(text) and len(_ISOLATES.findall(text)) <= _FEW:
        text = _ISOLATES.sub("", text)
    codes = set(_NAMED_SIGN.findall(text)) if "U+" in text else ()
    for code in codes if len(codes) <= 2 * _FEW else ():
        sign = chr(int(code, 16))
        if not sign.isascii() and text.count(sign) <= _FEW:
            text = text.replace(sign, "")
    return text


def _gap(text: str) -> str:
    """Return what is said of a gap that hides what follows it; "" if there is none."""
    for gap in _BLANKS.finditer(text):
        length, lines = len(gap.group()), gap.group().count("\n")
        is_wide = lines >= _LEAST_LINES or (not lines and length >= _LEAST_SPACES)
        if is_wide and gap.start() and gap.end() < len(text):
            return f"{length} blank characters before: {text[gap.end() : gap.end() + 60]}"
    return ""


def hidden_text(text: str, *, is_ordinary: bool = False) -> str:
    """Return the invisible characters of a text written out, or what they spell; "" if there are none that matter.

    Args:
        is_ordinary: it is known that no sign beyond ASCII hides or disguises anything.
    """
    is_visible = text.replace("\n", "").isprintable()  # so a space is all white space that its lines have
    if (not is_visible or _SPACES_APART in text or _LINES_APART in text.replace(" ", "")) and (behind := _gap(text)):
        return behind
    if text.isascii():
        control = None if is_visible else _CONTROL.search(text)
        return f"U+{ord(control.group()):04X}" if control else ""
    if is_ordinary or ORDINARY.fullmatch(text):
        return ""
    text = _without_usual(_ISOLATED.sub("", _BREAK.sub("", _VARIANT.sub("", _FLAG.sub("", text)))))
    tags = "".join(chr(ord(sign) - 0xE0000) for sign in text if 0xE0020 <= ord(sign) <= 0xE007E)
    shown: list[str] = []

    def note(sign: str) -> str:
        if sign not in _HARMLESS:
            shown.append(f"U+{ord(sign):04X}")
        return ""

    escaped_hidden(text, note)
    for found in _BLANK.finditer(text):
        shown += [f"U+{ord(sign):04X}" for sign in found.group()]
    if not shown and (disguised := _DISGUISED.search(text)):
        return " ".join(f"U+{ord(sign):04X}" for sign in dict.fromkeys(disguised.group()) if not sign.isascii())
    hyphenated = [word for word in text.split() if "\u00ad" in word] if "\u00ad" in text else []
    if hyphenated and len(_GERMAN.findall(text)) >= 2:
        hyphenated = [word for word in hyphenated if not _LONG_WORD.match(word)]
    if not shown and len(hyphenated) >= _HYPHENATED:
        return "U+00AD"
    if not shown and not _NAMES_SCRIPT.search(text) and (mixed := _MIXED.search(text)):
        return " ".join(f"{sign} U+{ord(sign):04X}" for sign in mixed.group() if not sign.isascii())
    return tags or " ".join(dict.fromkeys(shown))
