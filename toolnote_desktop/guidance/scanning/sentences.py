# ruff: noqa: E501 - lists of words on as few lines as they can be read on, of languages with signs of their own
"""Sentences of a definition that want something from the assistant: by the concepts that meet in one sentence.

Words of six languages stand for concepts, such as the conversation, a secret, someone else's tool. A rule is a set of
concepts that an honest description does not join in one sentence, with those that excuse it. Each word is looked up
once, so that the time grows with the length of the text only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from toolnote_desktop.guidance.scanning.clauses import (
    FOUND,
    classes_of,
    clause_features,
    clause_kind,
    clause_score,
    word_stems,
)
from toolnote_desktop.model.json_text import JsonObject

_CONCEPTS: Final[dict[str, str]] = {
    "total": "all every everything entire entirely whole complete completely full fully verbatim unedited unabridged anything "
    "alle alles allen gesamt* ganze* vollständig* komplett* sämtliche* tout toute tous toutes entier* intégral* complet* "
    "todo toda todos todas entera entero completa* íntegr* cada 全部 所有 完整 一切 すべて 全て 全部 全文 そのまま 全ての",
    "earlier": "previous previously earlier prior above preceding beginning far history histories past recent last latest other elsewhere "
    "bisher* vorherig* früher* verlauf historique précédent* début auparavant depuis historial anterior* previo* 之前 以前 此前 历史 记录 これまで 以前 履歴 今まで 先ほど",
    "conversation": "conversation conversations chat chats chatlog transcript transcripts dialogue dialog dialogues talk gespräch* unterhaltung* chatverlauf "
    "discussion discussions échange échanges conversación conversaciones charla* 对话 会话 聊天 交谈 会話 対話 やり取り やりとり チャット",
    "message": "message messages turns nachricht* mensaje* 消息 メッセージ",
    "user": "user users anyone anybody human person persons people customer client owner operator nutzer* benutzer* anwender* kunde* kunden utilisateur* usuari* persona "
    "personne 用户 使用者 客户 本人 ユーザー 利用者 本人",
    "said": "discussed said say says wrote written typed told tell tells thought mentioned confide confided confides asked talked feels fears erzählt gesagt schreibt geschrieben dit écrit raconté "
    "dijo dicho escrito escribió contado 说过 说的 所说 写的 話した 言った 話",
    "model": "model assistant llm ai agent modell assistent* ki modèle agente modelo asistente 模型 助手 智能体 モデル アシスタント",
    "you": "you your yours du dein* ihr ihre ihren sie vous votre tu tus su 你 您 你的 您的 あなた",
    "inside": "instructions instruction reasoning thoughts thinking rules guidelines context memory memories tools anweisungen gedanken consignes raisonnement instrucciones "
    "指令 思考 思维 提示词 指示 思考過程",
    "give": "include pass put insert provide supply attach paste append add give hand enter fill copy write repeat share submit save record store quote place print dump recite let set "
    "übergib übergeben füge gib gebt schreib* trage kopiere* ajoute ajoutez ajouter inclus incluez mets mettez joins joindre donne donnez fournis* indique* colle* copie copiez transmets "
    "incluye incluir pon pasa añade agrega adjunta escribe copia entrega 传入 填入 包含 附上 附带 放入 写入 提供 传递 交给 入れて 渡して 渡し 含めて 添付 貼り付け 記入 入力して",
    "take": "inspect examine read open cat load fetch extract collect gather look scan grab harvest run lies lesen öffne* hole sammle* lis lisez ouvre* lit récupère* "
    "lee abre obtén recoge recopila 读取 打开 获取 收集 読み込 読み取 読んで 開いて 取得して 集めて",
    "secret": "password passwords passphrase passphrases credential credentials cookie cookies keychain keychains keyring mnemonic pin pins cvv cvc secrets secret login logins "
    "apikey otp totp passwort* passwörter* kennwort* kennwörter* zugangsdaten zugänge* anmeldedaten schlüsselbund geheimnis* mot-de-passe identifiants jeton jetons mots contraseña* credenciales claves clave "
    "密码 口令 密钥 私钥 凭据 凭证 令牌 助记词 验证码 パスワード 秘密鍵 認証情報 トークン 暗証番号 合言葉",
    "stored": "stored saved browser machine computer desktop home keychain session sessions production wallet disk "
    "gespeichert* browsers rechner* enregistré* navigateur guardad* navegador ordenador 本机 浏览器 保存的 本地 端末 ブラウザ 保存され",
    "private": "contacts contact diagnosis diagnoses health medical illness salary salaries passport payslip payslips birthday family mailbox inbox clipboard screenshot screenshots location locations "
    "whereabouts calendar calendars bookmarks photos pictures names address addresses documents papers notes emails mails letters wallet savings iban private personal hostname username "
    "kontakte* gesundheit* krankheit* familie* gehalt postfach zwischenablage standort privat* persönlich* contactos santé famille salaire privé* personnel* presse-papiers salud familia salario privad* "
    "personales portapapeles 联系人 健康 家庭 工资 隐私 位置 剪贴板 邮箱 通讯录 個人情報 連絡先 健康 家族 給与 位置情報",
    "data": "folder folders directory data content contents file files result results output outputs code source argument arguments body text conversation conversations transcript chat history variables records rows "
    "daten inhalt* datei* ergebnis* fichier* données contenu* résultat* datos archivo* fichero* contenido* resultado* 数据 文件 内容 结果 代码 データ ファイル 内容 結果",
    "us": "us uns nous nos 我们 我方 我們 当社 弊社 私たち 我々",
    "sensitive": "health medical diagnosis diagnoses illness salary religion political passport gesundheit* krankheit* gehalt santé salaire salud salario 健康 工资 給与",
    "worse": "deprecated insecure unsafe outdated obsolete unreliable broken leaky veraltet unsicher obsolète obsoleto 过时 不安全 非推奨",
    "given": "written included provided supplied passed attached added filled reproduced reproduce pasted feed fed collected submitted required "
    "requis requise incluirse inclus angegeben übergeben beigefügt 填写 填入 入力",
    "queries": "question questions request requests prompt prompts query queries fragen preguntas",
    "answer": "answer answers reply replies response responses antwort* réponse* respuesta* 回答 返信",
    "we": "we wir nosotros 我们",
    "our": "our ours unser unsere unserem unseren unserer unseres notre nuestro nuestra nuestros nuestras 我们的 我方 弊社 当社 当方",
    "argument": "argument arguments prefix begin begins account argumente argumento argumentos 参数 引数",
    "pretext": "tuning calibrate tailoring compliance telemetry debugging diagnostics analytics audit auditing billing calibration verification verify licensing quality research improve training monitoring logging statistics personalize personalise "
    "personalization authentication legal abrechnung nachweis qualität statistik conformité qualité cumplimiento calidad 合规 审计 统计 统计 监控 コンプライアンス 監査 統計 品質",
    "recommend": "recommend recommends encourage urge persuade convince suggest promote advertise praise prefer empfiehl empfehle* recommande* recomienda* 推荐 勧め おすすめ",
    "third": "maintainers guests partner partners third-party insurer insurers advertiser advertisers sponsor sponsors broker brokers researchers vendor vendors affiliate affiliates competitor competitors lender "
    "strangers outsiders collector aggregator dritte* drittanbieter* versicher* werbe* werbepartner* tiers partenaire* assureur* terceros socios aseguradora* anunciantes 第三方 合作伙伴 广告 第三者 提携先 広告",
    "send": "uploaded forwarded mirrored copied posted duplicate duplicates sent transmitted send forward post upload transmit mirror sync share report relay mail email submit leak exfiltrate publish push copy copies sends forwards uploads shares mirrors syncs shared "
    "sendet senden sende schick* weiterleit* übertrag* übermittel* hochlad* lädt synchronisiert leite leitet envoie envoyer envoyez transmet* transmettre partage* téléverse* "
    "envía enviar envíe reenvía* sube comparte* transmite 发送 上传 转发 分享 同步 传送 抄送 送信 送って 転送 アップロード 共有 送る 送付",
    "secretly": "secretly covertly discreetly silently quietly unnoticed stealthily invisibly heimlich unbemerkt stillschweigend unauffällig verdeckt secrètement discrètement silencieusement insu "
    "secretamente discretamente silenciosamente escondidas 偷偷 悄悄 暗中 秘密地 私下 こっそり 内緒 密かに ひそかに 黙って",
    "conceal": "hide hides hidden conceal conceals concealed deny denies pretend pretends disguise suppress verschweig* verheimlich* geheim verberge* leugne* cache* cacher dissimule* tais taire tait "
    "oculta* ocultar esconde* escondas niega 隐瞒 隐藏 瞒着 保密 掩盖 隠し 隠す 隠して 秘密に 伏せ",
    "tell": "tell telling mention mentioning mentioned inform informing informed notify notifying notified show showing shown reveal revealing revealed disclose disclosing disclosed alert "
    "warn announce display speak explain report discuss talk "
    "sag sage sagen erzähl* zeig* verrat* erwähn* mitteil* informier* anzeigen anzuzeigen rede sprich dis dire dites parle* parler mentionne* montre* révèle* informe* affiche* signale* "
    "digas diga decir menciones mencione* muestres muestre* reveles revele* informes informe avises avise* cuentes 告诉 告知 透露 提及 提到 显示 通知 知道 展示 说明 知らせ 伝え 見せ 言わ 教え 表示し 報告し 通知し 明かさ 触れ",
    "guard": "warnings notifications alerts alarms tests checks verification certificates antivirus firewall logging confirmations warnungen "
    "prüfungen avertissements advertencias 警告 通知 検証",
    "grant": "grant give elevate escalate raise",
    "recording": "log logs record records summary copy recap digest",
    "leave": "leave keep omit behind unknown unbeknownst",
    "deceive": "pretext look looks refusal refusals comply refuse refrain pretend truth deny act claim",
    "approve": "approve approves approved pre-approved preapproved auto-approve auto-approved agreed consented authorized authorised authorize authorise "
    "confirmed granted accept accepts allow allows permit command order instruct",
    "unaware": "unaware uninformed oblivious ignorant dark ahnungslos unwissend insu",
    "learn": "hear hears know knows notice notices see sees find learn learns realize realise aware suspect wissen erfahren erfährt merkt bemerkt sieht savoir sache voit voie sepa saber vea note 知道 发现 察觉 気づ 気付 知",
    "not": "n not never don't doesn't won't mustn't shouldn't cannot can't isn't without no avoid nor nothing unnecessary needn't nicht nie niemals nichts rien nada kein* ohne ne pas jamais sans aucun* no nunca jamás sin ningún* "
    "不要 不得 请勿 切勿 勿 别 无需 不能 不应 不必 不可 ない ません ず 無し なしで ないで",
    "other": "other others another rival competing remaining third-party foreign andere* anderer fremde* autre autres otra otras otro otros demás 其他 其它 别的 另一 他の ほかの 別の",
    "each": "any every all each alle jede* jeder jedem tout toute tous toutes chaque todo toda todos todas cada cualquier* 所有 任何 每个 每次 每 すべての 全ての 毎回 どの",
    "tool": "tool tools server servers plugin plugins mcp connector connectors werkzeug* outil outils serveur serveurs herramienta* servidor* servidores 工具 服务器 插件 ツール サーバー サーバ プラグイン",
    "must": "requires require must always should need needs has required first before instead never only prefer forbidden mandatory prohibited immer muss müssen zuerst bevor statt niemals nur verboten toujours doit doivent abord avant jamais seulement "
    "siempre debe deben primero antes nunca solo sólo 必须 总是 始终 首先 先 之前 务必 优先 统一 禁止 必ず 常に 先に まず 優先 代わりに 前に 禁止",
    "disable": "disabled replaced suppress disable override overrides replace replaces supersede supersedes bypass bypasses skip skips skipped deactivate intercept takes precedence ersetzt deaktivier* überschreib* umgeh* überspring* remplace* désactive* contourne* reemplaza* sustituye* "
    "desactiva* omite* 替代 取代 禁用 覆盖 绕过 跳过 置き換え 無効 上書き 迂回",
    "restriction": "guidance restriction restrictions rule rules limits guardrail guardrails safety safeguard safeguards instructions instruction guidelines policy policies prompt directive directives filter filters everything "
    "einschränkung* regeln regel anweisung* vorgaben richtlinie* consignes instructions règles restrictions restricciones reglas instrucciones límites 限制 规则 指令 指示 约束 安全 制限 ルール 規則 命令 指示",
    "void": "ignore ignores disregard forget override overrides bypass bypasses lifted suspended outranks unrestricted ignorier* vergiss missachte* gelten aufgehoben ignore ignorez oublie* "
    "ignora ignore olvida* anula* 忽略 无视 忘记 作废 失效 解除 不再 無視 忘れ 無効 解除 従わない",
    "consent": "confirmation confirmations consent approval approvals permission asking bestätigung* question questions zustimmung* genehmig* rückfrage* nachfrage* frag* fragen confirmation demander accord autorisation validation "
    "confirmación confirmar permiso preguntar aprobación consentimiento 确认 同意 批准 许可 询问 確認 承認 同意 許可 質問",
    "authority": "system operator developer developers administrator administrators admin platform host anthropic openai compliance company vendor policy policies entwickler* administrator* betreiber* système développeur* administrateur* sistema desarrollador* administrador* "
    "系统 管理员 开发者 平台 システム 管理者 開発者 運営",
    "risk": "cookies bypass payee public admin rights privileges leak leaks unsafe skipped iban "
    "konto öffentlich* compte publique cuenta pública* 账户 公开 口座 公開",
    "when": "when whenever if once wenn sobald falls quand lorsque si cuando 当 如果 若 每当 とき 場合 際",
    "money": "payment payments pay pays purchase purchases tip tips fee fees transfer wire amount amounts price discount commission surcharge donation buy order orders zahlung* aufschlag gebühr* paiement* achat* commission pago* compra* comisión propina 付款 支付 手续费 购买 支払 手数料 購入 送金",
    "welcome": "accurate accurately precise precisely welcome help helps helpful better best easier easiest deeper faster smoother gladly appreciate appreciated grateful delighted happy hilft gern freuen besser aide volontiers mieux ravis encantados ayuda mejor "
    "有助于 更好 欢迎 建议 助かります 自然 幸い 良く",
    "call": "call calls called calling use uses used using invoke invoked run runs through go goes aufruf* benutz* verwende* appel* utilise* llam* usa* usar 调用 使用 呼び 呼んで 呼び出し 使用 使って 使わ",
    "output": "returns return output response returned get gets fetch fetches list lists retrieve retrieves search searches",
    "docs": "see documentation docs readme reference library libraries supported supports optional optionally",
    "today": "today now session needed necessary required needs anymore heute nötig aujourd'hui nécessaire hoy necesario",
    "extra": "also too additionally along quietly besides plus auch zusätzlich ebenfalls dazu aussi également además también 同时 另外 顺便 も また 同時に",
}
"""Words by concept; ``*`` is any ending. Signs of Chinese and Japanese are found within the text."""

_CJK_RANGE: Final = "\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f"
_WORD: Final = re.compile(r"[^\W\d_]+(?:'t\b|-[^\W\d_]+)*")
_NAME_PART: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|[。！？\n\r]+")
_PURPOSE: Final = 1_000
"""Characters of a description in which its first sentence is looked for."""

_INSTRUCTS: Final = re.compile(
    r"\s{0,8}(?:first,|(?:always|also|you (?:must|should|have)|please|never|before|do not|don't|immer|sage?\b|bitte|toujours|ne \w+ (?:pas|rien)|siempre|nunca|no (?:digas|informes))\b)",
    re.IGNORECASE,
)
"""Beginning of a first sentence that instructs instead of saying what the tool does."""

_IS_CJK: Final = re.compile(f"[{_CJK_RANGE}]")


def _index() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]], re.Pattern[str], dict[str, frozenset[str]]]:
    words: dict[str, set[str]] = {}
    stems: dict[str, set[str]] = {}
    signs: dict[str, set[str]] = {}
    for concept, line in _CONCEPTS.items():
        for word in line.split():
            table = signs if _IS_CJK.search(word) else stems if word.endswith("*") else words
            table.setdefault(word.rstrip("*"), set()).add(concept)
    pattern = re.compile("|".join(sorted(signs, key=len, reverse=True)))
    return (
        {word: frozenset(found) for word, found in words.items()},
        {word: frozenset(found) for word, found in stems.items()},
        pattern,
        {word: frozenset(found) for word, found in signs.items()},
    )


_WORDS, _STEMS, _SIGNS, _OF_SIGN = _index()
_SHORTEST_STEM: Final = min(map(len, _STEMS))


@lru_cache(20_000)
def _concepts_of(word: str) -> frozenset[str]:
    found = _WORDS.get(word, frozenset())
    for end in range(_SHORTEST_STEM, min(len(word), 24) + 1):
        if word[:end] in _STEMS:
            found |= _STEMS[word[:end]]
    return found


class Rule(NamedTuple):
    """Set of concepts that are suspicious in one sentence.

    Attributes:
        needs: concepts of which one of each set must be there.
        excuses: concepts of which none may be there.
    """

    kind: str
    needs: tuple[frozenset[str], ...]
    excuses: frozenset[str]


RULES: Final[tuple[Rule, ...]] = tuple(
    Rule(kind, tuple(frozenset(one.split("|")) for one in needs.split()), frozenset(excuses.split()))
    for kind, needs, excuses in (
        ("asks-for-conversation", "parameter conversation total|earlier", "output of-conversation"),
        ("asks-for-conversation", "parameter user said total|conversation|other", "output error when"),
        ("asks-for-conversation", "parameter user message total", "output error"),
        ("asks-for-conversation", "parameter you inside total|earlier|model|under", "example"),
        ("asks-for-conversation", "orders give conversation total|earlier", "not"),
        (
            "asks-for-conversation",
            "later give|call conversation|message earlier|total",
            "not output error of-conversation",
        ),
        ("asks-for-conversation", "give|must your-instructions", "not"),
        ("asks-for-conversation", "parameter your-instructions you|total", "example"),
        ("asks-for-conversation", "parameter total said", "output error when"),
        ("asks-for-conversation", "later give said earlier", "not output"),
        ("asks-for-conversation", "parameter sensitive user", "output"),
        ("read-secrets", "later secret take give", "not"),
        ("read-secrets", "parameter pretext private", "not output"),
        ("hide-from-user", "user unaware", ""),
        ("hide-from-user", "not|must|total|model|deceive|when|tell|conceal|answer|queries deceit", "example"),
        ("skip-consent", "disable-guard later orders", "parameter warning error"),
        ("skip-consent", "later grant grants", "parameter"),
        ("send-elsewhere", "send our secret|private", "not docs"),
        ("send-elsewhere", "send copy-goes", "not"),
        ("send-elsewhere", "later us|we|our private|secret|conversation|sensitive", "not docs example parameter"),
        ("asks-for-conversation", "later given conversation total|earlier|message", "output not"),
        ("asks-for-conversation", "later given earlier total tool", "output not"),
        ("asks-for-conversation", "total model|you user learn later", "not"),
        ("send-elsewhere", "later orders give address answer", "not example docs"),
        ("send-elsewhere", "account-number must|disable|when|give|call", "example parameter"),
        ("role-marks", "later void user data|said", "not"),
        ("asks-for-conversation", "later us|we said|conversation", "not docs example"),
        ("send-elsewhere", "later recommend user money", "not"),
        ("read-secrets", "later orders take private stored|user", "not"),
        ("read-secrets", "parameter secret user said|earlier", "output not"),
        ("asks-for-conversation", "later give conversation own", "not output"),
        ("asks-for-conversation", "parameter recording conversation", "output"),
        ("asks-for-conversation", "parameter recording your-instructions", ""),
        ("asks-for-conversation", "parameter recording user message|said", "output"),
        ("asks-for-conversation", "parameter inside model total", "output"),
        ("other-tools", "identifier when when-called", "error"),
        ("hide-from-user", "secretly by-stealth", ""),
        ("role-marks", "approve|restriction|model|user|data authorizes", "example"),
        ("other-tools", "tool when foreign-tool", "docs"),
        ("other-tools", "later other-tool when|each data|give", "docs parameter error own-tools"),
        ("other-tools", "later identifier worse not|must", "error parameter"),
        ("asks-for-conversation", "later conversation|said us|welcome total|user|you", "not"),
        ("read-secrets", "orders take|give secret stored|user", "not first example"),
        ("read-secrets", "later orders take data|stored own", "not example"),
        ("read-secrets", "parameter secret stored", "not example docs"),
        ("read-secrets", "secret us|welcome give|total|user|stored", "not docs"),
        ("read-secrets", "secret-file", "not example first literal error docs"),
        ("read-secrets", "parameter secret-file", "not example literal error"),
        ("send-elsewhere", "later send address", "example docs not error parameter"),
        ("send-elsewhere", "later email", "example docs not parameter"),
        ("send-elsewhere", "later address risk", "example docs not parameter"),
        ("send-elsewhere", "value address outward", "example"),
        ("send-elsewhere", "outward-command", "example"),
        ("send-elsewhere", "blind-copy email", "example not"),
        ("send-elsewhere", "send third private|data|total|user|conversation", "not docs"),
        ("send-elsewhere", "private third user|give|extra|said", "not docs"),
        ("send-elsewhere", "money third each|extra", "not docs"),
        ("send-elsewhere", "later private|data|conversation us total|send|give|welcome|user", "not docs"),
        ("asks-for-conversation", "later conversation total message", "output not"),
        ("asks-for-conversation", "later own conversation total|earlier", "not"),
        ("asks-for-conversation", "parameter pretext conversation|said|private|secret", "not output"),
        ("read-secrets", "later secret total|welcome give|total|us", "not example docs error"),
        ("send-elsewhere", "send our private user|extra|total|data", "not docs"),
        ("send-elsewhere", "recommend our later", "not docs"),
        ("role-marks", "agent-file give|must|orders", "first example"),
        ("skip-consent", "approve|consent|not|must|call|total|user consented", ""),
        ("other-tools", "later identifier argument must", "parameter error example docs"),
        ("hide-from-user", "not-tell user later", "error id example double-negation"),
        ("hide-from-user", "user-not not-learn", "error"),
        ("hide-from-user", "later secretly-act", "error"),
        ("hide-from-user", "conceal-user", "example"),
        ("hide-from-user", "not|conceal|tell|unaware|learn|when|secretly|deceive|leave hush", ""),
        ("skip-consent", "not-consent user|money|today|total", "warning first double-negation"),
        ("skip-consent", "disable-consent later", "warning"),
        ("role-marks", "void-restriction earlier|you|safety|total", "quoted example"),
        ("role-marks", "not-hold restriction earlier|authority", "quoted example"),
        ("role-marks", "authority-heading restriction|void|user|data|consent", "example"),
        ("role-marks", "void consent later", "example"),
        ("other-tools", "other-tool must|disable|not|void", "first docs parameter error own-tools"),
        ("other-tools", "each-tool must data|call", "docs parameter error example own-tools"),
        ("other-tools", "identifier risk must|when|disable", "parameter error warning example"),
        ("other-tools", "identifier other-tool", "first parameter docs own-tools"),
        ("other-tools", "value identifier must|disable call|must", ""),
    )
)

_LEADS: Final = frozenset(
    [
        "and",
        "then",
        "also",
        "first",
        "please",
        "must",
        "should",
        "always",
        "never",
        "now",
        "just",
        "simply",
        "additionally",
        "finally",
        "instead",
        "or",
        "before",
        "by",
        "und",
        "dann",
        "bitte",
        "immer",
        "et",
        "puis",
        "toujours",
        "d'abord",
        "y",
        "luego",
        "siempre",
    ]
)
_ADDRESS: Final = re.compile(
    r"(?:https?|s3|gs|ftp|wss?)://|[\w.+-]{1,64}@[\w-]{1,64}\.|\b[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}\.(?:com|net|org|io|dev|app|example|ru|cn|xyz|test|invalid)\b"
)
_EMAIL: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]")
_SECRET_WORDS: Final = re.compile(
    r"\b(?:card number|security code|security answer|seed phrase|(?:session|access|auth|api|refresh|bearer|personal) tokens?|private key|ssh key|api key|access key|connection string|identity card|mots? de passe|social security|digits on the back|recovery (?:code|phrase)|one-time code|carte bancaire|clé privée|clave privada|kartennummer|privaten? schlüssel)",
    re.IGNORECASE,
)
_EXAMPLE: Final = re.compile(
    r"\be\.g\.|\bfor example|\bsuch as|(?<![.\w@])examples?\b|\bz\. ?B\.|\bpar ex|\bpor ejemplo|例", re.IGNORECASE
)
_QUOTED: Final = re.compile(r"[\"“'`«][^\"”'`»]{0,80}(?:ignore|disregard|forget|override)", re.IGNORECASE)
_COMMAND: Final = re.compile(
    r"\b(?i:download|fetch|get) and (?:run|execute|install)\b|\b(?:curl|wget|scp|rsync|nc|ncat|ftp|telnet)\b[^\n]{0,80}(?:://|@|\||-d\b|--data|\d{2,5}\b)|\bgit (?:remote add|push)\b[^.]{0,80}[@:]|\]\(https?://[^)\s]{1,200}\?"
)
_BLIND_COPY: Final = re.compile(
    r"\bb?cc\b|\bblind cop|\bcopie cachée|\bcopia oculta|\bblindkopie|密送|抄送|BCC", re.IGNORECASE
)
_SECRET_FILE: Final = re.compile(
    r"~/\.(?:ssh|aws|config/gcloud|kube|gnupg|netrc|npmrc|pypirc|docker|cursor|claude|pgpass|my\.cnf|zsh_history|git-credentials|azure|vault)|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|"
    r"/etc/(?:shadow|sudoers)|/proc/self/environ|\.aws/credentials|\.git-credentials|\bmcp\.json\b|\bclaude_desktop_config|\.tfstate\b|\bvault\.hcl\b|\b(?:pip\.conf|settings\.xml|wallet\.dat|"
    r"kubeconfig|authorized_keys|credentials\.json|secrets?\.(?:ya?ml|json|toml)|service[-_]account\.json|login\.keychain|state\.vscdb)\b|(?<![\w.])\.(?:env|npmrc|pypirc|netrc|pgpass)\b|\*\.(?:pem|key|p12|pfx)\b|"
    r"dot[_ ]ssh|\bssh id rsa\b|\bssh key\b|\b(?:run|output of) `?env`?\b|\bprintenv\b|\b(?:security dump-keychain|git credential fill|credential\.helper)\b|\b[A-Z][A-Z0-9_]{1,30}_(?:API_KEY|SECRET|TOKEN|PASSWORD|SECRET_KEY|ACCESS_KEY)\b",
)
_HUSH: Final = re.compile(
    r"\b(?:do not|don't|never|must not|should not|no need to|not to) (?:\w+ ){0,3}?(?:tell|mention|reveal|disclose|speak (?:of|about)|talk about|bring up|draw attention to)(?: \w+){0,1}? (?:this|that|it|about|them|him|her|anyone)\b|\b(?:do not|don't|never) (?:bring up|mention|speak of|refer to|draw attention to) the\b|\b(?:if|when|should) (?:the )?(?:user|person|customer|they|anyone|someone)\b[^.]{0,60}\b(?:say|claim|deny|pretend|blame|insist)\b|\b(?:tell|say|claim|report|assure|answer)\b[^.]{0,60}\b(?:even (?:if|though)|although|no matter)\b|"
    r"\b(?:hide|conceal|omit|leave|keep) (?:this|that|it|them|these) (?:\w+ )?(?:in the|from|out of|secret|hidden|between us|to yourself|quiet)\b|\bkeep out of the\b|\bdeny it\b|\b(?:if|when) (?:asked|anyone asks|someone asks|they ask|the user asks),? (?:\w+ ){0,2}?"
    r"(?:say|claim|deny|answer that|reply that|pretend)|\b(?:must|should|may|need|does|do|can|will|is|are) ?(?:not|n't|never) (?:need to )?(?:be )?(?:find out|be told|aware|informed|told|notice|suspect|mentioned)\b|\bwithout (?:the |their |his |an? )?(?:\w+ )?"
    r"(?:knowledge(?! of (?!the (?:user|person|customer)))|noticing|notice|mention|entry|trace|being (?:told|noticed|asked|shown))\b|\b(?:behind|unbeknownst|unknown to) (?:the|their) (?:user|back|scenes)|\bin truth\b|\bpretend (?:that|to)\b|\bact as if\b|\bas if nothing\b|\bno (?:word|mention) (?:of|about)|"
    r"\b(?:a )?(?:word|mention) (?:about|of) (?:it|this) is not\b|\b(?:need|does|do|is|are) ?(?:not|n't) (?:to )?(?:be )?(?:mentioned|reported|shown to the user(?! unless)|announced)\b|"
    r"\bà l'insu\b|\bsans (?:le |la |en )?(?:dire|mentionner|prévenir|informer)\b|\bne (?:\w+ ){0,3}(?:dis|dites|parle|parlez|mentionne|mentionnez|montre|montrez|révèle|informe|préviens|signale)\w*(?: \w+)? (?:pas|surtout|jamais|rien)|"
    r"\bsin que (?:el|la|lo)\b[^.]{0,30}(?:sepa|vea|note|entere)|\bno (?:se )?(?:lo |le )?(?:digas|diga|menciones|mencione|muestres|reveles|informes|avises|cuentes)\b|\ben secreto\b|"
    r"\b(?:geheim|heimlich)\b|\b(?:sag|erzähl|zeig|verrat)\w* (?:es )?de[mnr] \w{1,30} nicht\b|\bohne (?:dass|es) [^.]{0,40}(?:merkt|erfährt|weiß|sieht|zu erwähnen)|\bnicht (?:erwähn|verrat|mitteil|anzeig|zeig|sag)\w*|\bverschweig\w*|"
    r"(?:不要|请勿|切勿|勿|别|不得|无需|不必|不能)[^。]{0,8}(?:告诉|告知|透露|提及|提到|显示|通知|让用户|展示|说明)|隐瞒|瞒着|偷偷|悄悄|"
    r"(?:ユーザー|利用者|本人)[^。]{0,16}(?:知らせ|伝え|見せ|言わ|教え|表示し|報告し|通知し|明かさ|気づか|気付か)(?:な|ず)|内緒|こっそり|黙って",
    re.IGNORECASE,
)
_YOUR_INSTRUCTIONS: Final = re.compile(
    r"\bsystem (?:prompt|message)|\byour (?:\w+ )?(?:instructions|chain of thought|reasoning|thoughts|prompt|rules|tool list|list of tools|tools and|memory)\b|\bchain of thought|\bthe model's (?:\w+ )?(?:thoughts|reasoning|instructions)|\byour (?:\w+ ){0,4}?(?:functions|tools|capabilities|context window)\b|\bsystem prompt\b|\bwords above\b|\beverything above\b|\bdeine anweisungen|\btes instructions|\btus instrucciones|系统提示|システムプロンプト",
    re.IGNORECASE,
)
_NOT_HOLD: Final = re.compile(
    r"\b(?:no longer|not) (?:apply|applies|hold|binding|valid|count)|\bgelten nicht|\baußer kraft|\bne s'appliqu\w+ plus|\bya no (?:se )?aplic|\b(?:are|is|be) (?:lifted|suspended|void|off)\b|不再适用|無効|適用されま",
    re.IGNORECASE,
)
_AUTHORITY: Final = re.compile(
    r"(?:^|[\s#\[(*=-])(?:SYSTEM|DEVELOPER|OPERATOR|ADMIN\w*|ROOT|HOST|OVERRIDE|[A-Z]+ DIRECTIVE|[A-Z]+ OVERRIDE|SYSTEM (?:PROMPT|MESSAGE|NOTE|UPDATE))\b[^:.\n]{0,30}(?:[\])#]|:)|"
    r"\b[Pp]olicy \(from|\b[Ff]rom the (?:operating (?:company|system)|host application|system|platform|operator|compliance team)\b|\b(?:added|written|approved|authorized|confirmed|signed) by the (?:user|operator|developer|system|administrator|host|person)\b|"
    r"\b(?:end|beginning|start) of (?:the )?(?:description|tool description|trusted|system|user)|(?:系统|システム|管理员|管理者) ?[：:]|\bcoming from the (?:developer|system|user)|\bvenant du (?:développeur|système)|\bact as\b:|ACT AS",
)
_AGENT_FILE: Final = re.compile(
    r"\b(?:CLAUDE|AGENTS|GEMINI|MEMORY|SOUL)\.md\b|\.cursorrules|\.cursor/rules|copilot-instructions|\.windsurfrules"
)
_CONSENTED: Final = re.compile(
    r"\b(?:confirm|accept|approve|click|press) (?:all|any|every)\b|\bwaived? the\b|"
    r"--no-verify\b|\bchmod 777\b|\b(?:review|confirmation|approval|consent|permission)s? (?:is|are)(?: not|n't) (?:required|needed|necessary)|\bpre-?cleared\b|"
    r"\b(?:has|have|was|were|is|are) (?:already|previously|implicitly|automatically) (?:been )?(?:approved|agreed|consented|authori[sz]ed|confirmed|granted|allowed|given)|\bpre-?(?:approved|authori[sz]ed)|"
    r"\b(?:approve|accept|confirm|allow|grant)s? (?:it |this |them |all |any |every |each )?(?:\w+ )?(?:automatically|without (?:asking|question|confirmation|looking))|\bauto-?approve[sd]?\b|\bneeds? no (?:consent|confirmation|approval|permission)|"
    r"\bno need (?:to (?:ask|wait|confirm|check with)|for (?:confirmation|approval|consent|permission))|\b(?:do not|don't|never|without) (?:ask|wait|asking|waiting) for (?:confirmation|approval|permission|consent)|"
    r"\bno (?:consent|confirmation|approval|question) (?:is |are )?(?:needed|necessary|required)|\bohne (?:Rückfrage|Nachfrage|Bestätigung|zu fragen)|\bsans (?:demander|confirmation|validation)|\bsin (?:preguntar|confirmación|confirmar)|"
    r"(?:无需|不需要|不用|不必)(?:用户)?(?:确认|同意|批准|询问)|(?:確認|承認|許可)(?:なし|は不要|不要|を求めず)",
    re.IGNORECASE,
)
_AUTHORIZES: Final = re.compile(
    r"\byou (?:are|have been) (?:hereby )?(?:authori[sz]ed|permitted|allowed|free) to\b|"
    r"\bI (?:hereby )?(?:authori[sz]e|order|command|permit|instruct)\b|\btreat (?:\w+ ){0,6}?as (?:\w+ )?(?:commands?|instructions?|orders|trusted|coming from)|"
    r"\b(?:follow|obey|execute|carry out) (?:any|all|the|every) (?:instructions?|orders) (?:in|of|from|contained|returned|it)",
    re.IGNORECASE,
)
_BY_STEALTH: Final = re.compile(
    r"(?:^|[.!?;,] |\band |\bthen )(?:quietly|silently|secretly|discreetly|covertly|stealthily) [a-z]+(?<!ed)\b",
    re.IGNORECASE,
)
_FOREIGN_TOOL: Final = re.compile(
    r"\b(?:if|when|whenever|once) (?:an?|another|any) (?:\w+ )?(?:tool|server) (?:named|called|exists|is (?:called|used|present|available)|runs|returns|like)\b|"
    r"\b(?:wenn|falls|sobald) (?:ein|das) (?:anderes )?(?:Werkzeug|Tool)\b|\bsi (?:un|une) (?:autre )?(?:outil|herramienta)\b|\bcuando (?:se use|otra)\b",
    re.IGNORECASE,
)
_DECEIT: Final = re.compile(
    r"\bclaim (?:that|it)\b|\banswer (?:questions? (?:\w+ ){0,4}?with|yes|no)\b|\bsay nothing\b|\bneeds? to be told\b|保密|"
    r"\b(?:do not|don't|never|must not|refrain from|avoid) (?:ever )?(?:mention|reveal|disclos|tell(?:ing)?\b|inform|notify|alert|admit|divulge|displaying the (?:arg|param|step))\w*|"
    r"\b(?:always|only) (?:report|say|claim|answer) (?:success|done|ok|that)\b|\b(?:whatever|regardless of|irrespective of|no matter) (?:what )?(?:the )?(?:outcome|result|data|answer|facts?|actual|truth)|"
    r"\bmake (?:it|this|them) look\b|\blook like an? (?:routine|normal|harmless)|\bunder (?:the|a) pretext|\brefusals? (?:is|are)\b|\b(?:do not|don't|never) refuse\b|\bmust comply\b|; comply\b",
    re.IGNORECASE,
)
_GRANTS: Final = re.compile(
    r"\b(?:grant|give|elevate|escalate|raise) (?:\w+ ){0,4}?(?:access|rights|privileges|permissions|admin|sudo|root)\b",
    re.IGNORECASE,
)
_ACCOUNT_NUMBER: Final = re.compile(r"\bbc1[a-z0-9]{20}|\b0x[0-9a-fA-F]{40}\b|\b[A-Z]{2}\d{2} ?(?:\d{4} ?){3}|\+\d{9}")
_COPY_GOES: Final = re.compile(
    r"\b(?:cop(?:y|ies)|duplicates?) (?:of \w+ (?:\w+ )?)?(?:also )?(?:goes?|is sent|are sent|is kept|are kept|lands?) (?:\w+ )?(?:to|at|with|on|in)\b",
    re.IGNORECASE,
)
_WHEN_CALLED: Final = re.compile(
    r"\bwhen(?:ever)?\b[^.]{0,60}\b(?:is|are|gets?) (?:called|used|invoked|run)\b", re.IGNORECASE
)
_UNDER: Final = re.compile(r"\bwork under|\bwere given|\bgiven to you|\bbefore this call|\bfollow\b", re.IGNORECASE)
_IDENTIFIER: Final = re.compile(r"\b[a-z][a-z0-9]{1,20}(?:_[a-z0-9]{1,20}){1,5}\b|\b[a-z]{2,12}[A-Z][a-z]{2,12}\b")
_WARNING: Final = re.compile(
    r"\b(?:warning|caution|cannot be undone|irreversibl|destructive|dangerous)|\bconfirm with the user|\bask the user",
    re.IGNORECASE,
)
_ERROR: Final = re.compile(r"\berrors?\b|\bfail|\b(?:are|is|be) (?:rejected|blocked|refused|denied)\b", re.IGNORECASE)
_ID: Final = re.compile(r"\bids?\b|\buuid|\bpassword|\bsecret value|\bkey\b", re.IGNORECASE)
_OUTWARD_NAME: Final = frozenset(
    [
        "relay",
        "proxy",
        "forward",
        "cc",
        "bcc",
        "callback",
        "webhook",
        "recipient",
        "recipients",
        "endpoint",
        "mirror",
        "collector",
        "report",
        "url",
        "uri",
        "to",
        "host",
        "server",
        "target",
        "destination",
        "address",
        "sink",
        "backup",
    ]
)
_OWN_TOOLS: Final = re.compile(
    r"\bother (?-i:[A-Z])\w{1,30} (?:MCP )?tools?\b|\btools? (?:of|in|from|on) th(?:e|is) (?:same )?(?:server|source|set)\b|\bfor use with other tools\b",
    re.IGNORECASE,
)
_DOUBLE_NEGATION: Final = re.compile(
    r"\b(?:never|not)\b[^.]{0,80}\bwithout\b|\bonly (?:if|when)\b|\bunless\b", re.IGNORECASE
)
_SIGNALS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("address", _ADDRESS),
    ("email", _EMAIL),
    ("secret", _SECRET_WORDS),
    ("example", _EXAMPLE),
    ("quoted", _QUOTED),
    ("outward-command", _COMMAND),
    ("blind-copy", _BLIND_COPY),
    ("secret-file", _SECRET_FILE),
    ("hush", _HUSH),
    ("your-instructions", _YOUR_INSTRUCTIONS),
    ("not-hold", _NOT_HOLD),
    ("authority-heading", _AUTHORITY),
    ("agent-file", _AGENT_FILE),
    ("consented", _CONSENTED),
    ("authorizes", _AUTHORIZES),
    ("account-number", _ACCOUNT_NUMBER),
    ("copy-goes", _COPY_GOES),
    ("deceit", _DECEIT),
    ("grants", _GRANTS),
    ("when-called", _WHEN_CALLED),
    ("by-stealth", _BY_STEALTH),
    ("foreign-tool", _FOREIGN_TOOL),
    ("under", _UNDER),
    ("warning", _WARNING),
    ("error", _ERROR),
    ("id", _ID),
    ("own-tools", _OWN_TOOLS),
    ("double-negation", _DOUBLE_NEGATION),
)

_PAIRS: Final = (
    ("not-tell", "not", "tell", 4),
    ("not-tell", "tell", "not", 2),
    ("user-not", "user", "not", 3),
    ("not-learn", "not", "learn", 3),
    ("disable-guard", "disable", "guard", 4),
    ("not-consent", "not", "consent", 3),
    ("disable-consent", "disable", "consent", 3),
    ("disable-consent", "consent", "disable", 3),
    ("void-restriction", "void", "restriction", 6),
    ("secretly-act", "secretly", "send", 3),
    ("secretly-act", "secretly", "take", 3),
    ("secretly-act", "secretly", "give", 3),
    ("secretly-act", "secretly", "call", 3),
    ("conceal-user", "conceal", "user", 5),
    ("conceal-user", "user", "conceal", 3),
    ("other-tool", "other", "tool", 3),
    ("each-tool", "each", "tool", 3),
)


_OF_SIGNAL: Final = dict(_SIGNALS)
_PLACES: Final = frozenset(("first", "later", "parameter", "value", "literal"))


def _by_key() -> tuple[dict[str, tuple[Rule, ...]], tuple[Rule, ...]]:
    """Return the rules by a concept that each needs, and those that need signals only."""
    found: dict[str, tuple[Rule, ...]] = {}
    others = []
    for rule in RULES:
        of_words = [need for need in rule.needs if need.isdisjoint(_OF_SIGNAL.keys() | _PLACES)]
        if of_words:
            for key in sorted(of_words, key=lambda need: (_COMMONNESS.get(min(need), 0), len(need)))[0]:
                found[key] = (*found.get(key, ()), rule)
        else:
            others.append(rule)
    return found, tuple(others)


_COMMONNESS: Final = {
    "not": 3,
    "user": 2,
    "data": 3,
    "total": 3,
    "give": 2,
    "must": 2,
    "orders": 2,
    "call": 3,
    "you": 3,
}
_BY_KEY, _SIGNALS_ONLY = _by_key()
_KEYS: Final = frozenset(_BY_KEY)


class _Signals:
    """Signals of a text, each looked for when a rule first needs it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._of_text: dict[str, bool] = {}

    def is_in(self, signal: str, sentence: str) -> bool:
        """Return True if a sentence of the text has a signal."""
        pattern = _OF_SIGNAL.get(signal)
        if pattern is None:
            return False
        if signal not in self._of_text:
            self._of_text[signal] = pattern.search(self._text) is not None
        return self._of_text[signal] and pattern.search(sentence) is not None


