"""An extension that does not fit is named, with both sides, and so is what brings it to fit."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.diagnosis.fixes.extensions import (
    rebuild_extension,
    rebuild_for_torch,
    torchvision_for,
)
from gpuprobe.diagnosis.questions.extensions.words import STATED, function_of, lacking
from gpuprobe.facts.version import Version
from support.pasted import finding, printed

_APART = (
    "RuntimeError: Detected that PyTorch and torch_sparse were compiled with different CUDA"
    " versions."
)
_PLUGIN = (
    "RuntimeError: JAX plugin jax_cuda12_plugin version 0.4.33 is installed, but it is not"
    " compatible with the installed jaxlib version 0.4.38, so it will not be used."
)


@pytest.mark.parametrize(
    ("pasted", "title"),
    [
        (
            "xFormers was built for:\n    PyTorch 2.0.1 (you have 2.1.0+cu121)",
            "xformers was built for torch 2.0.1; installed is torch 2.1.0+cu121",
        ),
        (
            "Could not find bitsandbytes: required library libbitsandbytes_cuda124.so not found",
            "bitsandbytes has no library for this CUDA: it looks for libbitsandbytes_cuda124.so",
        ),
        (
            "RuntimeError: operator torchvision::nms does not exist",
            "torchvision was built for another torch: its operator torchvision::nms is missing",
        ),
        (
            _APART + " PyTorch has CUDA version 11.0 and torch_sparse has CUDA version 10.1.",
            "torch_sparse was compiled with CUDA 10.1, torch with CUDA 11.0",
        ),
        (
            _APART,
            "torch_sparse was compiled with another CUDA than torch",
        ),
        (
            _PLUGIN,
            "the CUDA plugin of JAX is of release 0.4.33, jaxlib is 0.4.38",
        ),
        (
            "ModuleNotFoundError: No module named 'vllm._C'",
            "The compiled module vllm._C is missing: its package was installed without it",
        ),
    ],
)
def test_a_title_names_both_sides(pasted: str, title: str):
    assert finding(pasted).title == title


def test_no_title_repeats_a_whole_line():
    line = "WARNING: something long that a program printed, with a path /usr/lib/x and no versions"
    for each in STATED:
        if each.sign not in ("extension-symbol-untold", "triton-other-release"):
            assert "…" not in each.title(line)
            assert each.named(line)


_LONG = "_ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"


def test_a_long_symbol_is_told_by_its_function():
    assert function_of(_LONG) == "c10::Error::Error"
    assert lacking(_LONG) == "c10::Error::Error of the form that it calls"
    assert lacking("_ZN3c104cuda9SetDeviceEi") == "_ZN3c104cuda9SetDeviceEi"
    assert function_of("PyCapsule_New") == ""


_HALF = """
>>> from {} import _C
ImportError: libcudart.so.10.1: cannot open shared object file: No such file or directory
PyTorch version: 1.1.0
CUDA used to build PyTorch: 10.0.130
"""


@pytest.mark.parametrize(
    ("package", "who"), [("torchvision", "torchvision"), ("torch", "An extension")]
)
def test_who_imports_its_compiled_half_is_named(package: str, who: str):
    wanted = "asks for libcudart.so.10.1 (CUDA 10.1); torch was built with CUDA 10.0"
    assert finding(_HALF.format(package)).title == f"{who} {wanted}"


def test_what_is_there_in_place_of_another_is_not_known():
    symbol = "ImportError: flash_attn_2_cuda.so: undefined symbol: _ZNK3c106SymIntltEl\n"
    worked = "With pytorch 2.0.1{} the error is away, it came up when I trained."
    assert "the installed one" in finding(symbol + worked.format(" in place of 2.1.2")).title
    assert "torch 2.0.1" in finding(symbol + worked.format("")).title


@pytest.mark.parametrize(
    ("extension", "torch", "have", "command"),
    [
        (
            "torch_sparse",
            "torch 2.0.1+cu118",
            None,
            "-f https://data.pyg.org/whl/torch-2.0.1+cu118.html",
        ),
        ("torch_sparse", "torch 2.0.1", None, "--no-deps torch-sparse"),
        ("flash_attn_2_cuda", "torch 2.1.2", "2.5.8+cu12", "flash-attn==2.5.8"),
        (
            "xformers",
            "torch 2.1.0+cu121",
            None,
            "pip install torch==2.1.0 xformers --index-url https://download.pytorch.org/whl/cu121",
        ),
        ("xformers", None, None, "pip install torch==RELEASE xformers"),
        ("bitsandbytes", "torch 2.1.0", "0.41.1", "python -m bitsandbytes"),
    ],
)
def test_the_command_brings_what_fits(
    extension: str, torch: str | None, have: str | None, command: str
):
    assert rebuild_extension(extension, torch, have).commands[-1].endswith(command)


def test_xformers_for_a_torch_of_ones_own_is_not_on_an_index():
    assert rebuild_extension("xformers", "torch 2.2.0a0+81ea7a4").commands == ()


def test_torchvision_comes_from_where_torch_came_from():
    tagged = torchvision_for("2.4.0+cu121", "0.19").commands
    assert tagged[0].endswith(
        '"torchvision==0.19.*" --index-url https://download.pytorch.org/whl/cu121'
    )
    built = torchvision_for("2.4.0", "0.19", Version("12.1")).commands
    assert built == tagged
    assert torchvision_for("2.4.0", "0.19").commands[0].endswith('"torchvision==0.19.*"')
    assert torchvision_for("1.1.0", "0.3", Version("10.0")).commands == ()


def test_a_file_keeps_its_name_in_a_headline():
    report = str(
        gpuprobe.explain(
            "ModuleNotFoundError: No module named 'kaolin'\n" + _HALF.format("pytorch3d")
        )
    )
    assert "✗ pytorch3d asks" in report


def test_the_cuda_of_the_message_names_the_page_of_wheels():
    both = _APART + " PyTorch has CUDA version 11.0 and torch_sparse has CUDA version 10.1."
    for told, page in ((both, True), (_APART, False)):
        fix = finding("torch==1.7.1\n" + told).fix
        assert fix is not None
        assert fix.commands[0].endswith("torch-1.7.1+cu110.html") is page


def test_half_that_is_apexs() -> None:
    assert "NVIDIA/apex" in printed("torch 1.10\nModuleNotFoundError: No module named 'amp_C'")
    assert "NVIDIA/apex" in printed("No module named 'fused_layer_norm_cuda'")
    assert "apex" not in printed("No module named 'mmcv._ext'")


INSTALL = "pip install --force-reinstall --no-cache-dir --no-build-isolation --no-deps {}"


@pytest.mark.parametrize(
    ("extension", "package"),
    [
        ("flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so", "flash-attn"),
        ("flash_attn_2_cuda", "flash-attn"),
        ("torch_scatter", "torch-scatter"),
        ("libpyg.so", "pyg-lib"),
    ],
)
def test_a_module_is_named_by_its_package(extension: str, package: str):
    assert rebuild_extension(extension, "torch 2.3").commands == (INSTALL.format(package),)


@pytest.mark.parametrize(
    "extension",
    ["deform_conv_cuda.cpython-37m-x86_64-linux-gnu.so", "sgl_kernel", "the extension"],
)
def test_nothing_is_run_for_what_pip_does_not_know(extension: str):
    assert rebuild_extension(extension, None).commands == ()


def test_a_module_compiled_anew_leaves_torch_as_it_is() -> None:
    compiled = rebuild_for_torch("CUDA 11.7").commands[-1]
    assert compiled.endswith(INSTALL.format("."))


def test_dgl_is_brought_to_the_release_of_torch() -> None:
    advised = rebuild_extension("dgl", "torch 2.2.2+cu121")
    assert "built for torch 2.2.2+cu121" in advised.text
    assert "find_spec('dgl')" in advised.commands[0]


SYMBOL = "ImportError: {}: undefined symbol: _ZN3c104cuda9SetDeviceEi\n"


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("/build/_C.cpython-310-x86_64-linux-gnu.so", "Find which package brings _C.cpython"),
        ("/srv/env/lib/python3.10/site-packages/awq_ext.so", "Install the release of awq_ext"),
    ],
)
def test_no_release_of_a_file_is_asked_for(file: str, words: str) -> None:
    assert words in printed(SYMBOL.format(file))


def test_a_library_of_tensorflow_itself_is_no_extension() -> None:
    told = "NotFoundError: /usr/lib/python3/dist-packages/{}: undefined symbol: "
    told += "_ZN10tensorflow14kernel_factory17OpKernelRegistrar12InitInternalEPKNS_9KernelDefE"
    own = finding(told.format("tensorflow/core/kernels/libtfkernel_sobol_op.so")).title
    assert own.startswith("The module tensorflow comes from tensorflow and tensorflow of another")
    other = finding(told.format("tensorflow_text/core/pybinds/ops.so")).title
    assert other.startswith("tensorflow_text was built for another TensorFlow")
