"""pip's outputs and files: list, freeze, show, installing, wheels' names and sizes; uv, poetry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ..statement import Statements, deny, say
from .package_names import built_for, installed, recorded, variant, version_text

if TYPE_CHECKING:
    import re

    from ..text import Line, Text

_ROW = regex(
    r"(?a)\A\s*(?:[-*] )?(?P<name>[A-Za-z][\w.\-]{1,60})\s{1,80}"
    r"(?P<version>\d+(?:\.\w+)+(?:\+[\w.]+)?)(?:\s{1,80}\S+)?\s*\Z"
)
_PIN = regex(
    r"(?a)(?:\A|[\s\"'`,(+-])(?P<name>[A-Za-z][\w.\-]{1,60})(?:\[[\w,]{1,40}\])?\s?={2,3}\s?(?P<version>\d[\w.+!]*)"
)
#: What uv puts there, and what it takes away for it; a list's dash alone is none.
_ADDED = regex(r"(?a)\A\s*\+ ([A-Za-z][\w.\-]{1,60})==")
_TAKEN = regex(r"(?a)\A\s*- ([A-Za-z][\w.\-]{1,60})==")
_BY_POETRY = regex(
    r"(?a)\A\s*[-\u2022] (?:Installing|Updating) ([A-Za-z][\w.\-]{1,60})"
    r" \((?:\S{1,40} -> )?(\d[\w.+]*)\)(?!: (?:Failed|Pending|Skipped|Cancelled))"
)
_NAMED = regex(
    r"(?a)\A\s*(?:[a-z][\w-]+-cu(?:da)?\d{1,4}x?)(?:,\s*[a-z][\w-]+-cu(?:da)?\d{1,4}x?)*\s*\Z"
)
_LOCKED = regex(r"(?a)\A\s*name\s?=\s?\"([\w.\-]+)\"")
_LOCK_VERSION = regex(r"(?a)\A\s*version\s?=\s?\"(\d[\w.+]*)\"")
_SHOWN = regex(r"(?a)\A\s*Name: ([\w.\-]+)\s*\Z")
_SHOWN_VERSION = regex(r"(?a)\A\s*Version: (\S+)\s*\Z")
_SATISFIED = regex(
    r"(?a)Requirement already satisfied: ([\w.\-]+)(?![\w.\-]).* \((\d[\w.+]*)\)\s*\Z"
)
#: "torchvision 0.16.0 requires torch==2.1.0, but you have torch 2.3.1"
_YOU_HAVE = regex(r"(?a)you(?:'ll)? have ([A-Za-z][\w.\-]{1,60}) (\d[\w.+]*)")
#: Who asks is installed as well; pip begins a line with it, or an "ERROR: " does.
_ASKS = regex(
    r"(?a)(?:\A\s*|ERROR: )([A-Za-z][\w.\-]{1,60}) (\d[\w.+]{0,40})"
    r" (?:requires|has requirement) [^\n]{1,300}?, but you(?:'ll)? have "
)
_NEEDS = regex(
    r"(?a)\b([a-z][\w.\-]{1,60}) \d\S{0,40} (?:requires|has requirement) torch==(\d[\w.+]*)"
    r"[^,\n]{0,80}, but you(?:'ll)? have torch "
)
_BUILT_FOR = regex(r"(?a)\bbuild\.torch_version:\s{1,60}(\d[\w.+]{2,30})")
_LOADED = regex(r"\bcutlassF(?:-\w{1,12})?:\s{1,60}available")
_UNINSTALL = regex(r"(?a)(?:Found existing installation|Uninstalling|Attempting uninstall)")
_EXISTING = regex(r"(?a)Found existing installation: ([A-Za-z][\w.\-]{1,60}) (\d[\w.+]*)")
_DONE = regex(
    r"(?a)([A-Za-z][\w.\-]{0,60}?)-(\d{1,9}(?:\.\w{1,40}){0,8}(?:\+[\w.]{1,60})?)(?=\s|\Z)"
)
_WHEEL = regex(
    r"(?a)(?P<name>[A-Za-z][\w.]{1,60})-(?P<version>\d[\w.]*(?:(?:\+|%2[Bb])[\w.]+)?)(?:-\d+)?"
    r"-(?P<python>(?:cp|py)\d[\w.]*)-(?P<abi>\w+)-(?P<platform>[\w.]+?)\.whl"
    r"(?:\.metadata)?(?:\s+\((?P<size>\d+(?:\.\d+)?) (?P<unit>[kMG]B)\))?"
)
#: A dist-info folder, or an egg, in a path.
_FOLDER = regex(
    r"(?a)[/\\]([A-Za-z][\w.]{0,60})-(\d[\w.+]{0,40})(?:\.dist-info|-py\d\.\d{1,2}[\w-]{0,40}\.egg\b)"
)
_MEGABYTES = {"kB": 0.001, "MB": 1.0, "GB": 1000.0}
#: The wheels whose size tells what they are. The CPU wheels of torch have 50 to 250 MB on all
#: platforms and in all releases, those of TensorFlow up to 280; kernels for several architectures
#: make the CUDA wheels 350 MB to 2.8 GB. (macOS has no CUDA wheels, their small ones are right.)
_SIZED = ("torch", "tensorflow", "tf-nightly")
_CPU_AT_MOST_MB, _CUDA_AT_LEAST_MB = 280.0, 350.0
_SMALLEST_MB = 40.0  # below it, a wheel holds no framework: it only names the one that does
#: Prose and commands about packages that are wanted or gone, not there.
_WANTED = (
    "pip install",
    "pip3 install",
    "conda install",
    "uv add",
    "poetry add",
    "requires",
    "require ",
    "no matching distribution",
    "satisfies the requirement",
)


def read(text: Text) -> Statements:
    """What is installed comes first, then what was being installed, then pins."""
    yield from _shown(text)
    yield from _done(text)
    yield from _satisfied(text)
    yield from _of_xformers(text)
    yield from _rows(text)
    yield from _wheels(text)
    yield from _pins(text)
    yield from _put_there(text)
    yield from _locked(text)
    yield from _named(text)
    yield from _twins(text)
    yield from _removed(text)


def _shown(text: Text) -> Statements:
    """``pip show``."""
    for line in text.having("name: "):
        match = _SHOWN.match(line.text)
        name = recorded(match[1]) if match else None
        for below in text.after(line, 2) if name else ():
            if name and (version := _SHOWN_VERSION.match(below.text)):
                yield from installed(name, version[1], below)
    for line in text.having("package(s) not found: "):
        for wanted in line.text.partition("found: ")[2].split(","):
            if name := recorded(wanted):
                yield deny(names.PACKAGE_VERSION(name), line)


def _done(text: Text) -> Statements:
    """What pip put there; of what it put there twice the later release."""
    last: dict[str, tuple[str, Line]] = {}
    for line in text.having("successfully installed "):
        for name, version in _DONE.findall(line.text.partition("nstalled ")[2]):
            if found := recorded(name):
                last[found] = (version, line)
    for name, (version, line) in last.items():
        yield from installed(name, version, line)
    for line in text.having(".dist-info", ".egg/", ".egg\\"):
        for name, version in _FOLDER.findall(line.text):
            if (found := recorded(name)) and not _UNINSTALL.search(line.text):
                yield from installed(found, version, line)


def _satisfied(text: Text) -> Statements:
    for line in text.having("requirement already satisfied"):
        match = _SATISFIED.search(line.text)
        if match and (name := recorded(match[1])):
            yield from installed(name, match[2], line)

    for line in text.having("you have ", "you'll have "):
        for found, version in _YOU_HAVE.findall(line.text):
            if name := recorded(found):
                yield from installed(name, version.rstrip("."), line)
        if (asks := _ASKS.search(line.text)) and (name := recorded(asks[1])):
            yield from installed(name, asks[2], line)
        if (needs := _NEEDS.search(line.text)) and (name := recorded(needs[1])):
            yield say(said.PACKAGE_NEEDS_TORCH(name), needs[2], line)


def _of_xformers(text: Text) -> Statements:
    """Of which torch xFormers is a build, by its own report; it may load all the same."""
    if text.shows(_LOADED, "cutlassf"):
        return
    for line, match in text.matching(_BUILT_FOR, "build.torch_version:"):
        yield say(said.PACKAGE_NEEDS_TORCH("xformers"), match[1], line)


def _rows(text: Text) -> Statements:
    """``pip list``: two columns, or three with the place of an editable one."""
    for line in text.having(*_CUES):
        match = _ROW.match(line.text)
        if match and (name := recorded(match["name"])):
            yield from installed(name, match["version"], line)


def _wheels(text: Text) -> Statements:
    """A wheel's name has the version, its Python and its platform, and pip shows its size."""
    for line in text.having(".whl"):
        match = _WHEEL.search(line.text)
        name = recorded(match["name"]) if match else None
        if match is None or name is None or "ERROR" in line.text or "not a supported" in line.text:
            continue
        yield from _by_size(name, match, line)
        version = match["version"].replace("%2B", "+").replace("%2b", "+")
        yield from installed(name, version, line)
        if match["platform"].startswith("win"):
            yield say(names.OS_SYSTEM, "Windows", line)


