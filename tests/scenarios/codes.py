"""One machine for each code that the driver's calls answer, as far as no other family has it.

34, 802 and 803 are in driver.py and host.py, NVML's 3 and 4 in slow.py, its 9 in host.py, its 18 in
driver.py.
"""

from __future__ import annotations

from dataclasses import replace

from support.machines import A100, DRIVER_580, H100, RTX_4090, Process, nvswitch_machine, with_mig
from support.scenario import Expected, Scenario
from support.trees import DOCKER, library_folder

from .healthy import HEALTHY
from .memory import EXCLUSIVE_AND_IN_USE
from .mig import MIG_TWO_INSTANCES
from .packages import TORCH_CU121

BUSY = Expected("broken", "device-busy", "cuda-init-failed")
LOST = Expected("broken", "device-lost", "gpu-lost")
FAILING_MEMORY = Expected("broken", "device-lost", "memory-errors")

# The open modules of 570 and 580 on some kernels: nvidia-smi works, and nvidia-uvm does not start.
CUINIT_3 = Scenario(
    name="cuinit-3",
    expect=Expected("broken", "device-nodes", "cuda-init-failed"),
    driver=DRIVER_580,
    faults={"cuInit": 3},
)

# The runtime says 35 where it finds no libcuda at all: that is no driver that is too old.
RUNTIME_35_WITHOUT_LIBCUDA = Scenario(
    name="runtime-35-without-libcuda",
    expect=Expected("broken", "driver-missing", "driver-missing"),
    driver=None,
    module_version="535.104.05",
    packages=(TORCH_CU121,),
)

CUINIT_46_EXCLUSIVE = replace(
    EXCLUSIVE_AND_IN_USE,
    name="cuinit-46-exclusive",
    expect=Expected("broken", "device-busy", "exclusive-mode-taken"),
    faults={"cuInit": 46},
)

CUINIT_46_PROHIBITED = Scenario(
    name="cuinit-46-prohibited",
    expect=Expected("broken", "device-busy", "compute-mode-prohibited"),
    gpus=(replace(H100, compute_mode=2),),
    faults={"cuInit": 46},
)

# Everybody may come in, and nobody does: a process that ended badly still has the GPU.
CUINIT_46 = Scenario(name="cuinit-46", expect=BUSY, faults={"cuInit": 46})

CONTEXT_46 = Scenario(
    name="context-46",
    expect=Expected("broken", "device-busy", "kernel-failed"),
    faults={"cuDevicePrimaryCtxRetain": 46},
)

# Near misses of a GPU that is taken: nobody is there, and who is there lets others in.
EXCLUSIVE_AND_FREE = replace(
    EXCLUSIVE_AND_IN_USE,
    name="exclusive-and-free",
    expect=HEALTHY,
    gpus=(replace(H100, compute_mode=3),),
    processes=(),
)
EXCLUSIVE_BY_MPS = replace(
    EXCLUSIVE_AND_IN_USE,
    name="exclusive-by-mps",
    expect=HEALTHY,
    processes=(Process("nvidia-cuda-mps-server", 812, 30),),
)

# Nothing on the machine explains it: the GPU itself, or its driver, is in a state of its own.
CUINIT_100 = Scenario(
    name="cuinit-100",
    expect=Expected("broken", "device-lost", "cuda-init-failed"),
    faults={"cuInit": 100},
)

# The instances are there, and the files by which a process reaches them are not.
CUINIT_100_INSTANCES_UNSEEN = replace(
    MIG_TWO_INSTANCES,
    name="cuinit-100-instances-unseen",
    expect=Expected("broken", "mig", "cuda-init-failed"),
    faults={"cuInit": 100},
)

# One GPU is in MIG mode and has no instance; the other one works.
MIG_BESIDE_ANOTHER = Scenario(
    name="mig-beside-another",
    expect=HEALTHY,
    gpus=(RTX_4090, replace(with_mig(A100), pci="0000:41:00.0", minor=1)),
)

CUINIT_214 = Scenario(
    name="cuinit-214",
    expect=FAILING_MEMORY,
    gpus=(replace(H100, ecc_uncorrected=1, ecc_uncorrected_total=1, rows_pending=1),),
    faults={"cuInit": 214},
)

CONTEXT_214 = replace(
    CUINIT_214,
    name="context-214",
    faults={"cuDevicePrimaryCtxRetain": 214},
)

# The machine slept, and nvidia-uvm answers no more.
CUINIT_999 = Scenario(
    name="cuinit-999",
    expect=Expected("broken", "device-nodes", "cuda-init-failed"),
    gpus=(RTX_4090,),
    faults={"cuInit": 999},
)

# The driver hides the GPU's files from all users but one.
NVML_INIT_4 = Scenario(
    name="nvml-init-4",
    expect=Expected("broken", "device-nodes", "cuda-init-failed"),
    faults={"nvmlInit_v2": 4, "cuInit": 999},
)

# A container with the capability "compute" alone: CUDA works, and nobody asked for NVML.
NVML_INIT_12 = Scenario(
    name="nvml-init-12",
    expect=HEALTHY,
    faults={"nvmlInit_v2": 12},
    environment={"NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_DRIVER_CAPABILITIES": "compute"},
    files=DOCKER,
)

# A part of the driver did not come along when its packages were installed.
NVML_INIT_12_WITHOUT_CUDA = Scenario(
    name="nvml-init-12-without-cuda",
    expect=Expected("broken", "driver-missing", "cuda-init-failed"),
    faults={"nvmlInit_v2": 12, "cuInit": 999},
)

NVML_15 = Scenario(
    name="nvml-15", expect=LOST, gpus=(replace(H100, lost=True),), faults={"cuInit": 999}
)

# One lost GPU of eight, and CUDA starts with none of the others.
NVML_15_STOPS_ALL = Scenario(
    name="nvml-15-stops-all",
    expect=LOST,
    gpus=(replace(nvswitch_machine(H100)[0], lost=True), *nvswitch_machine(H100)[1:]),
    faults={"cuInit": 101},
)

# NVML does not know why it fails, and CUDA works.
NVML_INIT_999 = Scenario(name="nvml-init-999", expect=HEALTHY, faults={"nvmlInit_v2": 999})

# An image for CUDA 12.4 brings its own libcuda, for data-centre cards only, and puts it first.
COMPAT = "/usr/local/cuda/compat"
CUINIT_804 = Scenario(
    name="cuinit-804",
    expect=Expected("broken", "forward-compat", "forward-compat"),
    gpus=(RTX_4090,),
    libraries={
        "libcuda.so.1": f"{COMPAT}/libcuda.so.550.54.14",
        "libnvidia-ml.so.1": f"{library_folder()}/libnvidia-ml.so.535.104.05",
    },
    faults={"cuInit": 804},
    files=DOCKER,
)

# The same on a card that is allowed it, whose driver is too old for this compat library.
CUINIT_803_COMPAT = replace(
    CUINIT_804,
    name="cuinit-803-compat",
    expect=Expected("broken", "forward-compat", "driver-library-mismatch"),
    gpus=(H100,),
    faults={"cuInit": 803},
)
