"""Why an installer finds no file of a package: this Python, or this platform, has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...fixes.ground import ground_of
from ...fixes.jax import by_extra
from ...fixes.python import (
    index_of_pytorch,
    index_or_environment,
    newer_pip,
    other_environment,
    python_of_64_bits,
)
from ...model import Confidence, Draft, Fix
from ..libraries.system_libraries import PLATFORM, newer_system
from ..place import place_of
from ..sentences import something_fails
from ..statements import statements, value, value_words
from .jax_extras import without_extra
from .python_spans import pythons_of
from .python_told import offered_later
from .pythons import taken_instead
from .tensorflow_gpu import name_removed
from .wheel_platforms import built_elsewhere

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys

_REQUIREMENT = regex(r"([A-Za-z][\w.-]*?)(?:\[[\w,-]*\])?(?:[=<>!~ ]=?=?\s*([\w.+]+).*)?\Z")
_WHEEL_PYTHON = regex(r"-(?:cp|py)(\d)(\d*)-")
_GPU_STACK = regex(
    r"torch|tensorflow|tf-nightly|jax|cupy|onnxruntime|paddlepaddle|mxnet|cudf|cuml|rmm|vllm"
    r"|xformers|flash|tensorrt|nvidia|numba|triton|bitsandbytes|ctranslate2"
    r"|faiss-gpu"
)
#: What a text may be about that is built for 64 bits alone.
_FRAMEWORKS = ("torch", "tensorflow", "jax", "cupy", "onnxruntime", "paddle")
#: What tells by its name that it is for GPUs, of no stack that is known.
_OF_GPUS = regex(r"[a-z][\w.-]*[-_]gpu(?![a-z])")


def python_fault(facts: Facts) -> Draft | None:
    """The first sign that a Python has no build; None: there is none."""
    steps = (
        _wheel_refused,
        _name_removed,
        without_extra,
        _no_distribution,
        _by_uv,
        _not_installed,
        _stub,
        _of_apt,
        _other_python,
        _no_triton,
        _setup_refuses,
        _of_conda,
        _older_system,
        _too_narrow,
        offered_later,
    )
    return next((found for step in steps if (found := step(facts)) is not None), None)


def refused_for_python(facts: Facts) -> tuple[str, ...]:
    """The package of which pip did not take a file, as it is for another Python than this."""
    wheel = value(facts, "pip-wheel-not-supported")
    python, tag = facts.known(names.PYTHON_VERSION), _WHEEL_PYTHON.search(wheel)
    if python is None or tag is None or not tag[2]:
        return ()
    same = (python.major, python.minor) == (int(tag[1]), int(tag[2]))
    return () if same else (wheel.partition("-")[0].lower().replace("_", "-"),)


def _wheel_refused(facts: Facts) -> Draft | None:
    wheel = value(facts, "pip-wheel-not-supported")
    if not wheel:
        return None
    python, tag = facts.known(names.PYTHON_VERSION), _WHEEL_PYTHON.search(wheel)
    keys = (said.SIGN("pip-wheel-not-supported"), names.PYTHON_VERSION)
    file = wheel.rpartition("/")[2]
    package = file.partition("-")[0].replace("_", "-")
    local = wheel if "/" in wheel else f"./{wheel}"
    if python is None or tag is None or not tag[2]:
        title = f"{file} is for another Python or platform"
        return Draft(title, keys, other_environment(None, package), Confidence.LIKELY)
    wanted = Version.of(int(tag[1]), int(tag[2]))
    if (python.major, python.minor) == (wanted.major, wanted.minor):
        title = f"{file} is for another platform than this"
        return Draft(title, keys, other_environment(None, package), Confidence.LIKELY)
    title = f"{file} is for Python {wanted}, this is {python}"
    return Draft(title, keys, other_environment(wanted, package, file=local), Confidence.CERTAIN)


def _no_distribution(facts: Facts) -> Draft | None:
    made = statements(facts, "pip-no-distribution", "uv-no-wheel")
    match = _REQUIREMENT.match(facts.known(made[0]) or "") if made else None
    if match is None:
        return None
    name = match[1].lower().rstrip(".")  # that of a sentence
    if not _GPU_STACK.match(name.replace("_", "-")):
        return _of_no_stack(facts, name, made[0])
    version = match[2] or facts.known(names.PACKAGE_VERSION(name))  # as the reporter stated it
    python = facts.known(names.PYTHON_VERSION)
    asked = _Asked(name, version, made[0])
    if elsewhere := built_elsewhere(facts, name, version):
        keys = (made[0], *elsewhere.keys)
        return elsewhere._replace(keys=keys, confidence=Confidence.LIKELY)
    span = None if python is None else pythons_of(facts, name, version, python)
    if python is None or span is None:
        return _nothing_offered(facts, asked, python)
    first, last = span
    minor = Version.of(python.major, python.minor)
    if not first <= minor <= last:
        of_index = value(facts, "pip-index-of-torch") if name == "torch" and not version else ""
        who = f"{asked} of the index {of_index}" if of_index else str(asked)
        title = f"{who} has builds for Python {first} to {last}, this is {python}"
        fix = other_environment(last, name, _with_tag(facts, name, version))
        return Draft(title, (made[0], names.PYTHON_VERSION), fix, Confidence.CERTAIN)
    if narrow := statements(facts, "python-of-32-bits"):
        title = f"{asked} has builds for a Python of 64 bits only, this one has 32"
        keys = (made[0], names.PYTHON_VERSION, *narrow)
        return Draft(title, keys, python_of_64_bits(minor), Confidence.CERTAIN)
    # Another reason: no such version, another index; or the text is older than the build.
    found_none = statements(facts, "pip-no-versions") if version is None else ()
    found_none = found_none or _placeholders(facts, version)
    keys = (made[0], *found_none, names.PYTHON_VERSION)
    return _none_at_its_time(name, python, keys) if found_none else None


def _placeholders(facts: Facts, version: str | None) -> tuple[Key[str], ...]:
    """Of torch pip found nothing but what PyPI has for nobody, where its builds would be."""
    stubs, looked = (statements(facts, each) for each in ("pip-offers-stubs", "pip-asked-torch"))
    local = version is not None and "+" in version
    elsewhere = local or place_of(facts).system == "Windows"  # of old releases PyPI has none for it
    return (*stubs, *looked) if stubs and (looked or not elsewhere) else ()


def _of_no_stack(facts: Facts, name: str, key: Key[str]) -> Draft | None:
    """Pip finds no file at all of what is for GPUs by its name: mostly there is none for Python."""
    none, python = statements(facts, "pip-no-versions"), facts.known(names.PYTHON_VERSION)
    # Whatever release there were for this Python, pip would take it where it was asked for none.
    bare = (facts.known(key) or "").lower() == name
    if not (none or bare) or python is None or not _OF_GPUS.match(name):
        return None
    title = f"pip found no build of {name} for Python {python} on this platform"
    keys = (key, *none, names.PYTHON_VERSION)
    return Draft(title, keys, other_environment(None, name), Confidence.POSSIBLE)


def _by_uv(facts: Facts) -> Draft | None:
    """UV tells below what it did not find that there are files for other Pythons."""
    made = statements(facts, "uv-other-python")
    python, *package = value_words(facts, "uv-other-python") or [""]
    if not made or (package and not _GPU_STACK.match(package[0].lower())):
        return None
    who = package[0] if package else "a package"
    title = f"uv finds no wheel of {who} for Python {python}, only for others"
    fix = other_environment(None, *package)
    return Draft(title, made, fix, Confidence.LIKELY)


class _Asked(NamedTuple):
    """The package that an installer was to find, its version, and where that is told."""

    name: str
    version: str | None
    key: Key[str]

    def __str__(self) -> str:
        return f"{self.name} {self.version}" if self.version else self.name


def _nothing_offered(facts: Facts, asked: _Asked, python: Version | None) -> Draft | None:
    """Which Pythons have builds is not known, or which Python this is."""
    name, version, key = asked
    indexed = statements(facts, "pip-index-with-tags", "pip-no-versions", "pip-offers-stubs")
    by_pip = key == said.SIGN("pip-no-distribution")
    keys: Keys = (key, names.PYTHON_VERSION)
    if version is not None and "+" in version and by_pip and not indexed:
        if not _older_than_all(facts, version):
            return None  # a local tag is on the framework's own index only, whatever the Python is
        keys = (*keys, *statements(facts, "pip-offers-from"))
    if name == "torch" and (strange := _unknown_index(facts, version)):
        return strange._replace(keys=(*strange.keys, *keys))
    here = "this Python" if python is None else f"Python {python}"
    title = f"There is no build of {asked} for {here} on this platform"
    fix = other_environment(None, name, version)
    if name == "jaxlib" and version is not None and "+cuda" in version:
        title = f"pip finds no jaxlib {version} for {here}: JAX's own page alone has such releases"
        fix = by_extra(ground_of(facts))
    elif name in ("torch", "tensorflow", "tensorflow-gpu") and version is not None:
        span = pythons_of(facts, name, version, python or Version.of(3))
        if span is not None:
            title = f"pip finds no {asked} for {here}: there are builds for Python {span[0]} to "
            title += f"{span[1]}" + _where(version)
            fix = index_or_environment(span[1], name, _with_tag(facts, name, version) or version)
    return Draft(title, keys, fix, Confidence.LIKELY)


def _with_tag(facts: Facts, name: str, version: str | None) -> str | None:
    """The release of torch as the index has it at which pip was to look."""
    variant = value(facts, "pip-index-of-torch")
    if name != "torch" or not version or "+" in version or not variant:
        return version
    return f"{version}+{variant}"


def _where(version: str) -> str:
    return ", on PyTorch's own index" if "+cu" in version else ""


def _unknown_index(facts: Facts, version: str | None) -> Draft | None:
    """PyTorch was asked for a CUDA that none of its releases was built for."""
    from ....knowledge import pytorch

    variant = value(facts, "pip-index-of-torch")
    known = {each.variant for row in pytorch.releases() for each in pytorch.builds(row.torch)}
    if not variant or variant in known:
        return None
    row = None if version is None else pytorch.release(version)
    there = [] if row is None else [each.variant for each in pytorch.builds(row.torch)]
    nearest = sorted(
        (each for each in there if each[2:].isdigit()), key=lambda each: -int(each[2:])
    )
    fix = index_of_pytorch("torch", version, nearest)
    title = f"PyTorch has no index {variant}: pip finds no torch there"
    keys = statements(facts, "pip-index-of-torch")
    return Draft(title, keys, fix, Confidence.LIKELY)


def _not_installed(facts: Facts) -> Draft | None:
    """The release that a program was to install, where it does not say why pip could not."""
    made = statements(facts, "pip-command-failed")
    python = facts.known(names.PYTHON_VERSION)
    if not made or python is None:
        return None
    name, version = (facts.known(made[0]) or "").split()
    span = pythons_of(facts, name, version, python)
    if span is None or span[0] <= Version.of(python.major, python.minor) <= span[1]:
        return None
    title = f"{name} {version} has builds for Python {span[0]} to {span[1]}, this is {python}"
    keys = (*made, names.PYTHON_VERSION)
    fix = other_environment(span[1], name, version)
    return Draft(title, keys, fix, Confidence.CERTAIN)


def _stub(facts: Facts) -> Draft | None:
    """What NVIDIA has on PyPI looks at NVIDIA's own index for the wheel of this Python."""
    made = statements(facts, "nvidia-stub-without-wheel")
    if not made:
        return None
    python = facts.known(names.PYTHON_VERSION)
    here = "this Python" if python is None else f"Python {python}"
    name, version, *looked_at = value_words(facts, "nvidia-stub-without-wheel")
    own = None if python is None else f"{python.major}{python.minor}"
    if looked_at and own in (None, *looked_at):
        return None  # that it looked at a wheel is all that is known
    title = f"NVIDIA has no wheel of {name} {version} for {here} on this platform"
    keys = (*made, names.PYTHON_VERSION)
    fix = other_environment(None, name)
    return Draft(title, keys, fix, Confidence.LIKELY)


