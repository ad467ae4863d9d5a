"""Find out what ails a GPU, and free it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..model import Fix
from ..questions.place import Distribution, Place
from ..shells import set_variable
from .driver import RESTART_UNDO, restart

if TYPE_CHECKING:
    from ...facts.version import Version


def read_kernel_log(place: Place) -> Fix:
    """See what the kernel says of the GPU, then restart."""
    if place.system == "Windows":
        return restart(
            place,
            "Look for the source nvlddmkm in the Event Viewer's system log. Of a virtual machine: "
            "shut it down, and see that its host passes the whole GPU through and that the "
            "driver inside goes with it (for vGPU the guest's driver).",
        )
    where = " on the host" if place.container is not None else ""
    return Fix.by_reboot(
        f"Look into the kernel's log{where} for the GPU (lines with NVRM or Xid), then restart. "
        "If it comes back, look at power, cooling and the card's seat, and try another driver.",
        ("sudo dmesg | grep -iE 'nvrm|xid' | tail", "sudo reboot"),
        undo=RESTART_UNDO,
    )


def switch_off_and_on(place: Place) -> Fix:
    """The kernel's log has shown already that the GPU is out of reach; a warm start may not do."""
    where = "the host" if place.container is not None else "the machine"
    return Fix.by_reboot(
        f"Switch {where} off, wait a little and switch it on: a restart alone may not reset the "
        "GPU. If it comes back, look at the power supply and its cables, at seat, slot and riser "
        "(of an external GPU at its cable), and at the temperature; then try the card in another "
        "machine, and another driver.",
        ("sudo poweroff", "nvidia-smi -q -d TEMPERATURE,POWER"),
        undo=RESTART_UNDO,
    )


def give_addresses() -> Fix:
    """The card is well: nobody gave its memory region addresses, of which it wants many."""
    return Fix.by_reboot(
        "Let firmware or hypervisor give the GPU a large range of 64-bit addresses. On the machine "
        "itself: switch Above 4G Decoding on in the firmware's settings, and start by UEFI. In a "
        "virtual machine: give it UEFI firmware and a larger 64-bit window, on ESXi by the options "
        "pciPassthru.use64bitMMIO=TRUE and pciPassthru.64bitMMIOSizeGB, with QEMU by the size "
        "that OVMF is told. The window has to hold the memory of all its GPUs together.",
        ("sudo lspci -vv -d 10de: | grep -E '^[0-9a-f]|Region'", "sudo dmesg | grep -i 'BAR '"),
        undo="set the former values again, and start once more",
    )


def start_gpu_again(place: Place) -> Fix:
    """The module reaches the card, and its start fails: that is no card off the bus."""
    where = "the host" if place.container is not None else "the machine"
    return Fix.by_reboot(
        f"The driver found the GPU and could not start it. Restart {where}: a driver that was "
        "changed while it ran, or a GPU that was not reset, fails so. If it comes back, take "
        "another release of the driver; in a virtual machine see how its host passes the GPU "
        "through; then look at the card's power cables, seat and riser.",
        ("sudo reboot", "sudo dmesg | grep -iE 'nvrm|xid' | tail"),
        undo=RESTART_UNDO,
    )


def look_at_memory(place: Place) -> Fix:
    """The GPU's own memory is failing; neither driver nor cables have a part in it."""
    if place.system == "Windows":
        return read_kernel_log(place)
    where = "the host" if place.container is not None else "the machine"
    return Fix.by_reboot(
        f"The GPU's memory has failed in a place. Switch {where} off and on, by its power button "
        "if a restart hangs: the driver then leaves out the pages or rows that it noted. If it "
        "comes back, or the command shows that retirement or remapping failed, replace the card.",
        ("nvidia-smi -q -d ECC,PAGE_RETIREMENT,ROW_REMAPPER", "sudo poweroff"),
        undo=RESTART_UNDO,
    )


def take_back_clocks() -> Fix:
    """Let a GPU run as its maker sold it."""
    return Fix.by_admin(
        "Take back what was set of clocks, voltage and power limit, restart, and see whether it "
        "still fails. If it does, look at the risers, the power cables and the kernel's log (Xid).",
        ("sudo nvidia-smi -rgc", "sudo dmesg | grep -i xid | tail"),
        undo="set the clocks again",
    )


