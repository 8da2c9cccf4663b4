# ruff: noqa: E501 - lists of words on as few lines as they can be read on, of languages with signs of their own
"""Classes of words of six languages, such as the conversation, a secret, a tool of another source.

A class lets the weights of :mod:`sentences` count for words that were never seen in training, and for other languages.
"""

from __future__ import annotations

import re
from typing import Final

_CLASSES: Final[dict[str, str]] = {
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
    "move": "send sends sent sending forward forwards forwarded forwarding post posts posted upload uploads uploaded transmit* mirror* sync synced syncs synchronise* synchronize* share shares shared sharing relay relays relayed report reports reported mail mails mailed email emailed submit submits submitted publish* push pushes pushed copy copies copied deliver* disclose* receive receives received transfer* wire wired dispatch* route routed routes redirect* replicate* stream streamed expose exposed export exported exports hand handed travel travels reach reaches leave leaves land lands arrive arrives beam drop dropped "
    "schick* gesendet geschickt weiter* übertrag* übermittel* hochgeladen geteilt gemeldet kopie* veröffentlich* transm* partag* publi* copi* envi* reenv* compart* 发送 发给 上传 转发 分享 共享 同步 传送 提交 发布 送信 送り 転送 アップロード 共有 送付 投稿 コピー",
    "acquire": "include includes including included pass passed put insert provide provides provided supply supplied attach attached paste pasted append appended add added give given hand enter entered fill filled write collect collected gather gathered read reading reads open opens load loads fetch extract quote enclose enclosed deposit dump print recite repeat look search scan grab pull harvest pick take taken bring brings need needs needed require requires required contents content value values text full consult inspect retrieve obtain capture record save store keep hold carry join ship expect expects "
    "übergeb* füg* beifüg* schreib* trag* kopier* lies lesen öffne* hol* sammle* nenn* angeb* mitgeb* ajout* inclu* mett* joign* joindre donn* fourni* indiqu* coll* lis lisez ouvr* récupér* incluy* pon ponga pas* añad* agreg* adjunt* escrib* entreg* lee leer abr* recog* 传入 填入 包含 附上 附带 放入 写入 提供 传递 交给 读取 收集 获取 一并 入れ 渡し 含め 添付 貼り付け 記入 入力 読み 集め 取得 教えて",
    "change": "grant* delete* remove* disable* merge* install* execute* pay pays paid book books booked buy* order* drop drops weight* rank* replace* rewrite* altered alter change* modify modified edit edits edited collaborator* rights commission fee fees tip tips surcharge overwrite* erase* wipe* clear clears cleared purge* revoke* approve* accept* close closes closed cancel* transfer enroll* subscribe* upgrade* downgrade* switch* reset* unlock* lösch* entfern* ändert ersetz* kauf* bestell* supprim* efface* modifi* achet* borra* elimin* modific* compr* 删除 修改 替换 购买 安装 批准 削除 変更 購入 承認 インストール",
    "soft": "feel free welcome appreciate* kind kindly gladly happy grateful sense helps helpful best better sharper deeper richer smoother easier accurate precise personal natural faithful sharpens improves improve rounds spares spare saves usually tend tends mind pleasant nice hurdle trouble worth recommend* well benefit* goodwill hesitate would prefer preferred enjoy love lovely like likes convenient convenience customary courtesy polite thoughtful sensible wise ideally ideal suits fits works quick quicker faster comfortable favor favour "
    "gern gerne freuen hilfreich hilft schön* empfiehlt schätzen volontiers aident utile mieux conviene ayuda mejor recomend* 有助于 更好 欢迎 建议 不妨 最好 助かり 嬉しい 便利 自然 おすすめ いただける スムーズ",
    "personal": "bank statement statements payslip* salary salaries passport passports identity medical diagnos* health address addresses contact contacts inbox mailbox sms browsing calendar photo photos location whereabouts phone phones card cards iban tax taxes insurance personal private home family religion internal customer customers colleague colleagues employee employees birth birthday signature signatures income debt debts password passwords pictures documents papers contract contracts draft drafts notes diary letters "
    "Adressbuch kontakte postfach gesundheit krankheit gehalt standort persönlich* vertraulich* santé salaire carnet personnelles salud salario contactos datos 联系人 通讯录 健康 工资 收入 家庭 隐私 身份证 银行卡 個人情報 連絡先 家族 給与 住所 写真",
    "institution": "anthropic openai google microsoft vendor provider publisher operator administrator admin administrators security compliance legal finance management supervisor headquarters department authority platform regulator bank supplier issuer owner workspace organization organisation company employer team desk office staff support moderator maintainer maintainers developer developers anbieter verwaltung abteilung betreiber fournisseur entreprise équipe proveedor empresa equipo 公司 厂商 部门 团队 供应商 会社 管理者 提供元 運営",
    "outside": "external outside outsiders partner partners affiliate affiliates public publicly abroad community everyone anyone anybody strangers sponsor sponsors recruiter* researcher* insurer* advertis* broker* collector analytics mirror relay vendor third friends followers members guests visitors competitors backup extern* öffentlich* publique publics público* fremde* 外部 公开 公众 合作 公開 提携",
    "deceit": "pretend pretends claim claims deny denies lie false fake falsely instead as-if mislead disguise disguised harmless routine neutral independent genuine official blame excuse insist regardless whatever vorgeb* behaupt* faire semblant prétend* finge* 假装 谎称 否认 装って 偽って ふり",
    "minimal": "short brief plain only just merely simply single word words little nothing none no enough suffices sufficient done ok unnecessary omit omitted omits leave left skip skipped without out aside spare less nur kurz bloß seulement bref simplement solo simplemente 只 仅 简短 省略 だけ のみ 省いて",
    "rule": "rule rules policy policies directive guideline guidelines regulation requirement requirements mandatory compulsory binding obligation duty order orders instruction instructions command commands law valid applies apply holds hold effective precedence priority overrides supersedes vorschrift* vorgabe* regel* règle* consigne* norma* regla* 规定 规则 政策 指令 規則 規定 ルール 方針",
    "always": "always every each all any whenever never ever whatever wherever any* immer jede* stets toujours chaque siempre cada 总是 每次 所有 任何 始终 常に 毎回 必ず すべて",
    "then": "then next afterwards after before first prior previously beforehand later finally once done following subsequently danach dann zuerst vorher bevor ensuite puis avant après d'abord luego después antes primero 然后 之后 之前 先 その後 次に 前に 先に",
    "docs2": "returns return retrieve retrieves list lists get gets fetches default defaults optional example examples supported note args parameter parameters valid format iso max maximum min minimum number id ids filter true false null error errors fails failed page limit json object array string boolean integer field fields type types",
    "warn": "ask confirm check verify tell inform warn show consult explicit explicitly undone irreversible destructive redacted masked encrypted rejected blocked caution careful permission",
}
"""Words by class; ``*`` is any ending. Signs of Chinese and Japanese are found within the text."""

