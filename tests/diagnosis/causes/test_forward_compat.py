"""A cuda-compat library where it is not supported, and what only looks like it."""

from __future__ import annotations

import pytest

from gpuprobe import explain
from support.cases import ruled
from support.pasted import finding

TABLE = """\
| NVIDIA-SMI 450.51.05    Driver Version: 450.51.05    CUDA Version: 11.0     |
|   1  Tesla V100S-PCI...  Off  | 00000000:00:08.0 Off |                  {:>3} |
| N/A   33C    P0    26W / 250W |      0MiB / 32510MiB |      0%      Default |
"""
COMPAT = """\
failed call to cuInit: CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE
kernel version 470.161.3 does not match DSO version 520.61.5 -- cannot find working devices
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "RuntimeError: CUDA error: forward compatibility was attempted on non supported HW",
            "forward-compat",
        ),
        (
            (
                "LD_LIBRARY_PATH=/usr/local/cuda/compat/lib\nEnvironment: docker\n"
                "Error 803: system has unsupported display driver / cuda driver combination"
            ),
            "forward-compat",
        ),
        ("CUDA APIs used within the container throw error 804", "forward-compat"),
        (TABLE.format(0) + COMPAT, "forward-compat"),
    ],
)
def test_a_compat_library_that_is_not_supported_is_named(text: str, cause: str):
    assert ruled(text) == cause


COMPAT_IN_THE_CACHE = """GPU: GeForce RTX {gpu}
| NVIDIA-SMI 535.54.03   Driver Version: 535.54.03   CUDA Version: 12.2     |
root@0a:/# ldconfig -p | grep libcuda.so
	libcuda.so.1 (libc6,x86-64) => /usr/local/cuda-{toolkit}/compat/libcuda.so.1
F20240102 10:00:00.000000   77 cuda.cc:60] Check failed: num_cuda_devices > 0 (0 vs. 0)
"""


@pytest.mark.parametrize(
    ("gpu", "toolkit", "named"),
    [("3070", "12.4", True), ("3070", "12.1", False), ("A6000", "12.4", False)],
)
def test_the_loader_knows_a_cuda_compat_of_a_later_cuda(gpu: str, toolkit: str, *, named: bool):
    text = COMPAT_IN_THE_CACHE.format(gpu=gpu, toolkit=toolkit).replace("GeForce RTX A", "RTX A")
    assert (ruled(text) == "forward-compat") is named


def test_a_number_stands_before_the_word_error():
    assert ruled("GeForce GTX 1080 Ti\nan inconsistent cuda and 804 error\n") == "forward-compat"
    assert ruled("GeForce GTX 1080 Ti\nport 804 error of the web server\n") == "unknown"


COMPAT_ENABLED = """NOTE: CUDA Forward Compatibility mode ENABLED.
  Using CUDA 12.3 driver version 545.23.08 with kernel driver version {kernel}.
RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 803: system has unsupported display
driver / cuda driver combination
"""


@pytest.mark.parametrize(
    ("banner", "cause"),
    [
        (COMPAT_ENABLED.format(kernel="470.57.02"), "forward-compat"),
        (COMPAT_ENABLED.replace("NOTE: CUDA Forward Compatibility mode ENABLED.\n", ""), None),
    ],
)
def test_an_image_says_that_its_own_driver_library_is_used(banner: str, cause: str | None):
    assert (ruled(banner) == "forward-compat") is (cause is not None)


REFUSED = """{banner}
E cuda_driver.cc:319] failed call to cuInit: CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE: forward \
compatibility was attempted on non supported HW
E cuda_diagnostics.cc:313] kernel version 430.50.0 does not match DSO version 440.33.1 -- cannot \
find working devices in this configuration
"""


@pytest.mark.parametrize(
    ("banner", "cause"),
    [
        ("NOTE: Legacy NVIDIA Driver detected.  Compatibility mode ENABLED.", "forward-compat"),
        ("", "driver-library-mismatch"),
    ],
)
def test_an_image_says_that_it_put_its_own_driver_library_first(banner: str, cause: str):
    assert ruled(REFUSED.format(banner=banner)) == cause


COMPAT_ON_THE_PATH = """GPU: {gpu}
$ nvidia-smi --query-gpu=driver_version --format=csv,noheader
525.147.05
$ echo $LD_LIBRARY_PATH
{folder}:/usr/local/nvidia/lib64
$ ls {folder}
libcuda.so  libcuda.so.1  libcuda.so.{library}
$ python3 -c "import torch; print(torch.cuda.is_available())"
False
"""
FOLDER = "/usr/local/cuda/compat"


@pytest.mark.parametrize(
    ("gpu", "folder", "library", "cause"),
    [
        ("NVIDIA GeForce RTX 4070", FOLDER, "545.23.08", "forward-compat"),
        ("Tesla T4", FOLDER, "545.23.08", "unknown"),
        ("NVIDIA GeForce RTX 4070", FOLDER, "525.147.05", "unknown"),
        ("NVIDIA GeForce RTX 4070", "/opt/driver/lib", "545.23.08", "unknown"),
    ],
)
def test_a_compat_library_of_a_later_branch_than_the_driver_is_refused_on_a_geforce(
    gpu: str, folder: str, library: str, cause: str
):
    assert ruled(COMPAT_ON_THE_PATH.format(gpu=gpu, folder=folder, library=library)) == cause


LOADED = """GPU: NVIDIA {gpu}
Driver Version: 535.183.01
$ LD_DEBUG=libs python3 -c "import torch; print(torch.cuda.is_available())" 2>&1 | grep libcuda
        31:\tcalling init: {folder}/libcuda.so.1
