"""cuDNN that is missing, and what only looks like it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding
from support.texts import WHERE_OF_WINDOWS

NOT_CREATED = (
    "[W:onnxruntime:Default, onnxruntime_pybind_state.cc:541 CreateExecutionProviderInstance]"
    " Failed to create CUDAExecutionProvider. Please reference the requirements"
)
NO_FILE = "libcudnn_cnn_train.so.8: cannot open shared object file: No such file or directory"
# -- CUDA_VISIBLE_DEVICES below the start of CUDA ------------------------------------------------
START = "torch.cuda.is_available()"
SETS = 'os.environ["CUDA_VISIBLE_DEVICES"] = '
BELOW = f'{START}\n{SETS}"1"\n'
CUDNN = "libcudnn_ops_infer.so.8"
NOT_OPENED = ": cannot open shared object file: No such file or directory"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "Error: Cannot load cudnn shared library. Cannot invoke method cudnnGetVersion at (x)",
            "cudnn-missing",
        ),
        ("Cannot load the shared library of the model. Cannot invoke method run", "unknown"),
        ("[w 0321 compile_extern.py:130] CUDA found but cudnn is not loaded:", "cudnn-missing"),
        (
            "UserWarning: cuDNN/MIOpen library not found. Check your LD_LIBRARY_PATH",
            "cudnn-missing",
        ),
        (NOT_CREATED, "cudnn-missing"),
        ("FileNotFoundError: Could not find: cudnn64_8.dll. Is it on your PATH?", "cudnn-missing"),
        ("ImportError: libcudnn.so.6 cannot open shared object file", "cudnn-missing"),
        ("/usr/local/cuda/lib64/libcudnn.so.6: file too short", "cudnn-missing"),
        ("/opt/app/libfoo.so.6: file too short", "unknown"),
        ("OSError: /opt/cuda/lib64/libcudnn.so.8: invalid ELF header", "cudnn-missing"),
        (
            "-rw-r--r-- 1 root root 0 Oct 19  2020 /usr/local/cuda/lib64/libcudnn.so.8",
            "cudnn-missing",
        ),
        ("-rw-r--r-- 1 root root 981 Oct 19  2020 /usr/local/cuda/lib64/libcudnn.so.8", "unknown"),
        ("lrwxrwxrwx 1 root root 0 Oct 19  2020 /x/libcudnn.so -> libcudnn.so.8", "unknown"),
        ("E: Unable to locate package libcudnn8", "cudnn-missing"),
        ("It looks for cudnn64_8.dll, which is not there.", "cudnn-missing"),
        ("It looks for cudnn64_8.dll, which is there.", "unknown"),
        (NO_FILE, "cudnn-missing"),
        ("cudnn/ffi.lua:1278: 'libcudnn (R4) not found in library path.", "cudnn-missing"),
        ("Dlib requires cuDNN. Since cuDNN is not found DLIB WILL NOT USE CUDA.", "cudnn-missing"),
        ("DLIB WILL NOT USE CUDA", "unknown"),
        ("/usr/bin/ld: cannot find -lcudnn", "cudnn-missing"),
        ("/usr/bin/ld: cannot find -lcrypto", "unknown"),
        (" libcudnn (R5) not found in library path.", "cudnn-missing"),
        ("ERROR: This functionality is unavailable as CUDNN is missing.", "cudnn-missing"),
        ("Invalid handle. Cannot load symbol cudnnGetVersion", "cudnn-missing"),
        (f"{BELOW}Could not load library {CUDNN}. Error: {CUDNN}{NOT_OPENED}", "cudnn-missing"),
        # The linker speaks many languages.
        ("/usr/bin/ld: ne peut trouver -lcudnn", "cudnn-missing"),
        ("/usr/bin/ld: 找不到 -lcudnn", "cudnn-missing"),
        ("/usr/bin/ld: -lcudnn kann nicht gefunden werden", "cudnn-missing"),
        (
            "/usr/bin/ld: skipping incompatible /opt/libcudnn.so when searching for -lcudnn",
            "unknown",
        ),
        ("g++ -o main main.o -L/opt -lcudnn", "unknown"),
    ],
)
def test_cudnn_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


SEES = ">>> torch.cuda.is_available()\nTrue\n"


@pytest.mark.parametrize(
    "text",
    [
        "Image library not found. Check your PATH",
        NOT_CREATED + "\nI have installed cuda toolkit==12.1 and cudnn ==8.8.1",
        "FileNotFoundError: Could not find: settings.dll. Is it on your PATH?",
        "libcudnn.so.6 opens a shared object file",
        "cudnn64_8.dll missing? No, it is there.\n" + SEES,
        (
            "The warning that CUDA runtime library libcudnn.so.8 was loaded from a system path is "
            "gone.\n"
        ),
    ],
)
def test_kin_of_cudnn_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_julia_offers_a_package_of_that_name():
    offered = "Package cuDNN not found, but a package named cuDNN is available from a registry.\n"
    assert ruled(offered) == "unknown"
    assert ruled("CMake Warning: cuDNN not found\n") == "cudnn-missing"


JULIA = """julia> using CUDA
julia> {first}
{gave}
"""


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ("ERROR: UndefVarError: `libcudnn` not defined", "cudnn-missing"),
        ("Error: cuDNN is not available for your platform (x86_64-linux-gnu)", "cudnn-missing"),
        ("ERROR: UndefVarError: `libfoo` not defined", "healthy"),
    ],
)
def test_cudnn_of_julia_lacks_its_library(message: str, cause: str):
    shown = JULIA.format(first="x = CUDA.rand(4)", gave="4-element CuArray{Float32, 1}:")
    assert ruled(f"{shown}\njulia> softmax(x)\n{message}\n") == cause


DNN = (
    "tensorflow.python.framework.errors_impl.UnimplementedError: Graph execution error:\n"
    "DNN library is not found.\n"
)
SOUGHT = "root@3b1c:/# find / -name 'libcudnn*' 2>/dev/null\n{found}root@3b1c:/#\n"


def test_tensorflow_finds_no_cudnn_and_nobody_else_does():
    assert ruled("tensorflow 2.9.1\n" + DNN + SOUGHT.format(found="")) == "cudnn-missing"
    there = "/usr/lib/x86_64-linux-gnu/libcudnn.so.8\n"
    assert ruled("tensorflow 2.9.1\n" + DNN + SOUGHT.format(found=there)) != "cudnn-missing"


OF_XLA = "jaxlib.xla_extension.XlaRuntimeError: UNIMPLEMENTED: DNN library is not found.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("GPU: RTX 3090, CUDA 11.8\n" + OF_XLA, "cudnn-missing"),
        ("GPU: RTX 2060, cudnn 8.0.5\n" + OF_XLA, "cudnn-mismatch"),
        ("** (RuntimeError) DNN library is not found.\n    (exla 0.4.0) lib/exla", "cudnn-missing"),
        ("INVALID_ARGUMENT: No DNN in stream executor. [Op:Conv2D]", "cudnn-missing"),
        (
            "Could not create cudnn handle: CUDNN_STATUS_INTERNAL_ERROR\n" + OF_XLA,
            "oom-preallocation",
        ),
        ("import jax\nimport tensorflow as tf\n" + OF_XLA, "oom-preallocation"),
    ],
)
def test_xla_has_no_cudnn_to_call(text: str, cause: str):
    assert ruled(text) == cause


LINKED = """tensorflow-gpu 1.4.0, CUDA 8.0, Windows 10
OSError: [WinError 126] The specified module could not be found
{named}"""
NAMED = (
    "ImportError: Could not find 'cudnn64_6.dll'. TensorFlow requires that this DLL be installed in"
    " a directory that is named in your %PATH% environment variable."
)


@pytest.mark.parametrize(("named", "cause"), [(NAMED, "cudnn-missing"), ("", "cudart-missing")])
def test_windows_misses_a_file_that_tensorflow_names(named: str, cause: str):
    assert ruled(LINKED.format(named=named)) == cause


OPENED = "Successfully opened dynamic library lib{}.so.11\n"
SKIPPED = "Skipping registering GPU devices...\n"
LIBRARIES = ("cudart", "cublas", "cufft", "curand", "cusolver", "cusparse")


@pytest.mark.parametrize(
    ("opened", "cause"),
    [
        (LIBRARIES, "cudnn-missing"),
        ((*LIBRARIES[:2], *LIBRARIES[3:], "cudnn"), "cublas-missing"),
        (LIBRARIES[:3], "unknown"),
    ],
)
def test_tensorflow_opens_all_of_its_libraries_but_one(opened: tuple[str, ...], cause: str):
    assert ruled("".join(map(OPENED.format, opened)) + SKIPPED) == cause


NOWHERE = "INFO: Could not find files for the given pattern(s)."
TOOLKIT_9 = "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v9.0\\bin\\"


@pytest.mark.parametrize(
    ("cudart", "cudnn", "cause"),
    [
        (TOOLKIT_9 + "cudart64_90.dll", NOWHERE, "cudnn-missing"),
        (NOWHERE, TOOLKIT_9 + "cudnn64_7.dll", "cudart-missing"),
    ],
)
def test_where_finds_one_library_and_not_another(cudart: str, cudnn: str, cause: str):
    assert ruled(WHERE_OF_WINDOWS.format(cudart=cudart, cudnn=cudnn)) == cause


def test_where_finds_no_cudnn_and_was_asked_for_nothing_else():
    text = """tensorflow-gpu 1.15.0
