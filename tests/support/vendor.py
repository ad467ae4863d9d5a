"""The driver's libraries by ctypes, for tests that ask them without any code of gpuprobe."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

Pointer = ctypes.c_void_p
Size = ctypes.c_size_t


class Library:
    """A vendor library. Every function returns its code; what fails is for the test to judge."""

    def __init__(self, soname: str) -> None:
        self._library = ctypes.CDLL(soname)

    def __call__(self, name: str, *arguments: object) -> int:
        """Calls the function with this exact exported name."""
        function = getattr(self._library, name)
        function.restype = ctypes.c_int
        return int(function(*arguments))

    def number(self, name: str, *arguments: object) -> int:
        """Calls a function whose first argument is where an int goes, and which has to work."""
        value = ctypes.c_int(-1)
        code = self(name, ctypes.byref(value), *arguments)
        assert code == 0, f"{name} returned {code}"
        return value.value

    def has(self, name: str) -> bool:
        """Whether the library exports this name."""
        return hasattr(self._library, name)


def wheel_library(soname: str) -> Path | None:
    """The library out of a wheel of NVIDIA's in this environment."""
    places = (Path(entry or ".").glob(f"nvidia/*/lib/{soname}") for entry in sys.path)
    return next((each for place in places for each in sorted(place)), None)


def is_installed(soname: str) -> bool:
    """Whether this machine has such a library of its own."""
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def cuda() -> Library:
    """libcuda, as the loader finds it."""
    return Library("libcuda.so.1")


def nvml() -> Library:
    """libnvidia-ml, as the loader finds it."""
    return Library("libnvidia-ml.so.1")


def cuda_uuid(driver: Library, device: int) -> str:
    """The UUID of a device, in NVML's form. CUDA gives the bytes alone; the name tells the kind."""
    raw, name = (ctypes.c_ubyte * 16)(), ctypes.create_string_buffer(256)
    code = driver("cuDeviceGetUuid_v2", raw, device)
    assert code == 0, f"cuDeviceGetUuid_v2 returned {code}"
    assert driver("cuDeviceGetName", name, len(name), device) == 0
    text = bytes(raw).hex()
    kind = "MIG" if b" MIG " in name.value else "GPU"
    return f"{kind}-{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def visible_uuids() -> list[str]:
    """What CUDA shows in this process, in CUDA's order; nothing where cuInit says NO_DEVICE."""
    driver = cuda()
    code = driver("cuInit", 0)
    assert code in {0, 100}, f"cuInit returned {code}"
    count = driver.number("cuDeviceGetCount") if code == 0 else 0
    return [cuda_uuid(driver, ordinal) for ordinal in range(count)]
