/* How many elements an array has, and where that is no number. */
#include "base/gp_tensor.h"
#include "harness.h"

static gp_tensor
matrix(gp_dtype dtype, int64_t rows, int64_t columns)
{
    return (gp_tensor){.dtype = dtype, .ndim = 2, .shape = {rows, columns}};
}

static void
assert_count(int64_t expected, gp_tensor tensor)
{
    int64_t count = -1;
    ASSERT_OK(gp_tensor_count(&tensor, &count));
    ASSERT_INT(expected, count);
}

static void
assert_no_count(gp_tensor tensor)
{
    int64_t count = -1;
    gp_status st = gp_tensor_count(&tensor, &count);
    ASSERT_INT(GP_BAD_ARGUMENT, st.kind);
    ASSERT_TEXT("gp_tensor_count", st.call);
}

TEST(tensor_counts_its_elements)
{
    assert_count(1, (gp_tensor){.dtype = GP_FLOAT32, .ndim = 0});
    assert_count(6, matrix(GP_FLOAT64, 2, 3));
    assert_count(0, matrix(GP_FLOAT64, 0, 3));
    assert_count(0, matrix(GP_FLOAT64, 3, 0));
}

TEST(tensor_counts_as_far_as_its_bytes_are_a_number)
{
    int64_t half = INT64_C(1) << 31;
    assert_count(half << 31, matrix(GP_INT8, half, half));
    assert_count(INT64_MAX, matrix(GP_INT8, 1, INT64_MAX));
    assert_count(INT64_MAX / 8, matrix(GP_FLOAT64, INT64_MAX / 8, 1));
    assert_count(0, matrix(GP_INT8, INT64_MAX, 0));
    assert_no_count(matrix(GP_FLOAT16, half, half));
    assert_no_count(matrix(GP_INT8, half, half * 2));
    assert_no_count(matrix(GP_INT8, 3, INT64_MAX / 2));
    assert_no_count(matrix(GP_FLOAT64, 1, INT64_MAX / 8 + 1));
}

TEST(tensor_of_a_negative_extent_has_no_count)
{
    assert_no_count(matrix(GP_INT8, -1, 3));
    assert_no_count(matrix(GP_INT8, 0, -3));
    assert_no_count(matrix(GP_INT8, 3, INT64_MIN));
}
