"""A build without CUDA, as programs that run language models tell of it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

WHISPER = "whisper_init_with_params_no_state: devices    = {}\n"
LLAMA = "warning: not compiled with GPU offload support, --gpu-layers option will be ignored\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("CUDA platform is not available because vLLM is built with CPU.", "cpu-only-build"),
        ("The vllm server restarts when the model is loaded", "unknown"),
        ("RuntimeError: llama-cpp-python was built without GGML CUDA support.", "cpu-only-build"),
        ("llama-cpp-python was built without errors, GGML CUDA support is on", "unknown"),
        ("GPU: RTX 3080\n" + WHISPER.format(1) + "\n", "cpu-only-build"),
        ("GPU: RTX 3080\n" + WHISPER.format(2) + "\n", "unknown"),
        ("Error: the candle crate has not been built with cuda support", "cpu-only-build"),
        ("$ find / -name 'libggml-cuda.so'\n/opt/b/libggml-cuda.so\n" + LLAMA, "cpu-only-build"),
    ],
)
def test_a_build_without_cuda_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


NOTHING = "unknown", "healthy"
WHISPER_BACKENDS = (
    "whisper_init_with_params_no_state: use gpu    = 1\n"
    "whisper_init_with_params_no_state: backends   = 1\n{found}"
)


def test_whisper_has_no_backend_for_a_gpu():
    none = "whisper_backend_init_gpu: no GPU found\n"
    assert ruled("RTX 4070\n" + WHISPER_BACKENDS.format(found=none)) == "cpu-only-build"
    used = "whisper_backend_init_gpu: using CUDA0 backend\n"
    assert ruled("RTX 4070\n" + WHISPER_BACKENDS.format(found=used)) in NOTHING


LLAMA_CLI = (
    "OS: Windows 11\nC:\\llama>llama-cli.exe -m a.gguf -ngl 99\n"
    "load_backend: loaded CPU backend from C:\\llama\\ggml-cpu-haswell.dll\n"
    "warning: no usable GPU found, --gpu-layers option will be ignored\n"
)
FILES = "C:\\llama>dir /b *.dll\ncudart64_12.dll\nggml-base.dll\n{cuda}ggml.dll\nllama.dll\n"
WHERE = "C:\\llama>where cublas64_12.dll\nINFO: Could not find files for the given pattern(s).\n"


def test_llama_without_the_backend_is_a_build_for_the_cpu():
    assert ruled(LLAMA_CLI + FILES.format(cuda="") + WHERE) == "cpu-only-build"
    assert ruled(LLAMA_CLI + "error: ggml-cuda.dll is missing\n") == "cpu-only-build"


LLAMA_ASKED = ">>> llama_cpp.llama_supports_gpu_offload()\n{answer}\n"


@pytest.mark.parametrize(("answer", "cause"), [("False", "cpu-only-build"), ("True", "unknown")])
def test_llama_cpp_says_whether_it_offloads(answer: str, cause: str):
    assert ruled(f"GPU: NVIDIA GH200\n{LLAMA_ASKED.format(answer=answer)}") == cause


def test_a_program_without_gpu_support_is_named_and_not_bitsandbytes() -> None:
    report = gpuprobe.explain("OpenCV was compiled without GPU support")
    [placed] = report.diagnosis.placed
    assert placed.finding.title.endswith("OpenCV was compiled without GPU support")
    assert "itsandbytes" not in placed.finding.title


BY_MAKE = (
    "I {0}.cpp build info: \n"
    "I CFLAGS:   -I.  -O3 -std=c11 -fPIC -pthread -mavx\n"
    "I CXXFLAGS: -I. -O3 -std=c++11 -fPIC -pthread -mavx{1}\n"
    "I LDFLAGS:  \n"
)
MANAGER = "MemoryManager::GetDeviceMemoryManager"
OPEN3D = 'RuntimeError: [Open3D Error] (f()) /x/MemoryManager.cpp:1: Unsupported device "CUDA:0". '


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (OPEN3D + "Set BUILD_CUDA_MODULE=ON to compile for CUDA support.", "cpu-only-build"),
        ("[Open3D Error] Not compiled with CUDA, but CUDA device is used.", "cpu-only-build"),
        (f"{OPEN3D.partition(' U')[0]} Unimplemented device", "unknown"),
        (f"[Open3D ERROR] {MANAGER}: Unimplemented device", "cpu-only-build"),
        (
            "error: the solver was built without GPUs. Rebuild with -DAPP_ENABLE_CUDA=ON to enable",
            "cpu-only-build",
        ),
        # Advice, and a file of settings.
        ("Set WITH_CUDA=ON to compile for CUDA support, if you need it.", "unknown"),
        ("-- App is not built with CUDA. Error: set -DAPP_CUDA=ON to enable it.", "unknown"),
        ("option(APP_CUDA): -DAPP_CUDA=ON to enable GPUs", "unknown"),
        (
            "CUDAExecutionProvider is not in available providers (['CPUExecutionProvider']).",
            "cpu-only-build",
        ),
        (
            "The run stops because the open3d of my environment is not a GPU build.",
            "cpu-only-build",
        ),
        ("I saw that ctranslate2 from pip is a CPU-only build.", "cpu-only-build"),
        ("It was slow if the torch from pip is a CPU-only build.", "unknown"),
        ("Is the open3d from conda no GPU build?", "unknown"),
        ("The first card is no GPU, and this is not a CUDA version of it.", "unknown"),
        (">>> import open3d as o3d\n>>> o3d.core.cuda.is_available()\nFalse", "unknown"),
        ("$ GGML_CUDA=1 make -j\n" + BY_MAKE.format("whisper", ""), "cpu-only-build"),
        ("$ make LLAMA_CUBLAS=1\n" + BY_MAKE.format("llama", ""), "cpu-only-build"),
        ("$ make LLAMA_CUBLAS=1\n" + BY_MAKE.format("llama", " -DGGML_USE_CUBLAS"), "unknown"),
        ("$ make -j\n" + BY_MAKE.format("llama", ""), "unknown"),
    ],
)
def test_what_was_built_without_cuda(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("counts", "cause"),
    [
        ("devices = 1, backends = 1", "cpu-only-build"),
        ("devices = 2, backends = 2", "unknown"),
        ("devices = 1, backends = 12", "unknown"),
    ],
)
def test_whisper_counts_the_cpu_alone(counts: str, cause: str):
    assert ruled(f"GPU: RTX 3060\nwhisper-cli log: use gpu = 1, {counts}\n") == cause
