"""The arrows of docs/design.md, for the C core, and what only one folder of it may do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

CSRC = Path(__file__).parents[1] / "csrc"

#: base <- platform <- abi/api <- device <- ops <- {probe, python}; what a folder may include.
#: The kernels depend on nothing; the binding is the probe's in-process twin.
ARROWS: dict[str, tuple[str, ...]] = {
    "base": (),
    "platform": ("base",),
    "abi": ("base",),
    "api": ("base", "platform", "abi"),
    "kernels": (),
    "device": ("base", "platform", "abi", "api", "kernels"),
    "ops": ("base", "platform", "abi", "api", "kernels", "device"),
    "probe": ("base", "platform", "abi", "api", "kernels", "device", "ops"),
    "python": ("base", "platform", "abi", "api", "kernels", "device", "ops", "probe"),
}
#: The rooms of `ops` rest on what stands in `ops` itself and do not know each other; one file knows
#: them all.
OPS_ROOMS = ("cublas", "cudnn", "native", "prove")
CHOOSER = "ops/gp_backends."
SUFFIXES = {".c", ".h", ".cu", ".cuh", ".def"}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
PYTHON_H = re.compile(r'^\s*#\s*include\s*[<"]Python\.h[">]')
SYSTEM = re.compile(
    r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(?:_WIN32|_WIN64|WIN32|__CYGWIN__|__linux__|__linux"
    r"|__APPLE__|__MACH__|__unix__|__unix|__FreeBSD__)\b"
)
#: A library neither ends the process nor writes to the terminal. snprintf stays allowed.
ENDS_OR_PRINTS = re.compile(
    r"\b(exit|_exit|_Exit|quick_exit|abort|assert|raise|printf|fprintf|vprintf|vfprintf|puts|fputs"
    r"|putchar|fputc|fwrite|perror)\s*\("
)
#: Another thread may change the environment: it is read by whoever begins the work.
READS_ENVIRONMENT = re.compile(r"\b(getenv|gp_env_get|gp_settings_read)\s*\(")
READERS = ("platform/", "python/", "probe/main.c")
VENDOR_SYMBOL = re.compile(r'"(?!cuBLAS"|cuDNN")((?:cu|nvml|cublas|cudnn|nccl)[A-Z]\w*)"')
NAME = re.compile(r"\b(?:cu|nvml|cublas|cudnn)[A-Z]\w*")
#: A row of a list of symbols, its function.
LISTED = re.compile(r"^GP_\w+_SYMBOL\([^()]*?\b((?:cu|nvml|cublas|cudnn)[A-Z]\w*),\s", re.MULTILINE)
#: Returns a text and no code, so it cannot stand in a row of the list.
ODD_SYMBOL = ("api/gp_nvml.c", "nvmlErrorString")
#: Comments and strings, in the order in which a compiler meets them.
TOKENS = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def without(text: str, *, strings: bool) -> str:
    """The text with its comments blanked, and its strings too on demand; lines stay in place."""

    def blank(match: re.Match[str]) -> str:
        token = match[0]
        if token.startswith('"'):
            return '""' if strings else token
        return re.sub(r"[^\n]", " ", token)

    return TOKENS.sub(blank, text)


def violations(csrc: Path) -> Iterator[str]:
    """Each line that goes against the rules of its folder."""
    for path in sorted(csrc.rglob("*")):
        if path.suffix not in SUFFIXES:
            continue
        folder = path.relative_to(csrc).parts[0]
        if folder not in ARROWS:
            yield f"{folder}: has no place in ARROWS"
            continue
        text = path.read_text(encoding="utf-8")
        code = without(text, strings=False).splitlines()
        bare = without(text, strings=True).splitlines()
        for number, (line, words) in enumerate(zip(code, bare, strict=True), 1):
            name = path.relative_to(csrc).as_posix()
            for fault in faults(folder, name, line, words):
                yield f"{name}:{number}: {fault}"


def faults(folder: str, name: str, line: str, words: str) -> Iterator[str]:
    """What is wrong with one line of the file `name`; `words` is the line without its strings."""
    if included := INCLUDE.match(line):
        header = included[1]
        other = header.partition("/")[0] if "/" in header else folder
        if other != folder and other not in ARROWS[folder]:
            yield f"{folder} must not include {header}"
        if folder == "ops" and not may_enter(name, header):
            yield f"{name} must not include {header}"
    if PYTHON_H.match(line) and folder != "python":
        yield "Python.h belongs to csrc/python"
    if SYSTEM.match(line) and folder != "platform":
        yield "an operating system is told apart outside csrc/platform"
    if (call := ENDS_OR_PRINTS.search(words)) and folder != "probe":
        yield f"{call[1]}() in a library"
    if (read := READS_ENVIRONMENT.search(words)) and not name.startswith(READERS):
        yield f"{read[1]}() below those who begin the work"
    if (symbol := VENDOR_SYMBOL.search(line)) and not may_name(name, symbol[1], line):
        yield f"{symbol[1]}: exported names stand in api/*.def only"


def may_enter(name: str, header: str) -> bool:
    """Whether the header is in no room of `ops`, or in the file's own."""
    room = header.split("/")[1] if header.startswith("ops/") else ""
    return room not in OPS_ROOMS or name.startswith((f"ops/{room}/", CHOOSER))


