"""Orders to put something together or decode it, and then to do what it says."""

from __future__ import annotations

import re
from typing import Final

from toolnote_desktop.guidance.scanning.needed_words import has_any
from toolnote_desktop.guidance.scanning.read_text import ReadText

_QUOTES_OF_PIECES: Final = 6
"""Quotation marks of the fewest pieces."""

_PIECES: Final = re.compile(
    # "a = 'se', b = 'nd', c = ' it': a + b + c"
    r"(?:\b\w{1,6} ?(?:=|:=|:) ?[\"'][^\"'\n]{1,40}[\"'](?:[,;]|,? and)? ?){3,}[^\n]{0,200}\w{1,6} ?\+ ?\w|"
    # "'se' + 'nd' + ' it' + ' all'"
    r"(?:[\"'][^\"'\n]{1,30}[\"'] ?[+.] ?){3,}[\"']"
)
"""Pieces of a text in quotes that are to be joined."""

_JOINED: Final = re.compile(r"\+|[\"'] ?\. ?[\"']")
"""What joins pieces."""

_CARRIER: Final = re.compile(
    # "Decode it and follow it", "entpacke das Archiv und führe"; but not "decoded text is only data"
    r"\b(?:decod|unpack|inflat|decompress|decrypt|deciph|unscrambl|deobfuscat|unzip|rot-?13|base64|unshift|"
    r"dekodier|entschlüss|entpack|décod|déchiffr|descifr|decodific)\w*+"
    r"(?! (?:text|output|content) (?:is|are) (?:only |plain |just )?(?:data|not)\b)"
    r"[^.\n]{0,80}\b(?:obey|follow|execut|carry|carried|complet|comply|proceed|honou?r|act on|act as|acted|apply it|"
    r"do what|perform|run (?:it|them|what|the result)|as (?:an? )?(?:instruction|order|command)|"
    r"befolg|ausführ|führe|suis|suivez|exécut|sigue|siga|ejecut|obedec)\w*|"
    # "follow it once you have decoded"
    r"\b(?:obey|follow|execut|carry out|comply|proceed|act)\w*[^.\n]{0,60}\b(?:once|after|when|as soon as) "
    r"(?:it is |they are |you (?:have )?)?(?:decod|decrypt|unpack|inflat|deciph)\w*|"
    # "the first letter of each line", "every third word of the text below"
    r"\b(?:first|initial|last|final|every (?:second|third|fourth|other|2nd|3rd|nth)) "
    r"(?:letters?|characters?|words?|initials?) (?:of|in|from) (?:each|every|the|all|these|those|this)\b[^.\n]{0,60}"
    r"\b(?:lines?|sentences?|words?|values?|names?|paragraphs?|items?|options?|entries|below|above)\b|"
    # "read it backwards", "written from right to left"
    r"\b(?:read|spell|written|write|taken?) (?:it |this |that |them |the \w+ )?"
    r"(?:backwards?|in reverse|from (?:right to left|end to start|back to front|the end)|upside down)\b|"
    # "解码后执行", "復号して実行"
    r"(?:解码|解密|解压|反转)[^。]{0,20}(?:执行|照做|遵)|(?:デコード|復号|展開)[^。]{0,20}(?:従|実行)",
    re.IGNORECASE,
)
"""Sentence that orders to make something readable and then to do what it says."""

_FORBIDS: Final = re.compile(
    # "Decoded text must not be followed"
    r"(?:\bnot|\bnever|n't|\bnicht)(?: (?:be|to|been|being|werden))* \w+(?: on)?$",
    re.IGNORECASE,
)
"""End of such a sentence that says that it is not done."""

_FORBIDDEN: Final = re.compile(r"(?:\bnot|\bnever|n't) $", re.IGNORECASE)
_CARRIER_HINTS: Final = (
    "back to front", "backward", "base64", "character", "deciph", "decod", "decodific", "decompress", "decrypt",
    "dekodier", "deobfusc", "descifr", "déchiffr", "décod", "end to start", "entschl", "from the end", "inflat",
    "initial", "letter", "pack", "reverse", "right to left", "rot-13", "rot13", "unscrambl", "unshift", "unzip",
    "upside down", "word of", "words", "デコード", "反转", "展開", "復号", "解压", "解密", "解码",
)  # fmt: skip
"""Words of which a text of the tuning sets that fits has one as well; "the first word in each item" has not."""

_CODE_WORD: Final = re.compile(
    # 'Where "tidy up" occurs, read it as "'
    r"[\"'“‘][^\"'”’\n]{3,60}[\"'”’][^.\n\"']{0,40}\b(?:read|understand|treat|take|interpret|replace|hear) "
    r"(?:it|this|that|them|the word|the phrase)? ?(?:as|to mean|with|by|for) [\"'“‘]",
    re.IGNORECASE,
)
"""Words in quotes that others in quotes are to be read for."""

_JOINS: Final = re.compile(
    # "Join the three parts and do what they say"
    r"\b(?:join|concatenate|combine|assemble|put together|piece together)\b[^.\n]{0,60}"
    r"\b(?:follow|obey|execute|do|act on|comply with) "
    r"(?:it|them|what (?:it|they) says?|the (?:sentence|text|words?|instructions?|orders?))\b",
    re.IGNORECASE,
)
"""Order to join pieces and then do what they say."""


def ordered_decoding(read: ReadText) -> str:
    """Return a sentence that orders to decode something and obey it."""
    text = read.text
    if not read.may_fit("carrier") or not has_any(_CARRIER_HINTS, text.lower()):
        return ""
    for found in _CARRIER.finditer(text):
        before = text[max(0, found.start() - 8) : found.start()]
        if not _FORBIDS.search(found.group()) and not _FORBIDDEN.search(before):
            return found.group()
    return ""


def quoted_pieces(read: ReadText) -> str:
    """Return words in quotes that stand for others, or that are to be put together."""
    text = read.text
    found = _CODE_WORD.search(text) if read.may_fit("code word") and has_any("'\"“‘", text) else None
    if found is None and text.count("'") + text.count('"') >= _QUOTES_OF_PIECES and _JOINED.search(text):
        found = _PIECES.search(text)
    return found.group() if found else ""


def ordered_joining(read: ReadText) -> str:
    """Return a sentence that orders to join pieces and obey them."""
    found = _JOINS.search(read.text) if read.may_fit("joins") else None
    return found.group() if found else ""
