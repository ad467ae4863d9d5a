#include "gp_pointer.h"

gp_status
gp_pointer_device(const gp_cuda *cu, gp_cu_deviceptr address, int *ordinal)
{
    return GP_CUDA_CALL(cu, cuPointerGetAttribute, (ordinal, GP_CU_POINTER_ORDINAL, address));
}
