"""What people say happens on their machine, in a sentence and without a program's own words.

Each of these is a circumstance: it decides only where somebody reports a fault of their own and
states nothing else that fails. Sentences that advise, ask, suppose or tell of a change in a
program state nothing.
"""

from ..sign import Sign
from ..text import cues

#: What a model writes: "its output is gibberish", "it generates garbage".
NONSENSE_CUES = ("gibberish", "garbage", "nonsense", "garbled", "rubbish")
NONSENSE = (
    r"\b(?:gibberish|garbage|nonsense|garbled|rubbish)\b[^.\n]{0,24}"
    r"\b(?:output|generat|respon|text|answer|is)"
    r"|\b(?:output|generat|respon|answer|produc|text)\w*\b[^.\n]{0,24}"
    r"\b(?:gibberish|garbage|nonsense|garbled|rubbish)\b"
)


#: In front of a pattern: a line of a sentence's length without words of advice or supposition.
_PLAINLY = (
    r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|make sure|makes sure|ensures?|in case|may|might"
    r"|should|would|could be|whether|please|e\.g|for example|usually|sometimes|often|probably"
    r"|requires?|support(?:s|ed)?|allow|features?(?! (?:learning|extract\w*))|typically|most"
    r"|when an?|to fix|fix(?:e[sd])?|try|tests?|skip\w*|by default|scripts?|options?"
    r"|works? without|guide|releases?|mac|builds?)\b))"
    r".*?"
)
#: In front of what is said of WSL, by those who work there.
_PLAINLY_OF_WSL = (
    r"\A(?=.{1,200}\Z)(?!.*(?:\?|\b(?:if|unless|in case|may|might|should|would|whether|because"
    r"|native|instead|support(?:s|ed)?|fix(?:e[sd])?|no longer|WSL ?1)\b)).*?"
)
#: How a GPU is set up, which advice tells of too.
_PLAINLY_OF_MODE = (
    r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|make sure|in case|might|should|could|whether|set it"
    r"|e\.g|for example|not|n't|never|no longer|default)\b)).*?"
)
_NOT = (
    r"(?:can(?:no|')?t|can not|could(?: not|n'?t)|does(?: not|n'?t)|do(?: not|n'?t)"
    r"|did(?: not|n'?t)|won'?t|unable to|not able to|fails? to|failed to)"
)
_SEE = r"(?:see|find|detect|access|recogni[sz]e|reach|get access to|get at)"
_BOX = r"(?:docker|podman|singularity|apptainer|lxc|lxd)"
_INSIDE = (
    r"(?:inside|in|within|into|to|by) (?:the |an? |my |any )?"
    rf"(?:{_BOX} )?(?:containers?|docker|pods?)"
)
#: The card itself, not a part, a program or a setting of it: nothing that goes on follows.
_GPU = (
    r"(?:the |my |any |its |an? |our )?(?:nvidia )?(?:gpus?|cuda|nvidia cards?)(?: devices?)?"
    r"(?=\s*(?:[.,;!:)]|\Z|\b(?:in|on|of|at|any|and|but|while|even|inside|although|though|from)\b))"
)
_DRIVER = r"nvidia(?:'s)?(?: \w+){0,2} drivers?"
#: How a GPU shows itself to root, and to nobody else.
_SERVED = (
    r"(?:works?|worked|detect(?:s|ed)|found|visible|seen|sees|finds|available|usable|accessible"
    r"|shows?|lists?|listed|recogni[sz]e[sd]|True|run|runs)\b"
)
_BY_ROOT = (
    r"(?:(?:with|under|using|via|as|by|when I am|when I'm) (?:the )?(?:sudo|root)(?: user)?"
    r"|`?sudo \w+)\b"
)
_BY_USER = (
    r"(?:without (?:sudo|root)|as `?\w{2,20}`?, (?:the|an?|my) user"
    r"|as (?:an? |my |the )?(?:normal |regular |own |ordinary |other )*"
    r"(?:user|account|non-?root)|as non-?root|(?:normal|regular|own|ordinary|non-?root) users?)\b"
)
_NOT_SERVED = (
    r"(?:\bfalse\b|\bnot\b|n't\b|\bfails?\b|\[\]|\bno (?:gpu|cuda|device)|\bcannot\b|\bnone\b"
    r"|\bempty\b|\bfalls? back\b|\berrors?\b)"
)
_USER_IS_NOT = rf"(?:\b{_BY_USER}[^\n]{{0,60}}{_NOT_SERVED}|{_NOT_SERVED}[^\n]{{0,40}}\b{_BY_USER})"
_END = r"(?=\s*(?:[.,;!:)`]|\Z|\b(?:on|yet|here|at|any|and|but|there|after|since)\b))"

