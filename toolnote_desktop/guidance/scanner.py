# ruff: noqa: E501 - patterns on as few lines as they can be read on
"""Scanner of texts that assistants read: instructions that a server, a pack or an assistant may have planted.

Offline and linear. It looks for what an honest description has no use for; a polite sentence without any mark of it is
not found (docs/security.md has the figures).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.hidden_characters import escaped_hidden
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.imitation import imitates_bullets, without_imitation

_TEXT_LIMIT: Final = 100_000
"""Characters of one text that are scanned; a longer one is a finding of its own."""

_MOST_TEXTS: Final = 5_000
"""Texts of one definition that are scanned."""

_EXCERPT: Final = 120


class FindingKind(StrEnum):
    """Kinds of findings."""

    HIDDEN = "hidden-characters"
    COMMENT = "hidden-markup"
    BLOB = "encoded-text"
    ROLE = "role-marks"
    SECRECY = "hide-from-user"
    SECRETS = "read-secrets"
    OTHER_TOOLS = "other-tools"
    SENDING = "send-elsewhere"
    CONVERSATION = "asks-for-conversation"
    LOOK_ALIKE = "look-alike-name"
    HEADING = "imitates-notes"
    LONG = "long-text"


SENTENCES: Final[Mapping[FindingKind, str]] = {
    FindingKind.HIDDEN: "It has characters that people do not see and assistants read.",
    FindingKind.COMMENT: "It has markup that a person does not see, such as an HTML comment.",
    FindingKind.BLOB: "It has a long encoded text, which may hide instructions.",
    FindingKind.ROLE: "It has marks that make a text look like instructions of the system.",
    FindingKind.SECRECY: "It tells the assistant to hide something from the user.",
    FindingKind.SECRETS: "It tells the assistant to read keys, passwords or files with them.",
    FindingKind.OTHER_TOOLS: "It tells the assistant how to use other tools, or to call this one first.",
    FindingKind.SENDING: "It tells the assistant to send data elsewhere.",
    FindingKind.CONVERSATION: "It asks for the conversation or for the assistant's instructions.",
    FindingKind.LOOK_ALIKE: "Its name looks like that of a tool of another source.",
    FindingKind.HEADING: "It imitates the section with the user's notes.",
    FindingKind.LONG: "It is too long to be scanned whole.",
}


class Finding(Struct, frozen=True):
    """Finding in a text.

    Attributes:
        field: path of the text in the definition, such as ``inputSchema.properties.path.description``.
        excerpt: the words found, with invisible characters written out.
    """

    kind: FindingKind
    server: str
    tool: str
    field: str
    excerpt: str

    @property
    def sentence(self) -> str:
        """The reason in one sentence."""
        return SENTENCES[self.kind]


def scan_snapshot(snapshot: Snapshot) -> tuple[Finding, ...]:
    """Return the findings in everything that servers and assistants wrote: definitions, instructions, notes."""
    found: list[Finding] = []
    for server, listing in snapshot.catalogue.servers.items():
        for known in listing.tools:
            if known.listed:
                found += scan_definition(known.newest.definition, server)
        for prompt in listing.prompts:
            found += scan_definition(prompt, server)
        found += scan_text(listing.instructions or "", server, "", "instructions")
    for toolset in snapshot.toolsets.values():
        for group in toolset.notes:
            name = group.reference.namespaced_name or ""
            for note in group.notes:
                if not note.confirmed:
                    found += scan_text(note.note, note.author, name, f"notes.{note.name}")
    found += look_alikes(
        (server, known.tool.name)
        for server, listing in snapshot.catalogue.servers.items()
        for known in listing.tools
        if known.listed
    )
    return tuple(found)


def scan_definition(definition: JsonObject, server: str = "") -> tuple[Finding, ...]:
    """Return the findings in the texts of a tool, prompt or resource."""
    tool = str(definition.get("name", ""))
    found: list[Finding] = []
    for number, (field, text) in enumerate(_texts(definition, "")):
        if number >= _MOST_TEXTS:
            found.append(Finding(FindingKind.LONG, server, tool, field, ""))
            break
        found += scan_text(text, server, tool, field)
    return tuple(dict.fromkeys(found))


def scan_text(text: str, server: str, tool: str, field: str) -> Iterator[Finding]:
    """Yield the findings in one text, at most one of each kind."""
    whole, text = text, text[:_TEXT_LIMIT]
    if len(whole) > _TEXT_LIMIT:
        yield Finding(FindingKind.LONG, server, tool, field, "")
    if hidden := _hidden_text(text):
        yield Finding(FindingKind.HIDDEN, server, tool, field, hidden)
    plain = _plain(text)
    for kind, pattern in _PATTERNS.items():
        match = pattern.search(plain)
        if match is not None and not _is_negated(kind, match, plain):
            yield Finding(kind, server, tool, field, _excerpt(plain, match))
    if without_imitation(text) is not text or imitates_bullets(text):
        yield Finding(FindingKind.HEADING, server, tool, field, "Additional Tool Notes")


def look_alikes(names: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """Yield a finding for each tool whose name only looks like that of a tool of another source."""
    seen: dict[str, tuple[str, str]] = {}
    for server, name in names:
        skeleton = _skeleton(name)
        first = seen.setdefault(skeleton, (server, name))
        if first[0] != server and first[1] != name and name.casefold() != first[1].casefold():
            yield Finding(FindingKind.LOOK_ALIKE, server, name, "name", f"{first[0]}: {first[1]}")


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    pending = [(path, value)]
    while pending:
        place, one = pending.pop()
        if isinstance(one, str):
            yield place, one
        elif isinstance(one, dict):
            for key, inner in reversed(one.items()):
                below = f"{place}.{key}" if place else str(key)
                pending.append((below[:200], inner))
                if len(str(key)) > 64:
                    pending.append((f"{place}.<key>"[:200], str(key)))
        elif isinstance(one, list):
            pending += [(f"{place}[{number}]"[:200], inner) for number, inner in reversed(list(enumerate(one)))]


def _plain(text: str) -> str:
    """Return a text as an assistant understands it: without invisible characters, on one line."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", escaped_hidden(text, lambda _: ""))
    return " ".join(text.replace("’", "'").split())


