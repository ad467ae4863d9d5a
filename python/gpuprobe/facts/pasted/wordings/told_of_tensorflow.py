"""What people say of TensorFlow, CUDA and their GPU in a sentence, without a program's words.

Each is a circumstance: the tables, or a version in the same sentence, decide whether it matters.
"""

from ..sign import Sign
from . import told_of_work

#: In front of a pattern: a line of a sentence's length that neither advises nor supposes.
_NO_ADVICE = (
    r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|may|might|should|would|whether|please|fix(?:e[sd])?"
    r"|solved|no longer happens|nvidia-smi|drivers?)\b))"
)
_PLAINLY = rf"{_NO_ADVICE}(?!.*\b(?:until|at least|or (?:later|newer|higher))\b).*?"
_NOT = r"(?:do(?:es)?(?: not|n't)|will not|won't|did(?: not|n't)|cannot|can't|could(?: not|n't))"
_WANTS = (
    r"(?:asks? for|wants?|needs?|looks? for|requires?|expects?|is looking for|(?:is|was) (?:built|"
    r"compiled|made) (?:for|with|against))"
)
_HERE = (
    r"(?:(?:this|my|our|the) (?:computer|machine|pc|server|system|laptop|node|box|host) (?:has|runs"
    r"|comes with|is on)|(?:I|we) (?:have|run|use|installed)|(?:installed|mine|there|here) is"
    r"|(?:there|here) (?:it )?is)"
)
#: One more release in a list of them, but no nightly build, of whose CUDA no table tells.
_ANOTHER = (
    r"(?: ?(?:/|,|;|&|\bor\b|\band\b) ?"
    r"(?:v?(\d\.\d{1,2})(?:\.\d)?(?![\w.]*dev)\b|v?\d\.\d{1,2}\.[\w.]*dev\w*))"
)
#: The one CUDA that serves a program, and the one that is there.
_ONLY = (
    r"(?:(?:only (?:works?|runs?) with|(?:works?|runs?) only with|only (?:supports?|takes?))"
    r" cuda (\d{1,2}\.\d)\b|(?:works?|runs?) with cuda (\d{1,2}\.\d) (?:only|alone)\b)"
)
_THERE = (
    r"(?:cuda ?(\d{1,2}\.\d) (?:has to (?:go|be (?:removed|uninstalled))|must go|is installed"
    r"|is (?:there|here|what (?:I|we) have))|(?:I|we) (?:have|installed) cuda ?(\d{1,2}\.\d))"
)
#: What somebody installed, and what a program turns out to want, which stands first in the value.
_CUDA = r"cuda(?:[ -]?toolkit)?"
_BUT_WANTS = (
    r"\A(?=.{1,400}\Z)(?!.*\b(?:if|unless|may|might|should|would|please|fix(?:e[sd])?|solved"
    r"|drivers?)\b).*?\b(?:I|we)(?:'ve| have)?(?: already| just)? (?:installed|have|use|got)\b"
    r"(?=[^.?\n]{0,60}?\d[^?\n]{0,60}?\b(?:but|yet|whereas|however|while)\b"
    r"(?:(?!\b(?:gpus?|cards?)\b)[^.?\n]){0,60}?\b(?:needs?|wants?|requires?|expects?|asks? for"
    r"|look(?:s|ing)? for|search(?:es|ing)? for) (?:the |its |version ){0,2}"
    rf"(?:{_CUDA} ?v?(\d{{1,2}}\.\d)\b"
    r"|v?(\d{1,2}\.\d)(?: version)?(?: of)? (?:the )?cuda\b))"
    rf"[^.?\n]{{0,40}}?\b{_CUDA}(?: and cudnn)?(?: version)? ?v?(\d{{1,2}}\.\d)"
    r"(?!\w|\.\d{2})"
)
#: More than a desktop takes of a GPU, and less than work that fills it.
_IN_PART = r"(?<![\d.])(?:\d{1,2} ?%? ?- ?)?([2-8]\d) ?%"
#: How a load goes to and fro.
_SWINGS = (
    r"(?:swing|jump|fluctuat|oscillat|alternat|switch|bounc|vary|varie|chang)(?:s|es|ing)\b"
    r"|\bgo(?:es|ing) back and forth"
)
#: Where somebody sets a variable.
_PLACES = ("script", "code", "file", "program", "notebook", "import")

