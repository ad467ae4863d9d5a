"""A set-up that works, told by TensorFlow, JAX, Julia, ONNX Runtime and older frameworks."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.facts import said
from gpuprobe.facts.pasted import read
from gpuprobe.report.words import verdict_sentence
from support.cases import ruled
from support.texts import FLUX

MXNET = """src/operator/nn/./cudnn/./cudnn_algoreg-inl.h:97: Running performance tests to find the \
best convolution algorithm, this can take a while...
"""
SPEED = "INFO:root:Epoch[0] Batch [50]  Speed: 210.11 samples/sec  accuracy=0.1\n"


@pytest.mark.parametrize(("log", "verdict"), [(MXNET + SPEED, "healthy"), (SPEED, "unknown")])
def test_mxnet_measures_cudnn_and_trains(log: str, verdict: str):
    assert ruled(log) == verdict


OPENED = "Successfully opened dynamic library libcudnn.so.8\n"
NODE = "successful NUMA node read from SysFS had negative value (-1), so returning node zero\n"
FAILS = "ValueError: shapes do not match\n"


def test_tensorflow_describes_the_gpu_after_it_opened_its_libraries():
    assert ruled(OPENED + NODE + FAILS) == "healthy"
    assert ruled(NODE + OPENED + FAILS) == "unknown"
    assert ruled(OPENED + NODE + "Skipping registering GPU devices...\n") != "healthy"


MKL = "tensorflow                2.2.0           mkl_py37h6e9ce2d_0\n"


def test_tensorflow_that_looked_for_the_cards_node_was_built_with_cuda():
    assert ruled(MKL + NODE) != "cpu-only-build"
    assert ruled(MKL) == "cpu-only-build"


PLACED = """Node placements
 Node(s) placed on [CPUExecutionProvider]. Number of nodes: {cpu}
 Node(s) placed on [{other}ExecutionProvider]. Number of nodes: {others}
"""


@pytest.mark.parametrize(
    ("cpu", "other", "others", "verdict"),
    [
        (40, "CUDA", 900, "healthy"),
        (900, "CUDA", 40, "unknown"),
        (40, "Dml", 900, "unknown"),
    ],
)
def test_a_model_lies_mostly_with_one_provider(cpu: int, other: str, others: int, verdict: str):
    assert ruled(PLACED.format(cpu=cpu, other=other, others=others)) == verdict


PREFERRED = """trying {}ExecutionProvider
[W:onnxruntime:, session_state.cc:1 Verify] Some nodes were not assigned to the \
preferred execution providers which may or may not have an negative impact on performance.
RuntimeError: the input has the wrong shape
"""


@pytest.mark.parametrize(("provider", "verdict"), [("CUDA", "healthy"), ("CoreML", "unknown")])
def test_some_nodes_are_not_with_the_preferred_provider(provider: str, verdict: str):
    assert ruled(PREFERRED.format(provider)) == verdict


RENDERER = "OpenGL renderer string: {by}\n"


def test_the_driver_draws():
    by_nvidia = RENDERER.format(by="NVIDIA GeForce GT 710/PCIe/SSE2")
    assert ruled(by_nvidia) == "healthy"
    assert ruled(f"{by_nvidia}TensorFlow does not use it\n") == "unknown"
    assert ruled(RENDERER.format(by="llvmpipe (LLVM 12.0.0, 256 bits)")) == "unknown"
    assert ruled(RENDERER.format(by="NVC1")) == "unknown"  # nouveau


DARKNET = """ CUDA-version: {cuda} ({cuda}), cuDNN: 7.6.5, GPU count: {count}
 OpenCV version: 3.2.0
 3744: 1.204410, 1.311902 avg loss, 0.001000 rate, 9.871102 seconds, 239616 images
