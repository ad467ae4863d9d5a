/* Our declarations of DLPack against the real dlpack.h (1.x), as cuda.c does it. */
#include <dlpack/dlpack.h>

#include "abi/gp_abi_dlpack.h"
#include "conformance.h"

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #theirs)

SAME_VALUE(GP_DL_MAJOR, DLPACK_MAJOR_VERSION);
SAME_VALUE(GP_DL_READ_ONLY, DLPACK_FLAG_BITMASK_READ_ONLY);
SAME_VALUE(GP_DL_IS_COPIED, DLPACK_FLAG_BITMASK_IS_COPIED);

SAME_SIZE(gp_dl_device, DLDevice);
SAME_MEMBER(gp_dl_device, type, DLDevice, device_type);
SAME_MEMBER(gp_dl_device, id, DLDevice, device_id);

SAME_SIZE(gp_dl_type, DLDataType);
SAME_MEMBER(gp_dl_type, code, DLDataType, code);
SAME_MEMBER(gp_dl_type, bits, DLDataType, bits);
SAME_MEMBER(gp_dl_type, lanes, DLDataType, lanes);

SAME_SIZE(gp_dl_tensor, DLTensor);
SAME_MEMBER(gp_dl_tensor, data, DLTensor, data);
SAME_MEMBER(gp_dl_tensor, device, DLTensor, device);
SAME_MEMBER(gp_dl_tensor, ndim, DLTensor, ndim);
SAME_MEMBER(gp_dl_tensor, dtype, DLTensor, dtype);
SAME_MEMBER(gp_dl_tensor, shape, DLTensor, shape);
SAME_MEMBER(gp_dl_tensor, strides, DLTensor, strides);
SAME_MEMBER(gp_dl_tensor, byte_offset, DLTensor, byte_offset);

SAME_SIZE(gp_dl_managed, DLManagedTensor);
SAME_MEMBER(gp_dl_managed, tensor, DLManagedTensor, dl_tensor);
SAME_MEMBER(gp_dl_managed, owner, DLManagedTensor, manager_ctx);
SAME_MEMBER(gp_dl_managed, deleter, DLManagedTensor, deleter);

SAME_SIZE(gp_dl_version, DLPackVersion);
SAME_MEMBER(gp_dl_version, major, DLPackVersion, major);
SAME_MEMBER(gp_dl_version, minor, DLPackVersion, minor);

SAME_SIZE(gp_dl_managed_versioned, DLManagedTensorVersioned);
SAME_MEMBER(gp_dl_managed_versioned, version, DLManagedTensorVersioned, version);
SAME_MEMBER(gp_dl_managed_versioned, owner, DLManagedTensorVersioned, manager_ctx);
SAME_MEMBER(gp_dl_managed_versioned, deleter, DLManagedTensorVersioned, deleter);
SAME_MEMBER(gp_dl_managed_versioned, flags, DLManagedTensorVersioned, flags);
SAME_MEMBER(gp_dl_managed_versioned, tensor, DLManagedTensorVersioned, dl_tensor);

int
main(void)
{
    printf("6 structures agree with dlpack.h %d\n", DLPACK_MAJOR_VERSION);
    return 0;
}
