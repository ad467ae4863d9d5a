"""What is asked next where nothing could be concluded: one question, and its answers move on."""

from __future__ import annotations

import subprocess
import sys
from itertools import chain

import pytest

import gpuprobe
from gpuprobe.diagnosis.causes import CAUSES
from gpuprobe.diagnosis.inquiry.choose import BESIDES, GROUPS, next_step, telling, told_apart
from gpuprobe.diagnosis.inquiry.confirming import CONFIRMING
from gpuprobe.diagnosis.inquiry.model import Platform, Question, platform_of
from gpuprobe.facts.model import Facts, Known
from gpuprobe.facts.pasted import read

QUESTIONS = tuple(chain.from_iterable(GROUPS))
ALL = (*QUESTIONS, *BESIDES, *CONFIRMING.values())
SMI = """\
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2     |
|-------------------------------+----------------------+----------------------+
|   0  Tesla T4            On   | 00000000:00:1E.0 Off |                    0 |
| N/A   28C    P8    14W /  70W |      2MiB / 15360MiB |      0%      Default |
+-----------------------------------------------------------------------------+
"""


def asked(pasted: str) -> str | None:
    step = gpuprobe.explain(pasted).diagnosis.next_step
    return None if step is None else step.id


#: A text that calls for each question, and one that is like it and calls for another.
CALLS = {
    "file-itself": ("~/my logs/torch on docker.log", "See my logs of torch: docker.log"),
    "mac": ("My MacBook with macOS 14 finds no GPU", "My Ubuntu laptop finds no GPU"),
    "kubernetes": ("My pod on Kubernetes gets no GPU", "My peas in a pod get no GPU"),
    "podman": ("With podman there is no GPU", "With docker there is no GPU"),
    "apptainer": ("apptainer has no GPU here", "There is no appetite for a GPU here"),
    "docker": ("In docker my program finds no GPU", "On the dock my program finds no GPU"),
    "driver-fails": (
        "On Ubuntu nvidia-smi fails, what shall I do",
        "On Windows 11 the program fails, what shall I do",
    ),
    "trace-cut": (
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    main()',
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    main()\nKeyError',
    ),
    "kernel-log": (
        "RuntimeError: CUDA error: initialization error",
        "RuntimeError: an initialization error",
    ),
    "nccl": (
        "On Linux my job uses nccl, and stops",
        "On Linux my job stops\nnvidia-nccl-cu12==2.20.5",
    ),
    "restarts": (
        "My Ubuntu machine always restarts while it trains",
        "My Ubuntu program always restarts while it trains",
    ),
    "extension": (
        "setup.py fails on nvcc when I build my extension of torch",
        "my model of torch fails",
    ),
    "ollama-in-docker": (
        "docker run -d --gpus all ollama/ollama\nno GPU is used",
        "Ollama does not use my GPU",
    ),
    "ollama": ("Ollama does not use my GPU", "My llama does not use my GPU"),
    "llama-cpp": ("llama.cpp leaves my GPU alone", "My llama leaves my GPU alone"),
    "slow": ("Training is very slow, GPU usage stays low", "Training stops"),
    "architecture": (
        "CUDA error: no kernel image is available for execution on the device",
        "torch: no kernel image is available",
    ),
    "libraries": (
        "On Ubuntu: OSError: libnvinfer.so.7: cannot open shared object file",
        "On Ubuntu: OSError: notes.txt: cannot open file",
    ),
    "torch-start": (
        f"{SMI}\n>>> torch.__version__\n'2.4.1+cu121'\n>>> torch.cuda.is_available()\nFalse",
        ">>> torch.__version__\n'2.4.1+cu121'\n>>> torch.cuda.is_available()\nFalse",
    ),
    "torch": ("PyTorch does not find the GPU", "My touch screen does not find the GPU"),
    "tensorflow": ("tensorflow finds no GPU", "The tension finds no end"),
    "jax": ("JAX runs on the CPU", "Ajax runs on the beach"),
    "onnxruntime": ("onnxruntime takes the CPU", "The onyx takes the light"),
    "cupy": ("cupy finds no GPU", "The cup finds no tea"),
    "numba": ("numba finds no GPU", "The number finds no GPU"),
    "paddle": ("PaddlePaddle finds no GPU", "The paddler finds no oar"),
    "toolkit": ("nvcc -V prints nothing", "The compiler prints nothing"),
    "jetson": ("My Jetson Orin Nano is not used", "My Orient is not used"),
    "nvidia-smi-inside": (
        "docker run --gpus all my/image\nThe GPU is not used",
        "In docker the GPU is not used",
    ),
    "nvidia-smi": ("GPU: RTX 3060\nIt is not used", "It is not used"),
    "displays": ("On Windows 11 nvidia-smi fails", "On Windows 11 nothing fails"),
    "gpuprobe": ("My GPU does not work", "PyTorch does not work"),
}
#: Questions that ask the same on another system are told by their commands.
SAME = {"displays": "driver-fails"}


