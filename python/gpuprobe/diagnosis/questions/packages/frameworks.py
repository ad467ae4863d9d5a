"""The frameworks among the installed packages, and what each was built for."""

from __future__ import annotations

from typing import NamedTuple

from ....facts import names
from ....facts.model import Facts, Known, Missing, Unknown

#: A distribution belongs to the framework that its name begins with: jax-cuda12-plugin to JAX.
_STEMS = {
    "torch": "PyTorch",
    "tensorflow": "TensorFlow",
    "tf": "TensorFlow",
    "jax": "JAX",
    "jaxlib": "JAX",
    "cupy": "CuPy",
    "onnxruntime": "ONNX Runtime",
}


class Package(NamedTuple):
    """An installed distribution of a framework; `build` None: nobody could see it."""

    name: str
    framework: str
    version: str
    build: str | None

    @property
    def subject(self) -> str:
        """What a finding about it names."""
        return f"package:{self.name}"

    @property
    def title(self) -> str:
        """Name and version, for a sentence."""
        return f"{self.name} {self.version}".strip()


def framework_of(name: str) -> str | None:
    """The framework that a distribution belongs to; None: none of ours."""
    return _STEMS.get(name.partition("-")[0])


#: Of Julia's and JavaScript's packages, by the names that theirs have here.
NOT_OF_PIP = {"cuda-jl": "CUDA.jl", "tensorflow-js": "TensorFlow.js"}


def spelt(name: str) -> str:
    """The name of a package as its makers write it."""
    return NOT_OF_PIP.get(name, name)


def title_of(distribution: str) -> str:
    """The framework's own name; of another package, the distribution's."""
    return _STEMS.get(distribution.partition("-")[0], spelt(distribution))


def framework_packages(facts: Facts) -> tuple[Package, ...]:
    """The packages of frameworks whose build somebody looked at, in the order of the facts."""
    found = []
    for name in facts.subjects(names.PACKAGE_BUILD):
        framework = framework_of(name)
        build = facts.fact(names.PACKAGE_BUILD(name))
        if framework is None or not isinstance(build, Known | Unknown):
            continue
        version = facts.known(names.PACKAGE_VERSION(name)) or ""
        known = build.value if isinstance(build, Known) else None
        found.append(Package(name, framework, version, known))
    return tuple(found)


def unknown_build(facts: Facts, package: Package) -> Missing:
    """What to raise where the build of `package` would decide."""
    key = names.PACKAGE_BUILD(package.name)
    fact = facts.fact(key)
    return Missing(key.name, fact.reason if isinstance(fact, Unknown) else "", key.how)
