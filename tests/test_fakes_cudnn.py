"""The fake cuDNN refuses and announces what a real one does: one contract asks both.

What the fake computes is tested with conv2d, in tests/compute.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import HEALTHY
from support.child import run_python
from support.cudnn_contract import CONTRACT
from support.scenario import Scenario, stage
from support.vendor import wheel_library

if TYPE_CHECKING:
    from support.fakes import Fakes

ROOT = Path(__file__).parents[1]
CORE = ROOT / "csrc"
API = CORE / "api"
NO_DRIVER = Scenario(name="no driver", expect=HEALTHY, driver=None, gpus=())


def real_cudnn() -> Path:
    """The library out of the wheel. Skips without one."""
    library = wheel_library("libcudnn.so.9")
    return library or pytest.skip("no libcudnn.so.9 (pip install nvidia-cudnn-cu13)")


def keeps(statement: str, library: Path, fakes: Fakes, folder: Path) -> None:
    """Asks a library on a machine that has the toolkit's stub and no driver."""
    made = stage(NO_DRIVER, fakes, folder)
    environment = made.environment("search") | {"LD_LIBRARY_PATH": str(fakes.stub.parent)}
    done = run_python(environment, "-m", "support.cudnn_contract", str(library), statement)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize("statement", CONTRACT)
def test_the_fake_keeps_the_contract(statement: str, fakes: Fakes, tmp_path: Path) -> None:
    keeps(statement, fakes.cudnn(), fakes, tmp_path)


@pytest.mark.parametrize("statement", CONTRACT)
def test_a_real_cudnn_keeps_the_contract(statement: str, fakes: Fakes, tmp_path: Path) -> None:
    keeps(statement, real_cudnn(), fakes, tmp_path)


@pytest.fixture(scope="module")
def writer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that writes down every kind of graph that gpuprobe has."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    program = tmp_path_factory.mktemp("graphs") / "graphs"
    subjects = ("cudnn/gp_cudnn_bag", "cudnn/gp_cudnn_graph", "cudnn/gp_cudnn_problem")
    sources = [
        CORE / "ops" / f"{each}.c" for each in (*subjects, "gp_conv2d_shape", "gp_arithmetic")
    ]
    sources += [*CORE.glob("base/*.c"), CORE / "api/gp_cudnn.c", CORE / "api/gp_library.c"]
    sources += [*CORE.glob("platform/*.c"), *CORE.glob("platform/posix/*.c")]
    options = ("-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-I{CORE}", "-o", str(program))
    main = str(ROOT / "tests" / "conformance" / "cudnn_graphs.c")
    libraries = ("-ldl", "-lm", "-lpthread")
    subprocess.run([compiler, *options, main, *map(str, sources), *libraries], check=True)
    return program


def graphs_taken(writer: Path, library: Path, fakes: Fakes, folder: Path) -> list[str]:
    """What a library makes of each graph, on the same machine."""
    made = stage(NO_DRIVER, fakes, folder)
    environment = made.environment("search") | {"LD_LIBRARY_PATH": str(fakes.stub.parent)}
    done = subprocess.run([writer, library], check=True, env=environment, capture_output=True,
                          text=True)  # fmt: skip
    return done.stdout.splitlines()


def test_the_fake_takes_every_graph_that_gpuprobe_writes(
    writer: Path, fakes: Fakes, tmp_path: Path
) -> None:
    taken = graphs_taken(writer, fakes.cudnn(), fakes, tmp_path)
    assert len(taken) == 4 * 2 * 3
    assert [each for each in taken if not each.endswith(": 0 ready ")] == []


def test_a_real_cudnn_takes_every_graph_that_gpuprobe_writes(
    writer: Path, fakes: Fakes, tmp_path: Path
) -> None:
    taken = graphs_taken(writer, real_cudnn(), fakes, tmp_path)
    assert len(taken) == 4 * 2 * 3
    assert [each for each in taken if not each.endswith(": 0 ready ")] == []


def told(code: str, faults: dict[str, int | str], fakes: Fakes, folder: Path) -> object:
    """What a program prints that has the fake cuDNN as `dnn`."""
    scenario = Scenario(name="one card", expect=HEALTHY, faults=faults)
    made = stage(scenario, fakes, folder)
    head = f"import json; from support.cudnn_graphs import *; dnn = Cudnn({str(fakes.cudnn())!r}); "
    done = run_python(made.environment("search"), "-c", head + code)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_name_that_gpuprobe_looks_up_is_exported(fakes: Fakes, tmp_path: Path) -> None:
    text = (API / "cudnn_symbols.def").read_text(encoding="utf-8")
    wanted = re.findall(r"^GP_CUDNN_SYMBOL\(\w+, (\w+),", text, re.MULTILINE)
    assert {"cudnnCreate", "cudnnBackendExecute"} < set(wanted)
    code = f"print(json.dumps([each for each in {wanted!r} if not dnn._library.has(each)]))"
    assert told(code, {}, fakes, tmp_path) == []


def test_a_call_fails_as_planned_and_has_words_for_it(fakes: Fakes, tmp_path: Path) -> None:
    code = (
        "tensor = dnn.make(TENSOR); "
        "print(json.dumps([[dnn.set(tensor, UID, INT64, 1), dnn.last_words()] for _ in 'abc']))"
    )
    faults: dict[str, int | str] = {"cudnnBackendSetAttribute@2": 4000}
    assert told(code, faults, fakes, tmp_path) == [[0, ""], [4000, "as planned"], [0, ""]]


def test_faults_of_the_driver_are_none_of_cudnns(fakes: Fakes, tmp_path: Path) -> None:
    code = "print(json.dumps(dnn.set(dnn.make(TENSOR), UID, INT64, 1)))"
    assert told(code, {"cu*": 999}, fakes, tmp_path) == 0
    (tmp_path / "other").mkdir()
    code = "print(dnn('cudnnBackendCreateDescriptor', TENSOR, byref(Pointer())))"
    assert told(code, {"cudnn*": 5000}, fakes, tmp_path / "other") == 5000


def test_the_report_counts_descriptors_that_nobody_ended(fakes: Fakes, tmp_path: Path) -> None:
    told("dnn.destroy(dnn.make(TENSOR), dnn.make(GRAPH)); dnn.tensor(1, 1, 2, 3, 4); print(0)",
         {}, fakes, tmp_path)  # fmt: skip
    lines = (tmp_path / "report.jsonl").read_text().splitlines()
    [report] = [json.loads(each) for each in lines if '"libcudnn"' in each]
    assert (report["descriptors"], report["handles"]) == (1, 0)
