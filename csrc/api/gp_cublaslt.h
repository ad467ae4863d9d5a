/* cuBLASLt as a table of typed functions, filled at run time. */
#ifndef GP_CUBLASLT_H
#define GP_CUBLASLT_H

#include "abi/gp_abi_cublaslt.h"
#include "api/gp_cuda.h"

typedef struct gp_cublaslt {
    gp_library library;
    gp_trace trace;
#define GP_CUBLASLT_SYMBOL(need, name, parameters) gp_cublas_status(*name) parameters;
#include "cublaslt_symbols.def"
#undef GP_CUBLASLT_SYMBOL
} gp_cublaslt;

/* Opens cuBLASLt as gp_library_open_toolkit says, by GPUPROBE_LIBCUBLASLT or where it was found, of
 * names that this driver can serve: the newest first. Takes a while, and calls nothing in it. `lt`
 * is filled in on failure too and must be released. */
gp_status gp_cublaslt_load(gp_cublaslt *lt, const gp_cuda *cu, const gp_toolkit_place *place);

void gp_cublaslt_free(gp_cublaslt *lt);

/* A call, as GP_CUDA_CALL makes one of the driver. */
#define GP_CUBLASLT_CALL(lt, name, arguments)                   \
    ((lt)->name == NULL ? gp_fail(GP_SYMBOL_MISSING, 0, #name)  \
                        : (gp_trace_before((lt)->trace, #name), \
                           gp_cublas_status_of(#name, (lt)->name arguments)))

gp_status gp_cublas_status_of(const char *call, gp_cublas_status result);

#endif
