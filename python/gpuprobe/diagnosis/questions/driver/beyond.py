"""A toolkit that is there, beyond what the driver serves, where a program finds no device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.version import Version
from ....knowledge.driver_cuda import Service, serves
from ....knowledge.tables import release_number
from ...model import Confidence
from ..place import place_of
from ..sentences import something_fails
from ..statements import no_gpu_seen, statements
from .end import is_served, served_cuda

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Keys


def unseen_beyond(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """No device is seen, and the one toolkit that is told is of a later CUDA than the driver's.

    What is built with it finds none; of a framework that is told the CUDA is compared by itself.
    """
    toolkit = facts.known(names.TOOLKIT_VERSION)
    told = any(facts.known_of(names.PACKAGE_CUDA)) or any(facts.known_of(names.PACKAGE_BUILD))
    inside = facts.known(names.CONTAINER_KIND) is not None
    if toolkit is None or told or inside or len(toolkit.parts) == 1:
        return
    unseen: Keys = (*statements(facts, "program-finds-no-gpu"), *no_gpu_seen(facts, "torch"))
    if facts.known(said.TRACE_CUT) is not None and not something_fails(facts):
        unseen = (*unseen, said.TRACE_CUT)
    cuda = Version.of(toolkit.major, toolkit.minor)
    if unseen and _is_beyond(facts, cuda):
        title = f"The driver is too old for CUDA {cuda}, of which the toolkit here is"
        yield (*unseen, names.TOOLKIT_VERSION), title, Confidence.LIKELY


def _is_beyond(facts: Facts, cuda: Version) -> bool:
    """Whether the driver does not serve a CUDA, by what it tells or by the tables.

    Those begin with the driver for CUDA 8.0, and older ones serve none of theirs.
    """
    served, driver = served_cuda(facts), facts.known(names.DRIVER_VERSION)
    if served is not None:
        return not is_served(cuda, served)
    system = place_of(facts).driver_system
    return driver is not None and serves(cuda, driver=driver, system=system).service is Service.NO


def conda_before_table(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """What conda brings along, for a driver that is older than the tables."""
    key, driver = names.PACKAGE_VERSION("cudatoolkit"), facts.known(names.DRIVER_VERSION)
    brought = release_number(facts.known(key) or "")
    if brought is None or driver is None or any(facts.known_of(said.FRAMEWORK_SEES_GPU)):
        return
    if _is_beyond(facts, brought):
        title = f"Driver {driver} is too old for CUDA {brought}, which conda brings"
        yield (key,), title, Confidence.LIKELY
