#include "gp_devices.h"

#include "base/gp_alloc.h"

#include <string.h>

static gp_status
read_name(const gp_cuda *cu, gp_device *device)
{
    gp_status st =
        GP_CUDA_CALL(cu, cuDeviceGetName, (device->name, GP_DEVICE_NAME_SIZE, device->handle));
    device->name[GP_DEVICE_NAME_SIZE - 1] = '\0';
    return st;
}

/* On a MIG instance the _v2 function gives the instance's UUID, the older one its parent's. Where
 * the older one does not answer the name tells: "NVIDIA A100-SXM4-40GB MIG 1g.5gb". Without either
 * nobody knows how the UUID begins. */
static gp_status
read_uuid(const gp_cuda *cu, gp_device *device)
{
    gp_cu_uuid own = {{0}};
    gp_cu_uuid parent = {{0}};
    gp_status st = GP_CUDA_CALL(cu, cuDeviceGetUuid_v2, (&own, device->handle));
    gp_status older = GP_CUDA_CALL(cu, cuDeviceGetUuid, (&parent, device->handle));
    if (st.kind == GP_SYMBOL_MISSING) {
        own = parent;
        st = older;
    }
    if (gp_failed(st)) { return st; }
    bool is_named = !gp_failed(device->read[GP_DEVICE_NAME]);
    if (gp_failed(older) && !is_named) { return older; }
    bool is_mig = gp_failed(older) ? strstr(device->name, " MIG ") != NULL
                                   : memcmp(&own, &parent, sizeof(own)) != 0;
    gp_uuid_format(is_mig ? "MIG" : "GPU", &own, device->uuid);
    return gp_ok();
}

static gp_status
read_pci(const gp_cuda *cu, gp_device *device)
{
    char text[GP_DEVICE_NAME_SIZE] = "";
    gp_pci pci;
    gp_status st = GP_CUDA_CALL(cu, cuDeviceGetPCIBusId, (text, sizeof(text), device->handle));
    if (gp_failed(st)) { return st; }
    text[sizeof(text) - 1] = '\0';
    if (!gp_pci_parse(text, &pci)) { return gp_fail(GP_WRONG_RESULT, 0, "cuDeviceGetPCIBusId"); }
    gp_pci_format(&pci, device->pci);
    return gp_ok();
}

static gp_status
read_attribute(const gp_cuda *cu, gp_cu_device handle, gp_cu_attribute attribute, int *value)
{
    return GP_CUDA_CALL(cu, cuDeviceGetAttribute, (value, attribute, handle));
}

gp_status
gp_device_capability(const gp_cuda *cu, gp_cu_device handle, int *major, int *minor)
{
    gp_status st = read_attribute(cu, handle, GP_CU_COMPUTE_CAPABILITY_MAJOR, major);
    if (gp_failed(st)) { return st; }
    return read_attribute(cu, handle, GP_CU_COMPUTE_CAPABILITY_MINOR, minor);
}

void
gp_device_read(const gp_cuda *cu, int ordinal, gp_device *device)
{
    *device = (gp_device){.ordinal = ordinal};
    gp_status *read = device->read;
    read[GP_DEVICE_HANDLE] = GP_CUDA_CALL(cu, cuDeviceGet, (&device->handle, ordinal));
    if (gp_failed(read[GP_DEVICE_HANDLE])) {
        for (int i = 0; i < GP_DEVICE_FIELD_COUNT; i++) {
            read[i] = read[GP_DEVICE_HANDLE];
        }
        return;
    }
    gp_cu_device handle = device->handle;
    read[GP_DEVICE_NAME] = read_name(cu, device);
    read[GP_DEVICE_UUID] = read_uuid(cu, device);
    read[GP_DEVICE_PCI] = read_pci(cu, device);
    read[GP_DEVICE_CAPABILITY] =
        gp_device_capability(cu, handle, &device->capability_major, &device->capability_minor);
    read[GP_DEVICE_SMS] = read_attribute(cu, handle, GP_CU_MULTIPROCESSOR_COUNT, &device->sms);
    read[GP_DEVICE_MEMORY] = GP_CUDA_CALL(cu, cuDeviceTotalMem_v2, (&device->memory_bytes, handle));
    read[GP_DEVICE_INTEGRATED] = read_attribute(cu, handle, GP_CU_INTEGRATED, &device->integrated);
    read[GP_DEVICE_COMPUTE_MODE] =
        read_attribute(cu, handle, GP_CU_COMPUTE_MODE, &device->compute_mode);
}

gp_status
gp_devices_list(const gp_cuda *cu, gp_device **devices, size_t *count)
{
    *devices = NULL;
    *count = 0;
    int found = 0;
    gp_status st = GP_CUDA_CALL(cu, cuDeviceGetCount, (&found));
    if (gp_failed(st) || found <= 0) { return st; }
    gp_device *list = gp_alloc((size_t)found, sizeof(*list));
    if (list == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_devices_list"); }
    for (int i = 0; i < found; i++) {
        gp_device_read(cu, i, &list[i]);
    }
    *devices = list;
    *count = (size_t)found;
    return gp_ok();
}

gp_status
gp_device_failure(const gp_device *device)
{
    gp_status st = gp_ok();
    for (int i = 0; i < GP_DEVICE_FIELD_COUNT; i++) {
        st = gp_first_error(st, device->read[i]);
    }
    return st;
}

void
gp_devices_free(gp_device *devices)
{
    gp_free(devices);
}
