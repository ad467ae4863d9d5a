"""Containers that were given the GPU in part, lost it, or were never given it."""

from __future__ import annotations

from dataclasses import replace

from support.machines import DRIVER_535
from support.scenario import Expected, Scenario
from support.trees import DOCKER, library_folder

from .packages import TORCH_CU121

NO_GPU = Expected("broken", "container-no-gpu", "container-without-gpu")
NODES = Expected("broken", "device-nodes", "device-nodes")
PODMAN = {**DOCKER, "/run/.containerenv": 'engine="podman-4.9.3"\n'}
KUBERNETES = {"KUBERNETES_SERVICE_HOST": "10.96.0.1"}

# `docker run` without `--gpus all`: the host's module shows, its nodes and libraries do not. The
# variables come with NVIDIA's images, whether or not a runtime obeys them.
CONTAINER_WITHOUT_GPU = Scenario(
    name="container-without-gpu",
    expect=NO_GPU,
    driver=None,
    module_version="535.104.05",
    nodes=False,
    environment={"NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_DRIVER_CAPABILITIES": "compute,utility"},
    files=DOCKER,
)

# A host without NVIDIA's toolkit, an image without a word of NVIDIA, and a torch for CUDA in it.
CONTAINER_WITHOUT_TOOLKIT = replace(
    CONTAINER_WITHOUT_GPU,
    name="container-without-toolkit",
    environment={},
    files=PODMAN,
    packages=(TORCH_CU121,),
)

# The image brings a toolkit, whose stub is all that there is of libcuda.
CONTAINER_WITH_A_STUB_ALONE = replace(
    CONTAINER_WITHOUT_GPU, name="container-with-a-stub-alone", stub_first=True
)

# The host has a card, and no driver that a container could be given.
CONTAINER_ON_A_HOST_WITH_NOUVEAU = Scenario(
    name="container-on-a-host-with-nouveau",
    expect=Expected("broken", "driver-missing", "container-without-gpu"),
    driver=None,
    module="nouveau",
    files=DOCKER,
)

CONTAINER_WITHOUT_UVM = Scenario(
    name="container-without-uvm",
    expect=NODES,
    faults={"cuInit": 999},
    files=DOCKER,
    missing=("/dev/nvidia-uvm",),
)

# NVIDIA_DRIVER_CAPABILITIES says which of the host's libraries come along.
CONTAINER_WITHOUT_COMPUTE = Scenario(
    name="container-without-compute",
    expect=NO_GPU,
    environment={
        "NVIDIA_VISIBLE_DEVICES": "all",
        "NVIDIA_DRIVER_CAPABILITIES": "graphics,utility",
    },
    libraries={"libnvidia-ml.so.1": f"{library_folder()}/libnvidia-ml.so.535.104.05"},
    files=DOCKER,
)

# `systemctl daemon-reload` on the host took the devices from the running container.
CONTROL_GROUP = Scenario(
    name="container-control-group",
    expect=NODES,
    faults={"nvmlInit_v2": 999, "cuInit": 304},
    files={**DOCKER, "/sys/fs/cgroup/devices/devices.list": "c 1:3 rwm\nc 136:* rwm\n"},
)

# The same in a pod, whose control group is of version 2: its rules cannot be read.
CONTROL_GROUP_OF_A_POD = replace(
    CONTROL_GROUP,
    name="container-control-group-of-a-pod",
    faults={"nvmlInit_v2": 999, "cuInit": 100},
    environment=KUBERNETES,
    files=DOCKER,
)

# The host's driver was updated under a running container, which holds the library of before.
CONTAINER_OF_BEFORE_AN_UPDATE = Scenario(
    name="container-of-before-an-update",
    expect=Expected("broken", "driver-library-mismatch", "driver-library-mismatch"),
    driver=DRIVER_535,
    module_version="550.54.14",
    faults={"nvmlInit_v2": 18, "cuInit": 803},
    files=DOCKER,
)

# The image sets a search path for linking, which stands before what the runtime mounts.
CONTAINER_STUB_FIRST = Scenario(
    name="container-stub-first",
    expect=Expected("broken", "stub-library", "stub-library"),
    stub_first=True,
    files=DOCKER,
)

# Rootless: the files are passed in, and belong to nobody whom this user could be.
CONTAINER_CLOSED = Scenario(
    name="container-closed",
    expect=NODES,
    faults={"nvmlInit_v2": 4, "cuInit": 304},
    files=PODMAN,
    closed=("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0"),
)

# Singularity shows the host's device files without --nv, and none of its libraries.
SINGULARITY_WITHOUT_NV = Scenario(
    name="singularity-without-nv",
    expect=NO_GPU,
    driver=None,
    module_version="535.104.05",
    environment={"APPTAINER_CONTAINER": "/images/work.sif"},
    files={"/.singularity.d/runscript": ""},
)

# The host of a container of LXC, which holds libraries of its own, was updated.
LXC_OF_BEFORE_AN_UPDATE = replace(
    CONTAINER_OF_BEFORE_AN_UPDATE,
    name="lxc-of-before-an-update",
    files={"/run/systemd/container": "lxc\n"},
)

# Google's Kubernetes mounts the driver there, and leaves it to the image to name the folder.
POD_WITHOUT_SEARCH_PATH = replace(
    SINGULARITY_WITHOUT_NV,
    name="pod-without-search-path",
    environment=KUBERNETES,
    files={**DOCKER, "/usr/local/nvidia/lib64/libcuda.so.1": ""},
)
