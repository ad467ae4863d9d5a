"""Let the loader find the driver's own library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Fix, Safety

if TYPE_CHECKING:
    from ..questions.place import Place


def without_compat(_: Place, path: str | None = None) -> Fix:
    """Take a cuda-compat folder out of the search path."""
    folder = "the cuda-compat folder" if path is None else path.rpartition("/")[0]
    return Fix(
        f"Take {folder} out of LD_LIBRARY_PATH or /etc/ld.so.conf.d, so that the driver's own "
        "libcuda is used. Software that needs a newer CUDA than that serves needs a newer driver.",
        ("echo $LD_LIBRARY_PATH; grep -rn compat /etc/ld.so.conf.d",),
    )


def without_stub(_: Place, path: str | None = None, search_path: str | None = None) -> Fix:
    """Take the stub's folder out of the variable that names it, or out of the loader's list.

    `search_path` is the value of LD_LIBRARY_PATH, where it is known.
    """
    folder = "the folder with the stub" if path is None else path.rpartition("/")[0]
    listed = (search_path or "").split(":")
    if any("stubs" in entry for entry in listed):
        rest = ":".join(entry for entry in listed if entry and "stubs" not in entry)
        command = f"export LD_LIBRARY_PATH={rest}" if rest else "unset LD_LIBRARY_PATH"
        return Fix(
            f"Take {folder} out of LD_LIBRARY_PATH, here and where your shell sets it. The folder "
            "is for the linker only (-L).",
            (command,),
        )
    return Fix(
        f"Take {folder} out of the loader's list in /etc/ld.so.conf.d and rebuild its cache. "
        "The folder is for the linker only (-L).",
        ("grep -rn stubs /etc/ld.so.conf /etc/ld.so.conf.d", "sudo ldconfig"),
        Safety.ADMIN,
        "write the line back and run sudo ldconfig",
    )


def own_copy_first(place: Place, library: str) -> Fix:
    """Let a program get the copy of `library` that it was made for."""
    if place.system == "Windows":
        return Fix(
            f"Take the folder with the other {library} out of PATH, or move it behind the right "
            "one.",
            ("echo %PATH%",),
        )
    return Fix(
        f"Take the folder with the other {library} out of LD_LIBRARY_PATH, or put the right one "
        "before it; in a conda environment remove conda's copy where pip brings one.",
        ("echo $LD_LIBRARY_PATH", "unset LD_LIBRARY_PATH"),
    )


def newer_cpp_first() -> Fix:
    """Let the newer of two C++ libraries be found first: it serves what was built for the older."""
    return Fix(
        "Install a current libstdc++ in the environment that is used, and let the loader look "
        "there first; or take the older copy, which an environment brought, away.",
        (
            "conda install -c conda-forge libstdcxx-ng",
            "export LD_LIBRARY_PATH=$CONDA_PREFIX/lib:$LD_LIBRARY_PATH",
        ),
        Safety.USER,
        "take the folder out of LD_LIBRARY_PATH again",
    )
