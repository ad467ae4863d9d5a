"""What links, prints, conflicts and the frames of messages tell of the builds that ran."""

from __future__ import annotations

import pytest

from support.cases import ruled

LINKED = """$ ls -l /usr/local
lrwxrwxrwx  1 root root   21 May  2 10:11 cuda -> {link}
$ pip list
cupy-cuda12x    13.3.0
RuntimeError: CuPy failed to load libnvrtc.so.12: OSError: libnvrtc.so.12: cannot open shared object
file: No such file or directory
"""


@pytest.mark.parametrize(
    ("link", "cause"),
    [
        ("/usr/local/cuda-13.1", "framework-cuda-mismatch"),
        ("cuda-13.1/", "framework-cuda-mismatch"),
        ("/usr/local/cuda-12.6/", "cublas-missing"),
        ("/opt/other", "cublas-missing"),
    ],
)
def test_a_link_tells_which_toolkit_is_chosen(link: str, cause: str):
    assert ruled(LINKED.format(link=link)) == cause


NONE_FOUND = """Python: 3.13.1
ERROR: Could not find a version that satisfies the requirement {package} (from versions: none)
ERROR: No matching distribution found for {package}
"""


@pytest.mark.parametrize(
    ("package", "cause"), [("faiss-gpu-cu12", "python-unsupported"), ("leftpad", "unknown")]
)
def test_faiss_has_no_build_for_every_python(package: str, cause: str):
    assert ruled(NONE_FOUND.format(package=package)) == cause


PRINTED = """Everything is computed slowly: {told}.
print(torch.cuda.current_device())
print(torch.cuda.device_count())
print(torch.cuda.is_available())
gives
0
1
{available}
"""


@pytest.mark.parametrize(
    ("told", "available", "cause"),
    [
        ("the GPU is mostly idle", "True", "silent-cpu-fallback"),
        ("only my CPU is utilized", "True", "silent-cpu-fallback"),
        ("the loader is at fault", "True", "healthy"),
    ],
)
def test_the_number_of_the_current_gpu_is_no_count(told: str, available: str, cause: str):
    assert ruled(PRINTED.format(told=told, available=available)) == cause


@pytest.mark.parametrize("answer", ["RuntimeError: CUDA error: 3", "code=3(cudaErrorUnknown)"])
def test_the_code_of_an_error_is_no_number_of_a_gpu(answer: str):
    assert ruled(f">>> torch.cuda.current_device()\n{answer}\n") != "healthy"


ASKS = "{name} {version} requires gast==0.3.3, but you have gast 0.4.0 which is incompatible."


@pytest.mark.parametrize(
    ("asking", "cause"),
    [
        ((("tensorflow", "2.6.0"), ("tensorflow-gpu", "2.3.0")), "mixed-installs"),
        ((("tensorflow", "2.6.0"), ("tensorflow-probability", "0.14.0")), "unknown"),
    ],
)
def test_a_package_that_pip_says_asks_for_another_is_installed(
    asking: tuple[tuple[str, str], ...], cause: str
):
    lines = (ASKS.format(name=name, version=version) for name, version in asking)
    assert ruled("\n".join(("ERROR: pip's dependency resolver …", *lines))) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("NCCL error in: /src/torch/lib/c10d/NCCLUtils.hpp:38, unknown result code", "nccl"),
        ("I saw an NCCL error in: my first run, not since", "unknown"),
    ],
)
def test_torch_names_the_place_of_an_nccl_error(told: str, cause: str):
    assert ruled(f"RuntimeError: {told}\n") == cause


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


WITHOUT_NUMBER = (
    "ValueError: Expected a torch.device with a specified index or an integer, but got:{device}\n"
)


@pytest.mark.parametrize(("device", "cause"), [("cuda", "user-code"), ("None", "unknown")])
def test_a_device_without_its_number_is_refused(device: str, cause: str):
    assert ruled(WITHOUT_NUMBER.format(device=device)) == cause


LIGHTGBM = """[LightGBM] [Info] This is the GPU trainer!!
[LightGBM] [Info] Using GPU Device: {device}
[LightGBM] [Info] GPU programs have been built
[LightGBM] [Info] 12 dense feature groups (44.10 MB) transferred to GPU in 0.051234 secs. 0 sparse
"""


@pytest.mark.parametrize(
    ("device", "cause"),
    [
        ("NVIDIA A10, Vendor: NVIDIA Corporation", "healthy"),
        ("gfx1030, Vendor: Advanced Micro Devices, Inc.", "unknown"),
    ],
)
def test_lightgbm_computes_where_it_copied_the_features(device: str, cause: str):
    assert ruled(LIGHTGBM.format(device=device)) == cause


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
