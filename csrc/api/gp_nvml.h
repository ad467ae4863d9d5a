/* NVML as a table of typed functions, filled at run time. */
#ifndef GP_NVML_H
#define GP_NVML_H

#include "abi/gp_abi_nvml.h"
#include "api/gp_library.h"

typedef struct gp_nvml {
    gp_library library;
    gp_trace trace;
    const char *(*nvmlErrorString)(gp_nvml_result result);
#define GP_NVML_SYMBOL(need, name, parameters) gp_nvml_result(*name) parameters;
#include "nvml_symbols.def"
#undef GP_NVML_SYMBOL
} gp_nvml;

/* Opens NVML (GPUPROBE_LIBNVML overrides the search) and fills the table; initialises nothing.
 * `nv` is filled in on failure too and must be released with gp_nvml_free. */
gp_status gp_nvml_load(gp_nvml *nv, const gp_settings *settings, gp_trace trace);

void gp_nvml_free(gp_nvml *nv);

/* As GP_CUDA_CALL. */
#define GP_NVML_CALL(nv, name, arguments)       \
    ((nv)->name == NULL                         \
         ? gp_fail(GP_SYMBOL_MISSING, 0, #name) \
         : (gp_trace_before((nv)->trace, #name), gp_nvml_status(#name, (nv)->name arguments)))

gp_status gp_nvml_status(const char *call, gp_nvml_result result);

/* NVML's own words for a code; NULL if it has none. The text is static. */
const char *gp_nvml_error_text(const gp_nvml *nv, int code);

#endif
