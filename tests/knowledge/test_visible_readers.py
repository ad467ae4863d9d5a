"""What others make of the same text, and what other variables say about it."""

from __future__ import annotations

import pytest

from gpuprobe.knowledge.visible_devices import order
from gpuprobe.knowledge.visible_devices.amd import hip, rocr
from gpuprobe.knowledge.visible_devices.container import Given, given
from gpuprobe.knowledge.visible_devices.lists import jax, tensorflow
from gpuprobe.knowledge.visible_devices.nvitop import nvitop
from gpuprobe.knowledge.visible_devices.pytorch import torch
from gpuprobe.knowledge.visible_devices.surroundings import remarks

UUIDS = ("GPU-9e8d35e3", "GPU-47c10b5d", "GPU-3f6a1c52", "GPU-3f7b2d63")


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        (None, (0, 1, 2, 3)),
        ("", ()),
        ("0,1,9", (0, 1)),
        ("0, 1", (0, 1)),
        ("1gpu2", (1,)),
        ("+1,-0", (1, 0)),
        ("0,0", ()),
        ("9,9", ()),  # CUDA ends the list at the first 9; nothing is left either way
        ("0,9,9", ()),  # CUDA: GPU 0
        ("-1,0", ()),
        ("x,0", ()),
        ("+", None),
        ("GPU-9e,GPU-47", (0, 1)),
        ("GPU-9e, GPU-47", (0,)),
        ("GPU-9e,1", (0,)),
        ("GPU-3f", ()),
        ("GPU-9e,GPU-9e", ()),
        ("GPU-9e,GPU-9e8", ()),
        ("MIG-1", None),
    ],
)
def test_torch(value: str | None, numbers: tuple[int, ...] | None) -> None:
    assert torch(value, UUIDS).numbers == numbers


def test_a_long_list_is_read_in_one_go() -> None:
    """Where each number is looked for among all before it, this test does not end."""
    every = ",".join(map(str, range(1_000_000)))
    for reader in (torch, nvitop):
        assert reader(every, UUIDS).numbers == (0, 1, 2, 3)
    assert torch(f"{every},7", UUIDS).numbers == ()
    assert hip(every, None, UUIDS).numbers == rocr(every, UUIDS).numbers == (0, 1, 2, 3)


def test_torch_asks_cuda_where_it_lacks_a_uuid() -> None:
    assert torch("GPU-9e", (UUIDS[0], None)).numbers is None
    assert torch("1", (UUIDS[0], None)).numbers == (1,)


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        (None, (0, 1, 2, 3)),
        ("2,0", (2, 0)),
        ("+2", ()),  # 2 to CUDA
        ("1gpu, 0", (1, 0)),
        ("0,0", ()),
        ("GPU-9e8d35e3, GPU-47c10b5d", (0, 1)),
        ("GPU-9e", ()),  # an abbreviation, which CUDA takes
        ("0,GPU-47c10b5d", (0,)),
        ("7", ()),
    ],
)
def test_nvitop(value: str | None, numbers: tuple[int, ...]) -> None:
    assert nvitop(value, UUIDS).numbers == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", (0, 1)),
        ("1,0", (1, 0)),
        ("-1,1", (1,)),
        ("GPU:1", (1,)),
        ("0,2", None),
        ("0,0", None),
        ("1gpu", None),
        ("0,", None),
        ("9" * 5000, None),
    ],
)
def test_tensorflow_refuses_where_cuda_cuts_off(text: str, numbers: tuple[int, ...] | None) -> None:
    assert tensorflow(text, 2).numbers == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("all", (0, 1)), ("1,0", (1, 0)), (" 1", (1,)), ("", None), ("GPU-1", None)],
)
def test_jax(text: str, numbers: tuple[int, ...] | None) -> None:
    assert jax(text, 2).numbers == numbers


