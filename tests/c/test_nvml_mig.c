#include "alloc_hook.h"
#include "device/gp_nvml_mig.h"
#include "harness.h"

#include <stdio.h>

enum { PLACES = 7, UNKNOWN = 999 };

/* A handle is the address of its place. */
static char places[PLACES];
static const bool is_made[PLACES] = {true, false, true, false, false, false, true};
static int broken_place = -1;
static gp_nvml_result id_code;

static gp_nvml_result
get_most(gp_nvml_device device, unsigned int *count)
{
    (void)device;
    *count = PLACES;
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_handle(gp_nvml_device device, unsigned int index, gp_nvml_device *instance)
{
    (void)device;
    if ((int)index == broken_place) { return UNKNOWN; }
    if (!is_made[index]) { return GP_NVML_ERROR_NOT_FOUND; }
    *instance = (gp_nvml_device)(void *)&places[index];
    return GP_NVML_SUCCESS;
}

static unsigned int
place_of(gp_nvml_device instance)
{
    return (unsigned int)((char *)(void *)instance - places);
}

static gp_nvml_result
get_text(gp_nvml_device instance, char *text, unsigned int size)
{
    (void)snprintf(text, size, "MIG-%u", place_of(instance));
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_memory(gp_nvml_device instance, gp_nvml_memory *memory)
{
    *memory = (gp_nvml_memory){1000 + place_of(instance), 0, 0};
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_id(gp_nvml_device instance, unsigned int *id)
{
    *id = 10 + place_of(instance);
    return id_code;
}

static gp_nvml
table(void)
{
    return (gp_nvml){
        .library = {.name = "scripted"},
        .nvmlDeviceGetMaxMigDeviceCount = get_most,
        .nvmlDeviceGetMigDeviceHandleByIndex = get_handle,
        .nvmlDeviceGetName = get_text,
        .nvmlDeviceGetUUID = get_text,
        .nvmlDeviceGetMemoryInfo = get_memory,
        .nvmlDeviceGetGpuInstanceId = get_id,
        .nvmlDeviceGetComputeInstanceId = get_id,
    };
}

TEST(mig_places_that_are_empty_are_passed_over)
{
    gp_nvml nv = table();
    gp_nvml_migs migs;
    gp_nvml_migs_read(&nv, NULL, &migs);
    ASSERT_OK(migs.read);
    ASSERT_INT(3, migs.count);
    ASSERT_INT(6, migs.list[2].place);
    ASSERT_TEXT("MIG-6", migs.list[2].uuid);
    ASSERT_INT(1006, migs.list[2].memory.total);
    ASSERT_INT(16, migs.list[2].gpu_instance);
    gp_nvml_migs_free(&migs);
    ASSERT_INT(0, alloc_live());
}

TEST(a_mig_instance_keeps_the_code_of_what_it_does_not_tell)
{
    gp_nvml nv = table();
    gp_nvml_migs migs;
    id_code = UNKNOWN;
    gp_nvml_migs_read(&nv, NULL, &migs);
    ASSERT_OK(migs.read);
    ASSERT_FAILED(GP_NVML, UNKNOWN, migs.list[0].read[GP_MIG_GPU_INSTANCE]);
    ASSERT_OK(migs.list[0].read[GP_MIG_UUID]);
    gp_nvml_migs_free(&migs);
}

TEST(half_a_list_of_mig_instances_is_no_list)
{
    gp_nvml nv = table();
    gp_nvml_migs migs;
    broken_place = 2;
    gp_nvml_migs_read(&nv, NULL, &migs);
    ASSERT_FAILED(GP_NVML, UNKNOWN, migs.read);
    ASSERT_INT(0, migs.count);
    ASSERT(migs.list == NULL);
    ASSERT_INT(0, alloc_live());
}

TEST(mig_instances_of_an_older_library_are_not_known)
{
    gp_nvml nv = table();
    gp_nvml_migs migs;
    nv.nvmlDeviceGetMaxMigDeviceCount = NULL;
    gp_nvml_migs_read(&nv, NULL, &migs);
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, migs.read);
    gp_nvml_migs_free(&migs);
}

TEST(mig_instances_without_memory_are_a_failure)
{
    gp_nvml nv = table();
    gp_nvml_migs migs;
    alloc_fail_at(1);
    gp_nvml_migs_read(&nv, NULL, &migs);
    ASSERT_FAILED(GP_NO_MEMORY, 0, migs.read);
    ASSERT_INT(0, alloc_live());
}
