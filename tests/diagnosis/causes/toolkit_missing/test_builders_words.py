"""A toolkit that is missing, by what builders and programs say in words of their own."""

from __future__ import annotations

import pytest

from support.cases import root_by_rules, ruled

DRIVER = "| NVIDIA-SMI 418.165.02   Driver Version: 418.165.02   CUDA Version: 10.1     |\n"
NO_NVCC = "/bin/sh: nvcc: command not found\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("*** WARNING: nvcc not in path.\nerror: command failed\n", "toolkit-missing"),
        ("    *** WARNING: nvcc not in path.\n    *** WARNING: Please set path to nvcc.\n",
         "toolkit-missing"),
        ("*** WARNING: cl.exe not in path.\n", "unknown"),
        ("UserWarning: Unable to discover CUDA installation directory while attempting to add it",
         "toolkit-missing"),
        (("Warning: Version 9.1 of the CUDA toolkit could not be found. If installed, set "
         "MW_NVCC_PATH environment variable"), "toolkit-missing"),
        ("Warning: No CUDA toolkit installation could be found.\nError using mex\n",
         "toolkit-missing"),
        ("--- but the default cuda directory does not exists.\n", "toolkit-missing"),
        ('    File "torch/utils/cpp_extension.py", line 1982, in _join_cuda_home\n',
         "toolkit-missing"),
        ('    File "torch/utils/cpp_extension.py", line 867, in CUDAExtension\n', "unknown"),
        (("ExecError: error invoking 'nvcc --preprocess -arch sm_75 /tmp/a.cu': [Errno 2] No such "
         "file or directory\n"), "toolkit-missing"),
        ("ExecError: error invoking 'nvcc --preprocess -arch sm_75 /tmp/a.cu': status 1\n",
         "unknown"),
        ("library nvvm not found\n", "toolkit-missing"),
        ("the library nvvm not found here lies there\n", "unknown"),
        ("No library found under: /usr/lib64/stubs/libcuda.so\n", "toolkit-missing"),
        ("No library found under: /opt/cuda/lib64/libcudart.so.11.0\n", "toolkit-missing"),
        ("No library found under: /usr/lib64/libpng.so\n", "unknown"),
    ],
)  # fmt: skip
def test_a_builder_says_in_its_own_words_that_there_is_no_toolkit(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("failure", "cause"),
    [
        ("RuntimeError: NVCC returned an error. See below for full command line and output log:\n",
         "toolkit-missing"),
        ("", "unknown"),  # somebody looked, and compiles nothing
    ],
)  # fmt: skip
def test_a_program_that_compiles_itself_needs_nvcc_beside_a_driver_that_answers(
    failure: str, cause: str
):
    assert ruled(f"{DRIVER}{failure}{NO_NVCC}") == cause


@pytest.mark.parametrize("folder", ["/usr/local/cuda", "/opt/cuda-12.4"])
def test_quotes_in_cuda_home_are_part_of_no_folders_name(folder: str):
    root = root_by_rules(f"""unable to execute "'{folder}'/bin/nvcc": No such file or directory""")
    fix = root.finding.fix
    assert fix is not None
    assert "without quotes" in fix.text
    assert fix.commands[0] == f"export CUDA_HOME={folder}"


@pytest.mark.parametrize(("kind", "cause"), [("runtime", "toolkit-missing"), ("devel", "unknown")])
def test_an_image_to_run_programs_has_nothing_to_compile_an_extension_with(kind: str, cause: str):
    image = f"FROM nvidia/cuda:12.4.1-{kind}-ubuntu22.04\n"
    assert ruled(f"{image}RuntimeError: Error building extension 'fused'\n") == cause


def test_warp_ctc_is_built_without_a_gpu():
    line = "CUDA_HOME not found in the environment so building without GPU support."
    assert ruled(line) == "toolkit-missing"
    assert ruled("CUDA_HOME is found in the environment, so building with GPU support") == "unknown"
