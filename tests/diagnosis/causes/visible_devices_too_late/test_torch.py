"""CUDA_VISIBLE_DEVICES that is set after CUDA has started, told by PyTorch."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

WROTE_IN_MAIN = "I wrote os.environ['CUDA_VISIBLE_DEVICES'] = '{}' in main.py.\n"
COUNTED = "But torch.cuda.device_count() shows {}.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (WROTE_IN_MAIN.format(0) + COUNTED.format(4), "visible-devices-too-late"),
        (WROTE_IN_MAIN.format("0,1") + COUNTED.format(4), "visible-devices-too-late"),
    ],
)
def test_a_variable_that_is_set_too_late_is_named(text: str, cause: str):
    assert ruled(text) == cause


# -- CUDA_VISIBLE_DEVICES below the start of CUDA ------------------------------------------------
START = "torch.cuda.is_available()"
SETS = 'os.environ["CUDA_VISIBLE_DEVICES"] = '
BELOW = f'{START}\n{SETS}"1"\n'


@pytest.mark.parametrize(
    "text",
    [
        f'>>> {START}\nTrue\n>>> {SETS}"1,0"',
        f'import os, torch\nif not {START}:\n    {SETS}"1"\n',
        f"{BELOW}It runs on GPU 1, my colleague's job on GPU 0.",
        f"{BELOW}My colleague's training runs on GPU 0.",
        f'{START}\n{SETS}"0";\nTraining runs on GPU 0 and takes all day.',
        f'{START}\n{SETS}str("0")\nTraining runs on GPU 0 and takes all day.',
        f'{START}\n{SETS}"1,2"\nThe training runs on both GPUs as I wanted.',
        f'{START}\n{SETS}"1,2"\nThe training runs on all the GPUs as I wanted.',
    ],
)
def test_kin_of_a_variable_that_is_set_too_late_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        WROTE_IN_MAIN.format("0,1") + COUNTED.format(2),
    ],
)
def test_this_is_not_a_variable_that_is_set_too_late(text: str):
    assert ruled(text) != "visible-devices-too-late"


LATE = """$ cat run.py
import torch
print("free:", torch.cuda.mem_get_info())
import os
os.environ["CUDA_VISIBLE_DEVICES"] = "{asked}"
model = build().cuda()
$ python run.py
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 64.00 MiB (GPU 0; 23.69 GiB total
 capacity; 310.00 MiB already allocated; 40.62 MiB free; 330.00 MiB reserved in total by PyTorch)
$ nvidia-smi --query-gpu=index,memory.used,memory.total --format=csv,noheader
0, 23110 MiB, 24576 MiB
1, 4 MiB, 24576 MiB
"""


@pytest.mark.parametrize(
    ("asked", "cause"), [("1", "visible-devices-too-late"), ("0", "oom-other-process")]
)
def test_the_first_gpu_is_full_and_another_was_asked_for(asked: str, cause: str):
    text = LATE.format(asked=asked).replace("total\n capacity", "total capacity")
    assert ruled(text) == cause


CODE = (
    "head of run.py:\n 1  import os\n 2  import torch\n 3\n"
    " 4  print(torch.cuda.get_device_name(0))\n...\n"
    '20  os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu        # --gpu 3\n'
)
FULL = (
    "RuntimeError: CUDA out of memory. Tried to allocate 90.00 MiB (GPU 0; 31.75 GiB total "
    "capacity; 0 bytes already allocated; 47.75 MiB free; 0 bytes reserved in total by PyTorch)\n"
    "|   0  Tesla V100-SXM2...  On   | 00000000:1A:00.0 Off |                    0 |\n"
    "| N/A   61C    P0   288W / 300W |  32461MiB / 32510MiB |    100%      Default |\n"
    "|   3  Tesla V100-SXM2...  On   | 00000000:3E:00.0 Off |                    0 |\n"
    "| N/A   34C    P0    41W / 300W |      3MiB / 32510MiB |      0%      Default |\n"
)


def test_code_that_a_listing_numbers():
    assert ruled(CODE + FULL) == "visible-devices-too-late"
    before = CODE.replace(" 4  print(torch.cuda.get_device_name(0))", " 4  print(args)")
    assert ruled(before + FULL) == "oom-other-process"


NOTHING = "unknown", "healthy"
CODE_IN_A_TEXT = (
    "want to train on card 2 but it always lands on the first one\n\nimport os, torch\n"
    "print(torch.cuda.mem_get_info())\n"
    'os.environ["CUDA_VISIBLE_DEVICES"] = "{gpu}"\ntrain()\n\nnvidia-smi:\n'
    "|    0   N/A  N/A    918273      C   python    6121MiB |\n(GPU 2: 3MiB / 24564MiB, 0%)\n"
)


def test_memory_is_no_name_of_a_gpu():
    assert ruled(CODE_IN_A_TEXT.format(gpu="2")) == "visible-devices-too-late"
    assert ruled(CODE_IN_A_TEXT.format(gpu="0")) in NOTHING


def test_a_variable_set_below_the_first_use_comes_too_late():
    code = "import torch\nprint(torch.cuda.device_count())\nimport os\n"
    changed = (
        'os.environ["CUDA_VISIBLE_DEVICES"] = "1"\nprint(torch.cuda.device_count())  # still 4'
    )
    assert ruled(code + changed) == "visible-devices-too-late"
    # Where the import is not shown, the count tells it; one GPU is what was asked for.
    assert ruled("import os\n" + changed) == "visible-devices-too-late"
    assert ruled("import os\n" + changed.replace("still 4", "1")) != "visible-devices-too-late"


SET_ONE = "os.environ['CUDA_VISIBLE_DEVICES'] = '1'"
ASSERTION = "RuntimeError: device >= 0 && device < num_gpus INTERNAL ASSERT FAILED\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("", "unknown"),
        ("GPU 0: NVIDIA GeForce RTX 3090\n", "unknown"),
        (f"import torch\n{SET_ONE}\n", "visible-devices-too-late"),
        (f"{SET_ONE}\nimport torch\n", "visible-devices-too-late"),
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


# -- CUDA_VISIBLE_DEVICES below the start of CUDA ------------------------------------------------
SCRIPT = """torch 1.7.1, CUDA 10.2, {gpus}

