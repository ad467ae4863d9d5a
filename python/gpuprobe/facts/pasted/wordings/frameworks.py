"""What smaller frameworks say: Paddle, CTranslate2, MXNet, Theano, OpenCV, dlib and their kin."""

from ..languages import NO_FILE
from ..sign import Sign
from ..text import cues

#: The header of one of OpenCV's modules for CUDA, in the folder opencv2.
_CUDA_MODULE = r"(cud\w{2,20}(?:/\w{1,20}){0,3}\.hpp)"

SIGNS = (
    Sign(
        "model-left-on-cpu",
        "Transformers says that a model was loaded on the CPU while there is a GPU; the value is"
        " its kind",
        ("you have loaded a",),
        r"\bYou have loaded an? (\w{1,20} model) on CPU and have a CUDA(?:/XPU| or XPU)? device"
        r" available\b",
    ),
    Sign(
        "lightgbm-on-processor",
        "LightGBM took a processor for its OpenCL device; the value is the processor",
        ("using gpu device: ",),
        r"\bUsing GPU Device: ([^,\n]{1,80}?)\s{0,20}, Vendor: (?:AuthenticAMD|GenuineIntel)\b",
    ),
    Sign(
        "ray-trials-without-gpu",
        "Ray Tune says that there are GPUs, and that no trial asks for one",
        ("tune detects gpus, but no trials are using gpus",),
    ),
    Sign(
        "theano-cudnn-mixed",
        "Theano compiled with another cuDNN than it loads, or one too old: that, what was loaded",
        ("mixed dnn version", "version is too old. update to v"),
        r"The header is version (\d{4,5}) while the library is version (\d{4,5})"
        r"|link with a different version \((\d{4,5}), (\d{4,5})\)"
        r"|Version is too old\. Update to v(\d), was (\d{4})",
    ),
    Sign(
        "paddle-cudnn-older",
        "Paddle was compiled with a newer cuDNN than it found: compiled, found",
        ("but cudnn version in your machine is",),
        r"compiled with CUDNN (\d+(?:\.\d+)+), but CUDNN version in your machine is"
        r" (\d+(?:\.\d+)+)",
    ),
    Sign(
        "paddle-cuda-older",
        "Paddle was compiled with a newer CUDA than it found: compiled, found",
        ("but cuda runtime version in your machine is",),
        r"compiled with CUDA (\d{1,2}\.\d{1,2}), but CUDA runtime version in your machine is"
        r" (\d{1,2}\.\d{1,2})",
    ),
    Sign(
        "ctranslate2-no-float16",
        "CTranslate2 was asked for a type that the device does not compute fast; the value is it",
        ("support efficient",),
        r"\bdo(?:es)?(?: not|n't) support efficient (float16|int8_float16|bfloat16)\b",
    ),
    Sign(
        "ctranslate2-without-cuda",
        "CTranslate2 is a build without CUDA",
        cues(
            "ctranslate2 package was not compiled with cuda support"
            "|ctranslate2 was not compiled with cuda"
        ),
    ),
    Sign(
        "ctranslate2-library-load",
        "CTranslate2 could not load a CUDA library; the value is its name",
        (" is not found",),
        r"\blibrary (\S+\.(?:so|dll)\S*) is not found",
    ),
    Sign(
        "paddle-without-cuda",
        "Paddle is a build without CUDA",
        cues(
            "paddlepaddle is not compiled with cuda|not compiled with cuda, but"
            "|current paddlepaddle not compile with cuda"
            "|cannot use gpu because you have installed cpu|paddlepaddle cpu version"
            "|cannot use cudaplace in cpu only version|your paddle is not compiled with cuda"
            "|is not supported in cpu-only paddlepaddle"
            "|only supported compiled paddle with gpu/rocm|assertionerror: not compiled with cuda"
        ),
    ),
    Sign(
        "paddle-operator-failed",
        "Paddle before 2.0 names the operator of a library of CUDA's that failed",
        ("invoke operator ",),
        r"Invoke operator ((?:mat)?mul|fc|conv2d|batch_norm)\w* error",
    ),
    Sign(
        "paddle-no-device",
        "Paddle found no GPU that it could use and takes the CPU",
        cues(
            "but your cuda device is not set properly|but there is no gpu detected on your machine"
            "|compiled with with_gpu, but no gpu found"
            "|cannot use gpu because there is no gpu detected"
        ),
    ),
    Sign(
        "paddle-arch-mismatch",
        "this Paddle is not built for the GPU's architecture",
        cues(
            "mismatched gpu architecture|paddle is not compiled for your gpu"
            "|your current gpu is not supported by paddle|which is not supported by paddle"
        ),
        r"supported GPU architectures? (?:is|are)[^\d\n]{0,20}([\d. ,]+)|architecture"
        r"|your (?:current )?GPU|which is not supported by Paddle",
    ),
    Sign(
        "paddle-generation-not-covered",
        "this Paddle has no code for the GPU's generation; the value is that, then what it has",
        ("which is not compatible with paddle installation",),
        r"machine is (\w+), which is not compatible with"
        r" (?:.{0,40}?arch: (\d[\d ]*\d)|Paddle install)",
    ),
    Sign(
        "paddle-library-not-configured",
        "Paddle could not load a library; the value is its file name",
        cues(
            "the third-party dynamic library (|shared library. cannot invoke method"
            "|according to your cuda installation directory and cudnn version"
        ),
        r"according to your (CUDA) installation directory and CUDNN version"
        r"|third-party dynamic library \(([^)]+)\)"
        r"|cannot load (\w+) shared library\. cannot invoke method",
    ),
    Sign(
        "mxnet-without-cuda",
        "MXNet is a build without CUDA",
        (
            "compile with use_cuda=1 to enable gpu usage",
            "please compile with cuda enabled",
            "gpu is not enable",  # "enabled" in later releases
            "compile mxnet with use_cuda=1 to enable gpu",
            "with gpu support was requested but this mxnet installation",  # Horovod's builder
        ),
    ),
    Sign(
        "opencv-layers-on-cpu",
        "OpenCV's CUDA backend has no code for a layer, which it leaves to the CPU",
        ("cuda backend will fallback to the cpu implementation",),
        r"for the layer \"([^\"\\\n]{1,80})\" of type (?!__NetInput)",
    ),
    Sign(
        "tvm-without-cuda",
        "TVM's account of its build, or an error, shows that it has no CUDA",
        ("use_cuda: off", "cuda_version: not-found", "target cuda is not enabled"),
        r"\A\s{0,8}(USE_CUDA: OFF|CUDA_VERSION: NOT-FOUND)\s*\Z|: (Target cuda is not enabled)\b",
    ),
    Sign(
        "faiss-out-of-memory",
        "Faiss or MindSpore got no memory of the GPU, and tells no code",
        ("failed to cudamalloc", "memory isn't enough and alloc failed"),
        r"memory isn't enough and alloc failed"
        r"|Failed to cudaMalloc(?: \d+ bytes)?(?! \d+ bytes)(?! \(error (?!2\b))",
    ),
    Sign(
        "faiss-without-gpu",
        "Faiss is a build without GPU support; the value is what it lacks",
        ("module 'faiss' has no attribute", "has no attribute 'standardgpuresources'"),
        r"\A(?!.*\b(?:changelog|fixed)\b).*?has no attribute '(\w*gpu\w*)'",
    ),
    Sign(
        "nnabla-without-cuda",
        "NNabla is installed without its extension for CUDA",
        ("extension `cud",),
        r"\[nnabla\]\[\w+\]: Extension `(cud(?:a|nn))` does not exist",
    ),
    Sign(
        "sherpa-without-cuda",
        "sherpa-onnx is a build without CUDA, and was asked for it",
        ("please compile with -dsherpa_onnx_enable_gpu=on",),
    ),
    Sign(
        "dgl-without-cuda",
        "DGL or TVM is a build without CUDA",
        (
            *("device api cuda is not enabled", "device api gpu is not enabled"),
            *("target.build.cuda is", "gpu support not compiled."),
        ),
        r"(Device API \w+ is not enabled|target\.build\.cuda is not enabled"
        r"|DGLError: .{0,40}GPU support not compiled)",
    ),
    Sign(
        "opencv-without-cuda",
        "OpenCV is a build without CUDA",
        (
            "the library is compiled without cuda support",
            "setup dnn module, no cuda target",
            *("dnn module was not built with cuda back", "module was not built with the cuda back"),
            "preferablebackend != dnn_backend_opencv || preferabletarget == dnn_target_cpu",
            "module 'cv2.dnn' has no attribute 'dnn_backend_cuda'",
            "module 'cv2' has no attribute 'cuda_",
            "module 'cv2.cuda' has no attribute 'gpumat'",
        ),
    ),
    Sign(
        "opencv-modules-missing",
        "a build finds OpenCV without a module for CUDA, which is the value",
        ("opencv2/cud", "find opencv (missing: "),
        rf"opencv2/{_CUDA_MODULE}'?"
        rf"(?:[\s\u00a0]?: ?(?:{'|'.join(NO_FILE)})| file not found)"
        rf"|(?:include|source) file:? ['\"]opencv2/{_CUDA_MODULE}"
        r"|\bfind OpenCV \(missing: (?:\w{1,20} ){0,12}?(cud\w{2,20})",
    ),
    Sign(
        "opencv-configured-without-cuda",
        "OpenCV's information about its build says that CUDA was left out",
        ("use cuda:", "nvidia cuda:"),
        r"\A\W{0,6}(?:Use|NVIDIA) CUDA:\s{1,60}NO\b",
    ),
    Sign(
        "opencv-configured-with-cuda",
        "OpenCV's information about a build says that CUDA is in it",
        ("use cuda:", "nvidia cuda:"),
        r"\A\W{0,6}(?:Use|NVIDIA) CUDA:\s{1,60}YES\b",
    ),
    Sign(
        "opencv-asked-for-cuda",
        "a program asks OpenCV for GPUs, or to compute on one",
        ("getcudaenableddevicecount", "dnn_backend_cuda", "dnn_target_cuda", "cv::cuda::"),
    ),
    Sign(
        "opencv-cuda-folder",
        "the release of CUDA in whose folder OpenCV's config.py looks for DLLs, which is the value",
        ("gpu computing toolkit",),
        r"\A\s{0,12}os\.path\.join\([^\n]{0,120}CUDA[/\\]{1,2}v?(\d{1,2}\.\d)['\"]\)?,\s?['\"]bin['\"]",
    ),
    Sign(
        "opencv-architectures",
        "what OpenCV was compiled for, as the information about its build lists it",
        ("nvidia gpu arch:",),
        r"\A\W{0,6}NVIDIA GPU arch:\s{1,60}(\d{2,3}(?: \d{2,3}){0,15})\s*\Z",
    ),
    Sign(
        "opencv-architecture-asked",
        "the one architecture that OpenCV was to be compiled for, which is the value",
        ("cuda_arch_bin",),
        r"-D ?CUDA_ARCH_BIN(?::STRING)?=\W?(\d{1,2}\.\d)\b(?![ ,;]{0,2}\d)",
    ),
    Sign(
        "opencv-not-for-gpu",
        "OpenCV was built with CUDA, for other GPUs",
        ("opencv was not built to work with the selected device",),
    ),
    Sign(
        "cuda-release-refused",
        "a framework refuses the CUDA that it found, by its word or a person's; the value is that",
        cues(
            "detected cuda runtime version is|unsupported cuda version| compla"
            "|installation type is currently unsupported|no matching cuda flavor for"
            "| detected but torch only supports: | and cuda version "
            "|. please install pytorch for cuda "
        ),
        r"Detected CUDA Runtime version is (\d+(?:\.\d+)*)\. Please update"
        r"|(?:! |\A\W{0,4}(?:x )?)Unsupported CUDA version \"(\d+\.\d+)\""  # R's torch
        # ONNX Runtime, which is to take them from torch.
        r"|The installed PyTorch \S{1,40} uses CUDA (\d{1,2}(?:\.\d)?)\.x, but \S{1,40} is built"
        # R's torch, which then takes the libraries for the CPU.
        r"|The (\d+\.\d+) installation type is currently unsupported"
        r"|\bCuda (\d+\.\d+) detected but torch only supports: "
        r"|\bMindSpore version \d[\w.]{0,20} and cuda version (\d+\.\d+)[.\d]* does not match\b"
        # DJL fetches an engine's libraries by the CUDA that is there, and has none for it.
        r"|No matching CUDA flavor for \S{1,40} found: (cu\d{2,3})"
        r"|\b(?:JAX|TensorFlow|PyTorch|torch|CuPy)\b[^.,;\n]{0,24}\bcompla\w{2,6}\b[^.,;\n]{0,40}"
        r"\bcuda\b[^.,;\n]{0,16}?(?<![\d.])(\d+\.\d+),?"
        r" (?:and not|not|instead of|rather than) \d+\.\d",
    ),
    Sign(
        "chainer-without-cupy",
        "Chainer finds no CuPy, with which it computes on the GPU",
        ("#installation).no module named 'cupy'",),
    ),
    Sign(
        "faiss-cublas-failed",
        "a product of cuBLAS failed in Faiss, which does not tell why",
        ("cublas_status_success' failed in",),
        r"Faiss assertion '\w{1,20} == CUBLAS_STATUS_SUCCESS' failed in",
    ),
    Sign(
        "cupy-runtime-of-other",
        "CuPy's report tells of another CUDA run time than it is linked with: that, the one there",
        ("(linked to cupy) / ",),
        r"\A\s*CUDA Runtime Version\s*: (\d{2})\d{3} \(linked to CuPy\) / (?!\1)(\d{2})\d{3} "
        r"\(locally installed\)",
    ),
    Sign(
        "cupy-without-cudnn",
        "Chainer finds a CuPy that has no cuDNN",
        ("module 'cupy.cuda' has no attribute 'cudnn'", 'module "cupy.cuda" has no attribute'),
        r"module ['\"]cupy\.cuda['\"] has no attribute ['\"]cudnn['\"]",
    ),
    Sign(
        "chainer-not-set-up",
        "Chainer cannot use a GPU; what follows tells why, if anything does",
        ("runtimeerror: cuda environment is not correctly set up",),
    ),
    Sign(
        "dlib-cuda-compile-failed",
        "dlib's trial program could not be compiled for CUDA",
        cues(
            "failed to compile a simple cuda program|dlib will not use cuda"
            "|disabling cuda support for dlib|dlib isn't going to use cuda"
        ),
    ),
)
