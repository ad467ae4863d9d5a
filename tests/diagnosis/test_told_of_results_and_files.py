"""Results that are compared, files that somebody misses, boxes that are ticked: and what is not."""

from __future__ import annotations

import pytest

from gpuprobe import explain
from support.cases import named, ruled

FORM = "GPU model: NVIDIA RTX 3090\nJAX 0.4.25, CUDA 12.4\n"
DIFFER = FORM + "I see that the results differ depending on whether the function is jitted."


def test_results_that_are_compared_were_computed():
    assert ruled(DIFFER) == "healthy"


@pytest.mark.parametrize(
    "pasted",
    [
        DIFFER.removeprefix("GPU model: NVIDIA RTX 3090\n"),  # no GPU is named
        DIFFER + "\nRuntimeError: CUDA error: an illegal memory access was encountered",
        DIFFER + "\nAnd training is very slow.",
        DIFFER.replace("results differ", "drivers differ"),
        DIFFER.replace("depending on", "between versions, depending on"),
    ],
)
def test_of_other_differences_nothing_follows(pasted: str):
    assert ruled(pasted) != "healthy"


WINDOWS = "I start the program on Windows 10 and it ends at once.\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "It is told that VCRUNTIME140.dll and MSVCP140.dll can't be found.",
            "msvc-runtime-missing",
        ),
        ("Process Monitor says that it can't find cublas64_80.dll.", "cublas-missing"),
        ("So cudart64_110.dll isn't found, as PATH is not searched.", "cudart-missing"),
        ("It complains about cudnn64_7.dll.", "cudnn-missing"),
        ("If cublas64_80.dll isn't found, install CUDA 8.", "unknown"),
        ("cublas64_80.dll is no longer missing.", "unknown"),
        ("It can't find opencv_world.dll and qt5core.dll.", "unknown"),
    ],
)
def test_a_sentence_tells_which_dll_is_missing(told: str, cause: str):
    assert ruled(WINDOWS + told) == cause


BOXES = "Are you using a GPU?\n- [{}] NVIDIA\n- [ ] AMD\n- [{}] Intel\n"
OLD_DRIVER = "CUDA failure 35: CUDA driver version is insufficient for CUDA runtime version\n"


@pytest.mark.parametrize(
    ("nvidia", "intel", "cause"),
    [(" ", "x", "no-nvidia-gpu"), ("x", " ", "driver-too-old"), ("x", "x", "driver-too-old")],
)
def test_the_box_that_alone_is_ticked_tells_the_maker(nvidia: str, intel: str, cause: str):
    assert ruled(OLD_DRIVER + BOXES.format(nvidia, intel)) == cause


def test_a_box_that_is_not_ticked_tells_no_system():
    failing = "CUDA error: no CUDA-capable device is detected\n- [{}] Linux in WSL\n"
    assert ruled(failing.format("x")) == "wsl"
    assert ruled(failing.format(" ")) != "wsl"


NO_CARD = "nvidia-container-cli: initialization error: driver error: failed to process request\n"


def test_a_container_gets_no_gpu_of_a_laptop_that_has_none():
    assert ruled(NO_CARD + "There is no NVIDIA card in my laptop.") == "no-nvidia-gpu"
    assert ruled(NO_CARD) == "container-no-gpu"


STUBS = (
    "pip install torch==1.10.0+cu113\nERROR: Could not find a version that satisfies the "
    "requirement torch==1.10.0+cu113 (from versions: {})\n"
    "ERROR: No matching distribution found for torch==1.10.0+cu113\n"
)


def test_of_the_first_releases_alone_none_is_a_build():
    assert ruled(STUBS.format("0.1.2, 0.1.2.post1, 0.1.2.post2")) == "python-unsupported"
    assert ruled(STUBS.format("1.4.0, 1.5.0, 1.6.0, 1.10.0")) == "unknown"


COMMAND = (
    "Python 3.{} (main, Oct 24 2022, 18:26:48)\nRuntimeError: Couldn't install torch.\n"
    'Command: "/opt/venv/bin/python" -m pip install torch==1.12.1+cu113 torchvision==0.13.1\n'
)


def test_the_table_tells_why_a_release_could_not_be_installed():
    assert ruled(COMMAND.format("11.0")) == "python-unsupported"
    assert ruled(COMMAND.format("10.6")) == "unknown"
    cut = 'Python {}\nRuntimeError: Couldn\'t install torch.\nCommand: "python" -m pip install {}\n'
    assert ruled(cut.format("3.11.1", "torch==1.12.")) == "python-unsupported"
    assert ruled(cut.format("3.10.6", "torch==1.12.")) == "unknown"
    assert ruled(cut.format("3.11.1", "torch==")) == "unknown"


UNDEFINED = "OSError: /opt/lib/mpi_lib.so: undefined symbol: {}\nCUDA 9.0, TensorFlow 1.8.0\n"


