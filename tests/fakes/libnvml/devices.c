/* Handles and what can be asked of them. */
#include "fake_nvml.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

nvmlReturn_t
nvmlDeviceGetCount_v2(unsigned int *count)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (count == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    *count = fake_handle_count();
    return NVML_SUCCESS;
}

static nvmlReturn_t
give_handle(nvmlDevice_t found, nvmlReturn_t otherwise, nvmlDevice_t *device)
{
    if (device == NULL || found == NULL) {
        return device == NULL ? NVML_ERROR_INVALID_ARGUMENT : otherwise;
    }
    *device = found;
    return found->gpu->lost ? NVML_ERROR_GPU_IS_LOST : NVML_SUCCESS;
}

nvmlReturn_t
nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    return give_handle(fake_handle_at(index), NVML_ERROR_INVALID_ARGUMENT, device);
}

/* Whole UUIDs only: the short forms that CUDA accepts are NOT_FOUND here. */
nvmlReturn_t
nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    nvmlDevice_t found = NULL;
    for (unsigned i = 0; uuid != NULL && i < fake_handle_count(); i++) {
        if (strcmp(fake_handle_at(i)->gpu->uuid, uuid) == 0) { found = fake_handle_at(i); }
    }
    for (size_t i = 0; uuid != NULL && i < fake_machine()->mig_count; i++) {
        if (strcmp(fake_machine()->migs[i].uuid, uuid) == 0) { found = fake_mig_handle(i); }
    }
    return give_handle(found, NVML_ERROR_NOT_FOUND, device);
}

/* Takes the domain with four digits or eight. */
nvmlReturn_t
nvmlDeviceGetHandleByPciBusId_v2(const char *text, nvmlDevice_t *device)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    fake_pci wanted = {0};
    if (text == NULL ||
        sscanf(text, "%x:%x:%x", &wanted.domain, &wanted.bus, &wanted.device) != 3) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    nvmlDevice_t found = NULL;
    for (unsigned i = 0; i < fake_handle_count(); i++) {
        const fake_pci pci = fake_pci_of(fake_handle_at(i)->gpu);
        if (pci.domain == wanted.domain && pci.bus == wanted.bus && pci.device == wanted.device) {
            found = fake_handle_at(i);
        }
    }
    return give_handle(found, NVML_ERROR_NOT_FOUND, device);
}

nvmlReturn_t
nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length)
{
    FAKE_DEVICE_CALL(device);
    return fake_give_text(device->mig ? device->mig->name : device->gpu->name, name, length);
}

nvmlReturn_t
nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length)
{
    FAKE_DEVICE_CALL(device);
    return fake_give_text(device->mig ? device->mig->uuid : device->gpu->uuid, uuid, length);
}

nvmlReturn_t
nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    FAKE_DEVICE_CALL(device);
    if (pci == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    const fake_pci at = fake_pci_of(device->gpu);
    *pci = (nvmlPciInfo_t){
        .domain = at.domain,
        .bus = at.bus,
        .device = at.device,
        .pciDeviceId = (unsigned)device->gpu->pci_device_id,
    };
    (void)snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.0",
                   at.domain & 0xffffU, at.bus & 0xffU, at.device & 0x1fU);
    (void)snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.0", at.domain, at.bus, at.device);
    return NVML_SUCCESS;
}

nvmlReturn_t
nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int *minor)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(minor, device->gpu->minor);
}

nvmlReturn_t
nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(mode, device->gpu->compute_mode);
}

nvmlReturn_t
nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t *mode)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(mode, device->gpu->persistence);
}

nvmlReturn_t
nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index)
{
    FAKE_DEVICE_CALL(device);
    if (index == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    *index = (unsigned)(device - fake_handle_at(0));
    return NVML_SUCCESS;
}

nvmlReturn_t
nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    FAKE_DEVICE_CALL(device);
    if (major == NULL || minor == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    *major = (int)(device->gpu->capability / 10);
    *minor = (int)(device->gpu->capability % 10);
    return NVML_SUCCESS;
}
