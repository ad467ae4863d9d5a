"""Fixes by a circumstance that a text tells: what starts the program, and what was asked for."""

from __future__ import annotations

import pytest

from gpuprobe import explain
from gpuprobe.diagnosis.fixes.by_cause import repair_here
from gpuprobe.diagnosis.inquiry.choose import telling
from gpuprobe.facts import said
from gpuprobe.facts.model import Facts, Known
from support.pasted import finding, printed

WINDOWS = "Microsoft Windows [Version 10.0.{}]\nWSL 2, Ubuntu 20.04\ntorch 1.7.1\n"
WINDOWS += "'torch.cuda.is_available()' always returns 'false' in wsl"
WINDOWS += ", nvidia-smi: command not found"


def test_old_windows_has_to_be_updated() -> None:
    assert "Windows 11" in printed(WINDOWS.format("19042.1052"))
    assert "Update Windows" not in printed(WINDOWS.format("19045.1052"))


DOCKER = "WSL 2\ndocker run --rm {} nvidia/cuda:11.0-base nvidia-smi\n"
DOCKER += 'exec: "nvidia-smi": executable file not found in $PATH: unknown.'


def test_docker_in_wsl_was_not_asked() -> None:
    pasted = DOCKER.format("-e NVIDIA_VISIBLE_DEVICES=all")
    assert "was not asked" in finding(pasted).title
    assert "--gpus all nvidia/cuda:11.0-base nvidia-smi" in printed(pasted)
    assert "was not asked" not in finding(DOCKER.format("--gpus all")).title


GUEST = "nvidia-smi works in my WSL2.\n$ uname -r\n{}\n$ lspci\nbe44:00:00.0 3D controller: "
GUEST += "Microsoft Corporation Device 008e\n"
GUEST += "Failed to initialize NVML: GPU access blocked by the operating system"


def test_guest_of_hyper_v_has_a_kernel_of_its_own() -> None:
    assert "/dev/dxg" in printed(GUEST.format("5.15.0-41-generic"))
    assert "/dev/dxg" not in printed(GUEST.format("5.15.90.1-microsoft-standard-WSL2"))


LIBRARY = "/usr/local/cuda-11.7/lib64/libcublas.so"
SYMBOL = "`cublasLtGetStatusString@libcublasLt.so.11'"


def test_linker_finds_another_copy() -> None:
    linked = f"/usr/bin/ld: {LIBRARY}: undefined reference to {SYMBOL}"
    assert finding(linked).title.endswith("that the linker finds does not have")
    assert "-rpath-link,/usr/local/cuda-11.7/lib64" in printed(linked)
    loaded = f"{LIBRARY}: undefined symbol: cublasLtGetStatusString, version libcublasLt.so.11"
    assert "rpath-link" not in printed(loaded)


NCCL = "import torch\nundefined symbol: ncclCommResume\n[pip3] nvidia-nccl-cu12==2.29.3\n"


def test_two_packages_of_nccl_lie_in_one_folder() -> None:
    two = printed(f"{NCCL}[pip3] nvidia-nccl-cu13==2.29.7")
    assert "pip uninstall --yes nvidia-nccl-cu12 nvidia-nccl-cu13" in two
    assert "uninstall" not in printed(NCCL)


def test_empty_memory_region_is_no_failure_of_the_card() -> None:
    region = "NVRM: This PCI I/O region assigned to your NVIDIA device is invalid:\n"
    assert "Above 4G Decoding" in printed(f"{region}NVRM: BAR1 is 0M @ 0x0 (PCI:0000:14:00.0)")
    lost = printed("NVRM: GPU 0000:14:00.0: GPU has fallen off the bus.")
    assert "Above 4G Decoding" not in lost


def test_name_of_an_instance_is_no_number() -> None:
    pasted = "ValueError: invalid literal for int() with base 10: '{}-cfb2a8ae-864b-50df-94a5-9898'"
    assert "unset CUDA_VISIBLE_DEVICES" in printed(pasted.format("MIG"))
    assert [each.rule.code for each in explain(pasted.format("MIG")).diagnosis.placed] == ["GP305"]
    assert "env -u" not in printed(pasted.format("GPU"))


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


def test_secure_boot_in_words() -> None:
    told = "my nvidia driver cant load {}. GPU: GTX 1650"
    assert "shim" in printed(told.format("because of secure boot"))
    assert "Secure Boot refuses" in finding(told.format("because of secure boot")).title
    assert "shim" not in printed(told.format("since the update"))


def test_fabric_manager_by_the_librarys_name() -> None:
    pasted = 'Ubuntu 20.04\nGPU: A100\nlibrary={} error="cuda driver library init failure: 802"'
    named = "/usr/lib/x86_64-linux-gnu/libcuda.so.535.183.01"
    assert "nvidia-fabricmanager-535" in printed(pasted.format(named))
    assert "fabricmanager-" not in printed(pasted.format("/usr/lib/x86_64-linux-gnu/libcuda.so.1"))


