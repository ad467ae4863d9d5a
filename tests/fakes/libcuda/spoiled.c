#include "spoiled.h"

#include "../common/fault.h"
#include "../common/scenario.h"
#include "../common/spoil.h"
#include "kernels/gp_work.h"

#include <stdlib.h>
#include <string.h>

static bool
begins_with(const char *kernel, const char *head)
{
    return strncmp(kernel, head, strlen(head)) == 0;
}

/* Sums of the other types have but one. */
static gp_dtype
stored_as(const char *kernel, int64_t store)
{
    const char *type = strrchr(kernel, '_') + 1;
    if (strcmp(type, "f64") == 0) { return GP_FLOAT64; }
    if (*type == 'i') { return GP_INT32; }
    return store == GP_STORE_F16 ? GP_FLOAT16 : store == GP_STORE_BF16 ? GP_BFLOAT16 : GP_FLOAT32;
}

static spoiled
result_of(const char *kernel, void **params)
{
    spoiled result = {.data = NULL};
    if (begins_with(kernel, "gp_matmul_")) {
        const gp_matmul_work *work = params[0];
        result.data = work->c;
        result.dtype = stored_as(kernel, work->store);
        result.rows = (size_t)(work->batch * work->m);
        result.columns = (size_t)work->n;
    }
    else if (begins_with(kernel, "gp_conv2d_")) {
        const gp_conv2d_work *work = params[0];
        const int64_t columns = work->channels_last ? work->k : work->out[1];
        result.data = work->y;
        result.dtype = stored_as(kernel, work->store);
        result.rows = (size_t)(work->n * work->k * work->out[0] * work->out[1] / columns);
        result.columns = (size_t)columns;
    }
    else {
        fake_die("[faults] cuLaunchKernel: the result of %s cannot be spoilt", kernel);
    }
    result.row_bytes = result.columns * gp_dtype_size(result.dtype);
    return result;
}

/* To the 11 bits that TF32 takes, ties to even. */
static void
round_to_tf32(void *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        memcpy(&bits, (char *)values + 4 * i, sizeof bits);
        bits = (bits + 0xFFF + ((bits >> 13) & 1)) & 0xFFFFE000;
        memcpy((char *)values + 4 * i, &bits, sizeof bits);
    }
}

void
fake_before_launch(int fault, const char *kernel, void **params, kept_inputs *kept)
{
    *kept = (kept_inputs){.bytes = {NULL}};
    if (fault != FAKE_TF32 || strstr(kernel, "_f32") == NULL) { return; }
    const int count = hostcuda_spans(kernel, params, kept->spans);
    for (int i = 0; i < count; i++) {
        const hostcuda_span *span = &kept->spans[i];
        if (span->writes || span->bytes == 0) { continue; }
        kept->bytes[i] = malloc(span->bytes);
        if (kept->bytes[i] == NULL) { fake_die("no memory to keep what is rounded"); }
        memcpy(kept->bytes[i], span->begin, span->bytes);
        round_to_tf32((void *)(uintptr_t)span->begin, span->bytes / 4);
    }
}

void
fake_after_launch(int fault, const char *kernel, void **params, kept_inputs *kept)
{
    for (size_t i = 0; i < HOSTCUDA_MOST_SPANS; i++) {
        if (kept->bytes[i] == NULL) { continue; }
        memcpy((void *)(uintptr_t)kept->spans[i].begin, kept->bytes[i], kept->spans[i].bytes);
        free(kept->bytes[i]);
    }
    if (fault < 0 && fault != FAKE_TF32) {
        const spoiled result = result_of(kernel, params);
        fake_spoil(fault, &result);
    }
}