def may_name(name: str, symbol: str, line: str) -> bool:
    """A list of symbols, the name of the call in a status, and the one odd row."""
    return name.endswith(".def") or "gp_fail(" in line or (name, symbol) == ODD_SYMBOL


def test_core_follows_the_arrows():
    assert list(violations(CSRC)) == []


def uncalled(root: Path) -> Iterator[str]:
    """Functions that `api/*.def` lists, and so may refuse a library for, but nobody names."""
    lists = sorted((root / "api").glob("*.def"))
    texts = (path.read_text("utf-8") for path in sorted(root.rglob("*")) if path.suffix in SUFFIXES
             and path not in lists)  # fmt: skip
    named = {word for text in texts for word in NAME.findall(without(text, strings=True))}
    for path in lists:
        rows = without(path.read_text("utf-8"), strings=True)
        yield from (name for name in LISTED.findall(rows) if name not in named)


def test_every_listed_function_of_a_vendor_is_called():
    assert list(uncalled(CSRC)) == []


def test_a_listed_function_that_nobody_calls_is_told(tmp_path: Path):
    plant(tmp_path, "api/cuda_symbols.def", "GP_CUDA_SYMBOL(GP_REQUIRED, cuInit, (void))\n")
    assert list(uncalled(tmp_path)) == ["cuInit"]
    (tmp_path / "api/gp_a.c").write_text("/* cuInit */ cu->cuInit();\n", encoding="utf-8")
    assert list(uncalled(tmp_path)) == []


def plant(tmp_path: Path, name: str, text: str) -> list[str]:
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return list(violations(tmp_path))


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("base/gp_a.c", '#include "platform/gp_dl.h"\n', "base must not include"),
        ("api/gp_a.h", '# include "device/gp_devices.h"\n', "api must not include"),
        ("ops/gp_a.c", '#include "../base/gp_text.h"\n', "must not include ../base"),
        ("device/gp_a.c", "#include <Python.h>\n", "Python.h belongs"),
        ("device/gp_a.c", "#if defined(_WIN32)\n", "operating system"),
        ("ops/gp_a.c", "#  ifdef __linux__\n", "operating system"),
        ("base/gp_a.c", "int x;\nif (bad) { abort(); }\n", ":2: abort()"),
        ("python/a.c", 'fprintf(stderr, "no");\n', "fprintf()"),
        ("device/gp_a.c", 'find(lib, "cuInit");\n', "cuInit"),
        ("ops/gp_a.c", 'find(lib, "cublasLtMatmul");\n', "cublasLtMatmul"),
        ("api/gp_nvml.c", 'find(lib, "nvmlInit_v2");\n', "nvmlInit_v2"),
        ("ops/gp_a.c", 'find(lib, "nvmlErrorString");\n', "nvmlErrorString"),
        ("ops/cudnn/gp_a.c", '#include "ops/cublas/gp_b.h"\n', "must not include ops/cublas"),
        ("ops/gp_a.c", '#include "ops/prove/gp_b.h"\n', "must not include ops/prove"),
        ("api/gp_a.c", 'st = gp_env_get("GPUPROBE_ROOT", &text, &is_set);\n', "gp_env_get()"),
        ("ops/gp_a.c", "st = gp_settings_read(&settings);\n", "gp_settings_read()"),
        ("probe/step_a.c", 'value = getenv("GPUPROBE_ROOT");\n', "getenv()"),
        ("extra/gp_a.c", "\n", "no place"),
    ],
)
def test_planted_violation_is_found(tmp_path: Path, name: str, text: str, told: str):
    [violation] = plant(tmp_path, name, text)
    assert told in violation


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("api/gp_a.c", '#include "base/gp_text.h"\n#include "gp_cuda.h"\n'),
        ("platform/posix/gp_dl.c", "#ifdef __linux__\n"),
        ("base/gp_a.c", '/* exit() is\n never called */ // abort()\nsnprintf(b, n, "exit()");\n'),
        ("base/gp_a.h", "#ifdef __cplusplus\n#ifdef _MSC_VER\n"),
        ("probe/main.c", 'printf("%s", text); exit(2);\n'),
        ("probe/main.c", "st = gp_settings_read(&settings);\n"),
        ("ops/gp_a.c", 'return gp_fail(GP_WRONG_RESULT, 0, "cuMemcpyDtoH_v2");\n'),
        ("api/cuda_symbols.def", 'GP_REQUIRED("cuInit")\n'),
        ("base/cuda_errors.def", 'GP_ERROR("CUDA_ERROR_NO_DEVICE")\n'),
        ("base/gp_status.c", 'vendor = "cuDNN";\n'),
        ("ops/cudnn/gp_a.c", '#include "gp_b.h"\n#include "ops/gp_conv2d_shape.h"\n'),
        ("ops/gp_backends.c", '#include "ops/cudnn/gp_conv2d_cudnn.h"\n'),
    ],
)
def test_allowed_line_is_silent(tmp_path: Path, name: str, text: str):
    assert plant(tmp_path, name, text) == []
