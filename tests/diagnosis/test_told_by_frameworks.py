"""What TensorFlow, JAX, ONNX Runtime and smaller frameworks print; each with its kin."""

from __future__ import annotations

import pytest

from support.cases import ruled

CONFLICT = (
    "ImportError: Found conflicting TensorFlow installations in this environment: {}. "
    "These distributions install into the same directory"
)
PLACED = (
    "InvalidArgumentError: Cannot assign a device for operation a: node a was explicitly assigned "
    "to /device:GPU:0 but available devices are [ /job:localhost/replica:0/task:0/device:CPU:0 ]. "
)
COPY = (
    "InternalError: Failed copying input tensor from /job:localhost/device:{} to "
    "/job:localhost/device:{} in order to run _EagerConst: Dst tensor is not initialized."
)
KERAS = (
    "ValueError: To call `multi_gpu_model` with `gpus=2`, we expect the following devices to be "
    "available: ['/cpu:0', '/gpu:0', '/gpu:1']. However this machine only has: [{}].\n"
    "docker run -it tensorflow/tensorflow:1.12.0-gpu bash"
)
RUNTIME = "cuda_executor.cc:1228] INTERNAL: CUDA Runtime error: Failed call to {}: {}"
SKIPPED = "gpu_device.cc:2341] Cannot dlopen some GPU libraries. Skipping registering GPU devices"
OUTDATED = (
    "Outdated cuDNN installation found.\nVersion JAX was built against: 90101\n"
    "Minimum supported: {:>12}\nInstalled version: {:>12}"
)
ORT = (
    'FAIL : LoadLibrary failed with error {} "" when trying to load '
    '"C:\\py\\onnxruntime\\capi\\onnxruntime_providers_cuda.dll"'
)
FELL_BACK = "EP Error onnxruntime_pybind_state.cc:505\nFalling back to [{}] and retrying."
PADDLE = (
    "The GPU architecture in your current machine is {}, which is not compatible with Paddle "
    "installation with arch: {} , it is recommended to install the corresponding wheel"
)

