/* cuDNN 9 as a table of typed functions, filled at run time. */
#ifndef GP_CUDNN_H
#define GP_CUDNN_H

#include "abi/gp_abi_cuda.h"
#include "abi/gp_abi_cudnn.h"
#include "api/gp_library.h"

typedef struct gp_cudnn {
    gp_library library;
    gp_trace trace;
#define GP_CUDNN_SYMBOL(result, name, parameters) result(*name) parameters;
#include "cudnn_symbols.def"
#undef GP_CUDNN_SYMBOL
} gp_cudnn;

/* Opens cuDNN as gp_library_open_toolkit says, by GPUPROBE_LIBCUDNN or where it was found, and
 * fills the table. Its parts are loaded by cuDNN itself, later: that this succeeds says nothing
 * about them. `dnn` is filled in on failure too and must be released with gp_cudnn_free. */
gp_status gp_cudnn_load(gp_cudnn *dnn, const gp_toolkit_place *place, gp_trace trace);

void gp_cudnn_free(gp_cudnn *dnn);

/* A call: named, traced and checked from one word, e.g.
 *     st = GP_CUDNN_CALL(dnn, cudnnBackendFinalize, (descriptor));
 */
#define GP_CUDNN_CALL(dnn, name, arguments) \
    (gp_trace_before((dnn)->trace, #name), gp_cudnn_status(#name, (dnn)->name arguments))

gp_status gp_cudnn_status(const char *call, gp_cudnn_result result);

#endif
