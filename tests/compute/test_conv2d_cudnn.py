"""conv2d by cuDNN, on the fakes: what computes, what is passed over, what fails.

The fake's engines break the promises that their notes tell: TF32 is TF32, half is half, Winograd
is near the sum and not the sum. A wrong choice of the engine is a wrong result here.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from support import device_arrays, gpu_work
from support.child import run_python
from support.device_arrays import ONE_CARD
from support.scenario import Stage, stage
from support.vendor import wheel_library

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from support.fakes import Fakes

core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if not hasattr(core.Arena, "conv2d"):
    pytest.skip("the C core was built without NumPy's headers", allow_module_level=True)
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")

BEGIN = (
    device_arrays.BEGIN
    + gpu_work.BEGIN
    + """
from functools import partial
by_cudnn = partial(conv2d, backend="cudnn")
def args(dtype="float32", make=floats, x=(2, 4, 9, 8), w=(8, 4, 3, 2)):
    return make(x, dtype, 1), make(w, dtype, 2), make(w[:1], dtype, 3)
"""
)


def told(made: Stage, fakes: Fakes, code: str) -> tuple[list, list[Mapping[str, int | str]]]:
    """What the code shows, and cuDNN's reports."""
    environment = made.environment("search") | {"GPUPROBE_LIBCUDNN": str(fakes.cudnn())}
    done = run_python(environment, "-c", BEGIN + code)
    assert done.returncode == 0, done.stderr
    reports = [each for each in made.reports() if each["library"] == "libcudnn"]
    return json.loads(done.stdout), reports


def result(fakes: Fakes, folder: Path, code: str, **faults: int | str) -> list:
    """What the code shows; nothing of cuDNN's may be alive when the process has ended."""
    made = stage(replace(ONE_CARD, faults=faults), fakes, folder)
    shown, reports = told(made, fakes, code)
    assert [(each["handles"], each["descriptors"]) for each in reports] == [(0, 0)]
    return shown


# -- results ------------------------------------------------------------------------------------


def test_convolutions_of_every_type_and_option_are_proved(fakes: Fakes, tmp_path: Path):
    code = """
wrong = []
options = [{}, {"stride": (1, 2), "padding": ((1, 0), (2, 1)), "groups": 2}, {"padding": "same"},
           {"dilation": 2, "padding": 2}, {"groups": 4, "stride": 2}]
for dtype in ("float64", "float32", "float16", "bfloat16"):
    for each in options:
        x, w, _ = args(dtype, w=(8, 4 // each.get("groups", 1), 3, 2))
        last = [np.ascontiguousarray(array.transpose(0, 2, 3, 1)) for array in (x, w)]
        y, z = by_cudnn(x, w, **each), by_cudnn(*last, layout="NHWC", **each)
        if not prove_conv2d(x, w, y, **each) or not prove_conv2d(*last, z, layout="NHWC", **each):
            wrong.append([dtype, each])
show(wrong)
"""
    assert result(fakes, tmp_path, code) == [[]]


def test_a_bias_is_added_before_the_result_is_rounded(fakes: Fakes, tmp_path: Path):
    """In one graph for float16 and bfloat16; in a second step for float32 and float64."""
    code = """
wrong = [dtype for dtype in ("float64", "float32", "float16", "bfloat16")
         for x, w, bias in [args(dtype, w=(8, 4, 2, 3))]
         if not prove_conv2d(x, w, by_cudnn(x, w, bias), bias)]
show(wrong)
"""
    assert result(fakes, tmp_path, code) == [[]]


def test_float32_is_never_tf32_unless_it_is_asked_for(fakes: Fakes, tmp_path: Path):
    code = """
x, w, _ = args()
exact = conv2d(x.astype(float), w.astype(float), device="cpu")
short = conv2d(as_tf32(x).astype(float), as_tf32(w).astype(float), device="cpu")
near = lambda y, z: bool(np.abs(y - z).max() < 1e-5)
plain, tf32 = by_cudnn(x, w), by_cudnn(x, w, compute="tf32")
show(near(plain, exact), near(plain, short), near(tf32, exact), near(tf32, short))
"""
    assert result(fakes, tmp_path, code) == [True, False, False, True]


def test_whole_numbers_are_exact_and_the_same_every_time(fakes: Fakes, tmp_path: Path):
    """Winograd's, FFT's and changing sums were not."""
    code = """
x, w, _ = args(make=whole, x=(3, 4, 12, 12), w=(8, 4, 3, 3))
expected = conv2d(x, w, device="cpu")
show(all(same(by_cudnn(x, w), expected) for _ in range(4)))
"""
    assert result(fakes, tmp_path, code) == [True]