{code}

The training is on {where}.
"""
SETS_QUOTED = "os.environ['CUDA_VISIBLE_DEVICES'] = "
USE = "net = Net().cuda()"
ZEROS = "    torch.zeros(1, device='cuda')"
LATE_IN_CODE = (
    f"import torch\n{USE}\n{SETS_QUOTED}'2'",
    f"def main():\n{ZEROS}\n    {SETS_QUOTED}'2'",
    f"import torch\nassert torch.cuda.is_available()\ndef main():\n    {SETS_QUOTED}'2'",
)


@pytest.mark.parametrize("code", LATE_IN_CODE)
def test_a_variable_below_what_starts_cuda_comes_too_late(code: str):
    text = SCRIPT.format(gpus="Tesla V100", code=code, where="GPU 0")
    assert ruled(text) == "visible-devices-too-late"


@pytest.mark.parametrize("code", LATE_IN_CODE)
def test_nobody_is_accused_of_it_who_gets_the_gpu_that_is_named(code: str):
    text = SCRIPT.format(gpus="Tesla V100", code=code, where="GPU 2")
    assert ruled(text) != "visible-devices-too-late"


IN_TIME = (
    f"import torch\n{SETS_QUOTED}'2'\n{USE}",
    f"import torch\nnet = Net()\n{SETS_QUOTED}'2'",  # an import alone does not start CUDA
    f"import torch\n{USE}\n{SETS_QUOTED}'0'",  # which a program gets anyway
    f"import torch\n{USE}\n# {SETS_QUOTED}'2'",
    f"import torch\n{USE}\n{SETS_QUOTED}'2'\nprint(torch.cuda.device_count())\n1",
    # CUDA was looked at by itself, before the program was written down.
    f"torch.cuda.is_available()\nTrue\nimport torch\n{SETS_QUOTED}'2'",
    f">>> torch.cuda.get_device_name(0)\n'Tesla V100'\n\n{SETS_QUOTED}'2'",
    f"def check():\n{ZEROS}\n\ndef main():\n    {SETS_QUOTED}'2'",  # a body runs when it is called
    f"I called torch.cuda.init() first.\n{SETS_QUOTED}'2'",
    f"torch.cuda.is_available() is True\n{SETS_QUOTED}'2'",
)


@pytest.mark.parametrize("code", IN_TIME)
def test_above_it_or_elsewhere_it_does_not(code: str):
    text = SCRIPT.format(gpus="Tesla V100", code=code, where="GPU 0")
    assert ruled(text) != "visible-devices-too-late"


@pytest.mark.parametrize(("option", "late"), [("--gpu 3", True), ("--gpu=0", False)])
def test_what_an_option_names_is_what_it_is_given(option: str, late: bool):
    code = f"import torch\ntorch.cuda.init()\n{SETS_QUOTED}opt.gpu\n$ python train.py {option}"
    text = SCRIPT.format(gpus="4x Tesla V100", code=code, where="the first GPU")
    assert (ruled(text) == "visible-devices-too-late") is late


REPLICAS = """GPU: {gpus}
import torch
torch.cuda.set_device(0)
def work(rank):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(rank)
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total\
 capacity of 79.10 GiB of which 80.00 MiB is free. Process 901 has 70.02 GiB memory in use.
