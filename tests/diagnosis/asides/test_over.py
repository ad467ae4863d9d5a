"""A fault that somebody says is over, or wants so, accuses no machine that is seen to work."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import explained, ruled

REJECTED = "Failed to initialize NVML: Driver/library version mismatch\n"
SEES = ">>> torch.cuda.is_available()\nTrue\n"
STILL = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"


@pytest.mark.parametrize(
    "told",
    [
        "Solved: it was the old module.\n",
        "[SOLVED] driver after an update\n",
        "It works now. Before that I had this:\n",
        "That went away after I restarted.\n",
        "I forgot to restart.\n",
        "Since my update it's gone.\n",
        "It is over since the restart.\n",
        "So it's settled.\n",
        "问题已解决\n",
        # How somebody goes on with what the same machine does today.
        "The cable was replaced in March.\n",
        "Since then:\n",
        "State now (after the update of June):\n",
        "Jetzt läuft es, es läuft endlich.\n",
        "Теперь всё работает.\n",
        "Adesso funziona.\n",
    ],
)
def test_a_fault_is_over_where_something_works_below_it(told: str):
    assert explained(told + REJECTED + SEES) == "healthy"
    assert ruled(REJECTED + told + SEES) == "healthy"
    assert ruled(told + REJECTED) == "driver-library-mismatch"  # nothing is seen to work
    assert ruled(SEES + told + REJECTED) == "driver-library-mismatch"  # it failed since
    assert ruled(told + REJECTED + SEES + STILL) != "healthy"


@pytest.mark.parametrize(
    "told",
    [
        "Has anybody solved it?\n",
        "I want it to be solved.\n",
        "It works on my other machine.\n",
        "It does not go away.\n",
        "Has the cable to be replaced?\n",
        "The card was replaced, but it still fails.\n",
        "Since then it fails:\n",
        "Since the reboot it is there.\n",
        "Rebuilt with the same flags:\n",
        "",
    ],
)
def test_what_is_not_over(told: str):
    assert ruled(told + REJECTED + SEES) == "driver-library-mismatch"


def test_a_table_of_the_driver_mends_no_build():
    text = (
        "[SOLVED] no GPU\n>>> torch.__version__, torch.cuda.is_available()\n('2.0.1+cpu', False)\n"
    )
    assert ruled(f"{text}$ nvidia-smi -L\nGPU 0: Tesla T4 (UUID: GPU-1)\n") == "cpu-only-build"


RUN = """$ docker run --rm nvidia/cuda:11.0-base nvidia-smi
docker: Error response from daemon: OCI runtime create failed: container_linux.go:370: starting \
container process caused: exec: "nvidia-smi": executable file not found in $PATH: unknown.
{told}
$ {again} nvidia-smi -L
GPU 0: Quadro P2000 (UUID: GPU-1)
"""


@pytest.mark.parametrize(
    ("told", "again", "cause"),
    [
        ("(I forgot the flag)", "docker run --rm --gpus all nvidia/cuda:11.0-base", "healthy"),
        ("(I forgot the flag)", "sudo", "container-no-gpu"),  # on the host
        ("", "docker run --rm --gpus all nvidia/cuda:11.0-base", "container-no-gpu"),
    ],
)
def test_a_container_gets_the_gpu_when_it_is_asked_for(told: str, again: str, cause: str):
    assert ruled(RUN.format(told=told, again=again)) == cause


def test_what_is_over_is_still_told():
    report = gpuprobe.explain(f"Solved.\n{REJECTED}{SEES}")
    assert "Told to be over: " in report.text()
    assert "Driver/library version mismatch" in report.text()
    assert report.diagnosis.root is None


BUILDS = """(docs)$ python -c "import torch; print(torch.__version__, torch.cuda.is_available())"
2.0.1+cpu False
(work)$ python -c "import torch; print(torch.__version__, torch.cuda.is_available())"
2.0.1+cu118 {answer}
"""


@pytest.mark.parametrize(
    ("told", "answer", "cause"),
    [
        ("the first one is for the CPU by choice\n", "True", "healthy"),
        ("the first one is for the CPU on purpose\n", "True", "healthy"),
        ("the first one is for the CPU by choice\n", "False", "cpu-only-build"),
        ("Is the first one for the CPU by choice?\n", "True", "cpu-only-build"),
        ("", "True", "cpu-only-build"),
    ],
)
def test_a_program_does_without_the_gpu_on_purpose(told: str, answer: str, cause: str):
    assert ruled(told + BUILDS.format(answer=answer)) == cause


def test_a_fault_of_another_kind_is_nobodys_purpose():
    assert ruled(f"the CPU job is so by choice\n{REJECTED}{SEES}") == "driver-library-mismatch"


def test_a_plugin_that_is_not_used_makes_no_build_without_cuda():
    text = (
        "RuntimeWarning: JAX plugin jax_cuda12_plugin version 0.4.33 is installed, but it is not "
        "compatible with the installed jaxlib version 0.4.38, so it will not be used.\n"
        "An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not "
        "installed. Falling back to cpu.\n"
    )
    assert ruled(text) == "extension-mismatch"
    assert ruled(text.partition("\n")[2]) == "cpu-only-build"


@pytest.mark.parametrize(
    "told",
    [
        "Solved with the CPU.\n",
        "Fixed it, now a new error:\n",
        "It works again after a restart, but every day:\n",
        "I forgot to say that it is a laptop.\n",
        "Now:\n",
    ],
)
def test_words_of_an_end_that_end_nothing(told: str):
    assert ruled(told + REJECTED + SEES) == "driver-library-mismatch"


def test_that_a_gpu_is_seen_ends_no_fault_of_the_work():
    error = "RuntimeError: CUDA error: an illegal memory access was encountered\n"
    assert ruled(f"Solved.\n{error}{SEES}") == "user-code"


MISSING = "$ nvidia-smi\nbash: nvidia-smi: command not found\n"
FOR_CPU = MISSING + BUILDS.partition("(work)")[0]


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("which is how it should be, the laptop has nothing to compute on\n", "healthy"),
        ("that is as it was meant to be, it computes on the other one\n", "healthy"),
        ("which is not how it should be\n", "driver-missing"),
        ("", "driver-missing"),
    ],
)
def test_a_machine_without_a_driver_has_a_build_for_the_cpu_on_purpose(told: str, cause: str):
    assert ruled(f"{FOR_CPU}{told}{BUILDS.format(answer='True').partition('(work)')[2]}") == cause


@pytest.mark.parametrize(
    "told",
    [
        "EDIT: solved. Everything works now, thanks!",
        "Update: the problem is resolved.",
        "Fixed it. Now the card is used. Closing.",
        "This is resolved, the GPU is used now.",
        "Edit: I found the cause and the problem is solved now.",
        "Never mind, it works now.",
        "It works again, you can close this.",
        "Solved: it was the old module.",
        "Everything runs fine now",
        "> edit: fixed by a reboot",
        "问题已解决",
    ],
)
def test_a_report_is_closed_by_its_last_word(told: str):
    assert ruled(f"{REJECTED}\n{told}\n") == "healthy"
    assert ruled(f"{told}\n\n{REJECTED}") == "driver-library-mismatch"  # it may have come back
    assert ruled(f"{REJECTED}\n{told}\n\n{STILL}") != "healthy"
    assert ruled(f"{told}\n") == "unknown"  # nobody knows what it was


@pytest.mark.parametrize(
    "told",
    [
        "EDIT: solved the path, the error stays.",
        "Update: fixed one thing, now another error.",
        "EDIT: it works on another machine.",
        "Has it been solved?",
        "I thought it was fixed now.",
        "It works again after a reboot, for some hours.",
        "Everything works now except CUDA.",
        "Update: resolved by using the CPU.",
        "EDIT: not solved.",
        "ok, nvidia-smi works now",
        "Works now: import torch. Fails: the first kernel.",
        "The issue is solved by others with a new driver.",
        "I hope this gets resolved now.",
        "Fixed it for CUDA 11.",
        "Resolved: no",
        "Everything works on Windows.",
        "没有解决",
    ],
)
def test_a_last_word_that_closes_nothing(told: str):
    assert ruled(f"{REJECTED}\n{told}\n") == "driver-library-mismatch"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("After the repair:", "healthy"),
        ("The output after a clean reinstall:", "healthy"),
        ("After the repair the same:", "driver-library-mismatch"),
        ("After the work:", "driver-library-mismatch"),
    ],
)
def test_what_is_shown_after_a_repair(told: str, cause: str):
    assert ruled(f"{REJECTED}{told}\n{SEES}") == cause
