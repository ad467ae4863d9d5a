#define _POSIX_C_SOURCE 200809L /* setenv */

#include "alloc_hook.h"
#include "device/gp_visible.h"
#include "harness.h"
#include "platform/gp_dl.h"

#include <stdlib.h>

TEST(visible_of_a_process_without_libcuda_is_not_loaded)
{
    gp_visible visible;
    ASSERT_OK(gp_visible_read(&visible));
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
    ASSERT(gp_dl_loaded("") == NULL);
    ASSERT(gp_dl_loaded("libgp-no-such.so.1") == NULL);
    ASSERT_INT(0, setenv("GPUPROBE_LIBCUDA", "libm.so.6", 1));
    ASSERT_OK(gp_dl_open("libm.so.6", GP_DL_USUAL, &handle, &error));
    ASSERT(gp_dl_loaded("libm.so.6") == handle);
    /* Not a function of CUDA in it: it cannot say anything of devices. */
    ASSERT_OK(gp_visible_read(&visible));
    ASSERT_INT(GP_CUDA_REFUSES, visible.state);
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, visible.failure);
    ASSERT_INT(0, visible.driver_cuda);
    gp_visible_free(&visible);
    ASSERT_INT(0, alloc_live());
}

TEST(visible_fails_cleanly_without_memory)
{
    gp_visible visible;
    ASSERT_INT(0, setenv("GPUPROBE_LIBCUDA", "/no/such/libcuda.so.1", 1));
    alloc_fail_at(1);
    ASSERT_FAILED(GP_NO_MEMORY, 0, gp_visible_read(&visible));
    ASSERT(alloc_has_failed());
    ASSERT_INT(GP_CUDA_NOT_LOADED, visible.state);
    gp_visible_free(&visible);
    ASSERT_INT(0, alloc_live());
}

TEST(visible_names_its_states)
{
    ASSERT_TEXT("not loaded", gp_cuda_state_name(GP_CUDA_NOT_LOADED));
    ASSERT_TEXT("not started", gp_cuda_state_name(GP_CUDA_NOT_STARTED));
    ASSERT_TEXT("started", gp_cuda_state_name(GP_CUDA_STARTED));
    ASSERT_TEXT("refuses", gp_cuda_state_name(GP_CUDA_REFUSES));
}
