"""The copies of the CUDA libraries as text, Markdown and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .terminal import cells, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..libraries import Library, Survey
    from .terminal import Style

HEADINGS = ("Library", "Version", "Found by", "Folder", "Used by")
_ELSEWHERE = (
    "Other folders are searched where LD_LIBRARY_PATH (Windows: PATH), a pip package, an "
    "environment of conda, CUDA_HOME or CUDA_PATH leads to them."
)
_WIDTHS = (17, 14, 18)
#: What is left for a folder in a narrower table is too little.
_NARROW = 70
_MARGIN = 14  # where the values begin in the long form
_PART = "cudnn_"


def none_found(survey: Survey) -> str:
    """What is said in place of an empty list: what was looked for, and where."""
    searched = f"Searched: {', '.join(survey.searched)}." if survey.searched else ""
    what = f"No copy of {survey.name or 'a CUDA library'} was found."
    return " ".join(filter(None, (what, searched, _ELSEWHERE)))


def rows(survey: Survey) -> Iterator[tuple[Library, str, int]]:
    """Each copy, its name, and the number of cuDNN's parts that go with it and are not listed."""
    mains = {(each.folder, each.version): each for each in survey.libraries if each.name == "cudnn"}
    parts = dict.fromkeys(mains, 0)
    shown = []
    for each in survey.libraries:
        place = (each.folder, each.version)
        if each.name.startswith(_PART) and place in mains:
            parts[place] += 1
        else:
            shown.append(each)
    order = dict.fromkeys(each.name for each in shown)
    for name in order:
        for each in shown:
            if each.name == name:
                count = parts.get((each.folder, each.version), 0) if name == "cudnn" else 0
                yield each, name, count


def text(survey: Survey, style: Style) -> str:
    """A table, then what stands out and what nobody could look at."""
    lines = []
    narrow = style.width < _NARROW
    if survey.libraries and not narrow:
        lines.append(style.paint(_line(*HEADINGS[:3], HEADINGS[3]), "bold"))
    last = ""
    for each, name, parts in rows(survey):
        title = "" if name == last else name + (f" +{_parts(parts)}" if parts else "")
        lines += (_stacked if narrow else _row)(each, title, style)
        last = name
    return "\n".join([*(lines or _nothing(survey, style)), *_notes(survey, style)])


def _nothing(survey: Survey, style: Style) -> list[str]:
    return wrap(style.plain(none_found(survey)), style.width)


def _row(each: Library, title: str, style: Style) -> Iterator[str]:
    folder = _short(style.plain(each.folder), style.width - sum(_WIDTHS))
    mark = " *" if each.mapped else ""
    yield _line(title, (each.version or "?") + mark, style.plain(each.found_by), folder)
    if each.used_by:
        users = wrap("for " + ", ".join(each.used_by), style.width - sum(_WIDTHS[:2]))
        for line in users:
            yield style.paint(" " * sum(_WIDTHS[:2]) + style.plain(line), "dim")


def _stacked(each: Library, title: str, style: Style) -> Iterator[str]:
    """A row, one value below the other."""
    if title:
        yield style.paint(title, "bold")
    release = f"{each.version or '?'}{' *' if each.mapped else ''}, by {each.found_by}"
    for line in wrap(style.plain(f"{release}, {each.folder}"), style.width - 2):
        yield "  " + line
    if each.used_by:
        for line in wrap(style.plain("for " + ", ".join(each.used_by)), style.width - 4):
            yield style.paint("    " + line, "dim")


def _line(*columns: str) -> str:
    *narrow, last = columns
    padded = (
        column + " " * max(1, width - cells(column))
        for column, width in zip(narrow, _WIDTHS, strict=True)
    )
    return ("".join(padded) + last).rstrip()


def _short(path: str, width: int) -> str:
    """The end of a path that is too long, from a folder on; the whole is told with a NAME."""
    if cells(path) <= width:
        return path
    rest = path[-(width - 1) :]
    return "…" + rest[max(rest.find("/"), rest.find("\\"), 0) :]


