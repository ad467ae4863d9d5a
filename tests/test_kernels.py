"""Each kernel against its plain-C reference, with the threads of a block in several orders."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.hostcuda import (
    BAD_LAUNCH,
    BLOCK,
    DIVERGED,
    NO_KERNEL,
    ORDERS,
    RAN,
    BuildError,
    Kernels,
    References,
    build,
    launch,
    load,
    pointer,
)

SOURCES = Path(__file__).parents[1] / "csrc" / "kernels"
SIZES = (0, 1, 2, 31, 255, 256, 257, 1000, 65_537, 2**20)

# The first outputs of SplitMix64 for the seed 1234567, as its authors' test vector gives them.
SPLITMIX64_OF_1234567 = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not sys.platform.startswith("linux"):
        pytest.skip("the host shim needs ucontext and ELF sections: Linux only")
    if shutil.which("c++") is None and "CXX" not in os.environ:
        pytest.skip("no C++ compiler: the kernels cannot be compiled for the host")
    return build(tmp_path_factory.mktemp("hostcuda"))


@pytest.fixture(scope="module")
def sanitized(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    del built  # what cannot be built at all is not a missing sanitizer
    folder = tmp_path_factory.mktemp("sanitized")
    try:
        return build(
            folder,
            "-DHOSTCUDA_SANITIZE=address,undefined",
            targets=("hostcuda_check", "hostcuda_products", "hostcuda_convolutions"),
        )
    except BuildError as error:
        pytest.skip(f"this compiler has no sanitizers: {str(error).strip().splitlines()[-1]}")


@pytest.fixture(scope="module")
def library(built: Path) -> ctypes.CDLL:
    return load(built / "libhostcuda_kernels.so")


@pytest.fixture(scope="module")
def broken(built: Path) -> ctypes.CDLL:
    return load(built / "libhostcuda_broken.so")


@pytest.fixture(scope="module")
def reference(library: ctypes.CDLL) -> References:
    return References(library)


def test_the_shim_has_every_kernel_of_the_sources(library: ctypes.CDLL) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("*.cu"))
    names = re.findall(r"^(?:GP_KERNEL\n|GP_MATMUL\(|GP_CONV2D\()(\w+)", text, re.MULTILINE)
    assert {"gp_add_f32", "gp_matmul_f32", "gp_conv2d_f32"} <= set(names)
    assert [name for name in names if not library.hostcuda_has_kernel(name.encode())] == []


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("n", SIZES)
def test_kernels_give_the_bits_of_their_references(
    library: ctypes.CDLL, reference: References, n: int, order: str
) -> None:
    kernels = Kernels(library, order, blocks=1 + n // 16_384)
    a, b = reference.fill_f32(n, 1), reference.fill_f32(n, 2)
    total = reference.add_f32(a, b)
    assert kernels.fill_f32(n, 1) == a
    assert kernels.add_f32(a, b) == total
    assert kernels.hash_u64(total) == reference.hash_u64(total)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    n=st.integers(0, 5000),
    seed=st.integers(0, 2**64 - 1),
    blocks=st.integers(1, 9),
    order=st.sampled_from(["ascending", "descending"])
    | st.integers(0, 2**64 - 1).map(lambda number: f"random:{number}"),
)
def test_every_size_seed_grid_and_order_gives_the_same_bits(
    library: ctypes.CDLL, reference: References, n: int, seed: int, blocks: int, order: str
) -> None:
    kernels = Kernels(library, order, blocks)
    data = reference.fill_f32(n, seed)
    assert kernels.fill_f32(n, seed) == data
    assert kernels.add_f32(data, data) == reference.add_f32(data, data)
    assert kernels.hash_u64(data) == reference.hash_u64(data)


def test_fill_follows_the_published_splitmix64(reference: References) -> None:
    expected = [float((value >> 41) - 2**22) for value in SPLITMIX64_OF_1234567]
    assert list(struct.unpack("5f", reference.fill_f32(5, 1234567))) == expected


def test_fill_holds_whole_numbers_whose_sums_are_exact(reference: References) -> None:
    n = 20_000
    a, b = reference.fill_f32(n, 3), reference.fill_f32(n, 4)
    left, right = struct.unpack(f"{n}f", a), struct.unpack(f"{n}f", b)
    assert all(value.is_integer() and -(2**22) <= value < 2**22 for value in left)
    total = [x + y for x, y in zip(left, right, strict=True)]  # in double precision
    assert list(struct.unpack(f"{n}f", reference.add_f32(a, b))) == total


def test_hash_is_the_sum_of_mixed_words(reference: References) -> None:
    def mix(x: int) -> int:
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB % 2**64
        return x ^ (x >> 31)

    words = (0, 1, 0xFFFFFFFF, 7, 7)
    step = 0x9E3779B97F4A7C15
    expected = sum(mix(((i + 1) * step + word) % 2**64) for i, word in enumerate(words)) % 2**64
    assert reference.hash_u64(struct.pack("5I", *words)) == expected


@pytest.mark.parametrize(
    "changed",
    [(1, 2, 3, 5), (2, 1, 3, 4), (1, 2, 3, 4, 0), (0, 1, 2, 3, 4), (1, 2, 3)],
    ids=["one word", "swapped", "longer by a zero", "moved by one", "shorter"],
)
def test_hash_sees_a_change(reference: References, changed: tuple[int, ...]) -> None:
    whole = reference.hash_u64(struct.pack("4I", 1, 2, 3, 4))
    assert reference.hash_u64(struct.pack(f"{len(changed)}I", *changed)) != whole


def test_a_missing_barrier_shows_as_another_result_in_another_order(broken: ctypes.CDLL) -> None:
    words = (ctypes.c_uint32 * BLOCK)(*range(BLOCK))
    sums = set()
    for order in ORDERS:
        total = ctypes.c_uint64(0)
        arguments = (ctypes.c_void_p(ctypes.addressof(each)) for each in (total, words))
        assert launch(broken, "sum_without_barrier", *arguments, order=order) == RAN
        sums.add(total.value)
    assert len(sums) > 1
    assert sums != {sum(range(BLOCK))}


def test_shared_memory_is_poisoned_before_each_block(broken: ctypes.CDLL) -> None:
    out = (ctypes.c_uint64 * BLOCK)()
    address = ctypes.c_void_p(ctypes.addressof(out))
    assert launch(broken, "read_unwritten", address, grid=(2, 1, 1)) == RAN
    assert set(out) == {0xA5A5A5A5A5A5A5A5}


def test_a_barrier_that_some_threads_never_reach_is_reported(broken: ctypes.CDLL) -> None:
    out = ctypes.create_string_buffer(8 * BLOCK)
    assert launch(broken, "return_before_barrier", pointer(out)) == DIVERGED


def test_a_block_of_more_dimensions_has_each_thread_once(broken: ctypes.CDLL) -> None:
    out = (ctypes.c_uint64 * 24)()
    address = ctypes.c_void_p(ctypes.addressof(out))
    assert launch(broken, "count_threads", address, grid=(2, 2, 2), block=(2, 3, 4)) == RAN
    assert list(out) == [8] * 24


@pytest.mark.parametrize(
    ("grid", "block", "shared_bytes", "order"),
    [
        ((0, 1, 1), (1, 1, 1), 0, "ascending"),
        ((1, 1, 1), (1, 0, 1), 0, "ascending"),
        ((1, 1, 1), (1025, 1, 1), 0, "ascending"),
        ((1, 1, 1), (64, 64, 1), 0, "ascending"),
        ((2**31, 2**31, 4), (1, 1, 1), 0, "ascending"),
        ((1, 1, 1), (1, 1, 1), 16, "ascending"),
        ((1, 1, 1), (1, 1, 1), 0, "random:-1"),
        ((1, 1, 1), (1, 1, 1), 0, "upwards"),
    ],
)
def test_a_launch_outside_the_limits_is_refused(
    library: ctypes.CDLL,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    shared_bytes: int,
    order: str,
) -> None:
    arguments = (ctypes.c_void_p(0), ctypes.c_uint64(0), ctypes.c_uint64(0))
    code = launch(library, "gp_fill_f32", *arguments, grid=grid, block=block,
                  shared_bytes=shared_bytes, order=order)  # fmt: skip
    assert code == BAD_LAUNCH


def test_an_unknown_kernel_is_told_from_a_bad_launch(library: ctypes.CDLL) -> None:
    assert launch(library, "gp_fill_f31") == NO_KERNEL
    assert not library.hostcuda_has_kernel(b"gp_fill_f3")


def run_program(
    folder: Path, name: str, *arguments: str, order: str, **variables: str
) -> tuple[int, str]:
    """Run a program of the shim; its exit code, and what it says."""
    child = subprocess.run(
        [folder / f"hostcuda_{name}", *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"HOSTCUDA_ORDER": order} | variables,
    )
    return child.returncode, child.stdout if child.returncode == 0 else child.stderr


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("program", ["products", "convolutions"])
def test_results_of_any_type_shape_and_stride_are_those_of_the_reference(
    built: Path, program: str, order: str
) -> None:
    assert run_program(built, program, "1", "400", order=order) == (0, "right\n")


@pytest.mark.parametrize("barrier", ["1", "2"])
def test_a_product_without_one_of_its_barriers_is_wrong(built: Path, barrier: str) -> None:
    name, cases = "without_barrier", ("1", "100")
    assert run_program(built, name, *cases, order="ascending") == (0, "right\n")
    outcomes = [
        run_program(built, name, *cases, order=order, DROPPED_BARRIER=barrier) for order in ORDERS
    ]
    assert any(code == 1 and "expected" in said for code, said in outcomes), outcomes


def test_indices_beyond_32_bits_reach_their_elements(built: Path) -> None:
    code, said = run_program(built, "far", order="ascending")
    if said == "no room\n":
        pytest.skip("this system maps no address range of 64 GiB without memory")
    assert (code, said) == (0, "right\n")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("program", ["products", "convolutions"])
def test_products_and_convolutions_are_clean_under_address_and_undefined_sanitizers(
    sanitized: Path, program: str, order: str
) -> None:
    assert run_program(sanitized, program, "5000", "150", order=order) == (0, "right\n")


@pytest.mark.parametrize("order", ORDERS)
def test_kernels_and_shim_are_clean_under_address_and_undefined_sanitizers(
    sanitized: Path, order: str
) -> None:
    assert run_program(sanitized, "check", order=order) == (0, "clean\n")
