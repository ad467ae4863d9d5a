"""Was the container given the GPU of its host, and the driver with it?"""

from __future__ import annotations

from dataclasses import replace

from ...facts import names, said
from ...facts.model import Facts, Keys, NotThere
from ..fixes.access import (
    describe_gpus_for_containers,
    give_container_compute,
    give_container_the_gpu,
    leave_gpu_out_of_build,
    name_opencl_to_loader,
)
from ..fixes.container_tools import (
    ask_tools_what_they_miss,
    give_container_the_board,
    give_service_the_gpu,
    list_libraries_inside,
    repair_package_source,
    start_with_docker_of_system,
)
from ..model import Confidence, Finding, Findings, Fix, Link, cite, rule
from ..questions.driver.device_files import control_file
from ..questions.driver.state import has_real_libcuda, in_container, on_board, works
from ..questions.gpus.presence import has_nvidia_gpu
from ..questions.statements import statements, value
from ..questions.unreached.cause import CONTAINER
from ..questions.unreached.first_cause import unreached
from ..questions.unreached.parts import part_of
from ..questions.visible.values import CAPABILITIES, OF_CONTAINER, gives_none, left_out
from .driver import found_aside

_CONTROL = names.NODE("nvidiactl")


@rule("GP301", "container-without-gpu", cause="container-no-gpu", link=Link.CONTAINER, since="0.1")
def container_without_gpu(facts: Facts) -> Findings:
    """The container was started without access to the GPU of its host."""
    told = unreached(facts)
    if told is not None:
        if told.cause == CONTAINER:
            yield told.finding(facts, _repair(facts, told.keys))
        return
    if not in_container(facts):
        raise NotThere(names.CONTAINER_KIND.name)
    if not has_nvidia_gpu(facts):
        raise NotThere(names.PCI_NVIDIA_COUNT.name)
    if works(facts):
        return
    library = has_real_libcuda(facts)
    # Under WSL a container reaches the GPU through /dev/dxg, so no NVIDIA node is expected.
    under_wsl = facts.look(names.WSL_VERSION) is not None
    nodes = not under_wsl and facts.look(control_file(facts)) is not None
    if library and (nodes or under_wsl):
        return
    if facts.known(names.LIBCUDA_STUB) and nodes:
        return  # GP204: the runtime did its part, and the image's stub hides the library
    if nodes:
        yield found_aside(facts) or _without_compute(facts)
    elif facts.known(names.MODULE_NOUVEAU) and facts.known(names.MODULE_VERSION) is None:
        yield _under_nouveau(facts)
    else:
        yield _without_access(facts)


def _repair(facts: Facts, keys: Keys) -> Fix:
    """By what the text shows: tools, a description, capabilities that lack, or no GPU asked for."""
    from ..questions.unreached.container_words import repair_of_tools

    if said.SIGN("container-ldconfig-helps") in keys:
        return list_libraries_inside()
    if (fix := repair_of_tools(facts, keys) or _repair_of_words(facts, keys)) is not None:
        return fix
    kind = facts.known(names.CONTAINER_KIND) or "docker"
    if any(said.SIGN(sign) in keys for sign in ("opencl-no-platform", "opencl-no-device")):
        return name_opencl_to_loader(kind, facts.known(names.MODULE_VERSION))
    part = part_of(keys)
    with_cuda = facts.known(CAPABILITIES) is None and names.LIBRARY_MISSING("cuda") not in keys
    if said.SIGN("smi-cuda-not-told") in keys:
        fix = give_container_compute(kind, facts.known(names.DRIVER_VERSION))
        return replace(fix, text=f"{fix.text} {_ON_HOST}")
    if CAPABILITIES in keys or part == "graphics" or (part == "video" and with_cuda):
        return give_container_compute(kind, facts.known(names.MODULE_VERSION), part)
    if kind == "docker" and statements(facts, "compose-used", "compose-alone-told"):
        return give_service_the_gpu()
    return give_container_the_gpu(kind)


_ON_HOST = (
    "Where nvidia-smi tells no CUDA on the host either, that part of the driver is to be installed "
    "there first."
)
_OF_SIGNS = {
    "docker-build-stopped": leave_gpu_out_of_build,
    "docker-build": leave_gpu_out_of_build,
    "cdi-device-unresolved": describe_gpus_for_containers,
    "cdi-description-stale": describe_gpus_for_containers,
    "os-package-not-found": repair_package_source,
    "os-package-unmet": repair_package_source,
}


def _repair_of_words(facts: Facts, keys: Keys) -> Fix | None:
    """What mends just what was said; None where the container only has to get the GPU."""
    found = (fix() for sign, fix in _OF_SIGNS.items() if said.SIGN(sign) in keys)
    if (fix := next(found, None)) is not None:
        return fix
    if names.TEGRA_MODEL in keys:
        return give_container_the_board()
    if said.SIGN("container-cli-error") not in keys:
        return None
    apart = "load library failed" in value(facts, "container-cli-error").lower()
    return start_with_docker_of_system() if apart else ask_tools_what_they_miss()


_EVIDENCE = (
    *(names.CONTAINER_KIND, names.CONTAINER_NVIDIA, names.CONTAINER_MOUNTS),
    *(names.PCI_NVIDIA_COUNT, names.MODULE_VERSION, names.LIBCUDA_PATH, _CONTROL),
)


def _without_compute(facts: Facts) -> Finding:
    """The files of the devices are there; which libraries come along is asked for apart."""
    asked, kind = facts.known(CAPABILITIES), facts.known(names.CONTAINER_KIND) or "docker"
    without = left_out(facts)
    title = "The container has the GPU's device files, but not the driver's library libcuda"
    if without:
        title += f": NVIDIA_DRIVER_CAPABILITIES={asked} leaves it out"
    return Finding(
        title,
        cite(facts, *_EVIDENCE, CAPABILITIES, names.NVML_PATH),
        give_container_compute(kind, facts.known(names.MODULE_VERSION)),
        confidence=Confidence.CERTAIN if without else Confidence.LIKELY,
    )


def _under_nouveau(facts: Facts) -> Finding:
    return Finding(
        "The host of this container has an NVIDIA GPU, but nouveau drives it",
        cite(facts, *_EVIDENCE, names.MODULE_NOUVEAU),
        Fix.by_reboot(
            "On the host, install the NVIDIA driver; then start the container with the GPUs.",
            undo="on the host, remove the driver again",
        ),
        cause="driver-missing",
    )


def _without_access(facts: Facts) -> Finding:
    kind = facts.need(names.CONTAINER_KIND)
    tegra = on_board(facts)
    sure = tegra or facts.known(names.MODULE_VERSION) is not None
    seen = sure or (facts.known(names.PCI_NVIDIA_COUNT) or 0) > 0
    where = "The host has an NVIDIA GPU" if seen else "The image expects a GPU"
    value = facts.known(OF_CONTAINER)
    how = "was started without access to it"
    if value is not None and gives_none(value):
        how = f'was told by NVIDIA_VISIBLE_DEVICES="{value}" to do without it'
    return Finding(
        f"{where}, but this container ({kind}) {how}",
        cite(facts, *_EVIDENCE, OF_CONTAINER, *((names.TEGRA_MODEL,) if tegra else ())),
        give_container_the_gpu(kind, tegra=tegra),
        confidence=Confidence.CERTAIN if sure else Confidence.LIKELY,
    )
