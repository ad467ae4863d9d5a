"""Environment variables wherever a text sets or prints them.

Shells, Python's ``os.environ``, Dockerfiles, ``docker -e``, YAML, listings of ``env``, ``echo``.
Code tells the order of things as well: a variable that is set after the framework was imported,
or after CUDA was used, may come too late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ..statement import Statements, deny, say
from ..text import cues

if TYPE_CHECKING:
    from ..text import Line, Text

_NAME = (
    r"(CUDA_VISIBLE_DEVICES|CUDA_DEVICE_ORDER|CUDA_HOME|CUDA_PATH|CUDA_ROOT|CUDA_LAUNCH_BLOCKING"
    r"|CUDA_MODULE_LOADING|CUDA_CACHE_DISABLE|CUDA_MPS_PIPE_DIRECTORY|CUDA_MPS_LOG_DIRECTORY"
    r"|CUDNN_PATH|NVIDIA_VISIBLE_DEVICES|NVIDIA_DRIVER_CAPABILITIES|NVIDIA_DISABLE_REQUIRE"
    r"|NVIDIA_REQUIRE_CUDA|LD_LIBRARY_PATH|LD_PRELOAD|PYTHONPATH|TF_FORCE_GPU_ALLOW_GROWTH"
    r"|TF_GPU_ALLOCATOR|TF_ENABLE_ONEDNN_OPTS|TF_CUDA_COMPUTE_CAPABILITIES|XLA_FLAGS"
    r"|XLA_PYTHON_CLIENT_\w+|JAX_PLATFORMS|JAX_PLATFORM_NAME|PYTORCH_\w+|TORCH_CUDA_ARCH_LIST"
    r"|TORCH_USE_CUDA_DSA|NCCL_\w+|GPU_DEVICE_ORDINAL|HIP_VISIBLE_DEVICES|ROCR_VISIBLE_DEVICES"
    r"|OLLAMA_\w+|BNB_CUDA_VERSION|SLURM_JOB_GPUS|SLURM_GPUS\w*|CONDA_OVERRIDE_CUDA)"
)
_CUES = cues(
    "cuda_|cudnn_path|nvidia_|ld_library_path|ld_preload|pythonpath|tf_|xla_|jax_platform|pytorch_"
    "|torch_|nccl_|gpu_device_ordinal|visible_devices|ollama_|bnb_cuda_version|slurm_"
)
_QUOTED = r"\"([^\"\n]{0,400})\"|'([^'\n]{0,400})'"
_BARE = r"([^\s\"'`;|&<>()\]]{0,400})"
_ASSIGNED = (
    # Python: os.environ["X"] = "1", os.environ.setdefault("X", "1"), env={"X": "1"}; Ultralytics
    # prints os.environ['X']: 1; R: Sys.setenv(X = "1"); .NET: SetEnvironmentVariable("X", "1")
    regex(
        rf"(?:environ|\benv)\[['\"]{_NAME}['\"]\](?:\s?=\s?(?:{_QUOTED})"
        rf"|: (?:{_QUOTED}|(?!None\b){_BARE})|\)? ?-> (?:{_QUOTED}|(?!None\b){_BARE})\s*$)"
    ),
    regex(
        rf"(?:setdefault|putenv|setenv|SetEnvironmentVariable)\(['\"]?{_NAME}['\"]?\s?[,=]\s?"
        rf"(?:{_QUOTED})"
    ),
    regex(rf"['\"]{_NAME}['\"]:\s?(?:{_QUOTED})"),
    regex(
        rf"environ\.get\(['\"]{_NAME}['\"]\)"
        rf"(?:[^:\n]{{0,20}}:\s{{1,3}}(?:{_QUOTED}|{_BARE})|=(?:{_QUOTED}))"
    ),
    # PowerShell: $env:X = "1"; Nushell: $env.X = "1"; csh: setenv X 1; cmd: setx X 1;
    # fish: set -gx X 1; Jupyter: %env X 1; Julia: ENV["X"] = "1"
    regex(rf"(?i)\$env[:.]{_NAME}\s?=\s?(?:{_QUOTED}|{_BARE})"),
    regex(rf"(?:\bset(?:env|x| -[a-zA-Z]{{1,3}})|%(?:set_)?env) {_NAME} (?:{_QUOTED}|{_BARE})"),
    regex(rf"ENV\[\"{_NAME}\"\]\s?=\s?(?:{_QUOTED}|(\d[\d,]*))"),
    # Dockerfile: ENV X 1; YAML: X: "1", {name: X, value: "1"}, which JSON has in quotes
    regex(rf"^\s*ENV {_NAME} (?:{_QUOTED}|{_BARE})"),
    regex(rf"^[\s\-|*>]*{_NAME}\s?: {{1,8}}(?:{_QUOTED}|(?!None\s*$){_BARE})\s*$"),
    regex(rf"^\s*DEEPMD INFO\s{{1,8}}{_NAME}: (?!unset\b){_BARE}\s*$"),
    regex(rf"name['\"]?: ?['\"]?{_NAME}['\"]?, ?['\"]?value['\"]?: ?(?:{_QUOTED}|{_BARE})"),
    # Windows' folder of a toolkit, which has spaces in it
    regex(rf"(?<![\w$%{{.]){_NAME}=([A-Za-z]:\\[^\n;,\"'<>|]{{1,200}}?\\v\d{{1,2}}\.\d)\b"),
    # shells, docker -e, listings: X=1, set X=1, export X="1,2"; not X=<a word that stands for it>,
    # nor what Python prints of it, X=[0, 1]
    regex(rf"(?<![\w$%{{.]){_NAME}=(?!<[\w -]{{1,40}}>|\[\d{{1,3}}, )(?:{_QUOTED}|{_BARE})"),
    regex(rf"^\s*{_NAME} = (?:{_QUOTED}|{_BARE})\s*$"),
    # A program's log, of what it has set
    regex(rf"\bINFO\b\W{{1,6}}[Ss]et {_NAME} = {_BARE}\s*$"),
    # So no shell takes it, but so people write it.
    regex(rf"\bexport {_NAME} = (?:{_QUOTED}|{_BARE})"),
)
#: In a sentence: Slurm's word for no GPU, or the number that hides all.
_TOLD = regex(
    rf"\A(?!.*\b(?i:if|when|unless|should)\b).*?{_NAME}[`'\"]{{0,2}} (?:variable )?"
    r"(?:(?:is|was)(?: set)?|set)(?: to)? (?:[`'\"]?(NoDevFiles|-1)\b|''|\"\")"
)
#: The same alone, as a job prints the variable.
_NO_FILES = regex(r"\A\s*(?:CUDA_VISIBLE_DEVICES=)?(NoDevFiles)\s*\Z")
#: DeepLabCut, which sets the variable to what it is given so.
_DEEPLABCUT = regex(r"\bgputouse\s?=\s?(\d{1,2})\b")
#: ComfyUI, once it has set the variable to what --cuda-device says.
_COMFYUI = regex(r"\ASet cuda device to: (\d{1,2}(?:,\d{1,2})*)\s*\Z")
#: What tells of CUDA_VISIBLE_DEVICES without its name.
_BY_PROGRAMS = (
    (_NO_FILES, "nodevfiles"),
    (_COMFYUI, "set cuda device to: "),
    (_DEEPLABCUT, "gputouse"),
)
_ECHO = regex(
    rf"(?i)(?:\becho\s+[\"']?(?:\$\{{?{_NAME}\}}?|%{_NAME}%|\$env:{_NAME})"
    rf"|\APS [^>]{{0,200}}> ?\$env:{_NAME})[\"']?\)?\s*$"  # MATLAB: system('echo $X')
)
_PRINTENV = regex(rf"\bprintenv {_NAME}\s*$")
#: Go prints a map of them, with nothing for one that is not set: map[X:1 Y: Z:false]
_MAP = regex(r"\bmap\[([^\]\n]{1,4000})")
_IN_MAP = regex(rf"(?:\A| ){_NAME}:([^\s\"'\[\]]{{1,400}})(?=[ \]]|\Z)")
#: PowerShell's table of them, and its head.
_ITEM = regex(rf"\A{_NAME} {{2,60}}([^\s\"'`]{{1,400}})\s*\Z")
_ITEMS = regex(r"\A\s*Name {2,60}Value\s*\Z")
_FEW = 40
_YAML_NAME = regex(rf"^\s*-\s*name: ['\"]?{_NAME}['\"]?\s*$")
_YAML_VALUE = regex(r"^\s*value: (?:\"([^\"]*)\"|'([^']*)'|(\S+))")
_UNSET = regex(rf"\bunset {_NAME}\b|environ\.pop\(['\"]{_NAME}['\"]|{_NAME}: (?:not set|unset)\b")
_AFTER_DLERROR = regex(r"; LD_LIBRARY_PATH: (\S+)|\bLD_LIBRARY_PATH: (\S+)$")

_EXPORTED = regex(r"\A\s*(?:\$ )?export LD_LIBRARY_PATH=(\S+)")
_ITSELF = regex(r"\$\{?LD_LIBRARY_PATH(?::[-+][^}]*)?\}?")

#: A message that advises to set a variable does not set it.
_ADVICE = regex(
    r"(?:(?i:try(?: setting)?|consider(?: passing)?|passing|environment variables?|you can set"
    r"|need to set|please set|should set|recommended)|\bSet|\(set|\bor set)[\s`'\"]{1,3}\Z"
    r"|\A\s*#\s?os\.\Z"  # code that was commented out
)
#: A setting that was switched off; root, at whose prompt stands the same, goes on with a command.
_COMMENTED = regex(r"\s*#\s?")
IMPORT = regex(
    r"^(?:>>> |In \[\d*\]: )?(?:import [\w ,]{0,60}?|from )\b(?:torch\w*|tensorflow\w*|jax\w*"
    r"|cupy\w*|numba|paddle\w*|mxnet|tf_keras|keras\w*|transformers|diffusers|accelerate|deepspeed"
    r"|(?:pytorch_)?lightning|fastai|vllm|flax|haiku|optax|equinox|brax|cudf|cuml|pycuda"
    r"|onnxruntime|oneflow|unsloth|ultralytics|mmcv|mmdet\w*|mmengine|detectron2|sentence_transformers|dgl"
    r"|fairseq|d2l|nvidia\.dali)\b"
)
_USE = regex(
    r"torch\.cuda\.(?:is_available|device_count|current_device|init|get_device)|\.cuda\(\)"
    r"|\.to\(['\"]cuda"
    r"|device=['\"]cuda|torch\.device\(['\"]cuda|list_physical_devices|jax\.devices\("
)
_SET_IN_CODE = regex(r"environ\[['\"](?:CUDA_VISIBLE_DEVICES|CUDA_DEVICE_ORDER)['\"]\]\s?=")
_IN_CODE = regex(
    r"(?:(?:environ|\benv)\[['\"]CUDA_VISIBLE_DEVICES['\"]\]\s?=|(?:setdefault|putenv)\(['\"]"
    r"CUDA_VISIBLE_DEVICES['\"])"
)
#: Behind a prompt, or at a line's beginning, in front of the command that gets it.
_FOR_COMMAND = regex(
    r"\A(?:[^\n]{0,120}?[$#%] |\s*)(?:[A-Z_]+=\S+ )*CUDA_VISIBLE_DEVICES=[^\s;]* "
    r"((?:[A-Z_]+=\S+ )*(?:python|torchrun|accelerate|deepspeed|\./)[^\n|;&]{0,200})"
)
#: Code that is one piece has no more than this between its parts.
PIECE = 60


def read(text: Text) -> Statements:
    """What is printed of a variable first (that is what counted), then what sets it."""
    yield from _printed(text)
    yield from _by_programs(text)
    yield from _search_path(text)
    for line in text.unlike(*_CUES):
        for pattern in _ASSIGNED:
            for match in pattern.finditer(line.text):
                before, behind = line.text[: match.start()], line.text[match.end() :]
                off = _COMMENTED.fullmatch(before) and not behind.strip(" '\"")
                if not off and not _ADVICE.search(before):
                    yield from _value(match[1], match.groups()[1:], line)
        if unset := _UNSET.search(line.text):
            yield deny(names.ENV(next(filter(None, unset.groups()))), line)
    for line, told in text.matching(_TOLD, "visible_devices"):
        yield from _value(told[1], (told[2] or "",), line)
    for line, searched in text.matching(_AFTER_DLERROR, "ld_library_path: "):
        yield say(names.ENV("LD_LIBRARY_PATH"), searched[1] or searched[2], line)
    yield from _set_where(text)
    yield from _listed(text)
    yield from _kubernetes(text)
    yield from _set_late(text)


def _set_where(text: Text) -> Statements:
    """Whether code sets the visible devices, or a shell for one command."""
    for line in text.having("cuda_visible_devices"):
        if _IN_CODE.search(line.text) and is_code(line):
            yield say(said.VISIBLE_SET_IN_CODE, True, line)
        elif command := _FOR_COMMAND.match(line.text):
            yield say(said.VISIBLE_SET_FOR, command[1].strip(), line)


def _by_programs(text: Text) -> Statements:
    for pattern, cue in _BY_PROGRAMS:
        for line, device in text.matching(pattern, cue):
            yield say(names.ENV("CUDA_VISIBLE_DEVICES"), device[1], line)


def _search_path(text: Text) -> Statements:
    """What several ``export LD_LIBRARY_PATH=…:$LD_LIBRARY_PATH`` one after the other make of it."""
    path, last, count = "", None, 0
    for line, match in text.matching(_EXPORTED, "ld_library_path="):
        value = match[1].strip("\"'")
        if not _ITSELF.search(value):
            path = ""
        path, last, count = _ITSELF.sub(path, value), line, count + 1
    if last is not None and count > 1:
        yield say(names.ENV("LD_LIBRARY_PATH"), path.strip(":"), last)


#: A number with the full stop of the sentence that sets it; PYTHONPATH may be a folder's own dot.
_ENDS_SENTENCE = regex(r"(?a)\d\.\Z")


def _value(name: str, values: tuple[str | None, ...], line: Line) -> Statements:
    value = next((each for each in values if each is not None), None)
    if value is not None and not value.startswith("..."):
        value = value.strip().rstrip(",:")
        ends = _ENDS_SENTENCE.search(value)
        yield say(names.ENV(name.upper()), value[:-1] if ends else value, line)


def _printed(text: Text) -> Statements:
    """``echo $X`` and the line that answers it; an empty line may only be how it was pasted."""
    for line in text.having("echo ", "printenv ", "$env:"):
        match = _ECHO.search(line.text) or _PRINTENV.search(line.text)
        following = text.after(line, 1)
        if match is None or not following:
            continue
        name = next(filter(None, match.groups())).upper()
        answer = following[0].text.strip()
        if answer and not answer.startswith(("$", ">", "(", "#", "%", "[")) and " " not in answer:
            yield say(names.ENV(name), answer, following[0])


def _listed(text: Text) -> Statements:
    """The maps and tables in which programs list what is set."""
    for line, held in text.matching(_MAP, "map["):
        for match in _IN_MAP.finditer(held[1]):
            yield from _value(match[1], (match[2],), line)
    for line, item in text.matching(_ITEM, *_CUES):
        if any(_ITEMS.match(each.text) for each in text.before(line, _FEW)):
            yield from _value(item[1], (item[2],), line)


def _kubernetes(text: Text) -> Statements:
    for line in text.having("name: "):
        named = _YAML_NAME.match(line.text)
        for each in text.after(line, 1) if named else ():
            if named and (match := _YAML_VALUE.match(each.text)):
                yield from _value(named[1], match.groups(), each)


def _set_late(text: Text) -> Statements:
    """Whether code sets the visible devices below the import or the first use of CUDA, or above.

    Said only where both stand in one piece of code.
    """
    for line in text.having("cuda_visible_devices", "cuda_device_order"):
        if not _SET_IN_CODE.search(line.text) or not is_code(line):
            continue
        before = text.before(line, PIECE)
        started = max((at for at, each in enumerate(before) if starts_piece(each)), default=-1)
        used = any(_is_use(each) for each in before[started + 1 :])
        if used or any(_is_use(each) for each in text.after(line, PIECE)):
            yield say(said.VISIBLE_SET_LATE, used, line)
        return


#: What begins a sentence about code, and never a line of it.
_SENTENCE = regex(r"(?i)\s*(?:but|still|however|yet|although)\b")


#: No line of code holds these outside a comment or a text.
_CHINESE = regex(r"[\u4e00-\u9fff]")


def is_code(line: Line) -> bool:
    """Whether a line runs: it is no sentence, and not commented out."""
    runs = line.text.partition("#")[0]
    return bool(runs.strip()) and not (_SENTENCE.match(runs) or _CHINESE.search(runs))


def _is_use(line: Line) -> bool:
    in_code = is_code(line)
    return bool(IMPORT.match(line.text) or (in_code and _USE.search(line.text)))


def starts_piece(line: Line) -> bool:
    """Whether a new piece of text begins here, so that what stood above says nothing of order."""
    return line.text.lstrip().startswith(("```", "Traceback", "$ ", "(base)", "###"))
