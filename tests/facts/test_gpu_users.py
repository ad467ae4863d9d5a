"""Who holds the memory of a GPU, and its MIG instances."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts import names
from gpuprobe.facts.gpus import devices
from gpuprobe.facts.gpus.views import join
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Absent, Facts, Known, Unknown

from .played import HUNG, NOT_RUN, answered, cuda_device, mig_device, nvml_device

if TYPE_CHECKING:
    from gpuprobe.facts.answers import Answer
    from gpuprobe.facts.probe import Silent

    from .played import Part

HOST = Machine("/nowhere")
CONTAINER = Machine("/nowhere", {"KUBERNETES_SERVICE_HOST": "10.0.0.1"})


def facts_of(*listed: dict[str, Part], cuda: Answer | Silent = NOT_RUN,
             machine: Machine = HOST) -> Facts:  # fmt: skip
    nvml = answered("nvml", devices=list(listed))
    return Facts(dict(devices.collect(machine, cuda, nvml)))


def process(pid: int, name: str | None, used: int | None) -> dict[str, Part]:
    return {"pid": pid, "name": name, "used_bytes": used, "unread": {}}


def test_the_program_that_looks_is_marked():
    own = process(os.getpid(), "python", 512 << 20)
    shown = f"python (process {os.getpid()}, this one): 512 MiB"
    assert facts_of(nvml_device(processes=[own])).need(names.GPU_PROCESSES(0)) == (shown,)


@pytest.mark.parametrize(
    "program",
    ["/site-packages/gpuprobe/_probe/gpuprobe-probe", "C:\\p\\_probe\\gpuprobe-probe.exe"],
)
def test_the_child_that_looks_holds_memory_only_meanwhile(program: str):
    listed: list[Part] = [process(7, "a", 1 << 20), process(8, program, 300 << 20)]
    facts = facts_of(nvml_device(processes=listed))
    assert facts.need(names.GPU_PROCESSES(0)) == ("a (process 7): 1 MiB",)
    assert facts.need(names.GPU_PROCESS_BYTES(0)) == 1 << 20
    alone = facts_of(nvml_device(processes=[process(8, program, None)]))
    assert alone.need(names.GPU_PROCESSES(0)) == ()


# -- processes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("/usr/bin/python3", "python3 (process 7)"),
        ("python train.py --token secret", "python (process 7)"),
        ("python /home/alice/train.py", "python (process 7)"),
        ("C:\\Program Files\\Game\\game one.exe", "game one.exe (process 7)"),
        ("Xorg", "Xorg (process 7)"),
        ("\x1b]0;hello\x07", "?]0;hello? (process 7)"),
        (None, "process 7"),
        ("", "process 7"),
    ],
)
def test_a_process_is_told_by_its_program_without_folder_and_arguments(
    name: str | None, shown: str
):
    facts = facts_of(nvml_device(processes=[process(7, name, 512 << 20)]))
    assert facts.need(names.GPU_PROCESSES(0)) == (f"{shown}: 512 MiB",)


def test_the_memory_of_all_processes_is_added():
    listed: list[Part] = [process(7, "a", 1 << 20), process(8, "b", 3 << 20)]
    assert facts_of(nvml_device(processes=listed)).need(names.GPU_PROCESS_BYTES(0)) == 4 << 20


def test_memory_that_is_not_told_makes_no_sum():
    listed: list[Part] = [process(7, "a", 1 << 20), process(8, "b", None)]
    facts = facts_of(nvml_device(processes=listed))
    told = ("a (process 7): 1 MiB", "b (process 8): memory not told")
    assert facts.need(names.GPU_PROCESSES(0)) == told
    assert isinstance(facts.fact(names.GPU_PROCESS_BYTES(0)), Unknown)


def test_nobody_is_an_answer_on_a_host_and_none_in_a_container():
    host = facts_of(nvml_device())
    assert host.fact(names.GPU_PROCESSES(0)) == Known((), "NVML device 0")
    assert host.need(names.GPU_PROCESS_BYTES(0)) == 0
    contained = facts_of(nvml_device(), machine=CONTAINER)
    unknown = Unknown("NVML may hide other processes in a container (kubernetes)")
    assert contained.fact(names.GPU_PROCESSES(0)) == unknown
    assert contained.fact(names.GPU_PROCESS_BYTES(0)) == unknown


def test_in_a_container_a_number_is_the_hosts_and_a_name_is_not_believed():
    """NVML would look the host's number up among the container's processes."""
    device = nvml_device(processes=[process(7, "bash", 512 << 20)])
    facts = facts_of(device, machine=CONTAINER)
    assert facts.need(names.GPU_PROCESSES(0)) == ("process 7 of the host: 512 MiB",)


def test_processes_that_may_not_be_listed_are_unknown():
    facts = facts_of(nvml_device(processes=None, unread={"processes": 4}))
    unknown = Unknown("NVML device 0 does not say (code 4, no permission)")
    assert facts.fact(names.GPU_PROCESSES(0)) == unknown
    assert facts.fact(names.GPU_PROCESS_BYTES(0)) == unknown


# -- MIG ------------------------------------------------------------------------------------------


def split(*migs: dict[str, Part], **fields: Part) -> dict[str, Part]:
    return nvml_device(mig_mode=1, mig_devices=list(migs), **fields)


def test_instances_are_numbered_over_all_gpus():
    other = {"uuid": "GPU-00", "pci": "0000:41:00.0"}
    facts = facts_of(
        split(mig_device(0), mig_device(2)),
        nvml_device(1, uuid="GPU-11", pci="0000:21:00.0"),
        {**split(mig_device(5)), "index": 2, **other},
    )
    assert [facts.need(names.MIG_GPU(number)) for number in range(3)] == [0, 0, 2]
    assert facts.fact(names.MIG_GPU_INSTANCE(1)) == Known(11, "place 2 of NVML device 0")
    assert facts.need(names.GPU_MIG_INSTANCES(0)) == 2
    assert isinstance(facts.fact(names.GPU_MIG_INSTANCES(1)), Absent)
    assert facts.need(names.GPU_MIG_INSTANCES(2)) == 1


def test_a_mode_without_instances_is_a_count_of_zero():
    facts = facts_of(split())
    assert facts.need(names.GPU_MIG_INSTANCES(0)) == 0
    assert facts.subjects(names.MIG_GPU) == ()


def test_an_instance_has_cudas_number_and_is_no_gpu_of_its_own():
    first, second = mig_device(0), mig_device(2)
    shown = cuda_device(0, uuid=str(second["uuid"]).upper())
    facts = facts_of(split(first, second), cuda=answered("cuda", devices=[shown]))
    assert facts.subjects(names.GPU_NAME) == ("0",)
    assert isinstance(facts.fact(names.GPU_ORDINAL(0)), Absent)
    assert isinstance(facts.fact(names.MIG_ORDINAL(0)), Absent)
    assert facts.need(names.MIG_ORDINAL(1)) == 0


def test_without_cuda_the_number_of_an_instance_is_unknown():
    facts = facts_of(split(mig_device(0)), cuda=HUNG)
    assert facts.fact(names.MIG_ORDINAL(0)) == Unknown(HUNG.reason)


def test_a_field_of_an_instance_has_its_own_code():
    broken = mig_device(3, memory_bytes=None, unread={"memory_bytes": 4})
    facts = facts_of(split(broken))
    reason = "place 3 of NVML device 0 does not say (code 4, no permission)"
    assert facts.fact(names.MIG_MEMORY(0)) == Unknown(reason)
    assert facts.need(names.MIG_COMPUTE_INSTANCE(0)) == 0


def test_instances_that_cannot_be_listed_are_unknown():
    device = nvml_device(mig_mode=1, mig_devices=None, unread={"mig_devices": 4})
    reason = "NVML device 0 does not say (code 4, no permission)"
    assert facts_of(device).fact(names.GPU_MIG_INSTANCES(0)) == Unknown(reason)


# -- joins ----------------------------------------------------------------------------------------

UUIDS = st.one_of(st.none(), st.sampled_from([f"GPU-{n}" for n in range(4)]))
ADDRESSES = st.one_of(st.none(), st.sampled_from([f"0000:0{n}:00.0" for n in range(4)]))
IDENTITIES = st.lists(
    st.fixed_dictionaries({"uuid": UUIDS, "pci": ADDRESSES}), max_size=5,
    unique_by=(lambda it: it["uuid"] or object(), lambda it: it["pci"] or object()),
)  # fmt: skip


@given(IDENTITIES, IDENTITIES, st.integers(0, 3))
def test_a_join_shows_each_device_once_in_nvmls_order(
    nvml: list[dict[str, str | None]], cuda: list[dict[str, str | None]], instances: int
):
    migs: list[Part] = [mig_device(place) for place in range(instances)]
    listed = [nvml_device(n, **{**each, "mig_devices": migs}) for n, each in enumerate(nvml)]
    shown = [*cuda, *({"uuid": mig_device(place)["uuid"]} for place in range(instances))]
    left = answered("nvml", devices=listed).devices  # type: ignore[arg-type]
    right = answered(
        "cuda",
        devices=[cuda_device(n, **each) for n, each in enumerate(shown)],  # type: ignore[arg-type]
    ).devices
    gpus = join(left, right)
    assert [gpu.nvml for gpu in gpus if gpu.nvml] == list(left)
    joined = [gpu.cuda for gpu in gpus if gpu.cuda]
    expected = right if not left else right[: len(cuda)]
    assert sorted(joined, key=lambda it: it.number) == list(expected)
    for gpu in gpus:
        if gpu.nvml and gpu.cuda and gpu.nvml.uuid and gpu.cuda.uuid:
            assert gpu.nvml.uuid == gpu.cuda.uuid
