"""What nvcc and CMake say of the compiler on the host, which nvcc calls."""

from ..sign import Sign

SIGNS = (
    Sign(
        "nvcc-host-compiler",
        "nvcc refuses the host compiler; the value is the newest that it takes",
        (
            *("unsupported gnu version", "gcc versions later than"),
            # A terminal breaks the line within the message, before or behind these.
            *("#error -- unsupported", "and up are not supported!"),
            "unsupported clang version",
            "compiler is not supported for cuda compilation",  # MATLAB's
            "unsupported microsoft visual studio",
            "host compiler targets unsupported",
            *(
                "of the host compiler ('",
                "unsupported host compiler '",
                "unsupported nvhpc compiler",
            ),
            *("icc is not supported as a host compiler", "libc++ is not supported on x86 system"),
            "unsupported icc configuration",
            # What an older nvcc makes of the headers of a newer gcc or glibc:
            *("parameter packs not expanded with", 'identifier "__builtin_', 'identifier "_float'),
            *('identifier "__float128"', "cannot find a supported version of microsoft visual"),
            "the current installed version of ",
            *("error stl1002", "incompatible with that of previous function"),
            *('function "cospi', 'function "sinpi', 'function "tanpi'),
            *('error: identifier "nullptr" is undefined', "error: type name is not allowed"),
            *('attribute "__malloc__" does not take', "with a too old version of gcc"),
            "intrin.h(",
            "'-allow-unsupported-compiler' can be used to",  # above it the terminal broke the line
            *("#error:  -- unsupported", "no supported gcc/g++ host compiler found"),
            "#error:  microsoft visual studio 20",
        ),
        r"gcc versions later than ([\d.]+)|clang version must be less than ([\d.]+)"
        r"|(unsupported Microsoft Visual Studio version)|unsupported"
        r"|gcc \d\.\d and up are not supported!|'-allow-unsupported-compiler' can be used to"
        r"|No supported gcc/g\+\+ host compiler found"  # nvcc as Debian wraps it
        r"|#error: {1,4}(Microsoft Visual Studio 20\d\d)\b[^\n]{0,40} is not supported yet!"
        r"|is not supported (?:as a host compiler|on x86 system)"
        r"|The version \('[\d.]{1,12}'\) of the host compiler \('[^'\n]{1,40}'\) is not supported"
        r"|attribute \"__malloc__\" does not take|with a too old version of GCC"
        r"|parameter packs not expanded"
        r"|identifier \"(?:__builtin_|_Float|__float128)\w*\" is undefined"
        r"|(?:/lib/gcc/|/include/c\+\+/)\S{1,120}\(\d{1,5}\): error: "
        r"(?:identifier \"nullptr\" is|type name is not allowed)"
        r"|/lib/gcc/\S{1,120}intrin\.h\(\d{1,6}\): error: "
        r"|cannot find a (supported version of Microsoft Visual Studio)"
        r"|compiler is not supported for CUDA compilation"
        r"|installed version of \S+ \([\d.]+\) is \w+ than the (?:max|min)imum required version by"
        r" CUDA|(STL1002): Unexpected compiler version"
        r"|incompatible with that of previous function .{1,40}declared at line \d+ of"
        r" \S+[/\\]crt[/\\]math_functions"
        # glibc 2.41 has these as well; CMake breaks the line behind the name.
        r"|incompatible with that of previous function \"(?:cos|sin|tan)pif?\""
        r"(?: \(declared at line \d{1,6})?\s*\Z"
        r"|\A\s*function \"(?:cos|sin|tan)pif?\" \(declared at line",
    ),
    Sign(
        "build-fails-told",
        "somebody says that something does not compile",
        ("build", "compil"),
        r"\A(?=.{1,300}\Z)(?!.*(?:\?|does not match|Failed to compile NCCL memory allocator"
        r"|\b(?:if|unless|may|might|would|should|fix(?:e[sd])?|solved)\b))"
        r".*?(?:\b(?:build(?:ing)?|compil(?:e|es|ing|ation))\b[^.\n]{0,40}?\b(?:fails?|failed|fail"
        r"|does(?: not|n't) work|breaks|is broken)\b"
        r"|\b(?:can(?:not|'t| not)|could(?: not|n't)|fail(?:s|ed)? to|unable to"
        r"|(?:do|does|did)(?: not|n't)|no longer) (?:be )?(?:built|build|compiled?)\b)",
    ),
    Sign(
        "host-compiler-missing",
        "nvcc or CMake does not find the host's compiler that it is to call; the value is its name",
        (
            *("cannot find compiler '", "specified via option --compiler-bindir"),
            *("cudahostcxx:", "cmake_cuda_host_compiler:"),
        ),
        r"nvcc fatal\s{0,3}: Cannot find compiler '((?!cl(?:\.exe)?')[^'\n]{1,60})' in PATH"
        r"|via option --compiler-bindir '([^'\n]{1,120})' does not exist"
        # Below "Could not find the compiler specified in the variable"
        r"|\A\s*(?:CUDAHOSTCXX|CMAKE_CUDA_HOST_COMPILER):\s*\Z",
    ),
)
