"""What holds a GPU back or hides a part of it: watts, instances, desktops, virtual machines."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("GPU power stays at 70 W under full load, Windows takes it to 140 W", "power-thermal"),
        ("Issue: the card is stuck at 80W", "power-thermal"),
        ("the GPU stays at 12 W when it is idle", "unknown"),
        ("Is the GPU power limited to 80 W?", "unknown"),
    ],
)
def test_somebody_says_that_watts_are_held_back(line: str, cause: str):
    assert ruled(f"GPU: RTX 4080 Laptop\nOS: Ubuntu 24.04\n\n{line}\n") == cause


NODE = """K8s: v1.30, GPU Operator v25.3
GPUs: 2x A100-PCIE-40GB
node advertises nvidia.com/gpu: 0
{label}
"""


@pytest.mark.parametrize(
    ("label", "cause"),
    [
        ("nvidia.com/mig.config.state=failed", "mig"),
        ('"nvidia.com/mig.config.state": "failed"', "mig"),
        ('"nvidia.com/mig.config.state": "pending"', "container-no-gpu"),
        ('"nvidia.com/gpu.product": "NVIDIA-A100-PCIE-40GB-MIG-INVALID"', "mig"),
        ("nvidia.com/mig.config.state=success", "container-no-gpu"),
    ],
)
def test_a_nodes_labels_say_that_its_gpus_are_not_divided_yet(label: str, cause: str):
    assert ruled(NODE.format(label=label)) == cause


OLLAMA = """$ nvidia-smi -L
GPU 0: NVIDIA H100 NVL (UUID: GPU-11111111-1111-1111-1111-111111111111)
{instance}
msg="inference compute" id=cpu library=cpu
"""


def test_ollama_takes_the_cpu_beside_an_instance():
    instance = "  MIG 1g.24gb     Device  0: (UUID: MIG-22222222-2222-2222-2222-222222222222)"
    assert ruled(OLLAMA.format(instance=instance)) == "mig"
    assert ruled(OLLAMA.format(instance="")) != "mig"


XID = "NVRM: Xid (PCI:0000:08:00): 31, pid=1698, name={name}, Ch 00000023, intr 00000000. MMU Fault"


@pytest.mark.parametrize(("name", "cause"), [("chrome", "unknown"), ("python3", "user-code")])
def test_a_browser_that_faults_is_no_program_of_the_users(name: str, cause: str):
    assert ruled(XID.format(name=name)) == cause


@pytest.mark.parametrize(
    ("system", "cause"),
    [
        ("Ubuntu 22.04 in a VirtualBox machine", "no-nvidia-gpu"),
        ("Ubuntu 22.04, VirtualBox not used", "driver-not-loaded"),
        ("Ubuntu 22.04", "driver-not-loaded"),
    ],
)
def test_virtualbox_passes_no_gpu_through(system: str, cause: str):
    gpu = "" if cause == "no-nvidia-gpu" else "01:00.0 VGA compatible controller: NVIDIA GA104\n"
    asked = "cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"
    smi = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
    assert ruled(f"OS: {system}\n\n{gpu}{asked}\n{smi}\n") == cause


JULIA = "┌ Warning: CUDA runtime library `libcublasLt.so.13` was loaded from {where}\n"


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("a system path, `/usr/local/cuda/lib64/libcublasLt.so.13`.", "library-path-conflict"),
        ("the artifact", "unknown"),
    ],
)
def test_julia_warns_of_a_library_that_is_not_its_own(where: str, cause: str):
    assert ruled(JULIA.format(where=where)) == cause


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("model = Whisper(path, use_gpu=False, language='de')", "silent-cpu-fallback"),
        (
            "sess = InferenceSession(path, providers=['CPUExecutionProvider'])",
            "silent-cpu-fallback",
        ),
        ("model = Whisper(path, use_gpu=True, language='de')", "unknown"),
    ],
)
def test_code_asks_for_the_cpu_and_somebody_wonders(code: str, cause: str):
    assert ruled(f"GPU: RTX 3060\nit runs on the CPU instead of the GPU\n\n    {code}\n") == cause


def test_code_that_asks_for_the_cpu_is_no_fault_by_itself():
    code = "sess = InferenceSession(path, providers=['CPUExecutionProvider'])"
    assert ruled(f"GPU: RTX 3060\n\n    {code}\nKeyError: 'input'\n") == "unknown"


WSL = """OS: {system}
nvidia-container-cli: mount error: file creation failed
I1004 13:41:19.552152 13740 nvc_info.c:197] selecting {file}
"""


@pytest.mark.parametrize(
    ("system", "file", "is_wsl"),
    [
        ("WSL2", "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.460.91.03", True),
        ("WSL2", "/usr/lib/wsl/lib/libnvidia-ml.so.1", False),
        ("Ubuntu 22.04", "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.460.91.03", False),
    ],
)
def test_the_container_tools_take_a_linux_driver_inside_wsl(
    system: str, file: str, *, is_wsl: bool
):
    assert (ruled(WSL.format(system=system, file=file)) == "wsl") is is_wsl


OPERATOR = """Environment: kubernetes, {with_what}
The validation job runs successfully.
root@worker:~# nvidia-smi
bash: nvidia-smi: command not found
"""


def test_the_gpu_operator_keeps_the_driver_in_a_container():
    assert ruled(OPERATOR.format(with_what="gpu-operator")) == "unknown"
    assert ruled(OPERATOR.format(with_what="device plugin")) == "container-no-gpu"


BANNER = "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.\n"


@pytest.mark.parametrize(
    ("told", "accused"),
    [("but the gpu works fine inside the container.", False), ("and no GPU works.", True)],
)
def test_an_image_warns_and_its_gpu_works_all_the_same(told: str, *, accused: bool):
    text = f"$ docker run --gpus all image\n{BANNER}{told}\n"
    assert (ruled(text) == "container-no-gpu") is accused


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("设置CUDA_VISIBLE_DEVICES 没生效", "visible-devices-too-late"),
        ("it still attempts to use GPU 0", "visible-devices-too-late"),
        ("it takes that GPU", "unknown"),
    ],
)
def test_a_variable_that_code_sets_changes_nothing(said: str, cause: str):
    code = 'import oneflow\nimport os\nos.environ["CUDA_VISIBLE_DEVICES"] = "1"\n'
    assert ruled(f"{code}\n{said}\n") == cause
