"""Does a version meet what a lock demands: ``2.4.1+cu121``, ``>=535.104.05``, ``>=2.4,<2.6``?

A release alone stands for all that begin with it: ``3.11`` for 3.11.7, ``550`` for 550.54.14.
"""

from __future__ import annotations

_OPERATORS = "<>=!~"


def is_exact(demand: str) -> bool:
    """Whether it names one version, not a range."""
    return demand[:1] not in _OPERATORS or demand.startswith("==")


def meets(demand: str, value: str) -> bool:
    """Whether `value` is a version that `demand` allows. What is no version has to be equal."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion

    is_alone = demand[:1] not in _OPERATORS
    written = f"=={demand}" if is_alone else demand
    try:
        if SpecifierSet(written).contains(value, prereleases=True):
            return True
        is_release = is_alone and demand.replace(".", "").isdecimal()
        return is_release and SpecifierSet(f"{written}.*").contains(value, prereleases=False)
    except (InvalidSpecifier, InvalidVersion):
        return demand.removeprefix("==").strip() == value


def is_newer(demand: str, value: str) -> bool:
    """Whether `value` is newer than the one version that `demand` names; False for a range."""
    return is_exact(demand) and meets(f">{_bare(demand)}", value)


def same_minor(demand: str, value: str) -> bool:
    """Whether `value` is of the same minor release as the one version that `demand` names."""
    parts = _bare(demand).partition("+")[0].split(".")
    return is_exact(demand) and meets(".".join((*parts[:2], "*")), value)


def _bare(demand: str) -> str:
    return demand.removeprefix("==").strip().partition("+")[0].removesuffix(".*")
