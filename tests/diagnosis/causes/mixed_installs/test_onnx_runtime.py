"""Two packages that claim the same module, as ONNX Runtime tells of it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled
from support.pasted import told

NOT_IN_JAVA = "ai.onnxruntime.OrtException: This binary was not compiled with CUDA support.\n"
GPU_LISTED = "$ pip list | grep tensorflow\ntensorflow-gpu 1.13.1\n"
REMOVED = "Found existing installation: {0} 1.23.2\nUninstalling {0}-1.23.2:\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "!pip install onnxruntime-gpu onnxruntime\n>>> ort.get_available_providers()\n"
                "['CPUExecutionProvider']"
            ),
            "mixed-installs",
        ),
        (
            NOT_IN_JAVA + "com.microsoft.onnxruntime:onnxruntime:jar:1.12.1:compile\n"
            "com.microsoft.onnxruntime:onnxruntime_gpu:jar:1.12.1:compile\n",
            "mixed-installs",
        ),
        (
            (
                "WARNING - separator - CUDAExecutionProvider not available in ONNXruntime\n"
                "INFO - separator - ONNX Runtime GPU package installed with version: 1.17.1\n"
                "INFO - separator - ONNX Runtime CPU package installed with version: 1.17.1\n"
            ),
            "mixed-installs",
        ),
        ("INFO - separator - ONNX Runtime GPU package installed with version: 1.17.1\n", "unknown"),
        ("I had installed both onnxruntime and onnxruntime-gpu.", "mixed-installs"),
        ("It works with both onnxruntime-gpu and tensorflow.", "unknown"),
        (
            (
                "- onnxruntime 1.10.0\n- onnxruntime-gpu 1.8.0\nalways falling back to "
                "the CPUProvider\n"
            ),
            "mixed-installs",
        ),
        ("My venv has `onnxruntime` as well as `onnxruntime-gpu` in it.", "mixed-installs"),
        ("It needs onnxruntime as well as onnxruntime-tools.", "unknown"),
        # A project is no second package.
        ("tensorflow-gpu 1.2.1 (pip)\nThe problem persists with Tensorflow 1.3.0.", "unknown"),
        ("I have tensorflow-gpu 1.4 installed. Training on TensorFlow 1.4 is slow", "unknown"),
        ("TensorFlow version: 1.14.0\ntensorflow-gpu 1.14.0 from pip", "unknown"),
        ("tf 1.14.0, tensorflow-gpu 1.14.0, cuda 10.0", "unknown"),
        (GPU_LISTED + ">>> tf.__version__\n'1.13.1'", "unknown"),
        ("Using onnxruntime-gpu 1.16.0. It also happens with onnxruntime 1.15.1.", "unknown"),
        ("ONNX Runtime Version: 1.16.0\npackage: onnxruntime-gpu 1.16.0", "unknown"),
        ("cupy-cuda11x 12.0, cupy version 12.0", "unknown"),
        (REMOVED.format("tensorflow") + "Successfully installed tensorflow-gpu-1.13.1", "unknown"),
        # Two packages that are listed clash.
        (GPU_LISTED + "tensorflow 1.13.1\n>>> tf.__version__\n'1.13.1'", "mixed-installs"),
        ("tensorflow-gpu==1.13.1\ntensorflow==2.0.0\nkeras==2.2.4", "mixed-installs"),
        ("I installed both tensorflow 1.13.1 and tensorflow-gpu 1.13.1", "mixed-installs"),
        (REMOVED.format("onnxruntime") + REMOVED.format("onnxruntime-gpu"), "mixed-installs"),
    ],
)
def test_two_packages_of_one_module_are_told_from_their_kin(text: str, cause: str):
    assert ruled(text) == cause


JARS = """| com.microsoft.onnxruntime:onnxruntime:1.16.0 | CPU |
| com.microsoft.onnxruntime:onnxruntime_gpu:1.16.0 | CUDA |
"""


@pytest.mark.parametrize(
    "text",
    [
        "pip install onnxruntime onnxruntime-tools",
        JARS,
    ],
)
def test_kin_of_two_packages_of_one_module_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_a_file_of_ones_own_is_not_what_two_packages_left():
    failed = "AttributeError: module 'onnxruntime' has no attribute 'InferenceSession'"
    frame = '  File "/home/user/onnxruntime.py", line 3, in <module>'
    assert ruled(f"{frame}\n{failed}\n") != "mixed-installs"


TWO_OF_ORT = """onnxruntime-gpu==1.4.0
{other}>>> onnxruntime.get_device()
'{device}'
>>> session.get_providers()
['CPUExecutionProvider']
"""


@pytest.mark.parametrize(
    ("other", "device", "cause"),
    [
        ("onnxruntime==1.4.0\n", "CPU", "mixed-installs"),
        ("", "GPU", "silent-cpu-fallback"),
    ],
)
def test_the_build_that_is_imported_says_that_it_has_no_cuda(other: str, device: str, cause: str):
    assert ruled(TWO_OF_ORT.format(other=other, device=device)) == cause


DIRECTML = """OS: Windows
$ pip install {packages}
OrtException: Specified provider is not supported.
"""


@pytest.mark.parametrize(
    ("packages", "cause"),
    [
        ("onnxruntime-directml onnxruntime-genai-directml onnxruntime", "mixed-installs"),
        ("onnxruntime numpy onnxruntime-directml==1.19.2", "mixed-installs"),
        ("onnxruntime-directml onnxruntime-genai-directml", "unknown"),
        ("onnxruntime-directml instead of onnxruntime", "unknown"),
    ],
)
def test_one_command_installs_two_packages_of_one_module(packages: str, cause: str):
    assert ruled(DIRECTML.format(packages=packages)) == cause


def test_the_packages_own_build_stays() -> None:
    found = told("onnxruntime-gpu 1.16.0 on Linux, ONNX Runtime version 1.16.0 there")
    assert found["package.onnxruntime-gpu.build"] == "cuda"
    assert "package.onnxruntime.build" not in found


@pytest.mark.parametrize(
    ("installed", "cause"),
    [
        ("onnxruntime (of one program), onnxruntime-gpu (of another)", "mixed-installs"),
        ("onnxruntime-gpu (of one program)", "unknown"),
    ],
)
def test_two_builds_of_onnxruntime_are_installed_for_two_programs(installed: str, cause: str):
    assert ruled(f"installed: {installed}\nit computes on the CPU only\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "AttributeError: module 'onnxruntime' has no attribute 'SessionOptions'",
            "mixed-installs",
        ),
        ("AttributeError: module 'onnxruntime' has no attribute 'tools'", "unknown"),
        ("I have the packages\nonnx\nonnxruntime\nonnxruntime-gpu\ninstalled.", "mixed-installs"),
        ("I have the packages\nonnx\nonnxruntime-gpu\ninstalled.", "unknown"),
        ("I installed tensorflow v2.0.0 and tensorflow-gpu v2.0.0 both", "mixed-installs"),
        ("I installed tensorflow v2.0.0 and tensorflow-probability", "unknown"),
    ],
)
def test_two_packages_bring_one_module(text: str, cause: str):
    assert ruled(f"GPU: RTX 3060\n\n{text}\n") == cause


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        (
            (
                "torch 1.3.0\nImportError: /opt/torch/lib/libtorch_python.so: undefined "
                "symbol: _ZTIN3c1014WarningHandlerE"
            ),
            ("pip uninstall --yes torch", "pip install torch==1.3.0"),
        ),
        (
            "AttributeError: module 'onnxruntime' has no attribute 'SessionOptions'",
            (
                "pip uninstall --yes onnxruntime onnxruntime-gpu",
                "pip install onnxruntime-gpu",
            ),
        ),
        (
            "AttributeError: module 'pynvml' has no attribute '_nvmlGetFunctionPointer'",
            (
                "pip uninstall --yes nvidia-ml-py pynvml",
                "pip install nvidia-ml-py",
            ),
        ),
        (
            (
                "UserWarning: CuPy may not function correctly because multiple CuPy packages are "
                "installed\nin your environment:\n"
            ),
            ("pip list | grep -i cupy", "pip uninstall PACKAGES", "pip install PACKAGE"),
        ),
    ],
)
def test_what_is_to_be_run_names_packages_alone(text: str, commands: tuple[str, ...]):
    root = gpuprobe.explain(f"GPU: RTX 3060\n{text}\n").diagnosis.root
    assert root is not None
    assert root.cause == "mixed-installs"
    assert root.finding.fix is not None
    assert root.finding.fix.commands == commands


@pytest.mark.parametrize(
    ("packages", "cause"),
    [
        (
            "packages: Microsoft.ML.TensorFlow.Redist, SciSharp.TensorFlow.Redist-Windows-GPU",
            "mixed-installs",
        ),
        (
            "NuGet's Emgu.CV.runtime.windows.cuda, a reference to Emgu.CV.Runtime.Windows.shproj",
            "mixed-installs",
        ),
        (
            "Installed libemgucv-windesktop-4.7.0.5276.exe and Emgu.CV.runtime.windows.cuda",
            "mixed-installs",
        ),
        ("Installed libemgucv-windesktop_x64-cuda-4.5.1.4349.zip.selfextract.exe", "unknown"),
        (
            (
                '<PackageReference Include="Microsoft.ML.OnnxRuntime.Gpu" Version="1.17.1" />\n'
                "Another one depends on Microsoft.ML.OnnxRuntime."
            ),
            "mixed-installs",
        ),
        ("using Microsoft.ML.OnnxRuntime;\nMicrosoft.ML.OnnxRuntime.Gpu 1.17.1", "unknown"),
        (
            "I replaced the package Microsoft.ML.OnnxRuntime by Microsoft.ML.OnnxRuntime.Gpu",
            "unknown",
        ),
        (
            "Microsoft.ML.OnnxRuntime.Gpu 1.17.1\nMicrosoft.ML.OnnxRuntime.Managed 1.17.1",
            "unknown",
        ),
    ],
)
def test_a_project_of_net_has_the_library_twice(packages: str, cause: str):
    assert ruled(f"OS: Windows 10\n{packages}\nNo GPU is used.\n") == cause


def test_two_packages_are_told_side_by_side():
    both = "onnxruntime 1.18.0 and onnxruntime-gpu 1.18.0"
    assert ruled(f"I have {both}, and it runs on the CPU") == "mixed-installs"
    assert ruled(f"I compared the speed of {both}") != "mixed-installs"
