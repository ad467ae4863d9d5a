"""What programs that stand on PyTorch say when they fail, and what sounds like it and is none."""

from __future__ import annotations

import pytest

from support.cases import ruled

WORKER = '  File "/usr/lib/python3/site-packages/torch/utils/data/dataloader.py", line 57, in {}\n'


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        # Tensors, modules and generators on different devices, by the words of each age.
        (
            (
                "RuntimeError: Expected object of type torch.cuda.LongTensor but found type"
                " torch.LongTensor for argument #3 'index'"
            ),
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
        (
            "RuntimeError: Expected a 'cuda' device type for generator but found 'cpu'",
            "user-code",
        ),
        (
            (
                "RuntimeError: Tensor for argument #1 'self' is on CPU, but expected it to be on"
                " GPU (while checking arguments for addmm)"
            ),
            "user-code",
        ),
        ("RuntimeError: FlashAttention only support fp16 and bf16 data type", "user-code"),
        (
            WORKER.format("_worker_loop")
            + "RuntimeError: cuda runtime error (3) : initialization error at THCGeneral.cpp:51",
            "user-code",
        ),
        (
            (
                "ValueError: Invalid CUDA 'device=1' requested. Use 'device=cpu'\n"
                "torch.cuda.is_available(): True\ntorch.cuda.device_count(): 1"
            ),
            "user-code",
        ),
        (
            (
                "AssertionError: please set tensor_parallel_size (4) to less than max local gpu"
                " count (2)"
            ),
            "user-code",
        ),
        ("RuntimeError: CUDA error: hardware stack error", "user-code"),
        # GPUs that are too old for a program.
        (
            (
                "ValueError: FP8 quantized models is only supported on GPUs with compute capability"
                " >= 8.9 (e.g 4090/H100), actual = `7.5`"
            ),
            "gpu-too-old",
        ),
        (
            "RuntimeError: GPUs with compute capability below 7.0 are not supported.",
            "gpu-too-old",
        ),
        (
            "ImportError: GPU with CUDA capability 7 0 is not supported for Flash Attention V2",
            "gpu-too-old",
        ),
        (
            (
                "ValueError: type fp8e4nv not supported in this architecture. The supported fp8"
                " dtypes are ('fp8e4b15', 'fp8e5')"
            ),
            "gpu-too-old",
        ),
        (
            "AssertionError: Device compute capability 9.x required for FP8 execution.",
            "gpu-too-old",
        ),
        (
            (
                "RuntimeError: torch._scaled_mm is only supported on CUDA devices with compute"
                " capability >= 9.0 or 8.9, or ROCm MI300+"
            ),
            "gpu-too-old",
        ),
        (
            "Float8 dynamic quantization requires CUDA compute capability \u22658.9 or MI300+.",
            "gpu-too-old",
        ),
        (
            (
                "ValueError: Marlin does not support weight_bits = uint4b8. Only types = [] are"
                " supported (for group_size = 128, device_capability = 75, zp = False)."
            ),
            "gpu-too-old",
        ),
        ("Assertion failed: pre SM 80 GPUs do not support bfloat16", "gpu-too-old"),
        # GPUs that are too new.
        (
            (
                "FATAL: kernel `fmha_cutlassF_f16_aligned_64x64_rf_sm80` is for sm80-sm100, but was"
                " built for sm37"
            ),
            "gpu-too-new",
        ),
        ("ValueError: Unknown CUDA arch (12.0+PTX) or GPU not supported", "gpu-too-new"),
        # Compiled halves that do not fit or are not there.
        (
            "ModuleNotFoundError: No module named 'MultiScaleDeformableAttention'",
            "extension-mismatch",
        ),
        (
            "Exllamav2 kernel is not installed, reset disable_exllamav2 to True.",
            "extension-mismatch",
        ),
        (
            "ImportError: Could not find module '_version_cpu' in /x/torch_scatter",
            "extension-mismatch",
        ),
        (
            (
                "FileNotFoundError: Could not find module 'C:\\x\\torchtext\\lib\\libtorchtext.pyd'"
                " (or one of its dependencies)."
            ),
            "extension-mismatch",
        ),
        (
            "TypeError: causal_conv1d_fwd(): incompatible function arguments. The following",
            "extension-mismatch",
        ),
        (
            (
                "ImportError: DLL load failed while importing _ext: The specified procedure could"
                " not be found."
            ),
            "extension-mismatch",
        ),
        (
            (
                '  File "C:\\x\\site-packages\\torchtext\\_extension.py", line 30, in _load_lib\n'
                "OSError: [WinError 127] The specified procedure could not be found"
            ),
            "extension-mismatch",
        ),
        (
            (
                '  File "C:\\x\\site-packages\\nunchaku\\__init__.py", line 1, in <module>\n'
                "ImportError: DLL load failed while importing _C: The specified procedure could not"
                " be found."
            ),
            "extension-mismatch",
        ),
        (
            (
                "error: #error \"You're trying to build PyTorch with a too old version of GCC."
                ' We need GCC 9 or later."'
            ),
            "toolkit-mismatch",
        ),
        # Toolkits and libraries.
        (
            (
                '    raw_output = subprocess.check_output([cuda_dir + "/bin/nvcc", "-V"])\n'
                "TypeError: unsupported operand type(s) for +: 'NoneType' and 'str'"
            ),
            "toolkit-missing",
        ),
        ("AssertionError: Can not find $env:CUDA_PATH", "toolkit-missing"),
        (
            '/usr/include/stdlib.h(566): error: attribute "__malloc__" does not take arguments',
            "toolkit-mismatch",
        ),
        (
            "OSError: libnppicc.so.13: cannot open shared object file: No such file or directory",
            "cublas-missing",
        ),
        (
            (
                " ERROR: /usr/bin/python3.10: undefined symbol: cudaRuntimeGetVersion\n"
                "CUDA SETUP: libcudart.so path is None"
            ),
            "cudart-missing",
        ),
        # Work that runs elsewhere.
        ("GPU available: True (cuda), used: False", "silent-cpu-fallback"),
        (
            "UserWarning: Performing inference on CPU when CUDA is available",
            "silent-cpu-fallback",
        ),
        (
            (
                "RuntimeError: ProcessGroupNCCL is only supported with GPUs, no GPUs found!\n"
                "torch==2.2.1+cpu"
            ),
            "cpu-only-build",
        ),
        (
            "Timed out after 601 seconds waiting for clients. 1/2 clients joined.",
            "nccl",
        ),
        # Below what a program serves, though torch serves it; code of an older CUDA.
        (
            (
                "PyTorch version: 2.6.0+cu124\nGPU models and configuration: GPU 0: Tesla P40\n"
                "vLLM Version: 0.8.2\nRuntimeError: CUDA error: no kernel image is available for"
                " execution on the device"
            ),
            "gpu-too-old",
        ),
        (
            (
                "NVIDIA GeForce RTX 4090\ntorch 1.13.1+cu117\nRuntimeError: cuFFT error:"
                " CUFFT_INTERNAL_ERROR"
            ),
            "gpu-too-new",
        ),
        ("sm_120 is not compatible with the current PyTorch installation", "gpu-too-new"),
        (
            (
                "RTX PRO 6000 Blackwell, torch 2.6.0+cu124\nRuntimeError: CUDA error: no kernel"
                " image is available for execution on the device"
            ),
            "gpu-too-new",
        ),
        (
            (
                "Found NVIDIA GeForce GTX 1050 Ti which is too old to be supported by the triton"
                " GPU compiler"
            ),
            "gpu-too-old",
        ),
        ("It hangs at the first barrier; NCCL_P2P_DISABLE=1 makes it work.", "nccl"),
        # An answer behind the command that asked, and behind the name of the attribute.
        (
            (
                'docker run -it image python -c "print(torch.cuda.is_available())" -> False\n'
                "torch 2.1.0+cu118"
            ),
            "container-no-gpu",
        ),
        ("torch.cuda.is_available() False. torch.__version__ '2.0.1+cpu'", "cpu-only-build"),
        (
            "I use an M1 MacBook Pro.\nAssertionError: Torch not compiled with CUDA enabled",
            "no-nvidia-gpu",
        ),
        # bitsandbytes, which looks for libraries by itself.
        (
            (
                "CUDA SETUP: Problem: The main issue seems to be that the main CUDA runtime library"
                " was not detected."
            ),
            "extension-mismatch",
        ),
        ("Exception: CUDA SETUP: Setup Failed!", "extension-mismatch"),
        # Reports of programs, of machines that see no GPU.
        (
            (
                "torch version .................... 2.1.0+cpu\n"
                "AssertionError: CUDA_HOME does not exist, unable to compile CUDA op(s)"
            ),
            "cpu-only-build",
        ),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "The generator is on the CPU, as it was made there",
        WORKER.format("__next__") + "RuntimeError: CUDA error: initialization error",
        WORKER.format("_worker_loop") + "ValueError: all the input arrays must have two axes",
        "ValueError: Invalid CUDA 'device=1' requested. Use 'device=cpu'",
        "FP8 needs newer GPUs; ours is only supported in int8",
        "Marlin: only types = [uint4, uint8] are supported (device_capability = 80)",
        "GCC 9 or later is needed; this is GCC 11",
        (
            "UserWarning: Plan failed with an OutOfMemoryError: CUDA out of memory. Tried"
            " to allocate 1.01 GiB. GPU 0 has a total capacity of 10 GiB of which 600 MiB is free"
        ),
        (
            "UserWarning: Plan failed with a cudnnException:"
            " CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: cudnn_status: CUDNN_STATUS_NOT_SUPPORTED"
        ),
        "the kernel was built for sm_90",
        "TypeError: forward(): incompatible function arguments.",
        "lltm_cuda: incompatible function arguments",
        "subprocess.check_output(['nvidia-smi', '-L'])",
        "python: can't open file 'train.py': [Errno 2] No such file or directory",
        "/usr/bin/python3: undefined symbol: cudaRuntimeGetVersion",
        "2/2 clients have joined the round",
        "NVIDIA GeForce RTX 4090\ntorch 2.1.0+cu118\ncuFFT error: CUFFT_INTERNAL_ERROR",
        "- PyTorch version (GPU?): 2.4.0+cu121 (False)",
        "* CUDA:\n\t- GPU:               None\n\t- available:         False",
        "torch version .................... 2.1.0+cu121\nnvcc version ..................... 12.1",
        "- available:         True",
        "Is sm_120 compatible with the current release?",
        "NCCL_P2P_DISABLE=1 does not make it work",
        "print(torch.cuda.is_available()) and then -> see the docs",
        "I have the M2 release of Maven",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"


@pytest.mark.parametrize(
    "pasted",
    [
        "Using torch device: NVIDIA GeForce RTX 4070",
        "INFO     Torch detected GPU: NVIDIA GeForce RTX 3060 VRAM 12288 Arch (8, 6) Cores 28",
        "GPU available: True (cuda), used: True",
        "- PyTorch version (GPU?): 2.5.1+cu124 (True)",
        "* CUDA:\n\t- GPU:\n\t\t- NVIDIA GeForce RTX 3080\n\t- available:         True",
        "PyTorch settings found: CUDA_VERSION=126, Highest Compute Capability: (8, 9).",
        "   \\\\   /|    Tesla T4. Num GPUs = 1. Max memory: 14.741 GB. Platform: Linux.",
    ],
)
def test_a_program_that_took_the_gpu_is_healthy(pasted: str) -> None:
    assert ruled(pasted) == "healthy"
