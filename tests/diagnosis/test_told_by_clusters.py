"""What Docker, nvidia-ctk, Singularity, Slurm, the GPU operator and Colab say of a missing GPU."""

from __future__ import annotations

import pytest

from support.cases import ruled

CLI = "nvidia-container-cli: {}: unknown"
UNREGISTERED = "Allocate failed due to can't allocate unregistered device nvidia.com/{}, which is"
ENDED = "subprocess.CalledProcessError: Command '{}' returned non-zero exit status {}."
COUNTED = "error: gres/gpu count reported lower than configured ({} < 4)"
COLAB = 'Select the Runtime > "Change runtime type" menu to enable a GPU accelerator, '
GLIBC = "nvidia-smi: /lib/libc.so.6: version `GLIBC_2.27' not found (required by {})"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (
            (
                "docker: Error response from daemon: failed to discover GPU vendor from CDI: "
                "no known GPU vendor found"
            ),
            "container-no-gpu",
        ),
        (
            "services.ollama additional properties 'gpus' not allowed",
            "container-no-gpu",
        ),
        ("rpc error: failed to find runtime handler nvidia from runtime list", "container-no-gpu"),
        (
            "FATAL: While setting --nvccli: nvidia-container-cli not found on PATH",
            "container-no-gpu",
        ),
        (
            (
                "docker: Error response from daemon: failed to create task for container: failed to"
                " create shim task: OCI runtime create failed: runc create failed: unable to start "
                "container process: error during container init: "
                'exec: "nvidia-smi": executable file not found in $PATH: unknown.'
            ),
            "container-no-gpu",
        ),
        ("Error: GPU resources are not discovered by the node", "container-no-gpu"),
        ("Error: unsupported CUDA version: driver 7.5 < image 8.0.61", "driver-too-old"),
        (CLI.format("requirement error: unsatisfied condition: brand = tesla"), "driver-too-old"),
        (CLI.format("requirement error: unsatisfied condition: arch >= 7.0"), "gpu-too-old"),
        (CLI.format("initialization error: cuda error: unknown error"), "device-nodes"),
        ("WARNING: Could not find the Nvidia SMI binary to bind into container", "driver-missing"),
        ("rmmod: ERROR: Module nouveau is in use", "driver-not-loaded"),
        ("[WARN] Kernel module nvidia_uvm is not loaded. Make sure", "device-nodes"),
        (
            (
                "error setting MIGConfig: error attempting multiple config orderings: all orderings"
                " failed"
            ),
            "mig",
        ),
        (COUNTED.format(3), "device-lost"),
        ("'nvidia.com/gpu' device marked unhealthy: GPU-2b1c1111", "device-lost"),
        (COLAB, "no-nvidia-gpu"),
        ("Not connected to a GPU", "no-nvidia-gpu"),
        ('no runtime for \\"nvidia\\" is configured', "container-no-gpu"),
        (UNREGISTERED.format("gpu"), "container-no-gpu"),
        ("0/2 nodes are available: 2 Insufficient nvidia.com/mig-1g.5gb.", "mig"),
        ("crun: cannot stat `/usr/lib/libcuda.so.535.54.03`: No such file", "container-no-gpu"),
        ("failed to fulfil mount request: open /lib/libcuda.so.550.54.14", "container-no-gpu"),
        ("Error: stat /dev/nvidia-uvm: no such file or directory", "device-nodes"),
        ("failed to generate spec: lstat /dev/nvidia0: no such file", "device-nodes"),
        (ENDED.format("['nvidia-smi', '-L']", 9), "driver-not-loaded"),
        (ENDED.format("nvidia-smi -L", 15), "device-lost"),
        (ENDED.format("nvidia-smi", 18), "driver-library-mismatch"),
        (ENDED.format("nvidia-smi", 127), "driver-missing"),
        ("[inputs.nvidia_smi] error running nvidia-smi: exit status 9", "driver-not-loaded"),
        ("nvidia-smi failed with exit code 9", "driver-not-loaded"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "verdict"),
    [
        ("failed to discover the vendor of the audio device", "unknown"),
        ("services.ollama additional properties 'ports' not allowed", "unknown"),
        ("failed to find runtime handler kata from runtime list", "unknown"),
        ("unsupported CUDA version: 13.9", "unknown"),
        ("error attempting several orderings of the list", "unknown"),
        ("rmmod: ERROR: Module nvme is in use", "unknown"),
        (f"print('{COLAB}')", "unknown"),
        ("We are not connected to a GPU vendor in any way", "unknown"),
        (UNREGISTERED.format("cpu"), "unknown"),
        ("0/2 nodes are available: 2 Insufficient memory.", "unknown"),
        ("crun: cannot stat `/usr/lib/libssl.so.3.0.1`: No such file", "unknown"),
        ("stat /dev/nvme0: no such file or directory", "unknown"),
        (ENDED.format("nvidia-smi", 1), "unknown"),
        (ENDED.format("ls", 9), "unknown"),
        ("nvidia-smi lists the GPU, and the job exits with exit code 9", "unknown"),
        ("failed to generate CDI spec: no permission to write /etc/cdi", "container-no-gpu"),
        (GLIBC.format("/.singularity.d/libs/libnvidia-ml.so"), "unknown"),
        (GLIBC.format("/usr/lib/libtensorflow_framework.so"), "python-unsupported"),
    ],
)
def test_kin_is_not_taken_for_it(pasted: str, verdict: str) -> None:
    assert ruled(pasted) == verdict
