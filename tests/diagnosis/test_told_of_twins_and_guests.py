"""Packages beside each other, containers that lose a GPU, cards that nobody has or that get hot."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding, fix

BESIDE = """tensorflow-gpu is installed, and everything runs on the CPU.
{}
"""


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("The plain tensorflow package sits in one env\nnext to it.", "mixed-installs"),
        ("It holds tensorflow (others\nuse it) and tensorflow-gpu side by side.", "mixed-installs"),
        ("tensorflow-gpu and tensorflow-cpu are both installed.", "mixed-installs"),
        ("Are tensorflow and tensorflow-gpu both installed?", "unknown"),
        ("If tensorflow is there next to it, remove one.", "unknown"),
        ("pytorch sits in the same environment next to it.\nimport tensorflow as tf", "unknown"),
    ],
)  # fmt: skip
def test_the_package_for_cpus_is_told_to_lie_beside_the_other(sentence: str, cause: str):
    assert ruled(BESIDE.format(sentence)) == cause


def test_two_packages_of_a_release_that_made_them_alike_are_left_in_peace():
    told = "tensorflow-gpu 2.4.0 is there.\ntensorflow 2.4.0 sits next to it.\n"
    listed = "tensorflow==2.4.0\ntensorflow-gpu==2.4.0\n"
    assert ruled(told + listed) == "unknown"


@pytest.mark.parametrize(
    ("packages", "cause"),
    [
        (
            "packages: Microsoft.ML.TensorFlow.Redist, SciSharp.TensorFlow.Redist-Windows-GPU",
            "mixed-installs",
        ),
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


def test_nuget_takes_the_package_without_cuda_away():
    text = "packages: Microsoft.ML.TensorFlow.Redist, SciSharp.TensorFlow.Redist-Windows-GPU\n"
    assert fix(text).commands[0] == "dotnet remove package Microsoft.ML.TensorFlow.Redist"


OPERATION = "No OpKernel was registered to support Op '{}' used by node reduce\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (OPERATION.format("NcclAllReduce"), "nccl"),
        (OPERATION.format("NcclReduceInitInput"), "nccl"),
        (OPERATION.format("NcclBroadcastSend") + "Registered devices: [CPU]\n", "cpu-only-build"),
        (OPERATION.format("CudnnRNN"), "cpu-only-build"),
    ],
)
def test_an_operation_of_nccl_is_lacking_in_builds_for_gpus_too(text: str, cause: str):
    assert ruled(text) == cause


NVCC = """RuntimeError: NVCC returned an error. See below for full command line and output log:

