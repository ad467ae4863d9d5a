"""A build without CUDA, as TensorFlow tells of it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

WINDOWS = "TensorFlow version: {}\nOS: {}\nGPU model and memory: RTX 3060 12 GB\n{}"
UNPLACED = (
    "Could not satisfy explicit device specification '/device:GPU:0' because no devices matching "
    "that specification are registered in this process; available devices: "
    "/job:localhost/replica:0/task:0/{}"
)
NO_GPU_JAX = "WARNING: No GPU/TPU found, falling back to CPU.\n"
NONE_KNOWN = "GPU: no known devices\n"
NO_GPU = "Device mapping: no known devices.\n"
BUILT = (
    ">>> tf.test.is_built_with_cuda()\n{}\n"
    "tensorflow                2.15.0          cuda120py311h5cbd639_1    conda-forge\n"
    "tensorflow-base           2.15.0          cuda120py311h43b5e44_1    conda-forge\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (WINDOWS.format("2.16", "Windows 11", ""), "cpu-only-build"),
        (
            (
                "TensorFlow version\n2.18.0\n\nOS platform and distribution\nWindows 11\n"
                "GPU model and memory\nRTX 4080\n"
            ),
            "cpu-only-build",
        ),
        ("tensorflow-cpu==1.15.0\n" + UNPLACED.format("cpu:0"), "cpu-only-build"),
        (
            "pip install keras_vggface is uninstalling my tensorflow-gpu and installing tensorflow",
            "cpu-only-build",
        ),
        ("I uninstalled tensorflow and installed tensorflow-gpu", "unknown"),
        ("Does pip replace my tensorflow-gpu with tensorflow?", "unknown"),
        (
            NO_GPU_JAX
            + ">>> tf.config.list_physical_devices('GPU')\n"
            + "[PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]",
            "cpu-only-build",
        ),
        (NONE_KNOWN + "tensorflow-1.0.0 (https://pypi.org/project/tensorflow)", "cpu-only-build"),
        ("tf.test.is_built_with_cuda returns False", "cpu-only-build"),
        (NO_GPU + "tensorflow 1.0.1\nUsing gpu device 0: GeForce GTX 1070", "cpu-only-build"),
        ("Using gpu device 0: GeForce GTX 1070 (CNMeM is disabled)", "healthy"),
        (BUILT.format("False"), "cpu-only-build"),
        (BUILT.format("True"), "unknown"),
        ("pip took my tensorflow-gpu away and put tensorflow in its place.\n", "cpu-only-build"),
        ("It uninstalled tensorflow-gpu and installed plain tensorflow\n", "cpu-only-build"),
        ("It removed tensorflow-gpu and installed tensorflow-gpu 2.4\n", "unknown"),
        ("I removed tensorflow-gpu and installed tensorflow\n", "unknown"),
    ],
)
def test_a_build_without_cuda_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        WINDOWS.format("2.10.1", "Windows 11", ""),  # the last release with a GPU there
        WINDOWS.format("2.16", "Ubuntu 22.04", ""),
        WINDOWS.format("2.16", "Windows 11 (WSL2)", ""),
        WINDOWS.format("2.16", "Windows 11", "Torch: 2.3.0"),  # which of the two is it about?
        "TensorFlow version: 2.16\nOS: Windows 11\n",  # nobody speaks of a GPU
        "TensorFlow version\n\n\n2.18.0\n",
        "config.json -> not found",
        "tensorflow-1.0.0 (https://pypi.org/project/tensorflow-serving-api)",
        "tf.test.is_built_with_cuda tells of CUDA",
        "Using gpu device 0: GeForce GTX 1080\nwith TensorFlow the GPU doesn't work",
        NO_GPU + "tensorflow 1.15.1\nUsing gpu device 0: GeForce GTX 1070",
        "Training took 5080 GPU hours",
    ],
)
def test_kin_of_a_build_without_cuda_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


IN_R = """OS: Windows 11
> tensorflow::tf_config()
TensorFlow v2.13.0 (C:\\R\\envs\\r-tensorflow\\Lib\\site-packages\\tensorflow\\__init__.p)
> tf$config$list_physical_devices({kind})
[[1]]
PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')
{more}
"""
SECOND = "[[2]]\nPhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')"


@pytest.mark.parametrize(
    ("kind", "more", "cause"),
    [
        ("", "", "cpu-only-build"),
        ('"CPU"', "", "unknown"),
        ("", SECOND, "healthy"),
    ],
)
def test_the_list_of_devices_as_r_prints_it(kind: str, more: str, cause: str):
    assert ruled(IN_R.format(kind=kind, more=more)) == cause


IMAGES = """$ docker run --gpus all program:1 python3 -c "import tensorflow as tf; \\
print(tf.config.list_physical_devices('GPU'))"
And got back `[]`
$ docker run --gpus all program:1 python3 -c "import tensorflow as tf; \\
print(tf.sysconfig.get_build_info())"
OrderedDict([('is_cuda_build', {cuda}), ('is_rocm_build', False)])
"""


@pytest.mark.parametrize(("cuda", "cause"), [("False", "cpu-only-build"), ("True", "unknown")])
def test_somebody_tells_what_was_got(cuda: str, cause: str):
    assert ruled(IMAGES.format(cuda=cuda)) == cause


OP = """No OpKernel was registered to support Op 'BertTransformer' used by node bert
Registered devices: [{}]
Registered kernels:
  device='{}'; T in [DT_HALF]
  device='GPU'; T in [DT_FLOAT]
