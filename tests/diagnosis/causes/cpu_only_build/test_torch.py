"""A build without CUDA, as PyTorch and what stands on it tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

JETSON = "JetPack Version: 6.0, L4T 36.3.0\n{}>>> torch.cuda.is_available()\nFalse\n"
SEES_NONE = "torch.cuda.is_available() returns False\n"
CONDA = "I ran conda install -c pytorch pytorch=1.9.0 torchvision cudatoolkit={cuda}\n"
NO_TORCH = (
    ">>> import torch\n>>> print(torch.__version__)\n{}\n>>> torch.cuda.is_available()\nFalse"
)
SELECTED = "{:<26}{:<26}{}\n"
NONE = "your machine only has: []\nYou requested GPUs: [0]\n"
NO_DEVICE = ">>> torch.cuda.is_available()\nFalse\n"
CPU_BUILD = ">>> torch.__version__\n'2.1.0+cpu'\n" + NO_DEVICE
SMI = """| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |
|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
| N/A   41C    P8     9W /  70W |  {used}MiB / 15109MiB |      0%      Default |
"""
HYBRID = """01:00.0 VGA compatible controller: NVIDIA Corporation TU104 [GeForce RTX 2080]
\tKernel driver in use: vfio-pci
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (JETSON.format(""), "cpu-only-build"),
        (
            (
                "GPU: NVIDIA GeForce RTX 3060 Ti\n"
                "Ultralytics YOLOv8.1.3 Python-3.10.11 torch-2.1.0+cpu\n"
                "torch.cuda.is_available(): False"
            ),
            "cpu-only-build",
        ),
        (
            (
                "RuntimeError: ProcessGroupNCCL is only supported with GPUs, no GPUs found!\n"
                "torch==2.2.1+cpu"
            ),
            "cpu-only-build",
        ),
        ("torch.cuda.is_available() False. torch.__version__ '2.0.1+cpu'", "cpu-only-build"),
        ("- PyTorch version (GPU?): 2.4.0+cu121 (False)", "unknown"),
        ("print(torch.cuda.is_available()) and then -> see the docs", "unknown"),
        (
            (
                "torch version .................... 2.1.0+cpu\n"
                "AssertionError: CUDA_HOME does not exist, unable to compile CUDA op(s)"
            ),
            "cpu-only-build",
        ),
        ("AttributeError: module 'torch._C' has no attribute '_cuda_setDevice'", "cpu-only-build"),
        (
            (
                "TORCH CUDA version not installed/working.\npackage: torch 2.1.0+cpu\n"
                "torch 2.1.0+cpu pypi_0"
            ),
            "cpu-only-build",
        ),
        ("pip replaces my torch 2.1.0+cu121 with the CPU version", "cpu-only-build"),
        ("each installation overwrites torch with the cpu only build", "cpu-only-build"),
        (SEES_NONE + "I installed it on Windows 11, and I have CUDA 12.2", "cpu-only-build"),
        (SEES_NONE + "on Windows 11 in WSL, I have CUDA 12.2", "wsl"),
        ("torch.cuda.is_available()一直是False\nwin10 有cuda12.2", "cpu-only-build"),
        (SEES_NONE + CONDA.format(cuda="11.3"), "cpu-only-build"),
        ("PyTorch built with CUDA:         False\nGPU: A100", "cpu-only-build"),
        ("pytorch    1.4.0    py3.7_cpu_0  [cpuonly]  pytorch\n", "cpu-only-build"),
        (
            "  pytorch-nightly   pytorch/linux-64::pytorch-nightly-1.2.0-py3.7_cpu_0",
            "cpu-only-build",
        ),
        ("user@agx-orin:~$ python3\n" + NO_TORCH.format("1.12.0"), "cpu-only-build"),
        ("user@agx:~$ python3\n" + NO_TORCH.format("1.12.0"), "unknown"),
        ("user@agx-orin:~$ python3\n" + NO_TORCH.format("2.1.0a0+41361538.nv23.06"), "unknown"),
        (NONE + SELECTED.format("_pytorch_select", "0.1", "cpu_0"), "cpu-only-build"),
        (
            "torch.cuda.is_available(): True\n"
            + SELECTED.format("pytorch", "1.10.0", "py3.9_cuda11.3_cudnn8.2.0_0    pytorch")
            + SELECTED.format("_pytorch_select", "0.1", "cpu_0"),
            "healthy",
        ),
        (
            "spacy.prefer_gpu() returns True if a GPU was found, else False\n" + CPU_BUILD,
            "cpu-only-build",
        ),
        (
            "torch.cuda.is_available() returns True if a GPU was found\n" + CPU_BUILD,
            "cpu-only-build",
        ),
        (">>> spacy.prefer_gpu()\nTrue\n" + CPU_BUILD, "cpu-only-build"),
        (
            '$ docker inspect db\n "DeviceRequests": null,\n$ docker inspect torch\n'
            ' "DeviceRequests": [\n' + CPU_BUILD,
            "cpu-only-build",
        ),
        (
            (
                f"{HYBRID}In the VM:\n{SMI.format(used=0)}torch 2.1.0+cpu\n"
                ">>> torch.cuda.is_available()\nFalse\n"
            ),
            "cpu-only-build",
        ),
    ],
)
def test_a_build_without_cuda_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


