"""Bring a compiled extension to the framework that it is loaded beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts.regex import regex
from ..model import Fix
from ..questions.extensions.words import OPENCV
from .ground import OLD_PAGE, PYTORCH_INDEX, has_index, where_built

if TYPE_CHECKING:
    from ...facts.version import Version

#: What tells the release and the CUDA of the torch that is there.
_ASK_TORCH = 'python -c "import torch; print(torch.__version__)"'

#: Of what pip keeps compiled it would take the old file, and without --no-deps it would renew the
#: framework as well, for which the package is to be compiled.
_COMPILE = "pip install --force-reinstall --no-cache-dir --no-build-isolation --no-deps"


def torchvision_for(torch: str, release: str, cuda: Version | None = None) -> Fix:
    """The torchvision that is compiled for this torch, from the index where that came from."""
    text = f"Install torchvision {release}, which was compiled for torch {torch}"
    tagged = torch
    if "+" not in torch and cuda is not None:
        if len(cuda.parts) == 1:
            return Fix.by_user(f"{text}.", (), undo=None)
        tagged = f"{torch}+cu{cuda.major}{cuda.minor}"
    if "+" in tagged and not has_index(torch):
        # There the releases of all CUDAs lie side by side, and pip would choose one.
        text += f": of those on {OLD_PAGE} the one that ends in +{tagged.partition('+')[2]}."
        return Fix.by_user(text, (), undo=None)
    command = f'pip install --force-reinstall --no-deps "torchvision=={release}.*"'
    return Fix.by_user(f"{text}.", (f"{command}{where_built('torch', tagged)}",), undo=None)


def rebuild_engine() -> Fix:
    """What TensorRT compiled serves one release and one GPU; the model serves all."""
    return Fix.by_user(
        "Make the engine anew from the model, on this GPU and with the TensorRT that reads it; "
        "where several are installed (in Python and in C++), take one for both.",
        ("trtexec --onnx=MODEL.onnx --saveEngine=MODEL.engine",),
        undo="keep the old engine file until the new one works",
    )


def rebuild_for_torch(cuda: str) -> Fix:
    """A module of one's own, or of a project, that was compiled beside another torch."""
    return Fix.by_user(
        f"This torch asks for no library of {cuda}: the module that is imported was compiled for "
        f"it, beside an older torch, and {cuda} would not make it fit. Compile it again for the "
        "torch that is there: in the folder of its source, with the toolkit that the first command "
        "names.",
        (
            'python -c "import torch; print(torch.__version__, torch.version.cuda)"',
            f"rm -rf build *.egg-info && {_COMPILE} .",
        ),
        undo="none needed: only what was compiled is made anew",
    )


def source_for(wanted: str | None) -> Fix:
    """Source code does not come to fit by being compiled again."""
    return Fix.by_user(
        f"Take a release of the source that is written for {wanted or 'the torch that is there'}; "
        "or make an environment with the torch that this source was written for (its page tells "
        "which).",
        (_ASK_TORCH,),
        undo="remove the environment",
    )


def caller_of_triton() -> Fix:
    """Triton is torch's: another one would break that."""
    return Fix.by_user(
        "Update the package that asks for it, which the traceback names. Leave Triton as it is: "
        "torch asks for just this release.",
        ("pip install --upgrade PACKAGE",),
        undo=None,
    )


#: What pip calls the package of a compiled module, where the module has another name.
_COMPILED_IN = {
    "flash-attn-2-cuda": "flash-attn",
    "flash-attn-cuda": "flash-attn",
    "flash-attention": "flash-attn",
    "causal-conv1d-cuda": "causal-conv1d",
    "selective-scan-cuda": "mamba-ssm",
    "exllamav2-ext": "exllamav2",
    "libpyg": "pyg-lib",
    "amp-c": "apex",
    "fused-layer-norm-cuda": "apex",
}
#: Packages of PyTorch Geometric, which has a page of wheels for each torch and CUDA.
_OF_PYG = frozenset(("pyg-lib", "torch-cluster", "torch-scatter", "torch-sparse",
                     "torch-spline-conv"))  # fmt: skip
