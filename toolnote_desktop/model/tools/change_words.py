"""Words and patterns by which changes of a definition are judged: abilities, limits, decisions, instructions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final


def stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            base = word[: -len(ending)]
            if ending in ("ing", "ed") and len(base) > 3 and base[-1] == base[-2]:
                base = base[:-1]
            return base.rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def stems(*words: str) -> frozenset[str]:
    return frozenset(stem(word) for line in words for word in line.split())


UPPER: Final = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
LOWER: Final = ("minimum", "exclusiveMinimum")
HOST: Final = re.compile(r"\b(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,10}\b")
MARKUP: Final = re.compile(r"<[!/a-zA-Z][^<>]{0,200}>?")
NEGATED: Final = re.compile(
    r"\b(?:not|never|no|nothing|without|doesn't|don't|won't|cannot|nicht|nie|kein\w*|ohne|ne|pas|jamais|sans|nunca|sin)\b",
    re.IGNORECASE,
)
LACKING: Final = re.compile(
    r"^\W*(?:\w+ ){1,4}(?:without|with no) (?:(?:an?|any|the|their|its|valid|existing|matching|previous|own) ){0,2}"
    r"(?!\w+ing\b)\w+(?= (?:is|are|gets?|will|can|may)\b)",
    re.IGNORECASE,
)
"""Subject of a sentence that lacks something."""

DECISION: Final = re.compile(
    r"\b(?:users?|persons?|people|humans?|you|owners?|managers?|administrators?|admins?|operators?|reviewers?|approvers?|"
    r"customers?|accountants?|colleagues?|moderators?|supervisors?|maintainers?)\b"
    r"(?! (?:to|of|in|on|with|for)\b)(?:,? (?:must|can|has|have|needs?|to|will|still|then|first|always|may|should|also|"
    r"either|manually|himself|themselves)){0,3} "
    r"(?:releas|confirm|approv|review|check|decid|sign|accept|authori[sz]|press|click|choos|grant|verif|agree|consent|"
    r"send|publish|submit|appl|execut|pay)\w*|"
    r"\b(?:confirmed|approved|reviewed|checked|released|signed|accepted|authori[sz]ed|verified|sent|published|"
    r"submitted) (?:manually|by hand|by (?:a|an|the|your|another|two)\b)|"
    r"\b(?:waits?|waiting|held|pending|queued) (?:for|until) [^.\n]{0,40}(?:approv|confirm|review|releas|consent|sign)"
    r"\w*|\b(?:after|with|upon|requires?|needs?|on) (?:(?:an?|the|your|explicit|manual|written|prior|user|user's|human|"
    r"owner's|manager's|second|person's) ){0,4}(?:approval|confirmation|consent|release|review|signature)\b",
    re.IGNORECASE,
)
DECIDES: Final = re.compile(
    r",? ?\b(?:(?:but )?only )?(?:after|once|when|if|as soon as|until) (?:the|an?) (?:user|person|human|owner|operator)"
    r"(?: at the computer)? (?:has |have )?(?:approv|confirm|agree|consent|accept|allow)(?:e?d|s|es)?\b"
    r"(?: (?:it|this|that|so|to it|to this|the number of \w+|the \w+))?|"
    r"\b(?:shown to|confirmed by|approved by|reviewed by) the (?:user|person|owner)"
    r"(?: (?:for|before) (?:review|confirmation|approval|it|this))?",
    re.IGNORECASE,
)
"""Clause by which a tool asks more than before."""

ACTION: Final = re.compile(
    r"\b(?:is|are|be|been|being|gets?|become) (?:also |then |all |\w{2,12}ly ){0,2}"
    r"([a-z]{0,20}(?:ed|aken|iven|ithdrawn|rown|sent|kept|sold|paid|put|cut|shut|set|built|bought|torn|taught|hidden))\b|"
    r"(?:[,;:]|\band|\bthen|\bor|\bit|\balso|^)\W{1,3}(?:also |then |it |\w{2,12}ly ){0,2}([a-z]{3,20}) "
    r"(?:(?:the|an?|those|these|this|that|each|every|all|any|one|its|their|only|off|up|out|over|down|away|back) |"
    r"(?:(?:with|to|into|onto|from) )?(?:it|them|those|everything)\b)|"
    r"\b(?:wird|werden|worden)\b[^.;,]{0,80} ([a-zäöüß]{4,24}(?:t|en))(?= ?(?:[.;,]|$))|"
    r"\b(?:und|dann) ([a-zäöüß]{3,20}t) "
    r"(?:die|den|das|dem|der|sie|ihn|es|ein\w{0,2}|alle\w?|jede\w?|diese\w?|(?-i:[A-ZÄÖÜ]\w{2,})) |"
    r"\b(?:est|sont|seront|sera|être) (?:\w{3,12}ment )?([a-zà-ÿ]{3,20}(?:é|ée|és|ées|is|it|its|ie|ies|u|us|ue|ues))\b|"
    r"\bet (?:les |la |le |l')?([a-zà-ÿ]{3,20}(?:e|it|ent)) "
    r"(?:les|la|le|un|une|des|ceux|celles|son|ses|leurs?|chaque|aux?|à|dans|sur) |"
    r"\bse ([a-zà-ÿ]{3,20}(?:an|en|a|e))\b|"
    r"\by (?:los |las |lo |la )?([a-zà-ÿ]{3,20}(?:a|e|an|en)) (?:el|la|los|las|un|una|su|sus|cada|todo\w{0,2}|a) ",
    re.IGNORECASE,
)
"""Verb of a clause: a participle, or what is followed by an object or a particle, in four languages."""

GOES: Final = re.compile(
    r"(?<=\w )(?:go(?:es)?|travels?|passes|flows?|gets|lands?|reach(?:es)?|ends? up) "
    r"(?:[a-z]{1,12} ){0,2}(?:to|through|into|at|with|on|in) |"
    r"\b(?:geht|gehen|gelangt|gelangen|läuft|laufen|wandert|fließt|landet|landen) "
    r"(?:\w{1,12} ){0,3}(?:an|zu|zum|zur|über|bei|auf) |"
    r"\b(?:va|vont|passe|passent|part|partent) (?:\w{1,12} ){0,2}(?:à|au|aux|chez|par|vers) |"
    r"\b(?:pasa|pasan|llega|llegan|va|van) (?:\w{1,12} ){0,2}(?:a|al|por|hacia) ",
    re.IGNORECASE,
)
"""Something that goes somewhere."""

RECIPIENT: Final = re.compile(
    r"\b(?:to|an (?=d|ein)|chez|aux?|al) (?:(?:the|our|all|an?|die|den|das|der|einen?|le|la|les|el|los|las) ){0,2}"
    r"(\w{3,30})",
    re.IGNORECASE,
)
NUMBER: Final = re.compile(r"\d[\d.,]{0,20}(?<=\d)")
PARTICLES: Final = (" off ", " out ", " over ", " down ", " away ", " back ")
NEGATION: Final = 14
"""Characters before a verb in which a word negates it."""

COMPARED: Final = 100
"""Sentences of a text of which each is compared with each of the other's."""