@pytest.mark.parametrize("name", CALLS)
def test_text_calls_for_its_question_and_a_near_miss_does_not(name: str):
    text, near_miss = CALLS[name]
    assert asked(text) == SAME.get(name, name)
    assert asked(near_miss) != SAME.get(name, name)


@pytest.mark.parametrize(
    "told", ["my rtx 3080 is slow", "RTX 3080: it became slower, 2 it/s", "训练变慢了, RTX 3080"]
)
def test_who_says_that_it_is_slow_is_asked_to_look_while_it_works(told: str):
    step = gpuprobe.explain(told).diagnosis.next_step
    assert step is not None
    assert step.id == "slow"


def test_each_question_has_a_text_that_calls_for_it():
    assert {question.id for question in QUESTIONS} == CALLS.keys() - SAME.keys()


NO_TOOLKIT = """\
$ docker run --rm --gpus all ubuntu nvidia-smi
docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].
"""
MISMATCH = """\
[   12.3] NVRM: API mismatch: the client has the version 535.104.05, but
[   12.4] NVRM: this kernel module has the version 535.86.10.
"""
TWO_TOOLKITS = """\
$ nvcc -V
Cuda compilation tools, release 11.8, V11.8.89
$ python -c "import torch; print(torch.version.cuda)"
12.4
"""
OLLAMA_ON_GPU = (
    'level=INFO source=types.go:130 msg="inference compute" id=GPU-aa library=cuda variant=v12 '
    'compute=8.6 driver=12.4 name="NVIDIA GeForce RTX 3090" total="23.7 GiB"'
)
NVIDIA_SMI_CSV = "name, compute_cap, driver_version\nNVIDIA GeForce RTX 5090, 12.0, 570.86.10"
TORCH = "PyTorch version: 2.4.1+{}\nCUDA used to build PyTorch: {}\nIs CUDA available: {}"
TF_ON_GPU = """\
OrderedDict([('cuda_version', '12.5.1'), ('is_cuda_build', True)])
[PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU'), \
PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]
"""
TF_WITHOUT_CUDA = """\
OrderedDict([('is_cuda_build', False), ('is_rocm_build', False)])
[PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
"""
JAX = "jax:    0.4.30\njaxlib: 0.4.30\njax.devices (1 total, 1 local): [{}Device(id=0)]"
ORT = "1.17.0 {} ['{}ExecutionProvider', 'CPUExecutionProvider']"
#: What the commands print. After each the question is settled: a cause, or another question.
ANSWERS = {
    "kubernetes": ("Allocatable:\n  cpu: 8\n  nvidia.com/gpu:  0", "Allocatable:\n  cpu: 8"),
    "docker": (NO_TOOLKIT, f"$ docker run --rm --gpus all ubuntu nvidia-smi\n{SMI}"),
    "driver-fails": (MISMATCH, "$ lsmod | grep nouveau\nnouveau              2306048  1\n"),
    "displays": ("Microsoft PnP Utility\n\nInstance ID: PCI\\VEN_10DE\nStatus: Started\n",),
    "kernel-log": ("[ 99.1] NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.",),
    "extension": (TWO_TOOLKITS,),
    "ollama": ('source=gpu.go:604 msg="no compatible GPUs were discovered"', OLLAMA_ON_GPU),
    "slow": (SMI,),
    "architecture": (NVIDIA_SMI_CSV,),
    "torch-start": ("RuntimeError: Found no NVIDIA driver on your system.",),
    "torch": (
        TORCH.format("cu121", "12.1", True),
        TORCH.format("cpu", None, False),
        TORCH.format("cu121", "12.1", False),
    ),
    "tensorflow": (TF_ON_GPU, TF_WITHOUT_CUDA),
    "jax": (JAX.format("Cpu"), JAX.format("Cuda")),
    "onnxruntime": (ORT.format("CPU", "Azure"), ORT.format("GPU", "CUDA")),
    "cupy": ("CuPy Version : 13.2.0\nCUDA Runtime Version : 12040\nDevice 0 Name : NVIDIA A100",),
    "numba": ("Found 1 CUDA devices\nid 0    b'Tesla T4'    [SUPPORTED]",),
    "toolkit": ("Cuda compilation tools, release 11.8, V11.8.89",),
    "nvidia-smi-inside": (SMI,),
    "nvidia-smi": (SMI, "NVIDIA-SMI has failed because it couldn't communicate with the driver"),
}


