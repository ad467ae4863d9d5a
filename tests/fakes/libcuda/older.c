/* Functions that drivers have under an older name, too, with the same arguments: what gpuprobe
 * falls back on where the newer name is missing. The switch makes cuda.h declare the old names. */
#define __CUDA_API_VERSION_INTERNAL
#include "fake_cuda.h"

CUresult CUDAAPI
cuDeviceGetUuid(CUuuid *uuid, CUdevice ordinal)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (uuid == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    const fake_device *device = fake_device_at(ordinal);
    if (device == NULL) { return CUDA_ERROR_INVALID_DEVICE; }
    return fake_give_uuid(uuid, device->gpu->uuid); /* of a MIG instance, too */
}

CUresult CUDAAPI
cuDevicePrimaryCtxRelease(CUdevice ordinal)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    return fake_release_primary(ordinal);
}

CUresult CUDAAPI
cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    return fake_elapsed(milliseconds, begin, end);
}
