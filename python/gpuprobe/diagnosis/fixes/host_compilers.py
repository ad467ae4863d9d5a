"""The compiler on the host that nvcc calls: one that the toolkit takes, and where to read of it."""

from __future__ import annotations

from ..model import Fix
from ..questions.place import Distribution, Place

#: Up to this gcc the toolkits are too old to read options from the environment.
_LAST_BY_OPTION = 7


def compiler_there(gcc: str) -> Fix:
    """A compiler that nvcc takes is installed, and the build calls another."""
    return Fix.by_user(
        f"Name the gcc {gcc} that is there to nvcc: by -ccbin in a Makefile, with CMake by the "
        "option below, and where TensorFlow is built by the variable, before its ./configure. Then "
        "build anew from a clean folder. The first command tells which ones there are.",
        (
            "ls /usr/bin/gcc*; gcc --version",
            f'make NVCC="nvcc -ccbin g++-{gcc}"',
            f"cmake -B build -DCUDA_HOST_COMPILER=/usr/bin/g++-{gcc}",
            f"export GCC_HOST_COMPILER_PATH=/usr/bin/gcc-{gcc}",
        ),
        undo="unset GCC_HOST_COMPILER_PATH",
    )


def bring_compiler() -> Fix:
    """Nvcc calls one that is not there, by its own choice or by the build's."""
    return Fix.by_user(
        "Install the compiler that the message names, or have CUDAHOSTCXX (for nvcc alone: its "
        "option -ccbin) name one that is there and that this nvcc takes; then configure the build "
        "anew. The first command tells which ones there are.",
        ("ls /usr/bin/g++*", "export CUDAHOSTCXX=/usr/bin/g++"),
        undo="unset CUDAHOSTCXX",
    )


def build_with_visual_studio() -> Fix:
    """In place of MinGW, which no nvcc takes."""
    return Fix.by_user(
        "Have the build use Visual C++ in place of MinGW: with CMake name a Visual Studio as the "
        "generator, in a build folder that is empty. cmake --help lists those that there are.",
        ('cmake -G "Visual Studio 17 2022" -A x64 -B build-msvc .',),
        undo="delete the folder build-msvc",
    )


def set_up_visual_studio() -> Fix:
    """Nvcc runs vcvars64.bat before each file that it compiles, unless it is told not to."""
    return Fix.by_user(
        "Call the vcvars64.bat that the message names in a new console: it says what fails. Mostly "
        "PATH is at fault: too long, with a stray quote in it, or with find and sort of Git before "
        "those of Windows. Or build in the x64 Native Tools Command Prompt of Visual Studio, where "
        "the option below tells nvcc that all is set up.",
        ("set NVCC_PREPEND_FLAGS=--use-local-env",),
        undo="close the console",
    )


def other_compiler(place: Place, newest_gcc: int | None) -> Fix:
    """Give nvcc a host compiler that it takes."""
    if place.system == "Windows":
        return Fix.by_admin(
            "Install a Visual Studio that this toolkit takes, beside the newer one, or a newer "
            "toolkit.",
            undo="uninstall it in the Visual Studio Installer",
        )
    gcc = "an older gcc" if newest_gcc is None else f"gcc {newest_gcc}"
    number = "-RELEASE" if newest_gcc is None else f"-{newest_gcc}"
    apt = newest_gcc is not None and place.distribution in (
        None,
        Distribution.UBUNTU,
        Distribution.DEBIAN,
    )
    install = (f"sudo apt install gcc{number} g++{number}",) if apt else ()
    guessed = apt and place.distribution is None
    whose = " The first command is for Ubuntu and Debian." * guessed
    undo = f"sudo apt remove gcc{number} g++{number}" if apt else "remove the compiler's packages"
    if newest_gcc is not None and newest_gcc <= _LAST_BY_OPTION:
        return Fix.by_admin(
            f"Install {gcc} beside the newer one and name it to nvcc by -ccbin: in a Makefile "
            f"among the flags of nvcc, with CMake as below. Or install a newer toolkit.{whose}",
            (
                *install,
                f'make NVCC="nvcc -ccbin g++{number}"',
                f"cmake -B build -DCUDA_HOST_COMPILER=/usr/bin/g++{number}",
            ),
            undo=undo,
        )
    named = " Put its number in the place of RELEASE." if newest_gcc is None else ""
    return Fix.by_admin(
        f"Install {gcc} beside the newer one and let nvcc use it, or install a newer toolkit."
        f"{named}{whose}",
        (
            *install,
            f"export NVCC_PREPEND_FLAGS='-ccbin g++{number}'",
            f"export CUDAHOSTCXX=g++{number}",
        ),
        undo=f"{undo} and unset the variables",
    )


#: The second is that of releases before 3.26: https://cmake.org/cmake/help/latest/release/3.26.html
_CMAKE_LOGS = "CMakeFiles/CMakeConfigureLog.yaml CMakeFiles/CMakeError.log"


def see_why_nvcc_fails(nvcc: str) -> Fix:
    """CMake's own log has what nvcc said; a toolkit beside it may serve."""
    return Fix(
        "Read in CMake's log, in the folder of the build, what nvcc said (from CMake 3.26 on it is "
        "CMakeConfigureLog.yaml). Where it refuses the host's compiler, name an older "
        "one (-DCMAKE_CUDA_HOST_COMPILER=…); where another toolkit is installed, name its nvcc "
        f"(-DCMAKE_CUDA_COMPILER=…) in place of {nvcc}, and begin in an empty folder.",
        (f"{nvcc} --version", f"grep -s -n -A5 nvcc {_CMAKE_LOGS}"),
    )
