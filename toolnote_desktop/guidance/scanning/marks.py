# ruff: noqa: E501 - patterns on as few lines as they can be read on, and signs that look like others
"""Marks in a text that people do not see or cannot read: invisible characters, markup, encodings, roles, headings."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import string
import zlib
from collections.abc import Callable, Iterator, Set
from typing import Final, NamedTuple
from urllib.parse import unquote

from toolnote_desktop.guidance.scanning.needed_words import NeededWords, folded, has_any, words_of
from toolnote_desktop.guidance.scanning.posed_settings import FRAMES, FRAMES_NEED, SETTINGS_NEED, posed_settings
from toolnote_desktop.guidance.scanning.usual_forms import is_usual_comment, is_usual_label, is_usual_role
from toolnote_desktop.model.hidden_characters import escaped_hidden, normalized, unescaped

_HARMLESS: Final = frozenset("\u00ad\u200e\u200f\u061c\ufeff")
_BLANK: Final = re.compile(
    r"[\u2800\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5]+|\x1b|(?<=[A-Za-z])[\u200c\u200d](?=[A-Za-z])|[\u200c\u200d]{3,}"
)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_DISGUISED: Final = re.compile(
    r"[\ufe00-\ufe0f]{2,}|[\U0001d400-\U0001d7ff]{3,}|(?:[\uff41-\uff5a]+ ?){8,}|(?:[A-Za-z]{1,3}\u00ad){3}|(?<![\w\u00ad])[A-Za-z]{1,2}\u00ad[A-Za-z]{1,4}(?![\w\u00ad])|(?:\w[\u0335-\u0338]){3,}|[\ue000-\uf8ff]{2,}"
)
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
    r"[A-Za-z]{1,40}[\u0370-\u03ff\u0400-\u04ff\u0530-\u058f\u13a0-\u13ff\uff21-\uff5a][\w-]{0,3}|[\u0400-\u04ff\u0370-\u03ff][A-Za-z]{2}"
)

_NAMES_SCRIPT: Final = re.compile(r"\b(?:Cyrillic|Greek|Armenian|Cherokee|[Hh]omoglyphs?|[Cc]onfusables?)\b")
"""Words of a tool that looks for such letters, and shows one. What its text says is weighed with usual letters."""


_ORDINARY: Final = re.compile(
    "[\t\n\r -~\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u23ff\u2500-\u27bf\u3001-\u312f\u3400-\u9fff\uac00-\ud7a3\uff01-\uff0f]*"
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
    if is_ordinary or _ORDINARY.fullmatch(text):
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


_COMMENT: Final = re.compile(
    r"<!--(.{0,400}?)(?:-->|\Z)|^\[(?://|comment)\]: ?(?:#|<>) ?\(?(.{0,500})|<meta\b[^>]{0,60}content=\"([^\">]{0,500})",
    re.DOTALL | re.MULTILINE,
)
_UNSEEN: Final = re.compile(
    r"<(?:noscript|template|script|style|[a-z]{1,10}\b[^<>]{0,200}(?:display:\s?none|visibility:\s?(?:hidden|collapse)|font-size:\s?(?:[01](?:\.\d)?|\.\d)(?:px|pt|em|rem|%)?[;\"' ]|opacity:\s?\.?0|(?:height|width|scale|line-height):?\(?\s?0|(?:left|top|right|indent):\s?-\d{3}|sr-only|visually-hidden|invisible|\bhidden\b|clip:|clip-path|color[:=][\s\"']{0,2}(?:white|transparent|#f[a-f\d](?:f[a-f\d]){0,2}\b|rgba?\(255|rgba\([^)]{0,20}, ?0\))))[^<>]{0,200}>([^<]{0,1000})",
    re.IGNORECASE,
)
_MARKED: Final = re.compile(
    r"<([a-z_-]{0,20}(?:hidden|instruct|system|secret|important|critical|internal|directive|override|assistant|prompt|priority|confidential|admin|developer)[a-z_-]{0,20})(?: [a-z-]{1,20}=[^<>]{1,60})?>(.{0,2000}?)(?:</\1>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_FENCE: Final = re.compile(
    r"```(?:hidden|system|secret|internal|instructions?|prompt)\n(.{0,400}?)(?:```|\Z)", re.DOTALL | re.IGNORECASE
)
_ODD_TAG: Final = re.compile(
    r"<([A-Za-z]{1,20}[-_][A-Za-z_-]{1,30}|[A-Z]{4,20})>(.{0,400}?)</\1>|<(?:metadata|desc|title|dialog|iframe|object|annotation|footer|aside)\b[^<>]{0,100}>([^<]{8,400})</|<!\[CDATA\[(.{0,400})|<script\b[^>]{0,100}>([^<]{3,400})|(<a\b[^>]{0,300}>)</a>",
    re.DOTALL,
)
_TEMPLATE: Final = re.compile(
    r"\{% ?comment ?%\}(.{0,500}?)\{% ?endcomment|\{%? ?#(.{0,500}?)#%?\}|\{\{!--(.{0,500}?)--\}\}|\{\{! (.{0,500}?)\}\}",
    re.DOTALL,
)
_MARKUP_SIGNS: Final = (
    "<", "{", "](", "]:", "```", "%%", "/*", "\\iffalse", "\\begin", "\\phantom", "\\color", "--[[", "////",
    "content:", "\n.. ",
)  # fmt: skip
"""Signs of which a text with such markup has one; a comment of RST may also begin it."""
_ASIDE: Final = re.compile(
    r"<(?:font[^<>]{0,60}size=[\"']?0|small|sub|sup)\b[^<>]{0,60}>(.{3,400}?)(?:</|\Z)|(?:^|[ \n])%%[ \t]?+(?!(?:comments?|are|is|lines?|marks?|markers?|signs?|starts?|begins?|or|and)\b)([^\n%]{3,300})|\[\s?\]\([^)\s]{0,200} ?[\"']([^\"')]{3,300})|"
    r"/\*(\s.{3,400}?)\*/|\\iffalse\b(.{3,400}?)\\fi\b|(?:^|\n)\.\. (?!\w{1,20}::)([A-Za-z][^\n]{3,300})|\]\([^)\s]{1,200} [\"']([^\"')]{30,300})|\]\([^)\s]{1,200} [\"'](?=[^\"')]{0,40}[\u3040-\u9fff]{4})([^\"')]{6,300})|<[a-z]{1,10}\b[^<>]{0,200}(?:alt|title|value|content|srcdoc|data-[a-z-]{1,30}|aria-label|placeholder)=[\"']([^\"'<>]{24,400})|"
    r"<%[-#](.{3,400}?)%>|<\?(?!xml)(.{8,400}?)\?>|--\[\[(.{3,400}?)\]\]|\\begin\{comment\}(.{3,400}?)\\end|\\(?:phantom|textcolor\{white\}|color\{white\})\{?([^}]{3,300})|(?:^|\n)////\n(.{3,400}?)\n////|content:\s?[\"']([^\"']{12,300})|(?:^|\n)\[\^?[^\]\n]{1,30}\]: ?(?:#|<>|about:blank)? ?[\"'(]([^\"')\n]{12,300})",
    re.DOTALL | re.IGNORECASE,
)
"""Markup that renderers drop or make very small: tiny letters, comments of Mermaid, TeX, C and RST, titles of empty links."""
_MARKUP: Final = (
    (_COMMENT, ("<", "]:")),
    (_UNSEEN, ("<",)),
    (_TEMPLATE, ("{",)),
    (_ODD_TAG, ("<",)),
    (_FENCE, ("```",)),
    (_ASIDE, ("<", "%%", "](", "]:", "/*", "\\", "--[[", "////", "content:", ".. ")),
)
"""Patterns of markup with signs of which each text that fits has one."""
_IMAGE: Final = re.compile(r"!\[[^\]]{0,60}\]\(https?://[^)\s]{0,200}[?&=/][^)\s]{0,100}(?:\{|<|\$|DATA|%s)")
_PIXEL: Final = re.compile(
    r"<img\b[^<>]{0,200}src=[\"']?https?://[^<>\s\"']{0,200}[?&=/][^<>\s\"']{0,60}[{$]", re.IGNORECASE
)
_WORDS: Final = re.compile(r"[^\W\d_]{2,}")


_DOCUMENTS: Final = re.compile(
    r"(?:important_)?notes?|instructions|use[_-]?cases?|usage(?:[_-]\w{1,20})?|examples?|parameters?|returns?|output[_-]\w{1,20}|when[_-]to[_-]use|"
    r"best[_-]practices?|limitations?|response[_-]\w{1,20}|error[_-]handling|query[_-]\w{1,20}|data[_-]\w{1,20}|related[_-]tools?|workflow\w{0,20}|next[_-]steps?",
    re.IGNORECASE,
)
"""Names of tags that divide a text as headings do: what is in them is read as a sentence."""
_NAMED_AFTER: Final = re.compile(
    r"[>\"'`)\]]{0,3}\s?(?:,|and\b|or\b|that\b|which\b|becomes?\b|\((?!the)|tags?\b|tokens?\b|blocks?\b|markers?\b|comments?\b|elements?\b|work\b|delimiters?\b|markup\b|snippets?\b)",
    re.IGNORECASE,
)
"""What follows markup that is only named, as in a list of what is found."""


_FAR_LETTERS: Final = re.compile(r"[\u0400-\u1fff\u3040-\ud7ff]")


def _says_something(text: str) -> bool:
    return len(_WORDS.findall(text)) >= 3 or len(_FAR_LETTERS.findall(text)) >= 4


_QUOTED_COMMENT: Final = 120
"""Characters of a comment that may be quoted as an example."""

_DIRECTIVE: Final = re.compile(
    r"\s?(?:markdownlint|prettier|eslint|textlint|cspell|vale|html-validate|doctoc|toc)[- :][a-z-]{2,30}(?: [A-Z]{2}\d{3}){0,5}\s?"
)
"""Comment that programs which check documents obey."""


def unseen_markup(text: str) -> str:
    """Return the words of a text within markup that a person does not see; "" if there are none."""
    if not has_any(_MARKUP_SIGNS, text) and not text.startswith(".. "):
        return ""
    lower = text.lower()
    for pattern, signs in _MARKUP:
        for found in pattern.finditer(text) if has_any(signs, lower) else ():
            if pattern is _ODD_TAG and found[1] and _DOCUMENTS.fullmatch(found[1]):
                continue
            end = found.end(1) + 1 if pattern is _ODD_TAG and found[1] else found.end()
            is_opened = pattern is _UNSEEN or (pattern is _ODD_TAG and not found[1])
            if _NAMED_AFTER.match(text, text.find(">", found.start()) + 1 if is_opened else end):
                continue
            is_short = pattern is _COMMENT and found.end() - found.start() <= _QUOTED_COMMENT
            if (pattern is _ODD_TAG or is_short) and _QUOTES_OTHERS.search(
                text[max(0, found.start() - 120) : found.start()]
            ):
                continue
            inside = next((part for part in reversed(found.groups()) if part), found.group())
            if _says_something(inside) and not _DIRECTIVE.fullmatch(inside):
                if is_usual_comment(text, inside, found.start()):
                    continue
                return " ".join(found.group().split())
    image = _IMAGE.search(text) or _PIXEL.search(text)
    return image.group() if image else ""


_COMMON: Final = frozenset((
    "all", "and", "any", "approve", "are", "as", "be", "before", "call", "conversation", "copy", "data", "delete",
    "do", "email", "every", "file", "first", "for", "from", "get", "if", "ignore", "in", "instructions", "into",
    "is", "it", "key", "not", "of", "on", "open", "password", "previous", "put", "read", "say", "secret", "send",
    "show", "tell", "that", "the", "then", "this", "to", "tool", "use", "user", "with", "without", "write", "you",
    "your",
))  # fmt: skip
_LONGER: Final = frozenset(word for word in _COMMON if len(word) >= 3) | {
    "alle", "archivo", "avec", "clave", "con", "das", "datei", "del", "den", "der", "des", "die", "envoie",
    "fichier", "files", "keys", "las", "lee", "les", "lies", "lire", "los", "mit", "nicht", "nutzer", "ohne",
    "passwords", "passwort", "puis", "run", "sans", "sende", "sin", "system", "todo", "token", "tokens", "tout",
    "und", "user's", "usuario", "utilisateur", "vor",
}  # fmt: skip
_ROTATED: Final = frozenset(codecs.encode(word, "rot13") for word in _LONGER) - _COMMON
_BACKWARDS: Final = (
    frozenset(word[::-1] for word in _LONGER)
    - _COMMON
    - {"not", "saw", "was", "won", "now", "era", "tub", "tac", "tup", "teg"}
)
_BASE64: Final = re.compile(
    r"[A-Za-z0-9+/_-]{12,}={0,2}(?:[ \n][A-Za-z0-9+/_-]{4,}={0,2}(?![A-Za-z]{0,20}[.,;:]? [a-z]))*"
)
_SHORTEST_CODE: Final = 12
"""Characters of the shortest part in base 64 that is decoded."""
_DIGIT: Final = re.compile(r"\d")
_SHORTEST_HEX: Final = 24
_HEX_SHAPES: Final = bytes(ord("x" if chr(code) in f"{string.hexdigits} :" else ".") for code in range(256))
"""Table that makes what a hexadecimal text may have "x", and other signs points."""
_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2}[ :]?){12,}")
_ESCAPES: Final = re.compile(
    r"(?:\\x[0-9a-fA-F]{2} ?){4,}|(?:\\u[0-9a-fA-F]{4} ?){4,}|(?:%[0-9a-fA-F]{2}[ ]?){4,}|(?:&#x?[0-9a-fA-F]{2,5}; ?){4,}|(?:\\[0-7]{3} ?){4,}"
)
_CODES: Final = re.compile(r"\b(?:fromCharCode|chr|char)?\(?(?:\d{2,3}(?:[, ]{1,2}|[-./|;:_])){7,}\d{2,3}")
_POINTS: Final = re.compile(r"(?:(?:0x|U\+|\\u\{|%u|\\x\{)[0-9A-Fa-f]{2,5}\}?[,; ]{0,2}){6,}", re.IGNORECASE)
_POINT_SIGNS: Final = ("0x", "u+", "\\u{", "%u", "\\x{")
_QUOTES_OF_PIECES: Final = 6
"""Quotation marks of the fewest pieces."""
_PIECES: Final = re.compile(
    r"(?:\b\w{1,6} ?(?:=|:=|:) ?[\"'][^\"'\n]{1,40}[\"'](?:[,;]|,? and)? ?){3,}[^\n]{0,200}\w{1,6} ?\+ ?\w|(?:[\"'][^\"'\n]{1,30}[\"'] ?[+.] ?){3,}[\"']"
)
_JOINED: Final = re.compile(r"\+|[\"'] ?\. ?[\"']")
"""What joins pieces."""
_CARRIER: Final = re.compile(
    r"\b(?:decod|unpack|inflat|decompress|decrypt|deciph|unscrambl|deobfuscat|unzip|rot-?13|base64|unshift|dekodier|entschlüss|entpack|décod|déchiffr|descifr|decodific)\w*+(?! (?:text|output|content) (?:is|are) (?:only |plain |just )?(?:data|not)\b)"
    r"[^.\n]{0,80}\b(?:obey|follow|execut|carry|carried|complet|comply|proceed|honou?r|act on|act as|acted|apply it|do what|perform|run (?:it|them|what|the result)|as (?:an? )?(?:instruction|order|command)|befolg|ausführ|führe|suis|suivez|exécut|sigue|siga|ejecut|obedec)\w*|"
    r"\b(?:obey|follow|execut|carry out|comply|proceed|act)\w*[^.\n]{0,60}\b(?:once|after|when|as soon as) (?:it is |they are |you (?:have )?)?(?:decod|decrypt|unpack|inflat|deciph)\w*|"
    r"\b(?:first|initial|last|final|every (?:second|third|fourth|other|2nd|3rd|nth)) (?:letters?|characters?|words?|initials?) (?:of|in|from) (?:each|every|the|all|these|those|this)\b[^.\n]{0,60}\b(?:lines?|sentences?|words?|values?|names?|paragraphs?|items?|options?|entries|below|above)\b|"
    r"\b(?:read|spell|written|write|taken?) (?:it |this |that |them |the \w+ )?(?:backwards?|in reverse|from (?:right to left|end to start|back to front|the end)|upside down)\b|"
    r"(?:解码|解密|解压|反转)[^。]{0,20}(?:执行|照做|遵)|(?:デコード|復号|展開)[^。]{0,20}(?:従|実行)",
    re.IGNORECASE,
)
"""Sentence that orders to make something readable and then to do what it says."""
_FORBIDS: Final = re.compile(
    r"(?:\bnot|\bnever|n't|\bnicht)(?: (?:be|to|been|being|werden))* \w+(?: on)?$", re.IGNORECASE
)
"""End of such a sentence that says that it is not done."""
_FORBIDDEN: Final = re.compile(r"(?:\bnot|\bnever|n't) $", re.IGNORECASE)
_CARRIER_HINTS: Final = (
    "back to front", "backward", "base64", "character", "deciph", "decod", "decodific", "decompress", "decrypt",
    "dekodier", "deobfusc", "descifr", "déchiffr", "décod", "end to start", "entschl", "from the end", "inflat",
    "initial", "letter", "pack", "reverse", "right to left", "rot-13", "rot13", "unscrambl", "unshift", "unzip",
    "upside down", "word of", "words", "デコード", "反转", "展開", "復号", "解压", "解密", "解码",
)  # fmt: skip
"""Words of which a text has one as well where it was found in the tuning sets ("the first word in each item" has not)."""
_CODE_WORD: Final = re.compile(
    r"[\"'“‘][^\"'”’\n]{3,60}[\"'”’][^.\n\"']{0,40}\b(?:read|understand|treat|take|interpret|replace|hear) (?:it|this|that|them|the word|the phrase)? ?(?:as|to mean|with|by|for) [\"'“‘]",
    re.IGNORECASE,
)
_PIG: Final = re.compile(
    r"\b([a-z]{1,12}?)([bcdfghjklmnpqrstvwxyz]{1,3})ay\b|\b([aeiou][a-z]{1,12}?)[wy]ay\b", re.IGNORECASE
)
_BITS: Final = re.compile(r"(?:[01]{8} ?){4,}")
_LEET_WORD: Final = re.compile(r"\b(?=\w*[0-9@$])(?=\w*[A-Za-z])[A-Za-z0-9@$]{2,20}\b")
_LEET_WORDS: Final = 2
"""Common words with a digit or sign for a letter from which on they are no chance."""
_LEET: Final = str.maketrans("01345789@$", "oleastbgas")
_MORSE: Final = re.compile(r"(?:[.-]{1,5}[ /]{1,3}){7,}")
_NUMBERED: Final = re.compile(r"(?:\b\d{1,2}(?:-\d{1,2}){1,14}[ /,]{1,3}){3,}\d{1,2}(?:-\d{1,2}){0,14}")
"""Words of numbers, A=1."""
_JOINS: Final = re.compile(
    r"\b(?:join|concatenate|combine|assemble|put together|piece together)\b[^.\n]{0,60}\b(?:follow|obey|execute|do|act on|comply with) (?:it|them|what (?:it|they) says?|the (?:sentence|text|words?|instructions?|orders?))\b",
    re.IGNORECASE,
)
"""Order to join pieces and then do what they say."""
_SPACED: Final = re.compile(r"(?:\b[A-Za-z][-. _]{1,2}){8,}[A-Za-z]\b")
_SHAPES: Final = bytes(
    ord("x" if chr(code).isalpha() else " " if chr(code) in "-. _" else ".") for code in range(128)
) + bytes(128)
"""Table that makes letters "x", signs between spaced letters blanks, and other ASCII signs points."""
_LONE_PAIRS: Final = 2
"""Pairs of letters with a blank or two between and one on each side that spaced letters have."""
_SHORTEST_BASE32: Final = 24
_BASE32: Final = re.compile(r"\b[A-Z2-7]{24,400}={0,6}")


def _shifted() -> dict[str, frozenset[int]]:
    """Return the common words with each letter moved on in the alphabet -> by how many letters."""
    found: dict[str, set[int]] = {}
    for word in _LONGER:
        for shift in range(1, 26):
            moved = "".join(chr((ord(sign) - 97 + shift) % 26 + 97) for sign in word)
            found.setdefault(moved, set()).add(shift)
    return {word: frozenset(by) for word, by in found.items() if word not in _COMMON}


_SHIFTED: Final = _shifted()


def encoded_text(read: ReadText) -> str:
    """Return what an encoded part of a text says; "" if none is in it that reads as a sentence."""
    return next(filter(None, (says(read) for says in _ENCODINGS)), "")


def _in_base64(read: ReadText) -> str:
    for found in _BASE64.finditer(read.text) if read.longest >= _SHORTEST_CODE else ():
        if says := _decoded_base64(found.group()):
            return says
    return ""


def _in_numbers(read: ReadText) -> str:
    """Return what is written in hexadecimal or octal numbers, in escapes, codes of characters or bits."""
    text = read.text
    for pattern in _number_patterns(read) if read.digits else ():
        for found in pattern.finditer(text):
            says = _decoded(found.group(), pattern is _CODES)
            if says.strip() not in text and _reads(says, 1, 2):
                return says
    return ""


def _number_patterns(read: ReadText) -> Iterator[re.Pattern[str]]:
    """Yield the patterns of numbers that a text with digits may have, by how many it has and by their signs."""
    if max(map(len, read.text.encode("ascii", "replace").translate(_HEX_SHAPES).split(b"."))) >= _SHORTEST_HEX:
        yield _HEX
    if max(map(read.text.count, "\\%&")) >= 4:
        yield _ESCAPES
    if has_any(_POINT_SIGNS, read.lower):
        yield _POINTS
    if read.digits >= 16:
        yield _CODES
    if read.digits >= 32:
        yield _BITS


def _in_odd_words(read: ReadText) -> str:
    """Return what is written in a moved or mirrored alphabet, backwards, spelled, or with other signs for letters."""
    odd = read.odd if len(read.odd) >= 2 else _NONE
    if len(odd & _ROTATED) >= 2:
        return codecs.encode(read.text, "rot13")
    if len(odd & _BACKWARDS) >= 2:
        return read.text[::-1]
    is_leet = read.digits + read.text.count("@") + read.text.count("$") >= _LEET_WORDS
    leet = _LEET_WORD.findall(read.text) if is_leet else []
    if len({word.lower().translate(_LEET) for word in leet} & _COMMON) >= _LEET_WORDS:
        return " ".join(word.translate(_LEET) for word in leet)
    return _odd_letters(read) or _other_words(odd)


def _in_spaced_letters(read: ReadText) -> str:
    """Return what is written with a sign between its letters."""
    shapes = read.text.encode("ascii", "replace").translate(_SHAPES)
    pairs = shapes.count(b" x x ") + shapes.count(b" x  x ")
    spaced = _SPACED.search(read.text) if pairs >= _LONE_PAIRS else None
    return re.sub(r"[-. _]", "", spaced.group()) if spaced else ""


def _in_base32(read: ReadText) -> str:
    for found in _BASE32.finditer(read.text) if read.longest >= _SHORTEST_BASE32 else ():
        letters = found.group().rstrip("=")
        try:
            says = base64.b32decode(letters + "=" * (-len(letters) % 8)).decode()
        except (binascii.Error, ValueError):
            continue
        if _reads(says, 0):
            return says
    return ""


def _in_moved_alphabet(read: ReadText) -> str:
    shifts: dict[int, int] = {}
    for word in read.odd if len(read.odd) >= 3 else ():
        for shift in _SHIFTED.get(word, ()):
            shifts[shift] = shifts.get(shift, 0) + 1
    return read.text if shifts and max(shifts.values()) >= 3 else ""


def _ordered_decoding(read: ReadText) -> str:
    """Return a sentence that orders to decode something and obey it."""
    text = read.text
    if not read.may_fit("carrier") or not has_any(_CARRIER_HINTS, text.lower()):
        return ""
    for found in _CARRIER.finditer(text):
        before = text[max(0, found.start() - 8) : found.start()]
        if not _FORBIDS.search(found.group()) and not _FORBIDDEN.search(before):
            return found.group()
    return ""


def _in_quotes(read: ReadText) -> str:
    """Return words in quotes that stand for others, or that are to be put together."""
    text = read.text
    found = _CODE_WORD.search(text) if read.may_fit("code word") and has_any("'\"“‘", text) else None
    if found is None and text.count("'") + text.count('"') >= _QUOTES_OF_PIECES and _JOINED.search(text):
        found = _PIECES.search(text)
    return found.group() if found else ""


def _in_pig_latin(read: ReadText) -> str:
    if read.lower.count("ay") < 2 or sum(word.endswith("ay") for word in read.words) < 2:
        return ""
    said = _pig_latin(read.text)
    return " ".join(sorted(said)) if len(said) >= 2 else ""


def _in_places(read: ReadText) -> str:
    """Return what is written in places of letters in the alphabet."""
    for one in _NUMBERED.finditer(read.text) if read.digits >= 7 else ():
        says = re.sub(r"\d{1,2}", lambda number: chr(int(number.group()) % 27 + 96), one.group()).replace("-", "")
        if len(set(_WORDS.findall(says)) & _LONGER) >= 2:
            return says
    return ""


def _ordered_joining(read: ReadText) -> str:
    """Return a sentence that orders to join pieces and obey them."""
    found = _JOINS.search(read.text) if read.may_fit("joins") else None
    return found.group() if found else ""


def _in_morse(read: ReadText) -> str:
    text = read.text
    if text.count(".") + text.count("-") < 7 or not has_any(("- ", "-/", "--", "-."), text):
        return ""
    morse = _MORSE.search(text)
    return morse.group() if morse and {".", "-"} <= set(morse.group()) else ""


_ENCODINGS: Final[tuple[Callable[[ReadText], str], ...]] = (
    _in_base64,
    _in_numbers,
    _in_odd_words,
    _in_spaced_letters,
    _in_base32,
    _in_moved_alphabet,
    _ordered_decoding,
    _in_quotes,
    _in_pig_latin,
    _in_places,
    _ordered_joining,
    _in_morse,
)


def _pig_latin(text: str) -> set[str]:
    """Return the common words that a text has in Pig Latin."""
    said = {(f"{one[2]}{one[1]}" if one[2] else one[3]).lower() for one in _PIG.finditer(text)}
    return said & _LONGER


_MIRRORED: Final = str.maketrans("abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba")
_ATBASH: Final = frozenset(word.translate(_MIRRORED) for word in _LONGER) - _COMMON
_SPELLING: Final = frozenset((
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima",
    "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor", "whiskey",
    "xray", "yankee", "zulu",
))  # fmt: skip
_SYMBOLS: Final = re.compile(
    "(?:[\U0001f1e6-\U0001f1ff] ?){8,}|[\u2801-\u28ff]{5,}|[\u249c-\u24e9\U0001f110-\U0001f189]{4,}|[\u16a0-\u16f0]{5,}|"
    "[\u1d00-\u1d2b\u0250-\u02af\ua730-\ua7ff]{4,}"
)
_ONE_WORD: Final = 12
"""Symbols that may be one word as an example."""
_SHOWS_WORD: Final = re.compile(r"(?:[→=(\"“`]|\be\.g\.)\s?$")
_PRINTABLE: Final = re.compile(r"(?:=[0-9A-F]{2}){4,}|(?:\+A[A-Za-z0-9+/]{4,}-){2,}|<~[!-u\s]{12,400}~>")
_DIGIT_WORD: Final = re.compile(r"\b[a-z]{1,6}[0134578][a-z0134578]{1,12}\b")


def _odd_letters(read: ReadText) -> str:
    """Return letters written as symbols, in an encoding for mail, or as digits in most words of a line."""
    text = read.text
    for found in () if read.is_ordinary else _SYMBOLS.finditer(text):
        if len(found.group()) > _ONE_WORD or not _SHOWS_WORD.search(text[max(0, found.start() - 6) : found.start()]):
            return normalized("NFKC", found.group())
    is_printable = text.count("=") >= 4 or text.count("+A") >= 2 or "<~" in text
    if is_printable and (printable := _PRINTABLE.search(text)):
        return printable.group()
    for line in _LINES.split(text) if read.digits >= 4 and _DIGIT_WORD.search(text) else ():
        mixed = set(_DIGIT_WORD.findall(line))
        if len(mixed) >= 4 and 2 * len(mixed) >= len(line.split()):
            return " ".join(word.translate(_LEET) for word in line.split())
    return ""


def _other_words(words: Set[str]) -> str:
    """Return what is written with the alphabet mirrored or spelled letter by letter."""
    if len(words & _ATBASH) >= 2:
        return " ".join(sorted(word.translate(_MIRRORED) for word in words & _ATBASH))
    return " ".join(sorted(words & _SPELLING)) if len(words & _SPELLING) >= 6 else ""


_WRITTEN_ODDLY: Final = _ROTATED | _BACKWARDS | _ATBASH | _SPELLING | _SHIFTED.keys()
"""Words of which a text that is written in a secret alphabet, backwards or spelled has at least two."""
_NONE: Final[frozenset[str]] = frozenset()


def _decoded_base64(found: str, *, is_outer: bool = True) -> str:
    for part in (*found.split(), "".join(found.split())):
        letters = part.rstrip("=")
        if len(letters) < 12 or letters == letters.lower() or letters == letters.upper():
            continue
        try:
            data = base64.b64decode(letters.replace("-", "+").replace("_", "/") + "=" * (-len(letters) % 4))
            says = _inflated(data) if data.startswith(_COMPRESSED) else data.decode()
        except (binascii.Error, ValueError, zlib.error):
            continue
        if says.isprintable() and _reads(says, 0) and not _CURSOR.fullmatch(says):
            return says
        if is_outer and _BASE64.fullmatch(says) and (inner := _decoded_base64(says, is_outer=False)):
            return inner
    return ""


_CURSOR: Final = re.compile(r"\{(?:\"\w{1,30}\": ?(?:\d{1,20}|true|false|null)(?:, ?|(?=\}))){1,20}\}")
"""Place in a list of results, as a server hands it out."""
_COMPRESSED: Final = (b"x\x01", b"x\x5e", b"x\x9c", b"x\xda", b"\x1f\x8b\x08")
_MOST_INFLATED: Final = 4_096


def _inflated(data: bytes) -> str:
    """Return the beginning of what compressed data holds; zlib.error if it holds nothing."""
    return zlib.decompressobj(47).decompress(data, _MOST_INFLATED).decode(errors="replace").replace("\ufffd", "")


def _decoded(found: str, is_codes: bool) -> str:
    compact = found.replace(" ", "").replace(":", "")
    if _BITS.fullmatch(found):
        return "".join(chr(int(compact[place : place + 8], 2)) for place in range(0, len(compact) - 7, 8))
    if _POINTS.fullmatch(found):
        codes = [int(one, 16) for one in re.findall(r"(?:0x|U\+|\{|%u)([0-9A-Fa-f]{2,5})", found, re.IGNORECASE)]
        return "".join(chr(one) for one in codes)
    if found[0] == "&":
        return unescaped(found)
    if found[0] == "%":
        return unquote(found, errors="replace")
    if found[0] == "\\":
        return re.sub(
            r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([0-7]{3}))",
            lambda one: chr(int(one[1] or one[2], 16) if one[1] or one[2] else int(one[3], 8)),
            found,
        )
    if is_codes:
        return "".join(chr(int(one)) for one in re.findall(r"\d{2,3}", found))
    try:
        return bytes.fromhex(compact[: len(compact) // 2 * 2]).decode()
    except ValueError:
        return ""


def _reads(says: str, most_odd: int, least_words: int = 3) -> bool:
    """Return True if a decoded text has words as a sentence has."""
    words = _WORDS.findall(says)
    odd = sum(not sign.isprintable() and not sign.isspace() for sign in says)
    return odd <= most_odd and len(words) >= least_words and sum(map(len, words)) >= 0.5 * len(says.replace(" ", ""))


_ROLES: Final = re.compile(
    r"\"role\" ?: ?\"(?:system|developer|tool)\"(?! ?, ?\"content\" ?: ?\"(?:You are (?:\{|an? [a-z ]{3,40}\.?)|…|\.\.\.)\")|(?:^|\n)(?-i:### ?(?:Instruction|Response|Input):)|(?:^|\n)[-=*]{3,} ?END OF [A-Z]|"
    r"\b(?:message|notice|instructions?) from (?:anthropic|openai|google|the (?:system|platform|operators?|developers?|administrators?))\b[^.\n]{0,40}:|<\|[\w ]{2,30}\|>|(?-i:\[/?INST\])|<</?SYS>>|"
    r"(?:^|\n)[ \t]{0,8}[#*>\[ ]{0,4}(?:System|SYSTEM|Developer)(?: (?:prompt|message|note|update|PROMPT|MESSAGE|NOTE|UPDATE))?[\]* #]{0,4}[:：] ?\S|"
    r"(?-i:\[(?:SYSTEM|DEVELOPER|ADMIN|OPERATOR|ROOT)[^\]]{0,30}\])|(?<!#)#{2,6} ?(?:(?-i:SYSTEM)|system (?:prompt|message|note|notice|update|override|instruction)s?|NEW INSTRUCTIONS?|OVERRIDE|ADMIN)\b|"
    r"(?:^|\n|[.!?] )(?:User|Human): [^\n]{1,300}\n{1,3}(?:Assistant|AI): \S|"
    r"(?:^|\n|[.!?] )(?-i:(?:Tool|Function|System) (?:result|output|response|call|reply)s?(?: \([^)\n]{1,30}\))?: ?[{\[\"\w])|"
    r"\b(?:from|by|of|I am|I'm|this is|here speaks|signed,?|word from) (?:me, )?your (?:user|developer|operator|creator|administrator|admin|owner|principal|supervisor|maker)s?\b|\b(?:speaking|writing|acting|posting) (?:as|for) (?:the|your) (?:system|operator|developer|administrator|platform|vendor|user)\b|"
    r"\b(?:jailbreak|god|dan|unrestricted|developer|sudo) mode (?:available|enabled|on|active)|\b(?i:act as)s?:? (?:an? )?(?:unrestricted|system admin|root|emergency)",
    re.IGNORECASE,
)
_BECOME: Final = re.compile(
    r"(?-i:\bEND OF [A-Z ]{4,30}\.)|\b[Nn]ew (?:system )?(?:policy|rules?) ?:|\byour (?:new |only |real |true )?(?:goal|task|role|job|purpose|mission|objective) (?:is now|now is)\b|\byou (?:are (?:now|no longer)(?! (?:among|able|logged|connected|ready|signed|subscribed|authenticated|using|on|able|part|following|allowed|in (?:the|a) (?:queue|list|channel)))|have no (?:restrictions|rules|limits))|\bfrom now on\b,? (?:you|act|treat|obey|approve|the|this|all|every|each|do|answer|ignore|follow|it|we)\b|(?:^|[.!?] )From now on\b|\bnew (?:master|identity|persona|instructions?)\b (?:is|are|:|follow)|"
    r"\b(?:all|any|every|other|previous|prior|earlier|safety|content) (?:safety )?(?:restrictions|guardrails|filters|safeguards|rules|instructions)[^.\n]{0,30}\b(?:are|is)? ?(?:off|disabled|lifted|void|suspended|no longer)\b|"
    r"\b(?:the|your|all|any|every) (?:former|previous|earlier|old|prior|existing|usual|standard) (?:rule|polic|instruction|restriction|guideline|limit|safeguard|direction|order|prompt)\w* (?:no longer|do(?:es)? not|don't|doesn't|cease|(?:is|are) (?:now |hereby )?(?:void|obsolete|revoked|withdrawn|suspended|superseded|lifted))\b|"
    r"\b(?:supersed|overrid|replac|outrank|overrul)(?:es?|ing) (?:all|any|your|every|the) (?:of )?(?:your |the )?(?:former|previous|earlier|prior|other|existing|safety|original) (?:system |developer )?(?:rule|polic|instruction|restriction|guideline|direction|order|prompt|message)s?\w*|"
    r"\b(?:guardrails|restrictions|confirmations|safety) (?:are )?off\b|\boutranks?\b|\b(?:takes?|has|have) (?:precedence|priority) over (?:the )?(?:user|person|system|previous|other instructions)\b|"
    r"\bDu bist (?:ab jetzt|nun|jetzt)\b|\b(?:tu es|vous êtes) (?:désormais|maintenant)\b|\b(?:ahora eres|a partir de ahora)\b|你现在是|从现在开始|あなたは今から|今後は",
    re.IGNORECASE,
)
_DISOBEY: Final = re.compile(
    r"\b(?:ignore|ignorez|ignora|ignoriere|disregard|forget|oublie|olvida|vergiss) (?:\w+ ){0,4}?(?:instructions?|consignes|instrucciones|anweisungen|rules?|règles|reglas|regeln|prompts?|guidance|guidelines?|everything (?:you|above|before|that)|restrictions|safety)\b|"
    r"(?:忽略|无视|忘记)[^。]{0,12}(?:指令|指示|规则|提示|限制)|(?:指示|命令|ルール|規則)[^。]{0,8}(?:無視|無効|忘れ)|\bobey (?!the (?:law|(?:\w{1,20} )?(?:allow|block|deny)list|rate limits?)\b)\w+",
    re.IGNORECASE,
)
_SHORTEST_ROLE: Final = 8
_QUOTED: Final = 60
"""Characters after a mark that is only quoted, in which others are taken for quoted as well."""
_QUOTE_BEFORE: Final = re.compile(
    r"(?:[\"“„'`«(「『]请?|\b(?:such as|like|e\.g\.|phrases?|for example|for instance(?: of)?|detects?))\s?(?:<\w{1,12}>)?$",
    re.IGNORECASE,
)


_QUOTES_OTHERS: Final = re.compile(
    r"(?:\be\.g\.|\b(?:such as|like|phrases?|for example|detects?|finds?|flags?|scans?|patterns?|looks for|examples?)\b)[^.\n]{0,60}(?:\s|\()['\"“‘«`][^'\"”’»`]{0,60}$",
    re.IGNORECASE,
)


_PLACEHOLDER: Final = re.compile(
    r"(?:system|user|assistant)?(?:\\n|\s){0,3}(?:<<SYS>>)?(?:\\n|\s){0,3}\{{1,2} ?[.\w]{1,40} ?\}{1,2}(?:\\n|\s){0,3}(?=[<\[{.]|\Z)"
)
"""What follows a role's mark in a template of a chat: the name of what is to be put there."""


