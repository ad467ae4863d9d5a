"""`Device`: each value or the reason why there is none, and its JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pytest

from gpuprobe.device import Device, devices_in
from gpuprobe.device.here import as_cuda_lists
from gpuprobe.facts import names
from gpuprobe.facts.model import Family, Unknown
from gpuprobe.memory import holders_in
from gpuprobe.report.json import devices_document
from support import gpu_facts
from support.gpu_facts import SAMPLES
from support.schemas import complaints, validator

if TYPE_CHECKING:
    from gpuprobe.facts.model import Facts

#: None here means that nothing failed, which is no gap in what is known.
NOT_A_GAP = {"failure"}


def document(facts: Facts) -> dict[str, object]:
    """What ``gpuprobe devices --json`` prints."""
    whole = devices_document([device.to_dict() for device in devices_in(facts)])
    read: dict[str, object] = json.loads(json.dumps(whole))
    return read


def gaps(values: Mapping[str, object], head: str = "") -> Iterator[str]:
    """The dotted names of all that is None, but for what lies in instances and figures."""
    for name, value in values.items():
        if value is None:
            yield head + name
        elif isinstance(value, Mapping) and name not in ("unknown", "published"):
            yield from gaps(value, f"{head}{name}.")


@pytest.mark.parametrize("name", SAMPLES)
def test_each_none_has_its_reason_and_nothing_else_has_one(name: str):
    for device in devices_in(SAMPLES[name]()):
        assert set(gaps(device.to_dict())) - NOT_A_GAP == set(device.unknown)
        assert all(device.unknown.values())


@pytest.mark.parametrize("name", SAMPLES)
def test_results_can_be_kept_by_device(name: str):
    """As those of a program that measures each: ``{device: seconds}``."""
    found, again = (devices_in(SAMPLES[name]()) for _ in range(2))
    assert {**dict.fromkeys(found, 1), **dict.fromkeys(again, 2)} == dict.fromkeys(found, 2)
    assert set(holders_in(found)) == set(holders_in(again))


@pytest.mark.parametrize("name", SAMPLES)
def test_document_fits_the_schema(name: str):
    assert complaints("devices", document(SAMPLES[name]())) == []


def test_cudas_list_is_in_its_own_order_without_what_it_does_not_show():
    gpus = (Device(0, ordinal=2), Device(1), Device(2, ordinal=0), Device(3, ordinal=1))
    assert [each.index for each in as_cuda_lists(gpus)] == [2, 3, 0]


def test_schema_names_every_field_and_no_other():
    properties = validator("devices").schema["$defs"]["device"]["properties"]
    plain = Device(0).to_dict()
    assert set(properties) == set(plain)
    for name, value in plain.items():
        if isinstance(value, dict) and name != "unknown":
            assert set(properties[name]["properties"]) == set(value)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), 2),
        (("devices", 0, "capability"), [9]),
        (("devices", 0, "memory_bytes"), "80 GiB"),
        (("devices", 0, "use", "utilization_percent"), 101),
        (("devices", 0, "clocks", "throttle"), "Idle"),
        (("devices", 0, "unknown", "name"), ""),
    ],
)
def test_schema_refuses_what_it_should(path: tuple[str | int, ...], value: object):
    whole = document(gpu_facts.one())
    place: object = whole
    for step in path[:-1]:
        place = place[step]  # type: ignore[index]
    place[path[-1]] = value  # type: ignore[index]
    assert complaints("devices", whole) != []


def test_every_fact_about_a_gpu_has_its_attribute():
    """Each fact, taken alone as unknown with a reason of its own, is told by some attribute."""
    told = gpu_facts.one()
    families = [each for each in vars(names).values() if isinstance(each, Family)]
    for family in families:
        if not family.pattern.startswith("gpu.") or family is names.GPU_FAILURE:
            continue
        key = family(0)
        [device] = devices_in(type(told)({**told, key.name: Unknown(f"no {key.name}")}))
        assert f"no {key.name}" in device.unknown.values(), key.name


def test_groups_hold_what_belongs_together():
    device = devices_in(gpu_facts.two())[1]
    assert (device.clocks.sm_mhz, device.clocks.sm_max_mhz) == (2520, 3105)
    assert (device.power.watts, device.power.limit_watts) == (431.0, 450.0)
    assert device.use.processes is not None
    assert len(device.use.processes) == 2
    assert device.memory_used_bytes == (24564 - 1100) << 20


def test_architecture_and_published_figures_come_from_the_tables():
    [device] = devices_in(gpu_facts.one())
    assert device.architecture == "Hopper"
    assert device.published is not None
    assert device.published.bandwidth_gb_s == 4800
    assert device.published.dense("bf16") == 989.5
    assert device.to_dict()["published"]["dense_rates"]["bf16"] == 989.5  # type: ignore[index]


@pytest.mark.parametrize("name", ["NVIDIA Thing 9000", "NVIDIA H200 NVL Laptop GPU"])
def test_an_unlisted_product_has_no_figures_and_says_so(name: str):
    [device] = devices_in(type(gpu_facts.one())(gpu_facts.h200(0, name=name)))
    assert device.published is None
    assert name in device.unknown["published"]


def test_mig_instances_belong_to_their_gpu():
    whole, empty = devices_in(gpu_facts.mig())
    assert [instance.ordinal for instance in whole.mig.instances] == [0, None]
    assert whole.mig.instances[1].unknown == {"ordinal": "there is none"}
    assert (empty.mig.enabled, empty.mig.instance_count, empty.mig.instances) == (True, 0, ())


def test_a_lost_gpu_is_listed_with_its_failure():
    first, second = devices_in(gpu_facts.lost())
    assert first.failure is None
    assert second.failure is not None
    assert "GPU_IS_LOST" in second.failure
    assert str(second).startswith("GPU 1: name unknown")


def test_a_device_prints_in_one_line():
    assert str(devices_in(gpu_facts.one())[0]).startswith(
        "GPU 0: NVIDIA H200, compute capability 9.0, 132 SMs, 140.4 GiB, 0000:1b:00.0, GPU-"
    )
