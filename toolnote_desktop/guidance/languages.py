"""Words of six languages for what tools do, so that an input in any of them finds tools that are described in English.

An input is split into clauses. What it forbids ("don't search the web") is told apart from what it asks for.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from msgspec import Struct

from toolnote_desktop.guidance.texts import WORD
from toolnote_desktop.guidance.words import stem
from toolnote_desktop.model.hidden_characters import normalized

_SHORT_STEM: Final = 6
"""Letters and the space before them up to which a stem may be the beginning of a word that means something else."""

INPUT_LIMIT: Final = 4_000
"""Characters of an input that are read."""

LANGUAGES: Final = ("en", "de", "fr", "es", "ja", "zh")


class Clause(Struct, frozen=True):
    """Part of an input.

    Attributes:
        text: its own words, followed by the English ones for those of other languages.
        related: English words for what is usually done with it.
        is_refused: it says what is not to be done.
    """

    text: str
    related: str = ""
    is_refused: bool = False


def clauses(text: str) -> list[Clause]:
    """Return the clauses of an input, each with English words for what it says."""
    text = text[:INPUT_LIMIT]
    language = detected_language(text)
    found = []
    for part in _split(text, language):
        for piece, is_refused in _by_refusal(part, language):
            if piece.strip():
                words = english_words(piece, language)
                related = related_words(piece, words if language != "en" else None)
                found.append(Clause(" ".join([piece, *words]).strip(), " ".join(related), is_refused))
    return found


def detected_language(text: str) -> str:
    """Return the likeliest language of a text: Japanese and Chinese by their script, others by their commonest words.

    English where nothing speaks for another.
    """
    if _KANA.search(text):
        return "ja"
    if _HAN.search(text):
        return "zh"
    words = [_plain(word) for word in WORD.findall(text)]
    counts = {language: sum(word in _COMMON[language] for word in words) for language in _COMMON}
    return max(counts, key=lambda one: (counts[one], one == "en"))


def english_words(text: str, language: str) -> list[str]:
    """Return the English words for what a text of another language says; none for English."""
    if language == "en":
        return []
    table = _table(language)
    found: dict[str, None] = {}
    if language in ("ja", "zh"):
        for piece, words in table:
            if piece in text:
                found.update(dict.fromkeys(words))
        return list(found)
    words_of_text = [_plain(word) for word in WORD.findall(text)]
    if language == "de":
        words_of_text = _with_separable_verbs(words_of_text)
    for word in dict.fromkeys(words_of_text):
        fits = [one for one in table if word.startswith(one[0]) or (len(one[0]) > 4 and one[0] in word)]
        if language != "de":
            fits = [one for one in fits if word.startswith(one[0])]
        longest = max((len(one) for one, _ in fits if word.startswith(one)), default=0)
        for one, words in fits:
            if len(one) == longest or not word.startswith(one):  # the parts of a German compound count, too
                found.update(dict.fromkeys(words))
        if language == "de" and not fits:
            for meant in _german_words().get(stem(word), ()):
                found[meant] = None
    return list(found)


def _with_separable_verbs(words: list[str]) -> list[str]:
    """Return German words with the verbs that a clause tears apart: "leg … an" is "anleg", too."""
    found = list(words)
    for place, particle in enumerate(words):
        if particle in _PARTICLES:
            found += [particle + verb for verb in words[:place] if len(verb) > 2 and verb not in _COMMON["de"]]
    return found


@cache
def _german_words() -> dict[str, tuple[str, ...]]:
    """Return stem -> English words of the search's German words."""
    from toolnote_desktop.guidance.search_words import GERMAN  # at the first task or question

    return {stem(_plain(word)): tuple(meant.split()) for word, meant in GERMAN.items()}


def related_words(text: str, english: list[str] | None = None) -> list[str]:
    """Return English words for what is usually done with what a text speaks of.

    Args:
        english: English words for a text of another language, of which only whole words count then.
    """
    own = [_plain(word) for word in WORD.findall(text)]
    plain = " ".join(own if english is None else english)
    names = frozenset() if english is None else frozenset(own)
    found: dict[str, None] = {}
    for form, words in _FORMS:
        if form.search(text):
            found.update(dict.fromkeys(words.split()))
    for stems, related in _related():
        if any(one in names or _begins(f" {one}", f" {plain} ") for one in stems):
            found.update(dict.fromkeys(related))
    return list(found)


