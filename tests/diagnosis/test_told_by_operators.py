"""What monitors, schedulers and container tools of clusters tell of a GPU, and of none."""

from __future__ import annotations

import pytest

from support.cases import ruled

SMI_FAILED = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."

TRACED = f"""$ strace nvidia-smi
{SMI_FAILED}
openat(AT_FDCWD, "/proc/driver/nvidia/params", O_RDONLY) = {{file}}
openat(AT_FDCWD, "/dev/nvidiactl", O_RDWR) = -1 ENOENT (No such file or directory)
"""


@pytest.mark.parametrize(
    ("file", "cause"),
    [("4", "device-nodes"), ("-1 ENOENT (No such file or directory)", "driver-not-loaded")],
)
def test_a_trace_shows_that_the_module_runs_and_its_device_files_lack(file: str, cause: str):
    assert ruled(TRACED.format(file=file)) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("slurmd[811]: error: Waiting for gres.conf file /dev//nvidia2", "device-nodes"),
        ("slurmd[811]: error: Waiting for gres.conf file /dev//tty2", "unknown"),
    ],
)
def test_slurm_waits_for_a_device_file(line: str, cause: str):
    assert ruled(f"gpu node, rebooted\n{line}\n") == cause


@pytest.mark.parametrize(
    ("spec", "cause"),
    [
        ("The generated CDI spec does not contain `/dev/nvidia1`.", "device-nodes"),
        ("The generated CDI spec contains `/dev/nvidia1`.", "driver-not-loaded"),
    ],
)
def test_a_description_for_containers_was_made_without_device_files(spec: str, cause: str):
    assert ruled(f"{spec}\nIn the pod:\n{SMI_FAILED}\n") == cause


OPERATOR = """nvidia-cuda-validator-x8k2p 0/1 {state}
$ nvidia-smi -q
    Fabric
        State                             : {fabric}
        Status                            : N/A
"""


@pytest.mark.parametrize(
    ("state", "fabric", "cause"),
    [
        ("Init:Error", "In Progress", "fabric-manager"),
        ("Init:Error", "N/A", "unknown"),
        ("Completed", "In Progress", "unknown"),
    ],
)
def test_a_gpu_waits_for_its_fabric_where_cuda_fails(state: str, fabric: str, cause: str):
    assert ruled(OPERATOR.format(state=state, fabric=fabric)) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("The device plugin crashes on our MIG node: insufficient permissions.", "mig"),
        ("It doesn't have sufficient permissions to list MIG devices.", "mig"),
        ("GPU: Tesla T4\nOn MIG nodes it has insufficient permissions.", "unknown"),
        ("Insufficient permissions to create a MIG instance.", "unknown"),
        ("The device plugin crashes: it has insufficient permissions.", "unknown"),
    ],
)
def test_a_program_may_not_ask_for_a_gpu_that_is_split(text: str, cause: str):
    assert ruled(text) == cause


ADAPTER = (
    "I0101 01:01:01.000001 99 dxcore.c:211] Core Nvidia component libcuda.so.1.1 not found in"
    " /usr/lib/wsl/drivers/{folder}\n"
)
OF_AMD, OF_INTEL = "u0398112.inf_amd64_0123abcd", "iigd_dch.inf_amd64_0123abcd"
OF_NVIDIA = (
    "I0101 01:01:02.000001 99 nvc_info.c:170] selecting /usr/lib/wsl/drivers/{folder}/x.so\n"
)


@pytest.mark.parametrize(
    ("log", "cause"),
    [
        (ADAPTER.format(folder=OF_AMD), "no-nvidia-gpu"),
        (ADAPTER.format(folder=OF_INTEL), "no-nvidia-gpu"),
        ("GPU: NVIDIA GeForce RTX 3060\n" + ADAPTER.format(folder=OF_AMD), "wsl"),
        (
            ADAPTER.format(folder=OF_INTEL)
            + OF_NVIDIA.format(folder="nv_dispi.inf_amd64_89abcdef"),
            "unknown",
        ),
    ],
)
def test_windows_gives_wsl_the_driver_of_another_maker(log: str, cause: str):
    assert ruled(log) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("docker: Error: WSL environment detected but no adapters were found", "wsl"),
        ("docker: WSL environment detected", "unknown"),
    ],
)
def test_the_container_tools_find_no_adapter_in_wsl(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [("1.17.4", "unknown"), ("load library failed: libcuda.so.1", "driver-missing")],
)
def test_a_release_of_the_container_tools_is_no_error_of_theirs(told: str, cause: str):
    assert ruled(f"docker: 24.0.2\nnvidia-container-cli: {told}\n") == cause


