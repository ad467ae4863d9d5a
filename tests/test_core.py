"""The binding `gpuprobe._core`: thin, without global state, and refused where it is not tested."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib.util
import json
import shutil
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from support.objects import writable_globals

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

ROOT = Path(__file__).parents[1]

_core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")


def answer(*argv: str) -> dict[str, object]:
    found = json.loads(_core.probe(argv))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("code", "is_sticky"),
    [(700, True), (719, True), (0, False), (2, False), (-700, False), (2**32 + 700, False)],
)
def test_a_code_is_sticky_as_a_whole(code: int, is_sticky: bool):
    assert _core.is_sticky(code) is is_sticky


def test_answer_is_that_of_the_program():
    """One JSON object and a newline."""
    text = _core.probe(["--version"])
    assert text.endswith("}\n")
    assert json.loads(text)["version"] == _core.version


@pytest.mark.parametrize(
    "argv", [[], ["x"], "cuda", ["load"], ["kernel", "--device", "-1"], ["cuda", ""]]
)
def test_unknown_step_raises_how_to_call_it(argv: list[str] | str):
    with pytest.raises(_core.UsageError, match="usage: gpuprobe-probe STEP"):
        _core.probe(argv)


@pytest.mark.parametrize("argv", [3, None, [3], ["load", None]])
def test_other_types_raise_type_error(argv: object):
    with pytest.raises(TypeError):
        _core.probe(argv)


def test_nul_in_a_name_is_refused():
    with pytest.raises(ValueError, match="null byte"):
        _core.probe(["load", "libz.so.1\0.txt"])


@pytest.mark.parametrize("name", ["/no/such/\udcff.so", "é€😀", '"\\\n', "\x7f\x01"])
def test_any_name_gives_valid_json(name: str):
    assert answer("load", name)["loaded"] is False


def test_a_library_that_a_variable_names_is_taken(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GPUPROBE_LIBCUDA", "/no/such/libcuda.so.1")
    library = answer("cuda")["library"]
    assert isinstance(library, dict)
    assert library["via"] == "override"


def test_kernel_images_are_those_that_the_probe_lists():
    listed = answer("images")["images"]
    assert isinstance(listed, list)
    given = [(image["kind"], image["capability"], image["bytes"]) for image in listed]
    assert given == [tuple(image) for image in _core.kernel_images()]
    assert all(image.kind in {"cubin", "ptx"} for image in _core.kernel_images())


def test_errors_of_a_fresh_module_are_its_own(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(sys.modules, "gpuprobe._core")
    fresh = importlib.import_module("gpuprobe._core")
    assert fresh is not _core
    assert fresh.UsageError is not _core.UsageError
    with pytest.raises(fresh.UsageError):
        fresh.probe(["x"])


def types_alive() -> list[str]:
    """Of all modules `_core`. Weak references do not tell: they are cleared where a type leaks."""
    names = {name for name, each in vars(_core).items() if isinstance(each, type)}
    types = (each for each in gc.get_objects() if type(each) is type)
    return sorted(each.__name__ for each in types if each.__name__ in names)


def test_a_module_that_nobody_uses_any_more_goes_with_its_types():
    spec = importlib.util.find_spec("gpuprobe._core")
    assert spec is not None
    assert spec.loader is not None
    gc.collect()
    before = types_alive()
    fresh = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fresh)
    types = [each for each in vars(fresh).values() if type(each) is type]
    visited = gc.get_referents(fresh)
    assert [each.__name__ for each in types if each not in visited] == []
    assert len(types_alive()) == len(before) + len(types)
    del fresh, types, visited
    gc.collect()
    assert types_alive() == before


def test_threads_answer_independently():
    answers: list[bool] = []

    def ask(number: int) -> None:
        found = answer("load", f"libgp-no-such-{number}.so")["library"]
        assert isinstance(found, dict)
        answers.append(found["name"] == f"libgp-no-such-{number}.so")

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 16


@pytest.mark.parametrize(
    "argv", [["load", "libgp-no-such.so"], ["images"], ["x"], [3], ["load", "a\0b"], 3]
)
def test_call_keeps_no_memory(argv: object):
    """Neither answers nor refusals do, however often they come."""

    def call_often() -> int:
        for _ in range(200):
            with contextlib.suppress(ValueError, TypeError):
                _core.probe(argv)
            _core.kernel_images()
        gc.collect()
        return sys.getallocatedblocks()

    before = call_often()
    assert call_often() - before < 100


LIBC = ctypes.CDLL(None) if sys.platform.startswith("linux") else None


class Mallinfo(ctypes.Structure):
    """What glibc's mallinfo2 returns."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    )


