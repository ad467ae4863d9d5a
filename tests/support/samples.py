"""Reports made by hand, one of each verdict, with small rules of their own.

They show the renderers every kind of line; what the real rules say is tested with the scenarios.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.diagnosis.model import (
    Confidence,
    Finding,
    Fix,
    Link,
    Rule,
    Safety,
    Severity,
    cite,
    rule,
)
from gpuprobe.facts import names
from gpuprobe.facts.model import Absent, Fact, Facts, Known, Unknown, Value
from gpuprobe.facts.version import Version
from gpuprobe.report.identity import Identity
from gpuprobe.report.model import Report

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ALICE = Identity(users=("alice",), hosts=("gpu-node-17",), homes=("/home/alice",))
INDEX = "https://download.example/whl/cu121"
UUID_0 = "GPU-5d2f9a7c-1b7e-4c3d-9e0f-a1b2c3d4e5f6"
UUID_1 = "GPU-5d2f9a7c-1b7e-4c3d-9e0f-ffffc3d4e5f6"


@rule("GP101", "no-nvidia-gpu", cause="no-nvidia-gpu", link=Link.HARDWARE, since="0.1")
def no_gpu(facts: Facts) -> Iterator[Finding]:
    """The machine has no NVIDIA GPU."""
    if facts.need(names.PCI_NVIDIA_COUNT) == 0:
        yield Finding(
            "this machine has no NVIDIA GPU",
            cite(facts, names.PCI_NVIDIA_COUNT, names.PCI_GPU_COUNT),
            Fix(
                "Use a machine with an NVIDIA GPU; if this is a virtual machine or a cloud "
                "notebook, attach a GPU to it. To see what the machine itself lists:",
                ("lspci -nn -d 10de:",),
            ),
        )


@rule("GP203", "driver-too-old", cause="driver-too-old", link=Link.RUNTIME, since="0.1")
def too_old(facts: Facts) -> Iterator[Finding]:
    """The driver serves an older CUDA than an installed framework needs."""
    have = facts.need(names.DRIVER_CUDA)
    for package in facts.subjects(names.PACKAGE_CUDA):
        need = facts.need(names.PACKAGE_CUDA(package))
        if have.major < need.major:
            yield Finding(
                f"the driver serves CUDA {have}, {package} needs {need}",
                cite(facts, names.DRIVER_VERSION, names.DRIVER_CUDA, names.PACKAGE_CUDA(package)),
                Fix(
                    f"Install a driver for CUDA {need} or later: 525.60.13 at least.",
                    ("sudo apt-get install nvidia-driver-535", "sudo reboot"),
                    Safety.REBOOT,
                    "sudo apt-get install nvidia-driver-450",
                ),
                subject=f"package:{package}",
            )


@rule("GP207", "cuda-init-failed", cause="driver-too-old", link=Link.RUNTIME, since="0.1")
def init_failed(facts: Facts) -> Iterator[Finding]:
    """CUDA does not start."""
    if facts.need(names.CUDA_OUTCOME) == "failed":
        code = facts.need(names.CUDA_CODE)
        yield Finding(
            f"cuInit failed with code {code}",
            cite(facts, names.CUDA_OUTCOME, names.CUDA_CODE),
            Fix("Look the code up.", ("gpuprobe rule GP207",)),
            confidence=Confidence.LIKELY,
        )


@rule("GP601", "cpu-only-build", cause="cpu-only-build", link=Link.FRAMEWORK, since="0.1")
def cpu_only(facts: Facts) -> Iterator[Finding]:
    """A framework is installed as a build without CUDA."""
    for package in facts.subjects(names.PACKAGE_BUILD):
        if facts.need(names.PACKAGE_BUILD(package)) == "cpu":
            yield Finding(
                f"{package} {facts.known(names.PACKAGE_VERSION(package))} is a build without CUDA",
                cite(facts, names.PACKAGE_BUILD(package)),
                Fix(
                    f"Install a build of {package} with CUDA.",
                    (f"pip install --force-reinstall {package} --index-url {INDEX}",),
                    Safety.USER,
                ),
                severity=Severity.WARNING,
                subject=f"package:{package}",
                stands_alone=True,
            )


@rule("GP302", "visible", cause="hidden-by-visible-devices", link=Link.VISIBLE_DEVICES, since="0.1")
def visible(facts: Facts) -> Iterator[Finding]:
    """CUDA_VISIBLE_DEVICES hides all GPUs."""
    mask = facts.look(names.ENV("CUDA_VISIBLE_DEVICES"))
    if mask is not None and mask == "":
        yield Finding("all hidden", (), Fix("Unset it.", ("unset CUDA_VISIBLE_DEVICES",)))


@rule("GP801", "breaks", cause="device-lost", link=Link.WORK, since="0.1")
def breaks(facts: Facts) -> Iterator[Finding]:
    """A check with a fault of its own."""
    if facts.known(names.OS_KERNEL) == "breaks":
        raise ZeroDivisionError("division by zero")
    return iter(())


RULES: tuple[Rule, ...] = (no_gpu, too_old, init_failed, visible, cpu_only, breaks)

HOST: dict[str, Fact[Value]] = {
    "os.system": Known("Linux", "uname"),
    "os.name": Known("Debian GNU/Linux 12 (bookworm)", "/etc/os-release"),
    "os.machine": Known("x86_64", "uname"),
    "os.kernel": Known("6.1.0-13-amd64", "uname"),
    "python.version": Known(Version("3.11.7"), "sys.version_info"),
    "python.executable": Known("/home/alice/venv/bin/python", "sys.executable"),
    "container.kind": Absent("/proc/1/cgroup, /.dockerenv"),
    "env.CUDA_VISIBLE_DEVICES": Absent("environment"),
}
_H100: dict[str, Fact[Value]] = {
    "pci.gpu_count": Known(2, "/sys/bus/pci/devices"),
    "pci.nvidia_gpu_count": Known(2, "/sys/bus/pci/devices"),
    "module.nvidia.version": Known(Version("535.104.05"), "/proc/driver/nvidia/version"),
    "node.nvidia0": Known("usable", "/dev/nvidia0"),
    "node.nvidiactl": Known("usable", "/dev/nvidiactl"),
    "libcuda.path": Known("/usr/lib/x86_64-linux-gnu/libcuda.so.535.104.05", "probe"),
    "libcuda.stub": Known(False, "name of the file"),
    "driver.version": Known(Version("535.104.05"), "nvmlSystemGetDriverVersion"),
    "driver.cuda": Known(Version("12.2"), "cuDriverGetVersion"),
    "cuda.init.outcome": Known("ok", "cuInit"),
    "cuda.device_count": Known(2, "cuDeviceGetCount"),
    "cuda.kernel.outcome": Known("right", "probe kernel on device 0"),
    "gpu.0.name": Known("NVIDIA H100 80GB HBM3", "cuDeviceGetName"),
    "gpu.0.uuid": Known(UUID_0, "cuDeviceGetUuid_v2"),
    "gpu.0.pci": Known("0000:01:00.0", "cuDeviceGetPCIBusId"),
    "gpu.0.capability": Known(Version("9.0"), "cuDeviceGetAttribute"),
    "gpu.0.sms": Known(132, "cuDeviceGetAttribute"),
    "gpu.0.memory_bytes": Known(85_029_158_912, "cuDeviceTotalMem_v2"),
    "gpu.0.cuda_ordinal": Known(0, "cuDeviceGet"),
    "gpu.1.name": Known("NVIDIA H100 80GB HBM3", "cuDeviceGetName"),
    "gpu.1.uuid": Known(UUID_1, "cuDeviceGetUuid_v2"),
    "gpu.1.memory_bytes": Known(85_029_158_912, "cuDeviceTotalMem_v2"),
    "gpu.1.sms": Unknown("cuDeviceGetAttribute failed with 999"),
    "package.torch.version": Known("2.4.1+cu121", "/home/alice/venv/torch-2.4.1.dist-info"),
    "package.torch.build": Known("cuda", "/home/alice/venv/torch/version.py"),
    "package.torch.cuda": Known(Version("12.1"), "/home/alice/venv/torch/version.py"),
}


def report_of(facts: Mapping[str, Fact[Value]], **more: object) -> Report:
    """The report of hand-made facts under the rules of this file."""
    whole = Facts({**HOST, **facts})
    return Report(diagnose(whole, RULES), whole, identity=ALICE, **more)  # type: ignore[arg-type]


def healthy() -> Report:
    """Two H100, and a kernel that computed the right thing."""
    return report_of(_H100)


def broken() -> Report:
    """A driver that is too old for torch, a consequence, and a fault of its own beside it."""
    return report_of(
        {
            **_H100,
            "driver.version": Known(Version("450.80.02"), "/proc/driver/nvidia/version"),
            "driver.cuda": Known(Version("11.0"), "cuDriverGetVersion"),
            "cuda.init.outcome": Known("failed", "cuInit"),
            "cuda.init.code": Known(35, "cuInit"),
            "cuda.kernel.outcome": Unknown("CUDA did not start"),
            "cuda.device_count": Unknown("CUDA did not start"),
            "env.CUDA_VISIBLE_DEVICES": Known(f"{UUID_1[:20]},alice's choice", "environment"),
            "package.tensorflow-cpu.version": Known("2.16.1", "/home/alice/venv/tf.dist-info"),
            "package.tensorflow-cpu.build": Known("cpu", "its name"),
        },
        overrides={"GPUPROBE_LIBCUDA": "/home/alice/lib/libcuda.so.1"},
    )


def no_gpu_here() -> Report:
    """A machine without an NVIDIA GPU and without the C core."""
    why = Unknown("gpuprobe was installed without its C core: no compiler was found")
    return report_of(
        {
            "pci.gpu_count": Known(1, "/sys/bus/pci/devices"),
            "pci.nvidia_gpu_count": Known(0, "/sys/bus/pci/devices"),
            "pci.0.vendor": Known("amd", "/sys/bus/pci/devices/0000:03:00.0/vendor"),
            "module.nvidia.version": Absent("/proc/driver/nvidia/version"),
            "libcuda.path": Absent("the loader's search path"),
            "cuda.init.outcome": why,
            "cuda.kernel.outcome": why,
            "driver.cuda": why,
        }
    )


def unknown() -> Report:
    """Nobody could look, a check broke, a collector broke, the facts come from a snapshot."""
    why = Unknown("/sys is not readable: [Errno 13] Permission denied: '/sys/bus/pci'")
    return report_of(
        {
            "os.kernel": Known("breaks", "uname"),
            "pci.gpu_count": why,
            "pci.nvidia_gpu_count": why,
            "collect.broken": Known(
                ("packages: ValueError: bad metadata in /home/alice/venv",), "gpuprobe itself"
            ),
            "cuda.init.outcome": Unknown("not in the snapshot"),
            "driver.cuda": Unknown("not in the snapshot"),
        },
        source="snapshot",
    )


def question() -> Report:
    """A pasted text that names torch and shows nothing of it: what to ask next."""
    line = "line 1 of the text"
    facts = Facts(
        {
            "package.torch.version": Known("2.4.1", line),
            "about.torch": Known(1, line),
            "about.driver-fails": Known(1, "line 2 of the text"),
        },
        silence="not in the text",
    )
    return Report(diagnose(facts, RULES, pasted=True), facts, source="text", identity=ALICE)


SAMPLES = {
    "healthy": healthy,
    "broken": broken,
    "no_gpu": no_gpu_here,
    "unknown": unknown,
    "question": question,
}
