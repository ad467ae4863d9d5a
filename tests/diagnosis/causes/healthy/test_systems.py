"""A set-up that works, told by clusters, Windows and a Jetson."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.facts import names
from gpuprobe.facts.pasted import read
from support.cases import ruled

PROGRESS = "Total progress: 100%|####| 20/20 [00:05<00:00,  {rate}]\n"
SLURM = "fatal: We were configured to autodetect nvml functionality, but we weren't able to find"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        # A rate is beyond every CPU.
        (PROGRESS.format(rate="6.10it/s"), "healthy"),
        (PROGRESS.format(rate="1.10it/s"), "unknown"),
        (PROGRESS.format(rate="6.10s/it"), "unknown"),
        (
            "Launching Web UI with arguments: --use-directml\n" + PROGRESS.format(rate="6.10it/s"),
            "unknown",
        ),
        # Slurm was built without NVML.
        (f"GPU: A100, MIG enabled\n{SLURM} that lib when Slurm was configured.\n", "healthy"),
        (f"{SLURM} that lib when Slurm was configured.\nThe job crashed.\n", "unknown"),
    ],
)
def test_a_gpu_at_work_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


QUERY = """Device 0: "Orin"
  CUDA Capability Major/Minor version number:    {}
"""


@pytest.mark.parametrize(("capability", "verdict"), [("8.7", "healthy"), ("unknown", "unknown")])
def test_device_query_lists_a_board(capability: str, verdict: str):
    assert ruled(QUERY.format(capability)) == verdict


GRAPHS = "OS: Windows 10\nGPU: RTX 2060\nRendering frames: {there}, the task manager only {here}."


@pytest.mark.parametrize(
    ("there", "here", "cause"),
    [
        ("GPU-Z shows 97% load", "5%", "healthy"),
        ("GPU-Z shows 4% load", "5%", "unknown"),
        ("GPU-Z shows 97% load", "95%", "unknown"),
    ],
)
def test_windows_task_manager_does_not_show_the_work_of_cuda(there: str, here: str, cause: str):
    assert ruled(GRAPHS.format(there=there, here=here)) == cause


POD = "{Name:train-0 Namespace:ml Container:main}"


@pytest.mark.parametrize(
    ("mapping", "verdict"),
    [
        (f"nvidia0:{POD} nvidia0/vgpu1:{POD}", "healthy"),
        (f"GPU-11111111-1111-1111-1111-111111111111:{POD}", "healthy"),
        ("", "unknown"),
    ],
)
def test_gpus_that_pods_have_are_listed_by_the_driver(mapping: str, verdict: str):
    assert ruled(f'level=debug msg="Device to pod mapping: map[{mapping}]"') == verdict


DCGM = (
    '{metric}{{gpu="0",UUID="GPU-1",device="nvidia0",modelName="NVIDIA A100-SXM4-40GB",'
    'Hostname="n1"}} {value}\n'
)


def test_an_exporter_of_several_hosts_counts_the_gpus_of_one():
    one = DCGM.format(metric="DCGM_FI_DEV_GPU_TEMP", value="41")
    facts = gpuprobe.explain(one + one.replace("GPU-1", "GPU-2").replace("n1", "n2")).facts
    assert dict(facts.items())["nvml.device_count"].value == 1


FOLDING = """10:00:01:           GPUs: 1
10:00:01:          GPU 0: Bus:3 Slot:0 Func:0 {card}
10:00:01:           CUDA: Not detected: Failed to open dynamic library 'nvcuda.dll': The
10:00:01:                 specified module could not be found.
"""


def test_folding_at_home_names_the_product_in_brackets():
    facts = read(FOLDING.format(card="NVIDIA:7 GP106 [GeForce GTX 1060 6GB] 4372"))
    assert facts.known(names.GPU_NAME("0")) == "GeForce GTX 1060 6GB"


NVTOP = "$ nvtop\nNo GPU to monitor\n"
TABLE = "|   0  GeForce RTX 3090    Off  | 00000000:02:00.0  On |                  N/A |\n"


@pytest.mark.parametrize(
    ("beside", "verdict"),
    [
        ("deviceQuery of the CUDA samples works fine. Why not nvtop?\n", "healthy"),
        ("On this Jetson `jtop` works as well.\n", "healthy"),
        (TABLE, "healthy"),
        ("deviceQuery does not work either.\n", "unknown"),
        ("Should it be that deviceQuery works?\n", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_monitor_alone_finds_no_gpu(beside: str, verdict: str):
    assert ruled(NVTOP + beside) == verdict


def test_that_a_sample_works_proves_nothing_of_another_program():
    assert ruled("deviceQuery works fine.\nMy program says: no GPU.\n") == "unknown"
