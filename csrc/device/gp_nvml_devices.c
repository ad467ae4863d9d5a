#include "gp_nvml_devices.h"

#include "base/gp_alloc.h"

static gp_status
read_name(const gp_nvml *nv, gp_nvml_gpu *gpu)
{
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetName, (gpu->handle, gpu->name, sizeof(gpu->name)));
    gpu->name[sizeof(gpu->name) - 1] = '\0';
    return st;
}

static gp_status
read_uuid(const gp_nvml *nv, gp_nvml_gpu *gpu)
{
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetUUID, (gpu->handle, gpu->uuid, sizeof(gpu->uuid)));
    gpu->uuid[sizeof(gpu->uuid) - 1] = '\0';
    return st;
}

static gp_status
read_pci(const gp_nvml *nv, gp_nvml_gpu *gpu)
{
    gp_nvml_pci info = {.domain = 0};
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetPciInfo_v3, (gpu->handle, &info));
    if (gp_failed(st)) { return st; }
    /* A GPU is function 0; NVML has no field for it. */
    gp_pci pci = {info.domain, info.bus, info.device, 0};
    gp_pci_format(&pci, gpu->pci);
    return gp_ok();
}

/* Under WDDM NVML succeeds and says "not available" in place of the numbers. */
static gp_status
read_memory(const gp_nvml *nv, gp_nvml_gpu *gpu)
{
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetMemoryInfo, (gpu->handle, &gpu->memory));
    if (gp_failed(st)) { return st; }
    bool is_known = gpu->memory.total != GP_NVML_VALUE_NOT_AVAILABLE &&
                    gpu->memory.free != GP_NVML_VALUE_NOT_AVAILABLE &&
                    gpu->memory.used != GP_NVML_VALUE_NOT_AVAILABLE;
    return is_known ? gp_ok()
                    : gp_fail(GP_NVML, GP_NVML_ERROR_NOT_SUPPORTED, "nvmlDeviceGetMemoryInfo");
}

static void
read_gpu(const gp_nvml *nv, unsigned int index, gp_nvml_gpu *gpu)
{
    *gpu = (gp_nvml_gpu){.index = index};
    gp_status *read = gpu->read;
    unsigned int pending_mig = 0;
    read[GP_NVML_HANDLE] = GP_NVML_CALL(nv, nvmlDeviceGetHandleByIndex_v2, (index, &gpu->handle));
    if (gp_failed(read[GP_NVML_HANDLE])) {
        for (int i = 0; i < GP_NVML_FIELD_COUNT; i++) {
            read[i] = read[GP_NVML_HANDLE];
        }
        return;
    }
    read[GP_NVML_NAME] = read_name(nv, gpu);
    read[GP_NVML_UUID] = read_uuid(nv, gpu);
    read[GP_NVML_PCI] = read_pci(nv, gpu);
    read[GP_NVML_MINOR] = GP_NVML_CALL(nv, nvmlDeviceGetMinorNumber, (gpu->handle, &gpu->minor));
    read[GP_NVML_CAPABILITY] =
        GP_NVML_CALL(nv, nvmlDeviceGetCudaComputeCapability,
                     (gpu->handle, &gpu->capability_major, &gpu->capability_minor));
    read[GP_NVML_MEMORY] = read_memory(nv, gpu);
    read[GP_NVML_COMPUTE_MODE] =
        GP_NVML_CALL(nv, nvmlDeviceGetComputeMode, (gpu->handle, &gpu->compute_mode));
    read[GP_NVML_PERSISTENCE_MODE] =
        GP_NVML_CALL(nv, nvmlDeviceGetPersistenceMode, (gpu->handle, &gpu->persistence_mode));
    read[GP_NVML_MIG_MODE] =
        GP_NVML_CALL(nv, nvmlDeviceGetMigMode, (gpu->handle, &gpu->mig_mode, &pending_mig));
}

gp_status
gp_nvml_devices_list(const gp_nvml *nv, gp_nvml_gpu **gpus, size_t *count)
{
    *gpus = NULL;
    *count = 0;
    unsigned int found = 0;
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetCount_v2, (&found));
    if (gp_failed(st) || found == 0) { return st; }
    gp_nvml_gpu *list = gp_alloc(found, sizeof(*list));
    if (list == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_nvml_devices_list"); }
    for (unsigned int i = 0; i < found; i++) {
        read_gpu(nv, i, &list[i]);
    }
    *gpus = list;
    *count = found;
    return gp_ok();
}

void
gp_nvml_devices_free(gp_nvml_gpu *gpus)
{
    gp_free(gpus);
}