SEES = ">>> torch.cuda.is_available()\nTrue\n"


@pytest.mark.parametrize(
    "text",
    [
        JETSON.format("torch 2.1.0a0+41361538.nv23.06\n"),  # NVIDIA's own build
        "module 'torch._C' has no attribute '_jit_set_profiling'",
        "** TORCH CUDA version installed and working. **",
        "- Installing torch (2.1.0+cpu): Failed\n",
        SEES_NONE + "I have CUDA 12.2",
        SEES_NONE + "I installed it on Windows 11",
        SEES_NONE + CONDA.format(cuda="11.1"),
        "PyTorch built with CUDA:         True\nGPU: A100",
        SEES + "Tip: run `watch nvidia-smi` while training to see GPU use.\n" + SMI.format(used=0),
        (
            "- Installing torch (2.1.0+cpu)\n- Updating torch (2.1.0+cpu -> 2.1.0+cu121)\n"
            ">>> torch.cuda.is_available()\nFalse\n"
        ),
    ],
)
def test_kin_of_a_build_without_cuda_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        "Ultralytics YOLOv8.1.3 Python-3.10.11 torch-2.1.0+cu121 CUDA:0",
    ],
)
def test_this_is_not_a_build_without_cuda(text: str):
    assert ruled(text) != "cpu-only-build"


@pytest.mark.parametrize(("used", "cause"), [("0", "cpu-only-build"), ("ON", "unknown")])
def test_torch_shows_the_settings_of_its_build(used: str, cause: str):
    shown = f"PyTorch built with:\n  - Build settings: BLAS_INFO=mkl, USE_CUDA={used}, USE_MKL=ON,"
    assert ruled(f"GPU: RTX 3060\n{shown}\n") == cause


MODULE_550 = (
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.107.02  Wed Jul 24 23:53:00 UTC 2024\n"
)
ROW = "ii  libnvidia-compute-550:amd64  {now}-0ubuntu0.24.04.1  amd64  NVIDIA libcompute package\n"


def test_a_build_for_the_cpu_sees_no_gpu_whatever_the_driver_is():
    torch = "torch 2.1.0+cpu\n>>> torch.cuda.is_available()\nFalse\n"
    assert ruled(MODULE_550 + ROW.format(now="550.120") + torch) == "cpu-only-build"


def test_who_sees_the_gpu_all_the_same_has_the_build() -> None:
    seen = "torch.cuda.is_available(): True\n"
    assert ruled(seen + "pip replaces torch with the CPU version") != "cpu-only-build"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ('Under "About" it shows "2.1.0+cpu"', "cpu-only-build"),
        ("For torchaudio it says 2.1.0+cpu", "unknown"),
        ('If it says "2.1.0+cpu", install another', "unknown"),
    ],
)
def test_a_version_for_the_cpu_is_seen_without_its_name(told: str, cause: str):
    assert ruled(f"GPU: RTX 3060. My images take minutes.\n{told}\n") == cause


NEW_MACHINE = "I have a problem with my new machine.\n"


def test_words_of_a_program_decide_before_a_sentence() -> None:
    words = "AssertionError: Torch not compiled with CUDA enabled"
    text = f"{NEW_MACHINE}My container cannot access the GPU\n{words}"
    assert ruled(text) == "cpu-only-build"


