"""Machines whose driver is missing, not loaded, mixed, too old, or stuck."""

from __future__ import annotations

from dataclasses import replace

from support.machines import DRIVER_470, DRIVER_535, RTX_3060, dual_k80
from support.scenario import Expected, Scenario

from .packages import TORCH_CU121, torch

DRIVER_MISSING = Scenario(
    name="driver-missing",
    expect=Expected("broken", "driver-missing", "driver-missing"),
    driver=None,
    module=None,
)

# What came with the distribution draws on the screen, and serves no CUDA.
NOUVEAU_ALONE = Scenario(
    name="nouveau-alone",
    expect=Expected("broken", "driver-missing", "driver-missing"),
    gpus=(RTX_3060,),
    driver=None,
    module="nouveau",
)

# The driver's packages are there, but the module that came with the kernel holds the card.
DRIVER_NOT_LOADED = Scenario(
    name="driver-not-loaded",
    expect=Expected("broken", "driver-not-loaded", "kernel-module-not-loaded"),
    gpus=(RTX_3060,),
    module="nouveau",
    faults={"nvmlInit_v2": 9, "cuInit": 100},
)

# The packages were upgraded, and the machine was not restarted.
LIBRARY_MISMATCH = Scenario(
    name="cuinit-803",
    expect=Expected("broken", "driver-library-mismatch", "driver-library-mismatch"),
    driver=replace(DRIVER_535, version="535.183.01"),
    module_version="535.104.05",
    faults={"nvmlInit_v2": 18, "cuInit": 803},
)

DRIVER_TOO_OLD = Scenario(
    name="driver-too-old",
    expect=Expected("broken", "driver-too-old", "driver-too-old"),
    gpus=(RTX_3060,),
    driver=DRIVER_470,
    packages=(TORCH_CU121,),
)

# Kepler with the last driver that it has, and a torch of its time.
KEPLER = Scenario(
    name="kepler",
    expect=Expected("healthy", None),
    gpus=dual_k80(),
    driver=DRIVER_470,
    packages=(torch("1.12.1+cu113", "11.3"),),
)

# The driver is too old for it, and no newer one serves the card.
KEPLER_WITH_A_NEWER_TORCH = replace(
    KEPLER,
    name="kepler-with-a-newer-torch",
    expect=Expected("broken", "gpu-too-old", "driver-too-old"),
    packages=(torch("2.4.1+cu121", "12.1"),),
)

STUB_FIRST = Scenario(
    name="stub-first",
    expect=Expected("broken", "stub-library", "stub-library"),
    stub_first=True,
)

HANG = Scenario(
    name="hang",
    expect=Expected("broken", "device-lost", "driver-hangs"),
    faults={"cuInit": "hang 600"},
    environment={"GPUPROBE_TIMEOUT": "2"},
)

CRASH = Scenario(
    name="crash",
    expect=Expected("broken", "driver-library-mismatch", "driver-crashes"),
    faults={"cuInit": "segv"},
)

# The toolkit is installed, the driver is not: it is the driver that is missing, not the stub
# that is in the way.
STUB_WITHOUT_DRIVER = Scenario(
    name="stub-without-driver",
    expect=Expected("broken", "driver-missing", "driver-missing"),
    driver=None,
    module=None,
    stub_first=True,
)

NVML_HANG = Scenario(
    name="nvml-hang",
    expect=Expected("broken", "device-lost", "driver-hangs"),
    faults={"nvmlInit_v2": "hang 600"},
    environment={"GPUPROBE_TIMEOUT": "2"},
)

# NixOS tells its own programs where the driver lies, and not those of pip.
NIXOS = Scenario(
    name="nixos",
    expect=Expected("broken", "driver-missing", "driver-missing"),
    driver=None,
    module_version="550.54.14",
    files={
        "/etc/os-release": 'PRETTY_NAME="NixOS 24.05 (Uakari)"\n',
        "/run/opengl-driver/lib/libcuda.so.1": "",
    },
)
