"""Which lines are introduced as beside the matter; what was only rehearsed; what went on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.pasted import read
from gpuprobe.facts.pasted.asides import lines_aside
from gpuprobe.facts.pasted.mentioned import lines_mentioned
from gpuprobe.facts.pasted.rehearsed import lines_rehearsed
from gpuprobe.facts.pasted.runs import progress
from gpuprobe.facts.pasted.text import Text


@pytest.mark.parametrize(
    ("pasted", "aside"),
    [
        ("Yesterday's output was\n\nboom\nbang\n\nafter", {1, 3, 4}),
        ("The page says:\n\n```\nboom\n\nbang\n```\nafter", {1, 3, 4, 6}),
        ("In June I posted here:\n\nboom\n\nafter", {1, 3}),
        ("here is the journal of two weeks ago:\n\nboom\n\nafter", {1, 3}),
        ("The old card was replaced on 14 March:\n$ dmesg\nboom\n$ dmesg\nafter", {1, 2, 3}),
        ("On Mon, May 7, 2018 at 9:12 AM Piotr wrote:\nboom\n\nafter", {1, 2}),
        ('he has written in his notes from 2015: "boom"\nafter', {1}),
        ('she noted in her diary: "boom"\nafter', {1}),
        ("we get tickets like these:\nboom\n\nafter", {1, 2}),
        ("it has no card, so the console there only shows:\nboom\n\nafter", {1, 2}),
        ("[FIRING:1] GpuLost  TEST: boom\nafter", {1}),
        ("my colleague's log:\nboom\ntoday:\nafter", {1, 2}),
        ("@someone wrote:\n| boom\n\nafter", {1, 2}),
        ("Before (Monday):\nboom\n\nAfter (Tuesday):\nfine", {1, 2}),
        ("boom   <- only in the other notebook, ignore\nafter", {1}),
        ("It of course says boom.\nafter", {1}),
        ("boom (expected)\nafter", {1}),
        ('no, I do not have the "boom" of slide 14', {1}),
        ("we asked for forty to see the alert fire: boom", {1}),
        ("pulled the plug to test whether our alarm rings: boom", {1}),
        ("boom, and that's known to me", {1}),
        ("What would happen if boom?", {1}),
        ("If I buy a new card, will it say boom?", {1}),
        ('My labmate got "boom" with the same file', {1}),
        ("The nearest is one in which somebody writes\n> boom\n\nafter", {1, 2}),
        ("and pasted *his* start-up:\nboom\n\nafter", {1, 2}),
        ('said "there is no GPU" and pasted *his* start-up:\nboom\n\nafter', {1, 2}),
        ('no, it\'s not "boom" as in the answer above', {1}),
        ('I\'d read on a forum "boom" but that was another card', {1}),
        ("网上很多帖子说会 boom", {1}),
        ('With 8 I had "boom" at the start, so it is 32 now and runs', {1}),
        ("My MacBook (M3) can't do it: `boom`", {1}),
        ("fatal: [node]: FAILED! => boom\n...ignoring\nafter", {1}),
        # Not introduced, or as what happens here and now.
        ("fatal: [node]: FAILED! => boom\nafter", set()),
        ('it\'s not "boom", it\'s "bang"', set()),
        ('I had "boom" at the start, so I stopped', set()),
        ("I read the log: boom", set()),
        ("My MacBook runs it over SSH, and there: boom\nafter", set()),
        ("Yesterday it worked, now:\nboom", set()),
        ("I followed the manual and got this:\nboom", set()),
        ("My page loads slowly.\nboom", set()),
        ("boom (not expected)\nafter", set()),
        ("Before I installed it all was well\nboom", set()),
        ("My colleague has the same card and no trouble.\nboom", set()),
    ],
)
def test_which_lines_are_an_aside(pasted: str, aside: set[int]):
    assert lines_aside(Text(pasted)) == aside


@pytest.mark.parametrize(
    ("pasted", "rehearsed"),
    [
        ("[ RUN      ] A.b\nboom\n[       OK ] A.b (3 ms)\nafter", {2}),
        ("[ RUN      ] A.b\nboom\n[  FAILED  ] A.b (3 ms)", set()),
        ("=== RUN   TestA\n    a.go:4: boom\n--- PASS: TestA (0.00s)\nafter", {1, 2}),
        ("=== RUN   TestA\n    a.go:4: boom\n--- FAIL: TestA (0.00s)\nafter", set()),
        ("test_a (suite.A) ... boom\nok\nafter", {1}),
        ("test_a (suite.A) ... boom\nERROR", set()),
        ("collected 3 items\nboom\n=== 3 passed in 2.1s ===\nafter", {1, 2}),
        ("collected 3 items\nboom\n=== 1 failed, 2 passed in 2.1s ===", set()),
        ("collected 3 items\nSKIPPED no GPU\n=== 2 passed, 1 skipped in 1s ===", {1}),
        ("boom\n12 passed in 1s", set()),  # of what, and when, nobody knows
        ("runtests\nboom\nRan 3 tests in 2s\n\nOK", {1, 2}),
        ("runtests\nboom\nRan 3 tests in 2s\n\nFAILED (errors=1)", set()),
        ("def fail():\n    raise Error('boom')\n", {2}),
        ('  File "a.py", line 3, in f\n    raise Error("boom")\n', set()),
        ("with pytest.raises(Error, match='boom'):", {1}),
        ("if dmesg | grep -q 'fell off the bus'; then", {1}),
        ("$ pip list | grep torch", set()),
        ("dmesg | grep 'NVRM' says\nboom", set()),
        ("[2411.20s -> 2417.64s]  boom, he said", {1}),
        ('{"role": "user", "content": "boom"}', {1}),
        ('expr: X > 0\nannotations:\n  summary: "boom"', {1, 3}),
        ('  summary: "boom"', set()),
        ("/**\n * boom\n */\nint f();", {2, 3}),
        ("/** */\n  boom = 304,\n  return boom;", {1, 2, 3}),
        (" * boom", set()),
        ("boom = 304,", set()),
        ("<|im_start|>user", {1}),
        ("boom, it says<|im_end|>", {1}),
        ('$ amtool alert add name=GpuLost summary="boom"', {1}),
        ("[cpu-small] tests/test_a.py::test_b SKIPPED (boom)", {1}),
        ("[gpu-l4] tests/test_a.py::test_b SKIPPED (boom)", set()),
    ],
)
def test_which_lines_are_rehearsed_or_mentioned(pasted: str, rehearsed: set[int]):
    text = Text(pasted)
    assert lines_rehearsed(text) | lines_mentioned(text) == rehearsed


@pytest.mark.parametrize(
    "pasted",
    [
        "step 100 loss 2.31",
        "{'loss': 1.9, 'epoch': 0.1}",
        " 22%|##        | 411/1869 [06:20<22:31,  1.08it/s]",
        "Epoch[0] Batch [20]\tSpeed: 2811.62 samples/sec",
        "Avg generation throughput: 412.7 tokens/s",
        "Performance: 121.3 ns/day",
        "86.21 TFLOPS",
        "on cpu: slow\ncuda:0 | 50/50 [00:06<00:00, 7.71it/s]",
    ],
)
def test_a_program_goes_on(pasted: str):
    ((key, fact),) = progress.read(Text(f"before\n{pasted}\nafter"))
    line = 2 + pasted.count("\n")
    assert (key.name, fact.source) == ("text.progress", f"line {line} of the text")


@pytest.mark.parametrize(
    "pasted",
    [
        "Loading checkpoint shards: 33%|###  | 1/3 [00:00<00:00,  2.99it/s]",
        "Downloading data: 100%|####| 3/3 [00:00<00:00, 2.99it/s]",
        "3.1 MB/s",
        "loss of the card",
        "running on the CPU: 3.2 it/s",
        "--device cpu\n 50/50 [00:06<00:00, 7.71it/s]",
        'it prints "ep 1 loss 0.981" at night',
        "it successfully opened the library",
    ],
)
def test_what_is_no_work_of_the_gpu(pasted: str):
    assert not [*progress.read(Text(pasted))]


def test_what_stands_outside_too_is_no_aside():
    said = "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus."
    facts = read(f"In May I posted here:\n{said}\n\nToday:\n{said}\n")
    assert facts["xid.79"].source == "line 5 of the text"
    assert facts["text.asides"].source == "line 1 of the text"


@given(st.text(alphabet="ab:\n`@#> ok", max_size=200), st.integers(0, 30))
def test_omitted_lines_leave_the_others_where_they_are(pasted: str, number: int):
    text = Text(pasted)
    numbers = {line.number for line in text.lines if line.number == number}
    rest = text.without(numbers)
    assert [line.number for line in rest.lines] == [line.number for line in text.lines]
    for line, kept in zip(text.lines, rest.lines, strict=True):
        assert kept.text == ("" if line.number in numbers else line.text)


@pytest.mark.parametrize(
    "line",
    [
        'error->all(FLERR, "Insufficient memory on accelerator");',
        "<!-- set to 0 if the card hangs (Xid 79) -->",
        'NVENC.OutdatedDriver="Your current driver does not support this."',
        '{"text": "GPU 3 fell off the bus again!!", "label": "hardware"}',
        "# NOTE(ops): boom means that the module is not loaded",
        "#            => boom",
        "(the fixtures do `raise RuntimeError('boom')` themselves)",
        "[SPEAKER_01]: and then the GPU fell off the bus",
    ],
)
def test_code_and_data_are_only_mentioned(line: str):
    assert lines_mentioned(Text(f"before\n{line}\nafter")) == {2}


@pytest.mark.parametrize(
    "line",
    [
        'RuntimeError: CUDA error: "no kernel image" (function f(int));',
        'LD_LIBRARY_PATH="/usr/local/cuda/lib64"',
        '{"level": "error", "msg": "CUDA out of memory"}',
        "# nvidia-smi",
        "[rank1]: RuntimeError: NCCL error",
        "raise RuntimeError('boom')",
    ],
)
def test_what_programs_print_is_read(line: str):
    assert lines_mentioned(Text(f"before\n{line}\nafter")) == frozenset()
