#include "gp_cuda.h"

static const gp_symbol cuda_symbols[] = {
#define GP_CUDA_SYMBOL(need, name, parameters) {#name, need, offsetof(gp_cuda, name)},
#include "cuda_symbols.def"
#undef GP_CUDA_SYMBOL
};

#define SYMBOL_COUNT (sizeof(cuda_symbols) / sizeof(cuda_symbols[0]))

gp_status
gp_cuda_load(gp_cuda *cu, const gp_settings *settings, gp_trace trace)
{
    *cu = (gp_cuda){.trace = trace};
    gp_status st = gp_library_open_driver(&cu->library, GP_LIBCUDA, settings, trace);
    if (gp_failed(st)) { return st; }
    return gp_library_bind(&cu->library, cuda_symbols, SYMBOL_COUNT, cu);
}

gp_status
gp_cuda_find(gp_cuda *cu, const gp_settings *settings)
{
    *cu = (gp_cuda){.trace = {NULL}};
    gp_library_find_driver(&cu->library, GP_LIBCUDA, settings);
    if (cu->library.handle == NULL) { return gp_ok(); }
    return gp_library_bind(&cu->library, cuda_symbols, SYMBOL_COUNT, cu);
}

void
gp_cuda_free(gp_cuda *cu)
{
    gp_library_free(&cu->library);
}

gp_status
gp_cuda_status(const char *call, gp_cu_result result)
{
    return result == GP_CU_SUCCESS ? gp_ok() : gp_fail(GP_CUDA, (int)result, call);
}

const char *
gp_cuda_error_text(const gp_cuda *cu, int code)
{
    const char *text = NULL;
    if (cu->cuGetErrorString == NULL) { return NULL; }
    gp_cu_result result = cu->cuGetErrorString((gp_cu_result)code, &text);
    return result == GP_CU_SUCCESS ? text : NULL;
}
