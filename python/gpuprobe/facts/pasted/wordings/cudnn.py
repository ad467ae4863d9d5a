"""What programs and build scripts say of cuDNN, whichever framework they are of."""

from ..sign import Sign
from ..text import cues
from .harmless import CUDNN_MISREAD

#: How compilers set off a name: gcc, Visual C++ and clang, nvcc.
_QUOTE = r"['\"]"
_RELEASE = r"[1-9]\.\d{1,2}(?:\.\d{1,3}){0,2}"  # TensorRT calls cuBLAS 11.4 a cuDNN
_BUT = r"\b(?:but|while|whereas|though|although|yet|and)\b"
_COMPILED = r"\b(?:compiled|built) (?:with|against|for)"
#: How people name the one that is there.
_THERE = (
    r"(?:cuDNN(?: version)?(?: is)?|\b(?:installed|loaded|found)(?: (?:one|version|library))? is)"
)

SIGNS = (
    Sign(
        "cudnn-refused-by-build",
        "a build script found a cuDNN, of a release that it does not take; that, and the least",
        (
            "found cudnn, but it looks like the wrong version",  # dlib
            "could not find cudnn: found unsuitable version",  # CMake itself
            "cudnn version >",  # Caffe
        ),
        r"found cuDNN, but|cuDNN version >=?\d[\d.]{0,9} is required"
        r"|unsuitable version \"([\d.]{1,12})\", but required is at least"
        r" \"([\d.]{1,12})\"",
    ),
    Sign(
        "cudnn-header-not-found",
        "a build script found no cuDNN",
        (
            "could not find cudnn",
            "cudnn not found",
            "cannot find cudnn",
            "could not find any cudnn",
            # CMake's words of MindSpore, MegEngine and others; "cudnn64_8.dll" is a file that runs.
            *("failed to find cudnn ", "can not find cudnn ", "unable to find cudnn "),
            *("cuda backend requires cudnn", "please download cudnn from"),  # OpenCV, vcpkg
            "this functionality is unavailable as cudnn is missing",  # CUDA.jl
            # The same of cuDNN.jl, as older and newer releases of Julia print the name.
            *("cudnn is not available for your platform", "libcudnn not defined"),
            "`libcudnn` not defined",
            *("since cudnn is not found", "cudnn v5.0 or greater not found", "cudnn: library not"),
            "cuda found but cudnn is not loaded",  # Jittor
        ),
        # Julia's own offer to install a package of that name.
        # TensorFlow's, of a function that its cuDNN lacks.
        r"\A(?!.*but a package named|.*\bcould not find cudnn(?!Create\b)\w+ in cudnn DSO\b"
        r"|.*\bcould not find cudnn: found unsuitable)",
    ),
    Sign(
        "cudnn-release-not-read",
        "a build script does not find out which cuDNN there is",
        ("cudnn",),
        r"\A(?=.{1,300}\Z)(?!.*(?:\?|\b(?:if|fix(?:e[sd])?|solved)\b)).*?"
        r"\b(?:(?:is(?: not|n't) able to|unable to|can(?:not|'t)|fail(?:s|ed)? to"
        r"|(?:do|does|did|could)(?: not|n't)) (?:detect|find(?: out)?|read|determine|recogni[sz]e"
        r"|identify) (?:\w+ ){0,3}?(?:cudnn(?:'s)? (?:version|release)\b"
        r"|(?:version|release) of (?:\w+ )?cudnn\b"
        r"|(?:what|which) (?:(?:version|release) of )?cudnn\b)"
        r"|cudnn[ _]version (?:could not|cannot|can't) be (?:determined|detected|read|found))",
    ),
    Sign(
        "cudnn-other-than-built",
        "a program tells of another cuDNN than it was compiled with; loaded, compiled",
        (
            *("loaded runtime cudnn library", "loaded cudnn library", "[cudnn init] libcudnn v"),
            "cudnn reports version",  # OpenCV
            "cudnn_version from cudnn.h : ",  # NVIDIA's own samples
            "cudnn version mismatch: compiled with",  # MegEngine
            "cudnn compiled (",  # Caffe2
        ),
        r"library: (\d[\d.]*).{0,60}?compiled (?:with|against):? (\d+(?:\.\d+)*)"
        r"|libcudnn v(\d{1,2}) with header v(\d{1,2}) unmatched"
        rf"|(?!{CUDNN_MISREAD})"
        r"cuDNN reports version (\d[\d.]*\d) which (?:is not compatible|does not match)"
        r" with the version (\d[\d.]*\d)"
        r"|\bcudnnGetVersion\(\) : (\d{4,5}) , CUDNN_VERSION from cudnn\.h : (?!\7\b)(\d{4,5})\b"
        r"|mismatch: compiled with (?=\d{4,5}; detected (\d{4,5}) at runtime)(\d{4,5})"
        r"|cuDNN compiled \((?=\d{4,5}\) and runtime \((\d{4,5})\))(\d{4,5})",
    ),
    Sign(
        "cudnn-older-told",
        "somebody says that a program was compiled with another cuDNN than is there: both of them",
        ("compiled with", "compiled against", "compiled for", "built with", "built against"),
        r"\A(?=.{1,400}\Z)(?!.*(?:\?|\b(?:if|unless|solved|fix(?:e[sd])?|warn\w* when)\b)).*?(?:"
        rf"{_COMPILED} cuDNN v?({_RELEASE})\b[^;\n]{{0,80}}?{_BUT}[^;\n]{{0,80}}?"
        rf"{_THERE} v?({_RELEASE})\b"
        rf"|\bcuDNN v?(?={_RELEASE}\b[^;\n]{{0,80}}?{_BUT}[^;\n]{{0,80}}?"
        rf"{_COMPILED} (?:cuDNN )?v?({_RELEASE})\b)({_RELEASE}))",
    ),
    Sign(
        "paddle-cudnn-loaded",
        "Paddle tells which cuDNN it loaded",
        ("device: 0, cudnn version: ",),
        r"\] device: 0, cuDNN Version: (\d{1,2}\.\d{1,2})\b",
    ),
    Sign(
        "cudnn-source-of-other",
        "a program is compiled from source that was written for another release of cuDNN",
        (
            *("cudnn_convolution_fwd_", "cudnn_convolution_bwd_"),
            *("cudnngetconvolution", "cudnnsetconvolution", "cudnnsetfilter", "cudnnsetrnn"),
            *("cudnnaddmode_t", "cudnnmathtype_t", "cudnnbackenddescriptor_t"),
            *("cudnn_tensor_op_math", "cudnn_fma_math", "cudnn_data_bfloat16"),
            *("algoperf_t", "cudnnalgorithm_t"),  # structs that got members
        ),
        rf"\berror:[^\n]{{0,40}}?\b(cudnn\w+){_QUOTE}? (?:undeclared|was not declared"
        r"|has not been declared|does not name a type)"
        rf"|error:[^\n]{{0,40}}?\b(cudnn\w+_t){_QUOTE}[^\n]{{0,90}}? has no member(?: named)? "
        rf"{_QUOTE}(\w+)|error: no member named {_QUOTE}(\w+){_QUOTE} in {_QUOTE}(cudnn\w+)"
        rf"|{_QUOTE}(\w+){_QUOTE} ?: is not a member of {_QUOTE}(cudnn\w+)"
        r"|error: argument of type \"(cudnn\w+_t)\" is incompatible with parameter"
        r"|too (?:few|many) arguments to function '[^'\n]{0,40}?\b(cudnn\w+)"
        r"|error: identifier \"(cudnn\w+)\" is undefined",
    ),
    Sign(
        "cudnn-no-algorithm",
        "no algorithm of cuDNN for a convolution could run, mostly as none found room to work in",
        cues(
            "unable to find a valid cudnn algorithm"
            "|no valid convolution algorithms available in cudnn|cudnn isn't found fwd algo"
            "|cudnn isn't found bwd"
        ),
    ),
    Sign(
        "cudnn-demand-unmet",
        "a package wants another cuDNN than is installed: which, and the one that is there",
        ("requires nvidia-cudnn-cu", "requires `nvidia-cudnn-cu"),
        r"requires `?nvidia-cudnn-cu\d\d ?[>=]=([\d.]{3,12})[^\n]{0,80}?, but "
        r"(?:you(?:'ll)? have nvidia-cudnn-cu\d\d |`)([\d.]{3,12}?)(?:`| which|\.?\Z)",
    ),
)
