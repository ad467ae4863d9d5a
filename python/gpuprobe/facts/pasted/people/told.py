"""What people tell of their machine in a sentence: "win10, I am using CUDA 11.8 and cuDNN 8.9.1".

Read only where the text tells of one of each: who tried several, or compares two systems, does
not say which is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from ..statement import Statements, say

if TYPE_CHECKING:
    import re

    from ..text import Line, Text

#: "CUDA 11.8", "cuda-toolkit v11.8", "cuda版本12.2"; not that of a file's name or of pip.
_TOOLKIT = regex(
    r"(?ai)(?<![\w./\\+-])(?P<name>cuda|cudnn)(?:[- ]toolkit)?(?: version| ?版本)?"
    r"(?: is|是|为)?[ :=]{0,2}v?(?P<version>[1-9]\d?(?:\.\d{1,3}){0,2})(?![\w./\\-]*[\w/\\])"
)
#: What tells that it is there, before it in the sentence.
_MINE = regex(
    r"(?i)(?:\b(?:I|we|my|our|have|having|has|using|use|used|installed|running|run|with|got|is|are"
    r"|on|in|and|env\w*|machine|system|server)\b|有|安装|装|是|用|版本)"
)
#: What the version may be of besides, or that it is wished for.
_NOT_TOOLKIT = regex(
    r"(?i)\b(?:driver|smi|wheels?|pip|conda|docker|images?|containers?"
    r"|support\w*|compiled|built|build|capability|can't|cannot|(?:down|up)grad\w+|error|requir\w+"
    r"|at least|minimum|newer|older|later|recommend\w*|should|instead|example|please|try|tried|if"
    r"|works?|worked|since|until|before|previous\w*|other)\b|驱动|>=|<=|#\d"
)
#: A framework's CUDA is that of its build: "torch 2.0 with CUDA 11.7", "CUDA 11.8 of PyTorch".
_BUILD = r"torch|tensorflow|jax|paddle|cupy|onnxruntime|onnx"
_BUILT = regex(rf"(?i)(?:{_BUILD})[^\n,;\u3001\u3002]{{0,40}}\Z")
_OF_BUILD = regex(rf"(?i)\A[^\n,;\u3001\u3002]{{0,20}}(?:{_BUILD})")
_WINDOWS = regex(
    r"(?a)(?<![\w./-])(?i:windows(?: ?(?:10|11|server|pc|machine|laptop)(?!\w|\.\w)"
    r"| home\b| pro\b)|win ?1[01](?!\d|\.\w)|on windows\b)"
    r"|\A\W?[A-Z]:\\[^\n>:*?\"]{1,200}\.py:\d"
    r"|\bPS [A-Z]:\\|File \"[A-Z]:\\|\A\W?[A-Z]:\\[^\n>]{1,200}>"
    r"|\([\w.-]{1,40}\) [A-Z]:\\[^\n>]{0,200}>|系统 ?:? ?[Ww]in"
)
#: A prompt, whatever was typed behind it; a file of Python's, whatever it warns of.
_PROMPT = regex(
    r"(?a)\A\W?(?:(?:\([\w.-]{1,40}\) )?(?:PS )?[A-Z]:\\[^\n>]{0,200}>"
    r"|[A-Z]:\\[^\n>:*?\"]{1,200}\.py:\d)"
)
_WINDOWS_CUES = ("windows", "win1", "win 1", ":\\", "系统")
_NOT_WINDOWS = regex(
    r"(?i)\b(?:(?:not|no|without) (?:(?:us(?:e|ing)|run(?:ning)?|have|on|in|under|for|a|the|with"
    r"|native) ){0,2}win\w*"
    r"|support\w*|works?|worked|fine|should|instead|also|other|tried|only"
    r"|if|friend|colleague|unlike|vs|versus|server\.core|remote|client|from)\b"
)
_OTHER_SYSTEMS = (
    *("linux", "ubuntu", "debian", "centos", "fedora", "red hat", "rhel", "wsl", "manjaro"),
    *("docker", "colab", "kaggle", "macos", "mac os", "darwin", "jetson", "/usr/", "/home/"),
)
_LONGEST = 400


def read(text: Text) -> Statements:
    """The toolkit, cuDNN and Windows."""
    yield from _toolkit(text)
    yield from _windows(text)


def _toolkit(text: Text) -> Statements:
    """The one toolkit and the one cuDNN."""
    found: dict[str, dict[str, Line | None]] = {"cuda": {}, "cudnn": {}}
    for line in text.having("cuda", "cudnn"):
        for match in _TOOLKIT.finditer(line.text) if len(line.text) <= _LONGEST else ():
            versions = found[match["name"].lower()]
            there = line if _is_there(line.text, match) else None
            versions[match["version"]] = versions.get(match["version"]) or there
    for name, key in (("cuda", names.TOOLKIT_VERSION), ("cudnn", said.CUDNN_VERSION)):
        exact = _most_exact(found[name])
        if len(exact) == 1:
            ((version, where),) = exact.items()
            if where is not None and "." in version:
                yield say(key, Version(version), where)


def _most_exact(told: dict[str, Line | None]) -> dict[str, Line | None]:
    """Without "12" where "12.2" is told of as well."""
    begun = {version[:at] for version in told for at, sign in enumerate(version) if sign == "."}
    return {version: line for version, line in told.items() if version not in begun}


def _is_there(sentence: str, told: re.Match[str]) -> bool:
    before, after = sentence[: told.start()], sentence[told.end() :]
    if _BUILT.search(before) or _OF_BUILD.search(after) or _NOT_TOOLKIT.search(sentence):
        return False
    return _MINE.search(before) is not None


def _windows(text: Text) -> Statements:
    """A system that is told of, or that a path shows, where no other is."""
    if any(True for _ in text.having(*_OTHER_SYSTEMS)):
        return
    for line in text.having(*_WINDOWS_CUES):
        if len(line.text) > _LONGEST or not _WINDOWS.search(line.text):
            continue
        if _PROMPT.match(line.text) or not _NOT_WINDOWS.search(line.text):
            yield say(names.OS_SYSTEM, "Windows", line)
            return
