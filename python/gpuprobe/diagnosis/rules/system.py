"""Services and libraries beside the driver: Fabric Manager, forward compatibility."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...facts import names, said
from ..fixes.device import (
    leave_fabric_manager,
    match_fabric_manager,
    start_fabric_manager,
    start_fabric_manager_of_operator,
)
from ..fixes.search_order import without_compat, without_compat_or_restart
from ..model import Confidence, Finding, Findings, Fix, Link, Severity, cite, rule
from ..questions.applicable import not_without_gpu
from ..questions.driver.versions import (
    compat_between,
    compat_tried,
    cuda_of_host,
    is_refused_compat,
    later_inside,
    library_of_newer_driver,
    mismatch,
    newer_cuda_than_own,
)
from ..questions.place import Place, place_of
from ..questions.sentences import something_fails
from ..questions.source import looked_at
from ..questions.statements import errors, seen_anyway, statements, value
from ..questions.symptoms import sees_none
from ..questions.visible.values import hiding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts, Key, Keys
    from ...facts.version import Version


@rule("GP208", "fabric-manager", cause="fabric-manager", link=Link.USER_DRIVER, since="0.1")
def fabric_manager(facts: Facts) -> Findings:
    """GPUs behind NVSwitch wait for the Fabric Manager, which does not serve them."""
    place = place_of(facts)
    if looked_at(facts):
        yield from _on_machine(facts, place)
        return
    driver = facts.known(names.DRIVER_VERSION) or facts.known(names.MODULE_VERSION)
    driver = driver or facts.known(names.LIBCUDA_VERSION)
    differing = tuple(_versions(facts))
    if differing:
        title = "The Fabric Manager is of another version than the driver"
        keys = (*differing, *errors(facts, "CUDA_ERROR_SYSTEM_NOT_READY"))
        yield Finding(title, cite(facts, *keys), match_fabric_manager(place, driver))
        return
    waiting = errors(facts, "CUDA_ERROR_SYSTEM_NOT_READY")
    troubled = (*statements(facts, "fabric-not-ready", "nvswitch-problem"), *_stopped(facts))
    if waiting or (troubled and _may_have_switch(facts)):
        yield Finding(
            "The GPUs wait for the Fabric Manager of their NVSwitch system",
            cite(facts, *waiting, *troubled, names.FABRIC_STATE, names.FABRIC_VERSION),
            _started(facts, place, driver),
            confidence=Confidence.CERTAIN if waiting and troubled else Confidence.LIKELY,
        )
    elif alone := statements(facts, "fabric-without-switch"):
        yield Finding(
            "The Fabric Manager finds no NVSwitch and ends: these GPUs do without it",
            cite(facts, *alone, names.GPU_NAME("0")),
            leave_fabric_manager(),
            severity=Severity.NOTE,
        )


def _started(facts: Facts, place: Place, driver: Version | None) -> Fix:
    """Where the driver runs, which in a cluster may be a container of the GPU operator."""
    in_cluster = place.container == "kubernetes" or statements(facts, "gpu-operator")
    if in_cluster or statements(facts, "k8s-cuda-validation-fails"):
        return start_fabric_manager_of_operator()
    return start_fabric_manager(place, driver)


#: What systemctl and `nvidia-smi -q` call a Fabric Manager that serves nobody.
_IDLE = "inactive", "failed", "not started", "in progress"
#: The last is a GPU's own word, which has none where there is no NVSwitch.
_OF_GPU = "in progress"


def _stopped(facts: Facts) -> Keys:
    """The service's state, where GPUs that may need it are named, and none is seen.

    Only where nothing else is told to fail: systems that do without it have it idle as well.
    """
    state = (facts.known(names.FABRIC_STATE) or "").lower()
    fails = statements(facts, "k8s-cuda-validation-fails")
    if fails and state == _OF_GPU and _may_have_switch(facts):
        return (names.FABRIC_STATE, *fails)
    unseen = sees_none(facts) if facts.subjects(names.GPU_NAME) else ()
    unseen = () if hiding(facts) or not _may_have_switch(facts) else unseen
    if not unseen or not state.startswith(_IDLE) or something_fails(facts):
        return ()
    return (names.FABRIC_STATE, *unseen)


_NOT_READY = 802


def _on_machine(facts: Facts, place: Place) -> Findings:
    """By the code that cuInit gives while it waits; the service itself is evidence only."""
    not_without_gpu(facts)
    if facts.known(names.CUDA_CODE) != _NOT_READY:
        return
    switches, state = facts.known(names.PCI_NVSWITCH_COUNT), facts.known(names.FABRIC_STATE)
    own, driver = facts.known(names.FABRIC_VERSION), facts.known(names.DRIVER_VERSION)
    title = "The GPUs wait for the Fabric Manager of their NVSwitch system"
    differs = own is not None and driver is not None and own != driver
    if differs:
        title = f"The Fabric Manager is {own}, the driver {driver}: they have to be equal"
    elif state == "not running":
        title += ", which does not run"
    states = facts.keys_of(names.GPU_FABRIC_STATE)
    keys = (names.CUDA_CODE, names.PCI_NVSWITCH_COUNT, names.FABRIC_STATE, names.FABRIC_VERSION)
    yield Finding(
        title,
        cite(facts, *keys, names.DRIVER_VERSION, *states),
        (match_fabric_manager if differs else start_fabric_manager)(place, driver),
        confidence=Confidence.CERTAIN if switches else Confidence.LIKELY,
    )


#: The kinds of GPU that are built onto boards with NVSwitch.
_SWITCHED = r"\b(?:V100|[AH]\d00|H20|B[123]00|GB\d00)\b"


def _may_have_switch(facts: Facts) -> bool:
    """Unless Fabric Manager itself found none, or all GPUs that are named are of other kinds."""
    if statements(facts, "fabric-without-switch"):
        return False
    gpus = [facts.known(names.GPU_NAME(gpu)) or "" for gpu in facts.subjects(names.GPU_NAME)]
    return not gpus or any(re.search(_SWITCHED, name) and "PCI" not in name for name in gpus)


def _versions(facts: Facts) -> Iterator[Key[object]]:
    """Fabric Manager and driver have to be equal to the last number."""
    yield from statements(facts, "fabric-version-mismatch")
    own = facts.known(names.FABRIC_VERSION)
    if seen_anyway(facts) or not _may_have_switch(facts):
        return  # the package may lie there and serve nobody
    for key in (names.DRIVER_VERSION, names.MODULE_VERSION):
        driver = facts.known(key)
        if own is not None and driver is not None and not _agree(own, driver):
            yield from (names.FABRIC_VERSION, key)
            return


def _agree(one: Version, other: Version) -> bool:
    """As far as both are told: "535" is all that many say of a driver."""
    return all(a == b for a, b in zip(one.parts, other.parts, strict=False))


@rule("GP209", "forward-compat", cause="forward-compat", link=Link.USER_DRIVER, since="0.1")
def forward_compat(facts: Facts) -> Findings:
    """A library of forward compatibility is used where the GPU or the driver does not allow it."""
    if looked_at(facts):
        if facts.known(names.CUDA_CODE) == _NOT_ON_THIS_GPU:
            yield _not_on_this_gpu(facts)
        return
    refused: Keys = errors(facts, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE")
    between = compat_between(facts)
    newer = newer_cuda_than_own(facts) if refused or between else ()
    newer = newer or library_of_newer_driver(facts)
    confidence = Confidence.CERTAIN
    if not refused and not mismatch(facts) and not compat_tried(facts):
        refused = errors(facts, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH") if between else ()
        refused = refused or later_inside(facts)
        confidence = Confidence.LIKELY
    if not refused and newer and not value(facts, "container-banner-compatibility"):
        refused = _unseen(facts)
    if refused:
        path = next((facts.known(key) for key in between if key in _PATHS), None)
        title = "A library of forward compatibility (cuda-compat) is used, and refused here"
        fix = without_compat(place_of(facts), str(path) if path else None, cuda_of_host(facts))
        if not (between or newer):  # the code alone is that of a driver not restarted, too
            title = "CUDA refuses its library as one of forward compatibility (error 804)"
            fix, confidence = without_compat_or_restart(place_of(facts)), Confidence.LIKELY
        yield Finding(title, cite(facts, *refused, *between, *newer), fix, confidence=confidence)
    elif compat_tried(facts) and (tried := statements(facts, "container-compat-trial-failed")):
        yield Finding(
            "The image's own libraries of forward compatibility fail here: it runs without them",
            cite(facts, *tried, *compat_tried(facts), names.DRIVER_VERSION),
            without_compat(place_of(facts), None),
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
        )


def _unseen(facts: Facts) -> Keys:
    """Who finds no GPU, unless the GPUs that are named take such a library."""
    refuses = is_refused_compat(facts)
    if facts.subjects(names.GPU_NAME) and not refuses:
        return ()
    unseen = (*sees_none(facts), *statements(facts, "program-finds-no-gpu"))
    told = unseen or not refuses or something_fails(facts)
    return unseen if told else statements(facts, "gpu-not-usable")


_PATHS = (said.LIBRARY_LOADED("cuda"), names.LIBCUDA_PATH)
_NOT_ON_THIS_GPU = 804


def _not_on_this_gpu(facts: Facts) -> Finding:
    """By the code that cuInit gives on cards that are not for data centres."""
    path = facts.known(names.LIBCUDA_PATH)
    what = "A forward-compatibility library"
    if path is not None:
        what = f"The forward-compatibility library {path}"
    gpus = facts.keys_of(names.GPU_NAME)
    keys = (names.CUDA_CODE, names.LIBCUDA_PATH, names.MODULE_VERSION, *gpus)
    return Finding(
        f"{what} is used, which this GPU does not support",
        cite(facts, *keys),
        without_compat(place_of(facts), path, cuda_of_host(facts)),
    )