_BECOME_HINTS: Final = (
    "a partir de", "ahora", "bist", "confirmations", "earlier", "end of ", "filter", "former", "guardrail",
    "guideline", "have no", "instruction", "new ident", "new instruct", "new master", "new persona", "no longer",
    "now", "outrank", "polic", "precedence", "previous", "prior ", "priority", "restriction", "rule", "safeguard",
    "safety", "standard", "tu es", "êtes", "今から", "今後", "现在",
)  # fmt: skip
"""Words of which a text has one as well where it was found in the tuning sets ("the old prompts are void" has not)."""


_CLAIMS: Final = (
    ("roles", _ROLES),
    ("become", _BECOME),
    ("disobey", _DISOBEY),
    ("frames", FRAMES),
    ("marked", _MARKED),
)
"""Patterns with the names of what they need."""


def role_marks(read: ReadText) -> str:
    """Return the words that claim to be instructions of the system or end those before; "" if there are none."""
    if len(read.text) < _SHORTEST_ROLE:
        return ""
    for name, pattern in _CLAIMS:
        is_open = read.may_fit(name) and (pattern is not _BECOME or has_any(_BECOME_HINTS, read.lower))
        if is_open and (claim := _claim(read.text, pattern)):
            return claim
    return ""


def _claim(text: str, pattern: re.Pattern[str]) -> str:
    """Return the first place of a text that fits a pattern of ``_CLAIMS`` and is not only named, quoted or usual."""
    quoted = -_QUOTED
    for found in pattern.finditer(text):
        if found.start() < quoted + _QUOTED:
            continue
        if pattern is _MARKED and (not _says_something(found[2]) or _DOCUMENTS.fullmatch(found[1])):
            continue
        if found.group()[:1] in "<[" and _NAMED_AFTER.match(
            text, found.end(1) + 1 if pattern is _MARKED else found.end()
        ):
            continue
        if pattern is not _MARKED and is_usual_role(text, found.start(), found.end()):
            continue
        if _PLACEHOLDER.match(text, found.end()):
            quoted = found.end()
            continue
        before = text[max(0, found.start() - 120) : found.start()]
        if not _QUOTES_OTHERS.search(before) and not _QUOTE_BEFORE.search(before[-28:]):
            return " ".join(text[found.start() : found.end() + 60].split())
        quoted = found.end()
    return ""