SHARE = "Free memory on cuda:1 ({free}/79.10 GiB) < desired utilization (0.8, 63.28 GiB)"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (SHARE.format(free="21.50"), "oom-other-process"),
        ("Free memory on cuda:1 (77.50/79.10 GiB)", "unknown"),
    ],
)
def test_vllm_names_the_device_whose_memory_is_taken(line: str, cause: str):
    assert ruled(f"vllm 0.11.0\n{line}\n") == cause


IMAGE = "GPU: {gpu}\n$ docker run --gpus all nvcr.io/nvidia/tritonserver:{release}-py3\n"
BANNER = "GPU: {gpu}\n== TensorRT Inference Server ==\n\nNVIDIA Release 19.12 (build 1)\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (IMAGE.format(gpu="GeForce GTX 980", release="22.07"), "gpu-too-old"),
        (IMAGE.format(gpu="Tesla P40", release="22.07"), "unknown"),
        (IMAGE.format(gpu="Tesla P40", release="25.02"), "gpu-too-old"),
        (IMAGE.format(gpu="Tesla P40", release="24.05"), "unknown"),  # the table is silent of it
        (BANNER.format(gpu="Tesla M60"), "gpu-too-old"),
        (BANNER.format(gpu="Tesla T4"), "unknown"),
    ],
)
def test_an_image_serves_gpus_from_a_capability_on(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("RuntimeError: no kernel image available when it starts", "gpu-too-old"),
        ("apt: no kernel image available, keeping 6.8", "unknown"),
    ],
)
def test_the_code_for_a_gpu_is_missed_in_few_words(line: str, cause: str):
    assert ruled(f"GPU: Tesla K40\n{line}\n") == cause


NVBENCH = "Warn: {what} (702.11 MHz / 1980.00 MHz) (35% < 75%) on sample 3. Discarding."


@pytest.mark.parametrize(
    ("what", "cause"),
    [("GPU throttled below threshold", "power-thermal"), ("GPU clocks", "unknown")],
)
def test_nvbench_discards_what_it_measured_at_a_low_clock(what: str, cause: str):
    assert ruled(NVBENCH.format(what=what)) == cause


BEGAN = 'level=info msg="DCGM successfully initialized!"\n'
NO_COUNTERS = "Error getting supported metrics: Profiling is not supported for this group of GPUs"
NO_MODULE = "This request is serviced by a module of DCGM that is not currently loaded"


@pytest.mark.parametrize(
    ("log", "cause"),
    [
        (f"{BEGAN}{NO_COUNTERS}\n", "healthy"),
        (f"{BEGAN}{NO_MODULE}\n", "healthy"),
        (f"{NO_MODULE}\n", "unknown"),
        (BEGAN, "unknown"),
        (f"{BEGAN}{NO_MODULE}\nNVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off", "device-lost"),
    ],
)
def test_dcgm_watches_gpus_that_it_has_no_counters_of(log: str, cause: str):
    assert ruled(log) == cause


POD = "{Name:train-0 Namespace:ml Container:main}"


@pytest.mark.parametrize(
    ("mapping", "verdict"),
    [
        (f"nvidia0:{POD} nvidia0/vgpu1:{POD}", "healthy"),
        (f"GPU-11111111-1111-1111-1111-111111111111:{POD}", "healthy"),
        ("", "unknown"),
    ],
)
def test_gpus_that_pods_have_are_listed_by_the_driver(mapping: str, verdict: str):
    assert ruled(f'level=debug msg="Device to pod mapping: map[{mapping}]"') == verdict


SLURM = "fatal: We were configured to autodetect nvml functionality, but we weren't able to find"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (f"GPU: A100, MIG enabled\n{SLURM} that lib when Slurm was configured.\n", "healthy"),
        (f"{SLURM} that lib when Slurm was configured.\nThe job crashed.\n", "unknown"),
    ],
)
def test_slurm_was_built_without_nvml(text: str, verdict: str):
    assert ruled(text) == verdict
