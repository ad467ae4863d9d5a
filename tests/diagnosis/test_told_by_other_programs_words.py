"""What single programs say, each beside a text of the same shape that says something else."""

from __future__ import annotations

import pytest

from support.cases import ruled

NOT_IN_JAVA = "ai.onnxruntime.OrtException: This binary was not compiled with CUDA support.\n"
FEWER = "ConfigurationError: Experiment specified GPU device 2 but there {there} devices available."
STUCK = (
    "tf.distribute.MirroredStrategy is stuck.\nbatch_all_reduce: 4 all-reduces with algorithm = "
)
NULLPTR = '{file}(436): error: identifier "nullptr" is undefined\n'
APT = "{package} : Depends: python3 (< 3.11) but 3.12.3-0ubuntu1 is to be installed\n"
LAYER = 'CUDA backend will fallback to the CPU implementation for the layer "Gelu_4" of type Gelu\n'
NVLS = "This is usually caused by a system or configuration error in the {what}."


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (NOT_IN_JAVA, "cpu-only-build"),
        (
            NOT_IN_JAVA + "com.microsoft.onnxruntime:onnxruntime:jar:1.12.1:compile\n"
            "com.microsoft.onnxruntime:onnxruntime_gpu:jar:1.12.1:compile\n",
            "mixed-installs",
        ),
        (
            NOT_IN_JAVA + "com.microsoft.onnxruntime:onnxruntime:jar:1.12.1:compile\n",
            "cpu-only-build",
        ),
        (FEWER.format(there="are only 1"), "user-code"),
        (FEWER.format(there="are only 0"), "unknown"),
        (STUCK + "nccl, num_packs = 1\n", "nccl"),
        (STUCK.replace("is stuck", "is used") + "nccl, num_packs = 1\n", "unknown"),
        (
            NULLPTR.format(file="/usr/lib/gcc/x86_64-linux-gnu/6/include/stddef.h"),
            "toolkit-mismatch",
        ),
        (NULLPTR.format(file="src/mine.cu"), "unknown"),
        (APT.format(package="python3-libnvinfer"), "python-unsupported"),
        (APT.format(package="python3-numpy"), "unknown"),
        (LAYER, "silent-cpu-fallback"),
        (LAYER.replace("fallback", "not fall back"), "unknown"),
        (NVLS.format(what="Fabric Manager or NVSwitches"), "fabric-manager"),
        (NVLS.format(what="network"), "unknown"),
        ("NVRM: 0000:00:03.0: Failed to create a DMA mapping!\n", "device-lost"),
        ("xhci: Failed to create a DMA mapping!\n", "unknown"),
        (
            "unable to execute '/usr/local/cuda-9.0/bin/nvcc': No such file or directory\n",
            "toolkit-missing",
        ),
        ("unable to execute '/usr/local/bin/gcc': No such file or directory\n", "unknown"),
        (
            "AttributeError: 'module' object has no attribute 'StandardGpuResources'\n",
            "cpu-only-build",
        ),
        ("AttributeError: 'module' object has no attribute 'StandardResources'\n", "unknown"),
        ("nvidia-smi says that it cannot communicate to the driver\n", "driver-not-loaded"),
        ("nvidia-smi says how to communicate to the driver\n", "unknown"),
        (
            (
                "After the reboot I started seeing errors when I tried to run a job. "
                "It complained about nvidia-uvm module not being loaded\n"
            ),
            "device-nodes",
        ),
        ("Slurm with Pyxis does without the nvidia-uvm module?\n", "unknown"),
        (
            "On linux it seems the GPU is capped at 80W even though this laptop can go to 105W.\n",
            "power-thermal",
        ),
        ("In my settings the GPU is capped at 80W, which is what I want.\n", "unknown"),
    ],
)
def test_a_program_names_what_is_wrong(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("the system is one without an NVidia GPU", "no-nvidia-gpu"),
        ("the system is one without an NVidia GPU driver of 2020", "driver-too-old"),
    ],
)
def test_somebody_tells_that_there_is_no_gpu(sentence: str, cause: str):
    error = "CUDA error 35: CUDA driver version is insufficient for CUDA runtime version.\n"
    assert ruled(f"{error}{sentence}\n") == cause


NOT_FOUND = """\
ERROR: Could not find a version that satisfies the requirement onnxruntime==1.16.3 \
(from versions: 1.17.0, 1.17.1)
ERROR: No matching distribution found for onnxruntime==1.16.3
"""


def test_what_pip_did_not_find_is_not_installed():
    assert ruled(NOT_FOUND) == "python-unsupported"
    assert ruled("onnxruntime==1.16.3\nonnxruntime.get_device()\nCPU\n") == "cpu-only-build"


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


FULL = """\
ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4437.80 MiB on device 0: \
cudaMalloc failed: out of memory
|   0  NVIDIA L4                     TCC   | 00000000:3B:00.0 Off |                    0 |
| N/A   61C    P0              34W /  72W |  20911MiB / 23034MiB |      0%      Default |
|    0   N/A  N/A      7316      C   {program}  {held}MiB |
{last}
"""


@pytest.mark.parametrize(
    ("program", "held", "last", "cause"),
    [
        ("/opt/relion/bin/relion_refine", 20788, "", "oom-other-process"),
        ("/opt/relion/bin/relion_refine", 300, "", "oom-workload"),
        ("/opt/relion/bin/relion_refine", 20788, "I run relion_refine", "oom-workload"),
        ("/usr/bin/python3", 20788, "", "oom-workload"),
    ],
)
def test_a_program_that_is_named_in_the_table_alone_is_another_one(
    program: str, held: int, last: str, cause: str
):
    assert ruled(FULL.format(program=program, held=held, last=last)) == cause


ARENA = """Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with {took} MB \
memory) -> physical GPU (device: 0, name: NVIDIA GeForce RTX 2080 Ti, pci bus id: 0000:01:00.0, \
compute capability: 7.5)
ai.onnxruntime.OrtException: {file}:342 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, \
bool) Failed to allocate memory for requested buffer of size 67108864
"""


@pytest.mark.parametrize(
    ("took", "file", "cause"),
    [
        (10066, "onnxruntime/core/framework/bfc_arena.cc", "oom-preallocation"),
        (512, "onnxruntime/core/framework/bfc_arena.cc", "oom-other-process"),
    ],
)
def test_tensorflow_left_nothing_to_onnx_runtime(took: int, file: str, cause: str):
    assert ruled(ARENA.format(took=took, file=file)) == cause


CONSOLE_OF_R = """> tf$config$list_physical_devices("GPU")
[[1]]
PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')
[[2]]
PhysicalDevice(name='/physical_device:GPU:1', device_type='GPU')
> Sys.setenv(CUDA_VISIBLE_DEVICES = "3")
> m %>% fit(x, y)
{told}
"""


@pytest.mark.parametrize(
    ("told", "late"), [("Still GPU 0 is used.", True), ("Now GPU 3 is used.", False)]
)
def test_the_variable_comes_too_late_in_r(told: str, *, late: bool):
    assert (ruled(CONSOLE_OF_R.format(told=told)) == "visible-devices-too-late") is late


PROFILED = (
    "f  :    CPU:   89.229 us   +/- 4.806 (min: 85.6) us     {other}:  103.849 us   +/- 4.9 us\n"
)


@pytest.mark.parametrize(("other", "cause"), [("GPU-0", "healthy"), ("CPU-1", "unknown")])
def test_cupy_timed_work_on_the_gpu(other: str, cause: str):
    assert ruled(PROFILED.format(other=other)) == cause
