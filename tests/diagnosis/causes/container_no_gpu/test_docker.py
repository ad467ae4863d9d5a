"""A container without access to the GPU, as Docker tells of it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding
from support.texts import torch_report

INSUFFICIENT = "CUDA driver version is insufficient for CUDA runtime version\n"
NUMBA = "CudaSupportError: Error at driver init:\n\nCUDA driver library cannot be found."
NO_LIBRARY = 'source=gpu.go:311 msg="Discovered GPU libraries: []"\n'
NO_GPU = 'source=routes.go:953 msg="no GPU detected"'
KERAS = (
    "ValueError: To call `multi_gpu_model` with `gpus=2`, we expect the following devices to be "
    "available: ['/cpu:0', '/gpu:0', '/gpu:1']. However this machine only has: [{}].\n"
    "docker run -it tensorflow/tensorflow:1.12.0-gpu bash"
)
CUINIT_MINUS_ONE = "cuda_driver.cc:313] failed call to cuInit: UNKNOWN ERROR (-1)\n"
RUN = "$ docker run -it tensorflow/tensorflow:latest-gpu python a.py\n"
NO_NODE = "no NVIDIA GPU device is present: /dev/nvidia0 does not exist\n"


GREETING = "您好\uff0c请问一下。\n"
NEW_MACHINE = "I have a problem with my new machine.\n"
WITH_GPUS = "docker run --gpus all -p 80:80 ghcr.io/org/server:2.0\n"
BOARD = "/usr/lib/aarch64-linux-gnu"
UNMET = " {} : Depends: something (>= 1.0) but it is not going to be installed"
CUDA = "Cannot load libcuda.so.1\n"
NVENC = "[hevc_nvenc @ 0x560d1c298580] Cannot load libnvidia-encode.so.1\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        # In a container an old driver may be none.
        ("In a docker on my server, driver version: 565.77\n" + INSUFFICIENT, "container-no-gpu"),
        (
            "In a docker on my server, driver version: 372.70\nCUDA error: No CUDA driver found\n",
            "container-no-gpu",
        ),
        (f"Environment: docker\n{NUMBA}", "container-no-gpu"),
        (
            (
                'docker run -it image python -c "print(torch.cuda.is_available())" -> False\n'
                "torch 2.1.0+cu118"
            ),
            "container-no-gpu",
        ),
        (
            (
                "torch version .................... 2.1.0+cu121\nnvcc version "
                "..................... 12.1"
            ),
            "unknown",
        ),
        (f"docker run -p 11434:11434 ollama/ollama\n{NO_LIBRARY}{NO_GPU}", "container-no-gpu"),
        (KERAS.format("'/cpu:0'"), "container-no-gpu"),
        (RUN + CUINIT_MINUS_ONE + NO_NODE, "container-no-gpu"),
        (torch_report("$ docker run -it image python"), "container-no-gpu"),
        (GREETING + "docker容器找不到nvidia驱动\uff0c找不到gpu", "container-no-gpu"),
        (GREETING + "docker 镜像内无法检测到GPU", "container-no-gpu"),
        (
            GREETING + "在docker里运行 nvidia-smi\nbash: nvidia-smi: command not found",
            "container-no-gpu",
        ),
        (
            NEW_MACHINE + "nvidia-smi works on the host but not inside the docker container.",
            "container-no-gpu",
        ),
        (NEW_MACHINE + "Docker container cannot access the GPU", "container-no-gpu"),
        (NEW_MACHINE + "docker GPU passthrough not working", "container-no-gpu"),
        # On a board the tools for containers put empty files in the place of its own.
        (
            f"{WITH_GPUS}-rw-r--r-- 1 root root 0 Oct 19  2020 {BOARD}/libcublas.so.10.2",
            "container-no-gpu",
        ),
        (UNMET.format("nvidia-docker2"), "container-no-gpu"),
        (UNMET.format("libreoffice"), "unknown"),
        ("OS: Unraid, docker\n" + CUDA, "container-no-gpu"),
        ("Tdarr: 2.17.01, running in docker\n" + NVENC, "container-no-gpu"),
        ('Error: requested docker runtime "nvidia" was not found', "container-no-gpu"),
        (
            "RuntimeError: Failed to infer device type\nI run it in the docker container",
            "container-no-gpu",
        ),
        (
            (
                "invoking the NVIDIA Container Runtime Hook directly (e.g. specifying the docker"
                " --gpus flag) is not supported."
            ),
            "container-no-gpu",
        ),
        ("docker: get nvidia_driver_375.66: error looking up volume plugin", "container-no-gpu"),
    ],
)
def test_a_container_without_the_gpu_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        KERAS.format("'/cpu:0', '/gpu:0'"),
    ],
)
def test_kin_of_a_container_without_the_gpu_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


NOTHING = "unknown", "healthy"
INSPECT = '{{\n  "Runtime": "{runtime}",\n  "DeviceRequests": {requests},\n  "Devices": null\n}}\n'
RAISED_NO_GPU = (
    'raise RuntimeError("No CUDA GPUs are available")\nRuntimeError: No CUDA GPUs are available\n'
)


def test_docker_tells_that_no_gpu_was_asked_for():
    assert (
        ruled(RAISED_NO_GPU + INSPECT.format(runtime="runc", requests="null")) == "container-no-gpu"
    )
    assert (
        ruled(RAISED_NO_GPU + INSPECT.format(runtime="runc", requests="[]")) == "container-no-gpu"
    )
    assert ruled(INSPECT.format(runtime="runc", requests="null")) in NOTHING


def test_docker_tells_that_one_was_asked_for():
    for asked in (
        INSPECT.format(runtime="nvidia", requests="null"),
        INSPECT.format(runtime="runc", requests='[\n    {"Driver": "nvidia"}\n  ]'),
    ):
        assert ruled(RAISED_NO_GPU + asked) != "container-no-gpu"


INSPECTED = """RuntimeError: CUDA driver version is insufficient for CUDA runtime version
$ docker inspect -f '{{{{.HostConfig.Runtime}}}} {{{{.HostConfig.DeviceRequests}}}}' web
{answer}
"""


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ("runc []", "container-no-gpu"),
        ("runc [{ -1 [] [[gpu]] map[]}]", "driver-too-old"),
        ("nvidia []", "driver-too-old"),
    ],
)
def test_docker_was_asked_for_no_gpu(answer: str, cause: str):
    assert ruled(INSPECTED.format(answer=answer)) == cause


@pytest.mark.parametrize(
    "sentence",
    [
        "如果docker容器找不到GPU\uff0c请加上 --gpus all",
        "docker容器里没有数据集",
        "容器内可以看到GPU",
        "请确认是否没有安装显卡驱动",
        "重启后nvidia-smi正常",
        "建议更新驱动\uff0c驱动版本太旧会报错",
        "显卡温度太高",
    ],
)
def test_other_sentences_alarm_nobody(sentence: str) -> None:
    assert ruled(GREETING + sentence) in ("unknown", "healthy")


def test_sentence_of_nobody_decides_nothing() -> None:
    assert ruled("Docker container cannot access the GPU") == "unknown"


INSIDE_OF_M40 = """GPU: Tesla M40 24 GB
{}
Could not load dynamic library 'libcuda.so.1'; dlerror: libcuda.so.1: cannot open shared object file
"""


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("In `deeplabcut-docker bash` there is no nvidia-smi command.", "container-no-gpu"),
        ("Inside the container there is no nvidia-smi.", "container-no-gpu"),
        ("In Ubuntu there is no nvidia-smi command.", "driver-missing"),
    ],
)
def test_a_program_that_starts_docker_has_no_nvidia_smi(sentence: str, cause: str):
    assert ruled(INSIDE_OF_M40.format(sentence)) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "OS: Ubuntu 22.04\n"
                "Docker Desktop\nnvidia-container-cli: initialization error: load library "
                "failed: libnvidia-ml.so.1: cannot open shared object file"
            ),
            "container-no-gpu",
        ),
        (
            (
                "OS: Ubuntu 22.04\n"
                "Docker Engine\nnvidia-container-cli: initialization error: load library failed: "
                "libnvidia-ml.so.1: cannot open shared object file"
            ),
            "driver-missing",
        ),
        (
            (
                "Environment: docker\ndocker build fails\n"
                "/usr/bin/ld: warning: libcuda.so.1, needed by bin/libggml-cuda.so, not found "
                "(try using -rpath)"
            ),
            "container-no-gpu",
        ),
        (
            (
                "docker build fails\n"
                "/usr/bin/ld: warning: libsound.so.1, needed by bin/libplay.so, not found (try "
                "using -rpath)"
            ),
            "unknown",
        ),
    ],
)
def test_boxes_that_have_no_driver_in_them(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "When I type ldconfig inside of the container, nvidia-smi works again",
            "container-no-gpu",
        ),
        ("running ldconfig within the container corrects this for a while", "container-no-gpu"),
        ("Does ldconfig in the container help?", "unknown"),
        ("ldconfig in the container prints a lot", "unknown"),
    ],
)
def test_ldconfig_inside_a_container_brings_its_libraries_back(told: str, cause: str):
    assert ruled(told) == cause


ASSERTED = (
    "#0 920.0 AssertionError: Torch is not able to use GPU; add --skip-torch-cuda-test to "
    "COMMANDLINE_ARGS variable to disable this check\n"
)


@pytest.mark.parametrize(
    ("last", "cause"),
    [
        ('failed to solve: process "/bin/sh -c python3 launch.py --exit"', "container-no-gpu"),
        (
            "executor failed running [/bin/sh -c python3 launch.py]: exit code: 1",
            "container-no-gpu",
        ),
        ("we failed to solve: this one is still open", "unknown"),
    ],
)
def test_buildkit_builds_an_image_and_no_gpu_is_there(last: str, cause: str):
    assert ruled(f"{ASSERTED}------\n{last}") == cause


@pytest.mark.parametrize(
    ("heading", "cause"),
    [
        ("The log of the container:", "container-no-gpu"),
        ("Output from my container at the first film:", "container-no-gpu"),
        ("The log of a run without container: it is the same", "driver-missing"),
        ("The log of the program:", "driver-missing"),
    ],
)
def test_a_heading_names_the_container_whose_log_is_below(heading: str, cause: str):
    failing = "[AVHWDeviceContext @ 0x59162cd23d40] Cannot load libcuda.so.1\n"
    assert ruled(f"{heading}\n{failing}") == cause


NATIVE = '  CUDA_ARCHITECTURES is set to "native", but no {}GPU was detected.\n'


@pytest.mark.parametrize(
    ("before", "which", "behind", "cause"),
    [
        ("$ docker build -t app .\n", "", "", "container-no-gpu"),
        ("Step 7/12 : RUN cmake -B build\n", "NVIDIA ", "", "container-no-gpu"),
        ("", "", 'failed to solve: process "/bin/sh -c cmake -B b"\n', "container-no-gpu"),
        ("$ cmake -B build\n", "NVIDIA ", "", "unknown"),
    ],
)
def test_cmake_finds_no_gpu_to_compile_for_while_an_image_is_built(
    before: str, which: str, behind: str, cause: str
):
    text = f"{before}CMake Error in CMakeLists.txt:\n{NATIVE.format(which)}{behind}"
    assert ruled(text) == cause
    if cause != "unknown":
        assert "CMAKE_CUDA_ARCHITECTURES" in finding(text).fix.text


@pytest.mark.parametrize(
    ("start", "cause"),
    [
        ("docker run --gpus all isaac-sim:4.5.0", "container-no-gpu"),
        ("docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all isaac-sim:4.5.0", "unknown"),
        ("./isaac-sim.sh", "unknown"),
    ],
)
def test_a_container_gets_what_draws_if_it_asks_for_it(start: str, cause: str):
    text = f"$ {start}\n[carb.graphics-vulkan.plugin] VkResult: ERROR_INCOMPATIBLE_DRIVER\n"
    assert ruled(text) == cause
    if cause != "unknown":
        assert "compute,utility,graphics" in finding(text).fix.commands[0]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "failed to fulfil mount request: open /usr/lib/libEGL_nvidia.so.580.159.04: no "
                "such file\n"
            ),
            "container-no-gpu",
        ),
        (
            (
                "failed to fulfil mount request: open /usr/lib/libGLX_nvidia.so.535.54: no "
                "such file\n"
            ),
            "container-no-gpu",
        ),
        (
            "failed to fulfil mount request: open /usr/lib/libEGL_mesa.so.0: no such file\n",
            "unknown",
        ),
        (
            (
                "The container was started with plain docker.\nlibcuda.so.1: cannot open "
                "shared object file\n"
            ),
            "container-no-gpu",
        ),
        (
            (
                "$ docker run --gpus all demo\nUnknown OptixResult code: Compatible device(s) "
                "not found / OptiX not initialized.\n"
            ),
            "container-no-gpu",
        ),
    ],
)
def test_what_a_container_was_not_given(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            'torch cannot find the GPU with "docker-compose up", but it works with "docker run".',
            "container-no-gpu",
        ),
        ("With docker run torch sees the GPU, but not with docker compose.", "container-no-gpu"),
        (
            "The GPU works with docker run --gpus all, but under docker compose it does not.",
            "container-no-gpu",
        ),
        ("The GPU works with docker run, and docker compose works also.", "unknown"),
        ("Does the GPU work with docker run, but not with compose?", "unknown"),
        ("The site works with docker run, but not with docker compose.", "unknown"),
    ],
)
def test_compose_alone_starts_it_without_the_gpu(text: str, cause: str):
    assert ruled(text) == cause


def test_who_starts_it_with_compose_gives_the_service_the_gpu():
    told = "With docker run torch sees the GPU, but not with docker compose."
    assert "capabilities: [gpu]" in finding(told).fix.text + "".join(finding(told).fix.commands)
