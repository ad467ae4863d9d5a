"""What code asked and printed: prompts, one-liners, scripts, labels, comments."""

# The samples are as long as programs print them.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from support.pasted import some, told

SEES = "framework.torch.sees_gpu"
COUNT = "framework.torch.device_count"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (">>> import torch\n>>> torch.cuda.is_available()\nFalse", False),
        (">>> import torch; print(torch.cuda.is_available())\nTrue", True),
        ("In [3]: torch.cuda.is_available()\nOut[3]: False", False),
        ("$ python -c 'import torch; print(torch.cuda.is_available())'\nFalse", False),
        ('(base) C:\\Users\\user>python -c "import torch;print(torch.cuda.is_available())"\nTrue', True),
        ("torch.cuda.is_available(): False", False),
        ("torch.cuda.is_available() = True", True),
        ("`torch.cuda.is_available()` returns `False`", False),
        ("print(torch.cuda.is_available())  # False", False),
        ("torch.cuda.is_available() -> False", False),
        ("nvidia-smi works, torch.cuda.is_available() True, torch 2.4.0", True),
        ("import torch\nprint(torch.cuda.is_available())\n\nreturn False", False),
        ("`torch.cuda.is_available() `\nfalse", False),
        ("\U0001f527 Torch CUDA Available: True", True),
        ("CUDA available: False", False),
        ("Is CUDA available: Yes", True),
        ("cuda is available: True", True),
        ("GPU available: True (cuda), used: True", True),
        ("PyTorch has active GPU: True", True),
        ("pytorch.cuda:                                      available", True),
        ("import torch\nprint('ok')\nprint(torch.cuda.is_available())\nok\nFalse", False),
    ],
)  # fmt: skip
def test_whether_torch_sees_a_gpu_is_told_in_many_ways(text: str, answer: bool) -> None:
    assert told(text)[SEES] is answer


@pytest.mark.parametrize(
    ("rest", "sees"),
    [
        ("on kernel 5.8.13, but returns False since 5.9", False),
        ("on the host, while in the container it is `False`", False),
        ("on the host, but the program says something else", True),
        ("on the host. That it returns False elsewhere is no matter", True),
    ],
)
def test_of_two_answers_in_a_sentence_the_no_is_asked_about(rest: str, sees: bool) -> None:
    found = told(f"torch.cuda.is_available() returns True {rest}")
    assert found[SEES] is sees
    assert found.get("framework.torch.sees_elsewhere", False) is not sees


def test_what_open3d_answers_is_not_torchs() -> None:
    found = told(">>> import open3d as o3d\n>>> print(o3d.core.cuda.is_available())\nFalse")
    assert found["framework.open3d.sees_gpu"] is False
    assert SEES not in found


@pytest.mark.parametrize(
    "text",
    [
        "if torch.cuda.is_available():\n    print(True)\n",
        'device = "cuda" if torch.cuda.is_available() else "cpu"\nTrue',
        "make sure that torch.cuda.is_available() returns True",
        "torch.cuda.is_available() should return True",
        "assert torch.cuda.is_available() is True",
        "Why is torch.cuda.is_available() False?",
        "  return torch._C._cuda_getDeviceCount() > 0",
        "GPU available for everybody: True Crime",
        ">>> torch.cuda.is_available()\n>>> import sys",
        "make sure that torch.cuda.is_available() True",
        "torch.cuda.is_available() False positives",
    ],
)
def test_conditions_wishes_and_questions_are_no_answer(text: str) -> None:
    assert SEES not in told(text)


@pytest.mark.parametrize(
    ("text", "framework", "answer"),
    [
        ("torch::cuda::is_available(): 1", "libtorch", True),
        ("`torch::cuda::is_available()` returns false", "libtorch", False),
        ("std::cout << torch::cuda::is_available() << std::endl;\n0", "libtorch", False),
        ("> torch::cuda_is_available()\n[1] FALSE", "r-torch", False),
        ('println!("{}", tch::Cuda::is_available());\ntrue', "tch", True),
        ("std::cout << torch::cuda::is_available() << std::endl;\n0 errors", "libtorch", None),
        ("if (torch::cuda::is_available()) device = torch::kCUDA;\n1", "libtorch", None),
        ("> if (cuda_is_available()) TRUE", "r-torch", None),
    ],
)
def test_other_languages_ask_the_same(text: str, framework: str, answer: bool | None) -> None:
    assert told(text).get(f"framework.{framework}.sees_gpu") is answer