_LINES: Final = re.compile(r"[\n\r]+|\.\s")
_LABEL: Final = re.compile(
    r"(?:^|\n|[.!?。][ \t]?)[ \t]{0,8}(?P<mark>[#>*_=~\[(<-]{0,24}[ \t]?)(?P<words>[^\n.:：\])>=~]{3,60}?)"
    r"(?P<end>[*_\])>=~#-]{0,24}[ \t]?[:：]|[\])>]|[ \t]?[=~#*_-]{2,24}(?=[ \t]?(?:\n|\Z))|[ \t]?(?=\n))"
)
"""Heading, label, bracket or line of its own, before something else."""

_WHOSE: Final = (
    "admin", "administrat", "anbieter", "anthropic", "anwender", "benutzer", "betreiber", "compliance", "customer",
    "desarrollador", "developer", "développeur", "entwickl", "kunde", "maintainer", "moderator", "nutzer", "openai",
    "operator", "owner", "person", "platform", "propietari", "propriétaire", "sistema", "supervisor", "system",
    "systeme", "système", "user", "usuari", "utilisateur", "verwalt", "workspace",
)  # fmt: skip
_WHAT: Final = (
    "agreement", "announcement", "anweisung", "consigne", "directiv", "directive", "guideline", "hinweis",
    "instruccion", "instruct", "memo", "mensaje", "message", "nachricht", "nota", "note", "notes", "notice",
    "notiz", "order", "override", "polic", "preference", "preferencia", "prompt", "préférence", "regel", "regla",
    "remark", "remarque", "reminder", "requirement", "richtlinie", "rule", "règle", "vorgabe", "wishes", "wünsche",
)  # fmt: skip
_READERS: Final = (
    "agent", "asistent", "assistant", "chatgpt", "claude", "copilot", "gpt", "ki-", "llm", "model", "modell",
    "modèle",
)  # fmt: skip
_ALONE: Final = frozenset(
    ("system", "developer", "operator", "supervisor", "administrator", "admin", "système", "sistema")
)
_RULES: Final = frozenset(
    (
        "agent configuration",
        "assistant configuration",
        "available tools (updated)",
        "conversation so far",
        "house rules",
        "reglas de seguridad",
        "règles de sécurité",
        "security rules",
        "sicherheitsregeln",
        "working agreement",
        "hausregeln",
        "consignes générales",
        "instrucciones generales",
        "standing orders",
    )
)
_UNFINISHED: Final = frozenset(
    ["with", "and", "or", "the", "a", "an", "to", "of", "in", "for", "by", "with:", "under", "if", "that"]
)
_FAR_LABEL: Final = re.compile(
    r"(?:^|[\n。 ])[#*【\[ ]{0,6}(?:系统|系統|管理员|平台|开发者|用户|システム|管理者|運営|開発者|ユーザー)(?:的)?(?:提示|消息|指令|通知|备注|说明|规则|から(?:の)?(?:指示|通知)|の(?:メモ|注記|指示)|メッセージ|プロンプト)?[】\]]?[：:]"
)
_CLOSED: Final = re.compile(
    r"</(?:description|tool|tools|tool_description|function|functions|context)>|(?:^|\n)[-=*#_ ]{0,40}(?-i:(?:END|BEGIN|START) OF [A-Z]{2})|\bassistant to=|"
    r"(?:^|\n)role: ?(?:system|developer|assistant|user|tool)\s|(?:^|\n)#{1,4} ?(?:tools|functions)\s*\n+#{1,5} ?\w",
    re.IGNORECASE,
)


