"""What people say of the GPUs that a program is to use, and of the variable that names them."""

from ..sign import Sign
from ..text import cues

#: What takes the variable over as it starts, and starts CUDA.
_RUNS = (
    r"(?:the |an? |its |my |our )?(?:\w+ ){0,2}?"
    r"(?:kernels?|notebooks?|clusters?|workers?|sessions?)"
)

SIGNS = (
    Sign(
        "visible-devices-ineffective",
        "code sets CUDA_VISIBLE_DEVICES, and its author says that it changes nothing",
        ("environ[", "cuda_visible_devices"),
        r"\A(?!.*(?:如果|若|可能|会导致|是否)).*?CUDA_VISIBLE_DEVICES[^\n]{0,12}(?:没有?生效|不生效|不起作用|无效)"
        r"|environ\[['\"]CUDA_VISIBLE_DEVICES['\"]\][^\n]{0,60}?(?:\bnot work|no effect|n't work"
        r"|\binvalid\b|still (?:runs?|uses?|on)\b|ineffective|not effect|no use\b|useless"
        r"|无效|不起作用|没有用|没有?生效|不生效)",
    ),
    Sign(
        "visible-devices-after-start-told",
        "somebody says that CUDA_VISIBLE_DEVICES is set when what is to follow it runs already",
        ("cuda_visible_devices",),
        r"\A(?=.{1,400}\Z)"
        r"(?!.*(?:\?|\b(?:if|unless|should|would|could|whether|new|restart\w*)\b))"
        rf".*?(\b(?:start|launch|creat|spawn)(?:s|es|ed|ing)? {_RUNS}\b[^.\n]{{0,24}}"
        r"\b(?:then|afterwards|only later) (?:sets?|exports?|assigns?)"
        r" [`'\"]?CUDA_VISIBLE_DEVICES\b"
        r"|\b(?:sets?|exports?|assigns?) [`'\"]?CUDA_VISIBLE_DEVICES\b[^.\n]{0,24}"
        rf"\b(?:after|once|when) {_RUNS} (?:(?:is|was|has|had|been|already) ){{0,3}}"
        r"(?:start(?:s|ed)|created|launched|running|runs|up)\b)",
    ),
    Sign(
        "visible-devices-after-import-told",
        "somebody says that CUDA_VISIBLE_DEVICES is set when what reads it is imported already",
        ("cuda_visible_devices",),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|should|must|would|never|note|make)\b)).*?("
        r"\b(?:calling|importing|initiali[sz]ing)\b [^\n]{0,60}?\bbefore (?:setting|it sets"
        r"|(?:I|we) set) [`'\"]?CUDA_VISIBLE_DEVICES\b"
        r"|\bCUDA_VISIBLE_DEVICES[`'\"]? (?:is|was|gets) (?:only )?set (?:only )?after"
        r" [^.,\n]{1,40}"
        r" (?:is|was|has been|have been) (?:imported|loaded|initiali[sz]ed)\b)",
    ),
    Sign(
        "visible-devices-set-told",
        "somebody says that CUDA_VISIBLE_DEVICES is set",
        ("cuda_visible_devices",),
        r"\A(?=.{1,400}\Z)(?!.*\b(?:without|no|not set|never|unset\w*|instead of|remov\w+|clear\w*)"
        r"\b[^.\n]{0,24}\bCUDA_VISIBLE_DEVICES\b)"
        r".*?(?:\b(?:with|by|under|through|via|using|set|sets|setting|given)\b[^.\n]{0,24}"
        r"\bCUDA_VISIBLE_DEVICES\b"
        r"|\bCUDA_VISIBLE_DEVICES\b[`'\"]{0,2} (?:variable )?(?:(?:is|was|has been|being) set\b"
        r"|set\b|nam(?:es|ing)\b|list(?:s|ing)?\b|limit(?:s|ing)?\b|restrict(?:s|ing)?\b"
        r"|does(?: not|n't) (?:begin|start|contain|include)\b))",
    ),
    Sign(
        # Where the one GPU is number 0.
        "single-gpu-told",
        "somebody says that the machine has one GPU; or is one of Colab's, which have no more",
        cues(" gpu|-gpu|colab"),
        r"\A(?=.{1,300}\Z)(?!.*\b(?:more than one|not one|GPU per)\b).*?("
        r"\b(?:single|one|1)[ -]gpu (?:machine|system|computer|server|laptop|box|in (?:the|my)"
        r" (?:machine|system|computer))\b"
        r"|\b(?:systems?|machines?|computers?|servers?) with (?:only |just )?(?:a |one |1 )"
        r"(?:single )?gpu(?!s)\b"
        r"|\b(?:I|you|we)(?: only)? have (?:only |just )?(?:one|1|a single) gpu(?!s)\b"
        r"|\bon (?:google )?colab\b)",
    ),
    Sign(
        "later-gpu-asked",
        "a command or a script asks for the second GPU or a later one; the value is its number",
        cues("--gpu|gpu_id|cuda_id|gpuid|--device|cuda_visible_devices"),
        r"(?:--(?:gpu|gpu[-_]?ids?|device[-_]?id)[ =]|\b(?:GPU_IDS?|CUDA_ID|gpuid)=)"
        r"['\"]?([1-9])(?![\d,.])",
    ),
)
