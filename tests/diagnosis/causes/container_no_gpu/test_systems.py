"""A container without access to the GPU, told by Singularity, Compose, a Jetson and others."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import fix

NO_GPUS = "MisconfigurationException: You requested GPUs: [0]\n But your machine only has: {}"
LXC = "lxc c 20220222 ERROR    conf - conf.c:lxc_setup:4381 - Failed to run mount hooks"
NO_DRIVER_LINE = "RuntimeError: Found no NVIDIA driver on your system.\n"
ON_HOST = "On our node nvidia-smi says NVIDIA-SMI 550.120, Driver Version: 550.120\n"
NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"
CUDA = "Cannot load libcuda.so.1\n"
NO_NVML = "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system."
NO_CDI = "ERRO[0000] failed to generate CDI spec: failed to initialize NVML: ERROR_{}"
L4T = "OSError: /usr/lib/aarch64-linux-gnu/{}: file too short\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("failed to generate CDI spec: no permission to write /etc/cdi", "container-no-gpu"),
        ("podman: setting up CDI devices: failed to stat CDI host device", "container-no-gpu"),
        ("podman: setting up volumes: failed to stat host path", "unknown"),
        ("singularity shell nemo.sif\n" + NO_GPUS.format("[]"), "container-no-gpu"),
        ("lxc launch ubuntu:20.04 c -c nvidia.runtime=true\n" + LXC, "container-no-gpu"),
        (LXC, "unknown"),
        ("nvidia-ctk cdi list shows: Found 0 CDI devices", "container-no-gpu"),
        ("nvidia-ctk cdi list shows: Found 2 CDI devices", "unknown"),
        (NO_DRIVER_LINE + "I run it inside the apptainer container", "container-no-gpu"),
        (NO_DRIVER_LINE + "It is in an LXC on Proxmox", "container-no-gpu"),
        (ON_HOST + "I made a singularity container of it.\n" + NO_DEVICE, "container-no-gpu"),
        ("OS: Debian 12 (podman)\n" + CUDA, "container-no-gpu"),
        ("OS: Ubuntu 22.04 in an LXC container\n" + CUDA, "container-no-gpu"),
        (f"Singularity> nvidia-smi\n{NO_NVML}", "container-no-gpu"),
        (f"We run apptainer with the flag `--nv` and get\n{NO_NVML}", "container-no-gpu"),
        ("`/dev/nvidia*` files are missing in `singularity exec -c --nv`", "container-no-gpu"),
        ("`/dev/nvidia*` files are missing", "unknown"),
        ("`/dev/nvme0n1` files are missing in `singularity exec -c --nv`", "unknown"),
        (NO_CDI.format("LIBRARY_NOT_FOUND"), "container-no-gpu"),
        ("fork/exec /usr/bin/nvidia-cdi-hook: no such file or directory", "container-no-gpu"),
        (
            "docker run --runtime=nvidia l4t-ml\nNvRmMemInitNvmap failed with No such file",
            "container-no-gpu",
        ),
        ("docker run -it l4t-ml:r32\n" + L4T.format("libcudnn.so.8"), "container-no-gpu"),
        # The loader's colon is lost where somebody types its message.
        (
            "docker run -it l4t-ml:r32\n" + L4T.format("libnvinfer.so.7.1").replace("7.1:", "7.1"),
            "container-no-gpu",
        ),
        ("docker run -it l4t-ml:r32\nlibnvinfer.so.7.1 is a file too short to be one", "unknown"),
        ("OSError: /usr/lib/x86_64-linux-gnu/libtiff.so.8: file too short", "unknown"),
    ],
)
def test_a_container_without_the_gpu_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        ON_HOST + "I made a singularity container of it.\n",
    ],
)
def test_this_is_not_a_container_without_the_gpu(text: str):
    assert ruled(text) != "container-no-gpu"


NOTHING = "unknown", "healthy"
PLUGIN = (
    "I0401 23:26:45.144 1 factory.go:107] Detected NVML platform: found NVML library\n"
    "I0401 23:26:45.145 1 factory.go:107] Detected non-Tegra platform: "
    "/sys/devices/soc0/family file not found\n"
)


def test_the_plugin_works_on_a_node_that_is_no_board():
    assert ruled(PLUGIN) in NOTHING
    without = "Detected non-NVML platform: could not load NVML library\n"
    assert ruled(PLUGIN.replace("Detected NVML platform: found NVML library", without)) == (
        "container-no-gpu"
    )


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


JETSON = "Machine: Jetson Nano, jetpack 4.5.1\n"
SINGULARITY = (
    "user@host:~$ singularity exec --nv image.sif bash\n"
    "INFO:    Could not find any nv files on this host!\n"
)
CLI = (
    "sudo docker run --runtime nvidia ubuntu:20.04\n"
    "stderr: nvidia-container-cli: initialization error: driver error: failed to process request\n"
    "could not start driver service: load library failed: libnvidia-ml.so.1: cannot open shared"
    " object file: No such file or directory\n"
)
SHORT = (
    "Started with docker run IMAGE\n./segnet: error while loading shared libraries: "
    "/usr/lib/aarch64-linux-gnu/libnvinfer.so.7: file too short\n"
)


@pytest.mark.parametrize("missed", [SINGULARITY, CLI, SHORT])
def test_a_container_on_a_jetson_lacks_what_the_board_has(missed: str):
    assert ruled(JETSON + missed) == "container-no-gpu"
    assert "docker run --runtime nvidia IMAGE" in fix(JETSON + missed).commands


NVML = "torch/cuda/__init__.py:619: UserWarning: Can't initialize NVML\n"


@pytest.mark.parametrize(
    ("compose", "cause"),
    [
        ("Attaching to web-1\n", "container-no-gpu"),
        (" ✔ Container studio-web-1  Created      0.1s\n", "container-no-gpu"),
        ("Attaching to process 4711\n", "unknown"),
        ("", "unknown"),
    ],
)
def test_nvml_does_not_start_in_a_container_of_compose(compose: str, cause: str):
    assert ruled(compose + NVML) == cause


_COMPOSE = """\
RuntimeError: CUDA failed with error CUDA driver version is insufficient for CUDA runtime version

