/* A vendor library: which file was opened, why that one, and what it lacks. */
#ifndef GP_LIBRARY_H
#define GP_LIBRARY_H

#include "base/gp_status.h"
#include "base/gp_text.h"
#include "base/gp_trace.h"
#include "platform/gp_driver_files.h"
#include "platform/gp_settings.h"
#include "platform/gp_toolkit_files.h"

typedef enum gp_via { GP_VIA_OVERRIDE, GP_VIA_WSL, GP_VIA_FOUND, GP_VIA_SEARCH } gp_via;

typedef enum gp_need { GP_REQUIRED, GP_OPTIONAL } gp_need;

/* One function of a table: where its pointer is kept. */
typedef struct gp_symbol {
    const char *name;
    gp_need need;
    size_t offset; /* of a function pointer, in the table given to gp_library_bind */
} gp_symbol;

typedef struct gp_library {
    const char *name; /* borrowed: the soname, or what the user gave */
    void *handle;     /* NULL: not loaded. Never closed, see gp_dl.h */
    gp_via via;       /* the last way that was tried */
    gp_text path;     /* the real file; empty if not loaded or not known */
    gp_text error;    /* the loader's text; empty if loaded */
} gp_library;

/* Opens a library of the driver: the file that the settings name, and no other if they do; else the
 * host's one under WSL; else by its bare name. `lib` is filled in on failure too and must be
 * released with gp_library_free. */
gp_status gp_library_open_driver(gp_library *lib, gp_driver_file file, const gp_settings *settings,
                                 gp_trace trace);

/* The same library if this process has loaded it already, whoever did; nothing is loaded here.
 * Without it `handle` stays NULL. */
void gp_library_find_driver(gp_library *lib, gp_driver_file file, const gp_settings *settings);

/* Where a library of the toolkit is looked for. */
typedef struct gp_toolkit_place {
    const gp_settings *settings; /* may name the file */
    const char *found;           /* by somebody who knows more places; NULL: nobody has found it */
} gp_toolkit_place;

/* Opens a library of the toolkit: the file `override`, and no other if there is one; else what this
 * process has loaded already; else `found`; else by its bare names. Both may be NULL. `lib` is as
 * above. */
gp_status gp_library_open_toolkit(gp_library *lib, const char *const *names, const char *override,
                                  const char *found, gp_trace trace);

/* Opens any library by name or path. `name` must outlive `lib`. */
gp_status gp_library_open(gp_library *lib, const char *name, gp_trace trace);

/* Fills a table of `count` function pointers. A missing symbol leaves NULL; the first missing
 * required one is the failure. */
gp_status
gp_library_bind(const gp_library *lib, const gp_symbol *symbols, size_t count, void *table);

/* Releases our memory; the library stays loaded. */
void gp_library_free(gp_library *lib);

/* "override", "wsl", "found", "search" */
const char *gp_via_name(gp_via via);

#endif
