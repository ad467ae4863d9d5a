#include "alloc_hook.h"
#include "device/gp_nvml_devices.h"
#include "harness.h"

#include <stdio.h>

enum { GPU_IS_LOST = 15, LOST_INDEX = 1 };

static unsigned int gpu_count = 2;
static unsigned long long free_bytes = 1024;

static gp_nvml_result
get_count(unsigned int *count)
{
    *count = gpu_count;
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_handle(unsigned int index, gp_nvml_device *device)
{
    if (index == LOST_INDEX) { return GPU_IS_LOST; }
    *device = (gp_nvml_device)(void *)&gpu_count;
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_text(gp_nvml_device device, char *text, unsigned int size)
{
    ASSERT(device != NULL);
    (void)snprintf(text, size, "text");
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_pci(gp_nvml_device device, gp_nvml_pci *pci)
{
    ASSERT(device != NULL);
    *pci = (gp_nvml_pci){.domain = 0, .bus = 0xC1, .device = 0};
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_number(gp_nvml_device device, unsigned int *number)
{
    ASSERT(device != NULL);
    *number = 1;
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_capability(gp_nvml_device device, int *major, int *minor)
{
    ASSERT(device != NULL);
    *major = 9;
    *minor = 0;
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_memory(gp_nvml_device device, gp_nvml_memory *memory)
{
    ASSERT(device != NULL);
    *memory = (gp_nvml_memory){4096, free_bytes, 3072};
    return GP_NVML_SUCCESS;
}

/* As on a GeForce: MIG is not supported. */
static gp_nvml_result
get_mig(gp_nvml_device device, unsigned int *current, unsigned int *pending)
{
    ASSERT(device != NULL && current != NULL && pending != NULL);
    return GP_NVML_ERROR_NOT_SUPPORTED;
}

static gp_nvml
table(void)
{
    return (gp_nvml){
        .library = {.name = "scripted"},
        .nvmlDeviceGetCount_v2 = get_count,
        .nvmlDeviceGetHandleByIndex_v2 = get_handle,
        .nvmlDeviceGetName = get_text,
        .nvmlDeviceGetUUID = get_text,
        .nvmlDeviceGetPciInfo_v3 = get_pci,
        .nvmlDeviceGetMinorNumber = get_number,
        .nvmlDeviceGetCudaComputeCapability = get_capability,
        .nvmlDeviceGetMemoryInfo = get_memory,
        .nvmlDeviceGetComputeMode = get_number,
        .nvmlDeviceGetPersistenceMode = get_number,
        .nvmlDeviceGetMigMode = get_mig,
    };
}

TEST(nvml_devices_keep_the_place_of_a_lost_one)
{
    gp_nvml nv = table();
    gp_nvml_gpus gpus;
    ASSERT_OK(gp_nvml_devices_list(&nv, &gpus));
    ASSERT_INT(2, gpus.count);
    ASSERT_TEXT("0000:c1:00.0", gpus.list[0].pci);
    ASSERT_INT(4096, gpus.list[0].numbers[GP_NUMBER_MEMORY_TOTAL].value);
    ASSERT_FAILED(GP_NVML, GPU_IS_LOST, gpus.list[LOST_INDEX].read[GP_NVML_HANDLE]);
    ASSERT_FAILED(GP_NVML, GPU_IS_LOST, gpus.list[LOST_INDEX].numbers[GP_NUMBER_MEMORY_FREE].read);
    gp_nvml_devices_free(&gpus);
    ASSERT_INT(0, alloc_live());
}

TEST(nvml_device_keeps_the_code_of_an_unsupported_field)
{
    gp_nvml nv = table();
    gp_nvml_gpus gpus;
    ASSERT_OK(gp_nvml_devices_list(&nv, &gpus));
    ASSERT_FAILED(GP_NVML, GP_NVML_ERROR_NOT_SUPPORTED,
                  gpus.list[0].numbers[GP_NUMBER_MIG_MODE].read);
    ASSERT_OK(gpus.list[0].read[GP_NVML_NAME]);
    gp_nvml_devices_free(&gpus);
}

TEST(nvml_memory_that_is_not_available_is_not_a_number)
{
    gp_nvml nv = table();
    gp_nvml_gpus gpus;
    free_bytes = GP_NVML_VALUE_NOT_AVAILABLE;
    ASSERT_OK(gp_nvml_devices_list(&nv, &gpus));
    ASSERT_FAILED(GP_NVML, GP_NVML_ERROR_NOT_SUPPORTED,
                  gpus.list[0].numbers[GP_NUMBER_MEMORY_FREE].read);
    gp_nvml_devices_free(&gpus);
}

TEST(nvml_device_of_an_older_library_misses_the_newer_fields_only)
{
    gp_nvml nv = table();
    gp_nvml_gpus gpus;
    nv.nvmlDeviceGetMigMode = NULL;
    nv.nvmlDeviceGetPciInfo_v3 = NULL;
    ASSERT_OK(gp_nvml_devices_list(&nv, &gpus));
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, gpus.list[0].numbers[GP_NUMBER_MIG_MODE].read);
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, gpus.list[0].read[GP_NVML_PCI]);
    ASSERT_OK(gpus.list[0].read[GP_NVML_UUID]);
    gp_nvml_devices_free(&gpus);
}

TEST(nvml_devices_without_memory_are_a_failure_without_a_list)
{
    gp_nvml nv = table();
    gp_nvml_gpus gpus;
    alloc_fail_at(1);
    ASSERT_FAILED(GP_NO_MEMORY, 0, gp_nvml_devices_list(&nv, &gpus));
    ASSERT(gpus.list == NULL);
    ASSERT_INT(0, gpus.count);
}

static gp_nvml_result
get_level(gp_nvml_device one, gp_nvml_device other, unsigned int *level)
{
    ASSERT(one != NULL && other != NULL);
    *level = 20;
    return GP_NVML_SUCCESS;
}

TEST(nvml_paths_lead_both_ways_and_past_a_lost_one)
{
    gp_nvml nv = table();
    gp_nvml_gpus gpus;
    gpu_count = 3;
    nv.nvmlDeviceGetTopologyCommonAncestor = get_level;
    ASSERT_OK(gp_nvml_devices_list(&nv, &gpus));
    ASSERT_OK(gpus.list[0].paths[2].read);
    ASSERT_INT(20, gpus.list[0].paths[2].level);
    ASSERT_INT(20, gpus.list[2].paths[0].level);
    ASSERT_FAILED(GP_NVML, GPU_IS_LOST, gpus.list[2].paths[LOST_INDEX].read);
    ASSERT_FAILED(GP_NVML, GPU_IS_LOST, gpus.list[LOST_INDEX].paths[0].read);
    gp_nvml_devices_free(&gpus);
    ASSERT_INT(0, alloc_live());
}

static gp_nvml_result
get_reasons(gp_nvml_device device, unsigned long long *reasons)
{
    ASSERT(device != NULL);
    *reasons = 8;
    return GP_NVML_SUCCESS;
}

TEST(nvml_throttle_reasons_are_found_under_their_older_name)
{
    gp_nvml nv = table();
    gp_nvml_gpus gpus;
    nv.nvmlDeviceGetCurrentClocksThrottleReasons = get_reasons;
    ASSERT_OK(gp_nvml_devices_list(&nv, &gpus));
    ASSERT_OK(gpus.list[0].numbers[GP_NUMBER_THROTTLE].read);
    ASSERT_INT(8, gpus.list[0].numbers[GP_NUMBER_THROTTLE].value);
    gp_nvml_devices_free(&gpus);
}

static gp_nvml_result
get_pages(gp_nvml_device device, unsigned int cause, unsigned int *count, unsigned long long *room)
{
    ASSERT(device != NULL && room != NULL);
    ASSERT_INT(0, *count);
    *count = cause == GP_NVML_RETIRED_DOUBLE_BIT ? 3 : 0;
    return *count == 0 ? GP_NVML_SUCCESS : GP_NVML_ERROR_INSUFFICIENT_SIZE;
}

TEST(nvml_retired_pages_are_counted_without_room_for_them)
{
    gp_nvml nv = table();
    gp_nvml_gpus gpus;
    nv.nvmlDeviceGetRetiredPages = get_pages;
    ASSERT_OK(gp_nvml_devices_list(&nv, &gpus));
    ASSERT_OK(gpus.list[0].numbers[GP_NUMBER_PAGES_SINGLE_BIT].read);
    ASSERT_INT(0, gpus.list[0].numbers[GP_NUMBER_PAGES_SINGLE_BIT].value);
    ASSERT_OK(gpus.list[0].numbers[GP_NUMBER_PAGES_DOUBLE_BIT].read);
    ASSERT_INT(3, gpus.list[0].numbers[GP_NUMBER_PAGES_DOUBLE_BIT].value);
    gp_nvml_devices_free(&gpus);
}

static gp_nvml_result
get_handle_by_uuid(const char *uuid, gp_nvml_device *device)
{
    ASSERT_TEXT("MIG-1", uuid);
    return get_handle(0, device);
}

TEST(nvml_tells_the_free_memory_of_one_gpu)
{
    gp_nvml nv = table();
    uint64_t bytes = 0;
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, gp_nvml_free_bytes(&nv, "MIG-1", &bytes));
    nv.nvmlDeviceGetHandleByUUID = get_handle_by_uuid;
    ASSERT_OK(gp_nvml_free_bytes(&nv, "MIG-1", &bytes));
    ASSERT_INT(1024, bytes);
}

static gp_nvml_result
get_mig_that_is_on(gp_nvml_device device, unsigned int *current, unsigned int *pending)
{
    ASSERT(device != NULL);
    *current = *pending = 1;
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_instance(gp_nvml_device device, unsigned int index, gp_nvml_device *instance)
{
    ASSERT_INT(0, index);
    *instance = device;
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_processes(gp_nvml_device device, unsigned int *count, gp_nvml_process_v2 *processes)
{
    ASSERT(device != NULL && *count > 0);
    *processes = (gp_nvml_process_v2){.pid = 42};
    *count = 1;
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_cpus(gp_nvml_device device, unsigned int words, unsigned long *cpus)
{
    ASSERT(device != NULL && words > 0);
    *cpus = 3;
    return GP_NVML_SUCCESS;
}

/* Every allocation: the list, its paths; what a GPU lacks for want of memory it says itself. */
TEST(nvml_devices_leak_nothing_whichever_allocation_fails)
{
    gp_nvml nv = table();
    gp_nvml_gpus gpus;
    nv.nvmlDeviceGetMigMode = get_mig_that_is_on;
    nv.nvmlDeviceGetMaxMigDeviceCount = get_number;
    nv.nvmlDeviceGetMigDeviceHandleByIndex = get_instance;
    nv.nvmlDeviceGetComputeRunningProcesses_v2 = get_processes;
    nv.nvmlDeviceGetCpuAffinity = get_cpus;
    ASSERT_OK(gp_nvml_devices_list(&nv, &gpus));
    ASSERT_TEXT("0-1", gp_text_get(&gpus.list[0].cpus));
    ASSERT_INT(1, gpus.list[0].migs.count);
    ASSERT_INT(1, gpus.list[0].processes.count);
    gp_nvml_devices_free(&gpus);
    for (size_t n = 1;; n++) {
        alloc_fail_at(n);
        gp_status st = gp_nvml_devices_list(&nv, &gpus);
        if (gp_failed(st)) { ASSERT_INT(0, gpus.count); }
        gp_nvml_devices_free(&gpus);
        ASSERT_INT(0, alloc_live());
        if (!alloc_has_failed()) { break; }
    }
}
