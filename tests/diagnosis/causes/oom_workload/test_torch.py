"""Work that does not fit into the memory, as PyTorch and what stands on it tell of it."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.diagnosis.model import Safety
from support.cases import ruled
from support.texts import SMI_V100

KALDI = (
    "Failed to allocate a memory region of 5242880 bytes.  Possibly this is due to sharing the "
    "GPU.  Try switching the GPUs to exclusive mode (nvidia-smi -c 3) and using the option "
    "--use-gpu=wait to scripts like steps/nnet3/chain/train.py.  Memory info: free:0M, "
    "used:11178M, total:11178M, free/total:0 CUDA error: '{}'"
)
OOM = "\nRuntimeError: CUDA error: out of memory"
OOM_OF_EIGHT = (
    "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacty of 8.00 GiB of "
    "which {} is free. Of the allocated memory 0 bytes is allocated by PyTorch"
)
SMI = """| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |
|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
| N/A   41C    P8     9W /  70W |  {used}MiB / 15109MiB |      0%      Default |
"""
HELD = SMI.format(used=14000) + (
    "|    0   N/A  N/A      7316      C   python3                14000MiB |\n"
)
NO_MEMORY = "torch.OutOfMemoryError: CUDA out of memory.\n"
LOGGED = """$ nvidia-smi --query-gpu=timestamp,memory.used,memory.total --format=csv -l 1
timestamp, memory.used [MiB], memory.total [MiB]
2024/01/01 10:00:01.000, 15000 MiB, 15109 MiB
"""
CUBLAS = "RuntimeError: CUDA error: CUBLAS_STATUS_{} when calling `cublasCreate(handle)`\n"
NO_MEMORY_OF_T4 = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 14.76 GiB "
    "total capacity; 13.00 GiB already allocated; 0.50 GiB free; 13.20 GiB reserved in total by "
    "PyTorch)\n"
)
CUBLAS_INVALID_VALUE = (
    "torch                    2.8.0+cu128\nnvidia-cublas-cu12       12.4.5.8\n{}"
    "RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasGemmEx( h )`\n"
)
SEES = ">>> torch.cuda.is_available()\nTrue\n"
NO_ENGINE = (
    "docker: Error response from daemon: could not select device driver "
    '"" with capabilities: [[gpu]].\n'
)
PAD = (
    'tokenizer.add_special_tokens({"pad_token": tokenizer.eos_token})\n'
    'model = GPT2LMHeadModel.from_pretrained("gpt2").cuda()\n'
    "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(h)`\n"
)
# -- CUDA_VISIBLE_DEVICES below the start of CUDA ------------------------------------------------
START = "torch.cuda.is_available()"
SETS = 'os.environ["CUDA_VISIBLE_DEVICES"] = '
BELOW = f'{START}\n{SETS}"1"\n'
TOO_BIG = (
    "RuntimeError: CUDA out of memory. Tried to allocate 30.00 GiB (GPU 0; 23.69 GiB total"
    " capacity; 1.00 GiB already allocated; 22.00 GiB free; 1.10 GiB reserved in total by PyTorch)"
)
OWN = (
    "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 14.76 GiB total capacity; 13.00 GiB "
    "already allocated; 0.50 GiB free; 13.20 GiB reserved in total by PyTorch)\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling "
                "`cublasCreate(handle)`"
            ),
            "oom-workload",
        ),
        (KALDI.format("out of memory"), "oom-workload"),
        ("#3 0x0 in cuMemAlloc_v2 ()" + OOM, "oom-workload"),
        (SMI_V100.replace("USED", "  923") + OOM, "oom-workload"),
        (OOM_OF_EIGHT.format("3.80 GiB"), "oom-workload"),
        ("torch.OutOfMemoryError: Allocation on device", "oom-workload"),
        ("RuntimeError: Allocation of the port failed", "unknown"),
        ("$ ./webui\n" + NO_MEMORY + HELD, "oom-workload"),
        ("$ ./configure\n" + NO_MEMORY + HELD, "oom-workload"),
        (LOGGED + NO_MEMORY, "oom-workload"),
        (
            '"vocab_size": 32000,\nprint(len(tokenizer))\n40000 examples read\n'
            + CUBLAS.format("ALLOC_FAILED"),
            "oom-workload",
        ),
        (
            "(position_embeddings): Embedding(512, 768)\n>>> len(tokenizer)\n30522\n"
            + CUBLAS.format("ALLOC_FAILED"),
            "oom-workload",
        ),
        (
            "tokenizer.add_tokens(new)\nmodel = AutoModel.from_pretrained('x')\n"
            "model.set_input_embeddings(nn.Embedding(len(tokenizer), 768))\n"
            + CUBLAS.format("ALLOC_FAILED"),
            "oom-workload",
        ),
        (CUBLAS_INVALID_VALUE.format(NO_MEMORY_OF_T4), "oom-workload"),
        (NO_ENGINE + "On the host instead:\n" + SEES + NO_MEMORY_OF_T4, "oom-workload"),
        (PAD, "oom-workload"),
        (BELOW + TOO_BIG, "oom-workload"),
        (
            f"{OWN}nvidia-smi right before training crashes:\n{SMI.format(used=14500)}",
            "oom-workload",
        ),
        (f"{OWN}nvidia-smi before training:\n{SMI.format(used=14500)}", "oom-workload"),
        (f"{NO_MEMORY}确认没有发现其他进程占用显存\n", "oom-workload"),
        (f"{NO_MEMORY}其他进程占用显存时会报错\n", "oom-workload"),
    ],
)
def test_work_that_is_too_large_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


PAD_IS_EOS = (
    "tokenizer.add_special_tokens({'pad_token': tokenizer.eos_token})\n"
    "model = AutoModel.from_pretrained('x')\n"
)
NO_CDI = "Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all\n"


@pytest.mark.parametrize(
    "text",
    [
        KALDI.format("no error"),
        "the SHMEM allocation limit is set to the default of 64MB",
        PAD_IS_EOS + CUBLAS.format("EXECUTION_FAILED"),
        NO_CDI + "I wrote the description anew, and inside the container:\n" + SEES,
        NO_ENGINE + "sudo apt install nvidia-container-toolkit\n" + SEES,
    ],
)
def test_kin_of_work_that_is_too_large_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


NVITOP = """\
│ NVITOP 1.3.2       Driver Version: 550.54.14      CUDA Driver Version: 12.4 │
│   0  ..orce RTX 2080 Ti  On   │ 00000000:02:00.0 Off │                  N/A │ MEM: █ 3.5% │
│ 28%   42C    P8     9W / 250W │    390MiB / 11264MiB │      0%      Default │ UTL: ▏ 0%   │
"""
PROCESSES = """| Processes:                                                       GPU Memory |
|  GPU       PID  Type  Process name                               Usage      |
|    0      4711    C   ./solver                                       812MiB |
"""
TRACE = """  File "/opt/lib/python3.10/site-packages/torch/nn/modules/module.py", line 1, in call
it fails
"""


@pytest.mark.parametrize(
    ("shown", "cause"),
    [
        (NVITOP, "healthy"),
        (NVITOP.splitlines()[0], "unknown"),
        (NVITOP + "CUDA error: out of memory\n", "oom-workload"),
        (PROCESSES, "healthy"),
        (TRACE + PROCESSES, "unknown"),  # it is shown to tell who is in the way
        (PROCESSES.rpartition("|    0")[0], "unknown"),
    ],
)
def test_a_table_of_gpus_or_of_their_users_shows_the_driver_at_work(shown: str, cause: str):
    assert ruled(shown) == cause


TORCH = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
    "capacity of 23.52 GiB of which 1.61 GiB is free. Including non-PyTorch memory, this process "
    "has {this} GiB memory in use. Of the allocated memory {own} GiB is allocated by PyTorch, and "
    "20.00 MiB is reserved by PyTorch but unallocated.\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "jax: 0.4.38\ntorch: 2.6.0+cu124\n" + TORCH.format(this="18.40", own="17.90"),
        "jax: 0.4.38\nXLA_PYTHON_CLIENT_PREALLOCATE=false\n"
        + TORCH.format(this="18.40", own="0.10"),
        "cupy: 13.0\ntorch: 2.6.0+cu124\n" + TORCH.format(this="18.40", own="0.10"),
    ],
)
def test_torch_holds_it_or_nothing_keeps_so_much(text: str):
    assert ruled(text) == "oom-workload"


NO_NVCC = "'nvcc' is not recognized as an internal or external command,\n"
WEB_UI = (
    "    RuntimeError: Not enough memory, use lower resolution (max approx. 1024x1024). "
    "Need: 8.0GB free, Have:2.9GB free\n"
)


def test_a_shell_that_knows_no_nvcc_is_not_why_memory_is_wanting():
    assert ruled("torch: 2.0.1+cu118\n" + NO_NVCC + WEB_UI) == "oom-workload"
    assert ruled("torch: 2.0.1+cu118\n" + NO_NVCC) == "toolkit-missing"


MESSAGE = (
    "CUDA out of memory. Tried to allocate 72.00 MiB (GPU 0; {total} total capacity; {own} already "
    "allocated; 0 bytes free; {own} reserved in total by PyTorch)\n"
)


@pytest.mark.parametrize(
    ("total", "own", "cause"),
    [
        ("1024.00 MiB", "418.00 MiB", "oom-workload"),
        ("11.17 GiB", "4.00 GiB", "oom-other-process"),
    ],
)
def test_a_process_takes_more_than_pytorch_counts(total: str, own: str, cause: str):
    assert ruled(MESSAGE.format(total=total, own=own)) == cause


CUBLAS_NOT_INITIALIZED = (
    "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(h)`\n"
)
ADD = 'tokenizer.add_special_tokens({"additional_special_tokens": ["<sep>", "<ans>"]})\n'
LOAD = 'model = GPT2LMHeadModel.from_pretrained("gpt2").cuda()\n'


@pytest.mark.parametrize(
    "text",
    [
        ">>> len(tokenizer)\n50257\n>>> model.transformer.wte\nEmbedding(50257, 768)\n",
        '>>> batch["input_ids"].max()\ntensor(50256)\n>>> model.wte\nEmbedding(50257, 768)\n',
        ">>> len(tokenizer)\n32000\n>>> model.lm.embed_tokens\nEmbedding(32064, 4096)\n",
        ADD + LOAD + "model.resize_token_embeddings(len(tokenizer))\n",
        ADD + 'config = AutoConfig.from_pretrained("gpt2")\n',
        ADD + 'tokenizer = GPT2Tokenizer.from_pretrained("gpt2")\n',
    ],
)
def test_tokens_that_have_theirs(text: str):
    assert ruled(text + CUBLAS_NOT_INITIALIZED) == "oom-workload"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("Allocation on device", "oom-workload"),
        ("- **Exception Message:** Allocation on device ", "oom-workload"),
        ("Allocation on device took 3 ms", "healthy"),
    ],
)
def test_torch_with_the_allocator_of_cuda_says_no_more_than_this(line: str, cause: str):
    device = "Device: cuda:0 NVIDIA GeForce RTX 3060 : cudaMallocAsync"
    assert ruled(f"{line}\npytorch version: 2.5.1+cu124\n{device}\n") == cause


OOM_OF_NINETY_FIVE = """\
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 19.20 GiB. GPU 0 has a total \
capacity of 93.10 GiB of which 18.03 GiB is free.
Including non-PyTorch memory, this process has {} GiB memory in use.
Of the allocated memory 56.39 GiB is allocated by PyTorch,
and 18.01 GiB is reserved by PyTorch but unallocated.
"""


def test_a_message_that_was_broken_into_lines_is_read_whole():
    whole = gpuprobe.explain(OOM_OF_NINETY_FIVE.format("75.06")).diagnosis.root
    assert whole.cause == "oom-workload"
    assert "The program itself holds 75.06 GiB" in whole.finding.title
    assert (
        ruled(f"{OOM_OF_NINETY_FIVE.partition(chr(10))[0]}\n{OOM_OF_NINETY_FIVE.format('75.06')}")
        == "oom-workload"
    )


def test_a_message_that_is_cut_before_it_tells_who_holds_the_memory_accuses_no_other_process():
    told = "CUDA out of memory. Tried to allocate {}. GPU {} has a total capacity of {} of which {}"
    for numbers in (
        ("1.96 GiB", 0, "47.51 GiB", "1.57 GiB is free."),
        ("112.00 MiB", 3, "79.15 GiB", "31.19 MiB is free. Including non-PyTorch ..."),
        ("20.00 MiB", 1, "7.78 GiB", "11.06 MiB is free"),
    ):
        assert ruled(told.format(*numbers)) == "oom-workload"


def test_a_message_that_goes_on_or_counts_otherwise_accuses_them_still():
    assert ruled(OOM_OF_EIGHT.format("1.00 GiB")) == "oom-other-process"
    holder = " Process 51001 has 6.53 GiB memory in use."
    begun = OOM_OF_EIGHT.format("102.00 MiB").partition(" Of the")[0]
    assert ruled(begun + holder) == "oom-other-process"
    free_memory = "Free memory on device (2.1/23.5 GiB) on startup is less than desired GPU memory"
    assert ruled(f"ValueError: {free_memory} utilization (0.9, 21.2 GiB).") == "oom-other-process"


# -- processes that were stopped -----------------------------------------------------------------
FULL = "CUDA Error: out of memory\n|    0      1234      C   ./detector      3801MiB |\n{}\n"


@pytest.mark.parametrize(
    ("shown", "cause"),
    [
        ("[1]+  Stopped                 sleep 100", "oom-workload"),
        ("[1]+  Stopped                 ./deploy.sh", "oom-workload"),
        ("[1]+  Stopped                 tail -f train.py", "oom-workload"),
        ("[1]+  Stopped                 python -m http.server", "oom-workload"),
        ("[1]+  Stopped                 python3 -m http.server 8000", "oom-workload"),
        ("[1]+  Stopped                 python -m train", "oom-other-process"),
        ("[1]+  Stopped                 ./train.py", "oom-other-process"),
        ("[1]+  Stopped                 OMP_NUM_THREADS=4 torchrun t.py", "oom-other-process"),
        ("iteration 1234 on a T 4 machine", "oom-workload"),
        ("My GTX 1234 T i", "oom-workload"),
        ("me  1234  0.0  1.0  991 812 pts/0 S+ 10:00 0:00 python a.py -m T x", "oom-workload"),
        ("me  1234  0.0  1.0  991 812 pts/0 T  10:00 0:00 ./detector", "oom-other-process"),
        ("1234 me  20   0 21.3g 3.1g 1.0g T  0.0  4.9  3:01.12 detector", "oom-other-process"),
        ("1234 pts/1    Tl     0:31 ./detector", "oom-other-process"),
    ],
)
def test_a_program_that_was_stopped_is_shown_by_the_shell_or_a_row_of_ps(shown: str, cause: str):
    assert ruled(FULL.format(shown)) == cause


def test_the_remedy_for_a_stopped_job_is_to_end_it():
    text = FULL.format("[2]+  Stopped                 python train.py")
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    assert root.finding.title.startswith("A job that was stopped, and not ended, keeps")
    assert root.finding.fix is not None
    assert root.finding.fix.commands == ("jobs",)
    assert "kill %NUMBER" in root.finding.fix.text
    assert root.finding.fix.safety is Safety.USER


HOLDER = "/opt/fah/FahCore_22"
ROW_OF_A_PROCESS = "|    {gpu}   N/A  N/A     {pid}      C   {name}            14000MiB |\n"


def held_by(name: str, pid: int = 7316, gpu: int = 0) -> str:
    return ROW_OF_A_PROCESS.format(gpu=gpu, pid=pid, name=name)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("I0102 FahCore_22.cc:1] CUDA out of memory", "oom-workload"),
        ("FahCore_22[1]: CUDA out of memory", "oom-workload"),
        ("1 FahCore_22", "oom-other-process"),
    ],
)
def test_the_number_of_a_process_stands_before_its_name(line: str, cause: str):
    assert ruled(f"{NO_MEMORY}{line}\n{held_by(HOLDER, pid=1)}") == cause
