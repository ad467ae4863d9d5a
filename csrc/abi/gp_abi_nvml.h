/* Our own declarations of the part of NVML's ABI that we call; compared with the real nvml.h in
 * tests/conformance. Enums are unsigned ints, as in gp_abi_cuda.h. */
#ifndef GP_ABI_NVML_H
#define GP_ABI_NVML_H

typedef unsigned int gp_nvml_result; /* nvmlReturn_t */

typedef struct nvmlDevice_st *gp_nvml_device; /* nvmlDevice_t */

/* nvmlPciInfo_t as the _v3 function fills it. */
typedef struct gp_nvml_pci {
    char bus_id_legacy[16];
    unsigned int domain;
    unsigned int bus;
    unsigned int device;
    unsigned int pci_device_id;
    unsigned int pci_subsystem_id;
    char bus_id[32];
} gp_nvml_pci;

/* nvmlMemory_t, in bytes. */
typedef struct gp_nvml_memory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
} gp_nvml_memory;

enum { GP_NVML_SUCCESS = 0, GP_NVML_ERROR_NOT_SUPPORTED = 3 };

/* What NVML writes for a number that it cannot know, e.g. memory under WDDM. */
#define GP_NVML_VALUE_NOT_AVAILABLE 0xFFFFFFFFFFFFFFFFULL

/* Sizes that NVML's documentation promises to be enough. */
enum { GP_NVML_VERSION_SIZE = 80, GP_NVML_NAME_SIZE = 96, GP_NVML_UUID_SIZE = 96 };

#endif
