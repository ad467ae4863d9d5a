"""What the system's own libraries, AMD's run time, Blender and copies between GPUs tell."""

from __future__ import annotations

import pytest

from support.cases import ruled

TORCH = "/home/user/miniconda3/envs/a/lib/python3.10/site-packages/torch/lib/libtorch_python.so"
OWN = "/usr/local/lib/python3.11/site-packages/torch/lib/libtorch_python.so"
CPP, C = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/lib64/libc.so.6"
GEMM = "when calling `cublasGemmEx( handle, opa, opb, m, n, k, &falpha, a, CUDA_R_{}, lda)`"
REFUSED = f"RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE {GEMM.format('16F')}"
NO_BFLOAT16 = f"RuntimeError: CUDA error: CUBLAS_STATUS_NOT_SUPPORTED {GEMM.format('16BF')}"
NOT_SUPPORTED = "RuntimeError: CUDA error: operation not supported\n"
NO_HIP = "RuntimeError: No HIP GPUs are available\n"
COPIED = (
    ">>> t.to('cuda:1')\ntensor([1., 2.], device='cuda:0')\n"
    ">>> t.to('cuda:1')\ntensor([0., 0.], device='cuda:1')\n"
)
NO_TRITON = "RuntimeError: Cannot find a working triton installation.\n"


def wants(library: str, version: str, asker: str) -> str:
    return f"ImportError: {library}: version `{version}' not found (required by {asker})"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (wants(CPP, "GLIBCXX_3.4.30", TORCH), "library-path-conflict"),
        (wants(CPP, "CXXABI_1.3.15", TORCH), "library-path-conflict"),
        (wants(CPP, "GLIBCXX_3.4.32", OWN), "python-unsupported"),
        (wants(C, "GLIBC_2.28", OWN), "python-unsupported"),
        (
            wants(C, "GLIBC_2.32", "/opt/lib/python3.10/site-packages/torch_scatter/_scatter.so"),
            "extension-mismatch",
        ),
        ("ImportError: libcupti.so.12: cannot open shared object file", "cublas-missing"),
        ("ImportError: libcusparseLt.so.0: cannot open shared object file", "cublas-missing"),
        ("ImportError: libnvshmem_host.so.3: cannot open shared object file", "cublas-missing"),
        ("nvrtc: error: failed to open libnvrtc-builtins.so.11.1.\n", "cublas-missing"),
        (REFUSED, "library-path-conflict"),
        (NO_BFLOAT16 + "\nGPU 0: Tesla V100-SXM2-16GB", "gpu-too-old"),
        (NO_BFLOAT16, "gpu-too-old"),
        (NOT_SUPPORTED + "Linux host 5.15.90.1-microsoft-standard-WSL2 x86_64", "wsl"),
        (NOT_SUPPORTED + "GPU 0: NVIDIA A40-48C", "user-code"),
        (NO_HIP, "no-nvidia-gpu"),
        (NO_HIP + "GPU 0: NVIDIA GeForce RTX 3090", "cpu-only-build"),
        ("RuntimeError: HIP error: invalid device function", "no-nvidia-gpu"),
        (COPIED, "nccl"),
        ("Copying a tensor between two GPUs gives zeros on the second.", "nccl"),
        ("nvidia 0000:4a:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0036]", "nccl"),
        ("MPI is not CUDA-aware: a buffer on the GPU was passed", "nccl"),
        (
            "CUDA binary kernel for this graphics card compute capability (8.6) not found.",
            "gpu-too-new",
        ),
        (
            "CUDA device supported only with compute capability 3.0 or up, found 2.1.",
            "gpu-too-old",
        ),
        ("CUDA error: Illegal address in cuCtxSynchronize(), line 1683", "user-code"),
        ("Out of memory in CUDA queue enqueue (integrator_shade_surface)", "oom-workload"),
        ('ERROR: "tensorflow-gpu" package has been removed', "python-unsupported"),
        (NO_TRITON + "OS: Microsoft Windows 11 Pro", "python-unsupported"),
        (NO_TRITON, "extension-mismatch"),
        (
            'CMake Error: CUDA_ARCHITECTURES is empty for target "ggml".\n',
            "toolkit-mismatch",
        ),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        wants(CPP, "GLIBCXX_3.4.30", "/opt/venv/lib/python3.10/site-packages/scipy/_lib.so"),
        wants(C, "GLIBC_2.34", "/usr/local/bin/node"),
        "nvcc: /lib64/libc.so.6: version `GLIBC_2.34' not found",
        "CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasCreate(handle)`",
        NO_BFLOAT16 + "\nGPU 0: NVIDIA A100-SXM4-80GB",
        NOT_SUPPORTED,
        "I compare HIP GPUs with those of CUDA",
        "We move the data between two GPUs and then train",
        "AMD-Vi: Event logged [IO_PAGE_FAULT device=00:14.0 domain=0x0036]",
        "CUDA device with compute capability 3.0 or up found",
        "Out of memory in the queue of the printer",
        'ERROR: "sklearn" package has been removed',
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"


@pytest.mark.parametrize(
    "pasted",
    [
        COPIED.replace("0., 0.", "1., 2."),
        COPIED.replace(".to(", ".sum("),
        "b = torch.zeros(2)\n" + COPIED,
    ],
)
def test_numbers_that_nobody_copied_are_no_failure(pasted: str) -> None:
    assert ruled(pasted) == "healthy"
