"""CUDA libraries of different versions, and what only looks like it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled
from support.pasted import title_and_fix

MYELIN = (
    "[TensorRT] ERROR: 1: [graphContext.h::MyelinGraphContext::24] Error Code 1: Myelin (myelin"
    "VersionMismatch : Compiled against cuDNN 11.4.1.0 but running against cuDNN 11.2.1.0.\n"
)
FRAMED = (
    "│ /nvidia/cusparse/lib/libcusparse.so.12: undefined symbol:          │\n"
    "│ __nvJitLinkCreate_12_8, version libnvJitLink.so.12                 │\n"
)
MODULE = (
    "ImportError: /opt/conda/lib/python3.8/site-packages/{}.cpython-38-x86_64-linux-gnu.so: "
    "undefined symbol: cudaMemPoolCreate\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "ImportError: /x/m.so: symbol cudaMemPoolCreate version libcudart.so.11.0 "
                "not defined in file libcudart.so.11.0 with link time reference"
            ),
            "cuda-libs-mismatch",
        ),
        ("symbol lookup: symbol foo version LIBFOO_1 not defined in file libfoo.so.1", "unknown"),
        (
            (
                "RTX 3080 Ti\n[TRT] [E] 1: [raiiMyelinGraph.h::24] Error Code 1: Myelin (Compiled "
                "against cuBLASLt 11.9.2.0 but running against cuBLASLt 11.2.1.0.)"
            ),
            "cuda-libs-mismatch",
        ),
        ("libnvrtc.so.11.0: undefined symbol: nvrtcGetCUBIN", "cuda-libs-mismatch"),
        (MYELIN, "cuda-libs-mismatch"),
        ('undefined symbol: "ncclCommWindowRegister"', "cuda-libs-mismatch"),
        (FRAMED, "cuda-libs-mismatch"),
        (
            (
                "Windows 10\nThe procedure entry point cublasLtGetStatusString could not be located"
                " in the dynamic link library ../cublas64_11.dll"
            ),
            "cuda-libs-mismatch",
        ),
        (
            (
                "Windows 10\nThe procedure entry point GetTickCount64 could not be located in the"
                " dynamic link library KERNEL32.dll"
            ),
            "unknown",
        ),
        (MODULE.format("tensorflow/python/_pywrap_tensorflow"), "cuda-libs-mismatch"),
    ],
)
def test_cuda_libraries_of_two_versions_are_told_from_their_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "[TRT] [W] TensorRT was linked against cuBLAS/cuBLAS LT 11.6.3 but loaded 11.5.1",
    ],
)
def test_kin_of_cuda_libraries_of_two_versions_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_tensorrt_that_loads_the_cublas_of_another_cuda_is_told():
    warning = (
        "GPU: RTX 3060\n[W] [TRT] TensorRT was linked against cuBLAS/cuBLAS LT {} but loaded {}"
    )
    other, same = "cuBLAS/cuBLAS LT 11.3.1", "cuBLAS/cuBLAS LT 10.2.1"
    title_and_fix = gpuprobe.explain(warning.format("10.2.2", other)).diagnosis.root
    assert title_and_fix.cause == "cuda-libs-mismatch"
    assert "made for CUDA 11" in title_and_fix.finding.fix.text
    assert ruled(warning.format("10.2.2", same)) == "unknown"


LACKS = """/opt/env/lib/python3.8/site-packages/torch/lib/../../../../libcublas.so.11: \
symbol cublasLtMatmulNew, version libcublasLt.so.11 not defined in file libcublasLt.so.11
\tlibcublasLt.so.11 => {copy}
"""


@pytest.mark.parametrize(
    ("copy", "cause"),
    [
        ("/opt/env/lib/./libcublasLt.so.11 (0x00007f0000000000)", "cuda-libs-mismatch"),
        ("/usr/local/cuda/lib64/libcublasLt.so.11 (0x00007f0000000000)", "library-path-conflict"),
    ],
)
def test_a_copy_in_the_same_folder_is_no_foreign_one(copy: str, cause: str):
    assert ruled(LACKS.format(copy=copy)) == cause


UNSET = "Invalid config blocking attribute value {}"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/"
                "distributed/c10d/NCCLUtils.cpp:77, invalid argument, NCCL version 2.15.5\n"
                "ncclInvalidArgument: Invalid value for an argument.\nLast error:\n{UNSET}\n"
            ).replace("{UNSET}", UNSET.format(-2147483648)),
            "cuda-libs-mismatch",
        ),
        (
            "node1:71:71 [0] init.cc:1145 NCCL WARN " + UNSET.format(-2147483648),
            "cuda-libs-mismatch",
        ),
        # One that a program set itself, and one that NCCL forgets to take for unset.
        ("node1:71:71 [0] init.cc:1145 NCCL WARN " + UNSET.format(5), "nccl"),
        (
            "NCCL WARN Invalid config min/max channels attribute value 4/-2147483648",
            "nccl",
        ),
    ],
)
def test_an_nccl_that_is_older_than_its_caller_does_not_know_what_is_unset(text: str, cause: str):
    assert ruled(text) == cause


NOTHING = "unknown", "healthy"
REFUSED = (
    "RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling "
    "`cublasGemmEx( handle, opa, opb, m, n, k )`\n"
)
CUBLAS = "torch                    2.8.0+cu128\nnvidia-cublas-cu12       {release}\n"


def test_pips_cublas_is_of_an_earlier_cuda_than_torchs():
    assert ruled(CUBLAS.format(release="12.4.5.8") + REFUSED) == "cuda-libs-mismatch"
    assert ruled(CUBLAS.format(release="12.8.4.1") + REFUSED) == "library-path-conflict"
    assert ruled(CUBLAS.format(release="12.4.5.8")) in NOTHING


def test_cupy_asks_for_no_library_of_another_cuda_than_its_own():
    text = "{}==12.0.0\nImportError: libnvJitLink.so.12: cannot open shared object file\n"
    assert ruled(text.format("cupy-cuda11x")) == "cuda-libs-mismatch"
    assert ruled(text.format("cupy-cuda12x")) == "cublas-missing"


BUILTINS = """torch 2.0.1
RuntimeError: nvrtc: error: failed to open libnvrtc-builtins.so.11.7.
nvidia-cuda-nvrtc-cu11   {}
"""


def test_nvrtc_asks_for_its_own_library_by_the_release():
    assert ruled(BUILTINS.format("11.8.89")) == "cuda-libs-mismatch"
    assert ruled(BUILTINS.format("11.7.99")) == "cublas-missing"


JAX = """jax[cuda12]==0.4.30
RuntimeError: Unable to load cuSPARSE. Is it installed?
nvidia-cuda-runtime-cu12  12.5.82
nvidia-cusparse-cu12      12.5.1.3
nvidia-nvjitlink-cu12     {}
"""


def test_nvjitlink_is_not_older_than_what_calls_it():
    assert ruled(JAX.format("12.1.105")) == "cuda-libs-mismatch"
    assert ruled(JAX.format("12.5.82")) == "library-path-conflict"


NOT_LOADED = """could not load library "/home/user/.julia/artifacts/2a0f/lib/libcublas.so.11"
{below}
"""
FILE = "/home/user/.julia/artifacts/2a0f/lib/libcublas.so.11"


@pytest.mark.parametrize(
    ("below", "cause"),
    [
        (
            f"{FILE}: undefined symbol: cublasLtGetStatusString, version libcublasLt.so.11",
            "cuda-libs-mismatch",
        ),
        (
            f"{FILE}: cannot open shared object file: No such file or directory",
            "cublas-missing",
        ),
    ],
)
def test_the_line_below_says_why_a_library_was_not_loaded(below: str, cause: str):
    assert ruled(NOT_LOADED.format(below=below)) == cause


JAX_LISTED = """GPU: NVIDIA RTX A5000, Driver Version: 565.57.01
$ pip list | grep -E "jax|nvidia"
jax                      0.4.35
jax-cuda12-plugin        0.4.35
jaxlib                   0.4.35
nvidia-{caller}    {release}
nvidia-nvjitlink-cu12    {linker}
RuntimeError: Unable to load {library}. Is it installed?
An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed.
"""


@pytest.mark.parametrize(
    ("caller", "release", "linker", "library", "cause"),
    [
        ("cusparse-cu12", "12.5.4.2", "12.1.105", "cuSPARSE", "cuda-libs-mismatch"),
        ("cusolver-cu12", "11.7.2.55", "12.6.85", "cuSOLVER", "cuda-libs-mismatch"),
        # Another copy is found first.
        ("cusparse-cu12", "12.5.4.2", "12.6.85", "cuSPARSE", "library-path-conflict"),
        ("cusparse-cu12", "12.3.1.170", "12.8.61", "cuSPARSE", "library-path-conflict"),
        ("cusparse-cu12", "12.1.0.106", "12.1.105", "cuSPARSE", "library-path-conflict"),
    ],
)
def test_nvjitlink_is_older_than_the_library_that_calls_it(
    caller: str, release: str, linker: str, library: str, cause: str
):
    shown = JAX_LISTED.format(caller=caller, release=release, linker=linker, library=library)
    assert ruled(shown) == cause


LINKED = """{warning}/usr/bin/ld: {asker}: undefined reference to `{symbol}'
collect2: error: ld returned 1 exit status
"""
CUSOLVER = "/usr/local/cuda/lib64/libcusolver.so"
SPARSE = "cusparseGetErrorString@libcusparse.so.11"
NEEDED = f"/usr/bin/ld: warning: libcusparse.so.11, needed by {CUSOLVER}, not found\n"


@pytest.mark.parametrize(
    ("asker", "symbol", "warning", "cause"),
    [
        (CUSOLVER, SPARSE, "", "cuda-libs-mismatch"),
        (CUSOLVER, SPARSE, NEEDED, "unknown"),
        ("main.o", "cusparseCreate", "", "unknown"),
        ("libmine.so", SPARSE, "", "unknown"),
    ],
)
def test_the_linker_found_a_library_of_another_release(
    asker: str, symbol: str, warning: str, cause: str
):
    assert ruled(LINKED.format(asker=asker, symbol=symbol, warning=warning)) == cause


def test_nvjitlink_is_older_than_nvvm():
    says = "ERROR 4 in nvvmAddNVVMContainerToProgram, may need newer version of nvJitLink library"
    assert ruled(f"numba 0.61\n{says}\n") == "cuda-libs-mismatch"
    assert ruled(f"numba 0.61\n{says.partition(',')[0]}\n") == "unknown"


@pytest.mark.parametrize(
    ("file", "cause"),
    [
        ("/usr/local/cuda/lib64/libcublas.so.11", "cuda-libs-mismatch"),
        ("/opt/libapp.so", "unknown"),
    ],
)
def test_a_library_of_cuda_that_lacks_a_name_has_a_sibling_of_another_release(
    file: str, cause: str
):
    assert ruled(f"ImportError: {file}: undefined symbol: free_gemm_select") == cause


CUPY = "cupy-cuda11x  12.3.0\n{}ImportError: {}: cannot open shared object file: No such file\n"


@pytest.mark.parametrize(
    ("beside", "cause"),
    [
        ("", "cuda-libs-mismatch"),
        ("tensorflow  2.17.0\n", "cublas-missing"),
        ("ctranslate2  4.4.0\n", "cublas-missing"),
        ("cudf-cu12  24.6.0\n", "cublas-missing"),
        ("torch  2.1.0+cu121\n", "cublas-missing"),
        ("torch  2.1.0+cu118\nflash_attn  2.5.6\n", "extension-mismatch"),
    ],
)
def test_a_cupy_of_another_cuda_is_there_beside_who_asks(beside: str, cause: str):
    assert ruled(CUPY.format(beside, "libcublas.so.12")) == cause


JAX_TOO_LATE = """jax[cuda12]==0.4.30
RuntimeError: Unable to load cuSPARSE. Is it installed?
nvidia-cuda-runtime-cu12  12.5.82
nvidia-cusparse-cu12      12.5.1.3
nvidia-nvjitlink-cu12     12.1.105
"""
BUILTINS_OF_11_8 = "nvidia-cuda-nvrtc-cu11  11.8.89\nnvrtc: error: failed to open {}.\n"


def test_the_title_names_the_package_that_does_not_fit():
    assert (
        "libcublas.so.12 (CUDA 12) is asked for, but cupy-cuda11x is built for CUDA 11"
        in title_and_fix(CUPY.format("", "libcublas.so.12"))
    )
    assert "but nvidia-cuda-nvrtc-cu11 is 11.8.89" in title_and_fix(
        BUILTINS_OF_11_8.format("libnvrtc-builtins.so.11.7")
    )
    linker = title_and_fix(JAX_TOO_LATE)
    assert "nvidia-nvjitlink-cu12 is 12.1.105" in linker
    assert "nvJitLink, which cuSPARSE calls, is older" in linker


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("Outdated cuBLAS installation", "cuda-libs-mismatch"),
        ("RuntimeError: Outdated cuSPARSE installation found.", "cuda-libs-mismatch"),
        ("Outdated cuDNN installation found.", "unknown"),  # how old, nobody tells
        ("An outdated cuBLAS lies there.", "unknown"),
    ],
)
def test_jax_calls_a_library_outdated_and_the_numbers_are_left_out(told: str, cause: str):
    assert ruled(f"jax[cuda13], Linux\nIt falls back to the CPU with\n{told}\n") == cause
