"""Every error code of every interface, by name, by number or by the vendor's own words.

The subject is the canonical name (`knowledge.error_texts`): what the driver calls the number,
else the library's own name. Codes of libraries without a table (cuFFT, cuSOLVER …) keep the name
that the text states. The value is the message.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from ... import said
from ...excerpt import excerpt
from ...model import Known
from ...regex import regex
from ..statement import Statements, say
from ..text import cues
from ..wordings.containers import COMPAT_TRIED
from ..wordings.nvidia_smi import OF_ADMINS
from .error_words import in_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from ....knowledge.error_texts import ErrorText
    from ....knowledge.errors import Api
    from ..text import Line, Text

#: No failures, or what every loop that polls answers.
_NO_ERRORS = frozenset({"CUDA_ERROR_NOT_READY", "cudaErrorNotReady"})

# A name behind "==" is a comparison in somebody's source, printed by an assertion.
_LISTED = regex(
    r"(?<![=!]= )\b(CUDA_ERROR_[A-Z_0-9]+|cudaError[A-Z]\w+|NVML_ERROR_[A-Z_]+|NVMLError_\w+)"
)
_UNLISTED = regex(
    r"\b((?:CUDNN|CUBLAS|CUSOLVER|CUSPARSE|CURAND)_STATUS_[A-Z_0-9]+|CUFFT_[A-Z_]+"
    r"|NVRTC_ERROR_[A-Z_]+|NVVM_ERROR_[A-Z_]+|NVJITLINK_ERROR_[A-Z_]+|NVJPEG_STATUS_[A-Z_]+"
    r"|NPP_[A-Z_]+_ERR(?:OR)?)\b"
)
_CUFFT = regex(
    r"CUFFT_(?:INVALID_\w+|ALLOC_FAILED|INTERNAL_ERROR|EXEC_FAILED|SETUP_FAILED|NOT_SUPPORTED)"
)
#: ManagedCuda, the interface for .NET, has the run time's names without their first word.
_DOTNET = regex(r"CudaException\b[^\n]{0,8}\b(Error[A-Z]\w+)")
#: Rust's binding of NVML has its names in one word.
_RUST = regex(
    r"(?i:\bnvml)\b[^\n]{0,60}?\b(DriverNotLoaded|LibraryNotFound|LibRmVersionMismatch|NoPermission"
    r"|FunctionNotFound|InsufficientPower|IrqIssue|ResetRequired)\b"
)
_JULIA = regex(r"\(code (\d{1,3}), ERROR_[A-Z_]+\)")
_HIP = regex(r"\b(hipError[A-Z]\w+)|HIP error: ([\w ,\-]{4,60})")

#: How a program states a number of the run time or the driver.
_NUMBERS = (
    regex(
        r"(?i)\bCUDA(?: runtime| driver)?(?: API)? (?:error|failure)(?: code| number| in \w{1,60})?"
        r" ?[:=#]? ?\(?(\d{1,3})\b(?![.\d])"
    ),
    regex(r"\bError (\d{1,3}): "),
    regex(r"\bCUDA error (?:DRIVER|RUNTIME): '(\d{1,3})' in func\b"),  # NiceHash's Excavator
    regex(r"UNKNOWN (?:CUDA )?ERROR \((\d{1,3})\)|UNKNOWN_CUDA_ERROR \((\d{1,3})\)"),
    regex(r"\[(\d{1,3})\] Call to cu\w+ results in"),
    regex(
        r"\bcu(?:da)?[A-Z]\w+(?:\(\w*\))?[`'\"]?:? (?:call (?=failed with error ))?"
        r"(?:failed|fails|returns|returned|error|gives|gave|err)"
        r"(?: (?:with|code|error|status|an error|result|code:))* ?[:=]? {0,2}\(?(\d{1,3})\b(?!\.)"
    ),
    # The form of Google's CHECK, as TensorFlow has it.
    regex(r"\bCUDA_SUCCESS == (?:\w{1,40}::)?cu[A-Z]\w+\([^\n]{0,80}?\) \(0 vs\. (\d{1,3})\)"),
    # hashcat, where the library has no words for the number: it is the whole line.
    regex(r"\A\W{0,4}cu[A-Z]\w{2,40}(?<!Count)(?<!Attribute)\(\): (\d{2,3})\s{0,4}\Z"),
    # Two figures at least: one may be the number that a call was to tell.
    regex(r"\bcu(?:da)?[A-Z]\w+\(\w*\) ?(?:={1,3}|[-=]>|→) ?(\d{2,3})\b(?!\.)"),
    regex(r"(?i)\bcuda\b[^\n]{0,60}\bthrow(?:s|ing|n)? (?:an? )?(?:error )?(?:code )?(\d{2,3})\b"),
    regex(r"\bfailed call to cu[A-Z]\w+: (\d{2,3})\b(?!\.)"),
    regex(
        r"(?i)\b(?:cuda|cudart|cuinit|nvcuda)\b[^\d\n]{0,60}\binit\w* (?:failure|err\w*)"
        r"(?: with error)?[:=]? (\d{1,3})\b"
    ),
    regex(r"(?i)\bcuda\b[^\n]{0,60}\b(80[234]) error\b"),
    regex(r"(?i)\bdevice properties, error code: (\d{1,3})\b"),
    regex(r"(?i)\bcuda\w*[^\n]{0,80}\berror code ?[:=]? ?[(\[]?(\d{1,3})\b"),
    regex(r"(?i)\bcudaSetDevice err: (\d{1,3})\b"),
    regex(r"\bError while calling cuda[A-Z]\w+\(.{0,400}? code: (\d{1,3}), reason"),  # dlib
    regex(r"\bReturn value (\d{1,3}) from '(?:cu|cuda)[A-Z]\w+\("),  # Charm++
    # RELION, whose words for an 8 of before CUDA 10.1 are read by themselves.
    regex(r"\bat line \d{1,5} \(error-code (?!8\))(\d{1,3})\)"),
    # Ollama's C half writes no end of line: "… failed to get device context 46time=2024-…"
    regex(r"cuda driver library failed to [a-z ]{4,40} (\d{1,3})(?!\d)"),
)
_ANY_DIGIT = regex(r"[0-9]")
_RUNTIME_CALL = regex(r"\bcuda[A-Z]")
_NUMBER_CUES = cues(
    "cuda|cuinit|error (|results in| returned error |device properties, error code|cudart"
    "|(error-code |(): "
)
_OF_LIBRARIES: tuple[tuple[Api, re.Pattern[str]], ...] = (
    (
        "cudnn",
        regex(
            r"(?i)\bcudnn (?:error|failure|status)(?: code| in \w{1,60})? ?[:=]? ?\(?(\d{1,4})\b"
            r"|\bcudnn_dlibapi\.cpp:\d{1,5}\. code: (\d{1,4}), reason"
        ),
    ),
    (
        "cublas",
        regex(
            r"(?i)\bcublas(?:lt)? (?:error|failure|status)(?: code| in \w{1,60})? ?[:=]?"
            r" ?\(?(\d{1,2})\b"
        ),
    ),
    (
        "nvml",
        regex(
            r"(?i)\bnvml\b[^\d\n]{0,40}(?:#\d{1,2}[:,]? (?=error\b))?"  # "GPU #0, error code 15"
            r"\b(?:error|failure|failed|code|status)(?: with)?(?: error)?"
            r"(?: code)? ?[:=]? ?\(?(\d{1,3})\b(?!\.)"
        ),
    ),
)
_OLD = regex(r"(?i)cuda runtime error \((\d{1,3})\)")
#: Words of an error in front of a text that is said of many things.
_CUDA_BEFORE = regex(
    r"(?i)(?:cuda|\bcu[a-z]{3,}|nccl|ggml|\bgpu\b)[^\n]{0,400}?(?:error|fail|reason|exception|call=)"
    r"|(?:error|fail)[^\n]{0,400}?(?:cuda|\bcu(?:init|ctx|device)\w*)|\bcuda[\s:\]\"'`]*\Z"
    r"|\bcu(?:da)?(?-i:[A-Z])\w{3,40}(?:\(\))?: ?\Z|\bGPUassert: \Z"
)
#: "ran out of memory" is a framework's allocator, HIP is AMD's, "unknown error (303)" states a
#: number.
_NOT_BEFORE, _NOT_AFTER = regex(r"(?i)\bran \Z|\bhip error"), regex(r" \((-?\d{1,5})")
#: A source of CUDA, in which what comes with its own number failed: "... (8) in src/sort.cu".
_IN_CUDA = regex(r"\b(?:in|at|file) ['\"]?\S{1,200}\.cuh?\b")
#: The same before the words, as a check of each call prints where it stands: "src/sort.cu : 52 …".
_AT_CUDA = regex(r"\.cuh?\W{1,4}(?:line )?\d{1,5}\W{1,4}\Z")
#: So far before the words that program is named that says them.
_NEAR = 120
_NVML_BEFORE = regex(r"(?i)nvml|device handle for|nvidia-smi(?!.*(?:command|file) \Z)")
_OF_ADMINS = regex(rf"(?i){OF_ADMINS}")


def read(text: Text) -> Statements:
    """What failed; what an image of NVIDIA's met when it tried its own cuda-compat did not."""
    trial = any(each in text for each in COMPAT_TRIED)
    for key, fact in _stated(text):
        shown = fact.value if isinstance(fact, Known) else ""
        if not (trial and _OF_TRIAL.search(str(shown))):
            yield key, fact


