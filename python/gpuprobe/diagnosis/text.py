"""The verdict on a pasted text: what it shows at work, what it shows failing, what it leaves out.

A text is what somebody chose to show. That it is silent about something says nothing about the
machine, so unlike on a machine a check that could not look leaves nothing open. And it has no
clock: a table of nvidia-smi may be older than the failure below it, so that a proof does not
clear what was found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..facts import names, said
from ..facts.model import Facts, Family, Key, Known
from .model import Diagnosis, Link, MissingFact, Proof, Role, Severity, Verdict
from .questions.packages import title_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .model import Checked, Placed


def judged(facts: Facts, placed: Sequence[Placed], checks: Sequence[Checked]) -> Diagnosis:
    """The judgement of a text by the findings that are placed already."""
    proof = last_proof(facts)
    mixed = facts.known(said.MACHINES) is not None
    if mixed and proof is not None and not any(_failures(facts, proof)):
        # Something works and nothing failed: what the tables find mixes versions of two machines.
        placed = [replace(each, role=Role.NOTE) for each in placed]
    verdict = _verdict(facts, placed, proof)
    settling = tuple(_settling(facts)) if verdict is Verdict.UNKNOWN else ()
    return Diagnosis(verdict, tuple(placed), tuple(checks), proof, settling)


def _verdict(facts: Facts, placed: Sequence[Placed], proof: Proof | None) -> Verdict:
    root = placed[0] if placed and placed[0].role is Role.ROOT else None
    if root is not None:
        severe = root.finding.severity is Severity.ERROR
        return Verdict.BROKEN if severe else Verdict.DEGRADED
    if proof is None or any(_failures(facts, proof)):
        return Verdict.UNKNOWN
    return Verdict.HEALTHY


# -- what works ------------------------------------------------------------------------------


def last_proof(facts: Facts) -> Proof | None:
    """The last link of the chain that the text shows at work."""
    return next(_proofs(facts), None)


def _proofs(facts: Facts) -> Iterator[Proof]:
    """Each proof that the text holds, the farthest along the chain first."""
    for framework, source in _true(facts, said.FRAMEWORK_COMPUTED):
        yield Proof(Link.WORK, f"{title_of(framework)} computed on the GPU", source)
    for framework, source in _true(facts, said.FRAMEWORK_SEES_GPU):
        yield Proof(Link.FRAMEWORK, f"{title_of(framework)} sees the GPU", source)
    for framework, source in _true(facts, said.FRAMEWORK_COUNT):
        yield Proof(Link.FRAMEWORK, f"{title_of(framework)} lists the GPU", source)
    for key, words, link in (
        (names.CUDA_COUNT, "CUDA starts and sees {} GPU", Link.VISIBLE_DEVICES),
        (names.NVML_COUNT, "the driver answers and lists {} GPU", Link.KERNEL_MODULE),
    ):
        count = facts.fact(key)
        if isinstance(count, Known) and count.value > 0:
            yield Proof(link, words.format(count.value), count.source)


def _true(facts: Facts, family: Family[bool] | Family[int]) -> Iterator[tuple[str, str]]:
    for subject in facts.subjects(family):
        fact = facts.fact(family(subject))
        if isinstance(fact, Known) and fact.value:
            yield subject, fact.source


# -- what fails ------------------------------------------------------------------------------

#: A framework that sees the GPU has loaded what it needs; before that these count.
_BEFORE_FRAMEWORK = (names.LIBRARY_MISSING, said.LIBRARY_BROKEN, said.SYMBOL_WANTED_BY)
_ALWAYS = (said.ERROR, said.SIGN, names.XID, names.GPU_FAILURE)
_OUTCOMES = (names.NVML_OUTCOME, names.CUDA_OUTCOME, names.KERNEL_OUTCOME)


def _failures(facts: Facts, proof: Proof) -> Iterator[str]:
    """The facts that show a failure which no rule explained and `proof` does not outlive."""
    families = _ALWAYS if proof.link >= Link.FRAMEWORK else (*_ALWAYS, *_BEFORE_FRAMEWORK)
    for family in families:
        for subject in facts.subjects(family):
            if family is not said.SIGN or subject not in said.CIRCUMSTANCES:
                yield family(subject).name
    for sees in (said.FRAMEWORK_SEES_GPU, said.FRAMEWORK_COUNT):
        for subject in facts.subjects(sees):
            if facts.known(sees(subject)) in (False, 0):
                yield sees(subject).name
    for outcome in _OUTCOMES:
        if facts.known(outcome) in ("failed", "hung", "crashed", "not loaded", "wrong"):
            yield outcome.name


# -- what would settle it --------------------------------------------------------------------

_SHOWS = {
    "torch": "python -m torch.utils.collect_env",
    "tensorflow": "python -c "
    "\"import tensorflow as tf; print(tf.config.list_physical_devices('GPU'))\"",
    "jax": 'python -c "import jax; jax.print_environment_info()"',
    "cupy": 'python -c "import cupy; cupy.show_config()"',
    "onnxruntime": 'python -c "import onnxruntime as o; print(o.get_available_providers())"',
}
_WHY = "not in the text"
_WHOLE_MESSAGE = "the whole message of the command that fails, from its first line on"


def _settling(facts: Facts) -> Iterator[MissingFact]:
    """What to ask for, in the order of the chain, each with the command that shows it."""
    if not isinstance(facts.fact(names.NVML_COUNT), Known):
        wanted: tuple[Key[object], ...] = (names.DRIVER_VERSION, names.GPU_NAME("0"))
        for key in wanted:
            if facts.known(key) is None:
                yield MissingFact(key.name, _WHY, "nvidia-smi")
    frameworks = _frameworks(facts)
    if not frameworks:
        yield MissingFact("package.*.version", _WHY, "pip list")
    for framework in frameworks or ("torch",):
        sees = said.FRAMEWORK_SEES_GPU(framework)
        if facts.known(sees) is None:
            yield MissingFact(sees.name, _WHY, _SHOWS[framework])
    if not facts.subjects(said.ERROR) and not facts.subjects(names.XID):
        yield MissingFact("error.*", _WHY, _WHOLE_MESSAGE)


def _frameworks(facts: Facts) -> tuple[str, ...]:
    """The frameworks that the text names."""
    subjects = (
        *facts.subjects(names.PACKAGE_VERSION),
        *facts.subjects(said.FRAMEWORK_SEES_GPU),
    )
    stems = (subject.replace("jaxlib", "jax").partition("-")[0] for subject in subjects)
    return tuple(dict.fromkeys(stem for stem in stems if stem in _SHOWS))
