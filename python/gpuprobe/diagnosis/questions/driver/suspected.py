"""TensorFlow and XLA suspect the driver whenever cuDNN does not start; what is known decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.version import Version
from ....knowledge.driver_cuda import Service, serves
from ...model import Confidence
from ..libraries.needs import tensorflow_release
from ..memory.kinds import plenty
from ..statements import statements, value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Keys


def suspected(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """The driver is at fault where memory is free, or where the build needs a newer one."""
    keys, named = statements(facts, "xla-driver-suspected"), value(facts, "xla-driver-suspected")
    if keys and plenty(facts):
        title = f"cuDNN does not start under driver {named}, though memory is free: the driver is "
        title += "mostly too old for it"
        yield (*keys, said.MEMORY_FREE), title, Confidence.LIKELY
    driver, release = Version.parse(named), tensorflow_release(facts)
    if driver is None or release is None:
        return
    package, version, cuda = release
    judged = serves(cuda, driver=driver)
    if judged.service is Service.NO:
        title = f"{package} {version} is built for CUDA {cuda}, which needs driver {judged.needed} "
        title += f"or newer, not {driver}"
        yield (*keys, names.PACKAGE_VERSION(package)), title, Confidence.LIKELY
