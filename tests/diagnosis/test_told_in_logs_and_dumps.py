"""What the logs and dumps of frameworks show beside the words of an error."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

DUMP = """bfc_allocator.cc:674] 3 Chunks of size 9437184 totalling 27.00MiB
bfc_allocator.cc:678] {last}
Limit:                  7600000000
InUse:                  7550000000
"""


@pytest.mark.parametrize(
    ("last", "cause"),
    [
        ("Sum Total of in-use chunks: 7.03GiB", "oom-workload"),
        ("Chunk at 0x7f0000000000 of size 256", "unknown"),
    ],
)
def test_tensorflow_lists_its_memory_when_it_ran_out(last: str, cause: str):
    assert ruled(DUMP.format(last=last)) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("Allocation on device", "oom-workload"),
        ("- **Exception Message:** Allocation on device ", "oom-workload"),
        ("Allocation on device took 3 ms", "healthy"),
    ],
)
def test_torch_with_the_allocator_of_cuda_says_no_more_than_this(line: str, cause: str):
    device = "Device: cuda:0 NVIDIA GeForce RTX 3060 : cudaMallocAsync"
    assert ruled(f"{line}\npytorch version: 2.5.1+cu124\n{device}\n") == cause


DEVICES = """Found device 0 with properties:
name: Tesla K80
Total memory: 11.17GiB
Free memory: 64.50MiB
Found device 1 with properties:
name: Tesla K80
Total memory: 11.17GiB
Free memory: {second}
"""


@pytest.mark.parametrize(
    ("second", "cause"), [("120.25MiB", "oom-other-process"), ("11.09GiB", "unknown")]
)
def test_tensorflow_lists_gpus_that_others_have_filled(second: str, cause: str):
    assert ruled(DEVICES.format(second=second)) == cause


OPERATION = """No OpKernel was registered to support Op 'NcclAllReduce' used by {{{{node Reduce}}}}
Registered devices: [{devices}]
"""


@pytest.mark.parametrize(
    ("devices", "cause"),
    [("CPU, GPU", "nccl"), ("CPU, XLA_CPU, XLA_GPU, GPU", "nccl"), ("CPU", "cpu-only-build")],
)
def test_a_build_that_knows_gpus_lacks_nccl_alone(devices: str, cause: str):
    assert ruled(OPERATION.format(devices=devices)) == cause


NONE_SERVED = """GPU: {gpu}
statusor.cc:34] Internal: no supported devices found for platform CUDA
"""


@pytest.mark.parametrize(
    ("gpu", "cause"), [("Quadro K600", "gpu-too-old"), ("Quadro P600", "unknown")]
)
def test_xla_lists_no_device_that_is_too_old_for_it(gpu: str, cause: str):
    assert ruled(NONE_SERVED.format(gpu=gpu)) == cause


@pytest.mark.parametrize(("version", "cause"), [("1.4", "oom-workload"), ("1.8", "gpu-too-old")])
def test_tensorflow_1_4_still_served_the_first_kepler(version: str, cause: str):
    error = "ResourceExhaustedError: OOM when allocating tensor of shape [64,3]"
    assert ruled(f"tensorflow-gpu=={version}\nGPU: GeForce GTX 660\n{error}") == cause


@pytest.mark.parametrize(
    ("platform", "cause"), [("gpu", "healthy"), ("'cuda'", "healthy"), ("cpu", "unknown")]
)
def test_jax_names_the_platform_of_its_first_device(platform: str, cause: str):
    asked = ">>> import jax\n>>> jax.local_devices()[0].platform\n"
    assert gpuprobe.explain(asked + platform).verdict.value == cause


SETUP = """Welcome to bitsandbytes.
{kernel}
CUDA SETUP: WARNING! libcuda.so not found! Do you have a CUDA driver installed?
"""


@pytest.mark.parametrize(
    ("kernel", "cause"),
    [
        ("Linux-5.15.90.1-microsoft-standard-WSL2-x86_64-with-glibc2.35", "wsl"),
        ("Linux-5.15.0-91-generic-x86_64-with-glibc2.35", "unknown"),
    ],
)
def test_bitsandbytes_looks_for_libcuda_in_few_folders(kernel: str, cause: str):
    assert ruled(SETUP.format(kernel=kernel)) == cause


@pytest.mark.parametrize(
    ("file", "cause"),
    [("libdxcore.so", "wsl"), ("libd3d12.so", "wsl"), ("libd3dscache.so", "unknown")],
)
def test_a_library_that_windows_brings_into_wsl(file: str, cause: str):
    message = "cannot open shared object file: No such file or directory"
    assert ruled(f"ImportError: {file}: {message}") == cause


LISTED = """# Name                    Version                   Build  Channel
pytorch                   1.2.0           py3.7_cuda10.0.130_cudnn7.6.2_0    pytorch
{other}           1.4.0.dev20191105   py3.7_cuda10.1.243_cudnn7.6.3_0    pytorch
"""


@pytest.mark.parametrize(
    ("other", "cause"), [("pytorch-nightly", "mixed-installs"), ("libpytorch", "unknown")]
)
def test_conda_installs_the_nightly_build_beside_the_release(other: str, cause: str):
    assert ruled(LISTED.format(other=other)) == cause
