"""What ONNX Runtime says."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "ort-without-its-dlls",
        "ONNX Runtime's own module did not load, for want of a DLL that it does not name",
        ("from 'onnxruntime.capi._pybind_state'",),
        r"cannot import name '(\w+)' from 'onnxruntime\.capi\._pybind_state'(?! \(/)",
    ),
    Sign(
        "ort-own-file",
        "a file of somebody's own has the module's name",
        ("onnxruntime.py",),
        r"File \"[^\"\n]{0,200}[/\\]onnxruntime\.py\"",
    ),
    Sign(
        "ort-hollow",
        "what is left of the module onnxruntime has nothing in it",
        ("module 'onnxruntime' has no attribute",),
        r"module 'onnxruntime' has no attribute '(SessionOptions|InferenceSession|__version__"
        r"|get_available_providers|get_device|GraphOptimizationLevel)'",
    ),
    Sign(
        "ort-provider-not-in-build",
        "the provider that was asked for is not in this build",
        (
            "is not in available provider names",
            "cudaexecutionprovider is not available",
            "cudaexecutionprovider is not in available providers",  # RapidOCR
            "cudaexecutionprovider is not avaiable in onnxruntime",  # as DeepFaceLive spells it
            "cuda execution provider is not enabled in this build",
            "cudaexecutionprovider' is not in",
            "unknown provider type: cudaexecutionprovider",
            "this binary was not compiled with cuda support",  # in Java
            "as an onnx runtime execution provider",  # Optimum
            "argument --execution-provider",  # FaceFusion and its kin offer what the build has
        ),
        r"provider '?(\w+ExecutionProvider)'? is not in available"
        r"|to use (CUDA)ExecutionProvider as an ONNX Runtime execution provider, but the available"
        r" execution providers are \[(?![^\]\n]{0,200}CUDA)"
        r"|(CUDA ?ExecutionProvider)|CUDA execution provider is not enabled"
        r"|(?<!\")This binary was not compiled with CUDA"
        r"|--execution-providers?: invalid choice: ['\"]?(cuda)['\"]? \(choose from"
        r"(?![^)\n]{0,160}\b(?:cuda|coreml|rocm|migraphx)\b)",
    ),
    Sign(
        "ort-nuget-without-cuda",
        ".NET finds no CUDA in ONNX Runtime's library, which a package of NuGet brought",
        ("sessionoptionsappendexecutionprovider_cuda",),
        r"entry point named '\w+ExecutionProvider_(CUDA)'"
        # The same in all languages: both names in quotes, and what Windows calls such a file.
        r"|(?=.*\bDLL\b\W{0,3}onnxruntime\W).*(?<=\W)OrtSessionOptionsAppendExecutionProvider_(CUDA)"
        r"(?=[\"'\u00bb])",
    ),
    Sign(
        # What its interface answers who asks it for DirectML's functions.
        "ort-directml-not-in-build",
        "this build of ONNX Runtime has no DirectML",
        ("specified provider is not supported",),
        r"OrtException\W{0,4}Specified provider is not supported",
    ),
    Sign(
        "ort-provider-failed",
        "a provider of the build could not be created",
        cues("failed to create cudaexecutionprovider|cuda_path is set but cuda wasn"),
        r"failed to create (CUDAExecutionProvider)|but CUDA wasn'?t able to be loaded",
    ),
    Sign(
        "ort-source-line",
        "the line of ONNX Runtime's source that loads a provider, by which its release is known",
        ("provider_bridge_ort.cc:",),
        r"provider_bridge_ort\.cc:(\d{3,4}) onnxruntime::(?:Provider& onnxruntime::)?"
        r"ProviderLibrary::Get\b",
    ),
    Sign(
        "ort-cuda-asked",
        "code asks for the CUDA provider first",
        ("cudaexecutionprovider",),
        r"\bproviders['\"]?\s{0,4}[=:]\s{0,4}\[\(?['\"]CUDAExecutionProvider\b",
    ),
    Sign(
        "ort-requires",
        "the libraries that this build needs: cuDNN, CUDA",
        ("require cudnn", "requires cudnn"),
        r"requires? cuDNN (\d+)\S* and CUDA (\d+)",
    ),
    Sign(
        "ort-providers-not-named-told",
        "somebody says that code makes a session, or a library its own, without asking for CUDA",
        ("provider",),
        r"(?i)\A(?!.*\b(?:if|when|unless|until|before|was fixed|no longer)\b).*?(?:"
        r"\b(?:without|passes no|names no|with no|never (?:passes|names|sets)"
        r"|(?:does|did)(?: not|n't) (?:pass|name|set))"
        r" (?:an? |any |the |explicit )*[`'\"]?(?:execution )?providers?[`'\"]?"
        r"(?: (?:argument|parameter|list|keyword))?\b[^\n]{0,80}\bCPU(?:ExecutionProvider)?\b"
        r"|\bCUDA ?Execution ?Provider\W{0,3} (?:(?:is|was|gets) )?(?:never|not(?: even)?) "
        r"(?:asked for|requested|passed)\b)",
    ),
    Sign(
        "ort-providers-not-chosen",
        "since 1.9 a session must be told which providers to use",
        ("required to explicitly set the providers parameter",),
    ),
    Sign(
        "ort-fallback-cpu",
        "the session goes on with another provider than was asked for",
        ("falling back to", "ep error"),
        r"falling back to \[?'?(\w*)ExecutionProvider|(?-i:\bEP Error)",
    ),
    Sign(
        "ort-fallback-cuda",
        "the session goes on with CUDA, after TensorRT could not be used",
        ("falling back to ['cudaexecutionprovider'",),
    ),
    Sign(
        "ort-library-load",
        "a provider's library could not be loaded",
        ("failed to load library", "loadlibrary failed with error"),
        r"failed to load library (\S*onnxruntime_providers_\w+\S*)(?!\S| with error: libnvinfer)"
        r"|LoadLibrary failed with error (\d+)",
    ),
)
