"""A build for the CPU, as somebody tells of an installation, or as a system has no other."""

from __future__ import annotations

import pytest

from support.cases import root_by_rules, ruled

SMI = "| GPU  Name                     TCC/WDDM  | Bus-Id        Disp.A | Volatile Uncorr. ECC |\n"
JAX = "WARNING:absl:No GPU/TPU found, falling back to CPU. (Set TF_CPP_MIN_LOG_LEVEL=0 ...)\n"
CLIENT = "I tensorflow/compiler/xla/pjrt/tfrt_cpu_pjrt_client.cc:176] TfrtCpuClient created.\n"
NO_LIST = "print(tf.config.list_physical_devices('GPU'))  # []\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("After mamba create the CPU version of pytorch is what ended up there.", "cpu-only-build"),
        ("pip took the cpu-only tensorflow wheel on all GPU nodes.", "cpu-only-build"),
        ("Installing the plugin replaced torch with torch 2.4.0 without CUDA.", "cpu-only-build"),
        ("PyTorch 2.4\nThe solver defaults to the CPU build on our cluster.", "cpu-only-build"),
        ("The error says that pytorch was compiled without CUDA.", "cpu-only-build"),
        ("It tells me torch is built without GPU support, on a node with two.", "cpu-only-build"),
        ("If torch was compiled without CUDA, take the index.", "unknown"),
        (
            "It installs a version of GROMACS with OpenCL instead of CUDA, so it runs on the CPU.",
            "cpu-only-build",
        ),
        ("conda's GROMACS is for OpenCL and not CUDA; it uses the CPU.", "cpu-only-build"),
        ("GROMACS with OpenCL instead of CUDA works well on my card.", "unknown"),
        ("Does GROMACS with OpenCL instead of CUDA run on the CPU?", "unknown"),
        ("- `torch 2.4.1+cu121` -> `torch 2.5.0` (no CUDA)", "cpu-only-build"),
        ("torch 2.5.0 (no CUDA needed) is listed", "unknown"),
        ("Should I have installed the CPU version of pytorch?", "unknown"),
        ("I installed the CPU version of pytorch to compare.", "unknown"),
        ("If pip installs the CPU build of torch, take the index.", "unknown"),
        ("On my Mac pip installed the CPU version of torch.", "unknown"),
        ("Our job took the CPU node.", "unknown"),
    ],
)
def test_somebody_says_that_an_installation_came_to_a_build_for_the_cpu(text: str, cause: str):
    assert ruled(text) == cause


def test_the_framework_is_the_one_that_the_text_is_about():
    text = "conda install pytorch torchvision\nThis installs the cpu version, on a GPU node.\n"
    assert root_by_rules(text).finding.subject == "package:torch"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"I want my GPU there.\n{JAX}", "cpu-only-build"),
        (f"My jobs are on a T4, and yet:\n{CLIENT}{JAX}", "cpu-only-build"),
        (f"E cuda_driver.cc:265] failed call to cuInit: CUDA_ERROR_NO_DEVICE\nMy GPU:\n{JAX}",
         "no-nvidia-gpu"),
        (f"On my MacBook, macOS 13:\n{JAX}", "unknown"),
    ],
)  # fmt: skip
def test_jax_finds_no_gpu_and_tells_of_nothing_that_failed(text: str, cause: str):
    assert (ruled(text) == "cpu-only-build") is (cause == "cpu-only-build")


@pytest.mark.parametrize(
    ("machine", "cause"), [("aarch64", "cpu-only-build"), ("x86_64", "unknown")]
)
def test_tensorflow_has_no_wheels_with_cuda_for_arm(machine: str, cause: str):
    text = (
        f"tensorflow==2.18.0\n{NO_LIST}$ uname -m\n{machine}\nuname -a: Linux n1 6.8.0 {machine}\n"
    )
    assert (ruled(text) == "cpu-only-build") is (cause == "cpu-only-build")


@pytest.mark.parametrize(("release", "is_cpu"), [("2.15.0", True), ("2.10.0", False)])
def test_nvidia_smi_of_windows_tells_the_system(release: str, *, is_cpu: bool):
    assert (ruled(f"tensorflow: {release}\n{NO_LIST}{SMI}") == "cpu-only-build") is is_cpu


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (("Asked to use CUDAExecutionProvider as an ONNX Runtime execution provider, but"
         " the available execution providers are ['CPUExecutionProvider']."), "cpu-only-build"),
        (('In der DLL "onnxruntime" wurde "OrtSessionOptionsAppendExecutionProvider_CUDA" nicht '
         "gefunden."), "cpu-only-build"),
        ("[DllImport(onnxruntime)] OrtSessionOptionsAppendExecutionProvider_CUDA(options, 0);",
         "unknown"),
        ("The DNN module was not built with the CUDA backend, so it takes the CPU.",
         "cpu-only-build"),
    ],
)  # fmt: skip
def test_a_library_tells_that_it_has_no_cuda(line: str, cause: str):
    assert ruled(line) == cause


PIP = "Requirement already satisfied: torch in {} ({})\n"
PACKAGES = r"c:\users\user\python310\lib\site-packages"


@pytest.mark.parametrize(
    ("release", "said", "cause"),
    [
        ("2.5.1", "GPU: RTX 3060\nCUDA is not available, says start.bat", "cpu-only-build"),
        ("1.13.1", "No supported Nvidia GPU found, use CPU instead", "cpu-only-build"),
        ("2.5.1+cu121", "GPU: RTX 3060\nCUDA is not available, says start.bat", "unknown"),
        ("2.5.1", "GPU: RTX 3060", "unknown"),
        ("2.5.1", "CUDA is not available, says start.bat", "unknown"),  # of no GPU it is told
    ],
)
def test_pips_torch_without_a_tag_is_for_the_cpu_on_windows(release: str, said: str, cause: str):
    assert ruled(f"{PIP.format(PACKAGES, release)}OS: Windows 11\n{said}\n") == cause
    assert ruled(f"{PIP.format('/usr/lib', release)}OS: Debian 12\n{said}\n") == "unknown"
