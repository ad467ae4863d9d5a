"""Which file of the toolkit or of cuDNN a compiler, a linker or make does not find."""

from ..languages import NO_FILE
from ..sign import Sign
from ..text import cues

#: By its name one of CUDA's, and not of curl, curses, CUPS, CUnit, NVMe or OpenCV.
_HEADER = (
    r"(?<!\w)(?<!opencv2/)(?<!opencv2/core/)(?<!opencv2/xfeatures2d/)"
    r"((?:nccl|nv(?!me|ram|pair|list)|cu(?!rl|rse|rsor|rrent|ps|st|nit|t\.|e\.))\w*"
    r"\.(?:h|hpp|cuh))"
)

#: A library of the toolkit, or cuDNN's, by its path.
_LIBRARY = (
    r"/[\w./+-]{0,200}?\blib(?:cudart|cublas(?:Lt)?|cufft|curand|cusolver|cusparse|nvrtc|cudnn\w{0,20})"
    r"\.so(?:\.\d{1,4}){0,3}"
)
_QUOTES = r"'\"`\u201e\u00ab\u00bb"

SIGNS = (
    Sign(
        "symbol-asked-by-linker",
        "a linker finds no symbol that a library of CUDA asks for; the value is that library",
        (": undefined reference to ",),
        r"(?<![^\s])(\S{1,200}\blibcu\w{2,12}\.so[\d.]{0,12}): undefined reference to "
        r"[`']\w{1,80}@",
    ),
    Sign(
        "linker-library-missing",
        "the linker finds no such library; the value is its name",
        cues(
            "cannot find -l|lnk1181|unable to find library -l|lnk1104| -lcud| -lcub| -lcuf| -lcus"
            "| -lcur| -lnvr| -lnccl|cudadevrt is not found|no library found under: "
        ),
        r"(?:cannot find|unable to find library) -l(cu\w+|nv\w+|nccl)"
        r"|PTX code is requested, but (cudadevrt) is not found"  # CuPy
        # The script by which TensorFlow's build looks for the parts of CUDA.
        r"|No library found under: \S{0,200}/(?:stubs/lib(cuda)|lib(cudart|cublas\w{0,2}|cufft"
        r"|curand|cusolver|cusparse|cupti))\.so\b"
        # in the linker's other languages
        r"|\bld(?:\.\w{1,5})?[^:\w\n]{0,4}(?:\\x\w\w){0,2}: (?!skipping|warning)[^\n:]{0,40}?"
        r"(?<= )-l(cu\w+|nv\w+|nccl)"
        r"|cannot open (?:input )?file '(cu\w+\.lib|nv\w+\.lib|torch\w*\.lib|c10\w*\.lib)'",
    ),
    Sign(
        "build-library-missing",
        "make or ninja finds no library that a target needs; the value is its path",
        (": *** ", "no known rule"),
        # The file, and behind it in quotes the target: so it is in all of make's languages but one.
        rf"\b(?:g?make|mingw32-make)(?:\[\d{{1,3}}\])?: \*\*\* (?:[^\n\[\]/]{{1,60}}?({_LIBRARY})"
        rf"\W{{1,4}}[^\n/{_QUOTES}]{{1,40}}[{_QUOTES}][\s\u00a0]?\S"
        rf"|[{_QUOTES}]\S{{1,300}}[{_QUOTES}] に必要なターゲット [{_QUOTES}]({_LIBRARY}))"
        rf"|\bninja: error: '({_LIBRARY})', needed by '[^'\n]{{1,300}}', missing and no known rule",
    ),
    Sign(
        "header-missing",
        "a header of CUDA or cuDNN is not there; the value is its name",
        (
            *(".h' file not found", *NO_FILE, "cannot open include file"),
            *("cannot open source file", "unable to find cuda_runtime.h"),
        ),
        rf"{_HEADER}(?:'|\")?"
        rf"(?:[\s\u00a0]?: ?(?:{'|'.join(NO_FILE)})| file not found)"
        r"|include file: '((?:cuda|cudnn|cublas|nccl|nv|cu)\w*\.h)'"
        r"|unable to find (cuda_runtime\.h) (?:in|from) "  # CMake, Numba
        r"|source file \"((?:cuda|cudnn|cublas|nccl|nv|cu|vector_types)\w*\.h)\"",
    ),
)
