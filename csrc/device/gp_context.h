/* The device's primary context, which the CUDA run time, torch and everybody else in the process
 * share: it is retained and released, never reset, and made current only around our own calls. */
#ifndef GP_CONTEXT_H
#define GP_CONTEXT_H

#include "api/gp_cuda.h"

#include <stddef.h>

typedef struct gp_context {
    const gp_cuda *cu;
    gp_cu_device device;
    gp_cu_context handle; /* NULL: not retained */
} gp_context;

/* Retains the context; the first retain in a process creates it, which takes a while. */
gp_status gp_context_retain(const gp_cuda *cu, gp_cu_device device, gp_context *context);

/* Makes the context current on this thread; gp_context_leave, on the same thread, restores what
 * was current before. */
gp_status gp_context_enter(const gp_context *context);
gp_status gp_context_leave(const gp_context *context);

/* What the driver says of the device's memory, whoever holds the rest. */
gp_status gp_context_memory(const gp_context *context, size_t *free_bytes, size_t *total);

/* Gives the context back; does nothing if it was not retained. */
gp_status gp_context_release(gp_context *context);

#endif