_CLOSED_NEEDS: Final = "</", "assistant to=", "role:", "# tools", "#tools", "# functions", "#functions"
_USERS: Final = ("user", "person", "customer", "owner", "nutzer", "benutzer", "utilisat", "usuari")


def claimed_authority(read: ReadText) -> tuple[str, bool]:
    """Return a heading or label that speaks for the system, an administrator or the user, and whether it is the user's.

    "" if there is none: server texts have headings too, but of what the tool does.
    """
    text = read.text
    closed = _CLOSED.search(text) if " OF " in text or has_any(_CLOSED_NEEDS, read.lower) else None
    if closed is None and not text.isascii():
        closed = _FAR_LABEL.search(text)
    if closed:
        return " ".join(text[closed.start() : closed.end() + 60].split()), False
    if posed := posed_settings(text, has_file=read.may_fit("agent file"), has_grant=read.may_fit("grant")):
        return posed, False
    for found in _labels(read):
        words = found["words"].lower().split()
        if _is_claim(found, words) and not _is_usual(found, " ".join(words)):
            is_users = any(word.startswith(_USERS) for word in words)
            return " ".join(text[found.start() : found.end() + 60].split()), is_users or not _names_whose(words)
    return "", False


def _labels(read: ReadText) -> Iterator[re.Match[str]]:
    """Yield the labels of a text: of those lines only that have the words of one that names a speaker."""
    text = read.text
    if not read.may_fit("label") or not has_any(":\n[：", text):
        return
    start = 0
    for line in text.split("\n"):
        end = start + len(line) + 1
        if len(line) == len(text) or _may_fit_label(line):
            yield from _LABEL.finditer(text, max(0, start - 1), end)
        start = end


