"""What a program's own message says that it does wrong, and what to change in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts.regex import regex
from ..fixes.program import mend_the_program
from ..model import Confidence, Finding, Findings, Fix, cite
from ..questions.statements import statements, title_of
from ..questions.symptoms import library_gone, module_gone, sees_none
from ..questions.unreached.cause import HIDDEN
from ..questions.visible.values import VISIBLE

if TYPE_CHECKING:
    from ...facts.model import Facts

_MAKE_ON_GPU = (
    "Make the tensor on the GPU, torch.ones(…, device='cuda', requires_grad=True): .cuda() gives a "
    "copy, and the gradient goes to what was copied."
)
_CHOOSE_EARLY = (
    "Choose the GPU before anything starts CUDA, torch.cuda.is_available() included: set "
    "CUDA_VISIBLE_DEVICES in the shell that starts the program."
)
_AS_OF_THIS_RELEASE = (
    "Write it as this release has it: tf.compat.v1 keeps TensorFlow 1's names in 2.x, and before "
    "2.1 the list of GPUs was tf.config.experimental.list_physical_devices."
)
_PLACE_SOFTLY = (
    "Name a device that TensorFlow lists. An operation that has code for the CPU alone needs soft "
    "placement: tf.config.set_soft_device_placement(True), allow_soft_placement in TensorFlow 1."
)
_NOT_BEFORE_FORK = (
    "Start worker processes with the method spawn, not fork. In a notebook, start it anew and let "
    "nothing use CUDA before the launcher."
)
#: Statements about the program, and what to change in it.
_STATED = (
    ("torch-cuda-in-fork", _NOT_BEFORE_FORK),
    ("torch-devices-differ", "Move all tensors of an operation to one device, .to(device)."),
    ("torch-dtype-device-differ", "Move inputs and weights to one device and one type."),
    ("tensor-on-gpu-to-numpy", "Copy the tensor to the CPU first: tensor.cpu().numpy()."),
    (
        "arrays-of-two-devices",
        "Bring model and data to one device: model.to_gpu(), cupy.asarray(data).",
    ),
    ("grad-of-copy", _MAKE_ON_GPU),
    ("torch-fewer-devices", "Load the file with map_location set to a device that is there."),
    ("torch-invalid-device-id", "Name only GPUs that are there, by numbers from 0 on."),
    (
        "device-index-refused",
        "Name only GPUs that the program sees: CUDA_VISIBLE_DEVICES numbers them from 0 on anew.",
    ),
    ("tf-growth-too-late", "Set memory growth before the first use of a GPU, on all GPUs alike."),
    ("visible-devices-not-numbers", "Name the GPU by its number in CUDA_VISIBLE_DEVICES."),
    ("gpu-choice-ignored", _CHOOSE_EARLY),
    ("not-enough-gpus", "Ask for no more GPUs than the machine has."),
    ("tf-device-not-there", _PLACE_SOFTLY),
    ("kokkos-without-request", "Ask for GPUs in the command: -k on g 1 -sf kk takes one of them."),
    ("julia-kernel-exception", "Run Julia with -g2, which names the exception and its line."),
    ("sycl-too-many-registers", "Start the kernel with smaller work-groups: 512 or 256 items."),
    (
        "tensorrt-plan-unreadable",
        "Write and read the engine's file as bytes, whole: open(path, 'rb'), ios::binary.",
    ),
    (
        "torch-device-without-index",
        "Name the GPU with its number where the device is made: torch.device('cuda:0').",
    ),
    (
        "catboost-not-on-gpu",
        "Leave the setting that the message names at its default, or train on the CPU with it.",
    ),
    (
        "gpu-argument-gone",
        "Give Lightning's Trainer accelerator='gpu' and devices=…, which 2.0 has in its place.",
    ),
    ("tf-name-of-other-release", _AS_OF_THIS_RELEASE),
    (
        "tf-index-outside",
        "Look up indices from 0 on, below the size: an Embedding's input_dim is the last plus 1.",
    ),
    (
        "tf-nothing-to-launch",
        "Let no array without elements come to the GPU: look for a batch or a dimension of 0.",
    ),
    ("shape-mismatch", "Look at the shapes of the arguments that the message names."),
    (
        "tf-name-not-in-graph",
        "Print the names that the loaded graph has, and ask for one of them; the GPU is not asked.",
    ),
)
#: Of statements whose value is no sentence.
_TITLES = {
    "visible-devices-not-numbers": "The program takes GPUs by number, and is given {}",
    "not-enough-gpus": "The program asks for more GPUs than there are",
    "tf-device-not-there": "The program puts an operation on GPU:{}, where TensorFlow cannot do it",
    "tf-name-not-in-graph": "The program asks for {}, a name that the graph does not have",
    "torch-fewer-devices": "An object was saved {}",
}
#: Of a file that was saved on a GPU, where torch counts none: the set-up need not work.
_SEES_NONE = Fix(
    "torch counts no GPU here. Where none is meant to be, load the file with map_location='cpu'; "
    "else see what this process is shown before anything else.",
    (
        "python -c 'import torch; print(torch.version.cuda, torch.cuda.is_available())'",
        "echo $CUDA_VISIBLE_DEVICES; nvidia-smi -L",
    ),
)
#: What stands in front of a message: the marks of a list, a quotation, a debugger.
_MARKS = regex(r"\A[-=>#•|\s`]{0,12}(?:\*\*[^*\n]{1,40}\*\*\s|\*{1,3}\s?)?(?=\S)")


def stated(facts: Facts) -> Findings:
    """The first of the statements that a program makes about itself."""
    if sees_none(facts) or library_gone(facts) or module_gone(facts):
        return  # a program on a machine without a working GPU says many such things
    for sign, fix in _STATED:
        keys = statements(facts, sign)
        words = str(facts.known(keys[0])) if keys else "MIG-"
        if words.startswith("MIG-"):  # GP305
            continue
        title = _TITLES.get(sign, "The program is at fault: {}").format(_MARKS.sub("", words))
        left_out = sign == "device-index-refused" and facts.known(VISIBLE) is not None
        yield Finding(
            title_of(title),
            cite(facts, *keys, *((VISIBLE,) if left_out else ())),
            _SEES_NONE if words.endswith("device_count() is 0") else mend_the_program(fix),
            confidence=Confidence.LIKELY,
            cause=HIDDEN if left_out else None,
        )
        return
