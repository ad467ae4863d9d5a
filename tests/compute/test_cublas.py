"""matmul through cuBLAS, on fakes: every result is proved, and what cannot be done is said."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pytest

from support import device_arrays, gpu_work
from support.child import printed, run_python
from support.cublaslt import BY_CUBLAS, EVERY_TYPE, SONAME, WITH_CUBLAS
from support.machines import DRIVER_470, DRIVER_535, DRIVER_580, Driver
from support.scenario import stage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from support.fakes import Fakes

core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if not hasattr(core.Arena, "matmul"):
    pytest.skip("the C core was built without NumPy's headers", allow_module_level=True)
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")

BEGIN = gpu_work.BEGIN + BY_CUBLAS


@pytest.fixture
def cublas(fakes: Fakes) -> Fakes:
    """The fakes, if cuBLASLt's is among them."""
    fakes.cublaslt()
    return fakes


def result(
    fakes: Fakes,
    folder: Path,
    code: str,
    *,
    faults: Mapping[str, int | str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> list:
    """What the code shows; nothing may be alive when the process has ended."""
    machine = replace(WITH_CUBLAS, faults=faults or {}, environment=environment or {})
    found = device_arrays.result(machine, fakes, folder, BEGIN + code)
    assert isinstance(found, list)
    return found


def test_products_of_every_type_that_it_has_are_proved(cublas: Fakes, tmp_path: Path):
    assert result(cublas, tmp_path, EVERY_TYPE) == [[]]


def test_products_of_any_shape_are_those_of_numpy(cublas: Fakes, tmp_path: Path):
    code = """
shapes = [((5,), (5,)), ((5,), (5, 4)), ((3, 5), (5,)), ((1, 1), (1, 1)), ((0, 3), (3, 2)),
          ((2, 0), (0, 3)), ((2, 3, 5), (5, 4)), ((3, 5), (2, 1, 5, 4)), ((4, 1, 2, 3), (2, 3, 2))]
wrong = [[left, right] for left, right in shapes
         if not same(product(whole(left), whole(right, seed=2)),
                     np.matmul(whole(left), whole(right, seed=2)))]
a, b = whole((2, 3, 5)), whole((5, 4), seed=2)
kinds = [(to_device(a), by_columns(b)), (by_columns(a), to_device(b))]
kinds.append((by_columns(a), by_columns(b)))
show(wrong, [same(product(*each).numpy(), a @ b) for each in kinds])
"""
    assert result(cublas, tmp_path, code) == [[], [True] * 3]


def test_auto_prefers_it_and_goes_on_where_it_cannot(cublas: Fakes, tmp_path: Path):
    code = """
infos = [matmul(whole((8, 16), dtype), whole((16, 8), dtype), info=True)[1]
         for dtype in ("float32", "int8")]
show([each.backend for each in infos], [len(each.passed_over) for each in infos],
     [each.algorithm for each in infos], "(algorithm 41)" in str(infos[0]))
"""
    told = [["cublas", "native"], [0, 1], ["algorithm 41", None], True]
    assert result(cublas, tmp_path, code) == told


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ("whole((4, 5), 'int8'), whole((5, 4), 'int8')", "only with a by rows and b by columns"),
        ("whole((4, 5), 'int32'), whole((5, 4), 'int32')", "does not multiply these types"),
    ],
)
def test_what_it_cannot_do_is_refused_with_the_reason(
    arrays: str, reason: str, cublas: Fakes, tmp_path: Path
):
    [found] = result(cublas, tmp_path, f"show(raised(product, {arrays}))")
    assert found[0] == "Unsupported"
    assert reason in found[1]


def test_a_variable_does_not_make_float32_another_arithmetic(cublas: Fakes, tmp_path: Path):
    code = """
a, b = whole((4, 5)), whole((5, 4))
show(raised(product, a, b), matmul(a, b, info=True)[1].backend)
"""
    environment = {"NVIDIA_TF32_OVERRIDE": "1"}
    refused, other = result(cublas, tmp_path, code, environment=environment)
    assert "NVIDIA_TF32_OVERRIDE" in refused[1]
    assert other == "native"