def _stated(text: Text) -> Statements:
    """Names first, then the vendor's words, then numbers, and what PyTorch advises to look up."""
    yield from _names(text, advice=False)
    worded = (*in_words(text), *_words(text))
    for name, line, at in worded:
        yield from _error(name, line, at)
    yield from _numbers(text, {line.number for _, line, _ in worded})
    yield from _of_smi(text)
    yield from _names(text, advice=True)


#: torch tries the plans that cuDNN offers one after another, and warns of each that does not do.
_TRIED = "UserWarning: Plan failed with "
#: What such a trial met before the image goes on without; 803 and 804 speak of cuda-compat itself.
_OF_TRIAL = regex(r"\[\[.{1,160} cuInit\(\)=(?!80[34]\b)\d{1,3}\]\]")


#: A sensor that a card does not have, which hashcat and monitors ask every card for.
_NO_SENSOR = regex(r"\bnvmlDeviceGet\w{2,60}\(\): Not Supported\b")


def _error(name: str | None, line: Line, at: int = 0) -> Statements:
    """What is told of it, which stands in the line at `at`."""
    if _TRIED in line.text or _NO_SENSOR.search(line.text):
        return
    if name is not None and name not in _NO_ERRORS and not name.endswith("_SUCCESS"):
        yield say(said.ERROR(name), excerpt(line.text, at), line)


