/* Whose memory an address is; that is known of every address, whatever context is current. */
#include "pinned.h"

static CUresult
tell(void *value, CUpointer_attribute attribute, CUdevice device, CUmemorytype kind)
{
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)value = device; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *(CUmemorytype *)value = kind; return CUDA_SUCCESS;
    default: fake_die("cuPointerGetAttribute: %d is not modelled", (int)attribute);
    }
}

CUresult CUDAAPI
cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    const fake_device *device = fake_device_of(pointer);
    CUdevice maker = 0;
    if (value == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    if (device != NULL) {
        return tell(value, attribute, device->primary.device, CU_MEMORYTYPE_DEVICE);
    }
    const bool is_pinned = fake_pinned_by((const void *)(uintptr_t)pointer, &maker);
    return is_pinned ? tell(value, attribute, maker, CU_MEMORYTYPE_HOST) : CUDA_ERROR_INVALID_VALUE;
}
