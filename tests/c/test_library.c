#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include "alloc_hook.h"
#include "api/gp_cuda.h"
#include "api/gp_library.h"
#include "api/gp_nvml.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const gp_trace no_trace = {NULL};

typedef struct two_functions {
    void (*cos)(void);
    void (*newer)(void);
} two_functions;

static gp_status
bind_two(gp_library *lib, gp_need need, two_functions *table)
{
    const gp_symbol symbols[] = {
        {"cos", GP_REQUIRED, offsetof(two_functions, cos)},
        {"gp_newer_than_this_libm", need, offsetof(two_functions, newer)},
    };
    return gp_library_bind(lib, symbols, 2, table);
}

static void
bind_libm(gp_need need, gp_kind expected)
{
    gp_library lib;
    two_functions table;
    ASSERT_OK(gp_library_open(&lib, "libm.so.6", no_trace));
    gp_status st = bind_two(&lib, need, &table);
    ASSERT_FAILED(expected, 0, st);
    ASSERT(table.cos != NULL);
    ASSERT(table.newer == NULL);
    if (gp_failed(st)) { ASSERT_TEXT("gp_newer_than_this_libm", st.call); }
    gp_library_free(&lib);
    ASSERT_INT(0, alloc_live());
}

TEST(library_leaves_a_missing_optional_symbol_out_and_goes_on)
{
    bind_libm(GP_OPTIONAL, GP_OK);
}

TEST(library_fails_by_a_missing_required_symbol_and_names_it)
{
    bind_libm(GP_REQUIRED, GP_SYMBOL_MISSING);
}

/* An override that cannot be loaded must not fall back on the real driver in silence. */
TEST(library_override_is_the_only_file_tried)
{
    gp_cuda cu;
    const gp_settings settings = {.values = {[GP_VAR_LIBCUDA] = "/no/such/libcuda.so.1"}};
    ASSERT_FAILED(GP_LIBRARY_MISSING, 0, gp_cuda_load(&cu, &settings, no_trace));
    ASSERT_INT(GP_VIA_OVERRIDE, cu.library.via);
    ASSERT_TEXT("libcuda.so.1", cu.library.name);
    ASSERT_CONTAINS("/no/such/libcuda.so.1", gp_text_get(&cu.library.error));
    gp_cuda_free(&cu);
    ASSERT_INT(0, alloc_live());
}

TEST(library_without_an_override_is_searched)
{
    gp_nvml nv;
    const gp_settings settings = {.values = {[GP_VAR_ROOT] = "/no/such/place"}};
    (void)gp_nvml_load(&nv, &settings,
                       no_trace); /* whether this machine has NVML is not the question */
    ASSERT_INT(GP_VIA_SEARCH, nv.library.via);
    gp_nvml_free(&nv);
}

TEST(library_of_another_kind_lacks_the_driver_s_functions)
{
    gp_cuda cu;
    const gp_settings settings = {.values = {[GP_VAR_LIBCUDA] = "libm.so.6"}};
    gp_status st = gp_cuda_load(&cu, &settings, no_trace);
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, st);
    ASSERT_TEXT("cuInit", st.call);
    ASSERT_CONTAINS("libm", gp_text_get(&cu.library.path));
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, GP_CUDA_CALL(&cu, cuInit, (0)));
    ASSERT(gp_cuda_error_text(&cu, 100) == NULL);
    gp_cuda_free(&cu);
}

static gp_status
open_toolkit(gp_library *lib, const char *override, const char *found)
{
    return gp_library_open_toolkit(lib, gp_cudnn_file_names, override, found, no_trace);
}

TEST(library_of_the_toolkit_is_the_one_found_unless_another_is_named)
{
    gp_library lib;
    ASSERT_OK(open_toolkit(&lib, NULL, "libm.so.6"));
    ASSERT_INT(GP_VIA_FOUND, lib.via);
    ASSERT_CONTAINS("libm", gp_text_get(&lib.path));
    gp_library_free(&lib);
    ASSERT_FAILED(GP_LIBRARY_MISSING, 0, open_toolkit(&lib, "/no/such/libcudnn", "libm.so.6"));
    ASSERT_INT(GP_VIA_OVERRIDE, lib.via);
    gp_library_free(&lib);
    ASSERT_INT(0, alloc_live());
}

TEST(library_of_the_toolkit_that_cannot_be_loaded_is_searched)
{
    gp_library lib;
    (void)open_toolkit(&lib, NULL, "/no/such/libcudnn"); /* this machine may have a cuDNN, or not */
    ASSERT_INT(GP_VIA_SEARCH, lib.via);
    ASSERT_TEXT("libcudnn.so.9", lib.name);
    if (lib.handle == NULL) {
        ASSERT_CONTAINS("/no/such/libcudnn", gp_text_get(&lib.error));
        ASSERT_CONTAINS("libcudnn.so.9", gp_text_get(&lib.error));
    }
    gp_library_free(&lib);
    ASSERT_INT(0, alloc_live());
}

static const char *traced;

static void
remember(const char *call)
{
    traced = call;
}

TEST(library_names_the_call_before_it_opens_a_file)
{
    gp_library lib;
    (void)gp_library_open(&lib, "libm.so.6", (gp_trace){remember});
    ASSERT_TEXT("dlopen", traced);
    gp_library_free(&lib);
}

/* A root with /dev/dxg in it and some library in the place of the host's NVML. */
static void
make_wsl_root(char *root)
{
    static const char *const folders[] = {"dev",     "dev/dxg",     "usr",
                                          "usr/lib", "usr/lib/wsl", "usr/lib/wsl/lib"};
    char path[256];
    ASSERT(mkdtemp(root) != NULL);
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
        ASSERT_INT(0, mkdir(path, 0700));
    }
}

static void
remove_wsl_root(const char *root)
{
    static const char *const folders[] = {"usr/lib/wsl/lib", "usr/lib/wsl", "usr/lib", "usr",
                                          "dev/dxg",         "dev",         ""};
    char path[256];
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
        ASSERT_INT(0, rmdir(path));
    }
}

TEST(library_under_wsl_is_the_host_s_and_else_is_searched)
{
    char root[] = "/tmp/gp_tests.XXXXXX";
    char file[256];
    gp_nvml nv;
    gp_library libm;
    ASSERT_OK(gp_library_open(&libm, "libm.so.6", no_trace));
    make_wsl_root(root);
    const gp_settings settings = {.values = {[GP_VAR_ROOT] = root}};
    (void)gp_nvml_load(&nv, &settings, no_trace); /* there is no host's file yet */
    ASSERT_INT(GP_VIA_SEARCH, nv.library.via);
    gp_nvml_free(&nv);
    (void)snprintf(file, sizeof(file), "%s/usr/lib/wsl/lib/libnvidia-ml.so.1", root);
    ASSERT_INT(0, symlink(gp_text_get(&libm.path), file));
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, gp_nvml_load(&nv, &settings, no_trace));
    ASSERT_INT(GP_VIA_WSL, nv.library.via);
    ASSERT_TEXT(gp_text_get(&libm.path), gp_text_get(&nv.library.path));
    gp_nvml_free(&nv);
    gp_library_free(&libm);
    ASSERT_INT(0, unlink(file));
    remove_wsl_root(root);
    ASSERT_INT(0, alloc_live());
}
