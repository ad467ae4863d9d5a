"""What programs print only where the GPU works, and the same programs on a CPU, or failing."""

from __future__ import annotations

import pytest

from gpuprobe.facts import said
from gpuprobe.facts.pasted import read
from support.cases import ruled

UNSEEN = "unknown"

# -- one line ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("[01/02/2024-10:11:12] [I] Selected Device: NVIDIA T400", "healthy"),
        ("[01/02/2024-10:11:12] [I] Selected Device:", UNSEEN),
        (
            "I0102 10:11:12.000001 1 metrics.cc:650] Collecting metrics for GPU 0: Tesla T4",
            "healthy",
        ),
        ("I0102 10:11:12.000001 1 metrics.cc:543] Collecting CPU metrics", UNSEEN),
        ('Added device "NVIDIA T400" with id "CUDA_NVIDIA T400_0000:01:00".', "healthy"),
        ('Added device "AMD Radeon RX 570" with id "HIP_AMD Radeon RX 570_0000:01:00".', UNSEEN),
        (
            "NumbaPerformanceWarning: Grid size 8 will likely result in GPU under-utilization",
            "healthy",
        ),
        (
            "NumbaPerformanceWarning: Grid size (2) < 2 * SM count (40) results in GPU under use",
            "healthy",
        ),
        ("NumbaPerformanceWarning: Host array used in CUDA kernel will incur copies", "healthy"),
        ("NumbaPerformanceWarning: '@' is faster on contiguous arrays", UNSEEN),
        ("numba.cuda.gpus: <Managed Device 0>, <Managed Device 1>", "healthy"),
        ("numba.cuda.gpus:", UNSEEN),
        ("train.py:12] devices: [CudaDevice(id=0), CudaDevice(id=1)]", "healthy"),
        ("train.py:12] devices: [cuda(id=0)]", "healthy"),
        ("train.py:12] devices: [CpuDevice(id=0)]", UNSEEN),
        ("In tower 0 on device cuda:0", "healthy"),
        ("In tower 0 on device cpu", UNSEEN),
    ],
)
def test_a_line_shows_the_gpu(line: str, verdict: str):
    assert ruled(f"{line}\n") == verdict


def test_a_line_does_not_outweigh_what_fails():
    line = "train.py:12] devices: [CudaDevice(id=0)]\n"
    assert ruled(f"{line}E0102 CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure\n") != "healthy"


# -- two lines ----------------------------------------------------------------------------------

MXNET = """src/operator/nn/./cudnn/./cudnn_algoreg-inl.h:97: Running performance tests to find the \
best convolution algorithm, this can take a while...
"""
SPEED = "INFO:root:Epoch[0] Batch [50]  Speed: 210.11 samples/sec  accuracy=0.1\n"


@pytest.mark.parametrize(("log", "verdict"), [(MXNET + SPEED, "healthy"), (SPEED, UNSEEN)])
def test_mxnet_measures_cudnn_and_trains(log: str, verdict: str):
    assert ruled(log) == verdict


AUTOTUNE = """AUTOTUNE mm(512x512, 512x512)
  {choice}_3 {took} ms 100.0%
  {choice}_1 {took} ms 97.1%
SingleProcess AUTOTUNE benchmarking takes 1.2 seconds
"""


@pytest.mark.parametrize(
    ("choice", "took", "verdict"),
    [
        ("triton_mm", "0.0412", "healthy"),
        ("triton_mm", "inf", UNSEEN),
        ("cpp_packed_gemm", "0.0412", UNSEEN),
    ],
)
def test_inductor_times_kernels_that_are_for_gpus(choice: str, took: str, verdict: str):
    assert ruled(AUTOTUNE.format(choice=choice, took=took)) == verdict


COLMAP = """sift.cc:7] Creating SIFT {where} feature extractor
feature_extraction.cc:25] Processed file [1/9]
feature_extraction.cc:28]   Features:        {found}
"""


@pytest.mark.parametrize(
    ("where", "found", "verdict"),
    [("GPU", 812, "healthy"), ("CPU", 812, UNSEEN), ("GPU", 0, UNSEEN)],
)
def test_colmap_finds_features(where: str, found: int, verdict: str):
    assert ruled(COLMAP.format(where=where, found=found)) == verdict