faster-whisper:
    image: example.org/faster-whisper:gpu
    container_name: faster-whisper
    ports:
      - 10300:10300
    restart: unless-stopped
{more}"""
_RUNTIME = "    runtime: nvidia\n"


@pytest.mark.parametrize(
    ("more", "cause"),
    [("", "container-no-gpu"), (_RUNTIME, "driver-too-old"), ("    ...\n", "driver-too-old")],
)
def test_a_whole_service_of_compose_tells_what_it_asks_for(more: str, cause: str):
    assert ruled(_COMPOSE.format(more=more)) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("Using NVIDIA RTX A6000\nepoch 2, 3.1 it/s", "unknown"),
        ("Using NVIDIA driver 470.199.02\nepoch 2, 3.1 it/s", "container-no-gpu"),
        ("Using V100 config\nepoch 2, 3.1 it/s", "container-no-gpu"),
        ("running on cuda requested\nepoch 2, 3.1 it/s", "container-no-gpu"),
    ],
)
def test_what_is_named_beside_progress_is_a_gpu(pasted: str, cause: str):
    failed = 'docker: could not select device driver "" with capabilities: [[gpu]].'
    assert ruled(f"{failed}\n{pasted}") == cause


INFORMATION = """$ cat /proc/driver/nvidia/gpus/0000:07:00.0/information
Model:           NVIDIA A10
Bus Type:        PCIe
{}
"""


@pytest.mark.parametrize(
    ("line", "cause"),
    [("Device Minor:    0", "container-no-gpu"), ("Device Minor:    ", "driver-missing")],
)
def test_the_module_of_the_host_tells_of_the_gpu_where_nvidia_smi_is_not(line: str, cause: str):
    missing = "# nvidia-smi\nbash: nvidia-smi: command not found\n\n"
    assert ruled(missing + INFORMATION.format(line)) == cause
    assert ruled(INFORMATION.format(line)) == "unknown"


NO_LIBCUDA = "ImportError: libcuda.so.1: cannot open shared object file: No such file or directory"
SEGALIGN = "Using 16 threads\nError: No GPU device found!\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Pods that the operator creates cannot use the card.\n" + NO_LIBCUDA, "container-no-gpu"),
        ("A pod generated by the chart never gets that far.\n" + NO_LIBCUDA, "container-no-gpu"),
        ("Pods that the operator creates run.\n" + NO_LIBCUDA, "driver-missing"),
        ("EarPods that I own cannot connect.\n" + NO_LIBCUDA, "driver-missing"),
        (
            'FROM python:3.11-slim\nCOPY . /app\nENTRYPOINT ["python", "/app/a.py"]\n' + NO_LIBCUDA,
            "container-no-gpu",
        ),
        (
            'FROM registry.example/team/train:1 AS run\nCMD ["train"]\n' + NO_LIBCUDA,
            "container-no-gpu",
        ),
        ('From here on:\nCMD ["train"]\n' + NO_LIBCUDA, "driver-missing"),
        (NO_LIBCUDA + '\nFROM python:3.11-slim\nCMD ["train"]\nsteps: 7', "driver-missing"),
        ("FROM python:3.11-slim\nRUN pip install torch\n" + NO_LIBCUDA, "driver-missing"),
    ],
)
def test_pods_and_images_that_somebody_tells_of(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("command", "cause"),
    [
        ("$ singularity --silent run cactus.img segalign a b", "container-no-gpu"),
        ("exec ['apptainer', 'exec', '/data/a.sif', 'segalign', 'a']", "container-no-gpu"),
        ("run(['singularity', '--debug', '-q', 'exec', 'a.sif', 'segalign'])", "container-no-gpu"),
        ("It begins with singularity, --silent, run (segalign).", "container-no-gpu"),
        ("We have singularity, run by nobody, beside it.", "unknown"),
        ("segalign a b", "unknown"),
    ],
)
def test_singularity_with_options_of_its_own_or_as_a_list(command: str, cause: str):
    assert ruled(f"{command}\n{SEGALIGN}") == cause