def _by_size(name: str, match: re.Match[str], line: Line) -> Statements:
    if name not in _SIZED or not match["size"] or "metadata" in match[0] or "+" in match["version"]:
        return
    size = float(match["size"]) * _MEGABYTES[match["unit"]]
    if _SMALLEST_MB <= size <= _CPU_AT_MOST_MB:
        yield from built_for(name, "cpu", "", line)
    elif size >= _CUDA_AT_LEAST_MB:
        yield from built_for(name, "cuda", "", line)


def _pins(text: Text) -> Statements:
    """``torch==2.6.0``: what freeze prints and what requirements ask for look the same."""
    added = {match[1]: line for line, match in text.matching(_ADDED, "==")}
    for line in text.having("=="):
        if any(word in line.text.lower() for word in _WANTED):
            continue
        replaced = _TAKEN.match(line.text)
        again = _ADDED.match(line.text)
        for match in _PIN.finditer(line.text):
            if replaced is not None and replaced[1] in added:
                continue
            if again is not None and added[again[1]] != line:
                continue  # taken away for another since
            if name := recorded(match["name"]):
                yield from installed(name, match["version"], line)


def _put_there(text: Text) -> Statements:
    """What poetry, or pip, tells while it installs."""
    last: dict[str, tuple[str, Line]] = {}
    for line, done in text.matching(_BY_POETRY, "installing ", "updating "):
        if name := recorded(done[1]):
            last[name] = (done[2], line)
    for name, (version, line) in last.items():
        yield from installed(name, version, line)
    for line in text.having("collecting "):
        wanted, _, version = line.text.strip().removeprefix("Collecting ").partition("==")
        if (name := recorded(wanted)) and (found := version_text(version.split(" ")[0])):
            yield from installed(name, found, line)