AT_ONCE: Final = re.compile(
    r"\b(?:at once|immediately|instantly|right away|straight away|directly to|in one step|effective now|unattended|"
    r"sofort|unverzüglich|immédiatement|tout de suite|de inmediato|inmediatamente)\b|立即|直ちに|すぐに",
    re.IGNORECASE,
)
SENTENCE_END: Final = re.compile(r"(?<=[.!?。！？])\s+|[\n\r]+")
WORD: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])")
ABILITIES: Final[Mapping[str, str]] = {
    stem: group
    for group, words in {
        "delete": "deletion removal erasure replacement expunge dispose scrub flush evict drain shred dump "
        "unpublish clean cleanup tidy delete remove destroy drop purge wipe erase overwrite replace "
        "truncate clear reset revert discard trash prune uninstall lösche löschen löscht entfernen "
        "entfernt überschreibt überschreiben supprime supprimer efface effacer elimina eliminar borra "
        "borrar",
        "write": "fill correct adjust repair rewrite patch assign mark change add write create modify update "
        "edit insert append save store schreibt schreiben speichert ändert écrit crée modifie escribe "
        "crea modifica guarda",
        "move": "move rename archive shift migrate relocate swap merge split reorder verschiebt verschieben "
        "déplace mueve",
        "cancel": "cancellation cancel canceled cancelled abort void withdraw reject decline dismiss "
        "unsubscribe postpone reschedule storniert stornieren kündigt kündigen widerruft annule "
        "annuler résilie anula anular cancela cancelar",
        "send": "send forward email mail message notify inform announce alert remind reply submit transmit "
        "sendet senden schickt schicken verschickt envoie envoyer envía enviar",
        "publish": "post publish share broadcast export upload webhook sync veröffentlicht teilt publie publier "
        "publica publicar comparte lädt",
        "import": "import download",
        "pay": "renewal upgrade downgrade renew reorder bid topup überweisung nachbestellt bestellt "
        "bestellen paiement pago transfer pay buy purchase charge order refund withdraw book reserve "
        "subscribe donate bezahlt bezahlen kauft kaufen überweist paie achète paga compra",
        "sign": "sign agree",
        "run": "execute run install eval evaluate spawn launch script shell sudo ausführen ausführt führt "
        "exécute ejecuta",
        "deploy": "deploy merge push commit rebase force",
        "stop": "pause suspend cordon freeze mute reboot restart stop kill shutdown terminate disable close lock",
        "grant": "elevate promote authorize authorise whitelist allowlist unblock approve grant revoke invite "
        "enable assign unlock impersonate",
        "record": "log record track collect monitor recognize recognise identify",
    }.items()
    for stem in stems(words)
}
REACH: Final = stems(
    "production prod live online cloud internet web public publicly external remote everyone anyone anonymous visible",
    "watchers followers subscribers attendees participants colleagues coworkers teammates",
    "third service hidden recursive recursively private personal salary everything unlimited bypass skip automatically",
    "phone birth salary health photo contact inbox login",
    "conversation transcript credential credentials password passwords clipboard",
    "öffentlich extern publique público nube",
)
NARROW: Final = stems("one single current selected given last day days hour hours week month today first open project")
BROAD: Final = stems("any anything all every entire whole everything years year month months company organization full")
READING: Final = stems(
    "return show list get give find look read count compute calculate estimate display include contain consist "
    "support accept understand use need require take sort filter group page limit round format describe explain "
    "summarize report compare measure rank note depend apply know follow begin start end stay remain come see "
    "mean may can will would retrieve fetch query search lookup view print output analyze analyse parse detect "
    "inspect preview check validate verify convert translate map render draw plot cover cite quote name call "
    "label number mark combine separate based express allow expect ignore skip omit leave left define default "
    "specify provide say state indicate refer ask asked distributed arranged scale place strip trim fit align "
    "highlight truncate decode encode escape work run store cache given written paginate download load made make "
    "do done has have been was were is are into for with from by per to of in at not both either like than if as "
    "when where while which who that this these only just even also over under about across after before between "
    "within without and or but then so such because pass passed separated supported returned shown listed sorted "
    "measured counted known seen reached expanded distinguished example returns set one two three id ids text "
    "type value values all any none other each more most less angezeigt ausgegeben zurückgegeben aufgelistet "
    "gelistet sortiert gefiltert gezählt berechnet verglichen gerundet berücksichtigt unterstützt übersetzt "
    "gesucht gefunden genannt erwartet benötigt gezeigt geliefert ermittelt geprüft gelesen verwendet angegeben "
    "gruppiert zusammengefasst zeigt liefert nennt gibt ist hat kann liest sucht findet zählt vergleicht prüft "
    "affiche renvoie liste donne calcule compte cherche trouve lit indique retourne affiché renvoyé listé donné "
    "calculé compté trié filtré indiqué retourné pris arrondi muestra devuelve lista calcula cuenta busca "
    "encuentra lee compara indica muestran devuelven listan calculan usan usa admiten ordenan filtran puede "
    "pueden trata encuentran redondea redondean incluye incluyen omite omiten ignora ignoran"
)
"""Verbs of tools that only read and say something, and words that are found in the place of a verb."""

