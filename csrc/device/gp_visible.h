/* The devices that CUDA shows to this very process, if somebody has started it here. Whoever looks
 * changes nothing: cuInit would start CUDA, so it is never called. */
#ifndef GP_VISIBLE_H
#define GP_VISIBLE_H

#include "device/gp_devices.h"

typedef enum gp_cuda_state {
    GP_CUDA_NOT_LOADED,  /* the process has no libcuda */
    GP_CUDA_NOT_STARTED, /* no cuInit yet; the same answer comes in a fork of a started process */
    GP_CUDA_STARTED,     /* CUDA_VISIBLE_DEVICES has been read: a change comes too late */
    GP_CUDA_REFUSES      /* libcuda answers, and not with devices: see `failure` */
} gp_cuda_state;

typedef struct gp_visible {
    gp_cuda_state state;
    int driver_cuda;    /* as cuDriverGetVersion gives it: 12040; 0: nobody tells */
    gp_device *devices; /* owned; NULL unless started with devices */
    size_t count;
    gp_status failure;
} gp_visible;

/* Looks. Fails only without memory; `visible` must be released with gp_visible_free in any case.
 * The functions that are called for it need no context and make none. */
gp_status gp_visible_read(const gp_settings *settings, gp_visible *visible);

void gp_visible_free(gp_visible *visible);

/* "not loaded", "not started", "started", "refuses" */
const char *gp_cuda_state_name(gp_cuda_state state);

#endif
