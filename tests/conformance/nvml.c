/* Our declarations of NVML's ABI against the real nvml.h (API 13), as cuda.c does it. */
#define NVML_NO_UNVERSIONED_FUNC_DEFS /* nvml.h then renames no function */
#include <nvml.h>

#include "abi/gp_abi_nvml.h"
#include "conformance.h"

/* Some are: older drivers have nothing else, and newer ones still have them. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

SAME_TYPE(gp_nvml_result, nvmlReturn_t);
SAME_TYPE(gp_nvml_device, nvmlDevice_t);
SAME_TYPE(unsigned int, nvmlComputeMode_t);
SAME_TYPE(unsigned int, nvmlEnableState_t);

_Static_assert(sizeof(gp_nvml_pci) == sizeof(nvmlPciInfo_t), "nvmlPciInfo_t");
SAME_MEMBER(gp_nvml_pci, bus_id_legacy, nvmlPciInfo_t, busIdLegacy);
SAME_MEMBER(gp_nvml_pci, domain, nvmlPciInfo_t, domain);
SAME_MEMBER(gp_nvml_pci, bus, nvmlPciInfo_t, bus);
SAME_MEMBER(gp_nvml_pci, device, nvmlPciInfo_t, device);
SAME_MEMBER(gp_nvml_pci, pci_device_id, nvmlPciInfo_t, pciDeviceId);
SAME_MEMBER(gp_nvml_pci, pci_subsystem_id, nvmlPciInfo_t, pciSubSystemId);
SAME_MEMBER(gp_nvml_pci, bus_id, nvmlPciInfo_t, busId);

_Static_assert(sizeof(gp_nvml_memory) == sizeof(nvmlMemory_t), "nvmlMemory_t");
SAME_MEMBER(gp_nvml_memory, total, nvmlMemory_t, total);
SAME_MEMBER(gp_nvml_memory, free, nvmlMemory_t, free);
SAME_MEMBER(gp_nvml_memory, used, nvmlMemory_t, used);

_Static_assert(sizeof(gp_nvml_utilization) == sizeof(nvmlUtilization_t), "nvmlUtilization_t");
SAME_MEMBER(gp_nvml_utilization, gpu, nvmlUtilization_t, gpu);
SAME_MEMBER(gp_nvml_utilization, memory, nvmlUtilization_t, memory);

_Static_assert(sizeof(gp_nvml_process_v1) == sizeof(nvmlProcessInfo_v1_t), "nvmlProcessInfo_v1_t");
SAME_MEMBER(gp_nvml_process_v1, pid, nvmlProcessInfo_v1_t, pid);
SAME_MEMBER(gp_nvml_process_v1, used, nvmlProcessInfo_v1_t, usedGpuMemory);

_Static_assert(sizeof(gp_nvml_process_v2) == sizeof(nvmlProcessInfo_v2_t), "nvmlProcessInfo_v2_t");
SAME_MEMBER(gp_nvml_process_v2, pid, nvmlProcessInfo_v2_t, pid);
SAME_MEMBER(gp_nvml_process_v2, used, nvmlProcessInfo_v2_t, usedGpuMemory);
SAME_MEMBER(gp_nvml_process_v2, gpu_instance, nvmlProcessInfo_v2_t, gpuInstanceId);
SAME_MEMBER(gp_nvml_process_v2, compute_instance, nvmlProcessInfo_v2_t, computeInstanceId);

_Static_assert(sizeof(gp_nvml_fabric) == sizeof(nvmlGpuFabricInfo_t), "nvmlGpuFabricInfo_t");
SAME_MEMBER(gp_nvml_fabric, cluster_uuid, nvmlGpuFabricInfo_t, clusterUuid);
SAME_MEMBER(gp_nvml_fabric, status, nvmlGpuFabricInfo_t, status);
SAME_MEMBER(gp_nvml_fabric, clique, nvmlGpuFabricInfo_t, cliqueId);
SAME_MEMBER(gp_nvml_fabric, state, nvmlGpuFabricInfo_t, state);

_Static_assert(sizeof(gp_nvml_field_value) == sizeof(nvmlFieldValue_t), "nvmlFieldValue_t");
SAME_MEMBER(gp_nvml_field_value, field, nvmlFieldValue_t, fieldId);
SAME_MEMBER(gp_nvml_field_value, scope, nvmlFieldValue_t, scopeId);
SAME_MEMBER(gp_nvml_field_value, timestamp, nvmlFieldValue_t, timestamp);
SAME_MEMBER(gp_nvml_field_value, latency, nvmlFieldValue_t, latencyUsec);
SAME_MEMBER(gp_nvml_field_value, type, nvmlFieldValue_t, valueType);
SAME_MEMBER(gp_nvml_field_value, result, nvmlFieldValue_t, nvmlReturn);
SAME_MEMBER(gp_nvml_field_value, value, nvmlFieldValue_t, value.ullVal);

SAME_VALUE(GP_NVML_SUCCESS, NVML_SUCCESS);
SAME_VALUE(GP_NVML_ERROR_INVALID_ARGUMENT, NVML_ERROR_INVALID_ARGUMENT);
SAME_VALUE(GP_NVML_ERROR_NOT_SUPPORTED, NVML_ERROR_NOT_SUPPORTED);
SAME_VALUE(GP_NVML_ERROR_NOT_FOUND, NVML_ERROR_NOT_FOUND);
SAME_VALUE(GP_NVML_ERROR_INSUFFICIENT_SIZE, NVML_ERROR_INSUFFICIENT_SIZE);
SAME_VALUE(GP_NVML_ERROR_GPU_IS_LOST, NVML_ERROR_GPU_IS_LOST);
SAME_VALUE(GP_NVML_CLOCK_SM, NVML_CLOCK_SM);
SAME_VALUE(GP_NVML_CLOCK_MEMORY, NVML_CLOCK_MEM);
SAME_VALUE(GP_NVML_TEMPERATURE_GPU, NVML_TEMPERATURE_GPU);
SAME_VALUE(GP_NVML_THRESHOLD_SLOWDOWN, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN);
SAME_VALUE(GP_NVML_ECC_CORRECTED, NVML_MEMORY_ERROR_TYPE_CORRECTED);
SAME_VALUE(GP_NVML_ECC_UNCORRECTED, NVML_MEMORY_ERROR_TYPE_UNCORRECTED);
SAME_VALUE(GP_NVML_ECC_VOLATILE, NVML_VOLATILE_ECC);
SAME_VALUE(GP_NVML_ECC_AGGREGATE, NVML_AGGREGATE_ECC);
SAME_VALUE(GP_NVML_RETIRED_SINGLE_BIT, NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS);
SAME_VALUE(GP_NVML_RETIRED_DOUBLE_BIT, NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR);
SAME_VALUE(GP_NVML_LINK_TO_SWITCH, NVML_NVLINK_DEVICE_TYPE_SWITCH);
SAME_VALUE(GP_NVML_LINK_TO_UNKNOWN, NVML_NVLINK_DEVICE_TYPE_UNKNOWN);
SAME_VALUE(GP_NVML_FIELD_CRC_FLIT, NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL);
SAME_VALUE(GP_NVML_FIELD_CRC_DATA, NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL);
SAME_VALUE(GP_NVML_FIELD_REPLAY, NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL);
SAME_VALUE(GP_NVML_FIELD_RECOVERY, NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL);
SAME_VALUE(GP_NVML_TYPE_UINT, NVML_VALUE_TYPE_UNSIGNED_INT);
_Static_assert(GP_NVML_MOST_LINKS >= NVML_NVLINK_MAX_LINKS, "NVLinks");
SAME_VALUE(GP_NVML_VALUE_NOT_AVAILABLE, (unsigned long long)NVML_VALUE_NOT_AVAILABLE);
_Static_assert(GP_NVML_VERSION_SIZE >= NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE, "driver version");
_Static_assert(GP_NVML_VERSION_SIZE >= NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE, "NVML version");
_Static_assert(GP_NVML_NAME_SIZE >= NVML_DEVICE_NAME_V2_BUFFER_SIZE, "name");
_Static_assert(GP_NVML_UUID_SIZE >= NVML_DEVICE_UUID_V2_BUFFER_SIZE, "UUID");

#define GP_ERROR(name, code) SAME_VALUE(code, name);
#include "base/nvml_errors.def"
#undef GP_ERROR

DECLARED(nvmlErrorString);
#define GP_NVML_SYMBOL(need, name, parameters) DECLARED(name);
#include "api/nvml_symbols.def"
#undef GP_NVML_SYMBOL

/* The structures were compared above; from here on ours are theirs. */
#define gp_nvml_pci         nvmlPciInfo_t
#define gp_nvml_memory      nvmlMemory_t
#define gp_nvml_utilization nvmlUtilization_t
#define gp_nvml_process_v1  nvmlProcessInfo_v1_t
#define gp_nvml_process_v2  nvmlProcessInfo_v2_t
#define gp_nvml_fabric      nvmlGpuFabricInfo_t
#define gp_nvml_field_value nvmlFieldValue_t
const char *nvmlErrorString(gp_nvml_result result);
#define GP_NVML_SYMBOL(need, name, parameters) gp_nvml_result name parameters;
#include "api/nvml_symbols.def"
#undef GP_NVML_SYMBOL

int
main(void)
{
    int functions = 1; /* nvmlErrorString */
#define GP_NVML_SYMBOL(need, name, parameters) functions++;
#include "api/nvml_symbols.def"
#undef GP_NVML_SYMBOL
    printf("%d functions agree with nvml.h %d\n", functions, NVML_API_VERSION);
    return 0;
}
