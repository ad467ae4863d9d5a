"""Does the work run on the GPU that works?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.model import Facts, Keys, Known
from ..fixes import placement
from ..model import Confidence, Finding, Findings, Fix, Severity, cite
from ..questions.applicable import not_without_gpu
from ..questions.builds.cpu_of_tensorflow import OF_GPUS, for_gpus
from ..questions.gpus.known import gpus
from ..questions.gpus.users import computing
from ..questions.kernels.floors import served_from
from ..questions.sentences import something_fails
from ..questions.statements import line_of, statements, value

if TYPE_CHECKING:
    from collections.abc import Iterator

_OF_TREES = ("xgboost", "lightgbm", "catboost")


def silent_cpu_fallback(facts: Facts) -> Findings:
    """What GP609 finds."""
    not_without_gpu(facts)
    if unnamed := _without_provider(facts):
        yield unnamed
        return
    yield from _computed_elsewhere(facts)
    for title, keys, fix, subject in _given_the_cpu(facts):
        evidence, sure = cite(facts, *keys), Confidence.LIKELY
        yield Finding(title, evidence, fix, confidence=sure, subject=subject)
    for title, keys, fix, sure, subject in _left_in_part(facts):
        yield Finding(title, cite(facts, *keys), fix, Severity.WARNING, sure, subject)
    yield from _module_of_mxnet(facts)
    yield from _trees_on_cpu(facts)
    yield from _said_to_idle(facts)


def _computed_elsewhere(facts: Facts) -> Findings:
    """A framework that could use the GPU, by what it sees or has, and did not."""
    for framework in facts.subjects(said.FRAMEWORK_COMPUTED):
        sees, computed = said.FRAMEWORK_SEES_GPU(framework), said.FRAMEWORK_COMPUTED(framework)
        if facts.known(computed) is False and (
            facts.known(sees)
            or _has_provider(facts, framework)
            or _lists_devices(facts, framework)
            or _is_for_gpus(facts, framework)
        ):
            yield Finding(
                f"{placement.name_of(framework)} could use the GPU, and the work ran on the CPU",
                cite(facts, sees, computed, names.PACKAGE_BUILD("onnxruntime-gpu")),
                _asked_in(facts, framework),
                confidence=Confidence.LIKELY,
                subject=f"package:{framework}",
            )


def _given_the_cpu(facts: Facts) -> Iterator[tuple[str, Keys, Fix, str]]:
    """What leaves all of the work to the CPU: title, what shows it, repair, subject."""
    yield from _by_program(facts)
    if unasked := _no_layers_asked(facts):
        title = "llama.cpp can use the GPU, and was asked to put none of the model's layers there"
        yield title, unasked, placement.LAYERS, "package:llama-cpp-python"
    if half := _without_half_precision(facts):
        title = "CTranslate2 computes in half precision on this GPU, and was given the CPU"
        yield title, half, placement.PLACE_CTRANSLATE2, "machine"
    if asked := _asked_for_the_cpu(facts):
        title = "The program itself tells a library to compute on the CPU"
        yield title, asked, placement.NAMED_CPU, "machine"
    if loaded := statements(facts, "model-left-on-cpu"):
        title = f"The {value(facts, 'model-left-on-cpu')} was loaded on the CPU, beside a GPU"
        yield title, loaded, placement.LOADED, "package:transformers"
    if left := _not_moved(facts):
        title = "The model is loaded, and nothing moves it to the GPU: it stays on the CPU"
        yield title, left, placement.MOVED, "machine"
    if there := (refused := statements(facts, OF_GPUS)) and for_gpus(facts):
        title = (
            "TensorFlow is built for GPUs, and put an operation on the CPU that only a GPU can do"
        )
        yield title, (*refused, *there), placement.LAYOUT, "package:tensorflow"
    if unasked := statements(facts, "ray-trials-without-gpu"):
        yield "No trial of Ray Tune asks for a GPU", unasked, placement.TRIALS, "package:ray"
    told = statements(facts, "code-leaves-gpu-out-told")
    if told and not something_fails(facts):
        title = "The code never gives its work to the GPU, by what somebody read there"
        yield title, told, placement.PLACE, "machine"
    fallen = statements(facts, "ort-fallback-cpu")
    others = ("ort-provider-failed", "ort-library-load", "ort-fallback-cuda")
    if fallen and not statements(facts, *others):
        title = "ONNX Runtime went on with another provider than was asked for"
        yield title, fallen, placement.PROVIDERS, "machine"


def _by_program(facts: Facts) -> Iterator[tuple[str, Keys, Fix, str]]:
    """The same of programs that have a way of their own to name the GPU."""
    if started := statements(facts, "llama-started-without-layers"):
        title = "llama.cpp was started without a number of layers for the GPU, which may mean none"
        yield title, started, placement.LAYERS, "package:llama-cpp-python"
    if left_out := statements(facts, "blender-device-left-out"):
        title = f"Blender's script does not name {value(facts, 'blender-device-left-out')}"
        yield title, left_out, placement.BLENDER, "machine"
    if taken := statements(facts, "lightgbm-on-processor"):
        title = f"LightGBM computes on {value(facts, 'lightgbm-on-processor')}, which is no GPU"
        yield title, taken, placement.OPENCL, "package:lightgbm"


def _left_in_part(facts: Facts) -> Iterator[tuple[str, Keys, Fix, Confidence, str]]:
    """What leaves a part of the work to the CPU, or leaves it there in one form."""
    if layers := statements(facts, "opencv-layers-on-cpu"):
        title = "OpenCV's CUDA backend leaves layers of the model to the CPU"
        yield title, layers, placement.OPENCV, Confidence.LIKELY, "package:opencv-python"
    if left := statements(facts, "gromacs-leaves-gpu"):
        title = "GROMACS found a GPU, and cannot use it for this kind of simulation"
        yield title, left, placement.GROMACS, Confidence.LIKELY, "machine"
    spared, counted = statements(facts, "gromacs-told-cpu"), names.CUDA_COUNT
    if spared and (facts.known(counted) or 0) > 0:
        title = "GROMACS was started with -nb cpu, which leaves the GPU alone"
        yield title, (*spared, counted), placement.NOT_SPARED, Confidence.LIKELY, "machine"
    few = statements(facts, "llama-few-layers")
    minded = not statements(facts, "nonsense-told")  # not how fast it is, but what comes out
    if few and minded and not facts.known(said.ABOUT("ollama")):
        title = f"llama.cpp was told to put only {value(facts, 'llama-few-layers')} of the model's "
        title += "layers on the GPU; the CPU computes the rest"
        yield title, few, placement.LAYERS, Confidence.POSSIBLE, "package:llama-cpp-python"
    partly = statements(facts, "few-layers-told")
    if partly and not few and not something_fails(facts) and not facts.known(said.ABOUT("ollama")):
        title = f"Only {value(facts, 'few-layers-told')} of the model's layers are on the GPU, as "
        title += "the text says; the CPU computes the rest"
        yield title, partly, placement.LAYERS, Confidence.POSSIBLE, "machine"
    told = statements(facts, "goes-to-cpu-told")
    if told and not something_fails(facts):
        title = "The same work runs on the GPU in one form and on the CPU in another, as the text "
        yield f"{title}says", told, placement.SEE_WHERE, Confidence.POSSIBLE, "machine"
    left_out, idle = statements(facts, "spark-rapids-left-out"), statements(facts, "told-idle")
    if left_out and idle:
        title = f"The RAPIDS Accelerator leaves {value(facts, 'spark-rapids-left-out')} to the CPU"
        yield title, (*left_out, *idle), placement.SPARK, Confidence.POSSIBLE, "machine"


def _without_provider(facts: Facts) -> Finding | None:
    """By ONNX Runtime's own word, or by that of somebody who read the code."""
    if chosen := statements(facts, "ort-providers-not-chosen"):
        return Finding(
            "The session of ONNX Runtime was made without naming a provider",
            cite(facts, *chosen, names.PACKAGE_VERSION("onnxruntime-gpu")),
            placement.PROVIDERS,
        )
    told = statements(facts, "ort-providers-not-named-told")
    if not told or something_fails(facts):
        return None
    return Finding(
        "The session of ONNX Runtime is made without asking for CUDA",
        cite(facts, *told),
        placement.PROVIDERS,
        confidence=Confidence.LIKELY,
    )


