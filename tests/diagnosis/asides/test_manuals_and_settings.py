"""Sentences of manuals, of settings and of what was mended accuse no GPU that works."""

from __future__ import annotations

import pytest

from support.cases import ruled

WORKS = """| NVIDIA-SMI 535.54.03    Driver Version: 535.54.03    CUDA Version: 12.2     |
|   0  NVIDIA A100-SXM4-80GB          On  | 00000000:07:00.0 Off |                    0 |
>>> torch.cuda.is_available()
True
"""


@pytest.mark.parametrize(
    "told",
    [
        "Gloo works on CPU tensors and on all platforms.",
        "Horovod with Gloo: `horovodrun --gloo -np 4` works without MPI.",
        "Throttle reasons: hw_slowdown=Not Active, sw_thermal_slowdown=Not Active",
        "Known throttle reasons: hw_slowdown, sw_power_cap, idle.",
        "When idle, the GPU's clock drops from 1980 MHz to 210 MHz, which is expected.",
        "All benchmarks were run with the GPU power limited to 300 W.",
        "The RTX 3050 laptop GPU is held to 60 W by design and works fine.",
        "By default, TensorFlow takes up all GPU memory; allow_growth changes that.",
        "mig-configs:\n  all-disabled:\n    - mig-enabled: false\n      mig-devices: {}",
        "Note: importing torch before setting CUDA_VISIBLE_DEVICES will make it ineffective.",
        "若CUDA_VISIBLE_DEVICES 无效, 请检查拼写",
        "W algorithm_picker.cc:850] Failed to determine best cudnn convolution algorithm: INTERNAL",
        "the tokenizer stays on CPU, the rest runs on the GPU",
        "Install one of these packages:\n- onnxruntime\n- onnxruntime-gpu",
        "If you have installed onnxruntime and onnxruntime-gpu, uninstall both.",
        "A wheel without sm_80 fails with: no kernel image is available. Ours has it.",
        "If System throttled due to over-current appears, see the manual.",
        "What does 'Driver temperature threshold met on GPU #1' mean?",
        "If no CUDA driver found, hashcat uses OpenCL.",
        "Device set to use cpu",
        "BFCAllocator dump for mklcpu\nSum Total of in-use chunks: 25.01GiB",
        'msg="unable to load cudart library" library="C:\\NVIDIA\\PhysX\\cudart64_65.dll"',
        "kill 进程后显存不会被释放吗, 先等几秒",
        "OpenCV:\n  Use CUDA:  YES (ver 11.2)\n  Use CUDA:  NO\ngetCudaEnabledDeviceCount()",
    ],
)
def test_nothing_is_accused(told: str):
    assert ruled(f"{WORKS}\n{told}\n") in ("healthy", "unknown")
