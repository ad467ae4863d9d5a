"""Fixes for a GPU that is busy, hangs, or that its host does not map."""

from __future__ import annotations

from gpuprobe.diagnosis.catalogue import rules
from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.diagnosis.fixes.device import free_device
from gpuprobe.diagnosis.model import Safety
from gpuprobe.diagnosis.questions.place import Place
from support.examples import machine
from support.pasted import finding, fix, printed
from support.texts import SMI_RTX_4090


def test_who_holds_a_gpu_is_seen_of_all_users() -> None:
    told = free_device(Place("Linux", None, None, wsl=False)).commands
    assert told[0] == "sudo fuser -v /dev/nvidia*"


GUEST = "nvidia-smi works in my WSL2.\n$ uname -r\n{}\n$ lspci\nbe44:00:00.0 3D controller: "
GUEST += "Microsoft Corporation Device 008e\n"
GUEST += "Failed to initialize NVML: GPU access blocked by the operating system"


def test_guest_of_hyper_v_has_a_kernel_of_its_own() -> None:
    assert "/dev/dxg" in printed(GUEST.format("5.15.0-41-generic"))
    assert "/dev/dxg" not in printed(GUEST.format("5.15.90.1-microsoft-standard-WSL2"))


def test_empty_memory_region_is_no_failure_of_the_card() -> None:
    region = "NVRM: This PCI I/O region assigned to your NVIDIA device is invalid:\n"
    assert "Above 4G Decoding" in printed(f"{region}NVRM: BAR1 is 0M @ 0x0 (PCI:0000:14:00.0)")
    lost = printed("NVRM: GPU 0000:14:00.0: GPU has fallen off the bus.")
    assert "Above 4G Decoding" not in lost


def test_a_busy_gpu_is_freed_or_left_alone_by_its_number() -> None:
    told = printed("RuntimeError: cuda runtime error (46) : all CUDA-capable devices are busy\n")
    assert "CUDA_VISIBLE_DEVICES=NUMBER" in told
    assert "nvidia-smi -c DEFAULT" not in told


def test_a_compute_mode_is_set_back_from_the_one_that_is_shown() -> None:
    row = "|   0  Tesla K40m   Off | 0000:08:00.0 Off |  0 |\n| N/A 20C P8 19W / 235W | "
    row += "23MiB / 11519MiB |      0%    {} |\n"
    busy = "CUDA error: all CUDA-capable devices are busy or unavailable\n"
    fix = finding(busy + SMI_RTX_4090.replace("Default", "E. Thread")).fix
    assert fix.commands == ("sudo nvidia-smi -i 0 -c DEFAULT",)
    assert fix.undo == "sudo nvidia-smi -i 0 -c EXCLUSIVE_THREAD"
    assert len(finding(busy).fix.commands) > 1


def test_a_process_that_hangs_in_the_driver_takes_a_restart():
    text = (
        "GPU stays occupied by a vLLM server that cannot be stopped\n\nFor faster inference I use "
        "a vLLM server, on Ubuntu 20.04 with a single H100 80GB and --gpu-memory-utilization 0.6.\n"
        "Stopping it frequently fails: a VLLM::EngineCore in state R is left which ignores even "
        "kill -9. The card is not released and I cannot start anything else on it.\n"
    )
    assert fix(text).safety is Safety.REBOOT


def test_hang_says_how_to_wait_longer() -> None:
    lines = ("cuda.kernel.outcome = hung", "cuda.kernel.call = cuLaunchKernel")
    root = diagnose(machine("healthy", *lines), rules()).root
    assert root is not None
    assert root.finding.title == "The driver hangs: no answer from cuLaunchKernel"
    assert "set GPUPROBE_TIMEOUT=300 (seconds)" in root.finding.fix.text


def test_a_gpu_that_does_not_answer_is_named_by_its_address() -> None:
    handle = "Unable to determine the device handle for {}: Unknown Error"
    for which in ("GPU 0000:C1:00.0", "GPU0: 0000:C1:00.0"):
        title = finding(f"$ nvidia-smi\n{handle.format(which)}`").title
        assert title == "GPU 0000:C1:00.0 does not answer: Unknown Error"
    unhealthy = "XidCriticalError: Xid=69 on Device=GPU-0, the device will go unhealthy."
    assert finding(f"Kubernetes\n{unhealthy}").title.endswith("out of use: Xid 69")


def test_the_fabric_manager_of_a_version_comes_by_the_package_manager_that_is_there() -> None:
    waits = ("cuda.init.code = 802", "fabric_manager.version = 550.54.15")
    for system, by_apt in (("Ubuntu 22.04.4 LTS", True), ("Rocky Linux 9.4 (Blue Onyx)", False)):
        found = diagnose(machine("cuInit fails", *waits, f"os.name = {system}"), rules())
        assert found.root is not None
        told = found.root.finding.fix.commands
        assert told[-1] == "sudo systemctl restart nvidia-fabricmanager"
        assert ("sudo apt install 'nvidia-fabricmanager-535=535.104.05*'" in told) == by_apt
