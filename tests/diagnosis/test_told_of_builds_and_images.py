"""Builds that others find without CUDA, files that an image lacks, names of other releases."""

from __future__ import annotations

import pytest

from support.cases import ruled

XFORMERS = """OS: Windows
Caching STDERR: xFormers can't load C++/CUDA extensions. xFormers was built for:
Caching STDERR:     PyTorch 2.6.0+cu124 with CUDA 1204 (you have {})
"""


@pytest.mark.parametrize(
    ("torch", "cause"),
    [
        ("2.6.0+cpu", "cpu-only-build"),
        ("2.5.1+cu124", "extension-mismatch"),
        ("2.7.0+cu128", "extension-mismatch"),
    ],
)
def test_the_torch_that_xformers_finds_may_be_one_for_the_cpu(torch: str, cause: str):
    assert ruled(XFORMERS.format(torch)) == cause


@pytest.mark.parametrize(
    ("packages", "cause"),
    [
        ("TensorFlow: tf-nightly 2.4.0.dev20200701", "unknown"),
        ("tensorflow==2.3.0\ntf-nightly==2.4.0.dev20200701", "mixed-installs"),
    ],
)
def test_a_nightly_tensorflow_alone_is_no_mixture(packages: str, cause: str):
    assert ruled(f"{packages}\nThe GPU is not used.\n") == cause


OP = """No OpKernel was registered to support Op 'BertTransformer' used by node bert
Registered devices: [{}]
Registered kernels:
  device='{}'; T in [DT_HALF]
  device='GPU'; T in [DT_FLOAT]
"""


@pytest.mark.parametrize(
    ("devices", "first", "cause"),
    [
        ("CPU, XLA_CPU", "GPU", "cpu-only-build"),
        ("CPU, XLA_CPU", "CPU", "unknown"),
        ("CPU, XLA_CPU, XLA_GPU", "GPU", "unknown"),
        ("CPU, GPU", "GPU", "unknown"),
    ],
)
def test_an_operation_for_gpus_alone_finds_a_tensorflow_for_cpus(
    devices: str, first: str, cause: str
):
    assert ruled(OP.format(devices, first)) == cause


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ('Apart from "latest", the images contain no libcudnn.so.8.', "cudnn-missing"),
        ("The container has no libcudnn.so.9", "cudnn-missing"),
        ("This image lacks libcudnn.so.8, it seems.", "cudnn-missing"),
        ("The images contain libcudnn.so.8.", "unknown"),
        ("The image contains no libcuda.so.1, as it should be.", "unknown"),
    ],
)
def test_somebody_says_which_file_an_image_lacks(sentence: str, cause: str):
    assert ruled(f"GPU: NVIDIA GeForce RTX 3080\n{sentence}\n") == cause


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


REFUSED = "CUDA runtime implicit initialization on GPU:0 failed. Status: device kernel image is"


@pytest.mark.parametrize(
    ("gpu", "cause"),
    [
        ("GPU: GeForce RTX 30 series", "gpu-too-new"),
        ("GPU: NVIDIA RTX 40xx", "gpu-too-new"),
        ("GPU: GeForce GTX 10 series", "unknown"),
        ("It worked on a card of the RTX 30 series.", "unknown"),
    ],
)
def test_of_a_refused_gpu_the_series_alone_may_be_told(gpu: str, cause: str):
    line = f"tensorflow/core/session.cc:91] Failed to create session: Internal: {REFUSED} invalid"
    assert ruled(f"{gpu}\n{line}\n") == cause


LOAD = """OS: Windows
torch: 2.8
{}
Loader DLL load failed while importing _C: The specified procedure could not be found.
"""


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        (
            "After the new card torch was raised to 2.8; since then xformers is broken.",
            "extension-mismatch",
        ),
        ("Upgrading torch broke flash-attn here.", "extension-mismatch"),
        ("Is xformers broken with this torch?", "msvc-runtime-missing"),
        ("The node is broken.", "msvc-runtime-missing"),
    ],
)
def test_a_function_is_missing_since_torch_was_raised(sentence: str, cause: str):
    assert ruled(LOAD.format(sentence)) == cause


@pytest.mark.parametrize(
    ("wanted_by", "symbol", "cause"),
    [
        ("./tf_ops/tf_sampling_so.so", "__cudaPushCallConfiguration", "extension-mismatch"),
        ("./tf_ops/tf_sampling_so.so", "__cudaRegisterFatBinaryEnd", "extension-mismatch"),
        ("./tf_ops/tf_sampling_so.so", "__gxx_personality_v0", "unknown"),
    ],
)
def test_an_operation_was_compiled_with_another_run_time(wanted_by: str, symbol: str, cause: str):
    assert ruled(f"NotFoundError: {wanted_by}: undefined symbol: {symbol}\n") == cause
