/* The library itself: its version, the names of its codes, handles, and the gate of every call. */
#include "fake_cublaslt.h"

#include <stdio.h>
#include <stdlib.h>

const char fake_prefix[] = "cublas";

struct cublasLtContext {
    char unused;
};

static atomic_size_t live_handles;

/* The library is not told. */
int
fake_device_in_use(void)
{
    return -1;
}

int
fake_cublaslt_enter(const char *call)
{
    return fake_enter(call);
}

/* Assumed that a caller has made a context current, as gpuprobe says it does: the real library asks
 * the CUDA run time, which takes the primary one where none is. */
cublasStatus_t
cublasLtCreate(cublasLtHandle_t *handle)
{
    FAKE_CALL();
    if (handle == NULL) { return CUBLAS_STATUS_INVALID_VALUE; }
    *handle = NULL;
    if (!fake_device_has_context()) { return CUBLAS_STATUS_NOT_INITIALIZED; }
    *handle = calloc(1, sizeof **handle);
    if (*handle == NULL) { fake_die("no memory for a handle"); }
    live_handles++;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtDestroy(cublasLtHandle_t handle)
{
    FAKE_CALL();
    if (handle == NULL) { return CUBLAS_STATUS_INVALID_VALUE; }
    free(handle);
    live_handles--;
    return CUBLAS_STATUS_SUCCESS;
}

size_t
cublasLtGetVersion(void)
{
    return CUBLAS_VERSION;
}

cublasStatus_t
cublasLtGetProperty(libraryPropertyType type, int *value)
{
    static const int version[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    FAKE_CALL();
    if (value == NULL || type > PATCH_LEVEL) { return CUBLAS_STATUS_INVALID_VALUE; }
    *value = version[type];
    return CUBLAS_STATUS_SUCCESS;
}

__attribute__((destructor)) static void
report(void)
{
    char counts[96];
    (void)snprintf(counts, sizeof counts, "\"handles\":%zu,\"descriptors\":%zu",
                   (size_t)live_handles, (size_t)fake_live_descriptors);
    fake_report("libcublasLt", counts);
}
