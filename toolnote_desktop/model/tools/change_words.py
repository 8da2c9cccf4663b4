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
    r"(?: (?:for|before) (?:review|confirmation|approval|it|this))?|"
    r"\bthe (?:user|person|owner|operator) (?:must |has to |needs to |always |first )?"
    r"(?:confirms?|approves?|agrees? to) "
    r"(?:it|this|that|them|each \w+|every \w+|the \w+)(?: first)?(?: before \w+ (?:is|are) \w+)?",
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
    r"\b(?:is|are) (?:\w{2,12}ly )?(?:given|held|passed|handed|offered|left) "
    r"(?:over )?(?:to|for) (?:the|an?|our|their) |"
    r"\b(?:gets?|receives?) (?:an? |the )?(?:call|sms|e-?mail|mail|message|letter|notice|note|copy|alert|reminder|word|"
    r"link|invitation|invite)\b|\b(?:hears?|learns?) (?:of|about)\b|"
    r"\b(?:is|are) gone\b|"
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
        "write": "fill correct adjust repair rewrite patch assign mark change add adds write create modify update "
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
    "third hidden recursive recursively private personal salary everything unlimited bypass skip automatically",
    "phone birth salary health photo contact inbox login",
    "conversation transcript credential credentials password passwords clipboard",
    "birthday birthdate diagnosis diagnoses illness disease medical religion ethnic income wage passport iban cvv",
    "fingerprint biometric",
    "whereabouts genetic diagnose krankheit gehalt salaire salario",
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
    "pueden trata encuentran redondea redondean incluye incluyen omite omiten ignora ignoran multiplied divided summed "
    "subtracted squared averaged normalized interpolated smoothed weighted scored derived assumed treated considered "
    "meant defined spanned held weigh compounded says beyond whenever preserved respected "
    "above below"
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

SAID: Final = stems(
    "the a an and or of to in on at by for with from as is are be been was were has have had do does did can could may "
    "might must should will would it its this that these those their them they he she his her we us our i you your "
    "there here what which who whose when where how why if then than so such also too very just more most less least "
    "new given specific specified particular certain various several different some any each every all both either "
    "tool function use used using via about into onto over under up down out off after before until while during again "
    "existing time times period ones want wish like order ascending descending address id ids identifier unique code "
    "string text format iso yyyy mm dd hh markdown html json csv xml "
    "plain character short long length max min valid says say "
    "ss cannot can't not no never nothing without don't doesn't puts set sets newest oldest latest earliest "
    "get got give gets let lets allow enable possible able way kind sort type list item items information info details "
    "detailed data result results output value values number count put make made one two three first next last further "
    "other another same own only still yet now currently current provided per within between der die das den dem des "
    "ein eine einen einem einer eines und oder von vom zu zum zur im in an am auf aus bei für mit nach über unter ist "
    "sind wird werden hat haben kann auch nur es er sie man sich als wie le la les l un une des du de d et ou à au aux "
    "en dans sur par pour avec est sont qui que ce cette ces el los las una uno del al y o con por para es son que su"
)
"""Words that say nothing of what a tool does."""

SYNONYMS: Final = tuple(
    stems(line)
    for line in (
        "create open add adds make new put puts insert append register start build set sets generate compose",
        "delete remove erase drop clear without",
        "send mail email message post text sms deliver",
        "save store keep write put puts record copy",
        "upload put puts copy transfer",
        "change edit modify update alter adjust set sets",
        "turn turns switch toggle flip set sets",
        "copy copies duplicate clone",
        "move transfer relocate shift",
        "run runs execute launch start invoke perform begin play",
        "stop stops halt end terminate kill",
        "close shut end finish",
        "book reserve",
        "buy purchase order",
        "fix repair correct",
        "merge combine join",
        "assign give set",
        "issue ticket bug",
        "file document page",
        "folder directory",
        "picture image photo png jpeg svg",
        "user person account member",
        "customer client",
        "appointment event meeting entry entries",
        "row record entry entries item line",
        "comment remark note",
        "text string content",
        "site website page",
        "pack compress archive zip put puts",
        "mark flag label tag",
        "current open selected active",
        "latest current recent newest",
        "good permanent final irreversible undo undone",
        "project repository repo",
        "big large size",
        "name title",
        "adds sum total",
    )
)
"""Words that say the same in the definition of a tool."""

