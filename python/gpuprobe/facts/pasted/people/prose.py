"""What the reporter's own sentences tell of the machine, where the whole text names but one.

A sentence may also speak of another machine, of what a package requires or of what somebody
advised. So a GPU, a driver or a version counts only where nothing else of its kind is named, not
in words of advice; it is the least that is trusted.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ...version import Version
from .. import gpu_names
from ..installed.package_names import built_for, installed, recorded, told_of
from ..statement import Statements, say
from ..text import cues
from ..tools import pci
from . import short_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

#: Words of requirement, advice and comparison; a box of a form that was not ticked.
_NOT_MINE = regex(
    r"(?i)\A\W{0,4}\[ \] |\b(?:requires?|required|requirement|at least|minimum"
    r"|or (?:newer|later|higher|above)"
    r"|newer than|older than|recommend\w*|supported|supports|should|instead|e\.g\.|for example"
    r"|upgrade to|update to|downgrade to|in place of|such as|unlike|works (?:fine )?on"
    r"|fix(?:es|ed)?|since|as of|until|before|previously|please|try"
    r"|no matching distribution)\b|>=|<=|#\d"
)
_LONGEST = 400
_GPU_CUES = ("rtx", "gtx", "geforce", "tesla", "quadro", "titan", "nvidia", "gpu", "显卡",
             " gt ", "nvs ", "100", "200", "l40", "a800", "h800", "h20", "gb10",
             "mobile", "laptop")  # fmt: skip
_CAPABILITY = regex(
    r"(?ai)\b(?:(?:my|an?|this|old|the) (?:[\w-]+ ){0,4}?(?:gpu|card|device)|gpu) (?:only )?"
    r"(?:with|has|is|of|having)(?: an?| the| only)* (?:cuda )?(?:compute )?capability"
    r"(?: of| is| version|:)? ?(\d{1,2}\.\d)(?!\.?\d)"
    r"|\bcapability (\d{1,2}\.\d) is all (?:that )?my (?:hardware|gpu|card|machine)\b"
    r"|\bcompute capability of (?:the |my )?(?-i:[A-Z])[\w-]{2,12} is (\d{1,2}\.\d)(?!\.?\d)"
)
_RELEASE = r"(\d{3}\.\d{2,3}(?:\.\d{2,3})?)(?![.\d])"
_OTHER_DRIVER = regex(r"(?i)\b(?:bluetooth|audio|wi-?fi|network|amd|intel|mesa)\b")
_DRIVER = (
    regex(rf"(?ai)\bdrivers?(?: is| was| version| ver\.?)*[ :=]{{0,3}}v?{_RELEASE}"),
    regex(rf"(?ai)(?<![.\d]){_RELEASE} (?:nvidia )?driver\b"),
    # "NVIDIA driver 535", nvidia-driver-535-server
    regex(
        r"(?ai)\bnvidia[ -](?:gpu |graphics |linux )?drivers?(?: version)?[ :=-]{1,3}(\d{3})"
        r"(?!\.?\d)"
    ),
    regex(
        r"(?a)(?<!需要)(?<!要求)(?<!升级)(?<!更新)驱动(?:程序)?的?(?:版本)?号?[是为]?"
        rf"[ :=]{{0,3}}{_RELEASE}(?! ?[及或]?(?:以上|以后|更高))"
    ),
)
#: What runs there, whatever the sentence beside it asks for: "the default driver at X is 384.145".
_DRIVER_THERE = regex(
    r"(?ai)\b(?:the|our|my) (?:default|current|installed|present) (?:nvidia )?driver\b"
    rf"[^.,;\n]{{0,24}}? (?:is|was)(?: still| only)? {_RELEASE}"
)
#: "My TensorFlow is 1.14".
_PACKAGE_MINE = regex(
    r"(?ai)\b(?:my|our) (?P<name>tensorflow(?:-gpu)?|pytorch|torch|jax)(?: version)? is "
    r"(?P<version>\d{1,2}\.\d{1,2}(?:\.\d{1,2})?)(?![\w.]*\w)"
)
_PACKAGE = regex(
    r"(?ai)(?<![\w/.\\-])(?P<name>[a-z][\w-]{1,24}?)(?:(?: version)?(?: - |[ =:@v]{1,3}"
    r"|-(?=\d\.\d{1,2}\.\d(?!\d*\.dev)))| ?的?版本号?[是为]?[ :=v]{0,3})"
    r"(?P<version>\d{1,2}\.\d{1,3}(?:\.\d{1,3})?(?:[.-]?(?:post|rc|dev)\d+)?(?:\+\w+)?)(?![\w.]*/)"
)
_PACKAGE_CUES = ("torch", "tensorflow", "jax", "vllm", "xformers", "flash", "onnxruntime", "cupy",
                 "numba", "bitsandbytes", "triton", "ctranslate2", "sglang")  # fmt: skip
#: What pip takes away, mostly for another release; what a package asks for; whose CUDA is told.
_REMOVED = regex(
    r"(?i)\b(?:uninstall\w*|found existing installation|needs|requires|used to build).{0,8}\Z"
)
#: ONNX Runtime for .NET: ``Include="Microsoft.ML.OnnxRuntime.Gpu" Version="1.16.0"``.
_NUGET = regex(
    r"(?ai)\b(?P<name>Microsoft\.ML\.OnnxRuntime(?:\.Gpu)?(?:\.(?:Windows|Linux))?)[\"'`:]{0,2}"
    r"[ (]{1,2}(?:nuget )?(?:package )?(?:version[ =:]{1,3})?[\"'v]?(?P<version>\d\.\d{1,2}\.\d)"
)
_PINNED = regex(r"(?a)(?<=\s)(?P<name>torch|tensorflow|jax)={2,3}(?P<version>\d[\w.+]*)")
#: Code that runs what was installed, which so was the release that was asked for.
_ASKED = regex(
    r"\A\W{0,4}import (?:torch|tensorflow|jax)\b|\btorch\.cuda\.is_available\("
    r"|\btf\.(?:config\.\w*\.?list_physical_devices|test\.is_gpu_available)\(|\bjax\.devices\("
)
_SOON = 30
#: Where pip took torch from, and what conda was to put beside it.
_INDEX = regex(r"(?a)download\.pytorch\.org/whl/(?:nightly/|test/)?(cpu|cu\d{2,3})\b")
_BESIDE = regex(r"(?a)\b(?:cudatoolkit|pytorch-cuda)\s?={1,2}\s?(\d{1,2}\.\d)\b")
_CPUONLY = regex(r"\b(?:conda|mamba) (?:install|create) [^\n]{0,200}?(?<![\w=-])cpuonly\b")
#: What a build with CUDA says: then the command was for another place.
_OF_CUDA = "cuda out of memory", "cuda error"
#: "with PyTorch 1.0.1 and CUDA 9.0": of its time, when the CUDA was chosen with the release.
_WITH_CUDA = regex(
    r"(?ai)\b(?:py)?torch(?: version)?[ :=v]{1,3}[01]\.\d{1,2}(?:\.\d)?[ ,;/&+(]{1,3}"
    r"(?:and |with )?cuda(?: version)?[ :=v-]{0,3}(\d{1,2}\.\d)(?![.\d])"
)
#: 'it says "2.0.0+cpu"': among the packages with such a version PyTorch alone is meant so.
_FOR_CPU = regex(
    r"(?ai)(?<!if )(?<!when )(?<!unless )\b(?:it|which|system info|webui|ui|program|log|console"
    r"|version) (?:says?|said|shows?|showed|prints?|printed|displays?|reports?)\b"
    r"[^\n\d]{0,24}([12]\.\d{1,2}\.\d\+cpu)\b"
)
_OTHERS_FOR_CPU = regex(r"(?i)torch(?:vision|audio|text|data)|ipex|extension|jaxlib|paddle")
_WSL = regex(
    r"(?i)\bWSL ?(?P<version>[12])?\b(?!\w)|windows subsystem\b"
    r"|\b(?:linux subsystem (?:on|of|for|in) windows|windows linux subsystem)\b"
)
#: What the first WSL was called, before there was a second; "Bash on Windows" alone may be Git's.
_WSL1 = regex(
    r"(?i)\bbash on ubuntu on windows\b|\bbash on windows \(?ubuntu\b"
    r"|\bubuntu bash on windows\b"
)
_NOT_WSL = regex(r"(?i)\b(?:not|no|without|instead of|or|native|non)[ -]{1,2}\Z")
_WSL_CUES = cues("wsl|windows subsystem|linux subsystem|on windows|/mnt/|desktop-|laptop-")
#: Folders that only WSL has; and names that only Windows gives, in a prompt or system of Linux.
_WSL_FOLDER = regex(
    r"/usr/lib/wsl/|/mnt/[a-z]/(?:Users|Program Files|Windows)\b"
    r"|(?:DESKTOP|LAPTOP)-[A-Z0-9]{7,8}:[~/][^\n]{0,200}[$#]"
    r"|system='Linux', node='(?:DESKTOP|LAPTOP)-|\bLinux (?:DESKTOP|LAPTOP)-[A-Z0-9]{7,8} \d"
)
#: "the docker image", "inside docker"; not "docker works", nor Docker's own files.
_DOCKER = regex(
    r"(?i)\b(?:docker (?:image|container)|(?:in|inside|with|within|from|using|via) (?:a |the |my )?"
    r"docker\b(?! (?:desktop|hub))|(?:on|in|with|using|via) (?:a |the )?docker[ -]"
    r"(?:swarm|compose)|docker[ -]compose (?:services?|stack|deployment)\b|docker/run\.sh\b"
    r"|(?:(?:my|our) )?own container for)"
    r"|(?i:docker) ?(?:镜像|容器)?(?:内|里|中|下)|容器(?:内|里|中)|使用docker|进入容器"
)
#: The same of others: "inside the singularity container", "through Apptainer", "in an LXC".
_OTHERS = regex(
    r"(?i)\b(?:in|inside|within|from|using|via|through) (?:an? |the |my )?"
    r"(podman|singularity|apptainer|lxc|lxd|incus)\b|\b(podman|singularity|apptainer|lx[cd]|incus)"
    r" (?:container|image)"
)
_KUBERNETES = regex(r"\b(?:GKE|EKS|AKS|K8s|k8s|k3s|k0s|[Kk]ubernetes|kubectl)\b")
_CLUSTERS = ("gke", " eks ", " aks ", "k8s", "k3s", "kubernetes", "kubectl")
_PODS = regex(
    r"(?i)\b(?:in|inside|within|from|the|my) (?:the |my |a )?(?:\w+ )?pods?\b"
    r"|\Aa pod (?:with|of|from|that|which)\b"
)
#: What stands above that which was printed there.
_HEADING = regex(
    r"(?i)\A\W{0,4}(?:(?:the )?(?:logs?|output) )?(?:in|inside|within|from|of)"
    r"(?: (?:the|a|my|this))?(?: running)? (container|pod)\b"
    r"[^\n.?!]{0,60}:\W{0,3}\Z"
)
_END = regex(r"[.!?;](?=\s)|。")
_ALSO = regex(r"(?i)\b(?:not|no|without|also|tried|works?|outside|instead)\b")
#: What Docker names a container that got no name: the shell's prompt shows it.
_CONTAINER_PROMPT = regex(r"\A\W{0,2}(?:\([\w.-]+\) )?root@[0-9a-f]{12}:\S*#")
_BOXES = {"container": "docker", "pod": "kubernetes"}
_HOSTED = regex(r"(?i)(?<![\w./-])(?:google )?(colab|kaggle)(?! ?\.\w|\w|/)")
#: The folder that only Colab works in.
_COLAB_FOLDER = regex(r"\A\s*[%!]cd /content\b|/content/drive/My|File \"/content/")
#: Macs that never had a driver for NVIDIA's GPUs, by the system's number or name as well.
_MAC = regex(
    r"(?ai)\b(?:mac ?os (?:x )?(?:version )?(?:10\.1[45]|1[1-9]|2\d|mojave|catalina|big sur"
    r"|monterey|ventura|sonoma|sequoia|tahoe)\b|apple[ -](?:silicon|m[1-9])\b"
    r"|mac(?:book)?\b(?!:| address)[^.\n,;:]{0,30}\bM[1-9](?![a-z0-9])"
    r"|(?:M[1-9] (?:(?:pro|max|ultra) )?|(?:on|with|using) (?:my|a) )(?:i?mac|macbook)\b"
    r"|(?:issue|error|problem|fails?|failure|crash(?:es)?) on (?:the )?mac(?:book)?\b"
    r"|(?:machine|laptop|computer|platform|hardware)\s?[:=]\s?(?:i?mac|macbook)\b)"
)
#: Behind a Mac's name: it is not the machine on which anything fails.
_IS_FINE = regex(
    r"(?i)\A(?:(?!n't|\b(?:not|nothing|never|no|none|neither|hardly|only|but)\b)"
    r"[^.!?;\n]){0,40}?\b(?:works|worked|(?:runs|ran)(?: \w+){0,3} fine"
    r"|(?:is|was) (?:fine|ok|okay)|succeed(?:s|ed))\b"
    r"(?! (?:only|but|partly|slow\w*|(?:fine )?(?:on|with) (?:the )?cpu|without)\b)"
)
#: The Mac is where somebody sits; the work runs elsewhere.
_REMOTE = regex(
    r"(?i)\b(?:ssh|client|linux box|(?:on|in|and) (?:the )?(?:linux|ubuntu|server)|aws|colab)\b"
)
#: A home folder of macOS, in a frame of a traceback or at the start of a line.
_MAC_HOME = regex(r"(?:\A\W{0,3}|File [\"'])/Users/[\w.-]{1,40}/")


def read(text: Text) -> Statements:
    """GPU, driver, packages, and where it runs."""
    yield from _gpu(text)
    yield from _capability(text)
    yield from _driver(text)
    yield from _packages(text)
    yield from _installed_by(text)
    yield from _torch_from(text)
    yield from _with_cuda(text)
    yield from _for_cpu(text)
    yield from _wsl(text)
    yield from _place(text)


def _told(text: Text, *cues: str) -> Iterator[tuple[Line, bool]]:
    """The lines of a sentence's length, and whether each may speak of the reporter's machine."""
    for line in text.having(*cues):
        if len(line.text) <= _LONGEST:
            yield line, _may_be_mine(line.text)


@functools.lru_cache(maxsize=256)  # each question here asks it of the same lines
def _may_be_mine(text: str) -> bool:
    return _NOT_MINE.search(text) is None


def _gpu(text: Text) -> Statements:
    found: dict[tuple[str, ...], tuple[str, Line] | None] = {}
    for line, mine in _told(text, *_GPU_CUES):
        if pci.DEVICE.match(line.text):
            continue  # read there, and it may be another machine's
        for name in gpu_names.mentioned(line.text):
            product = tuple(re.findall(r"(?a)\d+", name)) or (name.lower(),)
            if found.get(product) is None:
                found[product] = (name, line) if mine else None
    if len(found) == 1 and (only := next(iter(found.values()))):
        yield say(names.GPU_NAME(0), only[0], only[1])


def _capability(text: Text) -> Statements:
    """What the reporter's only GPU has: "my card has compute capability 3.0"."""
    found = {
        next(filter(None, match.groups())): line
        for line, mine in _told(text, "capability")
        for match in _CAPABILITY.finditer(line.text)
        if mine
    }
    if len(found) == 1:
        capability, line = next(iter(found.items()))
        yield say(names.GPU_CAPABILITY(0), Version(capability), line)


