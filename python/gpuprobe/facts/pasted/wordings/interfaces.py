"""What programs say of the interfaces that a driver has beside CUDA: OpenCL, EGL, Vulkan."""

from ..sign import Sign

SIGNS = (
    Sign(
        "opencl-no-platform",
        "OpenCL's loader finds no platform, by its own code or as clinfo counts them",
        ("platform_not_found_khr", "-1001", "number of platforms"),
        r"PLATFORM_NOT_FOUND_KHR|platform[^\n]{0,48}-1001\b"
        r"|\ANumber of platforms\s{1,80}0\s*\Z",
    ),
    Sign(
        "opencl-no-device",
        "LightGBM or a program like it finds no device of OpenCL",
        (
            *("no opencl device found", "no opencl devices found", "no opencl platforms found"),
            "could not find acceptable opencl device",  # Futhark
        ),
        r"could not find acceptable OpenCL device"
        r"|(?:error|exception|fatal|failed)\b[^\n]{0,60}\bno OpenCL (?:devices?|platforms?) found",
    ),
    Sign(
        "drawing-driver-missing",
        "a program that draws without a screen finds no EGL or Vulkan of NVIDIA's driver",
        (
            *(" egl devices in total", "no egl devices found"),  # Magnum and Habitat
            "unable to find egl device for cuda device",
            "cannot initialize a egl device display",  # MuJoCo, dm_control
            *("error_incompatible_driver", "vkcreateinstance: found no drivers"),
            *("libegl_nvidia.so.0: cannot open", "libglx_nvidia.so.0: cannot open"),
        ),
    ),
)
