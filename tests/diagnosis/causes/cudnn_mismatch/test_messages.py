"""cuDNN of a version that does not fit, and what only looks like it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

PADDLE_CUDNN = (
    "device: 0. The installed Paddle is compiled with CUDNN 8.1, but CUDNN version in your machine"
    " is 7.6, which may cause serious incompatible bug."
)
OUTDATED = (
    "Outdated cuDNN installation found.\nVersion JAX was built against: 90101\n"
    "Minimum supported: {:>12}\nInstalled version: {:>12}"
)
CONVOLUTION = "Error while calling cudnnSetConvolution2dDescriptor(handle, padding_y) in file dlib"
REFUSED = ". code: 3, reason: CUDNN_STATUS_BAD_PARAM"
TENSOR = "Error while calling cudnnSetTensor4dDescriptor(handle, CUDNN_TENSOR_NCHW) in file dlib"
OPENCV = (
    "cuDNN reports version 8201 which does not match with the version 8000 with which OpenCV was"
    " built"
)
CUDNN = "Loaded cudnn library: {} but source was compiled against {}."
CUDNN_PARTS = (
    "python: symbol lookup error: /opt/env/nvidia/cudnn/lib/libcudnn_cnn_infer.so.8: undefined "
    "symbol: _ZN15TracebackLoggerC1EPKc, version libcudnn_ops_infer.so.8"
)
NOT_LINKED = (
    "Could not load library libcudnn_cnn_train.so.8. Error: /opt/cuda/libcudnn_cnn_train.so.8: "
    "symbol _ZN10cask_cudnn2kr8isAmpereEv, version libcudnn_cnn_infer.so.8 not defined in file "
    "libcudnn_cnn_infer.so.8 with link time reference"
)
WINDOWS = (
    'OSError: [WinError 127] The specified procedure could not be found. Error loading "C:\\env\\'
    'nvidia\\cudnn\\bin\\cudnn_{}64_8.dll" or one of its dependencies.'
)


def lacks_member(says: str) -> str:
    """What a compiler says of a struct of cuDNN's, each in its words."""
    return "conv.cu(45): " + says.format("cudnnConvolutionBwdDataAlgoPerf_t", "determinism")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("cuDNN compiled (7102) and runtime (7005) versions mismatch", "cudnn-mismatch"),
        (
            "cuDNN 9.10.0 had a binary backward-compatibility issue due to reordered enum values",
            "cudnn-mismatch",
        ),
        (
            "cuDNN < 9.10.0 (90800 found) had an issue that caused some multi-GPU matmuls",
            "cudnn-mismatch",
        ),
        (PADDLE_CUDNN, "cudnn-mismatch"),
        (OUTDATED.format(9100, 8902), "cudnn-mismatch"),
        (
            "conv.c:153:13: error: 'CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT' undeclared",
            "cudnn-mismatch",
        ),
        (
            lacks_member("error: \u2018struct {}\u2019 has no member named \u2018{}\u2019"),
            "cudnn-mismatch",
        ),
        (lacks_member('error: class "{}" has no member "{}"'), "cudnn-mismatch"),
        (lacks_member("error: no member named '{1}' in '{0}'"), "cudnn-mismatch"),
        (lacks_member("error C2039: '{1}': is not a member of '{0}'"), "cudnn-mismatch"),
        ("conv.cpp:3:1: error: 'cudnnMathType_t' does not name a type", "cudnn-mismatch"),
        (
            "conv.c:133:5: error: too many arguments to function 'cudnnSetFilter4dDescriptor'",
            "cudnn-mismatch",
        ),
        (CONVOLUTION + REFUSED, "cudnn-mismatch"),
        (TENSOR + REFUSED, "unknown"),
        ("could not set cudnn filter descriptor: CUDNN_STATUS_BAD_PARAM", "cudnn-mismatch"),
        ("RuntimeError: cuDNN error: CUDNN_STATUS_BAD_PARAM", "unknown"),
        (
            (
                "These bindings are for CUDNN 5.x (5005 <= cudnn.version > 6000) , "
                "while the loaded CuDNN is version: 4007\n"
            ),
            "cudnn-mismatch",
        ),
        (OPENCV + "\n", "cudnn-mismatch"),
        (CUDNN.format("4007", "4004"), "cudnn-mismatch"),
        (CUDNN.format("5005 (compatibility version 5000)", "4007"), "cudnn-mismatch"),
        (CUDNN_PARTS, "cudnn-mismatch"),
        (NOT_LINKED, "cudnn-mismatch"),
        (WINDOWS.format("adv_infer"), "cudnn-mismatch"),
        (
            'x.cu(8): error: argument of type "cudnnAddMode_t" is incompatible with parameter',
            "cudnn-mismatch",
        ),
        ("Could not load symbol cudnnGetVersion", "cudnn-mismatch"),
        ("GPU: RTX 3060\n_ext undefined symbol with a pytorch of my own", "unknown"),
        ("Check failed: [cudnn init] libcudnn v5 with header v7 unmatched!", "cudnn-mismatch"),
        (
            (
                "UserWarning: Plan failed with a cudnnException:"
                " CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: cudnn_status: CUDNN_STATUS_NOT_SUPPORTED"
            ),
            "unknown",
        ),
        ("libcudnn v7 with header v7 matched", "unknown"),
        (
            (
                "The installed Paddle is compiled with CUDNN 7.6, but CUDNN version in your "
                "machine is 7.3, which may cause serious incompatible bug.\n"
                "ExternalError: Cudnn error, CUDNN_STATUS_BAD_PARAM"
            ),
            "cudnn-mismatch",
        ),
        (
            (
                "The installed Paddle is compiled with CUDNN 8.2, but CUDNN version in "
                "your machine is 8.9"
            ),
            "unknown",
        ),
        (
            (
                "These bindings are for CUDNN 5.x (5005 <= cudnn.version > 6000) , while the "
                "loaded CuDNN is version: 6021\n"
            ),
            "cudnn-mismatch",
        ),
        (
            (
                "#0: NVIDIA Tesla K20, compute cap.: 3.5, stat: compatible\n"
                "#1: NVIDIA GeForce GT 630, compute cap.: 2.1, stat: incompatible\n"
                "Cannot run on GPU ids 1, because those GPUs are not compatible.\n"
            ),
            "unknown",
        ),
    ],
)
def test_cudnn_of_another_version_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        PADDLE_CUDNN.replace("8.1", "7.6"),
        "conv.c:9:3: error: 'LIMIT' undeclared; cudnnGetConvolutionForwardAlgorithm runs",
        "conv.cpp:9:3: error: 'struct Layer' has no member named 'determinism' // cudnnAlgoPerf_t",
        "conv.cpp:3:1: error: 'cudnnHandle_t' does not name a type",  # no header of cuDNN at all
        (
            "Installed CUDA version 11.8 does not match the version torch was compiled with 12.1."
            "Detected `DS_SKIP_CUDA_CHECK=1`: Allowing this combination of CUDA"
        ),
    ],
)
def test_kin_of_cudnn_of_another_version_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


