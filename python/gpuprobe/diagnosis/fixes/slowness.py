"""Give the GPU what it needs to run at full speed."""

from __future__ import annotations

from ..model import Fix
from ..questions.place import Distribution, Place

_LOOK = "nvidia-smi -q -d TEMPERATURE,POWER,PERFORMANCE"
_DYNAMIC = "sudo systemctl enable --now nvidia-powerd"


def stop_powerd() -> Fix:
    """The service that is to raise a laptop's limit lowers it here."""
    return Fix.by_admin(
        "Stop nvidia-powerd, with which the GPU is slower here, and keep it from starting. Then "
        "bring the BIOS up to date, which the service asks how much power the GPU may have, and "
        "use the laptop's own charger and the profile for full performance.",
        ("sudo systemctl disable --now nvidia-powerd", _LOOK),
        undo=_DYNAMIC,
    )


#: What lists the former packages, and brings one back.
_GO_BACK = {
    Distribution.FEDORA: ("sudo dnf history list '*nvidia*'", "sudo dnf history undo ID"),
    Distribution.UBUNTU: ("grep -B 3 nvidia /var/log/apt/history.log", "apt list --installed"),
    Distribution.DEBIAN: ("grep -B 3 nvidia /var/log/apt/history.log", "apt list --installed"),
    Distribution.ARCH: ("grep nvidia /var/log/pacman.log | tail",),
}


def take_former_driver(place: Place, driver: str) -> Fix:
    """What a driver brought along goes with it."""
    commands = _GO_BACK.get(place.distribution, ()) if place.distribution else ()
    return Fix.by_reboot(
        f"It began with driver {driver}: go back to the branch that worked before, restart, and "
        "see whether the clocks rise. If they do, stay there and report it to NVIDIA; if not, look "
        "at temperature, charger and power profile.",
        (*commands, _LOOK),
        undo=f"install driver {driver} again",
    )


def cool_and_feed(place: Place, *, laptop: bool = False) -> Fix:
    """Heat and power; a laptop has no power cables to its GPU, and a profile for it."""
    if laptop:
        linux = "" if place.system == "Windows" else f" On Linux `{_DYNAMIC}` lets it rise."
        return Fix(
            "Look at temperature and power while it works. Use the laptop's own charger and the "
            "maker's profile for full performance, and free its vents; or make the work smaller. "
            f"The driver's power cap is the usual limit of a laptop's GPU.{linux}",
            (_LOOK,),
        )
    return Fix(
        "Look at temperature and power while it works. Clean the fans, let air through the case, "
        "and plug all power cables of the card in, each with a cable of its own.",
        (_LOOK,),
    )


def take_power_profile(place: Place) -> Fix:
    """A limit that nvidia-smi may not change is set by the laptop's firmware."""
    if place.system == "Windows":
        return Fix(
            "The limit is locked: nvidia-smi cannot raise it. Of a laptop plug the own charger in, "
            "and choose the maker's profile for full performance.",
            ("nvidia-smi -q -d POWER",),
        )
    return Fix.by_admin(
        "The limit is locked: nvidia-smi cannot raise it. Of a laptop plug the own charger in, "
        "choose the profile for full performance, and let nvidia-powerd raise the limit (Dynamic "
        "Boost, from the RTX 30 series on).",
        (_DYNAMIC, "powerprofilesctl set performance", "nvidia-smi -q -d POWER"),
        undo="sudo systemctl disable --now nvidia-powerd; powerprofilesctl set balanced",
    )


def feed_the_machine() -> Fix:
    """Peaks of power, which a supply answers by switching off."""
    return Fix.by_admin(
        "Lower the power limit for a trial. If the machine then stays up, its power supply does "
        "not bear the peaks: give it a stronger one, and each card cables of its own. If it does "
        "not, the log of the time before may show an Xid or too much heat.",
        ('sudo journalctl -k -b -1 | grep -iE "nvrm|xid|mce|therm"', "sudo nvidia-smi -pl WATTS"),
        undo="sudo nvidia-smi -pl with the former number",
    )


def raise_power_limit(gpu: str, limit: float, own: float) -> Fix:
    """The limit that somebody, or the firmware, has set below the board's `own`."""
    command = f"sudo nvidia-smi -i {gpu} -pl {{:.0f}}"
    return Fix.by_admin(
        "Raise the limit to the board's own, unless it was lowered on purpose, to save power or "
        "for a weak supply. In a laptop the maker's power profile or nvidia-powerd sets it.",
        (command.format(own),),
        undo=command.format(limit),
    )


def let_it_work() -> Fix:
    """A GPU at its power limit does what it can."""
    return Fix("Nothing has to be done: a GPU that works hard draws all that it may.")


def look_at_slot() -> Fix:
    """Lanes."""
    return Fix(
        "Seat the card anew, in the slot with the most lanes, without a riser, and look into the "
        "firmware's settings for that slot. A lower generation while the GPU idles is normal.",
        ("sudo lspci -vv -d 10de: | grep -E 'LnkCap|LnkSta'",),
    )


def license_vgpu() -> Fix:
    """A virtual GPU of a licensed product."""
    return Fix(
        "Give the virtual machine a licence: name the licence server, or put its token in place, "
        "and start nvidia-gridd anew. Without one the driver slows a virtual GPU down after a "
        "while, and some functions of CUDA are refused.",
        ("nvidia-smi -q | grep -A 2 License", "journalctl -u nvidia-gridd"),
    )