def test_tf32_is_used_where_it_is_asked_for(cublas: Fakes, tmp_path: Path):
    code = """
a, b = floats((33, 65)), floats((65, 17), seed=1)
exact, rounded = product(a, b), product(a, b, compute="tf32")
show(bool(prove_matmul(a, b, exact)), bool(prove_matmul(a, b, rounded)),
     bool(prove_matmul(a, b, rounded, compute="tf32")), same(exact, rounded))
"""
    assert result(cublas, tmp_path, code) == [True, False, True, False]


def test_a_failing_call_is_named(cublas: Fakes, tmp_path: Path):
    code = "show(raised(product, whole((4, 5)), whole((5, 4))))"
    [found] = result(cublas, tmp_path, code, faults={"cublasLtMatmul@1": 13})
    assert found[0] == "DriverError"
    assert "cublasLtMatmul" in found[1]
    assert "CUBLAS_STATUS_EXECUTION_FAILED" in found[1]


def test_a_library_that_does_not_tell_its_algorithm_computes(cublas: Fakes, tmp_path: Path):
    code = """
a, b = whole((4, 5)), whole((5, 4))
c, info = matmul(a, b, info=True)
show(bool(prove_matmul(a, b, c)), info.backend, info.algorithm)
"""
    faults = {"cublasLtMatmulAlgoConfigGetAttribute": 15}
    assert result(cublas, tmp_path, code, faults=faults) == [True, "cublas", None]


def test_a_library_that_cannot_start_is_passed_over(cublas: Fakes, tmp_path: Path):
    code = """
a, b = whole((4, 5)), whole((5, 4))
info = matmul(a, b, info=True)[1]
show(info.backend, info.passed_over, raised(product, a, b)[0])
"""
    faults = {"cublasLtCreate": 1}
    backend, reasons, refused = result(cublas, tmp_path, code, faults=faults)
    assert (backend, refused) == ("native", "Unsupported")
    assert "CUBLAS_STATUS_NOT_INITIALIZED" in reasons[0]


@pytest.mark.parametrize("code", [1, 3, 14])
def test_a_library_that_lacked_memory_is_tried_again(code: int, cublas: Fakes, tmp_path: Path):
    program = """
a, b = whole((4, 5)), whole((5, 4))
show(*[matmul(a, b, info=True)[1].backend for _ in range(3)])
"""
    faults = {"cublasLtCreate@1": code, "cublasLtCreate@2": code}
    assert result(cublas, tmp_path, program, faults=faults) == ["native", "native", "cublas"]


def test_a_library_that_does_not_serve_the_gpu_is_tried_once(cublas: Fakes, tmp_path: Path):
    program = """
a, b = whole((4, 5)), whole((5, 4))
infos = [matmul(a, b, info=True)[1] for _ in range(2)]
show([each.backend for each in infos], infos[0].passed_over == infos[1].passed_over)
"""
    told = result(cublas, tmp_path, program, faults={"cublasLtCreate@1": 8})
    assert told == [["native", "native"], True]


def test_without_the_library_others_compute(fakes: Fakes, tmp_path: Path):
    code = (
        BEGIN
        + """
a, b = whole((4, 5)), whole((5, 4))
info = matmul(a, b, info=True)[1]
show(info.backend, info.passed_over[0].startswith("cublas: "), raised(product, a, b)[0])
"""
    )
    found = device_arrays.result(device_arrays.ONE_CARD, fakes, tmp_path, code)
    assert found == ["native", True, "Unsupported"]


def test_the_file_that_a_variable_names_is_taken(cublas: Fakes, tmp_path: Path):
    machine = replace(
        device_arrays.ONE_CARD, environment={"GPUPROBE_LIBCUBLASLT": str(cublas.cublaslt())}
    )
    code = BEGIN + "show(proved(whole((4, 5)), whole((5, 4)), backend='cublas'))"
    assert printed(stage(machine, cublas, tmp_path), device_arrays.BEGIN + code) == [True]