#: What a program computes, and how two of them are told not to agree.
_RESULT = (
    r"(?:results?|outputs?|accurac(?:y|ies)|predictions?|gradients?|metrics?|scores?|labels?"
    r"|numbers|losses|logits)"
)
_DIFFER = (
    r"(?:differ(?:s|ed|ent)?(?! (?:version|machine|gpu|card)\w*)"
    r"|not (?:be )?(?:the same|equal|match)"
    r"|isn't the same|aren't the same|don't (?:match|agree)|doesn't match|inconsistent|diverges?"
    r"|mismatch\w*|nothing in common)"
)

SIGNS = (
    Sign(
        "gpu-works-told",
        "somebody says that another framework gets at the GPU",
        cues(
            "by tensorflow|by torch|by pytorch|in tensorflow|in torch|in pytorch|with tensorflow"
            "|with torch|with pytorch"
        ),
        r"\A(?!.*(?:\bnot|n't|\bno|\bfails?|\bcannot|\berrors?|\bif|\bhow)\b.*\b(?:tensorflow"
        r"|torch|pytorch)\b).*\b(?:gpu|cuda)\b[^.\n]{0,24}\b(?:works?|working|found|detected|seen"
        r"|visible|recogni[sz]ed|available|usable|used)(?: \w+)? (?:by|in|with)"
        r" (tensorflow|torch|pytorch)\b",
    ),
    Sign(
        "reporter-speaks",
        "somebody writes of a machine of their own, or fills in a report",
        cues(
            "i am |i'm |i've |i have |i get |i tri|i installed|i want |i already |i had |i take it"
            "| my |my gpu|my nvidia|my docker|my contain|our |we have |describe the bug"
            "|to reproduce|issue or feature|[bug]"
        ),
        r"\b(I|I'm|I've|my|we|our)\b|(describe the bug|steps to reproduce|expected behaviou?r"
        r"|actual behaviou?r|issue or feature description|\[bug\])",
    ),
    Sign(
        "told-container",
        "somebody says that a container does not get at the GPU",
        cues(
            "docker|container|podman|singularity|apptainer| pod|nvidia.com/gpu|device plugin"
            "|device-plugin|runtimeclassname"
        ),
        _PLAINLY + "("
        rf"\b(?:{_BOX}|containers?|pods?)\b[^.]{{0,24}}\b{_NOT} {_SEE} {_GPU}"
        rf"|\bnever receives? (?:\w+ )?gpu (?:device )?access{_END}"
        rf"|\b(?:gpus?|cuda|nvidia-smi)\b[^.]{{0,24}}(?:\bnot|n't) (?:work|working|available|found"
        r"|detected|visible|seen|recogni[sz]ed|(?:being )?passed(?: through)?)\b"
        rf"[^.]{{0,24}}\b{_INSIDE}\b{_END}"
        rf"|\bworks? (?:fine |well )?on (?:the |my )?host\b[^.]{{0,20}}\bnot {_INSIDE}\b{_END}"
        rf"|\b{_INSIDE},?[^.]{{0,20}}\b(?:no gpus? (?:is|are) (?:found|visible|detected|available)"
        rf"|(?:the )?gpus? (?:is|are) not (?:found|visible|detected|available)){_END}"
        rf"|\b(?:{_BOX}|containers?|pods?)\b (?:has|have|gets?|finds?|sees?) no gpus?{_END}"
        r"|\bpod\b[^.\n]{0,40}\bruntimeClassName: nvidia\W{1,4}(?:finds|sees|gets|has|works)\b"
        r"|docker gpu pass-?through (?:is |does )?(?:not work\w*|fail\w*|broken)\b"
        r"|device.plugin\b[^.]{0,16}\b(?:does(?: not|n't)|did(?: not|n't)) (?:register|find|detect)"
        rf" {_GPU}"
        r"|\b(?:in|inside|within) [^.\n]{0,12}\b(?:docker|containers?|image)\b[^\n]{0,60}"
        r"\bthere is no nvidia-smi\b"
        r"|nvidia\.com/gpu`?'?\"? is (?:missing|not (?:listed|there|shown|present)))",
    ),
    Sign(
        "told-wsl",
        "somebody says that WSL does not get at the GPU",
        (" wsl",),
        _PLAINLY_OF_WSL
        + r"(\b(?:gpus?|cuda|nvidia-smi)`?(?: (?:is|was|are|does|did))?(?: not|n't) (?:work|working"
        r"|available|found|detected|visible|seen|recogni[sz]ed)\b[^.,;\n]{0,12}\b(?:in|on|inside"
        r"|under|within|from) (?:my |the )?WSL ?2?(?=\s*(?:[.,;!:)]|\Z))"
        r"|\b(?:have|installed|put|got) (?:an? |the )?linux (?:(?:gpu|nvidia|graphics) )?drivers?"
        r" (?:inside|in|into|within) (?:the )?WSL\b)",
    ),
    Sign(
        "told-nodes",
        "somebody says that the device files are closed to the program, or missing",
        cues(
            "with sudo|as root|under sudo|video group|render group|nvidia-modprobe|daemon-reload"
            "|nvidia-uvm module|nvidia_uvm module|uvm kernel module"
        ),
        _PLAINLY + r"(?=.*\b(?:nvidia|gpus?|cuda)\b).*?"
        r"(\bnvidia-smi`? (?:only works|works only) (?:with|as|under|using) (?:sudo|root)"
        r"|\b(?:user|account) (?:is|was) not in (?:the )?(?:video|render) group"
        r"|\b(?:works?|detected|found|visible)\b[^.]{0,16}\b(?:only )?(?:after|until|once)\b"
        r"[^.]{0,24}\bnvidia-modprobe"
        r"|\bnvidia[_-]uvm (?:kernel )?module (?:is |was |being )?not (?:being )?loaded"
        r"\b(?! at boot)"
        r"|\b(?:missing|not created) until\b[^.]{0,24}\bnvidia-modprobe"
        r"|\b(?:gpus?|containers?)\b[^.]{0,50}\b(?:lost|loses?|disappear\w*|gone)\b[^.]{0,60}"
        r"daemon-reload)",
    ),
    Sign(
        "root-only",
        "somebody says that root alone gets at the GPU",
        ("sudo", "as root", "root user", "i am root", "i'm root"),
        r"\A(?=.{1,400}\Z)(?=.*\b(?:gpus?|cuda|nvidia|is_available|physical_devices)\b)"
        r"(?!.*(?:\?|\b(?:if|unless|make sure|in case|may|might|should|could|please|try|need to"
        r"|must|docker\w*|podman|install\w*|pip|apt|dnf|modprobe)\b)).*?("
        rf"\bonly (?:be )?{_SERVED}[^.;\n]{{0,40}}\b{_BY_ROOT}"
        rf"|\b{_SERVED}(?: (?:the|any|my) gpus?)? only\b[^.;\n]{{0,30}}\b{_BY_ROOT}"
        rf"|(?<!not )(?<!n't )\b{_SERVED}[^;\n]{{0,60}}\b{_BY_ROOT}[^\n]{{0,60}}{_USER_IS_NOT}"
        rf"|\b{_BY_ROOT}[^;\n]{{0,60}}(?<!not )(?<!n't )\b{_SERVED}[^\n]{{0,60}}{_USER_IS_NOT}"
        r"|\bnon[- ]?root users? (?:(?:has|have|gets?) no access to"
        rf"|{_NOT} (?:have access to|get access to|access|see|find|use)) {_GPU}"
        rf"|\bbut not (?:as (?:a |my )?(?:normal |own )?user|without sudo))",
    ),
    Sign(
        "told-not-loaded",
        "somebody says that the driver no longer works since the kernel changed, or is kept out",
        ("kernel", "nouveau", "secure boot", "secureboot", "lsmod"),
        _PLAINLY + "("
        r"\bkernel (?:upgrade|update)\b[^.]{0,16}\b(?:broke|killed) (?:my |the |our )?nvidia"
        rf"|\bkernel (?:upgrade|update)\b[^.]{{0,16}}{_DRIVER}[^.]{{0,12}}\b(?:stopped"
        r"|fails?|failed|(?:is|was) not work\w*|(?:is|was) broken|(?:is|was) gone)\b"
        rf"|{_DRIVER}[^.]{{0,16}}\b(?:stopped working|(?:is|was) broken|(?:is|was) not working)\b"
        r"[^.]{0,8}\b(?:after|since|with)\b[^.]{0,24}\bkernel\b"
        r"|\bnouveau (?:is|was|gets|got) (?:still )?(?:loaded|used|active)"
        r" (?:instead|in (?:its|their) place)\b"
        r"|\bsecure ?boot (?:prevents?|blocks?|stops?|keeps?|prevented|blocked)\b[^.]{0,24}\bnvidia"
        r"|\bkernel (?:rejects|refuses|rejected|refused) (?:the )?nvidia"
        rf"|\blsmod\b[^.]{{0,16}}\b(?:shows?|has|lists?) no nvidia(?: modules?)?{_END}"
        r"|\bnvidia (?:driver/|driver's )?kernel module (?:(?:is|was|does|did) )?not"
        r" load(?:ed|ing)?\b"
        r"|\bnvidia[ -](?:driver|dkms|kernel|module)[\w-]*\b[^.]{0,16}\b(?:does(?: not|n't)"
        r"|fails? to|failed to) (?:compile|build)\b[^.]{0,24}\b(?:kernel|linux)\b)",
    ),
    Sign(
        "told-missing",
        "somebody says that there is no NVIDIA driver",
        ("installed", "install ", "disappeared", "has no nvidia", "nvidia-smi"),
        _PLAINLY + "("
        rf"{_DRIVER} (?:(?:was|were)(?: not|n't) installed{_END}|(?:have |has )?(?:completely )?"
        rf"disappeared{_END})"
        rf"|\b(?:I|we) (?:have|had|did)(?: not|n't) install(?:ed)? (?:the |any |an )?{_DRIVER}"
        rf"|\b(?:host|node|machine|server|vm) has no nvidia drivers?{_END}"
        rf"|\bnvidia-smi`? (?:is missing|does(?: not|n't) exist|no longer (?:runs|works|exists))"
        rf"{_END})",
    ),
    Sign(
        "told-other-card",
        "somebody says that the graphics card is none of NVIDIA's",
        ("not a cuda", "not an nvidia", "n't a cuda", "n't an nvidia", "not nvidia", "n't nvidia"),
        r"\A(?=.{1,300}\Z)(?!.*(?:\?|\b(?:if|whether|or|error|warning|but|second|other|one of)\b))"
        r".*?\b(?:(?:video|graphics?) (?:card|adapter)|(?:my|the) (?:card|GPU)) (?:is|was)"
        r"(?: not|n't) (?:an? )?(?:CUDA|NVIDIA)(?: (?:one|card|GPU|device))?(?=[.,;!)]|\Z)",
    ),
    Sign(
        "told-lost",
        "somebody says that a GPU goes away",
        cues(
            "from nvidia-smi|from the system|from the machine|from the bus|err!|gpus are|gpus is"
            "|lost a gpu|lost one gpu|short a gpu|short one gpu|rev ff|用不了|device manager"
            "|detecting|no longer"
        ),
        _PLAINLY + "("
        r"\b(?:gpus?|cards?)\b[^.]{0,16}\b(?:disappear\w*|vanish\w*|gone|missing)"
        r" from (?:nvidia-smi|the (?:system|machine|bus)\b)"
        r"|\bnvidia-smi (?:shows|says|reports|displays|gives|has)\b[^.]{0,8}\bERR!(?!['\"]? in no )"
        r"|\blspci\b[^.\n]{0,60}\brev ff\b"
        r"|(?:卡|GPU)[^\n。]{0,10}用不了[^\n。]{0,40}(?:服务器|机器|电脑|主机)[^\n。]{0,6}重启"
        r"|\bonly \w+ (?:out )?of (?:the |my |our )?\w+ gpus? (?:are|is|get) (?:detected"
        r"|visible|shown|seen|listed|recogni[sz]ed)"
        r"|\b(?:gpu|graphics card)\b[^.]{0,60}(?:\bno longer|\bnot|n't)\b[^.]{0,20}\bdevice manager"
        r"|\b(?:has|have|had|came up|is|are) (?:lost|short) (?:a|one) gpu\b"
        r"|\b(?:suddenly )?(?:stopped|no longer) detect(?:s|ing|ed)? (?:the |my )?(?:nvidia|gpu"
        r"|graphics card))",
    ),
    Sign(
        "told-exclusive",
        "somebody says that the GPUs admit one process each",
        ("exclusive", "nvidia-smi -c ", "nvidia-smi --compute-mode"),
        r"(?:\A\W{0,4}(?:[\w.@~:/-]{1,60}[$#] )?(?:sudo )?|\bI(?:'ve| have)? (?:then |also )?"
        r"(?:set|ran|used|put) [^.?\n]{0,60}[`'\"]?)nvidia-smi (?:-i \S{1,12} )?"
        r"(?:-c|--compute-mode)[ =](?:1|3|EXCLUSIVE_(?:PROCESS|THREAD))[`'\"]?\W*(?:\Z|and )|"
        + _PLAINLY_OF_MODE
        + r"(\b(?:gpus?|cards?|devices?|compute mode)\b[^.]{0,30}?"
        r"\b(?:is|are|was|were|being|reads?|says?|shows?)\b[^.]{0,20}"
        r"\bexclusive(?:[ _-](?:process|thread|compute))?"
        r"(?:[ _-]mode)?)\b",
    ),
    Sign(
        "told-takes-all-memory",
        "somebody says that TensorFlow or JAX takes the memory of the GPU whatever it needs",
        ("tensorflow", "jax ", "keras", " tf ", "tf.session"),
        r"\A(?=.{1,400}\Z)(?=.*\b(?:still|but|even|immediately|at once|however|problem|instead"
        r"|although)\b)"
        r"(?!.*(?:\?|\b(?:if|unless|should|would|may|might|could|want|by default|normally|note)\b))"
        r".*?\b((?:tensorflow|tf(?:\.\w+\(\))?|jax|keras)[`'\"]?(?=[ ,])[^.,\n]{0,30}"
        r"\b(?:fills?(?: up)?|takes?(?: up)?|grabs?"
        r"|occup(?:ies|y)|reserves?|hogs?|eats?(?: up)?|allocates?)\b[^.,\n]{0,16}"
        r"(?:\b(?:all|whole|entire|complete|almost all|nearly all)\b[^.,\n]{0,20}\b(?:memory|vram)"
        r"|\b(?:memory|vram) of (?:all|both|every)\b))",
    ),
    Sign(
        "told-all-memory-taken",
        "somebody says that a program takes nearly all of the GPU's memory",
        ("memory", "vram", "all the gpu"),
        r"\A(?=.{1,500}\Z)(?!.*(?:\?|\b(?:if|unless|should|would|may|might|could|want|normally"
        r"|note|to avoid|as expected|cpu)\b))"
        r".*?\b((?:it|tensorflow, which|(?:the|my|each|every|this|first|second) (?:\w+ ){0,2}?"
        r"(?:process|program|script|code|notebook|training|kernel|import|line|model|job|session|instance|call)"
        r"|(?:running|calling|importing|creating|loading) [^.,\n]{1,40}?)\b[^.\n]{0,40}?"
        r"\b(?:takes?|took|uses?|used|consum(?:es?|ing)|fills?|grabs?|occup(?:ies|y)|reserves?"
        r"|hogs?|eats?|allocates?|mapped|claims?)(?: up)?\b[^.,\n]{0,24}"
        r"\b(?:all|whole|entire|complete|(?:nearly|almost) (?:all|the whole)|most"
        r"|(?:[6-9]\d|100) ?%)"
        r"(?:[^.,\n]{0,24}\b(?:vram|(?:gpu|video|graphics|device|card)(?:'s)?(?: \w+)?"
        r" memory|memory (?:of|on) (?:the |my |both |all )?(?:gpus?|cards?))\b"
        r"| (?:of )?the gpu(?=[,.;]|\Z)))",
    ),
    Sign(
        "told-memory-left",
        "somebody says that memory is still taken though the program that took it has ended",
        (
            *("still", "released", "freed", "given back", "reclaimed", "remains", "stays", "释放"),
            *("deallocate", "left over"),
        ),
        r"\A(?=.*\b(?:crash\w*|kill\w*|ended|exit\w*|stopped|closed|finish\w*|terminat\w*"
        r"|interrupted|aborted|disconnected|afterwards|dead)\b)"
        r"(?!.*\buntil (?:it|(?:the|my|this) (?:program|process|script|kernel|session|job))\b)"
        + _PLAINLY
        + r"(\b(?:memory|vram)\b[^.,\n]{0,40}?(?:\b(?:is|stays|remains|was) (?:still )?(?:taken"
        r"|occupied|held|in use|allocated|used|full)|\b(?:(?:is|was|has|does|did)(?: not|n't)"
        r"|(?:is|was|gets) never) (?:get |been |being )?(?:released|freed|given back|reclaimed)"
        r"|\bstill (?:lives?|resides?|lingers?|persists?|stays?|remains?)))\b"
        # The same after what people do to end it.
        r"|\A(?=.{1,600}\Z)(?!.*(?:\?|\b(?:if|unless|until|should)\b)).*?(?:"
        r"\b(?:kill(?:ed|ing)?|ctrl ?[-+] ?c|interrupt(?:ed|s)?|cancel(?:led|s)?"
        r"|(?:run|job) (?:fails|failed|is finished))\b[^\n]{0,120}?"
        r"(\bmemory\b[^.\n]{0,30}\b(?:(?:is|are|does|did|was)(?: not|n't)|never)"
        r" (?:\w+ to be |be |get |been |being )?(?:deallocated|released|freed|given back)"
        r"|\b(?:does|did)(?: not|n't) (?:deallocate|release|free|give back)(?: the)?(?: gpu)?"
        r" memory))\b"
        r"|\A(?!.*(?:[?吗若]|如果|如何|会不会)).*?(?:kill|杀[掉死]?|结束|停止|退出|关闭)[^\n。]{0,24}((?:显存|显卡)[^\n。]{0,8}(?:不|没有?|未)会?被?释放)",
    ),
    Sign(
        "nan-told",
        "results are no numbers",
        (" nan", "=nan", ":nan", "nan loss"),
        r"(?<![a-z])loss(?:es)?\b(?:(?!not)[^.\n]){0,12}\bnan\b|\bnan loss"
        r"|\btensor had nan values|\b(?:outputs?|results?|weights|predictions?|gradients)\b"
        r"[^.\n]{0,16}\b(?:is|are|becomes?|all)\b[^.\n]{0,12}\bnans?\b",
    ),
    Sign(
        "runs-on-gpu-told",
        "somebody says that a program runs on the GPU, and finds fault with what it computes",
        cues(
            " on gpu| on cuda| on the gpu| and gpu| and cuda| and cpu|gpu version|without gpu"
            "|without the gpu"
        ),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|should|would|may|might|could|cannot|can't|fails?"
        r"|failed|no gpu|not (?:found|detected|visible|available|use[sd]?|run|running|work\w*))"
        r"\b)).*?("
        r"\bruns? (?:fine|well|correctly|ok|without (?:any )?(?:error|problem|issue)s?)\b"
        r"[^.\n]{0,40}\bon (?:the |a |my )?(?:gpu|cuda)\b"
        r"|\brun on (?:the |a |my )?(?:gpu|cuda)\b[^.\n]{0,30}\bruns? (?:fine|well|correctly)\b"
        r"|\bnans? (?:only |just )?on (?:the )?(?:gpu|cuda)\b"
        r"|\b(?:results?|outputs?|gradients?|values?|loss(?:es)?)\b[^.\n]{0,40}\b(?:differ\w*"
        r"|mismatch\w*|inconsistent|non-?deterministic|not (?:match|equal|the same))\b[^.\n]{0,40}"
        r"\b(?:between|on|from) (?:the )?(?:(?:cpu|gpu|cuda) (?:and|vs\.?|versus) (?:the )?"
        r"(?:cpu|gpu|cuda)"
        r"|gpu|cuda)\b"
        r"|\b(?:results?|outputs?) (?:of|from|with) (?:the )?(?:gpu|cuda)\b[^.\n]{0,30}\band\b"
        r"[^.\n]{0,30}\bwithout (?:the )?(?:gpu|cuda)\b[^.\n]{0,12}"
        r"\b(?:differ\w*|not (?:equal|the same))\b)",
    ),
    Sign(
        "results-differ-told",
        "somebody compares results, and finds that they are not the same",
        cues("differ|the same|mismatch|inconsistent|oscillat|accuracy|results|diverge"),
        r"\A(?=.{1,400}\Z)(?!.*\b(?:error|crash\w*|fails?|failed|versions?|speed|faster|slower"
        r"|time|memory|drivers?|install\w*|machines?|slow|you (?:may|might)|round-off|expect\w*"
        r"|laptops?|hangs?|device|sm_\d+)\b)(?=.*\b(?:gpu|cuda|cpu|tensorrt|trt|onnx|jit\w*|fp16|fp32"
        r"|\w*execution ?provider)\b)(?:.*?"
        rf"(?:\b{_RESULT}\b[^.\n]{{0,80}}?\b{_DIFFER}"
        rf"|\b(?:differ\w*|inconsistent|mismatched|not the same|bad) {_RESULT}\b"
        rf"|\b(?:do(?:es)?(?: not|n't)) give (?:me |us )?the same {_RESULT}\b"
        rf"|\b{_RESULT}\b[^.\n]{{0,20}}\boscillat\w+))",
    ),
    Sign(
        "wrong-results-told",
        "somebody says that a program learns nothing, or computes something else, on the GPU",
        ("accuracy", "converge", "learn", "results", "output", "loss jumps", "loss explodes"),
        r"\A(?=.{1,600}\Z)(?=.*\b(?:gpu|cuda|cpu)\b).*?("
        r"\bloss (?:jumps|explodes) (?:up )?to\b|"
        r"\b(?:never|not|n't) (?:surpass\w*|exceed\w*|improv\w*|rise|rises|converg\w*|learn\w*)\b"
        r"|\b(?:wrong|incorrect|garbage|nonsense|meaningless)"
        r" (?:results?|outputs?|predictions?)\b"
        r"|\baccuracy [^.\n]{0,16}\b(?:at|by) chance\b)",
    ),
    Sign(
        "nonsense-told",
        "somebody says that what a model writes is nonsense",
        NONSENSE_CUES,
        NONSENSE,
    ),
    Sign(
        "told-too-old",
        "somebody says that their driver is too old",
        ("driver", "nvidia version"),
        _PLAINLY + r"(\b(?:my|our) (?:(?:nvidia |gpu |graphics |cuda )?drivers?|nvidia version)"
        r" (?:is|are|was|were|version"
        r" is) (?:too old|outdated|out of date)\b)",
    ),
)
