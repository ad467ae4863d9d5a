"""A Python for which there is no GPU build, and what only looks like it."""

from __future__ import annotations

import pytest

from gpuprobe.facts import said
from gpuprobe.facts.pasted import read
from support.cases import ruled
from support.pasted import finding

GLIBC = "nvidia-smi: /lib/libc.so.6: version `GLIBC_2.27' not found (required by {})"
PIP = (
    "ERROR: Could not find a version that satisfies the requirement "
    "jaxlib==0.4.29+cuda12.cudnn88 (from versions: {})"
)
APT = "{package} : Depends: python3 (< 3.11) but 3.12.3-0ubuntu1 is to be installed\n"
UV = "Because torch==1.13.1 has no wheels with a matching Python ABI tag (e.g., `cp312`), we can"
UV_PLATFORM = (
    "error: Distribution `torch==2.5.1 @ registry+https://pypi` can't be installed because it"
    " doesn't have a source distribution or wheel for the current platform"
)
SATISFY = "Because the current Python version (3.8.10) does not satisfy Python>=3.9 and {}"
DEPENDS = "{}==2.5.0 depends on Python>=3.9, we can conclude that {}==2.5.0 cannot be used."
PLATFORM = (
    "error: Distribution `{}==2.6.0+cu124 @ registry+https://host/whl` can't be installed"
    " because it doesn't have a source distribution or wheel for the current platform"
)
WITHIN = "- package {}-1.12.1-py3.10 requires python >=3.10,<3.11.0a0, but none of the providers"
CONDA = "Your python: python=3.11\n  - {} -> python[version='3.5.*|3.6.*']"
TAGS = "hint: You're using CPython 3.14, but `{}` (v2.7.1) only has wheels with the following tags"
PLATFORMS = "hint: Wheels are available for `{}` (v12.4.5.8) on the following platforms: `any`"
NONE_AT_ALL = "requirement torch==1.10.0+cu113 (from versions: {versions})\n"
NO_FILE = "ERROR: No matching distribution found for torch==1.10.0+cu113\n"
NO_BUILD = (
    "ERROR: Could not find a version that satisfies the requirement torch "
    "(from versions: {})\nERROR: No matching distribution found for torch\n"
)
NO_TORCH = (
    "ERROR: No matching distribution found for torch==1.9.1+cu111\n"
    "from versions: 0.1.2, 0.1.2.post1\n"
)
PIP_FINDS_NONE = (
    "ERROR: Could not find a version that satisfies the requirement {0} (from versions: {1})\n"
    "ERROR: No matching distribution found for {0}"
)
NONE_FOR_ARM = "ERROR: No matching distribution found for torch=={}\n"
OWN = "/usr/local/lib/python3.11/site-packages/torch/lib/libtorch_python.so"
CPP, C = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/lib64/libc.so.6"


def wants(library: str, version: str, asker: str) -> str:
    return f"ImportError: {library}: version `{version}' not found (required by {asker})"


