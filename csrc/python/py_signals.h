/* Ctrl-C while the core works without the GIL. */
#ifndef PY_SIGNALS_H
#define PY_SIGNALS_H

#include "gp_core_module.h"

#include "base/gp_watch.h"

#include <stdint.h>

typedef struct core_signals {
    gp_watch watch; /* for the work in between */
    PyThreadState *saved;
    uint64_t asked_ns;
    bool is_over; /* an exception is set */
} core_signals;

/* Drops the GIL. `signals` must not move until the end. */
void core_signals_begin(core_signals *signals);

/* Takes the GIL. False with the exception of a signal's handler: the work ended early. */
bool core_signals_end(core_signals *signals);

#endif
