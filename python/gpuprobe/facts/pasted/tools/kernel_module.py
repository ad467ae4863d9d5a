"""The kernel module: /proc/driver/nvidia/version, lsmod, modinfo, dkms, modprobe, Secure Boot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from ..languages import NO_FILE
from ..prompts import commands, is_empty
from ..statement import Statements, deny, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

#: "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  560.35.03  Release Build …"
_NVRM = regex(
    r"(?a)NVRM version:\s+NVIDIA UNIX (?P<open>Open )?(?:\S+ )?Kernel Module (?:for \S+ )?"
    r"\s*(?P<version>\d+(?:\.\d+)+)"
)
_LSMOD = regex(r"(?a)\A\s*(nvidia|nvidia_uvm|nouveau)\s+\d{3,}\s+\d+")
#: "NODE  NAMESPACE  LoadedKernelModule  nvidia  2  Live": Talos' list of its modules.
_TALOS = regex(r"(?a)\bLoadedKernelModule\s{1,24}nvidia\s{1,24}\d{1,3}\s{1,24}Live\b")
_MODINFO = regex(r"(?a)\A\s*version:\s+(\d{3}(?:\.\d+)+)\s*\Z")
_DKMS = regex(
    r"(?a)\A\s*nvidia[\w.\-]*(?:/|, ?)\d+(?:\.\d+)+(?:, ?(?P<kernel>[\w.\-+]+))?(?:, ?\w+)?: ?"
    r"(?P<state>installed|built|added|broken)"
)
#: What akmods builds is a package of its own for each kernel, as rpm lists it.
_KMOD = regex(
    r"(?a)\A\s*kmod-nvidia-(?:open-)?(\d{1,2}\.\d{1,3}\.\d{1,3}-[\w.]{3,40}?\.(?:x86_64|aarch64))-\d{3}"
)
#: What DKMS refers to below an error, which does not name the module.
_BUILD_LOG = regex(r"(?a)/var/lib/dkms/([\w.+-]{2,40})/[\w.+~:-]{1,40}/build/make\.log\b")
_MODPROBE = regex(
    r"(?i)modprobe: (?:FATAL|ERROR): "
    r"((?:Module )?nvidia(?![-_](?:peermem|fs))(?:[-_][\w-]+)? not found.{0,120}"
    r"|could not find module by name.{1,2}nvidia(?![-_](?:peermem|fs))(?:[-_][\w-]+)?'"
    r"|could not insert 'nvidia(?![-_](?:peermem|fs))[^']*' ?: .{1,120})"
    r"|insmod: (?:ERROR: )?((?:could not insert module|error inserting) '?[\w./-]{0,100}?"
    r"nvidia[\w-]*\.ko'?: .{1,120})"
)
_SECURE = regex(r"\A[\s`]*Secure ?Boot (enabled|disabled)\b", re.IGNORECASE)
#: The driver's module; the kernel has others of its own for NVIDIA's old cards and laptops.
_FILE = regex(
    r"(?a)(?<!\S)(?:/usr)?/lib/modules/([\w.+-]{3,80})/(?:\S{1,160}/)?"
    r"nvidia(?!fb|_wmi)[\w-]{0,30}\.ko\b"
)
#: The folder of all kernels, or a pattern in the place of one.
_EVERY_KERNEL = regex(r"\b(?:find|ls|locate|ll)\b.{0,60}?/lib/modules(?:/\*|/?(?=\s|\Z))")
_RELEASE = regex(r"(?a)\s*(\d{3}(?:\.\d+){1,2})\s*\Z")
#: strace of a program that opens one of the module's files in /proc: their number, or -1.
_OPENED = regex(
    r"(?a)\bopen(?:at)?\((?:AT_FDCWD, )?\"/proc/driver/nvidia/(?:params|version)\",[^)\n]{0,40}\)"
    r" {1,16}= (?P<file>-1 ENOENT|\d)"
)
_CAT = ("/proc/driver/nvidia/version",)


def read(text: Text) -> Statements:
    """Loaded or not, in which version, open or proprietary; what keeps it out."""
    yield from _loaded(text)
    yield from _opened(text)
    yield from _lsmod(text)
    yield from _not_there(text)
    for line, match in text.matching(_MODINFO, "version:"):
        near = " ".join(each.text for each in text.before(line, 4))
        if "nvidia" in near and (".ko" in near or "modinfo" in near):
            yield say(names.DRIVER_PACKAGE, f"kernel module {match[1]}", line)
    yield from _built(text)
    yield from _of_others(text)
    for line, match in text.matching(_SECURE, "secure"):
        yield say(names.SECURE_BOOT, match[1].lower() == "enabled", line)


def _loaded(text: Text) -> Statements:
    """What the module itself tells in /proc and in /sys."""
    for line, match in text.matching(_NVRM, "nvrm version"):
        yield say(names.MODULE_VERSION, Version(match["version"]), line)
        yield say(names.MODULE_LOADED, True, line)
        yield say(names.MODULE_KIND, "open" if match["open"] else "proprietary", line)
    for line, _, answer in commands(text, "/sys/module/nvidia/version"):
        release = _RELEASE.match(answer[0].text) if answer else None
        if release:
            yield say(names.MODULE_VERSION, Version(release[1]), line)
            yield say(names.MODULE_LOADED, True, line)


def _built(text: Text) -> Statements:
    """The kernels for which there is a module, by dkms, akmods or its file."""
    kernels: dict[str, Line] = {}
    for line, match in text.matching(_DKMS, "nvidia"):
        if match["kernel"] and match["state"] == "installed":
            kernels.setdefault(match["kernel"], line)
        told = f"{match['state']} for {match['kernel']}" if match["kernel"] else match["state"]
        yield say(names.MODULE_DKMS, told, line)
    for line, match in text.matching(_KMOD, "kmod-nvidia"):
        kernels.setdefault(match[1], line)
    for line, kernel in _files(text):
        kernels.setdefault(kernel, line)
    if kernels:
        yield say(said.DKMS_KERNELS, tuple(kernels), next(iter(kernels.values())))


def _of_others(text: Text) -> Statements:
    """DKMS' word on modules of other makers, where it has none on the driver's."""
    logs = [*text.matching(_BUILD_LOG, "/var/lib/dkms/")]
    if logs and not any(match[1].startswith("nvidia") for _, match in logs):
        line, match = logs[0]
        yield say(said.SIGN("dkms-of-others"), match[1], line)


def _opened(text: Text) -> Statements:
    for line, opened in text.matching(_OPENED, "/proc/driver/nvidia/"):
        if opened["file"].isdigit():
            yield say(names.MODULE_LOADED, True, line)
        else:
            yield from _absent(line)


def _files(text: Text) -> Iterator[tuple[Line, str]]:
    """The kernels in whose folders a search of all of them found the module."""
    for _, command, answer in commands(text, "/lib/modules"):
        if _EVERY_KERNEL.search(command):
            for line in answer:
                if file := _FILE.search(line.text):
                    yield line, file[1]


def _lsmod(text: Text) -> Statements:
    """Modules as lsmod lists them, and talosctl."""
    for line, _ in text.matching(_TALOS, "loadedkernelmodule"):
        yield say(names.MODULE_LOADED, True, line)
    for line in text.having("nvidia", "nouveau"):
        match = _LSMOD.match(line.text)
        if match and match[1] == "nouveau":
            yield say(names.MODULE_NOUVEAU, True, line)
        elif match:
            yield say(names.MODULE_LOADED, True, line)
    for line, command, answer in commands(text, "lsmod"):
        if "nvidia" in command and not any(_LSMOD.match(each.text) for each in answer):
            if is_empty(answer):
                yield from _absent(line)
        elif "nouveau" in command and is_empty(answer):
            yield say(names.MODULE_NOUVEAU, False, line)


def _not_there(text: Text) -> Statements:
    """No file in /proc, or modprobe's word that it cannot load the module."""
    for line in text.having(*_CAT):
        if any(word in line.text.lower() for word in NO_FILE):
            yield from _absent(line)
    for line, match in text.matching(_MODPROBE, "modprobe: ", "insmod: "):
        yield say(names.MODULE_LOADED, False, line)
        yield deny(names.MODULE_VERSION, line)
        yield say(names.MODULE_LOAD_ERROR, (match[1] or match[2]).strip(), line)


def _absent(line: Line) -> Statements:
    yield say(names.MODULE_LOADED, False, line)
    yield deny(names.MODULE_VERSION, line)
