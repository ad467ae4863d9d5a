"""A package for CPUs beside the one for GPUs, as somebody says: "TensorFlow and tensorflow-gpu".

What installers list of it is read with the packages; here it is told in a sentence, which may go
on in the next line, or shown by the names of .NET's packages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ..statement import Statements, say
from ..text import BETWEEN_SENTENCES

if TYPE_CHECKING:
    import re

    from ..text import Line, Text

#: How the plain package, or the one for CPUs, is told from the one for GPUs.
_NAMES = (
    (
        "tensorflow-gpu",
        regex(r"(?i)(?<![\w./-])(?<!import )(?<!from )(tensorflow(?:-cpu)?)(?![\w./=-])"),
    ),
    ("onnxruntime-gpu", regex(r"(?i)(?<![\w./-])(?<!import )(?<!from )(onnxruntime)(?![\w./=-])")),
    ("paddlepaddle-gpu", regex(r"(?i)(?<![\w./-])(paddlepaddle)(?![\w./=-])")),
)
_CUPY = regex(r"(?<![\w./-])cupy-cuda\d{2,3}x?(?![\w-])")
_BESIDE = regex(
    r"(?i)\bside by side\b|\bboth [`'\"]?(?:tensorflow|onnxruntime|paddlepaddle)(?:[-_]gpu)?[`'\"]?"
    r" and [`'\"]?(?:tensorflow|onnxruntime|paddlepaddle)(?:[-_]gpu)?\b"
    # A list of packages behind the environment that they are in.
    r"|\b(?:\w*env|environment|packages|installed)\b[^\s,:;]{0,40} ?: ?(?:[\w.=-]{1,40}, )*"
    r"(?:tensorflow|onnxruntime|paddlepaddle)(?:-gpu)?, (?:tensorflow|onnxruntime|paddlepaddle)\b"
    # One command for both.
    r"|\bpip3? install (?:[\w.=-]{1,40} ){0,6}(?:tensorflow|onnxruntime|paddlepaddle)(?:-gpu)?"
    r" (?:tensorflow|onnxruntime|paddlepaddle)(?=-gpu|[\s`'\"]|\Z)"
    r"|\b(?:next to|beside|alongside) (?:it|each other|one another|the other"
    r"|(?:the )?(?:tensorflow|onnxruntime|paddlepaddle)\b)"
    r"|\bboth (?:are |were |is |get |got )?(?:installed|there|present|in (?:the|one|this|my)"
    r"|land in|end up in)\b"
    r"|\bin (?:the same|one) (?:conda |virtual )?(?:env|environment|venv|image|folder)\b"
)
#: What is asked, advised, wished for or over.
_NOT_NOW = regex(
    r"(?i)\?|\b(?:if|unless|when|whether|should|could|would|may|might|can|never|neither|nor|not"
    r"|cannot|either|instead|separate|different|two env\w*|uninstall\w*|removed?|fix\w*|solved"
    r"|please|recommend\w*|(?:py)?torch|don't|doesn't|isn't|aren't)\b"
)
#: "The CPU and the GPU build of it are both installed", in one sentence, whose names are these.
_OF_PACKAGES = r"[- ](?:versions?|builds?|packages?|variants?|wheels?)\b"
_BOTH_BUILDS = regex(
    rf"(?i)\bboth\b[^.\n]{{0,24}}\b(?:cpu\b[^.\n]{{0,16}}(?:\band|&|\+) ?(?:the )?gpu"
    rf"|gpu\b[^.\n]{{0,16}}(?:\band|&|\+) ?(?:the )?cpu){_OF_PACKAGES}"
    rf"|\bcpu and (?:the )?gpu{_OF_PACKAGES}[^.\n]{{0,60}}"
    r"\b(?:both|side by side|at the same time|in the same|in one)\b"
)
_INSTALLED = regex(r"(?i)\b(?:install\w*|have|there|environment|env|present|side by side)\b")
#: The same in Chinese: "CPU 版和 GPU 版都装了".
_BOTH_IN_CHINESE = regex(
    r"(?i)(?:CPU|GPU) ?(?:版本?)?的?[^\u3002\n]{0,8}(?:和|与|跟|及|以及|、)"
    r" ?(?:CPU|GPU) ?(?:版本?|两[种个])?"
    r"[^\u3002\n,]{0,16}?(?:都|同时|一起)[^\u3002\n,]{0,6}(?:装|安装|在|有|存在)"
)
_NOT_IN_CHINESE = regex(
    r"如果|若|假如|可以|能否|是否|应该|不要|没有?都?装|卸载|分别|不同的?环境|建议"
)
#: Frameworks with a package for each, by what people call them.
_OF_BOTH = (
    ("paddlepaddle", regex(r"(?i)(?<![a-z])paddle(?:paddle)?(?![a-z])")),
    ("onnxruntime", regex(r"(?i)(?<![a-z])onnx ?runtime(?![a-z])|\bORT\b")),
    ("tensorflow", regex(r"(?i)(?<![a-z])tensorflow(?![a-z])")),
)
_LONGEST = 500

#: The two in lines that follow each other, as pip calls them: a list, and no project's name.
_IN_LIST = regex(
    r"\A\W{0,4}(?P<name>(?:tensorflow|onnxruntime|paddlepaddle)(?P<gpu>-gpu)?)"
    r"(?:\s?[:=]{1,2}\s?|\s{1,40})v?(?P<version>\d[\w.]*)\s*\Z"
)

_EMGU = (
    "Emgu.CV.runtime.windows",
    regex(
        r"(?i)(?<![\w.])(?:Emgu\.CV\.runtime\.windows(?=\.shproj\b|(?![\w]|\.\w))"
        r"|libemgucv-windesktop(?:_x(?:64|86))?-\d[\d.]{2,14}\d)"  # those with it have -cuda-
    ),
    regex(r"(?i)\bEmgu\.CV\.runtime\.windows\.cuda\b|\blibemgucv-windesktop\w{0,8}-cuda-\w+"),
)
#: .NET's packages, as project files and lists write them.
_NET = (
    (
        "Microsoft.ML.OnnxRuntime",
        regex(r"(?i)(?<![\w.])Microsoft\.ML\.OnnxRuntime(?![\w]|\.\w)"),
        regex(r"(?i)\bMicrosoft\.ML\.OnnxRuntime\.Gpu(?:\.(?:Windows|Linux))?(?![\w]|\.[a-z])"),
    ),
    (
        "SciSharp.TensorFlow.Redist",
        regex(r"(?i)\b(?:Microsoft\.ML|SciSharp)\.TensorFlow\.Redist(?![\w-])"),
        regex(r"(?i)\bSciSharp\.TensorFlow\.Redist-(?:Windows|Linux)-GPU\b"),
    ),
    _EMGU,
)
#: What Emgu CV answers that finds no CUDA: those packages that are made without do so always.
_HAS_CUDA = regex(r"(?i)(?<!!)\bHasCuda\b(?!\s*[?)&|])[^.?\n]{0,24}\bfalse\b")
#: A name is also one of a module, in code and in frames.
_OF_PACKAGE = regex(
    r"(?i)package|nuget|depend|\binclude=|\binstall|\breferenc|\A\W*(?:microsoft|scisharp)\."
    r"[\w.-]{2,60}[ \t:=]{1,4}v?\d"
)
_REPLACED = regex(r"(?i)\b(?:replac\w+|instead|switch\w*|without|uninstall\w*|remov\w+|or)\b")


def read(text: Text) -> Statements:
    """The first pair of each kind."""
    for gpu, name in _NAMES:
        for line in text.having(gpu, gpu.replace("-", "_")):
            if told := _told(text, line, name):
                yield say(said.SIGN("cpu-package-beside-told"), f"{told} and {gpu}", line)
                break
    yield from _of_both(text)
    yield from _of_cupy(text)
    yield from _listed(text)
    yield from _of_net(text)
    yield from _of_emgu(text)
    yield from _of_nd4j(text)


def _of_both(text: Text) -> Statements:
    """Somebody says of a framework that both of its builds are installed."""
    for line in text.having("gpu"):
        if "cpu" not in line.text.lower() or len(line.text) > _LONGEST:
            continue
        for sentence in BETWEEN_SENTENCES.split(line.text):
            named = [gpu for gpu, name in _OF_BOTH if name.search(sentence)]
            if len(named) == 1 and _are_both(sentence):
                told = f"{named[0]} and {named[0]}-gpu"
                yield say(said.SIGN("cpu-package-beside-told"), told, line)
                return


def _are_both(sentence: str) -> bool:
    if _BOTH_IN_CHINESE.search(sentence):
        return not _NOT_IN_CHINESE.search(sentence)
    both = _BOTH_BUILDS.search(sentence) and _INSTALLED.search(sentence)
    return bool(both) and not _NOT_NOW.search(sentence)


def _of_cupy(text: Text) -> Statements:
    """Two of CuPy's packages, one for each CUDA, that one line has side by side."""
    for line in text.having("cupy-cuda"):
        named = dict.fromkeys(_CUPY.findall(line.text.lower()))
        told = _BESIDE.search(line.text) and not _NOT_NOW.search(line.text)
        if told and len(named) > 1 and len(line.text) <= _LONGEST:
            yield say(said.SIGN("two-packages-told"), " and ".join(named), line)
            return


