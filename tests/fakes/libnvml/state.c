/* How the GPU does: clocks, power, heat, load. */
#include "fake_nvml.h"

nvmlReturn_t
nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz)
{
    FAKE_GPU_CALL(device);
    if (type >= NVML_CLOCK_COUNT) { return NVML_ERROR_INVALID_ARGUMENT; }
    FAKE_GIVE(mhz, type == NVML_CLOCK_MEM ? device->gpu->clock_memory : device->gpu->clock_sm);
}

nvmlReturn_t
nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz)
{
    FAKE_GPU_CALL(device);
    if (type >= NVML_CLOCK_COUNT) { return NVML_ERROR_INVALID_ARGUMENT; }
    FAKE_GIVE(mhz,
              type == NVML_CLOCK_MEM ? device->gpu->clock_memory_max : device->gpu->clock_sm_max);
}

nvmlReturn_t
nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *milliwatts)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(milliwatts, device->gpu->power);
}

nvmlReturn_t
nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int *milliwatts)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(milliwatts, device->gpu->power_limit);
}

nvmlReturn_t
nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, unsigned int *milliwatts)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(milliwatts, device->gpu->power_limit_default);
}

/* The least limit is no part of a scenario. */
nvmlReturn_t
nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned int *least,
                                             unsigned int *most)
{
    FAKE_GPU_CALL(device);
    if (least == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    *least = 0;
    FAKE_GIVE(most, device->gpu->power_limit_max);
}

nvmlReturn_t
nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor,
                         unsigned int *celsius)
{
    FAKE_GPU_CALL(device);
    if (sensor != NVML_TEMPERATURE_GPU) { return NVML_ERROR_INVALID_ARGUMENT; }
    FAKE_GIVE(celsius, device->gpu->temperature);
}

/* Other thresholds than that of the slowdown are no part of a scenario. */
nvmlReturn_t
nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, nvmlTemperatureThresholds_t threshold,
                                  unsigned int *celsius)
{
    FAKE_GPU_CALL(device);
    if (threshold >= NVML_TEMPERATURE_THRESHOLD_COUNT) { return NVML_ERROR_INVALID_ARGUMENT; }
    FAKE_GIVE(celsius, threshold == NVML_TEMPERATURE_THRESHOLD_SLOWDOWN
                           ? device->gpu->temperature_slowdown
                           : FAKE_NONE);
}

nvmlReturn_t
nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long *reasons)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(reasons, device->gpu->throttle);
}

nvmlReturn_t
nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long *reasons)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(reasons, device->gpu->throttle);
}

/* Not told of a GPU that is split, as the header says. */
nvmlReturn_t
nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *rates)
{
    FAKE_GPU_CALL(device);
    if (rates == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    rates->memory = 0;
    FAKE_GIVE(&rates->gpu, fake_is_split(device->gpu) ? FAKE_NONE : device->gpu->utilization);
}
