"""No secret survives, equal stays equal, different stays different, and once is enough."""

from __future__ import annotations

import re
import string
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.diagnosis.model import (
    Checked,
    Diagnosis,
    Evidence,
    Finding,
    Fix,
    Link,
    MissingFact,
    Outcome,
    Placed,
    Proof,
    Role,
    Safety,
    Verdict,
)
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.facts.version import Version
from gpuprobe.report.identity import Identity
from gpuprobe.report.model import Report
from gpuprobe.report.redact import COMMON_NAMES, Redactor, redact_facts, redact_report
from support.samples import ALICE, RULES, SAMPLES, UUID_0, UUID_1, broken

HOME = "/home/"  # other people's homes are put together, so that no file names one
NAMES = st.text(string.ascii_lowercase, min_size=4, max_size=12).filter(
    lambda name: name not in COMMON_NAMES
)
UUIDS = st.uuids().map(str)
#: UUIDs that share long beginnings, which random ones never do.
ALIKE = st.tuples(st.sampled_from("ab"), st.text("01", min_size=20, max_size=20)).map(
    lambda drawn: str(uuid.UUID(f"5d2f{drawn[0] * 4}{drawn[1]}0000"))
)


def redact(text: str, identity: Identity = ALICE) -> str:
    return Redactor(identity, [text]).text(text)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("/home/alice/venv/bin/python", "~/venv/bin/python"),
        ("PATH=/home/alice", "PATH=~"),
        ("/home/alice-old/x", "/home/user-2/x"),
        ("/scratch/alice/run", "/scratch/user-1/run"),
        ("alices", "alices"),
        ("gpu-node-17: no device", "host-1: no device"),
        ("gpu-node-170", "gpu-node-170"),
        (r"C:\Users\carol\torch", r"C:\Users\user-2\torch"),
        ("/Users/carol/torch by carol", "/Users/user-2/torch by user-2"),
        ("mail a.b@example.org now", "mail address-1 now"),
        ("bob@node3:~$ nvidia-smi", "address-1:~$ nvidia-smi"),
        ("[bob@node3 ~]$ nvidia-smi", "[address-1 ~]$ nvidia-smi"),
        ("[root@node3 my work]# nvidia-smi", "[address-1 my work]# nvidia-smi"),
        ("(base) bob@MacBook ~ % nvidia-smi", "(base) address-1 ~ % nvidia-smi"),
        ("http://bob:secret@10.1.2.3:8080/simple", "http://address-1:8080/simple"),
        ("https://__token__:secret@localhost/x", "https://address-1/x"),
        ("git+https://secret@example.org/x.git@main", "git+https://address-1/x.git@main"),
        (r"c:\users\carol\torch", r"c:\users\user-2\torch"),
        (r"C:\Users\Carol Jones\torch, says Carol", r"C:\Users\user-3\torch, says user-2"),
        (r"C:\\Users\\Carol Jones\\torch", r"C:\\Users\\user-3\\torch"),
        ("-L/home/alice/lib", "-L~/lib"),
        ("from 10.1.2.3:8080", "from address-1:8080"),
        ("fe80::1ff:fe23:4567:890a up", "address-1 up"),
        ("inet6 2001:db8:12:34::/64 global", "inet6 address-1/64 global"),
        ("2001:db8::", "address-1"),
        ("from ::ffff:10.1.2.3:80", "from address-1:80"),
        ("64:ff9b::10.1.2.3", "address-1"),
        ("ssh bob@10.1.2.3 nvidia-smi", "ssh address-1 nvidia-smi"),
        ("uid=1001(bob) gid=1001(bob), bob", "uid=1001(user-2) gid=1001(user-2), user-2"),
        ("euid=1(corp\\bob) at bob", "euid=1(user-2) at user-3"),
        (
            "groups=1001(bob),27(sudo),44(video),2001(blue lab) of bob",
            "groups=1001(user-2),27(sudo),44(video),2001(user-3) of user-2",
        ),
        ("ether 02:42:ac:11:00:02", "ether address-1"),
        ("link/infiniband 00:00:10:49:fe:80:00:00:00:00:04:3f:72:03", "link/infiniband address-1"),
        ("Physical Address: 02-42-AC-11-00-02", "Physical Address: address-1"),
        ("Serial Number : 1652222012345", "Serial Number : serial-1"),
        ("GPU-5d2f9a7c-1b7e", "GPU-5d2f9a7c-0000"),
        ("MIG-5d2f9a7c-1b7e-4c3d-9e0f-a1b2c3d4e5f6", "MIG-5d2f9a7c-0000-0000-0000-000000000000"),
        ("id 5d2f9a7c-1b7e-4c3d-9e0f-a1b2c3d4e5f6", "id 5d2f9a7c-0000-0000-0000-000000000000"),
    ],
)
def test_secret_is_replaced(text: str, redacted: str):
    assert redact(text) == redacted