def _driver(text: Text) -> Statements:
    found: dict[str, Line | None] = {}
    for line, match in text.matching(_DRIVER_THERE, " driver"):
        found.setdefault(match[1], line)
    for line, mine in _told(text, "driver", "驱动"):
        for pattern in _DRIVER if not _OTHER_DRIVER.search(line.text) else ():
            for match in pattern.finditer(line.text):
                found.setdefault(match[1], line if mine else None)
    whole = {version for version in found if "." in version}
    versions = whole or set(found)
    if len(versions) == 1 and (told := found[next(iter(versions))]):
        yield say(names.DRIVER_VERSION, Version(next(iter(versions))), told)


def _packages(text: Text) -> Statements:
    found: dict[str, dict[str, Line]] = {}
    for line, match in _versions(text, _PACKAGE_CUES, _PACKAGE, _NUGET):
        if (name := recorded(match["name"])) and not name.startswith(("nvidia-", "cuda")):
            found.setdefault(name, {}).setdefault(match["version"], line)
    found = short_names.by_package(text, _versions(text, *short_names.NAMED)) | found
    for line, match in text.matching(_PACKAGE_MINE, *_PACKAGE_CUES):
        if name := recorded(match["name"]):
            found[name] = {match["version"]: line}
    for name, versions in found.items():
        if len(versions) == 1:
            version, line = next(iter(versions.items()))
            yield from told_of(name, version, line)


