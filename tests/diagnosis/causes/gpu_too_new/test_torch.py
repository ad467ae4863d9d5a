"""A GPU that is newer than the software, as PyTorch and what stands on it tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

NEWER_CUDA = """UserWarning:
    Found GPU0 GeForce RTX 2080 which requires CUDA_VERSION >= 10000 to
     work properly, but your PyTorch was compiled
     with CUDA_VERSION 9000. Please install the correct PyTorch binary"""
#: Since 2.9 torch lists what its build has code for.
LISTED = """UserWarning: Found GPU0 {gpu} which is of compute capability (CC) {capability}.
    The following list shows the CCs this version of PyTorch was built for:
    - 7.5 which supports hardware CC >=7.5,<8.0
    - 8.0 which supports hardware CC >=8.0,<9.0 except {{8.7}}
    - 9.0 which supports hardware CC >=9.0,<10.0"""
LACKS = "Your installed torch==2.13.0+cu126 does not include kernels for this GPU. Reinstall"
NO_CODE = "\nRuntimeError: CUDA error: no kernel image is available for execution on the device"
# -- CUDA_VISIBLE_DEVICES below the start of CUDA ------------------------------------------------
START = "torch.cuda.is_available()"
SETS = 'os.environ["CUDA_VISIBLE_DEVICES"] = '
BELOW = f'{START}\n{SETS}"1"\n'
NO_KERNELS = (
    "NVIDIA GeForce RTX 3090 with CUDA capability sm_86 is not compatible with the current PyTorch"
    " installation."
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "NVIDIA GeForce RTX 4090\ntorch 1.13.1+cu117\nRuntimeError: cuFFT error:"
                " CUFFT_INTERNAL_ERROR"
            ),
            "gpu-too-new",
        ),
        (
            "NVIDIA GeForce RTX 4090\ntorch 2.1.0+cu118\ncuFFT error: CUFFT_INTERNAL_ERROR",
            "unknown",
        ),
        ("sm_120 is not compatible with the current PyTorch installation", "gpu-too-new"),
        ("Is sm_120 compatible with the current release?", "unknown"),
        (
            (
                "RTX PRO 6000 Blackwell, torch 2.6.0+cu124\nRuntimeError: CUDA error: no kernel"
                " image is available for execution on the device"
            ),
            "gpu-too-new",
        ),
        (NEWER_CUDA, "gpu-too-new"),
        (
            (
                "GPU: RTX 5070\nNVIDIA GeForce RTX 5070 with CUDA capability sm_120 is not "
                "compatible with\nthe current PyTorch installation."
            ),
            "gpu-too-new",
        ),
        (LISTED.format(gpu="NVIDIA GeForce RTX 5060", capability="12.0"), "gpu-too-new"),
        (LISTED.format(gpu="NVIDIA GeForce RTX 2080", capability="7.5"), "unknown"),
        (LACKS + "\nGPU: RTX 5060", "gpu-too-new"),
        ("torch does not include kernels for this purpose", "unknown"),
        ("torch==1.4.0+cu101\nGPU: RTX 3090\ng_loss: nan", "gpu-too-new"),
        ("torch==1.4.0+cu101\nloss: nan", "unknown"),
        ("torch==1.4.0+cu101\nGPU: RTX 3090\nthe loss is not nan", "unknown"),
        (
            (
                "RuntimeError: cublas runtime error : an absent device architectural feature is"
                " required"
                " at /x/THCBlas.cu:411\nGPU: RTX 3090\ntorch==1.2.0"
            ),
            "gpu-too-new",
        ),
        (
            (
                "0.00.120.911 I   Device 0: NVIDIA GeForce RTX 5090, compute capability 12.0\n"
                "0.00.120.999 E CUDA error: no kernel image is available for execution on"
                " the device"
            ),
            "gpu-too-new",
        ),
        ("NVIDIA Jetson AGX Orin\nJetPack 5.1" + NO_CODE, "gpu-too-new"),
        ("NVIDIA Jetson of mine\nJetPack 5.1" + NO_CODE, "unknown"),
        ("CUDA error: No binary for GPU in cuModuleLoadData\nGPU: RTX 5090", "gpu-too-new"),
        (
            (
                "My GPU is a 5090. CUDA error: no kernel image is available for execution on the"
                " device"
            ),
            "gpu-too-new",
        ),
        (
            (
                "a 5090 dollars box\nCUDA error: no kernel image is available for "
                "execution on the device"
            ),
            "unknown",
        ),
        (BELOW + NO_KERNELS, "gpu-too-new"),
    ],
)
def test_a_gpu_that_is_too_new_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


FASTER_WITH_NEWER = """UserWarning:
    Found GPU0 Tesla V100 which requires CUDA_VERSION >= 9000 for
     optimal performance and fast startup time, but your PyTorch was compiled
     with CUDA_VERSION 8000. Please install the correct PyTorch binary"""


@pytest.mark.parametrize(
    "text",
    [
        FASTER_WITH_NEWER,
        "GeForce RTX 5070 with CUDA capability sm_120",
    ],
)
def test_kin_of_a_gpu_that_is_too_new_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


_THC = (
    "cublas runtime error : the GPU program failed to execute at /pytorch/aten/src/THC/THCBlas.cu"
)
_BUILT = "PyTorch version: 1.1.0\nCUDA used to build PyTorch: {}\nGPU 0: GeForce RTX 2080 Ti\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"RuntimeError: {_THC}:450\n" + _BUILT.format("9.0.176"), "gpu-too-new"),
        (f"RuntimeError: {_THC}:450\n" + _BUILT.format("10.0.130"), "unknown"),
        (f"RuntimeError: {_THC}:331\nI have an RTX 3090.", "gpu-too-new"),
        (f"RuntimeError: {_THC}:331\nI have a GTX 1080.", "unknown"),
        (f"I use Pytorch 1.0.1 and cuda 9.0 with a RTX 2080 Ti GPU.\n{_THC}:441", "gpu-too-new"),
        (f"I use Pytorch 1.0.1 and cuda 10.0 with a RTX 2080 Ti.\n{_THC}:441", "unknown"),
        (f"Have an RTX 2080 Ti.\nIt requires PyTorch 1.0.1 and cuda 9.0.\n{_THC}:441", "unknown"),
        (
            "RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED\nI have an RTX 3090.",
            "unknown",
        ),
    ],
)
def test_cublas_of_a_cuda_before_the_gpu_fails(pasted: str, cause: str):
    assert ruled(pasted) == cause


FASTAI = """torch version   : 1.0.1
torch cuda ver  : {cuda}.176
torch cuda is   : available
  - gpu0        : 10989MB | GeForce RTX 2080 Ti
