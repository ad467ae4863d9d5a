/* MIG instances: listed beside their GPU, each with a handle of its own. */
#include "fake_nvml.h"

nvmlReturn_t
nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *current, unsigned int *pending)
{
    FAKE_GPU_CALL(device);
    if (pending == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    *pending = (unsigned)device->gpu->mig;
    FAKE_GIVE(current, device->gpu->mig);
}

nvmlReturn_t
nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned int *count)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(count, device->gpu->mig_most);
}

/* A place where no instance is made is NOT_FOUND, and the next may still have one. */
nvmlReturn_t
nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned int index, nvmlDevice_t *instance)
{
    FAKE_GPU_CALL(device);
    const fake_scenario *machine = fake_machine();
    if (instance == NULL || index >= device->gpu->mig_most) { return NVML_ERROR_INVALID_ARGUMENT; }
    for (size_t i = 0; i < machine->mig_count; i++) {
        const fake_mig *mig = &machine->migs[i];
        if (&machine->gpus[mig->gpu] == device->gpu && mig->place == index) {
            *instance = fake_mig_handle(i);
            return NVML_SUCCESS;
        }
    }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t
nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned int *is_mig)
{
    FAKE_DEVICE_CALL(device);
    FAKE_GIVE(is_mig, device->mig != NULL);
}

nvmlReturn_t
nvmlDeviceGetGpuInstanceId(nvmlDevice_t device, unsigned int *id)
{
    FAKE_DEVICE_CALL(device);
    FAKE_GIVE(id, device->mig == NULL ? FAKE_NONE : device->mig->gpu_instance);
}

nvmlReturn_t
nvmlDeviceGetComputeInstanceId(nvmlDevice_t device, unsigned int *id)
{
    FAKE_DEVICE_CALL(device);
    FAKE_GIVE(id, device->mig == NULL ? FAKE_NONE : device->mig->compute_instance);
}
