"""A sentence about what is not so here accuses no machine that is seen to work."""

from __future__ import annotations

import pytest

from support.cases import ruled

COMPUTED = (
    "Is CUDA available: True\nGPU 0: NVIDIA GeForce RTX 3090\n"
    ">>> (torch.ones(2).cuda() + 1).device\ndevice(type='cuda', index=0)\n"
)


@pytest.mark.parametrize(
    "told",
    [
        # It is over.
        "Last month the GPU fell off the bus; that is solved.",
        "Last month NCCL hung at init, which a reinstall fixed.",
        "Until the update of May the GPU fell off the bus.",
        # It is not so.
        "It is not that the GPU falls off the bus.",
        "This is not a driver/library version mismatch.",
        "I have ruled out a GPU that fell off the bus.",
        "I checked whether NCCL hangs at init: no.",
        # What if.
        "What happens if the GPU falls off the bus on a user's machine?",
        "How does the program find out that the fabric manager is not running?",
        "Otherwise NCCL hangs at init, so I pinned the version.",
        # What a program should tell, what a page tells, what is tested.
        "Feature request: tell the user when the GPU falls off the bus.",
        "It could warn the user when NCCL hangs at init.",
        "The docs explain what to do when the GPU falls off the bus.",
        "Added a test for the case that NCCL hangs at init.",
        # Another machine, another report.
        "On the old server the GPU fell off the bus, this one is fine.",
        "For a colleague NCCL hung at init; for me it works.",
        "Unlike the thread about an NCCL hang, here all works.",
    ],
)
def test_a_sentence_beside_the_matter(told: str):
    assert ruled(f"{told}\n{COMPUTED}") == "healthy"
    assert ruled(f"{COMPUTED}{told}\n") == "healthy"
    assert ruled(f"I want to change the font. {told} The menu is grey.\n{COMPUTED}") == "healthy"


@pytest.mark.parametrize(
    "told",
    [
        "Today the GPU fell off the bus.",
        "Last month it was solved, now the GPU fell off the bus again.",
        "It is not the fan, the GPU fell off the bus.",
        "I have ruled out the cable, the GPU fell off the bus.",
        "On the other server it runs fine, here the GPU fell off the bus.",
        "My friend's card works fine here, mine fell off the bus.",
        "For a colleague it works; for me the GPU fell off the bus.",
        "Until the update it worked, then the GPU fell off the bus.",
        "The docs explain it, still the GPU fell off the bus.",
        "What can I do? The GPU fell off the bus.",
        "Feature request: a reset. The GPU fell off the bus.",
        "The update of the docs is fine. The GPU fell off the bus.",
        "It was fixed last year. Yesterday the GPU fell off the bus.",
    ],
)
def test_a_sentence_that_is_the_matter(told: str):
    assert ruled(f"{told}\n") == "device-lost", told