def _said_to_idle(facts: Facts) -> Findings:
    """A framework sees the GPU, and somebody says that nothing runs there."""
    idle = statements(facts, "told-idle") or _shown_idle(facts)
    if not idle:
        return
    for framework in facts.subjects(said.FRAMEWORK_SEES_GPU):
        sees = said.FRAMEWORK_SEES_GPU(framework)
        if facts.known(sees) and facts.known(said.FRAMEWORK_COMPUTED(framework)) is None:
            yield Finding(
                f"{placement.name_of(framework)} sees the GPU, and it has nothing to do",
                cite(facts, sees, *idle),
                placement.ask_for_gpu(framework),
                confidence=Confidence.POSSIBLE,
                subject=f"package:{framework}",
            )
            return
    here = line_of(facts, said.DEVICE_IN_USE)
    busy = (facts.known(key) for key in (said.PROGRESS, said.DEVICE_WORKED))
    if here and here != line_of(facts, idle[0]) and not (any(busy) or something_fails(facts)):
        yield Finding(
            "The program says that it is on the GPU, which has nothing to do",
            cite(facts, said.DEVICE_IN_USE, *idle),
            placement.PLACE,
            confidence=Confidence.POSSIBLE,
        )
        return
    asked = statements(facts, "ort-cuda-asked")
    if asked and _has_provider(facts, "onnxruntime") and not something_fails(facts):
        yield Finding(
            "ONNX Runtime has its CUDA provider, is asked for it, and the GPU has nothing to do",
            cite(facts, names.PACKAGE_BUILD("onnxruntime-gpu"), *asked, *idle),
            placement.PROVIDERS,
            confidence=Confidence.POSSIBLE,
            subject="package:onnxruntime",
        )