@pytest.mark.parametrize(
    ("name", "answer"), [(name, answer) for name in ANSWERS for answer in ANSWERS[name]]
)
def test_answer_that_is_pasted_below_the_text_moves_on(name: str, answer: str):
    assert asked(f"{CALLS[name][0]}\n\n{answer}\n") != SAME.get(name, name)


def test_fault_that_an_answer_shows_is_one_that_the_question_tells_apart():
    [torch] = [question for question in QUESTIONS if question.id == "torch"]
    without_cuda = gpuprobe.explain(f"{CALLS['torch'][0]}\n{ANSWERS['torch'][1]}")
    assert without_cuda.diagnosis.root is not None
    assert without_cuda.diagnosis.root.cause in torch.readings[1].causes


@pytest.mark.parametrize("question", ALL, ids=lambda each: each.id)
def test_causes_of_the_readings_are_known(question: Question):
    assert {cause for each in question.readings for cause in each.causes} <= CAUSES.keys()


@pytest.mark.parametrize("question", ALL, ids=lambda each: each.id)
def test_commands_are_right_for_their_system(question: Question):
    for platform, commands in question.commands.items():
        for command in commands:
            if platform is Platform.WINDOWS:
                assert not {"sudo", "grep", "cat", "ls", "export"} & set(command.split())
                # where and set are other commands in PowerShell, and it has no &&.
                assert command.split()[0] not in ("where", "set")
                assert "&&" not in command
                assert "$" not in command.removeprefix("$env:")
            if platform is not Platform.WINDOWS:
                assert "%" not in command


@pytest.mark.parametrize(
    "code",
    sorted(
        {
            command.split('"')[1]
            for question in ALL
            for commands in question.commands.values()
            for command in commands
            if command.startswith("python -c")
        }
    ),
)
def test_one_liners_are_python(code: str):
    compile(code, "one-liner", "exec")
    quoted = code.replace("'", "").replace('"', "")
    assert not set(quoted) & set("$`!%^&|<>\\")  # neither shell touches what is left


def test_quotes_reach_python_through_a_shell():
    command = f'"{sys.executable}" -c "print(\'a;b\'); print((1, 2))"'
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)  # noqa: S602
    assert ran.stdout.split("\n")[:2] == ["a;b", "(1, 2)"]


@pytest.mark.parametrize(
    ("pasted", "platform"),
    [
        ("On Windows 11 it fails", Platform.WINDOWS),
        ("C:\\Users\\user\\venv> python train.py", Platform.WINDOWS),
        ("Ubuntu 22.04", Platform.LINUX),
        ("Ubuntu in WSL2 on Windows 11", Platform.WSL),
        ("Jetson Orin Nano", Platform.TEGRA),
        ("on Windows and on Linux alike", None),
        ("it fails", None),
    ],
)
def test_system_is_taken_from_the_text(pasted: str, platform: Platform | None):
    assert platform_of(read(pasted)) is platform


def test_where_the_system_is_not_known_both_commands_are_told():
    step = next_step(read("nvidia-smi fails"))
    assert step.commands[0].startswith("lsmod")
    assert step.otherwise == "on Windows: pnputil /enum-devices /class Display"


def test_framework_that_is_named_most_comes_first():
    assert asked("tensorflow and torch\ntensorflow finds no GPU") == "tensorflow"
    assert asked("tensorflow and torch\ntorch finds no GPU") == "torch"


