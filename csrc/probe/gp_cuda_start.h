/* The first three calls of every step that needs the driver: load, version, cuInit. */
#ifndef GP_CUDA_START_H
#define GP_CUDA_START_H

#include "api/gp_cuda.h"
#include "gp_answer.h"

typedef struct gp_cuda_versions {
    int driver; /* 12040; known only if `read` is a success */
    gp_status read;
} gp_cuda_versions;

/* The version is asked before cuInit, because a driver that cannot start still knows it. `cu` must
 * be released with gp_cuda_free after a failure too. */
gp_status gp_cuda_start(gp_cuda *cu, const gp_settings *settings, gp_trace trace, gp_answer *answer,
                        gp_cuda_versions *versions);

/* "driver_version" and "unread". */
void gp_cuda_versions_write(gp_json *json, const gp_cuda_versions *versions);

/* The words that belong to a failure: the driver's, the loader's, or NULL. */
const char *gp_cuda_failure_text(const gp_cuda *cu, gp_status failed);

#endif
