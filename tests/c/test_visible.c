#include "alloc_hook.h"
#include "device/gp_visible.h"
#include "harness.h"
#include "platform/gp_dl.h"

static const gp_settings no_settings;

TEST(visible_of_a_process_without_libcuda_is_not_loaded)
{
    gp_visible visible;
    ASSERT_OK(gp_visible_read(&no_settings, &visible));
    ASSERT_INT(GP_CUDA_NOT_LOADED, visible.state);
    ASSERT_INT(0, visible.count);
    gp_visible_free(&visible);
    ASSERT_INT(0, alloc_live());
}

/* Looking must not load what was not there before. */
TEST(visible_finds_a_loaded_library_and_loads_none)
{
    void *handle = NULL;
    gp_text error = GP_TEXT_EMPTY;
    gp_visible visible;
    const gp_settings settings = {.values = {[GP_VAR_LIBCUDA] = "libm.so.6"}};
    ASSERT(gp_dl_loaded("") == NULL);
    ASSERT(gp_dl_loaded("libgp-no-such.so.1") == NULL);
    ASSERT_OK(gp_dl_open("libm.so.6", GP_DL_USUAL, &handle, &error));
    ASSERT(gp_dl_loaded("libm.so.6") == handle);
    /* Not a function of CUDA in it: it cannot say anything of devices. */
    ASSERT_OK(gp_visible_read(&settings, &visible));
    ASSERT_INT(GP_CUDA_REFUSES, visible.state);
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, visible.failure);
    ASSERT_INT(0, visible.driver_cuda);
    gp_visible_free(&visible);
    ASSERT_INT(0, alloc_live());
}
