"""What is told in passing: where something ran, and a driver that does not come up."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_GPUS = "MisconfigurationException: You requested GPUs: [0]\n But your machine only has: {}"
NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system.\n"
LXC = "lxc c 20220222 ERROR    conf - conf.c:lxc_setup:4381 - Failed to run mount hooks"
FAILED = "Building DKMS module: {}-570.133.07... FAILED!"
OLD_SOURCE = "/{}/kernel/nv-linux.h:2261:23: error: too many arguments to function"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (
            "NVIDIA-SMI has failed because it couldn\u2018t communicate with the NVIDIA driver.",
            "driver-not-loaded",
        ),
        ("singularity shell nemo.sif\n" + NO_GPUS.format("[]"), "container-no-gpu"),
        ("toil is not able to run `nvidia-smi` to count the GPUs", "driver-missing"),
        ("lxc launch ubuntu:20.04 c -c nvidia.runtime=true\n" + LXC, "container-no-gpu"),
        (FAILED.format("nvidia"), "driver-not-loaded"),
        ("New kernel update break DKMS module for Driver 525", "driver-not-loaded"),
        ("DKMS module fails to build for 570.133.07", "driver-not-loaded"),
        ("Now my nvidia driver cant load because of secure boot", "driver-not-loaded"),
        (
            "The NVIDIA modules are still not loaded after a restart: nvidia module is not loaded",
            "driver-not-loaded",
        ),
        (OLD_SOURCE.format("tmp/selfgz2281"), "driver-not-loaded"),
        (
            "make[3]: *** [Makefile.build:243: /tmp/selfgz2281/kernel/nv.o] Error 1",
            "driver-not-loaded",
        ),
        ("nvidia-ctk cdi list shows: Found 0 CDI devices", "container-no-gpu"),
        (NO_DRIVER + "I run it inside the apptainer container", "container-no-gpu"),
        (NO_DRIVER + "The pod is scheduled on our GKE cluster", "container-no-gpu"),
        (NO_DRIVER + "It is in an LXC on Proxmox", "container-no-gpu"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "verdict"),
    [
        (NO_GPUS.format("[0, 1]"), "user-code"),
        ("toil is not able to run `docker`", "unknown"),
        (LXC, "unknown"),
        (FAILED.format("vboxhost"), "unknown"),
        ("DKMS module fails to build for virtualbox", "unknown"),
        ("New kernel update breaks the ZFS DKMS module", "unknown"),
        ("my nvidia card can load textures fast", "unknown"),
        (OLD_SOURCE.format("build"), "unknown"),
        ("nvidia-ctk cdi list shows: Found 2 CDI devices", "unknown"),
        (NO_DRIVER + "I do not know what apptainer is", "driver-missing"),
        (NO_DRIVER + "The pod of whales is large", "driver-missing"),
        (NO_DRIVER + "Our kubernetes cluster is another thing", "driver-missing"),
    ],
)
def test_kin_is_not_taken_for_it(pasted: str, verdict: str) -> None:
    assert ruled(pasted) == verdict