def _versions(
    text: Text, cues: tuple[str, ...], *patterns: re.Pattern[str]
) -> Iterator[tuple[Line, re.Match[str]]]:
    """Names with versions that may be of what the reporter has, not what pip is asked for."""
    for line, _ in _told(text, *cues):
        for pattern in patterns if "install " not in line.text else ():
            for match in pattern.finditer(line.text):
                mine = _may_be_mine(_sentence(line.text, match))
                if mine and not _REMOVED.search(line.text[: match.start()]):
                    yield line, match


def _installed_by(text: Text) -> Statements:
    """``pip install torch==1.3.0``, where it is asked near by and no other is told."""
    found: dict[str, dict[str, Line]] = {}
    for line, mine in _told(text, "pip install ", "pip3 install "):
        for match in _PINNED.finditer(line.text) if mine else ():
            if name := recorded(match["name"]):
                found.setdefault(name, {}).setdefault(match["version"], line)
    for name, versions in found.items():
        version, line = next(iter(versions.items()))
        near = (*text.before(line, _SOON), *text.after(line, _SOON))
        if len(versions) == 1 and any(_ASKED.search(each.text) for each in near):
            yield from installed(name, version, line)


def _torch_from(text: Text) -> Statements:
    """``pip install torch --index-url …/whl/cu128``, ``conda install pytorch cudatoolkit=11.3``."""
    tags: dict[str, Line] = {}
    cues = "download.pytorch.org/whl/", "cudatoolkit=", "pytorch-cuda=", "cpuonly"
    for line, mine in _told(text, *cues):
        if not mine or "torch" not in line.text.lower().replace("download.pytorch.org", ""):
            continue
        for match in _INDEX.finditer(line.text):
            tags.setdefault(match[1], line)
        for match in _BESIDE.finditer(line.text):
            tags.setdefault("cu" + match[1].replace(".", ""), line)
        if _CPUONLY.search(line.text) and not any(cue in text for cue in _OF_CUDA):
            tags.setdefault("cpu", line)
    if len(tags) == 1:
        tag, line = next(iter(tags.items()))
        kind = "cpu" if tag == "cpu" else "cuda"
        yield from built_for("torch", kind, tag.removeprefix("cu"), line)