NO_TRITON = "RuntimeError: Cannot find a working triton installation.\n"
UV_NO_WHEELS = "  ╰─▶ Because {0} has no wheels with a {1}\n"
HINT = "hint: You require CPython 3.13 (`cp313`), but we only found wheels"
PIP_FROM_NONE = (
    "ERROR: Could not find a version that satisfies the requirement {} (from versions: none)"
)
WHEEL_STUB = "INFO:wheel-stub:Testing wheel tensorrt_llm-0.16.0-cp310-cp310-linux_x86_64.whl\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "Python version: 3.13\nTensorFlow version: tf 2.8\n"
                "ERROR: No matching distribution found for tensorflow"
            ),
            "python-unsupported",
        ),
        # There are builds for this Python: the reason is another one.
        (
            (
                "Python version: 3.10\nTensorFlow version: tf 2.8\n"
                "ERROR: No matching distribution found for tensorflow"
            ),
            "unknown",
        ),
        (GLIBC.format("/usr/lib/libtensorflow_framework.so"), "python-unsupported"),
        (GLIBC.format("/.singularity.d/libs/libnvidia-ml.so"), "unknown"),
        (
            (
                "ImportError: TensorFlow requires a 64-bit Python interpreter, but this "
                "interpreter is 32-bit. Reinstall the 64-bit build"
            ),
            "python-unsupported",
        ),
        (PIP.format("0.1.75+cuda11.cudnn805, 0.1.76+cuda11.cudnn82"), "python-unsupported"),
        (PIP.format("0.4.1, 0.4.2"), "unknown"),
        (APT.format(package="python3-libnvinfer"), "python-unsupported"),
        (APT.format(package="python3-numpy"), "unknown"),
        ("OS: Linux, aarch64\n" + NONE_FOR_ARM.format("1.13.1+cu116"), "python-unsupported"),
        ("Machine:  ARM64\n" + NONE_FOR_ARM.format("2.0.1+cu118"), "unknown"),  # of which system?
        # ARM has builds of this release; and the other processor, of the former.
        ("OS: Linux, aarch64\n" + NONE_FOR_ARM.format("2.5.1+cu124"), "unknown"),
        ("OS: Linux, x86_64\n" + NONE_FOR_ARM.format("1.13.1+cu116"), "unknown"),
        (UV, "python-unsupported"),
        ("Because requests==1.0 has no wheels with a matching Python ABI tag", "unknown"),
        (UV_PLATFORM, "python-unsupported"),
        ("Unable to find installation candidates for torch (2.0.0)", "python-unsupported"),
        ("Unable to find installation candidates for pywin32 (305)", "unknown"),
        (
            (
                "RuntimeError: Cannot install on Python version 3.12.0; only versions >=3.8,<3.12"
                " are supported."
            ),
            "python-unsupported",
        ),
        ("It can be installed on Python version 3.12.0", "unknown"),
        (SATISFY.format(DEPENDS.format("torch", "torch")), "python-unsupported"),
        (SATISFY.format(DEPENDS.format("django", "django")), "unknown"),
        (PLATFORM.format("torch"), "python-unsupported"),
        (PLATFORM.format("psycopg2"), "unknown"),
        (WITHIN.format("pytorch"), "python-unsupported"),
        (WITHIN.format("django"), "unknown"),
        (CONDA.format("tensorflow-gpu"), "python-unsupported"),
        (CONDA.format("spyder"), "unknown"),
        (TAGS.format("torch"), "python-unsupported"),
        (TAGS.format("psycopg2"), "unknown"),
        (PLATFORMS.format("nvidia-cublas-cu12"), "python-unsupported"),
        (PLATFORMS.format("pywin32"), "unknown"),
        (
            (
                "Python Version: CPython 3.8.10\n"
                "The installation of cudf-cu11 for version 23.10.2 failed.\n"
            ),
            "python-unsupported",
        ),
        ("The installation of the driver for version 23 failed.\n", "unknown"),
        ("Python version: 3.9\n" + WHEEL_STUB, "python-unsupported"),
        ("Python version: 3.10\n" + WHEEL_STUB, "unknown"),
        (WHEEL_STUB, "unknown"),
        (
            "Could not find a version that satisfies the "
            + NONE_AT_ALL.format(versions="none")
            + NO_FILE,
            "python-unsupported",
        ),
        (
            "Could not find a version that satisfies the "
            + NONE_AT_ALL.format(versions="1.11.0, 1.12.0")
            + NO_FILE,
            "python-unsupported",
        ),
        (NO_BUILD.format("none") + "Python Version: 3.12.0", "python-unsupported"),
        (NO_BUILD.format("2.5.0, 2.6.0") + "Python Version: 3.12.0", "unknown"),
        (NO_TORCH + "I use python 3.10 btw", "python-unsupported"),
        (NO_TORCH + "I use python 3.8 btw", "unknown"),
        (NO_TORCH + "They use python 3.10", "unknown"),
        (NO_TORCH + "I am currently using Python version 3.11 and Pip 23.2", "python-unsupported"),
        (NO_TORCH + "DEPRECATION: Python 3.5 reached the end of its life", "python-unsupported"),
        (PIP_FINDS_NONE.format("torch==1.13.1+cu116", "2.0.0, 2.0.1, 2.3.0"), "python-unsupported"),
        (PIP_FINDS_NONE.format("torch==1.13.1+cu116", "1.12.0, 1.13.1, 2.0.0"), "unknown"),
        (wants(CPP, "GLIBCXX_3.4.32", OWN), "python-unsupported"),
        (
            wants(CPP, "GLIBCXX_3.4.30", "/opt/venv/lib/python3.10/site-packages/scipy/_lib.so"),
            "unknown",
        ),
        (wants(C, "GLIBC_2.28", OWN), "python-unsupported"),
        (wants(C, "GLIBC_2.34", "/usr/local/bin/node"), "unknown"),
        ("nvcc: /lib64/libc.so.6: version `GLIBC_2.34' not found", "unknown"),
        ('ERROR: "tensorflow-gpu" package has been removed', "python-unsupported"),
        ('ERROR: "sklearn" package has been removed', "unknown"),
        (NO_TRITON + "OS: Microsoft Windows 11 Pro", "python-unsupported"),
        # What has no file for a Python.
        (
            UV_NO_WHEELS.format("onnxruntime-gpu==1.2.0", "matching\n      Python ABI tag"),
            "python-unsupported",
        ),
        (
            UV_NO_WHEELS.format("vllm==0.4.0", "matching Python version tag (e.g., `cp313`)"),
            "python-unsupported",
        ),
        (
            HINT + " for `tensorflow`\n    (v2.19.0) with the following Python ABI tags: `cp39`",
            "python-unsupported",
        ),
        (HINT, "python-unsupported"),
        (HINT + " for `pyqlib`", "unknown"),
        (
            "Python version: 3.12.1\n" + PIP_FROM_NONE.format("deploy-gpu-python"),
            "python-unsupported",
        ),
        (
            "Python version: 3.12.1\n" + PIP_FROM_NONE.format("some_engine-gpu==1.0"),
            "python-unsupported",
        ),
        (PIP_FROM_NONE.format("deploy-gpu-python"), "unknown"),
        ("Python version: 3.12.1\n" + PIP_FROM_NONE.format("some-engine"), "unknown"),
    ],
)
def test_a_python_without_a_gpu_build_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "TensorFlow requires a 64-bit operating system",
        "python3-tensorboard-data : Depends: python3 (< 3.9) but 3.10.6-1 is to be installed\n",
        "Could not find a version that satisfies the "
        + NONE_AT_ALL.format(versions="1.9.1, 1.10.0, 1.11.0")
        + NO_FILE,
    ],
)
def test_kin_of_a_python_without_a_gpu_build_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


