/* Our declarations of the driver's ABI against the real cuda.h (CUDA 13.0 or later): what differs
 * does not compile. Run, it says what it was compared with. */
#define __CUDA_API_VERSION_INTERNAL /* cuda.h then declares the exported names and renames none */
#include <cuda.h>

#include "abi/gp_abi_cuda.h"
#include "conformance.h"

SAME_TYPE(gp_cu_result, CUresult);
SAME_TYPE(gp_cu_attribute, CUdevice_attribute);
SAME_TYPE(gp_cu_pointer_attribute, CUpointer_attribute);
SAME_TYPE(gp_cu_device, CUdevice);
SAME_TYPE(gp_cu_deviceptr, CUdeviceptr);
SAME_TYPE(gp_cu_context, CUcontext);
SAME_TYPE(gp_cu_module, CUmodule);
SAME_TYPE(gp_cu_function, CUfunction);
SAME_TYPE(gp_cu_stream, CUstream);
SAME_TYPE(gp_cu_event, CUevent);
SAME_TYPE(gp_cu_capture, CUstreamCaptureStatus);
SAME_TYPE(gp_cu_capture_mode, CUstreamCaptureMode);
SAME_TYPE(gp_cu_memory, CUmemGenericAllocationHandle);

_Static_assert(sizeof(gp_cu_uuid) == sizeof(CUuuid), "CUuuid");
SAME_MEMBER(gp_cu_uuid, bytes, CUuuid, bytes);

_Static_assert(sizeof(gp_cu_location) == sizeof(CUmemLocation), "CUmemLocation");
SAME_MEMBER(gp_cu_location, type, CUmemLocation, type);
SAME_MEMBER(gp_cu_location, id, CUmemLocation, id);

_Static_assert(sizeof(gp_cu_memory_kind) == sizeof(CUmemAllocationProp), "CUmemAllocationProp");
SAME_MEMBER(gp_cu_memory_kind, type, CUmemAllocationProp, type);
SAME_MEMBER(gp_cu_memory_kind, requested_handle_types, CUmemAllocationProp, requestedHandleTypes);
SAME_MEMBER(gp_cu_memory_kind, location, CUmemAllocationProp, location);
SAME_MEMBER(gp_cu_memory_kind, win32_meta_data, CUmemAllocationProp, win32HandleMetaData);
SAME_MEMBER(gp_cu_memory_kind, flags, CUmemAllocationProp, allocFlags);

_Static_assert(sizeof(gp_cu_access) == sizeof(CUmemAccessDesc), "CUmemAccessDesc");
SAME_MEMBER(gp_cu_access, location, CUmemAccessDesc, location);
SAME_MEMBER(gp_cu_access, flags, CUmemAccessDesc, flags);

_Static_assert(sizeof(gp_cu_copy_3d) == sizeof(CUDA_MEMCPY3D), "CUDA_MEMCPY3D");
SAME_MEMBER(gp_cu_copy_3d, from_x, CUDA_MEMCPY3D, srcXInBytes);
SAME_MEMBER(gp_cu_copy_3d, from_y, CUDA_MEMCPY3D, srcY);
SAME_MEMBER(gp_cu_copy_3d, from_z, CUDA_MEMCPY3D, srcZ);
SAME_MEMBER(gp_cu_copy_3d, from_lod, CUDA_MEMCPY3D, srcLOD);
SAME_MEMBER(gp_cu_copy_3d, from_kind, CUDA_MEMCPY3D, srcMemoryType);
SAME_MEMBER(gp_cu_copy_3d, from_host, CUDA_MEMCPY3D, srcHost);
SAME_MEMBER(gp_cu_copy_3d, from_device, CUDA_MEMCPY3D, srcDevice);
SAME_MEMBER(gp_cu_copy_3d, from_array, CUDA_MEMCPY3D, srcArray);
SAME_MEMBER(gp_cu_copy_3d, reserved_0, CUDA_MEMCPY3D, reserved0);
SAME_MEMBER(gp_cu_copy_3d, from_pitch, CUDA_MEMCPY3D, srcPitch);
SAME_MEMBER(gp_cu_copy_3d, from_height, CUDA_MEMCPY3D, srcHeight);
SAME_MEMBER(gp_cu_copy_3d, to_x, CUDA_MEMCPY3D, dstXInBytes);
SAME_MEMBER(gp_cu_copy_3d, to_y, CUDA_MEMCPY3D, dstY);
SAME_MEMBER(gp_cu_copy_3d, to_z, CUDA_MEMCPY3D, dstZ);
SAME_MEMBER(gp_cu_copy_3d, to_lod, CUDA_MEMCPY3D, dstLOD);
SAME_MEMBER(gp_cu_copy_3d, to_kind, CUDA_MEMCPY3D, dstMemoryType);
SAME_MEMBER(gp_cu_copy_3d, to_host, CUDA_MEMCPY3D, dstHost);
SAME_MEMBER(gp_cu_copy_3d, to_device, CUDA_MEMCPY3D, dstDevice);
SAME_MEMBER(gp_cu_copy_3d, to_array, CUDA_MEMCPY3D, dstArray);
SAME_MEMBER(gp_cu_copy_3d, reserved_1, CUDA_MEMCPY3D, reserved1);
SAME_MEMBER(gp_cu_copy_3d, to_pitch, CUDA_MEMCPY3D, dstPitch);
SAME_MEMBER(gp_cu_copy_3d, to_height, CUDA_MEMCPY3D, dstHeight);
SAME_MEMBER(gp_cu_copy_3d, width, CUDA_MEMCPY3D, WidthInBytes);
SAME_MEMBER(gp_cu_copy_3d, height, CUDA_MEMCPY3D, Height);
SAME_MEMBER(gp_cu_copy_3d, depth, CUDA_MEMCPY3D, Depth);

