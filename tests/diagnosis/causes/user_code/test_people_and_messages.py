"""A program that does something that the GPU refuses, told by bare messages, people and others."""

from __future__ import annotations

import time

import pytest

from gpuprobe.examine import explain
from gpuprobe.facts.pasted import read
from support.cases import ruled

CAUGHT = 'Thread 6 "miner" received signal CUDA_EXCEPTION_{}\n'
UNPLACED = (
    "Could not satisfy explicit device specification '/device:GPU:0' because no devices matching "
    "that specification are registered in this process; available devices: "
    "/job:localhost/replica:0/task:0/{}"
)
FEWER = "ConfigurationError: Experiment specified GPU device 2 but there {there} devices available."
INDEX = "Assertion `srcIndex < srcSelectDimSize` failed.\nCUBLAS_STATUS_ALLOC_FAILED\n"
THREAD = "lambda [](int)->auto::operator()(int)->auto: block: [0,0,0], thread: [3,0,0] "
LATE = "RuntimeError: {} devices cannot be modified after being initialized"
OF_TRITON = "specifies invalid or unsupported gpu id 1. GPUs with at least the minimum are: {}"
NO_GPUS = "MisconfigurationException: You requested GPUs: [0]\n But your machine only has: {}"
ORDINAL = "CUDA_ERROR_INVALID_DEVICE: invalid device ordinal"
OF_HOST = "sim: ./kernels.cu:130: void Upload(Data*): Assertion `0' failed."
OF_KERNEL = "kernels.cu:130: gather: block: [0,0,0], thread: [3,0,0] Assertion `i < n` failed."


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("RuntimeError: Cannot re-initialize CUDA in forked subprocess.", "user-code"),
        (
            "NVRM: Xid (PCI:0000:01:00): 13, Graphics SM Warp Exception: Out Of Range Address",
            "user-code",
        ),
        ("TypeError: expected CPU tensor (got CUDA tensor)", "user-code"),
        (
            (
                "RuntimeError: Input and parameter tensors are not at the same device, found input"
                " tensor at cpu and parameter tensor at cuda:0"
            ),
            "user-code",
        ),
        (
            (
                "RuntimeError: module must have its parameters and buffers on device cuda:0"
                " (device_ids[0]) but found one of them on device: cpu"
            ),
            "user-code",
        ),
        ("RuntimeError: Expected a 'cuda' device type for generator but found 'cpu'", "user-code"),
        ("The generator is on the CPU, as it was made there", "unknown"),
        (
            (
                "RuntimeError: Tensor for argument #1 'self' is on CPU, but expected it to be on"
                " GPU (while checking arguments for addmm)"
            ),
            "user-code",
        ),
        ("RuntimeError: FlashAttention only support fp16 and bf16 data type", "user-code"),
        (
            (
                "AssertionError: please set tensor_parallel_size (4) to less than max local gpu"
                " count (2)"
            ),
            "user-code",
        ),
        (CAUGHT.format("5, Warp Out-of-range Address."), "user-code"),
        (CAUGHT.format("names, as the manual lists them"), "unknown"),
        ("CUDA Exception: Warp Illegal Address\n", "user-code"),
        ("CUDA Exception: see the manual\n", "unknown"),
        ("CUDA Exception: Device Hardware Stack Overflow\n", "user-code"),
        ("========= Invalid __global__ write of size 4 bytes\n", "user-code"),
        ("CudaDriverError: CUDA initialized before forking", "user-code"),
        (UNPLACED.format("cpu:0, /job:localhost/replica:0/task:0/gpu:1"), "user-code"),
        (FEWER.format(there="are only 1"), "user-code"),
        (FEWER.format(there="are only 0"), "unknown"),
        ("ValueError: invalid literal for int() with base 10: 'GPU-8f2c'", "user-code"),
        ("ValueError: invalid literal for int() with base 10: 'ten'", "unknown"),
        ("It always uses only GPU 0, regardless of the device number I assign", "user-code"),
        ("training always uses GPU 0, it is the only one", "unknown"),
        ("No matter which device I set, training runs on cuda:0", "user-code"),
        ("By default it uses GPU 0 no matter what I set", "unknown"),
        ("Even if I set gpu_id=2 it still uses GPU 0", "user-code"),
        (INDEX, "user-code"),
        (f"main.cpp:517: void f(int): {INDEX}", "oom-workload"),
        (THREAD + "Assertion `index < sizes[i]` failed.", "user-code"),
        (LATE.format("Physical"), "user-code"),
        (LATE.format("Virtual"), "user-code"),
        ("Invalid device ordinal value (1). Valid range is [0, 0].", "user-code"),
        (OF_TRITON.format("0"), "user-code"),
        (NO_GPUS.format("[0, 1]"), "user-code"),
        ("my nvidia card can load textures fast", "unknown"),
        (f"failed call to cuDeviceGet: {ORDINAL}", "user-code"),
        (
            "ERROR: Kokkos has been compiled for CUDA but no GPUs are requested (src/kokkos.cpp:1)",
            "user-code",
        ),
        ("This is a GPU partition but no GPUs are requested", "unknown"),
        ("ManagedCuda.CudaException: 'ErrorIllegalAddress: While executing a kernel", "user-code"),
        ("System.Exception: 'ErrorIllegalAddress'", "unknown"),
        ("OpenMMException: Illegal value for DeviceIndex: 6", "user-code"),
        (
            "Device id must be less than GPU count, but received id is: 1. GPU count is: 1.",
            "user-code",
        ),
        ("ValueError: Invalid CUDAPlace(1), must inside [0, 1)", "user-code"),
        ("Invalid CUDA device id: 2. Select a device id from the range 1:1.", "user-code"),
        ("error: invalid value for main_gpu: 1 (available devices: 1)", "user-code"),
        ("call to cuStreamSynchronize returned error 700: Illegal address", "user-code"),
        ("GPUassert: invalid configuration argument kernel.cu 33", "user-code"),
        (
            (
                "ERROR: KernelException: exception thrown during kernel execution on device NVIDIA "
                "GeForce RTX 3090"
            ),
            "user-code",
        ),
        (
            "KeyError: \"The name 'x:0' refers to a Tensor which does not exist. The operation\"\n",
            "user-code",
        ),
        (
            'DGLError: Cannot assign node feature "h" on device cuda:0 to a graph on device cpu.',
            "user-code",
        ),
        ("ValueError: can't optimize a non-leaf Tensor", "user-code"),
        (
            "ValueError: Pointer argument (at 0) cannot be accessed from Triton (cpu tensor?)",
            "user-code",
        ),
        ("The Triton kernel took a cpu tensor and was happy", "unknown"),
        ("RuntimeError: Expected object of backend CUDA but got backend CPU", "user-code"),
        ("    device=cpu (supported: {'cuda'})", "user-code"),
        ("You requested gpu: [0, 1]\n But your machine only has: [0]", "user-code"),
        # An assertion of the host is none of a kernel.
        (OF_HOST, "unknown"),
        (OF_KERNEL, "user-code"),
    ],
)
def test_a_program_that_asks_the_impossible_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        UNPLACED.format("cpu:0"),
        THREAD + "Assertion `index < sizes[i]` held.",
        "cuStreamSynchronize returned 0",
        "cudaLaunchKernel call fails with 700 in the older version; fixed.\n",
        "assertion: invalid configuration argument",
        "Kernel execution on device NVIDIA GeForce RTX 3090 took 3 ms",
        "The number of registers per work-group cannot exceed 65536, says the manual.\n",
    ],
)
def test_kin_of_a_program_that_asks_the_impossible_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        "OpenMMException: Illegal value for DeviceIndex: foo",
        "ValueError: Invalid CUDAPlace(0), must inside [0, 0)",
        "Invalid CUDA device id: 1. Select a device id from the range 1:0.",
        "error: invalid value for main_gpu: 0 (available devices: 0)",
    ],
)
def test_this_is_not_a_program_that_asks_the_impossible(text: str):
    assert ruled(text) != "user-code"