def _begins(one: str, text: str) -> bool:
    """Return True if a word of a text begins with a stem; a short stem is the word but for its ending."""
    place = text.find(one)
    while place >= 0:
        end = place + len(one)
        if len(one) > _SHORT_STEM or text[end : text.index(" ", end)] in ("", "s", "es", "ed", "ing"):
            return True
        place = text.find(one, end)
    return False


@cache
def _related() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    lines = (line.partition("|") for line in _RELATED.strip().splitlines())
    return tuple(
        (tuple(_plain(one.strip()) for one in stems.split(",")), tuple(words.split())) for stems, _, words in lines
    )


def _split(text: str, language: str) -> list[str]:
    return [part for part in _BREAKS[language if language in _BREAKS else "en"].split(text) if part and part.strip()]


def _by_refusal(part: str, language: str) -> list[tuple[str, bool]]:
    """Return the pieces of a clause: what it asks for, and what follows or precedes a word that forbids."""
    cue = _REFUSALS[language].search(part)
    if cue is None:
        return [(part, False)]
    if language in ("ja", "de", "fr"):  # the verb is before or after that word
        whole = cue.groupdict().get("after") is None
        return [(part, True)] if whole else [(part[: cue.start()], False), (part[cue.start() :], True)]
    return [(part[: cue.start()], False), (part[cue.start() :], True)]


def _plain(word: str) -> str:
    """Return a word in lower case without accents; German's ae, oe and ue, written for ä, ö and ü, become a, o, u."""
    folded = word.casefold().replace("ae", "a").replace("oe", "o").replace("ue", "u").replace("ß", "ss")
    return "".join(one for one in normalized("NFD", folded) if not unicodedata.combining(one))


