"""Hide who and where, keep what matters: names, homes, hosts, addresses, serials, UUID tails.

One `Redactor` serves one document. Equal texts stay equal, different ones stay different, a
prefix of a UUID stays a prefix of the same UUIDs, and what was redacted once is left alone; so
the rules come to the same verdict before and after.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ..diagnosis.model import Checked, Evidence, Finding, MissingFact
from ..facts.model import Absent, Fact, Facts, Known, Unknown, Value
from ..facts.version import Version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .identity import Identity
    from .model import Report


#: Names that tell nothing of a person. To replace "cuda" or "nvidia" in paths would hide what
#: the report is about.
_COMMON_NAMES = """
root user users admin administrator nobody nogroup ubuntu debian fedora centos rocky arch linux
windows darwin macos wsl docker podman lxc kubernetes nvidia cuda cudnn nvml gpu gpus torch
pytorch tensorflow jax jaxlib cupy onnxruntime numpy conda miniconda anaconda mamba python pip
venv jovyan vscode codespace runner ec2-user azureuser default public shared localhost home opt
usr local lib bin dev proc sys etc tmp var mnt test none true false absent unknown usable missing
right wrong failed hung crashed driver kernel module package machine process
"""
COMMON_NAMES = frozenset(_COMMON_NAMES.split())
_SHORTEST_NAME = 3

_PLACEHOLDER = re.compile(r"\b(user|host|address|serial)-(\d+)\b")
_OWNER = r"[^\s/\\:;,'\"]+"
_WINDOWS_HOMES = r"\b[A-Za-z]:[\\/]+(?i:Users)[\\/]+"
_HOME_OF = re.compile(rf"(?:/home/|/Users/|{_WINDOWS_HOMES})({_OWNER})")
#: A name of several words, which the next part of the path ends.
_LONG_HOME_OF = re.compile(rf"{_WINDOWS_HOMES}({_OWNER}(?: {_OWNER}){{1,3}})\\")
#: What `id` prints. Groups below 1000 are the system's (video, docker), and no team's.
_USER_OF_ID = re.compile(r"\be?[ug]id=\d+\(([^()\n]{1,64})\)")
_GROUPS_OF_ID = re.compile(r"\bgroups=((?:\d+(?:\([^()\n]{1,64}\))?,?)+)")
_GROUP_OF_ID = re.compile(r"\b\d{4,}\(([^()]+)\)")
_UUID = re.compile(
    r"\b((?:GPU|MIG)-[0-9a-f]{8}|[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b))"
    r"((?:-[0-9a-f]{1,12})+)(?![0-9a-z])",
    re.IGNORECASE,
)
_SERIAL = re.compile(
    r"(\bserial(?:[ _-]?(?:number|no))?\b\W{0,20}?[:=]\s*)([A-Za-z0-9-]{4,})", re.IGNORECASE
)
_ADDRESS = re.compile(
    r"(?<=://)[^\s/'\"]+@[^\s/:'\"]+"  # a URL with a user, and often a password
    r"|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b"  # e-mail
    r"|(?<![\w.+-])[\w.+-]+@[\w.-]+(?=:[~/])"  # a shell's prompt: bash on Debian
    r"|(?<=\[)[\w.+-]+@[\w.-]+(?= [^\]\n]{1,80}\][$#])"  # on Red Hat
    r"|(?<![\w.+-])[\w.+-]+@[A-Za-z][\w.-]*(?= \S+ % )"  # zsh
    r"|(?<=\bssh )[\w.+-]+@[\w.-]+"
    r"|(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\w)"  # IPv4
    r"|(?<![\w:.])(?:(?:[0-9a-f]{1,4}:){1,5}|:):(?:[0-9a-f]{1,4}:){0,4}"
    r"\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\w)"  # IPv4 as the end of an IPv6
    r"|(?<![\w:.])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])"  # IPv6
    r"|(?<![\w:.])(?=[0-9a-f:]*\d)(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::"
    r"[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6}(?![\w:])"  # IPv6, shortened
    r"|(?<![\w:.])[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6}::(?=/\d{1,3}\b)"  # of a network
    r"|(?<![\w:.])(?=[0-9a-f:]*\d)[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){1,6}::(?![\w:])"
    r"|(?<![\w:.])(?:[0-9a-f]{2}:){5,19}[0-9a-f]{2}(?![\w:])"  # MAC, up to InfiniBand's
    r"|(?<![\w:.-])(?:[0-9a-f]{2}-){5}[0-9a-f]{2}(?![\w-])",  # MAC, as Windows writes it
    re.IGNORECASE,
)

#: In HTML of ours all else is text, in which `<` is escaped.
_TAG = re.compile(r"(<style>[^<]*</style>|<[^<>]*>)")


class Redactor:
    """Replaces consistently within one document, whose `texts` it is shown beforehand."""

    def __init__(self, identity: Identity, texts: Iterable[str] = (), keep: Iterable[str] = ()):
        self._given: dict[tuple[str, str], str] = {}
        self._branches: dict[str, dict[str, str]] = {}
        self._keep = frozenset(keep)  # versions such as 12.1.3.1, which look like IPv4 addresses
        texts = tuple(texts)
        self._taken = {found.group(0) for text in texts for found in _PLACEHOLDER.finditer(text)}
        homes = {home.rstrip("/\\") for home in identity.homes}
        self._homes = [
            home_pattern(each) for each in sorted(homes, key=len, reverse=True) if each[1:]
        ]
        owners = (name for text in texts for name in _owners(text))
        users = [name for name in (*identity.users, *owners) if _is_telling(name)]
        hosts = [name for name in identity.hosts if _is_telling(name)]
        hosts += [host.partition(".")[0] for host in hosts if _is_telling(host.partition(".")[0])]
        self._names = {name: self._label("user", name) for name in users}
        self._names |= {name: self._label("host", name) for name in hosts}
        self._name_pattern = _words(self._names)

    def text(self, text: str) -> str:
        """`text` without what it tells of people and places."""
        for home in self._homes:
            text = home.sub("~", text)
        text = _UUID.sub(self._uuid, text)
        text = _SERIAL.sub(lambda found: found[1] + self._label("serial", found[2]), text)
        text = _ADDRESS.sub(self._address, text)
        if self._name_pattern is not None:
            text = self._name_pattern.sub(lambda found: self._names[found[0]], text)
        return text

    def page(self, page: str) -> str:
        """HTML of ours, redacted between its tags, whose attributes tell nothing of a machine."""
        parts = _TAG.split(page)
        parts[::2] = [html.escape(self.text(html.unescape(part))) for part in parts[::2]]
        return "".join(parts)

    def plain(self, document: dict[str, object]) -> dict[str, object]:
        """What JSON knows, with redacted texts; the names of fields are kept."""
        return {name: self._plain(value) for name, value in document.items()}

    def _plain(self, value: object) -> object:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return self.plain(value)
        return [self._plain(each) for each in value] if isinstance(value, list | tuple) else value

    def facts(self, facts: Facts) -> Facts:
        """`facts` with redacted values, sources and reasons; names and numbers are kept."""
        return Facts({name: self.fact(name, fact) for name, fact in facts.items()})

    def evidence(self, evidence: Evidence) -> Evidence:
        """The same evidence, redacted."""
        value = evidence.value
        if not _is_version_name(evidence.fact):
            value = self.text(value)
        return Evidence(evidence.fact, value, self.text(evidence.source))

    def finding(self, finding: Finding) -> Finding:
        """The same finding, redacted in all its texts."""
        fix = finding.fix
        fix = replace(
            fix,
            text=self.text(fix.text),
            commands=tuple(self.text(command) for command in fix.commands),
            undo=None if fix.undo is None else self.text(fix.undo),
        )
        return replace(
            finding,
            title=self.text(finding.title),
            subject=self.text(finding.subject),
            evidence=tuple(self.evidence(each) for each in finding.evidence),
            fix=fix,
        )

    def fact(self, name: str, fact: Fact[Value]) -> Fact[Value]:
        """One of them."""
        if isinstance(fact, Unknown):
            return Unknown(self.text(fact.reason))
        if isinstance(fact, Absent):
            return Absent(self.text(fact.source))
        return Known(self._value(name, fact.value), self.text(fact.source))

    def _value(self, name: str, value: Value) -> Value:
        if isinstance(value, str):
            if name.endswith(".serial"):
                return self._label("serial", value)
            return value if _is_version_name(name) else self.text(value)
        if isinstance(value, tuple):
            return tuple(self.text(item) for item in value)
        return value

    def _uuid(self, found: re.Match[str]) -> str:
        """Number the branches of all tails seen so far: what shares a prefix goes on sharing it."""
        path, tail = found[1].lower(), ""
        for char in found[2].lower():
            if char == "-":
                tail += char
                continue
            branches = self._branches.setdefault(path, {})
            tail += branches.setdefault(char, f"{len(branches):x}")
            path += char
        return found[1] + tail

    def _address(self, found: re.Match[str]) -> str:
        text = found[0]
        local = text.startswith("127.") or text in {"0.0.0.0", "::1"}  # noqa: S104
        return text if local or text in self._keep else self._label("address", text)

    def _label(self, kind: str, secret: str) -> str:
        if _PLACEHOLDER.fullmatch(secret):
            return secret
        given = self._given.get((kind, secret))
        if given is None:
            number = 1
            while f"{kind}-{number}" in self._taken:
                number += 1
            given = self._given[kind, secret] = f"{kind}-{number}"
            self._taken.add(given)
        return given


def home_pattern(home: str) -> re.Pattern[str]:
    """A home folder in a text: not /mnt/root where it is /root, but also that of -L/root/lib."""
    return re.compile(rf"(?:(?<![\w.~-])|(?<=-[A-Za-z])){re.escape(home)}(?![\w.-])")


def _owners(text: str) -> Iterator[str]:
    """Names of people and teams that a text tells by its form."""
    for pattern in (_HOME_OF, _LONG_HOME_OF):
        yield from (found[1] for found in pattern.finditer(text))
    for found in _USER_OF_ID.finditer(text):
        yield found[1]
        yield found[1].rpartition("\\")[2]  # of a domain's user
    for groups in _GROUPS_OF_ID.finditer(text):
        yield from (found[1] for found in _GROUP_OF_ID.finditer(groups[1]))


def _is_telling(name: str) -> bool:
    common = name.lower() in COMMON_NAMES or _PLACEHOLDER.fullmatch(name)
    return len(name) >= _SHORTEST_NAME and not common


def _words(names: Iterable[str]) -> re.Pattern[str] | None:
    longest_first = sorted(names, key=len, reverse=True)
    if not longest_first:
        return None
    either = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?<![A-Za-z0-9])(?:{either})(?![A-Za-z0-9])")


def _is_version_name(fact: str) -> bool:
    return fact.endswith((".version", ".cuda"))


def redact_facts(facts: Facts, identity: Identity) -> Facts:
    """`facts` for other eyes: what a snapshot holds."""
    return Redactor(identity, texts_of(facts), versions_of(facts)).facts(facts)


def redact_report(report: Report) -> Report:
    """`report` for other eyes; facts and findings are redacted alike."""
    texts = (*texts_of(report.facts), *report.overrides.values(), *report.quotes.values())
    redactor = Redactor(report.identity, texts, versions_of(report.facts))
    diagnosis, proof = report.diagnosis, report.diagnosis.proof
    diagnosis = replace(
        diagnosis,
        placed=tuple(replace(p, finding=redactor.finding(p.finding)) for p in diagnosis.placed),
        checks=tuple(_checked(check, redactor) for check in diagnosis.checks),
        proof=None
        if proof is None
        else replace(
            proof, sentence=redactor.text(proof.sentence), source=redactor.text(proof.source)
        ),
    )
    return replace(
        report,
        facts=redactor.facts(report.facts),
        diagnosis=diagnosis,
        overrides={name: redactor.text(value) for name, value in report.overrides.items()},
        quotes={source: redactor.text(line) for source, line in report.quotes.items()},
    )


def _checked(check: Checked, redactor: Redactor) -> Checked:
    missing = check.missing
    return replace(
        check,
        findings=tuple(redactor.finding(finding) for finding in check.findings),
        missing=None
        if missing is None
        else MissingFact(missing.fact, redactor.text(missing.reason), missing.how),
        trouble=None if check.trouble is None else redactor.text(check.trouble),
    )


def texts_of(facts: Facts) -> Iterator[str]:
    """All texts of facts: values, sources, reasons."""
    for fact in facts.values():
        if isinstance(fact, Unknown):
            yield fact.reason
            continue
        yield fact.source
        if isinstance(fact, Known) and isinstance(fact.value, str):
            yield fact.value
        elif isinstance(fact, Known) and isinstance(fact.value, tuple):
            yield from fact.value


def texts_of_page(page: str) -> Iterator[str]:
    """All texts of HTML of ours, between its tags."""
    yield from map(html.unescape, _TAG.split(page)[::2])


def texts_of_plain(value: object) -> Iterator[str]:
    """All texts of what JSON knows."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_of_plain(each)


def versions_of(facts: Facts) -> Iterator[str]:
    """The values that are known to be versions, and may look like addresses."""
    for name, fact in facts.items():
        if isinstance(fact, Known) and (isinstance(fact.value, Version) or _is_version_name(name)):
            yield str(fact.value)