def test_a_newer_compiler_asks_the_run_time_for_what_it_lacks():
    assert ruled(UNDEFINED.format("__cudaPopCallConfiguration")) == "toolkit-mismatch"
    assert ruled(UNDEFINED.format("__cudaUnregisterFatBinary")) != "toolkit-mismatch"


IMAGE = (
    "RuntimeError: CUDA runtime implicit initialization on GPU:0 failed. Status: device kernel "
    "image is invalid\ntensorflow==2.3.1\nGPU: {}\n"
)


def test_a_gpu_that_is_newer_than_tensorflows_cuda_takes_none_of_its_code():
    assert ruled(IMAGE.format("GeForce RTX 3080")) == "gpu-too-new"
    assert ruled(IMAGE.format("GeForce RTX 2080")) != "gpu-too-new"


HASHCAT = (
    "hashcat (v3.10) starting...\nOpenCL Platform #1: {}\n- Device #1: {}, 1048576/1048576 MB\n"
)


def test_mesa_drives_the_gpu_where_its_name_is_the_chips():
    assert ruled(HASHCAT.format("Mesa", "NV118")) == "driver-missing"
    assert ruled(HASHCAT.format("NVIDIA Corporation", "NVS 310")) != "driver-missing"


def test_a_driver_for_linux_has_no_place_in_wsl():
    setting_up = "Setting up nvidia-dkms-460 (460.32.03-0ubuntu1) ...\n"
    assert ruled("I use WSL2 with Ubuntu.\n" + setting_up) == "wsl"
    assert ruled("I use Ubuntu.\n" + setting_up) == "unknown"


LAUNCH = "RuntimeError: CUDA error: unspecified launch failure\n"


def test_a_gpu_that_stays_away_is_not_the_programs_fault():
    assert ruled(LAUNCH + 'Since then nvidia-smi has "ERR!" in its row.') == "device-lost"
    assert ruled(LAUNCH) == "user-code"


NO_NUMBER = "ValueError: invalid literal for int() with base 10: '{}'"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (NO_NUMBER.format("NoDevFiles"), "hidden-by-visible-devices"),
        (NO_NUMBER.format("all"), "unknown"),
        (" libcudnn (R5) not found in library path.", "cudnn-missing"),
        ('x.cu(8): error: argument of type "cudnnAddMode_t" is incompatible with parameter',
         "cudnn-mismatch"),
        ("Error: CUDAExecutionProvider is not avaiable in onnxruntime", "cpu-only-build"),
        ("ib_umad has not been loaded, fabric manager cannot be started", "fabric-manager"),
    ],
)  # fmt: skip
def test_a_line_by_itself(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("My venv has `onnxruntime` as well as `onnxruntime-gpu` in it.", "mixed-installs"),
        ("It needs onnxruntime as well as onnxruntime-tools.", "unknown"),
        (
            "cuda.is_available() gives True. But it is the CPU that does the work.",
            "silent-cpu-fallback",
        ),
        (
            "cuda.is_available() gives True. And it is the GPU that does the work.",
            "healthy",
        ),
        ("Although small, my tf.Session() takes the memory of all GPUs.", "oom-preallocation"),
        ("Although small, my tf.Session() takes the memory of one GPU.", "unknown"),
        ("I ran lspci: it has `rev ff` in the line of my card.", "device-lost"),
        ("I ran lspci: it has `rev a1` in the line of my card.", "unknown"),
        ("My miner is slow: the memory temperature stands at 110 degrees.", "power-thermal"),
        ("My miner is slow: the memory temperature stands at 80 degrees.", "unknown"),
        ("My training on 16 GPUs comes to a standstill at the first AllReduce.", "nccl"),
        ("Before 2.18 my training came to a standstill at the first AllReduce.", "unknown"),
        ("我的这块卡就完全用不了了\uff0c只有把服务器重启一遍才恢复。", "device-lost"),
        ("我的这块卡就完全用不了了\uff0c要把 kernel 重启一遍。", "unknown"),
    ],
)
def test_a_sentence_of_the_reporters(told: str, cause: str):
    assert ruled(told) == cause


CUT = (
    ">>> torch.cuda.is_available()\nTrue\n$ python detect.py\n"
    'Traceback (most recent call last):\n  File "detect.py", line 285, in <module>\n    main(opt)\n'
)


def test_of_a_traceback_without_its_error_nobody_knows_what_it_tells():
    report = explain(CUT)
    assert named(report) == "unknown"
    step = report.diagnosis.next_step
    assert step is not None
    assert "traceback ends before its error" in step.text


def test_of_a_traceback_with_its_error_one_does():
    assert ruled(CUT + "KeyError: 'names'") == "healthy"
    assert ruled(CUT.partition("Traceback")[0]) == "healthy"
