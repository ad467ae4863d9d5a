"""Bring what Windows itself lacks, and put PATH in order."""

from __future__ import annotations

from ..model import Fix, Safety


def install_msvc_runtime() -> Fix:
    """Install the run time with which nearly all DLLs are linked."""
    return Fix(
        "Install the current Visual C++ redistributable (x64) and restart; if a DLL of OpenMP "
        "(libomp140) is asked for, a newer release of the framework no longer needs it.",
        ("winget install Microsoft.VCRedist.2015+.x64",),
        Safety.ADMIN,
        "uninstall it in Settings, Apps",
    )


def put_zlib_on_path() -> Fix:
    """Bring the zlib that cuDNN 8 calls."""
    return Fix(
        "Put zlibwapi.dll (from the page that NVIDIA's cuDNN guide names) into a folder on PATH, "
        "beside cudnn64_8.dll; or use cuDNN 8.9.3 or later, which does without it.",
        ("where zlibwapi.dll",),
        Safety.USER,
    )


def own_toolkit_first(folder: str) -> Fix:
    """Let the toolkit that is meant come before another one."""
    return Fix(
        f"Take {folder} out of PATH, or move it behind the toolkit of CUDA_PATH: Settings, System, "
        "About, Advanced system settings, Environment Variables. Then open a new terminal.",
        ("where cudart64_*.dll",),
        Safety.USER,
        f"put {folder} back where it was",
    )
