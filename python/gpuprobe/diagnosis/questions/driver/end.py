"""Up to which CUDA a driver serves, and where a GPU's line of drivers ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.version import Version
from ..gpus.known import gpus
from ..place import place_of

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys
    from ....knowledge.driver_cuda import LastBranch

_OF_START = "cudaErrorInsufficientDriver"
_OF_PTX = "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
#: The last branch of GPUs for which hardly a program is built any more: its CUDA is 9.1.
_LONG_OVER = 390
#: Beyond every release of a branch.
NEWEST = 999


def served_cuda(facts: Facts) -> Version | None:
    """The CUDA that the driver serves at most, as it was told or by its release."""
    told, driver = facts.known(names.DRIVER_CUDA), facts.known(names.DRIVER_VERSION)
    return told if told is not None or driver is None else cuda_of(facts, driver)


def cuda_of(facts: Facts, driver: Version) -> Version | None:
    """The highest CUDA that a release of the driver serves, by the tables."""
    from ....knowledge.driver_cuda import highest_cuda
    from ....knowledge.tables import Unstated

    found = highest_cuda(driver, place_of(facts).driver_system)
    return None if isinstance(found, Unstated) else found.at_most


def last_branch_here(facts: Facts) -> LastBranch | None:
    """Up to which driver all of the GPUs that are named are served; None: newer ones do so."""
    from ....knowledge.driver_cuda import last_branch
    from ....knowledge.tables import Unstated

    rows = [last_branch(gpu.capability) for gpu in gpus(facts)]
    ends = [row for row in rows if not isinstance(row, Unstated) and row.branch is not None]
    return min(ends, key=lambda row: row.branch or 0) if len(ends) == len(rows) > 0 else None


def is_at_its_end(facts: Facts, end: LastBranch, wanted: Version | None, keys: Keys) -> bool:
    """Whether no newer driver helps: the last one for this GPU is there, or is not enough."""
    branch, served = end.branch or 0, served_cuda(facts)
    if said.ERROR(_OF_PTX) in keys:
        return False  # code for the GPU itself needs no newer driver
    if wanted is not None:
        return wanted.major > branch
    if _serves_all_builds(facts, served):
        return False  # what fails so beyond that does so for another reason
    driver = facts.known(names.DRIVER_VERSION)
    if driver is not None and driver.major < branch:
        return False
    if served is None and driver is None:  # one that starts has found a driver
        return branch <= _LONG_OVER and facts.known(said.ERROR(_OF_START)) is not None
    if served is None:
        return True  # the last branch is there
    last = cuda_of(facts, Version.of(branch, NEWEST))
    return last is not None and served >= last


#: From this CUDA on a driver serves all releases of its major.
_SERVES_ITS_MAJOR = 11


def is_served(built: Version, serves: Version) -> bool:
    """Whether a program that was built with one CUDA starts on the driver of another one."""
    near = built.major == serves.major and built.major >= _SERVES_ITS_MAJOR
    return near or built <= serves


def _serves_all_builds(facts: Facts, served: Version | None) -> bool:
    """Whether the driver serves each build that is told; without one, those for any release."""
    if served is None:
        return False
    if builds := facts.known_of(names.PACKAGE_CUDA):
        return all(is_served(built, served) for built in builds)
    from ....knowledge.driver_cuda import toolkits

    return served.major >= max(each.toolkit.major for each in toolkits())
