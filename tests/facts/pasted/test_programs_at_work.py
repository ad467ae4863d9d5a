"""Lines by which programs show that they use the GPU, and their kin that show nothing."""

from __future__ import annotations

import pytest

from gpuprobe.facts.pasted.runs import programs_at_work
from gpuprobe.facts.pasted.text import Text


def shown(pasted: str) -> list[str]:
    return [key.name for key, _ in programs_at_work.read(Text(pasted))]


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("INFO # GPU blocks: 27894, # CPU blocks: 512", "framework.vllm.computed"),
        ("[gpu_worker.py:232] Available KV cache memory: 9.13 GiB", "framework.vllm.computed"),
        ("3 CUDA - Successfully computed forces", "framework.openmm.computed"),
        ("1 GPU selected for this run.", "framework.gromacs.sees_gpu"),
        (
            "TensorRT-managed allocation in engine deserialization: CPU +0, GPU +10, now: CPU 0",
            "framework.tensorrt.sees_gpu",
        ),
        (
            "CUDA memory pool is created on device 0 with size 67108864",
            "framework.triton-server.sees_gpu",
        ),
        ("CUDA-version: 10020 (10020), cuDNN: 7.6.5, GPU count: 1", "framework.darknet.sees_gpu"),
        ("| Targeted Stress           | Pass - All            |", "framework.dcgm.computed"),
        ("INFO  | Using HEVC encoder: nvcodec", "framework.wolf.sees_gpu"),
        (
            "Failed to allocate memory for convolution redzone checking; skipping this check.",
            "framework.tensorflow.sees_gpu",
        ),
        ("AMP: checks passed ✅", "framework.torch.computed"),
        ("[INFO] ** TORCH CUDA version installed and working. **", "framework.torch.sees_gpu"),
        (
            "W0903 torch/_inductor/utils.py:1436] Not enough SMs to use max_autotune_gemm mode",
            "framework.torch.sees_gpu",
        ),
        (
            "#  Rank  0 Group  0 Pid    127 on worker-0 device  0 [0x00] NVIDIA A10G",
            "framework.nccl-tests.sees_gpu",
        ),
        (
            "#   Rank  0 Pid   1234 on   node1 device  0 [0x07] NVIDIA A100-SXM4-40GB",
            "framework.nccl-tests.sees_gpu",
        ),
        (
            "CUDA device: GeForce GTX 260 (driver version 18250, compute capability 1.3, 896MB)",
            "framework.boinc.sees_gpu",
        ),
        ("Graph capturing finished in 21 secs, took 0.43 GiB", "framework.vllm.computed"),
        (
            "Capturing CUDA graph shapes: 100%|███| 35/35 [00:09<00:00, 3.7it/s]",
            "framework.vllm.computed",
        ),
        (
            "Capture cuda graph end. Time elapsed: 7.31 s. mem usage=1.9 GB",
            "framework.sglang.computed",
        ),
        (
            "rank   0: capabilities =  8.0  ; total memory = 39.4 GB ; name = NVIDIA A100",
            "framework.torch.sees_gpu",
        ),
        (
            "RuntimeError: Unsloth currently does not support multi GPU setups",
            "framework.torch.sees_gpu",
        ),
        (
            "We've detected an older driver with an RTX 4000 series GPU. These drivers have issues",
            "framework.torch.sees_gpu",
        ),
        (
            "I0614 17:03:11.236090  8123 caffe.cpp:190] GPU 1: Tesla K40m",
            "framework.caffe.sees_gpu",
        ),
        (
            "  Kokkos::Cuda[ 1 ] Tesla V100 capability 7.0, Total Memory: 15.78 G : Selected",
            "framework.kokkos.sees_gpu",
        ),
        (
            "SUM device_to_device_bidirectional_memcpy_read_ce 534.2",
            "framework.nvbandwidth.computed",
        ),
        ("# Out of bounds values : 0 OK", "framework.nccl-tests.computed"),
        (
            "GpuDeviceManager: Initializing RMM ARENA initial pool size = 9421.5 MB on gpuId 1",
            "framework.spark-rapids.sees_gpu",
        ),
        (
            "LOG:  PG-Strom: GPU1 NVIDIA A100 (108 SMs; 1410MHz, L2 40960kB), RAM 39.5GB, CC 8.0",
            "framework.pg-strom.sees_gpu",
        ),
        ("Selected cuda device 0 : NVIDIA GeForce GTX 1070 Ti", "framework.bladebit.sees_gpu"),
        (
            "main GPU1: GeForce GTX 1660 SUPER (pcie 1), CUDA cap. 7.5, 6 GB VRAM, 22 CUs",
            "framework.phoenixminer.sees_gpu",
        ),
        (
            "GPU#1: Platform: CUDA, Name: GeForce GTX 1060, 6144 MB available",
            "framework.finminer.sees_gpu",
        ),
        (
            (
                "[05/02/2024-10:11:12] [TRT] [I] [MemUsageChange] Init CUDA: CPU +13, GPU +0,"
                " now: CPU 87, GPU 1101 (MiB)"
            ),
            "framework.tensorrt.sees_gpu",
        ),
        ("Found 2 JAX devices of type NVIDIA A10G.", "framework.jax.sees_gpu"),
        ("<CUDA Device 1>", "framework.cupy.sees_gpu"),
        (
            'File "ops.pyx", line 341, in thinc.neural.ops.CupyOps.seq2col',
            "framework.cupy.sees_gpu",
        ),
        (
            'for the op: "Relu" device { type: "GPU" vendor: "NVIDIA" model: "Tesla T4"',
            "framework.tensorflow.sees_gpu",
        ),
        ("I cuda_dnn.cc:369] Loaded cuDNN version 8100", "framework.tensorflow.sees_gpu"),
        (
            '[[Node: save = Assign[T=DT_FLOAT, _device="/job:localhost/replica:0/task:0/gpu:0"]]]',
            "framework.tensorflow.sees_gpu",
        ),
        ("GPUs: 1/1 available", "framework.tensorflow.sees_gpu"),
        (
            "| 0   | NVIDIA RTX A6000                 | Yes: 0 |     | 49386   MB | 10de     |",
            "framework.omniverse.sees_gpu",
        ),
        ("[opencl_init]		0	'NVIDIA GeForce GTX 970'", "framework.darktable.sees_gpu"),
        (
            "[LightGBM] [Fatal] Bug in GPU histogram! split 11: 12, smaller_leaf: 10",
            "framework.lightgbm.computed",
        ),
        ("&&&& PASSED TensorRT.trtexec [TensorRT v8503] # trtexec", "framework.tensorrt.computed"),
        ("[03/02/2023-16:41:55] [I] Throughput: 1184.6 qps", "framework.tensorrt.computed"),
        (
            'Device 0:  "NVIDIA GeForce GTX 1070"  8118Mb, sm_61, Driver/Runtime ver.11.70/11.70',
            "framework.opencv-python.sees_gpu",
        ),
    ],
)
def test_a_program_uses_the_gpu(line: str, fact: str):
    assert shown(line) == [fact]


