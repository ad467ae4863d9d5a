"""The fake cuBLASLt: it does as the library does, computes, and ends a test that misuses it.

What needs no device is also asked of a real library, where one is installed; the rest of the
contract in tests/gpu/test_cublas.py.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.child import printed, run_python
from support.cublaslt import SONAME, WITH_CUBLAS
from support.cublaslt_contract import ON_A_DEVICE, WITHOUT_A_DEVICE
from support.machines import TESLA_T4
from support.scenario import Scenario, Stage, stage
from support.vendor import is_installed, wheel_library

if TYPE_CHECKING:
    from collections.abc import Mapping

    from support.fakes import Fakes

SYMBOLS = Path(__file__).parents[1] / "csrc" / "api" / "cublaslt_symbols.def"

CODE = "import json; from support.cublaslt_contract import *; from ctypes import byref; "
SMALL = CODE + f"small = Small(Library({SONAME!r})); "


@pytest.fixture
def cublas(fakes: Fakes) -> Fakes:
    """The fakes, if cuBLASLt's is among them."""
    fakes.cublaslt()
    return fakes


def keep(made: Stage, name: str) -> None:
    done = run_python(made.environment("search"), "-m", "support.cublaslt_contract", name, SONAME)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", [*WITHOUT_A_DEVICE, *ON_A_DEVICE])
def test_the_fake_keeps_the_contract(name: str, cublas: Fakes, tmp_path: Path) -> None:
    keep(stage(WITH_CUBLAS, cublas, tmp_path), name)


@pytest.mark.parametrize("name", WITHOUT_A_DEVICE)
def test_a_real_library_keeps_what_needs_no_device(name: str) -> None:
    library = wheel_library(SONAME)
    if library is None:
        pytest.skip(f"no {SONAME} here (pip install nvidia-cublas==13.*)")
    if name == "it_does_not_start_without_a_driver" and is_installed("libcuda.so.1"):
        return  # there is one: tests/gpu
    done = run_python({}, "-m", "support.cublaslt_contract", name, str(library))
    assert done.returncode == 0, done.stderr


def test_every_name_that_gpuprobe_looks_up_is_exported(cublas: Fakes, tmp_path: Path) -> None:
    wanted = re.findall(r"_SYMBOL\(GP_\w+, (\w+),", SYMBOLS.read_text(encoding="utf-8"))
    assert len(wanted) > 10
    code = CODE + (
        f"library = Library({SONAME!r}); "
        f"print(json.dumps([name for name in {wanted!r} if not library.has(name)]))"
    )
    assert printed(stage(WITH_CUBLAS, cublas, tmp_path), code) == []


def with_faults(faults: Mapping[str, int | str]) -> Scenario:
    return replace(WITH_CUBLAS, faults=faults)


def test_a_call_fails_with_the_planned_code_at_its_turn(cublas: Fakes, tmp_path: Path) -> None:
    made = stage(with_faults({"cublasLtMatmul@2": 13}), cublas, tmp_path)
    code = SMALL + "print(json.dumps([small.run() for _ in range(3)]))"
    assert printed(made, code) == [0, 13, 0]
    [report] = [each for each in made.reports() if each["library"] == "libcublasLt"]
    assert report["failed"] == "cublasLtMatmul"


def test_faults_of_the_driver_are_not_those_of_the_library(cublas: Fakes, tmp_path: Path) -> None:
    """`cu*` means the driver, though the names of this library begin so, too."""
    made = stage(with_faults({"cu*@1": 999, "cublas*@1": 3}), cublas, tmp_path)
    code = CODE + (
        f"from support.vendor import cuda; library = Library({SONAME!r}); "
        "codes = [library('cublasLtCreate', byref(Pointer())), cuda()('cuInit', 0)]; "
        "print(json.dumps(codes))"
    )
    assert printed(made, code) == [3, 999]