PARTY: Final = re.compile(
    r"\b(?:to|with|at|for|by|from|of|an|bei|beim|des|der|mit|für|à|au|chez|du|al|del|con) (?:(?:the|an?|its|our|their|"
    r"your|all|any|other|other|le|la|el) ){0,2}(?:\w{1,20} ){0,2}"
    r"(vendors?|makers?|manufacturers?|insurers?|insurances?|providers?|partners?|suppliers?|advertisers?|agenc(?:y|ies)|"
    r"authorit(?:y|ies)|police|governments?|press|employers?|landlords?|neighbou?rs?|competitors?|brokers?|sponsors?|"
    r"publishers?|marketing|resellers?|researchers?|affiliates?|contractors?|investors?|lenders?|banks?|schools?|"
    r"parents?|strangers|friends|hersteller\w*|anbieter\w*|partner\w*|behörden?|versicher\w+|fournisseurs?|"
    r"fabricants?|partenaires?|assureurs?|proveedor\w*|fabricantes?|socios?|aseguradora\w*)\b",
    re.IGNORECASE,
)
"""Others whom data may reach."""

FORM: Final = re.compile(
    r"`[^`\n]{0,200}`|[,(]? ?\b(?:e\. ?g\.|for example|for instance|such as|z\. ?B\.|par exemple|por ejemplo)"
    r"[^.\n]{0,200}",
    re.IGNORECASE,
)
"""Examples and names in a text."""

AND_RETURNS: Final = re.compile(
    r",? (?:and|und|et|y) (?:then )?(?:returns?|shows?|prints?|reports?|gibt|zeigt|renvoie|affiche|devuelve|"
    r"muestra) .*",
    re.IGNORECASE,
)
"""End of a sentence, on the result."""

IDENTIFIER: Final = re.compile(r"`[^`\n]{1,200}`|\b\w*_\w*\b")
NOT_ENGLISH: Final = re.compile(
    r"[äöüßéèêàçñáíóúìò]|\b(?:der|die|das|den|dem|des|ein|eine|einer|eines|und|oder|von|zum|zur|für|mit|ist|le|les|une|du|et|"
    r"ou|aux|dans|sur|avec|est|sont|el|los|las|uno|una|del|con|para|por)\b",
    re.IGNORECASE,
)

ENGLISH: Final = re.compile(r"\b(?:the|of|and|with|from|each|is|are|it|this|that|these)\b", re.IGNORECASE)

DOCUMENTS: Final = re.compile(
    r"\W{0,4}(?:returns?|errors?|examples?|notes?:|format|syntax|supports?|results?|output|units?|fields?|args?|"
    r"arguments?|parameters?|dates?|times?|see)\b",
    re.IGNORECASE,
)
"""Beginning of a sentence on how a result looks."""

COMMAND: Final = re.compile(
    r"\W{0,4}(?:please |then |also |simply |just )?([A-Z]?[a-z]{2,14}) "
    r"(?:the|an?|it|them|this|these|those|each|every|all|"
    r"any|its|your|their|up|out|no|nothing|everything)\b"
)
NO_COMMAND: Final = stems(
    "use see set omit leave specify separate note give return in on at by for with from to of if when where while as "
    "than like only both all any each such per under over after before until since because and or but not then so "
    "also that this these those there what which who how quote escape search find get list show read look count "
    "compute calculate estimate display fetch retrieve view check compare convert into within without during between "
    "about above below across through along via unless except whether is are has have does do can may might will would "
    "was were be been half even once twice instead despite among around near behind beside besides against"
)
"""Words before an article that are no order to the model, or one on how to fill in arguments."""

PLACE: Final = re.compile(
    r"(?<![\w/:.])(?:~|\$HOME|%\w{1,20}%|[A-Z]:)?[/\\][\w.-]{2,40}(?:[/\\][\w.-]{1,40}){0,6}|~/[\w./-]{1,60}"
)
"""Place in a file system."""

CLAUSE: Final = re.compile(
    r"\bet (?:les )?([a-zà-ÿ]{3,20}) (?:ceux|celles)\b|\by ([a-zà-ÿ]{3,20}) (?:a )?(?:los|las) que\b|"
    r", ([a-z]{3,20}ed) (?:by|to|into|onto) |"
    r"\b(?:which|that|whose \w{1,30}) it (?:also |then )?([a-z]{3,18}s)\b|"
    r"(?:[,;]|\band|\bthen|\bor)\W{1,3}(?:also |then |it |\w{2,12}ly )?([a-z]{3,18}s) "
    r"(?!(?:of|in|per|with|for|by|from|at|are|is|and|or|to|as|that|which|were|if|when)\b)\w|"
    r"\b(?:und|dann|sowie) ([a-zäöüß]{3,20}t) (?:\w{1,30} ){1,8}"
    r"(?:an|auf|ab|aus|ein|zu|vor|weg|nach|mit|um|los|zurück|frei|fest)\b|"
    r"\b(?:und|dann|sowie) ([a-zäöüß]{3,20}t) [a-zäöüß]{2,20}e[nrsm]? ",
)
"""Further verb of a sentence that says what a tool does."""