CUPY = "{}CuPy may not function correctly because multiple CuPy packages are installed\n"
CUPY += "in your environment:\n\n  cupy, cupy-cuda11x\n"


def test_rapids_needs_the_cupy_of_conda() -> None:
    assert "conda install --force-reinstall cupy" in printed(CUPY.format("RAPIDS: 23.02\n"))
    assert "pip uninstall --yes cupy cupy-cuda11x" in printed(CUPY.format(""))


TENSORFLOW = "GPU: {}\ntensorflow: {}\ncuda: 10.1\ntensorflow/stream_executor/cuda/cuda_blas.cc"
TENSORFLOW += ":428] failed to run cuBLAS routine: CUBLAS_STATUS_EXECUTION_FAILED"


def test_tensorflow_1_for_newer_gpus_is_nvidias() -> None:
    assert "tf1-py3" in printed(TENSORFLOW.format("GeForce RTX 3080", "1.15"))
    assert "tf1-py3" not in printed(TENSORFLOW.format("GeForce RTX 3080", "2.1"))
    assert "tf1-py3" not in printed(TENSORFLOW.format("GeForce RTX 5090", "1.15"))


@pytest.mark.parametrize(
    ("cause", "circumstance", "word"),
    [
        ("container-no-gpu", said.ABOUT("kubernetes").name, "nvidia.com/gpu: 1"),
        ("hidden-by-visible-devices", said.SIGN("ray-without-request").name, "num_gpus=1"),
    ],
)
def test_usual_repair_in_a_cluster(cause: str, circumstance: str, word: str) -> None:
    there = Facts({circumstance: Known(1, "line 1 of the text")})
    assert word in repair_here(there, cause)[0].text
    assert word not in repair_here(Facts({}), cause)[0].text
    assert word not in repair_here(there, "driver-missing")[0].text


@pytest.mark.parametrize(
    ("cause", "command"), [("power-thermal", "-d PERFORMANCE"), ("mixed-installs", "pip list")]
)
def test_what_makes_sure_decides(cause: str, command: str) -> None:
    step = telling(Facts({}), cause)
    assert step is not None
    assert command in " ".join(step.commands)


MEMORY = "CUDA out of memory. Tried to allocate 238.00 MiB. GPU 0 has a total capacity of 14.75 GiB"
MEMORY += (
    " of which 161.06 MiB is free. Of the allocated memory 14.39 GiB is allocated by PyTorch, "
)
MEMORY += "and {} is reserved by PyTorch but unallocated."


def test_few_fragments_are_not_worth_a_setting() -> None:
    assert "expandable_segments" not in printed(MEMORY.format("61.74 MiB"))
    assert "expandable_segments" in printed(MEMORY.format("1.74 GiB"))


def test_what_hangs_gives_no_warning() -> None:
    hangs = "when I try nccl_test, the test will be stuck with -g 8, and will test well with -g 1"
    assert finding(hangs).title == "NCCL hangs with several GPUs, as the text says"
    assert "NCCL_P2P_DISABLE=1 PROGRAM" in printed(hangs)
    failed = "torch/csrc/distributed/ProcessGroupNCCL.cpp: NCCL error: unhandled cuda error"
    assert "P2P_DISABLE" not in printed(failed)


def test_variable_tells_how_many_gpus_there_are() -> None:
    pasted = "{}cuda runtime error (101) : invalid device ordinal at /pytorch/torch/csrc/Module.cpp"
    several = pasted.format("CUDA_VISIBLE_DEVICES=1,2 python -m torch.distributed.launch t.py\n")
    assert "leaves 2" in printed(several)
    assert "leaves" not in printed(pasted.format("CUDA_VISIBLE_DEVICES=2 python t.py\n"))


def test_releases_before_the_tables_are_elsewhere() -> None:
    pasted = "PyTorch version: 1.1.0\nCUDA used to build PyTorch: 9.0.176\nOS: CentOS Linux 7\n"
    pasted += "Python version: 3.6\nIs CUDA available: Yes\nGPU models and configuration: GPU 0: "
    pasted += (
        "GeForce RTX 2080 Ti\nNvidia driver version: 410.72\nRuntimeError: cublas runtime error"
    )
    pasted += " : the GPU program failed to execute at /pytorch/aten/src/THC/THCBlas.cu:450"
    fix = finding(pasted).fix
    assert "previous-versions" in fix.text
    assert fix.undo is None
    newer = finding(pasted.replace("410.72", "535.54").replace("Python version: 3.6", "")).fix
    assert "previous-versions" not in newer.text


def test_apt_is_not_every_systems() -> None:
    refused = "host_config.h:129:2: error: #error -- unsupported GNU version! gcc versions later "
    refused += "than 7 are not supported!"
    assert "for Ubuntu and Debian" in printed(refused)
    assert "for Ubuntu and Debian" not in printed(f"OS: Ubuntu 22.04\n{refused}")