def _may_fit_label(line: str) -> bool:
    lower = folded(line)
    return NEEDED.opens("label", NEEDED.seen(words_of(lower)), line, lower)


def _names_whose(words: list[str]) -> bool:
    """Return True if a label names a speaker."""
    return any(word.startswith(_WHOSE) and (word == "personal" or not word.startswith("personal")) for word in words)


def _is_claim(found: re.Match[str], words: list[str]) -> bool:
    """Return True if a label says that what follows is from the system, an administrator or the user."""
    mark, end, label = found["mark"].strip(), found["end"].strip(), " ".join(words)
    if len(words) > 8 or "(" in label or (end in (")", ">") and mark[-1:] not in ("(", "<")):
        return False
    if end == ")" and found.start() > 0 and found.string[found.start()] != "\n":
        return False  # an aside
    if "_" in label or "`" in label:
        return False  # a parameter
    if len(words) > 3 and words[-1] in _UNFINISHED:
        return False
    is_capital = found["words"].isupper()
    if any(word.startswith(_WHAT) and not word.startswith("memor") for word in words):
        is_marked = bool(mark or found["end"].strip(" :：")) or is_capital
        if _names_whose(words) or (is_marked and any(word.startswith(_READERS) for word in words)):
            return True
    if label in _RULES or any(word.startswith(_WHOSE) and has_any(_WHAT, word[4:]) for word in words):
        return True
    if label not in _ALONE or (label == "admin" and found["end"][:1] == "]" and not is_capital):
        return False
    return found["words"][:1].isupper() and end[:1] in ("", ":", "：", "]")


