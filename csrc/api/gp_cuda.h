/* libcuda as a table of typed functions, filled at run time. */
#ifndef GP_CUDA_H
#define GP_CUDA_H

#include "abi/gp_abi_cuda.h"
#include "api/gp_library.h"

typedef struct gp_cuda {
    gp_library library;
    gp_trace trace;
#define GP_CUDA_SYMBOL(need, name, parameters) gp_cu_result(*name) parameters;
#include "cuda_symbols.def"
#undef GP_CUDA_SYMBOL
} gp_cuda;

/* Opens libcuda (GPUPROBE_LIBCUDA overrides the search) and fills the table; initialises nothing.
 * `cu` is filled in on failure too and must be released with gp_cuda_free. */
gp_status gp_cuda_load(gp_cuda *cu, const gp_settings *settings, gp_trace trace);

/* The same with the libcuda that this process has loaded already, if any: without one the library's
 * handle is NULL and the table empty. Loads and initialises nothing. */
gp_status gp_cuda_find(gp_cuda *cu, const gp_settings *settings);

void gp_cuda_free(gp_cuda *cu);

/* A driver call: named, traced and checked from one word, e.g.
 *     st = GP_CUDA_CALL(cu, cuMemAlloc_v2, (&pointer, bytes));
 * A function that this driver lacks is a failure of kind GP_SYMBOL_MISSING, not a crash. */
#define GP_CUDA_CALL(cu, name, arguments)       \
    ((cu)->name == NULL                         \
         ? gp_fail(GP_SYMBOL_MISSING, 0, #name) \
         : (gp_trace_before((cu)->trace, #name), gp_cuda_status(#name, (cu)->name arguments)))

gp_status gp_cuda_status(const char *call, gp_cu_result result);

/* The driver's own words for a code; NULL if it has none (unknown code, or a stub, which answers
 * nothing). The text belongs to the driver. */
const char *gp_cuda_error_text(const gp_cuda *cu, int code);

#endif
