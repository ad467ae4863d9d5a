"""Bring what Windows itself lacks, and put PATH in order."""

from __future__ import annotations

from ..model import Fix
from .driver import DRIVER_PAGE
from .ground import PYTORCH_INDEX

#: Where winget is missing, as on older releases of Windows 10.
_REDISTRIBUTABLE = "https://aka.ms/vs/17/release/vc_redist.x64.exe"
_INSTALL = "winget install Microsoft.VCRedist.2015+.x64"


#: The last that Windows before 10 is served by, and what it needs there.
_FOR_WINDOWS_7 = "https://aka.ms/vs/16/release/vc_redist.x64.exe"


def install_msvc_runtime(*, before_ten: bool = False) -> Fix:
    """Install the run time with which nearly all DLLs are linked."""
    if before_ten:
        return Fix.by_admin(
            f"Install the Visual C++ redistributable of 2015-2019 (x64, {_FOR_WINDOWS_7}) and "
            "restart. Windows 7 needs its Service Pack 1 and the update KB2999226 before it. If it "
            "is installed already, see whether the file is there; a Python of 64 bits looks in "
            "System32, and the x86 package does not serve it.",
            (r"where.exe /r C:\Windows\System32 msvcp140.dll",),
            undo="uninstall it in the Control Panel, Programs",
        )
    return Fix.by_admin(
        "Install the current Visual C++ redistributable (x64) and restart. "
        f"Without winget, take it from there ({_REDISTRIBUTABLE}).",
        (_INSTALL,),
        undo="uninstall it in Settings, Apps",
    )


def renew_artifact(path: str) -> Fix:
    """Julia loads what it brought itself, and asks PATH for nothing of that."""
    folder = "\\".join(path.replace("/", "\\").split("\\")[:-2])
    return Fix.by_admin(
        "Install the current Visual C++ redistributable (x64) and start Julia anew. If that does "
        "not help, the artifact may be damaged: remove its folder, and Julia fetches it again. A "
        f"cuDNN on PATH changes nothing here. Without winget: {_REDISTRIBUTABLE}.",
        (_INSTALL, f'Remove-Item -Recurse "{folder}"'),
        undo="uninstall the redistributable in Settings, Apps; the artifact is fetched again",
    )


def renew_msvc_runtime(of_tensorflow: bool) -> Fix:
    """An older run time is found, but what is linked with a newer one does not start with it."""
    text = "Install the current Visual C++ redistributable (x64) and restart: an older one lets "
    text += (
        f"newer DLLs fail at their start. Without winget, take it from there ({_REDISTRIBUTABLE})."
    )
    if of_tensorflow:
        text += " Does it fail still, then the processor may lack AVX, for which TensorFlow is "
        text += "compiled: there an older release or a build without AVX is the way."
    return Fix.by_admin(text, (_INSTALL,), undo="uninstall it in Settings, Apps")


def newer_torch(variant: str) -> Fix:
    """Torch 2.4.0 was linked with a library that no installer of Microsoft's brings alone."""
    index = f" --index-url {PYTORCH_INDEX}/whl/{variant or 'cu124'}"
    which = "" if variant else " (cu124 is its build for CUDA 12.4; take that of your driver)"
    return Fix.by_admin(
        "torch 2.4.0 asks for libomp140.x86_64.dll, which the Visual C++ redistributable does not "
        f"bring: install 2.4.1 or later{which}, with the Python of the program. Where the torch is "
        f"another one, install the redistributable instead ({_REDISTRIBUTABLE}).",
        (f'python -m pip install --upgrade "torch>=2.4.1" torchvision torchaudio{index}', _INSTALL),
        undo=f"python -m pip install torch==2.4.0{index}; uninstall the redistributable in "
        "Settings, Apps",
    )


#: The releases before 2015 do not stand for each other: the number in a file's name, and the year.
_YEARS = {"90": "2008", "100": "2010", "110": "2012", "120": "2013"}


def install_older_msvc_runtime(file: str) -> Fix:
    """Install the run time of the years before 2015 that a file is a part of: ``MSVCR120.dll``."""
    number = "".join(filter(str.isdigit, file))
    year = _YEARS.get(number, "2013")
    return Fix.by_admin(
        f"Install the Visual C++ redistributable of {year} (x64), which {file} is a part of; later "
        "ones do not bring it. A program of 32 bits asks for the x86 package.",
        (f"winget install Microsoft.VCRedist.{year}.x64",),
        undo="uninstall it in Settings, Apps",
    )


def put_zlib_on_path() -> Fix:
    """Bring the zlib that cuDNN 8 calls."""
    return Fix.by_user(
        "Put zlibwapi.dll of 64 bits (from the page that NVIDIA's cuDNN guide names) into a folder "
        "on PATH, beside cudnn64_8.dll; or use cuDNN 8.9.3 or later, which does without it.",
        ("where.exe zlibwapi.dll",),
    )


def own_toolkit_first(folder: str) -> Fix:
    """Let the toolkit that is meant come before another one."""
    return Fix.by_user(
        f"Take {folder} out of PATH, or move it behind the toolkit of CUDA_PATH: Settings, System, "
        "About, Advanced system settings, Environment Variables. Then open a new terminal.",
        ("where.exe cudart64_*.dll",),
        undo=f"put {folder} back where it was",
    )


def renew_stopped_driver() -> Fix:
    """Device Manager shows the code; the driver that reported the problem is replaced."""
    return Fix.by_reboot(
        "In Device Manager, under Display adapters, uninstall the NVIDIA GPU and let its driver be "
        "deleted; restart, and install the driver that the maker of the computer, or NVIDIA "
        f"({DRIVER_PAGE}), has for this very GPU, unchanged: one with an added device ID or an "
        "edited INF ends like this. In a virtual machine see that the host passes the whole GPU "
        "through. If the code comes back with it, the card may be faulty.",
        ("devmgmt.msc",),
        undo="Device Manager > the adapter > Properties > Driver > Roll Back Driver",
    )
