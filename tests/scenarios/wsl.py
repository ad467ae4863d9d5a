"""WSL, where the driver is the one of Windows."""

from __future__ import annotations

from dataclasses import replace

from support.machines import RTX_3060, Driver
from support.scenario import Expected, Scenario
from support.trees import DISPLAY_3D, WSL, WSL_LIBRARIES, library_folder, pci_function

from .packages import TORCH_CU121

#: Microsoft's own display device, which every WSL 2 shows.
RENDERER = pci_function("bb5a:00:00.0", 0x1414, 0x008E, DISPLAY_3D, "dxgkrnl")
DRIVER_537 = Driver("537.13", 12020)

WSL_HEALTHY = Scenario(
    name="wsl-healthy",
    expect=Expected("healthy", None),
    gpus=(RTX_3060,),
    driver=DRIVER_537,
    module=None,
    on_bus=False,
    libraries=WSL_LIBRARIES,
    files={**WSL, **RENDERER},
    packages=(TORCH_CU121,),
)

# `apt install cuda` in place of `cuda-toolkit` brings a Linux driver, which has no module here.
# The probe takes the library of Windows by its path, so that it works for the probe alone.
WSL_LINUX_DRIVER = replace(
    WSL_HEALTHY,
    name="wsl-linux-driver",
    expect=Expected("degraded", "wsl", "wsl-linux-driver"),
    environment={"LD_LIBRARY_PATH": library_folder()},
    files={
        **WSL_HEALTHY.files,
        f"{library_folder()}/libcuda.so.1": "elf",
        "/var/lib/dpkg/status": "Package: libnvidia-compute-535\nStatus: install ok installed\n"
        "Version: 535.104.05-0ubuntu1\n",
    },
)

WSL_WITHOUT_DRIVER = replace(
    WSL_HEALTHY,
    name="wsl-without-driver",
    expect=Expected("broken", "wsl", "wsl-without-driver"),
    driver=None,
)

WSL_1 = replace(
    WSL_WITHOUT_DRIVER,
    name="wsl-1",
    files={
        "/proc/sys/kernel/osrelease": "4.4.0-19041-Microsoft\n",
        "/proc/version": "Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com)\n",
    },
    packages=(),
)
