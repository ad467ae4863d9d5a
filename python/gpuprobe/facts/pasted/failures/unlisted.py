"""The CUDA libraries that somebody looked for and was shown none of.

An answer that was left out of a text looks like an empty one, so that something has to follow it;
and a listing tells what is not there only where it is of a whole folder of a toolkit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..languages import NO_FILE
from ..prompts import command_of, commands, is_empty
from ..statement import Statements, deny
from .library_names import stem
from .where import FOUND_NONE, not_found, searches_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

#: What lies in a toolkit's folder of libraries beside the run time.
_OF_TOOLKIT = ("cublas", "cufft", "curand", "cusolver", "cusparse")
_STEMS = (*_OF_TOOLKIT, "cudart", "cudnn")
_FOLDER = regex(
    r"(?i)\A(?:sudo )?(?:ls|dir)(?: [-/][\w-]{1,12}){0,4} ['\"]?(?:"
    r"/usr/local/cuda(?:-[\d.]{2,6})?(?:/targets/[\w-]{3,20})?/lib(?:64)?/?(?:lib\*|\*)?(?:\.so\S{0,4})?"
    r"|[^'\"]{0,60}NVIDIA GPU Computing Toolkit\\CUDA\\v[\d.]{2,6}\\bin\\?(?:\*(?:64_\*)?\.dll)?"
    r")['\"]?\Z"
)
#: Searches for one library by its name: in the loader's cache, on the disk.
_SEARCH = regex(
    r"(?i)\A(?:sudo )?(?:(?:/sbin/)?ldconfig -\w{0,3}p\w{0,2} ?\| ?[ef]?grep(?: -\w{1,4})?"
    r"|find /(?:usr/?)? (?:-\w{1,8} [fl] )?-i?name|m?locate(?: -\w{1,4})?)"
    r" ['\"]?(?:\*?lib|\*)?(cu(?:dart|blas|fft|dnn))(?:\*?\.so[\w.*]{0,12}|\*)?['\"]?"
    r"(?: ?2> ?/dev/null)?\Z"
)
#: The system's packages, of which those are shown that have one of several words in their names.
_PACKAGES = regex(
    r"(?i)\A(?:sudo )?(?:dpkg (?:-l|--list)|rpm -qa|apt list --installed)(?: ?2> ?/dev/null)? ?"
    r"\| ?(?:[ef]?grep(?! -\w{0,3}v)|awk)\b([^\n]{1,120})"
)
_ASKED = regex(r"cublas|cufft|cudart|cudnn")
#: The package of a toolkit's part, in a row of theirs.
_PART = regex(r"(?i)\b(?:lib)?cu(?:da|blas|fft|dnn|rand|solver|sparse)[\w.+-]{0,40}")
#: Packages that bring all the libraries, or those of Debian's own.
_WITH_ALL = regex(r"(?i)\bcuda-(?:libraries|toolkit)-\d+-\d+(?=[\s:]|\Z)|nvidia-cuda-toolkit")
#: Where a loader looks unasked; a folder of one release may be left from an older toolkit.
_NAMED = regex(
    r"(?i)['\"](?:/usr/lib(?:64|/(?:x86_64|aarch64)-linux-gnu)?|/usr/local/cuda/lib64)"
    r"/lib(cu(?:dart|blas|fft|dnn))(?:\.so|\*)"
)
_CUT = regex(r"(?:\.\.\.|\u2026)\W{0,2}\Z|\[?\bsnip")
#: What stands in a line that names a file for being absent.
_NOT_SHOWN = regex(r"(?i)cannot|could not|no such|not found|error|fail|missing|unable")
_DLL = regex(r"(?i)(?<![\w.-])cu[a-z_]{2,30}64_\d{1,4}(?:_0)?\.dll")
#: The last image of a Dockerfile, and what brings the libraries that the smallest one leaves out.
_FROM = regex(r"(?i)\A\s*FROM\s+(?:--\S+\s+)?(\S+)")
_BASE = regex(r"(?a)\bnvidia/cuda:\d[\w.]{1,12}-base\b")
_BRINGS = ("cuda-libraries", "cuda-toolkit", "cuda-minimal-build", "nvidia-cuda-toolkit")
#: Packages of Python and Conda that bring the libraries, or lists of packages that are not shown.
_BRINGS_BY_PIP = ("torch", "jax", "onnxruntime-gpu[", "and-cuda", "nvidia-cu", "conda", "mamba",
                  "requirements", "poetry", "uv sync", "pyproject", "-e .")  # fmt: skip


def read(text: Text) -> Statements:
    """Each library that a search did not find and nothing else in the text shows."""
    shown: dict[str, bool] = {}
    for name, line in _not_found(text):
        if name not in shown:
            shown[name] = _is_shown(text, name)
        if not shown[name]:
            yield deny(said.LIBRARY_LISTED(name), line)


def _is_shown(text: Text, name: str) -> bool:
    """Whether a line names a file of the library, and neither asks for it nor misses it."""
    linked = {each.number for _, _, answer in commands(text, "dumpbin") for each in answer}
    for line in text.having(f"lib{name}.so", f"lib{name}lt.so", f"{name}64_"):
        asks = command_of(line) is not None or searches_path(line.text.lstrip("> "))
        if not asks and line.number not in linked and not _NOT_SHOWN.search(line.text):
            return True
    return False


def _not_found(text: Text) -> Iterator[tuple[str, Line]]:
    """Each library that a search did not find, or that a toolkit's folder does not hold."""
    yield from _asked_where(text)
    for line, command, answer in commands(text, "ls ", "dir "):
        if _FOLDER.match(command):
            yield from _not_in_folder(line, answer)
    for line, command, answer in commands(text, "ldconfig", "find /", "locate "):
        match = _SEARCH.match(command)
        followed = len(text.after(line, len(answer) + 1)) > len(answer)
        if match and followed and is_empty(answer):
            yield match[1].lower(), line
    for line in text.having("cannot access"):
        match = _NAMED.search(line.text)
        if match and any(word in line.text.lower() for word in NO_FILE):
            yield match[1].lower(), line
    yield from _not_packaged(text)
    yield from _not_in_image(text)


