"""Look at machines whose files are anything but what they should be, and see whether it breaks.

    python tests/fuzz/fuzz_trees.py [--seconds 60] [--seed N]

A machine of the tests is written into a folder; gpuprobe looks at it once, and every path that it
asks for is a place for an accident (accidents.py). Where new places come to light by that, they
may be next. Nothing may break, and nothing may hang: what takes longer than `PATIENCE_S` is given
up and counts as broken. The last line of a failure names the accidents.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from facts.played import answered, cuda_device, nvml_device
from fuzz.accidents import happen
from gpuprobe import libraries
from gpuprobe.diagnosis.model import Outcome
from gpuprobe.examine import judge
from gpuprobe.facts.collect import collectors, run
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.probe import Probe
from gpuprobe.facts.snapshot import facts_from_json, facts_to_json
from scenarios import SCENARIOS
from support.cuda_libraries import CUDA_12_WHEELS, SITE, cache, package, toolkit
from support.elf import library
from support.macos import version_file
from support.trees import BASE, DOCKER, write_files
from support.windows import SITE as WINDOWS_SITE
from support.windows import Windows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import FrameType

    from gpuprobe.facts.answers import Answer
    from gpuprobe.facts.model import Facts
    from gpuprobe.facts.probe import Silent
    from support.trees import Files

#: Far more than the slowest machine needs, for what is bounded takes a second at most.
PATIENCE_S = 60
NOBODY = 65534


class Base(NamedTuple):
    """A machine before its accidents. `raw` are files that are no text."""

    files: Files
    raw: Mapping[str, bytes] = {}
    environ: Mapping[str, str] = {}
    system: str = "Linux"
    site: str = SITE
    has_gpu: bool = False


_H100 = next(each for each in SCENARIOS if each.name == "healthy-h100").tree()
_BUILD_INFO = "tensorflow/python/platform/build_info.py"
_SOFTWARE: Files = {
    **CUDA_12_WHEELS,
    **toolkit("/usr/local/cuda-12.4/lib64", {"libcudart.so.12": "12.4.127"}),
    **package("torch", "2.4.1", {"torch/version.py": "cuda: Optional[str] = '12.4'\n"}),
    **package("tensorflow", "2.17.0", {_BUILD_INFO: "'is_cuda_build', True"}),
    **package("onnxruntime_gpu", "1.19.0", {"onnxruntime/capi/build_and_package_info.py": "x=1"}),
    **package("jaxlib", "0.4.31", {}),
    **package("jax_cuda12_plugin", "0.4.31", {}),
    "/venv/conda-meta/pytorch-2.1.0-py3.11_cuda12.1_cudnn8.9.2_0.json": "{}",
    "/etc/ld.so.conf": "include /etc/ld.so.conf.d/*.conf\n",
    "/etc/ld.so.conf.d/cuda.conf": "/usr/local/cuda-12.4/lib64\n",
    "/proc/self/maps": f"7f00-7f01 r-xp 0 0:0 1 {SITE}/nvidia/cublas/lib/libcublas.so.12\n",
    "/var/lib/dpkg/status": "Package: nvidia-driver-535\nStatus: install ok installed\n\n",
    "/usr/local/cuda/version.json": '{"cuda": {"version": "12.4.1"}}',
    "/usr/local/cuda/bin/nvcc": "",
    "/var/lib/dkms/nvidia/535.104.05/source": "",
    "/var/log/kern.log": "kernel: NVRM: Xid (PCI:0000:01:00): 79, pid=1, GPU has fallen off\n",
}
_ENVIRON = {
    "PATH": "/usr/bin:/usr/local/cuda/bin",
    "LD_LIBRARY_PATH": f"/usr/local/cuda-12.4/lib64:{SITE}/nvidia/cublas/lib",
    "CUDA_HOME": "/usr/local/cuda",
    "CONDA_PREFIX": "/venv",
    "NVIDIA_VISIBLE_DEVICES": "all",
    "CUDA_VISIBLE_DEVICES": "0",
}
_WSL: Files = {
    "/dev/dxg": "",
    "/proc/sys/kernel/osrelease": "5.15.153.1-microsoft-standard-WSL2\n",
    "/usr/lib/wsl/lib/libcuda.so.1": "",
}
_RAW = {
    "/etc/ld.so.cache": cache(("libcuda.so.1", "/usr/lib/libcuda.so.1")),
    f"{SITE}/torch/lib/libtorch_cuda.so": library(
        "libtorch_cuda.so", "libcudart.so.12", "libcudnn.so.9", runpath="$ORIGIN/../../nvidia"
    ),
    "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c": b"\6\0\0\0\1",
}
BASES = (
    *(Base(scenario.tree(), environ=dict(scenario.environment)) for scenario in SCENARIOS),
    *(Base({**_H100, **_SOFTWARE}, _RAW, _ENVIRON, has_gpu=gpu) for gpu in (True, True, False)),
    Base({**_H100, **_SOFTWARE, **DOCKER}, _RAW, _ENVIRON, has_gpu=True),
    Base({**BASE, **_WSL, **_SOFTWARE}, _RAW, _ENVIRON, has_gpu=True),
    Base({**BASE, "/etc/nv_tegra_release": "# R36 (release), REVISION: 3.0\n"}, environ=_ENVIRON),
    *[Base(Windows().tree(), {}, Windows().variables(), "Windows", WINDOWS_SITE)] * 5,
    *[Base(version_file("14.5"), system="Darwin")] * 2,
)


class Watched(Machine):
    """A machine that remembers which paths it was asked for."""

    def __init__(self, root: str, base: Base) -> None:
        super().__init__(root, base.environ, system=base.system, search_path=(base.site,))
        self.asked: dict[str, None] = {}

    def shown(self, path: str) -> str:
        """The path, remembered. What a link says may be no path of its own: ``../../devices``."""
        found = super().shown(path)
        if found.startswith("/"):
            self.asked[os.path.normpath(found)] = None
        return found


class Played(Probe):
    """A driver that answers, or none at all; no program is started."""

    def __init__(self, base: Base) -> None:
        super().__init__(base.environ, lambda _: None)
        self._has_gpu = base.has_gpu

    def answer(self, step: str) -> Answer | Silent:
        """A healthy GPU's answer."""
        if self._has_gpu and step in _DEVICES:
            return answered(step, devices=[_DEVICES[step]])
        return super().answer(step)


