#include "gp_status.h"

#include <stdio.h>

typedef struct error_row {
    const char *name;
    int code;
    bool is_sticky;
} error_row;

#define GP_ERROR(name, code)        {#name, code, false},
#define GP_STICKY_ERROR(name, code) {#name, code, true},

static const error_row cuda_errors[] = {
#include "cuda_errors.def"
};

static const error_row nvml_errors[] = {
#include "nvml_errors.def"
};

static const error_row cublas_errors[] = {
#include "cublas_errors.def"
};

static const error_row cudnn_errors[] = {
#include "cudnn_errors.def"
};

#undef GP_ERROR
#undef GP_STICKY_ERROR

gp_status
gp_ok(void)
{
    return (gp_status){GP_OK, 0, NULL};
}

gp_status
gp_fail(gp_kind kind, int code, const char *call)
{
    return (gp_status){kind, code, call};
}

bool
gp_failed(gp_status status)
{
    return status.kind != GP_OK;
}

gp_status
gp_first_error(gp_status first, gp_status later)
{
    return gp_failed(first) ? first : later;
}

const char *
gp_kind_name(gp_kind kind)
{
    switch (kind) {
    case GP_OK: return "ok";
    case GP_BAD_ARGUMENT: return "argument";
    case GP_NO_MEMORY: return "memory";
    case GP_OS: return "os";
    case GP_LIBRARY_MISSING: return "library";
    case GP_SYMBOL_MISSING: return "symbol";
    case GP_CUDA: return "cuda";
    case GP_NVML: return "nvml";
    case GP_NO_IMAGE: return "no-image";
    case GP_WRONG_RESULT: return "wrong-result";
    case GP_LIMIT: return "limit";
    case GP_CUBLAS: return "cublas";
    case GP_CUDNN: return "cudnn";
    case GP_CAPTURE: return "capture";
    case GP_UNSUPPORTED: return "unsupported";
    }
    return "unknown";
}

static const error_row *
find_row(const error_row *rows, size_t count, int code)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].code == code) { return &rows[i]; }
    }
    return NULL;
}

static const char *
find_name(const error_row *rows, size_t count, int code)
{
    const error_row *row = find_row(rows, count, code);
    return row == NULL ? NULL : row->name;
}

const char *
gp_cuda_error_name(int code)
{
    return find_name(cuda_errors, sizeof(cuda_errors) / sizeof(cuda_errors[0]), code);
}

const char *
gp_nvml_error_name(int code)
{
    return find_name(nvml_errors, sizeof(nvml_errors) / sizeof(nvml_errors[0]), code);
}

const char *
gp_cublas_error_name(int code)
{
    return find_name(cublas_errors, sizeof(cublas_errors) / sizeof(cublas_errors[0]), code);
}

const char *
gp_cudnn_error_name(int code)
{
    return find_name(cudnn_errors, sizeof(cudnn_errors) / sizeof(cudnn_errors[0]), code);
}

bool
gp_is_sticky(gp_status status)
{
    const size_t count = sizeof(cuda_errors) / sizeof(cuda_errors[0]);
    const error_row *row = find_row(cuda_errors, count, status.code);
    return status.kind == GP_CUDA && row != NULL && row->is_sticky;
}

bool
gp_status_name(gp_status status, char name[GP_STATUS_NAME_SIZE])
{
    const char *known = NULL;
    const char *vendor = NULL;
    switch (status.kind) {
    case GP_CUDA:
        known = gp_cuda_error_name(status.code);
        vendor = "CUDA";
        break;
    case GP_NVML:
        known = gp_nvml_error_name(status.code);
        vendor = "NVML";
        break;
    case GP_CUBLAS:
        known = gp_cublas_error_name(status.code);
        vendor = "cuBLAS";
        break;
    case GP_CUDNN:
        known = gp_cudnn_error_name(status.code);
        vendor = "cuDNN";
        break;
    default: name[0] = '\0'; return false;
    }
    if (known != NULL) { (void)snprintf(name, GP_STATUS_NAME_SIZE, "%s", known); }
    else {
        (void)snprintf(name, GP_STATUS_NAME_SIZE, "%s error %d", vendor, status.code);
    }
    return true;
}
