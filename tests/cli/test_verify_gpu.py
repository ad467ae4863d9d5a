"""``gpuprobe verify`` on the fake driver: the ladder is climbed in a child, and faults are named.

The launches of our kernels are counted: four for each type of float (whole numbers and others,
each twice), two for each type of integer; those of float64 come first, then those of float32.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from support.child import run_python, running
from support.device_arrays import ONE_CARD
from support.machines import DRIVER_580
from support.probe import nothing_leaked
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes
    from support.scenario import Stage

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")


[GPU] = ONE_CARD.gpus
ROOMY = replace(ONE_CARD, gpus=(replace(GPU, memory_mib=4096),))
FLOAT32 = "matmul float32, native"


def verified(made: Stage, *more: str, **environment: str) -> tuple[int, dict, str]:
    """The exit code, the document, and what is on standard error."""
    done = run_python(
        made.environment("search") | environment,
        *("-m", "gpuprobe", "verify", "--json", "--seed", "3", *more),
        timeout=200,
    )
    return done.returncode, json.loads(done.stdout), done.stderr


def steps_of(document: dict) -> dict[str, dict]:
    return {step["name"]: step for step in document["steps"]}


def test_every_type_is_proved_and_its_times_are_told(fakes: Fakes, tmp_path: Path):
    made = stage(ROOMY, fakes, tmp_path)
    code, document, _ = verified(made)
    steps = steps_of(document)
    assert (code, document["outcome"]) == (0, "right"), document
    names = ["CUDA starts", "fill, add, hash, copy back", "memory, there and back"]
    assert [*steps][:5] == [*names, "allocation seen by the driver", "matmul float64, native"]
    ours = {name: step for name, step in steps.items() if name.endswith(", native")}
    assert {name for name, step in ours.items() if step["outcome"] != "right"} == {
        "matmul float32 as tf32, native",
        "conv2d float32 as tf32, native",
    }
    for step in ours.values():
        if step["outcome"] == "right":
            assert step["proofs"][0]["basis"] == "exact"
            assert min(step[f"{part}_seconds"] for part in ("submit", "kernel", "transfer")) >= 0
        else:
            assert "no kernel has this combination" in step["why"]
    nothing_leaked(made)


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_times_are_told_apart_in_every_form(form: str, fakes: Fakes, tmp_path: Path):
    environment = stage(ROOMY, fakes, tmp_path).environment("search")
    done = run_python(environment, "-m", "gpuprobe", "verify", "--format", form, timeout=200)
    assert done.returncode == 0, done.stderr
    for part in ("submit", "kernel", "copies"):
        assert (part if form == "text" else f"{part.capitalize()} (ms)") in done.stdout
    assert "conv2d bfloat16, native" in done.stdout


# -- several GPUs --------------------------------------------------------------------------------

SECOND = replace(ROOMY.gpus[0], uuid=f"{GPU.uuid[:-1]}f", pci="0000:41:00.0", minor=1)
TWO = replace(ROOMY, gpus=(*ROOMY.gpus, SECOND))


def outcomes(document: dict) -> list[tuple[int, str]]:
    return [(gpu["device"], gpu["outcome"]) for gpu in document["gpus"]]


def on_gpu(document: dict, device: int) -> dict[str, dict]:
    return steps_of({"steps": [each for each in document["steps"] if each["device"] == device]})


def test_fault_of_the_second_gpu_is_named_and_the_first_is_right(fakes: Fakes, tmp_path: Path):
    faults = {"cuLaunchKernel@5/1": "flip", "cuLaunchKernel@6/1": "flip"}
    code, document, _ = verified(stage(replace(TWO, faults=faults), fakes, tmp_path))
    assert (code, document["outcome"]) == (1, "wrong")
    assert outcomes(document) == [(0, "right"), (1, "wrong")]
    assert document["gpus"][1] | {"counts": 0} == {
        "device": 1,
        "name": GPU.name,
        "pci": "0000:41:00.0",
        "outcome": "wrong",
        "counts": 0,
    }
    assert document["gpus"][1]["counts"]["wrong"] == 1
    assert on_gpu(document, 0)["conv2d bfloat16, native"]["outcome"] == "right"
    broken = on_gpu(document, 1)[FLOAT32]
    assert (broken["outcome"], broken["proofs"][0]["cause"]) == ("wrong", "one bit")
    assert [*on_gpu(document, 1)] == [*on_gpu(document, 0)]
    assert document["steps"][0] | {"device": None} == document["steps"][0]


def test_gpu_that_hangs_is_told_and_the_next_one_is_tried(fakes: Fakes, tmp_path: Path):
    made = stage(replace(TWO, faults={"cuLaunchKernel@5/0": "hang 60"}), fakes, tmp_path)
    code, document, error = verified(made, GPUPROBE_TIMEOUT="10")
    assert (code, outcomes(document)) == (1, [(0, "wrong"), (1, "right")])
    assert on_gpu(document, 0)[FLOAT32]["why"].startswith("it took more than 10 s")
    assert "gpuprobe: CUDA device 0: waiting for matmul float32, native, at most 10 s" in error


def test_kernels_that_are_wrong_on_the_second_gpu_leave_the_first_right(
    fakes: Fakes, tmp_path: Path
):
    made = stage(replace(TWO, faults={"cuMemcpyDtoH_v2/1": "flip"}), fakes, tmp_path)
    code, document, _ = verified(made)
    assert (code, outcomes(document)) == (1, [(0, "right"), (1, "wrong")])
    assert on_gpu(document, 1)["fill, add, hash, copy back"]["outcome"] == "wrong"


@pytest.mark.parametrize("named", ["1", SECOND.uuid])
def test_one_gpu_is_chosen_by_its_number_or_uuid(named: str, fakes: Fakes, tmp_path: Path):
    """What is wrong with the other one is not found."""
    faults = {"cuLaunchKernel@5/0": "flip", "cuLaunchKernel@6/0": "flip"}
    made = stage(replace(TWO, faults=faults), fakes, tmp_path)
    code, document, _ = verified(made, "--device", named)
    assert (code, outcomes(document)) == (0, [(1, "right")])
    nothing_leaked(made)


def test_gpu_that_is_not_there_is_a_wrong_usage(fakes: Fakes, tmp_path: Path):
    environment = stage(TWO, fakes, tmp_path).environment("search")
    done = run_python(environment, "-m", "gpuprobe", "verify", "--device", "2")
    assert done.returncode == 2
    assert "device is 2, and CUDA shows to this process CUDA device 0: NVIDIA H100" in done.stderr
    assert "CUDA device 1: NVIDIA H100 80GB HBM3, 0000:41:00.0" in done.stderr


def test_after_ctrl_c_no_child_is_left(fakes: Fakes, tmp_path: Path):
    made = stage(replace(ROOMY, faults={"cuLaunchKernel@5": "hang 300"}), fakes, tmp_path)
    environment = made.environment("search")
    command = [sys.executable, "-m", "gpuprobe", "verify"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr is not None
        assert any("waiting for matmul float32, native" in line for line in program.stderr)
        assert len(running(environment)) == 2  # the program and its child
        program.send_signal(signal.SIGINT)
        program.wait(60)
    assert running(environment) == []


@pytest.fixture
def libraries(fakes: Fakes) -> dict[str, str]:
    """The variables that name the fakes of cuBLASLt and cuDNN."""
    return {"GPUPROBE_LIBCUBLASLT": str(fakes.cublaslt()), "GPUPROBE_LIBCUDNN": str(fakes.cudnn())}


def test_libraries_of_the_vendor_come_last_and_say_what_they_cannot_do(
    libraries: dict[str, str], fakes: Fakes, tmp_path: Path
):
    made = stage(replace(ROOMY, driver=DRIVER_580), fakes, tmp_path)
    code, document, _ = verified(made, **libraries)
    steps = steps_of(document)
    assert (code, document["counts"]["wrong"]) == (0, 0), document
    by = [name.rpartition(", ")[2] for name in [*steps][4:]]
    assert list(dict.fromkeys(by)) == ["native", "cuBLAS", "cuDNN"]
    for kind in ("float64", "float32", "float32 as tf32"):
        assert steps[f"matmul {kind}, cuBLAS"]["outcome"] == "right"
        assert steps[f"conv2d {kind}, cuDNN"]["outcome"] == "right"
    narrow = [steps[f"matmul {kind}, cuBLAS"] for kind in ("int8", "float8_e4m3fn", "float8_e5m2")]
    assert [step["outcome"] for step in narrow] == ["right", "right", "not run"]
    assert narrow[2]["why"] == "cuBLAS does not multiply float8_e5m2 by float8_e5m2"
    nothing_leaked(made)


def test_library_that_computes_in_tf32_unasked_is_found_out(
    libraries: dict[str, str], fakes: Fakes, tmp_path: Path
):
    faults = {"cublasLtMatmul@7": "tf32", "cublasLtMatmul@8": "tf32"}
    made = stage(replace(ROOMY, driver=DRIVER_580, faults=faults), fakes, tmp_path)
    code, document, _ = verified(made, **libraries)
    step = steps_of(document)["matmul float32, cuBLAS"]
    assert (code, step["outcome"], step["proofs"][1]["cause"]) == (1, "wrong", "tf32")


def test_a_cell_that_is_run_again_sees_what_was_mended(fakes: Fakes, tmp_path: Path):
    made = stage(replace(ROOMY, faults={"cuInit": 100}), fakes, tmp_path)
    code = """
