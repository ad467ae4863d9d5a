"""Windows, the toolkit and cuDNN, as people tell of theirs in a sentence."""

import pytest

from gpuprobe.facts import names, said
from gpuprobe.facts.pasted import read


@pytest.mark.parametrize(
    "sentence",
    [
        "I run it on a Windows 11 laptop",
        "我本地win10机器",
        "same on my PC (win 11)",
        "TensorFlow is not detecting the GPU on Windows 11",
        "My system is Windows 11. The card is new.",
        "(venv) D:\\ComfyUI>python main.py",
        "PS C:\\Users\\me> python train.py",
        '  File "C:\\Python311\\lib\\site-packages\\torch\\cuda\\__init__.py", line 293',
        "C:\\Python311\\Lib\\whisper\\transcribe.py:115: UserWarning: FP16 is not supported on CPU",
    ],
)
def test_windows_is_told(sentence: str) -> None:
    assert read(sentence).known(names.OS_SYSTEM) == "Windows"


@pytest.mark.parametrize(
    "sentence",
    [
        "It works on Windows 10",
        "I do not use Windows 11",
        "this is not on Windows 10",
        "Windows 11.0.22631 is what the image is called",
        "on Windows 11 with WSL",
        "my colleague's Windows 10 machine",
        "see C:\\notes.txt:12 of the manual",
        "two windows 1080 pixels wide",
        "on Windows 10\nand here on Ubuntu as well",
    ],
)
def test_windows_is_not_told(sentence: str) -> None:
    assert read(sentence).known(names.OS_SYSTEM) != "Windows"


@pytest.mark.parametrize(
    ("sentence", "toolkit", "cudnn"),
    [
        ("I am using CUDA 11.8 and cuDNN 8.9.1", "11.8", "8.9.1"),
        ("We have cuda toolkit v12.2 here", "12.2", None),
        ("本来就有cuda12.2 同样方法安装好后", "12.2", None),
        ("I have CUDA 11.8. CUDA 11.8 is on the path.", "11.8", None),
        ("I have CUDA 11.8, and before that CUDA 12", None, None),
        ("I use PyTorch 2.0 with CUDA 11.8", None, None),
        ("I have the CUDA 11.8 version of PyTorch", None, None),
        ("It is built for CUDA 11.8", None, None),
        ("my driver is of CUDA 12.2", None, None),
        ("CUDA 12.4 or newer is required", None, None),
        ("I ran cuda-11.8.run", None, None),
    ],
)
def test_toolkit_is_told(sentence: str, toolkit: str | None, cudnn: str | None) -> None:
    facts = read(sentence)
    told = [facts.known(key) for key in (names.TOOLKIT_VERSION, said.CUDNN_VERSION)]
    assert [None if each is None else str(each) for each in told] == [toolkit, cudnn]