#: All GPUs of a machine, however they are called: "all 8 GPUs", "every card", "all the K80s".
_ALL_GPUS = (
    r"(?:(?:all|both)(?: of)?(?: (?:the|my|our|these))?"
    r"(?: (?:\d{1,2}|two|three|four|six|eight))?(?: (?:available|visible|installed))?"
    r"(?: [\w-]{1,12}){0,2} (?:gpus|cards|[a-z]{0,3}\d{2,4}s)\b"
    r"|(?:each|every)(?: one)?(?: of (?:the|my|our))?(?: [\w-]{1,12})? (?:gpus?|cards?)\b)"
)

#: That a program works on the GPU; and that somebody asked for the CPU, in spite of which it does.
_ON_GPU = (
    r"\b(?:runs?|running|ran|trains?|uses?|using|computes?|takes?|goes|loads?)\b[^.\n]{0,24}?"
    r"\b(?:gpu|cuda)\b"
)
_IN_SPITE = r"\b(?:even (?:if|though|when|with)|although|despite|in spite of|regardless of)\b"
_CPU_ASKED = (
    r"(?:\bcpu\b[^.\n]{0,6}\b(?:flag|mode|option|device|setting|set|chosen|selected|specified"
    r"|requested|asked|forced)\b|\b(?:set|asked?|chose|choose|select\w*|specif\w+|request\w*"
    r"|forced?|told|pass\w*|gave|give)\b[^.\n]{0,24}?\bcpu\b)"
)