def _notes(survey: Survey, style: Style) -> Iterator[str]:
    if any(each.mapped for each in survey.libraries):
        yield ""
        yield style.paint("* mapped by the process that was asked about", "dim")
    for mark, colour, notes in (
        ("!", "yellow", survey.remarks),
        ("?", "dim", survey.unknown),
    ):
        if notes:
            yield ""
        for note in notes:
            first, *more = wrap(style.plain(note), style.width - 2)
            yield style.paint(mark, colour) + " " + first
            yield from ("  " + line for line in more)


def details(survey: Survey, style: Style) -> str:
    """Everything about each copy, in the order of the search."""
    blocks = [
        "\n".join(
            [
                style.paint(f"{number}. {style.plain(each.file)}", "bold"),
                *(line for name, value in _fields(each) for line in _field(name, value, style)),
            ]
        )
        for number, each in enumerate(survey.libraries, 1)
    ]
    shown = "\n\n".join(blocks) or "\n".join(_nothing(survey, style))
    return shown + "\n".join(["", *_notes(survey, style)]).rstrip()


def _fields(each: Library) -> Iterator[tuple[str, str]]:
    yield "version", each.version or "unknown: neither the file's name nor a package states one"
    yield "path", each.path
    if each.real != each.path:
        yield "real file", each.real
    yield "found by", each.found_by
    if each.package:
        yield "package", each.package
    yield "used by", ", ".join(each.used_by) or "no framework that was looked at"
    if each.mapped:
        yield "mapped", "by the process that was asked about"


def _field(name: str, value: str, style: Style) -> Iterator[str]:
    first, *rest = wrap(style.plain(value), style.width - _MARGIN)
    yield "   " + style.paint(name.ljust(_MARGIN - 3), "dim") + first
    yield from (" " * _MARGIN + line for line in rest)


def _parts(count: int) -> str:
    return "1 part" if count == 1 else f"{count} parts"


def table(survey: Survey) -> list[tuple[str, ...]]:
    """The cells under `HEADINGS`."""
    return [
        (
            each.file + (f" and {_parts(parts)}" if parts else ""),
            each.version or "unknown",
            " ".join(filter(None, (each.found_by, each.package))),
            each.folder,
            ", ".join(each.used_by) + (" (mapped)" if each.mapped else ""),
        )
        for each, _, parts in rows(survey)
    ]


def markdown(survey: Survey) -> str:
    """A table and two lists."""
    from .markdown import cell

    lines = [none_found(survey)]
    if survey.libraries:
        content = [tuple(map(cell, row)) for row in table(survey)]
        head: list[Sequence[str]] = [HEADINGS, ["---"] * len(HEADINGS), *content]
        lines = ["| " + " | ".join(line) + " |" for line in head]
    notes = [f"- ⚠️ {cell(remark)}" for remark in survey.remarks]
    notes += [f"- not known: {cell(reason)}" for reason in survey.unknown]
    return "\n".join([*lines, "", *notes]).rstrip()


def page(survey: Survey) -> str:
    """A whole document."""
    from .html import wrap_page

    return wrap_page("gpuprobe: CUDA libraries", _body(survey))


def fragment(survey: Survey) -> str:
    """The part that a notebook shows."""
    from .html import style

    return f'<style>{style()}</style><div class="gpuprobe">{_body(survey)}</div>'


def _body(survey: Survey) -> str:
    from .html import escape

    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in HEADINGS)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(value)}</td>" for value in row) + "</tr>"
        for row in table(survey)
    )
    shown = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    shown = f'<div class="wide"><table class="libraries">{shown}</table></div>'
    remarks = "".join(f"<li>{escape(remark)}</li>" for remark in survey.remarks)
    unknown = "".join(f"<li>{escape(reason)}</li>" for reason in survey.unknown)
    parts = (
        "<header><h1>CUDA libraries</h1></header>",
        shown if survey.libraries else f"<p>{escape(none_found(survey))}</p>",
        f"<h2>What stands out</h2><ul>{remarks}</ul>" if remarks else "",
        f"<h2>What could not be looked at</h2><ul>{unknown}</ul>" if unknown else "",
    )
    return "\n".join(filter(None, parts))