NUGET = (
    '<PackageReference Include="Microsoft.ML.OnnxRuntime{}" Version="1.16.0" />\n'
    "CUDA 12.2, cuDNN 8.9, Windows 11\n"
)
SMI = (
    "| NVIDIA-SMI 535.104.05             Driver Version: 535.104.05   CUDA Version: 12.2     |\n"
    "|   0  NVIDIA GeForce RTX 3090        Off | 00000000:01:00.0  On |                  N/A |\n"
)
JAX_BACKEND = (
    "RuntimeError: Unknown backend: 'gpu' requested, but no platforms that are instances of gpu "
    "are present. Platforms present are: cpu\n"
)
PADDLE_CHECK = "Running verify PaddlePaddle program ...\nPaddlePaddle works well on 1 {}.\n"
UNPLACED = (
    "Could not satisfy explicit device specification '/device:GPU:0' because no devices matching "
    "that specification are registered in this process; available devices: "
    "/job:localhost/replica:0/task:0/{}"
)
WINDOWS_FORM = (
    "- OS Platform and Distribution: windows 10\n- TensorFlow version: 1.12.0\n"
    "- CUDA/cuDNN version: cuda 9.2.148.1\n"
    "ImportError: DLL load failed: The specified module could not be found."
)
TENSORRT_FORM = (
    "ERROR: cuda/cudaConvolutionLayer.cpp (163) - Cudnn Error in execute: 8\n"
    "GPU type - {}\nCUDA version -9.0\nCUDNN version - 7.3.1\nTRT version - 5.0.2.6"
)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (CONFLICT.format("tensorflow 2.19.0, tensorflow-cpu 2.17.0"), "mixed-installs"),
        (
            (
                "ImportError: TensorFlow requires a 64-bit Python interpreter, but this "
                "interpreter is 32-bit. Reinstall the 64-bit build"
            ),
            "python-unsupported",
        ),
        (
            PLACED + "The requested device appears to be a GPU, but CUDA is not enabled.",
            "cpu-only-build",
        ),
        (COPY.format("CPU:0", "GPU:0"), "oom-workload"),
        (KERAS.format("'/cpu:0'"), "container-no-gpu"),
        (
            RUNTIME.format("cudaGetRuntimeVersion", "Error loading CUDA libraries.")
            + "\n"
            + SKIPPED,
            "cudart-missing",
        ),
        ("UnknownError: Fail to find the dnn implementation. [Op:CudnnRNN]", "oom-preallocation"),
        (
            (
                "RuntimeError: jaxlib/gpu/solver_kernels.cc:45: operation "
                "gpusolverDnCreate(&handle) failed: cuSolver internal error"
            ),
            "oom-preallocation",
        ),
        (
            (
                "RuntimeError: jaxlib is version 0.3.10, but this version of jax requires version "
                ">=0.3.14."
            ),
            "extension-mismatch",
        ),
        (OUTDATED.format(9100, 8902), "cudnn-mismatch"),
        (
            (
                "XlaRuntimeError: FAILED_PRECONDITION: Triton support is only enabled for Ampere "
                "GPUs (compute capability 8.0) and up, but got compute capability 7.5."
            ),
            "gpu-too-old",
        ),
        (
            "'sm_120' is not a recognized processor for this target (ignoring processor)",
            "gpu-too-new",
        ),
        (ORT.format(127), "library-path-conflict"),
        (
            (
                "Unable to find an entry point named "
                "'OrtSessionOptionsAppendExecutionProvider_CUDA' in DLL 'onnxruntime'."
            ),
            "cpu-only-build",
        ),
        (
            (
                "bfc_arena.cc:376 onnxruntime::BFCArena::AllocateRawInternal Failed to allocate "
                "memory for requested buffer of size 1073741824"
            ),
            "oom-workload",
        ),
        (
            ">>> ort.get_device()\n'GPU'\n>>> session.get_providers()\n['CPUExecutionProvider']",
            "silent-cpu-fallback",
        ),
        (FELL_BACK.format("'CPUExecutionProvider'"), "silent-cpu-fallback"),
        ("FileNotFoundError: Could not find: cudnn64_8.dll. Is it on your PATH?", "cudnn-missing"),
        ("Cannot use CUDAPlace in CPU only version.", "cpu-only-build"),
        (PADDLE.format("Pascal", "70 75 80 86"), "gpu-too-old"),
        (PADDLE.format("Ampere", "60 61 70"), "gpu-too-new"),
        (
            (
                "The GPU compute capability in your current machine is 61, which is not supported "
                "by Paddle, it is recommended"
            ),
            "gpu-too-old",
        ),
        (
            (
                "Out of memory error on GPU 0. Cannot allocate 200.000000MB memory on GPU 0, "
                "available memory is only 3.437500MB."
            ),
            "oom-workload",
        ),
        (
            (
                "imperative_utils.h:93: GPU support is disabled. Compile MXNet with USE_CUDA=1 to "
                "enable GPU support."
            ),
            "cpu-only-build",
        ),
        (
            "ERROR (theano.sandbox.cuda): nvcc compiler not found on $PATH. Check your nvcc",
            "toolkit-missing",
        ),
        ("cnmemInit call failed! Reason=CNMEM_STATUS_OUT_OF_MEMORY. numdev=1", "oom-preallocation"),
        ("AttributeError: module 'cv2' has no attribute 'cuda_GpuMat'", "cpu-only-build"),
        (
            "(-216:No CUDA support) OpenCV was not built to work with the selected device.",
            "extension-mismatch",
        ),
        (
            "(see https://github.com/chainer/chainer#installation).No module named 'cupy'",
            "cpu-only-build",
        ),
        (
            (
                "UnsupportedCUDAError: Detected CUDA Runtime version is 10.1.243. Please update "
                "your CUDA Runtime to 11.0 or above."
            ),
            "framework-cuda-mismatch",
        ),
        (
            "conv.c:153:13: error: 'CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT' undeclared",
            "cudnn-mismatch",
        ),
        (
            "conv.c:133:5: error: too many arguments to function 'cudnnSetFilter4dDescriptor'",
            "cudnn-mismatch",
        ),
        (
            (
                "WARNING: no GPU detected, will be using CPU\njaxlib  0.4.7\n"
                "| NVIDIA-SMI 525.85.12    Driver Version: 525.85.12    CUDA Version: 12.0     |"
            ),
            "cpu-only-build",
        ),
        (NUGET.format(".Gpu") + ORT.format(126), "framework-cuda-mismatch"),
        (
            (
                "!pip install onnxruntime-gpu onnxruntime\n>>> ort.get_available_providers()\n"
                "['CPUExecutionProvider']"
            ),
            "mixed-installs",
        ),
        (
            (
                "Error: cudaGetDeviceCount failed in paddle::platform::GetCUDADeviceCountImpl, "
                "error code : 35, Please see detail in the manual"
            ),
            "driver-too-old",
        ),
        (SMI + JAX_BACKEND + "jaxlib==0.4.20", "cpu-only-build"),
        (SMI + PADDLE_CHECK.format("CPU") + "paddlepaddle   2.4.2", "cpu-only-build"),
        (">>> paddle.device.is_compiled_with_cuda()\nFalse\n", "cpu-only-build"),
        ("tensorflow-cpu==1.15.0\n" + UNPLACED.format("cpu:0"), "cpu-only-build"),
        (UNPLACED.format("cpu:0, /job:localhost/replica:0/task:0/gpu:1"), "user-code"),
        ("I ran `pip install tensorflow-gpu`\n" + WINDOWS_FORM, "framework-cuda-mismatch"),
        (
            (
                "dnn.cpp:1304: (-215:Assertion failed) preferableBackend != DNN_BACKEND_OPENCV "
                "|| preferableTarget == DNN_TARGET_CPU || preferableTarget == DNN_TARGET_OPENCL"
            ),
            "cpu-only-build",
        ),
        ("  The 11.4 installation type is currently unsupported.", "framework-cuda-mismatch"),
        (TENSORRT_FORM.format("2080 TI"), "gpu-too-new"),
        (
            "ImportError: Extension horovod.torch has not been built: /x/_mpi_lib.so not found",
            "extension-mismatch",
        ),
    ],
)
def test_cause_is_named(pasted: str, cause: str):
    assert ruled(pasted) == cause