DNN = (
    "jaxlib.xla_extension.XlaRuntimeError: FAILED_PRECONDITION: DNN library initialization "
    "failed. Look at the errors above for more details.\n"
)
UV = (
    "The package `jax-cuda12-plugin` requires `nvidia-cudnn-cu12>=9.8,<10.0 ; extra == "
    "'with-cuda'`, but `{there}` is installed\n"
)
PIP = (
    "torch 2.6.0 requires nvidia-cudnn-cu12==9.1.0.70, but you have nvidia-cudnn-cu12 {there} "
    "which is incompatible.\n"
)


def test_a_package_demands_a_newer_cudnn_and_cudnn_does_not_start():
    assert ruled(UV.format(there="9.1.0.70") + DNN) == "cudnn-mismatch"
    assert ruled(PIP.format(there="8.9.7.29") + DNN) == "cudnn-mismatch"


NOTHING = "unknown", "healthy"


def test_a_newer_cudnn_than_demanded_or_nothing_that_fails():
    assert ruled(PIP.format(there="9.8.0.87") + DNN) != "cudnn-mismatch"
    assert ruled(UV.format(there="9.1.0.70")) in NOTHING


OPENCV_CHECKS = (
    "checkVersions cuDNN reports version 8.0 which is not compatible with the version {} with"
)


@pytest.mark.parametrize(("built", "cause"), [("8.2", "cudnn-mismatch"), ("n/a", "unknown")])
def test_opencv_refuses_an_older_cudnn(built: str, cause: str):
    assert ruled(f"{OPENCV_CHECKS.format(built)} which OpenCV was built\n") == cause


