"""Work that the CPU does beside a GPU that works, told by Julia, older frameworks and others."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.texts import FLUX

MODULE = """mod = mx.mod.Module(symbol=net{context})
$ nvidia-smi
|   0  Tesla V100-SXM2...  On   | 00000000:00:1B.0 Off |                    0 |
| N/A   41C    P0    36W / 300W |  {used:>5}MiB / 16160MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    ("context", "used", "cause"),
    [
        ("", 11, "silent-cpu-fallback"),
        (", context=mx.gpu(0)", 11, "healthy"),
        ("", 9000, "healthy"),
    ],
)
def test_a_module_of_mxnet_is_the_cpus_unless_told(context: str, used: int, cause: str):
    assert ruled(MODULE.format(context=context, used=used)) == cause


@pytest.mark.parametrize(
    ("works", "asked", "array", "busy", "named"),
    [
        ("true", "typeof(model.layers[1].weight)", "Matrix{Float32}", 0, True),
        ("true", "typeof(model[2].bias)", "Array{Float32, 4}", 0, True),
        ("true", "typeof(model[2].bias)", "Array{Float32, 4}", 96, False),
        ("true", "typeof(model[2].bias)", "CuArray{Float32, 4, CUDA.Mem.DeviceBuffer}", 0, False),
        ("true", "@show typeof(m[1].bias);", "typeof((m[1]).bias) = Vector{Float32}", 0, True),
        ("true", "@show typeof(m[1].bias);", "typeof((m[1]).bias) = CuArray{Float32, 1}", 0, False),
        (
            "true",
            "typeof(first(loader))",
            "Array{Float32, 4}",
            0,
            False,
        ),  # goes to the GPU in the loop
        ("false", "typeof(model[2].bias)", "Array{Float32, 4}", 0, False),
    ],
)
def test_julia_shows_where_the_weights_of_a_layer_are(
    works: str, asked: str, array: str, busy: int, *, named: bool
):
    shown = FLUX.format(works=works, asked=asked, array=array, busy=busy)
    assert (ruled(shown) == "silent-cpu-fallback") is named


GRAPPLER = """No GPU utilization while the model is trained.
I tensorflow/core/grappler/devices.cc:66] Number of eligible GPUs (core count >= 8): {count}
"""


@pytest.mark.parametrize(
    ("count", "rest", "sees"),
    [
        ("2", "", True),
        ("0", "", False),
        ("2", "Skipping registering GPU devices...\n", False),
    ],
)
def test_grappler_counts_the_gpus_of_tensorflow(count: str, rest: str, *, sees: bool):
    named = ruled(GRAPPLER.format(count=count) + rest)
    assert (named == "silent-cpu-fallback") is sees


UNUSED = """|   0  Tesla V100-SXM2...  On   | 00000000:00:1E.0 Off |                    0 |
| N/A   35C    P0    25W / 300W |      0MiB / 16160MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    ("more", "found"),
    [("mod2 = mx.mod.Module(symbol=net, context=mx.gpu())\n", False), ("mod.fit(data)\n", True)],
)
def test_one_module_of_mxnet_among_others(more: str, *, found: bool):
    pasted = f"mod = mx.mod.Module(symbol=net)\n{more}{UNUSED}"
    assert (ruled(pasted) == "silent-cpu-fallback") is found


OPENED = (
    "I tensorflow/stream_executor/platform/default/dso_loader.cc:49] Successfully opened dynamic "
    "library {}\n"
)
POOLING = (
    "tensorflow.python.framework.errors_impl.InvalidArgumentError: Default {} only supports NHWC on"
    " device type CPU\n"
)
CONVOLUTION = (
    "UnimplementedError: The Conv2D op currently only supports the NHWC tensor format on the CPU. "
    "The op was given the format: NCHW\n"
)
LISTED = (
    ">>> tf.config.list_physical_devices('GPU')\n"
    "[PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (OPENED.format("libcudart.so.10.1") + POOLING.format("MaxPoolingOp"), True),
        (OPENED.format("cudart64_110.dll") + CONVOLUTION, True),
        (LISTED + POOLING.format("AvgPoolingOp"), True),
        (LISTED + "UnimplementedError: Non-Cudnn MaxPool only supports NHWC format\n", False),
        (OPENED.format("libcudart.so.10.1") + "tf.nn.max_pool only supports NHWC here\n", False),
    ],
)
def test_an_operation_for_gpus_alone_is_put_on_the_cpu(text: str, cause: bool):
    assert (ruled(text) == "silent-cpu-fallback") is cause
