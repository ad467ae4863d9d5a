"""A quiet fact beside a loud error: a row of a list, what a folder does not hold, an answer."""

from __future__ import annotations

import pytest

from support.cases import ruled

CAST = """Platform: Windows 11
pytorch version: {torch}
Device: cuda:0 {gpu} : native
torch.AcceleratorError: CUDA error: no kernel image is available for execution on the device
"""


@pytest.mark.parametrize(
    ("torch", "gpu", "cause"),
    [
        ("2.8.0+cu129", "NVIDIA GeForce GTX 1070", "gpu-too-old"),
        ("2.9.0+cu128", "NVIDIA GeForce GTX 1070", "gpu-too-old"),  # listed for Linux alone
        ("2.8.0+cu129", "NVIDIA GeForce RTX 3060", "extension-mismatch"),
    ],
)
def test_a_build_for_windows_without_code_for_a_gpu(torch: str, gpu: str, cause: str):
    assert ruled(CAST.format(torch=torch, gpu=gpu)) == cause


HASHCAT = """OS: Debian 12
$ hashcat -b
ATTENTION! No OpenCL, HIP or CUDA compatible platform found.
$ lspci -k
02:00.0 VGA compatible controller: NVIDIA Corporation GA104 [GeForce RTX 3070] (rev a1)
\tSubsystem: ASUSTeK Computer Inc. Device 87b8
\tKernel modules: nouveau
$ nproc
8
"""


def test_hashcat_finds_no_platform():
    assert ruled(HASHCAT) == "driver-missing"
    assert ruled("$ hashcat -I\nCUDA Info:\nCUDA.Version.: 12.2\n") == "unknown"


UNDRIVEN = """RuntimeError: No CUDA GPUs are available
$ lspci -nnk -s 01:00
01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA106 [GeForce RTX 3060] [10de:2503]
\tSubsystem: ZOTAC International [19da:1630]
{driver}\tKernel modules: {modules}
$ dpkg -l | grep -iE 'cuda|nvidia'
{package}
$ uname -r
6.1.0-18-amd64
"""
TOOLKIT = "ii  cuda-toolkit-12-2   12.2.2-1    amd64   CUDA Toolkit 12.2 meta-package"
DRIVER = "ii  nvidia-driver   535.183.01-1   amd64   NVIDIA metapackage"


@pytest.mark.parametrize(
    ("driver", "modules", "package", "cause"),
    [
        ("", "nouveau", TOOLKIT, "driver-missing"),
        ("", "nouveau", DRIVER, "driver-not-loaded"),
        ("", "nvidiafb, nouveau, nvidia", TOOLKIT, "driver-not-loaded"),
        ("\tKernel driver in use: nvidia\n", "nouveau, nvidia", DRIVER, "unknown"),
    ],
)
def test_no_kernel_driver_has_the_gpu(driver: str, modules: str, package: str, cause: str):
    text = UNDRIVEN.format(driver=driver, modules=modules, package=package)
    assert ruled(text) == cause


PROVIDER = """onnxruntime-gpu: 1.16.3
[W:onnxruntime:Default] Failed to create CUDAExecutionProvider. Please reference https://onnxruntime.ai
$ ls /usr/local/cuda-11.8/lib64
libcudart.so.11.0  libcufft.so.10  libcurand.so.10 {cublas}
$ ls /usr/lib/x86_64-linux-gnu/libcudnn.so*
{cudnn}
"""
CUDNN_8 = "/usr/lib/x86_64-linux-gnu/libcudnn.so.8"
NO_CUDNN = "ls: cannot access '/usr/lib/x86_64-linux-gnu/libcudnn.so*': No such file or directory"


@pytest.mark.parametrize(
    ("cublas", "cudnn", "cause"),
    [
        ("", CUDNN_8, "cublas-missing"),
        ("libcublas.so.11", NO_CUDNN, "cudnn-missing"),
        ("libcublas.so.11", CUDNN_8, "unknown"),
    ],
)
def test_a_toolkits_folder_lacks_what_onnx_runtime_needs(cublas: str, cudnn: str, cause: str):
    assert ruled(PROVIDER.format(cublas=cublas, cudnn=cudnn)) == cause


IMAGE = """FROM nvidia/cuda:12.4.1-{flavour}-ubuntu22.04
RUN apt-get install -y libcudnn9-cuda-12 {more}
RUN pip install onnxruntime-gpu==1.20.1
[W:onnxruntime:Default] Failed to create CUDAExecutionProvider. Please reference https://onnxruntime.ai
"""


@pytest.mark.parametrize(
    ("flavour", "more", "named"),
    [("base", "", True), ("base", "libcublas-12-4", False), ("runtime", "", False)],
)
def test_the_smallest_image_has_the_run_time_alone(flavour: str, more: str, *, named: bool):
    assert (ruled(IMAGE.format(flavour=flavour, more=more)) == "cublas-missing") is named


WHERE = """Windows 10
tensorflow-gpu: 1.12.0
ImportError: DLL load failed: The specified module could not be found.
C:\\>where cudart64_90.dll
{cudart}
C:\\>where cudnn64_7.dll
{cudnn}
C:\\>
"""
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
    assert ruled(WHERE.format(cudart=cudart, cudnn=cudnn)) == cause


