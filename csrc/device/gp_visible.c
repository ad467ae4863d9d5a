#include "gp_visible.h"

const char *
gp_cuda_state_name(gp_cuda_state state)
{
    switch (state) {
    case GP_CUDA_NOT_LOADED: return "not loaded";
    case GP_CUDA_NOT_STARTED: return "not started";
    case GP_CUDA_STARTED: return "started";
    case GP_CUDA_REFUSES: return "refuses";
    }
    return "unknown";
}

static gp_cuda_state
state_after(gp_status st)
{
    if (!gp_failed(st)) { return GP_CUDA_STARTED; }
    bool is_asleep = st.kind == GP_CUDA && st.code == GP_CU_NOT_INITIALIZED;
    return is_asleep ? GP_CUDA_NOT_STARTED : GP_CUDA_REFUSES;
}

gp_status
gp_visible_read(const gp_settings *settings, gp_visible *visible)
{
    *visible = (gp_visible){.state = GP_CUDA_NOT_LOADED, .failure = gp_ok()};
    gp_cuda cu;
    /* A libcuda that lacks other functions can still tell its devices. */
    gp_status st = gp_cuda_find(&cu, settings);
    if (cu.library.handle == NULL) { goto done; }
    /* Known before cuInit, too; where it fails it stays 0. */
    (void)GP_CUDA_CALL(&cu, cuDriverGetVersion, (&visible->driver_cuda));
    st = gp_devices_list(&cu, &visible->devices, &visible->count);
    if (st.kind == GP_NO_MEMORY) { goto done; }
    visible->state = state_after(st);
    visible->failure = st;
    st = gp_ok();
done:
    gp_cuda_free(&cu);
    return st;
}

void
gp_visible_free(gp_visible *visible)
{
    gp_devices_free(visible->devices);
    *visible = (gp_visible){.state = GP_CUDA_NOT_LOADED, .failure = gp_ok()};
}
