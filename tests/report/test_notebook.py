"""What a notebook keeps of a display is redacted; what a user prints is not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from gpuprobe.comparison.compare import compare
from gpuprobe.compute.verification import Step, Verification
from gpuprobe.device import devices_in
from gpuprobe.facts.model import Facts, Known
from gpuprobe.knowledge.visible_devices.predictor import predict
from gpuprobe.libraries import Survey
from gpuprobe.memory.holders import holders_in
from gpuprobe.report.html import style
from gpuprobe.visible.explanation import Explanation
from support.html import Tags
from support.samples import ALICE, UUID_0, UUID_1, broken, healthy

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = "/home/alice"
TAIL_0, TAIL_1 = UUID_0[13:], UUID_1[13:]
PROCESSES = (f"{HOME}/venv/bin/python (process 4711): 512 MiB",)


def shown() -> Iterator[Any]:
    more = {"gpu.0.processes": Known(PROCESSES, "NVML")}
    device = devices_in(Facts({**healthy().facts, **more}))[0]
    yield device
    yield holders_in([device])[0]
    yield Explanation(UUID_0, predict(UUID_0, None), seen=(UUID_0,), unseen=f"{HOME}/lib is empty")
    yield Verification("gpu", (Step("matmul", "not run", why=f"no {HOME}/lib for {UUID_0}"),), 1)
    yield Survey((), (f"torch gets {HOME}/lib of {UUID_0}",), (), ("LD_LIBRARY_PATH",))
    yield compare(healthy(), broken(), labels=(f"{HOME}/a.json", "b"), everything=True)


#: What JupyterLab sets for tables in outputs, and the classes that its rule has.
OF_JUPYTERLAB = [
    ("table", "table-layout", 1),
    ("td", "text-align", 2),
    ("th", "text-align", 2),
    ("tbody tr", "background", 2),
]


@pytest.mark.parametrize(("element", "prop", "classes"), OF_JUPYTERLAB)
def test_tables_look_as_ours_in_jupyterlab(element: str, prop: str, classes: int):
    """Of two rules that are as strong the later one counts, and ours comes with the output."""
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", style(), flags=re.DOTALL))
    ours = [
        selector.strip()
        for selectors, declared in rules
        if re.search(rf"(?:^|[\s;]){prop}:", declared)
        for selector in selectors.split(",")
    ]
    assert ".gpuprobe" * classes + f" {element}" in ours


@pytest.fixture(autouse=True)
def alice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", HOME)
    monkeypatch.setenv("USER", *ALICE.users)


@pytest.mark.parametrize("one", tuple(shown()), ids=lambda one: type(one).__name__)
def test_notebook_keeps_no_home_and_no_tail_of_a_uuid(one: Any) -> None:
    bundle = one._repr_mimebundle_()
    kept = str(bundle) + one._repr_html_() + pretty(one)
    assert "alice" in str(one) or TAIL_0 in str(one)
    assert not [word for word in ("alice", TAIL_0, TAIL_1) if word in kept]
    assert bundle["text/plain"] == pretty(one)
    assert Tags(bundle["text/html"]).open == []


@pytest.mark.parametrize("where", range(60, 90))
def test_name_that_a_line_breaks_is_hidden_as_well(where: int) -> None:
    long = "/" + "x" * where + HOME
    found = Verification("gpu", (Step("matmul", "not run", why=f"{long} is empty"),), 1)
    told = Explanation("0", predict("0", None), unseen=f"{long} is empty")
    for one in (found, told):
        assert "ali" not in "".join(pretty(one).split())


def test_user_who_is_called_like_a_tag_breaks_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "style")
    device, *_ = shown()
    assert "<style>" in device._repr_html_()
    assert 'class="gpuprobe"' in device._repr_html_()


class Printer:
    """Stands for IPython's, which prints the parts of a tuple so."""

    def __init__(self) -> None:
        self.printed = ""

    def text(self, text: str) -> None:
        self.printed += text


def pretty(one: Any) -> str:
    printer = Printer()
    assert "_repr_pretty_" in vars(type(one)), "IPython takes __repr__ of the class before it"
    one._repr_pretty_(printer, cycle=False)
    return printer.printed