OUTGOING: Final = frozenset(("send", "publish", "pay"))
BOUNDS: Final = frozenset(
    (
        "with",
        "without",
        "in",
        "on",
        "within",
        "inside",
        "of",
        "from",
        "for",
        "by",
        "only",
        "under",
        "at",
        "per",
        "nur",
        "im",
        "auf",
        "von",
    )
)
WITH_PARTICLE: Final = stems("give read fall break find print count list return come go carry")
ORDER: Final = re.compile(
    r"(?:mention|include|add|send|pass|tell|recommend|call|read|open|put|give|write|copy|forward|visit|say|reply|answer|"
    r"attach|run|hide|keep)\b(?! (?:to|is|are|of)\b)",
    re.IGNORECASE,
)
UNITS: Final = (
    stems("millisecond ms second sec minute min hour day week month quarter year"),
    stems("millimeter millimetre mm centimeter cm meter metre kilometer kilometre km inch foot feet yard mile"),
    stems("milligram mg gram kilogram kg pound ounce ton"),
    stems("milliliter ml liter litre gallon"),
    stems("byte kilobyte kb megabyte mb gigabyte gb"),
    stems("cent dollar euro pound usd eur gbp satoshi bitcoin wei ether percent percentage fraction"),
    stems("celsius fahrenheit kelvin degree radian"),
    stems("utc local"),
    stems("inclusive exclusive"),
    stems("include exclude skip omit"),
    stems("allow deny forbid block"),
    stems("enable disable"),
    stems("increase decrease"),
    stems("absolute relative"),
    stems("add subtract replace"),
    stems("sender recipient"),
    stems("buy sell"),
    stems("source target destination"),
    stems("newest oldest latest earliest first last"),
)
"""Words of which another one gives the same value another meaning: units, and opposites."""

