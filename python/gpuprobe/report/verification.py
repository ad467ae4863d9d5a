"""What `verify` found, as text, Markdown and HTML."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from .terminal import wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..compute.proof import Proof
    from ..compute.verification import Outcome, Step, Verification
    from .terminal import Style

#: What a GPU's time is told in, beside the whole; all in milliseconds.
_PARTS = ("submit", "kernel", "copies")
_SIGNS: dict[Outcome, tuple[str, str]] = {
    "right": ("✓", "green"),
    "wrong": ("✗", "red"),
    "not run": ("·", "dim"),
}
_CLASSES: dict[Outcome, str] = {"right": "works", "wrong": "broken", "not run": "open"}
_NAME, _TIME, _PART, _INDENT = 29, 9, 7, 4
#: So many GPUs are told apart.
_SEVERAL = 2


def title(found: Verification) -> str:
    """What was verified."""
    if found.device == "cpu":
        return "The plain-C reference on the CPU"
    if len(found.gpus) >= _SEVERAL:
        return f"{len(found.gpus)} GPUs"
    return str(found.gpus[0]) if found.gpus else "The GPU"


def verdicts(found: Verification) -> str:
    """Of several GPUs: ``wrong: CUDA device 1; right: CUDA device 0, 2``."""
    if len(found.gpus) < _SEVERAL:
        return ""
    numbers = {
        outcome: [str(gpu.device) for gpu in found.gpus if found.on(gpu).outcome == outcome]
        for outcome in ("wrong", "right", "not run")
    }
    return "; ".join(
        f"{outcome}: CUDA device {', '.join(each)}" for outcome, each in numbers.items() if each
    )


def counts(found: Verification) -> str:
    """``14 steps right, 2 not run``."""
    parts: list[str] = []
    for outcome in _SIGNS:
        number = found.count(outcome)
        if number:
            steps = "" if parts else (" step" if number == 1 else " steps")
            parts.append(f"{number}{steps} {outcome}")
    return ", ".join(parts)


def ground(step: Step) -> str:
    """By what a step was proved, in a few words; the reason where it was not run."""
    if step.why is not None:
        return step.why
    return "; ".join(dict.fromkeys(_in_short(proof) for proof in step.proofs))


def _in_short(proof: Proof) -> str:
    if proof.basis == "bound":
        return f"{100 * proof.fraction:.2g} % of the bound"
    return "exact" if proof.basis == "exact" else "not finite"


def duration(step: Step) -> str:
    """``1.2 ms``."""
    return "" if step.seconds is None else f"{1e3 * step.seconds:.1f} ms"


def parts(step: Step) -> tuple[str, ...]:
    """The parts of a GPU's time, in milliseconds: ``0.02``; empty where not measured."""
    seconds = (step.submit_seconds, step.kernel_seconds, step.transfer_seconds)
    return tuple("" if each is None else f"{1e3 * each:.2f}" for each in seconds)


def has_parts(found: Verification) -> bool:
    """Whether a GPU's time is told."""
    return any(any(parts(step)) for step in found.steps)


def details(step: Step) -> list[str]:
    """What is wrong, line by line."""
    wrong = (str(proof).splitlines() for proof in step.proofs if not proof.holds)
    return [line for lines in wrong for line in lines]


# -- text --------------------------------------------------------------------------------------


def text(found: Verification, style: Style) -> str:
    """A line a step, what is wrong below it, and the count; of several GPUs which are wrong."""
    lines = [style.paint(title(found), "bold")]
    width = max([_NAME, *(len(step.name) for step in found.steps)])
    with_parts = has_parts(found)
    if with_parts:
        heads = "".join(f"{part:>{_PART}}" for part in _PARTS)
        lines.append(style.paint(f"{'':{width + 2}}{heads}  in milliseconds", "dim"))
    for gpu, steps in _by_gpu(found):
        last_reason = ""
        if gpu:
            lines += ["", style.paint(style.plain(gpu), "bold")]
        for step in steps:
            lines += _lines(step, width, last_reason, style, with_parts=with_parts)
            last_reason = step.why or ""
    if verdicts(found):
        colour = _SIGNS[found.outcome][1]
        lines += ["", style.paint(verdicts(found), colour)]
    to_do = ". `gpuprobe` tells what to do." if found.count("not run") == len(found.steps) else ""
    return "\n".join([*lines, counts(found) + to_do])


