"""What PyTorch says about itself and the machine."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "libtorch-for-cpu",
        "the LibTorch that was fetched is the one for the CPU, by the folder of its address",
        ("pytorch.org/libtorch/",),
        r"\bpytorch\.org/libtorch/(?:(?:nightly|test)/)?(cpu)/",
    ),
    Sign(
        "torch-cuda-part-not-loaded",
        "PyTorch's library with the CUDA code is not in the process; the value begins with how"
        " Python, or the library of Rust, names the error",
        ("without aten_cuda library",),
        r"((?:\b(?:RuntimeError|TorchError|c_error|Torch\()[^\n]*)?\bCannot [\w ]{2,60}"
        r" without ATen_cuda library)",
    ),
    Sign(
        "caffe2-cudnn-versions-differ",
        "Caffe2 was compiled with another cuDNN than it loaded: compiled, loaded",
        ("and runtime (",),
        r"cuDNN compiled \((\d+)\) and runtime \((\d+)\) versions mismatch",
    ),
    Sign(
        "torch-without-cuda",
        "torch is a build without CUDA",
        cues(
            "not compiled with cuda enabled|not linked with support for cuda devices"
            "|pytorch is not compiled with nccl|no kernel found for dispatch key cuda"
            "|you are using a cpu-only version of pytorch|torch not compiled with cuda"
            "|dummy base class cuda|dummy base class stream|dummy base class event"
            "|module 'torch._c' has no attribute '_cuda"
            "|pytorch was compiled without cuda support|torch.cuda.stream requires cuda support"
            "|nvtx functions not installed. are you sure you have a cuda build"
            # Horovod's builder, of the torch that it is built for.
            "|with gpu support was requested but this pytorch installation"
        ),
    ),
    Sign(
        "torch-needs-newer-cuda",
        "this GPU needs a torch built with this CUDA or a later one; the value is its number",
        ("which requires cuda_version >=",),
        r"requires CUDA_VERSION >= (\d{4,5}) to\s*(?:\Z|work properly)",
    ),
    Sign(
        "torch-no-kernels-for-gpu",
        "torch's build, which it names, has no code for this GPU, or no build of its release has",
        ("does not include kernels for this gpu", "support this gpu."),
        r"Your installed (torch==[\w.+]+) does not include kernels for this GPU"
        r"|No published PyTorch CUDA builds for release ([\w.+]+) support this GPU",
    ),
    Sign(
        "torch-cudnn-gpu-too-old",
        "the cuDNN of this torch serves newer GPUs only; the value is their capability",
        ("is not compatible with devices with sm <",),
        r"compatible with devices with SM < (\d+\.\d)",
    ),
    Sign(
        "torch-cudnn-not-loaded",
        "torch was built with cuDNN and finds none",
        ("library not found. check your",),
        r"\b(cuDNN)(?:/MIOpen)? library not found\. Check your",
    ),
    Sign(
        "op-without-cuda",
        "an operator was called on the GPU whose build has no CUDA code (the CUDA backend)",
        ("with arguments from the 'cuda' backend", "not available for cuda"),
        r"could not run '([\w:.]+)' with arguments from the 'CUDA' backend"
        r"|\b(\w+::\w+) (?:is )?not available for CUDA",
    ),
    Sign(
        "count-without-memory",
        "CUDA could not even count its devices for want of memory",
        ("error 2: out of memory",),
        r"cudaGetDeviceCount\(\).{0,160}Error 2: out of memory",
    ),
    Sign(
        "torch-no-driver",
        "torch, or a program like it, found no NVIDIA driver",
        (
            "found no nvidia driver on your system",
            "please install cuda driver for gpu use. ",  # MXNet
            "callback because nvidia driver is not installed",  # Lightning
            "gpu driver version can't be detected. no gpu driver!",  # Paddle
        ),
    ),
    Sign(
        "torch-driver-too-old",
        "torch found a driver that is too old for its build; the value is the driver's CUDA",
        ("nvidia driver on your system is too old", "system is too old (found version"),
        # A window may have broken the line at any word.
        r"\A(?:.*nvidia driver on your |\W{0,8}(?:on )?(?:your )?)system is too old \(found version"
        r" (\d{4,6})|found version (\d{4,6})|system is too old\b(?!\?)",
    ),
    Sign(
        "torch-capability-not-covered",
        "the build of torch has no code for this GPU; the value is its capability",
        ("is not compatible with the current pytorch", "with cuda capability sm_"),
        r"with CUDA capability (sm_\d+\w?) is not compatible with\b"
        r"|\b(sm_\d+\w?) is not compatible with the current PyTorch",
    ),
    Sign(
        "torch-capability-too-old",
        "torch says that the GPU is too old for it; the value is the GPU's capability",
        ("no longer supports this gpu because it is too old",),  # `torch_range` has the others
        r"which is of cuda capability (\d+\.\d+)\.?\s.{0,8}PyTorch no longer supports"
        r"|\A\W*PyTorch no longer supports this GPU",
    ),
    Sign(
        "torch-minimum-capability",
        "the smallest capability that this build of torch serves",
        ("cuda capability supported by this",),
        r"minimum (?:and maximum )?cuda capability supported by this (?:library|version of pytorch)"
        r" is \(?(\d+\.\d+)",
    ),
    Sign(
        "torch-memory-of-gpu",
        "torch begins its account of the memory; what the program holds comes behind it",
        ("has a total capacity of", "has a total capacty of"),
        r"\A(?!.*\bPlan failed with)",
    ),
    Sign(
        "torch-build-too-new-for-gpu",
        "torch names the builds of it that would serve this GPU",
        ("pytorch with a following cuda",),
    ),
    Sign(
        "torch-gpu-not-visible",
        "an object was to be loaded on a GPU while torch sees none",
        ("torch.cuda.is_available() is false",),
        r"attempting to deserialize object on a CUDA device",
    ),
    Sign(
        "torch-fewer-devices",
        "an object was saved on a GPU with a number that this machine does not have",
        ("deserialize object on cuda device",),
        r"object (on CUDA device \d+ but (?:torch\.cuda\.)?device_count\(\) is \d+)",
    ),
    Sign(
        "torch-no-devices",
        "torch sees no GPU that it could use",
        cues(
            "no cuda gpus are available|no supported gpu backend found"
            "|cudaaccelerator can not run on your system"
        ),
    ),
    Sign(
        "torch-counts-differ",
        "torch asks for a GPU that NVML counts and CUDA does not give to this process",
        ("device >= 0 && device < num_gpus",),
    ),
    Sign(
        "nvml-not-started",
        "torch or a monitor opened NVML, which did not start, and does not say why",
        ("can't initialize nvml", "failed to initialize nvml"),
        r"can't initialize nvml|failed to initialize nvml\W*\Z",
    ),
    Sign(
        "torch-no-amd-gpu",
        "a build for AMD's GPUs finds none of them",
        (
            *("no hip gpus are available", "no rocm-capable device is detected"),
            "amdgpu devices detected but permission problems",  # Ollama, of AMD's device files
        ),
    ),
    Sign(
        "torch-unknown-error-environment",
        "CUDA could not be initialised, perhaps because the environment was changed after start",
        ("cuda unknown error - this may be due to an incorrectly set up environment",),
    ),
    Sign(
        "torch-cuda-in-fork",
        "CUDA was used before the process forked",
        cues(
            "cannot re-initialize cuda in forked subprocess|cuda initialized before forking"
            "|in a forked subprocess where cuda has already been initialized"
            "|to launch a multi-gpu training from your notebook, you need to avoid running"
        ),
    ),
    Sign(
        "torch-devices-differ",
        "tensors of one operation are on different devices",
        (
            "expected all tensors to be on the same device",
            *("cannot assign node feature", "cannot assign edge feature"),  # DGL
            "but found at least two devices",
            "expected object of device type cuda but got",
            "expected object of device type cpu but got",
            "expected object of backend cuda but got",
            "expected object of backend cpu but got",
            *("but found type torch.cuda.", "expected object of type torch.cuda."),
            *("expected cpu tensor (got cuda", "expected cuda tensor (got cpu"),
            "tensors are not at the same device",
            "must have its parameters and buffers on device",
            "device type for generator but found",
            *("but expected it to be on gpu", "but expected them to be on gpu"),
            "arguments are located on different gpus",
            "should be either on cpu or on the same device as",
            "no backend type associated with device type cpu",
            "cannot be accessed from triton (cpu tensor?)",
            "must be a cuda tensor",
            "executable is built for device cuda:",  # of XLA
            "syncbatchnorm expected input tensor to be on gpu",
            *("whereas the feature tensor is on", "cannot convert a cuda graph to networkx"),  # DGL
            "requires gpu-based processing (got cpu tensor)",  # PyTorch Geometric
            "assertionerror: implicit gemm only support cuda",  # spconv
            "device=cpu (supported: {'cuda'})",
        ),
    ),
    Sign(
        "torch-without-nccl",
        "this build of torch has no NCCL",
        ("distributed package doesn't have nccl",),
    ),
    Sign(
        "torch-dtype-device-differ",
        "input and weights are of different types, or on different devices",
        ("and weight type (", "should be the same"),
        r"input type \(\S+\) and (?:weight|bias) type \(\S+\) should be the same",
    ),
    Sign(
        "torch7-cudnn-versions-differ",
        "Torch7's bindings are for one cuDNN and found another; value: made for, found",
        ("these bindings are for ",),
        r"bindings are for [^\n(]{1,30}\((\d{4}) <= [^\n]{1,60} loaded CuDNN is version: (\d{4})",
    ),
    Sign(
        "torch-cudnn-versions-differ",
        "torch was compiled against one cuDNN and found another; value: compiled, found",
        ("cudnn version incompatibility", "cudnn version mismatch"),
        r"compiled\s+against \(?(\d+, \d+, \d+|\d{4,5})\)? but (?:found runtime version"
        r"|linked against) \(?(\d+, \d+, \d+|\d{4,5})",
    ),
    Sign(
        "torch-cudnn-not-found-engine",
        "cuDNN offered no way to run a convolution",
        cues(
            "unable to find an engine to execute this computation|get was unable to find an engine"
        ),
    ),
    Sign(
        "torch-library-failed",
        "a program names which of CUDA's libraries failed, and not its code",
        ("cublas runtime error", "cublas error", "cudnn error", "cufft error", "cusolver error"),
        r"\A\W{0,6}(?:\w{3,30}(?:Error|Exception): ?)?(cublas|cudnn|cufft|cusolver)(?: runtime)?"
        r" error(?:\W*\Z| (?:after|at|during|in|on|using|when|while|with)\b(?![^\n]*\?))",
    ),
    Sign(
        "torch-cudnn-no-valid-plans",
        "cuDNN found no plan that runs",
        ("no valid execution plans", "no execution plans support the graph"),
    ),
    Sign(
        "torch-dll-init",
        "a DLL of torch could not be loaded",
        ('error loading "', "or one of its dependencies"),
        r"error loading \"([^\"]+\.dll)\""
        r"|could not find module '([^']+[/\\]torch[/\\]lib[/\\][^'/\\]+\.dll)'",
    ),
    Sign(
        "torch-triton-missing",
        "torch.compile found no working Triton",
        ("cannot find a working triton installation", "no module named 'triton.language'"),
    ),
    Sign(
        "torch-compile-gpu-too-old",
        "the Triton compiler serves newer GPUs only; the value is the capability",
        ("too old to be supported by the triton gpu compiler",),
        r"compute capability (\d+\.\d+)|(\d+\.\d+)|\bFound [\w ]{4,50} which is too old",
    ),
    Sign(
        "torch-half-on-cpu",
        "PyTorch was to compute on the CPU in half precision, which that release cannot",
        ("not implemented for 'half'",),
        r"\"\w{0,60}(?:_cpu\w{0,20}|KernelImpl)\" not implemented for 'Half'",
    ),
)
