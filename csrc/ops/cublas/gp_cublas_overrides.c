#include "gp_cublas_overrides.h"

#include <string.h>

typedef struct override_row {
    gp_variable variable;
    bool is_zero; /* whether the value 0 is meant, or any other one */
    const char *arithmetic;
    const char *why;
} override_row;

static const override_row rows[] = {
    {GP_VAR_TF32_OVERRIDE, false, "float32",
     "cuBLAS would round float32 to TF32: NVIDIA_TF32_OVERRIDE is set, and not to 0"},
    {GP_VAR_TF32_OVERRIDE, true, "tf32", "cuBLAS would not use TF32: NVIDIA_TF32_OVERRIDE is 0"},
    {GP_VAR_EMULATE_SINGLE, false, "float32",
     "cuBLAS might emulate float32: CUBLAS_EMULATE_SINGLE_PRECISION is set, and not to 0"},
    {GP_VAR_EMULATE_DOUBLE, false, "float64",
     "cuBLAS might emulate float64: CUBLAS_EMULATE_DOUBLE_PRECISION is set, and not to 0"},
};

enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

static bool
is_in_force(const override_row *row, const gp_settings *settings)
{
    const char *value = settings->values[row->variable];
    return value != NULL && (strcmp(value, "0") == 0) == row->is_zero;
}

gp_cublas_overrides
gp_cublas_overrides_of(const gp_settings *settings)
{
    gp_cublas_overrides overrides = {0};
    for (unsigned int i = 0; i < ROW_COUNT; i++) {
        overrides.in_force |= is_in_force(&rows[i], settings) ? 1u << i : 0u;
    }
    return overrides;
}

gp_status
gp_cublas_overrides_allow(gp_cublas_overrides overrides, const gp_arithmetic *arithmetic)
{
    for (unsigned int i = 0; overrides.in_force != 0 && i < ROW_COUNT; i++) {
        bool applies = (overrides.in_force & (1u << i)) != 0;
        if (applies && strcmp(rows[i].arithmetic, arithmetic->name) == 0) {
            return gp_fail(GP_UNSUPPORTED, 0, rows[i].why);
        }
    }
    return gp_ok();
}
