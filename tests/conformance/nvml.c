/* Our declarations of NVML's ABI against the real nvml.h (API 13), as cuda.c does it. */
#define NVML_NO_UNVERSIONED_FUNC_DEFS /* nvml.h then renames no function */
#include <nvml.h>

#include "abi/gp_abi_nvml.h"
#include "conformance.h"

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

SAME_VALUE(GP_NVML_SUCCESS, NVML_SUCCESS);
SAME_VALUE(GP_NVML_ERROR_NOT_SUPPORTED, NVML_ERROR_NOT_SUPPORTED);
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
#define gp_nvml_pci    nvmlPciInfo_t
#define gp_nvml_memory nvmlMemory_t
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