def test_arrays_of_a_gpu_stay_there_and_their_streams_are_kept(fakes: Fakes, tmp_path: Path):
    """The fake driver ends a process that uses memory before another stream is ready."""
    code = """
from support.dlpack import STREAMS
exec(STREAMS)
x, w, bias = args(make=whole)
there = [to_device(each, stream=s.value) for each, s in zip((x, w, bias), (one, two, one))]
y = by_cudnn(*there)
show(type(y).__name__, y.stream == one.value,
     bool((y.numpy() == conv2d(x, w, bias, device="cpu")).all()))
del there, y
end()
"""
    assert result(fakes, tmp_path, code) == ["DeviceArray", True, True]


@pytest.mark.parametrize("fault", ["flip", "swap", "zero", "nan", "tf32"])
def test_a_spoiled_result_is_found_out_each_time(fault: str, fakes: Fakes, tmp_path: Path):
    code = """
x, w, _ = args(x=(2, 4, 9, 20), w=(8, 4, 3, 3))
sound = prove_conv2d(x, w, conv2d(x, w, device="cpu"))
show(bool(sound), [bool(prove_conv2d(x, w, by_cudnn(x, w))) for _ in range(2)])
"""
    assert result(fakes, tmp_path, code, cudnnBackendExecute=fault) == [True, [False, False]]


# -- who computes -------------------------------------------------------------------------------


def test_auto_prefers_cudnn_and_says_so(fakes: Fakes, tmp_path: Path):
    code = """
x, w, bias = args()
ran = [conv2d(x, w, b, info=True, backend=by)[1] for b, by in ((None, "auto"), (bias, "cudnn"),
                                                                (bias, "native"))]
show(*[[each.backend, each.algorithm] for each in ran], str(ran[0]))
"""
    *ran, text = result(fakes, tmp_path, code)
    assert ran == [
        ["cudnn", "engine 2"],
        ["cudnn", "engine 2, then engine 3 for the bias"],
        ["native", None],
    ]
    assert text.startswith("cudnn back end on GPU 0, float32 arithmetic (engine 2), float32 result")


def test_what_cudnn_cannot_do_our_kernels_do_and_the_reason_is_told(fakes: Fakes, tmp_path: Path):
    code = """
x, w, bias = args("float16", x=(2, 3, 9, 8), w=(8, 3, 3, 2))  # three channels: no tensor cores
y, info = conv2d(x, w, bias, info=True)
show(bool(prove_conv2d(x, w, y, bias)), info.backend, info.passed_over,
     raised(by_cudnn, x, w, bias))
"""
    is_right, backend, [why], (_, text) = result(fakes, tmp_path, code)
    assert (is_right, backend) == (True, "native")
    assert why.startswith("cuDNN's engines for this convolution on this device break")
    assert why in text


@pytest.mark.parametrize(
    ("file", "told"), [("/no/such/file", "/no/such/file"), ("/no/\udcff", "/no/\ufffd")]
)
def test_without_cudnn_our_kernels_compute(file: str, told: str, fakes: Fakes, tmp_path: Path):
    """Also where the file's name is no text."""
    made = stage(replace(ONE_CARD, environment={"GPUPROBE_LIBCUDNN": file}), fakes, tmp_path)
    code = """
x, w, bias = args()
y, info = conv2d(x, w, bias, info=True)
show(bool(prove_conv2d(x, w, y, bias)), info.backend, info.passed_over, raised(by_cudnn, x, w))
"""
    done = run_python(made.environment("search"), "-c", BEGIN + code)
    assert done.returncode == 0, done.stderr
    is_right, backend, [why], (_, text) = json.loads(done.stdout)
    assert (is_right, backend) == (True, "native")
    assert why.startswith(f"cudnn: {told}: cannot open shared object file")
    assert why in text


def test_a_cudnn_that_does_not_start_is_passed_over_with_its_words(fakes: Fakes, tmp_path: Path):
    code = """
x, w, bias = args()
y, info = conv2d(x, w, bias, info=True)
again = conv2d(x, w, bias, info=True)[1]
show(bool(prove_conv2d(x, w, y, bias)), info.backend, info.passed_over == again.passed_over,
     *info.passed_over)
"""
    made = stage(replace(ONE_CARD, faults={"cudnnCreate@1": 1002}), fakes, tmp_path)
    (is_right, backend, is_same, why), [report] = told(made, fakes, code)
    assert (is_right, backend, is_same) == (True, "native", True)
    assert why.startswith("cudnn: cudnnCreate failed with CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH")
    assert "(1002): as planned." in why
    assert report["descriptors"] == 0


@pytest.mark.parametrize("code", [1001, 4000, 4003, 4004])
def test_a_cudnn_that_lacked_memory_is_tried_again(code: int, fakes: Fakes, tmp_path: Path):
    program = """
x, w, bias = args()
infos = [conv2d(x, w, bias, info=True)[1] for _ in range(3)]
show([each.backend for each in infos], len(infos[-1].passed_over))
"""
    faults: dict[str, int | str] = {"cudnnCreate@1": code, "cudnnCreate@2": code}
    assert result(fakes, tmp_path, program, **faults) == [["native", "native", "cudnn"], 0]


