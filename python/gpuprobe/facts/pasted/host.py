"""The host: uname, /etc/os-release, Python's platform strings, interpreters' banners, WSL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import names
from ..regex import regex
from ..version import Version
from .prompts import commands
from .statement import Statements, say

if TYPE_CHECKING:
    from .text import Line, Text

_UNAME = regex(
    r"(?a)\A\s*Linux \S+ (?P<kernel>\d+\.\d+\.\S+) .*?\b(?P<machine>x86_64|aarch64|ppc64le)\b"
)
#: WSL 1 has no kernel of its own, and names this one.
_OF_WSL1 = regex(r"(?a)\b4\.4\.0-\d{5}-Microsoft(?![\w-])")
#: What somebody has pip install, be it from an address.
_WHEEL_OF_MAC = regex(
    r"(?a)\bpip3? install [^\n]{0,300}-macosx_\d{1,2}_\d{1,2}_(?:arm64|x86_64|universal2)\.whl"
)
#: /proc/version
_BANNER = regex(r"(?a)\bLinux version (\d+\.\d+\.\S+) \(")
_UNAME_RESULT = regex(
    r"uname_result\(system='(?P<system>\w+)'.{0,200}?release='(?P<kernel>[^']+)'"
    r".{0,300}?machine='(?P<machine>\w+)'"
)
_PLATFORM = regex(
    r"(?a)\bLinux-(?P<kernel>\d+\.\d+\.[\w.+\-]*?)-(?P<machine>x86_64|aarch64|ppc64le)"
    r"(?:-with-(?:glibc(?P<libc>\d+\.\d+)|(?P<old>[\w.\-]+)))?"
)
#: The same on a Mac, by the name of the system or of its kernel.
_MAC = regex(r"(?a)(?<![\w.-])(?:macOS|Darwin)-\d{1,2}(?:\.\d{1,2}){1,2}-(?:arm64|x86_64|i386)\b")
#: Where Python is on a Mac, and nowhere else.
_FOLDERS_OF_MAC = regex(
    r"(?<![\w.])/Library/(?:Python/\d|Frameworks/Python\.framework/Versions/\d)[\d.]{0,4}/lib/python"
)
_WINDOWS = regex(
    r"(?a)\bWindows-(10|11|7|8|8\.1|2012ServerR2|2016Server|2019Server)-(\d+\.\d+\.\d+)"
)
_WINDOWS_BANNER = regex(r"(?a)Microsoft Windows \[[^\]]{0,24}?(\d+\.\d+\.\d+)(?!\d)[\d.]*\]")
_RELEASE_FIELD = regex(
    r"\A\s*(PRETTY_NAME|DISTRIB_DESCRIPTION|Description)\s?[=:]\s*\"?([^\"\n]{3,80}?)\"?\s*\Z"
)
_OS = regex(r"\A\s*(?:OS|Platform)\s*:\s+(\S.{1,120}?)\s*\Z")
_PYTHON = regex(
    r"(?ai)\A\s*(?:[\w./~-]*\s)?Python (?P<banner>\d\.\d{1,2}\.\d{1,2})\+?"
    r"(?:\s?[|(\[:].*|\s.{0,20}Anaconda.*)?\s*\Z"
)
_PYTHON_FIELD = regex(
    r"(?ai)\A\s*python(?: version|_version)?\s*:\s*(?:C?Python )?"
    r"(\d\.\d{1,2}(?:\.\d{1,2})?)(?!\d)"
)
#: Pip's warning about a Python that is past its end, and where it is; a reporter's sentence about
#: his own.
_PYTHON_TOLD = regex(
    r"(?ai)\bDEPRECATION: Python (\d\.\d{1,2}) reached the end of its life"
    r"|\bpip \d[\d.]{1,12} from [^\n]{1,200} \(python (\d\.\d{1,2})\)"
    r"|\bI(?:'m|m| am)?(?: \w+)? (?:use|using) Python(?: version)? (\d\.\d{1,2}(?:\.\d{1,2})?)\b"
)
#: A wheel that pip fetches, for the very Python that it runs in.
_WHEEL = regex(
    r"(?a)\A\s*(?:Downloading|Using cached) \S{1,300}-cp3(\d{1,2})-cp3\1m?-\w{3,60}\.whl\b"
)
_ON = regex(r"\] on (linux2?|win32|darwin)\s*\Z")
_SYSTEMS = {"linux": "Linux", "linux2": "Linux", "win32": "Windows", "darwin": "Darwin"}
_GLIBC = regex(r"(?a)\bldd \([^)]{0,80}\) (\d+\.\d+)|\bGLIBC (\d+\.\d+)\b")
#: "OS: Docker on Ubuntu 20.04"
_IN_CONTAINER = regex(r"(?i)\A\W{0,3}(docker|podman|lxc)(?: container| image)? (?:on|in|under) ")
#: The other system of the disk: "Debian 12 (dual boot with Windows 11)".
_OTHER_BOOT = regex(r"(?i)\bdual[- ]?boot(?:ed|ing|s)?(?: with| to| into)? \w{3,12}(?: \d\d?)?")
#: What people write behind a system's name in its line.
_MORE = regex(
    r"(?i:,? python ?\d)|\.\s+(?=[A-Z])"
    r"|(?i:[,;]\s+(?:\d{1,2}\s?[x*]?\s?)?"
    r"(?:(?:gpus?|geforce|quadro|tesla|titan|driver|cuda|cudnn|[ahlv]\d{2,3})\b"
    r"|nvidia (?!l4t)|[gr]tx ?[a\d]))"
)
#: "Ubuntu 22.04 (aarch64)", and what lscpu tells.
_MACHINE = regex(r"(?ai)(?<!for )(?<!/)\b(?:(aarch64|arm64)|(x86_64|ppc64le))\b")
_ARCHITECTURE = regex(
    r"(?ai)\A\W{0,6}(?:(?:cpu )?architecture|machine|arch|uname -m)\W{0,4}:\W{1,40}"
    r"(?:(aarch64)|(x86_64|ppc64le))\b"  # arm64 is a package's
)
_BARE = ("nt", "linux", "windows", "darwin", "wsl", "wsl2")
_LINUXES = (
    *("linux", "ubuntu", "debian", "centos", "fedora", "red hat", "redhat", "rhel", "rocky"),
    *("arch", "manjaro", "mint", "suse", "alma", "amazon", "gentoo", "nixos", "pop!_os", "pop os"),
    *("kali", "alpine", "sles", "scientific", "oracle", "cachyos", "endeavour", "l4t", "jetpack"),
    *("colab", "kaggle", "wsl", "void", "unraid", "proxmox", "elementary", "zorin", "clear"),
)


def read(text: Text) -> Statements:
    """System, kernel, processor, C library, the distribution's name, Python's version."""
    yield from _kernel(text)
    yield from _distribution(text)
    yield from _python(text)
    for line, match in text.matching(_GLIBC, "glibc"):
        yield say(names.OS_LIBC, f"glibc {match[1] or match[2]}", line)


def _kernel(text: Text) -> Statements:
    for line in text.having("linux ", "uname_result"):
        match = _UNAME_RESULT.search(line.text) or _UNAME.match(line.text)
        if match:
            yield say(names.OS_SYSTEM, match.groupdict().get("system") or "Linux", line)
            yield say(names.OS_MACHINE, match["machine"], line)
            if match.groupdict().get("system", "Linux") == "Linux":
                yield from kernel(match["kernel"], line)
    for line, match in text.matching(_PLATFORM, "linux-"):
        yield say(names.OS_SYSTEM, "Linux", line)
        yield say(names.OS_MACHINE, match["machine"], line)
        yield from kernel(match["kernel"], line)
        if match["libc"]:
            yield say(names.OS_LIBC, f"glibc {match['libc']}", line)
    for line, banner in text.matching(_BANNER, "linux version"):
        yield say(names.OS_SYSTEM, "Linux", line)
        yield from kernel(banner[1], line)
    for line, match in text.matching(_OF_WSL1, "-microsoft"):
        yield from kernel(match[0], line)
    yield from _mac(text)
    yield from _answered(text)


def _mac(text: Text) -> Statements:
    """Python's platform, the loader's words, and a wheel for no other system."""
    for line, _ in text.matching(_MAC, "macos-", "darwin-"):
        yield say(names.OS_SYSTEM, "Darwin", line)
    for line in text.having("mach-o file", ", 0x0006): tried: '", ", 0x000a): tried: '"):
        yield say(names.OS_SYSTEM, "Darwin", line)  # the loader of macOS
    for line, _ in text.matching(_FOLDERS_OF_MAC, "/library/"):
        yield say(names.OS_SYSTEM, "Darwin", line)
    others = any(each in text for each in ("manylinux", "win_amd64", "win32.whl", "linux_x86_64"))
    for line, _ in () if others else text.matching(_WHEEL_OF_MAC, "-macosx_"):
        yield say(names.OS_SYSTEM, "Darwin", line)


def _answered(text: Text) -> Statements:
    """``uname -m`` and ``-r``, and Windows in a prompt's banner or in Python's platform."""
    for line, _, answer in commands(text, "uname -m"):
        processor = _MACHINE.fullmatch(answer[0].text.strip()) if answer else None
        if processor:
            yield say(names.OS_MACHINE, _machine(processor), line)
    for line, _, answer in commands(text, "uname -r"):
        for each in answer[:1]:
            if re.match(r"(?a)\s*\d+\.\d+\.\S+\s*\Z", each.text):
                yield say(names.OS_SYSTEM, "Linux", line)
                yield from kernel(each.text.strip(), each)
    for line in text.having("windows"):
        if match := _WINDOWS.search(line.text) or _WINDOWS_BANNER.search(line.text):
            yield say(names.OS_SYSTEM, "Windows", line)
            yield say(names.OS_NAME, f"Windows {match[match.lastindex or 1]}", line)


def kernel(name: str, line: Line) -> Statements:
    """The kernel's release, and what its name says of WSL."""
    yield say(names.OS_KERNEL, name, line)
    if "microsoft-standard" in name.lower() or "wsl2" in name.lower():
        yield say(names.WSL_VERSION, 2, line)
    elif name.endswith("-Microsoft"):
        yield say(names.WSL_VERSION, 1, line)


