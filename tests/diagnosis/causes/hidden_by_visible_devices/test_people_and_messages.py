"""A GPU that a variable hides, told by bare messages and people."""

from __future__ import annotations

import pytest

from support.cases import ruled

SECOND_GPU = 'os.environ["CUDA_VISIBLE_DEVICES"] = "1"\n'
NO_GPUS = "RuntimeError: No CUDA GPUs are available\n"
NEW_MACHINE = "I have a problem with my new machine.\n"
LIST = "os.environ['CUDA_VISIBLE_DEVICES'] = '{}'\n"
NO_NUMBER = "ValueError: invalid literal for int() with base 10: '{}'"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (SECOND_GPU + NO_GPUS, "hidden-by-visible-devices"),
        (SECOND_GPU + "kernel version seems to match DSO: 410.129.0", "hidden-by-visible-devices"),
        (
            "export CUDA_VISIBLE_DEVICES=''\nRuntimeError: No CUDA GPUs are available",
            "hidden-by-visible-devices",
        ),
        (
            (
                'os.environ["CUDA_VISIBLE_DEVICES"] = "1"\nRuntimeError: No CUDA GPUs '
                "are available\n"
                "GPU 0: NVIDIA GeForce RTX 3090 (UUID: GPU-12345678-1234-1234-1234-123456789abc)"
            ),
            "hidden-by-visible-devices",
        ),
        (
            'msg="inference compute" id=cpu library=cpu compute=""\nCUDA_VISIBLE_DEVICES=-1',
            "hidden-by-visible-devices",
        ),
        ("'visible_device_list' listed an invalid GPU id '3'", "hidden-by-visible-devices"),
        (
            "NoDevFiles\nCUDA error in cudaGetDeviceCount: no CUDA-capable device is detected\n",
            "hidden-by-visible-devices",
        ),
        ("Slurm writes NoDevFiles where a job gets no GPU\n", "unknown"),
        ("export CUDA_VISIBLE_DEVICES=1\nit cannot find the GPU", "hidden-by-visible-devices"),
        ("export CUDA_VISIBLE_DEVICES=0\nit cannot find the GPU", "unknown"),
        ("export CUDA_VISIBLE_DEVICES=3 does not work", "unknown"),
        (
            NEW_MACHINE
            + "`CUDA_VISIBLE_DEVICES=$0 ./demo.py` says: no CUDA-capable device is detected",
            "hidden-by-visible-devices",
        ),
        (LIST.format("[0]") + NO_GPUS, "hidden-by-visible-devices"),
        (LIST.format("[0, 1]") + NO_GPUS, "hidden-by-visible-devices"),
        ("%env CUDA_VISIBLE_DEVICES -1\n" + NO_GPUS, "hidden-by-visible-devices"),
        (NO_NUMBER.format("NoDevFiles"), "hidden-by-visible-devices"),
        (NO_NUMBER.format("all"), "unknown"),
    ],
)
def test_a_gpu_that_a_variable_hides_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        'msg="inference compute" id=GPU-1 library=cuda compute=8.6 driver=12.2',
    ],
)
def test_kin_of_a_gpu_that_a_variable_hides_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        SECOND_GPU,
        SECOND_GPU.replace("1", "0") + NO_GPUS,
        SECOND_GPU + "Found no NVIDIA driver on your system",
    ],
)
def test_this_is_not_a_gpu_that_a_variable_hides(text: str):
    assert ruled(text) != "hidden-by-visible-devices"


def test_code_that_sets_the_variable_prints_nothing():
    text = f">>> os.environ['CUDA_VISIBLE_DEVICES'] = device\n'-1'\n{NO_GPUS}"
    assert ruled(f"GPU: NVIDIA A10G\n{text}") == "unknown"


CODE = """{}

convert_model.py contains
os.environ["CUDA_VISIBLE_DEVICES"] = "{}"
"""


@pytest.mark.parametrize(
    ("sentence", "value", "cause"),
    [
        ("The model loaded after it computes on the CPU only:", "", "hidden-by-visible-devices"),
        ("Everything runs on the CPU.", "-1", "hidden-by-visible-devices"),
        ("The model is converted:", "", "unknown"),
    ],
)
def test_code_leaves_the_process_no_gpu(sentence: str, value: str, cause: str):
    assert ruled(CODE.format(sentence, value)) == cause


@pytest.mark.parametrize(
    ("asked", "printed", "cause"),
    [
        ('"CUDA_VISIBLE_DEVICES", ""', "'-1'", "hidden-by-visible-devices"),
        ('"CUDA_VISIBLE_DEVICES", "not set"', "-1", "hidden-by-visible-devices"),
        ('"CUDA_VISIBLE_DEVICES", "not set"', "'not set'", "unknown"),
        ('"CUDA_VISIBLE_DEVICES", ""', "''", "unknown"),
    ],
)
def test_a_default_that_is_no_number_is_told_from_the_value(asked: str, printed: str, cause: str):
    assert ruled(f">>> os.environ.get({asked})\n{printed}\n{NO_GPUS}") == cause


@pytest.mark.parametrize(
    ("value", "sentence", "cause"),
    [
        ("''", "nvidia-smi gives no information of any program.", "hidden-by-visible-devices"),
        ("''", "`nvidia-smi` shows no processes.", "hidden-by-visible-devices"),
        ("''", "nvidia-smi shows the program.", "unknown"),
        ("'0,1'", "nvidia-smi shows no processes.", "unknown"),
    ],
)
def test_a_variable_that_was_emptied_leaves_nvidia_smi_no_process(
    value: str, sentence: str, cause: str
):
    assert ruled(f"I use the command `export CUDA_VISIBLE_DEVICES = {value} `. {sentence}") == cause
