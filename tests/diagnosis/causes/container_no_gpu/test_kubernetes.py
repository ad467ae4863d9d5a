"""A container without access to the GPU, as Kubernetes and its pods tell of it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

NO_LIBRARY = "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.\n"
UNREGISTERED = "Allocate failed due to can't allocate unregistered device nvidia.com/{}, which is"
NEW_MACHINE = "I have a problem with my new machine.\n"
NO_DRIVER_LINE = "RuntimeError: Found no NVIDIA driver on your system.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("The log of the pod:\n" + NO_LIBRARY, "container-no-gpu"),
        ("0/3 nodes are available: 3 Insufficient nvidia.com/gpu.", "container-no-gpu"),
        (UNREGISTERED.format("gpu"), "container-no-gpu"),
        (UNREGISTERED.format("cpu"), "unknown"),
        (
            (
                "requested number of devices unavailable for nvidia.com/gpu. Requested: "
                "1, Available: 0"
            ),
            "container-no-gpu",
        ),
        ("requested number of devices unavailable for example.com/fpga.", "unknown"),
        (NEW_MACHINE + "the pods can't see the GPU of the node", "container-no-gpu"),
        (NEW_MACHINE + "The device plugin did not register the GPUs", "container-no-gpu"),
        (NO_DRIVER_LINE + "The pod is scheduled on our GKE cluster", "container-no-gpu"),
        ("Error: stat nvidia.com/gpu=all: no such file or directory", "container-no-gpu"),
        ("Error: stat vendor.com/net=all: no such file or directory", "unknown"),
        (
            (
                "Allocate failed due to no healthy devices present; cannot allocate unhealthy"
                " devices nvidia.com/gpu"
            ),
            "container-no-gpu",
        ),
        ("Error: invalid device specification nvidia.com/gpu=all", "container-no-gpu"),
    ],
)
def test_a_container_without_the_gpu_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


NOTHING = "unknown", "healthy"
SEEN = '$ python3 -c "import torch; print(torch.cuda.is_available())"\nTrue\n'
CDI = (
    "$ podman run --rm --device nvidia.com/gpu=all img nvidia-smi\n"
    "Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all\n"
)
DOCKER = (
    "docker: Error response from daemon: could not select device driver "
    '"" with capabilities: [[gpu]].\n'
)


def test_the_host_sees_its_gpu_and_the_engine_cannot_hand_it_on():
    assert ruled(SEEN + CDI) == "container-no-gpu"
    assert ruled(SEEN + DOCKER) == "container-no-gpu"
    assert ruled(SEEN) in NOTHING


def test_a_description_that_is_missing_is_written():
    described, set_up = (gpuprobe.explain(text).diagnosis.root for text in (CDI, DOCKER))
    assert described is not None
    assert set_up is not None
    assert described.finding.fix.commands[0].startswith("sudo nvidia-ctk cdi generate")
    assert "sudo nvidia-ctk runtime configure --runtime=docker" in set_up.finding.fix.commands


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("A pod with this image, on a node of Kubernetes:", "container-no-gpu"),
        ("On a node of Kubernetes, which runs a pod besides:", "driver-missing"),
    ],
)
def test_a_pod_that_did_not_ask_for_the_gpu(where: str, cause: str) -> None:
    assert ruled(f"{where}\nentrypoint.sh: line 52: nvidia-smi: command not found\n") == cause


PENDING = "Warning  FailedScheduling  4m  0/3 nodes are available: 3 Insufficient nvidia.com/gpu.\n"
SCHEDULED = "Normal   Scheduled  71s  Successfully assigned prod/ocr to node-1\n"
BANNER = "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.\n"
STEPS = "rank 0: NVIDIA A40, cuda 12.2\nstep 100 loss 7.92 11.8k tok/s\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (PENDING + SCHEDULED, "unknown"),
        (PENDING, "container-no-gpu"),
        (SCHEDULED + PENDING, "container-no-gpu"),  # of another pod
        (PENDING + "The other pods go through:\n" + SCHEDULED, "container-no-gpu"),
        (BANNER + STEPS, "unknown"),
        (BANNER, "container-no-gpu"),
        (STEPS + BANNER, "container-no-gpu"),
    ],
)
def test_what_a_cluster_had_not_yet(text: str, cause: str):
    assert ruled(text) == cause


PLUGIN = "Detected non-NVML platform: could not load NVML library: libnvidia-ml.so.1: cannot open\n"
REGISTERED = "Registered device plugin for 'nvidia.com/gpu' with Kubelet\n"


def test_a_node_without_a_gpu_beside_one_with_it():
    assert ruled(PLUGIN) in ("container-no-gpu", "driver-missing")
    assert ruled(PLUGIN + REGISTERED) == "unknown"


@pytest.mark.parametrize(
    "sentence",
    [
        "Docker Engine does not natively support NVIDIA GPUs with containers.",
        "The docker build does not get access to the GPU, so kernels are compiled before",
        "Fixed that containers no longer use GPU 0 by default",
        "The tests are skipped because there is no nvidia-smi on CI",
        "nvidia drivers are not installed in the image; the host provides them",
        "NVIDIA drivers are not installed by this script.",
        "This program works on machines with no NVIDIA drivers installed",
        "If the container does not see the GPU, start it with --gpus all",
        "Does the container not see the GPU?",
        "Docker can't find the image nvidia/cuda:12.0-base",
        "the docker container can not find the CUDA headers",
        "the pods do not use GPU sharing",
        "If the process is killed, GPU memory is not released",
        "memory is still allocated for the cache, the program runs on",
        "The container does not get enough shared memory, GPU utilization is low",
        "The GPU worker does not exit inside the container",
        "Nouveau is loaded by default on Ubuntu",
        "lsmod shows nvidia and no nvidia_fs",
        "nvidia-apex does not build",
        "NVIDIA DALI fails to build from source with gcc 13",
        "The user is not in the video group of the meeting",
        "the card is missing from the deck",
        "we are short of GPU time",
        "`CUDA_VISIBLE_DEVICES=$0 ./demo.py` prints the help",
    ],
)
def test_advice_and_kin_name_no_cause(sentence: str) -> None:
    assert ruled(NEW_MACHINE + sentence) == "unknown"


LIBCUDA = (
    "I tensorflow/stream_executor/dso_loader.cc:99] Couldn't open CUDA library libcuda.so.1. "
    "LD_LIBRARY_PATH: /usr/local/nvidia/lib\n"
    "I tensorflow/stream_executor/cuda/cuda_diagnostics.cc:257] driver version file contents: "
    '"""NVRM version: NVIDIA UNIX x86_64 Kernel Module  367.44  Wed Aug 17 22:24:07 PDT 2016\n'
)


