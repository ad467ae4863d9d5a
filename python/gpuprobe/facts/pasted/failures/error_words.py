"""Codes that programs put into words of their own, or that people quote in part."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from ...regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

#: How PyTorch before 1.5 put cuBLAS' codes into words; libgpuarray says the first so, too.
_OLD_CUBLAS = {
    "library not initialized": "NOT_INITIALIZED",
    "resource allocation failed": "ALLOC_FAILED",
    "an invalid numeric value was used as an argument": "INVALID_VALUE",
    "an absent device architectural feature is required": "ARCH_MISMATCH",
    "an access to gpu memory space failed": "MAPPING_ERROR",
    "the gpu program failed to execute": "EXECUTION_FAILED",
    "an internal operation failed": "INTERNAL_ERROR",
}
#: How Blender puts the driver's codes into words, "Illegal address in cuCtxSynchronize()".
_BLENDER = {
    "illegal address": "CUDA_ERROR_ILLEGAL_ADDRESS",
    "launch exceeded resources": "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
    "launch exceeded timeout": "CUDA_ERROR_LAUNCH_TIMEOUT",
    "launch failed": "CUDA_ERROR_LAUNCH_FAILED",
    "no kernel image available": "CUDA_ERROR_NO_BINARY_FOR_GPU",
    "no binary for gpu": "CUDA_ERROR_NO_BINARY_FOR_GPU",
    "invalid kernel image": "CUDA_ERROR_INVALID_IMAGE",
    "no cuda-capable device available": "CUDA_ERROR_NO_DEVICE",
    "out of memory": "CUDA_ERROR_OUT_OF_MEMORY",
    "uncorrectable ecc error encountered": "CUDA_ERROR_ECC_UNCORRECTABLE",
    "unknown error": "CUDA_ERROR_UNKNOWN",
    "unsupported ptx version": "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
}
_IN_BLENDER = regex(
    rf"(?i)\b({'|'.join(_BLENDER)}) in (?:CUDA queue|(?-i:cu[A-Z])\w+\()"
    rf"|\bCUDA error(?: at (?-i:cu[A-Z])\w+)?: ({'|'.join(_BLENDER)})\b"
    rf"|\bCUDA context \(({'|'.join(_BLENDER)})\)"
    rf"|\bCUDA kernel from '[^'\n]{{1,300}}' \(({'|'.join(_BLENDER)})\)"
)
#: How people shorten the words for a GPU without code, at the end of what they quote.
_SHORTENED = regex(
    r"(?i)(?:(?-i:\w{3,20}Error: )no kernel image available\b"
    r"|\bno kernel image is available(?: for execution)?"
    r"(?: on this device\b| ?(?:\.{2,3}|\u2026)|['\"`]|\s*\Z))"
)
_FAT_BINARY = regex(r"\bfailed to load CUDA fat binary\b")  # T-Rex
#: The same of a machine without a device, where a program calls it its error.
_NO_DEVICE = regex(
    r"(?i)\A[^\n]{0,80}(?:\berror\b\W{1,3}(?:\w+\W{1,3})?|\bggml_cuda_init: )"
    r"no CUDA-capable devices?\W*\Z"
)
_IN_BANNER = regex(r"\A\W{0,8}\[\[ Named symbol not found \(error 500\) \]\]")
#: Of what an image meant: its library, tried on hardware that does not take it.
_NOT_ON_DEVICE = regex(
    r"(?i)\bforward compatibility (?:was )?(?:attempted )?on non[- ]supported HW\b"
)
#: Without "driver", as people repeat it.
_STUB = regex(r"\bCUDA (?:library )?is a stub\b")
#: The run time's words at the begin of a line, or in quotation marks.
_NOT_INITIALIZED = regex(
    r"\Ainitialization error\b(?!:)"
    r"|\A(?!.*(?i:nccl|failure)).*?"
    r"(?i:\b(?:gpu|cuda)\b[^\n]{0,60}['\"`] ?initialization error['\"`])"
)
#: The run time's words behind no more than "Error", or than a GPU's number; the last is RELION's.
#: Or as the end of what a program says, which AMD's run time has as well.
_NO_FUNCTION = regex(
    r"(?:\A|\W)(?:Error|GPU ?#?\d{1,2}|KERNEL_ERROR): invalid device function\b"
    r"|\A(?!.*(?i:hip|rocm)).*?\w: ?invalid device function\W*\Z"
    r"|\bGpu API call \(invalid device function ?\)"  # OpenCV
)
#: The allocators of Kaldi, RELION, NCCL and of miners.
_NO_MEMORY = regex(
    r"\bNCCL WARN Cuda failure (?:\d+ )?'out of memory'"
    r"|\bFailed to allocate a memory region of \d(?![^\n]*'no error')"
    r"|\bcudaCustomAlloc\w* out of memory\b"
    # what miners compute on
    r"|\b(?:initiali[sz]e|create|generate|allocate) (?:the )?DAG\b[^\n]{0,60}\bout of memory\b"
    r"|(?i:\b(?:not enough|insufficient|too little) (?:(?:free|available|gpu|video|device) )*"
    r"(?:memory|vram)(?: available)? (?:for|to (?:\w+ ){1,2}) ?(?:the |a )?)DAG\b(?! ?\w{0,12} ?\?)"
    r"|\bnot have enough (?:free )?memory to hold the DAG\b"  # T-Rex
    r"|\bCould not allocate shared buffer for CUDA basecaller"  # Guppy
    r"|\bGPU (?:reached|ran into) OUT_OF_MEMORY\b"  # FBPIC
    r"|\bout of memory while trying to create encoder\b"  # NvPipe
    # Thrust's exception, or the helpers of XGBoost that throw it.
    r"|\bwhat\(\):\s{1,4}[^\n]{0,200}\.cuh?(?:\(\d{1,5}\)|:\d{1,5}): out of memory\s*\Z"
)
#: The vendor's words for a wrong address without their end: in quotation marks, or where a title
#: begins with them.
_ADDRESS = regex(
    r"(?i)['\"`]an illegal memory access['\"`]"
    r"|\A\W{0,4}(?:(?:cuda|gpu) )?(?:error:? )?(?:an )?illegal memory access (?:error )?"
    r"(?:from|in|with|when|while|during|on|at|after|for|by)\b(?!.*\bfix)"
)
#: The code for PTX that the driver is too old for, as people repeat its name.
_PTX = regex(
    r"(?i)\b(?:message|errors?|exceptions?|fail\w*|complain\w*)\b[^.?\n]{0,24}\bunsupported PTX\b"
)
#: The run time's words for a driver that is too old, or not there, without their end: where
#: somebody left it out, or a window broke the line.
_INSUFFICIENT = regex(
    r"(?i)\berror:? ['\"`]?CUDA driver version is insufficient(?: for(?: CUDA)?)?\W{0,4}\Z"
    # As people misspell it, who copy it by hand.
    r"|\bCUDA driver version is in(?!sufficient)s{1,2}uf{1,2}ici?[ea]nt for CUDA runtime version\b"
)
#: NCCL, with the driver's CUDA and the least that it takes, as CUDA counts them.
_OF_NCCL = regex(r"NCCL WARN Insufficient driver: \d{4,5} < \d{4,5}\b")
#: The vendor's words for a library of another release than the module, as people quote a part of
#: them.
_MISMATCHED = regex(
    r"(?i)\bsystem has (?:an )?unsupported display driver\b"
    r"|\bunsupported display driver(?: ?/ ?cuda driver)? combination\b"
)
#: Words that are said of other things as well.
_TOO_PLAIN = frozenset({"not found", "not ready", "cuda success"})


#: What says a code, the code, and what one of its lines has, in small letters.
_SAID = (
    (_SHORTENED, "CUDA_ERROR_NO_BINARY_FOR_GPU", ("no kernel image ",)),
    (_FAT_BINARY, "CUDA_ERROR_NO_BINARY_FOR_GPU", ("load cuda fat binary",)),
    (_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", ("no cuda-capable device",)),
    (_NOT_INITIALIZED, "cudaErrorInitializationError", ("initialization error",)),
    (_NO_FUNCTION, "cudaErrorInvalidDeviceFunction", ("invalid device function",)),
    (
        _NO_MEMORY,
        "CUDA_ERROR_OUT_OF_MEMORY",
        (
            *("failed to allocate a memory", "cudacustomalloc", " dag", "shared buffer for cuda"),
            *("out_of_memory", "out of memory"),
        ),
    ),
    (_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", ("illegal memory access",)),
    (_PTX, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", ("unsupported ptx",)),
    (_INSUFFICIENT, "cudaErrorInsufficientDriver", ("driver version is in",)),
    (_OF_NCCL, "cudaErrorInsufficientDriver", ("insufficient driver: ",)),
    (_STUB, "CUDA_ERROR_STUB_LIBRARY", ("is a stub",)),
    (_MISMATCHED, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", ("unsupported display driver",)),
    (_IN_BANNER, "CUDA_ERROR_NOT_FOUND", ("[[ named symbol not found",)),
    (
        _NOT_ON_DEVICE,
        "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
        ("forward compatibility on non",),
    ),
)


def in_words(text: Text) -> Iterator[tuple[str, Line, int]]:
    """The name of each code that is told in such words, the line, and where in it."""
    yield from _old_cublas(text)
    yield from _of_blender(text)
    if "cuda error" in text:
        for line, match in text.matching(_names_in_words(), "cuda error"):
            yield _name(match[1]), line, match.start()
    yield from _in_next_line(text)
    for pattern, name, cues in _SAID:
        for line, match in text.matching(pattern, *cues):
            yield name, line, match.start()


#: MATLAB ends a line so, and has CUDA's own words in the next one.
_ANNOUNCED = regex(r"(?i)\bCUDA error(?: was| is)?: ?\Z")


def _in_next_line(text: Text) -> Iterator[tuple[str, Line, int]]:
    """Words that are a line by themselves, below one that announces an error of CUDA's."""
    for line, _ in text.matching(_ANNOUNCED, "cuda error"):
        for below in text.after(line, 1):
            name = _own_words().get(below.text.strip(" .").lower())
            if name is not None:
                yield name, below, 0