def _of_apt(facts: Facts) -> Draft | None:
    """A package of Debian's kind is for the Python of another release of the system."""
    made = statements(facts, "apt-other-python")
    name, *rest = (facts.known(made[0]) or "").split() if made else [""]
    if not name or not any(each in name for each in ("nvinfer", "torch", "cuda")):
        return None
    title = f"{name} asks for a Python {' '.join(rest[:-1])}, this system has {rest[-1]}"
    return Draft(title, made, other_environment(None), Confidence.LIKELY)


def _older_than_all(facts: Facts, version: str) -> bool:
    """Whether all that pip could take is newer: this Python came after the release."""
    asked = Version.parse(version.partition("+")[0])
    oldest = Version.parse(value(facts, "pip-offers-from").rstrip("."))
    return asked is not None and oldest is not None and asked < oldest


def _of_conda(facts: Facts) -> Draft | None:
    """The environment's Python is none that conda's builds of a package are for."""
    made = statements(facts, "conda-other-python")
    package = facts.known(made[0]) if made else None
    if package is None or not _GPU_STACK.match(package.removeprefix("py")):
        return None
    keys = (*made, names.PYTHON_VERSION)
    title = f"conda has no {package} for the Python of this environment"
    fix = Fix.by_user(
        "Make an environment in which conda chooses the Python together with the package.",
        (f"conda search {package}", f"conda create --name gpu {package}"),
        undo="remove the environment",
    )
    return Draft(title, keys, fix, Confidence.LIKELY)


