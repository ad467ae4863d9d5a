"""What a look at a Windows machine shows of its run-time DLLs and of PATH."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ...facts.version import Version
from ..fixes.windows import install_msvc_runtime, own_toolkit_first, put_zlib_on_path
from ..model import Confidence, Finding, Findings, Severity, cite
from ..questions.packages.frameworks import framework_packages

if TYPE_CHECKING:
    from ...facts.model import Facts

#: Those frameworks whose packages for Windows bring no Visual C++ run time along.
_LINKED_WITH_MSVC = ("PyTorch", "TensorFlow", "JAX", "ONNX Runtime")


def msvc_runtime_missing(facts: Facts) -> Findings:
    """GP407: files of the run time that are nowhere, and frameworks that are linked with them."""
    missing = facts.look(names.MSVC_MISSING) or ()
    users = [p for p in framework_packages(facts) if p.framework in _LINKED_WITH_MSVC]
    if missing and users:
        which = ", ".join(missing)
        yield Finding(
            f"Windows lacks {which}, with which {users[0].title} is linked",
            cite(
                facts,
                names.MSVC_MISSING,
                names.MSVC_VERSION,
                *(names.PACKAGE_VERSION(package.name) for package in users),
            ),
            install_msvc_runtime(),
            confidence=Confidence.LIKELY,  # a folder that a program adds by itself may have them
            subject=users[0].subject,
            stands_alone=True,
        )
    zlib = names.LIBRARY_MISSING("zlibwapi")
    if zlib.name in facts and facts.look(zlib) is not None:
        title = "zlibwapi.dll, which cuDNN 8 asks for, is not found"
        yield Finding(title, cite(facts, zlib), put_zlib_on_path(), subject="library:zlibwapi")


def library_path_conflict(facts: Facts) -> Findings:
    """GP403: PATH gives programs an older CUDA run time than the toolkit that CUDA_PATH names.

    Only copies of one file name can take each other's place. Who installs several toolkits has
    several of them; harm comes from an older one that is found before the one that is meant.
    """
    copies = names.LIBRARY_COPIES("cudart")
    listed = tuple(map(_place, facts.look(copies) or ()))
    own = facts.look(names.ENV("CUDA_PATH"))
    meant = None if own is None else _release(own)
    if own is None or meant is None:
        return
    inside = own.rstrip("\\").lower() + "\\"
    wanted = {_file(path) for path in listed if path.lower().startswith(inside)}
    for file in sorted(wanted):
        first = next(path for path in listed if _file(path) == file)
        found = _release(first)
        if found is None or found >= meant:
            continue
        yield Finding(
            f"Programs get {file} of CUDA {found}, which is before that of CUDA {meant} on PATH",
            cite(facts, names.ENV("CUDA_PATH"), copies),
            own_toolkit_first(first.rpartition("\\")[0]),
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
            subject=f"library:{file.partition('64_')[0]}",
            stands_alone=True,
        )


def _place(copy: str) -> str:
    r"""The path in what the facts say of a copy: ``cudart64_12.dll in C:\…\bin (PATH)``."""
    file, _, rest = copy.partition(" in ")
    folder, _, _ = rest.rpartition(" (")
    return f"{folder or rest}\\{file}"


def _file(path: str) -> str:
    return path.rpartition("\\")[2].lower()


def _release(path: str) -> Version | None:
    r"""The toolkit's release, which is in the name of its folder: ``…\CUDA\v12.4\bin``."""
    for part in path.lower().split("\\"):
        version = Version.parse(part[1:]) if part.startswith("v") else None
        if version is not None:
            return version
    return None
