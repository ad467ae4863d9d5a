"""What programs say of the interfaces that a driver has beside CUDA: OpenCL, EGL, Vulkan."""

from __future__ import annotations

from ..sign import Sign

SIGNS = (
    Sign(
        "opencl-no-platform",
        "OpenCL's loader finds no platform, by its own code or as clinfo counts them",
        ("platform_not_found_khr", "-1001", "number of platforms"),
        r"PLATFORM_NOT_FOUND_KHR|platform[^\n]{0,48}-1001\b"
        r"|\ANumber of platforms\s{1,80}0\s*\Z",
    ),
)
