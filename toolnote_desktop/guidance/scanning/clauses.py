# ruff: noqa: E501 - lists of words on as few lines as they can be read on
"""Clauses that want something from the assistant, weighed: a linear model over classes of words.

A sentence has classes (silence towards the user, a secret, the conversation, a place to send to, another tool, consent, a
soft wish …) and a place (description or parameter, near to the tool's purpose or not). Each pair that meets in it has a
weight; the sum says how much the sentence looks like one that was planted. The weights are fitted on the tuning half of
the labelled sets by ``tests/measurements/scanner_weights.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from toolnote_desktop.guidance.scanning.weights import FOUND, WEIGHTS

__all__ = ("FOUND", "classes_of", "clause_features", "clause_kind", "clause_score", "word_stems")

_CLASSES: Final[dict[str, str]] = {
    "quiet": (
        r"\b(?:no need|not necessary|unnecessary|needn't|need not|no reason|not required|no point|pointless)\b[^.]{0,20}\b(?:point|mention|say|tell|explain|bring|show|announce|report|comment|raise|inform|discuss|draw)|"
        r"\b(?:not|never|n't|nor|without|avoid|rather than|instead of|refrain from|no)\b[^.,;]{0,24}\b(?:mention|tell|inform|notif|reveal|disclos|point(?:ed|ing)? out|(?:bring|brought|bringing) up|spell(?:ed|ing)? out|draw(?:ing)? attention|admit|acknowledg|announc|volunteer|let(?:ting)? on|talk(?:ed|ing)? about|speak|spoken|comment|narrat|surfac|alert|confess|divulg|advertis|flag(?:ged|ging)?\b|quot(?:e|ed|ing)\b|explain)\w*|"
        r"\b(?:says?|said|tells?|hears?|heard|know|knows|learns?|see|sees) nothing\b|\bnothing (?:is|was|about|of) (?:said|told|shown|this|it)|\b(?:not|never|n't)\b[^.,;]{0,12}\blet (?:the |any)?(?:user|person|customer|them|him|her|one|body)\w* (?:know|see|notice|find)|\bunder no circumstances let\b|"
        r"\b(?:stay|stays|remain|remains|kept?|keeps?|keeping|left|leave|leaves) (?:\w+ ){0,3}?(?:internal|quiet|silent|secret|between|unmentioned|unsaid|invisible|unnoticed|confidential|to (?:yourself|itself)|hidden|out of (?:the|your|sight|it|any)|away from the (?:user|person|customer))|"
        r"\b(?:user|users|person|people|customer|customers|they|he|she|one|no[b]ody|no one|recipient|author|owner|team|guests|reader|readers|participants)\b[^.,;]{0,14}\b(?:not|n't|never|need not|hardly|unaware|without)\b[^.,;]{0,12}\b(?:know|see|notice|learn|aware|told|hear|realise|realize|informed|find out|asked|shown|suspect|bothered|consulted|involved|troubled|feel)\b|"
        r"\bof no (?:interest|concern|relevance|importance|consequence)\b|\b(?:only|just|would|merely) (?:confuse|worry|alarm|upset|distract|annoy|irritate|unsettle|complicate)s?\b|\b(?:spare|save|relieve)s? (?:the )?(?:user|person|customer|people|them|reader)\w*\b|\bbest (?:kept|left|done) (?:to|out|quiet|unsaid|unmentioned|in|behind|without)|\bbehind the scenes\b|\bwithout (?:fuss|a word|comment|remark|notice|ceremony|(?:further )?ado|being noticed|their knowledge|making a)\b|"
        r"\b(?:secretly|covertly|discreetly|discretely|stealthily|quietly|silently|unnoticed|invisibly|on the quiet|surreptitiously|clandestinely)\b|"
        r"\b(?:erwähn|verrat|sag|mitteil|zeig|anzeig|informier|hinweis|bericht|ansprech|offenleg|erzähl)\w*[^.]{0,50}\bnicht(?:s)?\b|\bnicht(?:s)?\b[^.]{0,30}\b(?:erwähn|verrat|sag|mitteil|gezeigt|zeigen|anzeig|informier|hingewies|hinweis|bericht|ansprech|offenleg|erzähl|erfahr|wissen|merk|bemerk|sehen|Rede)\w*|\bohne (?:dass )?[^.]{0,40}(?:erwähn|hinweis|wissen|erfähr|merk|bemerk|sag|informier|Aufheben|Kommentar)\w*|\b(?:heimlich|unbemerkt|stillschweigend|verdeckt|unauffällig|verschweig\w*|diskret)\b|"
        r"\b(?:ne|n')\s?(?:\w+ ){0,3}?(?:le |la |en |lui )?(?:dis|dites|dire|mentionn|parl|signal|montr|révél|inform|préven|préviens|averti|affich|évoqu|indiqu)\w*[^.]{0,12}\b(?:pas|jamais|rien)\b|\b(?:inutile|pas besoin|sans|éviter?z?|ne pas) (?:de |d'|le |la |en |l')?(?:\w+ )?(?:dire|mentionner|parler|signaler|montrer|révéler|informer|prévenir|avertir|afficher|évoquer|préciser)|\bà l'insu\b|\b(?:discrètement|secrètement|en silence|silencieusement|en cachette)\b|"
        r"\b(?:no|sin|nunca|evit\w+|tampoco)\b[^.]{0,16}\b(?:digas?|decir\w*|mencion\w+|inform\w+|avis\w+|muestr\w+|mostrar\w*|revel\w+|cuent\w+|coment\w+|notifi\w+|adviert\w+|señal\w+|sepa|entere)\b|\b(?:en secreto|discretamente|a escondidas|silenciosamente|sin que)\b|"
        r"(?:不要|请勿|切勿|勿|别|不得|无需|不必|不用|不能|不会|没必要|避免)[^。，；]{0,10}(?:告诉|告知|透露|提及|提到|提起|提醒|显示|通知|让用户|让客户|展示|说明|说出|解释|声张|打扰)|隐瞒|瞒着|偷偷|悄悄|悄无声息|默默|不动声色|保密|对用户(?:不可见|隐藏)|用户(?:不|无需|不必|不会|毫不)(?:知|需|用|察)|"
        r"(?:知らせ|伝え|見せ|言わ|教え|話さ|告げ|触れ|明かさ|表示せ|表示し|報告せ|報告し|通知せ|通知し|説明せ|説明し|言及せ|言及し|悟られ|気づかれ|気付かれ|気づか|気付か)(?:る|す)?(?:な|ず|ないで|ない|ません|必要は(?:あり|な))|内緒|こっそり|ひそかに|密かに|黙って|秘密に|伏せて|裏で"
    ),
    "hide": r"\b(?:hide|hides|hiding|conceal\w*|omit\w*|suppress\w*|disguise\w*|play down|gloss over|cover up|leave (?:it |this |that |them )?out|keep (?:it |this |that |them )?out|drop the mention|versteck\w*|verberg\w*|cach(?:e|er|ez)|dissimul\w+|ocult\w+|escond\w+)\b|隐藏|掩盖|隠(?:し|す)",
    "deceit": (
        r"\b(?:if|when|should|whenever|in case)\b[^.]{0,30}\b(?:asks?|asked|wonders?|inquires?|notices?|questions?|complains?)\b[^.]{0,30}\b(?:say|answer|reply|tell|claim|respond|explain|blame|deny|give|state|insist)\b|"
        r"\b(?:describe|present|report|show|call|label|frame|phrase|portray|pass|introduce|attribute|word) (?:\w+ ){0,3}?(?:as (?:independent|neutral|normal|routine|your own|if|successful|done|complete|free|harmless|an? (?:normal|routine|usual|neutral|network|temporary|server))|off as)|"
        r"\b(?:pretend|deny|claim|act as if|as if nothing|make it (?:look|seem|appear)|look like|whatever (?:the|happens|they|it)|regardless of (?:the )?(?:real|actual|true|outcome|result)|even (?:if|though|when) (?:it|this|the|that|nothing)|instead of the (?:real|actual|true))\b|"
        r"\b(?:behaupte|tu so|so tun|gib vor|vorgeben|leugne|faire semblant|prétend\w*|fais comme si|finge|fingir|hacer como)\b|假装|谎称|声称|否认|装作|ふりを|装って|偽って|否定して|と答え"
    ),
    "consent": (
        r"\b(?:without|no|skip\w*|bypass\w*|instead of|rather than|not|n't|never|omit\w*|forgo|avoid\w*|needs? no)\b[^.,;]{0,20}\b(?:ask|asks|asking|confirm|confirming|confirmation|confirmations|approval|approvals|permission|consent|prompt(?:ing)?|consult(?:ing|ation)?|check(?:ing)? (?:with|back)|waiting|wait|question|questions|review|dialog|dialogue|second look|sign-off|go-ahead|hesitat\w+)\b|"
        r"\b(?:already|previously|implicitly|implied|in advance|up front|beforehand|automatically|pre-?|once and for all|standing)\b[^.,;]{0,16}(?:approv|agreed|consent|authori[sz]|confirm|grant|accept|permission|cleared|sanction|given)\w*|\b(?:approv|consent|authori[sz]|confirm|grant|accept)\w*[^.,;]{0,16}\b(?:already|previously|implicitly|implied|in advance|beforehand|automatically|by default|assumed|taken for granted|on (?:the user's|their) behalf)\b|\bcounts? as (?:\w+ )?(?:consent|approval|agreement|permission|confirmation|a yes)\b|\bsilence (?:is|means|counts)|"
        r"\b(?:straight away|right away|at once|go ahead|goes ahead|simply (?:go|run|book|pay|proceed|accept|do|send|carry)|just (?:do|run|go|proceed|book|accept|pay)|answer yes|press yes|say yes|click (?:yes|ok|accept|allow)|-y\b|--yes\b|--force\b|--no-verify\b|auto-?(?:approv|accept|confirm)\w*)|"
        r"\bohne (?:Rück|Nach|zu frag|zu bestät|Bestätig|Zustimm|Freigabe|vorherige)\w*|\b(?:keine|nicht) (?:\w+ )?(?:Rückfrage|Nachfrage|Bestätigung|Zustimmung|nachfragen|fragen|bestätigen)|\bsans (?:\w+ )?(?:demander|confirmation|validation|attendre|accord|autorisation)|\b(?:inutile|pas besoin) de (?:demander|confirmer|valider)|\bsin (?:\w+ )?(?:preguntar|confirm\w+|pedir|esperar|autoriz\w+|consult\w+)|\bno (?:hace falta|es necesario) (?:preguntar|confirmar|pedir)|"
        r"(?:无需|不需要|不用|不必|不要|跳过|省略|直接|无须|免)[^。，；]{0,8}(?:确认|同意|批准|询问|审批|授权|征求|执行|下单|付款)|(?:視為|视为|默认)(?:已)?(?:同意|授权|批准)|(?:確認|承認|許可|同意|質問)(?:なし|は不要|不要|を求めず|を取らず|を待たず|せず|の手間|を省)|そのまま(?:進め|実行)"
    ),
    "secretobj": (
        r"\b(?:password|passphrase|passcode|credential|keychain|keyring|mnemonic|cvv|cvc|apikey|otp|totp|login|cookie|keystore|id_rsa|id_ed25519|kubeconfig|netrc|pgpass|htpasswd|tfstate)s?\b|\b(?:sign-?in|log-?in|access|auth\w*|api|ssh|gpg|pgp|private|secret|signing|encryption|recovery|seed|wallet|deploy|client|session|bearer|refresh|personal access|one-time|verification|security|service account|license) (?:data|key|keys|token|tokens|phrase|phrases|code|codes|word|words|secret|secrets|details|file|files|key data|string|strings)\b|\b(?:connection strings?|twelve words|24 words|secrets?|env(?:ironment)? var(?:iable)?s?|\.env|dotenv|configuration files?|config files?|variables with (?:key|token)|values of (?:all )?(?:the )?variables|stored (?:sign|log|pass|cred)\w*|login data|browser profile|local storage|shell history|bash_history|authorized_keys|clipboard|tokens?|PINs?)\b|"
        r"~/\.|\b(?:/etc/|/proc/|/root/|/var/run)|\.(?:pem|p12|pfx|key|kdbx|ovpn)\b|\$\{?[A-Z_]*(?:KEY|TOKEN|SECRET|PASS)[A-Z_]*\}?|\b[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET|PASSWORD)\b|"
        r"\b(?:passw[oö]rt|kennw[oö]rt|zugangsdaten|anmeldedaten|schlüsselbund|geheim(?:nis|e|er|en)\b|privat\w* schlüssel|umgebungsvariablen|konfigurationsdatei|kontoausz[uü]g|gehaltszettel|ausweis|tan\b|mots? de passe|identifiants|clés? (?:privée|api|ssh|d'api)|jetons?|variables d'environnement|fichiers? de configuration|contraseñas?|credenciales|claves?|llaves? (?:privada|ssh)|variables de entorno|archivos? de configuración)\w*|密码|口令|密钥|私钥|凭据|凭证|令牌|助记词|验证码|环境变量|配置文件|パスワード|秘密鍵|認証情報|トークン|暗証番号|環境変数|設定ファイル|鍵"
    ),
    "privateobj": (
        r"\b(?:bank statements?|payslips?|salar(?:y|ies)|passports?|identity cards?|medical|diagnos\w+|health|address book|contacts?|inbox|mailbox|text messages?|sms|browsing history|search history|calendar|photos|location|whereabouts|phone numbers?|credit cards?|card numbers?|iban|tax (?:id|return)|social security|personal (?:data|details|information|notes|files|documents)|private (?:data|notes|files|messages|repositor\w+)|home (?:folder|directory)|documents folder|downloads folder|host ?name|user ?name|machine name|family|religion|internal (?:addresses|documents|files|names|urls?)|source code|customer (?:data|list|records|names)|names of (?:colleagues|customers|people))\b|"
        r"\b(?:Adressbuch|Kontakte|Postfach|Gesundheit|Krankheit|Gehalt|Standort|persönlich\w*|vertraulich\w*|santé|salaire|carnet d'adresses|contacts|données personnelles|salud|salario|contactos|datos personales|ubicación)\b|联系人|通讯录|健康|工资|收入|家庭|隐私|位置|身份证|银行卡|個人情報|連絡先|健康|家族|給与|位置情報|住所"
    ),
    "convobj": (
        r"\b(?:conversation|chat|dialogue?|transcript|thread|exchange|discussion|session)s?\b(?: (?:so far|history|log|transcript|context|until now|to date|above|before|up to))?|\b(?:system|developer|initial|hidden|own|original) (?:prompt|message|instructions?)\b|\b(?:your|the model's|the assistant's|its) (?:\w+ ){0,2}?(?:instructions?|prompt|reasoning|thoughts?|thinking|rules|guidelines|memory|memories|context|tools?|chain of thought|functions|capabilities|configuration|list of tools)\b|\b(?:what|everything|anything|all|words?|things?|whatever|messages?|questions?)\b[^.,;]{0,24}\b(?:said|told|discussed|wrote|written|asked|typed|mentioned|confided|talked about|came before|shared)\b|\b(?:earlier|previous|prior|last|recent|past|preceding|other) (?:\w+ )?(?:messages?|turns?|questions?|requests?|answers?|prompts?|tool (?:results?|outputs?|calls?)|results? of (?:other )?tools?|results of other)\b|\bnames? of (?:all |the |other )*tools\b|\bother tools? (?:available|it has|you have|results?|outputs?)|\btools? (?:available to|you have|it has|the model has)|"
        r"\b(?:Gespräch|Unterhaltung|Chatverlauf|Verlauf|bisherige\w*|Systemprompt|Anweisungen|Gesagte|besprochen\w*)\w*|\b(?:conversation|échanges?|discussion|historique|consignes|invite système|instructions)\b|\b(?:conversación|charla|historial|instrucciones|lo que (?:ha|el usuario)[^.]{0,20}(?:contado|dicho|escrito))|对话|会话|聊天|聊过|说过|系统提示|提示词|上下文|此前|历史消息|会話|対話|やり取り|やりとり|チャット|これまで|システムプロンプト|履歴|話した|話された"
    ),
    "dest": (
        r"(?<![.\w])(?:our|we|(?-i:us)|ours|partner|partners|recruiters?|researchers?|lenders?|strangers?|outsiders?|sponsor|sponsors|vendor|vendors|third part(?:y|ies)|third-party|insurers?|advertis\w+|broker\w*|affiliates?|collector|manager|employer|maintainers?|support team|quality team|other (?:companies|customers|members|users|people|firms)|later customers|public (?:channel|tracker|repository|register|link|folder)|shared channel|anyone with|everyone with|every[b]ody|audit team|our team|our server|our library|our archive|the provider|the publisher|the author of)\b|"
        r"https?://|\b[\w.+-]{1,64}@[\w-]{1,64}\.|\bs3://|\b[\w-]{1,40}(?:\.[\w-]{1,40}){0,3}\.(?:example|test|invalid|com|net|org|io|dev|xyz|ru|cn|app)\b|\bBCC\b|\bb?cc:|\bblind cop|\bpaste ?bin|\bgist\b|\bwebhook\b|\+\d{9}|\b[A-Z]{2}\d{2} ?(?:\d{4} ?){3}|"
        r"\b(?:uns|unser\w*|Partner\w*|Dritte\w*|Drittanbieter\w*|Versicher\w*|Werbe\w*|gemeinsame\w* Kanal|nous|notre|nos|partenaires?|tiers|assureur\w*|nosotros|nuestr\w+|socios?|terceros|aseguradora\w*)\b|我们|我方|第三方|合作伙伴|外部|公开|弊社|当社|当方|私たち|第三者|提携|パートナー|外部|公開"
    ),
    "move": (
        r"\b(?:send|sends|sent|forward\w*|post|posts|posted|upload\w*|transmit\w*|mirror\w*|syncs?\b|synced|share|shares|shared|sharing|relay\w*|report|reports|reported|mail|mails|mailed|email|emailed|submit\w*|publish\w*|push|pushes|pushed|copy|copies|copied|goes to|go to|goes along|lands? (?:in|at|with)|arrives? at|ends? up|is kept (?:in|by|at|on)|are kept (?:in|by|at|on)|is stored (?:at|with|by)|hand(?:ed|s)? over|pass(?:es|ed)? (?:it |them |on |along )|cc|deliver\w*|disclosed? to|visible to|sees?|receives?|gets? a copy|reachable|deposit\w*|transfer\w*|wire|POST)\b|"
        r"\b(?:send\w*|schick\w*|gesendet|geschickt|weiter(?:leit|geleit|geb|gegeb)\w*|übertrag\w*|übermittel\w*|hochlad\w*|hochgeladen|teil(?:en|t)\b|geteilt|meld\w*|gemeldet|kopie\w*|einstellen|stellen Sie|abgelegt|veröffentlich\w*|envoy\w*|envoi\w*|transm\w*|partag\w*|publi\w*|copi\w*|téléverse\w*|envi\w+|reenv\w+|sub(?:e|ir)\b|compart\w+|transmit\w+|public\w+|copia\w*)\b|发送|发给|上传|转发|分享|共享|同步|传送|抄送|提交|发布|送信|送り|送る|送って|転送|アップロード|共有|送付|投稿|渡して|コピー"
    ),
    "acquire": (
        r"\b(?:include|includes|including|included|pass|put|insert|provide|provides|supply|supplied|attach|attached|paste|append|add|give|given|hand|enter|fill|write|collect|gather|read|reading|open|load|fetch|extract|copy|quote|enclose|enclosed|deposit|dump|print|recite|repeat|list|look (?:in|into|for|up|through)|search|scan|grab|pull|harvest|pick up|take|taken|bring|needs?|requires?|with (?:the|their|its|all|your)|at hand|along|welcome|helpful|helps?|supplement|expects?|contains?|hex of|text of|contents? of|values? of)\b|"
        r"\b(?:übergib|übergeben\w*|füge\w*|beifüg\w*|beileg\w*|schreib\w*|trag\w*|kopier\w*|lies|lesen|lese|öffne\w*|hole\w*|sammle\w*|nenn\w*|angeb\w*|mitgeb\w*|Ergänzung|ajout\w*|inclu\w+|mett\w*|joign\w*|joindre|donn\w*|fourni\w*|indiqu\w*|coll\w*|lis(?:ez)?|ouvr\w*|récupér\w*|incluy\w*|incluir|pon(?:ga)?|pas(?:a|ar|arlo|e)\b|añad\w*|agreg\w*|adjunt\w*|escrib\w*|entreg\w*|lee|leer|abr\w+|recog\w*)\b|传入|填入|包含|附上|附带|放入|写入|提供|传递|交给|读取|收集|获取|一并|入れ|渡し|含め|添付|貼り付け|記入|入力し|読み|集め|取得し|教えて"
    ),
    "othertool": (
        r"\b(?:other|another|any|every|all|each|rival|competing|built-?in|native|default|official|original|existing|remaining|next|previous|different|foreign|file|search|mail|third-party|alternative|no) (?:\w+ ){0,2}?(?:tools?|servers?|functions?|plugins?|connectors?|converters?|integrations?|commands?|actions?)\b|\b(?:others|alternatives|competitors) (?:offer|are|have|that)|\bbetween any two steps\b|\bwhich tool\b|\btools? (?:of|from) (?:other|another|any)|"
        r"\b(?:andere\w*|fremde\w*|jede\w*|alle\w*|eingebaute\w*) (?:\w+ )?(?:Werkzeug\w*|Tool\w*|Server\w*)|\b(?:autres?|tous les|chaque|tout) (?:\w+ )?(?:outils?|serveurs?)|\b(?:otr[oa]s?|cualquier|tod[oa]s l[oa]s|cada) (?:\w+ )?(?:herramientas?|servidor\w*)|(?:其他|其它|别的|任何|所有|每个|内置|原有)[^。，]{0,6}(?:工具|服务器|插件)|(?:他の|ほかの|別の|すべての|全ての|どの|あらゆる|標準の|組み込みの)[^。、]{0,6}(?:ツール|サーバー?|プラグイン)"
    ),
    "prefer": (
        r"\b(?:instead|rather than|in place of|replaces?|replaced|replacement|superse\w+|overrid\w+|takes? precedence|deprecated|obsolete|outdated|insecure|unsafe|unreliable|broken|retired|discontinued|no longer|not (?:to )?be (?:used|called|trusted)|must not|never|only (?:through|via|by|with|after)|first|before|after|always|prior to|in addition|as well|must|should|whenever|each time|every time|from now on|prefer\w*|good choice|better choice|trust\w*|entrust|confier|until|unless|mandatory|required|go(?:es)? through|rout(?:e|ed)|hand(?:ed)? (?:over )?to|consult\w*)\b|"
        r"\b(?:statt|anstelle|anstatt|ersetzt|immer|zuerst|vor jede\w*|nach jede\w*|bevor|muss|müssen|nur noch|nicht mehr|veraltet|unsicher|au lieu|à la place|remplace|toujours|avant|après|doit|doivent|d'abord|plus jamais|obsolète|en lugar|en vez|reemplaza|sustituye|siempre|antes|después|debe|deben|primero|ya no|obsoleto)\b|代替|取代|优先|必须|务必|首先|之前|之后|不要使用|不再|过时|不安全|代わりに|置き換え|優先|必ず|まず|前に|後に|使わない|非推奨|古い"
    ),
    "authority": (
        r"\b(?:message|note|notice|instructions?|policy|policies|directive|order|request|requirement|guidelines?|update|announcement|memo) (?:from|of|by|issued by) (?:the )?(?:anthropic|openai|google|microsoft|system|developer|operator|administrator|admin|platform|host|provider|security|compliance|legal|it|vendor|mcp|management|team|company|client)\b|\b(?:operating|system|platform|security|mandatory|company|compliance|regulatory|protocol|host|assistant|model) (?:guidelines?|policy|policies|instructions?|requirements?|directives?|check|rules?|notice|update|override|prompt)\b|\b(?:required|mandated|demanded|prescribed|approved|requested|authori[sz]ed|verified|certified) by (?:the )?(?:system|law|policy|platform|operator|administrator|compliance|security|protocol|anthropic|openai|user|host|developer|specification|mcp)\b|\b(?:models?|assistants?|agents?|LLMs?|AIs?) (?:must|should|shall|have to|are (?:required|obliged|expected|asked|instructed))\b|\buntil further notice\b|\bEND OF\b|.role. ?: ?.(?:system|developer)|### ?(?:Instruction|Response|System)|\bnew (?:rules?|instructions?|guidelines?|policy)\b|\byou are (?:now|no longer|authori[sz]ed|permitted|free)\b|\bofficial(?:ly)?, verified\b|\bact as\b|"
        r"\b(?:Anweisung|Vorgabe|Richtlinie|Mitteilung|Hinweis) (?:von|vom|der|des) |\b(?:consigne|message|directive|note) (?:du|de la|de l') ?(?:système|développeur|administrat\w+|plateforme)|\b(?:mensaje|instrucción|nota|directiva) del? (?:sistema|desarrollador|administrador|la plataforma)|系统(?:提示|消息|指令|通知)|管理员(?:要求|指令|通知)|平台(?:要求|规定)|システム(?:から|メッセージ|指示|の指示)|管理者(?:から|の指示)|開発者(?:から|の指示)"
    ),
    "soft": (
        r"\b(?:feel free|welcome|appreciate\w*|kind(?:ly)?|gladly|happy to|grateful|a good idea|makes sense|it helps|helps? (?:to|us|a lot|if)|helpful|best results?|works? best|even better|sharper|deeper|richer|smoother|easier|more (?:accurate|precise|personal|natural|faithful|relevant)|sharpens?|improves?|rounds? (?:it|this|them) off|spares?|saves? (?:time|a step|the user|postage|questions)|no extra step|usually|tends? to|mind(?:s)?|pleasant|nice|people (?:like|find|tend)|users (?:like|find|tend|prefer)|teams find|hurdle|at hand|trouble|worth|recommend\w*|may well|goes down well|benefit\w*|goodwill|don't hesitate|would be)\b|"
        r"\b(?:gern|gerne|freuen|hilfreich|hilft|schöne?|am besten|empfiehlt|schätzen|runden|daher|n'hésitez|volontiers|aident?|utile|mieux|souvent plus simple|conviene|ayuda|mejor|recomend\w+|da vida|viene bien)\b|有助于|更(?:好|准|贴心|精准|自然)|欢迎|建议|不妨|最好|助かり|嬉しい|うれしい|便利|自然|おすすめ|構いません|いただけると|より(?:良|正確|自然)|スムーズ"
    ),
    "docs": (
        r"\b(?:returns?|retrieves?|lists?|gets?|fetches|defaults? to|default|optional|e\.g\.|example|examples|such as|supports?|supported|see|note:|args?:|parameters?:|valid|format|iso|max(?:imum)?|min(?:imum)?|number of|id of|ids?|filter|true|false|null|error|errors|fails?|failed|page|limit|json|object|array|string|boolean|integer)\b"
    ),
    "warn": (
        r"\b(?:ask|confirm|check|verify|tell|inform|warn|show|consult)\w* (?:with )?(?:the |your )?(?:user|person|human|owner|customer)\b|\b(?:only (?:if|when|after) (?:the )?user|user (?:has )?(?:explicitly )?(?:asked|requests?|requested|confirms?|confirmed|approves?|consents?|wants?)|explicit(?:ly)? (?:consent|approval|confirmation|asked|request\w*)|cannot be undone|irreversible|destructive|never (?:send|share|log|store|return|expose|print|include)s?|(?:is|are) (?:never|not) (?:sent|shared|logged|stored|returned|exposed|printed|included|transmitted|uploaded)|redacted|masked|encrypted|rejected|blocked)\b"
    ),
    "ai": (
        r"\b(?:assistant|model|agent|LLM|AI|you|your)\b|\b(?:Assistent\w*|Modell|Sie|du|vous|tu|usted)\b|助手|模型|您|你|アシスタント|モデル|あなた"
    ),
    "mustx": (
        r"\b(?:must|always|never|make sure|be sure|ensure|mandatory|required|have to|under no circumstances|at all times|without exception|immer|niemals|unbedingt|muss|toujours|jamais|doit|veillez|siempre|nunca|debe|asegúr\w+)\b|必须|务必|始终|一定|必ず|常に|絶対"
    ),
    "user3": (
        r"\b(?:user|users|user's|person|people|customer|customers|human|owner|guest|guests|traveller|travell?ers|colleague|colleagues|participants?|they|them|their|him|her|anyone|some[b]ody|someone|Nutzer\w*|Benutzer\w*|Anwender\w*|Kund\w+|Teilnehmer\w*|Kolleg\w+|utilisateur\w*|client\w*|usuari\w+)\b|用户|客户|使用者|本人|ユーザー|利用者|お客"
    ),
    "extra": (
        r"\b(?:also|too|as well|in addition|additionally|along|besides|plus|likewise|at the same time|on top|a second|another copy|auch|zusätzlich|außerdem|ebenfalls|dabei|aussi|également|en plus|de plus|también|además)\b|同时|另外|顺便|一并|还要|また|同時に|併せて|あわせて|加えて|ついでに"
    ),
    "when": (
        r"\b(?:when(?:ever)?|if|once|before|after|each time|every time|wenn|sobald|bevor|quand|lorsque|avant|après|cuando|antes|si)\b|当|如果|每当|每次|之前|之后|とき|場合|前に|後に|たら"
    ),
    "change": (
        r"\b(?:grant\w*|delete\w*|remove\w*|disable\w*|turn off|switch off|merge\w*|install\w*|execute\w*|run\b|runs\b|pay\w*|book\w*|buy\w*|order\w*|drop(?:ped)?|weight\w*|rank\w*|replace\w*|rewrite\w*|altered|change\w*|collaborator\w*|push rights|access|rights|commission|fee|tip|surcharge|licen[cs]e checks?|tests? that fail|co-author)\b"
    ),
}
"""Words of six languages by class."""

_PATTERNS: Final = {name: re.compile(words, re.IGNORECASE) for name, words in _CLASSES.items()}
_LITERAL: Final = re.compile(r"\\.|\{\d*,?\d*\}|\(\?(?:<?[=!:]|-i:)|([A-Za-zÀ-ÿ]{3,})")
_FREQUENT: Final = frozenset(
    [
        "not",
        "never",
        "without",
        "the",
        "user",
        "users",
        "you",
        "your",
        "are",
        "and",
        "for",
        "from",
        "that",
        "this",
        "with",
        "only",
        "has",
        "was",
        "had",
        "will",
        "would",
        "can",
        "may",
        "they",
        "them",
        "one",
        "its",
        "any",
        "all",
        "out",
    ]
)
_SIGNS: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_TOKEN: Final = re.compile(r"[^\W\d_]+")
_NAME_PART: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])")
_OBJECTS: Final = frozenset(
    ("quiet", "hide", "deceit", "consent", "secretobj", "privateobj", "convobj", "dest", "othertool", "authority")
)
_PLACES: Final[tuple[str, ...]] = (
    "later",
    "parameter",
    "orders",
    "own",
    "identifier",
    "total",
    "not",
    "value",
    "first",
)
_NEAR: Final = 0.34
_STEM: Final = 5


def _triggers() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, words in _CLASSES.items():
        for literal in _LITERAL.findall(words):
            if literal and literal.lower() not in _FREQUENT:
                found.setdefault(literal.lower(), set()).add(name)
    return {literal: frozenset(names) for literal, names in found.items()}


_TRIGGERS: Final = _triggers()


@lru_cache(20_000)
def _triggered(token: str) -> frozenset[str]:
    """Return the classes that a word may belong to: those in whose list a word begins like it."""
    found: frozenset[str] = frozenset()
    for end in range(3, min(len(token), 16) + 1):
        found |= _TRIGGERS.get(token[:end], frozenset())
    return found


def word_stems(text: str) -> frozenset[str]:
    """Return the beginnings of the words of a text, parts of names too, for the comparison with a tool's purpose."""
    return frozenset(part[:_STEM].lower() for part in _NAME_PART.findall(text) if len(part) > 2)