SAME_VALUE(GP_CU_SUCCESS, CUDA_SUCCESS);
SAME_VALUE(GP_CU_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
SAME_VALUE(GP_CU_NOT_INITIALIZED, CUDA_ERROR_NOT_INITIALIZED);
SAME_VALUE(GP_CU_DEINITIALIZED, CUDA_ERROR_DEINITIALIZED);
SAME_VALUE(GP_CU_NOT_READY, CUDA_ERROR_NOT_READY);
SAME_VALUE(GP_CU_NOT_SUPPORTED, CUDA_ERROR_NOT_SUPPORTED);
SAME_VALUE(GP_CU_ON_HOST, CU_MEMORYTYPE_HOST);
SAME_VALUE(GP_CU_ON_DEVICE, CU_MEMORYTYPE_DEVICE);
SAME_VALUE(GP_CU_MEMORY_PINNED, CU_MEM_ALLOCATION_TYPE_PINNED);
SAME_VALUE(GP_CU_LOCATION_DEVICE, CU_MEM_LOCATION_TYPE_DEVICE);
SAME_VALUE(GP_CU_ACCESS_READ_WRITE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
SAME_VALUE(GP_CU_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
SAME_VALUE(GP_CU_EVENT_DEFAULT, CU_EVENT_DEFAULT);
SAME_VALUE(GP_CU_EVENT_DISABLE_TIMING, CU_EVENT_DISABLE_TIMING);
SAME_VALUE(GP_CU_CAPTURE_IMPLICIT, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
SAME_VALUE(GP_CU_CAPTURE_NONE, CU_STREAM_CAPTURE_STATUS_NONE);
SAME_VALUE(GP_CU_CAPTURE_ACTIVE, CU_STREAM_CAPTURE_STATUS_ACTIVE);
SAME_VALUE(GP_CU_CAPTURE_INVALIDATED, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
SAME_VALUE(GP_CU_CAPTURE_GLOBAL, CU_STREAM_CAPTURE_MODE_GLOBAL);
SAME_VALUE(GP_CU_CAPTURE_RELAXED, CU_STREAM_CAPTURE_MODE_RELAXED);
SAME_VALUE(GP_CU_INVALID_IMAGE, CUDA_ERROR_INVALID_IMAGE);
SAME_VALUE(GP_CU_NO_BINARY_FOR_GPU, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME_VALUE(GP_CU_INVALID_PTX, CUDA_ERROR_INVALID_PTX);
SAME_VALUE(GP_CU_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME_VALUE(GP_CU_MULTIPROCESSOR_COUNT, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME_VALUE(GP_CU_INTEGRATED, CU_DEVICE_ATTRIBUTE_INTEGRATED);
SAME_VALUE(GP_CU_COMPUTE_MODE, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE);
SAME_VALUE(GP_CU_COMPUTE_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME_VALUE(GP_CU_COMPUTE_CAPABILITY_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME_VALUE(GP_CU_VIRTUAL_MEMORY_MANAGEMENT,
           CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED);
SAME_VALUE(GP_CU_POINTER_KIND, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME_VALUE(GP_CU_POINTER_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
SAME_VALUE(GP_CU_COMPUTEMODE_PROHIBITED, CU_COMPUTEMODE_PROHIBITED);
SAME_VALUE(GP_CU_COMPUTEMODE_EXCLUSIVE_PROCESS, CU_COMPUTEMODE_EXCLUSIVE_PROCESS);

#define GP_ERROR(name, code)        SAME_VALUE(code, name);
#define GP_STICKY_ERROR(name, code) SAME_VALUE(code, name);
#include "base/cuda_errors.def"
#undef GP_ERROR
#undef GP_STICKY_ERROR

/* A name that the header does not declare would make the redeclaration below its first. */
#define GP_CUDA_SYMBOL(need, name, parameters) DECLARED(name);
#include "api/cuda_symbols.def"
#undef GP_CUDA_SYMBOL

/* The structures were compared above; from here on ours is theirs. */
#define gp_cu_uuid                             CUuuid
#define gp_cu_memory_kind                      CUmemAllocationProp
#define gp_cu_access                           CUmemAccessDesc
#define gp_cu_copy_3d                          CUDA_MEMCPY3D
#define GP_CUDA_SYMBOL(need, name, parameters) gp_cu_result name parameters;
#include "api/cuda_symbols.def"
#undef GP_CUDA_SYMBOL

int
main(void)
{
    int functions = 0;
#define GP_CUDA_SYMBOL(need, name, parameters) functions++;
#include "api/cuda_symbols.def"
#undef GP_CUDA_SYMBOL
    printf("%d functions agree with cuda.h %d\n", functions, CUDA_VERSION);
    return 0;
}