def _listed(text: Text) -> Statements:
    """The plain package and the one for GPUs in two lines that follow each other."""
    for line, match in text.matching(_IN_LIST, "-gpu"):
        for near in (*text.before(line, 1), *text.after(line, 1)):
            other = _IN_LIST.match(near.text)
            if match["gpu"] and other and f"{other['name']}-gpu" == match["name"]:
                yield say(
                    said.SIGN("two-packages-told"), f"{other['name']} and {match['name']}", line
                )
                yield say(names.PACKAGE_VERSION(other["name"]), other["version"], near)
                return


def _told(text: Text, line: Line, name: re.Pattern[str]) -> str | None:
    """The other package, where a sentence in this line and those next to it has both."""
    near = (*text.before(line, 1), line, *text.after(line, 1))
    for above, below in zip(near, (*near[1:], None), strict=True):
        # A sentence goes on in the next line, but not over an empty one.
        pair = (above, below) if below is not None and below.text.strip() else (above,)
        if line not in pair or not above.text.strip():
            continue
        joined = " ".join(each.text.strip() for each in pair)
        other = name.search(joined)
        if other and len(joined) <= _LONGEST and _is_told(joined, name):
            return other[1].lower()
    return None


def _is_told(joined: str, name: re.Pattern[str]) -> bool:
    """Whether a sentence has the other one beside something, and supposes nothing."""
    return any(
        _BESIDE.search(each) and name.search(each) and not _NOT_NOW.search(each)
        for each in BETWEEN_SENTENCES.split(joined)
    )


