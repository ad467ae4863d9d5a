/* The physical GPUs that NVML shows. NVML ignores CUDA_VISIBLE_DEVICES, so this list and the
 * driver's differ on purpose: match them by UUID or PCI address, never by index. */
#ifndef GP_NVML_DEVICES_H
#define GP_NVML_DEVICES_H

#include "api/gp_nvml.h"
#include "base/gp_text.h"
#include "device/gp_nvml_links.h"
#include "device/gp_nvml_mig.h"
#include "device/gp_nvml_numbers.h"
#include "device/gp_nvml_processes.h"
#include "device/gp_pci.h"

#include <stddef.h>

/* What is read of a device besides its numbers. */
typedef enum gp_nvml_field {
    GP_NVML_HANDLE,
    GP_NVML_NAME,
    GP_NVML_UUID,
    GP_NVML_PCI,
    GP_NVML_CAPABILITY,
    GP_NVML_CPUS,
    GP_NVML_FIELD_COUNT
} gp_nvml_field;

/* The way to another GPU of the list. */
typedef struct gp_nvml_path {
    unsigned int level; /* nvmlGpuTopologyLevel_t: 0, 10, … 50; the higher, the longer the way */
    gp_status read;
} gp_nvml_path;

typedef struct gp_nvml_gpu {
    unsigned int index; /* NVML's own; not the CUDA ordinal */
    gp_nvml_device handle;
    char name[GP_NVML_NAME_SIZE];
    char uuid[GP_NVML_UUID_SIZE];
    char pci[GP_PCI_SIZE];
    int capability_major;
    int capability_minor;
    gp_text cpus; /* owned: "0-15,64-79" */
    /* Why a field could not be read; the field then holds nothing. */
    gp_status read[GP_NVML_FIELD_COUNT];
    gp_nvml_number numbers[GP_NUMBER_COUNT];
    gp_nvml_links links;
    gp_nvml_processes processes;
    gp_nvml_migs migs;   /* of a GPU in MIG mode */
    gp_nvml_path *paths; /* owned: one for each GPU of the list, its own place unused */
} gp_nvml_gpu;

typedef struct gp_nvml_gpus {
    gp_nvml_gpu *list; /* owned */
    size_t count;
} gp_nvml_gpus;

/* Lists all GPUs after nvmlInit_v2. A lost or forbidden GPU keeps its place in the list with the
 * codes of what it did not answer. On failure (the count itself, or no memory) the list is empty.
 */
gp_status gp_nvml_devices_list(const gp_nvml *nv, gp_nvml_gpus *gpus);

/* Releases a list; an empty one, too. */
void gp_nvml_devices_free(gp_nvml_gpus *gpus);

#endif
