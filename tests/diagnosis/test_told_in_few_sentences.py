"""Heat, DLLs of torch's, builds that pip replaced, and choices of a GPU, told in a sentence."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("device #0 is running too hot...", "power-thermal"),
        ("WARNING: GPU #2 is overheating", "power-thermal"),
        ("Temperature limit on GPU #1 reached, aborting...", "power-thermal"),
        ("my second GPU is overheating after an hour", "power-thermal"),
        ("Windows\nerror loading fbgemm.dll", "msvc-runtime-missing"),
        ("it says that it can't load c10.dll", "msvc-runtime-missing"),
        ("Error loading fbgemm.dll or one of its dependencies", "msvc-runtime-missing"),
        (
            "pip install keras_vggface is uninstalling my tensorflow-gpu and installing tensorflow",
            "cpu-only-build",
        ),
        ("pip replaces my torch 2.1.0+cu121 with the CPU version", "cpu-only-build"),
        ("each installation overwrites torch with the cpu only build", "cpu-only-build"),
        ("pip replaced onnxruntime-gpu with onnxruntime", "cpu-only-build"),
        ("It always uses only GPU 0, regardless of the device number I assign", "user-code"),
        ("No matter which device I set, training runs on cuda:0", "user-code"),
        ("Even if I set gpu_id=2 it still uses GPU 0", "user-code"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "if the device #0 is running too hot, lower its power target",
        "The CPU is running too hot",
        "GPU 0 is not too hot",
        "is my GPU overheating?",
        "fbgemm.dll was loaded fine",
        "Fix error loading fbgemm.dll",
        "I replaced the CPU version of torch with the CUDA version",
        "I uninstalled tensorflow and installed tensorflow-gpu",
        "The list makes sure that torch is not replaced with the CPU version",
        "Does pip replace my tensorflow-gpu with tensorflow?",
        "By default it uses GPU 0 no matter what I set",
        "training always uses GPU 0, it is the only one",
    ],
)
def test_what_sounds_alike_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"


def test_who_sees_the_gpu_all_the_same_has_the_build() -> None:
    seen = "torch.cuda.is_available(): True\n"
    assert ruled(seen + "pip replaces torch with the CPU version") != "cpu-only-build"
