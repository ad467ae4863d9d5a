"""The benchmarks that need a GPU, on the fake driver: what they print. Its times say nothing."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.child import complaints, run_python
from support.device_arrays import ONE_CARD
from support.probe import nothing_leaked
from support.scenario import stage

if TYPE_CHECKING:
    from collections.abc import Mapping
    from subprocess import CompletedProcess

    from support.fakes import Fakes

core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if not hasattr(core.Arena, "conv2d"):
    pytest.skip("the C core was built without NumPy's headers", allow_module_level=True)
pytest.importorskip("ml_dtypes")

ROOT = Path(__file__).parents[1]
TORCH_STAND_IN = ROOT / "tests" / "support" / "torch_stand_in.py"
PRODUCTS = ("--sizes", "16,3x5x7,2x16x32x16")
CONVOLUTIONS = ("--batch", "1", "--layers", "2", "--shrink", "28")
NOT_THERE = {"GPUPROBE_LIBCUBLASLT": "/nowhere/a.so", "GPUPROBE_LIBCUDNN": "/nowhere/b.so"}
SPREAD = {"median", "low", "high"}


def ran(
    fakes: Fakes,
    folder: Path,
    name: str,
    *options: str,
    faults: Mapping[str, int | str] | None = None,
    environment: Mapping[str, str] = NOT_THERE,
) -> CompletedProcess[str]:
    """The benchmark, as on a machine with a GPU; nothing may be alive when it has ended."""
    made = stage(replace(ONE_CARD, faults=faults or {}, environment=environment), fakes, folder)
    found = made.environment("search")
    found["PYTHONPATH"] = os.pathsep.join((str(ROOT), found["PYTHONPATH"]))
    done = run_python(found, "-m", f"benchmarks.{name}", "--quick", *options)
    nothing_leaked(made)
    return done


def document(done: CompletedProcess[str]) -> Any:
    """What was printed as JSON."""
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_row(row: Any) -> None:
    """What holds of a row, whatever the times are."""
    for each in row["timed"]:
        for spread in (each["device_s"], each["submit_s"]):
            assert spread.keys() == SPREAD
            assert 0 < spread["low"] <= spread["median"] <= spread["high"]
        assert each["tflops"] == pytest.approx(row["flop"] / 1e12 / each["device_s"]["median"])
        assert each["proof"].startswith("right")
        assert each["calls"] >= 1
    assert row["wrong"] is None
    assert row["state"]["throttle"] == ["Idle"]


def with_torch(folder: Path) -> dict[str, str]:
    """An environment in which the module of the stand-in is called torch."""
    place = folder / "site" / "torch"
    place.mkdir(parents=True)
    shutil.copy(TORCH_STAND_IN, place / "__init__.py")
    return {**NOT_THERE, "PYTHONPATH": str(place.parent)}


def test_products_of_each_type_are_proved_and_timed(fakes: Fakes, tmp_path: Path):
    options = (*PRODUCTS, "--rounds", "3", "--commit", "0123abc", "--json", "-")
    found = document(ran(fakes, tmp_path, "matmul", *options))
    by_kind = {row["kind"] for row in found["rows"] if row["timed"]}
    assert by_kind == {"float64", "float32", "float16", "bfloat16", "int8"}
    assert [row["flop"] for row in found["rows"][:3]] == [
        2 * 16**3,
        2 * 3 * 5 * 7,
        4 * 16 * 32 * 16,
    ]
    for row in found["rows"]:
        assert "/nowhere/a.so" in row["left_out"]["cublas"]
        if row["timed"]:
            check_row(row)
    assert found["method"]["rounds"] == 3
    assert found["setting"]["device"] == "NVIDIA H100 80GB HBM3"
    assert found["setting"]["commit"] == "0123abc"
    assert found["setting"]["options"] == " ".join(("--quick", *options))
    assert found["setting"]["torch"].startswith("left out: No module named 'torch'")
    assert found["before"]["sm_mhz"] == found["after"]["sm_mhz"] == 345


def test_convolutions_of_both_layouts_are_proved_and_timed(fakes: Fakes, tmp_path: Path):
    options = ("--dtypes", "float32,float16", "--json", "-")
    found = document(ran(fakes, tmp_path, "conv", *CONVOLUTIONS, *options))
    kinds = [row["kind"] for row in found["rows"]]
    assert kinds[::2] == ["float32 NCHW", "float32 NHWC", "float16 NCHW", "float16 NHWC"]
    for row in found["rows"]:
        check_row(row)
        assert [each["by"] for each in row["timed"]] == ["native"]
        assert "/nowhere/b.so" in row["left_out"]["cudnn"]


def test_libraries_of_the_vendor_take_part_where_they_are(fakes: Fakes, tmp_path: Path):
    libraries = {"GPUPROBE_LIBCUBLASLT": str(fakes.cublaslt())}
    options = ("--sizes", "16", "--dtypes", "tf32", "--json", "-")
    found = document(ran(fakes, tmp_path, "matmul", *options, environment=libraries))
    [row] = found["rows"]
    check_row(row)
    [timed] = row["timed"]
    assert (timed["by"], timed["is_queued_ahead"]) == ("cublas", True)
    assert timed["algorithm"]
    assert "no kernel" in row["left_out"]["native"]


@pytest.mark.parametrize(
    ("name", "options"),
    [("matmul", ("--sizes", "32")), ("conv", CONVOLUTIONS)],
)
def test_torch_is_compared_with_in_the_same_arithmetic(
    name: str, options: tuple[str, ...], fakes: Fakes, tmp_path: Path
):
    """The stand-in computes as its switches say; a wrong one would show in its proof."""
    environment = with_torch(tmp_path)
    machine = tmp_path / "machine"
    machine.mkdir()
    more = ("--dtypes", "float32,tf32", "--json", "-")
    found = document(ran(fakes, machine, name, *options, *more, environment=environment))
    for row in found["rows"]:
        check_row(row)
        ratios = {each["by"]: each["of_torch"] for each in row["timed"]}
        assert ratios["torch"] == {"median": 1.0, "low": 1.0, "high": 1.0}
        assert all(ratio.keys() == SPREAD for ratio in ratios.values())
        assert ("native" in ratios) == row["kind"].startswith("float32")
    assert found["setting"]["torch"].startswith("9.9.9+stand.in, CUDA 13.0, cuDNN 91900")


def test_what_torch_refuses_is_left_out_with_its_words(fakes: Fakes, tmp_path: Path):
    environment = with_torch(tmp_path)
    machine = tmp_path / "machine"
    machine.mkdir()
    options = ("--sizes", "16", "--dtypes", "int8", "--json", "-")
    found = document(ran(fakes, machine, "matmul", *options, environment=environment))
    [row] = found["rows"]
    assert row["left_out"]["torch"] == "torch: self.size(0) needs to be greater than 16"
    assert [(each["by"], each["of_torch"]) for each in row["timed"]] == [("native", None)]


def test_a_wrong_product_is_not_timed_and_the_others_are(fakes: Fakes, tmp_path: Path):
    options = ("--sizes", "16,24", "--dtypes", "float32", "--backends", "native")
    done = ran(fakes, tmp_path, "matmul", *options, faults={"cuLaunchKernel@1": "nan"})
    assert done.returncode == 1
    first, *rest = done.stdout.splitlines()
    assert first.startswith(
        "float32          16 x 16 x 16             NOT TIMED, native: WRONG: 16 x"
    )
    assert any("c[8, 8] is NaN or infinite" in line for line in rest)
    assert any(line.startswith("float32          24 x 24 x 24             native") for line in rest)


def test_a_wrong_convolution_is_not_timed(fakes: Fakes, tmp_path: Path):
    options = (*CONVOLUTIONS, "--dtypes", "float32", "--layouts", "NHWC", "--json", "-")
    done = ran(fakes, tmp_path, "conv", *options, faults={"cuLaunchKernel@1": "zero"})
    assert done.returncode == 1
    wrong, right = json.loads(done.stdout)["rows"]
    assert wrong["wrong"].startswith("native: WRONG: 1 x 4 x 4 x 64")
    assert wrong["timed"] == []
    check_row(right)


def test_the_table_says_on_what_it_was_measured(fakes: Fakes, tmp_path: Path):
    options = ("--batch", "1", "--layers", "1", "--shrink", "56", "--dtypes", "float32")
    file = tmp_path / "results" / "card.json"
    done = ran(fakes, tmp_path, "conv", *options, "--layouts", "NCHW", "--json", str(file))
    assert done.returncode == 0, done.stderr
    assert len(json.loads(file.read_text())["rows"]) == 1
    assert "float32 NCHW     3x4^2 64x7^2 /2          cudnn   left out: " in done.stdout
    assert "float32 NCHW: 1 convolutions by native: " in done.stdout
    assert "on NVIDIA H100 80GB HBM3, driver 535.104.05 (CUDA 12.2), " in done.stdout
    assert "torch: left out: No module named 'torch'" in done.stdout
    assert "braked by Idle" in done.stdout


def test_patterns_of_memory_are_timed_beside_the_driver(fakes: Fakes, tmp_path: Path):
    found = document(ran(fakes, tmp_path, "memory", "--rounds", "3", "--json", "-"))
    assert [row["pattern"] for row in found["rows"]] == ["one size", "step", "growing", "streams"]
    for row in found["rows"]:
        ours, driver = row["costs"]
        assert (ours["by"], driver["by"]) == ("gpuprobe", "driver")
        assert driver["of_driver"] == {"median": 1.0, "low": 1.0, "high": 1.0}
        assert ours["of_torch"] is None
        assert ours["fragmentation"] >= 1
        assert driver["fragmentation"] is None
        assert row["peak_bytes"] > 0


def test_memory_is_compared_with_torchs(fakes: Fakes, tmp_path: Path):
    environment = with_torch(tmp_path)
    machine = tmp_path / "machine"
    machine.mkdir()
    options = ("--patterns", "streams", "--json", "-")
    found = document(ran(fakes, machine, "memory", *options, environment=environment))
    [row] = found["rows"]
    assert [each["by"] for each in row["costs"]] == ["gpuprobe", "driver", "torch"]
    assert all(each["of_torch"].keys() == SPREAD for each in row["costs"])


@pytest.mark.parametrize("name", ["matmul", "conv", "memory"])
def test_without_a_gpu_the_finding_is_one_line(name: str, fakes: Fakes, tmp_path: Path):
    made = stage(replace(ONE_CARD, driver=None, module=None, nodes=False), fakes, tmp_path)
    found = made.environment("search")
    found["PYTHONPATH"] = os.pathsep.join((str(ROOT), found["PYTHONPATH"]))
    done = run_python(found, "-m", f"benchmarks.{name}")
    assert (done.returncode, done.stdout) == (2, "")
    finding = "There is an NVIDIA GPU, but no NVIDIA driver is installed"
    assert complaints(done.stderr) == f"python -m benchmarks.{name}: {finding}\n"


def test_what_a_fake_took_is_not_written_down(tmp_path: Path):
    path = tmp_path / "result.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    options = ("--fake", "--json", str(path))
    done = run_python(environment, "-m", "benchmarks.matmul", *options)
    assert done.returncode == 2
    assert "what a fake took is not written down" in done.stderr
    assert not path.exists()


def test_no_case_is_begun_when_the_time_is_over(fakes: Fakes, tmp_path: Path):
    options = (*PRODUCTS, "--dtypes", "float16", "--minutes", "0", "--json", "-")
    found = document(ran(fakes, tmp_path, "matmul", *options))
    assert found["rows"] == []
    assert found["not_begun"] == [
        "float16 16 x 16 x 16",
        "float16 3 x 5 x 7",
        "float16 2 x 16 x 32 x 16",
    ]


def test_resnet_50_has_53_convolutions_of_which_23_are_distinct():
    code = """
import json
from benchmarks.memory_patterns import PATTERNS, Take, peak_of
from benchmarks.resnet50 import distinct, layers
every = list(layers())
balances = {}
for name, pattern in PATTERNS.items():
    steps = list(pattern(64))
    takes = sum(isinstance(each, Take) for each in steps)
    balances[name] = [2 * takes == len(steps), peak_of(steps) > 0]
gflop = sum(each.flop(1) for each in every) / 1e9
print(json.dumps([len(every), len(distinct()), gflop, balances]))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = run_python(environment, "-c", code)
    assert done.returncode == 0, done.stderr
    count, different, gflop, balances = json.loads(done.stdout)
    assert (count, different) == (53, 23)
    assert gflop == pytest.approx(8.174, abs=1e-3)  # the architecture's usual 4.1 GMAC, doubled
    assert all(every == [True, True] for every in balances.values())