SAMPLE = """[Vector addition of 50000 elements]
CUDA kernel launch with 196 blocks of 256 threads
Copy output data from the CUDA device to the host memory
{end}
"""


def test_a_sample_compares_what_it_copied_back():
    assert ruled(SAMPLE.format(end="Test PASSED")) == "healthy"
    assert ruled(SAMPLE.format(end="Result verification failed at element 0!")) != "healthy"
    assert ruled("pytest: 12 passed\nTest PASSED\n") == UNSEEN


DEEPSPEED = """[INFO] [real_accelerator.py:1:get_accelerator] Setting ds_accelerator to {device}
epoch=0/micro_step=10/global_step=10, RunningAvgSamplesPerSec=5.1, CurrSamplesPerSec=5.2, \
MemAllocated={held}GB, MaxMemAllocated=9.5GB
"""


@pytest.mark.parametrize(
    ("device", "held", "verdict"),
    [("cuda (auto detect)", "6.01", "healthy"), ("cuda", "0.0", UNSEEN), ("cpu", "6.01", UNSEEN)],
)
def test_deepspeed_holds_memory_of_its_accelerator(device: str, held: str, verdict: str):
    assert ruled(DEEPSPEED.format(device=device, held=held)) == verdict


OPENED = "Successfully opened dynamic library libcudnn.so.8\n"
NODE = "successful NUMA node read from SysFS had negative value (-1), so returning node zero\n"
FAILS = "ValueError: shapes do not match\n"


def test_tensorflow_describes_the_gpu_after_it_opened_its_libraries():
    assert ruled(OPENED + NODE + FAILS) == "healthy"
    assert ruled(NODE + OPENED + FAILS) == UNSEEN
    assert ruled(OPENED + NODE + "Skipping registering GPU devices...\n") != "healthy"


PROGRESS = "Total progress: 100%|####| 20/20 [00:05<00:00,  {rate}]\n"


@pytest.mark.parametrize(
    ("log", "verdict"),
    [
        (PROGRESS.format(rate="6.10it/s"), "healthy"),
        (PROGRESS.format(rate="1.10it/s"), UNSEEN),
        (PROGRESS.format(rate="6.10s/it"), UNSEEN),
        (
            "Launching Web UI with arguments: --use-directml\n" + PROGRESS.format(rate="6.10it/s"),
            UNSEEN,
        ),
    ],
)
def test_a_rate_is_beyond_every_cpu(log: str, verdict: str):
    assert ruled(log) == verdict


def test_stable_baselines_asks_torch():
    report = "- Stable-Baselines3: 2.3.2\n- PyTorch: 2.4.0+cu121\n- GPU Enabled: {}\n"
    assert ruled(report.format("True")) == "healthy"
    assert ruled(report.format("False")) != "healthy"
    assert ruled("some game\n- GPU Enabled: True\n") == UNSEEN


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        (">>> next(net.parameters()).device\ndevice(type='cuda', index=0)", "healthy"),
        (">>> next(net.parameters()).is_cuda, 1\n(True, 1)", "healthy"),
        (">>> next(net.parameters()).device\ndevice(type='cpu')", UNSEEN),
        (
            ">>> next(net.parameters()).is_cuda\nTrue\n>>> next(old.parameters()).is_cuda\nFalse",
            UNSEEN,
        ),
    ],
)
def test_a_model_lies_on_the_gpu(asked: str, verdict: str):
    assert ruled(f"{asked}\n") == verdict


# -- lists of devices, nodes and rates ----------------------------------------------------------

PLACED = """Node placements
 Node(s) placed on [CPUExecutionProvider]. Number of nodes: {cpu}
 Node(s) placed on [{other}ExecutionProvider]. Number of nodes: {others}
"""


