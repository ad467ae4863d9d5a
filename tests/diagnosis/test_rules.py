"""What the pages of the findings cannot show: several faults at once, wording, evidence, fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.diagnosis.catalogue import find, rules
from gpuprobe.diagnosis.causes import CAUSES
from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.diagnosis.model import Confidence, Outcome, Role, Safety
from gpuprobe.diagnosis.questions.codes.readings import CUDA, NVML
from gpuprobe.facts.model import Facts
from gpuprobe.knowledge.errors import by_code
from support.examples import PAGES, blocks, machine, machines, read

if TYPE_CHECKING:
    from gpuprobe.diagnosis.model import Diagnosis, Finding

CPU_TORCH = ("package.torch.version = 2.4.1+cpu", "package.torch.build = cpu")
REFUSED = ("cuda.init.outcome = failed", "cuda.device_count is unknown: cuInit failed")
SYSTEMS = (
    "Ubuntu 22.04.5 LTS",
    "Debian GNU/Linux 12 (bookworm)",
    "Fedora Linux 40 (Workstation Edition)",
    "Rocky Linux 9.4 (Blue Onyx)",
    "Arch Linux",
    "openSUSE Leap 15.6",
    "Gentoo Linux",
)


def judge(name: str, *lines: str) -> Diagnosis:
    return diagnose(machine(name, *lines), rules())


def roles(diagnosis: Diagnosis) -> dict[str, Role]:
    return {each.rule.code: each.role for each in diagnosis.placed}


def root(diagnosis: Diagnosis) -> Finding:
    assert diagnosis.root is not None
    return diagnosis.root.finding


# -- the catalogue ----------------------------------------------------------------------------


def test_codes_and_names_are_given_once():
    assert len({rule.code for rule in rules()}) == len({rule.name for rule in rules()})
    assert len({rule.code for rule in rules()}) == len(rules())


def test_every_cause_is_of_the_list():
    causes = {rule.cause for rule in rules()}
    causes |= {reading.cause for reading in (*CUDA.values(), *NVML.values())}
    assert causes <= set(CAUSES)


def test_code_with_a_reading_is_in_the_table_of_errors():
    unlisted = [code for code in CUDA if by_code("driver", code) is None]
    unlisted += [code for code in NVML if by_code("nvml", code) is None]
    assert unlisted == []


@pytest.mark.parametrize("handle", ["GP204", "gp204", "stub-library", "Stub-Library"])
def test_rule_is_found_by_code_and_name(handle: str):
    rule = find(handle)
    assert rule is not None
    assert rule.code == "GP204"


def test_unknown_handle_finds_no_rule():
    assert find("GP999") is None


# -- several faults at once -------------------------------------------------------------------


def test_machine_without_gpu_has_one_finding_whatever_else_is_on_it():
    diagnosis = judge(
        "no GPU",
        *CPU_TORCH,
        *REFUSED,
        "libcuda.path = /usr/local/cuda/lib64/stubs/libcuda.so",
        "libcuda.stub = true",
        "cuda.init.code = 34",
        "container.kind = docker",
        "env.CUDA_VISIBLE_DEVICES = 0",
    )
    assert roles(diagnosis) == {"GP101": Role.ROOT}


def test_hang_on_a_machine_without_gpu_is_no_fault_of_a_driver():
    diagnosis = judge("no GPU", "cuda.init.outcome = hung", "cuda.init.code is unknown: hung")
    assert roles(diagnosis) == {"GP101": Role.ROOT}


def test_missing_driver_is_the_root_and_a_cpu_build_remains_beside_it():
    assert roles(judge("no driver", *CPU_TORCH)) == {
        "GP201": Role.ROOT,
        "GP601": Role.INDEPENDENT,
    }


def test_hidden_gpu_is_the_root_and_a_driver_too_old_remains_beside_it():
    diagnosis = judge(
        "cuInit fails",
        "env.CUDA_VISIBLE_DEVICES = -1",
        "cuda.init.code = 100",
        "cuda.device_count_unmasked = 1",
        "package.torch.version = 2.9.0",
        "package.torch.build = cuda",
        "package.torch.cuda = 13.0",
    )
    assert roles(diagnosis) == {"GP302": Role.ROOT, "GP203": Role.INDEPENDENT}


def test_each_package_that_the_driver_does_not_serve_has_its_finding():
    diagnosis = judge(
        "healthy",
        "package.torch.version = 2.9.0",
        "package.torch.build = cuda",
        "package.torch.cuda = 13.0",
        "package.cupy-cuda13x.version = 13.6.0",
        "package.cupy-cuda13x.build = cuda",
        "package.cupy-cuda13x.cuda = 13",
    )
    assert {each.finding.subject for each in diagnosis.placed} == {
        "package:torch",
        "package:cupy-cuda13x",
    }
    assert {each.finding.severity.value for each in diagnosis.placed} == {"error"}


def test_mismatch_seen_by_cuda_and_nvml_is_one_finding():
    diagnosis = judge(
        "cuInit fails",
        "cuda.init.code = 803",
        "nvml.init.outcome = failed",
        "nvml.init.code = 18",
        "nvml.device_count is unknown: NVML did not start",
        "libcuda.version = 550.54.14",
    )
    assert roles(diagnosis) == {"GP202": Role.ROOT}


def test_proved_gpu_turns_a_mismatch_of_file_names_into_nothing():
    assert judge("healthy", "libcuda.version = 550.54.14").placed == ()


# -- what a finding says ----------------------------------------------------------------------


def test_mismatch_names_both_versions():
    title = root(judge("cuInit fails", "cuda.init.code = 803", "libcuda.version = 550.54.14")).title
    assert "550.54.14" in title
    assert "535.104.05" in title


def test_driver_too_old_names_both_cudas_and_the_driver_that_is_needed():
    found = root(
        judge(
            "healthy",
            "package.torch.version = 2.9.0",
            "package.torch.build = cuda",
            "package.torch.cuda = 13.0",
        )
    )
    assert all(word in found.title for word in ("12.2", "13.0", "torch 2.9.0", "535.104.05"))
    assert any("580" in each.value for each in found.evidence)
    assert "580" in found.fix.text


def test_driver_that_the_card_cannot_have_is_not_advised():
    found = root(
        judge(
            "healthy",
            "gpu.0.capability = 3.7",
            "driver.version = 470.256.02",
            "driver.cuda = 11.4",
            "package.torch.version = 2.5.1",
            "package.torch.build = cuda",
            "package.torch.cuda = 12.4",
        )
    )
    assert "470 is the last branch" in found.fix.text
    assert found.fix.safety is Safety.USER


def test_other_vendor_is_named_with_the_build_that_serves_it():
    found = root(judge("no GPU", "pci.gpu_count = 1", "pci.0.vendor = amd"))
    assert "AMD" in found.title
    assert "ROCm" in found.fix.text


def test_stub_is_taken_out_of_the_search_path_and_the_rest_is_kept():
    found = root(
        judge(
            "cuInit fails",
            "env.LD_LIBRARY_PATH = /opt/a:/usr/local/cuda/lib64/stubs:/opt/b",
            "libcuda.path = /usr/local/cuda/lib64/stubs/libcuda.so",
            "libcuda.stub = true",
            "cuda.init.code = 34",
        )
    )
    assert found.fix.commands == ("export LD_LIBRARY_PATH=/opt/a:/opt/b",)


def test_leftover_library_is_not_mended_by_a_restart():
    found = root(
        judge(
            "cuInit fails",
            "cuda.init.code = 803",
            "libcuda.path = /usr/lib/libcuda.so.375.66",
            "libcuda.version = 375.66",
        )
    )
    assert found.fix.commands == ("dpkg -S /usr/lib/libcuda.so.375.66",)


def test_container_gets_the_command_of_its_runtime():
    found = root(
        judge("no driver", "container.kind = podman", "module.nvidia.version = 535.104.05")
    )
    assert found.fix.commands == ("podman run --device nvidia.com/gpu=all IMAGE",)


def test_variables_of_an_image_alone_are_weak_evidence():
    found = root(
        judge(
            "no GPU",
            "container.kind = docker",
            "container.nvidia_traces = NVIDIA_VISIBLE_DEVICES=all",
        )
    )
    assert found.confidence is Confidence.LIKELY
    assert found.title.startswith(
        "The image expects a GPU, but this container (docker) was started"
    )


def test_gpu_on_the_bus_of_a_container_is_the_hosts():
    found = root(judge("no driver", "container.kind = docker"))
    assert found.title.startswith("The host has an NVIDIA GPU, but this container (docker) was")


def test_code_that_nobody_knows_is_told_as_such():
    found = root(judge("cuInit fails", "cuda.init.code = 4711"))
    assert "4711" in found.title
    assert found.confidence is Confidence.POSSIBLE


def test_failure_is_told_with_call_number_name_and_meaning():
    found = root(judge("cuInit fails", "cuda.init.code = 46"))
    assert found.title.startswith("cuInit fails with 46 CUDA_ERROR_DEVICE_UNAVAILABLE: ")


def test_fabric_manager_of_another_version_is_told_with_both():
    found = root(
        judge("cuInit fails", "cuda.init.code = 802", "fabric_manager.version = 550.54.15")
    )
    assert found.title == (
        "The Fabric Manager is 550.54.15, the driver 535.104.05: they have to be equal"
    )


def test_a_jetson_is_not_sent_to_builds_for_servers():
    lines = (
        *("os.machine = aarch64", "tegra.model = NVIDIA Jetson AGX Orin", "tegra.release = 36.3.0"),
        *("package.torch.version = 2.4.1", "package.torch.build = cpu"),
    )
    fix = root(judge("healthy", *lines)).fix
    assert "JetPack" in fix.text
    assert not any(command.startswith("pip install") for command in fix.commands)
    newer = root(judge("healthy", *lines, "tegra.release = 38.2.0")).fix
    assert "JetPack" not in newer.text


def test_a_virtual_machine_without_a_gpu_is_told_as_such():
    found = root(judge("no GPU", "vm.kind = kvm"))
    assert found.title == "This virtual machine (kvm) has no NVIDIA GPU"
    assert "attached" in found.fix.text


def test_a_closed_gpu_is_not_blamed_where_another_one_is_open():
    shared = "node.nvidia0 = refused\nnode.nvidia1 = usable\ncuda.init.code = 999"
    found = root(judge("cuInit fails", shared))
    assert "/dev/nvidia0" not in found.title
    alone = root(judge("cuInit fails", shared.replace("usable", "refused")))
    assert "/dev/nvidia0, /dev/nvidia1" in alone.title


@pytest.mark.parametrize(
    ("kind", "command"),
    [("docker", "docker run"), ("podman", "podman run"), ("kubernetes", "kubectl delete")],
)
def test_a_container_that_lost_its_devices_is_started_anew_by_its_own_run_time(
    kind: str, command: str
):
    lost = f"container.kind = {kind}\nnode.nvidiactl = refused\ncuda.init.code = 999"
    fix = root(judge("cuInit fails", lost)).fix
    assert fix.commands[-1].startswith(command)
    restart = f"{kind} restart CONTAINER"
    assert (fix.commands[0] == restart) is (kind != "kubernetes")


def test_a_jetson_is_given_no_driver_of_other_machines():
    board = "os.machine = aarch64\ntegra.model = NVIDIA Jetson Orin Nano"
    fix = root(judge("no driver", f"{board}\npci.nvidia_gpu_count = 0")).fix
    assert fix.commands == ("sudo apt install --reinstall nvidia-l4t-cuda",)
    old = f"{board}\npackage.torch.build = cuda\npackage.torch.cuda = 13.0"
    assert "JetPack" in root(judge("healthy", old)).fix.text


def test_windows_gets_no_linux_command():
    diagnosis = judge(
        "healthy Windows",
        "package.torch.version = 2.9.0",
        "package.torch.build = cuda",
        "package.torch.cuda = 13.0",
    )
    assert not any("sudo" in command for command in root(diagnosis).fix.commands)
    assert "Windows" in root(diagnosis).fix.text


def test_wsl_gets_its_driver_from_windows():
    diagnosis = judge(
        "healthy WSL",
        "package.torch.version = 2.9.0",
        "package.torch.build = cuda",
        "package.torch.cuda = 13.0",
    )
    assert root(diagnosis).fix.commands == ("wsl.exe --shutdown",)
    assert "On Windows" in root(diagnosis).fix.text


@pytest.mark.parametrize("system", SYSTEMS)
def test_driver_is_installed_in_the_way_of_the_distribution_and_never_purged(system: str):
    fix = root(judge("no driver", f"os.name = {system}")).fix
    assert fix.safety is Safety.REBOOT
    assert fix.undo
    assert not any(word in " ".join(fix.commands) for word in ("purge", "*", "autoremove"))


# -- every finding of every example -----------------------------------------------------------

EVERYWHERE = [
    (f"{page.stem} {title}", placed)
    for page in sorted(PAGES.glob("GP*.md"))
    for title, body in blocks(page)
    for placed in diagnose(Facts(read(body, machines()).facts), rules()).placed
]


def test_every_finding_rests_on_evidence():
    assert [where for where, placed in EVERYWHERE if not placed.finding.evidence] == []


def test_every_title_fits_a_line_or_two_and_ends_without_a_stop():
    odd = [
        placed.finding.title
        for _, placed in EVERYWHERE
        if len(placed.finding.title) > 160 or placed.finding.title.endswith(".")
    ]
    assert odd == []


def test_every_fix_is_made_of_whole_sentences_and_commands_of_one_line():
    odd = [
        placed.finding.fix
        for _, placed in EVERYWHERE
        if not placed.finding.fix.text.endswith((".", "/"))
        or any("\n" in command for command in placed.finding.fix.commands)
    ]
    assert odd == []


def test_no_rule_crashes_on_facts_that_nobody_knows():
    diagnosis = diagnose(Facts({}), rules())
    assert diagnosis.count(Outcome.CRASHED) == 0
    assert diagnosis.placed == ()
