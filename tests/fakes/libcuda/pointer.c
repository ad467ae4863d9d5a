/* Whose memory an address is; that is known of every address, whatever context is current. */
#include "fake_cuda.h"

CUresult CUDAAPI
cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    const fake_device *device = fake_device_of(pointer);
    if (value == NULL || device == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    if (attribute != CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
        fake_die("cuPointerGetAttribute: %d is not modelled", (int)attribute);
    }
    *(int *)value = device->primary.device;
    return CUDA_SUCCESS;
}
