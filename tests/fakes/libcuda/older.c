/* Functions that drivers have under an older name, too, with the same arguments: what gpuprobe
 * falls back on where the newer name is missing. The switch makes cuda.h declare the old names. */
#define __CUDA_API_VERSION_INTERNAL
#include "fake_cuda.h"

CUresult CUDAAPI
cuDeviceGetUuid(CUuuid *uuid, CUdevice ordinal)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    return fake_give_uuid(uuid, ordinal);
}

CUresult CUDAAPI
cuDevicePrimaryCtxRelease(CUdevice ordinal)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    return fake_release_primary(ordinal);
}
