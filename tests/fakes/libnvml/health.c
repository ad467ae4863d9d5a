/* The health of the memory: ECC, replaced rows, retired pages. */
#include "fake_nvml.h"

nvmlReturn_t
nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t *current, nvmlEnableState_t *pending)
{
    FAKE_GPU_CALL(device);
    if (pending == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    *pending = (nvmlEnableState_t)device->gpu->ecc;
    FAKE_GIVE(current, device->gpu->ecc);
}

static uint64_t
counted(const fake_gpu *gpu, nvmlMemoryErrorType_t kind, nvmlEccCounterType_t counter)
{
    if (gpu->ecc != 1) { return FAKE_NONE; }
    if (kind == NVML_MEMORY_ERROR_TYPE_CORRECTED) {
        return counter == NVML_VOLATILE_ECC ? gpu->ecc_corrected : FAKE_NONE;
    }
    return counter == NVML_VOLATILE_ECC ? gpu->ecc_uncorrected : gpu->ecc_uncorrected_total;
}

nvmlReturn_t
nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t kind,
                            nvmlEccCounterType_t counter, unsigned long long *errors)
{
    FAKE_GPU_CALL(device);
    if (kind >= NVML_MEMORY_ERROR_TYPE_COUNT || counter >= NVML_ECC_COUNTER_TYPE_COUNT) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    FAKE_GIVE(errors, counted(device->gpu, kind, counter));
}

/* Not told of a GPU that is split, as the header says. */
nvmlReturn_t
nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned int *corrected, unsigned int *uncorrected,
                          unsigned int *pending, unsigned int *failed)
{
    FAKE_GPU_CALL(device);
    const fake_gpu *gpu = device->gpu;
    if (uncorrected == NULL || pending == NULL || failed == NULL) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    *uncorrected = (unsigned)gpu->rows_uncorrected;
    *pending = (unsigned)gpu->rows_pending;
    *failed = (unsigned)gpu->rows_failed;
    FAKE_GIVE(corrected, fake_is_split(gpu) ? FAKE_NONE : gpu->rows_corrected);
}

/* The addresses are no part of a scenario: only the number can be asked for. */
nvmlReturn_t
nvmlDeviceGetRetiredPages(nvmlDevice_t device, nvmlPageRetirementCause_t cause, unsigned int *count,
                          unsigned long long *addresses)
{
    FAKE_GPU_CALL(device);
    if (count == NULL || addresses == NULL || cause >= NVML_PAGE_RETIREMENT_CAUSE_COUNT) {
        return NVML_ERROR_INVALID_ARGUMENT;
    }
    const uint64_t pages = cause == NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR
                               ? device->gpu->pages_double_bit
                               : device->gpu->pages_single_bit;
    if (pages == FAKE_NONE) { return NVML_ERROR_NOT_SUPPORTED; }
    if (*count != 0) { fake_die("addresses of retired pages are not modelled"); }
    *count = (unsigned)pages;
    return pages == 0 ? NVML_SUCCESS : NVML_ERROR_INSUFFICIENT_SIZE;
}

nvmlReturn_t
nvmlDeviceGetRetiredPagesPendingStatus(nvmlDevice_t device, nvmlEnableState_t *pending)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(pending, device->gpu->pages_pending);
}
