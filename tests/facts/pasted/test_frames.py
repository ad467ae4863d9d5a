"""Code in a traceback and the error below it, read together."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names, said
from gpuprobe.facts.pasted import read

NVCC = '    raw_output = subprocess.check_output([cuda_dir + "/bin/nvcc", "-V"])\n'
NO_FOLDER = "TypeError: unsupported operand type(s) for +: 'NoneType' and 'str'"
SPLIT = '    torch_binary_major = torch.version.cuda.split(".")[0]\n'
NO_SPLIT = "AttributeError: 'NoneType' object has no attribute 'split'"


def test_folder_that_is_none_before_nvcc_is_an_unset_cuda_home():
    assert read(NVCC + NO_FOLDER).known(said.SIGN("cuda-home-unset")) is not None


def test_nvcc_that_ends_badly_is_no_unset_cuda_home():
    other = "subprocess.CalledProcessError: Command returned non-zero exit status 1."
    assert read(NVCC + other).known(said.SIGN("cuda-home-unset")) is None


@pytest.mark.parametrize(
    "pasted",
    [
        SPLIT + NO_SPLIT,
        (
            "    torch_cuda_version = parse(torch.version.cuda)\n"
            "TypeError: expected string or bytes-like object, got 'NoneType'"
        ),
    ],
)
def test_torch_whose_cuda_is_none_is_a_build_without_it(pasted: str):
    assert read(pasted).known(names.PACKAGE_BUILD("torch")) == "cpu"


@pytest.mark.parametrize("pasted", [SPLIT + "KeyError: 'cuda'", NO_SPLIT, SPLIT])
def test_either_line_alone_says_nothing_of_torch(pasted: str):
    assert names.PACKAGE_BUILD("torch").name not in read(pasted)


def test_empty_list_of_architectures_says_that_torch_sees_no_gpu():
    pasted = "    arch_list[-1] += '+PTX'\nIndexError: list index out of range"
    assert read(pasted).known(said.FRAMEWORK_SEES_GPU("torch")) is False
    assert read("arch_list[-1] += '+PTX'").known(said.FRAMEWORK_SEES_GPU("torch")) is None


def test_list_of_missing_dlls_is_read_below_its_heading():
    sign = said.SIGN("msvc-runtime-missing")
    assert read("It does not start. The missing dll:\n1) MSVCP140.dll\n").known(sign) is not None
    assert read("No missing dll any more\ncopied from MSVCP140.dll here").known(sign) is None
    assert read("The files:\n1) MSVCP140.dll\n").known(sign) is None


def test_cmakes_broken_compiler_is_read_over_several_lines():
    pasted = '  The CUDA compiler\n\n    "/usr/bin/nvcc"\n\n  is not able to compile a simple test'
    sign = said.SIGN("cmake-no-cuda-compiler")
    assert read(f"{pasted} program.").known(sign) is not None
    assert read(pasted.replace("CUDA", "C++") + " program.").known(sign) is None
