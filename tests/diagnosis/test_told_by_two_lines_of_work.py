"""Two or three lines that tell only together how the work on a GPU goes, or that none does."""

from __future__ import annotations

import pytest

from support.cases import ruled

ALIKE = """GPUs: 2x {name}
$ nvidia-smi dmon -c 1
# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk
# Idx     W     C     C     %     %     %     %   MHz   MHz
    0   130    61    58    62    20     0     0   877  1380
    1    80    {heat}    86    {busy}    15     0     0   877   {clock}
"""


@pytest.mark.parametrize(
    ("name", "heat", "busy", "clock", "cause"),
    [
        ("Tesla V100-PCIE-16GB", 89, 99, 345, "power-thermal"),
        ("Tesla V100-PCIE-16GB", 89, 99, 1245, "healthy"),
        ("Tesla V100-PCIE-16GB", 52, 99, 345, "healthy"),
        ("Tesla V100-PCIE-16GB", 89, 0, 135, "healthy"),
    ],
)
def test_one_gpu_is_hot_and_far_slower_than_its_like(
    name: str, heat: int, busy: int, clock: int, cause: str
):
    assert ruled(ALIKE.format(name=name, heat=heat, busy=busy, clock=clock)) == cause


def test_clocks_of_two_products_are_not_compared():
    shown = ALIKE.format(name="GPU", heat=89, busy=99, clock=345)
    named = "GPU 0: Tesla V100-PCIE-16GB\nGPU 1: Tesla K80\n"
    assert ruled(named + shown.partition("\n")[2]) != "power-thermal"


FLUX = """GPU: NVIDIA RTX 3090, Julia 1.10.2, Flux 0.14.13
julia> using CUDA; CUDA.functional()
{works}

julia> {asked}
{array}

$ nvidia-smi
| 30%   39C    P8    24W / 350W |    420MiB / 24576MiB |      {busy}%      Default |
|    0   N/A  N/A     71240      C   julia                             402MiB |
"""


@pytest.mark.parametrize(
    ("works", "asked", "array", "busy", "named"),
    [
        ("true", "typeof(model.layers[1].weight)", "Matrix{Float32}", 0, True),
        ("true", "typeof(model[2].bias)", "Array{Float32, 4}", 0, True),
        ("true", "typeof(model[2].bias)", "Array{Float32, 4}", 96, False),
        ("true", "typeof(model[2].bias)", "CuArray{Float32, 4, CUDA.Mem.DeviceBuffer}", 0, False),
        ("true", "@show typeof(m[1].bias);", "typeof((m[1]).bias) = Vector{Float32}", 0, True),
        ("true", "@show typeof(m[1].bias);", "typeof((m[1]).bias) = CuArray{Float32, 1}", 0, False),
        (
            "true",
            "typeof(first(loader))",
            "Array{Float32, 4}",
            0,
            False,
        ),  # goes to the GPU in the loop
        ("false", "typeof(model[2].bias)", "Array{Float32, 4}", 0, False),
    ],
)
def test_julia_shows_where_the_weights_of_a_layer_are(
    works: str, asked: str, array: str, busy: int, *, named: bool
):
    shown = FLUX.format(works=works, asked=asked, array=array, busy=busy)
    assert (ruled(shown) == "silent-cpu-fallback") is named


def test_a_cut_table_counts_its_gpus_where_its_processes_stand_below():
    shown = FLUX.format(works="true", asked="x", array="Nothing", busy=97)
    assert ruled(shown) == "healthy"
    fragment = "| 30%   39C    P8    24W / 350W |    420MiB / 24576MiB |      97%      Default |\n"
    assert ruled(f"our table of nvidia-smi:\n{fragment}") == "unknown"
