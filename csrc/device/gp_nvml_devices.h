/* The physical GPUs that NVML shows. NVML ignores CUDA_VISIBLE_DEVICES, so this list and the
 * driver's differ on purpose: match them by UUID or PCI address, never by index. */
#ifndef GP_NVML_DEVICES_H
#define GP_NVML_DEVICES_H

#include "api/gp_nvml.h"
#include "device/gp_pci.h"

#include <stddef.h>

/* What is read of a device, one call each. */
typedef enum gp_nvml_field {
    GP_NVML_HANDLE,
    GP_NVML_NAME,
    GP_NVML_UUID,
    GP_NVML_PCI,
    GP_NVML_MINOR,
    GP_NVML_CAPABILITY,
    GP_NVML_MEMORY,
    GP_NVML_COMPUTE_MODE,
    GP_NVML_PERSISTENCE_MODE,
    GP_NVML_MIG_MODE,
    GP_NVML_FIELD_COUNT
} gp_nvml_field;

typedef struct gp_nvml_gpu {
    unsigned int index; /* NVML's own; not the CUDA ordinal */
    gp_nvml_device handle;
    char name[GP_NVML_NAME_SIZE];
    char uuid[GP_NVML_UUID_SIZE];
    char pci[GP_PCI_SIZE];
    unsigned int minor; /* /dev/nvidia<minor> */
    int capability_major;
    int capability_minor;
    gp_nvml_memory memory; /* bytes */
    unsigned int compute_mode;
    unsigned int persistence_mode;
    unsigned int mig_mode;
    /* Why a field could not be read; the field then holds nothing. */
    gp_status read[GP_NVML_FIELD_COUNT];
} gp_nvml_gpu;

/* Lists all GPUs after nvmlInit_v2. A lost or forbidden GPU keeps its place in the list with the
 * codes of what it did not answer. On failure (the count itself, or no memory) *gpus is NULL. */
gp_status gp_nvml_devices_list(const gp_nvml *nv, gp_nvml_gpu **gpus, size_t *count);

/* Releases a list; accepts NULL. */
void gp_nvml_devices_free(gp_nvml_gpu *gpus);

#endif