def _setup_refuses(facts: Facts) -> Draft | None:
    """What Numba's setup says, where there is no wheel of it."""
    made = statements(facts, "setup-refuses-python")
    if not made:
        return None
    title = f"A package does not take this Python: {facts.known(made[0])}"
    return Draft(title, made, other_environment(None), Confidence.LIKELY)


def _none_at_its_time(name: str, python: Version, keys: Keys) -> Draft:
    title = f"pip found no build of {name} for Python {python} on this platform"
    return Draft(title, keys, newer_pip(name, python), Confidence.POSSIBLE)


def _too_narrow(facts: Facts) -> Draft | None:
    """Somebody finds no build for GPUs, and the Python is of 32 bits, for which there is none."""
    narrow, key = statements(facts, "python-of-32-bits"), names.PYTHON_VERSION
    about = any(facts.known(said.ABOUT(each)) for each in _FRAMEWORKS)
    python = facts.known(key)
    if not narrow or not about or python is None or something_fails(facts):
        return None
    title = "The builds for GPUs are for a Python of 64 bits only, this one has 32"
    fix = python_of_64_bits(Version.of(python.major, python.minor))
    return Draft(title, (*narrow, key), fix, Confidence.LIKELY)


def _other_python(facts: Facts) -> Draft | None:
    wanted = value(facts, "pip-requires-python")
    ignored = statements(facts, "pip-ignored-for-python", "pip-no-versions")
    refused = " not in " in wanted
    if not refused and len(ignored) < 2:  # noqa: PLR2004  all of them were
        return None
    keys = (said.SIGN("pip-requires-python"), *ignored, names.PYTHON_VERSION)
    told = wanted if refused else value(facts, "pip-ignored-for-python")
    title = f"A package does not take this Python: {told}"
    fix = other_environment(taken_instead(told, facts.known(names.PYTHON_VERSION)))
    return Draft(title, keys, fix, Confidence.LIKELY)


