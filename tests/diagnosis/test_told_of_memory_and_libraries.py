"""Memory that is taken, two cuDNN, split GPUs, WSL and Compose, and variables set too late."""

from __future__ import annotations

import pytest

from support.cases import ruled

IDLE = """|   0  GeForce RTX 3090    Off  | 00000000:21:00.0 Off |                  N/A |
| 30%   28C    P8    22W / 350W |   9100MiB / 24576MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("My kernel was interrupted and the memory still lives on the GPU.", "oom-other-process"),
        ("My feature learning run was killed, the memory is still occupied.", "oom-other-process"),
        ("My kernel still lives and its memory is small.", "healthy"),
    ],
)
def test_memory_outlives_a_run_that_was_interrupted(sentence: str, cause: str):
    assert ruled(f"{sentence}\n{IDLE}") == cause


PARTS = """Could not load library libcudnn_adv_train.so.8. Error: /opt/cuda/lib64/{asking}: symbol \
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
    assert ruled(PARTS.format(asking=asking, symbol=symbol)) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("gpu-operator with the mixed MIG strategy", "mig"),
        ("gpu-operator, --set mig.strategy=mixed", "mig"),
        ("It began after enabling MIG on the node.", "mig"),
        ("gpu-operator, --set mig.strategy=single", "device-nodes"),
    ],
)
def test_whoever_splits_gpus_differently_has_them_split(told: str, cause: str):
    refused = "Error getting device memory: nvml: Insufficient Permissions"
    assert ruled(f"{told}\n{refused}\n") == cause


ROW = "|   0  NVIDIA A30          On   | 00000000:17:00.0 Off |{ecc} |\n"
VALIDATOR = "nvidia-cuda-validator-x7k2p   0/1   {state}   6   9m\n"


@pytest.mark.parametrize(
    ("ecc", "state", "cause"),
    [
        ("                   On", "Init:CrashLoopBackOff", "mig"),
        ("                    0", "Init:CrashLoopBackOff", "unknown"),
        ("                   On", "Completed", "healthy"),
    ],
)
def test_the_cell_of_ecc_tells_of_a_split_gpu(ecc: str, state: str, cause: str):
    assert ruled(ROW.format(ecc=ecc) + VALIDATOR.format(state=state)) == cause


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ("Invalid GPU Id: 2, Valid device id should be less than device_count: 2", "user-code"),
        ("Invalid GPU Id: 0, Valid device id should be less than device_count: 0", "unknown"),
    ],
)
def test_mxnet_refuses_a_number(message: str, cause: str):
    assert ruled(f"mxnet.base.MXNetError: Check failed: id < count {message}\n") == cause


NVML = "torch/cuda/__init__.py:619: UserWarning: Can't initialize NVML\n"


@pytest.mark.parametrize(
    ("compose", "cause"),
    [
        ("Attaching to web-1\n", "container-no-gpu"),
        (" ✔ Container studio-web-1  Created      0.1s\n", "container-no-gpu"),
        ("Attaching to process 4711\n", "unknown"),
        ("", "unknown"),
    ],
)
def test_nvml_does_not_start_in_a_container_of_compose(compose: str, cause: str):
    assert ruled(compose + NVML) == cause


SET = "os.environ['CUDA_VISIBLE_DEVICES'] = '1'"
ASSERTION = "RuntimeError: device >= 0 && device < num_gpus INTERNAL ASSERT FAILED\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("", "unknown"),
        ("GPU 0: NVIDIA GeForce RTX 3090\n", "unknown"),
        (f"import torch\n{SET}\n", "visible-devices-too-late"),
        (f"{SET}\nimport torch\n", "visible-devices-too-late"),
        ("The card is an A100 with MIG.\n", "mig"),
        ("GPU 0: NVIDIA H100\n", "unknown"),
    ],
)
def test_torch_counts_more_than_cuda_did(told: str, cause: str):
    assert ruled(told + ASSERTION) == cause


RANKS = """import torch
def worker(rank):
    os.environ["CUDA_VISIBLE_DEVICES"] = {value}
    model = net.cuda()
NCCL WARN Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 1000
"""


@pytest.mark.parametrize(
    ("value", "cause"), [("str(rank)", "visible-devices-too-late"), ('"0"', "user-code")]
)
def test_two_ranks_use_one_gpu_whatever_each_sets(value: str, cause: str):
    assert ruled(RANKS.format(value=value)) == cause


IN_CODE = """os.environ["CUDA_VISIBLE_DEVICES"] = "{value}"
However, the program {uses} three GPUs.
"""


@pytest.mark.parametrize(
    ("value", "uses", "late"),
    [("0,1", "occupies", True), ("0,1,2", "occupies", False), ("0,1", "is told of", False)],
)
def test_more_gpus_are_used_than_code_names(value: str, uses: str, *, late: bool):
    assert (ruled(IN_CODE.format(value=value, uses=uses)) == "visible-devices-too-late") is late


ON_WINDOWS = """C:\\>nvidia-smi
| NVIDIA-SMI 466.63       Driver Version: 466.63       CUDA Version: 11.3     |
|   0  NVIDIA GeForce ... WDDM  | 00000000:01:00.0 Off |                  N/A |
"""


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("CUDA is not working in WSL2", "wsl"),
        ("The GPU isn't visible inside WSL.", "wsl"),
        ("CUDA is working in WSL2", "healthy"),
        ("If CUDA is not working in WSL2, update Windows.", "healthy"),
    ],
)
def test_the_table_of_windows_says_nothing_of_wsl(sentence: str, cause: str):
    assert ruled(f"I have a GeForce card.\n{sentence}\n{ON_WINDOWS}") == cause


@pytest.mark.parametrize(
    ("system", "cause"),
    [("Bash on Ubuntu on Windows", "wsl"), ("Ubuntu 16.04", "driver-missing")],
)
def test_the_first_wsl_had_another_name(system: str, cause: str):
    assert ruled(f"OS: {system}\nI have a card.\nnvidia-smi: command not found\n") == cause
