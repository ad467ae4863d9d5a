"""What pip, conda, apt and the shell say while something is installed."""

from ..languages import DEPENDS, DEPENDS_CUES, NO_PACKAGE, NO_PACKAGE_CUES
from ..sign import Sign
from ..text import cues

#: pip, or a list of requirements, takes away what is there: not what somebody does on purpose.
_BY_ITSELF = (
    r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|not|may|might|could|should|sure|ensures?|avoid"
    r"|prevents?|fix(?:e[sd])?)\b|n't\b)).*?(?<!\bI )(?<!\bI have )(?<!I've )(?<!\bwe )(?<!\bto )"
)
_TAKES_AWAY = rf"{_BY_ITSELF}\b(?:(?:replac|overwrit|uninstall|remov)(?:es|ed|ing|ten)|overwrote)\b"
_WITH = r"\b(?:with|by|and (?:then )?(?:re)?install(?:s|ed|ing)?)\b"
_SENTENCE = r"(?:[^.\n]|\.(?=\d))"
#: ONNX Runtime's builds beside the plain one, which lie in the same folder; a pinned version.
_ORT_OTHER = r"onnxruntime-(?:gpu|directml|openvino|rocm|qnn)"
_ORT_PIN = r"(?:[=<>~]=[\d.]{1,12})?"
#: Other packages of the same command, and no words of a sentence.
_ORT_BETWEEN = r"(?: (?!(?:instead|or|and|rather|not|over|with|then)\b)[\w.=<>~\[\]-]{1,60}){0,4}?"
#: A package by a name of its own.
_NAMED = (
    r"(?<![\w.-])(?!(?:it|this|that|which|there|what|one|gpu|cuda|cpu|version|build|package|wheel"
    r"|installed|problem|issue|default|here|library|module|binary|pip|conda|environment|env)\b)"
    r"([A-Za-z][\w.-]{1,40})"
)
_KIND = r"(?:build|version|wheel|package|library|binary)"
_FROM = (
    r"(?: (?:from|in|of|on|inside) (?:the |my |our |this )?(?:conda |virtual |base )?"
    r"(?:environment|env|venv|conda|pip|pypi|container|image|system))"
)

#: Projects of which several packages bring one module.
_RIVAL = r"(?:onnxruntime|tensorflow|cupy|paddlepaddle|mxnet|cumm|spconv|faiss)[\w-]*"