ENDS: Final = UNITS[-1]
CAREFUL: Final = stems(
    "dry simulate simulation preview draft confirm confirmation ask interactive backup safe safely safety check",
    "validate verify test review readonly sandbox require required mask redact encrypt encrypted private trash undo",
    "keep preserve strict",
)
RISKY: Final = stems(
    "force recursive recursively overwrite delete purge permanent permanently all everything skip ignore auto",
    "automatic automatically allow bypass disable no without public publish share send notify execute unsafe insecure",
    "unlimited hidden cascade",
)
LIMITING: Final = stems(
    "device signed logged dispositivo gerät appareil ",
    "ask asks asking asked confirm confirms confirmation approval approve only below within inside under local "
    "locally computer machine offline sandbox draft preview copy staging test read-only readonly own never not "
    "without limited dry simulate undo nur lokal fragt bestätigung seulement demande solo pregunta recycle trash "
    "bin backup",
)
OUTWARD: Final = stems(
    "url uri link webhook callback endpoint host hostname domain server proxy address email recipient recipients to cc",
    "bcc destination target path file filename folder directory attachment attach channel phone number account token",
    "key secret password credential credentials auth cookie header headers command cmd code query sql expression",
    "template body payload content context data metadata note notes comment feedback reason summary",
    "conversation history prompt instruction instructions remote upload output dest session user users",
)
OUTWARD_IN_TEXT: Final = stems("url webhook callback endpoint email recipient upload attachment secret password token")
HARMLESS: Final = stems(
    "limit offset page size cursor sort order format language locale verbose timezone unit units count max min start",
    "end since until before after width height depth level color colour theme",
)
INSTRUCTION: Final = re.compile(
    r"\b(?:you (?:must|should|have to|need to|are|will|may)|always|never|must(?: not)?|do not|don't|make sure|be sure|"
    r"ensure|ignore|instead|important|should|ought to|(?:is|are) (?:expected to|best)|(?:best|better) (?:when|if|with)|"
    r"before (?:using|calling|you|any|each|every|answering)|"
    r"after (?:using|calling|you|any|each|every)|first call|"
    r"(?:also|then|first) (?:call|use|read|send|include|pass|invoke)|"
    r"(?:call|use|invoke) (?:this|the|it|only)|without (?:asking|telling|confirm\w*)|secretly|silently|assistant|"
    r"the user|model|prefer|required to|no need to|immer|niemals|zuerst|ohne (?:zu )?frag\w*|verschweig\w*)\b",
    re.IGNORECASE,
)
