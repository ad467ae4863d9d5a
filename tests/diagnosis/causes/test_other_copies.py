"""A library of another release than was installed for a program, or the toolkit's stub of one."""

from __future__ import annotations

import pytest

from support.cases import ruled

PADDLE = "W1110 17:34:13 3418 gpu_resources.cc:149] device: 0, cuDNN Version: {}.\n"
CUPY = "It fails:\nCUDA Runtime Version         : {} (linked to CuPy) / {} (locally installed)\n"
NVRTC = "nvrtc: error: invalid value for --gpu-architecture (-arch)\n$ ldconfig -p | grep nvrtc\n"
TWELVE = "libnvrtc.so.12 (libc6,x86-64) => /b/libnvrtc.so.12\n"
MEGENGINE = "extra message: cudnn version mismatch: compiled with {}; detected {} at runtime, may\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"cudnn: 8.2.1\n{PADDLE.format('7.4')}", "library-path-conflict"),
        (f"nvidia-cudnn-cu11==8.9.5.29\n{PADDLE.format('8.1')}", "library-path-conflict"),
        (f"nvidia-cudnn-cu11==8.9.5.29\n{PADDLE.format('8.9')}", "unknown"),
        (f"cudnn: 8.6.0\n{PADDLE.format('8.4')}", "unknown"),  # as somebody has it in mind
        (CUPY.format(12090, 13000), "library-path-conflict"),
        (CUPY.format(11080, 12040), "library-path-conflict"),
        (CUPY.format(12090, 12040), "unknown"),
        (f"{NVRTC}{TWELVE.replace('12', '13')}{TWELVE}",
         "library-path-conflict"),
        (f"{NVRTC}{TWELVE}", "gpu-too-new"),
        (MEGENGINE.format(8101, 8204), "cudnn-mismatch"),
        (MEGENGINE.format(7605, 8004), "cudnn-mismatch"),
        ("You are running using the stub version of nvrtc\n", "stub-library"),
        ("You are running nvrtc\n", "unknown"),
        ("It says that the CUDA library is a stub.\n", "stub-library"),
        ("Please make sure cudnn_ops_infer64_8.dll is in your library path!\n", "cudnn-missing"),
        ("Please make sure libcudnn_ops_infer.so.8 is in your library path!\n", "cudnn-missing"),
        ("Please make sure cudnn_cnn_infer64_8.dll is in your library path!\n", "unknown"),
        (("-- Found CUDA, but CMake was unable to find the cuBLAS libraries that should be part of "
         "every basic CUDA install.\n"), "cublas-missing"),
        ("RuntimeError: module 'cupy.cuda' has no attribute 'cudnn'\n", "cudnn-missing"),
        ("(see #installation).module 'cupy.cuda' has no attribute 'cudnn'\n", "cudnn-missing"),
        ("module 'cupy.cuda' has no attribute 'streams'\n", "unknown"),
        ("-- Found CUDA, and the cuBLAS libraries that should be part of every install.\n",
         "unknown"),
    ],
)  # fmt: skip
def test_which_copy_of_a_library_a_program_gets(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("In my environment there are both onnxruntime and onnxruntime-gpu.", "mixed-installs"),
        ("Both tensorflow and tensorflow_gpu are there now. The GPU idles.", "mixed-installs"),
        ("in /opt/app/venv: onnxruntime, onnxruntime-gpu\n", "mixed-installs"),
        ("pip install tensorflow-gpu tensorflow\nKeras takes the CPU then.", "mixed-installs"),
        ("Can both onnxruntime and onnxruntime-gpu be there?", "unknown"),
        ("pip install onnxruntime-gpu optimum\n", "unknown"),
        ("in /opt/app/venv: onnxruntime-gpu, optimum\n", "unknown"),
    ],
)
def test_two_packages_of_one_module_are_told_side_by_side(text: str, cause: str):
    assert ruled(text) == cause
