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


#: The releases before 2015 do not stand for each other: the number in a file's name, and the year.
_YEARS = {"90": "2008", "100": "2010", "110": "2012", "120": "2013"}


def install_older_msvc_runtime(file: str) -> Fix:
    """Install the run time of the years before 2015 that a file is a part of: ``MSVCR120.dll``."""
    number = "".join(filter(str.isdigit, file))
    year = _YEARS.get(number, "2013")
    return Fix(
        f"Install the Visual C++ redistributable of {year} (x64), which {file} is a part of; later "
        "ones do not bring it. A program of 32 bits asks for the x86 package.",
        (f"winget install Microsoft.VCRedist.{year}.x64",),
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
