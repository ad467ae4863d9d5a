/* The toolkit's stub: built for linking on machines without a driver, with the driver's SONAME.
 * Every function answers 34 (CUDA_ERROR_STUB_LIBRARY) and writes nothing, not even a version.
 * The arguments are left out: the C ABIs of our platforms let a callee ignore what it is given. */

#define STUB(name)  \
    int name(void); \
    int name(void)  \
    {               \
        return 34;  \
    }

STUB(cuCtxCreate)
STUB(cuCtxDestroy)
STUB(cuCtxGetCurrent)
STUB(cuCtxGetDevice)
STUB(cuCtxPopCurrent)
STUB(cuCtxPopCurrent_v2)
STUB(cuCtxPushCurrent)
STUB(cuCtxPushCurrent_v2)
STUB(cuCtxSynchronize)
STUB(cuDeviceGet)
STUB(cuDeviceGetAttribute)
STUB(cuDeviceGetByPCIBusId)
STUB(cuDeviceGetCount)
STUB(cuDeviceGetName)
STUB(cuDeviceGetPCIBusId)
STUB(cuDeviceGetUuid)
STUB(cuDeviceGetUuid_v2)
STUB(cuDevicePrimaryCtxGetState)
STUB(cuDevicePrimaryCtxRelease)
STUB(cuDevicePrimaryCtxRelease_v2)
STUB(cuDevicePrimaryCtxRetain)
STUB(cuDeviceTotalMem)
STUB(cuDeviceTotalMem_v2)
STUB(cuDriverGetVersion)
STUB(cuGetErrorName)
STUB(cuGetErrorString)
STUB(cuInit)
STUB(cuLaunchKernel)
STUB(cuMemAlloc)
STUB(cuMemAlloc_v2)
STUB(cuMemFree)
STUB(cuMemFree_v2)
STUB(cuMemGetInfo)
STUB(cuMemGetInfo_v2)
STUB(cuMemcpyDtoH)
STUB(cuMemcpyDtoH_v2)
STUB(cuMemcpyHtoD)
STUB(cuMemcpyHtoD_v2)
STUB(cuMemsetD8)
STUB(cuMemsetD8_v2)
STUB(cuModuleGetFunction)
STUB(cuModuleLoadData)
STUB(cuModuleUnload)

#undef STUB
