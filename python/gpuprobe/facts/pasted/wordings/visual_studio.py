"""What nvcc and builders say of Visual C++, which they call on Windows."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "msvc-build-tools-missing",
        "no Visual C++ compiler was found",
        cues(
            "microsoft visual c++ 14.0|cl.exe|unable to find vcvarsall.bat"
            "|error checking compiler version for cl|could not find msvc/gcc/clang"
            "|could not locate a supported microsoft visual"
            "|visual studio configuration file 'vcvars"
        ),
        r"microsoft visual c\+\+ 14\.\d+ or greater is required|cannot find compiler 'cl\.exe'"
        r"|error checking compiler version for cl|error:? unable to find vcvarsall\.bat"
        r"|configuration file 'vcvars\w*\.bat' could not be found"
        r"|\A(?!.*(?:如果|之前|解决了)).*\bnvcc[^\n]{0,40}"
        r"(?:无法找到|找不到|未找到|没有找到) ?cl\.exe"
        r"|Could not find MSVC/GCC/CLANG|Could not locate a supported Microsoft Visual C\+\+",
    ),
    Sign(
        "visual-studio-not-set-up",
        "nvcc found Visual C++, and the file that sets it up for a build failed",
        ("could not set up the environment for microsoft v",),
    ),
)
