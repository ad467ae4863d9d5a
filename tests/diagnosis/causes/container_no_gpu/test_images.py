"""A container without access to the GPU, as images and their banners tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

DAEMON = "docker: Error response from daemon: "


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            f'{DAEMON}could not select device driver "" with capabilities: [[gpu]].',
            "container-no-gpu",
        ),
        (
            (
                "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not "
                "be available."
            ),
            "container-no-gpu",
        ),
        (f'{DAEMON}exec: "nvidia-smi": executable file not found in $PATH', "container-no-gpu"),
        (
            (
                "docker: Error response from daemon: failed to discover GPU vendor from CDI: "
                "no known GPU vendor found"
            ),
            "container-no-gpu",
        ),
        ("failed to discover the vendor of the audio device", "unknown"),
        ("rpc error: failed to find runtime handler nvidia from runtime list", "container-no-gpu"),
        ("failed to find runtime handler kata from runtime list", "unknown"),
        (
            (
                "docker: Error response from daemon: failed to create task for container: failed to"
                " create shim task: OCI runtime create failed: runc create failed: unable to start "
                "container process: error during container init: "
                'exec: "nvidia-smi": executable file not found in $PATH: unknown.'
            ),
            "container-no-gpu",
        ),
        ("no runtime binary found from candidate list: [docker-runc runc]", "container-no-gpu"),
    ],
)
def test_a_container_without_the_gpu_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


REFUSED = (
    "docker: Error response from daemon: could not select device driver "
    '"" with capabilities: [[gpu]].\n'
)


@pytest.mark.parametrize(
    "text",
    [
        REFUSED + "root@ab12cd34ef56:/# python -c 'import torch; "
        "print(torch.cuda.is_available())'\nTrue\n",
    ],
)
def test_kin_of_a_container_without_the_gpu_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


NOTHING = "unknown", "healthy"
BUILD = (
    'Step 7/11 : RUN python -c "import torch; print(torch.cuda.is_available())"\n'
    "UserWarning: CUDA initialization: Found no NVIDIA driver on your system.\nFalse\n"
)


def test_an_image_is_built_without_a_gpu():
    runs = "$ docker run --rm --gpus all asr\ncuda True NVIDIA A10G\n"
    assert ruled(f"{BUILD}{runs}") in NOTHING
    assert ruled(BUILD) not in NOTHING


@pytest.mark.parametrize(
    "told",
    [
        "No GPU works in the container.",
        "I am not sure whether the gpu works inside the container.",
        "My goal: make sure the GPU works in the container.",
    ],
)
def test_what_is_denied_or_wished_is_no_proof(told: str):
    banner = (
        "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available."
    )
    assert ruled(f"$ docker run --gpus all image\n{banner}\n{told}\n") == "container-no-gpu"


def test_a_build_of_an_image_in_all_its_forms():
    failed = "RuntimeError: cuInit failed: no CUDA-capable device is detected"
    for command in ("docker build .", "docker compose build", "docker buildx build ."):
        assert ruled(f"Environment: docker\n$ {command}\n{failed}\n") == "container-no-gpu"


BANNER = """{place}
$ docker run --gpus all -it nvcr.io/nvidia/pytorch:20.06-py3
WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.
{told}
"""
WORKS = "The gpu works fine inside the container, the message is confusing."


@pytest.mark.parametrize(
    ("place", "told", "cause"),
    [
        ("Environment: WSL2", WORKS, "healthy"),
        ("Environment: WSL2", "", "unknown"),
        ("OS: Ubuntu 20.04", "", "container-no-gpu"),
    ],
)
def test_old_images_see_no_driver_under_wsl(place: str, told: str, cause: str):
    assert ruled(BANNER.format(place=place, told=told)) == cause


BANNER_ALONE = (
    "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.\n"
)


@pytest.mark.parametrize(
    ("told", "accused"),
    [("but the gpu works fine inside the container.", False), ("and no GPU works.", True)],
)
def test_an_image_warns_and_its_gpu_works_all_the_same(told: str, *, accused: bool):
    text = f"$ docker run --gpus all image\n{BANNER_ALONE}{told}\n"
    assert (ruled(text) == "container-no-gpu") is accused


@pytest.mark.parametrize("start", ["docker build -t image .", "docker pull image"])
def test_no_gpu_is_there_while_an_image_is_built(start: str):
    error = "RuntimeError: cuInit failed: no CUDA-capable device is detected"
    assert ruled(f"Environment: docker\n$ {start}\n{error}\n") == "container-no-gpu"
    assert ruled(f"Environment: docker\n$ {start}\nWarning: ccache is not found\n") == "unknown"


TAG = "pytorch:1.13.1-py3.8.16-cuda11.7.1-devel-ubuntu20.04"


@pytest.mark.parametrize(
    ("image", "told", "cause"),
    [
        (TAG, "执行 `nvidia-smi` 却报 command not found 的错", "container-no-gpu"),
        (f"ghcr.io/team/{TAG}", "nvidia-smi gives me: command not found", "container-no-gpu"),
        (TAG, "nvidia-smi gives a table", "unknown"),
        (f"{TAG} is the next to try", "nvidia-smi says: command not found", "driver-missing"),
        ("ubuntu:20.04", "nvidia-smi says: command not found", "driver-missing"),
    ],
)
def test_an_image_is_named_alone_by_its_tag(image: str, told: str, cause: str):
    assert ruled(f"{image}\n{told}\n") == cause


@pytest.mark.parametrize(
    ("step", "cause"),
    [
        ("docker build -t detr .\nStep 7/9 : RUN python setup.py install\n", "container-no-gpu"),
        ("Environment: docker build\n", "container-no-gpu"),
        ("docker run --gpus all detr python setup.py install\n", "unknown"),
        ("docker build -t detr .\nCUDA_HOME = None\n", "toolkit-missing"),
    ],
)
def test_a_setup_that_asks_for_a_gpu_while_an_image_is_built(step: str, cause: str):
    assert ruled(f"{step}NotImplementedError: Cuda is not availabel\n") == cause
