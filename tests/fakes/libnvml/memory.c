/* How much memory there is. */
#include "fake_nvml.h"

/* A MIG instance has its own share, and processes in it are no part of a scenario. */
static nvmlMemory_t
memory_of(nvmlDevice_t device)
{
    const uint64_t total = device->mig ? device->mig->memory_bytes : device->gpu->memory_bytes;
    const uint64_t used = device->mig ? 0 : device->gpu->used_bytes;
    return (nvmlMemory_t){.total = total, .used = used, .free = total - used};
}

nvmlReturn_t
nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    FAKE_DEVICE_CALL(device);
    if (memory == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    *memory = memory_of(device);
    return NVML_SUCCESS;
}

/* The caller says which structure it passes; a wrong `version` is the usual mistake. */
nvmlReturn_t
nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
    FAKE_DEVICE_CALL(device);
    if (memory == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    if (memory->version != nvmlMemory_v2) { return NVML_ERROR_ARGUMENT_VERSION_MISMATCH; }
    const nvmlMemory_t told = memory_of(device);
    memory->total = told.total;
    memory->used = told.used;
    memory->free = told.free;
    memory->reserved = 0;
    return NVML_SUCCESS;
}