def _name_removed(facts: Facts) -> Draft | None:
    """TensorFlow's package for GPUs is gone: the plain one has served both since 2.1."""
    removed, keys = name_removed(facts, _asked_of_pip(facts))
    if not keys:
        return None
    from ...fixes.framework import tensorflow_by_its_name

    title = f"pip offers no {removed} any more"
    return Draft(title, keys, tensorflow_by_its_name(facts), Confidence.LIKELY)


def _asked_of_pip(facts: Facts) -> str:
    made = statements(facts, "pip-no-distribution")
    return (facts.known(made[0]) or "") if made else ""


def _no_triton(facts: Facts) -> Draft | None:
    """The Triton that torch.compile calls is released for Linux."""
    keys = statements(facts, "torch-triton-missing")
    if not keys or place_of(facts).system != "Windows":
        return None
    fix = Fix.by_user(
        "Install a Triton that was built for Windows, of the release that this torch takes; or run "
        "without torch.compile, or inside WSL.",
        ("pip install triton-windows",),
        undo="pip uninstall triton-windows",
    )
    title = "torch.compile finds no Triton: PyTorch brings none for Windows"
    return Draft(title, (*keys, names.OS_SYSTEM), fix, Confidence.LIKELY)


def _older_system(facts: Facts) -> Draft | None:
    """The build is for a newer Linux than this."""
    found = newer_system(facts)
    if found is None or found.cause != PLATFORM:
        return None
    fix = Fix.by_user(
        f"Take a release of {found.package} that was built for a system as old as this, or run it "
        "on a newer one: in a container, or after an upgrade of the system.",
        ("ldd --version",),
    )
    return Draft(found.title, found.keys, fix, Confidence.LIKELY)