#: ND4J's backends, as a build of Gradle, Maven or sbt names what it depends on.
_ND4J = regex(r"['\":>](nd4j-(?:native|cuda-\d{1,2}\.\d)(?:-platform)?)(?=['\":<])")
_IN_BUILD = regex(r"\A(?!\s*(?://|#|<!--|\*)).*(?:org\.nd4j\b|<artifactId>)")


def _of_nd4j(text: Text) -> Statements:
    """The backend for CPUs and one for GPUs, among what one project depends on."""
    named: dict[bool, str] = {}
    for line, _ in text.matching(_IN_BUILD, "nd4j-native", "nd4j-cuda-"):
        for backend in _ND4J.findall(line.text):
            named.setdefault("cuda" in backend, backend)
        if len(named) > 1:
            yield say(said.SIGN("nd4j-backends-beside"), f"{named[False]} and {named[True]}", line)
            return


#: By which names, too, a package without CUDA comes.
_OTHER_NAMES = {
    "SciSharp.TensorFlow.Redist": ("microsoft.ml.tensorflow.redist",),
    "Emgu.CV.runtime.windows": ("libemgucv-windesktop",),
}


def _of_emgu(text: Text) -> Statements:
    """Emgu CV finds no CUDA, and the one package of it that is named is made without."""
    plain, cpu, gpu = _EMGU
    named = [line.text for line in text.having(plain.lower(), *_OTHER_NAMES[plain])]
    found = next(filter(None, map(cpu.search, named)), None)
    if found is None or any(gpu.search(line) for line in named):
        return
    for line, _ in text.matching(_HAS_CUDA, "hascuda"):
        yield say(said.SIGN("emgu-without-cuda"), found[0], line)
        return


def _of_net(text: Text) -> Statements:
    for plain, cpu, gpu in _NET:
        lines = [
            line
            for line in text.having(plain.lower(), *_OTHER_NAMES.get(plain, ()))
            if _OF_PACKAGE.search(line.text) and not _REPLACED.search(line.text)
        ]
        named = next((match[0] for line in lines if (match := cpu.search(line.text))), None)
        for line in lines if named else ():
            if match := gpu.search(line.text):
                yield say(said.SIGN("net-packages-beside"), f"{named} and {match[0]}", line)
                return