def test_a_long_message_ends_in_the_title_with_a_sentence_or_says_that_it_goes_on():
    forked = "in method init_device of its base: Cannot re-initialize CUDA in forked subprocess. "
    told = forked + "To use CUDA with multiprocessing, you must use the 'spawn' start method"
    titles = [
        root.finding.title
        for text in (f"Exception in VllmWorker {told}", f"Exception {'in a worker ' * 9}{told}")
        if (root := explain(text).diagnosis.root)
    ]
    assert [title.split()[-1] for title in titles] == ["subprocess", "…"]


NOTHING = "unknown", "healthy"


def test_a_kernel_of_sycl_needs_too_many_registers():
    told = "The number registers per work-group {} 65536 for this kernel on this device.\n"
    assert ruled(told.format("cannot exceed")) == "user-code"
    assert ruled(told.format("may reach")) in NOTHING


def test_many_counts_and_headers_take_linear_time():
    counts = "num_labels=3\ndf['label'].value_counts()\n" + "1    2\nName: x, dtype: int64\n" * 4000
    header = "# gpu   pwr gtemp    sm\n    0    27    41     0\n"
    start = time.process_time()
    read(counts)
    read(header * 8000)
    assert time.process_time() - start < 10


ASSERTION = "Assertion `srcIndex < srcSelectDimSize` failed."