def test_a_torch_that_brings_its_own_is_not_judged_by_where():
    text = WHERE.format(cudart=NOWHERE, cudnn=NOWHERE)
    text = text.replace("tensorflow-gpu: 1.12.0", "torch: 2.1.0+cu118")
    assert ruled(text) not in ("cudart-missing", "cudnn-missing")


PARTS = """RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED
$ cd /usr/local/cuda/lib64 && ls libcudnn*
libcudnn.so.8.9.2 libcudnn_ops_infer.so.8.9.2 libcudnn_cnn_infer.so.{part}
"""


def test_the_files_of_cudnn_are_of_two_releases():
    assert ruled(PARTS.format(part="8.6.0")) == "cudnn-mismatch"
    assert ruled(PARTS.format(part="8.9.2")) == "oom-workload"
    both = PARTS.format(part="8.6.0 libcudnn_cnn_infer.so.8.9.2")  # an older one was left behind
    assert ruled(both) == "oom-workload"


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


CRASH = """Current thread (most recent call first):
  File "/env/lib/python3.10/site-packages/torch/_ops.py", line 643 in load_library
  File "/env/lib/python3.10/site-packages/torch_cluster/__init__.py", line 18 in <module>
Segmentation fault (core dumped)
$ pip list | grep torch
torch           2.1.2+cu121
torch-cluster   1.6.3+{tag}
"""


@pytest.mark.parametrize(
    ("tag", "cause"),
    [
        ("pt20cu118", "extension-mismatch"),
        ("pt21cu118", "extension-mismatch"),
        ("torch220cu121", "extension-mismatch"),
        ("pt21cu121", "unknown"),
    ],
)
def test_an_extensions_version_names_another_torch(tag: str, cause: str):
    assert ruled(CRASH.format(tag=tag)) == cause


IDLE = """import {module}
params = {{"objective": "binary", {device}"learning_rate": 0.1}}
model = {module}.train(params, data)
While it trains:
|   0  NVIDIA GeForce RTX 4080        Off | 00000000:01:00.0 Off |                  Off |
|  0%   33C    P8              14W / 320W |     12MiB / 16376MiB |      0%      Default |
|  No running processes found                                                           |
"""


@pytest.mark.parametrize(
    ("module", "device", "named"),
    [
        ("xgb", "", True),
        ("lgb", "", True),
        ("xgb", '"device": "cuda", ', False),
        ("lgb", '"device_type": "gpu", ', False),
        ("torch", "", False),
    ],
)
def test_trees_are_boosted_on_the_cpu(module: str, device: str, *, named: bool):
    text = IDLE.format(module=module, device=device)
    assert (ruled(text) == "silent-cpu-fallback") is named


DMON = """$ nvidia-smi dmon -s pucv
# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk pviol tviol
# Idx     W     C     C     %     %     %     %   MHz   MHz     %  bool
    0    27    41     -     0     0     0     0   405   210     0     {idle}
    1   140    90     -    99    20     0     0  7001   600     0     {busy}
"""


def test_dmon_shows_a_busy_gpu_at_its_limit_of_heat():
    assert ruled(DMON.format(idle=0, busy=1)) == "power-thermal"
    assert ruled(DMON.format(idle=0, busy=0)) != "power-thermal"
    assert ruled(DMON.format(idle=1, busy=0)) != "power-thermal"  # what rests is not held down


COUNTS = """GPU: Tesla T4
print(df['grade'].value_counts())
model = AutoModelForSequenceClassification.from_pretrained(name, num_labels={classes})
loss = model(input_ids=ids, labels=batch['{column}'].to(device)).loss
3    900
1    800
2    700
Name: grade, dtype: int64
RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`
"""


@pytest.mark.parametrize(
    ("classes", "column", "cause"),
    [(3, "grade", "user-code"), (4, "grade", "oom-workload"), (3, "other", "oom-workload")],
)
def test_a_label_is_beyond_the_classes(classes: int, column: str, cause: str):
    assert ruled(COUNTS.format(classes=classes, column=column)) == cause


UNIQUE = """num_classes = {classes}
>>> np.unique(y_train)
array([0, 1, 2, 10])
RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`
"""


def test_a_label_that_is_listed_is_beyond_the_classes():
    asked = UNIQUE.replace("np.unique(y_train)", "np.unique(train_labels)")
    assert ruled(asked.format(classes=4)) == "user-code"
    assert ruled(asked.format(classes=11)) == "oom-workload"


LATE = """import os, sys
from tensorflow.python.client import device_lib
print(device_lib.list_local_devices())
os.environ["CUDA_VISIBLE_DEVICES"] = sys.argv[1]
ResourceExhaustedError: OOM when allocating tensor with shape[64,512,512] and type float
|   0  GeForce RTX 2080 Ti  Off  | 00000000:05:00.0 Off |                  N/A |
| 71%   84C    P2   241W / 250W |  {first}MiB / 11019MiB |     98%      Default |
|   1  GeForce RTX 2080 Ti  Off  | 00000000:06:00.0 Off |                  N/A |
| 23%   31C    P8     9W / 250W |  {second}MiB / 11019MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [("10900", "  150", True), ("  150", "10900", False), ("10900", "10900", False)],
)
def test_the_first_gpu_is_full_where_another_was_chosen(first: str, second: str, *, named: bool):
    text = LATE.format(first=first, second=second)
    assert (ruled(text) == "visible-devices-too-late") is named