_PYG_WHEELS = "https://data.pyg.org/whl"
#: Packages of that name which pip compiles for the framework that is there. Of others it takes the
#: newest wheel, whatever that was made for; apex and detectron2 are not to be had by these names.
_COMPILED_BY_PIP = frozenset(
    {
        *("auto-gptq", "causal-conv1d", "deepspeed", "exllamav2", "flash-attn"),
        *("gsplat", "horovod", "mamba-ssm", "mmcv", "mmcv-full"),
        *(_OF_PYG - {"pyg-lib"}),
    }
)
#: Wheels that ask for one release of torch, so that pip takes a pair.
_ASK_FOR_TORCH = ("torchaudio", "torchtext", "torchvision", "vllm", "xformers")


def package_of(extension: str) -> str:
    """What pip calls an extension, told by its name or a file's."""
    name = extension.lower().partition(".")[0].replace("_", "-")
    return _COMPILED_IN.get(name, name)


def rebuild_extension(extension: str, wanted: str | None, have: str | None = None) -> Fix:
    """The release of an extension for the framework that is there; `have`: its own release."""
    package = package_of(extension)
    torch = wanted.removeprefix("torch ") if wanted and wanted.startswith("torch ") else None
    if package == "bitsandbytes":
        return _newer_bitsandbytes(have)
    own_build = torch is not None and any(map(str.isalpha, torch.partition("+")[0]))
    if package == "apex":
        return _apex()
    if package == "dgl":
        return _dgl(torch)
    if package == "spconv":
        return _spconv()
    if package in _ASK_FOR_TORCH and not own_build:
        return _with_its_torch(package, torch)
    if package in _COMPILED_BY_PIP or package in _OF_PYG:
        return _compiled(package, wanted, torch, have)
    return _elsewhere(extension, package, wanted)


def _newer_bitsandbytes(have: str | None) -> Fix:
    """One wheel holds its libraries for many releases of CUDA."""
    return Fix.by_user(
        "Install the current bitsandbytes: one package holds its libraries for all the releases "
        "of CUDA that it serves, for Windows, too. What it then finds, its own test tells; start "
        "that outside the folder of its source, which Python would take first.",
        ("pip install --upgrade --no-deps bitsandbytes", "python -m bitsandbytes"),
        undo=None if have is None else f"pip install --no-deps bitsandbytes=={have}",
    )


def _with_its_torch(package: str, torch: str | None) -> Fix:
    """With the release of torch named, pip takes the release of the package that asks for it."""
    if torch is None:
        return Fix.by_user(
            f"Each release of {package} is built for one release of torch. Name the torch that "
            "the first command tells, so that pip takes the release for it; where that ends in "
            f"+cu121, add --index-url {PYTORCH_INDEX}/whl/cu121.",
            (_ASK_TORCH, f"pip uninstall --yes {package}", f"pip install torch==RELEASE {package}"),
            undo=None,
        )
    release = torch.partition("+")[0]
    index = where_built("torch", torch)
    pinned = release if has_index(torch) else torch
    return Fix.by_user(
        f"Each release of {package} is built for one release of torch: remove it, and let pip take "
        f"the one for torch {release}.",
        (f"pip uninstall --yes {package}", f"pip install torch=={pinned} {package}{index}"),
        undo=None,
    )


_BUILD_APEX = (
    'pip install -v --no-build-isolation --config-settings "--build-option=--cpp_ext" '
    '--config-settings "--build-option=--cuda_ext" ./'
)