def _with_cuda(text: Text) -> Statements:
    found = {
        match[1]: line
        for line, mine in _told(text, "cuda")
        for match in _WITH_CUDA.finditer(line.text)
        if mine
    }
    if len(found) == 1:
        cuda, line = next(iter(found.items()))
        yield say(names.PACKAGE_CUDA("torch"), Version(cuda), line)


def _for_cpu(text: Text) -> Statements:
    """The version of PyTorch that somebody saw, without its name: its tag tells whose it is."""
    for line, mine in _told(text, "+cpu"):
        match = _FOR_CPU.search(line.text)
        if match and mine and not _OTHERS_FOR_CPU.search(line.text):
            yield from installed("torch", match[1], line)
            return


def _wsl(text: Text) -> Statements:
    for line, mine in _told(text, *_WSL_CUES):
        first = _WSL1.search(line.text)
        match = _WSL.search(line.text) or first
        told = match is not None and mine and not _NOT_WSL.search(line.text[: match.start()])
        told = told and "to see if we are running under" not in line.text  # NVIDIA's tools ask
        if told or _WSL_FOLDER.search(line.text):
            version = match[1] if match and match is not first and told else None
            yield say(names.OS_SYSTEM, "Linux", line)
            yield say(names.WSL_VERSION, int(version or (1 if first else 2)), line)
            return


