"""Parts that do not fit each other; lists, codes and places that tell less than they seem to."""

from __future__ import annotations

import pytest

from support.cases import ruled

CUDNN_PARTS = (
    "python: symbol lookup error: /opt/env/nvidia/cudnn/lib/libcudnn_cnn_infer.so.8: undefined "
    "symbol: _ZN15TracebackLoggerC1EPKc, version libcudnn_ops_infer.so.8"
)
NOT_LINKED = (
    "Could not load library libcudnn_cnn_train.so.8. Error: /opt/cuda/libcudnn_cnn_train.so.8: "
    "symbol _ZN10cask_cudnn2kr8isAmpereEv, version libcudnn_cnn_infer.so.8 not defined in file "
    "libcudnn_cnn_infer.so.8 with link time reference"
)
WINDOWS = (
    'OSError: [WinError 127] The specified procedure could not be found. Error loading "C:\\env\\'
    'nvidia\\cudnn\\bin\\cudnn_{}64_8.dll" or one of its dependencies.'
)


NO_FILE = "libcudnn_cnn_train.so.8: cannot open shared object file: No such file or directory"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (CUDNN_PARTS, "cudnn-mismatch"),
        (NOT_LINKED, "cudnn-mismatch"),
        (f"LD_LIBRARY_PATH=/usr/local/cuda/lib64\n{CUDNN_PARTS}", "library-path-conflict"),
        (WINDOWS.format("adv_infer"), "cudnn-mismatch"),
        (NO_FILE, "cudnn-missing"),
    ],
)
def test_one_part_of_cudnn_asks_another_in_vain(pasted: str, cause: str):
    assert ruled(pasted) == cause


def test_another_library_that_asks_is_no_part_of_cudnn():
    other = CUDNN_PARTS.replace("libcudnn_cnn_infer.so.8: u", "libtorch_cuda.so: u")
    assert ruled(other) != "cudnn-mismatch"


FLAGS = "GPU 0: NVIDIA A100\nPyTorch: 1.8.0a0+abcdef\n  - NVCC architecture flags: {}"
SEVENTY_FIVE = "-gencode;arch=compute_70,code=sm_70;-gencode;arch=compute_75,code=sm_75"


@pytest.mark.parametrize(
    ("flags", "cause"),
    [
        (SEVENTY_FIVE, "gpu-too-new"),
        (f"{SEVENTY_FIVE};-gencode;arch", "unknown"),  # it breaks off
        (f"{SEVENTY_FIVE};-gencode;arch=compute\n_80,code=sm_80", "unknown"),  # it goes on below
    ],
)
def test_a_list_of_architectures_that_is_not_whole_lacks_none(flags: str, cause: str):
    assert ruled(FLAGS.format(flags)) == cause


def test_jax_that_is_told_to_take_the_cpu_is_no_wrong_build():
    asked = "jaxlib: 0.4.30\n{}=cpu\n>>> jax.devices()\n[CpuDevice(id=0)]"
    assert ruled(asked.format("JAX_PLATFORMS")) != "cpu-only-build"
    assert ruled(asked.format("JAX_LOG")) == "cpu-only-build"


COLAB = "Environment: Google Colab\n>>> torch.cuda.is_available()\nFalse\n"
TOO_OLD = (
    "RuntimeError: The NVIDIA driver on your system is too old (found version 10010). Please "
    "update your GPU driver"
)


def test_a_hosted_notebook_whose_driver_spoke_has_a_gpu():
    assert ruled(COLAB) == "no-nvidia-gpu"
    assert ruled(COLAB + TOO_OLD) == "driver-too-old"


BOARD = "Board: Jetson Nano\ntensorflow: {}\nGPU: Jetson Nano, compute capability 5.3"


@pytest.mark.parametrize("release", ["2.7.0+nv22.1", "2.3.1"])
def test_tensorflow_on_a_board_is_not_the_build_of_the_same_release(release: str):
    assert ruled(BOARD.format(release)) != "gpu-too-old"


def test_a_release_of_zero_is_no_driver():
    warp = (
        "Warp CUDA error: Could not open libcuda.so.\nWarp CUDA error 36 (in function "
        "cuda_driver_version)\n   The minimum required CUDA driver version is 12.0, but the "
        "installed CUDA driver version is {}."
    )
    assert ruled(warp.format("0.0")) == "driver-missing"
    assert ruled(warp.partition("\n")[2].format("11.2")) == "driver-too-old"


