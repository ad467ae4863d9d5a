"""What linkers, exporters, miners and other programs than the large frameworks tell of a GPU."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

SM = """TensorRT 6.0.1.5, {gpu}
[E] [TRT] ../rtSafe/cuda/caskUtils.cpp (80) - Assertion Error in trtSmToCask: 0 ({why})
"""


@pytest.mark.parametrize(
    ("gpu", "why", "cause"),
    [
        ("GeForce RTX 3090", "Unsupported SM.", "gpu-too-new"),
        ("GeForce GTX 680", "Unsupported SM.", "gpu-too-old"),
        ("GeForce RTX 3090", "out of range", "unknown"),
        ("a GPU", "Unsupported SM.", "unknown"),
    ],
)
def test_an_old_tensorrt_has_no_kernels_for_the_gpu(gpu: str, why: str, cause: str):
    assert ruled(SM.format(gpu=gpu, why=why)) == cause


@pytest.mark.parametrize(
    ("told", "year"),
    [
        ("The program can't start because MSVCP120.dll is missing from your computer.", "2013"),
        ("Code execution cannot proceed because MSVCR100.dll was not found.", "2010"),
        ("I looked, and the file MSVCR100.dll is there: this dll is present.", None),
    ],
)
def test_a_run_time_of_a_year_before_2015_is_missing(told: str, year: str | None):
    root = gpuprobe.explain(f"Windows 10, GTX 1060, viewer with CUDA\n{told}\n").diagnosis.root
    if year is None:
        assert root is None or root.cause != "msvc-runtime-missing"
        return
    assert root is not None
    assert root.cause == "msvc-runtime-missing"
    assert root.finding.fix.commands == (f"winget install Microsoft.VCRedist.{year}.x64",)


OF_CTRANSLATE2 = "[ctranslate2] [thread 71] [info] GPU #0: NVIDIA GeForce RTX 4070 (CC=8.9)\n"
OF_LEGION = "[0 - 7f00]    0.000000 {2}{gpu}: GPU #0: Tesla V100-SXM2-16GB (7.0) 16160 MB\n"


@pytest.mark.parametrize("line", [OF_CTRANSLATE2, OF_LEGION])
def test_an_engine_lists_the_gpus_that_it_got(line: str):
    assert ruled(line) == "healthy"
    failure = "RuntimeError: CUDA failed with error an illegal instruction was encountered\n"
    assert ruled(line + failure) != "healthy"
    assert ruled("GPU #0: a card of my friend's (about 8.9)\n") == "unknown"


LINKED = """{warning}/usr/bin/ld: {asker}: undefined reference to `{symbol}'
collect2: error: ld returned 1 exit status
"""
CUSOLVER = "/usr/local/cuda/lib64/libcusolver.so"
SPARSE = "cusparseGetErrorString@libcusparse.so.11"
NEEDED = f"/usr/bin/ld: warning: libcusparse.so.11, needed by {CUSOLVER}, not found\n"


@pytest.mark.parametrize(
    ("asker", "symbol", "warning", "cause"),
    [
        (CUSOLVER, SPARSE, "", "cuda-libs-mismatch"),
        (CUSOLVER, SPARSE, NEEDED, "unknown"),
        ("main.o", "cusparseCreate", "", "unknown"),
        ("libmine.so", SPARSE, "", "unknown"),
    ],
)
def test_the_linker_found_a_library_of_another_release(
    asker: str, symbol: str, warning: str, cause: str
):
    assert ruled(LINKED.format(asker=asker, symbol=symbol, warning=warning)) == cause


def test_nvjitlink_is_older_than_nvvm():
    says = "ERROR 4 in nvvmAddNVVMContainerToProgram, may need newer version of nvJitLink library"
    assert ruled(f"numba 0.61\n{says}\n") == "cuda-libs-mismatch"
    assert ruled(f"numba 0.61\n{says.partition(',')[0]}\n") == "unknown"


MAPPED = """{place}
Loaded from libcuda.so
        Mapped libcuda.so paths:
                {first}
                /usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14
RuntimeError: the linker failed
"""
OF_WINDOWS = "/usr/lib/wsl/drivers/nv_dispi.inf_amd64_1/libcuda.so.1.1"


@pytest.mark.parametrize(
    ("place", "first", "cause"),
    [
        ("WSL2, Ubuntu 24.04", OF_WINDOWS, "wsl"),
        ("Ubuntu 24.04", "/usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14", "unknown"),
    ],
)
def test_a_process_in_wsl_mapped_a_linux_driver(place: str, first: str, cause: str):
    assert ruled(MAPPED.format(place=place, first=first)) == cause


MOJO = """{gpu}
No supported "gpu" device available.
  CUDA information: NVML: Unable to get memory info
"""


def test_a_program_that_finds_no_gpu_beside_an_instance_of_mig():
    assert ruled(MOJO.format(gpu="A pod with one MIG 2g.20gb instance of an A100")) == "mig"
    assert ruled(MOJO.format(gpu="A pod with an A100")) != "mig"


def test_a_word_that_stands_for_a_value_is_no_value():
    failing = "torch.cuda.is_available() is False\n"
    asked = "CUDA_VISIBLE_DEVICES={} python train.py\n"
    assert ruled(asked.format("''") + failing) == "hidden-by-visible-devices"
    assert ruled(asked.format("<the uuid>") + failing) != "hidden-by-visible-devices"


XLA = "{where}] INTERNAL: custom call 'xla.gpu.conv.forward' failed: CUDNN_STATUS_ALLOC_FAILED\n"


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("E external/xla/xla/pjrt/pjrt_stream_executor_client.cc:2644", "oom-preallocation"),
        ("E src/engine.cc:12", "oom-workload"),
    ],
)
def test_libraries_beside_xla_find_no_room(where: str, cause: str):
    assert ruled(XLA.format(where=where)) == cause


MINER = """Ubuntu 22.04 inside a docker container, GTX 1080
CUDA Error : no CUDA-capable device is detected
{told}
"""


@pytest.mark.parametrize(
    ("told", "inside"),
    [
        ("It works fine outside of the container.", True),
        ("Without the container it works.", True),
        ("On the host it does not work either.", False),
        ("If it works on the host, then I shall report it there.", False),
    ],
)
def test_somebody_says_that_it_works_without_the_container(told: str, *, inside: bool):
    assert (ruled(MINER.format(told=told)) == "container-no-gpu") is inside


RESOURCES = """{place}
GPU:
  Vendor: NVIDIA Corporation (10de)
  Driver: nvidia (560.35.03)
  NVIDIA information:
    Brand: NVIDIA
    NVRM Version: {release}
"""


@pytest.mark.parametrize(
    ("place", "release", "cause"),
    [
        ("In an incus container no device shows up", "", "container-no-gpu"),
        ("In an incus container no device shows up", "560.35.03", "unknown"),
        ("The resources of my server", "", "unknown"),
    ],
)
def test_incus_has_no_tool_of_nvidia_for_containers(place: str, release: str, cause: str):
    assert ruled(RESOURCES.format(place=place, release=release)) == cause


DEEPLABCUT = """deeplabcut.train_network(config, gputouse={gpu})
failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected
"""


@pytest.mark.parametrize(("gpu", "hidden"), [("1", True), ("0", False), ("None", False)])
def test_deeplabcut_is_given_the_number_of_a_gpu(gpu: str, *, hidden: bool):
    assert (ruled(DEEPLABCUT.format(gpu=gpu)) == "hidden-by-visible-devices") is hidden


DCGM = (
    '{metric}{{gpu="0",UUID="GPU-1",device="nvidia0",modelName="NVIDIA A100-SXM4-40GB",'
    'Hostname="n1"}} {value}\n'
)


@pytest.mark.parametrize(
    ("metric", "value", "cause"),
    [
        ("DCGM_FI_DEV_GPU_TEMP", "41", "healthy"),
        ("DCGM_FI_DEV_XID_ERRORS", "0", "healthy"),
        ("DCGM_FI_DEV_XID_ERRORS", "79", "device-lost"),
        ("node_memory_free", "79", "unknown"),
    ],
)
def test_an_exporter_tells_of_a_gpu(metric: str, value: str, cause: str):
    assert ruled(DCGM.format(metric=metric, value=value)) == cause


def test_an_exporter_of_several_hosts_counts_the_gpus_of_one():
    one = DCGM.format(metric="DCGM_FI_DEV_GPU_TEMP", value="41")
    facts = gpuprobe.explain(one + one.replace("GPU-1", "GPU-2").replace("n1", "n2")).facts
    assert dict(facts.items())["nvml.device_count"].value == 1
