#include "device/gp_pointer.h"
#include "harness.h"
#include "scripted_cuda.h"

static gp_cu_result
get_pointer_attribute(void *value, gp_cu_pointer_attribute attribute, gp_cu_deviceptr pointer)
{
    ASSERT_INT(0, script.current);
    ASSERT_INT(GP_CU_POINTER_ORDINAL, attribute);
    RETURN_IF_FAILING();
    *(int *)value = (int)(pointer >> 32);
    return GP_CU_SUCCESS;
}

TEST(pointer_tells_its_device)
{
    gp_cuda cu = scripted_cuda_table();
    int ordinal = -1;
    cu.cuPointerGetAttribute = get_pointer_attribute;
    ASSERT_OK(gp_pointer_device(&cu, ((gp_cu_deviceptr)3 << 32) + 7, &ordinal));
    ASSERT_INT(3, ordinal);
}

TEST(pointer_of_nobody_tells_the_call_that_failed)
{
    gp_cuda cu = scripted_cuda_table();
    int ordinal = -1;
    cu.cuPointerGetAttribute = get_pointer_attribute;
    script.fail_at = 1;
    ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, gp_pointer_device(&cu, 7, &ordinal));
    ASSERT_INT(-1, ordinal);
}
