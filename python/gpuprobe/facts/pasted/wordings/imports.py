"""Which compiled extension was being imported, or built, as a traceback or a log shows it."""

from ..sign import Sign
from ..text import cues

SIGNS = (
    Sign(
        "extension-imports-half",
        "a package imports its compiled half; the value is the package",
        ("import _c",),
        r"\A\W{0,8}from (?!torch\b)(\w{2,40})(?:\.\w+)* import _C\b",
    ),
    Sign(
        "extension-asked-for",
        "PyTorch loads what it compiled, or code imports an extension of it; the value is its name",
        (
            *("loading extension module ", "import spatial_correlation"),
            *("_cuda", "import _ext", "import amp_c", "import rcca", "import pointnet2"),
            *("import multiscaledeformable", "import minkowskiengine", "import torch_scatter"),
            *(
                "import torch_sparse",
                "import torch_cluster",
                "import warpctc_p",
                "import warp_rnnt",
            ),
            *("import nvdiffrast", "import tinycudann", "import gsplat", "import pytorch3d"),
            *("import detectron2", "import mmcv", "import spconv", "import _c"),
            # The form in which that project's users report: what they load is its extensions.
            "install pytorch geometric and its extensions",
        ),
        r"\A\W{0,4}Loading extension module (\w{2,60})\.\.\."
        r"|\A[\W\d]{0,8}import (spatial_correlation_sampler(?:_backend)?|amp_C|rcca|pointnet2\w*"
        r"|MultiScaleDeformableAttention|MinkowskiEngine|torch_(?:scatter|sparse|cluster)"
        r"|warpctc_pytorch|warp_rnnt|nvdiffrast|tinycudann|gsplat|pytorch3d|detectron2|mmcv|spconv"
        r"|(?!torch|cupy|numba)\w{3,40}_cuda)\b(?![\w.]*\.)"
        r"|\A\W{0,8}from (?!torch\b|tensorflow\b|jax\b|cupy\b)(?:\w{2,40}(?:\.\w+)*|\.+\w*) import "
        r"(_C|_ext|\w{3,40}_cuda)\b"
        r"|\binstall (PyTorch Geometric) and its extensions\b",
    ),
    Sign(
        "paddle-imported",
        "code imports Paddle, which loads the DLLs of a CUDA and a cuDNN of its own",
        ("import paddle", "from paddle"),
        r"\A\W{0,8}(?:import|from) paddle(?:ocr|seg|nlp|x|hub)?\b",
    ),
    Sign(
        "genn-without-cuda",
        "PyGeNN has no half for CUDA, which its build leaves out where CUDA_PATH names no toolkit",
        ("genn_wrapper.cudabackend", "pygenn.cuda_backend"),
        r"No module named '?(?:pygenn\.genn_wrapper\.CUDABackend|pygenn\.cuda_backend)\b",
    ),
    Sign(
        "own-cuda-frame",
        "a traceback goes through a package that has a CUDA of its own, and is no part of torch",
        cues(
            "faiss|cuquantum|deepspeech|s/cv2|s\\cv2|s/dgl|s\\dgl|hoomd|librmm|llama_cpp"
            "|mxnet|paddle|pycuda|skcuda|cudf|cuml|pylibraft|xgboost|lightgbm"
            "|tensorrt|dali|open3d|dlib|tensorflow"
        ),
        r"File \"[^\"\n]*(?:site|dist)-packages[/\\](faiss|cuquantum|cv2|deepspeech|dgl|hoomd"
        r"|librmm_cffi|llama_cpp|mxnet|paddle|pycuda|skcuda|cudf|cuml|pylibraft|xgboost|lightgbm"
        r"|tensorrt|nvidia[/\\]dali|open3d|dlib|tensorflow)[/\\]",
    ),
    Sign(
        "setup-without-cuda",
        "a package's own setup found CUDA, which is torch's GPU or the toolkit, not available",
        ("cuda is not availab",),
        r"\b(?:NotImplemented|Environment|OS)Error: (Cuda is not availab(?:le|el))\b",
    ),
    Sign(
        "cuda-home-none",
        "torch's builder of extensions knows of no toolkit",
        ("cuda_home",),
        r"\b(CUDA_HOME) ?(?:[:=]{1,2} ?| is | was | gives | prints |, )[`'\"]?None\b"
        r"(?![^\n]*\bif\b)",
    ),
)
