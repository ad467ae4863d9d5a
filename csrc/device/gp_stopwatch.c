#include "gp_stopwatch.h"

/* What a call that fails has written is no event. */
static gp_status
make_event(const gp_cuda *cu, gp_cu_event *event)
{
    gp_cu_event made = NULL;
    gp_status st = GP_CUDA_CALL(cu, cuEventCreate, (&made, GP_CU_EVENT_DEFAULT));
    if (!gp_failed(st)) { *event = made; }
    return st;
}

gp_status
gp_stopwatch_start(const gp_cuda *cu, gp_cu_stream stream, gp_stopwatch *watch)
{
    *watch = (gp_stopwatch){cu, stream, NULL, NULL};
    gp_status st = make_event(cu, &watch->begin);
    if (gp_failed(st)) { return st; }
    st = make_event(cu, &watch->end);
    if (!gp_failed(st)) { st = GP_CUDA_CALL(cu, cuEventRecord, (watch->begin, stream)); }
    /* Best effort: the failure that brought us here is the one to tell. */
    if (gp_failed(st)) { (void)gp_stopwatch_end(watch); }
    return st;
}

gp_status
gp_stopwatch_read(gp_stopwatch *watch, double *seconds)
{
    const gp_cuda *cu = watch->cu;
    float milliseconds = 0;
    gp_status st = GP_CUDA_CALL(cu, cuEventRecord, (watch->end, watch->stream));
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(cu, cuEventSynchronize, (watch->end));
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(cu, cuEventElapsedTime, (&milliseconds, watch->begin, watch->end));
    *seconds = (double)milliseconds / 1e3;
    return st;
}

gp_status
gp_stopwatch_end(gp_stopwatch *watch)
{
    const gp_cu_event events[] = {watch->begin, watch->end};
    gp_status st = gp_ok();
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        if (events[i] == NULL) { continue; }
        st = gp_first_error(st, GP_CUDA_CALL(watch->cu, cuEventDestroy_v2, (events[i])));
    }
    watch->begin = watch->end = NULL;
    return st;
}
