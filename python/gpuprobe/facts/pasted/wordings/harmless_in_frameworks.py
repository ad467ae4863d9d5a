"""Warnings of frameworks, and of programs that stand on them, that mean no fault."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "triton-own-libdevice",
        "PyTorch's compiler takes the libdevice that Triton brings, in place of a toolkit's",
        ("using triton's bundled libdevice",),
    ),
    Sign(
        "compiles-for-visible-gpus",
        "extensions are compiled for the GPUs that are there, as nobody named others",
        (
            "all archs for visible cards are included for compilation",
            "if this is not desired, please set os.environ['torch_cuda_arch_list']",
        ),
    ),
    Sign(
        "cuda-graphs-not-annotated",
        "PyTorch's profiler cannot name the kernels of a CUDA graph",
        ("cuda graph kernel annotations will be disabled",),
    ),
    Sign(
        "nccl-pool-not-registered",
        "PyTorch does not register its memory with NCCL beside expandable segments",
        ("disabling default-pool nccl memory registration",),
    ),
    Sign(
        "oom-without-processes",
        "NVML did not answer where PyTorch looked who else holds memory",
        ("omitting per-process memory info from cuda out-of-memory messages",),
    ),
    Sign(
        "dataparallel-imbalance",
        "DataParallel goes at the pace of the smaller of two GPUs",
        ("imbalance between your gpus", "argument to dataparallel, or by setting the cuda_visible"),
    ),
    Sign(
        "nccl-device-guessed",
        "PyTorch takes the GPU of a process by its rank, where the program did not set it",
        ("if this rank to gpu mapping is incorrect",),
    ),
    Sign(
        "driver-compiles-for-xla",
        "a check of XLA's has no ptxas and lets the driver compile, as it says once",
        ("redzone_allocator.cc", "relying on driver to perform ptx compilation"),
        r"redzone_allocator\.cc:\d{1,4}\] internal: ptxas exited with non-zero error code -1,"
        r"|relying on driver to perform ptx compilation",
    ),
    Sign(
        "reduces-without-nccl",
        "TensorFlow adds up gradients by other ways than NCCL",
        ("not using nccl allreduce",),
    ),
    Sign(
        "ort-libraries-not-preloaded",
        "ONNX Runtime leaves it to the system to find CUDA's libraries",
        ("skipping dll preloading.", "skip loading cuda and cudnn dlls since torch is imported"),
    ),
    Sign(
        "ort-node-on-cpu",
        "ONNX Runtime gives an operation that its CUDA provider does not have to the CPU",
        ("onnxruntime:",),
        r"Dropping the \w{1,40} node: .{1,200} to CPU because it",
    ),
    Sign(
        "ort-memory-untold",
        "ONNX Runtime could not ask how much memory is free, and goes by its own limit",
        ("ep failed to get available gpu memory info",),
    ),
    Sign(
        "mxnet-cuda-minor-differs",
        "MXNet runs with another minor release of CUDA than it was compiled with",
        ("cuda library mismatch: linked-against version",),
        r"linked-against version (?P<major>\d{1,2})\d{3} != compiled-against version"
        r" (?P=major)\d{3}\b",
    ),
    Sign(
        "mmcv-own-convolution",
        "MMCV leaves a convolution to PyTorch, of another release than its own is for",
        ("rolling back to `torch.nn.functional.conv2d`",),
    ),
    Sign(
        "horovod-notes",
        "Horovod tells how it was built, or that it adds up over the CPU",
        (
            "linking nccl statically, but linking cuda runtime library dynamically",
            "this combination is not supported with typical builds of nccl",
            "adasum reduction does not currently support gpu reduction using mpi",
        ),
    ),
    Sign(
        "apex-cross-compiles",
        "Apex is compiled where no GPU is, for all that it knows",
        (
            "apex will cross-compile for",
            "volta (compute capability 7.0), turing (compute capability 7.5),",
            "and, if the cuda version is >= 11",
            "if you wish to cross-compile for a single specific architecture,",
            'export torch_cuda_arch_list="compute capability" before',
        ),
    ),
    Sign(
        "custom-allreduce-off",
        "vLLM and SGLang have a way of their own to add up over GPUs, and take NCCL's without it",
        cues(
            "allreduce is disabled because|custom allreduce is disabled due|setup custom allreduce"
        ),
        r"(?:Custom_? ?all_?reduce|AllReduce) is disabled (?:because|due)"
        r"|Setup Custom allreduce failed with",
    ),
    Sign(
        "other-allreduce-off",
        "vLLM and SGLang know several such ways, of which some GPUs have not all",
        cues("symmmemcommunicator: device capability|initialize flashinfer all reduce workspace"),
    ),
    Sign(
        "ggml-without-nccl",
        "llama.cpp adds up over several GPUs by itself where it was built without NCCL",
        cues(
            "nccl not found, performance for multiple cuda gpus"
            "|nccl not compiled in; falling back to internal allreduce"
        ),
    ),
    Sign(
        "cuda-of-one-major-accepted",
        "DeepSpeed compiles with a toolkit of the same major release as PyTorch's CUDA",
        ("since the apis are compatible, accepting this combination",),
    ),
    Sign(
        "fused-activation-missing",
        "Transformers and vLLM compute the activation xIELU in Python without its own package",
        ("cuda-fused xielu not available",),
    ),
    Sign(
        "torchdynamo-speed",
        "Transformers tells on which GPUs TorchDynamo pays",
        ("the speedups for torchdynamo mostly come with",),
    ),
    Sign(
        "quantised-weights-widened",
        "a model's small numbers are widened for a GPU that does not compute in them; it is slower",
        cues("your gpu does not have native support for fp8|does not have native support for fp4"),
    ),
    Sign(
        "nccl-allocator-not-compiled",
        "vLLM goes on without memory that NCCL registers, where NCCL's header is not there",
        ("failed to compile nccl memory allocator",),
    ),
    Sign(
        "ort-without-tensorrt",
        "ONNX Runtime goes on with CUDA where TensorRT is not installed",
        ("providers_tensorrt.so with error: libnvinfer",),
        r"providers_tensorrt\.so with error: (libnvinfer\S{0,20}):",
    ),
    Sign(
        "gpustat-pynvml-older",
        "gpustat shows less exact memory with an older module of NVML than the driver",
        ("requires a compatible version of pynvml",),
    ),
    Sign(
        "onnxruntime-node-assumes-cuda",
        "onnxruntime-node's install script takes CUDA 12's files where nvcc tells it no release",
        ("not found. assuming cuda ", "failed to detect cuda version from `nvcc"),
    ),
    Sign(
        "opencv-without-video-sdk",
        "OpenCV's build leaves out what reads and writes video by the GPU",
        cues(
            "nvcuvid: header not found|nvcuvid: library not found|nvcuvenc: header not found"
            "|nvcuvenc: library not found"
        ),
    ),
    Sign(
        "starpu-without-hwloc-plugin",
        "StarPU does not know beside which processor a GPU stands",
        ("do you have the hwloc cuda plugin installed",),
    ),
    Sign(
        "kaldi-recommends-exclusive-mode",
        "Kaldi looks for the GPU with most free memory, which the exclusive mode would save it",
        ("hint: it is practical to set the gpus into",),
    ),
    Sign(
        "deepspeed-compiles-for-all",
        "DeepSpeed compiles where torch sees no GPU, and takes the architectures that it knows",
        ("torch did not find cuda available, if cross-compiling",),
    ),
    Sign(
        "bnb-told-its-cuda",
        "bitsandbytes was told by a variable which CUDA to take",
        (
            *("manual override via bnb_cuda_version", "bnb_cuda_version=xxx can be used to load"),
            "set the bnb_cuda_version variable to an empty string",
        ),
    ),
    Sign(
        "lammps-after-its-end",
        "LAMMPS gives up what it has on a GPU after CUDA has ended in its process",
        ("cuda driver error 4 in call at file",),
    ),
    Sign(
        "ollama-driver-not-told",
        "Ollama was not told the driver's release, and takes an older GPU all the same",
        ("could not verify nvidia driver compatibility for an older",),
    ),
    Sign(
        "comfyui-own-kernels-off",
        "ComfyUI computes with PyTorch's operations where its own are for a later CUDA",
        ("you need pytorch with cu130 or higher to use optimized",),
    ),
)
