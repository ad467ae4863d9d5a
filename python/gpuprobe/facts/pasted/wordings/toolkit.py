"""What nvcc, ptxas, CMake and the builders of extensions say of the toolkit."""

from ..languages import not_found
from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "nvcc-option-unknown",
        "nvcc does not know an option, which is the value: it is older than the code expects",
        ("nvcc fatal",),
        r"Unknown option '-{0,2}((?:std(?:=c\+\+|(?='))|threads|split-compile|expt-"
        r"|extended-lambda|diag-|allow-unsupported|static-global)[^'\n]{0,30}|t)'"
        r"|Value '([^'\n]{2,20})' is not defined for option 'std'",
    ),
    Sign(
        "nvcc-arch-unknown",
        "nvcc does not know the architecture that it was asked for, which is the value",
        (
            "unsupported gpu architecture",
            "unsupported .target '",
            "' is not defined for option '",
            "is not a supported gpu architecture",
            "nvcc cannot target gpu arch",  # bindgen_cuda, for Rust
        ),
        r"unsupported gpu architecture '([^'\n]{1,60}?)(?:'|\s*\Z)"
        r"|value '(\w+)' is not defined for option 'gpu-architecture'"
        r"|nvcc fatal\s{0,3}: value '((?:sm|compute)_\w{1,5})' is not defined for option"
        r"|nvcc cannot target gpu arch (\d{2,3})\b"
        r"|\bptxas (?!application ptx input)[^\n]{0,200}: Unsupported \.target '(sm_\d{2,3}[af]?)'",
    ),
    Sign(
        "clang-arch-unknown",
        "clang does not know the architecture that it was asked for, which is the value",
        ("unsupported cuda gpu architecture",),
        r"unsupported cuda gpu architecture: (\w+)",
    ),
    Sign(
        "torch-arch-unknown",
        "PyTorch's builder of extensions does not know an architecture, which is the value",
        ("unknown cuda arch",),
        r"unknown CUDA arch \((\d+\.\d+\w?)(?:\+PTX)?\)",
    ),
    Sign(
        "cmake-arch-unknown",
        "CMake or a build script does not know the architecture, which is the value",
        ("cuda_architectures", "unknown cuda architecture name"),
        r"CUDA_ARCHITECTURES[^\n]{0,60}(?:invalid|not supported|unsupported|is empty"
        r"|must be non-empty|contains literal quotes)"
        # Above "is not one of the following:"
        r"|\A\s*CMAKE_CUDA_ARCHITECTURES:\s*\Z"
        r"|unknown CUDA architecture name (\S{1,20}) in CUDA_SELECT_NVCC_ARCH_FLAGS",
    ),
    Sign(
        "build-cuda-mismatch",
        "the toolkit is of another CUDA than the framework's build: the toolkit's, the framework's",
        cues(
            "mismatches the version that was used to compile"
            "|does not match the version torch was compiled with"
            "|minor version mismatch against the version that was used to compile"
            "|does not match the version used to compile pytorch binaries"
            "|current running cuda version is:|but you are using cuda "
        ),
        r"CUDA version \(?([\d.]+\d)\)?(?![^\n]{0,300}accepting this combination|[^\n]{0,300}"
        r"DS_SKIP_CUDA_CHECK=1)[^\n]{0,20}(?:mismatche?s|has a minor version mismatch"
        r"|does not match)[^\n]{0,80}?(?:PyTorch|compiled with) \(?([\d.]+\d)"
        r"|does not match the version used to compile Pytorch binaries\.[^\d\n]{1,60}([\d.]*\d)"
        r"|does not match the version used to compile Pytorch binaries\.?\s*\Z"
        r"|CUDA version \(([\d.]+\d)\) mismatches the version that was used to compile\s*\Z"
        r"|CUDA version \(%s\) mismatches the version[^\n]{0,120}', '([\d.]+\d)', '([\d.]+\d)'"
        r"|CUDA version \(%s\) mismatches the version"
        # k2, of which a line above tells torch's
        r"|\A\s*The current running CUDA version is: ([\d.]+\d)\s*\Z"
        r"|But you are using CUDA ([\d.]+\d) to compile\b",
    ),
    Sign(
        "build-cuda-minor-differs",
        "torch warns that the toolkit is of another minor release than its own CUDA, and goes on",
        ("minor version mismatch with the version that was used to compile",),
        r"detected CUDA version \(([\d.]+)\) has a minor version mismatch with",
    ),
    Sign(
        "torch-build-failed",
        "PyTorch's builder of extensions says that one was not built",
        ("error building extension '", "error compiling objects for extension"),
    ),
    Sign(
        "toolkit-below-minimum",
        "an extension takes newer toolkits only; the value is the first that it takes",
        ("is only supported on cuda", "or higher is required ", "is unsupported by numba - "),
        r"(?:\w+) is only supported on CUDA (\d+(?:\.\d+)?) and above"
        r"|Error: CUDA (\d+\.\d+) or higher is required (?:to build|for compute capability)\b"
        r"|Toolkit \d+\.\d+ is unsupported by Numba - (\d+\.\d+) is the minimum",
    ),
    Sign(
        "objects-of-other-toolkit",
        "nvlink does not link what a toolkit of another time compiled; the value is the file",
        ("nvlink ",),
        r"nvlink (?:fatal|error)\s{0,3}: (?:Input file|Object) '([^'\n]{1,200})'"
        r" (?:must be recompiled with toolkit|ABI version"
        r"|cannot be linked due to version mismatch)",
    ),
    Sign(
        "toolkit-refused",
        "a build, or a linker, does not take this toolkit: what it says",
        cues(
            "unsupported cuda version |unsupported cuda toolkit version|-error-cuda version "
            "|newer than toolkit (|found two conflicting cuda installs|cuda::nvtoolsext"
            "|cuda: found unsuitable version|cudatoolkit: found unsuitable version|build script"
            "|build.rs|build command|triton only support cuda"
        ),
        r"(Unsupported CUDA (?:toolkit )?version:? `?(?:\d+\.\d+|\d{4,5}\b))"  # cudarc: 10010
        # How people tell of that.
        r"|(?:build script|build\.rs|build command)\b[^\n]{0,120}?\b("
        r"(?<![.\d])\d{1,2}\.\d (?:is|as) an? (?:CUDA |toolkit ){1,2}version[^\n]{0,12}?"
        r" (?:does(?: not|n't) support|unsupported|not supported)"
        r"|(?:does(?: not|n't) (?:support|know)|unsupported) (?:the )?(?:CUDA |toolkit ){1,2}"
        r"(?:version )?\d{1,2}\.\d)\b"
        r"|(CUDA version \d+\.\d+ is not available in this installation)"
        r"|(Triton only support CUDA 10\.0 or higher, but got CUDA version: \d+\.\d+)"
        r"|(newer than toolkit \(\d{2,3} vs ?\d{2,3}\))|(Found two conflicting CUDA installs)"
        r"|(Found unsuitable version \"[\d.]+\")"
        r"|(?:\A|\s\s)(CUDA::nvToolsExt)\s*\Z",
    ),
    Sign(
        "ops-left-out",
        "an extension was installed without its compiled operators, for want of a toolkit",
        ("name '_c' is not defined", "failed to load custom c++ ops"),
    ),
    Sign(
        "toolkit-folder-gone",
        "a toolkit's folder that something names is not there; the value is the toolkit's release",
        ("nvidia gpu computing toolkit", "/usr/local/cuda"),
        r"\[WinError 3\][^\n]{0,120}\bCUDA[\\/]{1,4}v?(\d{1,2}\.\d)[\\/]{1,4}(?:bin|lib|include)\b"
        r"|\[Errno 2\] No such file or directory: '/usr/local/cuda-?(\d{1,2}\.\d)?/(?:bin|lib64"
        r"|include)/?'",
    ),
    Sign(
        "cuda-home-unset",
        "no toolkit was found: CUDA_HOME is not set and no nvcc is on the PATH",
        (
            "cuda_home environment variable is not set",
            "cuda_home is not set",
            "nvcc compiler not found on $path",
            "cuda_home does not exist",
            "could not find nvcc and default cuda_home=",  # FlashInfer
            *("can not find $env:cuda_path", "need cuda_path, but not set it now"),
            "cuda_home undefined",
            "cuda toolkit not found",
            "could not find cuda toolkit",
            "could not find cudatoolkit",
            "could not find cuda (",
            "could not find cuda:",
            "could not find cuda installation",
            "cuda_toolkit_root_dir not found",
            "missing: cuda_toolkit_root_dir",
            "specify cuda_toolkit_root_dir",  # FindCUDA's own
            "missing: cuda_cudart_library",
            "could not find a cuda installation",
            "unable to find cuda toolkit",
            "cuda sdk toolkit not installed",
            "unable to find cuda installation",
            "cannot find cuda installation",
            "cuda was not found on the system",
            "caffe2: cuda cannot be found",
            "no cuda toolkit found",
            "no cuda toolset found",
            "cannot find cuda_home",
            "cannot find cuda path",
            *("nvcc binary could not be located", "warning: failed to find cuda."),  # Triton
            "cuda nvcc compiler not found",
            "cuda sdk toolkit installation not detected",
            *(
                "could not find any cuda.h",
                "cannot find cuda.h under",
                "could not find any cublas_",
            ),
            *("none of the libraries match their soname", "inconsistent cuda toolkit path"),
            *("`nvcc --version` failed", "libnpp not found", "define the cudatoolkitdir property"),
            *("nvcc is required to build fatbin", "need to set windows_cuda_home for"),  # PyTorch
            "can't find cudart include for nvrtc",  # cumm
            # Rust's cudarc, bindgen_cuda and Rust-CUDA
            *("unable to find `include/cuda.h` under", "could not find cuda in standard locations"),
            *("couldn't find nvcc - `which nvcc`", "failed to find cuda root, make sure the cuda"),
            # OpenCV
            *("cuda backend requires cuda toolkit", "cuda backend requires cublas"),
            "cuda not found. install and try again",  # faceswap
            *("warning: nvcc not in path.", "unable to discover cuda installation"),  # PyCUDA
            # MATLAB
            *("no cuda toolkit installation could be", "of the cuda toolkit could not be"),
            "but the default cuda directory does not exist",  # FastDeploy
            "cuda_home not found in the environment so building without gpu",  # warp-ctc
            ", in _join_cuda_home",  # PyTorch's: it raises nothing else, and its words may be cut
        ),
        r"\A(?!.*Found unsuitable version).*",
    ),
    Sign(
        "nvcc-part-missing",
        "nvcc or Numba does not find a program of the toolkit, which is the value",
        ("cicc: ", "cudafe++: ", "fatbinary: ", "nvdisasm ", "cuobjdump "),
        r"\b(cicc|cudafe\+\+|fatbinary): (?:command )?not found"
        r"|\b(nvdisasm|cuobjdump) (?:is required for SASS inspection, and )?"
        r"(?:has not been|was not) found\b",
    ),
    Sign(
        "cmake-two-toolkits",
        "CMake found nvcc of one toolkit and headers of another: nvcc's, the headers'",
        ("findcuda says cuda version is",),
        r"says CUDA version is (\d+\.\d+)[^\n]{0,80}headers say the version is (\d+\.\d+)",
    ),
    Sign(
        "nvcc-not-run",
        "a program calls nvcc, and the system has no such file",
        ("'nvcc'", "execute `nvcc`", "error invoking 'nvcc"),
        r"(?:\[Errno 2\]|error invoking 'nvcc[^']{0,40}':) [^\n]{0,40}?"
        r"\bNo such file or directory: 'nvcc'"
        # PyCUDA
        r"|error invoking 'nvcc [^'\n]{1,400}': \[Errno 2\] No such file or directory\W*\Z"
        r"|Failed to execute `nvcc`: Os \{ code: 2\b",  # of a crate's build script
    ),
    Sign(
        "nvcc-called-by-program",
        "a program compiles with nvcc through a shell, and tells how that ended",
        ("nvcc returned an error. see below",),  # StyleGAN's
    ),
    Sign(
        "make-command-missing",
        "make ends for want of the nvcc that it called; other makes than Windows' say so in two"
        " lines, which are read together",
        ("u1077",),
        r"\bfatal error U1077: \W?nvcc\W? ?: return code",
    ),
    Sign(
        "nvcc-not-found",
        "there is no nvcc, or not on the PATH",
        ("nvcc",),
        # onnxruntime-node goes on.
        rf"\A(?!.*\bnot found\. Assuming CUDA \d).*?(?:{not_found('nvcc')}"
        r"|nvcc[^\n]{0,12}: (?:command )?not found"
        r"|nvcc' failed: No such file|failed to find nvcc|nvcc: No such file"
        r"|nvcc`? failed(?: to start)?\. Ensure that you have CUDA installed"
        r"|No such file or directory: '?\S*/?nvcc\b"
        r"|nvcc was not found|Could NOT find NVCC|Could not find `nvcc` executable"
        r'|exec: \\?"nvcc\\?": executable file not found'  # Docker's
        r"|no nvcc\b|nvcc not found|cannot find nvcc|'which', 'nvcc'\]' returned non-zero"
        r"|can'?t find nvcc (?:with)?in PATH\b"  # ND4J's
        # The frame of a setup.py (apex, flash-attn) that could not start it, whatever the error.
        r"|subprocess\.check_output\(\[cuda_(?:dir|home) \+ \W/bin/nvcc)",
    ),
    Sign(
        "build-without-nvcc",
        "a build ends because it finds no nvcc",
        ("could not find a valid nvcc executable",),  # MatConvNet
    ),
    Sign(
        "report-without-nvcc",
        "a report about the machine asked for nvcc itself, and says that there is none",
        ("nvcc: not available",),
        r"\ANVCC: Not Available\s*\Z",  # sglang's
    ),
    Sign(
        "nvcc-not-in-folder",
        "a build calls the nvcc of a folder in which there is none",
        (
            *("/bin/nvcc: not found", "/bin/nvcc: no such file"),
            *("/bin/nvcc': no such file", '/bin/nvcc": no such file'),  # distutils
        ),
        r"unable to execute (?:'(\S{1,200}/bin/nvcc)'|\"('[^'\"\n]{1,200}'/bin/nvcc)\"): "
        r"No such file"
        r"|\bsh: (?:\d{1,3}|line \d{1,4}): (\S{1,120}/bin/nvcc): (?:not found|No such file)",
    ),
    Sign(
        "cmake-no-cuda-compiler",
        "CMake found no CUDA compiler, or one that does not work",
        (
            "cmake_cuda_compiler",
            "specified in the environment variable cudacxx",
            "failed to detect a default cuda architecture",
            "the cuda compiler identification is unknown",
            "the imported project ",  # Visual Studio's
        ),
        r"no CMAKE_CUDA_COMPILER could be found|default CUDA architecture|identification is unknown"
        r"|CMAKE_CUDA_COMPILER-NOTFOUND|CMAKE_CUDA_COMPILER not set, after EnableLanguage"
        r"|Could not find the compiler specified in the environment variable CUDACXX\b"
        r"|imported project \"[^\"\n]{0,200}\\CUDA [\d.]+\.props\" was not found"
        # Above "is not a full path to an existing compiler tool":
        r"|(?:\A|\s)The CMAKE_CUDA_COMPILER:\s*\Z",
    ),
    Sign(
        "cmake-nvcc-broken",
        "CMake found nvcc, and it compiles nothing; the value is where it lies",
        ("check for working cuda compiler",),
        r"Check for working CUDA compiler: \"?([^\n]{1,240}nvcc)\"? --? broken",
    ),
    Sign(
        "cmake-nvcc-of-windows-broken",
        "CMake found nvcc on Windows, and it compiles nothing; the value is where it lies",
        ("check for working cuda compiler",),
        r"Check for working CUDA compiler: ([^\n]{1,240}nvcc\.exe)\"? --? broken",
    ),
    Sign(
        "nvjitlink-too-old",
        "nvJitLink cannot take what a newer NVVM made",
        ("may need newer version of nvjitlink library",),
    ),
    Sign(
        "ptxas-fatal",
        "ptxas gave up; the value is why",
        ("ptxas fatal", "ptxas error", "ptxas application ptx input"),
        r"ptxas (?:fatal|error)\s*: ?(.{1,120})|(ptxas application ptx input.{1,80})",
    ),
    Sign(
        "ptx-not-for-later-gpus",
        "code for one architecture only, the value, cannot be compiled for this later GPU",
        ("cannot be compiled to future architecture",),
        r"\.target '(\w+)' cannot be compiled to future",
    ),
    Sign(
        "ptxas-arch-unknown",
        "ptxas does not know the architecture, which is the value",
        (
            *("is not defined for option 'gpu-name'", "'--gpu-name=sm_1"),
            "does not support .target sm_",  # who made the PTX asked for what ptxas does not know
        ),
        # Triton's own ptxas, of which only the exit code is shown: later than Hopper it is older.
        r"value '(\w+)' is not defined for option 'gpu-name'"
        r"|triton\S+ptxas[\\]*'[^\n]{0,200}'--gpu-name=(sm_1\d\d\w?)[\\]*'[^\n]{0,300}"
        r"exit status 255"
        r"|PTX \.version \d{1,2}\.\d{1,2} does not support \.target (sm_\d{2,3})\b",
    ),
    Sign(
        "triton-compile-failed",
        "Triton could not compile: no C compiler, no Python.h, no libcuda, or no ptxas",
        cues(
            "failed to find c compiler|triton/runtime|cannot find -lcuda|python.h: no such file"
            "|triton ptxas"
        ),
        r"(failed to find C compiler)|(cannot find -lcuda)"
        # In a folder for the time being it compiles what starts a kernel.
        r"|/(?:main|cuda_utils|__triton_\w+|stub)\.c:\d[^\n]{0,40}(Python\.h): No such file"
        r"|(triton ptxas)",
    ),
    Sign(
        "package-for-cuda",
        "a package on top of CuPy, whose name tells the CUDA that it takes from the system",
        ("-cuda11x", "-cuda12x", "-cuda13x"),
        r"(?<![\w./-])((?!cupy)[a-z][\w-]{2,30}-cuda1[1-3]x)(?![\w-])",
    ),
)
