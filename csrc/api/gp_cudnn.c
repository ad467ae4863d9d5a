#include "gp_cudnn.h"

static const gp_symbol cudnn_symbols[] = {
#define GP_CUDNN_SYMBOL(result, name, parameters) {#name, GP_REQUIRED, offsetof(gp_cudnn, name)},
#include "cudnn_symbols.def"
#undef GP_CUDNN_SYMBOL
};

#define SYMBOL_COUNT (sizeof(cudnn_symbols) / sizeof(cudnn_symbols[0]))

gp_status
gp_cudnn_load(gp_cudnn *dnn, const gp_toolkit_place *place, gp_trace trace)
{
    *dnn = (gp_cudnn){.trace = trace};
    gp_status st =
        gp_library_open_toolkit(&dnn->library, gp_cudnn_file_names,
                                place->settings->values[GP_VAR_LIBCUDNN], place->found, trace);
    if (gp_failed(st)) { return st; }
    return gp_library_bind(&dnn->library, cudnn_symbols, SYMBOL_COUNT, dnn);
}

void
gp_cudnn_free(gp_cudnn *dnn)
{
    gp_library_free(&dnn->library);
}

gp_status
gp_cudnn_status(const char *call, gp_cudnn_result result)
{
    return result == GP_CUDNN_SUCCESS ? gp_ok() : gp_fail(GP_CUDNN, (int)result, call);
}
