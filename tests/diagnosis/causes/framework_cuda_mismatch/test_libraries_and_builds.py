"""A framework that needs another CUDA than is there, and what only looks like it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

ORT = (
    'FAIL : LoadLibrary failed with error {} "" when trying to load '
    '"C:\\py\\onnxruntime\\capi\\onnxruntime_providers_cuda.dll"'
)
NUGET = (
    '<PackageReference Include="Microsoft.ML.OnnxRuntime{}" Version="1.16.0" />\n'
    "CUDA 12.2, cuDNN 8.9, Windows 11\n"
)
WINDOWS_FORM = (
    "- OS Platform and Distribution: windows 10\n- TensorFlow version: 1.12.0\n"
    "- CUDA/cuDNN version: cuda 9.2.148.1\n"
    "ImportError: DLL load failed: The specified module could not be found."
)
STUB = "InternalError: cudaGetDevice() failed. Status: cudaGetErrorString symbol not found."
LISTED = '[name: "/device:CPU:0"\n, name: "/device:XLA_GPU:0"\ndevice_type: "XLA_GPU"\n]\n'
KERAS = (
    "TensorFlow version: {}\nCUDA: 10.1\nValueError: To call `multi_gpu_model` with `gpus=2`, we "
    "expect the following devices to be available: ['/cpu:0', '/gpu:0', '/gpu:1']. However this "
    "machine only has: ['/cpu:0', '/xla_gpu:0', '/xla_cpu:0'{}]. Try reducing `gpus`.\n"
)
PHYSICAL = (
    "TensorFlow version: 2.1.0\nCUDA: 10.2\n>>> tf.config.list_physical_devices({})\n"
    "[{}PhysicalDevice(name='/physical_device:XLA_GPU:0', device_type='XLA_GPU')]\n"
)
OF_CPU = "PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU'), "
PLACED = (
    "TensorFlow 1.14, CUDA 10.1\nRuntimeError: /job:localhost/replica:0/task:0/device:GPU:0 unknown"
    " device. Available devices: [/job:localhost/replica:0/task:0/device:CPU:0, "
    "/job:localhost/replica:0/task:0/device:XLA_GPU:0]\n"
)
GPUS = ">>> len(tf.config.list_physical_devices('GPU'))\n{count}\n"
TENSORFLOW = "TensorFlow version: 2.1.0\nCUDA/cuDNN version: 10.2\nOS: Linux Ubuntu 18.04\n"
GONE = "\nImportError: libcudart.so.9.2: cannot open shared object file: No such file or directory"


MISMATCH = "framework-cuda-mismatch"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "UnsupportedCUDAError: Detected CUDA Runtime version is 10.1.243. Please update "
                "your CUDA Runtime to 11.0 or above."
            ),
            "framework-cuda-mismatch",
        ),
        (NUGET.format(".Gpu") + ORT.format(126), "framework-cuda-mismatch"),
        ("I ran `pip install tensorflow-gpu`\n" + WINDOWS_FORM, "framework-cuda-mismatch"),
        ("  The 11.4 installation type is currently unsupported.", "framework-cuda-mismatch"),
        (f"cuda: 10.1\n{STUB}", "framework-cuda-mismatch"),
        ("cudaGetDevice() failed. Status: symbol table not found", "unknown"),
        (LISTED + GPUS.format(count=0), "framework-cuda-mismatch"),
        (
            TENSORFLOW + "tf.config.list_physical_devices('GPU') cannot list my GPU",
            "framework-cuda-mismatch",
        ),
        (TENSORFLOW + "tf.config.list_physical_devices('GPU') returns the list", "unknown"),
        (
            TENSORFLOW + "tf.config.list_physical_devices('GPU') returns an empty list",
            "framework-cuda-mismatch",
        ),
        (
            TENSORFLOW + "tf.config.list_physical_devices('GPU') should not return an empty list",
            "unknown",
        ),
        ("cuda: 10.1\nimport mxnet" + GONE, "framework-cuda-mismatch"),
        ("cuda: 10.1\nLoading model rcca..." + GONE, "framework-cuda-mismatch"),
        ("onnxruntime-gpu==1.9.0\ncuda: 10.1\nonly the cpu is used", "framework-cuda-mismatch"),
        ("onnxruntime-gpu==1.9.0\ncuda: 11.4\nonly the cpu is used", "unknown"),
        # CUDA asked for and CUDA that is there.
        (
            "TensorFlow asks for libcublas 9.0, and this computer has CUDA 10.1.\n",
            "framework-cuda-mismatch",
        ),
        (
            "TensorFlow 1.13 is looking for CUDA 10.0, but I have CUDA 10.2.\n",
            "framework-cuda-mismatch",
        ),
        (
            "My onnxruntime wants CUDA 11.8 while our server has CUDA 12.4 installed\n",
            "framework-cuda-mismatch",
        ),
        ("TensorFlow asks for CUDA 10.0, and this computer has CUDA 10.0.\n", "unknown"),
        ("TensorFlow 2.4 needs CUDA 11.0, and I have CUDA 11.2.\n", "unknown"),
        ("TensorFlow 1.13 needs CUDA 10.0; if this computer has CUDA 10.1, fix it.\n", "unknown"),
        ("TensorFlow needs CUDA 11.8; nvidia-smi shows that I have CUDA 12.2\n", "unknown"),
        ("Does TensorFlow need CUDA 9.0 if this computer has CUDA 10.1?\n", "unknown"),
    ],
)
def test_a_framework_for_another_cuda_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (KERAS.format("1.14", ""), "framework-cuda-mismatch"),
        (KERAS.format("1.14", ", '/gpu:0'"), "healthy"),  # it is seen; two were asked for
        (PHYSICAL.format("", OF_CPU), "framework-cuda-mismatch"),
        (PHYSICAL.format("'XLA_GPU'", ""), "healthy"),  # no other was asked for
        (PLACED, "framework-cuda-mismatch"),
    ],
)
def test_xla_alone_has_a_device_of_the_gpu(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        NUGET.format(".Gpu"),
        "I ran `pip install tensorflow-gpu`\n- CUDA/cuDNN version: cuda 9.2.148.1",
        "The portable installation type is currently unsupported.",
        LISTED + GPUS.format(count=1),
    ],
)
def test_kin_of_a_framework_for_another_cuda_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_old_tensorflow_needs_cuda_dlls_where_somebody_tells_of_cuda():
    assert ruled(WINDOWS_FORM) == "framework-cuda-mismatch"
    without = "\n".join(line for line in WINDOWS_FORM.splitlines() if "cuda" not in line)
    assert ruled(without) == "msvc-runtime-missing"


WANTED = "OSError: libcublas.so.11: cannot open shared object file: No such file or directory\n"
CACHE = (
    "$ ldconfig -p | grep cublas\n\tlibcublas.so.{n} (libc6,x86-64) => /usr/lib/libcublas.so.{n}\n"
)
FOLDER = "$ ls -l /usr/local/cuda/lib64\n-rw-r--r-- 1 root root 94M May 4 2023 libcublas.so.{n}\n"


@pytest.mark.parametrize("listing", [CACHE, FOLDER])
@pytest.mark.parametrize(
    ("major", "cause"), [("12", "framework-cuda-mismatch"), ("11", "cublas-missing")]
)
def test_a_listing_shows_the_libraries_of_another_cuda(listing: str, major: str, cause: str):
    assert ruled(f"{WANTED}{listing.format(n=major)}") == cause


PROVIDER = (
    "onnxruntime-gpu: 1.15.1\n[E:onnxruntime:Default, provider_bridge_ort.cc:1351 "
    "onnxruntime::TryGetProviderInfo_CUDA] FAIL : LoadLibrary failed with error 126 when trying "
    'to load "C:\\onnxruntime\\capi\\onnxruntime_providers_cuda.dll"\n'
)
CUDA_PATH = "CUDA_PATH=C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v{}\n"
TWO_WAYS = "I use CUDA {} and cuDNN 8.9 for CUDA 12\n"


@pytest.mark.parametrize(
    ("stated", "cause"),
    [
        (CUDA_PATH.format("12.2"), "framework-cuda-mismatch"),
        (CUDA_PATH.format("11.8"), "cudnn-missing"),
        (TWO_WAYS.format("12.2"), "framework-cuda-mismatch"),
        (TWO_WAYS.format("11.8"), "cudnn-missing"),  # two releases are told of: neither counts
    ],
)
def test_a_provider_needs_another_cuda_than_is_there(stated: str, cause: str):
    assert ruled(f"OS: Windows 11\n{stated}{PROVIDER}") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("JAX keeps complaining that cuda is 11.6 and not 11.8", "framework-cuda-mismatch"),
        ("JAX does not complain, and cuda is 11.8 or later", "unknown"),
    ],
)
def test_a_framework_is_said_to_want_another_cuda(told: str, cause: str):
    root = gpuprobe.explain(f"I have a new driver. {told}\n").diagnosis.root
    assert ((root.cause if root else "") == "framework-cuda-mismatch") is (cause != "unknown")


OPENCV = """Windows 11, GPU: RTX 3080
ImportError: DLL load failed while importing cv2: The specified module could not be found.
C:\\>type C:\\Python310\\Lib\\site-packages\\cv2\\config.py
BINARIES_PATHS = [
    os.path.join('C:/Program Files/NVIDIA GPU Computing Toolkit/CUDA/v{built}', 'bin')
] + BINARIES_PATHS
C:\\>dir /b "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA"
{there}
C:\\>
"""


@pytest.mark.parametrize(
    ("built", "there", "cause"),
    [
        ("11.2", "v12.1", "framework-cuda-mismatch"),
        ("12.1", "v12.1", "msvc-runtime-missing"),
        ("11.2", "v11.2\nv12.1", "msvc-runtime-missing"),
    ],
)
def test_opencv_looks_in_the_folder_of_a_cuda_that_is_not_there(built: str, there: str, cause: str):
    assert ruled(OPENCV.format(built=built, there=there)) == cause


@pytest.mark.parametrize(
    ("before", "cause"),
    [("Library ", "framework-cuda-mismatch"), ("ImportError: ", "extension-mismatch")],
)
def test_what_ctranslate2_misses_is_no_extension_of_torch(before: str, cause: str):
    end = "is not found" if before == "Library " else "cannot open shared object file"
    sign = " " if before == "Library " else ": "
    text = f"CUDA 11.8\nPytorch 2.2.1+cu118\n{before}libcublas.so.12{sign}{end}"
    assert ruled(text) == cause


FOLDER_LISTED = """Windows 11, RTX 4060
OnnxRuntime.Gpu: Microsoft.ML.OnnxRuntime.Gpu 1.16.3
LoadLibrary failed with error 126 "" when trying to load "D:\\app\\onnxruntime_providers_cuda.dll"
PS> {listing} "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA" -Name
v{toolkit}
PS> Get-ChildItem $env:CUDA_PATH\\bin\\cu*.dll -Name
cublas64_{major}.dll
cudnn64_8.dll
"""


@pytest.mark.parametrize(
    ("listing", "toolkit", "cause"),
    [
        ("Get-ChildItem", "12.4", "framework-cuda-mismatch"),
        ("gci", "12.4", "framework-cuda-mismatch"),
        ("Get-ChildItem", "11.8", "cudnn-missing"),
    ],
)
def test_powershell_lists_the_only_toolkit(listing: str, toolkit: str, cause: str):
    major = toolkit.partition(".")[0]
    assert ruled(FOLDER_LISTED.format(listing=listing, toolkit=toolkit, major=major)) == cause


IN_NODE = """TensorFlow.js version: 1.7.4 (tfjs-node-gpu)
CUDA {cuda}
Could not load dynamic library, Skipping registering GPU devices
"""


@pytest.mark.parametrize(("cuda", "cause"), [("11.2", "framework-cuda-mismatch"), ("10.0", None)])
def test_tensorflow_js_takes_one_cuda_from_the_system(cuda: str, cause: str | None):
    named = ruled(IN_NODE.format(cuda=cuda))
    assert (named == "framework-cuda-mismatch") is (cause is not None)


LINKED = """$ ls -l /usr/local
lrwxrwxrwx  1 root root   21 May  2 10:11 cuda -> {link}
$ pip list
cupy-cuda12x    13.3.0
RuntimeError: CuPy failed to load libnvrtc.so.12: OSError: libnvrtc.so.12: cannot open shared object
file: No such file or directory
"""


@pytest.mark.parametrize(
    ("link", "cause"),
    [
        ("/usr/local/cuda-13.1", "framework-cuda-mismatch"),
        ("cuda-13.1/", "framework-cuda-mismatch"),
        ("/usr/local/cuda-12.6/", "cublas-missing"),
        ("/opt/other", "cublas-missing"),
    ],
)
def test_a_link_tells_which_toolkit_is_chosen(link: str, cause: str):
    assert ruled(LINKED.format(link=link)) == cause


PYCUDA = """OS: Windows 10
CUDA {toolkit}
pip install pycuda-2018.1.1+cuda92148-cp36-cp36m-win_amd64.whl
ImportError: DLL load failed: The specified module could not be found.
"""


@pytest.mark.parametrize(
    ("toolkit", "cause"),
    [("10", "framework-cuda-mismatch"), ("9.2.148", "msvc-runtime-missing")],
)
def test_pycuda_is_linked_with_the_cuda_of_its_tag(toolkit: str, cause: str):
    assert ruled(PYCUDA.format(toolkit=toolkit)) == cause


TF_1_14 = "OS: Linux\ncuda: {}\ntensorflow: 1.14.0\n\n{}\n"
APART = "CUDA was updated just before, and the two still do not go together."


@pytest.mark.parametrize(
    ("cuda", "said", "cause"),
    [
        ("10.1", APART, "framework-cuda-mismatch"),
        (
            "10.1",
            "My TensorFlow is not compatible with the installed CUDA.",
            "framework-cuda-mismatch",
        ),
        ("10.1", "This TensorFlow and CUDA don't work together", "framework-cuda-mismatch"),
        ("10.0", APART, "unknown"),
        ("10.1", "Since CUDA was updated they go together.", "unknown"),
        ("10.1", "Why do CUDA and TensorFlow not go together?", "unknown"),
    ],
)
def test_cuda_and_tensorflow_do_not_go_together(cuda: str, said: str, cause: str) -> None:
    assert ruled(TF_1_14.format(cuda, said)) == cause


MISSING = "ImportError: libcublas.so.13: cannot open shared object file: No such file\n"


@pytest.mark.parametrize(
    ("listing", "cause"),
    [
        (
            "$ cd /usr/local/cuda/lib64\n$ ls libcublas*\nlibcublas.so.12\n",
            "framework-cuda-mismatch",
        ),
        ("$ cd /srv/engine\n$ ls libcublas*\nlibcublas.so.12\n", "cublas-missing"),
        (
            "$ find / -name 'libcublas*'\n/var/lib/docker/ab/diff/usr/lib/libcublas.so.12\n",
            "cublas-missing",
        ),
        ("$ ls /usr/local/cuda/lib64/stubs\nlibcublas.so.12\n", "cublas-missing"),
    ],
)
def test_a_listing_is_of_the_folder_that_was_entered(listing: str, cause: str):
    assert ruled(listing + MISSING) == cause


def test_a_cuda_that_is_only_named_is_none_beside_one_that_was_loaded():
    text = (
        "I'm using CUDA 9.1 and tensorflow version 1.14.0.\n"
        "Successfully opened dynamic library libcudart.so.10.0\n"
        "Could not dlopen library 'libcudnn.so.7'; dlerror: libcudnn.so.7: cannot open shared "
        "object file\nSkipping registering GPU devices...\n"
    )
    assert ruled(text) == "cudnn-missing"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("No matching CUDA flavor for linux found: cu118/sm_75, fallback", MISMATCH),
        ("No matching cuda flavor for win found: cu110mkl/sm_61.", MISMATCH),
        ("No matching flavor for linux found: cpu", "unknown"),
        ("A matching CUDA flavor for linux was found: cu118/sm_75", "unknown"),
    ],
)
def test_djl_has_no_libraries_for_the_cuda_that_is_there(told: str, cause: str):
    assert ruled(f"WARN {told} << i.djl.tensorflow.engine.javacpp.LibUtils") == cause


WARP = (
    "Warp CUDA error 36: API call is not supported in the installed CUDA driver (in function"
    " cuda_init, warp.cu:277)\nWarp 1.7.1 initialized:\n   CUDA Toolkit 12.8, Driver {}\n"
)


@pytest.mark.parametrize(
    ("driver", "cause"),
    [("13.0", MISMATCH), ("12.8", "driver-too-old"), ("11.4", "driver-too-old")],
)
def test_warp_asks_a_later_driver_for_what_it_no_longer_has(driver: str, cause: str):
    assert ruled(WARP.format(driver)) == cause


def test_warp_works_with_a_later_driver():
    line = WARP.partition("Warp 1")[2].format("13.0")
    assert ruled(f'{line}     "cuda:0" : "NVIDIA A40" (44 GiB, sm_86)') == "healthy"


NO_KERNEL = """No OpKernel was registered to support Op 'CudnnRNN' used by node lstm/CudnnRNN
Registered devices: [{}]
Registered kernels:
  device='GPU'; T in [DT_FLOAT]
"""


@pytest.mark.parametrize(
    ("devices", "cause"),
    [
        ("CPU, XLA_CPU, XLA_GPU", "framework-cuda-mismatch"),
        ("XLA_GPU, CPU", "framework-cuda-mismatch"),
        ("CPU, GPU, XLA_CPU, XLA_GPU", "unknown"),
        ("CPU, XLA_CPU", "cpu-only-build"),
    ],
)
def test_xla_alone_counts_the_gpu_among_the_devices(devices: str, cause: str):
    assert ruled(NO_KERNEL.format(devices)) == cause
