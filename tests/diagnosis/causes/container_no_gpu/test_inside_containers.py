"""A container without access to the GPU, as what runs inside it tells of it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled
from support.pasted import fix
from support.texts import INSIDE_A_CONTAINER, NO_GPU_FOUND

LOST_DRIVER = "nvidia-container-cli: initialization error: load library failed: libnvidia-ml.so.1\n"
TABLE = (
    "| NVIDIA-SMI 535.86.05    Driver Version: 535.86.05    CUDA Version: 12.2     |\n"
    "|   0  NVIDIA GeForce RTX 3090        Off | 00000000:01:00.0  On |                  N/A |\n"
)
NEW_MACHINE = "I have a problem with my new machine.\n"
CLI = "nvidia-container-cli: initialization error: driver error: failed to process request"
NVENC = "[hevc_nvenc @ 0x560d1c298580] Cannot load libnvidia-encode.so.1\n"
CUDA = "Cannot load libcuda.so.1\n"
PADDLE_NO_GPU = "E pybind.cc] Cannot use GPU because there is no GPU detected on your machine.\n"
HOOK = "Error: OCI runtime error: crun: error executing hook `/usr/bin/{}` (exit code: 1)"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "FATAL: While setting --nvccli: nvidia-container-cli not found on PATH",
            "container-no-gpu",
        ),
        (
            "error executing hook `/usr/bin/nvidia-container-runtime-hook` (exit code: 1)",
            "container-no-gpu",
        ),
        ("error executing hook `/usr/bin/other-hook` (exit code: 1)", "unknown"),
        (TABLE + LOST_DRIVER + "\n", "container-no-gpu"),
        (
            NEW_MACHINE + "My container doesn't detect the GPU, while the host does",
            "container-no-gpu",
        ),
        (NEW_MACHINE + "GPU isn't being passed through to the container", "container-no-gpu"),
        (NEW_MACHINE + "CUDA is not available inside the container", "container-no-gpu"),
        (CLI, "container-no-gpu"),
        ("E: Unable to locate package nvidia-container-toolkit", "container-no-gpu"),
        ("Unmanic: 0.1.1+68717c4 in a container; Plex in another\n" + NVENC, "container-no-gpu"),
        ("Jellyfin container: 10.8.13\n" + CUDA, "container-no-gpu"),
        ("The container has no libcuda.so.1, so it does not start", "container-no-gpu"),
        ("My Emby container lacks libnvidia-encode.so.1", "container-no-gpu"),
        ("failed to locate NVIDIA Container Runtime Hook: pattern not found", "container-no-gpu"),
        (
            PADDLE_NO_GPU + "nvidia-smi works on the host but not inside the container.",
            "container-no-gpu",
        ),
        (HOOK.format("nvidia-container-toolkit"), "container-no-gpu"),
        (HOOK.format("oci-umount"), "unknown"),
        ("fork/exec /usr/bin/nvidia-container-runtime: permission denied", "container-no-gpu"),
        ("[ERROR] Command not found: nvidia-container-cli, see the manual", "container-no-gpu"),
    ],
)
def test_a_container_without_the_gpu_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


TRANSCODING = """OS: {system}
GPU: Quadro P400, Driver version 470.182.03
[hevc_nvenc @ 0x55] Cannot load libnvidia-encode.so.1
"""


@pytest.mark.parametrize(
    ("system", "cause"),
    [
        ("Docker on Debian 11", "container-no-gpu"),
        ("Debian 11", "driver-missing"),
        ("Debian 11, without Docker on it", "driver-missing"),
    ],
)
def test_the_system_that_a_form_names_is_a_container(system: str, cause: str):
    assert ruled(TRANSCODING.format(system=system)) == cause


@pytest.mark.parametrize("said", NO_GPU_FOUND)
def test_program_without_gpu_in_a_container_that_got_none(said: str):
    assert ruled("docker run --rm -it image bash\n" + said) == "container-no-gpu"


DOCKER = """$ docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES={capabilities} image
ImportError: libcuda.so.1: cannot open shared object file: No such file or directory
$ nvidia-smi
bash: nvidia-smi: command not found
"""


@pytest.mark.parametrize(
    ("capabilities", "named"), [("graphics,video", True), ("compute,utility", False)]
)
def test_a_container_was_told_to_do_without_the_libraries(capabilities: str, *, named: bool):
    root = gpuprobe.explain(DOCKER.format(capabilities=capabilities)).diagnosis.root
    assert root is not None
    assert root.cause == "container-no-gpu"
    assert ("NVIDIA_DRIVER_CAPABILITIES" in root.finding.title) is named


@pytest.mark.parametrize(
    ("place", "said", "cause"),
    [
        ("own container for PyOpenCL", "PLATFORM_NOT_FOUND_KHR", "container-no-gpu"),
        ("Ubuntu 22.04 (docker container)", "PLATFORM_NOT_FOUND_KHR", "container-no-gpu"),
        ("Ubuntu 22.04", "PLATFORM_NOT_FOUND_KHR", "unknown"),
    ],
)
def test_a_container_without_the_file_for_opencl(place: str, said: str, cause: str) -> None:
    text = f"OS: {place}\npyopencl._cl.LogicError: clGetPlatformIDs failed: {said}\n"
    assert ruled(text) == cause


@pytest.mark.parametrize(("place", "inside"), [(" (docker container)", True), ("", False)])
def test_lightgbm_finds_no_opencl_in_a_container(place: str, *, inside: bool) -> None:
    text = f"OS: Ubuntu 22.04{place}\nGPU: Tesla V100\nLightGBMError: No OpenCL device found\n"
    assert (ruled(text) == "container-no-gpu") is inside


CAPABILITIES = """root@box:/app# env | grep NVIDIA
NVIDIA_VISIBLE_DEVICES=all
NVIDIA_DRIVER_CAPABILITIES={capabilities}
root@box:/app# python3 -c "import torch; print(torch.__version__, torch.cuda.is_available())"
2.3.1+{build} False
"""


@pytest.mark.parametrize(
    ("capabilities", "build", "cause"),
    [
        ("utility", "cu121", "container-no-gpu"),
        ("video,utility", "cu121", "container-no-gpu"),
        ("compute,utility", "cu121", "unknown"),
        ("utility", "cpu", "cpu-only-build"),
    ],
)
def test_a_framework_sees_no_gpu_where_the_container_was_given_no_libcuda(
    capabilities: str, build: str, cause: str
):
    assert ruled(CAPABILITIES.format(capabilities=capabilities, build=build)) == cause


EGL = "unable to find CUDA device 0 among 1 EGL devices in total"
VULKAN = "[Error] [gpu.foundation] VkResult: ERROR_INCOMPATIBLE_DRIVER"
VIDEO = "OSError: libnvcuvid.so.1: cannot open shared object file: No such file or directory"


@pytest.mark.parametrize(
    ("capabilities", "missed", "fires"),
    [
        ("compute,utility", EGL, True),
        ("compute,utility,video", VULKAN, True),
        ("compute,utility", VIDEO, True),
        ("compute,utility,graphics", VIDEO, True),
        ("compute,utility,graphics", EGL, False),
        ("compute,utility,display", VULKAN, False),
        ("all", EGL, False),
        ("compute,utility,video", VIDEO, False),
    ],
)
def test_a_container_lacks_the_part_of_the_driver_that_a_program_wants(
    capabilities: str, missed: str, fires: bool
):
    text = INSIDE_A_CONTAINER.format(capabilities=capabilities, missed=missed)
    assert (ruled(text) == "container-no-gpu") is fires


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
        ("If it works on the host, then I shall report it there.", True),  # most likely
    ],
)
def test_somebody_says_that_it_works_without_the_container(told: str, *, inside: bool):
    assert (ruled(MINER.format(told=told)) == "container-no-gpu") is inside


def test_sentence_beside_a_proof_is_no_alarm() -> None:
    text = NEW_MACHINE + "My container doesn't detect the GPU.\n>>> torch.cuda.is_available()\nTrue"
    assert ruled(text) == "healthy"


IMAGE = "docker run -p 80:80 ghcr.io/org/server:2.0\n"
WITH_GPUS = "docker run --gpus all -p 80:80 ghcr.io/org/server:2.0\n"
BNB = "The installed version of bitsandbytes was compiled without GPU support."
CHAINER = "RuntimeError: CUDA environment is not correctly set up"


@pytest.mark.parametrize("words", [BNB, CHAINER])
def test_a_container_that_got_no_gpu_comes_before_its_packages(words: str):
    assert ruled(IMAGE + words) == "container-no-gpu"
    assert ruled(WITH_GPUS + words) != "container-no-gpu"
    assert ruled(words) != "container-no-gpu"


OPTIX = "rtx_functions.h:47 Optix Error: 'Library not found'\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"srun -p gpu --container-name=cuda --gpus=1 ./rtx\n{OPTIX}", "container-no-gpu"),
        (f"srun -p gpu --gpus=1 ./rtx\n{OPTIX}", "unknown"),
        (
            "CUDA works in the container. Asked for OptiX, Blender lists only the CPU.",
            "container-no-gpu",
        ),
        ("CUDA works in the container, and OptiX is fine.", "unknown"),
    ],
)
def test_optix_is_a_part_that_containers_do_not_get(text: str, cause: str):
    assert ruled(f"GPU: Nvidia T4\n{text}\n") == cause


def test_a_container_without_optix_asks_for_the_part_for_graphics():
    text = f"srun --container-name=cuda --gpus=1 ./rtx\n{OPTIX}"
    assert "graphics" in fix(text).text


HOST = "nvidia-smi works on the host. In the container:\nbash: nvidia-smi: command not found\n"


def test_what_works_on_the_host_fails_in_a_container() -> None:
    assert ruled(HOST) == "container-no-gpu"
    assert ruled(HOST.replace("works on the host. In the container", "fails")) != "container-no-gpu"


def test_nextflow_names_the_container() -> None:
    missing = (
        "guppy_basecaller: error while loading shared libraries: libcuda.so.1: cannot open shared"
        " object file: No such file or directory"
    )
    assert ruled("nextflow run a/b -profile singularity --gpu\n" + missing) == "container-no-gpu"
    assert ruled("nextflow run a/b -profile conda --gpu\n" + missing) == "driver-missing"


NO_TOOLS = """$ docker run --gpus all pytorch/pytorch nvidia-smi
docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].
"""
HELD = """$ lspci -k
01:00.0 VGA compatible controller: NVIDIA Corporation AD106 [GeForce RTX 4060 Ti] (rev a1)
	Kernel driver in use: nouveau
"""


@pytest.mark.parametrize(
    ("host", "cause"),
    [
        ("$ lsmod | grep nouveau\nnouveau 1949696 3\n", "container-no-gpu"),
        (HELD, "driver-missing"),
    ],
)
def test_nouveau_may_drive_another_card_than_the_containers(host: str, cause: str):
    assert ruled(host + NO_TOOLS) == cause


@pytest.mark.parametrize(
    ("place", "cause"),
    [("Environment: docker\n", "container-no-gpu"), ("", "driver-not-loaded")],
)
def test_cuda_that_finds_no_device_was_given_none_in_a_container(place: str, cause: str):
    assert ruled(f"{place}cuInit failed: CUDA_ERROR_NO_DEVICE\n") == cause
