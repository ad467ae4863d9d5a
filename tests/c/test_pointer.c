#include "device/gp_pointer.h"
#include "harness.h"
#include "scripted_cuda.h"

static gp_cu_result
get_pointer_attribute(void *value, gp_cu_pointer_attribute attribute, gp_cu_deviceptr pointer)
{
    ASSERT_INT(0, script.current);
    RETURN_IF_FAILING();
    if (attribute == GP_CU_POINTER_ORDINAL) { *(int *)value = (int)(pointer >> 32); }
    else {
        ASSERT_INT(GP_CU_POINTER_KIND, attribute);
        *(unsigned int *)value = pointer == 7 ? GP_CU_ON_HOST : GP_CU_ON_DEVICE;
    }
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

TEST(pointer_is_pinned_where_the_driver_says_so)
{
    gp_cuda cu = scripted_cuda_table();
    cu.cuPointerGetAttribute = get_pointer_attribute;
    ASSERT(gp_pointer_is_pinned(&cu, (const void *)(uintptr_t)7));
    ASSERT(!gp_pointer_is_pinned(&cu, (const void *)(uintptr_t)8));
    script.fail_at = script.calls + 1;
    ASSERT(!gp_pointer_is_pinned(&cu, (const void *)(uintptr_t)7));
}
