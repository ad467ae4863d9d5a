"""What comes too late, what was taken before, and what was there and not asked for."""

from __future__ import annotations

import pytest

from support.cases import ruled

# -- CUDA_VISIBLE_DEVICES below the start of CUDA ------------------------------------------------
SCRIPT = """torch 1.7.1, CUDA 10.2, {gpus}

{code}

The training is on {where}.
"""
SET = "os.environ['CUDA_VISIBLE_DEVICES'] = "
USE = "net = Net().cuda()"
ZEROS = "    torch.zeros(1, device='cuda')"
LATE = (
    f"import torch\n{USE}\n{SET}'2'",
    f"def main():\n{ZEROS}\n    {SET}'2'",
    f"import torch\nassert torch.cuda.is_available()\ndef main():\n    {SET}'2'",
)
IN_TIME = (
    f"import torch\n{SET}'2'\n{USE}",
    f"import torch\nnet = Net()\n{SET}'2'",  # an import alone does not start CUDA
    f"import torch\n{USE}\n{SET}'0'",  # which a program gets anyway
    f"import torch\n{USE}\n# {SET}'2'",
    f"import torch\n{USE}\n{SET}'2'\nprint(torch.cuda.device_count())\n1",
    # CUDA was looked at by itself, before the program was written down.
    f"torch.cuda.is_available()\nTrue\nimport torch\n{SET}'2'",
    f">>> torch.cuda.get_device_name(0)\n'Tesla V100'\n\n{SET}'2'",
    f"def check():\n{ZEROS}\n\ndef main():\n    {SET}'2'",  # a body runs when it is called
    f"I called torch.cuda.init() first.\n{SET}'2'",
    f"torch.cuda.is_available() is True\n{SET}'2'",
)


@pytest.mark.parametrize("code", LATE)
def test_a_variable_below_what_starts_cuda_comes_too_late(code: str):
    text = SCRIPT.format(gpus="Tesla V100", code=code, where="GPU 0")
    assert ruled(text) == "visible-devices-too-late"


@pytest.mark.parametrize("code", LATE)
def test_nobody_is_accused_of_it_who_gets_the_gpu_that_is_named(code: str):
    text = SCRIPT.format(gpus="Tesla V100", code=code, where="GPU 2")
    assert ruled(text) != "visible-devices-too-late"


@pytest.mark.parametrize("code", IN_TIME)
def test_above_it_or_elsewhere_it_does_not(code: str):
    text = SCRIPT.format(gpus="Tesla V100", code=code, where="GPU 0")
    assert ruled(text) != "visible-devices-too-late"


@pytest.mark.parametrize(("option", "late"), [("--gpu 3", True), ("--gpu=0", False)])
def test_what_an_option_names_is_what_it_is_given(option: str, late: bool):
    code = f"import torch\ntorch.cuda.init()\n{SET}opt.gpu\n$ python train.py {option}"
    text = SCRIPT.format(gpus="4x Tesla V100", code=code, where="the first GPU")
    assert (ruled(text) == "visible-devices-too-late") is late


NOTEBOOK = """[1]: import jax.numpy as jnp
     {first}
[2]: %env CUDA_VISIBLE_DEVICES=3
env: CUDA_VISIBLE_DEVICES=3
[3]: run(batch)
The training is on GPU 0.
"""


@pytest.mark.parametrize(
    ("first", "late"), [("print(jnp.ones(4).sum())", True), ("import numpy as np", False)]
)
def test_a_cell_sets_the_variable_below_one_that_computed(first: str, late: bool):
    assert (ruled(NOTEBOOK.format(first=first)) == "visible-devices-too-late") is late


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


# -- memory that another library of the same process keeps ---------------------------------------
BESIDE = """{code}
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total\
 capacity of 31.36 GiB of which 2.20 GiB is free. Including non-PyTorch memory, this process has\
 29.10 GiB memory in use. Of the allocated memory {own} is allocated by PyTorch, and 40.00 MiB is\
 reserved by PyTorch but unallocated.
"""


@pytest.mark.parametrize(
    ("code", "own", "cause"),
    [
        ("import jax, torch", "4.10 GiB", "oom-preallocation"),
        ("import tensorflow as tf", "4.10 GiB", "oom-preallocation"),
        ("from jax import numpy as jnp", "28.10 GiB", "oom-workload"),
        ("import torch", "4.10 GiB", "oom-workload"),
        (
            "import jax\nos.environ['XLA_PYTHON_CLIENT_PREALLOCATE'] = 'false'",
            "4.10 GiB",
            "oom-workload",
        ),
    ],
)
def test_what_a_process_holds_beside_pytorch_is_a_reserve(code: str, own: str, cause: str):
    assert ruled(BESIDE.format(code=code, own=own)) == cause


OLD = """{code}
RuntimeError: CUDA out of memory. Tried to allocate 50.00 MiB (GPU 0; 23.70 GiB total capacity;\
 1.10 GiB already allocated; 31.00 MiB free; {own} reserved in total by PyTorch)
"""


@pytest.mark.parametrize(
    ("code", "own", "cause"),
    [
        ("import torch, jax", "1.20 GiB", "oom-preallocation"),
        ("import torch, jax", "22.90 GiB", "oom-workload"),
        ("import torch", "1.20 GiB", "oom-other-process"),
        # It is wanted for its log files as often as for its tensors.
        ("import tensorflow as tf", "1.20 GiB", "oom-other-process"),
    ],
)
def test_an_older_message_counts_the_reserve_among_what_others_hold(
    code: str, own: str, cause: str
):
    assert ruled(OLD.format(code=code, own=own)) == cause


