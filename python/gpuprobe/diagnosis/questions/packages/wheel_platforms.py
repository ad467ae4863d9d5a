"""Whether what an installer seeks was built for other platforms alone, whatever the Python is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ...fixes.framework import jetson_build
from ...fixes.ground import ground_of
from ...fixes.jax import by_extra
from ...fixes.python import pytorch_for_arm
from ...model import Draft, Fix
from ..place import place_of

if TYPE_CHECKING:
    from ....facts.model import Facts


_FAISS_FOR_WINDOWS = Fix.by_user(
    "Run it on Linux or in WSL, where the package is to be had; on Windows there is Faiss for the "
    "CPU.",
    ("pip install faiss-cpu",),
    undo="pip uninstall faiss-cpu",
)


def built_elsewhere(facts: Facts, name: str, version: str | None) -> Draft | None:
    """Of a release with a tag of CUDA, "1.13.1+cu116"; None: this platform may have it."""
    release, _, tag = (version or "").partition("+")
    if name == "jaxlib" and tag.startswith("cuda") and place_of(facts).system == "Windows":
        title = "JAX has builds with CUDA for Linux alone, and this is Windows"
        return Draft(title, (names.OS_SYSTEM,), by_extra(ground_of(facts)))
    if name.startswith("faiss-gpu") and place_of(facts).system == "Windows":
        title = "Faiss has builds for GPUs on Linux alone, and this is Windows"
        return Draft(title, (names.OS_SYSTEM,), _FAISS_FOR_WINDOWS)
    ground = ground_of(facts)
    on_arm = ground.platform == "linux_aarch64" or ground.jetson
    if name == "torch" and tag.startswith("cu") and on_arm:
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
