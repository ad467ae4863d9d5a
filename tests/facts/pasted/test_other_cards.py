"""Who says that there is no card of NVIDIA's, and who says something else."""

from __future__ import annotations

import pytest

from support.pasted import told

COUNT, MAKER = "pci.nvidia_gpu_count", "pci.0.vendor"


@pytest.mark.parametrize(
    ("text", "maker"),
    [
        ("I have an AMD.", "amd"),
        ("but I have a RX570 GPU", "amd"),
        ("My PC has an AMD Radeon RX 6700 XT", "amd"),
        ("Hi, I'm using an AMD gpu.", "amd"),
        ('It says "check that you have an NVIDIA GPU", but I have a Radeon', "amd"),
        ("My laptop used Intel(R) Iris(R) Xe Graphics", "intel"),
        ("AMD Radeon RX 6700 XT on Windows", "amd"),
        ("GPU: Radeon RX 7900 XTX", "amd"),
        ("I only have integrated graphics", "intel"),
        ("I have an ATI graphics card", "amd"),
        ("Windows 7, ATI graphic card", "amd"),
        ("我用的是AMD显卡", "amd"),
        ("装的是最新版\uff0c用的是 AMD 显卡", "amd"),
        ("显卡是AMD的", "amd"),
    ],
)
def test_card_of_another_maker_is_told(text: str, maker: str) -> None:
    found = told(text)
    assert (found[COUNT], found[MAKER]) == (0, maker)


@pytest.mark.parametrize(
    "text",
    [
        "I don't have any NVIDIA adapter on my laptop",
        "I run this on a Linux VM w/o any GPU.",
        "My computer doesn't have a dedicated GPU",
        "We use a server with no NVIDIA GPU.",
        "我的电脑没有独立显卡",
        "Inside a VM which has no GPU",
        "We don't even have a GPU",
        "I don't own a dedicated GPU",
        "I ran the example on a computer with CPUs but without GPUs.",
        "our server with 64 Xeon cores and no GPU",
    ],
)
def test_machine_without_a_card_is_told(text: str) -> None:
    assert told(text)[COUNT] == 0


@pytest.mark.parametrize(
    "text",
    [
        "I have an AMD CPU and want to train",
        "I have an AMD Ryzen 9 5900X",
        "Radeon RX 580 is what the maintainers test with, I think",
        "AMD Radeon RX 580\nNVIDIA GeForce GTX 1060",
        "if you don't have an NVIDIA GPU use --cpu",
        "My laptop has Intel UHD and NVIDIA graphics",
        "I have an AMD GPU beside it\nthe RTX 3090 is card 1",
        "I have no GPU memory left on this machine",
        "this machine has no GPU support in its kernel",
        "run it on a machine without a GPU",
        "I disabled my integrated GPU",
        "Windows 7, ATI graphics card support",
        "OS: Linux, and ATI is what the others have",
        "I added it for users with AMD GPUs",
        "My other PC has an AMD GPU",
        "I have an Intel(R) Xeon(R) CPU",
        "In PyTorch, no GPU.",
        "Since the update my laptop has no GPU",
        "In the container I have no GPU",
        "Inside the VM I have no GPU",
        "Inside the VM we don't have an NVIDIA card.",
        "the node has no GPU in Kubernetes",
        "a computer with CPUs but without GPU support",
        "if you have a machine with a CPU but no GPU",
        "如果用 AMD 显卡会怎样\uff1f",
        "处理器是AMD的",
    ],
)
def test_other_sentences_tell_of_no_card(text: str) -> None:
    assert COUNT not in told(text)


def test_the_sentence_that_tells_of_no_card_is_kept() -> None:
    found = told("It stops. This laptop has no GPU. What now?")
    assert (found[COUNT], found["machine.without_gpu_told"]) == (0, "This laptop has no GPU.")
    assert "machine.without_gpu_told" not in told("This laptop has no GPU memory left")


def test_another_makers_card_does_not_tell_that_there_is_none_whatever() -> None:
    found = told("My PC has an AMD Radeon RX 6700 XT")
    assert found[COUNT] == 0
    assert "machine.without_gpu_told" not in found
