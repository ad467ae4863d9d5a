#include "harness.h"
#include "ops/gp_matrix.h"

#include <math.h>

enum { SIZE = 2 * 3 * 5 * 7 };

static float numbers[SIZE];

static void
fill(void)
{
    for (int i = 0; i < SIZE; i++) {
        numbers[i] = (float)i;
    }
}

/* Every part of every row, element by element. */
static void
assert_parts(const gp_matrix *matrix)
{
    double part[SIZE + 1];
    for (size_t row = 0; row < matrix->rows; row++) {
        for (size_t begin = 0; begin <= matrix->columns; begin++) {
            for (size_t n = 0; begin + n <= matrix->columns; n++) {
                part[n] = -1.0;
                gp_matrix_part(matrix, row, begin, n, part);
                for (size_t i = 0; i < n; i++) {
                    ASSERT(part[i] == gp_matrix_at(matrix, row, begin + i));
                }
                ASSERT(part[n] == -1.0);
            }
        }
    }
}

TEST(matrix_parts_are_their_elements_in_order)
{
    fill();
    gp_matrix plain = gp_matrix_of(numbers, GP_FLOAT32, 6, 35, 35 * 4, 4);
    gp_matrix transposed = gp_matrix_transposed(plain);
    gp_matrix backwards = gp_matrix_of(numbers + SIZE - 1, GP_FLOAT32, 6, 35, -35 * 4, -4);
    assert_parts(&plain);
    assert_parts(&transposed);
    assert_parts(&backwards);
}

/* Columns along three axes, as the patches of an image have them: a part may begin and end within
 * any of their lines. */
TEST(matrix_parts_run_along_several_axes)
{
    fill();
    gp_tensor patches = {numbers, GP_FLOAT32, 4, {2, 2, 3, 4}, {105 * 4, 35 * 4, 7 * 4, 4}};
    gp_matrix matrix;
    ASSERT(gp_matrix_of_tensor(&patches, 1, &matrix));
    ASSERT_INT(2, matrix.outer_columns.ndim);
    assert_parts(&matrix);
}

/* The sanitizers see what overflows: the strides of an array without elements may be any. */
TEST(matrix_of_nothing_has_no_strides)
{
    gp_tensor none = {.data = numbers, .ndim = 4, .shape = {3, 4, 0, 5}};
    gp_matrix matrix;
    for (int i = 0; i < 4; i++) {
        none.strides[i] = i % 2 == 0 ? INT64_MAX : INT64_MIN;
    }
    ASSERT(gp_matrix_of_tensor(&none, 2, &matrix));
    ASSERT_INT(12, matrix.rows);
    ASSERT_INT(0, matrix.columns);
    assert_parts(&matrix);
}

TEST(matrix_rows_are_compact_where_their_elements_touch)
{
    gp_matrix plain = gp_matrix_of(numbers, GP_FLOAT32, 6, 35, 36 * 4, 4);
    gp_matrix transposed = gp_matrix_transposed(plain);
    gp_tensor patches = {numbers, GP_FLOAT32, 3, {2, 3, 4}, {35 * 4, 7 * 4, 4}};
    gp_matrix matrix;
    ASSERT(gp_matrix_of_tensor(&patches, 1, &matrix));
    ASSERT(gp_matrix_compact_row(&plain, 2) == numbers + 72);
    ASSERT(gp_matrix_compact_row(&transposed, 2) == NULL);
    ASSERT(gp_matrix_compact_row(&matrix, 0) == NULL);
}

static gp_survey
survey_of(double value, size_t place)
{
    double row[SIZE] = {0.0};
    row[place] = value;
    return gp_survey_of(row, SIZE);
}

/* In every lane, and after the last of them. */
TEST(survey_knows_the_whole_numbers_of_every_magnitude)
{
    static const double whole[] = {0,          1,          0x1p51 + 1, 0x1p52 - 1, 0x1p52,
                                   0x1p52 + 1, 0x1p53 - 1, 0x1p53,     0x1p53 + 2, 0x1p1023};
    static const double others[] = {0.5,          0x1p-1074,        0x1p51 + 0.5,
                                    0x1p52 - 0.5, 1 + 0x1p-52,      (double)NAN,
                                    -(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t place = 0; place < SIZE; place++) {
        for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
            gp_survey seen = survey_of(place % 2 == 0 ? whole[i] : -whole[i], place);
            ASSERT(seen.is_whole);
            ASSERT(seen.magnitude == whole[i]);
        }
        for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
            ASSERT(!survey_of(others[i], place).is_whole);
        }
    }
}
