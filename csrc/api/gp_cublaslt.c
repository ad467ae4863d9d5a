#include "gp_cublaslt.h"

#include <string.h>

static const gp_symbol cublaslt_symbols[] = {
#define GP_CUBLASLT_SYMBOL(need, name, parameters) {#name, need, offsetof(gp_cublaslt, name)},
#include "cublaslt_symbols.def"
#undef GP_CUBLASLT_SYMBOL
};

#define SYMBOL_COUNT (sizeof(cublaslt_symbols) / sizeof(cublaslt_symbols[0]))

/* A library of CUDA 13 cannot start on a driver for CUDA 12; one of CUDA 12 runs on both. */
static const char *const *
names_for(int driver_cuda)
{
    if (driver_cuda >= 13000) { return gp_cublaslt_file_names; }
    return gp_cublaslt_file_names + (driver_cuda >= 12000 ? 1 : 2);
}

static bool
ends_with(const char *text, const char *end)
{
    size_t size = strlen(text);
    size_t end_size = strlen(end);
    return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

/* What was found; NULL where it is of a newer CUDA. */
static const char *
served(const char *const *names, const char *found)
{
    while (found != NULL && *names != NULL && !ends_with(found, *names)) {
        names++;
    }
    return *names == NULL ? NULL : found;
}

gp_status
gp_cublaslt_load(gp_cublaslt *lt, const gp_cuda *cu, const gp_toolkit_place *place)
{
    int driver_cuda = 0;
    *lt = (gp_cublaslt){.trace = cu->trace};
    gp_status st = GP_CUDA_CALL(cu, cuDriverGetVersion, (&driver_cuda));
    if (gp_failed(st)) { return st; }
    const char *const *names = names_for(driver_cuda);
    st = gp_library_open_toolkit(&lt->library, names, place->settings->values[GP_VAR_LIBCUBLASLT],
                                 served(names, place->found), lt->trace);
    if (gp_failed(st)) { return st; }
    return gp_library_bind(&lt->library, cublaslt_symbols, SYMBOL_COUNT, lt);
}

void
gp_cublaslt_free(gp_cublaslt *lt)
{
    gp_library_free(&lt->library);
}

gp_status
gp_cublas_status_of(const char *call, gp_cublas_status result)
{
    return result == GP_CUBLAS_SUCCESS ? gp_ok() : gp_fail(GP_CUBLAS, (int)result, call);
}
