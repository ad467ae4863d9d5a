"""A failed assertion is told by what it asserts."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.fixes.program import keep_the_condition


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
    fix = keep_the_condition(condition)
    assert words in fix.text
    assert ("compute-sanitizer python PROGRAM" in fix.commands) == (condition == "rows == cols")
