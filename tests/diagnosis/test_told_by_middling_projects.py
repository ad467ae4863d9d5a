"""What ONNX Runtime, XGBoost, Unsloth, Ray, cudarc and the like say of a GPU, and near misses."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.facts.pasted import gpu_names
from support.cases import ruled

NO_IMAGE = "CUDA error cudaErrorNoKernelImageForDevice:no kernel image is available for execution"
BESIDE_TORCH = """GPU: RTX 5080
torch 2.8.0+cu128
{who}{failed} on the device
"""


@pytest.mark.parametrize(
    ("who", "cause"),
    [
        ("[ONNXRuntimeError] : 1 : FAIL : Non-zero status code. ", "gpu-too-new"),
        ("", "extension-mismatch"),
    ],
)
def test_onnx_runtime_has_kernels_of_its_own_beside_a_torch_that_covers(who: str, cause: str):
    assert ruled(BESIDE_TORCH.format(who=who, failed=NO_IMAGE)) == cause


@pytest.mark.parametrize(
    ("file", "cause"),
    [
        ("/usr/lib/gcc/x86_64-pc-linux-gnu/14/include/c++/14.2.0/type_traits", "toolkit-mismatch"),
        ("/home/user/project/src/kernel.cu", "unknown"),
    ],
)
def test_the_library_of_a_newer_gcc_is_not_parsed_by_nvcc(file: str, cause: str):
    text = f"GPU: RTX 3060\n{file}(3281): error: type name is not allowed\n"
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("1060m", ("GeForce GTX 1060 Mobile",)),
        ("rtx4060m", ("rtx 4060 Mobile",)),
        ("3070tim", ()),
        ("3060MB", ()),
        ("GTX 970M", ("GTX 970M",)),
    ],
)
def test_cards_of_laptops_are_written_short(typed: str, named: tuple[str, ...]):
    assert gpu_names.typed(typed) == named


def test_a_size_of_memory_is_no_card_of_a_laptop():
    assert list(gpu_names.mentioned("GPU 3050M of 4096M used")) == []
    assert list(gpu_names.mentioned("it runs on my 3050m")) == ["GeForce RTX 3050"]


@pytest.mark.parametrize(
    ("card", "cause"), [("1050m", "gpu-too-old"), ("4050m", "unknown"), ("10500m", "unknown")]
)
def test_a_short_name_tells_whether_a_build_is_too_new(card: str, cause: str):
    failed = "CUDA error: no kernel image is available for execution on the device"
    named = ruled(f"GPU: {card}\n{failed}\n")
    assert (named == "gpu-too-old") is (cause == "gpu-too-old")


@pytest.mark.parametrize(
    ("version", "cause"), [("`9020`", "toolkit-mismatch"), ("unset", "unknown")]
)
def test_cudarc_knows_toolkits_by_the_number_of_the_header(version: str, cause: str):
    text = f"cudarc-0.12.1/build.rs:54:14:\nUnsupported cuda toolkit version: {version}. Please\n"
    assert ruled(f"GPU: RTX 3090\n{text}") == cause


BANNER = "==((====))==  Unsloth - 2x faster free finetuning | Num GPUs used = {count}\n"


@pytest.mark.parametrize(("count", "verdict"), [(2, "healthy"), (0, "unknown")])
def test_unsloth_counts_gpus_when_it_trains(count: int, verdict: str):
    text = f"PyTorch version: 2.6.0+cu124\n{BANNER.format(count=count)}KeyError: 'labels'\n"
    assert ruled(text) == verdict


DEVICES = "XGBoost is running on: {on}, while the input data is on: {data}.\n"


@pytest.mark.parametrize(
    ("on", "data", "verdict"), [("cuda:1", "cpu", "healthy"), ("cpu", "cuda:0", "unknown")]
)
def test_xgboost_says_where_it_runs(on: str, data: str, verdict: str):
    assert ruled(DEVICES.format(on=on, data=data)) == verdict


LISTED = """GPU Device ID: {number}
GPU Name: NVIDIA GeForce RTX 4080
GPU compute capability: 8.9
CUDA driver version: 12.4
CUDA runtime version: 12.4
"""


@pytest.mark.parametrize(("number", "verdict"), [("0", "healthy"), ("?", "unknown")])
def test_a_benchmark_lists_the_devices_of_cuda(number: str, verdict: str):
    assert ruled(LISTED.format(number=number)) == verdict


ONE_AND_NONE = """no CUDA-capable device is detected
Why does `torch.cuda.is_available()` go from `True` at first to `False` inside {what}?
"""


@pytest.mark.parametrize(
    ("what", "hidden"),
    [("a ray.remote function", True), ("a Ray actor", True), ("my x-ray viewer", False)],
)
def test_a_worker_of_ray_has_no_gpu_and_its_parent_has(what: str, *, hidden: bool):
    named = ruled(ONE_AND_NONE.format(what=what))
    assert (named == "hidden-by-visible-devices") is hidden


@pytest.mark.parametrize(
    ("who", "cause"),
    [
        ("Trainer.__init__()", "user-code"),
        ("__init__()", "user-code"),
        ("Pool.__init__()", "unknown"),
    ],
)
def test_lightning_takes_another_argument_for_gpus(who: str, cause: str):
    text = f"TypeError: {who} got an unexpected keyword argument 'gpus'\nGPU: RTX 3090\n"
    assert ruled(text) == cause


LINKED = """LD_LIBRARY_PATH={path}
/usr/bin/ld: cannot find -l{library}
collect2: error: ld returned 1 exit status
"""


@pytest.mark.parametrize(
    ("path", "library", "cause"),
    [
        ("/opt/cuda/lib64/stubs/:/opt/cuda/lib64", "cuda", "library-path-conflict"),
        ("/opt/cuda/lib64", "cuda", "toolkit-missing"),
        ("/opt/cuda/lib64/stubs/:/opt/cuda/lib64", "cudart", "toolkit-missing"),
    ],
)
def test_the_linker_does_not_look_at_the_variable_of_the_loader(
    path: str, library: str, cause: str
):
    assert ruled(LINKED.format(path=path, library=library)) == cause


UNUSED = """{package} 1.20.1
  providers = ['{first}ExecutionProvider', 'CPUExecutionProvider']
I see that the GPU memory usage is very low ({used}) although I pass --device cuda
"""


@pytest.mark.parametrize(
    ("package", "first", "used", "cause"),
    [
        ("onnxruntime-gpu", "CUDA", "0 MB", "silent-cpu-fallback"),
        ("onnxruntime-gpu", "CUDA", "900 MB", "unknown"),
        ("onnxruntime-gpu", "Azure", "0 MB", "unknown"),
        ("numpy", "CUDA", "0 MB", "unknown"),
    ],
)
def test_nothing_is_on_the_gpu_that_onnx_runtime_is_asked_for(
    package: str, first: str, used: str, cause: str
):
    assert ruled(UNUSED.format(package=package, first=first, used=used)) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("JAX keeps complaining that cuda is 11.6 and not 11.8", "framework-cuda-mismatch"),
        ("JAX does not complain, and cuda is 11.8 or later", "unknown"),
    ],
)
def test_a_framework_is_said_to_want_another_cuda(told: str, cause: str):
    root = gpuprobe.explain(f"I have a new driver. {told}\n").diagnosis.root
    assert ((root.cause if root else "") == "framework-cuda-mismatch") is (cause != "unknown")
