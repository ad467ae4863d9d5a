#include "gp_library.h"

#include "platform/gp_dl.h"

#include <string.h>

const char *
gp_via_name(gp_via via)
{
    switch (via) {
    case GP_VIA_OVERRIDE: return "override";
    case GP_VIA_WSL: return "wsl";
    case GP_VIA_FOUND: return "found";
    case GP_VIA_SEARCH: return "search";
    }
    return "unknown";
}

static gp_status
open_one(gp_library *lib, gp_via via, gp_dl_scope scope, const char *name, gp_trace trace)
{
    lib->via = via;
    if (lib->error.size > 0) { gp_text_append(&lib->error, "; "); }
    gp_trace_before(trace, gp_dl_open_call);
    gp_status st = gp_dl_open(name, scope, &lib->handle, &lib->error);
    if (gp_failed(st)) { return st; }
    gp_text_clear(&lib->error);
    /* A library whose file cannot be told is still a library: its path stays unknown. */
    st = gp_dl_path(lib->handle, &lib->path);
    return st.kind == GP_NO_MEMORY ? st : gp_ok();
}

static gp_status
open_wsl_then_search(gp_library *lib, gp_driver_file file, const gp_settings *settings,
                     gp_trace trace)
{
    gp_text wsl = GP_TEXT_EMPTY;
    gp_status st = gp_driver_file_wsl_path(file, settings, &wsl);
    if (gp_failed(st)) { goto done; }
    if (wsl.size > 0) {
        st = open_one(lib, GP_VIA_WSL, GP_DL_DRIVER, gp_text_get(&wsl), trace);
        if (st.kind != GP_LIBRARY_MISSING) { goto done; }
    }
    st = open_one(lib, GP_VIA_SEARCH, GP_DL_DRIVER, lib->name, trace);
done:
    gp_text_free(&wsl);
    return st;
}

/* The file that the user names in the place of the driver's; NULL: none. */
static const char *
override_of(const gp_settings *settings, gp_driver_file file)
{
    return settings->values[file == GP_LIBCUDA ? GP_VAR_LIBCUDA : GP_VAR_LIBNVML];
}

gp_status
gp_library_open_driver(gp_library *lib, gp_driver_file file, const gp_settings *settings,
                       gp_trace trace)
{
    *lib = (gp_library){.name = gp_driver_file_name(file), .via = GP_VIA_SEARCH};
    const char *override = override_of(settings, file);
    if (override == NULL) { return open_wsl_then_search(lib, file, settings, trace); }
    return open_one(lib, GP_VIA_OVERRIDE, GP_DL_DRIVER, override, trace);
}

void
gp_library_find_driver(gp_library *lib, gp_driver_file file, const gp_settings *settings)
{
    *lib = (gp_library){.name = gp_driver_file_name(file), .via = GP_VIA_OVERRIDE};
    const char *override = override_of(settings, file);
    if (override != NULL) { lib->handle = gp_dl_loaded(override); }
    if (lib->handle == NULL) {
        lib->via = GP_VIA_SEARCH;
        lib->handle = gp_dl_loaded(lib->name);
    }
}

/* A name by which this process has the library already, or NULL. */
static const char *
name_in_process(const char *const *names)
{
    while (*names != NULL && gp_dl_loaded(*names) == NULL) {
        names++;
    }
    return *names;
}

/* A second copy beside one that torch has loaded, say, would mix with its parts. What was found may
 * be a file of another architecture, or lack a part: the loader's own search may have a better one.
 */
static gp_status
open_found_then_search(gp_library *lib, const char *const *names, const char *found, gp_trace trace)
{
    gp_status st = gp_fail(GP_LIBRARY_MISSING, 0, gp_dl_open_call);
    const char *present = name_in_process(names);
    if (present != NULL) {
        lib->name = present;
        return open_one(lib, GP_VIA_SEARCH, GP_DL_USUAL, present, trace);
    }
    if (found != NULL) { st = open_one(lib, GP_VIA_FOUND, GP_DL_USUAL, found, trace); }
    for (; st.kind == GP_LIBRARY_MISSING && *names != NULL; names++) {
        lib->name = *names;
        st = open_one(lib, GP_VIA_SEARCH, GP_DL_USUAL, *names, trace);
    }
    return st;
}

gp_status
gp_library_open_toolkit(gp_library *lib, const char *const *names, const char *override,
                        const char *found, gp_trace trace)
{
    *lib = (gp_library){.name = names[0], .via = GP_VIA_SEARCH};
    if (override == NULL) { return open_found_then_search(lib, names, found, trace); }
    return open_one(lib, GP_VIA_OVERRIDE, GP_DL_USUAL, override, trace);
}

gp_status
gp_library_open(gp_library *lib, const char *name, gp_trace trace)
{
    *lib = (gp_library){.name = name, .via = GP_VIA_SEARCH};
    return open_one(lib, GP_VIA_SEARCH, GP_DL_USUAL, name, trace);
}

gp_status
gp_library_bind(const gp_library *lib, const gp_symbol *symbols, size_t count, void *table)
{
    gp_status st = gp_ok();
    for (size_t i = 0; i < count; i++) {
        gp_function function = gp_dl_symbol(lib->handle, symbols[i].name);
        memcpy((char *)table + symbols[i].offset, &function, sizeof(function));
        if (function == NULL && symbols[i].need == GP_REQUIRED) {
            st = gp_first_error(st, gp_fail(GP_SYMBOL_MISSING, 0, symbols[i].name));
        }
    }
    return st;
}

void
gp_library_free(gp_library *lib)
{
    gp_text_free(&lib->path);
    gp_text_free(&lib->error);
}