def _is_usual(found: re.Match[str], label: str) -> bool:
    """Return True if a label is an item of a list, or documents something."""
    mark = found["mark"].strip()
    if mark in ("-", "*") and not found["end"].strip():
        return True
    return is_usual_label(label, not mark, found.string[found.end() : found.end() + 200])


_HEADING: Final = re.compile(
    r"(?:^|\n)[ \t]*(?:#{1,6}|\*\*|<h\d>|={2,}|-{2,})?[ \t]*(?=[^\n]{0,80}(?:\bnotes?\b|\bhinweise\b|\bnotizen\b|\bnotas\b|\binstructions\b|笔记|备注|说明|メモ|注記))"
    r"(?=[^\n]{0,80}(?:\btools?\b|\buser\b|\bwerkzeug\w*|\bnutzers?\b|\boutils?\b|\butilisateur\b|\bherramientas?\b|\busuario\b|工具|用户|ツール|ユーザー))[^\n]{1,80}\n\s*(?:<ul>\s*<li>|[•*-])\s?(?:\*\*|<b>|\[|`)",
    re.IGNORECASE,
)
_MARKED_BULLET: Final = re.compile(r"\S[^\S\n]{0,80}\n\s*(?:<ul>\s*<li>|[•*-])\s?(?:\*\*|<b>|\[|`)", re.IGNORECASE)
_BULLETS: Final = re.compile(r"(?:^|\n)[ \t]*(?:•|<li>)[ \t]*(?:\*\*|<b>)?\[[\w.-]{1,64}\]")


