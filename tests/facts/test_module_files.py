"""What keeps the kernel module from running: files, DKMS, Secure Boot, the kernel's log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import names, nearby
from gpuprobe.facts.kernel import dkms, kernel_log, module, module_files, secure_boot
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from support.machines import DRIVER_535, DRIVER_580, H100
from support.trees import BASE, Link, kernel_files, pci_function

if TYPE_CHECKING:
    from gpuprobe.facts.machine import Machine

    from .conftest import Make

KERNEL = "5.15.0-105-generic"  # of BASE
MODULES = f"/lib/modules/{KERNEL}"
LOADED = kernel_files((H100,), "nvidia", DRIVER_535, nodes=True)


def found(collector: object, machine: Machine) -> Facts:
    return Facts(dict(collector.collect(machine)))  # type: ignore[attr-defined]


# -- where it is looked at all ---------------------------------------------------------------


def test_what_is_told_of_the_subjects_is_what_they_write() -> None:
    written = [key for subject in nearby.subjects() for key in subject.WRITES]
    assert sorted(written, key=str) == sorted(nearby.WRITES, key=str)


@pytest.mark.parametrize(
    "files",
    [
        pci_function("0000:01:00.0", 0x10DE, 0x2330, 0x030200, None),
        {"/dev/nvidiactl": ""},
        {"/dev/dxg": ""},
        {"/etc/nv_tegra_release": ""},
        {"/sys/devices/soc0/family": "Tegra\n"},
        {"/proc/driver/nvidia/version": ""},
    ],
)
def test_each_trace_of_a_gpu_is_near(make: Make, files: dict[str, str]) -> None:
    assert nearby.is_near(make({**BASE, **files}))


def test_images_for_cuda_are_near_a_gpu(make: Make) -> None:
    assert nearby.is_near(make(BASE, {"NVIDIA_VISIBLE_DEVICES": "all"}))


def test_a_card_of_another_maker_is_not_near(make: Make) -> None:
    files = pci_function("0000:03:00.0", 0x1002, 0x744C, 0x030000, "amdgpu")
    assert not nearby.is_near(make({**BASE, **files}))


def test_a_chip_of_another_maker_is_not_near(make: Make) -> None:
    assert not nearby.is_near(make({**BASE, "/sys/devices/soc0/family": "Snapdragon\n"}))


def test_elsewhere_everything_is_unknown_with_a_reason(make: Make) -> None:
    facts = found(nearby, make())
    assert facts.fact(names.SECURE_BOOT) == Unknown("looked for only near an NVIDIA GPU")
    assert all(isinstance(fact, Unknown) for fact in facts.values())


# -- the kernel module -----------------------------------------------------------------------


@pytest.mark.parametrize(("driver", "kind"), [(DRIVER_535, "proprietary"), (DRIVER_580, "open")])
def test_the_module_tells_its_kind(make: Make, driver, kind: str) -> None:  # type: ignore[no-untyped-def]
    facts = found(module, make(kernel_files((H100,), "nvidia", driver, nodes=True)))
    assert facts.need(names.MODULE_KIND) == kind
    assert facts.need(names.MODULE_LOADED) is True


def test_without_a_module_there_is_no_kind(make: Make) -> None:
    facts = found(module, make())
    assert isinstance(facts.fact(names.MODULE_KIND), Absent)
    assert facts.need(names.MODULE_LOADED) is False


@pytest.mark.parametrize(
    ("listed", "file"),
    [
        ("updates/dkms/nvidia.ko.zst: kernel/drivers/video.ko", "updates/dkms/nvidia.ko.zst"),
        ("kernel/nvidia-535/nvidia.ko:", "kernel/nvidia-535/nvidia.ko"),
        ("updates/dkms/nvidia-current.ko:", "updates/dkms/nvidia-current.ko"),
        ("extra/nvidia/nvidia.ko.xz:", "extra/nvidia/nvidia.ko.xz"),
    ],
)
def test_the_module_of_the_running_kernel_is_found(make: Make, listed: str, file: str) -> None:
    facts = found(module_files, make({**BASE, f"{MODULES}/modules.dep": f"kernel/a.ko:\n{listed}"}))
    assert facts.need(names.MODULE_FILE) == f"{MODULES}/{file}"


@pytest.mark.parametrize(
    "listed",
    [
        "kernel/drivers/video/fbdev/nvidia/nvidiafb.ko:",
        "kernel/drivers/net/ethernet/nvidia/forcedeth.ko:",
        "updates/dkms/nvidia-current-modeset.ko: updates/dkms/other.ko",
        "kernel/drivers/usb/typec/altmodes/typec_nvidia.ko:",
    ],
)
def test_a_module_that_only_has_the_name_in_it_is_another(make: Make, listed: str) -> None:
    facts = found(module_files, make({**BASE, f"{MODULES}/modules.dep": listed}))
    assert facts.fact(names.MODULE_FILE) == Absent(f"{MODULES}/modules.dep")


def test_a_container_has_no_list_of_modules(make: Make) -> None:
    facts = found(module_files, make())
    assert facts.fact(names.MODULE_FILE) == Unknown(f"no {MODULES}/modules.dep")
    assert facts.fact(names.KERNEL_HEADERS) == Unknown(f"no {MODULES}")


def test_the_file_of_a_module_that_runs_is_not_looked_for(make: Make) -> None:
    facts = found(module_files, make(LOADED))
    assert facts.fact(names.MODULE_FILE) == Unknown("not looked for: the module is loaded")


def test_headers_are_what_the_link_leads_to(make: Make) -> None:
    headers = f"/usr/src/linux-headers-{KERNEL}"
    files = {**BASE, f"{headers}/Makefile": "", f"{MODULES}/build": Link(headers)}
    assert found(module_files, make(files)).need(names.KERNEL_HEADERS) == headers


def test_a_link_to_headers_that_are_gone_leads_nowhere(make: Make) -> None:
    files = {**BASE, f"{MODULES}/build": Link("/usr/src/gone")}
    facts = found(module_files, make(files))
    assert facts.fact(names.KERNEL_HEADERS) == Absent(f"{MODULES}/build")


@pytest.mark.parametrize(
    "line",
    [
        "blacklist nouveau",
        "blacklist nouveau # for CUDA",
        "  install nouveau /bin/false",
        "install nouveau /usr/bin/true",
        "alias nouveau off",
    ],
)
def test_each_way_to_keep_a_module_out_is_known(make: Make, line: str) -> None:
    path = "/etc/modprobe.d/own.conf"
    facts = found(module_files, make({**BASE, path: f"# why\n{line}\n"}))
    assert facts.need(names.NOUVEAU_BLOCKED) == path
    assert isinstance(facts.fact(names.MODULE_BLOCKED), Absent)


@pytest.mark.parametrize(
    "line",
    [
        "# blacklist nouveau",
        "options nouveau modeset=0",
        "blacklist nouveau_drm",
        "install nouveau /sbin/modprobe --ignore-install nouveau",
        "blacklist",
    ],
)
def test_other_lines_about_it_keep_nothing_out(make: Make, line: str) -> None:
    facts = found(module_files, make({**BASE, "/etc/modprobe.d/own.conf": line}))
    assert isinstance(facts.fact(names.NOUVEAU_BLOCKED), Absent)


def test_a_file_hides_those_of_its_name_in_later_folders(make: Make) -> None:
    files = {
        **BASE,
        "/etc/modprobe.d/a.conf": "",
        "/usr/lib/modprobe.d/a.conf": "blacklist nvidia",
        "/usr/lib/modprobe.d/a.conf.orig": "blacklist nvidia",
    }
    assert isinstance(found(module_files, make(files)).fact(names.MODULE_BLOCKED), Absent)


def test_folders_that_keep_nothing_out_are_no_reason(make: Make) -> None:
    folders = ("/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib")
    files = {f"{folder}/modprobe.d/sound.conf": "options snd x=1\n" for folder in folders}
    facts = found(module_files, make({**BASE, **files}))
    assert isinstance(facts.fact(names.MODULE_BLOCKED), Absent)
    assert isinstance(facts.fact(names.NOUVEAU_BLOCKED), Absent)


def test_the_command_line_of_the_kernel_keeps_modules_out(make: Make) -> None:
    files = {**BASE, "/proc/cmdline": "quiet modprobe.blacklist=pcspkr,nouveau root=/dev/a\n"}
    facts = found(module_files, make(files))
    assert facts.need(names.NOUVEAU_BLOCKED) == "modprobe.blacklist=pcspkr,nouveau"
    assert isinstance(facts.fact(names.MODULE_BLOCKED), Absent)


# -- DKMS, Secure Boot -------------------------------------------------------------------------

VERSION = "/var/lib/dkms/nvidia/535.104.05"


@pytest.mark.parametrize(
    ("files", "state"),
    [
        ({f"{VERSION}/source/dkms.conf": ""}, "added"),
        ({f"{VERSION}/source": Link("/usr/src/gone")}, "broken"),
        ({f"{VERSION}/{KERNEL}/x86_64/module/nvidia.ko": ""}, f"built for {KERNEL}"),
        ({f"{VERSION}/5.4.0-1/x86_64/log/make.log": ""}, "built for 5.4.0-1"),
        (
            {
                f"{VERSION}/{KERNEL}/x86_64/module/nvidia.ko": "",
                f"/var/lib/dkms/nvidia/kernel-{KERNEL}-x86_64": Link(f"{VERSION}/{KERNEL}/x86_64"),
            },
            f"installed for {KERNEL}",
        ),
        (
            {
                f"{VERSION}/5.4.0-1/x86_64/module/nvidia.ko": "",
                "/var/lib/dkms/nvidia/kernel-5.4.0-1-x86_64": Link("535.104.05/5.4.0-1/x86_64"),
            },
            "installed for 5.4.0-1",
        ),
        (
            {
                f"{VERSION}/source": Link("/usr/src/gone"),
                f"/var/lib/dkms/nvidia/550.54.15/{KERNEL}/x86_64/module/nvidia.ko": "",
            },
            f"built for {KERNEL}",
        ),
    ],
)
def test_the_state_of_dkms_is_read_off_its_folders(
    make: Make, files: dict[str, str | Link], state: str
) -> None:
    assert found(dkms, make({**BASE, **files})).need(names.MODULE_DKMS) == state


def test_dkms_without_a_module_of_nvidia(make: Make) -> None:
    files = {**BASE, "/var/lib/dkms/zfs/2.1/source/x": "", "/var/lib/dkms/nvidia-fs/2/source/x": ""}
    assert found(dkms, make(files)).fact(names.MODULE_DKMS) == Absent("/var/lib/dkms")


EFI = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"


@pytest.mark.parametrize(("last", "enabled"), [("\1", True), ("\0", False)])
def test_secure_boot_is_the_fifth_byte(make: Make, last: str, enabled: bool) -> None:
    facts = found(secure_boot, make({**BASE, EFI: f"\6\0\0\0{last}"}))
    assert facts.fact(names.SECURE_BOOT) == Known(enabled, EFI)


@pytest.mark.parametrize("content", ["", "\1", "\6\0\0\0\1\1"])
def test_a_variable_of_another_length_is_a_reason(make: Make, content: str) -> None:
    reason = f"{EFI}: {len(content)} bytes in place of 5"
    assert found(secure_boot, make({EFI: content})).fact(names.SECURE_BOOT) == Unknown(reason)


def test_a_start_by_bios_has_no_secure_boot(make: Make) -> None:
    facts = found(secure_boot, make({"/sys/firmware/memmap/0/type": ""}))
    assert facts.fact(names.SECURE_BOOT) == Absent("/sys/firmware/efi")


def test_a_start_by_uefi_tells_only_by_its_variables(make: Make) -> None:
    unmounted = make({"/sys/firmware/efi/fw_platform_size": "64"})
    reason = Unknown("/sys/firmware/efi/efivars is not mounted")
    assert found(secure_boot, unmounted).fact(names.SECURE_BOOT) == reason
    without = make({"/sys/firmware/efi/efivars/Boot0000-x": ""})
    assert found(secure_boot, without).fact(names.SECURE_BOOT) == Absent(EFI)


def test_firmware_that_a_container_hides_tells_nothing(make: Make) -> None:
    facts = found(secure_boot, make())
    assert facts.fact(names.SECURE_BOOT) == Unknown("/sys/firmware shows nothing")


# -- the kernel's log ----------------------------------------------------------------------------

XID_79 = "NVRM: Xid (PCI:0000:65:00): 79, pid=1234, GPU has fallen off the bus."


def test_xids_are_read_with_their_last_line(make: Make) -> None:
    first = "3,2,200,-;NVRM: Xid (PCI:0000:65:00): 79, first"
    log = f"6,1,100,-;Linux version 5\n{first}\n3,3,300,-;{XID_79}\n"
    facts = found(kernel_log, make({**LOADED, "/dev/kmsg": log}))
    assert facts.need(names.KERNEL_LOG) == "/dev/kmsg"
    assert facts.fact(names.XID(79)) == Known(XID_79, "/dev/kmsg")
    assert isinstance(facts.fact(names.MODULE_LOAD_ERROR), Absent)


@pytest.mark.parametrize(
    "line",
    ["NVRM: Xid (PCI:0000:65:00): many", "Xid 79 in a shell prompt", "NVRM: Xid (PCI): 99999, x"],
)
def test_a_line_without_a_number_is_no_xid(make: Make, line: str) -> None:
    facts = found(kernel_log, make({**BASE, "/dev/kmsg": f"3,2,200,-;{line}\n"}))
    assert facts.subjects(names.XID) == ()


def test_of_a_file_only_the_last_start_counts(make: Make) -> None:
    lines = (f"May 1 host {XID_79}", "May 2 host Linux version 5.15", "May 2 host up")
    log = "\n".join(lines)
    facts = found(kernel_log, make({**BASE, "/var/log/kern.log": log}))
    assert facts.need(names.KERNEL_LOG) == "/var/log/kern.log"
    assert facts.subjects(names.XID) == ()


def test_of_a_long_log_the_newest_lines_count(make: Make) -> None:
    """The ring of a machine with hundreds of CPUs holds megabytes, and its oldest comes first."""
    old = "6,1,100,-;systemd[1]: a line of long ago that says nothing of a GPU\n" * 80_000
    facts = found(kernel_log, make({**LOADED, "/dev/kmsg": f"{old}3,9,900,-;{XID_79}\n"}))
    assert facts.fact(names.XID(79)) == Known(XID_79, "/dev/kmsg")


def test_without_a_log_nothing_is_known_of_xids(make: Make) -> None:
    facts = found(kernel_log, make())
    assert isinstance(facts.fact(names.KERNEL_LOG), Absent)
    assert facts.fact(names.MODULE_LOAD_ERROR) == Unknown("no /dev/kmsg")


DID_NOT_START = "NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x22:0x56:894)"


def test_the_last_word_of_a_gpu_that_did_not_start_is_kept(make: Make) -> None:
    log = f"3,8,80,-;{DID_NOT_START.replace('894', '1')}\n3,9,90,-;{DID_NOT_START}\n6,10,91,-;up\n"
    facts = found(kernel_log, make({**LOADED, "/dev/kmsg": log}))
    assert facts.fact(names.MODULE_START_ERROR) == Known(DID_NOT_START, "/dev/kmsg")
    assert facts.fact(names.MODULE_LOAD_ERROR) == Absent("/dev/kmsg")


def test_a_module_that_gave_up_over_it_was_refused_as_well(make: Make) -> None:
    facts = found(kernel_log, make({**BASE, "/dev/kmsg": f"3,9,90,-;{DID_NOT_START}\n"}))
    assert facts.need(names.MODULE_LOAD_ERROR) == DID_NOT_START


def test_a_log_without_such_words_tells_of_none(make: Make) -> None:
    log = "6,9,90,-;NVRM: loading NVIDIA UNIX x86_64 Kernel Module\n"
    facts = found(kernel_log, make({**LOADED, "/dev/kmsg": log}))
    assert facts.fact(names.MODULE_START_ERROR) == Absent("/dev/kmsg")


REFUSED = "Loading of unsigned module is rejected"


def test_the_kernels_refusal_is_the_reason(make: Make) -> None:
    facts = found(
        kernel_log, make({**BASE, "/dev/kmsg": f"4,9,90,-;{REFUSED}\n6,10,91,-;eth0 up\n"})
    )
    assert facts.fact(names.MODULE_LOAD_ERROR) == Known(REFUSED, "/dev/kmsg")


def test_of_a_module_that_runs_a_refusal_is_history(make: Make) -> None:
    facts = found(kernel_log, make({**LOADED, "/dev/kmsg": f"4,9,90,-;{REFUSED}\n"}))
    assert facts.fact(names.MODULE_LOAD_ERROR) == Absent("/dev/kmsg")


def test_the_kernels_whose_modules_are_installed_are_listed(make: Make) -> None:
    files = {"/lib/modules/6.9.5/modules.dep": "", "/lib/modules/6.9.3/updates/nvidia.ko": ""}
    assert found(module_files, make(files)).need(names.KERNELS) == ("6.9.5",)
