"""A message that a sentence names in passing accuses no machine."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

SEES = "Is CUDA available: True\nGPU 0: NVIDIA GeForce RTX 3090\n"
COMPUTED = ">>> (torch.ones(2).cuda() + 1).device\ndevice(type='cuda', index=0)\n"
MESSAGE = "RuntimeError: CUDA error: no kernel image is available for execution on the device"


@pytest.mark.parametrize(
    "told",
    [
        # It is over.
        "Earlier I got `{}`, but that was solved by a clean install.",
        "`{}` is gone since the reinstall.",
        "I fixed `{}` with another wheel.",
        'I used to see "{}" on the previous driver.',
        "We had “{}”, which was resolved by the update.",
        "Before the update of May it said `{}`; that is history.",
        "The log has `{}` no longer.",
        # It is not so.
        "I don't see `{}` here, it runs.",
        "There is no `{}` in my log.",
        "This is not the usual `{}`.",
        "It trains without any `{}`.",
        # It might be, or is another's.
        "Could this lead to `{}` for other users?",
        "If somebody has no GPU he will get `{}`.",
        "On my old laptop I get `{}`, on this machine all is well.",
        "A friend has `{}`, mine works.",
        # Somebody wishes, a page says, a list of changes tells.
        "It would be nice to have a clearer message than `{}`.",
        "The troubleshooting page lists `{}` among what an old build gives.",
        "- Fixed: {} on startup (#1234)",
        "Related: #1234 ({})",
        'Not the same as #88 "{}", as far as I can see.',
        # Code.
        '    print("{}")',
        "# avoids: {}",
    ],
)
def test_a_message_in_passing(told: str):
    said = told.format(MESSAGE)
    assert ruled(f"{said}\n{SEES}{COMPUTED}") == "healthy"
    assert ruled(f"{SEES}{COMPUTED}{said}\n") == "healthy"


@pytest.mark.parametrize(
    "told",
    [
        "I get `{}`.",
        "Earlier it worked, now I get `{}`.",
        "I fixed the path and now it says `{}`.",
        "How is `{}` fixed?",
        "`{}` has never been solved.",
        "I cannot get past `{}`.",
        "I can't understand `{}`.",
        "Does anybody know `{}`?",
        "If I start it I get `{}`.",
        "On my old laptop it worked, here it ends with `{}`.",
        "My friend has it running, mine says `{}`.",
        "The page says to reinstall, I still get `{}`.",
        "Could you help me with `{}`?",
        "Before the update it was fine, since then `{}`.",
        "I solved one thing, then came `{}`.",
        "Fixed it on Monday, it came back: `{}`",
        "# {}",
        "{}",
        '    raise RuntimeError("{}")',
        "2024-05-01 12:00:00 W no longer used: '{}'",
    ],
)
def test_a_message_that_is_the_matter(told: str):
    said = told.format(MESSAGE)
    assert ruled(f"{SEES}{said}\n") == "gpu-too-new", said


def test_nothing_is_found_in_what_is_only_named():
    report = gpuprobe.explain(f"I don't see `{MESSAGE}` here.\n")
    assert report.verdict.value == "unknown"
    assert report.diagnosis.root is None
