"""A set-up that works, as miners and programs that count hashes tell of it."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.diagnosis.model import Role
from support.cases import explained, ruled

HASHCAT = """nvmlDeviceGetFanSpeed(): Not Supported

{heading}
====================
* Device #1: {device}

Speed.#1.........:   {speed} kH/s (73.02ms) @ Accel:8 Loops:1024 Thr:1024 Vec:1
"""
POCL = "OpenCL API (OpenCL 2.0 pocl 1.6, LLVM 9.0.1) - Platform #1 [The pocl project]"
OF_NVIDIA = "OpenCL API (OpenCL 1.2 CUDA 11.2.109) - Platform #1 [NVIDIA Corporation]"


@pytest.mark.parametrize(
    ("heading", "device", "speed", "verdict"),
    [
        ("CUDA API (CUDA 11.2)", "Tesla T4, 15000/15109 MB, 40MCU", "604.8", "healthy"),
        (OF_NVIDIA, "Tesla T4, 15000/15109 MB, 40MCU", "604.8", "healthy"),
        ("CUDA API (CUDA 11.2)", "Tesla T4, skipped", "604.8", "unknown"),
        ("CUDA API (CUDA 11.2)", "Tesla T4, 15000/15109 MB, 40MCU", "0", "unknown"),
        (POCL, "pthread-Intel(R) Core(TM) i7, 15109 MB, 8MCU", "604.8", "unknown"),
    ],
)
def test_hashcat_counts_hashes_on_a_device(heading: str, device: str, speed: str, verdict: str):
    assert ruled(HASHCAT.format(heading=heading, device=device, speed=speed)) == verdict


def test_hashcat_has_its_devices_before_it_reads_hashes():
    devices = f"{OF_NVIDIA}\n=====\n* Device #1: Tesla T4, 15000/15109 MB, 40MCU\n"
    assert ruled(f"{devices}No hashes loaded.\n") == "healthy"
    assert ruled(f"{devices}Hashfile 'a' on line 1: Token length exception\n") == "healthy"
    assert ruled(devices) == "unknown"
    assert ruled("No hashes loaded.\n") == "unknown"


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("GPU #0: GeForce GTX 1060, 20.31 MH/s", "healthy"),
        ("GPU #0: Zotac GTX 1060, 20.31 MH/s", "healthy"),
        ("GPU #1: RTX 3060 - 48.31 MH/s, [T:62C, P:120W]", "healthy"),
        ("GPU #0: GeForce GTX 1060, 0.00 H/s", "unknown"),
        ("GPU #0: Radeon RX 570, 20.31 MH/s", "unknown"),
        ("CPU #0: 20.31 kH/s", "unknown"),
    ],
)
def test_a_miner_counts_hashes(line: str, verdict: str):
    assert ruled(f"[2021-02-03 04:05:06] {line}\n") == verdict


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("GPU-Util stands at 89%, a few seconds later at 0%, then at 89% again.", "healthy"),
        ("GPU utilization fluctuates between 0% and 95% all the time", "healthy"),
        ("top shows one core at 100%, and GPU usage varies between 35% and about 80%", "healthy"),
        ("I watch the GPU usage, and it changes between 8 and 45%", "healthy"),
        ("GPU usage varies between 1% and 3%", "unknown"),
        ("GPU usage varies between 35% and 80% until it hangs", "unknown"),
        ("GPU-Util stands at 89%, then at 0% and it hangs", "unknown"),
        ("The loader takes 30 s a call, so the card sits waiting for its next batch.", "healthy"),
        ("The GPU is mostly waiting for data", "healthy"),
        ("The GPU is waiting for data forever and hangs", "unknown"),
        ("The LSTM takes three times as long as on the CPU. GPU usage is around 20%", "healthy"),
        ("Only about 10% of the GPU is in use, and the CPU is faster.", "healthy"),
        ("The CPU is faster, GPU usage is 0%", "unknown"),
        ("The CPU is faster, GPU usage is 20% and it crashes", "unknown"),
        ("CUDA context creates cleanly, all ECC counts are 0", "healthy"),
        ("A CUDA context is not created cleanly", "unknown"),
        ("The miner runs and the card is at 100%. It should use only 40 of it.", "healthy"),
        ("The miner runs and the card is at 100%, then the PC reboots.", "unknown"),
        ("The miner runs and the card is at 100%.\nThe machine reboots.", "unknown"),
        ("The miner runs and the card is at 100%.\nThe screen goes black.", "unknown"),
        ("Stuck in the first epoch.\nThe GPU waits for its data loader.", "unknown"),
        ("The miner runs and the card is at 100%.\nCUDA_ERROR_LAUNCH_FAILED", "unknown"),
    ],
)
def test_a_gpu_that_somebody_sees_at_work(pasted: str, cause: str) -> None:
    assert (ruled(f"{pasted}\n") == "healthy") is (cause == "healthy")


BUILD_FAILED = """hashcat (v7.1.2) starting

