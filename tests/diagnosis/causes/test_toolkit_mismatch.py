"""A CUDA toolkit or host compiler that does not fit, and what only looks like it."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.model import Severity
from support.cases import ruled
from support.pasted import finding

CMAKE_TARGET = '  Target "foo" links to:\n    CUDA::{}\n  but the target was not found.\n'
CMAKE_TRIAL = (
    '  The CUDA compiler\n\n    "/usr/bin/nvcc"\n\n  is not able to compile a simple test '
    "program.\n\n  It fails with the following output:\n"
)
UNSUITABLE = (
    '  Could NOT find CUDA{}: Found unsuitable version "{}", but required is at\n  least "12"'
)
GLIBC = (
    "/usr/include/bits/mathcalls.h(79): error: exception specification is incompatible with that of"
    ' previous function "cospi" (declared at line 2601 of /usr/local/cuda/include/'
)
NULLPTR = '{file}(436): error: identifier "nullptr" is undefined\n'
OTHER_CUDA = (
    "The detected CUDA version ({}) mismatches the version that was used to compile PyTorch ({})"
)
MINGW = (
    "-- The CXX compiler identification is {}\n"
    "-- The CUDA compiler identification is unknown\n"
    "-- Check for working CUDA compiler: C:/CUDA/v10.1/bin/nvcc.exe -- {}\n"
)
TOOLKIT = "ptxas fatal : Unsupported .version 7.8; current version is '7.4'"
DLIB = "*** CUDA was found but your compiler failed to compile a simple CUDA program so dlib isn't"
APEX = (
    "release 8.0, V8.0.61\nCuda extensions are being compiled with a version of Cuda that does not"
    " match the version used to compile Pytorch binaries.\n"
)
ARCH = "nvcc fatal   : Unsupported gpu architecture '{}'"
_REFUSED = "nvcc fatal   : Unsupported gpu architecture 'compute_75'\n"
_NVCC = "GPU 0  TITAN RTX\nNVCC  Cuda compilation tools, release 9.0, V9.0.176\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "The detected CUDA version (11.8) mismatches the version that was used to compile\n"
                "PyTorch (12.4). Please make sure to use the same CUDA versions."
            ),
            "toolkit-mismatch",
        ),
        (
            (
                "error: #error \"You're trying to build PyTorch with a too old version of GCC."
                ' We need GCC 9 or later."'
            ),
            "toolkit-mismatch",
        ),
        ("GCC 9 or later is needed; this is GCC 11", "unknown"),
        ("#error C++17 or later compatible compiler is required to build folly.", "unknown"),
        (
            '/usr/include/stdlib.h(566): error: attribute "__malloc__" does not take arguments',
            "toolkit-mismatch",
        ),
        ("std_function.h:435: error: parameter packs not expanded with '...':", "toolkit-mismatch"),
        ("error: parameter packs are fun", "unknown"),
        (CMAKE_TARGET.format("nvToolsExt"), "toolkit-mismatch"),
        ("target_link_libraries(foo CUDA::cublas CUDA::nvToolsExt)", "unknown"),
        (
            CMAKE_TRIAL + "    nvcc fatal   : Unsupported gpu architecture 'compute_20'",
            "toolkit-mismatch",
        ),
        (ARCH.format("compute_12"), "toolkit-mismatch"),  # 1.2 of 2008, and not 12.0
        (ARCH.format("sm_10") + "\nCUDA 6.5, GTX 980", "toolkit-mismatch"),
        (ARCH.format("compute_120"), "gpu-too-new"),
        ("Error: Unsupported CUDA version 12.8 detected.", "toolkit-mismatch"),
        ("Supported CUDA version 12.8 detected.", "unknown"),
        ("Unsupported cuda toolkit version: `13.1`. Please raise an issue.", "toolkit-mismatch"),
        (
            "nvfortran-Error-CUDA version 12.8 is not available in this installation.",
            "toolkit-mismatch",
        ),
        (
            "nvlink fatal   : Input file '/tmp/a.o' newer than toolkit (122 vs 118)",
            "toolkit-mismatch",
        ),
        (
            "  Found two conflicting CUDA installs:\n\n  V12.2.140 in '/usr/local/cuda/include'",
            "toolkit-mismatch",
        ),
        ("Found CUDA 11.2 in /usr/local/cuda/include/cuda.h", "unknown"),
        (UNSUITABLE.format("", "10.1"), "toolkit-mismatch"),
        ('Could NOT find Boost: Found unsuitable version "1.65"', "unknown"),
        (UNSUITABLE.format("Toolkit", "11.5.119"), "toolkit-mismatch"),
        ('floatn.h(79): error: identifier "__float128" is undefined', "toolkit-mismatch"),
        ('floatn.h(79): error: identifier "float128" is undefined', "unknown"),
        (
            "nvcc fatal   : nvcc cannot find a supported version of Microsoft Visual Studio.",
            "toolkit-mismatch",
        ),
        (
            '"error STL1002: Unexpected compiler version, expected CUDA 12.4 or newer."',
            "toolkit-mismatch",
        ),
        (GLIBC + "crt/math_functions.h)", "toolkit-mismatch"),
        (
            (
                "FindCUDA says CUDA version is 11.5 (usually determined by nvcc), but the CUDA"
                " headers say the version is 12.1."
            ),
            "toolkit-mismatch",
        ),
        (
            NULLPTR.format(file="/usr/lib/gcc/x86_64-linux-gnu/6/include/stddef.h"),
            "toolkit-mismatch",
        ),
        (NULLPTR.format(file="src/mine.cu"), "unknown"),
        (
            (
                "/usr/include/bits/mathcalls.h(79): error: exception specification is\n"
                'incompatible with that of previous function "cospi" (declared at '
                "line 2601\n"
            ),
            "toolkit-mismatch",
        ),
        (
            (
                "/home/user/a.cu(12): error: exception specification is\n"
                'incompatible with that of previous function "mine" (declared at '
                "line 4\n"
            ),
            "unknown",
        ),
        (
            (
                "The current installed version of g++ (12.2.0) is greater than the "
                "maximum required "
                "version by CUDA 11.8 (11.0.0)."
            ),
            "toolkit-mismatch",
        ),
        ("The current installed version of cmake (3.2) is too low", "unknown"),
        ('error: identifier "__builtin_ia32_sqrtsd_round" is undefined', "toolkit-mismatch"),
        ('error: identifier "my_builtin" is undefined', "unknown"),
        ("nvcc fatal   : Unknown option '-std=c++17'", "toolkit-mismatch"),
        ("nvcc fatal   : Unknown option '-Wall'", "unknown"),
        (OTHER_CUDA.format("%s", "%s"), "toolkit-mismatch"),
        (MINGW.format("GNU 8.1.0", "broken"), "toolkit-mismatch"),
        (TOOLKIT, "toolkit-mismatch"),
        (DLIB, "toolkit-mismatch"),
        (
            "Warning: The selected C++ compiler is not supported for CUDA compilation.\n",
            "toolkit-mismatch",
        ),
        (APEX, "toolkit-mismatch"),
        ('CMake Error: CUDA_ARCHITECTURES is empty for target "ggml".\n', "toolkit-mismatch"),
        (ARCH.format("compute_native"), "toolkit-mismatch"),
        ("cmake -DCMAKE_CUDA_ARCHITECTURES=native", "unknown"),
        ("GPU: RTX 3090\n" + ARCH.format("compute_"), "toolkit-mismatch"),
        (ARCH.format("compute_No CUDA devices found."), "toolkit-mismatch"),
        ("RuntimeError: mamba_ssm is only supported on CUDA 11.6 and above.", "toolkit-mismatch"),
        ("mamba_ssm is supported on CUDA", "unknown"),
        ("RuntimeError: FlashAttention is only supported on CUDA 11 and above", "toolkit-mismatch"),
        ("RuntimeError: CUDA 12.3 or higher is required to build the package.", "toolkit-mismatch"),
        (
            "RuntimeError: CUDA 11.1 or higher is required for compute capability 8.6.",
            "toolkit-mismatch",
        ),
        (
            (
                "UserWarning: CUDA 11.8 or higher is required for compute capability 8.9. Targeting"
                " compute capability 8.0 instead."
            ),
            "unknown",
        ),
        # Framework whose CUDA serves the GPU shows that nvcc is another.
        (f"{_REFUSED}{_NVCC}PyTorch 1.3.0\n  - CUDA Runtime 10.1\n", "toolkit-mismatch"),
        (f"{_REFUSED}{_NVCC}PyTorch 1.0.0\n  - CUDA Runtime 9.0\n", "gpu-too-new"),
        (f"{_REFUSED}GPU-GTX1080Ti, CUDA-9.0, cuDNN-7.0, gcc 6+.\n", "toolkit-mismatch"),
        (f"{_REFUSED}my-rack-GTX1080Ti, CUDA-9.0, cuDNN-7.0, gcc 6+.\n", "gpu-too-new"),
    ],
)
def test_a_toolkit_that_does_not_fit_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


WARNED = (
    "GPU: RTX 5080\n{}UserWarning: The detected CUDA version (12.1) has a minor version mismatch "
    "with the version that was used to compile PyTorch (12.8). Most likely no problem.\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "UserWarning: Unsupported CUDA version strings are passed over",
        "The installation of visual-studio for version 2022 failed.\n",
        "error STL1001: Unexpected compiler version, expected MSVC 19.40 or newer.",
        GLIBC + "my_functions.h)",
        (
            "Installed CUDA version 12.2 does not match the version torch was compiled with 12.1"
            " but since the APIs are compatible, accepting this combination"
        ),
        WARNED.format("TORCH_CUDA_ARCH_LIST=8.6\n"),
        (
            'The glibc 2.41 error incompatible with that of previous function "cospi" is gone with '
            "CUDA 13.0.\n"
        ),
    ],
)
def test_kin_of_a_toolkit_that_does_not_fit_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


WARNED_OF_MINOR = """GPU: {}
UserWarning: The detected CUDA version ({}) has a minor version mismatch with the version that was
 used to compile PyTorch (12.8). Most likely this shouldn't be a problem.
