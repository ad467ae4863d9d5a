#include "gp_nvml_devices.h"

#include "base/gp_alloc.h"
#include "device/gp_nvml_topology.h"

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

/* A GPU that cannot be reached says the same of everything. */
static void
fail_all(gp_nvml_gpu *gpu, gp_status why)
{
    for (int i = 0; i < GP_NVML_FIELD_COUNT; i++) {
        gpu->read[i] = why;
    }
    gp_nvml_numbers_fail(why, gpu->numbers);
    gpu->links.read = gpu->links.errors.read = why;
    gpu->processes.read = why;
    gpu->migs.read = why;
}

static void
read_gpu(const gp_nvml *nv, unsigned int index, gp_nvml_gpu *gpu)
{
    *gpu = (gp_nvml_gpu){.index = index, .cpus = GP_TEXT_EMPTY};
    gp_status *read = gpu->read;
    gp_status reached = GP_NVML_CALL(nv, nvmlDeviceGetHandleByIndex_v2, (index, &gpu->handle));
    if (gp_failed(reached)) {
        fail_all(gpu, reached);
        return;
    }
    read[GP_NVML_NAME] = read_name(nv, gpu);
    read[GP_NVML_UUID] = read_uuid(nv, gpu);
    read[GP_NVML_PCI] = read_pci(nv, gpu);
    read[GP_NVML_CAPABILITY] =
        GP_NVML_CALL(nv, nvmlDeviceGetCudaComputeCapability,
                     (gpu->handle, &gpu->capability_major, &gpu->capability_minor));
    read[GP_NVML_CPUS] = gp_nvml_cpus_read(nv, gpu->handle, &gpu->cpus);
    gp_nvml_numbers_read(nv, gpu->handle, gpu->numbers);
    gp_nvml_links_read(nv, gpu->handle, &gpu->links);
    const gp_nvml_number *memory = &gpu->numbers[GP_NUMBER_MEMORY_TOTAL];
    gp_nvml_processes_read(nv, gpu->handle, gp_failed(memory->read) ? 0 : memory->value,
                           &gpu->processes);
    const gp_nvml_number *mig_mode = &gpu->numbers[GP_NUMBER_MIG_MODE];
    if (gp_failed(mig_mode->read)) { gpu->migs.read = mig_mode->read; }
    else if (mig_mode->value != 0) {
        gp_nvml_migs_read(nv, gpu->handle, &gpu->migs);
    }
}

static gp_nvml_path
read_path(const gp_nvml *nv, const gp_nvml_gpu *from, const gp_nvml_gpu *to)
{
    gp_status reached = gp_first_error(from->read[GP_NVML_HANDLE], to->read[GP_NVML_HANDLE]);
    if (gp_failed(reached)) { return (gp_nvml_path){0, reached}; }
    unsigned int level = 0;
    gp_status st =
        GP_NVML_CALL(nv, nvmlDeviceGetTopologyCommonAncestor, (from->handle, to->handle, &level));
    return (gp_nvml_path){level, st};
}

/* The way there is the way back: each pair is asked for once. */
static gp_status
read_paths(const gp_nvml *nv, gp_nvml_gpus *gpus)
{
    for (size_t i = 0; i < gpus->count; i++) {
        gpus->list[i].paths = gp_alloc(gpus->count, sizeof(gp_nvml_path));
        if (gpus->list[i].paths == NULL) {
            return gp_fail(GP_NO_MEMORY, 0, "gp_nvml_devices_list");
        }
        for (size_t j = 0; j < i; j++) {
            gp_nvml_path path = read_path(nv, &gpus->list[i], &gpus->list[j]);
            gpus->list[i].paths[j] = gpus->list[j].paths[i] = path;
        }
    }
    return gp_ok();
}

gp_status
gp_nvml_devices_list(const gp_nvml *nv, gp_nvml_gpus *gpus)
{
    *gpus = (gp_nvml_gpus){NULL, 0};
    unsigned int found = 0;
    gp_status st = GP_NVML_CALL(nv, nvmlDeviceGetCount_v2, (&found));
    if (gp_failed(st) || found == 0) { return st; }
    gpus->list = gp_alloc(found, sizeof(*gpus->list));
    if (gpus->list == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_nvml_devices_list"); }
    gpus->count = found;
    for (unsigned int i = 0; i < found; i++) {
        read_gpu(nv, i, &gpus->list[i]);
    }
    st = read_paths(nv, gpus);
    if (gp_failed(st)) { gp_nvml_devices_free(gpus); }
    return st;
}

void
gp_nvml_devices_free(gp_nvml_gpus *gpus)
{
    for (size_t i = 0; i < gpus->count; i++) {
        gp_text_free(&gpus->list[i].cpus);
        gp_nvml_processes_free(&gpus->list[i].processes);
        gp_nvml_migs_free(&gpus->list[i].migs);
        gp_free(gpus->list[i].paths);
    }
    gp_free(gpus->list);
    *gpus = (gp_nvml_gpus){NULL, 0};
}
