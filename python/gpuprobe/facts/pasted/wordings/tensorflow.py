"""What TensorFlow says, from 1.0 to now; the paths and line numbers of its log are ignored."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "tf-cuda-asked",
        "code or a person asks whether TensorFlow is a build with CUDA",
        ("test.is_built_with_cuda()",),
    ),
    Sign(
        "tf-cuda-extra-asked",
        "pip was asked for TensorFlow with its libraries of CUDA",
        ("tensorflow[and-cuda",),
        r"\b(?:pip3?|uv|poetry|pdm) (?:install|add)\b[^\n]{0,160}?\btensorflow\[and-cuda\]",
    ),
    Sign(
        "tf-cudart-ignorable",
        "TensorFlow goes on without CUDA's run time, and says that this may be meant so",
        ("ignore above cudart dlerror if you do not have a gpu",),
    ),
    Sign(
        "tf-import-frame",
        "a traceback goes to where TensorFlow's library is loaded",
        ("pywrap_tensorflow",),
        r"\bFile \"(?:[A-Za-z]:)?[/\\][^\"\n]{1,200}[/\\]pywrap_tensorflow(?:_internal)?\.py\","
        r" line \d{1,4}",
    ),
    Sign(
        "keras-fits",
        "code trains a model of Keras",
        ("model.fit(",),
        r"\A\s{0,40}(?:\w{1,30} ?= ?)?(?:\w{1,30}_)?model\.fit\(",
    ),
    Sign(
        "tf-xla-gpu",
        "TensorFlow lists the GPU for its compiler XLA: it reaches the driver and the GPU",
        ("xla_gpu",),
        r"\bdevice:XLA_GPU:\d|device_type[:=] ?['\"]XLA_GPU|['\"]/xla_gpu:\d"
        r"|Registered devices: \[[^\]\n]{0,80}\bXLA_GPU\b",
    ),
    Sign(
        "tf-no-cuda-drivers",
        "TensorFlow found no libcudart of its build, or no driver (both are said in these words)",
        ("could not find cuda drivers on your machine",),
    ),
    Sign(
        "tf-runtime-not-loaded",
        "TensorFlow asked CUDA's run time for its version and could not load the library",
        ("cudagetruntimeversion: error loading cuda libraries",),
    ),
    Sign(
        "tf-libraries-missing",
        "TensorFlow could not open a library of its build and skips the GPU",
        ("cannot dlopen some gpu libraries",),
        r"cannot dlopen some GPU libraries",
    ),
    Sign(
        "tf-no-gpu-devices",
        "TensorFlow was asked for a GPU and lists none",
        cues(
            "cannot find any gpu devices|no gpu devices found|no gpu device found"
            "|no supported devices found for platform cuda|however this machine only has: ["
            "|this hides all gpus from cuda"
        ),
        r"cannot find any GPU devices|no GPU devices? found|only has: \[(?![^\]]*gpu)"
        r"|hides all GPUs|no supported devices found for platform CUDA",
    ),
    Sign(
        "tf-device-not-there",
        "an operation was placed on a GPU that TensorFlow does not have",
        cues(
            "is not in list of valid devices|unknown device"
            "|could not satisfy explicit device specification|all available devices ["
        ),
        r"(?:specification|device|matching)[^\n]{0,80}?/?(?:device:)?GPU:(\d+)",
    ),
    Sign(
        "tf-without-cuda",
        "TensorFlow is a build without CUDA",
        cues(
            "tensorflow was not built with cuda support"
            "|this tensorflow binary was not built with cuda|platform cuda is not registered"
            "|no opkernel was registered to support op"
            '|could not find registered platform with name: "cuda"|not built with cuda, '
            "|appears to be a gpu, but cuda is not enabled"
        ),
        r"not built with CUDA(?! kernel)|CUDA is not registered|name: \"CUDA\"|but CUDA is not en"
        r"|registered to support Op '(?:Cudnn\w+|Nccl\w+)'",
    ),
    Sign(
        "tf-without-word-of-cuda",
        "a session of TensorFlow 1 lists no device, and no line tells what became of CUDA;"
        " frameworks/available.py reads what stands in two lines",
        ("device mapping: no known devices",),
        r"cpu_feature_guard\.cc(?![^\n]*(?:cuda|gpu_))[^\n]*(Device mapping: no known devices)",
    ),
    Sign(
        "tf-with-mkl",
        "TensorFlow counts its threads as builds with MKL do; frameworks/available.py reads it",
        ("default inter op setting",),
        r"cpu_feature_guard\.cc(?![^\n]*(?:cuda|gpu_))[^\n]*(Creating new thread pool with)",
    ),
    Sign(
        "tf-session-begun",
        "a traceback stands where TensorFlow makes its session",
        ("--> ", "tf_newdeprecatedsession", "tf_newsession"),
        r"\A\s*-{2,5}> ?\d{1,4} [^\n]{0,40}\btf(?:\.compat\.v1)?\.(?:Interactive)?Session\("
        r"|TF_New(?:Deprecated)?Session",
    ),
    Sign(
        "tf-without-nccl",
        "TensorFlow has no code for an operation of NCCL, which no build for Windows has",
        ("no opkernel was registered to support op",),
        r"registered to support Op '(Nccl\w+)'",
    ),
    Sign(
        "tf-gpu-registered",
        "TensorFlow has code for GPUs: it counts them among the devices that it knows",
        ("registered devices:",),
        r"Registered devices: \[[^\]\n]{0,80}\bGPU\b",
    ),
    Sign(
        "tf-cpu-registered",
        "TensorFlow has code for CPUs alone: it counts no GPU among the devices that it knows",
        ("registered devices:",),
        r"Registered devices: \[(?![^\]\n]{0,80}GPU)[^\]\n]{0,80}CPU",
    ),
    Sign(
        "tf-op-for-gpu",
        "an operation of TensorFlow that found no code has some for GPUs",
        ("device='gpu'",),
        r"\A\W{0,8}device='(GPU)'(?:;|\s*\Z)",
    ),
    Sign(
        "tf-op-for-cpu",
        "an operation of TensorFlow that found no code has some for CPUs, of another type",
        ("device='cpu'",),
        r"\A\W{0,8}device='(CPU)'(?:;|\s*\Z)",
    ),
    Sign(
        "tf-op-for-gpu-only",
        "an operation of TensorFlow whose layout of data only GPUs serve runs on the CPU",
        ("nhwc",),
        # Those of a GPU without cuDNN say much the same of themselves.
        r"\b(?:on device type CPU|NHWC tensor format on the CPU|on CPU is only supported for NHWC"
        r"|Generic conv implementation only supports NHWC)\b",
    ),
    Sign(
        "tf-kernels-not-for-gpu",
        "TensorFlow has no compiled code for this capability and compiles from PTX",
        ("not built with cuda kernel binaries compatible with compute capability",),
        r"compute capability (\d+\.\d+\w?)",
    ),
    Sign(
        "tf-gpu-ignored-capability",
        "TensorFlow ignores a GPU; the value is its capability and the smallest that it takes",
        ("ignoring visible gpu device", "ignoring gpu device"),
        r"compute capability (\d+\.\d+)"
        r"(?:\.? *The minimum required Cuda capability is (\d+\.\d+)|\.\s*\Z)",  # or in two lines
    ),
    Sign(
        "cuinit-of-stub",
        "cuInit answers -1, as the toolkit's stub of libcuda does",
        ("cuinit: curesult(-1)", "cuinit: unknown error (-1)", "error -1 calling cu"),
    ),
    Sign(
        "tf-no-convolution-algorithm",
        "no convolution ran; TensorFlow guesses that cuDNN failed to initialise",
        cues(
            "failed to get convolution algorithm|no algorithm worked!"
            "|no algorithm without scratch worked|autotuning failed to find a valid algorithm"
            "|conv ops require cudnn"
        ),
    ),
    Sign(
        "tf-cudnn-handle",
        "TensorFlow could not create a cuDNN handle",
        cues(
            "could not create cudnn handle|dnn library is not found"
            "|dnn library initialization failed|no dnn in stream executor"
            "|fail to find the dnn implementation|failure dnn_support != nullptr"
        ),
        r"could not create cudnn handle:? ?(\w*)|DNN library"
        r"|no DNN in stream|dnn_support|find the dnn",
    ),
    Sign(
        "tf-no-stream-executor",
        "TensorFlow could not open a CUDA device; the value is its number",
        ("failed initializing streamexecutor for cuda device ordinal",),
        r"failed initializing StreamExecutor for CUDA device ordinal (\d{1,3})",
    ),
    Sign(
        "xla-link-failed",
        "XLA could not have the driver link the code that ptxas made",
        ("'culinkadddata(",),
        r"cuda_asm_compiler\.cc\(\d{1,4}\): 'cuLinkAddData\(",
    ),
    Sign(
        "framework-out-of-memory",
        "a framework got no memory on the GPU",
        cues(
            "allocation on device|make sure you have enough gpu ram to fit"
            "|dst tensor is not copied|dst tensor is not initialized|cnmem_status_out_of_memory"
            "|out of memory error on gpu |maximum pool size exceeded|bad_alloc: cuda error at: "
            "|cufftallocfailed|failed to allocate memory for requested buffer"
            "|is smaller than requested bytes|resourceexhaustederror"
            "|resource_exhausted: out of memory|resource exhausted: oom|resource exhausted error"
            "|resource exhausted: failed to allocate memory|out-of-memory cud|out-of-memory cub"
            "|throws oom when allocating tensor|oom when allocating tensor with shape."
            "|an oom occurs when|error: oom when allocating tensor"
            "|上分配|内存不足|显存不足"
        ),
        r"\A(?!.*(?:device:CPU(?!.*device:GPU)|allocator cpu|not a failure)).*"
        r"(?:dst tensor|resource[_ ]?exhausted|OOM (?:when|occurs)"
        r"|Error: allocation on device|allocation on device 0 would"
        r"|(?:\A|Message:)\W{0,8}Allocation on device\W{0,8}\Z"
        r"|gpu ram|out-of-memory CU(?:DNN|BLAS|DA)_|CNMEM"
        r"|memory error on GPU|RMM failure.*pool size"
        # Of RAPIDS' allocator, with no code behind it; another code has another reason.
        r"|bad_alloc: CUDA error at: \S{0,200}\brmm/mr/(?!.*cudaError)|cufftAlloc"
        r"|requested (?:buffer|bytes)"
        # Paddle's and PyTorch's own words in Chinese
        r"|无法在 ?GPU ?\d{1,2} ?上分配 ?\d|GPU ?\d{1,2} ?上出现(?:内存|显存)不足错误"
        r"|CUDA ?(?:内存|显存)不足\W{1,2}(?:试图|尝试)分配 ?\d)",
    ),
    Sign(
        "tf-device-memory",
        "TensorFlow made a device of a GPU; the value is how many MB it took for it",
        ("created tensorflow device (/", "created device /"),
        r"Created (?:TensorFlow )?device \(?/?job:\S{1,80}\bGPU:\d{1,2} with (\d{1,7}) MB memory",
    ),
    Sign(
        "tf-allocator-limit",
        "TensorFlow's allocator, out of memory, tells up to how many bytes it may go: the value",
        ("limit: ", "memory_limit_: "),
        r"\A(?:\S.{0,200}\])?\s{0,4}Limit: {1,24}(\d{1,14})\s*\Z"
        r"|\bmemory_limit_: (\d{1,14}) available bytes:",
    ),
    Sign(
        "tf-whole-memory",
        "TensorFlow is told to take nearly all of the GPU's memory; the value is the share",
        ("per_process_gpu_memory_fraction",),
        r"per_process_gpu_memory_fraction\W{1,4}(1(?:\.0*)?|0?\.9[5-9]\d*)(?![\d.])",
    ),
    Sign(
        "tf-memory-limited",
        "code lets TensorFlow take a part of the GPU's memory, or what it needs, or none",
        cues(
            "memory_limit|set_memory_growth(|allow_growth|set_visible_devices(|memory_fraction"
            "|memory-fraction"
        ),
        # A share that the program is given may be a small one; most of the GPU is no limit.
        r"\A[^#\n]{0,160}?(?:\b(per_process_gpu_memory_fraction\s{0,2}[= ]\s{0,2}"
        r"(?!\s|=|1(?:\.0*)?(?![\d.])|0?\.[6-9])|memory_limit\s?=\s?\d{1,6}"
        r"|set_visible_devices\(\[\], ?(?:device_type=)?['\"]GPU['\"]\))"
        r"|(--[\w-]{0,40}memory[_-]fraction[ =](?!1(?:\.0*)?(?![\d.])|0?\.[6-9]))"
        # Behind it the line ends, or code goes on: a sentence may say that it is of no use.
        r"|\b(set_memory_growth\([^#\n]{1,80}?, ?(?:enable=)?True\)|allow_growth\s?=\s?True)"
        r"(?=[\s)\]},;]{0,20}(?:#|[\w.]{1,60}\s?=|\Z)))",
    ),
    Sign(
        "context-without-memory",
        "not even a context, with which a program begins on a GPU, found room",
        ("cudeviceprimaryctxretain", "cuctxcreate", "ctxretain: "),
        r"(cuDevicePrimaryCtxRetain|cuCtxCreate\w*|\ACtxRetain)\W{1,4}CUDA_ERROR_OUT_OF_MEMORY",
    ),
    Sign(
        "context-call",
        "a frame of a trace is the call with which a program begins on a GPU",
        ("cudeviceprimaryctxretain", "cuctxcreate", "failed to get device context"),
        r"(?:^| )at \S*(cuDevicePrimaryCtxRetain|cuCtxCreate)\b|in (cuCtxCreate\w*)\b"
        r"|(failed to get device context)",  # Ollama
    ),
    Sign(
        "tf-cublas-handle",
        "TensorFlow could not create a cuBLAS handle",
        ("failed to create cublas handle", "no blas support for stream", "launch failed"),
        # Of one matrix, of many, and of a matrix with a vector.
        r"failed to create cublas handle|no blas support for stream"
        r"|\bblas [a-z]?gem[mv](?:(?:strided)?batched)? ?launch failed",
    ),
    Sign(
        "tf-cusolver-handle",
        "TensorFlow could not create a cuSOLVER handle",
        ("cusolvercreate",),
        r"cusolverDnCreate|cusolverCreate",
    ),
    Sign(
        "tf-skipping-gpus",
        "TensorFlow registers no GPU devices",
        ("skipping registering gpu devices",),
    ),
    Sign(
        "tf-native-windows",
        "TensorFlow 2.11 and newer serve no GPU on native Windows",
        cues(
            "gpu support is not available on native windows"
            "|2.10 was the last tensorflow release that supported gpu on native-windows"
        ),
    ),
    Sign(
        "tf-driver-versions-match",
        "after CUDA did not start, TensorFlow found the driver's two halves to be of one version",
        ("kernel version seems to match dso",),
    ),
    Sign(
        "tf-cudart-stub",
        "TensorFlow got no function of the CUDA runtime: no file of its release was found",
        ("symbol not found",),
        r"cuda\w+\(\) failed\. Status: cuda\w+ symbol not found",
    ),
    Sign(
        "tf-driver-version-mismatch",
        "TensorFlow's diagnosis: libcuda and the kernel module are of different versions",
        ("does not match dso version",),
        r"kernel version (\d[\d.]+) does not match DSO version (\d[\d.]+)",
    ),
    Sign(
        "tf-kernel-driver-not-running",
        "TensorFlow's diagnosis: the kernel driver is not running on this host",
        ("kernel driver does not appear to be running on this host",),
    ),
    Sign(
        "tf-no-device-node",
        "TensorFlow's diagnosis: /dev/nvidia0 is not there",
        ("no nvidia gpu device is present",),
        r"no NVIDIA GPU device is present: (\S+) does not exist|no NVIDIA GPU device is present",
    ),
    Sign(
        "tf-visible-mask-wrong",
        "the list of visible devices names one that is not there",
        ("'visible_device_list' listed an invalid", "invalid device id in visible_device_list"),
    ),
    Sign(
        "tf-growth-too-late",
        "memory growth was to be set after the GPUs were initialised",
        cues(
            "memory growth cannot differ between gpu devices"
            "|cannot be modified after being initialized"
        ),
        r"(?<!\bvisible devices )cannot (?:be modified|differ)",
    ),
    Sign(
        "tf-visible-too-late",
        "the list of visible devices was to be set after TensorFlow had started its GPUs",
        ("visible devices cannot be modified",),
    ),
    Sign(
        "tf-libdevice-missing",
        "libdevice, a file of the toolkit, was not found",
        (
            "libdevice not found at",
            "can't find directory containing cuda libdevice",
            "can't find libdevice",
            "could not find libdevice",
            # nvcc, clang
            "path to libdevice library not specified",
            *("cannot find libdevice", "libdevice/libdevice.", "libdevice.10.bc"),
        ),
        r"libdevice (?:not found(?!.*bundled libdevice)|directory|library not)"
        r"|find (?:directory containing cuda )?libdevice|libdevice\.[\w.]* not found"
        r"|(?:could not|cannot|can't|failed to) open[^\n]{0,90}"
        r"/libdevice[\w.]*\.bc|/libdevice[\w.]*\.bc\W{1,3}no such file"
        r"|no such file or directory: '[^'\n]{1,200}[/\\]libdevice[\w.]*\.bc'",
    ),
    Sign(
        "tf-ptxas-missing",
        "ptxas, a program of the toolkit, was not found or did not run",
        cues(
            "couldn't invoke ptxas|no ptx compilation provider|couldn't get ptxas|no ptxas found"
            "|searched for cuda in the following directories|failed to launch ptxas"
            "|cannot find ptxas|unable to find ptxas|no suitable ptxas|failed to find ptxas"
            "|couldn't find a suitable version of ptxas|ptxas not found|`ptxas` was searched in"
            "|no such file or directory: 'ptxas"
        ),
    ),
    Sign(
        "xla-ptxas-failed",
        "ptxas ran for XLA and compiled nothing; of a PTX that is too new for it another row tells",
        ("ptxas returned an error during compilation",),
        r"ptxas returned an error during compilation of ptx to sass"
        r"(?!.{0,80}(?:failed to launch|not found|no such file|has a bug))"
        r"(?!.{0,300}unsupported \.version)",
    ),
    Sign(
        "ptxas-too-old",
        "ptxas is older than the PTX, or has a known fault; the value is its version",
        ("ptxas 9.x", "ptxas version", "you are using ptxas", "has a bug that we think can affect"),
        r"ptxas (\d[\d.]*) has a bug that we think can affect XLA"
        r"|(?:using ptxas|ptxas version:?) (\d[\d.]*).{0,60}?(?:older|older than|known)"
        r"|using ptxas (\d{1,2}\.[x\d]{1,3}), but TF requires",
    ),
)