def _distribution(text: Text) -> Statements:
    """os-release, lsb_release, the "OS:" of collect_env and of other reports."""
    for line in text.having("pretty_name", "distrib_description", "description:"):
        match = _RELEASE_FIELD.match(line.text)
        if match and (match[1] != "Description" or system_of(match[2])):
            yield from system(match[2], line)
    for line, match in text.matching(_OS, "os:", "os ", "platform"):
        yield from system(match[1], line)
    for line, match in text.matching(_ARCHITECTURE, "arch64", "arm64", "x86_64", "ppc64le"):
        yield say(names.OS_MACHINE, _machine(match), line)


def system(name: str, line: Line) -> Statements:
    """What a system's name, typed or printed, says: ``Ubuntu 20.04.6 LTS (WSL2)``."""
    name = _OTHER_BOOT.sub("", name)
    found = system_of(name)
    if found is None:
        return
    yield say(names.OS_SYSTEM, found, line)
    plain = re.sub(r"\s*\([Kk]ernel[^)]*\)", "", name).strip(" \"'")
    plain = _MORE.split(plain, maxsplit=1)[0]
    if plain.lower() not in _BARE and not plain.startswith(("Linux-", "uname_result")):
        yield say(names.OS_NAME, plain, line)
    if inside := _IN_CONTAINER.match(name):
        yield say(names.CONTAINER_KIND, inside[1].lower(), line)
    if found == "Linux" and (processor := _MACHINE.search(name)):
        yield say(names.OS_MACHINE, _machine(processor), line)
    if "wsl" in name.lower():
        yield say(names.WSL_VERSION, 1 if re.search(r"(?i)wsl ?1\b", name) else 2, line)


