"""Do the builds of frameworks and their packages fit the machine, and each other?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import said
from ..model import Findings, Link, rule
from ..questions.applicable import libraries_searched, only_where_said, only_with_packages

if TYPE_CHECKING:
    from ...facts.model import Facts


@rule("GP601", "cpu-only-build", cause="cpu-only-build", link=Link.FRAMEWORK, since="0.1")
def cpu_only_build(facts: Facts) -> Findings:
    """A framework is installed as a build without CUDA, though there is an NVIDIA GPU."""
    only_with_packages(facts)
    from ..findings.cpu_builds import cpu_only_build as found

    yield from found(facts)


@rule(
    "GP602",
    "framework-cuda-mismatch",
    cause="framework-cuda-mismatch",
    link=Link.RUNTIME,
    since="0.1",
)
def framework_cuda_mismatch(facts: Facts) -> Findings:
    """A framework's build needs another CUDA than is installed."""
    libraries_searched(facts)
    only_where_said(facts)
    from ..findings.builds import framework_cuda_mismatch as found

    yield from found(facts)


@rule("GP603", "gpu-too-old", cause="gpu-too-old", link=Link.RUNTIME, since="0.1")
def gpu_too_old(facts: Facts) -> Findings:
    """The build of a framework has no code for so old a GPU."""
    if facts.known(said.ABOUT("trouble")) is None:  # of which a GPU's age may be enough to tell why
        only_with_packages(facts)
    from ..findings.kernels import gpu_too_old as found

    yield from found(facts)


@rule("GP604", "gpu-too-new", cause="gpu-too-new", link=Link.RUNTIME, since="0.1")
def gpu_too_new(facts: Facts) -> Findings:
    """The build of a framework is older than the GPU's architecture."""
    only_with_packages(facts)
    from ..findings.kernels import gpu_too_new as found

    yield from found(facts)


@rule("GP605", "python-unsupported", cause="python-unsupported", link=Link.FRAMEWORK, since="0.1")
def python_unsupported(facts: Facts) -> Findings:
    """There is no build of the package for this Python, or for this platform."""
    only_where_said(facts)
    from ..findings.builds import python_unsupported as found

    yield from found(facts)


@rule("GP606", "mixed-installs", cause="mixed-installs", link=Link.FRAMEWORK, since="0.1")
def mixed_installs(facts: Facts) -> Findings:
    """Two packages, or two copies of one, claim the same module."""
    only_with_packages(facts)
    from ..findings.packages import mixed_installs as found

    yield from found(facts)


@rule("GP607", "numpy-abi", cause="numpy-abi", link=Link.FRAMEWORK, since="0.1")
def numpy_abi(facts: Facts) -> Findings:
    """A compiled module was made for another NumPy than is installed."""
    only_with_packages(facts)
    from ..findings.packages import numpy_abi as found

    yield from found(facts)


@rule("GP608", "extension-mismatch", cause="extension-mismatch", link=Link.FRAMEWORK, since="0.1")
def extension_mismatch(facts: Facts) -> Findings:
    """A compiled extension was built for another framework, CUDA or Python."""
    only_with_packages(facts)
    from ..findings.packages import extension_mismatch as found

    yield from found(facts)


@rule("GP609", "silent-cpu-fallback", cause="silent-cpu-fallback", link=Link.WORK, since="0.1")
def silent_cpu_fallback(facts: Facts) -> Findings:
    """The GPU works, and the work runs on the CPU."""
    only_where_said(facts)
    from ..findings.fallback import silent_cpu_fallback as found

    yield from found(facts)
