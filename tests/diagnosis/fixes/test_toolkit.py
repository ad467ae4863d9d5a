"""Which toolkit a fix names, where it goes, and what goes with it on each system."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import commands, finding, fix, printed

GCC = "Cuda 9.0, gcc {}\nhost_config.h:119:2: error: #error -- unsupported GNU version! gcc "
GCC += "versions later than {} are not supported!"


@pytest.mark.parametrize(
    ("there", "limit", "suffix"), [("5.5", "6", "g++-5"), ("4.8", "4.9", "g++-4.8")]
)
def test_gcc_that_nvcc_takes_needs_no_other(there: str, limit: str, suffix: str) -> None:
    pasted = GCC.format(there, limit)
    assert "the build uses a newer one" in finding(pasted).title
    assert suffix in printed(pasted)
    assert "install" not in printed(pasted)


@pytest.mark.parametrize(("there", "limit"), [("7.3", "6"), ("4.9", "4.8")])
def test_gcc_that_nvcc_refuses(there: str, limit: str) -> None:
    assert finding(GCC.format(there, limit)).title == f"nvcc refuses the host compiler gcc {there}"


OTHER = """RuntimeError:
The detected CUDA version ({0}) mismatches the version that was used to compile
PyTorch ({1}). Please make sure to use the same CUDA versions.
"""


def test_the_release_of_the_framework_has_a_folder_of_its_own():
    text = OTHER.format("12.2", "11.7")
    assert fix(text).commands[:2] == (
        "conda install -c nvidia/label/cuda-11.7.0 cuda-toolkit",
        "export CUDA_HOME=$CONDA_PREFIX",
    )
    assert "/usr/local/cuda-11.7" in fix(text).text


def test_conda_has_no_toolkit_so_old():
    assert "conda install" not in commands(OTHER.format("11.8", "10.2"))
    assert "--toolkitpath=$HOME/cuda-10.2" in commands(OTHER.format("11.8", "10.2"))
    assert "cuda-11.3.0" in commands(OTHER.format("11.8", "11.3"))


NVCC = "Cuda compilation tools, release {0}, V{0}.89\n"


def test_the_toolkit_that_fits_is_there_and_the_build_takes_another():
    text = OTHER.format("10.1", "11.8") + NVCC.format("11.8")
    assert finding(text).title == (
        "The build takes CUDA 10.1, the framework was built with 11.8; nvcc of 11.8.89 is installed"
    )
    assert "which nvcc" in commands(text)
    other = OTHER.format("10.1", "11.8") + NVCC.format("10.1")
    assert "conda install" in commands(other)


UNSET = (
    "OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.\n"
)


def test_torch_tells_the_release_of_the_toolkit():
    assert "cuda-$(python -c" in commands("import torch\n" + UNSET)


def test_on_windows_the_compiler_of_c_goes_with_it():
    text = "building flash_attn for torch\nPS C:\\Users\\me> pip install flash-attn\n" + UNSET
    assert "Microsoft.VisualStudio.2022.BuildTools" in commands(text)
    assert "export" not in commands(text)
    assert "BuildTools" not in commands(text.replace("PS C:\\Users\\me>", "$"))


def test_cupy_reads_another_variable():
    text = "cupy-cuda11x==12.0.0\nfatal error: cuda_runtime.h: No such file or directory\n"
    assert "export CUDA_PATH=" in commands(text)
    assert "export CUDA_HOME=" in commands(text.replace("cupy-cuda11x==12.0.0\n", ""))


def test_without_a_framework_the_driver_tells_what_it_serves():
    text = "No CMAKE_CUDA_COMPILER could be found.\n"
    smi = "NVIDIA-SMI 550.54.14    Driver Version: 550.54.14    CUDA Version: 12.4\n"
    assert "cuda-12.4.0" in commands(smi + text)
    assert "cuda-12" not in commands(text)
    assert "sudo apt install nvidia-cuda-toolkit" in commands("OS: Ubuntu 22.04\n" + text)


def test_what_the_toolkit_has_dropped_is_left_out():
    text = "GPU 0: NVIDIA GeForce GTX 1050 (UUID: GPU-1)\n" + NVCC.format("11.1")
    text += "nvcc fatal   : Unsupported gpu architecture 'compute_30'\n"
    assert finding(text).title.endswith("no longer compiles for compute capability 3.0")
    assert "-DCMAKE_CUDA_ARCHITECTURES=61" in commands(text)


REFUSED = "torch 1.5.1\nCUDA: {}\nnvcc fatal   : Unsupported gpu architecture '{}'\n"


def test_a_toolkit_that_knows_what_nvcc_refuses_is_not_the_one_at_work() -> None:
    told = finding(REFUSED.format("10.2", "compute_30"))
    assert told.title == (
        "nvcc refuses compute capability 3.0, for which CUDA 10.2 compiles: the nvcc of another "
        "CUDA is at work"
    )
    assert ruled(REFUSED.format("10.2", "compute_30")) == "toolkit-mismatch"
    assert told.fix.commands[:2] == ("which -a nvcc", "export CUDA_HOME=/usr/local/cuda-10.2")
    windows = finding("OS: Windows 10\n" + REFUSED.format("12.9", "sm_120"))
    assert windows.fix.commands[0] == "where.exe nvcc"


@pytest.mark.parametrize(
    ("cuda", "arch", "title"),
    [
        ("11.1", "compute_30", "CUDA 11.1 no longer compiles for compute capability 3.0"),
        ("11.8", "compute_100", "CUDA 11.8 does not yet compile for compute capability 10.0"),
        ("11.8", "compute_90a", "CUDA 11.8 does not yet compile for compute capability 9.0a"),
    ],
)
def test_an_architecture_that_the_named_toolkit_does_not_know(cuda: str, arch: str, title: str):
    assert finding(REFUSED.format(cuda, arch)).title == title


@pytest.mark.parametrize(("gcc", "option"), [("6", "-ccbin g++-6"), ("11", "NVCC_PREPEND_FLAGS")])
def test_a_host_compiler_by_the_age_of_the_toolkit(gcc: str, option: str):
    text = f"#error -- unsupported GNU version! gcc versions later than {gcc} are not supported!\n"
    assert finding(text).title == f"nvcc takes gcc up to {gcc}, and the build uses a newer one"
    assert option in commands(text)
    assert f"sudo apt install gcc-{gcc} g++-{gcc}" in commands(text)
    assert "NVCC_PREPEND_FLAGS" in option or "NVCC_PREPEND" not in commands(text)


def test_numba_has_its_toolkit_from_conda():
    text = (
        "numba.cuda.cudadrv.error.NvvmSupportError: No supported GPU compute capabilities found.\n"
    )
    told = "torchvision==0.8.1+cu110\n" + text
    assert finding(told).title == "Numba serves no GPU with the CUDA toolkit that it finds"
    assert "conda install -c conda-forge cudatoolkit=11.0" in commands(told)
    assert "cudatoolkit" not in commands(text)


NVRTC = "GPU: RTX 4090\ntorch {}\ncuda 11.8\nnvrtc: error: invalid value for --gpu-architecture\n"


def test_torchs_own_nvrtc_refuses_not_the_toolkit_beside_it() -> None:
    told = finding(NVRTC.format("1.13.1+cu117"))
    assert told.title.startswith("CUDA 11.7, with which torch was built")
    assert told.fix.commands[0] == "pip uninstall --yes torch"
    assert told.fix.commands[1].startswith("pip install torch ")
    beside = finding(NVRTC.format("1.13.1+cu117").replace("torch", "cupy 12.0\ntorch"))
    assert "torch was built" not in beside.title


def test_what_a_programs_nvrtc_refuses_is_told_of_the_gpu_that_is_there() -> None:
    refused = "Error compiling program: nvrtc: error: invalid value for --gpu-architecture (-arch)"
    told = finding(f"GPU: Quadro K2000\nHave installed cuda 11.4\n{refused}\n")
    assert told.title == "CUDA 11.4 no longer compiles for compute capability 3.0"
    assert "sm_30 (CUDA 10.2 is the last that makes any)" in told.fix.text
    assert told.evidence[-1].fact == "gpu.0.name"


NO_NVCC = (
    "nvcc -gencode arch=compute_{}{},code=sm_30 -Iinclude/ -c a.cu\n/bin/sh: 1: nvcc: not found\n"
    "make: *** [obj/a.o] Error 127\n"
)


def test_the_oldest_target_of_a_build_names_the_last_toolkit():
    assert "CUDA 10.2 or older" in fix(NO_NVCC.format(3, 0)).text
    assert "or older" not in fix(NO_NVCC.format(8, 6)).text


def test_of_an_nvcc_that_compiles_nothing_the_log_of_cmake_tells_why() -> None:
    advised = fix("-- Check for working CUDA compiler: /opt/cuda/bin/nvcc -- broken\n")
    assert advised.commands[0] == "/opt/cuda/bin/nvcc --version"
    assert "CMAKE_CUDA_HOST_COMPILER" in advised.text
    assert "CMakeFiles/CMakeConfigureLog.yaml" in advised.commands[1]
    assert "CMakeFiles/CMakeError.log" in advised.commands[1]


HOME_UNSET = "{}OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA\n"
JETSON = "NVIDIA Jetson AGX Orin\n# R35 (release), REVISION: 4.1, GCID: 33958178, BOARD: t186ref\n"


def test_a_jetson_has_its_toolkit_from_jetpack() -> None:
    told = fix(HOME_UNSET.format(JETSON))
    assert "conda" not in "".join(told.commands)
    assert "export CUDA_HOME=/usr/local/cuda" in told.commands
    assert "nvidia-jetpack" in told.commands[0]
    assert "conda" in commands(HOME_UNSET.format("NVIDIA GeForce RTX 3090\n"))
    compiling = JETSON + NO_NVCC.format(7, 2)
    assert "nvidia-jetpack" in commands(compiling)


def test_of_a_gcc_of_which_some_releases_are_taken_the_one_before_is_named() -> None:
    told = (
        "error: parameter packs not expanded with '...':\n"
        "-- The C compiler identification is GNU 11.4.0\n"
        "Cuda compilation tools, release 11.5, V11.5.119\n"
    )
    assert "sudo apt install gcc-10 g++-10" in commands(told)


TEXTURE = "GPU: {}\nk.cu(56): error: texture is not a template\n"


def test_a_source_of_an_earlier_cuda_is_renewed_or_compiled_with_that() -> None:
    told = printed(TEXTURE.format("RTX 3090"))
    assert "newer release of the source" in told
    assert "cuda-11.8" in commands(TEXTURE.format("RTX 3090"))
    assert not commands(TEXTURE.format("RTX 5090"))  # CUDA 11.8 does not know it


def test_visual_studio_is_set_up_by_its_own_prompt() -> None:
    failed = "nvcc fatal : Could not set up the environment for Microsoft Visual Studio using 'x'\n"
    assert "set NVCC_PREPEND_FLAGS=--use-local-env" in commands(failed)


def test_a_failed_build_takes_the_toolkit_of_torch() -> None:
    told = "CUDA toolkit: 11.3\ntorch: 1.13.0+cu117\nRuntimeError: Error building extension 'a'\n"
    assert "cuda-11.7" in commands(told)
