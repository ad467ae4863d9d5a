"""What Fabric Manager, systemctl and NVSwitches say of the NVLink fabric."""

from ..sign import Sign

SIGNS = (
    Sign(
        "fabric-version-mismatch",
        "Fabric Manager is of another version than the driver: its version, the driver's",
        ("match with driver version", "match the driver version", "mismatched fabric"),
        r"interface version (\d[\d.]*\d)\s*(?:don't|doesn't|does not) match with driver version"
        r" (\d[\d.]*\d)|(fabric ?manager)[^\n]{0,30}(?:doesn't|does not) match the driver version"
        r"|\bmismatched (fabric ?manager) version\b[^.\n]{0,24}\bdriver\b",
    ),
    Sign(
        "fabric-without-switch",
        "Fabric Manager found no NVSwitch, so this system does without it",
        ("nv_warn_nothing_to_do",),
    ),
    Sign(
        "fabric-not-ready",
        "the NVLink fabric of this system is not set up",
        ("fabric",),
        r"failed to (?:start|initialize)[^\n]{0,20}fabric\s?manager|fabric\s?manager[^\n]{0,60}"
        r"(?:not (?:running|active)|never reported|inactive|could not|failed|is not|not started)"
        r"|aborting fabric\s?manager|fabric\s?manager is exiting"
        r"|has not been loaded, fabric\s?manager cannot be started"
        r"|failed to open fabric topology file"
        r"|\bnv-fabricmanager: error while loading\b"
        r"|fabric[^\n]{0,20}(?:state|status)\s*[:=]\s*(?:\"|')?(In ?Progress"
        r"|Not Started"
        r"|NotStarted)"
        r"|caused by a system or configuration error in the (Fabric Manager or NVSwitches)"
        r"|nvidia-fabricmanager(?!/socket)[^\n]{0,60}(?:failed|inactive|dead|not found)"
        # systemctl's mark of a unit that has failed; Fabric Manager about its own settings.
        r"|\A\s*\u00d7 (nvidia-fabricmanager)\.service\b"
        r"|\bfabric\s?manager config file item: \w{3,60} has an (invalid value)",
    ),
    Sign(
        "nvswitch-failed",
        "an NVSwitch reports a fatal event, after which it and its GPUs have to be reset",
        ("sxid", "detected fatal errors on nvswitch"),  # the latter: DCGM
        r"nvswitch[^\n]*(SXid[^\n]{0,40}: \d{5}, (?:(?:Data .{0,40}, )?Fatal\b[^\n]{0,80}"
        r"|(?:TSENSE|PMGR) OVERT Threshold reached))"
        r"|(Detected fatal (?:NvSwitch SXID \d{5}|errors on NvSwitch \d{1,3} link \d{1,3}))",
    ),
    Sign(
        "nvswitch-problem",
        "an NVSwitch has a problem",
        ("nvswitch",),
        r"nvswitch(?![^\n]*SXid)[^\n]{0,60}(?:fatal|fail|error|not detected)",
    ),
)