def _apex() -> Fix:
    """NVIDIA's, which PyPI does not have: what is called so there is something else."""
    return Fix.by_user(
        "Compile NVIDIA's apex with its CUDA half in the environment that is used, which takes "
        "nvcc of torch's CUDA; or switch the option off that asks for it: newer PyTorch has fused "
        "optimizers and layer norms of its own.",
        ("git clone https://github.com/NVIDIA/apex && cd apex", _BUILD_APEX),
        undo="pip uninstall apex",
    )


def _spconv() -> Fix:
    """It is for a CUDA, by its name, and asks pip for the cumm that it was compiled with."""
    return Fix.by_user(
        "Remove every spconv and every cumm that the first command lists, since several of them "
        "may share one folder. Then install spconv of one CUDA, of the same major as torch's, and "
        "let pip bring the release of cumm that it asks for.",
        (
            "pip list | grep -iE 'spconv|cumm'",
            "pip uninstall --yes spconv-cuNNN cumm-cuNNN",
            "pip install spconv-cuNNN",
        ),
        undo=None,
    )


#: Without importing it, which fails.
_FOLDER_OF_DGL = (
    "python -c \"import importlib.util as u; print(u.find_spec('dgl').submodule_search_locations)\""
)


def _dgl(torch: str | None) -> Fix:
    """Its names carry the whole release: the library for 2.4.0 does not serve 2.4.1."""
    have = "the torch that is there" if torch is None else f"torch {torch}"
    return Fix.by_user(
        f"Install the DGL that was built for {have}, from the page of wheels that DGL has for each "
        "torch (https://www.dgl.ai/pages/start.html); or one of the torch releases that the names "
        "of the files in its folder graphbolt or dgl_sparse tell. The command prints where DGL is.",
        (_FOLDER_OF_DGL,),
        undo=None,
    )


def _compiled(package: str, wanted: str | None, torch: str | None, have: str | None) -> Fix:
    """Compiled anew. What pip compiled for the old framework it has kept, and would put back."""
    name = package if have is None else f"{package}=={have.partition('+')[0]}"
    if package in _OF_PYG and torch and torch.partition("+")[2].startswith("cu"):
        page = f"{_PYG_WHEELS}/torch-{torch}.html"
        text = f"Install {package} from the page of its wheels for torch {torch}."
        return Fix.by_user(text, (f"{_COMPILE} {package} -f {page}",), undo=None)
    target = wanted or "the framework that is installed"
    text = f"Install {package} anew, so that it is built for {target}. Where there is no wheel for "
    text += "it, pip compiles it, which takes nvcc of the CUDA that the framework has; its page "
    text += "tells which releases go together."
    return Fix.by_user(text, (f"{_COMPILE} {name}",), undo=None)


#: A file, or a module whose name many packages have.
_TELLS_NO_PACKAGE = regex(r"\A_|\.(?:so|pyd|dll)\b|\A(?:core|custom|ext|ops|cuda|lib\w*)\Z")


def _elsewhere(extension: str, package: str, wanted: str | None) -> Fix:
    target = "the framework that is installed" if wanted is None else wanted
    if extension == OPENCV:
        return Fix.by_user(
            "Build OpenCV anew with the number of this GPU, which the first command tells, in "
            "CUDA_ARCH_BIN.",
            (
                "nvidia-smi --query-gpu=compute_cap --format=csv,noheader",
                "cmake .. -D WITH_CUDA=ON -D CUDA_ARCH_BIN=NUMBER",
            ),
            undo=None,
        )
    described = extension.startswith(("the ", "a "))  # "the extension", not a name
    if described or _TELLS_NO_PACKAGE.search(extension):
        which = "that is" if described else f"brings {extension}"
        text = f"Find which package {which}: the lines above the error name its files. Install its "
        text += f"release for {target}, or compile it there (its page tells which go together)."
        return Fix.by_user(text, (), undo=None)
    name = package if package == "sgl-kernel" else extension
    text = f"Install the release of {name} that was built for {target}, or compile it there "
    return Fix.by_user(f"{text}(its page tells which releases go together).", (), undo=None)
