"""A fault that is quoted, rehearsed or survived accuses no machine that is seen to work."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import explained, ruled

NOTHING = "unknown", "healthy"
LOST = "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\n"
OUT = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 39.42 GiB"
    " total capacity; 36.11 GiB already allocated; 1.20 GiB free; 37.05 GiB reserved in total by"
    " PyTorch)\n"
)
ASSERT = "RuntimeError: CUDA error: device-side assert triggered\n"
LISTED = "$ nvidia-smi -L\nGPU 0: Tesla T4 (UUID: GPU-1)\n"
STEPS = "step 100 loss 2.31 tokens/s 41877\nstep 200 loss 2.09 tokens/s 41902\n"


@pytest.mark.parametrize(
    "introduced",
    ["In June I posted here:\n", "Yesterday's output was\n", "The manual says:\n"],
)
def test_what_is_quoted_is_a_note_where_the_broken_link_works(introduced: str):
    assert explained(f"{introduced}{LOST}\n{LISTED}") in NOTHING
    assert explained(f"{LISTED}{introduced}{LOST}") in NOTHING
    assert ruled(f"{introduced}{LOST}\n") == "device-lost"  # nothing is seen to work
    assert ruled(f"{introduced}{LOST}\n{LISTED}{LOST}") == "device-lost"  # it failed here, too
    assert ruled(f"{introduced}{OUT}\n{LISTED}") == "oom-workload"  # a list is no work


def test_a_quoted_fault_is_still_told():
    report = gpuprobe.explain(f"In June I posted here:\n{LOST}\n{LISTED}")
    assert "Told aside: " in report.text()
    assert "fallen off the bus" in report.text()
    assert report.diagnosis.root is None


def test_another_fault_remains():
    text = f"In June I posted here:\n{LOST}\n{LISTED}{ASSERT}"
    assert ruled(text) == "user-code"


@pytest.mark.parametrize(
    "told",
    [
        "resumed from checkpoint 40\n",
        "goes down by halves until it fits\n",
        "-> batch size 16\n",
    ],
)
def test_a_program_that_goes_on_has_survived(told: str):
    assert explained(f"{OUT}{told}{STEPS}") in NOTHING
    assert ruled(f"{STEPS}{told}{OUT}") == "oom-workload"  # it ended so
    assert ruled(f"{OUT}{told}") == "oom-workload"


def test_without_a_word_of_it_the_failure_counts():
    assert ruled(f"{OUT}{STEPS}") == "oom-workload"


def test_a_passed_test_provoked_it():
    suite = "============ test session starts ============\ncollected 5 items\n{}{}\n"
    passed = "============ 5 passed in 3.10s ============"
    failed = "============ 1 failed, 4 passed in 3.10s ============"
    assert explained(suite.format(ASSERT, passed)) in NOTHING
    assert ruled(suite.format(ASSERT, failed)) == "user-code"
    assert ruled(suite.format("", passed) + ASSERT) == "user-code"


def test_code_that_raises_did_not():
    raises = '    raise RuntimeError("CUDA out of memory.")\n'
    assert explained(f"def raise_fake():\n{raises}") in NOTHING
    assert ruled(f'  File "a.py", line 3, in f\n{raises}{OUT}') == "oom-workload"


def test_a_part_that_fails_is_no_passed_suite():
    lines = "tests/a.py::test_a PASSED\ntests/a.py::test_b FAILED\n"
    assert ruled(f"{lines}{ASSERT}Yesterday: 5 passed in 3.10s\n") == "user-code"


def test_who_has_another_error_now_has_not_solved_it():
    told = "Solved one error, now I get this one:\n"
    assert ruled(f"{told}{OUT}The other one runs:\n{STEPS}") == "oom-workload"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("We capped it at 200 W, by choice.\n", "healthy"),
        ("The boards are limited to 200 W by us.\n", "healthy"),
        ("Why is it capped at 200 W?\n", "power-thermal"),
        ("", "power-thermal"),
    ],
)
def test_a_power_limit_by_choice(told: str, cause: str):
    query = (
        "Clocks Throttle Reasons\n    SW Power Cap                      : Active\n"
        "Power Draw                        : 199.41 W\n"
        "Power Limit                       : 200.00 W\n"
        "Default Power Limit               : 300.00 W\n"
    )
    assert ruled(f"{told}$ nvidia-smi -q\n{query}{STEPS}") == cause


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (">>> torch.cuda.memory_allocated() // 2**20\n200\n", "healthy"),
        (">>> torch.cuda.memory_allocated()\n0\n", "unknown"),
        (
            ">>> out.device, out.shape\n(device(type='cuda', index=0), torch.Size([1, 2]))\n",
            "healthy",
        ),
        (">>> torch.device('cuda')\ndevice(type='cuda')\n", "unknown"),
        ("[CUDA Bandwidth Test] - Starting...\n Device 0: T4\nResult = PASS\n", "healthy"),
        (">> gpuDevice\nans = \n  CUDADevice with properties:\n", "healthy"),
        ("numba  <CUDA device 0 'b'NVIDIA L40S''>\n", "healthy"),
    ],
)
def test_what_shows_a_gpu_at_work(text: str, verdict: str):
    assert ruled(text) == verdict


def test_another_makers_library_is_no_missing_run_time():
    assert ruled("Unable to load 'amfrt64.dll', error code 126.\n") == "unknown"


def test_a_count_of_warnings_is_no_warning():
    assert ruled(" NCCL WARN                       0\n") == "unknown"


def test_a_weak_gpu_beside_the_one_that_is_used():
    ignored = (
        "Ignoring gpu device (device: 1, name: NVS 310, pci bus id: 0000:03:00.0) with Cuda compute"
        " capability 2.1. The minimum required Cuda capability is 3.0.\n"
    )
    created = (
        "Creating TensorFlow device (/gpu:0) -> (device: 0, name: GeForce GTX 1080, pci bus id:"
        " 0000:02:00.0)\n"
    )
    assert ruled(f"tensorflow-gpu 1.3.0\n{ignored}") == "gpu-too-old"
    assert ruled(f"tensorflow-gpu 1.3.0\n{created}{ignored}") == "healthy"


def test_on_a_jetson_another_module_drives_the_gpu():
    lsmod = "$ lsmod | grep nvidia\n$\n"
    cuda = 'Detected 1 CUDA Capable device(s)\n\nDevice 0: "NVIDIA Tegra X2"\nResult = PASS\n'
    assert ruled(f"Board: Jetson TX2, JetPack 3.2\n{lsmod}{cuda}") == "healthy"


def test_julia_offers_a_package_of_that_name():
    offered = "Package cuDNN not found, but a package named cuDNN is available from a registry.\n"
    assert ruled(offered) == "unknown"
    assert ruled("CMake Warning: cuDNN not found\n") == "cudnn-missing"


def test_xids_that_somebody_makes():
    assert ruled("Injected XID 79 via logger on the driver's pod\nXid 79 was found\n") == "unknown"
    assert ruled("the exporter keeps old errors (e.g., XID 31)\n") == "unknown"
    assert ruled(LOST) == "device-lost"


def test_who_asks_for_nothing_lacks_no_memory():
    refused = "failed to allocate {} from device: CUDA_ERROR_INVALID_VALUE: invalid argument\n"
    assert ruled(refused.format("0B (0 bytes)")) != "oom-workload"


BUILD = (
    'Step 7/11 : RUN python -c "import torch; print(torch.cuda.is_available())"\n'
    "UserWarning: CUDA initialization: Found no NVIDIA driver on your system.\nFalse\n"
)


def test_an_image_is_built_without_a_gpu():
    runs = "$ docker run --rm --gpus all asr\ncuda True NVIDIA A10G\n"
    assert ruled(f"{BUILD}{runs}") in NOTHING
    assert ruled(BUILD) not in NOTHING


def test_an_executable_of_xla_for_another_gpu():
    refused = (
        'Invalid argument: executable is built for device CUDA:0 of type "GeForce RTX 2080 Ti";'
        ' cannot run it on device CUDA:1 of type "Tesla P100-PCIE-16GB"\n'
    )
    assert ruled(refused) == "user-code"


RENDERED = """{told} "CUDA error: Out of memory in cuMemAlloc" {behind}

I1218 15:02:10.244171 9120 device.cpp:177] Added device "NVIDIA GeForce RTX 2080 SUPER" with id \
"CUDA_NVIDIA GeForce RTX 2080 SUPER_0000:09:00".
I1218 15:02:10.250984 9120 device.cpp:89] Added OptiX device "NVIDIA GeForce RTX 2080 SUPER" with \
id "CUDA_NVIDIA GeForce RTX 2080 SUPER_0000:09:00_OptiX".
{below}
"""
SAVED = "Saved: 'D:\\render\\glass0001.png'"


@pytest.mark.parametrize(
    ("told", "behind", "below", "cause"),
    [
        ("I'd read", "threads where people get dark glass", SAVED, "healthy"),
        ("I have seen", "posts where others complain", SAVED, "healthy"),
        ("I'd read", "threads where people get dark glass", "", "oom-workload"),  # nothing came
        ("I get", "where people get an image", SAVED, "unknown"),
        ("I get", "where people get an image", "", "oom-workload"),
    ],
)
def test_what_stands_in_others_threads(told: str, behind: str, below: str, cause: str):
    assert ruled(RENDERED.format(told=told, behind=behind, below=below)) == cause
