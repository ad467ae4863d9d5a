"""A failed assertion is told by what it asserts."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.fixes.program import keep_the_condition
from gpuprobe.facts.model import Facts
from support.pasted import finding, fix, printed


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("t >= 0 && t < n_classes", "class label"),
        ("srcIndex < srcSelectDimSize", "nn.Embedding"),
        ("input_val >= zero && input_val <= one", "binary_cross_entropy"),
        ("val >= zero", "probability"),
        ("index >= -sizes[i] && index < sizes[i]", "outside the tensor"),
        ("rows == cols", "the program does something that the GPU refuses"),
    ],
)
def test_an_assertion_is_told_by_what_it_asserts(condition: str, words: str) -> None:
    fix = keep_the_condition(Facts({}), condition)
    assert words in fix.text
    assert ("compute-sanitizer python PROGRAM" in fix.commands) == (condition == "rows == cols")


CODE = "RuntimeError: CUDA error: {}\n"


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("the launch timed out and was terminated", "TdrDelay"),
        ("too many resources requested for launch", "fewer threads"),
        ("an illegal memory access was encountered", "late"),
    ],
)
def test_each_failure_of_a_kernel_has_its_repair(message: str, words: str) -> None:
    assert words in printed(CODE.format(message))


@pytest.mark.parametrize(
    ("message", "title"),
    [
        (
            "MisconfigurationException: You requested GPUs: [1] But your machine only has: [0]",
            "The program asks for more GPUs than there are",
        ),
        (
            (
                "InvalidArgumentError: Could not satisfy explicit device specification "
                "'/device:GPU:0' because no supported kernel for GPU devices is available."
            ),
            "The program puts an operation on GPU:0, where TensorFlow cannot do it",
        ),
        (
            "- **Exception Message:** mat1 and mat2 shapes cannot be multiplied (15x20 and 10x5)",
            "The program is at fault: mat1 and mat2 shapes cannot be multiplied (15x20 and 10x5)",
        ),
        (
            "----> RuntimeError: mat1 and mat2 shapes cannot be multiplied (15x20 and 10x5)",
            (
                "The program is at fault: RuntimeError: mat1 and mat2 shapes cannot be multiplied "
                "(15x20 and 10x5)"
            ),
        ),
    ],
)
def test_a_title_is_a_sentence(message: str, title: str) -> None:
    assert finding(message).title == title


LOADED = "Attempting to deserialize object on CUDA device 0 but torch.cuda.device_count() is {}."


def test_a_set_up_without_a_gpu_is_not_said_to_work() -> None:
    assert "The set-up works" not in printed(LOADED.format(0))
    assert "The set-up works" in printed(LOADED.replace("device 0", "device 3").format(1))


ON_WINDOWS = "OS: Windows 11\n"
ILLEGAL = "RuntimeError: CUDA error: an illegal memory access was encountered\n"
LATE = (
    'import torch\nimport os\nos.environ["CUDA_VISIBLE_DEVICES"] = "1"\n'
    "print(torch.cuda.device_count())  # prints 4, why not 1?\n"
)


@pytest.mark.parametrize(
    ("pasted", "name", "value"),
    [(ILLEGAL, "CUDA_LAUNCH_BLOCKING", "1"), (LATE, "CUDA_VISIBLE_DEVICES", "1")],
)
def test_a_variable_for_one_program_is_set_as_its_shell_has_it(
    pasted: str, name: str, value: str
) -> None:
    assert fix(pasted).commands[0] == f"{name}={value} python PROGRAM"
    there = fix(ON_WINDOWS + pasted).commands
    assert there[:2] == (f'$env:{name} = "{value}"', "python PROGRAM")
