#define _POSIX_C_SOURCE 200809L /* setenv */

#include "alloc_hook.h"
#include "harness.h"
#include "platform/gp_clock.h"
#include "platform/gp_dl.h"
#include "platform/gp_driver_files.h"
#include "platform/gp_env.h"
#include "platform/gp_file.h"
#include "platform/gp_root.h"
#include "platform/gp_settings.h"

#include <stdlib.h>

static void
assert_variable(bool expected_set, const char *expected)
{
    gp_text value = GP_TEXT_EMPTY;
    bool is_set = !expected_set;
    ASSERT_OK(gp_env_get("GPUPROBE_TEST", &value, &is_set));
    ASSERT_INT(expected_set, is_set);
    ASSERT_TEXT(expected, gp_text_get(&value));
    gp_text_free(&value);
}

TEST(env_keeps_unset_apart_from_empty)
{
    ASSERT_INT(0, unsetenv("GPUPROBE_TEST"));
    assert_variable(false, "");
    ASSERT_INT(0, setenv("GPUPROBE_TEST", "", 1));
    assert_variable(true, "");
    ASSERT_INT(0, setenv("GPUPROBE_TEST", "0,1", 1));
    assert_variable(true, "0,1");
}

static const char *const variables[GP_VAR_COUNT] = {
    "GPUPROBE_ROOT",
    "GPUPROBE_LIBCUDA",
    "GPUPROBE_LIBNVML",
    "GPUPROBE_LIBCUBLASLT",
    "GPUPROBE_LIBCUDNN",
    "NVIDIA_TF32_OVERRIDE",
    "CUBLAS_EMULATE_SINGLE_PRECISION",
    "CUBLAS_EMULATE_DOUBLE_PRECISION",
};

/* What changes later changes nothing of them. */
TEST(settings_are_the_variables_at_one_moment)
{
    gp_settings settings;
    for (int i = 0; i < GP_VAR_COUNT; i++) {
        ASSERT_INT(0, setenv(variables[i], variables[i], 1));
    }
    ASSERT_OK(gp_settings_read(&settings));
    for (int i = 0; i < GP_VAR_COUNT; i++) {
        ASSERT_INT(0, i % 2 == 0 ? setenv(variables[i], "", 1) : unsetenv(variables[i]));
        ASSERT_TEXT(variables[i], settings.values[i]);
    }
    gp_settings_free(&settings);
    ASSERT_OK(gp_settings_read(&settings));
    for (int i = 0; i < GP_VAR_COUNT; i++) {
        ASSERT(settings.values[i] == NULL);
    }
    gp_settings_free(&settings);
    ASSERT_INT(0, alloc_live());
}

TEST(settings_fail_cleanly_without_memory)
{
    gp_settings settings;
    for (size_t n = 1;; n++) {
        alloc_fail_at(n);
        gp_status st = gp_settings_read(&settings);
        gp_settings_free(&settings);
        ASSERT_INT(0, alloc_live());
        if (!alloc_has_failed()) { break; }
        ASSERT_FAILED(GP_NO_MEMORY, 0, st);
    }
}

TEST(root_stands_before_every_fixed_path)
{
    gp_text path = GP_TEXT_EMPTY;
    gp_settings settings = {.values = {[GP_VAR_ROOT] = NULL}};
    ASSERT_OK(gp_root_path(&settings, "/dev/dxg", &path));
    ASSERT_TEXT("/dev/dxg", gp_text_get(&path));
    gp_text_clear(&path);
    settings.values[GP_VAR_ROOT] = "/elsewhere";
    ASSERT_OK(gp_root_path(&settings, "/dev/dxg", &path));
    ASSERT_TEXT("/elsewhere/dev/dxg", gp_text_get(&path));
    gp_text_free(&path);
}

TEST(file_exists_is_true_for_folders_and_false_for_nothing)
{
    ASSERT(gp_file_exists("/"));
    ASSERT(!gp_file_exists("/no/such/place"));
    ASSERT(!gp_file_exists(""));
}

TEST(clock_does_not_go_back)
{
    uint64_t before = gp_clock_ns();
    ASSERT(before > 0);
    ASSERT(gp_clock_ns() >= before);
}

TEST(dl_gives_the_real_path_and_only_existing_symbols)
{
    void *handle = NULL;
    gp_text text = GP_TEXT_EMPTY;
    ASSERT_OK(gp_dl_open("libm.so.6", GP_DL_USUAL, &handle, &text));
    ASSERT_TEXT("", gp_text_get(&text));
    ASSERT(gp_dl_symbol(handle, "cos") != NULL);
    ASSERT(gp_dl_symbol(handle, "gp_no_such_function") == NULL);
    ASSERT_OK(gp_dl_path(handle, &text));
    ASSERT_CONTAINS("/libm", gp_text_get(&text));
    ASSERT(text.data[0] == '/');
    gp_text_free(&text);
}

TEST(dl_keeps_the_whole_text_of_the_loader)
{
    void *handle = &handle;
    gp_text error = GP_TEXT_EMPTY;
    ASSERT_FAILED(GP_LIBRARY_MISSING, 0,
                  gp_dl_open("libgp-no-such.so.1", GP_DL_DRIVER, &handle, &error));
    ASSERT(handle == NULL);
    ASSERT_CONTAINS("libgp-no-such.so.1", gp_text_get(&error));
    ASSERT_CONTAINS("cannot open shared object file", gp_text_get(&error));
    gp_text_free(&error);
}

/* dlopen would take the empty name for the program itself. */
TEST(dl_refuses_the_empty_name)
{
    void *handle = NULL;
    gp_text error = GP_TEXT_EMPTY;
    ASSERT_FAILED(GP_BAD_ARGUMENT, 0, gp_dl_open("", GP_DL_USUAL, &handle, &error));
    ASSERT_CONTAINS("empty", gp_text_get(&error));
    gp_text_free(&error);
}

TEST(driver_file_has_no_wsl_path_without_its_device)
{
    gp_text path = GP_TEXT_EMPTY;
    const gp_settings settings = {.values = {[GP_VAR_ROOT] = "/no/such/place"}};
    ASSERT_OK(gp_driver_file_wsl_path(GP_LIBCUDA, &settings, &path));
    ASSERT_TEXT("", gp_text_get(&path));
    gp_text_free(&path);
    ASSERT_INT(0, alloc_live());
}
