/* What can be asked of a device without a context. */
#include "fake_cuda.h"

#include <stdio.h>
#include <string.h>

/* The device behind `ordinal`, or return from the calling function. */
#define DEVICE_OR_RETURN(device, ordinal)                      \
    const fake_device *const device = fake_device_at(ordinal); \
    if ((device) == NULL) { return CUDA_ERROR_INVALID_DEVICE; }

CUresult CUDAAPI
cuDeviceGetCount(int *count)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (count == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    *count = (int)fake_device_count();
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuDeviceGet(CUdevice *device, int ordinal)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (device == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    DEVICE_OR_RETURN(found, ordinal);
    *device = found->primary.device;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuDeviceGetName(char *name, int length, CUdevice ordinal)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (name == NULL || length <= 0) { return CUDA_ERROR_INVALID_VALUE; }
    DEVICE_OR_RETURN(device, ordinal);
    const char *text = device->mig ? device->mig->name : device->gpu->name;
    (void)snprintf(name, (size_t)length, "%s", text);
    return CUDA_SUCCESS;
}

CUresult
fake_give_uuid(CUuuid *uuid, const char *text)
{
    const char *digits = text + strlen("GPU-"); /* or "MIG-" */
    for (size_t i = 0; i < sizeof uuid->bytes; i++, digits += 2) {
        digits += *digits == '-';
        unsigned byte = 0;
        if (sscanf(digits, "%2x", &byte) != 1) { fake_die("not a UUID: %s", text); }
        uuid->bytes[i] = (char)byte;
    }
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice ordinal)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (uuid == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    DEVICE_OR_RETURN(device, ordinal);
    return fake_give_uuid(uuid, device->mig ? device->mig->uuid : device->gpu->uuid);
}

CUresult CUDAAPI
cuDeviceTotalMem_v2(size_t *bytes, CUdevice ordinal)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (bytes == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    DEVICE_OR_RETURN(device, ordinal);
    *bytes = device->mig ? device->mig->memory_bytes : device->gpu->memory_bytes;
    return CUDA_SUCCESS;
}

bool
fake_has_vmm(const fake_device *device)
{
    return device->gpu->vmm != 0 && fake_machine()->driver.cuda_version >= 10020;
}

static uint64_t
attribute_of(const fake_device *device, CUdevice_attribute attribute)
{
    const fake_gpu *gpu = device->gpu;
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return 1024;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: return 32;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return gpu->sms;
    case CU_DEVICE_ATTRIBUTE_INTEGRATED: return gpu->integrated;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE: return gpu->compute_mode;
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: return fake_pci_of(gpu).bus;
    case CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID: return fake_pci_of(gpu).device;
    case CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID: return fake_pci_of(gpu).domain;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return gpu->capability / 10;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return gpu->capability % 10;
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: return fake_has_vmm(device);
    default: fake_die("device attribute %d is not modelled yet", (int)attribute);
    }
}

CUresult CUDAAPI
cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice ordinal)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (value == NULL || attribute <= 0 || attribute >= CU_DEVICE_ATTRIBUTE_MAX) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    DEVICE_OR_RETURN(device, ordinal);
    const bool counts_sms = attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
    *value =
        device->mig && counts_sms ? (int)device->mig->sms : (int)attribute_of(device, attribute);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuDeviceGetPCIBusId(char *text, int length, CUdevice ordinal)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (text == NULL || length <= 0) { return CUDA_ERROR_INVALID_VALUE; }
    DEVICE_OR_RETURN(device, ordinal);
    (void)snprintf(text, (size_t)length, "%s", device->gpu->pci);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuDeviceGetByPCIBusId(CUdevice *device, const char *text)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (device == NULL || text == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    for (size_t i = 0; i < fake_device_count(); i++) {
        if (strcmp(fake_device_at((CUdevice)i)->gpu->pci, text) == 0) {
            *device = (CUdevice)i;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_DEVICE;
}
