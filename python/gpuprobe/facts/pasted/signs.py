"""Statements of programs that carry no code, recognised by the stable part of their wording.

The wordings are data: one table a subject under `wordings/`. A rule asks for a statement by its
id, ``said.SIGN("torch-without-cuda")``.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from .. import said
from .statement import Statements, say
from .text import Text, middle_of

if TYPE_CHECKING:
    from .sign import Sign


@functools.cache
def table() -> tuple[Sign, ...]:
    """All statements that are recognised, by subject."""
    from .wordings import (
        build_files,
        chinese,
        choosing,
        clusters,
        communication,
        containers,
        cudnn,
        driver,
        driver_setup,
        endings,
        engines,
        extensions,
        for_repairs,
        frameworks,
        host_compilers,
        imports,
        installers,
        interfaces,
        jax,
        jetson,
        kernel,
        media,
        mig,
        monitors,
        numpy_abi,
        nvidia_smi,
        ollama,
        onnxruntime,
        others,
        outages,
        sciences,
        sentences,
        slowness,
        sources,
        tensorflow,
        told_of_hangs,
        told_of_tensorflow,
        toolkit,
        torch,
        user_code,
        virtual,
        visual_studio,
    )

    subjects = (
        *(nvidia_smi, driver, kernel, driver_setup, mig, virtual, jetson, containers),
        *(clusters, monitors),
        *(sentences, told_of_tensorflow, told_of_hangs, slowness, chinese, outages, endings),
        *(torch, tensorflow, jax, onnxruntime, frameworks, others, sciences),
        *(extensions, numpy_abi, imports, toolkit, build_files, host_compilers, sources),
        *(visual_studio, cudnn),
        *(engines, ollama, media, interfaces, installers, communication, user_code, choosing),
        for_repairs,
    )
    return tuple(sign for subject in subjects for sign in subject.SIGNS)


@functools.cache
def _by_middle() -> dict[str, list[tuple[str, int]]]:
    """The cues of the table with their signs' places in it, by the letters in a cue's middle."""
    cues: dict[str, list[tuple[str, int]]] = {}
    for place, sign in enumerate(table()):
        for cue in sign.cues:
            cues.setdefault(middle_of(cue), []).append((cue, place))
    return cues


def read(text: Text) -> Statements:
    """Each statement that the text makes, with the line that makes it first."""
    cues = _by_middle()
    middles = ("", *text.holding(cues.keys()))  # the shortest cues have none
    there = {place for middle in middles for cue, place in cues.get(middle, ()) if cue in text}
    for place in sorted(there):
        sign = table()[place]
        found = sign.find(text)
        if found is not None:
            line, value = found
            yield say(said.SIGN(sign.id), value, line)