#: A desktop keeps a GPU as busy as this.
_IDLE_PERCENT = 5


def _shown_idle(facts: Facts) -> Keys:
    """Nvidia-smi shows no GPU at work while a program computes, or weights lie in main memory."""
    made = statements(facts, "smi-while-told", "julia-weights-on-cpu")
    shown = facts.keys_of(names.GPU_UTILIZATION)
    busy = any((facts.known(key) or 0) > _IDLE_PERCENT for key in shown)
    return (*made, *shown) if made and shown and not busy else ()


def _asked_in(facts: Facts, framework: str) -> Fix:
    """How the program asks for the GPU: Lightning in the place of PyTorch."""
    lightning = framework == "torch" and statements(facts, "lightning-gpu-unused")
    return placement.LIGHTNING if lightning else placement.ask_for_gpu(framework)


def _no_layers_asked(facts: Facts) -> Keys:
    """Only a build for GPUs prints how many layers it puts there; Ollama asks by free memory."""
    asked = statements(facts, "llama-no-layers-asked")
    computed = said.FRAMEWORK_COMPUTED("llama-cpp-python")
    if facts.known(said.ABOUT("ollama")) or facts.known(computed):
        return ()
    return () if _lists_devices(facts, "llama-cpp-python") else asked


def _asked_for_the_cpu(facts: Facts) -> Keys:
    """By an option, as the program says; by code, where somebody wonders why the GPU idles."""
    failing = (said.ERROR, names.LIBRARY_MISSING, said.LIBRARY_BROKEN)
    started_so = statements(facts, "isaac-physics-on-cpu")
    if started_so and not any(facts.subjects(each) for each in failing):
        return started_so
    code, idle = statements(facts, "code-asks-for-cpu"), statements(facts, "told-idle")
    told = (facts.fact(key) for key in (*code, *idle))
    lines = {fact.source for fact in told if isinstance(fact, Known)}
    return (*code, *idle) if len(lines) > 1 else ()  # one line alone says what it is for


def _not_moved(facts: Facts) -> Keys:
    """Code that loads a model and names no device, on a machine whose GPU a program can use."""
    unseen = any(facts.known(each) is False for each in facts.keys_of(said.FRAMEWORK_SEES_GPU))
    builds = (facts.known(each) for each in facts.keys_of(names.PACKAGE_BUILD))
    if unseen or "cpu" in builds or something_fails(facts):
        return ()
    return statements(facts, "model-not-moved")


