"""What compiled extensions of PyTorch say of the torch and the CUDA that they were built for."""

from ..sign import Sign
from ..text import cues

#: Headers, macros and functions that PyTorch's releases took away or brought.
_HEADER = r"(?:TH[A-Z]*|ATen|c10|torch)/[\w/]+\.(?:h|hpp|cuh)"
#: It is raised, so that the program does not take another way by itself.
_RAISED = r"\b\w*(?:Error|Exception): "
_NAME = r"(?-i:(?:AT|TORCH)_(?:CHECK|ERROR|ASSERT|DISPATCH)\w*|TH[A-Z][A-Za-z]\w*)"

SIGNS = (
    Sign(
        "xformers-other-torch",
        "xFormers was built for another torch: built for, found",
        ("(you have ",),
        r"PyTorch (\d[\w.+]*) \(you have (\d[\w.+]*)",
    ),
    Sign(
        "extension-broken-told",
        "somebody says that an extension is broken since torch was changed; the value is which",
        ("broke",),
        r"(?i)\A(?=.*\btorch\b)(?!.*(?:\?|\b(?:if|may|might|not|fixed)\b)).*?(?:"
        r"\b(xformers|flash[-_ ]?att\w*|sageattention|torch(?:vision|audio)|bitsandbytes|mmcv"
        r"|detectron2)\b[^.\n]{0,16}\b(?:is|are|was|got|went) (?:now )?broken\b"
        r"|\b(?:broke|breaks|broken) (?:my |the )?(xformers|flash[-_ ]?att\w*|sageattention"
        r"|torch(?:vision|audio)|bitsandbytes|mmcv|detectron2)\b)",
    ),
    Sign(
        "xformers-no-extensions",
        "xFormers cannot load its compiled half",
        cues(
            "xformers can't load c++/cuda extensions|xformers wasn't build with cuda support"
            "|xformers was not built with cuda|need to compile c++ extensions to use all xformers"
        ),
    ),
    Sign(
        "xformers-gpu-too-old",
        "an attention operator of xFormers serves newer GPUs only; the value is what it needs",
        (
            *("requires device with capability >", "we require compute capability"),
            "requires a gpu with compute capability >",
        ),
        r"requires device with capability >=? \((\d+, \d+)\)(?! but [^\n]{0,60}too new)"
        r"|\A\W{0,8}requires a GPU with compute capability >=? (\d+\.\d+)\s*\Z"
        r"|We require compute capability >= (\d{2,3})\b",
    ),
    Sign(
        "xformers-gpu-too-new",
        "an attention operator of xFormers has no code for so new a GPU; the value is the GPU's",
        ("(too new)", "requires device with capability <"),
        r"your GPU has capability \((\d+, \d+)\) \(too new\)"
        r"|requires device with capability <=? [^\n]{0,40}GPU has capability \((\d+, \d+)",
    ),
    Sign(
        "attention-built-for-older",
        "an attention kernel serves this GPU, and was compiled for an older one only",
        (", but was built for sm",),
        r"kernel \W?\w+\W? is for sm(\d+)-sm\d+, but was built for (sm\d+)",
    ),
    Sign(
        "attention-unknown-gpu",
        "an attention kernel knows nothing of this GPU's architecture, which is the value",
        ("unsupported cuda architecture: ",),
        r"Unsupported CUDA architecture: (sm_?\d{2,3})\b",  # SageAttention
    ),
    Sign(
        "bnb-setup-failed",
        "bitsandbytes found a GPU and could not set itself up",
        cues(
            "cuda setup failed despite|cuda setup: setup failed!|cuda setup: cuda detection failed"
            "|main cuda runtime library was not detected|libcudart.so could not be read from"
        ),
    ),
    Sign(
        "bnb-without-windows",
        "this bitsandbytes was made for Linux only: it looks for Linux files on Windows",
        ("argument of type 'windowspath' is not iterable", "\\libbitsandbytes_"),
        r"'WindowsPath' is not iterable|[A-Z]:\\[^\n]{1,200}\\libbitsandbytes_\w+\.so\b",
    ),
    Sign(
        "bnb-without-gpu",
        "bitsandbytes runs its build without GPU support",
        cues(
            "bitsandbytes was compiled without gpu support"
            "|8-bit optimizers, 8-bit multiplication, and gpu quantization are unavailable"
            "|attempted to use bitsandbytes native library"
            "|libbitsandbytes_cpu.so: undefined symbol|'str2optimizer32bit' is not defined"
            "|'str2optimizer8bit|object has no attribute 'cadam|object has no attribute 'cquantize"
            "|object has no attribute 'cget_|object has no attribute 'cdequantize"
        ),
    ),
    Sign(
        "bnb-library-missing",
        "bitsandbytes has no library for this CUDA; the value is the file that it looked for",
        ("libbitsandbytes_",),
        r"no compatible CUDA binary found at \S{0,300}?(libbitsandbytes_\w+\.(?:so|dll))"
        r"|(libbitsandbytes_\w+\.(?:so|dll))[^\n]{0,80}?(?:not found|does not exist|cannot find"
        r"|: cannot open shared object file)"
        r"|(?:configured|required|not found|could not find)[^\n]{0,160}?"
        r"(libbitsandbytes_\w+\.(?:so|dll))",
    ),
    Sign(
        "bnb-no-libcuda",
        "bitsandbytes found no libcuda.so in the folders where it looks",
        ("warning! libcuda.so not found",),
    ),
    Sign("bnb-no-gpu", "bitsandbytes found no GPU", ("no gpu detected! check your cuda paths",)),
    Sign(
        "extension-cuda-mismatch",
        "an extension and torch were compiled with different CUDA versions: its name, torch's, its",
        ("has cuda version=", "compiled with different cuda versions"),
        r"PyTorch and (\w+) were compiled with different CUDA (?:major )?versions"
        r"(?:\. PyTorch has CUDA Version[= ](\d[\d.]*\d)(?: and \w+ has CUDA Version[= ]"
        r"(\d[\d.]*\d))?)?"
        r"|PyTorch has CUDA Version=(\d[\d.]*\d)(?: and (\w+) has CUDA Version=(\d[\d.]*\d))?"
        r"|different CUDA versions",
    ),
    Sign(
        "extension-operator-missing",
        "an operator of an extension's compiled half is not registered",
        cues(
            "torchvision::|couldn't load custom c++ ops|torch.ops.torchvision"
            "|partially initialized module 'torchvision|'_opnamespace' |no such operator"
        ),
        r"(?<![\w/])(torchvision::\w+) does not exist"
        r"|module '(?:torch\.ops\.)?(torchvision)\S*' has no"
        r"|couldn't load custom C\+\+ ops"
        r"|no such operator (\w+::\w+)"
        r"|('_OpNamespace' '\w+' object has no attribute '\w+')",
    ),
    Sign(
        "extension-not-compiled",
        "a package was installed without its compiled GPU half",
        (
            "not compiled with gpu support",
            "not compiled with cuda support",
            "cannot import name '_c' from",
            "is not compiled with gpu",
            "implementation for device cuda",
            "compiled without gpu support",
            "no module named 'amp_c'",
            "no module named 'spconv",
            "no module named 'exllama",
            "no module named 'torch_scatter",
            "extension horovod.",
            "requires cuda extensions",
            "cuda extension not installed",
            "cuda extension is not installed",
            "failed to load custom c++ ops",
            *("kernels for auto_gptq are not installed", "awq_ext is not installed"),
            *("exllamav2 kernel is not installed", "no module named 'multiscaledeformable"),
            *("no module named '_turbomind'", "find module '_version_c"),
            *("libtorchaudio.pyd", "libtorchtext.pyd"),
            *("could not load any common_ops library", "compatible tinycudann extension"),
            *("._c'", "_cuda'", "_ext'", "no module named 'awq_inference_engine'"),
            "no module named torch_",  # typed from memory, without its quotes
            *("_cuda.pyd'", "_cpu.pyd'"),
            "but could not import the c++/cuda dependencies",  # AutoGPTQ
        ),
        r"no module named '((?!torch\._C\b|numba_cuda\b)[\w.]+(?:\._C|_cuda|_ext|_engine))'"
        r"|no module named '((?:amp_C|fused_layer_norm_cuda|mmcv|"
        r"detectron2|spconv|exllama|vllm|torch_scatter)[\w.]*)'"
        r"|no module named (torch_(?:scatter|sparse|cluster)\.\w{1,30}_cuda)\b"
        r"|no module named '(MultiScaleDeformable\w+|_turbomind)'"
        r"|could not find module '_version_\w+' in (\S+)"
        r"|could not find module '[^'\n]*[/\\](torch_(?:scatter|sparse|cluster|spline_conv)"
        r"|torch(?:audio|text|vision))[/\\]"
        r"|(common_ops) library|compatible (tinycudann) extension|(auto_gptq) are not installed"
        r"|(exllamav2) kernel is not installed"
        r"|use the (\w[\w ]{1,20}) backend, but could not import the C\+\+/CUDA dependencies"
        r"|(awq_ext) is not installed|(\w+): implementation for device cuda:?\d* not found"
        r"|(?<![\w.+-])(?<!reason is that )([\w.+-]{2,30} (?:was|is) compiled without GPU support)"
        r"|Extension (horovod\.\w+) has not been built"
        r"|cannot import name '_C' from '(?!torch')([\w.]+)"
        r"|((?<!This binary was )not compiled with CUDA support"
        r"|not compiled with GPU|(?<!compiled )without GPU support|failed to load custom C\+\+ ops"
        r"|CUDA extension[^\n]{0,20}not installed|requires CUDA extensions)",
    ),
    Sign(
        "pygpu-other-theano",
        "Theano wants another version of libgpuarray's interface than pygpu has",
        ("api version for gpuarray:", "theano and libgpuarray/pygpu are in sync"),
    ),
    Sign(
        "horovod-other-framework",
        "Horovod was compiled for another release of the framework; the value is both",
        ("horovodversionmismatcherror",),
        r"HorovodVersionMismatchError: Framework (\w+ installed with version [\w.+]+) but found"
        r" version ([\w.+]+?)\.?(?:\s|\Z)",
    ),
    Sign(
        "triton-other-release",
        "a package asks for a part of Triton that the installed release does not have",
        ("no module named 'triton.", "cannot import name '", "module 'triton"),
        r"no module named '(triton\.(?!ops\.blocksparse)[\w.]+)'|from '(triton[\w.]*)' \("
        r"|module '(triton[\w.]*)' has no attribute",
    ),
    Sign(
        "cumm-other-release",
        "spconv asks for a name that the cumm below it does not have; the value is the name",
        ("cannot import name '",),
        r"cannot import name '(\w{1,60})' from 'cumm\.[\w.]{1,80}'",
    ),
    Sign(
        "extension-frame",
        "a traceback goes through the operators of a compiled extension, which is the value",
        cues(
            "mmcv|detectron2|flash_attn|xformers|bitsandbytes|torch_|gsplat|pytorch3d|spconv"
            "|mamba_ssm|causal_conv1d|apex|exllama|auto_gptq|rasterization|deform|pointnet2"
            "|_custom_ops|_cuda at |sgl_kernel|from vllm._c with|simple_knn|_extension|nunchaku"
            "|sageattention"
        ),
        r"CUDA error[^\n]{0,60}\(((?:RO?I_?(?:Align|Pool)|nms|deform)\w*_cuda) at "
        r"|File \"[^\"\n]*[/\\](mmcv[/\\]ops|detectron2[/\\]layers|flash_attn|xformers[/\\]ops"
        r"|bitsandbytes|torch_(?:scatter|sparse|cluster|spline_conv)|pytorch3d|spconv|gsplat"
        r"|mamba_ssm|causal_conv1d|apex|exllama\w*|auto_gptq|sgl_kernel|diff_gaussian_rasterization"
        r"|pointnet2\w*|deformable\w*|simple_knn|nunchaku|sageattention"
        r"|torch(?:audio|text|vision)[/\\]_?extension\b)[/\\.]"
        r"|File \"[^\"\n]*[/\\](vllm)[/\\]_custom_ops\.py"
        r"|Failed to import from (vllm)\._C with",
    ),
    Sign(
        "extension-crashed",
        "a crash's trace goes through a package beside torch, which is the value",
        ("packages/", "packages\\"),
        r"File \"[^\"\n]*(?:site|dist)-packages[/\\](?!torch[/\\])(\w{1,60})[/\\][^\"\n]{1,160}\","
        r" line \d{1,6} in ",
    ),
    Sign(
        "extension-source-other-torch",
        "an extension's source is written for another PyTorch; the value is what that had",
        cues(
            "thc/|th/th|thcunn/|aten/|c10/|torch/|not declared|not been declared"
            "|does not name a type|is undefined|undeclared identifier|is not a member of"
            "|has no member|deprecatedtypeproperties|compatible compiler is required"
            "|torch.utils.ffi"
        ),
        rf"({_HEADER})\W{{1,3}}(?:No such file|file not found|没有那个文件)"
        rf"|include file: '({_HEADER})'"
        rf"|\W({_NAME})\W{{1,2}}(?:was not declared|has not been declared|does not name a type"
        rf"|is undefined)|undeclared identifier '({_NAME})'|identifier \"({_NAME})\" is undefined"
        r"|(DeprecatedTypeProperties)\b[^\n]{0,40} to\b"
        r"|\W([\w:]+)\W is not a member of \W(?:at|c10|torch)\b"
        r"|namespace \"(?:at|c10|torch)\" has no member (\S+)"
        r"|(C\+\+\d\d) or later compatible compiler is required to use (?:PyTorch|ATen)"
        r"|(torch\.utils\.ffi) is deprecated|No module named '(torch\.utils\.ffi)'",
    ),
    Sign(
        "extension-built-for-other",
        "a package says for which CUDA or torch it was built and which it found",
        cues(
            "was compiled with cuda|compiled for cuda|was built with cuda|is compiled with pytorch"
            "|but you are using "  # k2, which says it in two lines
        ),
        r"(?:compiled|built) (?:for|with) ((?:CUDA|PyTorch) [\d.]+)"
        r"[^\n]{0,80}?(?:but|while)[^\n]{0,60}?(?:CUDA|PyTorch)[^\d\n]{0,20}([\d.]+)"
        r"|\A\s*But you are using (?:CUDA|PyTorch) \d[\w.+]* to run it\.?\s*\Z",
    ),
    Sign(
        "dgl-without-library",
        "DGL holds one library for each torch, and none for this one, which is the value",
        ("cannot find dgl c++ ",),
        r"Cannot find DGL C\+\+ [^\n]{1,300}?_pytorch_(\d+\.\d+[\w.]{0,24}?)\.(?:so|dll|dylib)\b"
        r"|Cannot find DGL C\+\+ \w{3,16} library\b",
    ),
    Sign(
        "extension-symbol-untold",
        "an extension lacks a symbol, which is not told; the value is the extension",
        ("undefined symbol",),
        r"\b((?!lib)\w+_(?:cuda|ext|ops|kernels?|C))(?:\.\w\S*)?:? (?:has )?(?:an )?"
        r"undefined symbols?\W*\Z",
    ),
    Sign(
        "flash-attn-gpu-too-old",
        "FlashAttention serves Ampere and newer only",
        cues(
            "flashattention only supports|flash attention only supports|gpus or newer"
            "|flashattention backward for head dim"
        ),
        r"(only supports [^\n.]{3,60})|head dim > \d+ requires ([\w ]+)",
    ),
    Sign(
        "attention-other-gpu",
        "a kernel of FlashAttention, or of an engine, serves these GPUs alone, which are the value",
        cues(
            "expected is_sm|requires sm|requires an sm|requires blackwell gpus (sm"
            "|requires a blackwell (sm|supported on blackwell gpus (sm|supported on hopper (sm"
        ),
        r"Expected (is_sm\w+(?: \|\| is_sm\w+)*) to be true"
        rf"|{_RAISED}[^\n]{{0,80}}?\b(?:requires|only supported on) (?:an? )?"
        r"(?:(?:Blackwell|Hopper)(?: GPUs)? )?\(?"
        r"(SM_?\d{1,3}[\dx](?![\d+])(?:[^\n+]{0,24}?\bSM_?\d{1,3}[\dx](?!\d))*)"
        r"(?! and above|\+|[^\n]*detected pre-SM)",
    ),
    Sign(
        "part-gpu-too-old",
        "a program refuses a kernel or a type of numbers, for which the GPU is too old;"
        " the value is from which on it serves GPUs",
        cues(
            "compute capability|capability: |supported on cuda>=|newer nvidia gpu|sm89+|sm80+"
            "|sm90+|sm100+|detected pre-sm|and above|gpu is too old"
        ),
        rf"{_RAISED}[^\n]{{0,200}}?(?:"
        r"\b(?:supports?|supported|requires?|needs?|minimum|least|must be on)\b[^\n]{0,70}?"
        # In brackets it is mostly the GPU's own.
        r"(?:(?<!\()|(?=compute capability >))(?<!\ba GPU with )\bcompute capability "
        r"(?:is |of )?(?:>=|at least)? ?`?(\d{1,2}(?:\.\d)?)(?![\d.]*x)"
        r"|\bSM_?(\d{2,3})(?:\+| and above)|\bdetected pre-SM(\d{2,3})"
        r"|\bsupported on CUDA>=(\d{1,2}\.\d)"
        r"|\brequires an? (\w+ or newer) NVIDIA GPU"
        r"|\b(?:Required|Minimum|Min) capability: (\d{2,3})\b"
        r"|\bGPU is too old for (\w[\w ]{1,30}))"
        # Of Unsloth's error people give the words alone; what it is too old for is vLLM.
        r"|\bUnsloth: Your GPU is too old for (\w[\w ]{1,30})"
        r"|\b(Unsloth): Your GPU is too old!",
    ),
    Sign(
        "triton-feature-newer-gpu",
        "code that Triton made for this GPU holds what later ones have; the value is from which on",
        ("requires .target sm_",),
        r"ptxas \S*(?:compile-ptx-src|[/\\](?!tmpxft)tmp)[\w-]+(?:\.ptx)?,"
        r" [^\n]{1,60}'[^'\n]*(?:bf16|e4m3|e5m2|tf32)[^'\n]*' requires \.target sm_(\d{2,3})\b",
    ),
    Sign(
        "ptxas-feature-newer-gpu",
        "ptxas meets code that later GPUs have; the value is from which on",
        ("requires .target sm_",),
        r"Feature '[^'\n]{1,80}' requires \.target sm_(\d{2,3}) or higher",
    ),
    Sign(
        "ptxas-instruction-of-other-gpu",
        "code for the tensor cores of one generation is compiled for another: instruction, target",
        ("not supported on .target",),
        r"Instruction '((?:wgmma|setmaxnreg|tcgen05)\b)[\w.:]*' not supported on \.target"
        r" '(sm_\d{2,3}[af]?)'",
    ),
    Sign(
        "triton-type-newer-gpu",
        "a kernel for Triton computes in a type that later GPUs have; the value is the type",
        ("not supported in this architecture",),
        r"type (fp8\w+|bf16) not supported in this architecture",
    ),
    Sign(
        "bfloat16-gpu-too-old",
        "bfloat16 was asked for on a GPU that lacks it; the value is its capability",
        (
            *("bfloat16 is only supported on gpus", "bf16 is only supported on", "bf16/gpu"),
            "current cuda device does not support bfloat16",
            # ONNX Runtime
            *("bfloat16 matmulnbits is not supported on cuda", "bf16 attention requires ampere"),
        ),
        r"compute capability (\d+\.\d+)\.?$|has compute capability (\d+\.\d+)|(bf16)"
        r"|(bfloat16)",
    ),
    Sign(
        "deepspeed-gpu-too-old",
        "of the GPUs' capabilities DeepSpeed's operator serves none",
        ("no compute capabilities remaining after filtering",),
        r"(no compute capabilities remaining) after filtering",
    ),
    Sign(
        "deepspeed-ops-of-other",
        "DeepSpeed's operators were compiled for another torch or CUDA: which, and now",
        ("ops were compiled and installed with a different version",),
        r"(Install (?:torch|CUDA) version=[\d.]+\d), Runtime (?:torch|CUDA) version=([\d.]+\d)"
        r"|different version than what is being used",
    ),
    Sign(
        "extension-other-signature",
        "a compiled module was made for another version of the one that it calls",
        cues(
            "has wrong signature (expected|does not export expected c "
            "|incompatible function arguments"
        ),
        r"C (?:function|variable) ((?:cuda|cupy|cupy_backends|rmm|cudf|raft|pylibraft|numba|torch)"
        r"[\w.]*) has wrong signature"
        r"|((?:cuda|cupy|rmm|cudf|raft|pylibraft)[\w.]*) does not export expected C"
        r"|\b((?:causal_conv1d|selective_scan|flash_attn|varlen)_?\w*|fwd|bwd)\(\): incompatible"
        r" function arguments",
    ),
    Sign(
        "detectron2-without-cuda",
        "Detectron2's own half was compiled without CUDA, as its table says",
        ("detectron2 cuda compiler",),
        r"\A\s*Detectron2 CUDA Compiler\s+(not available)",
    ),
)
