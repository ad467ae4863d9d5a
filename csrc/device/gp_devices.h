/* The devices that the CUDA driver shows to this process. Needs cuInit, makes no context. */
#ifndef GP_DEVICES_H
#define GP_DEVICES_H

#include "api/gp_cuda.h"
#include "device/gp_pci.h"
#include "device/gp_uuid.h"

#include <stdbool.h>
#include <stddef.h>

#define GP_DEVICE_NAME_SIZE 256

/* What is read of a device, one call each. */
typedef enum gp_device_field {
    GP_DEVICE_HANDLE,
    GP_DEVICE_NAME,
    GP_DEVICE_UUID,
    GP_DEVICE_PCI,
    GP_DEVICE_CAPABILITY,
    GP_DEVICE_SMS,
    GP_DEVICE_MEMORY,
    GP_DEVICE_INTEGRATED,
    GP_DEVICE_COMPUTE_MODE,
    GP_DEVICE_FIELD_COUNT
} gp_device_field;

typedef struct gp_device {
    int ordinal; /* after CUDA_VISIBLE_DEVICES */
    gp_cu_device handle;
    char name[GP_DEVICE_NAME_SIZE];
    char uuid[GP_UUID_TEXT_SIZE];
    char pci[GP_PCI_SIZE]; /* of the parent GPU for a MIG instance */
    int capability_major;
    int capability_minor;
    int sms;
    size_t memory_bytes;
    int integrated;
    int compute_mode;
    /* Why a field could not be read; the field then holds nothing. */
    gp_status read[GP_DEVICE_FIELD_COUNT];
} gp_device;

/* Lists all visible devices. A device that answers badly keeps its place in the list with the
 * codes of what it did not answer. On failure (the count itself, or no memory) *devices is NULL. */
gp_status gp_devices_list(const gp_cuda *cu, gp_device **devices, size_t *count);

/* Reads one device. Never fails as a whole: see `read`. */
void gp_device_read(const gp_cuda *cu, int ordinal, gp_device *device);

/* The compute capability: 9 and 0 for 9.0. */
gp_status gp_device_capability(const gp_cuda *cu, gp_cu_device handle, int *major, int *minor);

/* The first failure among the fields. */
gp_status gp_device_failure(const gp_device *device);

/* Releases a list; accepts NULL. */
void gp_devices_free(gp_device *devices);

#endif