XFORMERS = """OS: Windows
Caching STDERR: xFormers can't load C++/CUDA extensions. xFormers was built for:
Caching STDERR:     PyTorch 2.6.0+cu124 with CUDA 1204 (you have {})
"""


@pytest.mark.parametrize(
    ("torch", "cause"),
    [
        ("2.6.0+cpu", "cpu-only-build"),
        ("2.5.1+cu124", "extension-mismatch"),
        ("2.7.0+cu128", "extension-mismatch"),
    ],
)
def test_the_torch_that_xformers_finds_may_be_one_for_the_cpu(torch: str, cause: str):
    assert ruled(XFORMERS.format(torch)) == cause


ASKED_AFTER = '{}python -c "import torch; print(torch.cuda.is_available())"\n{}\n'
ON_WINDOWS = ASKED_AFTER.format("PS C:\\work> ", False)
ON_LINUX = ASKED_AFTER.format("$ ", False)
TAKEN = (
    "    Found existing installation: torch {0}\n    Uninstalling torch-{0}:\n"
    "      Successfully uninstalled torch-{0}\n"
)
DONE = "Successfully installed accelerate-0.30.0 torch-{}\n"
SUPERSEDED = (
    "  pytorch  pytorch::pytorch-1.10.0-py3.9_cuda11.3_cudnn8.2.0_0 --> "
    "pkgs/main::pytorch-1.10.2-cpu_py39hfa7516b_0\n"
)
SERVED = "The current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_75 sm_86 sm_90.\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (TAKEN.format("2.1.0+cu121") + DONE.format("2.3.0") + ON_WINDOWS, "cpu-only-build"),
        (DONE.format("2.1.0+cu121") + DONE.format("2.3.0") + ON_WINDOWS, "cpu-only-build"),
        (" - torch==2.6.0+cu124\n + torch==2.6.0+cpu\n" + ON_LINUX, "cpu-only-build"),
        (SUPERSEDED + ON_LINUX, "cpu-only-build"),
        (
            "I uninstalled torch 2.1.0+cu121 and have torch 2.1.0+cpu now\n" + ON_LINUX,
            "cpu-only-build",
        ),
        ("my list says pytorch 1.12.1 py3.9_cpu_0 pytorch\n" + ON_LINUX, "cpu-only-build"),
        ("torch.version.cuda None\ntorch.cuda.is_available() False", "cpu-only-build"),
        (SERVED + "If you want to use the RTX 5080 GPU with PyTorch, please", "gpu-too-new"),
        (TAKEN.format("2.0.1+cpu") + DONE.format("2.0.1+cu118") + ON_LINUX, "unknown"),
        (DONE.format("2.3.0+cpu") + DONE.format("2.3.0+cu121") + ON_LINUX, "unknown"),
        ("- torch==2.6.0+cu124\n- numpy==1.26\n" + ON_LINUX, "unknown"),
        (SERVED + "If you want to use the RTX 3080 GPU with PyTorch, please", "unknown"),
    ],
)
def test_what_was_put_there_last_is_what_there_is(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


NO_CUBLAS = "ImportError: libcublas.so.11: cannot open shared object file: No such file\n"
TOO_OLD = "UserWarning: The NVIDIA driver on your system is too old (found version 11040).\n"
IDLE = """● nvidia-fabricmanager.service - NVIDIA fabric manager service
     Active: inactive (dead)
GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-aaaa)
{failing}"""


@pytest.mark.parametrize(
    ("failing", "cause"),
    [
        (f"torch 2.1.0+cpu\n{NO_DEVICE}", "cpu-only-build"),
        (NO_CUBLAS + NO_DEVICE, "cublas-missing"),
        (TOO_OLD + NO_DEVICE, "driver-too-old"),
        (NO_DEVICE, "fabric-manager"),
    ],
)
def test_an_idle_fabric_manager_is_not_blamed_for_what_fails_otherwise(failing: str, cause: str):
    assert ruled(IDLE.format(failing=failing)) == cause


FOR_CPU = "AssertionError: Torch not compiled with CUDA enabled\n"


@pytest.mark.parametrize(
    ("hearsay", "failing", "cause"),
    [
        ("My colleague gets a permission error on the GPU devices.", FOR_CPU, "cpu-only-build"),
        (
            "Some users got permission problems on the GPU devices; mine are 0666.",
            NO_CUBLAS,
            "cublas-missing",
        ),
    ],
)
def test_files_that_are_closed_to_others(hearsay: str, failing: str, cause: str):
    assert ruled(f"{hearsay}\n{failing}") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        # A remote desktop and a server's console are such adapters beside a card that works.
        (f"GPU: NVIDIA RTX A4000, Microsoft Basic Display Adapter\n{FOR_CPU}", "cpu-only-build"),
        (f"Video: NVIDIA RTX A4000, Microsoft Basic Display Adapter\n{SEES}", "healthy"),
        ("The Microsoft Basic Display Adapter is used when no NVIDIA driver is there.", "unknown"),
        (f"xformers is_available: False\n{SEES}", "healthy"),
        (f"NPU is_available: False\n{SEES}", "healthy"),
        (f"CUDA 10.0, is_available: True\n{SEES}", "healthy"),
        (
            "print(torch.cuda.is_available())  # False on my machine\ntorch 2.1.0+cpu",
            "cpu-only-build",
        ),
    ],
)
def test_what_is_said_of_others_is_not_said_of_torch_or_the_card(text: str, cause: str):
    assert ruled(f"OS: Windows 11\n{text}\n") == cause


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("where /R C:\\project msvcp140.dll", "cpu-only-build"),
        ("where C:\\project:msvcp140.dll", "cpu-only-build"),
        ("where msvcp140.dll", "cpu-only-build"),  # no DLL has failed
    ],
)
def test_where_looked_in_a_folder_of_its_own_or_for_nothing(where: str, cause: str):
    answer = "INFO: Could not find files for the given pattern(s).\n"
    assert ruled(f"C:\\> {where}\n{answer}{FOR_CPU}") == cause


