"""From pasted text to the same facts that a live machine gives, each with its line.

One file a format; a reader yields what it recognises and keeps silent about the rest. The order
of the readers is the order of trust: what a tool printed about the machine comes before what a
program's log lets one conclude, and that before what somebody typed into a form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Fact, Facts, Unknown, Value
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .statement import Reader

#: Why a fact is unknown that the text does not state.
SILENCE = "not in the text"


def _readers() -> tuple[Reader, ...]:
    """All readers, the most trusted first."""
    from . import host, likeness, noise, own, signs, topics
    from .failures import first_use, frames, gradients, peer_copies, privileges
    from .frameworks import (
        available,
        collect_env,
        collect_env_json,
        counted,
        detectron2,
        devices,
        julia,
        printed,
        providers,
        reports,
    )
    from .installed import conda, images, os_packages, pip, toolkit
    from .runs import inside_apptainer, stated
    from .tools import driver_files, kernel_log, tegra, windows_driver

    seen = (printed, counted, providers, available, devices)
    reporters = (collect_env, collect_env_json, detectron2, julia, reports, *seen)
    installed = (toolkit, os_packages)
    logs = (stated, frames, kernel_log, *_of_runs())
    messages = (*logs, *_of_programs(), privileges, signs, peer_copies, gradients, first_use, noise)
    of_system = (host, tegra, driver_files, images, windows_driver)
    rest = (conda, pip, *of_system, *_of_people())
    last = (inside_apptainer, topics, likeness)
    return (own, *_of_tools(), *reporters, *installed, *messages, *rest, *last)


def _of_tools() -> tuple[Reader, ...]:
    """The readers of what tools print of the GPUs, the driver and the bus."""
    from .tools import (
        adapters,
        folding,
        gpustat,
        kernel_module,
        nodes,
        nvidia_smi,
        nvidia_smi_dmon,
        nvidia_smi_loose,
        nvidia_smi_processes,
        nvidia_smi_query,
        nvidia_smi_xml,
        nvitop,
        nvml_bindings,
        pci,
        task_manager,
        windows_devices,
    )

    smi = (nvidia_smi, nvidia_smi_processes, nvidia_smi_query, nvidia_smi_xml, nvidia_smi_dmon)
    windows = (windows_devices, task_manager, nvidia_smi_loose)
    return (
        *smi,
        gpustat,
        nvitop,
        nvml_bindings,
        kernel_module,
        pci,
        adapters,
        nodes,
        *windows,
        folding,
    )


def _of_programs() -> tuple[Reader, ...]:
    """The readers of what loaders, libraries and shells say of a failure."""
    from .failures import (
        called,
        errors,
        functions,
        jax_components,
        jcuda,
        last_of_nccl,
        linker,
        listings,
        loader,
        loader_windows,
        mapped,
        memory_holder,
        orphaned,
        stopped,
        torch_range,
        unlisted,
    )
    from .runs import cargo

    libraries = (mapped, loader, functions, jcuda, loader_windows, linker, listings, unlisted)
    ends = (jax_components, last_of_nccl, torch_range, stopped, orphaned, memory_holder)
    return (*libraries, cargo, called, errors, *ends)


def _of_runs() -> tuple[Reader, ...]:
    """The readers of what programs did, with which settings, and what they had no room for."""
    from .runs import (
        allocatable,
        blender,
        boosting,
        compared,
        container,
        device_in_use,
        encoders_at_work,
        environment,
        gromacs,
        hash_rates,
        labels,
        lammps,
        last_failure,
        lc0,
        left_on_cpu,
        llama_layers,
        memory,
        numbered,
        programs_at_work,
        progress,
        seen_at_work,
        set_too_late,
        slurm_steps,
        tests_at_work,
        vocabulary,
        work_done,
    )
    from .tools import metrics

    at_work = (work_done, programs_at_work, progress, seen_at_work, hash_rates, blender)
    of_kind = (tests_at_work, encoders_at_work, compared)
    of_programs = (gromacs, lammps, lc0, boosting)
    runs = (metrics, *at_work, *of_kind, device_in_use, last_failure, *of_programs)
    placed = (left_on_cpu, llama_layers)
    return (
        *runs,
        *placed,
        labels,
        vocabulary,
        container,
        environment,
        numbered,
        set_too_late,
        slurm_steps,
        memory,
        allocatable,
    )


def _of_people() -> tuple[Reader, ...]:
    """The readers of what somebody wrote, which are trusted least."""
    from .people import (
        boxes,
        closed,
        cpu_builds,
        file_name,
        form,
        ineffective,
        jax_memory,
        lacking,
        laptops,
        lost_meanwhile,
        named_releases,
        other_cards,
        other_release,
        power_limits,
        prose,
        python_floors,
        summary,
        told,
        torch_builds,
        turns,
        twins,
        updated_driver,
        watts,
        works_on,
    )

    cards = (laptops, other_cards, power_limits, watts, works_on)
    spoken = (boxes, cpu_builds, ineffective, jax_memory, lacking, *cards, other_release)
    of_report = (twins, turns, closed, file_name)
    builds = (named_releases, lost_meanwhile, torch_builds, python_floors)
    return (form, summary, *spoken, updated_driver, prose, told, *builds, *of_report)


def read(pasted: str) -> Facts:
    """The facts that `pasted` states. Never fails: text that says nothing gives no facts."""
    return read_with_lines(pasted)[0]


def read_with_lines(pasted: str) -> tuple[Facts, Text]:
    """The same facts, and the text whose lines they name as their sources."""
    from . import asides, in_passing, listed, mentioned, own, rehearsed
    from .runs import tests_at_work

    stated, rest = own.take_out(pasted)
    whole = text = Text(rest)
    listing = listed.lines_listed(text)  # by commands that name what they look for themselves
    left = rehearsed.lines_rehearsed(text) | mentioned.lines_mentioned(text)
    text = text.without(left - tests_at_work.lines_of_devices(text))
    text = text.shortened(in_passing.sentences_left(text))
    facts = _read(text, stated)
    aside = asides.lines_aside(text) | listing
    if aside:
        # What the text says of its matter, too, is not to be taken for an aside. Of a text that is
        # not read whole once it is not asked a second time.
        rest_of_it = {} if text.lacks_middle else _read(text.without(aside), stated)
        asides.join(facts, rest_of_it, aside)
    return Facts(facts, silence=SILENCE), whole


def _read(text: Text, stated: Mapping[str, Fact[Value]]) -> dict[str, Fact[Value]]:
    """What all readers find, beside what gpuprobe itself stated."""
    from . import merge
    from .frameworks import printed, reports
    from .installed import projects
    from .people import form, prose, summary

    # What gpuprobe could not look at, the rest of the text may tell.
    open_still = {name: fact for name, fact in stated.items() if isinstance(fact, Unknown)}
    facts = {name: fact for name, fact in stated.items() if name not in open_still}
    installed = projects.listed(facts)
    for reader in _readers():
        statements = tuple(reader.read(text))
        merge.add(facts, statements)
        if reader not in (form, printed, prose, reports, summary):
            installed |= projects.listed(key.name for key, _ in statements)
    projects.take_back(facts, installed)
    return {**open_still, **facts}