def _place(text: Text) -> Statements:
    """A container, a hosted notebook, a Mac."""
    yield from _inside(text)
    for line, mine in _told(text, "colab", "kaggle"):
        hosted = _HOSTED.search(line.text)
        if hosted and mine and not _ALSO.search(_sentence(line.text, hosted)):
            yield say(names.OS_NAME, f"{hosted[1].capitalize()} notebook", line)
    for line in text.having("/content"):
        if _COLAB_FOLDER.search(line.text):
            yield say(names.OS_NAME, "Colab notebook", line)
    yield from _mac(text)


def _mac(text: Text) -> Statements:
    for line, mine in _told(text, "mac", "apple"):
        match = _MAC.search(line.text)
        if not match or not mine or _REMOTE.search(line.text):
            continue
        also = _ALSO.search(_sentence(line.text, match, to=match.start()))
        if not also and not _IS_FINE.match(line.text[match.end() :]):
            yield say(names.OS_SYSTEM, "Darwin", line)
    elsewhere = any(cue in text for cue in ("linux", "ubuntu", "windows", "nvidia-smi", "server"))
    for line, _ in text.matching(_MAC_HOME, "/users/") if not elsewhere else ():
        yield say(names.OS_SYSTEM, "Darwin", line)


def _sentence(line: str, match: re.Match[str], to: int | None = None) -> str:
    """The sentence of a line that the match is in, whole or up to a place in the line."""
    begin = max((end.end() for end in _END.finditer(line, 0, match.start())), default=0)
    end = _END.search(line, match.end()) if to is None else None
    return line[begin : end.start() if end else to]


def _inside(text: Text) -> Statements:
    """Docker and its kin, a pod of Kubernetes."""
    for line, mine in _told(text, "docker", "own container", "容器", "root@"):
        match = _DOCKER.search(line.text)
        told = match and mine and not _ALSO.search(_sentence(line.text, match))
        if told or _CONTAINER_PROMPT.match(line.text):
            yield say(names.CONTAINER_KIND, "docker", line)
    for line, mine in _told(text, "podman", "singularity", "apptainer", "lxc", "lxd", "incus"):
        match = _OTHERS.search(line.text)
        if match and mine:
            yield say(names.CONTAINER_KIND, (match[1] or match[2]).lower(), line)
    for line, match in text.matching(_HEADING, "container", " pod"):
        yield say(names.CONTAINER_KIND, _BOXES[match[1].lower()], line)
    cluster = any(_KUBERNETES.search(line.text) for line, _ in _told(text, *_CLUSTERS))
    for line, mine in _told(text, " pod") if cluster else ():
        if mine and _PODS.search(line.text):
            yield say(names.CONTAINER_KIND, "kubernetes", line)
