"""A Windows machine as a tree: files without their drive, and an export of its registry.

The keys and values are those that Windows writes; the identifiers of the devices are the vendors'
own, the rest of an instance's path is made up.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuprobe.facts.registry import RegistryValue

    from .trees import Files

    Keys = Mapping[str, Mapping[str, RegistryValue]]

CONTROL_SET = "SYSTEM\\CurrentControlSet"
DISPLAY = "{4d36e968-e325-11ce-bfc1-08002be10318}"
VISUAL_STUDIO = "SOFTWARE\\Microsoft\\VisualStudio\\14.0\\VC\\Runtimes\\x64"
SYSTEM32 = "/Windows/System32"
SITE = "C:\\Users\\alice\\venv\\Lib\\site-packages"
TOOLKITS = "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA"

MSVC_FILES = dict.fromkeys(
    (
        f"{SYSTEM32}/{name}.dll"
        for name in ("msvcp140", "msvcp140_1", "vcruntime140", "vcruntime140_1")
    ),
    "",
)
DRIVER_FILES = {f"{SYSTEM32}/nvcuda.dll": "", f"{SYSTEM32}/nvml.dll": ""}
VARIABLES = {
    "SYSTEMROOT": "C:\\Windows",
    "PROCESSOR_ARCHITECTURE": "AMD64",
    "PATH": "C:\\Windows\\System32;C:\\Windows",
    "GPUPROBE_PROBE": "/nowhere",
}


@dataclass(frozen=True, slots=True)
class Card:
    """One display adapter; `service` None: it never had a driver."""

    hardware: str = "VEN_10DE&DEV_2684&SUBSYS_889E1043&REV_A1"
    instance: str = "4&2283f625&0&0019"
    service: str | None = "nvlddmkm"
    held: bool = True  # its driver holds it now
    name: str = "NVIDIA GeForce RTX 4090"
    version: str = "31.0.15.3623"
    bus: int = 1

    def keys(self, number: int) -> dict[str, dict[str, RegistryValue]]:
        """What the registry holds of it."""
        place = f"Bus;(Bus,Device,Function);({self.bus},0,0)"
        device: dict[str, RegistryValue] = {"LocationInformation": place}
        found = {f"{CONTROL_SET}\\Enum\\PCI\\{self.hardware}\\{self.instance}": device}
        if self.service is None:
            device["CompatibleIDs"] = ("PCI\\VEN_10DE&CC_030200", "PCI\\CC_030200", "PCI\\CC_0302")
            return found
        device |= {
            "ClassGUID": DISPLAY,
            "Service": self.service,
            "Driver": f"{DISPLAY}\\{number:04}",
        }
        found[f"{CONTROL_SET}\\Control\\Class\\{DISPLAY}\\{number:04}"] = {
            "DriverDesc": self.name,
            "DriverVersion": self.version,
        }
        held: dict[str, RegistryValue] = {"Count": int(self.held)}
        if self.held:
            held[str(number)] = f"PCI\\{self.hardware}\\{self.instance}"
        found[f"{CONTROL_SET}\\Services\\{self.service}\\Enum"] = held
        return found


RTX_4090 = Card()
WITHOUT_DRIVER = replace(
    RTX_4090, service="BasicDisplay", name="Microsoft Basic Display Adapter", version="10.0.22621.1"
)
RADEON = Card(
    "VEN_1002&DEV_744C&SUBSYS_0E3B1002&REV_C8",
    "6&1a2b3c4d&0&00000019",
    "amdkmdag",
    name="AMD Radeon RX 7900 XTX",
    version="31.0.24002.92",
    bus=3,
)


@dataclass(frozen=True, slots=True)
class Windows:
    """Defaults describe a healthy machine with an RTX 4090; a test says what is different."""

    cards: tuple[Card, ...] = (RTX_4090,)
    files: Files = field(default_factory=lambda: {**MSVC_FILES, **DRIVER_FILES})
    keys: Keys = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict)

    def tree(self) -> Files:
        """All files, the registry among them."""
        return {**self.files, "/registry.reg": export(self.registry())}

    def registry(self) -> Keys:
        """All keys."""
        found: dict[str, Mapping[str, RegistryValue]] = {
            "SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion": {
                "ProductName": "Windows 10 Pro",
                "DisplayVersion": "23H2",
                "CurrentBuild": "22631",
                "UBR": 3007,
            },
            VISUAL_STUDIO: {"Version": "v14.38.33130.00", "Installed": 1},
            f"{CONTROL_SET}\\Enum\\PCI\\VEN_8086&DEV_7A04&SUBSYS_0&REV_11\\3&11583659&0&00": {
                "ClassGUID": "{4d36e97d-e325-11ce-bfc1-08002be10318}",
                "Service": "pci",
            },
        }
        for number, card in enumerate(self.cards):
            found |= card.keys(number)
        return {**found, **self.keys}

    def variables(self) -> Mapping[str, str]:
        """The environment."""
        return {**VARIABLES, **self.environ}


def export(keys: Keys) -> str:
    """The keys as regedit writes them."""
    lines = ["Windows Registry Editor Version 5.00", ""]
    for path, values in keys.items():
        lines.append(f"[HKEY_LOCAL_MACHINE\\{path}]")
        lines += [f'"{name}"={_raw(value)}' for name, value in values.items()]
        lines.append("")
    return "\r\n".join(lines)


def _raw(value: RegistryValue) -> str:
    if isinstance(value, int):
        return f"dword:{value:08x}"
    if isinstance(value, str):
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}"'
    packed = "".join(f"{text}\0" for text in (*value, "")).encode("utf-16-le")
    pairs = [f"{byte:02x}" for byte in packed]
    rows = [",".join(pairs[i : i + 20]) for i in range(0, len(pairs), 20)]
    return "hex(7):" + ",\\\r\n  ".join(rows)


def package(name: str, version: str, **files: str) -> dict[str, str]:
    """An installed distribution; `files` are path below site-packages -> text."""
    place = SITE[2:].replace("\\", "/")
    return {
        f"{place}/{name}-{version}.dist-info/METADATA": "",
        **{f"{place}/{path}": text for path, text in files.items()},
    }