IS_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")


def _index() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]], re.Pattern[str], dict[str, frozenset[str]]]:
    words: dict[str, set[str]] = {}
    stems: dict[str, set[str]] = {}
    signs: dict[str, set[str]] = {}
    for name, line in _CLASSES.items():
        for word in line.split():
            table = signs if IS_CJK.search(word) else stems if word.endswith("*") else words
            table.setdefault(word.rstrip("*"), set()).add(name)
    pattern = re.compile("|".join(sorted(signs, key=len, reverse=True)))
    return (
        {word: frozenset(found) for word, found in words.items()},
        {word: frozenset(found) for word, found in stems.items()},
        pattern,
        {word: frozenset(found) for word, found in signs.items()},
    )


_WORDS, _STEMS, _SIGNS, _OF_SIGN = _index()
_SHORTEST_STEM: Final = min(map(len, _STEMS))


def classes_of(word: str) -> tuple[str, ...]:
    """Return the classes of a word in lower case, or those of all signs in a run of Chinese or Japanese."""
    if not word.isascii() and IS_CJK.search(word):
        return tuple(sorted({name for sign in signs_in(word) for name in sign}))
    found = _WORDS.get(word, frozenset())
    for end in range(_SHORTEST_STEM, min(len(word), 24) + 1):
        if word[:end] in _STEMS:
            found |= _STEMS[word[:end]]
    return tuple(sorted(found))


def signs_in(run: str) -> list[tuple[str, ...]]:
    """Return the classes of the words in a run of Chinese or Japanese, word by word."""
    return [tuple(sorted(_OF_SIGN[found.group()])) for found in _SIGNS.finditer(run)]


