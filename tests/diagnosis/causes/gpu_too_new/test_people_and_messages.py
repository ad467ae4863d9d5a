"""A GPU that is newer than the software, told by bare messages, people and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

NEW = (
    "WARNING: Detected NVIDIA GB10 GPU, which may not yet be supported in this version of the "
    "container\n"
)
NONE = "ERROR: No supported GPU(s) detected to run this container\n"
NO_DEVICE_CODE = (
    "mmq.cu:2422: ERROR: CUDA kernel mul_mat_q has no device code compatible with CUDA arch 610."
    " ggml-cuda.cu was compiled for: 610"
)
TITAN_X = "GPU: GTX TITAN X\ncuda: {}\n\nCheck failed: error == cudaSuccess (8 vs. 0)"
NO_IMAGE = "CUDA error: no kernel image is available for execution on the device\n"
NVVM = "libnvvm : error: -arch=compute_120 is an unsupported option\nNVVM_ERROR_INVALID_OPTION\n"
LAMMPS_OTHER = "ERROR: GPU library not compiled for this accelerator (src/GPU/gpu_extra.h:40)\n"
NVRTC = "nvrtc: error: invalid value for --gpu-architecture (-arch)\nOptions: -I/x -arch={}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "FATAL: kernel `fmha_cutlassF_f16_aligned_64x64_rf_sm80` is for sm80-sm100, but was"
                " built for sm37"
            ),
            "gpu-too-new",
        ),
        ("the kernel was built for sm_90", "unknown"),
        ("ValueError: Unknown CUDA arch (12.0+PTX) or GPU not supported", "gpu-too-new"),
        (NEW + NONE, "gpu-too-new"),
        (NEW, "unknown"),
        (NEW.replace("may not yet be", "is not yet") + NONE, "gpu-too-new"),
        (NONE, "unknown"),
        ("Detected 2 GPUs, which is supported by this container\n", "unknown"),
        (NO_DEVICE_CODE + "\nGPU: RTX 5090", "gpu-too-new"),
        (f"{TITAN_X.format('7.5')}  invalid device function", "gpu-too-new"),
        (
            "'sm_120' is not a recognized processor for this target (ignoring processor)",
            "gpu-too-new",
        ),
        ("Expected is_sm8x || is_sm90 to be true, but got false.\nRTX 5090", "gpu-too-new"),
        ("GPU: GTX 1070\nCUDA 7.5\nthe outputs are all nan", "gpu-too-new"),
        ("nvrtc: error: invalid value for --gpu-architecture (-arch)", "gpu-too-new"),
        (
            "GPU: RTX 3090\ncudaMemcpyToSymbol: SetSim copy to cSim failed invalid device symbol\n",
            "gpu-too-new",
        ),
        (
            (
                "`cutlassF` is not supported because:\n  requires device with capability < (9,"
                " 0) but"
                " your GPU has capability (12, 0) (too new)"
            ),
            "gpu-too-new",
        ),
        (NO_IMAGE + "Running on a 5080 mobile, vllm 0.9.1", "gpu-too-new"),
        (
            "cannot find image for module [.src/force/nonbonded.cu.] for device version 610\n",
            "gpu-too-new",
        ),
        ("ValueError: Unsupported CUDA architecture: sm120\n", "gpu-too-new"),
        ("LLVM ERROR: PTX version 8.5 does not support target 'sm_120'", "gpu-too-new"),
        ("  95.2%  python  libnvidia-ptxjitcompiler.so.535.54  [.] 0x0001", "gpu-too-new"),
        ("libcuda.so  libcuda.so.1  libnvidia-ptxjitcompiler.so.1", "unknown"),
        (NVVM + "GPU: RTX 5080", "gpu-too-new"),
        ("CUSOLVER_STATUS_ARCH_MISMATCH\nGPU: RTX 5090", "gpu-too-new"),
        (LAMMPS_OTHER + "GPU: RTX 3090", "gpu-too-new"),
        (
            "CUDA binary kernel for this graphics card compute capability (8.6) not found.",
            "gpu-too-new",
        ),
        (NVRTC.format("compute_120"), "gpu-too-new"),
    ],
)
def test_a_gpu_that_is_too_new_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


OPTION = "error: --fast is an unsupported option\n"


@pytest.mark.parametrize(
    "text",
    [
        NO_DEVICE_CODE,
        "'znver5' is not a recognized processor for this target (ignoring processor)",
        'GPU: RTX 4090\ncudaMemcpyToSymbol("weights", w, n) returns invalid device symbol\n',
        OPTION,
        LAMMPS_OTHER,
    ],
)
def test_kin_of_a_gpu_that_is_too_new_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


SYMBOL = "InitConstants: copying cParams failed: {}\nGPU: {}\n"


@pytest.mark.parametrize(
    ("why", "gpu", "cause"),
    [
        ("invalid device symbol", "RTX 4090", "gpu-too-new"),
        ("invalid device symbol", "Tesla K40c", "gpu-too-old"),
        ("invalid symbol", "RTX 4090", "unknown"),
    ],
)
def test_a_constant_is_in_no_code_that_was_loaded(why: str, gpu: str, cause: str):
    assert ruled(SYMBOL.format(why, gpu)) == cause


OPENCV = """cv2.error: OpenCV(4.5.1) dnn.cpp:2353: error: (-216:No CUDA support) OpenCV was not \
built to work with the selected device.
cmake -D CUDA_ARCH_BIN={asked} ..
NVIDIA GPU arch:             {built}
"""


@pytest.mark.parametrize(
    ("asked", "built", "cause"),
    [
        ("8.6", "52 60 61", "gpu-too-new"),
        ("5.2", "60 61", "gpu-too-old"),
        ("6.1", "60 61", "extension-mismatch"),
        ("6.0,6.1", "75", "extension-mismatch"),
    ],
)
def test_opencv_lists_what_it_was_compiled_for(asked: str, built: str, cause: str):
    assert ruled(OPENCV.format(asked=asked, built=built)) == cause


# -- Paddle's image, by its tag ------------------------------------------------------------------
PADDLE = """GPU: {gpu}
image: 2.4.2-gpu-cuda{cuda}-cudnn7.6-trt7.0
python tools/infer/predict_system.py --use_gpu=True
{noted}
"""


@pytest.mark.parametrize(
    ("gpu", "cuda", "noted", "too_new"),
    [
        ("RTX 3090", "10.2", "-> wrong boxes", True),
        ("RTX 3090", "10.2", "=> the results are as they were", False),
        ("RTX 3090", "11.7", "-> wrong boxes", False),
        ("RTX 2080", "10.2", "-> wrong boxes", False),
        ("RTX 3090", "10.2", "-> wrong argument", False),
    ],
)
def test_what_is_wrong_comes_of_a_cuda_before_the_gpu(
    gpu: str, cuda: str, noted: str, *, too_new: bool
) -> None:
    text = PADDLE.format(gpu=gpu, cuda=cuda, noted=noted)
    assert (ruled(text) == "gpu-too-new") is too_new


CAFFE = (
    "GPU: GTX 1070\nCUDA: {}\nF0820 19:35:52 16606 adagrad_solver.cu:21] Check failed: error =="
    " cudaSuccess (8 vs. 0)  invalid device function"
)


def test_code_of_a_toolkit_that_is_older_than_the_gpu() -> None:
    assert ruled(CAFFE.format("7.5")) == "gpu-too-new"
    assert ruled(CAFFE.format("10.0")) == "gpu-too-old"


@pytest.mark.parametrize(
    ("driver", "cause"), [("367.35", "gpu-too-new"), ("535.104.05", "gpu-too-old")]
)
def test_a_program_is_older_than_a_gpu_that_its_driver_only_just_knows(driver: str, cause: str):
    failed = "Check failed: error == cudaSuccess (8 vs. 0)  invalid device function\n"
    assert ruled(f"GPU: GeForce GTX 1070\nDriver Version: {driver}\n{failed}") == cause


LINKED = """GPU: Tesla V100
{}
$ ldd ./engine
\tlibcudart.so.{} => /usr/local/cuda/lib64/libcudart.so.{} (0x00007f2a)
"""


@pytest.mark.parametrize(
    ("line", "cuda", "cause"),
    [
        ("Kernel start: invalid device function", "8.0", "gpu-too-new"),
        ("Engine.cu(77): launch: invalid device function", "8.0", "gpu-too-new"),
        ("Engine: invalid device function", "9.2", "gpu-too-old"),
        ("Engine: invalid device function in the list", "8.0", "unknown"),
        ("hipLaunchKernel: invalid device function", "8.0", "unknown"),
    ],
)
def test_a_program_is_as_old_as_the_run_time_that_it_is_linked_with(
    line: str, cuda: str, cause: str
):
    assert ruled(LINKED.format(line, cuda, cuda)) == cause


FIRST = "GPU: GeForce RTX 3080\nCUDA 10.1, pytorch 1.4.0\n{}\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("The first call on the GPU takes 90 seconds", "gpu-too-new"),
        ("The first run takes 100+ seconds", "gpu-too-new"),
        ("The first call on the GPU takes 30 seconds", "unknown"),
        ("The first run takes 2.90 seconds", "unknown"),
        ("The first epoch takes 100 seconds, of which it compiles 90", "unknown"),
        ("Filling queue with samples for the first time takes 90 seconds", "unknown"),
        ("The first epoch takes 300 seconds", "unknown"),
        ("The first epoch takes 300 seconds, the others 10", "gpu-too-new"),
        ("session timeout after 120 seconds", "unknown"),
        ("The first session stands for 120 seconds", "gpu-too-new"),
        ("The session was closed after 300 seconds", "unknown"),
        ("Starting in 60 seconds", "unknown"),
        ("Starting takes 60 seconds", "gpu-too-new"),
        ("stuck at the first run on the A100s", "gpu-too-new"),
    ],
)
def test_a_first_call_takes_more_than_a_minute_by_its_seconds(told: str, cause: str):
    assert ruled(FIRST.format(told)) == cause
    assert ruled(f"{told}\n") == "unknown"


@pytest.mark.parametrize(
    ("gpu", "told", "cause"),
    [
        ("H200", "highest capability that this torch supports: sm_86", "gpu-too-new"),
        ("RTX 5090", "The wheel is compiled for up to sm_90", "gpu-too-new"),
        ("RTX 4090", "highest capability that this torch supports: sm_86", "unknown"),
        ("H200", "Is sm_86 the highest capability that this torch supports?", "unknown"),
        ("H200", "It does not matter that it is built for up to sm_86", "unknown"),
    ],
)
def test_somebody_names_the_last_that_a_build_serves(gpu: str, told: str, cause: str):
    assert ruled(f"GPU: NVIDIA {gpu}\n{told}\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "GPU: 50系显卡\nCUDA error: no kernel image is available for execution on the "
                "device\n"
            ),
            "gpu-too-new",
        ),
        (
            (
                "It fails on a GPU of the Blackwell generation.\nCUDA error: no kernel image "
                "is available for execution on the device\n"
            ),
            "gpu-too-new",
        ),
        (
            (
                "50-series card (Blackwell)\ncudaLaunchKernelEx(&config)@cuda.h:92 failed: "
                '"named symbol not found"\n'
            ),
            "gpu-too-new",
        ),
        (
            (
                "GPU: RTX 3090\nCUDA error in func set_constants at line 180 calling "
                "cudaMemcpyToSymbol(d_dag, &_dag, 8) failed with error invalid device symbol\n"
            ),
            "gpu-too-new",
        ),
        (
            (
                "GPU: GTX 745\nCUDA_ARCH_BIN=3.0 3.5\nOpenCV Error: Gpu API call (invalid "
                "device function ) in unknown function\n"
            ),
            "gpu-too-new",
        ),
        (
            ("GPU: RTX 3080\nCUDA: 10.0\nTraining goes wrong: the errors come out above 200.\n"),
            "gpu-too-new",
        ),
        ("GPU: RTX 2080 Ti\nCUDA: 9.1\nThe program fails in its first step.\n", "gpu-too-new"),
        ("GPU: RTX 2080 Ti\nCUDA: 10.1\nThe program fails in its first step.\n", "unknown"),
        ("GPU: RTX 3080\nCUDA: 10.0\n", "unknown"),
        # TensorRT's form asks for the TensorFlow that is there as well.
        (
            "TensorRT Version: 8.6.1\nGPU: A30\nTensorflow Version: 1.15.5\nOne output fails.\n",
            "unknown",
        ),
    ],
)
def test_gpus_by_their_series_and_builds_of_an_earlier_cuda(text: str, cause: str):
    assert ruled(text) == cause