#: PyTorch's line below its message, which names the code once more and says nothing else.
_ADVICE = "Search for `cudaError"


#: NVIDIA's binding for Go, in which its container tools are written.
_GO = regex(r"(?i:nvml)[^\n]{0,120}?(?<!\w)(ERROR_[A-Z_]+)\b")


def _names(text: Text, *, advice: bool) -> Statements:
    for line in text.unlike("cuda_error_", "cudaerror", "nvml_error_", "nvmlerror_"):
        if (_ADVICE in line.text) is advice:
            for match in _LISTED.finditer(line.text):
                yield from _error(_canonical(match[1]), line, match.start())
    if not advice:
        yield from _names_of_others(text)


#: How a program that calls nvidia-smi tells of its end: with the code of NVML's that it met.
_OF_SMI = regex(
    r"(?i)nvidia-smi(?:[^\n]{0,160}?['\"\])] returned non-zero exit status "
    r"|[^\n.;]{0,60}: exit status |: command failed\. code: "
    r"|['`\"]? (?:fail|exit|return|end)(?:s|ed)(?: with)?[^\n.\d]{0,16}"
    r"(?:code|status)[ :=]{1,2})(4|9|12|15|18)\b(?!\.?\d)"
)


def _of_smi(text: Text) -> Statements:
    for line, match in text.matching(_OF_SMI, "nvidia-smi"):
        yield from _of("nvml", int(match[1]), line)


def _names_of_others(text: Text) -> Statements:
    for line, match in text.matching(_DOTNET, "cudaexception"):
        yield from _error(_canonical(f"cuda{match[1]}"), line, match.start())
    for line, match in text.matching(_RUST, "nvml"):
        yield from _error(_canonical(f"NVMLError_{match[1]}"), line, match.start())
    for line, match in text.matching(_GO, ": error_", " error_"):
        yield from _error(_canonical(f"NVML_{match[1]}"), line, match.start())
    cues = ("_status_", "cufft_", "nvrtc_error_", "nvvm_error_", "nvjitlink_error_", "npp_")
    for line in text.unlike(*cues):
        for match in _UNLISTED.finditer(line.text):
            name = match[1]
            if not name.startswith("CUFFT_") or _CUFFT.fullmatch(name):
                yield from _error(name, line, match.start())
    for line in text.having("hiperror", "hip error"):
        if hip := _HIP.search(line.text):
            name = hip[1] or "hipError_" + hip[2].strip().replace(" ", "_")
            yield from _error(name, line)


@functools.cache
def _canonical(name: str) -> str | None:
    """The one name for a listed code; None for a word that only looks like one."""
    from ....knowledge import error_texts, errors

    if name.startswith("NVMLError_"):  # NVIDIA's Python binding: NVMLError_LibRmVersionMismatch
        words = re.findall(r"[A-Z][a-z]+|[A-Z]+(?![a-z])", name.removeprefix("NVMLError_"))
        name = "NVML_ERROR_" + "_".join(words).upper()
    for found in errors.by_name(name):
        return error_texts.canonical(found)
    return None


