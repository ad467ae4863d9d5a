"""Does the work run on the GPU that works?"""

from __future__ import annotations

from ...facts import names, said
from ...facts.model import Facts, Keys, Known
from ..fixes import placement
from ..model import Confidence, Finding, Findings, Fix, Severity, cite
from ..questions.driver_state import not_without_gpu
from ..questions.gpu_users import computing
from ..questions.gpus import gpus
from ..questions.kernel_floors import served_from
from ..questions.sentences import something_fails
from ..questions.statements import line_of, statements, value

_OF_TREES = ("xgboost", "lightgbm", "catboost")


def silent_cpu_fallback(facts: Facts) -> Findings:
    """What GP609 finds."""
    not_without_gpu(facts)
    if unnamed := _without_provider(facts):
        yield unnamed
        return
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
    if unasked := _no_layers_asked(facts):
        yield Finding(
            "llama.cpp can use the GPU, and was asked to put none of the model's layers there",
            cite(facts, *unasked),
            placement.LAYERS,
            confidence=Confidence.LIKELY,
            subject="package:llama-cpp-python",
        )
    if half := _given_the_cpu(facts):
        yield Finding(
            "CTranslate2 computes in half precision on this GPU, and was given the CPU",
            cite(facts, *half),
            placement.PLACE_CTRANSLATE2,
            confidence=Confidence.LIKELY,
        )
    if asked := _asked_for_the_cpu(facts):
        yield Finding(
            "The program itself tells a library to compute on the CPU",
            cite(facts, *asked),
            placement.NAMED_CPU,
            confidence=Confidence.LIKELY,
        )
    yield from _left_out_by_code(facts)
    yield from _left_out_by_opencv(facts)
    yield from _left_out_by_gromacs(facts)
    yield from _told_to_spare_gpu(facts)
    yield from _module_of_mxnet(facts)
    yield from _trees_on_cpu(facts)
    yield from _said_to_idle(facts)
    yield from _left_by_another_form(facts)
    yield from _left_out_by_spark(facts)
    fallen = statements(facts, "ort-fallback-cpu")
    others = ("ort-provider-failed", "ort-library-load", "ort-fallback-cuda")
    if fallen and not statements(facts, *others):
        yield Finding(
            "ONNX Runtime went on with another provider than was asked for",
            cite(facts, *fallen),
            placement.PROVIDERS,
            confidence=Confidence.LIKELY,
        )


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


def _left_out_by_code(facts: Facts) -> Findings:
    """Somebody read the program, which never moves anything to the GPU."""
    told = statements(facts, "code-leaves-gpu-out-told")
    if told and not something_fails(facts):
        yield Finding(
            "The code never gives its work to the GPU, by what somebody read there",
            cite(facts, *told),
            placement.PLACE,
            confidence=Confidence.LIKELY,
        )


def _left_out_by_opencv(facts: Facts) -> Findings:
    """Its CUDA backend tells of each layer that it has no code for."""
    if layers := statements(facts, "opencv-layers-on-cpu"):
        yield Finding(
            "OpenCV's CUDA backend leaves layers of the model to the CPU",
            cite(facts, *layers),
            Fix(
                "Take a release of OpenCV whose CUDA backend has those layers, or a model without "
                "them; ONNX Runtime and TensorRT compute more kinds of layers on the GPU."
            ),
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
            subject="package:opencv-python",
        )


def _left_out_by_gromacs(facts: Facts) -> Findings:
    """It tells of a simulation that its code for GPUs does not cover."""
    if left := statements(facts, "gromacs-leaves-gpu"):
        yield Finding(
            "GROMACS found a GPU, and cannot use it for this kind of simulation",
            cite(facts, *left),
            Fix(
                "Change what the log names in the .mdp file, mostly the cutoff-scheme, and make "
                "the .tpr file anew.",
                ("grep cutoff-scheme *.mdp",),
            ),
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
        )


def _told_to_spare_gpu(facts: Facts) -> Findings:
    """An option of the command leaves nearly all to the CPU, beside a GPU that could do it."""
    told = statements(facts, "gromacs-told-cpu")
    if told and (facts.known(names.CUDA_COUNT) or 0) > 0:
        yield Finding(
            "GROMACS was started with -nb cpu, which leaves the GPU alone",
            cite(facts, *told, names.CUDA_COUNT),
            Fix("Leave out -nb cpu, -pme cpu and -bonded cpu: mdrun then takes the GPU itself."),
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
        )
    few = statements(facts, "llama-few-layers")
    if few and not facts.known(said.ABOUT("ollama")):
        yield Finding(
            f"llama.cpp was told to put only {value(facts, 'llama-few-layers')} of the model's "
            "layers on the GPU; the CPU computes the rest",
            cite(facts, *few),
            placement.LAYERS,
            severity=Severity.WARNING,
            confidence=Confidence.POSSIBLE,
            subject="package:llama-cpp-python",
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


def _left_by_another_form(facts: Facts) -> Findings:
    """A compiled function is placed elsewhere than the same work outside of it."""
    told = statements(facts, "goes-to-cpu-told")
    if told and not something_fails(facts):
        yield Finding(
            "The same work runs on the GPU in one form and on the CPU in another, as the text says",
            cite(facts, *told),
            Fix(
                "See where the operations are placed; in TensorFlow "
                "tf.debugging.set_log_device_placement(True) tells it. Those of an input pipeline, "
                "such as a loop over a dataset, stay on the CPU: name the GPU for the rest, or "
                "move the loop out of the function."
            ),
            severity=Severity.WARNING,
            confidence=Confidence.POSSIBLE,
        )


#: A desktop keeps a GPU as busy as this.
_IDLE_PERCENT = 5


def _shown_idle(facts: Facts) -> Keys:
    """Nvidia-smi shows no GPU at work while a program computes, or weights lie in main memory."""
    made = statements(facts, "smi-while-told", "julia-weights-on-cpu")
    shown = facts.keys_of(names.GPU_UTILIZATION)
    busy = any((facts.known(key) or 0) > _IDLE_PERCENT for key in shown)
    return (*made, *shown) if made and shown and not busy else ()


def _left_out_by_spark(facts: Facts) -> Findings:
    """Parts of a plan that stay on the CPU, of which most plans have some, and an idle GPU."""
    left_out, idle = statements(facts, "spark-rapids-left-out"), statements(facts, "told-idle")
    if left_out and idle:
        yield Finding(
            f"The RAPIDS Accelerator leaves {value(facts, 'spark-rapids-left-out')} to the CPU",
            cite(facts, *left_out, *idle),
            placement.SPARK,
            severity=Severity.WARNING,
            confidence=Confidence.POSSIBLE,
        )


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


def _given_the_cpu(facts: Facts) -> Keys:
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