error: command 'nvcc' failed with exit code 1
""".replace("\n used", " used")


@pytest.mark.parametrize(
    ("gpu", "toolkit", "cause"),
    [
        ("RTX 5080", "12.1", "toolkit-mismatch"),
        ("RTX 5080", "12.9", "unknown"),
        ("RTX 3080", "12.1", "unknown"),
    ],
)
def test_a_toolkit_of_torchs_major_is_older_than_the_gpu(gpu: str, toolkit: str, cause: str):
    assert ruled(WARNED_OF_MINOR.format(gpu, toolkit)) == cause


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ("host_config.h:105:2: error: #error -- unsupported\nGNU version! gcc", "toolkit-mismatch"),
        ("GNU version! gcc 4.7 and up are not supported!", "toolkit-mismatch"),
        ("configure: gcc 4.7 and up are supported", "unknown"),
    ],
)
def test_nvccs_refusal_of_a_compiler_is_broken_into_lines(message: str, cause: str):
    assert ruled(f"$ nvcc -c kernel.cu\n{message}\n") == cause


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
    ("version", "cause"), [("`9020`", "toolkit-mismatch"), ("unset", "unknown")]
)
def test_cudarc_knows_toolkits_by_the_number_of_the_header(version: str, cause: str):
    text = f"cudarc-0.12.1/build.rs:54:14:\nUnsupported cuda toolkit version: {version}. Please\n"
    assert ruled(f"GPU: RTX 3090\n{text}") == cause


HEADERS = """Cuda compilation tools, release 9.0, V9.0.176
{file}({line}): error: argument of type "void *" is incompatible with parameter of type "int *"
"""


@pytest.mark.parametrize(
    ("file", "cause"),
    [
        ("/usr/lib/gcc/x86_64-linux-gnu/6/include/avx512vlintrin.h", "toolkit-mismatch"),
        ("/home/user/src/my_intrin.h", "unknown"),
    ],
)
def test_nvcc_stumbles_over_the_compilers_own_headers(file: str, cause: str):
    assert ruled(HEADERS.format(file=file, line=42)) == cause


UNDEFINED = "OSError: /opt/lib/mpi_lib.so: undefined symbol: {}\nCUDA 9.0, TensorFlow 1.8.0\n"


def test_a_newer_compiler_asks_the_run_time_for_what_it_lacks():
    assert ruled(UNDEFINED.format("__cudaPopCallConfiguration")) == "toolkit-mismatch"
    assert ruled(UNDEFINED.format("__cudaUnregisterFatBinary")) != "toolkit-mismatch"


@pytest.mark.parametrize(
    "text",
    [
        "MIG: it said insufficient permissions, with sudo it works.",
        "You do not have sufficient permissions to enable MIG mode.",
        "The MIG manager's pod has insufficient permissions to label the node.",
        "The service account has insufficient permissions on the managed instance group (MIG).",
        "Not a MIG problem: insufficient permissions to write the log.",
        "The CDI spec does not include /dev/nvidia-modeset, which CUDA does not need.",
        "WSL environment detected but no adapters were found means an old driver of Windows.",
        "nvidia-container-cli: version 1.14.3",
        "nvidia-container-cli: 1.14.3, libnvidia-container 1.14.3",
        (
            "bar.cpp:3: error: exception specification is incompatible with that of previous\n"
            'function "bar" (declared at line 12 of bar.h)'
        ),
        "GPU: Tesla K80\n$ docker run nvcr.io/nvidia/tritonserver:22.07-py3-sdk perf_analyzer",
        "GPU: Tesla K80\n$ docker run nvcr.io/nvidia/tritonserver:22.07-cpu-only-py3",
    ],
)
def test_words_of_the_same_shape_mean_less(text: str):
    assert ruled(f"{text}\n") == "unknown"


def test_the_functions_of_glibc_are_told_in_the_line_below():
    text = "h.h(2556):\nerror: exception specification is incompatible with that of previous\n"
    assert ruled(text + 'function "cospi" (declared at line 79 of\n') == "toolkit-mismatch"


def test_versions_of_the_toolkit_and_torch_behind_their_message_are_read():
    told = "('The detected CUDA version (%s) mismatches the version that was used to compilePyTorch"
    assert ruled(f"{told} (%s). Use the same.', '11.3', '12.8')") == "toolkit-mismatch"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("You are using ptxas 8.x, but TF requires ptxas 9.x (and strongly prefers >= 11.1).",
         "toolkit-mismatch"),
        ("You are using ptxas 10.1.243, which is older than 11.1.", "toolkit-mismatch"),
        ("You are using ptxas 9.x, as TF requires.", "unknown"),
    ],
)  # fmt: skip
def test_tensorflow_names_the_ptxas_that_it_finds(line: str, cause: str):
    assert ruled(line) == cause


CHECKED = "-- Check for working CUDA compiler: /usr/local/cuda/bin/nvcc -- {}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (CHECKED.format("broken"), "toolkit-mismatch"),
        (CHECKED.format("works"), "unknown"),
        (
            f"{CHECKED.format('broken')}nvcc fatal   : Unsupported gpu architecture 'compute_90'\n",
            "gpu-too-new",  # nvcc itself says why
        ),
    ],
)
def test_cmake_finds_an_nvcc_that_compiles_nothing(text: str, cause: str):
    assert ruled(text) == cause


REFUSED = "CUDA toolkit: 13.2\nBuilding with cargo fails: {}\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "build.rs panics because 13.2 is a toolkit version it does not support.",
            "toolkit-mismatch",
        ),
        ("the build script does not support CUDA toolkit 13.2", "toolkit-mismatch"),
        ("the build script says unsupported CUDA version 13.2", "toolkit-mismatch"),
        ("the build script of 0.19.3 finds CUDA toolkit 13.2", "unknown"),
        ("the build script does not support cross-compiling", "unknown"),
    ],
)
def test_a_build_script_does_not_know_the_toolkit(told: str, cause: str):
    assert ruled(REFUSED.format(told)) == cause


REFUSED_PTXAS = (
    "F external/local_xla/xla/service/gpu/nvptx_compiler.cc:619] ptxas returned an error during "
    "compilation of ptx to sass: 'INTERNAL: ptxas {} has a bug that we think can affect XLA. "
    "Please use a different version.'"
)


def test_the_one_ptxas_that_xla_refuses_is_named():
    found = finding(REFUSED_PTXAS.format("12.3.103"))
    assert found.severity is Severity.ERROR
    assert "12.3.103" in found.title
    assert ruled(REFUSED_PTXAS.format("12.3.103")) == "toolkit-mismatch"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("nvcc fatal   : Unknown option 'std'", "toolkit-mismatch"),
        ("nvcc fatal   : Unknown option 'stdlib'", "unknown"),
    ],
)
def test_an_nvcc_of_before_the_option_for_the_language(line: str, cause: str):
    assert ruled(f"{line}\ng++: error: roi.cu.o: No such file or directory") == cause