def imitates_section(read: ReadText) -> bool:
    """Return True if a text has a heading and bullets like those of the user's notes, in other words or marks."""
    text = read.text
    if "additional tool notes:" in text.lower():
        return True
    if "\n" not in text:
        return False
    if read.may_fit("heading") and _MARKED_BULLET.search(text) is not None and _HEADING.search(text) is not None:
        return True
    return ("•" in text or "<li>" in text) and _BULLETS.search(text) is not None


_NOTES: Final = "note,notes,hinweise,notizen,notas,instructions,*笔记*,*备注*,*说明*,*メモ*,*注記*"
_OF_TOOLS: Final = (
    "tool,tools,user,werkzeug*,nutzer,nutzers,outil,outils,utilisateur,herramienta,herramientas,usuario,*工具*,*用户*,"
    "*ツール*,*ユーザー*"
)
_RULE: Final = "rule*,polic*,instruction*,restriction*,guideline*,limit*,safeguard*,direction*,order*,prompt*,message*"
_FORMER: Final = "former,previous,earlier,old,prior,existing,usual,standard,other,safety,original"
_FORMER_RULES: Final = ",".join(f"{one}·{what[:-1]}" for one in _FORMER.split(",") for what in _RULE.split(","))
_SYSTEMS: Final = "system,platform,operator,operators,developer,developers,administrator,administrators,vendor,user"
_LABEL_WHAT: Final = ",".join(f"*{word}*" for word in _WHAT)
_LABEL_WHOSE: Final = ",".join(f"{word}*" for word in (*_WHOSE, *_READERS)).replace("-", "")