WHEEL = """{machine}
Python 3.11.4
$ pip install torch-2.2.0-cp310-cp310-linux_{arch}.whl
ERROR: torch-2.2.0-cp310-cp310-linux_{arch}.whl is not a supported wheel on this platform.
$ pip install torch
Successfully installed torch-{pip}
AssertionError: Torch not compiled with CUDA enabled
"""


@pytest.mark.parametrize(
    ("machine", "arch", "pip", "cause"),
    [
        ("Device: Jetson AGX Orin, JetPack 6.0", "aarch64", "2.2.0", "python-unsupported"),
        (
            "GPU 0: NVIDIA GeForce RTX 4070 (UUID: GPU-1111)",
            "x86_64",
            "2.2.0+cpu",
            "cpu-only-build",
        ),
    ],
)
def test_a_board_has_its_only_build_for_one_python(machine: str, arch: str, pip: str, cause: str):
    assert ruled(WHEEL.format(machine=machine, arch=arch, pip=pip)) == cause


NO_FILE_OF_1_6 = (
    "ERROR: Could not find a version that satisfies the requirement torch==1.6.0+cu101 (from"
    " versions: 0.1.2, 0.1.2.post1, 0.1.2.post2)"
)


@pytest.mark.parametrize(
    ("python", "cause"), [("3.9.1", "python-unsupported"), ("3.8.5", "unknown")]
)
def test_a_list_tells_how_wide_python_is(python: str, cause: str):
    assert ruled(f"Windows 10, Python {python} (64-bit), RTX 2060\n{NO_FILE_OF_1_6}\n") == cause


