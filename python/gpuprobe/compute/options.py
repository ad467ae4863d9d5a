"""The options of a convolution, in the forms that people write them."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Pair: TypeAlias = tuple[int, int]
    #: One number for both directions, or (height, width).
    Numbers: TypeAlias = int | Sequence[int]
    #: Numbers, ((top, bottom), (left, right)), "same" or "valid".
    Padding: TypeAlias = Numbers | Sequence[Sequence[int]] | str
    #: As the core takes them: the fields of `Options` in their order.
    CoreOptions: TypeAlias = tuple[int, int, Pair, Pair, Pair, Pair, int]

_DIRECTIONS = 2  # height, width

#: The core's numbers.
LAYOUTS = {"NCHW": 0, "NHWC": 1}
_GIVEN = 0
_GREATEST = 1 << 31
_PADDINGS = {"valid": 1, "same": 2}


@dataclass(frozen=True, slots=True)
class Options:
    """Checked, and in one form: (height, width)."""

    layout: int
    padding: int
    before: Pair
    after: Pair
    stride: Pair
    dilation: Pair
    groups: int

    def for_core(self) -> CoreOptions:
        """As the core takes them."""
        return (
            *(self.layout, self.padding, self.before, self.after),
            *(self.stride, self.dilation, self.groups),
        )


def options_of(
    stride: Numbers, padding: Padding, dilation: Numbers, groups: int, layout: str
) -> Options:
    """The options in one form.

    Raises:
        TypeError: One is no whole number.
        ValueError: One is of another form or too large, or there is no such layout or padding.
    """
    if layout not in tuple(LAYOUTS):  # compared, as it may be of any type
        raise ValueError(f"layout={layout!r}: there are {' and '.join(LAYOUTS)}")
    way, before, after = _padding(padding)
    return Options(
        LAYOUTS[layout],
        way,
        before,
        after,
        _pair("stride", stride),
        _pair("dilation", dilation),
        _number("groups", groups),
    )


def _pair(name: str, value: object) -> Pair:
    if not isinstance(value, tuple | list):
        number = _number(name, value)
        return number, number
    if len(value) != _DIRECTIONS:
        raise ValueError(f"{name}={value!r}: expected a number, or two: (height, width)")
    return _number(name, value[0]), _number(name, value[1])


def _number(name: str, value: object) -> int:
    """What is less than it may be is told by the core, with the shapes."""
    if not hasattr(value, "__index__"):
        raise TypeError(f"{name}: expected whole numbers, got {value!r}")
    number = index(value)
    if abs(number) > _GREATEST:
        raise ValueError(f"{name}: {number} is more than 2**31")
    return number


def _padding(padding: Padding) -> tuple[int, Pair, Pair]:
    """Which kind, and the zeros before and behind."""
    if isinstance(padding, str):
        if padding not in _PADDINGS:
            raise ValueError(f"padding={padding!r}: there are numbers, {' and '.join(_PADDINGS)}")
        return _PADDINGS[padding], (0, 0), (0, 0)
    if isinstance(padding, tuple | list) and any(
        isinstance(each, tuple | list) for each in padding
    ):
        if len(padding) != _DIRECTIONS:
            raise ValueError(f"padding={padding!r}: expected ((top, bottom), (left, right))")
        (top, bottom), (left, right) = (_pair("padding", each) for each in padding)
        return _GIVEN, (top, left), (bottom, right)
    both = _pair("padding", padding)
    return _GIVEN, both, both
