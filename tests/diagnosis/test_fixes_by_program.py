"""A fix names what this program, release and system take; without the deciding fact it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import gpuprobe
from gpuprobe.diagnosis.fixes.framework import install_gpu_build
from gpuprobe.diagnosis.fixes.ground import Ground
from gpuprobe.diagnosis.fixes.program import keep_the_condition
from gpuprobe.diagnosis.questions.packages import Package
from gpuprobe.facts.version import Version
from gpuprobe.knowledge.pytorch_advice import never_for

if TYPE_CHECKING:
    from gpuprobe.diagnosis.model import Finding, Fix

V = Version
INDEX = "https://download.pytorch.org/whl"
NOTHING = Ground((), None, None, None, None)
WINDOWS = Ground((), None, None, None, "windows")
BESIDE = Ground((), None, None, None, None, beside=(("torchvision", "0.18.1"),))
CONDA = Ground((), None, None, None, None, cpuonly=True)


def found(pasted: str) -> Finding:
    root = gpuprobe.explain(pasted).diagnosis.root
    assert root is not None
    return root.finding


def fix_of(pasted: str) -> Fix:
    fix = found(pasted).fix
    assert fix is not None
    return fix


def torch(version: str) -> Package:
    return Package("torch", "PyTorch", version, "cpu")


@pytest.mark.parametrize(
    ("version", "ground", "command"),
    [
        ("2.3.1", NOTHING, f"torch==2.3.1 --index-url {INDEX}/cu118"),
        ("2.3.1+cpu", NOTHING, f"torch==2.3.1 --index-url {INDEX}/cu118"),
        ("2.3.1", BESIDE, f"torch==2.3.1 torchvision==0.18.1 --index-url {INDEX}/cu118"),
        (
            "2.3.1",
            Ground((), None, V("550.54"), None, "windows"),
            f"torch==2.3.1 --index-url {INDEX}/cu121",
        ),
        (  # of 2.6 no build has code for it
            "2.6.0",
            Ground((V("12.0"),), None, None, None, None),
            f"torch --index-url {INDEX}/cu128",
        ),
        ("", NOTHING, f"torch --index-url {INDEX}/cu126"),
        ("", BESIDE, f"torch torchvision --index-url {INDEX}/cu126"),
        (
            "1.8.0",
            NOTHING,
            f"torch==1.8.0+cu111 --find-links {INDEX}/torch_stable.html",
        ),
    ],
)
def test_the_same_pytorch_with_cuda(version: str, ground: Ground, command: str) -> None:
    fix = install_gpu_build(torch(version), ground)
    assert fix.commands == (f"pip install --force-reinstall {command}",)


def test_the_release_of_an_old_pytorch_that_pypi_has_with_cuda() -> None:
    ground = Ground((), None, V("430.50"), None, "linux_x86_64")
    fix = install_gpu_build(torch("1.3.1"), ground)
    assert fix.commands == ("pip install --force-reinstall torch==1.3.1",)


def test_what_keeps_conda_to_the_cpu_goes_first() -> None:
    fix = install_gpu_build(torch("1.11.0"), CONDA)
    assert fix.commands[0] == "conda remove --yes pytorch cpuonly"
    assert fix.undo == "conda install --channel pytorch pytorch==1.11.0 cpuonly"


def test_the_way_back_leads_to_a_cpu_build() -> None:
    undo = install_gpu_build(torch("2.3.1"), NOTHING).undo
    assert undo == f"pip install --force-reinstall torch==2.3.1 --index-url {INDEX}/cpu"
    assert install_gpu_build(torch(""), NOTHING).undo is None


def test_a_machine_that_may_have_no_gpu_is_told_so() -> None:
    assert "nothing to install" in install_gpu_build(torch("2.3.1"), NOTHING).text
    known = Ground((V("8.6"),), None, None, None, None)
    assert "nothing to install" not in install_gpu_build(torch("2.3.1"), known).text


@pytest.mark.parametrize(
    ("package", "ground", "words"),
    [
        (Package("jaxlib", "JAX", "", "cpu"), NOTHING, '"jax[cuda12]"'),
        (Package("jaxlib", "JAX", "", "cpu"), WINDOWS, "WSL 2"),
        (Package("onnxruntime", "ONNX Runtime", "", "cpu"), NOTHING, "install onnxruntime-gpu"),
        (Package("opencv-python", "OpenCV", "", "cpu"), NOTHING, "-D WITH_CUDA=ON"),
        (Package("llama-cpp-python", "llama.cpp", "", "cpu"), NOTHING, "CMAKE_ARGS=-DGGML_CUDA=on"),
        (Package("tensorflow", "TensorFlow", "", "cpu"), NOTHING, '"tensorflow[and-cuda]"'),
        (Package("dgl", "DGL", "", "cpu"), NOTHING, "a build of DGL with CUDA"),
    ],
)
def test_each_framework_has_its_own_way(package: Package, ground: Ground, words: str) -> None:
    fix = install_gpu_build(package, ground)
    assert words in "\n".join((fix.text, *fix.commands))


NOT_COVERED = (
    "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current "
    "PyTorch installation.\nThe current PyTorch install supports CUDA capabilities {}.\n"
)


def test_a_newer_gpu_gets_the_index_that_has_its_code() -> None:
    finding = found(NOT_COVERED.format("sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90"))
    assert finding.title == (
        "torch has no code for NVIDIA GeForce RTX 5090 (sm_120), only for sm_50 to sm_90"
    )
    assert finding.fix is not None
    assert finding.fix.commands == (
        f"pip install --force-reinstall torch --index-url {INDEX}/cu128",
    )


def test_a_gpu_for_which_there_is_no_pytorch_at_all() -> None:
    old = (
        "Found GPU0 GeForce GTX 670M which is of cuda capability {}.\n"
        "PyTorch no longer supports this GPU because it is too old.\n"
    )
    assert "No build of PyTorch since 1.0 has code for sm_21" in fix_of(old.format("2.1")).text
    assert never_for(V("2.1"))
    assert not never_for(V("3.7"))


JULIA = """CUDA toolchain:
- runtime 13.0, artifact installation
- driver 580.65.6 for 13.0