@pytest.mark.parametrize(
    ("command", "cause"),
    [
        ("It was created by `conda install pytorch cpuonly -c pytorch`", "cpu-only-build"),
        ("$ mamba create -n e pytorch torchvision cpuonly", "cpu-only-build"),
        ("Try `conda install pytorch cpuonly -c pytorch`", "unknown"),
        ("$ conda install pytorch pytorch-cuda=12.1 -c pytorch", "unknown"),
        ("$ conda remove cpuonly pytorch", "unknown"),
    ],
)
def test_conda_is_asked_for_the_build_without_cuda(command: str, cause: str):
    assert ruled(f"{command}\nMisconfigurationException: No supported gpu backend found!") == cause
    assert ruled(f"{command}\nRuntimeError: CUDA out of memory.") == "oom-workload"


@pytest.mark.parametrize(
    ("python", "rust", "cause"),
    [
        ("True", "false", "cpu-only-build"),
        ("True", "true", "healthy"),
        ("False", "false", "unknown"),
    ],
)
def test_libtorch_of_a_program_of_rusts_is_not_pythons(python: str, rust: str, cause: str):
    asked = f">>> torch.cuda.is_available()\n{python}\n"
    printed = f'println!("Cuda available: {{:?}}", Cuda::is_available());\n> {rust}\n'
    assert ruled(asked + printed) == cause


YES_THEN_NO = """torch.cuda.is_available() is True in the notebook.
In a file of its own
print(torch.cuda.is_available())
{}
PyTorch version: 2.0.1
CUDA used to build PyTorch: None
"""


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("started by !python file.py it is False.", "cpu-only-build"),
        ("run by another Python this prints False", "cpu-only-build"),
        ("If it is False, the driver is missing.", "healthy"),
        ("started by !python file.py it is True.", "healthy"),
    ],
)
def test_a_no_below_a_yes_is_what_is_asked_of(said: str, cause: str) -> None:
    assert ruled(YES_THEN_NO.format(said)) == cause


WHISPER = (
    "C:\\venv\\Lib\\whisper\\transcribe.py:115: UserWarning: {}; using FP32 instead\ntorch 2.4.0\n"
)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (WHISPER, "cpu-only-build"),
        (WHISPER.replace("C:\\venv\\Lib", "/opt/venv/lib"), "unknown"),
        ("Performing inference on CPU when CUDA is available\n" + WHISPER, "silent-cpu-fallback"),
    ],
)
def test_whisper_on_windows_sees_no_gpu_with_the_torch_of_pypi(pasted: str, cause: str):
    assert ruled(pasted.format("FP16 is not supported on CPU")) == cause
