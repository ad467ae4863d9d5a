"""Where the builds of a release of PyTorch's are, and what takes the place of another build."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.fixes.extensions import rebuild_extension, torchvision_for
from gpuprobe.diagnosis.fixes.framework import reinstall
from gpuprobe.diagnosis.fixes.python import requirement

INDEX, PAGE = "--index-url https://download.pytorch.org/whl", "torch_stable.html"


@pytest.mark.parametrize(
    ("name", "version", "place"),
    [
        ("torch", "1.11.0+cu113", f"{INDEX}/cu113"),
        ("torch", "1.10.2+cu113", PAGE),
        ("torch", "1.8.1+cpu", PAGE),
        ("torchvision", "0.12.0+cu113", f"{INDEX}/cu113"),
        ("torchvision", "0.11.3+cu113", PAGE),
        ("torchaudio", "0.10.2+cu113", PAGE),
        ("torch", "2.7.0.dev20250310+cu124", f"{INDEX[:-4]}/whl/nightly/cu124"),
        # Of PyPI, and of somebody's own build.
        ("torch", "2.3.1", ""),
        ("torch", "2.1.0a0+git1234", ""),
        ("torch-scatter", "2.1.2+pt23cu121", ""),
    ],
)
def test_a_release_is_on_an_index_or_on_the_older_page(name: str, version: str, place: str):
    asked = requirement(name, version)
    assert asked.startswith(f"{name}=={version}")
    assert asked.endswith(place)
    assert reinstall(name, version) == f"pip install {asked}"
    assert ("download.pytorch.org" in asked) is bool(place)


def test_of_the_older_page_the_cuda_is_named():
    paired = rebuild_extension("xformers", "torch 1.10.2+cu113").commands[1]
    assert paired.startswith("pip install torch==1.10.2+cu113 xformers -f ")
    newer = rebuild_extension("xformers", "torch 2.3.1+cu121").commands[1]
    assert newer == f"pip install torch==2.3.1 xformers {INDEX}/cu121"
    vision = torchvision_for("1.10.2+cu113", "0.11")
    assert vision.commands == ()
    assert PAGE in vision.text
    assert "+cu113" in vision.text
    assert torchvision_for("1.11.0+cu113", "0.12").commands[0].endswith(f"{INDEX}/cu113")
