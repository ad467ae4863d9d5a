/* Which arrays share bytes: what gp_tensor_overlap says, against every byte that they have. */
#include "base/gp_tensor.h"
#include "harness.h"

enum { MEMORY = 64 };

static gp_tensor
matrix(unsigned char *first, int64_t rows, int64_t columns, int64_t row_step, int64_t column_step)
{
    return (gp_tensor){.data = first,
                       .dtype = GP_FLOAT16,
                       .ndim = 2,
                       .shape = {rows, columns},
                       .strides = {row_step, column_step}};
}

/* Sets each byte between the first and the last of the elements. */
static void
paint(const gp_tensor *tensor, const unsigned char *memory, bool painted[MEMORY])
{
    int64_t low = MEMORY;
    int64_t high = -1;
    int64_t first = (const unsigned char *)tensor->data - memory;
    for (int64_t i = 0; i < tensor->shape[0]; i++) {
        for (int64_t j = 0; j < tensor->shape[1]; j++) {
            int64_t at = first + i * tensor->strides[0] + j * tensor->strides[1];
            low = at < low ? at : low;
            high = at + 1 > high ? at + 1 : high;
        }
    }
    for (int64_t at = low; at <= high; at++) {
        painted[at] = true;
    }
}

static bool
share_bytes(const gp_tensor *one, const gp_tensor *other, const unsigned char *memory)
{
    bool is_of_one[MEMORY] = {false};
    bool is_of_other[MEMORY] = {false};
    paint(one, memory, is_of_one);
    paint(other, memory, is_of_other);
    for (int i = 0; i < MEMORY; i++) {
        if (is_of_one[i] && is_of_other[i]) { return true; }
    }
    return false;
}

TEST(arrays_overlap_where_they_share_a_byte_between_their_ends)
{
    static const int64_t steps[][2] = {{4, 2}, {-4, 2}, {4, -2}, {-4, -2}, {2, 4}, {0, 2}};
    unsigned char memory[MEMORY] = {0};
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        gp_tensor one = matrix(memory + 32, 2, 2, steps[i][0], steps[i][1]);
        for (int at = 8; at < MEMORY - 8; at++) {
            gp_tensor other = matrix(memory + at, 2, 2, 4, 2);
            bool expected = share_bytes(&one, &other, memory);
            ASSERT_INT(expected, gp_tensor_overlap(&one, &other));
            ASSERT_INT(expected, gp_tensor_overlap(&other, &one));
        }
    }
}

/* One axis of `rows`, at an address. */
static gp_kind
reach_of(uint64_t address, int64_t rows, int64_t step)
{
    gp_tensor tensor = matrix(NULL, rows, 1, step, INT64_MIN);
    tensor.data = (void *)(uintptr_t)address;
    return gp_tensor_check_reach(&tensor).kind;
}

TEST(arrays_may_reach_to_both_ends_of_the_address_space)
{
    const int64_t most = INT64_MAX;
    ASSERT_INT(GP_OK, reach_of(0, 1, INT64_MIN)); /* no step is ever made */
    ASSERT_INT(GP_OK, reach_of(0, 0, INT64_MIN));
    ASSERT_INT(GP_OK, reach_of(0, 2, most / 2));
    ASSERT_INT(GP_OK, reach_of(0, most / 2, 2));
    ASSERT_INT(GP_OK, reach_of((uint64_t)most, 2, -(most / 2)));
    ASSERT_INT(GP_OK, reach_of(64, 2, -64));
    ASSERT_INT(GP_OK, reach_of(UINT64_MAX - 66, 2, 64));
}

TEST(arrays_that_reach_beyond_the_address_space_are_none)
{
    const int64_t most = INT64_MAX;
    ASSERT_INT(GP_BAD_ARGUMENT, reach_of(0, 2, most / 2 + 1));
    ASSERT_INT(GP_BAD_ARGUMENT, reach_of(0, most / 2 + 1, 2));
    ASSERT_INT(GP_BAD_ARGUMENT, reach_of((uint64_t)most, 2, -(most / 2 + 1)));
    ASSERT_INT(GP_BAD_ARGUMENT, reach_of((uint64_t)most, 2, INT64_MIN));
    ASSERT_INT(GP_BAD_ARGUMENT, reach_of(63, 2, -64));
    ASSERT_INT(GP_BAD_ARGUMENT, reach_of(UINT64_MAX - 65, 2, 64));
    ASSERT_INT(GP_BAD_ARGUMENT, reach_of(UINT64_MAX, 1, 2));
}

/* Each axis is a number, and both together are none. */
TEST(arrays_reach_over_all_their_axes)
{
    const int64_t third = INT64_MAX / 3;
    gp_tensor there = matrix(NULL, 2, 2, third, third);
    gp_tensor none = matrix(NULL, 3, 3, third, third);
    ASSERT_OK(gp_tensor_check_reach(&there));
    ASSERT_INT(GP_BAD_ARGUMENT, gp_tensor_check_reach(&none).kind);
    none.strides[1] = -third; /* apart they are numbers, and this one lies below address 0 */
    ASSERT_INT(GP_BAD_ARGUMENT, gp_tensor_check_reach(&none).kind);
    none.data = (void *)(uintptr_t)INT64_MAX;
    ASSERT_OK(gp_tensor_check_reach(&none));
}

TEST(arrays_without_elements_overlap_nothing)
{
    unsigned char memory[MEMORY] = {0};
    gp_tensor one = matrix(memory, 4, 4, 8, 2);
    gp_tensor none = matrix(memory + 8, 4, 0, 8, 2);
    gp_tensor nowhere = matrix(NULL, 0, 4, 8, 2);
    ASSERT(!gp_tensor_overlap(&one, &none));
    ASSERT(!gp_tensor_overlap(&none, &one));
    gp_tensor far = matrix(memory, INT64_MAX, 0, INT64_MAX, 1); /* whose strides nobody checks */
    ASSERT(!gp_tensor_overlap(&nowhere, &nowhere));
    ASSERT(!gp_tensor_overlap(&far, &far));
    ASSERT(gp_tensor_overlap(&one, &one));
}
