"""Texts in which a line stands late, or somebody holds memory, and that is not what fails."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.diagnosis.model import Safety
from support.cases import ruled

# -- CUDA_VISIBLE_DEVICES below the start of CUDA ------------------------------------------------
START = "torch.cuda.is_available()"
SET = 'os.environ["CUDA_VISIBLE_DEVICES"] = '
BELOW = f'{START}\n{SET}"1"\n'
TOO_BIG = (
    "RuntimeError: CUDA out of memory. Tried to allocate 30.00 GiB (GPU 0; 23.69 GiB total"
    " capacity; 1.00 GiB already allocated; 22.00 GiB free; 1.10 GiB reserved in total by PyTorch)"
)
JAX = f'jax.random.PRNGKey(0)\n{SET}"1"\n'
NO_JAXLIB = (
    "WARNING: An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not"
    " installed. Falling back to cpu."
)
NO_KERNELS = (
    "NVIDIA GeForce RTX 3090 with CUDA capability sm_86 is not compatible with the current PyTorch"
    " installation."
)
OLD_DRIVER = (
    "RuntimeError: The NVIDIA driver on your system is too old (found version 10010). Please update"
    " your GPU driver"
)
CUDNN = "libcudnn_ops_infer.so.8"
NOT_OPENED = ": cannot open shared object file: No such file or directory"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (BELOW + NO_KERNELS, "gpu-too-new"),
        (BELOW + OLD_DRIVER, "driver-too-old"),
        (f"{BELOW}ImportError: libcublas.so.11{NOT_OPENED}", "cublas-missing"),
        (
            f"{BELOW}Could not load library {CUDNN}. Error: {CUDNN}{NOT_OPENED}",
            "cudnn-missing",
        ),
        (f"{BELOW}RuntimeError: CUDA error: device-side assert triggered", "user-code"),
        (BELOW + TOO_BIG, "oom-workload"),
        (JAX + NO_JAXLIB, "cpu-only-build"),
    ],
)
def test_a_late_line_does_not_explain_what_a_program_says_of_itself(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        f'>>> {START}\nTrue\n>>> {SET}"1,0"',
        f'import os, torch\n{BELOW}subprocess.run(["torchrun", "train.py"])',
        f"import os, torch\n{BELOW}test_train.py::test_step PASSED\n1 passed in 3.11s",
        f'import os, torch\nif not {START}:\n    {SET}"1"\n',
        f"{BELOW}It runs on GPU 1, my colleague's job on GPU 0.",
        f"{BELOW}My colleague's training runs on GPU 0.",
        f"{BELOW}Should it run on GPU 0?",
        f"{BELOW}ollama is a server here and its process stays on GPU 0.",
        f'{START}\n{SET}"0";\nTraining runs on GPU 0 and takes all day.',
        f'{START}\n{SET}str("0")\nTraining runs on GPU 0 and takes all day.',
        f"{BELOW}The server process stays on GPU 0.",
        f'{START}\n{SET}"1,2"\nThe training runs on both GPUs as I wanted.',
        f'{START}\n{SET}"1,2"\nThe training runs on all the GPUs as I wanted.',
    ],
)
def test_a_late_line_is_no_fault_where_nothing_shows_another_gpu(text: str):
    assert ruled(text) in ("unknown", "healthy")


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
    assert ruled(f"{TWO}{SET}{value}\n{told}") == "unknown"


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
    text = f"{TWO}{SET}{value}\nThe training sits on GPU 0."
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
    text = f'GPU: {listed}x GeForce RTX 3090\n{START}\n{SET}"{value}"\nThe training runs on {told}.'
    assert (ruled(text) == "visible-devices-too-late") is late


ROWS = """|   0  NVIDIA GeForce RTX 3090        On  | 00000000:01:00.0 Off |                  N/A |
|   1  NVIDIA GeForce RTX 3090        On  | 00000000:02:00.0 Off |                  N/A |
"""
DIFFER = (
    "RuntimeError: device >= 0 && device < num_gpus INTERNAL ASSERT FAILED at CUDAContext.cpp:50."
    " device=1, num_gpus=1"
)


@pytest.mark.parametrize(("code", "late"), [("", False), (f'import torch\n{SET}"1"\n', True)])
def test_two_counts_differ_by_a_variable_where_code_sets_one(code: str, late: bool):
    assert (ruled(code + ROWS + DIFFER) == "visible-devices-too-late") is late


TWICE = "ncclInvalidUsage: Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 1000"


@pytest.mark.parametrize(
    ("set_device", "cause"),
    [
        ("torch.cuda.set_device(0)", "user-code"),
        ("torch.cuda.set_device(rank)", "visible-devices-too-late"),
    ],
)
def test_ranks_meet_on_the_first_gpu_where_code_sets_it(set_device: str, cause: str):
    assert ruled(f"import torch\n{set_device}\n{SET}str(local_rank)\n{TWICE}") == cause


@pytest.mark.parametrize(
    ("told", "late"),
    [
        ("works, but my colleague's job uses two GPUs.", False),
        ("works, but with DataParallel it takes two GPUs minutes to start.", False),
        ("is set, but it uses two GPUs.", True),
        ("is set. The training still uses two GPUs.", True),
        ("is set, however nvidia-smi shows that it occupies two GPUs.", True),
    ],
)
def test_who_uses_more_gpus_than_are_named_is_the_program(told: str, late: bool):
    text = f'I set os.environ["CUDA_VISIBLE_DEVICES"] = "0"\nIt {told}'
    assert (ruled(text) == "visible-devices-too-late") is late


@pytest.mark.parametrize(
    ("told", "late"),
    [
        ("My script works on one card, but the baseline uses 4 gpus.", False),
        ("It works, but the paper uses 8 GPUs.", False),
        ("It works, but my script uses 4 gpus.", True),
    ],
)
def test_who_uses_more_gpus_is_no_paper(told: str, late: bool):
    text = f'import os, torch\n{SET}"0"\n{told}'
    assert (ruled(text) == "visible-devices-too-late") is late


def test_the_remedy_names_what_the_code_wants_and_what_started_cuda_is_shown():
    text = f'{TWO}{SET}"1"\nThe training sits on GPU 0.'
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    assert root.finding.fix is not None
    assert root.finding.fix.commands == ("CUDA_VISIBLE_DEVICES=1 python PROGRAM",)
    assert any("torch.cuda.init()" in str(each) for each in root.finding.evidence)


# -- memory that is kept in advance --------------------------------------------------------------
OLD = (
    "RuntimeError: CUDA out of memory. Tried to allocate 50.00 MiB (GPU 0; 23.70 GiB total"
    " capacity; 1.10 GiB already allocated; 31.00 MiB free; 1.20 GiB reserved in total by PyTorch)"
)
FRAME = '  File "/srv/app/numbers.py", line 3, in <module>\n    import jax.numpy as jnp'
SMI = "|    0   N/A  N/A      1200      C   {name}      18000MiB |"
XORG = "|    0   N/A  N/A      900      G   /usr/lib/xorg/Xorg      60MiB |"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("import jax", "oom-preallocation"),
        (">>> import jax", "oom-preallocation"),
        (f"import jax\n{SMI.format(name='python')}", "oom-preallocation"),
        ("# import jax", "oom-other-process"),
        ("I do not import jax anywhere, only torch.", "oom-other-process"),
        (FRAME, "oom-other-process"),
        (f"import jax\n{SMI.format(name='/opt/other/bin/python')}", "oom-other-process"),
        (f"import jax\n{SMI.format(name='python')}\n{XORG}", "oom-preallocation"),
        ('import jax\njax.config.update("jax_platform_name", "cpu")', "oom-other-process"),
        ('import jax\n# jax.config.update("jax_platforms", "cpu")', "oom-preallocation"),
    ],
)
def test_an_import_is_a_line_of_code_beside_numbers_that_it_explains(told: str, cause: str):
    assert ruled(f"{told}\n{OLD}") == cause


NEW = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total"
    " capacity of 31.36 GiB of which 2.20 GiB is free. Including non-PyTorch memory, this process"
    " has 29.10 GiB memory in use. Of the allocated memory 4.10 GiB is allocated by PyTorch, and"
    " 40.00 MiB is reserved by PyTorch but unallocated."
)
ENVIRON = 'os.environ["{}"] = "{}"'


@pytest.mark.parametrize(
    ("framework", "setting", "keeps"),
    [
        ("jax", ENVIRON.format("XLA_PYTHON_CLIENT_MEM_FRACTION", ".2"), False),
        ("jax", ENVIRON.format("XLA_PYTHON_CLIENT_MEM_FRACTION", ".59"), True),
        ("jax", ENVIRON.format("XLA_PYTHON_CLIENT_MEM_FRACTION", "0.9"), True),
        ("jax", 'jax.config.update("jax_platform_name", "cpu")', False),
        ("jax", SMI.format(name="/opt/other/bin/python"), True),
        ("tensorflow", "config.gpu_options.allow_growth = True", False),
        ("tensorflow", "gpu_options=tf.GPUOptions(allow_growth=True)))  # less", False),
        ("tensorflow", "gpu_options.allow_growth = True did not help because it is old.", True),
        ("jax", ENVIRON.format("JAX_PLATFORMS", "cpu"), False),
        ("jax", ENVIRON.format("TF_FORCE_GPU_ALLOW_GROWTH", "true"), True),
        ("tensorflow", ENVIRON.format("TF_FORCE_GPU_ALLOW_GROWTH", "true"), False),
        ("tensorflow", ENVIRON.format("JAX_PLATFORMS", "cpu"), True),
        ("tensorflow", "tf.config.experimental.set_memory_growth(gpu, True)", False),
        ("tensorflow", "# tf.config.experimental.set_memory_growth(gpu, True)", True),
        ("tensorflow", "tf.config.set_visible_devices([], 'GPU')", False),
    ],
)
def test_a_framework_keeps_no_memory_that_was_told_not_to(
    framework: str, setting: str, keeps: bool
):
    text = f"import {framework}\n{setting}\n{NEW}"
    assert (ruled(text) == "oom-preallocation") is keeps


DEVICE = (
    "Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with {mb} MB memory)"
    " -> physical GPU (device: 0, name: {name}, pci bus id: 0000:01:00.0)\n"
)
NO_ROOM = "ResourceExhaustedError: failed CUDA_ERROR_OUT_OF_MEMORY: out of memory\n"
OF_ITS_OWN = (
    "E tensorflow/stream_executor/cuda/cuda_driver.cc:802] failed to alloc 4294967296 bytes on"
    " host: cuMemAlloc returned CUDA_ERROR_OUT_OF_MEMORY: out of memory\n"
)
SCRAP = DEVICE.format(mb=256, name="GeForce RTX 2080") + NO_ROOM


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (SCRAP, "oom-other-process"),
        (DEVICE.format(mb=256, name="GeForce GT 1030") + NO_ROOM, "oom-workload"),
        (f"tf.config.LogicalDeviceConfiguration(memory_limit=256)\n{SCRAP}", "oom-workload"),
        (f"tf.GPUOptions(per_process_gpu_memory_fraction=0.05)\n{SCRAP}", "oom-workload"),
        (f"GPUOptions(per_process_gpu_memory_fraction=args.share)\n{SCRAP}", "oom-workload"),
        (f"GPUOptions(per_process_gpu_memory_fraction=0.9)\n{SCRAP}", "oom-other-process"),
        (f"python train.py --gpu_memory_fraction 0.1\n{SCRAP}", "oom-workload"),
        (DEVICE.format(mb=9500, name="GeForce RTX 2080 Ti") + OF_ITS_OWN, "oom-workload"),
    ],
)
def test_a_small_device_of_tensorflow_may_be_what_was_asked_for(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("cards", "cause"),
    [
        (("GeForce 940MX", "GeForce 920MX", "GeForce GTX 950M"), "oom-workload"),
        (("Quadro K1100M", "Quadro M1000M", "NVIDIA Tegra X1"), "oom-workload"),
        (("GRID M10-1Q", "NVIDIA A16-1Q"), "oom-workload"),
        (("GeForce GTX 1060 6GB", "Tesla T4", "NVIDIA A16", "TITAN Xp"), "oom-other-process"),
    ],
)
def test_a_thousand_megabytes_are_little_of_a_large_card_alone(cards: tuple[str, ...], cause: str):
    wanted = "OOM when allocating tensor with shape[64,512]\n"
    assert {ruled(DEVICE.format(mb=1000, name=each) + wanted) for each in cards} == {cause}


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


# -- packages of one module ----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("installed", "shadowed"),
    [
        ("faiss-cpu==1.7.4\nfaiss-gpu==1.7.2", True),
        ("faiss-gpu==1.7.2\nfaiss-gpu-cu12==1.8.0", False),
    ],
)
def test_a_build_for_gpus_is_shadowed_by_one_for_the_cpu(installed: str, shadowed: bool):
    lacks = "AttributeError: module 'faiss' has no attribute 'StandardGpuResources'"
    placed = gpuprobe.explain(f"{installed}\n{lacks}").diagnosis.placed
    assert ("GP601" not in {each.rule.code for each in placed}) is shadowed
