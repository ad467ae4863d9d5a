"""What people say of a fault that is over, of one that they want so, and note of an output."""

from ..sign import Sign
from ..text import cues

_WORKS = r"(?:works|is working|runs|is running|is fine)"

SIGNS = (
    Sign(
        "repair-told",
        "somebody says that the fault is over",
        cues(
            "solved|fixed|works|working|went away|is gone|are gone|no longer my|since |i forgot"
            "|i just forgot|i simply forgot|i only|已解决|解决了|is fine|runs|is running"
            "|no longer the|that was it|sorted|cured|culprit|closing note|post-mortem|postmortem"
            "|reporting back|settled"
        ),
        r"\A(?!.*(?:\?|\b(?:but|still|until|every|each|sometimes|only|not solved|not fixed|cpu)\b"
        r"|\b(?:one|new|another|next|other) (?:error|problem|issue|machine)"
        r"|\b(?:now and (?:then|again)|next time|the same|thought|for (?:a|an|some|\d+)\b)"
        r"|\bnow (?:I|we|it|this|the|there)(?: only| just)? "
        r"(?:get|got|see|have|fail|one|error|is)))(?:"
        r"(?:re|fwd?|aw)?\W{0,8}(?:it is |that is |is |was |got )?(?:solved|fixed)(?!\W{1,3}no\b)"
        r"(?:\W{0,3}\Z|[\].,:;!)]| (?:it|by|after|thanks|now|since)\b)"
        rf"|.*\b(?:it|everything|all|cuda|torch|gpu) (?:now {_WORKS}|{_WORKS} (?:now|again))\b"
        r"(?! (?:when|if|after|on)\b)"
        r"|.*\b(?:that|it|which|this|error|message) (?:went away|is gone (?:now|since))\b"
        r"|.*\bno longer (?:my|the) (?:question|problem)\b"
        r"|.*\bI (?:just |only |simply )?forgot (?:the (?:flag|option|argument)"
        r"|to (?:restart|reboot|start|enable|install|pass|add|set|load|activate|enrol\w*))\b"
        r"|.*\bthat was it\b(?! (?:not|for))|\W{0,8}(?:update|edit)\b\W.{0,30}(?<!not )\bsorted\b"
        r"|.*\b(?:cured (?:that|it|this)|(?:was|turned out to be) the culprit)\b"
        r"|.*\b(?:closing note|post-?mortem|reporting back)\b"
        r"|.*\bwent away (?:after|with|by) (?:the|a|my) (?:re)?(?:boot|start|install|update)\w*"
        r"|.*(?:已解决|解决了))"
        r"|\b(?:so|now) (?:it|that|this)(?:'s| is) settled\b"
        r"|\bit(?:'s| has| is) been (?:good|fine|running) (?:ever )?since\b"
        r"|\b(?:it|that|this)(?:'?s| is) (?:over|gone) since (?:I|the|that|a|my)\b"
        r"|\bsince (?:the|that|a|my) (?:re)?(?:boot|start|install|update)\w*"
        r" (?:it|that|this)(?:'?s| is) (?:over|gone)\b"
        r"|\b(?:have|has) not (?:had|seen|got) (?:a|one|any) [^.\n]{0,24}\bsince\b",
    ),
    Sign(
        "present-told",
        "somebody goes on with what the same machine does today",
        cues(
            "since then|ever since| now|today|swapped|replaced|exchanged|at last|finally|rebuilt"
            "|recompiled|reinstalled|наконец|теперь|endlich|jetzt|adesso|ricompilat|reinstallat"
            "|enfin|maintenant|ahora|por fin|recompilad|现在|終於|终于|after the |after a "
            "|after my |after that |after this "
        ),
        r"(?i)\A(?!.*(?:\?|\b(?:but|still|until|cpu|however|same"
        r"|fail\w*|errors?|gets?|not|each|every|again|ends?|like this|until)\b))(?:"
        r".*\b(?:since then|ever since|(?:guest|host|state|status) (?:now|today)"
        r"|(?:now|today) (?:it|this|the machine) (?:prints|says|shows|gives))\b[^:\n]{0,100}:\W*\Z"
        r"|\W{0,4}(?:(?:the )?(?:result|output|state) )?after (?:the|a|my|that|this) (?:\w+ ){0,2}?"
        r"(?:repair|fix|re-?install\w*|rebuild|change|swap)\b[^:\n]{0,40}:\W*\Z"
        r"|.*\b(?:gpus?|card|board|riser|cable|psu|power supply|module|mainboard|motherboard)"
        r" (?:(?:was|were|has been|got) )?(?:swapped|replaced|exchanged)\b"
        r"|\W{0,4}(?:rebuilt|recompiled|reinstalled|ricompilat[oa]|reinstallat[oa]|recompilado)"
        r"\b[^:\n]{0,100}:\W*\Z"
        r"|.*\b(?:it|everything|that|card|gpu|all) (?:works|runs|is found|is seen)"
        r" (?:at last|finally)"
        r"|.*\b(?:наконец(?:-то)? (?:работает|заработал\w*)|теперь(?: всё)? (?:так|работает)\b)"
        r"|.*\b(?:(?:läuft|geht|funktioniert) (?:es )?(?:jetzt|endlich)"
        r"|(?:adesso|ora) funziona|(?:marche|fonctionne) (?:enfin|maintenant)"
        r"|(?:ahora|por fin) funciona)\b"
        r"|.*(?:现在(?:可以|好)了|终于(?:可以|好)了))",
    ),
    Sign(
        "survived-told",
        "a program went on after a failure by itself",
        cues(
            "restored from|resumed from|resuming from|batch size|attempt|halves|by itself"
            "|to the end|was re|were re|got re|retried|retries"
        ),
        r"\b(?:restored|resumed|resuming) from (?:checkpoint|step|epoch|the last)"
        r"|\battempt \d{1,3} (?:of|/) ?\S"
        r"|(?:->|=>|\b(?:retrying|continuing|going on) with) (?:a )?(?:smaller )?batch size"
        r"|\b(?:by halves|halves (?:it|the))\b"
        r"|\b(?:trains?|trained|runs?|ran|went on|goes on) (?:on )?to the end\b(?! on\b)"
        r"|\b(?:goes|went) (?:on|down) [^.\n]{0,24}\bby itself\b"
        r"|\b(?:was|were|got) (?:repeated|rerun|re-run|requeued)\b|\bretri(?:ed|es)\b",
    ),
    Sign(
        "fault-made",
        "somebody makes a GPU's error in order to see what a monitor does",
        ("inject", "trigger", "simulat"),
        r"\b(?:inject|trigger|simulat)\w{0,3}\b[^\n]{0,24}\bxid\b",
    ),
    Sign(
        "fault-on-purpose-told",
        "somebody says that a program was written to fail",
        ("on purpose", "purposely", "deliberately", "intentionally"),
        r"\b(?:faulty|broken|buggy|wrong) (?:on purpose|by intention)\b"
        r"|\b(?:purposely|deliberately|intentionally) (?:faulty|broken|buggy|wrong)\b",
    ),
    Sign(
        "simulated-told",
        "somebody hides a GPU from one process in order to see what a program does without",
        ("simulated", "simulate "),
        r"\bsimulated? (?:it |that |this )?by (?:hiding|masking|removing|unloading) "
        r"(?:the |my |all |every )?(?:gpus?|cards?|devices?|driver)\b",
    ),
    Sign(
        "as-before-told",
        "somebody goes back to what the machine was before, and shows that",
        ("if i ", "when i "),
        r"\b(?:if|when) I (?:take|boot|go back to|switch back to|downgrade)\b",
    ),
    Sign(
        "other-state-told",
        "somebody goes on with another state of the machine, or with another machine",
        cues(
            "if i |when i |old |older |other |previous |second |next |neighbour|outside |without "
            "|on the host|as root|colleague|friend|flatmate|labmate"
        ),
        r"\b(?:if|when) I (?:take|use|boot|go back|switch|downgrade|start|run|copy|install)\b"
        r"|\b(?:old(?:er)?|other|another|previous|second|next|colleague's|friend's|neighbour's)"
        r" (?:env\w*|machine|kernel|container|venv|box|node|pc|computer|laptop|server|account|user"
        r"|image|version|card|workstation|desktop)\b"
        r"|\b(?:outside|without) (?:of )?(?:the container|docker|slurm|wsl)\b|\bon the host\b"
        r"|\bas root\b|\b(?:my|a|the|our) (?:colleague|friend|flatmate|labmate)\b",
    ),
    Sign(
        "purpose-told",
        "somebody says that a program leaves the GPU alone on purpose",
        cues(
            "by choice|by intention|by design|on purpose|intentional|deliberate|as intended"
            "|so that it leaves|to leave the|by us|by me|meant to stay|meant to run|users want"
            "|it should be|it ought to be|it was meant to be"
        ),
        r"\b(?:which|that) is (?:exactly |just )?(?:how|as) it (?:should|ought to|was meant to)"
        r" be\b"
        r"|\b(?:capped|limited) (?:at|to) \d{2,4} ?W\b[^.\n]{0,24}(?<!\bnot )\bby (?:us|me)\b"
        r"|\A(?=.*(?:\d W\b|\b(?:cpu(?:only)?|cores|hid\w*|leaves?|without|disabled?|off"
        r"|provoked?|cuda_visible_devices)\b))"
        r"(?!.*(?:\?|\b(?:but|nobody|no one|never|not (?:choose|set|want|ask|do)|did)\b|n't\b))"
        r".*\b(?:by (?:choice|intention|design)|on purpose|intentional(?:ly)?|deliberate(?:ly)?"
        r"|as intended|so that it leaves|to leave the (?:gpus?|cards?)"
        r"|meant to (?:stay|run) (?:off the (?:gpus?|cards?)|on the (?:cpus?|cores))"
        r"|as our users want)\b",
    ),
    Sign(
        "wrong-output-noted",
        "somebody notes below a command that what it gives is wrong",
        ("wrong", "incorrect", "garbage", "garbled", "nonsense"),
        r"\A\s{0,8}(?:-{1,3}>|={1,2}>|\u2192)\s{0,4}(?:results? (?:is|are) )?"
        r"(wrong|incorrect|garbage|garbled|nonsense)\b(?!.*\b(?:error|path|version|argument)\b)",
    ),
)
