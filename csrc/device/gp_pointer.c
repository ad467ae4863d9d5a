#include "gp_pointer.h"

#include <stdint.h>

gp_status
gp_pointer_device(const gp_cuda *cu, gp_cu_deviceptr address, int *ordinal)
{
    return GP_CUDA_CALL(cu, cuPointerGetAttribute, (ordinal, GP_CU_POINTER_ORDINAL, address));
}

bool
gp_pointer_is_pinned(const gp_cuda *cu, const void *host)
{
    unsigned int kind = 0;
    gp_status st = GP_CUDA_CALL(cu, cuPointerGetAttribute,
                                (&kind, GP_CU_POINTER_KIND, (gp_cu_deviceptr)(uintptr_t)host));
    return !gp_failed(st) && kind == GP_CU_ON_HOST;
}
