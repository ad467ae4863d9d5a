/* What copies and fills device memory. The copies without a stream wait for the default stream;
 * filling does not. */
#include "order.h"
#include "pinned.h"

#include <limits.h>
#include <string.h>

/* Begins work on the stream that touches the range; its host address, or NULL. */
static char *
begin(CUstream stream, CUdeviceptr pointer, size_t bytes, bool writes)
{
    char *place = fake_range(pointer, bytes);
    if (place == NULL) { return NULL; }
    const size_t lane = fake_lane_of(stream);
    fake_order_work(lane);
    fake_order_use(lane, place, bytes, writes);
    return place;
}

/* Copies within devices, as one piece of work. */
static CUresult
copy_within(CUstream stream, CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    char *target = fake_range(to, bytes);
    const char *source = begin(stream, from, bytes, false);
    if (target == NULL || source == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    fake_order_use(fake_lane_of(stream), target, bytes, true);
    memmove(target, source, bytes);
    return CUDA_SUCCESS;
}

static void
wait_for(CUstream stream)
{
    const fake_clock now = fake_order_now(fake_lane_of(stream));
    fake_order_tell_host(&now);
}

CUresult CUDAAPI
cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    char *place = begin(NULL, to, bytes, true);
    if (place == NULL || from == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    memcpy(place, from, bytes);
    wait_for(NULL);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    char *place = begin(stream, to, bytes, true);
    if (place == NULL || from == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    memcpy(place, from, bytes);
    if (fake_is_pinned(from)) { fake_pinned_leaves(fake_lane_of(stream), from, bytes); }
    return CUDA_SUCCESS;
}

static CUresult
copy_to_host(int fault, CUstream stream, void *to, CUdeviceptr from, size_t bytes)
{
    if (fault > 0) { return (CUresult)fault; }
    const char *place = begin(stream, from, bytes, false);
    if (place == NULL || to == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    memcpy(to, place, bytes);
    if (fault < FAKE_FLIP) { fake_die("a copy can be flipped, and nothing else"); }
    if (fault == FAKE_FLIP && bytes > 0) { ((unsigned char *)to)[bytes / 2] ^= 1; }
    if (fake_is_pinned(to)) { fake_pinned_arrives(fake_lane_of(stream), to, bytes); }
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    const int fault = fake_cuda_enter(__func__, FAKE_IN_CONTEXT);
    const CUresult result = copy_to_host(fault, NULL, to, from, bytes);
    if (result == CUDA_SUCCESS) { wait_for(NULL); }
    return result;
}

CUresult CUDAAPI
cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    const int fault = fake_cuda_enter(__func__, FAKE_IN_CONTEXT);
    return copy_to_host(fault, stream, to, from, bytes);
}

static CUresult
fill(CUstream stream, CUdeviceptr to, unsigned char value, size_t bytes)
{
    char *place = begin(stream, to, bytes, true);
    if (place == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    memset(place, value, bytes);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t bytes)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    return fill(NULL, to, value, bytes);
}

CUresult CUDAAPI
cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    return fill(stream, to, value, bytes);
}

CUresult CUDAAPI
cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    return copy_within(stream, to, from, bytes);
}

/* The driver finds the way, also where neither device can reach the other's memory. */
CUresult CUDAAPI
cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                  size_t bytes, CUstream stream)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    const fake_device *target = fake_device_of(to), *source = fake_device_of(from);
    if (to_context == NULL || from_context == NULL) { return CUDA_ERROR_INVALID_CONTEXT; }
    if (target == NULL || &target->primary != to_context || source == NULL ||
        &source->primary != from_context) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return copy_within(stream, to, from, bytes);
}

static bool
is_pitch(size_t pitch, const CUDA_MEMCPY3D *copy)
{
    return pitch >= copy->WidthInBytes && pitch <= INT_MAX;
}

static CUresult
check_rows(const CUDA_MEMCPY3D *copy)
{
    if (copy->srcXInBytes != 0 || copy->srcY != 0 || copy->srcZ != 0 || copy->dstXInBytes != 0 ||
        copy->dstY != 0 || copy->dstZ != 0 || copy->srcMemoryType != CU_MEMORYTYPE_DEVICE) {
        fake_die("cuMemcpy3DAsync_v2: only whole rows out of a device are modelled");
    }
    const bool fits = copy->WidthInBytes > 0 && copy->Height > 0 && copy->Depth > 0 &&
                      copy->srcLOD == 0 && copy->dstLOD == 0 && copy->reserved0 == NULL &&
                      copy->reserved1 == NULL && is_pitch(copy->srcPitch, copy) &&
                      is_pitch(copy->dstPitch, copy) && copy->srcHeight >= copy->Height &&
                      copy->dstHeight >= copy->Height;
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult
copy_row(CUstream stream, const CUDA_MEMCPY3D *copy, size_t plane, size_t row)
{
    const CUdeviceptr from = copy->srcDevice + (plane * copy->srcHeight + row) * copy->srcPitch;
    const size_t offset = (plane * copy->dstHeight + row) * copy->dstPitch;
    return copy->dstMemoryType == CU_MEMORYTYPE_HOST
               ? copy_to_host(0, stream, (char *)copy->dstHost + offset, from, copy->WidthInBytes)
               : copy_within(stream, copy->dstDevice + offset, from, copy->WidthInBytes);
}

/* Assumed: every device takes pitches below 2 GiB (CU_DEVICE_ATTRIBUTE_MAX_PITCH). */
CUresult CUDAAPI
cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    if (copy == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    CUresult result = check_rows(copy);
    for (size_t plane = 0; plane < copy->Depth; plane++) {
        for (size_t row = 0; row < copy->Height && result == CUDA_SUCCESS; row++) {
            result = copy_row(stream, copy, plane, row);
        }
    }
    return result;
}