def _named(text: Text) -> Statements:
    """Lines of nothing but names that carry their CUDA: ``cupy-cuda12x, cupy-cuda13x``."""
    for line, match in text.matching(_NAMED, "-cu"):
        for each in match[0].split(","):
            if name := recorded(each):
                yield from variant(name, line)


#: Packages of one module, as requirements and people list them, each on a line of its own.
_TWINS = (("onnxruntime", "onnxruntime-gpu"), ("paddlepaddle", "paddlepaddle-gpu"))


_INSTALLED = ("installed", "requirements", "pip list", "pip freeze", "i have")
#: Words of a manual that offers them.
_CHOICE = ("one of", "choose", "either", "extras", "supported")


#: As Maven's tree writes what a program for Java takes along.
_JAR = regex(r"com\.microsoft\.onnxruntime:(onnxruntime(?:_gpu)?):jar:\d")


#: What audio-separator finds.
_OF_BOTH = regex(r"\bONNX Runtime (GPU|CPU) package installed with version: \d")


#: What CuPy lists below its warning: "cupy-cuda12x, cupy-cuda13x".
_CUPYS = regex(r"(?a)\bcupy(?:-[\w-]{1,20})?(?:, cupy(?:-[\w-]{1,20})?)+")


def _cupys(text: Text) -> Statements:
    """The packages that CuPy itself found to be several."""
    for line in text.having("multiple cupy packages are installed"):
        for below in text.after(line, 4):
            if listed := _CUPYS.search(below.text):
                both = listed[0].replace(", ", " and ")
                yield say(said.SIGN("two-packages-told"), both, below)
                return


def _twins(text: Text) -> Statements:
    """Both names one below the other in a list of what is installed, in whatever versions."""
    yield from _cupys(text)
    jars = {match[1]: line for line, match in text.matching(_JAR, "microsoft.onnxruntime:")}
    if len(jars) > 1:
        both = " and ".join(sorted(jars)).replace("_", "-")
        yield say(said.SIGN("two-packages-told"), both, jars["onnxruntime_gpu"])
    if not any(each in text for each in _INSTALLED) or any(each in text for each in _CHOICE):
        return
    kinds = {match[1]: line for line, match in text.matching(_OF_BOTH, "package installed with")}
    if len(kinds) > 1:
        yield say(said.SIGN("two-packages-told"), "onnxruntime and onnxruntime-gpu", kinds["CPU"])
    for first, second in _TWINS:
        for line in text.having(second):
            near = (*text.before(line, 1), *text.after(line, 1))
            if _bare(line) == second and any(_bare(each) == first for each in near):
                yield say(said.SIGN("two-packages-told"), f"{first} and {second}", line)
                return


def _bare(line: Line) -> str:
    return line.text.strip().removeprefix("- ").partition("=")[0].rstrip("<>~! ")


def _locked(text: Text) -> Statements:
    """``[[package]]`` with name and version: poetry.lock, uv.lock."""
    for line in text.having("name ="):
        match = _LOCKED.match(line.text)
        name = recorded(match[1]) if match else None
        for below in text.after(line, 1) if name else ():
            if name and (version := _LOCK_VERSION.match(below.text)):
                yield from installed(name, version[1], below)


def _removed(text: Text) -> Statements:
    """What ``pip uninstall`` found, where nothing took its place."""
    if "successfully installed" in text:
        return
    for line, match in text.matching(_EXISTING, "found existing installation"):
        if name := recorded(match[1]):
            yield from installed(name, match[2], line)


_CUES = ("torch", "tensorflow", "tf-nightly", "jax", "cupy", "onnxruntime", "nvidia-", "numba",
         "numpy", "xformers", "flash", "bitsandbytes", "vllm", "triton", "keras", "ctranslate2",
         "whisper", "paddle", "mxnet", "cudf", "cuml", "llama", "sglang", "deepspeed", "dgl",
         "tensorrt", "spconv", "mmcv", "apex", "exllama", "auto", "pycuda", "pynvml", "cuda",
         "transformer", "rapids", "dlib", "faiss", "qiskit", "horovod", "accelerate",
         "pygdf", "cumm")  # fmt: skip