def _by_gpu(found: Verification) -> Iterator[tuple[str, list[Step]]]:
    """The steps of each GPU below its heading, where there are several; else all of them."""
    if len(found.gpus) < _SEVERAL:
        yield "", list(found.steps)
        return
    headings = {gpu.device: str(gpu) for gpu in found.gpus}
    for device, steps in groupby(found.steps, lambda step: step.device):
        yield "" if device is None else headings[device], list(steps)


def _lines(
    step: Step, width: int, last_reason: str, style: Style, *, with_parts: bool
) -> Iterator[str]:
    sign, colour = _SIGNS[step.outcome]
    line = f"{style.paint(style.plain(sign), colour)} {style.plain(step.name):{width}}"
    if step.outcome == "right":
        told = ground(step) or step.size
        times = f" {duration(step):>{_TIME}}"
        if with_parts:
            times = "".join(f"{part:>{_PART}}" for part in parts(step))
        yield f"{line}{times}  {style.plain(told)}".rstrip()
        return
    yield f"{line} {step.outcome}"
    if step.why is not None and step.why != last_reason:
        for each in wrap(style.plain(step.why), style.width - _INDENT):
            yield style.paint(" " * _INDENT + each, "dim")
    for each in details(step):
        yield " " * _INDENT + style.plain(each)


# -- documents ---------------------------------------------------------------------------------


def _heads(found: Verification) -> tuple[str, ...]:
    times = tuple(f"{part.capitalize()} (ms)" for part in _PARTS)
    return ("Step", "Outcome", "Size", *(times if has_parts(found) else ("Time",)), "Proof")


def _row(step: Step, *, with_parts: bool) -> tuple[str, ...]:
    told = " / ".join([ground(step), *details(step)])
    times = parts(step) if with_parts else (duration(step),)
    return step.name, step.outcome, step.size, *times, told


def markdown(found: Verification) -> str:
    """A table; of several GPUs one for each."""
    from .markdown import cell

    heads, with_parts = _heads(found), has_parts(found)
    lines = [f"**{cell(title(found))}**"]
    for gpu, steps in _by_gpu(found):
        rows = (_row(step, with_parts=with_parts) for step in steps)
        table = (heads, ("---",) * len(heads), *rows)
        lines += ["", *([f"**{cell(gpu)}**", ""] if gpu else [])]
        lines += ["| " + " | ".join(map(cell, row)) + " |" for row in table]
    lines += ["", verdicts(found), ""] if verdicts(found) else [""]
    return "\n".join([*lines, counts(found)])


def fragment(found: Verification) -> str:
    """The part that a notebook shows."""
    from .html import style

    return f'<style>{style()}</style><div class="gpuprobe">{_body(found)}</div>'


def page(found: Verification) -> str:
    """A whole document."""
    from .html import wrap_page

    return wrap_page(f"gpuprobe: verification, {found.outcome}", _body(found))


def _body(found: Verification) -> str:
    from .html import escape

    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in _heads(found))
    told = "".join(f"<p>{escape(words)}</p>" for words in (verdicts(found), counts(found)) if words)
    return (
        f"<header><h1>{escape(title(found))}</h1>{told}</header>"
        f'<div class="wide"><table class="steps"><thead><tr>{heads}</tr></thead>'
        f"{''.join(_html_bodies(found))}</table></div>"
    )


def _html_bodies(found: Verification) -> Iterator[str]:
    """Of several GPUs one for each, below a heading."""
    from .html import escape

    attributes = f'scope="rowgroup" colspan="{len(_heads(found))}"'
    for gpu, steps in _by_gpu(found):
        head = f"<tr><th {attributes}>{escape(gpu)}</th></tr>" if gpu else ""
        yield f"<tbody>{head}{''.join(_html_rows(found, steps))}</tbody>"


def _html_rows(found: Verification, steps: list[Step]) -> Iterator[str]:
    """A row a step; a reason stands in the place of the times, once for all that share it."""
    from .html import escape

    with_parts = has_parts(found)
    for _, alike in groupby(enumerate(steps), lambda each: each[1].why or each[0]):
        group = [step for _, step in alike]
        for number, step in enumerate(group):
            name, outcome, size, *times, told = map(escape, _row(step, with_parts=with_parts))
            sign = f'<span class="sign" aria-hidden="true">{_SIGNS[step.outcome][0]}</span>'
            row = f"<td>{sign} {name}</td><td>{outcome}</td><td>{size}</td>"
            if step.why is None:
                row += "".join(f"<td>{cell}</td>" for cell in (*times, told))
            elif number == 0:
                row += f'<td colspan="{len(times) + 1}" rowspan="{len(group)}">{told}</td>'
            yield f'<tr class="{_CLASSES[step.outcome]}">{row}</tr>'