@pytest.mark.parametrize(
    "line",
    [
        "INFO # GPU blocks: 0, # CPU blocks: 512",
        "[gpu_worker.py:232] Available KV cache memory: -1.20 GiB",
        "[cpu_worker.py:232] Available KV cache memory: 4.00 GiB",
        "No GPU selected for this run.",
        "The scheduler tells which GPUs were selected for this run.",
        "CUDA memory pool is created on device 0 with size 0",
        "CUDA-version: 0 (0), GPU count: 0",
        "| Targeted Stress           | Fail                  |",
        "| Permissions and OS Blocks | Pass                  |",
        "AMP: checks failed ❌",
        "INFO  | Using AV1 encoder: aom",
        "TORCH CUDA version not installed/working.",
        "# Rank of the matrix on device 0",
        "CUDA device: none (driver version 0, no device)",
        "&&&& FAILED TensorRT.trtexec [TensorRT v8503] # trtexec",
        "Capturing CUDA graph shapes:  97%|███ | 34/35 [00:09<00:00, 3.7it/s]",
        "Please wait until graph capturing finished.",
        "I0614 17:03:11.236090  8123 caffe.cpp:178] Use CPU.",
        "# Out of bounds values : 12 FAILED",
        "SUM host_to_device_memcpy_ce 0.00",
        "GPU#1: Platform: OPENCL, Name: Radeon RX 580, 8192 MB available",
        "main GPU2: Radeon RX 580 (pcie 3), OpenCL 2.0, 8 GB VRAM, 36 CUs",
        "The selected CUDA device does not support FP16 target",
        "[05/02/2024] [TRT] [W] Unable to determine GPU memory usage",
        "Found 8 JAX devices of type cpu.",
        'device { type: "CPU" vendor: "GenuineIntel" model: "101"',
        "Loaded runtime CuDNN library: 7.1.4 but source was compiled with: 7.4.2.",
        'Cannot assign a device for operation x: [[Node: x = Y[_device="/device:GPU:0"]]]',
        "GPUs: 0/1 available",
        "| 1   | AMD Radeon Graphics              | Yes: 0 |     | 512     MB | 1002      | 0    |",
        "[opencl_init] no devices found",
        # The web UI says so as well where it was told not to ask the GPU.
        "Applying xformers cross attention optimization.",
    ],
)
def test_what_is_like_it_shows_nothing(line: str):
    assert shown(line) == []
