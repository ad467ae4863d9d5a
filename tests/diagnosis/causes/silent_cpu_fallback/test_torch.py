"""Work that the CPU does beside a GPU that works, as PyTorch and what stands on it tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

SEES = ">>> torch.cuda.is_available()\nTrue\n"


@pytest.mark.parametrize(
    "text",
    [
        SEES + ">>> pipe.enable_model_cpu_offload()\n>>> pipe.device\ndevice(type='cpu')\n",
        SEES + ">>> model.device\ndevice(type='cpu')\n>>> model = model.to('cuda')\n",
    ],
)
def test_kin_of_work_that_the_cpu_does_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


SCRIPT = """torch 2.3.0+cu121
(env) D:\\work>type ask.py
import torch
print(torch.cuda.is_available(), torch.cuda.get_device_name(0))
speech = transcribe("talk.wav")
(env) D:\\work>python {run}
True NVIDIA GeForce RTX 4060
UserWarning: FP16 is not supported on CPU; using FP32 instead
"""


@pytest.mark.parametrize(("run", "sees"), [("ask.py", True), ("other.py", False)])
def test_a_script_that_is_shown_prints_where_it_is_run(run: str, *, sees: bool):
    assert (ruled(SCRIPT.format(run=run)) == "silent-cpu-fallback") is sees


NOTHING = "unknown", "healthy"
SPACY = '$ python -c "import spacy; print(spacy.prefer_gpu())"\n{answer}\n'
TRAIN = "$ python -m spacy train config.cfg\n\u2139 Saving to output directory: out\n"


def test_spacy_has_a_gpu_and_was_not_told_to_use_it():
    cpu = SPACY.format(answer="True") + TRAIN + "\u2139 Using CPU\n"
    assert ruled(cpu) == "silent-cpu-fallback"
    assert ruled(SPACY.format(answer="True") + TRAIN + "\u2139 Using GPU: 0\n") in NOTHING
    assert ruled(SPACY.format(answer="False") + TRAIN + "\u2139 Using CPU\n") != (
        "silent-cpu-fallback"
    )


TABLE_IN_TIME = """{when}
|   0  NVIDIA GeForce RTX 3060 Off  | 00000000:01:00.0 Off |                  N/A |
|  0%   46C    P8    16W / 170W |  {used}MiB / 12288MiB |      {busy}%      Default |
"""


@pytest.mark.parametrize(
    ("when", "busy", "cause"),
    [
        ("nvidia-smi while it runs:", 0, "silent-cpu-fallback"),
        ("during training nvidia-smi says:", 2, "silent-cpu-fallback"),
        ("nvidia-smi while it runs:", 71, "healthy"),
        ("nvidia-smi:", 0, "healthy"),
    ],
)
def test_a_gpu_is_idle_while_the_program_computes(when: str, busy: int, cause: str):
    table = TABLE_IN_TIME.format(when=when, used=412, busy=busy)
    assert ruled(f">>> torch.cuda.is_available()\nTrue\n{table}") == cause


PRINTED = """Everything is computed slowly: {told}.
print(torch.cuda.current_device())
print(torch.cuda.device_count())
print(torch.cuda.is_available())
gives
0
1
{available}
"""


@pytest.mark.parametrize(
    ("told", "available", "cause"),
    [
        ("the GPU is mostly idle", "True", "silent-cpu-fallback"),
        ("only my CPU is utilized", "True", "silent-cpu-fallback"),
        ("the loader is at fault", "True", "healthy"),
    ],
)
def test_the_number_of_the_current_gpu_is_no_count(told: str, available: str, cause: str):
    assert ruled(PRINTED.format(told=told, available=available)) == cause


SEEN = "torch: 2.1.0+cu121, GPU: RTX 3080\n>>> torch.cuda.is_available()\nTrue\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("my CPU is at 100% and the GPU does nothing", "silent-cpu-fallback"),
        ("it only uses the CPU", "silent-cpu-fallback"),
        ("nvidia-smi lists no running processes while it trains", "silent-cpu-fallback"),
        ("the GPU is detected but not used", "silent-cpu-fallback"),
        ("GPU usage never goes above 1%", "silent-cpu-fallback"),
        ("Using device: cpu", "silent-cpu-fallback"),
        (">>> next(model.parameters()).device\ndevice(type='cpu')", "silent-cpu-fallback"),
        ("next(net.parameters()).is_cuda returns False", "silent-cpu-fallback"),
        ("the GPU does the work, and the CPU does nothing", "healthy"),
        ("Using device: cpu or cuda, as you like", "healthy"),
        (">>> next(model.parameters()).device\ndevice(type='cuda', index=0)", "healthy"),
        ("How would I see whether it only uses the CPU? If so, the GPU does nothing.", "healthy"),
    ],
)
def test_a_gpu_that_works_has_nothing_to_do(told: str, cause: str):
    assert ruled(f"{SEEN}{told}\n") == cause


SPACY_TRAINS = """`import torch; torch.cuda.is_available() # --> {seen}`
$ python -m spacy train config.cfg
{line}
"""


@pytest.mark.parametrize(
    ("seen", "line", "cause"),
    [
        ("True", "\u2139 Using CPU", "silent-cpu-fallback"),
        ("True", "\u2139 Using GPU: 0", "healthy"),
    ],
)
def test_spacy_takes_the_cpu_unless_it_is_told(seen: str, line: str, cause: str):
    assert ruled(SPACY_TRAINS.format(seen=seen, line=line)) == cause


SEES_IT = "torch.cuda.is_available(): True\n"


@pytest.mark.parametrize(
    "sentence",
    [
        "When I train, GPU utilization stays at 0% and the CPU is at 100%.",
        "My model still runs on CPU, nvidia-smi shows no process",
        "The GPU is detected but not being used during training",
        "Task manager shows 0% GPU and 95% CPU",
        "The GPU isn't used when I train",
        "The GPU is present and idle during transcription.",
        "My graphics card sits entirely idle",
        "It does not use the GPU at all, only the processor",
        "The training is using CPU instead of the GPU",
        "训练时GPU利用率一直是0",
        "模型还是在CPU上运行",
    ],
)
def test_a_gpu_that_is_seen_and_said_to_idle_was_given_no_work(sentence: str) -> None:
    assert ruled(SEES_IT + sentence) == "silent-cpu-fallback"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("There is no GPU usage limit on my plan.", "healthy"),
        ("There is no GPU usage at all.", "silent-cpu-fallback"),
        ("The fans stop when the GPU is idle.", "healthy"),
    ],
)
def test_a_limit_is_no_idle_gpu(told: str, cause: str):
    assert ruled(f"{told}\n{SEES}") == cause
