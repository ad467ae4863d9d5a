"""The driver and the libraries as the system's packages: dpkg, rpm, apt, pacman."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from ..prompts import commands
from ..statement import Statements, deny, say

if TYPE_CHECKING:
    from ..text import Line, Text

#: Installed, and perhaps held at its version.
_DPKG = regex(r"(?a)\A\s*[ih]i\s+(?P<name>[\w.+\-]+)(?::\w+)?\s+(?P<version>\d\S*)(?:\s|\Z)")
_RPM = regex(
    r"(?a)\A\s*(?P<name>[\w.+\-]{0,60}?(?:nvidia|cudnn|cuda-drivers|fabric-?manager)[\w.+\-]{0,60}?)-(?:\d:)?(?P<version>\d[\w.]{0,60})-\S{1,60}\.(?:x86_64|aarch64|noarch)\s*\Z"
)
#: Any package of it, as a list shows it.
_BY_RPM = regex(
    r"(?a)\A\s*([A-Za-z][\w.+\-]{0,80}?)-\d[\w.]{0,30}-\S{1,40}\.(?:x86_64|aarch64|noarch)\s*\Z"
)
_APT = regex(r"(?a)\A\s*(?P<name>[\w.+\-]+)/\S+ (?P<version>\S+) \w+ \[installed")
#: Name and version alone, as awk leaves them of dpkg's list; the version is Ubuntu's own.
_BY_AWK = regex(
    r"(?a)\A\s*(?P<name>(?:lib)?nvidia-[a-z]{3,20}-\d{3}(?:-\w{1,12})?)(?::\w{1,8})?"
    r" (?P<version>\d{3}\.\d[\d.]*-\dubuntu\S{1,40})\s*\Z"
)
_PACMAN = regex(
    r"(?a)\A\s*(?:local/|extra/)?(?P<name>(?:nvidia|cuda|cudnn)[\w\-]*) (?P<version>\d\S*-\d+)\s*\Z"
)
_DRIVER = regex(
    r"\A(?:nvidia-driver(?!-assistant)|nvidia-open|nvidia(?:-dkms|-lts|-open-dkms)?\Z|nvidia-\d{3}\Z|cuda-drivers|kmod-nvidia|akmod-nvidia|xorg-x11-drv-nvidia\Z|libnvidia-compute|nvidia-kernel-dkms|nvidia-utils-\d{3})"
)
_CUDNN = regex(r"\A(?:lib)?cudnn\d*(?:-cuda-\d+)?\Z")
_FABRIC = regex(r"nvidia-fabric-?manager|\Anvidia-fabricmanager")

#: A system that NixOS makes from its configuration, with the driver in it.
_NIX = regex(
    r"(?a)\A[^#]{0,80}?(?:\bkernelPackages\.(nvidia_?x11\w*|nvidiaPackages\.\w+)"
    r"|\bvideoDrivers = \[[^\]]{0,40}\"(nvidia)\"|\bhardware\.nvidia\.(open|modesetting)\b)"
)

#: What apt's log tells: from which release to which.
_UPGRADED = regex(
    r"(?a)\bUpgrade: [^\n]{0,400}?\blibnvidia-compute-\d{3}\S{0,20} \(\S{3,40}, "
    r"(\d{3}\.\d{2,3}(?:\.\d{2})?)"
)

#: All of NVIDIA's packages were asked for, and not some by a longer name.
_ASKED_FOR_ALL = regex(
    r"(?i)\b(?:dpkg (?:-l|--list)|rpm -qa|apt list --installed)\b[^|\n]{0,20}\|\s?"
    r"[ef]?grep (?:-\w{1,4} )?['\"(]{0,2}(?:[\w-]{1,20}\\?\|){0,6}nvidia"
    r"(?:\\?\|[\w-]{1,20}){0,6}['\")]{0,2}(?:\s?\|\s?sort)?\s*\Z"
)
#: The tools for containers, and the lists of where packages come from, are no part of a driver.
_NO_DRIVER = regex(
    r"\A(?:lib)?nvidia-(?:container|docker|ml-dev)|\Anvidia-(?:detect|settings|prime|modprobe)\Z"
    r"|-(?:repo|keyring)\b"
)
#: What a part of a driver is called by; who asks for "cuda" besides is shown other packages.
_OF_NVIDIA = regex(r"nvidia|\Acuda-drivers|\Alibcuda\d")
#: NVIDIA's installer, of which no list of packages knows, and the files that a driver brings.
_OF_INSTALLER = regex(
    r"(?a)\bNVIDIA-Linux-\w{1,10}-\d[\d.]*\d\.run\b|\bnvidia-installer\b"
    r"|/bin/nvidia-smi\b(?!['\"]?:)|\blibcuda\.so\.\d{3}\.[\d.]*\d(?![\d.:])"
)

#: The kernel of Red Hat's kin and what a module is built with for it, as yum and rpm list them.
_KERNEL = regex(
    r"(?a)\A\s*kernel(-core|-devel|-headers)?(?:\.x86_64\s{1,60}|-)(\d[\w.]{2,20}-[\w.]{3,40}?)"
    r"(?:\.x86_64)?(?:\s{1,60}@?[\w-]{1,30})?\s*\Z"
)

#: What dpkg did not get through: in the same line, or one below the other.
_REFUSED = regex(r"(?ai)errors were encountered while processing:\s*(\S*)")
_NVIDIA = regex(r"\A\s*((?:lib)?nvidia-[\w.+-]+|cuda-drivers[\w.+-]*)")
_MODULE = ("nvidia-dkms", "nvidia-kernel")
_LISTED = 8


def read(text: Text) -> Statements:
    """The driver's package, cuDNN's, Fabric Manager's; what could not be configured."""
    yield from _refused(text)
    for line in text.having("nvidia", "cudnn", "cuda-drivers"):
        match = _row(line.text)
        if match is None:
            continue
        name, version = match["name"], match["version"]
        release = re.search(r"(?a)(?:\A|:)(\d+(?:\.\d+)+)", version)
        if _FABRIC.search(name) and release:
            yield say(names.FABRIC_VERSION, Version(release[1]), line)
        elif _CUDNN.match(name) and release:
            yield say(said.CUDNN_VERSION, Version(release[1]), line)
        elif name.startswith("libnvidia-compute") and release:
            yield say(said.LIBCUDA_INSTALLED, Version(release[1]), line)
        if _DRIVER.match(name):
            yield say(names.DRIVER_PACKAGE, f"{name} {version}", line)
    for line, match in text.matching(_UPGRADED, "libnvidia-compute"):
        yield say(said.LIBCUDA_INSTALLED, Version(match[1]), line)
    for line, match in text.matching(
        _NIX, "kernelpackages.nvidia", "videodrivers", "hardware.nvidia"
    ):
        yield say(names.DRIVER_PACKAGE, next(filter(None, match.groups())), line)
    yield from _without_driver(text)
    yield from _without_headers(text)


