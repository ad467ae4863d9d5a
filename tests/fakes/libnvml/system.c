/* Initialisation, versions, error texts. */
#include "fake_nvml.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char fake_prefix[] = "nvml";

static struct nvmlDevice_st handles[FAKE_MAX_GPUS], mig_handles[FAKE_MAX_MIGS];
static unsigned handle_count;
static atomic_uint initialised; /* inits less shutdowns */

/* It works on none. */
int
fake_device_in_use(void)
{
    return -1;
}

nvmlReturn_t
fake_nvml_enter(const char *call, fake_need need)
{
    const int fault = fake_enter(call);
    if (fault < 0) { fake_die("%s copies nothing that could flip", call); }
    if (fault != 0) { return (nvmlReturn_t)fault; }
    return need == FAKE_AFTER_INIT && initialised == 0 ? NVML_ERROR_UNINITIALIZED : NVML_SUCCESS;
}

static int
compare_handles(const void *left, const void *right)
{
    const struct nvmlDevice_st *a = left, *b = right;
    return fake_compare_pci(a->gpu, b->gpu);
}

static nvmlReturn_t
initialise(void)
{
    if (initialised++ == 0) {
        const fake_scenario *machine = fake_machine();
        for (size_t i = 0; i < machine->gpu_count; i++) {
            handles[i].gpu = &machine->gpus[i];
        }
        handle_count = (unsigned)machine->gpu_count;
        qsort(handles, handle_count, sizeof *handles, compare_handles);
        for (size_t i = 0; i < machine->mig_count; i++) {
            const fake_mig *mig = &machine->migs[i];
            mig_handles[i] = (struct nvmlDevice_st){&machine->gpus[mig->gpu], mig};
        }
    }
    return NVML_SUCCESS;
}

nvmlReturn_t
nvmlInit_v2(void)
{
    FAKE_CALL(FAKE_ANYTIME);
    return initialise();
}

nvmlReturn_t
nvmlInitWithFlags(unsigned int flags)
{
    FAKE_CALL(FAKE_ANYTIME);
    (void)flags;
    return initialise();
}

nvmlReturn_t
nvmlShutdown(void)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    initialised--;
    return NVML_SUCCESS;
}

nvmlDevice_t
fake_handle_at(unsigned index)
{
    return index < handle_count ? &handles[index] : NULL;
}

unsigned
fake_handle_count(void)
{
    return handle_count;
}

nvmlDevice_t
fake_mig_handle(size_t at)
{
    return &mig_handles[at];
}

bool
fake_is_split(const fake_gpu *gpu)
{
    const fake_scenario *machine = fake_machine();
    for (size_t i = 0; i < machine->mig_count; i++) {
        if (&machine->gpus[machine->migs[i].gpu] == gpu) { return true; }
    }
    return false;
}

nvmlReturn_t
fake_give_text(const char *text, char *buffer, unsigned room)
{
    if (buffer == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    if (strlen(text) >= room) { return NVML_ERROR_INSUFFICIENT_SIZE; }
    strcpy(buffer, text);
    return NVML_SUCCESS;
}

nvmlReturn_t
nvmlSystemGetDriverVersion(char *version, unsigned int length)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    return fake_give_text(fake_machine()->driver.version, version, length);
}

nvmlReturn_t
nvmlSystemGetNVMLVersion(char *version, unsigned int length)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    return fake_give_text(fake_machine()->driver.nvml_version, version, length);
}

/* The header lists UNINITIALIZED for neither of the two, yet drivers are reported to want nvmlInit
 * first; assumed: they do. _v2 asks the libcuda that would be found, which here is the same. */
static nvmlReturn_t
give_cuda_version(int *version)
{
    if (version == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    *version = (int)fake_machine()->driver.cuda_version;
    return NVML_SUCCESS;
}

nvmlReturn_t
nvmlSystemGetCudaDriverVersion(int *version)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    return give_cuda_version(version);
}

nvmlReturn_t
nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    return give_cuda_version(version);
}

const char *
nvmlErrorString(nvmlReturn_t result)
{
    (void)fake_enter(__func__);
    switch (result) {
    case NVML_SUCCESS: return "Success";
    case NVML_ERROR_UNINITIALIZED: return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT: return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED: return "Not Supported";
    case NVML_ERROR_NO_PERMISSION: return "Insufficient Permissions";
    case NVML_ERROR_NOT_FOUND: return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE: return "Insufficient Size";
    case NVML_ERROR_DRIVER_NOT_LOADED: return "Driver Not Loaded";
    case NVML_ERROR_FUNCTION_NOT_FOUND: return "Function Not Found";
    case NVML_ERROR_GPU_IS_LOST: return "GPU is lost";
    case NVML_ERROR_LIB_RM_VERSION_MISMATCH: return "Driver/library version mismatch";
    default: return "Unknown Error";
    }
}

__attribute__((destructor)) static void
report(void)
{
    char counts[32];
    (void)snprintf(counts, sizeof counts, "\"initialised\":%u", (unsigned)initialised);
    fake_report("libnvidia-ml", counts);
}
