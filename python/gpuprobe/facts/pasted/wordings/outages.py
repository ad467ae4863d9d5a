"""What people say of machines and GPUs that go away while they compute."""

from ..sign import Sign
from ..text import cues

#: The machine itself; a "server" may be a program.
_MACHINE = (
    r"(?:machine|computer|pc|workstation|desktop|laptop|rig|system"
    r"|(?:whole|entire|physical|gpu|linux|ubuntu|my|our) server)"
)
_HOW = (
    r"(?: (?:itself|suddenly|randomly|always|just|immediately|abruptly|instantly|then|will|also"
    r"|automatically|spontaneously|often|keeps?|would|simply|crashes and|freezes and))*"
)
_DOWN = (
    r"(?:re-?boots?|re-?starts?|reboot(?:ed|ing)|restart(?:ed|ing)|shuts? (?:itself )?(?:down|off)"
    r"|shutting (?:itself )?(?:down|off)"
    r"|(?:powers?|powered|powering|turns?|turned|switch(?:es)?|goes|went) (?:itself )?off"
    r"|(?:(?:goes|went) down|crash(?:es|ed)?)(?=[ /(,]{1,3}(?:and )?re-?boot))\b"
    r"(?! (?:the|an? (?!few|couple|while|min|moment|sec)|my|its|all|every|each)\b)"
)
_NOUN = r"(?:re-?boots?|re-?starts?|shut-?downs?|power[- ]?offs?)\b"
_WHILE = (
    r"\b(?:when\w*|while|during|as soon as|once|in|within|after|under|on|upon|with|if) "
    r"[^.;\n]{0,40}?"
    r"(?:\btrain\w*|\b(?:both|two|all|multiple|several|multi-?) ?gpus?\b|\buses? (?:both|all)\b"
    r"|\bgpu (?:load|training|use"
    r"|usage|inference|work\w*)|\bload\b|\bepochs?\b|\bDataParallel|\bDistributedData\w*"
    r"|\bbatch(?: size|es)?\b|\b(?:last|first) step\b|\bstress|\bbenchmark\w*|\binference\b"
    r"|\biterations?\b|\b(?:runs?|running|ran|works?|computes?) (?:\w+ )?on (?:the |my |a )?gpu\b"
    r"|\brunning (?:the |my |an? )?(?:\w+ )?(?:example|script|model|network)\b)"
)
#: Work of a GPU as the subject of a sentence.
_WORK = (
    r"\b(?:training|segmentation|detection|inference|rendering|mining|benchmark\w*|stress test\w*"
    r"|fine-?tuning|predict(?:ion|ing)|(?:the|my|this) (?:network|model|kernel))\b"
)
#: What is asked or advised, and what only follows a restart.
_NOT_TOLD = (
    rf"\A(?=.{{1,400}}\Z)(?!.*(?:\?|\b(?:unless|must|should|might|may|please|gracefully|cleanly"
    rf"|so that)\b|\b(?:after|until|before|once|when(?:ever)?|every time|since) "
    rf"(?:the |my |our |a )?{_MACHINE}{_HOW} {_DOWN})).*?"
)

#: As people count GPUs.
_COUNT = r"(?:one|two|three|four|five|six|seven|eight|some|\d{1,2})"
_LISTED = r"(?:listed|shown|visible|seen|found|detected|there)"

SIGNS = (
    Sign(
        "gpus-missing-told",
        "somebody says that nvidia-smi no longer lists some of the machine's GPUs",
        ("no longer", "any more", "anymore"),
        rf"(?<!if )(?<!when )(?<!that )\b({_COUNT} (?:out )?of (?:the |my |our |its )?{_COUNT}?"
        r"(?: ?(?:\w{1,12} )?(?:gpus?|cards?))? (?:is|are)"
        rf" (?:no longer {_LISTED}|not {_LISTED} any ?more(?= )"
        rf"|not {_LISTED}(?=[^.?\n]{{1,24}} any ?more\b)))"
        r" (?:by|in|to|for) [`'\"]?nvidia-smi\b",
    ),
    Sign(
        "told-goes-down",
        "somebody says that the machine goes down while the GPU works",
        cues(
            "boot|restart|shut|power off|powers off|powered off|turns off|turned off|switches off"
            "|goes off|went off|itself off"
        ),
        _NOT_TOLD + rf"(\b{_MACHINE}{_HOW} {_DOWN}[^.;\n]{{0,40}}?{_WHILE}"
        rf"|{_WHILE}[^.;\n]{{0,60}}\b(?:the |my |our )(?:whole |entire )?{_MACHINE}{_HOW} {_DOWN}"
        rf"|\b(?:sudden|random|unexpected|hard|spontaneous|instant)(?:ly)?(?: {_MACHINE})? {_NOUN}"
        rf"[^.;\n]{{0,40}}?{_WHILE}"
        rf"|{_WORK}[^.;\n]{{0,30}}?\b(?:makes?|made|causes?|caused|forces?) (?:the |my |our )"
        rf"(?:whole |entire )?{_MACHINE} (?:to )?(?:suddenly |just |always )?{_DOWN}"
        rf"|{_WHILE}[^.;\n]{{0,60}}\b(?:caus\w+|leads? to|results? in|triggers?|makes?)"
        rf" (?:a |the |my |our |whole |entire |sudden |hard |immediate )*(?:{_MACHINE}(?: to)? )?"
        rf"{_NOUN})",
    ),
    Sign(
        "reached-once-used",
        "somebody says that programs reach the GPU only after another one, or root, has used it",
        ("until ", "once ", "unless "),
        r"\A(?=.{1,400}\Z)(?=.*(?:boot|gpu|cuda|card|host|root|gone|gets?))(?!.*(?:\?|\b(?:should|must"
        r"|please|wait|import|set)\b))"
        r".*?\b(?:until [^.;\n]{1,60}? (?:has|have|had) (?:been )?(?:run|started|used)"
        r"(?: (?:a|the) (?:card|gpu))? (?:once|as root)"
        r"|(?:until|unless) (?:I|we|root|some(?:body|one))(?: manually)? (?:runs?|ran|calls?|called"
        r"|execut\w+|starts?|started) [`'\"]?(?:nvidia-smi|nvidia-modprobe|deviceQuery)\b"
        r"[^.;\n]{0,24}? (?:once|first|as root|with sudo|manually|by hand|after \w{4,5} boot)"
        r"|once [^.;\n]{1,80}? has been run,? [^.;\n]{1,60}? until the next (?:re)?boot)",
    ),
    Sign(
        "chinese-goes-down",
        "the same in Chinese",
        ("重启", "关机", "断电"),
        r"\A(?=.{1,200}\Z)(?!.*(?:\?|如果|建议|吗))(?=.*(?:训练|显卡|GPU|跑))"
        r".*?((?:电脑|机器|主机|服务器|系统)[^,。\n]{0,8}(?:自动|突然|直接|总是|就|会|老是)+"
        r"(?:重启|关机|断电)(?!后|之后|以后|过))",
    ),
)
