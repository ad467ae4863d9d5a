"""A GPU that is too old for the software, told by runners of language models, miners and others."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

OPENCV = (
    "OpenCV(4.8.0) /home/user/opencv_contrib-4.8.0/modules/cudev/grid/transform.hpp:264: error: "
    "(-217:Gpu API call) no kernel image is available for execution on the device\n"
)
GROMACS = "    #0: NVIDIA {name}, compute cap.: {number}, ECC:  no, stat: {state}\n"
KOKKOS = "running kernels compiled for compute capability {} on device with compute capability {} "
OLD_NVCC = "nvcc fatal   : Unsupported gpu architecture 'compute_{}'\nGPU: {}\nCUDA: {}\n"
_NEEDS = "error   : Feature '.bf16' requires .target sm_80 or higher"
_FOUND = "ggml_init_cublas: found 1 CUDA devices:\n  Device 0: Tesla "


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "PyTorch version: 2.6.0+cu124\nGPU models and configuration: GPU 0: Tesla P40\n"
                "vLLM Version: 0.8.2\nRuntimeError: CUDA error: no kernel image is available for"
                " execution on the device"
            ),
            "gpu-too-old",
        ),
        ("VLLM_USE_V1=1 is not supported with Compute Capability < 8.0.", "gpu-too-old"),
        ("RuntimeError: SGLang only supports sm75 and above.", "gpu-too-old"),
        ("A compiler that only supports sm boards", "unknown"),
        ("All miners say: Compute Capability Not Supported.\n", "gpu-too-old"),
        ("Is its Compute Capability Not Supported?\n", "unknown"),
        (OPENCV + "GPU: Tesla K40c", "gpu-too-old"),
        ("Kokkos::Cuda::initialize ERROR: likely mismatch of architecture", "gpu-too-old"),
        (GROMACS.format(name="GTX 480", number="2.0", state="incompatible"), "gpu-too-old"),
        (
            "The device Tesla K80 with computed capability 3.7 does not support HOOMD-blue.",
            "gpu-too-old",
        ),
        ("pygdf==0.1.0a2\nGPU: GeForce 940M\nGDFError: CUDA ERROR", "gpu-too-old"),
        (
            "Kokkos::Cuda::initialize ERROR: "
            + KOKKOS.format("7.0", "6.0")
            + ", this will likely produce incorrect results",
            "gpu-too-old",
        ),
        (
            "Kokkos::Cuda::initialize ERROR: likely mismatch of architecture\nGPU: Tesla K40c",
            "gpu-too-old",
        ),
        (OLD_NVCC.format(61, "GTX 1080", "13.0"), "gpu-too-old"),
        # Triton makes code that the GPU does not have.
        (f"ptxas /tmp/compile-ptx-src-9e79cc, line 59; {_NEEDS}", "gpu-too-old"),
        (f"ptxas /tmp/tmpjp5bgu11.ptx, line 75; {_NEEDS}", "gpu-too-old"),
        (f"ptxas /tmp/tmpxft_00001_0-6_kernel.ptx, line 75; {_NEEDS}", "unknown"),
        (f"GPU 0: NVIDIA A100\nptxas /tmp/tmpjp5bgu11.ptx, line 75; {_NEEDS}", "unknown"),
        # Programs serve newer GPUs only.
        (f"My ollama does not use the GPU.\n{_FOUND}K80, compute capability 3.7", "gpu-too-old"),
        (f"My ollama does not use the GPU.\n{_FOUND}P40, compute capability 6.1", "healthy"),
        (f"It does not use the GPU.\n{_FOUND}K80, compute capability 3.7", "healthy"),
        ("ollama does not use my Tesla P40", "unknown"),
        ("CUBLASError: (code 8, CUBLAS_STATUS_ARCH_MISMATCH)", "gpu-too-old"),
        ("Your device is too old. We require compute capability >= 50", "gpu-too-old"),
        ("Is your device too old? What compute capability do you require?", "unknown"),
    ],
)
def test_a_gpu_that_is_too_old_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("GPUs: Tesla M40, Tesla K80\nollama runs on the CPU only", "gpu-too-old"),
        ("GPUs: RTX 3060 and GT 710\nOllama does not use the gpu.", "gpu-too-old"),
        ("GPU: GTX 1080 and a GTX 760\nollama: everything is done by the cpu.", "gpu-too-old"),
        ("GPUs: RTX 3060 and RTX 2060\nOllama does not use the gpu.", "unknown"),
        ("GPUs: RTX 3060 and GT 710\nOllama answers in another language.", "unknown"),
        ("GPUs: RTX 3060 and GT 710\nIt does not use the gpu.", "unknown"),
    ],
)
def test_ollama_uses_none_of_several_gpus_where_one_is_too_old_for_it(text: str, cause: str):
    assert ruled(text) == cause


def test_a_gpu_that_is_too_old_for_ollama_is_to_be_hidden_from_it():
    fix = finding("GPUs: Tesla M40, Tesla K80\nollama runs on the CPU only").fix
    assert "CUDA_VISIBLE_DEVICES" in fix.text
    assert "older card" in fix.text


@pytest.mark.parametrize(
    "text",
    [
        "The device NVIDIA A100 with compute capability 8.0 is used by HOOMD-blue",
        "Kokkos::Cuda::initialize WARNING: "
        + KOKKOS.format("5.0", "8.9")
        + ", this will likely reduce potential performance.",
    ],
)
def test_kin_of_a_gpu_that_is_too_old_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("RuntimeError: no kernel image available when it starts", "gpu-too-old"),
        ("apt: no kernel image available, keeping 6.8", "unknown"),
    ],
)
def test_the_code_for_a_gpu_is_missed_in_few_words(line: str, cause: str):
    assert ruled(f"GPU: Tesla K40\n{line}\n") == cause


PTXAS = """GPU 0: {gpu}
ptxas kernels.ptx, line 120; error   : Feature 'f16 arithemetic and compare instructions' requires \
.target sm_53 or higher
"""


@pytest.mark.parametrize(
    ("gpu", "cause"), [("GeForce GTX 980", "gpu-too-old"), ("GeForce RTX 3090", "unknown")]
)
def test_ptxas_names_the_first_gpu_that_has_a_feature(gpu: str, cause: str):
    assert ruled(PTXAS.format(gpu=gpu)) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("[2017-08-11 23:06:20] GPU #0: invalid device function", "gpu-too-old"),
        ("[2017-08-11 23:06:20] GPU #0: Tesla K80, 1099.78 MH/s", "healthy"),
    ],
)
def test_a_miner_tells_of_code_that_it_lacks_by_the_gpus_number(line: str, cause: str):
    assert ruled(f"GPU: Tesla K80\nRunning ./ccminer\n{line}\n") == cause


RELION = "KERNEL_ERROR: {} in /x/src/gpu_utils/cuda_ml_optimiser.cu at line 258 (error-code 8)"
CUBLAS = "cuBLAS error 15 at D:\\x\\{}:7586: the requested functionality is not supported"
GENCODE = (
    "GPU: V100\nCheck failed: error == cudaSuccess (8 vs. 0) invalid device function\n"
    "\t\t-gencode arch=compute_61,code=sm_61 \\\n\t\t-gencode arch=compute_{0},code=compute_{0}\n"
)
NO_CODE = "CUDA Error: no kernel image is available for execution on the device"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"GPU: GRID K520\n{RELION.format('invalid device function')}", "gpu-too-old"),
        (f"GPU: GRID K520\n{RELION.format('something else')}", "unknown"),
        (f"GPU: GTX 960\n{CUBLAS.format('ggml-cuda.cu')}", "gpu-too-old"),
        (f"GPU: GTX 1080\n{CUBLAS.format('ggml-cuda.cu')}", "unknown"),
        (f"GPU: GTX 960\n{CUBLAS.format('solver.cu')}", "unknown"),
        (GENCODE.format(61), "gpu-too-new"),
        (GENCODE.format(80), "gpu-too-old"),
        (f"GPU: Quadro P series\n{NO_CODE}", "gpu-too-old"),
        (f"Graphics card: GTX 10 series\n{NO_CODE}", "gpu-too-old"),
        (f"GPU: Quadro RTX series\n{NO_CODE}", "unknown"),
        ("GPU: Quadro P series", "unknown"),
    ],
)
def test_a_program_is_for_other_gpus(text: str, cause: str):
    assert ruled(text) == cause


XMRIG = """ * GPU #0:       {name} @ 1046/875 MHz 64x2 8x25 arch:{arch} SMX:1
[CUDA] Error gpu 0: <prepare>:259 "no kernel image is available for execution on the device"
"""


@pytest.mark.parametrize(
    ("name", "arch", "cause"),
    [("NVS 310", "21", "gpu-too-old"), ("RTX 5090", "120", "gpu-too-new")],
)
def test_xmrig_tells_the_gpus_architecture(name: str, arch: str, cause: str):
    assert ruled(XMRIG.format(name=name, arch=arch)) == cause


@pytest.mark.parametrize(
    ("gpu", "cause"),
    [("GeForce GT 705", "gpu-too-old"), ("RTX 5090", "gpu-too-new"), ("", "unknown")],
)
def test_a_miner_was_not_compiled_for_the_gpu(gpu: str, cause: str):
    line = "WARNING: NVIDIA GPU 0: miner not compiled for the gpu architecture 21."
    assert ruled(f"GPU: {gpu}\n{line}\n") == cause


@pytest.mark.parametrize(
    ("generation", "cause"),
    [("Pascal", "gpu-too-old"), ("Blackwell", "gpu-too-new"), ("Banana", "unknown")],
)
def test_a_line_of_paddle_about_a_generation_was_cut(generation: str, cause: str):
    line = f"The GPU architecture in your current machine is {generation}, which is not compatible"
    assert ruled(f"{line} with Paddle installation\n") == cause


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: Unable to load op due to no compute capabilities remaining after filtering",
        "ggml was not compiled with any CUDA arch <= 700",
        "ERROR: Can't initialize device [ID=0, GPU #0], failed to load CUDA fat binary",
    ],
)
def test_programs_say_in_their_own_words_that_they_are_for_newer_gpus(line: str):
    assert ruled(f"GPU: Tesla K80\n{line}\n") == "gpu-too-old"


COMPILED = "Runtime compute cap {} is not compatible with compile time compute cap 80"
NOT_BUILT = "(-216:No CUDA support) OpenCV was not built to work with the selected device."


@pytest.mark.parametrize(("own", "cause"), [("70", "gpu-too-old"), ("120", "gpu-too-new")])
def test_a_program_tells_what_it_was_compiled_for(own: str, cause: str):
    assert ruled(COMPILED.format(own)) == cause


@pytest.mark.parametrize(
    ("gpu", "cause"),
    [("T4", "gpu-too-old"), ("RTX 5090", "gpu-too-new"), ("", "extension-mismatch")],
)
def test_opencv_was_compiled_for_one_gpu_alone(gpu: str, cause: str):
    assert ruled(f"GPU: {gpu}\ncmake -D CUDA_ARCH_BIN=8.7 ..\nerror: {NOT_BUILT}\n") == cause


@pytest.mark.parametrize(
    ("gpu", "error", "cause"),
    [
        ("GTX 1080 Ti", "RuntimeError: CUSTATEVEC_STATUS_ARCH_MISMATCH", "gpu-too-old"),
        ("Tesla P100", "stops with CUTENSORNET_STATUS_CUDA_ERROR in contract", "gpu-too-old"),
        ("Quadro P4000", "CUDA device is an unsupported version: (6, 1)", "gpu-too-old"),
        ("Tesla V100", "RuntimeError: CUSTATEVEC_STATUS_EXECUTION_FAILED", "unknown"),
        ("GTX 1080 Ti", "RuntimeError: CUSTATEVEC_STATUS_INVALID_VALUE", "unknown"),
    ],
)
def test_cuquantum_serves_gpus_from_volta_on(gpu: str, error: str, cause: str):
    assert ruled(f"GPU: {gpu}\npennylane-lightning-gpu: 0.36\n{error}\n") == cause


def test_without_cuquantum_the_program_simulates_by_other_means():
    found = finding("GPU: Titan Xp\nCUTENSORNET_STATUS_CUDA_ERROR")
    assert "cuQuantum serves 7.0 and newer" in found.title
    assert "lightning.kokkos" in found.fix.text


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "GPU: GTX 260\nCUDA_ARCH_BIN=2.0 3.0 3.5 5.0\nOpenCV Error: Gpu API call "
                "(invalid device function ) in f\n"
            ),
            "gpu-too-old",
        ),
        (
            (
                'CUDA compute capability 5.0 is all that my hardware can do.\ncuda error "no '
                'kernel image is available for execution on the device"\n'
            ),
            "gpu-too-old",
        ),
        (
            (
                "|   0  Quadro K600         Off  | 00000000:03:00.0 Off |\nUnable to "
                "initialize backend 'gpu'\n"
            ),
            "gpu-too-old",
        ),
    ],
)
def test_gpus_below_what_was_compiled(text: str, cause: str):
    assert ruled(text) == cause


MINER = "Can't use CUDA device 0: compute cap. 2.1 (at least 3.0 required)\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (MINER, "gpu-too-old"),
        (f"GPU: GTX 1060, as its seller says\n{MINER}", "gpu-too-old"),
        ("Only CUDA devices with SM 5.0 and higher are supported.\n", "gpu-too-old"),
        ("CUDA device 0: compute cap. 6.1, at least 3 GB\n", "unknown"),
    ],
)
def test_a_miner_compares_the_capabilities(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(("gpu", "cause"), [("GT 640", "gpu-too-old"), ("RTX 5090", "gpu-too-new")])
def test_a_sample_prints_where_no_code_was_found(gpu: str, cause: str):
    assert ruled(f"NVIDIA GeForce {gpu}\n\nsrc/check.cu : 52 invalid device function\n") == cause
