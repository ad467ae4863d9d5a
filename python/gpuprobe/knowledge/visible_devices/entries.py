"""How one entry is written: numbers as C reads them, UUIDs, and what is neither."""

from __future__ import annotations

#: Hides every device on every system; Windows cannot hold an empty value.
HIDE_ALL = "-1"

#: What isspace() of the C locale passes over before a number.
BLANKS = " \t\n\v\f\r"
_DECIMAL, _HEXADECIMAL = "0123456789", "0123456789abcdefABCDEF"
#: More digits than any list of devices needs; C's largest number stands for all of them.
_MOST_DIGITS = 18
TOO_LARGE = 10**_MOST_DIGITS
_PREFIXES = ("MIG-GPU-", "GPU-", "MIG-")
_UUID_LENGTH = len("GPU-") + 36


def number(text: str, *, any_base: bool = False) -> int | None:
    """The number that `text` begins with, as strtoul reads it; None without digits.

    Blanks and a sign may stand before the digits; what follows them is not looked at. With
    `any_base`, ``0x1f`` is hexadecimal and ``010`` octal.
    """
    rest = text.lstrip(BLANKS)
    sign = -1 if rest.startswith("-") else 1
    rest = rest[1:] if rest[:1] in ("+", "-") else rest
    base, alphabet = _base(rest) if any_base else (10, _DECIMAL)
    digits = _leading(rest[len("0x") :] if alphabet == _HEXADECIMAL else rest, alphabet)
    if not digits:
        return None
    digits = digits.lstrip("0") or "0"
    return sign * (TOO_LARGE if len(digits) > _MOST_DIGITS else int(digits, base))


def _base(rest: str) -> tuple[int, str]:
    if rest[:2] in ("0x", "0X") and _leading(rest[2:3], _HEXADECIMAL):
        return 16, _HEXADECIMAL
    return (8, "01234567") if rest.startswith("0") else (10, _DECIMAL)


def _leading(text: str, alphabet: str) -> str:
    return text[: len(text) - len(text.lstrip(alphabet))]


def tail(text: str) -> str:
    """What follows the digits of a number, and is not looked at."""
    rest = text.lstrip(BLANKS)
    rest = rest[1:] if rest[:1] in ("+", "-") else rest
    return rest.lstrip(_DECIMAL)


def is_quoted(text: str) -> bool:
    """Whether quotes became part of the value, as cmd.exe and .env files leave them."""
    return text.strip(BLANKS)[:1] in ('"', "'", "`", "\N{LEFT DOUBLE QUOTATION MARK}")


def is_gpu(text: str) -> bool:
    """Whether it is the UUID of a GPU, by its beginning."""
    return text.startswith("GPU-")


def is_mig(text: str) -> bool:
    """Whether it names a MIG instance, by its beginning."""
    return text.startswith("MIG-")


def is_whole(uuid: str) -> bool:
    """Whether it has the length of a whole UUID, so that it is no abbreviation."""
    return len(uuid) >= _UUID_LENGTH


def without_blanks(text: str) -> str:
    """A UUID without the blanks around it; anything else as it is."""
    bare = text.strip(BLANKS)
    return bare if bare.lower().startswith(("gpu-", "mig-")) else text


def in_usual_case(text: str) -> str:
    """A UUID with its letters as NVML prints them; anything else as it is."""
    lower = text.lower()
    for prefix in _PREFIXES:
        if lower.startswith(prefix.lower()):
            return prefix + lower[len(prefix) :]
    return text


def old_mig_name(text: str) -> tuple[str, int, int] | None:
    """``MIG-GPU-<UUID>/<GPU instance>/<compute instance>``, the form before driver 470."""
    if not text.startswith("MIG-GPU-"):
        return None
    uuid, _, instances = text.removeprefix("MIG-").partition("/")
    gpu_instance, _, compute_instance = instances.partition("/")
    numbers = (gpu_instance, compute_instance)
    if not all(0 < len(each) <= _MOST_DIGITS and not each.strip(_DECIMAL) for each in numbers):
        return None
    return uuid, int(gpu_instance), int(compute_instance)
