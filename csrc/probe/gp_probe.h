/* The probe: does one risky thing and answers with one JSON object. The program gpuprobe-probe and
 * the Python binding run the same steps. */
#ifndef GP_PROBE_H
#define GP_PROBE_H

#include "base/gp_text.h"
#include "base/gp_trace.h"
#include "platform/gp_settings.h"

typedef enum gp_probe_outcome {
    GP_PROBE_ANSWERED = 0, /* `out` holds the JSON object and a newline, whatever was found */
    GP_PROBE_NO_MEMORY = 1,
    GP_PROBE_USAGE = 2 /* `out` holds how to call it */
} gp_probe_outcome;

/* `arguments` are those after the program's name: STEP [ARGS]. */
gp_probe_outcome gp_probe_run(int count, const char *const *arguments, const gp_settings *settings,
                              gp_trace trace, gp_text *out);

/* A trace that writes "> cuInit" to the standard error and flushes it, so that a parent can name
 * the call in which this process hangs or dies. */
gp_trace gp_probe_trace(void);

#endif