@pytest.mark.parametrize(
    ("cpu", "other", "others", "verdict"),
    [
        (40, "CUDA", 900, "healthy"),
        (900, "CUDA", 40, UNSEEN),
        (40, "Dml", 900, UNSEEN),
    ],
)
def test_a_model_lies_mostly_with_one_provider(cpu: int, other: str, others: int, verdict: str):
    assert ruled(PLACED.format(cpu=cpu, other=other, others=others)) == verdict


PREFERRED = """trying {}ExecutionProvider
[W:onnxruntime:, session_state.cc:1 Verify] Some nodes were not assigned to the \
preferred execution providers which may or may not have an negative impact on performance.
RuntimeError: the input has the wrong shape
"""


@pytest.mark.parametrize(("provider", "verdict"), [("CUDA", "healthy"), ("CoreML", UNSEEN)])
def test_some_nodes_are_not_with_the_preferred_provider(provider: str, verdict: str):
    assert ruled(PREFERRED.format(provider)) == verdict


QUERY = """Device 0: "Orin"
  CUDA Capability Major/Minor version number:    {}
"""


@pytest.mark.parametrize(("capability", "verdict"), [("8.7", "healthy"), ("unknown", UNSEEN)])
def test_device_query_lists_a_board(capability: str, verdict: str):
    assert ruled(QUERY.format(capability)) == verdict


DMON = """$ nvidia-smi dmon {options}
# gpu   sm   mem  pclk
# Idx    %     %   MHz
    0    0     0  1404
    0   {busy}    40  {clock}
"""


@pytest.mark.parametrize(
    ("options", "busy", "clock", "verdict"),
    [
        ("", 97, 1404, "healthy"),
        ("", 3, 1404, UNSEEN),
        ("", 97, 139, UNSEEN),
        ("-i 0", 97, 1404, UNSEEN),
    ],
)
def test_dmon_shows_a_gpu_at_work(options: str, busy: int, clock: int, verdict: str):
    assert ruled(DMON.format(options=options, busy=busy, clock=clock)) == verdict


HASHCAT = """nvmlDeviceGetFanSpeed(): Not Supported

{heading}
====================
* Device #1: {device}

Speed.#1.........:   {speed} kH/s (73.02ms) @ Accel:8 Loops:1024 Thr:1024 Vec:1
"""
POCL = "OpenCL API (OpenCL 2.0 pocl 1.6, LLVM 9.0.1) - Platform #1 [The pocl project]"
OF_NVIDIA = "OpenCL API (OpenCL 1.2 CUDA 11.2.109) - Platform #1 [NVIDIA Corporation]"


@pytest.mark.parametrize(
    ("heading", "device", "speed", "verdict"),
    [
        ("CUDA API (CUDA 11.2)", "Tesla T4, 15000/15109 MB, 40MCU", "604.8", "healthy"),
        (OF_NVIDIA, "Tesla T4, 15000/15109 MB, 40MCU", "604.8", "healthy"),
        ("CUDA API (CUDA 11.2)", "Tesla T4, skipped", "604.8", UNSEEN),
        ("CUDA API (CUDA 11.2)", "Tesla T4, 15000/15109 MB, 40MCU", "0", UNSEEN),
        (POCL, "pthread-Intel(R) Core(TM) i7, 15109 MB, 8MCU", "604.8", UNSEEN),
    ],
)
def test_hashcat_counts_hashes_on_a_device(heading: str, device: str, speed: str, verdict: str):
    assert ruled(HASHCAT.format(heading=heading, device=device, speed=speed)) == verdict


