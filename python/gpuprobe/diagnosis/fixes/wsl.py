"""Let programs inside WSL reach the driver of Windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ..model import Fix
from ..questions.place import Distribution, Place, place_of

if TYPE_CHECKING:
    from ...facts.model import Facts

_FOLDER, _LIBCUDA = "/usr/lib/wsl/lib", "libcuda.so.1"


def reach_windows_driver(facts: Facts, *, to_second: bool) -> Fix:
    """Find the library that Windows puts into WSL, or have Windows put it there."""
    if to_second:
        return Fix.by_admin(
            "Convert the distribution to WSL 2, in PowerShell on Windows.",
            ("wsl.exe --list --verbose", "wsl.exe --set-version DISTRIBUTION 2"),
            undo="wsl.exe --set-version DISTRIBUTION 1",
        )
    own = facts.known(names.DRIVER_PACKAGE)
    if own is not None:
        return remove_linux_driver(place_of(facts), own)
    provided = facts.known(names.WSL_LIBRARIES)
    if provided is not None and _LIBCUDA not in provided:
        return Fix.by_admin(
            f"Windows puts no {_LIBCUDA} into {_FOLDER}. Install the current NVIDIA driver on "
            "Windows, run `wsl.exe --update` and restart WSL. Install no Linux driver inside WSL.",
            ("wsl.exe --update", "wsl.exe --shutdown"),
            undo="Device Manager > Display adapters > Properties > Driver > Roll Back Driver",
        )
    return Fix.by_user(
        f"See whether {_FOLDER} holds libcuda.so.1. If it does, let the loader find it there; if "
        "not, install the current NVIDIA driver on Windows, run `wsl.exe --update` and restart "
        "WSL. Install no Linux driver inside WSL.",
        (f"ls {_FOLDER}", f"export LD_LIBRARY_PATH={_FOLDER}:$LD_LIBRARY_PATH"),
    )


def draw_outside() -> Fix:
    """Mesa draws there by way of Direct3D, which not every program takes."""
    return Fix.by_user(
        "Run what draws on Windows itself, or on a Linux that is no guest of Windows. Inside WSL "
        "Mesa can bring a Vulkan that works through Direct3D (dzn) or on the CPU; it does less "
        "than NVIDIA's, and programs that ask for ray tracing refuse it.",
        ("vulkaninfo --summary",),
    )


def compute_by_cuda() -> Fix:
    """Of OpenCL there is what other makers bring: none that NVIDIA's driver has part in."""
    return Fix.by_user(
        "Let the program use CUDA in place of OpenCL, if it can, or run it on Windows itself, "
        "whose driver has both. Inside WSL PoCL brings an OpenCL for the CPU.",
        ("clinfo -l",),
    )


def name_folder_to_service() -> Fix:
    """A service and a login by ssh search fewer folders than a shell of WSL's own."""
    return Fix.by_user(
        f"Name {_FOLDER}, where WSL has nvidia-smi, to what does not find it: a service by a line "
        f"Environment=PATH={_FOLDER}:/usr/local/bin:/usr/bin:/bin of its unit, a shell by the "
        "second command. If the folder lacks it, update the NVIDIA driver on Windows.",
        (f"ls {_FOLDER}/nvidia-smi", f"export PATH={_FOLDER}:$PATH"),
    )


def name_folder_to_linker() -> Fix:
    """Compilers take folders for their linker from a variable of their own."""
    return Fix.by_user(
        f"Name {_FOLDER} to the linker as well, before the program starts. Triton, which "
        "torch.compile calls, links with libcuda too.",
        (f"ls {_FOLDER}/libcuda.so", f"export LIBRARY_PATH={_FOLDER}:$LIBRARY_PATH"),
    )


#: The driver's packages of Ubuntu, Debian and NVIDIA, by their names. What else is called
#: libnvidia-…, the Container Toolkit's libraries say, is to stay.
_OF_DRIVER = (
    "cuda-drivers",
    "libcuda1",
    "libnvidia-(cfg1|common|compute|decode|encode|extra|fbc1|gl|gpucomp|ml1|ptxjitcompiler1)",
    "nvidia-(compute-utils|dkms|driver|firmware|headless|kernel|open|smi|utils)",
)
#: By a list, since apt removes nothing at all where one of several patterns finds no package.
_PURGE = (
    "sudo apt purge $(dpkg-query --show --showformat='${Package}\\n' | "
    f"grep -E '^({'|'.join(_OF_DRIVER)})(-|$)')"
)


