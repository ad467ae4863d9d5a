"""Fixes for memory, by the settings that a program or framework has."""

from __future__ import annotations

import pytest

from support.pasted import finding, fix, printed

MEMORY = "CUDA out of memory. Tried to allocate 238.00 MiB. GPU 0 has a total capacity of 14.75 GiB"
MEMORY += (
    " of which 161.06 MiB is free. Of the allocated memory 14.39 GiB is allocated by PyTorch, "
)
MEMORY += "and {} is reserved by PyTorch but unallocated."


def test_few_fragments_are_not_worth_a_setting() -> None:
    assert "expandable_segments" not in printed(MEMORY.format("61.74 MiB"))
    assert "expandable_segments" in printed(MEMORY.format("1.74 GiB"))


OUT = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB. {}\n"
EXPANDABLE = "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"


@pytest.mark.parametrize(
    ("pasted", "commands"),
    [
        (f"torch==2.4.0\n{OUT.format('')}", (EXPANDABLE,)),
        (f"torch==1.8.0\n{OUT.format('')}", ()),
        (OUT.format("(GPU 0; 7.93 GiB total capacity; 45.45 MiB cached)"), ()),
        (f"OS: Windows\ntorch==2.4.0\n{OUT.format('')}", ()),
        ("ollama run llama3\nCUDA error: out of memory\n", ()),
        ("Error: cuDNN isn't found FWD algo for convolution.\n", ()),
        (
            "ggml_cuda: unable to allocate CUDA0 buffer\n",
            ("llama-cli --n-gpu-layers 20 --ctx-size 2048 --model MODEL.gguf",),
        ),
    ],
)
def test_less_memory_by_the_programs_own_settings(pasted: str, commands: tuple[str, ...]) -> None:
    assert finding(pasted).fix.commands == commands


HANDLE = "stream_executor/cuda/cuda_blas.cc:238] failed to create cublas handle: {}\n"
TF_GROWS, JAX_GROWS = "TF_FORCE_GPU_ALLOW_GROWTH=true", "XLA_PYTHON_CLIENT_PREALLOCATE=false"


@pytest.mark.parametrize(
    ("pasted", "commands"),
    [
        (
            f"TensorFlow 2.0\nE tensorflow/{HANDLE.format('CUBLAS_STATUS_ALLOC_FAILED')}",
            (f"export {TF_GROWS}",),
        ),
        (
            f"import jax\nE external/xla/xla/{HANDLE.format('the resource allocation failed')}",
            (f"export {JAX_GROWS}",),
        ),
        (
            f"E external/xla/xla/{HANDLE.format('the resource allocation failed')}",
            (f"export {TF_GROWS}  # TensorFlow", f"export {JAX_GROWS}  # JAX"),
        ),
        (
            "initCnmem: cnmemInit call failed! Reason=CNMEM_STATUS_OUT_OF_MEMORY. numdev=1\n",
            ("THEANO_FLAGS=lib.cnmem=0 python PROGRAM",),
        ),
    ],
)
def test_memory_in_advance_by_the_frameworks_own_variable(
    pasted: str, commands: tuple[str, ...]
) -> None:
    assert finding(pasted).fix.commands == commands


@pytest.mark.parametrize("unallocated", ["12.......", "1.2.3", "..", "12.00"])
def test_a_figure_of_pytorch_that_was_damaged_is_none(unallocated: str) -> None:
    said = finding(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a"
        " total capacity of 24.00 GiB of which 12.00 MiB is free. Including non-PyTorch memory,"
        " this process has 23.70 GiB memory in use. Of the allocated memory 23.20 GiB is allocated"
        f" by PyTorch, and {unallocated} MiB is reserved by PyTorch but unallocated."
    )
    assert said.title.startswith("The program itself holds 23.70 GiB")
    # Only a figure that can be read shows that no fragments are what is missing.
    assert ("expandable_segments" in str(said.fix)) is (unallocated != "12.00")


IN_USE = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
    "capacity of 23.65 GiB of which {free} is free. Process 31337 has 18.02 GiB memory in use. "
    "{more}Including non-PyTorch memory, this process has {own} GiB memory in use. Of the "
    "allocated memory {own} GiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but "
    "unallocated."
)
SECOND = "Process 4 has 1.00 GiB memory in use. "


@pytest.mark.parametrize(
    ("pasted", "held", "command"),
    [
        (IN_USE.format(free="31.00 MiB", own="5.57", more=""), "18.02", "ps -fp 31337"),
        (IN_USE.format(free="31.00 MiB", own="4.57", more=SECOND), "19.02", "ps -fp 31337,4"),
        # More than is listed is held, by processes that a container does not see.
        (IN_USE.format(free="31.00 MiB", own="2.00", more=""), "21.62", "ps -fp 31337"),
        (
            "OS: Windows 11\n" + IN_USE.format(free="31.00 MiB", own="5.57", more=""),
            "18.02",
            'tasklist /FI "PID eq 31337"',
        ),
    ],
)
def test_processes_that_the_message_numbers_are_asked_for(
    pasted: str, held: str, command: str
) -> None:
    assert finding(pasted).title.startswith(f"Other processes hold {held} GiB of 23.65 GiB")
    assert command in finding(pasted).fix.commands


FULL = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 23.65 "
FULL += "GiB total capacity; 1.20 GiB already allocated; 9.00 MiB free; 1.30 GiB reserved in total "


@pytest.mark.parametrize(("system", "by_fuser"), [("Ubuntu 22.04", True), ("Windows 11", False)])
def test_processes_without_a_number_are_looked_for(system: str, *, by_fuser: bool) -> None:
    told = fix(f"OS: {system}\n{FULL}by PyTorch)\n").commands
    assert told[0] == "nvidia-smi"
    assert ("sudo fuser -v /dev/nvidia*" in told) == by_fuser


def test_the_process_that_failed_is_not_asked_for() -> None:
    message = IN_USE.partition("Including")[0] + "Of the allocated memory 18.00 GiB is allocated"
    message += " by PyTorch, and 0 bytes is reserved by PyTorch but unallocated."
    assert "31337" not in printed(message.format(free="31.00 MiB", more=""))


AMPLE = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {asked} MiB. GPU 0 has a total "
    "capacity of 8.00 GiB of which 6.59 GiB is free. Of the allocated memory 802.50 KiB is "
    "allocated by PyTorch, and 2.00 MiB is reserved by PyTorch but unallocated.\n"
)


@pytest.mark.parametrize(
    ("system", "asked", "words"),
    [
        ("OS: Windows 11", 20, "paging file"),
        ("OS: Ubuntu 22.04", 20, "in pieces"),
        ("OS: Windows 11", 6900, "which processes hold the memory"),
    ],
)
def test_who_had_enough_memory_is_told_how_to_see_what_took_it(system: str, asked: int, words: str):
    fix = finding(f"{system}\ntorch 2.5.1\n{AMPLE.format(asked=asked)}").fix
    assert words in fix.text
    assert any("memory.free" in command for command in fix.commands) is (asked == 20)