MORE_DATA: Final = re.compile(
    r"(?:[,;(]|\band|\balong|\btogether|\bas well as|\bplus) ?(?:with |and |plus |including |incl\. )?"
    r"(?:the|its|their|all|any|what|whatever|your|his|her|everything|und|mit|avec|con) (\w{3,30})|\band (\w{3,30})",
    re.IGNORECASE,
)
"""What a parameter is to contain besides."""

JOINED: Final = re.compile(
    r"[,;(]|\b(?:and|or|also|as well|plus|even|including|besides|und|sowie|et|y)\b", re.IGNORECASE
)
"""Words by which something joins what a sentence says."""

CONSENT: Final = re.compile(
    r"\b(?:asks? (?!for an?\b)|waits?|prompts?|dialog|pin|confirm\w*|approv\w*|consent\w*|okay|ok|says? yes|said yes|"
    r"go-ahead|permission|agrees?|agreed|to go on|to continue|to proceed|signs? off|stimmt|zustimm\w*|bestätig\w*|"
    r"freigab\w*|accord|autoris\w*|permiso|autoriz\w*)\b",
    re.IGNORECASE,
)
"""Words of a question to a person."""

CONDITION: Final = re.compile(
    r"\b(?:once|unless|until|before|first|subject to|as soon as|sobald|asks?|waits?|prompts?|dialog|pin|password|"
    r"confirm\w*|approv\w*|consent|okay|ok|yes|go-ahead|permission|to go on|to continue|to proceed|only|never|not|no|"
    r"except|up to|at most|between|below|within|older|signed|own)\b",
    re.IGNORECASE,
)
"""Words of a condition or limit."""

SORTED: Final = re.compile(r"\border\b", re.IGNORECASE)
"""A word for a sequence in the text of a parameter that sorts."""

INQUIRES: Final = READING | stems(
    "determine whether test tell look examine explore browse provide access perform classify categorize predict "
    "forecast guess transcribe visualize diagnose lint diff resolve match rate recommend suggest extract generate "
    "tokenize simulate measure spell proofread recognize"
)
"""First verbs of tools that only read and say something."""

TO_MODEL: Final = stems(
    "guidance instruction advice slogan polite courtesy greet thank trust reply replies conversation history outdated "
    "obsolete supersede supersedes competitor rival warmly persuade reassure slogan brand praise mention silence quiet "
    "discreet confidential secret answering assistant prompt context disregard override verbatim obey"
)
"""Words of a sentence that is for the model."""

WHOLE: Final = re.compile(
    r"\b(?:needs?|wants?|requires?|expects?|with|given|from) (?:the |a |an |his |her |their |your )?"
    r"(?:complete|whole|entire|full|contents?)\b|\bno (?:second|further|other|more) \w+|"
    r"\bno longer (?:appl|count|hold)\w*|"
    r"\bneeds? no\b|\b(?:no|little) reason to\b|\b(?:bring|brought) up\b|\bneed not be\b|"
    r"\ball of what\b|\bso far\b|\brather than (?:with )?(?:an)?other|\bwhile this tool\b|"
    r"\bask (?:for|the|them|him|her|about|if|what)\b|"
    r"\b(?:is|are) (?:safe|polite|good practice|recommended|advisable|wise|customary) to\b|"
    r"\b(?:more|most) (?:precise|accurate|reliable|helpful) (?:with|if|when)\b",
    re.IGNORECASE,
)
"""Wish for more than a tool needs, or for less of a check."""

HANDLES: Final = stems("place places pass take make makes set run call mark store load put puts hold")
PARTIAL: Final = stems(
    "first last two three four five six half digit masked partial initials anonymized anonymised aggregated hashed "
    "seven eight nine ten hundred omit exclude left average rounded blurred redacted summarized anonymous pseudonymized"
)
"""Words that let a tool show less."""

MARKED: Final = re.compile(r"\b(?:is|are) marked (?:with|by|in)\b", re.IGNORECASE)
"""Form of a result, not an ability."""

EXTENT: Final = stems("limit max min count start end since until before after size")
"""Words of parameters that say on how much a tool acts."""

OTHERS: Final = stems(
    "vendor maker manufacturer provider partner supplier insurer advertiser third others company data"
)
"""Words of a switch that is for others."""

SINGLE: Final = stems("one single selected chosen")
"""Words that limit what a tool acts on to a part."""