@pytest.mark.parametrize(
    ("text", "no"),
    [
        ("`torch.cuda.is_available()` ist False", True),
        ("torch.cuda.is_available() gibt immer `False` zur\u00fcck", True),
        ("torch.cuda.is_available() renvoie False", True),
        ("torch.cuda.is_available() me devuelve False", True),
        ("torch.cuda.is_available() \u304c False", True),
        ("torch.cuda.is_available() ist True auf dem alten Rechner", None),
        (
            "falls torch.cuda.is_available() False ist oder torch.cuda.is_available() ist False",
            None,
        ),
        ("si torch.cuda.is_available() renvoie False, que faire ?", None),
    ],
)
def test_a_no_is_told_in_many_languages(text: str, no: bool | None) -> None:
    assert told(text).get(SEES) == (None if no is None else not no)


def test_values_of_one_line_come_in_the_order_of_their_questions() -> None:
    found = told("""
        $ python -c "import torch; print(torch.__version__, torch.version.cuda, torch.cuda.is_available())"
        2.1.0+cpu None False
        """)
    assert found["package.torch.version"] == "2.1.0+cpu"
    assert found["package.torch.build"] == "cpu"
    assert found[SEES] is False


def test_a_scripts_prints_are_answered_below_it() -> None:
    found = told("""
        import torch
        print(torch.__version__)
        print(torch.version.cuda)
        print(torch.cuda.is_available())
        print(torch.cuda.get_device_name(0))
        output:
        1.12.1+cu113
        11.3
        True
        NVIDIA GeForce RTX 3060 Laptop GPU
        """)
    assert found["package.torch.version"] == "1.12.1+cu113"
    assert found["package.torch.cuda"] == "11.3"
    assert found[SEES] is True
    assert found["gpu.0.name"] == "NVIDIA GeForce RTX 3060 Laptop GPU"


@pytest.mark.parametrize(
    "code",
    [
        'os.environ["CUDA_VISIBLE_DEVICES"] = "1"',
        "os.putenv('OMP_NUM_THREADS', '1')",
        "sizes[0] = 1",
    ],
)
def test_code_below_a_question_is_no_answer(code: str) -> None:
    text = f"import torch\nprint(torch.cuda.device_count())\nimport os\n{code}\n"
    assert COUNT not in told(text)
    assert told(f"{text}4\n")[COUNT] == 4
    assert told(f"{text}print(torch.cuda.device_count())  # still 4")[COUNT] == 4


def test_a_session_is_read_prompt_by_prompt() -> None:
    found = told("""
        >>> import torch
        >>> torch.version.cuda
        '8.0'
        >>> torch.backends.cudnn.version()
        8902
        >>> torch.cuda.device_count()
        2
        >>> torch.cuda.get_device_capability()
        (8, 6)
        >>> torch.cuda.get_arch_list()
        ['sm_37', 'sm_50', 'sm_86']
        """)
    assert found["package.torch.cuda"] == "8.0"
    assert found["cudnn.version"] == "8.9.2"
    assert found["framework.torch.device_count"] == 2
    assert found["gpu.0.capability"] == "8.6"
    assert found["framework.torch.architectures"] == ("sm_37", "sm_50", "sm_86")


def test_warnings_between_question_and_answer_are_passed_over() -> None:
    found = told("""
        >>> torch.cuda.is_available()
        /opt/conda/lib/python3.8/site-packages/torch/cuda/__init__.py:100: UserWarning: CUDA initialization: Error 804
          return torch._C._cuda_getDeviceCount() > 0
        False
        """)
    assert found[SEES] is False


