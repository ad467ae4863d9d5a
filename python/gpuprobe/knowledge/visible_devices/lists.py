"""Lists of devices that count after CUDA_VISIBLE_DEVICES: TensorFlow's and JAX's own settings.

The same text means something else there: each number counts the devices that CUDA shows already.
"""

from __future__ import annotations

from .opinion import Opinion

_TF_SOURCE = "openxla/xla, xla/tsl/framework/device_id_utils.cc: ParseVisibleDeviceList"
_JAX_SOURCE = "jax-ml/jax, jax/_src/xla_bridge.py: jax_cuda_visible_devices"


def tensorflow(text: str, count: int) -> Opinion:
    """GPUOptions.visible_device_list where CUDA shows `count` devices; empty means all."""
    reader = "TensorFlow's visible_device_list"
    if text == "":
        return Opinion(reader, tuple(range(count)), "empty means all", _TF_SOURCE, elsewhere=True)
    numbers: list[int] = []
    for entry in text.split(","):
        number = _whole_number(entry.rpartition(":")[2])
        if number == -1:
            continue
        if number is None or not 0 <= number < count:
            wrong = f"{entry!r} raises InvalidArgumentError; nothing is cut off in silence"
            return Opinion(reader, None, wrong, _TF_SOURCE, elsewhere=True)
        numbers.append(number)
    if len(set(numbers)) < len(numbers):
        return Opinion(
            reader, None, "a repetition raises InvalidArgumentError", _TF_SOURCE, elsewhere=True
        )
    return Opinion(
        reader,
        tuple(numbers),
        "it counts what CUDA shows, -1 is skipped",
        _TF_SOURCE,
        elsewhere=True,
    )


def jax(text: str, count: int) -> Opinion:
    """JAX_CUDA_VISIBLE_DEVICES where CUDA shows `count` devices."""
    reader = "JAX_CUDA_VISIBLE_DEVICES"
    if text == "all":
        return Opinion(reader, tuple(range(count)), "all means all", _JAX_SOURCE, elsewhere=True)
    numbers = [_whole_number(entry) for entry in text.split(",")]
    if any(number is None for number in numbers):
        return Opinion(
            reader, None, "what is no whole number raises a ValueError", _JAX_SOURCE, elsewhere=True
        )
    found = tuple(number for number in numbers if number is not None)
    return Opinion(reader, found, "it counts what CUDA shows", _JAX_SOURCE, elsewhere=True)


def _whole_number(text: str) -> int | None:
    """As Python's int() and absl's SimpleAtoi take it: nothing may follow the digits."""
    bare = text.strip()
    digits = bare[1:] if bare[:1] in ("+", "-") else bare
    if not (digits.isascii() and digits.isdigit() and len(digits) < _LONGEST):
        return None
    return int(bare)


_LONGEST = 10  # a 32-bit number has at most so many digits
