"""Which devices a program gets: inside the caller's list, by what is known, never by a guess."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import gpuprobe
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.facts.version import Version
from gpuprobe.launch.choice import Choice, NotChosenError, Wish, choose, needs_cuda
from gpuprobe.launch.sight import Sight, sight_of
from support import gpu_facts
from support.gpu_facts import GIB, h200, uuid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuprobe.facts.model import Fact, Value

NOT_ASKED = Unknown("not asked at the level 'quick'")


def machine(*gpus: Mapping[str, Value | Fact[Value]], driver: str = "580.95.05") -> Facts:
    """A machine with these GPUs; each is an idle H200 but for what is given."""
    facts = dict(gpu_facts.DRIVER)
    facts["driver.version"] = Known(Version(driver), "NVML")
    for number, more in enumerate(gpus):
        idle: dict[str, Value | Fact[Value]] = {"processes": (), "process_bytes": 0,
                                                "memory_free_bytes": 140 * GIB}  # fmt: skip
        facts |= h200(number, **{**idle, **more})
    return Facts(facts)


def seen(facts: Facts, **environ: str) -> Sight:
    return sight_of(facts, environ)


def labels(choice: Choice) -> list[str]:
    return [device.label for device in choice.devices]


def refusal(wish: Wish, sight: Sight) -> str:
    with pytest.raises(NotChosenError) as caught:
        choose(wish, sight)
    return str(caught.value)


BUSY: dict[str, Value | Fact[Value]] = {
    "processes": ("python (process 4711): 2048 MiB",),
    "memory_free_bytes": 138 * GIB,
}


# -- idle ---------------------------------------------------------------------------------------


def test_an_idle_device_is_one_on_which_nobody_holds_memory():
    choice = choose(Wish(idle=1), seen(machine(BUSY, {})))
    assert labels(choice) == ["GPU 1"]
    assert choice.variables == {"CUDA_VISIBLE_DEVICES": uuid(1)}


def test_of_idle_devices_the_least_used_are_taken_in_the_order_of_the_list():
    facts = machine(*({"memory_free_bytes": free * GIB} for free in (120, 139, 110, 138)))
    assert labels(choose(Wish(idle=2), seen(facts))) == ["GPU 1", "GPU 3"]
    assert labels(choose(Wish(idle=3), seen(facts))) == ["GPU 0", "GPU 1", "GPU 3"]


def test_equal_devices_are_taken_in_their_order():
    assert labels(choose(Wish(idle=2), seen(machine({}, {}, {})))) == ["GPU 0", "GPU 1"]
    both = seen(machine({}, {}, {}), CUDA_VISIBLE_DEVICES="2,1,0")
    assert labels(choose(Wish(idle=2), both)) == ["GPU 2", "GPU 1"]


def test_too_few_idle_devices_are_refused_with_who_holds_the_memory():
    told = refusal(Wish(idle=2), seen(machine(BUSY, {})))
    assert "asked for 2 idle: 1 of 2 devices qualify" in told
    assert "GPU 0: not idle: python (process 4711): 2048 MiB" in told
    assert "GPU 1" not in told


def test_processes_that_nobody_can_tell_are_said_and_not_taken_for_none():
    hidden = Unknown("NVML lists no processes in a container")
    told = refusal(Wish(idle=1), seen(machine({"processes": hidden})))
    assert "GPU 0: whether it is idle is not known: NVML lists no processes in a container" in told


def test_no_device_at_all_is_refused():
    told = refusal(Wish(idle=1), seen(gpu_facts.none()))
    why = "no GPU is known here, and `gpuprobe doctor` tells why"
    assert told == f"asked for 1 idle: {why}"
    assert refusal(Wish(visible="0"), seen(gpu_facts.none())) == f"asked for --visible 0: {why}"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"compute_mode": "prohibited"}, "its compute mode is prohibited"),
        ({"cuda_ordinal": Absent("CUDA's list")}, "CUDA does not list it"),
        ({"cuda_ordinal": Unknown("cuInit: 999")}, "whether it lists it: cuInit: 999"),
        ({"uuid": Unknown("NVML does not say")}, "its UUID is not known"),
        ({"failure": Known("nvmlDeviceGetHandleByIndex: 15", "NVML")}, "it cannot be used: nvml"),
        ({"mig": True, "mig_instances": 0}, "it is in MIG mode and has no instance"),
    ],
)
def test_what_no_program_can_use_is_not_given(more: dict[str, Value | Fact[Value]], told: str):
    assert told in refusal(Wish(idle=1), seen(machine(more)))
    assert labels(choose(Wish(idle=1), seen(machine(more, {})))) == ["GPU 1"]


def test_that_cuda_was_not_asked_speaks_against_no_device():
    quick = {"cuda_ordinal": NOT_ASKED}
    assert labels(choose(Wish(idle=1), seen(machine(quick, quick)))) == ["GPU 0"]


# -- free memory --------------------------------------------------------------------------------


def test_free_memory_alone_gives_all_devices_that_have_it():
    facts = machine({"memory_free_bytes": 9 * GIB}, BUSY, {"memory_free_bytes": 10 * GIB})
    choice = choose(Wish(min_free_bytes=10 * GIB), seen(facts))
    assert labels(choice) == ["GPU 1", "GPU 2"]


def test_free_memory_filters_the_idle_ones():
    facts = machine({"memory_free_bytes": 9 * GIB}, BUSY, {})
    wish = Wish(idle=1, min_free_bytes=10 * GIB)
    assert labels(choose(wish, seen(facts))) == ["GPU 2"]
    told = refusal(Wish(idle=2, min_free_bytes=10 * GIB), seen(facts))
    assert "asked for 2 idle with 10.0 GiB free: 1 of 3 devices qualify" in told
    assert "GPU 0: 9.0 GiB free" in told


def test_too_little_memory_is_refused_with_who_holds_it():
    told = refusal(Wish(min_free_bytes=139 * GIB), seen(machine(BUSY)))
    assert "GPU 0: 138.0 GiB free; held by python (process 4711): 2048 MiB" in told


def test_unknown_free_memory_is_said_and_not_taken_for_enough():
    facts = machine({"memory_free_bytes": Unknown("NVML does not say")})
    told = refusal(Wish(min_free_bytes=1), seen(facts))
    assert "its free memory is not known: NVML does not say" in told


# -- named devices ------------------------------------------------------------------------------


def test_numbers_are_read_in_cudas_order_and_given_as_uuids():
    choice = choose(Wish(visible="0"), seen(gpu_facts.two()))
    assert choice.value == uuid(1)  # CUDA counts the faster card first, which is NVML's second
    assert choose(Wish(visible="1,0"), seen(gpu_facts.two())).value == f"{uuid(0)},{uuid(1)}"


def test_numbers_are_read_by_the_bus_where_the_variable_says_so():
    facts = machine({"cuda_ordinal": NOT_ASKED}, {"cuda_ordinal": NOT_ASKED})
    by_bus = seen(facts, CUDA_DEVICE_ORDER="PCI_BUS_ID")
    assert choose(Wish(visible="1"), by_bus).value == uuid(1)


def test_numbers_of_the_only_gpu_need_nobody_to_count():
    sight = seen(machine({"cuda_ordinal": NOT_ASKED}))
    assert not needs_cuda(Wish(visible="0"), sight)
    assert labels(choose(Wish(visible="0"), sight)) == ["GPU 0"]


def test_an_address_is_the_same_place_however_many_zeros_it_begins_with():
    """As NVML and CUDA write it, or nvidia-smi."""
    facts = machine(
        {"cuda_ordinal": NOT_ASKED, "pci": "0000:01:00.0"},
        {"cuda_ordinal": NOT_ASKED, "pci": "00000000:41:00.0"},
    )
    by_bus = seen(facts, CUDA_DEVICE_ORDER="PCI_BUS_ID")
    assert choose(Wish(visible="0"), by_bus).value == uuid(0)


@pytest.mark.parametrize("value", ["1", "-0", "\v1", "0x1"])
def test_numbers_are_not_guessed_where_cudas_order_is_not_known(value: str):
    facts = machine({"cuda_ordinal": NOT_ASKED}, {"cuda_ordinal": NOT_ASKED})
    assert needs_cuda(Wish(visible=value), seen(facts))
    assert "CUDA's order is not known" in refusal(Wish(visible=value), seen(facts))
    assert "CUDA's order is not known" in refusal(
        Wish(idle=1), seen(facts, CUDA_VISIBLE_DEVICES="1")
    )


def test_uuids_need_no_order():
    facts = machine({"cuda_ordinal": NOT_ASKED}, {"cuda_ordinal": NOT_ASKED})
    masked = seen(facts, CUDA_VISIBLE_DEVICES=uuid(1))
    assert not needs_cuda(Wish(visible=uuid(1)), masked)
    assert choose(Wish(visible=uuid(1)[:12]), masked).value == uuid(1)


@pytest.mark.parametrize("value", ["", "-1"])
def test_all_devices_can_be_hidden(value: str):
    facts = machine({"cuda_ordinal": NOT_ASKED}, {"cuda_ordinal": NOT_ASKED})
    assert not needs_cuda(Wish(visible=value), seen(facts))
    assert choose(Wish(visible=value), seen(machine({}))).variables == {
        "CUDA_VISIBLE_DEVICES": "-1"
    }


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("0,7", "the entry '7' is no such number"),
        ("all", "the entry 'all' is not a number"),
        ("GPU-ffffffff", "the entry 'GPU-ffffffff' is no such UUID"),
        ("0,-1", "the entry '-1' is negative"),
        ("0,0", "the entry '0' is lost to a repetition"),
    ],
)
def test_a_list_that_cuda_would_cut_is_refused(value: str, told: str):
    assert told in refusal(Wish(visible=value), seen(machine({}, {}, driver="525.60.13")))


def test_a_list_that_can_be_read_in_two_ways_is_refused():
    told = refusal(Wish(visible="0x1"), seen(machine({}, {})))
    assert "can be read in several ways" in told


def test_named_devices_must_have_the_memory_that_is_asked_for():
    told = refusal(Wish(visible="0", min_free_bytes=139 * GIB), seen(machine(BUSY, {})))
    assert "asked for --visible 0: 0 of 1 devices qualify. GPU 0: 138.0 GiB free" in told


# -- the caller's own list ----------------------------------------------------------------------


def test_a_choice_stays_inside_the_callers_list():
    masked = seen(machine({}, {}, BUSY), CUDA_VISIBLE_DEVICES="2,1")
    assert labels(choose(Wish(idle=1), masked)) == ["GPU 1"]
    told = refusal(Wish(idle=2), masked)
    assert "1 of 2 devices qualify" in told
    assert "GPU 0" not in told


def test_named_devices_beyond_the_callers_list_are_refused_with_both_values():
    told = refusal(Wish(visible="0,1"), seen(machine({}, {}), CUDA_VISIBLE_DEVICES="1"))
    assert "--visible 0,1 goes beyond CUDA_VISIBLE_DEVICES=1" in told
    assert "does not show GPU 0" in told


@pytest.mark.parametrize("mask", ["", "-1", "NoDevFiles"])
def test_who_has_no_device_gives_none(mask: str):
    told = refusal(Wish(idle=1), seen(machine({}), CUDA_VISIBLE_DEVICES=mask))
    assert told == f"CUDA_VISIBLE_DEVICES={mask or '(empty)'} leaves no device to choose from"


def test_a_list_of_the_caller_that_may_hide_a_device_does_not_give_it():
    """Whether drivers after 525 still drop a list with a repetition is not known."""
    masked = seen(machine({}, {}), CUDA_VISIBLE_DEVICES="0,0")
    assert "leaves no device" in refusal(Wish(idle=1), masked)


# -- MIG ----------------------------------------------------------------------------------------


def mig(**more: Value | Fact[Value]) -> Facts:
    facts = dict(gpu_facts.mig())
    del facts["env.CUDA_VISIBLE_DEVICES"]
    facts["mig.1.cuda_ordinal"] = Known(1, "CUDA")
    return Facts({**facts, **gpu_facts.gpu(0, more)})


def test_mig_instances_are_devices():
    assert choose(Wish(idle=1), seen(mig())).value == uuid(70, "MIG")
    choice = choose(Wish(min_free_bytes=10 * GIB), seen(mig()))
    assert labels(choice) == ["GPU 0, MIG 3g.15gb"]


def test_two_instances_are_given_where_the_driver_shows_two():
    assert choose(Wish(idle=2), seen(mig())).value == f"{uuid(70, 'MIG')},{uuid(71, 'MIG')}"
    old = {**mig(), "driver.version": Known(Version("535.104.05"), "NVML")}
    told = refusal(Wish(idle=2), seen(Facts(old)))
    assert "the driver would not show these together" in told


def test_an_instance_of_a_gpu_in_use_is_not_taken_for_idle():
    told = refusal(Wish(idle=1), seen(mig(processes=("python (process 4711): 100 MiB",))))
    assert "NVML does not tell which instance: python (process 4711): 100 MiB" in told
    told = refusal(Wish(min_free_bytes=GIB), seen(mig(processes=("python (process 1): 1 MiB",))))
    assert "its free memory is not known" in told


# -- from Python --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "ask for"),
        ({"visible": "0", "idle": 1}, "one of the two"),
        ({"idle": 0}, "1 or more"),
    ],
)
def test_a_wish_that_says_nothing_or_too_much_is_an_error(arguments: dict[str, object], told: str):
    with pytest.raises(ValueError, match=told):
        gpuprobe.choose(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"visible": 0}, "visible is 0; it has to be a text"),
        ({"visible": b"0"}, "visible is b'0'; it has to be a text"),
        ({"idle": "1"}, "idle is '1'; it has to be a whole number"),
        ({"idle": 1.5}, "idle is 1.5; it has to be a whole number"),
        ({"min_free_bytes": "10GiB"}, "min_free_bytes is '10GiB'; it has to be a whole number"),
    ],
)
def test_what_is_no_number_or_text_is_named(asked: dict[str, Any], told: str):
    with pytest.raises(TypeError, match=re.escape(told)):
        gpuprobe.choose(**asked)


def test_a_process_does_not_steer_the_terminal_that_shows_who_is_in_the_way():
    rude: dict[str, Value | Fact[Value]] = {"processes": ("\x1b[2J (process 7): 2048 MiB",)}
    told = refusal(Wish(idle=1), seen(machine(rude)))
    assert "not idle: \\x1b[2J (process 7)" in told
    assert "\x1b" not in told
