"""What pip does not find: another Python is to blame, or the index that it looked at."""

from __future__ import annotations

import pytest

from gpuprobe import explain
from gpuprobe.diagnosis.questions.packages.pythons import taken_instead
from gpuprobe.facts import names
from gpuprobe.facts.version import Version
from support.pasted import finding, printed

TABLE_OF_PYTHON = (
    "detectron2._C             failed to import\nPython                    {} (default)\n"
)
TABLE_OF_PYTHON += (
    "PyTorch                   1.4.0 @/x\nGPU 0                     GeForce GTX 1660\n"
)
TABLE_OF_PYTHON += "RuntimeError: CUDA error: no kernel image is available for execution\n"


def test_detectron2s_table_tells_the_python() -> None:
    told = explain(TABLE_OF_PYTHON.format("3.7.4")).facts
    assert told.known(names.PYTHON_VERSION) == Version("3.7.4")


_NONE = "ERROR: Could not find a version that satisfies the requirement {} (from versions: none)\n"
_INDEX = "Looking in indexes: https://download.pytorch.org/whl/{}\n"


def fix(pasted: str) -> tuple[str, tuple[str, ...]]:
    found = finding(pasted).fix
    return (found.text, found.commands) if found else ("", ())


def test_an_index_that_pytorch_has_not_is_named():
    pasted = _INDEX.format("cu131") + _NONE.format("torch==2.10.0")
    assert finding(pasted).title == "PyTorch has no index cu131: pip finds no torch there"
    (command,) = fix(pasted)[1]
    assert command.startswith("pip install torch==2.10.0 ")
    assert command.endswith("--index-url https://download.pytorch.org/whl/cu130")


def test_of_an_index_that_it_has_the_python_is_to_blame():
    pasted = _INDEX.format("cu121") + _NONE.format("torch==2.1.2")
    assert "there are builds for Python 3.8 to 3.11" in finding(pasted).title
    assert fix(pasted)[1][-1].endswith(
        "torch==2.1.2+cu121 --index-url https://download.pytorch.org/whl/cu121"
    )


@pytest.mark.parametrize(
    ("version", "where"),
    [
        ("1.12.1+cu113", "--index-url https://download.pytorch.org/whl/cu113"),
        ("1.10.0+cu113", "-f https://download.pytorch.org/whl/torch_stable.html"),
    ],
)
def test_a_tag_is_looked_for_where_it_is(version: str, where: str):
    text, commands = fix(_NONE.format(f"torch=={version}"))
    assert commands[-1] == f"pip install torch=={version} {where}"
    assert "own pages" in text
    assert "give it, as the last command does. Where it was: " in text


def test_without_a_tag_no_index_is_named():
    text, commands = fix(_NONE.format("torch==1.12.1"))
    assert commands[-1] == "pip install torch==1.12.1"
    assert "own pages" not in text


def test_what_pip_is_asked_for_is_the_package():
    commands = fix(_NONE.format("onnxruntime-gpu==1.16.3"))[1]
    assert commands[-1] == "pip index versions onnxruntime-gpu"


def test_a_jaxlib_with_a_tag_is_of_jaxs_own_page():
    pasted = _NONE.format("jaxlib==0.4.14+cuda12.cudnn89")
    assert "own page" in finding(pasted).title
    assert fix(pasted)[1][0] == 'pip install --upgrade "jax[cuda12]"'
    assert "own page" not in finding(_NONE.format("jaxlib==0.4.14")).title


def test_a_wheel_is_installed_where_its_python_is():
    wheel = "h2o4gpu-0.3.2-cp36-cp36m-linux_x86_64.whl"
    pasted = f"Python 3.7.4\nERROR: {wheel} is not a supported wheel on this platform.\n"
    text, commands = fix("cuda torch gpu\n" + pasted)
    assert commands[-1] == f"pip install ./{wheel}"
    assert "a release of h2o4gpu" in text


def test_the_same_python_of_64_bits_is_what_is_missing():
    bits = "Python 3.10.6 (tags/v3.10.6:9c7b4bd, Aug  1 2022) [MSC v.1932 {} bit ({})]\n"
    pasted = bits.format("32", "Intel") + _NONE.format("torch==1.13.1+cu117")
    assert fix(pasted)[1][0] == "winget install --architecture x64 Python.Python.3.10"


def test_a_python_that_has_builds_gets_a_newer_pip():
    pasted = "Python version: 3.10.1\n" + _NONE.format("torch")
    assert "on this platform" in finding(pasted).title
    assert "python -m pip install --upgrade pip" in fix(pasted)[1]


REFUSED = "ERROR: Package 'vllm' requires a different Python: {} not in '{}'\n"
IGNORED = (
    "Python version: {}\nERROR: Ignored the following versions that require a different python "
    "version: 0.5.0 Requires-Python {}\nERROR: Could not find a version that satisfies the "
    "requirement isaacsim==0.5.0 (from versions: none)\n"
)


@pytest.mark.parametrize(
    ("there", "asked", "taken"),
    [
        ("3.7.1", ">=3.9", "3.9"),
        ("3.12.3", "<3.12,>=3.8", "3.11"),
        ("3.6.9", ">=3.7.1", "3.7"),
        ("3.12.3", "~=3.10.0", "3.10"),
        ("3.12.3", "<=3.11", "3.10"),
        ("3.12.3", "!=3.12.*,>=3.10", "3.11"),
    ],
)
@pytest.mark.parametrize("text", [REFUSED, IGNORED])
def test_the_nearest_python_that_is_taken_is_named(
    text: str, there: str, asked: str, taken: str
) -> None:
    pasted = text.format(there, asked)
    assert f"conda create --name gpu python={taken}" in printed(pasted)


@pytest.mark.parametrize("asked", ["<3", "==2.7.*", "of today"])
def test_no_python_is_named_that_no_package_tells(asked: str) -> None:
    assert taken_instead(f"3.7.1 not in '{asked}'", None) is None


REMOVED = 'OS: {}\nERROR: The "tensorflow-gpu" package has been removed!\n'


def test_windows_itself_gets_no_tensorflow_for_the_cpu() -> None:
    told = printed(REMOVED.format("Microsoft Windows 11 Pro"))
    assert "WSL 2" in told
    assert "wsl.exe --install" in told
    linux = finding(REMOVED.format("Ubuntu 22.04")).fix
    assert linux.commands == ('pip install "tensorflow[and-cuda]"',)


def test_a_wheel_is_told_by_its_file_and_a_package_without_the_sentences_end() -> None:
    file = "tensorflow_gpu-1.13.1-cp35-cp35m-win_amd64.whl"
    refused = f"ERROR: https://example.org/windows/{file} is not a supported wheel on this platform"
    assert finding(refused).title == f"{file} is for another Python or platform"
    assert "tensorflow-addons." not in printed(
        "No matching distribution found for tensorflow-addons."
    )