def _machine(match: re.Match[str]) -> str:
    """As Linux calls the processor that macOS and Windows call arm64."""
    return "aarch64" if match[1] else match[2].lower()


def system_of(name: str) -> str | None:
    """``Linux``, ``Windows``, ``Darwin``; None where the name is of no system that is known."""
    low = name.lower()
    if "wsl" in low:
        return "Linux"
    if low == "nt":  # Python's os.name
        return "Windows"
    if re.search(r"\bwin(?:dows|10|11|7|8)?\b(?!\w)|\bmicrosoft windows", low):
        inside = re.search(r"subsystem|bash on (?:ubuntu on windows|windows \(?ubuntu)", low)
        return "Windows" if inside is None else "Linux"
    if re.search(r"\bmac ?os|\bdarwin\b|\bos x\b|\bosx\b", low):
        return "Darwin"
    return "Linux" if any(re.search(rf"\b{re.escape(each)}", low) for each in _LINUXES) else None


def _python(text: Text) -> Statements:
    printed = False
    for line in text.having("python"):
        if match := _PYTHON.match(line.text):
            yield say(names.PYTHON_VERSION, Version(match["banner"]), line)
            printed = True
        elif match := _PYTHON_FIELD.match(line.text):
            yield say(names.PYTHON_VERSION, Version(match[1]), line)
            printed = True
        if "anaconda" in line.text.lower() and "packaged by" in line.text.lower():
            yield say(names.PYTHON_ENVIRONMENT, "conda", line)
    if not printed:
        yield from _python_told(text)
    for line, match in text.matching(_ON, "] on "):
        yield say(names.OS_SYSTEM, _SYSTEMS[match[1]], line)


def _python_told(text: Text) -> Statements:
    # Below one that it fetched it failed to find another; the last may be another Python's.
    failed = max((line.number for line in text.having("no matching distribution")), default=0)
    for line, wheel in text.matching(_WHEEL, "-cp3"):
        if line.number < failed:
            yield say(names.PYTHON_VERSION, Version.of(3, int(wheel[1])), line)
            break
    for line in text.having("deprecation: python", "using python", "use python", " (python "):
        if match := _PYTHON_TOLD.search(line.text):
            version = next(filter(None, match.groups()))
            yield say(names.PYTHON_VERSION, Version(version), line)