PARTS = """RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED
$ cd /usr/local/cuda/lib64 && ls libcudnn*
libcudnn.so.8.9.2 libcudnn_ops_infer.so.8.9.2 libcudnn_cnn_infer.so.{part}
"""


def test_the_files_of_cudnn_are_of_two_releases():
    assert ruled(PARTS.format(part="8.6.0")) == "cudnn-mismatch"
    assert ruled(PARTS.format(part="8.9.2")) == "oom-workload"
    both = PARTS.format(part="8.6.0 libcudnn_cnn_infer.so.8.9.2")  # an older one was left behind
    assert ruled(both) == "oom-workload"


JAX = """jax                       0.4.31
jaxlib                    0.4.31
jax-cuda12-plugin         0.4.31
nvidia-cudnn-cu12         {cudnn}
jaxlib.xla_extension.XlaRuntimeError: FAILED_PRECONDITION: DNN library initialization failed.
"""


@pytest.mark.parametrize(
    ("cudnn", "cause"), [("8.9.2.26", "cudnn-mismatch"), ("9.3.0.75", "oom-preallocation")]
)
def test_pip_has_an_older_cudnn_than_jax_asks_for(cudnn: str, cause: str):
    assert ruled(JAX.format(cudnn=cudnn)) == cause


PIECE = """Could not load library libcudnn_adv_train.so.8. Error: /opt/cuda/lib64/{asking}: symbol \
{symbol}, version libcudnn_ops_infer.so.8 not defined in file libcudnn_ops_infer.so.8 with link \
time reference
"""


@pytest.mark.parametrize(
    ("asking", "symbol", "cause"),
    [
        ("libcudnn_ops_train.so.8", "_Z19cudnnReorderFilterRKi", "cudnn-mismatch"),
        ("libcudnn_ops_train.so.8", "_ZN5cudnn3ops10SetTensorEv", "cudnn-mismatch"),
        ("libcudnn_ops_train.so.8", "_Z12cublasLtThingi", "unknown"),
    ],
)
def test_parts_of_cudnn_miss_functions_of_their_own(asking: str, symbol: str, cause: str):
    assert ruled(PIECE.format(asking=asking, symbol=symbol)) == cause


def test_another_library_that_asks_is_no_part_of_cudnn():
    other = CUDNN_PARTS.replace("libcudnn_cnn_infer.so.8: u", "libtorch_cuda.so: u")
    assert ruled(other) != "cudnn-mismatch"


@pytest.mark.parametrize(
    ("where", "cause"),
    [("cudnn.hpp:128", "cudnn-mismatch"), ("layer.cpp:128", "unknown")],
)
def test_caffes_header_only_describes_layers(where: str, cause: str):
    failed = "Check failed: status == CUDNN_STATUS_SUCCESS (3 vs. 0)  CUDNN_STATUS_BAD_PARAM"
    assert ruled(f"F0101 10:00:00.000000  15 {where}] {failed}\n") == cause


_LINKED = "The header is from one version, but we link with a different version"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("Mixed dnn version. The header is version 5005 while the library is version 5110.", True),
        (f"Mixed dnn version. {_LINKED} (6021, 5005)", True),
        ("Version is too old. Update to v5, was 4004.", True),
        ("Version is too old. Update to v5.", False),
    ],
)
def test_theano_compiles_with_another_cudnn_than_it_loads(pasted: str, cause: bool):
    assert ruled(pasted) == ("cudnn-mismatch" if cause else "unknown")


SOUGHT = "Could not load dynamic library 'libcudnn.so.8'; dlerror: libcudnn.so.8: cannot open it"


@pytest.mark.parametrize(
    ("named", "cause"),
    [
        ("$ ls\nlibcudnn.so.7", "cudnn-mismatch"),
        ("cudnn64_7.dll is there", "cudnn-mismatch"),
        ("cuDNN 7.6.5 here and cuDNN 7.5 there", "cudnn-mismatch"),
        ("cuDNN 7.6 here and cuDNN 8.1 there", "cudnn-missing"),
        ("cuDNN 6.0 here and cuDNN 7.6 there", "cudnn-missing"),
        ("it needs cuDNN 7", "cudnn-missing"),
        ("Could not load library cudnn64_7.dll", "cudnn-missing"),
        ("cudnn-10.1-windows10-x64-v7.6.5.32.zip", "cudnn-missing"),
    ],
)
def test_a_text_names_another_cudnn_only(named: str, cause: str):
    assert ruled(f"{named}\n{SOUGHT}\n") == cause


