"""What NumPy, compiled modules and people say of a module that was made for another NumPy."""

from ..sign import Sign
from ..text import cues

#: In front of what somebody tells of both, which is no question, no wish and not over.
_IS_SO = (
    r"\A(?=.{1,500}\Z)(?!.*(?:\?|\b(?:if|should|would|may|might|please|fixed|solved|no longer)\b))"
)
_FOR_ONE = (
    r"\b(?:built|compiled) (?:with|against|for|using) numpy ?"
    r"(?:< ?2|<= ?1|~?=?= ?1\.|v?1(?:\.[\dx]|\b))"
)
_WITH_TWO = r"\bnumpy ?(?:>=? ?2|~?=?= ?2|v?2(?:\.[\dx]|\b))"
_FAILS = (
    r"\b(?:incompatib\w*|not compatible|error|fails?|failed|crash(?:es|ed)?"
    r"|(?:does(?: not|n't)|cannot|can't) (?:be )?(?:load|import|run|work)\w*)\b"
)

SIGNS = (
    Sign(
        "numpy-compiled-and-found",
        "which NumPy a module was compiled for and which is there, by the numbers of its interface",
        ("against api version", "against abi version", "c-api version", "size", "numpy 2."),
        r"(Failed to initialize NumPy: )?module (?:was )?compiled against (?:NumPy C-)?(A[PB]I)"
        r" version (?:0x)?([\da-f]+)\b[^\n]{0,30}?but (?:this version of numpy is|the running NumPy"
        r" has C-API version) (?:0x)?([\da-f]+)\b"
        r"|numpy\.(ndarray|ufunc) (?:size changed|has the wrong size)[^\n]{0,60}?"
        r"Expected (\d{2,3})[^\n]{0,20}?got (\d{2,3})"
        r"|(NumPy 2\.\d[\d.]*\d) as it may crash",
    ),
    Sign(
        "numpy-abi-2",
        "a module compiled with NumPy 1 meets NumPy 2, as the module or somebody says",
        cues(
            "compiled using numpy 1.x cannot be run|built with numpy|built against numpy"
            "|built for numpy|built using numpy|compiled with numpy|compiled against numpy"
            "|compiled for numpy"
        ),
        r"1\.x cannot be run(?: in\s*(?:NumPy ([\d.]+\d))?)?"
        rf"|{_IS_SO}(?=.*{_FOR_ONE})(?=.*{_WITH_TWO})(?=.*{_FAILS})",
    ),
    Sign(
        "numpy-abi",
        "a module was compiled against another NumPy",
        (
            "numpy.dtype size changed",
            "numpy.ndarray size changed",
            "numpy.ufunc size changed",
            "has the wrong size, try recompiling",
            "module compiled against api version",
            "module compiled against abi version",
            "_array_api not found",
            "numpy.core.multiarray failed to import",
            "numpy.core._multiarray_umath failed to import",
            *("numpy.core.umath failed to import", "numpy._core.multiarray failed to import"),
            "numpy is not available",
            "may indicate binary incompatibility",
            "'numpy' has no attribute 'axiserror'",  # moved by NumPy 2, as old CuPy's find
            # Numba's, before and since it looks at NumPy's version itself.
            *("initialization of _internal failed", "numba needs numpy"),
        ),
        r"((?:RuntimeWarning: )?numpy\.\w+) (?:size changed|has the wrong size)"
        r"|against A[PB]I version (0x\w+)|_ARRAY_API not found|(numpy\._?core\.\w+) failed"
        r"|numpy is not available|initialization of _internal failed|numpy",
    ),
)