{call} --std=c++11 -DNDEBUG "C:\\StyleFlow\\ops\\fused_bias_act.cu" --preprocess 2>&1
{answer}
"""


@pytest.mark.parametrize(
    ("call", "answer", "cause"),
    [
        ("/usr/local/cuda/bin/nvcc", "cannot find the path specified", "toolkit-missing"),
        (
            '"C:\\Program Files\\CUDA\\v10.0\\bin\\nvcc.exe"',
            "The system cannot find the path specified.",
            "toolkit-missing",
        ),
        ("nvcc", "The system cannot find the path specified.", "unknown"),
        ("/usr/local/cuda/bin/nvcc", "fused_bias_act.cu", "unknown"),
    ],
)
def test_a_build_calls_nvcc_where_there_is_none(call: str, answer: str, cause: str):
    assert ruled(NVCC.format(call=call, answer=answer)) == cause


@pytest.mark.parametrize("end", ["'", ""])
def test_nvccs_word_for_an_architecture_may_have_lost_its_end(end: str):
    line = f"nvcc fatal   : Unsupported gpu architecture 'compute_61{end}\n"
    assert "6.1" in finding(f"GPU: NVIDIA P6000\nCUDA: 7.5\n{line}").title


ATTRIBUTES = "(/job:localhost/replica:0/task:0/device:{0}:0, {0}, 268435456)"


@pytest.mark.parametrize(
    ("device", "cause"), [("CPU", "no-nvidia-gpu"), ("GPU", "healthy"), ("TPU", "unknown")]
)
def test_tensorflow_lists_what_a_session_sees(device: str, cause: str):
    listed = f"Devices visible to TensorFlow: [_DeviceAttributes{ATTRIBUTES.format(device)}]"
    gpu = "" if device == "GPU" else "GPU: Radeon RX 580\n"
    assert ruled(f"{gpu}{listed}\n") == cause


GUARD = "tensorflow/core/platform/cpu_feature_guard.cc:140] Your CPU supports instructions\n"
DRIVER = "tensorflow/stream_executor/cuda/cuda_driver.cc:406] kernel version seems to match DSO\n"


@pytest.mark.parametrize(
    ("above", "cause"), [(GUARD, "cpu-only-build"), (GUARD + DRIVER, "unknown"), ("", "unknown")]
)
def test_a_session_begins_without_a_word_of_cuda(above: str, cause: str):
    assert ruled(f"{above}Device mapping: no known devices.\n") == cause


NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"


@pytest.mark.parametrize(
    ("field", "cause"),
    [
        ("no graphics card in this system", "no-nvidia-gpu"),
        ("no GPU in this machine", "no-nvidia-gpu"),
        ("no GPU in this list", "driver-not-loaded"),
    ],
)
def test_a_form_says_that_there_is_no_card(field: str, cause: str):
    assert ruled(f"GPU: {field}\n\n{NO_DEVICE}\n") == cause


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("The instance segmentation makes the whole computer restart.", "power-thermal"),
        ("Training causes my PC to shut down, again and again.", "power-thermal"),
        ("The inference forces the workstation to reboot", "power-thermal"),
        ("The update of the driver makes the computer restart.", "unknown"),
        ("The training makes the server restart the worker.", "unknown"),
    ],
)
def test_work_of_the_gpu_takes_the_machine_down(sentence: str, cause: str):
    assert ruled(f"GPU: 1080Ti\n\n{sentence}\n") == cause


WHEEL = "tensorflow-2.15.0-cp311-cp311-{}.whl"


@pytest.mark.parametrize(
    ("wheels", "cause"),
    [
        (("macosx_14_0_arm64",), "no-nvidia-gpu"),
        (("macosx_14_0_arm64", "manylinux_2_17_x86_64"), "unknown"),
    ],
)
def test_a_wheel_tells_that_the_machine_is_a_mac(wheels: tuple[str, ...], cause: str):
    commands = "".join(f"pip install https://host/{WHEEL.format(each)}\n" for each in wheels)
    listed = '>>> tf.config.list_physical_devices("GPU")\n[]\n'
    assert ruled(f"{commands}{listed}") == cause


@pytest.mark.parametrize("environment", ["env", "os.environ", "self.env"])
def test_code_keeps_an_environment_under_any_name(environment: str):
    line = f"    {environment}['CUDA_VISIBLE_DEVICES'] = '100'\n"
    text = f"theano cannot use the GPU:\n{line}{NO_DEVICE}\n"
    assert ruled(text) == "hidden-by-visible-devices"


SESSION = "----> 3 with tf.Session(config=config) as sess:\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"sudo nvidia-smi -c 1\n\n{SESSION}", "device-busy"),
        (f"I've set `nvidia-smi -c 3`.\n\n{SESSION}", "device-busy"),
        (f"sudo nvidia-smi -c 0\n\n{SESSION}", "unknown"),
        ("sudo nvidia-smi -c EXCLUSIVE_PROCESS\n\n3 + 3\n", "unknown"),
        (f"Try switching the GPUs to exclusive mode (nvidia-smi -c 3)\n\n{SESSION}", "unknown"),
    ],
)
def test_a_card_for_one_process_refuses_the_next_session(text: str, cause: str):
    assert ruled(text) == cause
