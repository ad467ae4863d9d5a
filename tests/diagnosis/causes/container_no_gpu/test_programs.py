"""A container without access to the GPU, told by nvidia-smi, PyTorch and others."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled
from support.texts import INSIDE_A_CONTAINER

NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system."
LOGGED = "worker_1  | Loading the model\nworker_1  | " + NO_DRIVER
NO_CUDA = "| NVIDIA-SMI 545.46       Driver Version: 546.80       CUDA Version: ERR!     |\n"
COMPOSE = "services:\n  cam:\n    image: somebody/cam:stable\n"
RUNTIME = "OCI runtime create failed: could not apply required modification to OCI specification: "


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("services.ollama additional properties 'gpus' not allowed", "container-no-gpu"),
        ("services.ollama additional properties 'ports' not allowed", "unknown"),
        ("Additional property devices is not allowed", "unknown"),
        ("Error: GPU resources are not discovered by the node", "container-no-gpu"),
        ('no runtime for \\"nvidia\\" is configured', "container-no-gpu"),
        ("crun: cannot stat `/usr/lib/libcuda.so.535.54.03`: No such file", "container-no-gpu"),
        ("crun: cannot stat `/usr/lib/libssl.so.3.0.1`: No such file", "unknown"),
        ("failed to fulfil mount request: open /lib/libcuda.so.550.54.14", "container-no-gpu"),
        (r"exec: \"nvidia-smi\": executable file not found in $PATH: unknown", "container-no-gpu"),
        (LOGGED, "container-no-gpu"),
        (NO_CUDA, "container-no-gpu"),
        (COMPOSE + "Cannot load libcuda.so.1", "container-no-gpu"),
        (RUNTIME + "error modifying OCI spec: failed to locate the hook", "container-no-gpu"),
        (
            "root@5f2d1c3a9b10:/x# nvidia-smi\nbash: nvidia-smi: command not found",
            "container-no-gpu",
        ),
        ("root@server:/x# nvidia-smi", "unknown"),
        (
            (
                "services.app.deploy.resources.reservations value 'devices' does not match any of"
                " the regexes"
            ),
            "container-no-gpu",
        ),
        ("services.app.ports value 'published' does not match any of the regexes", "unknown"),
        ("Unsupported config option for services.app: 'runtime'", "container-no-gpu"),
        ("Unsupported config option for services.app: 'deploy'", "unknown"),
        ('RuntimeHandler "nvidia" not supported', "container-no-gpu"),
        ('RuntimeHandler "kata" not supported', "unknown"),
        ("WARNING: nv files may not be bound with --writable", "container-no-gpu"),
    ],
)
def test_a_container_without_the_gpu_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "My services:\n  image: a.png",
    ],
)
def test_kin_of_a_container_without_the_gpu_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        "could not apply the required modification to the document",
        "RuntimeError: Failed to infer device type",
    ],
)
def test_this_is_not_a_container_without_the_gpu(text: str):
    assert ruled(text) != "container-no-gpu"


def test_a_part_that_is_not_missed_explains_nothing():
    missed = "bash: nvidia-smi: command not found\n"
    assert ruled(f"ENV NVIDIA_DRIVER_CAPABILITIES=video,utility\n{missed}") != "container-no-gpu"
    assert ruled(f"ENV NVIDIA_DRIVER_CAPABILITIES=compute\n{missed}") == "container-no-gpu"


EGL = "unable to find CUDA device 0 among 1 EGL devices in total"


def test_the_part_that_lacks_is_named_in_the_repair():
    text = INSIDE_A_CONTAINER.format(capabilities="compute,utility", missed=EGL)
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    assert root.finding.fix is not None
    assert "=compute,utility,graphics " in root.finding.fix.commands[0]


SEES_NONE = ">>> torch.cuda.is_available()\nFalse\n"
SEES_ONE = ">>> torch.cuda.is_available()\nTrue\n"


def test_nvml_may_fail_where_torch_gets_at_the_gpu():
    assert ruled(f"UserWarning: Can't initialize NVML\n{SEES_ONE}") == "healthy"
    inside = f"root@0123456789ab:/# python\nUserWarning: Can't initialize NVML\n{SEES_NONE}"
    assert ruled(inside) == "container-no-gpu"


@pytest.mark.parametrize(
    ("folder", "cause"),
    [("/.singularity.d/libs", "container-no-gpu"), ("/srv/singularity/libs", "driver-missing")],
)
def test_a_folder_of_apptainer_tells_that_it_runs_inside(folder: str, cause: str):
    failed = "RuntimeError: Found no NVIDIA driver on your system.\n"
    assert ruled(f"LD_LIBRARY_PATH={folder}\n{failed}") == cause


@pytest.mark.parametrize(
    ("variable", "cause"),
    [
        ('"NVIDIA_VISIBLE_DEVICES=all",', "container-no-gpu"),
        ('"NVIDIA_DRIVER_CAPABILITIES=compute,utility"', "container-no-gpu"),
        ("NVIDIA_VISIBLE_DEVICES=all", "unknown"),  # of a shell, which may be the host's
        ('"OLLAMA_HOST=0.0.0.0:11434"', "unknown"),
    ],
)
def test_ollama_finds_none_in_a_container_that_is_inspected(variable: str, cause: str):
    log = 'level=INFO source=gpu.go:377 msg="no compatible GPUs were discovered"\n'
    assert ruled(f'{log}\t"Env": [\n\t\t{variable}\n\t],\n') == cause