def test_hashcat_has_its_devices_before_it_reads_hashes():
    devices = f"{OF_NVIDIA}\n=====\n* Device #1: Tesla T4, 15000/15109 MB, 40MCU\n"
    assert ruled(f"{devices}No hashes loaded.\n") == "healthy"
    assert ruled(f"{devices}Hashfile 'a' on line 1: Token length exception\n") == "healthy"
    assert ruled(devices) == UNSEEN
    assert ruled("No hashes loaded.\n") == UNSEEN


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("GPU #0: GeForce GTX 1060, 20.31 MH/s", "healthy"),
        ("GPU #0: Zotac GTX 1060, 20.31 MH/s", "healthy"),
        ("GPU #1: RTX 3060 - 48.31 MH/s, [T:62C, P:120W]", "healthy"),
        ("GPU #0: GeForce GTX 1060, 0.00 H/s", UNSEEN),
        ("GPU #0: Radeon RX 570, 20.31 MH/s", UNSEEN),
        ("CPU #0: 20.31 kH/s", UNSEEN),
    ],
)
def test_a_miner_counts_hashes(line: str, verdict: str):
    assert ruled(f"[2021-02-03 04:05:06] {line}\n") == verdict


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("The outputs of GPU prediction and prediction without GPU are different.", "healthy"),
        ("Are the outputs of GPU prediction and prediction without GPU different?", UNSEEN),
    ],
)
def test_somebody_compares_with_what_the_cpu_computes(told: str, verdict: str):
    assert ruled(f"{told}\n") == verdict


ACTIVE = (
    "LOG (nnet3-train[5.5]:FinalizeActiveGpu():cu-device.cc:308) The active GPU is [0]: Tesla T4"
    " free:14872M, used:207M\n"
)
SELECTING = "LOG (nnet3-train[5.5]:SelectGpuIdAuto():cu-device.cc:323) Selecting from 2 GPUs\n"
OBJECTIVE = "Overall average objective function for 'output' is -0.0712 over 8.1e+06 frames.\n"
PHOTOS = (
    "2021-07-06 15:20:43 Using device: {gpu}, 46 compute units, free memory: 6721/8192 MB,"
    " compute capability 7.5\n"
)
PROCESSED = "2021-07-06 15:24:57 Finished processing in 255.61 sec (exit code 1)\n"
FOLDER = "20:11:03: {api} Device 0: Platform:0 Device:0 Bus:1 Slot:0 Compute:7.5 Driver:10.2\n"
FOLDED = "20:13:41:WU01:FS01:0x{core}:Completed 10000 out of 1000000 steps (1%)\n"


@pytest.mark.parametrize(
    ("log", "program", "done"),
    [
        (ACTIVE + OBJECTIVE, "kaldi", True),
        (SELECTING + OBJECTIVE, "kaldi", None),
        (OBJECTIVE + ACTIVE, "kaldi", None),
        (PHOTOS.format(gpu="NVIDIA GeForce RTX 2080") + PROCESSED, "metashape", True),
        (PHOTOS.format(gpu="gfx1030") + PROCESSED, "metashape", None),
        (FOLDER.format(api="CUDA") + FOLDED.format(core=22), "fahclient", True),
        (FOLDER.format(api="CUDA") + FOLDED.format(core="a7"), "fahclient", None),
        (FOLDER.format(api="OpenCL") + FOLDED.format(core=22), "fahclient", None),
    ],
)
def test_programs_name_the_gpu_and_what_they_did(log: str, program: str, done: bool | None):
    assert read(log).known(said.FRAMEWORK_COMPUTED(program)) is done


RENDERER = "OpenGL renderer string: {by}\n"


def test_the_driver_draws():
    by_nvidia = RENDERER.format(by="NVIDIA GeForce GT 710/PCIe/SSE2")
    assert ruled(by_nvidia) == "healthy"
    assert ruled(f"{by_nvidia}TensorFlow does not use it\n") == UNSEEN
    assert ruled(RENDERER.format(by="llvmpipe (LLVM 12.0.0, 256 bits)")) == UNSEEN
    assert ruled(RENDERER.format(by="NVC1")) == UNSEEN  # nouveau


DARKNET = """ CUDA-version: {cuda} ({cuda}), cuDNN: 7.6.5, GPU count: {count}
 OpenCV version: 3.2.0
 3744: 1.204410, 1.311902 avg loss, 0.001000 rate, 9.871102 seconds, 239616 images
"""


@pytest.mark.parametrize(("cuda", "count", "seen"), [(10020, 1, True), (0, 0, False)])
def test_darknet_trains_on_the_gpus_that_it_counted(cuda: int, count: int, seen: bool):
    facts = read(DARKNET.format(cuda=cuda, count=count))
    assert facts.known(said.FRAMEWORK_COMPUTED("darknet")) is (True if seen else None)