class Wheel(NamedTuple):
    """A package that brings cuBLAS: the fake, under the name of any release."""

    name: str
    version: str
    file: str

    def install(self, site: Path, fakes: Fakes) -> None:
        library = site / self.file
        library.parent.mkdir(parents=True)
        shutil.copy(fakes.cublaslt(), library)
        info = site / f"{self.name.replace('-', '_')}-{self.version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {self.name}\nVersion: {self.version}\n")
        (info / "RECORD").write_text(f"{self.file},,\n")


CU13 = Wheel("nvidia-cublas", "13.1.2.11", f"nvidia/cu13/lib/{SONAME}")
CU12 = Wheel("nvidia-cublas-cu12", "12.8.4.1", "nvidia/cublas/lib/libcublasLt.so.12")


def on_this_machine(
    fakes: Fakes, folder: Path, driver: Driver, code: str, wheels: Sequence[Wheel] = (CU13,)
) -> list:
    """With wheels beside the packages: in no tree, where no path is looked for."""
    site = folder / "site"
    for wheel in wheels:
        wheel.install(site, fakes)
    made = stage(replace(device_arrays.ONE_CARD, driver=driver), fakes, folder)
    environment = made.environment("override") | {"PYTHONPATH": str(site)}
    del environment["GPUPROBE_ROOT"]
    done = run_python(environment, "-c", device_arrays.BEGIN + BEGIN + code)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


RAN = "show(matmul(whole((4, 5)), whole((5, 4)), info=True)[1].backend)"


@pytest.mark.parametrize(("driver", "backend"), [(DRIVER_580, "cublas"), (DRIVER_535, "native")])
def test_the_wheel_is_found_where_the_driver_can_serve_it(
    driver: Driver, backend: str, fakes: Fakes, tmp_path: Path
):
    """One of CUDA 13 cannot start on a driver for CUDA 12."""
    assert on_this_machine(fakes, tmp_path, driver, RAN) == [backend]


def test_the_wheel_is_found_in_a_folder_whose_name_is_no_text(cublas: Fakes, tmp_path: Path):
    folder = tmp_path / "\udcff"
    folder.mkdir()
    assert on_this_machine(cublas, folder, DRIVER_580, RAN) == ["cublas"]


#: What of cuBLAS the process has mapped.
MAPPED = """
show(sorted({line.split()[-1] for line in open("/proc/self/maps") if "cublasLt" in line}))
"""


@pytest.mark.parametrize(
    ("driver", "taken"), [(DRIVER_580, CU13), (DRIVER_535, CU12), (DRIVER_470, None)]
)
def test_of_two_wheels_the_newest_is_taken_that_the_driver_can_serve(
    driver: Driver, taken: Wheel | None, fakes: Fakes, tmp_path: Path
):
    """No loader would find that of CUDA 12: it is on no path."""
    code = "matmul(whole((4, 5)), whole((5, 4)))" + MAPPED
    expected = [] if taken is None else [str(tmp_path / "site" / taken.file)]
    assert on_this_machine(fakes, tmp_path, driver, code, (CU12, CU13)) == [expected]


def test_a_library_that_the_process_has_is_taken_and_no_second_copy(fakes: Fakes, tmp_path: Path):
    other = tmp_path / "other" / SONAME
    other.parent.mkdir()
    shutil.copy(fakes.cublaslt(), other)
    code = f"""
import ctypes
ctypes.CDLL({str(other)!r})
matmul(whole((4, 5)), whole((5, 4)), backend="cublas")
"""
    assert on_this_machine(fakes, tmp_path, DRIVER_580, code + MAPPED) == [[str(other)]]


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("flip", "one bit is flipped"),
        ("swap", "the two rows have changed places"),
        ("zero", "all that is wrong is 0"),
        ("nan", "NaN"),
        ("tf32", "TF32"),
    ],
)
def test_a_spoiled_result_is_found_out(fault: str, told: str, cublas: Fakes, tmp_path: Path):
    code = """
make = floats if FAULT == "tf32" else whole
a, b = make((40, 65)), make((65, 50), seed=1)
proof = prove_matmul(a, b, product(a, b))
show(bool(proof), str(proof))
""".replace("FAULT", repr(fault))
    is_right, text = result(cublas, tmp_path, code, faults={"cublasLtMatmul": fault})
    assert not is_right
    assert told.lower() in text.lower()