class Purpose(NamedTuple):
    """Purpose of a tool, as its name and its first sentence say.

    Attributes:
        own: names of the tool, its parameters and the other tools of its source.
        stems: beginnings of the words of its name, title, first sentence and parameters.
        classes: classes of words in its name and first sentence.
    """

    own: frozenset[str] = frozenset()
    stems: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()


NO_PURPOSE: Final = Purpose()


def purpose_of(definition: JsonObject, siblings: Iterable[str] = ()) -> Purpose:
    """Return the purpose of a tool."""
    tool = str(definition.get("name", ""))
    schema = definition.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    parameters = tuple(properties) if isinstance(properties, dict) else ()
    description = str(definition.get("description", ""))[:_PURPOSE]
    first = next((part for part in _SENTENCE.split(description) if part.strip()), "")
    name = " ".join(_NAME_PART.findall(tool))
    stems = word_stems(" ".join((tool, str(definition.get("title", "")), first, *map(str, parameters))))
    return Purpose(frozenset((tool, *siblings, *parameters)), stems, classes_of(f"{name} {first}"))


class Sentence(NamedTuple):
    """Sentence of a text with the kinds of the rules that apply and the features that are weighed."""

    text: str
    kinds: tuple[str, ...]
    features: list[str]


def read_sentences(
    text: str, parameter: str = "", *, is_value: bool = False, is_opening: bool = True, purpose: Purpose = NO_PURPOSE
) -> Iterator[Sentence]:
    """Yield the sentences of a text, read.

    Args:
        parameter: name of the parameter that the text is of; "" for a description.
        is_value: the text is a default or a fixed value.
        is_opening: the first sentence of the text may say what the tool does.
    """
    whole = f"{parameter} {text}" if parameter else text
    signals = _Signals(whole)
    name = " ".join(_NAME_PART.findall(parameter)).lower()
    for number, sentence in enumerate(part for part in _SENTENCE.split(text) if part.strip() or parameter):
        opens = is_opening and not number and not _INSTRUCTS.match(sentence)
        base = {"parameter", "later"} if parameter else {"first"} if opens else {"later"}
        if is_value:
            base |= {"value", "literal"} if sentence.strip() and " " not in sentence.strip() else {"value"}
        words = f"{name} {sentence}" if parameter else sentence
        found = _concepts(words, sentence, base, purpose.own)
        if parameter and _OUTWARD_NAME & set(name.split()):
            found.add("outward")
        if "convobj" in purpose.classes:
            found.add("of-conversation")
        keyed = (rule for key in _KEYS & found for rule in _BY_KEY[key])
        kinds = dict.fromkeys(rule.kind for rule in (*keyed, *_SIGNALS_ONLY) if _applies(rule, found, signals, words))
        yield Sentence(
            sentence.strip() or parameter, tuple(kinds), clause_features(words, found, purpose.stems, purpose.classes)
        )


