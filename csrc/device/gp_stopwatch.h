/* How long a device takes for what a stream is given between two moments. */
#ifndef GP_STOPWATCH_H
#define GP_STOPWATCH_H

#include "api/gp_cuda.h"

typedef struct gp_stopwatch {
    const gp_cuda *cu;
    gp_cu_stream stream;
    gp_cu_event begin; /* NULL: it does not run */
    gp_cu_event end;
} gp_stopwatch;

/* The context of the stream is current from here to the end. After a failure nothing runs. */
gp_status gp_stopwatch_start(const gp_cuda *cu, gp_cu_stream stream, gp_stopwatch *watch);

/* Waits for what the stream was given since the start. What other streams keep the device busy with
 * meanwhile counts too. */
gp_status gp_stopwatch_read(gp_stopwatch *watch, double *seconds);

/* To be called after every start, also where the work in between failed. */
gp_status gp_stopwatch_end(gp_stopwatch *watch);

#endif
