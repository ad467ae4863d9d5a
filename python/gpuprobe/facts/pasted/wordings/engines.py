"""What the engines that run models say: llama.cpp, Ollama, vLLM, TensorRT."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        # Mesa names the chips of NVIDIA's that nouveau drives: NV118 is a GM108.
        "opencl-by-nouveau",
        "a program finds the GPU through Mesa's OpenCL, which nouveau drives",
        ("- device #1: nv", "* device #1: nv"),
        r"\A\W{0,4}Device #1: (NV[0-9A-F]{1,3}), \d",
    ),
    Sign(
        "made-for-other-gpus",
        "a program runs that was made for the GPUs of AMD or Intel; the value is its name",
        cues("-directml|-zluda|webui-amdgpu|koboldcpp-rocm|koboldcpp_rocm|ollama-for-amd"),
        # Their folders, as paths have them, and an option where a program tells what it was given.
        r"[/\\](stable-diffusion-webui-(?:directml|amdgpu(?:-forge)?)|comfyui-zluda"
        r"|koboldcpp[-_]rocm|ollama-for-amd)(?=[/\\])"
        r"|\b(?:arguments|commandline_args)\b[^\n]{0,200} (--(?:use-)?(?:directml|zluda))\b",
    ),
    Sign(
        "pygpu-no-device",
        "Theano's library for GPUs finds none",
        ("gpuarrayexception: no cuda device",),
    ),
    Sign(
        "llama-without-gpu",
        "llama.cpp is a build without GPU support",
        (
            "not compiled with gpu offload support",
            "was built without ggml cuda support",  # GPTQModel
            "invalid value 'cuda' for '--device",  # Tabby
            "compiled without gpu offload support",
            "compiled without support for gpu offload",
            "no usable gpu found",
            *("blas=0", "blas = 0"),
        ),
    ),
    Sign(
        "whisper-without-gpu",
        "whisper.cpp has no backend for a GPU",
        ("whisper_backend_init_gpu: no gpu found", "_no_state: devices", "devices = 1"),
        r"whisper_backend_init_gpu: no GPU found|\Awhisper_init\w*: devices\s{1,8}= 1\s*\Z"
        # One device of one backend is the CPU: ggml counts it beside those of GPUs.
        r"|\bdevices = 1\W{1,4}backends = 1\b",
    ),
    Sign(
        "ggml-make-asked-for-cuda",
        "make was told to compile llama.cpp or whisper.cpp with CUDA; the value is how",
        ("_cuda=", "_cublas="),
        r"\b((?:GGML|WHISPER|LLAMA)_(?:CUDA|CUBLAS)=(?:1|on|true|yes))\b[^\n]{0,80}\bmake\b"
        r"|\bmake\b[^\n]{0,80}\b((?:GGML|WHISPER|LLAMA)_(?:CUDA|CUBLAS)=(?:1|on|true|yes))\b",
    ),
    Sign(
        "ggml-build-info",
        "make tells with what it compiles llama.cpp or whisper.cpp; the value is which",
        (".cpp build info",),
        r"\A\W*I (llama|whisper)\.cpp build info",
    ),
    Sign(
        "ggml-flags-without-cuda",
        "the flags with which make compiles llama.cpp or whisper.cpp ask for no CUDA",
        (" cxxflags:",),
        r"\A\W*I CXXFLAGS:\s+-(?![^\n]{0,3000}-DGGML_USE_(?:CUDA|CUBLAS|HIP|SYCL|VULKAN))",
    ),
    Sign(
        "ggml-flags-with-cuda",
        "the flags with which make compiles llama.cpp or whisper.cpp ask for CUDA",
        ("-dggml_use_cu",),
        r"-DGGML_USE_(CUDA|CUBLAS)\b",
    ),
    Sign(
        "ggml-cuda-file",
        "the folder of llama.cpp holds its backend for CUDA",
        ("ggml-cuda.dll", "ggml-cuda.so"),
        r"\A(?!.{0,200}?(?:error|fail|cannot|could not|missing))"
        # Alone, or in a row of files.
        r".{0,120}?((?:lib)?ggml-cuda\.(?:dll|so))(?:\s*\Z|\s{1,12}[\w.+-]{1,60}\.(?:dll|so|exe)\b)",
    ),
    Sign(
        "ggml-no-cuda",
        "ggml could not initialise CUDA",
        cues(
            "ggml_cuda_init: failed to initialize cuda|ggml_init_cublas: no cuda devices found"
            "|no cuda devices found, exiting"
        ),
        r"failed to initialize (?:CUDA|ROCm): (.{1,100})|no CUDA devices found",
    ),
    Sign(
        "miner-no-driver",
        "a miner or hashcat found no driver of NVIDIA's, or one that serves CUDA 0.0",
        (
            "no cuda driver found",
            " cuda/0.0",
            "or cuda installation found",
            "or cuda compatible pl",
            "unable to query number of cuda devices",
            "failed to load cuda: ",  # XMRig's plug-in
            "failed to initialize the nvidia main driver cuda",
        ),
        r"\A(?!.*\bif\b).*?(?:(no CUDA driver found|unable to query number of CUDA devices)"
        r"|\b(failed to load CUDA: (?:LoadLibrary\w{0,4} failed|lib\S{1,40} cannot open))"
        r"|(Failed to initialize the NVIDIA main driver) CUDA runtime library"
        r"|(?<=\s)(CUDA/0\.0)(?!\S)"
        r"|(no (?:OpenCL|HIP|OpenCL, HIP|OpenCL,? Metal, HIP) or CUDA"
        r" (?:installation|compatible platform) found))",
    ),
    Sign(
        "llama-no-layers-asked",
        "llama.cpp, which can use a GPU, was asked to put no layer there",
        ("offloading 0 repeating layers to gpu", "[cublas] offloading 0 layers to gpu"),
    ),
    Sign(
        "cudart-other-than-built",
        "Leela Chess Zero got another CUDA run time than it was compiled with, which is the value",
        ("cuda runtime version mismatch, was compiled with",),
        r"was compiled with version (\d+(?:\.\d+){1,2})",
    ),
    Sign(
        "dlib-without-cuda",
        "dlib says that it was built without CUDA",
        ("dlib_use_cuda", "dlib use cuda", "cuda not enabled"),
        r"\A\W{0,4}CUDA NOT ENABLED\W{0,4}\Z"
        r"|(?i:dlib[ _]use[ _]cuda)(?::BOOL)?(?: is |=| = )OFF\b"
        r"|dlib\.(DLIB_USE_CUDA)`?\)?[^\w\n]{0,6}(?:(?:it )?(?:returns?|returned|gives?|gave|is|was"
        r"|as|shows?|prints?|still|says?)[^\w\n]{1,4}){0,2}False\b",
    ),
    Sign(
        "vllm-no-device",
        "vLLM could not tell on what device to run",
        cues(
            "failed to infer device type|no platform detected, vllm is running on"
            "|device string must not be empty"
        ),
    ),
    Sign(
        "gpu-below-floor",
        "a program, vLLM or Blender, says which compute capability it needs at least",
        cues(
            "compute capability of at least|the minimum capability|minimum capability: "
            "|minimum required capability|requires compute capability"
            "|is only supported on devices with compute capability"
            "|is not supported with compute capability <"
            "|only supported on gpus with compute capability >=|gpus with compute capability below"
            "|gpus with compute capability less than|is not supported for flash attention"
            "|gpu with cuda capability |not supported in this architecture"
            "|required for fp8 execution|requires cuda compute capability"
            "|is only supported on cuda devices with compute capability"
            "|gpus do not support bfloat16|only types = [] are supported"
            "|can only be used on gpu cards of compute capability"  # ONNX Runtime
            "|compute cap. |only cuda devices with sm "  # miners
        ),
        r"\A.{0,80}?\bcompute cap\. (\d\.\d) \(at least (\d\.\d)"
        r"|\bdevices with SM (\d\.\d) and higher are supported"
        # Keras tells the same of what would only be faster.
        r"|\A(?!.*\b(?:mixed[ _](?:precision|float16)\b|GPU with CUDA capability\b|compute cap\. ))"
        r".*?"
        r"(?:at least|capability:?|required capability:|>=|capability <) ?(\d+(?:\.\d+)?)"
        r"|capability (?:below|less than) (\d+\.\d+) are not supported"
        r"|GPU with CUDA capability (\d+ \d+) is not supported"
        r"|Device compute capability (\d\.[\dx])(?: or higher)? required for FP8"
        r"|on GPU cards of compute capability (\d\.\d) or higher"
        r"|requires CUDA compute capability (?:\u2265|>=) ?(\d+\.\d)"
        r"|pre SM (\d+) GPUs do not support"
        r"|Only types = \[\] are supported \([^\n]{0,60}device_capability = \d"
        r"|type (fp8e4\w+) not supported in this architecture",
    ),
    Sign(
        "vllm-startup-memory",
        "vLLM found less free memory than its share of the GPU",
        cues(
            "is less than desired gpu memory utilization|gib) < desired utilization"
            "|no available memory for the cache blocks|larger than the maximum number of tokens"
            "|larger than the available kv cache memory|increase --mem-fraction-static"
            "|raise_if_cache_size_invalid(|kv cache is -|kv cache memory: -|# gpu blocks: 0,"
            "|# cuda blocks: 0,|cannot auto-fit max_model_len|no enough gpu memory for "
            "|insufficient vram for model and cache"
        ),
        r"free memory on (?:device|cuda:\d)[^(\n]{0,20}\(([\d.]+)/([\d.]+) GiB\)"
        r"|no available memory|KV cache|cannot auto-fit|no enough GPU memory|insufficient VRAM"
        r"|raise_if_cache_size_invalid\((num_gpu_blocks),[\w., ]{0,80}\)?\s*\Z"
        r"|(mem-fraction)|(?:GPU|CUDA) blocks: 0,",
    ),
    Sign(
        "sglang-memory-unbalanced",
        "SGLang found much less free memory on one GPU than on another",
        ("valueerror: the memory capacity is unbalanced",),
    ),
    Sign(
        "tensorrt-version",
        "a TensorRT engine was made by another version or for another GPU",
        cues(
            "the engine plan file is not compatible with this version"
            "|engine plan file is generated on an incompatible device"
            "|serialization error in verifyheader|serialized engine version: "
            "|tensorrt model exported with a different version"
        ),
        r"\A(?!.*library version \d[\d.]* got 0\.0\.0\b)",
    ),
    Sign(
        "tensorrt-plan-unreadable",
        "what TensorRT was given as an engine does not begin as one: it reads no version in it",
        ("expecting library version ",),
        r"library version \d[\d.]* got 0\.0\.0\b",
    ),
    Sign(
        "tensorrt-other-cublas",
        "TensorRT refuses the cuBLAS that it found: compiled against, found",
        ("myelinversionmismatch", "(compiled against cublas", "was linked against cublas"),
        r"Compiled against \w+ ([\d.]+) but running against \w+ (\d[\d.]*\d)"
        # A warning, as long as both are of one CUDA.
        r"|linked against cuBLAS/cuBLAS LT (10\.[\d.]+) but loaded \S+ LT (1[1-9]\.[\d.]+\d)"
        r"|linked against cuBLAS/cuBLAS LT (11\.[\d.]+) but loaded \S+ LT (1[02-9]\.[\d.]+\d)"
        r"|linked against cuBLAS/cuBLAS LT (12\.[\d.]+) but loaded \S+ LT (1[013-9]\.[\d.]+\d)",
    ),
    Sign(
        "tensorrt-nvrtc-older",
        "TensorRT compiles with an NVRTC that is older than the GPU",
        ("sm version not supported in this nvrtc version",),
    ),
    Sign(
        "tensorrt-sm-unsupported",
        "TensorRT has no code for the GPU; the value is its capability, a byte each, in base 16",
        ("unsupported sm: 0x",),
        r"\bUnsupported SM: 0x([0-9a-f]{1,2}0[0-9a-f])\b",
    ),
    Sign(
        "tensorrt-gpu-not-served",
        "this release of TensorRT does not serve the GPU; the value is its capability, if told",
        ("is not supported by this tensorrt release", "unsupported sm."),
        # TensorRT 5 to 7 look for kernels by the GPU's number (trtSmToCask), and do not tell it.
        r"Target GPU SM (\d{2,3})\b|Assertion failed: Unsupported SM\.|\(Unsupported SM\.\)"
        r"|\btrtSmToCask\b[^\n]{0,40}\bUnsupported SM\b",
    ),
    Sign(
        "vllm-uva-missing",
        "vLLM asks for one address space of GPU and CPU, by pinned memory, which WSL has not",
        ("error: uva is not available",),
    ),
    Sign(
        "vllm-without-cuda",
        "vLLM is a build for the CPU",
        ("cuda platform is not available because vllm is built with cpu",),
    ),
    Sign(
        "engine-out-of-memory",
        "llama.cpp or TensorRT says that the GPU's memory does not suffice",
        ("unable to allocate cuda", "error code 2: outofmemory", "negligible gpu memory available"),
        r"unable to allocate CUDA\d+ buffer|Error Code 2: OutOfMemory"
        r"|\bno or negligible GPU memory available\b",  # Unsloth
    ),
    Sign(
        "candle-without-cuda",
        "candle, or one of its examples, is a build without CUDA",
        cues(
            "the candle crate has not been built with cuda support"
            "|running on cpu, to run on gpu, build this example with `--features cuda`"
            "|running on cpu, to run on gpu(metal), build with `--features"
            "|running on cpu, to run on gpu, build with `--features cuda`"
            # text-embeddings-inference
            "|could not start backend: `cuda` feature is not enabled"
        ),
    ),
    Sign(
        "warp-cuda",
        "NVIDIA's Warp tells its CUDA and the driver's",
        ("cuda toolkit",),
        r"(?a)\A\s*CUDA Toolkit (\d{1,2}\.\d{1,2}), Driver ([1-9]\d?\.\d{1,2})\b",
    ),
    Sign(
        "warp-without-cuda",
        "NVIDIA's Warp is a build without CUDA",
        cues(
            "cuda not enabled in this build|warp was compiled without cuda support"
            "|this build of warp does not support cuda"
        ),
    ),
    Sign(
        "taichi-without-cuda",
        "Taichi is a build for the CPU alone",
        ("[taichi version",),
        r"(\[Taichi version [^\]\n]{0,60}\bcpu only)\b",
    ),
    Sign(
        "taichi-took-cpu",
        "Taichi was asked for CUDA, does not get at it and takes the CPU",
        ("is not supported, falling back to",),
        r"Arch=\[?<Arch\.cuda: \d{1,2}>\]? is not supported, falling back to",
    ),
    Sign(
        "llama-cudart-not-brought",
        "somebody brought llama.cpp's build for CUDA without the archive of CUDA's libraries",
        ("cudart-llama-bin",),
        r"(?i)\A(?!.*\b(?:if|unless|make sure|should|(?:un)?necessary|needed|required|fixed|solved)"
        r"\b)(?=.*\b(?:but not|without|never|(?:is|are|was|were|does|did|has|have)(?: not|n't)"
        r"|missing|misses|leaves out|skips|forgets)\b).*?\b(cudart)-llama-bin",
    ),
    Sign(
        "koboldcpp-without-cuda",
        "KoboldCpp does not have its library for CUDA",
        ("cublas library file not found. non-blas library will be used",),
    ),
    Sign(
        "ggml-gpu-too-old",
        "the oldest GPU that ggml was compiled for is newer than this one, of which it tells",
        ("was not compiled with any cuda arch <= ",),
        r"ggml was not compiled with any CUDA arch <= (\d{3,4})\b",
    ),
    Sign(
        "ggml-no-device-code",
        "llama.cpp, or what is built on it, was compiled for other GPUs",
        cues(
            "ggml-cuda was compiled without support for the current gpu arch"
            "|has no device code compatible with cuda arch"
        ),
    ),
    Sign(
        "told-capability-not-served",
        "somebody says that a program does not serve a compute capability, which is the value",
        ("computing capability", "compute capability"),
        r"\b(?:cannot|can not|does(?: not|n't)|do(?: not|n't)) support\b[^.\n]{0,40}"
        r"\bcomput(?:e|ing) capability\s?(?:={1,2}|of|:)?\s?(\d{1,2}\.\d)\b"
        r"(?! (?:and|or) (?:new|lat|high))",
    ),
    Sign(
        "llama-few-layers",
        "llama.cpp was told to put only some layers of many on the GPU; the value is how many",
        ("layers to gpu",),
        r"\boffloaded ([1-3])/(?:[3-9]\d|\d{3}) layers to GPU\b",
    ),
    Sign(
        "few-layers-told",
        "somebody says that the GPU has only some of a model's layers; the value is how many",
        ("layers",),
        # Where no more fit, it is as it should be.
        r"\A(?!.*(?:\?|\b(?:if|unless|should|want|cannot|not (?:all )?fit|fits? only|only fits?"
        r"|enough)\b|n't\b))"
        r".*?(?:\b[Oo]f (?:the |its |all )?(?:[3-9]\d|\d{3}) layers,? only (\d{1,2}) (?:are|were"
        r"|get|is|go)\b|\bonly (\d{1,2})(?: out)? of (?:the |its )?(?:[3-9]\d|\d{3}) layers"
        r" (?:are|were|get|is|go)\b)[^.\n]{0,16}?"
        r"\b(?:off-?loaded|(?:on|to|in) (?:the |my )?[GV](?:PU|RAM))\b",
    ),
    Sign(
        "told-highest-capability",
        "somebody names the highest compute capability that a build serves, which is the value",
        cues("highest|maximum|newest|latest|up to"),
        r"\A(?!.*(?:\?|\b(?:if|unless|not)\b|n't\b)).*?(?:"
        r"\b(?:highest|maximum|newest|latest) (?:supported |cuda |compute |gpu ){0,3}"
        r"(?:capability|architecture|arch)\b[^.\n]{0,60}?\b(?:support\w*|serves?|built for"
        r"|compiled for|knows?)\b[^.\n]{0,16}?"
        r"|\b(?:supports?|serves|(?:built|compiled) for|knows) (?:only |just |gpus )?up to )"
        r"(sm_\d{2,3})\b",
    ),
    Sign(
        "told-minimum-capability",
        "somebody names the least compute capability that a program asks for, which is the value",
        (
            *("compute capability", "0 capability", "required cuda capability"),
            *("sm>=", "sm >=", "sm_>=", "sm\u2265", "sm \u2265"),
        ),
        r"(?:\b(?:requires?|needs?|wants?|asks for)|要求|需要|必须|至少) ?(?:an? )?"
        r"sm[ _]?(?:>=|\u2265) ?(?:sm_?)?(\d{1,2}\.?\d)\b"
        r"|\bkernel requires (\d\.\d) capability\b"  # XMRig
        r"|\A(?!.*ignoring).*\bminimum required Cuda capability is (\d\.\d)"  # TensorFlow
        r"|\bGPUs with compute capability < (\d\.\d) are not supported"  # vLLM
        r"|\bdoes not have (?:an? )?(?:CUDA )?compute capability (?:of )?(\d\.\d) or (?:greater"
        r"|higher|above|newer)"
        r"|(?:requires?|needs?|asks for) (?:an? )?(?:minimum |least )?(?:cuda |gpu )?compute"
        r" capability(?: of)?(?: at least)?(?: >=?)? ?(\d{1,2}\.\d)\b(?!\d|\.\d)"
        r"|\A(?!.*\b(?:fall(?:s|ing)? back|otherwise|I use|optional|tensor cores|fp8|bf(?:loat)?16"
        r"|mixed precision)\b).*?(?:"
        r"\b(?:minimum|minimal|lowest|least) (?:required |supported |needed )?(?:cuda |gpu )?"
        r"compute capability(?: version| level)?(?: of| is|:)? ?(\d{1,2}\.\d)\b(?!\d|\.\d)"
        r"|\bcompute capability(?: version| level)?(?: of)? (?:at least|>=|\u2265)"
        r" ?(\d{1,2}\.\d)\b(?!\d|\.\d)"
        r"|\bcompute capability (\d{1,2}\.\d)(?:\+| or (?:higher|greater|above|newer|later|up)\b))",
    ),
)