@pytest.mark.parametrize(
    ("fault", "scale", "numbers"),
    [
        ("flip", 1.0, "[11.0, 14.0, 18.0, 352.0]"),
        ("swap", 1.0, "[18.0, 22.0, 11.0, 14.0]"),
        ("zero", 1.0, "[0.0, 0.0, 0.0, 0.0]"),
        ("nan", 1.0, "[11.0, 14.0, 18.0, nan]"),
        ("tf32", 1.0, "[11.0, 14.0, 18.0, 22.0]"),
        ("tf32", 4097.0, "[45056.0, 57344.0, 73728.0, 90112.0]"),
    ],
)
def test_a_result_can_be_spoiled_and_is_right_before_and_after(
    fault: str, scale: float, numbers: str, cublas: Fakes, tmp_path: Path
) -> None:
    made = stage(with_faults({"cublasLtMatmul@2": fault}), cublas, tmp_path)
    code = CODE + (
        f"small = Small(Library({SONAME!r}), scale={scale}); "
        "print(json.dumps([(small.run(), repr(small.numbers()))[1] for _ in range(3)]))"
    )
    right = repr([scale * each for each in (11.0, 14.0, 18.0, 22.0)])
    assert printed(made, code) == [right, numbers, right]


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        ({"cublasLtMatmull": 13}, "does not have"),
        ({"cublasLtCreate": "flip"}, "computes nothing that could be spoiled"),
        ({"cuInit": "swap"}, "copies nothing that could flip"),
        ({"cuMemcpyDtoH_v2": "zero"}, "can be flipped, and nothing else"),
    ],
)
def test_a_mistake_in_a_scenario_ends_the_process(
    fault: Mapping[str, int | str], complaint: str, cublas: Fakes, tmp_path: Path
) -> None:
    assert complaint in died(
        stage(with_faults(fault), cublas, tmp_path), SMALL + "small.run(); small.numbers()"
    )


def died(made: Stage, code: str) -> str:
    """What the fake says on standard error when it ends the process because the test is wrong."""
    done = run_python(made.environment("search"), "-c", code)
    assert done.returncode == 97, (done.returncode, done.stderr)
    return done.stderr


MAKE_A_STREAM = "stream = Pointer(); small.driver('cuStreamCreate', byref(stream), 1); "
BEFORE_IT_IS_READY = "is used on one stream before another has done with it"


@pytest.mark.parametrize(
    ("misuse", "complaint"),
    [
        (f"{MAKE_A_STREAM}small.run(stream=stream); small.run()", BEFORE_IT_IS_READY),
        ("small.run(a=Pointer(small.a.value + 4))", "is no multiple of 256"),
        ("small.choice = Choice(); small.run()", "was chosen for another product"),
    ],
)
def test_misuse_ends_the_process(
    misuse: str, complaint: str, cublas: Fakes, tmp_path: Path
) -> None:
    assert complaint in died(stage(WITH_CUBLAS, cublas, tmp_path), SMALL + misuse)


def test_memory_of_nobody_and_too_small_a_workspace_are_refused(
    cublas: Fakes, tmp_path: Path
) -> None:
    code = CODE + (
        f"small = Small(Library({SONAME!r}), workspace=1 << 22); size = small.workspace_size; "
        "print(json.dumps([size, small.run(workspace=small.a, size=24), "
        "small.run(workspace=small.a, size=size), small.run(a=Pointer(1 << 30), size=size)]))"
    )
    assert printed(stage(WITH_CUBLAS, cublas, tmp_path), code) == [1 << 20, 7, 13, 13]


def test_the_report_counts_what_is_still_alive(cublas: Fakes, tmp_path: Path) -> None:
    made = stage(WITH_CUBLAS, cublas, tmp_path)
    printed(made, SMALL + "small.library('cublasLtMatmulDescDestroy', small.operation); print(0)")
    [report] = [each for each in made.reports() if each["library"] == "libcublasLt"]
    assert (report["handles"], report["descriptors"]) == (1, 4)


def test_an_old_gpu_has_no_kernel_for_new_types(cublas: Fakes, tmp_path: Path) -> None:
    turing = replace(WITH_CUBLAS, gpus=(replace(TESLA_T4, memory_mib=1024),))
    code = CODE + (
        f"print(json.dumps([chosen_of(Library({SONAME!r}), *types) "
        "for types in ((68, 0, 0), (77, 0, 0), (68, 14, 14), (68, 2, 0))]))"
    )
    assert printed(stage(turing, cublas, tmp_path), code) == [0, 15, 15, 0]