"""


@pytest.mark.parametrize(
    ("gpus", "cause"),
    [("4x NVIDIA H100", "visible-devices-too-late"), ("NVIDIA H100", "oom-other-process")],
)
def test_processes_that_all_get_the_first_gpu_fill_it(gpus: str, cause: str):
    assert ruled(REPLICAS.format(gpus=gpus)) == cause


STARTED = """import os, torch
print(torch.cuda.is_available())
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
model.cuda()
"""


@pytest.mark.parametrize(
    ("symptom", "cause"),
    [
        ("nvidia-smi shows my process on GPU 0", "visible-devices-too-late"),
        ("GPU 1 stays empty", "visible-devices-too-late"),
        ("all 4 GPUs are used", "visible-devices-too-late"),
        ("It trained on GPU0 instead of GPU1.", "visible-devices-too-late"),
        ("|    0     41207      C   python     6113MiB |", "visible-devices-too-late"),
        # What the program calls cuda:0 is the GPU that was asked for; a desktop computes nothing.
        ("everything ends up on cuda:0", "unknown"),
        ("|    0      1204      G   /usr/lib/xorg/Xorg      131MiB |", "unknown"),
        ("Should GPU 1 stay empty?", "unknown"),
    ],
)
def test_work_is_seen_elsewhere_than_the_code_asks(symptom: str, cause: str):
    assert ruled(f"2x RTX 2080 Ti\n{STARTED}{symptom}\n") == cause


LATE_IN_CHINESE = """os.environ["CUDA_VISIBLE_DEVICES"] = gpus 不起作用
{mark}os.environ["CUDA_VISIBLE_DEVICES"] = "2"
import torch
"""


@pytest.mark.parametrize(("mark", "cause"), [("# ", "visible-devices-too-late"), ("", "unknown")])
def test_what_is_commented_out_sets_nothing(mark: str, cause: str):
    assert ruled(LATE_IN_CHINESE.format(mark=mark)) == cause


TWO = "GPU: 2x GeForce RTX 3090\nimport torch\ntorch.cuda.init()\n"


@pytest.mark.parametrize(
    "value",
    [
        "str(0)",
        '"" if args.cpu else "0"',
        '""',
        '",".join(map(str, ids))',
        "args.gpu\n$ python train.py --gpu 0",
        'str("0")',
    ],
)
@pytest.mark.parametrize("told", ["", "The training runs."])
def test_an_expression_is_not_the_number_of_a_gpu(value: str, told: str):
    assert ruled(f"{TWO}{SETS}{value}\n{told}") == "unknown"


@pytest.mark.parametrize(
    ("value", "late"),
    [
        *((each, False) for each in ("str(0)", 'str("0")', '""', '"";')),
        *((each, True) for each in ("str(1)", 'str("1")', '"1"', '"1";')),
        ("args.gpu\n$ python train.py --gpu 1", True),
        ("args.gpu\npython train.py --gpu=1 --lr 3", True),
        # Nobody tells what these are worth.
        ('",".join(map(str, ids))', False),
        ("args.gpu", False),
        ("args.gpu\nUsage: --gpu 3 for the fourth. We used --gpu 0.", False),
        ("args.gpu\n$ python train.py --gpu 3\n$ python train.py --gpu 0", False),
    ],
)
def test_what_is_written_is_compared_with_where_the_work_is(value: str, late: bool):
    text = f"{TWO}{SETS}{value}\nThe training sits on GPU 0."
    assert (ruled(text) == "visible-devices-too-late") is late


@pytest.mark.parametrize(
    ("value", "told", "listed", "late"),
    [
        ("1", "both GPUs", 2, True),
        ("1,0", "both GPUs", 2, False),
        ("1,2", "all the GPUs", 3, True),
        ("1,2,0", "all the GPUs", 3, False),
    ],
)
def test_all_gpus_are_more_than_named_where_more_are_listed(
    value: str, told: str, listed: int, late: bool
):
    text = (
        f'GPU: {listed}x GeForce RTX 3090\n{START}\n{SETS}"{value}"\nThe training runs on {told}.'
    )
    assert (ruled(text) == "visible-devices-too-late") is late


ROWS = """|   0  NVIDIA GeForce RTX 3090        On  | 00000000:01:00.0 Off |                  N/A |
|   1  NVIDIA GeForce RTX 3090        On  | 00000000:02:00.0 Off |                  N/A |
"""
DIFFER = (
    "RuntimeError: device >= 0 && device < num_gpus INTERNAL ASSERT FAILED at CUDAContext.cpp:50."
    " device=1, num_gpus=1"
)


@pytest.mark.parametrize(("code", "late"), [("", False), (f'import torch\n{SETS}"1"\n', True)])
def test_two_counts_differ_by_a_variable_where_code_sets_one(code: str, late: bool):
    assert (ruled(code + ROWS + DIFFER) == "visible-devices-too-late") is late


@pytest.mark.parametrize(
    ("told", "late"),
    [
        ("My script works on one card, but the baseline uses 4 gpus.", False),
        ("It works, but the paper uses 8 GPUs.", False),
        ("It works, but my script uses 4 gpus.", True),
    ],
)
def test_who_uses_more_gpus_is_no_paper(told: str, late: bool):
    text = f'import os, torch\n{SETS}"0"\n{told}'
    assert (ruled(text) == "visible-devices-too-late") is late


def test_the_remedy_names_what_the_code_wants_and_what_started_cuda_is_shown():
    text = f'{TWO}{SETS}"1"\nThe training sits on GPU 0.'
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    assert root.finding.fix is not None
    assert root.finding.fix.commands == ("CUDA_VISIBLE_DEVICES=1 python PROGRAM",)
    assert any("torch.cuda.init()" in str(each) for each in root.finding.evidence)
