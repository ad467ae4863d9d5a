"""What the other programs say: CuPy, Numba, RAPIDS, ffmpeg, Blender, Julia and more."""

from ..languages import NO_DLL_BEFORE, NO_DLL_BEHIND
from ..sign import Sign
from ..text import cues
from . import series

#: Files of the Visual C++ run time; XGBoost offers two of OpenMP's as likely causes among others.
_MSVC = r"(?:msvcp|vcruntime|vcomp|concrt)140\w*\.dll(?! or libgomp)"

#: The driver's CUDA, in CUDA.jl's refusal of it.
NO_TOOLKIT_OF_JULIA = (
    r"\bCUDA driver ([0-9]{1,2}\.[0-9])(?:\.[0-9])? is not compatible with any supported"
    r" CUDA toolkit"
)

SIGNS = (
    Sign(
        "amrex-started",
        "AMReX has started, and has what memory it takes at its start",
        (") initialized",),
        r"\bAMReX \([\w.-]{2,40}\) initialized\b",
    ),
    *series.SIGNS,
    Sign(
        "cupy-several-packages",
        "several CuPy packages are installed in one place",
        ("multiple cupy packages are installed",),
    ),
    Sign(
        "cupy-not-installed-right",
        "CuPy's compiled half cannot be imported",
        ("cupy is not correctly installed", "failed to import cupy"),
    ),
    Sign(
        "cupy-library-load",
        "CuPy could not load a CUDA library; the value is its name",
        ("cupy failed to load",),
        r"CuPy failed to load (\S+?):",
    ),
    Sign(
        "library-named-missing",
        "a program found no CUDA library, which it calls by its product's name; the value is it",
        (
            *("library was not found", "library not found", " library could not be found"),
            "could not find library '",  # CUDAapi.jl
            "cmake was unable to find the cublas",  # dlib
            *("-gpu installed but nvidia-", "cuda 13 runtime wheels are missing"),  # Faiss
        ),
        r"\b(cuSPARSE(?:Lt)?|cuBLAS(?:Lt)?|cuDNN|cuFFT|cuSOLVER|cuRAND|CUPTI|NVRTC|nvJitLink)"
        r" (?:shared )?library (?:was |could )?not (?:be )?found\b"
        r"|CMake was unable to find the (cuBLAS) libraries that should be part of"
        r"|could not find library '(cudart|cudnn|cu(?:blas|fft|rand|solver|sparse)|nvrtc)'"
        r"|-gpu installed but (nvidia-(?:cublas|curand|cuda-runtime)(?:-cu\d\d)?) is missing"
        r"|CUDA 13 runtime wheels are missing[^\n]{1,24}?'(nvidia-cuda-runtime)\b",
    ),
    Sign(
        "nvrtc-include-missing",
        "NVRTC found no CUDA headers",
        cues(
            'cannot open source file "cuda_fp16.h"|failed to find cuda headers'
            "|failed to auto-detect cuda root directory|could not open source file"
        ),
        r"source file \"(cuda\w*\.h|cuda/\S+)\"|failed to (?:find CUDA headers"
        r"|auto-detect CUDA root)",
    ),
    Sign(
        "nvrtc-arch-unknown",
        "NVRTC does not know this GPU's architecture",
        ("invalid value for --gpu-architecture", " is an unsupported option"),
        r"invalid value for --gpu-architecture|-arch=\w+ is an unsupported option",
    ),
    Sign(
        "nvrtc-arch-asked",
        "the GPU's architecture, as a program asks NVRTC for it; the value is its name",
        ("-arch=", "--gpu-architecture="),
        r"(?:-arch|--gpu-architecture)[= ]((?:compute|sm)_\d{2,3}[af]?)\b",
    ),
    Sign(
        "numba-no-libnvvm",
        "Numba found no NVVM, a library of the toolkit",
        cues(
            "libnvvm|nvvm.dll|nvvm64|missing libdevice file|nvvmsupporterror|nvrtcsupporterror"
            "|library nv"
        ),
        r"libNVVM cannot be found|N(?:vvm|vrtc)SupportError(?!: GPU compute)|missing libdevice file"
        r"|libnvvm\.so\S*: cannot open shared object|could not find module '\S*nvvm\w*\.dll"
        r"|No (?:libnvvm|nvvm)\S* found|finding \"libnvvm|(?:OSError: |\A\s*)library nvvm not found"
        r"|(?:cannot|can't|can not|could not|couldn't|unable to|does(?:n't| not)|did(?:n't| not))"
        r" find \W{0,3}libnvvm\b",
    ),
    Sign(
        "numba-nvvm-error",
        "NVVM refused what Numba gave it",
        ("nvvm_error", "nvvmerror"),
        r"(NVVM_ERROR_\w+)|NvvmError",
    ),
    Sign(
        "numba-driver-not-found",
        "Numba found no CUDA driver library",
        ("cuda driver library cannot be found", "possible cuda driver libraries are found"),
        r"driver library cannot be found|but error occurred during load",
    ),
    Sign(
        "numba-driver-function-missing",
        "the driver lacks a function that Numba or CUDA Python calls; the value is its name",
        ("driver missing function: cu", 'function "cu', "functionnotfounderror: function cu"),
        r"driver missing function: (?!cuInit\b)(cu\w+)"
        r"|FunctionNotFoundError: function ((?-i:cu(?!File)[A-Z])\w+) is not found"
        r"|RuntimeError: Function \"((?-i:cu[A-Z])\w+)\" not found",
    ),
    Sign(
        "driver-file-of-other",
        "a program looked for cuInit in a file that is not the driver's, as each driver has it",
        ("driver missing function: cuinit", "undefined symbol: cuinit"),
        r"driver missing function: cuInit\b"
        r"|(lib(?:cudart|nvidia-ml)\.so[.\d]*)['\"]?: undefined symbol: cuInit\b",
    ),
    Sign(
        "numba-gpu-too-old",
        "Numba serves newer GPUs only; the value is the GPU's capability, or what it needs",
        ("compute capability", "[not supported: cc < "),
        r"\[NOT SUPPORTED: CC < (\d+\.\d+)\]"
        r"|GPU compute capability (\d+\.\d+) is not supported ?\(requires"
        r"|has compute capability < \((\d+, \d+)\)"
        r"|compute capability (\d+\.\d+) is less than the minimum supported by NVRTC\b",
    ),
    Sign(
        "rapids-driver-too-old",
        "RAPIDS compared the driver with its CUDA",
        cues(
            "please update your nvidia gpu driver to support cuda"
            "|cuda toolkit is newer than cuda driver|using cuda toolkit version ("
        ),
        r"update your NVIDIA GPU driver|toolkit is newer than CUDA driver"
        r"|(toolkit version \(\d+, \d+\) with CUDA driver version \(\d+, \d+\) requires minor)",
    ),
    Sign(
        "spacy-without-cupy",
        "spaCy finds no CuPy, with which it computes on the GPU",
        ("cannot use gpu, cupy is not installed",),
    ),
    Sign(
        "ptx-version-unsupported",
        "ptxas or the driver is older than the PTX: the PTX's version, the newest that it takes",
        ("unsupported .version",),
        r"unsupported \.version (\d+\.\d+);? current version is '?(\d+\.\d+)",
    ),
    Sign(
        "bnb-on-mac",
        "bitsandbytes, whose releases had no library for macOS, asks for one there",
        ("libbitsandbytes_cpu.so' (not a mach-o file)", "libbitsandbytes_cpu.so' (no such file)"),
    ),
    Sign(
        "gpu-not-usable",
        "somebody says in a sentence that a program does not get at the GPU",
        (
            *(
                "t use cuda",
                "t use gpu",
                "t use the gpu",
                "t use my gpu",
                "to use cuda",
                "to use the",
            ),
            *("t detect", "t find", "t see", "to detect", "to find", "to initiali", "t access"),
            *("gpu not", "cuda not", "gpu is not", "cuda is not", "device not", "gpus not"),
            *("t recogni", "gpu isn", "gpus are", "sees the gpu", "sees my gpu", "see the gpu"),
            "mixed precision requires a gpu",  # Accelerate
            *("gpu do", "gpus do", "cuda do", "gpu never", "gpu did", "gpus did"),
            *("none of the gpus", "no gpu", "no cuda gpu", "no nvidia gpu"),
        ),
        r"\b(?:can(?:no|')t|cannot|unable to|not able to|doesn'?t|does not|won'?t|fails? to) "
        r"(?:use|find|detect|see|access|recogni[sz]e|initiali[sz]e) (?:\w+ ){0,2}(?:cuda|gpus?)\b"
        r"(?! for '-arch=native')"  # nvcc's, which goes on
        r"|\b(?:cuda|gpus?)(?: device)? (?:(?:is |are |was )?not|isn't|aren't|wasn't)"
        r" (?:available|found|detected|recogni[sz]ed|listed|visible|seen)\b"
        r"|\b(?:cuda|gpus?) (?:(?:do|does|did)(?: not|n't)|never) (?:appears?|shows? up|works?)\b"
        # Of programs' words those that speak of it are read for themselves.
        r"|(?<!because )\bno (?:cuda |nvidia )?gpus?(?: devices?)? (?:is|are|gets?)"
        r" (?:found|detected|recogni[sz]ed|listed|visible|seen)\b"
        r"|\bnone of the gpus(?: [\w ]{2,24})? (?:is|are|was|were) (?:used|found|seen|detected)\b"
        r"|\b(?:none|neither) of (?:them|these|those) (?:sees?|finds?|detects?|recogni[sz]es?)"
        r" (?:the|my|any) gpus?\b|\bmixed precision requires a GPU\b",
    ),
    Sign(
        "libcuda-not-dlopened",
        "a program could not open libcuda",
        cues(
            "failed to dlopen libcuda|could not find or load the nvidia cuda driver"
            "|failed to load cuda driver library|could not dlopen libcuda|unable to dlopen libcuda"
            "|could not open libcuda|libcuda.so cannot be found|libcuda.so cannot found"
            "|the cuda driver could not be loaded. the library|] cuda driver not found."
            "|nvidia management library (nvml) not found|nvml : the nvidia-ml library could"
            "|was not able to locate the nvidia driver|libcuda.so: cannot open|can't find libcuda"
            "|could not find libcuda|could not find module 'nvcuda.dll'|nvcuda.dll not found"
            '|dynamically load the "nvcuda|libcuda.so.1 not found|failed to load libcuda'
            "|no system cuda driver found|error: cuda driver not found"
            "|could not dynamically load cuda"
            '|cuda driver library ("libcuda.so") could not be found'  # Dr.Jit
            '|loadlibrary "nvcuda.dll" failed|`libcuda` not defined in `cuda`'
            "|is an nvidia driver library and can only be found via"  # cuda.pathfinder
        ),
        r"\A(?:(?!libcudart).)*\Z",  # the run-time library is another, whose name begins likewise
    ),
    Sign(
        "ffmpeg-without-nvenc",
        "ffmpeg lacks NVIDIA's encoder, or the driver is too old for it",
        ("unknown encoder 'h264_nvenc'", "the minimum required nvidia driver for nvenc is"),
        r"minimum required Nvidia driver for nvenc is ([\d.]+)|(nvenc)'",
    ),
    Sign(
        "nvenc-driver-too-old",
        "ffmpeg's encoder or decoder needs a newer driver; the value is the interface it asks for",
        ("driver does not support the required nv", "required: nvenc api", "required: nvdec api"),
        r"does not support the required (nv(?:enc|dec) API version)"
        r"(?:\. Required: (\d{1,2}\.\d)\b)?"
        r"|Required: (NV(?:ENC|DEC) API \d+\.\d+)",
    ),
    Sign(
        "spark-rapids-left-out",
        "Spark's RAPIDS Accelerator leaves a part of the plan to the CPU; the value is that part",
        ("not run on gpu because",),
        r"! ?(?:Exec|Expression|Partitioning|NOT_FOUND) <(\w{1,60})>[^\n]{0,160}? (?:cannot"
        r"|could not|will not) run on GPU because",
    ),
    Sign(
        "rapids-gpu-too-old",
        "RAPIDS serves newer GPUs only",
        cues(
            "a gpu with nvidia volta|rapids requires|requires a gpu of pascal architecture"
            "|a gpu with nvidia pascal|you will need a gpu with nv"
            "|please ensure that you have a gpu with"
        ),
        r"compute capability (\d+\.\d+)|(Pascal|Volta)\S* (?:or (?:newer|better) )?architecture"
        r"|requires",
    ),
    Sign(
        "cudf-without-ptx",
        "cuDF finds no PTX for the GPU, whose capability is the value",
        ("missing the necessary ptx files",),
        r"missing the necessary PTX files that are <= ?(\d{2,3})\b",
    ),
    Sign(
        "framework-hollow",
        "Python imports a framework's folder and finds next to nothing in it",
        cues("module 'torch' has no attribute|module 'tensorflow' has no attribute"),
        r"module '(torch|tensorflow)' has no attribute '(?:__version__|version|Tensor|cuda|nn)'",
    ),
    Sign(
        "pynvml-of-other",
        "a program got another distribution's module pynvml than NVIDIA's own",
        ("'pynvml' has no attribute '_nvml",),
    ),
    Sign(
        "visible-devices-not-numbers",
        "a program reads CUDA_VISIBLE_DEVICES as numbers and finds a UUID, which is the value",
        cues(
            "invalid literal for int() with base 10: 'mig-"
            "|invalid literal for int() with base 10: 'gpu-"
        ),
        r"base 10: '((?:MIG|GPU)-[\w-]*)",
    ),
    Sign(
        "out-of-memory-told",
        "somebody tells that the GPU's memory did not suffice",
        cues(
            " oom|oom |out of memory|out-of-memory|out of gpu memory|out of cuda memory"
            "|out of video memory"
        ),
        r"(?-i:\bOOM) (?:issues?|errors?|problems?)\b|\b(?:get|gets|getting|got|runs?|running|hits?"
        r"|hitting) (?:an |into |into an )?(?-i:OOM)\b|"
        r"\bout[ -]of[ -](?:(?:gpu|cuda|video)[ -])?memory errors?\b",
    ),
    Sign(
        "memory-held-told",
        "somebody says that a process that is over, or another one, holds the GPU's memory",
        cues(
            "hold|held|occup|retain|releas|freed|used by|taken by|占用|pid |running that"
            "|running which|game|before"
        ),
        r"\A(?!.*(?:[?吗没无]|如果|是否|确认|时会|会不会)).*?"
        r"(其[他它](?:的)?(?:进程|程序|人)[^\n。]{0,6}占用了?[^\n。]{0,6}(?:显存|显卡|GPU))"
        r"|\b(?:previous|earlier|other|another|old|orphan\w*|zombie|killed|dead|stale|left-?over"
        r"|someone else'?s?)(?: \w+){0,2} ?(?:process|job|program|kernel|notebook|run|session|user)"
        r"[^.\n]{0,40}\b(?:hold|holds|holding|held|occup\w+|retain\w*)\b[^.\n]{0,24}"
        r"\b(?:memory|vram)\b"
        r"|\b(?:memory|vram)\b[^.;\n]{0,16}\b(?:was|is) (?:(?:already|mostly|nearly) ){0,2}"
        r"(?:in use|taken|used|occupied|full)\b[^.;\n]{0,12}\bbefore (?:\w+ ){1,3}?"
        r"(?:began|begins?|start(?:s|ed)?|launched)\b(?! (?:the|its|an?|with) )"
        r"|\bgames?\b[^.\n]{0,30}\b(?:has|uses|takes|fills) (?:all|the (?:whole|entire|full))"
        r"(?: of)?(?: the)?(?: available)? (?:video |gpu )?(?:memory|vram)\b"
        r"|\b(?:memory|vram)\b[^.\n]{0,30}(?:\bnot|n't|\bnever) (?:\w+ )?(?:released|freed)\b"
        r"[^.\n]{0,24}\b(?:after|when|once|even)\b[^.\n]{0,24}\b(?:process|program|script|training"
        r"|job)\b[^.\n]{0,20}\b(?:end|exit|kill|finish|stop|terminat|over|dead|inactive)"
        r"|\b(?:hold|hang|keep)(?:s|ing)?(?: on| onto| on to)? (?:the |its )?(?:gpu |cuda )?"
        r"(?:memory|vram)\b[^.\n]{0,12}\bafter\b[^.\n]{0,16}"
        r"\b(?:shut(?:ting)?[ -]?down|exit|kill|stop|end|clos|terminat)"
        r"|\b(?:process|job|program|training|notebook) is (?:already |still )?running"
        r" (?:that|which) (?:holds|occupies|takes|uses|has) (?:all|most)(?: of)?(?: the)? "
        r"(?:gpu |cuda |video )?(?:memory|vram)\b"
        r"|\bpid \d{2,8} (?:is|belongs)(?: to| of| from)? (?:my |a |another |some )?(?:colleague"
        r"|co-?worker|(?:other )?user|someone|somebody|lab ?mate|room ?mate|student)"
        r"|\b(?:it|process\w*|program)\b[^.\n]{0,12}\bstill (?:holds?|holding|occup\w+)"
        r" (?:the )?(?:gpu |cuda |video )?(?:memory|vram)\b"
        r"|(?:\b(?:memory|vram)|\d ?[GM]i?B)\b[^.\n]{0,12}\b(?:used|taken|held|occupied) by "
        r"(?:an? |the |my |some )?(?:previous|earlier|other|another|old|orphan\w*|zombie|killed"
        r"|dead|stale)\b[^.\n]{0,12}\b(?:process|job|program|kernel|notebook|run|session|user)",
    ),
    Sign(
        "blender-no-kernel",
        "Blender has no code for this GPU; the value is the GPU's capability",
        ("cuda binary kernel for this graphics card",),
        r"compute capability \((\d+\.\d+)\) not found",
    ),
    Sign(
        "blender-gpu-too-old",
        "Blender serves newer GPUs only; the value is what it needs, and the GPU's capability",
        cues(
            "cuda device supported only with compute capability"
            "|this graphics card is no longer supported"
        ),
        r"compute capability (\d+\.\d+) or up, found (\d+\.\d+)"
        r"|Ignoring device \"([^\"\n]{3,60})\", this graphics card is no longer supported",
    ),
    Sign(
        "julia-cuda-not-functional",
        "CUDA.jl found no driver or run time that works",
        cues(
            "cuda driver not functional|cuda driver not found|cuda runtime not found"
            "|cuda.jl did not successfully initialize|could not find an appropriate cuda runtime"
            "|is being called but cuda.jl is not functional"  # Flux
        ),
    ),
    Sign(
        "julia-gpu-not-covered",
        "CUDA.jl does not fully support the GPU with its CUDA: the GPU's capability, that CUDA",
        ("is not fully supported by cuda ",),
        r"\(compute capability (\d{1,2}\.\d)\) is not fully supported by CUDA (\d{1,2}\.\d)",
    ),
    Sign(
        "julia-module-failed",
        "CUDA.jl could not load the code that it compiled: a frame of the error's trace",
        (" cumodule(data::",),
        r"\[\d{1,2}\] CuModule\(data::",
    ),
    Sign(
        "julia-driver-too-old",
        "CUDA.jl has no toolkit that is old enough for the driver; the value is the driver's CUDA",
        ("not compatible with any supported cuda toolkit",),
        NO_TOOLKIT_OF_JULIA,
    ),
    Sign(
        "cudanative-driver-too-old",
        "CUDAnative, the forerunner of CUDA.jl, has a toolkit that the driver does not serve",
        ("loaderror: cuda ",),
        # A window may have broken the line.
        r"\bLoadError: (CUDA \d{1,2}\.\d) is not supported by(?:\s*\Z| your driver)",
    ),
    Sign(
        "zlib-missing",
        "cuDNN 8.3 to 8.x on Windows needs zlibwapi.dll, which is not there",
        ("zlibwapi.dll",),
        r"(could not locate|not found|cannot find|missing)[^\n]{0,80}zlibwapi"
        r"|zlibwapi\.dll[^\n]{0,60}(not found|could not|missing|was not found)"
        rf"|{NO_DLL_BEFORE}[^\n]{{0,12}}zlibwapi(?![^\n]*解决)"
        rf"|zlibwapi\.dll[^\n]{{0,8}}{NO_DLL_BEHIND}(?![^\n]*解决)",
    ),
    Sign(
        "msvc-older-runtime-missing",
        "a file of an older Visual C++ run time, which is the value, is not there",
        tuple(f"msvc{part}{number}.dll" for part in "rp" for number in (90, 100, 110, 120)),
        r"\A(?!.*\b(?:(?:file|dll) is (?:present|there)|is already installed|exists)\b).*?"
        r"(?:(?:could not|cannot|can't|missing|was not found|unable to)[^\n]{0,40}?"
        r"\b(msvc[rp](?:90|1[012]0)\.dll)"
        r"|\b(msvc[rp](?:90|1[012]0)\.dll)['\"]?[^\n]{0,16}?"
        r"(?:not found|missing|could not be found)"
        rf"|{NO_DLL_BEFORE}[^\n]{{0,12}}(msvc[rp](?:90|1[012]0)\.dll)(?![^\n]*解决)"
        rf"|(msvc[rp](?:90|1[012]0)\.dll)[^\n]{{0,8}}{NO_DLL_BEHIND})",
    ),
    Sign(
        "msvc-runtime-missing",
        "a file of the Visual C++ run time is not there",
        cues(
            "visual c++ redistributable|vcruntime140_1.dll|msvcp140.dll|vcruntime140.dll"
            "|msvcp140_1.dll|msvcp140_codecvt_ids.dll|libomp140.x86_64.dll|vcomp140.dll"
            "|concrt140.dll"
        ),
        # Whoever found it in place has another fault.
        r"\A(?!.*\b(?:(?:file|dll) is (?:present|there)|is already installed|exists)\b).*?"
        r"(?:redistributable is not installed|(?:could not|cannot|not found|missing|requires|find"
        rf"|was not found|install)[^\n]{{0,120}}({_MSVC}|libomp140\S*\.dll)"
        rf"|({_MSVC}|libomp140\S*\.dll)[^\n]{{0,60}}(?:not found|missing|could not|was not found)"
        rf"|\b(?:has|have|is|because|with|there's)(?: of)? no ({_MSVC})"
        rf"|\b(?:does|do|did)(?: not|n't) have (?:the |a )?({_MSVC})"
        rf"|{NO_DLL_BEFORE}[^\n]{{0,12}}({_MSVC})(?![^\n]*解决)"
        rf"|({_MSVC})[^\n]{{0,8}}{NO_DLL_BEHIND})",
    ),
)