@pytest.mark.skipif(not hasattr(LIBC, "mallinfo2"), reason="needs mallinfo2 of glibc 2.33")
def test_calls_keep_no_memory_of_c():
    """Python does not count what the core allocates."""
    assert LIBC is not None
    in_use = LIBC.mallinfo2
    in_use.restype = Mallinfo
    a, dtype = np.ones((3, 3), np.float32), np.dtype("float32")
    calls = (
        lambda: _core.probe(["load", "libgp-no-such.so"]),
        lambda: _core.probe(["x"]),
        _core.cuda_state,
        lambda: _core.getenv("PATH"),
        lambda: _core.matmul_reference(a, a, dtype, "float32"),
        lambda: _core.prove_product(a, a, a, 1, "float32", 1),
    )

    def call_often(call: Callable[[], object]) -> int:
        for _ in range(200):
            with contextlib.suppress(ValueError):
                call()
        gc.collect()
        return int(in_use().uordblks)

    for nth, call in enumerate(calls):
        before = call_often(call)
        assert call_often(call) - before < 200 * ctypes.sizeof(ctypes.c_void_p), nth


def test_trace_goes_to_standard_error_on_request():
    script = "from gpuprobe import _core; _core.probe(['load', 'libgp-no-such.so'], trace={})"
    for trace, expected in ((True, b"> dlopen\n"), (False, b"")):
        done = subprocess.run(
            (sys.executable, "-c", script.format(trace)), check=True, capture_output=True
        )
        assert done.stderr.replace(b"LoadLibraryExW", b"dlopen").replace(b"\r", b"") == expected


def library(module: ModuleType) -> Path:
    assert module.__file__ is not None
    return Path(module.__file__)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads ELF by nm")
@pytest.mark.skipif(shutil.which("nm") is None, reason="nm (binutils) is not installed")
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_binding_has_no_writable_globals_but_those_that_python_demands(tmp_path: Path):
    """Compiled here, because an installed module is stripped. tests/test_c.py asks the core."""
    headers = sysconfig.get_path("include")
    if not Path(headers, "Python.h").is_file():
        pytest.skip(f"no Python.h in {headers} (python3-dev)")
    sources = sorted((ROOT / "csrc" / "python").glob("*.c"))
    include = (f"-I{ROOT / 'csrc'}", f"-I{headers}", f"-I{np.get_include()}")
    command = ("cc", "-c", "-std=c11", '-DGP_VERSION="0"', "-DGPUPROBE_NUMPY", *include)
    subprocess.run((*command, *map(str, sources)), check=True, cwd=tmp_path)
    assert writable_globals(*tmp_path.glob("*.o")) == {
        *("core_methods", "core_module", "core_slots"),
        *("PyArray_API", "PyArray_RUNTIME_VERSION"),  # NumPy's table, the same for all interpreters
    }


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads ELF by nm")
@pytest.mark.skipif(shutil.which("nm") is None, reason="nm (binutils) is not installed")
def test_module_exports_its_init_function_only():
    nm = ("nm", "--dynamic", "--defined-only", "--format=posix", str(library(_core)))
    names = {line.split()[0] for line in subprocess.check_output(nm, text=True).splitlines()}
    assert names - {"_init", "_fini"} == {"PyInit__core"}


def interpreters() -> ModuleType:
    """CPython's own test module for sub-interpreters, under the name of this version."""
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    return pytest.importorskip(name, reason="this Python has no sub-interpreters")


def import_in_an_interpreter(isolated: bool) -> str:
    """What is printed by a child that imports the binding in a second interpreter."""
    name = interpreters().__name__
    config = "isolated=True" if isolated else "isolated=False"
    if name == "_interpreters":
        config = "'isolated'" if isolated else "'legacy'"
    code = (
        "try:\n import gpuprobe._core as c; print(c.version)\n"
        "except ImportError as error: print('refused:', error)"
    )
    script = f"import {name} as i; i.run_string(i.create({config}), {code!r})"
    return subprocess.check_output((sys.executable, "-c", script), text=True)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="before 3.12 all interpreters share the GIL")
def test_interpreter_with_a_gil_of_its_own_is_refused():
    assert "does not support loading in subinterpreters" in import_in_an_interpreter(isolated=True)


def test_interpreter_that_shares_the_gil_is_refused():
    """What DLPack lends could not come back there: PyGILState knows the main interpreter alone."""
    told = import_in_an_interpreter(isolated=False)
    assert told.startswith("refused: gpuprobe._core works in the main interpreter only")


# -- CUDA in this process --------------------------------------------------------------------


def test_state_of_cuda_is_told_without_loading_it():
    maps = Path("/proc/self/maps")
    if not maps.exists() or "/libcuda.so" in maps.read_text():
        pytest.skip("mapped libraries cannot be listed here, or libcuda is mapped already")
    state = _core.cuda_state()
    assert tuple(state) == ("not loaded", (), None, None)
    assert "/libcuda.so" not in maps.read_text()


@pytest.mark.parametrize("value", ["", "0,1", "é😀", "\udcff"])
def test_getenv_reads_what_c_reads(value: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GPUPROBE_TEST_VARIABLE", value)
    expected = None if sys.platform == "win32" and value == "" else value
    assert _core.getenv("GPUPROBE_TEST_VARIABLE") == expected
    monkeypatch.delenv("GPUPROBE_TEST_VARIABLE")
    assert _core.getenv("GPUPROBE_TEST_VARIABLE") is None


def test_getenv_refuses_what_is_no_name():
    with pytest.raises(TypeError):
        _core.getenv(3)
    with pytest.raises(ValueError, match="null byte"):
        _core.getenv("A\0B")