@pytest.mark.parametrize(
    ("hip_value", "cuda_value", "numbers"),
    [
        (None, None, (0, 1, 2, 3)),
        ("", "", (0, 1, 2, 3)),  # empty hides all from CUDA
        (None, "2,0", (2, 0)),
        ("1", "2", (1,)),
        ("", "2", (2,)),
        ("0,0,1", None, (0, 1)),
        (" 1", None, ()),
        ("01", None, ()),
        ("1gpu", None, ()),
        ("GPU-10b", None, (1,)),
    ],
)
def test_hip(hip_value: str | None, cuda_value: str | None, numbers: tuple[int, ...]) -> None:
    assert hip(hip_value, cuda_value, UUIDS).numbers == numbers


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        (None, (0, 1, 2, 3)),
        ("", ()),
        ("0x1, 02", (1, 2)),
        ("1gpu", ()),
        ("0,0,1", (0,)),
        ("gpu-9e", (0,)),
        ("GPU-3f", ()),
    ],
)
def test_rocr(value: str | None, numbers: tuple[int, ...]) -> None:
    assert rocr(value, UUIDS).numbers == numbers


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("all", Given(None, driver=True)),
        ("none", Given((), driver=True)),
        ("void", Given((), driver=False)),
        ("", Given((), driver=False)),
        ("0,void", Given((), driver=False)),
        (" 0 ,,GPU-1", Given(("0", "GPU-1"), driver=True)),
        (None, Given((), driver=False)),
    ],
)
def test_what_a_container_is_given(value: str | None, expected: Given) -> None:
    assert given(value) == expected


def test_an_old_image_gets_all_gpus_without_the_variable() -> None:
    assert given(None, legacy_image=True).devices is None


BUS = ("0000:41:00.0", "0000:01:00.0", "0000:0a:00.0")


@pytest.mark.parametrize(
    ("models", "value", "expected"),
    [
        (("A", "B", "A"), "PCI_BUS_ID", (1, 2, 0)),
        (("A", "B", "A"), None, None),
        (("A", "B", "A"), "FASTEST_FIRST", None),
        (("A", "B", "A"), "pci_bus_id", None),  # no order of CUDA's: the default stays
        (("A", "A", "A"), None, (1, 2, 0)),
        ((None, None, None), "PCI_BUS_ID", (1, 2, 0)),
        ((None, None, None), None, None),
    ],
)
def test_order_is_foreseen_where_it_follows_from_what_is_known(
    models: tuple[str | None, ...], value: str | None, expected: tuple[int, ...] | None
) -> None:
    assert order.foreseen(BUS, models, value) == expected


def test_one_gpu_is_always_the_first() -> None:
    assert order.foreseen((None,), (None,), None) == (0,)


@pytest.mark.parametrize(
    ("value", "variables", "variable", "word"),
    [
        ("NoDevFiles", {}, "CUDA_VISIBLE_DEVICES", "no GPU"),
        ("0", {"GPU_DEVICE_ORDINAL": "2"}, "GPU_DEVICE_ORDINAL", "changed"),
        (None, {"GPU_DEVICE_ORDINAL": "2"}, "GPU_DEVICE_ORDINAL", "not set now"),
        ("0", {"GPU_DEVICE_ORDINAL": "0", "SLURM_JOB_GPUS": "6"}, "SLURM_JOB_GPUS", "from 0"),
        ("0", {"NVIDIA_VISIBLE_DEVICES": "void"}, "NVIDIA_VISIBLE_DEVICES", "no GPU"),
        ("0", {"NVIDIA_VISIBLE_DEVICES": "2,3"}, "NVIDIA_VISIBLE_DEVICES", "2 GPUs"),
        ("0", {"CUDA_MPS_PIPE_DIRECTORY": "/run/mps"}, "CUDA_MPS_PIPE_DIRECTORY", "UUID"),
        ("0", {"CUDA_DEVICE_ORDER": "PCI"}, "CUDA_DEVICE_ORDER", "PCI_BUS_ID"),
        ("0", {"JAX_CUDA_VISIBLE_DEVICES": "1"}, "JAX_CUDA_VISIBLE_DEVICES", "leaves"),
    ],
)
def test_other_variables_are_explained(
    value: str | None, variables: dict[str, str], variable: str, word: str
) -> None:
    [remark] = remarks(value, variables)
    assert remark.variable == variable
    assert word in remark.text


@pytest.mark.parametrize(
    ("value", "variables"),
    [
        (None, {}),
        ("0", {"NVIDIA_VISIBLE_DEVICES": "all", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}),
        ("2,3", {"GPU_DEVICE_ORDINAL": "2,3", "SLURM_JOB_GPUS": "2,3"}),
        ("GPU-1", {"CUDA_MPS_PIPE_DIRECTORY": "/run/mps"}),
        (None, {"CUDA_MPS_PIPE_DIRECTORY": "/run/mps"}),
        ("0", {"JAX_CUDA_VISIBLE_DEVICES": "all"}),
    ],
)
def test_variables_that_change_nothing_are_not_spoken_of(
    value: str | None, variables: dict[str, str]
) -> None:
    assert remarks(value, variables) == ()
