"""Facts of one link of the chain beside a fault of another one, which they do not explain."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

NOTHING = "unknown", "healthy"
SEES = ">>> torch.cuda.is_available()\nTrue\n"
NO_MEMORY = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 14.76 GiB "
    "total capacity; 13.00 GiB already allocated; 0.50 GiB free; 13.20 GiB reserved in total by "
    "PyTorch)\n"
)
CUBLAS = (
    "torch                    2.8.0+cu128\nnvidia-cublas-cu12       12.4.5.8\n{}"
    "RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasGemmEx( h )`\n"
)
ASSERTED = (
    "../aten/src/ATen/native/cuda/Indexing.cu:1093: indexSelectSmallIndex: block: [3,0,0], thread: "
    "[32,0,0] Assertion `srcIndex < srcSelectDimSize` failed.\n"
)
DEMAND = (
    "torch 2.6.0 requires nvidia-cudnn-cu12==9.1.0.70, but you have nvidia-cudnn-cu12 8.9.7.29 "
    "which is incompatible.\n"
)
CUDNN = "RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED\n"
XLA_MEMORY = (
    "failed to allocate 608.00MiB (637534208 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of "
    "memory\n"
)
NO_ENGINE = (
    "docker: Error response from daemon: could not select device driver "
    '"" with capabilities: [[gpu]].\n'
)
NO_CDI = "Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all\n"
SLOT = "ValueError: No slot '{}' specified on host '{}'\n"
NO_DRIVER = (
    "nvidia-smi: command not found\nRuntimeError: Found no NVIDIA driver on your system. Please "
    "check that you have an NVIDIA GPU and installed a driver\n"
)
OTHER_TOOL = (
    "| NVIDIA-SMI 450.80.02       Driver Version: 535.104.05      CUDA Version: N/A      |\n"
)
BNB = (
    "OS: Windows 10\nbitsandbytes {}\n"
    "CUDA SETUP: WARNING! libcuda.so not found! Do you have a CUDA driver installed?\n"
)
WARNED = (
    "GPU: RTX 5080\n{}UserWarning: The detected CUDA version (12.1) has a minor version mismatch "
    "with the version that was used to compile PyTorch (12.8). Most likely no problem.\n"
)
MODULE = (
    "ImportError: /opt/conda/lib/python3.8/site-packages/{}.cpython-38-x86_64-linux-gnu.so: "
    "undefined symbol: cudaMemPoolCreate\n"
)
PAD = (
    'tokenizer.add_special_tokens({"pad_token": tokenizer.eos_token})\n'
    'model = GPT2LMHeadModel.from_pretrained("gpt2").cuda()\n'
    "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(h)`\n"
)
MESHROOM = (
    "GPU: GeForce {}\n{}"
    "[error] This program needs a CUDA-Enabled GPU (with at least compute capability 2.0).\n"
)
NOUVEAU = (
    "01:00.0 VGA compatible controller: NVIDIA Corporation GP104 [GeForce GTX 1070]\n"
    "\tKernel driver in use: nouveau\n"
)
LLAMA = "warning: not compiled with GPU offload support, --gpu-layers option will be ignored\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (CUBLAS.format(ASSERTED), "user-code"),
        (CUBLAS.format(NO_MEMORY), "oom-workload"),
        (DEMAND + CUDNN + XLA_MEMORY, "oom-other-process"),
        (NO_ENGINE + "On the host instead:\n" + SEES + NO_MEMORY, "oom-workload"),
        ("CUDA_VISIBLE_DEVICES=4,5\n" + SLOT.format(4, "localhost") + NO_DRIVER, "driver-missing"),
        (
            'CUDA_VISIBLE_DEVICES=""\n' + OTHER_TOOL + "RuntimeError: No CUDA GPUs are available\n",
            "hidden-by-visible-devices",
        ),
        (MODULE.format("tensorflow/python/_pywrap_tensorflow"), "cuda-libs-mismatch"),
        (PAD, "oom-workload"),
        ("$ find / -name 'libggml-cuda.so'\n/opt/b/libggml-cuda.so\n" + LLAMA, "cpu-only-build"),
    ],
)
def test_another_link_is_at_fault(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        NO_CDI + "I wrote the description anew, and inside the container:\n" + SEES,
        NO_ENGINE + "sudo apt install nvidia-container-toolkit\n" + SEES,
        "CUDA_VISIBLE_DEVICES=0\n" + SLOT.format(3, "worker-2"),
        "qiskit-aer         0.12.0\nqiskit-aer-gpu     0.12.0\n",
        BNB.format("0.44.1"),
        'GPU: RTX 4090\ncudaMemcpyToSymbol("weights", w, n) returns invalid device symbol\n',
        WARNED.format("TORCH_CUDA_ARCH_LIST=8.6\n"),
        MESHROOM.format("RTX 3080", ""),
        "OS: Windows 10\nnvidia-smi shows 95% memory used, the task manager shows 12% GPU.\n",
    ],
)
def test_nothing_is_shown_to_be_at_fault(text: str):
    assert ruled(text) in NOTHING


def test_a_newer_package_was_installed_after_the_demand():
    later = "Successfully installed nvidia-cudnn-cu12-9.1.0.70\n"
    assert ruled(DEMAND + later + CUDNN) not in ("library-path-conflict", "cudnn-mismatch")


def test_the_driver_is_another_makers():
    assert ruled(MESHROOM.format("GTX 1070", NOUVEAU)) != "driver-too-old"


PYTHON = (
    "ERROR: Ignored the following versions that require a different python version: 4.5.0 "
    "Requires-Python ==3.10.*\n"
    "ERROR: Could not find a version that satisfies the requirement isaacsim==4.5.0 "
    "(from versions: none)\n"
)
TOKENS = (
    ">>> len(tokenizer)\n50259\n>>> model.transformer.wte\nEmbedding(50257, 768)\n"
    "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(h)`\n"
)
DASK = (
    "UserWarning: Worker with process ID 31217 should have a CUDA context assigned to device 2, "
    "but instead the CUDA context is on device 0\n"
)
LINK = (
    "Cuda compilation tools, release 11.1, V11.1.105\n"
    "RuntimeError: Unknown: no kernel image is available for execution on the device\n"
    "stream_executor/cuda/cuda_asm_compiler.cc(44): 'cuLinkAddData( link_state )'\n"
    "| NVIDIA-SMI 450.102.04   Driver Version: 450.102.04   CUDA Version: 11.0     |\n"
)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (DEMAND + CUDNN, "cuDNN 8.9.7.29 is installed, a package asks for 9.1.0.70"),
        (TOKENS, "the tokenizer's size is 50259, the embedding has 50257 rows"),
        (DASK, "CUDA had begun before Dask gave each worker a GPU of its own"),
        (LINK, "The driver, of CUDA 11.0, cannot link what the ptxas of CUDA 11.1 compiled"),
        (MESHROOM.format("GTX 1070", "driver: 388.13\n"), "driver 388.13 is too old"),
    ],
)
def test_a_title_says_what_was_seen(text: str, title: str):
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    assert title in root.finding.title


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (PYTHON, "conda create --name gpu python=3.10"),
        (OTHER_TOOL + "RuntimeError: No CUDA GPUs are available\n", None),
    ],
)
def test_a_fix_is_for_what_was_found(text: str, command: str | None):
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    assert root.finding.fix is not None
    commands = root.finding.fix.commands
    assert command in commands if command else "sudo reboot" not in commands