def test_a_real_cudnn_without_a_device_of_its_own_is_passed_over(fakes: Fakes, tmp_path: Path):
    """The fake driver has too few functions for it: it says so, and our kernels compute."""
    library = wheel_library("libcudnn.so.9")
    if library is None:
        pytest.skip("no libcudnn.so.9 (pip install nvidia-cudnn-cu13)")
    code = """
x, w, bias = args()
y, info = conv2d(x, w, bias, info=True)
show(bool(prove_conv2d(x, w, y, bias)), info.backend, *info.passed_over)
"""
    variables = {"GPUPROBE_LIBCUDNN": str(library)}
    made = stage(replace(ONE_CARD, environment=variables), fakes, tmp_path)
    done = run_python(made.environment("search"), "-c", BEGIN + code)
    assert done.returncode == 0, done.stderr[-2000:]
    is_right, backend, why = json.loads(done.stdout)
    assert (is_right, backend) == (True, "native")
    assert "cudnnCreate failed with CUDNN_STATUS_NOT_INITIALIZED (1001): cuda" in why


def test_a_failure_names_call_code_device_and_cudnns_words(fakes: Fakes, tmp_path: Path):
    code = """
x, w, _ = args()
show(raised(conv2d, x, w), bool(prove_conv2d(x, w, conv2d(x, w))))
"""
    faults: dict[str, int | str] = {"cudnnBackendExecute@1": 5000}
    (kind, text), is_right = result(fakes, tmp_path, code, **faults)
    assert (kind, is_right) == ("DriverError", True)
    assert text.startswith(
        "gpuprobe.conv2d, cudnn back end, GPU 0: cudnnBackendExecute failed with"
        " CUDNN_STATUS_EXECUTION_FAILED (5000): as planned."
    )


def test_a_plan_is_made_once(fakes: Fakes, tmp_path: Path):
    """The second call makes a pack of addresses, and runs the plan."""
    made = stage(ONE_CARD, fakes, tmp_path)
    told(made, fakes, "x, w, _ = args(); by_cudnn(x, w); show(0)")
    told(made, fakes, "x, w, _ = args(); by_cudnn(x, w); by_cudnn(x, w); show(0)")
    once, twice = (int(each["calls"]) for each in made.reports() if each["library"] == "libcudnn")
    assert twice - once < 10 < once


def test_a_workspace_that_finds_no_memory_is_no_end(fakes: Fakes, tmp_path: Path):
    code = """
memory.set_limit(6 << 20)
x, w, _ = args()
y, info = conv2d(x, w, info=True)
show(bool(prove_conv2d(x, w, y)), info.backend, *info.passed_over)
"""
    is_right, backend, why = result(fakes, tmp_path, code)
    assert (is_right, backend) == (True, "native")
    assert why == "cudnn: there is no memory for its workspace of 8.0 MiB"


# -- which library ------------------------------------------------------------------------------


def wheel(site: Path, library: Path) -> Path:
    """A site-packages with the wheel of cuDNN in it; the library's file."""
    file = site / "nvidia" / "cudnn" / "lib" / "libcudnn.so.9"
    file.parent.mkdir(parents=True)
    file.symlink_to(library)
    info = site / "nvidia_cudnn_cu13-9.28.0.42.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: nvidia-cudnn-cu13\nVersion: 9.28.0.42\n")
    (info / "RECORD").write_text("nvidia/cudnn/lib/libcudnn.so.9,,\n")
    return file


def run_on_this_machine(fakes: Fakes, folder: Path, code: str) -> list:
    """What the code shows that has the wheel of cuDNN, and the fake driver by override."""
    wheel(folder / "site", fakes.cudnn())
    environment = {
        name: value
        for name, value in stage(ONE_CARD, fakes, folder).environment("override").items()
        if name != "GPUPROBE_ROOT"
    }
    environment["PYTHONPATH"] = str(folder / "site")
    done = run_python(environment, "-c", BEGIN + code)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_wheel_beside_the_packages_is_found(fakes: Fakes, tmp_path: Path):
    code = "x, w, _ = args(); show(conv2d(x, w, info=True)[1].backend)"
    assert run_on_this_machine(fakes, tmp_path, code) == ["cudnn"]


def test_a_cudnn_that_the_process_has_is_taken_and_no_second_copy(fakes: Fakes, tmp_path: Path):
    other = tmp_path / "other" / "libcudnn.so.9"
    other.parent.mkdir()
    other.write_bytes(fakes.cudnn().read_bytes())
    code = f"""
import ctypes
ctypes.CDLL({str(other)!r})
x, w, _ = args()
backend = conv2d(x, w, info=True)[1].backend
mapped = {{line.split()[-1] for line in open("/proc/self/maps") if "libcudnn" in line}}
show(backend, sorted(mapped))
"""
    assert run_on_this_machine(fakes, tmp_path, code) == ["cudnn", [str(other)]]
