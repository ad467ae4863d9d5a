"""What people say of TensorFlow, CUDA and their GPU without a program's own words."""

from __future__ import annotations

import pytest

from support.cases import ruled

MISMATCH, TOO_NEW = "framework-cuda-mismatch", "gpu-too-new"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("TensorFlow asks for libcublas 9.0, and this computer has CUDA 10.1.", MISMATCH),
        ("TensorFlow 1.13 is looking for CUDA 10.0, but I have CUDA 10.2.", MISMATCH),
        ("My onnxruntime wants CUDA 11.8 while our server has CUDA 12.4 installed", MISMATCH),
        ("TensorFlow asks for CUDA 10.0, and this computer has CUDA 10.0.", "unknown"),
        ("TensorFlow 2.4 needs CUDA 11.0, and I have CUDA 11.2.", "unknown"),
        ("TensorFlow 1.13 needs CUDA 10.0; if this computer has CUDA 10.1, fix it.", "unknown"),
        ("TensorFlow needs CUDA 11.8; nvidia-smi shows that I have CUDA 12.2", "unknown"),
        ("Does TensorFlow need CUDA 9.0 if this computer has CUDA 10.1?", "unknown"),
    ],
)
def test_cuda_asked_for_and_cuda_that_is_there(pasted: str, cause: str) -> None:
    assert ruled(f"{pasted}\n") == cause


TF_1_14 = "OS: Linux\ncuda: {}\ntensorflow: 1.14.0\n\n{}\n"
APART = "CUDA was updated just before, and the two still do not go together."


@pytest.mark.parametrize(
    ("cuda", "said", "cause"),
    [
        ("10.1", APART, MISMATCH),
        ("10.1", "My TensorFlow is not compatible with the installed CUDA.", MISMATCH),
        ("10.1", "This TensorFlow and CUDA don't work together", MISMATCH),
        ("10.0", APART, "unknown"),
        ("10.1", "Since CUDA was updated they go together.", "unknown"),
        ("10.1", "Why do CUDA and TensorFlow not go together?", "unknown"),
    ],
)
def test_cuda_and_tensorflow_do_not_go_together(cuda: str, said: str, cause: str) -> None:
    assert ruled(TF_1_14.format(cuda, said)) == cause


OLD = "GPU: {}\ntensorflow: {}\n\n{}\n"
NOT = "It does not run on the RTX 3090. Those cards want CUDA 11.1 or newer."


@pytest.mark.parametrize(
    ("gpu", "release", "said", "cause"),
    [
        ("RTX 3090", "1.12.0", NOT, TOO_NEW),
        ("RTX 4090", "2.3", "TensorFlow 2.3 does not get anything done on it.", TOO_NEW),
        ("RTX 3080", "1.15", "Training doesn't start on my new GPU", TOO_NEW),
        ("RTX 2070", "1.11", "The training is over, with no error at all.", TOO_NEW),
        ("GTX 1080", "1.12.0", "It does not run on the GPU.", "unknown"),
        ("RTX 3090", "2.10", NOT, "unknown"),
        ("RTX 3090", "1.12.0", "It runs on the RTX 3090.", "unknown"),
        ("RTX 3090", "1.12.0", "Why does it run on the RTX 3090?", "unknown"),
        ("RTX 3090", "1.12.0", "If it does not run on the RTX 3090, take another.", "unknown"),
    ],
)
def test_a_tensorflow_older_than_the_gpu(gpu: str, release: str, said: str, cause: str) -> None:
    assert ruled(OLD.format(gpu, release, said)) == cause


PTX = (
    "2025-06-17 09:04:11.340111: W tensorflow/compiler/mlir/tools/kernel_gen/"
    "tf_gpu_runtime_wrappers.cc:40] 'cuModuleLoadData(&module, data)' failed with "
    "'CUDA_ERROR_INVALID_PTX'\n"
)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"GPU: RTX 5xxx series\n\n{PTX}", TOO_NEW),
        (f"GPU: NVIDIA RTX 50 series\n\n{PTX}", TOO_NEW),
        (f"GPU: RTX 30 series\n\n{PTX}", "unknown"),
        ("Error: OOM when allocating tensor\n", "oom-workload"),
        ("Cannot find libdevice in TF 2.11 (conda-forge)\n", "toolkit-missing"),
        ("pip took my tensorflow-gpu away and put tensorflow in its place.\n", "cpu-only-build"),
        ("It uninstalled tensorflow-gpu and installed plain tensorflow\n", "cpu-only-build"),
        ("It removed tensorflow-gpu and installed tensorflow-gpu 2.4\n", "unknown"),
        ("I removed tensorflow-gpu and installed tensorflow\n", "unknown"),
        (
            "KeyError: \"The name 'x:0' refers to a Tensor which does not exist. The operation\"\n",
            "user-code",
        ),
    ],
)
def test_what_a_line_says(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


SET = '\nos.environ["CUDA_VISIBLE_DEVICES"]="1"\n'


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        (
            "The line stands far down in the script; memory on all GPUs is taken all the same.",
            "visible-devices-too-late",
        ),
        (
            "I set the variable after all the imports, and the first GPU is taken.",
            "visible-devices-too-late",
        ),
        ("The line stands far down in the script.", "unknown"),
        ("I set it before the first import, not after the imports, still GPU 0", "unknown"),
        ("I set the variable before the imports, and all GPUs are taken.", "unknown"),
    ],
)
def test_visible_devices_far_down(said: str, cause: str) -> None:
    assert ruled(f"tensorflow: 2.7\n\n{said}\n{SET}") == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("GPU-Util stands at 89%, a few seconds later at 0%, then at 89% again.", "healthy"),
        ("GPU utilization fluctuates between 0% and 95% all the time", "healthy"),
        ("GPU-Util stands at 89%, then at 0% and it hangs", "unknown"),
        ("The loader takes 30 s a call, so the card sits waiting for its next batch.", "healthy"),
        ("The GPU is mostly waiting for data", "healthy"),
        ("The GPU is waiting for data forever and hangs", "unknown"),
        ("The LSTM takes three times as long as on the CPU. GPU usage is around 20%", "healthy"),
        ("Only about 10% of the GPU is in use, and the CPU is faster.", "healthy"),
        ("The CPU is faster, GPU usage is 0%", "unknown"),
        ("The CPU is faster, GPU usage is 20% and it crashes", "unknown"),
        ("CUDA context creates cleanly, all ECC counts are 0", "healthy"),
        ("A CUDA context is not created cleanly", "unknown"),
        ("The miner runs and the card is at 100%. It should use only 40 of it.", "healthy"),
        ("The miner runs and the card is at 100%, then the PC reboots.", "unknown"),
        ("The miner runs and the card is at 100%.\nThe machine reboots.", "unknown"),
        ("The miner runs and the card is at 100%.\nThe screen goes black.", "unknown"),
        ("Stuck in the first epoch.\nThe GPU waits for its data loader.", "unknown"),
        ("The miner runs and the card is at 100%.\nCUDA_ERROR_LAUNCH_FAILED", "unknown"),
    ],
)
def test_a_gpu_that_somebody_sees_at_work(pasted: str, cause: str) -> None:
    assert (ruled(f"{pasted}\n") == "healthy") is (cause == "healthy")


