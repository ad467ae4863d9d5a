"""Machines of which people tell in a sentence or two, and the kin that tells too little."""

import pytest

from support.cases import ruled

NO_GPU_JAX = "WARNING: No GPU/TPU found, falling back to CPU.\n"
SEES_NONE = "torch.cuda.is_available() returns False\n"
NO_IMAGE = "CUDA error: no kernel image is available for execution on the device\n"
TENSORRT = (
    "[E] [TRT] safeContext.cpp (124) - Cudnn Error in initializeCommonContext: 1"
    " (Could not initialize cudnn, please check cudnn installation.)\n"
)
INDEX = "Assertion `srcIndex < srcSelectDimSize` failed.\nCUBLAS_STATUS_ALLOC_FAILED\n"

PADDLE = (
    "You are using GPU version Paddle, but your CUDA device is not set properly.\n"
    "Paddle version: 2.4.2\nPaddle With CUDA: True\nCUDA version: {cuda}\n"
    "Nvidia driver version: {driver}\n"
)
LISTED = '[name: "/device:CPU:0"\n, name: "/device:XLA_GPU:0"\ndevice_type: "XLA_GPU"\n]\n'
GPUS = ">>> len(tf.config.list_physical_devices('GPU'))\n{count}\n"

MYELIN = (
    "[TensorRT] ERROR: 1: [graphContext.h::MyelinGraphContext::24] Error Code 1: Myelin (myelin"
    "VersionMismatch : Compiled against cuDNN 11.4.1.0 but running against cuDNN 11.2.1.0.\n"
)
CONDA = "I ran conda install -c pytorch pytorch=1.9.0 torchvision cudatoolkit={cuda}\n"
NONE_AT_ALL = "requirement torch==1.10.0+cu113 (from versions: {versions})\n"
NO_FILE = "ERROR: No matching distribution found for torch==1.10.0+cu113\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (SEES_NONE + "I installed it on Windows 11, and I have CUDA 12.2", "cpu-only-build"),
        ("torch.cuda.is_available()一直是False\nwin10 有cuda12.2", "cpu-only-build"),
        (NO_GPU_JAX + "I have CUDA 12.2, jax = 0.4.13", "cpu-only-build"),
        (
            NO_GPU_JAX
            + ">>> tf.config.list_physical_devices('GPU')\n"
            + "[PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]",
            "cpu-only-build",
        ),
        (NO_IMAGE + "Running on a 5080 mobile, vllm 0.9.1", "gpu-too-new"),
        ("cublas64_12.dll is not found or cannot be loaded", "cublas-missing"),
        ("libcublas.so.12 -> not found", "cublas-missing"),
        (
            TENSORRT + "main.cpp:517: void f(int): Assertion `engine != nullptr' failed.",
            "oom-workload",
        ),
        (f"/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1290: f: {INDEX}", "user-code"),
        (INDEX, "user-code"),
        ("RuntimeError: The NVIDIA driver on your system is too old", "driver-too-old"),
        (PADDLE.format(cuda="11.2.142", driver="440.33.01"), "driver-too-old"),
        ("OSError: library nvvm not found", "toolkit-missing"),
        ("numba cannot find ``libnvvm.so``", "toolkit-missing"),
        (LISTED + GPUS.format(count=0), "framework-cuda-mismatch"),
        (MYELIN, "cuda-libs-mismatch"),
        (SEES_NONE + CONDA.format(cuda="11.3"), "cpu-only-build"),
        (
            'Erro loading "D:\\torch\\lib\\fbgemm.dll" or one of its dependencies.',
            "msvc-runtime-missing",
        ),
        (
            "Could not find a version that satisfies the "
            + NONE_AT_ALL.format(versions="none")
            + NO_FILE,
            "python-unsupported",
        ),
        (
            "Could not find a version that satisfies the "
            + NONE_AT_ALL.format(versions="1.11.0, 1.12.0")
            + NO_FILE,
            "python-unsupported",
        ),
    ],
)
def test_few_words_name_the_cause(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        SEES_NONE + "I have CUDA 12.2",
        SEES_NONE + "I installed it on Windows 11",
        SEES_NONE + "on Windows 11 in WSL, I have CUDA 12.2",
        NO_GPU_JAX,
        NO_GPU_JAX + "I have CUDA 12.2\nlibcudart.so.12: cannot open shared object file",
        "Training took 5080 GPU hours",
        "settings.dll is not found",
        "config.json -> not found",
        f"main.cpp:517: void f(int): {INDEX}",
        PADDLE.format(cuda="11.2.142", driver="470.33.01"),
        "OSError: library nv not found",
        "a tool that cannot find libnvvmutil",
        LISTED + GPUS.format(count=1),
        SEES_NONE + CONDA.format(cuda="11.1"),
        "Is the NVIDIA driver on your system too old?",
        "TensorRT was linked against cuBLAS/cuBLAS LT 11.4.2 but loaded cuBLAS/cuBLAS LT 11.2.1",
        'Error loading "D:\\games\\game.bin" or one of its dependencies',
        "Could not find a version that satisfies the "
        + NONE_AT_ALL.format(versions="1.9.1, 1.10.0, 1.11.0")
        + NO_FILE,
    ],
)
def test_too_few_words_name_none_of_them(pasted: str) -> None:
    named = ruled(pasted)
    assert named not in ("cpu-only-build", "user-code", "gpu-too-new", "toolkit-missing")
    assert named not in ("cuda-libs-mismatch", "msvc-runtime-missing", "python-unsupported")
    assert named not in ("driver-too-old", "framework-cuda-mismatch")
