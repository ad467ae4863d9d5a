"""Machines whose driver works and whose framework cannot use it."""

from __future__ import annotations

from support.scenario import Expected, Package, Scenario


def torch(version: str, cuda: str | None) -> Package:
    """A PyTorch wheel, down to the file that says what it was built with."""
    text = (
        "from typing import Optional\n\n"
        "__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip']\n"
        f"__version__ = {version!r}\n"
        "debug = False\n"
        f"cuda: Optional[str] = {cuda!r}\n"
        "git_version = '0000000000000000000000000000000000000000'\n"
        "hip: Optional[str] = None\n"
    )
    return Package("torch", version, {"torch/version.py": text, "torch/__init__.py": ""})


TORCH_CU121 = torch("2.3.1+cu121", "12.1")
TORCH_CPU = torch("2.3.1+cpu", None)

CPU_ONLY_BUILD = Scenario(
    name="cpu-only-build",
    expect=Expected("broken", "cpu-only-build", "cpu-only-build"),
    packages=(TORCH_CPU,),
)
