"""A program that does something that the GPU refuses, told by TensorFlow and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

OTHER_VERSION = (
    "6: The engine plan file is not compatible with this version of TensorRT, expecting library "
    "version 8.0.0 got 8.0.1, please rebuild."
)
WARNING = (
    "WARNING: Using an engine plan file across different models of devices is not recommended and "
    "is likely to affect performance or even cause errors."
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("pycuda._driver.LogicError: cuMemAlloc failed: invalid device context", "user-code"),
        (OTHER_VERSION.replace("8.0.1", "0.0.0"), "user-code"),
        (
            (
                "ValueError: To launch a multi-GPU training from your notebook, you need to avoid"
                " running any instruction using `torch.cuda` in any cell."
            ),
            "user-code",
        ),
        (
            (
                "RuntimeError: DeepSpeed JIT builder for 'cpu_adam' cannot probe CUDA device"
                " capabilities in a forked subprocess where CUDA has already been initialized."
            ),
            "user-code",
        ),
        ("To launch a multi-GPU training from your notebook, call notebook_launcher", "unknown"),
        (WARNING, "unknown"),
        ("The engine plan file is written to disk", "unknown"),
    ],
)
def test_a_program_that_asks_the_impossible_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


def test_an_executable_of_xla_for_another_gpu():
    refused = (
        'Invalid argument: executable is built for device CUDA:0 of type "GeForce RTX 2080 Ti";'
        ' cannot run it on device CUDA:1 of type "Tesla P100-PCIE-16GB"\n'
    )
    assert ruled(refused) == "user-code"


NOTHING = "unknown", "healthy"
LAUNCH = (
    "numba.cuda.cudadrv.driver.CudaAPIError: [1] Call to {call} results in "
    "CUDA_ERROR_INVALID_VALUE\n"
)


def test_the_driver_refuses_a_launch():
    assert ruled("GTX 1080 Ti\n" + LAUNCH.format(call="cuLaunchKernel")) == "user-code"
    assert ruled("GTX 1080 Ti\n" + LAUNCH.format(call="cuMemcpyDtoH")) in NOTHING


@pytest.mark.parametrize(
    ("call", "causes"),
    [
        ("cudaMemcpy(d_A, A, sizeof(double) * n, cudaMemcpyHostToDevice)", ("user-code",)),
        ("cudaMemset2DAsync(p, pitch, 0, w, h, s)", ("user-code",)),
        ("cusolverDnCreate(&handle)", NOTHING),
    ],
)
def test_cuda_refuses_a_copy(call: str, causes: tuple[str, ...]):
    failed = f'CUDA error at src/solve.cu:132 code=1(cudaErrorInvalidValue) "{call}"\n'
    assert ruled(failed) in causes


FED = "ValueError: Cannot feed value of shape (64, 64) for Tensor 'x:0', which has shape '(?, 9)'"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (FED, "user-code"),
        (
            (
                "Shape must be rank 1 but is rank 0 for 'bn/cond/Reshape_4' (op: 'Reshape')"
                " with input shapes: [1,75,1,1], []."
            ),
            "user-code",
        ),
        (
            (
                "Dimensions must be equal, but are 128 and 256 for '{{node MatMul}} = MatMul[T=1]"
                "(x, w)' with input shapes: [4,128], [256,10]."
            ),
            "user-code",
        ),
        ("The shape must be rank 2 for the layer 'fc'", "unknown"),
        ("The placeholder takes a value of shape (64, 64) for Tensor 'x:0'", "unknown"),
    ],
)
def test_tensorflow_is_fed_another_shape(line: str, cause: str):
    assert ruled(f"TensorFlow 1.5, two GPUs\n{line}\n") == cause


OF_TENSORFLOW = "InvalidArgumentError: {told}\n\t [[node model/embedding/embedding_lookup]]\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("indices[3,7] = 512 is not in [0, 512)", "user-code"),
        ("indices = -1 is not in [0, 8)", "user-code"),
        ("the learning rate 2 is not in [0, 1)", "unknown"),
    ],
)
def test_tensorflow_looks_up_an_index_that_is_not_there(told: str, cause: str):
    assert ruled(OF_TENSORFLOW.format(told=told)) == cause


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        (
            "module 'tensorflow_core._api.v2.config' has no attribute 'list_physical_devices'",
            "user-code",
        ),
        ("AttributeError: module 'tensorflow' has no attribute 'ConfigProto'", "user-code"),
        ("AttributeError: module 'tensorflow' has no attribute '__version__'", "unknown"),
    ],
)
def test_a_name_of_another_release_of_tensorflow_is_the_programs(message: str, cause: str):
    assert ruled(f'gpus = tf.config.list_physical_devices("GPU")\n{message}\n') == cause


CUDART = (
    "W dso_loader.cc:55] Could not load dynamic library 'cudart64_101.dll'; dlerror: not found\n"
    "I cudart_stub.cc:29] Ignore above cudart dlerror if you do not have a GPU set up on your "
    "machine.\n"
)


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        ("AttributeError: module 'tensorflow' has no attribute 'Session'", "user-code"),
        ("AttributeError: module 'tensorflow' has no attribute 'placeholder'", "user-code"),
        ("AttributeError: module 'tensorflow' has no attribute '__version__'", "cudart-missing"),
        ("The training is slow", "cudart-missing"),
    ],
)
def test_a_program_for_another_tensorflow_does_not_fail_for_want_of_a_library(
    error: str, cause: str
):
    assert ruled(f"tensorflow: 2.2\n{CUDART}{error}\n") == cause


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ("Invalid GPU Id: 2, Valid device id should be less than device_count: 2", "user-code"),
        ("Invalid GPU Id: 0, Valid device id should be less than device_count: 0", "unknown"),
    ],
)
def test_mxnet_refuses_a_number(message: str, cause: str):
    assert ruled(f"mxnet.base.MXNetError: Check failed: id < count {message}\n") == cause


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        ("ValueError: numpy and cupy must not be used together", "user-code"),
        ("ValueError: numpy must not be used here", "unknown"),
    ],
)
def test_arrays_of_two_devices_meet(error: str, cause: str):
    assert ruled(f"GPU: Tesla T4\n{error}\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('Large grids cause "an illegal memory access"', "user-code"),
        ('Large grids cause "an illegal instruction set"', "unknown"),
    ],
)
def test_a_wrong_address_in_quotation_marks_or_by_its_number(text: str, cause: str):
    assert ruled(text) == cause


CATBOOST = "_catboost.CatboostError: catboost/libs/options/json_helper.h:194: Error: {told}"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("change of option metrics is unimplemented for task type GPU and was not", "user-code"),
        ("change of option metrics is unimplemented for task type CPU and was not", "unknown"),
        ("Training for task type GPU has begun", "unknown"),
    ],
)
def test_catboost_has_a_setting_for_the_cpu_alone(told: str, cause: str):
    assert ruled(CATBOOST.format(told=told)) == cause


SHADER = "GPU: Titan Xp\n{before}\nShader not supported by your hardware!\n"


@pytest.mark.parametrize(
    ("before", "cause"),
    [
        ("[SiftGPU Language]:     GLSL", "user-code"),
        ("[SiftGPU Language]:     CUDA", "cpu-only-build"),
        ("Exhaustive feature matching", "cpu-only-build"),
    ],
)
def test_a_program_that_has_siftgpu_draw(before: str, cause: str):
    assert ruled(SHADER.format(before=before)) == cause


def test_siftgpu_that_draws_is_no_fault():
    assert ruled("[SiftGPU Language]:\tGLSL\n[GPU VENDOR]: NVIDIA Corporation 1717MB") == "unknown"


EMPTY = (
    "2022-06-23 17:27:58.491843: F .\\tensorflow/core/util/gpu_launch_config.h:129] Check failed: "
    "{} > 0 (0 vs. 0)"
)


@pytest.mark.parametrize(
    ("what", "cause"), [("work_element_count", "user-code"), ("num_shards", "unknown")]
)
def test_a_kernel_over_an_array_without_elements(what: str, cause: str):
    assert ruled(EMPTY.format(what)) == cause


NO_C10 = "ImportError: libc10.so: cannot open shared object file: No such file or directory\n"
WORKS = ">>> import torch\n>>> torch.cuda.is_available()\nTrue\n"


@pytest.mark.parametrize(
    ("session", "cause"),
    [
        (f">>> from pytorch3d import _C\n{NO_C10}{WORKS}", "user-code"),
        (f">>> import nms_cuda\n{NO_C10}{WORKS}>>> import nms_cuda\n", "user-code"),
        (f">>> from pytorch3d import _C\n{NO_C10}", "extension-mismatch"),
        (f"{WORKS}>>> from pytorch3d import _C\n{NO_C10}", "extension-mismatch"),
    ],
)
def test_an_extension_that_comes_before_torch_misses_torchs_libraries(session: str, cause: str):
    assert ruled(session) == cause