@pytest.mark.parametrize(
    ("heading", "cause"),
    [
        ("In the container:", "container-no-gpu"),
        ("**Inside a running container (CentOS):**", "container-no-gpu"),
        ("In a pod of the cluster:", "container-no-gpu"),
        ("In the terminal:", "driver-missing"),
        ("In the container it is the same. On the host:", "driver-missing"),
    ],
)
def test_a_heading_tells_where_that_below_it_was_printed(heading: str, cause: str):
    assert ruled(f"{heading}\n\n{LIBCUDA}") == cause


OPERATOR = """Environment: kubernetes, {with_what}
The validation job runs successfully.
root@worker:~# nvidia-smi
bash: nvidia-smi: command not found
"""


def test_the_gpu_operator_keeps_the_driver_in_a_container():
    assert ruled(OPERATOR.format(with_what="gpu-operator")) == "unknown"
    assert ruled(OPERATOR.format(with_what="device plugin")) == "container-no-gpu"


OF_HOST = "{}\n\nNVIDIA-SMI 550.144.03   Driver Version: 550.144.03   CUDA Version: 12.4\n"


@pytest.mark.parametrize(
    ("place", "heading", "cause"),
    [
        ("In my k8s cluster the container", "Driver info from the host:", "container-no-gpu"),
        ("In my k8s cluster the container", "Driver info from the pod:", "driver-too-old"),
        ("On my desktop the program", "Driver info from the host:", "driver-too-old"),
    ],
)
def test_a_host_with_a_driver_of_today_has_a_pod_without_one(place: str, heading: str, cause: str):
    refused = "CUDA driver version is insufficient for CUDA runtime version\n\n"
    assert ruled(f"{place} is running.\n\n{refused}{OF_HOST.format(heading)}") == cause


COLUMNS = (
    '$ kubectl get nodes "-o=custom-columns=NAME:.metadata.name,'
    'GPU:.status.allocatable.nvidia\\.com/gpu"\n'
)


@pytest.mark.parametrize(
    ("rows", "cause"),
    [
        ("<none>", "container-no-gpu"),
        ("NAME       GPU\nminikube   <none>", "container-no-gpu"),
        ("NAME       GPU\nmaster   <none>\nworker-1   2", "unknown"),
        ("NAME       GPU\nworker-1   2", "unknown"),
        ("", "unknown"),
    ],
)
def test_no_node_has_a_gpu_to_give(rows: str, cause: str):
    assert ruled(COLUMNS + rows) == cause


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("The exporter runs in a docker container:", "container-no-gpu"),
        ("The exporter on the machine itself:", "unknown"),
    ],
)
def test_nvml_that_does_not_start_in_a_container(where: str, cause: str):
    assert ruled(f"{where}\nError: Failed to initialize NVML") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "$ kubectl get nodes "
                "-o=custom-columns=NAME:.metadata.name,GPUs:.status.capacity.'nvidia\\.com/gpu'\n"
                "NAME  GPUs\nminikube  <none>\n"
            ),
            "container-no-gpu",
        ),
        (
            (
                "$ kubectl get nodes "
                "-o=custom-columns=NAME:.metadata.name,GPUs:.status.capacity.'nvidia\\.com/gpu'\n"
                "NAME  GPUs\nminikube  1\n"
            ),
            "unknown",
        ),
    ],
)
def test_nodes_without_gpus_by_their_capacity(text: str, cause: str):
    assert ruled(text) == cause
