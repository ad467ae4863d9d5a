"""Who holds the memory of each GPU, as text, Markdown and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .devices.listing import nothing
from .devices.words import share
from .terminal import wrap
from .units import bytes_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..memory.holders import Holders
    from .terminal import Style

HEADINGS = ("GPU", "Size", "In use", "Free", "Held by")
_UNKNOWN = "unknown"


def text(gpus: Sequence[Holders], none_because: str, style: Style) -> str:
    """A block for each GPU: its numbers, then a line for each process."""
    if not gpus:
        return "\n".join(wrap(style.plain(nothing(none_because)), style.width))
    return "\n\n".join("\n".join(_block(each, style)) for each in gpus)


def _block(gpu: Holders, style: Style) -> Iterator[str]:
    title, size, used, free = map(style.plain, _cells(gpu))
    yield from (style.paint(line, "bold") for line in wrap(title, style.width))
    in_use = f"{used} of {size} in use, {free} free"
    reasons = [gpu.unknown.get(what) for what in ("total_bytes", "free_bytes")]
    none_known = gpu.total_bytes is gpu.free_bytes is None and reasons[0] == reasons[1]
    if none_known:  # of a GPU that is lost, say
        in_use = f"how much is in use is not known: {reasons[0] or _UNKNOWN}"
    for line in (in_use, *gpu.lines()):
        first, *rest = wrap(style.plain(line), style.width - 4)
        yield "  " + first
        yield from ("    " + each for each in rest)
    for what in () if none_known else ("total_bytes", "free_bytes"):
        if what in gpu.unknown:
            reason = style.plain(f"{what.removesuffix('_bytes')}: {gpu.unknown[what]}")
            yield from (style.paint("  " + each, "dim") for each in wrap(reason, style.width - 2))


def _cells(gpu: Holders) -> tuple[str, str, str, str]:
    sizes = (gpu.total_bytes, gpu.used_bytes, gpu.free_bytes)
    total, used, free = (_UNKNOWN if size is None else bytes_in_words(size) for size in sizes)
    return gpu.title(), total, used, free


def markdown(gpus: Sequence[Holders], none_because: str) -> str:
    """A table."""
    from .markdown import cell

    if not gpus:
        return cell(nothing(none_because))
    content = [[*map(cell, _cells(each)), "<br>".join(map(cell, each.lines()))] for each in gpus]
    lines = [HEADINGS, ["---"] * len(HEADINGS), *content]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def page(gpus: Sequence[Holders], none_because: str) -> str:
    """A whole document."""
    from .devices.html import sheet
    from .html import escape, wrap_page

    shown = _table(gpus) if gpus else f"<p>{escape(nothing(none_because))}</p>"
    head = "<header><h1>GPU memory</h1></header>"
    return wrap_page("gpuprobe: GPU memory", f"{head}\n{shown}", sheet() + "\n")


def fragment(gpu: Holders) -> str:
    """The part that a notebook shows."""
    from .devices.html import sheet
    from .html import style

    return f'<style>{style()}\n{sheet()}</style><div class="gpuprobe">{_table((gpu,))}</div>'


def _table(gpus: Sequence[Holders]) -> str:
    from .html import escape

    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in HEADINGS)
    rows = ""
    for each in gpus:
        title, size, used, free = map(escape, _cells(each))
        cells = [title, size, used + _bar(each), free, "<br>".join(map(escape, each.lines()))]
        rows += "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _bar(gpu: Holders) -> str:
    part = share(gpu.used_bytes, gpu.total_bytes)
    if part is None:
        return ""
    filled = f'<span style="width: {100 * part:.1f}%"></span>'
    return f'<div class="gauge memory" aria-hidden="true">{filled}</div>'
