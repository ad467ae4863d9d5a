#include "gp_nvml.h"

static const gp_symbol nvml_symbols[] = {
    {"nvmlErrorString", GP_REQUIRED, offsetof(gp_nvml, nvmlErrorString)},
#define GP_NVML_SYMBOL(need, name, parameters) {#name, need, offsetof(gp_nvml, name)},
#include "nvml_symbols.def"
#undef GP_NVML_SYMBOL
};

#define SYMBOL_COUNT (sizeof(nvml_symbols) / sizeof(nvml_symbols[0]))

gp_status
gp_nvml_load(gp_nvml *nv, const gp_settings *settings, gp_trace trace)
{
    *nv = (gp_nvml){.trace = trace};
    gp_status st = gp_library_open_driver(&nv->library, GP_LIBNVML, settings, trace);
    if (gp_failed(st)) { return st; }
    return gp_library_bind(&nv->library, nvml_symbols, SYMBOL_COUNT, nv);
}

void
gp_nvml_free(gp_nvml *nv)
{
    gp_library_free(&nv->library);
}

gp_status
gp_nvml_status(const char *call, gp_nvml_result result)
{
    return result == GP_NVML_SUCCESS ? gp_ok() : gp_fail(GP_NVML, (int)result, call);
}

const char *
gp_nvml_error_text(const gp_nvml *nv, int code)
{
    return nv->nvmlErrorString == NULL ? NULL : nv->nvmlErrorString((gp_nvml_result)code);
}