"""


@pytest.mark.parametrize(("cuda", "count", "seen"), [(10020, 1, True), (0, 0, False)])
def test_darknet_trains_on_the_gpus_that_it_counted(cuda: int, count: int, seen: bool):
    facts = read(DARKNET.format(cuda=cuda, count=count))
    assert facts.known(said.FRAMEWORK_COMPUTED("darknet")) is (True if seen else None)


JULIA = """julia> using CUDA
julia> {first}
{gave}
"""


@pytest.mark.parametrize(
    ("first", "gave", "verdict"),
    [
        ("x = CUDA.rand(2, 2)", "2\u00d72 CuArray{Float32, 2}:\n 0.1  0.2\n 0.3  0.4", "healthy"),
        ("x = cu([1, 2]);\njulia> sum(x)", "3", "healthy"),
        ("begin\n         y = CuArray(rand(8))\n         sum(y)\n       end", "4.2", "healthy"),
        ("x = rand(2)\njulia> sum(x)", "0.7", "unknown"),
        ("x = CUDA.rand(2, 2)", "ERROR: something went wrong", "unknown"),
        ("CUDA.functional()", "false", "unknown"),
        ("x = cu([1, 2]);", "and there it hangs", "unknown"),
    ],
)
def test_julia_shows_what_a_command_with_an_array_of_the_gpu_gave(
    first: str, gave: str, verdict: str
):
    assert ruled(JULIA.format(first=first, gave=gave)) == verdict


def test_a_cut_table_counts_its_gpus_where_its_processes_stand_below():
    shown = FLUX.format(works="true", asked="x", array="Nothing", busy=97)
    assert ruled(shown) == "healthy"
    fragment = "| 30%   39C    P8    24W / 350W |    420MiB / 24576MiB |      97%      Default |\n"
    assert ruled(f"our table of nvidia-smi:\n{fragment}") == "unknown"


FACTORY = (
    "{said}\nE cuda_dnn.cc:93] Unable to register cuDNN factory: Attempting to register factory"
    " for plugin cuDNN when one has already been registered\n"
)


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("Same error with TensorFlow 2.14:", "healthy"),
        ("GPU not detected, with this error:", "unknown"),
        ("Same error with TensorFlow 2.14", "unknown"),
    ],
)
def test_somebody_calls_a_harmless_message_an_error(said: str, cause: str):
    assert ruled(FACTORY.format(said=said)) == cause


@pytest.mark.parametrize(
    ("platform", "cause"), [("gpu", "healthy"), ("'cuda'", "healthy"), ("cpu", "unknown")]
)
def test_jax_names_the_platform_of_its_first_device(platform: str, cause: str):
    asked = ">>> import jax\n>>> jax.local_devices()[0].platform\n"
    assert gpuprobe.explain(asked + platform).verdict.value == cause


#: What Paddle logs before version 2 when it takes a GPU.
PADDLE = (
    "device_context.cc:261] Please NOTE: device: 0, CUDA Capability: {}, Driver API Version: 11.1,"
    " Runtime API Version: {}\n"
)


def test_paddles_line_about_a_gpu_that_it_took_shows_that_it_works() -> None:
    assert ruled(PADDLE.format(61, "10.0") + "infer results: dog") == "healthy"


TPU = "Unable to initialize backend 'tpu': INTERNAL: Failed to open libtpu.so: libtpu.so: cannot"


def test_what_is_harmless_stands_aside_where_the_gpu_was_seen() -> None:
    report = gpuprobe.explain(f"jax.devices() -> [CudaDevice(id=0)]\n{TPU}")
    assert verdict_sentence(report).startswith("Healthy, as far as this text tells. ")
    assert "<details open>" not in report.html()


FORM = "GPU model: NVIDIA RTX 3090\nJAX 0.4.25, CUDA 12.4\n"
DIFFER = FORM + "I see that the results differ depending on whether the function is jitted."


def test_results_that_are_compared_were_computed():
    assert ruled(DIFFER) == "healthy"


@pytest.mark.parametrize(
    "pasted",
    [
        DIFFER.removeprefix("GPU model: NVIDIA RTX 3090\n"),  # no GPU is named
        DIFFER + "\nRuntimeError: CUDA error: an illegal memory access was encountered",
        DIFFER + "\nAnd training is very slow.",
        DIFFER.replace("results differ", "drivers differ"),
        DIFFER.replace("depending on", "between versions, depending on"),
    ],
)
def test_of_other_differences_nothing_follows(pasted: str):
    assert ruled(pasted) != "healthy"


CORES = "coreClock: 1.59GHz coreCount: 40 deviceMemorySize: 14.75GiB\n"
STAMP = "2021-06-01 11:00:41.999717: I tensorflow/"
OPENED_CUDNN = f"{STAMP}dso_loader.cc:53] Successfully opened dynamic library libcudnn.so.8\n"
TAKEN = f"{STAMP}core/gpu_device.cc:1765] Adding visible gpu devices: 0\n"
LINKS = f"{STAMP}core/gpu_device.cc:1197] 0:   N \n"
EDGES = f"{STAMP}core/gpu_device.cc:1184] Device interconnect StreamExecutor with strength 1 edge"
EDGES += " matrix:\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (CORES + OPENED_CUDNN, "healthy"),
        (OPENED_CUDNN, "unknown"),
        (OPENED_CUDNN + CORES, "unknown"),
        (TAKEN + LINKS, "healthy"),
        (TAKEN + EDGES, "healthy"),
        (LINKS, "unknown"),
        (EDGES, "unknown"),
        (TAKEN, "unknown"),
    ],
)
def test_a_gpu_that_tensorflow_takes(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(("link", "cause"), [("Y", "healthy"), ("N", "unknown")])
def test_the_first_tensorflows_show_the_gpu_that_they_take(link: str, cause: str):
    line = "I tensorflow/core/common_runtime/gpu/gpu_init.cc:136] 0:   {}\n"
    assert ruled(line.format(link)) == cause