def test_a_cudnn_that_is_only_named_is_not_called_installed():
    named = finding(f"cudnn64_7.dll is there\n{SOUGHT}\n")
    assert named.title.endswith("; the text speaks of cuDNN 7")
    assert named.confidence.value == "likely"
    assert finding(f"I have cuDNN 7.6\n{SOUGHT}\n").title.endswith("; installed is cuDNN 7")


OPENCV = "cuDNN reports version {} which is not compatible with the version {} with which OpenCV\n"
TF_OTHER = "Loaded runtime CuDNN library: 8.0.5 but source was compiled with: 8.1.0."


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (OPENCV.format("90.1", "9.1"), "unknown"),  # it is 9.1
        (OPENCV.format("8.6", "9.1"), "cudnn-mismatch"),
        (OPENCV.format("90.1", "8.9"), "cudnn-mismatch"),
        (f"{TF_OTHER}\n{OPENCV.format('90.1', '9.1')}", "cudnn-mismatch"),
        (OPENCV.format("8.6", "9.1") + OPENCV.format("90.1", "9.1"), "cudnn-mismatch"),
    ],
)
def test_opencv_misreads_the_number_of_cudnn_9(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("reported", "built", "loaded"),
    [
        ("90.1", "8.9", "9.1"),
        ("91.0", "8.9", "9.10"),
        ("90.1", "9.3", "9.1"),
        ("8.6", "9.1", "8.6"),
    ],
)
def test_the_cudnn_that_opencv_means_is_named(reported: str, built: str, loaded: str):
    title = finding(OPENCV.format(reported, built)).title
    assert title == f"cuDNN {loaded} is loaded, the program is made for {built}"


def test_a_later_minor_of_cudnn_9_serves_opencv():
    assert ruled(OPENCV.format("91.0", "9.1")) == "unknown"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("*** Found cuDNN, but it looks like the wrong version so dlib", "cudnn-mismatch"),
        ("*** Since cuDNN is not found DLIB WILL NOT USE CUDA. ***", "cudnn-missing"),
    ],
)
def test_dlib_takes_no_such_cudnn(line: str, cause: str):
    assert ruled(line) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "run time error: could not find cudnnConvolutionBackwardData_v2 in cudnn DSO",
            "cudnn-mismatch",
        ),
        (
            (
                "ImportError: /usr/lib/libcudnn.so.7: version `libcudnn.so.7' not found "
                "(required by /a/_dlib.so)"
            ),
            "cudnn-mismatch",
        ),
        (
            (
                "ImportError: /usr/lib/libsound.so.7: version `libsound.so.7' not found "
                "(required by /a/_x.so)"
            ),
            "unknown",
        ),
        ("cudnnGetVersion() : 7102 , CUDNN_VERSION from cudnn.h : 7401 (7.4.1)", "cudnn-mismatch"),
        ("cudnnGetVersion() : 7401 , CUDNN_VERSION from cudnn.h : 7401 (7.4.1)", "unknown"),
    ],
)
def test_a_cudnn_that_is_another_inside_or_lacks_a_function(text: str, cause: str):
    assert ruled(text) == cause


TF_OLD = "Loaded runtime CuDNN library: 7402 (compatibility version 7400) but source was compiled "
TF_OLD += "with 7003 (compatibility version 7000).\n"


@pytest.mark.parametrize(
    ("machine", "line", "cause"),
    [
        ("GeForce 820M, TensorFlow 1.5", TF_OLD, "cudnn-mismatch"),
        ("Quadro K1000M, tensorflow-gpu 1.5", TF_OLD, "cudnn-mismatch"),
        ("GeForce 820M, TensorFlow 1.5", "Check failed: stream->parent()", "gpu-too-old"),
    ],
)
def test_a_gpu_for_which_tensorflow_asks_for_cudnn_is_not_too_old(
    machine: str, line: str, cause: str
):
    assert ruled(f"Windows 10, GPU {machine}\n{line}") == cause


@pytest.mark.parametrize(
    ("release", "cause"),
    [("7.4.2", "cudnn-mismatch"), ("7.0.5", "library-path-conflict")],
)
def test_the_package_whose_cudnn_is_loaded_is_no_other_copy(release: str, cause: str):
    assert ruled(f"cudnn=={release}\n{TF_OLD}") == cause