NOT_FOUND = """\
ERROR: Could not find a version that satisfies the requirement onnxruntime==1.16.3 \
(from versions: 1.17.0, 1.17.1)
ERROR: No matching distribution found for onnxruntime==1.16.3
"""


def test_what_pip_did_not_find_is_not_installed():
    assert ruled(NOT_FOUND) == "python-unsupported"
    assert ruled("onnxruntime==1.16.3\nonnxruntime.get_device()\nCPU\n") == "cpu-only-build"


IGNORED = (
    "ERROR: Ignored the following versions that require a different python version: 4.0.0 "
    "Requires-Python ==3.10.*; 4.5.0 Requires-Python ==3.10.*\n"
)
NONE = (
    "ERROR: Could not find a version that satisfies the requirement isaacsim==4.5.0 "
    "(from versions: {})\nERROR: No matching distribution found for isaacsim==4.5.0\n"
)


def test_all_releases_need_another_python():
    assert ruled(IGNORED + NONE.format("none")) == "python-unsupported"
    assert ruled(IGNORED + NONE.format("5.0.0, 5.1.0")) != "python-unsupported"


PIP_OF_A_FOLDER = """pip 21.1.3 from c:\\programs\\{folder}\\lib\\site-packages\\pip \
(python 3.9)
ERROR: Could not find a version that satisfies the requirement torch==1.9.0+cu111 (from versions: \
0.1.2)
ERROR: No matching distribution found for torch==1.9.0+cu111
"""


@pytest.mark.parametrize(("folder", "unsupported"), [("python39-32", True), ("python39", False)])
def test_pip_tells_of_a_python_of_32_bits(folder: str, *, unsupported: bool):
    assert (ruled(PIP_OF_A_FOLDER.format(folder=folder)) == "python-unsupported") is unsupported


NONE_FOUND = """Python: 3.13.1
ERROR: Could not find a version that satisfies the requirement {package} (from versions: none)
ERROR: No matching distribution found for {package}
"""


@pytest.mark.parametrize(
    ("package", "cause"), [("faiss-gpu-cu12", "python-unsupported"), ("leftpad", "unknown")]
)
def test_faiss_has_no_build_for_every_python(package: str, cause: str):
    assert ruled(NONE_FOUND.format(package=package)) == cause


PIP_OF_BITS = (
    "Python 3.10.6 (tags/v3.10.6:9c7b4bd, Aug  1 2022, 21:38:17) [MSC v.1932 {} bit ({})]\n"
    "ERROR: Could not find a version that satisfies the requirement torch==2.0.1 (from versions: "
    "none)\nERROR: No matching distribution found for torch==2.0.1"
)


def test_a_python_of_32_bits_gets_no_torch():
    assert ruled(PIP_OF_BITS.format(32, "Intel")) == "python-unsupported"
    assert ruled(PIP_OF_BITS.format(64, "AMD64")) == "unknown"


STUBS = (
    "pip install torch==1.10.0+cu113\nERROR: Could not find a version that satisfies the "
    "requirement torch==1.10.0+cu113 (from versions: {})\n"
    "ERROR: No matching distribution found for torch==1.10.0+cu113\n"
)


def test_of_the_first_releases_alone_none_is_a_build():
    assert ruled(STUBS.format("0.1.2, 0.1.2.post1, 0.1.2.post2")) == "python-unsupported"
    assert ruled(STUBS.format("1.4.0, 1.5.0, 1.6.0, 1.10.0")) == "unknown"