def _hidden_text(text: str) -> str:
    """Return the invisible characters of a text written out; "" if there are none that matter."""
    if text.isascii():
        return ""
    tags = "".join(chr(ord(sign) - 0xE0000) for sign in text if 0xE0020 <= ord(sign) <= 0xE007E)
    shown: list[str] = []
    escaped_hidden(text.replace("\ufeff", ""), lambda sign: shown.append(f"U+{ord(sign):04X}") or "")  # type: ignore[func-returns-value]
    marks = [one for one in shown if one not in ("U+00AD", "U+200E", "U+200F", "U+061C")]
    if not marks:
        return ""
    return (tags or " ".join(dict.fromkeys(marks)))[:_EXCERPT]


def _excerpt(text: str, match: re.Match[str]) -> str:
    start, end = match.span()
    return text[max(0, start - 10) : min(len(text), max(end, start + 60))][:_EXCERPT].strip()


def _is_negated(kind: FindingKind, match: re.Match[str], text: str) -> bool:
    """Return True for a sentence that warns of the thing: "never send passwords"."""
    if kind not in (FindingKind.SENDING, FindingKind.SECRETS):
        return False
    before = text[max(0, match.start() - 24) : match.start()].lower()
    return bool(_NEGATION.search(before))


def _skeleton(name: str) -> str:
    folded = unicodedata.normalize("NFKC", escaped_hidden(name, lambda _: "")).casefold()
    return "".join(sign for sign in folded.translate(_CONFUSABLE) if sign.isalnum())


_CONFUSABLE: Final = str.maketrans(
    {
        "\u0430": "a", "\u0435": "e", "\u043e": "o", "\u0440": "p", "\u0441": "c", "\u0445": "x", "\u0443": "y",
        "\u0456": "i", "\u0455": "s", "\u03bf": "o", "\u03b1": "a", "\u03b9": "i", "\u0131": "i", "0": "o", "1": "l",
    }
)  # fmt: skip
_NEGATION: Final = re.compile(r"\b(?:never|not|don't|doesn't|without|no)\b[^.]{0,20}$")