Julia packages:
- CUDA: 5.8.3

1 device:
  0: Tesla V100-SXM2-32GB (sm_70, 27.902 GiB / 32.000 GiB available)
"""


def test_cuda_jl_is_told_in_julia() -> None:
    finding = found(JULIA)
    assert finding.title.startswith("CUDA.jl 5.8.3 has no code for Tesla V100-SXM2-32GB (sm_70)")
    assert finding.fix is not None
    assert 'CUDA.set_runtime_version!(v"12.9")' in finding.fix.commands[0]


OUT = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB. {}\n"
EXPANDABLE = "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"


@pytest.mark.parametrize(
    ("pasted", "commands"),
    [
        (f"torch==2.4.0\n{OUT.format('')}", (EXPANDABLE,)),
        (f"torch==1.8.0\n{OUT.format('')}", ()),
        (OUT.format("(GPU 0; 7.93 GiB total capacity; 45.45 MiB cached)"), ()),
        (f"OS: Windows\ntorch==2.4.0\n{OUT.format('')}", ()),
        ("ollama run llama3\nCUDA error: out of memory\n", ()),
        ("Error: cuDNN isn't found FWD algo for convolution.\n", ()),
        (
            "ggml_cuda: unable to allocate CUDA0 buffer\n",
            ("llama-cli --n-gpu-layers 20 --ctx-size 2048 --model MODEL.gguf",),
        ),
    ],
)
def test_less_memory_by_the_programs_own_settings(pasted: str, commands: tuple[str, ...]) -> None:
    assert fix_of(pasted).commands == commands


HANDLE = "stream_executor/cuda/cuda_blas.cc:238] failed to create cublas handle: {}\n"
TF_GROWS, JAX_GROWS = "TF_FORCE_GPU_ALLOW_GROWTH=true", "XLA_PYTHON_CLIENT_PREALLOCATE=false"


@pytest.mark.parametrize(
    ("pasted", "commands"),
    [
        (
            f"TensorFlow 2.0\nE tensorflow/{HANDLE.format('CUBLAS_STATUS_ALLOC_FAILED')}",
            (f"export {TF_GROWS}",),
        ),
        (
            f"import jax\nE external/xla/xla/{HANDLE.format('the resource allocation failed')}",
            (f"export {JAX_GROWS}",),
        ),
        (
            f"E external/xla/xla/{HANDLE.format('the resource allocation failed')}",
            (f"export {TF_GROWS}  # TensorFlow", f"export {JAX_GROWS}  # JAX"),
        ),
        (
            "initCnmem: cnmemInit call failed! Reason=CNMEM_STATUS_OUT_OF_MEMORY. numdev=1\n",
            ("THEANO_FLAGS=lib.cnmem=0 python PROGRAM",),
        ),
    ],
)
def test_memory_in_advance_by_the_frameworks_own_variable(
    pasted: str, commands: tuple[str, ...]
) -> None:
    assert fix_of(pasted).commands == commands


ACCELERATE = (
    "NotImplementedError: Using RTX 4000 series doesn't support faster communication broadband via "
    'P2P or IB. Please set `NCCL_P2P_DISABLE="1"` and `NCCL_IB_DISABLE="1"\n'
)
REFUSED = "socketPollConnect: Connect to 10.0.0.5<512> returned 111(Connection refused) errno 115\n"
SYSTEM = "NCCL error in: ../c10d/ProcessGroupNCCL.cpp:839, unhandled {} error, NCCL version 2.8\n"


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        (ACCELERATE, "NCCL_P2P_DISABLE=1 NCCL_IB_DISABLE=1"),
        (REFUSED, "NCCL_SOCKET_IFNAME=eth0"),
        (SYSTEM.format("system"), "df -h /dev/shm"),
        (SYSTEM.format("cuda"), "NCCL_DEBUG=INFO python PROGRAM"),
    ],
)
def test_nccl_is_mended_where_it_failed(pasted: str, words: str) -> None:
    assert words in "\n".join(fix_of(pasted).commands)


def test_nccl_that_logs_already_need_not_be_told_to() -> None:
    warned = "host:1:1 [0] NCCL WARN Cuda failure 'unknown error'\n"
    assert "NCCL_DEBUG" not in str(fix_of(f"{warned}{SYSTEM.format('cuda')}"))


def test_windows_has_no_nccl() -> None:
    without = "RuntimeError: Distributed package doesn't have NCCL built in\n"
    assert found(without).title == "This PyTorch is a build without NCCL"
    assert "gloo" in fix_of(without).text
    assert "WSL 2" in fix_of(f"OS: Windows\n{without}").text
    assert "install one with CUDA" in fix_of(f"OS: Linux\n{without}").text


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("t >= 0 && t < n_classes", "class label"),
        ("srcIndex < srcSelectDimSize", "nn.Embedding"),
        ("input_val >= zero && input_val <= one", "binary_cross_entropy"),
        ("val >= zero", "probability"),
        ("index >= -sizes[i] && index < sizes[i]", "outside the tensor"),
        ("rows == cols", "the program does something that the GPU refuses"),
    ],
)
def test_an_assertion_is_told_by_what_it_asserts(condition: str, words: str) -> None:
    fix = keep_the_condition(condition)
    assert words in fix.text
    assert ("compute-sanitizer python PROGRAM" in fix.commands) == (condition == "rows == cols")


OFFLOADED = (
    "ggml_init_cublas: found 1 CUDA devices:\n  Device 0: NVIDIA GeForce RTX 3090\n"
    "offloaded 0/35 layers to GPU\n"
)


def test_llama_cpp_is_asked_by_its_own_option() -> None:
    finding = found(OFFLOADED)
    assert finding.title == "llama.cpp could use the GPU, and the work ran on the CPU"
    assert finding.fix is not None
    assert finding.fix.commands == ("llama-cli -ngl 99 -m MODEL.gguf",)


def test_work_that_ended_without_a_gpu_does_not_run_on_the_cpu() -> None:
    ended = (
        "my system does not have any gpu\nAssertionError:\nFound no NVIDIA driver on your system."
    )
    assert "map_location='cpu'" in fix_of(ended).text


def test_lightning_is_given_the_gpu_by_its_trainer():
    unused = gpuprobe.explain("torch 1.10\nGPU available: True, used: False").diagnosis.root
    assert unused is not None
    assert "Trainer(accelerator='gpu', devices=1)" in unused.finding.fix.text
    used = gpuprobe.explain("torch 1.10\nGPU available: True, used: True").diagnosis.root
    assert used is None