@cache
def _table(language: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (stem, English words), in the order of the list."""
    place = LANGUAGES.index(language)
    found = []
    for line in _CONCEPTS.strip().splitlines():
        columns = [column.split() for column in line.split("|")]
        stems = columns[place] if language in ("ja", "zh") else map(_plain, columns[place])
        found += [(one, tuple(columns[0])) for one in stems]
    return tuple(found)


_PARTICLES: Final = frozenset(
    ["ab", "an", "auf", "aus", "bei", "durch", "ein", "fest", "frei", "her", "hin", "hinzu", "hoch", "los", "mit"]
).union(["nach", "um", "vor", "weg", "weiter", "zu", "zuruck", "zusammen"])
"""Beginnings of German verbs that are at the end of a clause."""
_KANA: Final = re.compile(r"[\u3040-\u30ff]")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")

_COMMON: Final = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the a an of to in is and for with my me this that it on what please can you from i are was be at "
        "by have has not all our we which who how if into then them their any there every",
        "de": "der die das den dem des ein eine einen einem einer und ist im in mit fur auf mir ich bitte nicht "
        "zu von wie alle welche welcher welches dieses diese dieser nur kein keine keinen sind sie er es "
        "wo wer wann mein meine meinen unser uns am zum zur vom bei aus nach uber wird werden soll hat "
        "habe haben noch bis oder wenn dass sich du ihr seit heute gestern was an aller allen als auch "
        "daraus dazu",
        "fr": "le la les un une des du de et est dans avec pour sur je mon ma mes moi ne pas que ce cette au "
        "aux par sont qui quel quelle nous notre nos vous votre il elle ou plus son sa ses leur en a",
        "es": "el la los las un una de del y es en con para por mi mis me que no lo este esta al se su sus sin "
        "como cual donde quien hay mas esto nos nuestra nuestro todos todas a",
    }.items()
}
"""The commonest words of the languages that are written in Latin letters, without accents."""

_BREAKS: Final = {
    "en": re.compile(r"[!?;\n]+|[.:]+(?=\s|$)|, | - |\b(?:and then|then|and|but|so that)\b", re.IGNORECASE),
    "de": re.compile(r"[!?;\n]+|[.:]+(?=\s|$)|, | - |\b(?:und dann|danach|dann|und|aber|sondern)\b", re.IGNORECASE),
    "fr": re.compile(r"[!?;\n]+|[.:]+(?=\s|$)|, | - |\b(?:et puis|ensuite|puis|et|mais)\b", re.IGNORECASE),
    "es": re.compile(r"[!?;\n¿¡]+|[.:]+(?=\s|$)|, | - |\b(?:y luego|después|luego|y|pero)\b", re.IGNORECASE),
    "ja": re.compile(r"[。！？、\n]+|そして|それから|してから|けど|が、"),
    "zh": re.compile(r"[。！？，；、\n]+|然后|并且|而且|但是|但|再|并"),
}

_REFUSALS: Final = {
    "en": re.compile(
        r"(?:^\s*(?:please |just |but |so |and )*|\b(?:please|just) )(?:do not|don['’]?t|never)\b"
        r"|\b(?:i|we) (?:do not|don['’]?t) (?:want|need|like)\b"
        r"|\b(?:without|no need (?:to|for)|instead of|rather than|avoid|skip(?:ping)?)\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\b(?P<after>ohne|statt|anstatt)\b|\b(?:nicht|keine?[nmrs]?|niemals)\b(?!\s+(?:mehr|geht|funktioniert|gefunden))",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?P<after>sans|au lieu de|plutôt que|inutile de|évite[rz]?)\b|\bn['e’]\s?(?:\w+ ){0,3}pas\b", re.IGNORECASE
    ),
    "es": re.compile(r"^\s*(?:por favor )?no\b|\b(?:sin|en vez de|en lugar de|evita[r]?)\b", re.IGNORECASE),
    "ja": re.compile(r"ないで|しないように|せずに|なしで|不要|使わず|しなくて"),
    "zh": re.compile(r"不要|别|不用|无需|不需要|不必|請勿|请勿"),
}

_CONCEPTS: Final = """
search find look|such find recherch nachschau nachseh herausfind heraussuch aufspuer ermittl|cherch recherch trouv retrouv|busc encuentr encontr localiz averigu|検索 探 調べ 見つけ 見つけ 見つか|搜 查找 找 查询 查一 寻找 找到 找
list show all|zeig auflist liste welche|montr affich list quels quelles|muestr mostrar list enumer cuales|一覧 リスト 表示 見せ どんな|列出 显示 有哪些 列表
read open content|lies lese oeffn inhalt|lis lire ouvr contenu|lee leer abr contenido|読 開 内容|读 打开 内容
create add new|erstell anleg neu hinzufueg leg aufstell aufsetz anfert einricht eintrag|cree creer ajout nouv etabl|crea crear anad agreg nuev prepar|作 追加 新 立て|创建 新建 添加 建 新增 做 写一 开
update edit change modify|aender aktualisier bearbeit anpass korrigier ueberarbeit verlaeng umstell setz stell einbau verbesser|modifi chang mett mets mise corrig actualis remani met|actualiz modific cambi edit corrig pon arregl|更新 変更 編集 修正 直 差し替え|更新 修改 编辑 改 换成 更正
delete remove|loesch entfern|supprim efface enlev|elimin borr quit|削除 消|删除 删 移除
write file|schreib|ecri redig|escrib redact|書|写
file|datei|fichier|archivo ficher|ファイル|文件
folder directory|ordner verzeichnis|dossier repertoire|carpeta directorio|フォルダ ディレクトリ|文件夹 目录
move rename|verschieb umbenenn|deplac renomm|muev mover renombr|移動 名前を変 リネーム|移动 重命名
document doc text|dokument|document|document|文書 ドキュメント 書類|文档
page|seite|page|pagina|ページ|页面 网页
web search website internet online|internet web webseit netz online|internet web ligne site|internet web linea sitio|ウェブ ネット インターネット サイト web|网上 上网 网络 网站 互联网
fetch url address link|abruf adresse link|adresse lien url|direccion enlace url|URL リンク|链接 网址
news latest current article|nachricht zeitung presse aktuell neuest meldung schlagzeil blatt pleit|actualit journal journaux presse nouvelle recent dernier|noticia periodico prensa actual recient ultim titular|ニュース 新聞 最新 報道|新闻 报纸 报道 最新 消息
issue ticket bug|ticket issue fehler problem bug vorgang|ticket bug probleme anomal incident|ticket incidencia error bug problema|課題 チケット バグ 不具合 イシュー issue|问题 议题 工单 缺陷 bug issue
pull request pr review|pull pr review merge|pull pr revue relecture fusion|pull pr revision|プルリク PR レビュー|拉取请求 PR 审查 合并请求
merge|zusammenfuehr merg|fusionn|fusion|マージ|合并
code source function|code quelltext funktion|code fonction|codigo funcion|コード|代码
repository repo project|repositor repo projekt|depot repo projet|repositorio repo proyecto|リポジトリ プロジェクト レポジトリ|仓库 项目
branch|branch zweig wechsl checkout|branche bascul|rama|ブランチ|分支
commit|commit einchecken|commit valid|commit confirm|コミット|提交
diff compare changes|unterschied aenderung vergleich|differenc compar changement|diferenci compar cambios|差分 比較 違い|差异 比较 对比 改动 区别
history log|verlauf historie protokoll log zuletzt|histor journal|historial registro|履歴 ログ|历史 日志 记录
status|status stand zustand|statut etat|estado|状態 ステータス 状況|状态 情况
message post send email chat|nachricht schick send schreib poste verschick abschick zuschick weiterleit bescheid mitteil|message envo ecri poste publi prevenir prevenez previens inform|mensaje envi mand public escrib avis notific|メッセージ 送 投稿 知らせ 伝え 連絡|消息 发送 发 通知 说一声 告诉 告知
channel|kanal|canal|canal|チャンネル|频道
reply thread answer|antwort thread beantwort rueckmeld|repond repons fil|respond respuest hilo contest|返信 スレッド 返事 返答|回复 线程 答复 回答
comment|kommentar kommentier|comment|coment|コメント|评论
mail email gmail inbox|mail post postfach anschreib rundschreib|mail courriel courrier boite e-mail|correo mail bandeja e-mail|メール 受信|邮件 邮箱 邮
calendar event create meeting appointment|kalender termin besprechung treffen eintrag trag|calendrier agenda reunion rendez evenement|calendario evento reunion cita|予定 カレンダー 会議 ミーティング|日历 会议 开会 个会 日程 约会 预约
schedule free availability slot|frei plan zeitfenster zeitpunkt|libre disponib planif creneau|libre disponib planific hueco|空き 空いて スケジュール|空闲 安排 有空
time clock date|uhr zeit datum|heure date|hora fecha|時間 時刻 何時 日付|时间 几点 日期
timezone convert time|zeitzone|fuseau|huso zonahoraria|タイムゾーン 時差|时区 时差
weather forecast temperature|wetter vorhersage temperatur|meteo temps temperature pluie|clima tiempo temperatura pronostico|天気 気温 予報|天气 气温 预报
map place location address|karte ort adresse standort lage|carte lieu adresse endroit|mapa lugar direccion sitio ubicacion|地図 場所 住所|地图 地点 地址 位置
directions route way|weg route fahr strecke hinkomm|itineraire trajet route chemin|ruta camino llegar trayecto|道順 ルート 行き方 経路|路线 怎么走 怎么过去 怎么去 导航
distance travel duration|entfern weit fahrzeit dauer wie lange|distance loin duree|distancia lejos duracion tarda|距離 かかる 所要|距离 多远 多久 多长时间
restaurant hotel places nearby|restaurant hotel cafe naehe|restaurant hotel cafe proche|restaurante hotel cafe cerca|レストラン ホテル 近く カフェ|餐厅 酒店 附近 咖啡
database sql query table|datenbank tabelle abfrag sql|base donnee table requete sql|base datos tabla consult sql|データベース テーブル クエリ SQL|数据库 表 查询 SQL
record row|datensatz zeile eintrag|enregistrement ligne|registro fila|レコード 行|记录 行
schema columns describe|schema spalte aufbau|schema colonne structure|esquema columna estructura|スキーマ 列 構造|结构 字段 列
customer contact crm|kunde kontakt|client contact|cliente contacto|顧客 連絡先 お客|客户 联系人
user person profile member|benutzer nutzer person profil mitglied|utilisateur personne profil membre|usuario persona perfil miembro|ユーザー 人 プロフィール メンバー|用户 人员 成员 资料
assign owner|zuweis zuteil|assign attribu|asign|割り当て 担当|分配 指派 负责
task todo|aufgabe todo erledig|tache todo|tarea pendiente|タスク やること|任务 待办
note memory remember|notiz merk erinner|note memoire souvien retien|nota memoria recuerd|メモ 覚え ノート 記憶|笔记 记住 备忘
knowledge graph entity relation|wissen|connaissance|conocimiento|知識|知识
screenshot image picture|bildschirmfoto screenshot bild foto|capture image photo|captura imagen foto pantallazo|スクリーンショット 画像 写真|截图 图片 照片
browser navigate click|browser klick|navigateur cliqu|navegador clic|ブラウザ クリック|浏览器 点击
form fill type input|formular ausfuell eingeb|formulaire rempl saisi|formulario rellen complet|フォーム 入力 記入|表单 填写 输入
login sign in|anmeld einlogg|connexion connect|sesion acced|ログイン|登录
download save|herunterlad speicher sicher|telecharg enregistr sauvegard|descarg guard|ダウンロード 保存|下载 保存
upload attach|hochlad anhaeng|televers joindre pieceje|sub adjunt|アップロード 添付|上传 附件
run execute command shell terminal|ausfuehr starte befehl kommando|execut lanc commande|ejecut corre comando lanz|実行 コマンド|运行 执行 命令
start process|start prozess|demarr processus|inici proceso arranc|起動 プロセス|启动 进程
stop kill|stopp beend|arret stopp termin|deten par mat|停止 止め|停止 结束
test build pipeline|test build pipeline|test build compil|prueba test compil|テスト ビルド|测试 构建 编译
deploy rollout release|ausroll deploy veroeffentlich|deploi livr publi|despleg public|デプロイ リリース|部署 发布
pod cluster kubernetes|pod cluster kubernetes|pod cluster kubernetes|pod cluster kubernetes|クラスタ ポッド|集群
log error exception|fehlermeld absturz log|erreur plant exception|error fallo excepcion|エラー 例外 落ち|错误 异常 报错
performance speed slow|leistung langsam schnell|performance lent rapid|rendimiento lent rapid|パフォーマンス 遅|性能 慢
paper article research arxiv|paper artikel studie forsch aufsatz veroeffentlichung|article etude recherche papier|articulo estudio paper investig|論文 記事 研究|论文 文章 研究
summarize summary|zusammenfass fass zusammen ueberblick kurzfass auszug|resum synth|resum|要約 まとめ|总结 摘要 概括 概述
translate|uebersetz deutsch englisch franzoesisch spanisch italienisch finnisch polnisch|tradui|traduc|翻訳 訳し 訳す|翻译 翻成 译成 译
library docs documentation|bibliothek doku|bibliotheque doc documentation|biblioteca documentacion|ライブラリ 公式 ドキュメント|库 文档
spreadsheet sheet excel cell|tabellenkalk excel blatt zelle arbeitsmappe mappe spalte tabelle|tableur excel feuille cellule classeur|hoja excel celda planilla|スプレッドシート エクセル シート セル 表計算|表格 电子表格 单元格 工作簿
presentation slide|praesentation folie|presentation diapo|presentacion diapositiva|スライド プレゼン|幻灯片 演示
pdf convert|pdf umwandel konvertier umwand wandl|pdf convert transform|pdf convert convierte transform pasa|PDF 変換|PDF 转换 转成 转为
chart graph plot|diagramm grafik kurve|graphique diagramme courbe|grafic diagrama|グラフ 図|图表 图形
price cost invoice payment|preis kosten rechnung zahlung|prix cout facture paiement|precio coste factura pago|価格 料金 請求 支払|价格 费用 发票 付款
stock finance market|aktie boerse kurs|bourse action cours|bolsa accion cotizacion|株 金融 相場|股票 金融 行情
order product shop|bestell produkt shop|command produit boutique|pedido producto tienda|注文 商品|订单 产品 商品
light device home switch|licht lampe geraet heizung|lumiere lampe appareil chauffage|luz lampara dispositivo calefaccion|電気 照明 ライト エアコン|灯 设备 空调
music song play playlist|musik lied spiel|musique chanson joue|musica cancion|音楽 曲 再生|音乐 歌 播放
video|video film|video film|video pelicula|動画 ビデオ|视频
password secret|passwort geheim kennwort|mot passe secret|contrasena secreto|パスワード 秘密|密码 密钥
permission access share|zugriff berecht freigab teil|acces droit partag|acceso permis compart|権限 アクセス 共有|权限 访问 分享 共享
team group|team gruppe|equipe groupe|equipo grupo|チーム グループ|团队 小组
sprint board milestone epic|sprint board meilenstein|sprint tableau jalon|sprint tablero hito|スプリント ボード マイルストーン|冲刺 看板 里程碑
label tag|etikett label schlagwort|etiquette label|etiqueta|ラベル タグ|标签
link relation|verknuepf verbind|lien relie|enlaz relacion vincul|リンク 関連|链接 关联
count number statistics|anzahl wie viele statistik zahl|nombre combien statist|cuant numero estadist|件数 数 統計 何件|数量 多少 统计
size disk space|groesse platz speicherplatz|taille espace|tamano espacio|サイズ 容量|大小 空间
rephrase rewrite style|umschreib foermlich formell formuli|reformul soutenu style formel|reescrib formal estilo|文体 書き直 言い換え|改写 润色 正式
plan route order stops|reihenfolge abhol|ordre passer prendre|orden recog recoj|順番 乗せ|顺序 接人
restaurant food eat|essen kueche|manger diner dejeuner|comer cenar comida|食べ 食事 料理|吃 饭 菜
draft|entwurf|brouillon|borrador|下書き|草稿
typo fix correct edit|tippfehler verbesser|faute coquille|errata|誤字|错字 错别字
close|schliess|ferm|cierr cerrar|閉じ クローズ|关掉 关闭
stock amount value cell|bestand menge lager|stock quantite|existencias cantidad almacen|在庫|库存 数量 仓库
replace|ersetz austausch|remplac|reempl sustit|置換 置き換え|替换
copy duplicate|kopier|copi dupliqu|copi duplic|コピー 複製|复制
extract scrape crawl|auslesen extrahier|extrai extract|extra extract|抽出 取り出|提取 抓取 爬
monitor watch alert|ueberwach beobacht alarm|surveill alert|vigil supervis alert|監視 アラート|监控 提醒 警报
calculate sum|berechn rechne summe|calcul somm|calcul suma|計算 合計|计算 求和
"""  # noqa: E501
"""Concepts, one a line: English words | stems of German | French | Spanish | pieces of Japanese | Chinese."""

_FORMS: Final = (
    (re.compile(r"\.(?:xlsx?|csv|ods|tsv)\b", re.IGNORECASE), "excel sheet range read write workbook import csv file"),
    (re.compile(r"\.(?:docx?|odt|pptx?|pdf)\b|\bWord\b"), "convert markdown document file read directory write"),
    (
        re.compile(r"\.(?:md|txt|json|ya?ml|toml|ini|log|py|js|ts|go|rs|java|c|cpp|html?|css)\b"),
        "read write edit text file",
    ),
    (re.compile(r"https?://|\b[a-z0-9-]{1,63}\.(?:org|com|net|io|dev|de|fr|es|jp|cn|eu)\b"), "fetch url page web"),
    (re.compile(r"(?<![\w#])#[^\W\d]"), "slack channel channels message post list"),
    (
        re.compile(r"(?<![\w/.])[A-Za-z][\w-]{0,38}/[A-Za-z][\w-]{0,99}(?![\w/.])"),
        "github repository file contents search code",
    ),
    (re.compile(r"README|\b\w{1,60}_\w{1,60}\b"), "search files read text code"),
)
"""Forms in an input that say what it is about in any language, and English words for what is done with them."""

_RELATED: Final = """
paper, preprint, arxiv, study, studies, research article|paper abstract section search download read
drive, driving, by car, route, trip, travel, directions, get from|directions distance travel route map
restaurant, hotel, cafe, coffee, nearby, on the way, place to|places search nearby local map location
who changed, who wrote, why, history, last change, latest change, blame|log history commits show blame
chang, modif, diff|diff log commits status changes history
commit|commit add stage status diff log
how many, number of, count, sign up, signed up, regist, sales, revenue, customer|query table rows count database records
database, sql, table|query table schema describe list
thread, said, discuss, conversation, channel, slack|message channel history thread replies list
post, notify, tell the team, let the team, announce|post send message channel
newspaper, bankrupt, news, latest, current events, look up, google, online, internet|web search news extract
website, web page, url, link, article|fetch web page url extract
save, store, write down, put it in, text file|write save create file
folder, directory, directories|list directory create folder move
file, readme, config, yaml, json, csv, log|read file list directory
code, function, source, calls, typo, readme, local|search read files text
rewrite, rephrase, formal, style, polite, application letter|rephrase text file read write
eat, food, dinner, lunch, cinema|restaurant local places search
pick up, in which order, in what order, order stops, stops|route plan stops directions
word file, docx, word document, minutes|convert markdown document file directory write
draft|draft email
doc, where is|search files
bug, crash, broken, ticket, issue, reported|issue search create list
pull request, review, approve, merge|pull request review list
release, version, tag|release tag list
remind, appointment, meeting, schedule, calendar, tomorrow, next week, free slot|calendar event create list availability
email, e mail, mail, inbox, gmail|email search send read message draft
contact, phone number, address book|contact search get
time, o clock, clock, 3pm, timezone, time zone|time convert timezone current
weather, rain, umbrella, forecast, temperature|weather forecast current
click, browser, web site, form, log in, button, screenshot|browser navigate click type fill screenshot snapshot
invoice, paid, payment, charge, refund, subscription|payment invoice customer charge list
stock, share price, portfolio, ticker, crypto|stock price quote market history
light, lamp, heating, thermostat, home|light device turn state switch
song, music, playlist|play music playlist search
video, youtube|video transcript search
image, picture, photo, drawing, logo|image generate edit
chart, graph, plot, diagram|chart generate diagram workbook import csv read
spreadsheet, excel, sheet, csv, stock|excel sheet range read write workbook import csv
slide, presentation, deck, powerpoint|presentation slide add create
word document, docx|document paragraph add text
pdf|pdf read extract convert
password, secret, api key|secret get list
remember, memory, forget, recall|memory create search add entities observations
note, notes, notebook, vault|note search read create append
task, todo, to do|task create list update complete
sprint, epic, board, jira|issue search create sprint board
deploy, rollout, release to|deploy release status
server, container, docker, pod, cluster|container logs list status
slow, performance, latency|performance trace metrics analyze
error, exception, stack trace|error log issue search
log in, sign in, user, permission, access|user permission access
translate, translation|translate text language
english, german, french, spanish, italian, japanese, chinese, finnish, polish, dutch|translate text language
docs, documentation, library, api reference|docs library search query
summar, overview, read|get read content
compare, difference|compare diff
convert, transform|convert
branch, main branch|branch checkout create list status
fix, correct, rework, edit|edit read file search
reply, answer|search read reply thread history
star, label, archive, unread, spam, inbox rule|email search modify filter label
attachment, attach|email search read download attachment convert document
postpone, reschedule, cancel|search event update delete list
how far, how long, by train, by bus, by bike, on foot, train, bus|directions distance route
workbook, column, row, cell, formula, worksheet|excel sheet range read write workbook create
article, newspaper, news, headline|web search news fetch page
changelog, release notes, changes since, list of changes|log commits history tag diff
tender, contract, scan, brochure, manual, minutes|convert markdown document file read search
"""
"""Words of an input, and English words for what tools do with such things."""
