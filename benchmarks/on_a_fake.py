"""A benchmark on the tests' fake driver: it shows that all of it runs. A fake has no speed."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: The variables that name the fakes of libraries, which are built where the vendor's headers are.
LIBRARIES = {"GPUPROBE_LIBCUBLASLT": "libcublasLt.so.13", "GPUPROBE_LIBCUDNN": "libcudnn.so.9"}


def on_the_fake(module: str, options: list[str], *, with_libraries: bool = True) -> str:
    """What ``python -m benchmarks.MODULE`` prints in a child that has the fake driver."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support.child import run_python
    from support.device_arrays import ONE_CARD
    from support.fakes import build_fakes
    from support.scenario import stage

    with tempfile.TemporaryDirectory() as folder:
        machine = Path(folder, "machine")
        machine.mkdir()
        fakes = build_fakes(Path(folder, "fakes"))
        environment = stage(ONE_CARD, fakes, machine).environment("search")
        for variable, soname in LIBRARIES.items():
            if with_libraries and fakes.library(soname).is_file():
                environment[variable] = str(fakes.library(soname))
        environment["PYTHONPATH"] = os.pathsep.join((str(ROOT), environment["PYTHONPATH"]))
        done = run_python(environment, "-m", f"benchmarks.{module}", *options, timeout=600)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return done.stdout
