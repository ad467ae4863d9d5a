"""Device files that are missing or may not be opened, as containers and their tools tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

NEW_MACHINE = "I have a problem with my new machine.\n"
SMI_FAILED = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"
NO_CDI = "The CDI spec does not contain /dev/nvidia0.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Environment: docker\nFailed to initialize NVML: Unknown Error", "device-nodes"),
        (
            NEW_MACHINE + "GPU disappears from the container after systemctl daemon-reload",
            "device-nodes",
        ),
        (NO_CDI + SMI_FAILED, "device-nodes"),
        (f"If the CDI spec{NO_CDI[12:]}", "unknown"),
        ("The CDI spec does not contain /dev/nvidia-modeset.\n", "unknown"),  # of no use to CUDA
        (
            "nvidia-container-cli: initialization error: nvml error: insufficient permissions",
            "device-nodes",
        ),
        # systemd takes the GPU from a container.
        (
            (
                "The container can use the card at first. After\nsystemctl daemon-reload\n"
                "on the host it cannot open the device any more.\n"
            ),
            "device-nodes",
        ),
        ("My pod loses its GPU when somebody runs systemctl daemon-reload.\n", "device-nodes"),
        ("Install the toolkit for docker.\nsudo systemctl daemon-reload\nsudo reboot\n", "unknown"),
    ],
)
def test_device_files_that_are_missing_or_closed_are_told_from_their_kin(text: str, cause: str):
    assert ruled(text) == cause


SMI_HAS_FAILED = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."


@pytest.mark.parametrize(
    ("spec", "cause"),
    [
        ("The generated CDI spec does not contain `/dev/nvidia1`.", "device-nodes"),
        ("The generated CDI spec contains `/dev/nvidia1`.", "driver-not-loaded"),
    ],
)
def test_a_description_for_containers_was_made_without_device_files(spec: str, cause: str):
    assert ruled(f"{spec}\nIn the pod:\n{SMI_HAS_FAILED}\n") == cause


FAILED = "cu->cuInit(0) failed -> CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "docker\nFor some days it works, then no more until the container is restarted:",
            "device-nodes",
        ),
        (
            "docker, after a few hours it fails; restarting the container always fixes it:",
            "device-nodes",
        ),
        (
            "docker; it stops within up to four hours; restarting the container brings it back",
            "device-nodes",
        ),
        ("docker: should I wait for some days until the container is restarted?",
         "driver-not-loaded"),
        ("Nothing was cured by restarting the container.", "driver-not-loaded"),
    ],
)  # fmt: skip
def test_a_restart_gives_a_container_its_gpu_again(told: str, cause: str):
    assert ruled(f"{told}\n{FAILED}") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "Every few days my Plex container loses the GPU. I have to recreate the container.",
            "device-nodes",
        ),
        (
            ("Now and then it fails. At times the pod cannot access the GPU.\n"
            "Restarting the container fixes it."),
            "device-nodes",
        ),
        (
            ("Frigate in docker: after some hours the GPU is not found. Nothing helps but to "
            "remove the container and to run it anew."),
            "device-nodes",
        ),
        # It never worked, has no room, or is only slow; or somebody asks.
        ("The container never sees the GPU. I have to restart the container?", "unknown"),
        ("After some hours the container has no GPU memory, until I restart the container.",
         "unknown"),
        ("After some hours the container is slow, and I have to restart the container.", "unknown"),
        ("If the container loses the GPU at times, I have to recreate the container.", "unknown"),
    ],
)  # fmt: skip
def test_a_container_that_loses_its_gpu_at_times_and_has_it_again_when_made_anew(
    told: str, cause: str
):
    assert ruled(told) == cause
    listed = "|   0  NVIDIA GeForce RTX 3060  Off  | 00000000:1C:00.0 Off |                  N/A |"
    assert ruled(f"{told}\n\nAs long as it works:\n{listed}\n") == {"unknown": "healthy"}.get(
        cause, cause
    )


@pytest.mark.parametrize(
    ("command", "cause"),
    [
        ("$ sudo systemctl daemon-reload", "device-nodes"),
        ("$ sudo systemctl restart docker", "container-no-gpu"),
        ("Never run systemctl daemon-reload by hand.", "container-no-gpu"),
    ],
)
def test_systemd_takes_the_gpu_from_a_container_that_runs(command: str, cause: str):
    assert ruled(f"Environment: docker\n{command}\nin the container:\n{FAILED}") == cause


@pytest.mark.parametrize(
    ("object_", "cause"),
    [("/dev/nvidia0 [ chr_file ]", "device-nodes"), ("/dev/video0 [ chr_file ]", "unknown")],
)
def test_selinux_alerts_to_a_device_file(object_: str, cause: str):
    assert ruled(f"Source Process                python\nTarget Objects       {object_}\n") == cause
