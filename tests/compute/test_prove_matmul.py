"""Planted faults are found, located and named; another order of summation is none."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuprobe
from gpuprobe.compute.proof import Lines, NotFinite, WrongElement
from support.arrays import WAYS, as_tf32, floats, strided, whole

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")

M, K, N = 70, 90, 300
#: Its product has more than 2^24 steps, so that panels of columns are judged.
LARGE = (300, 250, 290)


def exact(shape: tuple[int, int, int] = (M, K, N)) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Whole numbers and their product."""
    m, k, n = shape
    a, b = whole((m, k), seed=1), whole((k, n), seed=2)
    return a, b, a @ b


def inexact(shape: tuple[int, int, int] = (M, K, N)) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Floats and their product, by NumPy's own library, which sums in an order of its own."""
    m, k, n = shape
    a, b = floats((m, k), seed=1), floats((k, n), seed=2)
    return a, b, a @ b


# -- right results -----------------------------------------------------------------------------


@settings(max_examples=60)
@given(
    st.tuples(*[st.sampled_from([0, 1, 2, 7, 33])] * 3),
    st.sampled_from(
        ["float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "int8", "int32"]
    ),
    st.booleans(),
    st.sampled_from(WAYS),
)
def test_reference_is_right_in_every_type(
    shape: tuple[int, int, int], dtype: str, is_whole: bool, way: str
):
    m, k, n = shape
    make = whole if is_whole or dtype.startswith("int") else floats
    a, b = strided(make((m, k), dtype, 1), way), make((k, n), dtype, 2)
    proof = gpuprobe.prove_matmul(a, b, gpuprobe.matmul(a, b, device="cpu"))
    assert proof, str(proof)


@pytest.mark.parametrize("shape", [(M, K, N), LARGE])
def test_another_order_of_summation_passes(shape: tuple[int, int, int]):
    a, b, c = inexact(shape)
    in_halves = a[:, ::2] @ b[::2] + a[:, 1::2] @ b[1::2]
    assert (in_halves != c).any()
    for result in (c, in_halves):
        proof = gpuprobe.prove_matmul(a, b, result)
        assert proof
        assert proof.basis == "bound"
        assert 0 < proof.fraction < 1


def test_float64_passes_within_its_own_rounding():
    a, b = floats(LARGE[:2], "float64", 1), floats(LARGE[1:], "float64", 2)
    assert gpuprobe.prove_matmul(a, b, a @ b)


def test_whole_numbers_are_proved_exactly():
    proof = gpuprobe.prove_matmul(*exact())
    assert (proof.holds, proof.basis, proof.fraction) == (True, "exact", 0.0)
    assert str(proof) == "right: 70 x 300, proved exactly as float32"


def test_whole_numbers_that_could_be_rounded_are_not_called_exact():
    a = np.full((4, 70), 600.0, np.float32)
    proof = gpuprobe.prove_matmul(a, a.T.copy(), a @ a.T)
    assert (proof.holds, proof.basis) == (True, "bound")  # 70 * 600 * 600 > 2^24


def test_tf32_is_right_by_its_own_measure():
    a, b, _ = inexact()
    assert gpuprobe.prove_matmul(a, b, as_tf32(a) @ as_tf32(b), compute="tf32")


def test_stacks_are_proved_as_numpy_broadcasts_them():
    a, b = whole((2, 1, 5, 4), seed=1), whole((3, 4, 6), seed=2)
    proof = gpuprobe.prove_matmul(a, b, a @ b)
    assert proof
    assert (proof.shape, proof.products) == ((2, 3, 5, 6), 6)


@pytest.mark.parametrize(
    ("a", "b"), [((5,), (5, 3)), ((4, 5), (5,)), ((5,), (5,)), ((5,), (2, 5, 3))]
)
def test_vectors_are_proved(a: tuple[int, ...], b: tuple[int, ...]):
    left, right = whole(a, seed=1), whole(b, seed=2)
    result = np.asarray(left @ right)
    assert gpuprobe.prove_matmul(left, right, result)
    result[...] += 1
    proof = gpuprobe.prove_matmul(left, right, result)
    assert not proof
    assert proof.elements[0].index == (0,) * result.ndim


# -- planted faults ----------------------------------------------------------------------------


@pytest.mark.parametrize("bit", [12, 22, 30, 31])
def test_flipped_bit_is_located_and_named(bit: int):
    a, b, c = exact()
    right = float(c[33, 200])
    c.view(np.uint32)[33, 200] ^= np.uint32(1 << bit)
    proof = gpuprobe.prove_matmul(a, b, c)
    assert (proof.holds, proof.pattern, proof.cause) == (False, "element", "one bit")
    bits = int(np.float32(right).view(np.uint32))
    [found] = proof.elements
    assert found == WrongElement((33, 200), right, float(c[33, 200]), bits, bits ^ 1 << bit)
    assert "one element: row 33, column 200" in str(proof)
    assert "one bit is flipped" in str(proof)


@pytest.mark.parametrize("bit", [22, 24, 30, 31])
def test_flipped_bit_of_a_float_is_named_though_its_last_bits_differ_anyway(bit: int):
    a, b, c = inexact()
    c.view(np.uint32)[33, 200] ^= np.uint32(1 << bit)
    proof = gpuprobe.prove_matmul(a, b, c)
    assert (proof.holds, proof.pattern, proof.cause) == (False, "element", "one bit")


@pytest.mark.parametrize("factor", [1.5, -1.01, 0.3])
def test_wrong_element_that_no_single_bit_explains_is_not_said_to_be_one(factor: float):
    a, b, c = inexact()
    c[33, 200] *= np.float32(factor)
    proof = gpuprobe.prove_matmul(a, b, c)
    assert (proof.holds, proof.pattern, proof.cause) == (False, "element", None)


@pytest.mark.parametrize("numbers", [exact, inexact])
def test_swapped_rows_are_named(numbers: object):
    a, b, c = numbers()
    c[[5, 60]] = c[[60, 5]]
    proof = gpuprobe.prove_matmul(a, b, c)
    assert (proof.holds, proof.pattern, proof.cause) == (False, "rows", "swapped rows")
    assert proof.rows == Lines(2, 5, 60)
    assert "whole rows: 2 rows (5 to 60)" in str(proof)
    assert "the two rows have changed places" in str(proof)


@pytest.mark.parametrize("numbers", [exact, inexact])
def test_swapped_columns_are_named(numbers: object):
    a, b, c = numbers()
    c[:, [5, 60]] = c[:, [60, 5]]
    proof = gpuprobe.prove_matmul(a, b, c)
    assert (proof.holds, proof.pattern, proof.cause) == (False, "columns", "swapped columns")
    assert proof.columns == Lines(2, 5, 60)
    assert "the two columns have changed places" in str(proof)


@pytest.mark.parametrize("numbers", [exact, inexact])
def test_two_wrong_rows_are_not_said_to_be_swapped_where_they_are_not(numbers: object):
    a, b, right = numbers()
    halves, shifted, alone = right.copy(), right.copy(), right.copy()
    halves[[5, 60], :100] = halves[[60, 5], :100]
    shifted[[5, 60]] = shifted[[61, 5]]
    alone[[5, 60], 7] = alone[[60, 5], 7]
    for c in (halves, shifted, alone):
        assert gpuprobe.prove_matmul(a, b, c).cause is None


def test_swapped_rows_of_a_large_product_are_named():
    a, b, c = inexact(LARGE)
    c[[5, 60]] = c[[60, 5]]
    assert gpuprobe.prove_matmul(a, b, c).cause == "swapped rows"


@pytest.mark.parametrize("numbers", [exact, inexact])
def test_zeroed_tile_is_located_and_named(numbers: object):
    a, b, c = numbers()
    c[16:32, 128:144] = 0
    proof = gpuprobe.prove_matmul(a, b, c)
    assert (proof.holds, proof.pattern, proof.cause) == (False, "tile", "zeros")
    assert (proof.rows, proof.columns) == (Lines(16, 16, 31), Lines(16, 128, 143))
    assert len(proof.elements) == 16


def test_zeroed_tile_of_a_large_product_is_found_in_its_panel():
    a, b, c = inexact(LARGE)
    c[16:32, 128:144] = 0
    proof = gpuprobe.prove_matmul(a, b, c)
    assert (proof.pattern, proof.cause) == ("tile", "zeros")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("shape", [(M, K, N), LARGE])
def test_nan_and_infinity_never_pass(bad: float, shape: tuple[int, int, int]):
    for position, name in enumerate("abc"):
        arrays = [array.copy() for array in inexact(shape)]
        arrays[position][3, 4] = bad
        proof = gpuprobe.prove_matmul(*arrays)
        assert (proof.holds, proof.basis, proof.cause) == (False, "none", "not finite")
        assert proof.not_finite == NotFinite(name, (3, 4))
        assert f"{name}[3, 4] is NaN or infinite" in str(proof)


def test_nan_of_an_input_that_was_passed_on_does_not_pass():
    a, b, _ = inexact()
    a[0, 0] = math.nan
    assert not gpuprobe.prove_matmul(a, b, a @ b)


@pytest.mark.parametrize("shape", [(2, 9, 2), (M, K, N), LARGE])
def test_tf32_in_the_place_of_float32_is_named(shape: tuple[int, int, int]):
    a, b, _ = inexact(shape)
    proof = gpuprobe.prove_matmul(a, b, as_tf32(a) @ as_tf32(b))
    assert (proof.holds, proof.pattern, proof.cause) == (False, "everywhere", "tf32")
    assert "TF32, where float32 was asked for" in str(proof)


@pytest.mark.parametrize("bits", [0x0, 0x1000])
def test_tf32_is_named_however_its_inputs_were_rounded(bits: int):
    """Towards zero, and halves away from it: hardware and libraries differ."""
    a, b, _ = inexact(LARGE)
    a_cut, b_cut = (
        ((each.view(np.uint32) + np.uint32(bits)) & np.uint32(0xFFFFE000)).view(np.float32)
        for each in (a, b)
    )
    assert gpuprobe.prove_matmul(a, b, a_cut @ b_cut).cause == "tf32"
    a, b, a_cut, b_cut = a[:, :1], b[:1], a_cut[:, :1], b_cut[:1]
    assert gpuprobe.prove_matmul(a, b, a_cut @ b_cut, compute="tf32")


def test_large_partial_sums_of_another_order_are_not_taken_for_tf32():
    """In the order of the text books neighbours cancel; by halves they add up, and round."""
    m, k, n = LARGE
    a, b = floats((m, k), seed=1), floats((k, n), seed=2)
    a[:, ::2] += 1000
    a[:, 1::2] -= 1000
    b = np.abs(b)
    b[1::2] = b[::2]
    by_halves = a[:, ::2] @ b[::2] + a[:, 1::2] @ b[1::2]
    proof = gpuprobe.prove_matmul(a, b, by_halves)
    assert (proof.holds, proof.cause) == (True, None)


def test_inputs_that_tf32_holds_exactly_are_right_in_both():
    a, b, _ = inexact(LARGE)
    a, b = as_tf32(a), as_tf32(b)
    assert gpuprobe.prove_matmul(a, b, a @ b)


def test_whole_numbers_that_tf32_cannot_hold_show_it_too():
    a = whole((M, K), seed=1) * 2 + 4097  # 13 bits
    b = np.eye(K, N, dtype=np.float32)
    proof = gpuprobe.prove_matmul(a, b, as_tf32(a) @ b)
    assert not proof


def test_wrong_column_is_located():
    a, b, c = exact()
    c[:, 299] += 1
    proof = gpuprobe.prove_matmul(a, b, c)
    assert (proof.pattern, proof.columns) == ("columns", Lines(1, 299, 299))


def test_elements_that_lie_apart_are_scattered():
    a, b, c = exact()
    c[3, 5], c[9, 11] = 1e4, 0
    proof = gpuprobe.prove_matmul(a, b, c)
    assert (proof.pattern, proof.cause) == ("scattered", None)
    assert [each.index for each in proof.elements] == [(3, 5), (9, 11)]


def test_neighbours_on_a_diagonal_are_no_tile():
    a, b, c = exact()
    c[[3, 4], [5, 6]] += 1
    assert gpuprobe.prove_matmul(a, b, c).pattern == "scattered"


def test_more_than_half_of_rows_and_columns_are_everywhere():
    a, b, c = exact()
    rows, columns = c.shape
    c[: rows * 2 // 3, : columns * 2 // 3] += 1
    assert gpuprobe.prove_matmul(a, b, c).pattern == "everywhere"


def test_product_of_other_inputs_is_wrong_everywhere():
    a, b, c = exact()
    assert gpuprobe.prove_matmul(a, b, c + 1).pattern == "everywhere"


def test_small_error_of_one_element_does_not_drown():
    a, b, c = inexact()
    c[40, 50] += 1e-2
    proof = gpuprobe.prove_matmul(a, b, c)
    assert (proof.pattern, proof.elements[0].index) == ("element", (40, 50))


@pytest.mark.parametrize("way", ["plain", "transposed"])
@pytest.mark.parametrize("rows", [1, 2])
def test_no_wrong_element_of_few_rows_drowns(rows: int, way: str):
    """A panel of 600 such columns may err by more than the element is."""
    a, b, c = inexact((rows, 3600, 4800))
    b = strided(b, way)
    assert gpuprobe.prove_matmul(a, b, c)
    c[rows - 1, 4000] = 0
    proof = gpuprobe.prove_matmul(a, b, c)
    assert (proof.pattern, proof.cause) == ("element", "zeros")
    assert [each.index for each in proof.elements] == [(rows - 1, 4000)]


def test_first_wrong_product_of_a_stack_is_told():
    a, b = whole((2, 3, 5, 4), seed=1), whole((3, 4, 6), seed=2)
    c = a @ b
    c[1, 0, 2, 3] += 1
    c[1, 2, 0, 0] += 1
    proof = gpuprobe.prove_matmul(a, b, c)
    assert (proof.wrong_products, proof.products, proof.product) == (2, 6, 3)
    assert proof.elements[0].index == (1, 0, 2, 3)
    assert "2 of 6 products are wrong, the first is number 3" in str(proof)


def test_nan_of_a_broadcast_input_is_told_by_its_own_index():
    a, b = whole((2, 1, 5, 4), seed=1), whole((3, 4, 6), seed=2)
    a[1, 0, 2, 3] = math.nan
    proof = gpuprobe.prove_matmul(a, b, np.zeros((2, 3, 5, 6), np.float32))
    assert proof.product == 0  # zeros are wrong from the start
    proof = gpuprobe.prove_matmul(a, b, a @ b)
    assert proof.not_finite == NotFinite("a", (1, 0, 2, 3))


@settings(max_examples=60)
@given(st.integers(0, M - 1), st.integers(0, N - 1), st.integers(0, 31), st.sampled_from(WAYS))
def test_no_flipped_bit_of_an_exact_product_passes(row: int, column: int, bit: int, way: str):
    a, b, c = exact()
    c.view(np.uint32)[row, column] ^= np.uint32(1 << bit)
    proof = gpuprobe.prove_matmul(a, b, strided(c, way))
    # 0 and -0 are equal, and no other bit goes unseen.
    assert proof.holds == (c[row, column] == (a @ b)[row, column])


# -- what it says ------------------------------------------------------------------------------


def test_seed_repeats_a_proof():
    a, b, c = inexact(LARGE)
    first = gpuprobe.prove_matmul(a, b, c)
    again = gpuprobe.prove_matmul(a, b, c, seed=first.seed)
    assert again == first
    assert gpuprobe.prove_matmul(a, b, c, seed=first.seed + 1).fraction != first.fraction


def test_proof_is_plain_values_for_json():
    a, b, c = exact()
    c[0, 0] += 1
    found = json.loads(json.dumps(gpuprobe.prove_matmul(a, b, c).to_dict()))
    assert found["pattern"] == "element"
    assert found["elements"][0]["index"] == [0, 0]


@pytest.mark.parametrize(
    ("a", "b", "c", "told"),
    [
        ((3, 4), (3, 4), (3, 4), r"\(3, 4\) times \(3, 4\) is not \(3, 4\)"),
        ((3, 4), (4, 5), (5, 3), r"is not \(5, 3\) but \(3, 5\)"),
        ((2, 3, 4), (3, 4, 5), (3, 3, 5), "cannot be broadcast"),
        ((), (4, 5), (5,), "a scalar has no rows"),
    ],
)
def test_shapes_that_do_not_fit_are_told(a: tuple, b: tuple, c: tuple, told: str):
    with pytest.raises(ValueError, match=told):
        gpuprobe.prove_matmul(whole(a), whole(b), whole(c))


def test_other_types_are_told():
    with pytest.raises(TypeError, match=r"c: expected a numpy\.ndarray"):
        gpuprobe.prove_matmul(whole((2, 2)), whole((2, 2)), [[1, 2], [3, 4]])
    with pytest.raises(TypeError, match="prove_matmul: one input is float32, the other int8"):
        gpuprobe.prove_matmul(whole((2, 2)), whole((2, 2), "int8"), whole((2, 2)))
    with pytest.raises(ValueError, match="prove_matmul: compute='int32' is not there for float32"):
        gpuprobe.prove_matmul(whole((2, 2)), whole((2, 2)), whole((2, 2)), compute="int32")


def test_arrays_that_are_elsewhere_have_to_be_brought_here_first():
    class Elsewhere:
        """As torch's and gpuprobe's own."""

        def numpy(self) -> np.ndarray:
            return whole((2, 2))

    with pytest.raises(TypeError, match=r"c: expected a numpy\.ndarray, .*; use its numpy\(\)"):
        gpuprobe.prove_matmul(whole((2, 2)), whole((2, 2)), Elsewhere())
