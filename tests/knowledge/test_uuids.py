"""A UUID out of a redacted document is known as one, and by what redaction left of it."""

from __future__ import annotations

import pytest

from gpuprobe.knowledge.uuids import head_of, is_redacted
from gpuprobe.report.redact import Redactor
from support.samples import ALICE, UUID_0, UUID_1

TAIL = "-1b7e-4c3d-9e0f-a1b2c3d4e5f6"


@pytest.mark.parametrize(
    "head", ["GPU-5d2f9a7c", "MIG-5d2f9a7c", "MIG-GPU-5d2f9a7c", "5d2f9a7c", "gpu-5D2F9A7C"]
)
def test_what_redaction_writes_has_the_head_of_the_whole_one(head: str):
    written = Redactor(ALICE).text(head + TAIL)
    assert (is_redacted(head + TAIL), is_redacted(written)) == (False, True)
    assert head_of(head + TAIL) == head_of(written) == head


def test_of_two_that_begin_alike_both_are_known_as_redacted():
    redactor = Redactor(ALICE)
    assert is_redacted(redactor.text(UUID_0))
    assert is_redacted(redactor.text(UUID_1))


@pytest.mark.parametrize("text", ["", "GPU-5d2f", "GPU-5d2f9a7c", "GPU-5d2f9a7c-0000"])
def test_the_beginning_of_a_uuid_is_its_own_head_or_has_too_few_digits(text: str):
    assert text.startswith(head_of(text))
    assert not is_redacted(text)