def test_what_a_message_says_of_another_process_is_that_ones():
    told = "Process 77 has 28.00 GiB memory in use. Including non-PyTorch memory"
    text = BESIDE.format(code="import jax", own="1.00 GiB").replace("29.10 GiB", "1.20 GiB")
    assert ruled(text.replace("Including non-PyTorch memory", told)) == "oom-other-process"


PROCESSES = """|    0   N/A  N/A      1200      C   python          17000MiB |
|    0   N/A  N/A      1300      C   python           2000MiB |
"""


def test_two_processes_in_the_table_hold_it_each_for_itself():
    text = OLD.format(code="import torch, jax", own="1.20 GiB") + PROCESSES
    assert ruled(text) == "oom-other-process"


# -- what is not there ---------------------------------------------------------------------------
MIG = """$ nvidia-smi
|   0  A100-PCIE-40GB      On   | 00000000:21:00.0 Off |                   {on} |
| N/A   30C    P0    35W / 250W |      0MiB / 40536MiB |      0%      Default |
|                               |                      |             {mode} |
+-------------------------------+----------------------+----------------------+
{devices}
CuPy 12.1 in a Singularity container
CUDARuntimeError: cudaErrorNoDevice: no CUDA-capable device is detected
"""
NONE = """| MIG devices:                                                                |
|=============================================================================|
|  No MIG devices found                                                       |"""


@pytest.mark.parametrize(
    ("on", "mode", "devices", "cause"),
    [
        ("On", " Enabled", NONE, "mig"),
        (" 0", "Disabled", "", "container-no-gpu"),
    ],
)
def test_mig_without_instances_leaves_a_container_nothing(
    on: str, mode: str, devices: str, cause: str
):
    assert ruled(MIG.format(on=on, mode=mode, devices=devices)) == cause


PACKAGES = """$ lspci -nn | grep -i nvidia
17:00.0 3D controller [0302]: NVIDIA Corporation GA100 [A100 PCIe 40GB] [10de:20f1] (rev a1)
$ dpkg -l | grep nvidia
{listed}$ sudo modprobe nvidia
modprobe: FATAL: Module nvidia not found in directory /lib/modules/5.10.0-28-amd64
"""
TOOLS = "ii  libnvidia-container1:amd64  1.13.5-1  amd64  NVIDIA container runtime library\n"
DRIVER = "ii  nvidia-driver  525.147.05-7~deb12u1  amd64  NVIDIA metapackage\n"


@pytest.mark.parametrize(
    ("listed", "cause"),
    [
        ("", "driver-missing"),
        (TOOLS, "driver-missing"),
        (DRIVER, "driver-not-loaded"),
        (TOOLS + DRIVER, "driver-not-loaded"),
        ("rc  nvidia-driver  525.1-1  amd64  NVIDIA metapackage\n", "driver-not-loaded"),
    ],
)
def test_packages_without_a_driver_and_no_module_are_no_driver(listed: str, cause: str):
    assert ruled(PACKAGES.format(listed=listed)) == cause


def test_packages_that_were_not_all_asked_for_say_nothing():
    text = PACKAGES.format(listed="").replace("grep nvidia\n", "grep nvidia-cuda-toolkit\n")
    assert ruled(text) == "driver-not-loaded"


BNB = """torch 2.0.1+cu118, bitsandbytes 0.38.1
{path}bitsandbytes{sep}cuda_setup{sep}main.py:149: UserWarning: WARNING: No libcudart.so found!\
 Install CUDA or the cudatoolkit package (anaconda)!
"""


@pytest.mark.parametrize(
    ("path", "sep", "missing"),
    [("/opt/venv/lib/python3.10/site-packages/", "/", True), ("D:\\venv\\Lib\\", "\\", False)],
)
def test_bitsandbytes_finds_no_run_time_library(path: str, sep: str, missing: bool):
    assert (ruled(BNB.format(path=path, sep=sep)) == "cudart-missing") is missing


# -- what is there and not asked for -------------------------------------------------------------
BLENDER = """GeForce RTX 3080
>>> [(d.name, d.use) for d in bpy.context.preferences.addons['cycles'].preferences.devices]
[('NVIDIA GeForce RTX 3080', {ticked}), ('Intel Core i9', False)]
>>> bpy.context.scene.cycles.device
'{device}'
"""


@pytest.mark.parametrize(
    ("ticked", "device", "falls"),
    [(True, "CPU", True), (True, "GPU", False), (False, "CPU", False)],
)
def test_a_scene_of_blender_is_rendered_where_it_says(ticked: bool, device: str, falls: bool):
    assert (ruled(BLENDER.format(ticked=ticked, device=device)) == "silent-cpu-fallback") is falls


LAMMPS = """$ cmake ../cmake -D {built}
$ nvidia-smi -L
GPU 0: Tesla V100-SXM2-16GB (UUID: GPU-11111111-1111-1111-1111-111111111111)
$ mpirun -np 8 lmp {asked}-in in.lj
LAMMPS (2 Aug 2023)
{told}Loop time of 20.1 on 8 procs for 100 steps with 32000 atoms
99.1% CPU use with 8 MPI tasks x 1 OpenMP threads
"""


@pytest.mark.parametrize(
    ("built", "asked", "told", "falls"),
    [
        ("PKG_GPU=on", "", "", True),
        ("PKG_GPU=on", "-sf gpu ", "", False),
        ("PKG_GPU=on", "", "- Using acceleration for lj/cut:\n", False),
        ("PKG_GPU=on", "", "suffix gpu\n", False),
        ("PKG_MOLECULE=on", "", "", False),
    ],
)
def test_lammps_uses_its_gpu_package_where_it_is_asked_to(
    built: str, asked: str, told: str, falls: bool
):
    text = LAMMPS.format(built=built, asked=asked, told=told)
    assert (ruled(text) == "silent-cpu-fallback") is falls


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
