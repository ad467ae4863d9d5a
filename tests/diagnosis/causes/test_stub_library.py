"""The toolkit's stub in place of the driver's library, and what only looks like it."""

from __future__ import annotations

import pytest

from support.cases import ruled

STUB = "AttributeError: /opt/cuda-12.1/lib64/stubs/libcuda.so: undefined symbol: _undef\n"
CUINIT_MINUS_ONE = "cuda_driver.cc:313] failed call to cuInit: UNKNOWN ERROR (-1)\n"
NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (STUB + "Call to cuInit results in UNKNOWN_CUDA_ERROR", "stub-library"),
        ("RuntimeError: CUDA error: CUDA driver is a stub library", "stub-library"),
        (CUINIT_MINUS_ONE, "stub-library"),
        ("cuInit: UNKNOWN (-1)", "unknown"),
        ("ERROR: cuInit failed with error:  34 src/offload/offload_library.c 57", "stub-library"),
        ("ERROR: cuInit failed with error:  0 src/offload/offload_library.c 57", "unknown"),
        (CUINIT_MINUS_ONE.replace("UNKNOWN ERROR (-1)", "CUresult(-1)"), "stub-library"),
        (NO_DEVICE + "libcuda.so.1 -> /usr/local/cuda/lib64/stubs/libcuda.so", "stub-library"),
        ("libcuda.so.1 -> /usr/local/cuda/lib64/stubs/libcuda.so", "unknown"),
        (
            "libnvidia-ml.so in GDK package is a stub library that is attached only for",
            "stub-library",
        ),
        ("'CUDA is a stub library' error\n", "stub-library"),
        ("The stub library of CUDA is for linking\n", "unknown"),
        ("it loads `/usr/lib/stubs/libcuda.so` instead of the driver's", "stub-library"),
        ("LoadError: Error -1 calling cuDriverGetVersion", "stub-library"),
        # Advice that a program prints of a loader's variable names no system.
        (
            (
                "Failed to find libfoo.so. Set LD_LIBRARY_PATH on Linux or "
                "DYLD_LIBRARY_PATH on Mac OS."
            ),
            "unknown",
        ),
    ],
)
def test_a_stub_in_place_of_libcuda_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "ls /usr/lib/stubs/libcuda.so",
    ],
)
def test_kin_of_a_stub_in_place_of_libcuda_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        STUB.replace("stubs/", ""),
        "gcc -L/opt/cuda-12.1/lib64/stubs/libcuda.so main.c",
    ],
)
def test_this_is_not_a_stub_in_place_of_libcuda(text: str):
    assert ruled(text) != "stub-library"


STUBS = (
    "export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH\n"
    "export LD_LIBRARY_PATH={}:$LD_LIBRARY_PATH\nit can't use cuda device\n"
)


@pytest.mark.parametrize(
    ("folder", "cause"),
    [("/usr/local/cuda/lib64/stubs", "stub-library"), ("/opt/lib", "unknown")],
)
def test_a_search_path_that_begins_with_stubs_gives_the_stub(folder: str, cause: str):
    assert ruled(STUBS.format(folder)) == cause


STUB_BY_SIZE = """$ ls -l {folder}/libcuda.so.1
-rw-r--r-- 1 root root {size} Jan  9  2023 {folder}/libcuda.so.1
$ ./render
no CUDA devices found
"""


@pytest.mark.parametrize(
    ("folder", "size", "named"),
    [
        ("/opt/render/lib", "39704", True),
        ("/opt/render/lib", "26284256", False),
        ("/usr/lib/wsl/lib", "162552", False),
    ],
)
def test_a_libcuda_is_as_small_as_a_stub(folder: str, size: str, *, named: bool):
    assert (ruled(STUB_BY_SIZE.format(folder=folder, size=size)) == "stub-library") is named


STUBS_FIRST = """LD_LIBRARY_PATH={path}
CUDA driver version is insufficient for CUDA runtime version
Driver Version: 535.54.03    CUDA Version: 12.2
"""


@pytest.mark.parametrize(
    ("path", "named"),
    [("/usr/local/cuda/lib64/stubs:/opt/lib", True), ("/opt/lib", False)],
)
def test_a_stub_first_on_the_path_gives_the_code_of_an_old_driver(path: str, *, named: bool):
    assert (ruled(STUBS_FIRST.format(path=path)) == "stub-library") is named


LOADER = """$ LD_DEBUG=libs ./a.out
     4711:	calling init: {path}/libcuda.so.1
CUDA error 100: no CUDA-capable device is detected
"""


@pytest.mark.parametrize(
    ("path", "stub"), [("/opt/cuda/lib64/stubs", True), ("/usr/lib/x86_64-linux-gnu", False)]
)
def test_the_loader_tells_that_a_program_has_the_stub(path: str, stub: bool):
    assert (ruled(LOADER.format(path=path)) == "stub-library") is stub


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("cuDriverGetVersion(): 34", "stub-library"),
        ("cuDeviceGetCount(): 34", "unknown"),  # what it tells
        ("cuDriverGetVersion(): 12040", "unknown"),
    ],
)
def test_hashcat_tells_the_number_alone_where_the_library_has_no_words(line: str, cause: str):
    assert ruled(f"hashcat (v6.2.5) starting in benchmark mode\n\n{line}\n") == cause
