#include "device/gp_image_text.h"
#include "device/gp_module.h"
#include "harness.h"
#include "scripted_cuda.h"

#define NO_DATA NULL, 0

/* A table as the build embeds it, not in the order of preference. */
static const gp_image images[] = {
    {GP_IMAGE_PTX, 50, 0, 9000, NO_DATA},     {GP_IMAGE_PTX, 75, 0, 13000, NO_DATA},
    {GP_IMAGE_CUBIN, 80, 0, 13000, NO_DATA},  {GP_IMAGE_CUBIN, 86, 0, 13000, NO_DATA},
    {GP_IMAGE_CUBIN, 90, 1, 13000, NO_DATA},  {GP_IMAGE_CUBIN, 90, 0, 13000, NO_DATA},
    {GP_IMAGE_CUBIN, 100, 0, 13000, NO_DATA},
};

static const size_t image_count = sizeof(images) / sizeof(images[0]);

/* The first, then all that follow when the driver refuses each. */
static void
assert_order(gp_module_target target, const char *const *expected, size_t count)
{
    const gp_image *image = NULL;
    for (size_t i = 0; i < count; i++) {
        char text[GP_IMAGE_TEXT_SIZE];
        image = gp_image_next(images, image_count, target, image);
        ASSERT(image != NULL);
        gp_image_text(image, text);
        ASSERT_TEXT(expected[i], text);
    }
    ASSERT(gp_image_next(images, image_count, target, image) == NULL);
}

TEST(module_takes_the_architecture_specific_image_on_its_own_device_first)
{
    static const char *const order[] = {"cubin sm_90a", "cubin sm_90", "ptx sm_75", "ptx sm_50"};
    assert_order((gp_module_target){90, 13000}, order, 4);
}

TEST(module_takes_the_nearest_minor_version_below)
{
    static const char *const on_89[] = {"cubin sm_86", "cubin sm_80", "ptx sm_75", "ptx sm_50"};
    assert_order((gp_module_target){89, 13000}, on_89, 4);
    static const char *const on_80[] = {"cubin sm_80", "ptx sm_75", "ptx sm_50"};
    assert_order((gp_module_target){80, 13000}, on_80, 3);
}

/* 9.0a code runs on 9.0 only; 10.0 code runs within 10.x only. */
TEST(module_takes_ptx_where_no_machine_code_fits)
{
    static const char *const order[] = {"ptx sm_75", "ptx sm_50"};
    assert_order((gp_module_target){120, 13010}, order, 2);
    assert_order((gp_module_target){75, 13000}, order, 2);
}

TEST(module_takes_the_lowered_ptx_for_an_older_driver_or_an_older_card)
{
    static const char *const order[] = {"ptx sm_50"};
    assert_order((gp_module_target){90, 12090}, order, 1);
    assert_order((gp_module_target){61, 13000}, order, 1);
}

TEST(module_has_nothing_for_a_device_or_driver_below_every_image)
{
    assert_order((gp_module_target){37, 13000}, NULL, 0);
    assert_order((gp_module_target){90, 8000}, NULL, 0);
}

TEST(module_offers_each_of_two_equal_images_once)
{
    static const gp_image twins[] = {{GP_IMAGE_PTX, 50, 0, 9000, NO_DATA},
                                     {GP_IMAGE_PTX, 50, 0, 9000, NO_DATA}};
    gp_module_target target = {75, 12000};
    ASSERT(gp_image_next(twins, 2, target, NULL) == &twins[0]);
    ASSERT(gp_image_next(twins, 2, target, &twins[0]) == &twins[1]);
    ASSERT(gp_image_next(twins, 2, target, &twins[1]) == NULL);
}

TEST(module_has_every_kernel_under_its_own_name)
{
    const gp_cuda cu = scripted_cuda_table();
    gp_module module;
    script.current = 1;
    ASSERT_OK(gp_module_load(&cu, (gp_module_target){90, 13000}, &module));
    ASSERT_INT(GP_KERNEL_COUNT, script.lookups);
    ASSERT_TEXT("gp_fill_f32", (const char *)(uintptr_t)module.functions[GP_KERNEL_FILL_F32]);
    ASSERT_TEXT("gp_conv2d_bf16", (const char *)(uintptr_t)module.functions[GP_KERNEL_CONV2D_BF16]);
    ASSERT_OK(gp_module_unload(&module));
    ASSERT(module.handle == NULL && module.functions[GP_KERNEL_FILL_F32] == NULL);
    ASSERT_INT(0, script.modules);
}

/* The first call loads, each of the others looks one kernel up. */
TEST(module_that_lacks_a_kernel_is_not_loaded)
{
    const gp_cuda cu = scripted_cuda_table();
    gp_module module;
    script.current = 1;
    for (size_t n = 1; n <= 1 + GP_KERNEL_COUNT; n++) {
        script.calls = 0;
        script.fail_at = n;
        gp_status st = gp_module_load(&cu, (gp_module_target){90, 13000}, &module);
        ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, st);
        ASSERT_TEXT(n == 1 ? "cuModuleLoadData" : "cuModuleGetFunction", st.call);
        ASSERT(module.handle == NULL);
        ASSERT_INT(0, script.modules);
    }
}
