"""A driver that is missing, as containers and their tools tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import fix

LOST_DRIVER = "nvidia-container-cli: initialization error: load library failed: libnvidia-ml.so.1\n"
NO_DRIVER_LINE = "RuntimeError: Found no NVIDIA driver on your system.\n"
CUDA = "Cannot load libcuda.so.1\n"
NO_NVML = "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system."


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("WARNING: Could not find the Nvidia SMI binary to bind into container", "driver-missing"),
        (LOST_DRIVER + "\n", "driver-missing"),
        (NO_DRIVER_LINE + "I do not know what apptainer is", "driver-missing"),
        ("OS: Debian 12\nDocker: 20.10.8, nvidia-container-runtime 3.5\n" + CUDA, "driver-missing"),
        ("Plex: 1.40 (container toolkit 1.14)\n" + CUDA, "driver-missing"),
        ("NVIDIA container: 1.14.3\n" + CUDA, "driver-missing"),
        (f"Singularity is a game\n{NO_NVML}", "driver-missing"),
        (f"apptainer was installed with --nvidia\n{NO_NVML}", "driver-missing"),
    ],
)
def test_a_driver_that_is_missing_is_named(text: str, cause: str):
    assert ruled(text) == cause


CDI = """$ lspci -k
01:00.0 VGA compatible controller: NVIDIA Corporation AD106 [GeForce RTX 4060 Ti] (rev a1)
	Kernel driver in use: {driver}
$ sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml
$ podman run --device nvidia.com/gpu=all image nvidia-smi
Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all
"""


@pytest.mark.parametrize(
    ("driver", "cause"), [("nouveau", "driver-missing"), ("nvidia", "container-no-gpu")]
)
def test_no_container_has_a_gpu_that_nouveau_drives(driver: str, cause: str):
    assert ruled(CDI.format(driver=driver)) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [("1.17.4", "unknown"), ("load library failed: libcuda.so.1", "driver-missing")],
)
def test_a_release_of_the_container_tools_is_no_error_of_theirs(told: str, cause: str):
    assert ruled(f"docker: 24.0.2\nnvidia-container-cli: {told}\n") == cause


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


@pytest.mark.parametrize("missed", [SINGULARITY, CLI])
def test_on_another_machine_the_host_has_no_driver(missed: str):
    assert ruled(missed) == "driver-missing"


PACKAGES = """$ lspci -nn | grep -i nvidia
17:00.0 3D controller [0302]: NVIDIA Corporation GA100 [A100 PCIe 40GB] [10de:20f1] (rev a1)
$ dpkg -l | grep nvidia
{listed}$ sudo modprobe nvidia
modprobe: FATAL: Module nvidia not found in directory /lib/modules/5.10.0-28-amd64
"""
TOOLS = "ii  libnvidia-container1:amd64  1.13.5-1  amd64  NVIDIA container runtime library\n"
DRIVER = "ii  nvidia-driver  525.147.05-7~deb12u1  amd64  NVIDIA metapackage\n"


@pytest.mark.parametrize(
    ("listed", "cause"),
    [
        ("", "driver-missing"),
        (TOOLS, "driver-missing"),
        (DRIVER, "driver-not-loaded"),
        (TOOLS + DRIVER, "driver-not-loaded"),
        ("rc  nvidia-driver  525.1-1  amd64  NVIDIA metapackage\n", "driver-not-loaded"),
    ],
)
def test_packages_without_a_driver_and_no_module_are_no_driver(listed: str, cause: str):
    assert ruled(PACKAGES.format(listed=listed)) == cause


_CLI = """\
docker: Error response from daemon: Unknown runtime specified nvidia.
$ sudo nvidia-container-cli -k -d /dev/tty info
{log}nvidia-container-cli: initialization error: driver error: failed to process request
"""
_GONE = (
    "E0902 13:16:07.366574 1686 driver.c:197] could not start driver service: load library failed:"
    " libcuda.so.1: cannot open shared object file: no such file or directory\n"
)


@pytest.mark.parametrize(("log", "cause"), [(_GONE, "driver-missing"), ("", "container-no-gpu")])
def test_the_hosts_driver_comes_before_the_containers(log: str, cause: str):
    assert ruled(_CLI.format(log=log)) == cause


PULL = '  Warning  Failed  2m  kubelet  Failed to pull image "{}": rpc error: code = NotFound\n'
ROW = "{}  0/1   {}   0   34m\n"
GLOG = "E0901 05:36:32.767916    5389 install.go:452] {}\n"


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        (PULL.format("nvcr.io/nvidia/driver:550.90.07-debian12"), True),
        (PULL.format("registry.local/mirror/nvidia/driver:470.82.01-sles15.3"), True),
        ("manifest for nvcr.io/nvidia/driver:550.54.14 not found: manifest unknown\n", True),
        (ROW.format("nvidia-driver-daemonset-x7k2p", "ImagePullBackOff"), True),
        (GLOG.format("failed to install GPU driver: exit status 1"), True),
        ("failed to check driver compatibility: failed to get fallback driver\n", True),
        # Another image, one that came, and a driver that was put there and does not run.
        (PULL.format("nvcr.io/nvidia/cloud-native/k8s-driver-manager:v0.8.0"), False),
        ('  Normal  Pulled  kubelet  Successfully pulled image "nvidia/driver:550.54.14"\n', False),
        (ROW.format("nvidia-driver-daemonset-x7k2p", "Init:0/1"), False),
        (GLOG.format("failed to verify GPU driver installation: exit status 255"), False),
    ],
)
def test_a_node_that_gets_no_driver_by_itself_has_none(text: str, missed: bool):
    assert ruled(f"Environment: kubernetes\n{text}") == ("driver-missing" if missed else "unknown")


def test_who_misses_the_image_of_a_driver_is_told_of_its_tag():
    told = fix(PULL.format("nvcr.io/nvidia/driver:550.90.07-debian12"))
    assert "driver.enabled=false" in told.commands[-1]
