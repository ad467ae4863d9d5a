"""Messages that alarm people and mean nothing for the GPU's use."""

from ..sign import Sign
from ..text import cues
from . import harmless_in_frameworks, harmless_in_systems
from .nvidia_smi import OF_ADMINS

#: 90.1 for 9.1, and 91.0 for 9.10. Each minor is spelled out: before Python 3.11 a group of a
#: negative lookahead, in which another table has this, keeps what it caught.
_MISREAD = (
    rf"9{minor // 10}\.{minor % 10} which [^\n]{{0,40}} with the version 9\.{minor}\b"
    for minor in range(30)
)
CUDNN_MISREAD = rf"cuDNN reports version (?:{'|'.join(_MISREAD)})"

SIGNS = (
    Sign(
        "factory-registered",
        "two parts of TensorFlow register the same library; the second is refused, as it should be",
        cues(
            "attempting to register factory for plugin|factory when one has already been registered"
        ),
        r"Unable to register (\w+) factory|factory for plugin (\w+)",
    ),
    Sign(
        "torch-plan-tried",
        "torch tried a plan of cuDNN that did not do, and goes on to the next one",
        ("userwarning: plan failed with ",),
    ),
    Sign(
        "computation-placer",
        "the same, of another part",
        ("computation placer already registered",),
    ),
    Sign(
        "numa-node",
        "the kernel gives no NUMA node for the card; node 0 is taken",
        cues(
            "successful numa node read from sysfs had negative value"
            "|could not open file to read numa node"
            "|your kernel may have been built without numa support"
            "|could not identify numa node of platform gpu"
        ),
    ),
    Sign(
        "cudnn-number-misread",
        "OpenCV divides the number of cuDNN 9 as that of earlier ones, so that 9.1 becomes 90.1",
        ("cudnn reports version",),
        CUDNN_MISREAD,
    ),
    Sign(
        "tensorrt-missing",
        "TensorFlow works without TensorRT",
        ("could not find tensorrt", "libnvinfer", "cannot dlopen some tensorrt libraries"),
        r"could not find TensorRT|dynamic library '(libnvinfer[^']*)'|dlopen some TensorRT",
    ),
    Sign(
        "tf-profiler-without-cupti",
        "TensorFlow computes without CUPTI, which its profiler alone asks for",
        ("dynamic library 'libcupti", "dynamic library 'cupti"),
        r"dynamic library '((?:lib)?cupti[^']*)'",
    ),
    Sign(
        "nvml-for-admins",
        "NVML keeps a GPU's settings, and counters that tell of others' work, to administrators:"
        " whoever may not see or change them may use the GPU all the same",
        ("insufficient permissions",),
        rf"{OF_ADMINS}[^\n]*\binsufficient permissions\b",
    ),
    Sign(
        "onednn",
        "oneDNN's operations are for the CPU and on by default",
        ("onednn custom operations are on",),
    ),
    Sign(
        "cpu-instructions",
        "the CPU could do more than TensorFlow's build uses; that has no part in the GPU's work",
        cues(
            "cpu supports instructions that this tensorflow binary was not compiled to use"
            "|this tensorflow binary is optimized|the tensorflow library wasn't compiled to use"
        ),
    ),
    Sign(
        "absl-log",
        "the log began before its set-up",
        ("all log messages before absl::initializelog()",),
    ),
    Sign(
        "deprecated-numpy-alias",
        "a program uses a name of NumPy that will go away",
        ("is a deprecated alias for the builtin", "passing (type, 1) or '1type' as a synonym"),
    ),
    Sign(
        "allocation-not-a-failure",
        "the allocator asked for more and could do with less",
        ("this is not a failure, but may mean that there could be performance gains",),
    ),
    Sign(
        "xla-devices",
        "XLA's own devices are off by default",
        cues(
            "not creating xla devices, tf_xla_enable_xla_devices not set"
            "|none of the mlir optimization passes are enabled|xla service 0x"
        ),
        r"not creating XLA|none of the MLIR|XLA service 0x\w+ initialized for platform",
    ),
    Sign(
        "jax-other-backends",
        "JAX looks for every kind of device; that there is no TPU or AMD GPU is no fault",
        ("unable to initialize backend",),
        r"Unable to initialize backend '(tpu_driver|tpu|rocm|metal|METAL|plugin|interpreter)'",
    ),
    Sign(
        "delay-kernel",
        "a measurement of XLA is not exact",
        ("delay kernel timed out", "skipping the delay kernel"),
    ),
    Sign(
        "architectures-deprecated",
        "a later toolkit will not compile for these GPUs any more; this one does",
        ("architectures are deprecated, and", "architectures prior to"),
        r"nvcc warning ?: (?:The ['c][^\n]{4,200} architectures are deprecated"
        r"|Support for offline compilation for architectures prior to)",
    ),
    Sign(
        "torch-without-flash-attention",
        "torch takes another of its ways to compute attention, mostly on Windows",
        ("torch was not compiled with flash attention",),
    ),
    Sign(
        "firmware-argument",
        "the firmware of a laptop describes the card loosely; the driver goes on",
        ("_dsm: argument",),
        r"ACPI Warning: \S{1,80}\._DSM: Argument #4 type mismatch",
    ),
    Sign(
        "kernel-tainted",
        "a module from outside was loaded, as the NVIDIA module always is",
        ("taints kernel", "tainting kernel"),
        r"nvidia[^\n]{0,120}taint(?:s|ing) kernel",
    ),
    Sign(
        "interrupts-by-wire",
        "the GPU signals over the bus' own wires, as in some virtual machines, and works",
        ("failed to enable msi; falling back",),
    ),
    Sign(
        "persistence-mode-off",
        "the driver unloads between programs, which costs a second at start",
        ("persistence mode is disabled", "persistence-m"),
        r"persistence mode is disabled",
    ),
    Sign(
        "no-processes-listed",
        "inside a container and under WSL nvidia-smi cannot list processes",
        ("no running processes found",),
    ),
    Sign(
        "utilization-not-counted",
        "NVML counts no utilization of small and old GPUs, nor of one that MIG splits",
        ("gpu-util[",),
        r"\bGPU-Util\[[\s|]{0,200}N/A\]",
    ),
    Sign(
        "cupy-cuda-path",
        "CuPy's wheels bring what they need; a toolkit is needed for headers only",
        ("cuda path could not be detected",),
    ),
    Sign(
        "asynchronous-errors",
        "a hint of PyTorch's about its trace",
        ("kernel errors might be asynchronously reported",),
    ),
    Sign(
        "ort-nodes-on-cpu",
        "ONNX Runtime gives operations about shapes to the CPU on purpose",
        ("nodes were not assigned to the preferred execution providers",),
    ),
    Sign(
        "xformers-triton",
        "xFormers and others work without Triton, which is not made for Windows",
        ("a matching triton is not available", "no module named 'triton'"),
        r"matching Triton is not available|no module named 'triton'",
    ),
    Sign(
        "tensorflow-float-32",
        "a note on the precision of matrix products",
        ("tensorfloat-32 will be used", "tensorfloat32 tensor cores"),
    ),
    Sign(
        "pynvml-renamed",
        "the package pynvml has another name now",
        ("the pynvml package is deprecated",),
    ),
    Sign(
        "ptxas-not-on-windows",
        "TensorFlow calls ptxas on Linux alone; elsewhere the driver compiles",
        ("invoking ptxas not supported on windows", "supported on cuda non-windows platforms only"),
    ),
    Sign(
        "cudnn-criteria-not-met",
        "a recurrent layer has options that cuDNN's kernel does not know, and takes another one",
        ("it doesn't meet the cudnn kernel criteria", "it doesn't meet the criteria. it will use"),
    ),
    Sign(
        "fuser-falls-back",
        "PyTorch's compiler of fused kernels did not fuse some, which run one by one",
        ("fallback path has been taken",),
    ),
    Sign(
        "slow-constant-folding",
        "XLA tells that it computes a constant for long while it compiles",
        ("constant folding an instruction is taking", "slow_operation_alarm"),
    ),
    Sign(
        "too-few-multiprocessors-to-tune",
        "PyTorch's compiler tries fewer kernels on a GPU with few multiprocessors",
        ("not enough sms to use max_autotune_gemm",),
    ),
    Sign(
        "autocast-renamed",
        "parts of PyTorch for mixed precision have other names now",
        ("`torch.cuda.amp.",),
        r"`torch\.cuda\.amp\.\w+\(args\.\.\.\)` is deprecated",
    ),
    Sign(
        "registers-spilled",
        "a kernel uses more registers than there are; it runs",
        ("registers are spilled to local memory",),
    ),
    Sign(
        "peer-access-none-needed",
        "GPUs that cannot reach each other's memory copy through the host",
        (
            *("peer access not supported between device ordinals", "could not enable peer access"),
            "but no peering could be enabled",
        ),
    ),
    Sign(
        "slurm-without-nvml",
        "Slurm was built without NVML, so its gres.conf has to list the GPUs, which are well",
        ("configured to autodetect nvml functionality",),
        r"configured to autodetect nvml functionality, but we weren't able to find that lib",
    ),
    Sign(
        "torchvision-image",
        "torchvision cannot read pictures by itself, which few programs ask of it",
        ("failed to load image python extension",),
    ),
    Sign(
        "small-gpu-ignored",
        "TensorFlow leaves out a GPU with far fewer multiprocessors than the others",
        ("ignoring visible gpu device", "ignoring gpu device"),
        r"with core count: (\d+)",
    ),
    Sign(
        "wsl-libcuda-link",
        "WSL's libcuda.so.1 is a file where ldconfig expects a link",
        ("/usr/lib/wsl/lib/libcuda",),
        r"libcuda\.so\.1 is not a symbolic link",
    ),
    Sign(
        "nccl-falls-back",
        "NCCL warns that it takes another way: no library of InfiniBand, or not the best path",
        (
            *("failed to open libibverbs.so", "falling back to simple order"),
            *("/plugin: could not find: ", "net/plugin : no plugin found"),
            *("net/plugin: failed to find nccl", "net/ib : no device found"),
            "dma-buf is available on gpu device",
        ),
        r"NCCL WARN (Failed to open libibverbs|Could not find a path for pattern)"
        r"|NCCL INFO \w{2,8}/Plugin ?: (Could not find:|No plugin found|Failed to find nccl)"
        r"|NCCL INFO (NET/IB : No device found|DMA-BUF is available)",
    ),
    Sign(
        "openmpi-other-transport",
        "Open MPI leaves a way to other machines alone, and takes another one",
        (
            "sent help message help-mpi-btl-",
            "no openfabrics connection schemes",
            "the openib btl ",
            "point-to-point messaging module",
            "unable to find any relevant network interfaces",
            "no preset parameters were found for the device that open mpi",
            "error initializing an openfabrics device",
            "infiniband ports on a device",
        ),
        r"help-mpi-btl-openib(?:-cpc-base)?\.txt / (?:no cpcs for port|no device params found"
        r"|ib port not selected|error in device init)"
        r"|help-mpi-btl-base\.txt / btl:no-nics"
        r"|\ANo OpenFabrics connection schemes reported|the openib BTL \(OpenFabrics"
        r"|\bOpen MPI point-to-point messaging module\s*\Z"
        r"|\A\W{0,4}(?:was )?unable to find any relevant network interfaces"
        r"|No preset parameters were found for the device that Open MPI"
        r"|There was an error initializing an OpenFabrics device"
        r"|\bfor Open MPI 4\.0 and later, infiniband ports on a device",
    ),
    Sign(
        "openmpi-help-folded",
        "Open MPI shows what several processes say once, whatever that is",
        ("orte_base_help_aggregate", "opal_base_help_aggregate"),
        r"Set MCA parameter \"o(?:rte|pal)_base_help_aggregate\" to 0",
    ),
    Sign(
        "gstreamer-without-nvrtc",
        "GStreamer finds an older NVRTC than it asks for, with which it would compile a few filters"
        " of its own; encoding and decoding need none",
        ("gst_cuda_nvrtc_load_library",),
        r"gst_cuda_nvrtc_load_library\w*: Failed to load '(nvrtc\w+)'",
    ),
    Sign(
        "cdi-file-not-there",
        "the container toolkit leaves out what a driver may bring, and this one does not",
        ("could not locate ",),
        r"\bCould not locate "
        r"(?!\S{0,200}(?:libcuda\.so|libnvidia-ml|/nvidia(?:\d|ctl|-uvm)|nvidia-smi))"
        r"(\S{1,200}): pattern \S{1,200} not found",
    ),
    Sign(
        "nvrtc-takes-older-architecture",
        "NVRTC makes PTX for the newest architecture that it knows, which a newer GPU runs",
        (" is not supported by nvrtc ",),
        r"capability \d{1,2}\.\d is not supported by NVRTC \d{1,2}\.\d{1,2}\. Using \d",
    ),
    Sign(
        "nvrtc-builtins-not-preloaded",
        "CUDA Python loads a file of NVRTC beforehand, which NVRTC else looks for itself",
        ("nvrtc builtins sibling not found", "cannot determine the nvrtc version from"),
    ),
    Sign(
        "nvcc-without-gpu",
        "nvcc finds no GPU where it compiles, and takes its default architecture",
        ("cannot find valid gpu for '-arch=native'",),
    ),
    Sign(
        "cmake-policy-of-cuda",
        "CMake tells of its policies for CUDA, which those who make the project choose",
        ("policy cmp0104 is not set", "policy cmp0146 is not set"),
    ),
    Sign(
        "cmake-for-developers",
        "CMake means a warning for those who make the project, not for who builds it",
        ("this warning is for project developers",),
    ),
    Sign(
        "driver-installer-guesses",
        "the driver's installer guesses folders for pictures, or leaves out what is for 32 bits",
        cues(
            "nvidia-installer was forced to guess the x library path"
            "|unable to find a suitable destination to install 32-bit compatibility libraries"
            "|unable to determine the path to install the libglvnd"
        ),
    ),
    Sign(
        "container-shm-default",
        "NVIDIA's image recommends more shared memory than a container gets unless it is told",
        ("the shmem allocation limit is set to the default",),
    ),
    *harmless_in_frameworks.SIGNS,
    *harmless_in_systems.SIGNS,
)
