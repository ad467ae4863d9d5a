"""How a CUDA library comes where the program that asks for it looks."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe import explain
from gpuprobe.diagnosis.model import Safety
from support.pasted import commands, finding, fix, printed

LIBRARY = "/usr/local/cuda-11.7/lib64/libcublas.so"
SYMBOL = "`cublasLtGetStatusString@libcublasLt.so.11'"


def test_linker_finds_another_copy() -> None:
    linked = f"/usr/bin/ld: {LIBRARY}: undefined reference to {SYMBOL}"
    assert finding(linked).title.endswith("that the linker finds does not have")
    assert "-rpath-link,/usr/local/cuda-11.7/lib64" in printed(linked)
    loaded = f"{LIBRARY}: undefined symbol: cublasLtGetStatusString, version libcublasLt.so.11"
    assert "rpath-link" not in printed(loaded)


def test_a_library_that_is_missing_has_no_tick() -> None:
    text = str(
        explain(
            "Is CUDA available: True\n"
            "libcudart.so.10.1: cannot open shared object file: No such file or directory"
        )
    )
    assert "✓ CUDA libraries" not in text


MISSING = "{file}: cannot open shared object file: No such file or directory\n"


def test_a_program_that_is_no_pythons_gets_no_package_of_pips():
    text = "./reduction: error while loading shared libraries: " + MISSING.format(
        file="libcublasLt.so.12"
    )
    assert "pip" not in commands(text)
    assert "sudo apt install" not in commands(text)
    assert "sudo apt install cuda-libraries-12-9" in commands("OS: Ubuntu 22.04\n" + text)
    assert fix(text).safety is Safety.ADMIN
    assert "cuda-libraries" in fix(text).text
    assert "cuda-libraries" not in fix(text.replace(".so.12", ".so.7.5")).text


def test_what_pip_installs_is_made_known_to_the_loader():
    text = "ImportError: " + MISSING.format(file="libcublas.so.11")
    first, then = fix(text).commands
    assert first == "pip install nvidia-cublas-cu11"
    assert then.startswith("export LD_LIBRARY_PATH=$(python3 ")


def test_a_release_that_is_told_to_be_there_is_to_be_found():
    text = (
        "cuda 12.2\nCupy v13.0.0\nRuntimeError: CuPy failed to load libnvrtc.so.12: OSError: "
        + MISSING.format(file="libnvrtc.so.12")
    )
    assert "export CUDA_PATH=/usr/local/cuda-12.2" in fix(text).commands
    assert "pip install nvidia-cuda-nvrtc-cu12" in fix(text.replace("cuda 12.2\n", "")).commands


def test_a_library_without_a_release_is_looked_for_in_toolkits():
    text = "The third-party dynamic library (libcublas.so) that Paddle depends on is not configured"
    assert "ls /usr/local/cuda*/lib64/libcublas.so*" in commands(text)
    assert fix(text).safety is Safety.USER


def test_the_drivers_library_is_no_run_time():
    text = "The third-party dynamic library (libcuda.so) that Paddle depends on is not configured"
    diagnosis = gpuprobe.explain(text).diagnosis
    assert "GP401" not in [placed.rule.code for placed in diagnosis.placed]
    again = gpuprobe.explain(text.replace("libcuda.so", "libcudart.so")).diagnosis
    assert "GP401" in [placed.rule.code for placed in again.placed]


WHISPER = (
    "{}\nCould not load library libcublasLt.so.11. Error: libcublasLt.so.11: cannot open shared"
)
WHISPER += " object file: No such file or directory\n"


def test_whispers_libraries_come_by_pip() -> None:
    advised = printed(WHISPER.format('model = WhisperModel("large-v3")'))
    assert '"ctranslate2<4"' in advised
    assert advised.endswith("pip uninstall nvidia-cublas-cu11 nvidia-cudnn-cu11")
    assert "ctranslate2" not in printed(WHISPER.format('model = Model("large-v3")'))


APART = "{}ImportError: " + MISSING
TORCH = "torch=={}\n"


@pytest.mark.parametrize(
    ("torch", "file", "package"),
    [
        ("2.9.0+cu130", "libcupti.so.13", "nvidia-cuda-cupti"),
        ("2.9.0+cu130", "libcupti.so.12", "nvidia-cuda-cupti-cu12"),
        ("2.0.1+cu117", "libcupti.so.11.7", "nvidia-cuda-cupti-cu11"),
        ("2.9.0+cu130", "libnvToolsExt.so.1", "nvidia-nvtx"),
        ("2.9.0+cu130", "libcusparseLt.so.0", "nvidia-cusparselt-cu13"),
        ("2.6.0+cu124", "libcusparseLt.so.0", "nvidia-cusparselt-cu12"),
        ("2.9.0+cu130", "libnvshmem_host.so.3", "nvidia-nvshmem-cu13"),
        ("2.9.0+cu130", "libnccl.so.2", "nvidia-nccl-cu13"),
        ("2.6.0+cu118", "libnccl.so.2", "nvidia-nccl-cu11"),
    ],
)
def test_pips_package_is_that_of_the_frameworks_cuda(torch: str, file: str, package: str) -> None:
    advised = fix(APART.format(TORCH.format(torch), file=file))
    assert f"pip install {package}" in advised.commands
    assert advised.undo == f"pip uninstall {package}"


def test_of_an_unknown_cuda_the_other_names_are_told() -> None:
    advised = fix(APART.format("", file="libcusparseLt.so.0"))
    assert "pip install nvidia-cusparselt-cu12" in advised.commands
    assert "nvidia-cusparselt-cu13 for CUDA 13" in advised.text
    assert "-cu11" not in advised.text  # there is none


def test_what_pip_has_not_for_a_cuda_is_not_installed() -> None:
    old = fix(APART.format(TORCH.format("1.13.1+cu117"), file="libcusparseLt.so.0"))
    assert old.commands == ("ldconfig -p | grep libcusparseLt",)
    folder = fix(APART.format("", file="libcupti.so.10.1"))
    assert "extras/CUPTI/lib64" in "".join(folder.commands)
    assert "pip install" not in "".join(folder.commands)


NCCL = "{}\n./all_reduce_perf: error while loading shared libraries: " + MISSING


@pytest.mark.parametrize(
    ("system", "command"),
    [
        ("OS: Ubuntu 22.04", "sudo apt install libnccl2"),
        ("OS: Rocky Linux 9.4 (Blue Onyx)", "sudo dnf install libnccl"),
        ("OS: Arch Linux", "sudo pacman -S nccl"),
        ("OS: SUSE Linux Enterprise Server 15 SP5", None),
        ("", None),
    ],
)
def test_nccl_comes_by_the_manager_of_the_system(system: str, command: str | None) -> None:
    given = commands(NCCL.format(system, file="libnccl.so.2"))
    installs = [line for line in given.splitlines() if line.startswith("sudo")]
    assert installs == ([] if command is None else [command])


def test_nccl_is_not_to_be_had_on_windows() -> None:
    advised = fix("OS: Microsoft Windows 11 Pro\n" + APART.format("", file="libnccl.so.2"))
    assert "gloo" in advised.text
    assert not advised.commands


JAX = "RuntimeError: Unable to load {}. Is it installed?\n"


@pytest.mark.parametrize("library", ["CUDA", "cuSPARSE", "cuDNN"])
def test_jax_gets_the_libraries_of_its_extra(library: str) -> None:
    report = finding(f"OS: Linux\n{JAX.format(library)}")
    assert report.title.endswith("is not found: a program asks for it")
    assert 'pip install --upgrade "jax[cuda' in report.fix.commands[0]


def test_a_library_that_is_named_alone_has_a_file() -> None:
    told = r"""C:\>python -c "import cupy; cupy.fft.fft(cupy.arange(9))"
  File "C:\venv\Lib\site-packages\cupy\fft\_fft.py", line 244, in _fft
    from cupy.cuda import cufft
ImportError: DLL load failed while importing cufft: The specified module could not be found.
"""
    assert "where.exe cufft64_*.dll" in commands(told)


def test_a_copy_of_a_wheels_own_is_not_looked_for_in_a_toolkit() -> None:
    told = "OSError: libcudart{}.so.10.2: cannot open shared object file: No such file\n"
    assert "/usr/local/cuda" not in printed(told.format("-80664282"))
    assert "PACKAGE" in printed(told.format("-80664282"))
    assert "PACKAGE" not in printed(told.format(""))


def test_a_wheel_that_lacks_its_library_is_exchanged() -> None:
    advised = printed("cublas64_11.dll is missing from the torch wheel. I am on Windows.")
    assert "torch wheel was packed without it" in advised
    assert "cuda-toolkit-archive" not in advised