def _without_half_precision(facts: Facts) -> Keys:
    """CTranslate2 finds no fast half precision on its device, and every GPU has it."""
    asked = statements(facts, "ctranslate2-no-float16")
    present = gpus(facts)
    if not asked or not present:
        return ()
    least = served_from("ctranslate2", "float16")
    able = least is not None and all(gpu.capability >= least for gpu in present)
    return (*asked, *(gpu.key for gpu in present)) if able else ()


#: More of a GPU's memory than this is free where nobody has even a context on it.
_UNUSED = 0.98
#: A desktop leaves so much of it, where nvidia-smi lists none but its programs.
_DRAWN = 0.75


def _module_of_mxnet(facts: Facts) -> Findings:
    """A Module without a context in code that names no GPU, and GPUs that nothing uses."""
    code, unused = statements(facts, "mxnet-module-on-cpu"), _unused(facts)
    if code and unused and not statements(facts, "mxnet-gpu-named"):
        yield Finding(
            "MXNet computes on the CPU where a Module is given no context, and the GPU is unused",
            cite(facts, *code, *unused),
            placement.CONTEXT,
            confidence=Confidence.LIKELY,
            subject="package:mxnet",
        )


def _trees_on_cpu(facts: Facts) -> Findings:
    """Trees that are boosted by code which names no device, and GPUs that nothing uses."""
    unused = _unused(facts)
    for library in _OF_TREES if unused else ():
        code = said.FRAMEWORK_COMPUTED(library)
        if facts.known(code) is False:
            yield Finding(
                f"{library} computes on the CPU where no device is named, and the GPU is unused",
                cite(facts, code, *unused),
                placement.TREES,
                confidence=Confidence.LIKELY,
                subject=f"package:{library}",
            )


def _unused(facts: Facts) -> Keys:
    """The free memory of the GPUs, where nothing has taken any but what draws on a screen."""
    gpus_shown = facts.subjects(names.GPU_MEMORY_FREE)
    if not gpus_shown:
        return _idle(facts)
    for gpu in gpus_shown:
        free, total = facts.known(names.GPU_MEMORY_FREE(gpu)), facts.known(names.GPU_MEMORY(gpu))
        draws = facts.known(names.GPU_PROCESSES(gpu)) and not computing(facts, gpu)
        if free is None or total is None or free <= (_DRAWN if draws else _UNUSED) * total:
            return ()
    return tuple(names.GPU_MEMORY_FREE(gpu) for gpu in gpus_shown)


def _idle(facts: Facts) -> Keys:
    """That no GPU has any work, where nothing is told of their memory."""
    shown = facts.keys_of(names.GPU_UTILIZATION)
    return () if any(map(facts.known, shown)) else shown


def _lists_devices(facts: Facts, framework: str) -> bool:
    """Whether there were devices for llama.cpp, Ollama or LAMMPS, and they were left alone.

    The program printed CUDA's itself, or nvidia-smi lists some in the same text.
    """
    listed = (facts.known(names.CUDA_COUNT) or 0) > 0
    if framework in ("ollama", "lammps"):
        return listed or (facts.known(names.NVML_COUNT) or 0) > 0
    return framework == "llama-cpp-python" and listed


def _is_for_gpus(facts: Facts, framework: str) -> bool:
    """Whether it is a CUDA build beside a driver that lists GPUs, of which it says nothing."""
    sees, build = said.FRAMEWORK_SEES_GPU(framework), names.PACKAGE_BUILD(framework)
    asked = facts.known(sees) is None and facts.known(build) == "cuda"
    return asked and (facts.known(names.NVML_COUNT) or 0) > 0 and not something_fails(facts)


def _has_provider(facts: Facts, framework: str) -> bool:
    """Whether ONNX Runtime has its CUDA provider, and nothing says that it could not start."""
    if framework != "onnxruntime" or facts.known(names.PACKAGE_BUILD("onnxruntime-gpu")) != "cuda":
        return False
    if facts.known(names.PACKAGE_BUILD("onnxruntime")) == "cpu":
        return False  # the module itself says what it is, whatever is installed beside it
    failed = statements(facts, "ort-provider-failed", "ort-library-load")
    return not failed and not facts.subjects(names.LIBRARY_MISSING)
