/* How the GPU is connected: PCIe, NVLink, the fabric of switches, CPUs and other GPUs. */
#include "fake_nvml.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

nvmlReturn_t
nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned int *generation)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(generation, device->gpu->pcie_generation);
}

nvmlReturn_t
nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned int *generation)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(generation, device->gpu->pcie_generation_max);
}

nvmlReturn_t
nvmlDeviceGetGpuMaxPcieLinkGeneration(nvmlDevice_t device, unsigned int *generation)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(generation, device->gpu->card_generation_max);
}

nvmlReturn_t
nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned int *lanes)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(lanes, device->gpu->pcie_width);
}

nvmlReturn_t
nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned int *lanes)
{
    FAKE_GPU_CALL(device);
    FAKE_GIVE(lanes, device->gpu->pcie_width_max);
}

/* The first line of every question about one link. */
#define LINK_CALL(device, link)                                                       \
    do {                                                                              \
        FAKE_GPU_CALL(device);                                                        \
        if ((device)->gpu->nvlinks == FAKE_NONE) { return NVML_ERROR_NOT_SUPPORTED; } \
        if ((link) >= (device)->gpu->nvlinks) { return NVML_ERROR_INVALID_ARGUMENT; } \
    } while (0)

static bool
is_up(const fake_gpu *gpu, unsigned link)
{
    return (gpu->nvlinks_up >> link & 1U) != 0;
}

nvmlReturn_t
nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int link, nvmlEnableState_t *active)
{
    LINK_CALL(device, link);
    FAKE_GIVE(active, is_up(device->gpu, link));
}

static bool
leads_to_switch(const fake_gpu *gpu)
{
    return strcmp(gpu->nvlink_to, "switch") == 0;
}

nvmlReturn_t
nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned int link,
                                    nvmlIntNvLinkDeviceType_t *kind)
{
    LINK_CALL(device, link);
    if (!is_up(device->gpu, link)) { return NVML_ERROR_NOT_SUPPORTED; }
    FAKE_GIVE(kind, leads_to_switch(device->gpu) ? NVML_NVLINK_DEVICE_TYPE_SWITCH
                                                 : NVML_NVLINK_DEVICE_TYPE_GPU);
}

/* Assumed: a link that is down leads nowhere. The addresses of switches are no part of a scenario.
 */
nvmlReturn_t
nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t device, unsigned int link, nvmlPciInfo_t *pci)
{
    LINK_CALL(device, link);
    const fake_scenario *machine = fake_machine();
    uint64_t other = 0;
    if (pci == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    if (!is_up(device->gpu, link) || leads_to_switch(device->gpu)) {
        return NVML_ERROR_NOT_SUPPORTED;
    }
    if (!fake_number_at(device->gpu->nvlink_to, ',', link, &other) || other >= machine->gpu_count) {
        fake_die("nvlink_to says nothing of link %u: %s", link, device->gpu->nvlink_to);
    }
    const fake_pci at = fake_pci_of(&machine->gpus[other]);
    *pci = (nvmlPciInfo_t){.domain = at.domain, .bus = at.bus, .device = at.device};
    (void)snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.0", at.domain, at.bus, at.device);
    return NVML_SUCCESS;
}

static nvmlReturn_t
give_field(const fake_gpu *gpu, nvmlFieldValue_t *value)
{
    value->valueType = NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;
    if (gpu->nvlinks == FAKE_NONE) { return NVML_ERROR_NOT_SUPPORTED; }
    switch (value->fieldId) {
    case NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL:
        value->value.ullVal = gpu->nvlink_errors;
        return NVML_SUCCESS;
    case NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL:
    case NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL:
    case NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL:
        value->value.ullVal = 0;
        return NVML_SUCCESS;
    default: fake_die("field %u is not modelled yet", value->fieldId);
    }
}

nvmlReturn_t
nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values)
{
    FAKE_GPU_CALL(device);
    if (count <= 0 || values == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    for (int i = 0; i < count; i++) {
        values[i].nvmlReturn = give_field(device->gpu, &values[i]);
    }
    return NVML_SUCCESS;
}

nvmlReturn_t
nvmlDeviceGetGpuFabricInfo(nvmlDevice_t device, nvmlGpuFabricInfo_t *fabric)
{
    FAKE_GPU_CALL(device);
    if (fabric == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    *fabric = (nvmlGpuFabricInfo_t){.status = (nvmlReturn_t)device->gpu->fabric_status};
    FAKE_GIVE(&fabric->state, device->gpu->fabric_state);
}

/* How many of the first words of two places agree: all five is one board. */
static unsigned
levels_shared(const char *left, const char *right)
{
    unsigned shared = 0;
    for (uint64_t a = 0, b = 0; shared < 5; shared++) {
        if (!fake_number_at(left, '/', shared, &a) || !fake_number_at(right, '/', shared, &b) ||
            a != b) {
            break;
        }
    }
    return shared;
}

nvmlReturn_t
nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t device, nvmlDevice_t other,
                                    nvmlGpuTopologyLevel_t *level)
{
    FAKE_GPU_CALL(device);
    if (other == NULL || level == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    static const nvmlGpuTopologyLevel_t levels[] = {
        NVML_TOPOLOGY_SYSTEM,   NVML_TOPOLOGY_NODE,   NVML_TOPOLOGY_HOSTBRIDGE,
        NVML_TOPOLOGY_MULTIPLE, NVML_TOPOLOGY_SINGLE, NVML_TOPOLOGY_INTERNAL,
    };
    *level = levels[levels_shared(device->gpu->place, other->gpu->place)];
    return NVML_SUCCESS;
}

nvmlReturn_t
nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int words, unsigned long *cpus)
{
    enum { BITS = sizeof(unsigned long) * CHAR_BIT };
    FAKE_GPU_CALL(device);
    const char *text = device->gpu->cpus;
    if (words == 0 || cpus == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    if (*text == '\0') { return NVML_ERROR_NOT_SUPPORTED; }
    memset(cpus, 0, words * sizeof *cpus);
    for (unsigned first = 0, last = 0; *text != '\0'; text += strcspn(text, ",")) {
        text += *text == ',';
        const int numbers = sscanf(text, "%u-%u", &first, &last);
        if (numbers < 1) { fake_die("no list of CPUs: %s", device->gpu->cpus); }
        for (unsigned cpu = first; cpu <= (numbers == 2 ? last : first); cpu++) {
            if (cpu >= words * BITS) { return NVML_ERROR_INSUFFICIENT_SIZE; }
            cpus[cpu / BITS] |= 1UL << cpu % BITS;
        }
    }
    return NVML_SUCCESS;
}
