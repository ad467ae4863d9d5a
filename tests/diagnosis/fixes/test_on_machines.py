"""Titles and repairs of a machine that was looked at: with its own folders, numbers and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.diagnosis.fixes.other_gpus import use_what_is_there
from gpuprobe.diagnosis.model import Safety, Severity
from gpuprobe.diagnosis.questions.place import place_of
from gpuprobe.examine import judge
from gpuprobe.facts.model import Absent, Fact, Facts, Known, Value
from gpuprobe.facts.version import Version
from support.examples import machine

if TYPE_CHECKING:
    from gpuprobe.diagnosis.model import Finding

HERE: dict[str, Value] = {
    "os.system": "Linux",
    "pci.nvidia_gpu_count": 1,
    "libcuda.path": "/l/libcuda.so.1",
    "cuda.init.code": 0,
    "cuda.device_count": 1,
    "nvml.device_count": 1,
}
GPU: dict[str, Value] = {"gpu.0.name": "NVIDIA H100 80GB HBM3", "gpu.0.uuid": "GPU-3f6a1c52"}


def found(code: str, **more: Value | Fact[Value]) -> Finding:
    """What a check finds on this machine; ``__`` stands for a dot in the facts' names."""
    told = HERE | GPU | {name.replace("__", "."): value for name, value in more.items()}
    facts: dict[str, Fact[Value]] = {
        name: value if isinstance(value, (Known, Absent)) else Known(value, "x")
        for name, value in told.items()
    }
    placed = judge(Facts(facts), source="snapshot").diagnosis.placed
    return next(each.finding for each in placed if each.rule.code == code)


def shadowed(search_path: str) -> Finding:
    return found(
        "GP403",
        env__LD_LIBRARY_PATH=search_path,
        library__cudnn__path="/usr/local/cuda-12.1/lib64/libcudnn.so.9",
        library__cudnn__version=Version("9.0.0"),
        library__cudnn__own_version=Version("9.3.0.75"),
        library__cudnn__taken_by=("tensorflow 2.18.0",),
    )


@pytest.mark.parametrize(
    ("search_path", "command"),
    [
        ("/usr/local/cuda-12.1/lib64:/opt/own", "export LD_LIBRARY_PATH=/opt/own"),
        ("/opt/own::/usr/local/cuda-12.1/lib64/", "export LD_LIBRARY_PATH=/opt/own"),
        ("/usr/local/cuda-12.1/lib64", "unset LD_LIBRARY_PATH"),
    ],
)
def test_the_folder_that_comes_first_is_named_and_the_others_stay(search_path: str, command: str):
    fix = shadowed(search_path).fix
    assert "Take /usr/local/cuda-12.1/lib64 out" in fix.text
    assert fix.commands == (command,)


def test_a_folder_that_the_variable_does_not_name_is_looked_for():
    assert "echo $LD_LIBRARY_PATH" in shadowed("/opt/link").fix.commands


def test_parts_of_two_cudnns_in_one_folder_are_not_told_apart_by_a_search_path():
    fix = found(
        "GP502",
        library__cudnn__version=Version("9.3.0"),
        library__cudnn_ops__version=Version("9.5.1"),
        library__cudnn__path="/u/lib64/libcudnn.so.9",
        library__cudnn_ops__path="/u/lib64/libcudnn_ops.so.9",
    ).fix
    assert "Remove cuDNN's files from /u/lib64" in fix.text
    assert (fix.safety, bool(fix.undo)) == (Safety.ADMIN, True)
    assert not any("unset" in command for command in fix.commands)


@pytest.mark.parametrize(("value", "words"), [("0", "where that is meant"), ("0,7", "such as 0")])
def test_a_sound_list_needs_no_repair_and_one_that_is_cut_short_does(value: str, words: str):
    more = {"env__CUDA_VISIBLE_DEVICES": value, "nvml__device_count": 2}
    assert words in found("GP308", probe__level="normal", **more).fix.text


def test_a_narrow_link_is_told_with_its_lanes():
    title = found("GP803", gpu__0__pcie_width=4, gpu__0__pcie_width_max=16).title
    assert title == "The PCIe link of GPU 0 has 4 of the card's 16 lanes"


@pytest.mark.parametrize(
    ("reasons", "title"),
    [
        (("HW Slowdown", "HW Thermal Slowdown"), "GPU 0 slows itself down: it is too hot"),
        (("HW Power Brake",), "GPU 0 slows itself down: it gets too little power"),
        (("HW Slowdown",), "GPU 0 slows itself down, for heat or for want of power"),
    ],
)
def test_the_reason_for_a_slowdown_is_the_one_that_the_driver_gives(
    reasons: tuple[str, ...], title: str
):
    assert found("GP803", gpu__0__throttle=reasons).title == title


def test_a_lowered_power_limit_is_raised_on_that_gpu_by_its_own_number():
    limits = {"gpu__0__power_limit_watts": 300.0, "gpu__0__power_limit_default_watts": 700.0}
    fix = found("GP803", **limits).fix
    assert (fix.commands, fix.undo) == (
        ("sudo nvidia-smi -i 0 -pl 700",),
        "sudo nvidia-smi -i 0 -pl 300",
    )


def test_what_the_probe_did_not_come_to_is_no_evidence():
    evidence = found(
        "GP802",
        cuda__kernel__outcome="failed",
        cuda__kernel__call="cuCtxCreate",
        cuda__kernel__code=214,
        cuda__kernel__image=Absent("x"),
        cuda__kernel__why_not=Absent("x"),
    ).evidence
    assert "absent" not in {each.value for each in evidence}


