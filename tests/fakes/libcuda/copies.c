/* What copies and fills device memory. The copies without a stream wait for the default stream;
 * filling does not. */
#include "order.h"

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
    return CUDA_SUCCESS;
}

static CUresult
copy_to_host(int fault, CUstream stream, void *to, CUdeviceptr from, size_t bytes)
{
    if (fault > 0) { return (CUresult)fault; }
    const char *place = begin(stream, from, bytes, false);
    if (place == NULL || to == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    memcpy(to, place, bytes);
    if (fault == FAKE_FLIP && bytes > 0) { ((unsigned char *)to)[bytes / 2] ^= 1; }
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
