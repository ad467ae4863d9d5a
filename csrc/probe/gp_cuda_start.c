#include "gp_cuda_start.h"

#include "platform/gp_clock.h"

gp_status
gp_cuda_start(gp_cuda *cu, const gp_settings *settings, gp_trace trace, gp_answer *answer,
              gp_cuda_versions *versions)
{
    uint64_t start = gp_clock_ns();
    gp_status st = gp_cuda_load(cu, settings, trace);
    gp_answer_add_time(answer, "load", start);
    *versions = (gp_cuda_versions){0, st};
    if (gp_failed(st)) { return st; }
    versions->read = GP_CUDA_CALL(cu, cuDriverGetVersion, (&versions->driver));
    start = gp_clock_ns();
    st = GP_CUDA_CALL(cu, cuInit, (0));
    gp_answer_add_time(answer, "init", start);
    return st;
}

void
gp_cuda_versions_write(gp_json *json, const gp_cuda_versions *versions)
{
    gp_member_int(json, "driver_version", !gp_failed(versions->read), versions->driver);
    gp_json_key(json, "unread");
    gp_json_open_object(json);
    gp_answer_unread(json, "driver_version", versions->read);
    gp_json_close_object(json);
}

const char *
gp_cuda_failure_text(const gp_cuda *cu, gp_status failed)
{
    if (failed.kind == GP_CUDA) { return gp_cuda_error_text(cu, failed.code); }
    if (failed.kind == GP_LIBRARY_MISSING) { return gp_text_get(&cu->library.error); }
    return NULL;
}
