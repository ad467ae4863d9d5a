#define _GNU_SOURCE /* dlinfo */

#include "platform/gp_dl.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <link.h>
#endif

const char gp_dl_open_call[] = "dlopen";

gp_status
gp_dl_open(const char *name, gp_dl_scope scope, void **handle, gp_text *error)
{
    (void)scope;
    *handle = NULL;
    /* dlopen takes "" for the program itself, which is never what was asked for. */
    if (name[0] == '\0') {
        gp_text_append(error, "the name of the library is empty");
        return gp_fail(GP_BAD_ARGUMENT, 0, gp_dl_open_call);
    }
    (void)dlerror();
    *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (*handle != NULL) { return gp_ok(); }
    /* The text lives in a buffer of libc's that the next dl call overwrites. */
    const char *text = dlerror();
    gp_text_append(error, text == NULL ? "dlopen failed without a text" : text);
    return gp_fail(GP_LIBRARY_MISSING, 0, gp_dl_open_call);
}

/* The count of its users rises, which is no harm: nothing here ever closes a library. */
void *
gp_dl_loaded(const char *name)
{
    return name[0] == '\0' ? NULL : dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
}

gp_function
gp_dl_symbol(void *handle, const char *name)
{
    void *address = dlsym(handle, name);
    gp_function function = NULL;
    /* ISO C knows no conversion between data and function pointers; POSIX promises equal sizes. */
    memcpy(&function, &address, sizeof(function));
    return function;
}

#if defined(__linux__)
gp_status
gp_dl_path(void *handle, gp_text *path)
{
    struct link_map *map = NULL;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) { return gp_fail(GP_OS, 0, "dlinfo"); }
    char real[PATH_MAX];
    if (realpath(map->l_name, real) == NULL) { return gp_fail(GP_OS, errno, "realpath"); }
    gp_text_append(path, real);
    return gp_text_status(path, "gp_dl_path");
}
#else
/* macOS has no way from a handle to its file, and no CUDA library to ask for. */
gp_status
gp_dl_path(void *handle, gp_text *path)
{
    (void)handle;
    (void)path;
    return gp_fail(GP_OS, ENOTSUP, "dlinfo");
}
#endif