def remove_linux_driver(place: Place, own: str | None = None) -> Fix:
    """Its packages, of which `own` is one; the CUDA toolkit comes without a driver."""
    named = "one of NVIDIA's .run files: sudo nvidia-uninstall" if own is None else own
    remove = _PURGE
    if place.distribution in (Distribution.FEDORA, Distribution.RHEL):
        remove = "sudo dnf remove 'nvidia-driver*' 'cuda-drivers*'"
    return Fix.by_admin(
        f"Remove the Linux driver from inside WSL ({named}), then restart WSL from Windows, whose "
        "own driver serves it. Of CUDA's packages install cuda-toolkit-X-Y, not cuda, which brings "
        "a driver along.",
        (remove, "wsl.exe --shutdown"),
        undo="install the packages again",
    )


def update_windows() -> Fix:
    """Windows itself is too old: nothing that is changed inside WSL helps before."""
    return Fix.by_reboot(
        "Update Windows, to Windows 11 or to Windows 10 from 21H2 on (build 19044), then its "
        "NVIDIA driver and WSL. `winver` shows the build. Nothing that is changed inside WSL helps "
        "before.",
        ("winver", "wsl.exe --update", "wsl.exe --shutdown"),
        undo="Settings > Recovery > Go back, in the first ten days",
    )


def ask_docker_for_gpu(image: str | None) -> Fix:
    """A container of WSL's gets the driver of Windows, and its nvidia-smi, by --gpus alone."""
    return Fix(
        "Start the container with --gpus all: the variable NVIDIA_VISIBLE_DEVICES alone gives it "
        "no GPU. If nvidia-smi is still not found while other programs of CUDA work, update the "
        "NVIDIA driver on Windows, which brings it along.",
        (f"docker run --rm --gpus all {image or 'IMAGE'} nvidia-smi",),
    )


def copy_driver_of_host() -> Fix:
    """A virtual machine of Hyper-V uses the host's driver by files that somebody copies."""
    return Fix.by_user(
        "See whether /dev/dxg and the module dxgkrnl are there. Then compare: what lies in "
        f"{_FOLDER} and /usr/lib/wsl/drivers has to be of the very driver that Windows runs. After "
        "each update of the driver on the host copy the files again.",
        ("ls -l /dev/dxg; lsmod | grep dxgkrnl", f"ls -l {_FOLDER} /usr/lib/wsl/drivers"),
        undo="keep the former files beside the new ones, and copy them back",
    )


def leave_compute_mode(gpu: str) -> Fix:
    """TCC is for computing without a display, and takes the GPU from Windows' own model."""
    return Fix.by_reboot(
        "On Windows, as administrator, put the GPU into WDDM mode, and restart Windows. If that is "
        "refused, this GPU or its licence may allow TCC alone: then compute on Windows itself, or "
        "on Linux.",
        (f"nvidia-smi -i {gpu} -dm 0",),
        undo=f"nvidia-smi -i {gpu} -dm 1",
    )


def without_sharing(_: Place) -> Fix:
    """Do without what CUDA has on Linux alone."""
    return Fix(
        "Switch off what needs it: memory that processes share (CUDA IPC) and large pinned memory "
        "are no part of CUDA inside WSL. Programs mostly have an option for it; on Linux itself "
        "they run as they are."
    )


def renew_container_tools(_: Place) -> Fix:
    """Bring all that the driver of Windows has by now into a container.

    https://github.com/NVIDIA/nvidia-container-toolkit/issues/520
    """
    return Fix.by_admin(
        "NVIDIA's drivers for Windows from 555 on have a library, libnvdxgdmal.so.1, which older "
        "tools do not bring into a container. Update Docker Desktop to 4.31.0 or later; with "
        "Docker of the distribution's own the NVIDIA container toolkit, to 1.15.0 or later.",
        ("docker version", "nvidia-container-cli --version"),
        undo="install the earlier Docker Desktop again",
    )
