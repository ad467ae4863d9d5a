"""What to do next on a machine that was looked at, where the verdict is unknown."""

from __future__ import annotations

from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.diagnosis.model import Finding, Link, NextStep, Rule
from gpuprobe.facts import names
from gpuprobe.facts.model import Absent, Fact, Facts, Key, Known, Unknown, Value
from gpuprobe.ourselves import REINSTALL
from support.samples import RULES


def asks(name: str, key: Key[object]) -> Rule:
    """A check that needs one fact."""

    def check(facts: Facts) -> list[Finding]:
        facts.need(key)
        return []

    return Rule("GP901", name, "driver-missing", Link.RUNTIME, "0.1", check)


WHY = Unknown("permission denied")
ASKING = (
    asks("one", names.DRIVER_CUDA),
    asks("two", names.PCI_NVIDIA_COUNT),
    asks("three", names.PCI_NVIDIA_COUNT),
)
UNKNOWN = ("driver.cuda", "cuda.device_count", "pci.nvidia_gpu_count")


def step_of(**more: Fact[Value]) -> NextStep | None:
    facts: dict[str, Fact[Value]] = dict.fromkeys(UNKNOWN, WHY)
    facts.update({name.replace("_", "."): fact for name, fact in more.items()})
    return diagnose(Facts(facts), ASKING).next_step


def test_the_fact_that_most_checks_wait_for_comes_first():
    step = step_of()
    assert step is not None
    assert (step.id, step.commands) == ("pci.nvidia_gpu_count", ("lspci -nn -d 10de:",))
    assert "two, three" in step.text


def test_what_only_gpuprobe_shows_is_not_asked_for_while_anything_else_can_be():
    four = asks("four", names.CUDA_COUNT), asks("five", names.CUDA_COUNT)
    step = diagnose(Facts(dict.fromkeys(UNKNOWN, WHY)), (*four, *ASKING)).next_step
    assert step is not None
    assert step.id == "pci.nvidia_gpu_count"


def test_without_the_core_it_is_installed_first():
    step = step_of(probe_program=Absent("gpuprobe's own files"))
    assert step is not None
    assert step.commands == (REINSTALL,)


def test_quick_look_is_followed_by_a_normal_one():
    step = step_of(probe_level=Known("quick", "the user's choice"))
    assert step is not None
    assert step.commands == ("gpuprobe doctor --level normal",)


def test_known_verdict_has_no_next_step():
    assert diagnose(Facts({"pci.nvidia_gpu_count": Known(0, "/sys")}), RULES[:1]).next_step is None


def test_what_nvml_refuses_this_user_is_asked_for_as_an_administrator():
    key = names.GPU_ECC_UNCORRECTED("0")
    refused = Unknown("NVML device 0 does not say (code 4, no permission)")
    step = diagnose(Facts({key.name: refused}), (asks("one", key),)).next_step
    assert step is not None
    assert step.commands == ("sudo nvidia-smi -q -d ECC",)
