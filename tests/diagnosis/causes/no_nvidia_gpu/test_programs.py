"""A machine without an NVIDIA GPU, told by nvidia-smi, programs for pictures, miners and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_LIBRARY = "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.\n"
NOT_COMMUNICATING = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
ENCODER = "Cannot load libnvidia-encode.so.1\n"
MAC = "OSError: dlopen(libbitsandbytes_cuda.so, 0x0006): tried: 'libbitsandbytes_cuda.so' ({})\n"
BITSANDBYTES = (
    "UserWarning: The installed version of bitsandbytes was compiled without GPU support. "
)
EGL = "unable to find CUDA device 0 among 1 EGL devices in total\n"
HWINFO = "graphics card:\n                       {}\n"
LISTED = "Found suitable OpenCL device [ {card} ] with 8587001856 bytes of GPU memory"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("node: CPU only\n" + NO_LIBRARY, "no-nvidia-gpu"),
        (f"$ lspci | grep -i nvidia\n$ nvidia-smi\n{NOT_COMMUNICATING}", "no-nvidia-gpu"),
        ("NVRM: No NVIDIA GPU found.", "no-nvidia-gpu"),
        (ENCODER + "I'm using an Intel integrated graphics chip, not NVidia.", "no-nvidia-gpu"),
        (ENCODER + "My laptop does not have an Nvidia GPU at all", "no-nvidia-gpu"),
        (MAC.format("not a mach-o file") + BITSANDBYTES, "no-nvidia-gpu"),
        (EGL + HWINFO.format("Intel UHD Graphics 620"), "no-nvidia-gpu"),
        (EGL + HWINFO.format("nVidia TU117M [GeForce GTX 1650]"), "unknown"),
        # A notebook with a TPU has no GPU.
        ("hardware accelerator set to TPU\n!nvidia-smi finds no graphics card\n", "no-nvidia-gpu"),
        ("With the TPU runtime it works.\n", "unknown"),
        ("!nvidia-smi finds no graphics card\nWould it with the TPU runtime?\n", "unknown"),
        # A miner finds no driver.
        (
            LISTED.format(card="AMD Radeon RX 580") + "\nError: No CUDA driver found",
            "no-nvidia-gpu",
        ),
        ("GPU: GTX 1060\nError: No CUDA driver found", "driver-missing"),
        ("GPU: GTX 960\n * VERSIONS: XMRig/2.3.0 CUDA/0.0 MSVC/2015", "driver-missing"),
        ("GPU: GTX 960\n * VERSIONS: XMRig/2.3.0 CUDA/9.1 MSVC/2015", "unknown"),
        (
            "Device: Raspberry Pi 4\nATTENTION! No OpenCL or CUDA installation found.",
            "no-nvidia-gpu",
        ),
        ("GPU: GTX 960\nATTENTION! No OpenCL or CUDA installation found.", "driver-missing"),
    ],
)
def test_a_machine_without_an_nvidia_gpu_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


HOST = (
    "root@pve:~# lspci -nn | grep -i vga\n01:00.0 VGA compatible controller [0300]: NVIDIA "
    "Corporation GP106 [GeForce GTX 1060 6GB] [10de:1c03] (rev a1)\n"
)
GUEST = (
    "user@{name}:~$ lspci -nn | grep -i -E 'vga|nvidia'\n"
    "00:01.0 VGA compatible controller [0300]: Device [1234:1111] (rev 02)\n"
)
SMI = (
    "user@{name}:~$ nvidia-smi\nNVIDIA-SMI has failed because it couldn't communicate with the "
    "NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n"
)


def test_the_host_has_a_gpu_and_its_guest_has_none():
    assert ruled(HOST + GUEST.format(name="vm") + SMI.format(name="vm")) == "no-nvidia-gpu"


# -- GROMACS on a node without a GPU -------------------------------------------------------------
GROMACS = """OS: Rocky Linux 9.2
$ lspci | egrep -i 'vga|3d'
04:00.0 VGA compatible controller: {card}
$ gmx mdrun -deffnm npt -nb gpu
Fatal error:
Cannot run short-ranged nonbonded interactions on a GPU because no GPU is
detected.
"""
MATROX = "Matrox Electronics Systems Ltd. MGA G200eH (rev 01)"
NVIDIAS = "NVIDIA Corporation GV100 [Tesla V100] (rev a1)"


@pytest.mark.parametrize(("card", "none"), [(MATROX, True), (NVIDIAS, False)])
def test_gromacs_breaks_the_line_in_which_it_finds_no_gpu(card: str, *, none: bool):
    assert (ruled(GROMACS.format(card=card)) == "no-nvidia-gpu") is none


ADAPTER = (
    "I0101 01:01:01.000001 99 dxcore.c:211] Core Nvidia component libcuda.so.1.1 not found in"
    " /usr/lib/wsl/drivers/{folder}\n"
)
OF_AMD, OF_INTEL = "u0398112.inf_amd64_0123abcd", "iigd_dch.inf_amd64_0123abcd"
OF_NVIDIA = (
    "I0101 01:01:02.000001 99 nvc_info.c:170] selecting /usr/lib/wsl/drivers/{folder}/x.so\n"
)


@pytest.mark.parametrize(
    ("log", "cause"),
    [
        (ADAPTER.format(folder=OF_AMD), "no-nvidia-gpu"),
        (ADAPTER.format(folder=OF_INTEL), "no-nvidia-gpu"),
        ("GPU: NVIDIA GeForce RTX 3060\n" + ADAPTER.format(folder=OF_AMD), "wsl"),
        (
            ADAPTER.format(folder=OF_INTEL)
            + OF_NVIDIA.format(folder="nv_dispi.inf_amd64_89abcdef"),
            "unknown",
        ),
    ],
)
def test_windows_gives_wsl_the_driver_of_another_maker(log: str, cause: str):
    assert ruled(log) == cause


BUS = """$ lspci
00:00.0 Host bridge: Intel Corporation 82G33/G31/P35/P31 Express DRAM Controller
{rows}00:1f.2 SATA controller: Intel Corporation 82801IR/IO/IH (ICH9R/DO/DH) 6 port SATA Controller
$ ollama serve
level=INFO source=gpu.go:377 msg="no compatible GPUs were discovered"
"""
GPU = "00:05.0 3D controller: NVIDIA Corporation Device 1eb8 (rev a1)\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (BUS.format(rows=""), "no-nvidia-gpu"),
        (BUS.format(rows=GPU), "unknown"),
        (BUS.format(rows="...\n"), "unknown"),
        (BUS.format(rows="").replace("lspci", "lspci | grep -v Ethernet"), "unknown"),
    ],
)
def test_a_whole_list_of_the_bus_without_any_graphics_card_shows_that_there_is_none(
    text: str, cause: str
):
    assert ruled(text) == cause


MESHROOM = (
    "[error]   This program needs a CUDA-Enabled GPU (with at least compute capability 2.0).\n"
)


def test_a_card_of_amds_in_a_sentence():
    assert ruled("Meshroom on Win10, Ryzen 3600 and a single RX 5700 XT.\n" + MESHROOM) == (
        "no-nvidia-gpu"
    )


@pytest.mark.parametrize(
    "told",
    [
        "Meshroom on Win10 with a RX 5700 XT and a GTX 1070.\n",
        "Meshroom on Win10. Should I have an RX 5700 XT instead?\n",
        "I would like it to run on AMD if I use a RX 5700 XT.\n",
    ],
)
def test_another_card_or_none_that_is_there(told: str):
    assert ruled(told + MESHROOM) != "no-nvidia-gpu"


@pytest.mark.parametrize(
    ("system", "cause"),
    [
        ("Ubuntu 22.04 in a VirtualBox machine", "no-nvidia-gpu"),
        ("Ubuntu 22.04, VirtualBox not used", "driver-not-loaded"),
        ("Ubuntu 22.04", "driver-not-loaded"),
    ],
)
def test_virtualbox_passes_no_gpu_through(system: str, cause: str):
    gpu = "" if cause == "no-nvidia-gpu" else "01:00.0 VGA compatible controller: NVIDIA GA104\n"
    asked = "cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"
    smi = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
    assert ruled(f"OS: {system}\n\n{gpu}{asked}\n{smi}\n") == cause


OLD_MAC = (
    "OS: {}\nCuda 7.5.19\nERROR (theano.sandbox.cuda): ERROR: Not using GPU. Initialisation of "
    "device gpu failed:\ninitCnmem: cnmemInit call failed! Reason=CNMEM_STATUS_OUT_OF_MEMORY."
)


@pytest.mark.parametrize(
    ("system", "no_gpu"),
    [("Mac OS X 10.11.4", False), ("macOS 10.13.6", False), ("macOS 10.15.7", True)],
)
def test_macs_up_to_10_13_had_a_driver(system: str, no_gpu: bool):
    assert (ruled(OLD_MAC.format(system)) == "no-nvidia-gpu") == no_gpu


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("The GPU does not show up in the window.", "no-nvidia-gpu"),
        ("GPU doesn't work", "no-nvidia-gpu"),
        ("The window does not show up.", "unknown"),
    ],
)
def test_who_misses_the_gpu_on_a_mac(said: str, cause: str):
    assert ruled(f"I use MacOS Ventura.\n{said}\n") == cause
    assert ruled(f"I use Ubuntu.\n{said}\n") == "unknown"


@pytest.mark.parametrize(
    "said",
    [
        *(
            "It works on my other machine.",
            "If I take the older one it works.",
            "Solved, works now.",
        ),
        "The shell starts its code in a subprocess.",
    ],
)
def test_what_is_said_of_any_program_is_not_of_a_macs_gpu(said: str):
    assert ruled(f"OS: macOS 14.2\npip install frobnicate fails.\n{said}\n") == "unknown"


def test_pip_that_finds_no_tensorflow_on_a_mac_tells_of_its_python():
    none = "satisfies the requirement tensorflow==2.3.0 (from versions: 2.5.0, 2.5.1)"
    failed = f"OS: macOS\nERROR: Could not find a version that {none}\n"
    assert ruled(failed) == "python-unsupported"
    assert ruled(failed.replace("tensorflow", "tensorflow-gpu")) == "no-nvidia-gpu"
    assert ruled(f"{failed}>>> torch.cuda.is_available()\nFalse\n") == "no-nvidia-gpu"


NO_CARD = "nvidia-container-cli: initialization error: driver error: failed to process request\n"


def test_a_container_gets_no_gpu_of_a_laptop_that_has_none():
    assert ruled(NO_CARD + "There is no NVIDIA card in my laptop.") == "no-nvidia-gpu"
    assert ruled(NO_CARD) == "container-no-gpu"


POOL = "The system (CPUs=8.0, GPUs={}) does not meet the criteria to host at least one client with"
ASKED = " resources: {{'num_cpus': 4, 'num_gpus': {}}}."


@pytest.mark.parametrize(
    ("gpu", "there", "asked", "cause"),
    [
        ("GPU: Intel Arc A770", "0", "0.5", "no-nvidia-gpu"),
        ("My laptop has no NVIDIA card.", "0.0", "1", "no-nvidia-gpu"),
        # It may well be there, there is one, and none was asked for.
        ("GPU: RTX 3060", "0", "0.5", "unknown"),
        ("GPU: Intel Arc A770", "1", "2", "unknown"),
        ("GPU: Intel Arc A770", "0", "0", "unknown"),
    ],
)
def test_ray_counts_the_gpus_of_one_maker(gpu: str, there: str, asked: str, cause: str):
    assert ruled(f"{gpu}\n{POOL.format(there)}{ASKED.format(asked)}\n") == cause


BELLPERSON = "WARN bellperson::multiexp > Cannot instantiate kernel! Error: GPUError: {}\n"


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("One worker of my cluster does the commit stage and has no graphics card.", None),
        ("The second machine of our farm only does the precommit, and has no GPU.", None),
        ("This server runs the database and has no NVIDIA card at all.", None),
        ("My server rebooted last night and has no GPU.", "unknown"),
        ("The node is up again and has no GPU.", "unknown"),
        ("The node runs CUDA 12 and has no GPU memory left.", "unknown"),
    ],
)
def test_a_machine_that_serves_another_end_has_no_card(said: str, cause: str | None):
    text = f"{said}\n\n{BELLPERSON.format('No working GPUs found!')}"
    assert ruled(text) == (cause or "no-nvidia-gpu")


def test_a_program_that_finds_no_gpu_on_a_machine_with_one():
    text = BELLPERSON.format("No working GPUs found!")
    assert ruled(f"GPU 0: GeForce RTX 3080 (UUID: GPU-1)\n{text}") != "no-nvidia-gpu"


NO_PLATFORM = "clGetPlatformIDs(): CL_PLATFORM_NOT_FOUND_KHR\n"


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("Arch Linux in Termux on a phone (aarch64).", "no-nvidia-gpu"),
        ("OS: Android 14", "no-nvidia-gpu"),
        ("CPU: 8x Qualcomm Technologies, Inc MSM8952", "no-nvidia-gpu"),
        ("SoC: Snapdragon 8 Gen 2", "no-nvidia-gpu"),
        ("/data/data/com.termux/files/usr/bin/hashcat -b", "no-nvidia-gpu"),
        ("OS: Ubuntu 22.04", "unknown"),
        ("OS: Android Studio on Ubuntu", "unknown"),
        ("Would it find one if I ran it in Termux?", "unknown"),
        ("The model is then used in Termux. GPU: RTX 3060", "unknown"),
    ],
)
def test_a_phone_has_no_gpu_of_nvidias(where: str, cause: str):
    assert ruled(f"{where}\n{NO_PLATFORM}") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "My graphics card is an AMD.\nno GPU devices with CUDA support available\n",
            "no-nvidia-gpu",
        ),
        ('GPU: AMD Radeon RX 7800 XT\nLoadLibrary "nvcuda.dll" Failed!\n', "no-nvidia-gpu"),
        (
            "GPU: AMD Radeon RX 580\nUndefVarError: `libcuda` not defined in `CUDA`\n",
            "no-nvidia-gpu",
        ),
        (
            (
                "GPU[0]\t\t: Card vendor: \tAdvanced Micro Devices, Inc. [AMD/ATI]\nNo GPU to "
                "monitor\n"
            ),
            "no-nvidia-gpu",
        ),
        ("Google Colab\nError: Found no Cycles device of the specified type\n", "no-nvidia-gpu"),
        ("amdgpu devices detected but permission problems block access\n", "no-nvidia-gpu"),
        (
            (
                "/Library/Python/3.11/lib/python/site-packages/torch/x.py\nAssertionError: "
                "Torch not compiled with CUDA enabled\n"
            ),
            "no-nvidia-gpu",
        ),
    ],
)
def test_programs_that_ask_for_what_is_not_there(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("I run the GPU build on a CPU instance, and it aborts.", "no-nvidia-gpu"),
        ("We deployed the same image on a CPU node.", "no-nvidia-gpu"),
        ("Should I run it on a CPU instance?", "driver-too-old"),
        ("It runs on a CPU instance of another team without trouble.", "driver-too-old"),
    ],
)
def test_a_machine_of_a_cloud_that_has_a_cpu_alone(told: str, cause: str):
    error = "CUDA: CUDA driver version is insufficient for CUDA runtime version"
    assert ruled(f"{told}\nCheck failed: e == cudaSuccess (35 vs. 0) : {error}\n") == cause