def test_old_tensorflow_needs_cuda_dlls_where_somebody_tells_of_cuda():
    assert ruled(WINDOWS_FORM) == "framework-cuda-mismatch"
    without = "\n".join(line for line in WINDOWS_FORM.splitlines() if "cuda" not in line)
    assert ruled(without) == "msvc-runtime-missing"


def test_no_msvc_where_an_unnamed_tensorflow_for_gpus_may_miss_its_cuda_dlls():
    text = "Tensorflow - Pip install of tensorflow-gpu\nCuda Toolkit - 10.0.130_411.31_win10\n"
    dll = "ImportError: DLL load failed: The specified module could not be found."
    assert ruled(text + dll) == "unknown"


@pytest.mark.parametrize(
    "pasted",
    [
        CONFLICT.format("tensorflow 2.19.0, tensorflow-intel 2.19.0"),
        "TensorFlow requires a 64-bit operating system",
        PLACED + "Make sure the device specification refers to a valid device.",
        COPY.format("CPU:0", "CPU:0"),
        KERAS.format("'/cpu:0', '/gpu:0'"),
        RUNTIME.format("cudaGetRuntimeVersion", "ok"),
        "AttributeError: no dnn implementation of this solver was found",
        "operation cublasCreate(&handle) is called once a process",
        "RuntimeError: numpy is version 1.19, but this version of jax requires something else",
        "Triton support is only enabled for Linux",
        "'znver5' is not a recognized processor for this target (ignoring processor)",
        ORT.format(1114),
        "Unable to find an entry point named 'SQLInit' in DLL 'odbc32'.",
        ">>> ort.get_device()\n'GPU'",
        FELL_BACK.format("'CUDAExecutionProvider', 'CPUExecutionProvider'"),
        "FileNotFoundError: Could not find: settings.dll. Is it on your PATH?",
        "The GPU architecture in your current machine is Ampere, and Paddle has code for it",
        "The compute capability of the GPU in your current machine is 61",
        "sqlalchemy.exc.TimeoutError: Maximum pool size exceeded",
        "the C++ compiler was found on $PATH, nvcc is not needed",
        "AttributeError: module 'cv2' has no attribute 'xfeatures2d'",
        "UserWarning: Unsupported CUDA version strings are passed over",
        "building 'horovod.torch' extension",
        "conv.c:9:3: error: 'LIMIT' undeclared; cudnnGetConvolutionForwardAlgorithm runs",
        "no GPU detected, will be using CPU, says a test of ours that should fail",
        "The portable installation type is currently unsupported.",
        "I ran `pip install tensorflow-gpu`\n- CUDA/cuDNN version: cuda 9.2.148.1",
        SMI + JAX_BACKEND + "jaxlib==0.4.20\njax-cuda12-plugin==0.4.20",
        JAX_BACKEND,
        SMI + PADDLE_CHECK.format("GPU") + "paddlepaddle-gpu   2.4.2",
        PADDLE_CHECK.format("CPU") + "paddlepaddle   2.4.2",
        UNPLACED.format("cpu:0"),
        "pip install onnxruntime onnxruntime-tools",
        "make: the shell ended with error code : 35",
        NUGET.format(".Gpu"),
        TENSORRT_FORM.format("1080 TI"),
    ],
)
def test_kin_of_these_texts_names_no_cause(pasted: str):
    assert ruled(pasted) in ("unknown", "healthy")
