"""What sentences tell of the reporter's machine, and what they tell of others'."""

from __future__ import annotations

import pytest

from support.pasted import told


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("I run this on my RTX4090 at home", "gpu.0.name", "RTX 4090"),
        ("GPU3090\uff0cCUDA 12.4", "gpu.0.name", "GeForce RTX 3090"),
        ("it is a V100 32GB in the cluster", "gpu.0.name", "V100"),
        ("there is an old GT 620 in it", "gpu.0.name", "GT 620"),
        ("an NVS 315 drives the monitors", "gpu.0.name", "NVS 315"),
        ("I use driver 570.86.16 on Ubuntu", "driver.version", "570.86.16"),
        ("NVIDIA driver 535 is installed", "driver.version", "535"),
        ("(535.104.05 driver)", "driver.version", "535.104.05"),
        ("my env: pytorch 2.3.0 and flash_attn==2.5.8, thanks", "package.torch.version", "2.3.0"),
        (
            "I ran pip install torch --index-url https://download.pytorch.org/whl/cu118",
            "package.torch.cuda",
            "11.8",
        ),
        ("conda install pytorch==1.7.0 cudatoolkit=10.1 -c pytorch", "package.torch.cuda", "10.1"),
        ("MacBook Pro M2 here. Error: not compiled with CUDA", "os.system", "Darwin"),
        ("On my MacBook M1 nothing works", "os.system", "Darwin"),
        ("我在MacBook M1上运行", "os.system", "Darwin"),
        ("I use MacOS Monterey and VS Code", "os.system", "Darwin"),
        ("my system is Mac OS X version 10.15.7", "os.system", "Darwin"),
        ("显卡3060, 驱动版本470.256.02", "driver.version", "470.256.02"),
        ("驱动是535.104.05, 重启过了", "driver.version", "535.104.05"),
        ("torch版本2.3.1+cpu", "package.torch.version", "2.3.1+cpu"),
        ("pytorch 的版本号是 2.4.0", "package.torch.version", "2.4.0"),
        ("python3.8, torch2.3.1+cu121, no GPU", "package.torch.version", "2.3.1+cu121"),
        ("tf.config lists none, TF 2.16.1", "package.tensorflow.version", "2.16.1"),
        ("tf2.9 without GPU, import tensorflow", "package.tensorflow.version", "2.9"),
        ("TF 2.16 here.\ntensorflow 2.16.1 from pip", "package.tensorflow.version", "2.16.1"),
        (
            "It requires TensorFlow 2.6. With tensorflow 2.4.1 here it fails on my GPU.",
            "package.tensorflow.version",
            "2.4.1",
        ),
        ("MacBook M1 works only on the CPU", "os.system", "Darwin"),
        ("This happens in WSL2 only", "wsl.version", "2"),
        ("OS: Bash on Windows (Ubuntu)", "wsl.version", "1"),
        ("I use the Linux subsystem on Windows 11", "wsl.version", "2"),
        ('File "/mnt/c/Users/user/x.py", line 1', "wsl.version", "2"),
    ],
)
def test_a_sentence_tells(text: str, name: str, value: str) -> None:
    assert str(told(text)[name]) == value


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("requires an RTX 3090 or newer", "gpu.0.name"),
        ("see C:\\models\\rtx4090\\run.bat", "gpu.0.name"),
        ("the paper used T4 and L4 layers", "gpu.0.name"),
        ("a GT 650i of another maker", "gpu.0.name"),
        ("drivers 535.104.05 and driver 570.86.16 both fail", "driver.version"),
        ("needs driver 570.86.16 or newer", "driver.version"),
        ("Intel graphics driver 101.55", "driver.version"),
        ("fixed in torch 2.6.0", "package.torch.version"),
        ("Numba needs NumPy 1.24 or less", "package.numpy.version"),
        ("torch 2.1 fails and torch 2.2 fails", "package.torch.version"),
        ("CUDA used to build PyTorch: 12.1", "package.torch.version"),
        (
            "please pip install torch --index-url https://download.pytorch.org/whl/cu118",
            "package.torch.cuda",
        ),
        ("it works on a MacBook Pro M2. Here it fails", "os.system"),
        ("MacBook M1 works", "os.system"),
        ("I use macOS 10.13 with its driver", "os.system"),
        ("the big sur of the file system", "os.system"),
        ("On my MacBook the same code runs fine", "os.system"),
        ("On an Apple M2, it works", "os.system"),
        ("MacBook Air M2 runs this fine", "os.system"),
        ("this is native Linux, not WSL", "wsl.version"),
        ("Git Bash on Windows 10", "wsl.version"),
        ("驱动需要升级到535.104.05以上, 或者驱动535.104.05及以上", "driver.version"),
        ("TF 1.12 of ROS lists the frames", "package.tensorflow.version"),
        ("import tensorflow; TF 2.12 works on it, but TF 2.13", "package.tensorflow.version"),
        ("import keras fails.\nTF 2.12 in the container works", "package.tensorflow.version"),
        ("the wheel flash-2.6+cu123torch2.3cxx11abi", "package.torch.version"),
    ],
)
def test_a_sentence_about_others_tells_nothing(text: str, name: str) -> None:
    assert name not in told(text)


def test_a_tool_counts_more_than_a_sentence() -> None:
    text = "driver 470.1.1 it was\nNvidia driver version: 535.104.05\nI have an RTX 3090"
    assert told(text)["driver.version"] == "535.104.05"
