"""Which libcuda wins, by which way, and what it is: found without loading it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.host import machine_name
from gpuprobe.facts.libraries import ldcache
from gpuprobe.facts.libraries import of_driver as libraries
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.facts.version import Version
from support.trees import Files, Link

from .played import HUNG, NOT_RUN, answered, failed, missing_library
from .test_ldcache import cache

if TYPE_CHECKING:
    from gpuprobe.facts.answers import Answer
    from gpuprobe.facts.probe import Silent

    from .conftest import Make

DEBIAN = f"/usr/lib/{machine_name(Machine())}-linux-gnu"
DRIVER: Files = {
    f"{DEBIAN}/libcuda.so.535.104.05": "elf",
    f"{DEBIAN}/libcuda.so.1": Link("libcuda.so.535.104.05"),
}
STUBS = "/usr/local/cuda/lib64/stubs"
STUB: Files = {f"{STUBS}/libcuda.so": "elf", f"{STUBS}/libcuda.so.1": Link("libcuda.so")}


def facts_of(
    machine: Machine, cuda: Answer | Silent = NOT_RUN, nvml: Answer | Silent = NOT_RUN
) -> Facts:
    return Facts(dict(libraries.collect(machine, cuda, nvml)))


def loaded(path: str, via: str = "search", **fields: object) -> Answer:
    library = {"name": "libcuda.so.1", "path": path, "via": via, "error": None}
    return answered("cuda", library=library, **fields)  # type: ignore[arg-type]


def way(facts: Facts) -> tuple[str, str]:
    return facts.need(names.LIBCUDA_PATH), facts.need(names.LIBCUDA_FOUND_BY)


# -- the ways, first the earlier ones ---------------------------------------------------------


def test_a_driver_in_a_default_folder_is_found_with_its_release(make: Make):
    facts = facts_of(make(DRIVER))
    assert way(facts) == (f"{DEBIAN}/libcuda.so.1", "default folders")
    assert facts.need(names.LIBCUDA_VERSION) == Version("535.104.05")
    assert facts.need(names.LIBCUDA_STUB) is False


def test_the_override_wins_over_all(make: Make):
    machine = make({**DRIVER, "/my/libcuda.so.1": ""}, {"GPUPROBE_LIBCUDA": "/my/libcuda.so.1"})
    assert way(facts_of(machine)) == ("/my/libcuda.so.1", "GPUPROBE_LIBCUDA")


def test_an_override_that_is_not_there_finds_nothing(make: Make):
    machine = make(DRIVER, {"GPUPROBE_LIBCUDA": "/gone"})
    assert facts_of(machine).fact(names.LIBCUDA_PATH) == Absent("/gone")


def test_under_wsl_the_hosts_library_wins(make: Make):
    wsl = {"/dev/dxg": "", "/usr/lib/wsl/lib/libcuda.so.1": ""}
    assert way(facts_of(make({**DRIVER, **wsl}))) == ("/usr/lib/wsl/lib/libcuda.so.1", "WSL")


def test_without_the_device_of_wsl_its_folder_is_not_searched(make: Make):
    facts = facts_of(make({"/usr/lib/wsl/lib/libcuda.so.1": ""}))
    assert isinstance(facts.fact(names.LIBCUDA_PATH), Absent)


def test_the_first_folder_of_ld_library_path_wins(make: Make):
    files = {**DRIVER, "/a/libcuda.so.1": "", "/b/libcuda.so.1": ""}
    machine = make(files, {"LD_LIBRARY_PATH": ":/none:/b:/a"})
    assert way(facts_of(machine)) == ("/b/libcuda.so.1", "LD_LIBRARY_PATH")


def test_the_cache_comes_before_the_default_folders(make: Make):
    machine = make({**DRIVER, "/opt/nv/libcuda.so.1": "", ldcache.PATH: ""})
    flags = {"x86_64": 0x0303, "aarch64": 0x0A03}.get(machine_name(machine), 0)
    data = cache((flags, "libcuda.so.1", "/gone"), (flags, "libcuda.so.1", "/opt/nv/libcuda.so.1"))
    Path(f"{machine.root}{ldcache.PATH}").write_bytes(data)
    assert way(facts_of(machine)) == ("/opt/nv/libcuda.so.1", "ld.so.cache")


def test_a_cache_that_cannot_be_read_is_the_reason(make: Make):
    """The default folders come after it, so nobody can say which file wins."""
    machine = make({**DRIVER, ldcache.PATH: "garbage"})
    reason = f"{ldcache.PATH}: not a loader cache of glibc"
    assert facts_of(machine).fact(names.LIBCUDA_PATH) == Unknown(reason)


def test_no_libcuda_is_absent_and_names_the_ways(make: Make):
    facts = facts_of(make({"/usr/lib/libcuda.so": "only the name for linking"}))
    told = Absent("LD_LIBRARY_PATH, ld.so.cache, default folders")
    for key in (names.LIBCUDA_PATH, names.LIBCUDA_VERSION, names.LIBCUDA_STUB, names.NVML_PATH):
        assert facts.fact(key) == told


def test_windows_has_its_driver_in_system32(make: Make):
    folder = "/Windows"
    files = {f"{folder}/System32/nvcuda.dll": ""}
    machine = make(files, {"SYSTEMROOT": folder}, system="Windows")
    assert way(facts_of(machine)) == (rf"{folder}\System32\nvcuda.dll", "System32")


def test_macos_has_no_driver(make: Make):
    facts = facts_of(make(DRIVER, system="Darwin"))
    assert facts.fact(names.LIBCUDA_PATH) == Absent("Darwin has no CUDA driver")


# -- what the loader says counts more ---------------------------------------------------------


def test_the_file_that_was_loaded_counts_and_keeps_the_way(make: Make):
    facts = facts_of(make(DRIVER), loaded(f"{DEBIAN}/libcuda.so.535.104.05"))
    assert way(facts) == (f"{DEBIAN}/libcuda.so.535.104.05", "default folders")
    assert isinstance(facts.fact(names.LIBCUDA_ERROR), Absent)


def test_a_file_that_we_would_not_have_found_has_no_way(make: Make):
    facts = facts_of(make({**DRIVER, "/rpath/libcuda.so.1": ""}), loaded("/rpath/libcuda.so.1"))
    assert way(facts) == ("/rpath/libcuda.so.1", "the loader")


def test_a_file_that_does_not_load_is_found_with_the_loaders_words(make: Make):
    facts = facts_of(make(DRIVER), missing_library("cuda"))
    assert facts.need(names.LIBCUDA_PATH) == f"{DEBIAN}/libcuda.so.1"
    assert "cannot open shared object file" in facts.need(names.LIBCUDA_ERROR)


def test_a_hang_leaves_the_loaders_word_unknown(make: Make):
    facts = facts_of(make(DRIVER), HUNG)
    assert facts.fact(names.LIBCUDA_ERROR) == Unknown(HUNG.reason)
    assert facts.need(names.LIBCUDA_PATH) == f"{DEBIAN}/libcuda.so.1"


# -- stub or real -----------------------------------------------------------------------------


def test_a_library_that_answers_34_is_a_stub_wherever_it_lies(make: Make):
    stub = loaded(f"{DEBIAN}/libcuda.so.535.104.05", failed=failed("cuda", "cuInit", 34))
    assert facts_of(make(DRIVER), stub).need(names.LIBCUDA_STUB) is True


def test_a_library_that_answers_anything_else_is_none(make: Make):
    real = loaded(f"{STUBS}/libcuda.so", failed=failed("cuda", "cuInit", 100))
    assert facts_of(make(STUB), real).need(names.LIBCUDA_STUB) is False


def test_an_error_34_of_the_system_is_no_answer_of_a_stub(make: Make):
    real = loaded(f"{DEBIAN}/libcuda.so.535.104.05", failed=failed("os", "mmap", 34))
    assert facts_of(make(DRIVER), real).need(names.LIBCUDA_STUB) is False


def test_a_library_in_a_folder_stubs_is_a_stub_until_it_is_asked(make: Make):
    facts = facts_of(make(STUB, {"LD_LIBRARY_PATH": STUBS}))
    assert facts.need(names.LIBCUDA_STUB) is True
    assert isinstance(facts.fact(names.LIBCUDA_VERSION), Unknown)


def test_a_link_into_a_folder_stubs_is_a_stub(make: Make):
    files = {**STUB, "/usr/lib/libcuda.so.1": Link(f"{STUBS}/libcuda.so")}
    assert facts_of(make(files)).need(names.LIBCUDA_STUB) is True


def test_a_folder_whose_name_only_contains_stubs_is_none(make: Make):
    files = {f"/opt/stubs-gone{path}": text for path, text in DRIVER.items()}
    machine = make(files, {"LD_LIBRARY_PATH": f"/opt/stubs-gone{DEBIAN}"})
    assert facts_of(machine).need(names.LIBCUDA_STUB) is False


@pytest.mark.parametrize(("size", "known"), [((1 << 20) - 1, False), (1 << 20, True)])
def test_without_a_release_in_the_name_the_size_tells(make: Make, size: int, known: bool):
    facts = facts_of(make({"/usr/lib/libcuda.so.1": "x" * size}))
    assert facts.known(names.LIBCUDA_STUB) == (False if known else None)


@pytest.mark.parametrize("name", ["libcuda.so.1.1", "libcuda.so.1", "libcuda.so.535.x"])
def test_a_name_without_a_release_states_none(make: Make, name: str):
    """WSL and Jetson call it libcuda.so.1.1."""
    files: Files = {f"/usr/lib/{name}": ""}
    if name != "libcuda.so.1":
        files = {**files, "/usr/lib/libcuda.so.1": Link(name)}
    assert isinstance(facts_of(make(files)).fact(names.LIBCUDA_VERSION), Unknown)


def test_nvml_is_found_in_the_same_ways(make: Make):
    files: Files = {
        "/usr/lib64/libnvidia-ml.so.580.65.06": "",
        "/usr/lib64/libnvidia-ml.so.1": Link("libnvidia-ml.so.580.65.06"),
    }
    facts = facts_of(make(files))
    assert facts.fact(names.NVML_PATH) == Known("/usr/lib64/libnvidia-ml.so.1", "default folders")
    assert facts.need(names.NVML_VERSION) == Version("580.65.06")