@pytest.mark.parametrize(
    ("text", "sees", "count"),
    [
        (">>> tf.config.list_physical_devices('GPU')\n[]", False, 0),
        (
            ">>> tf.config.list_physical_devices('GPU')\n[PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU'), PhysicalDevice(name='/physical_device:GPU:1', device_type='GPU')]",
            True,
            2,
        ),
        (
            ">>> print('Num GPUs Available: ', len(tf.config.list_physical_devices('GPU')))\nNum GPUs Available:  1",
            True,
            1,
        ),
        ("Num GPUs Available:  0", False, 0),
        ("print('GPU', tf.config.list_physical_devices('GPU'))\nThe output is:\nGPU []", False, 0),
        (">>> tf.test.is_gpu_available()\nFalse", False, None),
        (">>> tf.test.gpu_device_name()\n''", False, None),
        ("print(tf.test.gpu_device_name())\n/device:GPU:0", True, None),
    ],
)
def test_tensorflow_tells_its_gpus(text: str, sees: bool, count: int | None) -> None:
    found = told(text)
    assert found["framework.tensorflow.sees_gpu"] is sees
    assert found.get("framework.tensorflow.device_count") == count


def test_code_that_asks_for_a_device_name_tells_none() -> None:
    code = "device_name = tf.test.gpu_device_name()\nif device_name != '/device:GPU:0':\n"
    assert "framework.tensorflow.sees_gpu" not in told(code + "    raise SystemError('')\n")


def test_a_list_of_cpus_only_is_no_gpu() -> None:
    found = told(
        ">>> tf.config.list_physical_devices()\n"
        "[PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]"
    )
    assert found["framework.tensorflow.sees_gpu"] is False


@pytest.mark.parametrize(
    ("text", "sees"),
    [
        (">>> jax.devices()\n[CpuDevice(id=0)]", False),
        (">>> jax.devices()\n[cuda(id=0), cuda(id=1)]", True),
        ("jax.devices (1 total, 1 local): [GpuDevice(id=0, process_index=0)]", True),
        ("jax.devices (8 total, 8 local): [CudaDevice(id=0) CudaDevice(id=1)]", True),
        ("device info: cpu-1, 1 local devices", False),
        ("device info: NVIDIA H100 80GB HBM3-8, 8 local devices", True),
        (">>> jax.default_backend()\n'gpu'", True),
        ("$ python -c 'import jax; print(jax.default_backend())'\ncpu", False),
    ],
)
def test_jax_tells_its_devices(text: str, sees: bool) -> None:
    assert told(text)["framework.jax.sees_gpu"] is sees


def test_a_tpu_is_neither() -> None:
    assert "framework.jax.sees_gpu" not in told(">>> jax.devices()\n[TpuDevice(id=0)]")


def test_providers_tell_the_build_of_onnxruntime_not_that_a_gpu_is_seen() -> None:
    found = told(
        ">>> onnxruntime.get_available_providers()\n"
        "['TensorrtExecutionProvider', 'CUDAExecutionProvider', 'CPUExecutionProvider']"
    )
    assert found["package.onnxruntime-gpu.build"] == "cuda"
    assert some(found, "framework") == {}
    found = told(
        ">>> ort.get_available_providers()\n['AzureExecutionProvider', 'CPUExecutionProvider']"
    )
    assert found["package.onnxruntime.build"] == "cpu"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("v2.1.0-rc2-17-ge5bf8de 2.1.0", "2.1.0"),
        ("('v1.12.0-0-ga6d8ffae09', '1.12.0')", "1.12.0"),
        ("b'v1.4.0-19-ga52c8d9' 1.4.1", "1.4.1"),
        ("unknown 1.15.0", None),
        ("tf.__version__ : 2.10.0", "2.10.0"),
        (">>> tf.version.VERSION\n'2.4.0-rc1'", "2.4.0-rc1"),
    ],
)
def test_tensorflow_prints_its_version_in_many_ways(text: str, version: str | None) -> None:
    assert told(text).get("package.tensorflow.version") == version


def test_build_info_of_tensorflow() -> None:
    found = told(
        "OrderedDict([('cuda_version', '11.2'), ('cudnn_version', '8'), ('is_cuda_build', True)])"
    )
    assert found["package.tensorflow.cuda"] == "11.2"
    assert (
        told("{'cuda_version': '64_112', 'cudnn_version': '64_8'}")["package.tensorflow.cuda"]
        == "11.2"
    )


def test_of_a_tuple_the_name_is_taken_and_not_what_lies_between_two() -> None:
    asked = (
        ">>> torch.__version__, torch.cuda.get_device_name()\n('2.2.0+cu121', 'NVIDIA RTX A5500')"
    )
    found = told(asked)
    assert found["gpu.0.name"] == "NVIDIA RTX A5500"
