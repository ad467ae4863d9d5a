"""A set-up that works: what programs, tools and people show of a GPU at work."""

from __future__ import annotations

import pytest

from support.cases import ruled

_MAPPED = "  Stream #0:0 -> #0:0 (h264 (native) -> h264 ({encoder}))\n"
_FRAME = "frame= {n} fps=241 q=24.0 size=   21011kB time=00:02:01.53 speed=10.1x\n"
_OBS = "[{encoder}: 'recording_h264'] settings:\nOutput 'file': Total frames output: {n}\n"
_DETECTED = (
    "[real_accelerator.py:{line}:get_accelerator] Setting ds_accelerator to {to} (auto detect)\n"
)
_SERVES = (
    "Avg prompt throughput: 88.0 tokens/s, Avg generation throughput: {rate} tokens/s, Running: {n}"
    " reqs, Waiting: 0 reqs, GPU KV cache usage: {used}%, Prefix cache hit rate: 0.0%\n"
)
_PERF = "Load new model:config.txt sucessfully\n**PERF:  FPS 0 (Avg)\n**PERF:  {rate} ({rate})\n"
_EPOCH = "  3/299  {memory}  0.0421  0.0213  0.0104  112  640: 100%|████| 155/155\n"
_RAYS = "Step (% Done)  Train Iter (time)  Train Rays / Sec\n520 (1.73%)  {ms} ms  {rays} K\n"
_RELION = " Thread 0 on slave 1 mapped to device 0\n{bar}\n"
_BAR = '  31/ 62 min ............................~~(,_,">'


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (_MAPPED.format(encoder="h264_nvenc") + _FRAME.format(n=2914), "healthy"),
        ("[hevc_nvenc @ 0x55ff] Nvenc initialized successfully\n" + _FRAME.format(n=7), "healthy"),
        (_MAPPED.format(encoder="libx264") + _FRAME.format(n=2914), "unknown"),
        (_MAPPED.format(encoder="h264_nvenc") + _FRAME.format(n=0), "unknown"),
        (
            _MAPPED.format(encoder="h264_nvenc")
            + _MAPPED.format(encoder="libx264")
            + _FRAME.format(n=2914),
            "unknown",
        ),
        (_OBS.format(encoder="jim-nvenc", n=2914), "healthy"),
        (_OBS.format(encoder="obs-nvenc", n=12), "healthy"),
        (_OBS.format(encoder="obs_x264", n=2914), "unknown"),
        (_OBS.format(encoder="jim-nvenc", n=0), "unknown"),
        (_DETECTED.format(line=203, to="cuda"), "healthy"),
        (_DETECTED.format(line=239, to="cuda"), "healthy"),
        (_DETECTED.format(line=158, to="cuda"), "unknown"),
        (_DETECTED.format(line=239, to="cpu"), "unknown"),
        (_SERVES.format(rate="41.2", n=3, used="2.1"), "healthy"),
        (_SERVES.format(rate="41.2", n=3, used="2.1") + "cpu_worker.py:38\n", "unknown"),
        (_SERVES.format(rate="0.0", n=0, used="0.0"), "unknown"),
        (_PERF.format(rate="29.97"), "healthy"),
        (_PERF.format(rate="0.00"), "unknown"),
        (_EPOCH.format(memory="5.51G"), "healthy"),
        (_EPOCH.format(memory="0G"), "unknown"),
        (_RAYS.format(ms="21.114", rays="198.02"), "healthy"),
        (_RAYS.format(ms="2111.400", rays="1.94"), "unknown"),
        (_RELION.format(bar=_BAR), "healthy"),
        (_RELION.format(bar="Expectation iteration 9"), "healthy"),
        (_BAR, "unknown"),
        ("INFO: GPU available: True (cuda), used: True\n", "healthy"),
        ("INFO: GPU available: True (mps), used: True\n", "unknown"),
        ("Total VRAM 24564 MB, total RAM 65399 MB\npytorch version: 2.3.1+cu121\n", "healthy"),
        ("Total VRAM 65399 MB, total RAM 65399 MB\npytorch version: 2.3.1+cu121\n", "unknown"),
        ("julia> 3-element CuArray{Float32, 1}:\n 1.0\n", "unknown"),
        ("julia> x\n3-element CuArray{Float32, 1, CUDA.DeviceMemory}:\n 1.0\n 2.0\n", "healthy"),
        ("julia> x\n3-element Vector{Float32}:\n 1.0\n 2.0\n", "unknown"),
        ("loss is tensor(0.3412, device='cuda:0', grad_fn=<MseLossBackward0>)\n", "healthy"),
        ("x = torch.tensor(0.3412, device='cuda:0')\n", "unknown"),
        ("loss is tensor(0.3412, device='cpu')\n", "unknown"),
        (">>> x.device\n'/job:localhost/replica:0/task:0/device:GPU:0'\n", "healthy"),
        (">>> x.device\n'/job:localhost/replica:0/task:0/device:CPU:0'\n", "unknown"),
        (
            "$ python -c \"import torch; x=torch.ones(3,device='cuda'); print(x.sum())\"\n3.0\n",
            "healthy",
        ),
        (
            "$ python -c \"import torch; x=torch.ones(3,device='cpu'); print(x.sum())\"\n3.0\n",
            "unknown",
        ),
        ("In [2]: a = cupy.zeros(3)\nIn [3]: b = a.get()\n", "healthy"),
        (">>> a = cupy.zeros(3)\n>>> b = a.get()\n", "unknown"),
        (
            "$ nvidia-smi | grep W\n| N/A  72C  P0 | 8344MiB / 16280MiB |    98%      Default |\n",
            "healthy",
        ),
        (
            "$ nvidia-smi | grep W\n| N/A  72C  P0 | 8344MiB / 16280MiB |     0%      Default |\n",
            "unknown",
        ),
        (
            "$ nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader | xargs\n84 % 91 %\n",
            "healthy",
        ),
    ],
)
def test_a_program_or_a_tool_shows_the_gpu_at_work(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("Output on CPU:\n[0.1042, 0.2]\nOutput on CUDA:\n[0.5571, 0.2]\n", "healthy"),
        ("CPUExecutionProvider:\narray([0.1042, 0.2])\nGPU:\narray([0.5571, 0.2])\n", "healthy"),
        ("Output on CPU:\n[0.1042, 0.2]\nOutput on CUDA:\n[0.1042, 0.2]\n", "unknown"),
        ("Output on CPU:\n[0.1042, 0.2]\nOutput on CUDA:\n[0.0, 0.0]\n", "unknown"),
        ("Output on CPU:\n[0.1042, 0.2]\nOutput on MPS:\n[0.5571, 0.2]\n", "unknown"),
        ("One step takes 0.1 s on the CPU and 3 s on the GPU.\n", "healthy"),
        (
            "With the CPU: around 2800 steps per second.\nWith the GPU: 700 steps per second.\n",
            "healthy",
        ),
        ("One step takes 3 s on the CPU and 3.1 s on the GPU.\n", "unknown"),
        ("One step should take 3 s on the CPU and 0.1 s on the GPU.\n", "unknown"),
        ("CPU time\ntime: 0.21\ntime: 0.22\nGPU time\ntime: 1.91\ntime: 1.01\n", "healthy"),
        ("While it trains the GPU stands at about 70 %.\n", "healthy"),
        ("I checked the utilization of the GPU, it is around 35%.\n", "healthy"),
        ("While it trains the GPU stands at about 0 %.\n", "unknown"),
        ("The GPU should be at 70 %.\n", "unknown"),
        ("GPU memory is at 70 %.\n", "unknown"),
        ("The GPU is at 100 % and then it crashes.\n", "unknown"),
    ],
)
def test_what_both_computed_and_how_busy_it_is_told(pasted: str, cause: str):
    assert ruled(pasted) == cause