CUDA API (CUDA 12.4)
====================
* Device #01: NVIDIA GeForce RTX 4070, 10929/12226 MB, 46MCU

Hashes: 1 digests; 1 unique digests, 1 unique salts

nvrtcCompileProgram(): NVRTC_ERROR_COMPILATION

main_kernel(12): {says}
* Device #1: Kernel ./OpenCL/m00000_a0-optimized.cl build failed.
"""


@pytest.mark.parametrize(
    ("says", "cause"),
    [
        ('catastrophic error: cannot open source file "OpenCL/inc_vendor.cl"', "healthy"),
        ('error: cannot open source file "/opt/hashcat/OpenCL/inc_hash_md5.cl"', "healthy"),
        ('catastrophic error: cannot open source file "cuda_fp16.h"', "toolkit-missing"),
        ('error: identifier "__nanosleep" is undefined', "unknown"),
    ],
)
def test_a_source_file_of_the_programs_own_is_no_part_of_the_set_up(says: str, cause: str):
    assert ruled(BUILD_FAILED.format(says=says)) == cause


def test_the_file_that_the_program_lacks_is_told_in_a_note():
    says = 'catastrophic error: cannot open source file "OpenCL/inc_vendor.cl"'
    [note] = gpuprobe.explain(BUILD_FAILED.format(says=says)).diagnosis.placed
    assert (note.rule.code, note.role) == ("GP901", Role.NOTE)
    assert "OpenCL/inc_vendor.cl" in note.finding.title


XMRIG = """|   {kind} # | AFFINITY | 10s H/s | 60s H/s | 15m H/s |
|        0 |       -1 | {rates} | #0 26:00.0 GeForce GTX 1060 6GB
|        - |        - | {rates} |
"""
ALL_AT_NOUGHT = "0.0 |     0.0 |     n/a"
AT_WORK = "295.4 |     n/a |     n/a"


@pytest.mark.parametrize(
    ("log", "verdict"),
    [
        (XMRIG.format(kind="CUDA", rates=AT_WORK), "healthy"),
        (XMRIG.format(kind="CUDA", rates=ALL_AT_NOUGHT), "unknown"),
        (XMRIG.format(kind=" CPU", rates=AT_WORK), "unknown"),
        (XMRIG.format(kind="OPENCL", rates=AT_WORK), "unknown"),
        ("Totals (NVIDIA):   512.3  508.1     (na) H/s\n", "healthy"),
        ("Totals (NVIDIA):   0.0  0.0     (na) H/s\n", "unknown"),
        ("Totals (AMD):   512.3  508.1     (na) H/s\n", "unknown"),
        ("[2021-03-09]  nvidia   READY threads 2/2 (637 ms)\n", "healthy"),
        ("[2021-03-09]  nvidia   READY threads 1/2 (637 ms)\n", "unknown"),
        ("[2021-03-09]  nvidia   READY threads 0/0 (1 ms)\n", "unknown"),
        ("[2021-03-09]  cpu      READY threads 8/8 (8) huge pages 100% (12 ms)\n", "unknown"),
    ],
)
def test_a_miner_has_a_table_for_cuda(log: str, verdict: str):
    assert ruled(log) == verdict


def test_a_card_that_mines_is_not_too_old_and_a_thread_may_fail_later():
    card = " * CUDA GPU     #0 01:00.0 NVIDIA GeForce GT 710 954/800 MHz smx:1 arch:35 mem:1/2 MB\n"
    rate = XMRIG.format(kind="CUDA", rates=AT_WORK)
    assert explained(f"7 h/s, is that what it can do?\n{card}{rate}") == "healthy"
    ready = "nvidia   READY threads 1/1 (637 ms)\n"
    failed = "nvidia   thread #0 failed with error: {}\n"
    kernel = "no kernel image is available for execution"
    assert ruled(card + ready + failed.format(kernel)) == "gpu-too-old"
    assert ruled(card + ready + failed.format('<cn_prepare>:370 "out of memory"')) != "healthy"