_DEVICES = {"nvml": nvml_device(), "cuda": cuda_device()}


class BrokenError(Exception):
    """A tree that gpuprobe could not take; the message says what broke."""


def look(base: Base, root: Path) -> tuple[str, ...]:
    """Look at the machine in every way, and show it; the paths that were asked for.

    Raises:
        BrokenError: Something broke.
    """
    machine = Watched(str(root), base)
    try:
        _judge(_facts(machine, base))
        with as_nobody():  # the second look, so that all that it imports is imported
            facts = _facts(machine, base)
        _judge(facts)
    except BrokenError:
        raise
    except Exception as error:
        raise BrokenError(f"{type(error).__name__}: {error}") from error
    return tuple(machine.asked)


def _facts(machine: Machine, base: Base) -> Facts:
    libraries.survey(machine)
    return run(collectors(machine, "normal", Played(base)))


def _judge(facts: Facts) -> None:
    report = judge(facts)
    crashed = [
        f"{each.rule.code}: {each.trouble}"
        for each in report.diagnosis.checks
        if each.outcome is Outcome.CRASHED
    ]
    if crashed or report.crashed:
        raise BrokenError("; ".join([*crashed, *report.crashed]))
    report.text().encode()
    report.html().encode()
    report.markdown().encode()
    report.junit().encode()
    if dict(facts_from_json(facts_to_json(facts))[0]) != dict(facts):
        raise BrokenError("a snapshot does not give the same facts back")


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """For root no file is closed, so root looks as an ordinary user, too."""
    user = os.geteuid()
    try:
        if user == 0:
            os.seteuid(NOBODY)
        yield
    finally:
        os.seteuid(user)


def write(base: Base, root: Path) -> None:
    """The machine as files."""
    root.mkdir(mode=0o755)
    write_files(root, base.files)
    for path, content in base.raw.items():
        place = root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.write_bytes(content)


def attempt(base: Base, folder: Path, dice: random.Random) -> None:
    """Some rounds of accidents to one machine, in `folder`, which is empty.

    Raises:
        BrokenError: Something broke; the message names the accidents.
    """
    root, told = folder / "tree", list[str]()
    write(base, root)
    try:
        asked: Sequence[str] = look(base, root)
        for _ in range(3):
            told += [happen(root, asked, dice) for _ in range(dice.randint(1, 6))]
            asked = look(base, root)
    except BrokenError as error:
        raise BrokenError(f"{error}\nafter: {'; '.join(told)}") from error


@contextlib.contextmanager
def _bounded() -> Iterator[None]:
    """Whatever takes too long is broken off, and counts as broken."""

    def give_up(_: int, __: FrameType | None) -> None:
        raise TimeoutError(f"no end after {PATIENCE_S} s")

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE_S)
    try:
        yield
    finally:
        signal.alarm(0)


def fuzz(seconds: float, seed: int) -> int:
    """Random accidents for some seconds; how many machines were tried."""
    dice, tried = random.Random(seed), 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        tried += 1
        with _empty_folder() as folder, _bounded():
            attempt(dice.choice(BASES), folder, dice)
    return tried


@contextlib.contextmanager
def _empty_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        for place, _, __ in os.walk(folder):
            Path(place).chmod(0o755)
        shutil.rmtree(folder)


def main() -> int:
    """Fuzz as the arguments say."""
    import argparse

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    try:
        tried = fuzz(options.seconds, options.seed)
    except BrokenError as error:
        print(f"seed {options.seed}: {error}", file=sys.stderr)
        raise
    print(f"{tried} machines, seed {options.seed}: nothing broke")
    return 0


if __name__ == "__main__":
    sys.exit(main())
