"""What programs and people say of a GPU that works slowly, or not at all: heat, watts, idling."""

from ..sign import Sign
from ..text import cues

_MONITOR = r"\b(?:HWMonitor|HWiNFO(?:64)?|GPU-?Z|(?:MSI )?Afterburner|nvidia-smi|nvtop)\b"

_MINUTES = (
    r"(?<![\d.])(?:[2-9]|\d\d|several|a few|many|some|two|three|four|five|six|seven|eight|nine|ten"
    r"|fifteen|twenty|thirty)(?: ?[-~] ?\d+| or more|\+)?[ -]?"
    r"min(?:ute)?s?\b"
)
_SECONDS = r"(?<![\d.])(?:[6-9]\d|[1-9]\d\d)(?: ?[-~] ?\d+|\+)? ?seconds\b"
#: The first thing that a program does with a GPU.
_FIRST_COPY = (
    r"\.cuda\(|\.to\((?:device|['\"]cuda)|\bfirst (?:\.?cuda\b|call|operation|tensor|copy|transfer)"
    r"[^.\n]{0,30}(?:\b(?:gpu|cuda)\b|\.cuda)|\b(?:mov|cop|transferr?|push|send)(?:e|y|ing|s|ies)?"
    r" [^.\n]{0,30}\bto (?:the )?(?:gpu|cuda)\b"
)
_STANDS = (
    rf"{_MINUTES}|{_SECONDS}"
    r"|\b(?:stuck|hang(?:s|ing)?|freez(?:es?|ing)|forever|(?:very|a) long(?: time)?)\b"
)
#: A program's first call on a GPU.
_FIRST_USE = (
    r"\.cuda\(|\.to\(|to\((?:device|['\"]cuda)|\bto (?:the )?(?:gpu|cuda)\b|\bfirst (?:call|run"
    r"|epoch|time|batch|step|iteration|operation|forward|session|tensor|\.cuda)|\bsession\b"
    r"|\bstart[- ]?(?:s|ing|ed|up)?\b|\binitiali[sz]\w+|\bbegin(?:s|ning)?\b"
    r"|\bcreat(?:e|es|ing) (?:a |the )?(?:tensor|device|session)"
)
#: What also takes minutes, on a GPU that is served.
_EARLIER_STEP = r"compil\w+|download\w*|install\w*|build\w*|import\w*|if|boot\w*|login|reboot\w*"
#: A time that somebody set or counts down, or after which all was over: no start that goes on.
_SET_TIME = (
    r"\btime[sd]?[- ]?outs?\b|\bexpir\w+|\bidle\b|\bevery \d"
    r"|\b(?:(?:starting|beginning|retry\w*)(?: again)?|will (?:re)?(?:start|begin)) (?:again )?"
    rf"(?:in|after) (?:about )?(?:{_MINUTES}|{_SECONDS})"
    r"|\b(?:fail\w*|close[sd]?|kill\w*|stops|stopped|ends|ended|crash\w*|die[sd]?|abort\w*"
    rf"|disconnect\w*) after (?:about )?(?:{_MINUTES}|{_SECONDS})"
)
#: An epoch computes for as long as it takes, unless those after it are quicker.
_EPOCH = (
    r"\bepochs? (?:takes?|took|lasts?|lasted|needs?|runs? for|in|of)\b"
    r"(?!.*\b(?:others?|rest|later|next|second|subsequent|following|then|afterwards?)\b)"
)

#: Words up to the GPU of a sentence part in which no CPU is named.
_NO_CPU = r"(?:(?!cpu)[^;?\n])"
#: Where a program works on the GPU, but for something that it is told in another way.
_OTHERWISE_ON_GPU = (
    rf"\b(?:(?:without|outside(?: of)?|otherwise)\b{_NO_CPU}{{0,60}}?\b(?:runs?|ran|executes?"
    rf"|computes?|computed|done|executed|works|trains){_NO_CPU}{{0,12}}?|eager(?:ly)?\b{_NO_CPU}{{0,30}}?)"
    r" on (?:the |my )?gpu\b"
)

SLOW_START = Sign(
    "told-slow-start",
    "somebody says that a program stands for minutes when it first uses the GPU",
    ("minute", "mins", "second", "stuck", "hang", "freez", "forever", "very long", "long time"),
    rf"\A(?=.{{1,400}}\Z)(?!Filling queue)(?!.*\b(?:{_EARLIER_STEP})\b)"
    rf"(?!.*(?:{_SET_TIME}|{_EPOCH}))(?=.*(?:{_FIRST_USE})).*?({_STANDS})",
)

