"""A machine without an NVIDIA GPU, told by bare messages and people."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system."
COLAB = 'Select the Runtime > "Change runtime type" menu to enable a GPU accelerator, '
NO_GPU_OF_RELEASE = (
    "You do not appear to have an NVIDIA GPU supported by the 470.57.02 NVIDIA Linux"
)
CHECK_FOR_A_DRIVER = (
    "\nRuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA"
    " GPU and installed a driver from http://www.nvidia.com/Download/index.aspx"
)
FORM = "GPU model and memory: {}\nCUDA failure 100: no CUDA-capable device is detected"
ASSERTED_NO_DRIVER = "AssertionError: Found no NVIDIA driver on your system.\n"
IN_COLAB = "I run the notebook in colab.\n"
TOO_OLD = "RuntimeError: CUDA driver version is insufficient for CUDA runtime version\n"
NO_DRIVER_LINE = "RuntimeError: Found no NVIDIA driver on your system.\n"
NO_HIP = "RuntimeError: No HIP GPUs are available\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"GPU: AMD Radeon RX 580\n{NO_DRIVER}", "no-nvidia-gpu"),
        (COLAB, "no-nvidia-gpu"),
        (f"print('{COLAB}')", "unknown"),
        ("Not connected to a GPU", "no-nvidia-gpu"),
        ("We are not connected to a GPU vendor in any way", "unknown"),
        ("Google Colab\nNo GPU/TPU found, falling back to CPU.", "no-nvidia-gpu"),
        (NO_GPU_OF_RELEASE, "no-nvidia-gpu"),
        (
            (
                "00:08.0 VGA compatible controller: Microsoft Corporation Hyper-V virtual VGA\n"
                "No devices were found"
            ),
            "no-nvidia-gpu",
        ),
        ("I have an AMD gpu (RX 580)." + CHECK_FOR_A_DRIVER, "no-nvidia-gpu"),
        ("%cd /content" + CHECK_FOR_A_DRIVER, "no-nvidia-gpu"),
        ("if I do not have an NVIDIA GPU this is slow", "unknown"),
        (FORM.format("CPU-only machine"), "no-nvidia-gpu"),
        (FORM.format("no GPU"), "no-nvidia-gpu"),
        (
            ASSERTED_NO_DRIVER + "I run it on my system which does not have any gpu.",
            "no-nvidia-gpu",
        ),
        (ASSERTED_NO_DRIVER + "I run it on our cluster which has no GPU", "no-nvidia-gpu"),
        (
            ASSERTED_NO_DRIVER + "I tried it on an Intel PC, without Nividia and CUDA.",
            "no-nvidia-gpu",
        ),
        (ASSERTED_NO_DRIVER + "I don't have an nvida graphics card", "no-nvidia-gpu"),
        (IN_COLAB + "RuntimeError: No CUDA GPUs are available", "no-nvidia-gpu"),
        (IN_COLAB + "AssertionError: CUDA is not available", "no-nvidia-gpu"),
        (TOO_OLD + "GPU: Radeon RX 580 Series", "no-nvidia-gpu"),
        (TOO_OLD + "It was started on a PC without Nvidia graphic card", "no-nvidia-gpu"),
        ("OS: macOS\ndlopen(libcuda.dylib, 1): image not found", "no-nvidia-gpu"),
        ("dlopen(libfoo.dylib, 1): image not found", "unknown"),
        ("There is no CUDA device in this machine.\nCUDA_ERROR_NO_DEVICE", "no-nvidia-gpu"),
        (NO_DRIVER_LINE + "My laptop has Intel Iris Xe Graphics", "no-nvidia-gpu"),
        (NO_DRIVER_LINE + "I'm using an AMD gpu", "no-nvidia-gpu"),
        (NO_HIP, "no-nvidia-gpu"),
        ("I compare HIP GPUs with those of CUDA", "unknown"),
        ("RuntimeError: HIP error: invalid device function", "no-nvidia-gpu"),
        ("RuntimeError: No CUDA GPUs are available\nI run this on Google Colab", "no-nvidia-gpu"),
        ("see the notebook at colab.research.google.com for RuntimeError", "unknown"),
        # Question of a desktop's guest.
        ("Can I use CUDA inside a VMware guest?", "no-nvidia-gpu"),
        ("Is it possible to use the GPU in VirtualBox?", "no-nvidia-gpu"),
        (
            "It is to be built with CUDA inside the VMware guest. Can it have CUDA there?",
            "no-nvidia-gpu",
        ),
        ("Can I use CUDA in VMware ESXi with passthrough?", "unknown"),
        ("I use CUDA on the host and VMware for mail. Can it print?", "unknown"),
    ],
)
def test_a_machine_without_an_nvidia_gpu_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "GPU: AMD Radeon RX 580\nHow do I sort a list?",
        "no GPU detected, will be using CPU, says a test of ours that should fail",
        "Is there no CUDA device in this machine?",
    ],
)
def test_kin_of_a_machine_without_an_nvidia_gpu_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        ASSERTED_NO_DRIVER + "If your system does not have any gpu, use the CPU.",
        ASSERTED_NO_DRIVER + "our cluster does not have any GPU memory left",
        ASSERTED_NO_DRIVER + "a PC without Nvidia driver and CUDA",
        "see colab.research.google.com\nRuntimeError: No CUDA GPUs are available",
        IN_COLAB + "AssertionError: the tokenizer is not available",
        NO_DRIVER_LINE + "I have an AMD CPU",
    ],
)
def test_this_is_not_a_machine_without_an_nvidia_gpu(text: str):
    assert ruled(text) != "no-nvidia-gpu"


def test_graphics_of_a_processor_leave_room_for_a_card():
    driver = "RuntimeError: Found no NVIDIA driver on your system."
    assert (
        ruled(f"Laptop specs: Ryzen 9 7940HS (Radeon 780M) + 4060\n{driver}\n") != "no-nvidia-gpu"
    )


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("the system is one without an NVidia GPU", "no-nvidia-gpu"),
        ("the system is one without an NVidia GPU driver of 2020", "driver-too-old"),
    ],
)
def test_somebody_tells_that_there_is_no_gpu(sentence: str, cause: str):
    error = "CUDA error 35: CUDA driver version is insufficient for CUDA runtime version.\n"
    assert ruled(f"{error}{sentence}\n") == cause


LSHW = """H/W path    Device  Class      Description
==========================================
/0/100/8            display    {device}
RuntimeError: Found no NVIDIA driver on your system.
"""


@pytest.mark.parametrize(
    ("device", "cause"),
    [
        ("Hyper-V virtual VGA", "no-nvidia-gpu"),
        ("GA102 [GeForce RTX 3090]", "driver-missing"),  # the maker is left out
        ("Some Graphics", "driver-missing"),
    ],
)
def test_a_short_list_of_lshw_shows_a_virtual_card_alone(device: str, cause: str):
    assert ruled(LSHW.format(device=device)) == cause


NO_DEVICE = "cuda runtime error (38) : no CUDA-capable device is detected at /src/init.c:12\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("I'm using a small instance **without** NVIDIA device.", "no-nvidia-gpu"),
        ("I'm using a small instance **without** NVIDIA drivers.", "driver-not-loaded"),
    ],
)
def test_a_word_that_stands_out_is_read_like_others(told: str, cause: str):
    assert ruled(f"{told}\n{NO_DEVICE}") == cause


LAPTOP = """Laptop: Aspire 5740G, {card}
cuda runtime error (38) : no CUDA-capable device is detected at /tmp/THCGeneral.c:70
"""


@pytest.mark.parametrize(
    ("card", "cause"),
    [
        ("ATI Mobility Radeon HD 5650 1GB", "no-nvidia-gpu"),
        ("GeForce GT 540M 1GB", "driver-not-loaded"),
    ],
)
def test_a_laptops_card_of_another_maker_is_told_in_a_list(card: str, cause: str):
    assert ruled(LAPTOP.format(card=card)) == cause


BOXES = "Are you using a GPU?\n- [{}] NVIDIA\n- [ ] AMD\n- [{}] Intel\n"
OLD_DRIVER = "CUDA failure 35: CUDA driver version is insufficient for CUDA runtime version\n"


@pytest.mark.parametrize(
    ("nvidia", "intel", "cause"),
    [(" ", "x", "no-nvidia-gpu"), ("x", " ", "driver-too-old"), ("x", "x", "driver-too-old")],
)
def test_the_box_that_alone_is_ticked_tells_the_maker(nvidia: str, intel: str, cause: str):
    assert ruled(OLD_DRIVER + BOXES.format(nvidia, intel)) == cause


@pytest.mark.parametrize(
    ("gpu", "cause"),
    [("AMD Radeon RX 580", "no-nvidia-gpu"), ("NVIDIA GeForce RTX 3060", "unknown")],
)
def test_a_program_warns_that_it_finds_no_gpu(gpu: str, cause: str):
    assert ruled(f"GPU: {gpu}\nWARNING: No GPU detected. It will be slow.\n") == cause


FAILING = "no CUDA-capable device is detected (cudaErrorNoDevice)\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("there is currently no nvidia card present in this machine", "no-nvidia-gpu"),
        ("there is no nvidia card memory left in this machine", "driver-not-loaded"),
        ("if there is no nvidia card present in the machine, it stops", "driver-not-loaded"),
    ],
)
def test_somebody_says_that_there_is_no_card(told: str, cause: str):
    assert ruled(f"{FAILING}{told}\n") == cause


@pytest.mark.parametrize(
    ("specs", "cause"),
    [
        ("System specs are a Ryzen 7 3700x and a Radeon 6700XT.", "no-nvidia-gpu"),
        ("Laptop Specs: Ryzen 5 5600H (8 GB/512 GB SSD/AMD Radeon RX 5500M)", "no-nvidia-gpu"),
        ("System specs are a Ryzen 7 3700x and a GeForce GTX 1660.", "driver-missing"),
        ("The specs of Radeon 6700XT are good.", "driver-missing"),
    ],
)
def test_somebody_lists_what_the_machine_has(specs: str, cause: str):
    assert ruled(f"{specs}\n{NO_DRIVER}\n") == cause


@pytest.mark.parametrize(
    ("machine", "eta", "cause"),
    [
        ("Machine: Apple M1 Pro", "7 days, 6:13:20", "no-nvidia-gpu"),
        ("Machine: Apple M1 Pro", "0:13:20", "unknown"),
        ("Machine: a workstation", "7 days, 6:13:20", "unknown"),
    ],
)
def test_a_training_takes_days_on_a_mac(machine: str, eta: str, cause: str):
    log = f"[04/17 13:23:04 d2.utils.events]:  eta: {eta}  iter: 19  total_loss: 1.87  time: 7.0"
    assert ruled(f"{machine}\n{log}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("This laptop has no GPU", "no-nvidia-gpu"),
        ("It is a PC without a CUDA-capable card", "no-nvidia-gpu"),
        ("I currently have no GPU", "no-nvidia-gpu"),
        ("No dedicated GPU is installed", "no-nvidia-gpu"),
        ("my machine only has a CPU", "no-nvidia-gpu"),
        ("The device has CPU only", "no-nvidia-gpu"),
        ("Windows 11, no gpu", "no-nvidia-gpu"),
        ("I'm running without a GPU", "no-nvidia-gpu"),
        ("It is a non-GPU instance", "no-nvidia-gpu"),
        ("I don't even have a GPU", "no-nvidia-gpu"),
        ("I do not own a GPU", "no-nvidia-gpu"),
        ("We don't even own an NVIDIA card.", "no-nvidia-gpu"),
        ("It runs in a VM that has no GPU", "no-nvidia-gpu"),
        ("Docker container on a machine that has no GPU", "no-nvidia-gpu"),
        ("没有显卡", "no-nvidia-gpu"),
        ("没有GPU", "no-nvidia-gpu"),
        ("没有显卡驱动", "driver-missing"),
        ("After the reboot, no GPU", "driver-missing"),
        ("I have no GPU in nvidia-smi", "driver-missing"),
        ("The host has no GPU support", "driver-missing"),
        ("In PyTorch, no GPU.", "driver-missing"),
        ("Reinstalled PyTorch, no GPU.", "driver-missing"),
        ("Since the update my laptop has no GPU", "driver-missing"),
        ("My laptop has no GPU after a kernel upgrade", "driver-missing"),
        ("I don't even own a GPU monitor", "driver-missing"),
        ("If the machine has no GPU, it stops", "driver-missing"),
        ("It works on a machine without a GPU", "driver-missing"),
        ("Run it on a machine without a GPU", "driver-missing"),
        ("The device has CPU only builds", "driver-missing"),
        ("The machine with the RTX 3080 has no GPU", "driver-missing"),  # it names one
        ("We start the same program on boxes that have no GPU at all, and there", "no-nvidia-gpu"),
        ("On servers which have no graphics card the import prints this", "no-nvidia-gpu"),
        ("It also happens on boxes that have no GPU.", "driver-missing"),
        ("Do we see it on boxes that have no GPU?", "driver-missing"),
    ],
)
def test_a_machine_is_told_to_have_no_card(told: str, cause: str):
    assert ruled(f"{told}\n{NO_DRIVER_LINE}") == cause


@pytest.mark.parametrize(
    "failed",
    [
        "RuntimeError: FAILED_PRECONDITION: No visible GPU devices.",
        "The Conv2D op currently only supports the NHWC tensor format on the CPU.",
        "It can't use the GPU",
    ],
)
def test_a_program_misses_the_card_that_a_machine_is_told_to_lack(failed: str):
    assert ruled(f"This laptop has no GPU\n{failed}\n") == "no-nvidia-gpu"
    assert ruled(f"{failed}\n") != "no-nvidia-gpu"


@pytest.mark.parametrize(
    ("card", "cause"), [("an AMD one", "no-nvidia-gpu"), ("another than AMD's", "driver-missing")]
)
def test_a_card_is_said_to_be_amds(card: str, cause: str):
    refused = "RuntimeError: Found no NVIDIA driver on your system."
    assert ruled(f"{refused}\nThe card is {card}.\n") == cause


UNKNOWN = "failed call to cuInit: CUDA_ERROR_UNKNOWN: unknown error\n"


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("I have Windows 10, my GPU is Intel (R) UHD Graphics 620, and Python 3.7.", True),
        ("I have Windows 10, my CPU is Intel (R) Core i7, and Python 3.7.", False),
        ("My GPU is Intel's, the second one is a GeForce GTX 1060.", False),
    ],
)
def test_an_unknown_error_beside_a_card_of_intels_is_of_no_gpu(sentence: str, cause: bool):
    assert (ruled(sentence + "\n" + UNKNOWN) == "no-nvidia-gpu") is cause


NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("It is all in a VM, so the host GPU (an Nvidia one) can't be accessed.", "no-nvidia-gpu"),
        ("In this virtual machine the host's GPU is not visible.", "no-nvidia-gpu"),
        ("It is all in a VM, to which the host GPU is passed on.", "driver-not-loaded"),
    ],
)
def test_a_virtual_machine_is_said_not_to_have_the_gpu_of_its_host(sentence: str, cause: str):
    assert ruled(f"{sentence}\n{NO_DEVICE}") == cause


@pytest.mark.parametrize(
    ("head", "ran", "cause"),
    [
        ("c5.2xlarge", "The test on the head node ends so:", "no-nvidia-gpu"),
        ("c5.2xlarge", "The test on a compute node ends so:", "driver-not-loaded"),
        ("g4dn.xlarge", "The test on the head node ends so:", "driver-not-loaded"),
    ],
)
def test_a_program_ran_on_a_head_node_without_gpu(head: str, ran: str, cause: str):
    nodes = f"Head node: {head}\nCompute nodes: g4dn.metal (T4 GPUs)\n"
    assert ruled(f"{nodes}{ran}\n{NO_DEVICE}") == cause


@pytest.mark.parametrize(
    ("node", "cause"), [("a CPU only node", "no-nvidia-gpu"), ("a node of ours", "unknown")]
)
def test_a_node_without_gpu_has_no_module_of_the_driver(node: str, cause: str):
    refused = "Aborting: NVIDIA kernel module not loaded.\nThe other node has 2 GPUs.\n"
    assert ruled(f"The master is {node}.\n{refused}") == cause


@pytest.mark.parametrize(
    ("field", "cause"),
    [
        ("CPU: AMD Ryzen, AMD graphics", "no-nvidia-gpu"),
        ("Graphics: AMD integrated graphics", "no-nvidia-gpu"),
        # What the processor is called, beside whatever card.
        ("CPU: AMD Ryzen 7 5800H with Radeon Graphics", "driver-too-old"),
        ("CPU: AMD Ryzen, AMD graphics, NVIDIA for work", "driver-too-old"),
    ],
)
def test_a_field_names_the_processors_own_graphics(field: str, cause: str):
    failed = "RuntimeError: CUDA driver version is insufficient for CUDA runtime version"
    assert ruled(f"{field}\n{failed}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("fooocus runs fine for me on amd.", "no-nvidia-gpu"),
        ("It runs on my AMD with other forks.", "no-nvidia-gpu"),
        ("I am on AMD and get this.", "no-nvidia-gpu"),
        ("I run AMD (RX 6700 XT) on linux.", "no-nvidia-gpu"),
        ("It works on my AMD, but on my new card it does not.", "driver-missing"),
        ("It runs on my AMD Ryzen.", "driver-missing"),
        ("My CPU is AMD.", "driver-missing"),
        ("Does it run on AMD?", "driver-missing"),
    ],
)
def test_a_program_works_on_a_card_of_amds(told: str, cause: str) -> None:
    assert ruled(f"{told}\n{NO_DRIVER_LINE}") == cause


@pytest.mark.parametrize(
    "told",
    [
        'I can\'t get past the "runtime error" about the missing nvidia driver.',
        "How can the NVIDIA driver test be skipped?",
        "It stops with a message that there is no NVIDIA GPU.",
    ],
)
def test_a_program_is_told_to_stop_without_nvidias_driver(told: str) -> None:
    assert ruled(f"It runs fine for me on AMD.\n{told}\n") == "no-nvidia-gpu"
    assert ruled(f"{told}\n") != "no-nvidia-gpu"
