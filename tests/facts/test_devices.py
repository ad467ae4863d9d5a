"""GPUs joined from NVML's and CUDA's lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.gpus import devices
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.facts.version import Version

from .played import (
    HUNG,
    NOT_RUN,
    OTHER_UUID,
    UUID,
    answered,
    cuda_device,
    failed,
    missing_library,
    nvml_device,
)

if TYPE_CHECKING:
    from gpuprobe.facts.answers import Answer
    from gpuprobe.facts.probe import Silent

    from .played import Part


def facts_of(cuda: Answer | Silent, nvml: Answer | Silent) -> Facts:
    return Facts(dict(devices.collect(Machine("/nowhere"), cuda, nvml)))


def cuda(*listed: object) -> Answer:
    return answered("cuda", devices=list(listed))  # type: ignore[arg-type]


def nvml(*listed: object) -> Answer:
    return answered("nvml", devices=list(listed))  # type: ignore[arg-type]


def test_one_gpu_in_both_views_is_one_gpu():
    facts = facts_of(cuda(cuda_device()), nvml(nvml_device()))
    assert facts.subjects(names.GPU_NAME) == ("0",)
    assert facts.need(names.GPU_UUID(0)) == UUID
    assert facts.need(names.GPU_CAPABILITY(0)) == Version("9.0")
    assert facts.fact(names.GPU_MEMORY(0)) == Known(85520809984, "NVML device 0")
    assert facts.fact(names.GPU_SMS(0)) == Known(132, "CUDA device 0")
    assert facts.need(names.GPU_COMPUTE_MODE(0)) == "default"
    assert facts.need(names.GPU_PERSISTENCE(0)) is True
    assert facts.need(names.GPU_MIG(0)) is False
    assert isinstance(facts.fact(names.GPU_FAILURE(0)), Absent)


def test_two_gpus_in_opposite_orders_keep_nvmls_order():
    first, second = {"uuid": UUID}, {"uuid": OTHER_UUID, "pci": "0000:41:00.0"}
    facts = facts_of(
        cuda(cuda_device(0, **second), cuda_device(1, **first)),
        nvml(nvml_device(0, **first), nvml_device(1, **second)),
    )
    assert [facts.need(names.GPU_ORDINAL(n)) for n in (0, 1)] == [1, 0]
    assert [facts.need(names.GPU_NVML_INDEX(n)) for n in (0, 1)] == [0, 1]


def test_without_a_uuid_the_pci_address_joins_in_any_case_of_letters():
    facts = facts_of(
        cuda(cuda_device(uuid=None, pci="0000:c1:00.0")), nvml(nvml_device(pci="0000:C1:00.0"))
    )
    assert facts.subjects(names.GPU_NAME) == ("0",)


def test_another_uuid_at_the_same_address_is_another_gpu():
    """A MIG instance has the address of its parent."""
    facts = facts_of(cuda(cuda_device(uuid="MIG-5d")), nvml(nvml_device(mig_mode=1)))
    assert facts.subjects(names.GPU_NAME) == ("0", "1")
    assert isinstance(facts.fact(names.GPU_ORDINAL(0)), Absent)
    assert isinstance(facts.fact(names.GPU_NVML_INDEX(1)), Absent)
    assert facts.need(names.GPU_ORDINAL(1)) == 0


def test_without_nvml_cudas_list_stands_alone():
    facts = facts_of(cuda(cuda_device()), missing_library("nvml"))
    assert facts.fact(names.GPU_MEMORY(0)) == Known(84930000000, "CUDA device 0")
    assert isinstance(facts.fact(names.GPU_NVML_INDEX(0)), Unknown)
    assert facts.fact(names.GPU_MINOR(0)) == Unknown("CUDA device 0 does not say")


def test_without_cuda_the_ordinal_is_unknown_for_cudas_reason():
    facts = facts_of(HUNG, nvml(nvml_device()))
    assert facts.fact(names.GPU_ORDINAL(0)) == Unknown(HUNG.reason)
    assert facts.fact(names.GPU_SMS(0)) == Unknown("NVML device 0 does not say")


def test_a_gpu_that_is_hidden_from_cuda_has_no_ordinal():
    facts = facts_of(cuda(), nvml(nvml_device()))
    assert isinstance(facts.fact(names.GPU_ORDINAL(0)), Absent)


def test_a_field_that_could_not_be_read_tells_the_code():
    unread = {"mig_mode": 4, "compute_mode": 7, "minor": None}
    device = nvml_device(mig_mode=None, compute_mode=None, minor=None, unread=unread)
    facts = facts_of(NOT_RUN, nvml(device))
    no_permission = Unknown("NVML device 0 does not say (code 4, no permission)")
    assert facts.fact(names.GPU_MIG(0)) == no_permission
    assert facts.fact(names.GPU_COMPUTE_MODE(0)) == Unknown("NVML device 0 does not say (code 7)")
    assert facts.fact(names.GPU_MINOR(0)) == Unknown("NVML device 0 does not say")


def test_a_product_without_mig_has_no_such_mode():
    device = nvml_device(mig_mode=None, unread={"mig_mode": 3})
    facts = facts_of(cuda(cuda_device()), nvml(device))
    assert facts.fact(names.GPU_MIG(0)) == Absent("NVML device 0: not supported")


def test_only_nvml_knows_of_mig_mode():
    facts = facts_of(cuda(cuda_device()), missing_library("nvml"))
    assert facts.fact(names.GPU_MIG(0)) == Unknown("CUDA device 0 does not say")


def test_a_lost_gpu_is_listed_with_its_failure():
    lost = nvml_device(
        1, name=None, uuid=None, pci=None, capability=None,
        failed=failed("nvml", "nvmlDeviceGetHandleByIndex_v2", 15, "NVML_ERROR_GPU_IS_LOST"),
    )  # fmt: skip
    facts = facts_of(cuda(cuda_device()), nvml(nvml_device(), lost))
    assert facts.fact(names.GPU_FAILURE(1)) == Known(
        "nvmlDeviceGetHandleByIndex_v2: 15 NVML_ERROR_GPU_IS_LOST", "NVML device 1"
    )
    assert isinstance(facts.fact(names.GPU_FAILURE(0)), Absent)


def test_two_lost_gpus_without_names_are_not_taken_for_one():
    facts = facts_of(cuda(cuda_device(uuid=None, pci=None)), nvml(nvml_device(uuid=None, pci=None)))
    assert facts.subjects(names.GPU_NAME) == ("0", "1")


@pytest.mark.parametrize(("uuid", "is_one"), [(OTHER_UUID, True), (None, False), ("MIG-5d", False)])
def test_the_one_gpu_that_nvml_counts_and_does_not_name_is_the_one_left_of_cudas(
    uuid: str | None, is_one: bool
):
    kept = nvml_device(
        1, name=None, uuid=None, pci=None,
        failed=failed("nvml", "nvmlDeviceGetHandleByIndex_v2", 4, "NVML_ERROR_NO_PERMISSION"),
    )  # fmt: skip
    shown = cuda_device(1, uuid=uuid, pci="0000:41:00.0")
    facts = facts_of(cuda(cuda_device(), shown), nvml(nvml_device(), kept))
    assert facts.subjects(names.GPU_NAME) == (("0", "1") if is_one else ("0", "1", "2"))
    if is_one:
        assert facts.need(names.GPU_ORDINAL(1)) == 1
        assert facts.need(names.GPU_UUID(1)) == OTHER_UUID
        assert isinstance(facts.fact(names.GPU_FAILURE(1)), Absent)


def test_a_gpu_that_nvml_lost_has_failed_though_cuda_still_lists_it():
    lost = nvml_device(failed=failed("nvml", "nvmlDeviceGetName", 15, "NVML_ERROR_GPU_IS_LOST"))
    facts = facts_of(cuda(cuda_device()), nvml(lost))
    assert "GPU_IS_LOST" in facts.need(names.GPU_FAILURE(0))


def test_two_gpus_that_nvml_does_not_name_are_not_guessed():
    def kept(index: int) -> dict[str, Part]:
        return nvml_device(index, name=None, uuid=None, pci=None)

    facts = facts_of(cuda(cuda_device()), nvml(kept(0), kept(1)))
    assert facts.subjects(names.GPU_NAME) == ("0", "1", "2")


def test_a_compute_mode_of_the_future_keeps_its_number():
    facts = facts_of(NOT_RUN, nvml(nvml_device(compute_mode=7)))
    assert facts.need(names.GPU_COMPUTE_MODE(0)) == "mode 7"


def test_no_library_means_no_gpu_facts():
    assert len(facts_of(missing_library("cuda"), missing_library("nvml"))) == 0
