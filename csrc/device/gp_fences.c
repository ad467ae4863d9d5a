#include "gp_fences.h"

#include "gp_capture.h"

bool
gp_fences_find(const gp_fences *fences, gp_cu_stream stream, unsigned int *lane)
{
    for (unsigned int i = 0; i < GP_CROWD_LANE; i++) {
        if (fences->lanes[i].is_taken && fences->lanes[i].stream == stream) {
            *lane = i;
            return true;
        }
    }
    return false;
}

bool
gp_fences_join(gp_fences *fences, gp_cu_stream stream, gp_lanes in_use, unsigned int *lane)
{
    for (unsigned int i = 0; i < GP_CROWD_LANE; i++) {
        gp_fence *fence = &fences->lanes[i];
        if (fence->is_taken && (in_use & GP_LANE(i)) != 0) { continue; }
        fence->stream = stream;
        fence->is_taken = true;
        fence->is_set = false;
        *lane = i;
        return true;
    }
    return false;
}

static gp_status
record(gp_fences *fences, gp_fence *fence, uint64_t moment)
{
    gp_cu_event event = NULL;
    if (fence->event == NULL) {
        gp_status st =
            GP_CUDA_CALL(fences->cu, cuEventCreate, (&event, GP_CU_EVENT_DISABLE_TIMING));
        if (gp_failed(st)) { return st; }
        fence->event = event;
    }
    gp_status st = GP_CUDA_CALL(fences->cu, cuEventRecord, (fence->event, fence->stream));
    fence->is_set = !gp_failed(st);
    fence->moment = moment;
    return st;
}

gp_status
gp_fences_set(gp_fences *fences, unsigned int lane, uint64_t moment)
{
    gp_fence *fence = &fences->lanes[lane];
    bool is_left = fence->is_set || gp_capture_of(fences->cu, fence->stream) != GP_CAPTURE_NONE;
    return is_left ? gp_ok() : record(fences, fence, moment);
}

gp_status
gp_fences_ask(gp_fences *fences, unsigned int lane, bool *has_passed)
{
    gp_fence *fence = &fences->lanes[lane];
    *has_passed = false;
    if (!fence->is_set) { return gp_ok(); }
    gp_status st = GP_CUDA_CALL(fences->cu, cuEventQuery, (fence->event));
    *has_passed = !gp_failed(st);
    if (*has_passed) { fence->is_set = false; }
    return st.kind == GP_CUDA && st.code == GP_CU_NOT_READY ? gp_ok() : st;
}

gp_status
gp_fences_wait(gp_fences *fences, unsigned int lane, uint64_t moment)
{
    gp_fence *fence = &fences->lanes[lane];
    gp_status st = GP_CAPTURE_CHECK(fences->cu, fence->stream, cuEventSynchronize);
    if (gp_failed(st)) { return st; }
    st = record(fences, fence, moment);
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(fences->cu, cuEventSynchronize, (fence->event));
    if (!gp_failed(st)) { fence->is_set = false; }
    return st;
}

gp_status
gp_fences_check(const gp_fences *fences, gp_lanes lanes)
{
    gp_status st = GP_CAPTURE_CHECK(fences->cu, NULL, cuCtxSynchronize);
    for (unsigned int i = 0; i < GP_CROWD_LANE && !gp_failed(st); i++) {
        const gp_fence *fence = &fences->lanes[i];
        if (!fence->is_taken || (lanes & GP_LANE(i)) == 0) { continue; }
        st = GP_CAPTURE_CHECK(fences->cu, fence->stream, cuCtxSynchronize);
    }
    return st;
}

void
gp_fences_leave(gp_fences *fences, unsigned int lane)
{
    fences->lanes[lane].is_taken = false;
    fences->lanes[lane].is_set = false;
}

gp_status
gp_fences_close(gp_fences *fences)
{
    gp_status st = gp_ok();
    for (unsigned int i = 0; i < GP_CROWD_LANE; i++) {
        gp_fence *fence = &fences->lanes[i];
        if (fence->event != NULL) {
            st = gp_first_error(st, GP_CUDA_CALL(fences->cu, cuEventDestroy_v2, (fence->event)));
        }
        *fence = (gp_fence){.event = NULL};
    }
    return st;
}
