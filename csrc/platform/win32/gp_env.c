#include "platform/gp_env.h"

#include "base/gp_alloc.h"
#include "gp_wide.h"
#include "gp_windows.h"

/* No value is longer, by the documentation of SetEnvironmentVariableW. */
#define LONGEST_VALUE 32767

/* The process's own block, not a C run time's copy of it: each run time has another copy. */
gp_status
gp_env_get(const char *name, gp_text *value, bool *is_set)
{
    gp_status st = gp_fail(GP_NO_MEMORY, 0, "GetEnvironmentVariableW");
    wchar_t *wide_name = gp_wide_from_utf8(name);
    wchar_t *wide_value = gp_alloc(LONGEST_VALUE, sizeof(*wide_value));
    *is_set = false;
    if (wide_name == NULL || wide_value == NULL) { goto done; }
    /* A variable that is set but empty also gives 0: only the error code tells it apart. */
    SetLastError(ERROR_SUCCESS);
    DWORD units = GetEnvironmentVariableW(wide_name, wide_value, LONGEST_VALUE);
    *is_set = units > 0 || GetLastError() != ERROR_ENVVAR_NOT_FOUND;
    st = units > 0 ? gp_wide_append(value, wide_value) : gp_ok();
done:
    gp_free(wide_value);
    gp_free(wide_name);
    return st;
}