RuntimeError: cuda runtime error (11) : invalid argument at /opt/THC/THCGeneral.cpp:405
"""


@pytest.mark.parametrize(("cuda", "cause"), [("9.0", "gpu-too-new"), ("10.0", "unknown")])
def test_torch_was_built_by_an_older_cuda_and_could_not_set_itself_up(cuda: str, cause: str):
    assert ruled(FASTAI.format(cuda=cuda)) == cause


FLAGS = "GPU 0: NVIDIA A100\nPyTorch: 1.8.0a0+abcdef\n  - NVCC architecture flags: {}"
SEVENTY_FIVE = "-gencode;arch=compute_70,code=sm_70;-gencode;arch=compute_75,code=sm_75"


@pytest.mark.parametrize(
    ("flags", "cause"),
    [
        (SEVENTY_FIVE, "gpu-too-new"),
        (f"{SEVENTY_FIVE};-gencode;arch", "unknown"),  # it breaks off
        (f"{SEVENTY_FIVE};-gencode;arch=compute\n_80,code=sm_80", "unknown"),  # it goes on below
    ],
)
def test_a_list_of_architectures_that_is_not_whole_lacks_none(flags: str, cause: str):
    assert ruled(FLAGS.format(flags)) == cause


OLD_TORCH = "torch: {}\nGPU: NVIDIA GeForce {}\ncuDNN error: CUDNN_STATUS_EXECUTION_FAILED"


@pytest.mark.parametrize(
    ("torch", "gpu", "cause"),
    [
        ("0.4.1", "RTX 3090", "gpu-too-new"),
        ("0.4.1", "GTX 1080", "unknown"),
        ("2.1.0+cu121", "RTX 3090", "unknown"),
    ],
)
def test_a_torch_before_the_table_is_older_than_its_first(torch: str, gpu: str, cause: str):
    assert ruled(OLD_TORCH.format(torch, gpu)) == cause


_NAMED = "PyTorch version: {}\nCUDA used to build PyTorch: {}\nIs CUDA available: Yes\nGPU 0: {}\n"


@pytest.mark.parametrize(
    ("said", "release", "cuda", "gpu", "cause"),
    [
        ("RuntimeError: cublas runtime error", "0.4.1", "9.0.176", "RTX 2080", "gpu-too-new"),
        ("RuntimeError: CuDNN error", "1.0.1", "9.0.176", "RTX 2070", "gpu-too-new"),
        ("cublas error when I call backward", "0.3.1", "8.0.61", "Tesla V100", "gpu-too-new"),
        ("RuntimeError: cublas runtime error", "1.1.0", "10.0.130", "RTX 2080", "unknown"),
        ("RuntimeError: cublas runtime error", "0.4.1", "9.0.176", "GTX 1080", "unknown"),
        ("What does a cublas error mean?", "0.4.1", "9.0.176", "RTX 2080", "healthy"),
    ],
)
def test_a_library_that_fails_without_a_code(
    said: str, release: str, cuda: str, gpu: str, cause: str
) -> None:
    assert ruled(f"{said}\n" + _NAMED.format(release, cuda, gpu)) == cause


DETECTRON2 = (
    "detectron2                0.6 @/home/user/detectron2\n"
    "detectron2 arch flags     {}\n"
    "GPU available             Yes\n"
    "GPU 0                     NVIDIA GeForce RTX 3070 (arch=8.6)\n"
)
NO_CODE = "CUDA error: no kernel image is available for execution on the device\n"


@pytest.mark.parametrize("flags", ["7.0", "sm_70", "6.1, 7.5"])
def test_machine_code_that_is_listed_without_ptx_refuses_no_newer_gpu(flags: str):
    table = DETECTRON2.format(flags)
    assert ruled(table) != "gpu-too-new"  # cuobjdump lists no PTX, which the driver compiles
    assert ruled(table + NO_CODE) in ("gpu-too-new", "extension-mismatch")


def test_machine_code_for_newer_gpus_alone_refuses_an_older_one():
    table = DETECTRON2.replace("RTX 3070 (arch=8.6)", "GTX 1070 (arch=6.1)")
    assert ruled(table.format("7.5")) not in ("healthy", "unknown")
