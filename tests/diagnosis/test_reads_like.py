"""What a text reads like is asked last: where no rule decides and nothing is seen at work."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.catalogue import find, rules
from gpuprobe.diagnosis.causes import CAUSES
from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.diagnosis.fixes.by_cause import usual_repair
from gpuprobe.diagnosis.model import Confidence, Outcome, Role, Safety, Verdict
from gpuprobe.facts import names, said
from gpuprobe.facts.model import Facts, Known, Value

READS = {"text.reads_like": "mig", "text.reads_like_percent": 61, "text.reads_like_words": ("mig",)}
LAST = find("GP903")


def facts(**more: Value) -> Facts:
    told = {key.replace("__", "."): value for key, value in more.items()}
    stated: dict[str, Value] = {**READS, **told}
    return Facts({name: Known(value, "line 3 of the text") for name, value in stated.items()})


def test_it_names_the_cause_as_possible_and_asks_for_what_makes_sure():
    diagnosis = diagnose(facts(), rules(), pasted=True)
    root = diagnosis.root
    assert root is not None
    assert (root.rule, root.cause) == (LAST, "mig")
    assert root.finding.confidence is Confidence.POSSIBLE
    assert diagnosis.verdict is Verdict.BROKEN
    assert diagnosis.next_step is not None


@pytest.mark.parametrize(
    ("percent", "confidence"), [(94, Confidence.POSSIBLE), (95, Confidence.LIKELY)]
)
def test_it_is_likely_where_the_words_are_nearly_all_of_one_cause(
    percent: int, confidence: Confidence
):
    diagnosis = diagnose(facts(text__reads_like_percent=percent), rules(), pasted=True)
    assert diagnosis.root is not None
    assert diagnosis.root.finding.confidence is confidence
    assert diagnosis.next_step is not None  # a guess is to be made sure of, however likely


#: What a rule has several readings of, and names one of.
DOUBTFUL = {"error.CUDA_ERROR_UNKNOWN": "unknown error", "os.system": "Linux"}


@pytest.mark.parametrize(
    ("percent", "cause", "code"),
    [(95, "mig", "GP903"), (94, "mig", "GP207"), (95, "device-nodes", "GP207")],
)
def test_words_that_are_surer_come_before_one_reading_of_several(
    percent: int, cause: str, code: str
):
    stated = facts(**DOUBTFUL, text__reads_like=cause, text__reads_like_percent=percent)
    diagnosis = diagnose(stated, rules(), pasted=True)
    roles = {each.rule.code: each.role for each in diagnosis.placed}
    assert roles[code] is Role.ROOT
    assert ("GP903" in roles) is (code == "GP903")


def test_what_the_words_overrule_is_another_reading_and_follows_from_nothing():
    stated = facts(**DOUBTFUL, text__reads_like="mig", text__reads_like_percent=95)
    diagnosis = diagnose(stated, rules(), pasted=True)
    assert {each.rule.code: each.role for each in diagnosis.placed}["GP207"] is Role.INDEPENDENT


def test_words_that_speak_for_a_machine_that_works_take_back_no_reading():
    stated = facts(**DOUBTFUL, text__reads_like="healthy", text__reads_like_percent=99)
    diagnosis = diagnose(stated, rules(), pasted=True)
    assert [each.rule.code for each in diagnosis.placed] == ["GP207"]


@pytest.mark.parametrize(
    ("more", "verdict"),
    [
        ({"nvml__device_count": 1}, Verdict.BROKEN),
        ({"nvml__device_count": 1, "cuda__device_count": 1}, Verdict.BROKEN),
        ({"nvml__device_count": 1, "framework__torch__sees_gpu": True}, Verdict.HEALTHY),
        ({"nvml__device_count": 1, "text__reads_like": "healthy"}, Verdict.HEALTHY),
    ],
)
def test_that_the_driver_answers_takes_nothing_back_of_what_comes_after_it(
    more: dict[str, Value], verdict: Verdict
):
    stated = {"text__reads_like": "toolkit-missing", **more}
    assert diagnose(facts(**stated), rules(), pasted=True).verdict is verdict


def test_words_of_machines_that_work_speak_for_a_healthy_one_and_say_that_they_do_no_more():
    diagnosis = diagnose(facts(text__reads_like="healthy"), rules(), pasted=True)
    assert diagnosis.verdict is Verdict.HEALTHY
    assert diagnosis.proof is None
    assert diagnosis.root is None
    [placed] = diagnosis.placed
    assert placed is diagnosis.guess
    assert (placed.role, placed.cause) == (Role.NOTE, "healthy")
    assert placed.finding.fix.commands == ("gpuprobe",)


@pytest.mark.parametrize(
    "more",
    [
        {"error__CUDA_ERROR_UNKNOWN": "unknown error"},
        {"framework__torch__sees_gpu": False},
        {"cuda__init__outcome": "failed"},
        {"sign__told-idle": "GPU is present and idle"},
    ],
)
def test_they_do_not_speak_against_what_fails(more: dict[str, Value]):
    diagnosis = diagnose(facts(text__reads_like="healthy", **more), rules(), pasted=True)
    assert diagnosis.verdict is not Verdict.HEALTHY
    assert diagnosis.guess is None


def test_they_speak_beside_somebody_who_compares_with_the_cpu():
    told = facts(text__reads_like="healthy", **{"sign__told-idle": "the same on CPU,"})
    assert diagnose(told, rules(), pasted=True).verdict is Verdict.HEALTHY


@pytest.mark.parametrize(
    ("more", "verdict"),
    [({}, Verdict.HEALTHY), ({said.ABOUT("trouble").name: 1}, Verdict.BROKEN)],
)
def test_who_shows_but_a_harmless_message_asks_about_that(more: dict[str, Value], verdict: Verdict):
    answered = facts(text__reads_like="gpu-too-old", nvml__device_count=1, **more)
    noise = Known("GPU-Util[   N/A]", "line 2 of the text")
    known = Facts({**answered, said.NOISE("utilization-not-counted").name: noise})
    assert diagnose(known, rules(), pasted=True).verdict is verdict


def test_every_check_has_one_outcome_in_both_rounds():
    for stated in (facts(), facts(error__CUDA_ERROR_ASSERT="device-side assert triggered")):
        diagnosis = diagnose(stated, rules(), pasted=True)
        assert [check.rule for check in diagnosis.checks] == list(rules())


def test_a_rule_that_decides_comes_before_it():
    stated = facts(error__CUDA_ERROR_ASSERT="device-side assert triggered")
    diagnosis = diagnose(stated, rules(), pasted=True)
    assert [each.rule.code for each in diagnosis.placed] == ["GP901"]


@pytest.mark.parametrize("key", [said.FRAMEWORK_COMPUTED("torch"), said.FRAMEWORK_SEES_GPU("jax")])
def test_what_works_is_not_doubted(key: object):
    stated = facts(**{getattr(key, "name", "").replace(".", "__"): True})
    assert diagnose(stated, rules(), pasted=True).verdict is Verdict.HEALTHY


@pytest.mark.parametrize(
    ("cause", "verdict"),
    [
        ("container-no-gpu", Verdict.UNKNOWN),
        ("driver-missing", Verdict.UNKNOWN),
        ("nccl", Verdict.BROKEN),
    ],
)
def test_who_reaches_the_driver_is_not_told_that_there_is_none(cause: str, verdict: Verdict):
    told = {"text.reads_like": cause, "sign.dcgm-initialized": "DCGM successfully initialized!"}
    stated = {**READS, **told}
    known = Facts({name: Known(value, "line 3 of the text") for name, value in stated.items()})
    assert diagnose(known, rules(), pasted=True).verdict is verdict


@pytest.mark.parametrize(
    ("cause", "line", "verdict"),
    [
        ("nccl", 9, Verdict.UNKNOWN),
        ("nccl", 2, Verdict.BROKEN),  # it did not go on
        ("silent-cpu-fallback", 9, Verdict.BROKEN),  # with which programs do go on
    ],
)
def test_a_program_that_goes_on_is_not_accused(cause: str, line: int, verdict: Verdict):
    stated = facts(text__reads_like=cause)
    progress = Known("step 100 loss 2.31", f"line {line} of the text")
    known = Facts({**stated, said.PROGRESS.name: progress})
    assert diagnose(known, rules(), pasted=True).verdict is verdict


@pytest.mark.parametrize(
    ("cause", "more"),
    [
        ("driver-missing", {"nvml__device_count": 1}),
        ("hidden-by-visible-devices", {"sign__purpose-told": "meant to run on the CPU"}),
        ("device-lost", {"sign__fault-made": "Injected XID 79"}),
        ("silent-cpu-fallback", {"framework__torch__computed": True}),
        ("silent-cpu-fallback", {"pci__nvidia_gpu_count": 0}),
        ("no-nvidia-gpu", {"gpu__0__name": "NVIDIA RTX 4050"}),
        ("cpu-only-build", {"noise__numa-node": "had negative value (-1)"}),
        ("oom-preallocation", {"noise__allocation-not-a-failure": "ran out of memory"}),
        ("toolkit-mismatch", {"sign__build-cuda-minor-differs": "12.2"}),
        ("user-code", {"sign__no-gpu-to-choose": "machine only has: []"}),
        ("driver-too-old", {"error__CUDA_ERROR_NO_DEVICE": "failure with error: 100"}),
        ("driver-too-old", {"pci__nvidia_gpu_count": 0}),
        ("cudart-missing", {"library__cudart__loaded": "libcudart.so.10.2"}),
        ("cublas-missing", {"library__cublas__loaded": "libcublas.so.11"}),
        ("cudnn-missing", {"library__cudnn__loaded": "libcudnn.so.8"}),
        ("gpu-too-old", {"gpu__0__name": "NVIDIA RTX 4050"}),
        ("gpu-too-new", {"gpu__0__name": "NVIDIA GeForce GTX 1080"}),
        ("wsl", {"os__system": "Linux"}),
        ("silent-cpu-fallback", {"sign__gpu-not-usable": "but no gpu device is detected"}),
        ("oom-preallocation", {"sign__several-hang-told": "two GPUs, hang"}),
    ],
)
def test_what_the_text_states_belies_a_cause(cause: str, more: dict[str, Value]):
    diagnosis = diagnose(facts(text__reads_like=cause, **more), rules(), pasted=True)
    assert all(each.rule is not LAST for each in diagnosis.placed)


@pytest.mark.parametrize(
    ("cause", "more"),
    [
        ("silent-cpu-fallback", {"pci__nvidia_gpu_count": 1}),
        # What is named may be another machine's.
        ("no-nvidia-gpu", {"gpu__0__name": "NVIDIA RTX 4050", "text__reads_like_percent": 99}),
        ("cublas-missing", {"library__cudart__loaded": "libcudart.so.11.0"}),
        ("gpu-too-old", {"gpu__0__name": "NVIDIA GeForce RTX 2080"}),
        ("gpu-too-new", {"gpu__0__name": "NVIDIA GeForce RTX 2080"}),
        ("gpu-too-new", {"gpu__0__name": "NVIDIA GeForce GTX 1080", "cuda__named": ("7.5",)}),
        ("wsl", {"os__system": "Linux", "wsl__version": 2}),
        ("silent-cpu-fallback", {"sign__gpu-not-usable": "does not use the GPU device"}),
        ("nccl", {"sign__told-never-starts": "two GPUs, hang"}),
    ],
)
def test_what_may_be_beside_a_cause_belies_it_not(cause: str, more: dict[str, Value]):
    verdict = diagnose(facts(text__reads_like=cause, **more), rules(), pasted=True).verdict
    assert verdict is Verdict.BROKEN


@pytest.mark.parametrize(
    ("left", "seen", "verdict"),
    [
        ("0", False, Verdict.UNKNOWN),
        ("0,1", False, Verdict.UNKNOWN),
        ("1", False, Verdict.BROKEN),  # there may be but one
        ("0", True, Verdict.HEALTHY),
    ],
)
def test_a_variable_that_leaves_the_first_gpu_hides_not_all(
    left: str, seen: bool, verdict: Verdict
):
    more = {"env.CUDA_VISIBLE_DEVICES": left, "framework.torch.sees_gpu": seen}
    stated = facts(text__reads_like="hidden-by-visible-devices", **more)
    assert diagnose(stated, rules(), pasted=True).verdict is verdict


def test_a_machine_is_not_judged_by_words():
    diagnosis = diagnose(facts(), rules())
    assert all(each.rule is not LAST for each in diagnosis.placed)
    [check] = [check for check in diagnosis.checks if check.rule is LAST]
    assert check.outcome is Outcome.NOT_APPLICABLE


def test_it_can_be_left_out():
    diagnosis = diagnose(facts(), rules(), skip=("reads-like",), pasted=True)
    assert diagnosis.verdict is Verdict.UNKNOWN
    assert diagnosis.count(Outcome.DESELECTED) == 1


def test_without_such_a_fact_the_verdict_stays_unknown():
    stated = Facts({names.DRIVER_VERSION.name: Known("", "line 1 of the text")})
    assert diagnose(stated, rules(), pasted=True).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("cause", sorted(CAUSES.keys() - {"healthy", "differs-from-lock"}))
def test_every_cause_has_a_usual_repair(cause: str):
    text = usual_repair(cause).text
    assert text.startswith("Make sure of it first. If it is so: ")
    assert text.endswith(".")


@pytest.mark.parametrize(
    ("cause", "safety"),
    [
        ("user-code", Safety.SAFE),
        ("cpu-only-build", Safety.USER),
        ("driver-missing", Safety.ADMIN),
        ("device-lost", Safety.REBOOT),
    ],
)
def test_a_usual_repair_tells_its_risk(cause: str, safety: Safety):
    assert usual_repair(cause).safety is safety


@pytest.mark.parametrize(
    ("cause", "code", "named"),
    [
        ("gpu-too-old", "CUDA_ERROR_INVALID_VALUE", False),
        ("gpu-too-old", "CUDA_ERROR_UNKNOWN", True),
        ("gpu-too-new", "CUDA_ERROR_INVALID_VALUE", True),
    ],
)
def test_a_gpu_is_not_too_old_for_an_argument(cause: str, code: str, named: bool):
    stated = facts(text__reads_like=cause, text__reads_like_percent=97)
    known = Facts({**stated, said.ERROR(code).name: Known(code, "line 2 of the text")})
    root = diagnose(known, rules(), pasted=True).root
    assert (root is not None and root.cause == cause) is named


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("torch cannot find the GPU", Verdict.UNKNOWN),
        ("Does it mean that torch cannot find the GPU?", Verdict.HEALTHY),
        ("it skips the test if torch does not see CUDA", Verdict.HEALTHY),
        ("with 1 it can't detect GPU:1, only GPU:0 is there", Verdict.HEALTHY),
    ],
)
def test_no_words_are_healthy_where_somebody_says_that_a_program_finds_no_gpu(
    told: str, verdict: Verdict
):
    stated = facts(text__reads_like="healthy", text__reads_like_percent=97)
    said_so = {said.SIGN("gpu-not-usable").name: Known(told, "line 1 of the text")}
    assert diagnose(Facts({**stated, **said_so}), rules(), pasted=True).verdict is verdict
