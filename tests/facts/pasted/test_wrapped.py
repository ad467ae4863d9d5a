"""Lines that a window or a letter broke are read as one; lines as long by chance are not."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gpuprobe
from gpuprobe.facts import said
from gpuprobe.facts.pasted import read
from gpuprobe.facts.pasted.text import Text
from gpuprobe.facts.pasted.wrapped import LINE_LIMIT, joined

WIDTH = 80
_DSO = "tensorflow/stream_executor/platform/default/dso_loader.cc:59]"
_MISSING = "cannot open shared object file: No such file or directory"
_SKIPPED = "Please make sure the missing libraries mentioned above are installed properly if you"
LOG = [
    (
        f"2021-05-28 10:43:11.222119: W {_DSO} Could not load dynamic library 'libcudnn.so.8'; "
        f"dlerror: libcudnn.so.8: {_MISSING}"
    ),
    (
        "2021-05-28 10:43:11.222256: W tensorflow/core/common_runtime/gpu/gpu_device.cc:1757] "
        f"Cannot dlopen some GPU libraries. {_SKIPPED} like to use GPU."
    ),
    "Num GPUs Available: 0",
]


def cut(line: str) -> list[str]:
    return [line[at : at + WIDTH] for at in range(0, len(line), WIDTH)]


def filled(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False)


@pytest.mark.parametrize("way", [cut, filled])
def test_a_log_that_was_broken_is_read_as_it_was(way):
    broken = [part for line in LOG for part in way(line)]
    assert len(broken) > len(LOG)
    assert [line for line in joined(broken) if line] == LOG
    assert gpuprobe.explain("\n".join(broken)).diagnosis.root.cause == "cudnn-missing"


def test_a_line_keeps_the_number_at_which_it_begins_and_is_quoted_whole():
    broken = [part for line in LOG for part in cut(line)]
    assert Text("\n".join(broken)).lines[0].text == LOG[0]
    assert [line.number for line in Text("\n".join(broken)).having("num gpus")] == [len(broken)]
    report = gpuprobe.explain("\n".join(broken))
    assert LOG[0] in report.quotes.values()


@pytest.mark.parametrize(
    "lines",
    [
        # The longest line of a log ends as long by chance: the next has its own head.
        [
            "2021-05-28 10:43:11.222119: I tensorflow/dso_loader.cc:59] opened cudart",
            "2021-05-28 10:43:11.222256: I tensorflow/dso_loader.cc:59] opened cublas",
            "2021-05-28 10:43:11.222301: I tensorflow/dso_loader.cc:59] opened cufft_",
        ],
        # A command and what it answered.
        [
            '(work) user@host:~$ python -c "import torch; print(torch.__version__, torch.cuda)"',
            "1.13.1+cpu /usr/lib/python3/dist-packages/torch/__init__.py <module 'torch.cuda'>",
            '(seg) user@host:~$ python -c "import torch; print(torch.__version__, torch.cuda)" too',
            "1.13.1",
        ],
        # A table with columns, and one with a frame.
        [
            "cpuonly                   2.0                           0    pytorch",
            "ffmpeg                    4.3                  hf484d3e_0    pytorch",
            "pytorch                   1.11.0              py3.8_cpu_0    pytorch",
            "pytorch-mutex             1.0                         cpu    pytorch",
            "torchaudio                0.11.0                 py38_cpu    pytorch",
        ],
        [
            "| NVIDIA-SMI 535.183.01      Driver Version: 535.183.01   CUDA Version: 12.2 |",
            "|----------------------------------+------------------+----------------------+",
            "| GPU  Name          Persistence-M | Bus-Id    Disp.A | Volatile Uncorr. ECC |",
            "| Fan  Temp   Perf   Pwr:Usage/Cap |     Memory-Usage | GPU-Util  Compute M. |",
        ],
        # Code and forms, each line a statement.
        [
            "    raise RuntimeError('No CUDA GPUs are available, look at the message above')  # in",
            "    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')  # or",
            "    model = Model(configuration).to(device).half().eval().requires_grad_(False)  # x",
        ],
        ["short", "lines", "of a list"],
        [],
    ],
)
def test_lines_that_are_full_by_chance_stay_apart(lines: list[str]):
    assert joined(lines) == lines


@pytest.mark.parametrize("width", [100, 3 * LINE_LIMIT // 4])
@pytest.mark.parametrize("space", ["", "CUDA "])
def test_no_line_is_made_that_is_longer_than_the_longest_that_is_read(width: int, space: str):
    parts = [f"{number:x}{space}".ljust(width, "y") for number in range(0xA000, 0xA100)]
    whole = joined(parts)
    assert "".join(whole) == "".join(parts)
    assert len(whole) == len(parts)
    filled = [len(line) for line in whole if line]
    assert max(filled) <= LINE_LIMIT
    assert min(filled[:-1]) > LINE_LIMIT - width  # no shorter than it has to be


def test_what_a_text_joins_is_no_longer_than_a_line_that_is_read():
    text = Text("\n".join(f"{number:x}".ljust(100, "y") for number in range(0xA000, 0xA100)))
    assert {len(line.text) for line in text.lines if line.text} == {LINE_LIMIT, 1600}


@given(st.lists(st.text(max_size=120), max_size=20))
def test_nothing_is_lost_and_no_line_moves(lines: list[str]):
    whole = joined(lines)
    assert len(whole) == len(lines)
    assert "".join("".join(whole).split()) == "".join("".join(lines).split())


def test_what_is_broken_once_is_left_as_it_is():
    once = ["The training ends with an error that I do not understand, see below: CUDA", "out of"]
    assert joined(once) == once
    assert read("\n".join(once)).known(said.ERROR("CUDA_OUT_OF_MEMORY")) is None
