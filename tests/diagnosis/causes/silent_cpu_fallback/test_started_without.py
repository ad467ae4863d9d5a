"""Programs that were started, or told by a script, without what gives them the GPU."""

from __future__ import annotations

import pytest

from support.cases import ruled

LLAMA = (
    "GPU: RTX 3090\n\ncmake -B build -DGGML_CUDA=ON\n./build/bin/llama-cli -m m.gguf {}-p Hi\n\n"
)
KOBOLD = "$ ./koboldcpp-linux --usecublas {}m.gguf\n\nIt uses the CPU.\n"
BLENDER = "import bpy\nprefs = bpy.context.preferences.addons['cycles'].preferences\n"
KIND = "prefs.compute_device_type = 'CUDA'\n"
USE = "for d in prefs.devices:\n    d.use = True\n"
SCENE = "bpy.context.scene.cycles.device = 'GPU'\n"
ON_CPU = "\nIt renders on the CPU.\n"
TREES = """\
clf = xgb.XGBClassifier(n_estimators=3000, tree_method="hist", n_jobs=16)
$ nvidia-smi dmon -c 1
# gpu    pwr  gtemp     sm    mem   mclk   pclk
# Idx      W      C      %      %    MHz    MHz
    0     21     34      0      0    405    210
$ top
  881 u     20   0   38.1g  14.9g  301m {}  1588   23.8  412:51.07 python
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (LLAMA.format("") + "It is slow.\n", "silent-cpu-fallback"),
        (LLAMA.format("") + "It answers well.\n", "unknown"),
        (LLAMA.format("-ngl 99 ") + "It is slow.\n", "unknown"),
        (KOBOLD.format(""), "silent-cpu-fallback"),
        (KOBOLD.format("--gpulayers 99 "), "unknown"),
        (BLENDER + KIND + USE + ON_CPU, "silent-cpu-fallback"),
        (BLENDER + KIND + SCENE + ON_CPU, "silent-cpu-fallback"),
        (BLENDER + KIND + USE + SCENE + ON_CPU, "unknown"),
        (BLENDER + KIND + USE, "unknown"),
        (TREES.format("R"), "silent-cpu-fallback"),
        (TREES.format("S"), "unknown"),
    ],
)
def test_a_program_takes_no_gpu_that_nobody_names(text: str, cause: str) -> None:
    """It is told only where somebody misses the GPU's work, and where nothing names it."""
    assert ruled(text) == cause
