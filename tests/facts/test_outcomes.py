"""How each step ended, as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import driver, names, outcomes
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.facts.version import Version
from support.trees import BASE

from .played import (
    CRASHED,
    HUNG,
    NOT_RUN,
    answered,
    cuda_device,
    failed,
    missing_library,
    nvml_device,
)

if TYPE_CHECKING:
    from gpuprobe.facts.answers import Answer
    from gpuprobe.facts.probe import Silent

    from .conftest import Make

NVML = answered("nvml", devices=[nvml_device()], driver_version="535.104.05", cuda_version=12020)
CUDA = answered("cuda", devices=[cuda_device()], driver_version=12040)
RIGHT = {"device": 0, "result": "right", "why": None, "image": "cubin sm_90a"}
KERNEL = answered("kernel", kernel=RIGHT)


def facts_of(
    *,
    nvml: Answer | Silent = NVML,
    cuda: Answer | Silent = CUDA,
    kernel: Answer | Silent = KERNEL,
    unmasked: Answer | Silent = NOT_RUN,
) -> Facts:
    return Facts(dict(outcomes.collect(nvml, cuda, kernel, unmasked)))


def test_a_healthy_machine_is_all_ok():
    facts = facts_of()
    assert facts.need(names.NVML_OUTCOME) == facts.need(names.CUDA_OUTCOME) == "ok"
    assert facts.need(names.NVML_CODE) == facts.need(names.CUDA_CODE) == 0
    assert facts.need(names.NVML_COUNT) == facts.need(names.CUDA_COUNT) == 1
    assert facts.need(names.CUDA_INIT_MS) == 30.5
    assert facts.need(names.KERNEL_OUTCOME) == "right"
    assert facts.need(names.KERNEL_IMAGE) == "cubin sm_90a"
    for key in (names.NVML_CALL, names.CUDA_CALL, names.KERNEL_CALL, names.KERNEL_WHY):
        assert isinstance(facts.fact(key), Absent)


def test_a_failed_init_has_code_and_call_and_no_count():
    mismatch = failed("cuda", "cuInit", 803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH")
    facts = facts_of(cuda=answered("cuda", failed=mismatch, driver_version=12040))
    assert facts.need(names.CUDA_OUTCOME) == "failed"
    assert facts.need(names.CUDA_CODE) == 803
    assert facts.need(names.CUDA_CALL) == "cuInit"
    told = "cuInit: 803 CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"
    assert facts.fact(names.CUDA_COUNT) == Unknown(told)


def test_no_device_is_a_count_of_zero():
    facts = facts_of(cuda=answered("cuda", failed=failed("cuda", "cuInit", 100)))
    assert facts.need(names.CUDA_COUNT) == 0
    assert facts.need(names.CUDA_OUTCOME) == "failed"


def test_a_code_of_nvml_is_no_code_of_cuda():
    facts = facts_of(cuda=answered("cuda", failed=failed("os", "mmap", 100)))
    assert isinstance(facts.fact(names.CUDA_COUNT), Unknown)
    assert isinstance(facts.fact(names.CUDA_CODE), Absent)


def test_a_missing_library_is_not_loaded_and_has_no_code():
    facts = facts_of(nvml=missing_library("nvml"), cuda=missing_library("cuda"))
    for outcome, code in (
        (names.NVML_OUTCOME, names.NVML_CODE),
        (names.CUDA_OUTCOME, names.CUDA_CODE),
    ):
        assert facts.need(outcome) == "not loaded"
        assert isinstance(facts.fact(code), Absent)
    assert facts.fact(names.CUDA_INIT_MS) == Unknown("cuInit was not reached")


@pytest.mark.parametrize("silent", [HUNG, CRASHED])
def test_a_hang_or_crash_has_its_call_and_no_code(silent: Silent):
    facts = facts_of(cuda=silent, kernel=silent)
    for outcome, code, call in (
        (names.CUDA_OUTCOME, names.CUDA_CODE, names.CUDA_CALL),
        (names.KERNEL_OUTCOME, names.KERNEL_CODE, names.KERNEL_CALL),
    ):
        assert facts.fact(outcome) == Known(silent.outcome, silent.reason)
        assert facts.fact(code) == Unknown(silent.reason)
        assert facts.need(call) == "cuInit"
    assert facts.fact(names.CUDA_COUNT) == Unknown(silent.reason)


def test_what_was_not_run_is_unknown_in_every_fact():
    facts = facts_of(nvml=NOT_RUN, cuda=NOT_RUN, kernel=NOT_RUN)
    assert set(facts.values()) == {Unknown(NOT_RUN.reason)}


def test_a_wrong_result_is_no_failed_call():
    wrong = answered(
        "kernel",
        kernel={**RIGHT, "result": "wrong"},
        failed=failed("wrong-result", "gp_proof_kernels", 0),
    )
    assert facts_of(kernel=wrong).need(names.KERNEL_OUTCOME) == "wrong"


def test_a_kernel_that_was_left_out_says_why():
    why = "compute mode is PROHIBITED: no process may use the device"
    facts = facts_of(kernel=answered("kernel", kernel={**RIGHT, "result": "not run", "why": why}))
    assert facts.need(names.KERNEL_OUTCOME) == "not run"
    assert facts.need(names.KERNEL_WHY) == why


def test_a_kernel_that_could_not_start_has_failed_and_was_not_left_out():
    facts = facts_of(
        kernel=answered(
            "kernel",
            kernel={**RIGHT, "result": "failed", "image": None},
            failed=failed("cuda", "cuModuleLoadDataEx", 209),
        )
    )
    assert facts.need(names.KERNEL_OUTCOME) == "failed"
    assert facts.need(names.KERNEL_CODE) == 209
    assert isinstance(facts.fact(names.KERNEL_IMAGE), Absent)


def test_a_gpu_for_which_we_have_no_kernel_is_left_out():
    facts = facts_of(
        kernel=answered(
            "kernel",
            kernel={**RIGHT, "result": "not run", "image": None},
            failed=failed("no-image", "gp_module_load", 0),
        )
    )
    assert facts.need(names.KERNEL_OUTCOME) == "not run"
    assert facts.need(names.KERNEL_WHY) == "gpuprobe has no program for this GPU and driver"


# -- the driver -----------------------------------------------------------------------------


def driver_of(make: Make, cuda: Answer | Silent, nvml: Answer | Silent, **files: str) -> Facts:
    placed = {path.replace("__", "/"): text for path, text in files.items()}
    return Facts(dict(driver.collect(make({**BASE, **placed}), cuda, nvml)))


MODULE = {"__proc__driver__nvidia__version": "NVRM version: NVIDIA 470.256.02\n"}


def test_nvml_is_the_first_witness_of_the_release(make: Make):
    facts = driver_of(make, CUDA, NVML, **MODULE)
    assert facts.fact(names.DRIVER_VERSION) == Known(
        Version("535.104.05"), "nvmlSystemGetDriverVersion"
    )


def test_the_module_is_the_second_witness(make: Make):
    facts = driver_of(make, NOT_RUN, NOT_RUN, **MODULE)
    assert facts.need(names.DRIVER_VERSION) == Version("470.256.02")


def test_the_file_of_libcuda_is_the_third(make: Make):
    facts = driver_of(make, NOT_RUN, NOT_RUN, **{"__usr__lib__libcuda.so.1": ""})
    assert isinstance(facts.fact(names.DRIVER_VERSION), Unknown)


GARBLED = {"__proc__driver__nvidia__version": "NVRM version: none\n"}


def test_a_module_that_cannot_be_read_leaves_the_word_to_libcudas_file(make: Make):
    path = "/usr/lib/libcuda.so.535.1.2"
    library = {"name": "libcuda.so.1", "path": path, "via": "search"}
    refused = answered("cuda", failed=failed("cuda", "cuInit", 999), library=library)
    facts = driver_of(make, refused, NOT_RUN, **GARBLED, **{path.replace("/", "__"): ""})
    assert facts.need(names.DRIVER_VERSION) == Version("535.1.2")
    facts = driver_of(make, NOT_RUN, NOT_RUN, **GARBLED)
    assert "/proc/driver/nvidia/version" in str(facts.fact(names.DRIVER_VERSION))


def test_no_witness_is_no_driver(make: Make):
    facts = driver_of(make, missing_library("cuda"), missing_library("nvml"))
    assert isinstance(facts.fact(names.DRIVER_VERSION), Absent)
    assert facts.fact(names.DRIVER_CUDA) == Absent("no libcuda was loaded")


def test_cudas_own_word_on_its_version_counts_before_nvmls(make: Make):
    assert driver_of(make, CUDA, NVML).need(names.DRIVER_CUDA) == Version("12.4")
    assert driver_of(make, NOT_RUN, NVML).need(names.DRIVER_CUDA) == Version("12.2")


def test_a_stub_states_no_version(make: Make):
    stub = answered(
        "cuda", failed=failed("cuda", "cuInit", 34), driver_version=None,
        library={"name": "l", "path": "/usr/lib/libcuda.so.535.1.2", "via": "search"},
    )  # fmt: skip
    facts = driver_of(make, stub, NOT_RUN, **{"__usr__lib__libcuda.so.535.1.2": ""})
    assert isinstance(facts.fact(names.DRIVER_VERSION), Absent)
    assert facts.fact(names.DRIVER_CUDA) == Unknown("cuInit: 34")
