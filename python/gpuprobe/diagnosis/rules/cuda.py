"""Are the CUDA libraries and the toolkit there, and do they fit?"""

from __future__ import annotations

from ...facts import names
from ...facts.model import Facts, NotThere
from ..model import Findings, Link, rule
from ..questions.applicable import libraries_searched, only_where_said
from ..questions.libraries.releases import asked_otherwise, doubtful
from ..questions.source import looked_at


@rule("GP401", "cudart-missing", cause="cudart-missing", link=Link.RUNTIME, since="0.1")
def cudart_missing(facts: Facts) -> Findings:
    """A program asked for the CUDA run-time library, and it is not found."""
    libraries_searched(facts)
    only_where_said(facts)
    from ..findings.cuda_libraries import cudart_missing as found

    yield from found(facts)


@rule("GP402", "cuda-library-missing", cause="cublas-missing", link=Link.LIBRARIES, since="0.1")
def cuda_library_missing(facts: Facts) -> Findings:
    """A program asked for cuBLAS or another library of CUDA, and it is not found."""
    libraries_searched(facts)
    only_where_said(facts)
    from ..findings.cuda_libraries import cuda_library_missing as found

    yield from found(facts)


@rule(
    "GP403",
    "library-path-conflict",
    cause="library-path-conflict",
    link=Link.LIBRARIES,
    since="0.1",
)
def library_path_conflict(facts: Facts) -> Findings:
    """Another copy of a CUDA library is found before the one that the program was made for."""
    libraries_searched(facts)
    several = names.LIBRARY_COPIES("cudart").name in facts
    if several and facts.look(names.OS_SYSTEM) == "Windows":
        from ..findings.windows_live import library_path_conflict as on_path

        yield from on_path(facts)
    if doubtful(facts):
        from ..findings.library_releases import path_conflict

        yield from path_conflict(facts)
    only_where_said(facts)
    from ..findings.search_path import library_path_conflict as found

    yield from found(facts)


@rule("GP404", "cuda-libs-mismatch", cause="cuda-libs-mismatch", link=Link.LIBRARIES, since="0.1")
def cuda_libs_mismatch(facts: Facts) -> Findings:
    """CUDA libraries of different releases were loaded into one program, or would be."""
    libraries_searched(facts)
    if asked_otherwise(facts):
        from ..findings.library_releases import libraries_mismatch

        yield from libraries_mismatch(facts)
    only_where_said(facts)
    from ..findings.cuda_libraries import cuda_libs_mismatch as found

    yield from found(facts)


@rule("GP405", "toolkit-missing", cause="toolkit-missing", link=Link.WORK, since="0.1")
def toolkit_missing(facts: Facts) -> Findings:
    """Something has to be compiled for the GPU, and the CUDA toolkit is not found."""
    only_where_said(facts)
    from ..findings.toolkit import toolkit_missing as found

    yield from found(facts)


@rule("GP406", "toolkit-mismatch", cause="toolkit-mismatch", link=Link.WORK, since="0.1")
def toolkit_mismatch(facts: Facts) -> Findings:
    """The toolkit or the host compiler does not fit what has to be compiled."""
    only_where_said(facts)
    from ..findings.toolkit import toolkit_mismatch as found

    yield from found(facts)


@rule(
    "GP407", "msvc-runtime-missing", cause="msvc-runtime-missing", link=Link.LIBRARIES, since="0.1"
)
def msvc_runtime_missing(facts: Facts) -> Findings:
    """A DLL of a framework does not load: Windows lacks the Visual C++ run time, or zlib."""
    if looked_at(facts):
        if facts.need(names.OS_SYSTEM) != "Windows":
            raise NotThere(names.MSVC_MISSING.name)
        from ..findings.windows_live import msvc_runtime_missing as on_machine

        yield from on_machine(facts)
        return
    only_where_said(facts)
    from ..findings.windows import msvc_runtime_missing as found

    yield from found(facts)
