/* Tells somebody which risky call comes next, so that the name of the call is known even when it
 * never returns. The core calls it; only the probe program prints it. */
#ifndef GP_TRACE_H
#define GP_TRACE_H

#include <stddef.h>

typedef struct gp_trace {
    void (*before)(const char *call); /* may be NULL: nobody listens */
} gp_trace;

static inline void
gp_trace_before(gp_trace trace, const char *call)
{
    if (trace.before != NULL) { trace.before(call); }
}

#endif
