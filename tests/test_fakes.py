"""The fakes behave as drivers do, and say so where a scenario is written wrongly.

The contract (support/contract.py) also runs against the real libraries, in tests/gpu.
"""

from __future__ import annotations

import re
import signal
import struct
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import HEALTHY, TWO_DIFFERENT_CARDS
from support.child import printed, run_python
from support.contracts import CONTRACT
from support.machines import (
    A100,
    A100_1G,
    A100_2G,
    DRIVER_470,
    DRIVER_535,
    DRIVER_580,
    H100,
    TESLA_T4,
    Process,
    dual_k80,
    nvswitch_machine,
    with_mig,
)
from support.scenario import Scenario, Stage, stage

if TYPE_CHECKING:
    from support.fakes import Fakes

API = Path(__file__).parents[1] / "csrc" / "api"

ONE_CARD = Scenario(name="one card", expect=HEALTHY)

MACHINES = (
    ONE_CARD,
    TWO_DIFFERENT_CARDS,
    replace(ONE_CARD, name="eight on switches", gpus=nvswitch_machine(H100), driver=DRIVER_580),
    replace(ONE_CARD, name="two on one board", gpus=dual_k80(), driver=DRIVER_470),
    replace(
        ONE_CARD, name="MIG", gpus=(with_mig(A100),), migs=(A100_2G, A100_1G), driver=DRIVER_580
    ),
)

IN_CONTEXT = "from support.contract import *; driver, _ = in_context(); "


def died(made: Stage, code: str) -> str:
    """What the fake says on standard error when it ends the process because the test is wrong."""
    done = run_python(made.environment("search"), "-c", code)
    assert done.returncode == 97, (done.returncode, done.stderr)
    return done.stderr


@pytest.mark.parametrize("name", CONTRACT)
@pytest.mark.parametrize("machine", MACHINES, ids=lambda each: each.name)
def test_a_fake_keeps_the_contract_of_a_driver(
    name: str, machine: Scenario, fakes: Fakes, tmp_path: Path
) -> None:
    done = run_python(
        stage(machine, fakes, tmp_path).environment("search"), "-m", "support.contracts", name
    )
    assert done.returncode == 0, done.stderr


# -- faults -----------------------------------------------------------------------------------