SIGNS = (
    Sign(
        "internal-error-told",
        "somebody says that a computation on the GPU ends with an internal error",
        ("internal error", "convolution"),
        r"\A(?=.{1,300}\Z)(?!.*(?:\?|\b(?:if|unless|fixed|solved|no longer|build|compil\w+)\b)).*?"
        r"\b((?:stops?|fails?|ends?|crash(?:es)?|breaks?|aborts?|dies)"
        r" (?:[^.,;\n]{0,24} )?(?:with an internal error"
        r"|(?:at|on|in) (?:the|its) first convolution))",
    ),
    Sign(
        "told-other-cuda",
        "somebody says which CUDA TensorFlow asks for, and which one is there: the value is both",
        (
            *("tensorflow", "deepspeech", "onnx", " tf ", "mxnet"),
            *("instead of", ", not", "rather than", "despite having"),
            *("toolkit", "installed cuda"),
        ),
        rf"{_PLAINLY}\b(?:tensorflow|deepspeech|onnx ?runtime|tf|mxnet)(?:-gpu)?\b"
        rf"(?:[ =-]{{1,2}}v?\d[\d.]{{0,8}})?[^.,;\n\d]{{0,16}} {_WANTS} "
        r"[^.,;\n]{0,24}?(?:lib)?(?:cublas|cudart|cuda)"
        r"\S{0,4} ?v?(\d{1,2}\.\d)\b[^.\n]{0,40}?"
        rf"\b{_HERE} [^.,;\n]{{0,24}}?\bcuda\S{{0,2}} ?(?:toolkit )?v?(\d{{1,2}}\.\d)\b"
        # Of any program, which of the two it takes for the other.
        rf"|{_PLAINLY}\b(?:look(?:s|ed|ing) for|search(?:es|ed|ing)? for|asks? for|wants?)"
        r" (?:the )?cuda ?v?(\d{1,2}(?:\.\d)?)(?: libraries| files| runtime)?,?"
        r" (?:instead of|and not|not|rather than) (?:for )?(?:the )?(?:cuda ?)?"
        r"v?(\d{1,2}(?:\.\d)?)\b"
        r"|\blib(?:cublas|cudart|cufft|curand|cusolver|cusparse)\.so\.(\d{1,2}\.\d)\b"
        r"[^\n]{0,24}? despite having (?:installed )?cuda ?v?(\d{1,2}\.\d)\b"
        rf"|{_NO_ADVICE}(?=.*\b(?:tensorflow|tf|mxnet)(?:-gpu)?(?: v?\d[\d.]{{0,8}})? {_ONLY})"
        rf".*?\b{_THERE}\b"
        rf"|{_BUT_WANTS}",
    ),
    Sign(
        "cuda-libraries-missed-told",
        "somebody says that CUDA's libraries are missing, and names none of them",
        ("cuda libraries", "cuda libs", "cuda dlls", "cuda runtime libraries"),
        r"(?:\A|[.:;,!] |\b(?:since|because|as|and|but|(?<!sure )that) )\W{0,2}"
        r"(?:the |its |all |some )?(?:nvidia )?(CUDA (?:runtime )?(?:libraries|libs|DLLs)) "
        r"(?:(?:seem|appear)(?: to be)?|are|were|have been)"
        r" (?:still |all |simply |completely )?(?:missing|absent|not (?:found|installed|included"
        r"|there|present|shipped|part of))\b(?![^.\n]{0,80}\?)",
    ),
    Sign(
        "told-all-gpus-taken",
        "somebody says that a program takes the memory of all GPUs",
        (" all ", "all the ", " both ", " each ", " every "),
        r"\A(?=.{1,400}\Z)(?!.*\b(?:if|unless|should not|might|mirrored\w*|multi_gpu\w*"
        r"|distribut\w+|data[ -]?parallel\w*|horovod|nccl|ddp|as expected|faster"
        r"|(?:by|for) (?:jobs?|processes|others?|other))\b)"
        r".*?(\b(?:takes?|took|grabs?|grabbed|occup(?:y|ies|ied)|reserves?|hogs?|eats?|fills?"
        r"|allocates?|claims?)(?: up)?(?: (?:the )?(?:memory|vram)(?: (?:of|on|from|in))?| on)? "
        rf"{_ALL_GPUS}(?![^.,?\n]{{0,80}}\?)"
        rf"|\b{_ALL_GPUS}(?:'s)?(?: memor(?:y|ies))?(?: in [^.,?\n]{{1,24}}| of [^.,?\n]{{1,24}})?"
        r" (?:gets?|is|are|was|were|becomes?)"
        r" (?:all |almost |completely |fully )?(?:occupied|taken|filled|allocated|grabbed|reserved"
        r"|full\b|used up))",
    ),
    Sign(
        "told-not-together",
        "somebody says that CUDA and what is built for it do not go together",
        ("cuda",),
        rf"{_PLAINLY}\b({_NOT} (?:go|work|fit|play|get along|run) (?:well |nicely )?together"
        r"|do(?: not|n't) (?:match|fit) each other|are(?: not|n't) compatible|are incompatible"
        rf"|{_NOT} (?:match|fit|go with|work with) (?:the |my |this |that )?(?:installed )?cuda\b"
        r"|(?:is|are) (?:not compatible|incompatible) with (?:the |my |this )?(?:installed )?"
        r"cuda\b)",
    ),
    Sign(
        "told-not-running-on-gpu",
        "somebody says that a program does not run on a GPU, and tells no error",
        (" on ", "no error", "any error", "an error", "gpu mode", "with gpu", "with the gpu"),
        rf"{_NO_ADVICE}(?:"
        rf".*\bgpu mode (?:(?:works|runs) (?:on|with) neither\b|{_NOT} (?:work|run)\b)"
        rf"|.*\bwith (?:the )?gpu {_NOT} get through\b"
        r"|(?!.*\b(?:containers?|docker|images?|games?|browser|video)\b)"
        rf".*?(?:\b({_NOT} (?:even )?(?:run|work|start|train|function|compute"
        r"|(?:get|do) anything(?: done)?)(?: at all)? on (?:it\b|(?:the|my|this|that|an?|our|its)"
        r" (?:new )?(?:nvidia )?(?:geforce )?(?:gpu|(?:graphics )?card|rtx|gtx|tesla|titan|[avhl]\d"
        r"|\d{4}\b)))"
        r"|\b(?:is over|ends|exits|closes|quits|stops|terminates|it was over)\W{1,3}(?:with no"
        r"|without an?y?) error\b))",
    ),
    Sign(
        "visible-devices-far-down-told",
        "somebody says that the visible devices are set late in the program, and change nothing",
        (
            *(f"the {each}" for each in _PLACES),
            *(f"my {each}" for each in _PLACES),
            *("after import", "below import", "behind import", "all import"),
            *("tensorflow import", "torch import", "keras import", "other statements"),
        ),
        rf"{_PLAINLY}(?=.*\b(?:lines?|set|variable|environ\w*)\b)"
        r"(?!.*\b(?:before|above) (?:(?:the|any|all|my|every|\w{2,12}) ){0,2}imports?\b"
        r"|.*\bbefore import)"
        r"(?=.*\b(?:all (?:of )?(?:the |my )?(?:\w+ )?(?:gpus|cards)|still|all the same|nonetheless"
        r"|anyway|no effect|nothing changes|first gpu|gpu ?0)\b)"
        r".*?\b((?:(?:far|further|farther|way|lower|late) (?:down |below )?(?:in|of) (?:the|my)"
        r" (?:script|code|file|program|notebook))"
        r"|(?:after|below|behind) (?:the |all |my )*(?:tensorflow |torch |keras )?imports?\b"
        r"|not (?:near|at) the imports?\b|after (?:many |several )?other statements)",
    ),
    Sign(
        "slower-than-cpu-told",
        "somebody finds the CPU faster than a GPU that is in use; the value is how much it is",
        (" cpu", "cpu is", "cpu was", "cpu does"),
        r"\A(?=.{1,400}\Z)(?!.*\b(?:if|unless|not used|unused|errors?|crash\w*|fail\w*|hangs?"
        r"|stuck|throttl\w*|out of memory|oom|watts?|mhz|heat|hot|docker|wsl)\b)"
        r"(?=.*\b(?:(?:cpu (?:is|was|does it) (?:much |even |clearly )?(?:faster|quicker))"
        r"|(?:longer|slower|as long|as slow)\b[^.\n]{0,40}\b(?:as|than)\b[^.\n]{0,16}\bcpu))"
        r".*?(?:\bgpu (?:utili[sz]ation|usage|load|util)\b[^.,\n%]{0,20}?"
        r"(?<![\d.])([1-9]\d) ?%|(?<![\d.])([1-9]\d) ?% of the gpu (?:is|gets)"
        r" (?:in use|used))",
    ),
    Sign(
        "gpu-in-spite-told",
        "somebody sees a program use the GPU though the CPU was asked for",
        ("even ", "although", "despite", "in spite of", "regardless"),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:unless|should|would|might|not|n't|cannot|errors?|crash\w*"
        r"|fail\w*|memory|oom|slow\w*|no gpu)\b))"
        rf".*?({_ON_GPU}[^.\n]{{0,40}}?{_IN_SPITE}[^.\n]{{0,24}}?{_CPU_ASKED}"
        rf"|{_IN_SPITE}[^.\n]{{0,24}}?{_CPU_ASKED}[^.\n]{{0,24}}?{_ON_GPU})",
    ),
    Sign(
        "gpu-swings-told",
        "somebody sees the GPU busy and idle by turns, as one that waits for its data",
        ("gpu-util", "gpu util", "gpu usage", "utili"),
        r"\A(?=.{1,300}\Z)(?!.*\b(?:hangs?|stuck|crash\w*|errors?|fail\w*|throttl\w*|mhz"
        r"|dies|then (?:stays|remains)|forever|for good)\b)"
        r".*?\bgpu[- ](?:utili[sz]ation|util|usage)\b[^\n]{0,50}?(?:"
        rf"\b(?:{_SWINGS})\b[^.\n]{{0,24}}?"
        r"\b(?:0 ?%?[^\d.\n]{1,8}[3-9]\d|(?:[3-9]\d|100) ?%?[^\d.\n]{1,8}0\b(?!\.\d))"
        # At work all the time, now more and now less.
        rf"|\b(?:{_SWINGS}) between (?:about |around |~)?(?:[5-9]|[1-7]\d) ?%? and"
        r" (?:about |around |~)?(?:[3-9]\d|100) ?%"
        r"|\b(?:[3-9]\d|100) ?%[^%\n]{0,40}?(?<![\d.])0 ?%[^%\n]{0,30}?(?:[3-9]\d|100) ?%"
        r"[^\n]{0,4}\b(?:again|and so on)\b)",
    ),
    Sign(
        "gpu-used-in-part-told",
        "somebody sees the GPU at work, with much of it left",
        ("% of ", "gpu-util", "gpu util", "gpu usage"),
        r"\A(?=.{1,400}\Z)(?!.*\b(?:if|errors?|fail\w*|crash\w*|hangs?|stuck|throttl\w*|watts?"
        r"|[mg]hz|pcie|hot|heat|fans?|clocks?|power|video|games?|browser|desktop|used to|before"
        r"|drops?|other gpu|cpu (?:does|is|at|usage|load)|(?:only|mostly) (?:the )?cpu)\b)"
        r".*?(?:\b(?:uses?|using|takes?|occupies|utili[sz]es)"
        rf"(?: (?:only|just|about|around|roughly|some))* {_IN_PART}"
        r" of (?:\d |one |the |my |each |a )?(?:gpus?|cards?)\b(?! (?:memory|ram|vram))"
        r"|\bgpu[- ](?:utili[sz]ation|util|usage)\b"
        r"(?: (?:is|stays|remains|of|at|only|just|about|around|roughly|always))+"
        rf" {_IN_PART}(?!\w))",
    ),
    Sign(
        "gpu-waits-for-data-told",
        "somebody found that the GPU waits for what loads its data",
        ("waiting", "waits", "starv", "idle"),
        r"\A(?=.{1,300}\Z)(?!.*\b(?:if|hangs?|stuck|deadlock\w*|crash\w*|errors?|fail\w*|forever"
        r"|nccl|may|might|probably|maybe)\b)"
        r".*?\b(?:gpus?|cards?)\b (?:just |only |mostly |often )?(?:(?:sits?|stands?|is|are|stays?)"
        r" (?:there |idle |mostly |often |just )?(?:and )?(?:waiting|waits|starved|starving|idle"
        r" waiting)"
        r"|waits) (?:for|of|on) (?:its |the |their )?(?:next )?(?:batch\w*|data\b|data ?loader"
        r"|loader|inputs?\b)",
    ),
    Sign(
        "cuda-context-made-told",
        "somebody made a CUDA context, and it went well",
        ("cuda context",),
        r"\A(?=.{1,200}\Z)(?!.*(?:\?|\b(?:if|not|n't|never|until|before|then|but|fail\w*|should"
        r"|error)\b))"
        r".*?\bcuda context (?:is |was |gets |could be )?(?:creates?|created|creation|made|opens?"
        r"|starts?)\b[^.\n]{0,12}\b(?:cleanly|fine|ok|well|succe\w+|without (?:an? |any )?(?:error"
        r"|problem|issue))",
    ),
    Sign(
        "runs-at-full-told",
        "somebody says that a program runs with the GPU at full load",
        ("the card ", "the gpu ", "my card ", "my gpu "),
        r"\A(?=.{1,300}\Z)(?!.*(?:\?|\b(?:if|but|not|n't|slow\w*|stuck|hangs?|crash\w*|then|cpu"
        r"|until|idle|memory|vram|no|throttl\w*|drops?)\b))"
        r".*?\b(?:miner|training|program|script|job|model|it) (?:runs|works|is running|mines"
        r"|trains)\b[^.\n]{0,16}\band (?:the|my) (?:card|gpu) (?:is|stays|runs|works) (?:at|on) "
        r"(?:about )?(?:9[5-9]|100) ?%",
    ),
    Sign(
        "smi-lists-no-process-told",
        "somebody says that nvidia-smi lists no process while a program runs",
        ("nvidia-smi",),
        r"\bnvidia-smi\b[`'\"]? (?:gives|shows?|lists?|displays?|reports?|has) no "
        r"(?:(?:information|sign|trace)s? (?:of|about|on) (?:any )?)?(?:running )?"
        r"(?:process(?:es)?|programs?)\b",
    ),
    Sign(
        "memory-for-several-told",
        "somebody says that a program of several processes finds no memory on a GPU",
        ("out of memory", "out-of-memory", " oom "),
        r"(?i)\b(?:out[ -]of[ -]memory|oom)\b[^.?\n]{0,40}?\b(?:with|when|for|using|as soon as)\b"
        r"[^.?\n]{0,24}?\b(?:\d{1,3} or more|more than (?:one|two|three|\d{1,3})|several|multiple"
        r"|many|two|three|four|[2-9]|[1-9]\d) (?:\w+ )?"
        r"(?:cpus|process(?:es)?|workers|ranks|actors|instances)\b",
    ),
    Sign(
        "tf-releases-tried",
        "the releases of TensorFlow that somebody tried, as a form's field lists them",
        ("tensorflow version",),
        r"\btensorflow version[^:\n]{0,40}: ?v?(\d\.\d{1,2})(?:\.\d)?"
        rf"{_ANOTHER}(?:{_ANOTHER})?(?:{_ANOTHER})?",
    ),
    Sign(
        "nccl-not-on-windows-told",
        "somebody says that there is no NCCL for Windows",
        ("nccl",),
        r"\A(?=.{1,300}\Z)(?!.*(?:\?|\b(?:if|unless|gloo|wsl)\b))"
        r".*?(?:\b(NCCL)\b[^.\n]{0,40}?(?:\bnot\b|n't\b)[^.\n]{0,12}\b(?:supported|available|made"
        r"|work|exist)\b[^.\n]{0,20}\b(?:on|for|under|in) (?:native )?windows\b"
        r"|\bwindows\b[^.\n]{0,12}\b(NCCL)\b[^.\n]{0,12}?(?:\bnot\b|n't\b)[^.\n]{0,12}"
        r"\b(?:supported|available)\b"
        r"|\bno (NCCL) (?:for|on|under|in) (?:native )?windows\b"
        r"|\bwindows (?:(?:does not|doesn't) (?:support|have)|has no|lacks) (NCCL)\b)",
    ),
    Sign(
        "gpu-support-asked",
        "somebody asks for code for a GPU, or for an architecture, that a program has none for",
        ("support",),
        r"\A(?=.{1,400}\Z)(?!.*\b(?:(?:no longer|not) (?:need|want)\w*|drop\w*|remov\w*|deprecat\w*"
        r"|thanks?|now supports|was added|has been added)\b)"
        r"(?=.*(?:\b(?:sm_?|(?:compute )?capability |CC )\d{1,2}\.?\d\b|\b(?:Turing|Ampere|Hopper"
        r"|Ada|Blackwell)\b|\b[RG]TX ?(?:A?\d{4}|\d0 ?series|\d0xx)\b|\b[ABHL]\d{1,3}\b"
        r"|\bG[BH]\d00\b))"
        r".*?\b((?:please|add(?:ing)?|plan(?:s|ned)?(?: to| for)?|when|request(?:ing|ed)?|missing"
        r"|lacks?|could|can|will|need|like|good)\b[^.\n]{0,80}?\bsupport(?:ed|ing)?\b)",
    ),
    Sign(
        "fails-after-ptx-told",
        "somebody says that a program fails once the driver compiled its code for the GPU",
        (" jit", "jit-", "jit ", " ptx", "ptx "),
        rf"{_NO_ADVICE}(?!.*\b(?:not|no longer|never) (?:fail|crash|hang))"
        r"(?=.*\b(?:jit\b|jitt?(?:ed|ing)\b|jit-compil\w+|ptx\b))"
        r".*?\b(?:after|when|once|then|and|but|over|done|finish\w*)\b[^.\n]{0,80}?"
        r"\b(fails?|failed|crash(?:es|ed)?|hangs?|hung|segfaults?|dies|died)\b",
    ),
    *told_of_work.SIGNS,
)