def _asked_where(text: Text) -> Iterator[tuple[str, Line]]:
    """What Windows' `where` was asked for in vain, also where the prompt was lost."""
    for line, command, answer in commands(text, "where"):
        if searches_path(command):
            yield from _not_on_path(command, line, answer)
    for answered in text.having(*FOUND_NONE):
        for line in text.before(answered, 1):
            typed = line.text.lstrip("> ")
            if searches_path(typed):
                yield from _not_on_path(typed, line, (answered,))


def _not_on_path(command: str, line: Line, answer: tuple[Line, ...]) -> Iterator[tuple[str, Line]]:
    """The libraries of CUDA among the names that Windows did not find."""
    for asked, _ in not_found(command, answer):
        for name in _DLL.findall(asked):
            if stem(name) in _STEMS:
                yield stem(name), line


def _not_in_folder(line: Line, answer: tuple[Line, ...]) -> Iterator[tuple[str, Line]]:
    shown = " ".join(each.text for each in answer).lower()
    if "cudart" not in shown or any(_CUT.search(each.text) for each in answer):
        return  # no folder of libraries, or not all of its list
    for name in _OF_TOOLKIT:
        if f"{name}." not in shown and f"{name}64_" not in shown:
            yield name, line


def _not_packaged(text: Text) -> Iterator[tuple[str, Line]]:
    """Libraries that were asked for, where packages of other parts of a toolkit alone are shown."""
    for line, command, answer in commands(text, "dpkg -", "rpm -qa", "apt list"):
        asked = _PACKAGES.match(command)
        shown = "\n".join(each.text for each in answer).lower()
        if asked is None or not _PART.search(shown) or _WITH_ALL.search(shown):
            continue
        for name in dict.fromkeys(_ASKED.findall(asked[1].lower())):
            if name not in shown:
                yield name, line


def _not_in_image(text: Text) -> Iterator[tuple[str, Line]]:
    """NVIDIA's image called ``base`` has the run time alone; what is installed into it is named."""
    stages = [line for line, _ in text.matching(_FROM, "from ")]
    if not stages or not _BASE.search(stages[-1].text):
        return
    if any(True for _ in text.having(*_BRINGS, *_BRINGS_BY_PIP)):
        return
    for name in ("cublas", "cudnn"):
        if not any(True for _ in text.having(name)):
            yield name, stages[-1]