ASSERTED = (
    "THCTensorIndex.cu:321: void indexSelectLargeIndex(): block: [173,0,0], thread: [62,0,0] "
    "Assertion {} failed.\nRuntimeError: cublas runtime error : library not initialized at "
    "torch/lib/THC/THCGeneral.c"
)


@pytest.mark.parametrize("quoted", ["srcIndex < srcSelectDimSize", "`srcIndex < srcSelectDimSize`"])
def test_an_index_out_of_range_is_told_without_its_quotes_too(quoted: str):
    assert ruled(ASSERTED.format(quoted)) == "user-code"
    assert ruled(ASSERTED.format(quoted).partition("\n")[2]) == "oom-workload"


@pytest.mark.parametrize(
    ("place", "file", "cause"),
    [
        ("WSL2", "/usr/lib/x86_64-linux-gnu/libcuda.so.418.226.00", "wsl"),
        ("WSL2", "/usr/lib/wsl/lib/libcuda.so.1", "driver-too-old"),
        ("Ubuntu 22.04", "/usr/lib/x86_64-linux-gnu/libcuda.so.418.226.00", "driver-too-old"),
    ],
)
def test_a_linux_driver_inside_wsl_is_not_an_old_one(place: str, file: str, cause: str):
    said = f"symbol lookup for cuCtxCreate_v3 failed: {file}: undefined symbol: cuCtxCreate_v3"
    assert ruled(f"OS: {place}\n{said}") == cause


PIP = (
    "Python 3.10.6 (tags/v3.10.6:9c7b4bd, Aug  1 2022, 21:38:17) [MSC v.1932 {} bit ({})]\n"
    "ERROR: Could not find a version that satisfies the requirement torch==2.0.1 (from versions: "
    "none)\nERROR: No matching distribution found for torch==2.0.1"
)


def test_a_python_of_32_bits_gets_no_torch():
    assert ruled(PIP.format(32, "Intel")) == "python-unsupported"
    assert ruled(PIP.format(64, "AMD64")) == "unknown"


HOROVOD = (
    "horovod.common.exceptions.HorovodVersionMismatchError: Framework tensorflow installed with "
    "version 2.3.0 but found version 2.4.1."
)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (HOROVOD, "extension-mismatch"),
        ("from horovod.common.exceptions import HorovodVersionMismatchError", "unknown"),
        ("[Taichi version 0.3.21, cpu only, commit 8f36125f]\nti.cfg.arch", "cpu-only-build"),
        ("[Taichi version 0.8.7, llvm 10.0.0, commit 1c3c705a, linux]\nti.cfg.arch", "unknown"),
        ("2024-07-31 15:01:30 INFO     Using device cuda\nKeyError: 'model'", "healthy"),
        ("2024-07-31 15:01:30 INFO     Using device cpu\nKeyError: 'model'", "unknown"),
        ("JAX devices: [CudaDevice(id=0)]\nKeyError: 'model'", "healthy"),
        ("JAX devices: [FancyDevice(id=0)]\nKeyError: 'model'", "unknown"),
    ],
)
def test_what_programs_say_of_their_build_and_their_device(pasted: str, cause: str):
    assert ruled(pasted) == cause


OLD_TORCH = "torch: {}\nGPU: NVIDIA GeForce {}\ncuDNN error: CUDNN_STATUS_EXECUTION_FAILED"


@pytest.mark.parametrize(
    ("torch", "gpu", "cause"),
    [
        ("0.4.1", "RTX 3090", "gpu-too-new"),
        ("0.4.1", "GTX 1080", "unknown"),
        ("2.1.0+cu121", "RTX 3090", "unknown"),
    ],
)
def test_a_torch_before_the_table_is_older_than_its_first(torch: str, gpu: str, cause: str):
    assert ruled(OLD_TORCH.format(torch, gpu)) == cause


IGNORED = (
    "\tIgnoring visible gpu device (device: 0, name: Tesla M60, pci bus id: 0000:00:1e.0, compute "
    "capability: 5.2) with {}\n\tThe minimum required {}"
)