def reload_uvm(place: Place) -> Fix:
    """Load nvidia-uvm again, which a suspended machine often wakes up without."""
    if place.container is not None and not place.wsl and place.system != "Windows":
        return _reload_uvm_of_host()
    if not place.own_driver or place.tegra or place.system == "Windows":
        return restart(place, "The driver is in a bad state.")
    return Fix.by_admin(
        "See whether the module nvidia-uvm and its file are there. Load the module, or load it "
        "again: after the machine was suspended it often stops working. Close the programs that "
        "use the GPU first. If that does not help, restart.",
        (
            "lsmod | grep nvidia_uvm; ls -l /dev/nvidia-uvm",
            "sudo modprobe -r nvidia_uvm && sudo modprobe nvidia_uvm",
            "sudo nvidia-modprobe -u -c 0",
        ),
        undo="none needed: the same module is loaded again",
    )


def _reload_uvm_of_host() -> Fix:
    """A container gets the host's file of the module, which itself cannot make it."""
    return Fix.by_admin(
        "On the host, outside the container, see whether /dev/nvidia-uvm is there: CUDA fails so "
        "where the module nvidia-uvm is not loaded. The second command loads it and makes the "
        "file; then start the container anew. If that does not help, restart the host. On a "
        "cluster its administrators have to do it.",
        ("ls -l /dev/nvidia*", "sudo nvidia-modprobe -u -c=0", "nvidia-smi"),
        undo="none needed: a module is loaded, which a restart takes away",
    )


_NO_HMM = "/etc/modprobe.d/nvidia-uvm-hmm.conf"


def reload_uvm_without_hmm(place: Place) -> Fix:
    """The same, without the part of it that fails to start on some kernels."""
    if place.container is not None or place.wsl or place.system == "Windows":
        return reload_uvm(place)
    return Fix.by_admin(
        "Load the module nvidia-uvm again, without its HMM: with the open kernel modules of the "
        "branches 570 and 580 that part fails on some kernels, and CUDA with it. Close the "
        "programs that use the GPU first.",
        (
            f"echo 'options nvidia_uvm uvm_disable_hmm=1' | sudo tee {_NO_HMM}",
            "sudo modprobe -r nvidia_uvm && sudo modprobe nvidia_uvm",
        ),
        undo=f"sudo rm {_NO_HMM}, then load the module again",
    )


def free_device(place: Place) -> Fix:
    """A GPU that lets everybody in, and takes nobody."""
    where = " on the host" if place.container is not None else ""
    return Fix.by_admin(
        f"The compute mode lets everybody in. See{where} who holds the GPU's files, mostly a "
        "process that ended badly, and end it; then look into the kernel's log. If nothing is "
        "there, restart.",
        ("sudo fuser -v /dev/nvidia*", "sudo dmesg | grep -iE 'nvrm|xid' | tail"),
        undo="none needed: looking changes nothing; save open work before a restart",
    )


def open_compute_mode(place: Place) -> Fix:
    """Let more than one process use the GPU, or wait for the one that does."""
    sudo, where = "sudo ", ""
    if place.system == "Windows":
        sudo, where = "", " That takes a PowerShell that is opened as administrator."
    return Fix.by_admin(
        "See who uses the GPU (a notebook whose work was stopped holds it until its kernel is "
        "restarted), and in which compute mode it is. Wait for that process, or use another GPU by "
        "its number, on a cluster one that the scheduler gives. An administrator can set one GPU's "
        f"mode to Default.{where}",
        (
            "nvidia-smi",
            "nvidia-smi --query-gpu=index,compute_mode --format=csv",
            set_variable("CUDA_VISIBLE_DEVICES", "NUMBER", windows=bool(where)),
            f"{sudo}nvidia-smi -i NUMBER -c DEFAULT",
        ),
        undo=f"{sudo}nvidia-smi -i NUMBER -c with the mode that the second command showed",
    )


def mend_driver_of_guest(place: Place) -> Fix:
    """Nobody gets at the GPU, and nvidia-smi neither: then it is no matter of its mode."""
    fix = read_kernel_log(place)
    return replace(
        fix,
        text=(
            "nvidia-smi fails as well, so the driver does not reach the GPU, whatever its compute "
            "mode. A virtual GPU (vGPU, GRID) needs a driver that goes with its host's, and a "
            f"licence: compare the driver with that of a machine that works. {fix.text}"
        ),
    )