$ python3 -c "import torch; print(torch.cuda.is_available())"
False
"""


@pytest.mark.parametrize(
    ("gpu", "folder", "fires"),
    [
        ("GeForce RTX 3060", FOLDER, True),
        ("A30", FOLDER, False),  # there such a library may be used
        ("GeForce RTX 3060", "/usr/lib/x86_64-linux-gnu", False),
    ],
)
def test_the_loader_gives_a_toolkits_own_libcuda(gpu: str, folder: str, fires: bool):
    assert (ruled(LOADED.format(gpu=gpu, folder=folder)) == "forward-compat") is fires


TRIAL = """WARNING: CUDA Minor Version Compatibility mode ENABLED.
  Using driver version 460.32.03 which has support for CUDA 11.2.
{met}
"""


@pytest.mark.parametrize(
    ("met", "cause"),
    [
        ("[[No CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE) cuInit()=100]]",
         "forward-compat"),
        ("RuntimeError: No CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE)",
         "driver-not-loaded"),
    ],
)  # fmt: skip
def test_what_an_image_met_in_a_trial_of_its_own_is_no_failure_of_the_program(met: str, cause: str):
    assert ruled(TRIAL.format(met=met)) == cause


INSIDE = "$ docker run --gpus all tensorflow/tensorflow:latest-gpu python main.py\n"
DIFFER = "kernel version {} does not match DSO version {} -- cannot find working devices\n"


@pytest.mark.parametrize(
    ("start", "module", "library", "cause"),
    [
        (INSIDE, "470.82.1", "510.47.3", "forward-compat"),  # the image's
        (INSIDE, "510.47.3", "470.82.1", "driver-library-mismatch"),
        (INSIDE, "470.82.1", "470.103.1", "driver-library-mismatch"),
        ("", "470.82.1", "510.47.3", "driver-library-mismatch"),
    ],
)
def test_a_container_has_a_library_of_a_later_branch(
    start: str, module: str, library: str, cause: str
):
    assert ruled(start + DIFFER.format(module, library)) == cause


#: What nvidia-smi prints inside the container is the CUDA of the image's library.
RAISED = "Driver Version: 470.82.01   CUDA Version: 11.8\n"


@pytest.mark.parametrize(
    ("module", "shown", "served"),
    [
        ("470.82.1", RAISED, "11.4"),
        ("470.82.1", "", "11.4"),
        ("470.82.1", RAISED.replace("11.8", "11.4"), "11.4"),
        ("450.80.2", "", "11.0"),
    ],
)
def test_the_hosts_driver_tells_which_image_would_do(module: str, shown: str, served: str):
    fix = finding(f"{INSIDE}GPU: Tesla K80\n{DIFFER.format(module, '520.61.5')}{shown}").fix
    assert f"whose CUDA is no newer than {served}," in fix.text


UNSEEN = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"


@pytest.mark.parametrize(
    ("differ", "codes"),
    [(DIFFER.format("470.82.1", "520.61.5"), ["GP209"]), ("", ["GP301"])],
)
def test_a_container_with_a_library_of_the_image_got_the_gpu(differ: str, codes: list[str]):
    found = explain(f"{INSIDE}GPU: Tesla K80\n{UNSEEN}{differ}").diagnosis.placed
    assert [each.rule.code for each in found] == codes


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("nvbufsurftransform:cuInit failed : 804", "forward-compat"),
        ("nvbufsurftransform:cuInit failed : 8040", "unknown"),
    ],
)
def test_deepstream_tells_a_number_behind_a_space(line: str, cause: str):
    assert ruled(f"docker\n{line}\n") == cause


BANNER = """Environment: docker
{told}
| NVIDIA-SMI {driver}   Driver Version: {driver}   CUDA Version: {cuda}     |
|   0  {gpu}  Off  | 00000000:04:00.0  On |                  N/A |
| 30%   34C    P8    32W / 350W |    913MiB / 24234MiB |      0%      Default |
"""
NOT_USABLE = "In the container my program cannot use the GPU."
SEES_NONE = ">>> torch.cuda.is_available()\nFalse"
GEFORCE = "NVIDIA GeForce ..."


@pytest.mark.parametrize(
    ("told", "driver", "cuda", "gpu", "fires"),
    [
        (NOT_USABLE, "470.161.03", "11.7", GEFORCE, True),
        (SEES_NONE, "535.129.03", "12.6", GEFORCE, True),
        (NOT_USABLE, "470.161.03", "11.4", GEFORCE, False),  # its own
        (NOT_USABLE, "520.56.06", "11.8", GEFORCE, False),  # as all of the branch report
        (NOT_USABLE, "470.161.03", "11.7", "Tesla T4          ", False),  # takes the library
        (SEES_NONE, "470.161.03", "11.7", "Tesla T4          ", False),
        ("torch: 2.0.1+cpu\n" + NOT_USABLE, "470.161.03", "11.7", GEFORCE, False),
        ("", "470.161.03", "11.7", GEFORCE, False),
    ],
)
def test_nvidia_smi_inside_tells_the_cuda_of_the_images_library(
    told: str, driver: str, cuda: str, gpu: str, *, fires: bool
):
    text = BANNER.format(told=told, driver=driver, cuda=cuda, gpu=gpu)
    assert (ruled(text) == "forward-compat") is fires


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("CUDA Forward Compatibility on non supported HW\n", "forward-compat"),
        ("CUDA forward compatibility on data center GPUs\n", "unknown"),
        (
            (
                ">>> print([l for l in open('/proc/self/maps') if 'libcuda' in l][0])\n"
                "/usr/local/cuda-12.4/compat/libcuda.so.550.54.14\nNVIDIA GeForce RTX 3060, "
                "driver 525.147.05\n>>> torch.cuda.is_available()\nFalse\n"
            ),
            "forward-compat",
        ),
    ],
)
def test_libraries_of_forward_compatibility_by_other_words(text: str, cause: str):
    assert ruled(text) == cause