SIGNS = (
    SLOW_START,
    Sign(
        "told-never-starts",
        "somebody says that the work on the GPU does not begin, without an error",
        ("never start", "never begin", "not start", "n't start", "does nothing for"),
        r"(?i)\A(?!.*(?:\?|\b(?:if|unless|should|container|server|service|docker|driver|x11|xorg|because|waits?"
        r"|downloads?)\b|Error\b))"
        r".*?\b((?:training|inference|prediction|the (?:first )?(?:epoch|batch|step|iteration))"
        r" (?:never (?:starts?|begins?)|(?:does not|doesn't|won't|will not) start)\b"
        r"|\b(?:on|with) (?:the|my|this) new (?:graphics )?(?:card|gpu)"
        rf" it does nothing for {_MINUTES})",
    ),
    Sign(
        "told-slow-copy",
        "somebody says that the first copy to the GPU takes minutes, before anything else runs",
        ("minute", "mins"),
        rf"\A(?=.{{1,400}}\Z)(?!.*(?:\?|\b(?:{_EARLIER_STEP}|may|might|epochs?|sometimes)\b))"
        rf".*?((?:{_FIRST_COPY})[^.;\n]{{0,80}}?{_MINUTES}"
        rf"|{_MINUTES}[^.;\n]{{0,60}}?(?:{_FIRST_COPY}))",
    ),
    Sign(
        "told-slow-compiling",
        "somebody says that code for the GPU is compiled for minutes",
        ("minute", "mins"),
        rf"(?i)\b(?:compil(?:ing|ation|es?)|jit)\b[^.\n]{{0,24}}\b(?:costs?|takes?|took|lasts?|needs?)\b"
        rf"[^.\n]{{0,16}}{_MINUTES}",
    ),
    Sign(
        "ptx-compiler-busy",
        "somebody finds a program at work in the driver's compiler of PTX",
        ("ptxjitcompiler", "nvptxcompiler"),
        r"(?:\b(?:hangs?|hanging|stuck|stands|spends?|spending|spent|busy|perf|time|cpu|core|stack"
        r"|100 ?%|9\d(?:\.\d+)?%)|\d{2}\.\d{1,2}%)[^\n]{0,120}\b(?:lib)?(?:nvidia-ptxjitcompiler"
        r"|nvptxcompiler)"
        r"|\b(?:nvidia-ptxjitcompiler|nvptxcompiler)[\w.]{0,24}[^\w\n][^\n]{0,60}\b(?:hangs?|stuck"
        r"|busy|all the time|cpu time|100 ?%)",
    ),
    Sign(
        "miner-at-work",
        "a miner of coins speaks",
        cues(
            "t-rex|trex:|phoenixminer|ethminer|nanominer|lolminer|gminer|claymore|ccminer"
            "|cryptodredge|bminer|find nonce| mh/s|miner has already been restarted"
            "|self-restarting miner"
        ),
        r"\b(?:T-Rex \d|TREX: |PhoenixMiner|ethminer|nanominer|lolMiner|NBMiner|GMiner|Claymore"
        r"|ccminer|CryptoDredge|bminer)\b|Can't find nonce|\b\d[\d.]{0,8} MH/s"
        r"|\bMiner has already been restarted|Self-restarting miner",
    ),
    Sign(
        # Its graphs are those of 3D and of copies: CUDA has one of its own, which is not shown.
        "busy-outside-task-manager",
        "another monitor shows a GPU at work, whose graphs in Windows' task manager stay low",
        ("task manager",),
        r"\A(?!(?i:.*\b(?:if|intel|memory|vram|fans?|slow\w*)\b))"
        rf"(?=.{{1,400}}\Z)(?=.*?{_MONITOR}[^.\n%]{{0,30}}\b(?:[6-9]\d|100) ?%)"
        r".*?(task manager)\b[^\n%]{0,40}?(?<![\d.])(?:[12]?\d) ?%",
    ),
    Sign(
        "program-says-too-hot",
        "a program slows or ends its work, as the GPU is too hot",
        (
            *("too hot", "overheat", "temperature limit on gpu", "temperature of gpu exceeds"),
            "driver temperature threshold met",  # hashcat
        ),
        r"\A(?!.*(?:\?|\b(?:if|when|may|might|could|should|not|cpu)\b)).*?"
        r"(\b(?:device|gpu|card) ?#?\d{1,2}\b[^\n]{0,16}\bis (?:running )?(?:too hot|overheat\w+)"
        r"|temperature limit on GPU ?#?\d{1,2} reached|temperature of GPU exceeds"
        r"|Driver temperature threshold met on GPU)",
    ),
    Sign(
        "nvbench-throttled",
        "nvbench discards what it measured at a low clock, far below or again; the value is it",
        ("gpu throttled below threshold",),
        r"GPU throttled below threshold \((\d{1,5})(?:\.\d{1,3})? MHz / [^)\n]{1,20}\)"
        # Nearer to the full clock, and for once, the limit of power keeps many that are well: so
        # the first pauses, which grow, tell nothing.
        r" \((?:[1-4]?\d(?:\.\d{1,3})?% |.*pausing for (?!0\.0))",
    ),
    Sign(
        "told-too-hot",
        "somebody found that heat slows the GPU down",
        ("overheat", "too hot", "thermal", "throttl", "memory temp"),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|may|might|could|maybe|perhaps|probably|not"
        r"|isn't|wasn't|think)\b)).*?\b((?:turn(?:s|ed) out|figured out|found (?:out )?that"
        r"|because|due to|(?:problem|issue|cause|reason) (?:is|was))\b[^.]{0,30}\b(?:gpus?"
        r"|graphics cards?|cards?)\b[^.]{0,20}\b(?:overheat\w*|too hot|(?:thermal(?:ly)? )?"
        r"throttl\w+)"
        r"|\bmemory (?:junction )?temp\w* (?:stands|is|stays|sits|remains|reaches) (?:at )?"
        r"(?:10[4-9]|11\d) ?(?:\u00b0|deg\w*|C)"
        r"|\b(?:my|the|this|both|all) (?:[\w-]+ ){0,2}(?:gpu|graphics card|card)s? (?:is|are|was"
        r"|were|keeps?|gets?|got|runs?|does) (?:\w+ )?(?:overheat\w*|too hot|thermal(?:ly)?"
        r" throttl\w+))\b",
    ),
    Sign(
        "told-slowed-once-hot",
        "somebody saw a GPU that is slowed down, or takes fewer watts, once it is hot",
        (" hot", " warm", "slowed down", "slows", "throttl"),
        r"\A(?=.{1,600}\Z)(?=.*\b(?:gpu|card|graphics|\d0[5-9]0|titan|tesla)\b)"
        r"(?!.*(?:\?|\b(?:if|unless|may|might|could|should|cpu)\b)).*?"
        r"\b((?:once|when|as soon as|after) (?:it|the (?:gpu|(?:graphics )?card))"
        r" (?:is|gets|becomes|got|has become|was) (?:too |very |really )?(?:hot|warm)"
        r"(?:,|\b)[^.\n]{0,60}\b(?:slow(?:s|ed)? (?:itself )?down|throttl\w+|(?:fewer|less)"
        r" (?:watts|power)|clocks? (?:drops?|falls?|goes? down)|loses? (?:its )?speed)"
        r"|(?:slowed down|slows (?:itself )?down|throttl\w+)[^.\n]{0,24} (?:so that it stays"
        r"|to stay|to keep it) (?:at|below|under) (?:7|8|9)\d\b)",
    ),
    Sign(
        "powerd-fails",
        "nvidia-powerd, which raises the power limit of laptops, ends its work: the board refuses",
        cues(
            "failed to get processor power budget|failed to start gpu boost controller"
            "|requested to disable dynamic boost"
        ),
    ),
    Sign(
        "told-of-few-watts",
        "somebody tells what the GPU draws, or that it is slow or throttled for want of power",
        cues("draw|take|limited to|capped at|more than|reach|moves off|throttl|slow| fps"),
        r"(?a)\b(?:draws?|takes?|limited to|capped at|more than|reach(?:es)?|moves off)"
        r" (?:only |about |just |no more than |around |~)?\d{2,3} ?W\b|\bpower[- ]throttl"
        r"|\bslow(?:er|ly)?\b|\b(?:low|lower|poor|bad) fps\b",
    ),
    Sign(
        "power-cap-holds",
        "somebody says that the power cap holds the clocks down for good",
        ("power cap",),
        r"(?:permanent|always|constantly|stuck|pinned)[^\n]{0,30}\b(sw power cap)"
        r"|(sw power cap)\b[^\n]{0,30}(?:pinned|stuck|permanent|lowest)",
    ),
    Sign(
        "told-power-held",
        "somebody says that the GPU never takes more than some watts; the value is how many",
        cues("stuck|stays|held|locked|pinned|never|capped at |randomly drops|suddenly drops"),
        r"\A(?!.*\b(?:if|should|idle|limit|design|average|benchmarks?|TDP|specifications?"
        r"|undervolt\w*|wanted|light|lovely|great|as fast)\b|.*\?).*?"
        r"\b(?:gpu|card|power|tgp)\b[^.\n]{0,30}\b(?:(?:stuck|held|locked|pinned"
        r"|never (?:goes|exceeds|rises|moves|draws|pulls|reaches|gets))\b[^.\n]{0,8}"
        r"\b(?:at|to|above|below|over|off)\b ?"
        r"(?:about |only |just |~)?(\d{2,3}) ?(?:W|watts?)\b"
        r"|stays at ?(?:about |only |just |~)?(\d{2,3}) ?(?:W|watts?)"
        r" (?:under|on|with|at) (?:full|heavy|Linux|load|100)\b"
        r"|(?:randomly|suddenly) drops (?:down )?to (\d{2,3}) ?(?:W|watts?)\b"
        r"|(?:is|stays) capped at ?(?:about |only |just |~)?(\d{2,3}) ?(?:W|watts?)\b[^.\n]{0,20}"
        r"\b(?:even though|although|though|but)\b)",
    ),
    Sign(
        "told-slow-state",
        "somebody saw a GPU slowed down at work: the value is its clock, state or heat",
        (" mhz", "0mhz", "p8 under", "p8 while", "p8 state", "throttl"),
        r"\A(?!.*(?:\?|\b(?:idle|when not|if|should|expected|normal|may|might|could|cpu)\b)).*?"
        r"(?:\b(?:stays?|stuck|remains?|locked|pinned)\b[^.\n]{0,12}\bat ([1-4]\d{2} ?MHz)\b"
        r"[^.\n]{0,24}\b(?:while (?:training|it works)|under (?:full )?load"
        r"|(?:at|with) (?:9\d|100) ?%)"
        r"|\b(P8) (?:under (?:full )?load|while (?:training|it works))"
        r"|\b(?:workload|training|load|job) (?:starts|begins)\b[^.\n]{0,30}\bstays (?:in|at)"
        r" (?:the )?(P8)\b"
        r"|\b(?:gpu|card|it) throttles? (?:at|from) (\d{2,3} ?(?:°|deg|degrees)? ?C)\b"
        r"|\b(?:gpu|card)\b[^.\n]{0,24}\b(?:8[5-9]|9\d|10\d) ?(?:°|deg)? ?C\b[^.\n]{0,12}\bclocks?"
        r" (?:drops?|falls?|goes?)[^.\n]{0,12}?\bto ([1-9]\d{2} ?MHz))",
    ),
    Sign(
        # No GPU that works raises its heat so far and lowers its clock, unless heat is the reason.
        "told-hot-clock",
        "somebody tells of a busy GPU's clock beside its heat: the value is how low, and how hot",
        cues(" mhz|0mhz|5mhz"),
        r"\A(?=.{1,400}\Z)(?!.*(?:\bcpu\b|\bif\b)).*?(?:"
        r"\bclocks? (?:drops?|dropped|falls?|fell|goes down|went down)\b[^.\n]{0,16}\bfrom \d{3,4}"
        r" ?MHz\b[^.\n]{0,12}\bto (\d{3,4} ?MHz) at ((?:8[5-9]|9\d) ?[\u00b0\u00ba]? ?C)\b"
        r"|(?<![\d.])(?:9\d|100) ?% (?:usage|load|util\w*)\b[^.\n]{0,30}?\b([1-6]\d{2} ?MHz)\b"
        r"[^.\n]{0,24}?\b((?:8[5-9]|9\d) ?[\u00b0\u00ba]? ?C)\b)",
    ),
    Sign(
        "pcie-slow-told",
        "somebody says that the link of a GPU is of an older generation than both ends can be;"
        " the value is which",
        ("gen1", "gen2", "gen 1", "gen 2", "pcie", "pci-e"),
        r"\A(?=.{1,500}\Z)(?!.*\b(?:idle|if|power saving)\b).*?(?:"
        r"\bpci-?e\b[^.\n]{0,40}\b(?:degraded|downgraded|dropped|fell|stuck)\b[^.\d\n]{0,20}"
        r"\bfrom (?:version |gen(?:eration)? ?|pcie ?)?([3-6](?:\.0)? (?:down )?to (?:version"
        r" |gen(?:eration)? ?|pcie ?)?[1-3](?:\.0)?)(?![.\d])"
        r"|\bat \W{0,2}(Gen ?[12]) ?x\d{1,2}\W{0,2}[^\n]{0,40}?\binstead of\b)",
    ),
    Sign(
        "told-clock-drop",
        "somebody saw the GPU's clock drop to less than half; the value is how far",
        ("mhz to ", "mhz down to ", "clock down to ", "clocks down to "),
        r"\A(?!.*\b(?:idle|ends?|done|once|P8|when|if|expected|normal)\b|.*\bafter the\b).*?"
        r"\b(?:slows?|drops?|dropp(?:ed|ing)|falls?|fell|goes|throttles?)\b[^.\n]{0,12}\bfrom"
        r" (?:about |~)?[12]\d{3} ?MHz (?:down )?to (?:about |only |~)?([1-6]\d{2}) ?MHz"
        r"|\b(?:pulls?|brings?|takes?|forces?) (?:the |its |both )?(?:gpu |core )?clocks? down to "
        r"(?:about |only |~)?([1-4]\d{2}) ?MHz",
    ),
    Sign(
        "training-takes-days",
        "a training tells that it will take days",
        ("eta: ",),
        r"\beta: (?:[2-9]|\d\d) days, \d",
    ),
    Sign(
        "goes-to-cpu-told",
        "somebody says that work leaves the GPU for the CPU once it is written in another way",
        ("without", "outside", "otherwise", "eager"),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:unless|should|would|may|might|want|fix(?:e[sd])?|solved"
        rf"|cuda|driver|gpu build)\b))(?=.*{_OTHERWISE_ON_GPU})"
        r".*?\b((?:runs?|executes?|computes?|goes|moves|switch(?:es|ed)|jumps|falls|fell"
        r"|(?:is|are|gets?) (?:run|done|executed|computed|placed|moved|performed))\b"
        r"[^.;\n]{0,40}?\b(?:on|to|onto) (?:the |my )?cpu\b)",
    ),
    Sign(
        "told-idle",
        "somebody says that the GPU has nothing to do while the program computes",
        cues(
            "on the processor|on my processor"
            "|utili|gpu-util is|gpu-util stays|gpu-util remains|gpu-util shows|gpu usage|% gpu"
            "|gpu load|idle|on cpu|on the cpu|only cpu|use gpu|use the gpu|use my gpu|using cpu"
            "|uses cpu|cpu for |cpu is used|any gpu |only the cpu|cpu is being|gpu is not"
            "|no process|no running process|gpu 0|gpu: 0|gpu at 0|gpu is at 0|uses the cpu"
            "|the cpu that |by the cpu|does nothing|nothing to do|load is 0|gpu memory|vram usage"
            "|but not used|seem to use|gpu isn't|not being used|instead of gpu|instead of the gpu"
            "|its load|its usage|利用率|使用率|gpu不工作|没有使用gpu|没用gpu|没有被使用|在cpu"
        ),
        r"\A(?=.{1,400}\Z)(?!.*(?:\b(?:if|unless|may|might|should|would|could be|maybe|between"
        r"|drops?|dropped|sometimes|fluctuat\w*|at first|works? fine|fallback|offload\w*"
        r"|some (?:functions|kernels|layers|operations|ops))\b)).*?("
        r"\bgpu(?:-| |'s )?(?:util\w*|usage|load)[^.,;\n]{0,24}?(?:\bis|\bstays?|\bremains?"
        r"|\bshows?|\bat|\balways|:)[^.,;\n]{0,12}\b(?:0 ?%|0 percent|zero)"
        r"|\bgpu\b[^.;\n]{0,40}\b(?:but|yet|while|and|though) its (?:util\w*|load|usage)"
        r"(?: is| stays| remains)(?: always| constantly)?(?: at)? (?:0|zero)\b(?!\.\d)"
        r"|(?<![\d.])0 ?% (?:gpu|utili[sz]ation|of (?:the |my )?gpu)"
        r"|\b(?:gpu|graphics card)\b[^.,;\n]{0,40}?\b(?:(?:is|was|are)(?: not|n't)|not) (?:being )?"
        r"(?:used|utili[sz]ed)\b"
        r"|\b(?:gpu|graphics card|the (?:T4|[AHLPV]\d{2,3}S?|\d0[5-9]0)) does nothing\b"
        r"(?! (?:for|to|about))"
        r"|(?<!cpu )\bload is (?:at |always |only )?0 ?%"
        r"|\bgpu(?: \d)? has (?:next to |almost |nearly )?nothing to do\b(?! (?:with|for)\b)"
        r"|\b(?<!when )(?<!when the )(?<!when my )(?:gpu|graphics card) (?:is|stays|sits|remains)"
        r"(?: (?:present|there|installed|detected|found|visible|available),? (?:and|but|yet))?"
        r" (?:is |stays )?(?:(?:complete|total|most|entire)ly |pretty |just |always )?idle\b"
        r"|\b(?:does(?: not|n't)|is(?: not|n't)|not|never) (?:use|using|uses) (?:the |my |any )?"
        r"gpus?\b(?! (?:memory|ram))"
        r"|\b(?:models?|training|trains?|inference|computation|calculations?|everything|it|code"
        r"|process|runs?|running)\b[^.,;\n]{0,24}\bon (?:the |my )?cpu\b(?: only| instead|$|[.,;!])"
        r"|\b(?:runs|works|trains|computes?|calculates?)\b[^.;\n]{0,16} on (?:the |my )?"
        r"(?:cpu|processor) (?:only|alone)\b"
        r"|\b(?:only|still) (?:runs?|running|uses?|using|trains?|training)(?: on)? (?:the )?cpu\b"
        r"|\bit is the cpu that (?:does (?:all )?the (?:work|training)|computes|trains)"
        r"(?=\s*(?:[.,;!]|\Z))"
        r"|\b(?:all (?:of it|the (?:work|computing|training))|everything) is (?:being )?"
        r"(?:done|computed) (?:by|on) the cpu"
        r"(?=\s*(?:[.,;!]|\Z))"
        r"|\b(?:not? see(?:ing)?|no|not) any gpu (?:use|usage|activity|utili[sz]ation)\b"
        r"|\bno gpu (?:usage|activity|utili[sz]ation)\b"
        r"(?! (?:limit|chart|quota|cap|graph))"
        r"|\b(?:it|model|training|inference|everything|program|process) stays on (?:the )?cpu\b"
        r"|\buses? only (?:the |my )?cpus?\b|\bonly (?:the |my )?cpus? (?:is|are|was) (?:being )?"
        r"(?:used|utili[sz]ed)\b"
        r"|\b(?:uses?|using) (?:the |my )?cpu (?:instead of|rather than|and not) (?:the |my )?gpu\b"
        r"|(?:\A\W{0,3}use|\b(?:uses|is using|it use|still use)) (?:the )?cpu for (?:the )?"
        r"(?:inference|training)\b"
        r"|\bnvidia-smi\b[^\n]{0,80}?(?<![\d.])0 ?%[^\n]{0,60}?\bno (?:running )?process"
        r"|\bcpus?\b[^.\n]{0,16}\b100 ?%[^.\n]{0,24}\bgpu\b[^.\d\n]{0,8}0 ?%"
        r"|\bgpu\b[^.\d\n]{0,8}0 ?%[^.\n]{0,24}\b(?:cpus?|cores?)\b[^.\n]{0,16}\b(?:100 ?%|busy)"
        r"|\b(?:gpu|graphics card)\b[^.\n]{0,12}\b(?:does|doing|did) nothing\b"
        r"|\bgpu memory(?: usage)? (?:stays|is|remains) (?:at )?0\b"
        r"|\b(?:gpu memory|vram) usage (?:is|was|stays|remains)\b[^.,;\n]{0,24}(?<![\d.])0 ?MB\b"
        r"|\bnvidia-smi\b[^.\n]{0,24}\bno (?:running )?process|\bno (?:running )?processes found in"
        r" nvidia-smi\b"
        r"|\bgpu\b[^.\n]{0,16}\bdetected,? but not (?:being )?used\b"
        r"|\b(?:doesn't|does not|don't|do not) seem to use (?:the |my )?gpu\b"
        r"|\bgpu (?:usage|util\w*) never (?:goes|rises|gets) above [0-3] ?%"
        r"|(?:GPU|显卡)(?:的)?[利使]用率(?:一直|始终)?(?:都)?(?:是|为)?\s?0"
        r"|(?:没有?(?:使用|用到|用上|用|调用)(?:到)?)\s?(?:GPU|显卡)|(?:GPU|显卡)(?:没有|没)(?:被)?(?:使用|工作|用)"
        r"|(?:还|仍然?|却|都)?是?在\s?CPU\s?上(?:运行|跑|训练|计算))",
    ),
)
