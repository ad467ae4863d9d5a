#include "alloc_hook.h"
#include "device/gp_devices.h"
#include "harness.h"
#include "scripted_cuda.h"

TEST(devices_are_read_whole)
{
    gp_cuda cu = scripted_cuda_table();
    gp_device *devices = NULL;
    size_t count = 0;
    ASSERT_OK(gp_devices_list(&cu, &devices, &count));
    ASSERT_INT(1, count);
    ASSERT_OK(gp_device_failure(&devices[0]));
    ASSERT_TEXT("Scripted 0", devices[0].name);
    ASSERT_TEXT("GPU-00000000-0000-0000-0000-000000000000", devices[0].uuid);
    ASSERT_TEXT("0000:a0:00.0", devices[0].pci);
    ASSERT_INT(9, devices[0].capability_major);
    ASSERT_INT(0, devices[0].capability_minor);
    ASSERT_INT(GP_CU_MULTIPROCESSOR_COUNT, devices[0].sms);
    ASSERT_INT(GP_CU_INTEGRATED, devices[0].integrated);
    ASSERT_INT(GP_CU_COMPUTE_MODE, devices[0].compute_mode);
    gp_devices_free(devices);
    ASSERT_INT(0, alloc_live());
}

TEST(devices_keep_the_place_of_a_lost_one)
{
    gp_cuda cu = scripted_cuda_table();
    gp_device *devices = NULL;
    size_t count = 0;
    script.device_count = 3;
    script.lost_ordinal = 1;
    ASSERT_OK(gp_devices_list(&cu, &devices, &count));
    ASSERT_INT(3, count);
    ASSERT_OK(gp_device_failure(&devices[0]));
    ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, gp_device_failure(&devices[1]));
    ASSERT_TEXT("cuDeviceGet", devices[1].read[GP_DEVICE_MEMORY].call);
    ASSERT_OK(gp_device_failure(&devices[2]));
    ASSERT_TEXT("Scripted 2", devices[2].name);
    gp_devices_free(devices);
}

TEST(devices_none_is_an_empty_list)
{
    gp_cuda cu = scripted_cuda_table();
    gp_device *devices = NULL;
    size_t count = 7;
    script.device_count = 0;
    ASSERT_OK(gp_devices_list(&cu, &devices, &count));
    ASSERT(devices == NULL);
    ASSERT_INT(0, count);
}

TEST(device_uuid_names_a_mig_instance)
{
    gp_cuda cu = scripted_cuda_table();
    gp_device device;
    script.is_mig = 1;
    gp_device_read(&cu, 0, &device);
    ASSERT_TEXT("MIG-70707070-7070-7070-7070-707070707070", device.uuid);
}

static gp_cu_result
refuse_name(char *name, int size, gp_cu_device device)
{
    (void)device;
    ASSERT(name != NULL && size > 0);
    return SCRIPTED_CODE;
}

TEST(device_uuid_is_known_for_a_mig_instances_by_the_name_or_not_at_all)
{
    for (int is_mig = 0; is_mig < 2; is_mig++) {
        gp_cuda cu = scripted_cuda_table();
        gp_device device;
        script.is_mig = is_mig;
        cu.cuDeviceGetUuid = NULL;
        gp_device_read(&cu, 0, &device);
        ASSERT_OK(device.read[GP_DEVICE_UUID]);
        ASSERT_CONTAINS(is_mig ? "MIG-70707070-" : "GPU-00000000-", device.uuid);
        cu.cuDeviceGetName = refuse_name;
        gp_device_read(&cu, 0, &device);
        ASSERT_FAILED(GP_SYMBOL_MISSING, 0, device.read[GP_DEVICE_UUID]);
        ASSERT_TEXT("", device.uuid);
    }
}

TEST(device_uuid_comes_from_the_older_function_on_an_older_driver)
{
    gp_cuda cu = scripted_cuda_table();
    gp_device device;
    cu.cuDeviceGetUuid_v2 = NULL;
    gp_device_read(&cu, 1, &device);
    ASSERT_TEXT("GPU-01010101-0101-0101-0101-010101010101", device.uuid);
    cu.cuDeviceGetUuid = NULL;
    gp_device_read(&cu, 1, &device);
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, device.read[GP_DEVICE_UUID]);
    ASSERT_OK(device.read[GP_DEVICE_PCI]);
}

/* cuDeviceGetUuid itself only serves to recognise MIG, as does the name: with one of them the UUID
 * stands. */
TEST(devices_lose_one_field_at_most_by_one_failing_call)
{
    gp_cuda cu = scripted_cuda_table();
    gp_device device;
    gp_device_read(&cu, 0, &device);
    size_t calls = script.calls;
    for (size_t n = 2; n <= calls; n++) {
        int failures = 0;
        script.calls = 0;
        script.fail_at = n;
        gp_device_read(&cu, 0, &device);
        for (int i = 0; i < GP_DEVICE_FIELD_COUNT; i++) {
            failures += gp_failed(device.read[i]);
        }
        ASSERT(failures <= 1);
    }
}

TEST(devices_without_memory_are_a_failure_without_a_list)
{
    gp_cuda cu = scripted_cuda_table();
    gp_device *devices = (gp_device *)&script;
    size_t count = 7;
    alloc_fail_at(1);
    ASSERT_FAILED(GP_NO_MEMORY, 0, gp_devices_list(&cu, &devices, &count));
    ASSERT(devices == NULL);
    ASSERT_INT(0, count);
}
