"""A CUDA toolkit that is missing, told by bare messages, people, containers, Windows and others."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import fix

CMAKE_TARGET = '  Target "foo" links to:\n    CUDA::{}\n  but the target was not found.\n'
IMPORTED = 'The imported project "C:\\VC\\v170\\BuildCustomizations\\{}.props" was not found.'
UNMET = " {} : Depends: something (>= 1.0) but it is not going to be installed"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "OSError: libnvvm.so: cannot open shared object file: No such file or directory",
            "toolkit-missing",
        ),
        ("libnvvm.so was found in /usr/local/cuda/nvvm/lib64", "unknown"),
        ("AssertionError: Can not find $env:CUDA_PATH", "toolkit-missing"),
        (
            "* Device #1: CUDA SDK Toolkit not installed or incorrectly installed.",
            "toolkit-missing",
        ),
        ("* Device #1: OpenCL SDK not installed.", "unknown"),
        ("Cuda Configuration Error: Cannot find cuda.h under /usr/local/cuda", "toolkit-missing"),
        (
            "Could not find any cuda.h matching version '11.2' in any subdirectory:\n        ''",
            "toolkit-missing",
        ),
        (
            (
                "Cuda Configuration Error: None of the libraries match their SONAME: "
                "/usr/local/cuda/lib64/libcudart.so.11.0"
            ),
            "toolkit-missing",
        ),
        ("Inconsistent CUDA toolkit path: /usr vs /usr/lib", "toolkit-missing"),
        ("RuntimeError: Cannot find CUDA_HOME. CUDA must be available.", "toolkit-missing"),
        ("RuntimeError: Cannot find cuda path", "toolkit-missing"),
        ("ERROR: libnpp not found", "toolkit-missing"),
        ("checking for libnpp... found", "unknown"),
        (
            (
                "* Device #1: CUDA SDK Toolkit installation NOT detected.\n"
                "             Falling back to OpenCL Runtime"
            ),
            "toolkit-missing",
        ),
        (CMAKE_TARGET.format("cublas"), "toolkit-missing"),
        (
            '  Target "foo" links to:\n    OpenSSL::SSL\n  but the target was not found.\n',
            "unknown",
        ),
        (IMPORTED.format("CUDA 11.3"), "toolkit-missing"),
        (IMPORTED.format("Qt"), "unknown"),
        (
            (
                "error : The CUDA Toolkit v11.1 directory '' does not exist. Please verify the "
                "CUDA Toolkit is installed properly or define the CudaToolkitDir property."
            ),
            "toolkit-missing",
        ),
        ('catastrophic error: cannot open source file "vector_types.h"', "toolkit-missing"),
        ('cannot open source file "vector_kinds.h"', "unknown"),
        ("NvrtcSupportError: NVRTC cannot be found.", "toolkit-missing"),
        (
            'DynamicLibNotFoundError: Failure finding "libnvvm.so": No such file: libnvvm.so*',
            "toolkit-missing",
        ),
        ("sh: 1: cicc: not found", "toolkit-missing"),
        (
            "RuntimeError: CUDA was not found on the system, please set the CUDA_HOME",
            "toolkit-missing",
        ),
        ("gsplat: No CUDA toolkit found. gsplat will be disabled.", "toolkit-missing"),
        ("NameError: name '_C' is not defined", "toolkit-missing"),
        ("NameError: name 'C' is not defined", "unknown"),
        ("OSError: library nvvm not found", "toolkit-missing"),
        (
            (
                'starting container process caused "exec: \\"nvcc\\": executable file not '
                'found in $PATH"\n'
            ),
            "toolkit-missing",
        ),
        ("E: Unable to locate package cuda-toolkit-12-4", "toolkit-missing"),
        (UNMET.format("nvidia-cuda-toolkit"), "toolkit-missing"),
        ("Cannot find libdevice in TF 2.11 (conda-forge)\n", "toolkit-missing"),
        ("RuntimeError: Failed to find C compiler. Please specify via CC.", "toolkit-missing"),
        ("error: Microsoft Visual C++ 14.0 or greater is required.", "toolkit-missing"),
        ("fatal error: cuda_runtime.h: No such file or directory\n", "toolkit-missing"),
        ("fatal error: boost/thread.hpp: No such file or directory", "unknown"),
    ],
)
def test_a_toolkit_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "OSError: library nv not found",
        "customer.h: Datei oder Verzeichnis nicht gefunden\n",
        "fatal error: curl.h: No such file or directory\n",
        "fatal error: focus.h: No such file or directory\n",
        "fatal error: nvme.h: No such file or directory\n",
    ],
)
def test_kin_of_a_toolkit_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_a_warning_about_cl_is_a_compiler_that_is_not_there():
    told = "UserWarning: Error checking compiler version for cl: [WinError 2] cannot find the file"
    assert ruled(told) == "toolkit-missing"


IN_IMAGE = """$ docker run -it --gpus all nvidia/cuda:{} bash
root@0123456789ab:/# nvcc --version
bash: nvcc: command not found
root@0123456789ab:/# cat /usr/local/cuda/include/cudnn.h
cat: /usr/local/cuda/include/cudnn.h: No such file or directory
"""


@pytest.mark.parametrize(
    ("tag", "cause"),
    [
        ("11.2.2-cudnn8-runtime-ubuntu20.04", "toolkit-missing"),
        ("12.4.1-base-ubuntu22.04", "toolkit-missing"),
        ("11.2.2-cudnn8-devel-ubuntu20.04", "cudnn-missing"),
    ],
)
def test_an_image_that_runs_programs_compiles_none(tag: str, cause: str):
    assert ruled(IN_IMAGE.format(tag)) == cause


NOTHING = "unknown", "healthy"
HEADER = "src/cpp/cuda.hpp:14:10: {words}\n   14 | #include <cuda.h>\n"


@pytest.mark.parametrize(
    "words",
    [
        "schwerwiegender Fehler: cuda.h: Datei oder Verzeichnis nicht gefunden",
        "erreur fatale: cuda.h : Aucun fichier ou dossier de ce type",
        "致命错误\uff1acuda.h\uff1a没有那个文件或目录",
        "фатальная ошибка: cuda.h: Нет такого файла или каталога",
    ],
)
def test_a_header_is_missing_in_the_users_language(words: str):
    assert ruled(HEADER.format(words=words)) == "toolkit-missing"
    assert ruled(HEADER.format(words=words).replace("cuda.h", "ffi.h")) in NOTHING


LOGIN = "I am on the login node of a GPU cluster, which has none.\n"
NO_NVCC = "$ nvcc --version\nbash: nvcc: command not found\n"
NO_CUFFT = (
    "ImportError: libcufft.so.10: cannot open shared object file: No such file or directory\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (LOGIN + NO_NVCC, "toolkit-missing"),
        (f"The CUDA code is to be compiled on a login node.\n{NO_NVCC}", "toolkit-missing"),
        (LOGIN + NO_CUFFT, "cublas-missing"),
        # What a GPU is wanted for fails beside it, or it is all that is said.
        (LOGIN + NO_NVCC + "RuntimeError: Found no NVIDIA driver on your system.", "no-nvidia-gpu"),
        (LOGIN + NO_NVCC + "bash: nvidia-smi: command not found\n", "no-nvidia-gpu"),
        (LOGIN, "no-nvidia-gpu"),
    ],
)
def test_a_node_without_a_gpu_does_not_explain_what_is_missed_of_the_toolkit(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(("tag", "advised"), [("base", True), ("devel", False)])
def test_who_misses_nvcc_in_an_image_without_it_takes_another_image(tag: str, advised: bool):
    run = f"$ docker run --rm -it nvcr.io/nvidia/cuda:12.4.1-{tag}-ubuntu22.04 bash\n"
    assert ("devel" in fix(run + NO_NVCC).text) is advised
