"""Who holds a GPU, what make and Ray were asked for, and words of the same shape that mean less."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names, said
from gpuprobe.facts.pasted import read
from support.cases import ruled

NOTHING = "unknown", "healthy"
SEES = ">>> torch.cuda.is_available()\nTrue\n"
NO_GPU = "RuntimeError: No CUDA GPUs are available\n"
OUT = "torch.OutOfMemoryError: CUDA out of memory.\n"
TABLE = "|    {gpu}   N/A  N/A     {pid}      C   {name}            14000MiB |\n"
HOLDER = "/opt/fah/FahCore_22"


def held_by(name: str, pid: int = 7316, gpu: int = 0) -> str:
    return TABLE.format(gpu=gpu, pid=pid, name=name)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("llama runner process has terminated: CUDA error: out of memory\n"
         + held_by("/usr/bin/ollama"), "oom-workload"),
        ("model runner has unexpectedly stopped: cudaMalloc failed: out of memory\n"
         + held_by("/opt/cuda_v12/ollama_llama_server"), "oom-workload"),
        ("ggml_cuda_host_malloc: CUDA error: out of memory\n" + held_by("/opt/koboldcpp-linux"),
         "oom-workload"),
        ("ggml_cuda_host_malloc: CUDA error: out of memory\n" + held_by(HOLDER),
         "oom-other-process"),
        (OUT + held_by("[Not Found]"), "oom-workload"),
        (OUT + held_by("[Insufficient Permissions]"), "oom-workload"),
        (OUT + held_by("nvidia-cuda-mps-server"), "oom-workload"),
        (OUT + held_by(HOLDER), "oom-other-process"),
    ],
)  # fmt: skip
def test_the_program_itself_or_nobody_is_named_in_the_row(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("I0102 FahCore_22.cc:1] CUDA out of memory", "oom-workload"),
        ("FahCore_22[1]: CUDA out of memory", "oom-workload"),
        ("1 FahCore_22", "oom-other-process"),
    ],
)
def test_the_number_of_a_process_stands_before_its_name(line: str, cause: str):
    assert ruled(f"{OUT}{line}\n{held_by(HOLDER, pid=1)}") == cause


PS = "$ ps -ef\nUID        PID  PPID  C STIME TTY          TIME CMD\n"
OF_PS = "maria    {pid} {parent}  99 10:00 ?  00:10:00 python train_net.py --bs 64\n"


@pytest.mark.parametrize(
    ("row", "beside", "cause"),
    [
        (OF_PS.format(pid=4711, parent=1), "", "oom-other-process"),
        (OF_PS.format(pid=5000, parent=4711), "", "oom-workload"),  # its child
        (OF_PS.format(pid=4711, parent=1), "$ tail train_net.log\n", "oom-workload"),
    ],
)
def test_a_script_is_known_by_the_number_of_its_own_process(row: str, beside: str, cause: str):
    assert ruled(PS + row + beside + OUT + held_by("python", pid=4711)) == cause


ASKED = "nvidia-smi --query-compute-apps={} --format=csv,noheader"
BY_NAME, BY_UUID = "pid,name,used_memory", "gpu_uuid,pid,name,used_memory"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"$ {ASKED.format(BY_NAME)}\n77, {HOLDER}, 9000 MiB\n", "oom-other-process"),
        (f"{ASKED.format(BY_NAME)}\n77, {HOLDER}, 9000 MiB\n", "oom-other-process"),
        (f"Use {ASKED.format(BY_NAME)}, for example:\n77, {HOLDER}, 9000 MiB\n", "oom-workload"),
        (f"$ {ASKED.format(BY_NAME)}\n77, [Not Found], 9000 MiB\n", "oom-workload"),
        (f"$ {ASKED.format(BY_UUID)}\nGPU-aa, 77, {HOLDER}, 9000 MiB\n", "oom-other-process"),
        (
            (
                f"$ {ASKED.format(BY_UUID)}\nGPU-aa, 77, {HOLDER}, 9000 MiB\n"
                "GPU-bb, 78, python, 8000 MiB\n"
            ),
            "oom-workload",
        ),
    ],
)
def test_a_query_shows_the_only_gpu_or_tells_which(text: str, cause: str):
    assert ruled(OUT + text) == cause


def test_a_row_of_a_process_does_not_number_its_gpu():
    asked = "$ nvidia-smi --query-compute-apps=pid,gpu_bus_id,used_memory --format=csv,noheader\n"
    facts = read(asked + "12, 00000000:1B:00.0, 9000 MiB\n")
    assert names.GPU_PROCESSES("12").name not in facts


def test_a_query_beside_a_table_gives_the_first_gpu_no_stranger():
    table = held_by("python", gpu=0) + held_by(HOLDER, gpu=1, pid=77)
    query = f"$ {ASKED.format(BY_NAME)}\n77, {HOLDER}, 14500 MiB\n"
    assert said.GPU_STRANGER("0").name not in read(OUT + table + query)


TASK = "@ray.remote\ndef load(path):\n    return path\n"


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("", "hidden-by-visible-devices"),
        ("ray.init(num_cpus=8, num_gpus=1)\n", "hidden-by-visible-devices"),
        ("w = W.options(num_gpus=0).remote()\n", "hidden-by-visible-devices"),
        ("@ray.remote(num_gpus=1)\nclass Trainer:\n", "unknown"),
        ("w = W.options(num_gpus=0.5).remote()\n", "unknown"),
        ("ScalingConfig(num_workers=2, use_gpu=True)\n", "unknown"),
        ("tune.run(train, resources_per_trial={'gpu': 1})\n", "unknown"),
    ],
)
def test_another_task_of_ray_asks_for_a_gpu(code: str, cause: str):
    assert ruled(TASK + code + NO_GPU) == cause


ENDED = "make: *** [Makefile:10: all] Error 127\n"
NO_NVCC = "/bin/sh: 1: nvcc: not found\n"


@pytest.mark.parametrize(
    "text",
    [
        "$ nvcc --version\nbash: nvcc: command not found\n$ make\nmake: protoc: No such file\n"
        + ENDED,
        f"{NO_NVCC}Building for the CPU.\n/bin/sh: 1: clang-format: not found\n{ENDED}",
        NO_NVCC + "make: [Makefile:3: about] Error 127 (ignored)\n",
    ],
)
def test_make_wanted_another_program(text: str):
    assert ruled(text + SEES) in NOTHING


def test_make_of_windows_wanted_nvcc_itself():
    missed = "'nvcc' is not recognized as an internal or external command,\n"
    ended = "NMAKE : fatal error U1077: '{}' : return code '0x1'\n"
    assert ruled(missed + ended.format("nvcc") + SEES) == "toolkit-missing"
    assert ruled(missed + ended.format("rc") + SEES) in NOTHING


@pytest.mark.parametrize(
    "text",
    [
        "多机训练没有卡住, 速度正常",
        "多机运行不会卡住",
        "多机训练时如果卡住, 请检查防火墙",
        "之前多机训练卡住, 升级后解决了",
        "多机多卡训练正常, 但是数据加载卡住了很久",
        "多机环境下载模型卡住",
        "程序不是卡在 NCCL, 而是卡在数据读取",
        "昇腾 NPU 多机训练卡住, HCCL 超时",
        "如果提示 nvcc 找不到 cl.exe, 请安装 Visual Studio",
        "编译 lxml 时无法找到 cl.exe",
    ],
)
def test_chinese_words_of_other_things(text: str):
    assert ruled(f"{text}\n") == "unknown"


@pytest.mark.parametrize(
    "text", ["多机多卡训练, 一直卡住, 怎么解决", "程序卡在nccl初始化, 没有报错"]
)
def test_chinese_words_of_a_run_that_hangs(text: str):
    assert ruled(f"{text}\n") == "nccl"


@pytest.mark.parametrize(
    "text",
    [
        "MIG: it said insufficient permissions, with sudo it works.",
        "You do not have sufficient permissions to enable MIG mode.",
        "The MIG manager's pod has insufficient permissions to label the node.",
        "The service account has insufficient permissions on the managed instance group (MIG).",
        "Not a MIG problem: insufficient permissions to write the log.",
        "The CDI spec does not include /dev/nvidia-modeset, which CUDA does not need.",
        "WSL environment detected but no adapters were found means an old driver of Windows.",
        "nvidia-container-cli: version 1.14.3",
        "nvidia-container-cli: 1.14.3, libnvidia-container 1.14.3",
        (
            "bar.cpp:3: error: exception specification is incompatible with that of previous\n"
            'function "bar" (declared at line 12 of bar.h)'
        ),
        "GPU: Tesla K80\n$ docker run nvcr.io/nvidia/tritonserver:22.07-py3-sdk perf_analyzer",
        "GPU: Tesla K80\n$ docker run nvcr.io/nvidia/tritonserver:22.07-cpu-only-py3",
    ],
)
def test_words_of_the_same_shape_mean_less(text: str):
    assert ruled(f"{text}\n") == "unknown"


def test_the_functions_of_glibc_are_told_in_the_line_below():
    text = "h.h(2556):\nerror: exception specification is incompatible with that of previous\n"
    assert ruled(text + 'function "cospi" (declared at line 79 of\n') == "toolkit-mismatch"


def test_a_llama_that_started_cuda_after_a_failure_put_its_layers_there():
    failed = "ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device is detected\n"
    later = "ggml_cuda_init: found 1 CUDA devices:\n"
    facts = read(f"{failed}{later}llm_load_tensors: offloaded 33/33 layers to GPU\n")
    assert facts.known(said.FRAMEWORK_COMPUTED("llama-cpp-python")) is True