SIGNS = (
    Sign(
        "replaced-by-cpu-build",
        "an installation put a build for the CPU in the place of one for GPUs; whose it is",
        ("replac", "overw", "uninstall", "remov", "tensorflow-gpu", "onnxruntime-gpu"),
        rf"{_TAKES_AWAY}(?:(?!cpu|with|by\b){_SENTENCE}){{0,40}}?\b(?:py)?(torch|tensorflow"
        rf"|onnxruntime)\b(?:(?!cpu){_SENTENCE}){{0,40}}?{_WITH}"
        rf"(?:(?!gpu|cuda){_SENTENCE}){{0,40}}\bcpu\b"
        rf"|{_TAKES_AWAY}(?:(?!cpu|with|by\b){_SENTENCE}){{0,40}}?"
        rf"(tensorflow|onnxruntime)-gpu\b{_SENTENCE}{{0,20}}?{_WITH}(?: the| plain| only)* [`'\"]?"
        r"(?:tensorflow|onnxruntime)(?![\w-])"
        rf"|{_BY_ITSELF}\b(?:took|takes|threw|throws|kicked|removed|removes|uninstalled|uninstalls)\b"
        rf"{_SENTENCE}{{0,12}}?\b(tensorflow|onnxruntime)-gpu\b(?: away| out| off)?,? and"
        rf" (?:then )?(?:put|puts|installed|installs|left|leaves|brought|set)"
        r" (?:(?:me|in|the|plain|only|just) ){0,2}[`'\"]?(?:tensorflow|onnxruntime)(?![\w-])",
    ),
    Sign(
        "told-cpu-build",
        "somebody says that a package is no build for GPUs; the value is its name",
        cues(
            "gpu build|gpu version|gpu wheel|gpu package|gpu enabled|gpu-enabled|cuda build"
            "|cuda version|cuda wheel|cuda package|cuda enabled|cuda-enabled|cpu-only|cpu only"
            "|cpu build|cpu wheel|without cuda|without gpu|opencl"
        ),
        r"\A(?=.{1,300}\Z)(?!.*(?:\?|\b(?:if|unless|whether|may|might|could|should|would|fix(?:e[sd])?"
        r"|solved|previous\w*|sure|earlier|used to)\b)).*?"
        rf"\b{_NAMED}(?: {_KIND})?{_FROM}? (?:is|was) (?:(?:no|not an?) (?:GPU|CUDA)"
        rf"(?:[ -]enabled)? {_KIND}|an? CPU[- ]only {_KIND}|(?:a|the) CPU (?:build|wheel)"
        r"|(?:compiled|built) without (?:CUDA|GPU)(?: support| enabled)?)\b"
        # What is made for OpenCL in the place of CUDA, and so computes on the CPU.
        rf"|\A(?=.*\b(?:on|uses?) (?:the )?CPU\b)(?!.*(?:\?|\bif\b)).*?(?:\b{_KIND} of )?{_NAMED}"
        r"[^.\n]{0,16}? (?:with|for) OpenCL(?: support)? (?:instead of|rather than|and not) CUDA\b",
    ),
    Sign(
        "pip-extra-unknown",
        "pip left out the part of a package for the GPU; the value is the package and the extra",
        ("does not provide the extra",),
        r"([\w-]+) \d[\w.+]* does not provide the extra \W?((?:and-)?cuda\w*|gpu|cu\d+)\b",
    ),
    Sign(
        "jax-extra-asked",
        "pip was asked for JAX with its part for a CUDA; the value is the extra",
        ("jax[cuda",),
        r"\A\W{0,8}(?:\(\w[^)\n]{0,40}\) ?)?(?:RUN |uv |python3? -m )?pip3? install\b[^\n]{0,80}?"
        r"\bjax\[(cuda\d{0,2}(?:[-_]local)?)\](?!={1,2}|[<~!])",
    ),
    Sign(
        "conda-installs-torch",
        "conda was asked for a torch with a CUDA: their versions",
        ("conda install ",),
        r"conda install [^\n]{0,80}?\bpytorch={1,2}(\d\.\d{1,2}\.\d)\b[^\n]{0,80}?"
        r"\b(?:cudatoolkit|pytorch-cuda)={1,2}(\d{1,2}\.\d)\b",
    ),
    Sign(
        "pip-no-distribution",
        "pip finds no file of this package for this Python and platform; the value is"
        " what it sought",
        ("no matching distribution", "not find a version that satisfies"),
        r"no matching distributions? found for ([\w.\-\[\]=<>!~+,]+)"
        r"|satisfies the requirement ([\w.\-\[\]=<>!~+,]+)",
    ),
    Sign(
        "apt-other-python",
        "apt has this package for another Python; the value is it, what it asks for, what is there",
        (": depends: python3 (",),
        r"\b([\w.+-]{3,60}) : Depends: python3 \(((?:<|<=|=|>=) [\d.]{1,8})\) but (\d[\d.]{1,8})",
    ),
    Sign(
        "nvidia-stub-without-wheel",
        "NVIDIA's package on PyPI found no wheel at NVIDIA for this Python and platform: its name"
        " and release, and the Python of one that it looked at",
        ("the installation of ", "wheel-stub:testing wheel "),
        r"The installation of ((?:nvidia|cu[a-z]{2,12}|rmm|dask|pylibraft|raft|tensorrt|nvtx|libcu"
        r"|pylibcu|ucx)[\w-]{0,60}) for version ([\w.]{1,20}) failed\."
        r"|wheel-stub:Testing wheel ([\w.]{1,60})-([\w.+]{1,40})-cp(3\d{1,2})-",
    ),
    Sign(
        "python-of-32-bits",
        "a Python for Windows of 32 bits ran",
        ("-32\\lib\\site-packages", "32 bit", "32bit", "32-bit"),
        r"(\[MSC v\.\d+ 32 bit \(Intel\)\])|[\\/](python3\d{1,2}-32)[\\/]lib[\\/]site-packages"
        r"|\('(32bit)', 'WindowsPE'\)|(?<!if )\b(?:this|my) python"
        r"(?: interpreter| version| install\w*)?(?: ?3[\d.]*"
        r"|(?: 3[\d.]*)? (?:is|was|says|reports|shows|prints|seems to be|turns out to be|turned out"
        r" to be)(?: only| still| really| a| an| the| of)*) (32[ -]?bit)\b"
        r"(?! (?:floats?|floating|int\w*|numbers?|precision|arithmetic|indices|values?)\b)",
    ),
    Sign(
        "uv-no-wheel",
        "uv or Poetry finds no file of this package for this Python and platform; what it sought",
        cues(
            "wheels with a matching|a source distribution or wheel for|installation candidates"
            "|does not satisfy python|only has wheels|wheels are available for"
        ),
        r"\b([A-Za-z][\w.-]{0,60}(?:==[\w.+]{1,40})?)[<>=\w.,+]{0,60} ha(?:s|ve) no wheels with a"
        r" matching(?: (?:Python|platform)|\s*\Z)"
        r"|Distribution `?([\w.-]+==[\w.+]+)[^\n]{1,160}? doesn't have"
        r" a source distribution or wheel|Unable to find installation candidates for ([\w.-]+) \("
        r"|does not satisfy Python[<>=\d.,a]* and ([A-Za-z][\w.-]{0,60}(?:==[\w.+]{1,40})?)"
        r"[<>=\w.,+]* depends on Python|`([\w.-]+)` \(v(\d[\w.+]*)\) only has wheels"
        r"|Wheels are available for `([\w.-]+)` \(v(\d[\w.+]*)\) on the following platforms",
    ),
    Sign(
        "uv-other-python",
        "uv finds files for other Pythons only; the value is this one, and the package if told",
        ("but we only found wheels",),
        r"You (?:require|are using) CPython (\d\.\d{1,2}) \(`\w{1,12}`\), but we only found"
        r" wheels(?: for `([\w.-]+)`)?",
    ),
    Sign(
        "setup-refuses-python",
        "a package's setup refuses the Python; the value is that one, and what it takes",
        (
            *("cannot install on python version", "requires a 64-bit python interpreter"),
            "requires 64-bit python. currently running",  # cuda.pathfinder
            "this program is tested with 3.",  # Stable Diffusion's web UI
        ),
        r"requires a (64-bit Python interpreter, but this interpreter is 32-bit)"
        r"|requires (64-bit Python. Currently running: 32-bit)"
        r"|This program is tested with 3[.\d]* Python, but you have (3\.\d{1,2}(?:\.\d{1,2})?)\b"
        r"|on Python version (\d[\w.]+); only versions ([<>=!~\d.,]+) are supported",
    ),
    Sign(
        "conda-other-python",
        "conda has builds of a package for other Pythons only; the value is the package",
        ("requires python >=", "requires python_abi", "requires python 3", "-> python[version="),
        r"package ([a-z][\w.-]{1,80}?) requires python(?:_abi)? [^\n]{1,80}, but none of the"
        r" providers|\A\s*- ([a-z][\w.-]{1,80})\S* -> python\[version=",
    ),
    Sign(
        "packages-by-uv",
        "the packages of this environment are installed by uv",
        cues("uv pip|uv add |uv sync|uv run |uv venv|uv.lock| by uv| with uv| using uv| via uv"),
        r"(?:\A|[\s$>`\"'(])uv (?:pip (?:install|list|freeze|show|sync)|add|sync|run|venv)\b"
        r"|\buv\.lock\b|\b(?:installed|managed|created) (?:by|with|using|via) uv\b",
    ),
    Sign(
        "net-packages-beside",
        "a project of .NET has a package for CPUs and the one for GPUs, which are the value;"
        " lists of them people/twins.py reads",
        ("both microsoft.ml.onnxruntime",),
        r"\bboth (Microsoft\.ML\.OnnxRuntime and Microsoft\.ML\.OnnxRuntime\.Gpu)\b",
    ),
    Sign(
        "two-packages-told",
        "somebody says that two packages are both installed; the value is their names",
        cues(
            "both onnxruntime|both `onnxruntime|both tensorflow|both `tensorflow"
            "|conflicting tensorflow installations|installed: onnxruntime|installed onnxruntime"
            "| and tensorflow|onnxruntime-gpu onnxruntime|onnxruntime onnxruntime-gpu"
            "| and onnxruntime| as well as |install onnxruntime| onnxruntime-directml"
            "| onnxruntime-openvino|both cupy|both paddlepaddle|both mxnet|both cumm|both spconv"
            "|both faiss"
        ),
        r"\A(?!.*\b(?:if|do not|don't|never|exclude|is not|isn't|environments|one of|either)\b)"
        r"(?!.*\b(?:when both|the docs|undefined|wiki|search|after removing|pypi)\b)"
        r".*?(?:"
        r"\b(?:has|have|had|with|are|is) [`'\"]?(onnxruntime[`'\"]? as well as [`'\"]?"
        r"onnxruntime-gpu|onnxruntime-gpu[`'\"]? as well as [`'\"]?onnxruntime)(?![\w-])"
        r"|\b(?:puts?|installs?|installed|brings?) two packages\b[^.\n]{0,40}"
        r"[ :,][`'\"]?(onnxruntime[`'\"]? and [`'\"]?onnxruntime-gpu"
        r"|onnxruntime-gpu[`'\"]? and [`'\"]?onnxruntime)(?![\w-])"
        r"|(?:install(?:ed|s)?|have|had|got|with|pip (?:list |freeze )?(?:shows?|lists?))"
        rf" both [`'\"]?({_RIVAL}"
        rf"(?:[ =]{{1,2}}\d[\w.]{{0,9}})?[`'\"]? and [`'\"]?{_RIVAL})"
        rf"|\bboth [`'\"]?({_RIVAL}[`'\"]? and [`'\"]?{_RIVAL})[`'\"]?(?: are| were)? installed"
        r"|\b(?:installed|have|got|pip list:?) ((?:onnxruntime[ =]{1,2}\d[\w.]{0,9} and"
        r" onnxruntime-gpu|onnxruntime-gpu[ =]{1,2}\d[\w.]{0,9} and onnxruntime)(?![\w-]))"
        r"|\binstalled:? (onnxruntime(?: \([^()\n]{1,40}\))?,? (?:and )?onnxruntime-gpu"
        r"|onnxruntime-gpu(?: \([^()\n]{1,40}\))?,? (?:and )?onnxruntime)(?![\w-])"
        r"|\binstall (onnxruntime-gpu onnxruntime|onnxruntime onnxruntime-gpu)(?![\w-])"
        # As one command: builds for other makers, and what it names between the two.
        rf"|\binstall (?:-\S{{1,20}} ){{0,2}}({_ORT_OTHER}){_ORT_PIN}"
        rf"{_ORT_BETWEEN} (onnxruntime){_ORT_PIN}(?=\s|\Z)"
        rf"|\binstall (?:-\S{{1,20}} ){{0,2}}(onnxruntime){_ORT_PIN}"
        rf"{_ORT_BETWEEN} ({_ORT_OTHER}){_ORT_PIN}(?=\s|\Z)"
        r"|\binstalled (tensorflow(?: v?\d[\w.]{0,9})? and tensorflow-gpu(?![\w-])"
        r"|tensorflow-gpu(?: v?\d[\w.]{0,9})? and tensorflow(?![\w-]))"
        r"|conflicting TensorFlow installations in this environment: ([\w., -]{3,200}?\d)\.(?!\d))",
    ),
    Sign(
        "pip-no-versions",
        "pip finds no file at all that this Python and platform could take",
        ("(from versions: none)",),
    ),
    Sign(
        "pip-offers-from",
        "the oldest release that pip could take for this Python and platform",
        ("(from versions: ",),
        r"\(from versions: (\d[\d.]*)",
    ),
    Sign(
        "pip-offers-stubs",
        "of torch pip could take its first releases on PyPI alone, which only tell to go elsewhere",
        ("(from versions: 0.1.2",),
        r"\(from versions: 0\.1\.2(?:,? 0\.1\.2\.post\d)*\)",
    ),
    Sign(
        "pip-command-failed",
        "a web interface could not install torch; the value is its package and version",
        ("-m pip install ",),
        r"\A\W*Command: (?!\S*python3\.\d)\S[^\n]{1,200} -m pip install "
        r"(?:-\S+ )*?(torch)==(\d(?:[\w.+]{0,20}\w)?)",
    ),
    Sign(
        "pip-index-with-tags",
        "pip looked into a framework's own index, whose versions carry what they are built for",
        ("from versions:",),
        r"from versions: [^)\n]*\d\+(?:cu|cuda)\d",
    ),
    Sign(
        "pip-index-of-torch",
        "pip looked at one of PyTorch's own indexes; the value is its name",
        ("download.pytorch.org/whl/",),
        r"(?:Looking in (?:indexes|links):[^\n]{0,80}?|(?:--(?:extra-)?index-url|-i|-f)[ =])"
        r"https?://download\.pytorch\.org/whl/(?:nightly/)?(cu\d{2,3})\b",
    ),
    Sign(
        "pip-asked-torch",
        "pip looked for files at PyTorch's own pages",
        ("looking in ",),
        r"\bLooking in (?:indexes|links): [^\n]{0,120}?(download\.pytorch\.org)",
    ),
    Sign(
        "pip-wheel-not-supported",
        "pip refuses a wheel for another Python or platform; the value is its name",
        ("is not a supported wheel on this platform",),
        r"(\S+\.whl) is not a supported wheel",
    ),
    Sign(
        "pip-requires-python",
        "versions were left out because they need another Python; the value is what they need",
        cues(
            "requires-python|requires a different python|require a different python version"
            "|requires python"
        ),
        r"requires-python ?:? ?'?\"?([<>=!~][<>=!~\d., ]*)|requires a different python: (\S+ not in"
        r" '[^']+')|Requires-Python ([<>=!~][^\s;]*)",
    ),
    Sign(
        "pip-ignored-for-python",
        "pip left out releases that need another Python; the value is which one",
        ("ignored the following versions that require a different python",),
        r"Requires-Python ([<>=!~][^;\s]{1,40})",
    ),
    Sign(
        "pip-deprecated-name",
        "a package of this name is no longer offered; the value is the name",
        ("package has been removed",),
        r"\"([\w-]+)\" package has been removed",
    ),
    Sign(
        "tensorflow-gpu-gone-told",
        "somebody finds no TensorFlow of this release in the package for GPUs",
        ("tensorflow-gpu", "tensorflow_gpu"),
        r"\A(?=.{1,300}\Z)(?!.*\b(?:if|uninstall\w*|installed)\b).*?(?:(?:can(?:'t|not)|unable to"
        r"|could(?: not|n't)|where (?:do|can) I) (?:find|get)\b[^\n]{0,40}?\btensorflow[-_]gpu\b"
        r"|\bno (?:such )?(?:(?:version|release|package|build|wheel)s?\b[^\n]{0,24}? )?"
        r"tensorflow[-_]gpu\b|\btensorflow[-_]gpu\b[^\n]{0,40}?\b(?:does(?: not|n't) exist"
        r"|(?:is|was) (?:not (?:there|available|found|on pypi)|missing|gone|unavailable)))",
    ),
    Sign(
        "tensorflow-gpu-left-out-told",
        "somebody says that TensorFlow's package for GPUs was not installed",
        ("tensorflow-gpu", "tensorflow_gpu"),
        r"\A(?=.{1,400}\Z)(?!.*\b(?:if|unless|should|would|might|because|since|need(?:ed)?)\b)"
        r".*?(?:\btensorflow[-_]gpu[`'\"]? (?:was|is)(?: not|n't) (?:among|in|part of|on) (?:what"
        r"|the list|the packages|the requirements|my)\b"
        r"|\b(?:I|we) (?:(?:have|had|did)(?: not|n't)|never)(?: yet)? install(?:ed)? (?:the )?"
        r"[`'\"]?tensorflow[-_]gpu\b"
        r"|\b(?:I|we) (?:have |had )?(?:only )?installed (?:only )?(?:the )?(?:plain )?[`'\"]?"
        r"tensorflow[`'\"]?,? (?:and )?not (?:the )?[`'\"]?tensorflow[-_]gpu\b)",
    ),
    Sign(
        "tensorflow-gpu-asked",
        "TensorFlow was installed as the package for GPUs, which was one of its own before 2.1",
        ("install", "tensorflow-gpu"),
        r"\binstall(?:ed)?\b[^.\n]{0,40}[ \"']tensorflow[-_]gpu\b",
    ),
    Sign(
        "tensorflow-asked",
        "TensorFlow was installed by its plain name, which before 1.15 meant the CPU's package",
        cues(
            "install tensorflow|install --upgrade tensorflow|install -u tensorflow"
            "|/pypi/tensorflow|/project/tensorflow"
        ),
        r"\bpip3? install (?:-\S+ )*[\"']?tensorflow(?![\w-]|==(?:1\.1[5-9]|2)|>)"
        r"|pypi\.(?:python\.)?org/(?:pypi|project)/tensorflow(?![\w-])",
    ),
    Sign(
        "conda-asks-driver",
        "conda's solver leaves out packages that ask for a driver of this CUDA or newer",
        ("__cuda",),
        r"__cuda(?:\[version='| )?>=(\d+(?:\.\d+)*)",
    ),
    Sign(
        "conda-no-driver",
        "conda's solver leaves out packages that ask for a driver, and finds none",
        ("__cuda",),
        r"nothing provides (?:requested )?__cuda|__cuda[^\n]{0,40}missing on the system"
        r"|no candidates[^\n]{0,40}__cuda|virtual package '?__cuda[^\n]{0,60}(?:not|missing)",
    ),
    Sign(
        "os-package-not-found",
        "the system's package manager does not have the package; the value is its name",
        (
            "unable to locate package",
            "unable to find a match",
            "no package",
            "has no installation candidate",
            *("target not found:", "find any package by regex", "no provider of "),
            "none of the providers can be installed",
            *NO_PACKAGE_CUES,
        ),
        r"unable to locate package (\S+)|unable to find a match:? (\S+)|No package (\S+) available"
        r"|Package '?(\S+?)'? has no installation candidate|target not found: (\S+)"
        r"|find any package by (?:regex|glob) '([^'\s]+)'|No provider of '([^'\s]+)' found"
        # dnf and rpm-ostree name the package that they were asked for, and what it wants in vain.
        r"|\bpackage ((?:akmod|kmod)-nvidia)\S{0,60}(?: from \S{1,60})? requires [^,\n]{1,60}, but"
        rf" none of the providers can be installed|{NO_PACKAGE}",
    ),
    Sign(
        "os-package-broken",
        "the system's package manager has unmet dependencies",
        cues(
            "unmet dependencies|held broken packages|conflicts with file from package"
            "|conflicts between attempted installs of|trying to overwrite"
        ),
        r"unmet dependencies|held broken packages|trying to overwrite '([^']*(?:nvidia|cuda)"
        r"[^']*)'"
        r"|file (\S{1,200}) (?:from install of \S{0,80}(?:nvidia|cuda)\S{0,120} conflicts with file"
        r" from package|conflicts between attempted installs of \S{0,80}(?:nvidia|cuda))",
    ),
    Sign(
        "os-package-unmet",
        "a package of NVIDIA was not installed for want of another; the value is its name",
        (
            " : depends:",
            " : breaks:",
            " : conflicts:",
            "needed by",
            "conflicting requests",
            "requires nvidia",
            "requires cuda",
            *("error: package: ", "prevent configuration of"),
            *DEPENDS_CUES,
        ),
        r"(?:\A|\s)((?:lib)?(?:nvidia|cuda|cudnn)[\w.+-]*)(?::\w+)? : "
        rf"(?:(?:(?:Pre)?Depends|Breaks|Conflicts):|{DEPENDS})"
        r"|Error: Package: (?:\d+:)?((?:kmod-)?(?:nvidia|cuda)[\w-]*?)-\d"
        r"|needed by the to be installed ((?:nvidia|cuda)[\w-]*?)-\d"
        r"|nothing provides [^\n]{1,120} needed by ((?:\w+-)?nvidia[\w-]*?|cuda[\w-]*?)-\d"
        r"|package ((?:\w+-)?nvidia[\w-]*?|cuda[\w-]*?)-\d[^\n]{1,80} requires [^\n]{1,80}but none"
        r"|prevent configuration of ((?:lib)?nvidia-[\w.+-]*[\w+]|cuda-drivers[\w.+-]*[\w+])",
    ),
    Sign(
        "os-key-missing",
        "the package source of NVIDIA is not trusted: its key is missing",
        ("no_pubkey", "the repository 'https://developer.download.nvidia.com"),
        r"NO_PUBKEY (\w+)|is not signed",
    ),
)
