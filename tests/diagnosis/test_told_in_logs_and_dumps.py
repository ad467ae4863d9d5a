"""What the logs and dumps of frameworks show beside the words of an error."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled


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
    assert ruled(f"OS: WSL2\nImportError: {file}: {message}") == cause
    assert ruled(f"OS: Ubuntu 24.04\nlibEGL warning: {file}: {message}") != "wsl"


LISTED = """# Name                    Version                   Build  Channel
pytorch                   1.2.0           py3.7_cuda10.0.130_cudnn7.6.2_0    pytorch
{other}           1.4.0.dev20191105   py3.7_cuda10.1.243_cudnn7.6.3_0    pytorch
"""


@pytest.mark.parametrize(
    ("other", "cause"), [("pytorch-nightly", "mixed-installs"), ("libpytorch", "unknown")]
)
def test_conda_installs_the_nightly_build_beside_the_release(other: str, cause: str):
    assert ruled(LISTED.format(other=other)) == cause


BANNER = """{place}
$ docker run --gpus all -it nvcr.io/nvidia/pytorch:20.06-py3
WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.
{told}
"""
WORKS = "The gpu works fine inside the container, the message is confusing."


@pytest.mark.parametrize(
    ("place", "told", "cause"),
    [
        ("Environment: WSL2", WORKS, "healthy"),
        ("Environment: WSL2", "", "unknown"),
        ("OS: Ubuntu 20.04", "", "container-no-gpu"),
    ],
)
def test_old_images_see_no_driver_under_wsl(place: str, told: str, cause: str):
    assert ruled(BANNER.format(place=place, told=told)) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("It hangs with NCCL. With the gloo backend it works on all 4 GPUs.", "nccl"),
        ("When I set the backend to 'gloo', I can use all GPUs.", "nccl"),
        ("Gloo works on CPU tensors and on all platforms.", "unknown"),
        ("Would it work with gloo instead?", "unknown"),
        ("With gloo it does not work, neither does NCCL.", "unknown"),
    ],
)
def test_several_gpus_work_without_nccl(told: str, cause: str):
    assert ruled(f"DDP on 4 GPUs stops at the first step.\n{told}\n") == cause


FASTAI = """torch version   : 1.0.1
torch cuda ver  : {cuda}.176
torch cuda is   : available
  - gpu0        : 10989MB | GeForce RTX 2080 Ti
RuntimeError: cuda runtime error (11) : invalid argument at /opt/THC/THCGeneral.cpp:405
"""


@pytest.mark.parametrize(("cuda", "cause"), [("9.0", "gpu-too-new"), ("10.0", "unknown")])
def test_torch_was_built_by_an_older_cuda_and_could_not_set_itself_up(cuda: str, cause: str):
    assert ruled(FASTAI.format(cuda=cuda)) == cause


IMAGES = """$ docker run --gpus all program:1 python3 -c "import tensorflow as tf; \\
print(tf.config.list_physical_devices('GPU'))"
And got back `[]`
$ docker run --gpus all program:1 python3 -c "import tensorflow as tf; \\
print(tf.sysconfig.get_build_info())"
OrderedDict([('is_cuda_build', {cuda}), ('is_rocm_build', False)])
"""


@pytest.mark.parametrize(("cuda", "cause"), [("False", "cpu-only-build"), ("True", "unknown")])
def test_somebody_tells_what_was_got(cuda: str, cause: str):
    assert ruled(IMAGES.format(cuda=cuda)) == cause


@pytest.mark.parametrize(
    ("machine", "cause"),
    [
        ("Win10, 8GB, AMD Radeon HD6450M", "no-nvidia-gpu"),
        ("Windows 11 + AMD7800XT", "no-nvidia-gpu"),
        ("Windows 11 + AMD 5800X", "unknown"),
        ("Win10, 8GB, GTX 1060, AMD Radeon HD6450M", "cpu-only-build"),
    ],
)
def test_a_list_of_parts_ends_with_a_card_of_amd(machine: str, cause: str):
    error = "Torch is not able to use GPU; add --skip-torch-cuda-test to COMMANDLINE_ARGS"
    assert ruled(f"{machine}\nRuntimeError: {error}\n") == cause


UNLOADED = """Win10, 8GB, {card}
tensorflow-gpu==1.14.0
ImportError: DLL load failed: The specified module could not be found.
"""


@pytest.mark.parametrize(
    ("card", "cause"),
    [("AMD Radeon HD6450M", "no-nvidia-gpu"), ("GeForce GTX 1060", "cudart-missing")],
)
def test_tensorflow_misses_the_driver_s_dll_where_no_gpu_has_one(card: str, cause: str):
    assert ruled(UNLOADED.format(card=card)) == cause


NO_VISIBLE = """{variable}
RuntimeError: Unable to initialize backend 'cuda': FAILED_PRECONDITION: No visible GPU devices. \
(you may need to uninstall the failing plugin package, or set JAX_PLATFORMS=cpu to skip it.)
"""


@pytest.mark.parametrize(
    ("variable", "cause"),
    [
        ('os.environ["JAX_PLATFORMS"] = "cpu"', "no-nvidia-gpu"),
        ('os.environ["CUDA_VISIBLE_DEVICES"] = ""', "hidden-by-visible-devices"),
        ("", "unknown"),
    ],
)
def test_jax_is_left_without_a_gpu(variable: str, cause: str):
    assert ruled(NO_VISIBLE.format(variable=variable)) == cause


NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("Here I can run nvidia-smi correctly.", "hidden-by-visible-devices"),
        ("Inside the docker container nvidia-smi works.", "hidden-by-visible-devices"),
        ("I am in a docker container. On the host nvidia-smi works.", "driver-not-loaded"),
        ("I should check if nvidia-smi works.", "driver-not-loaded"),
    ],
)
def test_cuda_has_no_device_where_nvidia_smi_works(told: str, cause: str):
    assert ruled(f"{told}\n{NO_DEVICE}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ('Under "About" it shows "2.1.0+cpu"', "cpu-only-build"),
        ("For torchaudio it says 2.1.0+cpu", "unknown"),
        ('If it says "2.1.0+cpu", install another', "unknown"),
    ],
)
def test_a_version_for_the_cpu_is_seen_without_its_name(told: str, cause: str):
    assert ruled(f"GPU: RTX 3060. My images take minutes.\n{told}\n") == cause


IN_NODE = """TensorFlow.js version: 1.7.4 (tfjs-node-gpu)
CUDA {cuda}
Could not load dynamic library, Skipping registering GPU devices
"""


@pytest.mark.parametrize(("cuda", "cause"), [("11.2", "framework-cuda-mismatch"), ("10.0", None)])
def test_tensorflow_js_takes_one_cuda_from_the_system(cuda: str, cause: str | None):
    named = ruled(IN_NODE.format(cuda=cuda))
    assert (named == "framework-cuda-mismatch") is (cause is not None)