@pytest.mark.parametrize(
    "text",
    [
        HOME + "ubuntu/x",
        "/usr/local/cuda/lib64/stubs/libcuda.so",
        "0000:01:00.0 and 00000000:01:00.0",
        "GPU-5d2f9a7c",
        "libcublas.so.12.1.3.1",
        "nvidia_cublas_cu12-12.1.3.1.dist-info",
        "c10::Error at::native::add std::string",
        "12:30:45",
        "2024-01-02-03-04-05",
        "at::/1 and std::add::",
        "uid=0(root) groups=0(root),44(video),65534(nogroup)",
        "127.0.0.1 and ::1",
        "torch==2.4.1+cu121",
        "cuda@12.4",
        "spack load cuda@12.4 gcc % x",
        "pip install git+https://github.com/x/y@v1.0",
        "serial execution",
    ],
)
def test_what_tells_of_nobody_is_kept(text: str):
    assert redact(text) == text


def test_home_of_root_is_no_part_of_another_path():
    home = "/root"
    identity = Identity(("root",), (), (home,))
    other = f"/mnt{home}/a /proc/1{home}/b"
    assert redact(f"{other}:{home}/c", identity) == f"{other}:~/c"


def test_version_that_looks_like_an_address_is_kept_where_it_is_known_as_one():
    facts = Facts(
        {
            "package.nvidia-cublas-cu12.version": Known("12.1.3.1", "pip"),
            "os.name": Known("asked 12.1.3.1 and 12.1.3.2", "log"),
        }
    )
    redacted = redact_facts(facts, Identity())
    assert redacted["package.nvidia-cublas-cu12.version"] == Known("12.1.3.1", "pip")
    assert redacted["os.name"] == Known("asked 12.1.3.1 and address-1", "log")


def test_all_three_kinds_of_facts_are_redacted():
    facts = Facts(
        {
            "os.name": Absent("/home/alice/x"),
            "os.kernel": Unknown("alice may not read it"),
            "container.nvidia_traces": Known(("/home/alice/y", "z"), "gpu-node-17"),
            "driver.version": Known(Version("535.104.05"), "/home/alice"),
        }
    )
    assert dict(redact_facts(facts, ALICE)) == {
        "os.name": Absent("~/x"),
        "os.kernel": Unknown("user-1 may not read it"),
        "container.nvidia_traces": Known(("~/y", "z"), "host-1"),
        "driver.version": Known(Version("535.104.05"), "~"),
    }


def test_serial_number_is_told_by_its_fact_or_by_its_label():
    facts = Facts({"gpu.0.serial": Known("1652222004738", "Serial Number : 1652222004738")})
    once = redact_facts(facts, ALICE)
    assert once["gpu.0.serial"] == Known("serial-1", "Serial Number : serial-1")
    assert redact_facts(once, ALICE)["gpu.0.serial"] == once["gpu.0.serial"]


def test_placeholder_of_an_earlier_redaction_is_not_given_again():
    text = f"{HOME}user-1/a {HOME}carol/b"
    assert redact(text, Identity()) == f"{HOME}user-1/a {HOME}user-2/b"


@given(NAMES, NAMES, st.sampled_from(["{0}/{1}", "{0} on {1}", "({0}) {1}:", "/opt/{0}/{1}.log"]))
def test_no_name_survives(user: str, host: str, form: str):
    identity = Identity((user,), (host,), (HOME + user,))
    text = redact(form.format(user, host) + f" {HOME}{user}/x", identity)
    assert not re.search(rf"\b({user}|{host})\b", text)


@given(UUIDS)
def test_no_tail_of_a_uuid_survives(number: str):
    redacted = redact(f"GPU-{number}")
    assert redacted.startswith(f"GPU-{number[:8]}-")
    assert set(redacted[13:]) <= {"0", "-"}


