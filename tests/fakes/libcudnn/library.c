/* The library itself: its version, its last words, handles, and the gate of every call. */
#include "fake_cudnn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char fake_prefix[] = "cudnn";

static _Thread_local char last_words[256];
atomic_size_t fake_live_handles;

/* The library is not told. */
int
fake_device_in_use(void)
{
    return -1;
}

cudnnStatus_t
fake_refuse(cudnnStatus_t status, const char *why)
{
    (void)snprintf(last_words, sizeof last_words, "%s", why);
    return status;
}

cudnnStatus_t
fake_cudnn_enter(const char *call)
{
    const int code = fake_enter(call);
    if (code < 0) { fake_die("%s has no result that could be spoiled", call); }
    return code == 0 ? CUDNN_STATUS_SUCCESS : fake_refuse((cudnnStatus_t)code, "as planned");
}

size_t
cudnnGetVersion(void)
{
    return CUDNN_VERSION;
}

/* Told once: asked again it is empty. */
void
cudnnGetLastErrorString(char *message, size_t max_size)
{
    (void)snprintf(message, max_size, "%s", last_words);
    last_words[0] = '\0';
}

/* The real one asks the CUDA run time, which takes the device's primary context where none is
 * current: assumed that gpuprobe always has one, as it says it does. */
cudnnStatus_t
cudnnCreate(cudnnHandle_t *handle)
{
    FAKE_CALL();
    if (handle == NULL) { return fake_refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "handle"); }
    if (!fake_device_has_context()) {
        return fake_refuse(CUDNN_STATUS_NOT_INITIALIZED,
                           "cudaGetDeviceCount(&count) != cudaSuccess");
    }
    *handle = calloc(1, sizeof **handle);
    if (*handle == NULL) { fake_die("no memory for a handle"); }
    fake_live_handles++;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnDestroy(cudnnHandle_t handle)
{
    FAKE_CALL();
    if (handle == NULL) { return CUDNN_STATUS_SUCCESS; }
    free(handle);
    fake_live_handles--;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream)
{
    FAKE_CALL();
    if (handle == NULL) { return fake_refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "handle"); }
    handle->stream = stream;
    return CUDNN_STATUS_SUCCESS;
}

__attribute__((destructor)) static void
report(void)
{
    char counts[96];
    (void)snprintf(counts, sizeof counts, "\"handles\":%zu,\"descriptors\":%zu",
                   (size_t)fake_live_handles, (size_t)fake_live_descriptors);
    fake_report("libcudnn", counts);
}
