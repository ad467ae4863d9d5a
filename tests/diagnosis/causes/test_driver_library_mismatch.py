"""A driver whose library and module differ in version, and what only looks like it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled
from support.pasted import finding

UNAVAILABLE = "       [[CUDA Driver UNAVAILABLE (cuInit(0) returned {})]]\n"
REFUSED = (
    "  [[System has unsupported display driver / cuda driver combination "
    "(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH) cuInit()=803]]\n"
)
ENDED = "subprocess.CalledProcessError: Command '{}' returned non-zero exit status {}."
LOADED = "libcuda reported version is: {}\nkernel reported version is: {}"
NEW_MACHINE = "I have a problem with my new machine.\n"
COMPAT = """\
failed call to cuInit: CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE
kernel version 470.161.3 does not match DSO version 520.61.5 -- cannot find working devices
"""
SEEN = ">>> torch.cuda.is_available()\nTrue\n"
MODULE_470 = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.57.02  Tue Jul 13\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Failed to initialize NVML: Driver/library version mismatch", "driver-library-mismatch"),
        (
            "Error 803: system has unsupported display driver / cuda driver combination",
            "driver-library-mismatch",
        ),
        (
            (
                "nvidia-container-cli: initialization error: nvml error: driver/library "
                "version mismatch"
            ),
            "driver-library-mismatch",
        ),
        (UNAVAILABLE.format(803), "driver-library-mismatch"),
        (REFUSED, "driver-library-mismatch"),
        (ENDED.format("nvidia-smi", 18), "driver-library-mismatch"),
        (LOADED.format("450.142.0", "450.66.0"), "driver-library-mismatch"),
        (LOADED.format("450.142.0", "418.67.0"), "unknown"),
        (LOADED.format("450.66.0", "450.66.0"), "unknown"),
        (
            "in /relion/src/ml_optimiser_mpi.cpp at line 131 (error-code 803)",
            "driver-library-mismatch",
        ),
        ("execute nvidia-smi on the host: NVML version mismatch", "driver-library-mismatch"),
        ("the schema has a version mismatch", "unknown"),
        (
            "UserWarning: CUDA initialization: Error 500: named symbol not found",
            "driver-library-mismatch",
        ),
        # A symbol that the program's own module lacks.
        ("cuModuleGetFunction failed: CUDA error 500: named symbol not found", "unknown"),
        ("Failed to initialize NVML: Driver / library version mismatch", "driver-library-mismatch"),
        (
            NEW_MACHINE + "driver and library version mismatch after apt upgrade",
            "driver-library-mismatch",
        ),
        (COMPAT, "driver-library-mismatch"),
        # A library that lies there is not the one that is loaded.
        (f"{MODULE_470}/usr/local/cuda/compat/libcuda.so.470.82.01\n{SEEN}", "healthy"),
        (
            f"{MODULE_470}/usr/lib/x86_64-linux-gnu/libcuda.so.470.82.01 was there before\n{SEEN}",
            "healthy",
        ),
    ],
)
def test_a_driver_of_two_versions_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "at line 436 (exit-code 2)",
    ],
)
def test_kin_of_a_driver_of_two_versions_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


BASECALLER = """[error] Invalid CUDA device index '{asked}' from device string "cuda:{asked}", \
there are {there} visible CUDA devices.
{banner}"""
TABLE = "| NVIDIA-SMI {tool}       Driver Version: {driver}      CUDA Version: {cuda}      |\n"
ANOTHER = TABLE.format(tool="450.80.02", driver="535.104.05", cuda="N/A")
OWN = TABLE.format(tool="535.104.05", driver="535.104.05", cuda="N/A")


@pytest.mark.parametrize(
    ("there", "banner", "cause"),
    [
        ("0", ANOTHER, "driver-library-mismatch"),
        ("0", "Inside WSL2:\n" + ANOTHER, None),
        ("0", OWN, None),
        ("2", OWN, "user-code"),
    ],
)
def test_nvidia_smi_of_another_driver_than_the_one_that_runs(
    there: str, banner: str, cause: str | None
):
    found = ruled(BASECALLER.format(asked="3", there=there, banner=banner))
    assert found == cause if cause else found not in ("driver-library-mismatch", "user-code")


def test_the_title_names_both_releases():
    root = gpuprobe.explain(BASECALLER.format(asked="0", there="0", banner=ANOTHER)).diagnosis.root
    assert root is not None
    assert root.finding.title == (
        "The program nvidia-smi is of driver 450.80.02, the driver that runs is 535.104.05"
    )


TENSORFLOW = """failed call to cuInit: CUDA_ERROR_NO_DEVICE
libcuda reported version is: {library}
driver version file contents: NVRM version: NVIDIA UNIX x86_64 Kernel Module 367.48 Sat Sep 3 2016
"""


@pytest.mark.parametrize(
    ("library", "is_mismatch"),
    [("367.57.0", True), ("367.48", False), ("410.48", False)],  # the last may be cuda-compat
)
def test_two_releases_of_one_branch(library: str, is_mismatch: bool):
    named = ruled(TENSORFLOW.format(library=library))
    assert (named == "driver-library-mismatch") is is_mismatch


MODULE = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.{}  Thu Sep  7 12:00:00 UTC 2023\n"
LIBRARY = "/usr/lib/x86_64-linux-gnu/libcuda.so.1 -> libcuda.so.535.129.03\nNo usable GPUs found\n"


@pytest.mark.parametrize(("module", "named"), [("113.01", True), ("129.03", False)])
def test_a_library_of_after_the_module_finds_no_gpu(module: str, *, named: bool):
    assert (ruled(MODULE.format(module) + LIBRARY) == "driver-library-mismatch") is named


@pytest.mark.parametrize(
    "pasted",
    [
        (
            "NVRM: API mismatch: this is the kernel module for version 310.19,\n"
            "NVRM: but this NVIDIA driver component has version 304.64.  Please make"
        ),
        (
            "Error: API mismatch: the NVIDIA kernel module has version 390.48,\n"
            "but this NVIDIA driver component has version 390.59.  Please make"
        ),
        (
            "NVRM: API mismatch: the client 'nvidia-persiste' (pid 8) has the version 550.54.14,\n"
            "NVRM: but this kernel module has the version 535.161.07."
        ),
    ],
)
def test_an_api_mismatch_is_read_in_the_words_of_all_ages(pasted: str) -> None:
    assert ruled(pasted) == "driver-library-mismatch"


def test_an_api_mismatch_of_another_program_is_none_of_the_drivers() -> None:
    assert ruled("RuntimeError: API mismatch: expected 3, got 4") == "unknown"


DARKTABLE = "darktable-cltest\n0.0412 [opencl_init] could not get platforms: -1001"
UPGRADED = """Upgrade: libnvidia-compute-525:amd64 (525.125.06-0ubuntu1, {to}-0ubuntu1)
$ cat /proc/driver/nvidia/version
NVRM version: NVIDIA UNIX x86_64 Kernel Module  525.125.06  Tue May 30 05:11:37 UTC 2023
{missed}
"""
BLENDER = "I0703 09:14:31.240117 31802 device.cpp:58] Found no CUDA devices"


@pytest.mark.parametrize("missed", [BLENDER, DARKTABLE, "ERROR: clGetPlatformIDs() returned -1001"])
def test_a_driver_that_was_upgraded_beside_its_old_module_serves_nobody(missed: str):
    assert ruled(UPGRADED.format(to="525.147.05", missed=missed)) == "driver-library-mismatch"
    assert ruled(UPGRADED.format(to="525.125.06", missed=missed)) != "driver-library-mismatch"


NONE = "RuntimeError: No CUDA GPUs are available\n"
MODULE_550 = (
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.107.02  Wed Jul 24 23:53:00 UTC 2024\n"
)
LOG = (
    "Upgrade: libnvidia-compute-550:amd64 (550.107.02-0ubuntu0.24.04.1, {now}-0ubuntu0.24.04.1), "
    "nvidia-utils-550:amd64 (550.107.02-0ubuntu0.24.04.1, {now}-0ubuntu0.24.04.1)\n"
)
ROW = "ii  libnvidia-compute-550:amd64  {now}-0ubuntu0.24.04.1  amd64  NVIDIA libcompute package\n"


@pytest.mark.parametrize("told", [LOG, ROW])
@pytest.mark.parametrize(
    ("now", "error", "cause"),
    [
        ("550.120", NONE, "driver-library-mismatch"),
        ("550.107.02", NONE, "unknown"),
        ("550.120", "", "unknown"),
    ],
)
def test_the_driver_was_upgraded_while_its_module_ran(told: str, now: str, error: str, cause: str):
    assert ruled(MODULE_550 + told.format(now=now) + error) == cause


def test_both_versions_of_the_driver_are_named():
    root = gpuprobe.explain(MODULE_550 + ROW.format(now="550.120") + NONE).diagnosis.root
    assert root is not None
    assert {"550.120", "550.107.02"} <= set(root.finding.title.replace(",", "").split())


_MISMATCH = """\
Failed to initialize NVML: Driver/library version mismatch
NVRM: API mismatch: the client has the version 470.141.03, but
NVRM: this kernel module has the version 470.129.06.  Please
{below}"""
_MODULE = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  {}  Thu Jun 30 18:45:31 UTC 2022\n"


@pytest.mark.parametrize(
    ("below", "cause"),
    [
        ("", "driver-library-mismatch"),
        (_MODULE.format("470.129.06"), "driver-library-mismatch"),
        (_MODULE.format("470.141.03"), "unknown"),
    ],
)
def test_a_module_of_the_librarys_version_below_ends_the_mismatch(below: str, cause: str):
    assert ruled(_MISMATCH.format(below=below)) == cause


MISMATCH_WHERE = """{where}
ii  nvidia-driver-535  535.129.03-0ubuntu1  amd64  NVIDIA driver metapackage
Failed to initialize NVML: Driver/library version mismatch
"""


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("I have the same on WSL2. The server:", "driver-library-mismatch"),
        ("$ uname -r\n5.15.146.1-microsoft-standard-WSL2", "wsl"),
    ],
)
def test_a_wsl_that_is_told_of_beside_a_server(where: str, cause: str):
    assert ruled(MISMATCH_WHERE.format(where=where)) == cause


@pytest.mark.parametrize(
    ("code", "cause"), [(500, "driver-library-mismatch"), (100, "driver-not-loaded")]
)
def test_ollama_misses_a_symbol_while_the_driver_starts(code: int, cause: str):
    assert ruled(f'error="cuda driver library init failure: {code}"\n') == cause


FLATPAK = (
    "org.freedesktop.Platform.GL.nvidia-550-90-07\norg.freedesktop.Platform.GL32.nvidia-550-90-07\n"
)


@pytest.mark.parametrize(
    ("runs", "cause"),
    [
        ("$ cat /sys/module/nvidia/version\n555.58.02\n", "driver-library-mismatch"),
        ("Driver Version: 555.58.02\n", "driver-library-mismatch"),
        ("upgraded nvidia-open (550.90.07-1 -> 555.58.02-1)\n", "driver-library-mismatch"),
        ("upgraded nvidia-open (550.78-1 -> 550.90.07-1)\n", "unknown"),
        ("$ cat /sys/module/nvidia/version\n550.90.07\n", "unknown"),
        ("", "unknown"),  # which driver runs is not told
    ],
)
def test_flatpak_has_a_copy_of_the_driver_for_each_release(runs: str, cause: str):
    assert (
        ruled(f"OpenGL fails in the programs of Flatpak\n{runs}$ flatpak list\n{FLATPAK}") == cause
    )


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("Mismatching nvidia kernel module loaded", "driver-library-mismatch"),
        (
            "match the nvidia kernel module currently loaded (version 1.2)",
            "driver-library-mismatch",
        ),
        ("The nvidia kernel module is loaded", "unknown"),
    ],
)
def test_an_image_brings_libraries_of_another_driver(line: str, cause: str):
    assert ruled(line) == cause


RUNS = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.120  Fri Sep 13 10:10:01 UTC 2024\n"


@pytest.mark.parametrize(
    ("nvml", "told"),
    [
        ("NVML library version: 550.127\n", "library is 550.127, its kernel module is 550.120"),
        ("NVML library version: 550.120\n", "different releases: the module is 550.120"),
        ("", "different releases: the module is 550.120"),
    ],
)
def test_both_releases_are_told_where_nvml_states_one(nvml: str, told: str):
    differ = "Failed to initialize NVML: Driver/library version mismatch\n"
    assert told in finding(f"{differ}{nvml}$ cat /proc/driver/nvidia/version\n{RUNS}").title


PART = (
    "ImportError: libnvidia-fatbinaryloader.so.384.90: cannot open shared object file: No such file"
)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (f"Driver Version: 387.12\n{PART}", True),
        (f"Driver Version: 384.90\n{PART}", False),
        (f"Driver Version: 384\n{PART}", False),  # the branch is told, and no release
        (f"PRETTY_NAME: Ubuntu inside WSL2\nDriver Version: 387.12\n{PART}", False),
        ("Driver 470.57\nIt asks for libnvidia-glcore.so.460.91.03", True),
        ("Driver 470.57.02\nIt asks for libnvidia-glcore.so.470.57", False),
        ("It looks for a libnvidia-fatbinaryloader.so of another version than my driver is.", True),
        ("TF goes for a libnvidia-ptxjitcompiler.so.xx whose number isn't that of mine.", True),
        ("Does it look for a libnvidia-ptxjitcompiler.so of another version?", False),
        ("I deleted a libnvidia-ptxjitcompiler.so of another version.", False),
    ],
)
def test_a_part_of_another_driver_is_asked_for(text: str, *, named: bool) -> None:
    assert (ruled(text) == "driver-library-mismatch") is named


def test_the_title_names_the_part_and_the_driver() -> None:
    assert finding(f"Driver Version: 387.12\n{PART}\n").title == (
        "A program asks for libnvidia-fatbinaryloader.so.384.90, a part of another driver than "
        "387.12"
    )


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("It ran before the upgrade of the host's driver", "driver-library-mismatch"),
        ("Since I updated my NVIDIA driver it does not start", "driver-library-mismatch"),
        ("Should I restart after a driver update?", "forward-compat"),
        ("It is the newest driver", "forward-compat"),
    ],
)
def test_a_container_keeps_the_library_of_the_former_driver(told: str, cause: str):
    failed = "cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: system has unsupported display driver"
    assert ruled(f"docker run --gpus all app\n{told}\n{failed}") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("'Failed to initialize NVML: Driver/libra", "driver-library-mismatch"),
        ("'Failed to initialize NVML: Driver/library ver", "driver-library-mismatch"),
        ("'Failed to initialize NVML: Driver not lo", "unknown"),
        ("'Failed to initialize NVML: D", "unknown"),
    ],
)
def test_gputil_reads_nvidia_smis_words_for_a_number(told: str, cause: str):
    line = "ValueError: invalid literal for int() with base 10: "
    assert ruled(f'  File "GPUtil.py", line 102, in getGPUs\n{line}{told}') == cause
