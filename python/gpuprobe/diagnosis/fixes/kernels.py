"""The build of a framework that has code for a GPU."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.version import Version
from ..model import Fix
from ..questions.kernels.floors import bfloat16_refused
from ..questions.kernels.no_code import NEW, KernelFault, speaker
from ..questions.packages.frameworks import Package, framework_of, spelt
from ..questions.place import place_of
from ..questions.toolkit.architectures import arch_unknown
from ..questions.toolkit.asked_targets import ASKED
from .framework import besides, fitting_build, jetson_build, no_build, undo_of, with_beside
from .ground import Choice, ground_of, in_place_of
from .one_release import newer_cuda_jl

if TYPE_CHECKING:
    from ...facts.model import Facts
    from .ground import Ground


def build_with_code(facts: Facts, fault: KernelFault) -> Fix:
    """Install such a build, where the tables know one; else say what has to be sought."""
    package = fault.package or _said_by_torch(fault)
    version = None if package is None else facts.known(names.PACKAGE_VERSION(package))
    undo = None if package is None else undo_of(package, version)
    ground = ground_of(facts)
    framework = None if package is None else framework_of(package)
    if ground.jetson and package is not None:
        return jetson_build(framework or package, undo)
    if own := _of_its_kind(facts, fault, package, undo):
        return own
    if framework is None or package is None or fault.gpu is None:
        return _sought(fault, undo)
    if fault.gpu.capability not in ground.capabilities:
        ground = replace(ground, capabilities=(fault.gpu.capability,))
    found = fitting_build(Package(package, framework, "", "cuda"), ground)
    if isinstance(found, Choice):
        text = f"Install a build of {package} that has code for this GPU."
        there = ground.torch_packages if package == "torch" else (package,)
        commands = in_place_of(there, with_beside(found, there))
        return Fix.by_user(text + besides(found), commands, undo=undo)
    if found is not None:
        return no_build(framework, found, ground, undo)
    of_torch = _torch(ground, fault.gpu.capability, undo) if package == "torch" else None
    return of_torch or _sought(fault, undo)


def _of_its_kind(
    facts: Facts, fault: KernelFault, package: str | None, undo: str | None
) -> Fix | None:
    """For what has no other build of the same release, or is not installed by pip."""
    if said.CONTAINER_IMAGE in fault.keys:
        text = "Take an earlier release of the image, whose release notes still name this GPU's "
        return Fix.by_user(text + "capability, or use a newer GPU.", (), undo=undo)
    if any(key in fault.keys for key in (_NO_BFLOAT16, *bfloat16_refused(facts))):
        return _in_other_numbers()
    if said.SIGN("flash-attn-gpu-too-old") in fault.keys or package == "flash-attention":
        return _without_flash_attention()
    if fault.cause != NEW and any(key in fault.keys for key in _OF_A_PART):
        return _without_the_part()
    if _OF_CUQUANTUM in fault.keys:
        return _without_cuquantum()
    if any(key in fault.keys for key in (said.SIGN("nvcc-arch-unknown"), *ASKED)):
        return _other_toolkit(facts, fault) or _compile_for(fault)
    if any(key in fault.keys for key in _LEFT_ALONE):
        return _show_newer_alone()
    julia = _of_julia(facts, fault) if package == "cuda-jl" else None
    return julia or _of_tensorflow_1(facts, fault)


def _other_toolkit(facts: Facts, fault: KernelFault) -> Fix | None:
    """What nvcc refuses another toolkit compiles; no build of the program is at fault."""
    from ...knowledge.architecture import architecture
    from .toolkit import install_toolkit

    refused = arch_unknown(facts)
    known = None if refused is None else architecture(refused.capability)
    if refused is None or known is None:
        return None
    new = fault.cause == NEW
    cuda = known.first_toolkit if new else known.last_toolkit
    if cuda is None:
        return None
    which, way = ("first", "later") if new else ("last", "earlier")
    torch = facts.known(names.PACKAGE_CUDA("torch"))
    beside = ""  # an extension is compiled with the CUDA of the PyTorch that loads it
    if torch is not None and (torch < cuda if new else torch.major > cuda.major):
        beside = f" PyTorch is of CUDA {torch} here: take a build for {cuda} or {way} with it."
    fix = install_toolkit(facts, place_of(facts), cuda)
    serves = f"CUDA {cuda} is the {which} that compiles for {refused.capability}."
    return replace(fix, text=f"{serves}{beside} {fix.text}")


def _compile_for(fault: KernelFault) -> Fix | None:
    """A builder named other architectures, as people who compiled on another machine do."""
    if fault.gpu is None or said.SIGN("cmake-architectures-asked") not in fault.keys:
        return None
    first, last = _first_toolkit(fault), _last_toolkit(fault)
    with_cuda = (
        ""
        if first is None
        else f", with CUDA {first}" + (" or later" if last is None else f" to {last}")
    )
    return Fix.by_user(
        f"Compile the program anew{with_cuda}: name {_target(fault.gpu.capability)} in the option "
        "for the architectures, beside the others if the program is to run on those as well. "
        "Remove what was compiled before.",
    )


_NO_BFLOAT16 = said.SIGN("bfloat16-gpu-too-old")


def _in_other_numbers() -> Fix:
    """No build gives a GPU a type of numbers that it does not compute in."""
    from ...knowledge.architecture import first_with

    return Fix.by_user(
        "Let the program compute in float16 or float32, by its option for the type of numbers "
        f"(dtype, precision), or use a GPU of capability {first_with('bfloat16')} or later.",
        undo="give the option its former value",
    )


#: By these a program refuses what was asked of it, and would do other work on this GPU.
_OF_A_PART = said.SIGN("part-gpu-too-old"), said.SIGN("attention-other-gpu")
_OF_CUQUANTUM = said.SIGN("cuquantum-failed")


def _without_the_part() -> Fix:
    """A kernel or a type of numbers that no build has for this GPU; most programs have others."""
    return Fix.by_user(
        "No build of what was asked for serves this GPU. Ask the program for another one by its "
        "options: a quantisation or type of numbers that the GPU computes in (float16, INT8, INT4 "
        "in the place of FP8 and FP4), another attention or back end. Where it serves no such GPU "
        "at all, take an earlier release of it, or use a newer GPU.",
        undo="give the option its former value",
    )


def _without_cuquantum() -> Fix:
    return Fix.by_user(
        "No release of cuQuantum serves this GPU. Let the program simulate without it: PennyLane "
        "on lightning.kokkos, compiled for this GPU, or on lightning.qubit; Qiskit Aer with "
        "cuStateVec_enable=False. Or use a newer GPU.",
        undo="give the device its former name",
    )


#: By these Ollama uses no GPU, as one of several is too old for it.
_LEFT_ALONE = said.FRAMEWORK_COMPUTED("ollama"), said.SIGN("told-idle")


def _show_newer_alone() -> Fix:
    return Fix.by_user(
        "Show Ollama's server only the GPUs that it serves: set CUDA_VISIBLE_DEVICES to their "
        "UUIDs where the server is started, and start it anew. Or take the older card out.",
        ("nvidia-smi -L",),
        undo="take the variable away again",
    )


#: By these PyTorch speaks of its own build, not of a part that wants a newer GPU.
_OF_ITS_BUILD = (
    said.SIGN("torch-capability-not-covered"),
    said.SIGN("torch-build-too-new-for-gpu"),
    said.SIGN("torch-capability-too-old"),
    said.SIGN("torch-no-kernels-for-gpu"),
)


def _said_by_torch(fault: KernelFault) -> str | None:
    return "torch" if any(key in fault.keys for key in _OF_ITS_BUILD) else None


def _torch(ground: Ground, capability: Version, undo: str | None) -> Fix | None:
    """By the GPU alone: the build that most drivers serve, or that there is none at all."""
    from .pytorch import index_commands, never_for, newest_build, pair_too

    if never := never_for(capability):
        return Fix(never)
    found = newest_build(ground)
    if found is None:
        return None
    text = (
        f"Install a build of PyTorch for CUDA {found.cuda.major}.{found.cuda.minor}, which has "
        f"code for this GPU, in the environment of the program.{pair_too(ground)}"
    )
    return Fix.by_user(text, index_commands(found, ground), undo=undo)


#: By either CUDA.jl tells of GPUs that it does not know, whatever CUDA it has.
_UNKNOWN_TO_JULIA = (
    said.SIGN("julia-gpu-not-covered"),
    said.FRAMEWORK_ARCHITECTURES("cuda-jl"),
)


def _of_julia(facts: Facts, fault: KernelFault) -> Fix | None:
    """Another CUDA for CUDA.jl, which downloads the one that it is told."""
    from ...knowledge.architecture import architecture

    known = None if fault.gpu is None else architecture(fault.gpu.capability)
    if known is None:
        return None
    cuda = known.first_toolkit if fault.cause == "gpu-too-new" else known.last_toolkit
    if cuda is None:
        return None
    told = (key for key in _UNKNOWN_TO_JULIA if key in fault.keys)
    if fault.cause == NEW and any(facts.known(key) is not None for key in told):
        return newer_cuda_jl(f"the GPU with CUDA {cuda} or later")
    text = (
        f"Let CUDA.jl use CUDA {cuda}, which makes code for this GPU, and start Julia anew. Where "
        "CUDA.versioninfo() then still names a compiler of another CUDA, take a release of CUDA.jl "
        "of the time of that CUDA."
    )
    command = f"julia -e 'using CUDA; CUDA.set_runtime_version!(v\"{cuda}\")'"
    undo = "julia -e 'using CUDA; CUDA.reset_runtime_version!()'"
    return Fix.by_user(text, (command,), undo=undo)


def _without_flash_attention() -> Fix:
    """Its floor is one of its kernels, which no other build of it has for older GPUs."""
    return Fix.by_user(
        "No build of FlashAttention serves a GPU below that floor. Let the program use another "
        "attention: that of PyTorch (scaled_dot_product_attention; in Transformers "
        'attn_implementation="sdpa") or xFormers. Programs that take FlashAttention where it is '
        "installed do so once it is gone. Or use a newer GPU.",
        ("pip uninstall flash-attn",),
        undo="pip install flash-attn --no-build-isolation",
    )


#: Of its own TensorFlow 1 NVIDIA made no later image, and this one's CUDA no code for later GPUs.
_LAST_IMAGE, _LAST_SERVED = "nvcr.io/nvidia/tensorflow:23.03-tf1-py3", Version("9.0")


def _of_tensorflow_1(facts: Facts, fault: KernelFault) -> Fix | None:
    """TensorFlow 1 ended before these GPUs came; NVIDIA built its last release anew for them."""
    releases = (facts.known(names.PACKAGE_VERSION(each)) for each in _TENSORFLOWS)
    if not any((release or "").startswith("1.") for release in releases):
        return None
    if fault.cause != "gpu-too-new" or fault.package not in (None, *_TENSORFLOWS):
        return None
    if fault.gpu is None or fault.gpu.capability > _LAST_SERVED or _first_toolkit(fault) is None:
        return None
    cuda = _first_toolkit(fault)
    return Fix.by_user(
        f"No TensorFlow 1 of PyPI was made with CUDA {cuda} or later. Use NVIDIA's own build of "
        "1.15: its image, which wants a driver from 525 on, or its package nvidia-tensorflow for "
        f"Linux. Or move the program to a release that was made with CUDA {cuda} or "
        f"later{_since('tensorflow', cuda)}.",
        (f"docker run --rm -it --gpus all {_LAST_IMAGE}",),
        undo=f"docker rmi {_LAST_IMAGE}",
    )


_TENSORFLOWS = ("tensorflow", "tensorflow-gpu")


def _sought(fault: KernelFault, undo: str | None) -> Fix:
    what = _who(fault)
    if fault.cause == "gpu-too-new":
        cuda = _first_toolkit(fault)
        since = _since(what, cuda)
        text = (
            f"Install a newer build of {what}: one that was made with CUDA {cuda} or later{since}."
            if cuda is not None
            else f"Install a newer build of {what}: one that came out after the GPU."
        )
    else:
        target = "this GPU" if fault.gpu is None else _target(fault.gpu.capability)
        last = _last_toolkit(fault)
        made = "" if last is None else f" (CUDA {last} is the last that makes any)"
        text = (
            f"Install a build of {what} that has code for {target}{made}, compile it for this GPU, "
            "or use a newer GPU."
        )
    return Fix.by_user(text, (), undo=undo)


def _who(fault: KernelFault) -> str:
    """PyTorch may speak of a part alone, for which no other build of it has code."""
    if fault.package is not None:
        return spelt(fault.package)
    by = speaker(fault.keys)
    return "the program" if by is None or by == "PyTorch" else by


def _target(capability: Version) -> str:
    return f"sm_{capability.major}{capability.minor}"


def _first_toolkit(fault: KernelFault) -> Version | None:
    from ...knowledge.architecture import architecture

    found = None if fault.gpu is None else architecture(fault.gpu.capability)
    return None if found is None else found.first_toolkit


def _since(framework: str, cuda: Version | None) -> str:
    """The release with which that began, where the tables tell of it."""
    from ...knowledge import pytorch, tensorflow

    if cuda is None:
        return ""
    if framework == "torch":
        release = pytorch.first_with_cuda(cuda)
    else:
        release = tensorflow.first_with_cuda(cuda) if framework == "tensorflow" else None
    return "" if release is None else f", as {framework} is since {release}"


def _last_toolkit(fault: KernelFault) -> Version | None:
    """The last that compiles for the GPU; None: it is not known, or there is no last one yet."""
    from ...knowledge.architecture import architecture

    found = None if fault.gpu is None else architecture(fault.gpu.capability)
    return None if found is None else found.last_toolkit
