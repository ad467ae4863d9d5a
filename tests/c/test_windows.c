/* The Windows half of the platform, by calls that every Windows has, and Wine. */
#include "platform/win32/gp_windows.h"

#include "alloc_hook.h"
#include "harness.h"
#include "platform/gp_dl.h"
#include "platform/gp_env.h"
#include "probe/gp_probe.h"

static void
assert_opens(const char *name)
{
    void *handle = NULL;
    gp_text text = GP_TEXT_EMPTY;
    ASSERT_OK(gp_dl_open(name, GP_DL_DRIVER, &handle, &text));
    ASSERT_TEXT("", gp_text_get(&text));
    ASSERT(gp_dl_symbol(handle, "GetFileVersionInfoW") != NULL);
    ASSERT(gp_dl_loaded(name) == handle);
    ASSERT_OK(gp_dl_path(handle, &text));
    ASSERT_CONTAINS("\\version.dll", gp_text_get(&text));
    gp_text_free(&text);
    ASSERT_INT(0, alloc_live());
}

TEST(windows_opens_a_path_with_either_slash_and_from_the_current_folder)
{
    assert_opens("version.dll");
    assert_opens("C:\\windows\\system32\\version.dll");
    assert_opens("C:/windows/system32/version.dll");
    ASSERT(SetCurrentDirectoryW(L"C:\\windows") != 0);
    assert_opens("system32/version.dll");
    assert_opens(".\\system32\\version.dll");
    assert_opens("C:system32/version.dll");
}

TEST(windows_tells_which_library_it_does_not_find)
{
    void *handle = &handle;
    gp_text text = GP_TEXT_EMPTY;
    gp_status st = gp_dl_open("C:/no/such/nvcuda.dll", GP_DL_DRIVER, &handle, &text);
    ASSERT(st.kind == GP_LIBRARY_MISSING && st.code != 0 && handle == NULL);
    ASSERT_CONTAINS("C:/no/such/nvcuda.dll: error ", gp_text_get(&text));
    gp_text_free(&text);
}

TEST(windows_reads_variables_as_utf8_and_tells_an_empty_one)
{
    bool is_set = false;
    gp_text text = GP_TEXT_EMPTY;
    ASSERT(SetEnvironmentVariableW(L"GP_TEST", L"\u65e5") != 0);
    ASSERT_OK(gp_env_get("GP_TEST", &text, &is_set));
    ASSERT(is_set);
    ASSERT_TEXT("\xe6\x97\xa5", gp_text_get(&text));
    gp_text_clear(&text);
    ASSERT(SetEnvironmentVariableW(L"GP_TEST", L"") != 0);
    ASSERT_OK(gp_env_get("GP_TEST", &text, &is_set));
    ASSERT(is_set);
    ASSERT(SetEnvironmentVariableW(L"GP_TEST", NULL) != 0);
    ASSERT_OK(gp_env_get("GP_TEST", &text, &is_set));
    ASSERT(!is_set);
    ASSERT_TEXT("", gp_text_get(&text));
    gp_text_free(&text);
}

/* A long is no longer than an int there. */
TEST(windows_probe_refuses_an_ordinal_that_is_no_int)
{
    const gp_settings settings = {.text = GP_TEXT_EMPTY};
    const char *const arguments[] = {"kernel", "--device", "99999999999"};
    gp_text out = GP_TEXT_EMPTY;
    ASSERT_INT(GP_PROBE_USAGE, gp_probe_run(3, arguments, &settings, (gp_trace){NULL}, &out));
    gp_text_free(&out);
}
