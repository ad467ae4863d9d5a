"""Install JAX with its packages for CUDA: of the newest release, by the driver that is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...knowledge.architecture import Coverage
from ...knowledge.tables import Unstated
from ..model import Fix

if TYPE_CHECKING:
    from ...facts.version import Version
    from ...knowledge.jax import Wheel
    from .ground import Ground

_CODE = (Coverage.NATIVE, Coverage.PTX)
_ASK = 'python -c "import jax; print(jax.devices())"'


def served_wheel(ground: Ground) -> Wheel | None:
    """The newest CUDA that the driver serves, or the lowest where it is not known; None: none."""
    offered = _offered()
    if ground.driver is None and ground.driver_cuda is None:
        return offered[-1]
    served = (each for each in offered if _serves(ground, each))
    return next((each for each in served if _has_code(ground, each)), None)


def _offered() -> list[Wheel]:
    from ...knowledge import jax

    newest = jax.wheels(str(jax.releases()[0].last))
    return [each for each in newest if each.cuda_major and each.linux_driver]


def _has_code(ground: Ground, wheel: Wheel) -> bool:
    from ...knowledge import jax

    found = [jax.kernels(wheel, each) for each in ground.capabilities]
    return all(not isinstance(each, Unstated) and each.coverage in _CODE for each in found)


def _serves(ground: Ground, wheel: Wheel) -> bool:
    if ground.driver is not None:
        return wheel.linux_driver is not None and ground.driver >= wheel.linux_driver
    return ground.driver_cuda is not None and ground.driver_cuda.major >= (wheel.cuda_major or 0)


def command_of(wheel: Wheel) -> str:
    """What brings jax, jaxlib and the plugin in one step."""
    return f'pip install --upgrade "jax[{wheel.extra}]"'


def _command(ground: Ground) -> tuple[str, str]:
    """The command, and a sentence where the driver serves no release of today."""
    wheel = served_wheel(ground)
    if wheel is not None:
        return command_of(wheel), ""
    lowest = _offered()[-1]
    return command_of(lowest), f" It wants a driver from {lowest.linux_driver} on."


def by_extra(ground: Ground) -> Fix:
    """How JAX is installed since its builds for CUDA are packages beside jaxlib."""
    command, wanted = _command(ground)
    if ground.windows:
        return Fix.by_admin(
            "For Windows itself JAX has no builds with CUDA. Use it inside WSL 2, where "
            f"{command} brings all that it needs but the driver.",
            ("wsl.exe --install",),
            undo="wsl.exe --unregister NAME, which deletes that distribution and the files in it",
        )
    return Fix.by_user(
        "Let jax's extra choose: it brings jaxlib, the plugin for CUDA and the libraries in "
        "releases that fit each other. A jaxlib with a tag of CUDA is an older release, which only "
        f"JAX's own page of releases has, and only for the Pythons of its time.{wanted}",
        (command, _ASK),
        undo=None,
    )


def with_its_libraries(ground: Ground) -> Fix:
    """JAX opens the libraries that pip lays beside it, unless LD_LIBRARY_PATH names others."""
    if ground.windows:
        return by_extra(ground)
    command, wanted = _command(ground)
    return Fix.by_user(
        "Let jax's extra bring the CUDA libraries that JAX opens, and start the program without "
        "LD_LIBRARY_PATH, which would put others in their place. A JAX for the system's own CUDA "
        f"(jax[cuda12-local]) needs all of them there instead.{wanted}",
        (command, f"env -u LD_LIBRARY_PATH {_ASK}"),
        undo="pip uninstall the packages that it installed",
    )


def in_one_release(ground: Ground) -> Fix:
    """What pip brings for jax and its extra, it brings in releases that fit each other."""
    command, wanted = _command(ground)
    return Fix.by_user(
        "Install jax, jaxlib and the plugin in one step: pip then takes releases that fit each "
        f"other.{wanted}",
        (command, _ASK),
        undo=None,
    )


def without_plugin(ground: Ground) -> Fix:
    """Where jaxlib has CUDA compiled in: that alone, or the JAX of today with its plugin."""
    command, wanted = _command(ground)
    return Fix.by_user(
        "Remove the plugin: this jaxlib brings CUDA itself and takes none. Or, where nothing asks "
        "for this old release, install jax, jaxlib and the plugin in one step (the last command)."
        f"{wanted}",
        (
            "pip list",
            "pip uninstall jax-cuda12-plugin jax-cuda12-pjrt",
            _ASK,
            command,
        ),
        undo="pip install of the two packages in the releases that the first command shows",
    )


def of_other_python(python: Version, extra: str, release: Version) -> Fix:
    """Where the last JAX for a Python, `release`, does not have the part for a CUDA: `extra`."""
    from ...knowledge import jax

    offered = [each.extra for each in jax.wheels(str(release)) if each.cuda_major]
    text = (
        f"Make an environment with Python {python} (without conda: python{python} -m venv FOLDER), "
    )
    text += "and install there"
    commands = [f"conda create --name gpu python={python}", "conda activate gpu"]
    commands.append(f'pip install --upgrade "jax[{extra}]"')
    if offered:
        text += (
            f"; or keep this Python and take its last JAX with [{offered[0]}] (the last command)"
        )
        commands.append(f'pip install --upgrade "jax[{offered[0]}]=={release}"')
    return Fix.by_user(f"{text}.", tuple(commands), undo="remove the environment")