def test_answers_that_leave_the_same_causes_tell_nothing_apart():
    [smi] = [each for each in QUESTIONS if each.id == "nvidia-smi" and len(each.readings) > 2]
    assert told_apart(smi, ("driver-missing", "driver-not-loaded")) == 1
    assert told_apart(smi, ("driver-missing", "no-nvidia-gpu")) == 0
    assert told_apart(smi, ()) == 0


def test_what_tells_more_is_asked_for_first():
    told = [each.how for each in gpuprobe.explain("GPU: RTX 3060\nPyTorch").diagnosis.missing]
    assert list(dict.fromkeys(told)) == [
        "python -m torch.utils.collect_env",
        "nvidia-smi",
        "pip list",
        "the whole message of the command that fails, from its first line on",
    ]


def test_facts_that_the_text_states_are_not_asked_for():
    missing = gpuprobe.explain("Driver Version: 535.104.05\ntorch 2.4.1\n").diagnosis.missing
    assert "driver.version" not in {each.fact for each in missing}


def test_topics_alone_make_no_fault():
    facts = Facts({"about.torch": Known(3, "line 1 of the text")})
    assert next_step(facts).id == "torch"


def test_possible_cause_is_made_sure_of_by_the_question_about_it():
    facts = read("CUDA unknown error on Ubuntu")
    step = telling(facts, "device-nodes")
    assert step is not None
    assert step.commands == ("ls -l /dev/nvidia*",)


def test_what_the_answer_shows_is_not_asked_again():
    listed = "$ ls -l /dev/nvidia*\ncrw-rw-rw- 1 root root 195, 255 Jan 1 00:00 /dev/nvidiactl\n"
    whole = listed + "crw-rw-rw- 1 root root 510, 0 Jan 1 00:00 /dev/nvidia-uvm\n"
    step = telling(read(f"On Ubuntu\n{whole}"), "device-nodes")
    assert step is None or step.id != "device-files"


def test_cause_without_a_question_of_its_own_is_told_by_the_one_that_leaves_fewest_beside_it():
    step = telling(read("On Ubuntu: torch 2.4.1\n"), "driver-not-loaded")
    assert step is not None
    assert step.commands == ("nvidia-smi",)


def test_wsl_is_not_asked_for_files_that_only_linux_has():
    step = telling(read("WSL2: torch 2.4.1"), "device-nodes")
    assert step is None or step.id != "device-files"


def test_where_nothing_tells_a_cause_nothing_is_asked():
    assert telling(read("On Ubuntu"), "numpy-abi") is None


@pytest.mark.parametrize(("cause", "question"), CONFIRMING.items(), ids=lambda each: str(each)[:30])
def test_question_about_a_cause_leaves_it_alone(cause: str, question: Question):
    assert (cause,) in {each.causes for each in question.readings} or cause == "gpu-too-new"


@pytest.mark.parametrize(
    ("cause", "linux", "windows"),
    [
        ("visible-devices-too-late", "CUDA_VISIBLE_DEVICES=1 python PROGRAM", "python PROGRAM"),
        ("user-code", "CUDA_LAUNCH_BLOCKING=1 python PROGRAM", "python PROGRAM"),
        ("library-path-conflict", "env -u LD_LIBRARY_PATH python PROGRAM", None),
    ],
)
def test_second_run_makes_sure_of_a_cause(cause: str, linux: str, windows: str | None):
    step = telling(read("On Ubuntu 22.04: torch 2.4.1"), cause)
    assert step is not None
    assert step.commands == (linux,)
    there = telling(read("On Windows 11: torch 2.4.1"), cause)
    last = None if there is None else there.commands[-1]
    assert last == windows or (windows is None and last != linux)


@pytest.mark.parametrize("pasted", ["", "Peel four apples, and mix butter, flour and sugar."])
def test_of_a_text_about_something_else_it_is_said_that_it_states_nothing(pasted: str):
    step = gpuprobe.explain(pasted).diagnosis.next_step
    assert step is not None
    assert step.text.startswith("the text states nothing of a GPU")


def test_of_a_text_that_speaks_of_trouble_it_is_not_said_that_it_states_nothing():
    step = gpuprobe.explain("My GPU does not work").diagnosis.next_step
    assert step is not None
    assert step.text.startswith("run this on that machine")
