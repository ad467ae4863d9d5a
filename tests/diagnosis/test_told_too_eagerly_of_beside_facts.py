"""Texts whose lines beside each other look like a fault together, and are none, or another one."""

from __future__ import annotations

import pytest

from support.cases import ruled

SMI = """| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |
|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
| N/A   41C    P8     9W /  70W |  {used}MiB / 15109MiB |      0%      Default |
"""
HELD = SMI.format(used=14000) + (
    "|    0   N/A  N/A      7316      C   python3                14000MiB |\n"
)
NO_DEVICE = ">>> torch.cuda.is_available()\nFalse\n"
CPU_BUILD = ">>> torch.__version__\n'2.1.0+cpu'\n" + NO_DEVICE
SEES = ">>> torch.cuda.is_available()\nTrue\n"
NO_MEMORY = "torch.OutOfMemoryError: CUDA out of memory.\n"
OTHERS = (
    "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 14.76 GiB total capacity; 3.00 GiB "
    "already allocated; 0.50 GiB free; 3.20 GiB reserved in total by PyTorch)\n"
)
DMON = "# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk\n"
CUBLAS = "RuntimeError: CUDA error: CUBLAS_STATUS_{} when calling `cublasCreate(handle)`\n"
REFUSED = (
    "docker: Error response from daemon: could not select device driver "
    '"" with capabilities: [[gpu]].\n'
)
XFORMERS = (
    "memory_efficient_attention.cutlassF:               available\n"
    "pytorch.version:                                   2.1.2+cu121\n"
    "build.torch_version:                               2.1.0+cu121\n"
)
LOGGED = """$ nvidia-smi --query-gpu=timestamp,memory.used,memory.total --format=csv -l 1
timestamp, memory.used [MiB], memory.total [MiB]
2024/01/01 10:00:01.000, 15000 MiB, 15109 MiB
"""
PAD = (
    "tokenizer.add_special_tokens({'pad_token': tokenizer.eos_token})\n"
    "model = AutoModel.from_pretrained('x')\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "Checking DLLs: (cudart64_110.dll missing: no)\n",
        "Warning: nvml.dll missing, temperature is not shown\nMining at 30 MH/s\n",
        "cudnn64_8.dll missing? No, it is there.\n" + SEES,
        "The message `Insufficient CUDA driver: 9010` appears when the driver is old.\n",
        "If CUDA devices are busy or not available, wait.\n",
        "CUDA devices busy or not available? No: they are free.\n",
        "It no longer hangs when initializing NCCL since the update.\n",
        "If it hangs while initializing the NCCL communicator, set NCCL_DEBUG=INFO.\n",
        "raise_if_cache_size_invalid(num_gpu_blocks, block_size) is called in worker.py.\n",
        "nvidia-mig-parted apply refuses an invalid MIG configuration.\n",
        "The number of registers per work-group cannot exceed 65536, says the manual.\n",
        (
            "'--include localhost:3': No slot '3' specified on host 'w' was told. "
            "CUDA_VISIBLE_DEVICES=0,1 works.\n"
        ),
        (
            "error: argument --execution-provider: invalid choice: 'cuda' (choose from 'rocm', "
            "'cpu')\nAMD RX 7900 XTX\n"
        ),
        "fatal error: curl.h: No such file or directory\n",
        "fatal error: focus.h: No such file or directory\n",
        "customer.h: Datei oder Verzeichnis nicht gefunden\n",
        "fatal error: nvme.h: No such file or directory\n",
        XFORMERS + "Images are generated at 8 it/s on the GPU.\n",
        REFUSED + "root@ab12cd34ef56:/# python -c 'import torch; "
        "print(torch.cuda.is_available())'\nTrue\n",
        DMON + "    0    240     70      -     99     50      0      0   9500   1900\n"
        "    0    120     81      -     55     20      0      0   9500   1000\n",
        PAD + CUBLAS.format("EXECUTION_FAILED"),
    ],
)
def test_nothing_is_found(text: str):
    assert ruled(text) in {"healthy", "unknown"}


@pytest.mark.parametrize(
    "text",
    [
        "If GPU-Z shows 99% and task manager 3%, would that be normal?\n",
        "HWiNFO shows 95% on the Intel iGPU, task manager 4% on the NVIDIA GPU.\n",
        "nvidia-smi shows 95% of memory, task manager 3% GPU. Is it used at all?\n",
    ],
)
def test_a_monitor_of_something_else_proves_nothing(text: str):
    assert ruled(text) == "unknown"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("JAX and PyTorch are never in the same process.\n" + OTHERS, "oom-other-process"),
        (
            "I ported the model from jax.\nThe same script runs in float16.\n" + OTHERS,
            "oom-other-process",
        ),
        (
            "jax and torch are in one process, jax on the CPU only.\n" + OTHERS,
            "oom-other-process",
        ),
        ("$ ./webui\n" + NO_MEMORY + HELD, "oom-workload"),
        ("$ ./configure\n" + NO_MEMORY + HELD, "oom-workload"),
        (LOGGED + NO_MEMORY, "oom-workload"),
        (
            '"vocab_size": 32000,\nprint(len(tokenizer))\n40000 examples read\n'
            + CUBLAS.format("ALLOC_FAILED"),
            "oom-workload",
        ),
        ("spacy.prefer_gpu() returns True if a GPU was found, else False\n" + CPU_BUILD,
         "cpu-only-build"),
        ("torch.cuda.is_available() returns True if a GPU was found\n" + CPU_BUILD,
         "cpu-only-build"),
        (">>> spacy.prefer_gpu()\nTrue\n" + CPU_BUILD, "cpu-only-build"),
        (
            '$ docker inspect db\n "DeviceRequests": null,\n$ docker inspect torch\n'
            ' "DeviceRequests": [\n' + CPU_BUILD,
            "cpu-only-build",
        ),
        (
            ("bob@box:~$ lspci | grep VGA\n01:00.0 VGA compatible controller: NVIDIA Corporation "
            "GP107 [GeForce GTX 1050 Ti]\nbob@box.local:~$ lspci -k | grep VGA\n00:02.0 VGA "
            "compatible controller: Intel Corporation UHD Graphics 630\nbob@box.local:~$ "
            "nvidia-smi\nbash: nvidia-smi: command not found\n"),
            "driver-missing",
        ),
        (
            "(position_embeddings): Embedding(512, 768)\n>>> len(tokenizer)\n30522\n"
            + CUBLAS.format("ALLOC_FAILED"),
            "oom-workload",
        ),
        (
            "tokenizer.add_tokens(new)\nmodel = AutoModel.from_pretrained('x')\n"
            "model.set_input_embeddings(nn.Embedding(len(tokenizer), 768))\n"
            + CUBLAS.format("ALLOC_FAILED"),
            "oom-workload",
        ),
    ],
)  # fmt: skip
def test_a_better_reason_stays(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Loading failed: ONNX Runtime 1.19.0 (cublas64_11.dll missing)\n", "cublas-missing"),
        ("fatal error: cuda_runtime.h: No such file or directory\n", "toolkit-missing"),
        ("the job hangs when initializing NCCL\n", "nccl"),
        ("Error: Insufficient CUDA driver: 8000\n", "driver-too-old"),
        ("torch and jax share one process.\n" + OTHERS, "oom-preallocation"),
    ],
)
def test_what_is_told_plainly_is_still_read(text: str, cause: str):
    assert ruled(text) == cause
