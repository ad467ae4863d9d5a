#include "gp_nvml_mig.h"

#include "base/gp_alloc.h"

static void
read_mig(const gp_nvml *nv, gp_nvml_mig *mig)
{
    gp_nvml_device handle = mig->handle;
    gp_status *read = mig->read;
    read[GP_MIG_NAME] = GP_NVML_CALL(nv, nvmlDeviceGetName, (handle, mig->name, sizeof(mig->name)));
    mig->name[sizeof(mig->name) - 1] = '\0';
    read[GP_MIG_UUID] = GP_NVML_CALL(nv, nvmlDeviceGetUUID, (handle, mig->uuid, sizeof(mig->uuid)));
    mig->uuid[sizeof(mig->uuid) - 1] = '\0';
    read[GP_MIG_MEMORY] = GP_NVML_CALL(nv, nvmlDeviceGetMemoryInfo, (handle, &mig->memory));
    read[GP_MIG_GPU_INSTANCE] =
        GP_NVML_CALL(nv, nvmlDeviceGetGpuInstanceId, (handle, &mig->gpu_instance));
    read[GP_MIG_COMPUTE_INSTANCE] =
        GP_NVML_CALL(nv, nvmlDeviceGetComputeInstanceId, (handle, &mig->compute_instance));
}

/* Fills the places in turn; an empty one is "not found" and means nothing. */
static gp_status
read_places(const gp_nvml *nv, gp_nvml_device device, unsigned int most, gp_nvml_migs *migs)
{
    for (unsigned int place = 0; place < most; place++) {
        gp_nvml_device handle = NULL;
        gp_status st =
            GP_NVML_CALL(nv, nvmlDeviceGetMigDeviceHandleByIndex, (device, place, &handle));
        if (st.kind == GP_NVML && st.code == GP_NVML_ERROR_NOT_FOUND) { continue; }
        if (gp_failed(st)) { return st; }
        gp_nvml_mig *mig = &migs->list[migs->count++];
        *mig = (gp_nvml_mig){.place = place, .handle = handle};
        read_mig(nv, mig);
    }
    return gp_ok();
}

void
gp_nvml_migs_read(const gp_nvml *nv, gp_nvml_device device, gp_nvml_migs *migs)
{
    unsigned int most = 0;
    *migs = (gp_nvml_migs){NULL, 0, gp_ok()};
    migs->read = GP_NVML_CALL(nv, nvmlDeviceGetMaxMigDeviceCount, (device, &most));
    if (gp_failed(migs->read) || most == 0) { return; }
    migs->list = gp_alloc(most, sizeof(*migs->list));
    migs->read = migs->list == NULL ? gp_fail(GP_NO_MEMORY, 0, "gp_nvml_migs_read")
                                    : read_places(nv, device, most, migs);
    /* Half a list would say that the other instances do not exist. */
    if (gp_failed(migs->read)) { gp_nvml_migs_free(migs); }
}

void
gp_nvml_migs_free(gp_nvml_migs *migs)
{
    gp_free(migs->list);
    migs->list = NULL;
    migs->count = 0;
}