_READ: Final = r"(?:read|open|cat|load|fetch|include|retrieve|attach|copy|pass|provide|extract|get|put|append|insert)"
_SEND: Final = r"(?:send|forward|post|upload|transmit|exfiltrate|report|copy|submit|leak|relay|email|mail)"
_PEOPLE: Final = r"(?:the |a |your )?(?:user|users|human|person|customer|operator|developer|anyone|anybody|them)"
_CONVERSATION: Final = (
    r"(?:(?:the |this |your |our )?(?:(?:full|entire|whole|complete|current|previous|recent) )?"
    r"(?:conversation|chat|message|prompt)(?: history| log| transcript| context)?s?|system prompt|your instructions|"
    r"context window|chain of thought|results? of (?:all |the )?(?:other|previous) tools?)"
)

_PATTERNS: Final[Mapping[FindingKind, re.Pattern[str]]] = {
    kind: re.compile(pattern, re.IGNORECASE)
    for kind, pattern in {
        FindingKind.COMMENT: r"<!--|<\w{1,10}[^<>]{0,200}(?:display:\s?none|visibility:\s?hidden|font-size:\s?0|color:\s?"
        r"(?:white|transparent|#fff))",
        FindingKind.BLOB: r"(?<![A-Za-z0-9+/])(?=[A-Za-z0-9+/]{0,79}[a-z])(?=[A-Za-z0-9+/]{0,79}[A-Z])"
        r"(?=[A-Za-z0-9+/]{0,79}[0-9])[A-Za-z0-9+/]{80}|(?<![0-9a-f])[0-9a-f]{128}|(?:\\u[0-9a-f]{4}){10}|"
        r"(?:%[0-9a-f]{2}){15}|(?:\\x[0-9a-f]{2}){12}",
        FindingKind.ROLE: r"</?(?:important|system|instructions?|secret|admin|assistant|hidden|critical)>|\[/?inst\]|"
        r"<\|(?:im_start|im_end|system|user|endoftext)\|>|<<sys>>|(?:^|[.!?] )(?:system|assistant) ?(?:prompt|message|note)?"
        r": |\b(?:ignore|disregard|forget|override) (?:all |any |every |the |your )*(?:previous|prior|above|other|earlier|"
        r"existing|system|safety)(?: \w+){0,2} (?:instructions?|rules?|prompts?|guidelines?|messages?|directions?|polic\w+)|"
        r"\b(?:new|updated|real|actual) (?:system )?instructions? ?(?::|follow|are)",
        FindingKind.SECRECY: r"\b(?:do not|don't|never|must not|should not|shouldn't|without|avoid|no need to|refrain from)"
        rf" (?:ever )?(?:\w+ ){{0,3}}?(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|show|showing|"
        rf"reveal|revealing|disclose|disclosing|alert|alerting|let|letting|ask|asking|bother|bothering|warn|warning) "
        rf"(?:\w+ ){{0,5}}?{_PEOPLE}\b|\bhide (?:this|it|that|the \w+) from\b|\bkeep (?:this|it|that) (?:\w+ )?"
        r"(?:secret|hidden|private|confidential|between us)\b|\b(?:silently|secretly|covertly|discreetly) (?:\w+ ){0,2}?"
        r"(?:send|call|read|copy|forward|upload|include|add|run|collect|log|use|pass)|\b(?:user|human) (?:must|should|does) "
        r"not (?:need to )?(?:know|see|notice|be (?:told|aware|informed))|\b(?:unknown to|without the knowledge of) the user|"
        r"\b(?:sag|erzähl|zeig|verrat)\w* (?:es )?dem (?:nutzer|benutzer|anwender)\w* nicht|\bohne (?:es )?(?:dem|den) "
        r"(?:nutzer|benutzer|anwender)",
        FindingKind.SECRETS: r"~/\.(?:ssh|aws|config/gcloud|kube|gnupg|netrc|npmrc|docker|cursor|claude)\b|\bid_(?:rsa|"
        r"ed25519|ecdsa)\b|/etc/(?:passwd|shadow|sudoers)|\.aws/credentials|\.git-credentials|\bmcp\.json\b|"
        rf"\b{_READ} (?:\w+ ){{0,6}}?(?:private keys?|ssh keys?|\.env\b|env(?:ironment)? (?:file|variables)|(?:browser )?"
        rf"cookies|credentials? files?|api keys? (?:of|from) (?:the |other |all )|(?:the |all )?passwords? (?:of|from) )|"
        rf"\b{_READ} (?:\w+ ){{0,4}}?(?:contents? of|file) (?:\w+ ){{0,4}}?(?:in|into|to|as) (?:the |this )?[`'\"]?\w+[`'\"]? "
        r"(?:parameter|argument|field)",
        FindingKind.OTHER_TOOLS: r"\bbefore (?:you )?(?:us|call|invok|runn|execut)\w* (?:any|every|all|each|other|another)"
        r"(?: other)?(?: \w+)? ?(?:tool|server|function|action|command)s?|\b(?:always|must|should|first|required to|have to|"
        r"need to) (?:be )?(?:call|use|invoke|run|execute|called|used|invoked|run|executed)(?: \w+){0,5} (?:before|prior to) "
        r"(?:\w+ ){0,2}(?:any|every|all|each|other|another|answering|responding|replying)|\b(?:whenever|every time|each time|"
        r"any time|when) (?:the |any |another |other )?(?:\w+ )?(?:tool|server)s? (?:is|are|of|from) (?:\w+ ){0,3}?(?:called|"
        r"used|invoked|available|present|other)|\b(?:do not|don't|never|stop|instead of) (?:us\w+|call\w*|invok\w+) (?:the |any )?"
        r"(?:\w+ )?(?:other|another|official|original|built-in) (?:\w+ )?tools?|\bthis (?:tool|server) (?:overrides|replaces|"
        r"supersedes|takes precedence over) (?:all |any |the )?(?:other|previous|existing)|\b(?:other|another) (?:mcp )?"
        r"(?:tool|server)s?'?s? (?:results?|outputs?|descriptions?|data|credentials)|\bafter (?:us|call|invok|runn)\w* (?:this|"
        r"any|every|each)(?: \w+)?(?: tool)?,? (?:also |always |you must )(?:call|use|invoke|run)",
        FindingKind.SENDING: rf"\b(?:also|then|always|must|and|first|automatically|secretly|please|should|to) {_SEND} "
        rf"(?:\w+ ){{0,4}}?(?:{_CONVERSATION}|(?:all|every|any) (?:\w+ )?(?:data|emails?|files?|messages?|contents?|contacts?|"
        r"results?|documents?))(?: \w+){0,4} to\b|\b(?:b?cc)(?:'?d)?:? (?:\w+ ){0,4}?[\w.+-]{1,60}@|\b(?:add|include|set|append) "
        r"(?:\w+ ){0,6}?(?:recipient|bcc|cc)\b(?: \w+){0,4} [\w.+-]{1,60}@|"
        rf"\b{_SEND} (?:\w+ ){{0,8}}?to (?:\w+ ){{0,3}}?(?:https?://|[\w.+-]{{1,60}}@)|\bhttps?://\S{{1,200}}\?(?:\w{{1,20}}=)"
        r"(?:\{|<|\$)",
        FindingKind.CONVERSATION: rf"\b(?:include|pass|provide|put|insert|supply|give|contain\w*|summar\w+|with|add|enter|write|"
        rf"send|copy) (?:\w+ ){{0,3}}?(?:{_CONVERSATION}) ?(?:here|so far|verbatim|in (?:this|the)|as (?:a |the )?(?:string|"
        r"parameter|argument)|into|to|for|$|\.|,)|\byour (?:system prompt|hidden instructions|full instructions|chain of "
        r"thought|internal reasoning|tool list|list of tools)",
    }.items()
}
