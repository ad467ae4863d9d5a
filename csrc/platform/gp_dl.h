/* Dynamic libraries. Nothing here ever closes one: CUDA libraries register exit handlers and
 * thread-local state, and a process that unloads them crashes later, far from the cause. */
#ifndef GP_DL_H
#define GP_DL_H

#include "base/gp_status.h"
#include "base/gp_text.h"

/* Any function; callers convert it to the right type before they call it. */
typedef void (*gp_function)(void);

typedef enum gp_dl_scope {
    GP_DL_DRIVER, /* a bare name means the system's own folder where the system has one (Windows) */
    GP_DL_USUAL   /* a bare name is searched as any program's would be */
} gp_dl_scope;

/* The system call that opens a library, for traces: "dlopen" or "LoadLibraryExW". */
extern const char gp_dl_open_call[];

/* Opens `name` (a path, or a bare name that the system searches). On failure *handle is NULL and
 * the loader's whole text, which names a missing dependency too, is appended to `error`. */
gp_status gp_dl_open(const char *name, gp_dl_scope scope, void **handle, gp_text *error);

/* The library of this name or path if this process has it already, else NULL. Loads nothing. */
void *gp_dl_loaded(const char *name);

/* The function with exactly this exported name, or NULL. */
gp_function gp_dl_symbol(void *handle, const char *name);

/* Appends the real path, links resolved, of the file that `handle` was loaded from. */
gp_status gp_dl_path(void *handle, gp_text *path);

#endif
