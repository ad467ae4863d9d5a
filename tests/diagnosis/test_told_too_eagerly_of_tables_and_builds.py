"""Texts that look like a fault by a table, a title or a build, and are none, or are another one."""

from __future__ import annotations

import pytest

from support.cases import ruled

SMI = """| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |
|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
| N/A   41C    P8     9W /  70W |  {used}MiB / 15109MiB |      0%      Default |
"""
SEES = ">>> torch.cuda.is_available()\nTrue\n"
NO_MEMORY = "torch.OutOfMemoryError: CUDA out of memory.\n"
OWN = (
    "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 14.76 GiB total capacity; 13.00 GiB "
    "already allocated; 0.50 GiB free; 13.20 GiB reserved in total by PyTorch)\n"
)
UNBALANCED = "The memory capacity is unbalanced. Some GPUs may be occupied by other processes.\n"
ARENA = '"CUDA backend will fallback to the CPU implementation for the layer \\"" << ld.name'
HYBRID = """01:00.0 VGA compatible controller: NVIDIA Corporation TU104 [GeForce RTX 2080]
\tKernel driver in use: vfio-pci
"""
JARS = """| com.microsoft.onnxruntime:onnxruntime:1.16.0 | CPU |
| com.microsoft.onnxruntime:onnxruntime_gpu:1.16.0 | CUDA |
"""
NVMAP = """root@nano:/# ls -l /dev/nvmap
crw-rw---- 1 root root 238, 0 Jan  1 1970 /dev/nvmap
>>> torch.cuda.is_available()
False
"""


@pytest.mark.parametrize(
    "text",
    [
        SEES + "Tip: run `watch nvidia-smi` while training to see GPU use.\n" + SMI.format(used=0),
        SEES + "I did not take nvidia-smi during training, only now:\n" + SMI.format(used=0),
        SEES + "If you run nvidia-smi during training you should see it.\n" + SMI.format(used=0),
        SEES + "nvidia-smi during inference server warmup, no requests\n" + SMI.format(used=14000),
        SEES + ">>> pipe.enable_model_cpu_offload()\n>>> pipe.device\ndevice(type='cpu')\n",
        SEES + ">>> model.device\ndevice(type='cpu')\n>>> model = model.to('cuda')\n",
        SEES + "Overclocking the 4090 does nothing for tokens per second.\n",
        SEES + ">>> dlib.DLIB_USE_CUDA\nFalse\n",
        "With the undervolt my card never draws above 200 W and is as fast as stock.\n",
        ("My GPU is capped at 250W although it could draw 350W; temperatures are great, as I "
        "wanted.\n"),
        "My GPU never gets above 60 watts in light games, which is lovely.\n",
        f"WARNING {UNBALANCED}The server is fired up and ready to roll!\n",
        f'raise ValueError("{UNBALANCED}")\n',
        ("CUDA backend will fallback to the CPU implementation for the layer "
        '"_input" of type __NetInputLayer__\nFPS: 120\n'),
        f"CV_LOG_INFO(NULL, {ARENA});\n",
        "all-reduces with algorithm = nccl\nMirroredStrategy never hangs here, it is only slow.\n",
        "all-reduces with algorithm = nccl\nMirroredStrategy hung in TF 2.2; it is gone in 2.3.\n",
        ("include/socket.h:403 WARN Socket creation failed: Address family not supported\n"
        "Epoch 1 loss 0.3\n"),
        "The installation of visual-studio for version 2022 failed.\n",
        "python3-tensorboard-data : Depends: python3 (< 3.9) but 3.10.6-1 is to be installed\n",
        "- Installing torch (2.1.0+cpu): Failed\n",
        ("- Installing torch (2.1.0+cpu)\n- Updating torch (2.1.0+cpu -> 2.1.0+cu121)\n"
        ">>> torch.cuda.is_available()\nFalse\n"),
        JARS,
        "NVRM: Failed to create a DMA mapping for 4096 bytes, retrying; ok\n",
        "The manual lists an error in the Fabric Manager or NVSwitches for 802.\n",
        ('The glibc 2.41 error incompatible with that of previous function "cospi" is gone with '
        "CUDA 13.0.\n"),
        "Changelog: fixed module has no attribute 'StandardGpuResources' with faiss-gpu 1.7.3.\n",
        ("The warning that CUDA runtime library libcudnn.so.8 was loaded from a system path is "
        "gone.\n"),
        "The cuInit call returns 100 on machines without a GPU.\n",
        "cudaLaunchKernel call fails with 700 in the older version; fixed.\n",
        'throw new OrtException("This binary was not compiled with CUDA support.");\n',
        NVMAP,
        ("The nvidia-uvm module is not loaded at boot on my GPU server; nvidia-modprobe loads it "
        "on demand and CUDA works.\n"),
    ],
)  # fmt: skip
def test_nothing_is_accused(text: str):
    assert ruled(text) in ("healthy", "unknown")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            f"{OWN}nvidia-smi right before training crashes:\n{SMI.format(used=14500)}",
            "oom-workload",
        ),
        (f"{OWN}nvidia-smi before training:\n{SMI.format(used=14500)}", "oom-workload"),
        (f"{NO_MEMORY}确认没有发现其他进程占用显存\n", "oom-workload"),
        (f"{NO_MEMORY}其他进程占用显存时会报错\n", "oom-workload"),
        (f">>> dlib.DLIB_USE_CUDA\nFalse\n{OWN}", "oom-workload"),
        (
            "NVIDIA A100\ntorch==2.4.0+cu121\nRuntimeError: kernel only supports sm_89 and above\n",
            "gpu-too-old",
        ),
        (
            (
                "tensorflow 2.15.0\ntensorflow-cpu 2.15.0\nDriver Version: 470.82.01\n"
                ">>> tf.config.list_physical_devices('GPU')\n[]\n"
            ),
            "mixed-installs",
        ),
        (
            (
                f"{HYBRID}In the VM:\n{SMI.format(used=0)}torch 2.1.0+cpu\n"
                ">>> torch.cuda.is_available()\nFalse\n"
            ),
            "cpu-only-build",
        ),
        (
            (
                f"{HYBRID}In the guest: torch.cuda.is_available() returns False\n"
                "bash: nvidia-smi: command not found\n"
            ),
            "driver-missing",
        ),
        (
            (
                "These bindings are for CUDNN 5.x (5005 <= cudnn.version > 6000) , while the "
                "loaded CuDNN is version: 6021\n"
            ),
            "cudnn-mismatch",
        ),
        (
            (
                "#0: NVIDIA Tesla K20, compute cap.: 3.5, stat: compatible\n"
                "#1: NVIDIA GeForce GT 630, compute cap.: 2.1, stat: incompatible\n"
                "Cannot run on GPU ids 1, because those GPUs are not compatible.\n"
            ),
            "unknown",
        ),
    ],
)
def test_a_better_reason_stays(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "title", ["pt_main_thread", "VLLM::EngineCore", "ray::train_worker", "ipykernel_launcher",
              "/opt/venv/bin/uvicorn"]
)  # fmt: skip
def test_a_title_that_a_program_gives_itself_is_no_stranger(title: str):
    row = f"|    0   N/A  N/A      7316      C   {title}                14000MiB |\n"
    assert ruled(NO_MEMORY + SMI.format(used=14000) + row) == "oom-workload"
