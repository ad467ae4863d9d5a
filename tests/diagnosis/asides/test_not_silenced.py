"""A fault that is there remains one beside words that elsewhere tell of no fault."""

from __future__ import annotations

import pytest

from support.cases import explained, ruled

LOST = "NVRM: Xid (PCI:0000:3b:00): 79, pid=1183, GPU has fallen off the bus.\n"
OUT = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB"
    " total capacity; 20.11 GiB already allocated; 1.20 GiB free; 22.05 GiB reserved in total by"
    " PyTorch)\n"
)
REJECTED = "Failed to initialize NVML: Driver/library version mismatch\n"
CPU_BUILD = ">>> torch.__version__, torch.cuda.is_available()\n('2.0.1+cpu', False)\n"
LISTED = "$ nvidia-smi -L\nGPU 0: Tesla T4 (UUID: GPU-1)\n"
SEES = ">>> torch.cuda.is_available()\nTrue\n"
STEPS = "step 100 loss 2.31 tokens/s 41877\nstep 200 loss 2.09 tokens/s 41902\n"


# -- what is asked -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked",
    [
        "My question is why it fails in the second epoch only. The first one:",
        "I would like to know what I do badly.",
        "Question: is 24 GB too small for 7B? With 3B:",
        "The only thing that changed is the kernel.",
        "Feature request: support sm_120.",
        "unrelated: the log of the smaller model",
        "if I put it on the A100 it runs:",
        "What remains is to buy more memory?",
    ],
)
def test_a_question_ends_no_fault(asked: str):
    assert ruled(f"{OUT}{asked}\n{STEPS}") == "oom-workload"
    assert ruled(f"{LOST}{asked}\n{LISTED}") == "device-lost"
    assert ruled(f"{REJECTED}{asked}\n{SEES}") == "driver-library-mismatch"
    assert ruled(f"{CPU_BUILD}{asked}\n{STEPS}") == "cpu-only-build"


# -- what is said to be over, survived or wanted ---------------------------------------------------


ASSERT = "RuntimeError: CUDA error: device-side assert triggered\n"


@pytest.mark.parametrize(
    "told",
    [
        "The PSU was replaced last month. After each reboot it is there again:",
        "After a reboot everything works again for some hours, then:",
        "It works now and then:",
        "It works again when I restart, next time the same:",
        "I thought that was it:",
        "Edit: not sorted after all",
        "Solved: no.",
        "Fixed seed 42 gives the same:",
        "Fixed versions of all packages are in our image.",
    ],
)
def test_words_of_an_end_that_end_nothing(told: str):
    assert ruled(f"{LOST}{told}\n{LISTED}") == "device-lost"
    assert ruled(f"{ASSERT}{told}\n{STEPS}") == "user-code"


NOTHING = "unknown", "healthy"


def test_a_retry_that_fails_in_the_end_is_no_survival():
    tried = f"attempt 1/3: {OUT}resumed from checkpoint 40\n{STEPS}"
    assert explained(tried) in NOTHING
    assert ruled(f"{tried}attempt 2/3: {OUT}") == "oom-workload"
    assert ruled(f"{tried}srun: error: gpu03: task 0: Exited with exit code 1\n") == "oom-workload"


def test_a_program_that_goes_on_mends_no_machine():
    assert ruled(f"{LOST}resumed from checkpoint 40\n{STEPS}") == "device-lost"
    assert ruled(f"{REJECTED}The job trains to the end:\n{STEPS}") == "driver-library-mismatch"


def test_the_size_of_a_batch_is_no_survival():
    assert ruled(f"using batch size 32\n{OUT}with batch size 4:\n{STEPS}") == "oom-workload"
    assert ruled(f"{OUT}It runs to the end on an A100:\n{STEPS}") == "oom-workload"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("the CPU one is there by intention:", "healthy"),
        ("I did not choose the CPU by intention:", "cpu-only-build"),
        ("nobody wanted the CPU build on purpose:", "cpu-only-build"),
    ],
)
def test_what_nobody_wanted_so(told: str, cause: str):
    assert ruled(f"{CPU_BUILD}{told}\n{SEES}") == cause