STAMP = "2021-06-01 11:00:41.999717: I tensorflow/"
CORES = "coreClock: 1.59GHz coreCount: 40 deviceMemorySize: 14.75GiB\n"
OPENED = f"{STAMP}dso_loader.cc:53] Successfully opened dynamic library libcudnn.so.8\n"
TAKEN = f"{STAMP}core/gpu_device.cc:1765] Adding visible gpu devices: 0\n"
LINKS = f"{STAMP}core/gpu_device.cc:1197] 0:   N \n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (CORES + OPENED, "healthy"),
        (OPENED, "unknown"),
        (OPENED + CORES, "unknown"),
        (TAKEN + LINKS, "healthy"),
        (LINKS, "unknown"),
        (TAKEN, "unknown"),
    ],
)
def test_a_gpu_that_tensorflow_takes(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


OPENED = """{told}

I tensorflow/stream_executor/platform/default/dso_loader.cc:49] Successfully opened dynamic \
library {file}
I tensorflow/core/common_runtime/gpu/gpu_device.cc:1720] Found device 0 with properties:
pciBusID: 0000:01:00.0 name: {name} computeCapability: {capability}
"""
AMPERE = {"name": "NVIDIA GeForce RTX 3060", "capability": "8.6"}
TURING = {"name": "NVIDIA GeForce RTX 2060", "capability": "7.5"}
NEITHER = "A server and a laptop were tried; GPU mode works on neither."


@pytest.mark.parametrize(
    ("told", "file", "gpu", "cause"),
    [
        (NEITHER, "libcudart.so.10.1", AMPERE, TOO_NEW),
        ("GPU mode does not work here.", "libcudart.so.10.1", AMPERE, TOO_NEW),
        ("In Docker the quick start with GPU does not get through", "libcudart.so.10.1", AMPERE,
         TOO_NEW),
        (NEITHER, "cudart64_101.dll", AMPERE, TOO_NEW),
        (NEITHER, "libcudart.so.11.1", AMPERE, "healthy"),  # the first that knows it
        (NEITHER, "libcudart.so.12", AMPERE, "healthy"),
        (NEITHER, "cudart64_12.dll", AMPERE, "healthy"),
        (NEITHER, "libcudart.so.10.1", TURING, "healthy"),
        ("GPU mode works on both.", "libcudart.so.10.1", AMPERE, "healthy"),
        ("Does GPU mode not work on this?", "libcudart.so.10.1", AMPERE, "healthy"),
    ],
)  # fmt: skip
def test_a_run_time_of_before_the_gpu(
    told: str, file: str, gpu: dict[str, str], cause: str
) -> None:
    assert ruled(OPENED.format(told=told, file=file, **gpu)) == cause


def test_a_run_time_that_no_tensorflow_opened() -> None:
    text = (
        f"{NEITHER}\nGPU: NVIDIA GeForce RTX 3060\nlibcudart.so.10.1 => /usr/lib/libcudart.so.10.1"
    )
    assert ruled(text + "\n") == "unknown"


HELD = """GPU: 2x Titan X
{told}

failed initializing StreamExecutor for CUDA device ordinal {number}
"""


@pytest.mark.parametrize(
    ("told", "number", "cause"),
    [
        ("A training job is running that holds all the memory of gpu0.", 0, "oom-other-process"),
        ("Another process is still running which uses most of the GPU memory.", 1,
         "oom-other-process"),
        ("A training job is running on gpu1.", 0, "unknown"),
        ("", 0, "unknown"),
    ],
)  # fmt: skip
def test_a_device_that_tensorflow_could_not_open(told: str, number: int, cause: str) -> None:
    assert ruled(HELD.format(told=told, number=number)) == cause
