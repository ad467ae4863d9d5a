"""Whether what an installer seeks was built for other platforms alone, whatever the Python is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ...fixes.framework import jetson_build
from ...fixes.ground import ground_of
from ...fixes.jax import by_extra
from ...fixes.python import pytorch_for_arm
from ...model import Draft
from ..place import place_of

if TYPE_CHECKING:
    from ....facts.model import Facts


def built_elsewhere(facts: Facts, name: str, version: str | None) -> Draft | None:
    """Of a release with a tag of CUDA, "1.13.1+cu116"; None: this platform may have it."""
    release, _, tag = (version or "").partition("+")
    if name == "jaxlib" and tag.startswith("cuda") and place_of(facts).system == "Windows":
        title = "JAX has builds with CUDA for Linux alone, and this is Windows"
        return Draft(title, (names.OS_SYSTEM,), by_extra(ground_of(facts)))
    if name == "torch" and tag.startswith("cu") and ground_of(facts).platform == "linux_aarch64":
        return _torch_for_arm(facts, release)
    return None


def _torch_for_arm(facts: Facts, release: str) -> Draft | None:
    """Releases from before PyTorch built for servers of ARM with CUDA."""
    from ....knowledge import pytorch

    asked, first = pytorch.parse_version(release), pytorch.first_for("linux_aarch64")
    if asked is None or asked.release >= first:
        return None
    fix = pytorch_for_arm(first, pytorch.variants_for("linux_aarch64"))
    if ground_of(facts).jetson:
        fix = jetson_build("PyTorch", None)
    title = f"PyTorch {release} has no builds with CUDA for ARM (aarch64): {first} is the first"
    return Draft(title, (names.OS_MACHINE, names.TEGRA_MODEL), fix)