@given(st.lists(ALIKE, min_size=2, max_size=6))
def test_uuids_stay_equal_or_different(numbers: list[str]):
    redactor = Redactor(Identity())
    redacted = [redactor.text(f"GPU-{number}") for number in numbers]
    assert len(set(redacted)) == len(set(numbers))
    pairs = dict(zip(numbers, redacted, strict=True))
    assert [pairs[number] for number in numbers] == redacted


@given(st.lists(ALIKE, min_size=1, max_size=4), ALIKE, st.integers(8, 36))
def test_prefix_stays_a_prefix_of_the_same_uuids(numbers: list[str], other: str, length: int):
    prefix = f"GPU-{other}"[: 4 + length].rstrip("-")
    whole = [f"GPU-{number}" for number in numbers]
    redactor = Redactor(Identity())
    short, *long = map(redactor.text, [prefix, *whole])
    assert [text.startswith(short) for text in long] == [text.startswith(prefix) for text in whole]


@given(st.text() | st.sampled_from([UUID_0, "/home/alice/x", "a@b.org", "10.9.8.7"]))
def test_redaction_is_idempotent(text: str):
    once = redact(text)
    assert redact(once) == once


@given(st.lists(NAMES, min_size=2, max_size=5, unique=True))
def test_different_people_stay_different(people: list[str]):
    text = " ".join(f"{HOME}{name}/x" for name in people)
    assert len(set(redact(text, Identity()).split())) == len(people)


@pytest.mark.parametrize("name", SAMPLES)
def test_redacted_facts_give_the_same_judgement(name: str):
    report = SAMPLES[name]()
    judged = diagnose(report.redacted().facts, RULES)
    assert judged.verdict is report.verdict
    assert handles(judged) == handles(report.diagnosis)


def handles(diagnosis: object) -> list[tuple[str, object]]:
    return [(each.rule.code, each.role) for each in diagnosis.placed]  # type: ignore[attr-defined]


def test_findings_and_facts_are_redacted_alike():
    report: Report = broken().redacted()
    [mask] = [
        fact.value
        for name, fact in report.facts.items()
        if name == "env.CUDA_VISIBLE_DEVICES" and isinstance(fact, Known)
    ]
    uuids = [fact.value for name, fact in report.facts.items() if name.endswith(".uuid")]  # type: ignore[union-attr]
    assert str(uuids[1]).startswith(str(mask).split(",")[0])
    assert UUID_1 not in str(report)


@pytest.mark.parametrize("name", SAMPLES)
def test_report_redacted_twice_is_the_same(name: str):
    once = SAMPLES[name]().redacted()
    assert once.redacted().to_dict(redact=False) == once.to_dict(redact=False)


@pytest.mark.parametrize(
    "secret",
    [
        "/home/alice/work/run.py", "/home/alice/run.py", "by alice", "on gpu-node-17",
        "on gpu-node-17.example.org", UUID_0, "from 10.1.2.3",
    ],
)  # fmt: skip
def test_no_text_of_a_report_keeps_a_secret(secret: str):
    def told(what: str) -> str:
        return f"{what}: {secret}"

    fix = Fix(told("fix"), (told("command"),), Safety.ADMIN, told("undo"))
    evidence = (Evidence("libcuda.path", told("value"), told("source")),)
    finding = Finding(told("title"), evidence, fix, subject=told("subject"))
    [rule, *_] = RULES
    diagnosis = Diagnosis(
        Verdict.BROKEN,
        (Placed(rule, finding, Role.ROOT),),
        (
            Checked(rule, Outcome.FOUND, (finding,)),
            Checked(rule, Outcome.COULD_NOT_LOOK, missing=MissingFact("x", told("why"), "how")),
            Checked(rule, Outcome.CRASHED, trouble=told("trouble")),
        ),
        Proof(Link.WORK, told("proof"), told("its source")),
    )
    facts = Facts({"libcuda.path": Known(told("a"), told("b")), "nvml.path": Unknown(told("c"))})
    identity = Identity(
        ("alice",), ("gpu-node-17.example.org",), ("/home/alice", "/home/alice/work")
    )
    report = Report(
        diagnosis, facts, "text", {"GPUPROBE_ROOT": told("d")}, identity, {"line 1": told("e")}
    )
    assert secret in everything(report)
    shown = everything(redact_report(report))
    words = ("alice", "work/", "gpu-node", "1b7e-4c3d", "10.1.2.3")
    assert [word for word in words if word in shown] == []


def everything(report: Report) -> str:
    """All texts of a report, as it holds them."""
    return repr((report.diagnosis, dict(report.facts), report.overrides, report.quotes))
