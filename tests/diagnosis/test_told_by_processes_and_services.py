"""What ps, systemctl, make, lshw, Windows' where and a notebook's runner tell beside an error."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.pasted import read
from support.cases import ruled

TABLE = "|    0   N/A  N/A     {pid}      C   {name}            {held}MiB |\n"
OUT = "torch.OutOfMemoryError: CUDA out of memory.\n"
OF_GGML = "ggml_cuda_host_malloc: CUDA error: out of memory\n"
OLLAMA = TABLE.format(pid=7316, name="/usr/bin/ollama", held=14000)
PS = "$ ps -o user,pid,cmd -p 4711\nUSER       PID CMD\nmaria     4711 python {script} --bs 64\n"
PYTHON = TABLE.format(pid=4711, name="python", held=14000)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (OUT + OLLAMA, "oom-other-process"),
        (f"koboldcpp 1.70\n{OF_GGML}{OLLAMA}", "oom-other-process"),
        (OF_GGML + OLLAMA, "oom-workload"),  # its own words
        (f"I run ollama\n{OUT}{OLLAMA}", "oom-workload"),
        (OUT + PYTHON + PS.format(script="train_gpt.py"), "oom-other-process"),
        (OUT + PYTHON, "oom-workload"),
        (f'  File "train_gpt.py", line 3\n{OUT}{PYTHON}{PS.format(script="train_gpt.py")}',
         "oom-workload"),
        (OUT + PYTHON.replace("4711", "4712") + PS.format(script="train_gpt.py"), "oom-workload"),
        (OUT + OLLAMA.replace("14000", "300"), "oom-workload"),
    ],
)  # fmt: skip
def test_who_holds_the_memory_is_told_by_the_rows_of_processes(text: str, cause: str):
    assert ruled(text) == cause


FABRIC = """8x NVIDIA A100-SXM4-80GB
>>> torch.cuda.is_available()
False
$ dpkg -l | grep fabric
{state} nvidia-fabricmanager-535 {fabric}
$ cat /proc/driver/nvidia/version
NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.07  Sat Feb 17 22:55:48 UTC 2024
"""


@pytest.mark.parametrize(
    ("state", "fabric", "cause"),
    [
        ("ii", "535.154.05-0ubuntu0.22.04.1", "fabric-manager"),
        ("hi", "535.154.05-0ubuntu0.22.04.1", "fabric-manager"),
        ("hi", "535.161.07-1", "unknown"),
        ("rc", "535.154.05-1", "unknown"),
    ],
)
def test_fabric_manager_is_held_at_another_version(state: str, fabric: str, cause: str):
    assert ruled(FABRIC.format(state=state, fabric=fabric)) == cause


def test_a_driver_that_is_told_by_its_branch_is_of_no_other_version():
    assert ruled("Driver: 535\nii  nvidia-fabricmanager-535 535.154.05-1 amd64\n") == "unknown"


ACTIVE = """NVIDIA H100 80GB HBM3
>>> torch.cuda.is_available()
False
$ systemctl is-active nvidia-persistenced nvidia-fabricmanager
{first}
{second}
"""


@pytest.mark.parametrize(
    ("first", "second", "cause"),
    [("active", "failed", "fabric-manager"), ("failed", "active", "unknown")],
)
def test_systemctl_answers_for_each_service_in_turn(first: str, second: str, cause: str):
    assert ruled(ACTIVE.format(first=first, second=second)) == cause


ENDED = """Driver Version: 525.116.04
nvcc -O3 -arch=sm_70 src/spread.cu -o src/spread.o
/bin/sh: 1: nvcc: not found
{make}
"""


@pytest.mark.parametrize(
    ("make", "cause"),
    [
        ("make: *** [Makefile:114: src/spread.o] Error 127", "toolkit-missing"),
        ("make[2]: *** [Makefile:114: src/spread.o] Fehler 127", "toolkit-missing"),
        ("make: *** [Makefile:114: src/spread.o] Error 2", "unknown"),
        ("", "unknown"),
    ],
)
def test_make_wanted_the_nvcc_that_the_shell_does_not_know(make: str, cause: str):
    assert ruled(ENDED.format(make=make)) == cause


LSHW = """H/W path    Device  Class      Description
==========================================
/0/100/8            display    {device}
RuntimeError: Found no NVIDIA driver on your system.
"""


@pytest.mark.parametrize(
    ("device", "cause"),
    [
        ("Hyper-V virtual VGA", "no-nvidia-gpu"),
        ("GA102 [GeForce RTX 3090]", "driver-missing"),  # the maker is left out
        ("Some Graphics", "driver-missing"),
    ],
)
def test_a_short_list_of_lshw_shows_a_virtual_card_alone(device: str, cause: str):
    assert ruled(LSHW.format(device=device)) == cause


WHERE = """cupy-cuda12x 13.0.0, Windows 10, RTX 3070, driver 551.86
{error}
C:\\>where cufft64_11.dll
{answer}
"""
NOT_LOADED = "ImportError: DLL load failed while importing {}: {}"


@pytest.mark.parametrize(
    ("module", "words", "cause"),
    [
        ("cufft", "The specified module could not be found.", "cublas-missing"),
        ("cufft", "No se puede encontrar el módulo especificado.", "cublas-missing"),
        ("cublas", "Das angegebene Modul wurde nicht gefunden.", "cublas-missing"),
        ("cudnn", "The specified module could not be found.", "cudnn-missing"),
    ],
)
def test_a_module_of_cupy_bears_the_name_of_the_library_that_is_missing(
    module: str, words: str, cause: str
):
    text = WHERE.format(error=NOT_LOADED.format(module, words), answer="")
    assert ruled(text) == cause
    assert ruled(text.replace("cupy", "someone")) != cause


@pytest.mark.parametrize(
    "answer",
    [
        "INFO: Could not find files for the given pattern(s).",
        "INFORMATION: Es konnten keine Dateien mit dem angegebenen Muster gefunden werden.",
        "信息: 用提供的模式无法找到文件。",
        "INFORMACIÓN: no se pudo encontrar ningún archivo para los patrones dados.",
    ],
)
def test_where_answers_in_the_language_of_windows(answer: str):
    failed = 'OSError: [WinError 126] Error loading "C:\\torch\\lib\\fbgemm.dll"'
    text = f"Windows 11\n{failed}\nC:\\>where MSVCP140.dll\n{{}}\n"
    missing = names.LIBRARY_MISSING("msvcp140").name
    assert missing in read(text.format(answer))
    assert missing not in read(text.format("C:\\Windows\\System32\\MSVCP140.dll"))


NIX = """OS: NixOS
{config}
kernel: nouveau 0000:01:00.0: DRM: VRAM: 2048 MiB
"""


@pytest.mark.parametrize(
    ("config", "cause"),
    [
        ("boot.extraModulePackages = [ config.boot.kernelPackages.nvidia_x11 ];",
         "driver-not-loaded"),
        ('services.xserver.videoDrivers = [ "nvidia" ];', "driver-not-loaded"),
        ('services.xserver.videoDrivers = [ "modesetting" ];', "driver-missing"),
        ('# services.xserver.videoDrivers = [ "nvidia" ];', "driver-missing"),
    ],
)  # fmt: skip
def test_nixos_has_the_driver_in_its_configuration(config: str, cause: str):
    assert ruled(NIX.format(config=config)) == cause


CELLS = """Executing Cell 1---------------------------------------
import os, tensorflow as tf
print(tf.config.list_logical_devices('GPU'))
...
Ending Cell 1------------------------------------------
Executing Cell 3---------------------------------------
{code}
x = tf.random.normal([4, 4]); print(x.device, len(tf.config.list_physical_devices('GPU')))
/job:localhost/replica:0/task:0/device:GPU:0 {count}
Ending Cell 3------------------------------------------
"""


def test_a_count_stands_behind_the_name_of_a_device():
    late = 'os.environ["CUDA_VISIBLE_DEVICES"] = "3"'
    assert ruled(CELLS.format(code=late, count=4)) == "visible-devices-too-late"
    assert ruled(CELLS.format(code="pass", count=4)) == "healthy"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("发现两个节点都卡在了init nccl后", "nccl"),
        ("多机多卡训练时卡住 单机可以", "nccl"),
        ("多机多卡训练没有问题", "unknown"),
        ("nvcc 无法找到 cl.exe\nD:\\CUDA\\bin\\nvcc -c ext.cu", "toolkit-missing"),
    ],
)
def test_words_in_chinese(text: str, cause: str):
    assert ruled(f"{text}\n") == cause


def test_cupy_asks_for_no_library_of_another_cuda_than_its_own():
    text = "{}==12.0.0\nImportError: libnvJitLink.so.12: cannot open shared object file\n"
    assert ruled(text.format("cupy-cuda11x")) == "cuda-libs-mismatch"
    assert ruled(text.format("cupy-cuda12x")) == "cublas-missing"


STARTED = "ggml_cuda_init: {}\nllm_load_tensors: offloaded 33/33 layers to GPU\n"


def test_a_llama_that_could_not_start_cuda_put_no_layer_there():
    failed = "failed to initialize CUDA: no CUDA-capable device is detected"
    assert ruled(STARTED.format("found 1 CUDA devices:")) == "healthy"
    assert ruled(STARTED.format(failed)) != "healthy"


BUILTINS = """torch 2.0.1
RuntimeError: nvrtc: error: failed to open libnvrtc-builtins.so.11.7.
nvidia-cuda-nvrtc-cu11   {}
"""


def test_nvrtc_asks_for_its_own_library_by_the_release():
    assert ruled(BUILTINS.format("11.8.89")) == "cuda-libs-mismatch"
    assert ruled(BUILTINS.format("11.7.99")) == "cublas-missing"


QUERIED = """{error}
$ nvidia-smi --query-compute-apps={columns} --format=csv
{columns} [MiB]
{row}
$ nvidia-smi --query-gpu=index,pci.bus_id --format=csv,noheader
0, 00000000:1A:00.0
1, 00000000:1B:00.0
"""


@pytest.mark.parametrize(
    ("columns", "row", "told"),
    [
        ("pid,used_memory", "21877, 11185 MiB", None),  # of which GPU is not told
        ("gpu_bus_id,pid,used_memory", "00000000:1B:00.0, 21877, 11185 MiB", "1"),
        ("gpu_bus_id,pid,used_memory", "00000000:3D:00.0, 21877, 11185 MiB", None),
        ("pid,gpu_bus_id,used_gpu_memory", "21877, 00000000:1A:00.0, [N/A]", None),
        ("pid,gpu_bus_id", "21877, 00000000:1A:00.0, 11185 MiB", None),
    ],
)
def test_a_query_tells_of_each_process_by_the_place_of_its_gpu(
    columns: str, row: str, told: str | None
):
    facts = read(QUERIED.format(error=OUT, columns=columns, row=row))
    listed = [name for name in facts if name.endswith(".processes")]
    assert listed == ([names.GPU_PROCESSES(told).name] if told else [])


@pytest.mark.parametrize(
    ("error", "name", "cause"),
    [
        (OUT, "namd2_cuda", "oom-other-process"),
        ("CUDNN_STATUS_INTERNAL_ERROR\n", "namd2_cuda", "oom-other-process"),
        ("namd2_cuda: CUDA out of memory\n", "namd2_cuda", "oom-workload"),
        (OUT, "python", "oom-workload"),
    ],
)
def test_a_query_names_who_holds_the_memory(error: str, name: str, cause: str):
    row = f"18220, {name}, 11185 MiB"
    assert ruled(QUERIED.format(error=error, columns="pid,name,used_memory", row=row)) == cause


JAX = """jax[cuda12]==0.4.30
RuntimeError: Unable to load cuSPARSE. Is it installed?
nvidia-cuda-runtime-cu12  12.5.82
nvidia-cusparse-cu12      12.5.1.3
nvidia-nvjitlink-cu12     {}
"""


def test_nvjitlink_is_not_older_than_what_calls_it():
    assert ruled(JAX.format("12.1.105")) == "cuda-libs-mismatch"
    assert ruled(JAX.format("12.5.82")) == "library-path-conflict"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("dlerror: libcufft.so.10", "cublas-missing"),
        ("dlerror: libcufft.so.10 was there all along", "unknown"),
        ("@ray.remote\ndef f(i):\nRuntimeError: No CUDA GPUs are available",
         "hidden-by-visible-devices"),
        ("@ray.remote(num_gpus=1)\ndef f(i):\nRuntimeError: No CUDA GPUs are available",
         "unknown"),
    ],
)  # fmt: skip
def test_few_words_that_decide(text: str, cause: str):
    assert ruled(f"tensorflow 2.7.0\n{text}\n") == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ('fails with "no kernel image is available..."', "gpu-too-old"),
        ("Error running with GPU: no kernel image is available for execution", "gpu-too-old"),
        ("there is no kernel image available for this board yet", "unknown"),
        ("grub: error: no kernel image available", "unknown"),
    ],
)
def test_the_words_for_missing_code_are_cut_short(words: str, cause: str):
    assert ruled(f"NVIDIA Tesla K80\n{words}\n") == cause


def test_a_number_stands_before_the_word_error():
    assert ruled("GeForce GTX 1080 Ti\nan inconsistent cuda and 804 error\n") == "forward-compat"
    assert ruled("GeForce GTX 1080 Ti\nport 804 error of the web server\n") == "unknown"


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("CUDA error: unsupported PTX version", "driver-too-old"),
        ("CUDA error: no binary for GPU", "gpu-too-old"),
        ("CUDA error: not found", "unknown"),
        ("CUDA error: no device tree was built", "unknown"),
    ],
)
def test_a_code_is_told_by_its_name_in_words(words: str, cause: str):
    assert ruled(f"NVIDIA Tesla K80, Driver Version: 470.141.03\n{words}\n") == cause
