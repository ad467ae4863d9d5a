"""What programs of the sciences, and those that learn from tables of data, say."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "julia-system-library",
        "CUDA.jl found a CUDA library on the search path in place of its own; the value is it",
        ("was loaded from a system path",),
        r"CUDA runtime library `?(lib[\w.]{1,40}|\w{1,40}\.dll)`? was loaded from a system path"
        r"(?! is gone)",
    ),
    Sign(
        "xgboost-without-cuda",
        "XGBoost is a build without GPU support",
        cues(
            "xgboost version not compile|xgboost version is not compile"
            "|xgboost is not compiled with cuda|no visible gpu is found for xgboost"
            "|unknown tree updater grow_gpu"
        ),
        r"not compiled? with (?:GPU|CUDA)|no visible GPU|Unknown tree updater grow_gpu",
    ),
    Sign(
        "lightgbm-without-gpu",
        "LightGBM is a build without the way of the GPU that it was told to go",
        cues(
            "gpu tree learner was not enabled in this build"
            "|cuda tree learner was not enabled in this build"
        ),
    ),
    Sign(
        "program-shares-no-gpu",
        "LAMMPS may not put several of its processes on one GPU",
        ("accelerator sharing is not currently supported on system",),
    ),
    Sign(
        "rmm-pool-beyond-free",
        "RAPIDS for Spark wants a pool that is larger than the GPU's free memory: pool, free",
        ("initial rmm allocation(",),
        r"Initial RMM allocation\((\d{2,7})(?:\.\d+)? MB\) is larger than free memory"
        r"\((\d{1,7})(?:\.\d+)? MB\)",
    ),
    Sign(
        "kaldi-without-cuda",
        "Kaldi's program that looks for a GPU says that it was compiled without CUDA",
        ("### cuda was not compiled in! ###",),
    ),
    Sign(
        "cuquantum-failed",
        "a library of cuQuantum fails with CUDA, or PennyLane does not take the GPU for it",
        cues("cutensornet_status_|custatevec_status_|cuda device is an unsupported version"),
        r"\b(CUTENSORNET|CUSTATEVEC)_STATUS_(?:CUDA_ERROR|ARCH_MISMATCH|EXECUTION_FAILED"
        r"|INTERNAL_ERROR|NOT_SUPPORTED|CUBLAS_ERROR)\b"
        r"|CUDA device is an unsupported version: \((\d, ?\d)\)",
    ),
    Sign(
        "samples-older-than-gpu",
        "one of CUDA's samples does not know the GPU's capability, which is the value",
        ("mapsmtocores for sm ",),
        r"\bMapSMtoCores for SM (\d{1,2}\.\d) is undefined",
    ),
    Sign(
        "gromacs-told-cpu",
        "GROMACS was started with the option that leaves its largest part to the CPU",
        ("mdrun ",),
        r"\bgmx(?:_\w{1,12})? mdrun\b[^\n]{0,300}? -nb cpu\b",
    ),
    Sign(
        "program-without-gpu",
        "a program says that it was built without GPU support; the value is its name",
        cues(
            "environment for task type [gpu] not found|cannot use gpu in cpu-only caffe"
            "|you have not compiled kaldi with cuda|relion was compiled without cuda"
            "|gromacs was built without gpu|gromacs was compiled without gpu"
            "|gromacs binary has been built without gpu|set build_cuda_module=on to compile"
            "|not compiled with cuda, but cuda device is|memorymanager: unimplemented device"
            "|not implemented for cpu only build|build variant:"
            "|compiled without cuda|built without cuda|compiled without gpu|built without gpu"
            "|part of the cuda module, which is not compiled"
        ),
        r"\b(CatBoost)\w*[/:]|GPU in CPU-only (Caffe)|not compiled (Kaldi) with CUDA"
        r"|\b(Open3D)\b[^\n]{0,600}?(?:Set BUILD_CUDA_MODULE=ON to compile"
        r"|Not compiled with CUDA, but CUDA device is|MemoryManager: Unimplemented device)"
        r"|\b(spconv)\b[^\n]{0,300}?\bnot implemented for CPU ONLY build"
        r"|\b(DeePMD)(?:-kit)? INFO {1,4}build variant: {1,12}cpu\b"
        r"|\b(ginkgo)\b[^\n]{0,200}? is part of the cuda module, which is not compiled"
        r"|(Relion) was compiled|(GROMACS) (?:binary )?(?:was|has been) (?:built|compiled)"
        # of any program, in the line of an error; the largest ones have statements of their own
        r"|\A(?!.*\b(?:if|when|unless|whether|reason is)\b)(?=.*?\b(?:\w*error|exception|fatal)\b)"
        r".*?\b(?!(?:library|torch|tensorflow|bitsandbytes|xformers|mpi"
        r"|it|is|was|been|not|build)\b)([\w.+-]{2,30})"
        r" (?:was |is |has been )?(?:compiled|built) without (?:CUDA|GPU)\b",
    ),
    Sign(
        "catboost-gpu-not-linked",
        "CatBoost finds no part for GPUs in its module, or no driver that serves it",
        ("can't load gpu learning library",),
    ),
    Sign(
        "catboost-gpu-not-built",
        "CatBoost's build ended without its part for GPUs, and made a wheel all the same",
        ("gpu version build failed",),
        r"\A\W{0,4}GPU version build failed\W*\Z",
    ),
    Sign(
        "program-without-option",
        "a program says with which option of its build it would have CUDA; the value is that",
        ("=on to ", "=1 to ", "=true to "),
        # What a build tells of itself as it is configured is no failure.
        r"\A(?!\s*(?:--|#|//|\*))(?=.*\b(?:\w*error|unsupported|cannot|failed|fatal|exception)\b)"
        r".*?\b(?:unsupported|not (?:compiled|built|enabled|supported|available)|without)\b"
        r"[^\n]{0,120}?\b(?:set|with|using|enable|specify|pass|add|define|use) (?:the )?[`'\"]?"
        r"(?:-D)?(\w*(?:CUDA|CUBLAS|GPU)\w*=(?:ON|1|TRUE))[`'\"]? to (?:re)?(?:compile|build|enable"
        r"|use|add|get)\b",
    ),
    Sign(
        "qiskit-aer-cpu-alone",
        "Qiskit Aer was asked for the GPU and lists the CPU alone",
        ("invalid simulation device gpu",),
        r"Invalid simulation device GPU\. Available devices are: \[\\?'CPU\\?'\]",
    ),
    Sign(
        "program-finds-no-gpu",
        "a program that was to use a GPU says that it finds none",
        (
            *("no visible gpu is found, setting", "warning: no gpu detected. "),
            "this program needs a cuda-enabled gpu",  # Meshroom
            "could not find/initialize a specified accelerator device",  # LAMMPS
            "no compatible gpus found for cycles",
            *("no devices found/left", "no usable gpus found", "no usable mining devices found"),
            "there are no available device(s) that support cuda",  # deviceQuery
            *("no devices found!!!", "cuda error: no devices supporting cuda"),  # its neighbours
            *("not found device: cuda", "0 active drivers ([])"),
            *("no compatible cuda devices found", "no cuda capable devices found"),
            # MXNet
            *("gpu context requested, but no gpus found", "gpu usage requires at least 1 gpu"),
            *("no cuda devices found", "found no cuda devices", "no cuda device found!"),
            *("no supported gpu device was found on this", "unable to find a supported gpu device"),
            *("nvidia was specified but no gpu could be found", "_gpu: no gpu found"),
            *("no cuda or opencl devices found", "no cuda installation found"),
            *("we couldn't find any available gpu on the system", "error: no gpu device found!"),
            *("no cuda gpu detected", "no gpu devices with cuda support available"),
            "your system has no cuda installed. no gpu detected",  # OCR-D
            "found no cycles device of the specified type",  # Blender, started for CUDA or OptiX
            "directml device enumeration: found 0 compatible adapters",
            "your pytorch installation is not configured to use cuda",  # Real-Time Voice Cloning
            "will try again to get a gpu after",  # Kaldi
            "but no cuda devices available",  # Dorado
            "cuda device requested but no devices found",
            "valueerror: no gpu devices detected",
            "check failed: num_cuda_devices > 0 (0 vs. 0)",  # COLMAP
            "no compatible cuda device is available",
            # GROMACS, which breaks its lines before "detected"
            *("on a gpu because there is none", "on a gpu because no gpu is"),
            "detected 0 cuda devices",
            "found 0 cuda devices",
            "there are 0 visible cuda devices",  # Dorado
            'no supported "gpu" device available',  # MAX and Mojo
            # Flower, of what Ray counts
            *("gpus=0) does not meet the criteria", "gpus=0.0) does not meet the criteria"),
            *("gpuerror: no working gpus found!", "simple: no working gpus found!"),  # bellperson
            "but no cuda gpu is available",  # COLMAP
            *("cuda is not available. return a cpu", "no cuda capable devices are found"),  # k2
            "no gpu found on this system",  # OpenPose
            "no cuda-capable devices found",  # ArrayFire
        ),
        r"\A(?!.*(?:diagnostics: cudaError_t|'num_gpus': 0(?:\.0)?[,}])).*",
    ),
    Sign(
        "configured-without-cuda",
        "CMake's run leaves CUDA out of what is to be compiled, as COLMAP's files tell of it",
        ("disabling cuda support",),
        r"\A\W{0,8}Disabling CUDA support\s*\Z",
    ),
    Sign(
        "cmake-native-without-gpu",
        "CMake was to compile for the GPU of the machine, and finds none",
        # later releases name NVIDIA
        ('is set to "native", but no gpu was', 'is set to "native", but no nvidia gpu was'),
    ),
    Sign(
        "colmap-without-cuda",
        "COLMAP is a build without CUDA",
        (
            "dense stereo reconstruction requires cuda, which is not available",
            # SiftGPU draws with OpenGL's shaders where CUDA was not compiled in.
            *("opengl version of siftgpu only supports", "shader not supported by your hardware"),
            "cannot use sift gpu without cuda or opengl support",
            "dense stereo reconstruction requires cuda or hip, neither of which",
            "but colmap was compiled without cuda support",
            "cannot use gpu feature ",
        ),
    ),
    Sign(
        "lammps-without-gpu",
        "LAMMPS is a build without its package for GPUs, or with a Kokkos without them",
        cues(
            "package gpu command without gpu package installed"
            "|kokkos has not been compiled using a gpu-enabled backend"
            "|kokkos has not been compiled for cuda"
        ),
    ),
    Sign(
        "gromacs-gpu-incompatible",
        "GROMACS has no code for a GPU of its list; the value is the GPU's capability",
        ("stat: incompatible",),
        r"compute cap\.: (\d+\.\d+),[^\n]{0,40}stat: incompatible(?! \(please recompile with"
        r" correct GMX)",
    ),
    Sign(
        "gromacs-leaves-gpu",
        "GROMACS found a GPU that this kind of simulation cannot use",
        ("but the current simulation can not use gpus",),
    ),
    Sign(
        "gromacs-gpu-refused",
        "GROMACS was told to use a GPU for which it has no code",
        ("cannot run on gpu ids",),
    ),
    Sign(
        "amber-not-for-gpu",
        "AMBER has no code for this GPU: not one of its symbols is there",
        (" copy to csim failed invalid device", " copy to csim failed no kernel image"),
    ),
    Sign(
        "lammps-gpu-other-architecture",
        "the GPU library of LAMMPS was compiled for other GPUs",
        ("gpu library not compiled for this accelerator",),
    ),
    Sign(
        "kokkos-gpu-other-architecture",
        "Kokkos was compiled for other GPUs; the value is for which, and this GPU's capability",
        ("likely mismatch of architecture", "running kernels compiled for compute capability"),
        r"kernels compiled for compute capability (\d+\.\d+)(?: \(< 5\.0\))? on device with compute"
        r" capability (\d+\.\d+)[ ,(>=5.0)]{1,12}(?:is not supported"
        r"|this w(?:ill likely|ould) (?:produce|give) incorrect)|likely mismatch of architecture",
    ),
    Sign(
        "kokkos-compiled-for-none",
        "Kokkos finds no code for this GPU in the program; the value is the GPU's capability",
        ("compiled for compute capability 0.0 on device",),
        r"compiled for compute capability 0\.0 on device with compute capability (\d+\.\d+)",
    ),
    Sign(
        "program-gpu-other-architecture",
        "a program names the capability that it was compiled for, and that of the GPU",
        cues(
            "capability mismatch|capability wanted|capability up to|capabilities up to"
            "|not compiled for the gpu architecture"
        ),
        r"capability mismatch[^\n]{0,60}?\b(?:wanted|expected|built for|compiled for|needs)"
        r" (\d+\.\d+)[,;]? (?:but )?(?:have|has|got|found) (\d+\.\d+)"  # libKMCUDA
        r"|\bsupports? (?:only )?(?:CUDA |compute )?capabilit(?:y|ies) up to (\d+\.\d+|\d{2,3})"
        r"(?: only)?,?(?: and| but)?(?: that)? (?:mine|(?:my|the|this) (?:GPU|card)(?:'s)?),?"
        r" (?:is |has |of |with )?(?:compute )?(?:capability )?(?:of )?"
        r"(\d+\.\d+|\d{2,3})\b"
        r"|\bnot compiled for the gpu architecture (\d{2,3})\b",  # miniZ
    ),
    Sign(
        "compile-time-capability",
        "a program tells the GPU's capability, and the one that it was compiled for",
        ("is not compatible with compile time compute cap",),  # text-embeddings-inference
        r"Runtime compute cap (\d{2,3}) is not compatible with compile time compute cap (\d{2,3})",
    ),
    Sign(
        "kokkos-without-request",
        "LAMMPS or SPARTA was built with Kokkos for GPUs, and its command asks for none",
        ("but no gpus are requested",),
        r"\b(?:Kokkos|Sycl) has been compiled (?:with (?:a )?GPU-enabled backend|for \w{2,8})"
        r" but no GPUs are requested",
    ),
    Sign(
        "science-gpu-too-old",
        "a program serves newer GPUs only; the value is the GPU's capability, or what it needs",
        cues(
            "sufficient compute capability|not supported by available toolchain"
            "|please use a device with at least capability|) is not supported on cuda"
            "|no double-precision capable gpu located|meet the minimal required compute cap"
            "|meet minimum required compute cap|with compute capability|with computed capability"
            "|compute capability not supported| or higher, but sm_"
            # LAMMPS
            "|gpu device supports single precision only|double precision is not supported on this"
            "|is not compatible with relion (cuda-capable"
        ),
        r"sufficient compute capability (?:to be|\((\d+\.\d+))"
        r"|Device capability v?(\d+\.\d+)[.\d]* not supported by available toolchain"
        r"|\(compute capability (\d+\.\d+)\) is not supported on CUDA \d+"
        r"|a device with at least capability (\d+\.\d+)|No double-precision capable gpu located"
        r"|(?:minimal|minimum) required compute capability(?: \(|: )(\d+\.\d+)"
        r"|: \"?Compute Capability Not Supported\b"
        r"|\bGPU device supports single precision only|Double precision is not supported on this"
        r"|is not compatible with RELION \(CUDA-capable and compute-capability >= (\d\.\d)"
        r"|\bCUDA \d{1,2}\.\d{1,2} requires sm_\d{2,3} or higher, but (sm_\d{2,3})\b"  # Warp
        # HOOMD-blue
        r"|device [^\n]{1,60} with computed? capability (\d+\.\d+) (?:does not support|is not"
        r" supported by) \w",
    ),
    Sign(
        "acemd-gpu-too-new",
        "ACEMD, whose releases have code for all GPUs of their time, has none for this one",
        ("cannot find image for module [",),
        r"cannot find image for module \[\S{1,80}\] for device version (\d{2,4})",
    ),
    Sign(
        "matlab-gpu-too-new",
        "MATLAB is older than the GPU's architecture, and has no code for it",
        cues(
            "enablecudaforwardcompatibility"
            "|the cuda driver must recompile the gpu libraries because your device is more"
        ),
        r"(?:not supported|forward compatibility|newer|more recent)[^\n]{0,200}"
        r"enableCUDAForwardCompatibility|because your device is more",
    ),
    Sign(
        "science-driver-too-old",
        "MATLAB, CUDA.jl, Warp, Cortex or a miner compared the driver's CUDA with what they need",
        cues(
            "the cuda driver was found, but it is too old"
            "|graphics driver is out of date. download and install"
            "|only supports nvidia drivers for cuda|insufficient cuda driver version"
            "|the installed cuda driver version is|warp requires cuda driver"
            "|nvidia insufficient driver|insufficient cuda driver: "
            "|is not compatible with tensorrt-llm models|backend requires at least cuda"
            "|conditional graph nodes require cuda driver|: insufficient driver: "
            "|cuda.jl requires an nvidia driver for cuda|error: nvidia driver too old"
            "|with a driver that only supports up to|outdated nvidia cuda driver version"
        ),
        # Of no driver at all k-Wave and Warp say that 0.0 is installed.
        r"code needs CUDA version (\d+\.\d+) but ((?!0\.0)\d+\.\d+) is installed"
        r"|driver version is (\d+\.\d+), but the installed CUDA driver version is"
        r" ((?!0\.0)\d+\.\d+)"
        r"|requires CUDA driver (\d+\.\d+) or higher, but the current driver only supports CUDA"
        r" (\d+\.\d+)"
        r"|supports CUDA version (\d[\d.]*\d)|found, but it is too old|driver is out of date"
        r"|(NVIDIA insufficient driver)|[Ee]rror: Insufficient CUDA driver: (\d{4,5})\b"
        # Cortex takes the version that nvidia-smi prints.
        r"|CUDA version (\d+\.\d+) is not compatible with TensorRT-LLM models\. Required version:"
        r" (\d+\.\d+)"
        r"|only supports NVIDIA drivers for CUDA \d[\d.x]*(?: or higher)?"
        r" \(yours is for CUDA (\d+\.\d+)"
        r"|, Driver (\d+\.\d+) \(insufficient CUDA driver version!\)"  # Warp's greeting
        r"|graph nodes require CUDA driver (\d+\.\d+)\+(?!, but no)"
        r"|backend requires at least CUDA (\d+\.\d+), got v(\d+\.\d+)"  # Taichi
        r"|: Insufficient driver: (\d{4,5}) < (\d{4,5})\b"
        # CUDA.jl
        r"|requires an NVIDIA driver for CUDA \d{1,2}[.x]{0,2} or higher \(yours only supports up"
        r" to CUDA (\d+\.\d+)|\A\W*ERROR: (NVIDIA driver too old)\s*\Z"
        r"|using CUDA toolkit \d+\.[.\d]* with a driver that only supports up to (\d+\.\d+)"
        r"|\bOutdated NVIDIA CUDA driver version '(\d{4,5})'",  # hashcat
    ),
    Sign(
        "no-device-serves-program",
        "a program finds no device that serves it, of whatever kind",
        ("no compatible device", "no supported device", "no suitable device"),
        r"\A(?!.*\b(?:bluetooth|usb|audio|adb|printer|for platform)\b).*?"
        r"\bno (?:compatible|supported|suitable) devices? (?:(?:was|were) )?found\b",
    ),
    Sign(
        "program-ptx-newer-than-driver",
        "a program finds that the driver takes none of its PTX, and lowers the version in it",
        ("ptx version is not supported by the installed cuda driver",),
    ),
    Sign(
        "mumax-no-code",
        "none of the code in mumax3 can be loaded: it is for newer GPUs, or for a newer driver",
        ("no binary for gpu. your nvidia driver may be out-of-date",),
    ),
    Sign(
        "science-out-of-memory",
        "a program says that the GPU's memory does not suffice",
        (
            "insufficient memory on accelerator",
            "you ran out of memory on the gpu",  # Relion
            "out of memory on device. to view more detail",
            "not enough allocatable device memory for this ",  # hashcat
            "not enough gpu memory to match ",  # COLMAP
            "insufficient gpu memory to load model",  # InvokeAI
            "please ensure that the gpu has enough free memory, or adjust",  # RAPIDS for Spark
            "not enough memory, use lower resolution (max approx",  # Stable Diffusion's web UI
            "bytes requested; status = 2(out of memory)",  # NVIDIA's Fortran
            "out of gpu memory. free: ",  # AMReX
            "ran out of memory, skipping batch",  # Boltz, OpenFold
        ),
    ),
    Sign(
        "julia-weights-on-cpu",
        "Julia shows that a layer's weights are in main memory; at its prompt `julia` reads it",
        (".weight) = ", ".bias) = "),  # as @show prints it
        r"(\btypeof\([\w.\[\]()]{1,60}\.(?:weight|bias)\)"
        r" = (?:Array|Vector|Matrix)\{Float(?:16|32|64)\b)",
    ),
    Sign(
        "julia-kernel-exception",
        "a kernel written in Julia raised an exception",
        ("exception thrown during kernel execution on device",),
    ),
)