# -- introductions -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "introduced",
    [
        "I followed their instructions and after 200 steps I get:",
        "I rented a box, and their image gives me this:",
        "I opened a ticket with our vendor because of this:",
        "The log is full of messages like this:",
        "We get reports like this from node 7 every day:",
        "Before the crash it shows:",
        "In March I got a new card, since then every run ends like this:",
        "Grafana's page of the node shows:",
        "I followed the guide, and the log says:",
        "After doing the tutorial:",
        "I run it as in the README:",
        "The first error was:",
        "Last night's log:",
        "@maintainer said I should post the trace here:",
        "our customer's job ends with the following:",
        "my student account on the cluster gives:",
        "Our provider forwarded us the following:",
    ],
)
def test_what_introduces_the_matter_itself(introduced: str):
    assert ruled(f"{STEPS}{introduced}\n{ASSERT}") == "user-code"
    assert ruled(f"{introduced}\n{LOST}\n{LISTED}") == "device-lost"


@pytest.mark.parametrize(
    "before",
    [
        'The documentation says "call set_device". I do: ',
        "The FAQ says to lower the batch size. In vain: ",
        'You wrote: "try CUDA_LAUNCH_BLOCKING=1". Done: ',
        'My friend has the same "problem": ',
        "It used to fail at the start, with the patch it fails here: ",
        "I never had this before: ",
        "We did not have this error before the update: ",
        "以前没有出现过: ",
        "I cannot just ignore this: ",
        "(skip this if the node is busy): ",
        "and of course fails with ",
        "sad to see the run crash: ",
        "if I switch to two workers I get ",
        "What would happen with fewer? ",
        "a) ",
    ],
)
def test_a_message_behind_such_words_is_none_of_them(before: str):
    assert ruled(f"{STEPS}{before}{ASSERT}") == "user-code"


def test_a_list_of_what_happens_is_no_choice_of_answers():
    said = "RuntimeError: CUDA error: device-side assert triggered"
    assert ruled(f'{STEPS}- "{said}"\n- "the loss is nan"\n') == "user-code"
    assert ruled(f'{STEPS}a) "{said}"\nb) "the loss is nan"\n') == "user-code"
    assert explained(f'{STEPS}a) "{said}"\nb) "it is nan, or zero"\nc) "none of both"\n') in NOTHING


def test_an_alert_that_says_what_was_seen():
    assert ruled(f"[FIRING:1] GpuXid node=gpu07 {LOST}{LISTED}") == "device-lost"


# -- tests, code, chats --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "$ pytest a\n5 passed in 1.2s\n$ python train.py\n{}$ pytest b\n3 passed in 1s\n",
        "I ran pytest for the CPU part, and then:\n{}The CPU part:\n12 passed in 3.1s\n",
        "a.py::test_a PASSED\nb.py::test_b\n{}Aborted (core dumped)\n2 passed in 1.0s\n",
        "running 2 tests\ntest a ... ok\n{}error: test failed\ntest result: ok. 1 passed\n",
        "memory ... ok\nbandwidth ... ok\nproduct ...\n{}checks: 2 passed\n",
        "$ ctest -R gpu\nStart 1: gpu\n{}$ ctest -R cpu\n100% tests passed out of 4\n",
    ],
)
def test_another_part_that_passed(text: str):
    assert ruled(text.format(ASSERT)) == "user-code"


OLD_DRIVER = (
    "The NVIDIA driver on your system is too old (found version 10010). Please update your GPU"
    " driver\n"
)


def test_a_warning_that_pytest_sums_up_was_not_expected():
    suite = (
        "=== test session starts ===\ncollected 2 items\ntests/test_a.py ..\n{}{}2 passed in 1s\n"
    )
    warning = f"  torch/cuda/__init__.py:107: UserWarning: CUDA initialization: {OLD_DRIVER}"
    assert ruled(suite.format("=== warnings summary ===\n", warning)) == "driver-too-old"
    assert ruled(suite.format(warning, "")) == "unknown"


def test_a_chat_beside_a_failure_in_one_line():
    message = '{"role": "user", "content": "hello"}'
    assert ruled(f"ERROR in request {message}: {OUT}") == "oom-workload"
    assert ruled(f"{message}\n{OUT}") == "oom-workload"
    assert ruled(f'{{"role": "user", "content": "I get {OUT.strip()}"}}\n') == "unknown"


def test_what_came_below_a_rule_for_alerts():
    rule = "- alert: Xid\n  expr: DCGM_FI_DEV_XID_ERRORS > 0\n  for: 1m\n"
    message = f'  message: "{LOST.strip()}"\n'
    assert ruled(f"{rule}what came in the night\n{message}") == "device-lost"
    assert ruled(rule + message) == "unknown"
