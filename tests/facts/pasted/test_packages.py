"""pip's and conda's outputs; what a name, a tag, a build string, a size tells."""

# The samples are as long as programs print them.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from support.pasted import some, told


@pytest.mark.parametrize(
    ("line", "version", "build", "cuda"),
    [
        ("torch                     2.1.0+cu121", "2.1.0+cu121", "cuda", "12.1"),
        ("torch==1.8.2+cu102", "1.8.2+cu102", "cuda", "10.2"),
        ("torch==2.4.1+cpu", "2.4.1+cpu", "cpu", None),
        ("torch 2.5.1+rocm6.2", "2.5.1+rocm6.2", "rocm", None),
        ("Successfully installed torch-2.3.1+cu118 typing-extensions-4.9.0", "2.3.1+cu118", "cuda", "11.8"),
        (
            "Requirement already satisfied: torch in ./venv/lib/python3.10/site-packages (2.4.0+cu124)",
            "2.4.0+cu124",
            "cuda",
            "12.4",
        ),
        (
            "Requirement already satisfied: torch>=1.8 in /a/b (from timm==0.9.2) (2.0.1+cpu)",
            "2.0.1+cpu",
            "cpu",
            None,
        ),
        (
            "Downloading torch-2.1.0%2Bcu121-cp311-cp311-linux_x86_64.whl (2200.7 MB)",
            "2.1.0+cu121",
            "cuda",
            "12.1",
        ),
        ("xformers 0.0.22 requires torch==2.0.1, but you have torch 2.1.0+cu118 which is incompatible.",
         "2.1.0+cu118", "cuda", "11.8"),
        ("pytorch   2.5.1   py3.12_cuda12.4_cudnn9.1.0_0    pytorch", "2.5.1", "cuda", "12.4"),
        ("pytorch   1.11.0   py3.8_cpu_0    pytorch", "1.11.0", "cpu", None),
        ("pytorch   2.4.1   cuda120_py312h26b3cf7_303    conda-forge", "2.4.1", "cuda", "12.0"),
        ("pytorch   2.4.1   cpu_generic_py311h8c4e4ef_3    conda-forge", "2.4.1", "cpu", None),
        ("    pytorch-1.11.0  |cpu_py37h14e09b7_1   49.7 MB  conda-forge", "1.11.0", "cpu", None),
        ("    pytorch-1.12.1  | py3.10_cuda11.6_cudnn8.3.2_0   1.20 GB  pytorch", "1.12.1", "cuda", "11.6"),
        ("  + pytorch   2.6.0   cuda126_mkl_py312_h30b5a27_301   conda-forge     24MB", "2.6.0", "cuda", "12.6"),
    ],
)  # fmt: skip
def test_a_torch_in_any_list_tells_version_and_build(
    line: str, version: str, build: str, cuda: str | None
) -> None:
    found = told(line)
    assert found["package.torch.version"] == version
    assert found["package.torch.build"] == build
    assert found.get("package.torch.cuda") == cuda


@pytest.mark.parametrize(
    "line",
    [
        "pytorch-1.11.0 | 49.7 MB | ###### | 100%",  # the bar of a download
        "    pytorch-1.11.0  |  cpu or cuda, who knows",
        "| pytorch-1.11.0 |cpu_py37h14e09b7_1 |",
    ],
)
def test_what_is_no_row_of_a_download_tells_no_build(line: str) -> None:
    assert "package.torch.build" not in told(line)


@pytest.mark.parametrize(
    ("line", "name", "build", "cuda"),
    [
        ("tensorflow-gpu==1.15.0", "tensorflow-gpu", "cuda", None),
        ("tensorflow-intel        2.13.0", "tensorflow-intel", "cpu", None),
        ("onnxruntime             1.17.1", "onnxruntime", "cpu", None),
        ("onnxruntime-gpu         1.17.1", "onnxruntime-gpu", "cuda", None),
        ("cupy-cuda11x            12.2.0", "cupy-cuda11x", "cuda", "11"),
        ("cupy-cuda110==8.6.0", "cupy-cuda110", "cuda", "11.0"),
        ("mxnet-cu92              1.5.0", "mxnet-cu92", "cuda", "9.2"),
        ("jaxlib                  0.4.13+cuda12.cudnn89", "jaxlib", "cuda", "12"),
        ("paddlepaddle-gpu        2.3.0.post112", "paddlepaddle-gpu", "cuda", "11.2"),
        ("nvidia-cublas-cu12      12.1.3.1", "nvidia-cublas-cu12", "cuda", "12"),
        ("jax-cuda12-plugin       0.4.36", "jax-cuda12-plugin", "cuda", "12"),
        ("jaxlib  0.4.23  cuda118py311h7ba9cb6_200  conda-forge", "jaxlib", "cuda", "11.8"),
        ("tensorflow  2.11.0  gpu_py310hf8ff8df_0", "tensorflow", "cuda", None),
        ("tensorflow  2.15.0  cuda120py311h5cbd639_3  conda-forge", "tensorflow", "cuda", "12.0"),
    ],
)
def test_names_tags_and_build_strings_tell_what_a_package_is_built_for(
    line: str, name: str, build: str, cuda: str | None
) -> None:
    found = told(line)
    assert found[f"package.{name}.build"] == build
    assert found.get(f"package.{name}.cuda") == cuda