COMMAND = (
    "Python 3.{} (main, Oct 24 2022, 18:26:48)\nRuntimeError: Couldn't install torch.\n"
    'Command: "/opt/venv/bin/python" -m pip install torch==1.12.1+cu113 torchvision==0.13.1\n'
)


def test_the_table_tells_why_a_release_could_not_be_installed():
    assert ruled(COMMAND.format("11.0")) == "python-unsupported"
    assert ruled(COMMAND.format("10.6")) == "unknown"
    cut = 'Python {}\nRuntimeError: Couldn\'t install torch.\nCommand: "python" -m pip install {}\n'
    assert ruled(cut.format("3.11.1", "torch==1.12.")) == "python-unsupported"
    assert ruled(cut.format("3.10.6", "torch==1.12.")) == "unknown"
    assert ruled(cut.format("3.11.1", "torch==")) == "unknown"


@pytest.mark.parametrize(
    ("system", "told"), [("Windows 11", "on Linux alone"), ("Ubuntu 22.04", "this Python")]
)
def test_faiss_has_builds_for_gpus_on_linux_only(system: str, told: str):
    failed = "ERROR: No matching distribution found for faiss-gpu"
    text = f"OS: {system}\n{failed}\n"
    assert ruled(text) == "python-unsupported"
    assert told in finding(text).title


@pytest.mark.parametrize(
    ("told", "bits"),
    [
        ("('32bit', 'WindowsPE')", "32bit"),
        ("my python is 32 bit", "32 bit"),
        ("this Python is a 32-bit one", "32-bit"),
        ("This Python 3.8 is 32 bit", "32 bit"),
        ("my python 3.8 32-bit fails", "32-bit"),
        ("platform.architecture()[0] of this Python says 32 bit.", "32 bit"),
        ("my python is not 32 bit", None),
        ("this python package needs 32 bit floats", None),
        ("my python is in 32 bit precision", None),
        ("('64bit', 'WindowsPE')", None),
        ("this python is new. It is no 32 bit system", None),
        ("the 32-bit floats of my python", None),
    ],
)
def test_a_python_is_told_to_be_of_32_bits(told: str, bits: str | None):
    assert read(told).known(said.SIGN("python-of-32-bits")) == bits


@pytest.mark.parametrize(("release", "is_gone"), [("2.12.0", True), ("2.4.0", False)])
def test_tensorflows_package_for_gpus_is_gone(release: str, *, is_gone: bool) -> None:
    text = f"ERROR: No matching distribution found for tensorflow-gpu=={release}\n"
    assert (finding(text).title == "pip offers no tensorflow-gpu any more") is is_gone


@pytest.mark.parametrize(
    ("asked", "offered", "links", "cause"),
    [
        ("torch==1.7.0+cpu", "0.1.2, 0.1.2.post1, 0.1.2.post2", True, "python-unsupported"),
        ("torch==1.7.1", "0.1.2, 0.1.2.post1", False, "python-unsupported"),
        ("torch==1.7.0+cpu", "0.1.2, 0.1.2.post1, 0.1.2.post2", False, "unknown"),
        ("torch==1.7.2", "1.7.0, 1.7.1, 1.8.0", True, "unknown"),
        ("torch==1.7.0+cu110", "1.4.0, 1.6.0, 1.7.0", True, "unknown"),
    ],
)
def test_a_python_to_which_torchs_placeholders_alone_are_offered(
    asked: str, offered: str, links: bool, cause: str
) -> None:
    """Its number tells nothing: of its first months there were no builds yet."""
    page = "Looking in links: https://download.pytorch.org/whl/torch_stable.html\n" * links
    found = f"Could not find a version that satisfies the requirement {asked}"
    told = f"{page}ERROR: {found} (from versions: {offered})\n"
    assert ruled(f"Python version: 3.9\n{told}") == cause