@pytest.mark.parametrize(
    ("with_what", "least", "cause"),
    [
        ("Cuda compute capability 5.2.", "Cuda capability is 6.0.", "gpu-too-old"),
        ("core count: 2.", "count is 8.", "healthy"),
    ],
)
def test_a_gpu_that_is_left_out_is_told_in_two_lines_too(with_what: str, least: str, cause: str):
    assert ruled(IGNORED.format(with_what, least)) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("Cannot allocate 195.800781MB in GPU 0, available 5.937500MBtotal 798", "oom-workload"),
        ("Cannot allocate 195.800781MB in the cache of pages", "unknown"),
    ],
)
def test_memory_that_an_old_paddle_does_not_get(pasted: str, cause: str):
    assert ruled(pasted) == cause


OLD_MAC = (
    "OS: {}\nCuda 7.5.19\nERROR (theano.sandbox.cuda): ERROR: Not using GPU. Initialisation of "
    "device gpu failed:\ninitCnmem: cnmemInit call failed! Reason=CNMEM_STATUS_OUT_OF_MEMORY."
)


@pytest.mark.parametrize(
    ("system", "no_gpu"),
    [("Mac OS X 10.11.4", False), ("macOS 10.13.6", False), ("macOS 10.15.7", True)],
)
def test_macs_up_to_10_13_had_a_driver(system: str, no_gpu: bool):
    assert (ruled(OLD_MAC.format(system)) == "no-nvidia-gpu") == no_gpu


NO_CUDA = "AssertionError: Torch not compiled with CUDA enabled"


def test_a_macbook_has_no_cuda():
    assert ruled(f"I installed it on my Macbook:\n{NO_CUDA}") == "no-nvidia-gpu"
    assert ruled(f"I installed it on my notebook:\n{NO_CUDA}") == "cpu-only-build"


IN_NUMPY = (
    ">>> torch.__version__\n'2.2.2+cpu'\n{}A module that was compiled using NumPy 1.x cannot be "
    "run in NumPy 2.0.0\nRuntimeError: Numpy is not available"
)


def test_a_build_for_the_cpu_is_not_what_fails_in_numpy():
    assert ruled(IN_NUMPY.format("")) == "numpy-abi"
    asked = ">>> torch.cuda.is_available()\nFalse\n"
    assert ruled(IN_NUMPY.format(asked)) == "cpu-only-build"


def test_the_run_time_library_is_not_the_drivers():
    failed = (
        "Environment: docker\nRuntimeError: CuPy failed to load {}: OSError: {}: cannot open shared"
    )
    cudart = "libcudart.so.13"
    assert ruled(f"{failed.format(cudart, cudart)} object file: No such file") == "cudart-missing"
    cuda = "libcuda.so.1"
    assert ruled(f"{failed.format(cuda, cuda)} object file: No such file") == "container-no-gpu"


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("/usr/bin/ld: ne peut trouver -lcudnn", "cudnn-missing"),
        ("/usr/bin/ld: 找不到 -lcudnn", "cudnn-missing"),
        ("/usr/bin/ld: -lcudnn kann nicht gefunden werden", "cudnn-missing"),
        (
            "/usr/bin/ld: skipping incompatible /opt/libcudnn.so when searching for -lcudnn",
            "unknown",
        ),
        ("g++ -o main main.o -L/opt -lcudnn", "unknown"),
    ],
)
def test_the_linker_speaks_many_languages(said: str, cause: str):
    assert ruled(said) == cause


OOM = """\
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 19.20 GiB. GPU 0 has a total \
capacity of 93.10 GiB of which 18.03 GiB is free.
Including non-PyTorch memory, this process has {} GiB memory in use.
Of the allocated memory 56.39 GiB is allocated by PyTorch,
and 18.01 GiB is reserved by PyTorch but unallocated.
"""


def test_a_message_that_was_broken_into_lines_is_read_whole():
    assert ruled(OOM.format("75.06")) == "oom-workload"
    assert ruled(OOM.partition("\n")[0].format()) != "oom-workload"
    assert ruled(f"{OOM.partition(chr(10))[0]}\n{OOM.format('75.06')}") == "oom-workload"