@pytest.mark.parametrize(
    ("before", "cause"),
    [
        (
            "../aten/src/Indexing.cu:1236: indexSelect: block: [5,0,0], thread: [4,0,0] ",
            "user-code",
        ),
        ("/build/loader.c:12: read_index: ", "unknown"),
    ],
)
def test_an_assertion_of_a_kernels_thread_is_the_programs(before: str, cause: str):
    assert ruled(before + ASSERTION) == cause


XID = "NVRM: Xid (PCI:0000:08:00): 31, pid=1698, name={name}, Ch 00000023, intr 00000000. MMU Fault"


@pytest.mark.parametrize(("name", "cause"), [("chrome", "unknown"), ("python3", "user-code")])
def test_a_browser_that_faults_is_no_program_of_the_users(name: str, cause: str):
    assert ruled(XID.format(name=name)) == cause


@pytest.mark.parametrize(
    ("failed", "sentence", "cause"),
    [
        ("could not retrieve CUDA device count", "It may be the multiprocessing.", "user-code"),
        ("could not retrieve CUDA device count", "It may be the driver.", "unknown"),
        ("could not synchronize", "It may be the multiprocessing.", "unknown"),
    ],
)
def test_cuda_counts_nothing_in_a_process_that_was_forked(failed: str, sentence: str, cause: str):
    code = "CUDA_ERROR_NOT_INITIALIZED: initialization error"
    assert ruled(f"'{failed}: {code}'\n{sentence}") == cause


@pytest.mark.parametrize(
    ("title", "cause"),
    [
        ("illegal memory access from Torch Scatter", "user-code"),
        ("CUDA error: illegal memory access when training on two cards", "user-code"),
        ("Illegal memory access in version 2.1 is fixed", "unknown"),
        ("what is an illegal memory access", "unknown"),
    ],
)
def test_a_title_begins_with_what_a_kernel_did(title: str, cause: str):
    assert ruled(f"{title}\nDriver Version: 520.61.05\n") == cause


@pytest.mark.parametrize(
    ("title", "cause"),
    [
        ("Title: Assertion `t >= 0 && t < n_classes` failed", "user-code"),
        ("Assertion 'srcIndex < srcSelectDimSize' failed when I train", "user-code"),
        ("Assertion `input_val >= zero && input_val <= one` failed.", "user-code"),
        ("Title: Assertion `n_classes > 0` failed", "unknown"),  # it may be anybody's
        ("loss.cpp:12: void f(): Assertion `t >= 0 && t < n_classes' failed.", "unknown"),
    ],
)
def test_a_condition_that_only_kernels_of_torch_assert(title: str, cause: str):
    assert ruled(f"{title}\n") == cause
