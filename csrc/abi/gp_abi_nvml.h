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

/* nvmlUtilization_t, in percent. */
typedef struct gp_nvml_utilization {
    unsigned int gpu;
    unsigned int memory;
} gp_nvml_utilization;

/* nvmlProcessInfo_v1_t: what the functions without a suffix fill. */
typedef struct gp_nvml_process_v1 {
    unsigned int pid;
    unsigned long long used; /* bytes */
} gp_nvml_process_v1;

/* nvmlProcessInfo_v2_t: what the _v2 functions fill. */
typedef struct gp_nvml_process_v2 {
    unsigned int pid;
    unsigned long long used; /* bytes */
    unsigned int gpu_instance;
    unsigned int compute_instance;
} gp_nvml_process_v2;

/* nvmlGpuFabricInfo_t. */
typedef struct gp_nvml_fabric {
    unsigned char cluster_uuid[16];
    gp_nvml_result status; /* means something when the state is "completed" only */
    unsigned int clique;
    unsigned char state;
} gp_nvml_fabric;

/* nvmlFieldValue_t; `value` is a union there. */
typedef struct gp_nvml_field_value {
    unsigned int field;
    unsigned int scope;
    long long timestamp;
    long long latency;
    unsigned int type;
    gp_nvml_result result;
    unsigned long long value;
} gp_nvml_field_value;

enum {
    GP_NVML_SUCCESS = 0,
    GP_NVML_ERROR_INVALID_ARGUMENT = 2,
    GP_NVML_ERROR_NOT_SUPPORTED = 3,
    GP_NVML_ERROR_NOT_FOUND = 6,
    GP_NVML_ERROR_INSUFFICIENT_SIZE = 7,
    GP_NVML_ERROR_GPU_IS_LOST = 15
};

enum { GP_NVML_CLOCK_SM = 1, GP_NVML_CLOCK_MEMORY = 2 };
enum { GP_NVML_TEMPERATURE_GPU = 0, GP_NVML_THRESHOLD_SLOWDOWN = 1 };
enum { GP_NVML_ECC_CORRECTED = 0, GP_NVML_ECC_UNCORRECTED = 1 };
enum { GP_NVML_ECC_VOLATILE = 0, GP_NVML_ECC_AGGREGATE = 1 };
enum { GP_NVML_RETIRED_SINGLE_BIT = 0, GP_NVML_RETIRED_DOUBLE_BIT = 1 };
enum { GP_NVML_LINK_TO_SWITCH = 2, GP_NVML_LINK_TO_UNKNOWN = 255 };

/* Errors of all NVLinks of a device, each kind as one field. */
enum {
    GP_NVML_FIELD_CRC_FLIT = 38,
    GP_NVML_FIELD_CRC_DATA = 45,
    GP_NVML_FIELD_REPLAY = 52,
    GP_NVML_FIELD_RECOVERY = 59
};

/* A field of this type fills half of the value's union only. */
enum { GP_NVML_TYPE_UINT = 1 };

/* What NVML writes for a number that it cannot know, e.g. memory under WDDM. */
#define GP_NVML_VALUE_NOT_AVAILABLE 0xFFFFFFFFFFFFFFFFULL

/* Sizes that NVML's documentation promises to be enough. */
enum { GP_NVML_VERSION_SIZE = 80, GP_NVML_NAME_SIZE = 96, GP_NVML_UUID_SIZE = 96 };

/* More NVLinks than any device has: 36 in NVML 13. */
enum { GP_NVML_MOST_LINKS = 64 };

#endif