"""


@pytest.mark.parametrize(
    ("devices", "first", "cause"),
    [
        ("CPU, XLA_CPU", "GPU", "cpu-only-build"),
        ("CPU, XLA_CPU", "CPU", "unknown"),
        ("CPU, XLA_CPU, XLA_GPU", "GPU", "framework-cuda-mismatch"),
        ("CPU, XLA_CPU, XLA_GPU", "CPU", "unknown"),
        ("CPU, GPU", "GPU", "unknown"),
    ],
)
def test_an_operation_for_gpus_alone_finds_a_tensorflow_for_cpus(
    devices: str, first: str, cause: str
):
    assert ruled(OP.format(devices, first)) == cause


TF_SEES_NO_GPU = "tf.test.is_gpu_available() returns False\n"
LISTED = (
    "$ pip list\n"
    "tensorboard            1.14.0\n"
    "tensorflow             1.14.0\n"
    "tensorflow-estimator   1.14.0\n"
)


@pytest.mark.parametrize(
    "pasted",
    [
        TF_SEES_NO_GPU + LISTED,
        TF_SEES_NO_GPU + "pip install tensorflow==1.14",
        TF_SEES_NO_GPU
        + "installed from binary (pip install tensorflow)\nTensorFlow version: 1.13.1",
    ],
)
def test_tensorflow_of_that_age_has_no_gpu_support_under_its_plain_name(pasted: str) -> None:
    assert ruled(pasted) == "cpu-only-build"


@pytest.mark.parametrize(
    "pasted",
    [
        LISTED,
        TF_SEES_NO_GPU + LISTED.replace("1.14", "1.15"),
        TF_SEES_NO_GPU + LISTED + "tensorflow-gpu         1.14.0\n",
        TF_SEES_NO_GPU + "TensorFlow version: 1.14",
        TF_SEES_NO_GPU + "pip install tensorflow-gpu==1.14",
    ],
)
def test_without_a_sign_of_that_package_this_is_not_said(pasted: str) -> None:
    assert ruled(pasted) != "cpu-only-build"


def test_the_fix_names_the_package_for_gpus_of_that_release() -> None:
    root = gpuprobe.explain(TF_SEES_NO_GPU + LISTED).diagnosis.root
    assert root is not None
    assert root.finding.fix.commands[-1] == "pip install tensorflow-gpu==1.14.0"


GUARD = "tensorflow/core/platform/cpu_feature_guard.cc:140] Your CPU supports instructions\n"
DRIVER = "tensorflow/stream_executor/cuda/cuda_driver.cc:406] kernel version seems to match DSO\n"


@pytest.mark.parametrize(
    ("above", "cause"), [(GUARD, "cpu-only-build"), (GUARD + DRIVER, "unknown"), ("", "unknown")]
)
def test_a_session_begins_without_a_word_of_cuda(above: str, cause: str):
    assert ruled(f"{above}Device mapping: no known devices.\n") == cause


THREADS = (
    "tensorflow/core/common_runtime/process_util.cc:69] Creating new thread pool with default"
    " inter op setting: 2. Tune using inter_op_parallelism_threads for best performance.\n"
)
CARD = "GPU: GeForce GTX 1080\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (CARD + GUARD + THREADS, "cpu-only-build"),
        ("It trains on the CPU.\n" + GUARD + THREADS, "cpu-only-build"),
        (CARD + GUARD + DRIVER + THREADS, "unknown"),  # which is a build for GPUs
        (CARD + THREADS, "unknown"),  # what stands above was left out
        (GUARD + THREADS, "unknown"),  # nobody misses a GPU
    ],
)
def test_a_tensorflow_with_mkl_begins_without_a_word_of_cuda(text: str, cause: str):
    assert ruled(text) == cause


_EIGEN = "tensorflow 2.3.0 mkl_py38h8557ec7_0\ntensorflow-base 2.3.0 eigen_py38h75a453f_0\n"


@pytest.mark.parametrize(
    ("more", "cause"),
    [("tensorflow-gpu 2.3.0 he13fc11_0\n", "cpu-only-build"), ("", "cpu-only-build")],
)
def test_name_tensorflow_gpu_of_conda_makes_no_build_for_the_gpu(more: str, cause: str):
    assert ruled(f"# packages in environment\n{_EIGEN}{more}") == cause


WINDOWS = "OS: Windows 11\nTensorFlow version: {}\nPython version: 3.10.10\n{}\n"


@pytest.mark.parametrize(
    ("release", "told", "cause"),
    [
        ("2.12.0", "No version 2.12.0 of the tensorflow-gpu was found.", "cpu-only-build"),
        ("2.13", "I can't find tensorflow-gpu on PyPI", "cpu-only-build"),
        ("2.11.0", "The tensorflow-gpu package of this release does not exist", "cpu-only-build"),
        ("2.9.0", "I can't find tensorflow-gpu on PyPI", "unknown"),
        ("2.12.0", "I uninstalled tensorflow-gpu; it is gone.", "unknown"),
    ],
)
def test_on_windows_the_package_for_gpus_ended(release: str, told: str, cause: str) -> None:
    assert ruled(WINDOWS.format(release, told)) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("GPU: RTX 2070\nI had installed tensorflow and not tensorflow-gpu.", "cpu-only-build"),
        ("GTX1070. tensorflow-gpu was not among what I installed.", "cpu-only-build"),
        ("GPU: GTX 1060\ntensorflow: 2.10\nI never installed tensorflow-gpu.", "unknown"),
        ("GPU: GTX 1060\nI have not installed tensorflow-gpu since 2.1 has both", "unknown"),
        ("I never installed tensorflow-gpu.", "unknown"),
    ],
)
def test_somebody_left_out_the_package_for_gpus(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("version", "cause"), [("0.12", "cpu-only-build"), ("1.4.0", "cpu-only-build"), ("2.1.0", None)]
)
def test_where_devicequery_counts_a_gpu_plain_tensorflow_was_without_cuda(
    version: str, cause: str | None
) -> None:
    root = gpuprobe.explain(
        f"GPU: GeForce GTX 970\ntensorflow: {version}\n"
        ">>> [x.name for x in device_lib.list_local_devices()]\n['/cpu:0']\n"
        'Detected 1 CUDA Capable device(s)\nDevice 0: "GeForce GTX 970"\n'
    ).diagnosis.root
    assert (root is not None and root.rule.code == "GP601") is (cause is not None)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Default MaxPoolingOp only supports NHWC on device type CPU", "cpu-only-build"),
        (
            (
                "UnimplementedError: Generic conv implementation only supports NHWC tensor format "
                "for now. [Op:Conv2D]"
            ),
            "cpu-only-build",
        ),
        ("Depthwise convolution on CPU is only supported for NHWC format", "cpu-only-build"),
        ("Non-Cudnn MaxPool only supports NHWC format", "unknown"),
        ("Found operation using NHWC data_format on GPU. Maybe NCHW is faster.", "unknown"),
        (
            "This laptop has no GPU\nDefault AvgPoolingOp only supports NHWC on device type CPU",
            "no-nvidia-gpu",
        ),
    ],
)
def test_an_operation_for_gpus_alone_ran_on_the_cpu(text: str, cause: str):
    assert ruled(text) == cause


def test_a_layout_that_the_cpu_does_not_have_tells_of_the_build_as_one_reading():
    text = "Default MaxPoolingOp only supports NHWC on device type CPU"
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    assert root.finding.confidence.value == "possible"


IDLE = "Training runs on the CPU only.\n"
EXTRA = "pip install tensorflow[and-cuda] keras\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"OS: Windows 11\n{EXTRA}{IDLE}", True),
        (
            (
                '> py -m pip install "tensorflow[and-cuda]"\nPlatform: Windows-10-10.0.19045\n'
                ">>> tf.config.list_physical_devices('GPU')\n[]\n"
            ),
            True,
        ),
        (f"OS: Windows 11\n{EXTRA}It trains, slowly, on my processor alone.\n", True),
        (f"OS: Ubuntu 22.04\n{EXTRA}{IDLE}", False),
        (
            f"OS: Windows 11, WSL2\nLinux version 5.15.90.1-microsoft-standard-WSL2\n{EXTRA}{IDLE}",
            False,
        ),
        (f"OS: Windows 11\n{EXTRA}", False),
        (f"OS: Windows 11\npip install keras\n{IDLE}", False),
    ],
)
def test_the_libraries_that_pip_brings_are_of_no_use_on_windows(text: str, cause: bool):
    assert (ruled(text) == "cpu-only-build") is cause