def test_a_call_fails_with_the_planned_code_at_its_turn(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(replace(ONE_CARD, faults={"cuMemAlloc_v2@2": 719}), fakes, tmp_path)
    code = IN_CONTEXT + (
        "import json; a = lambda: driver('cuMemAlloc_v2', byref(Pointer()), Size(4)); "
        "print(json.dumps([a(), a(), a()]))"
    )
    # 719 kills the context: what comes after it gets the same code.
    assert printed(made, code) == [0, 719, 719]
    [report] = made.reports()
    assert report["failed"] == "cuMemAlloc_v2"


def test_any_call_can_be_the_one_that_fails(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(replace(ONE_CARD, faults={"cu*@3": 999}), fakes, tmp_path)
    code = (
        "import json; from support.vendor import *; driver = cuda(); "
        "print(json.dumps([driver('cuInit', 0) for _ in range(4)]))"
    )
    assert printed(made, code) == [0, 0, 999, 0]


def test_faults_of_two_calls_in_a_row_strike_both(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(replace(ONE_CARD, faults={"cuInit@2": 999, "cuInit@3": 101}), fakes, tmp_path)
    code = (
        "import json; from support.vendor import *; driver = cuda(); "
        "print(json.dumps([driver('cuInit', 0) for _ in range(4)]))"
    )
    assert printed(made, code) == [0, 999, 101, 0]


def test_a_fault_of_one_gpu_spares_the_others(fakes: Fakes, tmp_path: Path) -> None:
    machine = replace(TWO_DIFFERENT_CARDS, faults={"cuMemAlloc_v2@2/1": 2})
    code = """
import json
from ctypes import byref
from support.vendor import *
driver = cuda()
driver("cuInit", 0)
def allocate(device):
    context = Pointer()
    driver("cuDevicePrimaryCtxRetain", byref(context), device)
    driver("cuCtxPushCurrent_v2", context)
    return driver("cuMemAlloc_v2", byref(Pointer()), Size(4))
print(json.dumps([allocate(device) for device in (0, 1, 0, 0, 1, 1)]))
"""
    assert printed(stage(machine, fakes, tmp_path), code) == [0, 0, 0, 0, 2, 0]


@pytest.mark.parametrize(("fault", "ends_by"), [("segv", "SIGSEGV"), ("abort", "SIGABRT")])
def test_a_crash_is_a_real_one(fault: str, ends_by: str, fakes: Fakes, tmp_path: Path) -> None:
    made = stage(replace(ONE_CARD, faults={"cuInit": fault}), fakes, tmp_path)
    done = run_python(
        made.environment("search"), "-c", "from support.vendor import *; cuda()('cuInit', 0)"
    )
    assert signal.Signals(-done.returncode).name == ends_by


def test_a_copy_to_the_host_can_arrive_with_one_wrong_bit(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(replace(ONE_CARD, faults={"cuMemcpyDtoH_v2@2": "flip"}), fakes, tmp_path)
    code = IN_CONTEXT + (
        "import json; place, got = Pointer(), create_string_buffer(8); "
        "driver('cuMemAlloc_v2', byref(place), Size(8)); "
        "driver('cuMemsetD8_v2', place, 0, Size(8)); "
        "print(json.dumps([(driver('cuMemcpyDtoH_v2', got, place, Size(8)), sum(got.raw)) "
        "for _ in range(3)]))"
    )
    assert printed(made, code) == [[0, 0], [0, 1], [0, 0]]


@pytest.mark.parametrize(
    ("ini", "complaint"),
    [
        ("[faults]\ncuInti = 803\n", "cuInti"),
        ("[faults]\ninit = 803\n", "names no function of CUDA or NVML"),
        ("[faults]\ncuInit = eight\n", "not a code"),
        ("[gpu.0]\nnmae = H100\n", "no such key"),
        ("[gpu.1]\nname = H100\n", "out of order"),
        ("[gpu.0]\nsms = many\n", "not a number"),
        ("[driver]\nname = 535\n", "no such key"),
        ("[drivers]\n", "no such section"),
        ("name = H100\n", "no such key"),
        ("[gpu.0]\nname\n", "neither [section] nor key = value"),
        ("[process.0]\ngpu = 0\n", "names a GPU that is not there"),
        ("[gpu.0]\nsms = none\n", "not a number"),
        ("[gpu.0]\npower = some\n", "not a number"),
        ("[gpu.0]\nmig = 0\n[mig.0]\ngpu = 0\n", "not in MIG mode"),
        ("[mig.0]\ngpu = 3\n", "not there"),
        ("[mig.0]\nslices = 3\n", "no such key"),
    ],
)
def test_a_mistake_in_a_scenario_ends_the_process(
    ini: str, complaint: str, fakes: Fakes, tmp_path: Path
) -> None:
    made = stage(ONE_CARD, fakes, tmp_path)
    (tmp_path / "scenario.ini").write_text(ini)
    assert complaint in died(made, "from support.vendor import *; cuda()('cuInit', 0)")


# -- life and death of objects ----------------------------------------------------------------


def test_the_report_counts_what_is_still_alive(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(ONE_CARD, fakes, tmp_path)
    code = IN_CONTEXT + (
        "place = Pointer(); [driver('cuMemAlloc_v2', byref(place), Size(4)) for _ in 'abc']; "
        "driver('cuMemFree_v2', place); driver('cuMemFree_v2', place); print(0)"
    )
    printed(made, code)
    [report] = made.reports()
    alive = {name: report[name] for name in ("contexts", "allocations", "modules", "bad_frees")}
    assert alive == {"contexts": 1, "allocations": 2, "modules": 0, "bad_frees": 1}


def test_memory_of_other_processes_is_not_free(fakes: Fakes, tmp_path: Path) -> None:
    full = replace(H100, used_mib=H100.memory_mib - 1)
    other = Process("train.py", 4242, full.used_mib)
    made = stage(replace(ONE_CARD, gpus=(full,), processes=(other,)), fakes, tmp_path)
    code = IN_CONTEXT + (
        "import json; a = lambda n: driver('cuMemAlloc_v2', byref(Pointer()), Size(n)); "
        "print(json.dumps([a(1 << 20), a(1)]))"
    )
    assert printed(made, code) == [0, 2]


@pytest.mark.parametrize(("mode", "holders", "code"), [(2, 0, 999), (3, 1, 46), (3, 0, 0)])
def test_compute_modes_close_the_device(
    mode: int, holders: int, code: int, fakes: Fakes, tmp_path: Path
) -> None:
    machine = replace(
        ONE_CARD,
        gpus=(replace(H100, compute_mode=mode),),
        processes=(Process("train.py", 4242, 0),) * holders,
    )
    program = (
        "from support.contract import *; "
        "print(started()('cuDevicePrimaryCtxRetain', byref(Pointer()), 0))"
    )
    assert printed(stage(machine, fakes, tmp_path), program) == code


def test_a_lost_gpu_answers_nvml_with_15_and_is_not_shown_by_cuda(
    fakes: Fakes, tmp_path: Path
) -> None:
    gpus = (H100, replace(TESLA_T4, pci="0000:81:00.0", minor=1, lost=True))
    made = stage(replace(ONE_CARD, gpus=gpus), fakes, tmp_path)
    code = (
        "import json; from support.contract import *; library = nvml(); library('nvmlInit_v2'); "
        "get = lambda i: library('nvmlDeviceGetHandleByIndex_v2', i, byref(Pointer())); "
        "print(json.dumps([sorted([get(0), get(1)]), visible_uuids()]))"
    ).replace("import *;", "import *; from support.vendor import visible_uuids;")
    assert printed(made, code) == [[0, 15], [H100.uuid]]


# -- images -----------------------------------------------------------------------------------


def cubin(capability: int, *, abi: int = 8) -> bytes:
    """The head of a cubin as nvcc 13 (ABI 8) or an older one writes it; no sections."""
    flags = capability << 8 if abi >= 8 else capability
    ident = b"\x7fELF\x02\x01\x01\x41" + bytes([abi]) + bytes(7)
    return ident + struct.pack("<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, 0, flags, 64, 0, 0, 64, 0, 0)


def ptx(version: str, target: str) -> bytes:
    return f"//\n.version {version}\n.target {target}\n.address_size 64\n".encode() + bytes(1)


@pytest.mark.parametrize(
    ("driver", "capability", "image", "code"),
    [
        (DRIVER_580, 90, cubin(90), 0),
        (DRIVER_580, 89, cubin(86), 0),
        (DRIVER_580, 86, cubin(89), 209),
        (DRIVER_580, 90, cubin(80), 209),
        (DRIVER_580, 120, cubin(120), 0),
        (DRIVER_535, 90, cubin(90), 200),
        (DRIVER_535, 90, cubin(90, abi=7), 0),
        (DRIVER_535, 90, ptx("6.0", "sm_50"), 0),
        (DRIVER_535, 90, ptx("8.2", "sm_90"), 0),
        (DRIVER_535, 90, ptx("9.0", "sm_75"), 222),
        (DRIVER_535, 86, ptx("8.0", "sm_90"), 218),
        (DRIVER_535, 86, b".not ptx at all\0", 218),
        (DRIVER_535, 86, b"\0" * 64, 200),
    ],
)
def test_an_image_is_judged_by_device_and_driver(
    driver: object, capability: int, image: bytes, code: int, fakes: Fakes, tmp_path: Path
) -> None:
    assert isinstance(driver, type(DRIVER_535))
    machine = replace(ONE_CARD, driver=driver, gpus=(replace(H100, capability=capability),))
    program = IN_CONTEXT + f"print(driver('cuModuleLoadData', byref(Pointer()), {image!r}))"
    assert printed(stage(machine, fakes, tmp_path), program) == code


# -- names ------------------------------------------------------------------------------------


def names_that_gpuprobe_calls(table: str) -> list[str]:
    return re.findall(r"_SYMBOL\(GP_\w+, (\w+),", (API / table).read_text())


@pytest.mark.parametrize(
    ("table", "soname"),
    [("cuda_symbols.def", "libcuda.so.1"), ("nvml_symbols.def", "libnvidia-ml.so.1")],
)
def test_every_name_that_gpuprobe_looks_up_is_exported(
    table: str, soname: str, fakes: Fakes, tmp_path: Path
) -> None:
    wanted = names_that_gpuprobe_calls(table)
    assert len(wanted) > 10
    made = stage(ONE_CARD, fakes, tmp_path)
    code = (
        f"import json; from support.vendor import *; library = Library({soname!r}); "
        f"print(json.dumps([name for name in {wanted!r} if not library.has(name)]))"
    )
    assert printed(made, code) == []


def test_the_stub_answers_34_to_everything_and_writes_nothing(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(replace(ONE_CARD, stub_first=True), fakes, tmp_path)
    wanted = names_that_gpuprobe_calls("cuda_symbols.def")
    code = (
        "import json; from support.contract import *; driver = cuda(); version = ctypes.c_int(-5); "
        f"print(json.dumps([sorted({{driver(name, byref(version)) for name in {wanted!r}}}), "
        "version.value]))"
    )
    assert printed(made, code) == [[34], -5]


def test_a_name_without_its_suffix_is_a_trap(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(ONE_CARD, fakes, tmp_path)
    message = died(made, IN_CONTEXT + "driver('cuMemAlloc', byref(Pointer()), 4)")
    assert "cuMemAlloc is the ABI of an old CUDA" in message
