"""What the probe program answers, as types. Its JSON is not known beyond this module."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .strict import GarbageError, Json
from .version import Version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .nvml_details import Details

#: The format of the answers that we understand.
PROBE_FORMAT = 1


class Failure(NamedTuple):
    """A call that failed; `kind` says whose number `code` is: cuda, nvml, library and so on."""

    kind: str
    call: str
    code: int
    name: str | None
    text: str | None

    def __str__(self) -> str:
        told = " ".join([f"{self.call}: {self.code}", *filter(None, [self.name])])
        return f"{told} ({self.text})" if self.text else told

    @classmethod
    def read(cls, data: Json | None) -> Failure | None:
        """What stands under "failed"; null is no failure."""
        if data is None:
            return None
        return cls(
            data.at("kind").a(str),
            data.at("call").a(str),
            data.at("code").a(int),
            data.opt("name", str),
            data.opt("text", str),
        )


class Library(NamedTuple):
    """Which file the loader took. `path` is None where it took none; `error` says why."""

    name: str
    path: str | None
    via: str | None
    error: str | None


class Device(NamedTuple):
    """A GPU as one of the two libraries shows it. None: not asked, or see `unread`.

    `number` is the library's own: NVML's index or CUDA's ordinal.
    """

    number: int
    name: str | None
    uuid: str | None
    pci: str | None
    minor: int | None
    capability: Version | None
    sms: int | None
    memory_bytes: int | None
    memory_free_bytes: int | None
    compute_mode: int | None
    persistence: bool | None
    mig: bool | None
    failed: Failure | None
    unread: Mapping[str, int | None]  # field -> the code of the call that failed
    details: Details | None  # what NVML alone tells

    @classmethod
    def read(cls, data: Json, number: str) -> Device:
        """One of the "devices"; `number` is the name of its number."""
        return cls(
            number=data.at(number).a(int),
            name=data.opt("name", str),
            uuid=data.opt("uuid", str),
            pci=data.opt("pci", str),
            minor=data.opt("minor", int),
            capability=_capability(data.find("capability")),
            sms=data.opt("sms", int),
            memory_bytes=data.opt("memory_bytes", int) or data.opt("memory_total_bytes", int),
            memory_free_bytes=data.opt("memory_free_bytes", int),
            compute_mode=data.opt("compute_mode", int),
            persistence=_switch(data.find("persistence_mode")),
            mig=_switch(data.find("mig_mode")),
            failed=Failure.read(data.find("failed")),
            unread=data.codes("unread"),
            details=_details(data) if number == "index" else None,
        )


class Kernel(NamedTuple):
    """The proof kernel. `result`: right, wrong, failed or not run; then `why` says why."""

    device: int
    result: str
    why: str | None
    image: str | None


class Answer(NamedTuple):
    """One step's answer; what does not belong to its step is None or empty."""

    step: str
    library: Library
    failed: Failure | None
    times_ms: Mapping[str, float]
    driver_version: Version | None
    cuda_version: Version | None
    devices: tuple[Device, ...]
    kernel: Kernel | None


def read_answer(output: str, step: str) -> Answer:
    """The answer to `step` among what the program printed.

    Vendor libraries may print lines of their own before it. Raises `GarbageError`, and MemoryError
    where the program had no memory for its answer, and says that instead.
    """
    lines = [line for line in output.splitlines() if line.startswith("{")]
    if not lines:
        raise GarbageError("no answer")
    data = Json.parse(lines[-1])
    if data.at("probe").value != PROBE_FORMAT:
        raise data.at("probe").wrong(f"the format {PROBE_FORMAT}")
    failed = Failure.read(data.find("failed"))
    if data.find("step") is None and failed is not None and failed.kind == "memory":
        raise MemoryError
    if data.at("step").value != step:
        raise data.at("step").wrong(f"an answer to {step!r}")
    kernel = data.find("kernel")
    library = data.at("library")
    return Answer(
        step,
        Library(
            library.at("name").a(str),
            library.opt("path", str),
            library.opt("via", str),
            library.opt("error", str),
        ),
        failed,
        _times(data.find("times_ms")),
        _driver(data) if step == "nvml" else None,
        _cuda(data, "cuda_version" if step == "nvml" else "driver_version"),
        _devices(data, step),
        _kernel(kernel) if kernel else None,
    )


def _devices(data: Json, step: str) -> tuple[Device, ...]:
    devices = data.find("devices")
    number = "index" if step == "nvml" else "ordinal"
    return tuple(Device.read(each, number) for each in devices.items()) if devices else ()


def _kernel(data: Json) -> Kernel:
    result = data.at("result")
    if result.value not in ("right", "wrong", "failed", "not run"):
        raise result.wrong('"right", "wrong", "failed" or "not run"')
    return Kernel(
        data.opt("device", int) or 0, result.a(str), data.opt("why", str), data.opt("image", str)
    )


def _driver(data: Json) -> Version | None:
    found = data.find("driver_version")
    version = Version.parse(found.a(str)) if found else None
    if found and version is None:
        raise found.wrong('a driver version such as "535.104.05"')
    return version


def _cuda(data: Json, name: str) -> Version | None:
    found = data.find(name)
    if found is None or found.value == 0:  # NVML says 0 where it cannot ask libcuda
        return None
    number = found.a(int)
    if number < 0:
        raise found.wrong("a CUDA version such as 12020")
    return Version.from_cuda_number(number)


def _capability(data: Json | None) -> Version | None:
    if data is None:
        return None
    match [each.a(int) for each in data.items()]:
        case [major, minor] if major >= 0 and minor >= 0:
            return Version.of(major, minor)
    raise data.wrong("major and minor")


def _switch(data: Json | None) -> bool | None:
    """NVML's 0 and 1 for off and on."""
    if data is None:
        return None
    return data.value if isinstance(data.value, bool) else data.a(int) == 1


def _details(data: Json) -> Details:
    from .nvml_details import read_details

    return read_details(data)


def _times(data: Json | None) -> Mapping[str, float]:
    if data is None:
        return {}
    return {name: time.a(float) for name, time in data.fields() if time.value is not None}
