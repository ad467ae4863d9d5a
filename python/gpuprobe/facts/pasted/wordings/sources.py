"""What compilers say of a source that was written for another CUDA than the one they are of."""

from ..sign import Sign
from ..text import cues

#: The run time's names, the driver's and those of cuBLAS.
_OF_LIBRARIES = (
    r"(?:cu(?:da)?(?-i:[A-Z])\w{3,50}|CUDA_R_\w{2,12}|CUBLAS_(?:COMPUTE|TF32)_\w{2,24}"
    r"|cublasComputeType_t)"
)

SIGNS = (
    Sign(
        "cuda-source-of-earlier",
        "a source uses what another CUDA has in another form, or no more; the value is which",
        cues(
            "too few arguments to function|cudadeviceprop|cudamemlocation|texture is not a template"
            "|bindtexture|cudagettexturereference"
        ),
        r"too few arguments to function [^\w\n]{1,3}(?:CUresult |cudaError_t )?"
        r"(cu(?:da)?(?-i:[A-Z])\w{3,40})"
        r"|\bcudaDeviceProp\W{1,3} ?has no member (?:named )?\W{1,3}(\w{4,40})"
        r"|no member named \W(\w{4,40})\W{1,2} in \W(?:struct )?cudaDeviceProp\b"
        r"|\W(\w{4,40})\W{1,2}: is not a member of \WcudaDeviceProp\b"
        r"|\bconvert\b[^\n]{0,40} \Wint\W to \W(cudaMemLocation)\b"
        r"|(?:\(\d{1,5}\)|:\d{1,5}): error: (texture) is not a template"
        r"|identifier \"(cuda(?:Un)?BindTexture\w{0,12}|cudaGetTextureReference)\" is undefined"
        r"|\W(cuda(?:Un)?BindTexture\w{0,12})\W{1,2} was not declared",
    ),
    Sign(
        "cuda-source-of-later",
        "a source uses what this compiler's CUDA does not have; the value is which",
        (" is undefined", " was not declared in this scope", ": identifier not found"),
        # A header of CUDA's own that lacks a name met one of another CUDA.
        r"\A(?![^\n]{0,200}[/\\]include[/\\]c(?:uda|rt|ublas))[^\n]{0,300}?"
        # Of device code nvcc and NVRTC alone speak so: clang, also that for AMD, has other words.
        r"\berror ?: (?:identifier \"("
        r"__(?:(?:shfl(?:_up|_down|_xor)?|(?:match_)?(?:any|all)|ballot)_sync|syncwarp|activemask"
        rf"|nv_bfloat162?|nv_fp[48]\w{{1,24}})|nv_bfloat162?|{_OF_LIBRARIES})\" is undefined"
        rf"(?! in device code)|[^\w\s]({_OF_LIBRARIES})[^\w\s] was not declared in this scope)"
        rf"|\berror C3861: '({_OF_LIBRARIES})': identifier not found",
    ),
)