_SHORT: Final = 90
_TAG: Final = re.compile(r"</?[A-Za-z_]{1,20}>")
_SILENCE: Final = re.compile(
    r"(?:please |and |but |also |then ){0,2}(?:do not|don't|never|must not|you must not) (?:ever )?(?:tell|inform|notify|alert|"
    r"mention (?:(?:this|it|that|anything) )?to|(?:reveal|disclose|show|say|explain) (?:this|it|that|anything) to) "
    r"(?:the |your |any )?(?:user|human|person|customer|operator)s?"
    r"(?: (?:about|of) (?:this|it|that|these|any of (?:this|it))(?: \w{1,12})?| anything| why| that (?:you|the assistant) (?:are|were|have|will) (?:[\w-]{1,20} ?){1,8}| that you (?:have |are |did |do )?(?:do|did|done|doing|use|used|using|call|called|calling|read|sent|ran|run|made)? ?(?:this|it|so|that)(?: tool)?)?|"
    r"(?:please |and |but |also ){0,2}(?:keep|hide|conceal|withhold) (?:this|it|that|all of this|these steps|this step) "
    r"(?:a )?(?:secret |hidden |quiet |away )?from (?:the |your )?(?:user|human|person|customer|operator)s?|"
    r"(?:sage?|verrate?|erzähle?|sagen sie) (?:dem|den) (?:be|an)?nutzern? nichts(?: davon| darüber)?|"
    r"ne (?:le |la |les )?(?:dis|dites|dites-le|signale|mentionne)z? (?:pas|rien)(?: de cela| de ceci)? (?:à l'utilisateur|aux utilisateurs)|"
    r"no (?:se lo |le |les |lo )?(?:digas|diga|informes|informe|menciones|mencione)(?: nada)? (?:a los usuarios|al usuario)|"
    r"(?:不要|请勿|切勿|别|勿)(?:把这件事|将此事)?(?:告诉|告知|通知|让)(?:用户|使用者|客户)(?:知道)?|"
    r"(?:ユーザー|利用者)(?:に|には)(?:は|このことを)?(?:知らせ|伝え|言わ|教え|話さ)(?:ないで(?:ください)?|ないこと|ず)",
    re.IGNORECASE,
)
_REPLACES: Final = re.compile(
    r"(?:it |this |this tool |this server )?(?:overrides|replaces|supersedes|disables) (?:all|every|any) (?:of )?(?:the )?other (?:tools?|servers?)",
    re.IGNORECASE,
)
_ALL_SAID: Final = re.compile(
    r"(?:everything|all|the (?:whole|full|entire|complete) (?:conversation|chat|dialogue)) (?:said |written |discussed )?(?:so far|until now|up to now|above)",
    re.IGNORECASE,
)
_WITHOUT_ASKING: Final = re.compile(
    r"(?:please |you must |must )?(?:do not|don't|never|without ever) ask(?:ing)? (?:the user |the human |them )?(?:for (?:(?:any|their|further) )?(?:confirmation|permission|approval|consent))"
    r"(?: (?:before|when|for|to) (?:using|running|calling|use|run|call) (?:it|this|this tool))?",
    re.IGNORECASE,
)
_SECRETS_KNOWN: Final = re.compile(
    r"(?:please |also |always |you must (?:also )?){0,2}(?:include|pass|put|send|add|attach|provide|append|paste) (?:all |any |every |the |your |their |of ){0,3}"
    r"(?:api[ -]?keys?|access tokens?|tokens?|passwords?|secrets?|credentials?|private keys?)(?: (?:and|or) \w{1,15}){0,2} "
    r"(?:that |which )?(?:you|the assistant|the user) (?:know|knows|have|has|find|finds|found|can see|has given|gave|has mentioned|mentioned)(?: \w{1,15}){0,6}",
    re.IGNORECASE,
)
_SYSTEM_PROMPT: Final = re.compile(
    r"(?:please |also |always |you must (?:also )?){0,2}(?:include|pass|put|send|add|attach|append|paste|copy|write|repeat) (?:the |your )(?:whole |full |entire |complete )?(?:system prompt|system message|hidden instructions)"
    r"(?: verbatim| word for word| unchanged)?(?: (?:in|into|to|as|under) (?:the |this )?\w{1,30}(?: (?:field|parameter|argument))?)?",
    re.IGNORECASE,
)
"""Short sentences and clauses that leave no doubt as they are, and of which a word more may make honest ones."""

_CLAUSE: Final = re.compile(r"[,;:]\s|\s(?:and|but|then)\s", re.IGNORECASE)
_SHORT_CLAUSES: Final = 300


_IN_FULL: Final = ((_SILENCE, "hide-from-user"), (_REPLACES, "other-tools"), (_ALL_SAID, "asks-for-conversation"))
_AS_CLAUSE: Final = (
    (_SILENCE, "hide-from-user"),
    (_WITHOUT_ASKING, "skip-consent"),
    (_SECRETS_KNOWN, "read-secrets"),
    (_SYSTEM_PROMPT, "asks-for-conversation"),
)


_HINTS: Final = (
    "user", "human", "person", "customer", "operator", "nutzer", "utilisateur", "usuario", "other tool", "other server",
    "so far", "until now", "up to now", "above", "ask", "key", "token", "password", "secret", "credential", "system ",
    "hidden",
)  # fmt: skip
"""Words of which each such sentence has one, in ASCII letters."""


def kind_in_full(sentence: str) -> str:
    """Return the kind of a short sentence, or of one with a clause, that leaves no doubt; "" if it is none."""
    if len(sentence) > _SHORT_CLAUSES:
        return ""
    if sentence.isascii():
        lower = sentence.lower()
        if not any(hint in lower for hint in _HINTS):
            return ""
    said = (_TAG.sub("", sentence) if "<" in sentence else sentence).strip(" .!:;,*_-#。！`\"'")
    if len(said) <= _SHORT and (kind := _kind_of(said, _IN_FULL)):
        return kind
    clauses = (part.strip(" .!*_`\"'") for part in _CLAUSE.split(said))
    return next(filter(None, (_kind_of(clause, _AS_CLAUSE) for clause in clauses)), "")


def _kind_of(text: str, kinds: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    return next((kind for pattern, kind in kinds if pattern.fullmatch(text)), "")