def _words(text: Text) -> Iterator[tuple[str, Line, int]]:
    """The vendor's messages, and where in their lines they stand.

    A line that holds a longer one does not state a shorter one inside.
    """
    from ....knowledge import error_texts

    longer: dict[int, list[str]] = {}
    for wording in error_texts.texts():
        for line in text.unlike(wording.text):
            taken = longer.setdefault(line.number, [])
            inside = any(wording.text in each and wording.text != each for each in taken)
            if not inside and _means(wording, line.text):
                taken.append(wording.text)
                yield wording.name, line, line.text.lower().find(wording.text)


def _means(wording: ErrorText, line: str) -> bool:
    """Whether the words are said of CUDA (or NVML), or of something else."""
    at = line.lower().find(wording.text)
    before, after = line[:at], line[at + len(wording.text) :]
    if before[-1:].isalnum() or after[:1].isalnum():
        return False
    if wording.name == "NVML_ERROR_DRIVER_NOT_LOADED" and after.startswith("?"):
        return False  # as monitors guess
    if wording.name == "NVML_ERROR_NO_PERMISSION" and _OF_ADMINS.search(before):
        return False
    number = _NOT_AFTER.match(after)
    if _NOT_BEFORE.search(before) or (number and not _is_number_of(wording, number[1])):
        return False
    if wording.alone or (number and _IN_CUDA.search(after)):
        return True
    if wording.api == "nvml":
        return _NVML_BEFORE.search(before) is not None
    near = before[-_NEAR:]
    if _AT_CUDA.search(near):
        return True
    return _CUDA_BEFORE.search(before) is not None and _NVML_BEFORE.search(near) is None


def _is_number_of(wording: ErrorText, number: str) -> bool:
    """Whether the number behind the words is their own: "no kernel image … (209)"."""
    from ....knowledge import error_texts

    if wording.api != "nvml" and error_texts.before_10_1().get(int(number)) == wording.name:
        return True
    api: Api = "nvml" if wording.api == "nvml" else "driver"
    return error_texts.name_of(api, int(number)) == wording.name


#: Windows numbers its errors, too; and LAMMPS frees what it has after CUDA has ended.
_OF_OTHERS = ("dll", "driver error 4 in call at")


def _numbers(text: Text, worded: AbstractSet[int]) -> Statements:
    """Beside the vendor's words a number says the same, or is that of a line of some source."""
    for line in text.unlike(*_NUMBER_CUES):
        if line.number in worded or not _ANY_DIGIT.search(line.text):
            continue
        if match := _OLD.search(line.text):
            yield from _old_number(int(match[1]), line)
        elif not any(each in line.text.lower() for each in _OF_OTHERS):
            yield from _number(line)
    for line in text.having("(code "):
        if match := _JULIA.search(line.text):
            yield from _of("driver", int(match[1]), line)
    for api, pattern in _OF_LIBRARIES:
        for line in text.unlike(api):
            if match := pattern.search(line.text):
                number = next(filter(None, match.groups()))
                yield from _of(api, int(number), line, match.start())


def _number(line: Line) -> Statements:
    lowered = line.text.lower()
    for pattern in _NUMBERS:
        match = pattern.search(line.text)
        if match is not None and (pattern is not _NUMBERS[1] or "cuda" in lowered):
            number = int(next(group for group in match.groups() if group))
            yield from _of("driver", number, line, match.start())
            if _RUNTIME_CALL.search(match[0]):
                yield from _before_10_1(number, line)


def _before_10_1(number: int, line: Line) -> Statements:
    """``cudaGetDeviceCount returned 30``: a number that the run time does not give any more."""
    from ....knowledge import error_texts

    if error_texts.name_of("driver", number) is None:
        yield from _error(error_texts.before_10_1().get(number), line)


def _of(api: Api, number: int, line: Line, at: int = 0) -> Statements:
    from ....knowledge import error_texts

    yield from _error(error_texts.name_of(api, number), line, at)


def _old_number(number: int, line: Line) -> Statements:
    """``cuda runtime error (48) : …``: before CUDA 10.1 the run time had numbers of its own.

    The words after the number are read anyway; without them the number is taken as an old one.
    """
    from ....knowledge import error_texts

    if any(wording.text in line.text.lower() for wording in error_texts.texts()):
        return
    name = error_texts.before_10_1().get(number)
    yield from _error(name or error_texts.name_of("driver", number), line)