def free_memory(_: Place) -> Fix:
    """Find out who holds the GPU's memory."""
    return Fix(
        "Not even the driver's own start found room in the GPU's memory. See which processes hold "
        "it, and end those that are yours.",
        ("nvidia-smi",),
    )


_SERVICE = "nvidia-fabricmanager"


def start_fabric_manager(_: Place, driver: Version | None = None) -> Fix:
    """Start the service that NVSwitch systems need, in the driver's own version."""
    equal = "the driver's" if driver is None else f"that of the driver, {driver}"
    lacking = "the package of that name" if driver is None else _package(driver)
    return Fix.by_admin(
        "See on the machine itself, not in a container, whether the Fabric Manager runs, for which "
        f"GPUs behind NVSwitch wait; its version must be {equal}, to the last number. If systemctl "
        f"knows no such unit, install {lacking}. Then start it, or start it anew where it has "
        "failed; its log says why.",
        (
            f"systemctl status {_SERVICE}",
            f"sudo systemctl enable {_SERVICE} && sudo systemctl restart {_SERVICE}",
            f"journalctl -b -u {_SERVICE}",
        ),
        undo=f"sudo systemctl disable --now {_SERVICE}",
    )


def _package(driver: Version) -> str:
    """By their branch, which the driver's own packages have in their names as well."""
    return f"the package {_SERVICE} of branch {driver.major} (apt: {_SERVICE}-{driver.major})"


def start_fabric_manager_of_operator() -> Fix:
    """The GPU operator's own container has the driver, and starts the service itself."""
    return Fix.by_admin(
        "Where the GPU operator brings the driver, the driver's pod starts the Fabric Manager: see "
        "in its log why that does not serve the GPUs, or whether it is missing in the image. Where "
        "the driver is installed on the node, the service has to run there, in its version.",
        (
            "kubectl get pods -A | grep nvidia-driver",
            "kubectl logs -n NAMESPACE POD | grep -i fabric",
            f"systemctl status {_SERVICE}",
        ),
        undo="set the driver's former image in the operator's values again",
    )


def match_fabric_manager(place: Place, driver: Version | None = None) -> Fix:
    """Give the Fabric Manager the driver's version, and start it anew."""
    where = "On the host install" if place.container is not None else "Install"
    restart_it = f"sudo systemctl restart {_SERVICE}"
    if driver is not None:
        by_apt = place.distribution in (None, Distribution.UBUNTU, Distribution.DEBIAN)
        name = f"{_SERVICE}-{driver.major}"
        install = (f"apt list -a {name}", f"sudo apt install '{name}={driver}*'") if by_apt else ()
        return Fix.by_admin(
            f"{where} the Fabric Manager of version {driver}, from where the driver's packages "
            "come, and start it anew. If there is none of that version, install the driver that "
            "the Fabric Manager is of.",
            (*install, restart_it),
            undo="install the former version again",
        )
    return Fix.by_admin(
        f"{where} the Fabric Manager of the driver's own version, to the last number, from where "
        "the driver's packages come, and start it anew. A package that is held back stays behind "
        "when the driver is upgraded.",
        (
            "nvidia-smi --query-gpu=driver_version --format=csv,noheader",
            "nv-fabricmanager --version",
            restart_it,
        ),
        undo="install the former version again",
    )


def leave_fabric_manager() -> Fix:
    """Do not start a service that this system has no use for."""
    return Fix.by_admin(
        "Leave the service off: only systems with NVSwitch need it. GPUs on PCIe, and those that "
        "an NVLink bridge joins in pairs, work without it.",
        ("sudo systemctl disable --now nvidia-fabricmanager", "nvidia-smi topo -m"),
        undo="sudo systemctl enable --now nvidia-fabricmanager",
    )


def stop_mps(_: Place) -> Fix:
    """Do without MPS, or mend it."""
    return Fix(
        "The process was sent to an MPS server that does not take it. Do without: unset the "
        "variable; or ask who runs the server (nvidia-cuda-mps-control) to restart it.",
        ("unset CUDA_MPS_PIPE_DIRECTORY",),
    )


def check_power(_: Place) -> Fix:
    """Plug the card's power cables."""
    return Fix.by_reboot(
        "Switch the machine off and plug all power cables of the card in.", undo="none needed"
    )
