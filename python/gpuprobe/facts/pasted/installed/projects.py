"""A project's name is no package: who has tensorflow-gpu says "TensorFlow 1.3.0" as well.

Lists of packages name what is installed; people, forms and ``tf.__version__`` name the project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...model import Known
from ...regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..merge import Found

#: Projects whose name is that of one of their packages, and the names of the others.
_OTHERS = {
    "cupy": regex(r"package\.cupy-(?:cuda|rocm)[\w-]*\.version"),
    "onnxruntime": regex(r"package\.onnxruntime-(?:gpu|directml|openvino|rocm)\.version"),
    "paddlepaddle": regex(r"package\.paddlepaddle-gpu\.version"),
    "tensorflow": regex(r"package\.tensorflow-(?:gpu|cpu|rocm|macos)\.version"),
}
_VERSIONS = {names.PACKAGE_VERSION(project).name for project in _OTHERS}
#: Those that have no CUDA where they bear the project's name, which so was concluded from it.
_ALWAYS_CPU = ("onnxruntime", "paddlepaddle")


def listed(stated: Iterable[str]) -> set[str]:
    """The facts, of those that a list of packages states, which a project's name tells as well."""
    return _VERSIONS.intersection(stated)


def take_back(facts: Found, installed: set[str]) -> None:
    """Remove what only a project's name told where another of its packages is installed."""
    for project, others in _OTHERS.items():
        version = names.PACKAGE_VERSION(project)
        if version.name in installed or not isinstance(facts.get(version.name), Known):
            continue
        if any(map(others.fullmatch, facts)):
            of_name = (names.PACKAGE_BUILD(project), names.PACKAGE_CUDA(project))
            for key in (version, *(of_name if project in _ALWAYS_CPU else ())):
                facts.pop(key.name, None)
