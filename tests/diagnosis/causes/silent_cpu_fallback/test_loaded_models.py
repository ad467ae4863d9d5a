"""Models that are loaded and never moved to the GPU, and devices that are no GPU."""

from __future__ import annotations

import pytest

from support.cases import ruled

GPU = "GPU: RTX 3090, nothing runs on it\n\n"
LOADS = (
    "from pyannote.audio import Pipeline\n"
    'diarize = Pipeline.from_pretrained("pyannote/speaker-diarization-3.1")\n'
    '{}result = diarize("talk.wav")\n\n'
)
TRANSFORMERS = (
    'model = AutoModelForCausalLM.from_pretrained("gpt2-xl"{})\nout = model.generate(ids)\n\n'
)
LIGHTGBM = "[LightGBM] [Info] Using GPU Device: {}, Vendor: {}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (GPU + LOADS.format("") + "This takes 3 hours.\n", "silent-cpu-fallback"),
        (GPU + LOADS.format("") + "It prints the speakers.\n", "unknown"),
        (
            GPU + LOADS.format('diarize.to(torch.device("cuda"))\n') + "This takes 3 hours.\n",
            "unknown",
        ),
        (LOADS.format("") + "This takes 3 hours.\n", "unknown"),
        (GPU + TRANSFORMERS.format("") + "It runs on the CPU.\n", "silent-cpu-fallback"),
        (GPU + TRANSFORMERS.format(', device_map="auto"') + "It is slow.\n", "unknown"),
        (GPU + "# " + TRANSFORMERS.format("") + "It is too slow.\n", "unknown"),
        (LIGHTGBM.format("Intel(R) Core(TM) i7-9700K", "GenuineIntel"), "silent-cpu-fallback"),
        (LIGHTGBM.format("AMD Ryzen 9 5900X  ", "AuthenticAMD"), "silent-cpu-fallback"),
    ],
)
def test_what_nobody_moves_stays_on_the_processor(text: str, cause: str) -> None:
    """Without a complaint it may be meant so, and without a GPU it has to be."""
    assert ruled(text) == cause


def test_a_device_of_the_right_maker_is_a_gpu() -> None:
    """It is no finding then."""
    assert ruled(LIGHTGBM.format("Tesla T4", "NVIDIA Corporation")) != "silent-cpu-fallback"
