"""What tools print about a machine, in the forms of several ages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .machine import Machine

#: Since these branches the table is wider, and the banner speaks of KMD and UMD.
_WIDE, _KMD = 530, 610

Process = tuple[int, str, int]  # pid, name, MiB


def nvidia_smi(
    machine: Machine,
    *,
    used_mib: int = 3,
    mode: str = "Default",
    mig: str = "N/A",
    state: str = "Off",
    processes: Sequence[Process] = (),
) -> str:
    """The whole table."""
    wide = machine.driver.branch >= _WIDE
    widths = (41, 24, 22) if wide else (31, 22, 22)
    inner = sum(widths) + 2
    rule = "+" + "+".join("-" * width for width in widths) + "+"
    rows = [_banner(machine, inner), "|" + "-" * inner + "|" if wide else rule, *_head(widths)]
    for index in range(machine.count):
        name, memory = machine.card.name, machine.card.memory_mib
        busy = f"{used_mib}MiB / {memory}MiB"
        cells = (
            (
                f"  {index}  {name[:22]:<22} {state:>5} ",
                f" 00000000:{index + 1:02X}:00.0 Off ",
                "N/A ",
            ),
            (" 30%   42C    P8    25W / 250W ", busy + " ", f"0%  {mode:>10} "),
            ("", "", f"{mig} "),
        )
        rows += [_row(widths, row) for row in cells] + [rule]
    return "\n".join(
        ["$ nvidia-smi", "+" + "-" * inner + "+", *rows, "", *_processes(inner, processes)]
    )


def _banner(machine: Machine, inner: int) -> str:
    version, cuda = machine.driver.version, machine.driver.cuda
    driver, ceiling = (
        ("KMD Version", "CUDA UMD Version")
        if machine.driver.branch >= _KMD
        else ("Driver Version", "CUDA Version")
    )
    text = f" NVIDIA-SMI {version:<12} {driver}: {version:<12} {ceiling}: {cuda:<6}"
    return f"|{text:<{inner}}|"


def _head(widths: tuple[int, ...]) -> list[str]:
    titles = (
        (" GPU  Name        Persistence-M", " Bus-Id        Disp.A ", " Volatile Uncorr. ECC "),
        (" Fan  Temp  Perf  Pwr:Usage/Cap", "         Memory-Usage ", " GPU-Util  Compute M. "),
    )
    middle = "|" + "+".join("=" * width for width in widths) + "|"
    return [*(_row(widths, row) for row in titles), middle]


def _row(widths: tuple[int, ...], cells: Sequence[str]) -> str:
    first, *rest = cells
    columns = [f"{first:<{widths[0]}}"]
    columns += [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)]
    return "|" + "|".join(columns) + "|"


def _processes(inner: int, processes: Sequence[Process]) -> list[str]:
    def line(text: str) -> str:
        return f"|{text:<{inner}}|"

    listed = [
        line(f"    0   N/A  N/A {pid:>9}      C   {name:<34} {mib}MiB ")
        for pid, name, mib in processes
    ]
    return [
        "+" + "-" * inner + "+",
        line(" Processes:"),
        line("  GPU   GI   CI        PID   Type   Process name                  GPU Memory"),
        "|" + "=" * inner + "|",
        *(listed or [line("  No running processes found")]),
        "+" + "-" * inner + "+",
    ]


def listed(machine: Machine) -> str:
    """``nvidia-smi -L``."""
    rows = (
        f"GPU {index}: {machine.card.name} (UUID: GPU-6f0c2a1e-5b7d-4c3a-9e8f-{index:012d})"
        for index in range(machine.count)
    )
    return "\n".join(["$ nvidia-smi -L", *rows])


def collect_env(
    machine: Machine, torch: str, cuda: str | None, *, sees: bool, toolkit: str | None = None
) -> str:
    """``python -m torch.utils.collect_env``, of the age of that torch."""
    major, minor = (int(number) for number in torch.split(".")[:2])
    yes, no = ("True", "False") if (major, minor) > (1, 4) else ("Yes", "No")
    gpus = [f"GPU {index}: {machine.card.name}" for index in range(machine.count)]
    models = "GPU models and configuration:" + (" " if len(gpus) == 1 else "\n") + "\n".join(gpus)
    modern = major > 1
    lines = [
        "Collecting environment information...",
        f"PyTorch version: {torch}",
        f"Is debug build: {no}",
        f"CUDA used to build PyTorch: {cuda or ('Could not collect' if modern else 'None')}",
        *(["ROCM used to build PyTorch: N/A"] if (major, minor) > (1, 6) else []),
        "",
        f"OS: {machine.system}" + (" (x86_64)" if modern else ""),
        "GCC version: (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0",
        "CMake version: version 3.22.1",
        *(["Libc version: glibc-2.35"] if modern else []),
        "",
        f"Python version: {machine.python}" + (" (64-bit runtime)" if modern else ""),
        f"Is CUDA available: {yes if sees else no}",
        f"CUDA runtime version: {toolkit or 'Could not collect'}",
        *(["CUDA_MODULE_LOADING set to: " + ("LAZY" if sees else "N/A")] if modern else []),
        models,
        f"Nvidia driver version: {machine.driver.version}",
        "cuDNN version: Could not collect",
        "",
        "Versions of relevant libraries:",
        "[pip3] numpy==1.26.4",
        f"[pip3] torch=={torch}",
        "[conda] Could not collect",
    ]
    return "\n".join(lines)


def pip_list(packages: Mapping[str, str]) -> str:
    """``pip list``."""
    width = max(map(len, packages))
    rows = [f"{name:<{width}} {version}" for name, version in packages.items()]
    return "\n".join(
        ["$ pip list", f"{'Package':<{width}} Version", f"{'-' * width} -------", *rows]
    )


def pip_freeze(packages: Mapping[str, str]) -> str:
    """``pip freeze``."""
    return "\n".join(["$ pip freeze", *(f"{name}=={packages[name]}" for name in packages)])


def conda_list(packages: Mapping[str, tuple[str, str, str]]) -> str:
    """``conda list``: version, build and channel of each."""
    rows = (
        f"{name:<25} {' '.join(f'{part:<20}' for part in row)}" for name, row in packages.items()
    )
    head = "# Name                    Version                   Build  Channel"
    return "\n".join(["# packages in environment at /opt/conda/envs/work:", "#", head, *rows])


def nvcc(version: str) -> str:
    """``nvcc -V``."""
    return (
        "$ nvcc -V\nnvcc: NVIDIA (R) Cuda compiler driver\n"
        "Copyright (c) 2005-2023 NVIDIA Corporation\n"
        f"Cuda compilation tools, release {version}, V{version}.89"
    )


def form(fields: Mapping[str, str]) -> str:
    """The fields of an issue form."""
    return "\n".join(f"{name}: {value}" for name, value in fields.items())


def python(*statements: tuple[str, str]) -> str:
    """A session at the prompt: what was typed, and what came of it."""
    return "\n".join(f">>> {typed}\n{answer}" for typed, answer in statements)