import os, pathlib, gpuprobe
print(gpuprobe.verify().outcome)
machine = pathlib.Path(os.environ["GPUPROBE_FAKE_SCENARIO"])
machine.write_text(machine.read_text().replace("cuInit = 100", ""))
print(gpuprobe.verify().outcome)
"""
    done = run_python(made.environment("search"), "-c", code, timeout=200)
    assert done.stdout.split("\n")[:2] == ["not run", "right"], done.stderr


def test_missing_library_is_not_run_and_said(fakes: Fakes, tmp_path: Path):
    made = stage(ROOMY, fakes, tmp_path)
    nowhere = str(tmp_path / "libcublasLt.so.13")
    code, document, _ = verified(made, "--no-redact", GPUPROBE_LIBCUBLASLT=nowhere)
    step = steps_of(document)["matmul float32, cuBLAS"]
    assert (code, step["outcome"]) == (0, "not run")
    assert step["why"].startswith("cublas: ")
    assert nowhere in step["why"]


def test_reasons_tell_of_nobody(fakes: Fakes, tmp_path: Path):
    made = stage(ROOMY, fakes, tmp_path)
    _, document, _ = verified(made, GPUPROBE_LIBCUBLASLT="/home/alice/libcublasLt.so.13")
    why = steps_of(document)["matmul float32, cuBLAS"]["why"]
    assert "/home/user-1/libcublasLt.so.13" in why
    assert "alice" not in json.dumps(document)


def test_modules_of_the_current_folder_are_none_of_the_childs(fakes: Fakes, tmp_path: Path):
    made = stage(ROOMY, fakes, tmp_path)
    for name in ("json", "types"):  # a program's own files are called so
        (tmp_path / f"{name}.py").write_text("raise SystemExit(5)")
    code = "import os, sys; sys.path.remove(''); os.chdir(sys.argv.pop(1))"
    code += "; from gpuprobe.cli import main; sys.exit(main())"
    asked = ("verify", "--device", "0", "--json")
    done = run_python(made.environment("search"), "-c", code, str(tmp_path), *asked, timeout=200)
    assert json.loads(done.stdout)["outcome"] == "right"


@pytest.mark.parametrize(
    ("faults", "cause", "proof", "why"),
    [
        # Both computations of whole numbers: a fault that repeats.
        ({"cuLaunchKernel@5": "flip", "cuLaunchKernel@6": "flip"}, "one bit", 0, None),
        ({"cuLaunchKernel@5": "swap", "cuLaunchKernel@6": "swap"}, "swapped rows", 0, None),
        ({"cuLaunchKernel@5": "zero", "cuLaunchKernel@6": "zero"}, "zeros", 0, None),
        ({"cuLaunchKernel@5": "nan", "cuLaunchKernel@6": "nan"}, "not finite", 0, None),
        # Of the other numbers, as whole ones are the same in TF32.
        ({"cuLaunchKernel@7": "tf32", "cuLaunchKernel@8": "tf32"}, "tf32", 1, None),
        # The second time only.
        ({"cuLaunchKernel@6": "flip"}, "one bit", 0, "other bits the second time"),
    ],
)
def test_planted_fault_is_named_and_stops_the_ladder(
    faults: dict[str, str],
    cause: str,
    proof: int,
    why: str | None,
    fakes: Fakes,
    tmp_path: Path,
):
    made = stage(replace(ROOMY, faults=faults), fakes, tmp_path)
    code, document, _ = verified(made)
    steps = steps_of(document)
    assert (code, document["outcome"]) == (1, "wrong")
    assert steps["matmul float64, native"]["outcome"] == "right"
    broken = steps[FLOAT32]
    assert (broken["outcome"], broken["proofs"][proof]["cause"]) == ("wrong", cause)
    assert why is None or why in broken["why"]
    after = document["steps"][[*steps].index(FLOAT32) + 1 :]
    assert {(step["outcome"], step["why"]) for step in after} == {
        ("not run", f"{FLOAT32} is wrong")
    }


def test_copy_that_loses_a_bit_is_located(fakes: Fakes, tmp_path: Path):
    made = stage(replace(ROOMY, faults={"cuMemcpyDtoHAsync_v2@1": "flip"}), fakes, tmp_path)
    code, document, _ = verified(made)
    step = steps_of(document)["memory, there and back"]
    assert (code, step["outcome"]) == (1, "wrong")
    found = re.fullmatch(
        r"1 bytes came back otherwise, the first at \d+: (0x\w\w) for (0x\w\w)", step["why"]
    )
    assert found is not None, step["why"]
    assert int(found[1], 16) ^ int(found[2], 16) == 1


def test_launch_that_fails_is_wrong_and_says_why(fakes: Fakes, tmp_path: Path):
    made = stage(replace(ROOMY, faults={"cuLaunchKernel@5": 719}), fakes, tmp_path)
    code, document, _ = verified(made)
    step = steps_of(document)[FLOAT32]
    assert (code, step["outcome"]) == (1, "wrong")
    assert "cuLaunchKernel(gp_matmul_f32) failed with CUDA_ERROR_LAUNCH_FAILED (719)" in step["why"]


@pytest.mark.parametrize(
    ("fault", "limit_s", "told"),
    [
        ("hang 60", 10, "it took more than 10 s; it was in matmul float32, native"),
        ("segv", 60, "its process was ended by SIGSEGV; it was in matmul float32, native"),
    ],
)
def test_step_that_hangs_or_crashes_is_wrong_and_what_came_before_is_told(
    fault: str, limit_s: int, told: str, fakes: Fakes, tmp_path: Path
):
    made = stage(replace(ROOMY, faults={"cuLaunchKernel@5": fault}), fakes, tmp_path)
    code, document, error = verified(made, GPUPROBE_TIMEOUT=str(limit_s))
    steps = steps_of(document)
    assert (code, steps["matmul float64, native"]["outcome"]) == (1, "right")
    assert (steps[FLOAT32]["outcome"], steps[FLOAT32]["why"]) == ("wrong", told)
    assert steps["conv2d float64, native"]["why"] == f"{FLOAT32} is wrong"
    waited = "gpuprobe: waiting for matmul float32, native, at most 10 s" in error
    assert waited == (fault == "hang 60")


def test_gpu_without_room_is_left_alone(fakes: Fakes, tmp_path: Path):
    made = stage(ONE_CARD, fakes, tmp_path)  # 512 MiB are free
    code, document, _ = verified(made)
    steps = document["steps"]
    assert (code, document["outcome"], steps[0]["outcome"]) == (3, "not run", "right")
    assert {step["outcome"] for step in steps[1:]} == {"not run"}
    assert {step["why"] for step in steps[1:]} == {
        "512 MiB of device memory are free, a test needs 600 MiB"
    }
