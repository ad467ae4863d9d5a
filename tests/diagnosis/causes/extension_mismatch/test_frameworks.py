"""A compiled extension that was built for something else, told by JAX and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

FAISS = (
    "Faiss assertion 'err__ == cudaSuccess' failed in void faiss::gpu::runL2Norm(); CUDA error 209"
    " no kernel image is available for execution on the device"
)
OTHER_GPU = (
    "[TensorRT] ERROR: INVALID_CONFIG: The engine plan file is generated on an incompatible "
    "device, expecting compute 6.1 got compute 7.5, please rebuild."
)
OTHER_VERSION = (
    "6: The engine plan file is not compatible with this version of TensorRT, expecting library "
    "version 8.0.0 got 8.0.1, please rebuild."
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "ImportError: /x/site-packages/cudf/_lib/csv.so: undefined symbol: _ZN4cudf2io4read",
            "extension-mismatch",
        ),
        (
            (
                "GTX TITAN X\nRuntimeError: ('Wrong major API version for gpuarray:', -9998, 'Make "
                "sure Theano and libgpuarray/pygpu are in sync.')"
            ),
            "extension-mismatch",
        ),
        (
            (
                "RuntimeError: jaxlib is version 0.3.10, but this version of jax requires version "
                ">=0.3.14."
            ),
            "extension-mismatch",
        ),
        (
            "but it is not compatible with the installed jaxlib version 0.9.0.1",
            "extension-mismatch",
        ),
        (FAISS, "extension-mismatch"),
        ("Assertion 'err__ == cudaSuccess' failed in main.cu", "unknown"),
        (OTHER_GPU, "extension-mismatch"),
        (OTHER_VERSION, "extension-mismatch"),
        (
            "ERROR: TensorRT model exported with a different version than 10.11",
            "extension-mismatch",
        ),
        (
            (
                "ImportError: /x/horovod/mxnet/mpi_lib.cpython-37m-x86_64-linux-gnu.so: undefined"
                " symbol: _ZN5mxnet10CopyFromToERKNS_7NDArrayEPS1_i"
            ),
            "extension-mismatch",
        ),
    ],
)
def test_an_extension_that_does_not_fit_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "RuntimeError: numpy is version 1.19, but this version of jax requires something else",
    ],
)
def test_kin_of_an_extension_that_does_not_fit_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


UNDEFINED = "ImportError: ops/nms_cuda.cpython-37m.so: undefined symbol: {}\n"


@pytest.mark.parametrize(
    ("symbol", "cause"),
    [
        ("_ZN6caffe28TypeMeta21_typeMetaDataInstanceIdEEPKNS_6detail12TypeMetaDataEv",
         "extension-mismatch"),
        ("_ZN8caffeine8TypeMetaEv", "unknown"),
    ],
)  # fmt: skip
def test_an_extension_wants_a_symbol_of_caffe2(symbol: str, cause: str):
    assert ruled(UNDEFINED.format(symbol)) == cause


SYMBOL = "ImportError: {file}: undefined symbol: cudaSetupArgument\n"


def test_a_module_that_was_compiled_with_another_cuda():
    file = "/home/user/net/ops/roi.cpython-37m-x86_64-linux-gnu.so"
    assert ruled("PyTorch version [1.3.0]\n" + SYMBOL.format(file=file)) == "extension-mismatch"
    other = SYMBOL.format(file="/opt/trt/lib/libnvinfer.so.7")
    assert ruled("PyTorch version [1.3.0]\n" + other) == "cuda-libs-mismatch"


HOROVOD = (
    "horovod.common.exceptions.HorovodVersionMismatchError: Framework tensorflow installed with "
    "version 2.3.0 but found version 2.4.1."
)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (HOROVOD, "extension-mismatch"),
        ("from horovod.common.exceptions import HorovodVersionMismatchError", "unknown"),
        ("[Taichi version 0.3.21, cpu only, commit 8f36125f]\nti.cfg.arch", "cpu-only-build"),
        ("[Taichi version 0.8.7, llvm 10.0.0, commit 1c3c705a, linux]\nti.cfg.arch", "unknown"),
        ("2024-07-31 15:01:30 INFO     Using device cuda\nKeyError: 'model'", "healthy"),
        ("2024-07-31 15:01:30 INFO     Using device cpu\nKeyError: 'model'", "unknown"),
        ("JAX devices: [CudaDevice(id=0)]\nKeyError: 'model'", "healthy"),
        ("JAX devices: [FancyDevice(id=0)]\nKeyError: 'model'", "unknown"),
    ],
)
def test_what_programs_say_of_their_build_and_their_device(pasted: str, cause: str):
    assert ruled(pasted) == cause


PLUGIN = (
    "Jax plugin configuration error: Exception when calling jax_plugins.xla_cuda12.initialize()\n"
)
FRAME = '  File "/env/site-packages/jax_plugins/xla_cuda13/__init__.py", line 85, in initialize\n'
NO_ATTRIBUTE = "AttributeError: module 'jaxlib.xla_client' has no attribute '{}'\n"
NO_NAME = "ImportError: cannot import name 'ffi' from 'jaxlib.cuda' (/env/jaxlib/cuda.py)\n"
NOT_LOADED = (
    '  File "/env/site-packages/jax_plugins/xla_cuda12/__init__.py", line 21, in <module>\n'
    "ImportError: cannot import name 'triton' from 'jax._src.lib' (/env/jax/_src/lib/__init__.py)\n"
)
OTHER_ARGUMENTS = (
    "TypeError: {}(): incompatible function arguments. The following argument types are supported:"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (PLUGIN + NO_ATTRIBUTE.format("register_custom_type_id_handler"), "extension-mismatch"),
        (FRAME + NO_ATTRIBUTE.format("register_custom_call_handler"), "extension-mismatch"),
        (PLUGIN + NO_NAME, "extension-mismatch"),
        (NOT_LOADED, "extension-mismatch"),
        # Nobody but a plugin asks for these.
        (NO_ATTRIBUTE.format("generate_pjrt_gpu_plugin_options"), "extension-mismatch"),
        (
            "jax 0.4.35\n" + NO_ATTRIBUTE.format("register_custom_type_id_handler"),
            "extension-mismatch",
        ),
        (NO_ATTRIBUTE.format("register_cpu_custom_call_target"), "unknown"),
        (PLUGIN + OTHER_ARGUMENTS.format("register_custom_call_target"), "extension-mismatch"),
        (FRAME + OTHER_ARGUMENTS.format("register_custom_type_id"), "extension-mismatch"),
        (OTHER_ARGUMENTS.format("register_custom_call_target"), "unknown"),  # of the program's
        (NO_ATTRIBUTE.format("DeviceArray"), "unknown"),  # of an old package, perhaps
        (PLUGIN + NO_ATTRIBUTE.format("GpuAllocatorConfig"), "unknown"),
    ],
)
def test_the_plugin_of_jax_asks_jaxlib_for_what_it_does_not_have(text: str, cause: str):
    assert ruled(text) == cause


NO_NAME = "ImportError: cannot import name 'ConvFwd' from 'cumm.conv.main'"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"spconv:2.1.2\n{NO_NAME}", "extension-mismatch"),
        (
            f"spconv-cu114 2.1.25\ncumm-cu114 0.4.1\n{NO_NAME} (/opt/cumm/x.py)",
            "extension-mismatch",
        ),
        (f"cumm 0.4.9\ncumm-cu114 0.2.8\n{NO_NAME} (/opt/cumm/x.py)", "mixed-installs"),
        ("ImportError: cannot import name 'Voxels' from 'pcdet.models'", "unknown"),
    ],
)
def test_spconv_and_cumm_go_together(text: str, cause: str):
    assert ruled(text) == cause
