"""Work that a log shows on the GPU, and places from which none is reached."""

from __future__ import annotations

import pytest

from support.cases import ruled

NVCC = """RuntimeError: NVCC returned an error. See below for full command line and output log:

{} --std=c++11 -DNDEBUG "D:\\ops\\fused_bias_act.cu" --preprocess

系统找不到指定的路径。
"""


@pytest.mark.parametrize(
    ("call", "cause"), [("/usr/local/cuda/bin/nvcc", "toolkit-missing"), ("nvcc", "unknown")]
)
def test_windows_answers_in_chinese_that_there_is_no_nvcc(call: str, cause: str):
    assert ruled(NVCC.format(call)) == cause


MMDET = "2020-12-09 15:01:04,808 - mmdet - INFO - Epoch [1][50/770]\tlr: 1.978e-03, time: 1.287, "


@pytest.mark.parametrize(
    ("memory", "cause"),
    [("memory: 9197, ", "healthy"), ("memory: 0, ", "unknown"), ("", "unknown")],
)
def test_mmdetection_tells_how_much_memory_its_model_takes(memory: str, cause: str):
    log = f"{MMDET}data_time: 0.073, {memory}loss_rpn_cls: 0.4559, loss: 2.4285"
    assert ruled(f"After training the test finds no object.\n{log}\n") == cause


BARS = """Loaded layout model s3://layout/2025_02_18 on device {} with dtype torch.float16
Recognizing layout: 100%|██████████| {}/2 [00:01<00:00,  1.53it/s]
"""


@pytest.mark.parametrize(
    ("device", "done", "cause"),
    [("cuda", 2, "healthy"), ("cuda:1", 2, "healthy"), ("cpu", 2, "unknown")],
)
def test_models_lie_on_cuda_and_pages_are_read(device: str, done: int, cause: str):
    assert ruled(BARS.format(device, done)) == cause


@pytest.mark.parametrize(
    ("machine", "eta", "cause"),
    [
        ("Machine: Apple M1 Pro", "7 days, 6:13:20", "no-nvidia-gpu"),
        ("Machine: Apple M1 Pro", "0:13:20", "unknown"),
        ("Machine: a workstation", "7 days, 6:13:20", "unknown"),
    ],
)
def test_a_training_takes_days_on_a_mac(machine: str, eta: str, cause: str):
    log = f"[04/17 13:23:04 d2.utils.events]:  eta: {eta}  iter: 19  total_loss: 1.87  time: 7.0"
    assert ruled(f"{machine}\n{log}\n") == cause


INSIDE = """GPU: Tesla M40 24 GB
{}
Could not load dynamic library 'libcuda.so.1'; dlerror: libcuda.so.1: cannot open shared object file
"""


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("In `deeplabcut-docker bash` there is no nvidia-smi command.", "container-no-gpu"),
        ("Inside the container there is no nvidia-smi.", "container-no-gpu"),
        ("In Ubuntu there is no nvidia-smi command.", "driver-missing"),
    ],
)
def test_a_program_that_starts_docker_has_no_nvidia_smi(sentence: str, cause: str):
    assert ruled(INSIDE.format(sentence)) == cause


CODE = """{}

convert_model.py contains
os.environ["CUDA_VISIBLE_DEVICES"] = "{}"
"""


@pytest.mark.parametrize(
    ("sentence", "value", "cause"),
    [
        ("The model loaded after it computes on the CPU only:", "", "hidden-by-visible-devices"),
        ("Everything runs on the CPU.", "-1", "hidden-by-visible-devices"),
        ("The model is converted:", "", "unknown"),
    ],
)
def test_code_leaves_the_process_no_gpu(sentence: str, value: str, cause: str):
    assert ruled(CODE.format(sentence, value)) == cause
