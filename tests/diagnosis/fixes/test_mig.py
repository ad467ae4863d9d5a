"""Fixes for instances of MIG and of virtual GPUs."""

from __future__ import annotations

from gpuprobe import explain
from gpuprobe.examine import judge
from support.examples import machine
from support.pasted import commands, finding, printed
from support.texts import SMI_RTX_4090


def test_name_of_an_instance_is_no_number() -> None:
    pasted = "ValueError: invalid literal for int() with base 10: '{}-cfb2a8ae-864b-50df-94a5-9898'"
    assert "unset CUDA_VISIBLE_DEVICES" in printed(pasted.format("MIG"))
    assert [each.rule.code for each in explain(pasted.format("MIG")).diagnosis.placed] == ["GP305"]
    assert "env -u" not in printed(pasted.format("GPU"))


MIXED = "GPU: NVIDIA A30\npanic: At least one device with migEnabled=true was not configured"
MIXED += " correctly: {}\n"


def test_instances_of_several_types_are_no_missing_ones() -> None:
    told = finding(MIXED.format("More than one MIG device type present on node"))
    assert "instances of several types" in told.title
    assert "nvidia.com/mig.config=all-1g.6gb" in told.fix.commands[1]
    assert "no instance" in finding(MIXED.format("no MIG devices found")).title


def test_a_profile_without_cuda_is_no_matter_of_the_mode() -> None:
    named = SMI_RTX_4090.replace("   Default", "Prohibited").replace(
        "GeForce RTX 4090", "RTXA6000-48A"
    )
    busy = "CUDA error: all CUDA-capable devices are busy or unavailable"
    assert "profile 48A" in finding(named + busy).fix.text
    assert "profile" not in finding(named.replace("-48A", "-48Q") + busy).fix.text


MIG = "MIG-377e0049-0000-0000-0000-000000000000"
NUMBER = (
    f"CUDA_VISIBLE_DEVICES={MIG} vllm serve TinyLlama\n"
    "ValueError: invalid literal for int() with base 10: '{}'\n"
)


def test_the_name_of_an_instance_is_never_to_be_set_again():
    assert "export CUDA_VISIBLE_DEVICES" not in commands(NUMBER.format(MIG))


BARE = (
    "torch.cuda.is_available() = False\nNo CUDA GPUs are available\n"
    "gpu-operator: no MIG devices found\n"
)


def test_an_instance_is_made_and_taken_back_on_one_gpu_alone() -> None:
    told = judge(
        machine(
            "cuInit fails",
            "cuda.init.code = 100",
            "cuda.device_count = 0",
            "gpu.0.name = NVIDIA A100-SXM4-40GB",
            "gpu.0.capability = 8.0",
            "gpu.0.mig = true",
            "gpu.0.mig_instances = 0",
        )
    ).diagnosis.root
    assert told is not None
    fix = told.finding.fix
    assert fix.commands[1] == "sudo nvidia-smi mig -i 0 -cgi 0 -C"
    assert fix.undo is not None
    assert fix.undo.count("-i 0 ") == fix.undo.count("-gi ID") == 2
    other = finding(BARE).fix
    assert other.commands[1] == "sudo nvidia-smi mig -i GPU -cgi 0 -C"
