/* The MIG instances of a GPU. NVML lists them beside the GPU, CUDA in its place. */
#ifndef GP_NVML_MIG_H
#define GP_NVML_MIG_H

#include "api/gp_nvml.h"

#include <stddef.h>

typedef enum gp_nvml_mig_field {
    GP_MIG_NAME,
    GP_MIG_UUID,
    GP_MIG_MEMORY,
    GP_MIG_GPU_INSTANCE,
    GP_MIG_COMPUTE_INSTANCE,
    GP_MIG_FIELD_COUNT
} gp_nvml_mig_field;

typedef struct gp_nvml_mig {
    unsigned int place; /* NVML's index below the GPU; some places may be empty */
    gp_nvml_device handle;
    char name[GP_NVML_NAME_SIZE];
    char uuid[GP_NVML_UUID_SIZE]; /* "MIG-…" */
    gp_nvml_memory memory;        /* bytes */
    unsigned int gpu_instance;
    unsigned int compute_instance;
    gp_status read[GP_MIG_FIELD_COUNT];
} gp_nvml_mig;

typedef struct gp_nvml_migs {
    gp_nvml_mig *list; /* owned */
    size_t count;
    gp_status read;
} gp_nvml_migs;

/* Asks a GPU whose MIG mode is on. */
void gp_nvml_migs_read(const gp_nvml *nv, gp_nvml_device device, gp_nvml_migs *migs);

void gp_nvml_migs_free(gp_nvml_migs *migs);

#endif
