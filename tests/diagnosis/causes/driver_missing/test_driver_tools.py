"""A driver that is missing, told by nvidia-smi and the kernel's log."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_LIBRARY = "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.\n"
ENDED = "subprocess.CalledProcessError: Command '{}' returned non-zero exit status {}."
NEW_MACHINE = "I have a problem with my new machine.\n"
SLOT = "ValueError: No slot '{}' specified on host '{}'\n"
NO_DRIVER = (
    "nvidia-smi: command not found\nRuntimeError: Found no NVIDIA driver on your system. Please "
    "check that you have an NVIDIA GPU and installed a driver\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("The log of the host:\n" + NO_LIBRARY, "driver-missing"),
        ("node: CPU only build\n" + NO_LIBRARY, "driver-missing"),
        (
            (
                "`nvidia-smi` failed. Ensure that you have CUDA installed and that `nvidia-smi` is "
                "in your PATH."
            ),
            "driver-missing",
        ),
        (ENDED.format("nvidia-smi", 127), "driver-missing"),
        (NEW_MACHINE + "nvidia-smi does not exist", "driver-missing"),
        ("toil is not able to run `nvidia-smi` to count the GPUs", "driver-missing"),
        ("toil is not able to run `docker`", "unknown"),
        (
            "Impossible to initialize nvidia nvml : The nvidia-ml library could not be loaded",
            "driver-missing",
        ),
        ("FATAL ERROR: NVIDIA Management Library (NVML) not found.", "driver-missing"),
        (
            (
                "bob@box:~$ lspci | grep VGA\n01:00.0 VGA compatible controller: "
                "NVIDIA Corporation "
                "GP107 [GeForce GTX 1050 Ti]\nbob@box.local:~$ lspci -k | grep VGA\n00:02.0 VGA "
                "compatible controller: Intel Corporation UHD Graphics 630\nbob@box.local:~$ "
                "nvidia-smi\nbash: nvidia-smi: command not found\n"
            ),
            "driver-missing",
        ),
        ("CUDA_VISIBLE_DEVICES=4,5\n" + SLOT.format(4, "localhost") + NO_DRIVER, "driver-missing"),
        ("chroot: failed to run command 'nvidia-smi': No such file or directory", "driver-missing"),
        # A command typed wrongly or only named is not missed.
        ("'nvidia-smi'' is not recognized as an internal or external command,", "unknown"),
        ("nvidia-smi: el proceso no terminó", "unknown"),
        ("Mit dem Befehl nvidia-smi wird die Karte angezeigt", "unknown"),
    ],
)
def test_a_driver_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "CUDA_VISIBLE_DEVICES=0\n" + SLOT.format(3, "worker-2"),
    ],
)
def test_kin_of_a_driver_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


CARD = "01:00.0 VGA compatible controller: NVIDIA Corporation GP104 [GeForce GTX 1080] (rev a1)\n"
NOUVEAU = f"$ lspci -k\n{CARD}\tKernel driver in use: nouveau\n"
LISTED = "nouveau              2306048  4\nmxm_wmi                16384  1 nouveau\n"


@pytest.mark.parametrize(
    "pasted",
    [
        # Both are listed; the log of a driver that answers; another code of CUDA's; another maker.
        f"$ lsmod\n{LISTED}nvidia              56823808  2\n",
        f"{NOUVEAU}NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Release Build\n",
        f"$ lsmod\n{LISTED}CUDA error 700: an illegal memory access was encountered\n",
        "$ lspci -k\n06:00.0 Display controller: Intel UHD\n\tKernel driver in use: i915\n",
    ],
)
def test_nouveau_beside_a_driver_is_no_cause(pasted: str) -> None:
    assert ruled(pasted) not in {"driver-missing", "driver-not-loaded"}


SECOND = "Please also try adding directory that contains libnvidia-ml.so to your system PATH.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"/opt/nvidia/bin/nvidia-smi says\n{SECOND}", "driver-missing"),
        (f"root@0123456789ab:/# nvidia-smi\n{SECOND}", "container-no-gpu"),
        ("The directory that contains libnvidia-ml.so is in my system PATH.\n", "unknown"),
    ],
)
def test_the_second_sentence_of_nvidia_smi_tells_enough(text: str, cause: str):
    assert ruled(text) == cause
