"""Words that a text needs to fit each of the patterns that few texts fit."""

from __future__ import annotations

from typing import Final

from toolnote_desktop.guidance.scanning.label_words import ALONE, READERS, RULES, WHAT, WHOSE
from toolnote_desktop.guidance.scanning.needed_words import NeededWords

_NOTES: Final = "note,notes,hinweise,notizen,notas,instructions,*笔记*,*备注*,*说明*,*メモ*,*注記*"
_OF_TOOLS: Final = (
    "tool,tools,user,werkzeug*,nutzer,nutzers,outil,outils,utilisateur,herramienta,herramientas,usuario,*工具*,*用户*,"
    "*ツール*,*ユーザー*"
)
_RULE: Final = "rule*,polic*,instruction*,restriction*,guideline*,limit*,safeguard*,direction*,order*,prompt*,message*"
_FORMER: Final = "former,previous,earlier,old,prior,existing,usual,standard,other,safety,original"
_FORMER_RULES: Final = ",".join(f"{one}·{what[:-1]}" for one in _FORMER.split(",") for what in _RULE.split(","))
_SYSTEMS: Final = "system,platform,operator,operators,developer,developers,administrator,administrators,vendor,user"
_LABEL_WHAT: Final = ",".join(f"*{word}*" for word in WHAT)
_LABEL_WHOSE: Final = ",".join(f"{word}*" for word in (*WHOSE, *READERS)).replace("-", "")

NEEDED: Final = NeededWords({
    "roles": (
        'role system,developer,tool ="role"', "=<|", "inst =inst]", "sys =sys>>",
        "instruction,response,input =###·instruction:,###instruction:,###·response:,###response:,###·input:,###input:",
        "end of =-end·of,-·end·of,*end·of,*·end·of,=end·of,=·end·of",
        f"from message,notice,instruction,instructions {_SYSTEMS},anthropic,openai,google =:",
        "system,developer =:,：",
        "system*,developer*,admin*,operator*,root* =[system,[developer,[admin,[operator,[root",
        "system,override,admin =#system,#·system,#override,#·override,#admin,#·admin",
        "new =#new·instruct,#·new·instruct",
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
    "frames": (
    "=｜",
    "turn =_of_turn>",
    "tool =</tool_",
    'result tool ="tool_result"',
    'hidden ="hidden_',
    "note,notes,hint,hints,remark,remarks,rule,rules,comment,comments =<note,<hint,<remark,<rule,<comment",
    "precondition,preconditions =<precond",
    "details =<details",
    ),
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
        f"{_LABEL_WHAT} {_LABEL_WHOSE}", ",".join(ALONE),
        *(label for label in RULES if label.replace(" ", "").isalpha()),
    ),
    "heading": (f"{_NOTES} {_OF_TOOLS}",),
    "agent file": (
        "md claude,agent,agents,gemini,copilot",
        "rules cursor,windsurf,claude,copilot,agent",
        "my preferences,rules,instructions,settings,wishes,standing",
        "user what asked,want,wants,said,wishes,agreed,approved,allowed",
        "user new task,order,request,instruction,instructions from,by,of",
        "user preferences,rules,wishes,instructions saved,stored,confirmed,active,remembered,verified",
        "memory user",
        "user approved,preapproved,authorised,authorized actions,operations,permissions",
        "notice,message,alert,warning from",
        "mandatory,binding,confidential policy,rules,instructions,notice",
        "normas,reglas,consignes,règles,regole,norme,regras sistema,système",
    ),
    "grant": (
        "auto,ask*,allowed,permission*,approval*,trust*,confirm*,sandbox,silent,bestätigung*,rückfragen,notify,tell,upsell,"
        "expose,alwaysapply",
    ),
})  # fmt: skip
"""What a text needs to fit each pattern: all alternatives of the pattern are in it."""