NEEDED: Final = NeededWords({
    "roles": (
        'role system,developer,tool ="role"', "=<|", "inst =inst]", "sys =sys>>",
        "instruction,response,input =###·instruction:,###instruction:,###·response:,###response:,###·input:,###input:",
        "end of =-end·of,-·end·of,*end·of,*·end·of,=end·of,=·end·of",
        f"from message,notice,instruction,instructions {_SYSTEMS},anthropic,openai,google =:",
        "system,developer =:,：",
        "system*,developer*,admin*,operator*,root* =[system,[developer,[admin,[operator,[root",
        "system,override,admin =#system,#·system,#override,#·override,#admin,#·admin", "new =#new·instruct,#·new·instruct",
        "user,human assistant,ai =user:,human:",
        "function,tool,system call*,output*,repl*,response*,result* =function·call,function·output,function·repl,"
        "function·response,function·result,tool·call,tool·output,tool·repl,tool·response,tool·result,system·call,"
        "system·output,system·repl,system·response,system·result",
        "your =your·user,your·developer,your·operator,your·creator,your·admin,your·owner,your·principal,"
        "your·supervisor,your·maker",
        f"speaking,writing,acting,posting as,for {_SYSTEMS}",
        "mode jailbreak,god,dan,unrestricted,developer,sudo", "act unrestricted*,system,root*,emergency* =act·as",
    ),
    "become": (
        "end of =END·OF·", "new policy,rule,rules =:", "now your goal,task,role,job,purpose,mission,objective",
        "you are now*,longer*", "you have no restrictions*,rules*,limits*", "now from on",
        "new master,identity,persona,instruction,instructions",
        "off,areoff,isoff,*disabled*,*lifted*,*void*,*suspended*,longer "
        "restrictions*,guardrails*,filters*,safeguards*,rules*,instructions*",
        f"{_FORMER} {_RULE} longer,not,don,doesn,cease,void,obsolete,revoked,withdrawn,suspended,superseded,lifted "
        f"={_FORMER_RULES}",
        f"supersed*,overrid*,replac*,outrank*,overrul* all,any,your,every,the {_FORMER} {_RULE}",
        "off guardrails,restrictions,confirmations,safety", "outrank,outranks",
        "precedence,priority over user,person,system,previous,other",
        "bist du", "désormais,maintenant es,êtes", "ahora eres,partir",
        "*你现在是*,*从现在开始*,*あなたは今から*,*今後は*",
    ),
    "disobey": (
        "ignore,ignorez,ignora,ignoriere,disregard,forget,oublie,olvida,vergiss instruction,instructions,consignes,"
        "instrucciones,anweisungen,rule,rules,règles,reglas,regeln,prompt,prompts,guidance,guideline,guidelines,"
        "everything,restrictions,safety",
        "obey", "*忽略*,*无视*,*忘记*,*無視*,*無効*,*忘れ*",
    ),
    "frames": FRAMES_NEED,
    "marked": ("=<",),
    "carrier": (
        "decod*,unpack*,inflat*,decompress*,decrypt*,deciph*,unscrambl*,deobfuscat*,unzip*,rot,unshift*,dekodier*,"
        "entschlüss*,entpack*,décod*,déchiffr*,descifr*", "base =base64",
        "first,initial,last,final,every letter,letters,character,characters,word,words,initial,initials line,lines,"
        "sentence,sentences,word,words,value,values,name,names,paragraph,paragraphs,item,items,option,options,entries,"
        "below,above",
        "read,spell,written,write,take,taken backward,backwards,reverse,right,start,front,end,upside",
        "*解码*,*解密*,*解压*,*反转*,*デコード*,*復号*,*展開*",
    ),
    "code word": ("read,understand,treat,take,interpret,replace,hear",),
    "joins": ("join,concatenate,combine,assemble,together follow,obey,execute,do,act,comply it,them,what,the",),
    "label": (
        f"{_LABEL_WHAT} {_LABEL_WHOSE}", ",".join(_ALONE),
        *(label for label in _RULES if label.replace(" ", "").isalpha()),
    ),
    "heading": (f"{_NOTES} {_OF_TOOLS}",),
    **SETTINGS_NEED,
})  # fmt: skip
"""What a text needs to fit each pattern: all alternatives of the pattern are in it."""


class ReadText(NamedTuple):
    """Text with what its marks are looked for by, found once.

    Attributes:
        lower: the text, ``folded``.
        words: its words, in small letters.
        odd: those that may be others, written oddly.
        seen: needs that its words meet.
        is_ordinary: its signs hide and disguise nothing.
        digits: how many digits it has.
        longest: characters of its longest part without white space.
    """

    text: str
    lower: str
    words: set[str]
    odd: Set[str]
    seen: int
    is_ordinary: bool
    digits: int
    longest: int

    @classmethod
    def of(cls, text: str) -> ReadText:
        """Read a text."""
        lower = folded(text)
        longest = max(map(len, text.split()), default=0)
        words = words_of(lower)
        seen = NEEDED.seen(words)
        if text.isascii():
            digits = len(text) - len(text.encode().translate(None, b"0123456789"))
            return cls(text, lower, words, words & _WRITTEN_ODDLY, seen, True, digits, longest)
        if lower != text.lower():
            words = words_of(text)
        is_ordinary = _ORDINARY.fullmatch(text) is not None
        digits = len(_DIGIT.findall(text))
        return cls(text, lower, words, words & _WRITTEN_ODDLY, seen, is_ordinary, digits, longest)

    def may_fit(self, pattern: str) -> bool:
        """Return True if the text has what it needs to fit a pattern."""
        return NEEDED.opens(pattern, self.seen, self.text, self.lower)