def classes_of(text: str) -> frozenset[str]:
    """Return the classes of words in a sentence; none if nothing in it can be wanted from the assistant."""
    if text.count("_") > text.count(" "):
        text = text.replace("_", " ")
    lower = text.lower()
    maybe: set[str] = set()
    for token in _TOKEN.findall(lower):
        maybe |= _triggered(token)
    if "@" in text or "://" in text:
        maybe.add("dest")
    if "~/" in text or "." in text or "$" in text:
        maybe.add("secretobj")
    if not text.isascii() and _SIGNS.search(text):
        maybe |= _PATTERNS.keys()
    objects = {name for name in maybe & _OBJECTS if _PATTERNS[name].search(text)}
    if not objects:
        return frozenset()
    return frozenset(objects | {name for name in maybe - _OBJECTS if _PATTERNS[name].search(text)})


def clause_features(
    text: str, found: Iterable[str], purpose: frozenset[str], purpose_classes: frozenset[str]
) -> list[str]:
    """Return the features of a sentence; none if nothing in it can be wanted from the assistant.

    Args:
        found: concepts of the sentence.
        purpose: stems of the tool's name, title, first sentence and parameters.
        purpose_classes: classes of the tool's name and first sentence.
    """
    classes = classes_of(text)
    if not classes:
        return []
    stems = word_stems(text)
    near = len(stems & purpose) / len(stems) if stems else 0.0
    have = set(found)
    places = [place for place in _PLACES if place in have]
    if near >= _NEAR:
        places.append("near")
    elif not near and len(stems) >= 3:
        places.append("far")
    ordered = sorted(classes)
    features = ordered + places + [f"purpose {name}" for name in ordered if name in purpose_classes]
    for number, name in enumerate(ordered):
        features += [f"{name} {other}" for other in (*ordered[number + 1 :], *places)]
    return features


def clause_score(features: Iterable[str]) -> float:
    """Return the sum of the weights of a sentence's features: above 0 it looks planted."""
    return sum(WEIGHTS.get(feature, 0.0) for feature in features)


_KINDS: Final = {
    "quiet": "hide-from-user",
    "hide": "hide-from-user",
    "deceit": "hide-from-user",
    "consent": "skip-consent",
    "secretobj": "read-secrets",
    "privateobj": "send-elsewhere",
    "convobj": "asks-for-conversation",
    "dest": "send-elsewhere",
    "othertool": "other-tools",
    "authority": "role-marks",
}


def clause_kind(features: Iterable[str]) -> str:
    """Return the kind of a sentence that its weights found: that of the class that weighs most in it."""
    of_class = dict.fromkeys(_KINDS, 0.0)
    present: set[str] = set()
    for feature in features:
        for name in feature.split():
            if name in of_class:
                of_class[name] += WEIGHTS.get(feature, 0.0)
                present.add(name)
    return _KINDS[max(sorted(present), key=of_class.__getitem__)]
