/* Which file is opened as cuBLASLt. */

#include "alloc_hook.h"
#include "api/gp_cublaslt.h"
#include "harness.h"

#include <stdio.h>
#include <string.h>

static int driver_cuda;

static gp_cu_result
get_version(int *version)
{
    *version = driver_cuda;
    return GP_CU_SUCCESS;
}

static gp_status
load(gp_cublaslt *lt, const char *override, const char *found)
{
    static const gp_cuda cu = {.cuDriverGetVersion = get_version};
    const gp_settings settings = {.values = {[GP_VAR_LIBCUBLASLT] = override}};
    const gp_toolkit_place place = {&settings, found};
    return gp_cublaslt_load(lt, &cu, &place);
}

static void
check_newest(int version, const char *newest)
{
    gp_cublaslt lt;
    driver_cuda = version;
    char found[64];
    (void)snprintf(found, sizeof(found), "/no/such/%s", newest);
    if (gp_failed(load(&lt, NULL, found))) { /* this machine may have one, or not */
        ASSERT_INT(GP_VIA_SEARCH, lt.library.via);
        ASSERT_CONTAINS(found, gp_text_get(&lt.library.error));
        ASSERT_CONTAINS(newest, gp_text_get(&lt.library.error));
        ASSERT_CONTAINS("libcublasLt.so.11", gp_text_get(&lt.library.error));
    }
    gp_cublaslt_free(&lt);
}

TEST(cublaslt_of_a_newer_cuda_than_the_driver_s_is_not_looked_for)
{
    gp_cublaslt lt;
    check_newest(13000, "libcublasLt.so.13");
    check_newest(12080, "libcublasLt.so.12");
    check_newest(11040, "libcublasLt.so.11");
    gp_status st = load(&lt, NULL, NULL);
    if (gp_failed(st)) { ASSERT_TEXT("libcublasLt.so.11", lt.library.name); }
    gp_cublaslt_free(&lt);
    ASSERT_INT(0, alloc_live());
}

TEST(cublaslt_that_a_variable_names_is_the_only_one_tried)
{
    gp_cublaslt lt;
    ASSERT_FAILED(GP_LIBRARY_MISSING, 0, load(&lt, "/no/such/libcublasLt", "libm.so.6"));
    ASSERT_INT(GP_VIA_OVERRIDE, lt.library.via);
    gp_cublaslt_free(&lt);
    ASSERT_INT(0, alloc_live());
}

TEST(cublaslt_that_was_found_is_passed_over_where_its_cuda_is_newer)
{
    gp_cublaslt lt;
    driver_cuda = 12080;
    if (gp_failed(load(&lt, NULL, "/no/such/libcublasLt.so.13"))) {
        ASSERT(strstr(gp_text_get(&lt.library.error), "/no/such") == NULL);
    }
    gp_cublaslt_free(&lt);
    ASSERT_INT(0, alloc_live());
}

TEST(cublaslt_that_is_another_library_lacks_its_functions)
{
    gp_cublaslt lt;
    gp_status st = load(&lt, "libm.so.6", NULL);
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, st);
    ASSERT_TEXT("cublasLtCreate", st.call);
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, GP_CUBLASLT_CALL(&lt, cublasLtDestroy, (NULL)));
    gp_cublaslt_free(&lt);
    ASSERT_INT(0, alloc_live());
}
