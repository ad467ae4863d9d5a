"""What installers, container tools and boards tell before any program asks for the GPU."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_CDI = "ERRO[0000] failed to generate CDI spec: failed to initialize NVML: ERROR_{}"
NO_FILE = 'error gathering device information while adding custom device "{}": no such file'
HOOK = "Error: OCI runtime error: crun: error executing hook `/usr/bin/{}` (exit code: 1)"
L4T = "OSError: /usr/lib/aarch64-linux-gnu/{}: file too short\n"
WSL = "uname -r: 5.15.90.1-microsoft-standard-WSL2\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (
            (
                "ERROR: An NVIDIA kernel module 'nvidia-uvm' appears to already be loaded in your"
                " kernel."
            ),
            "driver-not-loaded",
        ),
        (
            "ERROR: You appear to be running an X server; please exit X before installing.",
            "driver-not-loaded",
        ),
        (
            "Secure boot is enabled, so it was not signed by a key that is trusted by the kernel",
            "driver-not-loaded",
        ),
        ("Unable to find the development tool `cc` in your path", "driver-not-loaded"),
        ("ERROR: Unable to build the NVIDIA kernel module.", "driver-not-loaded"),
        (
            (
                "/var/lib/dkms/nvidia/470.63.01/build/nvidia/nv-pci.c:1042:5: error: implicit"
                " declaration of function"
            ),
            "driver-not-loaded",
        ),
        ("dpkg: error processing package nvidia-dkms-470 (--configure):", "driver-not-loaded"),
        (
            (
                "Installation has failed.  Please see the file '/var/log/nvidia-installer.log' for"
                " details."
            ),
            "driver-not-loaded",
        ),
        (
            (
                "E: Unable to locate package linux-headers-5.4.0-1029-azure\n"
                "Stopping NVIDIA persistence daemon..."
            ),
            "driver-not-loaded",
        ),
        (
            (
                "trying to overwrite '/usr/lib/x86_64-linux-gnu/libnvidia-ml.so', which is also in"
                " package libnvidia-compute-450"
            ),
            "driver-missing",
        ),
        ("dpkg-divert: error: mismatch on divert-to", "driver-missing"),
        ("chroot: failed to run command 'nvidia-smi': No such file or directory", "driver-missing"),
        (HOOK.format("nvidia-container-toolkit"), "container-no-gpu"),
        (
            (
                "invoking the NVIDIA Container Runtime Hook directly (e.g. specifying the docker"
                " --gpus flag) is not supported."
            ),
            "container-no-gpu",
        ),
        ("docker: get nvidia_driver_375.66: error looking up volume plugin", "container-no-gpu"),
        (
            (
                "services.app.deploy.resources.reservations value 'devices' does not match any of"
                " the regexes"
            ),
            "container-no-gpu",
        ),
        ("Unsupported config option for services.app: 'runtime'", "container-no-gpu"),
        ("Error: stat nvidia.com/gpu=all: no such file or directory", "container-no-gpu"),
        ('RuntimeHandler "nvidia" not supported', "container-no-gpu"),
        (
            (
                "Allocate failed due to no healthy devices present; cannot allocate unhealthy"
                " devices nvidia.com/gpu"
            ),
            "container-no-gpu",
        ),
        ("fork/exec /usr/bin/nvidia-container-runtime: permission denied", "container-no-gpu"),
        (NO_CDI.format("LIBRARY_NOT_FOUND"), "container-no-gpu"),
        (NO_CDI.format("DRIVER_NOT_LOADED"), "driver-not-loaded"),
        ("nvidia-container-cli: device error: MIG-GPU-1/2/0: unknown device", "mig"),
        (
            "nvidia-container-cli: device error: invalid device id: all,0",
            "hidden-by-visible-devices",
        ),
        (
            "nvidia-container-cli: initialization error: nvml error: insufficient permissions",
            "device-nodes",
        ),
        ("Errors were encountered while processing: nvidia-304", "driver-missing"),
        (
            "Errors were encountered while processing:\n initramfs-tools\n nvidia-dkms-470\n",
            "driver-not-loaded",
        ),
        ("The unit is blocked: Failed to communicate with NVIDIA driver", "driver-not-loaded"),
        ("With suspend - wake cycles, CUDA stops being detected", "device-nodes"),
        (NO_FILE.format("/dev/nvidia-uvm"), "device-nodes"),
        (
            "NVIDIA: could not open the device file /dev/nvidiactl (No such file or directory).",
            "device-nodes",
        ),
        (
            "==> ERROR: Missing 6.6.8-arch1-1 kernel headers for module nvidia/545.29.06.",
            "driver-not-loaded",
        ),
        (
            "error: Package 'nvidia-x11-470.223.02-6.7' in /nix/store/x is marked as broken",
            "driver-not-loaded",
        ),
        (
            "Error: Package: 3:kmod-nvidia-latest-dkms-455.32.00-1.el7.x86_64 (cuda-rhel7-x86_64)",
            "driver-missing",
        ),
        (
            "nothing provides 'k = 5' needed by the to be installed nvidia-gfxG05-kmp-default-4",
            "driver-missing",
        ),
        ("nvidia-driver-535 : Breaks: libnvidia-gl-525", "driver-missing"),
        ("[ERROR] Command not found: nvidia-container-cli, see the manual", "container-no-gpu"),
        ("no runtime binary found from candidate list: [docker-runc runc]", "container-no-gpu"),
        ("Error: invalid device specification nvidia.com/gpu=all", "container-no-gpu"),
        ("fork/exec /usr/bin/nvidia-cdi-hook: no such file or directory", "container-no-gpu"),
        ("WARNING: nv files may not be bound with --writable", "container-no-gpu"),
        (WSL + "nvidia-smi\nSegmentation fault", "wsl"),
        (
            WSL + "nvidia-container-cli: initialization error: driver error: failed to process"
            " request",
            "wsl",
        ),
        ("slurmd: fatal: can't stat gres.conf file /dev/nvidia0: No such file", "device-nodes"),
        ("NvRmMemInitNvmap failed with Permission denied", "device-nodes"),
        ("NvRmMemInitNvmap failed with No such file or directory", "device-nodes"),
        (
            "docker run --runtime=nvidia l4t-ml\nNvRmMemInitNvmap failed with No such file",
            "container-no-gpu",
        ),
        ("NvMapMemAllocInternalTagged: 1075072515 error 12", "oom-workload"),
        ("docker run -it l4t-ml:r32\n" + L4T.format("libcudnn.so.8"), "container-no-gpu"),
        (WSL + "Failed to initialize NVML: N/A", "wsl"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "ERROR: A kernel module 'vboxdrv' appears to be loaded",
        "/var/lib/dkms/virtualbox/6.1/build/vboxdrv/nv.c:1:5: error: implicit declaration",
        "dpkg: error processing package virtualbox-dkms (--configure):",
        "E: Unable to locate package linux-headers-5.4.0-1029-azure",
        "trying to overwrite '/usr/bin/node', which is also in package nodejs",
        HOOK.format("oci-umount"),
        "services.app.ports value 'published' does not match any of the regexes",
        "Unsupported config option for services.app: 'deploy'",
        "Additional property devices is not allowed",
        "Error: stat vendor.com/net=all: no such file or directory",
        'RuntimeHandler "kata" not supported',
        NO_FILE.format("/dev/ttyUSB0"),
        "NvMapMemAllocInternalTagged: 1075072515 error 0",
        "OSError: /usr/lib/x86_64-linux-gnu/libtiff.so.8: file too short",
        "Failed to initialize NVML: N/A",
        WSL + "ffmpeg -i a.mp4\nSegmentation fault",
        "nvidia-smi\nSegmentation fault",
        "error: Package 'nvidia-texture-tools' in /nix/store/x is marked as broken",
        "Error: Package: 3:kernel-headers-455.32.00-1.el7.x86_64",
        "vim : Breaks: vim-tiny",
        "Errors were encountered while processing:\n mysql-server\n",
        "Failed to communicate with the printer's driver",
        "With suspend - wake cycles, the fan stops; CUDA works",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"
