"""What programs say in words of their own, and what people say of hosts: and what is not."""

from __future__ import annotations

import pytest

from gpuprobe.facts.pasted import read
from support.cases import explained, ruled

K40M = "GPU: Tesla K40m\nTesla K40m does not meet minimum required compute capability: 3.7.\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (K40M + "Falling back to CPU mode.", "gpu-too-old"),
        (
            (
                "W tensorflow/core/framework/op_kernel.cc:1855] OP_REQUIRES failed at xla_ops.cc"
                ":590 : UNAVAILABLE: No PTX compilation provider is available. Neither ptxas/nvlink"
                " nor nvjtlink is available."
            ),
            "toolkit-missing",
        ),
        ('Error: requested docker runtime "nvidia" was not found', "container-no-gpu"),
        (
            "Unable to query number of CUDA devices! Is an nVidia driver installed?",
            "driver-missing",
        ),
        (
            (
                "$ tabby serve --device cuda\nerror: invalid value 'cuda' for '--device <DEVICE>'\n"
                "  [possible values: cpu]"
            ),
            "cpu-only-build",
        ),
        ("$ tabby\nerror: invalid value 'metal' for '--device <DEVICE>'", "unknown"),
        (
            "cupy 13.1.0\nnumpy 2.0.0\nAttributeError: module 'numpy' has no attribute 'AxisError'",
            "numpy-abi",
        ),
        ("AttributeError: module 'numpy' has no attribute 'int'", "unknown"),
        (
            (
                "ImportError: /x/horovod/mxnet/mpi_lib.cpython-37m-x86_64-linux-gnu.so: undefined"
                " symbol: _ZN5mxnet10CopyFromToERKNS_7NDArrayEPS1_i"
            ),
            "extension-mismatch",
        ),
        (
            (
                "Windows 10\nThe procedure entry point cublasLtGetStatusString could not be located"
                " in the dynamic link library ../cublas64_11.dll"
            ),
            "cuda-libs-mismatch",
        ),
        (
            (
                "Windows 10\nThe procedure entry point GetTickCount64 could not be located in the"
                " dynamic link library KERNEL32.dll"
            ),
            "unknown",
        ),
        (
            "GPU: RTX 2080 Ti\n\tBuffer 10:\n\t\tSize: 643.51MiB\n\t\tXLA Label: fusion\n",
            "oom-workload",
        ),
        (
            (
                "[HAMI-core ERROR (pid:30 thread=1 allocator.c:53)]: Device 0 OOM 3171158016 /"
                " 3145728000"
            ),
            "oom-workload",
        ),
        (
            "$ CUDA_VISIBLE_DEVICES=  julia\njulia> CUDA.has_cuda_gpu()  # the first\nfalse",
            "hidden-by-visible-devices",
        ),
    ],
)
def test_program_says_it_in_its_own_words(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("After every boot it is gone again until clinfo has been run once as root.", True),
        ("CUDA fails until some program on the host has used a card once.", True),
        (
            (
                "Once one of the samples has been run, Theano gets the card normally, until the"
                " next boot."
            ),
            True,
        ),
        ("Wait until the installer has been run once as root, then reboot.", False),
        ("The GPU waits until the script has been run.", False),
    ],
)
def test_gpu_that_is_reached_only_once_it_was_used(told: str, cause: bool) -> None:
    assert (ruled("GPU: GTX 1080\n" + told) == "device-nodes") is cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("The computer powers off when the batch size is large.", "power-thermal"),
        ("After the last step the PC goes off hard.", "power-thermal"),
        ("The alarm goes off when the batch size is large.", "unknown"),
        ("Please switch the computer off when the batch is done.", "unknown"),
    ],
)
def test_machine_that_goes_off_while_it_computes(told: str, cause: str) -> None:
    assert ruled("GPU: GTX 980 Ti\nKeras\n" + told) == cause


HOST = "nvidia-smi works on the host. In the container:\nbash: nvidia-smi: command not found\n"


def test_what_works_on_the_host_fails_in_a_container() -> None:
    assert ruled(HOST) == "container-no-gpu"
    assert ruled(HOST.replace("works on the host. In the container", "fails")) != "container-no-gpu"


def test_nextflow_names_the_container() -> None:
    missing = (
        "guppy_basecaller: error while loading shared libraries: libcuda.so.1: cannot open shared"
        " object file: No such file or directory"
    )
    assert ruled("nextflow run a/b -profile singularity --gpu\n" + missing) == "container-no-gpu"
    assert ruled("nextflow run a/b -profile conda --gpu\n" + missing) == "driver-missing"


CAFFE = (
    "GPU: GTX 1070\nCUDA: {}\nF0820 19:35:52 16606 adagrad_solver.cu:21] Check failed: error =="
    " cudaSuccess (8 vs. 0)  invalid device function"
)


def test_code_of_a_toolkit_that_is_older_than_the_gpu() -> None:
    assert ruled(CAFFE.format("7.5")) == "gpu-too-new"
    assert ruled(CAFFE.format("10.0")) == "gpu-too-old"


TABLE = (
    "sys.platform              linux\n"
    "detectron2                0.1.1 @/data/detectron2/detectron2\n"
    "detectron2 arch flags     {}\n"
    "GPU 0                     GeForce RTX 2080\n"
    "GPU 1,2                   GeForce GTX 1070 (arch=6.1)\n"
)


@pytest.mark.parametrize("flags", ["sm_75", "7.5"])
def test_table_of_detectron2(flags: str) -> None:
    facts = read(TABLE.format(flags))
    assert facts["framework.detectron2.architectures"].value == ("sm_75",)  # type: ignore[union-attr]
    assert facts["gpu.2.name"].value == "GeForce GTX 1070"  # type: ignore[union-attr]
    assert str(facts["gpu.1.capability"].value) == "6.1"  # type: ignore[union-attr]


def test_path_in_place_of_the_flags_is_none() -> None:
    facts = read(TABLE.format("/home/user/detectron2/_C.so; cannot find cuobjdump"))
    assert "framework.detectron2.architectures" not in facts
    assert "gpu.1.name" not in read(TABLE.format("sm_75").replace("detectron2", "other"))


def test_symbol_that_docker_on_windows_misses_is_one_of_wsl() -> None:
    failure = "CUDA failure 500: named symbol not found ; GPU=-1 ; expr=cudaGetDeviceCount(&n)"
    assert ruled(f"OS: Windows 11\nEnvironment: docker compose\n{failure}") == "wsl"
    assert ruled(f"OS: Ubuntu 22.04\nEnvironment: docker compose\n{failure}") != "wsl"


def test_gpu_that_tensorflow_ignores_is_not_busy() -> None:
    refused = "cuDevicePrimaryCtxRetain: CUDA_ERROR_INVALID_DEVICE\n"
    ignored = (
        "Ignoring visible gpu device (device: 0, name: GeForce GTX 460, pci bus id: 0000:03:00.0)"
        " with Cuda compute capability 2.1. The minimum required Cuda capability is 3.0."
    )
    assert ruled(refused + ignored) == "gpu-too-old"
    assert ruled(refused) == "device-busy"


HIDDEN = """zea with the jax backend{}
import os
os.environ["KERAS_BACKEND"] = "jax"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
from zea import init_device
init_device(verbose=True)
0/1 GPUs were disabled
Selecting 1 GPU based on available memory.
"""


def test_what_is_meant_so_is_no_fault_by_its_words() -> None:
    assert explained(HIDDEN.format("")) != "unknown"
    assert explained(HIDDEN.format("; meant to run on the CPU, the GPU is taken")) == "unknown"