def _without_headers(text: Text) -> Statements:
    """No kernel that is listed has the files with which DKMS would build the module for it."""
    kernels: set[str] = set()
    others: dict[str, Line] = {}
    for line, match in text.matching(_KERNEL, "kernel-", "kernel.x86_64"):
        if match[1] == "-devel":
            others[match[2]] = line
        elif match[1] != "-headers":  # those are the C library's
            kernels.add(match[2])
    if others and kernels and kernels.isdisjoint(others) and ("driver" in text or "dkms" in text):
        release, line = next(iter(others.items()))
        yield say(said.SIGN("headers-of-other-kernel"), release, line)


def _without_driver(text: Text) -> Statements:
    """Who asks for all of NVIDIA's packages, and gets none that is a part of a driver."""
    if text.shows(_OF_INSTALLER, "nvidia-", "libcuda.so."):
        return
    for line, command, answered in commands(text, "dpkg -", "rpm -qa", "apt list"):
        rows = [_package(each.text) for each in answered if each.text.strip()]
        followed = len(text.after(line, len(answered) + 1)) > len(answered)
        if not _ASKED_FOR_ALL.search(command) or not (rows or followed):
            continue  # with nothing below the command the answer may have been left out
        if all(name is not None and _is_no_driver(name) for name in rows):
            yield deny(names.DRIVER_PACKAGE, line)


def _is_no_driver(package: str) -> bool:
    return _OF_NVIDIA.search(package) is None or _NO_DRIVER.search(package) is not None


def _package(text: str) -> str | None:
    """The package's name in a row of a list."""
    row = _row(text)
    other = _BY_RPM.match(text) if row is None else None
    return row["name"] if row else other and other[1]


def _row(text: str) -> re.Match[str] | None:
    forms = (form.match(text) for form in (_DPKG, _RPM, _APT, _BY_AWK, _PACMAN))
    return next(filter(None, forms), None)


def _refused(text: Text) -> Statements:
    """The first of NVIDIA's packages that dpkg failed at: the module's, or another."""
    for line, match in text.matching(_REFUSED, "errors were encountered while processing"):
        below = (each.text for each in text.after(line, _LISTED))
        for package in filter(None, map(_NVIDIA.match, (match[1], *below))):
            module = package[1].startswith(_MODULE)
            sign = "module-source-error" if module else "os-package-unmet"
            yield say(said.SIGN(sign), package[1], line)
            return