def test_the_image_to_take_is_named_by_the_cuda_that_the_host_serves():
    fix = found(
        "GP209",
        probe__level="normal",
        container__kind="docker",
        cuda__init__code=804,
        cuda__device_count=Absent("x"),
        driver__cuda=Version("12.2"),
        libcuda__path="/usr/local/cuda/compat/libcuda.so.1",
    ).fix
    assert "no newer than 12.2" in fix.text
    assert fix.commands == ()


def test_a_gpu_of_amd_does_not_send_the_work_to_the_cpu():
    fix = use_what_is_there(place_of(Facts({})), ("amd",))
    assert "without such a build" in fix.text
    assert "here the work runs on the CPU" in use_what_is_there(place_of(Facts({})), ()).text


@pytest.mark.parametrize(
    ("silent", "address"),
    [(("1",), "pci.1.address"), (("1", "0"), None)],  # which of two silent ones, nobody tells
)
def test_a_lost_gpu_is_at_the_address_that_no_other_tells(
    silent: tuple[str, ...], address: str | None
):
    facts: dict[str, Value] = {}
    for gpu, place in (("0", "0000:1b:00.0"), ("1", "0000:5e:00.0")):
        facts |= {f"pci.{gpu}.vendor": "nvidia", f"pci.{gpu}.address": place}
        if gpu not in silent:
            facts[f"gpu.{gpu}.pci"] = place
    finding = found("GP103", **{name.replace(".", "__"): value for name, value in facts.items()},
                    gpu__0__failure=Absent("x"),
                    gpu__1__failure="15 NVML_ERROR_GPU_IS_LOST")  # fmt: skip
    assert ("at 0000:5e:00.0 " in finding.title) is (address is not None)
    assert (address in {each.fact for each in finding.evidence}) is (address is not None)


@pytest.mark.parametrize(("errors", "code", "gpu"), [(2, "GP804", "-i 0 "), (0, "GP802", "-i GPU")])
def test_the_gpu_that_counts_errors_is_the_one_to_reset(errors: int, code: str, gpu: str):
    finding = found(code, cuda__kernel__outcome="failed", cuda__kernel__call="cuCtxCreate",
                    cuda__kernel__code=214, gpu__0__ecc=True,
                    gpu__0__ecc_uncorrected=errors)  # fmt: skip
    assert gpu in finding.fix.commands[-1]
    assert finding.severity is Severity.ERROR
    assert "cuda.kernel.code" in {each.fact for each in finding.evidence}


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        ("docker", "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility IMAGE"),
        ("podman", "podman run --device nvidia.com/gpu=all IMAGE"),
        ("apptainer", "apptainer exec --nv IMAGE COMMAND"),
        ("lxc", "sudo sh NVIDIA-Linux-$(uname -m)-535.104.05.run --no-kernel-module"),
    ],
)
def test_the_library_comes_into_a_container_in_the_way_of_its_run_time(kind: str, command: str):
    told = found(
        "GP301",
        container__kind=kind,
        cuda__device_count=0,
        module__nvidia__version=Version("535.104.05"),
        node__nvidiactl="usable",
        libcuda__path=Absent("x"),
        libcuda__stub=Absent("x"),
        wsl__version=Absent("x"),
        tegra__model=Absent("x"),
    )
    assert command in told.fix.commands


@pytest.mark.parametrize(
    ("value", "job", "command"),
    [
        ("NoDevFiles", {}, "srun --gres=gpu:1 --pty bash"),
        ("", {"env__SLURM_JOB_ID": "4711"}, "srun --gres=gpu:1 --pty bash"),
        ("", {}, "unset CUDA_VISIBLE_DEVICES"),
    ],
)
def test_a_job_without_a_gpu_asks_slurm_for_one(value: str, job: dict[str, Value], command: str):
    told = found(
        "GP302",
        env__CUDA_VISIBLE_DEVICES=value,
        cuda__device_count=0,
        cuda__device_count_unmasked=1,
        cuda__init__code=100,
        cuda__init__outcome="failed",
        **job,
    )
    assert command in told.fix.commands


@pytest.mark.parametrize(
    ("holder", "severity"),
    [
        ("python (process 7, this one): 78000 MiB", Severity.NOTE),
        ("python (process 7): 78000 MiB", Severity.ERROR),
        ("python (process 7, this one): 500 MiB", Severity.ERROR),
    ],
)
def test_memory_that_the_program_itself_took_is_no_fault(holder: str, severity: Severity):
    told = found(
        "GP701",
        gpu__0__memory_bytes=80000 << 20,
        gpu__0__memory_free_bytes=1000 << 20,
        gpu__0__processes=(holder,),
        probe__level="normal",
    )
    assert told.severity is severity
    assert told.title.endswith(" all memory of GPU 0: 0.98 GiB of 78.12 GiB are free")


def test_an_exclusive_gpu_that_the_program_itself_has_is_not_taken():
    mode = {"gpu__0__compute_mode": "exclusive process", "probe__level": "normal"}
    told = found("GP312", gpu__0__processes=("python (process 7): 500 MiB",), **mode)
    assert "python (process 7) has it" in told.title
    own = ("python (process 7, this one): 500 MiB",)
    with pytest.raises(StopIteration):
        found("GP312", gpu__0__processes=own, **mode)
    assert found("GP312", gpu__0__processes=own, **mode, cuda__init__code=46, cuda__device_count=0)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("unsigned module", "which is not signed"),
        ("module with unavailable key", "signed with a key that this machine does not know"),
    ],
)
def test_a_module_signed_with_another_key_is_not_called_unsigned(reason: str, told: str):
    facts = machine(
        "module not loaded",
        "secure_boot.enabled = true",
        f"module.nvidia.load_error = Loading of {reason} is rejected",
    )
    root = judge(facts, source="machine").diagnosis.root
    assert root is not None
    assert root.finding.title.endswith(told)
