#include "platform/gp_dl.h"

#include "base/gp_alloc.h"
#include "gp_wide.h"
#include "gp_windows.h"

#include <string.h>

/* The longest path that Windows has, in UTF-16 units with its NUL. */
#define LONGEST_PATH 32768

const char gp_dl_open_call[] = "LoadLibraryExW";

static bool
is_bare(const char *name)
{
    return strpbrk(name, "\\/:") == NULL;
}

static DWORD
load_flags(const char *name, gp_dl_scope scope)
{
    /* A driver's DLL from anywhere but System32 would be somebody else's file. */
    if (is_bare(name)) { return scope == GP_DL_DRIVER ? LOAD_LIBRARY_SEARCH_SYSTEM32 : 0; }
    /* The dependencies of a file given by its path stand beside it, not on PATH. */
    return LOAD_LIBRARY_SEARCH_DEFAULT_DIRS | LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR;
}

/* Released with gp_free; NULL without memory. */
static wchar_t *
full_path(const wchar_t *path)
{
    DWORD units = GetFullPathNameW(path, 0, NULL, NULL);
    wchar_t *full = gp_alloc((size_t)units + 1, sizeof(*full));
    if (full != NULL) { (void)GetFullPathNameW(path, units, full, NULL); }
    return full;
}

/* The name as Windows takes it: with the flags above a path has to be whole, and to have no slash
 * but its own (ctypes does the same). Released with gp_free; NULL without memory. */
static wchar_t *
wide_name(const char *name)
{
    wchar_t *wide = gp_wide_from_utf8(name);
    if (wide == NULL || is_bare(name)) { return wide; }
    wchar_t *full = full_path(wide);
    gp_free(wide);
    return full;
}

static void
append_system_text(gp_text *error, DWORD code)
{
    wchar_t *text = NULL;
    const DWORD flags =
        FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
    DWORD units = FormatMessageW(flags, NULL, code, 0, (LPWSTR)(void *)&text, 0, NULL);
    gp_text_format(error, "error %lu", (unsigned long)code);
    if (units == 0) { return; }
    while (units > 0 && (text[units - 1] == L'\n' || text[units - 1] == L'\r')) {
        text[--units] = L'\0';
    }
    gp_text_append(error, ": ");
    /* Best effort: the number is there already. */
    (void)gp_wide_append(error, text);
    (void)LocalFree(text);
}

gp_status
gp_dl_open(const char *name, gp_dl_scope scope, void **handle, gp_text *error)
{
    *handle = NULL;
    if (name[0] == '\0') {
        gp_text_append(error, "the name of the library is empty");
        return gp_fail(GP_BAD_ARGUMENT, 0, gp_dl_open_call);
    }
    wchar_t *wide = wide_name(name);
    if (wide == NULL) { return gp_fail(GP_NO_MEMORY, 0, gp_dl_open_call); }
    *handle = (void *)LoadLibraryExW(wide, NULL, load_flags(name, scope));
    DWORD code = GetLastError();
    gp_free(wide);
    if (*handle != NULL) { return gp_ok(); }
    gp_text_format(error, "%s: ", name);
    append_system_text(error, code);
    return gp_fail(GP_LIBRARY_MISSING, (int)code, gp_dl_open_call);
}

void *
gp_dl_loaded(const char *name)
{
    HMODULE module = NULL;
    wchar_t *wide = name[0] == '\0' ? NULL : wide_name(name);
    if (wide == NULL) { return NULL; }
    (void)GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, wide, &module);
    gp_free(wide);
    return (void *)module;
}

gp_function
gp_dl_symbol(void *handle, const char *name)
{
    FARPROC address = GetProcAddress((HMODULE)handle, name);
    gp_function function = NULL;
    memcpy(&function, &address, sizeof(function));
    return function;
}

gp_status
gp_dl_path(void *handle, gp_text *path)
{
    wchar_t *wide = gp_alloc(LONGEST_PATH, sizeof(*wide));
    if (wide == NULL) { return gp_fail(GP_NO_MEMORY, 0, "GetModuleFileNameW"); }
    gp_status st;
    DWORD units = GetModuleFileNameW((HMODULE)handle, wide, LONGEST_PATH);
    if (units == 0 || units == LONGEST_PATH) {
        st = gp_fail(GP_OS, (int)GetLastError(), "GetModuleFileNameW");
    }
    else {
        st = gp_wide_append(path, wide);
    }
    gp_free(wide);
    return st;
}
