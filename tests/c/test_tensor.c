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

TEST(arrays_without_elements_overlap_nothing)
{
    unsigned char memory[MEMORY] = {0};
    gp_tensor one = matrix(memory, 4, 4, 8, 2);
    gp_tensor none = matrix(memory + 8, 4, 0, 8, 2);
    gp_tensor nowhere = matrix(NULL, 0, 4, 8, 2);
    ASSERT(!gp_tensor_overlap(&one, &none));
    ASSERT(!gp_tensor_overlap(&none, &one));
    ASSERT(!gp_tensor_overlap(&nowhere, &nowhere));
    ASSERT(gp_tensor_overlap(&one, &one));
}