@functools.cache
def _own_words() -> dict[str, str]:
    """The names of CUDA's codes by the vendor's words."""
    from ....knowledge import error_texts

    return {each.text: each.name for each in error_texts.texts() if each.api == "driver"}


@functools.cache
def _names_in_words() -> re.Pattern[str]:
    """The driver's names as words, "CUDA error: unsupported PTX version", and nothing behind.

    Not those that are a part of the vendor's own words, which are read as such.
    """
    from ....knowledge import error_texts, errors

    names = (each.name.removeprefix("CUDA_ERROR_") for each in errors.codes("driver"))
    words = {name.replace("_", " ").lower() for name in names} - _TOO_PLAIN
    own = [each.text for each in error_texts.texts()]
    several = sorted(each for each in words if " " in each and not any(each in w for w in own))
    return re.compile(rf"(?i)\bCUDA error\W{{1,3}}({'|'.join(several)})(?=\W*\Z|[.,;:)\]])")


def _name(words: str) -> str:
    return "CUDA_ERROR_" + words.upper().replace(" ", "_")


def _old_cublas(text: Text) -> Iterator[tuple[str, Line, int]]:
    for before in ("cublas runtime error", "(cublas) "):  # the second is libgpuarray's
        for line in text.having(before):
            words = line.text.lower().partition(before)[2]
            for told, name in _OLD_CUBLAS.items():
                if told in words:
                    yield f"CUBLAS_STATUS_{name}", line, line.text.lower().find(told)


def _of_blender(text: Text) -> Iterator[tuple[str, Line, int]]:
    cues = " in cu", "cuda error: ", "cuda error at cu", "cuda context (", "cuda kernel from '"
    for line, match in text.matching(_IN_BLENDER, *cues):
        words = next(filter(None, match.groups()))
        yield _BLENDER[words.lower()], line, match.start()