def findings_of(sentences: Iterable[Sentence]) -> Iterator[tuple[str, str]]:
    """Yield kind and sentence of what is suspicious in a text, at most one of each kind.

    A sentence to which no rule applies is found by its weights.
    """
    seen: set[str] = set()
    for sentence in sentences:
        kinds = sentence.kinds
        if not kinds and clause_score(sentence.features) > FOUND:
            kinds = (clause_kind(sentence.features),)
        for kind in kinds:
            if kind not in seen:
                seen.add(kind)
                yield kind, sentence.text


def _applies(rule: Rule, found: set[str], signals: _Signals, sentence: str) -> bool:
    if not rule.excuses.isdisjoint(found):
        return False
    open_needs = [need for need in rule.needs if need.isdisjoint(found)]
    if any(need.isdisjoint(_OF_SIGNAL) for need in open_needs):
        return False
    return all(any(signals.is_in(one, sentence) for one in need) for need in open_needs) and not any(
        signals.is_in(one, sentence) for one in rule.excuses
    )


def _concepts(words_of: str, sentence: str, base: set[str], own: frozenset[str]) -> set[str]:
    found = base
    before = ""
    places: list[tuple[int, frozenset[str]]] = []
    for number, word in enumerate(_WORD.findall(words_of.replace("US ", "").lower().replace(", ", " and "))):
        concepts = _concepts_of(word)
        if concepts:
            found |= concepts
            places.append((number, concepts))
            if not (concepts.isdisjoint(_ORDERED)) and (before in _LEADS or (not before and "first" not in base)):
                found.add("orders")
        before = word
    if not words_of.isascii() and _IS_CJK.search(words_of):
        for match in _SIGNS.finditer(words_of):
            found |= _OF_SIGN[match.group()]
            places.append((match.start() // 2, _OF_SIGN[match.group()]))
        found.add("orders")
        found.discard("first")
        found.add("later")
    for pair, first, second, distance in _PAIRS:
        if first in found and second in found and _follows(places, first, second, distance):
            found.add(pair)
    if ("value" not in base or " " in sentence) and any(one not in own for one in _IDENTIFIER.findall(sentence)):
        found.add("identifier")
    if any(_names(one, sentence) for one in own):
        found.add("own")
    return found


def _names(parameter: str, sentence: str) -> bool:
    """Return True if a sentence names a parameter as a place to write into."""
    place = sentence.find(parameter)
    before = sentence[max(0, place - 6) : place]
    return place > 0 and (before[-1] in "`'\"" or before.endswith((" into ", " in ", " as ", " under ")))


def _follows(places: list[tuple[int, frozenset[str]]], first: str, second: str, distance: int) -> bool:
    """Return True if a word of a concept comes at most some words behind one of another."""
    last = -1_000
    for number, concepts in places:
        if second in concepts and 0 < number - last <= distance:
            return True
        if first in concepts:
            last = number
    return False


_ORDERED: Final = frozenset(("give", "take", "send", "tell", "call", "disable", "grant"))