@pytest.mark.parametrize(
    ("line", "build"),
    [
        ("  Using cached torch-2.3.1-cp310-cp310-win_amd64.whl (159.8 MB)", "cpu"),
        ("  Downloading torch-2.0.1-cp310-cp310-manylinux1_x86_64.whl (619.9 MB)", "cuda"),
        ("  Downloading torch-1.4.0-cp37-cp37m-manylinux1_x86_64.whl (753.4 MB)", "cuda"),
        ("  Downloading torch-2.2.2-cp311-none-macosx_11_0_arm64.whl (59.7 MB)", "cpu"),
        ("  Downloading tensorflow-2.13.0-cp310-cp310-win_amd64.whl (1.9 kB)", None),
        ("  Downloading torch-2.3.1-cp310-cp310-win_amd64.whl.metadata (26 kB)", None),
        (
            "  Downloading tensorflow-2.16.1-cp311-cp311-manylinux_2_17_x86_64.whl (589.8 MB)",
            "cuda",
        ),
        ("  Downloading torchvision-0.18.1-cp310-cp310-win_amd64.whl (1.2 MB)", None),
    ],
)
def test_the_size_of_a_frameworks_wheel_tells_cpu_from_cuda(line: str, build: str | None) -> None:
    name = "tensorflow" if "tensorflow" in line else "torch"
    assert told(line).get(f"package.{name}.build") == build


def test_a_wheel_for_windows_was_installed_on_windows() -> None:
    found = told("Using cached torch-2.3.1-cp310-cp310-win_amd64.whl (159.8 MB)")
    assert found["os.system"] == "Windows"


def test_cpuonly_and_the_mutex_tell_of_torch() -> None:
    assert told("cpuonly          2.0      0    pytorch")["package.torch.build"] == "cpu"
    assert told("pytorch-mutex    1.0    cpu    pytorch")["package.torch.build"] == "cpu"
    assert told("pytorch-mutex    1.0    cuda    pytorch")["package.torch.build"] == "cuda"


def test_pip_show_is_read() -> None:
    found = told("""
        $ pip show torch
        Name: torch
        Version: 2.1.2
        Summary: Tensors and Dynamic neural networks in Python with strong GPU acceleration
        WARNING: Package(s) not found: onnxruntime-gpu
        """)
    assert found["package.torch.version"] == "2.1.2"
    assert found["package.onnxruntime-gpu.version"] is None


def test_lock_files_are_read() -> None:
    found = told('[[package]]\nname = "torch"\nversion = "2.4.0+cu121"\n')
    assert found["package.torch.cuda"] == "12.1"


def test_a_line_of_names_that_carry_their_cuda_tells_that_both_are_there() -> None:
    found = told("    cupy-cuda12x, cupy-cuda13x")
    assert found["package.cupy-cuda12x.cuda"] == "12"
    assert found["package.cupy-cuda13x.cuda"] == "13"


def test_conda_brings_cudnn() -> None:
    assert told("cudnn   8.9.2.26   cuda11_0    defaults")["cudnn.version"] == "8.9.2.26"


@pytest.mark.parametrize(
    "line",
    [
        "pip install torch==2.3.1 torchvision==0.18.1",
        "You need torch>=2.0 and CUDA 11.8 for this",
        "flash-attn requires torch==2.0.1",
        "ERROR: torch-1.7.1+cu110-cp38-cp38-linux_x86_64.whl is not a supported wheel on this platform.",
        "see https://download.pytorch.org/whl/cu121 for wheels",
        '  File "/usr/local/cuda-12.1/lib64/python3.10/site-packages/torch/__init__.py", line 12',
        "- Fixed a crash with torch 2.1 (#123)",
    ],
)
def test_what_is_wanted_or_told_of_is_not_installed(line: str) -> None:
    assert some(told(line), "package", "toolkit") == {}


def test_packages_that_have_nothing_to_do_with_gpus_are_not_recorded() -> None:
    assert told("requests==2.31.0\ntensorflow-datasets==4.9.0\npillow     10.0.1") == {}


def test_conda_called_builds_for_the_cpu_cuda_0() -> None:
    row = "pytorch                   0.4.1           py37_cuda{}_1    pytorch"
    assert told(row.format("0.0_cudnn0.0"))["package.torch.build"] == "cpu"
    assert told(row.format("9.0_cudnn7.1"))["package.torch.build"] == "cuda"


@pytest.mark.parametrize(
    ("post", "cuda"), [("87", "8.0"), ("97", "9.0"), ("107", "10.0"), ("112", "11.2")]
)
def test_paddles_post_releases_tell_the_cuda(post: str, cuda: str) -> None:
    assert told(f"paddlepaddle-gpu  2.0.0.post{post}")["package.paddlepaddle-gpu.cuda"] == cuda
