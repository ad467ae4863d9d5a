#include "gp_cublas_overrides.h"

#include "platform/gp_env.h"

#include <string.h>

typedef struct override_row {
    const char *variable;
    bool is_zero; /* whether the value 0 is meant, or any other one */
    const char *arithmetic;
    const char *why;
} override_row;

static const override_row rows[] = {
    {"NVIDIA_TF32_OVERRIDE", false, "float32",
     "cuBLAS would round float32 to TF32: NVIDIA_TF32_OVERRIDE is set, and not to 0"},
    {"NVIDIA_TF32_OVERRIDE", true, "tf32", "cuBLAS would not use TF32: NVIDIA_TF32_OVERRIDE is 0"},
    {"CUBLAS_EMULATE_SINGLE_PRECISION", false, "float32",
     "cuBLAS might emulate float32: CUBLAS_EMULATE_SINGLE_PRECISION is set, and not to 0"},
    {"CUBLAS_EMULATE_DOUBLE_PRECISION", false, "float64",
     "cuBLAS might emulate float64: CUBLAS_EMULATE_DOUBLE_PRECISION is set, and not to 0"},
};

enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

static gp_status
read_row(const override_row *row, bool *is_in_force)
{
    gp_text value = GP_TEXT_EMPTY;
    bool is_set = false;
    gp_status st = gp_env_get(row->variable, &value, &is_set);
    bool is_zero = strcmp(gp_text_get(&value), "0") == 0;
    *is_in_force = value.size > 0 && is_zero == row->is_zero;
    gp_text_free(&value);
    return st;
}

gp_status
gp_cublas_overrides_read(gp_cublas_overrides *overrides)
{
    overrides->in_force = 0;
    for (unsigned int i = 0; i < ROW_COUNT; i++) {
        bool is_in_force = false;
        gp_status st = read_row(&rows[i], &is_in_force);
        if (gp_failed(st)) { return st; }
        overrides->in_force |= is_in_force ? 1u << i : 0u;
    }
    return gp_ok();
}

gp_status
gp_cublas_overrides_allow(gp_cublas_overrides overrides, const gp_arithmetic *arithmetic)
{
    for (unsigned int i = 0; overrides.in_force != 0 && i < ROW_COUNT; i++) {
        bool is_in_force = (overrides.in_force & (1u << i)) != 0;
        if (is_in_force && strcmp(rows[i].arithmetic, arithmetic->name) == 0) {
            return gp_fail(GP_UNSUPPORTED, 0, rows[i].why);
        }
    }
    return gp_ok();
}