ImportError: DLL load failed: The specified module could not be found.
C:\\>where {file}
INFO: Could not find files for the given pattern(s).
"""
    assert ruled(text.format(file="cudnn64_7.dll")) == "cudnn-missing"
    assert ruled(text.format(file="python.exe")) != "cudnn-missing"


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ('Apart from "latest", the images contain no libcudnn.so.8.', "cudnn-missing"),
        ("The container has no libcudnn.so.9", "cudnn-missing"),
        ("This image lacks libcudnn.so.8, it seems.", "cudnn-missing"),
        ("The images contain libcudnn.so.8.", "unknown"),
        ("The image contains no libcuda.so.1, as it should be.", "unknown"),
    ],
)
def test_somebody_says_which_file_an_image_lacks(sentence: str, cause: str):
    assert ruled(f"GPU: NVIDIA GeForce RTX 3080\n{sentence}\n") == cause


@pytest.mark.parametrize(
    ("name", "cause"),
    [("cudnn", "cudnn-missing"), ("cublas", "cublas-missing"), ("hdf5", "unknown")],
)
def test_julia_names_the_library_that_it_did_not_find(name: str, cause: str):
    assert ruled(f"Error: Error building `CuArrays`:\nCould not find library '{name}'.\n") == cause


def test_a_dll_in_japanese_quotes_is_missing():
    assert (
        ruled("GTX 970\nCalling cuDNN failed, cannot find 「cudnn64_5.dll」\n") == "cudnn-missing"
    )


def test_file_that_could_not_be_loaded_needs_no_quotation_marks():
    line = "Loadlibrary failed with error 126 when trying to load {}"
    assert ruled(line.format("onnxruntime_providers_cuda.dll")) == "cudnn-missing"
    assert ruled(line.format("it")) != "cudnn-missing"


def test_provider_that_tells_what_it_requires_misses_no_run_time_of_visual_c():
    failed = "Failed to create CUDAExecutionProvider. Require cuDNN 9.* and CUDA 12.*. "
    assert ruled(f"{failed}LoadLibrary failed with error 126") == "cudnn-missing"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("Cannot load the CUDA libraries `libcufft.so.10` or `libcusparse.so.11`.", "cublas"),
        ("TensorFlow 1.11.0 is still looking for cublas 9.0", "cublas"),
        ("it keeps asking for libcudart.so.10.1, though it is there", "cudart"),
        ("it looks for cublas 9.0 first", ""),
        ("I am still looking for the cause", ""),
    ],
)
def test_library_that_a_sentence_says_is_sought_is_missing(told: str, cause: str):
    assert ruled(told) == (f"{cause}-missing" if cause else "unknown")


@pytest.mark.parametrize(
    ("needed", "cause"), [("cudnn64_9.dll", "cudnn-missing"), ("banana64_9.dll", "unknown")]
)
def test_a_sentence_tells_what_a_provider_looks_for(needed: str, cause: str):
    told = "The dependency that onnxruntime_providers_cuda.dll looks for and cannot find is"
    assert ruled(f"{told} {needed}.\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "I tensorflow/stream_executor/cuda/cuda_dnn.cc:100] unable to load cuDNN DSO.",
            "cudnn-missing",
        ),
        (
            (
                "F cuda_dnn.cc:1] Check failed: s.ok() could not find cudnnCreate in cudnn DSO; "
                "dlerror: x"
            ),
            "cudnn-missing",
        ),
        ("Missing libcudnn_ops_infer.so.8 in the cuda version of the image", "cudnn-missing"),
        ("libcudnn.so.8 not found", "cudnn-missing"),
        ("libsound.so.8 not found", "unknown"),
    ],
)
def test_tensorflows_own_words_for_a_cudnn_that_did_not_load(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("part", "file", "cause"),
    [
        ("libcudnn_cnn_infer.so.8", "libnvrtc.so", "cudnn-missing"),
        ("libcudnn_graph.so.9", "libnvrtc.so.12", "cudnn-missing"),
        ("libcudnn_cnn_infer.so.8", "libcublas.so.11", "cublas-missing"),
        ("libtorch_cuda.so", "libnvrtc.so.12", "cublas-missing"),
    ],
)
def test_cudnn_compiles_by_nvrtc_and_does_not_load_without(part: str, file: str, cause: str):
    assert ruled(f"Could not load library {part}. Error: {file}{NOT_OPENED}\n") == cause


IN_CMAKE = "CMake Error at cmake/gpu.cmake:40 (message):\n  {}\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("Failed to find cuDNN header file, please set environment variable", "cudnn-missing"),
        ("Can not find CuDNN INCLUDE", "cudnn-missing"),
        ("Unable to find cudnn library, set CUDNN_ROOT", "cudnn-missing"),
        ("DNN: CUDA backend requires cuDNN.  Please resolve dependency", "cudnn-missing"),
        ("Failed to find cudnnGetVersion in the driver", "unknown"),
        (
            'Could NOT find cuDNN: Found unsuitable version "7.6", but required is at least "8.0"',
            "cudnn-mismatch",
        ),
        ("cuDNN version >=4 is required.", "cudnn-mismatch"),
        ("cuDNN version >=4 is recommended.", "unknown"),
    ],
)
def test_cmake_finds_no_cudnn(told: str, cause: str):
    assert ruled(IN_CMAKE.format(told)) == cause


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (IN_CMAKE.format("Cannot find cuDNN library."), True),
        ("fatal error: cudnn.h: No such file or directory\n", True),
        ("ERROR: This functionality is unavailable as CUDNN is missing.\n", False),  # Julia's
        ("ImportError: libcudnn.so.8: cannot open shared object file\n", False),
    ],
)
def test_a_build_is_told_of_headers_and_of_its_own_variable(text: str, told: bool):
    fix = finding(text).fix
    assert fix is not None
    assert ("CUDNN_HOME" in fix.text) is told


def test_a_build_tells_the_least_cudnn_that_it_takes():
    refused = 'Could NOT find CUDNN: Found unsuitable version "7.6.5", but required is at least "8"'
    found = finding(IN_CMAKE.format(refused))
    assert found.title == "A build takes no cuDNN before 8, and found 7.6.5"
    assert found.fix is not None
    assert "cuDNN 8 for the CUDA in use" in found.fix.text
